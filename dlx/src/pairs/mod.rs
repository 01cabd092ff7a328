//! Solves problems whose options have at most two items, in polynomial time: a cover is a matching
//! in a graph.
//!
//! Items are the vertices, and options with two items are the edges. A cover matches each primary
//! item, or covers it by an option with no other item. Secondary items may stay free. Edmonds'
//! algorithm ([`Blossoms`]) finds such a matching or proves that there is none, for example for
//! dominoes on a board without two corners of one color. A second cover lacks some option of the
//! first cover, so each of these options is avoided in turn.
//!
//! Secondary items that occur in one option only are ignored. Colors of other items and bounds make
//! a problem unsuited.

mod blossoms;
pub(crate) mod graph;
#[cfg(test)]
mod tests;

pub(crate) use self::blossoms::{Blossoms, NONE};
use self::graph::Graph;
use crate::limits::Limits;
use crate::model::{Entry, OptionId, Problem};
use crate::portfolio::{Budget, Cut};

const STEPS_PER_ENTRY: u64 = 10;
const STEPS_PER_OPTION: u64 = 100;

const BYTES_PER_OPTION: usize = 60;

pub(crate) fn is_suited(problem: &Problem, limits: &Limits) -> bool {
    Reading::of(problem, &mut Budget::new(limits, u64::MAX, usize::MAX)).is_ok()
}

#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub(crate) is_primary: Vec<bool>,
    /// The vertices of each option, in ascending order. A missing second vertex is [`NONE`].
    pub(crate) options: Vec<([u32; 2], OptionId)>,
}

impl Reading {
    /// Reads a problem in linear time.
    ///
    /// # Errors
    /// [`Cut::Unsuited`] if an option has more than two relevant items, a relevant item has a
    /// color, or an item has bounds; or the error of the budget.
    pub(crate) fn of(problem: &Problem, budget: &mut Budget<'_>) -> Result<Self, Cut> {
        let options = || problem.options().map(|option| (option, problem.option(option)));
        let is_primary = |entry: &&Entry| problem.is_primary(entry.item);
        let is_large = |option: &[Entry]| option.iter().filter(is_primary).count() > 2;
        if options().any(|(_, option)| is_large(option)) || problem.has_bounds() {
            return Err(Cut::Unsuited);
        }
        budget.spend(STEPS_PER_ENTRY * problem.entry_count() as u64)?;
        // A secondary item in a single option is not relevant.
        let mut uses = vec![0_u32; problem.item_count()];
        let is_idle = |option: &[Entry]| !option.iter().any(|entry| is_primary(&entry));
        for (_, option) in options().filter(|(_, option)| !is_idle(option)) {
            option.iter().for_each(|entry| uses[entry.item.index()] += 1);
        }
        let mut this = Self { is_primary: Vec::new(), options: Vec::new() };
        let mut vertices = vec![NONE; problem.item_count()];
        for item in problem.items() {
            if problem.is_primary(item) || uses[item.index()] > 1 {
                vertices[item.index()] = this.is_primary.len() as u32;
                this.is_primary.push(problem.is_primary(item));
            }
        }
        for (number, option) in options().filter(|(_, option)| !is_idle(option)) {
            let mut ends = [NONE; 2];
            let mut places = ends.iter_mut();
            for entry in option {
                let vertex = vertices[entry.item.index()];
                if vertex != NONE {
                    *places.next().filter(|_| entry.color.is_none()).ok_or(Cut::Unsuited)? = vertex;
                }
            }
            ends.sort_unstable();
            this.options.push((ends, number));
        }
        Ok(this)
    }
}

/// Finds a first and a second cover of a problem as matchings.
#[derive(Debug)]
pub(crate) struct Pairs {
    is_primary: Vec<bool>,
    options: Vec<([u32; 2], OptionId)>,
    blossoms: Blossoms,
    /// The vertices of each option of the first cover, and the number of its options already known
    /// to be in every cover.
    first: Option<Vec<[u32; 2]>>,
    fixed: usize,
}

impl Pairs {
    /// Builds the graph and a greedy matching.
    ///
    /// # Errors
    /// [`Cut::Memory`] if the graph is too large, or the error of the budget.
    pub(crate) fn new(reading: Reading, budget: &mut Budget<'_>) -> Result<Self, Cut> {
        let Reading { is_primary, mut options } = reading;
        let size = options.len() + is_primary.len();
        budget.fits::<[u8; BYTES_PER_OPTION]>(size)?;
        budget.spend(STEPS_PER_OPTION * size as u64)?;
        options.sort_unstable();
        // A vertex with a one-item option need not be matched.
        let mut may_be_free: Vec<bool> = is_primary.iter().map(|is_primary| !is_primary).collect();
        let mut edges = Vec::with_capacity(options.len());
        for &(ends, _) in &options {
            match ends {
                [vertex, NONE] => may_be_free[vertex as usize] = true,
                ends => edges.push((ends, 1)),
            }
        }
        let graph = Graph::new(is_primary.len(), edges).ok_or(Cut::Unsuited)?;
        let blossoms = Blossoms::new(graph, may_be_free);
        Ok(Self { is_primary, options, blossoms, first: None, fixed: 0 })
    }

    /// Returns a cover, if there is one. Resumes after an interruption.
    ///
    /// # Errors
    /// The error of the budget, or [`Cut::Unsuited`] if a proof fails its check.
    pub(crate) fn cover(&mut self, budget: &mut Budget<'_>) -> Result<Option<Vec<OptionId>>, Cut> {
        if !self.blossoms.complete(budget)? {
            return Ok(None);
        }
        let chosen = self.chosen();
        let cover = self.options_of(&chosen);
        self.first = Some(chosen);
        Ok(Some(cover))
    }

    /// Returns a cover other than the first, if there is one. Resumes after an interruption.
    ///
    /// # Errors The errors of [`Self::cover`].
    pub(crate) fn another(&mut self, budget: &mut Budget<'_>) -> Result<Option<Vec<OptionId>>, Cut> {
        let first = self.first.as_ref().expect("the first cover comes before another");
        // If two options have the same vertices, exchange one for the other.
        let alike = |ends: &&[u32; 2]| self.all_of(**ends).len() > 1;
        if let Some(&ends) = first.iter().find(alike) {
            let [unlike, like] =
                [0, self.all_of(ends).len() - 1].map(|place| self.all_of(ends)[place].1);
            let mut cover = self.options_of(first);
            cover.iter_mut().filter(|option| **option == unlike).for_each(|option| *option = like);
            return Ok(Some(cover));
        }
        while let Some(&ends) = first.get(self.fixed) {
            if self.blossoms.avoid(ends, budget)? {
                return Ok(Some(self.options_of(&self.chosen())));
            }
            self.fixed += 1;
        }
        Ok(None)
    }

    fn chosen(&self) -> Vec<[u32; 2]> {
        let ends = (0..).zip(&self.blossoms.partners).map(|(vertex, &partner)| [vertex, partner]);
        let is_chosen = |&[vertex, partner]: &[u32; 2]| {
            partner > vertex && (partner != NONE || self.is_primary[vertex as usize])
        };
        ends.filter(is_chosen).collect()
    }

    fn options_of(&self, chosen: &[[u32; 2]]) -> Vec<OptionId> {
        chosen.iter().map(|&ends| self.all_of(ends)[0].1).collect()
    }

    fn all_of(&self, ends: [u32; 2]) -> &[([u32; 2], OptionId)] {
        let begin = self.options.partition_point(|&(other, _)| other < ends);
        let alike = &self.options[begin..];
        &alike[..alike.partition_point(|&(other, _)| other == ends)]
    }
}
