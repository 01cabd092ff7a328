//! Shards (the parts of a count), the whole problem, the sum of the counts, and the journal.
//!
//! In Python, shards and counts are lines of the file format (`farandole::shards`), so the network,
//! files and the command line use the same format.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use dlx::shards::{
    Shard, ShardCount, ShardCounter, ShardLister, ShardTally, split, split_apart, split_further,
};
use dlx::{End, Limit, Limits, OptionId, Problem};
use farandole::shards::file::{self, OpenShards, Whole};
use farandole::shards::journal::{self, Journal};
use farandole::shards::lines::{self, CountEffort, Header, Splitting};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::call::{self, Asked, EndName, Number};
use crate::puzzle::Core;

/// Builds the error for an invalid line, shard or set of shards.
pub(crate) fn refused(message: impl Into<String>) -> PyErr {
    PyValueError::new_err(message.into())
}

/// Returns how the work ended, and its result. If a limit ended it, the result is the value of
/// `otherwise`.
pub(crate) fn ended<T>(made: Result<T, Limit>, otherwise: impl FnOnce() -> T) -> (End, T) {
    match made {
        Ok(made) => (End::Exhausted, made),
        Err(limit) => (End::Limit(limit), otherwise()),
    }
}

fn open(line: &str) -> PyResult<serde_json::Map<String, serde_json::Value>> {
    lines::open(line.trim_end_matches('\n').as_bytes()).map_err(refused)
}

/// A problem with its given options, which the shards divide into parts.
#[pyclass(frozen, module = "farandole._farandole", name = "Whole")]
pub(crate) struct PyWhole {
    whole: Whole,
    /// Counters that are not in use. The number of counters is at most the number of shards counted
    /// at the same time.
    counters: Mutex<Vec<ShardCounter>>,
}

impl From<Whole> for PyWhole {
    fn from(whole: Whole) -> Self {
        Self { whole, counters: Mutex::default() }
    }
}

impl PyWhole {
    pub(crate) fn problem(&self) -> &Arc<Problem> {
        self.whole.problem()
    }

    pub(crate) fn whole(&self) -> &Whole {
        &self.whole
    }

    pub(crate) fn given(&self) -> &[OptionId] {
        self.whole.given()
    }

    pub(crate) fn shard(&self, line: &str) -> PyResult<Shard> {
        let option_count = self.whole.problem().option_count();
        lines::shard(&open(line)?, self.whole.digest(), option_count).map_err(refused)
    }

    pub(crate) fn lines(&self, shards: &[Shard]) -> Vec<String> {
        let digest = self.whole.digest();
        shards.iter().map(|shard| lines::seal(&lines::of_shard(shard, digest))).collect()
    }

    /// Returns shards as lines; if a limit ended the work, returns no lines.
    pub(crate) fn ended(
        &self,
        (end, shards): (End, Result<Vec<Shard>, String>),
    ) -> PyResult<(EndName, Vec<String>)> {
        Ok((call::name(end), self.lines(&shards.map_err(refused)?)))
    }
}

#[pymethods]
impl PyWhole {
    /// Builds the whole problem from a puzzle.
    #[new]
    fn new(py: Python<'_>, core: &Core) -> PyResult<Self> {
        let (problem, given) = (core.problem(), core.given());
        let whole = py.detach(|| Whole::new(problem, given, &Limits::new()));
        Ok(whole.expect("nothing is limited").map_err(refused)?.into())
    }

    /// Reads the whole problem from the header of a file of shards.
    #[staticmethod]
    fn read(py: Python<'_>, header: &str) -> PyResult<Self> {
        let object = open(header)?;
        Ok(py.detach(|| Whole::read(&object)).map_err(refused)?.into())
    }

    #[getter]
    fn digest(&self) -> String {
        self.whole.digest().to_string()
    }

    fn header(&self, asked: usize, lines: Vec<String>) -> PyResult<String> {
        let shards = lines.iter().map(|line| self.shard(line)).collect::<PyResult<Vec<_>>>()?;
        Ok(self.whole.header(asked, &shards))
    }

