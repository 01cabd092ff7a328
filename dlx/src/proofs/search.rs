//! Refutes a formula by clause learning, and writes each learned clause with the constraints from
//! which it follows.
//!
//! The search decides an item with the fewest undecided options, and tries one of them. The rules
//! of the problem propagate as they are: if a rule has no more options than it needs, it forces
//! them, and if it has enough, it removes the others. A contradiction is resolved to the first
//! unique implication point of its level. The learned clause is a line of the proof. Its hints are
//! the reasons that were resolved, in the order of their propagation. An option decided at level 0
//! becomes a unit clause once a hint needs it. The proof ends with the empty clause.
//!
//! There are no restarts: every learned clause forces an option at a lower level, so the search
//! ends whichever clauses it forgets. The learned clauses have at most `LEARNED_MAX` literals
//! together, less with a limit on memory; the larger half of them is forgotten, and deleted in the
//! proof, when that number is reached. The clauses that are reasons of current options stay, at
//! most one per option.
//!
//! Tried and dropped: weights of the items by their contradictions (pentominoes 3x20 did not end
//! within 60 s instead of 0.8 s, 11 queens took twice as long), also to decide between equal items
//! (15 % more lines for 11 queens, five times as many for a mutilated 8x8 board).
//!
//! Source: Marques-Silva and Sakallah 1996; Moskewicz, Madigan, Zhao, Zhang and Malik 2001 for the
//! watched literals; Heule, Hunt, Kaufmann and Wetzler 2017 for the format LRAT.

use std::cmp::Reverse;

use super::log::ProofLog;
use super::{ProofFault, ProofSlice, RuleIds};
use crate::limits::{Limit, Limits, Pace};
use crate::model::{OptionId, Problem};
use crate::trust::formula::{LinearRule, variable};

/// Maximum number of literals of all learned clauses (4 bytes each, and as much for the lists of
/// watched literals): 64 MB.
const LEARNED_MAX: usize = 8 << 20;
/// Number of literals of learned clauses at which clauses are forgotten for the first time. It
/// grows by a tenth each time, up to the maximum. 2^18 takes 1.7 times as long for 11 queens.
const LEARNED_FIRST: usize = 1 << 15;
/// Learned clauses with at most this number of different levels are kept if there is room.
const LEVELS_KEPT: u32 = 2;
/// Estimated work per option of a rule that is looked at (ns).
const OPTION_WORK: u64 = 2;
/// Estimated work per rule in the choice of an item (ns).
const RULE_WORK: u64 = 2;

/// A literal: twice the index of an option, plus 1 for its negation.
type Literal = u32;

fn literal(option: usize, is_chosen: bool) -> Literal {
    2 * option as u32 + u32::from(!is_chosen)
}

fn option_of(literal: Literal) -> usize {
    literal as usize / 2
}

fn number(literal: Literal) -> i32 {
    let number = variable(OptionId::new(option_of(literal)));
    if literal & 1 == 0 { number } else { -number }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    Decision,
    /// The lower bound of a rule.
    Low(u32),
    /// The upper bound of a rule.
    High(u32),
    /// The bound of the costs with this index.
    Cost(u32),
    Clause(u32),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    Open,
    Chosen,
    Removed,
}

struct LearnedClause {
    literals: Vec<Literal>,
    id: u64,
    /// The number of different levels of the literals when the clause was learned; 0 if the clause
    /// belongs to the formula.
    levels: u32,
}

/// A bound of a weighted sum of literals, which follows from the costs.
pub(super) struct CostBound {
    /// For each option the weight and whether choosing it (rather than removing it) costs the
    /// weight.
    pub(super) weights: Vec<(u128, bool)>,
    /// The largest allowed sum of weights, or `None` if no sum is small enough.
    pub(super) room: Option<u128>,
    /// The number of the constraint in the proof.
    pub(super) id: u64,
}

