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
const OPTION_MAX: usize = 4096;
const ITEM_MAX: usize = 1 << ITEM_BITS;
const BLOCK_MAX: usize = (256 << 10) / size_of::<MaskWords>();
const WORD_MAX: usize = OPTION_MAX / WORD;
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
    item_masks: Vec<u32>,
    /// For each option, the other options that are compatible with it, word by word.
    rows: Vec<u32>,
    /// The primary items of each option. Items with an upper bound above 1 come first.
    spans: Vec<ItemSpan>,
    items: Vec<u16>,
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

#[derive(Debug, PartialEq, Eq)]
pub(super) struct State {
    alive: Vec<u32>,
    left: Vec<LaneNumbers>,
}

impl Clone for State {
    fn clone(&self) -> Self {
        Self { alive: self.alive.clone(), left: self.left.clone() }
    }

    fn clone_from(&mut self, other: &Self) {
        self.alive.clone_from(&other.alive);
        self.left.clone_from(&other.left);
    }
}

impl State {
    pub(super) fn take_off(&mut self, option: u32) {
        self.alive[option as usize / WORD] &= !bit(option as usize);
    }

    pub(super) fn left(&self, item: usize) -> i32 {
        self.left.as_flattened()[item]
    }
}

impl Tables {
    /// Returns the number of blocks per bit mask.
    ///
    /// # Errors
    /// If `problem` is too large.
    pub(super) fn blocks(problem: &Problem) -> Result<usize, Unsupported> {
        let [options, items] = [problem.option_count(), problem.primary_count()];
        if options > OPTION_MAX {
            return Err(Unsupported::new("more than 4096 options"));
        }
        if items > ITEM_MAX {
            return Err(Unsupported::new("more than 1024 primary items"));
        }
        let blocks = options.div_ceil(WORD) * items.div_ceil(LANES);
        if blocks > BLOCK_MAX {
            return Err(Unsupported::new("masks of more than 256 KiB"));
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
            item_masks: vec![0; bounds.len() * words],
            rows: Vec::new(),
            spans: Vec::with_capacity(problem.option_count()),
            items: Vec::new(),
            slack: vec![[0; LANES]; groups],
            root: State { alive: vec![0; words], left: vec![[0; LANES]; groups] },
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
                    tables.item_masks[item * words + word] |= bit;
                    tables.masks[item / LANES * words + word].0[item % LANES] |= bit;
                }
            }
        }
        tables.fill_rows(problem, &bounds, &numbers);
        Ok(tables)
    }

    /// Builds the rows. The row of an option excludes the option itself, the other options of its
    /// items with an upper bound of 1, and options that color a secondary item differently.
    fn fill_rows(&mut self, problem: &Problem, bounds: &[Bounds], numbers: &[Option<usize>]) {
        let words = self.words;
        self.rows.resize(problem.option_count() * words, u32::MAX);
        let mut options_of = vec![Vec::new(); problem.item_count()];
        for option in problem.options() {
            self.rows[option.index() * words + option.index() / WORD] &= !bit(option.index());
            for entry in problem.option(option) {
                options_of[entry.item.index()].push((entry.color, option));
            }
        }
        let (mut all, mut others) = (vec![0; words], vec![0; words]);
        for (options, number) in options_of.iter_mut().zip(numbers) {
            if number.is_some_and(|item| bounds[item].high > 1) {
                continue;
            }
            all.fill(0);
            options.iter().for_each(|(_, option)| all[option.index() / WORD] |= bit(option.index()));
            options.sort_unstable_by_key(|&(color, option)| (color.map(Color::number), option));
            for same in options.chunk_by(|(color, _), (next, _)| color == next) {
                others.copy_from_slice(&all);
                if number.is_none() && same[0].0.is_some() {
                    same.iter()
                        .for_each(|(_, option)| others[option.index() / WORD] &= !bit(option.index()));
                }
                for (_, option) in same {
                    let row = &mut self.rows[option.index() * words..][..words];
                    row.iter_mut().zip(&others).for_each(|(row, others)| *row &= !others);
                }
            }
        }
    }

    pub(super) fn option_count(&self) -> usize {
        self.option_count
    }

    pub(super) fn root(&self) -> &State {
        &self.root
    }

    pub(super) fn scan_work(&self) -> u64 {
        self.item_masks.len() as u64
    }

    pub(super) fn go_together(&self, option: OptionId, other: OptionId) -> bool {
        self.rows[option.index() * self.words + other.index() / WORD] & bit(other.index()) != 0
    }

    #[inline]
    fn mask(&self, item: usize) -> &[u32] {
        &self.item_masks[item * self.words..][..self.words]
    }

    #[inline]
    pub(super) fn choose(&self, state: &mut State, option: u32) -> bool {
        for (alive, row) in state.alive.iter_mut().zip(self.row(option)) {
            *alive &= row;
        }
        self.cover(state, option)
    }

    #[inline]
    pub(super) fn choose_from(&self, from: &State, state: &mut State, option: u32) {
        for ((alive, from), row) in state.alive.iter_mut().zip(&from.alive).zip(self.row(option)) {
            *alive = from & row;
        }
        state.left.copy_from_slice(&from.left);
        self.cover(state, option);
    }

    #[inline(always)]
    fn row(&self, option: u32) -> &[u32] {
        &self.rows[option as usize * self.words..][..self.words]
    }

    /// Decrements the remaining upper bounds of the items of `option`. Returns `false` if an item
    /// exceeds its upper bound.
    #[inline(always)]
    fn cover(&self, state: &mut State, option: u32) -> bool {
        let ItemSpan { start, once, end } = self.spans[option as usize];
        let mut fits = true;
        for &item in &self.items[start..once] {
            let left = &mut state.left.as_flattened_mut()[usize::from(item)];
            *left -= 1;
            fits &= *left >= 0;
            if *left == 0 {
                for (alive, mask) in state.alive.iter_mut().zip(self.mask(item.into())) {
                    *alive &= !mask;
                }
            }
        }
        for &item in &self.items[once..end] {
            let left = &mut state.left.as_flattened_mut()[usize::from(item)];
            *left -= 1;
            fits &= *left >= 0;
        }
        fits
    }

    pub(super) fn first(&self, state: &State, item: usize) -> u32 {
        let mut words = state.alive.iter().zip(self.mask(item)).map(|(alive, mask)| alive & mask);
        let word = words.position(|word| word != 0).unwrap_or(0);
        let bits = state.alive[word] & self.mask(item)[word];
        (word * WORD) as u32 + bits.trailing_zeros()
    }

    pub(super) fn list(&self, state: &State, item: usize, choices: &mut Vec<u32>) {
        for (word, (alive, mask)) in state.alive.iter().zip(self.mask(item)).enumerate() {
            let mut bits = alive & mask;
            while bits != 0 {
                choices.push((word * WORD) as u32 + bits.trailing_zeros());
                bits &= bits - 1;
            }
        }
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
        let mut live = [0; WORD_MAX];
        let mut live_count = 0;
        for (word, &alive) in state.alive.iter().enumerate() {
            live[live_count] = word as u16;
            live_count += usize::from(alive != 0);
        }
        let mut least = [INACTIVE; LANES];
        let groups = self.masks.chunks_exact(self.words).zip(state.left.iter().zip(&self.slack));
        for (group, (masks, (left, slack))) in groups.enumerate() {
            let mut counts = [0; LANES];
            for &word in &live[..live_count] {
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
