//! Runs one count on several cores. The threads exchange boards that partition the solutions still
//! to be counted.
//!
//! Each thread takes a share of the boards from a common table and searches them in its own lanes.
//! A thread that finds the table empty waits. After [`PATIENCE`] it raises a flag, and all other
//! threads put their remaining boards back into the table. When a thread takes a share, it lowers
//! the flag. A board is either in the table or with exactly one thread, so no solution is counted
//! twice. A thread that reaches a limit records the limit in the table, and all other threads stop.
//!
//! # Bound
//! Each time the flag is raised, every thread puts boards back at most once, and at most
//! [`HAND_MAX`] of them. The boards of a thread are in its share, in its lanes, and on the stacks
//! of its lanes (bounded by `search`). Before that, the table has the boards of the caller.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use limits::{Cores, End, Limit, Limits};

use super::{Lanes, Leaf};
use crate::model::batch::{Batch, Tally};
use crate::model::board::Board;
use crate::model::cores::on_all;

const SHARE_MAX: usize = 256;
/// Maximum number of boards of a thread: its share, one board in each lane, and 81 waiting on the
/// stack of each lane.
const HAND_MAX: usize = SHARE_MAX + 32 * 82;

/// Time that a thread waits before it raises the flag. If it raised the flag at once, two threads
/// would only exchange boards without searching them.
const PATIENCE: Duration = Duration::from_millis(4);

#[derive(Debug, Default)]
struct Table {
    boards: Vec<Board>,
    busy: usize,
    hungry: usize,
    stop: Option<Limit>,
    solutions: u64,
    nodes: u64,
    steps: u64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) end: End,
    pub(super) solutions: u64,
    pub(super) nodes: u64,
    pub(super) steps: u64,
}

#[derive(Debug, Default)]
struct Room {
    table: Mutex<Table>,
    news: Condvar,
    flag: Arc<AtomicBool>,
}

/// Counts the solutions of all `boards` on the caller's thread and the idle cores of `cores`. Of
/// `limits`, only the deadline and the cancel flags apply.
pub(super) fn count(
    leaf: &'static Leaf,
    boards: Vec<Board>,
    limits: &Limits,
    cores: &Arc<Cores>,
) -> Found {
    let limits = limits.clone().solutions(None).nodes(None);
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

    fn work(&self, leaf: &'static Leaf, limits: &Limits) {
        let mut lanes = Lanes::with(leaf);
        let until_flag = limits.clone().over(Arc::clone(&self.flag));
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
            if let (End::Limit(_), Err(limit)) = (effort.end, limits.check()) {
                table.stop.get_or_insert(limit);
                self.flag.store(true, Relaxed);
            }
        }
    }

    /// Waits until there are boards, and takes a share of them. Returns `None` if there will be no
    /// more boards.
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
        // Threads that still wait raise the flag again later, so every thread makes progress in
        // between.
        self.flag.store(false, Relaxed);
        table.busy += 1;
        Some((table.boards.split_off(count - share), Busy(self)))
    }
}

/// Marks a thread as busy; dropping this value wakes the waiting threads.
struct Busy<'r>(&'r Room);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        let mut table = self.0.table();
        table.busy -= 1;
        if thread::panicking() {
            // The boards of this thread are lost, so the other threads must stop.
            table.stop.get_or_insert(Limit::Cancelled);
            self.0.flag.store(true, Relaxed);
        }
        self.0.news.notify_all();
    }
}

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
