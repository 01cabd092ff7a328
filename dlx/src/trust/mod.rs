//! Checks answers independently of the engines: covers, proofs of counts, and explanations.

pub mod check;
mod explanation;
pub mod proof;
mod verify;

pub use explanation::{StepFault, check_explanation};
pub use verify::{Conflict, Violation, conflict, verify};
