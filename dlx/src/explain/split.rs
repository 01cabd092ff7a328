//! The last resort: the options of an item are tried one after the other, and all but one fail.
//!
//! The item with the fewest options is split, of equal ones the first in an order that does not depend on names (`keys`). In each branch forced and locked options are applied,
//! then the branch is split in turn. A branch in which a cover is found stays open and is not gone into any further, so of a problem
//! with one cover all branches but one fail; two covers end the whole explanation.
//!
//! Bounds: branches in all, by [`Splitter::nodes`], and [`DEPTH_MAX`] splits inside each other.

use super::keys::Keys;
use super::state::{Knowledge, OptionTable};
use super::step::{Branch, Reason, Step};
use super::{forced, locked, score};
use crate::limits::{Limit, Pace};
use crate::model::{ItemId, OptionId};

/// The most splits inside each other.
const DEPTH_MAX: usize = 400;

/// What a split finds.
#[derive(Debug)]
pub(super) enum SplitResult {
    /// A step.
    Step(Step),
    /// Two covers.
    Several(Box<[Vec<OptionId>; 2]>),
}

/// What becomes of a branch.
enum Fate {
    Fails(ItemId),
    Covers(Vec<Vec<OptionId>>),
}

/// What splits share.
#[derive(Debug)]
pub(super) struct Splitter<'t, 'l> {
    pub(super) table: &'t OptionTable,
    pub(super) keys: &'t Keys,
    /// The branches that may yet be tried.
    pub(super) nodes: u64,
    pub(super) pace: Pace<'l>,
    /// Whether the steps inside of branches are kept.
    pub(super) keeps: bool,
}

impl Splitter<'_, '_> {
    /// Splits a state that has an item to be covered.
    pub(super) fn split(&mut self, state: &Knowledge) -> Result<SplitResult, Limit> {
        let nodes = self.nodes;
        let item = self.choose(state).expect("an item is open");
        let mut state = state.clone();
        match self.branch(&mut state, item, 0)? {
            WayOut::Several(covers) => Ok(SplitResult::Several(covers)),
            WayOut::Step { mut step, .. } => {
                step.score = score::split(nodes - self.nodes);
                Ok(SplitResult::Step(step))
            }
        }
    }

    /// Returns the open item with the fewest options.
    fn choose(&self, state: &Knowledge) -> Option<ItemId> {
        let open = self.table.problem.items().filter(|&item| state.need(item) > 0);
        open.min_by_key(|&item| (state.need(item) > 1, state.live(item), self.keys.item(item)))
    }

    /// Tries the options of an item, and applies what follows to the state.
    fn branch(&mut self, state: &mut Knowledge, item: ItemId, depth: usize) -> Result<WayOut, Limit> {
        if depth > DEPTH_MAX {
            return Err(Limit::Nodes);
        }
        let options: Vec<OptionId> = state.options_of(self.table, item).collect();
        let ways: Vec<(OptionId, bool)> = match state.need(item) {
            1 => options.iter().map(|&option| (option, true)).collect(),
            _ => vec![(options[0], true), (options[0], false)],
        };
        let (mut branches, mut covers, mut open) = (Vec::new(), Vec::new(), Vec::new());
        for &(option, is_on) in &ways {
            self.nodes = self.nodes.checked_sub(1).ok_or(Limit::Nodes)?;
            let mut inner = state.clone();
            if is_on {
                inner.choose(self.table, option);
            } else {
                inner.remove(self.table, option);
            }
            let mut steps = Vec::new();
            match self.resolve(inner, &mut steps, depth)? {
                Fate::Fails(conflict) => branches.push(Branch { option, is_on, steps, conflict }),
                Fate::Covers(found) => {
                    covers.extend(found);
                    covers.sort();
                    covers.dedup();
                    open.push((option, is_on));
                    if covers.len() > 1 {
                        let mut covers = covers.into_iter();
                        let mut next = || covers.next().expect("there are two");
                        return Ok(WayOut::Several(Box::new([next(), next()])));
                    }
                }
            }
        }
        let (mut on, mut off) = (Vec::new(), Vec::new());
        for branch in &branches {
            if branch.is_on { &mut off } else { &mut on }.push(branch.option);
        }
        if let [(option, true)] = *open {
            // With the others it is told that this one is left.
            (on, off) = (vec![option], Vec::new());
        }
        for &option in &off {
            state.remove(self.table, option);
        }
        for &option in on.iter().filter(|_| !open.is_empty()) {
            state.choose(self.table, option);
        }
        if open.is_empty() {
            (on, off) = (Vec::new(), options);
        }
        let step = Step { reason: Reason::Split { item, branches }, on, off, score: 0, choices: 1 };
        Ok(WayOut::Step { step, cover: covers.pop() })
    }

    /// Goes on with a branch to its end.
    fn resolve(
        &mut self,
        mut state: Knowledge,
        kept: &mut Vec<Step>,
        depth: usize,
    ) -> Result<Fate, Limit> {
        loop {
            self.pace.spend(8 * self.table.problem.item_count() as u64)?;
            if let Some(conflict) = state.conflict() {
                return Ok(Fate::Fails(conflict));
            }
            if state.is_covered() {
                let mut covers = vec![state.chosen.clone()];
                let first = state.options().next();
                if let Some(option) = first {
                    state.choose(self.table, option);
                    covers.push(state.chosen);
                }
                covers.iter_mut().for_each(|cover| cover.sort_unstable());
                return Ok(Fate::Covers(covers));
            }
            let mut steps = forced::find(self.table, &state, &[]);
            if steps.is_empty() {
                steps = locked::find(self.table, &state, &[], &mut self.pace)?;
            }
            let is_new = !steps.is_empty();
            // A step before may have excluded what another one forces: then its item has no option left, which is seen next.
            let mut taken = 0;
            for step in &steps {
                if !step.on.iter().all(|&option| state.is_live(option)) {
                    break;
                }
                apply(self.table, &mut state, step);
                taken += 1;
            }
            steps.truncate(taken);
            if is_new {
                if self.keeps {
                    kept.append(&mut steps);
                }
                continue;
            }
            let item = self.choose(&state).expect("an item is open");
            let before = state.clone();
            match self.branch(&mut state, item, depth + 1)? {
                WayOut::Several(covers) => return Ok(Fate::Covers(covers.to_vec())),
                WayOut::Step { cover: Some(cover), .. } => return Ok(Fate::Covers(vec![cover])),
                WayOut::Step { step, cover: None } => {
                    debug_assert!(before.conflict().is_none(), "the branch was open before");
                    if self.keeps {
                        kept.push(step);
                    }
                    return Ok(Fate::Fails(item));
                }
            }
        }
    }
}

/// What the options of an item come to.
enum WayOut {
    Several(Box<[Vec<OptionId>; 2]>),
    Step {
        step: Step,
        /// The cover that was found in the branch that is left.
        cover: Option<Vec<OptionId>>,
    },
}

/// Applies a step to a state.
pub(super) fn apply(table: &OptionTable, state: &mut Knowledge, step: &Step) {
    for &option in &step.off {
        state.remove(table, option);
    }
    for &option in &step.on {
        if state.is_live(option) {
            state.choose(table, option);
        }
    }
}
