//! A dual simplex method for linear programs whose columns cover each row a given number of times.
//!
//! A column is a set of rows with a cost. Columns take nonnegative values that add up to the *goal*
//! of each row, usually 1. Each row also has a *logical* column, which costs 0 and is fixed to 0.
//! The method starts with the basis of logical columns and with prices of 0, and keeps reduced
//! costs nonnegative. In each step, a basic column that violates its bounds leaves the basis,
//! chosen by steepest edge. The column whose reduced cost would become negative first enters the
//! basis. A column can be closed, which fixes it to 0, and reopened together with an earlier basis.
//!
//! Random perturbation raises the costs slightly, because otherwise most steps are degenerate.
//!
//! Sources: Lemke 1954; Forrest and Goldfarb, "Steepest-edge simplex algorithms for linear
//! programming" (Mathematical Programming, 1992); Harris 1973 for the ratio test; Koberstein, "The
//! dual simplex method" (thesis, Paderborn 2005).

pub(crate) mod factor;

use self::factor::{Factor, SparseColumn};

/// Time per unit of [`Simplex::work`] (ns).
pub(crate) const WORK: u64 = 2;
/// Largest violation of the bounds of a basic column that is tolerated.
const PRIMAL_TOLERANCE: f64 = 1e-7;
/// Smallest absolute value of a pivot in a tableau row.
const PIVOT_MIN: f64 = 1e-7;
/// Largest violation of the sign of a reduced cost that is tolerated (units of cost).
const DUAL_TOLERANCE: f64 = 1e-7;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    Optimal,
    /// The cost exceeds the limit, or there is no solution ([`Simplex::ray`]).
    TooDear,
    Paused,
    Lost,
}

/// A basis with its steepest-edge weights, for [`Simplex::set_basis`].
#[derive(Clone, Debug, Default)]
pub(crate) struct BasicColumns {
    columns: Vec<u32>,
    weights: Vec<f64>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Simplex {
    row_count: usize,
    /// The rows of column `c` are `starts[c]..starts[c + 1]`. The logical columns come after all
    /// other columns.
    starts: Vec<u32>,
    rows: Vec<u32>,
    costs: Vec<f64>,
    /// The sum of the values of the columns at each row.
    goals: Vec<f64>,
    row_starts: Vec<u32>,
    columns: Vec<u32>,
    next: Vec<u32>,
    is_closed: Vec<bool>,
    /// The basis slot of each column, or `NONE` if the column is not basic.
    slot_of: Vec<u32>,
    basis: Vec<u32>,
    values: Vec<f64>,
    weights: Vec<f64>,
    reduced: Vec<f64>,
    factor: Factor,
    is_fresh: bool,
    tableau: Vec<f64>,
    touched: Vec<u32>,
    is_touched: Vec<bool>,
    rho: Vec<f64>,
    entering: Vec<f64>,
    tau: Vec<f64>,
    prices: Vec<f64>,
    /// The sign of the last tableau row as a proof that there is no solution; 0 if it is none.
    ray_sign: f64,
    /// The work so far (in units of [`WORK`] nanoseconds).
    pub(crate) work: u64,
    pub(crate) steps: u64,
    losses: u32,
    steps_most: u64,
    refreshes: u64,
    saved: Saved,
}

#[derive(Clone, Debug, Default)]
struct Saved {
    basis: BasicColumns,
    values: Vec<f64>,
    reduced: Vec<f64>,
    etas: usize,
    refreshes: u64,
    steps: u64,
}

const NONE: u32 = u32::MAX;

/// Returns random numbers between 1/2 and 1, the same in each call.
fn random_costs() -> impl Iterator<Item = f64> {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    std::iter::repeat_with(move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        0.5 + 0.5 * ((seed >> 11) as f64 / (1_u64 << 53) as f64)
    })
}

impl Simplex {
    /// Builds the program with the basis of logical columns. Costs must not be negative.
    pub(crate) fn new(row_count: usize, starts: Vec<u32>, rows: Vec<u32>, mut costs: Vec<f64>) -> Self {
        let perturbations = random_costs().map(|cost| PERTURBATION * cost);
        costs.iter_mut().zip(perturbations).for_each(|(cost, more)| *cost += more);
        Self::with_costs(vec![1.0; row_count], starts, rows, costs)
    }

