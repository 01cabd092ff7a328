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
/// For parts of a search that are to be counted by anyone: the share of its time in which beginnings are found, the most work,
/// and the memory, whatever limits there are, so that all find the same.
const BEGINNINGS_SHARE: f64 = 0.02;
const BEGINNINGS_WORK: f64 = 1e9;
const BEGINNINGS_MEMORY: usize = 1 << 26;

/// First choices, and how many are like each of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Alike {
    /// By that number, the largest last.
    pub(super) groups: Vec<(u32, Vec<Subtree>)>,
    /// The choices that there are, and those that are searched.
    pub(super) all: usize,
    pub(super) searched: usize,
}

/// The search as it is expected without all this: its nodes, the nanoseconds of each, and the work that it may do now.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlook {
    pub(super) nodes: f64,
    pub(super) pace: f64,
    pub(super) work: u64,
}

impl Outlook {
    /// Returns the nanoseconds of the search.
    fn time(self) -> f64 {
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

    /// Returns the choices that are searched, each with how many are like it.
    fn into_kinds(self) -> Vec<(Subtree, u32)> {
        let groups = self.groups.into_iter();
        groups
            .flat_map(|(times, choices)| choices.into_iter().map(move |choice| (choice, times)))
            .collect()
    }
}

/// Compares the first choices of a search, with an engine for trials; `None` if that takes too long beside it. What was known
/// before is what the search would begin with now. Returns also the number of symmetries, as far as it was found.
///
/// # Errors
/// The limit that ended it.
pub(super) fn alike(
    problem: &Arc<Problem>,
    before: Option<Alike>,
    mut outlook: Outlook,
    engine: &mut dyn Engine,
    limits: &Limits,
) -> Result<(Option<Alike>, usize), Limit> {
    let mut now = before;
    if now.is_none() {
        now = forms::of_first_item(problem, outlook, limits)?;
        outlook.nodes *= now.as_ref().map_or(1.0, Alike::share);
    }
    let (orbits, order) = orbits::of_items(problem, outlook, engine, limits)?;
    Ok((orbits.or(now), order))
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
        let (alike, _) = alike(&problem, None, outlook, engine, &Limits::default()).unwrap();
        assert!(alike.is_none());
    }
}
