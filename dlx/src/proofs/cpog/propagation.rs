//! Unit propagation from a state and its choice to the next state or to a contradiction. It
//! collects the hints of a lemma, and the conditions of the state that they assume.

use std::collections::{BTreeSet, HashSet};

use super::super::ProofFault;
use super::super::states::use_of;
use super::{Condition, ItemUse, Proven, UNUSED, Writer};
use crate::model::{ItemId, OptionId};
use crate::trust::formula::variable;

/// Unit propagation on the way to a contradiction.
pub(super) struct Propagation<'s> {
    pub(super) step: usize,
    pub(super) state: &'s [ItemUse],
    /// The option that is chosen at the step, if any.
    pub(super) choice: Option<OptionId>,
    /// The conditions of the state that the propagation assumes.
    pub(super) conditions: BTreeSet<Condition>,
    /// The literals that are true.
    pub(super) known: HashSet<i32>,
    pub(super) hints: Vec<u64>,
}

impl<'s> Propagation<'s> {
    pub(super) fn new(step: usize, state: &'s [ItemUse], assumed: Option<i32>) -> Self {
        let known = assumed.into_iter().collect();
        let (conditions, hints) = (BTreeSet::new(), Vec::new());
        Self { step, state, choice: None, conditions, known, hints }
    }

    pub(super) fn knows(&self, literal: i32) -> bool {
        self.known.contains(&literal)
    }

    /// Adds a hint, whose clause makes `literal` true.
    pub(super) fn add(&mut self, hint: u64, literal: i32) {
        self.hints.push(hint);
        self.known.insert(literal);
    }
}

