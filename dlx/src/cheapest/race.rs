//! The race of one round between four searches: by prices, by masks, by linear programs and by
//! layers (see `portfolio/race.rs`).
//!
//! The clock of the race counts work, so the race is deterministic. The winner of the last round
//! gets the largest share, because no contender can predict its time.
//!
//! The search by linear programs first solves the root relaxation. If the relaxation raises the
//! bound by a large part of the gap, the round restarts with the better prices and with cliques.
//! Otherwise the round restarts only after the other searches had as much time as the cliques may
//! take. After each round, more cliques are added in a small part of its time.
//!
//! Until a cover is found, the race pauses at times for the counting methods, which may prove that
//! no cover exists.

use std::time::Duration;

use num_bigint::BigUint;

use super::amount::Amount;
use super::layers::{Layers, LayersEnd};
use super::linear::{Linear, RunEnd};
use super::masked::Masked;
use super::{Favorite, Round, Search};
use crate::limits::Limit;
use crate::methods::Tally;
use crate::portfolio::{self, BYTES, Budget, Contender, Cut, Race, Slices, WorkClock, costs};
use crate::search::Meter;

/// Share of a contender that did not win the last round. The winner has share 1.
const SHARE: f64 = 0.25;

/// Share of the search by linear programs until the root relaxation is solved.
const ROOT_SHARE: f64 = 0.5;

/// Divisor of the time of the counting methods once the root relaxation was adopted.
const TALLY_SHARE: u64 = 8;

const FIRST_TIME: u64 = 10_000_000;

struct RoundContext<'s, 'p, 'm, N> {
    search: &'s mut Search<'p, N>,
    meter: &'s mut Meter<'m>,
}

enum SearchMethod<N> {
    Prices,
    Masked(Box<Masked<N>>),
    Linear(Box<Linear<N>>),
    Layers(Box<Layers<N>>),
}

impl<N> SearchMethod<N> {
    fn favorite(&self) -> Favorite {
        match self {
            Self::Prices => Favorite::Prices,
            Self::Masked(_) => Favorite::Masks,
            Self::Linear(_) => Favorite::Linear,
            Self::Layers(_) => Favorite::Layers,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// All covers within the limit were found; contains the work of all contenders (about 1 ns per
    /// unit).
    Over(u64),
    None,
    Root,
}

struct Side<N> {
    way: SearchMethod<N>,
    share: f64,
    /// The total work that the budgets allowed so far (ns).
    allowed: u64,
    work: u64,
}

impl<N: Amount> Contender<RoundContext<'_, '_, '_, N>> for Side<N> {
    type Output = ();

    fn name(&self) -> &'static str {
        match self.way {
            SearchMethod::Prices => "prices",
            SearchMethod::Masked(_) => "masks",
            SearchMethod::Linear(_) => "linear",
            SearchMethod::Layers(_) => "layers",
        }
    }

    fn run(
        &mut self,
        ground: &mut RoundContext<'_, '_, '_, N>,
        budget: &mut Budget<'_>,
    ) -> Result<(), Cut> {
        let RoundContext { search, meter } = ground;
        self.allowed = self.allowed.saturating_add(budget.work());
        let before = self.work;
        let is_over = match &mut self.way {
            SearchMethod::Masked(masked) => {
                let is_over = search.run_masked(masked, self.allowed, meter);
                self.work = masked.work();
                is_over
            }
            SearchMethod::Linear(linear) if linear.waits_for_cliques && !search.has_root => {
                // The root relaxation gains little, so the other searches get as much time as the
                // cliques may take.
                Ok(self.allowed >= linear.clique_work())
            }
            SearchMethod::Linear(linear) => {
                let progress = search.run_linear(linear, self.allowed, meter);
                self.work = linear.work();
                if progress == Ok(RunEnd::Root) && !search.is_promising(linear) {
                    linear.waits_for_cliques = true;
                    progress.map(|_| false)
                } else {
                    progress.map(|progress| progress != RunEnd::Paused)
                }
            }
            SearchMethod::Layers(layers) => {
                let end = search.run_layers(layers, self.allowed, meter);
                self.work = layers.work();
                if end == Ok(LayersEnd::TooLarge) {
                    layers.is_hopeless = true;
                    return Err(Cut::Unsuited);
                }
                end.map(|end| end == LayersEnd::Over)
            }
            SearchMethod::Prices => {
                let updates = search.state.updates;
                let more = (self.allowed - self.work.min(self.allowed)) / costs::PRICES_UPDATE;
                let round = search.round(meter, updates.saturating_add(more));
                self.work += (search.state.updates - updates) * costs::PRICES_UPDATE;
                round.map(|round| round == Round::Over)
            }
        };
        // The searches by masks and by layers do not start until the budget suffices for their
        // encoding. A search that waits is charged its budget in full.
        budget.charge(if self.work > before { self.work - before } else { budget.work() });
        if is_over.map_err(Cut::Limit)? { Ok(()) } else { Err(Cut::Work) }
    }

