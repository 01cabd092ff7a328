//! The one scheduler: contenders for the same end take turns until one of them is done.
//!
//! What a contender costs can hardly be told beforehand, but a good deal better once it has begun. So all that come
//! into question begin, for a slice of time each, the most promising first, and mostly one is done before the
//! second has begun. After each slice a contender gives an *estimate* of the time that it will still take, and only
//! those go on that may be the fastest, each for as long as all its slices before. None is given up: one whose
//! estimate turns out to be wrong waits, and another goes on where it was left. Contenders without estimates go on
//! side by side, each with its share of the time.
//!
//! An estimate of which a contender is not sure is believed the less the larger it is beside the time that the contender has
//! had. So while nobody is sure, who promises ten times as much as the best has a few hundredths of its time, not nothing:
//! an early forecast of a memo is often off by a factor of a hundred.
//!
//! Some estimates are worth more than others: a search knows after some thousand nodes how far it is, a frontier
//! that still grows does not. So as soon as one contender is *sure* of its estimate, all that are not have but a
//! small share of that time together, and what is done fastest by the sure one takes hardly longer than that. Where
//! the others are faster by far, their share is enough to be done, or at least to be sure in turn. While the sure one
//! leads, all of them have a trial in that share, whatever they promise, if there is memory for it; not if it is sure of a
//! bound alone. One that promises a fifth of what the sure one needs may have a fifth of that for itself, and all such half of it:
//! they are often right, and where they are not the sure one is done hardly later.
//!
//! Some are sure of a *bound* alone: a search for one cover knows when it will have seen the whole tree, but may be done
//! at any time before. The bound limits the share of the others; the turns of such a one are those of one that is not
//! sure. Of two that are sure of bounds the one with a far larger bound has the smaller share, in that proportion: for each cover
//! that may come soon it has as many times more to search. (One cover of random sets of 90 items takes 0.29 to 0.5 of the time that
//! it took with equal shares; in the bench `find` one order of a nonogram takes 1.2 times as long, the other 0.75.)
//!
//! Estimates may be wrong in either direction and for good. Two rules make up for that:
//! - *A broken promise.* The rank of a contender that was not done in twice the time that it said is no better than the
//!   time that it had, times the number of promises that it has broken in turn: who says "soon" for ever falls behind all who
//!   keep their word. If it had been sure of what it said, it counts as not sure until it keeps to it; but while that rank is below
//!   what the sure one needs, it may go on: it is often nearly done. And if it says that it needs next to nothing beside that, it
//!   has some times as much at once: at most a tenth of what the sure one needs, and until it has been late five times in turn.
//! - *The guarantee.* Of all time, each contender is due [`GUARANTEE`] divided by the number of contenders. When
//!   what it is due exceeds what it had by its next slice, it goes first: so who says "never" has a chance, too.
//!   Most races are over before the first one is owed anything.
//!
//! **The bound.** Let n contenders begin, one of which is done when it was given slices of T in all, and is neither
//! out nor without room (see below). Let F be the longest first slice and M the longest time that any slice was
//! charged. Then the race is over before
//!
//! ```text
//! 64 n T + 256 n F + n M
//! ```
//!
//! whatever the estimates say. For let g = GUARANTEE / n be the share of one, and D = g * (time of all) - (time of
//! this one) its debt. A slice of another raises D by at most g M. As long as our contender is owed, the most
//! indebted one runs, and for so long that its debt is gone; from then on its debt grows as ours does and stays
//! below it, so each of the others runs at most once before ours does. It is owed when D reaches the length of its
//! next slice or that of 8 first ones, at most T + 8 F; D exceeds that by g M at most then, and by (n - 1) g M more
//! before its turn. So D < T + 8 F + n g M always, and the time of all is (T + D) / g < 32 n (2 T + 8 F) + n M. A
//! contender that comes back before its slice is over is charged the whole slice, so time passes with every slice,
//! and nothing waits for ever. The tests hold scripted contenders to the bound.
//!
//! On several cores contenders run at the same time (`several.rs`): the same rules say who is next, and who is away counts with
//! the slice that it has.
//!
//! Memory: what all contenders hold together is at most what is allowed. A contender may have what the others
//! leave; if that is less than half, the one of them that is to take longest gives up all it has, and is out. The
//! guarantee alone takes memory from nobody who promises more: where those leave less than half, there is no room.
//!
//! What is known when a limit ends the race is the most that any contender is certain of.
//!
//! Tried and dropped, on the 127 problems of the suite that take 3 ms to 0.4 s: for contenders that are not sure 0.10 or 0.07 of the sure time
//! instead of 0.15 (0.99 and 0.985 of the time, in the geometric mean); a search that is sure after half as many nodes, or of estimates
//! that grow faster (1.01 each); a frontier that is not begun where its order promises a hundred times its slice (1.01). Each is less
//! than what single problems change from run to run: designs 13 by a factor of 3.6. On the 259 files of the bench `regret`: a search
//! that was late ranked by what it says is left, times 8 or 16 for each broken promise (1.00 to 1.01); a search that tells the pace of
//! its first slice as it is, not two or three times too fast (1.03 and 1.04 of two halves, and no better with smaller shares for the
//! others: who is sure of more leaves them more); a frontier that promises its orders for three times as much (1.00), and that looks
//! ahead within its slice (0.995, but tetrominoes 8x8 1.75).
//!
//! Sources: Huberman, Lukose and Hogg, "An economics approach to hard computational problems" (Science, 1997), on
//! portfolios; Luby, Sinclair and Zuckerman, "Optimal speedup of Las Vegas algorithms" (Information Processing
//! Letters, 1993), on slices that double.

