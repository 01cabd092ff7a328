//! The masks, rows and bounds of the engine `counts`, and the scan that counts the live options of
//! every item.
//!
//! The scan is plain Rust, compiled once per instruction set (see `bits`) in a separate function,
//! because vectorization depends on where the loops are inlined.
#![allow(unsafe_code, reason = "calls of functions that need the instructions of a leaf")]

use crate::bits::Leaf;
use crate::model::{Bounds, Color, OptionId, Problem};
use crate::search::Unsupported;

const LANES: usize = 16;
type LaneNumbers = [i32; LANES];
/// One word of a mask (32 options) for each of the 16 items of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
struct MaskWords([u32; LANES]);

const WORD: usize = u32::BITS as usize;
/// Largest number of options, so that the index of a word fits into a `u16` and a margin into a
/// scan key.
const OPTION_MAX: usize = 1 << 20;
const ITEM_MAX: usize = 1 << ITEM_BITS;
/// Memory limit of all masks (bytes), half of the memory by which a search may exceed its limit.
const BYTES_MAX: usize = 8 << 20;
/// Up to this number of options, each option has a row. All rows then take at most 2 MiB.
pub(crate) const ROW_OPTIONS_MAX: usize = 4096;
/// A pass visits only the live words if there are fewer than one in this many words. Otherwise it
/// visits all words in order, which the processor does several at a time.
const SPARSE: usize = 8;
/// Number of bits of a scan key that store the item. The higher bits of a key store the margin of
/// the item.
const ITEM_BITS: u32 = 10;
/// The scan key of an item that has reached its lower bound and has no options left.
const INACTIVE: i32 = i32::MAX;
/// The choice that takes no further option, and the margin returned by `scan` if no item is left to
/// branch on.
pub(super) const NO_MORE: u32 = (INACTIVE >> ITEM_BITS) as u32;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tables {
    words: usize,
    option_count: usize,
    /// The masks of each group of items, one block per word.
    masks: Vec<MaskWords>,
    /// The masks of the primary items, then the masks of the *classes*. A class is a secondary item
    /// with one of its colors, or without color; its mask has the options that exclude the options
    /// of the class.
    sets: Vec<u32>,
    /// For each option, the other options that are compatible with it, word by word. Empty if there
    /// are many options.
    rows: Vec<u32>,
    /// The primary items of each option. Items with an upper bound above 1 come first.
    spans: Vec<ItemSpan>,
    items: Vec<u16>,
    /// The masks of the classes of each option, as indices of sets; and the end of each option's.
    classes: Vec<u32>,
    class_ends: Vec<usize>,
    slack: Vec<LaneNumbers>,
    root: State,
}

/// The items of an option: `start .. once` have an upper bound above 1, and `once .. end` have an
/// upper bound of 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ItemSpan {
    start: usize,
    once: usize,
    end: usize,
}

/// The live options, and how often each item may still be covered.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct State {
    /// One bit per option. Words that are not in `live` are out of date.
    alive: Vec<u32>,
    /// The words that have live options, in order. Some of them may have become empty.
    live: Vec<u16>,
    left: Vec<LaneNumbers>,
}

impl Clone for State {
    fn clone(&self) -> Self {
        Self { alive: self.alive.clone(), live: self.live.clone(), left: self.left.clone() }
    }

    fn clone_from(&mut self, other: &Self) {
        if other.is_sparse() {
            for &word in &other.live {
                self.alive[usize::from(word)] = other.alive[usize::from(word)];
            }
        } else {
            self.alive.copy_from_slice(&other.alive);
        }
        self.live.clone_from(&other.live);
        self.left.copy_from_slice(&other.left);
    }
}

impl State {
    pub(super) fn take_off(&mut self, option: u32) {
        self.alive[option as usize / WORD] &= !bit(option as usize);
    }

    pub(super) fn left(&self, item: usize) -> i32 {
        self.left.as_flattened()[item]
    }

