//! Counting with a memo over residual problems up to isomorphism.
//!
//! A branch chooses an option of an item; what is left is a problem of its own: the items not covered
//! yet, and the options within them. Forced options are chosen at once, independent components are
//! counted one by one and multiplied, and each connected problem is looked up:
//! 1. by its set of items, where twins are exchanged for the first of their class: the same problem, reached by other
//!    choices;
//! 2. by its [form](form): the same problem under other names. All partial Latin squares that differ by
//!    the order of rows, columns or symbols, or by their roles, are one.
//!
//! A form takes some ten microseconds, which is well spent only where problems come again. That is
//! learned while counting, by the number of primary items left: forms are made where the share of hits
//! times the work of a miss exceeds the work of a form, and now and then elsewhere. On Latin squares
//! this finds by itself that partial rows seldom agree and whole ones nearly always do.
//!
//! The search branches on one of the items with the fewest options: the first of them in an [order](order) that
//! finishes what it began.
//!
//! Keys are compared in full and describe the problem in full, so no coincidence can change a number.
//!
//! Measured, in steps of about a nanosecond: Latin squares of order 6, 7 and 8 take 10, 79-103 and
//! 2900-3000 million with 104, 730-930 and 10,600-12,200 forms, Steiner triple systems of order 15 93-121
//! million, Kirkman's schoolgirls 719 million. What twins save: partitions of 30 points in triples from
//! 634 to 3 million, all subsets of 14 items from 664 to 12.
//! Tried and dropped: four forms a problem with other items singled out, 5-10 % fewer forms and 30-50 %
//! more work; the order alone, with forced items first, 0.8-1.3 of the work on Latin squares, 3 to 13
//! times on designs and one-factorizations; fewest options, then the fewest options nearby, twice the
//! work on Latin squares of order 7 and out of reach at 8, though half on 2x3 Sudokus.
//!
//! Source: the memo after Nishino, Yasuda, Minato and Nagata (AAAI 2017); forms by color refinement and
//! individualization, McKay, Practical graph isomorphism (1981).
mod form;
mod memo;
mod method;
mod number;
mod order;
mod tables;
#[cfg(test)]
mod tests;
mod twins;

use num_bigint::BigUint;

use self::form::Former;
use self::memo::Memo;
pub(super) use self::method::METHOD;
use self::number::CoverCount;
use self::tables::PartTables;
use self::twins::Twins;
use crate::portfolio::{Budget, Cut};
use crate::prepare::Weighted;

/// Least mean size of the color classes; below it the method declines the part.
const LIKENESS_MIN: f64 = 2.0;

/// The work of an entry while a part is read, in steps of about a nanosecond.
const SETUP_WORK: u64 = 100;

/// For each size of problems, forms are always made for this many, and later at least for one of this many.
const TRIALS: u64 = 64;
const TRIAL_INTERVAL: u64 = 32;

/// Counts a part by branching, with a memo in which isomorphic problems are one.
///
/// It can be cut by work or a limit at any time and goes on when it is run again.
#[derive(Debug)]
pub(crate) struct Symmetry {
    tables: PartTables,
    twins: Twins,
    former: Former,
    /// Numbers of covers by the set of items left.
    sets_seen: Memo,
    /// Numbers of covers by form.
    forms_seen: Memo,
    /// What forms cost and save, by the number of primary items left.
    profiles: Vec<Profile>,
    likeness: f64,
    frames: Vec<Frame>,
    /// The options and the items of the problems on the way to the last one, one behind the other.
    options: Vec<u32>,
    sets: Vec<u64>,
    /// Where the components of problems end in `options`.
    ends: Vec<usize>,
    step: Step,
    /// By item: its place in the order of branching.
    places: Vec<u32>,
    /// By item: how many options of the problem looked at have it, and the last of them.
    counts: Vec<u32>,
    lasts: Vec<u32>,
    /// By item: another item of its component, which leads to the representative.
    parents: Vec<u32>,
    /// A set of items in which twins are replaced by the first of their class.
    settled: Vec<u64>,
    /// The work done, of which `paid` was spent.
    work: u64,
    paid: u64,
    /// Problems looked at, and options tried.
    problems: u64,
    tries: u64,
}

