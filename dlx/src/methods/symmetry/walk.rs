//! A depth-first walk through the subproblems of a count. Several walks can share their memos.

mod expand;
mod split;

use num_bigint::BigUint;

pub(super) use self::expand::Left;
use super::Ground;
use super::copies::RepresentativeCopies;
use super::form::FormBuilder;
use super::number::CoverCount;
use crate::methods::together::Worker;
use crate::parallel::{lock, turn};
use crate::portfolio::Cut;
use crate::search::fraction;

/// Canonical forms are computed for the first `TRIALS` subproblems of each size, and later for at
/// least one in `TRIAL_INTERVAL`.
const TRIALS: u64 = 64;
const TRIAL_INTERVAL: u64 = 32;

#[derive(Debug)]
pub(super) struct FormWalk {
    /// Index of the walk, which determines the order of options and components.
    number: u32,
    former: FormBuilder,
    frames: Vec<Frame>,
    options: Vec<u32>,
    sets: Vec<u64>,
    ends: Vec<usize>,
    step: Step,
    counts: Vec<u32>,
    lasts: Vec<u32>,
    parents: Vec<u32>,
    standing: RepresentativeCopies,
    forth: Vec<u32>,
    settled: Vec<u64>,
    work: u64,
    paid: u64,
    pub(super) problems: u64,
    pub(super) tries: u64,
}

#[derive(Debug)]
enum Step {
    Enter,
    Return(CoverCount),
    Advance,
}

#[derive(Debug)]
struct Frame {
    /// The item to branch on, or `None` for a product of components.
    item: Option<u32>,
    factor: CoverCount,
    total: CoverCount,
    weight: u128,
    left: Option<Box<[u64]>>,
    start: usize,
    end: usize,
    next: usize,
    tried: u32,
    degree: u32,
    set: usize,
    ends: usize,
    keys: Option<Keys>,
}

#[derive(Debug)]
struct Keys {
    set: Box<[u64]>,
    form: Box<[u64]>,
    size: usize,
    work: u64,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Profile {
    seen: u64,
    tries: u64,
    hits: u64,
    try_work: u64,
    misses: u64,
    miss_work: u64,
}

impl Profile {
    fn is_worth(&self) -> bool {
        self.seen.is_multiple_of(TRIAL_INTERVAL) || self.pays()
    }

    /// Returns whether computing canonical forms pays off, or too few were computed to decide this.
    pub(super) fn pays(&self) -> bool {
        let misses = u128::from(self.misses.max(1));
        self.tries < TRIALS
            || u128::from(self.hits) * u128::from(self.miss_work) > u128::from(self.try_work) * misses
    }
}

impl FormWalk {
    pub(super) fn new(ground: &Ground, number: u32) -> Self {
        let tables = &ground.tables;
        let (set, mut options) = (tables.all_items(), tables.options().collect());
        let mut standing = ground.copies.standing(tables);
        ground.copies.hide(&set, &mut standing, &mut options, 0);
        Self {
            number,
            former: FormBuilder::new(tables),
            frames: Vec::new(),
            options,
            sets: set,
            ends: Vec::new(),
            step: Step::Enter,
            counts: vec![0; tables.item_count],
            lasts: vec![0; tables.item_count],
            parents: vec![0; tables.item_count],
            standing,
            forth: Vec::new(),
            settled: vec![0; tables.word_count],
            work: 0,
            paid: 0,
            problems: 0,
            tries: 0,
        }
    }

    pub(super) fn announce(&self, ground: &Ground) {
        for frame in &self.frames {
            if let Some(keys) = &frame.keys {
                let set = &self.sets[frame.set..][..ground.tables.word_count];
                ground.begun.enter(&keys.form, set);
            }
        }
    }

    pub(super) fn work(&self) -> u64 {
        self.work
    }

    pub(super) fn fraction(&self) -> f64 {
        if self.frames.is_empty() {
            return f64::from(u8::from(self.problems > 0));
        }
        fraction(
            self.frames.iter().map(|frame| (frame.tried.max(1), frame.degree.max(frame.tried).max(1))),
        )
    }

    /// Returns a lower bound of the count. A product of components counts as 0 until its last
    /// component is reached.
    pub(super) fn known(&self) -> BigUint {
        let mut known = match &self.step {
            Step::Return(number) => BigUint::from(number),
            Step::Enter | Step::Advance => BigUint::ZERO,
        };
        let mut ends = self.ends.len();
        for frame in self.frames.iter().rev() {
            let total = BigUint::from(&frame.total);
            known = if frame.item.is_some() {
                total + known * frame.weight
            } else if frame.ends + frame.next == ends {
                total * known
            } else {
                BigUint::ZERO
            };
            known *= BigUint::from(&frame.factor);
            ends = frame.ends;
        }
        known
    }

