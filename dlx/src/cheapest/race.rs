//! The contenders of a round: the search by prices and that by masks (`portfolio/race.rs`).
//!
//! They race on a clock of their work, so that a search is the same every time. Neither knows how long it will take;
//! the one that won the last round has the larger share.
//!
//! There may be no cover at all, for a reason that a counting method sees. So as long as none is found, they pause now and
//! then, and the counting methods have as much time as they had.

use std::time::Duration;

use num_bigint::BigUint;

use super::amount::Amount;
use super::masked::Masked;
use super::{Round, Search};
use crate::limits::Limit;
use crate::methods::Tally;
use crate::portfolio::{self, BYTES, Budget, Contender, Cut, Race, Slices, WorkClock, costs};
use crate::search::Meter;

/// The share of the one that did not win the last round, where the other has 1.
const SHARE: f64 = 0.25;

/// The time until the first pause, in nanoseconds.
const FIRST_TIME: u64 = 10_000_000;

/// What both search, and who counts the nodes.
struct Ground<'s, 'p, 'm, N> {
    search: &'s mut Search<'p, N>,
    meter: &'s mut Meter<'m>,
}

/// A search of all covers within the limit.
struct Side<N> {
    /// The masks, if it is by these.
    masked: Option<Masked<N>>,
    share: f64,
    /// The work that it was allowed in all, and what it did of that, in nanoseconds.
    allowed: u64,
    work: u64,
}

impl<N: Amount> Contender<Ground<'_, '_, '_, N>> for Side<N> {
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
        budget.charge(if self.work > 0 { self.work - before } else { budget.work() });
        if is_over.map_err(Cut::Limit)? { Ok(()) } else { Err(Cut::Work) }
    }

    fn share(&self) -> f64 {
        self.share
    }
}

impl<N: Amount> Search<'_, N> {
    /// Searches all covers within the limit of a state that was settled by prices and by masks, until one of them has
    /// done it; returns the work of both, about in nanoseconds. While none is found, the tally has as much time as they;
    /// `None` if it says that there is none.
    pub(super) fn race(
        &mut self,
        meter: &mut Meter<'_>,
        tally: &mut Option<Tally<'_>>,
    ) -> Result<Option<u64>, Limit> {
        self.levels.clear();
        let was_cut = self.state.was_cut;
        let mut masked = self.masked.take();
        if let Some(masked) = &mut masked {
            masked.load(self.problem, &self.state);
        }
        let clock = &WorkClock::default();
        let side = |masked: Option<Masked<N>>, is_favorite: bool| {
            let share = if is_favorite { 1.0 } else { SHARE };
            Side { masked, share, allowed: 0, work: 0 }
        };
        let prefers_masks = self.prefers_masks && masked.is_some();
        let mut sides = vec![side(None, !prefers_masks)];
        if let Some(masked) = masked {
            sides.insert(usize::from(!prefers_masks), side(Some(masked), prefers_masks));
        }
        let slices = Slices { first: self.tuning.turn, longest: u64::MAX };
        let mut race = Race::new(sides, slices);
        let limits = meter.limits();
        let mut time = FIRST_TIME;
        let mut is_none = false;
        let mut ground = Ground { search: self, meter };
        let result = loop {
            *tally = tally.take().filter(|_| ground.search.best.is_empty());
            let pause = if tally.is_some() { Duration::from_nanos(time) } else { Duration::MAX };
            let rules = portfolio::Rules { limits, clock, bytes: usize::MAX, time: pause };
            let result = race.run(&mut ground, &rules, &mut |_| ());
            if result != Err(Cut::Work) {
                break result;
            }
            let is_asked = ground.search.best.is_empty();
            let Some(methods) = tally.as_mut().filter(|_| is_asked) else { continue };
            match methods.run(&mut Budget::new(limits, time, limits.memory.unwrap_or(BYTES))) {
                Ok(number) if number == BigUint::ZERO => {
                    is_none = true;
                    break Ok(());
                }
                Err(Cut::Limit(limit)) => break Err(Cut::Limit(limit)),
                Err(Cut::Work) => {}
                Ok(_) | Err(Cut::Memory | Cut::Unsuited) => *tally = None,
            }
            time = time.saturating_mul(2);
        };
        let winner = race.last();
        let mut work = 0;
        let sides = race.into_contenders();
        for (place, side) in sides.into_iter().enumerate() {
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
            Ok(()) => Ok((!is_none).then_some(work)),
            Err(Cut::Limit(limit)) => Err(limit),
            Err(_) => unreachable!("no side gives up, and the time has no end"),
        }
    }
}
