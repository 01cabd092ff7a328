//! The solver: reduces a problem, splits it into independent parts, and chooses an engine for each
//! part.
//!
//! The problem is reduced (`prepare/reduce.rs`) and split (`prepare/components.rs`). Each part gets
//! the engine that [`choose`](crate::portfolio::choose) returns. Depending on the question, clause
//! learning and the counting methods also take part (`solve/turns/`). The covers are the products
//! of the covers of the parts (`product`).
//!
//! Reducing a problem and building tables can take longer than its search. So up to five *trials*
//! (`Trial`) search the unreduced problem first, each for about the time of the next preparation.
//! Covers found by a trial are held back. If the trial does not finish, the next stage finds these
//! covers again; the nodes of the trial are counted. Trials are not resumed, except for clause
//! learning, which keeps its learned clauses. All times come from `portfolio/costs.rs`.
//!
//! Invariants: no search runs inside another search, so the limits hold exactly for the sum of all
//! searches. The problem and the given options alone decide which trials run, so the node count of
//! a search does not depend on earlier searches.
//!
//! Tried and dropped: trials of a fixed time; clause learning for half or twice the time; dancing
//! cells instead of links in small problems, and for half the time in large ones.

mod lazy;
mod plan;
mod product;
mod turns;

use std::cell::OnceCell;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

pub use lazy::LazyCovers;
pub use plan::Plan;

pub use crate::portfolio::PartPlan;

use self::product::Product;
use self::turns::{LATE, Part, is_few};
use crate::engine::{Cells, Counts, Learn, Links, Session};
use crate::limits::{Limit, Limits, Pace};
use crate::model::{Covers, OptionId, Problem};
use crate::pairs::is_suited;
use crate::parallel::{Cores, Parallel};
use crate::portfolio::{Choice, Total, costs, counts_cost};
use crate::prepare::{Components, Parts, Reduction, Weighted, reduce};
use crate::search::{End, Engine, Report, Unsupported, Visit, search_without};

/// Maximum size of a problem for trials of dancing links and the chosen engine (entries).
const TRIAL_ENTRIES: usize = 1 << 14;
/// Maximum size of a problem for a trial of clause learning (entries).
const LEARN_TRIAL_ENTRIES: usize = 1 << 16;
/// Average work of hiding per node of a first dive, as a fraction of this work at the root (bench
/// `find`, large dense problems).
const DIVE: f64 = 1.0 / 6.0;
const SHORT: &str = "the search is short";
/// Time already spent on the problem by the chosen engine above which a short count does not search
/// it again (ns).
const TRIED: f64 = 1e6;
/// Build time of the engine's tables with page faults above which the engine joins the race instead
/// of counting first (ns).
const DEAR: f64 = 1e6;
/// Largest expected time of a search of the unreduced problem by the chosen engine, and time limit
/// of clause learning there, in multiples of the time of a reduction.
const PATIENCE: f64 = 8.0;
/// Time to hide an option of a large problem, in multiples of the time in a small one.
const FAR: f64 = 2.0;
/// Time limit of `counts` on the unreduced problem when all covers are counted, as a fraction of
/// the time to reduce it and to build the tables of the chosen engine.
const COUNTS_SHARE: f64 = 0.25;
/// Time limit of the chosen engine on the unreduced problem if clause learning comes next, as a
/// fraction of the time of a reduction.
const PATIENCE_BEFORE_LEARN: f64 = 0.25;

