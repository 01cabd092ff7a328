//! Queries about a puzzle.
//!
//! Options are numbers, and a solution is an ascending list of options. Every answer comes with the
//! reason why the query ended early, or `None`.

use std::ops::ControlFlow;

use dlx::diagram::{Diagram, DiagramPlan};
use dlx::estimate::{self, Settings};
use dlx::{End, Limit, Limits, OptionId, Random, Unsupported, cheapest};
use farandole::algorithm::{self, ALGORITHMS, Algorithm, VARIANTS};
use farandole::candidates::{Candidate, CandidateFact, TrueCandidates};
use num_bigint::BigUint;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::call::{self, Asked, EndName, Number};
use crate::puzzle::Core;
use crate::texts;

/// Default maximum size of a decision diagram (bytes).
const DIAGRAM_BYTES: u64 = 2 << 30;
/// Largest assumed ratio of the estimated to the actual size of a diagram.
const DOUBT: f64 = 4.0;
/// Largest number of different costs in a histogram. Each is an entry of a Python dictionary.
const COSTS_MAX: usize = 1_000_000;

/// Builds the algorithm that chooses an engine.
pub(crate) fn auto(asked: &Asked) -> Box<dyn Algorithm> {
    algorithm::by_name("auto").expect("it is in the table").build_on(&asked.cores())
}

/// Builds the requested algorithm.
///
/// # Errors
/// If there is no algorithm of this name. The error lists the names.
pub(crate) fn algorithm(asked: &Asked) -> PyResult<Box<dyn Algorithm>> {
    let name = asked.engine();
    let spec = algorithm::by_name(name).ok_or_else(|| {
        let names = ALGORITHMS.iter().chain(VARIANTS.iter()).map(|spec| spec.name);
        texts::unknown("an engine", names, name)
    })?;
    Ok(spec.build_on(&asked.cores()))
}

/// Builds the error for an algorithm that cannot search the puzzle.
pub(crate) fn unsupported(asked: &Asked, reason: Unsupported) -> PyErr {
    PyValueError::new_err(format!("the engine {} cannot search this puzzle: {reason}", asked.engine()))
}

pub(crate) fn numbers(cover: &[OptionId]) -> Vec<usize> {
    let mut numbers: Vec<_> = cover.iter().map(|option| option.index()).collect();
    numbers.sort_unstable();
    numbers
}

#[pyfunction]
pub(crate) fn count(py: Python<'_>, core: &Core, asked: Asked) -> PyResult<(EndName, Number)> {
    let mut algorithm = algorithm(&asked)?;
    let (end, count) =
        call::run(py, &asked, |limits| match algorithm.count(&**core.puzzle(), limits) {
            Ok(report) => (report.end, Ok(report.total())),
            Err(reason) => (End::Exhausted, Err(reason)),
        })?;
    let count = count.map_err(|reason| unsupported(&asked, reason))?;
    Ok((call::name(end), Number(count)))
}

#[pyfunction]
pub(crate) fn solve(
    py: Python<'_>,
    core: &Core,
    asked: Asked,
) -> PyResult<(EndName, Option<Vec<usize>>)> {
    let mut algorithm = algorithm(&asked)?;
    let (end, found) = call::run(py, &asked, |limits| {
        let limits = limits.clone().solutions(1);
        let mut found = None;
        let searched = algorithm.search(&**core.puzzle(), &limits, &mut |cover| {
            found = Some(numbers(cover));
            ControlFlow::Break(())
        });
        match searched {
            Ok(report) if found.is_none() => (report.end, Ok(None)),
            Ok(_) => (End::Exhausted, Ok(found)),
            Err(reason) => (End::Exhausted, Err(reason)),
        }
    })?;
    let found = found.map_err(|reason| unsupported(&asked, reason))?;
    // A solution that was found is an answer, even after Ctrl-C.
    Ok((call::name(end).filter(|_| found.is_none()), found))
}

type Priced = (u128, Vec<usize>);

/// Finds the cheapest solutions. Also returns a lower bound on the cost of all other solutions, if
/// there may be any.
#[pyfunction]
pub(crate) fn cheapest_covers(
    py: Python<'_>,
    core: &Core,
    number: usize,
    asked: Asked,
) -> PyResult<(EndName, Vec<Priced>, Option<u128>)> {
    let (end, found) = call::run(py, &asked, |limits| {
        core.puzzle().build_problem(limits).map_or_else(
            |limit| (End::Limit(limit), None),
            |()| {
                let found = cheapest::search(core.problem(), core.given(), number, limits);
                (found.report.end, Some(found))
            },
        )
    })?;
    let Some(found) = found else { return Ok((call::name(end), Vec::new(), Some(0))) };
    let priced = |cover: cheapest::CostedCover| (cover.cost, numbers(&cover.options));
    Ok((call::name(end), found.covers.into_iter().map(priced).collect(), found.bound))
}

