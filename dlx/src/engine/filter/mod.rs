//! Filtering engine: generalized arc consistency with weighted branching, for hard problems without
//! multiplicities.
//!
//! A search node is the set of live options, which can still be chosen. The filter removes each
//! option that conflicts with every live option of some item, until no option can be removed. The
//! filter includes the "pointing" and "claiming" of Sudoku solvers. A node takes far longer than in
//! `masks`, but hard problems need far fewer nodes.
//!
//! If no option conflicts with all of a few options of an item, the item watches these options, and
//! is not checked again until one of them is removed. The watched options correspond to the watched
//! literals of clause learning.
//!
//! An item that loses its last option at a dead end gains weight, and later dead ends add more
//! weight. The search branches on the item with the smallest ratio of options to weight (dom/wdeg),
//! and among equals on the first. A refuted option is removed before the search tries the item's
//! next option.
//!
//! Source: Boussemart, Hemery, Lecoutre and Saïs, "Boosting systematic search by weighting
//! constraints" (ECAI 2004); Mackworth, "Consistency in networks of relations" (1977).
//!
//! Invariant: at a node, each live option is compatible with a live option of every item that has
//! at most 64 live options. Chosen options stay alive, so a cover is a state where every item has
//! exactly one live option.
//!
//! A node is a choice that is not a dead end. An update reads one block of a conflict set.
//!
//! # Bounds
//! The conflict matrix takes one bit per pair of options, at most 128 MiB, and the sets of the
//! items' options take at most as much. The number of levels is at most the number of primary
//! items. Each level keeps one state: two bits per option, two bits per pair of item and option,
//! and a count per item.
//!
//! Tried and dropped, on hard Sudoku with cages, lines and thermometers:
//! - queueing items with few options first: uninformative items gain weight;
//! - adding weight to every emptied item, or to the item that caused the removal: more nodes;
//! - selecting a new branching item after each refuted option: three times the nodes;
//! - filtering only items of up to four options: many more nodes;
//! - restarts that keep the weights: no gain.

mod state;
mod tables;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use self::state::{ItemQueue, State, StateChange};
use self::tables::FilterTables;
pub(crate) use self::tables::conflicts;
use crate::bits::Leaf;
use crate::limits::{Limit, Limits, Pace};
use crate::model::{OptionId, Problem, Subtree};
use crate::search::{End, Engine, EngineSpec, Meter, Report, Unsupported, Visit};

pub(crate) const SPEC: EngineSpec = EngineSpec {
    name: "filter",
    summary: "every item removes what goes with none of its options, for hard problems without bounds",
    build: |problem| Ok(Box::new(Filter::new(problem)?)),
};

/// Ratio of the weights that consecutive dead ends add.
const GROWTH: f32 = 1.0002;
const WEIGHT_MAX: f32 = 1e15;

/// Estimated time of an update, including the removals that it causes (ns); used by
/// [`Session::work`].
const UPDATE_WORK: u64 = 8;
const CHOICE_WORK: u64 = 300;
const COPIED: u64 = 16;

/// The engine of filtering by generalized arc consistency.
///
/// The engine keeps a copy of the problem, and the first search builds the tables.
///
/// ```
/// use dlx::{Engine, Limits, engine::Filter};
///
/// let problem: dlx::Problem = "a b c\na b\nc\na\nb c\n".parse()?;
/// assert_eq!(Filter::new(&problem)?.count(&[], &Limits::new()).count(), Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Filter {
    problem: Arc<Problem>,
    leaf: Leaf,
    tables: Option<Arc<FilterTables>>,
}

#[derive(Clone, Copy, Debug)]
struct Level {
    item: usize,
    option: usize,
    degree: u32,
    tried: u32,
    refuted: usize,
    /// The fraction of the node's subtree that remained when the node branched on the item.
    left: f64,
}

impl Level {
    fn part(&self, options: u32) -> f64 {
        f64::from(options) / f64::from(self.degree)
    }
}

