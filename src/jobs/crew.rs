//! Runs shards on several threads.
//!
//! Idle threads take jobs from the front of a queue. The handler of the results may add jobs, such
//! as the parts of a shard that exceeded its time. A thread therefore ends only when no job is
//! running any more. Until then it helps the other threads.
//!
//! Some jobs cannot use the help of idle threads. If the queue is empty and a core is idle, a job
//! that exceeds its patience is cancelled, so that its parts can be spread over all threads.
//!
//! If no thread can be started, as in WebAssembly, the caller's thread runs all jobs.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use dlx::parallel::Cores;
use dlx::proofs::ProofFault;
use dlx::shards::{CoversDigest, Shard, ShardCounter, ShardLister};
use dlx::trust::formula::{BLOCKED_MAX, FormulaFault};
use dlx::{End, EngineSpec, Limits, OptionId, Problem, Report};

use crate::io::{interrupt, threads};
use crate::proof::covers::Unproven;

/// Time between two checks for an interrupt while waiting for results.
const PATIENCE: Duration = Duration::from_millis(50);
/// Capacity of the result queue per thread, enough for the results of short jobs during one disk
/// write of the caller.
const WAITING: usize = 64;
/// Minimum run time after which a shard may be cancelled in favor of its parts. The minimum doubles
/// with each split.
const IDLE_LEAST: Duration = Duration::from_secs(2);
/// Late jobs are cancelled once a core has been idle for this much longer than busy.
const IDLE: Duration = Duration::from_millis(500);

#[derive(Clone, Debug)]
pub(super) struct ShardJob {
    pub(super) shard: Shard,
    /// Number of splits that led from an original shard to this one.
    pub(super) generation: u32,
    /// Whether the shard cannot be split further.
    pub(super) is_whole: bool,
}

impl ShardJob {
    pub(super) fn new(shard: Shard) -> Self {
        Self { shard, generation: 0, is_whole: false }
    }

    /// Returns the jobs that replace this one: its parts, the most expensive first, or the same job
    /// if it has no parts.
    pub(super) fn replaced_by(self, parts: Vec<Shard>) -> Vec<Self> {
        if parts.len() == 1 {
            return vec![Self { is_whole: true, ..self }];
        }
        let generation = self.generation + 1;
        most_expensive_first(parts).into_iter().map(|part| Self { generation, ..part }).collect()
    }
}

pub(super) struct ShardWork {
    pub(super) job: ShardJob,
    pub(super) report: Report,
    /// The digest of the covers, if the shard was counted by listing them.
    pub(super) covers: Option<CoversDigest>,
    pub(super) time: Duration,
    /// Why the count was not proven, if it had to be.
    pub(super) unproven: Option<Unproven>,
}

pub(super) fn most_expensive_first(shards: impl IntoIterator<Item = Shard>) -> Vec<ShardJob> {
    let mut jobs: Vec<_> = shards.into_iter().map(ShardJob::new).collect();
    jobs.sort_by(|one, other| other.shard.estimate.total_cmp(&one.shard.estimate));
    jobs
}

pub(super) struct CountRules<'r> {
    pub(super) problem: &'r Arc<Problem>,
    pub(super) threads: usize,
    pub(super) limits: &'r Limits,
    pub(super) time: &'r (dyn Fn(&ShardJob) -> Option<Duration> + Sync),
    /// Returns how long a job may run while the queue is empty and cores are idle. `None` means
    /// without limit.
    pub(super) patience: &'r (dyn Fn(&ShardJob) -> Option<Patience> + Sync),
    /// Whether to list all covers and compute their digest.
    pub(super) has_digest: bool,
    /// The only engine to use, if the caller named one that supports the problem.
    pub(super) engine: Option<&'static EngineSpec>,
    /// Proves the covers of a shard.
    pub(super) prove: Option<&'r ProveShard<'r>>,
}

pub(super) type ProveShard<'r> =
    dyn Fn(&Shard, &[Vec<OptionId>], &Limits) -> Result<(), Unproven> + Sync + 'r;

