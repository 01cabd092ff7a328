//! Refutations by capacity: combinations of items that no selection of options satisfies, such as
//! more pigeons than holes.
//!
//! Nonnegative least squares computes how close fractional amounts of options come to the
//! requirements of a cover. An option whose amount, if increased, reduces the distance joins the
//! set of taken options. A triangular factor of the inner products of the taken options yields
//! their best amounts, and an option with a negative amount leaves the set. Each round reduces the
//! distance, so the method terminates. If a residual remains, it is a certificate (Farkas' lemma):
//! a combination of items that is at most 0 in every option but positive in a cover. Items that may
//! be covered less often than their maximum get a slack column. The method ignores items with
//! colors.
//!
//! The floating-point combination is rounded to integers, and [`Certificate::refutes`] checks it
//! exactly.
//!
//! Source: C. L. Lawson and R. J. Hanson, Solving Least Squares Problems (1974). The factor takes
//! one number per pair of taken options, and there are at most as many taken options as rows.

use super::system::System;
use super::{Certificate, Stage};
use crate::model::{Bounds, ItemId, Problem};
use crate::portfolio::{Budget, Cut};

/// Largest amount that counts as 0.
const NOTHING: f64 = 1e-9;
const NO_GAIN: f64 = 1e-16;
/// Rows with at most this absolute residual count as satisfied.
const REACHED: f64 = 1e-6;
/// Estimated work per entry priced, and per product (ns).
const ENTRY: u64 = 2;
/// When coefficients are rounded, the smallest one is scaled to 1, 2, ..., up to this number.
const SMALL: u32 = 12;
/// Largest coefficient tried if small coefficients do not give a certificate.
const LARGE: f64 = (1_u64 << 40) as f64;

#[derive(Debug)]
pub(super) struct Capacity<'p> {
    problem: &'p Problem,
    items: Vec<ItemId>,
    goal: Vec<f64>,
    starts: Vec<u32>,
    entries: Vec<u32>,
    /// Number of columns that are options. The slack columns follow the options.
    option_count: usize,
    taken: Vec<u32>,
    amounts: Vec<f64>,
    is_taken: Vec<bool>,
    /// The triangular factor of the inner products of the taken columns. Row `p` of the factor has
    /// `p + 1` numbers.
    factor: Vec<Vec<f64>>,
    missing: Vec<f64>,
    work: u64,
}

impl<'p> Capacity<'p> {
    pub(super) fn bytes_max(problem: &Problem) -> usize {
        4 * problem.item_count().pow(2) + 16 * (problem.entry_count() + problem.option_count())
    }

    pub(super) fn new(problem: &'p Problem) -> Self {
        let mut is_colored = vec![false; problem.item_count()];
        for entry in problem.options().flat_map(|option| problem.option(option)) {
            is_colored[entry.item.index()] |= entry.color.is_some();
        }
        let items: Vec<_> = problem.items().filter(|item| !is_colored[item.index()]).collect();
        let mut row_of = vec![None; problem.item_count()];
        (0..).zip(&items).for_each(|(row, item)| row_of[item.index()] = Some(row));
        let bounds = |item| problem.bounds(item).map_or((0, 1), |bounds| (bounds.low, bounds.high));
        let mut goal: Vec<_> = items.iter().map(|&item| f64::from(bounds(item).1)).collect();
        let (mut starts, mut entries) = (vec![0], Vec::new());
        for option in problem.options().filter(|o| problem.idle_options().binary_search(o).is_err()) {
            entries
                .extend(problem.option(option).iter().filter_map(|entry| row_of[entry.item.index()]));
            starts.push(entries.len() as u32);
        }
        let option_count = starts.len() - 1;
        let mut add = |rows: &[u32]| {
            entries.extend(rows);
            starts.push(entries.len() as u32);
        };
        for (row, &item) in (0..).zip(&items) {
            match bounds(item) {
                (low, high) if low == high => {}
                (0, _) => add(&[row]),
                (low, high) => {
                    let bound = goal.len() as u32;
                    goal.push(f64::from(high - low));
                    add(&[row, bound]);
                    add(&[bound]);
                }
            }
        }
        let columns = starts.len() - 1;
        Self {
            problem,
            items,
            missing: goal.clone(),
            goal,
            starts,
            entries,
            option_count,
            taken: Vec::new(),
            amounts: Vec::new(),
            is_taken: vec![false; columns],
            factor: Vec::new(),
            work: 0,
        }
    }

    fn column(&self, column: u32) -> &[u32] {
        let [start, end] = [0, 1].map(|more| self.starts[column as usize + more] as usize);
        &self.entries[start..end]
    }

    /// Returns the column with the largest gain, and whether the residual is already a certificate.
    fn price(&self) -> (Option<u32>, bool) {
        let (mut best, mut most, mut selected) = (None, NO_GAIN, 0.0);
        for (column, &is_taken) in (0..).zip(&self.is_taken) {
            let rows = self.column(column);
            let value: f64 = rows.iter().map(|&row| self.missing[row as usize]).sum();
            if value > 0.0 {
                selected += if (column as usize) < self.option_count { value } else { 0.0 };
                let gain = value * value / rows.len() as f64;
                if gain > most && !is_taken {
                    (best, most) = (Some(column), gain);
                }
            }
        }
        let least = self.items.iter().zip(&self.missing).map(|(&item, &value)| {
            let Bounds { low, high } = self.problem.bounds(item).unwrap_or(Bounds { low: 0, high: 1 });
            value * f64::from(if value > 0.0 { low } else { high })
        });
        (best, least.sum::<f64>() > selected + NOTHING * self.entries.len() as f64)
    }