fn diagram(core: &Core, limits: &Limits) -> Result<Diagram, Limit> {
    let bytes = limits.memory.map_or(DIAGRAM_BYTES, |bytes| bytes as u64);
    core.puzzle().build_problem(limits)?;
    let plan =
        DiagramPlan::new(core.problem(), core.given(), limits).map_err(|unbuilt| unbuilt.limit)?;
    if plan.size().bytes > DOUBT * bytes as f64 {
        return Err(Limit::Memory);
    }
    plan.build(limits, bytes).map_err(|unbuilt| unbuilt.limit)
}

/// Draws solutions uniformly at random. Returns an empty list if there are no solutions.
#[pyfunction]
pub(crate) fn sample(
    py: Python<'_>,
    core: &Core,
    number: usize,
    seed: u64,
    asked: Asked,
) -> PyResult<(EndName, Vec<Vec<usize>>)> {
    let (end, drawn) = call::run(py, &asked, |limits| {
        let mut drawn = Vec::new();
        let mut draw = || {
            let diagram = diagram(core, limits)?;
            let mut random = Random::new(seed);
            for _ in 0..number {
                limits.check()?;
                let Some(cover) = diagram.sample(&mut || random.next_u64()) else { break };
                drawn.push(numbers(&cover));
            }
            Ok(())
        };
        (end(draw()), drawn)
    })?;
    Ok((call::name(end), drawn))
}

/// Returns, for each option, the number of solutions that contain it.
#[pyfunction]
pub(crate) fn per_option(
    py: Python<'_>,
    core: &Core,
    asked: Asked,
) -> PyResult<(EndName, Vec<Number>)> {
    let (end, counts) = call::run(py, &asked, |limits| {
        let mut counts = Vec::new();
        let mut count = || {
            counts = diagram(core, limits)?.counts_within(limits)?;
            Ok(())
        };
        (end(count()), counts)
    })?;
    Ok((call::name(end), counts.into_iter().map(Number).collect::<Vec<Number>>()))
}

/// Returns each cost with the number of solutions that have it, the cheapest first.
#[pyfunction]
pub(crate) fn histogram(
    py: Python<'_>,
    core: &Core,
    asked: Asked,
) -> PyResult<(EndName, Vec<(u128, Number)>)> {
    let (end, costs) = call::run(py, &asked, |limits| {
        let mut costs = None;
        let mut count = || {
            costs = Some(diagram(core, limits)?.histogram_within(COSTS_MAX, limits)?);
            Ok(())
        };
        (end(count()), costs)
    })?;
    let costs = match costs {
        Some(None) => {
            let message = format!("there are more than {COSTS_MAX} different costs");
            return Err(PyValueError::new_err(message));
        }
        costs => costs.flatten().unwrap_or_default(),
    };
    let costs = costs.into_iter().map(|(cost, count)| (cost, Number(count)));
    Ok((call::name(end), costs.collect()))
}

/// Returns the index of each solution, from 0, or `None` if it is no solution.
#[pyfunction]
pub(crate) fn rank(
    py: Python<'_>,
    core: &Core,
    covers: Vec<Vec<usize>>,
    asked: Asked,
) -> PyResult<(EndName, Vec<Option<Number>>)> {
    let (end, ranks) = call::run(py, &asked, |limits| {
        let mut ranks = Vec::new();
        let mut find = || {
            let diagram = diagram(core, limits)?;
            for cover in &covers {
                limits.check()?;
                let options: Vec<_> = cover.iter().copied().map(OptionId::new).collect();
                let is_known = cover.iter().all(|&option| option < core.problem().option_count());
                ranks.push(if is_known { diagram.rank(&options) } else { None });
            }
            Ok(())
        };
        (end(find()), ranks)
    })?;
    Ok((call::name(end), ranks.into_iter().map(|rank| rank.map(Number)).collect()))
}

/// The options of a solution, if there is one with the index.
type MaybeCover = Option<Vec<usize>>;

