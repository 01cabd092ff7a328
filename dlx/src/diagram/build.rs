//! Builds the nodes of a diagram from the states of a frontier.
//!
//! All states are reached as in a count, but they are kept together with their choices and
//! successors. When all states are known, the nodes are built from the last step back. A state with
//! several choices becomes a chain of nodes, one for each option that a choice represents. A state
//! without completion becomes the terminal that represents no set. States with the same completions
//! become the same node. The end of a part is the start of the next part, so the parts are built
//! from the last to the first.

use indexmap::map::Entry;

use super::layer::{NOTHING, NumberedStates, STATE_WORK, TRY_WORK, go_on};
use super::nodes::{NONE, NodeId, NodeTable};
use super::size::{self, Sampled};
use crate::frontier::layout::{Key, Layout, LayoutSketch};
use crate::model::{ItemId, OptionId};
use crate::portfolio::{Budget, Cut};
use crate::prepare::Weighted;

const DONE: u32 = 0;
const WORDS_MAX: usize = 16;
/// Number of states expanded between two checks of the memory limit.
const CHUNK: usize = 256;

pub(super) trait DiagramPart {
    fn options(&self) -> Vec<OptionId>;

    /// Builds the nodes of the part, which end in `tail` instead of a terminal, and returns the
    /// first node. The variables of option `o` start at `variables[o]`.
    fn build(
        &self,
        variables: &[u32],
        tail: NodeId,
        nodes: &mut NodeTable,
        budget: &mut Budget<'_>,
    ) -> Result<NodeId, Cut>;

    fn sample(&self, beam: usize, budget: &mut Budget<'_>) -> Result<Sampled, Cut>;
}

/// Lays out a part. Returns `None` if the part has no cover.
///
/// # Errors
/// `Unsuited` if a state would take too many bits.
pub(super) fn lay_out(
    part: &Weighted,
    order: &[ItemId],
    budget: &mut Budget<'_>,
) -> Result<Option<Box<dyn DiagramPart>>, Cut> {
    fn with_words<const K: usize>(
        sketch: &LayoutSketch<'_>,
        part: &Weighted,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Box<dyn DiagramPart>>, Cut> {
        let sizes = part.groups.iter().map(|group| group.len() as u32).collect();
        let laid_out = |layout| Box::new(LaidOutPart::<K> { layout, sizes }) as Box<dyn DiagramPart>;
        Ok(sketch.layout(budget)?.map(laid_out))
    }
    let sketch = LayoutSketch::new(part, order, WORDS_MAX, budget)?;
    match sketch.width().div_ceil(64) {
        0..=1 => with_words::<1>(&sketch, part, budget),
        2 => with_words::<2>(&sketch, part, budget),
        3..=4 => with_words::<4>(&sketch, part, budget),
        5..=8 => with_words::<8>(&sketch, part, budget),
        _ => with_words::<WORDS_MAX>(&sketch, part, budget),
    }
}

struct LaidOutPart<const K: usize> {
    layout: Layout<K>,
    sizes: Vec<u32>,
}

/// The states of a step with their choices. The choice of no option comes last.
#[derive(Debug, Default)]
struct Expanded {
    states: Vec<u32>,
    ends: Vec<u32>,
    ways: Vec<(u32, u32)>,
}

impl Expanded {
    fn bytes(&self) -> usize {
        4 * (self.states.capacity() + self.ends.capacity()) + 8 * self.ways.capacity()
    }
}

impl<const K: usize> LaidOutPart<K> {
    fn expand(&self, held: usize, budget: &mut Budget<'_>) -> Result<Vec<Expanded>, Cut> {
        let layout = &self.layout;
        let step_count = layout.step_count();
        let mut layers: Vec<NumberedStates<K>> =
            (0..step_count).map(|_| NumberedStates::default()).collect();
        if let Some((step, key)) = layout.start().filter(|&(step, _)| step < step_count) {
            layers[step].insert(key, DONE + 1);
        }
        let (mut number, mut bytes) = (DONE + 1, held);
        let mut steps = Vec::with_capacity(step_count);
        for step in 0..step_count {
            let layer = std::mem::take(&mut layers[step]);
            let mut expanded = Expanded::default();
            for (place, (&key, &state)) in layer.iter().enumerate() {
                go_on(layout, step, key, |choice, next, key| {
                    let to = match layers.get_mut(next).map(|layer| layer.entry(key)) {
                        None => DONE,
                        Some(Entry::Occupied(entry)) => *entry.get(),
                        Some(Entry::Vacant(entry)) => {
                            number += 1;
                            *entry.insert(number)
                        }
                    };
                    expanded.ways.push((choice, to));
                });
                expanded.states.push(state);
                expanded.ends.push(expanded.ways.len() as u32);
                budget.spend(STATE_WORK + layout.choices(step).len() as u64 * TRY_WORK)?;
                if place % CHUNK == 0 {
                    let entry = size_of::<(Key<K>, u32)>() + 16;
                    let waiting = layers.iter().map(|layer| layer.capacity() * entry).sum::<usize>();
                    if bytes + expanded.bytes() + waiting > budget.bytes {
                        return Err(Cut::Memory);
                    }
                }
            }
            bytes += expanded.bytes();
            steps.push(expanded);
        }
        Ok(steps)
    }
}

impl<const K: usize> DiagramPart for LaidOutPart<K> {
    fn options(&self) -> Vec<OptionId> {
        let choices = (0..self.layout.step_count()).flat_map(|step| self.layout.choices(step));
        choices.map(|choice| choice.option).collect()
    }

    fn build(
        &self,
        variables: &[u32],
        tail: NodeId,
        nodes: &mut NodeTable,
        budget: &mut Budget<'_>,
    ) -> Result<NodeId, Cut> {
        let Some((first, _)) = self.layout.start() else { return Ok(NONE) };
        if first == self.layout.step_count() {
            return Ok(tail);
        }
        let steps = self.expand(nodes.bytes(), budget)?;
        let mut held = steps.iter().map(Expanded::bytes).sum::<usize>();
        let state_count = steps.iter().map(|expanded| expanded.states.len()).sum::<usize>();
        // The node of each state, where states are numbered from 1.
        let mut made = vec![NONE; state_count + 1];
        made[DONE as usize] = tail;
        for (step, Expanded { states, ends, ways }) in steps.into_iter().enumerate().rev() {
            let choices = self.layout.choices(step);
            held -= 4 * (states.capacity() + ends.capacity()) + 8 * ways.capacity();
            let starts = [0].into_iter().chain(ends.iter().copied());
            for (place, ((&state, start), &end)) in states.iter().zip(starts).zip(&ends).enumerate() {
                let mut node = NONE;
                for &(choice, to) in ways[start as usize..end as usize].iter().rev() {
                    let to = made[to as usize];
                    if choice == NOTHING {
                        node = to;
                        continue;
                    }
                    let option = choices[choice as usize].option.index();
                    let first = variables[option];
                    for variable in (first..first + self.sizes[option]).rev() {
                        node = nodes.make(variable, node, to);
                    }
                }
                made[state as usize] = node;
                if place % CHUNK == 0 {
                    budget.spend(CHUNK as u64 * STATE_WORK)?;
                    if nodes.bytes() + held + 4 * made.len() > budget.bytes {
                        return Err(Cut::Memory);
                    }
                }
            }
            nodes.forget();
        }
        Ok(made[DONE as usize + 1])
    }

    fn sample(&self, beam: usize, budget: &mut Budget<'_>) -> Result<Sampled, Cut> {
        size::sample(&self.layout, &self.sizes, beam, budget)
    }
}
