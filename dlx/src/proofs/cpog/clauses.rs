//! Auxiliary nodes, and the clauses about them that hold in every state. Each is written when it is
//! first needed.

use super::super::ProofFault;
use super::nodes::Product;
use super::propagation::Propagation;
use super::{ItemUse, NodeLink, Writer};
use crate::model::{ItemId, OptionId};
use crate::trust::formula::variable;

impl Writer<'_, '_, '_> {
    pub(super) fn links(&self, item_use: ItemUse) -> &[NodeLink] {
        self.links.get(&item_use).map_or(&[], Vec::as_slice)
    }

    /// Returns the number of links of a use before a step.
    pub(super) fn links_before(&self, item_use: ItemUse, step: usize) -> usize {
        self.links(item_use).partition_point(|link| link.step < step)
    }

    /// Returns the node that is true if no option of the first `count` links is chosen.
    pub(super) fn open(&mut self, item_use: ItemUse, count: usize) -> Result<Product, ProofFault> {
        let known = self.links(item_use)[..count].iter().rposition(|link| link.open.is_some());
        let mut last = known.and_then(|place| self.links(item_use)[place].open);
        for place in known.map_or(0, |place| place + 1)..count {
            let options = self.links(item_use)[place].options.iter();
            let mut factors: Vec<i32> = last.map(|last| last.literal).into_iter().collect();
            factors.extend(options.map(|&option| -variable(option)));
            let product = self.log.product_or_factor(&factors)?;
            if let Some(links) = self.links.get_mut(&item_use) {
                links[place].open = Some(product);
            }
            last = Some(product);
        }
        last.ok_or(ProofFault::Stopped)
    }

    /// Returns the node that is true if no option of a step from place `from` on is chosen, or
    /// `None` if there is no such option.
    pub(super) fn rest(&mut self, step: usize, from: usize) -> Result<Option<Product>, ProofFault> {
        if self.rests[step].is_empty() {
            let mut rests: Vec<Product> = Vec::new();
            for &option in self.walk.steps[step].options.iter().rev() {
                let mut factors = vec![-variable(option)];
                factors.extend(rests.last().map(|rest| rest.literal));
                rests.push(self.log.product_or_factor(&factors)?);
            }
            rests.reverse();
            self.rests[step] = rests;
        }
        Ok(self.rests[step].get(from).copied())
    }

    /// Writes a clause without conditions: if `assumed` are true, then `literal` is.
    pub(super) fn imply(
        &mut self,
        assumed: &[i32],
        literal: i32,
        derive: impl FnOnce(&mut Self, &mut Propagation<'_>) -> Result<(), ProofFault>,
    ) -> Result<u64, ProofFault> {
        let mut p = Propagation::new(0, &[], None);
        p.known.extend(assumed);
        derive(self, &mut p)?;
        let mut clause: Vec<i32> = assumed.iter().map(|literal| -literal).collect();
        clause.push(literal);
        self.log.clause(&clause, &p.hints)
    }

    /// Returns the clause: unless no option of the first `count` links is chosen, `option` is not.
    pub(super) fn exclusion(
        &mut self,
        item_use: ItemUse,
        count: usize,
        option: OptionId,
    ) -> Result<u64, ProofFault> {
        let key = (item_use, count, option);
        if let Some(&id) = self.exclusions.get(&key) {
            return Ok(id);
        }
        let open = self.open(item_use, count)?;
        let id = if open.is_node() {
            // Suppose that the option is chosen. Then no option of the links is.
            let mut hints = Vec::new();
            let links = self.links.get(&item_use).map_or(&[][..], Vec::as_slice);
            for link in &links[..count] {
                hints.extend(
                    link.options.iter().filter_map(|&other| self.clauses.pairs.clause(option, other)),
                );
            }
            let opens = links[..count].iter().filter_map(|link| link.open);
            hints.extend(opens.filter(|open| open.is_node()).map(|open| open.definition));
            self.log.clause(&[open.literal, -variable(option)], &hints)?
        } else {
            self.clauses.pairs.clause(option, self.links(item_use)[0].options[0]).unwrap_or_default()
        };
        self.exclusions.insert(key, id);
        Ok(id)
    }

    /// Returns the clause: if `option` is chosen, the later options of its step are not.
    pub(super) fn only(&mut self, option: OptionId, rest: i32) -> Result<u64, ProofFault> {
        if let Some(&id) = self.only.get(&option) {
            return Ok(id);
        }
        let (step, from) = (self.walk.step_of[option.index()], self.places[option.index()] + 1);
        let others = &self.walk.steps[step].options[from..];
        let pairs = others.iter().filter_map(|&other| self.clauses.pairs.clause(option, other));
        let mut hints: Vec<u64> = pairs.collect();
        let id = match hints[..] {
            [pair] => pair,
            _ => {
                let rests = self.rests[step][from..].iter().rev().filter(|rest| rest.is_node());
                hints.extend(rests.map(|rest| rest.definition));
                self.log.clause(&[-variable(option), rest], &hints)?
            }
        };
        self.only.insert(option, id);
        Ok(id)
    }

    /// Returns the clause: if the item of a step is covered before, its options are not chosen.
    pub(super) fn passed(&mut self, step: usize, item: ItemId, rest: i32) -> Result<u64, ProofFault> {
        if self.passed[step] == 0 {
            let count = self.links_before((item, 1), step);
            let options = &self.walk.steps[step].options;
            let exclusions = options.iter().map(|&option| self.exclusion((item, 1), count, option));
            let mut hints: Vec<u64> = exclusions.collect::<Result<_, _>>()?;
            self.passed[step] = match hints[..] {
                [exclusion] => exclusion,
                _ => {
                    let open = self.open((item, 1), count)?;
                    let rests = self.rests[step].iter().rev().filter(|rest| rest.is_node());
                    hints.extend(rests.map(|rest| rest.definition));
                    self.log.clause(&[open.literal, rest], &hints)?
                }
            };
        }
        Ok(self.passed[step])
    }

    /// Returns the clause: if no earlier option of an item is chosen, one of its last link is.
    pub(super) fn need(&mut self, item: ItemId) -> Result<u64, ProofFault> {
        let long = self.clauses.long[item.index()];
        let count = self.links((item, 1)).len();
        if count < 2 {
            return Ok(long);
        }
        if self.needs[item.index()] == 0 {
            let open = self.open((item, 1), count - 1)?;
            let links = self.links((item, 1));
            let mut hints = Vec::new();
            for (place, link) in links[..count - 1].iter().enumerate().rev() {
                let Some(open) = link.open.filter(|open| open.is_node()) else { continue };
                let factor_count = link.options.len() + usize::from(place > 0);
                hints.extend((0..factor_count).rev().map(|factor| open.implies(factor)));
            }
            hints.push(long);
            let mut clause = vec![-open.literal];
            clause.extend(links[count - 1].options.iter().map(|&option| variable(option)));
            self.needs[item.index()] = self.log.clause(&clause, &hints)?;
        }
        Ok(self.needs[item.index()])
    }

    /// Returns the clause: if `last` is true, and an option without the item (`Ok`) or no option
    /// (`Err`) is chosen at the step of a link, then `open` is true.
    pub(super) fn kept(
        &mut self,
        key: Result<OptionId, usize>,
        item: ItemId,
        place: usize,
        open: Product,
        last: Option<i32>,
    ) -> Result<u64, ProofFault> {
        if let Some(&id) = self.kept.get(&(key, item, place)) {
            return Ok(id);
        }
        let options = self.links((item, 1))[place].options.clone();
        let id = match key {
            Ok(choice) => {
                let mut assumed = vec![variable(choice)];
                assumed.extend(last);
                self.imply(&assumed, open.literal, |writer, p| {
                    p.choice = Some(choice);
                    options.iter().try_for_each(|&option| writer.refute(option, p))?;
                    if open.is_node() {
                        p.hints.push(open.definition);
                    }
                    Ok(())
                })?
            }
            Err(step) => {
                let Some(rest) = self.rest(step, 0)? else { return Ok(0) };
                let mut assumed = vec![rest.literal];
                assumed.extend(last);
                self.imply(&assumed, open.literal, |writer, p| {
                    writer.unfold_rest(step, &options, p);
                    if open.is_node() {
                        p.hints.push(open.definition);
                    }
                    Ok(())
                })?
            }
        };
        self.kept.insert((key, item, place), id);
        Ok(id)
    }

    /// Makes the negations of some options of a step true, if `rest` of the step is.
    pub(super) fn unfold_rest(&self, step: usize, options: &[OptionId], p: &mut Propagation<'_>) {
        let rests = &self.rests[step];
        let last = options.iter().map(|option| self.places[option.index()]).max().unwrap_or(0);
        for (place, rest) in rests.iter().enumerate().take(last + 1) {
            if !rest.is_node() {
                continue;
            }
            let option = self.walk.steps[step].options[place];
            if options.contains(&option) {
                p.add(rest.implies(0), -variable(option));
            }
            if place < last {
                p.add(rest.implies(1), rests[place + 1].literal);
            }
        }
    }
}
