//! The engine `counts`: exact covers with bounds. One bit set contains all live options, and the
//! live options of all items are counted at once.
//!
//! A node of the search consists of the set of live options and the number of times each item may
//! and must still be covered. Every item has a *mask*, the options that contain it. Choosing an
//! option removes the mask of each item that reaches its upper bound, and the options that color a
//! secondary item differently. If there are few options, each has a *row*, the options compatible
//! with it as far as this is known before the search, and a choice intersects the set with its row.
//!
//! The set is *sparse*: a list names the words that are not empty, and passes visit only these
//! words. So deeper nodes cost less.
//!
//! The *margin* of an item is the number of its live options minus the number that it still needs.
//! An item with a negative margin is a dead end. An item with margin 0 takes all its options. The
//! number of choices of an item is its margin plus one. The search branches on the item with the
//! fewest choices (MRV), and among equals on the first in order of definition. A choice is the
//! first option of the item in the cover, with its earlier options removed, or "no more" if the
//! item has reached its lower bound. Each branch keeps a copy of the state.
//!
//! Sources: Knuth, TAOCP 7.2.2.1, Algorithm M for bounds and branches; Demeulenaere et al.,
//! "Compact-Table" (CP 2016), on sparse bit sets. With bounds, options of a covered item may stay
//! alive, so the exclusions of a choice are not known before the search.
//!
//! Invariant: an option is alive exactly when it is compatible with all chosen options and no
//! branch removed it. A node is a choice that is not a dead end. An update is a word of a mask.
//!
//! The cost of a node grows with the number of items times the number of live words, so the engine
//! suits problems where an option excludes many others.

mod tables;

pub(crate) use self::tables::ROW_OPTIONS_MAX;
use self::tables::{NO_MORE, State, Tables};
use crate::bits::Leaf;
use crate::limits::Limits;
use crate::model::subtree::Fork;
use crate::model::{OptionId, Problem, Subtree, subtree};
use crate::search::fraction;
use crate::search::{End, Engine, EngineSpec, Meter, Report, Unsupported, Visit};

pub(crate) const SPEC: EngineSpec = EngineSpec {
    name: "counts",
    summary: "one set of live options, counted by SIMD, for dense problems with bounds",
    build: |problem| Ok(Box::new(Counts::new(problem)?)),
};

/// Returns the number of 512-bit blocks that a scan of all items reads at most, or `None` if the
/// engine does not support `problem`.
pub(crate) fn blocks(problem: &Problem) -> Option<usize> {
    Tables::blocks(problem).ok()
}

/// The engine `counts`, which keeps all live options in one bit set.
///
/// The tables take two bits per pair of option and primary item, one per pair of option and color
/// of a secondary item, and up to 4,096 options one bit per pair of options.
///
/// ```
/// use dlx::{Engine, Limits, OptionId, engine::Counts};
///
/// // Three of the numbers from 1 to 5: at least one odd, at most one below 3.
/// let problem: dlx::Problem = "3|all 1:3|odd 0:1|small\n\
///     all odd small\nall small\nall odd\nall\nall odd\n".parse()?;
/// let mut counts = Counts::new(&problem)?;
/// assert_eq!(counts.count(&[], &Limits::new()).count(), Some(7));
/// // With 2 given there are three covers.
/// assert_eq!(counts.count(&[OptionId::new(1)], &Limits::new()).count(), Some(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Counts {
    tables: Tables,
    leaf: Leaf,
    now: State,
    levels: Vec<Level>,
    saved: Vec<State>,
    choices: Vec<u32>,
    cover: Vec<OptionId>,
    given_count: usize,
    without: Vec<OptionId>,
    is_open: bool,
    updates: u64,
}

#[derive(Clone, Copy, Debug)]
struct Level {
    item: usize,
    /// Indices in `choices` of the first choice and of the next one.
    first: usize,
    next: usize,
    /// Length of `cover` before the choice.
    chosen: usize,
}

enum ScanOutcome {
    DeadEnd,
    Solution,
    Least(usize, u32),
}

