//! Prices for all items at once: Lagrangian relaxation by subgradients.
//!
//! If covering each item just once is not demanded but paid for, by the price of the item, the cheapest
//! choice takes every option of negative reduced cost, and what it costs is a lower bound (the prices of all
//! items, plus the negative reduced costs). The bound is concave in the prices, and the slack of an item,
//! one less the number of options taken that contain it, is a direction in which it may rise. Each step goes
//! along the slack, smoothed by the steps before, as far as the gap to the known limit suggests, and less
//! far when the bound has not risen for a while.
//!
//! The steps are in floating point and prove nothing: the prices found are rounded to integers, and
//! [`State::reprice`] makes their reduced costs nonnegative and the bound exact. On weighted
//! tilings, queens and crew schedules the bound of the root rises by 12 to 240 % over single prices alone.
//!
//! Source: Held and Karp 1971; Camerini, Fratta and Maffioli 1975 for the smoothing.
//! Tried and dropped: 3000 steps instead of 300 (the bound of the root rises by at most 0.03 %).

use super::amount::Amount;
use super::state::State;
use crate::limits::{Limit, Limits, Pace};

/// The relaxation of a node: open items as rows, live options as columns.
#[derive(Debug, Default)]
pub(super) struct Dual {
    /// The items whose prices may change, and how far they may rise.
    items: Vec<u32>,
    ceilings: Vec<f64>,
    /// Column `c` has the rows `starts[c] .. starts[c + 1]`.
    starts: Vec<u32>,
    rows: Vec<u32>,
    costs: Vec<f64>,
    /// The row of each item.
    row_of: Vec<u32>,
    /// The changes of prices, and the best so far.
    prices: Vec<f64>,
    best: Vec<f64>,
    /// Of each row one less the number of columns taken.
    slack: Vec<f64>,
    direction: Vec<f64>,
}

/// Stands for an item whose price may not change.
const NONE: u32 = u32::MAX;
/// How much of the last direction is kept.
const MEMORY: f64 = 0.7;
/// After so many steps without a better bound the steps get shorter, by this factor.
const PATIENCE: u32 = 8;
const SLOWING: f64 = 0.6;
/// Shorter steps are not made.
const LEAST_PACE: f64 = 0.002;

impl Dual {
    /// Raises the bound by changing the prices of all items at once, in so many steps; `unit` is the least
    /// change that matters, and no price is changed by more than `most`. The state is to be settled afterwards.
    ///
    /// # Errors
    /// The limit that ended it; the prices are as they were.
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

    /// Takes over the open items and live options of a state.
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

    /// Seeks prices of a high bound; returns how much higher than that of the present prices. `target` is
    /// how much higher is enough; where it is not known, a little more than the best so far.
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
            // The bound at these prices, and how often each item would be covered.
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
