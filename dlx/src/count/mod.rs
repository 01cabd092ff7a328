//! Counts covers without listing them, exactly and of any size.
//!
//! A [`Counter`] reduces the problem, merges equal options, and splits the rest into independent
//! parts. Each part is counted with the method that wins a race (`portfolio/race.rs`):
//! - *frontier* (`frontier/`) processes the items in an order that keeps few of them open, and all
//!   states of a step at once;
//! - *matching* (`matching/`) counts perfect matchings of planar graphs, such as domino tilings, by
//!   Pfaffians;
//! - *symmetry* (`symmetry/`) is a search that counts isomorphic subproblems once, for
//!   interchangeable items as in Latin squares, designs and set partitions;
//! - *memo* (`memo/`) is a search that caches the counts of subproblems, for problems where most
//!   states of a frontier would be dead ends;
//! - *signs* (`signs/`) sums over signs of points, for options with one item of each group, as in
//!   Langford pairs and permanents;
//! - *algebra* (`algebra/`) finds a combination of items that proves that there is no cover;
//! - *search* enumerates the covers with the chosen engine, or with the filtering engine if there
//!   are many dead ends.
//!
//! A [`LayeredCount`] counts with the method *symmetry* alone, and can be saved and resumed. A
//! [`Diagram`](crate::diagram::Diagram) keeps the states and answers further questions.
//!
//! Counts have arbitrary precision. Keys are compared in full, not only by hash.

#[cfg(test)]
mod tests;

use std::cell::Cell;
use std::fmt;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use limits::clock::Instant;
use num_bigint::BigUint;

use crate::limits::{CountProgress, Limit, Limits, Progress};
use crate::methods::{Counting, Hints, Orders, SLICES, filtering, frontier, search};
pub use crate::methods::{LayeredCount, LayersHead, LayersSurvey, METHODS, Method};
use crate::model::{OptionId, Problem};
use crate::numbers::modular::is_prime;
use crate::parallel::Cores;
pub use crate::portfolio::Lap;
use crate::portfolio::{BYTES, Contender as _, Cut, Race, RaceProgress, Rules, ThreadClock, costs};
use crate::prepare::{Parts, Weighted};
use crate::search::{End, Engine, Report, Unsupported};
use crate::solve::Solver;

/// Node limit of a short search (about a millisecond), which runs before any other method.
const SHORT_NODES: u64 = 20_000;

/// Counts the covers of a problem, without listing them where that is faster.
///
/// ```
/// use dlx::count::Counter;
/// use dlx::Limits;
///
/// // Dominoes on a board of 16x16: a number of 31 digits.
/// let square = |row: usize, column: usize| format!("{row}.{column}");
/// let squares: Vec<_> = (0..256).map(|place| square(place / 16, place % 16)).collect();
/// let mut text = squares.join(" ") + "\n";
/// for (row, column) in (0..256).map(|place| (place / 16, place % 16)) {
///     if column < 15 {
///         text += &format!("{} {}\n", square(row, column), square(row, column + 1));
///     }
///     if row < 15 {
///         text += &format!("{} {}\n", square(row, column), square(row + 1, column));
///     }
/// }
/// let problem: dlx::Problem = text.parse()?;
/// let report = Counter::new(problem).count(&[], &Limits::new());
/// assert_eq!(report.total().to_string(), "2444888770250892795802079170816");
/// # Ok::<(), dlx::ParseError>(())
/// ```
pub struct Counter {
    problem: Arc<Problem>,
    cores: Arc<Cores>,
    solver: Solver,
    is_checked: bool,
    method: Option<&'static Method>,
    plan: CountPlan,
}

/// How a [`Counter`] made its last count.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
#[cfg_attr(not(feature = "unstable"), doc(hidden))]
pub struct CountPlan {
    /// The plan of the solver, if a short plain search finished the count.
    pub search: Option<String>,
    /// The independent parts, the smallest first.
    pub parts: Vec<PartCount>,
}

