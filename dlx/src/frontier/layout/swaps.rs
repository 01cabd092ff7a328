//! Merges frontier states that differ only in the order of interchangeable items.
//!
//! Two open items are *interchangeable* at a step if exchanging them maps the options of this and
//! of all later steps to each other. Two columns of a 0/1 matrix are interchangeable after each
//! row. The fields of a class of such items are sorted, the fullest first in the items that close
//! first. Exchanging two fields maps a state to a state with equally many completions, so a sorted
//! state represents all its permutations, whose counts are added.
//!
//! Invariant: exchanges are checked option by option, not by hashes.
//!
//! Source: symmetric states of transfer matrices; for 0/1 matrices with given margins, the column
//! sums as a partition (B. D. McKay, Applications of a technique for labelled enumeration, 1983).

use std::collections::HashMap;

use super::sketch::{FieldKind, KeyField, LayoutSketch};
use super::{Key, Layout, mask};
use crate::limits::{Limit, Limits, Pace};
use crate::model::{ItemId, OptionId};
use crate::numbers::split_mix;

/// The fields of interchangeable items, as bit positions, the first to be filled first.
#[derive(Debug)]
pub(super) struct SwapClass {
    width: u32,
    places: Vec<u32>,
}

/// Maximum number of items of a class.
const CLASS_MAX: usize = 64;
/// Maximum number of classes with equal kind and degree that an item is compared with.
const COMPARED_MAX: usize = 4;
/// Divisor of the memory limit that yields the memory of all classes.
const CLASSES_SHARE: usize = 32;
const ENTRY_WORK: u64 = 10;
const ITEM_WORK: u64 = 30;

impl SwapClass {
    fn bytes(&self) -> usize {
        size_of::<Self>() + 4 * self.places.len()
    }

    /// Sorts the fields of the class in a state.
    fn sort<const K: usize>(&self, key: &mut Key<K>) {
        let field = mask(self.width as usize);
        let mut values = [0; CLASS_MAX];
        let values = &mut values[..self.places.len()];
        for (value, &place) in values.iter_mut().zip(&self.places) {
            *value = key[place as usize / 64] >> (place % 64) & field;
        }
        if values.is_sorted_by(|a, b| a >= b) {
            return;
        }
        values.sort_unstable_by(|a, b| b.cmp(a));
        for (value, &place) in values.iter().zip(&self.places) {
            let word = &mut key[place as usize / 64];
            *word = *word & !(field << (place % 64)) | value << (place % 64);
        }
    }
}

impl<const K: usize> Layout<K> {
    /// Sorts the interchangeable fields of a state, and advances it to its first step with a
    /// choice.
    #[inline]
    pub(super) fn sorted(&self, step: usize, key: Key<K>) -> (usize, Key<K>) {
        match self.swaps.get(step) {
            Some(classes) if !classes.is_empty() => self.sorted_by(classes, step, key),
            _ => (step, key),
        }
    }

    #[cold]
    fn sorted_by(&self, classes: &[SwapClass], step: usize, key: Key<K>) -> (usize, Key<K>) {
        let mut sorted = key;
        classes.iter().for_each(|class| class.sort(&mut sorted));
        if sorted == key {
            return (step, key);
        }
        self.settle(step, sorted).unwrap_or((step, key))
    }
}

/// The options of each item, with a hash of their other items, sorted by this hash.
struct OptionsOf(Vec<Vec<(u64, OptionId)>>);

impl OptionsOf {
    fn new(sketch: &LayoutSketch<'_>) -> Self {
        let problem = &sketch.part.problem;
        let mut lists = vec![Vec::new(); problem.item_count()];
        let name = |item: ItemId| split_mix(item.index() as u64);
        for option in sketch.steps.iter().flat_map(|(_, options)| options) {
            let entries = problem.option(*option);
            let all = entries.iter().fold(0_u64, |sum, entry| sum.wrapping_add(name(entry.item)));
            for entry in entries {
                lists[entry.item.index()].push((all.wrapping_sub(name(entry.item)), *option));
            }
        }
        lists.iter_mut().for_each(|list| list.sort_unstable());
        Self(lists)
    }

