//! States of a step as blocks of bytes, to keep them on disk or send them to another machine.
//!
//! A block holds states of one step and one *owner*, given by the hash of the key, in ascending
//! order of their keys (`format.rs`). Any number of blocks is read as one list, where the numbers
//! of equal keys are added up (`merge.rs`). A worker expands these states into blocks of later
//! steps (`expand.rs`).
//!
//! Invariants: equal states have equal bytes on every machine. Expanding the same blocks with the
//! same memory limit yields the same bytes. A block is used only after all of it was checked.
//!
//! Bounds: one block per merged list is in memory at a time; a worker holds at most half of its
//! memory limit before it sends its states off.

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

/// The reason why blocks could not be expanded, merged or added up.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExchangeError {
    /// A limit was reached.
    Limit(Limit),
    /// The problem does not suit a frontier: a state would take too many bits.
    Unsuited,
    /// A block is invalid; the message names the expected and the found value.
    Block(String),
    /// The error that the caller returned instead of a block.
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