/// How a part was counted.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[cfg_attr(not(feature = "unstable"), doc(hidden))]
pub struct PartCount {
    /// The number of items of the part.
    pub items: usize,
    /// The number of options of the part.
    pub options: usize,
    /// The name of the method that finished first.
    pub method: &'static str,
    /// Details of the method that finished first.
    pub explanation: String,
    /// The expected total time, estimated about half way through, if the count was long.
    pub foreseen: Option<Duration>,
    /// The contenders that took part, and other contenders with a reliable estimate of their time.
    pub laps: Vec<Lap>,
    /// How the number was checked, or `None` if it was not checked.
    pub check: Option<String>,
}

impl Counter {
    /// Makes a counter of `problem`, without any work yet.
    #[must_use]
    pub fn new(problem: impl Into<Arc<Problem>>) -> Self {
        let problem = problem.into();
        let (solver, cores) = (Solver::new(Arc::clone(&problem)).keeping_parts(), Cores::new(0));
        Self { problem, cores, solver, is_checked: false, method: None, plan: CountPlan::default() }
    }

    /// Makes this counter use idle `cores`.
    #[must_use]
    pub fn on(mut self, cores: &Arc<Cores>) -> Self {
        self.cores = Arc::clone(cores);
        self.solver = self.solver.on(cores);
        self
    }

    /// Makes this counter use only `method`, for every part.
    #[must_use]
    pub fn by(self, method: &'static Method) -> Self {
        Self { method: Some(method), ..self }
    }

    /// Makes this counter check every part by a second method, however long it takes. Without this
    /// setting, a part is checked only if the check takes less than a twentieth of the time of the
    /// count.
    ///
    /// ```
    /// use dlx::count::{Counter, METHODS};
    ///
    /// let problem: dlx::Problem = "a b c\na b\nc\na\nb c\n".parse()?;
    /// let mut counter = Counter::new(problem).by(&METHODS[1]).checked();
    /// assert_eq!(counter.count(&[], &dlx::Limits::new()).count(), Some(2));
    /// assert!(counter.explain().to_string().contains("checked by"));
    /// # Ok::<(), dlx::ParseError>(())
    /// ```
    #[must_use]
    pub fn checked(self) -> Self {
        Self { is_checked: true, ..self }
    }

    /// Describes how the last count was made.
    #[must_use]
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    pub fn explain(&self) -> &CountPlan {
        &self.plan
    }

    /// Counts the covers that contain the options of `given`.
    ///
    /// With a limit on solutions or nodes, or with a profile, this is a plain search ([`Solver`]),
    /// because no other method supports these.
    ///
    /// # Panics
    /// If an option of `given` is not one of this problem's, or if the chosen method does not
    /// support the problem.
    pub fn count(&mut self, given: &[OptionId], limits: &Limits) -> Report {
        self.try_count(given, limits).expect("a search takes any problem")
    }

