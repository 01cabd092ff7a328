//! A step: its conclusion, the pattern that a person looks at, and the facts that prove it.

use crate::bits::{Cells, Digits};
use crate::board::Candidate;
use crate::technique::Technique;

/// A fact that a proof rests on: something that needs exactly one digit or one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Truth {
    /// The cell needs one of its candidates.
    Cell(usize),
    /// The house (by its number in the layout) needs the digit in one of its cells.
    Place {
        /// The house.
        house: usize,
        /// The digit.
        digit: usize,
    },
}

/// The part that some candidates play in a pattern; pictures give each part its own colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The candidates of the pattern itself: a subset, the body of a fish, the pivot of a wing.
    Body,
    /// What is beside the body: the fins of a fish, the wings of a wing, the extra candidates of a
    /// unique rectangle.
    Fin,
    /// A candidate that connects two parts: a restricted common of two almost locked sets.
    Link,
    /// The almost locked set, or the colour, with this number from 0.
    Set(u8),
}

/// Candidates with the same part in a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Group {
    /// The part.
    pub part: Part,
    /// The cells.
    pub cells: Cells,
    /// The digits. The group consists of the candidates of these digits in these cells.
    pub digits: Digits,
}

/// A node of a chain: a digit in one cell, or in one of several cells of a house.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node {
    /// The cells; more than one if the node is grouped.
    pub cells: Cells,
    /// The digit.
    pub digit: usize,
    /// Whether the digit stands in one of the cells if the first node holds.
    pub is_on: bool,
}

/// A chain: each node follows from the one before. From off to on is a strong link (one of both
/// holds), from on to off a weak link (at most one of both holds).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Chain {
    /// The nodes in order.
    pub nodes: Vec<Node>,
    /// Whether the last node is linked to the first, so that the chain is a loop.
    pub is_loop: bool,
}

/// A digit that a net places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Inference {
    /// The candidate that holds.
    pub placed: Candidate,
    /// The fact of which it is the only candidate left: the supposition and the inferences before
    /// exclude the others.
    pub truth: Truth,
}

/// A supposition and what follows from it, in order. What the supposition and the inferences see is
/// excluded.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Net {
    /// The candidate that is supposed to hold.
    pub start: Candidate,
    /// The inferences that are used, each once.
    pub inferences: Vec<Inference>,
    /// The fact that has no candidate left, if the net ends in a contradiction.
    pub failed: Option<Truth>,
}

/// A step: one inference that a person can check.
#[derive(Clone, Debug)]
pub struct Step {
    /// The technique.
    pub technique: &'static Technique,
    /// The difficulty, in tenths.
    pub score: u32,
    /// The candidates that must stand.
    pub placed: Vec<Candidate>,
    /// The candidates that cannot stand, without those that a placement removes.
    pub removed: Vec<Candidate>,
    /// The houses that the pattern rests on (base sets), by their number in the layout.
    pub houses: Vec<usize>,
    /// The houses in which the pattern eliminates (cover sets).
    pub covers: Vec<usize>,
    /// The candidates of the pattern, by part.
    pub groups: Vec<Group>,
    /// The chains, each node by node.
    pub chains: Vec<Chain>,
    /// The nets. If there are several, one of their suppositions holds.
    pub nets: Vec<Net>,
    /// The facts that prove the step: if an eliminated candidate stood, some fact would fail. For a
    /// technique that assumes a unique solution the facts are not the whole proof.
    pub truths: Vec<Truth>,
}

impl Step {
    /// Makes a step of a technique with its least score and nothing else.
    #[must_use]
    pub fn new(technique: &'static Technique) -> Self {
        Self {
            technique,
            score: technique.score,
            placed: Vec::new(),
            removed: Vec::new(),
            houses: Vec::new(),
            covers: Vec::new(),
            groups: Vec::new(),
            chains: Vec::new(),
            nets: Vec::new(),
            truths: Vec::new(),
        }
    }

    /// Returns the candidates of a part, as its groups.
    pub fn part(&self, part: Part) -> impl Iterator<Item = &Group> {
        self.groups.iter().filter(move |group| group.part == part)
    }

    /// Returns the digits of all groups of a part.
    #[must_use]
    pub fn digits(&self, part: Part) -> Digits {
        self.part(part).fold(Digits::NONE, |all, group| all | group.digits)
    }

    /// Returns the cells of all groups of a part.
    #[must_use]
    pub fn cells(&self, part: Part) -> Cells {
        self.part(part).fold(Cells::NONE, |all, group| all | group.cells)
    }
}
