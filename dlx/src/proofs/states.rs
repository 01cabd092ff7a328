//! The states of a count, which its proofs describe.
//!
//! Steps decide options, in the order of the items of a frontier; [`trace`](super::trace) defines
//! steps and states. All states that the choices of the steps reach are kept, with the successor of
//! each choice. No reduction, symmetry or engine takes part.

use indexmap::IndexSet;

use crate::diagram;
use crate::model::{Bounds, Entry, ItemId, OptionId, Problem, restrict};
use crate::portfolio::{Budget, Cut};

const ENTRY_WORK: u64 = 100;
const CHOICE_WORK: u64 = 500;

/// The use of an item. For a primary item, the number of times it is covered. For a secondary item,
/// 0 if it is unused, 1 if it is used without a color, otherwise 2 plus the index of its color.
pub(super) type Use = u32;

pub(super) fn use_of(entry: &Entry) -> Use {
    entry.color.map_or(1, |color| color.index() as Use + 2)
}

/// A choice of a state (an option, or no option), and its successor.
pub(super) type Transition = (Option<OptionId>, Successor);

#[derive(Clone, Copy)]
pub(super) enum Successor {
    Done,
    State(u32, u32),
    Dead(ItemId),
}

pub(super) struct ProofStep {
    /// The covered item, or `None` for a step that decides a single option.
    pub(super) item: Option<ItemId>,
    pub(super) options: Vec<OptionId>,
    pub(super) states: IndexSet<Box<[(ItemId, Use)]>>,
    /// The choices of all states in one list, and the end of each state's choices in it.
    pub(super) ways: Vec<Transition>,
    pub(super) ends: Vec<usize>,
}

/// The step of an option that is decided before all steps.
pub(super) const NEVER: usize = usize::MAX;

pub(super) struct Expansion<'p> {
    pub(super) problem: &'p Problem,
    pub(super) steps: Vec<ProofStep>,
    pub(super) step_of: Vec<usize>,
    /// The options of each item that steps decide, the last one first.
    pub(super) lists: Vec<Vec<OptionId>>,
    uses: Vec<Use>,
    pub(super) root: Successor,
    /// The memory of the states (bytes).
    pub(super) bytes: usize,
}

impl<'p> Expansion<'p> {
    pub(super) fn new(
        problem: &'p Problem,
        given: &[OptionId],
        budget: &mut Budget<'_>,
    ) -> Result<Self, Cut> {
        budget.spend(ENTRY_WORK * problem.entry_count() as u64)?;
        let mut walk = Self {
            problem,
            steps: Vec::new(),
            step_of: vec![NEVER; problem.option_count()],
            lists: vec![Vec::new(); problem.item_count()],
            uses: vec![0; problem.item_count()],
            root: Successor::Done,
            bytes: 0,
        };
        let mut given = given.to_vec();
        given.sort_unstable();
        given.dedup();
        let restricted = match restrict(problem, &given) {
            Ok(restricted) => restricted.problem,
            Err(conflict) => {
                walk.root = Successor::Dead(conflict.item);
                return Ok(walk);
            }
        };
        given.iter().for_each(|&option| walk.choose(option));
        let mut own = vec![Vec::new(); problem.item_count()];
        for option in problem.options() {
            let is_idle = !problem.option(option).iter().any(|entry| problem.is_primary(entry.item));
            if !is_idle && given.binary_search(&option).is_err() && walk.fits(option) {
                problem.option(option).iter().for_each(|entry| own[entry.item.index()].push(option));
            }
        }
        let order = diagram::best_order(&restricted, budget)?;
        let items = order.into_iter().filter(|item| item.index() < own.len());
        for item in items {
            let is_new = |option: &&OptionId| walk.step_of[option.index()] == NEVER;
            let options: Vec<_> = own[item.index()].iter().filter(is_new).copied().collect();
            let has_one = problem.bounds(item) == Some(Bounds::ONE);
            for options in options.chunks(if has_one { options.len().max(1) } else { 1 }) {
                let options = options.to_vec();
                options.iter().for_each(|option| walk.step_of[option.index()] = walk.steps.len());
                walk.steps.push(ProofStep {
                    item: has_one.then_some(item),
                    options,
                    states: IndexSet::new(),
                    ways: Vec::new(),
                    ends: Vec::new(),
                });
            }
        }
        for (list, mut options) in walk.lists.iter_mut().zip(own) {
            options.sort_by_key(|option| std::cmp::Reverse(walk.step_of[option.index()]));
            *list = options;
        }
        walk.root = match problem.items().find(|&item| walk.is_dead(item, 0)) {
            Some(item) => Successor::Dead(item),
            None => walk.arrive(0),
        };
        Ok(walk)
    }

