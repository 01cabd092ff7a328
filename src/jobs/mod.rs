//! Counts and lists in parts: `count --journal` and `list --journal`, and the commands `split`,
//! `work` and `merge` for several machines.
//!
//! `crew` runs the shards on threads, `progress` estimates the remaining time, and `trial` tests
//! whether shards are needed. These modules serve `journal` (resumable counts), `list` (resumable
//! lists) and `machines` (the commands for several machines). The files are read and written by
//! `crates/farandole/src/shards`.

mod crew;
mod journal;
mod list;
mod machines;
mod progress;
mod trial;

pub(crate) use self::journal::run as count_with_journal;
pub(crate) use self::list::run as list_with_journal;
pub(crate) use self::machines::{run_merge, run_split, run_work};
