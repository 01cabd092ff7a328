//! Finds a matching that covers all vertices except optional ones, or proves that there is none.
//! First a greedy algorithm matches most vertices, each with a free neighbor of minimum degree. For
//! each remaining vertex that must be matched, a search for an augmenting path grows a tree of
//! alternating paths from this root. An odd cycle is contracted to a blossom; all its vertices are
//! ends of even paths. The search succeeds at another free vertex, or at the end of an even path if
//! that vertex is optional and can become free. If no path from a root succeeds, some maximum
//! matching leaves the root free (Berge), so the required matching does not exist. The final tree
//! proves this, and the proof is checked.
//!
//! Invariant: between two searches, and after an interruption, `partners` is a matching. A vertex
//! that must be matched stays matched from then on.
//!
//! Source: J. Edmonds, Paths, trees, and flowers (1965). The blossoms are union-find sets whose
//! root is the base, as in Gabow's version (1976).

use std::collections::BTreeMap;

use super::graph::Graph;
use crate::portfolio::{Budget, Cut};

pub(crate) const NONE: u32 = u32::MAX;

const STEPS_PER_HALF: u64 = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Label {
    Unseen,
    /// The end of an even path from the root, so its edges are searched.
    Even,
    Odd,
}

/// A matching that is extended until only optional vertices are free.
#[derive(Debug)]
pub(crate) struct Blossoms {
    pub(crate) graph: Graph,
    /// The partner of each vertex, or [`NONE`] for a free vertex.
    pub(crate) partners: Vec<u32>,
    may_be_free: Vec<bool>,
    /// All vertices below this index are matched or optional.
    next: u32,
    /// The ends of an edge that must not be used; or a vertex that must not be free, and [`NONE`].
    banned: [u32; 2],
    changes: Vec<(u32, u32)>,
    labels: Vec<Label>,
    /// The predecessor of each odd vertex in the search.
    before: Vec<u32>,
    /// Union-find parents of the vertices in blossoms. The root of a set is the base of the
    /// blossom.
    bases: Vec<u32>,
    met: Vec<u32>,
    walk: u32,
    seen: Vec<u32>,
    open: Vec<u32>,
}

impl Blossoms {
    pub(crate) fn new(graph: Graph, may_be_free: Vec<bool>) -> Self {
        let count = graph.vertex_count();
        let mut this = Self {
            graph,
            partners: vec![NONE; count],
            may_be_free,
            next: 0,
            banned: [NONE; 2],
            changes: Vec::new(),
            labels: vec![Label::Unseen; count],
            before: vec![NONE; count],
            bases: (0..count as u32).collect(),
            met: vec![0; count],
            walk: 0,
            seen: Vec::new(),
            open: Vec::new(),
        };
        this.match_greedily();
        this
    }

    /// Matches all vertices that must be matched; resumes after an interruption. Returns `false` if
    /// there is no such matching.
    ///
    /// # Errors
    /// The error of the budget, or [`Cut::Unsuited`] if the proof of impossibility fails its check.
    pub(crate) fn complete(&mut self, budget: &mut Budget<'_>) -> Result<bool, Cut> {
        while (self.next as usize) < self.partners.len() {
            if !self.augment_where_needed(self.next, budget)? {
                return Ok(false);
            }
            self.next += 1;
        }
        Ok(true)
    }

    /// Changes a complete matching so that the two vertices `ends` are not partners. If the second
    /// is [`NONE`], matches the first, which is free. Returns `false` and changes nothing if there
    /// is no such matching.
    ///
    /// # Errors The errors of [`Self::complete`]. The matching is then unchanged.
    pub(crate) fn avoid(&mut self, ends: [u32; 2], budget: &mut Budget<'_>) -> Result<bool, Cut> {
        self.banned = ends;
        self.changes.clear();
        let vertices = ends.into_iter().filter(|&end| end != NONE);
        vertices.clone().for_each(|vertex| self.set_partner(vertex, NONE));
        let mut result = Ok(true);
        for vertex in vertices {
            if result == Ok(true) {
                result = self.augment_where_needed(vertex, budget);
            }
        }
        self.banned = [NONE; 2];
        if result != Ok(true) {
            while let Some((vertex, partner)) = self.changes.pop() {
                self.partners[vertex as usize] = partner;
            }
        }
        result
    }

    fn match_greedily(&mut self) {
        for vertex in 0..self.partners.len() as u32 {
            if self.partners[vertex as usize] != NONE || self.may_be_free[vertex as usize] {
                continue;
            }
            let heads = self.graph.halves(vertex).iter().map(|&half| self.graph.head(half));
            let free = heads.filter(|&head| self.partners[head as usize] == NONE);
            if let Some(head) = free.min_by_key(|&head| self.graph.halves(head).len()) {
                self.partners[vertex as usize] = head;
                self.partners[head as usize] = vertex;
            }
        }
    }

    fn may_be_free(&self, vertex: u32) -> bool {
        self.may_be_free[vertex as usize] && self.banned != [vertex, NONE]
    }

    fn set_partner(&mut self, vertex: u32, partner: u32) {
        let before = std::mem::replace(&mut self.partners[vertex as usize], partner);
        if self.banned != [NONE; 2] {
            self.changes.push((vertex, before));
        }
    }

    /// Matches a vertex unless it is optional. Returns `false` if that is impossible.
    fn augment_where_needed(&mut self, vertex: u32, budget: &mut Budget<'_>) -> Result<bool, Cut> {
        let is_well = self.partners[vertex as usize] != NONE || self.may_be_free(vertex);
        if is_well || self.augment(vertex, budget)? {
            return Ok(true);
        }
        if self.is_barrier() { Ok(false) } else { Err(Cut::Unsuited) }
    }