/// Returns the solutions with these indices, which are texts of digits, or `None` for an index that
/// is too large. Also returns the number of solutions.
#[pyfunction]
pub(crate) fn unrank(
    py: Python<'_>,
    core: &Core,
    indices: Vec<String>,
    asked: Asked,
) -> PyResult<(EndName, Vec<MaybeCover>, Number)> {
    let (end, (found, count)) = call::run(py, &asked, |limits| {
        let (mut found, mut count) = (Vec::new(), BigUint::ZERO);
        let mut find = || {
            let diagram = diagram(core, limits)?;
            count = diagram.count();
            for index in &indices {
                limits.check()?;
                let index: Option<BigUint> = index.parse().ok();
                let cover = index.and_then(|index| diagram.unrank(&index));
                found.push(cover.map(|cover| numbers(&cover)));
            }
            Ok(())
        };
        (end(find()), (found, count))
    })?;
    Ok((call::name(end), found, Number(count)))
}

/// The candidates of an answer, kept for a search with more clues.
#[pyclass(frozen, module = "farandole._farandole")]
pub(crate) struct KnownCandidates {
    known: TrueCandidates,
}

/// A candidate: the cell and the symbol of a grid, or the number of an option; the number of known
/// solutions with it, and whether there are no others.
type Fact = (Option<(String, String)>, Option<usize>, u64, bool);

/// Finds the candidates that occur in a solution, and counts their solutions up to `limit`.
#[pyfunction]
#[pyo3(signature = (core, limit, earlier, asked))]
pub(crate) fn candidates(
    py: Python<'_>,
    core: &Core,
    limit: u32,
    earlier: Option<PyRef<'_, KnownCandidates>>,
    asked: Asked,
) -> PyResult<(EndName, Vec<Fact>, KnownCandidates)> {
    let earlier = earlier.map(|earlier| earlier.known.clone());
    let mut known = earlier.filter(|known| known.limit() == limit);
    let known = known.get_or_insert_with(|| TrueCandidates::new(limit));
    let puzzle = &**core.puzzle();
    let (end, facts) = call::run(py, &asked, |limits| {
        let end = known.search(puzzle, limits);
        let fact = |fact: &CandidateFact| {
            let (place, option) = match (fact.candidate, puzzle.as_symbols()) {
                (Candidate::Symbol { cell, symbol }, Some(grid)) => {
                    (Some((grid.cell_name(cell), grid.symbol_name(symbol))), None)
                }
                (Candidate::Option(option), _) => (None, Some(option.index())),
                (Candidate::Symbol { .. }, None) => (None, None),
            };
            (place, option, fact.count, fact.is_exact)
        };
        (end, known.facts().iter().map(fact).collect::<Vec<Fact>>())
    })?;
    Ok((call::name(end), facts, KnownCandidates { known: known.clone() }))
}

/// Converts the result of work with limits to the way it ended.
fn end(result: Result<(), Limit>) -> End {
    result.map_or_else(End::Limit, |()| End::Exhausted)
}

/// An estimate: the count with its interval (three numbers, and their logarithms), and statistics
/// of the runs.
type Estimated = ([f64; 3], [f64; 3], f64, bool, u64, f64, [f64; 3]);

#[pyfunction]
pub(crate) fn estimated(
    py: Python<'_>,
    core: &Core,
    seed: u64,
    runs: Option<u64>,
    precision: Option<f64>,
    asked: Asked,
) -> PyResult<(EndName, Option<Estimated>)> {
    let settings = Settings::new().seed(seed).runs(runs).precision(precision);
    let (end, found) = call::run(py, &asked, |limits| {
        let built = core.puzzle().build_problem(limits);
        let estimate = || estimate::estimate(core.problem(), core.given(), limits, &settings);
        match built.and_then(|()| estimate()) {
            // An estimate uses the whole time limit.
            Ok(found) if limits.check() == Err(Limit::Time) => (End::Limit(Limit::Time), Some(found)),
            Ok(found) => (End::Exhausted, Some(found)),
            Err(limit) => (End::Limit(limit), None),
        }
    })?;
    let end = call::name(end).filter(|_| found.is_none());
    let estimated = found.map(|found| {
        let counts = [found.count, found.low, found.high];
        (
            counts.map(estimate::Magnitude::to_f64),
            counts.map(estimate::Magnitude::log10),
            found.error,
            found.is_exact,
            found.runs,
            found.largest,
            [found.states, found.seconds, found.bytes],
        )
    });
    Ok((end, estimated))
}
