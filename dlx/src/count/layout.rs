//! What a static order of the items makes of a part: steps, and keys of few bits.
//!
//! The items are decided in the order given, and each option at the first of its primary items. An item
//! that is covered once and has options of its own, for which it is the first, is a *branch*: a state
//! that does not cover it yet chooses one of them. An option whose first item has other bounds is a
//! step by itself: it is chosen or not.
//!
//! A *state* is what the options chosen so far leave to know: which items of the window are covered.
//! Each item has a *field* of the key from the first step that touches it to the last: a bit for an item
//! that is covered once; a counter for one with bounds; for a secondary item with colors a code of its
//! own for each color, none a subset of another, so that a color is in conflict with just the bits
//! outside of its code. Fields that are over make room for others, so that a key mostly fits one word.
//!
//! Invariants: two states at the same step have the same completions if their keys are equal, and every
//! cover of the part is one sequence of choices through the steps; fields that are in use at the same
//! step do not overlap; bits outside of them are 0.
//!
//! Source: frontier methods (Sekine, Imai and Tani 1995; Kawahara et al. 2017), here for options instead
//! of edges; Sperner's theorem for the codes.

use std::ops::Range;

use super::Weighted;
use crate::{Bounds, Color, ItemId, OptionId};

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
    steps: Vec<Step<K>>,
    choices: Vec<Choice<K>>,
    /// What each choice adds to the counters, and the bits that show that one is above its bound; empty
    /// where there are no counters.
    adds: Vec<(Key<K>, Key<K>)>,
    counters: Vec<Counter>,
    looks: Vec<Look<K>>,
    /// Of the options of the looks: the fields with which they are in conflict.
    conflicts: Vec<Key<K>>,
    start: Key<K>,
    /// The bits in use at each step.
    widths: Vec<u32>,
}

/// A branch on an item, or on whether to choose an option.
#[derive(Debug)]
pub(crate) struct Step<const K: usize> {
    /// Whether a state may also choose nothing.
    pub(crate) is_optional: bool,
    /// The options to choose from.
    pub(crate) choices: Range<u32>,
    /// The sum of their weights, and 1 if it is optional.
    pub(crate) weight: u64,
    /// What lets a state pass by without a choice: its item is covered, or its option in conflict.
    passes: Key<K>,
    /// The field of its item, which is over then.
    own: Key<K>,
    /// When it is left: what must be set, what is over, what begins.
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
    /// Of each bit that matters, in ascending order, the choices in conflict with it, 64 to a word.
    conflicts: Vec<u64>,
}

/// Fewer choices are tried one by one.
const FILTER_MIN: usize = 12;

impl<const K: usize> Filter<K> {
    fn new(choices: &[Choice<K>]) -> Self {
        let mut bits = [0; K];
        if choices.len() < FILTER_MIN {
            return Self { bits, conflicts: Vec::new() };
        }
        choices.iter().for_each(|choice| unite(&mut bits, &choice.conflict));
        let mut conflicts = Vec::new();
        for place in (0..64 * K).filter(|place| bits[place / 64] >> (place % 64) & 1 == 1) {
            for choices in choices.chunks(64) {
                let hit = |choice: &Choice<K>| choice.conflict[place / 64] >> (place % 64) & 1;
                let word =
                    choices.iter().enumerate().fold(0, |word, (at, choice)| word | hit(choice) << at);
                conflicts.push(word);
            }
        }
        Self { bits, conflicts }
    }
}

/// An option at its step.
#[derive(Clone, Debug)]
pub(crate) struct Choice<const K: usize> {
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
struct Look<const K: usize> {
    /// Its field, empty as long as nothing can have covered it.
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

    pub(crate) fn step(&self, step: usize) -> &Step<K> {
        &self.steps[step]
    }

    /// Returns the choices of a step.
    pub(crate) fn choices(&self, step: usize) -> &[Choice<K>] {
        let Range { start, end } = self.steps[step].choices;
        &self.choices[start as usize..end as usize]
    }

    /// Returns the first step with its state; `None` if there is no cover.
    pub(crate) fn start(&self) -> Option<(usize, Key<K>)> {
        self.settle(0, self.start)
    }

