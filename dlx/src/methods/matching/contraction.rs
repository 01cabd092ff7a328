//! Vertices with one or two neighbors are taken out of the graph beforehand.
//!
//! A vertex with one neighbor is matched to it. A vertex with two is matched to one of them, and the
//! other goes elsewhere: the three become one vertex, and an edge of one neighbor is worth as many
//! times more as the edge from the vertex to the other neighbor is. An edge between the two is in no
//! perfect matching. The graph stays planar, and bipartite if it was. This removes long paths and cycles, for which
//! Hadamard's bound is bad: a cycle of n vertices would take n/4 bits though its count
//! is 2.

use std::collections::BTreeMap;

use num_bigint::BigUint;

use crate::pairs::graph::Graph;

/// Vertices that have more neighbors than this together are not merged, so that the work is linear.
const MOST_NEIGHBORS: usize = 16;

/// The neighbors that each vertex has left, with the weights of the edges.
struct Contraction {
    neighbors: Vec<BTreeMap<u32, u64>>,
    is_gone: Vec<bool>,
    /// Vertices that may have less than three neighbors.
    open: Vec<u32>,
    /// The weights of edges that are in every perfect matching.
    factors: Vec<BigUint>,
}

/// Returns the graph that is left and the numbers by which its count is to be multiplied; `None` if the
/// graph has no perfect matching.
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
    /// Takes a vertex out, and returns the edges that it had.
    fn remove(&mut self, vertex: u32) -> BTreeMap<u32, u64> {
        self.is_gone[vertex as usize] = true;
        let edges = std::mem::take(&mut self.neighbors[vertex as usize]);
        for &other in edges.keys() {
            self.neighbors[other as usize].remove(&vertex);
            self.open.push(other);
        }
        edges
    }

    /// Makes one vertex of `vertex` and its two neighbors, unless weights would be too great.
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
