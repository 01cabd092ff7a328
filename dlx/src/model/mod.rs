//! The problem: its items, options, colors, bounds and costs, parts of it, and its text format.

pub(crate) mod covers;
pub(crate) mod groups;
mod id;
mod problem;
mod restrict;
#[cfg(test)]
pub(crate) mod samples;
#[cfg(feature = "serde")]
mod serial;
pub(crate) mod subtree;
pub mod text;

pub(crate) use covers::Covers;
pub(crate) use groups::Groups;
pub use id::{Color, ItemId, OptionId};
pub use problem::{Bounds, BuildError, Entry, ItemNumber, Problem, ProblemBuilder, ZeroOrOne};
pub(crate) use restrict::restrict_to;
pub use restrict::{Restricted, restrict};
pub use subtree::Subtree;
pub use text::ParseError;
