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
//! Sets of items that change places as wholes, such as rows of a Latin square, are [copies]: of those that are left one stands
//! for all, in forms and in the walk.
//!
//! The search branches on one of the items with the fewest options: the first of them in an [order](order) that
//! finishes what it began.
//!
//! Keys are compared in full and describe the problem in full, so no coincidence can change a number.
//!
//! With idle cores there are several walks (`walk.rs`) on the same memos. Each takes the options of an item, and the
//! components of a problem, in an order of its own: the second one from the last to the first. So they meet in the
//! middle, at every problem that both go into, and what the other one has found is found in the memo; a problem that
//! was done meanwhile is left. A walk that comes to a problem that another is in under other names goes on under those
//! ([begun](begun)), so both branch alike. Latin squares of order 8 with two walks: 1.13 times the work of one. Tried and
//! dropped: each walk under its own names, twice the work, since below options that are alike both counted everything; what forms
//! save learned by each walk alone, 1.27 and 1.35 times the forms made; hits on what the other walk kept not counted, 1.56
//! times the work.
//!
//! A count that takes longer than some seconds goes on forwards (`layers.rs`), with what the walks have learned: each form is
//! expanded once, and forgotten with those of its size, so there is far less in memory, and all cores have work.
//!
//! Measured, in steps of about a nanosecond: Latin squares of order 7 and 8 take 14 and 342 million with 994 and 12,978
//! forms, and 61 and 1590-1750 million when rows did not stand for each other. Before the forms were as cheap as then,
//! Steiner triple systems of order 15 took 93-121 million, Kirkman's schoolgirls 719 million. What twins save: partitions of 30 points in triples from
//! 634 to 3 million, all subsets of 14 items from 664 to 12.
//! Tried and dropped: four forms a problem with other items singled out, 5-10 % fewer forms and 30-50 %
//! more work; the order alone, with forced items first, 0.8-1.3 of the work on Latin squares, 3 to 13
//! times on designs and one-factorizations; fewest options, then the fewest options nearby, twice the
//! work on Latin squares of order 7 and out of reach at 8, though half on 2x3 Sudokus.
//!
//! Source: the memo after Nishino, Yasuda, Minato and Nagata (AAAI 2017); forms by color refinement and
//! individualization, McKay, Practical graph isomorphism (1981).
mod begun;
mod copies;
mod form;
mod kept;
mod layers;
mod memo;
mod method;
mod number;
mod order;
mod spread;
mod tables;
#[cfg(test)]
mod tests;
mod twins;
mod walk;
mod whole;
mod word_table;

use std::sync::{Arc, Mutex};

use num_bigint::BigUint;

use self::begun::BegunProblems;
use self::copies::Copies;
use self::form::Former;
pub use self::kept::{LayeredCount, LayersHead, LayersSurvey};
use self::layers::Layers;
use self::memo::Memo;
pub(super) use self::method::METHOD;
pub(crate) use self::spread::FormLayers;
use self::tables::PartTables;
use self::twins::Twins;
use self::walk::{FormWalk, Profile};
pub(crate) use self::whole::{SharedForms, form_of};
use crate::methods::forecast::Forecast;
use crate::methods::together::{HELPERS_MAX, TOGETHER, Worker as _, until_one_is_done};
use crate::parallel::{Cores, lock};
use crate::portfolio::{Budget, Cut};
use crate::prepare::Weighted;

/// Least mean size of the color classes; below it the method declines the part.
const LIKENESS_MIN: f64 = 2.0;

/// The work of walks before the count goes on forwards: what is over by then is hardly slower than it would be forwards.
const BACKWARDS: u64 = 3_000_000_000;

/// The largest power by which its progress is taken to grow: where items are alike the first branch of a problem takes
/// nearly all of its work.
const POWER_MAX: f64 = 16.0;

/// The work of an entry and of an item for each set of items that may be left, where twins leave few.
const SET_ENTRY: f64 = 20.0;
const SET_ITEM: f64 = 700.0;

