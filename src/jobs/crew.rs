//! Shards worked on side by side.
//!
//! Jobs wait in a queue, the first of which is taken by who has nothing to do; what is made of the results may put more
//! of them there, such as the parts of a shard that took too long. So a thread ends only when nobody is at work any more;
//! while it waits it helps the others.
//!
//! Not all that takes long can be helped with. While nothing waits and a core stands idle, a job is given up that has run for
//! longer than its patience, so that its parts go to all threads.

use std::collections::VecDeque;
use std::io;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use dlx::parallel::Cores;
use dlx::shards::{CoversDigest, Shard, ShardCounter, ShardLister};
use dlx::{EngineSpec, Limits, Problem, Report};

use crate::io::interrupt;

/// While results are waited for, the time between two looks whether there was an interrupt.
const PATIENCE: Duration = Duration::from_millis(50);
/// What may wait for each thread until the caller's takes it: as much as short jobs bring while that waits for a disk.
const WAITING: usize = 64;
/// A shard is not given up before it took so long, nor its parts before they took twice as long.
const IDLE_LEAST: Duration = Duration::from_secs(2);
/// For so long a core must stand idle, more often than not, before jobs are given up.
const IDLE: Duration = Duration::from_millis(500);

/// A shard to count.
#[derive(Clone, Debug)]
pub(super) struct ShardJob {
    pub(super) shard: Shard,
    /// How often what it was part of was split because it took too long.
    pub(super) generation: u32,
    /// Whether it has no parts.
    pub(super) is_whole: bool,
}

impl ShardJob {
    pub(super) fn new(shard: Shard) -> Self {
        Self { shard, generation: 0, is_whole: false }
    }

    /// Returns what takes its place: its parts, the dearest first, or itself if it has none.
    pub(super) fn replaced_by(self, parts: Vec<Shard>) -> Vec<Self> {
        if parts.len() == 1 {
            return vec![Self { is_whole: true, ..self }];
        }
        let generation = self.generation + 1;
        dearest_first(parts).into_iter().map(|part| Self { generation, ..part }).collect()
    }
}

/// How a shard was counted.
pub(super) struct ShardWork {
    pub(super) job: ShardJob,
    pub(super) report: Report,
    /// The digest of its covers, if they were gone through.
    pub(super) covers: Option<CoversDigest>,
    pub(super) time: Duration,
}

/// Returns a job for each shard, the dearest first.
pub(super) fn dearest_first(shards: impl IntoIterator<Item = Shard>) -> Vec<ShardJob> {
    let mut jobs: Vec<_> = shards.into_iter().map(ShardJob::new).collect();
    jobs.sort_by(|one, other| other.shard.estimate.total_cmp(&one.shard.estimate));
    jobs
}

/// How shards are counted.
pub(super) struct CountRules<'r> {
    pub(super) problem: &'r Arc<Problem>,
    pub(super) threads: usize,
    pub(super) limits: &'r Limits,
    /// How long a shard may take.
    pub(super) time: &'r (dyn Fn(&ShardJob) -> Option<Duration> + Sync),
    /// How long it may take while nothing waits and cores are idle.
    pub(super) patience: &'r (dyn Fn(&ShardJob) -> Option<Patience> + Sync),
    /// Whether all covers are gone through, for their digest.
    pub(super) has_digest: bool,
    /// The only engine that is to search, if one was named; it takes the problem.
    pub(super) engine: Option<&'static EngineSpec>,
}

/// Counts shards in their order. See [`run`]; who is given up ends as if cancelled.
///
/// # Errors
/// If no thread can be started.
pub(super) fn count(
    rules: &CountRules<'_>,
    jobs: Vec<ShardJob>,
    take: impl FnMut(Vec<ShardWork>, &mut Vec<ShardJob>) -> bool,
) -> io::Result<()> {
    let begin = |cores: &Arc<Cores>| {
        let counter = ShardCounter::new(Arc::clone(rules.problem)).on(cores);
        let mut counter = match rules.engine {
            Some(engine) => counter.by(engine).expect("the engine took the problem before"),
            None => counter,
        };
        let mut lister =
            rules.has_digest.then(|| ShardLister::new(Arc::clone(rules.problem)).on(cores));
        move |job: ShardJob, limits: &Limits, send: &dyn Fn(ShardWork) -> bool| {
            let begun = Instant::now();
            let limits = limits.clone().no_longer_than((rules.time)(&job).unwrap_or(Duration::MAX));
            let (report, covers) = match &mut lister {
                None => (counter.count(&job.shard, &limits), None),
                Some(lister) => {
                    let mut covers = CoversDigest::default();
                    let report = lister.search(&job.shard, &limits, &mut |cover| {
                        covers.add(cover);
                        ControlFlow::Continue(())
                    });
                    (report, Some(covers))
                }
            };
            send(ShardWork { job, report, covers, time: begun.elapsed() })
        }
    };
    run(jobs, rules.threads, rules.limits, &rules.patience, begin, take)
}

