//! Dancing cells: Algorithms X, C and M on sets in contiguous arrays, with early detection of dead
//! ends.
//!
//! Every item keeps the options that can still cover it as a set of consecutive *cells*, and one
//! bit per cell marks whether its option is alive. Choosing an option hides the conflicting
//! options. The search abandons a choice as soon as another item has fewer options than it needs.
//! An item that needs all its remaining options is forced: it is pushed on a stack and covered
//! before any choice. When the stack is empty, the search branches on the item with the fewest
//! choices (MRV). The state is saved only at branches.
//!
//! Branching hides all options of the item once for all its choices. Another item may then have too
//! few options, which is harmless if the chosen option covers that item. An item left without spare
//! options is *pending* at the level, and is tested again after each choice.
//!
//! Source: Knuth, TAOCP 7.2.2.1, Algorithms X, C and M. Early detection and the stack come from his
//! programs SSXCC and SSMCC, after Solnon's sparse sets.
//!
//! The head of `arena` states the invariants. A node is a choice that was not abandoned, so there
//! are fewer nodes than in `links`. An update is an option hidden.
//!
//! Tried and dropped: sparse sets that drop dead options when next read (slower on queens, Langford
//! pairs and golfers); detecting forced items in a second pass over an option (slower for short
//! options); weights of items that fail, with restarts (11 to 49 % more nodes on quasigroups; the
//! engine `filter` has such weights).

mod arena;

use self::arena::{Arena, ItemNo, Margin, OptionNo, Snapshot, is_small};
use crate::limits::{Limit, Limits};
use crate::model::subtree::Fork;
use crate::model::{OptionId, Problem, Subtree, subtree};
use crate::numbers::Random;
use crate::search::fraction;
use crate::search::{End, Engine, EngineSpec, Meter, Report, Unsupported, Visit};

pub(crate) const SPEC: EngineSpec = EngineSpec {
    name: "cells",
    summary: "dancing cells: sets in contiguous arrays, dead ends seen early",
    build: |problem| Ok(Box::new(Cells::new(problem)?)),
};

pub(crate) const LAST: EngineSpec = EngineSpec {
    name: "cells-last",
    summary: "dancing cells that take the last of several items with the fewest options",
    build: |problem| Ok(Box::new(Cells::with_ties(problem, Ties::Last)?)),
};

pub(crate) const RANDOM: EngineSpec = EngineSpec {
    name: "cells-random",
    summary: "dancing cells that take any of several items with the fewest options",
    build: |problem| Ok(Box::new(Cells::with_ties(problem, Ties::Random(1))?)),
};

pub(crate) const WIDE: EngineSpec = EngineSpec {
    name: "cells-wide",
    summary: "dancing cells with the numbers of 32 bits that only large problems need",
    build: |problem| Ok(Box::new(Cells::as_if_large(problem))),
};

macro_rules! dispatch {
    ($cells:ident, $($name:ident).+ ($($argument:expr),*)) => {
        match ($cells.has_colors, $cells.has_bounds) {
            (false, false) => $($name).+::<false, false>($($argument),*),
            (true, false) => $($name).+::<true, false>($($argument),*),
            (false, true) => $($name).+::<false, true>($($argument),*),
            (true, true) => $($name).+::<true, true>($($argument),*),
        }
    };
}

/// The rule that selects the branching item among items with the same number of choices.
///
/// ```
/// use dlx::{Engine, Limits, engine::{Cells, Ties}};
///
/// let problem: dlx::Problem = "a b c\na\nb\nc\na b\nb c\n".parse()?;
/// for ties in [Ties::First, Ties::Last, Ties::Random(1)] {
///     let report = Cells::with_ties(&problem, ties)?.count(&[], &Limits::new());
///     assert_eq!(report.count(), Some(3));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(not(feature = "unstable"), doc(hidden))]
pub enum Ties {
    /// The item that is first in order of definition.
    #[default]
    First,
    /// The item that is last in order of definition.
    Last,
    /// The item that is first in a random order, which the seed determines.
    Random(u64),
}

