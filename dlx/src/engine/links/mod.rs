//! Dancing links: Algorithms X (exact covers), C (with colors) and M (with multiplicities).
//!
//! Every item has a doubly linked list of the options that can still cover it. Choosing an option
//! removes its items from the list of active items, and the conflicting options from all lists. A
//! removed record remembers its neighbors, so backtracking reinserts the records in exact reverse
//! order. The search branches on the active item with the fewest choices (MRV), and among equals on
//! the first in order of definition.
//!
//! Source: Knuth, TAOCP 7.2.2.1, Algorithms X, C and M, whose step labels appear in the comments
//! below. X is C without colors, C is M with bounds 1 and 1, and each is compiled separately.
//! Unlike in Knuth's Algorithm M, an item that has reached its lower bound and has no options left
//! takes no level.
//!
//! Invariant: after a search the state is as `new` made it. An update is a record removed from a
//! list, or an item covered or purified.
//!
//! Tried and dropped: abandoning a choice as soon as another item has no option left. Early
//! abandoning was faster on pentominoes, but slower on dominoes, queens, Latin squares and social
//! golfers.

mod arena;
pub mod events;

use bitvec::prelude::{BitVec, Lsb0};

use self::arena::{Arena, ItemNo, RecordId};
use self::events::{Event, NoObserver, Observer};
use crate::limits::{Limit, Limits};
use crate::model::subtree::Fork;
use crate::model::{OptionId, Problem, Subtree, subtree};
use crate::search::fraction;
use crate::search::{End, Engine, EngineSpec, Meter, Report, Unsupported, Visit};

pub(super) const SPEC: EngineSpec = EngineSpec {
    name: "links",
    summary: "dancing links: Algorithms X, C and M on an arena",
    build: |problem| Ok::<_, Unsupported>(Box::new(Links::new(problem))),
};

/// Algorithm X without MRV, to measure the benefit of MRV.
pub(super) const NO_MRV: EngineSpec = EngineSpec {
    name: "links-no-mrv",
    summary: "dancing links that always take the first item, however many options it has",
    build: |problem| Ok::<_, Unsupported>(Box::new(Links::new(problem).in_order())),
};

macro_rules! dispatch {
    ($links:ident, $($name:ident).+ ($($argument:expr)?)) => {
        match ($links.has_colors, $links.has_bounds) {
            (false, false) => $($name).+::<false, false>($($argument)?),
            (true, false) => $($name).+::<true, false>($($argument)?),
            (false, true) => $($name).+::<false, true>($($argument)?),
            (true, true) => $($name).+::<true, true>($($argument)?),
        }
    };
}

/// The engine of dancing links.
///
/// Building the engine copies the problem into an arena: 12 bytes per entry, 16 with colors, and
/// about 60 per item and 20 per option. Searching allocates further memory only for a profile of
/// levels, for excluded options, or for many given options without primary items. Choosing an item
/// scans the active items until one has a single option, so problems with hundreds of thousands of
/// items are slow even where every choice is forced.
///
/// ```
/// use dlx::{Engine, Limits, OptionId, engine::Links};
///
/// // Langford pairs for 1, 2, 3: the option `i sj sk` puts the two i's into slots j and k.
/// let problem: dlx::Problem = "1 2 3 s1 s2 s3 s4 s5 s6\n\
///     1 s1 s3\n1 s2 s4\n1 s3 s5\n1 s4 s6\n2 s1 s4\n2 s2 s5\n2 s3 s6\n3 s1 s5\n3 s2 s6\n".parse()?;
/// let mut links = Links::new(&problem);
/// let report = links.count(&[], &Limits::new());
/// assert_eq!((report.count(), report.nodes), (Some(2), 7));
/// // With `3 s1 s5` given there is one cover.
/// assert_eq!(links.count(&[OptionId::new(7)], &Limits::new()).count(), Some(1));
/// # Ok::<(), dlx::ParseError>(())
/// ```
///
/// An engine with an [`Observer`] is built by [`Links::observed`]. An engine without an observer is
/// compiled without code for events.
#[derive(Clone, Debug)]
pub struct Links<O = NoObserver> {
    arena: Arena<O>,
    has_colors: bool,
    has_bounds: bool,
    primary_count: usize,
    /// Whether to branch on the first active item instead of the item with the fewest options.
    is_in_order: bool,
    levels: Vec<Choice>,
    is_forward: bool,
    cover: Vec<OptionId>,
    given_count: usize,
    without: Vec<OptionId>,
    /// Scratch space of `begin`, one bit per option. Between searches all bits of `seen` are 0.
    seen: BitVec<usize, Lsb0>,
}

