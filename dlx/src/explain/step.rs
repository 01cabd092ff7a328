//! What an explanation consists of: steps with their reasons, all in items and options.
//!
//! Every reason can be checked without trust in how it was found ([`check_explanation`](crate::trust::check_explanation)):
//! - *forced*: an item has no more options left than it needs;
//! - *truths and links*: each truth is an item that some option must cover, each link an item that at most one option may
//!   cover. Add the equations of the truths, subtract those of the links: an option that is in more links than truths, by more
//!   than the rank allows, cannot be chosen. Locked candidates, subsets, fish, wings, chains and rings of Sudoku are all of
//!   this form, and so is an item of polyominoes all whose places cover the same square;
//! - *supposition*: one option is supposed, and what follows ends in an item that nothing can cover any more;
//! - *split*: all options of an item are tried, and all but one lead to a contradiction.
//!
//! Source of truths and links: A. Barker's base and cover sets; the inequality is the sum of equations that proves them.

use crate::model::{ItemId, OptionId};

/// A step of an explanation: what follows from the state before it, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Why.
    pub reason: Reason,
    /// The options that must be chosen.
    pub on: Vec<OptionId>,
    /// The options that cannot be chosen. Those that conflict with a chosen one are not told.
    pub off: Vec<OptionId>,
    /// How hard the step is, in tenths ([`score`](crate::explain#scores)).
    pub score: u32,
    /// How many steps of the same score there were to choose from, this one included.
    pub choices: usize,
}

/// Why a step holds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The item has just as many options left as it needs.
    Forced {
        /// The item.
        item: ItemId,
    },
    /// Some items that must be covered, and some that may be covered but once.
    Sets {
        /// The items that must be covered.
        truths: Vec<ItemId>,
        /// The items that may be covered once.
        links: Vec<ItemId>,
    },
    /// What follows if an option is chosen is a contradiction.
    Supposition(Supposition),
    /// The options of an item are tried one after the other; all but one fail.
    Split {
        /// The item.
        item: ItemId,
        /// The ways that fail.
        branches: Vec<Branch>,
    },
}

impl Reason {
    /// Returns the rank of truths and links: how many more links than truths there are, where each counts once.
    ///
    /// ```
    /// use dlx::ItemId;
    /// use dlx::explain::Reason;
    ///
    /// let [a, b, c] = [0, 1, 2].map(ItemId::new);
    /// assert_eq!(Reason::Sets { truths: vec![a], links: vec![b, c] }.rank(), Some(1));
    /// assert_eq!(Reason::Forced { item: a }.rank(), None);
    /// ```
    #[must_use]
    pub fn rank(&self) -> Option<i64> {
        match self {
            Self::Sets { truths, links } => Some(links.len() as i64 - truths.len() as i64),
            _ => None,
        }
    }
}

/// An option that is supposed, and what follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Supposition {
    /// The option that is supposed to be chosen.
    pub option: OptionId,
    /// What follows, each from the state, the supposition and what stands before.
    pub inferences: Vec<Inference>,
    /// The item that is left with too few options, or has too many.
    pub conflict: ItemId,
}

/// What follows from a supposition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inference {
    /// The option of which something is known.
    pub option: OptionId,
    /// Whether it must be chosen, or cannot be.
    pub is_on: bool,
    /// The rule.
    pub by: Because,
}

/// Why something follows from a supposition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Because {
    /// The item has just as many options left as it needs.
    Truth(ItemId),
    /// The item is covered by options that are chosen already.
    Link(ItemId),
    /// All options that are left of the item `truth` are options of `link`, too, so no other one of `link` can be chosen.
    Locked {
        /// The item that must be covered.
        truth: ItemId,
        /// The item that may be covered once.
        link: ItemId,
    },
}

/// One of the ways that a split tries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The option that is tried.
    pub option: OptionId,
    /// Whether it is chosen, or left out: where an item takes several options, only one of them is tried both ways.
    pub is_on: bool,
    /// The steps from there.
    pub steps: Vec<Step>,
    /// The item that is left with fewer options than it needs in the end.
    pub conflict: ItemId,
}

/// An explanation: steps from the given options to the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The steps in order; each follows from the state after those before it.
    pub steps: Vec<Step>,
    /// How it ends.
    pub end: Ending,
}

impl Explanation {
    /// Returns the score of the hardest step, in tenths; 0 if there is no step.
    #[must_use]
    pub fn score(&self) -> u32 {
        self.steps.iter().map(|step| step.score).max().unwrap_or(0)
    }
}

/// How an explanation ends.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ending {
    /// There is just this one cover, given options included.
    Solved(Vec<OptionId>),
    /// There is no cover: this item is left with fewer options than it needs.
    Impossible(ItemId),
    /// There is no cover: two of the given options conflict in this item.
    Clash(ItemId),
    /// There is more than one cover, such as these two.
    Several(Box<[Vec<OptionId>; 2]>),
    /// A limit came first.
    Cut(crate::limits::Limit),
    /// Every further step is harder than [`Settings::most`](super::Settings::most).
    Harder,
}
