//! Removes vertices with one or two neighbors from a graph before its perfect matchings are
//! counted.
//!
//! A vertex with one neighbor must be matched to it. A vertex v with two neighbors a and b is
//! matched to one of them, and the other neighbor is matched elsewhere. So the three vertices
//! become one. The edges of a are multiplied by the weight of the edge from v to b, and the edges
//! of b by the weight of the edge from v to a. An edge between a and b is in no perfect matching.
//! The graph stays planar, and stays bipartite if it was. The contraction removes long paths and
//! cycles, where Hadamard's bound is weak.

use std::collections::BTreeMap;

use num_bigint::BigUint;

use crate::pairs::graph::Graph;

/// Maximum total number of neighbors of two merged vertices, which keeps the work linear.
const MOST_NEIGHBORS: usize = 16;

struct Contraction {
    neighbors: Vec<BTreeMap<u32, u64>>,
    is_gone: Vec<bool>,
    open: Vec<u32>,
    factors: Vec<BigUint>,
}

/// Returns the contracted graph and the factors that multiply its count, or `None` if the graph has
/// no perfect matching.
pub(super) fn contract(graph: &Graph) -> Option<(Graph, Vec<BigUint>)> {
    let vertices = 0..graph.vertex_count() as u32;
    let neighbors = |vertex: u32| {
        let halves = graph.halves(vertex).iter();
        halves.map(|&half| (graph.head(half), graph.weights[half as usize / 2])).collect()
    };
    let mut this = Contraction {
        neighbors: vertices.clone().map(neighbors).collect(),
        is_gone: vec![false; graph.vertex_count()],
        open: vertices.collect(),
        factors: Vec::new(),
    };
    while let Some(vertex) = this.open.pop() {
        if this.is_gone[vertex as usize] {
            continue;
        }
        let mut edges = this.neighbors[vertex as usize].iter().map(|(&other, &weight)| (other, weight));
        match [edges.next(), edges.next(), edges.next()] {
            [None, ..] => return None,
            [Some((other, weight)), None, _] => {
                this.factors.push(BigUint::from(weight));
                this.remove(vertex);
                this.remove(other);
            }
            [Some(a), Some(b), None] => this.join(vertex, a, b),
            _ => {}
        }
    }
    let mut names = vec![0; graph.vertex_count()];
    let mut count = 0;
    for (name, _) in names.iter_mut().zip(&this.is_gone).filter(|&(_, &is_gone)| !is_gone) {
        *name = count;
        count += 1;
    }
    let edges = (0..).zip(&this.neighbors).flat_map(|(vertex, edges)| {
        let edges = edges.iter().filter(move |&(&other, _)| vertex < other);
        let names = &names;
        edges.map(move |(&other, &weight)| ([vertex, other].map(|end| names[end as usize]), weight))
    });
    Graph::new(count as usize, edges.collect()).map(|graph| (graph, this.factors))
}

impl Contraction {
    fn remove(&mut self, vertex: u32) -> BTreeMap<u32, u64> {
        self.is_gone[vertex as usize] = true;
        let edges = std::mem::take(&mut self.neighbors[vertex as usize]);
        for &other in edges.keys() {
            self.neighbors[other as usize].remove(&vertex);
            self.open.push(other);
        }
        edges
    }

    /// Merges `vertex` and its two neighbors into one vertex, unless a weight would overflow or the
    /// neighbors have too many neighbors.
    fn join(&mut self, vertex: u32, (a, to_a): (u32, u64), (b, to_b): (u32, u64)) {
        let lists = [a, b].map(|end| &self.neighbors[end as usize]);
        if lists[0].len() + lists[1].len() > MOST_NEIGHBORS {
            return;
        }
        let mut joined = BTreeMap::<u32, u64>::new();
        for (edges, factor) in lists.into_iter().zip([to_b, to_a]) {
            for (&other, &weight) in edges.iter().filter(|&(other, _)| ![a, b, vertex].contains(other))
            {
                let sum = joined.entry(other).or_default();
                match weight.checked_mul(factor).and_then(|weight| weight.checked_add(*sum)) {
                    Some(more) => *sum = more,
                    None => return,
                }
            }
        }
        for gone in [vertex, a, b] {
            self.remove(gone);
        }
        for (&other, &weight) in &joined {
            self.neighbors[other as usize].insert(a, weight);
        }
        self.neighbors[a as usize] = joined;
        self.is_gone[a as usize] = false;
        self.open.push(a);
    }
}
