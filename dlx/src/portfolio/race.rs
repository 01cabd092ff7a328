//! The scheduler of a race: contenders that compute the same result take turns until one of them is
//! done.
//!
//! The cost of a contender is easier to predict after it has started. So each contender gets a
//! first time slice, the most promising contender first. Often one contender finishes before the
//! second has started. After each slice a contender returns an *estimate* of its remaining time.
//! The race continues to run only contenders that may be the fastest. Each slice of a contender is
//! as long as all its previous slices together. The other contenders wait, and resume if estimates
//! change. Contenders without estimates alternate, each with its share of the time.
//!
//! An unreliable estimate is discounted by a factor that grows with its ratio to the time spent,
//! because early estimates are often wrong by a factor of a hundred.
//!
//! An estimate can be *reliable* ([`Estimate::sure`]): a search returns one after some thousand
//! nodes, but a growing frontier does not. Once one estimate is reliable, the contenders with
//! unreliable estimates together get only a small share of this estimate. A much faster contender
//! finishes within this share, or its estimate becomes reliable. While the contender with the
//! reliable estimate leads, every other contender gets a trial in that share if memory allows it. A
//! contender may use a fifth of the smallest reliable estimate if its own unreliable estimate is at
//! most a fifth of it. All such contenders together may use half of the smallest reliable estimate.
//!
//! A reliable estimate can be only an upper *bound*: a search for one cover knows when it will have
//! searched the whole tree, but may finish earlier. A bound limits the share of the other
//! contenders, but allows no trials, and the slices of its contender stay short. If one of two
//! bounds is far larger, its contender gets a proportionally smaller share.
//!
//! Two rules limit the damage of wrong estimates:
//! - *Broken promises.* A contender is late when it is not done after twice its estimate. The rank
//!   of a late contender is at least its time so far, multiplied by the number of consecutive times
//!   it was late. The estimates of a late contender count as unreliable until it keeps one, but it
//!   may still run while its rank is below the smallest reliable estimate. If its new estimate is
//!   far smaller than that, it gets a small multiple of the new estimate at once. Such an extra
//!   slice is at most a tenth of the smallest reliable estimate, and a contender gets at most four
//!   in a row.
//! - *The guarantee.* Each contender is due the fraction [`GUARANTEE`] of the total time, divided
//!   by the number of contenders. A contender whose debt exceeds its next slice runs first. Most
//!   races end before any contender is owed a slice.
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
//! A third rule shortens races without a reliable estimate: after some time, a contender that
//! surveys ([`Contender::survey`]) gets a share of the time. The estimate of a search from a first
//! path may be a thousand times too high and becomes right with time, and a frontier needs its
//! first beam, while other contenders seem nearly done for long.
//!
//! On several cores, contenders run at the same time (`several.rs`) by the same rules. A running
//! contender is charged its current slice.
//!
//! Memory: a contender may use the allowed bytes that the other contenders leave. If the other
//! contenders leave less than half of the allowed bytes, the contender with the worst rank drops
//! out and frees its memory. The guarantee never takes memory from a contender with a better rank.
//!
//! If a limit ends the race, the result is the largest lower bound that any contender has proved.
//!
//! Tried and dropped: an `UNSURE_SHARE` of 0.10 or 0.07; trusting a search earlier, or while its
//! estimate grows faster; skipping a frontier with a very large estimate; ranking a late search by
//! its remaining estimate; pessimistic factors on first slices or frontiers; early slices of a
//! search in random subtrees (trivial subtrees end first, so the searched share grows too fast: on
//! oblongs of a 9x9 square, estimates were from a thirtieth of the tree to all of it).
//!
//! Sources: Huberman, Lukose and Hogg, "An economics approach to hard computational problems"
//! (Science, 1997), on portfolios; Luby, Sinclair and Zuckerman, "Optimal speedup of Las Vegas
//! algorithms" (Information Processing Letters, 1993), on slices that double.

use std::time::Duration;

use super::clock::Clock;
use super::runner::{Away, MARGIN, OpenSlice, Runner, Slices, Turn};
use super::{Contender, Cut, Estimate, Survey};
use crate::limits::Limits;