/// The engine of dancing cells.
///
/// Building the engine copies the problem into an arena: 12 bytes per entry, 20 with colors, and
/// about 60 per item for each 64 of its options. Searching allocates the saved state of each
/// branch. The options of an item are tried in order of definition.
///
/// ```
/// use dlx::{Engine, Limits, OptionId, engine::Cells};
///
/// // Langford pairs for 1, 2, 3: the option `i sj sk` puts the two i's into slots j and k.
/// let problem: dlx::Problem = "1 2 3 s1 s2 s3 s4 s5 s6\n\
///     1 s1 s3\n1 s2 s4\n1 s3 s5\n1 s4 s6\n2 s1 s4\n2 s2 s5\n2 s3 s6\n3 s1 s5\n3 s2 s6\n".parse()?;
/// let mut cells = Cells::new(&problem)?;
/// assert_eq!(cells.count(&[], &Limits::new()).count(), Some(2));
/// // With `3 s1 s5` given there is one cover.
/// assert_eq!(cells.count(&[OptionId::new(7)], &Limits::new()).count(), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Cells {
    search: Width,
}

#[derive(Clone, Debug)]
enum Width {
    Small(Search<i16>),
    Large(Search<i32>),
}

#[derive(Clone, Debug)]
struct Search<M> {
    arena: Arena<M>,
    /// The indices of the primary items, in tie-breaking order.
    order: Vec<usize>,
    has_colors: bool,
    has_bounds: bool,
    option_count: usize,
    primary_count: usize,
    levels: Vec<Level>,
    choices: Vec<OptionNo>,
    /// For each level, the items left without spare options when the level hid the options of its
    /// item.
    pending: Vec<ItemNo>,
    given_count: usize,
    without: Vec<OptionId>,
    is_forward: bool,
    cover: Vec<OptionId>,
}

/// A branch on an item with several choices: options, and possibly to stop covering the item ("no
/// more").
#[derive(Clone, Debug)]
struct Level {
    /// The item, if each choice covers it for the last time. All options of a covered item are
    /// hidden before the first choice.
    covered: Option<ItemNo>,
    /// Indices in `choices` of the first choice and of the next one.
    first: u32,
    next: u32,
    pending: u32,
    may_close: bool,
    degree: u32,
    ordinal: u32,
    /// The state that the arena restores before each choice after the first.
    mark: Snapshot,
}

enum Step {
    Solution,
    Exhausted,
    Limit(Limit),
}

impl Cells {
    /// Builds the arena for `problem`.
    ///
    /// # Errors
    /// If the entries, rounded up to a multiple of 64 for each item, exceed 2^32.
    pub fn new(problem: &Problem) -> Result<Self, Unsupported> {
        Self::with_ties(problem, Ties::First)
    }

    /// Builds the arena for `problem`, with the tie-breaking of `ties`.
    ///
    /// # Errors
    /// As for [`Cells::new`].
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    pub fn with_ties(problem: &Problem, ties: Ties) -> Result<Self, Unsupported> {
        let order = ties.order(problem);
        let search = if is_small(problem)? {
            Width::Small(Search::new(problem, order))
        } else {
            Width::Large(Search::new(problem, order))
        };
        Ok(Self { search })
    }

    fn as_if_large(problem: &Problem) -> Self {
        Self { search: Width::Large(Search::new(problem, Ties::First.order(problem))) }
    }
}

impl<M: Margin> Search<M> {
    fn new(problem: &Problem, order: Vec<usize>) -> Self {
        Self {
            arena: Arena::new(problem, &order),
            order,
            has_colors: problem.has_colors(),
            has_bounds: problem.has_bounds(),
            option_count: problem.option_count(),
            primary_count: problem.primary_count(),
            levels: Vec::new(),
            choices: Vec::new(),
            pending: Vec::new(),
            given_count: 0,
            without: Vec::new(),
            is_forward: true,
            cover: Vec::new(),
        }
    }

