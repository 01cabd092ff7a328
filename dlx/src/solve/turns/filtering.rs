//! The search with the engine `filter`, as a contender.
//!
//! The slices of this contender are measured in its own work units ([`FilterSession::work`]). The
//! searched share of the tree yields an estimate of the whole work; it counts as a bound if it is
//! not much larger than the previous estimate.
//!
//! If all covers are wanted, this contender holds back the covers that it finds ([`Turns`]),
//! because depth-first search lists the same covers. The visitor gets the covers when this
//! contender has found all of them, or enough of them to continue alone.

use std::sync::Arc;
use std::time::Duration;

use super::sum::{Question, Turns};
use crate::engine::{Filter, FilterSession, filter};
use crate::model::{OptionId, Problem};
use crate::portfolio::filtering::{AGREEMENT, TreeEstimate, tables};
use crate::portfolio::{Budget, Contender, Cut, Estimate};
use crate::search::End;

pub(super) const NAME: &str = "filter";
/// Share of this contender in dense and in sparse problems, relative to the chosen engine.
const SHARE_DENSE: f64 = 2.0;
const SHARE_SPARSE: f64 = 0.5;
/// Factor on the build time of the tables that yields the first estimate. The factor keeps the
/// build time a small part of the whole (tuned on packings).
const SETUP_PART: f64 = 80.0;
/// Minimum number of nodes before the size of the tree is estimated.
const SURE_NODES: u64 = 1000;

pub(super) struct Filtering<'p> {
    problem: &'p Arc<Problem>,
    filter: &'p mut Option<Filter>,
    given: &'p [OptionId],
    session: Option<FilterSession>,
    share: f64,
    is_node_by_node: bool,
    nodes: u64,
    foreseen: TreeEstimate,
}

impl<'p> Filtering<'p> {
    pub(super) fn new(
        problem: &'p Arc<Problem>,
        filter: &'p mut Option<Filter>,
        given: &'p [OptionId],
        is_dense: bool,
        is_node_by_node: bool,
    ) -> Self {
        let share = match (is_node_by_node, is_dense) {
            (true, _) => 1.0,
            (false, true) => SHARE_DENSE,
            (false, false) => SHARE_SPARSE,
        };
        let foreseen = TreeEstimate::default();
        Self { problem, filter, given, session: None, share, is_node_by_node, nodes: 0, foreseen }
    }

    fn session(&mut self, budget: &mut Budget<'_>) -> Result<&mut FilterSession, Cut> {
        if self.session.is_none() {
            budget.fits::<u8>(filter::bytes(self.problem))?;
            let filter = match &mut *self.filter {
                Some(filter) => filter,
                none => {
                    let filter = Filter::shared(self.problem).map_err(|_| Cut::Unsuited)?;
                    budget.charge(self.problem.entry_count() as u64);
                    none.insert(filter)
                }
            };
            let begun = budget.begin(|budget| filter.begin(self.given, &[], budget.limits()));
            self.session = Some(begun.map_err(Cut::Limit)?);
        }
        Ok(self.session.as_mut().expect("it was begun"))
    }
}