#[derive(Debug)]
pub(crate) struct Session {
    tables: Arc<FilterTables>,
    leaf: Leaf,
    at: ResumePoint,
    states: Vec<State>,
    levels: Vec<Level>,
    queue: ItemQueue,
    /// The excluded options, then the options refuted on the path to the current node.
    refuted: Vec<OptionId>,
    /// The fraction of the current node's subtree that remains. The fraction is less than 1 after
    /// the node has moved on to another branching item.
    left: f64,
    /// Per item, the reciprocal of its weight.
    ranks: Vec<f32>,
    weights: Vec<f32>,
    weight: f32,
    given: Vec<OptionId>,
    cover: Vec<OptionId>,
    updates: u64,
    work: u64,
    choice_work: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ResumePoint {
    Root,
    Node,
    /// At an entered node, which branches next. Options of its earlier branching items may already
    /// be refuted.
    Inside,
    /// After a dead end or a cover; the search backtracks next.
    Behind,
    End,
}

impl Filter {
    /// Prepares the search of `problem`.
    ///
    /// # Errors
    /// If items have bounds, if there are more than 32768 options or 4096 primary items, or if the
    /// conflicts need more than 128 MiB.
    pub fn new(problem: &Problem) -> Result<Self, Unsupported> {
        FilterTables::check(problem)?;
        Ok(Self { problem: Arc::new(problem.clone()), leaf: Leaf::best(), tables: None })
    }

    pub(crate) fn shared(problem: &Arc<Problem>) -> Result<Self, Unsupported> {
        FilterTables::check(problem)?;
        Ok(Self { problem: Arc::clone(problem), leaf: Leaf::best(), tables: None })
    }

    fn tables(&mut self, limits: &Limits) -> Result<&Arc<FilterTables>, Limit> {
        let tables = match self.tables.take() {
            Some(tables) => tables,
            None if limits.memory.is_some_and(|memory| bytes(&self.problem) > memory) => {
                return Err(Limit::Memory);
            }
            None => Arc::new(FilterTables::new(self.leaf, &self.problem, &mut Pace::new(limits))?),
        };
        Ok(self.tables.insert(tables))
    }

