//! The nodes of a diagram, each once, with the number of sets that it stands for.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::numbers::Numbers;
use crate::numbers::Mixer;

/// A node by number; those below it have smaller numbers.
pub(super) type NodeId = u32;

/// The node of no set, and that of the empty set alone.
pub(super) const NONE: NodeId = 0;
pub(super) const UNIT: NodeId = 1;

/// The sets of `low`, and those of `high` with the variable added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct DiagramNode {
    /// The variable, from 0; that of both terminals is larger than any other.
    pub(super) variable: u32,
    pub(super) low: NodeId,
    pub(super) high: NodeId,
}

/// The variable of the terminals.
pub(super) const NO_VARIABLE: u32 = u32::MAX;

/// Nodes, reduced: no two are the same, and no `high` is [`NONE`].
#[derive(Debug)]
pub(super) struct Nodes {
    pub(super) list: Vec<DiagramNode>,
    pub(super) counts: Numbers,
    unique: HashMap<DiagramNode, NodeId, BuildHasherDefault<Mixer>>,
}

impl Nodes {
    pub(super) fn new() -> Self {
        let terminal = DiagramNode { variable: NO_VARIABLE, low: NONE, high: NONE };
        let mut counts = Numbers::default();
        counts.push(&[]);
        counts.push(&[1]);
        Self { list: vec![terminal; 2], counts, unique: HashMap::default() }
    }

    /// Returns the node of a variable, which is smaller than those below.
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

    /// Forgets the index of the nodes so far: no further one will have a variable of theirs.
    pub(super) fn forget(&mut self) {
        self.unique.clear();
    }

    /// Frees the memory that is needed only while nodes are made.
    pub(super) fn finish(&mut self) {
        self.unique = HashMap::default();
        self.list.shrink_to_fit();
    }

    /// Returns the bytes that they take.
    pub(super) fn bytes(&self) -> usize {
        let entry = size_of::<(DiagramNode, NodeId)>() + 1;
        size_of::<DiagramNode>() * self.list.capacity()
            + self.counts.bytes()
            + entry * self.unique.capacity()
    }
}
