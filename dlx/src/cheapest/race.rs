//! The contenders of a round: the search by prices and that by masks (`portfolio/race.rs`).
//!
//! They race on a clock of their work, so that a search is the same every time. Neither knows how long it will take;
//! the one that won the last round has the larger share.

use std::time::Duration;

use super::amount::Amount;
use super::masked::Masked;
use super::{Round, Search};
use crate::limits::Limit;
use crate::portfolio::{self, Budget, Contender, Cut, Race, Slices, WorkClock, costs};
use crate::search::Meter;

/// The share of the one that did not win the last round, where the other has 1.
const SHARE: f64 = 0.25;

/// What both search, and who counts the nodes.
struct Ground<'s, 'p, 'm, N> {
    search: &'s mut Search<'p, N>,
    meter: &'s mut Meter<'m>,
}

/// A search of all covers within the limit.
struct Side<'c, N> {
    /// The masks, if it is by these.
    masked: Option<Masked<N>>,
    share: f64,
    clock: &'c WorkClock,
    /// The work that it was allowed in all, and what it did of that, in nanoseconds.
    allowed: u64,
    work: u64,
}

impl<N: Amount> Contender<Ground<'_, '_, '_, N>> for Side<'_, N> {
    type Output = ();

    fn name(&self) -> &'static str {
        if self.masked.is_some() { "masks" } else { "prices" }
    }

    fn run(&mut self, ground: &mut Ground<'_, '_, '_, N>, budget: &mut Budget<'_>) -> Result<(), Cut> {
        let Ground { search, meter } = ground;
        self.allowed = self.allowed.saturating_add(budget.work());
        let before = self.work;
        let is_over = if let Some(masked) = &mut self.masked {
            let is_over = search.run_masked(masked, self.allowed, meter);
            self.work = masked.work();
            is_over
        } else {
            let updates = search.state.updates;
            let more = (self.allowed - self.work.min(self.allowed)) / costs::PRICES_UPDATE;
            let round = search.round(meter, updates.saturating_add(more));
            self.work += (search.state.updates - updates) * costs::PRICES_UPDATE;
            round.map(|round| round == Round::Over)
        };
        // What the masks cannot begin with yet is time that they wait.
        self.clock.pass(if self.work > 0 { self.work - before } else { budget.work() });
        if is_over.map_err(Cut::Limit)? { Ok(()) } else { Err(Cut::Work) }
    }

    fn share(&self) -> f64 {
        self.share
    }
}

impl<N: Amount> Search<'_, N> {
    /// Searches all covers within the limit of a state that was settled by prices and by masks, until one of them has
    /// done it; returns the work of both, about in nanoseconds.
    pub(super) fn race(&mut self, meter: &mut Meter<'_>) -> Result<u64, Limit> {
        self.levels.clear();
        let was_cut = self.state.was_cut;
        let mut masked = self.masked.take();
        if let Some(masked) = &mut masked {
            masked.load(self.problem, &self.state);
        }
        let clock = &WorkClock::default();
        let side = |masked: Option<Masked<N>>, is_favorite: bool| {
            let share = if is_favorite { 1.0 } else { SHARE };
            Side { masked, share, clock, allowed: 0, work: 0 }
        };
        let prefers_masks = self.prefers_masks && masked.is_some();
        let mut sides = vec![side(None, !prefers_masks)];
        if let Some(masked) = masked {
            sides.insert(usize::from(!prefers_masks), side(Some(masked), prefers_masks));
        }
        let slices = Slices { first: self.tuning.turn, longest: u64::MAX };
        let mut race = Race::new(sides, slices);
        let limits = meter.limits();
        let rules = portfolio::Rules { limits, clock, bytes: usize::MAX, time: Duration::MAX };
        let result = race.run(&mut Ground { search: self, meter }, &rules, &mut |_| ());
        let winner = race.last();
        let mut work = 0;
        for (place, side) in race.into_contenders().into_iter().enumerate() {
            work += side.work;
            let has_won = winner == Some(place);
            if has_won {
                self.prefers_masks = side.masked.is_some();
            }
            if let Some(masked) = side.masked {
                if has_won {
                    self.state.was_cut = was_cut || masked.was_cut();
                }
                self.masked = Some(masked);
            }
        }
        match result {
            Ok(()) => Ok(work),
            Err(Cut::Limit(limit)) => Err(limit),
            Err(_) => unreachable!("no side gives up, and the time has no end"),
        }
    }
}
