//! The front end: reduces a problem, splits it into independent parts, and chooses an engine for each.
//!
//! The problem is reduced (`reduce.rs`), what is left is split (`components.rs`), and each part gets the
//! engine that [`choose`](crate::choose) says, and clause learning beside it where one or two covers are
//! wanted (`part.rs`); the covers are the products of the covers of the parts (`product.rs`). If
//! next to nothing can be reduced, the engine is built on the problem itself, which is not copied.
//!
//! In a small problem many searches are over before a reduction and the tables of another engine would
//! be: a Sudoku takes a hundred nodes. So dancing links on the whole problem, which are kept from search
//! to search, try first, and their covers are held back meanwhile. Only what is not done then is reduced;
//! the covers are found again, and the nodes of the trial are counted as well. A trial takes about as
//! long as the reduction would, or some times that if there are given options: then the links are kept
//! and every reduction is made anew. (3000 of the hardest Sudokus, with 1350 nodes each, took 1.6 times
//! as long as with `links` alone when the trial was short.)
//!
//! Invariant: no engine is searched within another's search, so the limits hold for the sum of all
//! searches, exactly. Whether to try first depends on the problem and the given options alone, never on the
//! searches before, so that a search costs the same nodes wherever in a batch it comes.

mod part;
mod plan;
mod product;

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

pub use plan::{PartPlan, Plan};

use self::part::Part;
use self::product::{Groups, Product, Total};
use crate::components::Components;
use crate::engine::{Links, exclusions};
use crate::parallel::Cores;
use crate::reduce::{Reduction, reduce};
use crate::{End, Engine, Limit, Limits, OptionId, Problem, Report, Visit};

/// With given options, a problem of more entries is reduced at once.
const TRIAL_ENTRIES: usize = 1 << 14;
/// Why dancing links did what was over in a trial.
const SHORT: &str = "the search is short";
/// Updates of dancing links, as estimated from the problem, in the time of a reduction: some 0.3 ms.
const TRIAL_UPDATES: f64 = 300_000.0;
/// The trial is so much longer with given options.
const LONGER_IF_GIVEN: u64 = 6;

/// Solves a problem by the means that fit it: the engine that users want who do not want to choose one.
///
/// It takes the problem itself, or an `Arc` of it to share it.
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
/// let report = solver.count(&[], &Limits::default());
/// assert_eq!(report.count(), Some(8));
/// assert_eq!(solver.explain().to_string(), "engine links (the search is short)");
/// # Ok::<(), dlx::ParseError>(())
/// ```
///
/// As an [`Engine`] it differs from the others in this:
/// - A count may end with [`Limit::Numbers`]: the product of the counts of the parts exceeds a `u64`.
/// - [`Report::rest`] is `None` where there are several parts, or options that stand for others.
/// - [`Limits::progress`] tells of the part at hand, [`Report::levels`] sums over the parts.
pub struct Solver {
    problem: Arc<Problem>,
    /// Cores that long searches call in where they are idle.
    cores: Arc<Cores>,
    /// Whether dancing links try first, and these on the whole problem, once they did.
    has_trials: bool,
    /// Whether the turns of engines are as short as can be.
    is_strained: bool,
    trial: Option<Trial>,
    /// The engine of the whole problem, once it was needed.
    whole: Option<Part>,
    /// What is left without given options, once that was asked.
    root: Option<Residue>,
    /// Covers held back by a trial, and where each ends.
    held: (Vec<OptionId>, Vec<usize>),
    plan: Plan,
}

/// Dancing links on the whole problem.
struct Trial {
    links: Links,
    /// When they give up without given options.
    nodes: u64,
}

/// What is left to search.
struct Residue {
    plan: Plan,
    work: Work,
}

enum Work {
    /// Nothing: there is no cover.
    NoCover,
    /// The problem as it is.
    Whole,
    /// The options that are in every cover, and the parts.
    Product(Product),
}

impl Solver {
    /// Makes a solver of `problem`. Nothing is done yet.
    #[must_use]
    pub fn new(problem: impl Into<Arc<Problem>>) -> Self {
        Self {
            problem: problem.into(),
            cores: Cores::new(0),
            has_trials: true,
            is_strained: false,
            trial: None,
            whole: None,
            root: None,
            held: Default::default(),
            plan: Plan::default(),
        }
    }

    /// Returns this solver such that long searches call in those of `cores` that are idle; the core of the
    /// caller is not among them.
    ///
    /// ```
    /// use dlx::parallel::Cores;
    /// use dlx::{Engine, Limits, Solver};
    ///
    /// let problem: dlx::Problem = "a b\na\nb\na b\n".parse()?;
    /// let mut solver = Solver::new(problem).on(&Cores::new(3));
    /// assert_eq!(solver.count(&[], &Limits::default()).count(), Some(2));
    /// # Ok::<(), dlx::ParseError>(())
    /// ```
    #[must_use]
    pub fn on(self, cores: &Arc<Cores>) -> Self {
        Self { cores: Arc::clone(cores), ..self }
    }