/// The work of an entry while a part is read, in steps of about a nanosecond.
const SETUP_WORK: u64 = 100;

/// Counts a part by branching, with a memo in which isomorphic problems are one.
///
/// It can be cut by work or a limit at any time and goes on when it is run again.
#[derive(Debug)]
pub(crate) struct Symmetry {
    ground: Ground,
    likeness: f64,
    /// About the most work, if twins leave so few sets of items that this can be told.
    work_max: Option<f64>,
    forecast: Forecast,
    /// The walk of the caller's thread, and those of others.
    first: FormWalk,
    others: Vec<FormWalk>,
    cores: Arc<Cores>,
    /// The work before others are called to help, and before the count goes on forwards.
    alone: u64,
    backwards: u64,
    /// Whether the count is to be kept: then it does not go back where there is no room to go forwards.
    keeps: bool,
    /// The count forwards, once there is one.
    layers: Option<Layers>,
    total: Option<BigUint>,
}

/// What all walks of a count have in common.
#[derive(Debug)]
struct Ground {
    tables: Arc<PartTables>,
    twins: Arc<Twins>,
    copies: Arc<Copies>,
    /// By item: its place in the order of branching.
    places: Arc<[u32]>,
    /// Numbers of covers by the set of items left.
    sets_seen: Memo,
    /// Numbers of covers by form.
    forms_seen: Memo,
    /// Problems that a walk is in, where there may be several.
    begun: BegunProblems,
    /// What forms cost and save, by the number of primary items left.
    profiles: Vec<Mutex<Profile>>,
    /// Whether there may be several walks.
    is_shared: bool,
}

impl Ground {
    /// Returns the same ground for walks of their own, which know nothing yet, with so many bytes for their memos.
    fn afresh(&self, bytes: usize) -> Self {
        let ground = Self {
            tables: Arc::clone(&self.tables),
            twins: Arc::clone(&self.twins),
            copies: Arc::clone(&self.copies),
            places: Arc::clone(&self.places),
            sets_seen: Memo::default(),
            forms_seen: Memo::default(),
            begun: BegunProblems::default(),
            profiles: self.profiles.iter().map(|_| Mutex::default()).collect(),
            is_shared: false,
        };
        ground.sets_seen.limit(bytes / 4);
        ground.forms_seen.limit(bytes / 4 * 3);
        ground
    }
}

impl Symmetry {
    /// Reads a part; it is unsuited if it has bounds or colors, or if its items differ too much. Those of `cores` that
    /// are idle will help to count it.
    pub(crate) fn new(
        part: &Weighted,
        cores: &Arc<Cores>,
        budget: &mut Budget<'_>,
    ) -> Result<Self, Cut> {
        let symmetry = Self::any(part, cores, budget)?;
        if symmetry.likeness < LIKENESS_MIN { Err(Cut::Unsuited) } else { Ok(symmetry) }
    }

    /// Reads a part, however little its items are alike.
    fn any(part: &Weighted, cores: &Arc<Cores>, budget: &mut Budget<'_>) -> Result<Self, Cut> {
        budget.spend(SETUP_WORK * part.problem.entry_count() as u64)?;
        let tables = PartTables::new(part).ok_or(Cut::Unsuited)?;
        if tables.bytes() > budget.bytes {
            return Err(Cut::Memory);
        }
        budget.spend(tables.bytes() as u64)?;
        let options: Vec<u32> = tables.options().collect();
        let mut former = Former::new(&tables);
        former.load_plain(&tables, &options);
        let colors = former.colors();
        let likes = colors.chunk_by(|a, b| a.0 == b.0).map(|cell| cell.len().pow(2)).sum::<usize>();
        let twins = Twins::new(&tables, &colors, budget)?;
        let work_max = twins.set_count(&tables, budget)?.map(|sets| sets as f64 * work_of_set(&tables));
        let neighbors = order::neighbors(&tables, budget)?;
        let mut places = order::places(&tables, &neighbors, &Copies::none(&tables), budget)?;
        let copies = Copies::new(&tables, &colors, &places, budget)?;
        if !copies.is_empty() {
            places = order::places(&tables, &neighbors, &copies, budget)?;
        }
        let ground = Ground {
            twins: Arc::new(twins),
            copies: Arc::new(copies),
            places: places.into(),
            sets_seen: Memo::default(),
            forms_seen: Memo::default(),
            begun: BegunProblems::default(),
            profiles: (0..=tables.item_count).map(|_| Mutex::default()).collect(),
            is_shared: false,
            tables: Arc::new(tables),
        };
        Ok(Self {
            first: FormWalk::new(&ground, 0),
            ground,
            likeness: likes as f64 / colors.len().max(1) as f64,
            work_max,
            others: Vec::new(),
            cores: Arc::clone(cores),
            forecast: Forecast::new(POWER_MAX),
            alone: TOGETHER,
            backwards: BACKWARDS,
            keeps: false,
            layers: None,
            total: None,
        })
    }