/// For how long a job may run while cores are idle.
#[derive(Clone, Debug)]
pub(super) struct Patience {
    /// It is not given up before.
    pub(super) least: Duration,
    /// Nor while it is expected to be done sooner than its parts would be.
    pub(super) near_end: Range<Duration>,
}

impl Patience {
    /// Returns that with a shard of which a unit of the estimate takes so many seconds, if that is known; none with one that
    /// has no parts.
    ///
    /// The parts begin anew, and all threads count them: that takes longer than to wait once less than a thread's share of the
    /// time is left. Of what takes far longer than was expected nobody knows what is left.
    pub(super) fn of(job: &ShardJob, rate: Option<f64>, threads: usize) -> Option<Self> {
        let time = |seconds: f64| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        let seconds = rate.unwrap_or(0.0) * job.shard.estimate;
        let share = seconds / threads.max(1) as f64;
        let least = IDLE_LEAST.saturating_mul(1 << job.generation.min(20));
        (!job.is_whole).then(|| Self { least, near_end: time(seconds - share)..time(2.0 * seconds) })
    }

    fn is_over(&self, time: Duration) -> bool {
        time > self.least && !self.near_end.contains(&time)
    }
}

/// The job of a thread, as the others see it.
#[derive(Default)]
struct Place {
    /// Tells the job to end.
    flag: Arc<AtomicBool>,
    /// When it was begun, and for how long it may run.
    job: Mutex<Option<(Instant, Patience)>>,
}

impl Place {
    fn job(&self) -> MutexGuard<'_, Option<(Instant, Patience)>> {
        self.job.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a job, unless all is to stop.
    fn begin(&self, patience: Option<Patience>, stop: &AtomicBool) {
        let mut job = self.job();
        *job = patience.map(|patience| (Instant::now(), patience));
        self.flag.store(stop.load(Relaxed), Relaxed);
    }

    /// Gives up the job if it has run for too long.
    fn give_up_if_late(&self) {
        // Under the lock, so that it is not the next one that is given up.
        let mut job = self.job();
        if job.as_ref().is_some_and(|(begun, patience)| patience.is_over(begun.elapsed())) {
            *job = None;
            self.flag.store(true, Relaxed);
        }
    }

    /// Ends whatever the job is, and those to come if `stop` is set already.
    fn end(&self) {
        let _job = self.job();
        self.flag.store(true, Relaxed);
    }
}

/// What waits to be done.
struct Queue<J> {
    jobs: VecDeque<J>,
    /// How many jobs are at work, or their results on the way.
    open: usize,
    is_over: bool,
}