impl Counts {
    /// Builds the tables of `problem`.
    ///
    /// # Errors
    /// If there are more than 2^20 options or 1024 primary items, or if the masks take more than
    /// 8 MiB.
    pub fn new(problem: &Problem) -> Result<Self, Unsupported> {
        let tables = Tables::new(problem)?;
        Ok(Self {
            leaf: Leaf::best(),
            now: tables.root().clone(),
            tables,
            levels: Vec::new(),
            saved: Vec::new(),
            choices: Vec::new(),
            cover: Vec::new(),
            given_count: 0,
            without: Vec::new(),
            is_open: false,
            updates: 0,
        })
    }

    /// Removes the excluded options and chooses the given ones. Returns `false` if given options
    /// conflict or are excluded.
    fn begin(&mut self, given: &[OptionId], without: &[OptionId]) -> bool {
        let is_known = |option: &OptionId| option.index() < self.tables.option_count();
        assert!(given.iter().all(is_known), "the given options must be this problem's");
        assert!(without.iter().all(is_known), "the options left out must be this problem's");
        self.rewind();
        self.updates = 0;
        let mut fits = given.iter().all(|option| !without.contains(option));
        for &option in without {
            self.now.take_off(option.index() as u32);
        }
        self.without.extend(without);
        let mut seen = std::collections::BTreeSet::new();
        for &option in given.iter().filter(|&&option| seen.insert(option)) {
            fits &= self.cover.iter().all(|&other| self.tables.go_together(other, option));
            fits &= self.tables.choose(&mut self.now, option.index() as u32);
            self.cover.push(option);
        }
        self.given_count = self.cover.len();
        fits
    }

    fn rewind(&mut self) {
        self.now.clone_from(self.tables.root());
        self.levels.clear();
        self.choices.clear();
        self.cover.clear();
        self.given_count = 0;
        self.without.clear();
        self.is_open = false;
    }

    #[inline]
    fn look(&mut self) -> ScanOutcome {
        self.updates += self.tables.scan_work();
        match self.tables.scan(self.leaf, &self.now) {
            None => ScanOutcome::DeadEnd,
            Some((_, NO_MORE)) => ScanOutcome::Solution,
            Some((item, margin)) => ScanOutcome::Least(item, margin),
        }
    }

    fn walk(&mut self, meter: &mut Meter<'_>, mut visit: Option<&mut Visit<'_>>) -> End {
        if let Err(limit) = meter.enter(0, self.updates, || 0.0) {
            self.is_open = true;
            return End::Limit(limit);
        }
        let mut look = self.look();
        loop {
            let is_forward = match look {
                ScanOutcome::DeadEnd => false,
                ScanOutcome::Solution => {
                    if let Err(end) = meter.found(&mut visit, || &self.cover) {
                        return end;
                    }
                    false
                }
                ScanOutcome::Least(item, 0) => {
                    let option = self.tables.first(&self.now, item);
                    self.tables.choose(&mut self.now, option);
                    self.cover.push(OptionId::new(option as usize));
                    true
                }
                ScanOutcome::Least(item, margin) => {
                    self.branch(item, margin);
                    false
                }
            };
            if !is_forward && !self.next_choice() {
                return End::Exhausted;
            }
            look = self.look();
            if !matches!(look, ScanOutcome::DeadEnd) {
                let level = self.cover.len() - self.given_count;
                if let Err(limit) = meter.enter(level, self.updates, || self.fraction()) {
                    self.is_open = true;
                    return End::Limit(limit);
                }
            }
        }
    }

    fn branch(&mut self, item: usize, margin: u32) {
        let first = self.choices.len();
        self.tables.list(&self.now, item, &mut self.choices);
        // Keep only options that leave enough later ones for the item's lower bound. If the lower
        // bound is reached already, add "no more".
        let degree = first + margin as usize + 1;
        self.choices.resize(degree, NO_MORE);
        if self.saved.len() == self.levels.len() {
            self.saved.push(self.now.clone());
        } else {
            self.saved[self.levels.len()].clone_from(&self.now);
        }
        self.levels.push(Level { item, first, next: first, chosen: self.cover.len() });
    }

    /// M5-M8. Makes the next choice of the last level that has one. Returns `false` if no level has
    /// a choice left.
    fn next_choice(&mut self) -> bool {
        while let Some(index) = self.levels.len().checked_sub(1) {
            let level = &mut self.levels[index];
            let Some(&option) = self.choices.get(level.next) else {
                self.choices.truncate(level.first);
                self.levels.pop();
                continue;
            };
            level.next += 1;
            self.cover.truncate(level.chosen);
            let saved = &mut self.saved[index];
            if option == NO_MORE {
                self.now.clone_from(saved);
            } else {
                saved.take_off(option);
                self.tables.choose_from(saved, &mut self.now, option);
                self.cover.push(OptionId::new(option as usize));
            }
            return true;
        }
        false
    }

