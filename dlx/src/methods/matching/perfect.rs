//! A perfect matching, or the certainty that there is none.
//!
//! Most vertices are matched greedily, each with a free neighbor that has the fewest neighbors; then a
//! search for an augmenting path grows a tree of alternating paths from each vertex that is free. An
//! odd cycle that closes is contracted (a blossom): all its vertices become ends of even paths. If no
//! augmenting path starts at a free vertex, some maximum matching leaves it free (Berge), so there is
//! no perfect one. That is not taken on trust: the last tree shows it by itself, and is checked.
//!
//! Source: J. Edmonds, Paths, trees, and flowers (1965); the blossoms are sets of a union-find, whose
//! root is the base, as in Gabow's version (1976).

use std::collections::BTreeMap;

use super::graph::Graph;
use crate::portfolio::{Budget, Cut};

const NONE: u32 = u32::MAX;

/// The work for a half-edge that the search looks at.
const STEPS_PER_HALF: u64 = 8;

/// What a vertex is in the tree of alternating paths.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Label {
    Unseen,
    /// Reached by a path of even length: its edges are looked at.
    Even,
    Odd,
}

struct BlossomSearch<'g> {
    graph: &'g Graph,
    /// The partner of each vertex, `NONE` if it is free.
    partners: Vec<u32>,
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

/// Returns the partner of each vertex in some perfect matching, `None` if there is none.
pub(super) fn perfect_matching(
    graph: &Graph,
    budget: &mut Budget<'_>,
) -> Result<Option<Vec<u32>>, Cut> {
    let count = graph.vertex_count();
    let mut search = BlossomSearch {
        graph,
        partners: vec![NONE; count],
        labels: vec![Label::Unseen; count],
        before: vec![NONE; count],
        bases: (0..count as u32).collect(),
        met: vec![0; count],
        walk: 0,
        seen: Vec::new(),
        open: Vec::new(),
    };
    search.match_greedily();
    for root in 0..count as u32 {
        if search.partners[root as usize] == NONE && !search.augment(root, budget)? {
            return if search.is_barrier() { Ok(None) } else { Err(Cut::Unsuited) };
        }
    }
    Ok(Some(search.partners))
}

impl BlossomSearch<'_> {
    fn match_greedily(&mut self) {
        for vertex in 0..self.partners.len() as u32 {
            if self.partners[vertex as usize] != NONE {
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

    /// Matches the free vertex `root` and another one, if an augmenting path starts at it.
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
            budget.spend(STEPS_PER_HALF * self.graph.halves(vertex).len() as u64)?;
            for &half in self.graph.halves(vertex) {
                let head = self.graph.head(half);
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

    /// Checks what a search without success has found: without the odd vertices, the blossoms (and even
    /// vertices alone) have no edges to each other, each has an odd number of vertices, and there are
    /// more of them than of odd vertices. So no matching is perfect (Tutte).
    fn is_barrier(&mut self) -> bool {
        let mut sizes = BTreeMap::<u32, u32>::new();
        let mut odd = 0;
        for vertex in self.seen.clone() {
            if self.labels[vertex as usize] != Label::Even {
                odd += 1;
                continue;
            }
            let base = self.base(vertex);
            *sizes.entry(base).or_default() += 1;
            for &half in self.graph.halves(vertex) {
                let head = self.graph.head(half);
                if self.labels[head as usize] != Label::Odd && self.base(head) != base {
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

    /// Exchanges matched and other edges on the path from the free vertex `end` back to the root.
    fn flip(&mut self, end: u32) {
        let mut vertex = end;
        while vertex != NONE {
            let before = self.before[vertex as usize];
            let next = self.partners[before as usize];
            self.partners[vertex as usize] = before;
            self.partners[before as usize] = vertex;
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
