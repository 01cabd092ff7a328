//! Counts by blocks of states. Every machine builds the same plan, a ledger records the heads of
//! blocks, and a survey decides whether to use canonical forms.

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
    /// Builds the plan for `owners` owners. With sizes it counts by canonical forms at these sizes,
    /// otherwise by a frontier.
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

    #[getter]
    fn digest(&self) -> String {
        self.plan.digest().to_string()
    }

    #[getter]
    fn steps(&self) -> u32 {
        self.plan.steps()
    }

    fn first<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyBytes>> {
        self.plan.first().iter().map(|block| PyBytes::new(py, block)).collect()
    }

    /// Returns the step, the owner and the number of states of a block, which may be given by its
    /// head.
    fn head(&self, block: PyBackedBytes) -> PyResult<(u32, u32, u64)> {
        let head = self.plan.head(&block).map_err(refused)?;
        Ok((head.step, head.owner, head.states))
    }

    /// Expands all blocks of one step and one owner.
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

    /// Estimates the number of states still to be expanded, from the state counts at the previous
    /// steps.
    fn states_left(&self, seen: Vec<u64>) -> f64 {
        self.plan.states_left(&seen)
    }

    fn ledger(&self) -> PyLedger {
        PyLedger { ledger: self.plan.ledger() }
    }

    /// Restores the ledger of a count from the heads of all kept blocks.
    fn ledger_of(&self, kept: Vec<PyBackedBytes>) -> PyResult<PyLedger> {
        Ok(PyLedger { ledger: self.plan.ledger_of(&self.heads(&kept)?) })
    }
}

#[pyclass(module = "farandole._farandole", name = "BlockLedger")]
pub(crate) struct PyLedger {
    ledger: BlockLedger,
}

#[pymethods]
impl PyLedger {
    fn expanded(
        &mut self,
        plan: &PyPlan,
        read: Vec<PyBackedBytes>,
        sent: Vec<PyBackedBytes>,
    ) -> PyResult<()> {
        let (read, sent) = (plan.heads(&read)?, plan.heads(&sent)?);
        self.ledger.expanded(&read, &sent).map_err(refused)
    }

    /// Checks that each block sent to a step was expanded exactly once.
    fn close(&self, step: u32) -> PyResult<()> {
        self.ledger.close(step).map_err(refused)
    }

    /// Adds up the final blocks, and returns the count.
    fn total(&self, ends: Vec<PyBackedBytes>) -> PyResult<Number> {
        self.ledger.total(&ends).map(Number).map_err(refused)
    }
}

/// Counts within a time limit; without one, only chooses the sizes of a plan by canonical forms.
/// Returns how it ended, the line of the count, and these sizes if the forms are worthwhile.
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
