//! Refutes a formula by a tree search on bit sets, and writes a clause for each closed branch.
//!
//! The search decides an item with the fewest options left, and tries one of them. An item without
//! options closes the branch, and an item with a single option forces it. Each removed option knows
//! its *remover*: the chosen option that excludes it, or the clause of a closed branch. So the
//! decisions that close a branch are found by walking from the item without options through its
//! removers and the items that forced them. The clause excludes these decisions together. Its hints
//! are the pairs of options that exclude each other and the items. A cover closes its branch by the
//! clause of the formula that blocks it.
//!
//! The search goes back to the last decision of the clause, and removes its option there. Decisions
//! in between had no part in the contradiction. Clauses of branches below that decision are deleted
//! in the proof, so at most one clause for each option that is removed stays.
//!
//! Only for problems in which each primary item is covered exactly once. In packings and on chess
//! boards, learned clauses rarely propagate, and this search is many times as fast as clause
//! learning.
//!
//! In VeriPB, the upper bound of a rule is one hint for all options that it removes, so these
//! proofs are several times as short, and faster to write.
//!
//! Tried and dropped: in LRAT, clauses of the options that an item has left, for several branches
//! of a node (as long, and slower). For VeriPB, the first rule that two options share (twice the
//! time).
//!
//! Source: Knuth, TAOCP 7.2.2.1, for the choice of the item; Prosser 1993 for going back to the
//! last decision that matters (conflict-directed backjumping).

use super::log::ProofLog;
use super::{ExtraClauses, ProofFault, ProofSlice, RuleIds};
use crate::limits::{Limit, Limits, Pace};
use crate::model::{Bounds, OptionId, Problem};
use crate::trust::conflict;
use crate::trust::formula::{LinearRule, variable};

/// Maximum size of the bit sets and of the saved states of all levels (bytes).
const BYTES_MAX: usize = 64 << 20;
/// Maximum size of the table of pairs (bytes).
const PAIR_BYTES_MAX: usize = 32 << 20;
/// Added to the number of options of an item when it is covered, so that the item is never chosen.
const COVERED: u32 = 1 << 30;
/// The item of a decision: no item forced it.
const DECISION: u32 = u32::MAX;
/// Marks an item as the index of a unit clause, which forced the option.
const UNIT: u32 = 1 << 31;
/// Marks a remover as the index of a clause, not a place of the trail.
const BY_CLAUSE: u32 = 1 << 31;
/// Estimated work per word of a bit set (ns).
const WORD_WORK: u64 = 1;
/// Estimated work per removed option (ns).
const REMOVE_WORK: u64 = 10;
/// Estimated work per hint (ns).
const HINT_WORK: u64 = 15;

/// A chosen option, and the index of the goal or the unit clause that forced it.
#[derive(Clone, Copy)]
struct PlacedOption {
    option: u32,
    goal: u32,
}

/// The clause of a closed branch that removed an option.
struct BranchClause {
    id: u64,
    /// The end of its decisions in the common list of decisions.
    end: usize,
}

/// The state before a decision.
struct SavedLevel {
    trail_len: usize,
    clause_count: usize,
    /// The part of the whole tree below the state, and the part below the decision.
    share: f64,
    part: f64,
}

enum BranchEnd {
    /// The goal has no option left.
    Goal(u32),
    /// All items are covered; the number of the clause that blocks this cover.
    Cover(u64),
}

/// Returns whether unit clauses exclude each other.
fn clashes(problem: &Problem, extra: &ExtraClauses) -> bool {
    let option = |literal: i32| OptionId::new(literal.unsigned_abs() as usize - 1);
    let literals = extra.units.iter().map(|&(literal, _)| literal);
    let (chosen, removed): (Vec<i32>, Vec<i32>) = literals.partition(|&literal| literal > 0);
    let chosen: Vec<_> = chosen.into_iter().map(option).collect();
    let is_idle = |option: &OptionId| problem.idle_options().binary_search(option).is_ok();
    chosen.iter().any(is_idle)
        || removed.into_iter().any(|literal| chosen.contains(&option(literal)))
        || conflict(problem, &chosen).is_some()
}

