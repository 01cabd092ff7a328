//! The search for all solutions of a puzzle, which Python takes in blocks.
//!
//! Many callers want the first solution only, or have a puzzle with few solutions, for which a
//! thread would take longer than the search. So the caller's thread searches first: once until it
//! has [`FIRST`] solutions, and once for all solutions, each within [`ALONE`]. After that a thread
//! finds them while Python consumes earlier solutions. Python then takes all queued solutions at
//! once, and waits a little until they are [`PORTION`] bytes, because each wait costs a change of
//! threads. The search waits while the queue has more than [`ROOM`] bytes.
//!
//! Each of these searches begins anew, and skips the solutions that Python has, whatever the order
//! in which it finds them. A search belongs to the process that began it, because a fork does not
//! copy its thread.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::process;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use dlx::{End, Limit, Limits, OptionId, Progress, Unsupported};
use farandole::algorithm::Algorithm;
use puzzle::Puzzle;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::call::{self, Asked, EndName};
use crate::cover::Block;
use crate::puzzle::Core;
use crate::questions::{algorithm, unsupported};

/// Number of solutions after which the first search on the caller's thread ends.
const FIRST: usize = 4;
/// Time limit of a search on the caller's thread; a few times what it takes to start a thread.
const ALONE: Duration = Duration::from_micros(500);
/// Number of solutions between two checks of [`ALONE`].
const CHECK: usize = 32;
/// Size of the queue above which the search waits (bytes).
const ROOM: usize = 1 << 20;
/// Size of the queue for which Python waits at first (bytes), and the longest such wait.
const PORTION: usize = 1 << 14;
const PORTION_WAIT: Duration = Duration::from_millis(1);
/// Interval between two checks of signals and progress reports.
const LOOK: Duration = Duration::from_millis(50);

#[pyclass(frozen, module = "farandole._farandole")]
pub(crate) struct Covers {
    asked: Asked,
    puzzle: Arc<dyn Puzzle>,
    limits: Limits,
    shared: Arc<Shared>,
    stage: Mutex<Stage>,
    told: Mutex<Instant>,
    process: u32,
}

/// The stages of the search, in this order.
enum Stage {
    /// No search has run.
    First(Search),
    /// Python has the first solutions.
    Second(Search),
    /// A thread searches, or no search is needed any more.
    Thread(Option<JoinHandle<()>>),
}

/// A search that can begin anew.
struct Search {
    algorithm: Box<dyn Algorithm>,
    /// The solutions that Python has, each as ascending numbers of options.
    delivered: HashSet<Box<[u32]>>,
}

impl Search {
    /// Searches from the beginning, and passes on the solutions that Python does not have.
    ///
    /// # Errors
    /// If the algorithm cannot search the puzzle.
    fn run(
        &mut self,
        puzzle: &dyn Puzzle,
        limits: &Limits,
        put: &mut dyn FnMut(&[OptionId]) -> ControlFlow<()>,
    ) -> Result<End, Unsupported> {
        let mut delivered = self.delivered.clone();
        let mut left = limits.solutions.map(|most| most.saturating_sub(delivered.len() as u64));
        let searched = self.algorithm.search(puzzle, limits, &mut |cover| {
            let numbers = || sorted(cover.iter().map(|option| option.index() as u32));
            if !delivered.is_empty() && delivered.remove(&numbers()) {
                return ControlFlow::Continue(());
            }
            if left == Some(0) {
                return ControlFlow::Break(());
            }
            left = left.map(|left| left - 1);
            put(cover)
        });
        Ok(match searched?.end {
            End::Stopped if left == Some(0) => End::Limit(Limit::Solutions),
            end => end,
        })
    }
}

fn sorted(numbers: impl Iterator<Item = u32>) -> Box<[u32]> {
    let mut numbers: Box<[u32]> = numbers.collect();
    numbers.sort_unstable();
    numbers
}

