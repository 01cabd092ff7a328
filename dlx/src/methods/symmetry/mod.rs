//! Counts covers with a memo, where isomorphic subproblems share an entry.
//!
//! A branch chooses an option of an item and leaves a subproblem: the uncovered items, and the
//! options within them. Forced options are chosen at once. Independent components are counted
//! separately, and their counts are multiplied. Each connected subproblem is looked up by its set
//! of items, where twins are replaced by the first items of their class. Otherwise, it is looked up
//! by its canonical [form](form), which isomorphic subproblems share. Partial Latin squares that
//! differ only in the order or the roles of rows, columns and symbols have the same canonical form.
//!
//! Computing a canonical form takes some ten microseconds, which pays off only where subproblems
//! recur. The counter learns per size (number of primary items left) where subproblems recur. Forms
//! are computed where the hit rate times the work of a miss exceeds the work of computing a
//! canonical form, and occasionally elsewhere. Keys are compared in full, so a hash collision
//! cannot change a count.
//!
//! Some sets of items can be exchanged as a whole, such as the rows of a Latin square. One of these
//! [copies] represents the others, in canonical forms and in the walk.
//!
//! The search branches on an item with the fewest options. Ties are broken by an [order](order)
//! that finishes started regions.
//!
//! Idle cores run more walks (`walk.rs`) on the same memos. Each walk takes options and components
//! in a different order, so that two walks in the same subproblem soon get memo hits from each
//! other. A walk that reaches a subproblem isomorphic to the current one of another walk continues
//! with the item names of that walk ([begun](begun)), so that both walks branch alike.
//!
//! A count longer than some seconds continues layer by layer (`layers.rs`) with the profile learned
//! so far. Layers need far less memory than the walks and keep all cores busy.
//!
//! Tried and dropped: separate names or profiles per walk; ignoring hits on entries of other walks
//! in the profile; four canonical forms per subproblem with different items singled out; the static
//! order alone; fewest options, then the fewest options nearby. All took more work on some
//! problems.
//!
//! Limits: problems with colors or bounds are refused. Twins, copies, layers and keys identify a
//! subproblem by its uncovered items, but the options that remain after a choice also depend on the
//! color that each purified item got. A colored item would need three states (free, purified,
//! covered) and one vertex per color in the canonical form, tied to its item; the item and its
//! colors would then be permuted together.
//!
//! Sources: the memo after Nishino, Yasuda, Minato and Nagata (AAAI 2017); canonical forms by color
//! refinement and individualization, McKay, Practical graph isomorphism (1981).
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
use self::form::FormBuilder;
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
use crate::methods::together::{HELPERS_MAX, TOGETHER, Worker as _, race_workers};
use crate::parallel::{Cores, lock};
use crate::portfolio::{Budget, Cut};
use crate::prepare::Weighted;

/// Minimum mean size of the color classes of an accepted part.
const LIKENESS_MIN: f64 = 2.0;

/// Work of the depth-first walk before the count continues by layers (ns). Shorter counts gain
/// little from layers.
const BACKWARDS: u64 = 3_000_000_000;

/// Maximum exponent of the progress forecast. With many isomorphic items, the first branch of a
/// subproblem takes nearly all of its work.
const POWER_MAX: f64 = 16.0;

/// Work per entry and per item for each reachable item set (ns), if merging interchangeable items
/// leaves only a few sets.
const SET_ENTRY: f64 = 20.0;
const SET_ITEM: f64 = 700.0;

const SETUP_WORK: u64 = 100;

/// Counts a part with a memo, where isomorphic subproblems share an entry. The count can be
/// interrupted and resumed at any time.
#[derive(Debug)]
pub(crate) struct Symmetry {
    ground: Ground,
    likeness: f64,
    /// Approximate upper bound of the work, if merging interchangeable items leaves only a few item
    /// sets.
    work_max: Option<f64>,
    forecast: Forecast,
    first: FormWalk,
    others: Vec<FormWalk>,
    cores: Arc<Cores>,
    /// Work before helpers join the count, and before it continues by layers (ns).
    alone: u64,
    backwards: u64,
    /// Whether the count will be saved. A count to be saved fails for lack of memory instead of
    /// returning to the depth-first walk.
    keeps: bool,
    layers: Option<Layers>,
    total: Option<BigUint>,
}

#[derive(Debug)]
struct Ground {
    tables: Arc<PartTables>,
    twins: Arc<Twins>,
    copies: Arc<Copies>,
    places: Arc<[u32]>,
    sets_seen: Memo,
    forms_seen: Memo,
    /// The current subproblems of all walks, if there may be several walks.
    begun: BegunProblems,
    /// Cost and benefit of computing canonical forms, by the number of primary items left.
    profiles: Vec<Mutex<Profile>>,
    is_shared: bool,
}

impl Ground {
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
    /// Reads a part. Fails with `Unsuited` if it has bounds or colors, or if its items differ too
    /// much. The count will use idle `cores`.
    pub(crate) fn new(
        part: &Weighted,
        cores: &Arc<Cores>,
        budget: &mut Budget<'_>,
    ) -> Result<Self, Cut> {
        Self::of_likeness(LIKENESS_MIN, part, cores, budget)
    }

