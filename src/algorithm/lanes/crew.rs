//! One count on several cores: boards that partition what is left to count go from hand to hand.
//!
//! Each thread takes its share of the boards that lie there and searches them in lanes of its own. One that
//! finds none raises a flag at which all others lay down what they have left, within some 15 µs. So
//! nobody waits long, and nothing is counted twice: a board is either on the table or with one thread.
//!
//! What lies on the table is bounded. The flag is raised only when the table is empty; then each thread lays down
//! no more than it has in hand, which is [`HAND_MAX`] boards: its share, and what its lanes had or left to wait
//! (`search` says why that is bounded). While the flag is up a thread that takes a share lays it down again
//! before its first step, and otherwise the table only gets emptier. That is 0.5 MB for each thread.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use dlx::parallel::Cores;
use dlx::{End, Limit, Limits};

use super::{Batch, Board, Lanes, Leaf, Tally};

/// How often the caller's thread looks at the clock and at its flag.
const TICK: Duration = Duration::from_millis(4);
/// A thread takes no more boards than this at once.
const SHARE_MAX: usize = 256;
/// The most boards that a thread has: its share, a board in each lane, and 81 that wait with each.
const HAND_MAX: usize = SHARE_MAX + 32 * 82;

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
    /// Boards were laid down, or all is over.
    news: Condvar,
    /// Asks all to lay down what they have.
    flag: Arc<AtomicBool>,
}

/// Counts the solutions of all `boards` on the caller's core and those of `cores` that are idle.
pub(super) fn count(
    leaf: &'static Leaf,
    boards: Vec<Board>,
    limits: &Limits,
    cores: &Arc<Cores>,
) -> Found {
    let room = Room { table: Mutex::new(Table { boards, ..Table::default() }), ..Room::default() };
    thread::scope(|scope| {
        let mut taken = Vec::new();
        let mut threads = 0;
        loop {
            let started = thread::Builder::new().spawn_scoped(scope, || room.work(leaf));
            threads += usize::from(started.is_ok());
            if started.is_err() || cores.idle() == 0 {
                break;
            }
            taken.push(cores.occupy());
        }
        if threads == 0 {
            room.work(leaf);
        }
        room.watch(limits);
    });
    let table = room.table.into_inner().unwrap_or_else(PoisonError::into_inner);
    let end = table.stop.map_or(End::Exhausted, End::Limit);
    Found { end, solutions: table.solutions, nodes: table.nodes, steps: table.steps }
}

impl Room {
    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a thread does: it searches its share until nothing is left anywhere.
    fn work(&self, leaf: &'static Leaf) {
        let mut lanes = Lanes::with(leaf);
        let limits = Limits { cancel: Some(Arc::clone(&self.flag)), ..Limits::default() };
        while let Some(boards) = self.take() {
            let mut share = Share { boards, solutions: 0 };
            let mut rest = Vec::new();
            let effort = lanes.run_part(&mut share, &limits, &mut rest);
            rest.append(&mut share.boards);
            debug_assert!(rest.len() <= HAND_MAX, "what waits is bounded");
            let mut table = self.table();
            table.boards.append(&mut rest);
            table.busy -= 1;
            table.solutions += share.solutions;
            table.nodes += effort.nodes;
            table.steps += effort.steps;
            self.news.notify_all();
        }
    }

    /// Waits for boards and takes a share of them; `None` if there will be no more.
    fn take(&self) -> Option<Vec<Board>> {
        let mut table = self.table();
        while table.stop.is_none() && table.boards.is_empty() && table.busy > 0 {
            table.hungry += 1;
            self.flag.store(true, Relaxed);
            table = self.news.wait(table).unwrap_or_else(PoisonError::into_inner);
            table.hungry -= 1;
        }
        if table.stop.is_some() || table.boards.is_empty() {
            self.news.notify_all();
            return None;
        }
        let count = table.boards.len();
        let share = count.div_ceil(table.hungry + 1).min(SHARE_MAX);
        if table.hungry == 0 {
            self.flag.store(false, Relaxed);
        }
        table.busy += 1;
        Some(table.boards.split_off(count - share))
    }

    /// What the caller's thread does: it sees to the limits until all is over.
    fn watch(&self, limits: &Limits) {
        let mut table = self.table();
        while table.busy > 0 || (table.stop.is_none() && !table.boards.is_empty()) {
            if let Err(limit) = limits.check() {
                table.stop.get_or_insert(limit);
            }
            if table.stop.is_some() {
                self.flag.store(true, Relaxed);
            }
            table = self.news.wait_timeout(table, TICK).unwrap_or_else(PoisonError::into_inner).0;
        }
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
