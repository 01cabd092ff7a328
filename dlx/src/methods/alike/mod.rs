//! First choices of a search that are alike: of those that leave the same problem under other names one is searched, and
//! counts as often.
//!
//! There are two ways to tell. Where the problem has symmetries, and they are few, they map choices to each other
//! ([orbits](orbits)); else what is left by each choice of the item that the search begins with has a form
//! ([forms](forms)). Both are compared in full, so no coincidence changes a number.
//!
//! Choices are compared where that takes a small share of the search, and the way that saves more nodes is taken.

mod forms;
mod orbits;

use std::collections::BTreeMap;
use std::sync::Arc;

pub(crate) use self::forms::one_of_each;
use crate::engine::Links;
use crate::limits::{Limit, Limits};
use crate::model::{Problem, Subtree};
use crate::search::Engine;

/// A search that is to take so many nanoseconds will hardly come to its end.
const HOPELESS: f64 = 1e13;
/// About the nanoseconds of a node of dancing links.
const LINKS_NODE: f64 = 100.0;
/// First choices are compared again if there is so many times as much time for the search.
const AGAIN: u64 = 4;
/// A search begins anew if it will search less than this fraction of what is left, since choices are alike.
const WORTH: f64 = 0.75;
/// A search loses little if it begins anew when it has had less than this fraction of the nodes that are left.
pub(crate) const EARLY: f64 = 0.25;
/// For parts of a search that are to be counted by anyone: the share of its time in which beginnings are found, the most work,
/// and the memory, whatever limits there are, so that all find the same.
const BEGINNINGS_SHARE: f64 = 0.02;
const BEGINNINGS_WORK: f64 = 1e9;
const BEGINNINGS_MEMORY: usize = 1 << 26;

/// First choices, and how many are like each of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Alike {
    /// By that number, the largest last.
    pub(super) groups: Vec<(u32, Vec<Subtree>)>,
    /// The choices that there are, and those that are searched.
    pub(super) all: usize,
    pub(super) searched: usize,
}

/// The search as it is expected without all this: its nodes, the nanoseconds of each, and the work that it may do now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outlook {
    pub(crate) nodes: f64,
    pub(crate) pace: f64,
    pub(crate) work: u64,
}

impl Outlook {
    /// Returns the nanoseconds of the search.
    pub(crate) fn time(self) -> f64 {
        self.nodes * self.pace
    }
}

impl Alike {
    /// Makes it of choices, each with how many are like it, itself included.
    fn new(kinds: Vec<(Subtree, u32)>) -> Self {
        let searched = kinds.len();
        let all = kinds.iter().map(|&(_, times)| times as usize).sum();
        let mut groups: BTreeMap<u32, Vec<Subtree>> = BTreeMap::new();
        kinds.into_iter().for_each(|(choice, times)| groups.entry(times).or_default().push(choice));
        Self { groups: groups.into_iter().collect(), all, searched }
    }

    /// Returns what share of the choices is searched.
    pub(super) fn share(&self) -> f64 {
        self.searched as f64 / self.all.max(1) as f64
    }

    /// Tells whether some are alike.
    pub(super) fn saves(&self) -> bool {
        self.searched < self.all
    }

    /// Returns how many choices are searched, and how many there are.
    pub(crate) fn counts(&self) -> [usize; 2] {
        [self.searched, self.all]
    }

    /// Returns the choices that are searched.
    pub(crate) fn choices(&self) -> impl Iterator<Item = &Subtree> {
        self.groups.iter().flat_map(|(_, choices)| choices)
    }

    /// Says how many choices of how many are searched.
    pub(crate) fn explain([searched, all]: [usize; 2]) -> String {
        format!("{searched} of {all} first choices, the others are like them")
    }

    /// Returns the choices that are searched, each with how many are like it.
    fn into_kinds(self) -> Vec<(Subtree, u32)> {
        let groups = self.groups.into_iter();
        groups
            .flat_map(|(times, choices)| choices.into_iter().map(move |choice| (choice, times)))
            .collect()
    }
}