    fn journal_header(&self, asked: usize, lines: Vec<String>) -> PyResult<String> {
        let shards = lines.iter().map(|line| self.shard(line)).collect::<PyResult<Vec<_>>>()?;
        Ok(lines::seal(&Header::new(*self.whole.digest(), asked, &shards).object(journal::KIND)))
    }

    /// Splits the count into shards; returns their lines.
    fn split(&self, py: Python<'_>, count: usize, asked: Asked) -> PyResult<(EndName, Vec<String>)> {
        let (problem, given) = (self.whole.problem(), self.whole.given());
        let made = call::run(py, &asked, |limits| {
            ended(split(problem, given, count, limits).map(Ok), || Ok(Vec::new()))
        })?;
        self.ended(made)
    }

    /// Splits the problem into shards of weight 1; returns their lines.
    fn split_apart(
        &self,
        py: Python<'_>,
        count: usize,
        asked: Asked,
    ) -> PyResult<(EndName, Vec<String>)> {
        let made = call::run(py, &asked, |limits| {
            let made = split_apart(self.problem(), self.given(), count, limits);
            ended(made.map(Ok), || Ok(Vec::new()))
        })?;
        self.ended(made)
    }

    /// Lists the covers of a shard, each as ascending option numbers. Also returns the number of
    /// nodes of the search.
    fn list(
        &self,
        py: Python<'_>,
        line: &str,
        asked: Asked,
    ) -> PyResult<(EndName, Vec<Vec<usize>>, u64)> {
        let shard = self.shard(line)?;
        let (end, (covers, nodes)) = call::run_long(py, &asked, |limits| {
            let mut covers = Vec::new();
            let mut lister = ShardLister::new(self.problem().clone()).on(&asked.cores());
            let report = lister.search(&shard, limits, &mut |cover| {
                let mut cover = lines::numbers(cover);
                cover.sort_unstable();
                covers.push(cover);
                ControlFlow::Continue(())
            });
            (report.end, (covers, report.nodes))
        })?;
        Ok((call::name(end), covers, nodes))
    }

    /// Splits a shard further. Returns the lines of its parts, and the journal line that records
    /// the split.
    fn split_further(
        &self,
        py: Python<'_>,
        line: &str,
        count: usize,
        asked: Asked,
    ) -> PyResult<(EndName, Vec<String>, String)> {
        let shard = self.shard(line)?;
        let (end, parts) = call::run(py, &asked, |limits| {
            ended(split_further(self.whole.problem(), &shard, count, limits), Vec::new)
        })?;
        let splitting = Splitting::new(self.whole.digest(), &shard, count, &parts);
        Ok((call::name(end), self.lines(&parts), lines::seal(&splitting.object())))
    }

    /// Counts a shard. Returns the line of its count, or `None` if a limit ended the count.
    fn count(&self, py: Python<'_>, line: &str, asked: Asked) -> PyResult<(EndName, Option<String>)> {
        let shard = self.shard(line)?;
        let begun = Instant::now();
        let is_alone = asked.threads() == 1;
        let kept = is_alone.then(|| self.counters.lock().unwrap_or_else(PoisonError::into_inner).pop());
        let problem = || self.whole.problem().clone();
        let cores = asked.cores();
        let mut counter = match kept.flatten() {
            Some(counter) => counter,
            None => ShardCounter::new(problem()).on(&cores),
        };
        let (end, (count, nodes)) = call::run_long(py, &asked, |limits| {
            let report = counter.count(&shard, limits);
            (report.end, (report.total(), report.nodes))
        })?;
        if is_alone {
            self.counters.lock().unwrap_or_else(PoisonError::into_inner).push(counter);
        }
        if end != End::Exhausted {
            return Ok((call::name(end), None));
        }
        let count = shard.counted(self.whole.digest(), count);
        let effort = CountEffort { seconds: begun.elapsed().as_secs_f64(), nodes };
        Ok((None, Some(lines::seal(&lines::of_count(&count, &effort)))))
    }
}

/// The sum of the counts of shards.
#[pyclass(module = "farandole._farandole", name = "Tally")]
pub(crate) struct PyTally {
    tally: ShardTally,
}

