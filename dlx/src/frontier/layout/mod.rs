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
    looks: Vec<ItemAtRisk<K>>,
    /// For each option of a look, the fields with which it is in conflict.
    conflicts: Vec<Key<K>>,
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
    looks: Range<u32>,
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

/// A step with fewer choices than this tries them one by one.
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

/// An item that may have lost all its options.
#[derive(Debug)]
struct ItemAtRisk<const K: usize> {
    /// Its field; empty while no earlier option can have covered it.
    own: Key<K>,
    conflicts: Range<u32>,
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

    /// Returns where a state goes that chooses nothing at an optional step.
    #[inline]
    pub(crate) fn without(&self, step: usize, key: Key<K>) -> Option<(usize, Key<K>)> {
        self.settle(step + 1, self.leave(step, key)?)
    }

    /// Returns where a choice of a step leads to; `None` if it is in conflict or leads nowhere.
    #[inline]
    pub(crate) fn with(&self, step: usize, index: usize, mut key: Key<K>) -> Option<(usize, Key<K>)> {
        let index = self.steps[step].choices.start as usize + index;
        let choice = &self.choices[index];
        if !are_disjoint(&key, &choice.conflict) {
            return None;
        }
        unite(&mut key, &choice.set);
        if let Some((add, guard)) = self.adds.get(index) {
            (0..K).for_each(|word| key[word] = key[word].wrapping_add(add[word]));
            if !are_disjoint(&key, guard) {
                return None;
            }
        }
        self.settle(step + 1, self.leave(step, key)?)
    }

    /// Expands a state: calls `reach` with the number of each choice that leads somewhere (`None` for no choice at an
    /// optional step), and with the state to which it leads.
    #[inline]
    pub(crate) fn each(
        &self,
        step: usize,
        key: &Key<K>,
        mut reach: impl FnMut(Option<usize>, usize, Key<K>),
    ) {
        let LayoutStep { is_optional, choices, filter, .. } = &self.steps[step];
        if *is_optional && let Some((next, key)) = self.without(step, *key) {
            reach(None, next, key);
        }
        let count = choices.len();
        let mut choose = |index| {
            if let Some((next, key)) = self.with(step, index, *key) {
                reach(Some(index), next, key);
            }
        };
        if filter.conflicts.is_empty() {
            return (0..count).for_each(choose);
        }
        let words = count.div_ceil(64);
        for word in 0..words {
            let mut free = mask((count - 64 * word).min(64));
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
            while free != 0 {
                choose(64 * word + free.trailing_zeros() as usize);
                free &= free - 1;
            }
        }
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

    /// Returns the number of looks at a step.
    #[inline]
    pub(crate) fn look_count(&self, step: usize) -> usize {
        self.steps.get(step).map_or(0, |step| step.looks.len())
    }

    /// Tells whether a state at a step has no completion, because one item, that of number `look`, has no
    /// options left.
    #[inline]
    pub(crate) fn is_hopeless(&self, step: usize, look: usize, key: &Key<K>) -> bool {
        let look = &self.looks[self.steps[step].looks.start as usize + look];
        let conflicts = &self.conflicts[look.conflicts.start as usize..look.conflicts.end as usize];
        are_disjoint(key, &look.own) && conflicts.iter().all(|conflict| !are_disjoint(key, conflict))
    }

    /// Tells the same, and adds to `tests` how many fields and options that look went through.
    #[inline]
    pub(crate) fn is_found_hopeless(
        &self,
        step: usize,
        look: usize,
        key: &Key<K>,
        tests: &mut u64,
    ) -> bool {
        let look = &self.looks[self.steps[step].looks.start as usize + look];
        *tests += 1;
        if !are_disjoint(key, &look.own) {
            return false;
        }
        let conflicts = &self.conflicts[look.conflicts.start as usize..look.conflicts.end as usize];
        let left = conflicts.iter().position(|conflict| are_disjoint(key, conflict));
        *tests += left.map_or(conflicts.len(), |left| left + 1) as u64;
        left.is_none()
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
