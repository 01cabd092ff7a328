//! The choice among ways to count a part, made while they run.
//!
//! What a way costs can hardly be told beforehand, but a good deal better once it has begun. So all ways
//! that come into question begin, for a slice of time each, the most promising first, and most parts
//! are counted before the second has begun. After each round every way has an *outlook*, the time that
//! it will still take as far as it can tell, and only those go on that may be the fastest, for twice as
//! long. None is given up: a way whose outlook turns out to be wrong waits, and another goes on where it
//! was left.
//!
//! Some outlooks are worth more than others: a search knows after some thousand nodes how far it is, a
//! frontier that still grows does not. So as soon as one way is *sure* of its outlook, all that are
//! not have but a small share of that time together, and what is counted fastest by plain search takes
//! hardly longer than that. Where the others are faster by far, their share is enough to be done, or at
//! least to be sure in turn.
//!
//! Memory: what all ways hold together is at most what is allowed. A way may have what the others leave; if that is
//! less than half, the one of them that is to take longest gives up all it has, and is out.
//!
//! What is known when a limit ends the race is the largest number of covers that a way is certain of: plain
//! search of those it has gone through, a memo of those below options that it is done with, a frontier of those
//! whose last step is behind, matching of one.

use std::time::{Duration, Instant};

use num_bigint::BigUint;

use super::{Cut, Watch};
use crate::limits::Limits;

/// A way to count the covers of a part, begun or not.
pub(crate) trait Way {
    /// Returns its name.
    fn name(&self) -> &'static str;

    /// Counts on for as much work as the watch allows.
    fn run(&mut self, watch: &mut Watch<'_>) -> Result<BigUint, Cut>;

    /// Returns the nanoseconds that it will still take, as far as it can tell, when so many were spent
    /// on it.
    fn outlook(&self, spent: Duration) -> f64;

    /// Returns about the nanoseconds that it takes to begin, in which it cannot be cut.
    fn setup(&self) -> f64 {
        0.0
    }

    /// Returns by how many times the outlook may well be too low, if it is to be trusted at all.
    fn doubt(&self) -> Option<f64> {
        None
    }

    /// Returns how many nodes it entered so far, and how many updates it made.
    fn effort(&self) -> (u64, u64) {
        (0, 0)
    }

    /// Returns how many covers of the part it is certain of by now.
    fn known(&self) -> BigUint {
        BigUint::ZERO
    }

    /// Returns the bytes that it holds, as far as they grow.
    fn bytes(&self) -> usize {
        0
    }

    /// Says what it did.
    fn explain(&self) -> String;

    /// Returns the number modulo which it counts, if it does.
    fn modulus(&self) -> Option<u64> {
        None
    }
}

/// The first slice of a way, in nanoseconds; each other one is as long as all before.
const SLICE: u64 = 200_000;
/// No slice is longer than this, so that it is told how far the count is.
const SLICE_MAX: u64 = 1_000_000_000;
/// A slice is over after so many times its length at the latest, since work is not told exactly.
const OVERTIME: u64 = 2;
/// Those ways go on whose outlook is at most so many times the best one.
const PATIENCE: f64 = 1.2;
/// The ways that are not sure of their outlook together have this share of the best that is sure.
const SHARE: f64 = 0.1;
/// A way that is sure has a slice of so many times its outlook: then it is nearly always done.
const MARGIN: f64 = 2.0;

/// A way in the race.
struct Runner<'w> {
    way: Box<dyn Way + 'w>,
    spent: Duration,
    outlook: f64,
    /// The time in all that was foreseen at its last slice but one.
    foreseen: Option<Duration>,
    doubt: Option<f64>,
    is_out: bool,
}

