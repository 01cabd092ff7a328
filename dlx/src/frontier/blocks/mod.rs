//! The states of a step as blocks of bytes, so that they can be kept on a disk or sent to another machine.
//!
//! A block has states of one step that belong to one *owner*, by the hash of their keys, in ascending order of the keys
//! (`format.rs`). Any number of blocks is read as one list, in which the numbers of equal keys are added up (`merge.rs`),
//! and its states are expanded by the worker of any frontier into blocks of later steps (`expand.rs`).
//!
//! Invariants: equal states have equal bytes, on every machine; what is expanded from the same blocks with the same
//! memory is the same, byte by byte, since what a worker learns of dead ends begins anew each time. Nothing of a block is
//! used before all of it was checked.
//!
//! Bounds: of each list that is merged one block is in memory at a time; a worker holds half of the memory that it is
//! given at most, and sends its states away before.

mod expand;
mod fingerprint;
mod format;
mod merge;

use std::error::Error;
use std::fmt;

pub(crate) use self::expand::{KeyBytes, LaidOut, Room, SendBlock, laid_out};
pub(crate) use self::fingerprint::{balance, settled};
pub(crate) use self::format::BlockBuilder;
pub use self::format::{BlockHead, FORMAT, SentBlock};
pub use self::merge::BlockRun;
pub(crate) use self::merge::{MergedStates, Origin, foreign};
pub(crate) use super::worker::owner;
use crate::limits::Limit;
use crate::portfolio::Cut;

/// Why blocks were not expanded, merged or added up.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExchangeError {
    /// A limit was reached.
    Limit(Limit),
    /// A frontier does not suit the problem: a state would take too many bits.
    Unsuited,
    /// A block is not what it has to be: what was expected, and what was found.
    Block(String),
    /// What the caller said when a block was to be handed over.
    Carrier(String),
}

impl fmt::Display for ExchangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Limit(limit) => write!(f, "stopped by a limit: {limit:?}"),
            Self::Unsuited => {
                f.write_str("a state of this problem takes more bits than a frontier can hold")
            }
            Self::Block(message) | Self::Carrier(message) => f.write_str(message),
        }
    }
}

impl Error for ExchangeError {}

impl From<Limit> for ExchangeError {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

impl From<Cut> for ExchangeError {
    fn from(cut: Cut) -> Self {
        match cut {
            Cut::Unsuited => Self::Unsuited,
            cut => Self::Limit(cut.limit()),
        }
    }
}
