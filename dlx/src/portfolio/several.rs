//! Runs a race on several cores, where contenders run at the same time on idle cores.
//!
//! While no estimate is reliable, a single running contender would keep one core busy, or fill all
//! cores with a start that may be useless. So each idle core takes another contender: the next in
//! turn, or the waiting one with the best rank. A contender with a reliable estimate runs on the
//! caller's thread. The long slices of this contender usually use all idle cores. Trials next to
//! such a slice get no more than their share ([`Race`]).
//!
//! The first contender that finishes ends all other slices at any point, so such a race cannot be
//! resumed.
//!
//! Memory: the contender on the caller's thread holds at most three quarters of the allowed bytes;
//! the helpers share the rest. A helper takes no contender that may soon need more memory than the
//! part of that helper.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::runner::Turn;
use super::{Contender, Cut, Race, Rules};
use crate::limits::{Limit, Limits};
use crate::parallel::{Cores, Hire, hiring, lock};

/// Duration of a race before helpers start (ns), about 100 times the cost of starting a thread.
const ALONE: f64 = 2e6;
/// Longest trial that may run next to other contenders (ns).
const SHORT: u64 = 4_000_000;
/// Largest rank, relative to the best rank, of a contender that a helper takes out of turn.
const HOPE: f64 = 8.0;
/// Assumed growth of a contender's memory. A helper takes a contender only if its current memory
/// times this factor fits.
const GROWTH: usize = 8;
/// Time between two checks of the limits while the caller's thread waits for helpers.
const TICK: Duration = Duration::from_millis(4);

struct Field<'f, C: Contender> {
    state: Mutex<State<'f, C>>,
    news: Condvar,
    over: Arc<AtomicBool>,
    limits: Limits,
    rules: &'f Rules<'f>,
    cores: &'f Arc<Cores>,
    bytes: usize,
}

struct State<'f, C: Contender> {
    race: &'f mut Race<C>,
    result: Option<Result<C::Output, Cut>>,
    helpers: usize,
}

impl<C> Race<C>
where
    C: Contender + Send,
    C::Output: Send,
{
    /// Runs the contenders on the caller's thread and on idle `cores` until one is done; calls
    /// `tell` with the progress. The race cannot be resumed.
    ///
    /// # Errors
    /// [`Cut::Work`] if the time was too short, a limit, or the reason why all contenders dropped
    /// out.
    pub(crate) fn run_on(
        &mut self,
        cores: &Arc<Cores>,
        rules: &Rules<'_>,
        tell: &mut dyn FnMut(&Self),
    ) -> Result<C::Output, Cut> {
        let most = cores.count().min(self.count().saturating_sub(1));
        // A race with a time limit is too short to pay for threads, and the limit would not include
        // their time.
        if most == 0 || rules.time < Duration::MAX {
            return self.run(&mut (), rules, tell);
        }
        let over = Arc::default();
        let field = Field {
            state: Mutex::new(State { race: self, result: None, helpers: 0 }),
            news: Condvar::new(),
            limits: rules.limits.clone().over(Arc::clone(&over)),
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
                // Run a contender with a reliable estimate on this thread, next to the trials.
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

    fn help(&self) {
        let _leave = Leave(self);
        let mut state = lock(&self.state);
        while state.result.is_none() && !self.over.load(Relaxed) && !self.cores.is_overbooked() {
            state.race.look_anew();
            let Some(index) = self.other(state.race, None) else { break };
            let given = state.race.trial(index);
            let turn = state.race.begin_turn(index, (given, given), self.bytes);
            drop(state);
            state = self.run(turn);
        }
    }

    /// Returns a contender other than `without` that may run next to the running ones.
    fn other(&self, race: &Race<C>, without: Option<usize>) -> Option<usize> {
        let fits = |&index: &usize| {
            !race.is_sure(index)
                && race.trial(index) <= SHORT
                && race.bytes_of(index).saturating_mul(GROWTH) <= self.bytes
        };
        let next = race.next(self.rules.bytes, without).map(|(index, _)| index);
        next.filter(fits).or_else(|| race.hopeful(HOPE, without).filter(fits))
    }

    fn run(&self, mut turn: Turn<C>) -> MutexGuard<'_, State<'f, C>> {
        let result = turn.run(&mut (), &self.limits, self.rules.clock);
        let mut state = lock(&self.state);
        let is_over = state.result.is_some() || self.over.load(Relaxed);
        match state.race.end_turn(turn, result, is_over) {
            Err(Cut::Work | Cut::Unsuited | Cut::Memory) => {}
            _ if is_over => {}
            result => {
                state.result = Some(result);
                self.over.store(true, Relaxed);
            }
        }
        state
    }
}

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

    #[derive(Clone, Copy, PartialEq)]
    enum Then {
        Done,
        Refuse,
        Panic,
    }

    struct Busy {
        name: &'static str,
        left: Duration,
        then: Then,
        is_sure: bool,
        bytes: usize,
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
    fn the_first_contender_that_finishes_ends_the_race_and_frees_all_cores() {
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
    fn the_time_of_parallel_contenders_is_added_to_the_caller() {
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
    fn a_race_on_several_cores_ends_when_all_contenders_drop_out_or_at_a_limit() {
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
    fn a_panic_on_any_core_reaches_the_caller() {
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
    fn helpers_take_no_contender_that_may_exceed_their_memory() {
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