    /// Builds a program that only asks whether there is a solution, with random costs.
    pub(crate) fn feasibility(goals: Vec<f64>, starts: Vec<u32>, rows: Vec<u32>) -> Self {
        let costs = random_costs().take(starts.len() - 1).collect();
        Self::with_costs(goals, starts, rows, costs)
    }

    pub(crate) fn restrict(&self, columns: &[u32]) -> Self {
        let (mut starts, mut rows, mut costs) = (vec![0], Vec::new(), Vec::new());
        for &column in columns {
            rows.extend_from_slice(self.rows_of(column as usize));
            starts.push(rows.len() as u32);
            costs.push(self.costs[column as usize]);
        }
        Self::with_costs(self.goals.clone(), starts, rows, costs)
    }

    /// Builds the program with additional rows, starting with `basis`, an optimal basis of this
    /// program. Each new row has a slack column, so its columns add up to at most 1.
    pub(crate) fn with_rows(&self, rows: &[Vec<u32>], basis: &BasicColumns) -> Self {
        let (count, new) = (self.column_count(), self.row_count as u32);
        let mut more = vec![Vec::new(); count];
        for (row, columns) in rows.iter().enumerate() {
            columns.iter().for_each(|&column| more[column as usize].push(new + row as u32));
        }
        let (mut starts, mut all_rows) = (vec![0], Vec::new());
        for (column, more) in more.iter().enumerate() {
            all_rows.extend_from_slice(self.rows_of(column));
            all_rows.extend_from_slice(more);
            starts.push(all_rows.len() as u32);
        }
        let mut costs = self.costs[..count].to_vec();
        for row in 0..rows.len() as u32 {
            all_rows.push(new + row);
            starts.push(all_rows.len() as u32);
            costs.push(0.0);
        }
        let mut goals = self.goals.clone();
        goals.resize(self.row_count + rows.len(), 1.0);
        let mut simplex = Self::with_costs(goals, starts, all_rows, costs);
        let mut basis = simplex.renumber(basis, self, |column| column);
        basis.columns.extend((count..count + rows.len()).map(|column| column as u32));
        basis.weights.resize(basis.columns.len(), 1.0);
        simplex.set_basis(&basis);
        simplex.work += self.work;
        simplex.steps = self.steps;
        simplex
    }

    fn with_costs(goals: Vec<f64>, starts: Vec<u32>, rows: Vec<u32>, mut costs: Vec<f64>) -> Self {
        let (row_count, count) = (goals.len(), costs.len());
        let all = count + row_count;
        costs.resize(all, 0.0);
        let mut is_closed = vec![false; all];
        is_closed[count..].fill(true);
        let mut slot_of = vec![NONE; all];
        for row in 0..row_count {
            slot_of[count + row] = row as u32;
        }
        let mut simplex = Self {
            row_count,
            goals,
            work: 10 * rows.len() as u64,
            starts,
            rows,
            costs,
            is_closed,
            slot_of,
            basis: (count as u32..all as u32).collect(),
            values: vec![0.0; row_count],
            weights: vec![1.0; row_count],
            reduced: vec![0.0; all],
            tableau: vec![0.0; all],
            is_touched: vec![false; all],
            rho: vec![0.0; row_count],
            entering: vec![0.0; row_count],
            tau: vec![0.0; row_count],
            prices: vec![0.0; row_count],
            steps_most: u64::MAX,
            ..Self::default()
        };
        simplex.list_open();
        simplex.refresh();
        simplex
    }

    pub(crate) fn row_count(&self) -> usize {
        self.row_count
    }

    fn column_count(&self) -> usize {
        self.starts.len() - 1
    }

    fn rows_of(&self, column: usize) -> &[u32] {
        &self.rows[self.starts[column] as usize..self.starts[column + 1] as usize]
    }

    /// Lists the open columns of each row. Must be called after columns are opened.
    pub(crate) fn list_open(&mut self) {
        let Self { row_starts, columns, next, rows, starts, is_closed, row_count, .. } = self;
        row_starts.clear();
        row_starts.resize(*row_count + 1, 0);
        let open =
            || is_closed[..starts.len() - 1].iter().enumerate().filter(|(_, is_closed)| !**is_closed);
        let rows_of = |column: usize| &rows[starts[column] as usize..starts[column + 1] as usize];
        for (column, _) in open() {
            for &row in rows_of(column) {
                row_starts[row as usize + 1] += 1;
            }
        }
        for row in 0..*row_count {
            row_starts[row + 1] += row_starts[row];
        }
        next.clone_from(row_starts);
        columns.resize(row_starts[*row_count] as usize, 0);
        for (column, _) in open() {
            for &row in rows_of(column) {
                let place = &mut next[row as usize];
                columns[*place as usize] = column as u32;
                *place += 1;
            }
        }
        self.work += (self.columns.len() + self.starts.len()) as u64;
    }