    /// Returns where the state goes that does not choose at a step; only if it is optional.
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
            (0..K).for_each(|word| key[word] += add[word]);
            if !are_disjoint(&key, guard) {
                return None;
            }
        }
        self.settle(step + 1, self.leave(step, key)?)
    }

    /// Goes on from a state in every way: calls `reach` with the number of each choice that leads somewhere,
    /// or with `None` for none at a step that is optional, and where it leads.
    #[inline]
    pub(crate) fn each(
        &self,
        step: usize,
        key: &Key<K>,
        mut reach: impl FnMut(Option<usize>, usize, Key<K>),
    ) {
        let Step { is_optional, choices, filter, .. } = &self.steps[step];
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

    /// Returns the number of options that a look goes through at most.
    pub(crate) fn look_size(&self, step: usize, look: usize) -> usize {
        self.looks[self.steps[step].looks.start as usize + look].conflicts.len()
    }

    /// Tells whether a state at a step has no completion, because one item, that of number `look`, has no
    /// options left.
    #[inline]
    pub(crate) fn is_hopeless(&self, step: usize, look: usize, key: &Key<K>) -> bool {
        let look = &self.looks[self.steps[step].looks.start as usize + look];
        let conflicts = &self.conflicts[look.conflicts.start as usize..look.conflicts.end as usize];
        are_disjoint(key, &look.own) && conflicts.iter().all(|conflict| !are_disjoint(key, conflict))
    }
}

/// A field of the key, from the step before which it begins to the one after which it is over.
#[derive(Debug)]
struct Field {
    first: usize,
    last: usize,
    /// Its bits, ascending.
    bits: Vec<u32>,
    kind: FieldKind,
}

#[derive(Debug)]
enum FieldKind {
    /// Covered or not; the item is the branch of step `last`.
    Branch,
    /// Covered or not, and it must be when it is over.
    Must,
    /// How often it is covered, from `begin` on, at least up to `low`; the bit above must stay 0 if there
    /// are more options than allowed.
    Count { begin: u64, low: u64, has_guard: bool },
    /// Secondary: a code for each of these colors.
    Codes(Vec<Option<Color>>),
}

/// What happens to a field at a step, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Change {
    End,
    Count,
    Branch,
    Begin,
}

/// The most options that a look goes through, and the most looks at a step.
const LOOK_OPTIONS: usize = 16;
const LOOKS: usize = 8;

/// The steps of a part before keys have a size.
#[derive(Debug)]
pub(crate) struct Sketch<'p> {
    part: &'p Weighted,
    /// The item of each step, and its options; a step of an item with bounds has one.
    steps: Vec<(ItemId, Vec<OptionId>)>,
    /// Of each option its step.
    step_of: Vec<usize>,
    /// Of each item its field, if it needs one.
    fields: Vec<Option<Field>>,
    width: usize,
    has_counters: bool,
    is_dead: bool,
}

impl<'p> Sketch<'p> {
    /// Lays out `part` in an order of its primary items.
    pub(crate) fn new(part: &'p Weighted, order: &[ItemId]) -> Self {
        let problem = &part.problem;
        let mut place = vec![usize::MAX; problem.item_count()];
        for (index, item) in order.iter().enumerate() {
            place[item.index()] = index;
        }
        debug_assert_eq!(order.len(), problem.primary_count(), "the order has each primary item");
        let mut own = vec![Vec::new(); order.len()];
        for option in problem.options() {
            let first = problem.option(option).iter().map(|entry| place[entry.item.index()]).min();
            // Options without primary items are never chosen.
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
        sketch.make_fields();
        sketch.place_fields();
        sketch
    }

    /// Returns the number of bits of a key.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    fn make_fields(&mut self) {
        let problem = &self.part.problem;
        let mut spans: Vec<Option<(usize, usize)>> = vec![None; problem.item_count()];
        let mut degrees = vec![0; problem.item_count()];
        for (step, (_, options)) in self.steps.iter().enumerate() {
            for &option in options {
                self.step_of[option.index()] = step;
                for entry in problem.option(option) {
                    spans[entry.item.index()].get_or_insert((step, step)).1 = step;
                    degrees[entry.item.index()] += 1;
                }
            }
        }
        let mut colors: Vec<Vec<Option<Color>>> = vec![Vec::new(); problem.item_count()];
        for entry in problem.options().flat_map(|option| problem.option(option)) {
            let colors = &mut colors[entry.item.index()];
            if !problem.is_primary(entry.item) && !colors.contains(&entry.color) {
                colors.push(entry.color);
            }
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
                // In one color only, it is never in conflict.
                None if first == last || matches!(colors[..], [Some(_)]) => None,
                None => Some(FieldKind::Codes(colors)),
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
            // Bits are placed later.
            fields.push(kind.map(|kind| Field { first, last, bits: vec![0; width], kind }));
        }
        self.fields = fields;
    }

