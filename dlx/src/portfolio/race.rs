//! The scheduler of a race: contenders that compute the same result take turns until one of them is
//! done.
//!
//! The cost of a contender is easier to predict after it has started. So after each slice a
//! contender returns an *estimate* of its remaining time, which is *reliable* ([`Estimate::sure`])
//! or not: a search returns a reliable one after some thousand nodes, a growing frontier does not.
//! An estimate can also be only an upper *bound*: a search for one cover knows when it will have
//! searched the whole tree, but may finish earlier.
//!
//! **The rule.** The estimate and its reliability give a distribution of the total time, and this
//! gives the *rate* of the contender, its probability to be done per time that it uses
//! (`outlook.rs`). The contender with the highest rate runs next. A slice is as long as all
//! previous slices of the contender together, or longer with a reliable estimate. So a contender
//! that seems nearly done finishes; contenders that promise the same take turns; one that seems far
//! from its end gets little time, but often enough to correct its estimate; and one that always
//! seems nearly done loses rank as its time grows. Contenders without estimates alternate, each
//! with its share of the time.
//!
//! A contender is late when it is not done after twice its reliable estimate; its next estimate
//! then counts as unreliable. If one of two bounds is far larger, its contender gets a
//! proportionally smaller share.
//!
//! *The guarantee.* Each contender is due the fraction [`GUARANTEE`] of the total time, divided by
//! the number of contenders. A contender whose debt exceeds its next slice runs first. Most races
//! end before any contender is owed a slice.
//!
//! **The bound.** Let n contenders begin. Suppose that one of them is done after slices of T in
//! total, that it never drops out, and that it always has enough memory. Let F be the longest first
//! slice and M the longest time charged for any slice. Then the race ends before
//!
//! ```text
//! 64 n T + 256 n F + n M
//! ```
//!
//! for all possible estimates. Proof: let g = GUARANTEE / n be the guaranteed share of one
//! contender, and D = g * (total time) - (time of our contender) its debt. A slice of another
//! contender raises D by at most g M. While our contender is owed a slice, the contender with the
//! largest debt runs until its debt is paid. A paid debt grows at the rate of our debt and stays
//! below it, so each other contender runs at most once before ours. Ours is owed a slice when D
//! reaches the length of its next slice or of 8 first slices, at most T + 8 F. D exceeds that by at
//! most g M at that time, and by (n - 1) g M more before its turn. So D < T + 8 F + n g M always,
//! and the total time is (T + D) / g < 32 n (2 T + 8 F) + n M. A contender is always charged its
//! whole slice, so time passes with every slice.
//!
//! On several cores, contenders run at the same time (`several.rs`) by the same rule. A running
//! contender is charged its current slice.
//!
//! Memory: a contender may use the allowed bytes that the other contenders leave. If the other
//! contenders leave less than half of the allowed bytes, the contender with the worst rank drops
//! out and frees its memory. The guarantee never takes memory from a contender with a better rank.
//!
//! If a limit ends the race, the result is the largest lower bound that any contender has proved.
//!
//! Tried and dropped: a fixed share of a reliable estimate for all contenders with unreliable ones,
//! with exceptions for much lower estimates, for late contenders and for contenders that become
//! reliable with time; a share of the time for trials in the order of optimistic estimates; early
//! slices of a search in random subtrees (trivial subtrees end first, so the searched share grows
//! too fast: on oblongs of a 9x9 square, estimates were from a thirtieth of the tree to all of it).
//!
//! Sources: Huberman, Lukose and Hogg, "An economics approach to hard computational problems"
//! (Science, 1997), on portfolios; Gittins (see `outlook.rs`) on the rule; Luby, Sinclair and
//! Zuckerman, "Optimal speedup of Las Vegas algorithms" (Information Processing Letters, 1993), on
//! slices that double.

use std::time::Duration;

use super::clock::Clock;
use super::runner::{Away, MARGIN, OpenSlice, Runner, Slices, Turn};
use super::{Contender, Cut, Estimate};
use crate::limits::Limits;