/// The next thing to do.
#[derive(Debug)]
enum Step {
    /// Look at the problem that was pushed last.
    Enter,
    /// Give the number of covers of a problem to the last frame.
    Return(CoverCount),
    /// Go on with the last frame.
    Advance,
}

/// A problem that is being counted.
#[derive(Debug)]
struct Frame {
    /// The item that is branched on, or none if this is a product of components.
    item: Option<u32>,
    /// The number of ways to use the options that were forced before.
    factor: CoverCount,
    /// The sum or product so far.
    total: CoverCount,
    /// The weight of the option that was tried last.
    weight: u64,
    /// The set of items that this option left, kept where there are twins.
    left: Option<Box<[u64]>>,
    /// The options are `options[start..end]`, and the next to be looked at is `next`; for a product the
    /// number of the next component.
    start: usize,
    end: usize,
    next: usize,
    /// Where the items are in `sets`, and where the components are in `ends`.
    set: usize,
    ends: usize,
    /// What to remember the total by.
    keys: Option<Keys>,
}

/// The keys of a problem that was not found in the memo.
#[derive(Debug)]
struct Keys {
    set: Box<[u64]>,
    form: Box<[u64]>,
    /// The number of primary items.
    size: usize,
    /// The work done before.
    work: u64,
}

/// What forms cost and brought for problems of one size.
#[derive(Clone, Copy, Debug, Default)]
struct Profile {
    seen: u64,
    tries: u64,
    hits: u64,
    try_work: u64,
    misses: u64,
    miss_work: u64,
}

impl Profile {
    /// Tells whether a problem is to be looked up.
    fn is_worth(&self) -> bool {
        if self.tries < TRIALS || self.seen.is_multiple_of(TRIAL_INTERVAL) {
            return true;
        }
        let misses = u128::from(self.misses.max(1));
        u128::from(self.hits) * u128::from(self.miss_work) > u128::from(self.try_work) * misses
    }
}

impl Symmetry {
    /// Reads a part; it is unsuited if it has bounds or colors, or if its items differ too much.
    pub(crate) fn new(part: &Weighted, budget: &mut Budget<'_>) -> Result<Self, Cut> {
        let symmetry = Self::any(part, budget)?;
        if symmetry.likeness < LIKENESS_MIN { Err(Cut::Unsuited) } else { Ok(symmetry) }
    }

    /// Reads a part, however little its items are alike.
    fn any(part: &Weighted, budget: &mut Budget<'_>) -> Result<Self, Cut> {
        budget.spend(SETUP_WORK * part.problem.entry_count() as u64)?;
        let tables = PartTables::new(part).ok_or(Cut::Unsuited)?;
        if tables.bytes() > budget.bytes {
            return Err(Cut::Memory);
        }
        budget.spend(tables.bytes() as u64)?;
        let options: Vec<u32> = tables.options().collect();
        let mut former = Former::new(&tables);
        former.load(&tables, &options);
        let colors = former.colors();
        let likes = colors.chunk_by(|a, b| a.0 == b.0).map(|cell| cell.len().pow(2)).sum::<usize>();
        let likeness = likes as f64 / colors.len().max(1) as f64;
        let mut set = vec![0; tables.word_count];
        (0..tables.item_count).for_each(|item| set[item / 64] |= 1 << (item % 64));
        Ok(Self {
            twins: Twins::new(&tables, &colors, budget)?,
            former,
            sets_seen: Memo::default(),
            forms_seen: Memo::default(),
            profiles: vec![Profile::default(); tables.item_count + 1],
            likeness,
            frames: Vec::new(),
            options,
            sets: set,
            ends: Vec::new(),
            step: Step::Enter,
            places: order::places(&tables, budget)?,
            counts: vec![0; tables.item_count],
            lasts: vec![0; tables.item_count],
            parents: vec![0; tables.item_count],
            settled: vec![0; tables.word_count],
            work: 0,
            paid: 0,
            problems: 0,
            tries: 0,
            tables,
        })
    }