/// Counts the shards of `jobs` in order, as described at [`run`]. The report of a shard that is
/// cancelled in favor of its parts ends as cancelled.
pub(super) fn count(
    rules: &CountRules<'_>,
    jobs: Vec<ShardJob>,
    take: impl FnMut(Vec<ShardWork>, &mut Vec<ShardJob>) -> bool,
) {
    let has_list = rules.has_digest || rules.prove.is_some();
    let begin = |cores: &Arc<Cores>| {
        let counter = ShardCounter::new(Arc::clone(rules.problem)).on(cores);
        let mut counter = match rules.engine {
            Some(engine) => counter.by(engine).expect("the engine took the problem before"),
            None => counter,
        };
        let mut lister = has_list.then(|| ShardLister::new(Arc::clone(rules.problem)).on(cores));
        move |job: ShardJob, limits: &Limits, send: &dyn Fn(ShardWork) -> bool| {
            let begun = Instant::now();
            let limits = limits.clone().no_longer_than((rules.time)(&job).unwrap_or(Duration::MAX));
            let mut unproven = None;
            let (report, covers) = match &mut lister {
                None => (counter.count(&job.shard, &limits), None),
                Some(lister) => {
                    let (mut digest, mut covers) = (CoversDigest::default(), Vec::new());
                    let mut literals = 0;
                    let report = lister.search(&job.shard, &limits, &mut |cover| {
                        literals += cover.len();
                        if rules.prove.is_some() && literals <= BLOCKED_MAX {
                            covers.push(cover.to_vec());
                        }
                        digest.add(cover);
                        ControlFlow::Continue(())
                    });
                    if let (Some(prove), End::Exhausted) = (rules.prove, report.end) {
                        unproven = match covers.len() as u64 == report.solutions {
                            true => prove(&job.shard, &covers, &limits).err(),
                            false => Some(ProofFault::from(FormulaFault::Blocked).into()),
                        };
                    }
                    (report, rules.has_digest.then_some(digest))
                }
            };
            send(ShardWork { job, report, covers, time: begun.elapsed(), unproven })
        }
    };
    run(jobs, rules.threads, rules.limits, &rules.patience, begin, take);
}

/// The run time allowed for a job while cores are idle.
#[derive(Clone, Debug)]
pub(super) struct Patience {
    /// The job is never cancelled before this time.
    pub(super) least: Duration,
    /// The job is not cancelled at these run times, because it is expected to finish before its
    /// parts would.
    pub(super) near_end: Range<Duration>,
}

impl Patience {
    /// Returns the patience with a shard. `rate` is the number of seconds per unit of the estimate,
    /// if known. Returns `None` for a shard that cannot be split.
    ///
    /// The parts start from scratch and share all threads. Waiting is therefore cheaper once the
    /// remaining time is expected to be less than the total expected time divided by the number of
    /// threads. After twice the expected time the estimate is ignored.
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

/// The current job of a thread, as the other threads see it.
#[derive(Default)]
struct JobSlot {
    flag: Arc<AtomicBool>,
    /// Start time and patience of the job.
    job: Mutex<Option<(Instant, Patience)>>,
}

impl JobSlot {
    fn job(&self) -> MutexGuard<'_, Option<(Instant, Patience)>> {
        self.job.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a job. If `stop` is set, the job is cancelled at once.
    fn begin(&self, patience: Option<Patience>, stop: &AtomicBool) {
        let mut job = self.job();
        *job = patience.map(|patience| (Instant::now(), patience));
        self.flag.store(stop.load(Relaxed), Relaxed);
    }

    fn give_up_if_late(&self) {
        // Hold the lock while setting the flag, so that the flag cannot cancel the next job.
        let mut job = self.job();
        if job.as_ref().is_some_and(|(begun, patience)| patience.is_over(begun.elapsed())) {
            *job = None;
            self.flag.store(true, Relaxed);
        }
    }