/// Contenders whose rates differ by at most this factor take turns.
const TIE: f64 = 1.01;
/// Share of the total time that is guaranteed, in equal parts, to all contenders.
const GUARANTEE: f64 = 1.0 / 32.0;

pub(crate) struct Rules<'r> {
    pub(crate) limits: &'r Limits,
    pub(crate) clock: &'r dyn Clock,
    pub(crate) bytes: usize,
    pub(crate) time: Duration,
}

/// The contenders of a race and their progress. A race that paused can be resumed.
pub(crate) struct Race<C: Contender<S>, S: ?Sized = ()> {
    runners: Vec<Runner<C, S>>,
    slices: Slices,
    turn: usize,
    /// An interrupted slice, which is finished before any other slice starts.
    open: Option<OpenSlice>,
    last: Option<usize>,
    /// The reason why all contenders dropped out, which is `Memory` if at least one lacked memory.
    cut: Cut,
}

impl<C: Contender<S>, S: ?Sized> Race<C, S> {
    pub(crate) fn new(contenders: impl IntoIterator<Item = C>, slices: Slices) -> Self {
        let runners = contenders.into_iter().map(|one| Runner::new(one, slices)).collect();
        Self { runners, slices, turn: 0, open: None, last: None, cut: Cut::Unsuited }
    }

    /// Runs the contenders until one is done; calls `tell` after each slice.
    ///
    /// # Errors
    /// [`Cut::Work`] if the time was too short; the race can then be resumed. Otherwise a limit, or
    /// the reason why all contenders dropped out.
    pub(crate) fn run(
        &mut self,
        shared: &mut S,
        rules: &Rules<'_>,
        tell: &mut dyn FnMut(&Self),
    ) -> Result<C::Output, Cut> {
        let begun = rules.clock.now();
        self.settle();
        loop {
            self.look_anew();
            let open = self.open.map(|open| (open.index, open.left));
            let next = open.or_else(|| self.next(rules.bytes, None));
            let Some((index, slice)) = next else { return Err(self.cut) };
            self.last = None;
            rules.limits.check().map_err(Cut::Limit)?;
            let left = rules.time.saturating_sub(rules.clock.now() - begun).as_nanos();
            if left == 0 {
                return Err(Cut::Work);
            }
            let given = u64::try_from(left).map_or(slice, |left| left.min(slice));
            if given < slice && given < self.runners[index].beginning() {
                self.turn = index;
                return Err(Cut::Work);
            }
            let bytes = self.make_room(index, rules.bytes);
            let before = rules.clock.now();
            let mut turn = self.begin_turn(index, (given, slice), bytes);
            let result = turn.run(shared, rules.limits, rules.clock);
            match self.end_turn(turn, result, false) {
                Err(Cut::Work) if given < slice && rules.clock.now() == before => {
                    return Err(Cut::Work);
                }
                Err(Cut::Work | Cut::Unsuited | Cut::Memory) => {}
                result => return result,
            }
            tell(self);
        }
    }

    /// Drops contenders that did not return from their slice because they panicked.
    pub(super) fn settle(&mut self) {
        for runner in &mut self.runners {
            runner.is_out |= runner.away.take().is_some();
        }
    }

    /// Updates the estimates of contenders that have not started, which may depend on results of
    /// other contenders.
    pub(super) fn look_anew(&mut self) {
        for runner in self.runners.iter_mut().filter(|runner| runner.charged == 0) {
            if let Some(contender) = &runner.contender {
                let estimate = contender.estimate(Duration::ZERO);
                if estimate != runner.estimate {
                    runner.estimate = estimate;
                    runner.judge(self.slices);
                }
            }
        }
    }

