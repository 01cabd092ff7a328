//! What dancing links do, step by step: the events of a search.
//!
//! [`search`] shows every event of a search to a closure. An [`Observer`] does the same for an engine of
//! its own ([`Links::observed`]): the engine is compiled for it, and without an observer ([`Off`]) nothing
//! is left of it. Instructions of `farandole count --engine links`, less those of starting up
//! (Valgrind, millions), before there were events -> now: 528.358 -> 528.355 (pentominoes 3x20), 47.345 ->
//! 47.372 (11 queens), 62.751 -> 62.758 (MacMahon squares, colors), 35.041 -> 35.037 (queens that dominate a
//! board of 6x6, bounds).
//!
//! # The order of events
//! First comes [`Event::Given`] for each given option, with the items that it covers. Then each node is
//! one of three: [`Event::Solution`], [`Event::DeadEnd`], or [`Event::Choose`]; so they are as many
//! together as the nodes of the report. A node with a choice ends in [`Event::Leave`], and between the two
//! each choice is an [`Event::Try`], all that is below, and an [`Event::Back`]. The pairs match like
//! brackets, also where a limit ends the search. The items that a choice covers come as [`Event::Cover`],
//! the chosen item behind `Choose`, the others of the option behind `Try`; they are uncovered at `Leave`
//! and `Back`, in exact reverse. So the events are enough to replay the search, and
//! the updates of `Given`, `Cover` and `Try` are together those of the report.
//!
//! Items with bounds other than 1 and 1 are covered when they are for the last time; until then a `Try`
//! only counts them down, and of the chosen item removes the options as they are tried, until `Leave`.
//!
//! ```
//! use dlx::engine::events::{self, Event};
//! use dlx::Limits;
//! use std::ops::ControlFlow;
//!
//! // Knuth's first example: the first option of `a` leaves none for `e`.
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

/// What happens in a search; the order is described [above](self).
///
/// Levels count from 0, the root's; `updates` at nodes are those of the search so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// A given option is chosen beforehand.
    Given {
        /// The option.
        option: OptionId,
        /// How many updates it takes to remove it from all lists.
        updates: u64,
    },
    /// A node at which to branch: the item with the fewest choices.
    Choose {
        /// The level of the node.
        level: usize,
        /// The item.
        item: ItemId,
        /// How many choices there are.
        degree: u32,
        /// Updates so far.
        updates: u64,
    },
    /// An item is covered: removed from the active items, and its options from all other lists.
    Cover {
        /// The item.
        item: ItemId,
        /// The color to which it is purified, if it is: only the options of other colors are removed.
        color: Option<Color>,
        /// How many options are removed.
        hidden: u32,
        /// How many updates that takes.
        updates: u64,
    },
    /// A choice at the node: an option, or to cover the item no more.
    Try {
        /// The level of the node.
        level: usize,
        /// The option; `None` if the item, which has bounds, is covered no more.
        option: Option<OptionId>,
        /// Which of the choices it is, from 1.
        ordinal: u32,
        /// How many choices there are.
        degree: u32,
        /// How many updates it takes to remove the option from the list of an item with bounds.
        updates: u64,
    },
    /// A node without choices.
    DeadEnd {
        /// The level of the node.
        level: usize,
        /// The first item that cannot be covered any more, or not as often as it must.
        item: ItemId,
        /// Updates so far.
        updates: u64,
    },
    /// A node at which everything is covered.
    Solution {
        /// The level of the node: the number of choices.
        level: usize,
        /// Updates so far.
        updates: u64,
    },
    /// What a choice did is undone; the chosen item stays covered.
    Back {
        /// The level of the node.
        level: usize,
    },
    /// The chosen item is uncovered, and the node left.
    Leave {
        /// The level of the node.
        level: usize,
    },
}

/// Sees what happens in a search of [`Links::observed`], where an example is.
pub trait Observer {
    /// Whether there is anyone to see; if not, nothing is compiled in.
    const IS_ON: bool = true;

    /// Sees an event. What is undone was undone before, what is done comes after; an item is covered by
    /// the time it is told.
    fn see(&mut self, event: Event);

    /// Tells whether it has seen enough: then the search ends as [`End::Stopped`](crate::search::End::Stopped).
    fn is_over(&self) -> bool {
        false
    }
}

/// Nobody looks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Off;

impl Observer for Off {
    const IS_ON: bool = false;

    fn see(&mut self, _: Event) {}
}

/// Shows events to a closure until that has seen enough.
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

/// Searches the covers of `problem` that contain the options of `given`, as [`Links`] does, and shows every
/// event to `see`. `ControlFlow::Break` ends the search, and no further event is shown.
///
/// The example is [above](self).
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
