//! The choice among ways to count a part, made while they run.
//!
//! What a way costs can hardly be told beforehand, but a good deal better once it has begun. So all ways
//! that come into question begin, for a slice of time each, the most promising first, and most parts
//! are counted before the second has begun. After each round every way has an *outlook*, the time that
//! it will still take as far as it can tell, and only those go on that may be the fastest, for twice as
//! long. None is given up: a way whose outlook turns out to be wrong waits, and another goes on where it
//! was left.

use std::time::{Duration, Instant};

use num_bigint::BigUint;

use super::{Cut, Watch};
use crate::Limits;

/// A way to count the covers of a part, begun or not.
pub(super) trait Way {
    /// Returns its name.
    fn name(&self) -> &'static str;

    /// Counts on for as much work as the watch allows.
    fn run(&mut self, watch: &mut Watch<'_>) -> Result<BigUint, Cut>;

    /// Returns the nanoseconds that it will still take, as far as it can tell, when so many were spent
    /// on it.
    fn outlook(&self, spent: Duration) -> f64;

    /// Says what it did.
    fn explain(&self) -> String;

    /// Returns the number modulo which it counts, if it does.
    fn modulus(&self) -> Option<u64> {
        None
    }
}

/// The first slice of a way, in nanoseconds; each other one is as long as all before.
const SLICE: u64 = 1_000_000;
/// No slice is longer than this, so that it is told how far the count is.
const SLICE_MAX: u64 = 1_000_000_000;
/// A slice is over after so many times its length at the latest, since work is not told exactly.
const OVERTIME: u64 = 2;
/// Those ways go on whose outlook is at most so many times the best one.
const PATIENCE: f64 = 1.2;

/// A way in the race.
struct Runner<'w> {
    way: Box<dyn Way + 'w>,
    spent: Duration,
    outlook: f64,
    /// The time in all that was foreseen at its last slice but one.
    foreseen: Option<Duration>,
    is_out: bool,
}

/// How a race ended.
pub(super) struct Finish {
    /// The number, or why there is none.
    pub(super) result: Result<BigUint, Cut>,
    /// The way that came first, and what it did.
    pub(super) name: &'static str,
    pub(super) explanation: String,
    /// The number modulo which that is, if it is.
    pub(super) modulus: Option<u64>,
    /// The time that it was expected to take when about half of it was over.
    pub(super) foreseen: Option<Duration>,
    /// The names of those that took part, with the time that each took.
    pub(super) field: Vec<(&'static str, Duration)>,
    /// The place of the way that came first among all.
    pub(super) place: usize,
}

/// Lets the ways run until one is done, or soon after so much time was spent on them.
pub(super) fn race<'w>(
    ways: Vec<Box<dyn Way + 'w>>,
    limits: &Limits,
    bytes: usize,
    budget: Duration,
) -> Finish {
    let begun_all = Instant::now();
    let begin = |way: Box<dyn Way + 'w>| {
        let outlook = way.outlook(Duration::ZERO);
        Runner { way, spent: Duration::ZERO, outlook, foreseen: None, is_out: false }
    };
    let mut runners: Vec<_> = ways.into_iter().map(begin).collect();
    let mut last = Cut::Unsuited;
    loop {
        let live = runners.iter().filter(|runner| !runner.is_out);
        let best = live.map(|runner| runner.outlook).fold(f64::INFINITY, f64::min);
        let most = best * PATIENCE;
        let mut has_run = false;
        for index in 0..runners.len() {
            let runner = &mut runners[index];
            if runner.is_out || runner.outlook > most {
                continue;
            }
            let begun = Instant::now();
            let Some(left) = budget.checked_sub(begun - begun_all) else {
                last = Cut::Work;
                continue;
            };
            has_run = true;
            let slice =
                (runner.spent.as_nanos() as u64).clamp(SLICE, SLICE_MAX).min(left.as_nanos() as u64);
            let end = begun.checked_add(Duration::from_nanos(slice.saturating_mul(OVERTIME)));
            let result = runner.way.run(&mut Watch::new(limits, slice, bytes).until(end));
            runner.spent += begun.elapsed();
            match result {
                Err(Cut::Work) => {
                    runner.outlook = runner.way.outlook(runner.spent);
                    let left = Duration::try_from_secs_f64(runner.outlook * 1e-9);
                    runner.foreseen = left.ok().and_then(|left| runner.spent.checked_add(left));
                    if let (Some(progress), Some(all)) = (&limits.progress, runner.foreseen) {
                        progress.set(runner.spent.as_secs_f64() / all.as_secs_f64(), 0, 0);
                    }
                }
                Err(cut @ (Cut::Memory | Cut::Unsuited)) => (runner.is_out, last) = (true, cut),
                Ok(_) | Err(Cut::Limit(_)) => {
                    let (name, explanation) = (runner.way.name(), runner.way.explain());
                    let (modulus, foreseen) = (runner.way.modulus(), runner.foreseen);
                    let field = runners.iter().filter(|runner| runner.spent > Duration::ZERO);
                    let field = field.map(|runner| (runner.way.name(), runner.spent)).collect();
                    return Finish {
                        result,
                        name,
                        explanation,
                        modulus,
                        foreseen,
                        field,
                        place: index,
                    };
                }
            }
        }
        if !has_run {
            let field = runners.iter().map(|runner| (runner.way.name(), runner.spent)).collect();
            let (result, explanation) = (Err(last), String::new());
            return Finish {
                result,
                name: "none",
                explanation,
                modulus: None,
                foreseen: None,
                field,
                place: 0,
            };
        }
    }
}
