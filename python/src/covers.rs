//! An iterator over solutions. A thread finds them while Python consumes earlier solutions.
//!
//! Python takes all queued solutions at once. The search waits while the queue has more than
//! [`ROOM`] bytes. A search belongs to the process that began it, because a fork does not copy its
//! thread.

use std::ops::ControlFlow;
use std::process;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use dlx::{End, Limit, Progress};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::call::{self, Asked, EndName};
use crate::puzzle::Core;
use crate::questions::{algorithm, numbers};

const ROOM: usize = 1 << 20;
/// Interval between two checks of signals and progress reports.
const LOOK: Duration = Duration::from_millis(50);

#[pyclass(frozen, module = "farandole._farandole")]
pub(crate) struct Covers {
    asked: Asked,
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
    told: Mutex<Instant>,
    process: u32,
}

/// State that the search thread and the Python thread share.
struct Shared {
    waiting: Mutex<Waiting>,
    /// Signals that a solution was queued or the search has ended.
    is_there: Condvar,
    /// Signals that the queue has room again or the search must stop.
    is_taken: Condvar,
    cancel: Arc<AtomicBool>,
    progress: Arc<Progress>,
}

#[derive(Default)]
struct Waiting {
    covers: Vec<Vec<usize>>,
    bytes: usize,
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
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a solution; waits while the queue is full.
    fn put(&self, cover: Vec<usize>) -> ControlFlow<()> {
        let mut waiting = self.lock();
        waiting.bytes += size_of_val(&*cover) + size_of_val(&cover);
        waiting.covers.push(cover);
        self.is_there.notify_one();
        while waiting.bytes >= ROOM && !self.cancel.load(Relaxed) {
            waiting = self.is_taken.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        if self.cancel.load(Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Takes the queued solutions and, at its end, how the search ended. Waits for a limited time
    /// if there is neither a solution nor an end.
    fn take(&self) -> (Vec<Vec<usize>>, Option<End>) {
        let mut waiting = self.lock();
        if waiting.covers.is_empty() && waiting.end.is_none() {
            let waited = self.is_there.wait_timeout(waiting, LOOK);
            waiting = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        waiting.bytes = 0;
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
        let (puzzle, mut algorithm) = (Arc::clone(core.puzzle()), algorithm(&asked));
        let cancel = Arc::clone(&shared.cancel);
        let limits = asked.limits().cancel(cancel).progress(Arc::clone(&shared.progress));
        let its = Arc::clone(&shared);
        let search = move || {
            let mut ending = Ending(&its, End::Stopped);
            let searched = algorithm.search(&*puzzle, &limits, &mut |cover| its.put(numbers(cover)));
            ending.1 = searched.expect("it takes any puzzle").end;
        };
        let thread = thread::Builder::new().name("farandole".into()).spawn(search);
        let thread = thread
            .map_err(|error| PyRuntimeError::new_err(format!("cannot start a thread: {error}")))?;
        Ok(Self {
            asked,
            shared,
            thread: Mutex::new(Some(thread)),
            told: Mutex::new(Instant::now()),
            process: process::id(),
        })
    }

    /// Takes the queued solutions, at least one unless the search has ended. Also returns whether
    /// it has ended, and the reason.
    fn take(&self, py: Python<'_>) -> PyResult<(Vec<Vec<usize>>, bool, EndName)> {
        if process::id() != self.process {
            let message = "the iteration belongs to the process that began it, before a fork";
            return Err(PyRuntimeError::new_err(message));
        }
        loop {
            let (covers, end) = py.detach(|| self.shared.take());
            let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
            if told.elapsed() >= LOOK && end.is_none() {
                *told = Instant::now();
                drop(told);
                if self.asked.look(py, &self.shared.progress)? {
                    self.stop(py)?;
                    return Ok((Vec::new(), true, call::name(End::Limit(Limit::Cancelled))));
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
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(thread) = thread else { return Ok(()) };
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
