//! The interface of engines: the trait, reports, and the meter that all engines use.
//!
//! A report other than [`End::Exhausted`] yields no count: the search was cut short, so its
//! solutions are a lower bound.

mod engine;
mod meter;
mod report;

use std::ops::ControlFlow;

pub use engine::{Engine, EngineSpec, Unsupported, sift};
pub use meter::Meter;
pub(crate) use meter::fraction;
pub use report::{End, Level, Report};

use crate::model::OptionId;

/// Receives each cover: the options of `given` first, then the chosen ones in order of choice.
///
/// `ControlFlow::Break` ends the search.
pub type Visit<'v> = dyn FnMut(&[OptionId]) -> ControlFlow<()> + 'v;

/// The visitor of searches that only count: continues after each cover.
pub(crate) fn go_on(_: &[OptionId]) -> ControlFlow<()> {
    ControlFlow::Continue(())
}
