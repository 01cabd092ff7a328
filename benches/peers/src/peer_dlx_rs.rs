//! Adapter to the crate `dlx-rs` 1.3: Algorithm X with primary and secondary ("optional") items.

use dlx::Problem;
use dlx_rs::Solver;

/// Builds a search with the crate's linked structure.
///
/// Every option has the name `()`: the crate returns a solution as a vector of names, and a vector
/// of `()` needs no memory.
pub fn prepare(problem: &Problem, limit: Option<u64>) -> Result<Box<dyn FnOnce() -> u64>, String> {
    // The crate requires that primary items precede secondary items.
    let ordered = problem.items().map(|item| problem.is_primary(item)).is_sorted_by(|a, b| a >= b);
    if problem.has_bounds() || problem.has_colors() || !ordered {
        return Err("the crate dlx-rs has neither multiplicities nor colors".to_owned());
    }
    if problem.idle_options().len() == problem.option_count() {
        return Err("the crate dlx-rs needs an option with a primary item".to_owned());
    }
    let primary = problem.primary_count();
    let mut solver = Solver::new_optional(primary, problem.item_count() - primary);
    for option in problem.options().filter(|option| !problem.idle_options().contains(option)) {
        let items: Vec<usize> = problem.option(option).iter().map(|e| e.item.index() + 1).collect();
        solver.add_option((), &items);
    }
    Ok(Box::new(move || {
        let limit = limit.unwrap_or(u64::MAX);
        let mut found = 0;
        while found < limit && solver.next().is_some() {
            found += 1;
        }
        found
    }))
}
