//! Reduces a search by the symmetries of a problem.
//!
//! The symmetries partition the items into orbits, for example the first and last row and column of
//! a queens board, the four corners of a board, or a single piece. An *orbit cover* is a minimal
//! set of options that covers the items of an orbit. Each cover of the problem contains exactly one
//! orbit cover. A symmetry that maps an orbit cover to another one also maps the covers of one to
//! covers of the other. So one orbit cover per symmetry class is searched, and its count is
//! multiplied by the size of the class. The eight symmetries of the square save nearly seven
//! eighths of the search.
//!
//! Branching on an orbit first may enlarge the tree. So the subtrees of some random orbit covers
//! are sampled. Orbit covers are used only if the mean size of these subtrees times the number of
//! classes is less than the expected size of the tree. The classes are searched in random order, so
//! that the progress in the first classes predicts the rest.
//!
//! Tried and dropped: resampling the covers of the current orbit to compare them with other orbits.
//! Every sample underestimates the subtrees by large factors.
//!
//! An orbit has at most [`ITEMS_MAX`] items and [`BEGINNINGS_MAX`] orbit covers; the caller limits
//! the total work.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::{ChoiceClasses, ExpectedSearch, HOPELESS};
use crate::limits::{Limit, Limits, Pace};
use crate::model::{Bounds, Entry, ItemId, OptionId, Problem, Subtree};
use crate::numbers::Random;
use crate::prepare::Parts;
use crate::search::{End, Engine};
use crate::symmetries::{GroupFault, SymmetryGroup};

/// Maximum number of symmetries (finding them and their images takes time), of items of an orbit,
/// and of orbit covers of an orbit.
const ORDER_MAX: usize = 128;
const ITEMS_MAX: usize = 16;
const BEGINNINGS_MAX: usize = 1 << 18;
const BEGINNING_BYTES: usize = 256;
/// Share of the search time for all steps together, capped by the available work; and the parts of
/// it for the reduction, the symmetries, the orbit covers, and the trial searches.
const SHARE: f64 = 0.1;
const REDUCTION_SHARE: f64 = 0.3;
const GROUP_SHARE: f64 = 0.25;
const ORBIT_SHARE: f64 = 0.35;
const TRIAL_SHARE: f64 = 0.15;
/// Range of estimated times of searches that at least count the symmetries (ns), and the work for
/// counting them (ns). Longer searches are hopeless.
const LONG: Range<f64> = 5e8..HOPELESS;
const LOOK: f64 = 1.5e6;
const REDUCTION_ENTRY: f64 = 200.0;
/// Largest ratio of symmetry classes to orbit covers of a usable orbit.
const LEFT_MAX: f64 = 0.75;
/// Number of orbits tried, number of trial searches per orbit, and maximum and minimum number of
/// nodes per trial search.
const ORBITS_TRIED: usize = 3;
const TRIALS: usize = 32;
const TRIAL_NODES_MAX: f64 = 10_000.0;
const TRIAL_NODES_MIN: f64 = 50.0;