    fn fraction(&self) -> f64 {
        let choices = self.levels.iter().enumerate().map(|(index, level)| {
            ((level.next - level.first) as u32, self.choices_of(index).len() as u32)
        });
        fraction(choices)
    }

    fn choices_of(&self, index: usize) -> &[u32] {
        let end = self.levels.get(index + 1).map_or(self.choices.len(), |next| next.first);
        &self.choices[self.levels[index].first..end]
    }

    fn rest(&self) -> Vec<Subtree> {
        let mut forks = Vec::with_capacity(self.levels.len());
        for (index, level) in self.levels.iter().enumerate() {
            let choices = self.choices_of(index);
            let options = choices.iter().filter(|&&choice| choice != NO_MORE);
            forks.push(Fork {
                options: options.map(|&option| OptionId::new(option as usize)).collect(),
                degree: choices.len(),
                choice: level.next - level.first - 1,
                depth: level.chosen,
                is_open: self.saved[index].left(level.item) > 1,
            });
        }
        subtree::rest(&self.cover, &self.without, &forks, self.is_open)
    }
}

impl Engine for Counts {
    fn run(
        &mut self,
        given: &[OptionId],
        without: &[OptionId],
        limits: &Limits,
        visit: Option<&mut Visit<'_>>,
    ) -> Report {
        let mut meter = Meter::new(limits, 0);
        if !self.begin(given, without) {
            self.rewind();
            return meter.report(End::Exhausted, 0);
        }
        let end = self.walk(&mut meter, visit);
        let rest = (limits.rest && end != End::Exhausted).then(|| self.rest());
        self.rewind();
        Report { rest, ..meter.report(end, self.updates) }
    }

