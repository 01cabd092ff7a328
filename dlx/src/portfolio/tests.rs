//! Tests races of scripted contenders on a clock that only the contenders move.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use super::{
    Budget, Clock as _, Contender, Cut, Estimate, Race, RaceProgress, Rules, Slices, ThreadClock,
    WorkClock, costs,
};
use crate::limits::{Limit, Limits};
use crate::numbers::Random;

const SLICES: Slices = Slices { first: 200_000, longest: 1_000_000_000 };
const MS: u64 = 1_000_000;
const SECOND: u64 = 1_000_000_000;
/// Time limit of a test race (ns). A race that reaches it does not terminate.
const FOR_EVER: u64 = 1_000_000 * SECOND;

#[derive(Default)]
struct Stage {
    clock: WorkClock,
    longest: Cell<u64>,
    order: Cell<Vec<&'static str>>,
}

impl Stage {
    fn time(&self) -> u64 {
        self.clock.now().as_nanos() as u64
    }

    fn order(&self) -> Vec<&'static str> {
        let order = self.order.take();
        self.order.set(order.clone());
        order
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Then {
    Done,
    Refuse,
    Starve,
    Panic,
    Limit,
}

struct Scripted<'s> {
    stage: &'s Stage,
    name: &'static str,
    /// The running time that the contender needs (ns), and how it ends after that time.
    need: u64,
    then: Then,
    had: u64,
    says: Box<dyn Fn(u64) -> Estimate + 's>,
    takes: Box<dyn Fn(u64) -> u64 + 's>,
    setup: u64,
    share: f64,
    greed: f64,
    bytes: usize,
}

/// Builds a contender that keeps to its slices and gives exact estimates.
fn honest<'s>(stage: &'s Stage, name: &'static str, need: u64) -> Scripted<'s> {
    Scripted {
        stage,
        name,
        need,
        then: Then::Done,
        had: 0,
        says: Box::new(move |had| Estimate::sure((need - had) as f64, 1.0)),
        takes: Box::new(|slice| slice),
        setup: 0,
        share: 1.0,
        greed: 0.0,
        bytes: 0,
    }
}

/// Builds a contender that first estimates a millisecond, and after `time` guesses `left(time)`
/// milliseconds.
fn late<'s>(stage: &'s Stage, need: u64, left: fn(u64) -> f64) -> Scripted<'s> {
    let says = move |had| match had {
        0 => Estimate::sure(MS as f64, 1.0),
        _ => Estimate::guess(left(had) * MS as f64),
    };
    Scripted { says: Box::new(says), ..honest(stage, "late", need) }
}

fn blind(had: u64) -> Estimate {
    Estimate::guess(had as f64)
}

fn saying<'s>(stage: &'s Stage, name: &'static str, need: u64, estimate: Estimate) -> Scripted<'s> {
    Scripted { says: Box::new(move |_| estimate), ..honest(stage, name, need) }
}

const NEVER: u64 = u64::MAX;

impl Contender for Scripted<'_> {
    type Output = &'static str;

    fn name(&self) -> &'static str {
        self.name
    }

    fn run(&mut self, (): &mut (), budget: &mut Budget<'_>) -> Result<&'static str, Cut> {
        assert!(self.stage.time() < FOR_EVER, "{} goes on for ever", self.name);
        let mut order = self.stage.order.take();
        order.push(self.name);
        assert!(order.len() < 1_000_000, "{} has slices for ever", self.name);
        self.stage.order.set(order);
        self.bytes = (budget.bytes as f64 * self.greed) as usize;
        let slice = budget.work();
        let time = (self.takes)(slice).min(self.need - self.had);
        let longest = self.stage.longest.get().max(slice).max(time);
        self.stage.longest.set(longest);
        self.stage.clock.pass(time);
        self.had += time;
        if self.had < self.need {
            return Err(Cut::Work);
        }
        match self.then {
            Then::Done => Ok(self.name),
            Then::Refuse => Err(Cut::Unsuited),
            Then::Starve => Err(Cut::Memory),
            Then::Limit => Err(Cut::Limit(Limit::Cancelled)),
            Then::Panic => panic!("{} stumbles", self.name),
        }
    }

    fn estimate(&self, _: Duration) -> Estimate {
        (self.says)(self.had)
    }

    fn setup(&self) -> f64 {
        self.setup as f64
    }

    fn share(&self) -> f64 {
        self.share
    }

    fn effort(&self) -> (u64, u64) {
        (1, self.had)
    }

    fn known(&self) -> Option<&'static str> {
        (self.had > 0).then_some(self.name)
    }

    fn bytes(&self) -> usize {
        self.bytes
    }
}

