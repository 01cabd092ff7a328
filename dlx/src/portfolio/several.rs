//! A race on several cores: contenders run at the same time on those that are idle.
//!
//! While nobody is sure how long it will take, one contender alone would keep one core busy, or all of them with a
//! beginning that may be of no use. So beside the one whose turn it is, each idle core takes another: the next in turn, or
//! the one of the others that promises most. One that is sure belongs to the caller's thread: its slices are long, it
//! mostly works on all cores that are idle, as any contender does in a long slice, and what is tried beside it has no more
//! than its share ([`Race`]).
//!
//! The first that is done ends the slices of all others. They may be of no use then, so such a race is not gone on with.
//!
//! Memory: a contender on the caller's thread holds at most three quarters of what is allowed, the helpers have the rest.
//! A helper takes none that may soon need more than its part of it.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::runner::Turn;
use super::{Contender, Cut, Race, Rules};
use crate::limits::{Limit, Limits};
use crate::parallel::{Cores, Hire, hiring, lock};

/// The nanoseconds of a race before others are called: a thread begins in a hundredth of that.
const ALONE: f64 = 2e6;
/// In a slice of more nanoseconds a contender mostly works on all cores that are idle; so beside it no other is tried.
const SHORT: u64 = 4_000_000;
/// A helper takes a contender whose turn it is not if its rank is at most that of the best times this.
const HOPE: f64 = 8.0;
/// A helper takes none that holds more than its memory divided by this.
const GROWTH: usize = 8;
/// How often the caller's thread looks at the limits while it waits for helpers.
const TICK: Duration = Duration::from_millis(4);

/// A race that several threads run.
struct Field<'f, C: Contender> {
    state: Mutex<State<'f, C>>,
    /// Tells the caller's thread that a helper came back.
    news: Condvar,
    /// Set when the race is over.
    over: Arc<AtomicBool>,
    limits: Limits,
    rules: &'f Rules<'f>,
    cores: &'f Arc<Cores>,
    /// The bytes of a helper.
    bytes: usize,
}

struct State<'f, C: Contender> {
    race: &'f mut Race<C>,
    /// How the race ended.
    result: Option<Result<C::Output, Cut>>,
    helpers: usize,
}

impl<C> Race<C>
where
    C: Contender + Send,
    C::Output: Send,
{
    /// Lets the contenders run until one is done, on the caller's thread and on those of `cores` that are idle; `tell` is
    /// told now and then how far the race is. It is not gone on with.
    ///
    /// # Errors
    /// [`Cut::Work`] if the time was too short; a limit; why all contenders are out.
    pub(crate) fn run_on(
        &mut self,
        cores: &Arc<Cores>,
        rules: &Rules<'_>,
        tell: &mut dyn FnMut(&Self),
    ) -> Result<C::Output, Cut> {
        let most = cores.count().min(self.count().saturating_sub(1));
        // A race that is not to take long is not worth threads, whose time would not be known either.
        if most == 0 || rules.time < Duration::MAX {
            return self.run(&mut (), rules, tell);
        }
        let over = Arc::default();
        let field = Field {
            state: Mutex::new(State { race: self, result: None, helpers: 0 }),
            news: Condvar::new(),
            limits: Limits { over: Some(Arc::clone(&over)), ..rules.limits.clone() },
            over,
            rules,
            cores,
            bytes: rules.bytes / 4 / most,
        };
        let result = hiring(&field.over, |hire| field.lead(hire, tell));
        let state = field.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.race.settle();
        result
    }
}

