//! What to try, and for how long: the choice of an engine, the race of counting methods, and turns.
//!
//! What a search costs can hardly be told before it has begun. So everything here begins small and goes on with what
//! does best, within a [`Watch`]: work, memory, the clock, and the caller's wish.

pub(crate) mod budget;
mod choice;
mod plan;
pub(crate) mod race;
mod total;
mod turns;

pub(crate) use budget::{Cut, Watch};
pub(crate) use choice::Choice;
pub use choice::choose;
pub use plan::PartPlan;
pub(crate) use total::Total;
pub(crate) use turns::{LATE, Part, is_few};