    fn is_sparse(&self) -> bool {
        SPARSE * self.live.len() < self.alive.len()
    }

    #[inline]
    fn remove(&mut self, mask: &[u32]) {
        if self.is_sparse() {
            for &word in &self.live {
                self.alive[usize::from(word)] &= !mask[usize::from(word)];
            }
        } else {
            self.alive.iter_mut().zip(mask).for_each(|(alive, mask)| *alive &= !mask);
        }
    }

    /// Takes the words without live options out of `live`.
    #[inline]
    fn drop_empty(&mut self) {
        let mut count = 0;
        for place in 0..self.live.len() {
            let word = self.live[place];
            self.live[count] = word;
            count += usize::from(self.alive[usize::from(word)] != 0);
        }
        self.live.truncate(count);
    }
}

impl Tables {
    /// Returns the number of blocks of the masks of all items.
    ///
    /// # Errors
    /// If `problem` is too large.
    pub(super) fn blocks(problem: &Problem) -> Result<usize, Unsupported> {
        let [options, items] = [problem.option_count(), problem.primary_count()];
        if options > OPTION_MAX {
            return Err(Unsupported::new("more than a million options"));
        }
        if items > ITEM_MAX {
            return Err(Unsupported::new("more than 1024 primary items"));
        }
        let words = options.div_ceil(WORD);
        let blocks = words * items.div_ceil(LANES);
        let classes = (problem.item_count() - items) * (1 + problem.color_count());
        let sets = items + classes.min(problem.entry_count());
        if blocks * size_of::<MaskWords>() + sets * words * size_of::<u32>() > BYTES_MAX {
            return Err(Unsupported::new("masks of more than 8 MiB"));
        }
        Ok(blocks)
    }

    pub(super) fn new(problem: &Problem) -> Result<Self, Unsupported> {
        Self::blocks(problem)?;
        let words = problem.option_count().div_ceil(WORD).max(1);
        let mut numbers = vec![None; problem.item_count()];
        let mut bounds: Vec<Bounds> = Vec::new();
        for item in problem.items() {
            if let Some(of_item) = problem.bounds(item) {
                numbers[item.index()] = Some(bounds.len());
                bounds.push(of_item);
            }
        }
        let groups = bounds.len().div_ceil(LANES);
        let mut tables = Self {
            words,
            option_count: problem.option_count(),
            masks: vec![MaskWords([0; LANES]); groups * words],
            sets: vec![0; bounds.len() * words],
            rows: Vec::new(),
            spans: Vec::with_capacity(problem.option_count()),
            items: Vec::new(),
            classes: Vec::new(),
            class_ends: Vec::with_capacity(problem.option_count()),
            slack: vec![[0; LANES]; groups],
            root: State {
                alive: vec![0; words],
                live: (0..words as u16).collect(),
                left: vec![[0; LANES]; groups],
            },
        };
        let count_max = OPTION_MAX as u32;
        for (item, of_item) in bounds.iter().enumerate() {
            let high = of_item.high.min(count_max + 1);
            tables.root.left.as_flattened_mut()[item] = high as i32;
            tables.slack.as_flattened_mut()[item] = high as i32 - of_item.low.min(count_max + 1) as i32;
        }
        let often = |item: &usize| bounds[*item].high > 1;
        for option in problem.options() {
            let items = problem.option(option).iter().filter_map(|entry| numbers[entry.item.index()]);
            let items: Vec<usize> = items.collect();
            let is_alive = !items.is_empty() && items.iter().all(|&item| bounds[item].high > 0);
            let start = tables.items.len();
            tables.items.extend(items.iter().filter(|item| often(item)).map(|&item| item as u16));
            let once = tables.items.len();
            tables.items.extend(items.iter().filter(|item| !often(item)).map(|&item| item as u16));
            tables.spans.push(ItemSpan { start, once, end: tables.items.len() });
            if is_alive {
                let (word, bit) = (option.index() / WORD, bit(option.index()));
                tables.root.alive[word] |= bit;
                for item in items {
                    tables.sets[item * words + word] |= bit;
                    tables.masks[item / LANES * words + word].0[item % LANES] |= bit;
                }
            }
        }
        tables.add_classes(problem);
        if problem.option_count() <= ROW_OPTIONS_MAX {
            tables.fill_rows();
        }
        Ok(tables)
    }

