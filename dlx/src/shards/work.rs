//! Counts shards.
//!
//! A shard with a large weight comes from a problem with many isomorphic subproblems, which also
//! occur in other shards. So two contenders count such a shard in turns, the last winner first: the
//! counting methods, which start anew for each shard, and a method with a memo of canonical forms
//! that all shards share.
//!
//! A race for each shard would double the time if a plain search always wins. So the method that
//! won the last `WINS` shards counts the next ones alone, until a shard takes far longer than any
//! before.
//!
//! After several short shards in a row, the next shards are searched by one engine for the whole,
//! unreduced problem.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use limits::clock::Instant;

use super::Shard;
use crate::count::{CountPlan, Counter, METHODS, Method};
use crate::limits::{Limit, Limits};
use crate::methods::SharedForms;
use crate::model::{OptionId, Problem, restrict_to};
use crate::parallel::{Cores, Parallel};
use crate::portfolio::{Budget, Choice, Cut};
use crate::search::{End, Engine as _, EngineSpec, Report, Unsupported};

/// `WINS`: number of consecutive shards that a method must win to count alone. `PATIENCE`: time
/// limit of a shard counted alone, as a multiple of the longest time so far.
const WINS: u32 = 2;
const PATIENCE: u32 = 4;
/// `SHORT`: maximum time of a short shard. `SHORT_MAX`: time limit per shard for the engine of the
/// whole problem.
const SHORT: Duration = Duration::from_millis(20);
const SHORT_MAX: Duration = Duration::from_millis(200);
/// Minimum weight of a shard that uses the shared memo.
const WEIGHT: u32 = 64;
const TURN: Duration = Duration::from_millis(100);
const BYTES: usize = 1 << 31;

/// Counts the shards of one problem one after another, each with the methods of a [`Counter`].
pub struct ShardCounter {
    problem: Arc<Problem>,
    cores: Arc<Cores>,
    counter: Counter,
    habit: Option<Habit>,
    short: ShortShards,
    forms: ShardForms,
    /// Time of the last shard, if the shared memo counted it.
    last: Option<Duration>,
    /// The engine that searches all shards, if the caller chose one.
    engine: Option<(&'static EngineSpec, Parallel<'static>)>,
}

struct Habit {
    method: &'static Method,
    wins: u32,
    /// The longest time that the method took to count a shard.
    longest: Duration,
    counter: Counter,
}

/// Detects a series of shards so short that building an engine for each would take longer.
#[derive(Default)]
struct ShortShards {
    /// Number of consecutive short shards, and the number that starts the search of the whole
    /// problem; the latter doubles after each wrong guess.
    seen: u32,
    needed: u32,
    search: Option<Parallel<'static>>,
}

impl ShortShards {
    fn note(&mut self, time: Duration) {
        self.seen = if time < SHORT { self.seen + 1 } else { 0 };
    }

    fn is_next(&self) -> bool {
        self.seen >= self.needed.max(WINS)
    }

    fn end(&mut self) {
        (self.seen, self.needed) = (0, self.needed.max(WINS).saturating_mul(2));
    }
}

enum ShardForms {
    New,
    Ready(Box<SharedForms>),
    /// The problem does not support canonical forms.
    None,
}

impl ShardCounter {
    /// Creates a counter for shards of `problem`.
    #[must_use]
    pub fn new(problem: impl Into<Arc<Problem>>) -> Self {
        let problem = problem.into();
        let counter = Counter::new(Arc::clone(&problem));
        Self {
            problem,
            cores: Cores::new(0),
            counter,
            habit: None,
            short: ShortShards::default(),
            forms: ShardForms::New,
            last: None,
            engine: None,
        }
    }

    /// Lets this counter use the idle `cores`.
    #[must_use]
    pub fn on(self, cores: &Arc<Cores>) -> Self {
        Self { cores: Arc::clone(cores), counter: self.counter.on(cores), ..self }
    }

    /// Lets this counter search all shards with `engine`.
    ///
    /// # Errors
    /// If the engine does not support the problem.
    pub fn by(self, engine: &'static EngineSpec) -> Result<Self, Unsupported> {
        let search = searched(engine, &self.problem, &self.cores)?;
        Ok(Self { engine: Some((engine, search)), ..self })
    }

