//! Estimates layer sizes of a frontier by beam walks, which keep only some states of each step.
//!
//! Two walks draw states with equal probability; the number of states drawn by both yields an
//! estimate of the layer size (capture and recapture, Lincoln and Petersen). With a beam of b
//! states the estimate is good up to a few times b^2 states per layer.

use super::layout::{Key, Layout};
use crate::numbers::Random;
use crate::portfolio::{Budget, Cut};

pub(crate) type WeightedState<const K: usize> = (Key<K>, f64);

/// Walks through all steps. `visit` receives the states of each step in ascending order of keys and
/// may remove some. Returns the total weight of the covers reached as (x, e), meaning x * 2^e.
/// Fails with `Memory` if the states of all layers take more than the memory of the budget.
pub(crate) fn walk<const K: usize>(
    layout: &Layout<K>,
    budget: &mut Budget<'_>,
    visit: &mut dyn FnMut(usize, &mut Vec<WeightedState<K>>),
) -> Result<(f64, i64), Cut> {
    const LARGE: f64 = 1e100;
    let end = layout.step_count();
    // After the last step only the weights of states matter, not their keys.
    let mut layers: Vec<Vec<WeightedState<K>>> = vec![Vec::new(); end + 1];
    let mut exponent = 0;
    let Some((first, key)) = layout.start() else { return Ok((0.0, 0)) };
    layers[first].push((key, 1.0));
    let mut held = 1;
    for step in first..end {
        let mut layer = std::mem::take(&mut layers[step]);
        held -= layer.len();
        layer.sort_unstable_by_key(|state| state.0);
        layer.dedup_by(|next, state| {
            let is_same = next.0 == state.0;
            if is_same {
                state.1 += next.1;
            }
            is_same
        });
        visit(step, &mut layer);
        if layer.iter().any(|state| state.1 > LARGE) {
            let shift = LARGE.log2().floor();
            exponent += shift as i64;
            let all = layers.iter_mut().flatten().chain(&mut layer);
            all.for_each(|state| state.1 *= (-shift).exp2());
        }
        let choices = layout.choices(step);
        for (key, weight) in &layer {
            let dead_ends = |choices, free| layout.dead_ends(choices, free, key);
            layout.each(step, key, dead_ends, |index, to, key| {
                let (to, key) = layout.representative(step, to, key);
                let factor = index.map_or(1, |index| choices[index].weight);
                layers[to].push((key, weight * factor as f64));
                held += 1;
            });
            budget.fits::<WeightedState<K>>(held)?;
        }
        budget.spend(layer.len() as u64 * 100 + 100)?;
        layer.clear();
        layer.shrink_to_fit();
    }
    let found = layers[end].iter().map(|state| state.1).sum();
    Ok((found, exponent))
}

#[derive(Clone, Debug, Default)]
pub(crate) struct SampledSizes {
    pub(crate) states: Vec<f64>,
    /// Whether the two walks drew enough common states at each large step for a reliable estimate.
    pub(crate) is_seen: bool,
}

/// Minimum number of states drawn by both walks for a reliable estimate.
const MET_TWICE: usize = 8;

/// Estimates the number of states of a full count at each step, within a factor of 2 up to a few
/// times `beam`^2 states. Larger layers are underestimated. Fails with `Memory` if the states of
/// the first walk take more than the memory of the budget.
pub(crate) fn sampled_sizes<const K: usize>(
    layout: &Layout<K>,
    beam: usize,
    random: &mut Random,
    budget: &mut Budget<'_>,
) -> Result<SampledSizes, Cut> {
    let mut met: Vec<Vec<Key<K>>> = vec![Vec::new(); layout.step_count()];
    let mut is_exact = true;
    let (mut met_count, met_max) = (0, budget.bytes / size_of::<Key<K>>());
    walk(layout, budget, &mut |step, layer| {
        met_count += layer.len();
        if met_count > met_max {
            return layer.clear();
        }
        met[step] = layer.iter().map(|state| state.0).collect();
        is_exact &= layer.len() <= beam;
        thin_uniformly(layer, beam, random);
    })?;
    if met_count > met_max {
        return Err(Cut::Memory);
    }
    let mut sizes: Vec<f64> = met.iter().map(|met| met.len() as f64).collect();
    let mut is_seen = true;
    if is_exact {
        return Ok(SampledSizes { states: sizes, is_seen });
    }
    // Estimated ratio of all states of a step to the states of the first walk. A step without
    // common states keeps the ratio of the previous step.
    let mut factor = 1.0;
    walk(layout, budget, &mut |step, layer| {
        let first = &met[step];
        let both = layer.iter().filter(|state| first.binary_search(&state.0).is_ok()).count();
        is_seen &= both >= MET_TWICE || layer.len() < beam / 2;
        let (first, second) = (first.len() as f64, layer.len() as f64);
        // If the walks have no state in common, the ratio is only a lower bound.
        factor = if both > 0 { (second / both as f64).max(1.0) } else { second.max(factor) };
        sizes[step] = first * factor;
        thin_uniformly(layer, beam, random);
    })?;
    Ok(SampledSizes { states: sizes, is_seen })
}

/// Keeps about `size` randomly chosen states, all with equal probability.
fn thin_uniformly<const K: usize>(layer: &mut Vec<WeightedState<K>>, size: usize, random: &mut Random) {
    layer.iter_mut().for_each(|state| state.1 = 1.0);
    if layer.len() > size {
        let chance = size as f64 / layer.len() as f64;
        layer.retain(|_| random.unit() < chance);
    }
}