    /// Adds the masks of the classes.
    fn add_classes(&mut self, problem: &Problem) {
        let words = self.words;
        let mut options_of = vec![Vec::new(); problem.item_count()];
        for option in problem.options() {
            for entry in problem.option(option).iter().filter(|entry| !problem.is_primary(entry.item)) {
                options_of[entry.item.index()].push((entry.color.map(Color::number), option.index()));
            }
        }
        let mut classes_of = vec![Vec::new(); problem.option_count()];
        let mut all = vec![0; words];
        for options in &mut options_of {
            all.fill(0);
            options.iter().for_each(|&(_, option)| all[option / WORD] |= bit(option));
            options.sort_unstable();
            for class in options.chunk_by(|(color, _), (next, _)| color == next) {
                if class[0].0.is_some() && class.len() == options.len() {
                    continue;
                }
                let start = self.sets.len();
                self.sets.extend_from_slice(&all);
                for &(color, option) in class {
                    classes_of[option].push((start / words) as u32);
                    if color.is_some() {
                        self.sets[start + option / WORD] &= !bit(option);
                    }
                }
            }
        }
        for classes in classes_of {
            self.classes.extend(classes);
            self.class_ends.push(self.classes.len());
        }
    }

    /// Builds the rows. The row of an option excludes the option itself, the other options of its
    /// items with an upper bound of 1, and the masks of its classes.
    fn fill_rows(&mut self) {
        let words = self.words;
        let mut rows = vec![u32::MAX; self.option_count * words];
        for (option, row) in rows.chunks_exact_mut(words).enumerate() {
            row[option / WORD] &= !bit(option);
            for set in self.excluded(option) {
                row.iter_mut().zip(self.mask(set)).for_each(|(row, mask)| *row &= !mask);
            }
        }
        self.rows = rows;
    }

