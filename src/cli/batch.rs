//! Many jobs on all cores, their output in the order of the jobs, in constant memory.
//!
//! One thread makes jobs in chunks, workers take them in turn, and the caller's thread writes. Every
//! chunk has a bounded channel of its own for the output; the caller drains the channels in the order
//! of the chunks, so a worker that is ahead waits when its channel is full, and a puzzle with millions
//! of solutions streams when its turn comes. Chunks are taken in order, so the one whose turn it is
//! always has a worker, and nothing can wait in a circle.
//!
//! A job that is alone needs none of this: it is made, done and written on the caller's thread. To start
//! and end the threads took a quarter of the 1.7 ms of a small problem, the loading of the program included.

use std::io;
use std::iter;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use super::interrupt;

/// The usual largest number of jobs in a chunk; the first chunks are smaller, to get going.
pub(super) const CHUNK_MAX: usize = 64;
/// Blocks of output that a chunk may have waiting.
const BLOCKS_WAITING: usize = 8;
/// How often the caller looks whether it was interrupted while it waits.
const PATIENCE: Duration = Duration::from_millis(50);

/// Where the output of a chunk goes, block by block; that may wait. Fails once nobody wants it any more.
pub(super) type Sink<'s, B> = dyn FnMut(B) -> Result<(), Gone> + 's;

/// Nobody wants the output any more: stop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gone;

