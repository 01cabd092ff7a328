//! The linear relaxation of the root, whose prices improve all searches, and the cliques that
//! tighten it.

use super::amount::Amount;
use super::linear::{self, Linear, RunEnd};
use super::state::Settled;
use super::unit::Unit;
use super::{Favorite, SCALE_BITS, Search};
use crate::limits::{Limit, Limits};

/// Number of options per item that remain within the first horizon after the root relaxation.
const NEAR_OPTIONS: usize = 4;

impl<N: Amount> Search<'_, N> {
    pub(super) fn begin_linear(&mut self) {
        if let Some(most) = self.most_price(&self.unit).filter(|_| self.tuning.has_linear) {
            self.linear = Linear::new(&self.state, most).map(Box::new);
        }
    }

    /// Returns the largest absolute value of a price for the option lengths and costs of `unit`, or
    /// `None` if numbers may overflow.
    fn most_price(&self, unit: &Unit) -> Option<N> {
        let bounds = self.problem.items().map(|item| self.problem.bounds(item));
        let parts = bounds.map(|bounds| bounds.map_or(1, |bounds| u64::from(bounds.low.max(1)))).sum();
        let most = linear::most::<N>(parts, unit.longest as u64);
        let largest = N::new(i128::from(unit.largest)).shift(SCALE_BITS);
        (unit.fits::<N>() && largest <= most).then_some(most)
    }

    /// Adds cliques to the root relaxation until they no longer raise its bound noticeably, or
    /// until about `work` nanoseconds have been spent.
    pub(super) fn add_cliques(&mut self, work: u64, limits: &Limits) -> Result<(), Limit> {
        let Some(mut linear) = self.linear.take() else { return Ok(()) };
        linear.return_to_root();
        let cost = |option| self.unit.scale(u128::from(self.problem.cost(option)));
        let first = self.state.bound;
        loop {
            self.state.limit = self.best_limit();
            if self.state.settle() != Settled::Open {
                break;
            }
            let room =
                self.problem.entry_count().saturating_sub(self.cliques.iter().map(Vec::len).sum());
            let cliques = linear.cliques(&self.state, room);
            let all = [&self.cliques[..], &cliques].concat();
            let Some(most) = self.most_price(&Unit::new(self.problem, &all)) else { break };
            if cliques.is_empty() || room == 0 {
                break;
            }
            let mut state = self.state.with_cliques(self.problem, &all, cost);
            let mut next = linear.clone();
            next.add_cliques(&state, &cliques, most);
            if next.solve_root(work, limits)? != RunEnd::Root {
                break;
            }
            let changes = next.changes(&state);
            state.reprice(changes.into_iter());
            let (rise, before) = (state.bound - self.state.bound, self.state.bound - first);
            if rise <= before.half().half().half().half().half() {
                break;
            }
            (self.state, self.cliques, linear) = (state, all, next);
        }
        self.linear = Some(linear);
        Ok(())
    }

    pub(super) fn is_promising(&self, linear: &Linear<N>) -> bool {
        let limit = self.best_limit().min(self.horizon);
        let gap = limit - linear.state.bound;
        let least = linear.state.bound + gap.half().half().half();
        let mut state = linear.state.clone();
        state.limit = limit;
        let changes = linear.changes(&state);
        state.reprice(changes.into_iter());
        state.settle() != Settled::Open || state.bound >= least
    }

    pub(super) fn take_root(&mut self) {
        let Some(linear) = &self.linear else { return };
        self.has_root = true;
        if !linear.waits_for_cliques {
            self.favorite = Favorite::Linear;
        }
        let changes = linear.changes(&self.state);
        self.state.reprice(changes.into_iter());
    }

    /// Returns a distance from the bound to the first horizon, at most `step`, such that about
    /// `NEAR_OPTIONS` options per item remain.
    pub(super) fn near_step(&self, step: N) -> N {
        let mut reduced: Vec<N> =
            self.state.live().iter().map(|&option| self.state.reduced(option)).collect();
        let place = NEAR_OPTIONS * self.problem.primary_count();
        if place >= reduced.len() {
            return step;
        }
        let (_, &mut near, _) = reduced.select_nth_unstable(place);
        near.clamp(N::new(1).shift(SCALE_BITS), step.max(N::new(1).shift(SCALE_BITS)))
    }
}
