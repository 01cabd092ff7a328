//! The steps and the compact state keys of a frontier, derived from a static order of the primary
//! items.
//!
//! Each step decides an item. An option belongs to the first step among its primary items. An item
//! covered exactly once is a *branch*: a state that does not cover it chooses one of the options of
//! its step. An option whose first item has other bounds gets a step of its own, where it is chosen
//! or not.
//!
//! A *state* records the items that the chosen options cover and later options may touch. Each such
//! item has a *field* in the key: one bit for an item covered once, a counter for other bounds, and
//! one code per color for a secondary item with colors. No code is a subset of another, so a color
//! conflicts exactly with the bits outside its code. A field is in use from the first step that
//! touches its item to the last one; then its bits are reused, so most keys fit in one word.
//!
//! Invariants: states with equal keys at the same step have the same completions; each cover of the
//! part corresponds to exactly one sequence of choices; fields in use at the same step do not
//! overlap; bits outside of them are 0.
//!
//! Source: frontier methods (Sekine, Imai and Tani 1995; Kawahara et al. 2017), here for options
//! instead of edges; Sperner's theorem for the codes.

mod alike;
mod left;
mod looks;
mod sketch;
mod swaps;

use std::ops::Range;

use self::alike::AlikeAt;
use self::left::OptionsLeft;
pub(crate) use self::looks::CloserChecks;
use self::looks::{ItemAtRisk, LaterOption};
pub(crate) use self::sketch::LayoutSketch;
use self::swaps::SwapClass;
use crate::model::OptionId;

/// The key of a state: the fields of its items, packed into `K` words.
pub(crate) type Key<const K: usize> = [u64; K];

#[inline(always)]
pub(crate) fn are_disjoint<const K: usize>(a: &Key<K>, b: &Key<K>) -> bool {
    (0..K).fold(0, |common, word| common | (a[word] & b[word])) == 0
}

#[derive(Debug)]
pub(crate) struct Layout<const K: usize> {
    steps: Vec<LayoutStep<K>>,
    choices: Vec<StepChoice<K>>,
    /// Per choice, its addend to the counters and the guard bits of these counters; a guard bit set
    /// by the addition shows an exceeded bound; empty without counters.
    adds: Vec<(Key<K>, Key<K>)>,
    counters: Vec<Counter>,
    /// The range of checks in `looks` for each group of 64 choices (`looks.rs`).
    words: Vec<Range<u32>>,
    looks: Vec<ItemAtRisk<K>>,
    later_options: Vec<LaterOption<K>>,
    /// Per step, the table of options left (`left.rs`), if it is useful.
    left: Vec<Option<OptionsLeft<K>>>,
    /// The steps where symmetric states are merged, in ascending order, and for each step the next
    /// such step after it. Both lists are empty until symmetries are searched.
    alike: Vec<AlikeAt<K>>,
    alike_after: Vec<u32>,
    /// Per step, the classes of interchangeable items; empty if there are none.
    swaps: Vec<Vec<SwapClass>>,
    start: Key<K>,
    widths: Vec<u32>,
}

#[derive(Debug)]
pub(crate) struct LayoutStep<const K: usize> {
    pub(crate) is_optional: bool,
    pub(crate) choices: Range<u32>,
    /// The indices of the groups of 64 choices. In an optional step, "no choice" follows the last
    /// choice.
    pub(crate) words: Range<u32>,
    /// The sum of the weights of the choices, plus 1 if the step is optional.
    pub(crate) weight: u64,
    /// A state with any of these bits passes the step without a choice: its item is covered, or its
    /// option conflicts.
    passes: Key<K>,
    own: Key<K>,
    /// The bits that must be set at the end of the step, the mask of fields still in use after it,
    /// and the initial bits of fields that begin there.
    must: Key<K>,
    keep: Key<K>,
    begin: Key<K>,
    counters: Range<u32>,
    filter: Filter<K>,
}

#[derive(Debug)]
struct Filter<const K: usize> {
    /// The key bits that conflict with some choice; empty for a step with few choices, which are
    /// tested one by one.
    bits: Key<K>,
    /// For each bit of `bits`, in ascending order, the choices in conflict with it, 64 per word.
    conflicts: Vec<u64>,
}

const FILTER_MIN: usize = 12;

impl<const K: usize> Filter<K> {
    fn new(choices: &[StepChoice<K>]) -> Self {
        let mut bits = [0; K];
        if choices.len() < FILTER_MIN {
            return Self { bits, conflicts: Vec::new() };
        }
        choices.iter().for_each(|choice| unite(&mut bits, &choice.conflict));
        let conflicts = conflicts_by_bit(&bits, choices.iter().map(|choice| &choice.conflict));
        Self { bits, conflicts }
    }
}

/// Returns, for each bit of `bits` in ascending order, the options in conflict with it, 64 per
/// word. `options` yields the conflict bits of each option.
fn conflicts_by_bit<'k, const K: usize>(
    bits: &Key<K>,
    options: impl ExactSizeIterator<Item = &'k Key<K>>,
) -> Vec<u64> {
    let words = options.len().div_ceil(64);
    let count = bits.iter().map(|bits| bits.count_ones() as usize).sum::<usize>();
    let mut conflicts = vec![0; count * words];
    for (at, conflict) in options.enumerate() {
        let mut before = 0;
        for (bits, conflict) in bits.iter().zip(conflict) {
            let mut left = conflict & bits;
            while left != 0 {
                let lowest = left & left.wrapping_neg();
                let rank = before + (bits & (lowest - 1)).count_ones() as usize;
                conflicts[rank * words + at / 64] |= 1 << (at % 64);
                left ^= lowest;
            }
            before += bits.count_ones() as usize;
        }
    }
    conflicts
}