/// The bound of the costs, during the search.
struct CostState {
    weights: Vec<(u128, bool)>,
    /// The options of positive weight, the largest weight first.
    order: Vec<u32>,
    room: u128,
    spent: u128,
    id: u64,
}

impl CostState {
    /// Returns how much an option adds to the sum if it has this value.
    fn weight(&self, option: usize, is_chosen: bool) -> u128 {
        let (weight, is_choice) = self.weights[option];
        if is_choice == is_chosen { weight } else { 0 }
    }
}

pub(super) struct ProofSearch<'r> {
    rules: &'r [LinearRule],
    ids: &'r RuleIds,
    pace: Pace<'r>,
    pub(super) nodes: u64,
    pub(super) work: u64,
    is_begun: bool,
    conflict: Option<Reason>,
    /// The rules of each option.
    users: Vec<Vec<u32>>,
    chosen_counts: Vec<u32>,
    removed_counts: Vec<u32>,
    values: Vec<Value>,
    levels: Vec<u32>,
    places: Vec<u32>,
    reasons: Vec<Reason>,
    /// For options decided at level 0, the number of their unit clause in the proof, or 0.
    units: Vec<u64>,
    trail: Vec<u32>,
    /// The lengths of the trail at the decisions.
    marks: Vec<usize>,
    head: usize,
    clauses: Vec<LearnedClause>,
    free: Vec<u32>,
    /// The clauses that watch each literal, to be visited when the literal becomes false.
    watchers: Vec<Vec<u32>>,
    learned: usize,
    learned_most: usize,
    learned_next: usize,
    costs: Vec<CostState>,
    /// A contradiction of the formula itself: the number of a constraint without true literals.
    empty: Option<u64>,
    is_seen: Vec<bool>,
}

impl<'r> ProofSearch<'r> {
    pub(super) fn new(
        problem: &Problem,
        rules: &'r [LinearRule],
        ids: &'r RuleIds,
        limits: &'r Limits,
    ) -> Result<Self, Limit> {
        let count = problem.option_count();
        let mut users = vec![Vec::new(); count];
        let mut pace = Pace::new(limits);
        for (index, rule) in rules.iter().enumerate() {
            pace.spend(OPTION_WORK * rule.options.len() as u64)?;
            rule.options.iter().for_each(|option| users[option.index()].push(index as u32));
        }
        let learned_most = limits.memory.map_or(LEARNED_MAX, |bytes| (bytes / 16).min(LEARNED_MAX));
        Ok(Self {
            rules,
            ids,
            pace,
            nodes: 0,
            work: 0,
            is_begun: false,
            conflict: None,
            users,
            chosen_counts: vec![0; rules.len()],
            removed_counts: vec![0; rules.len()],
            values: vec![Value::Open; count],
            levels: vec![0; count],
            places: vec![0; count],
            reasons: vec![Reason::Decision; count],
            units: vec![0; count],
            trail: Vec::with_capacity(count),
            marks: Vec::new(),
            head: 0,
            clauses: Vec::new(),
            free: Vec::new(),
            watchers: vec![Vec::new(); 2 * count],
            learned: 0,
            learned_most,
            learned_next: LEARNED_FIRST.min(learned_most),
            costs: Vec::new(),
            empty: None,
            is_seen: vec![false; count],
        })
    }

    /// Adds a bound of the costs, before any option is decided.
    pub(super) fn add_cost_bound(&mut self, bound: CostBound) {
        let CostBound { weights, room, id } = bound;
        let Some(room) = room else {
            self.empty = Some(id);
            return;
        };
        let mut order: Vec<u32> = (0..weights.len() as u32).collect();
        order.retain(|&option| weights[option as usize].0 > 0);
        order.sort_by_key(|&option| Reverse(weights[option as usize].0));
        self.costs.push(CostState { weights, order, room, spent: 0, id });
    }

    /// Adds a clause of the formula, before any option is decided.
    pub(super) fn add_clause(&mut self, numbers: &[i32], id: u64) {
        if numbers.is_empty() {
            self.empty = Some(id);
            return;
        }
        let literals = numbers.iter().map(|&n| literal(n.unsigned_abs() as usize - 1, n > 0)).collect();
        self.keep_clause(literals, id, 0);
    }