/// Solves a problem with automatically chosen engines; the default for most users.
///
/// A solver is built from a problem, or from an `Arc` to share it.
///
/// ```
/// use dlx::{Engine, Limits, Solver};
///
/// // Three separate boards of 2x2 have 2 * 2 * 2 domino tilings.
/// let mut text = String::from("a1 a2 a3 a4 b1 b2 b3 b4 c1 c2 c3 c4\n");
/// for board in ["a", "b", "c"] {
///     for (x, y) in [(1, 2), (3, 4), (1, 3), (2, 4)] {
///         text += &format!("{board}{x} {board}{y}\n");
///     }
/// }
/// let problem: dlx::Problem = text.parse()?;
/// let mut solver = Solver::new(problem);
/// let report = solver.count(&[], &Limits::new());
/// assert_eq!(report.count(), Some(8));
/// assert_eq!(solver.explain().to_string(), "engine masks (an option excludes many others)");
/// # Ok::<(), dlx::ParseError>(())
/// ```
///
/// As an [`Engine`] it differs from the others:
/// - A count may end with [`Limit::Numbers`] if the product of the counts of the parts exceeds a
///   `u64`.
/// - [`Report::rest`] may be `None`, for instance with several parts.
/// - [`Limits::progress`] reports on the current part, and [`Report::levels`] sums over the parts.
pub struct Solver {
    problem: Arc<Problem>,
    cores: Arc<Cores>,
    has_trials: bool,
    is_node_by_node: bool,
    choice: Option<Choice>,
    links: Option<Links>,
    cells: Option<Cells>,
    counts_engine: Option<Counts>,
    whole: Option<Part>,
    /// The reduced problem without given options; built when first needed.
    root: Option<Residue>,
    held: Covers,
    plan: Plan,
    /// Whether the independent parts are kept for [`Self::take_parts`]; and the kept parts of the
    /// last search.
    keeps_parts: bool,
    parts: Option<Arc<Parts>>,
    /// The number of covers of each part, if a short search counted them.
    counts: Vec<Option<u64>>,
    tried: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trial {
    /// Dancing links, for the build time of the tables of the chosen engine.
    Links,
    /// Dancing cells, if covers of a large problem are wanted; for the time of the next
    /// preparation.
    Cells,
    /// The chosen engine, for the time of a reduction; in a large problem only if it is `cells` and
    /// a limited number of covers is wanted.
    Chosen,
    /// The engine `counts`, if the tables of the chosen engine take several times the build time.
    Counts,
    /// Clause learning, if the problem is sparse and one or two covers are wanted; skipped if
    /// matchings are faster.
    Learn,
}

const STAGES: [Trial; 5] = [Trial::Links, Trial::Cells, Trial::Chosen, Trial::Counts, Trial::Learn];

struct Residue {
    plan: Plan,
    work: Work,
    parts: Option<Arc<Parts>>,
}

enum Work {
    NoCover,
    Whole,
    Product(Product),
}

impl Solver {
    /// Creates a solver of `problem`. All work happens during searches.
    #[must_use]
    pub fn new(problem: impl Into<Arc<Problem>>) -> Self {
        Self {
            problem: problem.into(),
            cores: Cores::new(0),
            has_trials: true,
            is_node_by_node: false,
            choice: None,
            links: None,
            cells: None,
            counts_engine: None,
            whole: None,
            root: None,
            held: Covers::default(),
            plan: Plan::default(),
            keeps_parts: false,
            parts: None,
            counts: Vec::new(),
            tried: 0,
        }
    }

    pub(crate) fn keeping_parts(self) -> Self {
        Self { keeps_parts: true, ..self }
    }

    /// Takes the independent parts of the last search, if it split the problem.
    pub(crate) fn take_parts(&mut self) -> Option<Arc<Parts>> {
        self.parts.take()
    }

    /// Takes the number of covers of each part, if a short search counted them.
    pub(crate) fn take_counts(&mut self) -> Vec<Option<u64>> {
        std::mem::take(&mut self.counts)
    }

