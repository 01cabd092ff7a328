//! Runs blocks of work on several threads and passes their results on in block order.
//!
//! To bound the memory, a thread starts a new block only if at most [`AHEAD`] blocks per thread
//! wait for an earlier block.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use dlx::Limit;

use crate::io::interrupt;

/// Largest number of finished blocks per thread that wait for an earlier block.
const AHEAD: u64 = 4;
/// Time between two checks for an interrupt.
const LOOK: Duration = Duration::from_millis(20);

/// The next block to start, the number of blocks whose results were passed on, and whether the run
/// is over.
struct BlockProgress {
    next: u64,
    taken: u64,
    is_over: bool,
}

/// Runs the blocks 0, 1, 2, ... on `threads` threads, each with its own closure from `worker`, and
/// passes the results to `take` in order. The run ends when `take` stops it, a worker returns
/// `None`, a limit is reached, or an interrupt occurs. `stop` is then set.
pub(super) fn run<T: Send, W: FnMut(u64) -> Result<Option<T>, Limit>>(
    threads: usize,
    stop: &AtomicBool,
    worker: impl Fn() -> Result<W, Limit> + Sync,
    mut take: impl FnMut(T) -> ControlFlow<()>,
) -> Result<(), Limit> {
    let turn = Mutex::new(BlockProgress { next: 0, taken: 0, is_over: false });
    let moved = Condvar::new();
    let lock = || turn.lock().unwrap_or_else(PoisonError::into_inner);
    let (sender, results) = mpsc::channel();
    let work = |sender: mpsc::Sender<(u64, Result<Option<T>, Limit>)>| {
        let mut worker = worker();
        loop {
            let mut turn = lock();
            while !turn.is_over && turn.next >= turn.taken + AHEAD * threads as u64 {
                turn = moved.wait(turn).unwrap_or_else(PoisonError::into_inner);
            }
            if turn.is_over {
                return;
            }
            let block = turn.next;
            turn.next += 1;
            drop(turn);
            let result = match &mut worker {
                Ok(worker) => worker(block),
                Err(limit) => Err(*limit),
            };
            let is_last = !matches!(result, Ok(Some(_)));
            if sender.send((block, result)).is_err() || is_last {
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let sender = sender.clone();
            let work = &work;
            scope.spawn(move || work(sender));
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut end = Ok(());
        'all: loop {
            match results.recv_timeout(LOOK) {
                Ok((block, result)) => drop(waiting.insert(block, result)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if interrupt::happened() {
                end = Err(Limit::Cancelled);
                break;
            }
            loop {
                let expected = lock().taken;
                let Some(result) = waiting.remove(&expected) else { break };
                lock().taken += 1;
                moved.notify_all();
                match result {
                    Ok(Some(result)) => {
                        if take(result).is_break() {
                            break 'all;
                        }
                    }
                    Ok(None) => break 'all,
                    Err(limit) => {
                        end = Err(limit);
                        break 'all;
                    }
                }
            }
        }
        stop.store(true, Relaxed);
        lock().is_over = true;
        moved.notify_all();
        end
    })
}
