//! Checks answers independently of the engines: covers, counts, proofs for other checkers, and
//! explanations.

#[cfg(not(feature = "unstable"))]
pub(crate) mod check;
#[cfg(feature = "unstable")]
pub mod check;
#[cfg(not(feature = "unstable"))]
pub(crate) mod cpog;
#[cfg(feature = "unstable")]
pub mod cpog;
mod explanation;
mod fault;
#[cfg(not(feature = "unstable"))]
pub(crate) mod formula;
#[cfg(feature = "unstable")]
pub mod formula;
mod lines;
#[cfg(not(feature = "unstable"))]
pub(crate) mod lrat;
#[cfg(feature = "unstable")]
pub mod lrat;
mod propagation;
mod verify;
#[cfg(not(feature = "unstable"))]
pub(crate) mod veripb;
#[cfg(feature = "unstable")]
pub mod veripb;

pub use explanation::{StepFault, check_explanation};
pub use fault::{CheckFault, CheckedFile};
pub use verify::{Conflict, Violation, conflict, verify};