    /// Gives each field its bits, the first that are free: those of a counter side by side in a word.
    fn place_fields(&mut self) {
        // At each step counters begin first, which are set when the step before is left; then the branch is
        // decided, which makes room for what the options touch.
        let mut changes: Vec<Vec<(Change, usize)>> = vec![Vec::new(); self.steps.len() + 1];
        for (item, field) in self.fields.iter().enumerate() {
            let Some(Field { first, last, kind, .. }) = field else { continue };
            let is_count = matches!(kind, FieldKind::Count { .. });
            changes[*first].push((if is_count { Change::Count } else { Change::Begin }, item));
            match kind {
                FieldKind::Branch => changes[*last].push((Change::Branch, item)),
                _ => changes[last + 1].push((Change::End, item)),
            }
        }
        let mut is_used: Vec<bool> = Vec::new();
        for mut changes in changes {
            changes.sort_unstable();
            for (change, item) in changes {
                let field = self.fields[item].as_mut().expect("it has a field");
                if let Change::End | Change::Branch = change {
                    field.bits.iter().for_each(|&bit| is_used[bit as usize] = false);
                    continue;
                }
                let length = field.bits.len();
                if let FieldKind::Count { .. } = field.kind {
                    let is_free = |start: &usize| {
                        let is_one_word = start / 64 == (start + length - 1) / 64;
                        is_one_word && is_used.iter().skip(*start).take(length).all(|&used| !used)
                    };
                    let start = (0..).find(is_free).expect("there is no last bit");
                    (0..length).for_each(|bit| field.bits[bit] = (start + bit) as u32);
                } else {
                    let free = (0..).filter(|&bit| !is_used.get(bit).is_some_and(|&used| used));
                    field.bits.iter_mut().zip(free).for_each(|(bit, free)| *bit = free as u32);
                }
                let top = field.bits.iter().max().map_or(0, |&bit| bit as usize + 1);
                is_used.resize(is_used.len().max(top), false);
                field.bits.iter().for_each(|&bit| is_used[bit as usize] = true);
            }
        }
        self.width = is_used.len();
    }