impl Runner<'_> {
    /// Returns the nanoseconds that it may go on at a time.
    fn slice(&self) -> u64 {
        let spent = self.spent.as_nanos() as u64;
        let all = self.doubt.map_or(0, |_| (MARGIN * self.outlook) as u64);
        let setup = if spent == 0 { self.way.setup() as u64 } else { 0 };
        spent.max(all).max(setup).clamp(SLICE, SLICE_MAX)
    }

    /// Tells whether it may go on if those that are not sure have so many nanoseconds left together.
    fn may_run(&self, share: f64) -> bool {
        !self.is_out && (self.doubt.is_some() || self.slice() as f64 <= share)
    }

    /// Returns the nanoseconds by which it is compared with the others.
    fn rank(&self) -> f64 {
        self.outlook * self.doubt.unwrap_or(1.0)
    }

    /// Gives back all memory; what it did and was certain of stays known.
    fn give_up(&mut self) {
        let (effort, known) = (self.way.effort(), self.way.known());
        let (name, explanation) = (self.way.name(), self.way.explain());
        self.way = Box::new(GivenUp { name, explanation, effort, known });
        self.is_out = true;
    }
}

/// What is left of a way that gave back its memory.
struct GivenUp {
    name: &'static str,
    explanation: String,
    effort: (u64, u64),
    known: BigUint,
}

impl Way for GivenUp {
    fn name(&self) -> &'static str {
        self.name
    }

    fn run(&mut self, _: &mut Watch<'_>) -> Result<BigUint, Cut> {
        Err(Cut::Memory)
    }

    fn outlook(&self, _: Duration) -> f64 {
        f64::INFINITY
    }

    fn effort(&self) -> (u64, u64) {
        self.effort
    }

    fn known(&self) -> BigUint {
        self.known.clone()
    }

    fn explain(&self) -> String {
        self.explanation.clone()
    }
}

/// Returns the nanoseconds that are left to those ways that are not sure of their outlook.
fn share(runners: &[Runner<'_>]) -> f64 {
    let live = || runners.iter().filter(|runner| !runner.is_out);
    let best = live().filter(|runner| runner.doubt.is_some()).map(|runner| runner.outlook);
    let spent =
        live().filter(|runner| runner.doubt.is_none()).map(|runner| runner.spent.as_nanos() as f64);
    SHARE * best.fold(f64::INFINITY, f64::min) - spent.sum::<f64>()
}

/// How far a way came that took part in a count.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lap {
    /// Its name.
    pub way: &'static str,
    /// The time that it took.
    pub spent: Duration,
    /// The time that it would have taken in all, as far as that can be told, if it was not the first.
    pub all: Option<Duration>,
}

/// How a race ended.
pub(crate) struct Finish {
    /// The number, or why there is none.
    pub(crate) result: Result<BigUint, Cut>,
    /// How many covers are certain, if there is no number.
    pub(crate) known: BigUint,
    /// Nodes and updates of all ways.
    pub(crate) effort: (u64, u64),
    /// The way that came first, and what it did.
    pub(crate) name: &'static str,
    pub(crate) explanation: String,
    /// The number modulo which that is, if it is.
    pub(crate) modulus: Option<u64>,
    /// The time that it was expected to take when about half of it was over.
    pub(crate) foreseen: Option<Duration>,
    /// Those that took part, and those of which is known how long they would take.
    pub(crate) field: Vec<Lap>,
    /// The place of the way that came first among all.
    pub(crate) place: usize,
}

/// How far a race is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Standing {
    /// The way that leads.
    pub(crate) way: &'static str,
    /// If it is sure: the time spent on it and the time left, and by how many times that may be too low.
    pub(crate) sure: Option<(Duration, Duration, f64)>,
    /// The time spent on all ways.
    pub(crate) spent: Duration,
}

/// What ways in a race must keep to.
pub(crate) struct Rules<'r> {
    pub(crate) limits: &'r Limits,
    /// The bytes that all may hold together.
    pub(crate) bytes: usize,
    /// The race is over soon after so much time.
    pub(crate) budget: Duration,
    /// Who is told at the beginning and after each slice how far the race is, with nodes and covers that are certain.
    pub(crate) tell: Option<&'r dyn Fn(Standing, u64, BigUint)>,
}

