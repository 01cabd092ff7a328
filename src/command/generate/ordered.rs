//! Runs jobs on several threads and passes their results on in the order of the jobs.
//!
//! The first jobs are given. Each result that is passed on yields the next job, so the number of
//! jobs in progress never changes, and a job may depend on all results before it that were passed
//! on. If the number of first jobs does not depend on the threads, nor do the jobs.

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use dlx::Limit;

use crate::io::interrupt;

/// Largest number of blocks per thread that are in progress or wait for an earlier block.
const AHEAD: u64 = 4;
/// Time between two checks for an interrupt.
const LOOK: Duration = Duration::from_millis(20);

/// The numbered jobs to start, and whether the run is over.
struct JobQueue<J> {
    jobs: VecDeque<(u64, J)>,
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
    let mut next = AHEAD * threads as u64;
    run_jobs(threads, stop, worker, 0..next, |result| {
        take(result)?;
        next += 1;
        ControlFlow::Continue(next - 1)
    })
}

/// Does the same as [`run`] for the jobs `first` and those that `take` returns.
pub(super) fn run_jobs<J: Send, T: Send, W: FnMut(J) -> Result<Option<T>, Limit>>(
    threads: usize,
    stop: &AtomicBool,
    worker: impl Fn() -> Result<W, Limit> + Sync,
    first: impl IntoIterator<Item = J>,
    mut take: impl FnMut(T) -> ControlFlow<(), J>,
) -> Result<(), Limit> {
    let jobs: VecDeque<(u64, J)> = (0..).zip(first).collect();
    let mut begun = jobs.len() as u64;
    let queue = Mutex::new(JobQueue { jobs, is_over: false });
    let moved = Condvar::new();
    let lock = || queue.lock().unwrap_or_else(PoisonError::into_inner);
    let (sender, results) = mpsc::channel();
    let work = |sender: mpsc::Sender<(u64, Result<Option<T>, Limit>)>| {
        let mut worker = worker();
        loop {
            let mut queue = lock();
            let (number, job) = loop {
                if queue.is_over {
                    return;
                }
                match queue.jobs.pop_front() {
                    Some(job) => break job,
                    None => queue = moved.wait(queue).unwrap_or_else(PoisonError::into_inner),
                }
            };
            drop(queue);
            let result = match &mut worker {
                Ok(worker) => worker(job),
                Err(limit) => Err(*limit),
            };
            let is_last = !matches!(result, Ok(Some(_)));
            if sender.send((number, result)).is_err() || is_last {
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
        let mut taken = 0;
        let mut end = Ok(());
        'all: loop {
            match results.recv_timeout(LOOK) {
                Ok((number, result)) => drop(waiting.insert(number, result)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if interrupt::happened() {
                end = Err(Limit::Cancelled);
                break;
            }
            while let Some(result) = waiting.remove(&taken) {
                taken += 1;
                match result {
                    Ok(Some(result)) => {
                        let ControlFlow::Continue(job) = take(result) else { break 'all };
                        lock().jobs.push_back((begun, job));
                        begun += 1;
                        moved.notify_one();
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
