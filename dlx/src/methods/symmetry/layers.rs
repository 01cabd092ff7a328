//! Counts layer by layer: a layer has all subproblems of one size, each with the number of ways to
//! reach it.
//!
//! The size of a subproblem is the number of its primary items, which each choice reduces. So when
//! the layer of the largest pending size is processed, the path counts of its subproblems (how many
//! ways lead to each) are final. First the canonical forms of all subproblems of the layer are
//! computed, and the path counts are added per form. Next, one subproblem per form is expanded down
//! to the next sizes where canonical forms pay off, and the resulting subproblems become pending.
//! So each canonical form is expanded once and freed with its layer. A canonical form whose count
//! is in the memo of the depth-first walk is not expanded; its count is multiplied by the number of
//! ways to reach it. The components of a subproblem with several components are counted by a
//! separate walk, if that is short.
//!
//! Tried and dropped: only whole rows of Latin squares as sizes (the first row alone has n!
//! fillings); starting layers earlier (the profile is worse); only one or two sizes within a row
//! (too much memory).

use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use num_bigint::BigUint;

use super::Ground;
use super::copies::RepresentativeCopies;
use super::form::FormBuilder;
use super::number::CoverCount;
use super::walk::{FormWalk, Left};
use super::word_table::{BYTES_PER_ENTRY, WordTable, hash};
use crate::parallel::{Cores, Sharded, beside};
use crate::portfolio::{Budget, Cut};

/// Number of steps of an expansion, after which every remaining subproblem becomes pending.
const EXPANSION_STEPS: u64 = 1 << 14;
/// Work limits for counting components instead of making the subproblem pending: per subproblem,
/// and per expansion.
const COMPONENTS_WORK: u64 = 1 << 20;
const COMPONENTS_WORK_ALL: u64 = 1 << 24;

type WaitingTable = Sharded<WordTable<CoverCount>>;

/// Canonical forms, each with the index of its first subproblem and the number of ways to reach all
/// its subproblems.
type FormTable = Sharded<WordTable<(usize, CoverCount)>>;

/// A pending subproblem: its items, and the number of ways to reach it.
pub(super) type WaitingProblem<'p> = (&'p [u64], &'p CoverCount);

type VisitWaiting<'v> = dyn FnMut(&[u64], &CoverCount) -> Result<(), String> + 'v;

#[derive(Debug)]
pub(super) struct Layers {
    pays: Vec<bool>,
    waiting: Vec<OnceLock<WaitingTable>>,
    room: LayerRoom,
    stage: LayerStage,
    size: usize,
    lead: LayerWorker,
    helpers: Vec<LayerWorker>,
}

#[derive(Debug, Default)]
struct LayerRoom {
    waiting: AtomicUsize,
    form_words: AtomicUsize,
}

impl LayerRoom {
    fn bytes(&self, ground: &Ground, at_hand: usize) -> usize {
        let problem = BYTES_PER_ENTRY + 8 * ground.tables.word_count;
        (self.waiting.load(Relaxed) + at_hand) * problem + 8 * self.form_words.load(Relaxed)
    }
}

#[derive(Debug)]
enum LayerStage {
    Forms { problems: Problems, next: AtomicUsize, forms: FormTable },
    Expansions { problems: Problems, next: AtomicUsize },
}

#[derive(Debug)]
struct Problems {
    word_count: usize,
    sets: Vec<u64>,
    ways: Vec<CoverCount>,
}

impl Problems {
    fn new(ground: &Ground) -> Self {
        Self { word_count: ground.tables.word_count, sets: Vec::new(), ways: Vec::new() }
    }

    fn len(&self) -> usize {
        self.ways.len()
    }

    fn push(&mut self, set: &[u64], ways: CoverCount) {
        self.sets.extend_from_slice(set);
        self.ways.push(ways);
    }

    fn set(&self, place: usize) -> &[u64] {
        &self.sets[place * self.word_count..][..self.word_count]
    }