/// Returns the symmetry classes of the orbit covers of an orbit, if they promise fewer nodes than
/// expected, and the number of symmetries (1 if it is unknown).
pub(super) fn of_items(
    problem: &Arc<Problem>,
    outlook: ExpectedSearch,
    engine: &mut dyn Engine,
    limits: &Limits,
) -> Result<(Option<ChoiceClasses>, usize), Limit> {
    let time = outlook.time();
    let mut work = (SHARE * time).min(outlook.work as f64);
    let reduction = REDUCTION_ENTRY * problem.entry_count() as f64;
    let (mut group_work, mut orbit_work) = (GROUP_SHARE * work, ORBIT_SHARE * work);
    if LONG.contains(&time) && work < LOOK {
        (work, group_work, orbit_work) = (LOOK, LOOK, 0.0);
    }
    if problem.has_bounds() || reduction > REDUCTION_SHARE * work {
        return Ok((None, 1));
    }
    let work_each = (group_work as u64, orbit_work as u64);
    let (mut found, order) = beginnings(&ReducedProblem::new(problem, limits)?, work_each, limits)?;
    let left = |(kinds, count): &(Vec<_>, usize)| kinds.len() as f64 / *count as f64;
    let size = |one: &(Vec<_>, usize)| (left(one), one.0.len());
    found.sort_by(|one, other| size(one).partial_cmp(&size(other)).expect("numbers"));
    found.truncate(ORBITS_TRIED);
    let trials = (TRIALS * found.len().max(1)) as f64;
    let nodes = (TRIAL_SHARE * work / outlook.pace / trials).min(TRIAL_NODES_MAX);
    let mut best = (outlook.nodes, None);
    for (kinds, _) in found.into_iter().filter(|_| nodes >= TRIAL_NODES_MIN) {
        let expected = expected_nodes(&kinds, engine, nodes as u64, limits)?;
        if expected < best.0 {
            best = (expected, Some(kinds));
        }
    }
    Ok((best.1.map(ChoiceClasses::new), order))
}

type Kinds = Vec<(Subtree, u32)>;

type OrbitClasses = (Kinds, usize);

/// Returns the classes of orbit covers of each useful orbit, and the number of symmetries.
fn beginnings(
    settled: &ReducedProblem,
    (group_work, mut left): (u64, u64),
    limits: &Limits,
) -> Result<(Vec<OrbitClasses>, usize), Limit> {
    let ReducedProblem { problem, origins } = settled;
    let group = match SymmetryGroup::find(problem, &[], (ORDER_MAX, group_work), limits) {
        Ok(group) if group.order() > 1 => group,
        Err(GroupFault::Limit(limit)) if limit != Limit::Memory => return Err(limit),
        _ => return Ok((Vec::new(), 1)),
    };
    let mut pace = Pace::new(limits);
    let count_max = limits.memory.map_or(BEGINNINGS_MAX, |bytes| bytes / BEGINNING_BYTES / 4);
    let mut found = Vec::new();
    let orbits = if left > 0 { orbits(problem, &group, &mut pace)? } else { Vec::new() };
    for orbit in orbits {
        let mut beginnings = Beginnings::new(problem, &group, &orbit, left);
        beginnings.count_max = count_max.min(BEGINNINGS_MAX);
        let is_whole = beginnings.collect(1.0, &mut pace)?;
        left = beginnings.work;
        let (kinds, count) = (beginnings.kinds.len() as f64, beginnings.count);
        // If no set of options covers the orbit, the problem has no cover, which any search finds
        // at once.
        if is_whole && count > 0 && kinds <= LEFT_MAX * count as f64 {
            found.push((beginnings.into_kinds(origins), count));
        }
        if left == 0 {
            break;
        }
    }
    Ok((found, group.order()))
}

/// A problem without the options that no cover contains, because such options can hide symmetries.
struct ReducedProblem {
    problem: Arc<Problem>,
    origins: Vec<OptionId>,
}

impl ReducedProblem {
    /// Reduces a problem. Returns it unchanged if the reduction does more than removing options: if
    /// it forces options, merges options, or splits the problem into parts.
    fn new(problem: &Arc<Problem>, limits: &Limits) -> Result<Self, Limit> {
        let whole = Self { problem: Arc::clone(problem), origins: problem.options().collect() };
        let Some(mut parts) = Parts::thorough(problem, limits)? else { return Ok(whole) };
        let is_forced = parts.forced.iter().next().is_some();
        let (Some(part), true, false) = (parts.parts.pop(), parts.parts.is_empty(), is_forced) else {
            return Ok(whole);
        };
        if part.weights.iter().any(|&weight| weight > 1) {
            return Ok(whole);
        }
        let origins = part.groups.iter().map(|group| group[0]).collect();
        Ok(Self { problem: Arc::new(part.problem), origins })
    }
}