    fn keep_clause(&mut self, literals: Vec<Literal>, id: u64, levels: u32) -> u32 {
        let clause = LearnedClause { literals, id, levels };
        let place = match self.free.pop() {
            Some(place) => place,
            None => {
                self.clauses.push(LearnedClause { literals: Vec::new(), id: 0, levels: 0 });
                self.clauses.len() as u32 - 1
            }
        };
        for &watched in clause.literals.iter().take(2) {
            self.watchers[watched as usize].push(place);
        }
        self.clauses[place as usize] = clause;
        place
    }

    /// Continues the search within `slice`. Returns the number of a constraint that no assignment
    /// satisfies, or `None` at the end of the slice.
    pub(super) fn run(
        &mut self,
        slice: &ProofSlice,
        log: &mut ProofLog<'_>,
    ) -> Result<Option<u64>, ProofFault> {
        if let Some(id) = self.empty {
            return log.derive(&[], &[id]).map(Some);
        }
        if !std::mem::replace(&mut self.is_begun, true) {
            self.conflict = self.begin();
        }
        let end = self.work.saturating_add(slice.work);
        let nodes_end = slice.nodes.map(|nodes| self.nodes + nodes);
        while self.work < end {
            if self.conflict.is_none() {
                self.conflict = self.propagate()?;
            }
            if let Some(reason) = self.conflict.take() {
                if self.marks.is_empty() {
                    return self.close(reason, log).map(Some);
                }
                self.learn(reason, log)?;
                if self.learned > self.learned_next {
                    self.forget(log)?;
                }
                continue;
            }
            if nodes_end.is_some_and(|end| self.nodes >= end) {
                return Err(Limit::Nodes.into());
            }
            self.nodes += 1;
            let Some(decision) = self.choose()? else {
                let chosen = (0..self.values.len()).filter(|&o| self.values[o] == Value::Chosen);
                return Err(ProofFault::Missing(chosen.map(OptionId::new).collect()));
            };
            self.marks.push(self.trail.len());
            self.assign(decision, Reason::Decision);
        }
        Ok(None)
    }

    fn spend(&mut self, work: u64) -> Result<(), Limit> {
        self.work += work;
        self.pace.spend(work)
    }

    /// Propagates the clauses and the rules that hold with no decision at all. Clauses come first,
    /// so that they are the reasons of their options, as a union of shards requires.
    fn begin(&mut self) -> Option<Reason> {
        for clause in 0..self.clauses.len() {
            if let [only] = self.clauses[clause].literals[..] {
                if self.is_false(only) {
                    return Some(Reason::Clause(clause as u32));
                }
                if self.values[option_of(only)] == Value::Open {
                    self.assign(only, Reason::Clause(clause as u32));
                }
            }
        }
        for rule in 0..self.rules.len() as u32 {
            if let Some(conflict) = self.propagate_low(rule).or_else(|| self.propagate_high(rule)) {
                return Some(conflict);
            }
        }
        self.propagate_costs()
    }

    fn is_false(&self, literal: Literal) -> bool {
        match self.values[option_of(literal)] {
            Value::Open => false,
            Value::Chosen => literal & 1 == 1,
            Value::Removed => literal & 1 == 0,
        }
    }

    fn is_true(&self, literal: Literal) -> bool {
        self.is_false(literal ^ 1)
    }

    fn assign(&mut self, literal: Literal, reason: Reason) {
        let (option, is_chosen) = (option_of(literal), literal & 1 == 0);
        self.values[option] = if is_chosen { Value::Chosen } else { Value::Removed };
        self.levels[option] = self.marks.len() as u32;
        self.places[option] = self.trail.len() as u32;
        self.reasons[option] = reason;
        self.trail.push(option as u32);
        let counts = if is_chosen { &mut self.chosen_counts } else { &mut self.removed_counts };
        self.users[option].iter().for_each(|&rule| counts[rule as usize] += 1);
        self.costs.iter_mut().for_each(|cost| cost.spent += cost.weight(option, is_chosen));
    }