    fn get(&self, place: usize) -> Option<WaitingProblem<'_>> {
        self.ways.get(place).map(|ways| (self.set(place), ways))
    }
}

#[derive(Debug)]
pub(super) struct LayerWorker {
    former: FormBuilder,
    walk: FormWalk,
    below: FormWalk,
    options: Vec<u32>,
    standing: RepresentativeCopies,
    settled: Vec<u64>,
    total: CoverCount,
    problems: u64,
}

impl Layers {
    /// Starts with the whole part. Subproblems become pending at the sizes in `pays`.
    pub(super) fn new(ground: &Ground, pays: Vec<bool>) -> Self {
        let mut problems = Problems::new(ground);
        problems.push(&ground.tables.all_items(), CoverCount::ONE);
        Self {
            waiting: pays.iter().map(|_| OnceLock::new()).collect(),
            size: pays.len() - 1,
            pays,
            room: LayerRoom::default(),
            stage: LayerStage::Expansions { problems, next: AtomicUsize::new(0) },
            lead: LayerWorker::new(ground),
            helpers: Vec::new(),
        }
    }

    /// Creates a count with `covers` covers so far. The caller adds the pending subproblems by
    /// [`Self::wait`].
    pub(super) fn resumed(ground: &Ground, pays: Vec<bool>, covers: &BigUint) -> Self {
        let mut lead = LayerWorker::new(ground);
        lead.total = CoverCount::from(covers.clone());
        Self {
            waiting: pays.iter().map(|_| OnceLock::new()).collect(),
            size: pays.len(),
            pays,
            room: LayerRoom::default(),
            stage: LayerStage::Expansions {
                problems: Problems::new(ground),
                next: AtomicUsize::new(0),
            },
            lead,
            helpers: Vec::new(),
        }
    }

    pub(super) fn wait(&mut self, ground: &Ground, set: &[u64], ways: &CoverCount) {
        let primaries = set.iter().zip(&ground.tables.primaries);
        let size = primaries.map(|(set, primary)| (set & primary).count_ones() as usize).sum::<usize>();
        wait(&self.waiting, &self.room, set, size, ways);
    }

    /// Visits each subproblem that is not expanded yet, with the number of ways to reach it, until
    /// `visit` returns an error. The visited subproblems are the pending ones and the rest of the
    /// current layer. Subproblems with known canonical forms are visited once per form.
    pub(super) fn each_waiting(&self, visit: &mut VisitWaiting<'_>) -> Result<(), String> {
        let (problems, next, forms) = match &self.stage {
            LayerStage::Forms { problems, next, forms } => (problems, next, Some(forms)),
            LayerStage::Expansions { problems, next } => (problems, next, None),
        };
        let mut left = (next.load(Relaxed)..).map_while(|place| problems.get(place));
        left.try_for_each(|(set, ways)| visit(set, ways))?;
        for table in forms.iter().flat_map(|forms| forms.each()) {
            table.iter().try_for_each(|(_, (place, ways))| visit(problems.set(*place), ways))?;
        }
        for table in self.waiting.iter().filter_map(OnceLock::get).flat_map(Sharded::each) {
            table.iter().try_for_each(|(set, ways)| visit(set, ways))?;
        }
        Ok(())
    }

    pub(super) fn problem_count(&self) -> usize {
        let (problems, next, forms) = match &self.stage {
            LayerStage::Forms { problems, next, forms } => {
                (problems, next, forms.each().map(|table| table.len()).sum())
            }
            LayerStage::Expansions { problems, next } => (problems, next, 0),
        };
        problems.len().saturating_sub(next.load(Relaxed)) + forms + self.room.waiting.load(Relaxed)
    }

    pub(super) fn size(&self) -> usize {
        self.size
    }

    pub(super) fn pays(&self) -> &[bool] {
        &self.pays
    }

    pub(super) fn known(&self) -> BigUint {
        self.workers().map(|worker| BigUint::from(&worker.total)).sum()
    }