    /// Lets long searches use the idle `cores`, which do not include the caller's core.
    ///
    /// ```
    /// use dlx::parallel::Cores;
    /// use dlx::{Engine, Limits, Solver};
    ///
    /// let problem: dlx::Problem = "a b\na\nb\na b\n".parse()?;
    /// let mut solver = Solver::new(problem).on(&Cores::new(3));
    /// assert_eq!(solver.count(&[], &Limits::new()).count(), Some(2));
    /// # Ok::<(), dlx::ParseError>(())
    /// ```
    #[must_use]
    pub fn on(self, cores: &Arc<Cores>) -> Self {
        Self { cores: Arc::clone(cores), ..self }
    }

    /// Lets this solver reduce the problem first, without trials on the unreduced problem.
    ///
    /// ```
    /// use dlx::{Engine, Limits, Solver};
    ///
    /// // Two separate parts.
    /// let problem: dlx::Problem = "a b c d\na b\na\nb\nc d\nc\nd\n".parse()?;
    /// let mut solver = Solver::new(problem).at_once();
    /// assert_eq!(solver.count(&[], &Limits::new()).count(), Some(4));
    /// assert_eq!(solver.explain().parts.len(), 2);
    /// # Ok::<(), dlx::ParseError>(())
    /// ```
    #[must_use]
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    pub fn at_once(self) -> Self {
        Self { has_trials: false, ..self }
    }

    /// Lets the contenders of each search alternate after every node, and use idle cores from the
    /// first node. So all contenders take part even in the smallest problem, which is meant for
    /// tests.
    ///
    /// ```
    /// use dlx::{Engine, Limits, Solver};
    ///
    /// let problem: dlx::Problem = "a b c\na b\nc\na\nb c\n".parse()?;
    /// let mut solver = Solver::new(problem).at_once().node_by_node();
    /// let report = solver.search(&[], &Limits::new().solutions(2), &mut |_| std::ops::ControlFlow::Continue(()));
    /// assert_eq!(report.solutions, 2);
    /// # Ok::<(), dlx::ParseError>(())
    /// ```
    #[must_use]
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    pub fn node_by_node(self) -> Self {
        Self { is_node_by_node: true, ..self }
    }

    /// Returns an iterator over the covers that contain all options of `given`. The search starts
    /// at the first call of `next`.
    ///
    /// ```
    /// use dlx::Solver;
    /// use dlx::parallel::Cores;
    ///
    /// let problem: dlx::Problem = "a b\na\nb\na b\n".parse()?;
    /// let covers = Solver::new(problem).on(&Cores::new(3)).into_solutions(&[]);
    /// assert_eq!(covers.count(), 2);
    /// # Ok::<(), dlx::ParseError>(())
    /// ```
    pub fn into_solutions(self, given: &[OptionId]) -> LazyCovers {
        LazyCovers::new(self, given)
    }

    /// Returns the plan of the last search: its reductions, parts and engines.
    #[must_use]
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    pub fn explain(&self) -> &Plan {
        &self.plan
    }

    pub(crate) fn take_engines(&mut self) -> Vec<Parallel<'static>> {
        let whole = self.whole.take();
        let Some(Residue { work, parts, .. }) = self.root.take() else { return Vec::new() };
        let is_like = |part: &Weighted| part.is_like(&self.problem);
        match work {
            Work::Product(product) => product.into_engines(),
            Work::Whole if parts.is_some_and(|parts| parts.parts.iter().all(is_like)) => {
                whole.into_iter().map(Part::into_engine).collect()
            }
            Work::Whole | Work::NoCover => Vec::new(),
        }
    }