use std::time::Duration;

use super::clock::Clock;
use super::runner::{Away, MARGIN, OpenSlice, Runner, Slices, Turn};
use super::{Contender, Cut, Estimate};
use crate::limits::Limits;

/// Those contenders go on whose rank is at most the best one times this.
const PATIENCE: f64 = 1.2;
/// The contenders that are not sure have this share of the least estimate that is sure, all together.
const UNSURE_SHARE: f64 = 0.15;
/// One of them that promises the least estimate divided by this may go on until it has had the first share of it, or all the second.
const FASTER: f64 = 5.0;
const FASTER_SHARE: f64 = 0.2;
const FASTER_SHARE_ALL: f64 = 0.5;
/// The share of all time that is divided equally among the contenders, whatever they promise.
const GUARANTEE: f64 = 1.0 / 32.0;

/// What contenders in a race must keep to.
pub(crate) struct Rules<'r> {
    pub(crate) limits: &'r Limits,
    pub(crate) clock: &'r dyn Clock,
    /// The bytes that all may hold together.
    pub(crate) bytes: usize,
    /// The race pauses soon after so much time.
    pub(crate) time: Duration,
}

/// Contenders, and how far each is. A race that was cut goes on where it was.
pub(crate) struct Race<C: Contender<S>, S: ?Sized = ()> {
    runners: Vec<Runner<C, S>>,
    slices: Slices,
    /// Whose turn is next, if it may go on.
    turn: usize,
    /// What is gone on with before that.
    open: Option<OpenSlice>,
    /// Who had the last slice.
    last: Option<usize>,
    /// Why all are out, if they are: for want of memory, if that was so for one.
    cut: Cut,
}

impl<C: Contender<S>, S: ?Sized> Race<C, S> {
    /// Makes a race of contenders, the most promising first.
    pub(crate) fn new(contenders: impl IntoIterator<Item = C>, slices: Slices) -> Self {
        let runners = contenders.into_iter().map(Runner::new).collect();
        Self { runners, slices, turn: 0, open: None, last: None, cut: Cut::Unsuited }
    }

