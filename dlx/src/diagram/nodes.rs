//! The unique nodes of a diagram, each with the number of sets that it represents.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::numbers::Numbers;
use crate::numbers::Mixer;

/// The number of a node. The children of a node have smaller numbers.
pub(super) type NodeId = u32;

/// The terminal that represents no set.
pub(super) const NONE: NodeId = 0;
pub(super) const UNIT: NodeId = 1;

/// A node of a zero-suppressed diagram, which represents the sets of `low`, and the sets of `high`
/// with the variable added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct DiagramNode {
    /// The 0-based variable. Terminals have [`NO_VARIABLE`], which is larger than all variables.
    pub(super) variable: u32,
    pub(super) low: NodeId,
    pub(super) high: NodeId,
}

pub(super) const NO_VARIABLE: u32 = u32::MAX;

/// The nodes of a reduced diagram: no two are equal, and `high` is never [`NONE`].
#[derive(Debug)]
pub(super) struct NodeTable {
    pub(super) list: Vec<DiagramNode>,
    pub(super) counts: Numbers,
    unique: HashMap<DiagramNode, NodeId, BuildHasherDefault<Mixer>>,
}

impl NodeTable {
    pub(super) fn new() -> Self {
        let terminal = DiagramNode { variable: NO_VARIABLE, low: NONE, high: NONE };
        let mut counts = Numbers::default();
        counts.push(&[]);
        counts.push(&[1]);
        Self { list: vec![terminal; 2], counts, unique: HashMap::default() }
    }

    /// Returns the node with this variable and these children. `variable` must be smaller than the
    /// variables of the children.
    pub(super) fn make(&mut self, variable: u32, low: NodeId, high: NodeId) -> NodeId {
        let below = |id: NodeId| self.list[id as usize].variable;
        debug_assert!(variable < below(low).min(below(high)), "variables ascend on all paths");
        if high == NONE {
            return low;
        }
        let node = DiagramNode { variable, low, high };
        *self.unique.entry(node).or_insert_with(|| {
            self.list.push(node);
            self.counts.push_sum(low, high);
            (self.list.len() - 1) as NodeId
        })
    }

    /// Clears the index of existing nodes. Nodes made later must have other variables.
    pub(super) fn forget(&mut self) {
        self.unique.clear();
    }

    pub(super) fn finish(&mut self) {
        self.unique = HashMap::default();
        self.list.shrink_to_fit();
    }

    pub(super) fn bytes(&self) -> usize {
        let entry = size_of::<(DiagramNode, NodeId)>() + 1;
        size_of::<DiagramNode>() * self.list.capacity()
            + self.counts.bytes()
            + entry * self.unique.capacity()
    }
}