    /// Returns the mean size of the color classes: the larger, the more this method saves.
    pub(crate) fn likeness(&self) -> f64 {
        self.likeness
    }

    /// Returns the share of the items that have a twin.
    pub(crate) fn twin_share(&self) -> f64 {
        self.ground.twins.item_count() as f64 / self.ground.tables.item_count.max(1) as f64
    }

    /// Returns how many times the work so far is left, as far as its progress tells; `None` before that has grown, or once
    /// the count goes forwards.
    pub(crate) fn times_left(&self) -> Option<f64> {
        let (work, fraction) = (self.first.work() as f64, self.first.fraction());
        let total = self.forecast.total(work, fraction).filter(|_| self.layers.is_none());
        total.map(|total| total / work - 1.0)
    }

    /// Returns about the work that is left at most, if twins leave so few sets of items that this can be told, and if it
    /// has not done more.
    pub(crate) fn work_left(&self) -> Option<f64> {
        self.work_max.map(|most| most - self.first.work() as f64).filter(|&left| left > 0.0)
    }

    /// Returns the part of the tree that is done, as if all branches of a problem were alike.
    pub(crate) fn fraction(&self) -> f64 {
        self.first.fraction()
    }

    /// Returns how many copies there are, sets of items that change places as wholes.
    pub(crate) fn copy_count(&self) -> usize {
        self.ground.copies.len()
    }

    /// Returns how many forms are remembered.
    pub(crate) fn form_count(&self) -> usize {
        self.ground.forms_seen.len()
    }

    fn walks(&self) -> impl Iterator<Item = &FormWalk> {
        std::iter::once(&self.first).chain(&self.others)
    }

    /// Returns the number of problems that were looked at, and of their options that were tried.
    pub(crate) fn effort(&self) -> (u64, u64) {
        let add = |sum: (u64, u64), walk: &FormWalk| (sum.0 + walk.problems, sum.1 + walk.tries);
        let (problems, tries) = self.walks().fold((0, 0), add);
        (problems + self.layers.as_ref().map_or(0, Layers::problems), tries)
    }

    /// Returns the bytes that the memos take.
    pub(crate) fn memo_bytes(&self) -> usize {
        let layers = self.layers.as_ref().map_or(0, |layers| layers.bytes(&self.ground));
        self.ground.sets_seen.bytes() + self.ground.forms_seen.bytes() + layers
    }

    /// Returns how many covers are certain by now: the most that a walk knows of.
    pub(crate) fn known(&self) -> BigUint {
        let layers = self.layers.iter().map(Layers::known);
        self.total
            .clone()
            .or_else(|| self.walks().map(FormWalk::known).chain(layers).max())
            .unwrap_or_default()
    }

    /// Counts, or goes on where the last call was cut.
    pub(crate) fn run(&mut self, budget: &mut Budget<'_>) -> Result<BigUint, Cut> {
        if let Some(total) = &self.total {
            return Ok(total.clone());
        }
        let result = self.walk(budget);
        self.forecast.note(self.first.work() as f64, self.first.fraction());
        self.total = result.as_ref().ok().cloned();
        result
    }