    /// Takes contender `index` out of the race, to run for `given` nanoseconds of a slice of
    /// `slice` nanoseconds.
    pub(super) fn begin_turn(
        &mut self,
        index: usize,
        (given, slice): (u64, u64),
        bytes: usize,
    ) -> Turn<C> {
        let open = self.open.take();
        (self.turn, self.last) = (index + 1, Some(index));
        let runner = &mut self.runners[index];
        let (beginning, share) = (runner.beginning(), runner.share());
        let contender = runner.contender.take().expect("one that gave up is out");
        (runner.effort, runner.known) = (contender.effort(), contender.known());
        runner.away = Some(Away { given, share, bytes });
        Turn { index, contender, given, slice, beginning, bytes, open, time: Duration::ZERO }
    }

    /// Puts the contender back and records the outcome of its slice. `is_over` is whether the race
    /// had already ended.
    pub(super) fn end_turn(
        &mut self,
        turn: Turn<C>,
        result: Result<C::Output, Cut>,
        is_over: bool,
    ) -> Result<C::Output, Cut> {
        let Turn { index, contender, given, slice, open, time, .. } = turn;
        let runner = &mut self.runners[index];
        runner.away = None;
        let contender = runner.contender.insert(contender);
        runner.is_out = matches!(result, Err(Cut::Memory | Cut::Unsuited));
        runner.is_done = result.is_ok();
        match result {
            Err(Cut::Memory) => self.cut = Cut::Memory,
            Ok(_) | Err(Cut::Limit(_)) if !is_over => self.last = Some(index),
            _ => {}
        }
        runner.spent += time;
        let time = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        if let Err(Cut::Work) = result {
            let charged = time.max(given);
            runner.charged = runner.charged.saturating_add(charged);
            let (had, most) = open.map_or((0, runner.estimate.most()), |open| (open.had, open.most));
            let (had, left) = (had.saturating_add(charged), slice.saturating_sub(charged));
            if left > 0 {
                self.open = Some(OpenSlice { index, left, had, most });
            } else {
                let is_late = had as f64 >= MARGIN * most;
                runner.is_broken = is_late && runner.estimate.error.is_some();
            }
            runner.estimate = contender.estimate(runner.spent);
            let left = Duration::try_from_secs_f64(runner.estimate.left * 1e-9);
            runner.foreseen = left.ok().and_then(|left| runner.spent.checked_add(left));
            runner.judge(self.slices);
        } else {
            runner.charged = runner.charged.saturating_add(time);
        }
        result
    }

    /// Returns the contender to run next, except `without`, and the length of its slice (ns), or
    /// `None` if all contenders have dropped out or are running.
    pub(super) fn next(&self, bytes: usize, without: Option<usize>) -> Option<(usize, u64)> {
        if let Some(done) = self.runners.iter().position(|runner| runner.is_done) {
            return Some((done, self.slices.first));
        }
        self.owed(bytes, without).or_else(|| {
            let bound = self.sure(true);
            let count = self.runners.len();
            let turns = (0..count).map(|step| (self.turn + step) % count);
            let rate = |index: &usize| {
                let runner = &self.runners[*index];
                runner.rate / runner.behind(bound)
            };
            let may_run = |&index: &usize| !self.runners[index].is_out && self.is_here(index, without);
            let best = turns.clone().filter(may_run).map(|index| rate(&index)).reduce(f64::max)?;
            let next = turns.filter(may_run).find(|index| TIE * rate(index) >= best)?;
            Some((next, self.runners[next].slice(self.slices)))
        })
    }

    fn is_here(&self, index: usize, without: Option<usize>) -> bool {
        self.runners[index].away.is_none() && Some(index) != without
    }

    pub(super) fn charged(&self) -> f64 {
        self.runners.iter().map(|runner| runner.charged_soon() as f64).sum()
    }

    /// Returns the smallest reliable estimate (ns). Bounds count only if `or_bound`.
    fn sure(&self, or_bound: bool) -> Option<f64> {
        let is_sure = |runner: &&Runner<C, S>| {
            let is_trusted = !runner.is_out && runner.error().is_some();
            is_trusted && (or_bound || !runner.estimate.is_bound)
        };
        self.runners.iter().filter(is_sure).map(|runner| runner.estimate.left).reduce(f64::min)
    }

