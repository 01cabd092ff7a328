//! Merges frontier states that a symmetry maps to each other.
//!
//! If a symmetry of the problem permutes the options of the steps before some step, it maps each
//! state there to a state with equally many completions. For example, the left-right reflection of
//! a board maps states to states after each row. A state that passes such a step is replaced by its
//! representative: the image that covers the earliest items. The counts of all images are added.
//! Because the representative has its next choice later than the other images, states also merge
//! within the row, and all layers shrink to about half.
//!
//! Only parts whose fields all have one bit are supported, where all items are covered exactly
//! once. A state in the layer of a later step has passed the steps before it because their items
//! are covered.
//!
//! Tried and dropped: representatives that cover the latest items, which merge much less; meeting
//! in the middle by a half turn, because the states of one half do not determine the counts of the
//! other half.
//!
//! Source: transfer matrices with merged symmetric states.

use std::sync::Arc;

use super::sketch::{FieldKind, KeyField, LayoutSketch, key};
use super::{Key, Layout, unite};
use crate::limits::{Limit, Limits, Pace};
use crate::model::OptionId;
use crate::symmetries::{GroupFault, SymmetryGroup};

/// Maximum number of symmetries searched, and of symmetries used.
const ORDER_MAX: usize = 32;
const USED_MAX: usize = 7;
const KEY_WORDS_MAX: usize = 4;
/// Divisor of the memory limit that yields the memory of the tables of all steps.
const TABLES_SHARE: usize = 32;

/// A permutation of the bits of a key, as a table of the images of all values of each byte.
type BitTable<const K: usize> = Vec<[Key<K>; 256]>;

/// A step where symmetries permute the options of all earlier steps, and the maps of states by
/// these symmetries.
#[derive(Debug)]
pub(super) struct AlikeAt<const K: usize> {
    step: usize,
    /// For each step from `step` on: the mask of the fields of `step` that are still in use there,
    /// and the mask of the other fields of `step`, whose items are covered.
    fields: Vec<(Key<K>, Key<K>)>,
    /// Moves the bits of a state so that earlier items have lower bits.
    rank: BitTable<K>,
    /// Per symmetry, the map from a state to the rank of its image, and the map to the image
    /// itself.
    images: Vec<(BitTable<K>, BitTable<K>)>,
}

#[inline]
fn permuted<const K: usize>(table: &BitTable<K>, key: &Key<K>) -> Key<K> {
    let mut result = [0; K];
    for (byte, values) in table.iter().enumerate() {
        unite(&mut result, &values[(key[byte / 8] >> (byte % 8 * 8) & 0xff) as usize]);
    }
    result
}

fn table<const K: usize>(pairs: &[(u32, u32)], width: usize) -> BitTable<K> {
    let mut table = vec![[[0; K]; 256]; width.div_ceil(8)];
    for &(from, to) in pairs {
        for (value, key) in table[from as usize / 8].iter_mut().enumerate() {
            if value >> (from % 8) & 1 == 1 {
                key[to as usize / 64] |= 1 << (to % 64);
            }
        }
    }
    table
}

impl<const K: usize> AlikeAt<K> {
    fn bytes(&self) -> usize {
        256 * size_of::<Key<K>>() * self.rank.len() * (1 + 2 * self.images.len())
    }
}

impl<const K: usize> Layout<K> {
    /// Returns the representative of a state that was reached from step `from`, with its step.
    #[inline]
    pub(crate) fn representative(&self, from: usize, step: usize, key: Key<K>) -> (usize, Key<K>) {
        let (step, key) = match self.alike_after.get(from) {
            Some(&after) if after as usize <= step => self.of_alike(step, key),
            _ => (step, key),
        };
        self.sorted(step, key)
    }

    #[cold]
    fn of_alike(&self, step: usize, key: Key<K>) -> (usize, Key<K>) {
        let behind = self.alike.partition_point(|alike| alike.step <= step);
        let Some(AlikeAt { step: first, fields, rank, images }) =
            behind.checked_sub(1).map(|place| &self.alike[place])
        else {
            return (step, key);
        };
        let Some((there, over)) = fields.get(step - first) else { return (step, key) };
        let mut whole: Key<K> = std::array::from_fn(|word| key[word] & there[word]);
        unite(&mut whole, over);
        let mut best = (rank_order(permuted(rank, &whole)), None);
        for (ranks, states) in images {
            let rank = rank_order(permuted(ranks, &whole));
            if rank > best.0 {
                best = (rank, Some(states));
            }
        }
        let image = best.1.and_then(|states| self.settle(*first, permuted(states, &whole)));
        image.unwrap_or((step, key))
    }
}

/// Reverses the bits of each word of a rank, so that a state covering an earlier item compares as
/// larger.
fn rank_order<const K: usize>(rank: Key<K>) -> Key<K> {
    rank.map(u64::reverse_bits)
}

