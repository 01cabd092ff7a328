//! Long calls without the interpreter lock, with prompt reactions to Ctrl-C and with progress
//! reports.
//!
//! Most calls are short, so the work is first tried on the caller's thread for [`TRIAL`]. Longer
//! work restarts on its own thread without that limit. Meanwhile the caller's thread acquires the
//! interpreter lock every [`LOOK`]. The thread runs Python's signal handlers, checks whether
//! another thread requests cancellation, and reports progress. An exception cancels the work, and
//! has the partial result. Parts of longer work, such as shards, get no trial, because the lost
//! time would add up.
//!
//! No thread outlives its call, so a program may fork between two calls.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use dlx::parallel::Cores;
use dlx::{End, Limit, Limits, Progress};
use num_bigint::BigUint;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt};
use text::{InputError, TextLimit};

pyo3::import_exception!(farandole.errors, ParseError);

/// Time limit of the trial on the caller's thread.
const TRIAL: Duration = Duration::from_millis(2);
/// Interval between two checks of signals and progress reports.
const LOOK: Duration = Duration::from_millis(50);

/// Limits that the caller requests, taken from the attributes of a `farandole._limits.Limits`
/// object.
#[derive(Default, FromPyObject)]
pub(crate) struct Asked {
    limit: Option<u64>,
    time: Option<f64>,
    nodes: Option<u64>,
    memory: Option<usize>,
    threads: Option<usize>,
    /// The name of the algorithm that searches; by default the algorithm is chosen.
    engine: Option<String>,
    /// An object such as `threading.Event`, whose method `is_set()` returns whether to cancel.
    cancel: Option<Py<PyAny>>,
    /// A callable that takes the finished fraction, the nodes, the solutions, the seconds left or
    /// `None`, and the name of the method or `None`.
    report: Option<Py<PyAny>>,
}

impl Asked {
    pub(crate) fn limits(&self) -> Limits {
        let time = self.time.and_then(|time| Duration::try_from_secs_f64(time).ok());
        Limits::new().solutions(self.limit).nodes(self.nodes).memory(self.memory).within(time)
    }

    /// Returns the name of the algorithm that searches.
    pub(crate) fn engine(&self) -> &str {
        self.engine.as_deref().unwrap_or("auto")
    }

    /// Returns the requested number of threads; by default, the number that the machine can run at
    /// once.
    pub(crate) fn threads(&self) -> usize {
        self.threads.unwrap_or_else(machine_threads)
    }

    pub(crate) fn is_cancelled(&self, py: Python<'_>) -> PyResult<bool> {
        let Some(cancel) = &self.cancel else { return Ok(false) };
        cancel.bind(py).call_method0("is_set")?.is_truthy()
    }

    /// Returns the cores that the work may use in addition to the core of its own thread.
    pub(crate) fn cores(&self) -> Arc<Cores> {
        Cores::new(self.threads().saturating_sub(1))
    }

    /// Runs signal handlers, reports progress, and returns whether to cancel the work.
    ///
    /// # Errors
    /// Exceptions of a handler or of the caller's objects.
    pub(crate) fn look(&self, py: Python<'_>, progress: &Progress) -> PyResult<bool> {
        py.check_signals()?;
        self.tell(py, progress)?;
        self.is_cancelled(py)
    }

    /// Checks how the work on a text ended.
    ///
    /// # Errors
    /// `LimitReached` or `Interrupted` if a limit ended it.
    fn check_end(&self, py: Python<'_>, end: End) -> PyResult<()> {
        let end = match name(end) {
            Some("interrupt") if self.is_cancelled(py)? => Some("cancel"),
            end => end,
        };
        let errors = py.import("farandole.errors")?;
        errors.call_method1("check_end", (end, "the work on the text", py.None())).map(drop)
    }

    fn tell(&self, py: Python<'_>, progress: &Progress) -> PyResult<()> {
        let Some(report) = &self.report else { return Ok(()) };
        let count = progress.of_count();
        let left = count.as_ref().and_then(|count| count.left).map(|left| left.as_secs_f64());
        let method = count.map(|count| count.method);
        let numbers = (progress.fraction(), progress.nodes(), progress.solutions(), left, method);
        report.call1(py, numbers).map(drop)
    }
}

/// Returns the number of threads that the machine can run at once. The value is cached, because on
/// Linux the query reads control-group files.
fn machine_threads() -> usize {
    static THREADS: OnceLock<usize> = OnceLock::new();
    *THREADS.get_or_init(|| thread::available_parallelism().map_or(1, Into::into))
}

/// The reason why a call ended early, as a name for Python; `None` if the call has its full answer.
pub(crate) type EndName = Option<&'static str>;

/// Returns the reason why the work ended early, as a name for Python.
pub(crate) fn name(end: End) -> EndName {
    match end {
        End::Limit(limit) => Some(match limit {
            Limit::Solutions => "limit",
            Limit::Nodes => "nodes",
            Limit::Time => "time",
            Limit::Memory => "memory",
            Limit::Cancelled => "interrupt",
            _ => "numbers",
        }),
        _ => None,
    }
}

/// A number of any size, which becomes a Python `int`.
pub(crate) struct Number(pub(crate) BigUint);

impl<'py> IntoPyObject<'py> for Number {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match u64::try_from(&self.0) {
            Ok(number) => Ok(number.into_pyobject(py)?.into_any()),
            Err(_) => {
                let bytes = PyBytes::new(py, &self.0.to_bytes_le());
                py.get_type::<PyInt>().call_method1("from_bytes", (bytes, "little"))
            }
        }
    }
}