    /// Makes the steps with keys of `K` words, which must hold [`Self::width`] bits; `None` if there is no
    /// cover.
    pub(crate) fn layout<const K: usize>(&self) -> Option<Layout<K>> {
        if self.is_dead {
            return None;
        }
        assert!(self.width <= 64 * K, "the key must hold all fields");
        let problem = &self.part.problem;
        let mut layout = Layout {
            steps: Vec::new(),
            choices: Vec::new(),
            adds: Vec::new(),
            counters: Vec::new(),
            looks: Vec::new(),
            conflicts: Vec::new(),
            start: [0; K],
            widths: vec![0; self.steps.len()],
        };
        for field in self.fields.iter().flatten() {
            for width in &mut layout.widths[field.first + 1..=field.last] {
                *width += field.bits.len() as u32;
            }
        }
        let ends = self.ends();
        for (step, (item, options)) in self.steps.iter().enumerate() {
            let start = layout.choices.len() as u32;
            for &option in options {
                self.add_choice(step, option, &mut layout);
            }
            let is_optional = problem.bounds(*item) != Some(Bounds::ONE);
            let choices = &layout.choices[start as usize..];
            let weight = choices.iter().map(|choice| choice.weight).sum::<u64>();
            let own = match &self.fields[item.index()] {
                Some(Field { kind: FieldKind::Branch, bits, .. }) => key(bits),
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
            layout.steps.push(Step {
                is_optional,
                choices: start..layout.choices.len() as u32,
                weight: weight + u64::from(is_optional),
                passes,
                own,
                must,
                keep,
                begin: [0; K],
                counters: counters..layout.counters.len() as u32,
                looks: 0..0,
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
        self.add_looks(&mut layout);
        Some(layout)
    }

    /// Returns the items whose fields are over after each step.
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
                // At its own step it is not covered yet, and its bit may be another's by now.
                FieldKind::Branch if field.last == step => continue,
                FieldKind::Branch | FieldKind::Must => unite(&mut set, &key(&field.bits)),
                FieldKind::Codes(colors) => unite(&mut set, &code(colors, entry.color, &field.bits)),
                FieldKind::Count { has_guard, .. } => {
                    unite(&mut add, &key(&field.bits[..1]));
                    let top = field.bits.len() - usize::from(*has_guard);
                    unite(&mut guard, &key(&field.bits[top..]));
                }
            }
            unite(&mut conflict, &self.conflict(field, entry.color, step));
        }
        let weight = self.part.weights[option.index()];
        layout.choices.push(Choice { option, weight, conflict, set });
        if self.has_counters {
            layout.adds.push((add, guard));
        }
    }

    /// Returns the bits of a field of which none may be set when an option gives it `color` at `step`.
    fn conflict<const K: usize>(&self, field: &Field, color: Option<Color>, step: usize) -> Key<K> {
        if field.first >= step {
            return [0; K];
        }
        match &field.kind {
            FieldKind::Branch | FieldKind::Must => key(&field.bits),
            FieldKind::Count { .. } => [0; K],
            FieldKind::Codes(colors) => {
                let mut conflict = key(&field.bits);
                if color.is_some() {
                    let own: Key<K> = code(colors, color, &field.bits);
                    (0..K).for_each(|word| conflict[word] &= !own[word]);
                }
                conflict
            }
        }
    }

    /// Lists for each step the items that may have lost all options, those with the fewest left first.
    fn add_looks<const K: usize>(&self, layout: &mut Layout<K>) {
        let problem = &self.part.problem;
        // The options of each item, by step; of those from a step on there are only so many left.
        let mut lists: Vec<Vec<OptionId>> = vec![Vec::new(); problem.item_count()];
        for &option in self.steps.iter().rev().flat_map(|(_, options)| options.iter().rev()) {
            for entry in problem.option(option) {
                if problem.bounds(entry.item) == Some(Bounds::ONE) {
                    lists[entry.item.index()].push(option);
                }
            }
        }
        let mut candidates: Vec<Vec<(usize, usize)>> = vec![Vec::new(); self.steps.len()];
        for item in problem.items() {
            let (list, field) = (&lists[item.index()], &self.fields[item.index()]);
            let Some(field) = field else { continue };
            for (step, candidates) in
                candidates.iter_mut().enumerate().take(field.last + 1).skip(field.first + 1)
            {
                let is_left = |option: &&OptionId| self.step_of[option.index()] >= step;
                let left = list.iter().take(LOOK_OPTIONS + 1).take_while(is_left).count();
                if (1..=LOOK_OPTIONS).contains(&left) {
                    candidates.push((left, item.index()));
                }
            }
        }
        for (step, mut items) in candidates.into_iter().enumerate() {
            items.sort_unstable();
            let start = layout.looks.len() as u32;
            for (left, item) in items.into_iter().take(LOOKS) {
                let first = layout.conflicts.len() as u32;
                for &option in &lists[item][..left] {
                    let mut conflict = [0; K];
                    for entry in problem.option(option) {
                        // Fields that begin later may have the bits of others now.
                        if let Some(field) = &self.fields[entry.item.index()] {
                            unite(&mut conflict, &self.conflict(field, entry.color, step));
                        }
                    }
                    layout.conflicts.push(conflict);
                }
                let field = self.fields[item].as_ref().expect("candidates have fields");
                // A state that stops at a branch does not cover it.
                let is_here = matches!(field.kind, FieldKind::Branch) && field.last == step;
                let own = if is_here { [0; K] } else { key(&field.bits) };
                layout.looks.push(Look { own, conflicts: first..layout.conflicts.len() as u32 });
            }
            layout.steps[step].looks = start..layout.looks.len() as u32;
        }
    }
}

/// Returns the key in which those bits are set.
fn key<const K: usize>(bits: &[u32]) -> Key<K> {
    let mut key = [0; K];
    bits.iter().for_each(|&bit| key[bit as usize / 64] |= 1 << (bit % 64));
    key
}

#[inline(always)]
fn unite<const K: usize>(key: &mut Key<K>, more: &Key<K>) {
    (0..K).for_each(|word| key[word] |= more[word]);
}

/// Returns the number of bits of a number.
fn bits_of(number: u64) -> usize {
    (u64::BITS - number.leading_zeros()) as usize
}

/// Returns the number whose lowest bits are set.
fn mask(bits: usize) -> u64 {
    if bits == 0 { 0 } else { u64::MAX >> (64 - bits) }
}

/// Returns the least number of bits of which there are `count` subsets of half their number.
fn code_length(count: usize) -> usize {
    let subsets = |bits: usize| (0..bits / 2).fold(1, |subsets, k| subsets * (bits - k) / (k + 1));
    (1..).find(|&bits| subsets(bits) >= count).expect("there is no last number")
}

/// Returns the code of a color among `colors`: half of the bits of its field.
fn code<const K: usize>(colors: &[Option<Color>], color: Option<Color>, bits: &[u32]) -> Key<K> {
    let index = colors.iter().position(|&other| other == color).expect("the field has all colors");
    let half = (bits.len() / 2).max(1);
    // The next larger number with as many bits set (Gosper).
    let next = |subset: u64| {
        let lowest = subset & subset.wrapping_neg();
        let ripple = subset + lowest;
        ripple | (((subset ^ ripple) >> 2) / lowest)
    };
    let subset = (0..index).fold(mask(half), |subset, _| next(subset));
    let chosen: Vec<u32> =
        (0..bits.len()).filter(|bit| subset >> bit & 1 == 1).map(|bit| bits[bit]).collect();
    key(&chosen)
}