    /// Returns the mean size of the color classes: the larger, the more this method saves.
    pub(crate) fn likeness(&self) -> f64 {
        self.likeness
    }

    /// Returns how many forms are remembered.
    pub(crate) fn form_count(&self) -> usize {
        self.forms_seen.len()
    }

    /// Returns the number of problems that were looked at, and of their options that were tried.
    pub(crate) fn effort(&self) -> (u64, u64) {
        (self.problems, self.tries)
    }

    /// Returns the bytes that the memos take.
    pub(crate) fn memo_bytes(&self) -> usize {
        self.sets_seen.bytes() + self.forms_seen.bytes()
    }

    /// Returns how many covers are certain by now: those below the options that were tried. A product of components has
    /// none before the last of them is reached.
    pub(crate) fn known(&self) -> BigUint {
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

    /// Counts, or goes on where the last call was cut.
    pub(crate) fn run(&mut self, budget: &mut Budget<'_>) -> Result<BigUint, Cut> {
        let bytes = budget.bytes.checked_sub(self.bytes()).ok_or(Cut::Memory)?;
        loop {
            // Work beyond the budget of this budget is not charged to the next one.
            let work = self.work - std::mem::replace(&mut self.paid, self.work);
            budget.spend(work)?;
            self.step = match std::mem::replace(&mut self.step, Step::Advance) {
                Step::Enter => self.enter(),
                Step::Advance => self.advance(bytes),
                Step::Return(number) if self.frames.is_empty() => {
                    let total = BigUint::from(&number);
                    self.step = Step::Return(number);
                    return Ok(total);
                }
                Step::Return(number) => self.take(number, bytes),
            };
        }
    }

    /// Returns the bytes that the tables take, and at most the stacks.
    fn bytes(&self) -> usize {
        let entries = self.tables.bytes() + 8 * self.tables.item_count * self.tables.item_count;
        entries.saturating_mul(2)
    }

    /// Tries the next option or component of the last frame, or closes it.
    fn advance(&mut self, bytes: usize) -> Step {
        let words = self.tables.word_count;
        let Some(frame) = self.frames.last_mut() else { return Step::Return(CoverCount::ONE) };
        self.options.truncate(frame.end);
        self.sets.truncate(frame.set + words);
        let Some(item) = frame.item else {
            let place = frame.ends + frame.next;
            if frame.total.is_zero() || place == self.ends.len() {
                return self.close(bytes);
            }
            let start = if frame.next == 0 { frame.start } else { self.ends[place - 1] };
            frame.next += 1;
            let component = frame.end;
            self.options.extend_from_within(start..self.ends[place]);
            return self.open(component, CoverCount::ONE);
        };

        let (word, bit) = (item as usize / 64, item % 64);
        let rest = &self.options[frame.next..frame.end];
        let next = rest.iter().position(|&option| self.tables.set(option)[word] >> bit & 1 == 1);
        let Some(skipped) = next else { return self.close(bytes) };
        let option = rest[skipped];
        frame.next += skipped + 1;
        self.tries += 1;
        frame.weight = self.tables.weights[option as usize];
        for (place, covered) in (frame.set..).zip(self.tables.set(option)) {
            self.sets.push(self.sets[place] & !covered);
        }
        let set = &self.sets[frame.set + words..];
        self.work += 10 + (skipped + words) as u64;
        if !self.twins.is_empty() {
            self.settled.copy_from_slice(set);
            self.twins.settle(&mut self.settled);
            self.work += 40;
            if let Some(number) = self.sets_seen.get(&self.settled) {
                return Step::Return(number.clone());
            }
            frame.left = Some(self.settled[..].into());
        }
        let (start, end) = (frame.start, frame.end);
        for place in start..end {
            let option = self.options[place];
            if self.tables.is_within(option, set) {
                self.options.push(option);
            }
        }
        self.work += ((end - start) * (1 + words)) as u64;
        Step::Enter
    }

    /// Gives the number of covers of an option or component to the last frame.
    fn take(&mut self, mut number: CoverCount, bytes: usize) -> Step {
        let frame = self.frames.last_mut().expect("there is a frame");
        if let Some(key) = frame.left.take() {
            self.sets_seen.insert(key, number.clone(), bytes / 4);
        }
        if frame.item.is_some() {
            number.multiply(&frame.weight.into());
            frame.total.add(&number);
        } else {
            frame.total.multiply(&number);
        }
        Step::Advance
    }

    /// Ends the last frame and remembers its total.
    fn close(&mut self, bytes: usize) -> Step {
        let mut frame = self.frames.pop().expect("there is a frame");
        self.options.truncate(frame.start);
        self.sets.truncate(frame.set);
        self.ends.truncate(frame.ends);
        if let Some(keys) = frame.keys {
            let profile = &mut self.profiles[keys.size];
            profile.misses += 1;
            profile.miss_work += self.work - keys.work;
            self.sets_seen.insert(keys.set, frame.total.clone(), bytes / 4);
            self.forms_seen.insert(keys.form, frame.total.clone(), bytes / 4 * 3);
        }
        frame.total.multiply(&frame.factor);
        Step::Return(frame.total)
    }

    /// Looks at the problem that was pushed last: takes forced options, and splits it into components.
    fn enter(&mut self) -> Step {
        self.problems += 1;
        let start = self.frames.last().map_or(0, |frame| frame.end);
        let set = self.sets.len() - self.tables.word_count;
        let Some(factor) = self.force(start, set) else { return Step::Return(CoverCount::ZERO) };
        if self.options.len() == start {
            return Step::Return(factor);
        }
        let ends = self.ends.len();
        if !self.split(start) {
            return self.open(start, factor);
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
            set,
            ends,
            keys: None,
        });
        Step::Advance
    }

