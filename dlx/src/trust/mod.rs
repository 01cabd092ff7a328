//! Checks answers independently of the engines: covers, proofs of counts, and explanations.

#[cfg(not(feature = "unstable"))]
pub(crate) mod check;
#[cfg(feature = "unstable")]
pub mod check;
mod explanation;
#[cfg(not(feature = "unstable"))]
pub(crate) mod proof;
#[cfg(feature = "unstable")]
pub mod proof;
mod verify;

pub use explanation::{StepFault, check_explanation};
pub use verify::{Conflict, Violation, conflict, verify};