    /// Returns this solver such that it reduces the problem at once, without a trial by dancing links.
    ///
    /// ```
    /// use dlx::{Engine, Limits, Solver};
    ///
    /// // Two separate parts.
    /// let problem: dlx::Problem = "a b c d\na b\na\nb\nc d\nc\nd\n".parse()?;
    /// let mut solver = Solver::new(problem).at_once();
    /// assert_eq!(solver.count(&[], &Limits::default()).count(), Some(4));
    /// assert_eq!(solver.explain().parts.len(), 2);
    /// # Ok::<(), dlx::ParseError>(())
    /// ```
    #[must_use]
    pub fn at_once(self) -> Self {
        Self { has_trials: false, ..self }
    }

    /// Returns this solver such that engines which take turns do so node by node.
    ///
    /// For tests: so even a small problem is solved by all of them.
    #[doc(hidden)]
    #[must_use]
    pub fn strained(self) -> Self {
        Self { is_strained: true, ..self }
    }

    /// Returns what was made of the problem in the last search.
    #[must_use]
    pub fn explain(&self) -> &Plan {
        &self.plan
    }

    fn run(&mut self, given: &[OptionId], limits: &Limits, visit: Option<&mut Visit<'_>>) -> Report {
        let problem = &self.problem;
        let is_known = |option: &OptionId| option.index() < problem.option_count();
        assert!(given.iter().all(is_known), "the given options must be this problem's");
        let mut total = Total::new(limits);
        let mut visit = visit;
        if self.has_trials && problem.entry_count() <= TRIAL_ENTRIES {
            let visit = visit.as_mut().map(|visit| &mut **visit as &mut Visit<'_>);
            match self.run_trial(given, limits, visit) {
                Ok(report) => return report,
                Err(report) => total.add(&report),
            }
        }
        self.run_reduced(given, total, visit)
    }

    /// Searches the whole problem for as long as a reduction would take; `Err` if that was not enough.
    fn run_trial(
        &mut self,
        given: &[OptionId],
        limits: &Limits,
        visit: Option<&mut Visit<'_>>,
    ) -> Result<Report, Report> {
        let problem = &self.problem;
        let trial = self.trial.get_or_insert_with(|| Trial::new(problem));
        let nodes_max = trial.nodes_max(given);
        let nodes = limits.nodes.map_or(nodes_max, |limit| limit.min(nodes_max));
        let links = &mut trial.links;
        let trial = Limits { nodes: Some(nodes), ..limits.clone() };
        // The plan of a batch is made once.
        if !self.plan.is_trial {
            self.plan = whole_plan(problem, PartPlan::new(problem, "links", SHORT));
            self.plan.is_trial = true;
        }
        self.plan.given = given.len();
        let (options, ends) = &mut self.held;
        options.clear();
        ends.clear();
        let mut report = match visit {
            None => links.count(given, &trial),
            Some(_) => links.search(given, &trial, &mut |cover| {
                options.extend_from_slice(cover);
                ends.push(options.len());
                ControlFlow::Continue(())
            }),
        };
        if report.end == End::Limit(Limit::Nodes) && limits.nodes != Some(nodes) {
            return Err(report);
        }
        if let Some(visit) = visit {
            let mut start = 0;
            for (index, &end) in ends.iter().enumerate() {
                if visit(&options[start..end]).is_break() {
                    (report.end, report.solutions, report.rest) =
                        (End::Stopped, index as u64 + 1, None);
                    break;
                }
                start = end;
            }
        }
        Ok(report)
    }

    /// Reduces the problem, or takes it as it was reduced before, and searches what is left.
    fn run_reduced(
        &mut self,
        given: &[OptionId],
        mut total: Total<'_>,
        visit: Option<&mut Visit<'_>>,
    ) -> Report {
        let problem = &self.problem;
        let new_part = |problem| {
            let part = Part::new(problem, &self.cores);
            if self.is_strained { part.strained() } else { part }
        };
        let mut own = None;
        let residue = match given {
            [] => self.root.get_or_insert_with(|| Residue::new(problem, given, &new_part)),
            _ => own.insert(Residue::new(problem, given, &new_part)),
        };
        self.plan.clone_from(&residue.plan);
        match &mut residue.work {
            Work::NoCover => total.report(End::Exhausted),
            Work::Whole => {
                let part = self.whole.get_or_insert_with(|| new_part(Arc::clone(problem)));
                let Limits { solutions, rest, .. } = *total.limits();
                let limits = Limits { rest, ..total.left(solutions) };
                let report = match visit {
                    Some(visit) => part.search(given, &limits, visit),
                    None => part.count(given, &limits),
                };
                self.plan = whole_plan(problem, part.plan().clone());
                total.add(&report);
                let Report { end, solutions, rest, .. } = report;
                Report { solutions, rest, ..total.report(end) }
            }
            Work::Product(product) => {
                let report = match visit {
                    _ if total.limits().solutions == Some(0) => {
                        total.report(End::Limit(Limit::Solutions))
                    }
                    Some(visit) => product.list(given, total, visit),
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

impl Trial {
    fn new(problem: &Problem) -> Self {
        let entries = problem.entry_count() as f64 / problem.option_count().max(1) as f64;
        let updates_per_node = (exclusions(problem) * entries).max(1.0);
        Self { links: Links::new(problem), nodes: (TRIAL_UPDATES / updates_per_node) as u64 }
    }

    fn nodes_max(&self, given: &[OptionId]) -> u64 {
        self.nodes * if given.is_empty() { 1 } else { LONGER_IF_GIVEN }
    }
}

impl Residue {
    fn new(problem: &Problem, given: &[OptionId], new_part: &dyn Fn(Arc<Problem>) -> Part) -> Self {
        let Some(reduction) = reduce(problem, given) else {
            let plan = Plan { options: problem.option_count(), ..Plan::default() };
            return Self { plan, work: Work::NoCover };
        };
        let components = Components::new(&reduction, problem.item_count());
        if reduction.is_slight() && components.len() == 1 {
            return Self { plan: Plan::default(), work: Work::Whole };
        }
        let groups = |places: &[u32]| {
            let mut groups = Groups::default();
            places.iter().for_each(|&place| groups.push(reduction.group(place)));
            groups
        };
        let plan = plan(problem, &reduction);
        let mut product = Product::new(groups(reduction.chosen()));
        for (part, options) in components.problems(&reduction) {
            product.push(new_part(Arc::new(part)), groups(options));
        }
        Self { plan, work: Work::Product(product) }
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

/// Returns the plan of a search of the problem as it is.
fn whole_plan(problem: &Problem, part: PartPlan) -> Plan {
    Plan { options: problem.option_count(), parts: vec![part], ..Plan::default() }
}

impl Engine for Solver {
    fn search(&mut self, given: &[OptionId], limits: &Limits, visit: &mut Visit<'_>) -> Report {
        self.run(given, limits, Some(visit))
    }

    fn count(&mut self, given: &[OptionId], limits: &Limits) -> Report {
        self.run(given, limits, None)
    }

    fn is_at_rest(&self, problem: &Problem) -> bool {
        let is_trial_at_rest = self.trial.as_ref().is_none_or(|trial| trial.links.is_at_rest(problem));
        let is_whole_at_rest = self.whole.as_ref().is_none_or(|whole| whole.is_at_rest(problem));
        let product = self.root.as_ref().map(|root| &root.work);
        let is_product_at_rest = match product {
            Some(Work::Product(product)) => {
                let Some(reduction) = reduce(problem, &[]) else { return false };
                let components = Components::new(&reduction, problem.item_count());
                product.is_at_rest(components.problems(&reduction).map(|(part, _)| part))
            }
            _ => true,
        };
        is_trial_at_rest && is_whole_at_rest && is_product_at_rest
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

    /// A Latin square of order 5: what is in each cell, and where each value is in each row and column.
    fn latin() -> Problem {
        let names = ["p", "r", "c"].map(|kind| {
            (0..25)
                .map(move |pair| format!("{kind}{}.{}", pair / 5, pair % 5))
                .collect::<Vec<_>>()
                .join(" ")
        });
        let mut text = names.join(" ") + "\n";
        for place in 0..125 {
            let (row, column, value) = (place / 25, place / 5 % 5, place % 5);
            text += &format!("p{row}.{column} r{row}.{value} c{column}.{value}\n");
        }
        text.parse().unwrap()
    }

    #[test]
    fn a_trial_that_is_not_done_counts_among_the_nodes() {
        let problem = latin();
        let given = [OptionId::new(0)];
        let mut solver = Solver::new(problem.clone());
        let trial = Trial::new(&problem).nodes_max(&given);
        let reduced = Solver::new(problem.clone()).at_once().count(&given, &Limits::default());
        assert_eq!(reduced.count(), Some(161_280 / 5));
        let both = solver.count(&given, &Limits::default());
        assert_eq!((both.count(), both.nodes), (reduced.count(), trial + reduced.nodes));
        for nodes in [0, 1, trial - 1, trial, trial + 1, 2 * trial] {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let report = solver.count(&given, &limits);
            assert_eq!((report.end, report.nodes), (End::Limit(Limit::Nodes), nodes));
        }
    }

    #[test]
    fn a_visitor_may_stop_at_a_cover_that_a_trial_held_back() {
        let problem = latin();
        // Two rows are left.
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