    /// Chooses forced options while there are any; returns the number of ways to do so, or none if an item cannot be
    /// covered. If no item is left, no option is left either.
    fn force(&mut self, start: usize, set: usize) -> Option<CoverCount> {
        let mut factor = CoverCount::ONE;
        loop {
            self.count(start);
            let (mut is_forced, mut is_done) = (false, true);
            for word in 0..self.tables.word_count {
                let mut left = self.sets[set + word] & self.tables.primaries[word];
                is_done &= left == 0;
                while left != 0 {
                    let item = word * 64 + left.trailing_zeros() as usize;
                    left &= left - 1;
                    let is_left = self.sets[set + word] >> (item % 64) & 1 == 1;
                    if self.counts[item] > 1 || !is_left {
                        continue;
                    }
                    let option = self.lasts[item];
                    if self.counts[item] == 0 || !self.tables.is_within(option, &self.sets[set..]) {
                        return None;
                    }
                    for (left, covered) in self.sets[set..].iter_mut().zip(self.tables.set(option)) {
                        *left &= !covered;
                    }
                    factor.multiply(&self.tables.weights[option as usize].into());
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
                if self.tables.is_within(option, &self.sets[set..]) {
                    self.options[kept] = option;
                    kept += 1;
                }
            }
            self.work += ((self.options.len() - start) * (1 + self.tables.word_count)) as u64;
            self.options.truncate(kept);
        }
    }

    /// Counts the options of each item, from `start` on, and notes the last one.
    fn count(&mut self, start: usize) {
        self.counts.fill(0);
        let mut entries = 0;
        for &option in &self.options[start..] {
            let items = self.tables.items(option);
            entries += items.len();
            for &item in items {
                self.counts[item as usize] += 1;
                self.lasts[item as usize] = option;
            }
        }
        self.work += (self.counts.len() / 8 + entries) as u64;
    }

    /// Sorts the options from `start` on by component and notes where each ends, if there are several.
    fn split(&mut self, start: usize) -> bool {
        for (item, parent) in self.parents.iter_mut().enumerate() {
            *parent = item as u32;
        }
        for &option in &self.options[start..] {
            let items = self.tables.items(option);
            let root = find(&mut self.parents, items[0]);
            for &item in &items[1..] {
                let other = find(&mut self.parents, item);
                self.parents[other as usize] = root;
            }
            self.work += 2 * items.len() as u64;
        }
        let (tables, parents) = (&self.tables, &mut self.parents);
        let mut root = |option: u32| find(parents, tables.items(option)[0]);
        let options = &mut self.options[start..];
        let first = root(options[0]);
        if options.iter().all(|&option| root(option) == first) {
            return false;
        }
        options.sort_by_cached_key(|&option| root(option));
        for place in 1..options.len() {
            if root(options[place - 1]) != root(options[place]) {
                self.ends.push(start + place);
            }
        }
        self.ends.push(self.options.len());
        true
    }

    /// Looks up the connected problem of the options from `start` on, or begins a frame for it.
    fn open(&mut self, start: usize, mut factor: CoverCount) -> Step {
        let set = self.sets.len();
        self.sets.resize(set + self.tables.word_count, 0);
        for &option in &self.options[start..] {
            for (items, more) in self.sets[set..].iter_mut().zip(self.tables.set(option)) {
                *items |= more;
            }
        }
        let primaries = self.sets[set..].iter().zip(&self.tables.primaries);
        let size =
            primaries.map(|(items, primary)| (items & primary).count_ones()).sum::<u32>() as usize;
        let keys = match self.look_up(start, set, size) {
            Ok(number) => {
                factor.multiply(&number);
                return Step::Return(factor);
            }
            Err(keys) => keys,
        };
        self.count(start);
        self.frames.push(Frame {
            item: Some(self.choose(set)),
            factor,
            total: CoverCount::ZERO,
            weight: 1,
            left: None,
            start,
            end: self.options.len(),
            next: start,
            set,
            ends: self.ends.len(),
            keys,
        });
        Step::Advance
    }

    /// Returns the number of covers of a connected problem if it is known; else the keys to remember it by, where that
    /// pays.
    fn look_up(&mut self, start: usize, set: usize, size: usize) -> Result<CoverCount, Option<Keys>> {
        let profile = &mut self.profiles[size];
        profile.seen += 1;
        if !profile.is_worth() {
            return Err(None);
        }
        profile.tries += 1;
        let work = self.work;
        self.settled.copy_from_slice(&self.sets[set..]);
        self.twins.settle(&mut self.settled);
        self.work += 40;
        let mut known = self.sets_seen.get(&self.settled).cloned();
        let mut form = Box::default();
        if known.is_none() {
            self.former.load(&self.tables, &self.options[start..]);
            let key = self.former.form(&self.tables);
            known = self.forms_seen.get(key).cloned();
            if known.is_none() {
                form = key.into();
            }
            self.work += std::mem::take(&mut self.former.work);
        }
        profile.try_work += self.work - work;
        match known {
            Some(number) => {
                profile.hits += 1;
                Ok(number)
            }
            None => Err(Some(Keys { set: self.settled[..].into(), form, size, work })),
        }
    }

    /// Chooses the item to branch on.
    fn choose(&self, set: usize) -> u32 {
        let mut best = (u32::MAX, u32::MAX, 0);
        for word in 0..self.tables.word_count {
            let mut left = self.sets[set + word] & self.tables.primaries[word];
            while left != 0 {
                let item = word * 64 + left.trailing_zeros() as usize;
                left &= left - 1;
                best = best.min((self.counts[item], self.places[item], item as u32));
            }
        }
        best.2
    }
}

/// Returns the representative of the component of `item`.
fn find(parents: &mut [u32], item: u32) -> u32 {
    let mut item = item as usize;
    while parents[item] as usize != item {
        parents[item] = parents[parents[item] as usize];
        item = parents[item] as usize;
    }
    item as u32
}
