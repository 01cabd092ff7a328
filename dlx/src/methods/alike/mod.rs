//! Finds isomorphic first choices of a search. Of the choices with isomorphic subproblems, one is
//! searched, and its count is multiplied by the size of the class.
//!
//! If the problem has few symmetries, classes of choices are [orbits](orbits) of its symmetry
//! group. Otherwise the choices of the first item are compared by the canonical [forms](forms) of
//! their subproblems. Both techniques compare completely, so a hash collision cannot change a
//! count. The technique that saves more nodes is used, if it takes a small share of the search
//! time.

mod forms;
mod orbits;

use std::collections::BTreeMap;
use std::sync::Arc;

pub(crate) use self::forms::class_representatives;
use crate::engine::Links;
use crate::limits::{Limit, Limits};
use crate::model::{Problem, Subtree};
use crate::search::Engine;

/// Estimated time above which a search is not expected to finish (ns).
const HOPELESS: f64 = 1e13;
const LINKS_NODE: f64 = 100.0;
/// Minimum growth factor of the available work before first choices are compared again.
const AGAIN: u64 = 4;
/// A search restarts to skip isomorphic choices if this leaves less than this share of its
/// unsearched tree.
const WORTH: f64 = 0.75;
/// A restart is cheap if the nodes visited so far are less than this multiple of the remaining
/// nodes.
pub(crate) const EARLY: f64 = 0.25;
/// Limits for finding the partial covers of an orbit that machines count as shards: share of the
/// search time, work (ns) and memory (bytes). These limits are constants, so that all machines find
/// the same partial covers.
const BEGINNINGS_SHARE: f64 = 0.02;
const BEGINNINGS_WORK: f64 = 1e9;
const BEGINNINGS_MEMORY: usize = 1 << 26;

/// The isomorphism classes of first choices, with one representative and the size of each class.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChoiceClasses {
    pub(super) groups: Vec<(u32, Vec<Subtree>)>,
    pub(super) all: usize,
    pub(super) searched: usize,
}

/// The expected search without symmetry reduction: its number of nodes, its time per node (ns), and
/// the work available now (ns).
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExpectedSearch {
    pub(crate) nodes: f64,
    pub(crate) pace: f64,
    pub(crate) work: u64,
}

impl ExpectedSearch {
    pub(crate) fn time(self) -> f64 {
        self.nodes * self.pace
    }
}

impl ChoiceClasses {
    fn new(kinds: Vec<(Subtree, u32)>) -> Self {
        let searched = kinds.len();
        let all = kinds.iter().map(|&(_, times)| times as usize).sum();
        let mut groups: BTreeMap<u32, Vec<Subtree>> = BTreeMap::new();
        kinds.into_iter().for_each(|(choice, times)| groups.entry(times).or_default().push(choice));
        Self { groups: groups.into_iter().collect(), all, searched }
    }

    pub(super) fn share(&self) -> f64 {
        self.searched as f64 / self.all.max(1) as f64
    }

    pub(super) fn saves(&self) -> bool {
        self.searched < self.all
    }

    pub(crate) fn counts(&self) -> [usize; 2] {
        [self.searched, self.all]
    }

    pub(crate) fn choices(&self) -> impl Iterator<Item = &Subtree> {
        self.groups.iter().flat_map(|(_, choices)| choices)
    }

    pub(crate) fn explain([searched, all]: [usize; 2]) -> String {
        format!("{searched} of {all} first choices, the others are like them")
    }

    fn into_kinds(self) -> Vec<(Subtree, u32)> {
        let groups = self.groups.into_iter();
        groups
            .flat_map(|(times, choices)| choices.into_iter().map(move |choice| (choice, times)))
            .collect()
    }
}

#[derive(Debug)]
pub(crate) struct Comparison {
    /// The best classes so far, and the work that was available at the last comparison.
    alike: Option<ChoiceClasses>,
    work: u64,
    order: usize,
}

impl Default for Comparison {
    fn default() -> Self {
        Self { alike: None, work: 0, order: 1 }
    }
}

impl Comparison {
    pub(crate) fn is_due(&self, work: u64) -> bool {
        work >= self.work.saturating_mul(AGAIN)
    }

    /// Compares the first choices within the available time, with trial searches by `engine`.
    /// Returns whether the new classes promise fewer nodes than the current ones.
    pub(crate) fn look(
        &mut self,
        problem: &Arc<Problem>,
        mut outlook: ExpectedSearch,
        engine: &mut dyn Engine,
        limits: &Limits,
    ) -> Result<bool, Limit> {
        self.work = outlook.work;
        let had_none = self.alike().is_none();
        if self.alike.is_none() {
            self.alike = forms::of_first_item(problem, outlook, limits)?;
            outlook.nodes *= self.alike.as_ref().map_or(1.0, ChoiceClasses::share);
        }
        let (orbits, order) = orbits::of_items(problem, outlook, engine, limits)?;
        let is_better = orbits.is_some();
        self.alike = orbits.or(self.alike.take());
        self.order = self.order.max(order);
        Ok(self.alike().is_some() && (had_none || is_better))
    }

    pub(crate) fn alike(&self) -> Option<&ChoiceClasses> {
        self.alike.as_ref().filter(|alike| alike.saves())
    }

    /// Returns whether skipping isomorphic choices leaves far less to search than the share `left`
    /// of the tree.
    pub(crate) fn saves_of(&self, left: f64) -> bool {
        self.alike().is_some_and(|alike| alike.share() < WORTH * left)
    }

    /// Returns the reduction factor of the search that the symmetries of the problem still allow.
    pub(super) fn unused(&self) -> f64 {
        self.order as f64 * self.alike.as_ref().map_or(1.0, ChoiceClasses::share)
    }
}

/// Returns one representative per symmetry class of the partial covers of an orbit, with the size
/// of the class, if dancing links need fewer than `nodes` nodes for them. The result depends only
/// on the problem and `nodes`.
pub(crate) fn representative_beginnings(
    problem: &Problem,
    nodes: f64,
    limits: &Limits,
) -> Result<Option<Vec<(Subtree, u32)>>, Limit> {
    let work = (nodes * BEGINNINGS_SHARE * LINKS_NODE).min(BEGINNINGS_WORK) as u64;
    let outlook = ExpectedSearch { nodes, pace: LINKS_NODE, work };
    let limits = limits.clone().memory(BEGINNINGS_MEMORY);
    let problem = Arc::new(problem.clone());
    let (alike, _) = orbits::of_items(&problem, outlook, &mut Links::new(&problem), &limits)?;
    Ok(alike.map(ChoiceClasses::into_kinds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::samples::queens;

    #[test]
    fn a_comparison_that_costs_more_than_it_saves_is_skipped() {
        let problem = Arc::new(queens(8));
        let outlook = ExpectedSearch { nodes: 1e3, pace: 10.0, work: u64::MAX };
        let engine = &mut Links::new(&problem);
        let mut comparison = Comparison::default();
        assert!(comparison.is_due(outlook.work));
        assert!(!comparison.look(&problem, outlook, engine, &Limits::default()).unwrap());
        assert!(comparison.alike.is_none());
    }
}
