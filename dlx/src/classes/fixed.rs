//! Expresses the covers that a symmetry leaves unchanged as the covers of smaller problems.
//!
//! An unchanged cover is a union of orbits of options. The smaller problem has an option for each
//! orbit whose options do not conflict with each other. The smaller problem has one representative
//! item per orbit of items, because all items of an orbit are covered equally often.
//!
//! Several options of an orbit may contain the same item with bounds. If all orbits contain this
//! item equally often, say m times, its bounds are divided by m. If orbits contain the item
//! differently often, it becomes one item for each multiplicity m, and there is one problem for
//! each combination of orbit counts per m that the bounds allow. The counts of all problems are
//! added up.
//!
//! Bound: at most [`PROBLEMS_MAX`] problems.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::limits::{Limit, Limits, Pace};
use crate::model::{Bounds, Color, ItemId, OptionId, Problem, ProblemBuilder};
use crate::symmetries::{Symmetry, SymmetryGroup};

const PROBLEMS_MAX: usize = 1000;
const SOUND: &str = "items have numbers as names, and there are no more than in the whole problem";

pub(super) type GivenProblem = (Arc<Problem>, Vec<OptionId>);

#[derive(Debug)]
struct OptionOrbit {
    /// The representative items of the orbit, each with the number of options that contain it, and
    /// its color.
    entries: Vec<(usize, u32, Option<Color>)>,
    is_given: bool,
}

/// For each m, the bounds on the number of orbits that contain an item m times.
type Shares = BTreeMap<u32, Bounds>;