    /// Closes or opens a column. After opening columns, the basis must be set to one from before
    /// they were closed.
    pub(crate) fn close(&mut self, column: usize, is_closed: bool) {
        self.is_closed[column] = is_closed;
    }

    pub(crate) fn columns_of<'b>(
        &self,
        basis: &'b BasicColumns,
    ) -> impl Iterator<Item = u32> + use<'b> {
        let count = self.column_count() as u32;
        basis.columns.iter().copied().filter(move |&column| column < count)
    }

    pub(crate) fn basis(&self) -> BasicColumns {
        BasicColumns { columns: self.basis.clone(), weights: self.weights.clone() }
    }

    /// Renumbers the columns of a basis of `other` for this program. `number` maps the numbers of
    /// all columns except the logical (slack) columns.
    pub(crate) fn renumber(
        &self,
        basis: &BasicColumns,
        other: &Self,
        number: impl Fn(u32) -> u32,
    ) -> BasicColumns {
        let (count, other_count) = (self.column_count() as u32, other.column_count() as u32);
        let column = |&column: &u32| {
            if column < other_count { number(column) } else { column - other_count + count }
        };
        BasicColumns {
            columns: basis.columns.iter().map(column).collect(),
            weights: basis.weights.clone(),
        }
    }

    pub(crate) fn save(&mut self) {
        if self.factor.is_worn() {
            self.refresh();
        }
        let Self { saved, basis, weights, values, reduced, factor, steps, .. } = self;
        saved.basis.columns.clone_from(basis);
        saved.basis.weights.clone_from(weights);
        saved.values.clone_from(values);
        saved.reduced.clone_from(reduced);
        saved.etas = factor.eta_count();
        saved.refreshes = self.refreshes;
        saved.steps = *steps;
        self.work += (self.reduced.len() + self.row_count) as u64 / 2;
    }

    pub(crate) fn restore(&mut self) {
        let saved = std::mem::take(&mut self.saved);
        if saved.refreshes == self.refreshes {
            for &column in &self.basis {
                self.slot_of[column as usize] = NONE;
            }
            self.basis.clone_from(&saved.basis.columns);
            self.weights.clone_from(&saved.basis.weights);
            self.values.clone_from(&saved.values);
            self.reduced.clone_from(&saved.reduced);
            for (slot, &column) in self.basis.iter().enumerate() {
                self.slot_of[column as usize] = slot as u32;
            }
            self.factor.forget(saved.etas);
            self.is_fresh &= self.steps == saved.steps;
            self.work += (self.reduced.len() + self.row_count) as u64 / 2;
        } else {
            self.set_basis(&saved.basis);
        }
        self.saved = saved;
    }

    pub(crate) fn set_basis(&mut self, basis: &BasicColumns) {
        for &column in &self.basis {
            self.slot_of[column as usize] = NONE;
        }
        self.basis.clone_from(&basis.columns);
        self.weights.clone_from(&basis.weights);
        for (slot, &column) in self.basis.iter().enumerate() {
            self.slot_of[column as usize] = slot as u32;
        }
        self.refresh();
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = (usize, f64)> {
        let count = self.column_count();
        let basic = self.basis.iter().zip(&self.values);
        basic
            .map(|(&column, &value)| (column as usize, value))
            .filter(move |&(column, _)| column < count)
    }

    /// If the last run found that there is no solution, returns a number for each row. The numbers
    /// of the rows of each open column add up to at most 0, and weighted by the goals, all numbers
    /// add up to more than 0 (Farkas' lemma).
    pub(crate) fn ray(&self) -> Option<impl Iterator<Item = f64>> {
        let sign = self.ray_sign;
        (sign != 0.0).then(|| self.rho.iter().map(move |value| sign * value))
    }

    /// Returns an estimate of the memory of this program and of its factor (bytes).
    pub(crate) fn bytes(&self) -> usize {
        64 * (self.row_count + self.costs.len()) + 12 * self.rows.len() + self.factor.bytes()
    }

    pub(crate) fn prices(&self) -> &[f64] {
        &self.prices
    }

    fn find_prices(&mut self) {
        for (slot, &column) in self.basis.iter().enumerate() {
            self.prices[slot] = self.costs[column as usize];
        }
        self.work += self.factor.solve_transposed(&mut self.prices);
    }

    pub(crate) fn refresh(&mut self) {
        self.refreshes += 1;
        loop {
            let Self { basis, starts, rows, row_count, factor, .. } = self;
            let count = starts.len() - 1;
            let column = |slot: usize| {
                let column = basis[slot] as usize;
                if column >= count {
                    SparseColumn::Logical((column - count) as u32)
                } else {
                    SparseColumn::Structural(
                        &rows[starts[column] as usize..starts[column + 1] as usize],
                    )
                }
            };
            match factor.refactor(*row_count, column) {
                Ok(work) => {
                    self.work += work;
                    break;
                }
                Err((slots, rows)) => {
                    for (slot, row) in slots.into_iter().zip(rows) {
                        let (slot, row) = (slot as usize, row as usize);
                        self.slot_of[self.basis[slot] as usize] = NONE;
                        self.basis[slot] = (count + row) as u32;
                        self.slot_of[count + row] = slot as u32;
                        self.weights[slot] = 1.0;
                    }
                }
            }
        }
        self.values.copy_from_slice(&self.goals);
        self.work += self.factor.solve(&mut self.values);
        self.find_prices();
        let count = self.column_count();
        for column in 0..count {
            let mut reduced = self.costs[column];
            for &row in self.rows_of(column) {
                reduced -= self.prices[row as usize];
            }
            self.reduced[column] = if self.slot_of[column] == NONE { reduced } else { 0.0 };
        }
        for row in 0..self.row_count {
            let reduced = self.costs[count + row] - self.prices[row];
            self.reduced[count + row] = if self.slot_of[count + row] == NONE { reduced } else { 0.0 };
        }
        self.work += self.rows.len() as u64;
        self.is_fresh = true;
    }

    /// Returns the cost of the current basis, which is a lower bound if no reduced cost is
    /// negative.
    pub(crate) fn objective(&self) -> f64 {
        let costs = self.basis.iter().map(|&column| self.costs[column as usize]);
        costs.zip(&self.values).map(|(cost, value)| cost * value).sum()
    }

    /// Iterates until an optimum is found, the cost exceeds `limit`, or the total work exceeds
    /// `work`. Updates the prices unless paused.
    pub(crate) fn run(&mut self, limit: f64, work: u64) -> Stop {
        let (stop, ray) = self.iterate(limit, work);
        if stop != Stop::Paused {
            self.find_prices();
            for (price, &rho) in self.prices.iter_mut().zip(&self.rho) {
                *price += ray * rho;
            }
        }
        stop
    }

    /// Does the iterations of [`Self::run`]. If there is no solution, also returns the multiple of
    /// the last tableau row's prices that proves a cost above the limit.
    fn iterate(&mut self, limit: f64, work: u64) -> (Stop, f64) {
        self.ray_sign = 0.0;
        let mut objective = self.objective();
        loop {
            if self.work > work || self.steps >= self.steps_most {
                return (Stop::Paused, 0.0);
            }
            if self.factor.is_worn() {
                self.refresh();
                objective = self.objective();
            }
            if objective > limit {
                return (Stop::TooDear, 0.0);
            }
            let mut best = (0.0, NONE as usize, 0.0);
            for (slot, (&value, &weight)) in self.values.iter().zip(&self.weights).enumerate() {
                let may_be_more = !self.is_closed[self.basis[slot] as usize];
                if value >= -PRIMAL_TOLERANCE && (value <= PRIMAL_TOLERANCE || may_be_more) {
                    continue;
                }
                let rank = value * value / weight;
                if rank > best.0 {
                    best = (rank, slot, value);
                }
            }
            let (_, slot, off) = best;
            self.work += self.row_count as u64;
            if slot == NONE as usize {
                if !self.is_fresh {
                    self.refresh();
                    objective = self.objective();
                    continue;
                }
                return (Stop::Optimal, 0.0);
            }
            let sign = off.signum();
            self.rho.fill(0.0);
            self.rho[slot] = 1.0;
            self.work += self.factor.solve_transposed(&mut self.rho);
            self.find_tableau();
            let Some(entering) = self.entering_column(sign) else {
                if !self.is_fresh {
                    self.refresh();
                    objective = self.objective();
                    continue;
                }
                self.ray_sign = sign;
                let by = if limit.is_finite() { 1.01 * (limit - objective + 1.0) / off } else { 0.0 };
                return (Stop::TooDear, by);
            };
            objective += self.step(slot, entering, off);
            if self.losses > 50 {
                return (Stop::Lost, 0.0);
            }
        }
    }

    pub(crate) fn run_steps(&mut self, limit: f64, steps: u64) -> Stop {
        self.steps_most = self.steps + steps;
        let stop = self.run(limit, u64::MAX);
        self.steps_most = u64::MAX;
        stop
    }

    fn find_tableau(&mut self) {
        for column in self.touched.drain(..) {
            self.tableau[column as usize] = 0.0;
            self.is_touched[column as usize] = false;
        }
        let count = self.column_count();
        for row in 0..self.row_count {
            let value = self.rho[row];
            if value.abs() < 1e-12 {
                continue;
            }
            let range = self.row_starts[row] as usize..self.row_starts[row + 1] as usize;
            self.work += range.len() as u64;
            let logical = (count + row) as u32;
            for &column in self.columns[range].iter().chain(std::iter::once(&logical)) {
                self.tableau[column as usize] += value;
                if !self.is_touched[column as usize] {
                    self.is_touched[column as usize] = true;
                    self.touched.push(column);
                }
            }
        }
        self.work += 2 * self.touched.len() as u64;
    }

    fn entering_column(&self, sign: f64) -> Option<usize> {
        let mut most = f64::INFINITY;
        let candidates = || {
            let open = self.touched.iter().map(|&column| column as usize);
            open.filter(|&column| self.slot_of[column] == NONE && !self.is_closed[column])
                .map(|column| (column, sign * self.tableau[column]))
                .filter(|&(_, pivot)| pivot > PIVOT_MIN)
        };
        for (column, pivot) in candidates() {
            most = most.min((self.reduced[column].max(0.0) + DUAL_TOLERANCE) / pivot);
        }
        let mut best = (0.0, None);
        for (column, pivot) in candidates() {
            if pivot > best.0 && self.reduced[column] <= most * pivot {
                best = (pivot, Some(column));
            }
        }
        best.1
    }

    /// Replaces the basic column in `slot`, which violates its bound by `off`, with `column`.
    /// Returns the rise of the cost.
    fn step(&mut self, slot: usize, column: usize, off: f64) -> f64 {
        let count = self.column_count();
        self.entering.fill(0.0);
        if column >= count {
            self.entering[column - count] = 1.0;
        } else {
            let range = self.starts[column] as usize..self.starts[column + 1] as usize;
            for at in range {
                self.entering[self.rows[at] as usize] = 1.0;
            }
        }
        self.work += self.factor.solve(&mut self.entering);
        let pivot = self.entering[slot];
        let expected = self.tableau[column];
        if (pivot - expected).abs() > 1e-6 * (1.0 + pivot.abs()) || pivot.abs() < 1e-9 {
            self.losses += 1;
            self.refresh();
            return 0.0;
        }
        self.tau.copy_from_slice(&self.rho);
        self.work += self.factor.solve(&mut self.tau);
        let by = self.reduced[column] / expected;
        for &other in &self.touched {
            let other = other as usize;
            if self.slot_of[other] == NONE {
                self.reduced[other] -= by * self.tableau[other];
            }
        }
        self.reduced[column] = 0.0;
        let leaving = self.basis[slot] as usize;
        self.reduced[leaving] = -by;
        let step = off / pivot;
        let weight = self.rho.iter().map(|&value| value * value).sum::<f64>();
        for (place, &entry) in self.entering.iter().enumerate() {
            if entry.abs() > 1e-12 && place != slot {
                self.values[place] -= step * entry;
                let ratio = entry / pivot;
                let changed = self.weights[place] + ratio * (ratio * weight - 2.0 * self.tau[place]);
                self.weights[place] = changed.max(1e-4);
            }
        }
        self.values[slot] = step;
        self.weights[slot] = (weight / (pivot * pivot)).max(1e-4);
        self.work += 4 * self.row_count as u64;
        self.factor.exchange(slot, &self.entering);
        self.slot_of[leaving] = NONE;
        self.basis[slot] = column as u32;
        self.slot_of[column] = slot as u32;
        self.is_fresh = false;
        self.steps += 1;
        by * off
    }
}

/// Largest increase of a cost by the random perturbation (units of cost).
const PERTURBATION: f64 = 1e-4;
