//! Answers that can be checked without trust in any engine: covers, and proofs of counts.

pub mod check;
pub mod proof;
mod verify;

pub use verify::{Conflict, Violation, conflict, verify};
