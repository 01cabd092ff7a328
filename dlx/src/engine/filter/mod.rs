//! Filter: every item removes the options that go with none of its own, and items of dead ends come first.
//!
//! A node of the search is the set of options that can still be chosen. An option goes if some item has no option
//! alive that could be chosen beside it. With an item of one option this is all that choosing it excludes; with two or
//! three it finds what solvers of puzzles call pointing and claiming; with items that stand for the sum of a cage or
//! the ends of a line it finds what no sum can do without. This goes on until nothing changes (generalized arc
//! consistency, items for variables and options for values), so a node takes some microseconds, a hundred times as
//! long as one of `masks`, and on hard problems there are ten thousand times fewer.
//!
//! Most looks find nothing, so an item is looked at only if it may remove something: once it is seen that no option conflicts
//! with all of a few of its options, it watches these, and is not looked at again before one of them goes (watched
//! literals of clause learning, residual supports of arc consistency). A look begins with those that were watched and
//! ends when nothing is left to remove.
//!
//! An item that is left without an option at a dead end gets weight; the item with the fewest options for its weight
//! is branched on, the first of several (dom/wdeg). An option is chosen, then removed, and the same item goes on with
//! its next. Weights begin anew with each search, and late dead ends count more than early ones.
//!
//! Source: Boussemart, Hemery, Lecoutre and Saïs, "Boosting systematic search by weighting constraints" (ECAI 2004);
//! Mackworth, "Consistency in networks of relations" (1977); sets of bits as in `masks`.
//!
//! Invariant: at a node every item has an option alive, and each option alive has in every item one that it goes
//! together with, but for items with more than 64. What was chosen is alive, so a cover is a state in which
//! every item has one option. Covers come in the order of the search, their chosen options in order of definition.
//!
//! A node is a choice that is no dead end; an update is a block of conflicts looked at.
//!
//! # Bounds
//! Conflicts take a bit for each two options, 128 MiB at most, and sets of the items' options not more. A level of the
//! search keeps a state: two bits for each option and place, and a number for each item; there are no more levels
//! than primary items.
//!
//! Tried and dropped, on ten hard Sudoku with cages, lines and thermometers: items with few options first in the queue
//! (2 to 10 times the nodes, since the weight then goes to items that say little); weight for all items that
//! are left empty (1.5 times) or for the item that filtered (1.1); a new choice of the item after each removal
//! (3 times); items of up to four options only (2 to 70 times the nodes); to begin anew with the weights after 20, 40, 80 ...
//! dead ends (a half to twice the nodes, about the same in all); block after block of a set, each until it is empty (1.15
//! times the time).

mod state;
mod tables;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use self::state::{ItemQueue, State, Step};
use self::tables::FilterTables;
use crate::bits::Leaf;
use crate::limits::{Limit, Limits, Pace};
use crate::model::{OptionId, Problem, Subtree};
use crate::search::{End, Engine, EngineSpec, Meter, Report, Unsupported, Visit};

pub(crate) const SPEC: EngineSpec = EngineSpec {
    name: "filter",
    summary: "every item removes what goes with none of its options, for hard problems without bounds",
    build: |problem| Ok(Box::new(Filter::new(problem)?)),
};

/// How much more weight a dead end has than the one before.
const GROWTH: f32 = 1.0002;
/// The weight from which all are scaled down.
const WEIGHT_MAX: f32 = 1e15;

/// The work of an update, with the options that go for it; of a choice beside it; and how many bytes are copied for a
/// choice in one of work. In nanoseconds, roughly: the sum is 0.9 to 1.25 of the processor time on hard Sudoku with cages and
/// lines, 0.6 to 1.6 on ten other problems, the most where sets of options are large.
const UPDATE_WORK: u64 = 8;
const CHOICE_WORK: u64 = 300;
const COPIED: u64 = 16;

/// The engine that filters.
///
/// It keeps a copy of the problem; the first search makes the tables.
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

/// A choice on the way from the root to the current node.
#[derive(Clone, Copy, Debug)]
struct Level {
    item: usize,
    option: usize,
    /// How many options the item had when it was first branched on, and how many of them are refuted.
    degree: u32,
    tried: u32,
    /// How many options were refuted before this one was chosen.
    refuted: usize,
    /// What part of the node was left when it branched on the item.
    left: f64,
}