impl<'f, C> Field<'f, C>
where
    C: Contender + Send,
    C::Output: Send,
{
    /// What the caller's thread does.
    fn lead<'s>(
        &'s self,
        hire: &Hire<'_, 's>,
        tell: &mut dyn FnMut(&Race<C>),
    ) -> Result<C::Output, Cut> {
        let Rules { limits, clock, bytes, time } = *self.rules;
        let begun = clock.now();
        loop {
            let mut state = lock(&self.state);
            if let Some(result) = state.result.take() {
                return result;
            }
            if self.over.load(Relaxed) {
                // A helper panicked, which the scope passes on.
                return Err(Cut::Limit(Limit::Cancelled));
            }
            state.race.look_anew();
            limits.check().map_err(Cut::Limit)?;
            let left = time.saturating_sub(clock.now() - begun).as_nanos();
            if left == 0 {
                return Err(Cut::Work);
            }
            let Some(next) = state.race.next(bytes, None) else {
                if state.helpers == 0 {
                    return Err(state.race.cut());
                }
                tell(state.race);
                drop(self.news.wait_timeout(state, TICK).unwrap_or_else(PoisonError::into_inner));
                continue;
            };
            let mut mine = next;
            if state.race.charged() >= ALONE && next.1 <= SHORT && self.cores.idle() > 0 {
                // Who is sure runs here, beside those that are tried.
                let second = state.race.next(bytes, Some(next.0));
                let is_sure = |index| state.race.is_sure(index);
                if let Some(second) = second.filter(|second| is_sure(second.0) && !is_sure(next.0)) {
                    mine = second;
                }
                let is_wanted = self.other(state.race, Some(mine.0)).is_some();
                if is_wanted && let Some(core) = self.cores.take() {
                    state.helpers += usize::from(hire.start(core, || self.help()));
                }
            }
            let given = u64::try_from(left).map_or(mine.1, |left| left.min(mine.1));
            let room = state.race.make_room(mine.0, bytes).min(bytes / 4 * 3);
            let turn = state.race.begin_turn(mine.0, (given, given), room);
            drop(state);
            let state = self.run(turn);
            if state.result.is_none() {
                tell(state.race);
            }
        }
    }

    /// What a helper does on a core that was idle.
    fn help(&self) {
        let _leave = Leave(self);
        let mut state = lock(&self.state);
        while state.result.is_none() && !self.over.load(Relaxed) && !self.cores.is_overdrawn() {
            state.race.look_anew();
            let Some(index) = self.other(state.race, None) else { break };
            let given = state.race.trial(index);
            let turn = state.race.begin_turn(index, (given, given), self.bytes);
            drop(state);
            state = self.run(turn);
        }
    }

    /// Returns who else may run beside those that are away, if not the one to be left out.
    fn other(&self, race: &Race<C>, without: Option<usize>) -> Option<usize> {
        let fits = |&index: &usize| {
            !race.is_sure(index)
                && race.trial(index) <= SHORT
                && race.bytes_of(index).saturating_mul(GROWTH) <= self.bytes
        };
        let next = race.next(self.rules.bytes, without).map(|(index, _)| index);
        next.filter(fits).or_else(|| race.hopeful(HOPE, without).filter(fits))
    }

    /// Lets a contender have its slice, and takes note of how it went.
    fn run(&self, mut turn: Turn<C>) -> MutexGuard<'_, State<'f, C>> {
        let result = turn.run(&mut (), &self.limits, self.rules.clock);
        let mut state = lock(&self.state);
        let is_over = state.result.is_some() || self.over.load(Relaxed);
        match state.race.end_turn(turn, result, is_over) {
            Err(Cut::Work | Cut::Unsuited | Cut::Memory) => {}
            // It was stopped since the race is over.
            _ if is_over => {}
            result => {
                state.result = Some(result);
                self.over.store(true, Relaxed);
            }
        }
        state
    }
}

/// Lets the caller's thread know, when it is dropped, that a helper is gone.
struct Leave<'a, 'f, C: Contender>(&'a Field<'f, C>);

impl<C: Contender> Drop for Leave<'_, '_, C> {
    fn drop(&mut self) {
        lock(&self.0.state).helpers -= 1;
        self.0.news.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;
    use crate::portfolio::{Clock as _, Estimate, Slices, ThreadClock};

    const SLICES: Slices = Slices { first: 200_000, longest: 1_000_000_000 };

    /// What happens when a contender has had the time that it needs.
    #[derive(Clone, Copy, PartialEq)]
    enum Then {
        Done,
        Refuse,
        Panic,
    }

    /// A contender that keeps a core busy.
    struct Busy {
        name: &'static str,
        left: Duration,
        then: Then,
        is_sure: bool,
        bytes: usize,
        /// The most bytes that it was allowed to hold, and how often the limits ended it.
        allowed: Arc<Mutex<usize>>,
    }

    fn busy(name: &'static str, milliseconds: u64) -> Busy {
        let left = Duration::from_millis(milliseconds);
        Busy { name, left, then: Then::Done, is_sure: false, bytes: 0, allowed: Arc::default() }
    }

    impl Contender for Busy {
        type Output = &'static str;

        fn name(&self) -> &'static str {
            self.name
        }

        fn run(
            &mut self,
            (): &mut (),
            budget: &mut crate::portfolio::Budget<'_>,
        ) -> Result<&'static str, Cut> {
            let mut allowed = lock(&self.allowed);
            *allowed = budget.bytes.max(*allowed);
            drop(allowed);
            let begun = ThreadClock.now();
            let slice = Duration::from_nanos(budget.work()).min(self.left);
            while ThreadClock.now() - begun < slice {
                budget.limits().check().map_err(Cut::Limit)?;
            }
            self.left = self.left.saturating_sub(ThreadClock.now() - begun);
            match self.then {
                _ if self.left > Duration::ZERO => Err(Cut::Work),
                Then::Done => Ok(self.name),
                Then::Refuse => Err(Cut::Unsuited),
                Then::Panic => panic!("{} stumbles", self.name),
            }
        }