    /// Does the same for parts whose items have at least the given likeness.
    fn of_likeness(
        least: f64,
        part: &Weighted,
        cores: &Arc<Cores>,
        budget: &mut Budget<'_>,
    ) -> Result<Self, Cut> {
        budget.spend(SETUP_WORK * part.problem.entry_count() as u64)?;
        let tables = PartTables::new(part, budget)?;
        budget.spend(tables.bytes() as u64)?;
        let options: Vec<u32> = tables.options().collect();
        let mut former = FormBuilder::new(&tables);
        former.load_plain(&tables, &options);
        let colors = former.colors();
        let likes = colors.chunk_by(|a, b| a.0 == b.0).map(|cell| cell.len().pow(2)).sum::<usize>();
        let likeness = likes as f64 / colors.len().max(1) as f64;
        if likeness < least {
            return Err(Cut::Unsuited);
        }
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
            likeness,
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

    pub(crate) fn likeness(&self) -> f64 {
        self.likeness
    }

    pub(crate) fn twin_share(&self) -> f64 {
        self.ground.twins.item_count() as f64 / self.ground.tables.item_count.max(1) as f64
    }

    /// Returns the forecast of the remaining work, as a multiple of the work so far, or `None` if
    /// there is no forecast or the count runs by layers.
    pub(crate) fn times_left(&self) -> Option<f64> {
        let (work, fraction) = (self.first.work() as f64, self.first.fraction());
        let total = self.forecast.total(work, fraction).filter(|_| self.layers.is_none());
        total.map(|total| total / work - 1.0)
    }

    /// Returns an approximate upper bound of the remaining work, or `None` unless merging
    /// interchangeable items leaves only a few item sets.
    pub(crate) fn work_left(&self) -> Option<f64> {
        self.work_max.map(|most| most - self.first.work() as f64).filter(|&left| left > 0.0)
    }

    /// Returns the searched fraction of the tree, where all branches of a node have equal weights.
    pub(crate) fn fraction(&self) -> f64 {
        self.first.fraction()
    }

    pub(crate) fn copy_count(&self) -> usize {
        self.ground.copies.len()
    }

    pub(crate) fn form_count(&self) -> usize {
        self.ground.forms_seen.len()
    }

    fn walks(&self) -> impl Iterator<Item = &FormWalk> {
        std::iter::once(&self.first).chain(&self.others)
    }

    pub(crate) fn effort(&self) -> (u64, u64) {
        let add = |sum: (u64, u64), walk: &FormWalk| (sum.0 + walk.problems, sum.1 + walk.tries);
        let (problems, tries) = self.walks().fold((0, 0), add);
        (problems + self.layers.as_ref().map_or(0, Layers::problems), tries)
    }

    pub(crate) fn memo_bytes(&self) -> usize {
        let layers = self.layers.as_ref().map_or(0, |layers| layers.bytes(&self.ground));
        self.ground.sets_seen.bytes() + self.ground.forms_seen.bytes() + layers
    }

    pub(crate) fn known(&self) -> BigUint {
        let layers = self.layers.iter().map(Layers::known);
        self.total
            .clone()
            .or_else(|| self.walks().map(FormWalk::known).chain(layers).max())
            .unwrap_or_default()
    }

    pub(crate) fn run(&mut self, budget: &mut Budget<'_>) -> Result<BigUint, Cut> {
        if let Some(total) = &self.total {
            return Ok(total.clone());
        }
        let result = self.walk(budget);
        self.forecast.note(self.first.work() as f64, self.first.fraction());
        self.total = result.as_ref().ok().cloned();
        result
    }

    /// Runs the first walk, adds helpers in long slices, and finally counts by layers if there is
    /// enough memory.
    fn walk(&mut self, budget: &mut Budget<'_>) -> Result<BigUint, Cut> {
        let own = self.bytes();
        let bytes = budget.bytes.checked_sub(own).ok_or(Cut::Memory)?;
        let mut most = self.cores.idle().min(HELPERS_MAX).min(bytes / 4 / own.max(1));
        let bytes = bytes - most.max(self.others.len()).saturating_mul(own).min(bytes);
        let limit_memos = |ground: &Ground, bytes: usize| {
            ground.sets_seen.limit(bytes / 4);
            ground.forms_seen.limit(bytes / 4 * 3);
        };
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
                // The depth-first walk needs less memory, because it can evict entries.
                Err(Cut::Memory) if !self.keeps => *layers = None,
                result => return result,
            }
        }
        self.walk_backwards(most, u64::MAX, budget)
    }

    /// Runs the walks until one finishes, or the first walk has done the work `until`.
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
        race_workers(cores, most, others, hire, first, ground, spend)
    }

    /// Returns the memory of the tables plus an upper bound of the stacks of a walk (bytes).
    fn bytes(&self) -> usize {
        let tables = &self.ground.tables;
        let entries =
            tables.bytes() + self.ground.copies.bytes() + 8 * tables.item_count * tables.item_count;
        entries.saturating_mul(2)
    }
}

fn work_of_set(tables: &PartTables) -> f64 {
    let entries: usize = tables.options().map(|option| tables.items(option).len()).sum();
    SET_ENTRY * entries as f64 + SET_ITEM * tables.item_count as f64
}
