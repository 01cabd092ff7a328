//! The counting method `symmetry` as a contender.

use std::sync::Arc;
use std::time::Duration;

use num_bigint::BigUint;

use super::Symmetry;
use crate::methods::method::{Count, Method, begun};
use crate::parallel::Cores;
use crate::portfolio::{Budget, Contender, Cut, Estimate, costs};
use crate::prepare::Weighted;

pub(in crate::methods) const METHOD: Method = Method {
    name: "symmetry",
    summary: "counts problems once that differ in names only, where items are interchangeable",
    contenders: |part, hints| {
        vec![Box::new(SymmetryMethod { part, cores: hints.cores, symmetry: None })]
    },
};

struct SymmetryMethod<'p> {
    part: &'p Weighted,
    cores: &'p Arc<Cores>,
    symmetry: Option<Symmetry>,
}

/// Mean size of the color classes above which the method is expected to finish soon.
pub(super) const ALIKE: f64 = 24.0;

/// Assumed exponent of the searched fraction as a function of work, until it is measured.
const POWER: f64 = 12.0;

/// Maximum estimate, as a multiple of the time spent. Early forecasts are far too high, and without
/// this limit the race would drop the method wrongly (regret suite).
const TIMES_MAX: f64 = 128.0;
/// Value of `TIMES_MAX` if an average item looks like at least the share `ALIKE_SHARE` of all
/// items, or this share of the items is interchangeable with another item.
const TIMES_MAX_ALIKE: f64 = 2.0;
const ALIKE_SHARE: f64 = 0.5;

/// Returns a first estimate of the remaining time, as a multiple of the time spent.
fn first_guess(symmetry: &Symmetry) -> f64 {
    let alike = 2.0 * (ALIKE / symmetry.likeness()).max(1.0).powi(2);
    let grown = symmetry.fraction().max(f64::MIN_POSITIVE).powf(-1.0 / POWER);
    alike.max(grown)
}

impl Contender for SymmetryMethod<'_> {
    type Output = BigUint;

    fn name(&self) -> &'static str {
        METHOD.name
    }

    fn run(&mut self, (): &mut (), budget: &mut Budget<'_>) -> Result<BigUint, Cut> {
        begun(&mut self.symmetry, budget, |budget| Symmetry::new(self.part, self.cores, budget))?
            .run(budget)
    }

    fn effort(&self) -> (u64, u64) {
        self.symmetry.as_ref().map(Symmetry::effort).unwrap_or_default()
    }

    fn known(&self) -> Option<BigUint> {
        self.symmetry.as_ref().map(Symmetry::known)
    }

    fn bytes(&self) -> usize {
        self.symmetry.as_ref().map_or(0, Symmetry::memo_bytes)
    }

    /// Estimates the remaining time. The estimate is reliable if merging interchangeable items
    /// leaves only a few distinct item sets. Otherwise the estimate follows the growth of the
    /// searched fraction, and before that is known, it is at least twice the time spent.
    fn estimate(&self, spent: Duration) -> Estimate {
        let spent = spent.as_nanos() as f64;
        if let Some(left) = self.symmetry.as_ref().and_then(Symmetry::work_left) {
            return Estimate::sure(left, 1.0);
        }
        Estimate::guess(match &self.symmetry {
            Some(symmetry) => {
                let times = symmetry.times_left().unwrap_or_else(|| first_guess(symmetry));
                let likeness = symmetry.likeness() / self.part.problem.item_count() as f64;
                let is_alike = likeness.max(symmetry.twin_share()) >= ALIKE_SHARE;
                spent * times.min(if is_alike { TIMES_MAX_ALIKE } else { TIMES_MAX })
            }
            None => costs::SYMMETRY_ITEM * self.part.problem.item_count() as f64,
        })
    }

    fn setup(&self) -> f64 {
        costs::METHOD_ENTRY * self.part.problem.entry_count() as f64
    }
}

impl Count for SymmetryMethod<'_> {
    fn explain(&self) -> String {
        let forms = self.symmetry.as_ref().map_or(0, Symmetry::form_count);
        let copies = match self.symmetry.as_ref().map_or(0, Symmetry::copy_count) {
            0 => String::new(),
            copies => format!(" of {copies} copies"),
        };
        let is_forwards = self.symmetry.as_ref().is_some_and(|symmetry| symmetry.layers.is_some());
        format!("{forms} forms{copies}{}", if is_forwards { ", then forwards by size" } else { "" })
    }
}
