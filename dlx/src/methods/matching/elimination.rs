//! The elimination order of the pairs of a matching, and the fronts that result from it.
//!
//! The two vertices of a matched edge are eliminated together, so the graph of the pairs determines
//! the fill-in. The order is by minimum degree: it eliminates a pair with the fewest remaining
//! neighbors, and then connects these neighbors with each other. Neighbors are stored as cliques
//! (elements). A new clique replaces the cliques that it contains, and degrees are upper bounds.
//!
//! The elimination is a forest of *fronts*, which are small dense matrices. Some pairs of a front
//! are its pivots; the other pairs, its border, are eliminated later. A front passes its reduced
//! border to its parent. Adjacent fronts are merged if that is cheap.
//!
//! Sources: P. R. Amestoy, T. A. Davis and I. S. Duff, An approximate minimum degree ordering
//! algorithm (1996); I. S. Duff and J. K. Reid, The multifrontal solution of indefinite sparse
//! symmetric linear equations (1983).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::portfolio::{Budget, Cut};

const NONE: u32 = u32::MAX;

const STEPS_PER_FRONT: u64 = 60;

const STEPS_PER_ENTRY: u64 = 2;

#[derive(Clone, Debug, Default)]
pub(super) struct FrontalMatrix {
    pub(super) pivots: Vec<u32>,
    pub(super) border: Vec<u32>,
    pub(super) children: Vec<u32>,
}

impl FrontalMatrix {
    pub(super) fn size(&self) -> usize {
        self.pivots.len() + self.border.len()
    }

    pub(super) fn work(&self, lines: usize) -> u64 {
        work(self.pivots.len() * lines, self.border.len() * lines)
    }
}

/// Returns the work of a front (products), given the counts of its pivots and of its other rows.
fn work(pivots: usize, border: usize) -> u64 {
    let [k, b] = [pivots, border].map(|count| count as u64);
    STEPS_PER_FRONT * (k + 1) + k * b * b + k * k * b + k * k * k / 3 + 3 * (k + b) * (k + b)
}

/// Returns an elimination order of the vertices of a graph, given as adjacency lists.
pub(super) fn minimum_degree(
    mut neighbors: Vec<Vec<u32>>,
    budget: &mut Budget<'_>,
) -> Result<Vec<u32>, Cut> {
    let count = neighbors.len();
    let mut elements: Vec<Vec<u32>> = vec![Vec::new(); count];
    // The members of the element of each eliminated vertex, until another element absorbs it.
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); count];
    let mut is_element = vec![false; count];
    let mut is_done = vec![false; count];
    let mut degrees: Vec<u32> = neighbors.iter().map(|list| list.len() as u32).collect();
    let mut heap: BinaryHeap<_> = degrees.iter().zip(0..).map(|(&d, v)| Reverse((d, v))).collect();
    let mut marks = vec![NONE; count];
    let mut outside = vec![(NONE, 0); count];
    let mut order = Vec::with_capacity(count);
    while let Some(Reverse((degree, vertex))) = heap.pop() {
        let v = vertex as usize;
        if is_done[v] || degrees[v] != degree {
            continue;
        }
        is_done[v] = true;
        // The new element has all remaining neighbors, including those through other elements.
        let mut clique = Vec::new();
        let mut add = |list: &[u32]| {
            for &other in list {
                if !is_done[other as usize] && marks[other as usize] != vertex {
                    marks[other as usize] = vertex;
                    clique.push(other);
                }
            }
        };
        add(&neighbors[v]);
        for element in std::mem::take(&mut elements[v]) {
            add(&members[element as usize]);
            members[element as usize] = Vec::new();
            is_element[element as usize] = false;
        }
        neighbors[v] = Vec::new();
        for &other in &clique {
            let size = elements[other as usize].len() + neighbors[other as usize].len();
            budget.spend(STEPS_PER_ENTRY * (size + 8) as u64)?;
            elements[other as usize].retain(|&element| is_element[element as usize]);
            for &element in &elements[other as usize] {
                let (stamp, rest) = &mut outside[element as usize];
                if *stamp != vertex {
                    (*stamp, *rest) = (vertex, members[element as usize].len() as u32);
                }
                *rest -= 1;
            }
        }
        let size = clique.len() as u32;
        for &other in &clique {
            let o = other as usize;
            neighbors[o].retain(|&next| !is_done[next as usize] && marks[next as usize] != vertex);
            elements[o].retain(|&element| outside[element as usize].1 > 0);
            let rest: u32 = elements[o].iter().map(|&element| outside[element as usize].1).sum();
            elements[o].push(vertex);
            degrees[o] = (neighbors[o].len() as u32 + size - 1 + rest).min(degrees[o] + size - 1);
            heap.push(Reverse((degrees[o], other)));
        }
        members[v] = clique;
        is_element[v] = true;
        order.push(vertex);
    }
    Ok(order)
}