/// Returns the orbits of items covered exactly once, by ascending expected number of orbit covers.
fn orbits(
    problem: &Problem,
    group: &SymmetryGroup,
    pace: &mut Pace<'_>,
) -> Result<Vec<Vec<ItemId>>, Limit> {
    let firsts = group.first_items(pace)?;
    let mut counts = vec![0_u32; problem.item_count()];
    for option in problem.options() {
        problem.option(option).iter().for_each(|entry| counts[entry.item.index()] += 1);
    }
    let mut orbits: HashMap<usize, Vec<ItemId>> = HashMap::new();
    for item in problem.items().filter(|&item| problem.bounds(item) == Some(Bounds::ONE)) {
        orbits.entry(firsts[item.index()]).or_default().push(item);
    }
    let mut orbits: Vec<_> = orbits.into_iter().filter(|(_, items)| items.len() <= ITEMS_MAX).collect();
    let size = |(first, items): &(usize, Vec<ItemId>)| {
        (f64::from(counts[*first]).powi(items.len() as i32), *first)
    };
    orbits.sort_by(|one, other| size(one).partial_cmp(&size(other)).expect("numbers"));
    Ok(orbits.into_iter().map(|(_, items)| items).collect())
}

fn expected_nodes(
    kinds: &[(Subtree, u32)],
    engine: &mut dyn Engine,
    nodes: u64,
    limits: &Limits,
) -> Result<f64, Limit> {
    let trial = limits.clone().nodes(nodes).rest(true).progress(None);
    let tried = &kinds[..kinds.len().min(TRIALS)];
    let mut sum = 0.0;
    for (beginning, _) in tried {
        let report = engine.count_subtree(beginning, &trial);
        let left: f64 = match report.end {
            End::Limit(Limit::Nodes) => report.rest.iter().flatten().map(Subtree::share).sum(),
            End::Limit(limit) => return Err(limit),
            _ => 0.0,
        };
        sum += report.nodes as f64 / (1.0 - left).max(1e-12);
    }
    Ok(sum / tried.len().max(1) as f64 * kinds.len() as f64)
}

struct Beginnings<'p> {
    problem: &'p Problem,
    group: &'p SymmetryGroup,
    items: Vec<(ItemId, Vec<OptionId>)>,
    /// Per item, 0 if it is free, 1 if it is covered, otherwise 2 plus the index of its color.
    colors: Vec<u32>,
    chosen: Vec<OptionId>,
    image: Vec<OptionId>,
    /// The classes, by the smallest image of an orbit cover: a representative, the size of the
    /// class, and the sum of its orbit covers' shares of the tree.
    kinds: HashMap<Vec<OptionId>, (Vec<OptionId>, u32, f64)>,
    count: usize,
    count_max: usize,
    work: u64,
}

impl<'p> Beginnings<'p> {
    fn new(problem: &'p Problem, group: &'p SymmetryGroup, orbit: &[ItemId], work: u64) -> Self {
        let has =
            |option: OptionId, item| problem.option(option).iter().any(|entry| entry.item == item);
        let options = |item| problem.options().filter(|&option| has(option, item)).collect();
        Self {
            problem,
            group,
            items: orbit.iter().map(|&item| (item, options(item))).collect(),
            colors: vec![0; problem.item_count()],
            chosen: Vec::new(),
            image: Vec::new(),
            kinds: HashMap::new(),
            count: 0,
            count_max: BEGINNINGS_MAX,
            work: work.saturating_sub((problem.entry_count() * orbit.len()) as u64),
        }
    }