#[derive(Clone, Debug)]
struct Choice {
    item: ItemNo,
    /// The record of the item in the chosen option, or the header of the item for "no more".
    record: RecordId,
    /// The record tried first. Restoring the tweaked records starts here.
    first: RecordId,
    degree: u32,
    ordinal: u32,
}

enum AdvanceOutcome {
    Solution,
    Exhausted,
    Limit(Limit),
    Stopped,
}

enum BranchDecision {
    /// All items are covered, or have reached their lower bound and have no options left.
    Solution,
    DeadEnd,
    On(ItemNo, u32),
}

impl Links {
    /// Builds the arena for `problem`.
    #[must_use]
    pub fn new(problem: &Problem) -> Self {
        Self::observed(problem, NoObserver)
    }

    /// Makes this engine branch on the first uncovered item instead of the item with the fewest
    /// options. The result is Algorithm X without MRV, for comparisons.
    ///
    /// ```
    /// use dlx::{Engine, Limits, engine::Links};
    ///
    /// let problem: dlx::Problem = "a b c\na\na b\nb\nc\n".parse()?;
    /// let count = Links::new(&problem).in_order().count(&[], &Limits::new());
    /// assert_eq!(count.count(), Links::new(&problem).count(&[], &Limits::new()).count());
    /// # Ok::<(), dlx::ParseError>(())
    /// ```
    #[must_use]
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    pub fn in_order(self) -> Self {
        Self { is_in_order: true, ..self }
    }

    /// Iterates over the exact covers that contain the options of `given`.
    ///
    /// ```
    /// let problem: dlx::Problem = "a b\na\nb\na b\n".parse()?;
    /// let mut solutions = dlx::engine::Links::new(&problem).into_solutions(&[]);
    /// assert_eq!(solutions.next().map(|cover| cover.len()), Some(2));
    /// assert_eq!(solutions.by_ref().count(), 1);
    /// # Ok::<(), dlx::ParseError>(())
    /// ```
    ///
    /// # Panics
    /// If an option of `given` is not one of this problem's.
    #[must_use]
    pub fn into_solutions(mut self, given: &[OptionId]) -> LinksCovers {
        let is_over = !self.begin(given, &[]);
        LinksCovers { links: self, is_over }
    }
}

impl<O: Observer> Links<O> {
    /// Builds the arena for `problem`, with an observer of all searches.
    ///
    /// The engine is compiled for the type of the observer, so an observer that only counts costs
    /// little. [`events`](crate::engine::links::events) describes the events.
    ///
    /// ```
    /// use dlx::engine::events::{Event, Observer};
    /// use dlx::{Engine, Limits, engine::Links};
    ///
    /// /// How often each item ran empty.
    /// struct Empty(Vec<u64>);
    ///
    /// impl Observer for Empty {
    ///     fn see(&mut self, event: Event) {
    ///         if let Event::DeadEnd { item, .. } = event {
    ///             self.0[item.index()] += 1;
    ///         }
    ///     }
    /// }
    ///
    /// let problem: dlx::Problem = "a b c d e f g\nc e f\na d g\nb c f\na d\nb g\nd e g\n".parse()?;
    /// let mut links = Links::observed(&problem, Empty(vec![0; problem.item_count()]));
    /// assert_eq!(links.count(&[], &Limits::new()).count(), Some(1));
    /// assert_eq!(links.observer().0, [0, 0, 0, 0, 1, 0, 0]);
    /// # Ok::<(), dlx::ParseError>(())
    /// ```
    #[must_use]
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    pub fn observed(problem: &Problem, observer: O) -> Self {
        let has_bounds = problem.has_bounds();
        // Each level covers one more item. With bounds, a level may also choose an option or close
        // an item.
        let options = if has_bounds { problem.option_count() } else { 0 };
        let depth = problem.primary_count() + options;
        Self {
            arena: Arena::new(problem, observer),
            has_colors: problem.has_colors(),
            has_bounds,
            primary_count: problem.primary_count(),
            is_in_order: false,
            levels: Vec::with_capacity(depth),
            is_forward: true,
            cover: Vec::with_capacity(depth),
            given_count: 0,
            without: Vec::new(),
            seen: BitVec::repeat(false, problem.option_count()),
        }
    }