fn run_for(stage: &Stage, race: &mut Race<Scripted<'_>>, time: Duration) -> Result<&'static str, Cut> {
    let limits = Limits::default();
    let rules = Rules { limits: &limits, clock: &stage.clock, bytes: 1000, time };
    race.run(&mut (), &rules, &mut |_| ())
}

/// Runs a race. Returns its first finisher and its duration (ns).
fn race<'s>(stage: &'s Stage, field: Vec<Scripted<'s>>) -> (Result<&'static str, Cut>, u64) {
    let result = run_for(stage, &mut Race::new(field, SLICES), Duration::MAX);
    (result, stage.time())
}

/// Returns the bound from the head of `race.rs` on the duration of a race, for a contender that is
/// done after `need` nanoseconds.
fn bound(stage: &Stage, count: u64, need: u64, first: u64) -> u64 {
    64 * count * need + 256 * count * first + count * stage.longest.get()
}

#[test]
fn a_contender_that_always_underestimates_does_not_block_the_others() {
    // The first two contenders always return one of these estimates, which are far too low.
    for estimate in [Estimate::guess(2e6), Estimate::sure(2e6, 1.0), Estimate::sure(0.0, 1.0)] {
        let stage = Stage::default();
        let liars = ["a", "b"].map(|name| saying(&stage, name, NEVER, estimate));
        let other = honest(&stage, "honest", 50 * MS);
        let (result, time) = race(&stage, liars.into_iter().chain([other]).collect());
        assert_eq!(result, Ok("honest"));
        // Each liar gets hardly more time than the honest contender needs, so the duration is far
        // below the bound.
        assert!(time <= 6 * 50 * MS, "{estimate:?}: {time}");
        // The bound also holds if the estimates of all contenders are wrong.
        let stage = Stage::default();
        let liar = saying(&stage, "liar", NEVER, estimate);
        let other = saying(&stage, "modest", 50 * MS, Estimate::guess(1e9));
        let (result, time) = race(&stage, vec![liar, other]);
        assert_eq!(result, Ok("modest"));
        assert!(time <= bound(&stage, 2, 50 * MS, SLICES.first), "{estimate:?}: {time}");
    }
}

#[test]
fn a_contender_that_always_misses_its_estimate_loses_rank() {
    let stage = Stage::default();
    // The liar always estimates half of its time so far and is never done. The other contender
    // overestimates its time at first.
    let half = Box::new(|had: u64| Estimate::guess(had as f64 / 2.0));
    let liar = Scripted { says: half, ..honest(&stage, "liar", NEVER) };
    let guesses = Box::new(|had: u64| Estimate::guess(if had < 40 * MS { 5e9 } else { 4e8 }));
    let slow = Scripted { says: guesses, ..honest(&stage, "slow", 500 * MS) };
    let (result, time) = race(&stage, vec![liar, slow]);
    assert_eq!(result, Ok("slow"));
    assert!(time < 2500 * MS, "{time}");
}

#[test]
fn a_contender_that_overestimates_its_time_still_gets_its_share() {
    for estimate in [f64::INFINITY, f64::NAN, 1e18].map(Estimate::guess) {
        for is_sure in [false, true] {
            let stage = Stage::default();
            let error = is_sure.then_some(1.0);
            let modest = saying(&stage, "modest", 20 * MS, Estimate { error, ..estimate });
            let slow = honest(&stage, "slow", 1000 * SECOND);
            let (result, time) = race(&stage, vec![slow, modest]);
            assert_eq!(result, Ok("modest"), "{estimate:?}");
            assert!(time <= bound(&stage, 2, 20 * MS, SLICES.first), "{time}");
        }
    }
}

#[test]
fn a_contender_without_a_reliable_estimate_may_still_win() {
    let stage = Stage::default();
    let unsure = Scripted {
        says: Box::new(|had| Estimate::guess(2.0 * had as f64)),
        ..honest(&stage, "unsure", SECOND)
    };
    let (result, time) = race(&stage, vec![honest(&stage, "sure", 100 * SECOND), unsure]);
    assert_eq!(result, Ok("unsure"));
    assert!(time <= bound(&stage, 2, SECOND, SLICES.first), "{time}");
    // A contender whose unreliable estimate is always far too low takes at most as much time as one
    // with a reliable, correct estimate.
    let stage = Stage::default();
    let unsure = saying(&stage, "unsure", NEVER, Estimate::guess(1.0));
    let (result, time) = race(&stage, vec![unsure, honest(&stage, "sure", 10 * SECOND)]);
    assert_eq!(result, Ok("sure"));
    assert!(time < 16 * SECOND, "{time}");
}

