//! Builds the layout of a frontier: steps from the order of the items, and a field of bits for each
//! item.
//!
//! A field occupies bits only between the first and the last step that touch its item. When a field
//! begins, it gets the lowest free bits. So all conditions that a choice or a check tests in a
//! state are masks of the key.
//!
//! A sketch fails as soon as a key would exceed the maximum width, so its work is bounded by the
//! entries and by the items in the window of each step.

use super::left::{OPTIONS_MAX, OptionsLeft};
use super::{Counter, Filter, Key, Layout, LayoutStep, StepChoice, mask, unite};
use crate::model::{Bounds, Color, ItemId, OptionId};
use crate::portfolio::{Budget, Cut};
use crate::prepare::Weighted;

/// The field of an item in the keys after the steps `first` to `last - 1`.
#[derive(Debug)]
pub(super) struct KeyField {
    pub(super) first: usize,
    pub(super) last: usize,
    pub(super) bits: Vec<u32>,
    pub(super) kind: FieldKind,
}

impl KeyField {
    pub(super) fn spans(&self, step: usize) -> bool {
        (self.first..self.last).contains(&step)
    }
}

#[derive(Debug)]
pub(super) enum FieldKind {
    /// Whether the item is covered. The step `last` branches on the options of the item.
    Branch,
    /// Whether the item is covered. The item must be covered when the field ends.
    Must,
    /// A counter of covers that starts at `begin` and must reach `low`. If options may exceed the
    /// upper bound, `has_guard` is set, and the top bit must stay 0.
    Count { begin: u64, low: u64, has_guard: bool },
    /// The code of each color of a secondary item, as a subset of the field, by ascending color.
    Codes(Vec<(Option<Color>, u64)>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum FieldChange {
    End,
    Count,
    Branch,
    Begin,
}

/// Maximum number of entries scanned for the tables of options left: at one step, in total, and in
/// total per entry of the problem.
const LEFT_ENTRIES: usize = 1 << 13;
const LEFT_ENTRIES_TOTAL: usize = 1 << 19;
const LEFT_SHARE: usize = 32;
pub(super) const ENTRY_WORK: u64 = 10;
pub(super) const SPAN_WORK: u64 = 4;
/// Maximum work per entry to find interchangeable items before a count with bounds (ns).
const SWAPS_WORK: u64 = 5000;

/// The steps and fields of a part, before the number of words of a key is fixed.
#[derive(Debug)]
pub(crate) struct LayoutSketch<'p> {
    pub(super) part: &'p Weighted,
    /// The item and the options of each step. If the item has other bounds than one, the step has
    /// one option.
    pub(super) steps: Vec<(ItemId, Vec<OptionId>)>,
    pub(super) step_of: Vec<usize>,
    pub(super) fields: Vec<Option<KeyField>>,
    width: usize,
    has_counters: bool,
    is_dead: bool,
}

impl<'p> LayoutSketch<'p> {
    /// Divides `part` into steps by an order of its primary items, and assigns fields. Fails with
    /// `Unsuited` if keys need more than `words_max` words.
    pub(crate) fn new(
        part: &'p Weighted,
        order: &[ItemId],
        words_max: usize,
        budget: &mut Budget<'_>,
    ) -> Result<Self, Cut> {
        let problem = &part.problem;
        budget.spend(ENTRY_WORK * (problem.entry_count() + problem.item_count()) as u64)?;
        let mut place = vec![usize::MAX; problem.item_count()];
        for (index, item) in order.iter().enumerate() {
            place[item.index()] = index;
        }
        debug_assert_eq!(order.len(), problem.primary_count(), "the order has each primary item");
        let mut own = vec![Vec::new(); order.len()];
        for option in problem.options() {
            let first = problem.option(option).iter().map(|entry| place[entry.item.index()]).min();
            if let Some(options) = first.and_then(|first| own.get_mut(first)) {
                options.push(option);
            }
        }
        let mut steps = Vec::new();
        for (&item, options) in order.iter().zip(own) {
            if problem.bounds(item) != Some(Bounds::ONE) {
                steps.extend(options.into_iter().map(|option| (item, vec![option])));
            } else if !options.is_empty() {
                steps.push((item, options));
            }
        }
        let mut sketch = Self {
            part,
            steps,
            step_of: vec![usize::MAX; problem.option_count()],
            fields: Vec::new(),
            width: 0,
            has_counters: false,
            is_dead: false,
        };
        sketch.make_fields(budget)?;
        sketch.place_fields(words_max, budget)?;
        Ok(sketch)
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    fn make_fields(&mut self, budget: &mut Budget<'_>) -> Result<(), Cut> {
        let problem = &self.part.problem;
        let mut spans: Vec<Option<(usize, usize)>> = vec![None; problem.item_count()];
        let mut degrees = vec![0; problem.item_count()];
        for (step, (_, options)) in self.steps.iter().enumerate() {
            for &option in options {
                self.step_of[option.index()] = step;
                budget.spend(ENTRY_WORK * problem.option(option).len() as u64)?;
                for entry in problem.option(option) {
                    spans[entry.item.index()].get_or_insert((step, step)).1 = step;
                    degrees[entry.item.index()] += 1;
                }
            }
        }
        let mut colors: Vec<Vec<Option<Color>>> = vec![Vec::new(); problem.item_count()];
        for entry in problem.options().flat_map(|option| problem.option(option)) {
            if !problem.is_primary(entry.item) {
                colors[entry.item.index()].push(entry.color);
            }
        }
        for colors in &mut colors {
            budget.spend(ENTRY_WORK * colors.len() as u64)?;
            colors.sort_unstable();
            colors.dedup();
        }
        let mut fields = Vec::new();
        for (item, colors) in problem.items().zip(colors) {
            let Some((first, last)) = spans[item.index()] else {
                self.is_dead |= problem.bounds(item).is_some_and(|bounds| bounds.low > 0);
                fields.push(None);
                continue;
            };
            let kind = match problem.bounds(item) {
                Some(Bounds::ONE) if self.steps[last].0 == item => {
                    (first < last).then_some(FieldKind::Branch)
                }
                Some(Bounds::ONE) => Some(FieldKind::Must),
                Some(Bounds { low: 0, high }) if high >= degrees[item.index()] => None,
                Some(Bounds { low, high }) => {
                    let degree: u32 = degrees[item.index()];
                    let has_guard = high < degree;
                    self.has_counters = true;
                    self.is_dead |= low > degree;
                    let most = u64::from(high.min(degree));
                    let begin = if has_guard { mask(bits_of(most)) - most } else { 0 };
                    Some(FieldKind::Count { begin, low: begin + u64::from(low), has_guard })
                }
                // A secondary item with the same color in all options never causes a conflict.
                None if first == last || matches!(colors[..], [Some(_)]) => None,
                None => Some(FieldKind::Codes(with_codes(colors))),
            };
            let width = match &kind {
                None => 0,
                Some(FieldKind::Branch | FieldKind::Must) => 1,
                Some(FieldKind::Count { has_guard, .. }) => {
                    let high = problem.bounds(item).map_or(1, |bounds| bounds.high);
                    bits_of(u64::from(high.min(degrees[item.index()]))) + usize::from(*has_guard)
                }
                Some(FieldKind::Codes(colors)) => code_length(colors.len()),
            };
            fields.push(kind.map(|kind| KeyField { first, last, bits: vec![0; width], kind }));
        }
        self.fields = fields;
        Ok(())
    }

    fn place_fields(&mut self, words_max: usize, budget: &mut Budget<'_>) -> Result<(), Cut> {
        // At each step counters begin first, because they are set at the end of the previous step.
        // The branch of the step ends next, which frees its bit for the fields that the options of
        // the step touch.
        let mut changes: Vec<Vec<(FieldChange, usize)>> = vec![Vec::new(); self.steps.len() + 1];
        for (item, field) in self.fields.iter().enumerate() {
            let Some(KeyField { first, last, kind, .. }) = field else { continue };
            let is_count = matches!(kind, FieldKind::Count { .. });
            changes[*first]
                .push((if is_count { FieldChange::Count } else { FieldChange::Begin }, item));
            match kind {
                FieldKind::Branch => changes[*last].push((FieldChange::Branch, item)),
                _ => changes[last + 1].push((FieldChange::End, item)),
            }
        }
        let mut used = vec![0_u64; words_max];
        for mut changes in changes {
            changes.sort_unstable();
            budget.spend(ENTRY_WORK * (1 + changes.len() * words_max) as u64)?;
            for (change, item) in changes {
                let field = self.fields[item].as_mut().expect("it has a field");
                if let FieldChange::End | FieldChange::Branch = change {
                    field.bits.iter().for_each(|&bit| used[bit as usize / 64] &= !(1 << (bit % 64)));
                    continue;
                }
                // The bits of a counter must be adjacent, because numbers are added to it.
                let is_count = matches!(field.kind, FieldKind::Count { .. });
                let pieces = if is_count { vec![field.bits.len()] } else { vec![1; field.bits.len()] };
                let mut bits = field.bits.iter_mut();
                for length in pieces {
                    let start = first_free(&used, length).ok_or(Cut::Unsuited)?;
                    used[start / 64] |= mask(length) << (start % 64);
                    self.width = self.width.max(start + length);
                    bits.by_ref().take(length).zip(start..).for_each(|(bit, at)| *bit = at as u32);
                }
            }
        }
        Ok(())
    }

    /// Builds the steps with keys of `K` words, which must hold [`Self::width`] bits. Returns
    /// `None` if the part has no cover.
    pub(crate) fn layout<const K: usize>(
        &self,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Layout<K>>, Cut> {
        if self.is_dead {
            return Ok(None);
        }
        assert!(self.width <= 64 * K, "the key must hold all fields");
        let problem = &self.part.problem;
        let mut layout = Layout {
            steps: Vec::new(),
            choices: Vec::new(),
            adds: Vec::new(),
            counters: Vec::new(),
            words: Vec::new(),
            looks: Vec::new(),
            later_options: Vec::new(),
            left: Vec::new(),
            alike: Vec::new(),
            alike_after: Vec::new(),
            swaps: Vec::new(),
            start: [0; K],
            widths: vec![0; self.steps.len()],
        };
        let (step_size, choice_size) = (size_of::<LayoutStep<K>>(), size_of::<StepChoice<K>>());
        let size = step_size * self.steps.len() + choice_size * problem.option_count();
        budget.fits::<u8>(size)?;
        for field in self.fields.iter().flatten() {
            budget.spend(SPAN_WORK * (field.last - field.first) as u64)?;
            for width in &mut layout.widths[field.first + 1..=field.last] {
                *width += field.bits.len() as u32;
            }
        }
        let ends = self.ends();
        for (step, (item, options)) in self.steps.iter().enumerate() {
            let start = layout.choices.len() as u32;
            for &option in options {
                let work = (K + ENTRY_WORK as usize) * problem.option(option).len();
                budget.spend(2 * work as u64)?;
                self.add_choice(step, option, &mut layout);
            }
            let is_optional = problem.bounds(*item) != Some(Bounds::ONE);
            let choices = &layout.choices[start as usize..];
            let weight = choices.iter().map(|choice| choice.weight).sum::<u64>();
            let own = match &self.fields[item.index()] {
                Some(KeyField { kind: FieldKind::Branch, bits, .. }) => key(bits),
                _ => [0; K],
            };
            let passes = if is_optional { choices[0].conflict } else { own };
            let (mut must, mut keep) = ([0; K], [u64::MAX; K]);
            let counters = layout.counters.len() as u32;
            for field in ends[step].iter().map(|&item| self.fields[item].as_ref().expect("it ends")) {
                match field.kind {
                    FieldKind::Branch => continue,
                    FieldKind::Must => unite(&mut must, &key(&field.bits)),
                    FieldKind::Count { low, .. } => {
                        let shift = field.bits[0] % 64;
                        let (word, mask) = (field.bits[0] as usize / 64, mask(field.bits.len()));
                        layout.counters.push(Counter { word, shift, mask, low });
                    }
                    FieldKind::Codes(_) => {}
                }
                let over = key::<K>(&field.bits);
                (0..K).for_each(|word| keep[word] &= !over[word]);
            }
            let first_word = layout.words.len();
            let columns = choices.len() + usize::from(is_optional);
            layout.words.resize(first_word + columns.div_ceil(64), 0..0);
            layout.steps.push(LayoutStep {
                is_optional,
                choices: start..layout.choices.len() as u32,
                words: first_word as u32..layout.words.len() as u32,
                weight: weight + u64::from(is_optional),
                passes,
                own,
                must,
                keep,
                begin: [0; K],
                counters: counters..layout.counters.len() as u32,
                filter: Filter::new(choices),
            });
        }
        for field in self.fields.iter().flatten() {
            if let FieldKind::Count { begin, .. } = field.kind {
                let mut bits = [0; K];
                bits[field.bits[0] as usize / 64] = begin << (field.bits[0] % 64);
                let before = field.first.checked_sub(1);
                let target = before.map_or(&mut layout.start, |step| &mut layout.steps[step].begin);
                unite(target, &bits);
            }
        }
        self.add_looks(&mut layout, budget)?;
        self.add_options_left(&mut layout, budget)?;
        // Interchangeable items with bounds are common, and merge most states.
        if self.has_counters {
            let work = SWAPS_WORK * problem.entry_count() as u64;
            let swaps = self.add_swaps(&mut layout, work, budget.bytes, budget.limits());
            budget.spend(swaps.map_err(Cut::Limit)?)?;
        }
        Ok(Some(layout))
    }

    fn ends(&self) -> Vec<Vec<usize>> {
        let mut ends: Vec<Vec<usize>> = vec![Vec::new(); self.steps.len()];
        for (item, field) in self.fields.iter().enumerate() {
            field.iter().for_each(|field| ends[field.last].push(item));
        }
        ends
    }

    fn add_choice<const K: usize>(&self, step: usize, option: OptionId, layout: &mut Layout<K>) {
        let (mut conflict, mut set) = ([0; K], [0; K]);
        let (mut add, mut guard) = ([0; K], [0; K]);
        for entry in self.part.problem.option(option) {
            let Some(field) = &self.fields[entry.item.index()] else { continue };
            match &field.kind {
                // Before this choice the item of the step is uncovered, and its bit may already
                // belong to another field.
                FieldKind::Branch if field.last == step => continue,
                FieldKind::Branch | FieldKind::Must => unite(&mut set, &key(&field.bits)),
                FieldKind::Codes(codes) => unite(&mut set, &code(codes, entry.color, &field.bits)),
                FieldKind::Count { has_guard, .. } => {
                    unite(&mut add, &key(&field.bits[..1]));
                    let top = field.bits.len() - usize::from(*has_guard);
                    unite(&mut guard, &key(&field.bits[top..]));
                }
            }
            unite(&mut conflict, &self.conflict(field, entry.color, step));
        }
        let weight = self.part.weights[option.index()];
        layout.choices.push(StepChoice { option, weight, conflict, set });
        if self.has_counters {
            layout.adds.push((add, guard));
        }
    }

    /// Returns the key bits that must be 0 if an option is left at `step`.
    pub(super) fn conflict_of<const K: usize>(&self, option: OptionId, step: usize) -> Key<K> {
        let mut conflict = [0; K];
        for entry in self.part.problem.option(option) {
            // A field that begins later may share bits with current fields, so `conflict` returns
            // no bits for it.
            if let Some(field) = &self.fields[entry.item.index()] {
                unite(&mut conflict, &self.conflict(field, entry.color, step));
            }
        }
        conflict
    }

    fn conflict<const K: usize>(&self, field: &KeyField, color: Option<Color>, step: usize) -> Key<K> {
        if field.first >= step {
            return [0; K];
        }
        match &field.kind {
            FieldKind::Branch | FieldKind::Must => key(&field.bits),
            FieldKind::Count { .. } => [0; K],
            FieldKind::Codes(codes) => {
                let mut conflict = key(&field.bits);
                if color.is_some() {
                    let own: Key<K> = code(codes, color, &field.bits);
                    (0..K).for_each(|word| conflict[word] &= !own[word]);
                }
                conflict
            }
        }
    }

    fn add_options_left<const K: usize>(
        &self,
        layout: &mut Layout<K>,
        budget: &mut Budget<'_>,
    ) -> Result<(), Cut> {
        let problem = &self.part.problem;
        let mut lists: Vec<Vec<OptionId>> = vec![Vec::new(); problem.item_count()];
        budget.spend(ENTRY_WORK * problem.entry_count() as u64)?;
        for &option in self.steps.iter().flat_map(|(_, options)| options) {
            for entry in problem.option(option) {
                lists[entry.item.index()].push(option);
            }
        }
        let mut begins: Vec<Vec<usize>> = vec![Vec::new(); self.steps.len()];
        for (item, field) in self.fields.iter().enumerate() {
            if let Some(KeyField { first, kind, .. }) = field
                && !matches!(kind, FieldKind::Count { .. })
                && let Some(begins) = begins.get_mut(first + 1)
            {
                begins.push(item);
            }
        }
        let mut marks = vec![usize::MAX; problem.option_count()];
        let (mut window, mut options): (Vec<usize>, Vec<Key<K>>) = (Vec::new(), Vec::new());
        let (mut total, mut bytes) = (0, 0);
        for (step, begins) in begins.into_iter().enumerate() {
            layout.left.push(None);
            let field = |item: usize| self.fields[item].as_ref().expect("it has one");
            window.extend(begins);
            window.retain(|&item| field(item).last >= step);
            // Without secondary items such a table finds only dead ends, which the checks find as
            // well.
            let is_secondary = |item: &usize| matches!(field(*item).kind, FieldKind::Codes(_));
            if !window.iter().any(is_secondary) {
                continue;
            }
            let (mut bits, mut secondary, mut entries) = ([0; K], [0; K], 0);
            options.clear();
            for &item in &window {
                let own: Key<K> = key(&field(item).bits);
                unite(&mut bits, &own);
                if is_secondary(&item) {
                    unite(&mut secondary, &own);
                }
                let list = &lists[item];
                let gone = list.partition_point(|option| self.step_of[option.index()] < step);
                for &option in &list[gone..] {
                    if entries > LEFT_ENTRIES || options.len() > OPTIONS_MAX {
                        break;
                    }
                    entries += 1;
                    if std::mem::replace(&mut marks[option.index()], step) == step {
                        continue;
                    }
                    entries += problem.option(option).len();
                    options.push(self.conflict_of(option, step));
                }
            }
            budget.spend(ENTRY_WORK * (1 + window.len() + entries) as u64)?;
            total += entries;
            if total > LEFT_ENTRIES_TOTAL + LEFT_SHARE * problem.entry_count() {
                break;
            }
            if entries <= LEFT_ENTRIES {
                let left = OptionsLeft::new(bits, secondary, &options);
                bytes += left.as_ref().map_or(0, OptionsLeft::bytes);
                layout.left[step] = left;
            }
            if bytes > budget.bytes / 4 {
                return Err(Cut::Memory);
            }
        }
        Ok(())
    }
}

pub(super) fn key<const K: usize>(bits: &[u32]) -> Key<K> {
    let mut key = [0; K];
    bits.iter().for_each(|&bit| key[bit as usize / 64] |= 1 << (bit % 64));
    key
}

fn bits_of(number: u64) -> usize {
    (u64::BITS - number.leading_zeros()) as usize
}

fn code_length(count: usize) -> usize {
    let subsets = |bits: usize| (0..bits / 2).fold(1, |subsets, k| subsets * (bits - k) / (k + 1));
    (1..).find(|&bits| subsets(bits) >= count).expect("there is no last number")
}

fn first_free(used: &[u64], length: usize) -> Option<usize> {
    let place = |(word, &used): (usize, &u64)| {
        let shift = (0..=64 - length).find(|shift| used >> shift & mask(length) == 0)?;
        Some(64 * word + shift)
    };
    used.iter().enumerate().filter(|(_, used)| **used != u64::MAX).find_map(place)
}

/// Assigns a code to each color: a subset of half of the bits of the field.
fn with_codes(colors: Vec<Option<Color>>) -> Vec<(Option<Color>, u64)> {
    let half = (code_length(colors.len()) / 2).max(1);
    let next = |subset: u64| {
        let lowest = subset & subset.wrapping_neg();
        let ripple = subset + lowest;
        ripple | (((subset ^ ripple) >> 2) / lowest)
    };
    let codes = std::iter::successors(Some(mask(half)), |&subset| Some(next(subset)));
    colors.into_iter().zip(codes).collect()
}

fn code<const K: usize>(codes: &[(Option<Color>, u64)], color: Option<Color>, bits: &[u32]) -> Key<K> {
    let place = codes.binary_search_by_key(&color, |&(color, _)| color);
    let (_, subset) = codes[place.expect("the field has all colors")];
    let mut code = [0; K];
    for (_, &bit) in bits.iter().enumerate().filter(|(place, _)| subset >> place & 1 == 1) {
        code[bit as usize / 64] |= 1 << (bit % 64);
    }
    code
}