fn lock<J>(queue: &Mutex<Queue<J>>) -> MutexGuard<'_, Queue<J>> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Works on jobs with so many threads, in their order; a thread that has none left helps the others. Each thread begins with
/// `begin`, and calls what it returns for each job, with what sends results. The caller's thread gets all that was sent since
/// the last time, and may add jobs, which come before the others; all ends early when `take` or a job returns `false`, and
/// with an interrupt. While nothing waits and a core is idle, a job whose `patience` is over is told to end
/// as well: by the flag of its limits, as if cancelled.
///
/// # Errors
/// If no thread can be started.
pub(super) fn run<J, T, W>(
    jobs: Vec<J>,
    threads: usize,
    limits: &Limits,
    patience: &(dyn Fn(&J) -> Option<Patience> + Sync),
    begin: impl Fn(&Arc<Cores>) -> W + Sync,
    mut take: impl FnMut(Vec<T>, &mut Vec<J>) -> bool,
) -> io::Result<()>
where
    J: Send,
    T: Send,
    W: FnMut(J, &Limits, &dyn Fn(T) -> bool) -> bool,
{
    let stop = AtomicBool::new(false);
    let places: Vec<Place> = (0..threads.max(1)).map(|_| Place::default()).collect();
    let end_all = || {
        stop.store(true, Relaxed);
        places.iter().for_each(Place::end);
    };
    let memory = limits.memory.map(|bytes| bytes / threads.max(1));
    let limits = limits.clone().memory(memory);
    let cores = Cores::new(if threads == 1 { 0 } else { threads });
    let queue = Mutex::new(Queue { jobs: VecDeque::from(jobs), open: 0, is_over: false });
    let has_changed = Condvar::new();
    // A result, or that a job has come to its end.
    let (send, receive) = sync_channel::<Option<T>>(WAITING * threads.max(1));
    // Only the first may fail to start.
    let mut failed = None;
    let next = || {
        let mut queue = lock(&queue);
        loop {
            if queue.is_over || stop.load(Relaxed) {
                return None;
            }
            if let Some(job) = queue.jobs.pop_front() {
                queue.open += 1;
                return Some(job);
            }
            if queue.open == 0 {
                return None;
            }
            queue = has_changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    };
    let (next, cores, limits, stop) = (&next, &cores, &limits, &stop);
    thread::scope(|scope| {
        for (number, place) in places.iter().enumerate() {
            let send = send.clone();
            let begin = &begin;
            let work = move || {
                let mut work = begin(cores);
                let limits = limits.clone().cancel(Arc::clone(&place.flag));
                while let Some(job) = next() {
                    let _busy = cores.occupy();
                    place.begin(patience(&job), stop);
                    let is_wanted = work(job, &limits, &|result| send.send(Some(result)).is_ok());
                    place.begin(None, stop);
                    if send.send(None).is_err() || !is_wanted {
                        break;
                    }
                }
            };
            if let Err(error) = thread::Builder::new().spawn_scoped(scope, work) {
                if number == 0 {
                    failed = Some(error);
                }
                break;
            }
        }
        drop(send);
        let mut is_wanted = true;
        let mut more = Vec::new();
        let (mut looked, mut idle) = (Instant::now(), Duration::ZERO);
        loop {
            match receive.recv_timeout(PATIENCE) {
                Ok(first) => {
                    let all: Vec<_> = std::iter::once(first).chain(receive.try_iter()).collect();
                    let ended = all.iter().filter(|event| event.is_none()).count();
                    let results: Vec<T> = all.into_iter().flatten().collect();
                    // What comes after it was told to end is not wanted.
                    is_wanted = is_wanted && (results.is_empty() || take(results, &mut more));
                    let mut queue = lock(&queue);
                    queue.open -= ended;
                    queue.is_over |= !is_wanted;
                    more.drain(..).rev().for_each(|job| queue.jobs.push_front(job));
                    drop(queue);
                    if !is_wanted {
                        end_all();
                    }
                    has_changed.notify_all();
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if interrupt::happened() {
                end_all();
                has_changed.notify_all();
            }
            // The methods of a race call in the others by turns, so it is not idle all the time.
            let is_idle = cores.idle() > 0 && lock(&queue).jobs.is_empty();
            let time = std::mem::replace(&mut looked, Instant::now()).elapsed();
            idle = if is_idle { idle + time } else { idle.saturating_sub(time) };
            if idle > IDLE {
                idle = Duration::ZERO;
                places.iter().for_each(Place::give_up_if_late);
            }
        }
    });
    failed.map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_that_are_made_of_jobs_are_done_by_whoever_waits() {
        for threads in [1, 2, 5] {
            // Each number is taken apart until nothing is left of it.
            let mut sum = 0;
            let begin = |_: &Arc<Cores>| |job: u32, _: &Limits, send: &dyn Fn(u32) -> bool| send(job);
            run(vec![7, 3], threads, &Limits::new(), &|_| None, begin, |found, more| {
                for number in found {
                    sum += 1;
                    more.extend((0..number).filter(|_| number > 0));
                }
                true
            })
            .unwrap();
            // One for each node of two trees in which a node of n has the children 0 to n - 1: 2^n nodes.
            assert_eq!(sum, (1 << 7) + (1 << 3));
            // Who needs no more, ends it all.
            let mut taken = 0;
            let begin = |_: &Arc<Cores>| |job: u32, _: &Limits, send: &dyn Fn(u32) -> bool| send(job);
            run((0..1000).collect(), threads, &Limits::new(), &|_| None, begin, |_, _| {
                taken += 1;
                false
            })
            .unwrap();
            assert_eq!(taken, 1);
        }
    }

    #[test]
    fn what_runs_long_is_given_up_when_others_have_nothing_to_do() {
        // Each job runs until it is told to end, but for those that are parts of another.
        let begin = |_: &Arc<Cores>| {
            |(job, is_part): (u32, bool), limits: &Limits, send: &dyn Fn((u32, bool)) -> bool| {
                while !is_part && limits.check().is_ok() {
                    thread::sleep(Duration::from_millis(1));
                }
                send((job, is_part))
            }
        };
        let least = Duration::from_millis(30);
        let patience =
            |_: &(u32, bool)| Some(Patience { least, near_end: Duration::ZERO..Duration::ZERO });
        let mut parts = 0;
        run(vec![(1, false), (2, false)], 3, &Limits::new(), &patience, begin, |found, more| {
            for (job, is_part) in found {
                parts += u32::from(is_part);
                more.extend((0..10 * job).filter(|_| !is_part).map(|part| (part, true)));
            }
            true
        })
        .unwrap();
        assert_eq!(parts, 30);
    }
}