/// Builds the fronts of the elimination in `order`, with `lines` rows per pair. Children come
/// first: the children of a front are the last fronts before it without a parent.
pub(super) fn fronts(
    neighbors: &[Vec<u32>],
    order: &[u32],
    lines: usize,
    budget: &mut Budget<'_>,
) -> Result<Vec<FrontalMatrix>, Cut> {
    let mut places = vec![0; order.len()];
    order.iter().zip(0..).for_each(|(&pair, place)| places[pair as usize] = place);
    let mut fronts: Vec<FrontalMatrix> = Vec::with_capacity(order.len());
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); order.len()];
    let mut marks = vec![NONE; order.len()];
    let mut roots = Vec::new();
    for &pair in order {
        marks[pair as usize] = pair;
        let mut border = Vec::new();
        let mut add = |list: &[u32]| {
            for &other in list {
                if places[other as usize] > places[pair as usize] && marks[other as usize] != pair {
                    marks[other as usize] = pair;
                    border.push(other);
                }
            }
        };
        add(&neighbors[pair as usize]);
        let own = std::mem::take(&mut children[pair as usize]);
        own.iter().for_each(|&child| add(&fronts[child as usize].border));
        budget.spend(STEPS_PER_ENTRY * 4 * (border.len() + 8) as u64)?;
        border.sort_unstable_by_key(|&other| places[other as usize]);
        let mut front = FrontalMatrix { pivots: vec![pair], border, children: Vec::new() };
        merge(&mut fronts, &mut front, own, lines);
        let id = fronts.len() as u32;
        match front.border.first() {
            Some(&first) => children[first as usize].push(id),
            None => roots.push(id),
        }
        fronts.push(front);
    }
    Ok(postorder(fronts, roots))
}

fn merge(
    fronts: &mut [FrontalMatrix],
    front: &mut FrontalMatrix,
    mut children: Vec<u32>,
    lines: usize,
) {
    children.sort_unstable_by_key(|&child| Reverse(fronts[child as usize].border.len()));
    let border = front.border.len() * lines;
    for child in children {
        let [upper, lower] = [front.pivots.len(), fronts[child as usize].pivots.len()];
        let apart = front.work(lines) + fronts[child as usize].work(lines);
        if work((upper + lower) * lines, border) <= apart {
            let child = std::mem::take(&mut fronts[child as usize]);
            front.pivots.splice(0..0, child.pivots);
            front.children.extend(child.children);
        } else {
            front.children.push(child);
        }
    }
}

fn postorder(mut fronts: Vec<FrontalMatrix>, roots: Vec<u32>) -> Vec<FrontalMatrix> {
    let mut sorted = Vec::new();
    let mut open = roots;
    while let Some(id) = open.pop() {
        let front = std::mem::take(&mut fronts[id as usize]);
        open.extend(&front.children);
        sorted.push(front);
    }
    sorted.reverse();
    sorted
}