impl Level {
    /// Returns what part of the level so many of its options are.
    fn part(&self, options: u32) -> f64 {
        f64::from(options) / f64::from(self.degree)
    }
}

/// A search that goes on where a limit or the visitor ended it, with all weights.
#[derive(Debug)]
pub(crate) struct Session {
    tables: Arc<FilterTables>,
    leaf: Leaf,
    at: At,
    /// The state of each level, the current one last; those behind it are free.
    states: Vec<State>,
    levels: Vec<Level>,
    queue: ItemQueue,
    /// The options left out, then those that were refuted on the way to the current node.
    refuted: Vec<OptionId>,
    /// What part of the current node is left: less than all where it went on with another item.
    left: f64,
    /// By item one over its weight.
    ranks: Vec<f32>,
    weights: Vec<f32>,
    /// The weight of the next dead end.
    weight: f32,
    given: Vec<OptionId>,
    cover: Vec<OptionId>,
    updates: u64,
    /// The work so far, and what a choice adds to it, apart from its updates.
    work: u64,
    choice_work: u64,
}

/// Where a search goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// At the root, which was not entered.
    Root,
    /// At a node that was not entered.
    Node,
    /// At a node that was entered, or at what is left of it without the options that were refuted there.
    Inside,
    /// Behind a dead end, or a cover.
    Behind,
    /// Nothing is left.
    End,
}

impl Filter {
    /// Prepares the search of `problem`.
    ///
    /// # Errors
    /// If items have bounds, or it is large: more than 32768 options or 4096 primary items, or more than 128 MiB of
    /// conflicts.
    pub fn new(problem: &Problem) -> Result<Self, Unsupported> {
        FilterTables::check(problem)?;
        Ok(Self { problem: Arc::new(problem.clone()), leaf: Leaf::best(), tables: None })
    }

    /// Does the same without a copy.
    pub(crate) fn shared(problem: &Arc<Problem>) -> Result<Self, Unsupported> {
        FilterTables::check(problem)?;
        Ok(Self { problem: Arc::clone(problem), leaf: Leaf::best(), tables: None })
    }

    /// Makes the tables if there are none.
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

    /// Begins a search that can be interrupted, of the covers with all of `given` and none of `without`.
    ///
    /// # Errors
    /// The limit that was reached before the tables were made.
    ///
    /// # Panics
    /// If one of these options is not one of this problem's.
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
            session.at = At::End;
        }
        Ok(session)
    }
}

/// Returns about how many bytes the tables of a problem take.
pub(crate) fn bytes(problem: &Problem) -> usize {
    tables::bytes(problem)
}

/// Returns how many blocks a set of options has, unless there are too many options.
pub(crate) fn blocks(problem: &Problem) -> Option<usize> {
    tables::blocks(problem)
}

