//! Counts beyond one memory: the states of each step as blocks of bytes that anybody may carry.
//!
//! # Method
//! There are two kinds of states. A count by *forms* ([`BlockPlan::of_forms`]) has problems that are left, each with the number of
//! ways to come to it, and expands one of all that differ in names only: where items are interchangeable, as in Latin squares and
//! designs. [`survey`] finds out whether that pays. A *frontier* ([`BlockPlan::of_frontier`]) goes through the items of a problem in a fixed order, step by step, and keeps all states that the choices so
//! far can lead to, each with the number of ways. A [`BlockPlan`] does either in pure functions. The states of a step are
//! divided among *owners* by the hash of their keys; [`expand`](BlockPlan::expand) takes all blocks of one step and owner,
//! adds up the numbers of equal states, and gives blocks for the owners of later steps. A state waits at the next step where
//! it has something to decide, so blocks may jump over steps. What reaches an end of the plan is the count. Who carries the
//! blocks is left to the caller: a disk (`count --scratch` of the program), a cluster, a list.
//!
//! ```
//! use std::collections::BTreeMap;
//!
//! use dlx::Limits;
//! use dlx::exchange::{BlockHead, BlockPlan};
//!
//! let problem: dlx::Problem = "a b c d\na\na b\nb c\nb\nc d\nc\nd\n".parse()?;
//! let limits = Limits::new();
//! // The same problem, given options and owners have the same plan everywhere.
//! let plan = BlockPlan::of_frontier(&problem, &[], 4, &limits)?;
//!
//! let mut ledger = plan.ledger();
//! let mut held: BTreeMap<(u32, u32), Vec<Vec<u8>>> = BTreeMap::new();
//! let mut hold = |held: &mut BTreeMap<_, Vec<_>>, block: Vec<u8>| -> Result<BlockHead, Box<dyn std::error::Error>> {
//!     let head = plan.head(&block)?;
//!     held.entry((head.step, head.owner)).or_default().push(block);
//!     Ok(head)
//! };
//! for block in plan.first() {
//!     hold(&mut held, block)?;
//! }
//! for step in 0..plan.steps() {
//!     for owner in 0..plan.owners() {
//!         // On another machine perhaps, all owners of a step at the same time.
//!         let Some(blocks) = held.remove(&(step, owner)) else { continue };
//!         let read = blocks.iter().map(|block| plan.head(block)).collect::<Result<Vec<_>, _>>()?;
//!         let mut sent = Vec::new();
//!         for block in plan.expand(&blocks, &limits)? {
//!             sent.push(hold(&mut held, block)?);
//!         }
//!         ledger.expanded(&read, &sent)?;
//!     }
//!     ledger.close(step)?;
//! }
//! // What is left has come to an end.
//! let ends: Vec<_> = held.into_values().flatten().collect();
//! assert_eq!(ledger.total(&ends)?, dlx::count(&problem).into());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is certain
//! - Equal states are equal bytes, and the blocks that come of the same blocks with the same memory are the same on every
//!   machine with the same version: who lost some makes them again.
//! - A block that is torn, changed or of another plan is refused before any of its states is used.
//! - A [`BlockLedger`] needs the heads of blocks alone, and sees whether just what was sent was expanded. The
//!   [fingerprint](BlockHead::fingerprint) of blocks adds up, so merging blocks on their way changes nothing.
//! - None of this is a defence against those who forge blocks: their numbers are wrong, but nothing panics.
//!
//! # Bounds
//! A plan is as large as the tables of a frontier. An expansion holds the memory of its [`Limits`](crate::Limits) (2 GiB if there is no
//! limit), and one block of each list; a ledger holds a number for each step and owner that something is on the way to.

mod ledger;
mod plan;
mod survey;

pub use self::ledger::BlockLedger;
pub use self::plan::BlockPlan;
pub use self::survey::{Survey, survey};
pub use crate::frontier::blocks::{BlockHead, BlockRun, ExchangeError, FORMAT, SentBlock};