#[test]
fn a_far_lower_unreliable_estimate_earns_a_larger_share_of_the_time() {
    let stage = Stage::default();
    let says = |had| Estimate::guess((8 * SECOND - had) as f64);
    let unsure = Scripted { says: Box::new(says), ..honest(&stage, "unsure", 8 * SECOND) };
    let (result, time) = race(&stage, vec![honest(&stage, "sure", 40 * SECOND), unsure]);
    assert_eq!(result, Ok("unsure"));
    assert!(time < 20 * SECOND, "{time}");
    let stage = Stage::default();
    let unsure = saying(&stage, "unsure", NEVER, Estimate::guess(2e9));
    let (result, time) = race(&stage, vec![unsure, honest(&stage, "sure", 40 * SECOND)]);
    assert_eq!(result, Ok("sure"));
    assert!(time < 58 * SECOND, "{time}");
}

#[test]
fn a_race_fails_only_if_every_contender_refuses() {
    let stage = Stage::default();
    let refusing = |need| Scripted { then: Then::Refuse, ..honest(&stage, "refusing", need) };
    let (result, _) =
        race(&stage, vec![refusing(0), refusing(30 * MS), honest(&stage, "last", SECOND)]);
    assert_eq!(result, Ok("last"));
    assert_eq!(race(&stage, vec![refusing(0), refusing(30 * MS)]).0, Err(Cut::Unsuited));
    assert_eq!(race(&stage, Vec::new()).0, Err(Cut::Unsuited));
}

#[test]
fn a_race_can_be_resumed_after_a_panic() {
    let stage = Stage::default();
    let stumbling = Scripted { then: Then::Panic, ..honest(&stage, "first", 3 * MS) };
    let mut all = Race::new([stumbling, honest(&stage, "second", 5 * MS)], SLICES);
    let call = AssertUnwindSafe(|| run_for(&stage, &mut all, Duration::MAX));
    let said = catch_unwind(call).expect_err("it stumbles");
    assert_eq!(said.downcast_ref::<String>().map(String::as_str), Some("first stumbles"));
    assert_eq!(run_for(&stage, &mut all, Duration::MAX), Ok("second"));
}

#[test]
fn contenders_are_charged_for_overrun_and_unused_slices() {
    let times: [fn(u64) -> u64; 4] = [|slice| 5 * slice, |slice| slice + SECOND, |_| 0, |_| 1];
    for (number, takes) in times.into_iter().enumerate() {
        for estimate in [Estimate::guess(1.0), Estimate::sure(1.0, 1.0), Estimate::guess(1e18)] {
            let stage = Stage::default();
            let rude = Scripted { takes: Box::new(takes), ..saying(&stage, "rude", NEVER, estimate) };
            let other = saying(&stage, "other", 30 * MS, Estimate::guess(1e9));
            let (result, time) = race(&stage, vec![rude, other]);
            assert_eq!(result, Ok("other"), "{number} {estimate:?}");
            assert!(time <= bound(&stage, 2, 30 * MS, SLICES.first), "{number} {estimate:?}: {time}");
        }
    }
}