    /// Takes a column with amount 0. Returns `false` if the column depends linearly on the taken
    /// columns.
    fn take(&mut self, column: u32) -> bool {
        let mut has = vec![false; self.goal.len()];
        self.column(column).iter().for_each(|&row| has[row as usize] = true);
        let product =
            |&other: &u32| self.column(other).iter().filter(|&&row| has[row as usize]).count() as f64;
        let products: Vec<_> = self.taken.iter().map(product).collect();
        let mut row = solve_lower(&self.factor, products);
        let size = self.column(column).len() as f64;
        let rest = size - row.iter().map(|x| x * x).sum::<f64>();
        if rest <= NOTHING * size {
            return false;
        }
        row.push(rest.sqrt());
        self.factor.push(row);
        self.taken.push(column);
        self.amounts.push(0.0);
        self.is_taken[column as usize] = true;
        true
    }

    fn give_back(&mut self, place: usize) {
        self.is_taken[self.taken.remove(place) as usize] = false;
        self.amounts.remove(place);
        self.factor.remove(place);
        for lower in place..self.factor.len() {
            let (x, y) = (self.factor[lower][lower], self.factor[lower][lower + 1]);
            let length = x.hypot(y);
            let (cosine, sine) = (x / length, y / length);
            for row in &mut self.factor[lower..] {
                let (x, y) = (row[lower], row[lower + 1]);
                (row[lower], row[lower + 1]) = (cosine * x + sine * y, cosine * y - sine * x);
            }
            self.factor[lower].pop();
        }
    }

    /// Computes the best amounts of the taken columns, and removes columns whose amount would be
    /// negative. Returns `false` if the distance did not decrease.
    fn settle(&mut self) -> bool {
        loop {
            let goal =
                |&column: &u32| self.column(column).iter().map(|&row| self.goal[row as usize]).sum();
            let goals = self.taken.iter().map(goal).collect();
            let best = solve_upper(&self.factor, solve_lower(&self.factor, goals));
            let pairs = || self.amounts.iter().zip(&best);
            let steps = pairs().filter(|&(_, &to)| to <= NOTHING).map(|(from, to)| from / (from - to));
            let step = steps.fold(1.0, f64::min).max(0.0);
            let is_done = pairs().all(|(_, &to)| to > NOTHING);
            self.amounts
                .iter_mut()
                .zip(&best)
                .for_each(|(amount, to)| *amount += step * (to - *amount));
            if is_done {
                break;
            }
            let least = self.amounts.iter().copied().fold(f64::INFINITY, f64::min).max(NOTHING);
            for place in (0..self.taken.len()).rev() {
                if best[place] <= NOTHING && self.amounts[place] <= least {
                    self.give_back(place);
                }
            }
        }
        let distance = |missing: &[f64]| missing.iter().map(|value| value * value).sum::<f64>();
        let before = distance(&self.missing);
        self.missing.copy_from_slice(&self.goal);
        for (&column, &amount) in self.taken.iter().zip(&self.amounts) {
            let [start, end] = [0, 1].map(|more| self.starts[column as usize + more] as usize);
            self.entries[start..end].iter().for_each(|&row| self.missing[row as usize] -= amount);
        }
        distance(&self.missing) < before * (1.0 - 1e-12)
    }

    /// Returns the residual rounded to an integer certificate, if that refutes the problem.
    fn certificate(&self) -> Option<Certificate> {
        let missing = &self.missing[..self.items.len()];
        let most = missing.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
        let sizes = missing.iter().map(|value| value.abs()).filter(|&value| value > 1e-6 * most);
        let least = sizes.fold(most, f64::min);
        let small = (1..=SMALL).map(|small| f64::from(small) / least);
        let large = [LARGE / most];
        small.chain(large).find_map(|scale| {
            let terms = self.items.iter().zip(missing).map(|(&item, value)| {
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

fn solve_lower(factor: &[Vec<f64>], mut values: Vec<f64>) -> Vec<f64> {
    for (place, row) in factor.iter().enumerate() {
        let sum: f64 = row[..place].iter().zip(&values).map(|(x, y)| x * y).sum();
        values[place] = (values[place] - sum) / row[place];
    }
    values
}

fn solve_upper(factor: &[Vec<f64>], mut values: Vec<f64>) -> Vec<f64> {
    for (place, row) in factor.iter().enumerate().rev() {
        values[place] /= row[place];
        let value = values[place];
        values[..place].iter_mut().zip(row).for_each(|(other, x)| *other -= x * value);
    }
    values
}

impl Stage for Capacity<'_> {
    fn run(&mut self, _: &System, budget: &mut Budget<'_>) -> Result<Option<Certificate>, Cut> {
        loop {
            if self.missing.iter().all(|value| value.abs() < REACHED) {
                return Ok(None);
            }
            let (column, is_enough) = self.price();
            if is_enough && let Some(certificate) = self.certificate() {
                return Ok(Some(certificate));
            }
            let is_nearer = column.is_some_and(|column| self.take(column) && self.settle());
            let (taken, entries) = (self.taken.len() as u64, self.entries.len() as u64);
            let work = ENTRY * (entries + taken * taken);
            self.work += work;
            if !is_nearer {
                return Ok(self.certificate());
            }
            budget.spend(work)?;
        }
    }

    fn work(&self, _: &System) -> u64 {
        // Assumes that there are half as many rounds as rows.
        let (rows, entries) = (self.goal.len() as u64, self.entries.len() as u64);
        (ENTRY * rows * (entries + rows * rows / 3) / 2).max(self.work)
    }

    fn bytes(&self) -> usize {
        4 * self.taken.len().pow(2)
    }
}
