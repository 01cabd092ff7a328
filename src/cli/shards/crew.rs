//! Shards worked on side by side.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use dlx::parallel::Cores;
use dlx::shards::{Shard, ShardCounter};
use dlx::{Limits, Problem, Report};

use crate::cli::io::interrupt;

/// While results are waited for, the time between two looks whether there was an interrupt.
const PATIENCE: Duration = Duration::from_millis(50);
/// What may wait for each thread until the caller's takes it.
const WAITING: usize = 4;

/// How a shard was counted.
pub(super) struct ShardWork {
    /// Its place in the list.
    pub(super) place: usize,
    pub(super) report: Report,
    pub(super) time: Duration,
}

/// Returns the places of all shards, the dearest first.
pub(super) fn dearest_first(shards: &[Shard]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..shards.len()).collect();
    order.sort_by(|&one, &other| shards[other].estimate.total_cmp(&shards[one].estimate));
    order
}

/// Counts shards of a problem with so many threads, in the order of `order`, which has places in `shards`. Each shard may
/// take `each`. See [`run`].
///
/// # Errors
/// If no thread can be started.
pub(super) fn count(
    problem: &Arc<Problem>,
    shards: &[Shard],
    order: &[usize],
    threads: usize,
    limits: &Limits,
    each: Option<Duration>,
    take: impl FnMut(Vec<ShardWork>) -> bool,
) -> io::Result<()> {
    let begin = |cores: &Arc<Cores>| {
        let mut counter = ShardCounter::new(Arc::clone(problem)).on(cores);
        move |place: usize, limits: &Limits, send: &SyncSender<ShardWork>| {
            let begun = Instant::now();
            let ends = each.and_then(|each| begun.checked_add(each));
            let deadline = [limits.deadline, ends].into_iter().flatten().min();
            let report = counter.count(&shards[place], &limits.clone().deadline(deadline));
            send.send(ShardWork { place, report, time: begun.elapsed() }).is_ok()
        }
    };
    run(order, threads, limits, begin, take)
}

/// Works on shards with so many threads, in the order of `order`; a thread that has none left helps the others. Each
/// thread begins with `begin`, and calls what it returns for each place, until that is `false`. The caller's thread gets
/// all that was sent since the last time; all ends early when `take` returns `false`, and with an interrupt.
///
/// # Errors
/// If no thread can be started.
pub(super) fn run<T, W>(
    order: &[usize],
    threads: usize,
    limits: &Limits,
    begin: impl Fn(&Arc<Cores>) -> W + Sync,
    mut take: impl FnMut(Vec<T>) -> bool,
) -> io::Result<()>
where
    T: Send,
    W: FnMut(usize, &Limits, &SyncSender<T>) -> bool,
{
    let stop = Arc::new(AtomicBool::new(false));
    let memory = limits.memory.map(|bytes| bytes / threads.max(1));
    let limits = limits.clone().cancel(Arc::clone(&stop)).memory(memory);
    let cores = Cores::new(if threads == 1 { 0 } else { threads });
    let next = AtomicUsize::new(0);
    let (send, receive) = sync_channel(WAITING * threads.max(1));
    // Only the first may fail to start.
    let failed = Mutex::new(None);
    let work = |send: SyncSender<T>| {
        let _busy = cores.occupy();
        let mut work = begin(&cores);
        while let Some(&place) = order.get(next.fetch_add(1, Relaxed))
            && !stop.load(Relaxed)
        {
            if !work(place, &limits, &send) {
                break;
            }
        }
    };
    let work = &work;
    thread::scope(|scope| {
        for number in 0..threads.min(order.len()) {
            let send = send.clone();
            let started = thread::Builder::new().spawn_scoped(scope, move || work(send));
            if let Err(error) = started {
                if number == 0 {
                    failed.lock().map(|mut failed| *failed = Some(error)).unwrap_or_default();
                }
                break;
            }
        }
        drop(send);
        let mut is_wanted = true;
        loop {
            match receive.recv_timeout(PATIENCE) {
                Ok(first) => {
                    let all = std::iter::once(first).chain(receive.try_iter()).collect();
                    // What comes after it was told to end is not wanted.
                    is_wanted = is_wanted && take(all);
                    if !is_wanted {
                        stop.store(true, Relaxed);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if interrupt::happened() {
                stop.store(true, Relaxed);
            }
        }
    });
    failed.into_inner().ok().flatten().map_or(Ok(()), Err)
}
