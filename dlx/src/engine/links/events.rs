//! The events of a dancing-links search.
//!
//! [`search`] passes every event to a closure. An [`Observer`] receives the events of an engine
//! compiled for it ([`Links::observed`]). Without an observer ([`NoObserver`]), the compiled engine
//! contains no code for events.
//!
//! # The order of events
//! [`Event::Given`] comes first for each given option, followed by the items that it covers.
//! Afterwards each node is one of [`Event::Solution`], [`Event::DeadEnd`], or [`Event::Choose`].
//! The last event of a node with choices is [`Event::Leave`]. Each choice at a node is an
//! [`Event::Try`], the events of its subtree, and an [`Event::Back`]. Every `Choose` has its
//! `Leave` and every `Try` its `Back`, even if a limit ends the search. [`Event::Cover`] reports
//! the items that a choice covers: the chosen item after `Choose`, the other items of the option
//! after `Try`. `Leave` and `Back` uncover the covered items in exact reverse order. The events
//! suffice to replay the search, and the updates of `Given`, `Cover` and `Try` add up to the
//! updates of the report.
//!
//! An item with bounds other than 1 and 1 is covered when it reaches its upper bound. Before that,
//! a `Try` only decrements the upper bound. The options of an item with bounds are removed as they
//! are tried, and restored at `Leave`.
//!
//! ```
//! use dlx::engine::events::{self, Event};
//! use dlx::Limits;
//! use std::ops::ControlFlow;
//!
//! // Knuth's first example: the first option of `a` leaves no option for `e`.
//! let problem: dlx::Problem = "a b c d e f g\nc e f\na d g\nb c f\na d\nb g\nd e g\n".parse()?;
//! let mut lines = Vec::new();
//! let report = events::search(&problem, &[], &Limits::new(), &mut |event| {
//!     let indent = |level: usize| "  ".repeat(level);
//!     match event {
//!         Event::Try { level, option: Some(option), ordinal, degree, .. } => {
//!             lines.push(format!("{}{} ({ordinal} of {degree})", indent(level), problem.show(option)));
//!         }
//!         Event::DeadEnd { level, item, .. } => {
//!             lines.push(format!("{}no option is left for {}", indent(level), problem.item_name(item)));
//!         }
//!         Event::Solution { level, .. } => lines.push(format!("{}solution", indent(level))),
//!         _ => {}
//!     }
//!     ControlFlow::Continue(())
//! });
//! assert_eq!(report.count(), Some(1));
//! assert_eq!(lines, [
//!     "a d g (1 of 2)",
//!     "  b c f (1 of 1)",
//!     "    no option is left for e",
//!     "a d (2 of 2)",
//!     "  c e f (1 of 1)",
//!     "    b g (1 of 1)",
//!     "      solution",
//! ]);
//! # Ok::<(), dlx::ParseError>(())
//! ```

use std::ops::ControlFlow;

use crate::engine::Links;
use crate::limits::Limits;
use crate::model::{Color, ItemId, OptionId, Problem};
use crate::search::Report;

/// An event of a search, in the order described [above](self).
///
/// Levels count from 0. At nodes, `updates` is the total number of updates so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// A given option is chosen before the search.
    Given {
        /// The given option.
        option: OptionId,
        /// The number of updates to remove the option from all lists.
        updates: u64,
    },
    /// A node that branches on the item with the fewest choices.
    Choose {
        /// The level of the node.
        level: usize,
        /// The item to branch on.
        item: ItemId,
        /// The number of choices.
        degree: u32,
        /// The total number of updates so far.
        updates: u64,
    },
    /// An item is covered: it and its options are removed from the lists.
    Cover {
        /// The covered item.
        item: ItemId,
        /// The color of a purified item; in this case only options with other colors are removed.
        color: Option<Color>,
        /// The number of options removed.
        hidden: u32,
        /// The number of updates to remove the item and the options.
        updates: u64,
    },
    /// A choice at the node: an option, or to stop covering the item.
    Try {
        /// The level of the node.
        level: usize,
        /// The option, or `None` to stop covering the item, which has bounds.
        option: Option<OptionId>,
        /// The index of the choice, from 1.
        ordinal: u32,
        /// The number of choices.
        degree: u32,
        /// The number of updates to remove the option from the list of an item with bounds;
        /// otherwise 0.
        updates: u64,
    },
    /// A node without choices.
    DeadEnd {
        /// The level of the node.
        level: usize,
        /// The first item that cannot reach its lower bound.
        item: ItemId,
        /// The total number of updates so far.
        updates: u64,
    },
    /// A node where all items are covered.
    Solution {
        /// The level of the node, which is the number of choices made.
        level: usize,
        /// The total number of updates so far.
        updates: u64,
    },
    /// A choice is undone. The chosen item stays covered.
    Back {
        /// The level of the node.
        level: usize,
    },
    /// The chosen item is uncovered, and the search leaves the node.
    Leave {
        /// The level of the node.
        level: usize,
    },
}

/// Receives the events of a search; see [`Links::observed`] for an example.
pub trait Observer {
    /// Whether to compile code for events.
    const IS_ON: bool = true;

    /// Handles an event. `Back` and `Leave` come after the changes are undone. `Cover` comes after
    /// its item is covered. All other events come before the changes that they report.
    fn see(&mut self, event: Event);

    /// Returns whether to stop. A stopped search ends as
    /// [`End::Stopped`](crate::search::End::Stopped).
    fn is_over(&self) -> bool {
        false
    }
}

/// An observer that ignores all events.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {
    const IS_ON: bool = false;

    fn see(&mut self, _: Event) {}
}

struct Viewer<'v> {
    see: &'v mut dyn FnMut(Event) -> ControlFlow<()>,
    is_over: bool,
}

impl Observer for Viewer<'_> {
    fn see(&mut self, event: Event) {
        self.is_over = self.is_over || (self.see)(event).is_break();
    }

    fn is_over(&self) -> bool {
        self.is_over
    }
}

/// Searches the covers of `problem` that contain the options of `given`, as [`Links`] does, and
/// passes every event to `see`. `ControlFlow::Break` ends the search.
///
/// [The module](self) has an example.
///
/// # Panics
/// If an option of `given` is not one of this problem's.
pub fn search(
    problem: &Problem,
    given: &[OptionId],
    limits: &Limits,
    see: &mut dyn FnMut(Event) -> ControlFlow<()>,
) -> Report {
    Links::observed(problem, Viewer { see, is_over: false }).run_here(given, &[], limits, None)
}