    fn back_to(&mut self, level: usize) {
        let Some(&mark) = self.marks.get(level) else { return };
        for option in self.trail.drain(mark..) {
            let option = option as usize;
            let is_chosen = self.values[option] == Value::Chosen;
            self.values[option] = Value::Open;
            let counts = if is_chosen { &mut self.chosen_counts } else { &mut self.removed_counts };
            self.users[option].iter().for_each(|&rule| counts[rule as usize] -= 1);
            self.costs.iter_mut().for_each(|cost| cost.spent -= cost.weight(option, is_chosen));
        }
        self.marks.truncate(level);
        self.head = mark;
    }

    /// Chooses an option to decide, or `None` if all are decided.
    fn choose(&mut self) -> Result<Option<Literal>, Limit> {
        self.spend(RULE_WORK * self.rules.len() as u64)?;
        let mut best: Option<(u32, usize)> = None;
        for (index, rule) in self.rules.iter().enumerate() {
            if self.chosen_counts[index] >= rule.low {
                continue;
            }
            let decided = self.chosen_counts[index] + self.removed_counts[index];
            let open = rule.options.len() as u32 - decided;
            if best.is_none_or(|(least, _)| open < least) {
                best = Some((open, index));
            }
        }
        let is_open = |option: &OptionId| self.values[option.index()] == Value::Open;
        if let Some((_, rule)) = best {
            let option = self.rules[rule].options.iter().find(|option| is_open(option));
            return Ok(option.map(|option| literal(option.index(), true)));
        }
        // All lower bounds hold. Only options that no item needs are still open.
        let open = self.values.iter().position(|&value| value == Value::Open);
        Ok(open.map(|option| literal(option, false)))
    }

    fn propagate(&mut self) -> Result<Option<Reason>, Limit> {
        while let Some(&option) = self.trail.get(self.head) {
            self.head += 1;
            let option = option as usize;
            let is_chosen = self.values[option] == Value::Chosen;
            for index in 0..self.users[option].len() {
                let rule = self.users[option][index];
                let conflict =
                    if is_chosen { self.propagate_high(rule) } else { self.propagate_low(rule) };
                if conflict.is_some() {
                    return Ok(conflict);
                }
            }
            self.spend(OPTION_WORK * (1 + self.users[option].len() as u64))?;
            if let Some(conflict) = self.propagate_clauses(literal(option, !is_chosen)) {
                return Ok(Some(conflict));
            }
            if let Some(conflict) = self.propagate_costs() {
                return Ok(Some(conflict));
            }
        }
        Ok(None)
    }

    fn propagate_low(&mut self, index: u32) -> Option<Reason> {
        let rule = &self.rules[index as usize];
        let left = rule.options.len() as u32 - self.removed_counts[index as usize];
        if left < rule.low {
            return Some(Reason::Low(index));
        }
        if left == rule.low && self.chosen_counts[index as usize] < rule.low {
            for &option in &rule.options {
                if self.values[option.index()] == Value::Open {
                    self.assign(literal(option.index(), true), Reason::Low(index));
                }
            }
        }
        None
    }

    fn propagate_high(&mut self, index: u32) -> Option<Reason> {
        let rule = &self.rules[index as usize];
        let chosen = self.chosen_counts[index as usize];
        if chosen > rule.high {
            return Some(Reason::High(index));
        }
        let open = rule.options.len() as u32 - chosen - self.removed_counts[index as usize];
        if chosen == rule.high && open > 0 {
            for &option in &rule.options {
                if self.values[option.index()] == Value::Open {
                    self.assign(literal(option.index(), false), Reason::High(index));
                }
            }
        }
        None
    }

