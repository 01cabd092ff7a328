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
use crate::limits::{Limit, Limits};
use crate::model::{Problem, Subtree};
use crate::search::Engine;

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
        now = forms::of_first_item(problem, outlook.time(), limits)?;
        outlook.nodes *= now.as_ref().map_or(1.0, Alike::share);
    }
    let (orbits, order) = orbits::of_items(problem, outlook, engine, limits)?;
    Ok((orbits.or(now), order))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Links;
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