    /// Returns the observer.
    #[must_use]
    pub const fn observer(&self) -> &O {
        &self.arena.observer
    }

    /// C1. Hides the excluded options and forces the given ones. Returns `false` if given options
    /// conflict or are excluded.
    fn begin(&mut self, given: &[OptionId], without: &[OptionId]) -> bool {
        let is_known = |option: &OptionId| option.index() < self.seen.len();
        assert!(given.iter().all(is_known), "the given options must be this problem's");
        assert!(without.iter().all(is_known), "the options left out must be this problem's");
        self.rewind();
        self.arena.updates = 0;
        let mut seen = |option: &&OptionId| !self.seen.replace(option.index(), true);
        self.cover.extend(given.iter().filter(&mut seen));
        self.without.extend(without.iter().filter(&mut seen));
        let is_left_out =
            self.without.len() < without.len() && without.iter().any(|o| given.contains(o));
        for option in self.cover.iter().chain(&self.without) {
            self.seen.set(option.index(), false);
        }
        if is_left_out || !self.arena.fits(&self.cover) {
            self.cover.clear();
            self.without.clear();
            return false;
        }
        for &option in &self.without {
            dispatch!(self, self.arena.leave_out(option));
        }
        for &option in &self.cover {
            dispatch!(self, self.arena.force(option));
        }
        self.given_count = self.cover.len();
        self.is_forward = true;
        true
    }

    fn rewind(&mut self) {
        while !self.levels.is_empty() {
            dispatch!(self, self.leave());
        }
        for &option in self.cover[..self.given_count].iter().rev() {
            dispatch!(self, self.arena.unforce(option));
        }
        for &option in self.without.iter().rev() {
            dispatch!(self, self.arena.take_in(option));
        }
        self.without.clear();
        self.given_count = 0;
        self.cover.clear();
    }

    #[inline(never)]
    fn advance(&mut self, meter: &mut Meter<'_>) -> AdvanceOutcome {
        dispatch!(self, self.walk(meter))
    }

    fn walk<const COLORS: bool, const BOUNDS: bool>(
        &mut self,
        meter: &mut Meter<'_>,
    ) -> AdvanceOutcome {
        loop {
            if O::IS_ON && self.arena.observer.is_over() {
                return AdvanceOutcome::Stopped;
            }
            if self.is_forward {
                // C2. Enter a new level.
                let (level, updates) = (self.levels.len(), self.arena.updates);
                if let Err(limit) = meter.enter(level, updates, || self.fraction()) {
                    return AdvanceOutcome::Limit(limit);
                }
                // C3. Choose an item.
                let branch = self.choose::<BOUNDS>();
                if O::IS_ON {
                    self.tell::<BOUNDS>(&branch);
                }
                self.is_forward = match branch {
                    BranchDecision::Solution => {
                        self.is_forward = false;
                        return AdvanceOutcome::Solution;
                    }
                    BranchDecision::DeadEnd => false,
                    BranchDecision::On(item, degree) => {
                        self.first_option::<COLORS, BOUNDS>(item, degree)
                    }
                };
            } else if self.levels.is_empty() {
                // C8. Leave level 0.
                return AdvanceOutcome::Exhausted;
            } else {
                self.is_forward = self.next_option::<COLORS, BOUNDS>();
            }
        }
    }