    /// Reduces the set at index `set` to the items of the options from `start` on and, if `stand`
    /// is set, of the representative and the represented copies. Returns the number of primary
    /// items.
    fn cover(&mut self, ground: &Ground, start: usize, set: usize, stand: bool) -> usize {
        if stand && !ground.copies.is_empty() {
            ground.copies.stand(&self.sets[set..], &mut self.standing);
            self.sets[set..].copy_from_slice(self.standing.kept());
        } else {
            self.sets[set..].fill(0);
        }
        for &option in &self.options[start..] {
            for (items, more) in self.sets[set..].iter_mut().zip(ground.tables.set(option)) {
                *items |= more;
            }
        }
        let primaries = self.sets[set..].iter().zip(&ground.tables.primaries);
        primaries.map(|(items, primary)| (items & primary).count_ones()).sum::<u32>() as usize
    }

    fn advance(&mut self, ground: &Ground) -> Step {
        let words = ground.tables.word_count;
        let Some(frame) = self.frames.last_mut() else { return Step::Return(CoverCount::ONE) };
        self.options.truncate(frame.end);
        self.sets.truncate(frame.set + words);
        let Some(item) = frame.item else {
            let count = self.ends.len() - frame.ends;
            if frame.total.is_zero() || frame.next == count {
                return self.close(ground);
            }
            let place = turn(self.number, frame.next, count);
            let ends = &self.ends[frame.ends..];
            let start = if place == 0 { frame.start } else { ends[place - 1] };
            frame.next += 1;
            frame.tried += 1;
            let component = frame.end;
            self.options.extend_from_within(start..ends[place]);
            return self.open(ground, component, CoverCount::ONE, false);
        };

        let (word, bit) = (item as usize / 64, item % 64);
        let options = &self.options[frame.start..frame.end];
        let option_at = |step| options[turn(self.number, step, options.len())];
        let has_item = |&step: &usize| ground.tables.set(option_at(step))[word] >> bit & 1 == 1;
        let Some(next) = (frame.next..options.len()).find(has_item) else { return self.close(ground) };
        let option = option_at(next);
        let skipped = next - frame.next;
        frame.next = next + 1;
        frame.tried += 1;
        self.tries += 1;
        ground.copies.stand(&self.sets[frame.set..], &mut self.standing);
        let multiple = ground.copies.multiple_beside(item, option, &self.standing);
        frame.weight = weight(ground, option, multiple);
        for (place, covered) in (frame.set..).zip(ground.tables.set(option)) {
            self.sets.push(self.sets[place] & !covered);
        }
        let set = &self.sets[frame.set + words..];
        self.work += 10 + (skipped + words) as u64;
        if !ground.twins.is_empty() {
            self.settled.copy_from_slice(set);
            ground.twins.settle(&mut self.settled);
            self.work += 40;
            if let Some(number) = ground.sets_seen.get(&self.settled) {
                return Step::Return(number);
            }
            frame.left = Some(self.settled[..].into());
        }
        let (start, end) = (frame.start, frame.end);
        for place in start..end {
            let option = self.options[place];
            if ground.tables.is_within(option, set) {
                self.options.push(option);
            }
        }
        self.work += ((end - start) * (1 + words)) as u64;
        self.come_forth(ground, option, start..end);
        Step::Enter
    }

    fn take(&mut self, ground: &Ground, mut number: CoverCount) -> Step {
        let frame = self.frames.last_mut().expect("there is a frame");
        if let Some(key) = frame.left.take() {
            ground.sets_seen.insert(&key, number.clone());
        }
        if ground.is_shared
            && let Some(keys) = &frame.keys
            && let Some(total) = ground.forms_seen.get(&keys.form)
        {
            frame.total = total;
            frame.keys = None;
            return self.close(ground);
        }
        if frame.item.is_some() {
            number.multiply(&CoverCount::Small(frame.weight));
            frame.total.add(&number);
        } else {
            frame.total.multiply(&number);
        }
        Step::Advance
    }