    fn share(&self) -> f64 {
        self.share
    }
}

impl<N: Amount> Search<'_, N> {
    /// Searches all covers within the limit of a settled state, until one contender finishes. Until
    /// a cover is found, `tally` runs during pauses.
    pub(super) fn race(
        &mut self,
        meter: &mut Meter<'_>,
        tally: &mut Option<Tally<'_>>,
    ) -> Result<Outcome, Limit> {
        self.levels.clear();
        let was_cut = self.state.was_cut;
        let sides = self.sides();
        let clock = &WorkClock::default();
        let slices = Slices { first: self.tuning.turn, longest: u64::MAX };
        let mut race = Race::new(sides, slices);
        let limits = meter.limits();
        let mut time = FIRST_TIME;
        let mut is_none = false;
        let mut ground = RoundContext { search: self, meter };
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
            let share = if ground.search.has_root { TALLY_SHARE } else { 1 };
            match methods.run(&mut Budget::new(limits, time / share, limits.memory.unwrap_or(BYTES))) {
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
        let mut outcome = Outcome::Over(0);
        let mut work = 0;
        for (place, side) in race.into_contenders().into_iter().enumerate() {
            work += side.work;
            let has_won = winner == Some(place) && result.is_ok() && !is_none;
            if has_won {
                self.favorite = side.way.favorite();
            }
            match side.way {
                SearchMethod::Prices => {}
                SearchMethod::Masked(masked) => {
                    if has_won {
                        self.state.was_cut = was_cut || masked.was_cut();
                    }
                    self.masked = Some(masked);
                }
                SearchMethod::Layers(layers) => {
                    if has_won {
                        self.state.was_cut = was_cut || layers.was_cut;
                    }
                    self.layers = Some(layers).filter(|layers| !layers.is_hopeless);
                }
                SearchMethod::Linear(linear) => {
                    if has_won && !self.has_root {
                        outcome = Outcome::Root;
                    } else if has_won {
                        self.state.was_cut = was_cut || linear.state.was_cut;
                    }
                    self.linear = Some(linear);
                }
            }
        }
        match result {
            Ok(()) if is_none => Ok(Outcome::None),
            Ok(()) if outcome == Outcome::Root => Ok(Outcome::Root),
            Ok(()) => Ok(Outcome::Over(work)),
            Err(Cut::Limit(limit)) => Err(limit),
            Err(_) => unreachable!("no side gives up, and the time has no end"),
        }
    }

    fn sides(&mut self) -> Vec<Side<N>> {
        let mut masked = self.masked.take();
        if let Some(masked) = &mut masked {
            masked.load(self.problem, &self.state);
        }
        let mut linear = self.linear.take();
        if let Some(linear) = &mut linear {
            if self.has_root {
                linear.begin(&self.state);
            }
            linear.reset_work();
        }
        let mut layers = self.layers.take();
        if let Some(layers) = &mut layers {
            let cost = |option| self.unit.scale(u128::from(self.problem.cost(option)));
            layers.load(self.problem, &self.state, cost);
        }
        let layers = layers.filter(|layers| !layers.is_hopeless);
        let ways = [
            Some(SearchMethod::Prices),
            masked.map(SearchMethod::Masked),
            linear.map(SearchMethod::Linear),
            layers.map(SearchMethod::Layers),
        ];
        let mut sides: Vec<Side<N>> = ways
            .into_iter()
            .flatten()
            .map(|way| {
                let share = if way.favorite() == self.favorite {
                    1.0
                } else if matches!(way, SearchMethod::Linear(_)) && !self.has_root {
                    ROOT_SHARE
                } else {
                    SHARE
                };
                Side { way, share, allowed: 0, work: 0 }
            })
            .collect();
        if sides.iter().all(|side| side.way.favorite() != self.favorite) {
            sides[0].share = 1.0;
        }
        sides.sort_by(|a, b| b.share.total_cmp(&a.share));
        sides
    }
}
