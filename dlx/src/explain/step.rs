//! The parts of an explanation: steps with their reasons, in terms of items and options.
//!
//! Every reason can be checked independently
//! ([`check_explanation`](crate::trust::check_explanation)):
//! - *forced*: an item has no more options left than it needs;
//! - *truths and links*: each truth is an item that some option must cover, each link an item that
//!   at most one option may cover. Add the equations of the links and subtract those of the truths.
//!   An option whose links outnumber its truths by more than the rank cannot be chosen. Locked
//!   candidates, subsets, fish, wings, chains and rings of Sudoku have this form, as does a
//!   polyomino piece whose positions all cover the same square;
//! - *supposition*: choosing an option leads to an item that can no longer be covered;
//! - *split*: all options of an item are tried, and all but one lead to a contradiction.
//!
//! Source of truths and links: A. Barker's base and cover sets. The sum of the equations proves
//! each exclusion.

use crate::model::{ItemId, OptionId};

/// A step of an explanation: a conclusion from the state before it, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The reason for the conclusion.
    pub reason: Reason,
    /// The options that must be chosen.
    pub on: Vec<OptionId>,
    /// The options that cannot be chosen, except those that conflict with an option of `on`.
    pub off: Vec<OptionId>,
    /// The difficulty of the step, in tenths ([`score`](crate::explain#scores)).
    pub score: u32,
    /// The number of available steps with the same score, including this one.
    pub choices: usize,
}

/// Why a step holds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The item has exactly as many options left as it needs.
    Forced {
        /// The item whose options are forced.
        item: ItemId,
    },
    /// Truths (items that must be covered) and links (items that may be covered only once) exclude
    /// options.
    Sets {
        /// The items that must be covered.
        truths: Vec<ItemId>,
        /// The items that may be covered once.
        links: Vec<ItemId>,
    },
    /// Choosing an option leads to a contradiction.
    Supposition(Supposition),
    /// The options of an item are tried one by one, and all but one fail.
    Split {
        /// The item whose options are tried.
        item: ItemId,
        /// The branches that fail.
        branches: Vec<Branch>,
    },
}

impl Reason {
    /// Returns the rank of truths and links: the number of links minus the number of truths, each
    /// counted once.
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

/// A supposed option and its consequences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Supposition {
    /// The option that is supposed to be chosen.
    pub option: OptionId,
    /// The consequences. Each follows from the state, the supposition and earlier inferences.
    pub inferences: Vec<Inference>,
    /// The item that has too few options left, or too many chosen.
    pub conflict: ItemId,
}

/// A consequence of a supposition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inference {
    /// The option that must or cannot be chosen.
    pub option: OptionId,
    /// Whether the option must be chosen; otherwise it cannot be chosen.
    pub is_on: bool,
    /// The rule that justifies the consequence.
    pub by: InferenceRule,
}

/// Why a consequence holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InferenceRule {
    /// The item has exactly as many options left as it needs.
    Truth(ItemId),
    /// The item is already covered by chosen options.
    Link(ItemId),
    /// All remaining options of the item `truth` are options of the item `link` too, so no other
    /// option of `link` can be chosen.
    Locked {
        /// The item that must be covered.
        truth: ItemId,
        /// The item that may be covered once.
        link: ItemId,
    },
}

/// A branch of a split.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The option that is tried.
    pub option: OptionId,
    /// Whether the option is chosen; otherwise it is excluded. If an item takes several options,
    /// only one option is tried, both chosen and excluded.
    pub is_on: bool,
    /// The steps after the option was chosen or excluded.
    pub steps: Vec<Step>,
    /// The item that has fewer options left than it needs at the end of the branch.
    pub conflict: ItemId,
}

/// An explanation: the steps from the given options to the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The steps in order, each derived from the state after the previous steps.
    pub steps: Vec<Step>,
    /// How the explanation ends.
    pub end: ExplanationEnd,
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
pub enum ExplanationEnd {
    /// There is exactly one cover, which is listed with the given options.
    Solved(Vec<OptionId>),
    /// There is no cover, because this item has fewer options left than it needs.
    Impossible(ItemId),
    /// There is no cover, because two of the given options conflict in this item.
    Clash(ItemId),
    /// There is more than one cover; two of them are listed.
    Several(Box<[Vec<OptionId>; 2]>),
    /// A limit was reached.
    Cut(crate::limits::Limit),
    /// Every further step is harder than [`Settings::most`](super::Settings::most).
    Harder,
}