    /// Returns the contender with the largest debt and its guaranteed slice (ns), or `None` if no
    /// contender is owed a slice.
    fn owed(&self, bytes: usize, without: Option<usize>) -> Option<(usize, u64)> {
        let share = GUARANTEE / self.runners.len() as f64;
        let all = self.charged();
        let debt = |runner: &Runner<C, S>| share * all - runner.charged as f64;
        let is_owed = |&(index, runner): &(usize, &Runner<C, S>)| {
            let is_due = debt(runner) >= runner.debt_min(self.slices) as f64;
            let is_here = self.is_here(index, without);
            !runner.is_out && is_here && is_due && self.room_beside_better(index, bytes) >= bytes / 2
        };
        let owed = self.runners.iter().enumerate().filter(is_owed);
        let (index, runner) = owed.max_by(|a, b| debt(a.1).total_cmp(&debt(b.1)))?;
        let slice = (debt(runner) / (1.0 - share)) as u64;
        Some((index, slice.max(runner.next_slice(self.slices))))
    }

    /// Returns the waiting contender with the best rank, if it is at most `factor` times the best
    /// rank of all contenders, or `None` once an estimate is reliable.
    pub(super) fn hopeful(&self, factor: f64, without: Option<usize>) -> Option<usize> {
        if self.sure(true).is_some() {
            return None;
        }
        let live = || self.runners.iter().enumerate().filter(|(_, runner)| !runner.is_out);
        let best = live().map(|(_, runner)| runner.rank()).fold(f64::INFINITY, f64::min);
        let here = live().filter(|&(index, _)| self.is_here(index, without));
        let first = here.min_by(|a, b| a.1.rank().total_cmp(&b.1.rank()))?;
        (first.1.rank() <= factor * best).then_some(first.0)
    }

    /// Returns the next slice of a contender with an unreliable estimate (ns).
    pub(super) fn trial(&self, index: usize) -> u64 {
        self.runners[index].next_slice(self.slices)
    }

    pub(super) fn is_sure(&self, index: usize) -> bool {
        self.runners[index].error().is_some()
    }

    pub(super) fn bytes_of(&self, index: usize) -> usize {
        self.runners[index].bytes()
    }

    pub(super) fn count(&self) -> usize {
        self.runners.len()
    }

    pub(super) fn cut(&self) -> Cut {
        self.cut
    }

    /// Returns the memory left by the contenders with better ranks than contender `index` (bytes).
    fn room_beside_better(&self, index: usize, bytes: usize) -> usize {
        let rank = self.runners[index].rank();
        let others = self.runners.iter().enumerate().filter(|&(place, _)| place != index);
        let better = others.filter(|(_, other)| other.rank() <= rank);
        bytes.saturating_sub(better.map(|(_, other)| other.bytes()).sum())
    }

    /// Returns the memory that contender `index` may hold (bytes). While less than half of all
    /// memory is available, the waiting contender with the worst rank drops out.
    pub(super) fn make_room(&mut self, index: usize, bytes: usize) -> usize {
        loop {
            let held = |(place, runner): (usize, &Runner<C, S>)| {
                if place == index { 0 } else { runner.bytes() }
            };
            let left = bytes.saturating_sub(self.runners.iter().enumerate().map(held).sum());
            if left >= bytes / 2 {
                return left;
            }
            let is_here = |other: &(usize, &Runner<C, S>)| other.1.away.is_none() && held(*other) > 0;
            let others = self.runners.iter().enumerate().filter(is_here);
            let slowest = others.max_by(|a, b| a.1.rank().total_cmp(&b.1.rank()));
            let Some((place, _)) = slowest else { return left };
            self.runners[place].give_up();
        }
    }

    pub(crate) fn contender(&self, index: usize) -> Option<&C> {
        self.runners[index].contender.as_ref()
    }

