//! Decides by a short count on one machine whether a count by canonical forms (of subproblems)
//! pays.
//!
//! First the methods race as in any count, for a given time. If no method finishes, a backward walk
//! of the method `symmetry` measures, for about `WORK`, which sizes have recurring isomorphic
//! subproblems. Forms pay if `symmetry` expects to finish before every other contender with a
//! reliable estimate. Without an estimate, a count by canonical forms is assumed to need
//! `TIMES_UNKNOWN` times the work so far if many items are interchangeable; otherwise they do not
//! pay.

use std::sync::Arc;
use std::time::Duration;

use num_bigint::BigUint;

use crate::count::{Counter, LayeredCount, LayersSurvey};
use crate::limits::{Limit, Limits};
use crate::model::{OptionId, Problem};
use crate::parallel::Cores;
use crate::search::End;

/// Work of the backward walk (ns).
const WORK: u64 = 300_000_000;
/// Assumed remaining work of the method `symmetry` without an estimate, in multiples of the work so
/// far.
const TIMES_UNKNOWN: f64 = 128.0;
const FORMS: &str = "symmetry";

/// The result of a short count: the number of covers, or the best method for the problem.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Survey {
    /// The count is finished: the number of covers, and the number of nodes.
    Counted(BigUint, u64),
    /// Count by canonical forms, in a plan with these sizes
    /// ([`BlockPlan::of_forms`](super::BlockPlan::of_forms)).
    Forms(String),
    /// Count by another method, such as [shards](crate::shards).
    Other,
}

/// Counts the covers of `problem` that contain the options of `given` for about `time` plus some
/// seconds, on idle `cores`, and chooses a method. If `time` is `None`, returns [`Survey::Forms`]
/// whenever a count by canonical forms is possible.
///
/// # Errors
/// The limit of `limits` that was reached, or the flag that was set.
///
/// # Panics
/// If an option of `given` is not one of this problem's.
pub fn survey(
    problem: &Arc<Problem>,
    given: &[OptionId],
    cores: &Arc<Cores>,
    time: Option<Duration>,
    limits: &Limits,
) -> Result<Survey, Limit> {
    let mut others = Duration::MAX;
    if let Some(time) = time {
        let mut counter = Counter::new(Arc::clone(problem)).on(cores);
        let report = counter.count(given, &limits.clone().no_longer_than(time));
        if report.end == End::Exhausted {
            return Ok(Survey::Counted(report.total(), report.nodes));
        }
        limits.check()?;
        let laps = counter.explain().parts.last().map_or(&[][..], |part| &part.laps);
        let sure = laps.iter().filter(|lap| lap.name != FORMS).filter_map(|lap| lap.all);
        others = sure.min().unwrap_or(Duration::MAX);
    }
    let begun = LayeredCount::new(problem, given, cores, limits)?;
    let Some(mut layered) = begun else { return Ok(Survey::Other) };
    match layered.survey(limits, WORK)? {
        LayersSurvey::Counted(count) => Ok(Survey::Counted(count, 0)),
        LayersSurvey::Open { sizes, times_left, is_alike } => {
            let times = times_left.or(is_alike.then_some(TIMES_UNKNOWN));
            let all = times.map(|times| (1.0 + times) * WORK as f64 * 1e-9);
            let all = all.and_then(|all| Duration::try_from_secs_f64(all).ok());
            let pays = time.is_none() || all.is_some_and(|all| all < others);
            Ok(if pays { Survey::Forms(sizes) } else { Survey::Other })
        }
    }
}