    /// Hides the excluded options and forces the given ones. Returns `false` if given options
    /// conflict or are excluded.
    fn begin(&mut self, given: &[OptionId], without: &[OptionId]) -> bool {
        let is_known = |option: &OptionId| option.index() < self.option_count;
        assert!(given.iter().all(is_known), "the given options must be this problem's");
        assert!(without.iter().all(is_known), "the options left out must be this problem's");
        self.rewind();
        self.arena.updates = 0;
        let mut seen = std::collections::BTreeSet::new();
        self.cover.clear();
        self.cover.extend(given.iter().filter(|&&option| seen.insert(option)));
        self.given_count = self.cover.len();
        self.without.extend(without);
        let is_left_out = |option: &OptionId| without.contains(option);
        let fits = self.arena.fits(&self.cover) && !self.cover.iter().any(is_left_out);
        if fits {
            for &option in without {
                self.arena.leave_out(option.into());
            }
            for place in 0..self.given_count {
                let option = self.cover[place].into();
                dispatch!(self, self.arena.force(option));
            }
        }
        self.is_forward = true;
        fits
    }

    fn rewind(&mut self) {
        let root = self.arena.root();
        dispatch!(self, self.arena.restore(&root, 0));
        self.levels.clear();
        self.choices.clear();
        self.pending.clear();
        self.cover.clear();
        self.given_count = 0;
        self.without.clear();
    }

    fn advance<const COLORS: bool, const BOUNDS: bool>(&mut self, meter: &mut Meter<'_>) -> Step {
        loop {
            if self.is_forward {
                // C2. Enter a new level.
                let level = self.arena.chosen().len() - self.given_count;
                if let Err(limit) = meter.enter(level, self.arena.updates, || self.fraction()) {
                    return Step::Limit(limit);
                }
                if level == 0 && !self.arena.force_all() {
                    self.is_forward = false;
                    continue;
                }
                // C3. Choose an item. A forced item comes first and takes no level.
                let forced = self.arena.force_next::<COLORS, BOUNDS>();
                self.is_forward = match forced {
                    Some(is_possible) => is_possible,
                    None if self.arena.active_count() == 0 => {
                        self.is_forward = false;
                        return Step::Solution;
                    }
                    None => self.branch::<COLORS, BOUNDS>(),
                };
            } else if self.levels.is_empty() {
                debug_assert_eq!(
                    self.choices.len() + self.pending.len(),
                    0,
                    "each level takes its own along"
                );
                return Step::Exhausted;
            } else {
                if let Err(limit) = meter.tick(self.arena.updates, || self.fraction()) {
                    return Step::Limit(limit);
                }
                self.is_forward = self.next_choice::<COLORS, BOUNDS>();
            }
        }
    }

    /// C4. Covers the item with the fewest choices, then tries the first of them.
    #[inline(always)]
    fn branch<const COLORS: bool, const BOUNDS: bool>(&mut self) -> bool {
        let (item, margin) = self.arena.least();
        let needed = self.arena.need::<BOUNDS>(item);
        let first = self.choices.len();
        self.arena.list(item, &mut self.choices);
        let degree = margin.degree();
        if BOUNDS && needed > 1 {
            // M3. The last `needed - 1` options cannot be the first of `needed` chosen options.
            self.choices.truncate(first + degree as usize);
        }
        let covered = self.arena.is_last::<BOUNDS>(item).then_some(item);
        let index = self.levels.len();
        self.levels.push(Level {
            covered,
            first: first as u32,
            next: first as u32,
            pending: self.pending.len() as u32,
            may_close: BOUNDS && needed <= 0,
            degree,
            ordinal: 0,
            mark: Snapshot::default(),
        });
        if covered.is_some() {
            self.arena.cover(item);
            self.arena.take_forced(&mut self.pending);
        }
        self.levels[index].mark = self.arena.mark(index + 1);
        self.next_choice::<COLORS, BOUNDS>()
    }

