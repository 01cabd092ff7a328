//! Clause learning as a contender. In long slices it uses helpers on idle cores.
//!
//! Slices of clause learning are measured in its own work units ([`Session::work`]) instead of
//! nodes, because the time per node varies by a factor of about 100 between problems.

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

pub(super) const NAME: &str = "learn";
/// Share of clause learning in sparse problems, relative to the chosen engine.
const SHARE: f64 = 16.0;
/// Initial share of clause learning in dense problems. A larger share slows down problems that
/// other contenders win.
const SHARE_AT_FIRST: f64 = 0.5;
const HELPERS_MAX: usize = 15;

/// Memory of the matrix and of an empty solver per option of three items (bytes). Both together may
/// take half of the memory.
const BYTES_PER_OPTION: usize = 88;

pub(super) struct Learning<'p> {
    pub(super) problem: &'p Problem,
    pub(super) learn: &'p OnceCell<Arc<Learn>>,
    pub(super) given: &'p [OptionId],
    pub(super) is_dense: bool,
    pub(super) is_node_by_node: bool,
    pub(super) session: Option<Session<'p>>,
    pub(super) helpers: Vec<Helper<'p>>,
    pub(super) cores: &'p Arc<Cores>,
    pub(super) spent: u64,
}

impl<'l, 'o, 'v> Contender<Turns<'l, 'o, 'v>> for Learning<'_> {
    type Output = End;

    fn name(&self) -> &'static str {
        NAME
    }

    fn run(&mut self, turns: &mut Turns<'l, 'o, 'v>, budget: &mut Budget<'_>) -> Result<End, Cut> {
        // A search with a node limit must be deterministic, so it has no helpers.
        let is_long = self.is_node_by_node || budget.work() as f64 / self.share() >= TURN_HELPED as f64;
        let Self { learn, given, cores, .. } = *self;
        if self.session.is_none() {
            budget.fits::<[u8; 2 * BYTES_PER_OPTION]>(self.problem.option_count())?;
        }
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
        // If slices have one node, a node counts as the work of the whole slice.
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
        // The chosen engine keeps its initial lead in work. After this lead, the chosen engine and
        // clause learning get the same work.
        let ahead = (1.0 - SHARE_AT_FIRST) * TURN_EVEN as f64;
        let spent = self.spent as f64;
        SHARE_AT_FIRST.max(spent / (spent + ahead))
    }
}

/// A search by clause learning on another core, with a different seed.
pub(super) struct Helper<'m> {
    session: Session<'m>,
    pub(super) report: Report,
    pub(super) found: Vec<Vec<OptionId>>,
}

impl<'m> Helper<'m> {
    fn new(session: Session<'m>) -> Self {
        Self { session, report: Report::empty(End::Limit(Limit::Nodes)), found: Vec::new() }
    }

    /// Searches until `flag` is set. Sets `flag` when the search is complete or has found enough
    /// covers.
    fn search(&mut self, wanted: Option<u64>, flag: &Arc<AtomicBool>) {
        let limits = Limits::new().solutions(wanted).cancel(Arc::clone(flag));
        self.report = self.session.search(&limits, &mut |cover| {
            self.found.push(cover.to_vec());
            ControlFlow::Continue(())
        });
        if matches!(self.report.end, End::Exhausted | End::Limit(Limit::Solutions)) {
            flag.store(true, Relaxed);
        }
    }
}
