//! Counting a shard.
//!
//! Shards that count for many are parts of a problem in which much is alike, and so are their parts: what one of them is made
//! of comes again in others. So beside the methods, which begin anew with each shard, there is one that counts all shards with
//! the same memo of forms. The two take turns until one is done; who was last tries first, and the other gets a turn when that
//! takes longer than the last time.
//!
//! The methods race for each shard, which costs as much again where a plain search wins. So the one that was the fastest
//! for the last `WINS` shards counts the next ones alone, until one takes it far longer than any before: 17 queens in
//! 400 shards take 2.5 s of processor time, and 4.6 with a race for each.
//!
//! Shards may be so short that reducing them and building an engine for each takes longer than the search. Where some in a row
//! were short, one engine for the whole problem goes through the next ones: 17 queens in 3,693 shards that took 7.6 s take 1.7.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use clock::Instant;

use super::Shard;
use crate::count::{CountPlan, Counter, METHODS, Method};
use crate::limits::{Limit, Limits};
use crate::methods::SharedForms;
use crate::model::{OptionId, Problem, restrict_to};
use crate::parallel::{Cores, Parallel};
use crate::portfolio::{Budget, Choice, Cut};
use crate::search::{End, Engine as _, EngineSpec, Report, Unsupported};

/// So many shards must be won by the same method in a row before it counts alone, and as many times as long as any of them it
/// may take for another.
const WINS: u32 = 2;
const PATIENCE: u32 = 4;
/// A shard is short if it takes less, and an engine for the whole may take so long for each of the next ones.
const SHORT: Duration = Duration::from_millis(20);
const SHORT_MAX: Duration = Duration::from_millis(200);
/// The weight from which a shard may have forms in common with others.
const WEIGHT: u32 = 64;
/// The first turn.
const TURN: Duration = Duration::from_millis(100);
/// The bytes of the memo, if nobody limits them.
const BYTES: usize = 1 << 31;

/// Counts shards of one problem, one after the other, each by the methods of a [`Counter`].
pub struct ShardCounter {
    problem: Arc<Problem>,
    cores: Arc<Cores>,
    counter: Counter,
    habit: Option<Habit>,
    short: ShortShards,
    forms: ShardForms,
    /// How long the last shard took that forms counted; nothing if methods did.
    last: Option<Duration>,
    /// The only engine that is to search, if one was named.
    engine: Option<(&'static EngineSpec, Parallel<'static>)>,
}

/// A method that was the fastest for the last shards.
struct Habit {
    method: &'static Method,
    wins: u32,
    /// The most time that a shard took it.
    longest: Duration,
    counter: Counter,
}

/// Shards that are over before an engine of their own is built.
#[derive(Default)]
struct ShortShards {
    /// How many in a row were short, and how many must be: twice as many each time that the next one was not.
    seen: u32,
    needed: u32,
    /// A search of the whole problem.
    search: Option<Parallel<'static>>,
}

impl ShortShards {
    /// Notes how long a shard took.
    fn note(&mut self, time: Duration) {
        self.seen = if time < SHORT { self.seen + 1 } else { 0 };
    }

    /// Tells whether the next one is expected to be short.
    fn is_next(&self) -> bool {
        self.seen >= self.needed.max(WINS)
    }

    /// Notes that the next one was not.
    fn end(&mut self) {
        (self.seen, self.needed) = (0, self.needed.max(WINS).saturating_mul(2));
    }
}

/// The memo that shards share.
enum ShardForms {
    /// It was not needed yet.
    New,
    Ready(Box<SharedForms>),
    /// The problem has no forms.
    None,
}

impl ShardCounter {
    /// Makes a counter of shards of `problem`.
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

    /// Returns this counter such that it calls in those of `cores` that are idle.
    #[must_use]
    pub fn on(self, cores: &Arc<Cores>) -> Self {
        Self { cores: Arc::clone(cores), counter: self.counter.on(cores), ..self }
    }