    /// Counts like [`Self::count`], if the chosen method supports the problem.
    ///
    /// # Errors
    /// If the chosen method does not support the problem.
    ///
    /// # Panics
    /// If an option of `given` is not one of this problem's.
    pub fn try_count(&mut self, given: &[OptionId], limits: &Limits) -> Result<Report, Unsupported> {
        self.plan = CountPlan::default();
        _ = (self.solver.take_parts(), self.solver.take_counts());
        if let Some(progress) = &limits.progress {
            progress.clear_of_count();
        }
        let is_search =
            limits.solutions.is_some() || limits.nodes.is_some() || limits.profile || limits.rest;
        let mut trial = Report::empty(End::Exhausted);
        let progress = Arc::new(Progress::default());
        if self.method.is_none() && !self.is_checked {
            let nodes_expected = Some(SHORT_NODES);
            let progress = Some(Arc::clone(&progress));
            let short = limits.clone().nodes_expected(nodes_expected).progress(progress);
            trial = self.solver.count(given, if is_search { limits } else { &short });
            let is_cut = matches!(trial.end, End::Limit(Limit::Nodes | Limit::Numbers | Limit::Memory));
            if is_search || !is_cut {
                self.plan.search = Some(self.solver.explain().to_string());
                return Ok(trial);
            }
        } else if is_search {
            return Err(Unsupported::new("limits of solutions and nodes, nor a profile"));
        }
        let found = trial.total();
        let mut effort = (trial.nodes, trial.updates);
        let report =
            |end, total, (nodes, updates)| Report { nodes, updates, ..Report::counted(end, total) };
        let parts = match self.solver.take_parts() {
            Some(parts) => parts,
            None => match Parts::new(&self.problem, given, limits) {
                Ok(Some(parts)) => Arc::new(parts),
                Ok(None) => return Ok(report(End::Exhausted, BigUint::ZERO, effort)),
                Err(limit) => return Ok(report(End::Limit(limit), found, effort)),
            },
        };
        let mut total = parts.factor();
        let part_count = parts.parts.len();
        let counts = self.solver.take_counts();
        if counts.contains(&Some(0)) || counts.len() == part_count && !counts.contains(&None) {
            self.plan.search = Some(self.solver.explain().to_string());
            let each = counts.into_iter().flatten();
            return Ok(report(End::Exhausted, each.fold(total, |total, count| total * count), effort));
        }
        let is_known = part_count == 1 && progress.nodes() > 0;
        let search = is_known.then(|| (progress.fraction(), progress.nodes()));
        let engines = if given.is_empty() { self.solver.take_engines() } else { Vec::new() };
        let mut engines = engines.into_iter();
        for (number, part) in (1..).zip(&parts.parts) {
            let engine = Cell::new(engines.next().filter(|_| !part.is_repeated()));
            if let Some(&Some(count)) = counts.get(number - 1) {
                total *= count;
                self.plan.parts.push(PartCount::short(part));
                continue;
            }
            let (orders, has_cover) = (&Orders::default(), &AtomicBool::new(found > BigUint::ZERO));
            let hints =
                Hints { cores: &self.cores, modulus: None, orders, search, has_cover, engine: &engine };
            let is_last = number == part_count;
            let done =
                Done { part: number, part_count, nodes: effort.0, factor: is_last.then_some(&total) };
            let finish = self.count_part(part, &hints, limits, &done);
            effort = (effort.0 + finish.effort.0, effort.1 + finish.effort.1);
            let check = self.check_part(part, &hints, &finish, limits, &done);
            if let Some((_, (nodes, updates))) = &check {
                effort = (effort.0 + nodes, effort.1 + updates);
            }
            let check = check.and_then(|(check, _)| check);
            self.plan.parts.push(PartCount::new(part, &finish, check));
            match finish.result {
                Ok(count) => total *= count,
                Err(Cut::Unsuited) => return Err(Unsupported::new("such problems")),
                Err(cut) => {
                    // Later parts may have no cover, so the count has no positive lower bound.
                    let known = if is_last { total * finish.known } else { BigUint::ZERO };
                    return Ok(report(End::Limit(cut.limit()), known.max(found), effort));
                }
            }
            if total == BigUint::ZERO {
                break;
            }
        }
        Ok(report(End::Exhausted, total, effort))
    }