impl Session {
    fn new(tables: Arc<FilterTables>, leaf: Leaf) -> Self {
        let state = State::new(&tables);
        Self {
            leaf,
            at: At::Root,
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

    /// Returns the bytes of the tables and states.
    pub(crate) fn bytes(&self) -> usize {
        self.tables.bytes() + self.states.len() * self.states[0].bytes()
    }

    /// Returns the work since the search began, in nanoseconds, roughly: what it did is counted, not measured.
    pub(crate) fn work(&self) -> u64 {
        self.work
    }

    /// Goes on until one of `limits`, which count from here.
    pub(crate) fn search(&mut self, limits: &Limits, visit: Option<&mut Visit<'_>>) -> Report {
        self.search_until(u64::MAX, limits, visit)
    }

    /// Does the same until the work since the search began exceeds `work`, too; that counts as a limit of nodes. It
    /// goes on for a node at least.
    pub(crate) fn search_until(
        &mut self,
        work: u64,
        limits: &Limits,
        visit: Option<&mut Visit<'_>>,
    ) -> Report {
        // A look at all items is the work of an update for every chunk of them, about.
        let mut meter = Meter::new(limits, self.tables.item_count / 8);
        let begun = self.updates;
        let end = self.walk(work, begun, &mut meter, visit);
        let rest = (limits.rest && end != End::Exhausted).then(|| self.rest());
        Report { rest, ..meter.report(end, self.updates - begun) }
    }

    /// Takes a step in the current state; `false` if it is a dead end.
    fn step(&mut self, step: Step) -> bool {
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

    /// Notes what is given and what is left out; `false` if these conflict.
    fn begin(&mut self, given: &[OptionId], without: &[OptionId]) -> bool {
        self.refuted.extend(without);
        self.given.extend(given);
        self.given.sort_unstable();
        self.given.dedup();
        let given = &self.given;
        let mut pairs =
            (0..given.len()).flat_map(|end| given[..end].iter().map(move |one| (one, given[end])));
        pairs.all(|(&one, other)| self.tables.go_together(one, other))
            && without.iter().all(|option| given.binary_search(option).is_err())
    }

    /// Makes the state of the root: without what is left out, with what is given; `false` if it is a dead end.
    fn enter_root(&mut self) -> bool {
        let left_out = self.refuted.iter().map(|option| Step::Remove(option.index()));
        let chosen = self.given.iter().map(|option| Step::Choose(option.index()));
        let steps: Vec<Step> = left_out.chain(chosen).collect();
        self.step(Step::Begin)
            && steps.into_iter().all(|step| match step {
                // An option that is given must be there, unless it has no primary item.
                Step::Choose(option)
                    if !self.states[0].is_alive(option) && !self.tables.places(option).is_empty() =>
                {
                    false
                }
                Step::Remove(option) if !self.states[0].is_alive(option) => true,
                step => self.step(step),
            })
    }

    /// Goes through the tree until its end, a limit, or so much work; `begun` updates were made before.
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
                At::End => return End::Exhausted,
                _ if is_begun && self.work >= work => Err(Limit::Nodes),
                At::Root | At::Node => meter.enter(self.levels.len(), updates, fraction),
                At::Behind => meter.tick(updates, fraction),
                At::Inside => Ok(()),
            };
            if let Err(limit) = met {
                return End::Limit(limit);
            }
            is_begun = true;
            if self.at == At::Root && !self.enter_root() {
                self.at = At::End;
                continue;
            }
            self.at = match self.at {
                At::Behind => self.go_back(),
                _ => match state::least(self.leaf, &self.states[self.levels.len()], &self.ranks) {
                    Some(item) => {
                        self.branch(item);
                        self.choose()
                    }
                    None => {
                        self.at = At::Behind;
                        self.list_cover();
                        if let Err(end) = meter.found(&mut visit, || &self.cover) {
                            return end;
                        }
                        At::Behind
                    }
                },
            };
        }
    }

    /// Lists the options of the cover that was found.
    fn list_cover(&mut self) {
        self.cover.clear();
        self.cover.extend(&self.given);
        let given = &self.given;
        let options = self.states[self.levels.len()].options().map(OptionId::new);
        self.cover.extend(options.filter(|option| given.binary_search(option).is_err()));
    }

    /// Opens a level for the options of `item`.
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

    /// Chooses the first option alive of the last level's item, in a state of its own.
    fn choose(&mut self) -> At {
        let depth = self.levels.len() - 1;
        let (before, after) = self.states.split_at_mut(depth + 1);
        let level = &mut self.levels[depth];
        level.option = before[depth].first(&self.tables, level.item);
        level.refuted = self.refuted.len();
        after[0].copy_from(&before[depth]);
        let option = level.option;
        self.work += self.choice_work;
        self.left = 1.0;
        if self.step(Step::Choose(option)) { At::Node } else { At::Behind }
    }

    /// Goes back to the last choice, and makes the next one.
    fn go_back(&mut self) -> At {
        let Some(level) = self.levels.pop() else { return At::End };
        // What is left of the level goes on without the option.
        self.refuted.truncate(level.refuted);
        self.refuted.push(OptionId::new(level.option));
        if !self.step(Step::Remove(level.option)) {
            return At::Behind;
        }
        if self.states[self.levels.len()].sizes[level.item] == 1 {
            // Nothing is left to choose here: the node goes on with another item.
            self.left = level.left * level.part(level.degree - level.tried - 1);
            return At::Inside;
        }
        self.levels.push(Level { tried: level.tried + 1, ..level });
        self.choose()
    }

    /// Returns the fraction of the tree before the current node, plus half of the node's own share.
    pub(crate) fn fraction(&self) -> f64 {
        if self.at == At::End {
            return 1.0;
        }
        let (mut share, mut left) = (1.0, 0.0);
        for level in &self.levels {
            left += share * level.left * level.part(level.degree - level.tried - 1);
            share *= level.left * level.part(1);
        }
        1.0 - left - share * self.left / 2.0
    }

    /// Lists what is left of the tree, in the order of the search.
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
        if self.at != At::Behind {
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