    /// Returns this counter such that it goes through all covers of each shard by that engine.
    ///
    /// # Errors
    /// If the engine does not take the problem.
    pub fn by(self, engine: &'static EngineSpec) -> Result<Self, Unsupported> {
        let search = searched(engine, &self.problem, &self.cores)?;
        Ok(Self { engine: Some((engine, search)), ..self })
    }

    /// Counts the covers of a shard once, whatever its weight. The number depends on nothing but the shard; if a limit
    /// ended the count, it says nothing, and [`split_further`](super::split_further) makes smaller shards of it.
    ///
    /// # Panics
    /// If an option of the shard is not one of this problem's.
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

    /// Lets the methods race, or that one count that won the last races; what is short is searched at once.
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
            // It may not take this one.
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

    /// Notes which method was the fastest.
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

    /// Lets methods and forms take turns, which become longer.
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

    /// Counts with the memo for some time; nothing if that is not enough.
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

/// Counts for some time; nothing if that is not enough.
fn within(time: Duration, limits: &Limits, count: impl FnOnce(&Limits) -> Report) -> Option<Report> {
    let report = count(&limits.clone().no_longer_than(time));
    let is_late = report.end == End::Limit(Limit::Time) && limits.check().is_ok();
    (!is_late).then_some(report)
}

/// Returns a search by an engine, on those cores that are idle as well.
fn searched(
    engine: &'static EngineSpec,
    problem: &Arc<Problem>,
    cores: &Arc<Cores>,
) -> Result<Parallel<'static>, Unsupported> {
    let (first, shared) = ((engine.build)(problem)?, Arc::clone(problem));
    let build = move || (engine.build)(&shared).expect("the engine took the problem before");
    Ok(Parallel::with(problem, first, build, Arc::clone(cores)))
}

/// Returns the method by which all parts were counted, if it was one.
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
    fn who_was_the_fastest_counts_alone_until_it_is_not() {
        let limits = Limits::new();
        let problem = latin(5);
        let count = Counter::new(problem.clone()).count(&[], &limits).total();
        for method in METHODS {
            let mut counter = ShardCounter::new(problem.clone());
            (0..WINS).for_each(|_| counter.win(method, Duration::ZERO));
            let mut found = BigUint::ZERO;
            for shard in split(&problem, &[], 5, &limits).unwrap() {
                // Some methods take no such problem.
                let given = shard.part.given();
                let report = counter.count_by_methods(&given, &limits);
                found += report.total() * shard.path.weight();
            }
            assert_eq!(found, count, "{}", method.name);
        }
        // Who is late has no habit any more.
        let mut counter = ShardCounter::new(latin(7));
        let search = METHODS.iter().find(|method| method.name == "search").unwrap();
        (0..WINS).for_each(|_| counter.win(search, Duration::ZERO));
        assert_eq!(counter.count_by_methods(&[], &limits).total(), 61_479_419_904_000_u64.into());
        assert!(counter.habit.is_none_or(|habit| habit.method.name != "search"));
    }

    #[test]
    fn one_memo_for_all_shards_counts_as_the_methods_do() {
        let limits = Limits::new();
        let mut cut = 0;
        for (order, count) in [(4, 10), (5, 60), (7, 3)] {
            let problem = latin(order);
            let mut counter = ShardCounter::new(problem.clone());
            let mut plain = Counter::new(problem.clone());
            for shard in split(&problem, &[], count, &limits).unwrap() {
                let given = shard.part.given();
                // In turns of any length.
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
        // Given options that clash have no cover, whoever wrote the shard.
        let problem = latin(4);
        let clash = [OptionId::new(0), OptionId::new(1)];
        let mut counter = ShardCounter::new(problem);
        let report = counter.count_by_forms(&clash, &limits, TURN).unwrap();
        assert_eq!((report.end, report.solutions), (End::Exhausted, 0));
    }
}
