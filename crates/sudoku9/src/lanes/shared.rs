//! One count on several cores: boards that partition what remains to be counted go from thread to thread.
//!
//! Each thread takes its share of the boards on the table and searches them in lanes of its own. A thread that
//! finds none waits, and after [`PATIENCE`] it raises a flag, at which all others put what they have left back on the
//! table, within some 15 µs. Whoever takes a share lowers the flag. So no thread waits long, none is asked again
//! and again, and nothing is counted twice: a board is either on the table or with one thread.
//!
//! Each thread looks at the limits by itself while it searches. One that finds a limit reached says so on the table,
//! and all others stop.
//!
//! # Bound
//! What lies on the table is bounded. The flag is raised only while the table is empty, and lowered when a share is
//! taken; so from one time that it is raised to the next, each thread puts boards back at most once, and no more than
//! it has in hand. That is [`HAND_MAX`] boards: its share, and what its lanes had or left to wait (`search` says why
//! that is bounded), 0.5 MB for each thread. Before the flag is raised for the first time, the table has what the
//! caller laid there.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::{Lanes, Leaf};
use crate::model::batch::{Batch, Tally};
use crate::model::board::Board;
use crate::model::cores::{Cores, on_all};
use crate::model::limits::{End, Limit, Limits};

/// A thread takes no more boards than this at once.
const SHARE_MAX: usize = 256;
/// The most boards that a thread has: its share, a board in each lane, and 81 that wait with each.
const HAND_MAX: usize = SHARE_MAX + 32 * 82;

/// How long a thread waits before it asks the others for boards. Asked at once, two threads on two cores put back
/// what they had before they came to search it, and neither came to an end.
const PATIENCE: Duration = Duration::from_millis(4);

/// What all threads found together.
#[derive(Debug, Default)]
struct Table {
    boards: Vec<Board>,
    /// Threads that search.
    busy: usize,
    /// Threads that wait for boards.
    hungry: usize,
    stop: Option<Limit>,
    solutions: u64,
    nodes: u64,
    steps: u64,
}

/// What a count found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) end: End,
    pub(super) solutions: u64,
    pub(super) nodes: u64,
    pub(super) steps: u64,
}

/// The table and who waits at it.
#[derive(Debug, Default)]
struct Room {
    table: Mutex<Table>,
    /// Boards were put back, or all is over.
    news: Condvar,
    /// Asks all to put back what they have.
    flag: Arc<AtomicBool>,
}

/// Counts the solutions of all `boards` on the caller's core and those of `cores` that are idle. Of the limits only
/// the deadline and the flags are heeded.
pub(super) fn count(
    leaf: &'static Leaf,
    boards: Vec<Board>,
    limits: &Limits,
    cores: &dyn Cores,
) -> Found {
    let limits = limits.without_numbers();
    let room = Room { table: Mutex::new(Table { boards, ..Table::default() }), ..Room::default() };
    on_all(cores, |_| room.work(leaf, &limits));
    let table = room.table.into_inner().unwrap_or_else(PoisonError::into_inner);
    let end = table.stop.map_or(End::Exhausted, End::Limit);
    Found { end, solutions: table.solutions, nodes: table.nodes, steps: table.steps }
}

impl Room {
    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Searches share after share until nothing is left anywhere: what each thread does.
    fn work(&self, leaf: &'static Leaf, limits: &Limits) {
        let mut lanes = Lanes::with(leaf);
        let until_flag = limits.clone().cancel(Arc::clone(&self.flag));
        while let Some((boards, _busy)) = self.take() {
            let mut share = Share { boards, solutions: 0 };
            let mut rest = Vec::new();
            let effort = lanes.run_part(&mut share, &until_flag, &mut rest);
            rest.append(&mut share.boards);
            debug_assert!(rest.len() <= HAND_MAX, "what waits is bounded");
            let mut table = self.table();
            table.boards.append(&mut rest);
            table.solutions += share.solutions;
            table.nodes += effort.nodes;
            table.steps += effort.steps;
            // Mostly it was the flag of another thread that ended the run.
            if let (End::Limit(_), Err(limit)) = (effort.end, limits.check()) {
                table.stop.get_or_insert(limit);
                self.flag.store(true, Relaxed);
            }
        }
    }

    /// Waits for boards and takes a share of them; `None` if there will be no more.
    fn take(&self) -> Option<(Vec<Board>, Busy<'_>)> {
        let mut table = self.table();
        while table.stop.is_none() && table.boards.is_empty() && table.busy > 0 {
            table.hungry += 1;
            let waited =
                self.news.wait_timeout(table, PATIENCE).unwrap_or_else(PoisonError::into_inner);
            table = waited.0;
            table.hungry -= 1;
            if waited.1.timed_out() {
                self.flag.store(true, Relaxed);
            }
        }
        if table.stop.is_some() || table.boards.is_empty() {
            self.news.notify_all();
            return None;
        }
        let count = table.boards.len();
        let share = count.div_ceil(table.hungry + 1).min(SHARE_MAX);
        // Who still waits asks again: so no thread is cut before it came forward.
        self.flag.store(false, Relaxed);
        table.busy += 1;
        Some((table.boards.split_off(count - share), Busy(self)))
    }
}

/// A thread that searches; when this is dropped it does so no more, and all that wait hear of it.
struct Busy<'r>(&'r Room);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        let mut table = self.0.table();
        table.busy -= 1;
        if thread::panicking() {
            // The others must not wait for what this thread had.
            table.stop.get_or_insert(Limit::Cancelled);
            self.0.flag.store(true, Relaxed);
        }
        self.0.news.notify_all();
    }
}

/// A share of the boards, counted together.
struct Share {
    boards: Vec<Board>,
    solutions: u64,
}

impl Batch for Share {
    fn next(&mut self, board: &mut Board) -> bool {
        self.boards.pop().map(|mine| *board = mine).is_some()
    }

    fn wants_solutions(&self) -> bool {
        false
    }

    fn done(&mut self, _: usize, tally: Tally) {
        self.solutions += tally.solutions;
    }
}