    /// C3. Chooses the active item with the fewest choices, and among equals the first in order of
    /// definition.
    #[inline]
    fn choose<const BOUNDS: bool>(&self) -> BranchDecision {
        let mut active = self.arena.next_active(None);
        let Some(mut best) = active else {
            return BranchDecision::Solution;
        };
        if !BOUNDS && !self.is_in_order && self.arena.has_empty() {
            return BranchDecision::DeadEnd;
        }
        let mut least = u32::MAX;
        while let Some(item) = active {
            let mut degree = self.arena.len(item);
            if BOUNDS {
                // M3. The last `needed - 1` options cannot be the first of `needed` chosen options.
                let needed = self.arena.need(item).max(0);
                if degree == 0 && needed == 0 {
                    active = self.arena.next_active(active);
                    continue;
                }
                degree = (i64::from(degree) + 1 - needed).max(0) as u32;
            }
            if degree < least {
                if degree == 0 {
                    return BranchDecision::DeadEnd;
                }
                (best, least) = (item, degree);
                if !BOUNDS && least == 1 || self.is_in_order {
                    break;
                }
            }
            active = self.arena.next_active(active);
        }
        if BOUNDS && least == u32::MAX {
            return BranchDecision::Solution;
        }
        BranchDecision::On(best, least)
    }

    fn tell<const BOUNDS: bool>(&mut self, branch: &BranchDecision) {
        let (level, updates) = (self.levels.len(), self.arena.updates);
        let event = match *branch {
            BranchDecision::Solution => Event::Solution { level, updates },
            BranchDecision::On(item, degree) => {
                Event::Choose { level, item: item.id(), degree, updates }
            }
            BranchDecision::DeadEnd => {
                let needed = |item| if BOUNDS { self.arena.need(item) } else { 1 };
                let is_empty = |&item: &ItemNo| i64::from(self.arena.len(item)) < needed(item);
                let next = |&item: &ItemNo| self.arena.next_active(Some(item));
                let item = std::iter::successors(self.arena.next_active(None), next).find(is_empty);
                let item = item.expect("an item ran empty").id();
                Event::DeadEnd { level, item, updates }
            }
        };
        self.arena.observer.see(event);
    }

    #[inline]
    fn first_option<const COLORS: bool, const BOUNDS: bool>(
        &mut self,
        item: ItemNo,
        degree: u32,
    ) -> bool {
        let first = self.arena.down(item.header());
        if !BOUNDS || self.arena.take(item) == 0 {
            self.arena.cover::<COLORS>(item);
        }
        self.levels.push(Choice { item, record: first, first, degree, ordinal: 1 });
        self.try_choice::<COLORS, BOUNDS>(item, first)
    }

    #[inline]
    fn next_option<const COLORS: bool, const BOUNDS: bool>(&mut self) -> bool {
        let level = self.levels.last_mut().expect("there is a level to go on with");
        let (item, tried) = (level.item, level.record);
        if BOUNDS && tried == item.header() {
            self.leave::<COLORS, BOUNDS>();
            return false;
        }
        let choice = self.arena.down(tried);
        level.record = choice;
        level.ordinal += 1;
        self.arena.uncommit_siblings::<COLORS, BOUNDS>(tried);
        if O::IS_ON {
            self.arena.observer.see(Event::Back { level: self.levels.len() - 1 });
        }
        self.try_choice::<COLORS, BOUNDS>(item, choice)
    }

    /// C5. Commits the choice. If no choice is left, restores the item (C7) and leaves the level
    /// (C8).
    #[inline]
    fn try_choice<const COLORS: bool, const BOUNDS: bool>(
        &mut self,
        item: ItemNo,
        choice: RecordId,
    ) -> bool {
        let is_option = choice != item.header();
        let updates = self.arena.updates;
        let is_possible = if BOUNDS { self.tweak::<COLORS>(item, is_option) } else { is_option };
        if O::IS_ON && is_possible {
            let option = is_option.then(|| self.arena.option_of(choice));
            let Choice { degree, ordinal, .. } = *self.levels.last().expect("there is a level to try");
            let (level, updates) = (self.levels.len() - 1, self.arena.updates - updates);
            self.arena.observer.see(Event::Try { level, option, ordinal, degree, updates });
        }
        if !is_possible {
            self.restore::<COLORS, BOUNDS>();
        } else if is_option {
            self.arena.commit_siblings::<COLORS, BOUNDS>(choice);
        }
        is_possible
    }