    fn solve(
        &mut self,
        given: &[OptionId],
        limits: &Limits,
        mut visit: Option<&mut Visit<'_>>,
    ) -> Report {
        let problem = &self.problem;
        let is_known = |option: &OptionId| option.index() < problem.option_count();
        assert!(given.iter().all(is_known), "the given options must be this problem's");
        self.parts = None;
        self.counts.clear();
        self.tried = 0;
        let mut total = Total::new(limits);
        let mut known = 0;
        let is_count = visit.is_none();
        let learner = OnceCell::new();
        let mut session = None;
        if self.has_trials {
            let entries = problem.entry_count();
            let is_tried = |stage| match stage {
                Trial::Links => entries <= TRIAL_ENTRIES,
                Trial::Chosen => true,
                Trial::Cells | Trial::Counts => entries > TRIAL_ENTRIES,
                Trial::Learn => entries <= LEARN_TRIAL_ENTRIES,
            };
            for stage in STAGES.into_iter().filter(|&stage| is_tried(stage)) {
                let visit = visit.as_deref_mut();
                match self.try_stage(stage, given, &total, visit, (&learner, &mut session)) {
                    Ok(report) => return total.end_with(report),
                    Err(report) => {
                        known = known.max(report.solutions);
                        total.add(&report);
                    }
                }
            }
        }
        let mut report = self.run_reduced(given, total, visit, session);
        if is_count && matches!(report.end, End::Limit(_)) && report.rest.is_none() {
            report.solutions = report.solutions.max(known);
        }
        report
    }