impl SymmetryGroup {
    /// Returns problems whose covers together correspond to the covers that `symmetry` leaves
    /// unchanged. Returns `None` if there would be too many problems.
    pub(super) fn fixed_problems(
        &self,
        symmetry: &Symmetry,
        limits: &Limits,
    ) -> Result<Option<Vec<GivenProblem>>, Limit> {
        let pace = &mut Pace::new(limits);
        if self.problem.options().all(|option| symmetry.image(option) == option) {
            return Ok(Some(vec![(Arc::clone(&self.problem), self.given.clone())]));
        }
        let images = self.item_images(symmetry, pace)?;
        let mut standing: Vec<usize> = (0..images.len()).collect();
        let mut is_seen = vec![false; images.len()];
        for first in 0..images.len() {
            let mut item = first;
            while !std::mem::replace(&mut is_seen[item], true) {
                standing[item] = first;
                item = images[item];
            }
        }
        let Some(orbits) = self.option_orbits(symmetry, &standing, pace)? else {
            return Ok(Some(Vec::new()));
        };
        let mut shares: BTreeMap<usize, Shares> = BTreeMap::new();
        for &(item, times, _) in orbits.iter().flat_map(|orbit| &orbit.entries) {
            shares.entry(item).or_default().insert(times, Bounds::ONE);
        }
        let mut all: Vec<BTreeMap<usize, Shares>> = vec![BTreeMap::new()];
        for (&item, shares) in &shares {
            let Some(bounds) = self.problem.bounds(ItemId::new(item)) else { continue };
            let times: Vec<u32> = shares.keys().copied().collect();
            let ways = if self.is_loose(item, bounds) {
                let any = Bounds { low: 0, high: bounds.high };
                vec![times.iter().map(|&times| (times, any)).collect()]
            } else {
                ways(&times, bounds)
            };
            if all.len().saturating_mul(ways.len()) > PROBLEMS_MAX {
                return Ok(None);
            }
            let with = |chosen: &BTreeMap<usize, Shares>| {
                let with = |way: &Shares| {
                    let mut chosen = chosen.clone();
                    chosen.insert(item, way.clone());
                    chosen
                };
                ways.iter().map(with).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(with).collect();
        }
        let unnamed = |item: &ItemId| {
            standing[item.index()] == item.index() && !shares.contains_key(&item.index())
        };
        let needs = |item: ItemId| self.problem.bounds(item).is_some_and(|bounds| bounds.low > 0);
        if self.problem.items().filter(unnamed).any(needs) {
            return Ok(Some(Vec::new()));
        }
        let mut problems = Vec::with_capacity(all.len());
        for chosen in all {
            pace.spend(200 * orbits.len() as u64)?;
            problems.push(self.problem_of(&orbits, &shares, &chosen));
        }
        Ok(Some(problems))
    }

    /// Returns the orbits of options without internal conflicts. Returns `None` if a given option
    /// belongs to an orbit with conflicts.
    fn option_orbits(
        &self,
        symmetry: &Symmetry,
        standing: &[usize],
        pace: &mut Pace<'_>,
    ) -> Result<Option<Vec<OptionOrbit>>, Limit> {
        let mut is_seen = vec![false; self.problem.option_count()];
        let mut orbits = Vec::new();
        for first in self.problem.options() {
            let mut option = first;
            let mut named: BTreeMap<usize, (u32, Option<Color>, bool)> = BTreeMap::new();
            let mut is_new = false;
            while !std::mem::replace(&mut is_seen[option.index()], true) {
                is_new = true;
                let entries = self.problem.option(option);
                pace.spend(50 * entries.len() as u64)?;
                for entry in
                    entries.iter().filter(|entry| standing[entry.item.index()] == entry.item.index())
                {
                    let named = named.entry(entry.item.index()).or_insert((0, entry.color, true));
                    *named = (named.0 + 1, named.1, named.2 && named.1 == entry.color);
                }
                option = symmetry.image(option);
            }
            if !is_new {
                continue;
            }
            let goes =
                |(&item, &(times, color, is_one)): (&usize, &(u32, Option<Color>, bool))| match self
                    .problem
                    .bounds(ItemId::new(item))
                {
                    Some(bounds) => times <= bounds.high,
                    None => times == 1 || is_one && color.is_some(),
                };
            let is_given = self.given.binary_search(&first).is_ok();
            if named.iter().all(goes) {
                let entries = named.into_iter().map(|(item, (times, color, _))| {
                    let is_primary = self.problem.is_primary(ItemId::new(item));
                    (item, if is_primary { times } else { 1 }, color)
                });
                orbits.push(OptionOrbit { entries: entries.collect(), is_given });
            } else if is_given {
                return Ok(None);
            }
        }
        Ok(Some(orbits))
    }

    /// Returns whether the upper bound of an item can never be exceeded, because each of its
    /// options needs one of a few items that at most one option can cover.
    fn is_loose(&self, item: usize, bounds: Bounds) -> bool {
        let problem = &self.problem;
        let is_single = |other: ItemId| problem.bounds(other).is_none_or(|bounds| bounds.high == 1);
        let takes_single = |option: OptionId| {
            let mut entries = problem.option(option).iter();
            let is_in = entries.clone().any(|entry| entry.item.index() == item);
            !is_in || entries.any(|entry| is_single(entry.item) && entry.color.is_none())
        };
        bounds.low == 0
            && bounds.high > 1
            && bounds.high as usize >= problem.items().filter(|&other| is_single(other)).count()
            && problem.options().all(takes_single)
    }

    fn problem_of(
        &self,
        orbits: &[OptionOrbit],
        shares: &BTreeMap<usize, Shares>,
        chosen: &BTreeMap<usize, Shares>,
    ) -> GivenProblem {
        let mut builder = ProblemBuilder::new();
        let mut ids: BTreeMap<(usize, u32), ItemId> = BTreeMap::new();
        for (&item, shares) in shares {
            for &times in shares.keys() {
                let name = format!("{item}x{times}");
                let id = match chosen.get(&item).and_then(|shares| shares.get(&times)) {
                    Some(bounds) => builder.bounded(&name, bounds.low, bounds.high),
                    None => builder.secondary(&name),
                };
                ids.insert((item, times), id.expect(SOUND));
            }
        }
        let mut given = Vec::new();
        for orbit in orbits {
            let mut entries = Vec::with_capacity(orbit.entries.len());
            for &(item, times, color) in &orbit.entries {
                let color =
                    color.map(|color| builder.color(self.problem.color_name(color)).expect(SOUND));
                let item = ids[&(item, times)];
                entries.push(color.map_or(item.into(), |color| item.with(color)));
            }
            let option = builder.option(entries).expect(SOUND);
            if orbit.is_given {
                given.push(option);
            }
        }
        (Arc::new(builder.build()), given)
    }
}

/// Returns all combinations of orbit counts per multiplicity that satisfy the bounds. The first
/// multiplicity gets bounds, the other multiplicities get exact numbers.
fn ways(times: &[u32], bounds: Bounds) -> Vec<Shares> {
    let Some((&first, others)) = times.split_first() else { return Vec::new() };
    let mut taken: Vec<(u32, Shares)> = vec![(0, Shares::new())];
    for &times in others {
        let more = |(sum, shares): &(u32, Shares)| {
            let (sum, shares) = (*sum, shares.clone());
            (0..=(bounds.high - sum) / times).map(move |count| {
                let mut shares = shares.clone();
                shares.insert(times, Bounds { low: count, high: count });
                (sum + count * times, shares)
            })
        };
        taken = taken.iter().flat_map(more).take(super::fixed::PROBLEMS_MAX + 1).collect();
    }
    let ways = taken.into_iter().filter_map(|(sum, mut shares)| {
        let low = bounds.low.saturating_sub(sum).div_ceil(first);
        let high = (bounds.high - sum) / first;
        shares.insert(first, Bounds { low, high });
        (low <= high).then_some(shares)
    });
    ways.collect()
}