    fn propagate_costs(&mut self) -> Option<Reason> {
        for index in 0..self.costs.len() {
            let (cost, reason) = (&self.costs[index], Reason::Cost(index as u32));
            let Some(left) = cost.room.checked_sub(cost.spent) else { return Some(reason) };
            let costly = cost.order.iter().map(|&option| option as usize);
            let costly = costly.take_while(|&option| cost.weights[option].0 > left);
            let open = costly.filter(|&option| self.values[option] == Value::Open);
            let forced: Vec<_> = open.map(|option| literal(option, !cost.weights[option].1)).collect();
            forced.into_iter().for_each(|literal| self.assign(literal, reason));
        }
        None
    }

    /// Visits the clauses that watch `literal`, which has become false.
    fn propagate_clauses(&mut self, literal: Literal) -> Option<Reason> {
        let mut list = std::mem::take(&mut self.watchers[literal as usize]);
        let mut conflict = None;
        list.retain(|&place| {
            if conflict.is_some() {
                return true;
            }
            let clause = &mut self.clauses[place as usize].literals;
            if clause.len() > 1 && clause[0] == literal {
                clause.swap(0, 1);
            }
            let first = clause[0];
            if clause.len() > 1 && self.is_true(first) {
                return true;
            }
            let clause = &self.clauses[place as usize].literals;
            let other = (2..clause.len()).find(|&at| !self.is_false(clause[at]));
            if let Some(at) = other {
                let clause = &mut self.clauses[place as usize].literals;
                clause.swap(1, at);
                let watched = clause[1];
                self.watchers[watched as usize].push(place);
                return false;
            }
            if self.is_false(first) {
                conflict = Some(Reason::Clause(place));
            } else {
                self.assign(first, Reason::Clause(place));
            }
            true
        });
        // The clause of a watched literal never watches that literal a second time.
        self.watchers[literal as usize] = list;
        conflict
    }

    /// Calls `visit` with each option whose value is a part of `reason`: for a contradiction if
    /// `implied` is `None`, otherwise for the value of the option `implied`.
    fn explain(&self, reason: Reason, implied: Option<usize>, visit: &mut dyn FnMut(usize)) {
        let before = implied.map_or(u32::MAX, |option| self.places[option]);
        let is_earlier =
            |option: usize, value: Value| self.values[option] == value && self.places[option] < before;
        match reason {
            Reason::Decision => {}
            Reason::Low(rule) => {
                let options = self.rules[rule as usize].options.iter().map(|option| option.index());
                options.filter(|&option| is_earlier(option, Value::Removed)).for_each(visit);
            }
            Reason::High(rule) => {
                let rule = &self.rules[rule as usize];
                let needed = rule.high as usize + usize::from(implied.is_none());
                let options = rule.options.iter().map(|option| option.index());
                let chosen = options.filter(|&option| is_earlier(option, Value::Chosen));
                chosen.take(needed).for_each(visit);
            }
            Reason::Cost(index) => {
                let cost = &self.costs[index as usize];
                let costly = cost.order.iter().map(|&option| option as usize);
                let is_part = |&option: &usize| {
                    let value = if cost.weights[option].1 { Value::Chosen } else { Value::Removed };
                    is_earlier(option, value)
                };
                costly.filter(is_part).for_each(visit);
            }
            Reason::Clause(place) => {
                let literals = self.clauses[place as usize].literals.iter();
                literals.map(|&l| option_of(l)).filter(|&o| Some(o) != implied).for_each(visit);
            }
        }
    }

    /// Returns the number of the constraint of a reason.
    fn hint(&self, reason: Reason, implied: Option<usize>) -> u64 {
        match (reason, self.ids) {
            (Reason::Clause(place), _) => self.clauses[place as usize].id,
            (Reason::Cost(index), _) => self.costs[index as usize].id,
            (Reason::Decision, _) => 0,
            (Reason::Low(rule), RuleIds::Bounds(ids)) => ids[rule as usize][0],
            (Reason::High(rule), RuleIds::Bounds(ids)) => ids[rule as usize][1],
            (Reason::Low(rule), RuleIds::Clauses { low, .. }) => low[rule as usize],
            (Reason::High(rule), RuleIds::Clauses { low, pairs }) => {
                let mut pair: Vec<usize> = implied.into_iter().collect();
                self.explain(reason, implied, &mut |option| pair.push(option));
                let [one, other] = pair[..] else { return low[rule as usize] };
                pairs.clause(OptionId::new(one), OptionId::new(other)).unwrap_or_default()
            }
        }
    }

