//! Adapter to the crate `dancing-links` 0.3: Algorithm X with primary and secondary ("optional")
//! items.

use dancing_links::{ExactCover, Solver};
use dlx::Problem;

/// The problem as a membership matrix. The crate queries it for every pair of an option and an
/// item.
#[derive(Debug)]
struct Matrix {
    options: Vec<usize>,
    /// For each item, its index and whether it is secondary.
    items: Vec<(usize, bool)>,
    is_in: Vec<Vec<bool>>,
}

impl ExactCover for Matrix {
    type Possibility = usize;
    type Constraint = (usize, bool);

    fn satisfies(&self, option: &usize, item: &(usize, bool)) -> bool {
        self.is_in[*option][item.0]
    }

    fn is_optional(&self, item: &(usize, bool)) -> bool {
        item.1
    }

    fn possibilities(&self) -> &[usize] {
        &self.options
    }

    fn constraints(&self) -> &[(usize, bool)] {
        &self.items
    }
}

/// Builds a search with the crate's linked structure.
pub fn prepare(problem: &Problem, limit: Option<u64>) -> Result<Box<dyn FnOnce() -> u64>, String> {
    if problem.has_bounds() || problem.has_colors() {
        return Err("the crate dancing-links has neither multiplicities nor colors".to_owned());
    }
    let mut is_in = vec![vec![false; problem.item_count()]; problem.option_count()];
    for option in problem.options() {
        for entry in problem.option(option) {
            is_in[option.index()][entry.item.index()] = true;
        }
    }
    let items = problem.items().map(|item| (item.index(), !problem.is_primary(item))).collect();
    let options = (0..problem.option_count()).collect();
    // Leak the matrix, because the solver borrows it and the benchmark ends soon.
    let matrix: &'static Matrix = Box::leak(Box::new(Matrix { options, items, is_in }));
    let mut solver = Solver::new(matrix);
    Ok(Box::new(move || {
        let limit = limit.unwrap_or(u64::MAX);
        let mut found = 0;
        while found < limit && solver.next_solution().is_some() {
            found += 1;
        }
        found
    }))
}
