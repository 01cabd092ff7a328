//! Counting forwards: all problems of a size at once, each form with the number of ways to come to it.
//!
//! The problems that wait are sorted by their number of primary items, their size; a choice makes a problem smaller. So when
//! those of the largest size are taken, each has its final number. First their forms are made, and the numbers of equal ones
//! added; then one problem of each form is expanded: option by option, down to the next size at which forms pay, and what is
//! there waits in turn. So each form is expanded once, and forgotten with its size: the memo of the walk backwards keeps all of
//! them. What the memo knows by then is multiplied instead; which sizes pay was learned by the walk as well. Problems
//! that fall into components are counted by a walk of their own, if that is short.
//!
//! All that is done with the problems of a size is done side by side: their forms, and then their expansions.
//!
//! Measured: Latin squares of order 9 take 97 s of processor time (AMD EPYC, Zen 3) and 0.8 GB. Of 5 million forms half are of
//! 2.7 million problems in which row 5 lacks two cells; after row 4 there are 346,000 problems and 2,294 forms, after row 5
//! 650,000. Before rows stood for each other it was 307 s and 3.2 GB on two cores, and by the walk alone 696 s and 11.5 GB.
//! Tried and dropped: only whole rows of Latin squares as sizes, ten times as long, for the first row has n! ways; to go
//! forwards after a third of the work of walks, which learns less of which sizes pay: 1.3 times as long, 1.1 GB; in row 5 only
//! one size or two before it is whole, which ended at a memory limit of 1.6 GB.

use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use num_bigint::BigUint;

use super::Ground;
use super::copies::Standing;
use super::form::Former;
use super::number::CoverCount;
use super::walk::{FormWalk, Left};
use super::word_table::{BYTES_PER_ENTRY, WordTable, hash};
use crate::parallel::{Cores, Sharded, beside};
use crate::portfolio::{Budget, Cut};

/// The steps of an expansion, after which what is left waits at any size.
const EXPANSION_STEPS: u64 = 1 << 14;
/// The work after which a problem that falls into components waits as a whole, and that of all of them in an expansion.
const COMPONENTS_WORK: u64 = 1 << 20;
const COMPONENTS_WORK_ALL: u64 = 1 << 24;

/// Problems that wait, by their items, with the number of ways to come to each.
type WaitingTable = Sharded<WordTable<CoverCount>>;

/// Forms, each with the place of the first problem that has it, and the ways to all problems that have it.
type FormTable = Sharded<WordTable<(usize, CoverCount)>>;

/// A problem that waits: its items, and the number of ways to come to it.
pub(super) type WaitingProblem<'p> = (&'p [u64], &'p CoverCount);

/// Is told of a problem that waits: its items, and the number of ways to come to it; and may fail.
type VisitWaiting<'v> = dyn FnMut(&[u64], &CoverCount) -> Result<(), String> + 'v;

/// A count forwards. It can be cut between two problems, and goes on where it was.
#[derive(Debug)]
pub(super) struct Layers {
    /// Which sizes problems wait at.
    pays: Vec<bool>,
    /// By size: the problems that wait, by their items.
    waiting: Vec<OnceLock<WaitingTable>>,
    room: LayerRoom,
    stage: LayerStage,
    /// The size at hand.
    size: usize,
    lead: LayerWorker,
    helpers: Vec<LayerWorker>,
}

/// What takes memory: how many problems wait, and the words of the forms of the size at hand.
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

/// What is being done with the problems of a size.
#[derive(Debug)]
enum LayerStage {
    /// Their forms are made, from the given place on.
    Forms { problems: Problems, next: AtomicUsize, forms: FormTable },
    /// One of each form is expanded.
    Expansions { problems: Problems, next: AtomicUsize },
}

/// Problems that wait, one behind the other.
#[derive(Debug)]
struct Problems {
    /// The words of a set of items.
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

/// What one thread needs.
#[derive(Debug)]
pub(super) struct LayerWorker {
    former: Former,
    /// What expands, and what counts components.
    walk: FormWalk,
    below: FormWalk,
    options: Vec<u32>,
    standing: Standing,
    /// A set of items in which twins are replaced by the first of their class.
    settled: Vec<u64>,
    /// The covers that were come to.
    total: CoverCount,
    problems: u64,
}

impl Layers {
    /// Begins with the whole part, at those sizes at which forms are known to pay, or nothing is known.
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

