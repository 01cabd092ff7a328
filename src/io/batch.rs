//! Runs many jobs and writes their output in job order, in constant memory. Finished output is
//! written before the program waits for more input.
//!
//! # Jobs that arrive one at a time
//! While no second job is available, the caller's thread takes a job, runs it and writes its output
//! before it waits for input. A small problem therefore starts no thread. A client that waits for
//! each answer gets it without a hand-over between threads.
//!
//! # Several available jobs
//! Once a second job is available, one thread reads jobs into chunks, workers take the chunks, and
//! the caller's thread writes. Each chunk has its own bounded output channel. The caller drains the
//! channels in chunk order. A worker that is ahead therefore waits when its channel is full, and a
//! puzzle with millions of solutions streams its output when its turn comes. Workers take chunks in
//! order, so the chunk to be written always has a worker, and no cyclic wait can occur. If the next
//! job is not available, an incomplete chunk is sent. If few jobs arrived since the last wait for
//! input, the caller returns to taking jobs one at a time.
//!
//! # Without threads
//! If no worker can be started, as in WebAssembly, the caller takes all jobs one at a time.

use std::any::Any;
use std::io;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::io::{host, interrupt, threads};

/// Largest weight of a chunk. The first chunks are smaller, so that all threads soon have work.
const CHUNK_MAX: usize = 64;
/// Total weight of the jobs between two waits for input below which jobs are taken one at a time.
const CALM_WEIGHT: usize = 64;
/// Capacity of the output channel of a chunk (blocks).
const BLOCKS_WAITING: usize = 8;
/// Time between two checks for an interrupt while waiting for output.
const PATIENCE: Duration = Duration::from_millis(50);

/// A callback that receives the output of a chunk, block by block; the callback may block, and
/// fails once the receiver was dropped.
pub(crate) type Sink<'s, B> = dyn FnMut(B) -> Result<(), Gone> + 's;

/// The error that the receiver of the output was dropped. The sender should stop its work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gone;

pub(crate) trait Jobs: Iterator {
    /// Returns whether the next job, or the end of the jobs, can be determined without waiting for
    /// input.
    fn is_ready(&mut self) -> bool;

    /// Returns the estimated work of `job`, in units of an average job.
    fn weight(job: &Self::Item) -> usize;
}

enum FromMaker<J, B> {
    /// The output of the next chunk.
    Chunk(Receiver<B>),
    /// The remaining jobs, once they arrive one at a time.
    Calm(J),
}

/// Runs every job on `threads` workers and passes the output blocks to `write` in order.
///
/// `make_worker` creates the function that a worker runs on chunks of jobs. The run ends early when
/// `write` returns `false`, or when `cancel` is set and the running chunks are finished.
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
    let mut has_threads = true;
    let ended = loop {
        let next =
            if jobs.is_ready() { jobs.next() } else { interrupt::ending_on_interrupt(|| jobs.next()) };
        let Some(job) = next else { break Ok(()) };
        let second = if has_threads && jobs.is_ready() { Some(jobs.next()) } else { None };
        let (chunk, is_last) = match second {
            Some(Some(second)) => (vec![job, second], false),
            other => (vec![job], other.is_some()),
        };
        let has_several = chunk.len() > 1;
        if has_several && crew.is_none() {
            crew = Workers::new(threads, cancel, &make_worker);
            has_threads = crew.is_some();
        }
        match &crew {
            Some(crew) if has_several => match crew.work(chunk, jobs, cancel, &mut write)? {
                Some(rest) => jobs = rest,
                None => break Ok(()),
            },
            _ => {
                let mut sink = |block| if write(block) { Ok(()) } else { Err(Gone) };
                let done = own.get_or_insert_with(&make_worker)(chunk, &mut sink);
                if done.is_err() || is_last {
                    break Ok(());
                }
            }
        }
        if cancel.load(Relaxed) {
            break Ok(());
        }
    };
    // Skip the destructor, since the operating system frees memory faster at exit. The process of a
    // host continues.
    if !host::is_present() {
        std::mem::forget(own);
    }
    crew.map_or(ended, Workers::end)
}

struct Workers<J, B> {
    threads: usize,
    chunks: SyncSender<(Vec<J>, SyncSender<B>)>,
    workers: Vec<JoinHandle<()>>,
    /// Set when the remaining output is no longer wanted.
    stop: Arc<AtomicBool>,
}

impl<I: Send + 'static, B: Send + 'static> Workers<I, B> {
    /// Starts at most `threads` workers; returns `None` if none can be started.
    fn new<W>(threads: usize, cancel: &Arc<AtomicBool>, make_worker: &impl Fn() -> W) -> Option<Self>
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
            let started = threads::start(move || {
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
                Err(_) => break,
            }
        }
        (!workers.is_empty()).then_some(Self { threads, chunks, workers, stop })
    }

    /// Runs `first` and the following jobs while several are available; returns the remaining jobs
    /// once they arrive one at a time, and `None` at the end.
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
        // Do not use a scoped thread here. This thread may still wait for standard input when all
        // output has been written.
        let maker = threads::start(move || make(first, jobs, &chunks, &order, &is_over))?;
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

    fn end(self) -> io::Result<()> {
        let Self { chunks, workers, stop, .. } = self;
        drop(chunks);
        // Do not wait for output that is no longer wanted.
        if !stop.load(Relaxed) {
            workers.into_iter().for_each(|worker| whole(worker.join()));
        }
        Ok(())
    }
}

/// Resumes a panic of a thread in the caller, so that incomplete output is not taken for success.
fn whole(joined: Result<(), Box<dyn Any + Send>>) {
    joined.unwrap_or_else(|panic| resume_unwind(panic));
}

/// Groups `first` and the following jobs into chunks, sends the chunks to the workers, and sends
/// their output channels to the caller in order.
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
    // The total weight of the jobs since the last wait for input.
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
                if came < CALM_WEIGHT {
                    // The caller may have dropped the receiver at the end.
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

    /// Jobs that are always available.
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

    /// Jobs whose next element is available only after a wait if `pauses` returns `true` for its
    /// number.
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
    fn output_keeps_the_order_of_jobs_that_arrive_with_pauses() {
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
    fn available_output_is_written_before_waiting_for_the_next_job() {
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
                // Each job produces more output than the channel of its chunk can hold.
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
    fn without_threads_the_caller_runs_all_jobs() {
        let ways: [fn(u32) -> bool; 3] = [|_| false, |_| true, |job| job % 2 == 0];
        for pauses in ways {
            for end in [0, 1, 2, 3, 50] {
                let cancel = Arc::new(AtomicBool::new(false));
                let mut found = Vec::new();
                let caller = std::thread::current().id();
                let worker = || {
                    move |chunk: Vec<u32>, sink: &mut Sink<'_, u32>| {
                        assert_eq!(std::thread::current().id(), caller);
                        chunk.iter().try_for_each(|&job| sink(job))
                    }
                };
                let ran = threads::without(|| {
                    run(Slow { next: 0, end, pauses }, 2, &cancel, worker, |block| {
                        found.push(block);
                        true
                    })
                });
                ran.unwrap();
                assert!(found.iter().copied().eq(0..end));
            }
        }
    }

    #[test]
    fn a_panic_of_a_worker_reaches_the_caller() {
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
    fn an_endless_batch_ends_when_the_writer_stops_it() {
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