    /// C5-C7. Moves to the next choice of the last level, or leaves the level. Returns whether
    /// there is a node to enter.
    #[inline(always)]
    fn next_choice<const COLORS: bool, const BOUNDS: bool>(&mut self) -> bool {
        let index = self.levels.len() - 1;
        let level = &mut self.levels[index];
        let is_option = (level.next as usize) < self.choices.len();
        let is_left = is_option || BOUNDS && level.may_close;
        if !is_left {
            self.choices.truncate(level.first as usize);
            self.pending.truncate(level.pending as usize);
            self.levels.pop();
            return false;
        }
        if level.ordinal > 0 {
            self.arena.restore::<COLORS, BOUNDS>(&level.mark, index + 1);
        }
        level.ordinal += 1;
        debug_assert!(level.ordinal <= level.degree, "there are as many choices as the margin says");
        if BOUNDS && !is_option {
            // M9. "No more": all options of the item are hidden here, so the item will be closed
            // without being covered again.
            level.may_close = false;
            return self.arena.recall(&self.pending[level.pending as usize..]);
        }
        let option = self.choices[level.next as usize];
        level.next += 1;
        if BOUNDS && level.covered.is_none() {
            // M5. Remove each option before it is tried, so that no set of options is visited
            // twice.
            self.arena.take_out(option);
            self.arena.take_forced(&mut self.pending);
            level.mark = self.arena.mark(index + 1);
        }
        let pending = &self.pending[level.pending as usize..];
        self.arena.commit::<COLORS, BOUNDS>(option, level.covered, pending)
    }

    fn fraction(&self) -> f64 {
        fraction(self.levels.iter().map(|level| (level.ordinal, level.degree)))
    }

    fn collect(&mut self) -> &[OptionId] {
        self.cover.clear();
        self.cover.extend(self.arena.chosen().iter().map(|&option| OptionId::from(option)));
        &self.cover
    }

    fn rest(&mut self) -> Vec<Subtree> {
        self.collect();
        let mut forks = Vec::with_capacity(self.levels.len());
        for (index, level) in self.levels.iter().enumerate() {
            let end = self.levels.get(index + 1).map_or(self.choices.len(), |next| next.first as usize);
            let options = &self.choices[level.first as usize..end];
            forks.push(Fork {
                options: options.iter().map(|&option| option.into()).collect(),
                degree: level.degree as usize,
                choice: level.ordinal as usize - 1,
                depth: level.mark.chosen_count(),
                is_open: level.covered.is_none(),
            });
        }
        subtree::rest(&self.cover, &self.without, &forks, self.is_forward)
    }

    fn run(
        &mut self,
        given: &[OptionId],
        without: &[OptionId],
        limits: &Limits,
        mut visit: Option<&mut Visit<'_>>,
    ) -> Report {
        let mut meter =
            Meter::new(limits, self.primary_count / 16).with_update_work(self.arena.update_work());
        if !self.begin(given, without) {
            self.rewind();
            return meter.report(End::Exhausted, 0);
        }
        let end = loop {
            match dispatch!(self, self.advance(&mut meter)) {
                Step::Exhausted => break End::Exhausted,
                Step::Limit(limit) => break End::Limit(limit),
                Step::Solution => {
                    if let Err(end) = meter.found(&mut visit, || self.collect()) {
                        break end;
                    }
                }
            }
        };
        let updates = self.arena.updates;
        let rest = (limits.rest && end != End::Exhausted).then(|| self.rest());
        self.rewind();
        Report { rest, ..meter.report(end, updates) }
    }

    fn is_at_rest(&self, problem: &Problem) -> bool {
        self.levels.is_empty()
            && self.choices.is_empty()
            && self.pending.is_empty()
            && self.cover.is_empty()
            && self.without.is_empty()
            && self.arena.is_at_rest(problem, &self.order)
    }
}

impl Ties {
    fn order(self, problem: &Problem) -> Vec<usize> {
        let mut order: Vec<_> = (0..problem.primary_count()).collect();
        match self {
            Self::First => {}
            Self::Last => order.reverse(),
            Self::Random(seed) => Random::new(seed).shuffle(&mut order),
        }
        order
    }
}