/// State that the search thread and the Python thread share.
struct Shared {
    waiting: Mutex<Waiting>,
    /// Signals that `wanted` bytes are queued or the search has ended.
    is_there: Condvar,
    /// Signals that the queue has room again or the search must stop.
    is_taken: Condvar,
    cancel: Arc<AtomicBool>,
    progress: Arc<Progress>,
}

#[derive(Default)]
struct Waiting {
    covers: Block,
    /// Number of bytes for which Python waits, or `None` if it does not wait.
    wanted: Option<usize>,
    end: Option<End>,
}

/// Marks the search as ended when it is dropped, even after a panic.
struct Ending<'s>(&'s Shared, End);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.lock().end = Some(self.1);
        self.0.is_there.notify_one();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        lock(&self.waiting)
    }

    /// Queues a solution; waits while the queue is full.
    fn put(&self, cover: &[OptionId]) -> ControlFlow<()> {
        let mut waiting = self.lock();
        waiting.covers.push(cover);
        let bytes = waiting.covers.bytes();
        if waiting.wanted.is_some_and(|wanted| bytes >= wanted) {
            waiting.wanted = None;
            self.is_there.notify_one();
        }
        while waiting.covers.bytes() >= ROOM && !self.cancel.load(Relaxed) {
            waiting = self.is_taken.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        if self.cancel.load(Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Takes the queued solutions and, at its end, how the search ended. Waits for a limited time
    /// if there is neither a solution nor an end.
    fn take(&self) -> (Block, Option<End>) {
        let mut waiting = self.lock();
        for (wanted, time) in [(PORTION, PORTION_WAIT), (1, LOOK)] {
            if waiting.covers.bytes() >= wanted || waiting.end.is_some() {
                break;
            }
            waiting.wanted = Some(wanted);
            let waited = self.is_there.wait_timeout(waiting, time);
            waiting = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        waiting.wanted = None;
        let taken = (std::mem::take(&mut waiting.covers), waiting.end);
        self.is_taken.notify_one();
        taken
    }

    fn stop(&self) {
        self.cancel.store(true, Relaxed);
        // With the lock held, the search thread is not between its check of the flag and its wait.
        drop(self.lock());
        self.is_taken.notify_one();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Covers {
    /// Searches on the caller's thread for up to `most` solutions. Also returns the end of the
    /// search, unless `most` or [`ALONE`] cut it.
    ///
    /// # Errors
    /// If the algorithm cannot search the puzzle.
    fn search_alone(
        &self,
        search: &mut Search,
        most: usize,
    ) -> Result<(Block, Option<End>), Unsupported> {
        let end = Instant::now() + ALONE;
        let is_short = self.limits.deadline.is_some_and(|deadline| deadline <= end);
        let limits = self.limits.clone();
        let limits = if is_short { limits } else { limits.deadline(end) };
        let mut found = Block::default();
        let ended = search.run(&*self.puzzle, &limits, &mut |cover| {
            found.push(cover);
            let is_late = || found.len().is_multiple_of(CHECK) && Instant::now() >= end;
            if found.len() == most || is_late() {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        Ok(match ended? {
            End::Stopped => (found, None),
            End::Limit(Limit::Time) if !is_short => (found, None),
            ended => (found, Some(ended)),
        })
    }

    /// Runs the searches on the caller's thread that are left, until one has an answer for Python.
    /// Otherwise starts the thread, which queues its answers.
    fn answer_alone(&self) -> PyResult<Option<(Block, Option<End>)>> {
        let mut stage = lock(&self.stage);
        loop {
            let (mut search, most) = match std::mem::replace(&mut *stage, Stage::Thread(None)) {
                Stage::First(search) => (search, FIRST),
                Stage::Second(search) => (search, usize::MAX),
                thread @ Stage::Thread(_) => {
                    *stage = thread;
                    return Ok(None);
                }
            };
            let searched = self.search_alone(&mut search, most);
            let (found, end) = searched.map_err(|reason| unsupported(&self.asked, reason))?;
            if end.is_some() {
                self.shared.lock().end = end;
                return Ok(Some((found, end)));
            }
            if found.len() == most {
                search.delivered = found.iter().map(|cover| sorted(cover.iter().copied())).collect();
                *stage = Stage::Second(search);
                return Ok(Some((found, None)));
            }
            *stage = Stage::Thread(Some(self.start(search)?));
        }
    }

    fn start(&self, mut search: Search) -> PyResult<JoinHandle<()>> {
        let (puzzle, limits) = (Arc::clone(&self.puzzle), self.limits.clone());
        let shared = Arc::clone(&self.shared);
        let run = move || {
            let mut ending = Ending(&shared, End::Stopped);
            let searched = search.run(&*puzzle, &limits, &mut |cover| shared.put(cover));
            // The search on the caller's thread has reported an unsupported puzzle.
            ending.1 = searched.unwrap_or(End::Stopped);
        };
        let thread = thread::Builder::new().name("farandole".into()).spawn(run);
        thread.map_err(|error| PyRuntimeError::new_err(format!("cannot start a thread: {error}")))
    }
}

#[pymethods]
impl Covers {
    #[new]
    fn new(core: &Core, asked: Asked) -> PyResult<Self> {
        let shared = Arc::new(Shared {
            waiting: Mutex::default(),
            is_there: Condvar::new(),
            is_taken: Condvar::new(),
            cancel: Arc::default(),
            progress: Arc::default(),
        });
        let search = Search { algorithm: algorithm(&asked)?, delivered: HashSet::new() };
        let cancel = Arc::clone(&shared.cancel);
        let limits = asked.limits().cancel(cancel).progress(Arc::clone(&shared.progress));
        Ok(Self {
            asked,
            puzzle: Arc::clone(core.puzzle()),
            limits,
            shared,
            stage: Mutex::new(Stage::First(search)),
            told: Mutex::new(Instant::now()),
            process: process::id(),
        })
    }

    /// Takes solutions, at least one unless the search has ended. Also returns whether it has
    /// ended, and the reason.
    fn take(&self, py: Python<'_>) -> PyResult<(Block, bool, EndName)> {
        if process::id() != self.process {
            let message = "the iteration belongs to the process that began it, before a fork";
            return Err(PyRuntimeError::new_err(message));
        }
        if let Some((covers, end)) = py.detach(|| self.answer_alone())? {
            return Ok((covers, end.is_some(), end.and_then(call::name)));
        }
        loop {
            let (covers, end) = py.detach(|| self.shared.take());
            let mut told = lock(&self.told);
            if told.elapsed() >= LOOK && end.is_none() {
                *told = Instant::now();
                drop(told);
                if self.asked.look(py, &self.shared.progress)? {
                    self.stop(py)?;
                    let end = call::name(End::Limit(Limit::Cancelled));
                    return Ok((Block::default(), true, end));
                }
            }
            if !covers.is_empty() {
                return Ok((covers, false, None));
            }
            if let Some(end) = end {
                self.stop(py)?;
                return Ok((covers, true, call::name(end)));
            }
        }
    }

    /// Stops the search and waits until its thread has ended.
    ///
    /// # Errors
    /// If the search thread panicked, which is a bug.
    fn stop(&self, py: Python<'_>) -> PyResult<()> {
        if process::id() != self.process {
            return Ok(());
        }
        self.shared.stop();
        let stage = std::mem::replace(&mut *lock(&self.stage), Stage::Thread(None));
        let Stage::Thread(Some(thread)) = stage else { return Ok(()) };
        py.detach(|| thread.join()).unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        Ok(())
    }
}

impl Drop for Covers {
    fn drop(&mut self) {
        if process::id() == self.process {
            self.shared.stop();
        }
    }
}
