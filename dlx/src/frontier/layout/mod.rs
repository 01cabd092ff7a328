//! The steps and the keys of few bits that a static order of the items gives a part.
//!
//! The items are decided in the order given, and each option at the first of its primary items. An item
//! that is covered once and has options of its own, for which it is the first, is a *branch*: a state
//! that does not cover it yet chooses one of them. An option whose first item has other bounds is a
//! step by itself: it is chosen or not.
//!
//! A *state* is what must be known of the options chosen so far: which items of the window are covered.
//! Each item has a *field* of the key from the first step that touches it to the last: a bit for an item
//! that is covered once; a counter for one with bounds; and for a secondary item with colors a code for each
//! color, none a subset of another, so that a color is in conflict with just the bits outside of its
//! code. Fields that are over make room for others, so that most keys fit into one word.
//!
//! Invariants: two states at the same step have the same completions if their keys are equal, and every
//! cover of the part is one sequence of choices through the steps; fields that are in use at the same
//! step do not overlap; bits outside of them are 0.
//!
//! Source: frontier methods (Sekine, Imai and Tani 1995; Kawahara et al. 2017), here for options instead
//! of edges; Sperner's theorem for the codes.

mod alike;
mod left;
mod looks;
mod sketch;

use std::ops::Range;

use self::alike::AlikeAt;
use self::left::OptionsLeft;
pub(crate) use self::looks::CloserLooks;
use self::looks::{ItemAtRisk, LaterOption};
pub(crate) use self::sketch::Sketch;
use crate::model::OptionId;

/// The state of the window, packed.
pub(crate) type Key<const K: usize> = [u64; K];

/// Tells whether two keys have no bit in common.
#[inline(always)]
pub(crate) fn are_disjoint<const K: usize>(a: &Key<K>, b: &Key<K>) -> bool {
    (0..K).fold(0, |common, word| common | (a[word] & b[word])) == 0
}

/// The steps of a part, with keys of `K` words.
#[derive(Debug)]
pub(crate) struct Layout<const K: usize> {
    steps: Vec<LayoutStep<K>>,
    choices: Vec<StepChoice<K>>,
    /// What each choice adds to the counters, and the bits that show that one is above its bound; empty
    /// where there are no counters.
    adds: Vec<(Key<K>, Key<K>)>,
    counters: Vec<Counter>,
    /// The looks for each 64 choices of the steps (`looks.rs`).
    words: Vec<Range<u32>>,
    looks: Vec<ItemAtRisk<K>>,
    later_options: Vec<LaterOption<K>>,
    /// The options left at each step, where that may be of use.
    left: Vec<Option<OptionsLeft<K>>>,
    /// The steps before which states are alike, ascending, and for each step the first of those behind it; empty until they are
    /// looked for.
    alike: Vec<AlikeAt<K>>,
    alike_after: Vec<u32>,
    start: Key<K>,
    /// The bits in use at each step.
    widths: Vec<u32>,
}

/// A branch on an item, or on whether to choose an option.
#[derive(Debug)]
pub(crate) struct LayoutStep<const K: usize> {
    /// Whether a state may also choose nothing.
    pub(crate) is_optional: bool,
    /// The options to choose from.
    pub(crate) choices: Range<u32>,
    /// The numbers of these choices by 64, with that of nothing after them if it is optional.
    pub(crate) words: Range<u32>,
    /// The sum of their weights, and 1 if it is optional.
    pub(crate) weight: u64,
    /// The bits that let a state pass without a choice: its item is covered, or its option in conflict.
    passes: Key<K>,
    /// The field of its item, which is over then.
    own: Key<K>,
    /// The bits that must be set when the step is left; then those that are over, and those that begin.
    must: Key<K>,
    keep: Key<K>,
    begin: Key<K>,
    counters: Range<u32>,
    filter: Filter<K>,
}

/// Which choices of a step are in conflict with a state, found bit by bit of the state instead of choice by
/// choice.
#[derive(Debug)]
struct Filter<const K: usize> {
    /// The bits that matter; none if there are few choices, which are tried one by one.
    bits: Key<K>,
    /// For each bit that matters, in ascending order, the choices in conflict with it, 64 to a word.
    conflicts: Vec<u64>,
}

/// A step with fewer choices than this tries them one by one. A step that is optional has one choice.
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

/// Returns for each of `bits`, in ascending order, which options are in conflict with it, 64 to a word: `options` are
/// the bits with which each is in conflict.
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

/// An option at its step.
#[derive(Clone, Debug)]
pub(crate) struct StepChoice<const K: usize> {
    pub(crate) option: OptionId,
    pub(crate) weight: u64,
    conflict: Key<K>,
    set: Key<K>,
}

/// The field of an item with bounds that is over.
#[derive(Clone, Copy, Debug)]
struct Counter {
    word: usize,
    shift: u32,
    mask: u64,
    low: u64,
}

impl<const K: usize> Layout<K> {
    /// Returns the number of steps; a state there is a cover.
    pub(crate) fn step_count(&self) -> usize {
        self.steps.len()
    }

    /// Returns the most bits of a state.
    pub(crate) fn width(&self) -> usize {
        self.widths.iter().max().map_or(0, |&width| width as usize)
    }

    /// Returns the number of bits of a state at each step.
    pub(crate) fn widths(&self) -> &[u32] {
        &self.widths
    }

    pub(crate) fn step(&self, step: usize) -> &LayoutStep<K> {
        &self.steps[step]
    }

    /// Returns the choices of a step.
    pub(crate) fn choices(&self, step: usize) -> &[StepChoice<K>] {
        let Range { start, end } = self.steps[step].choices;
        &self.choices[start as usize..end as usize]
    }

    /// Returns the first step with its state; `None` if there is no cover.
    pub(crate) fn start(&self) -> Option<(usize, Key<K>)> {
        self.settle(0, self.start)
    }

    /// Expands a state: calls `reach` with the number of each choice that leads somewhere (`None` for no choice at an
    /// optional step), and with the state to which it leads. Before, `dead_ends` is told the number of 64 choices and which of
    /// them are free, and returns those that shall be left out.
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

    /// Returns which of 64 choices of a step are in conflict with nothing.
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

    /// Returns where a choice of a step leads that is in conflict with nothing, or no choice; `None` if that is nowhere.
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

    /// Goes on from `step` to the first one where there is something to decide.
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

    /// Leaves a step: `None` if an item that is over is not covered as it must be.
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

/// Returns the number whose lowest bits are set.
fn mask(bits: usize) -> u64 {
    if bits == 0 { 0 } else { u64::MAX >> (64 - bits) }
}