    pub(super) fn problems(&self) -> u64 {
        self.workers().map(|worker| worker.problems).sum()
    }

    fn workers(&self) -> impl Iterator<Item = &LayerWorker> {
        std::iter::once(&self.lead).chain(&self.helpers)
    }

    pub(super) fn bytes(&self, ground: &Ground) -> usize {
        let at_hand = match &self.stage {
            LayerStage::Forms { problems, .. } | LayerStage::Expansions { problems, .. } => {
                problems.len()
            }
        };
        self.room.bytes(ground, at_hand)
    }

    pub(super) fn run(
        &mut self,
        ground: &Ground,
        cores: &Arc<Cores>,
        most: usize,
        budget: &mut Budget<'_>,
    ) -> Result<BigUint, Cut> {
        loop {
            self.work(ground, cores, most, budget)?;
            let Self { stage, size, waiting, room, .. } = self;
            let mut next = Problems::new(ground);
            if let LayerStage::Forms { problems, forms, .. } = stage {
                for mut table in forms.each() {
                    let table = mem::take(&mut *table);
                    table
                        .iter()
                        .for_each(|(_, (place, ways))| next.push(problems.set(*place), ways.clone()));
                }
                room.form_words.store(0, Relaxed);
                *stage = LayerStage::Expansions { problems: next, next: AtomicUsize::new(0) };
                continue;
            }
            let table = loop {
                let Some(smaller) = size.checked_sub(1) else { return Ok(self.known()) };
                *size = smaller;
                if let Some(table) = waiting[smaller].take() {
                    break table;
                }
            };
            for mut table in table.each() {
                let table = mem::take(&mut *table);
                table.iter().for_each(|(set, ways)| next.push(set, ways.clone()));
            }
            room.waiting.fetch_sub(next.len(), Relaxed);
            let forms = Sharded::new(WordTable::default);
            *stage = LayerStage::Forms { problems: next, next: AtomicUsize::new(0), forms };
        }
    }

    fn work(
        &mut self,
        ground: &Ground,
        cores: &Arc<Cores>,
        most: usize,
        budget: &mut Budget<'_>,
    ) -> Result<(), Cut> {
        let Self { stage, pays, waiting, room, lead, helpers, .. } = self;
        let (problems, next) = match &*stage {
            LayerStage::Forms { problems, next, .. } | LayerStage::Expansions { problems, next } => {
                (problems, next)
            }
        };
        let wait =
            |set: &[u64], size: usize, number: &CoverCount| wait(waiting, room, set, size, number);
        let one =
            |worker: &mut LayerWorker, (place, problem): (usize, WaitingProblem<'_>)| match &*stage {
                LayerStage::Forms { forms, .. } => worker.form(ground, place, problem, forms, room),
                LayerStage::Expansions { .. } => worker.expand(ground, problem, pays, &wait),
            };
        let take = || {
            let place = next.fetch_add(1, Relaxed);
            problems.get(place).map(|problem| (place, problem))
        };
        let most = most.min(problems.len().saturating_sub(next.load(Relaxed)) / 64);
        beside(
            cores,
            most,
            helpers,
            |_| LayerWorker::new(ground),
            |worker, flag| {
                while !flag.load(Relaxed)
                    && let Some(problem) = take()
                {
                    one(worker, problem);
                }
            },
            |_| {
                while let Some(problem) = take() {
                    let work = one(lead, problem);
                    budget.spend(work)?;
                    if room.bytes(ground, problems.len()) > budget.bytes {
                        return Err(Cut::Memory);
                    }
                }
                Ok(())
            },
        )
    }
}

/// Adds a pending subproblem with `size` primary items that can be reached in `ways` ways.
fn wait(
    waiting: &[OnceLock<WaitingTable>],
    room: &LayerRoom,
    set: &[u64],
    size: usize,
    ways: &CoverCount,
) {
    let table = waiting[size].get_or_init(|| Sharded::new(WordTable::default));
    let mut table = table.at(hash(set));
    let (sum, is_new) = table.enter(set, || CoverCount::ZERO);
    sum.add(ways);
    if is_new {
        room.waiting.fetch_add(1, Relaxed);
    }
}