#[pymethods]
impl PyTally {
    #[new]
    fn new(whole: &PyWhole) -> Self {
        Self { tally: ShardTally::new(*whole.whole.digest()) }
    }

    /// Adds the line of a count; returns `False` if this count was added before.
    fn add(&mut self, line: &str) -> PyResult<bool> {
        let count = lines::count(&open(line)?).map_err(refused)?;
        self.tally.add(count).map_err(|fault| refused(fault.to_string()))
    }

    /// Returns whether the count of the shard with this id was added.
    fn has(&self, id: &str) -> PyResult<bool> {
        Ok(self.tally.has(id.parse().map_err(|message: String| refused(message))?))
    }

    fn __len__(&self) -> usize {
        self.tally.len()
    }

    /// Returns the number of covers in the counts added so far.
    #[getter]
    fn known(&self) -> Number {
        Number(self.tally.known().clone())
    }

    /// Returns the number of all covers.
    fn total(&self) -> PyResult<Number> {
        self.tally.total().map(Number).map_err(|fault| refused(fault.to_string()))
    }
}

/// The file of a resumable count, open and locked.
#[pyclass(module = "farandole._farandole", name = "Journal")]
pub(crate) struct PyJournal {
    journal: Option<Journal>,
}

impl PyJournal {
    fn open(&mut self) -> PyResult<&mut Journal> {
        self.journal.as_mut().ok_or_else(|| refused("the journal is closed"))
    }
}

#[pymethods]
impl PyJournal {
    #[new]
    fn new(path: PathBuf, name: String) -> PyResult<Self> {
        let journal = Journal::open(&path, name).map_err(PyOSError::new_err)?;
        Ok(Self { journal: Some(journal) })
    }

    /// Returns the lines of all shards (`None` if the journal is new), and the lines of the
    /// recorded counts.
    fn read(
        &mut self,
        py: Python<'_>,
        whole: &PyWhole,
        shards: Option<usize>,
        asked: Asked,
    ) -> PyResult<(EndName, Option<Vec<String>>, Vec<String>)> {
        let journal = self.open()?;
        let digest = whole.whole.digest();
        let mut tally = ShardTally::new(*digest);
        let Some(plan) = journal.read(digest, shards, &mut tally).map_err(refused)? else {
            return Ok((None, None, Vec::new()));
        };
        let line = |count: &ShardCount| {
            let effort = journal.efforts.get(&count.id).copied();
            lines::seal(&lines::of_count(count, &effort.unwrap_or_default()))
        };
        let counts = tally.counts().map(line).collect();
        let (problem, given) = (whole.whole.problem(), whole.whole.given());
        let (end, made) = call::run(py, &asked, |limits| {
            let made = plan.shards(journal.name(), problem, given, limits);
            ended(made, || Ok(Vec::new()))
        })?;
        let (end, lines) = whole.ended((end, made))?;
        Ok((end, Some(lines), counts))
    }

    /// Returns the length of the incomplete last line that was cut off (bytes).
    #[getter]
    fn dropped(&mut self) -> PyResult<usize> {
        Ok(self.open()?.dropped)
    }

    /// Appends lines, and waits until they are on the disk.
    fn append(&mut self, py: Python<'_>, text: &str) -> PyResult<()> {
        let journal = self.open()?;
        py.detach(|| journal.append(text)).map_err(PyOSError::new_err)
    }

    fn close(&mut self) {
        self.journal = None;
    }
}

/// Reads a file of shards. Returns the whole problem, the lines of the shards still to be counted,
/// the lines of the counts, and the length of an incomplete last line (bytes).
#[pyfunction]
pub(crate) fn read_shards(
    name: &str,
    bytes: &Bound<'_, PyBytes>,
) -> PyResult<(PyWhole, Vec<String>, Vec<String>, usize)> {
    let (all, dropped) = file::read(name, bytes.as_bytes()).map_err(refused)?;
    let OpenShards { whole, shards, counts, .. } = OpenShards::read(all).map_err(refused)?;
    let whole = PyWhole::from(whole);
    let counts = counts.iter().map(|line| String::from_utf8_lossy(line).into_owned()).collect();
    let lines = whole.lines(&shards);
    Ok((whole, lines, counts, dropped))
}