fn set_bits(mask: &mut [u64], options: &[OptionId]) {
    options.iter().for_each(|option| mask[option.index() / 64] |= 1 << (option.index() % 64));
}

/// Returns for each option the bit set of the options that it excludes.
fn excluded_options(
    rules: &[LinearRule],
    count: usize,
    pace: &mut Pace<'_>,
) -> Result<Vec<u64>, Limit> {
    let words = count.div_ceil(64);
    let mut excluded = vec![0_u64; count * words];
    let mut mask = vec![0_u64; words];
    for rule in rules.iter().filter(|rule| rule.high == 1) {
        if let [first, second] = rule.options[..] {
            pace.spend(2 * WORD_WORK)?;
            for (one, other) in [(first, second), (second, first)] {
                set_bits(&mut excluded[one.index() * words..], &[other]);
            }
            continue;
        }
        pace.spend(WORD_WORK * (words * rule.options.len()) as u64)?;
        mask.fill(0);
        set_bits(&mut mask, &rule.options);
        for option in &rule.options {
            let row = &mut excluded[option.index() * words..][..words];
            row.iter_mut().zip(&mask).for_each(|(row, mask)| *row |= mask);
        }
    }
    for option in 0..count {
        excluded[option * words + option / 64] &= !(1 << (option % 64));
    }
    Ok(excluded)
}

pub(super) struct TreeSearch<'r> {
    rules: &'r [LinearRule],
    ids: &'r RuleIds,
    extra: &'r ExtraClauses,
    pace: Pace<'r>,
    pub(super) nodes: u64,
    pub(super) work: u64,
    /// The rule of each *goal*, an item to be covered once.
    goals: Vec<u32>,
    /// The goals of option `o` are `option_goals[starts[o]..starts[o + 1]]`.
    option_goals: Vec<u32>,
    starts: Vec<u32>,
    /// For the bounds of VeriPB, the rules of each option.
    users: Vec<Vec<u32>>,
    /// For the bounds of VeriPB, the options of each rule.
    masks: Vec<u64>,
    /// The removed options that no hint removes yet.
    open: Vec<u64>,
    /// The rules whose upper bounds are hints of the current line.
    line_rules: Vec<u32>,
    /// For LRAT, the number of the clause of each pair of options; empty if there are too many.
    pair_ids: Vec<u32>,
    /// Number of words of a bit set of options.
    words: usize,
    /// For each option, the options that it excludes.
    excluded: Vec<u64>,
    alive: Vec<u64>,
    /// The number of live options of each goal, plus `COVERED` if it is covered.
    counts: Vec<u32>,
    removers: Vec<u32>,
    trail: Vec<PlacedOption>,
    levels: Vec<SavedLevel>,
    saved_alive: Vec<u64>,
    saved_counts: Vec<u32>,
    clauses: Vec<BranchClause>,
    /// The places on the trail of the decisions of all clauses.
    decisions: Vec<u32>,
    /// The part of the tree below the current state.
    share: f64,
    /// Goals that may have a single option left.
    single: Vec<u32>,
    empty_goal: Option<u32>,
    is_begun: bool,
    is_needed: Vec<bool>,
    /// The last line that has a hint for an option.
    option_lines: Vec<u64>,
    line: u64,
    hints: Vec<u64>,
}

