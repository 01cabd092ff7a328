//! Chooses engines, and runs races of contenders that compute the same result.
//!
//! The cost of a search is hard to predict. So every method starts with a short slice, and the best
//! methods continue, each within a [`Budget`] of work, memory, time on a [`Clock`], and the
//! caller's limits.

/// Default memory limit of all methods of a race (bytes).
pub(crate) const BYTES: usize = 2 << 30;

pub(crate) mod budget;
mod choice;
mod clock;
mod contender;
pub(crate) mod costs;
pub(crate) mod filtering;
mod outlook;
mod plan;
mod race;
mod runner;
mod several;
#[cfg(test)]
mod tests;
mod total;

pub(crate) use budget::{Budget, Cut};
pub use choice::choose;
pub(crate) use choice::{Choice, counts_cost};
pub(crate) use clock::{Clock, ThreadClock, WorkClock};
pub(crate) use contender::{Contender, Estimate};
pub use plan::PartPlan;
pub use race::Lap;
pub(crate) use race::{Race, RaceProgress, Rules};
pub(crate) use runner::Slices;
pub(crate) use total::Total;