/// Reads or writes a text within the requested limits.
///
/// # Errors
/// The exceptions of limits and interrupts, and the errors of [`run`].
pub(crate) fn on_text<T: Send>(
    py: Python<'_>,
    asked: &Asked,
    mut work: impl FnMut(&Limits) -> Result<T, InputError> + Send,
) -> PyResult<Result<T, InputError>> {
    let (end, done) = run(py, asked, |limits| ended(work(limits)))?;
    asked.check_end(py, end).map(|()| done)
}

/// Does the same as [`on_text`], but calls `work` only once, on a thread of its own.
///
/// # Errors
/// As [`on_text`].
pub(crate) fn on_long_text<T: Send>(
    py: Python<'_>,
    asked: &Asked,
    work: impl FnOnce(&Limits) -> Result<T, InputError> + Send,
) -> PyResult<Result<T, InputError>> {
    let (end, done) = run_long(py, asked, |limits| ended(work(limits)))?;
    asked.check_end(py, end).map(|()| done)
}

/// Returns how the work on a text ended, with its result.
fn ended<T>(read: Result<T, InputError>) -> (End, Result<T, InputError>) {
    let limit = read.as_ref().err().and_then(|error| error.limit).map(|limit| match limit {
        TextLimit::Time => Limit::Time,
        TextLimit::Memory => Limit::Memory,
        TextLimit::Interrupt => Limit::Cancelled,
    });
    (limit.map_or(End::Exhausted, End::Limit), read)
}

/// Draws a picture. Only Ctrl-C can interrupt this.
///
/// # Errors
/// `KeyboardInterrupt`, and the errors of [`run`].
pub(crate) fn on_picture<T: Send>(
    py: Python<'_>,
    mut draw: impl FnMut(&Limits) -> Result<T, Limit> + Send,
) -> PyResult<T> {
    let (_, drawn) = run(py, &Asked::default(), |limits| {
        let drawn = draw(limits);
        (drawn.as_ref().err().map_or(End::Exhausted, |&limit| End::Limit(limit)), drawn)
    })?;
    drawn.map_err(|_| PyKeyboardInterrupt::new_err(()))
}

pub(crate) fn parse_error(error: InputError) -> PyErr {
    let excerpt = error.excerpt();
    let InputError { line, column, message, .. } = error;
    ParseError::new_err((message, line, column, excerpt))
}

/// Runs `work` within the requested limits and without the interpreter lock. `work` may be called
/// twice, and returns how it ended.
///
/// # Errors
/// Exceptions of a signal handler or of the progress report. Ctrl-C is no error here: the work ends
/// with [`Limit::Cancelled`], as after a cancellation.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    asked: &Asked,
    mut work: impl FnMut(&Limits) -> (End, T) + Send,
) -> PyResult<(End, T)> {
    let limits = asked.limits();
    if asked.is_cancelled(py)? {
        return Ok(py.detach(|| work(&limits.cancel(Arc::new(AtomicBool::new(true))))));
    }
    let begun = Instant::now();
    let trial_end = begun + TRIAL;
    let is_short = limits.deadline.is_some_and(|deadline| deadline <= trial_end);
    let trial = if is_short { limits.clone() } else { limits.clone().deadline(trial_end) };
    let tried = py.detach(|| work(&trial));
    if is_short || tried.0 != End::Limit(Limit::Time) {
        return Ok(tried);
    }
    drop(tried);
    py.check_signals()?;
    run_on_thread(py, asked, &limits, work)
}

/// Does the same as [`run`], but starts a thread at once. For frequent long work, where a trial
/// would lose time.
///
/// # Errors
/// As [`run`].
pub(crate) fn run_long<T: Send>(
    py: Python<'_>,
    asked: &Asked,
    work: impl FnOnce(&Limits) -> (End, T) + Send,
) -> PyResult<(End, T)> {
    run_on_thread(py, asked, &asked.limits(), work)
}

fn run_on_thread<T: Send>(
    py: Python<'_>,
    asked: &Asked,
    limits: &Limits,
    work: impl FnOnce(&Limits) -> (End, T) + Send,
) -> PyResult<(End, T)> {
    let cancel = Arc::new(AtomicBool::new(false));
    let progress = Arc::new(Progress::default());
    let limits = limits.clone().cancel(Arc::clone(&cancel)).progress(Arc::clone(&progress));
    let mut raised = None;
    let done = thread::scope(|scope| {
        let (alive, mut is_over) = mpsc::channel::<()>();
        let worker =
            thread::Builder::new().name("farandole".into()).spawn_scoped(scope, move || {
                let _alive = alive;
                work(&limits)
            })?;
        loop {
            let is_over = &mut is_over;
            let waited = py.detach(move || is_over.recv_timeout(LOOK));
            if waited == Err(RecvTimeoutError::Disconnected) {
                break;
            }
            if raised.is_some() {
                continue;
            }
            match asked.look(py, &progress) {
                Ok(false) => {}
                Ok(true) => cancel.store(true, Relaxed),
                Err(error) => {
                    cancel.store(true, Relaxed);
                    raised = Some(error);
                }
            }
        }
        Ok(py.detach(|| worker.join()))
    });
    let done = done.map_err(|error: std::io::Error| {
        PyRuntimeError::new_err(format!("cannot start a thread: {error}"))
    })?;
    let done = done.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    match raised {
        // The work may have finished before the interrupt.
        Some(error) if error.get_type(py).is(py.get_type::<PyKeyboardInterrupt>()) => {
            Ok((End::Limit(Limit::Cancelled), done.1))
        }
        Some(error) => Err(error),
        None => Ok(done),
    }
}