    /// M5. Removes the chosen option from the item's list, or deactivates the item for "no more".
    /// Returns `false` if too few options are left.
    fn tweak<const COLORS: bool>(&mut self, item: ItemNo, is_option: bool) -> bool {
        let (bound, slack) = (self.arena.bound(item), self.arena.slack(item));
        if bound == 0 && slack == 0 {
            return is_option;
        }
        if i64::from(self.arena.len(item)) <= self.arena.need(item) {
            return false;
        }
        match (is_option, bound) {
            (true, 0) => self.arena.tweak::<COLORS, false>(item),
            (true, _) => self.arena.tweak::<COLORS, true>(item),
            (false, 0) => {}
            (false, _) => self.arena.deactivate(item),
        }
        true
    }

    fn leave<const COLORS: bool, const BOUNDS: bool>(&mut self) {
        let &Choice { item, record: choice, .. } =
            self.levels.last().expect("there is a level to leave");
        if choice != item.header() {
            self.arena.uncommit_siblings::<COLORS, BOUNDS>(choice);
        } else if self.arena.bound(item) > 0 {
            self.arena.reactivate(item);
        }
        if O::IS_ON {
            self.arena.observer.see(Event::Back { level: self.levels.len() - 1 });
        }
        self.restore::<COLORS, BOUNDS>();
    }

    /// C7, C8. Restores the item of the last level and leaves the level.
    fn restore<const COLORS: bool, const BOUNDS: bool>(&mut self) {
        let Choice { item, first, .. } = self.levels.pop().expect("there is a level to leave");
        if O::IS_ON {
            self.arena.observer.see(Event::Leave { level: self.levels.len() });
        }
        if !BOUNDS {
            self.arena.uncover::<COLORS>(item);
            return;
        }
        match (self.arena.bound(item), self.arena.slack(item)) {
            (0, 0) => self.arena.uncover::<COLORS>(item),
            (0, _) => {
                self.arena.untweak::<COLORS, false>(item, first);
                self.arena.uncover::<COLORS>(item);
            }
            _ => self.arena.untweak::<COLORS, true>(item, first),
        }
        self.arena.give_back(item);
    }

    fn fraction(&self) -> f64 {
        fraction(self.levels.iter().map(|level| (level.ordinal, level.degree)))
    }

    fn collect(&mut self) -> &[OptionId] {
        self.cover.truncate(self.given_count);
        for level in &self.levels {
            if level.record != level.item.header() {
                self.cover.push(self.arena.option_of(level.record));
            }
        }
        &self.cover
    }

    /// Lists the unsearched subtrees, in search order. Leaves all levels, because only then the
    /// lists contain all choices of a level.
    fn rest<const COLORS: bool, const BOUNDS: bool>(&mut self) -> Vec<Subtree> {
        let path = self.collect().to_vec();
        let mut depth = path.len();
        let mut forks = Vec::with_capacity(self.levels.len());
        while let Some(&Choice { item, record, degree, ordinal, .. }) = self.levels.last() {
            let is_open = BOUNDS && self.arena.bound(item) > 0;
            self.leave::<COLORS, BOUNDS>();
            depth -= usize::from(record != item.header());
            let mut options = Vec::with_capacity(degree as usize);
            let mut place = self.arena.down(item.header());
            while place != item.header() {
                options.push(self.arena.option_of(place));
                place = self.arena.down(place);
            }
            let (degree, choice) = (degree as usize, ordinal as usize - 1);
            forks.push(Fork { options, degree, choice, depth, is_open });
        }
        forks.reverse();
        subtree::rest(&path, &self.without, &forks, self.is_forward)
    }