impl Writer<'_, '_, '_> {
    /// Assumes a condition of the state.
    pub(super) fn assume(
        &mut self,
        condition: Condition,
        p: &mut Propagation<'_>,
    ) -> Result<(), ProofFault> {
        if p.conditions.insert(condition) {
            let literal = self.literal(condition, p.step)?;
            p.known.insert(literal);
        }
        Ok(())
    }

    /// Returns the literal that is true if a state at a step meets a condition.
    pub(super) fn literal(&mut self, (item, used): Condition, step: usize) -> Result<i32, ProofFault> {
        let item_use = (item, used.max(1));
        let count = self.links_before(item_use, step);
        let open = self.open(item_use, count)?.literal;
        Ok(if used == UNUSED { open } else { -open })
    }

    /// Makes the condition that an item is used true at a step. The state uses it, or the choice.
    pub(super) fn carry_used(
        &mut self,
        item_use: ItemUse,
        step: usize,
        p: &mut Propagation<'_>,
    ) -> Result<(), ProofFault> {
        let mut from = self.links_before(item_use, p.step);
        let to = self.links_before(item_use, step);
        if p.state.contains(&item_use) {
            self.assume(item_use, p)?;
        } else if let Some(choice) = p.choice {
            // The link of the choice follows.
            let open = self.open(item_use, from + 1)?;
            let place = self.links(item_use)[from].options.iter().position(|&option| option == choice);
            if !p.knows(-open.literal) {
                let factor = usize::from(from > 0) + place.unwrap_or_default();
                p.add(open.implies(factor), -open.literal);
            }
            from += 1;
        }
        for count in from + 1..=to {
            let open = self.open(item_use, count)?;
            if !p.knows(-open.literal) {
                p.add(open.implies(0), -open.literal);
            }
        }
        Ok(())
    }

    /// Makes the condition that an item is unused true at a later step. The steps in between are
    /// passed, and the choice does not contain the item.
    pub(super) fn carry_unused(
        &mut self,
        item: ItemId,
        step: usize,
        p: &mut Propagation<'_>,
    ) -> Result<(), ProofFault> {
        let item_use = (item, 1);
        let from = self.links_before(item_use, p.step);
        if from > 0 {
            self.assume((item, UNUSED), p)?;
        }
        for place in from..self.links_before(item_use, step) {
            let link_step = self.links(item_use)[place].step;
            let open = self.open(item_use, place + 1)?;
            let last = if place > 0 { Some(self.open(item_use, place)?.literal) } else { None };
            if link_step > p.step {
                self.pass(link_step, p)?;
            }
            let is_single = self.walk.steps[link_step].item.is_none();
            let id = match p.choice.filter(|_| link_step == p.step) {
                // The only option of the step is known to be false.
                _ if p.knows(open.literal) => continue,
                _ if is_single => open.definition,
                Some(choice) => self.kept(Ok(choice), item, place, open, last)?,
                None => self.kept(Err(link_step), item, place, open, last)?,
            };
            p.add(id, open.literal);
        }
        Ok(())
    }

    /// Makes `open` of the first `count` links of an item true if the options of the last link are
    /// known to be false, and so is `open` of the links before.
    pub(super) fn conclude_open(
        &mut self,
        item: ItemId,
        count: usize,
        p: &mut Propagation<'_>,
    ) -> Result<(), ProofFault> {
        let open = self.open((item, 1), count)?;
        if !p.knows(open.literal) {
            p.add(open.definition, open.literal);
        }
        Ok(())
    }

    /// Makes the negation of an option true that does not fit the state or the choice.
    pub(super) fn refute(
        &mut self,
        option: OptionId,
        p: &mut Propagation<'_>,
    ) -> Result<(), ProofFault> {
        let literal = -variable(option);
        if p.knows(literal) {
            return Ok(());
        }
        if let Some(pair) = p.choice.and_then(|choice| self.clauses.pairs.clause(choice, option)) {
            p.add(pair, literal);
            return Ok(());
        }
        let excludes = |&&(item, used): &&ItemUse| {
            let entries = self.walk.problem.option(option).iter();
            let mut same = entries.filter(|entry| entry.item == item);
            same.any(|entry| used == 1 || used != use_of(entry))
        };
        let Some(&item_use) = p.state.iter().find(excludes) else { return Ok(()) };
        let step = self.walk.step_of[option.index()];
        self.carry_used(item_use, step, p)?;
        let count = self.links_before(item_use, step);
        let exclusion = self.exclusion(item_use, count, option)?;
        p.add(exclusion, literal);
        Ok(())
    }

    /// Leads to a contradiction, because no remaining option with an item fits.
    pub(super) fn refute_item(
        &mut self,
        item: ItemId,
        p: &mut Propagation<'_>,
    ) -> Result<(), ProofFault> {
        let item_use = (item, 1);
        let (from, count) = (self.links_before(item_use, p.step), self.links(item_use).len());
        if from > 0 {
            self.assume((item, UNUSED), p)?;
        }
        for place in from..count {
            let options = self.links(item_use)[place].options.clone();
            options.iter().try_for_each(|&option| self.refute(option, p))?;
            if place + 1 < count {
                self.conclude_open(item, place + 1, p)?;
            }
        }
        let need = self.need(item)?;
        p.hints.push(need);
        Ok(())
    }

    /// Makes the conditions of the next state true, and adds its lemma.
    pub(super) fn follow(
        &mut self,
        next: usize,
        place: u32,
        p: &mut Propagation<'_>,
    ) -> Result<(), ProofFault> {
        let Proven { lemma, ref conditions, .. } = self.proven[next][place as usize];
        for &(item, used) in &conditions.clone() {
            match used {
                UNUSED => self.carry_unused(item, next, p)?,
                _ => self.carry_used((item, used), next, p)?,
            }
        }
        p.hints.push(lemma);
        Ok(())
    }

    /// Makes the negations of the options of a later step true that is passed, because no option
    /// of the step fits. Returns the literal that stands for all negations.
    pub(super) fn pass(&mut self, step: usize, p: &mut Propagation<'_>) -> Result<i32, ProofFault> {
        let first = self.walk.steps[step].options[0];
        let rest = self.rest(step, 0)?.map_or(-variable(first), |rest| rest.literal);
        if !p.knows(rest) {
            match self.walk.steps[step].item {
                Some(item) => {
                    self.carry_used((item, 1), step, p)?;
                    let passed = self.passed(step, item, rest)?;
                    p.add(passed, rest);
                }
                None => self.refute(first, p)?,
            }
        }
        Ok(rest)
    }
}