    fn fits(&self, option: OptionId) -> bool {
        self.problem.option(option).iter().all(|entry| {
            let used = self.uses[entry.item.index()];
            match self.problem.bounds(entry.item) {
                Some(bounds) => used < bounds.high,
                None => used == 0 || (used > 1 && used == use_of(entry)),
            }
        })
    }

    fn choose(&mut self, option: OptionId) {
        for entry in self.problem.option(option) {
            let used = &mut self.uses[entry.item.index()];
            *used = match self.problem.bounds(entry.item) {
                Some(_) => *used + 1,
                None => use_of(entry),
            };
        }
    }

    /// Returns whether the options from `step` on cannot raise an item to its lower bound.
    fn is_dead(&self, item: ItemId, step: usize) -> bool {
        let low = self.problem.bounds(item).map_or(0, |bounds| bounds.low);
        let mut missing = low.saturating_sub(self.uses[item.index()]);
        let mut left = self.lists[item.index()].iter();
        while missing > 0 {
            match left.next() {
                Some(option) if self.step_of[option.index()] < step => return true,
                Some(&option) => missing -= u32::from(self.fits(option)),
                None => return true,
            }
        }
        false
    }

    /// Returns an item that a choice leaves without enough options. The returned item belongs to an
    /// option that no longer fits.
    fn victim(&self, choice: Option<OptionId>, refused: OptionId, next: usize) -> Option<ItemId> {
        let dead = |option: OptionId| {
            let mut items = self.problem.option(option).iter().map(|entry| entry.item);
            items.find(|&item| self.is_dead(item, next))
        };
        let Some(choice) = choice else { return dead(refused) };
        self.problem.option(choice).iter().find_map(|entry| {
            let left = self.lists[entry.item.index()].iter();
            left.take_while(|option| self.step_of[option.index()] + 1 >= next)
                .find_map(|&option| if self.fits(option) { None } else { dead(option) })
        })
    }

    /// Returns the state for the items in use, at the first step from `step` on with a fitting
    /// option.
    fn arrive(&mut self, step: usize) -> Successor {
        let is_open = |step: &ProofStep| step.options.iter().any(|&option| self.fits(option));
        let Some(skipped) = self.steps[step..].iter().position(is_open) else { return Successor::Done };
        let step = step + skipped;
        let is_open = |item: &ItemId| {
            let last = self.lists[item.index()].first();
            self.uses[item.index()] > 0 && last.is_some_and(|last| self.step_of[last.index()] >= step)
        };
        let items = self.problem.items().filter(is_open);
        let state: Box<[_]> = items.map(|item| (item, self.uses[item.index()])).collect();
        let size = size_of_val(&*state);
        let (place, is_new) = self.steps[step].states.insert_full(state);
        if is_new {
            self.bytes += size + 64;
        }
        Successor::State(step as u32, place as u32)
    }

    pub(super) fn go(&mut self, budget: &mut Budget<'_>) -> Result<(), Cut> {
        for step in 0..self.steps.len() {
            let options = self.steps[step].options.clone();
            let has_none = self.steps[step].item.is_none();
            let choices = has_none.then_some(None).into_iter().chain(options.iter().copied().map(Some));
            let choices: Vec<_> = choices.collect();
            for place in 0..self.steps[step].states.len() {
                let state = self.steps[step].states[place].clone();
                for &choice in &choices {
                    budget.spend(CHOICE_WORK + self.uses.len() as u64)?;
                    self.uses.fill(0);
                    state.iter().for_each(|&(item, used)| self.uses[item.index()] = used);
                    if choice.is_some_and(|option| !self.fits(option)) {
                        continue;
                    }
                    choice.into_iter().for_each(|option| self.choose(option));
                    let next = match self.victim(choice, options[0], step + 1) {
                        Some(item) => Successor::Dead(item),
                        None => self.arrive(step + 1),
                    };
                    self.steps[step].ways.push((choice, next));
                    self.bytes += size_of::<Transition>();
                }
                let end = self.steps[step].ways.len();
                self.steps[step].ends.push(end);
                if self.bytes > budget.bytes {
                    return Err(Cut::Memory);
                }
            }
        }
        Ok(())
    }
}