    /// Same as [`Engine::run`], but the observer need not be `Send`.
    pub(crate) fn run_here(
        &mut self,
        given: &[OptionId],
        without: &[OptionId],
        limits: &Limits,
        mut visit: Option<&mut Visit<'_>>,
    ) -> Report {
        let mut meter = Meter::new(limits, self.primary_count);
        if !self.begin(given, without) {
            return meter.report(End::Exhausted, 0);
        }
        let end = loop {
            match self.advance(&mut meter) {
                AdvanceOutcome::Exhausted => break End::Exhausted,
                AdvanceOutcome::Limit(limit) => break End::Limit(limit),
                AdvanceOutcome::Stopped => break End::Stopped,
                AdvanceOutcome::Solution => {
                    if let Err(end) = meter.found(&mut visit, || self.collect()) {
                        break end;
                    }
                }
            }
        };
        let updates = self.arena.updates;
        let wants_rest = limits.rest && end != End::Exhausted;
        let rest = wants_rest.then(|| dispatch!(self, self.rest()));
        self.rewind();
        Report { rest, ..meter.report(end, updates) }
    }
}

impl<O: Observer + Send> Engine for Links<O> {
    fn run(
        &mut self,
        given: &[OptionId],
        without: &[OptionId],
        limits: &Limits,
        visit: Option<&mut Visit<'_>>,
    ) -> Report {
        self.run_here(given, without, limits, visit)
    }

    fn is_at_rest(&self, problem: &Problem) -> bool {
        self.levels.is_empty()
            && self.cover.is_empty()
            && self.without.is_empty()
            && self.seen.not_any()
            && self.arena.is_at_rest(problem)
    }
}

/// An iterator over exact covers; made by [`Links::into_solutions`].
#[derive(Clone, Debug)]
pub struct LinksCovers {
    links: Links,
    is_over: bool,
}

impl Iterator for LinksCovers {
    type Item = Vec<OptionId>;

    fn next(&mut self) -> Option<Vec<OptionId>> {
        if self.is_over {
            return None;
        }
        let limits = Limits::default();
        match self.links.advance(&mut Meter::new(&limits, 0)) {
            AdvanceOutcome::Solution => Some(self.links.collect().to_vec()),
            AdvanceOutcome::Exhausted | AdvanceOutcome::Limit(_) | AdvanceOutcome::Stopped => {
                self.is_over = true;
                None
            }
        }
    }
}

impl std::iter::FusedIterator for LinksCovers {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::tests::let_a_visitor_panic;
    use crate::model::samples::rows;

    #[test]
    fn the_fraction_done_grows_from_solution_to_solution() {
        for text in ["a b c\na\nb\nc\na b\nb c\na c\n", "0:2|a b 1:3|c\na\nb\nc\na b\nb c\na c\nc\n"] {
            let mut links = Links::new(&text.parse().unwrap());
            assert!(links.begin(&[], &[]));
            let limits = Limits::default();
            let mut meter = Meter::new(&limits, 0);
            let mut last = 0.0;
            while let AdvanceOutcome::Solution = links.advance(&mut meter) {
                let fraction = links.fraction();
                assert!(last < fraction && fraction < 1.0, "{last} then {fraction}");
                last = fraction;
            }
            assert!(last > 0.5, "the last solution is in the second half: {last}");
        }
    }

    #[test]
    fn a_search_whose_visitor_panicked_leaves_the_engine_usable() {
        let mut links = Links::new(&rows(&[10]));
        let_a_visitor_panic(&mut links);
        assert_eq!(links.count(&[], &Limits::default()).count(), Some(89));
    }

    #[test]
    fn a_deadline_and_a_flag_end_a_search_that_would_take_years() {
        use crate::limits::{Limit, Progress};
        use crate::search::End;
        use std::sync::Arc;
        use std::sync::atomic::AtomicBool;
        use std::time::Duration;

        let mut links = Links::new(&rows(&[300]));
        let progress = Arc::new(Progress::default());
        let limits = Limits::new().progress(Arc::clone(&progress));
        let report = links.count(&[], &limits.clone().within(Duration::from_millis(20)));
        assert_eq!(report.end, End::Limit(Limit::Time));
        assert!((1..=report.nodes).contains(&progress.nodes()));
        assert!(progress.solutions() <= report.solutions);
        let cancel = Some(Arc::new(AtomicBool::new(true)));
        let report = links.count(&[], &limits.cancel(cancel));
        assert_eq!((report.end, report.count()), (End::Limit(Limit::Cancelled), None));
    }
}