    fn close(&mut self, ground: &Ground) -> Step {
        let mut frame = self.frames.pop().expect("there is a frame");
        self.options.truncate(frame.start);
        self.sets.truncate(frame.set);
        self.ends.truncate(frame.ends);
        if let Some(keys) = frame.keys {
            let mut profile = lock(&ground.profiles[keys.size]);
            profile.misses += 1;
            profile.miss_work += self.work - keys.work;
            drop(profile);
            ground.sets_seen.insert(&keys.set, frame.total.clone());
            if ground.is_shared {
                ground.begun.leave(&keys.form);
            }
            ground.forms_seen.insert(&keys.form, frame.total.clone());
        }
        frame.total.multiply(&frame.factor);
        Step::Return(frame.total)
    }

    /// Enters the subproblem that was pushed last: chooses forced options, and splits it into
    /// components.
    fn enter(&mut self, ground: &Ground) -> Step {
        self.problems += 1;
        let start = self.frames.last().map_or(0, |frame| frame.end);
        let set = self.sets.len() - ground.tables.word_count;
        let Some(factor) = self.force(ground, start, set) else {
            return Step::Return(CoverCount::ZERO);
        };
        if self.options.len() == start {
            return Step::Return(factor);
        }
        let ends = self.ends.len();
        if !self.split(ground, start, set) {
            return self.open(ground, start, factor, true);
        }
        self.frames.push(Frame {
            item: None,
            factor,
            total: CoverCount::ONE,
            weight: 1,
            left: None,
            start,
            end: self.options.len(),
            next: 0,
            tried: 0,
            degree: (self.ends.len() - ends) as u32,
            set,
            ends,
            keys: None,
        });
        Step::Advance
    }

    /// Chooses forced options until there are none. Returns the product of their weights, or `None`
    /// if an item cannot be covered. If no primary item is left, removes all options.
    fn force(&mut self, ground: &Ground, start: usize, set: usize) -> Option<CoverCount> {
        let mut factor = CoverCount::ONE;
        loop {
            ground.copies.stand(&self.sets[set..], &mut self.standing);
            self.count(ground, start);
            let end = self.options.len();
            let (mut is_forced, mut is_done) = (false, true);
            for word in 0..ground.tables.word_count {
                let mut left = self.sets[set + word] & ground.tables.primaries[word];
                is_done &= left == 0;
                left &= !self.standing.hidden()[word];
                while left != 0 {
                    let item = word * 64 + left.trailing_zeros() as usize;
                    left &= left - 1;
                    let is_left = self.sets[set + word] >> (item % 64) & 1 == 1;
                    if self.counts[item] > 1 || !is_left {
                        continue;
                    }
                    let option = self.lasts[item];
                    if self.counts[item] == 0 || !ground.tables.is_within(option, &self.sets[set..]) {
                        return None;
                    }
                    if ground.copies.is_whole(option, &self.sets[set..]) {
                        self.come_forth(ground, option, start..end);
                    }
                    for (left, covered) in self.sets[set..].iter_mut().zip(ground.tables.set(option)) {
                        *left &= !covered;
                    }
                    factor.multiply(&ground.tables.weights[option as usize].into());
                    is_forced = true;
                }
            }
            if is_done {
                self.options.truncate(start);
            }
            if !is_forced {
                return Some(factor);
            }
            let mut kept = start;
            for place in start..self.options.len() {
                let option = self.options[place];
                if ground.tables.is_within(option, &self.sets[set..]) {
                    self.options[kept] = option;
                    kept += 1;
                }
            }
            self.work += ((self.options.len() - start) * (1 + ground.tables.word_count)) as u64;
            self.options.truncate(kept);
        }
    }

    fn count(&mut self, ground: &Ground, start: usize) {
        self.counts.fill(0);
        let mut entries = 0;
        for &option in &self.options[start..] {
            let items = ground.tables.items(option);
            entries += items.len();
            for &item in items {
                self.counts[item as usize] +=
                    ground.copies.multiple_beside(item, option, &self.standing);
                self.lasts[item as usize] = option;
            }
        }
        self.work += (self.counts.len() / 8 + entries) as u64;
    }

    /// Looks up the connected subproblem of the options from `start` on, or opens a frame for it.
    /// If `stand` is set, each representative copy stands for the copies that it represents.
    fn open(&mut self, ground: &Ground, start: usize, mut factor: CoverCount, stand: bool) -> Step {
        let set = self.sets.len();
        self.sets.extend_from_within(set - ground.tables.word_count..);
        let size = self.cover(ground, start, set, stand);
        ground.copies.hide(&self.sets[set..], &mut self.standing, &mut self.options, start);
        let keys = match self.look_up(ground, start, set, size) {
            Ok(number) => {
                factor.multiply(&number);
                return Step::Return(factor);
            }
            Err(keys) => keys,
        };
        if ground.is_shared
            && let Some(keys) = &keys
            && let Some(begun) = ground.begun.enter(&keys.form, &self.sets[set..])
        {
            self.rename(ground, start, set, &begun);
        }
        self.push(ground, start, set, factor, keys);
        Step::Advance
    }