#[test]
fn the_time_bound_holds_for_arbitrary_estimates() {
    let mut random = Random::new(20);
    let mut worst = 0.0_f64;
    for round in 0..3000 {
        let stage = Stage::default();
        let count = 1 + random.next_u64() % 7;
        let done = random.next_u64() % count;
        let log = |random: &mut Random, bits: u64| 1_u64 << (random.next_u64() % bits);
        let need = log(&mut random, 36);
        let mut first = SLICES.first;
        let field = (0..count).map(|place| {
            let seed = random.next_u64();
            let (kind, low, setup) = (seed % 7, log(&mut random, 50) as f64, log(&mut random, 31));
            let setup = if seed.is_multiple_of(5) { setup.min(SLICES.longest) } else { 0 };
            first = first.max(setup);
            let error = [None, Some(1.0), Some(3.0)][(seed >> 8) as usize % 3];
            let says = move |had: u64| {
                let noise = Random::new(seed ^ had).next_u64();
                match kind {
                    0 => Estimate::new(low, error),
                    1 => Estimate::new(had as f64, error),
                    2 => Estimate::new((noise % SECOND) as f64, (noise & 1 << 40 == 0).then_some(1.0)),
                    3 => Estimate::new(f64::NAN, error),
                    4 => Estimate::new(low / (1.0 + had as f64), error),
                    5 => Estimate::new(f64::INFINITY, error),
                    _ => Estimate::new((need.saturating_sub(had)) as f64, error),
                }
            };
            let greedy = seed >> 16 & 3;
            let takes = move |slice: u64| match greedy {
                0 if place != done => 3 * slice + 1000,
                1 if place != done => slice / 100,
                _ => slice,
            };
            let need = if place == done { need } else { NEVER };
            let says = Box::new(says);
            Scripted { says, takes: Box::new(takes), setup, ..honest(&stage, "one", need) }
        });
        let field: Vec<_> = field.collect();
        let (result, time) = race(&stage, field);
        assert_eq!(result, Ok("one"));
        let bound = bound(&stage, count, need, first);
        assert!(time <= bound, "round {round}: {time} of {bound}, {count} contenders");
        worst = worst.max(time as f64 / bound as f64);
    }
    // Some races use a substantial part of the bound.
    assert!(worst > 0.02, "{worst}");
}

#[test]
fn contenders_without_estimates_get_their_shares_of_the_time() {
    let stage = Stage::default();
    let one = |name, share| Scripted { share, says: Box::new(blind), ..honest(&stage, name, NEVER) };
    let mut all = Race::new([one("once", 1.0), one("four", 4.0)], SLICES);
    assert_eq!(run_for(&stage, &mut all, Duration::from_millis(15)), Err(Cut::Work));
    assert_eq!(stage.order()[..6], ["once", "four", "once", "four", "once", "four"]);
    let spent: Vec<_> = all.laps().iter().map(|lap| lap.spent.as_micros()).collect();
    assert_eq!(spent, [200 << 4, 15_000 - (200 << 4)]);
}

#[test]
#[cfg(any(unix, windows))]
fn a_contender_is_not_charged_for_the_time_in_which_it_waits_for_a_core() {
    let stage = Stage::default();
    let wait = Duration::from_millis(30);
    let waiting = Scripted {
        takes: Box::new(|slice| {
            std::thread::sleep(wait);
            slice
        }),
        ..honest(&stage, "waiting", 10 * SLICES.first)
    };
    let limits = Limits::default();
    let rules = Rules { limits: &limits, clock: &ThreadClock, bytes: 1000, time: Duration::MAX };
    let mut race = Race::new([waiting], SLICES);
    assert_eq!(race.run(&mut (), &rules, &mut |_| ()), Ok("waiting"));
    let waits = stage.order().len() as u32;
    let spent = race.standing().expect("it ran").spent;
    assert!(spent < waits * wait / 2, "{spent:?} in {waits} slices");
}

#[test]
fn a_race_with_many_pauses_has_the_same_winner() {
    let field = |stage| {
        let guess = |had: u64| Estimate::guess(2.0 * had as f64);
        let unsure = Scripted { says: Box::new(guess), ..honest(stage, "unsure", 9 * MS) };
        vec![saying(stage, "liar", NEVER, Estimate::guess(1e6)), unsure, honest(stage, "sure", 70 * MS)]
    };
    let stage = Stage::default();
    let (result, time) = race(&stage, field(&stage));
    let paused = Stage::default();
    let mut all = Race::new(field(&paused), SLICES);
    let again = (0..100_000).find_map(|_| run_for(&paused, &mut all, Duration::from_micros(70)).ok());
    assert_eq!(Ok(again.expect("it ends")), result);
    assert!(paused.time() < 4 * time, "{} {time}", paused.time());
}

#[test]
fn a_race_can_be_resumed_when_its_time_was_too_short() {
    let stage = Stage::default();
    let idle = |name| Scripted { takes: Box::new(|_| 0), ..honest(&stage, name, MS) };
    let mut race = Race::new([idle("a"), idle("b")], SLICES);
    for _ in 0..3 {
        assert_eq!(run_for(&stage, &mut race, Duration::from_nanos(100)), Err(Cut::Work));
    }
}

