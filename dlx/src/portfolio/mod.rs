//! What to try, and for how long: the choice of an engine, and the race of contenders for the same end.
//!
//! What a search costs can hardly be told before it has begun. So everything here begins small and goes on with what
//! does best, within a budget ([`Budget`]): work, memory, time on a [`Clock`], and the caller's limits.

/// The bytes that the methods of a race may hold if no limit says so.
pub(crate) const BYTES: usize = 2 << 30;

pub(crate) mod budget;
mod choice;
mod clock;
mod contender;
pub(crate) mod costs;
pub(crate) mod filtering;
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
pub(crate) use race::{Race, Rules, Standing};
pub(crate) use runner::Slices;
pub(crate) use total::Total;
