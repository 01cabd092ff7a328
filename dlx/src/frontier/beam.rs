//! Walks through the steps of a frontier with a beam: of the states at a step only some go on.
//!
//! How many states a count goes through is estimated by capture and recapture: of two walks that draw states with equal chances, the
//! number of states that both meet tells how many there are (Lincoln and Petersen). A walk with a beam of b states sees what there is
//! as long as that is not much more than the square of b.

use super::layout::{Key, Layout};
use crate::numbers::Random;
use crate::portfolio::{Budget, Cut};

/// A state with its weight.
pub(crate) type WeightedState<const K: usize> = (Key<K>, f64);

/// Goes through all steps; `visit` sees the states at each, in the order of their keys, and may leave out
/// some. Returns the sum of the weights with which covers are reached, as a number and the power of two by which it is multiplied.
pub(crate) fn walk<const K: usize>(
    layout: &Layout<K>,
    budget: &mut Budget<'_>,
    visit: &mut dyn FnMut(usize, &mut Vec<WeightedState<K>>),
) -> Result<(f64, i64), Cut> {
    const LARGE: f64 = 1e100;
    let end = layout.step_count();
    // The states at the end have no keys, only weights.
    let mut layers: Vec<Vec<WeightedState<K>>> = vec![Vec::new(); end + 1];
    let mut exponent = 0;
    let Some((first, key)) = layout.start() else { return Ok((0.0, 0)) };
    layers[first].push((key, 1.0));
    for step in first..end {
        let mut layer = std::mem::take(&mut layers[step]);
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
                let (to, key) = layout.for_all_alike(step, to, key);
                let factor = index.map_or(1, |index| choices[index].weight);
                layers[to].push((key, weight * factor as f64));
            });
        }
        budget.spend(layer.len() as u64 * 100 + 100)?;
        layer.clear();
        layer.shrink_to_fit();
    }
    let found = layers[end].iter().map(|state| state.1).sum();
    Ok((found, exponent))
}

/// How many states a count has at each step, as two walks tell.
#[derive(Clone, Debug, Default)]
pub(crate) struct SampledSizes {
    pub(crate) states: Vec<f64>,
    /// Whether at each step with many states enough of them were met twice.
    pub(crate) is_seen: bool,
}

/// So many states that were met twice tell how many there are.
const MET_TWICE: usize = 8;

/// Estimates how many states an exact count has at each step: within a factor of two up to a few times the square of
/// the beam, where walks still meet a state twice; larger steps are taken to be that large.
pub(crate) fn sampled_sizes<const K: usize>(
    layout: &Layout<K>,
    beam: usize,
    random: &mut Random,
    budget: &mut Budget<'_>,
) -> Result<SampledSizes, Cut> {
    let mut met: Vec<Vec<Key<K>>> = vec![Vec::new(); layout.step_count()];
    let mut is_exact = true;
    walk(layout, budget, &mut |step, layer| {
        met[step] = layer.iter().map(|state| state.0).collect();
        is_exact &= layer.len() <= beam;
        thin_alike(layer, beam, random);
    })?;
    let mut sizes: Vec<f64> = met.iter().map(|met| met.len() as f64).collect();
    let mut is_seen = true;
    if is_exact {
        return Ok(SampledSizes { states: sizes, is_seen });
    }
    // How many times as many there were as were met, which goes on where there is nothing to tell.
    let mut factor = 1.0;
    walk(layout, budget, &mut |step, layer| {
        let first = &met[step];
        let both = layer.iter().filter(|state| first.binary_search(&state.0).is_ok()).count();
        is_seen &= both >= MET_TWICE || layer.len() < beam / 2;
        let (first, second) = (first.len() as f64, layer.len() as f64);
        // Where none is met again, there are more than could be seen.
        factor = if both > 0 { (second / both as f64).max(1.0) } else { second.max(factor) };
        sizes[step] = first * factor;
        thin_alike(layer, beam, random);
    })?;
    Ok(SampledSizes { states: sizes, is_seen })
}

/// Draws about `size` of the states, all with the same chance.
fn thin_alike<const K: usize>(layer: &mut Vec<WeightedState<K>>, size: usize, random: &mut Random) {
    layer.iter_mut().for_each(|state| state.1 = 1.0);
    if layer.len() > size {
        let chance = size as f64 / layer.len() as f64;
        layer.retain(|_| random.unit() < chance);
    }
}
