//! The independent parts of a problem, with a multiplicity (weight) for each option.

use num_bigint::BigUint;

use super::reduce::{THOROUGH, reduce_within};
use super::{Components, Reduction, reduce};
use crate::limits::{Limit, Limits, Pace};
use crate::model::{Groups, OptionId, Problem};

const PART: u64 = 1000;
const ENTRY: u64 = 20;

/// A problem whose options are repeated instead of weighted may have one additional option per this
/// many options.
const REPEATED: u64 = 4;

/// A reduced, connected part of a problem. The count of a part is the sum over the exact covers of
/// `problem` of the product of the weights of their options.
#[derive(Debug)]
pub(crate) struct Weighted {
    pub(crate) problem: Problem,
    /// The number of original options that each option represents, at least 1.
    pub(crate) weights: Vec<u64>,
    pub(crate) groups: Groups,
}

impl Weighted {
    /// Returns whether the part has the size of `problem`, and so is the whole problem, unreduced.
    pub(crate) fn is_like(&self, problem: &Problem) -> bool {
        let size =
            |problem: &Problem| (problem.option_count(), problem.item_count(), problem.entry_count());
        size(&self.problem) == size(problem)
    }

    /// Returns a problem without weights, and whether its number of covers is the count of the
    /// part. If few options have weights above 1, these options are repeated; otherwise weights are
    /// ignored.
    pub(crate) fn plain(&self) -> (Problem, bool) {
        if !self.is_repeated() {
            return (self.problem.clone(), self.weights.iter().all(|&weight| weight == 1));
        }
        let items = self.problem.items().map(|item| (item, self.problem.bounds(item)));
        let mut plain = self.problem.part(items, self.problem.has_colors());
        for (option, &weight) in self.problem.options().zip(&self.weights) {
            for _ in 0..weight {
                plain.add_to_part(self.problem.option(option).iter().copied(), 0);
            }
        }
        (plain, true)
    }

    /// Returns whether [`plain`](Self::plain) repeats options.
    pub(crate) fn is_repeated(&self) -> bool {
        let more: u64 = self.weights.iter().map(|weight| weight - 1).sum();
        // If items have bounds, a cover might contain an option and its repetition.
        let is_like = !self.problem.has_bounds() && self.problem.idle_options().is_empty();
        more > 0 && is_like && more <= self.weights.len() as u64 / REPEATED
    }

    pub(crate) fn whole(problem: &Problem) -> Self {
        let mut groups = Groups::default();
        problem.options().for_each(|option| groups.push([option].into_iter()));
        Self { weights: vec![1; problem.option_count()], problem: problem.clone(), groups }
    }
}

/// The independent parts of a problem. A cover consists of one option of each forced group and one
/// cover of each part.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    /// Groups of options; each cover contains exactly one option of each group.
    pub(crate) forced: Groups,
    pub(crate) parts: Vec<Weighted>,
}

impl Parts {
    /// Reduces and splits a problem with given options. Returns `None` if it has no cover.
    pub(crate) fn new(
        problem: &Problem,
        given: &[OptionId],
        limits: &Limits,
    ) -> Result<Option<Self>, Limit> {
        Self::of_reduced(reduce(problem, given, limits)?, problem.item_count(), limits)
    }

    /// Reduces a problem thoroughly and splits it. Returns `None` if it has no cover.
    pub(crate) fn thorough(problem: &Problem, limits: &Limits) -> Result<Option<Self>, Limit> {
        Self::of_reduced(reduce_within(problem, &[], THOROUGH, limits)?, problem.item_count(), limits)
    }

    fn of_reduced(
        reduction: Option<Reduction<'_>>,
        item_count: usize,
        limits: &Limits,
    ) -> Result<Option<Self>, Limit> {
        let Some(reduction) = reduction else { return Ok(None) };
        let components = Components::new(&reduction, item_count, limits)?;
        Self::of(&reduction, &components, limits).map(Some)
    }

    pub(crate) fn of(
        reduction: &Reduction<'_>,
        components: &Components,
        limits: &Limits,
    ) -> Result<Self, Limit> {
        let mut pace = Pace::new(limits);
        let parts = components.problems(reduction).map(|(problem, places)| {
            pace.spend(PART + ENTRY * problem.entry_count() as u64)?;
            let groups = reduction.groups(places);
            let weights = groups.iter().map(|group| group.len() as u64).collect();
            Ok(Weighted { problem, weights, groups })
        });
        let parts = parts.collect::<Result<_, _>>()?;
        Ok(Self { forced: reduction.groups(reduction.chosen()), parts })
    }

    pub(crate) fn factor(&self) -> BigUint {
        self.forced.iter().map(|group| BigUint::from(group.len())).product()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_with_weights_are_repeated_only_if_the_count_stays_the_same() {
        let plain = |text: &str, first: u64| {
            let mut part = Weighted::whole(&text.parse().unwrap());
            part.weights[0] = first;
            let (problem, is_plain) = part.plain();
            (problem.option_count(), is_plain)
        };
        let items = "a b\na\nb\na b\nb\na\n";
        assert_eq!(plain(items, 1), (5, true));
        assert_eq!(plain(items, 2), (6, true));
        assert_eq!(plain(items, 3), (5, false), "too many");
        assert_eq!(plain(&items.replacen('a', "0:2|a", 1), 2), (5, false), "an item with bounds");
        assert_eq!(
            plain("a b | x\na\nb\nx\na b\nb\n", 2),
            (5, false),
            "an option without primary items"
        );
    }
}
