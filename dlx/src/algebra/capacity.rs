//! Refutations by capacity: combinations of items that no selection of options satisfies, such as
//! more pigeons than holes.
//!
//! The linear relaxation takes fractions of options. If even fractions cannot cover every item as
//! often as required, the dual simplex method ends with a certificate (Farkas' lemma): a
//! combination of items that is at most 0 in every option but positive in a cover. Items that may
//! be covered less often than their maximum get a slack column. The method ignores items with
//! colors.
//!
//! The floating-point combination is rounded to integers, and [`Certificate::refutes`] checks it
//! exactly.
//!
//! Tried and dropped: nonnegative least squares (Lawson and Hanson, 1974), which took a hundred
//! times as long to find more exams than rooms among 2,000 items.

use super::system::{System, bounds_of, colored_items, live_options};
use super::{BYTES_SHARE, Certificate, Stage};
use crate::model::{Bounds, ItemId, Problem};
use crate::portfolio::{Budget, Cut};
use crate::simplex::{Simplex, Stop, WORK};

/// Largest number of rows of the relaxation, whose steps take time linear in it.
const ROWS_MAX: usize = 1 << 14;
/// Work between two checks of the limits (ns).
const SLICE: u64 = 2_000_000;
/// When coefficients are rounded, the smallest one is scaled to 1, 2, ..., up to this number.
const SMALL: u32 = 12;
/// Largest coefficient tried if small coefficients do not give a certificate.
const LARGE: f64 = (1_u64 << 40) as f64;

#[derive(Debug)]
pub(super) struct Capacity<'p> {
    problem: &'p Problem,
    /// The items of the first rows. A row that follows bounds the slack of such an item.
    items: Vec<ItemId>,
    simplex: Simplex,
    work: u64,
}

impl<'p> Capacity<'p> {
    pub(super) fn bytes_max(problem: &Problem) -> usize {
        let (items, options) = (problem.item_count(), problem.option_count());
        200 * (2 * items + options) + 40 * problem.entry_count()
    }

    /// Builds the relaxation, unless it has too many rows.
    pub(super) fn new(problem: &'p Problem) -> Option<Self> {
        let is_colored = colored_items(problem);
        let mut degrees = vec![0; problem.item_count()];
        for entry in problem.options().flat_map(|option| problem.option(option)) {
            degrees[entry.item.index()] += 1;
        }
        let items: Vec<_> = problem.items().filter(|item| !is_colored[item.index()]).collect();
        let mut row_of = vec![None; problem.item_count()];
        (0..).zip(&items).for_each(|(row, item)| row_of[item.index()] = Some(row));
        let bounds = |item: ItemId| {
            let Bounds { low, high } = bounds_of(problem, item);
            (low, high.min(degrees[item.index()]).max(low))
        };
        let mut goals: Vec<_> = items.iter().map(|&item| f64::from(bounds(item).1)).collect();
        let (mut starts, mut rows) = (vec![0], Vec::new());
        for option in live_options(problem) {
            rows.extend(problem.option(option).iter().filter_map(|entry| row_of[entry.item.index()]));
            starts.push(rows.len() as u32);
        }
        let mut add = |column: &[u32]| {
            rows.extend(column);
            starts.push(rows.len() as u32);
        };
        for (row, &item) in (0..).zip(&items) {
            match bounds(item) {
                (low, high) if low == high => {}
                (0, _) => add(&[row]),
                (low, high) => {
                    let bound = goals.len() as u32;
                    goals.push(f64::from(high - low));
                    add(&[row, bound]);
                    add(&[bound]);
                }
            }
        }
        let simplex = (goals.len() <= ROWS_MAX).then(|| Simplex::feasibility(goals, starts, rows))?;
        Some(Self { problem, items, simplex, work: 0 })
    }

    /// Returns the proof that the relaxation has no solution, rounded to an integer certificate, if
    /// that refutes the problem.
    fn certificate(&self) -> Option<Certificate> {
        let ray: Vec<f64> = self.simplex.ray()?.take(self.items.len()).collect();
        let most = ray.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
        let sizes = ray.iter().map(|value| value.abs()).filter(|&value| value > 1e-6 * most);
        let least = sizes.fold(most, f64::min);
        let small = (1..=SMALL).map(|small| f64::from(small) / least);
        let large = [LARGE / most];
        small.chain(large).find_map(|scale| {
            let terms = self.items.iter().zip(&ray).map(|(&item, value)| {
                let coefficient = (value * scale).round() as i64;
                // An item that need not be covered cannot have a positive coefficient.
                let is_needed = self.problem.bounds(item).is_some_and(|bounds| bounds.low > 0);
                (item, if is_needed { coefficient } else { coefficient.min(0) })
            });
            let terms = terms.filter(|&(_, coefficient)| coefficient != 0).collect();
            Some(Certificate { terms, modulus: None }).filter(|found| found.refutes(self.problem))
        })
    }
}

impl Stage for Capacity<'_> {
    fn run(&mut self, _: &System, budget: &mut Budget<'_>) -> Result<Option<Certificate>, Cut> {
        loop {
            let slice = budget.work().clamp(1, SLICE) / WORK;
            let stop = self.simplex.run(f64::INFINITY, self.simplex.work + slice);
            let work = WORK * self.simplex.work - self.work;
            self.work += work;
            match stop {
                Stop::TooDear => return Ok(self.certificate()),
                Stop::Optimal | Stop::Lost => return Ok(None),
                Stop::Paused => budget.spend(work)?,
            }
            if self.bytes() > budget.bytes / BYTES_SHARE {
                return Err(Cut::Memory);
            }
        }
    }

    fn work(&self, _: &System) -> u64 {
        // Assumes half as many steps as rows, and that a step takes time linear in the program.
        let (rows, entries) = (self.simplex.row_count() as u64, self.problem.entry_count() as u64);
        (WORK * rows * (8 * rows + entries) / 2).max(self.work)
    }

    fn bytes(&self) -> usize {
        self.simplex.bytes()
    }
}