    /// Writes the unit clauses of the options decided at level 0 on which `option` depends, then
    /// its own.
    fn derive_unit(&mut self, option: usize, log: &mut ProofLog<'_>) -> Result<u64, ProofFault> {
        let mut needed = vec![option];
        let mut open = vec![option];
        let mut parts = Vec::new();
        let mut is_needed = std::collections::HashSet::from([option]);
        while let Some(option) = open.pop() {
            self.explain(self.reasons[option], Some(option), &mut |part| {
                if self.units[part] == 0 && is_needed.insert(part) {
                    parts.push(part);
                }
            });
            needed.extend(&parts);
            open.append(&mut parts);
        }
        needed.sort_unstable_by_key(|&option| self.places[option]);
        for option in needed {
            if self.units[option] > 0 {
                continue;
            }
            let reason = self.reasons[option];
            if let Reason::Clause(place) = reason
                && let LearnedClause { literals, id, .. } = &self.clauses[place as usize]
                && literals.len() == 1
            {
                self.units[option] = *id;
                continue;
            }
            let mut hints = Vec::new();
            self.explain(reason, Some(option), &mut |part| hints.push(self.units[part]));
            hints.push(self.hint(reason, Some(option)));
            self.spend(OPTION_WORK * hints.len() as u64)?;
            let own = number(literal(option, self.values[option] == Value::Chosen));
            self.units[option] = log.derive(&[own], &hints)?;
        }
        Ok(self.units[option])
    }

    fn unit(&mut self, option: usize, log: &mut ProofLog<'_>) -> Result<u64, ProofFault> {
        if self.units[option] > 0 { Ok(self.units[option]) } else { self.derive_unit(option, log) }
    }

    /// Ends the proof with the empty clause, after a contradiction at level 0.
    fn close(&mut self, reason: Reason, log: &mut ProofLog<'_>) -> Result<u64, ProofFault> {
        let mut parts = Vec::new();
        self.explain(reason, None, &mut |option| parts.push(option));
        let mut hints = Vec::new();
        for option in parts {
            hints.push(self.unit(option, log)?);
        }
        hints.push(self.hint(reason, None));
        log.derive(&[], &hints)
    }

