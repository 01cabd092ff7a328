//! The oracle: an exhaustive search that takes or leaves each option in turn.
//!
//! The options are sorted by their first primary item. The depth-first search first takes an
//! option, if it is compatible with the options already taken, and then leaves it. After the last
//! option of an item, the item must have reached its lower bound. The engine keeps no state between
//! searches, has no branching heuristic, and undoes only the last option taken. Its simplicity
//! makes the engine an oracle.
//!
//! An update is an option taken or left.

use std::collections::{BTreeMap, BTreeSet};

use crate::limits::Limits;
use crate::model::{Color, ItemId, OptionId, Problem};
use crate::search::{End, Engine, EngineSpec, Meter, Report, Unsupported, Visit};

pub(super) const SPEC: EngineSpec = EngineSpec {
    name: "naive",
    summary: "takes or leaves each option in turn; slow, obviously right",
    build: |problem| Ok::<_, Unsupported>(Box::new(Naive::new(problem))),
};

/// The oracle that all engines are tested against.
///
/// ```
/// use dlx::{Engine, Limits, engine::Naive};
///
/// let problem: dlx::Problem = "a b\na\nb\na b\n".parse()?;
/// assert_eq!(Naive::new(&problem).count(&[], &Limits::new()).count(), Some(2));
/// # Ok::<(), dlx::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Naive {
    problem: Problem,
    order: Vec<OptionId>,
    /// For each index of `order`, the items whose last option has this index. The extra last entry
    /// lists the items without options.
    last: Vec<Vec<ItemId>>,
}

impl Naive {
    /// Prepares the search of `problem`.
    #[must_use]
    pub fn new(problem: &Problem) -> Self {
        let first_primary = |option: &OptionId| {
            let primary = problem.option(*option).iter().filter(|e| problem.is_primary(e.item));
            primary.map(|entry| entry.item).min()
        };
        let mut order: Vec<_> = problem.options().filter(|o| first_primary(o).is_some()).collect();
        order.sort_by_key(first_primary);
        let mut last_place = vec![order.len(); problem.item_count()];
        for (place, &option) in order.iter().enumerate() {
            for entry in problem.option(option) {
                last_place[entry.item.index()] = place;
            }
        }
        let mut last = vec![Vec::new(); order.len() + 1];
        for item in problem.items().filter(|&item| problem.is_primary(item)) {
            last[last_place[item.index()]].push(item);
        }
        Self { problem: problem.clone(), order, last }
    }

    fn is_enough(&self, place: usize, taken: &[OptionId]) -> bool {
        self.last[place].iter().all(|&item| {
            let covering = |o: &&OptionId| self.problem.option(**o).iter().any(|e| e.item == item);
            let count = taken.iter().filter(covering).count();
            self.problem.bounds(item).is_none_or(|bounds| count >= bounds.low as usize)
        })
    }

    /// Returns whether the options are compatible: no primary item exceeds its upper bound, and a
    /// secondary item is covered once or always in the same color.
    fn fits(&self, taken: &[OptionId]) -> bool {
        let mut colors: BTreeMap<ItemId, Vec<Option<Color>>> = BTreeMap::new();
        for entry in taken.iter().flat_map(|&option| self.problem.option(option)) {
            colors.entry(entry.item).or_default().push(entry.color);
        }
        colors.iter().all(|(&item, colors)| match self.problem.bounds(item) {
            Some(bounds) => colors.len() <= bounds.high as usize,
            None => colors.len() == 1 || colors.iter().all(|c| c.is_some() && *c == colors[0]),
        })
    }
}

impl Engine for Naive {
    fn run(
        &mut self,
        given: &[OptionId],
        without: &[OptionId],
        limits: &Limits,
        mut visit: Option<&mut Visit<'_>>,
    ) -> Report {
        let is_known = |option: &OptionId| option.index() < self.problem.option_count();
        assert!(without.iter().all(is_known), "the options left out must be this problem's");
        let mut meter = Meter::new(limits, self.problem.item_count());
        let mut updates = 0;
        let mut seen = BTreeSet::new();
        let mut taken: Vec<_> = given.iter().copied().filter(|&option| seen.insert(option)).collect();
        let is_left_out = |option: &OptionId| without.contains(option);
        if !self.fits(&taken) || taken.iter().any(is_left_out) {
            return meter.report(End::Exhausted, updates);
        }
        let mut decisions: Vec<bool> = Vec::new();
        let mut forward = true;
        loop {
            if forward {
                if let Err(limit) = meter.enter(decisions.len(), updates, || 0.0) {
                    return meter.report(End::Limit(limit), updates);
                }
                let place = decisions.len();
                if place == self.order.len() {
                    if self.is_enough(place, &taken)
                        && let Err(end) = meter.found(&mut visit, || &taken)
                    {
                        return meter.report(end, updates);
                    }
                    forward = false;
                    continue;
                }
                updates += 1;
                let option = self.order[place];
                let is_given = seen.contains(&option);
                if !is_given {
                    taken.push(option);
                }
                decisions.push(true);
                let may_take = is_given || !is_left_out(&option) && self.fits(&taken);
                forward = may_take && self.is_enough(place, &taken);
                continue;
            }
            let Some(was_taken) = decisions.pop() else {
                return meter.report(End::Exhausted, updates);
            };
            let place = decisions.len();
            if was_taken && !seen.contains(&self.order[place]) {
                updates += 1;
                taken.pop();
                decisions.push(false);
                forward = self.is_enough(place, &taken);
            }
        }
    }

    fn is_at_rest(&self, _problem: &Problem) -> bool {
        true
    }
}