impl LayerWorker {
    pub(super) fn new(ground: &Ground) -> Self {
        Self {
            former: FormBuilder::new(&ground.tables),
            walk: FormWalk::new(ground, 0),
            below: FormWalk::new(ground, 0),
            options: Vec::new(),
            standing: ground.copies.standing(&ground.tables),
            settled: Vec::new(),
            total: CoverCount::ZERO,
            problems: 0,
        }
    }

    /// Computes the canonical form of the subproblem at index `place`. If the memo has the count of
    /// the form, adds the covers to the total; otherwise adds the number of ways to the entry of
    /// the form. Returns the work.
    fn form(
        &mut self,
        ground: &Ground,
        place: usize,
        (set, number): WaitingProblem<'_>,
        forms: &FormTable,
        room: &LayerRoom,
    ) -> u64 {
        let (total, (form, work)) = self.split_form(ground, set);
        if let Some(known) = ground.forms_seen.get(form) {
            let mut covers = number.clone();
            covers.multiply(&known);
            total.add(&covers);
        } else {
            let mut table = forms.at(hash(form));
            let ((_, sum), is_new) = table.enter(form, || (place, CoverCount::ZERO));
            sum.add(number);
            if is_new {
                room.form_words.fetch_add(form.len() + BYTES_PER_ENTRY / 8, Relaxed);
            }
        }
        work
    }

    pub(super) fn form_of(&mut self, ground: &Ground, set: &[u64]) -> (&[u64], u64) {
        self.split_form(ground, set).1
    }

    fn split_form(&mut self, ground: &Ground, set: &[u64]) -> (&mut CoverCount, (&[u64], u64)) {
        let work = self.load(ground, set);
        self.former.load(&ground.tables, &ground.copies, &self.standing, &self.options);
        self.former.form(&ground.tables);
        let work = work + mem::take(&mut self.former.work);
        (&mut self.total, (self.former.last(), work))
    }

    pub(super) fn covers(&self) -> &CoverCount {
        &self.total
    }

    /// Expands a subproblem. Passes the resulting subproblems to `wait`, and adds covers to the
    /// total. Returns the work.
    pub(super) fn expand(
        &mut self,
        ground: &Ground,
        (set, number): WaitingProblem<'_>,
        pays: &[bool],
        wait: &dyn Fn(&[u64], usize, &CoverCount),
    ) -> u64 {
        let work = self.load(ground, set);
        let Self { walk, below, options, settled, total, .. } = self;
        let (work_before, work_below) = (walk.work(), below.work());
        let mut steps = 0;
        walk.expand(ground, options, set, &mut |left, factor| {
            steps += 1;
            let mut ways = number.clone();
            ways.multiply(factor);
            let (set, size) = match left {
                Left::Nothing => {
                    total.add(&ways);
                    return false;
                }
                Left::Connected { set, size } if pays[size] || steps > EXPANSION_STEPS => (set, size),
                Left::Connected { .. } => return true,
                Left::Components { set, size, options } => {
                    let spent = below.work() - work_below;
                    let most = COMPONENTS_WORK.min(COMPONENTS_WORK_ALL.saturating_sub(spent));
                    if let Some(covers) = below.count_below(ground, options, set, most) {
                        ways.multiply(&covers);
                        total.add(&ways);
                        return false;
                    }
                    (set, size)
                }
            };
            settled.clear();
            settled.extend_from_slice(set);
            ground.twins.settle(settled);
            wait(settled, size, &ways);
            false
        });
        (walk.work() - work_before) + (below.work() - work_below) + work
    }

    fn load(&mut self, ground: &Ground, set: &[u64]) -> u64 {
        let tables = &ground.tables;
        self.problems += 1;
        self.options.clear();
        ground.copies.add_options(tables, set, &mut self.standing, &mut self.options)
    }
}