    /// Cancels the current job. Later jobs are cancelled by `begin` if `stop` is set.
    fn end(&self) {
        let _job = self.job();
        self.flag.store(true, Relaxed);
    }
}

struct JobQueue<J> {
    jobs: VecDeque<J>,
    /// Number of jobs that run or whose results were not handled yet.
    open: usize,
    is_over: bool,
}

fn lock<J>(queue: &Mutex<JobQueue<J>>) -> MutexGuard<'_, JobQueue<J>> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs the jobs on `threads` threads, in order. An idle thread helps the other threads.
///
/// Each thread calls `begin` once, and then the returned closure for each job, with a callback that
/// sends results. The caller's thread passes all results received since the last call to `take`,
/// which may add jobs at the front of the queue. The run ends early when `take` or a job returns
/// `false`, or at an interrupt. If the queue is empty and a core is idle, the flag in the limits of
/// a job cancels the job once its `patience` is over. If no thread can be started, the caller's
/// thread runs the jobs.
pub(super) fn run<J, T, W>(
    jobs: Vec<J>,
    threads: usize,
    limits: &Limits,
    patience: &(dyn Fn(&J) -> Option<Patience> + Sync),
    begin: impl Fn(&Arc<Cores>) -> W + Sync,
    mut take: impl FnMut(Vec<T>, &mut Vec<J>) -> bool,
) where
    J: Send,
    T: Send,
    W: FnMut(J, &Limits, &dyn Fn(T) -> bool) -> bool,
{
    let stop = AtomicBool::new(false);
    let places: Vec<JobSlot> = (0..threads.max(1)).map(|_| JobSlot::default()).collect();
    let end_all = || {
        stop.store(true, Relaxed);
        places.iter().for_each(JobSlot::end);
    };
    let memory = limits.memory.map(|bytes| bytes / threads.max(1));
    let limits = limits.clone().memory(memory);
    let cores = Cores::new(if threads == 1 { 0 } else { threads });
    let queue = Mutex::new(JobQueue { jobs: VecDeque::from(jobs), open: 0, is_over: false });
    let has_changed = Condvar::new();
    // `Some` is a result, and `None` is the end of a job.
    let (send, receive) = sync_channel::<Option<T>>(WAITING * threads.max(1));
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
    let mut has_threads = false;
    thread::scope(|scope| {
        for place in &places {
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
            if threads::start_scoped(scope, work).is_err() {
                break;
            }
            has_threads = true;
        }
        drop(send);
        if !has_threads {
            return;
        }
        let mut is_wanted = true;
        let mut more = Vec::new();
        let (mut looked, mut idle) = (Instant::now(), Duration::ZERO);
        loop {
            match receive.recv_timeout(PATIENCE) {
                Ok(first) => {
                    let all: Vec<_> = std::iter::once(first).chain(receive.try_iter()).collect();
                    let ended = all.iter().filter(|event| event.is_none()).count();
                    let results: Vec<T> = all.into_iter().flatten().collect();
                    // Ignore results that arrive after the run was stopped.
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
            // The racing methods use other cores in turns, so a core with such work is only idle
            // from time to time.
            let is_idle = cores.idle() > 0 && lock(&queue).jobs.is_empty();
            let time = std::mem::replace(&mut looked, Instant::now()).elapsed();
            idle = if is_idle { idle + time } else { idle.saturating_sub(time) };
            if idle > IDLE {
                idle = Duration::ZERO;
                places.iter().for_each(JobSlot::give_up_if_late);
            }
        }
    });
    if !has_threads {
        let limits = limits.clone().cancel(interrupt::watch());
        let work = begin(cores);
        run_alone(&queue, &limits, work, take);
    }
}

/// Does the same as [`run`] in the caller's thread.
fn run_alone<J, T>(
    queue: &Mutex<JobQueue<J>>,
    limits: &Limits,
    mut work: impl FnMut(J, &Limits, &dyn Fn(T) -> bool) -> bool,
    take: impl FnMut(Vec<T>, &mut Vec<J>) -> bool,
) {
    let (take, more) = (RefCell::new(take), RefCell::new(Vec::new()));
    let is_wanted = Cell::new(true);
    let send = |result| {
        is_wanted.set(is_wanted.get() && take.borrow_mut()(vec![result], &mut more.borrow_mut()));
        is_wanted.get()
    };
    let next = || lock(queue).jobs.pop_front();
    while let Some(job) = next() {
        if !work(job, limits, &send) || !is_wanted.get() || interrupt::happened() {
            break;
        }
        let mut queue = lock(queue);
        more.borrow_mut().drain(..).rev().for_each(|job| queue.jobs.push_front(job));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_added_by_the_result_handler_run_on_idle_threads() {
        for threads in [1, 2, 5] {
            // Each job `n` is replaced by one job for each number below `n`.
            let mut sum = 0;
            let begin = |_: &Arc<Cores>| |job: u32, _: &Limits, send: &dyn Fn(u32) -> bool| send(job);
            run(vec![7, 3], threads, &Limits::new(), &|_| None, begin, |found, more| {
                for number in found {
                    sum += 1;
                    more.extend((0..number).filter(|_| number > 0));
                }
                true
            });
            // In each of the two trees, node `n` has the children 0 to `n - 1`, so the tree has 2^n
            // nodes.
            assert_eq!(sum, (1 << 7) + (1 << 3));
            // A handler that returns `false` ends the run.
            let mut taken = 0;
            let begin = |_: &Arc<Cores>| |job: u32, _: &Limits, send: &dyn Fn(u32) -> bool| send(job);
            run((0..1000).collect(), threads, &Limits::new(), &|_| None, begin, |_, _| {
                taken += 1;
                false
            });
            assert_eq!(taken, 1);
        }
    }

    #[test]
    fn without_threads_the_caller_runs_all_jobs() {
        let mut jobs: Vec<u32> = Vec::new();
        let begin = |_: &Arc<Cores>| |job: u32, _: &Limits, send: &dyn Fn(u32) -> bool| send(job);
        threads::without(|| {
            run(vec![2, 5], 3, &Limits::new(), &|_| None, begin, |found, more| {
                assert_eq!(found.len(), 1);
                jobs.extend(&found);
                more.extend((0..2).filter(|_| found == [2]));
                jobs.len() < 4
            });
        });
        // The jobs that the handler adds come first, and its `false` ends the run.
        assert_eq!(jobs, [2, 0, 1, 5]);
    }

    #[test]
    fn a_long_job_is_given_up_while_other_threads_are_idle() {
        // Each original job runs until it is cancelled, and its parts finish at once.
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
        });
        assert_eq!(parts, 30);
    }
}