/// Lets the ways run until one is done, or a limit ends the race.
pub(crate) fn race<'w>(ways: Vec<Box<dyn Way + 'w>>, rules: &Rules<'_>) -> Finish {
    let begun_all = Instant::now();
    let begin = |way: Box<dyn Way + 'w>| {
        let (outlook, doubt) = (way.outlook(Duration::ZERO), way.doubt());
        Runner { way, spent: Duration::ZERO, outlook, doubt, foreseen: None, is_out: false }
    };
    let mut runners: Vec<_> = ways.into_iter().map(begin).collect();
    let mut last = Cut::Unsuited;
    let tell = |runners: &[Runner<'_>]| {
        if let (Some(tell), Some(standing)) = (rules.tell, standing(runners)) {
            tell(standing, effort(runners).0, known(runners));
        }
    };
    tell(&runners);
    loop {
        let mut has_run = false;
        for index in 0..runners.len() {
            let share = share(&runners);
            let live = runners.iter().filter(|runner| runner.may_run(share));
            let best = live.map(Runner::rank).fold(f64::INFINITY, f64::min);
            let runner = &runners[index];
            if !runner.may_run(share) || runner.rank() > PATIENCE * best {
                continue;
            }
            if let Err(limit) = rules.limits.check() {
                return finish(Err(Cut::Limit(limit)), &runners, None);
            }
            let begun = Instant::now();
            let Some(left) = rules.budget.checked_sub(begun - begun_all) else {
                last = Cut::Work;
                continue;
            };
            has_run = true;
            let bytes = make_room(&mut runners, index, rules.bytes);
            let runner = &mut runners[index];
            let slice = runner.slice().min(left.as_nanos() as u64);
            let end = begun.checked_add(Duration::from_nanos(slice.saturating_mul(OVERTIME)));
            let result = runner.way.run(&mut Watch::new(rules.limits, slice, bytes).until(end));
            runner.spent += begun.elapsed();
            match result {
                Err(Cut::Work) => {
                    runner.outlook = runner.way.outlook(runner.spent);
                    runner.doubt = runner.way.doubt();
                    let left = Duration::try_from_secs_f64(runner.outlook * 1e-9);
                    runner.foreseen = left.ok().and_then(|left| runner.spent.checked_add(left));
                }
                Err(cut @ (Cut::Memory | Cut::Unsuited)) => (runner.is_out, last) = (true, cut),
                Ok(_) | Err(Cut::Limit(_)) => {
                    runner.is_out = result.is_ok();
                    return finish(result, &runners, Some(index));
                }
            }
            tell(&runners);
        }
        if !has_run {
            return finish(Err(last), &runners, None);
        }
    }
}