        fn estimate(&self, spent: Duration) -> Estimate {
            if self.is_sure {
                Estimate::sure(self.left.as_nanos() as f64, 1.0)
            } else {
                Estimate::guess(spent.as_nanos() as f64)
            }
        }

        fn bytes(&self) -> usize {
            self.bytes
        }
    }

    fn run(contenders: Vec<Busy>, cores: &Arc<Cores>, limits: &Limits) -> Result<&'static str, Cut> {
        let rules = Rules { limits, clock: &ThreadClock, bytes: 1 << 20, time: Duration::MAX };
        Race::new(contenders, SLICES).run_on(cores, &rules, &mut |_| ())
    }

    #[test]
    fn the_first_that_is_done_ends_the_race_and_cores_are_idle_again() {
        for helpers in 0..4 {
            let cores = Cores::new(helpers);
            let long = || busy("long", 100_000);
            let field = vec![long(), busy("short", 15), long(), long()];
            assert_eq!(run(field, &cores, &Limits::default()), Ok("short"), "{helpers}");
            let sure = Busy { is_sure: true, ..busy("sure", 30) };
            assert_eq!(run(vec![long(), sure, long()], &cores, &Limits::default()), Ok("sure"));
            assert_eq!(cores.idle(), helpers);
        }
    }

    #[test]
    fn contenders_run_at_the_same_time_and_their_time_is_that_of_the_caller() {
        let cores = Cores::new(1);
        let begun = ThreadClock.now();
        let limits = Limits::default();
        let mut race = Race::new([busy("a", 40), busy("b", 40)], SLICES);
        let rules = Rules { limits: &limits, clock: &ThreadClock, bytes: 1 << 20, time: Duration::MAX };
        let mut told = 0;
        let result = race.run_on(&cores, &rules, &mut |race| {
            told += 1;
            assert!(race.standing().is_some());
        });
        assert!(result.is_ok() && told > 0);
        let laps: Duration = race.laps().iter().map(|lap| lap.spent).sum();
        assert!(ThreadClock.now() - begun >= laps, "{laps:?}");
        assert_eq!(
            race.last().and_then(|index| race.contender(index)).map(Contender::name),
            result.ok()
        );
    }

    #[test]
    fn a_race_on_several_cores_ends_when_all_are_out_or_a_limit_says_so() {
        let cores = Cores::new(2);
        let refuse = |name| Busy { then: Then::Refuse, ..busy(name, 8) };
        let field = vec![refuse("a"), refuse("b"), refuse("c")];
        assert_eq!(run(field, &cores, &Limits::default()), Err(Cut::Unsuited));
        let limits = Limits::default().within(Duration::from_millis(20));
        let field = vec![busy("a", 100_000), busy("b", 100_000)];
        assert_eq!(run(field, &cores, &limits), Err(Cut::Limit(Limit::Time)));
        let flag = Arc::new(AtomicBool::new(true));
        let limits = Limits::default().cancel(flag);
        assert_eq!(
            run(vec![busy("a", 9), busy("b", 9)], &cores, &limits),
            Err(Cut::Limit(Limit::Cancelled))
        );
        assert_eq!(cores.idle(), 2);
    }

    #[test]
    fn a_panic_on_any_core_is_one_of_the_caller() {
        for place in 0..3 {
            let cores = Cores::new(2);
            let mut field = vec![busy("a", 100_000), busy("b", 100_000), busy("c", 100_000)];
            field[place] = Busy { then: Then::Panic, ..busy("stumbling", 8) };
            let call = AssertUnwindSafe(|| run(field, &cores, &Limits::default()));
            assert!(catch_unwind(call).is_err());
            assert_eq!(cores.idle(), 2);
        }
    }

    #[test]
    fn helpers_take_none_that_may_need_more_memory_than_theirs() {
        let cores = Cores::new(1);
        let large = || Busy { bytes: 300_000, ..busy("large", 100_000) };
        let field = vec![Busy { bytes: 1, ..busy("short", 20) }, large(), large()];
        let allowed: Vec<_> = field.iter().map(|one| Arc::clone(&one.allowed)).collect();
        assert_eq!(run(field, &cores, &Limits::default()), Ok("short"));
        for allowed in allowed {
            assert!(*lock(&allowed) <= 1 << 20);
        }
    }
}
