//! Adapter to the crate `dlx` 0.8, which has Knuth's Algorithms X, C, M and MC. Each problem gets
//! the simplest of these algorithms that can express it.
//!
//! It uses the crate's fastest heuristic for the item to branch on: fewest options with ties to the
//! left (X, C), or Knuth's tie-break by slack and length (M, MC).

use dlx::{Bounds, Problem};
use peer_dlx::choose::{Choose, knuth_tiebreak, mrv_chooser, no_tiebreak, prefer_any};
use peer_dlx::{Int, OptOrder, Solve, Solver, Uint, c, m, mc, x};

/// A problem stored in the data structure of one of the four algorithms.
enum Prepared {
    X(x::Problem),
    C(c::Problem),
    M(m::Problem),
    Mc(mc::Problem),
}

/// Builds a search with the crate's linked structure.
pub fn prepare(problem: &Problem, limit: Option<u64>) -> Result<Box<dyn FnOnce() -> u64>, String> {
    // The crate panics on a problem without options, and requires that primary items precede
    // secondary items.
    let ordered = problem.items().map(|item| problem.is_primary(item)).is_sorted_by(|a, b| a >= b);
    if problem.option_count() == 0 || problem.primary_count() == 0 || !ordered {
        return Err("the crate dlx does not take the problem".to_owned());
    }
    let primary = index(problem.primary_count())?;
    let total = index(problem.item_count())?;
    let secondary = index(problem.item_count() - problem.primary_count())?;
    let prepared = match (problem.has_bounds(), problem.has_colors()) {
        (false, false) => {
            Prepared::X(x::make_problem(primary, secondary, &plain(problem)?, OptOrder::Seq))
        }
        (false, true) => {
            Prepared::C(c::make_problem(primary, secondary, &colored(problem)?, OptOrder::Seq))
        }
        (true, false) => {
            let options = x::ONodes::new(total, primary, &plain(problem)?, OptOrder::Seq);
            Prepared::M(m::Problem::new(m::INodes::new(bounds(problem)?, secondary), options))
        }
        (true, true) => {
            let options = c::ONodes::new(total, primary, &colored(problem)?, OptOrder::Seq);
            Prepared::Mc(mc::Problem::new(m::INodes::new(bounds(problem)?, secondary), options))
        }
    };
    Ok(Box::new(move || match prepared {
        Prepared::X(mut p) => run(&mut p, &mut mrv_chooser(prefer_any(), no_tiebreak()), limit),
        Prepared::C(mut p) => run(&mut p, &mut mrv_chooser(prefer_any(), no_tiebreak()), limit),
        Prepared::M(mut p) => run(&mut p, &mut mrv_chooser(prefer_any(), knuth_tiebreak()), limit),
        Prepared::Mc(mut p) => run(&mut p, &mut mrv_chooser(prefer_any(), knuth_tiebreak()), limit),
    }))
}

fn run<P: Solve>(problem: &mut P, chooser: &mut impl Choose<P>, limit: Option<u64>) -> u64 {
    let limit = limit.unwrap_or(u64::MAX);
    let mut solver = Solver::new(problem);
    let mut found = 0;
    while found < limit && solver.next_solution(chooser) {
        found += 1;
    }
    found
}

fn index(value: usize) -> Result<Uint, String> {
    Uint::try_from(value).map_err(|_| format!("{value} is too large for the crate dlx"))
}

fn signed(value: usize) -> Result<Int, String> {
    let value = i32::try_from(value).map_err(|_| format!("{value} is too large for the crate dlx"))?;
    Ok(Int(value))
}

fn bounds(problem: &Problem) -> Result<Vec<(Int, Int)>, String> {
    let bounds = problem.items().filter_map(|item| problem.bounds(item));
    bounds.map(|Bounds { low, high }| Ok((signed(low as usize)?, signed(high as usize)?))).collect()
}

fn plain(problem: &Problem) -> Result<Vec<Vec<Uint>>, String> {
    let option = |o| problem.option(o).iter().map(|entry| index(entry.item.index())).collect();
    problem.options().map(option).collect()
}

/// Shifts the colors by one, because the crate reads color 0 as "no color".
fn colored(problem: &Problem) -> Result<Vec<Vec<(Uint, Int)>>, String> {
    let entry = |entry: &dlx::Entry| {
        let color = entry.color.map_or(0, |color| color.index() + 1);
        Ok((index(entry.item.index())?, signed(color)?))
    };
    problem.options().map(|o| problem.option(o).iter().map(entry).collect()).collect()
}