    /// Returns the indices of the sets that `option` excludes: its items with an upper bound of 1,
    /// and its classes.
    #[inline]
    fn excluded(&self, option: usize) -> impl Iterator<Item = usize> + '_ {
        let ItemSpan { once, end, .. } = self.spans[option];
        let start = option.checked_sub(1).map_or(0, |before| self.class_ends[before]);
        let classes = &self.classes[start..self.class_ends[option]];
        let items = self.items[once..end].iter().map(|&item| usize::from(item));
        items.chain(classes.iter().map(|&class| class as usize))
    }

    #[cfg(test)]
    pub(super) fn drop_rows(&mut self) {
        self.rows.clear();
    }

    pub(super) fn option_count(&self) -> usize {
        self.option_count
    }

    pub(super) fn root(&self) -> &State {
        &self.root
    }

    pub(super) fn scan_work(&self) -> u64 {
        (self.masks.len() * LANES) as u64
    }

    pub(super) fn go_together(&self, option: OptionId, other: OptionId) -> bool {
        let (word, bit) = (other.index() / WORD, bit(other.index()));
        option != other && self.excluded(option.index()).all(|set| self.mask(set)[word] & bit == 0)
    }

    #[inline]
    fn mask(&self, set: usize) -> &[u32] {
        &self.sets[set * self.words..][..self.words]
    }

    #[inline]
    pub(super) fn choose_from(&self, from: &State, state: &mut State, option: u32) {
        state.clone_from(from);
        self.choose(state, option);
    }

    /// Chooses `option`. Returns `false` if an item exceeds its upper bound.
    #[inline]
    pub(super) fn choose(&self, state: &mut State, option: u32) -> bool {
        let option = option as usize;
        if self.rows.is_empty() {
            state.take_off(option as u32);
            self.excluded(option).for_each(|set| state.remove(self.mask(set)));
        } else {
            let row = &self.rows[option * self.words..][..self.words];
            state.alive.iter_mut().zip(row).for_each(|(alive, row)| *alive &= row);
        }
        let ItemSpan { start, once, end } = self.spans[option];
        let mut fits = true;
        for (place, &item) in self.items[start..end].iter().enumerate() {
            let left = &mut state.left.as_flattened_mut()[usize::from(item)];
            *left -= 1;
            fits &= *left >= 0;
            if *left == 0 && start + place < once {
                state.remove(self.mask(item.into()));
            }
        }
        state.drop_empty();
        fits
    }

    pub(super) fn first(&self, state: &State, item: usize) -> u32 {
        self.options_of(state, item).next().unwrap_or(NO_MORE)
    }

    pub(super) fn list(&self, state: &State, item: usize, choices: &mut Vec<u32>) {
        choices.extend(self.options_of(state, item));
    }

    /// Returns the live options of `item` in order of definition.
    fn options_of<'t>(&'t self, state: &'t State, item: usize) -> impl Iterator<Item = u32> + 't {
        let mask = self.mask(item);
        state.live.iter().flat_map(move |&word| {
            let mut bits = state.alive[usize::from(word)] & mask[usize::from(word)];
            std::iter::from_fn(move || {
                let next = (bits != 0).then(|| bits.trailing_zeros());
                bits &= bits.wrapping_sub(1);
                next.map(|bit| u32::from(word) * WORD as u32 + bit)
            })
        })
    }

    /// Returns the first item of least margin and its margin, or `NO_MORE` as margin if no item is
    /// left to branch on. Returns `None` at a dead end.
    #[inline]
    pub(super) fn scan(&self, leaf: Leaf, state: &State) -> Option<(usize, u32)> {
        match leaf {
            // SAFETY: `Leaf::Avx512` exists only if the processor has all its instructions,
            // including those enabled here.
            #[cfg(target_arch = "x86_64")]
            Leaf::Avx512(_) => unsafe { count_avx512(self, state) },
            // SAFETY: `Leaf::Avx2` exists only if the processor has AVX2 and POPCNT.
            #[cfg(target_arch = "x86_64")]
            Leaf::Avx2(_) => unsafe { count_avx2(self, state) },
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Leaf::Simd128 => self.count(state),
            Leaf::Plain => self.count(state),
        }
    }

    #[inline(always)]
    fn count(&self, state: &State) -> Option<(usize, u32)> {
        let mut least = [INACTIVE; LANES];
        let groups = self.masks.chunks_exact(self.words).zip(state.left.iter().zip(&self.slack));
        for (group, (masks, (left, slack))) in groups.enumerate() {
            let mut counts = [0; LANES];
            for &word in &state.live {
                let alive = state.alive[usize::from(word)];
                for (count, mask) in counts.iter_mut().zip(&masks[usize::from(word)].0) {
                    *count += (mask & alive).count_ones() as i32;
                }
            }
            let mut is_dead = false;
            for lane in 0..LANES {
                let need = (left[lane] - slack[lane]).max(0);
                let item = (group * LANES + lane) as i32;
                let key = (counts[lane] - need) << ITEM_BITS | item;
                let key = if counts[lane] | need == 0 { INACTIVE } else { key };
                least[lane] = least[lane].min(key);
                is_dead |= key < 0;
            }
            if is_dead {
                return None;
            }
        }
        let key = least.into_iter().fold(INACTIVE, i32::min);
        Some((key as usize % ITEM_MAX, (key >> ITEM_BITS) as u32))
    }
}

#[inline(always)]
const fn bit(option: usize) -> u32 {
    1 << (option % WORD)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq")]
fn count_avx512(tables: &Tables, state: &State) -> Option<(usize, u32)> {
    tables.count(state)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn count_avx2(tables: &Tables, state: &State) -> Option<(usize, u32)> {
    tables.count(state)
}