/// Runs `work` on every job with `threads` workers and hands the blocks to `write` in order.
///
/// A chunk has at most `chunk_max` jobs and ends with the first large one; with 1 no job waits for the
/// next. `make_worker` makes the function that a worker runs on chunks of jobs. It all ends early when
/// `write` returns `false` or, once the chunks at work are done, when `cancel` is set.
///
/// # Errors
/// If no thread can be started; where only some can, they do the work.
pub(super) fn run<J, B, W>(
    mut jobs: impl Iterator<Item = J> + Send + 'static,
    threads: usize,
    chunk_max: usize,
    is_large: fn(&J) -> bool,
    cancel: &Arc<AtomicBool>,
    make_worker: impl Fn() -> W,
    mut write: impl FnMut(B) -> bool,
) -> io::Result<()>
where
    J: Send + 'static,
    B: Send + 'static,
    W: FnMut(Vec<J>, &mut Sink<'_, B>) -> Result<(), Gone> + Send + 'static,
{
    let Some(first) = interrupt::end_while(|| jobs.next()) else { return Ok(()) };
    // Where that would make the first job wait, it is not known to be alone.
    let may_read_on = chunk_max > 1 || jobs.size_hint().1 == Some(0);
    let second = if may_read_on { interrupt::end_while(|| jobs.next()) } else { None };
    if may_read_on && second.is_none() {
        let mut sink = |block| if write(block) { Ok(()) } else { Err(Gone) };
        // That nobody wants the output any more is known to `write`.
        let _ = make_worker()(vec![first], &mut sink);
        return Ok(());
    }
    let jobs = iter::once(first).chain(second).chain(jobs);
    run_threads(jobs, threads, chunk_max, is_large, cancel, make_worker, write)
}

/// Does what [`run`] does, on threads.
fn run_threads<J, B, W>(
    jobs: impl Iterator<Item = J> + Send + 'static,
    threads: usize,
    chunk_max: usize,
    is_large: fn(&J) -> bool,
    cancel: &Arc<AtomicBool>,
    make_worker: impl Fn() -> W,
    mut write: impl FnMut(B) -> bool,
) -> io::Result<()>
where
    J: Send + 'static,
    B: Send + 'static,
    W: FnMut(Vec<J>, &mut Sink<'_, B>) -> Result<(), Gone> + Send + 'static,
{
    let (job_sender, job_receiver) = sync_channel::<(Vec<J>, SyncSender<B>)>(threads);
    let (order_sender, order_receiver) = sync_channel::<Receiver<B>>(4 * threads);
    let job_receiver = Arc::new(Mutex::new(job_receiver));
    let stop = Arc::new(AtomicBool::new(false));
    let mut workers = Vec::new();
    for _ in 0..threads {
        let mut worker = make_worker();
        let (jobs, stop, cancel) = (Arc::clone(&job_receiver), Arc::clone(&stop), Arc::clone(cancel));
        let started = thread::Builder::new().spawn(move || {
            loop {
                let next = jobs.lock().map(|jobs| jobs.recv());
                let Ok(Ok((chunk, sink))) = next else { break };
                let mut sink = |block| sink.send(block).map_err(|_| Gone);
                if stop.load(Relaxed) || cancel.load(Relaxed) || worker(chunk, &mut sink).is_err() {
                    break;
                }
            }
        });
        match started {
            Ok(worker) => workers.push(worker),
            Err(error) if workers.is_empty() => return Err(error),
            Err(_) => break,
        }
    }
    drop(job_receiver);
    // Detached: it may be waiting for standard input when everything else is over.
    let is_over = Arc::clone(cancel);
    thread::Builder::new().spawn(move || {
        let mut size = 1;
        let mut jobs = jobs;
        while !is_over.load(Relaxed) {
            let mut chunk = Vec::new();
            while chunk.len() < size && !chunk.last().is_some_and(is_large) {
                let Some(job) = jobs.next() else { break };
                chunk.push(job);
            }
            if chunk.is_empty() {
                break;
            }
            let (sender, receiver) = sync_channel(BLOCKS_WAITING);
            if order_sender.send(receiver).is_err() || job_sender.send((chunk, sender)).is_err() {
                break;
            }
            size = (size * 2).min(chunk_max);
        }
    })?;
    loop {
        match order_receiver.recv_timeout(PATIENCE) {
            Ok(blocks) => {
                for block in blocks {
                    if !write(block) {
                        stop.store(true, Relaxed);
                        return Ok(());
                    }
                }
            }
            Err(RecvTimeoutError::Timeout) if cancel.load(Relaxed) => return Ok(()),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    for worker in workers {
        // A chunk whose worker panicked is not whole: that must not pass for success.
        if let Err(panic) = worker.join() {
            std::panic::resume_unwind(panic);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_comes_in_the_order_of_the_jobs() {
        let cancel = Arc::new(AtomicBool::new(false));
        let mut found = Vec::new();
        let worker = || {
            |chunk: Vec<u32>, sink: &mut Sink<'_, u32>| {
                // Every job has more output than may wait.
                chunk.iter().try_for_each(|job| (0..20).try_for_each(|part| sink(job * 20 + part)))
            }
        };
        run(
            0..1000,
            3,
            CHUNK_MAX,
            |job| job % 7 == 0,
            &cancel,
            worker,
            |block| {
                found.push(block);
                true
            },
        )
        .unwrap();
        assert!(found.iter().copied().eq(0..20_000));
    }

    #[test]
    fn a_worker_that_panics_is_no_success() {
        let cancel = Arc::new(AtomicBool::new(false));
        let worker = || {
            |chunk: Vec<u32>, sink: &mut Sink<'_, u32>| {
                assert!(!chunk.contains(&50), "a fault of the worker");
                chunk.iter().try_for_each(|&job| sink(job))
            }
        };
        let panicked = std::panic::catch_unwind(|| {
            run(0..100, 2, CHUNK_MAX, |_| false, &cancel, worker, |_| true)
        });
        assert!(panicked.is_err());
    }

    #[test]
    fn an_endless_batch_ends_when_nobody_wants_more() {
        let cancel = Arc::new(AtomicBool::new(false));
        let mut count = 0;
        let worker =
            || |chunk: Vec<u64>, sink: &mut Sink<'_, u64>| chunk.iter().try_for_each(|&job| sink(job));
        run(
            0..,
            2,
            CHUNK_MAX,
            |_| false,
            &cancel,
            worker,
            |_| {
                count += 1;
                count < 1000
            },
        )
        .unwrap();
        assert_eq!(count, 1000);
    }
}