impl<'l, 'o, 'v> Contender<Turns<'l, 'o, 'v>> for Filtering<'_> {
    type Output = End;

    fn name(&self) -> &'static str {
        NAME
    }

    fn run(&mut self, turns: &mut Turns<'l, 'o, 'v>, budget: &mut Budget<'_>) -> Result<End, Cut> {
        if turns.question == Question::All && turns.solutions() > 0 {
            return Err(Cut::Unsuited);
        }
        let (slice, setup) = (budget.work(), self.setup() as u64);
        let is_node_by_node = self.is_node_by_node;
        let session = self.session(budget)?;
        budget.fits::<u8>(session.bytes())?;
        let before = session.work();
        let until = before.saturating_add(slice.saturating_sub(setup).max(1));
        let (end, nodes) = turns.filter(session, until);
        let (work, fraction) = (session.work(), session.fraction());
        // If slices have one node, a node counts as the work of the whole slice.
        budget.charge(if is_node_by_node { slice } else { setup + work - before });
        self.nodes += nodes;
        self.foreseen.look(work, fraction);
        match turns.judge(end) {
            Err(end) => Ok(end),
            Ok(true) => Ok(turns.end_of_filter()),
            Ok(false) => Err(Cut::Work),
        }
    }

    fn setup(&self) -> f64 {
        if self.session.is_some() || self.is_node_by_node {
            return 0.0;
        }
        tables(self.problem).unwrap_or(0.0)
    }

    fn share(&self) -> f64 {
        self.share
    }

    fn estimate(&self, spent: Duration) -> Estimate {
        let Some(session) = &self.session else { return Estimate::guess(SETUP_PART * self.setup()) };
        match self.foreseen.left(session.work()) {
            (left, true) if self.nodes >= SURE_NODES => Estimate::at_most(left, AGREEMENT),
            _ => Estimate::guess(spent.as_nanos() as f64),
        }
    }

    fn bytes(&self) -> usize {
        self.session.as_ref().map_or(0, FilterSession::bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::ops::ControlFlow;

    use super::*;
    use crate::limits::{Limit, Limits};
    use crate::model::samples::{latin, rows};
    use crate::portfolio::budget::free;

    /// Returns the number of covers, the number of covers passed to the visitor, and the end, found
    /// by this contender alone.
    fn answer(problem: &Problem, limits: &Limits, is_shown: bool) -> (u64, u64, End) {
        let (problem, mut filter) = (Arc::new(problem.clone()), None);
        let mut filtering = Filtering::new(&problem, &mut filter, &[], true, false);
        let mut shown = BTreeSet::new();
        let mut visit = |cover: &[OptionId]| {
            assert_eq!(crate::trust::verify(&problem, &[], cover), Ok(()));
            let cover: BTreeSet<_> = cover.iter().copied().collect();
            assert!(shown.insert(cover), "a cover is shown once");
            ControlFlow::Continue(())
        };
        let mut turns = Turns::new(Question::new(limits, is_shown), limits, &mut visit);
        let end = loop {
            let mut slice = Budget::new(limits, 50_000, usize::MAX);
            match filtering.run(&mut turns, &mut slice) {
                Ok(end) => break end,
                Err(cut) => assert_eq!(cut, Cut::Work),
            }
        };
        let report = turns.report(end);
        (report.solutions, shown.len() as u64, report.end)
    }

    #[test]
    fn the_search_that_filters_answers_every_question() {
        for (problem, all) in [(latin(4), 576), (rows(&[6]), 13), ("a b\na\n".parse().unwrap(), 0)] {
            for wanted in [Some(1), Some(2), Some(10), Some(600), None] {
                let limits = Limits::new().solutions(wanted);
                let few = wanted.map_or(all, |wanted| wanted.min(all));
                let end =
                    if wanted == Some(few) { End::Limit(Limit::Solutions) } else { End::Exhausted };
                assert_eq!(answer(&problem, &limits, true), (few, few, end), "{wanted:?} of {all}");
                if wanted.is_some_and(|wanted| wanted > 2) {
                    assert_eq!(answer(&problem, &limits, false), (few, 0, end));
                }
            }
        }
    }

    #[test]
    fn the_search_that_filters_continues_alone_if_it_finds_many_covers_first() {
        let limits = Limits::new().solutions(1500);
        let end = End::Limit(Limit::Solutions);
        assert_eq!(answer(&latin(5), &limits, true), (1500, 1500, end));
    }

    #[test]
    fn covers_held_back_are_dropped_if_another_contender_shows_covers() {
        let (problem, limits) = (Arc::new(latin(5)), Limits::new());
        let (mut filter, mut shown) = (None, 0);
        let mut filtering = Filtering::new(&problem, &mut filter, &[], true, true);
        let mut visit = |_: &[OptionId]| {
            shown += 1;
            ControlFlow::Continue(())
        };
        let mut turns = Turns::new(Question::All, &limits, &mut visit);
        let mut slice = Budget::new(&limits, 50_000, usize::MAX);
        assert_eq!(filtering.run(&mut turns, &mut slice), Err(Cut::Work));
        _ = turns.show(&[]);
        assert_eq!(filtering.run(&mut turns, &mut free()), Err(Cut::Unsuited));
        turns.show_held();
        drop(turns);
        assert_eq!(shown, 1);
    }
}
