//! The interface of engines: their trait, the meter that they use, and the reports that they
//! return.
//!
//! Only a report with [`End::Exhausted`] yields a count. Otherwise the search ended early, and the
//! number of solutions is a lower bound.

mod engine;
mod meter;
mod report;

use std::ops::ControlFlow;

pub use engine::{Engine, EngineSpec, Unsupported, search_without};
pub use limits::End;
pub use meter::Meter;
pub(crate) use meter::fraction;
pub use report::{Level, Report};

use crate::model::OptionId;

/// A callback for each cover. The cover lists the given options first, then the chosen ones in
/// order of choice.
///
/// `ControlFlow::Break` ends the search.
pub type Visit<'v> = dyn FnMut(&[OptionId]) -> ControlFlow<()> + 'v;

pub(crate) fn go_on(_: &[OptionId]) -> ControlFlow<()> {
    ControlFlow::Continue(())
}
