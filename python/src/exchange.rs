//! Counts by blocks of states: the plan, which every machine makes anew, and the ledger of the heads of blocks; and the short
//! count that says whether forms pay.

use std::time::{Duration, Instant};

use dlx::exchange::{BlockHead, BlockLedger, BlockPlan, ExchangeError, Survey, survey};
use dlx::{End, Limits};
use farandole::shards::lines::{self, CountEffort};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use crate::call::{self, Asked, EndName, Number};
use crate::shards::{PyWhole, ended};

fn refused(error: ExchangeError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// How the covers of a problem are counted by blocks of states.
#[pyclass(frozen, module = "farandole._farandole", name = "BlockPlan")]
pub(crate) struct PyPlan {
    plan: BlockPlan,
}

impl PyPlan {
    fn heads(&self, heads: &[PyBackedBytes]) -> PyResult<Vec<BlockHead>> {
        heads.iter().map(|head| self.plan.head(head).map_err(refused)).collect()
    }
}

#[pymethods]
impl PyPlan {
    /// Makes the plan with so many owners: by forms made at these sizes, or by a frontier without any.
    #[new]
    fn new(
        py: Python<'_>,
        whole: &PyWhole,
        owners: u32,
        memory: Option<usize>,
        sizes: Option<&str>,
    ) -> PyResult<Self> {
        let limits = Limits::new().memory(memory);
        let (problem, given) = (whole.problem(), whole.given());
        let plan = py.detach(|| match sizes {
            Some(sizes) => BlockPlan::of_forms(problem, given, owners, sizes, &limits),
            None => BlockPlan::of_frontier(problem, given, owners, &limits),
        });
        Ok(Self { plan: plan.map_err(refused)? })
    }

    /// The digest of the plan.
    #[getter]
    fn digest(&self) -> String {
        self.plan.digest().to_string()
    }

    /// The number of steps.
    #[getter]
    fn steps(&self) -> u32 {
        self.plan.steps()
    }

    /// The blocks with which the count begins.
    fn first<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyBytes>> {
        self.plan.first().iter().map(|block| PyBytes::new(py, block)).collect()
    }

    /// Returns the step, the owner and the number of states of a block or a head.
    fn head(&self, block: PyBackedBytes) -> PyResult<(u32, u32, u64)> {
        let head = self.plan.head(&block).map_err(refused)?;
        Ok((head.step, head.owner, head.states))
    }

    /// Expands all blocks of a step and an owner.
    fn expand<'py>(
        &self,
        py: Python<'py>,
        blocks: Vec<PyBackedBytes>,
        asked: Asked,
    ) -> PyResult<(EndName, Vec<Bound<'py, PyBytes>>)> {
        let (end, sent) =
            call::run_long(py, &asked, |limits| match self.plan.expand(&blocks, limits) {
                Ok(sent) => (End::Exhausted, Ok(sent)),
                Err(ExchangeError::Limit(limit)) => (End::Limit(limit), Ok(Vec::new())),
                Err(error) => (End::Exhausted, Err(error)),
            })?;
        let sent = sent.map_err(refused)?;
        Ok((call::name(end), sent.iter().map(|block| PyBytes::new(py, block)).collect()))
    }

    /// Estimates how many states are still to be expanded, given how many there were at each step before.
    fn states_left(&self, seen: Vec<u64>) -> f64 {
        self.plan.states_left(&seen)
    }

    /// Begins to keep account of the blocks.
    fn ledger(&self) -> PyLedger {
        PyLedger { ledger: self.plan.ledger() }
    }

    /// Goes on with the account of a count of which the blocks with these heads were kept, and no others.
    fn ledger_of(&self, kept: Vec<PyBackedBytes>) -> PyResult<PyLedger> {
        Ok(PyLedger { ledger: self.plan.ledger_of(&self.heads(&kept)?) })
    }
}

/// The account of the blocks of a count.
#[pyclass(module = "farandole._farandole", name = "BlockLedger")]
pub(crate) struct PyLedger {
    ledger: BlockLedger,
}

#[pymethods]
impl PyLedger {
    /// Notes that blocks of one step and owner were expanded, and which blocks came of them, all by their heads.
    fn expanded(
        &mut self,
        plan: &PyPlan,
        read: Vec<PyBackedBytes>,
        sent: Vec<PyBackedBytes>,
    ) -> PyResult<()> {
        let (read, sent) = (plan.heads(&read)?, plan.heads(&sent)?);
        self.ledger.expanded(&read, &sent).map_err(refused)
    }

    /// Checks that all that was sent to a step was expanded, once.
    fn close(&self, step: u32) -> PyResult<()> {
        self.ledger.close(step).map_err(refused)
    }

    /// Adds up the blocks that have come to an end.
    fn total(&self, ends: Vec<PyBackedBytes>) -> PyResult<Number> {
        self.ledger.total(&ends).map(Number).map_err(refused)
    }
}

/// Counts for so many seconds, or just learns where forms are made without any: returns how it ended, the line of the count if it is over, and else the sizes of a plan by
/// forms if these pay.
#[pyfunction]
pub(crate) fn survey_count(
    py: Python<'_>,
    whole: &PyWhole,
    line: &str,
    seconds: Option<f64>,
    asked: Asked,
) -> PyResult<(EndName, Option<String>, Option<String>)> {
    let shard = whole.shard(line)?;
    let time = seconds.map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX));
    let (begun, cores) = (Instant::now(), asked.cores());
    let (end, found) = call::run(py, &asked, |limits| {
        ended(survey(whole.problem(), whole.given(), &cores, time, limits), || Survey::Other)
    })?;
    Ok(match found {
        Survey::Counted(count, nodes) if end == End::Exhausted => {
            let count = shard.counted(whole.whole().digest(), count);
            let effort = CountEffort { seconds: begun.elapsed().as_secs_f64(), nodes };
            (None, Some(lines::seal(&lines::of_count(&count, &effort))), None)
        }
        Survey::Forms(sizes) => (call::name(end), None, Some(sizes)),
        _ => (call::name(end), None, None),
    })
}
