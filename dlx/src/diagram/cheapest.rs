//! Lists the covers of a diagram in ascending order of cost.
//!
//! The cost of the cheapest path from each node to the end is precomputed. Each cover is a path
//! that leaves an earlier path at one node, and takes the cheapest path from there. A heap orders
//! the deviations by the cost of their cheapest cover, so each cover takes the time of one walk
//! down the diagram.
//!
//! Source: Hoffman and Pavley 1959 for paths by deviations; Eppstein 1998 for a version with less
//! memory.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Diagram;
use super::nodes::{NONE, NodeId, UNIT};
use crate::cheapest::CostedCover;

/// An iterator over covers in ascending order of cost; created by [`Diagram::cheapest`].
#[derive(Debug)]
pub struct CoversByCost<'d> {
    diagram: &'d Diagram,
    /// The cost of the cheapest set of each node, or `None` if the node represents no set.
    least: Vec<Option<u128>>,
    heap: BinaryHeap<Reverse<(u128, u64, NodeId, TakenPlace)>>,
    taken: Vec<(TakenPlace, u32)>,
    count: u64,
}

/// The 1-based position of the last variable of a path in `taken`, or 0 for an empty path.
type TakenPlace = usize;

impl<'d> CoversByCost<'d> {
    pub(super) fn new(diagram: &'d Diagram) -> Self {
        let mut least = vec![None, Some(0)];
        for node in &diagram.nodes.list[least.len()..=diagram.root.max(UNIT) as usize] {
            let high = least[node.high as usize].map(|least| least + diagram.cost(node.variable));
            let low = least[node.low as usize];
            least.push([low, high].into_iter().flatten().min());
        }
        let root = least[diagram.root as usize];
        let first = root.map(|cost| Reverse((cost, 0, diagram.root, 0)));
        Self { diagram, least, heap: first.into_iter().collect(), taken: Vec::new(), count: 0 }
    }

    fn put(&mut self, cost: u128, id: NodeId, taken: TakenPlace) {
        self.count += 1;
        self.heap.push(Reverse((cost, self.count, id, taken)));
    }

    fn take(&mut self, taken: TakenPlace, variable: u32) -> TakenPlace {
        self.taken.push((taken, variable));
        self.taken.len()
    }
}

impl Iterator for CoversByCost<'_> {
    type Item = CostedCover;

    fn next(&mut self) -> Option<CostedCover> {
        let Reverse((cost, _, mut id, mut taken)) = self.heap.pop()?;
        while id > UNIT {
            let node = self.diagram.nodes.list[id as usize];
            let own = self.diagram.cost(node.variable);
            let least = |id: NodeId| self.least[id as usize];
            let high = least(node.high).map(|least| least + own);
            let best = least(id);
            let before = cost - best.unwrap_or(0);
            let low = least(node.low).filter(|_| node.low != NONE);
            if high == best {
                if let Some(low) = low {
                    self.put(before + low, node.low, taken);
                }
                taken = self.take(taken, node.variable);
                id = node.high;
            } else {
                if let Some(high) = high {
                    let taken = self.take(taken, node.variable);
                    self.put(before + high, node.high, taken);
                }
                id = node.low;
            }
        }
        let mut options = Vec::new();
        while let Some(&(before, variable)) =
            taken.checked_sub(1).and_then(|place| self.taken.get(place))
        {
            options.push(self.diagram.options[variable as usize]);
            taken = before;
        }
        options.reverse();
        Some(CostedCover { cost, options })
    }
}