    /// Returns whether exchanging two items maps the options from `step` on to each other.
    fn may_be_exchanged(&self, sketch: &LayoutSketch<'_>, step: usize, a: usize, b: usize) -> bool {
        let problem = &sketch.part.problem;
        let has = |option: OptionId, item: usize| {
            problem.option(option).iter().any(|entry| entry.item.index() == item)
        };
        let left = |item: usize, other: usize| {
            let later = move |&&(_, option): &&(u64, OptionId)| {
                sketch.step_of[option.index()] >= step && !has(option, other)
            };
            self.0[item].iter().filter(later)
        };
        let is_image = |(&(rest, one), &(same, other)): (&(u64, OptionId), &(u64, OptionId))| {
            let (entries, images) = (problem.option(one), problem.option(other));
            let weights = &sketch.part.weights;
            rest == same
                && entries.len() == images.len()
                && weights[one.index()] == weights[other.index()]
                && entries.iter().all(|entry| entry.item.index() == a || images.contains(entry))
        };
        let (mut own, mut others) = (left(a, b), left(b, a));
        loop {
            match (own.next(), others.next()) {
                (None, None) => return true,
                (Some(one), Some(other)) if is_image((one, other)) => {}
                _ => return false,
            }
        }
    }
}

/// What two interchangeable items have in common: the kind of their field, its width, and the
/// number of their options left.
type Likeness = (Option<(u64, u64)>, usize, usize);

impl LayoutSketch<'_> {
    /// Finds the interchangeable items of each step, and adds them to `layout`, within `work` and a
    /// share of `bytes`. Returns the work done.
    pub(crate) fn add_swaps<const K: usize>(
        &self,
        layout: &mut Layout<K>,
        work: u64,
        bytes: usize,
        limits: &Limits,
    ) -> Result<u64, Limit> {
        let problem = &self.part.problem;
        let mut pace = Pace::new(limits);
        let mut spent = ENTRY_WORK * problem.entry_count() as u64;
        if spent > work {
            return Ok(0);
        }
        pace.spend(spent)?;
        let options_of = OptionsOf::new(self);
        let mut room = bytes / CLASSES_SHARE;
        let mut swaps: Vec<Vec<SwapClass>> = Vec::new();
        swaps.resize_with(self.steps.len(), Vec::new);
        let mut lasts: Vec<Vec<usize>> = vec![Vec::new(); self.steps.len()];
        for (item, field) in self.fields.iter().enumerate() {
            if let Some(field) = field.as_ref().filter(|field| common(field).is_some()) {
                lasts[field.last].push(item);
            }
        }
        let field = |item: usize| self.fields[item].as_ref().expect("it has a field");
        let mut degrees = vec![0; problem.item_count()];
        // The open items that may be interchangeable, the first to close last.
        let mut window: Vec<usize> = Vec::new();
        for step in (1..self.steps.len()).rev() {
            for entry in self.steps[step].1.iter().flat_map(|&option| problem.option(option)) {
                degrees[entry.item.index()] += 1;
            }
            window.extend(&lasts[step]);
            window.retain(|&item| field(item).first < step);
            let mut classes: HashMap<Likeness, Vec<Vec<usize>>> = HashMap::new();
            let mut done = ITEM_WORK * window.len() as u64;
            for &item in window.iter().rev() {
                let likeness = (common(field(item)), field(item).bits.len(), degrees[item]);
                let classes = classes.entry(likeness).or_default();
                let same = classes.iter().position(|class| {
                    done += ENTRY_WORK * (1 + degrees[item] as u64);
                    class.len() < CLASS_MAX && options_of.may_be_exchanged(self, step, class[0], item)
                });
                match same {
                    Some(class) => classes[class].push(item),
                    None if classes.len() < COMPARED_MAX => classes.push(vec![item]),
                    None => {}
                }
            }
            let found = classes.into_values().flatten().filter(|class| class.len() > 1);
            swaps[step] = found
                .map(|class| SwapClass {
                    width: field(class[0]).bits.len() as u32,
                    places: class.iter().map(|&item| field(item).bits[0]).collect(),
                })
                .collect();
            let more = swaps[step].iter().map(SwapClass::bytes).sum();
            spent += done;
            pace.spend(done)?;
            if spent > work || room < more {
                swaps[step].clear();
                break;
            }
            room -= more;
        }
        if swaps.iter().any(|classes| !classes.is_empty()) {
            layout.swaps = swaps;
        }
        Ok(spent)
    }
}

/// Returns what the fields of interchangeable items must have in common, or `None` for fields that
/// are not exchanged.
fn common(field: &KeyField) -> Option<(u64, u64)> {
    match &field.kind {
        FieldKind::Branch | FieldKind::Must => Some((0, 0)),
        FieldKind::Codes(codes) if matches!(codes[..], [(None, _)]) => Some((0, 1)),
        FieldKind::Codes(_) => None,
        // How often the item was covered is irrelevant, but only how far it is from its bounds.
        FieldKind::Count { low, has_guard, .. } => Some((1 + u64::from(*has_guard), *low)),
    }
}
