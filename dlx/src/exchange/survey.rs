//! Whether a count by forms is what pays, found out by a short count on one machine.
//!
//! First the methods race as they do in any count, for a given time. If none is done, a walk backwards by the method `symmetry` learns for
//! about `WORK` at which sizes problems come again. Forms pay if it promises to be done before any other contender of the race
//! that is sure of its time. Often its progress has not grown by then: if many items are alike it is taken to need `TIMES_UNKNOWN` times
//! the work so far, as in the race, and else it does not pay.
//!
//! Measured: on one-factorizations of 12 teams and Latin rectangles of 5 rows of 9 nobody knows anything after that, and
//! forms are chosen; 18 queens are left to shards, since a search is sure of 37 s, and on 19 queens in which two places of the first row
//! are given no items are alike.

use std::sync::Arc;
use std::time::Duration;

use num_bigint::BigUint;

use crate::count::{Counter, LayeredCount, LayersSurvey};
use crate::limits::{Limit, Limits};
use crate::model::{OptionId, Problem};
use crate::parallel::Cores;
use crate::search::End;

/// The work of the walk, in steps of about a nanosecond.
const WORK: u64 = 300_000_000;
/// How many times the work so far is left while nobody knows.
const TIMES_UNKNOWN: f64 = 128.0;
/// The method whose walk this is.
const FORMS: &str = "symmetry";

/// What a short count says of how a problem is best counted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Survey {
    /// It is counted: the number of covers, and the nodes.
    Counted(BigUint, u64),
    /// By forms, in a plan with these sizes ([`BlockPlan::of_forms`](super::BlockPlan::of_forms)).
    Forms(String),
    /// In another way, as by [shards](crate::shards).
    Other,
}

/// Counts the covers of `problem` that contain the options of `given` for about that time, and some seconds more, with those of `cores`
/// that are idle; and says how to go on. Without a time it says [`Survey::Forms`] where there are any.
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