impl<'r> TreeSearch<'r> {
    /// Returns `None` if an item has other bounds than 1, the unit clauses clash, or the bit sets
    /// are too large.
    pub(super) fn new(
        problem: &Problem,
        rules: &'r [LinearRule],
        ids: &'r RuleIds,
        extra: &'r ExtraClauses,
        limits: &'r Limits,
    ) -> Result<Option<Self>, Limit> {
        let mut pace = Pace::new(limits);
        let count = problem.option_count();
        let words = count.div_ceil(64);
        let goals: Vec<u32> =
            (0..rules.len() as u32).filter(|&rule| rules[rule as usize].low > 0).collect();
        let state = 8 * words + 4 * goals.len();
        let has_masks = matches!(ids, RuleIds::Bounds(_));
        let rows = count + if has_masks { rules.len() } else { 0 };
        let bytes = rows.saturating_mul(8 * words).saturating_add(goals.len().saturating_mul(state));
        let is_small = bytes <= limits.memory.map_or(BYTES_MAX, |memory| (memory / 2).min(BYTES_MAX));
        let mut bounds = problem.items().filter_map(|item| problem.bounds(item));
        if !is_small || bounds.any(|bounds| bounds != Bounds::ONE) || clashes(problem, extra) {
            return Ok(None);
        }
        let mut alive = vec![0; words];
        let mut lists = vec![Vec::new(); count];
        for (goal, &rule) in (0..).zip(&goals) {
            for option in &rules[rule as usize].options {
                lists[option.index()].push(goal);
                alive[option.index() / 64] |= 1 << (option.index() % 64);
            }
        }
        let mut starts = vec![0];
        for list in &lists {
            starts.push(starts[starts.len() - 1] + list.len() as u32);
        }
        let mut users = vec![Vec::new(); count];
        let upper = (0..).zip(rules).filter(|(_, rule)| has_masks && rule.high == 1);
        for (index, rule) in upper {
            rule.options.iter().for_each(|option| users[option.index()].push(index));
        }
        let excluded = excluded_options(rules, count, &mut pace)?;
        let mut masks = vec![0; if has_masks { rules.len() * words } else { 0 }];
        for (mask, rule) in masks.chunks_mut(words.max(1)).zip(rules) {
            set_bits(mask, &rule.options);
        }
        let counts = goals.iter().map(|&rule| rules[rule as usize].options.len() as u32).collect();
        let pair_bytes = limits.memory.map_or(PAIR_BYTES_MAX, |memory| memory.min(PAIR_BYTES_MAX) / 4);
        let pair_ids = match ids {
            RuleIds::Clauses { pairs, .. } if count.saturating_mul(4 * count) <= pair_bytes => {
                pairs.table()
            }
            _ => Vec::new(),
        };
        Ok(Some(Self {
            rules,
            ids,
            extra,
            pace,
            nodes: 0,
            work: 0,
            goals,
            option_goals: lists.concat(),
            starts,
            users,
            masks,
            open: Vec::new(),
            line_rules: Vec::new(),
            pair_ids,
            words,
            excluded,
            alive,
            counts,
            removers: vec![0; count],
            trail: Vec::new(),
            levels: Vec::new(),
            saved_alive: Vec::new(),
            saved_counts: Vec::new(),
            clauses: Vec::new(),
            decisions: Vec::new(),
            share: 1.0,
            single: Vec::new(),
            empty_goal: None,
            is_begun: false,
            is_needed: Vec::new(),
            option_lines: vec![0; count],
            line: 0,
            hints: Vec::new(),
        }))
    }

    /// Continues the search within `slice`. Returns the number of the empty clause, or `None` at
    /// the end of the slice.
    pub(super) fn run(
        &mut self,
        slice: &ProofSlice,
        log: &mut ProofLog<'_>,
    ) -> Result<Option<u64>, ProofFault> {
        if !std::mem::replace(&mut self.is_begun, true) {
            self.begin();
        }
        let end = self.work.saturating_add(slice.work);
        let nodes_end = slice.nodes.map(|nodes| self.nodes + nodes);
        while self.work < end {
            let before = self.work;
            let contradiction = match self.propagate() {
                Some(goal) => BranchEnd::Goal(goal),
                None => match self.choose() {
                    Some(goal) if nodes_end.is_some_and(|end| self.nodes >= end) => {
                        debug_assert!(self.counts[goal as usize] > 1, "the goal is open");
                        return Err(Limit::Nodes.into());
                    }
                    Some(goal) => {
                        self.decide(goal);
                        self.pace.spend(self.work - before)?;
                        continue;
                    }
                    None => BranchEnd::Cover(self.find_blocked()?),
                },
            };
            if let Some(id) = self.close_branch(&contradiction, log)? {
                return Ok(Some(id));
            }
            self.pace.spend(self.work - before)?;
        }
        Ok(None)
    }

