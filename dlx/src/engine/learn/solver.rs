//! The state of a clause-learning search: the assignments with their reasons, and propagation.
//!
//! The trail lists the true literals in assignment order. An assignment updates the items of its
//! option at once. The rivals and clauses of a literal are updated when propagation reaches the
//! literal in the trail.
//!
//! Invariants: `open` of an item is the number of its options that are not rejected, and `taken` is
//! the number that are taken. The first `active_len` of the active items are the items without a
//! taken option. At each decision, propagation has reached the end of the trail, and no clause is
//! unit unless its literal is true. After a flipped decision, or after a clause was asserted at a
//! higher level than its backjump level, a unit clause may be found late, but before all its
//! literals are false.

use super::analysis::Analysis;
use super::clauses::{ClauseId, Clauses};
use super::matrix::{Lit, Matrix};
use crate::model::OptionId;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Antecedent {
    None,
    /// The option is rejected because this conflicting option is taken.
    Rival(u32),
    /// The option is taken because all other options of this item are rejected.
    Item(u32),
    /// The literal is the first of this clause, and its other literals are false.
    Clause(ClauseId),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum FalseClause {
    Rivals(u32, u32),
    Item(u32),
    Clause(ClauseId),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Assignment {
    pub(super) level: u32,
    pub(super) reason: Antecedent,
}

#[derive(Clone, Copy, Debug)]
struct ItemState {
    open: u32,
    /// The number of taken options. An item has at most one, unless its options share a color or an
    /// undetected conflict exists.
    taken: u32,
    place: u32,
    weight: u32,
}

/// The furthest point of a search: the point with the fewest uncovered items and no conflict.
#[derive(Debug)]
struct Furthest {
    active_len: usize,
    options: Vec<u32>,
}

impl Furthest {
    fn new(item_count: usize) -> Self {
        Self { active_len: usize::MAX, options: vec![NONE; item_count] }
    }

    fn note(&mut self, active_len: usize, trail: &[Lit], matrix: &Matrix) {
        self.active_len = active_len;
        for lit in trail.iter().filter(|lit| lit.is_take()) {
            for &item in matrix.primary_of(lit.option()) {
                self.options[item as usize] = lit.option();
            }
        }
    }

    fn clear(&mut self, active_len: usize) {
        self.active_len = active_len;
        self.options.fill(NONE);
    }
}

pub(super) enum StepOutcome {
    Open,
    Solution,
    Exhausted,
    Full,
}

const NONE: u32 = u32::MAX;

const RESTART_UNIT: u64 = 50;
/// Number of conflicts before the first aim is dropped. Each further aim lasts this many conflicts
/// longer than the previous one.
const AIM_UNIT: u64 = if cfg!(test) { 5 } else { 1000 };
const ACTIVITY_GROWTH: f64 = 1.0 / 0.95;
/// Estimated work of an assignment and its undoing (ns), once plus once per primary item of the
/// option.
const ENTRY_WORK: u64 = 15;
const ITEM_WORK: u64 = 5;
const VISIT_WORK: u64 = 13;
pub(super) const LITERAL_WORK: u64 = 19;
const RIVALS_PER_WORK: u64 = 2;
const ACTIVITY_LIMIT: f64 = 1e100;

pub(super) struct ClauseSolver<'m> {
    pub(super) matrix: &'m Matrix,
    pub(super) clauses: Clauses,
    /// The value of each literal: 1 if it is true, -1 if it is false, 0 if it is open.
    values: Vec<i8>,
    pub(super) assignments: Vec<Assignment>,
    pub(super) trail: Vec<Lit>,
    head: usize,
    pub(super) levels: Vec<u32>,
    /// The number of systematic levels, where one side of each decision has been searched.
    fixed: usize,
    items: Vec<ItemState>,
    active: Vec<u32>,
    active_len: usize,
    last: Vec<u32>,
    aim: Furthest,
    aims: u64,
    aim_until: u64,
    /// Items with one open option. Some of these items may have been covered since.
    forced: Vec<u32>,
    emptied: Option<u32>,
    activities: Vec<f64>,
    increment: f64,
    pub(super) conflicts: u64,
    restarts: u64,
    restart_at: u64,
    pub(super) updates: u64,
    /// The estimated work (ns), which is the same on every machine.
    pub(super) work: u64,
    cover: Vec<OptionId>,
    given_count: usize,
    pub(super) analysis: Analysis,
}

impl<'m> ClauseSolver<'m> {
    pub(super) fn new(matrix: &'m Matrix, seed: u64) -> Self {
        let count = matrix.option_count();
        let mut random = seed ^ 0x9E37_79B9_7F4A_7C15;
        let activities = (0..count).map(|_| xorshift(&mut random) as f64 / u64::MAX as f64 / 1024.0);
        let mut items: Vec<ItemState> = (0..matrix.item_count() as u32)
            .map(|item| ItemState {
                open: matrix.options_of(item).len() as u32,
                taken: 0,
                place: NONE,
                weight: 1,
            })
            .collect();
        for (place, &item) in matrix.primary().iter().enumerate() {
            items[item as usize].place = place as u32;
        }
        Self {
            matrix,
            clauses: Clauses::new(2 * count),
            values: vec![0; 2 * count],
            assignments: vec![Assignment { level: 0, reason: Antecedent::None }; count],
            trail: Vec::with_capacity(count),
            head: 0,
            levels: Vec::new(),
            fixed: 0,
            items,
            active: matrix.primary().to_vec(),
            active_len: matrix.primary().len(),
            last: vec![NONE; matrix.item_count()],
            aim: Furthest::new(matrix.item_count()),
            aims: 0,
            aim_until: AIM_UNIT,
            forced: Vec::new(),
            emptied: None,
            activities: activities.collect(),
            increment: 1.0,
            conflicts: 0,
            restarts: 0,
            restart_at: RESTART_UNIT,
            updates: 0,
            work: ENTRY_WORK * matrix.entry_count() as u64,
            cover: Vec::new(),
            given_count: 0,
            analysis: Analysis::new(count),
        }
    }

    pub(super) fn begin(&mut self, given: &[OptionId]) -> bool {
        for &option in given {
            let lit = Lit::take(option.index() as u32);
            if !self.is_true(lit) {
                self.assign(lit, Antecedent::None);
                self.cover.push(option);
            }
        }
        self.given_count = self.cover.len();
        for &item in self.matrix.primary() {
            match self.items[item as usize].open {
                0 => return false,
                1 => self.forced.push(item),
                _ => {}
            }
        }
        true
    }

    pub(super) fn level(&self) -> usize {
        self.levels.len()
    }

    fn is_true(&self, lit: Lit) -> bool {
        self.values[lit.index()] > 0
    }

    #[inline]
    fn assign(&mut self, lit: Lit, reason: Antecedent) {
        self.values[lit.index()] = 1;
        self.values[(!lit).index()] = -1;
        let level = self.levels.len() as u32;
        self.assignments[lit.option() as usize] = Assignment { level, reason };
        self.trail.push(lit);
        self.updates += 1;
        let matrix = self.matrix;
        self.work += ENTRY_WORK * (1 + matrix.primary_of(lit.option()).len() as u64);
        if lit.is_take() {
            for &item in matrix.primary_of(lit.option()) {
                let state = &mut self.items[item as usize];
                state.taken += 1;
                if state.taken == 1 {
                    self.active_len -= 1;
                    let (place, other) = (state.place, self.active[self.active_len]);
                    state.place = self.active_len as u32;
                    self.items[other as usize].place = place;
                    self.active.swap(place as usize, self.active_len);
                    self.items[item as usize].place = self.active_len as u32;
                }
            }
        } else {
            for &item in matrix.primary_of(lit.option()) {
                let state = &mut self.items[item as usize];
                state.open -= 1;
                if state.open <= 1 && state.taken == 0 {
                    if state.open == 1 {
                        self.forced.push(item);
                    } else {
                        self.emptied = Some(item);
                    }
                }
            }
        }
    }

    fn backtrack(&mut self, level: usize) {
        let Some(&start) = self.levels.get(level) else {
            return;
        };
        let matrix = self.matrix;
        for &lit in self.trail[start as usize..].iter().rev() {
            self.values[lit.index()] = 0;
            self.values[(!lit).index()] = 0;
            for &item in matrix.primary_of(lit.option()) {
                let state = &mut self.items[item as usize];
                if lit.is_take() {
                    state.taken -= 1;
                    self.active_len += usize::from(state.taken == 0);
                    self.last[item as usize] = lit.option();
                } else {
                    state.open += 1;
                }
            }
        }
        self.trail.truncate(start as usize);
        self.levels.truncate(level);
        self.head = start as usize;
        self.forced.clear();
        self.emptied = None;
    }

    pub(super) fn step(&mut self) -> StepOutcome {
        if self.clauses.is_full() {
            return StepOutcome::Full;
        }
        if let Some(conflict) = self.propagate() {
            return if self.resolve(conflict) { StepOutcome::Open } else { StepOutcome::Exhausted };
        }
        if self.active_len == 0 {
            return StepOutcome::Solution;
        }
        if self.active_len < self.aim.active_len {
            self.aim.note(self.active_len, &self.trail, self.matrix);
        }
        if self.conflicts >= self.restart_at {
            self.restarts += 1;
            self.restart_at = self.conflicts + RESTART_UNIT * luby(self.restarts + 1);
            self.backtrack(self.fixed);
            self.renew_aim();
        }
        if self.clauses.is_time_to_reduce() {
            self.reduce();
        }
        self.work += self.active_len as u64;
        let option = self.choose();
        self.levels.push(self.trail.len() as u32);
        self.assign(Lit::take(option), Antecedent::None);
        StepOutcome::Open
    }

    fn renew_aim(&mut self) {
        if self.conflicts < self.aim_until {
            return;
        }
        self.aims += 1;
        self.aim_until = self.conflicts + AIM_UNIT * (self.aims + 1);
        for (last, &aim) in self.last.iter_mut().zip(&self.aim.options) {
            if aim != NONE {
                *last = aim;
            }
        }
        self.aim.clear(usize::MAX);
    }

    /// Chooses the option to take for the active item with the smallest ratio of options to weight:
    /// the option of the aim, else the last one, else the most active one.
    fn choose(&self) -> u32 {
        let (mut best, mut least, mut weight) = (NONE, 1_u64, 0_u64);
        for &item in &self.active[..self.active_len] {
            let candidate = &self.items[item as usize];
            let [open, its_weight] = [candidate.open, candidate.weight].map(u64::from);
            if open * weight < least * its_weight {
                (best, least, weight) = (item, open, its_weight);
            }
        }
        let is_open = |&&option: &&u32| self.values[Lit::take(option).index()] == 0;
        for option in [self.aim.options[best as usize], self.last[best as usize]] {
            if option != NONE && is_open(&&option) {
                return option;
            }
        }
        let by_activity = |a: &&u32, b: &&u32| {
            self.activities[**a as usize].total_cmp(&self.activities[**b as usize])
        };
        let open = self.matrix.options_of(best).iter().filter(is_open);
        *open.max_by(by_activity).expect("an active item has two open options")
    }

    fn propagate(&mut self) -> Option<FalseClause> {
        loop {
            if let Some(item) = self.emptied {
                return Some(FalseClause::Item(item));
            }
            if let Some(item) = self.forced.pop() {
                if self.items[item as usize].taken == 0 {
                    let is_open = |&&option: &&u32| self.values[Lit::take(option).index()] == 0;
                    let option = self.matrix.options_of(item).iter().find(is_open);
                    let &option = option.expect("the item has one open option");
                    self.assign(Lit::take(option), Antecedent::Item(item));
                }
                continue;
            }
            let &lit = self.trail.get(self.head)?;
            self.head += 1;
            if lit.is_take()
                && let Some(conflict) = self.exclude(lit.option())
            {
                return Some(conflict);
            }
            if let Some(conflict) = self.visit_watches(!lit) {
                return Some(conflict);
            }
        }
    }

    fn exclude(&mut self, option: u32) -> Option<FalseClause> {
        let matrix = self.matrix;
        for (place, &item) in matrix.items_of(option).iter().enumerate() {
            let color = matrix.color_of(option, place);
            self.work += ITEM_WORK + matrix.options_of(item).len() as u64 / RIVALS_PER_WORK;
            for (place, &rival) in matrix.options_of(item).iter().enumerate() {
                let value = self.values[Lit::reject(rival).index()];
                if value > 0 || rival == option || color != 0 && matrix.color_in(item, place) == color {
                    continue;
                }
                if value < 0 {
                    return Some(FalseClause::Rivals(option, rival));
                }
                self.assign(Lit::reject(rival), Antecedent::Rival(option));
            }
        }
        None
    }

    fn visit_watches(&mut self, falsified: Lit) -> Option<FalseClause> {
        let mut watches = self.clauses.take_watches(falsified);
        self.work += VISIT_WORK * watches.len() as u64;
        let (mut next, mut kept) = (0, 0);
        let mut conflict = None;
        while next < watches.len() {
            let mut watch = watches[next];
            next += 1;
            if self.values[watch.blocker.index()] <= 0 {
                let Err(first) = self.clauses.move_watch(watch.clause, falsified, &self.values) else {
                    continue;
                };
                watch.blocker = first;
                match self.values[first.index()] {
                    0 => self.assign(first, Antecedent::Clause(watch.clause)),
                    -1 => conflict = Some(FalseClause::Clause(watch.clause)),
                    _ => {}
                }
            }
            watches[kept] = watch;
            kept += 1;
            if conflict.is_some() {
                break;
            }
        }
        watches.drain(kept..next);
        self.clauses.put_watches(falsified, watches);
        conflict
    }

    fn resolve(&mut self, conflict: FalseClause) -> bool {
        self.conflicts += 1;
        if self.levels.len() == self.fixed {
            return self.flip();
        }
        let (lbd, back) = self.analyze(conflict);
        self.backtrack(self.fixed.max(back));
        let learned = std::mem::take(&mut self.analysis.learned);
        debug_assert!(
            learned
                .get(1)
                .is_none_or(|lit| self.assignments[lit.option() as usize].level == back as u32),
            "the second literal must become open no later than the others"
        );
        let reason = match learned.len() {
            1 => Antecedent::None,
            _ => Antecedent::Clause(self.clauses.add(&learned, lbd)),
        };
        self.assign(learned[0], reason);
        self.analysis.learned = learned;
        self.increment *= ACTIVITY_GROWTH;
        true
    }

    /// Flips the last decision, and makes all levels before it systematic. Returns `false` if there
    /// is no decision.
    pub(super) fn flip(&mut self) -> bool {
        let Some(&start) = self.levels.last() else {
            return false;
        };
        if self.aim.active_len > 0 {
            self.aim.clear(0);
            self.aim_until = u64::MAX;
        }
        let decision = self.trail[start as usize];
        self.fixed = self.levels.len() - 1;
        self.backtrack(self.fixed);
        self.assign(!decision, Antecedent::None);
        true
    }

    pub(super) fn bump(&mut self, option: u32) {
        let activity = &mut self.activities[option as usize];
        *activity += self.increment;
        if *activity > ACTIVITY_LIMIT {
            self.activities.iter_mut().for_each(|activity| *activity /= ACTIVITY_LIMIT);
            self.increment /= ACTIVITY_LIMIT;
        }
        for &item in self.matrix.primary_of(option) {
            self.bump_item(item);
        }
    }

    pub(super) fn bump_item(&mut self, item: u32) {
        let weight = &mut self.items[item as usize].weight;
        *weight = weight.saturating_add(1);
    }

    fn reduce(&mut self) {
        let (values, assignments) = (&self.values, &mut self.assignments);
        let mut moves = Vec::new();
        let is_reason = |first: Lit, clause| {
            let reason = assignments[first.option() as usize].reason;
            values[first.index()] > 0 && reason == Antecedent::Clause(clause)
        };
        self.clauses.reduce(is_reason, |first, old, new| {
            if is_reason(first, old) {
                moves.push((first.option(), new));
            }
        });
        for (option, clause) in moves {
            assignments[option as usize].reason = Antecedent::Clause(clause);
        }
    }

    pub(super) fn list_taken(&mut self) -> &[OptionId] {
        self.cover.truncate(self.given_count);
        let taken = self.trail[self.given_count..].iter().filter(|lit| lit.is_take());
        self.cover.extend(taken.map(|lit| OptionId::new(lit.option() as usize)));
        &self.cover
    }
}

#[cfg(test)]
impl ClauseSolver<'_> {
    pub(super) fn learned(&self) -> Vec<(OptionId, bool)> {
        let literal = |lit: &Lit| (OptionId::new(lit.option() as usize), lit.is_take());
        self.analysis.learned.iter().map(literal).collect()
    }
}

fn xorshift(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// Returns the `number`-th term, from 1, of Luby's sequence 1, 1, 2, 1, 1, 2, 4, 1, 1, 2, ...
fn luby(mut number: u64) -> u64 {
    loop {
        let bits = u64::BITS - number.leading_zeros();
        let last = (1 << bits) - 1;
        if number == last {
            return 1 << (bits - 1);
        }
        number -= last >> 1;
    }
}