    /// Searches the unreduced problem for about the time of the next stage. Returns `Err` if the
    /// search was cut. If clause learning found no cover, its session is left in `session`.
    fn try_stage<'l>(
        &mut self,
        stage: Trial,
        given: &[OptionId],
        total: &Total<'_>,
        visit: Option<&mut Visit<'_>>,
        (learner, session): (&'l OnceCell<Arc<Learn>>, &mut Option<Session<'l>>),
    ) -> Result<Report, Report> {
        let problem = &self.problem;
        let choice = *self.choice.get_or_insert_with(|| Choice::new(problem));
        let is_first = total.limits().solutions.is_some();
        let is_short = is_first || !given.is_empty();
        let reduction = costs::REDUCTION_ENTRY * problem.entry_count() as f64 + choice.setup;
        let limits = total.limits();
        let can_learn = is_few(limits) && !limits.rest && !choice.is_dense && !problem.has_bounds();
        let is_large = matches!(stage, Trial::Cells | Trial::Counts);
        let has_counts = is_large && choice.is_slow_to_begin && !problem.has_bounds();
        let counts = has_counts.then(|| counts_cost(problem)).flatten();
        let mut updates = None;
        let option = problem.entry_count() as f64 / problem.option_count().max(1) as f64;
        let is_small = problem.entry_count() <= TRIAL_ENTRIES;
        let nodes = match stage {
            Trial::Links if choice.is_slow_to_begin && (choice.is_begun || is_short) => {
                choice.setup / choice.node_of_links
            }
            // Dancing cells on a large problem, for the time of a reduction, and at least one dive.
            Trial::Chosen if !is_small && is_first && !choice.is_slow_to_begin && given.is_empty() => {
                // Large problems do not fit into the nearest caches.
                let hidden = reduction / (FAR * costs::CELLS_HIDING * option);
                updates = Some(hidden as u64 + problem.option_count() as u64);
                let node = choice.pace - choice.node_of_links;
                reduction / node + problem.primary_count() as f64
            }
            Trial::Chosen if is_small => {
                // With given options, later searches can reuse the engine but not the reduction.
                let patience = match (is_first && given.is_empty(), can_learn) {
                    (true, true) => PATIENCE_BEFORE_LEARN,
                    (true, false) => 1.0,
                    (false, _) => PATIENCE,
                };
                let node = if is_first { choice.node } else { choice.pace };
                patience * reduction / node
            }
            Trial::Counts if choice.is_dense => {
                let time = if is_first { reduction + choice.pages } else { COUNTS_SHARE * reduction };
                counts.map_or(0.0, |(setup, node)| (time - setup) / node)
            }
            // Dancing cells take as long to build as `counts`.
            Trial::Cells if is_first && choice.is_slow_to_begin && !choice.is_counts() => {
                let arena = costs::CELLS_ENTRY * problem.entry_count() as f64;
                let node = costs::CELLS_NODE + DIVE * choice.node_of_links;
                let time = reduction + choice.pages - arena;
                let time = counts.map_or(time, |(setup, _)| time.min(setup));
                updates = Some((time / (costs::CELLS_HIDING * option)) as u64);
                time / node
            }
            Trial::Learn if can_learn && !is_suited(problem, limits) => {
                PATIENCE * reduction / choice.node_of_learn
            }
            _ => 0.0,
        };
        let left = total.left(total.limits().solutions);
        let nodes = nodes as u64;
        if nodes == 0 || left.solutions == Some(0) {
            return Err(Report::empty(End::Limit(Limit::Nodes)));
        }
        let limit = left.nodes;
        let trial = if matches!(stage, Trial::Chosen | Trial::Counts) && !is_first {
            left.nodes_expected(nodes)
        } else {
            // The completed fraction does not predict when the first covers are found, so it sets
            // no limit.
            left.nodes(limit.map_or(nodes, |limit| limit.min(nodes))).updates(updates)
        };
        if stage == Trial::Chosen {
            self.tried = nodes;
        }
        if self.plan.trial != Some(stage) {
            let part = match stage {
                Trial::Links => PartPlan::new(problem, "links", SHORT),
                Trial::Cells => PartPlan::new(problem, "cells", SHORT),
                Trial::Counts => PartPlan::new(problem, "counts", SHORT),
                Trial::Chosen => PartPlan::new(problem, choice.spec.name, choice.reason),
                Trial::Learn => PartPlan::new(problem, "learn", LATE),
            };
            self.plan = whole_plan(problem, part);
            self.plan.trial = Some(stage);
        }
        self.plan.given = given.len();
        let held = &mut self.held;
        held.clear();
        let hold: &mut Visit<'_> = &mut |cover| {
            held.push(cover);
            ControlFlow::Continue(())
        };
        let new = || Part::new(Arc::clone(problem), choice, self.is_node_by_node, &self.cores);
        let mut report = match stage {
            Trial::Links => {
                let links = self.links.get_or_insert_with(|| Links::new(problem));
                links.run(given, &[], &trial, visit.is_some().then_some(hold))
            }
            Trial::Cells => {
                let engine = built(&mut self.cells, || Cells::new(problem))?;
                engine.run(given, &[], &trial, visit.is_some().then_some(hold))
            }
            Trial::Counts => {
                let engine = built(&mut self.counts_engine, || Counts::new(problem))?;
                engine.run(given, &[], &trial, visit.is_some().then_some(hold))
            }
            Trial::Chosen => {
                let engine = self.whole.get_or_insert_with(new).alone();
                engine.run(given, &[], &trial, visit.is_some().then_some(hold))
            }
            Trial::Learn => {
                let part = self.whole.get_or_insert_with(new);
                let mut begun = learner.get_or_init(|| part.learner()).begin(given);
                let report = begun.search(&trial, hold);
                let is_open = report.end == End::Limit(Limit::Nodes) && report.solutions == 0;
                *session = is_open.then_some(begun);
                report
            }
        };
        let is_cut = report.end == End::Limit(Limit::Nodes) && limit != Some(report.nodes);
        if is_cut || report.end == End::Limit(Limit::Memory) {
            return Err(report);
        }
        if let Some(visit) = visit {
            let stop = held.iter().position(|cover| visit(cover).is_break());
            if let Some(index) = stop {
                (report.end, report.solutions) = (End::Stopped, index as u64 + 1);
            }
        }
        Ok(report)
    }

    fn run_reduced(
        &mut self,
        given: &[OptionId],
        mut total: Total<'_>,
        visit: Option<&mut Visit<'_>>,
        session: Option<Session<'_>>,
    ) -> Report {
        let problem = &self.problem;
        let new_part = |part: &Problem| {
            let choice = Choice::new(part);
            Part::new(Arc::new(part.clone()), choice, self.is_node_by_node, &self.cores)
        };
        let keeps_parts = self.keeps_parts;
        let mut own = None;
        let kept = if given.is_empty() { &mut self.root } else { &mut own };
        let residue = match kept {
            Some(residue) => residue,
            none => match Residue::new(problem, given, new_part, keeps_parts, total.limits()) {
                Ok(residue) => none.insert(residue),
                Err(limit) => {
                    self.plan = Plan { options: problem.option_count(), ..Plan::default() };
                    return total.report(End::Limit(limit));
                }
            },
        };
        self.plan.clone_from(&residue.plan);
        self.parts.clone_from(&residue.parts);
        match &mut residue.work {
            Work::NoCover => total.report(End::Exhausted),
            Work::Whole => {
                let choice = *self.choice.get_or_insert_with(|| Choice::new(problem));
                let enough = (TRIED / choice.pace) as u64;
                let is_tried = || enough <= self.tried;
                let setup = if choice.is_slow_to_begin { choice.setup + choice.pages } else { 0.0 };
                let is_dear = || self.whole.is_none() && setup > DEAR;
                let is_trial = keeps_parts && total.limits().nodes_expected.is_some();
                if is_trial && (is_tried() || is_dear()) {
                    return total.report(End::Limit(Limit::Nodes));
                }
                let new = || Part::new(Arc::clone(problem), choice, self.is_node_by_node, &self.cores);
                let part = self.whole.get_or_insert_with(new);
                let limits = total.left(total.limits().solutions);
                let report = part.resume(given, &limits, visit, session);
                self.plan = whole_plan(problem, part.plan().clone());
                total.end_with(report)
            }
            Work::Product(product) => {
                let report = match visit {
                    _ if total.limits().solutions == Some(0) => {
                        total.report(End::Limit(Limit::Solutions))
                    }
                    Some(visit) => product.list(given, total, visit),
                    None if keeps_parts && total.limits().nodes_expected.is_some() => {
                        match product.count_each(&mut total) {
                            Ok(counts) => {
                                self.counts = counts;
                                total.report(End::Limit(Limit::Numbers))
                            }
                            Err(end) => total.report(end),
                        }
                    }
                    None => {
                        let end = product.count(&mut total);
                        total.report(end)
                    }
                };
                self.plan.parts.extend(product.parts().iter().map(|part| part.plan().clone()));
                report
            }
        }
    }
}