    /// Applies the unit clauses, and looks for goals with few options.
    fn begin(&mut self) {
        let extra = self.extra;
        for (index, &(literal, id)) in (0..).zip(&extra.units) {
            let option = literal.unsigned_abs() - 1;
            if literal > 0 {
                self.place(option, UNIT | index);
            } else if self.is_alive(OptionId::new(option as usize)) {
                self.remove_by_clause(option, id);
            }
        }
        (0..self.goals.len() as u32).for_each(|goal| self.look_at(goal));
    }

    /// Returns the estimated work of the whole search, if the closed branches are typical.
    pub(super) fn expected_work(&self) -> f64 {
        let open: f64 = self.levels.iter().map(|level| level.share - level.part).sum();
        self.work as f64 / (1.0 - open - self.share).max(f64::MIN_POSITIVE)
    }

    fn goals_of(&self, option: u32) -> std::ops::Range<usize> {
        let option = option as usize;
        self.starts[option] as usize..self.starts[option + 1] as usize
    }

    fn is_alive(&self, option: OptionId) -> bool {
        self.alive[option.index() / 64] >> (option.index() % 64) & 1 == 1
    }

    fn look_at(&mut self, goal: u32) {
        match self.counts[goal as usize] {
            0 => self.empty_goal = self.empty_goal.or(Some(goal)),
            1 => self.single.push(goal),
            _ => {}
        }
    }

    /// Places all forced options. Returns a goal without options.
    fn propagate(&mut self) -> Option<u32> {
        while self.empty_goal.is_none() {
            let goal = self.single.pop()?;
            if self.counts[goal as usize] == 1 {
                let option = self.first_alive(goal);
                self.place(option, goal);
            }
        }
        self.single.clear();
        self.empty_goal.take()
    }

    fn first_alive(&mut self, goal: u32) -> u32 {
        let options = &self.rules[self.goals[goal as usize] as usize].options;
        let place = options.iter().position(|&option| self.is_alive(option)).unwrap_or_default();
        self.work += place as u64;
        options[place].index() as u32
    }

    /// Returns a goal with the fewest options, or `None` if all goals are covered.
    fn choose(&mut self) -> Option<u32> {
        self.work += self.counts.len() as u64;
        let least = self.counts.iter().copied().min().filter(|&least| least < COVERED)?;
        self.counts.iter().position(|&count| count == least).map(|goal| goal as u32)
    }

    fn decide(&mut self, goal: u32) {
        self.nodes += 1;
        let part = self.share / f64::from(self.counts[goal as usize]);
        self.levels.push(SavedLevel {
            trail_len: self.trail.len(),
            clause_count: self.clauses.len(),
            share: self.share,
            part,
        });
        self.share = part;
        self.saved_alive.extend_from_slice(&self.alive);
        self.saved_counts.extend_from_slice(&self.counts);
        let option = self.first_alive(goal);
        self.place(option, DECISION);
    }

    fn place(&mut self, option: u32, goal: u32) {
        let place = self.trail.len() as u32;
        self.trail.push(PlacedOption { option, goal });
        for index in self.goals_of(option) {
            self.counts[self.option_goals[index] as usize] += COVERED;
        }
        let row = option as usize * self.words;
        self.work += WORD_WORK * self.words as u64;
        for word in 0..self.words {
            let mut newly = self.alive[word] & self.excluded[row + word];
            self.alive[word] ^= newly;
            while newly != 0 {
                self.remove(word as u32 * 64 + newly.trailing_zeros(), place);
                newly &= newly - 1;
            }
            if self.empty_goal.is_some() {
                return;
            }
        }
    }

    /// Counts a removed option in its goals.
    fn remove(&mut self, option: u32, remover: u32) {
        self.work += REMOVE_WORK;
        self.removers[option as usize] = remover;
        for index in self.goals_of(option) {
            let goal = self.option_goals[index];
            self.counts[goal as usize] -= 1;
            self.look_at(goal);
        }
    }