    /// Counts the covers of a shard, without its weight. The result depends only on the shard. If a
    /// limit ends the count, the report is useless, and [`split_further`](super::split_further)
    /// yields smaller shards.
    ///
    /// # Panics
    /// If an option of the shard does not belong to the problem.
    pub fn count(&mut self, shard: &Shard, limits: &Limits) -> Report {
        let (given, without) = (shard.part.given(), shard.part.without());
        if !without.is_empty() {
            let Some(restricted) = restrict_to(&self.problem, &given, without) else {
                return Report::empty(End::Exhausted);
            };
            let Some((engine, _)) = self.engine else {
                return Counter::new(restricted.problem).on(&self.cores).count(&[], limits);
            };
            let search = searched(engine, &Arc::new(restricted.problem), &self.cores);
            return search.expect("a part of what it takes").count(&[], limits);
        }
        if let Some((_, search)) = &mut self.engine {
            return search.count(&given, limits);
        }
        if shard.path.weight() < WEIGHT.into() {
            return self.count_by_methods(&given, limits);
        }
        self.count_in_turns(&given, limits)
    }

    /// Counts by a race of the methods, by the winner of the last races, or after several short
    /// shards by the engine of the whole problem.
    fn count_by_methods(&mut self, given: &[OptionId], limits: &Limits) -> Report {
        if self.short.is_next() {
            let (problem, cores) = (&self.problem, &self.cores);
            let search =
                self.short.search.get_or_insert_with(|| Choice::new(problem).engine(problem, cores));
            if let Some(report) = within(SHORT_MAX, limits, |limits| search.count(given, limits)) {
                return report;
            }
            self.short.end();
        }
        if let Some(habit) = self.habit.as_mut().filter(|habit| habit.wins >= WINS) {
            let time = PATIENCE * habit.longest.max(TURN / PATIENCE);
            let unsuited = || Report::empty(End::Limit(Limit::Time));
            let count =
                |limits: &Limits| habit.counter.try_count(given, limits).unwrap_or_else(|_| unsuited());
            if let Some(report) = within(time, limits, count) {
                return report;
            }
            self.habit = None;
        }
        let begun = Instant::now();
        let report = self.counter.count(given, limits);
        if report.end == End::Exhausted {
            self.short.note(begun.elapsed());
            if let Some(method) = winner(self.counter.explain()) {
                self.win(method, begun.elapsed());
            }
        }
        report
    }

    fn win(&mut self, method: &'static Method, time: Duration) {
        match &mut self.habit {
            Some(habit) if habit.method.name == method.name => {
                habit.wins += 1;
                habit.longest = habit.longest.max(time);
            }
            habit => {
                let counter = Counter::new(Arc::clone(&self.problem)).on(&self.cores).by(method);
                *habit = Some(Habit { method, wins: 1, longest: time, counter });
            }
        }
    }

    fn count_in_turns(&mut self, given: &[OptionId], limits: &Limits) -> Report {
        let begun = Instant::now();
        let mut turn = TURN;
        if let Some(last) = self.last
            && let Some(report) = self.count_by_forms(given, limits, TURN.max(2 * last))
        {
            self.last = Some(begun.elapsed());
            return report;
        }
        while !matches!(self.forms, ShardForms::None) {
            if let Some(report) = within(turn, limits, |limits| self.counter.count(given, limits)) {
                self.last = None;
                return report;
            }
            let begun = Instant::now();
            if let Some(report) = self.count_by_forms(given, limits, turn) {
                self.last = Some(begun.elapsed());
                return report;
            }
            turn *= 2;
        }
        self.count_by_methods(given, limits)
    }

    /// Counts with the shared memo for the time `turn`; returns `None` if that is too short.
    fn count_by_forms(
        &mut self,
        given: &[OptionId],
        limits: &Limits,
        turn: Duration,
    ) -> Option<Report> {
        let work = u64::try_from(turn.as_nanos()).unwrap_or(u64::MAX);
        let mut budget = Budget::new(limits, work, limits.memory.unwrap_or(BYTES));
        if matches!(self.forms, ShardForms::New) {
            let forms = budget.begin(|budget| SharedForms::new(&self.problem, budget));
            self.forms = forms.map_or(ShardForms::None, |forms| ShardForms::Ready(Box::new(forms)));
        }
        let ShardForms::Ready(forms) = &mut self.forms else { return None };
        match forms.count(given, &mut budget) {
            Ok(count) => Some(Report::counted(End::Exhausted, count)),
            Err(Cut::Limit(limit)) => Some(Report::empty(End::Limit(limit))),
            Err(Cut::Work) => None,
            Err(Cut::Memory | Cut::Unsuited) => {
                self.forms = ShardForms::None;
                None
            }
        }
    }
}

