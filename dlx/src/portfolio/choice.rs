//! Which engine for which problem.
//!
//! It depends on how many options an option excludes. With `masks`, and `counts` where items have
//! bounds, a node costs a pass over the masks of all items, however little changes; with `cells` it
//! costs as much as changes. So dense problems, in which a choice excludes more than some 3 % of all
//! options, are for `masks`: tilings, queens, words, small Sudoku and Latin squares, random sets (2 to
//! 20 times as fast); sparse ones are for `cells`: large quasigroups and Sudoku (1.1 to 10 times as
//! fast, the tables of `masks` being most of the work there). The bench `choice` compares.
//!
//! What takes less time than the tables of an engine is for `links`, but how long a search takes cannot
//! be seen beforehand: [`Solver`](crate::solve::Solver) tries it first for that reason, where it may be so.

use std::sync::Arc;

use super::costs;
use crate::engine::{Links, cells, counts, masks};
use crate::model::Problem;
use crate::parallel::{Cores, Parallel};
use crate::search::{Engine, EngineSpec, Unsupported};

/// The share of all options that one excludes on average from which a problem is dense.
const DENSE: f64 = 0.03;

/// Chooses the engine for `problem` and says why.
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

/// Returns about how many nanoseconds it takes to build the engine `counts`, and for a node of it; `None` if it does not
/// take the problem.
pub(crate) fn counts_cost(problem: &Problem) -> Option<(f64, f64)> {
    let blocks = counts::blocks(problem)?;
    let entry = costs::COUNTS_ENTRY + costs::COUNTS_BIT * problem.option_count() as f64;
    Some((entry * problem.entry_count() as f64, costs::COUNTS_NODE + blocks as f64))
}

/// Rows of masks take this share of the time that pages of tables take at most: 0.4 to 0.6 for pentominoes.
const PAGES: f64 = 0.5;

type Build = fn(&Problem) -> Result<Box<dyn Engine>, Unsupported>;

/// An engine, why it was chosen, and what it costs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    pub(crate) spec: &'static EngineSpec,
    pub(crate) reason: &'static str,
    /// Builds the engine for this problem; what was found out about it is not asked again.
    pub(crate) build: Build,
    /// About the time to build the engine and to begin a search, in nanoseconds.
    pub(crate) setup: f64,
    /// About the time that the system takes beside that to give pages to tables that are large.
    pub(crate) pages: f64,
    /// About the time of a node with this engine, in nanoseconds.
    pub(crate) node: f64,
    /// The same, with the look at all items that `cells` takes. Engines that take turns in a search for one cover are
    /// compared without: so their shares were measured.
    pub(crate) pace: f64,
    /// About the time of a node with dancing links, and with clause learning.
    pub(crate) node_of_links: f64,
    pub(crate) node_of_learn: f64,
    /// Whether the engine takes longer to be built than dancing links.
    pub(crate) is_slow_to_begin: bool,
    /// Whether an option excludes many others.
    pub(crate) is_dense: bool,
    /// Whether an item has only one option, so that something is decided before the search.
    pub(crate) is_begun: bool,
}

impl Choice {
    pub(crate) fn new(problem: &Problem) -> Self {
        let Density { exclusions, is_begun } = Density::new(problem);
        let entries = problem.entry_count() as f64;
        let options = problem.option_count().max(1) as f64;
        // What hiding all options that one excludes costs. Down in the tree there are fewer.
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
            // With what it learned there is some work for a node, however little is hidden.
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
            None => cells("the problem is large"),
        }
    }

    /// Builds the engine, such that it calls in those of `cores` that are idle.
    pub(crate) fn engine(&self, problem: &Arc<Problem>, cores: &Arc<Cores>) -> Parallel<'static> {
        let (build, shared) = (self.build, Arc::clone(problem));
        let build = move || build(&shared).unwrap_or_else(|_| Box::new(Links::new(&shared)));
        Parallel::with(problem, build(), build, Arc::clone(cores))
    }
}

/// How dense a problem is.
struct Density {
    /// How many options an option shares an item with, on average and about: an option that shares
    /// several counts several times, and so does the option itself.
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
