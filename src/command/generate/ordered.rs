//! Runs jobs on several threads and passes their results on in the order of the jobs.
//!
//! The first jobs are given. Each result that is passed on yields the next job, so the number of
//! jobs in progress never changes, and a job may depend on all results before it that were passed
//! on. If the number of first jobs does not depend on the threads, nor do the jobs.
//!
//! If no thread can be started, as in WebAssembly, the caller's thread runs all jobs.

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use dlx::Limit;

use crate::io::{interrupt, threads};

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
    let mut has_threads = false;
    let end = std::thread::scope(|scope| {
        for _ in 0..threads {
            let sender = sender.clone();
            let work = &work;
            if threads::start_scoped(scope, move || work(sender)).is_err() {
                break;
            }
            has_threads = true;
        }
        drop(sender);
        if !has_threads {
            return Ok(());
        }
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
    });
    if has_threads { end } else { run_alone(queue, stop, worker, take) }
}

/// Does the same as [`run_jobs`] in the caller's thread.
fn run_alone<J, T, W: FnMut(J) -> Result<Option<T>, Limit>>(
    queue: Mutex<JobQueue<J>>,
    stop: &AtomicBool,
    worker: impl Fn() -> Result<W, Limit>,
    mut take: impl FnMut(T) -> ControlFlow<(), J>,
) -> Result<(), Limit> {
    let jobs = queue.into_inner().unwrap_or_else(PoisonError::into_inner).jobs;
    let mut jobs: VecDeque<J> = jobs.into_iter().map(|(_, job)| job).collect();
    let mut worker = worker()?;
    let mut run = || {
        while let Some(job) = jobs.pop_front() {
            let Some(result) = worker(job)? else { break };
            if interrupt::happened() {
                return Err(Limit::Cancelled);
            }
            let ControlFlow::Continue(job) = take(result) else { break };
            jobs.push_back(job);
        }
        Ok(())
    };
    let end = run();
    stop.store(true, Relaxed);
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_results_are_the_same_on_any_number_of_threads_and_without_threads() {
        let squares = |threads| {
            let mut found = Vec::new();
            let stop = AtomicBool::new(false);
            let worker = || {
                let stop = &stop;
                Ok(move |job: u64| {
                    // A thread may take a job after the last result was passed on.
                    assert!(threads > 1 || !stop.load(Relaxed) || job != 3);
                    Ok(Some(job * job))
                })
            };
            let ended = run_jobs(threads, &stop, worker, [3, 1, 2], |square| {
                found.push(square);
                if found.len() < 50 {
                    ControlFlow::Continue(square % 7)
                } else {
                    ControlFlow::Break(())
                }
            });
            assert_eq!(ended, Ok(()));
            assert!(stop.into_inner());
            found
        };
        let expected = threads::without(|| squares(1));
        assert_eq!(expected[..5], [9, 1, 4, 4, 1]);
        for threads in [1, 2, 5] {
            assert_eq!(squares(threads), expected);
        }
    }

    #[test]
    fn a_limit_of_a_worker_ends_the_run_without_threads() {
        let worker = || Ok(|job: u64| if job < 5 { Ok(Some(job)) } else { Err(Limit::Time) });
        let mut taken = 0;
        let stop = AtomicBool::new(false);
        let ended = threads::without(|| {
            run(1, &stop, worker, |_| {
                taken += 1;
                ControlFlow::Continue(())
            })
        });
        assert_eq!((ended, taken), (Err(Limit::Time), 5));
    }
}