    /// Begins a resumable search for the covers that contain all options of `given` and no option
    /// of `without`.
    ///
    /// # Errors
    /// If a limit is reached while the tables are built.
    ///
    /// # Panics
    /// If an option of `given` or `without` is not one of this problem's.
    pub(crate) fn begin(
        &mut self,
        given: &[OptionId],
        without: &[OptionId],
        limits: &Limits,
    ) -> Result<Session, Limit> {
        let is_known = |option: &OptionId| option.index() < self.problem.option_count();
        assert!(given.iter().all(is_known), "the given options must be this problem's");
        assert!(without.iter().all(is_known), "the options left out must be this problem's");
        let leaf = self.leaf;
        let mut session = Session::new(Arc::clone(self.tables(limits)?), leaf);
        if !session.begin(given, without) {
            session.at = ResumePoint::End;
        }
        Ok(session)
    }
}

pub(crate) fn bytes(problem: &Problem) -> usize {
    tables::bytes(problem)
}

/// Returns the number of blocks of a set of options, or `None` if there are too many options.
pub(crate) fn blocks(problem: &Problem) -> Option<usize> {
    tables::blocks(problem)
}

impl Session {
    fn new(tables: Arc<FilterTables>, leaf: Leaf) -> Self {
        let state = State::new(&tables);
        Self {
            leaf,
            at: ResumePoint::Root,
            choice_work: CHOICE_WORK + state.bytes() as u64 / COPIED,
            states: vec![state],
            levels: Vec::new(),
            queue: ItemQueue::new(&tables),
            refuted: Vec::new(),
            left: 1.0,
            ranks: vec![1.0; tables.item_count],
            weights: vec![1.0; tables.item_count],
            weight: 1.0,
            given: Vec::new(),
            cover: Vec::new(),
            updates: 0,
            work: 0,
            tables,
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.tables.bytes() + self.states.len() * self.states[0].bytes()
    }

    /// Returns the estimated work since the search began (ns), which is deterministic.
    pub(crate) fn work(&self) -> u64 {
        self.work
    }

    pub(crate) fn search(&mut self, limits: &Limits, visit: Option<&mut Visit<'_>>) -> Report {
        self.search_until(u64::MAX, limits, visit)
    }

    /// Same as [`Self::search`], but also stops, as at a node limit, when the total work exceeds
    /// `work` (ns). The search enters at least one node.
    pub(crate) fn search_until(
        &mut self,
        work: u64,
        limits: &Limits,
        visit: Option<&mut Visit<'_>>,
    ) -> Report {
        let mut meter = Meter::new(limits, self.tables.item_count / 8);
        let begun = self.updates;
        let end = self.walk(work, begun, &mut meter, visit);
        let rest = (limits.rest && end != End::Exhausted).then(|| self.rest());
        Report { rest, ..meter.report(end, self.updates - begun) }
    }

    fn step(&mut self, step: StateChange) -> bool {
        let state = &mut self.states[self.levels.len()];
        let before = self.updates;
        let taken =
            state::narrow(self.leaf, &self.tables, state, &mut self.queue, step, &mut self.updates);
        self.work += UPDATE_WORK * (self.updates - before);
        let Err(item) = taken else { return true };
        self.weights[item] += self.weight;
        self.ranks[item] = 1.0 / self.weights[item];
        self.weight *= GROWTH;
        if self.weight > WEIGHT_MAX {
            self.weight /= WEIGHT_MAX;
            for (weight, rank) in self.weights.iter_mut().zip(&mut self.ranks) {
                *weight = (*weight / WEIGHT_MAX).max(1.0 / WEIGHT_MAX);
                *rank = 1.0 / *weight;
            }
        }
        false
    }

    /// Stores the given and the excluded options. Returns `false` if given options conflict or are
    /// excluded.
    fn begin(&mut self, given: &[OptionId], without: &[OptionId]) -> bool {
        self.refuted.extend(without);
        self.given.extend(given);
        self.given.sort_unstable();
        self.given.dedup();
        let given = &self.given;
        let mut pairs =
            (0..given.len()).flat_map(|end| given[..end].iter().map(move |one| (one, given[end])));
        pairs.all(|(&one, other)| self.tables.are_compatible(one, other))
            && without.iter().all(|option| given.binary_search(option).is_err())
    }

    /// Builds the root state: removes the excluded options and chooses the given ones. Returns
    /// `false` at a dead end.
    fn enter_root(&mut self) -> bool {
        let left_out = self.refuted.iter().map(|option| StateChange::Remove(option.index()));
        let chosen = self.given.iter().map(|option| StateChange::Choose(option.index()));
        let steps: Vec<StateChange> = left_out.chain(chosen).collect();
        self.step(StateChange::Begin)
            && steps.into_iter().all(|step| match step {
                StateChange::Choose(option)
                    if !self.states[0].is_alive(option) && !self.tables.places(option).is_empty() =>
                {
                    false
                }
                StateChange::Remove(option) if !self.states[0].is_alive(option) => true,
                step => self.step(step),
            })
    }

    /// Traverses the tree until its end, a limit, or until the total work reaches `work` (ns).
    /// `begun` is the number of earlier updates.
    fn walk(
        &mut self,
        work: u64,
        begun: u64,
        meter: &mut Meter<'_>,
        mut visit: Option<&mut Visit<'_>>,
    ) -> End {
        let mut is_begun = false;
        loop {
            let (updates, fraction) = (self.updates - begun, || self.fraction());
            let met = match self.at {
                ResumePoint::End => return End::Exhausted,
                _ if is_begun && self.work >= work => Err(Limit::Nodes),
                ResumePoint::Root | ResumePoint::Node => {
                    meter.enter(self.levels.len(), updates, fraction)
                }
                ResumePoint::Behind => meter.tick(updates, fraction),
                ResumePoint::Inside => Ok(()),
            };
            if let Err(limit) = met {
                return End::Limit(limit);
            }
            is_begun = true;
            if self.at == ResumePoint::Root && !self.enter_root() {
                self.at = ResumePoint::End;
                continue;
            }
            self.at = match self.at {
                ResumePoint::Behind => self.go_back(),
                _ => match state::least(self.leaf, &self.states[self.levels.len()], &self.ranks) {
                    Some(item) => {
                        self.branch(item);
                        self.choose()
                    }
                    None => {
                        self.at = ResumePoint::Behind;
                        self.list_cover();
                        if let Err(end) = meter.found(&mut visit, || &self.cover) {
                            return end;
                        }
                        ResumePoint::Behind
                    }
                },
            };
        }
    }

    fn list_cover(&mut self) {
        self.cover.clear();
        self.cover.extend(&self.given);
        let given = &self.given;
        let options = self.states[self.levels.len()].options().map(OptionId::new);
        self.cover.extend(options.filter(|option| given.binary_search(option).is_err()));
    }

    fn branch(&mut self, item: usize) {
        let depth = self.levels.len();
        if self.states.len() == depth + 1 {
            self.states.push(self.states[depth].clone());
        }
        let degree = u32::from(self.states[depth].sizes[item]);
        self.levels.push(Level {
            item,
            option: usize::MAX,
            degree,
            tried: 0,
            refuted: 0,
            left: self.left,
        });
    }

    fn choose(&mut self) -> ResumePoint {
        let depth = self.levels.len() - 1;
        let (before, after) = self.states.split_at_mut(depth + 1);
        let level = &mut self.levels[depth];
        level.option = before[depth].first(&self.tables, level.item);
        level.refuted = self.refuted.len();
        after[0].copy_from(&before[depth]);
        let option = level.option;
        self.work += self.choice_work;
        self.left = 1.0;
        if self.step(StateChange::Choose(option)) { ResumePoint::Node } else { ResumePoint::Behind }
    }

    fn go_back(&mut self) -> ResumePoint {
        let Some(level) = self.levels.pop() else { return ResumePoint::End };
        self.refuted.truncate(level.refuted);
        self.refuted.push(OptionId::new(level.option));
        if !self.step(StateChange::Remove(level.option)) {
            return ResumePoint::Behind;
        }
        if self.states[self.levels.len()].sizes[level.item] == 1 {
            self.left = level.left * level.part(level.degree - level.tried - 1);
            return ResumePoint::Inside;
        }
        self.levels.push(Level { tried: level.tried + 1, ..level });
        self.choose()
    }

    /// Returns the fraction of the tree that is done, where half of the current node's subtree
    /// counts as done.
    pub(crate) fn fraction(&self) -> f64 {
        if self.at == ResumePoint::End {
            return 1.0;
        }
        let (mut share, mut left) = (1.0, 0.0);
        for level in &self.levels {
            left += share * level.left * level.part(level.degree - level.tried - 1);
            share *= level.left * level.part(1);
        }
        1.0 - left - share * self.left / 2.0
    }

    fn rest(&self) -> Vec<Subtree> {
        let chosen = || self.levels.iter().map(|level| OptionId::new(level.option));
        let given = |depth| self.given.iter().copied().chain(chosen().take(depth)).collect();
        let mut rest = Vec::new();
        let mut share = 1.0;
        for (depth, level) in self.levels.iter().enumerate() {
            let without = [&self.refuted[..level.refuted], &[OptionId::new(level.option)]].concat();
            let left = share * level.left * level.part(level.degree - level.tried - 1);
            share *= level.left * level.part(1);
            rest.push(Subtree::new(given(depth), without).within(left));
        }
        if self.at != ResumePoint::Behind {
            rest.push(
                Subtree::new(given(self.levels.len()), self.refuted.clone()).within(share * self.left),
            );
        }
        rest.reverse();
        rest
    }
}

impl Engine for Filter {
    fn run(
        &mut self,
        given: &[OptionId],
        without: &[OptionId],
        limits: &Limits,
        visit: Option<&mut Visit<'_>>,
    ) -> Report {
        match self.begin(given, without, limits) {
            Ok(mut session) => session.search(limits, visit),
            Err(limit) => {
                let rest = limits.rest.then(|| vec![Subtree::new(given.to_vec(), without.to_vec())]);
                Report { rest, ..Report::empty(End::Limit(limit)) }
            }
        }
    }

    fn is_at_rest(&self, problem: &Problem) -> bool {
        let anew = || FilterTables::new(self.leaf, problem, &mut Pace::new(&Limits::default()));
        self.tables.as_ref().is_none_or(|tables| anew().is_ok_and(|anew| anew == **tables))
    }
}
