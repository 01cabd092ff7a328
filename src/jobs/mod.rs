//! Counts and lists in parts: `count --journal` and `list --journal`, and `split`, `work` and `merge` for many machines.
//!
//! `crew` works on shards side by side, `progress` says how far they are, and `trial` whether they are needed at all. On these stand `journal`, a count that may be
//! gone on with, `list`, such a list, and `machines`, the three commands. What stands in the files is read and written by
//! `src/shards`.

mod crew;
mod journal;
mod list;
mod machines;
mod progress;
mod trial;

pub(crate) use self::journal::run as count_with_journal;
pub(crate) use self::list::run as list_with_journal;
pub(crate) use self::machines::{run_merge, run_split, run_work};
