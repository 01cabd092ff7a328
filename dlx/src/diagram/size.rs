//! Estimates the size of a diagram from a sample of the states of each step.
//!
//! If a step has more states than the *beam*, a random selection of this size continues, weighted
//! to represent the states that are dropped. Sampled states merge less often than all states would,
//! so the estimate is too high, and a wider beam reduces the error. The estimates of two beams are
//! extrapolated to the beam that would include all states.
//!
//! Source: stratified sampling is due to Chen (1992). The extrapolation to the full number of
//! states has no published source. Invariant: in the tests, estimates are correct within a factor
//! of ten.

use super::layer::{NumberedStates, STATE_WORK, TRY_WORK, go_on};
use crate::frontier::layout::{Key, Layout};
use crate::numbers::Random;
use crate::portfolio::{Budget, Cut};

pub(super) const BEAMS: [usize; 2] = [256, 4096];

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sampled {
    pub(super) nodes: f64,
    states_max: f64,
}

pub(super) fn sample<const K: usize>(
    layout: &Layout<K>,
    sizes: &[u32],
    beam: usize,
    budget: &mut Budget<'_>,
) -> Result<Sampled, Cut> {
    let step_count = layout.step_count();
    let mut random = Random::new(0);
    let mut layers: Vec<NumberedStates<K>> =
        (0..step_count).map(|_| NumberedStates::default()).collect();
    let mut weights: Vec<Vec<f64>> = vec![Vec::new(); step_count];
    let start = layout.start().filter(|&(step, _)| step < step_count);
    let Some((step, key)) = start else { return Ok(Sampled::default()) };
    layers[step].insert(key, 0);
    weights[step].push(1.0);
    let mut sampled = Sampled::default();
    for step in 0..step_count {
        let layer = std::mem::take(&mut layers[step]);
        let own = std::mem::take(&mut weights[step]);
        let mut states: Vec<(Key<K>, f64)> = layer.into_keys().zip(own).collect();
        let count = states.len();
        sampled.states_max = sampled.states_max.max(states.iter().map(|(_, weight)| weight).sum());
        for place in 0..count.min(beam) {
            let other = place + (random.next_u64() % (count - place) as u64) as usize;
            states.swap(place, other);
        }
        states.truncate(beam);
        let share = count as f64 / states.len().max(1) as f64;
        let choices = layout.choices(step);
        for (key, weight) in states {
            budget.spend(STATE_WORK + choices.len() as u64 * TRY_WORK)?;
            let weight = weight * share;
            go_on(layout, step, key, |choice, next, key| {
                let chosen = choices.get(choice as usize);
                let size = chosen.map_or(0, |choice| sizes[choice.option.index()]);
                sampled.nodes += weight * f64::from(size);
                if let Some(layer) = layers.get_mut(next) {
                    let (place, _) = layer.insert_full(key, 0);
                    match weights[next].get_mut(place) {
                        Some(known) => *known = known.max(weight),
                        None => weights[next].push(weight),
                    }
                }
            });
        }
    }
    Ok(sampled)
}

pub(super) fn nodes([narrow, wide]: [Sampled; 2]) -> f64 {
    let [from, to] = BEAMS.map(|beam| beam as f64);
    if wide.states_max <= to {
        return wide.nodes;
    }
    let fall = |narrow: f64, wide: f64| (narrow / wide).ln().max(0.0) / (to / from).ln();
    // With a beam of b, the largest step would have states_max * (b / to)^-fall states. If b equals
    // this number, the beam includes all states.
    let power = fall(narrow.states_max, wide.states_max);
    let beam = (wide.states_max / to).powf(1.0 / (1.0 + power));
    wide.nodes * beam.powf(-fall(narrow.nodes, wide.nodes))
}