    /// Returns the contenders that have not dropped out and are not running.
    pub(crate) fn contenders(&self) -> impl Iterator<Item = &C> {
        self.runners.iter().filter_map(|runner| runner.contender.as_ref())
    }

    pub(crate) fn into_contenders(self) -> Vec<C> {
        self.runners.into_iter().filter_map(|runner| runner.contender).collect()
    }

    pub(crate) fn last(&self) -> Option<usize> {
        self.last
    }

    /// Returns the total time of a contender as estimated before its last slice.
    pub(crate) fn foreseen(&self, index: usize) -> Option<Duration> {
        self.runners[index].foreseen
    }

    pub(crate) fn effort(&self) -> (u64, u64) {
        let efforts = self.runners.iter().map(Runner::effort);
        efforts.fold((0, 0), |sum, more| (sum.0 + more.0, sum.1 + more.1))
    }

    pub(crate) fn known(&self) -> Option<C::Output>
    where
        C::Output: Clone + Ord,
    {
        let known = |runner: &Runner<C, S>| match &runner.contender {
            Some(contender) => contender.known(),
            None => runner.known.clone(),
        };
        self.runners.iter().filter_map(known).max()
    }

    /// Returns the progress of the race. The leader is the fastest contender with a reliable
    /// estimate. Without a reliable estimate, the leader is the contender that has run longest.
    pub(crate) fn standing(&self) -> Option<RaceProgress> {
        let live = || self.runners.iter().filter(|runner| !runner.is_out);
        let spent = self.runners.iter().map(|runner| runner.spent).sum();
        let sure = live().filter(|runner| runner.error().is_some());
        let sure = sure.min_by(|a, b| a.rank().total_cmp(&b.rank()));
        let leader = sure.or_else(|| live().max_by_key(|runner| runner.spent))?;
        let left = Duration::try_from_secs_f64(leader.estimate.left * 1e-9).ok();
        let sure = leader.error().zip(left).map(|(error, left)| (leader.spent, left, error));
        Some(RaceProgress { name: leader.name, sure, spent })
    }

    /// Estimates the remaining time of the race, from the contender with the best rank.
    pub(crate) fn estimate(&self) -> Estimate {
        let live = self.runners.iter().filter(|runner| !runner.is_out);
        let best = live.min_by(|a, b| a.rank().total_cmp(&b.rank()));
        best.map_or(Estimate::guess(f64::INFINITY), |best| {
            let left = best.estimate.expected(best.charged as f64);
            Estimate::new(left, best.error().map(|_| 1.0))
        })
    }

    pub(crate) fn bytes(&self) -> usize {
        self.runners.iter().map(Runner::bytes).sum()
    }

    /// Returns the progress of each contender that has started or has a reliable estimate.
    pub(crate) fn laps(&self) -> Vec<Lap> {
        let lap = |runner: &Runner<C, S>| {
            let is_known = runner.error().is_some() && !runner.is_out && !runner.is_done;
            let left = Duration::try_from_secs_f64(runner.estimate.left * 1e-9).ok();
            let all = left.filter(|_| is_known).and_then(|left| runner.spent.checked_add(left));
            Lap { name: runner.name, spent: runner.spent, all }
        };
        let laps = self.runners.iter().map(lap);
        laps.filter(|lap| lap.spent > Duration::ZERO || lap.all.is_some()).collect()
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RaceProgress {
    pub(crate) name: &'static str,
    /// If the estimate of the leader is reliable: its time spent, its remaining time, and the error
    /// factor of the remaining time.
    pub(crate) sure: Option<(Duration, Duration, f64)>,
    pub(crate) spent: Duration,
}

/// The progress of a contender.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(not(feature = "unstable"), doc(hidden))]
pub struct Lap {
    /// The name of the contender.
    pub name: &'static str,
    /// The processor time that the contender used.
    pub spent: Duration,
    /// The estimated total time of the contender, if it is known and the contender did not finish.
    pub all: Option<Duration>,
}