    /// Returns the clause that blocks the current cover.
    fn find_blocked(&mut self) -> Result<u64, ProofFault> {
        let mut cover: Vec<u32> = self.trail.iter().map(|placed| placed.option).collect();
        cover.sort_unstable();
        let cover: Vec<_> = cover.into_iter().map(|option| OptionId::new(option as usize)).collect();
        let literals: Vec<i32> = cover.iter().map(|&option| -variable(option)).collect();
        self.extra.find(&literals).ok_or(ProofFault::Missing(cover))
    }

    /// Writes the clause of a closed branch, goes back, and removes the option of its last
    /// decision. Returns the number of the empty clause at the end.
    fn close_branch(
        &mut self,
        contradiction: &BranchEnd,
        log: &mut ProofLog<'_>,
    ) -> Result<Option<u64>, ProofFault> {
        let begin = self.decisions.len();
        self.analyze(contradiction);
        let id = log.derive(&self.literals_from(begin), &self.hints)?;
        let Some(last) = self.decisions.get(begin).copied() else { return Ok(Some(id)) };
        let option = self.trail[last as usize].option;
        let parts = self.decisions.split_off(begin + 1);
        self.back_to(last as usize, log)?;
        self.decisions.extend(parts);
        self.remove_by_clause(option, id);
        Ok(None)
    }

    /// Collects the hints of a contradiction, and its decisions, the last one first.
    fn analyze(&mut self, contradiction: &BranchEnd) {
        self.is_needed.clear();
        self.is_needed.resize(self.trail.len(), matches!(contradiction, BranchEnd::Cover(_)));
        if let &BranchEnd::Goal(goal) = contradiction {
            self.need_removers(goal);
        }
        for place in (0..self.trail.len()).rev() {
            if self.is_needed[place] {
                match self.trail[place].goal {
                    DECISION => self.decisions.push(place as u32),
                    goal if goal & UNIT != 0 => {}
                    goal => self.need_removers(goal),
                }
            }
        }
        self.line += 1;
        self.hints.clear();
        self.line_rules.clear();
        for place in 0..self.trail.len() {
            let PlacedOption { goal, .. } = self.trail[place];
            if !self.is_needed[place] || goal == DECISION {
                continue;
            }
            match goal & UNIT {
                0 => self.explain(goal, place),
                _ => self.hints.push(self.extra.units[(goal ^ UNIT) as usize].1),
            }
        }
        match *contradiction {
            BranchEnd::Goal(goal) => self.explain(goal, self.trail.len()),
            BranchEnd::Cover(id) => self.hints.push(id),
        }
        self.work += HINT_WORK * self.hints.len() as u64;
    }

    /// Returns the clause that excludes the decisions of the common list from `begin` on together.
    fn literals_from(&self, begin: usize) -> Vec<i32> {
        let option = |&place: &u32| OptionId::new(self.trail[place as usize].option as usize);
        self.decisions[begin..].iter().map(|place| -variable(option(place))).collect()
    }

    /// Removes an option because of a clause, whose decisions end the common list.
    fn remove_by_clause(&mut self, option: u32, id: u64) {
        let remover = BY_CLAUSE | self.clauses.len() as u32;
        self.clauses.push(BranchClause { id, end: self.decisions.len() });
        self.alive[option as usize / 64] &= !(1 << (option % 64));
        self.remove(option, remover);
    }

    /// Restores the state before the decision at `place` of the trail, and deletes the clauses that
    /// were derived after it.
    fn back_to(&mut self, place: usize, log: &mut ProofLog<'_>) -> Result<(), ProofFault> {
        let mut clause_count = self.clauses.len();
        while let Some(level) = self.levels.pop_if(|level| level.trail_len >= place) {
            clause_count = level.clause_count;
            self.share = level.share - level.part;
        }
        let (words, goals) = (self.words, self.counts.len());
        let depth = self.levels.len();
        self.alive.copy_from_slice(&self.saved_alive[depth * words..][..words]);
        self.counts.copy_from_slice(&self.saved_counts[depth * goals..][..goals]);
        self.saved_alive.truncate(depth * words);
        self.saved_counts.truncate(depth * goals);
        self.trail.truncate(place);
        self.work += (words + goals) as u64;
        let ids: Vec<u64> = self.clauses.drain(clause_count..).map(|clause| clause.id).collect();
        self.decisions.truncate(self.clauses.last().map_or(0, |clause| clause.end));
        log.delete(&ids)
    }

