//! Many jobs, their output in the order of the jobs, in constant memory; nothing that is done waits for
//! input.
//!
//! # Jobs that come one at a time
//! As long as no second job is there, a job is made, done and written on the caller's thread, and only
//! then the input is waited for. A small problem needs no other thread (to start and end them took a
//! quarter of its 1.7 ms, the loading of the program included), and who waits for each answer before he
//! asks again has it without any hand-over between threads (which took 24 of the 32 us of a request).
//!
//! # Jobs that are there
//! Once a second job is there, a thread makes jobs in chunks, workers take them in turn, and the
//! caller's thread writes. Every chunk has a bounded channel of its own for the output; the caller
//! drains the channels in the order of the chunks, so a worker that is ahead waits when its channel is
//! full, and a puzzle with millions of solutions streams when its turn comes. Chunks are taken in
//! order, so the one whose turn it is always has a worker, and nothing can wait in a circle. A chunk
//! that would have to wait for its next job goes as it is; if few jobs came since that happened last,
//! the caller goes back to taking them one at a time.

use std::any::Any;
use std::io;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::io::interrupt;

/// The largest weight of a chunk; the first chunks are smaller, so that all threads soon have work.
const CHUNK_MAX: usize = 64;
/// If jobs of less weight than this come before the input must be waited for, they are taken one at a
/// time.
const CALM: usize = 64;
/// The most blocks of output of a chunk that wait to be written.
const BLOCKS_WAITING: usize = 8;
/// While the caller waits, the time between two looks whether it was interrupted.
const PATIENCE: Duration = Duration::from_millis(50);

/// Where the output of a chunk goes, block by block; that may wait. Fails once nobody wants it any
/// more.
pub(crate) type Sink<'s, B> = dyn FnMut(B) -> Result<(), Gone> + 's;

/// Nobody wants the output any more, so that the work should stop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gone;

/// What makes jobs of an input.
pub(crate) trait Jobs: Iterator {
    /// Tells whether the next job, or that there is none, is known without waiting for input.
    fn is_ready(&mut self) -> bool;

    /// Returns how many usual jobs are as much work as `job`.
    fn weight(job: &Self::Item) -> usize;
}

/// What the thread that makes jobs sends to the caller.
enum FromMaker<J, B> {
    /// The output of the next chunk.
    Chunk(Receiver<B>),
    /// The jobs, which come one at a time now.
    Calm(J),
}

