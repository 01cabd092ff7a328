//! The search with the engine `filter`: the second contender of the method `search`, for problems
//! with few covers and many dead ends.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use num_bigint::BigUint;

use super::method::{Count, begun};
use super::search::{Sum, note_cover};
use crate::engine::{Filter, FilterSession, filter};
use crate::limits::Limit;
use crate::model::Problem;
use crate::portfolio::filtering::{AGREEMENT, TreeEstimate, tables};
use crate::portfolio::{Budget, Contender, Cut, Estimate, costs};
use crate::prepare::Weighted;
use crate::search::End;

pub(crate) const NAME: &str = "filter";
/// Minimum number of nodes for an estimate, for a reliable estimate, and for a reliable long
/// estimate.
const GUESS_NODES: u64 = 20;
const SURE_NODES: u64 = 500;
const SURE_NODES_LONG: u64 = 3000;
const LONG: f64 = 20e6;

/// A search with the engine `filter`, on one core. The search usually gets faster over time,
/// because it first branches on items that caused dead ends.
pub(super) struct Filtered<'p> {
    part: &'p Weighted,
    problem: Arc<Problem>,
    is_plain: bool,
    setup: f64,
    session: Option<FilterSession>,
    has_cover: &'p AtomicBool,
    found: BigUint,
    nodes: u64,
    updates: u64,
    pace: f64,
    foreseen: TreeEstimate,
}

impl<'p> Filtered<'p> {
    pub(super) fn new(
        part: &'p Weighted,
        problem: &Arc<Problem>,
        is_plain: bool,
        has_cover: &'p AtomicBool,
    ) -> Option<Self> {
        let setup = tables(problem).filter(|_| !problem.has_bounds())?
            + costs::FIRST_BYTE * filter::bytes(problem) as f64;
        Some(Self {
            part,
            problem: Arc::clone(problem),
            is_plain,
            setup,
            session: None,
            has_cover,
            found: BigUint::ZERO,
            nodes: 0,
            updates: 0,
            pace: 1.0,
            foreseen: TreeEstimate::default(),
        })
    }
}

impl Contender for Filtered<'_> {
    type Output = BigUint;

    fn name(&self) -> &'static str {
        NAME
    }

    fn run(&mut self, (): &mut (), budget: &mut Budget<'_>) -> Result<BigUint, Cut> {
        let problem = &self.problem;
        let session = begun(&mut self.session, budget, |budget| {
            budget.fits::<u8>(filter::bytes(problem))?;
            let mut filter = Filter::shared(problem).map_err(|_| Cut::Unsuited)?;
            filter.begin(&[], &[], budget.limits()).map_err(Cut::Limit)
        })?;
        budget.fits::<u8>(session.bytes())?;
        let limits = budget.limits().clone().progress(None);
        let (clock, begun, before) = (budget.clock(), budget.clock().now(), session.work());
        let until = before.saturating_add((budget.work() as f64 / self.pace) as u64);
        let report = if self.is_plain {
            let report = session.search_until(until, &limits, None);
            self.found += report.solutions;
            report
        } else {
            let mut sum = Sum::default();
            let report = session.search_until(
                until,
                &limits,
                Some(&mut |cover| {
                    sum.add(self.part, cover);
                    ControlFlow::Continue(())
                }),
            );
            self.found += sum.total();
            report
        };
        note_cover(self.has_cover, &self.found);
        let (time, done) = ((clock.now() - begun).as_nanos(), session.work() - before);
        if time > 0 && done > 0 {
            self.pace = time as f64 / done as f64;
        }
        self.nodes += report.nodes;
        self.updates += report.updates;
        self.foreseen.look(session.work(), session.fraction());
        match report.end {
            End::Exhausted => Ok(self.found.clone()),
            End::Limit(Limit::Nodes) => Err(Cut::Work),
            End::Limit(limit) => Err(Cut::Limit(limit)),
            End::Stopped => unreachable!("the visitor goes on"),
        }
    }

    fn effort(&self) -> (u64, u64) {
        (self.nodes, self.updates)
    }

    fn known(&self) -> Option<BigUint> {
        Some(self.found.clone())
    }

    fn setup(&self) -> f64 {
        if self.session.is_none() { self.setup } else { 0.0 }
    }

    fn estimate(&self, spent: Duration) -> Estimate {
        let Some(session) = &self.session else {
            return Estimate::guess(self.setup() + 3.0 * costs::COUNT_UNKNOWN);
        };
        let (left, is_agreed) = self.foreseen.left(session.work());
        let left = self.pace * left;
        if self.nodes < SURE_NODES {
            let left = if self.nodes < GUESS_NODES { 0.0 } else { left };
            return Estimate::guess(left.max(2.0 * spent.as_nanos() as f64));
        }
        let is_right = is_agreed && (left <= LONG || self.nodes >= SURE_NODES_LONG);
        Estimate::new(left, is_right.then_some(AGREEMENT))
    }

    fn bytes(&self) -> usize {
        self.session.as_ref().map_or(0, FilterSession::bytes)
    }
}

impl Count for Filtered<'_> {
    fn explain(&self) -> String {
        format!("{NAME}, {} nodes", self.nodes)
    }
}