    fn need_clause(&mut self, index: usize) {
        let begin = index.checked_sub(1).map_or(0, |before| self.clauses[before].end);
        for &place in &self.decisions[begin..self.clauses[index].end] {
            self.is_needed[place as usize] = true;
        }
    }

    /// Marks the chosen options that remove the options of a goal, and the decisions of the clauses
    /// that do.
    fn need_removers(&mut self, goal: u32) {
        let rules = self.rules;
        for option in &rules[self.goals[goal as usize] as usize].options {
            let remover = self.removers[option.index()];
            if self.is_alive(*option) {
                continue;
            }
            match remover & BY_CLAUSE {
                0 => self.is_needed[remover as usize] = true,
                _ => self.need_clause((remover ^ BY_CLAUSE) as usize),
            }
        }
    }

    /// Adds the hints that force the live options of a goal, because the others are removed by the
    /// options at the first `before` places of the trail and by clauses.
    fn explain(&mut self, goal: u32, before: usize) {
        let (rules, ids) = (self.rules, self.ids);
        let rule = self.goals[goal as usize] as usize;
        let (low, pairs) = match ids {
            RuleIds::Bounds(ids) => return self.explain_by_rules(rule, before, ids),
            RuleIds::Clauses { low, pairs } => (low, pairs),
        };
        for &other in &rules[rule].options {
            let is_alive = self.is_alive(other);
            let line = &mut self.option_lines[other.index()];
            if is_alive || std::mem::replace(line, self.line) == self.line {
                continue;
            }
            let remover = self.removers[other.index()];
            self.hints.push(match remover & BY_CLAUSE {
                0 => {
                    let chosen = OptionId::new(self.trail[remover as usize].option as usize);
                    match &*self.pair_ids {
                        [] => pairs.clause(chosen, other).unwrap_or_default(),
                        ids => ids[chosen.index() * self.removers.len() + other.index()].into(),
                    }
                }
                _ => self.clauses[(remover ^ BY_CLAUSE) as usize].id,
            });
        }
        self.hints.push(low[rule]);
    }

    /// Does the same for VeriPB: the hints are upper bounds of rules with chosen options, which
    /// remove several options at once.
    fn explain_by_rules(&mut self, rule: usize, before: usize, ids: &[[u64; 2]]) {
        let words = self.words;
        let mask_of = |rule: usize| rule * words..(rule + 1) * words;
        self.open.clear();
        let removed = self.masks[mask_of(rule)].iter().zip(&self.alive);
        self.open.extend(removed.map(|(mask, alive)| mask & !alive));
        for &used in &self.line_rules {
            let mask = &self.masks[mask_of(used as usize)];
            self.open.iter_mut().zip(mask).for_each(|(open, mask)| *open &= !mask);
        }
        for place in (0..before).filter(|&place| self.is_needed[place]) {
            for &used in &self.users[self.trail[place].option as usize] {
                let mask = &self.masks[mask_of(used as usize)];
                let hits = self.open.iter().zip(mask).fold(0, |hits, (open, mask)| hits | open & mask);
                if hits != 0 {
                    self.open.iter_mut().zip(mask).for_each(|(open, mask)| *open &= !mask);
                    self.line_rules.push(used);
                    self.hints.push(ids[used as usize][1]);
                }
            }
        }
        for word in 0..words {
            while self.open[word] != 0 {
                let option = word * 64 + self.open[word].trailing_zeros() as usize;
                self.open[word] &= self.open[word] - 1;
                if std::mem::replace(&mut self.option_lines[option], self.line) != self.line {
                    self.hints.push(self.clauses[(self.removers[option] ^ BY_CLAUSE) as usize].id);
                }
            }
        }
        self.hints.push(ids[rule][0]);
    }
}