/// Largest rank of a contender that keeps running, as a multiple of the best rank.
const PATIENCE: f64 = 1.2;
/// Share of the smallest reliable estimate that all contenders with unreliable estimates together
/// may use.
const UNSURE_SHARE: f64 = 0.15;
/// A contender whose unreliable estimate is at most the smallest reliable estimate divided by
/// `FASTER` may use the share `FASTER_SHARE` of the latter. All contenders with unreliable
/// estimates together may then use the share `FASTER_SHARE_ALL`.
const FASTER: f64 = 5.0;
const FASTER_SHARE: f64 = 0.2;
const FASTER_SHARE_ALL: f64 = 0.5;
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
        let runners = contenders.into_iter().map(Runner::new).collect();
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
                runner.estimate = contender.estimate(Duration::ZERO);
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
                runner.lates = if is_late { runner.lates.saturating_add(1) } else { 0 };
                runner.is_broken = is_late && runner.estimate.error.is_some();
            }
            runner.estimate = contender.estimate(runner.spent);
            let left = Duration::try_from_secs_f64(runner.estimate.left * 1e-9);
            runner.foreseen = left.ok().and_then(|left| runner.spent.checked_add(left));
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
        let all = self.charged();
        let count = self.runners.len();
        let turns = (0..count).map(|step| (self.turn + step) % count);
        let first = self.owed(bytes, without);
        first.or_else(|| self.survey(all, bytes, without)).or_else(|| {
            let unsure = self.unsure();
            let bound = self.sure(true);
            let pool = UNSURE_SHARE * bound.unwrap_or(f64::INFINITY) - unsure;
            let sure = self.sure(false).unwrap_or(0.0);
            let has_room = |index| self.room_beside_better(index, bytes) >= bytes / 2;
            let chance = |index: usize| Some((index, self.runners[index].chance(sure)?));
            let may_have = |&index: &usize| self.is_here(index, without) && has_room(index);
            if let Some(chance) = (0..count).filter(may_have).find_map(chance) {
                return Some(chance);
            }
            let may_run = |runner: &Runner<C, S>| {
                let slice = runner.slice(self.slices, all) as f64;
                let is_much_faster = || {
                    FASTER * runner.promise(|left| left) <= sure
                        && runner.charged as f64 <= FASTER_SHARE * sure
                        && slice <= FASTER_SHARE_ALL * sure - unsure
                };
                let is_nearly_done = || runner.lates > 0 && runner.rank() <= sure;
                let is_in_pool = || slice <= pool || is_much_faster() || is_nearly_done();
                !runner.is_out && (runner.error().is_some() || is_in_pool())
            };
            // The share left for unreliable estimates is used for trials of all contenders that may
            // be faster, unless a trial would take memory from other contenders.
            let live = || self.runners.iter().filter(|runner| may_run(runner));
            let rank = |runner: &Runner<C, S>| runner.rank() * runner.behind(bound);
            let best = live().map(rank).fold(f64::INFINITY, f64::min);
            // A contender whose estimate is a bound does not lead, because it may finish at any
            // time.
            let is_led = live().any(|runner| {
                let is_sure = runner.error().is_some() && !runner.estimate.is_bound;
                is_sure && rank(runner) <= PATIENCE * best
            });
            let is_next = |&index: &usize| {
                let runner = &self.runners[index];
                let is_trial = || is_led && runner.error().is_none() && has_room(index);
                self.is_here(index, without)
                    && may_run(runner)
                    && (rank(runner) <= PATIENCE * best || is_trial())
            };
            turns
                .into_iter()
                .find(is_next)
                .map(|index| (index, self.runners[index].slice(self.slices, all)))
        })
    }

    /// Returns a contender that surveys and its slice (ns), if no estimate is reliable and the
    /// contender has less than its share of the time `all` charged to all contenders (ns).
    fn survey(&self, all: f64, bytes: usize, without: Option<usize>) -> Option<(usize, u64)> {
        if self.sure(true).is_some() {
            return None;
        }
        let is_next = |&index: &usize| {
            let runner = &self.runners[index];
            let survey = runner.contender.as_ref().and_then(Contender::survey);
            let is_due =
                |survey: Survey| all >= survey.from && (runner.charged as f64) < survey.share * all;
            !runner.is_out
                && survey.is_some_and(is_due)
                && self.is_here(index, without)
                && self.room_beside_better(index, bytes) >= bytes / 2
        };
        let index = (0..self.runners.len()).find(is_next)?;
        Some((index, self.runners[index].next_slice(self.slices)))
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

    /// Returns the total time charged to contenders with unreliable estimates (ns).
    fn unsure(&self) -> f64 {
        let is_unsure = |runner: &&Runner<C, S>| !runner.is_out && runner.error().is_none();
        self.runners.iter().filter(is_unsure).map(|runner| runner.charged_soon() as f64).sum()
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
            Estimate::new(best.promise(|left| left), best.error().map(|_| 1.0))
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
