//! Clause learning as a contender, with helpers on other cores in long slices.
//!
//! Its slices are of work that it counts itself ([`Session::work`]), not of nodes: one takes 2 microseconds with golfers, 7
//! to 14 in quasigroups, 20 to 150 where shapes of many cells are packed, and for those the problem's form promised 20
//! times too much. The work is 0.75 to 1.25 of the processor time on 16 of 17 problems, 0.55 on blocks of 4 on 25 points.
//!
//! Tried on 21 problems in three orders, one thread, total and geometric mean of the processor time beside slices of nodes
//! with shares of 4 and 1/4: the same shares of work 0.83 and 0.97, 8 and 1/2 0.79 and 0.92, 16 and 1 0.71 and 0.90. With 1,
//! dense problems in which another contender wins take up to 1.5 times as long (20 hexominoes on 12x10, two sets of
//! pentominoes on 12x10), so they have 1/2.

use std::cell::OnceCell;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use super::learner;
use super::sum::Turns;
use crate::engine::{Learn, Session};
use crate::limits::{Limit, Limits};
use crate::model::{OptionId, Problem};
use crate::parallel;
use crate::parallel::Cores;
use crate::portfolio::costs::{TURN_EVEN, TURN_HELPED};
use crate::portfolio::{Budget, Contender, Cut};
use crate::search::{End, Report};

/// Its name.
pub(super) const NAME: &str = "learn";
/// The share of clause learning in sparse problems, where the engine has 1.
const SHARE: f64 = 16.0;
/// The share of clause learning in dense problems, in its first time.
const SHARE_AT_FIRST: f64 = 0.5;
/// No more searches than this learn beside that of the caller's thread.
const HELPERS_MAX: usize = 15;

/// Clause learning, with helpers on other cores in long slices.
pub(super) struct Learning<'p> {
    pub(super) problem: &'p Problem,
    /// Built when it is first needed.
    pub(super) learn: &'p OnceCell<Arc<Learn>>,
    pub(super) given: &'p [OptionId],
    pub(super) is_dense: bool,
    pub(super) is_node_by_node: bool,
    pub(super) session: Option<Session<'p>>,
    pub(super) helpers: Vec<Helper<'p>>,
    pub(super) cores: &'p Arc<Cores>,
    /// The work that it did.
    pub(super) spent: u64,
}

impl<'l, 'o, 'v> Contender<Turns<'l, 'o, 'v>> for Learning<'_> {
    type Output = End;

    fn name(&self) -> &'static str {
        NAME
    }

    fn run(&mut self, turns: &mut Turns<'l, 'o, 'v>, budget: &mut Budget<'_>) -> Result<End, Cut> {
        // What a search with limited nodes finds must not depend on the clock.
        let is_long = self.is_node_by_node || budget.work() as f64 / self.share() >= TURN_HELPED as f64;
        let Self { learn, given, cores, .. } = *self;
        let learn = learner(learn, self.problem);
        let before = self.session.as_ref().map_or(0, Session::work);
        let session = self.session.get_or_insert_with(|| learn.begin(given));
        let is_helped = is_long && turns.total.limits().nodes.is_none();
        let hire = |number: usize| Helper::new(learn.begin_with(given, number as u64 + 1));
        let wanted = turns.total.limits().solutions;
        let until = before.saturating_add(budget.work());
        let end = parallel::beside(
            cores,
            if is_helped { HELPERS_MAX } else { 0 },
            &mut self.helpers,
            hire,
            |helper, flag| helper.search(wanted, flag),
            |flag| turns.learn(session, until, cores, flag),
        );
        // Where slices are of a node each, that is its work.
        let done = if self.is_node_by_node { budget.work() } else { session.work() - before };
        self.spent += done;
        budget.charge(done);
        let mut is_done = false;
        for helper in &mut self.helpers {
            is_done |= turns.add_helper(helper);
        }
        match turns.judge(if is_done { End::Exhausted } else { end }) {
            Err(end) => Ok(end),
            Ok(true) => Ok(End::Exhausted),
            // Learned clauses have no more room.
            Ok(false) if end == End::Limit(Limit::Memory) => Err(Cut::Memory),
            Ok(false) => Err(Cut::Work),
        }
    }

    fn share(&self) -> f64 {
        if self.is_node_by_node {
            return 1.0;
        }
        if !self.is_dense {
            return SHARE;
        }
        // So that the engine is ahead by what it had more at first, and both have the same from then on.
        let ahead = (1.0 - SHARE_AT_FIRST) * TURN_EVEN as f64;
        let spent = self.spent as f64;
        SHARE_AT_FIRST.max(spent / (spent + ahead))
    }
}

/// A search by clause learning on another core, with a seed of its own.
pub(super) struct Helper<'m> {
    session: Session<'m>,
    /// What the last turn came to.
    pub(super) report: Report,
    pub(super) found: Vec<Vec<OptionId>>,
}

impl<'m> Helper<'m> {
    fn new(session: Session<'m>) -> Self {
        Self { session, report: Report::empty(End::Limit(Limit::Nodes)), found: Vec::new() }
    }

    /// Goes on until the flag is set, or sets it when all is known or enough.
    fn search(&mut self, wanted: Option<u64>, flag: &Arc<AtomicBool>) {
        let limits = Limits { solutions: wanted, cancel: Some(Arc::clone(flag)), ..Limits::default() };
        self.report = self.session.search(&limits, &mut |cover| {
            self.found.push(cover.to_vec());
            ControlFlow::Continue(())
        });
        if matches!(self.report.end, End::Exhausted | End::Limit(Limit::Solutions)) {
            flag.store(true, Relaxed);
        }
    }
}
