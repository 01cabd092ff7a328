//! The last resort of an explanation: tries the options of an item one by one, and all but one lead
//! to a contradiction.
//!
//! The item with the fewest options is split. Ties are broken by an order independent of names
//! (`keys`). In each branch, forced and locked options are applied, then the branch is split in
//! turn. A branch with a cover stays open and is not explored further. So if the problem has one
//! cover, all branches but one fail. Two covers end the whole explanation.
//!
//! Bounds: [`CaseSplitter::nodes`] branches in total, and [`DEPTH_MAX`] nested splits.

use super::keys::StepKeys;
use super::state::{Knowledge, OptionTable};
use super::step::{Branch, Reason, Step};
use super::{forced, locked, score};
use crate::limits::{Limit, Pace};
use crate::model::{ItemId, OptionId};

const DEPTH_MAX: usize = 400;

#[derive(Debug)]
pub(super) enum SplitResult {
    Step(Step),
    Several(Box<[Vec<OptionId>; 2]>),
}

enum BranchEnd {
    Fails(ItemId),
    Covers(Vec<Vec<OptionId>>),
}

#[derive(Debug)]
pub(super) struct CaseSplitter<'t, 'l> {
    pub(super) table: &'t OptionTable,
    pub(super) keys: &'t StepKeys,
    pub(super) nodes: u64,
    pub(super) pace: Pace<'l>,
    pub(super) keeps: bool,
}

impl CaseSplitter<'_, '_> {
    pub(super) fn split(&mut self, state: &Knowledge) -> Result<SplitResult, Limit> {
        let nodes = self.nodes;
        let item = self.choose(state).expect("an item is open");
        let mut state = state.clone();
        match self.branch(&mut state, item, 0)? {
            SplitOutcome::Several(covers) => Ok(SplitResult::Several(covers)),
            SplitOutcome::Step { mut step, .. } => {
                step.score = score::split(nodes - self.nodes);
                Ok(SplitResult::Step(step))
            }
        }
    }

    fn choose(&self, state: &Knowledge) -> Option<ItemId> {
        let open = self.table.problem.items().filter(|&item| state.need(item) > 0);
        open.min_by_key(|&item| (state.need(item) > 1, state.live(item), self.keys.item(item)))
    }

    fn branch(
        &mut self,
        state: &mut Knowledge,
        item: ItemId,
        depth: usize,
    ) -> Result<SplitOutcome, Limit> {
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
                BranchEnd::Fails(conflict) => branches.push(Branch { option, is_on, steps, conflict }),
                BranchEnd::Covers(found) => {
                    covers.extend(found);
                    covers.sort();
                    covers.dedup();
                    open.push((option, is_on));
                    if covers.len() > 1 {
                        let mut covers = covers.into_iter();
                        let mut next = || covers.next().expect("there are two");
                        return Ok(SplitOutcome::Several(Box::new([next(), next()])));
                    }
                }
            }
        }
        let (mut on, mut off) = (Vec::new(), Vec::new());
        for branch in &branches {
            if branch.is_on { &mut off } else { &mut on }.push(branch.option);
        }
        if let [(option, true)] = *open {
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
        Ok(SplitOutcome::Step { step, cover: covers.pop() })
    }

    fn resolve(
        &mut self,
        mut state: Knowledge,
        kept: &mut Vec<Step>,
        depth: usize,
    ) -> Result<BranchEnd, Limit> {
        loop {
            self.pace.spend(8 * self.table.problem.item_count() as u64)?;
            if let Some(conflict) = state.conflict() {
                return Ok(BranchEnd::Fails(conflict));
            }
            if state.is_covered() {
                let mut covers = vec![state.chosen.clone()];
                let first = state.options().next();
                if let Some(option) = first {
                    state.choose(self.table, option);
                    covers.push(state.chosen);
                }
                covers.iter_mut().for_each(|cover| cover.sort_unstable());
                return Ok(BranchEnd::Covers(covers));
            }
            let mut steps = forced::find(self.table, &state, &[]);
            if steps.is_empty() {
                steps = locked::find(self.table, &state, &[], &mut self.pace)?;
            }
            let is_new = !steps.is_empty();
            // An earlier step may have excluded the option that a later step forces, which the next
            // iteration detects.
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
                SplitOutcome::Several(covers) => return Ok(BranchEnd::Covers(covers.to_vec())),
                SplitOutcome::Step { cover: Some(cover), .. } => {
                    return Ok(BranchEnd::Covers(vec![cover]));
                }
                SplitOutcome::Step { step, cover: None } => {
                    debug_assert!(before.conflict().is_none(), "the branch was open before");
                    if self.keeps {
                        kept.push(step);
                    }
                    return Ok(BranchEnd::Fails(item));
                }
            }
        }
    }
}

enum SplitOutcome {
    Several(Box<[Vec<OptionId>; 2]>),
    Step { step: Step, cover: Option<Vec<OptionId>> },
}

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