    fn push(
        &mut self,
        ground: &Ground,
        start: usize,
        set: usize,
        factor: CoverCount,
        keys: Option<Keys>,
    ) {
        ground.copies.stand(&self.sets[set..], &mut self.standing);
        self.count(ground, start);
        let item = self.choose(ground, set);
        let degree = if ground.copies.is_empty() || ground.copies.has(item) {
            self.counts[item as usize]
        } else {
            let has_item = |&&option: &&u32| ground.tables.items(option).contains(&item);
            self.options[start..].iter().filter(has_item).count() as u32
        };
        self.frames.push(Frame {
            item: Some(item),
            factor,
            total: CoverCount::ZERO,
            weight: 1,
            left: None,
            start,
            end: self.options.len(),
            next: 0,
            tried: 0,
            degree,
            set,
            ends: self.ends.len(),
            keys,
        });
    }

    fn rename(&mut self, ground: &Ground, start: usize, set: usize, items: &[u64]) {
        let tables = &ground.tables;
        self.sets[set..].copy_from_slice(items);
        self.options.truncate(start);
        self.work += ground.copies.add_options(tables, items, &mut self.standing, &mut self.options);
    }

    /// Returns the count of a connected subproblem if it is known. Otherwise returns the keys for
    /// storing it, if that pays off. `standing` must be the representative copies of the
    /// subproblem.
    fn look_up(
        &mut self,
        ground: &Ground,
        start: usize,
        set: usize,
        size: usize,
    ) -> Result<CoverCount, Option<Keys>> {
        let mut profile = lock(&ground.profiles[size]);
        profile.seen += 1;
        if !profile.is_worth() {
            return Err(None);
        }
        profile.tries += 1;
        drop(profile);
        let work = self.work;
        self.settled.copy_from_slice(&self.sets[set..]);
        ground.twins.settle(&mut self.settled);
        self.work += 40;
        let mut known = ground.sets_seen.get(&self.settled);
        let mut form = Box::default();
        if known.is_none() {
            self.former.load(&ground.tables, &ground.copies, &self.standing, &self.options[start..]);
            let key = self.former.form(&ground.tables);
            known = ground.forms_seen.get(key);
            if known.is_none() {
                form = key.into();
            }
            self.work += std::mem::take(&mut self.former.work);
        }
        let mut profile = lock(&ground.profiles[size]);
        profile.try_work += self.work - work;
        profile.hits += u64::from(known.is_some());
        match known {
            Some(number) => Ok(number),
            None => Err(Some(Keys { set: self.settled[..].into(), form, size, work })),
        }
    }

    fn choose(&self, ground: &Ground, set: usize) -> u32 {
        let mut best = (u32::MAX, u32::MAX, 0);
        for word in 0..ground.tables.word_count {
            let mut left = self.sets[set + word] & ground.tables.primaries[word];
            left &= !self.standing.hidden()[word];
            while left != 0 {
                let item = word * 64 + left.trailing_zeros() as usize;
                left &= left - 1;
                best = best.min((self.counts[item], ground.places[item], item as u32));
            }
        }
        best.2
    }
}

impl Worker for FormWalk {
    type Ground = Ground;

    fn run(
        &mut self,
        ground: &Ground,
        mut spend: impl FnMut(u64) -> Result<(), Cut>,
    ) -> Result<BigUint, Cut> {
        loop {
            let work = self.work - std::mem::replace(&mut self.paid, self.work);
            spend(work)?;
            self.step = match std::mem::replace(&mut self.step, Step::Advance) {
                Step::Enter => self.enter(ground),
                Step::Advance => self.advance(ground),
                Step::Return(number) if self.frames.is_empty() => {
                    let total = BigUint::from(&number);
                    self.step = Step::Return(number);
                    return Ok(total);
                }
                Step::Return(number) => self.take(ground, number),
            };
        }
    }
}

fn weight(ground: &Ground, option: u32, multiple: u32) -> u128 {
    u128::from(ground.tables.weights[option as usize]) * u128::from(multiple)
}