#[test]
fn a_work_clock_advances_by_spent_and_charged_work() {
    struct Working;
    impl Contender for Working {
        type Output = ();

        fn name(&self) -> &'static str {
            "working"
        }

        fn run(&mut self, (): &mut (), budget: &mut Budget<'_>) -> Result<(), Cut> {
            budget.charge(1000);
            budget.begin(|budget| budget.spend(200))?;
            budget.spend(30)
        }
    }
    let (clock, limits) = (WorkClock::default(), Limits::default());
    let rules = Rules { limits: &limits, clock: &clock, bytes: 1000, time: Duration::MAX };
    assert_eq!(Race::new([Working], SLICES).run(&mut (), &rules, &mut |_| ()), Ok(()));
    assert_eq!(clock.now(), Duration::from_nanos(1230));
}

#[test]
fn a_limit_ends_the_race_and_keeps_the_best_known_result() {
    let stage = Stage::default();
    let limited = Scripted { then: Then::Limit, ..honest(&stage, "b", 20 * MS) };
    let mut all = Race::new([honest(&stage, "a", SECOND), limited], SLICES);
    assert_eq!(run_for(&stage, &mut all, Duration::MAX), Err(Cut::Limit(Limit::Cancelled)));
    assert_eq!((all.known(), all.last()), (Some("b"), Some(1)));
    let limits = Limits::new().cancel(Arc::new(true.into()));
    let rules = Rules { limits: &limits, clock: &stage.clock, bytes: 1, time: Duration::MAX };
    assert_eq!(all.run(&mut (), &rules, &mut |_| ()), Err(Cut::Limit(Limit::Cancelled)));
    assert_eq!(all.last(), None);
}

#[test]
fn waiting_contenders_free_memory_and_keep_known_results() {
    let stage = Stage::default();
    let greedy =
        |name, need, greed| Scripted { greed, says: Box::new(blind), ..honest(&stage, name, need) };
    // Half of the memory is reserved for the running contender, even if other contenders hold more.
    let field = [greedy("a", SECOND, 0.9), greedy("b", SECOND, 0.3), greedy("c", SECOND, 0.9)];
    let mut all = Race::new(field, SLICES);
    assert_eq!(run_for(&stage, &mut all, Duration::from_millis(30)), Err(Cut::Work));
    assert!((0..3).any(|place| all.contender(place).is_none()), "someone gave up");
    assert_eq!(all.known(), stage.order().into_iter().max());
    let held = |place| all.contender(place).map_or(0, Contender::bytes);
    assert!((0..3).map(held).sum::<usize>() <= 1000);
    assert_eq!(all.effort().0, 3, "what they did counts");
}

#[test]
fn a_guaranteed_slice_takes_no_memory_from_a_contender_with_a_better_rank() {
    let stage = Stage::default();
    let leader = Scripted { greed: 0.9, ..honest(&stage, "leader", 100 * SECOND) };
    let poor = saying(&stage, "poor", NEVER, Estimate::guess(1e15));
    let (result, time) = race(&stage, vec![leader, poor]);
    assert_eq!((result, time), (Ok("leader"), 100 * SECOND));
    assert!(!stage.order().contains(&"poor"));
}

#[test]
fn the_leader_of_a_race_has_the_best_reliable_estimate_or_else_the_longest_time() {
    let stage = Stage::default();
    let unsure = saying(&stage, "unsure", NEVER, Estimate::guess(3e8));
    let late = |had| Estimate::new(4e9 - had as f64, (had > MS).then_some(2.0));
    let other = Scripted { says: Box::new(late), ..honest(&stage, "other", 4 * SECOND) };
    let mut all = Race::new([unsure, other], SLICES);
    assert_eq!(all.standing(), Some(RaceProgress { name: "other", sure: None, spent: Duration::ZERO }));
    _ = run_for(&stage, &mut all, Duration::from_millis(5));
    let standing = all.standing().expect("they are live");
    assert_eq!((standing.name, standing.sure), ("unsure", None));
    let laps: Vec<_> = all.laps().iter().map(|lap| (lap.name, lap.all)).collect();
    assert_eq!(laps, [("unsure", None)]);
    _ = run_for(&stage, &mut all, Duration::from_secs(1));
    let standing = all.standing().expect("they are live");
    assert_eq!((standing.name, standing.sure.map(|sure| sure.2)), ("other", Some(2.0)));
    let lap = |name| all.laps().into_iter().find(|lap| lap.name == name).and_then(|lap| lap.all);
    assert_eq!((lap("unsure"), lap("other")), (None, Some(Duration::from_secs(4))));
}