/// Counts for at most `time`; returns `None` if that is too short.
fn within(time: Duration, limits: &Limits, count: impl FnOnce(&Limits) -> Report) -> Option<Report> {
    let report = count(&limits.clone().no_longer_than(time));
    let is_late = report.end == End::Limit(Limit::Time) && limits.check().is_ok();
    (!is_late).then_some(report)
}

fn searched(
    engine: &'static EngineSpec,
    problem: &Arc<Problem>,
    cores: &Arc<Cores>,
) -> Result<Parallel<'static>, Unsupported> {
    let (first, shared) = ((engine.build)(problem)?, Arc::clone(problem));
    let build = move || (engine.build)(&shared).expect("the engine took the problem before");
    Ok(Parallel::with(problem, first, build, Arc::clone(cores)))
}

/// Returns the method that counted all parts, or `None` if there were several.
fn winner(plan: &CountPlan) -> Option<&'static Method> {
    let (first, rest) = plan.parts.split_first()?;
    let is_same = rest.iter().all(|part| part.method == first.method);
    METHODS.iter().find(|method| is_same && method.name == first.method)
}

impl fmt::Debug for ShardCounter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShardCounter").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;

    use super::*;
    use crate::model::samples::latin;
    use crate::shards::split;

    #[test]
    fn a_method_that_wins_repeatedly_counts_shards_alone_until_it_is_slow() {
        let limits = Limits::new();
        let problem = latin(5);
        let count = Counter::new(problem.clone()).count(&[], &limits).total();
        for method in METHODS {
            let mut counter = ShardCounter::new(problem.clone());
            (0..WINS).for_each(|_| counter.win(method, Duration::ZERO));
            let mut found = BigUint::ZERO;
            for shard in split(&problem, &[], 5, &limits).unwrap() {
                // If the method does not support this problem, the race counts it.
                let given = shard.part.given();
                let report = counter.count_by_methods(&given, &limits);
                found += report.total() * shard.path.weight();
            }
            assert_eq!(found, count, "{}", method.name);
        }
        let mut counter = ShardCounter::new(latin(7));
        let search = METHODS.iter().find(|method| method.name == "search").unwrap();
        (0..WINS).for_each(|_| counter.win(search, Duration::ZERO));
        assert_eq!(counter.count_by_methods(&[], &limits).total(), 61_479_419_904_000_u64.into());
        assert!(counter.habit.is_none_or(|habit| habit.method.name != "search"));
    }

    #[test]
    fn the_shared_memo_and_the_counting_methods_agree() {
        let limits = Limits::new();
        let mut cut = 0;
        for (order, count) in [(4, 10), (5, 60), (7, 3)] {
            let problem = latin(order);
            let mut counter = ShardCounter::new(problem.clone());
            let mut plain = Counter::new(problem.clone());
            for shard in split(&problem, &[], count, &limits).unwrap() {
                let given = shard.part.given();
                let mut turn = Duration::from_micros(20);
                let report = loop {
                    if let Some(report) = counter.count_by_forms(&given, &limits, turn) {
                        break report;
                    }
                    assert!(matches!(counter.forms, ShardForms::Ready(_)));
                    cut += 1;
                    turn *= 3;
                };
                assert_eq!(report.total(), plain.count(&given, &limits).total(), "{shard:?}");
                assert_eq!(counter.count(&shard, &limits).total(), report.total());
            }
        }
        assert!(cut > 0, "some take more than a turn");
        let problem = latin(4);
        let clash = [OptionId::new(0), OptionId::new(1)];
        let mut counter = ShardCounter::new(problem);
        let report = counter.count_by_forms(&clash, &limits, TURN).unwrap();
        assert_eq!((report.end, report.solutions), (End::Exhausted, 0));
    }
}