impl Engine for Cells {
    fn run(
        &mut self,
        given: &[OptionId],
        without: &[OptionId],
        limits: &Limits,
        visit: Option<&mut Visit<'_>>,
    ) -> Report {
        match &mut self.search {
            Width::Small(search) => search.run(given, without, limits, visit),
            Width::Large(search) => search.run(given, without, limits, visit),
        }
    }

    fn is_at_rest(&self, problem: &Problem) -> bool {
        match &self.search {
            Width::Small(search) => search.is_at_rest(problem),
            Width::Large(search) => search.is_at_rest(problem),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::tests::let_a_visitor_panic;

    #[test]
    fn the_fraction_done_grows_from_solution_to_solution() {
        for text in ["a b c\na\nb\nc\na b\nb c\na c\n", "0:2|a b 1:3|c\na\nb\nc\na b\nb c\na c\nc\n"] {
            let problem: Problem = text.parse().unwrap();
            let mut search = Search::<i16>::new(&problem, Ties::First.order(&problem));
            assert!(search.begin(&[], &[]));
            let limits = Limits::default();
            let mut meter = Meter::new(&limits, 0);
            let mut last = 0.0;
            while let Step::Solution = search.advance::<false, true>(&mut meter) {
                let fraction = search.fraction();
                assert!(last < fraction && fraction < 1.0, "{last} then {fraction}");
                last = fraction;
            }
            assert!(last > 0.5, "the last solution is in the second half: {last}");
        }
    }

    #[test]
    fn a_search_whose_visitor_panicked_leaves_the_engine_usable() {
        let problem: Problem = "a b c | x\na x:1\nb x:1\nc\na b\nb c x:2\na c\n".parse().unwrap();
        for mut cells in [Cells::new(&problem).unwrap(), Cells::as_if_large(&problem)] {
            let expected = cells.count(&[], &Limits::default());
            let_a_visitor_panic(&mut cells);
            assert_eq!(cells.count(&[], &Limits::default()), expected);
        }
    }

    #[test]
    fn colors_are_handled_in_option_sets_of_several_words() {
        // Two options are compatible if their colors agree or if at most one of them contains `x`.
        for large in [false, true] {
            let mut text = String::from("a b | x\n");
            for item in ["a", "b"] {
                for color in [" x:1", " x:2", " x:3", " x", ""] {
                    text.push_str(&format!("{item}{color}\n").repeat(100));
                }
            }
            let problem: Problem = text.parse().unwrap();
            let cells = || if large { Ok(Cells::as_if_large(&problem)) } else { Cells::new(&problem) };
            let report = cells().unwrap().count(&[], &Limits::default());
            assert_eq!(report.count(), Some(100 * 100 * (3 + 4 + 4 + 1)));
        }
    }

    #[test]
    fn dead_ends_are_detected_before_they_are_entered() {
        let board = |holes: &[usize]| {
            let squares: Vec<_> = (0..16).filter(|square| !holes.contains(square)).collect();
            let mut builder = crate::model::ProblemBuilder::new();
            let items: Vec<_> =
                squares.iter().map(|s| builder.primary(&s.to_string()).unwrap()).collect();
            for (one, &square) in squares.iter().enumerate() {
                for (two, &other) in squares.iter().enumerate() {
                    if other == square + 4 || other == square + 1 && other % 4 > 0 {
                        builder.option([items[one], items[two]]).unwrap();
                    }
                }
            }
            builder.build()
        };
        for (holes, expected) in [(&[][..], (36, 133, 225)), (&[0, 15][..], (0, 9, 31))] {
            let problem = board(holes);
            for mut cells in [Cells::new(&problem).unwrap(), Cells::as_if_large(&problem)] {
                let report = cells.count(&[], &Limits::default());
                assert_eq!((report.solutions, report.nodes, report.updates), expected);
            }
        }
    }
}