/// What a search knows of its first choices.
#[derive(Debug)]
pub(crate) struct Comparison {
    /// Which are alike, as far as it was worth to be known with so much work.
    alike: Option<Alike>,
    work: u64,
    /// The number of symmetries, as far as it is known.
    order: usize,
}

impl Default for Comparison {
    fn default() -> Self {
        Self { alike: None, work: 0, order: 1 }
    }
}

impl Comparison {
    /// Tells whether there is much more work than when first choices were compared before.
    pub(crate) fn is_due(&self, work: u64) -> bool {
        work >= self.work.saturating_mul(AGAIN)
    }

    /// Compares the first choices with an engine for trials; tells whether some were found that promise less than what the search would
    /// begin with now, of which the outlook is. Nothing is known if that takes too long beside the search.
    ///
    /// # Errors
    /// The limit that ended it.
    pub(crate) fn look(
        &mut self,
        problem: &Arc<Problem>,
        mut outlook: Outlook,
        engine: &mut dyn Engine,
        limits: &Limits,
    ) -> Result<bool, Limit> {
        self.work = outlook.work;
        let had_none = self.alike().is_none();
        if self.alike.is_none() {
            self.alike = forms::of_first_item(problem, outlook, limits)?;
            outlook.nodes *= self.alike.as_ref().map_or(1.0, Alike::share);
        }
        let (orbits, order) = orbits::of_items(problem, outlook, engine, limits)?;
        let is_better = orbits.is_some();
        self.alike = orbits.or(self.alike.take());
        self.order = self.order.max(order);
        Ok(self.alike().is_some() && (had_none || is_better))
    }

    /// Returns the first choices, if some are alike.
    pub(crate) fn alike(&self) -> Option<&Alike> {
        self.alike.as_ref().filter(|alike| alike.saves())
    }

    /// Tells whether far less than that share of the tree is searched without choices that are like others.
    pub(crate) fn saves_of(&self, left: f64) -> bool {
        self.alike().is_some_and(|alike| alike.share() < WORTH * left)
    }

    /// Returns how many times less there would be to search by the symmetries than by the choices that are known to be alike.
    pub(super) fn unused(&self) -> f64 {
        self.order as f64 * self.alike.as_ref().map_or(1.0, Alike::share)
    }
}

/// Returns beginnings with an orbit of items that promise dancing links fewer nodes than so many, if there are such, one of
/// each class with how many are like it. They depend on nothing but the problem and the nodes.
///
/// # Errors
/// The limit of time that was reached, or the flag that was set.
pub(crate) fn one_of_each_beginning(
    problem: &Problem,
    nodes: f64,
    limits: &Limits,
) -> Result<Option<Vec<(Subtree, u32)>>, Limit> {
    let work = (nodes * BEGINNINGS_SHARE * LINKS_NODE).min(BEGINNINGS_WORK) as u64;
    let outlook = Outlook { nodes, pace: LINKS_NODE, work };
    let limits = Limits { memory: Some(BEGINNINGS_MEMORY), ..limits.clone() };
    let problem = Arc::new(problem.clone());
    let (alike, _) = orbits::of_items(&problem, outlook, &mut Links::new(&problem), &limits)?;
    Ok(alike.map(Alike::into_kinds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::samples::queens;

    #[test]
    fn what_takes_longer_than_it_saves_is_left() {
        let problem = Arc::new(queens(8));
        let outlook = Outlook { nodes: 1e3, pace: 10.0, work: u64::MAX };
        let engine = &mut Links::new(&problem);
        let mut comparison = Comparison::default();
        assert!(comparison.is_due(outlook.work));
        assert!(!comparison.look(&problem, outlook, engine, &Limits::default()).unwrap());
        assert!(comparison.alike.is_none());
    }
}
