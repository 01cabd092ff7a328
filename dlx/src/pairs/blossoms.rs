//! A matching that leaves no vertex free but such as may be, or the certainty that there is none.
//!
//! Most vertices are matched greedily, each with a free neighbor that has the fewest neighbors; then a
//! search for an augmenting path grows a tree of alternating paths from each vertex that is free and must not be. An
//! odd cycle that closes is contracted (a blossom): all its vertices become ends of even paths. A path ends well at
//! another free vertex, or, if its length is even, at a vertex that may be free: then it becomes free, and the root is
//! matched. If no path from a root ends well, some maximum matching leaves the root free (Berge), so there is
//! none of the kind. That is not taken on trust: the last tree shows it by itself, and is checked.
//!
//! Invariant: between two searches, and whenever one is cut, the partners are a matching; a vertex that was matched and
//! must be stays matched.
//!
//! Source: J. Edmonds, Paths, trees, and flowers (1965); the blossoms are sets of a union-find, whose
//! root is the base, as in Gabow's version (1976).

use std::collections::BTreeMap;

use super::graph::Graph;
use crate::portfolio::{Budget, Cut};

/// No vertex.
pub(crate) const NONE: u32 = u32::MAX;

/// The work for a half-edge that the search looks at, and for a root.
const STEPS_PER_HALF: u64 = 8;

/// What a vertex is in the tree of alternating paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Label {
    Unseen,
    /// Reached by a path of even length: its edges are looked at.
    Even,
    Odd,
}

/// A matching of a graph that grows to one that leaves only such vertices free as may be.
#[derive(Debug)]
pub(crate) struct Blossoms {
    pub(crate) graph: Graph,
    /// The partner of each vertex, [`NONE`] if it is free.
    pub(crate) partners: Vec<u32>,
    may_be_free: Vec<bool>,
    /// The vertices before this one are matched or may be free, once that was looked at.
    next: u32,
    /// What is not to be used while another matching is sought: an edge, or a free vertex and [`NONE`].
    banned: [u32; 2],
    /// The partners that vertices had since then.
    changes: Vec<(u32, u32)>,
    labels: Vec<Label>,
    /// By vertex: the one before it on the path that goes against its matched edge.
    before: Vec<u32>,
    /// The union-find of the blossoms; a root is the base.
    bases: Vec<u32>,
    /// The number of the last walk that met a base.
    met: Vec<u32>,
    walk: u32,
    /// The vertices seen, and of the even ones those whose edges are still to be looked at.
    seen: Vec<u32>,
    open: Vec<u32>,
}

impl Blossoms {
    /// Makes a matching that was begun greedily.
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

    /// Matches all vertices that must be matched, or goes on with that; `false` if it cannot be done.
    ///
    /// # Errors
    /// If the budget ends it; [`Cut::Unsuited`] if what shows that it cannot be done does not stand a check.
    pub(crate) fn complete(&mut self, budget: &mut Budget<'_>) -> Result<bool, Cut> {
        while (self.next as usize) < self.partners.len() {
            if !self.augment_where_needed(self.next, budget)? {
                return Ok(false);
            }
            self.next += 1;
        }
        Ok(true)
    }

    /// Changes a complete matching into one without the edge between a vertex and its partner, or one in which a vertex that
    /// is free, given with [`NONE`], is not; `false`, and nothing changes, if there is none.
    ///
    /// # Errors
    /// As for [`Self::complete`]; nothing changes then.
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

    /// Tells whether a vertex may be free.
    fn may_be_free(&self, vertex: u32) -> bool {
        self.may_be_free[vertex as usize] && self.banned != [vertex, NONE]
    }

    fn set_partner(&mut self, vertex: u32, partner: u32) {
        let before = std::mem::replace(&mut self.partners[vertex as usize], partner);
        if self.banned != [NONE; 2] {
            self.changes.push((vertex, before));
        }
    }

    /// Sees to it that a vertex is matched or may be free; `false` if that cannot be.
    fn augment_where_needed(&mut self, vertex: u32, budget: &mut Budget<'_>) -> Result<bool, Cut> {
        let is_well = self.partners[vertex as usize] != NONE || self.may_be_free(vertex);
        if is_well || self.augment(vertex, budget)? {
            return Ok(true);
        }
        if self.is_barrier() { Ok(false) } else { Err(Cut::Unsuited) }
    }

    /// Matches the free vertex `root`, if a path that starts at it ends well.
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

    /// Checks what a search without success has found: without the odd vertices, the blossoms (and even
    /// vertices alone) have no edges to each other, each has an odd number of vertices, none of which may be free, and there
    /// are more of them than of odd vertices. So every matching leaves one of their vertices free (Tutte).
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

    /// Labels an unseen vertex even.
    fn reach(&mut self, vertex: u32) {
        self.labels[vertex as usize] = Label::Even;
        self.seen.push(vertex);
        self.open.push(vertex);
    }

    /// Exchanges matched and other edges on the path from the vertex `end`, which has lost its partner or had none, back to
    /// the root.
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

    /// Returns the base of the blossom that a vertex is in, itself if it is in none.
    fn base(&mut self, mut vertex: u32) -> u32 {
        while self.bases[vertex as usize] != vertex {
            let next = self.bases[vertex as usize];
            self.bases[vertex as usize] = self.bases[next as usize];
            vertex = next;
        }
        vertex
    }

    /// Returns the base at which the paths from two even vertices to the root meet.
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

    /// Takes the path from `vertex` to `base` into the blossom that the edge to `other` closes.
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