    fn is_at_rest(&self, problem: &Problem) -> bool {
        self.levels.is_empty()
            && self.choices.is_empty()
            && self.cover.is_empty()
            && self.without.is_empty()
            && Tables::new(problem).is_ok_and(|tables| tables == self.tables)
            && self.now == *self.tables.root()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Links;
    use crate::engine::tests::let_a_visitor_panic;
    use crate::model::{Entry, ProblemBuilder};
    use crate::numbers::Random;

    fn problem(random: &mut Random, items: usize, options: usize) -> Problem {
        let mut builder = ProblemBuilder::new();
        let ids: Vec<_> = (0..items)
            .map(|item| {
                let high = 1 + random.below(4) as u32;
                let low = high - random.below(2).min(high as usize) as u32;
                builder.bounded(&format!("i{item}"), low, high).unwrap()
            })
            .collect();
        let shared = builder.secondary("s").unwrap();
        let colors = ["red", "green"].map(|name| builder.color(name).unwrap());
        for _ in 0..options {
            let mut entries: Vec<Entry> = Vec::new();
            for _ in 0..=random.below(4) {
                let item = ids[random.below(items)];
                if entries.iter().all(|entry| entry.item != item) {
                    entries.push(item.into());
                }
            }
            if random.below(3) == 0 {
                entries.push(shared.with(colors[random.below(2)]));
            }
            builder.option(entries).unwrap();
        }
        builder.build()
    }

    #[test]
    fn every_instruction_set_counts_the_covers_of_dancing_links_for_every_word_count() {
        let mut random = Random::new(1);
        let mut found = 0;
        for (items, options) in [(3, 20), (5, 40), (12, 33), (16, 64), (17, 65), (40, 100), (60, 130)] {
            for _ in 0..20 {
                let problem = problem(&mut random, items, options);
                let given = if random.below(2) == 0 {
                    vec![]
                } else {
                    vec![OptionId::new(random.below(options))]
                };
                let limits = Limits::new().nodes(20_000);
                let expected = Links::new(&problem).count(&given, &limits);
                for (leaf, has_rows) in Leaf::all().flat_map(|leaf| [(leaf, true), (leaf, false)]) {
                    let mut counts = Counts::new(&problem).unwrap();
                    counts.leaf = leaf;
                    if !has_rows {
                        counts.tables.drop_rows();
                    }
                    let report = counts.count(&given, &limits.clone().nodes(40_000));
                    if expected.end == End::Exhausted {
                        assert_eq!(
                            report.count(),
                            expected.count(),
                            "{}",
                            crate::model::text::write(&problem)
                        );
                        found += report.solutions;
                    }
                    assert_eq!(counts.is_at_rest(&problem), has_rows);
                }
            }
        }
        assert!(found > 1000, "there were covers: {found}");
    }

    #[test]
    fn many_options_are_counted_without_rows() {
        let mut random = Random::new(7);
        let mut builder = ProblemBuilder::new();
        let mut items: Vec<_> =
            (0..32).map(|item| builder.primary(&format!("i{item}")).unwrap()).collect();
        let marks = ["s", "t"].map(|name| builder.secondary(name).unwrap());
        let colors = ["red", "green", "blue"].map(|name| builder.color(name).unwrap());
        for option in 0..4200 {
            random.shuffle(&mut items);
            let mut entries: Vec<Entry> = items[..8].iter().map(|&item| item.into()).collect();
            match option % 7 {
                0 => entries.push(marks[1].into()),
                1 | 2 => entries.push(marks[0].with(colors[random.below(3)])),
                3 => entries.push(marks[1].with(colors[0])),
                _ => {}
            }
            builder.option(entries).unwrap();
        }
        let problem = builder.build();
        let expected = Links::new(&problem).count(&[], &Limits::new());
        assert!(expected.solutions > 0);
        let mut counts = Counts::new(&problem).unwrap();
        for leaf in Leaf::all() {
            counts.leaf = leaf;
            assert_eq!(counts.count(&[], &Limits::new()).count(), expected.count());
            assert!(counts.is_at_rest(&problem));
        }
        let mut cover = Vec::new();
        counts.search(&[], &Limits::new().solutions(1), &mut |found| {
            cover = found.to_vec();
            std::ops::ControlFlow::Break(())
        });
        assert_eq!(crate::trust::verify(&problem, &[], &cover), Ok(()));
        let report = counts.count(&cover, &Limits::new());
        assert_eq!(report.count(), Some(1), "a cover is given");
        assert_eq!(counts.count(&[cover[0], OptionId::new(0)], &Limits::new()).solutions, {
            Links::new(&problem).count(&[cover[0], OptionId::new(0)], &Limits::new()).solutions
        });
    }

    #[test]
    fn the_fraction_done_grows_from_solution_to_solution() {
        let problem = "0:2|a b 1:3|c\na\nb\nc\na b\nb c\na c\nc\n".parse().unwrap();
        let mut counts = Counts::new(&problem).unwrap();
        let count = counts.count(&[], &Limits::default()).solutions;
        let mut last = 0.0;
        for solutions in 1..=count {
            assert!(counts.begin(&[], &[]));
            counts.walk(&mut Meter::new(&Limits::new().solutions(solutions), 0), None);
            let fraction = counts.fraction();
            assert!(last < fraction && fraction < 1.0, "{last} then {fraction}");
            last = fraction;
        }
        assert!(last > 0.5, "the last solution is in the second half: {last}");
    }

    #[test]
    fn a_search_whose_visitor_panicked_leaves_the_engine_usable() {
        let problem: Problem = "0:2|a b 1:3|c\na\nb\nc\na b\nb c\na c\nc\n".parse().unwrap();
        let mut counts = Counts::new(&problem).unwrap();
        let expected = counts.count(&[], &Limits::default());
        let_a_visitor_panic(&mut counts);
        assert_eq!(counts.count(&[], &Limits::default()), expected);
    }

    #[test]
    fn problems_above_the_size_limits_are_refused() {
        let refused = |items: usize, options: usize| {
            let mut builder = ProblemBuilder::new();
            let ids: Vec<_> =
                (0..items).map(|item| builder.bounded(&item.to_string(), 0, 2).unwrap()).collect();
            for option in 0..options {
                builder.option([ids[option % items]]).unwrap();
            }
            Counts::new(&builder.build()).map(|_| ()).unwrap_err().to_string()
        };
        let expected = "the engine does not support ";
        assert_eq!(refused(1, (1 << 20) + 1), format!("{expected}more than a million options"));
        assert_eq!(refused(1025, 1), format!("{expected}more than 1024 primary items"));
        assert_eq!(refused(1024, 40_000), format!("{expected}masks of more than 8 MiB"));
    }
}