    /// Learns the clause of the first unique implication point of a contradiction, goes back, and
    /// asserts the clause.
    fn learn(&mut self, conflict: Reason, log: &mut ProofLog<'_>) -> Result<(), ProofFault> {
        let level = self.marks.len() as u32;
        // The options that the clause keeps, and the options that were resolved.
        let (mut kept, mut resolved, mut fixed) = (Vec::new(), Vec::new(), Vec::new());
        let (mut reason, mut implied) = (conflict, None);
        let mut open = 0_usize;
        let mut place = self.trail.len();
        let mut parts = Vec::new();
        let point = loop {
            self.explain(reason, implied, &mut |option| parts.push(option));
            self.spend(OPTION_WORK * parts.len() as u64)?;
            for option in parts.drain(..) {
                if std::mem::replace(&mut self.is_seen[option], true) {
                    continue;
                }
                match self.levels[option] {
                    0 => fixed.push(option),
                    at if at == level => open += 1,
                    _ => kept.push(option),
                }
            }
            let option = loop {
                place -= 1;
                let option = self.trail[place] as usize;
                if self.is_seen[option] {
                    break option;
                }
            };
            open -= 1;
            if open == 0 {
                break option;
            }
            resolved.push(option);
            (reason, implied) = (self.reasons[option], Some(option));
        };
        // Drop the options that follow from the others.
        let mut index = 0;
        while index < kept.len() {
            let option = kept[index];
            let mut is_implied = self.reasons[option] != Reason::Decision;
            if is_implied {
                self.explain(self.reasons[option], Some(option), &mut |part| {
                    is_implied &= self.is_seen[part] || self.levels[part] == 0;
                    parts.push(part);
                });
                self.spend(OPTION_WORK * parts.len() as u64)?;
                let zeros = parts.drain(..).filter(|&part| self.levels[part] == 0);
                let zeros: Vec<_> = zeros.filter(|&part| !self.is_seen[part]).collect();
                if is_implied {
                    for zero in zeros {
                        self.is_seen[zero] = true;
                        fixed.push(zero);
                    }
                }
            }
            if is_implied {
                resolved.push(option);
                kept.swap_remove(index);
            } else {
                index += 1;
            }
        }
        let mut hints = Vec::with_capacity(fixed.len() + resolved.len() + 1);
        for &option in &fixed {
            hints.push(self.unit(option, log)?);
        }
        resolved.sort_unstable_by_key(|&option| self.places[option]);
        hints.extend(resolved.iter().map(|&option| self.hint(self.reasons[option], Some(option))));
        hints.push(self.hint(conflict, None));
        let seen = [&fixed, &resolved, &kept].into_iter().flatten().chain([&point]);
        seen.for_each(|&option| self.is_seen[option] = false);

        // The deepest of the other options is the second watched literal.
        kept.sort_unstable_by_key(|&option| Reverse(self.levels[option]));
        let back = kept.first().map_or(0, |&option| self.levels[option]);
        let mut different = kept.clone();
        different.dedup_by_key(|option| self.levels[*option]);
        let negated = |option: usize| literal(option, self.values[option] != Value::Chosen);
        let literals: Vec<_> = [point].iter().chain(&kept).map(|&option| negated(option)).collect();
        let numbers: Vec<_> = literals.iter().map(|&literal| number(literal)).collect();
        let id = log.derive(&numbers, &hints)?;
        self.back_to(back as usize);
        let asserted = literals[0];
        self.learned += literals.len();
        let place = self.keep_clause(literals, id, different.len() as u32 + 1);
        self.assign(asserted, Reason::Clause(place));
        if back == 0 {
            self.units[option_of(asserted)] = id;
        }
        Ok(())
    }

    /// Forgets the half of the learned clauses that has the most levels.
    fn forget(&mut self, log: &mut ProofLog<'_>) -> Result<(), ProofFault> {
        let is_reason = |place: u32| {
            let option = option_of(self.clauses[place as usize].literals[0]);
            self.values[option] != Value::Open && self.reasons[option] == Reason::Clause(place)
        };
        let all = 0..self.clauses.len() as u32;
        let mut learned: Vec<u32> =
            all.filter(|&place| self.clauses[place as usize].levels > 0).collect();
        learned.retain(|&place| !is_reason(place));
        learned.sort_by_key(|&place| {
            let clause = &self.clauses[place as usize];
            (Reverse(clause.levels), clause.id)
        });
        let half = self.learned / 2;
        let is_full = self.learned_next == self.learned_most;
        let mut deleted = Vec::new();
        for place in learned {
            let clause = &mut self.clauses[place as usize];
            if self.learned <= half || (!is_full && clause.levels <= LEVELS_KEPT) {
                break;
            }
            self.learned -= clause.literals.len();
            deleted.push(clause.id);
            *clause = LearnedClause { literals: Vec::new(), id: 0, levels: 0 };
            self.free.push(place);
        }
        let clauses = &self.clauses;
        self.watchers.iter_mut().for_each(|list| {
            list.retain(|&place| !clauses[place as usize].literals.is_empty());
        });
        self.learned_next = (self.learned_next + self.learned_next / 10).min(self.learned_most);
        log.delete(&deleted)
    }
}
