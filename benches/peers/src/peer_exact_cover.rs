//! Adapter to the crate `exact-cover` 0.1: Algorithm X with primary items only.

use dlx::Problem;
use exact_cover::dlx::{Callback, Matrix};

struct Counter {
    found: u64,
    limit: u64,
}

impl Callback for Counter {
    fn on_solution(&mut self, _options: Vec<usize>, matrix: &mut Matrix) {
        self.found += 1;
        if self.found == self.limit {
            matrix.abort();
        }
    }
}

/// Builds a search with the crate's linked matrix.
pub fn prepare(problem: &Problem, limit: Option<u64>) -> Result<Box<dyn FnOnce() -> u64>, String> {
    if problem.has_bounds() || problem.primary_count() < problem.item_count() {
        return Err("the crate exact-cover has primary items only".to_owned());
    }
    let mut matrix = Matrix::new(problem.item_count());
    for option in problem.options() {
        let items: Vec<usize> = problem.option(option).iter().map(|e| e.item.index() + 1).collect();
        matrix.add_row(&items);
    }
    Ok(Box::new(move || {
        let mut counter = Counter { found: 0, limit: limit.unwrap_or(u64::MAX) };
        matrix.solve(&mut counter);
        counter.found
    }))
}
