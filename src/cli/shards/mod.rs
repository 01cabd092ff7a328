//! Counts in parts: `count --journal`, and `split`, `work` and `merge` for many machines.
//!
//! `crew` counts shards side by side, `journal` is the count that may be gone on with, and `machines` the three commands.
//! What stands in the files is read and written by `src/shards`.

mod crew;
mod journal;
mod machines;

pub(in crate::cli) use self::journal::run as count_with_journal;
pub(in crate::cli) use self::machines::{run_merge, run_split, run_work};
