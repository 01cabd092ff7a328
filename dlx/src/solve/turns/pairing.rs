//! Matchings as a contender: if options have at most two items, finds a cover or another one, or
//! proves that there is none, in polynomial time ([`pairs`](crate::pairs)).
//!
//! This contender runs first, for about the time of a reduction, which is enough for most
//! matchings.

use std::time::Duration;

use super::sum::{Question, Turns};
use crate::limits::{Limit, Limits};
use crate::model::Problem;
use crate::pairs::{Pairs, Reading};
use crate::portfolio::{Budget, Contender, Cut, Estimate};
use crate::search::End;

pub(super) const NAME: &str = "pairs";

/// Minimum length of the first slice per option (ns).
const AT_ONCE: u64 = 500;

pub(super) struct Pairing {
    reading: Option<Reading>,
    pairs: Option<Pairs>,
    is_shown: bool,
    /// Minimum length of the first slice (ns); 0 after that slice.
    at_once: u64,
}

impl Pairing {
    pub(super) fn new(problem: &Problem, limits: &Limits) -> Option<Self> {
        let reading = Reading::of(problem, &mut Budget::new(limits, u64::MAX, usize::MAX)).ok()?;
        let at_once = AT_ONCE * reading.options.len() as u64;
        Some(Self { reading: Some(reading), pairs: None, is_shown: false, at_once })
    }

    fn go_on(&mut self, turns: &mut Turns<'_, '_, '_>, budget: &mut Budget<'_>) -> Result<End, Cut> {
        if let Some(reading) = self.reading.take() {
            self.pairs = Some(budget.begin(|budget| Pairs::new(reading, budget))?);
        }
        let Some(pairs) = &mut self.pairs else { return Err(Cut::Unsuited) };
        if !self.is_shown {
            let Some(cover) = pairs.cover(budget)? else { return Ok(End::Exhausted) };
            // Other contenders list many covers faster.
            if turns.question != Question::Few {
                return Err(Cut::Unsuited);
            }
            self.is_shown = true;
            if turns.show(&cover).is_break() {
                return Ok(turns.end().unwrap_or(End::Limit(Limit::Solutions)));
            }
        }
        let Some(cover) = pairs.another(budget)? else { return Ok(End::Exhausted) };
        _ = turns.show(&cover);
        Ok(turns.end().unwrap_or(End::Limit(Limit::Solutions)))
    }
}

impl<'l, 'o, 'v> Contender<Turns<'l, 'o, 'v>> for Pairing {
    type Output = End;

    fn name(&self) -> &'static str {
        NAME
    }

    fn run(&mut self, turns: &mut Turns<'l, 'o, 'v>, budget: &mut Budget<'_>) -> Result<End, Cut> {
        let at_once = std::mem::take(&mut self.at_once);
        let mut slice = Budget::new(budget.limits(), budget.work().max(at_once), budget.bytes);
        let result = self.go_on(turns, &mut slice);
        budget.charge(slice.spent());
        result
    }

    fn estimate(&self, spent: Duration) -> Estimate {
        Estimate::guess(spent.as_nanos() as f64)
    }
}