/// Returns the engine of a trial, which is built on first use.
///
/// # Errors
/// The report of a search without nodes, if the engine does not support the problem.
fn built<E>(
    engine: &mut Option<E>,
    build: impl FnOnce() -> Result<E, Unsupported>,
) -> Result<&mut E, Report> {
    match engine {
        Some(engine) => Ok(engine),
        none => match build() {
            Ok(engine) => Ok(none.insert(engine)),
            Err(_) => Err(Report::empty(End::Limit(Limit::Nodes))),
        },
    }
}

impl Residue {
    fn new(
        problem: &Problem,
        given: &[OptionId],
        new_part: impl Fn(&Problem) -> Part,
        keeps_parts: bool,
        limits: &Limits,
    ) -> Result<Self, Limit> {
        let Some(reduction) = reduce(problem, given, limits)? else {
            let plan = Plan { options: problem.option_count(), ..Plan::default() };
            return Ok(Self { plan, work: Work::NoCover, parts: None });
        };
        let components = Components::new(&reduction, problem.item_count(), limits)?;
        let is_whole = reduction.is_slight() && components.len() == 1;
        if is_whole && !keeps_parts {
            return Ok(Self { plan: Plan::default(), work: Work::Whole, parts: None });
        }
        let parts = Arc::new(Parts::of(&reduction, &components, limits)?);
        let kept = keeps_parts.then(|| Arc::clone(&parts));
        if is_whole {
            return Ok(Self { plan: Plan::default(), work: Work::Whole, parts: kept });
        }
        let mut pace = Pace::new(limits);
        let with_engine = |part: &Weighted| {
            pace.spend(
                (costs::PART + costs::REDUCTION_ENTRY * part.problem.entry_count() as f64) as u64,
            )?;
            Ok(new_part(&part.problem))
        };
        let engines = parts.parts.iter().map(with_engine).collect::<Result<_, _>>()?;
        let plan = plan(problem, &reduction);
        Ok(Self { plan, work: Work::Product(Product::new(parts, engines)), parts: kept })
    }
}

