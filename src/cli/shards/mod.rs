//! Counts in parts: `count --journal`, and `split`, `work` and `merge` for many machines.
//!
//! `lines` is what stands in the files, a checked JSON object a line, `crew` counts shards side by side, `journal` is the
//! file of a count that may be gone on with, and `machines` the three commands.

mod crew;
mod journal;
mod lines;
mod machines;

pub(in crate::cli) use self::journal::run as count_with_journal;
pub(in crate::cli) use self::machines::{run_merge, run_split, run_work};