/// Runs `work` on every job with `threads` workers and hands the blocks to `write` in order.
///
/// `make_worker` makes the function that a worker runs on chunks of jobs. It all ends early when
/// `write` returns `false` or, once the chunks at work are done, when `cancel` is set.
///
/// # Errors
/// If no thread can be started; where only some can, they do the work.
pub(crate) fn run<J, B, W>(
    mut jobs: J,
    threads: usize,
    cancel: &Arc<AtomicBool>,
    make_worker: impl Fn() -> W,
    mut write: impl FnMut(B) -> bool,
) -> io::Result<()>
where
    J: Jobs<Item: Send> + Send + 'static,
    B: Send + 'static,
    W: FnMut(Vec<J::Item>, &mut Sink<'_, B>) -> Result<(), Gone> + Send + 'static,
{
    let (mut own, mut crew) = (None, None);
    let ended = loop {
        let next = if jobs.is_ready() { jobs.next() } else { interrupt::end_while(|| jobs.next()) };
        let Some(job) = next else { break Ok(()) };
        let second = if jobs.is_ready() { Some(jobs.next()) } else { None };
        if let Some(Some(second)) = second {
            let crew = match &mut crew {
                Some(crew) => crew,
                None => crew.insert(Workers::new(threads, cancel, &make_worker)?),
            };
            match crew.work(vec![job, second], jobs, cancel, &mut write)? {
                Some(rest) => jobs = rest,
                None => break Ok(()),
            }
        } else {
            let mut sink = |block| if write(block) { Ok(()) } else { Err(Gone) };
            let done = own.get_or_insert_with(&make_worker)(vec![job], &mut sink);
            if done.is_err() || second.is_some() {
                break Ok(());
            }
        }
        if cancel.load(Relaxed) {
            break Ok(());
        }
    };
    // The command is over: the system takes the memory of the process faster than it is given back piece by piece,
    // which for hundreds of thousands of small parts takes half a second.
    std::mem::forget(own);
    crew.map_or(ended, Workers::end)
}

/// The workers, who wait for chunks.
struct Workers<J, B> {
    threads: usize,
    chunks: SyncSender<(Vec<J>, SyncSender<B>)>,
    workers: Vec<JoinHandle<()>>,
    /// Whether what is at work is not wanted any more.
    stop: Arc<AtomicBool>,
}

impl<I: Send + 'static, B: Send + 'static> Workers<I, B> {
    fn new<W>(
        threads: usize,
        cancel: &Arc<AtomicBool>,
        make_worker: &impl Fn() -> W,
    ) -> io::Result<Self>
    where
        W: FnMut(Vec<I>, &mut Sink<'_, B>) -> Result<(), Gone> + Send + 'static,
    {
        let (chunks, received) = sync_channel::<(Vec<I>, SyncSender<B>)>(threads);
        let received = Arc::new(Mutex::new(received));
        let stop = Arc::new(AtomicBool::new(false));
        let mut workers = Vec::new();
        for _ in 0..threads {
            let mut worker = make_worker();
            let (chunks, stop, cancel) = (Arc::clone(&received), Arc::clone(&stop), Arc::clone(cancel));
            let started = thread::Builder::new().spawn(move || {
                loop {
                    let next = chunks.lock().map(|chunks| chunks.recv());
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
        Ok(Self { threads, chunks, workers, stop })
    }

    /// Does `first` and the jobs behind it, as long as they come fast; returns the jobs if they come
    /// one at a time now, and nothing if it is all over.
    fn work<J>(
        &self,
        first: Vec<I>,
        jobs: J,
        cancel: &Arc<AtomicBool>,
        write: &mut impl FnMut(B) -> bool,
    ) -> io::Result<Option<J>>
    where
        J: Jobs<Item = I> + Send + 'static,
    {
        let (order, ordered) = sync_channel::<FromMaker<J, B>>(4 * self.threads);
        let (chunks, is_over) = (self.chunks.clone(), Arc::clone(cancel));
        // It may be waiting for standard input when everything else is over.
        let maker =
            thread::Builder::new().spawn(move || make(first, jobs, &chunks, &order, &is_over))?;
        loop {
            match ordered.recv_timeout(PATIENCE) {
                Ok(FromMaker::Chunk(blocks)) => {
                    for block in blocks {
                        if !write(block) {
                            self.stop.store(true, Relaxed);
                            return Ok(None);
                        }
                    }
                }
                Ok(FromMaker::Calm(jobs)) => return Ok(Some(jobs)),
                Err(RecvTimeoutError::Timeout) if cancel.load(Relaxed) => {
                    self.stop.store(true, Relaxed);
                    return Ok(None);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    whole(maker.join());
                    return Ok(None);
                }
            }
        }
    }

    /// Lets the workers go.
    fn end(self) -> io::Result<()> {
        let Self { chunks, workers, stop, .. } = self;
        drop(chunks);
        // What is not wanted any more is not waited for.
        if !stop.load(Relaxed) {
            workers.into_iter().for_each(|worker| whole(worker.join()));
        }
        Ok(())
    }
}

/// Goes on with a panic: what a thread that panicked leaves is not whole, which must not pass for
/// success.
fn whole(joined: Result<(), Box<dyn Any + Send>>) {
    joined.unwrap_or_else(|panic| resume_unwind(panic));
}

/// Makes chunks of `first` and the jobs behind it for the workers, and sends them in order to the
/// caller.
fn make<J: Jobs, B>(
    first: Vec<J::Item>,
    mut jobs: J,
    chunks: &SyncSender<(Vec<J::Item>, SyncSender<B>)>,
    order: &SyncSender<FromMaker<J, B>>,
    is_over: &AtomicBool,
) {
    let send = |chunk| {
        let (sender, receiver) = sync_channel(BLOCKS_WAITING);
        order.send(FromMaker::Chunk(receiver)).is_ok() && chunks.send((chunk, sender)).is_ok()
    };
    // The weight that came since the input was waited for.
    let mut came = 0;
    for job in first {
        came += J::weight(&job);
        if !send(vec![job]) {
            return;
        }
    }
    let mut size = 2;
    while !is_over.load(Relaxed) {
        let (mut chunk, mut weight) = (Vec::new(), 0);
        while weight < size && (chunk.is_empty() || jobs.is_ready()) {
            if chunk.is_empty() && !jobs.is_ready() {
                if came < CALM {
                    // Nobody takes them where all is over.
                    let _ = order.send(FromMaker::Calm(jobs));
                    return;
                }
                came = 0;
            }
            let Some(job) = jobs.next() else { break };
            weight += J::weight(&job);
            chunk.push(job);
        }
        came += weight;
        if chunk.is_empty() || !send(chunk) {
            break;
        }
        size = (size * 2).min(CHUNK_MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Jobs that are all there.
    struct There<I>(I);

    impl<I: Iterator> Iterator for There<I> {
        type Item = I::Item;

        fn next(&mut self) -> Option<I::Item> {
            self.0.next()
        }
    }

    impl<I: Iterator> Jobs for There<I> {
        fn is_ready(&mut self) -> bool {
            true
        }

        fn weight(_: &I::Item) -> usize {
            1
        }
    }

    /// Jobs of which those of a number that `pauses` keep one waiting.
    struct Slow {
        next: u32,
        end: u32,
        pauses: fn(u32) -> bool,
    }

    impl Iterator for Slow {
        type Item = u32;

        fn next(&mut self) -> Option<u32> {
            self.next += 1;
            (self.next <= self.end).then_some(self.next - 1)
        }
    }

    impl Jobs for Slow {
        fn is_ready(&mut self) -> bool {
            !(self.pauses)(self.next)
        }

        fn weight(job: &u32) -> usize {
            *job as usize % 3 * 20
        }
    }

    #[test]
    fn output_comes_in_the_order_of_jobs_that_come_now_and_then() {
        let ways: [fn(u32) -> bool; 4] =
            [|_| true, |job| job % 2 == 0, |job| job % 5 == 0, |job| job > 20 && job % 100 < 7];
        for pauses in ways {
            let cancel = Arc::new(AtomicBool::new(false));
            let mut found = Vec::new();
            let worker = || {
                |chunk: Vec<u32>, sink: &mut Sink<'_, u32>| chunk.iter().try_for_each(|&job| sink(job))
            };
            let jobs = Slow { next: 0, end: 500, pauses };
            run(jobs, 2, &cancel, worker, |block| {
                found.push(block);
                true
            })
            .unwrap();
            assert!(found.iter().copied().eq(0..500));
        }
    }

    #[test]
    fn all_that_came_is_written_before_the_next_job_is_waited_for() {
        let written = Arc::new(std::sync::atomic::AtomicU32::new(0));
        let (cancel, seen) = (Arc::new(AtomicBool::new(false)), Arc::clone(&written));
        struct Strict(u32, Arc<std::sync::atomic::AtomicU32>);
        impl Iterator for Strict {
            type Item = u32;
            fn next(&mut self) -> Option<u32> {
                self.0 += 1;
                if self.0 % 4 == 1 {
                    assert_eq!(self.1.load(Relaxed), self.0 - 1);
                }
                (self.0 <= 400).then_some(self.0 - 1)
            }
        }
        impl Jobs for Strict {
            fn is_ready(&mut self) -> bool {
                !self.0.is_multiple_of(4)
            }
            fn weight(_: &u32) -> usize {
                1
            }
        }
        let worker =
            || |chunk: Vec<u32>, sink: &mut Sink<'_, u32>| chunk.iter().try_for_each(|&job| sink(job));
        run(Strict(0, seen), 2, &cancel, worker, |_| {
            written.fetch_add(1, Relaxed);
            true
        })
        .unwrap();
        assert_eq!(written.load(Relaxed), 400);
    }

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
        run(There(0..1000), 3, &cancel, worker, |block| {
            found.push(block);
            true
        })
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
        let panicked = std::panic::catch_unwind(|| run(There(0..100), 2, &cancel, worker, |_| true));
        assert!(panicked.is_err());
    }

    #[test]
    fn an_endless_batch_ends_when_nobody_wants_more() {
        let cancel = Arc::new(AtomicBool::new(false));
        let mut count = 0;
        let worker =
            || |chunk: Vec<u64>, sink: &mut Sink<'_, u64>| chunk.iter().try_for_each(|&job| sink(job));
        run(There(0..), 2, &cancel, worker, |_| {
            count += 1;
            count < 1000
        })
        .unwrap();
        assert_eq!(count, 1000);
    }
}