fn plan(problem: &Problem, reduction: &Reduction<'_>) -> Plan {
    let tally = reduction.tally;
    Plan {
        options: problem.option_count(),
        given: tally.given,
        forced: tally.forced,
        removed: tally.removed,
        twins: tally.twins,
        dropped: tally.dropped,
        ..Plan::default()
    }
}

fn whole_plan(problem: &Problem, part: PartPlan) -> Plan {
    Plan { options: problem.option_count(), parts: vec![part], ..Plan::default() }
}

impl Engine for Solver {
    fn run(
        &mut self,
        given: &[OptionId],
        without: &[OptionId],
        limits: &Limits,
        visit: Option<&mut Visit<'_>>,
    ) -> Report {
        let count = self.problem.option_count();
        search_without(count, without, limits, visit, |limits, visit| self.solve(given, limits, visit))
    }

    fn is_at_rest(&self, problem: &Problem) -> bool {
        let are_links_at_rest = self.links.as_ref().is_none_or(|links| links.is_at_rest(problem));
        let is_whole_at_rest = self.whole.as_ref().is_none_or(|whole| whole.is_at_rest(problem));
        let product = self.root.as_ref().map(|root| &root.work);
        let is_product_at_rest = match product {
            Some(Work::Product(product)) => {
                let Ok(Some(reduction)) = reduce(problem, &[], &Limits::default()) else {
                    return false;
                };
                let components = Components::new(&reduction, problem.item_count(), &Limits::default());
                let Ok(components) = components else { return false };
                product.is_at_rest(components.problems(&reduction).map(|(part, _)| part))
            }
            _ => true,
        };
        let are_cells_at_rest = self.cells.as_ref().is_none_or(|cells| cells.is_at_rest(problem));
        let are_counts_at_rest =
            self.counts_engine.as_ref().is_none_or(|counts| counts.is_at_rest(problem));
        are_links_at_rest
            && are_cells_at_rest
            && are_counts_at_rest
            && is_whole_at_rest
            && is_product_at_rest
    }
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problem = &self.problem;
        f.debug_struct("Solver")
            .field("problem", problem)
            .field("plan", &self.plan)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::samples::latin;

    #[test]
    fn the_nodes_of_an_interrupted_trial_are_counted() {
        let problem = latin(5);
        let given = [OptionId::new(0)];
        let mut solver = Solver::new(problem.clone());
        let reduced = Solver::new(problem.clone()).at_once().count(&given, &Limits::default());
        assert_eq!(reduced.count(), Some(161_280 / 5));
        let both = solver.count(&given, &Limits::default());
        assert_eq!(both.count(), reduced.count());
        let trial = both.nodes - reduced.nodes;
        assert!(trial > 1000, "{trial} nodes of the trial");
        for nodes in [0, 1, trial - 1, trial, trial + 1, 2 * trial] {
            let limits = Limits::new().nodes(nodes);
            let report = solver.count(&given, &limits);
            assert_eq!((report.end, report.nodes), (End::Limit(Limit::Nodes), nodes));
        }
    }