/// Returns the bytes that a way may hold beside the others; where that is less than half of all, those that
/// are to take longest give up what they have.
fn make_room(runners: &mut [Runner<'_>], index: usize, bytes: usize) -> usize {
    loop {
        let held = |(place, runner): (usize, &Runner<'_>)| {
            if place == index { 0 } else { runner.way.bytes() }
        };
        let left = bytes.saturating_sub(runners.iter().enumerate().map(held).sum());
        if left >= bytes / 2 {
            return left;
        }
        let others = runners.iter().enumerate().filter(|&other| held(other) > 0);
        let slowest = others.max_by(|a, b| a.1.rank().total_cmp(&b.1.rank()));
        let Some((place, _)) = slowest else { return left };
        runners[place].give_up();
    }
}

/// Returns nodes and updates of all ways.
fn effort(runners: &[Runner<'_>]) -> (u64, u64) {
    let efforts = runners.iter().map(|runner| runner.way.effort());
    efforts.fold((0, 0), |sum, more| (sum.0 + more.0, sum.1 + more.1))
}

/// Returns the largest number of covers that a way is certain of.
fn known(runners: &[Runner<'_>]) -> BigUint {
    runners.iter().map(|runner| runner.way.known()).max().unwrap_or_default()
}

/// Returns how far the race is: of the ways that are sure the fastest leads, else the one that had the most time.
fn standing(runners: &[Runner<'_>]) -> Option<Standing> {
    let live = || runners.iter().filter(|runner| !runner.is_out);
    let spent = runners.iter().map(|runner| runner.spent).sum();
    let sure =
        live().filter(|runner| runner.doubt.is_some()).min_by(|a, b| a.rank().total_cmp(&b.rank()));
    let leader = sure.or_else(|| live().max_by_key(|runner| runner.spent))?;
    let left = Duration::try_from_secs_f64(leader.outlook * 1e-9).ok();
    let sure = leader.doubt.zip(left).map(|(doubt, left)| (leader.spent, left, doubt.max(1.0)));
    Some(Standing { way: leader.way.name(), sure, spent })
}

/// Sums up a race that ended with the way at a place, if with one.
fn finish(result: Result<BigUint, Cut>, runners: &[Runner<'_>], place: Option<usize>) -> Finish {
    let known = if result.is_ok() { BigUint::ZERO } else { known(runners) };
    let runner = place.map(|place| &runners[place]);
    Finish {
        result,
        known,
        effort: effort(runners),
        name: runner.map_or("none", |runner| runner.way.name()),
        explanation: runner.map_or_else(String::new, |runner| runner.way.explain()),
        modulus: runner.and_then(|runner| runner.way.modulus()),
        foreseen: runner.and_then(|runner| runner.foreseen),
        field: field(runners),
        place: place.unwrap_or(0),
    }
}

/// Returns how far each way came that has begun, or is sure how long it would take.
fn field(runners: &[Runner<'_>]) -> Vec<Lap> {
    let lap = |runner: &Runner<'_>| {
        let is_known = runner.doubt.is_some() && !runner.is_out;
        let left = is_known.then(|| Duration::try_from_secs_f64(runner.outlook * 1e-9).ok()).flatten();
        let all = left.and_then(|left| runner.spent.checked_add(left));
        Lap { way: runner.way.name(), spent: runner.spent, all }
    };
    runners.iter().map(lap).filter(|lap| lap.spent > Duration::ZERO || lap.all.is_some()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A way that knows nothing but its name.
    struct Idle;

    impl Way for Idle {
        fn name(&self) -> &'static str {
            "idle"
        }

        fn run(&mut self, _: &mut Watch<'_>) -> Result<BigUint, Cut> {
            Err(Cut::Unsuited)
        }

        fn outlook(&self, _: Duration) -> f64 {
            1e6
        }

        fn explain(&self) -> String {
            String::new()
        }
    }

    fn runner(spent: u64, outlook: f64, doubt: Option<f64>) -> Runner<'static> {
        let spent = Duration::from_nanos(spent);
        Runner { way: Box::new(Idle), spent, outlook, doubt, foreseen: None, is_out: false }
    }

    #[test]
    fn those_that_are_not_sure_share_a_part_of_the_best_outlook_that_is() {
        let mut runners =
            [runner(9, 1e9, Some(2.0)), runner(0, 2e7, Some(1.0)), runner(SLICE, 1.0, None)];
        let left = SHARE * 2e7 - SLICE as f64;
        assert_eq!(share(&runners), left);
        assert!(runners.iter().all(|runner| runner.may_run(left)));
        runners[2].spent = Duration::from_nanos(left as u64 + 1);
        assert!(!runners[2].may_run(share(&runners)), "its next slice is more than is left");
        assert!(runners[1].may_run(share(&runners)), "it is sure");
        runners[1].is_out = true;
        assert!(runners[2].may_run(share(&runners)), "the other outlook is far");
        runners[0].is_out = true;
        assert_eq!(share(&runners), f64::INFINITY);
    }

    #[test]
    fn a_way_that_is_sure_may_go_on_until_it_is_done_and_is_compared_with_its_doubt() {
        let sure = runner(1, 1e7, Some(2.0));
        assert_eq!((sure.slice(), sure.rank()), (20_000_000, 2e7));
        assert_eq!(runner(1, 1e10, Some(1.0)).slice(), SLICE_MAX);
        assert_eq!(runner(3 * SLICE, 1e10, None).slice(), 3 * SLICE);
        assert_eq!(runner(1, 1e10, None).slice(), SLICE);
    }

    /// A way that holds bytes and is certain of some covers.
    struct Heavy(usize);

    impl Way for Heavy {
        fn name(&self) -> &'static str {
            "heavy"
        }

        fn run(&mut self, watch: &mut Watch<'_>) -> Result<BigUint, Cut> {
            assert!(watch.bytes >= 50, "at least half is for the one that runs");
            self.0 = watch.bytes;
            Err(Cut::Work)
        }

        fn outlook(&self, _: Duration) -> f64 {
            1e6
        }

        fn known(&self) -> BigUint {
            self.0.into()
        }

        fn bytes(&self) -> usize {
            self.0
        }

        fn explain(&self) -> String {
            String::new()
        }
    }

    #[test]
    fn ways_that_wait_give_back_their_memory_and_what_they_know_stays() {
        let heavy = |bytes, outlook| Runner { way: Box::new(Heavy(bytes)), ..runner(1, outlook, None) };
        let mut runners = [heavy(30, 1e6), heavy(0, 1e6), heavy(30, 1e7), heavy(40, 1e8)];
        assert_eq!(make_room(&mut runners, 1, 100), 70);
        let outs = runners.iter().map(|runner| runner.is_out);
        assert_eq!(outs.collect::<Vec<_>>(), [false, false, true, true]);
        assert_eq!(known(&runners), 40_u32.into());
        assert_eq!(make_room(&mut runners, 0, 100), 100);
    }

    #[test]
    fn of_ways_that_are_sure_the_fastest_leads_else_the_one_that_had_most_time() {
        let mut runners =
            [runner(5, 1e9, Some(2.0)), runner(9, 1.5e9, Some(1.0)), runner(90, 1.0, None)];
        let (spent, left) = (Duration::from_nanos(9), Duration::from_millis(1500));
        let all = Duration::from_nanos(104);
        let expected = Standing { way: "idle", sure: Some((spent, left, 1.0)), spent: all };
        assert_eq!(standing(&runners), Some(expected));
        runners[0].is_out = true;
        runners[1].doubt = None;
        assert_eq!(standing(&runners).map(|standing| standing.sure), Some(None));
    }

    #[test]
    fn a_lap_tells_the_time_of_all_where_it_is_known() {
        let mut runners = [
            runner(5, 1e9, Some(1.0)),
            runner(0, 3.0, Some(1.0)),
            runner(7, 1e6, None),
            runner(0, 1e6, None),
        ];
        runners[0].is_out = true;
        let lap = |spent, all: Option<u64>| {
            let spent = Duration::from_nanos(spent);
            Lap { way: "idle", spent, all: all.map(Duration::from_nanos) }
        };
        assert_eq!(field(&runners), [lap(5, None), lap(0, Some(3)), lap(7, None)]);
    }

    #[test]
    fn if_no_way_takes_the_part_there_is_no_number() {
        let ways: Vec<Box<dyn Way>> = vec![Box::new(Idle), Box::new(Idle)];
        let limits = Limits::default();
        let rules = Rules { limits: &limits, bytes: 1, budget: Duration::MAX, tell: None };
        let finish = race(ways, &rules);
        assert_eq!((finish.result, finish.name), (Err(Cut::Unsuited), "none"));
    }
}
