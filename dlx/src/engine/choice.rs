//! Which engine for which problem.
//!
//! Bounds are for `cells`. Otherwise it depends on how many options an option excludes. With `masks` a node
//! costs a pass over the live set of all items, however little changes; with `cells` it costs as much as
//! changes. So dense problems, in which a choice excludes more than some 3 % of all options, are for
//! `masks`: tilings, queens, words, small Sudoku and Latin squares, random sets (2 to 20 times as fast); sparse
//! ones are for `cells`: large quasigroups and Sudoku (1.1 to 10 times as fast, the tables of `masks` being
//! most of the work there). The bench `choice` compares.
//!
//! What takes less time than the tables of an engine is for `links`, but how long a search takes cannot
//! be seen beforehand: [`Solver`](crate::Solver) tries it first for that reason.

use super::{EngineSpec, cells, masks};
use crate::Problem;

/// The part of the options that one excludes on average, from which a problem is dense.
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
    if problem.has_bounds() {
        (&cells::SPEC, "items have bounds")
    } else if !is_dense(problem) {
        (&cells::SPEC, "an option excludes few others")
    } else if masks::takes(problem) {
        (&masks::SPEC, "an option excludes many others")
    } else {
        (&cells::SPEC, "the problem is large")
    }
}

/// Tells whether an option excludes many of the others.
pub(crate) fn is_dense(problem: &Problem) -> bool {
    exclusions(problem) >= DENSE * problem.option_count() as f64
}

/// Returns how many options an option shares an item with, on average and about: an option that shares
/// several counts several times, and so does the option itself.
pub(crate) fn exclusions(problem: &Problem) -> f64 {
    let mut counts = vec![0_u64; problem.item_count()];
    for entry in problem.options().flat_map(|option| problem.option(option)) {
        counts[entry.item.index()] += 1;
    }
    let pairs: u64 = counts.iter().map(|count| count * count).sum();
    pairs as f64 / problem.option_count().max(1) as f64
}

/// Returns how many nodes the engine of that name enters in a millisecond, about.
pub(crate) fn nodes_per_ms(engine: &str, problem: &Problem) -> u64 {
    let entries = problem.entry_count() as f64 / problem.option_count().max(1) as f64;
    let updates = exclusions(problem) * entries;
    let nanoseconds = match engine {
        "masks" => 100.0,
        "learn" => 4000.0 + 3.0 * updates,
        _ => 50.0 + 0.5 * updates,
    };
    (1e6 / nanoseconds) as u64
}