    #[test]
    fn a_trial_of_dancing_cells_finds_a_cover_before_masks_are_built() {
        // The options are all triples of 36 items, so every dive reaches a cover.
        let mut text = (0..36).map(|item| format!("{item} ")).collect::<String>();
        for (a, b) in (0..36).flat_map(|a| (0..a).map(move |b| (a, b))) {
            text.extend((0..b).map(|c| format!("\n{a} {b} {c}")));
        }
        let problem: Problem = text.parse().unwrap();
        let choice = Choice::new(&problem);
        assert!(problem.entry_count() > TRIAL_ENTRIES && choice.is_slow_to_begin);
        let alone = |given: &[OptionId], limits: &Limits| {
            Cells::new(&problem).unwrap().count(given, limits).nodes
        };
        let mut solver = Solver::new(problem.clone());
        let first = Limits::new().solutions(1);
        let mut cover = Vec::new();
        let report = solver.search(&[], &first, &mut |options| {
            cover = options.to_vec();
            ControlFlow::Continue(())
        });
        assert_eq!(crate::trust::verify(&problem, &[], &cover), Ok(()));
        assert_eq!(report.end, End::Limit(Limit::Solutions));
        assert_eq!(report.nodes, alone(&[], &first));
        assert_eq!(solver.explain().to_string(), "engine cells (the search is short)");
        for given in [&cover[8..], &[]] {
            let report = solver.count(given, &first);
            assert_eq!((report.solutions, report.nodes), (1, alone(given, &first)));
        }
        // The node limit includes the nodes of the trial.
        for nodes in [0, 1, 10, report.nodes - 1] {
            let limits = first.clone().nodes(nodes);
            let report = solver.count(&[], &limits);
            assert_eq!(
                (report.solutions, report.end, report.nodes),
                (0, End::Limit(Limit::Nodes), nodes)
            );
        }
        // Counting all covers skips the trial of dancing cells, because a first dive does not help.
        solver.count(&[], &Limits::new().nodes(100));
        assert_ne!(solver.explain().parts.first().map(|part| part.engine), Some("cells"));
    }

    #[test]
    fn the_counts_engine_takes_over_if_dancing_cells_hide_too_many_entries() {
        // Random sets of 18 of 60 items, and three sets that form a cover. A choice hides nearly
        // all sets, and most branches fail.
        let mut random = crate::numbers::Random::new(1);
        let mut items: Vec<u32> = (0..60).collect();
        let mut sets: Vec<Vec<u32>> = Vec::new();
        for _ in 0..4000 {
            random.shuffle(&mut items);
            sets.push(items[..18].to_vec());
        }
        sets.extend([&items[..20], &items[20..40], &items[40..]].map(<[u32]>::to_vec));
        let problem = Problem::from_sets(60, sets).unwrap();
        let first = Limits::new().solutions(1);
        let cells = Cells::new(&problem).unwrap().count(&[], &first);
        let mut solver = Solver::new(problem.clone());
        let report = solver.count(&[], &first);
        assert_eq!((report.solutions, report.end), (1, End::Limit(Limit::Solutions)));
        assert_eq!(solver.explain().to_string(), "engine counts (the search is short)");
        // The trial of dancing cells ends after a small part of its planned work of hiding.
        let counts = Counts::new(&problem).unwrap().count(&[], &first);
        assert!(report.updates < counts.updates + cells.updates / 4, "{report:?}");
        assert!(report.updates > counts.updates, "{report:?}");
    }

    #[test]
    fn a_visitor_can_stop_at_a_cover_held_back_by_a_trial() {
        let problem = latin(5);
        // The given options fill three rows.
        let row = |row: usize| (0..5).map(move |c| OptionId::new(row * 25 + c * 5 + (c + row) % 5));
        let given: Vec<_> = (0..3).flat_map(row).collect();
        let mut solver = Solver::new(problem.clone());
        assert!(solver.count(&given, &Limits::default()).count() > Some(1));
        assert!(solver.explain().is_plain(), "the trial was enough");
        let mut seen = 0;
        let report = solver.search(&given, &Limits::default(), &mut |_| {
            seen += 1;
            if seen == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((report.end, report.solutions, seen), (End::Stopped, 2, 2));
    }
}