    /// Matches the free vertex `root`, if there is an augmenting path from it.
    fn augment(&mut self, root: u32, budget: &mut Budget<'_>) -> Result<bool, Cut> {
        for &vertex in &self.seen {
            self.labels[vertex as usize] = Label::Unseen;
            self.bases[vertex as usize] = vertex;
        }
        self.seen.clear();
        self.open.clear();
        self.reach(root);
        let mut next = 0;
        while let Some(&vertex) = self.open.get(next) {
            next += 1;
            if self.may_be_free(vertex) {
                let partner = self.partners[vertex as usize];
                self.set_partner(vertex, NONE);
                self.flip(partner);
                return Ok(true);
            }
            let halves = self.graph.halves(vertex).len();
            budget.spend(STEPS_PER_HALF * (1 + halves as u64))?;
            for place in 0..halves {
                let head = self.graph.head(self.graph.halves(vertex)[place]);
                if self.is_banned(vertex, head) {
                    continue;
                }
                match self.labels[head as usize] {
                    Label::Odd => {}
                    Label::Unseen => {
                        self.labels[head as usize] = Label::Odd;
                        self.seen.push(head);
                        self.before[head as usize] = vertex;
                        match self.partners[head as usize] {
                            NONE => {
                                self.flip(head);
                                return Ok(true);
                            }
                            partner => self.reach(partner),
                        }
                    }
                    Label::Even => {
                        if self.base(vertex) != self.base(head) {
                            let base = self.common_base(vertex, head);
                            self.contract(vertex, head, base);
                            self.contract(head, vertex, base);
                        }
                    }
                }
            }
        }
        Ok(false)
    }

    fn is_banned(&self, a: u32, b: u32) -> bool {
        self.banned == [a, b] || self.banned == [b, a]
    }

    /// Checks the proof of impossibility in the tree of a failed search (Tutte). After removing the
    /// odd vertices, the blossoms and single even vertices must have no edges between each other.
    /// Each blossom and single even vertex must have an odd number of vertices and no optional
    /// vertex, and there must be more of them than odd vertices. If these conditions hold, every
    /// matching leaves a vertex of a blossom or a single even vertex free.
    fn is_barrier(&mut self) -> bool {
        let mut sizes = BTreeMap::<u32, u32>::new();
        let mut odd = 0;
        for place in 0..self.seen.len() {
            let vertex = self.seen[place];
            if self.labels[vertex as usize] != Label::Even {
                odd += 1;
                continue;
            }
            if self.may_be_free(vertex) {
                return false;
            }
            let base = self.base(vertex);
            *sizes.entry(base).or_default() += 1;
            for place in 0..self.graph.halves(vertex).len() {
                let head = self.graph.head(self.graph.halves(vertex)[place]);
                let is_inner =
                    || self.labels[head as usize] == Label::Odd || self.is_banned(vertex, head);
                if !is_inner() && self.base(head) != base {
                    return false;
                }
            }
        }
        sizes.values().all(|size| size % 2 == 1) && sizes.len() > odd
    }

    /// Returns the vertices of the tree of a failed search, each with the base of its odd
    /// component, or with [`NONE`] if it separates components.
    pub(crate) fn barrier(&mut self) -> Vec<(u32, u32)> {
        let seen = std::mem::take(&mut self.seen);
        let mut base = |vertex: u32| match self.labels[vertex as usize] {
            Label::Even => (vertex, self.base(vertex)),
            _ => (vertex, NONE),
        };
        let barrier = seen.iter().map(|&vertex| base(vertex)).collect();
        self.seen = seen;
        barrier
    }

    fn reach(&mut self, vertex: u32) {
        self.labels[vertex as usize] = Label::Even;
        self.seen.push(vertex);
        self.open.push(vertex);
    }

    fn flip(&mut self, end: u32) {
        let mut vertex = end;
        while vertex != NONE {
            let before = self.before[vertex as usize];
            let next = self.partners[before as usize];
            self.set_partner(vertex, before);
            self.set_partner(before, vertex);
            vertex = next;
        }
    }

    /// Returns the base of the blossom of `vertex`, or `vertex` itself if it is in no blossom.
    fn base(&mut self, mut vertex: u32) -> u32 {
        while self.bases[vertex as usize] != vertex {
            let next = self.bases[vertex as usize];
            self.bases[vertex as usize] = self.bases[next as usize];
            vertex = next;
        }
        vertex
    }

    /// Returns the base where the paths from two even vertices to the root meet.
    fn common_base(&mut self, a: u32, b: u32) -> u32 {
        self.walk += 1;
        let (mut vertex, mut other) = (a, b);
        loop {
            if vertex != NONE {
                vertex = self.base(vertex);
                if self.met[vertex as usize] == self.walk {
                    return vertex;
                }
                self.met[vertex as usize] = self.walk;
                let partner = self.partners[vertex as usize];
                vertex = if partner == NONE { NONE } else { self.before[partner as usize] };
            }
            (vertex, other) = (other, vertex);
        }
    }

    /// Contracts the path from `vertex` to `base` into the blossom, which the edge from `vertex` to
    /// `other` closes.
    fn contract(&mut self, mut vertex: u32, mut other: u32, base: u32) {
        while self.base(vertex) != base {
            self.before[vertex as usize] = other;
            other = self.partners[vertex as usize];
            if self.labels[other as usize] == Label::Odd {
                self.labels[other as usize] = Label::Even;
                self.open.push(other);
            }
            for member in [vertex, other] {
                if self.bases[member as usize] == member {
                    self.bases[member as usize] = base;
                }
            }
            vertex = self.before[other as usize];
        }
    }
}
