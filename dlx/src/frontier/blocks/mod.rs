//! Frontier states as blocks of bytes, for storage on disk and for other machines.
//!
//! A block holds states of one step and one *owner*, which is determined by the hash of the key, in
//! ascending order of keys (`format.rs`). Any number of blocks is read as one list, where the
//! counts of equal keys are added (`merge.rs`). A worker expands these states into blocks of later
//! steps (`expand.rs`).
//!
//! Invariants: equal states have equal bytes on every machine; expanding the same blocks with the
//! same memory limit yields the same bytes; all bytes of a block are checked before it is used.
//!
//! Memory: one block per merged list is in memory at a time. A worker sends its states off when
//! they take half of its memory limit.

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

/// An error in expanding, merging or adding up blocks of states.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExchangeError {
    /// A limit was reached.
    Limit(Limit),
    /// A state of the problem would take too many bits for a frontier.
    Unsuited,
    /// A block is invalid. The message names the expected and the found value.
    Block(String),
    /// The caller returned this error instead of a block.
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