    /// Lets the first walk go on alone for a while, then all of them until one has come to the end, and then counts
    /// forwards, if there is room for that.
    fn walk(&mut self, budget: &mut Budget<'_>) -> Result<BigUint, Cut> {
        let own = self.bytes();
        let bytes = budget.bytes.checked_sub(own).ok_or(Cut::Memory)?;
        // The stacks of others may take a quarter.
        let mut most = self.cores.idle().min(HELPERS_MAX).min(bytes / 4 / own.max(1));
        let bytes = bytes - most.max(self.others.len()).saturating_mul(own).min(bytes);
        let limit_memos = |ground: &Ground, bytes: usize| {
            ground.sets_seen.limit(bytes / 4);
            ground.forms_seen.limit(bytes / 4 * 3);
        };
        // Forwards, the memos take less.
        let memo_bytes = bytes / 4;
        limit_memos(&self.ground, if self.layers.is_some() { memo_bytes } else { bytes });
        if most > 0 && budget.work() < self.alone {
            most = 0;
        }
        if self.layers.is_none() && self.first.work() < self.backwards {
            let result = self.walk_backwards(most, self.backwards, budget);
            if self.first.work() < self.backwards || result != Err(Cut::Work) {
                return result;
            }
            let pays = self.ground.profiles.iter().map(|profile| lock(profile).pays());
            self.layers = Some(Layers::new(&self.ground, pays.collect()));
            limit_memos(&self.ground, memo_bytes);
        }
        let Self { ground, cores, layers, .. } = self;
        if let Some(forwards) = layers {
            let kept = budget.bytes;
            budget.bytes = bytes - memo_bytes;
            let result = forwards.run(ground, cores, most, budget);
            budget.bytes = kept;
            match result {
                // The walk backwards may forget.
                Err(Cut::Memory) if !self.keeps => *layers = None,
                result => return result,
            }
        }
        self.walk_backwards(most, u64::MAX, budget)
    }

    /// Lets the walks go on until one has come to the end, or the first one has done so much work.
    fn walk_backwards(
        &mut self,
        most: usize,
        until: u64,
        budget: &mut Budget<'_>,
    ) -> Result<BigUint, Cut> {
        let Self { ground, first, others, cores, alone, .. } = self;
        let mut left = until.saturating_sub(first.work());
        let mut spend = |work| {
            budget.spend(work)?;
            left = left.checked_sub(work).ok_or(Cut::Work)?;
            Ok(())
        };
        if most == 0 && others.is_empty() {
            return first.run(ground, spend);
        }
        if let Some(mut left) = alone.checked_sub(first.work()) {
            let mut is_over = true;
            let result = first.run(ground, |work| {
                spend(work)?;
                is_over = work < left;
                left = left.saturating_sub(work);
                if is_over { Ok(()) } else { Err(Cut::Work) }
            });
            if is_over || result.is_ok() {
                return result;
            }
        }
        if most > 0 && !ground.is_shared {
            ground.is_shared = true;
            first.announce(ground);
        }
        let ground = &*ground;
        let hire = |number| FormWalk::new(ground, number as u32 + 1);
        until_one_is_done(cores, most, others, hire, first, ground, spend)
    }

    /// Returns the bytes that the tables take, and at most the stacks of a walk.
    fn bytes(&self) -> usize {
        let tables = &self.ground.tables;
        let entries =
            tables.bytes() + self.ground.copies.bytes() + 8 * tables.item_count * tables.item_count;
        entries.saturating_mul(2)
    }
}

/// Returns about the most work for a set of items that may be left: there a form is made of what is left, or options are tried.
fn work_of_set(tables: &PartTables) -> f64 {
    let entries: usize = tables.options().map(|option| tables.items(option).len()).sum();
    SET_ENTRY * entries as f64 + SET_ITEM * tables.item_count as f64
}