    /// Goes on with a count that has come to so many covers; what waits is still to be told.
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

    /// Lets a problem wait to which there are so many ways.
    pub(super) fn wait(&mut self, ground: &Ground, set: &[u64], ways: &CoverCount) {
        let primaries = set.iter().zip(&ground.tables.primaries);
        let size = primaries.map(|(set, primary)| (set & primary).count_ones() as usize).sum::<usize>();
        wait(&self.waiting, &self.room, set, size, ways);
    }

    /// Visits each problem that is not expanded yet, with the ways to it, until `visit` fails: those that wait, and of the
    /// size at hand what is left. Of problems whose form was made those come that stand for it.
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

    /// Returns how many problems are not expanded yet, as [`Self::each_waiting`] visits them.
    pub(super) fn problem_count(&self) -> usize {
        let (problems, next, forms) = match &self.stage {
            LayerStage::Forms { problems, next, forms } => {
                (problems, next, forms.each().map(|table| table.len()).sum())
            }
            LayerStage::Expansions { problems, next } => (problems, next, 0),
        };
        problems.len().saturating_sub(next.load(Relaxed)) + forms + self.room.waiting.load(Relaxed)
    }

    /// Returns the size at hand.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// Returns which sizes problems wait at.
    pub(super) fn pays(&self) -> &[bool] {
        &self.pays
    }

    /// Returns the covers that were come to.
    pub(super) fn known(&self) -> BigUint {
        self.workers().map(|worker| BigUint::from(&worker.total)).sum()
    }

    /// Returns the number of problems whose forms were made or that were expanded.
    pub(super) fn problems(&self) -> u64 {
        self.workers().map(|worker| worker.problems).sum()
    }

    fn workers(&self) -> impl Iterator<Item = &LayerWorker> {
        std::iter::once(&self.lead).chain(&self.helpers)
    }

    /// Returns about the bytes that problems and forms take.
    pub(super) fn bytes(&self, ground: &Ground) -> usize {
        let at_hand = match &self.stage {
            LayerStage::Forms { problems, .. } | LayerStage::Expansions { problems, .. } => {
                problems.len()
            }
        };
        self.room.bytes(ground, at_hand)
    }

    /// Counts, or goes on where it was cut, with at most `most` of `cores` that are idle.
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

    /// Goes through all problems of the stage at hand.
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
        // Who is told to end finishes what it has begun.
        let take = || {
            let place = next.fetch_add(1, Relaxed);
            problems.get(place).map(|problem| (place, problem))
        };
        // The last one of a stage would wait for a thread that starts.
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

/// Lets a problem of that size wait, to which there are so many ways.
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
            former: Former::new(&ground.tables),
            walk: FormWalk::new(ground, 0),
            below: FormWalk::new(ground, 0),
            options: Vec::new(),
            standing: ground.copies.standing(&ground.tables),
            settled: Vec::new(),
            total: CoverCount::ZERO,
            problems: 0,
        }
    }

    /// Makes the form of the problem at `place`, and adds its number to those of the same form, or the covers to the total if
    /// the memo knows how many it has. Returns the work.
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

    /// Returns the form of a problem, and the work.
    pub(super) fn form_of(&mut self, ground: &Ground, set: &[u64]) -> (&[u64], u64) {
        self.split_form(ground, set).1
    }

    /// Does what [`Self::form_of`] does, and returns the covers that were come to beside it.
    fn split_form(&mut self, ground: &Ground, set: &[u64]) -> (&mut CoverCount, (&[u64], u64)) {
        let work = self.load(ground, set);
        self.former.load(&ground.tables, &ground.copies, &self.standing, &self.options);
        self.former.form(&ground.tables);
        let work = work + mem::take(&mut self.former.work);
        (&mut self.total, (self.former.last(), work))
    }

    /// Returns the covers that were come to.
    pub(super) fn covers(&self) -> &CoverCount {
        &self.total
    }

    /// Expands a problem, lets what is left of it wait, and adds covers to the total. Returns the work.
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

    /// Puts the options of a problem in order. Returns the work.
    fn load(&mut self, ground: &Ground, set: &[u64]) -> u64 {
        let tables = &ground.tables;
        self.problems += 1;
        self.options.clear();
        ground.copies.add_options(tables, set, &mut self.standing, &mut self.options)
    }
}