    fn count_part<'p>(
        &self,
        part: &'p Weighted,
        hints: &Hints<'p>,
        limits: &Limits,
        done: &Done<'_>,
    ) -> Finish {
        let methods = self.method.map_or(METHODS, std::slice::from_ref);
        let contenders = methods.iter().flat_map(|method| (method.contenders)(part, hints));
        Finish::new(
            contenders.collect(),
            hints.cores,
            limits,
            Duration::MAX,
            done.teller(limits, false).as_deref(),
        )
    }

    /// Counts a part again with other contenders: a frontier in another order, modulo a random
    /// prime, or another method. Returns `None` if the time did not suffice.
    ///
    /// # Panics
    /// If the two counts differ, which means that the program has a bug.
    fn check_part<'p>(
        &self,
        part: &'p Weighted,
        hints: &Hints<'p>,
        first: &Finish,
        limits: &Limits,
        done: &Done<'_>,
    ) -> Option<(Option<String>, (u64, u64))> {
        let count = first.result.as_ref().ok()?;
        let spent: Duration = first.laps.iter().map(|lap| lap.spent).sum();
        let budget = if self.is_checked { Duration::MAX } else { spent / CHECK_SHARE };
        if !self.is_checked && budget < Duration::from_nanos(costs::COUNT_CHECK_MIN) {
            return None;
        }
        let hints = Hints { modulus: Some(random_prime()), ..*hints };
        search::note_cover(hints.has_cover, count);
        let all = METHODS.iter().flat_map(|method| (method.contenders)(part, &hints)).enumerate();
        let is_late = |name| first.laps.iter().any(|lap| lap.name == name && lap.all > Some(budget));
        let others = all.filter(|(place, other)| {
            if is_late(other.name()) {
                return false;
            }
            let is_search = [search::METHOD.name, filtering::NAME].contains(&other.name());
            if is_search && *count > BigUint::from(SEARCH_MAX) {
                return false;
            }
            let is_other_order = first.name == frontier::METHOD.name && *place != first.place;
            other.name() != first.name || is_other_order && self.method.is_none()
        });
        let is_hopeful = |other: &Counting<'_>| {
            self.is_checked || other.estimate(Duration::ZERO).most() <= budget.as_nanos() as f64
        };
        let others =
            others.map(|(_, other)| other).filter(|other| is_hopeful(other.as_ref())).collect();
        let again =
            Finish::new(others, hints.cores, limits, budget, done.teller(limits, true).as_deref());
        let time: Duration = again.laps.iter().map(|lap| lap.spent).sum();
        let Ok(found) = again.result else { return Some((None, again.effort)) };
        let expected = again.modulus.map_or_else(|| count.clone(), |modulus| count % modulus);
        assert_eq!(found, expected, "two methods agree ({} and {})", first.name, again.name);
        let by = again.modulus.map_or_else(String::new, |modulus| format!(" modulo {modulus}"));
        let said = format!("checked by {}{by} in {}", again.name, Span(time));
        Some((Some(said), again.effort))
    }
}

struct Done<'c> {
    part: usize,
    part_count: usize,
    nodes: u64,
    /// The product of the counts of all other parts, for the last part; otherwise `None`.
    factor: Option<&'c BigUint>,
}

/// Receives the progress of a race, its nodes, and its lower bound for the number of covers.
type Tell<'t> = dyn Fn(RaceProgress, u64, BigUint) + 't;

struct Finish {
    result: Result<BigUint, Cut>,
    known: BigUint,
    effort: (u64, u64),
    name: &'static str,
    explanation: String,
    modulus: Option<u64>,
    foreseen: Option<Duration>,
    laps: Vec<Lap>,
    place: usize,
}

impl Finish {
    /// Runs a race for the number of covers, with `time` as approximate limit.
    fn new(
        contenders: Vec<Box<Counting<'_>>>,
        cores: &Arc<Cores>,
        limits: &Limits,
        time: Duration,
        tell: Option<&Tell<'_>>,
    ) -> Self {
        type Counters<'p> = Race<Box<Counting<'p>>>;
        let mut race = Race::new(contenders, SLICES);
        let tell = |race: &Counters<'_>| {
            if let (Some(tell), Some(standing)) = (tell, race.standing()) {
                tell(standing, race.effort().0, race.known().unwrap_or_default());
            }
        };
        tell(&race);
        let bytes = limits.memory.unwrap_or(BYTES);
        let rules = Rules { limits, clock: &ThreadClock, bytes, time };
        let result = race.run_on(cores, &rules, &mut |race| tell(race));
        let known = if result.is_ok() { None } else { race.known() };
        let is_by_one = matches!(result, Ok(_) | Err(Cut::Limit(_)));
        let place = race.last().filter(|_| is_by_one);
        let contender = place.and_then(|place| race.contender(place));
        Self {
            result,
            known: known.unwrap_or_default(),
            effort: race.effort(),
            name: contender.map_or("none", |contender| contender.name()),
            explanation: contender.map_or_else(String::new, |contender| contender.explain()),
            modulus: contender.and_then(|contender| contender.modulus()),
            foreseen: place.and_then(|place| race.foreseen(place)),
            laps: race.laps(),
            place: place.unwrap_or(0),
        }
    }
}

