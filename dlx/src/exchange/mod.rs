//! Counts larger than the memory of one machine: the states of each step are exchanged as blocks of
//! bytes.
//!
//! # Method
//! A *frontier* plan ([`BlockPlan::of_frontier`]) processes the items in a fixed order, step by
//! step. A frontier keeps all states that choices of options can lead to, each with the number of
//! ways to reach it. A plan by *canonical forms* ([`BlockPlan::of_forms`]) keeps subproblems in
//! canonical form, each with the number of ways to reach it, and so expands isomorphic subproblems
//! once. A plan by canonical forms suits problems with interchangeable items, such as Latin
//! squares. [`survey`] finds out whether such a plan pays.
//!
//! The states of a step are divided among *owners* by the hash of their keys.
//! [`expand`](BlockPlan::expand) takes all blocks of one step and owner, adds up the counts of
//! equal states, and returns blocks for the owners of later steps. The states at the ends of the
//! plan give the count. The caller transports the blocks: by a disk (`count --scratch` of the
//! program), a cluster, or a list.
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
//! assert_eq!(ledger.total(&ends)?, dlx::count(&problem));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Guarantees
//! - The same blocks, expanded with the same memory and version, yield the same blocks on every
//!   machine, so lost blocks can be made again.
//! - A block that is truncated, changed or from another plan is refused before any of its states is
//!   used.
//! - A [`BlockLedger`] needs only the heads of blocks, and checks that exactly the sent blocks were
//!   expanded. The [fingerprint](BlockHead::fingerprint) of blocks is additive, so blocks may be
//!   merged in transit.
//! - Forged blocks are not detected, and lead to a wrong count, but cause no panic.
//!
//! # Bounds
//! A plan is as large as the tables of a frontier. An expansion uses the memory of its
//! [`Limits`](crate::Limits) (2 GiB by default), and one block of each list. A ledger stores one
//! number for each step and owner with open blocks.

mod ledger;
mod plan;
mod survey;

pub use self::ledger::BlockLedger;
pub use self::plan::BlockPlan;
pub use self::survey::{Survey, survey};
pub use crate::frontier::blocks::{BlockHead, BlockRun, ExchangeError, FORMAT, SentBlock};