    /// Lets the contenders run until one is done; `tell` is told after each slice how far the race is.
    ///
    /// # Errors
    /// [`Cut::Work`] if the time was too short: then the race may go on. Else a limit, or why all contenders are out.
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
                // Next time there may be enough for the beginning.
                self.turn = index;
                return Err(Cut::Work);
            }
            let bytes = self.make_room(index, rules.bytes);
            let before = rules.clock.now();
            let mut turn = self.begin_turn(index, (given, slice), bytes);
            let result = turn.run(shared, rules.limits, rules.clock);
            match self.end_turn(turn, result, false) {
                // Nothing could be done in all the time that was left.
                Err(Cut::Work) if given < slice && rules.clock.now() == before => {
                    return Err(Cut::Work);
                }
                Err(Cut::Work | Cut::Unsuited | Cut::Memory) => {}
                result => return result,
            }
            tell(self);
        }
    }

    /// Lets those be out that did not come back from their slice, since they panicked.
    pub(super) fn settle(&mut self) {
        for runner in &mut self.runners {
            runner.is_out |= runner.away.take().is_some();
        }
    }

    /// Asks those that have not begun: what others found out may tell them something.
    pub(super) fn look_anew(&mut self) {
        for runner in self.runners.iter_mut().filter(|runner| runner.charged == 0) {
            if let Some(contender) = &runner.contender {
                runner.estimate = contender.estimate(Duration::ZERO);
            }
        }
    }

    /// Takes a contender for so many nanoseconds of a slice that is as long as told after that.
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

    /// Takes note of how a slice went; where the race was over before, that is all.
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

    /// Returns who goes on, and for how many nanoseconds, if not the one to be left out; `None` if all are out or away.
    pub(super) fn next(&self, bytes: usize, without: Option<usize>) -> Option<(usize, u64)> {
        // A race that is over may be asked again.
        if let Some(done) = self.runners.iter().position(|runner| runner.is_done) {
            return Some((done, self.slices.first));
        }
        let all = self.charged();
        let count = self.runners.len();
        let turns = (0..count).map(|step| (self.turn + step) % count);
        self.owed(bytes, without).or_else(|| {
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
            // What is left to those that are not sure is for trials of all that may be faster after all, except such as
            // would take memory from others.
            let live = || self.runners.iter().filter(|runner| may_run(runner));
            let rank = |runner: &Runner<C, S>| runner.rank() * runner.behind(bound);
            let best = live().map(rank).fold(f64::INFINITY, f64::min);
            // One that is sure of a bound alone does not lead for long: no time of the others is known to be lost.
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

    /// Tells whether a contender has no slice at the moment, and is not the one to be left out.
    fn is_here(&self, index: usize, without: Option<usize>) -> bool {
        self.runners[index].away.is_none() && Some(index) != without
    }

    /// Returns the nanoseconds that all were charged.
    pub(super) fn charged(&self) -> f64 {
        self.runners.iter().map(|runner| runner.charged_soon() as f64).sum()
    }

    /// Returns the least nanoseconds of which a contender is sure, or those of a bound, too.
    fn sure(&self, or_bound: bool) -> Option<f64> {
        let is_sure = |runner: &&Runner<C, S>| {
            let is_trusted = !runner.is_out && runner.error().is_some();
            is_trusted && (or_bound || !runner.estimate.is_bound)
        };
        self.runners.iter().filter(is_sure).map(|runner| runner.estimate.left).reduce(f64::min)
    }

    /// Returns the nanoseconds that those were charged who are not sure.
    fn unsure(&self) -> f64 {
        let is_unsure = |runner: &&Runner<C, S>| !runner.is_out && runner.error().is_none();
        self.runners.iter().filter(is_unsure).map(|runner| runner.charged_soon() as f64).sum()
    }

    /// Returns who has had least of what it is guaranteed, and the slice that is due to it; `None` if nobody is owed a slice.
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

    /// Returns who of those that are here promises most, if that is hardly less than the best of all times that factor;
    /// `None` as soon as one is sure.
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

    /// Returns the nanoseconds of the next slice of a contender that is not sure.
    pub(super) fn trial(&self, index: usize) -> u64 {
        self.runners[index].next_slice(self.slices)
    }

    /// Tells whether a contender is sure.
    pub(super) fn is_sure(&self, index: usize) -> bool {
        self.runners[index].error().is_some()
    }

    /// Returns the bytes that a contender holds.
    pub(super) fn bytes_of(&self, index: usize) -> usize {
        self.runners[index].bytes()
    }

    /// Returns the number of contenders.
    pub(super) fn count(&self) -> usize {
        self.runners.len()
    }

    /// Returns why all are out.
    pub(super) fn cut(&self) -> Cut {
        self.cut
    }

    /// Returns the bytes that those leave that promise more than the contender at a place.
    fn room_beside_better(&self, index: usize, bytes: usize) -> usize {
        let rank = self.runners[index].rank();
        let others = self.runners.iter().enumerate().filter(|&(place, _)| place != index);
        let better = others.filter(|(_, other)| other.rank() <= rank);
        bytes.saturating_sub(better.map(|(_, other)| other.bytes()).sum())
    }

    /// Returns the bytes that a contender may hold beside the others; where that is less than half of all, those that
    /// are to take longest give up what they have.
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

    /// Returns the contender at a place, if it did not give up its memory.
    pub(crate) fn contender(&self, index: usize) -> Option<&C> {
        self.runners[index].contender.as_ref()
    }

    /// Returns the contenders that did not give up their memory.
    pub(crate) fn contenders(&self) -> impl Iterator<Item = &C> {
        self.runners.iter().filter_map(|runner| runner.contender.as_ref())
    }

    /// Returns the contenders that did not give up their memory.
    pub(crate) fn into_contenders(self) -> Vec<C> {
        self.runners.into_iter().filter_map(|runner| runner.contender).collect()
    }

    /// Returns whose slice ended the last run, if one did.
    pub(crate) fn last(&self) -> Option<usize> {
        self.last
    }

    /// Returns the time in all that a contender was expected to take after its last slice but one.
    pub(crate) fn foreseen(&self, index: usize) -> Option<Duration> {
        self.runners[index].foreseen
    }

    /// Returns nodes and updates of all contenders.
    pub(crate) fn effort(&self) -> (u64, u64) {
        let efforts = self.runners.iter().map(Runner::effort);
        efforts.fold((0, 0), |sum, more| (sum.0 + more.0, sum.1 + more.1))
    }

    /// Returns the most that any contender is certain of.
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

    /// Returns how far the race is: of the contenders that are sure the fastest leads, else the one that had the most time.
    pub(crate) fn standing(&self) -> Option<Standing> {
        let live = || self.runners.iter().filter(|runner| !runner.is_out);
        let spent = self.runners.iter().map(|runner| runner.spent).sum();
        let sure = live().filter(|runner| runner.error().is_some());
        let sure = sure.min_by(|a, b| a.rank().total_cmp(&b.rank()));
        let leader = sure.or_else(|| live().max_by_key(|runner| runner.spent))?;
        let left = Duration::try_from_secs_f64(leader.estimate.left * 1e-9).ok();
        let sure = leader.error().zip(left).map(|(error, left)| (leader.spent, left, error));
        Some(Standing { name: leader.name, sure, spent })
    }

    /// Returns how long the race will still take: as long as the contender that promises most.
    pub(crate) fn estimate(&self) -> Estimate {
        let live = self.runners.iter().filter(|runner| !runner.is_out);
        let best = live.min_by(|a, b| a.rank().total_cmp(&b.rank()));
        best.map_or(Estimate::guess(f64::INFINITY), |best| {
            Estimate::new(best.promise(|left| left), best.error().map(|_| 1.0))
        })
    }

    /// Returns the bytes that all contenders hold.
    pub(crate) fn bytes(&self) -> usize {
        self.runners.iter().map(Runner::bytes).sum()
    }

    /// Returns how far each contender came that has begun, or is sure how long it would take.
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

/// How far a race is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Standing {
    /// The contender that leads.
    pub(crate) name: &'static str,
    /// If it is sure: the time spent on it, the time left, and the factor by which that may be too low.
    pub(crate) sure: Option<(Duration, Duration, f64)>,
    /// The time spent on all contenders.
    pub(crate) spent: Duration,
}

/// How far a contender came.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lap {
    /// Its name.
    pub name: &'static str,
    /// The processor time that it took.
    pub spent: Duration,
    /// The time that it would have taken in all, as far as that can be told, if it was not the first.
    pub all: Option<Duration>,
}