#[test]
fn a_late_contender_continues_while_it_has_used_little_time() {
    let left = |_| 0.2;
    let stage = Stage::default();
    let wrong = saying(&stage, "wrong", 100 * MS, Estimate::sure(20.0 * MS as f64, 1.0));
    assert_eq!(race(&stage, vec![late(&stage, 6 * MS, left), wrong]), (Ok("late"), 6 * MS));
    // A contender with a correct estimate loses little time to a late contender that is never done.
    let stage = Stage::default();
    let (first, time) = race(&stage, vec![late(&stage, NEVER, left), honest(&stage, "right", 20 * MS)]);
    assert_eq!(first, Ok("right"));
    assert!(time < 50 * MS, "{time}");
}

#[test]
fn a_contender_that_was_late_twice_gets_more_time_if_it_is_nearly_done() {
    // A contender twice underestimates its time, like a search that finds its tree larger than
    // estimated. The other contender always returns the same reliable estimate.
    let left = |had| if had < 5 * MS { 0.5 } else { 0.3 };
    let wrong = |stage| saying(stage, "wrong", 200 * MS, Estimate::sure(18.0 * MS as f64, 2.0));
    let stage = Stage::default();
    let (first, time) = race(&stage, vec![late(&stage, 10 * MS, left), wrong(&stage)]);
    assert_eq!(first, Ok("late"));
    assert!(time < 20 * MS, "{time}");
    let stage = Stage::default();
    let (first, time) = race(&stage, vec![late(&stage, NEVER, left), honest(&stage, "right", 40 * MS)]);
    assert_eq!(first, Ok("right"));
    assert!(time < 100 * MS, "{time}");
}

#[test]
fn a_contender_whose_estimate_is_only_a_bound_allows_no_trials() {
    let stage = Stage::default();
    let says = |had| Estimate::at_most((SECOND - had) as f64, 1.0);
    let sure = Scripted { says: Box::new(says), ..honest(&stage, "sure", SECOND) };
    let hopeless = saying(&stage, "hopeless", NEVER, Estimate::guess(1e15));
    let mut all = Race::new([sure, hopeless], SLICES);
    // The race is too short for guaranteed slices.
    _ = run_for(&stage, &mut all, Duration::from_millis(50));
    assert!(stage.order().iter().all(|name| *name == "sure"), "{:?}", stage.order());
}

#[test]
fn of_two_contenders_with_bounds_the_one_with_the_lower_bound_gets_the_larger_share() {
    // Returns the duration of the race, where the second contender is done after half of its bound.
    let time_of = |bound: u64| {
        let stage = Stage::default();
        let bounded = |name, bound: u64, need| {
            let says = move |had: u64| Estimate::at_most(bound.saturating_sub(had) as f64, 1.0);
            Scripted { says: Box::new(says), ..honest(&stage, name, need) }
        };
        let field = vec![bounded("first", bound, 1000 * SECOND), bounded("second", SECOND, SECOND / 2)];
        let (result, time) = race(&stage, field);
        assert_eq!(result, Ok("second"));
        time as f64 / SECOND as f64
    };
    let [alike, large] = [time_of(SECOND), time_of(1000 * SECOND)];
    assert!(alike > 0.75 && (0.5..0.6).contains(&large), "{alike} {large}");
}

#[test]
fn a_race_reports_memory_if_a_contender_lacked_memory() {
    let stage = Stage::default();
    let hungry = Scripted { then: Then::Starve, ..honest(&stage, "hungry", MS) };
    let unsuited = Scripted { then: Then::Refuse, ..honest(&stage, "unsuited", 2 * MS) };
    assert_eq!(race(&stage, vec![hungry, unsuited]).0, Err(Cut::Memory));
}

#[test]
fn a_long_setup_leaves_a_full_first_slice() {
    let limits = Limits::default();
    let left = |work, expected, takes| {
        let clock = WorkClock::default();
        let budget = Budget::new(&limits, work, 1000).within(&clock, Duration::MAX);
        let mut budget = budget.with_beginning(expected);
        budget.begin(|budget| budget.spend(takes)).unwrap();
        budget.work()
    };
    assert_eq!(left(8 * MS, 4 * MS, 2 * MS), 4 * MS, "what it was expected to take is gone");
    assert_eq!(left(8 * MS, 4 * MS, 5 * MS), 3 * MS, "and what it took");
    assert_eq!(left(4 * MS, 4 * MS, 5 * MS), costs::COUNT_SLICE);
    assert_eq!(left(1000, 4 * MS, 5 * MS), 1000);
}
