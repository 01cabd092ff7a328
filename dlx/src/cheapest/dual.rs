//! Improves the prices of all items at once, by Lagrangian relaxation and subgradient steps.
//!
//! In the relaxation, items need not be covered exactly once but pay their price, and the cheapest
//! choice takes every option of negative reduced cost. The cost of this choice is a lower bound.
//! The slack of an item, 1 minus the number of taken options that contain it, is a subgradient.
//! Each subgradient step follows the slack of the items, smoothed over earlier steps. The step
//! length depends on the gap between the bound and the limit, and shrinks while the bound does not
//! rise.
//!
//! [`State::reprice`] rounds the prices to integers, makes the reduced costs nonnegative and the
//! bound exact.
//!
//! Source: Held and Karp 1971; Camerini, Fratta and Maffioli 1975 for the smoothing. Tried and
//! dropped: ten times as many steps (hardly raises the root bound).

use super::amount::Amount;
use super::state::State;
use crate::limits::{Limit, Limits, Pace};

#[derive(Debug, Default)]
pub(super) struct Dual {
    items: Vec<u32>,
    ceilings: Vec<f64>,
    starts: Vec<u32>,
    rows: Vec<u32>,
    costs: Vec<f64>,
    row_of: Vec<u32>,
    prices: Vec<f64>,
    best: Vec<f64>,
    /// For each row, 1 minus the number of taken columns that contain it.
    slack: Vec<f64>,
    direction: Vec<f64>,
}

const NONE: u32 = u32::MAX;
/// Weight of the previous direction in the next direction.
const MEMORY: f64 = 0.7;
/// Number of steps without a better bound before steps shrink.
const PATIENCE: u32 = 8;
const SLOWING: f64 = 0.6;
/// Step scale below which [`Dual::improve`] ends.
const LEAST_PACE: f64 = 0.002;

impl Dual {
    /// Raises the bound by changing the prices of all items at once, in at most `steps` steps.
    /// `unit` is the least relevant change, and no price changes by more than `most`. The caller
    /// must settle the state afterwards.
    ///
    /// # Errors
    /// The limit that was reached; the prices are then unchanged.
    pub(super) fn improve<N: Amount>(
        &mut self,
        state: &mut State<N>,
        unit: N,
        most: N,
        steps: u32,
        limits: &Limits,
    ) -> Result<(), Limit> {
        self.load(state);
        let gap = state.limit - state.bound;
        let gap = (state.limit < N::INFINITY).then(|| (gap + unit).to_f64());
        if self.climb(gap, unit.to_f64(), steps, &mut Pace::new(limits))? > 0.0 {
            let most = most.to_f64();
            let change =
                |(&item, &by): (&u32, &f64)| (item, N::from_f64(by.clamp(-most, most).floor()));
            state.reprice(self.items.iter().zip(&self.best).map(change));
        }
        Ok(())
    }

    fn load<N: Amount>(&mut self, state: &State<N>) {
        self.row_of.clear();
        self.row_of.resize(state.item_count(), NONE);
        self.items.clear();
        self.ceilings.clear();
        for item in 0..state.item_count() as u32 {
            if let Some(ceiling) = state.ceiling(item) {
                self.row_of[item as usize] = self.items.len() as u32;
                self.items.push(item);
                self.ceilings.push(ceiling.to_f64());
            }
        }
        self.starts.clear();
        self.rows.clear();
        self.costs.clear();
        for &option in state.live() {
            self.starts.push(self.rows.len() as u32);
            self.costs.push(state.reduced(option).to_f64());
            let rows = state.items_of(option).map(|item| self.row_of[item as usize]);
            self.rows.extend(rows.filter(|&row| row != NONE));
        }
        self.starts.push(self.rows.len() as u32);
    }

    /// Searches prices with a high bound, and returns the rise over the bound of the current
    /// prices. Stops at a rise of `target`, if any.
    fn climb(
        &mut self,
        target: Option<f64>,
        unit: f64,
        steps: u32,
        watch: &mut Pace<'_>,
    ) -> Result<f64, Limit> {
        let count = self.items.len();
        for vector in [&mut self.prices, &mut self.best, &mut self.direction] {
            vector.clear();
            vector.resize(count, 0.0);
        }
        let (mut best, mut pace, mut stale) = (0.0_f64, 1.0, 0);
        let mut goal = target.unwrap_or(unit);
        for _ in 0..steps {
            self.slack.clear();
            self.slack.resize(count, 1.0);
            let mut bound: f64 = self.prices.iter().sum();
            for (column, &cost) in self.costs.iter().enumerate() {
                watch.spend(u64::from(self.starts[column + 1] - self.starts[column]))?;
                let rows = &self.rows[self.starts[column] as usize..self.starts[column + 1] as usize];
                let reduced = rows.iter().fold(cost, |rest, &row| rest - self.prices[row as usize]);
                if reduced < 0.0 {
                    bound += reduced;
                    for &row in rows {
                        self.slack[row as usize] -= 1.0;
                    }
                }
            }
            if bound > best {
                best = bound;
                self.best.copy_from_slice(&self.prices);
                stale = 0;
            } else {
                stale += 1;
                if stale >= PATIENCE {
                    stale = 0;
                    pace *= SLOWING;
                    if pace < LEAST_PACE {
                        break;
                    }
                }
            }
            if best >= goal {
                if target.is_some() {
                    break;
                }
                goal = best * 1.1;
            }
            if target.is_none() {
                goal = goal.max(best * 1.05 + unit);
            }
            let mut norm = 0.0;
            for (direction, &slack) in self.direction.iter_mut().zip(&self.slack) {
                *direction = slack + MEMORY * *direction;
                norm += *direction * *direction;
            }
            if norm == 0.0 {
                break;
            }
            let step = pace * (goal - bound) / norm;
            for ((price, &direction), &ceiling) in
                self.prices.iter_mut().zip(&self.direction).zip(&self.ceilings)
            {
                *price = (*price + step * direction).min(ceiling);
            }
        }
        Ok(best)
    }
}