    /// Collects all orbit covers that contain the chosen options, which have the share `share` of
    /// the tree. Returns `false` if there are too many.
    fn collect(&mut self, share: f64, pace: &mut Pace<'_>) -> Result<bool, Limit> {
        let open = self.items.iter().filter(|(item, _)| self.colors[item.index()] == 0);
        let live = |options: &[OptionId]| -> Vec<OptionId> {
            options.iter().copied().filter(|&option| self.fits(option)).collect()
        };
        let work = open.clone().map(|(_, options)| 20 * options.len() as u64).sum();
        let Some(options) = open.map(|(_, options)| live(options)).min_by_key(Vec::len) else {
            return self.note(share, pace);
        };
        if !self.spend(work, pace)? {
            return Ok(false);
        }
        let problem = self.problem;
        let share = share / options.len().max(1) as f64;
        for option in options {
            let entries = problem.option(option);
            let before: Vec<u32> =
                entries.iter().map(|entry| self.colors[entry.item.index()]).collect();
            entries.iter().for_each(|entry| self.colors[entry.item.index()] = color_of(entry));
            self.chosen.push(option);
            let is_whole = self.collect(share, pace)?;
            self.chosen.pop();
            entries
                .iter()
                .zip(before)
                .for_each(|(entry, color)| self.colors[entry.item.index()] = color);
            if !is_whole {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn spend(&mut self, work: u64, pace: &mut Pace<'_>) -> Result<bool, Limit> {
        pace.spend(work)?;
        let is_enough = work <= self.work;
        self.work = self.work.saturating_sub(work);
        Ok(is_enough)
    }

    fn fits(&self, option: OptionId) -> bool {
        self.problem.option(option).iter().all(|entry| {
            let now = self.colors[entry.item.index()];
            now == 0 || entry.color.is_some() && now == color_of(entry)
        })
    }

    fn note(&mut self, share: f64, pace: &mut Pace<'_>) -> Result<bool, Limit> {
        let work = 200 + (10 * self.group.order() * (1 + self.chosen.len())) as u64;
        if !self.spend(work, pace)? || self.count == self.count_max {
            return Ok(false);
        }
        self.count += 1;
        let mut least = self.chosen.clone();
        least.sort_unstable();
        for symmetry in self.group.elements().skip(1) {
            symmetry.map(&self.chosen, &mut self.image);
            if self.image < least {
                least.clone_from(&self.image);
            }
        }
        let kind = self.kinds.entry(least).or_insert_with(|| (self.chosen.clone(), 0, 0.0));
        kind.1 += 1;
        kind.2 += share;
        Ok(true)
    }

    fn into_kinds(self, origins: &[OptionId]) -> Kinds {
        let mut kinds: Vec<_> = self.kinds.into_iter().collect();
        kinds.sort_unstable_by(|one, other| one.0.cmp(&other.0));
        Random::new(kinds.len() as u64).shuffle(&mut kinds);
        let part = |given: Vec<OptionId>, share| {
            let given: Vec<_> = given.iter().map(|option| origins[option.index()]).collect();
            Subtree::from(given).within(share)
        };
        let kinds = kinds.into_iter().map(|(_, kind)| kind);
        kinds.map(|(given, times, share)| (part(given, share / f64::from(times)), times)).collect()
    }
}

fn color_of(entry: &Entry) -> u32 {
    entry.color.map_or(1, |color| color.index() as u32 + 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Links, Naive};
    use crate::model::samples::{latin, queens};

    const OUTLOOK: ExpectedSearch = ExpectedSearch { nodes: 1e12, pace: 1.0, work: u64::MAX };

    fn dominoes(rows: usize, columns: usize) -> Problem {
        let cell = |row: usize, column: usize| format!("{row}.{column}");
        let cells = (0..rows * columns).map(|place| (place / columns, place % columns));
        let mut text = cells.clone().map(|(row, column)| cell(row, column) + " ").collect::<String>();
        for (row, column) in cells {
            let below = (row + 1 < rows).then(|| cell(row + 1, column));
            let beside = (column + 1 < columns).then(|| cell(row, column + 1));
            for other in below.into_iter().chain(beside) {
                text += &format!("\n{} {other}", cell(row, column));
            }
        }
        (text + "\n").parse().unwrap()
    }

    /// Checks the count by the orbit covers of each orbit. Returns the smallest ratio of classes to
    /// orbit covers.
    fn least_share(problem: Problem) -> f64 {
        let limits = Limits::default();
        let expected = Naive::new(&problem).count(&[], &limits).solutions;
        let mut engine = Links::new(&problem);
        let settled = ReducedProblem::new(&Arc::new(problem), &limits).unwrap();
        let mut least = 1.0_f64;
        for (kinds, count) in beginnings(&settled, (u64::MAX, u64::MAX), &limits).unwrap().0 {
            let all: u32 = kinds.iter().map(|&(_, times)| times).sum();
            assert_eq!(all as usize, count);
            let shares = kinds.iter().map(|(part, times)| f64::from(*times) * part.share());
            assert!((0.0..1.0 + 1e-9).contains(&shares.sum::<f64>()));
            least = least.min(kinds.len() as f64 / count as f64);
            let mut number = |(part, times): &(Subtree, u32)| {
                u64::from(*times) * engine.count_subtree(part, &limits).solutions
            };
            assert_eq!(kinds.iter().map(&mut number).sum::<u64>(), expected);
        }
        least
    }

    #[test]
    fn each_cover_contains_exactly_one_partial_cover_of_each_orbit() {
        assert!(least_share(queens(6)) < 0.2);
        assert!(least_share(queens(8)) < 0.15);
        assert!(least_share(dominoes(4, 5)) < 0.51);
        assert!(least_share(dominoes(4, 4)) < 0.51);
        assert!(least_share(latin(2)) <= 1.0);
    }

    #[test]
    fn symmetries_may_exchange_colors() {
        // The covers are pairs of different rows of two colored cells. The symmetries exchange the
        // rows and the colors.
        let mut text = "a b p q | x y u v\n".to_owned();
        for (row, [left, right]) in [("a", ["x", "u"]), ("b", ["y", "v"])] {
            for (one, other) in [("0", "0"), ("0", "1"), ("1", "0"), ("1", "1")] {
                text += &format!("{row} {left}:{one} {right}:{other}\n");
            }
        }
        for (column, [upper, lower]) in [("p", ["x", "y"]), ("q", ["u", "v"])] {
            text += &format!("{column} {upper}:0 {lower}:1\n{column} {upper}:1 {lower}:0\n");
        }
        assert!(least_share(text.parse().unwrap()) < 0.51);
        let text = "a b c | x\na x:0\na x:1\nb x:0\nb x:1\nc\n";
        assert!(least_share(text.parse().unwrap()) < 0.51);
    }

    #[test]
    fn an_orbit_is_not_used_if_the_estimate_predicts_more_nodes_with_it() {
        let problem = Arc::new(queens(8));
        let engine = &mut Links::new(&problem);
        let mut of = |outlook| of_items(&problem, outlook, engine, &Limits::default()).unwrap();
        assert!(of(OUTLOOK).0.is_some_and(|alike| alike.saves()));
        assert!(of(ExpectedSearch { nodes: 20.0, pace: 1e12, ..OUTLOOK }).0.is_none());
        let little = ExpectedSearch { nodes: 1e9, pace: 10.0, work: 1000 };
        assert!(matches!(of(little), (None, 8)), "what there is to save is known");
        assert!(matches!(of(ExpectedSearch { nodes: 1e6, ..little }), (None, 1)));
    }

    #[test]
    fn the_number_of_partial_covers_of_an_orbit_respects_the_memory_limit() {
        let limits = Limits::default().memory(1 << 16);
        let problem = Arc::new(queens(12));
        let engine = &mut Links::new(&problem);
        let (few, _) = of_items(&problem, OUTLOOK, engine, &limits).unwrap();
        assert!(few.is_none_or(|alike| alike.all * BEGINNING_BYTES <= 1 << 16));
    }
}