impl LayoutSketch<'_> {
    /// Finds the steps where symmetries map states to states, and adds their tables to `layout`.
    /// Returns `false` if `work` did not suffice.
    pub(crate) fn add_alike<const K: usize>(
        &self,
        layout: &mut Layout<K>,
        work: u64,
        bytes: usize,
        limits: &Limits,
    ) -> Result<bool, Limit> {
        let problem = &self.part.problem;
        let is_bit = |field: &KeyField| matches!(field.kind, FieldKind::Branch | FieldKind::Must);
        if K > KEY_WORDS_MAX || !self.fields.iter().flatten().all(is_bit) {
            return Ok(true);
        }
        let group =
            match SymmetryGroup::find(&Arc::new(problem.clone()), &[], (ORDER_MAX, work), limits) {
                Ok(group) => group,
                Err(GroupFault::Limit(limit)) => return Err(limit),
                Err(_) => return Ok(false),
            };
        let mut pace = Pace::new(limits);
        // Per symmetry, the steps where it permutes the remaining options, and the images of the
        // items.
        let mut found = Vec::new();
        for symmetry in group.elements().skip(1) {
            let weight = |option: OptionId| self.part.weights[option.index()];
            if problem.options().any(|option| weight(option) != weight(symmetry.image(option))) {
                continue;
            }
            let mut change = vec![0_i32; self.steps.len() + 2];
            for option in problem.options() {
                let steps = [option, symmetry.image(option)].map(|option| self.step_of[option.index()]);
                if steps[0] < steps[1] && steps[1] < self.steps.len() {
                    change[steps[0] + 1] += 1;
                    change[steps[1] + 1] -= 1;
                }
            }
            let mut open = 0;
            let is_closed = change.iter().map(|change| {
                open += change;
                open == 0
            });
            let steps: Vec<bool> = is_closed.take(self.steps.len()).collect();
            if steps.iter().skip(1).any(|&is_closed| is_closed) && found.len() < USED_MAX {
                found.push((steps, group.item_images(symmetry, &mut pace)?));
            }
        }
        let mut room = bytes / TABLES_SHARE;
        for step in 1..self.steps.len() {
            let images = found.iter().filter(|(steps, _)| steps[step]).map(|(_, images)| images);
            let Some(alike) = self.alike_at::<K>(step, images) else { continue };
            if room < alike.bytes() {
                break;
            }
            room -= alike.bytes();
            layout.alike.push(alike);
        }
        let first_after = |step: usize| {
            let after = layout.alike.partition_point(|alike| alike.step <= step);
            layout.alike.get(after).map_or(u32::MAX, |alike| alike.step as u32)
        };
        layout.alike_after = (0..self.steps.len()).map(first_after).collect();
        Ok(true)
    }

    fn alike_at<'i, const K: usize>(
        &self,
        step: usize,
        symmetries: impl Iterator<Item = &'i Vec<usize>>,
    ) -> Option<AlikeAt<K>> {
        let field = |item: usize| {
            let field = self.fields[item].as_ref();
            field.filter(|field| field.first < step && step <= field.last)
        };
        let mut window: Vec<usize> =
            (0..self.fields.len()).filter(|&item| field(item).is_some()).collect();
        window.sort_by_key(|&item| (field(item).map(|field| field.last), item));
        let bit = |item: usize| field(item).map(|field| field.bits[0]);
        let rank_of = |item: usize| window.iter().position(|&other| other == item);
        let mut images = Vec::new();
        for symmetry in symmetries {
            let pairs = |place: &dyn Fn(usize) -> Option<u32>| {
                let pairs = window.iter().map(|&item| Some((bit(item)?, place(symmetry[item])?)));
                pairs.collect::<Option<Vec<(u32, u32)>>>()
            };
            let ranks = pairs(&|item| rank_of(item).map(|rank| rank as u32))?;
            let bits = pairs(&bit)?;
            if bits.iter().any(|&(from, to)| from != to) {
                images.push((table(&ranks, self.width()), table(&bits, self.width())));
            }
        }
        if images.is_empty() {
            return None;
        }
        let ranks: Vec<_> =
            (0..).zip(&window).filter_map(|(rank, &item)| Some((bit(item)?, rank))).collect();
        let last = window.iter().filter_map(|&item| field(item)).map(|field| field.last).max()?;
        let fields = (step..=last).map(|waiting| {
            let (mut there, mut over) = ([0; K], [0; K]);
            for field in window.iter().filter_map(|&item| field(item)) {
                let fields = if field.last < waiting { &mut over } else { &mut there };
                unite(fields, &key(&field.bits));
            }
            (there, over)
        });
        Some(AlikeAt { step, fields: fields.collect(), rank: table(&ranks, self.width()), images })
    }
}