impl Done<'_> {
    fn teller<'t>(&'t self, limits: &'t Limits, is_check: bool) -> Option<Box<Tell<'t>>> {
        let Self { part, part_count, nodes, factor } = self;
        let progress = limits.progress.as_deref()?;
        let begun = Instant::now();
        Some(Box::new(move |standing, more, known| {
            let RaceProgress { name, sure, spent } = standing;
            let done = sure.map(|(spent, left, _)| {
                spent.as_secs_f64() / (spent + left).as_secs_f64().max(f64::MIN_POSITIVE)
            });
            // The waiting time is longer than the processor time on a busy machine, and shorter on
            // several cores.
            let stretch = begun.elapsed().as_secs_f64() / spent.as_secs_f64().max(f64::MIN_POSITIVE);
            let wait = |left: Duration| {
                Duration::try_from_secs_f64(left.as_secs_f64() * stretch.min(STRETCH_MAX))
            };
            let mut count = CountProgress::default();
            (count.method, count.fraction, count.spent) = (name, done, spent);
            count.left = sure.and_then(|(_, left, _)| wait(left).ok());
            count.error = sure.map_or(1.0, |(.., error)| error);
            (count.part, count.parts, count.is_check) = (*part, *part_count, is_check);
            let known = factor.map_or(BigUint::ZERO, |factor| factor * known);
            progress.set_of_count(count, nodes + more, known.try_into().unwrap_or(u64::MAX));
        }))
    }
}

/// Largest ratio of waiting time to processor time assumed for the time left.
const STRETCH_MAX: f64 = 16.0;
/// An unrequested check may take the time of the count divided by this number.
const CHECK_SHARE: u32 = 20;
const SEARCH_MAX: u64 = 100_000_000;

fn random_prime() -> u64 {
    let seed = RandomState::new().build_hasher().finish();
    let odd = (1 << 60) | (seed >> 4) | 1;
    (0..).map(|step| odd + 2 * step).find(|&number| is_prime(number)).expect("primes are dense")
}

impl fmt::Debug for Counter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Counter")
            .field("problem", &self.problem)
            .field("plan", &self.plan)
            .finish_non_exhaustive()
    }
}

impl PartCount {
    fn short(part: &Weighted) -> Self {
        Self {
            items: part.problem.item_count(),
            options: part.problem.option_count(),
            method: search::METHOD.name,
            explanation: "short".to_owned(),
            foreseen: None,
            laps: Vec::new(),
            check: None,
        }
    }

    fn new(part: &Weighted, finish: &Finish, check: Option<String>) -> Self {
        let Finish { name, explanation, foreseen, laps, .. } = finish;
        Self {
            items: part.problem.item_count(),
            options: part.problem.option_count(),
            method: name,
            explanation: explanation.clone(),
            foreseen: *foreseen,
            laps: laps.clone(),
            check,
        }
    }
}

impl CountPlan {
    /// Returns the name of the method that counted the largest part.
    #[must_use]
    pub fn method(&self) -> &'static str {
        self.parts.last().map_or("search", |part| part.method)
    }
}

struct Span(Duration);

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_secs_f64() {
            seconds @ ..1.0 => write!(f, "{:.1} ms", seconds * 1e3),
            seconds @ ..100.0 => write!(f, "{seconds:.1} s"),
            seconds @ ..1e3 => write!(f, "{seconds:.0} s"),
            seconds => write!(f, "{seconds:.0e} s"),
        }
    }
}

impl fmt::Display for CountPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(search) = &self.search {
            return f.write_str(search);
        }
        if self.parts.is_empty() {
            return f.write_str("reduced to nothing");
        }
        for (number, part) in self.parts.iter().enumerate() {
            let PartCount { items, options, method, explanation, foreseen, laps, check } = part;
            let separator = if number > 0 { "; " } else { "" };
            write!(f, "{separator}{method} ({items} items, {options} options: {explanation}; ")?;
            for (place, Lap { name, spent, all }) in laps.iter().enumerate() {
                let separator = if place > 0 { ", " } else { "" };
                write!(f, "{separator}{name} {}", Span(*spent))?;
                if let Some(all) = all {
                    write!(f, " of some {}", Span(*all))?;
                }
            }
            if let Some(foreseen) = foreseen {
                write!(f, "; half way {} were foreseen", Span(*foreseen))?;
            }
            if let Some(check) = check {
                write!(f, "; {check}")?;
            }
            f.write_str(")")?;
        }
        Ok(())
    }
}