#[derive(Clone, Debug)]
pub(crate) struct StepChoice<const K: usize> {
    pub(crate) option: OptionId,
    pub(crate) weight: u64,
    conflict: Key<K>,
    set: Key<K>,
}

#[derive(Clone, Copy, Debug)]
struct Counter {
    word: usize,
    shift: u32,
    mask: u64,
    low: u64,
}

impl<const K: usize> Layout<K> {
    /// Returns the number of steps. A state that reaches the step with this index is a cover.
    pub(crate) fn step_count(&self) -> usize {
        self.steps.len()
    }

    pub(crate) fn width(&self) -> usize {
        self.widths.iter().max().map_or(0, |&width| width as usize)
    }

    pub(crate) fn widths(&self) -> &[u32] {
        &self.widths
    }

    pub(crate) fn step(&self, step: usize) -> &LayoutStep<K> {
        &self.steps[step]
    }

    pub(crate) fn choices(&self, step: usize) -> &[StepChoice<K>] {
        let Range { start, end } = self.steps[step].choices;
        &self.choices[start as usize..end as usize]
    }

    /// Returns the first step with a choice, and its state, or `None` if the part has no cover.
    pub(crate) fn start(&self) -> Option<(usize, Key<K>)> {
        self.settle(0, self.start)
    }

    /// Expands a state. Calls `reach` for each choice with a successor, with the step and the key
    /// of the successor; the choice is `None` for no option at an optional step. For each group of
    /// 64 choices, first calls `dead_ends` with the index of the group and its conflict-free
    /// choices, and skips the choices that it returns.
    #[inline]
    pub(crate) fn each(
        &self,
        step: usize,
        key: &Key<K>,
        mut dead_ends: impl FnMut(usize, u64) -> u64,
        mut reach: impl FnMut(Option<usize>, usize, Key<K>),
    ) {
        let LayoutStep { choices, words, .. } = &self.steps[step];
        let count = choices.len();
        for (word, number) in words.clone().enumerate() {
            let mut free = self.free(step, word, key);
            free &= !dead_ends(number as usize, free);
            while free != 0 {
                let index = 64 * word + free.trailing_zeros() as usize;
                let choice = (index < count).then_some(index);
                if let Some((next, key)) = self.after(step, choice, *key) {
                    reach(choice, next, key);
                }
                free &= free - 1;
            }
        }
    }

    #[inline]
    fn free(&self, step: usize, word: usize, key: &Key<K>) -> u64 {
        let LayoutStep { is_optional, choices, words, filter, .. } = &self.steps[step];
        let count = choices.len() + usize::from(*is_optional);
        let mut free = mask((count - 64 * word).min(64));
        if filter.conflicts.is_empty() {
            let choices = &self.choices[choices.start as usize..choices.end as usize];
            for (index, choice) in choices.iter().skip(64 * word).take(64).enumerate() {
                free &= !(u64::from(!are_disjoint(key, &choice.conflict)) << index);
            }
            return free;
        }
        let words = words.len();
        let mut rank = word;
        for (bits, key) in filter.bits.iter().zip(key) {
            let mut hits = key & bits;
            while hits != 0 {
                let lowest = hits & hits.wrapping_neg();
                let place = rank + words * (bits & (lowest - 1)).count_ones() as usize;
                free &= !filter.conflicts[place];
                hits ^= lowest;
            }
            rank += words * bits.count_ones() as usize;
        }
        free
    }

    /// Returns the successor of a state after a conflict-free choice, or after no choice, or `None`
    /// if it violates a bound.
    #[inline]
    fn after(&self, step: usize, choice: Option<usize>, mut key: Key<K>) -> Option<(usize, Key<K>)> {
        if let Some(choice) = choice {
            let index = self.steps[step].choices.start as usize + choice;
            unite(&mut key, &self.choices[index].set);
            if let Some((add, guard)) = self.adds.get(index) {
                (0..K).for_each(|word| key[word] = key[word].wrapping_add(add[word]));
                if !are_disjoint(&key, guard) {
                    return None;
                }
            }
        }
        self.settle(step + 1, self.leave(step, key)?)
    }

    /// Advances a state from `step` to its first step with a choice. Returns `None` if it violates
    /// a lower bound.
    #[inline]
    fn settle(&self, mut step: usize, mut key: Key<K>) -> Option<(usize, Key<K>)> {
        while let Some(next) = self.steps.get(step) {
            if are_disjoint(&key, &next.passes) {
                break;
            }
            (0..K).for_each(|word| key[word] &= !next.own[word]);
            key = self.leave(step, key)?;
            step += 1;
        }
        Some((step, key))
    }

    /// Moves a state from `step` to the next step. Returns `None` if an item whose field ends
    /// violates its lower bound.
    #[inline]
    fn leave(&self, step: usize, mut key: Key<K>) -> Option<Key<K>> {
        let step = &self.steps[step];
        for counter in &self.counters[step.counters.start as usize..step.counters.end as usize] {
            if key[counter.word] >> counter.shift & counter.mask < counter.low {
                return None;
            }
        }
        let missing = (0..K).fold(0, |missing, word| missing | (step.must[word] & !key[word]));
        (0..K).for_each(|word| key[word] = (key[word] & step.keep[word]) | step.begin[word]);
        (missing == 0).then_some(key)
    }
}

#[inline(always)]
fn unite<const K: usize>(key: &mut Key<K>, more: &Key<K>) {
    (0..K).for_each(|word| key[word] |= more[word]);
}

fn mask(bits: usize) -> u64 {
    if bits == 0 { 0 } else { u64::MAX >> (64 - bits) }
}
