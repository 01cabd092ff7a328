//! Chooses the engine for a problem.
//!
//! The choice depends on the average number of options that an option excludes. A node of `masks`,
//! and of `counts` if items have bounds, costs a pass over the bit masks of all items. A node of
//! `cells` costs time proportional to the number of changes. So `masks` suits dense problems, where
//! an option excludes more than about 3 % of all options: tilings, queens, words, small Sudoku and
//! Latin squares, random sets. `cells` suits sparse problems such as large quasigroups and Sudoku,
//! where building the tables of `masks` would take most of the time. The bench `choice` compares
//! both engines. `counts` also suits problems that are too large for `masks`, but have few items.
//!
//! `links` suits searches that take less time than building the tables of another engine.
//! [`Solver`](crate::solve::Solver) therefore often tries `links` first.

use std::sync::Arc;

use super::costs;
use crate::engine::{Links, cells, counts, masks};
use crate::model::Problem;
use crate::parallel::{Cores, Parallel};
use crate::search::{Engine, EngineSpec, Unsupported};

const DENSE: f64 = 0.03;
/// Ratio of the hiding at the root of `cells` to a scan of `counts` from which `counts` is chosen
/// without bounds. With a ratio of 5 (Costas arrays of order 15) both are equally fast; with 266
/// (difference families of 81 residues) `counts` is 65 times faster, since the memory of `cells` is
/// also far away.
const COUNTS_LEAD: f64 = 8.0;

/// Chooses the engine for `problem`. Returns the engine and the reason.
///
/// ```
/// let problem: dlx::Problem = "a b c\na\nb\nc\na b\nb c\n".parse()?;
/// let (engine, reason) = dlx::choose(&problem);
/// assert_eq!((engine.name, reason), ("masks", "an option excludes many others"));
/// # Ok::<(), dlx::ParseError>(())
/// ```
#[must_use]
pub fn choose(problem: &Problem) -> (&'static EngineSpec, &'static str) {
    let Choice { spec, reason, .. } = Choice::new(problem);
    (spec, reason)
}

/// Returns the approximate time to build the engine `counts`, and its time per node (ns), or `None`
/// if it does not support the problem.
pub(crate) fn counts_cost(problem: &Problem) -> Option<(f64, f64)> {
    let blocks = counts::blocks(problem)?;
    let row = problem.option_count().min(counts::ROW_OPTIONS_MAX);
    let entry = costs::COUNTS_ENTRY + costs::COUNTS_BIT * row as f64;
    Some((entry * problem.entry_count() as f64, costs::COUNTS_NODE + blocks as f64))
}

/// Page-fault time of the bit masks, as a fraction of the worst case (measured on pentominoes).
const PAGES: f64 = 0.5;

type Build = fn(&Problem) -> Result<Box<dyn Engine>, Unsupported>;

/// The engine chosen for a problem, the reason, and its costs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    pub(crate) spec: &'static EngineSpec,
    pub(crate) reason: &'static str,
    pub(crate) build: Build,
    /// Approximate time to build the engine and start a search (ns).
    pub(crate) setup: f64,
    pub(crate) pages: f64,
    pub(crate) node: f64,
    /// Approximate time per node (ns), including the pass of `cells` over all items; not used in
    /// races for one cover.
    pub(crate) pace: f64,
    /// Approximate time per node with dancing links and with clause learning (ns).
    pub(crate) node_of_links: f64,
    pub(crate) node_of_learn: f64,
    pub(crate) is_slow_to_begin: bool,
    pub(crate) is_dense: bool,
    pub(crate) is_begun: bool,
}

impl Choice {
    pub(crate) fn new(problem: &Problem) -> Self {
        let Density { exclusions, is_begun } = Density::new(problem);
        let entries = problem.entry_count() as f64;
        let options = problem.option_count().max(1) as f64;
        // Time to hide all options that an option excludes. Deeper nodes hide fewer options.
        let node_of_links = (exclusions * entries / options).max(1.0);
        let is_dense = exclusions >= DENSE * options;
        let choice = |spec: &'static EngineSpec, reason, setup, node| Self {
            spec,
            reason,
            build: spec.build,
            setup,
            pages: 0.0,
            node,
            pace: node,
            node_of_links,
            is_slow_to_begin: true,
            // Learned clauses take some time per node even if few options are hidden.
            node_of_learn: costs::LEARN_NODE + costs::LEARN_HIDING * node_of_links,
            is_dense,
            is_begun,
        };
        let cells = |reason| Self {
            is_slow_to_begin: false,
            pace: costs::CELLS_NODE
                + node_of_links
                + costs::CELLS_ITEM * problem.item_count().saturating_sub(costs::CELLS_NEAR) as f64,
            ..choice(
                &cells::SPEC,
                reason,
                costs::CELLS_ENTRY * entries,
                costs::CELLS_NODE + node_of_links,
            )
        };
        if problem.has_bounds() {
            let Some((setup, node)) = counts_cost(problem) else {
                return cells("items have bounds, and the problem is large");
            };
            if node > costs::COUNTS_NODE + node_of_links {
                return cells("items have bounds, and an option excludes few others");
            }
            return choice(
                &counts::SPEC,
                "items have bounds, and an option excludes many others",
                setup,
                node,
            );
        }
        if !is_dense {
            return cells("an option excludes few others");
        }
        match masks::cost(problem) {
            Some(cost) => Self {
                build: masks::build_fitting,
                pages: PAGES * costs::FIRST_BYTE * cost.bytes,
                ..choice(&masks::SPEC, "an option excludes many others", cost.begin, cost.node)
            },
            None => match counts_cost(problem) {
                Some((setup, node)) if COUNTS_LEAD * node < node_of_links => {
                    choice(&counts::SPEC, "the problem is large, and its items are few", setup, node)
                }
                _ => cells("the problem is large"),
            },
        }
    }

    pub(crate) fn is_counts(&self) -> bool {
        self.spec.name == counts::SPEC.name
    }

    pub(crate) fn engine(&self, problem: &Arc<Problem>, cores: &Arc<Cores>) -> Parallel<'static> {
        let (build, shared) = (self.build, Arc::clone(problem));
        let build = move || build(&shared).unwrap_or_else(|_| Box::new(Links::new(&shared)));
        Parallel::with(problem, build(), build, Arc::clone(cores))
    }
}

struct Density {
    /// Average number of options that an option excludes: options that share an item with it,
    /// including itself, once per shared item.
    exclusions: f64,
    is_begun: bool,
}

impl Density {
    fn new(problem: &Problem) -> Self {
        let mut counts = vec![0_u64; problem.item_count()];
        for entry in problem.options().flat_map(|option| problem.option(option)) {
            counts[entry.item.index()] += 1;
        }
        let pairs: u64 = counts.iter().map(|count| count * count).sum();
        let exclusions = pairs as f64 / problem.option_count().max(1) as f64;
        let is_only =
            |item: &crate::model::ItemId| counts[item.index()] == 1 && problem.is_primary(*item);
        Self { exclusions, is_begun: problem.items().any(|item| is_only(&item)) }
    }
}
