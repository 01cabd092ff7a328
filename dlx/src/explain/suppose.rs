//! Suppositions: the consequences of choosing an option, up to a contradiction.
//!
//! # Method
//! Breadth-first unit propagation with reasons: the supposed option excludes conflicting ones. An
//! item that then has no more options than it needs forces them, and so on, until an item has too
//! few options. Each option records why and when it was excluded or forced, so a backward walk from
//! the contradiction keeps only the necessary inferences. Suppositions include the chains, wings,
//! forcing chains and nets of Sudoku.
//!
//! If no item takes more than one option, all options are first propagated in parallel without
//! reasons (`scout`), and only the failing ones are supposed with reasons. If an option leads to no
//! contradiction, the options that it forces are skipped, because their consequences are a subset.
//!
//! If an inference has several reasons, the first one is kept, in an order independent of names
//! (`lists`), so that a rotated Sudoku gets the same rating.
//!
//! With `has_locked`, if no option is forced, an item whose options all lie in another item
//! excludes the other options of that item.
//!
//! If the kept inferences form a set of truths and links whose rank already excludes the option,
//! that set is reported. The implications of a set need no order, and the set may exclude more
//! options.
//!
//! # Bounds
//! A supposition takes some words per option and item. Options are supposed one by one, until
//! [`WORK_MAX`] is reached.

use super::keys::StepKeys;
use super::lists::{LeftEntry, LeftLists};
use super::score;
use super::scout::{Locks, Scout, ScoutedRound};
use super::sets::Scene;
use super::state::{Knowledge, OptionTable};
use super::step::{Inference, InferenceRule, Reason, Step, Supposition};
use super::view::LeftView;
use crate::limits::{Limit, Pace};
use crate::model::ItemId;

/// Maximum work of one search for suppositions (ns).
const WORK_MAX: u64 = 1_000_000_000;

/// How an option was forced or excluded under a supposition. Options and items are given by their
/// list numbers.
#[derive(Clone, Copy, Debug)]
struct Derivation {
    /// The time of the derivation, which increases across all suppositions.
    time: u64,
    rule: DerivationRule,
    /// The chosen option that excluded this option by a link.
    cause: u32,
}

#[derive(Clone, Copy, Debug)]
enum DerivationRule {
    Truth(u32),
    Link(u32),
    Locked { truth: u32, link: u32 },
}

#[derive(Clone, Copy, Debug, Default)]
struct ItemCounts {
    time: u64,
    live: u32,
    need: u32,
    room: u32,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Supposer {
    lists: LeftLists,
    scout: Scout,
    locks: Locks,
    /// Derivations before this time are obsolete.
    begin: u64,
    now: u64,
    on: Vec<Derivation>,
    off: Vec<Derivation>,
    counts: Vec<ItemCounts>,
    queue: Vec<u32>,
    /// Whether each option is known to lead to no contradiction.
    is_harmless: Vec<bool>,
    work: u64,
}

#[derive(Clone, Copy, Debug)]
struct FailedItem {
    item: u32,
    /// Whether the item has too few options left. If this is `false`, two chosen options conflict
    /// in the item.
    is_short: bool,
}

#[derive(Clone, Copy, Debug)]
enum SuppositionResult {
    Open,
    Over,
    Fails(FailedItem),
}

#[derive(Debug)]
struct LeastSteps {
    score: u32,
    most: u32,
    steps: Vec<(u32, Step)>,
}

impl Supposer {
    /// Finds the suppositions of least score that end in a contradiction, with scores of at most
    /// `most`.
    ///
    /// Must be called with `has_locked` only after a call without it found no supposition.
    pub(super) fn find(
        &mut self,
        subject: &Scene<'_>,
        view: &mut LeftView,
        (has_locked, most): (bool, u32),
        pace: &mut Pace<'_>,
    ) -> Result<Vec<Step>, Limit> {
        pace.spend(20 * self.lists.options.len() as u64)?;
        let mut found = LeastSteps { score: most.saturating_add(1), most, steps: Vec::new() };
        if self.lists.is_plain && !has_locked {
            self.find_side_by_side(subject, view, &mut found, pace)?;
        } else {
            self.is_harmless.fill(false);
            if self.lists.is_plain {
                self.mark_harmless_by_locks(pace)?;
            }
            self.find_one_by_one(subject, view, has_locked, &mut found, pace)?;
        }
        let LeastSteps { mut steps, .. } = found;
        steps.sort_unstable_by_key(|(option, _)| self.lists.options[*option as usize]);
        Ok(steps.into_iter().map(|(_, step)| step).collect())
    }

    pub(super) fn fill(&mut self, subject: &Scene<'_>, keys: &StepKeys) {
        self.lists.fill(subject.table, subject.state, keys);
        let none = Derivation { time: 0, rule: DerivationRule::Truth(0), cause: 0 };
        let (items, options) = (self.lists.items.len(), self.lists.options.len());
        for known in [&mut self.on, &mut self.off] {
            known.clear();
            known.resize(options, none);
        }
        self.counts.clear();
        self.counts.resize(items, ItemCounts::default());
        self.is_harmless.clear();
        self.is_harmless.resize(options, false);
        (self.begin, self.now) = (1, 0);
    }

    fn find_side_by_side(
        &mut self,
        subject: &Scene<'_>,
        view: &mut LeftView,
        found: &mut LeastSteps,
        pace: &mut Pace<'_>,
    ) -> Result<(), Limit> {
        let (mut begin, count, mut work) = (0, self.lists.options.len(), 0);
        while begin < count && work < WORK_MAX {
            begin = self.scout.begin(&self.lists, &self.is_harmless, begin);
            let mut rounds = 0;
            while rounds <= score::rounds(found.score) && work < WORK_MAX {
                let round = self.scout.go_on(&self.lists);
                let ScoutedRound { failed, is_over, work: done } = round;
                pace.spend(done)?;
                work += done;
                for option in failed {
                    self.work = 100;
                    let reached = self.suppose(subject.table, option, u32::MAX - 1, false);
                    if let SuppositionResult::Fails(conflict) = reached {
                        self.keep(subject, view, option, conflict, found);
                    }
                    debug_assert!(
                        matches!(reached, SuppositionResult::Fails(_)),
                        "the scout saw it fail"
                    );
                    pace.spend(self.work)?;
                    work += self.work;
                }
                if is_over {
                    break;
                }
                rounds += 1;
            }
            if begin < count {
                self.scout.mark_harmless(&mut self.is_harmless);
            }
        }
        Ok(())
    }

    /// Marks the options as harmless that lead to no contradiction even with all locked options.
    fn mark_harmless_by_locks(&mut self, pace: &mut Pace<'_>) -> Result<(), Limit> {
        let Self { lists, scout, locks, is_harmless, .. } = self;
        if !locks.fill(lists) {
            return Ok(());
        }
        pace.spend(10 * lists.entry_count() as u64)?;
        let (mut begin, count, mut work) = (0, lists.options.len(), 0);
        let mut is_followed = scout.has_followed(count);
        while begin < count && work < WORK_MAX {
            if std::mem::take(&mut is_followed) {
                begin = count;
            } else {
                begin = scout.begin(lists, is_harmless, begin);
                loop {
                    let round = scout.go_on(lists);
                    pace.spend(round.work)?;
                    if round.is_over {
                        break;
                    }
                }
            }
            let (failed, done) = scout.go_on_with(lists, locks);
            pace.spend(done)?;
            work += done;
            for &option in scout.followed() {
                is_harmless[option as usize] = true;
            }
            for option in failed {
                is_harmless[option as usize] = false;
            }
            if begin < count {
                scout.mark_harmless(is_harmless);
            }
        }
        Ok(())
    }

    /// Supposes each option, as long as its contradiction may be as short as the best so far.
    fn find_one_by_one(
        &mut self,
        subject: &Scene<'_>,
        view: &mut LeftView,
        has_locked: bool,
        found: &mut LeastSteps,
        pace: &mut Pace<'_>,
    ) -> Result<(), Limit> {
        let mut work = 0;
        for option in 0..self.lists.options.len() as u32 {
            if self.is_harmless[option as usize] {
                continue;
            }
            self.work = 100;
            // If items take several options, two chosen options may conflict without another truth.
            let rounds = score::rounds(found.score) + 1;
            match self.suppose(subject.table, option, rounds, has_locked) {
                SuppositionResult::Open => {}
                SuppositionResult::Over => {
                    self.queue.iter().for_each(|&other| self.is_harmless[other as usize] = true);
                }
                SuppositionResult::Fails(conflict) => self.keep(subject, view, option, conflict, found),
            }
            pace.spend(self.work)?;
            work += self.work;
            if work > WORK_MAX {
                break;
            }
        }
        Ok(())
    }

    fn keep(
        &self,
        subject: &Scene<'_>,
        view: &mut LeftView,
        option: u32,
        conflict: FailedItem,
        found: &mut LeastSteps,
    ) {
        let Scene { table, state, weights } = *subject;
        let supposition = self.trim(option, conflict);
        let score = measure(&supposition, state, weights, conflict.is_short);
        if score < found.score {
            found.score = score;
            found.steps.clear();
        }
        if score == found.score && score <= found.most {
            let step = step_of(table, state, view, supposition, conflict.is_short);
            found.steps.push((option, Step { score, ..step }));
        }
    }

    /// Supposes an option, and propagates it for at most `rounds` rounds after the first.
    fn suppose(
        &mut self,
        table: &OptionTable,
        option: u32,
        rounds: u32,
        has_locked: bool,
    ) -> SuppositionResult {
        self.begin = self.now + 1;
        self.queue.clear();
        self.set_on(option, DerivationRule::Truth(0));
        let (mut next, mut end) = (0, 1);
        for _ in 0..=rounds {
            while next < end {
                let option = self.queue[next];
                next += 1;
                if let Some(conflict) = self.follow(table, option) {
                    return SuppositionResult::Fails(conflict);
                }
            }
            if end == self.queue.len()
                && has_locked
                && let Some(conflict) = self.lock()
            {
                return SuppositionResult::Fails(conflict);
            }
            if end == self.queue.len() {
                return SuppositionResult::Over;
            }
            end = self.queue.len();
        }
        SuppositionResult::Open
    }

    fn follow(&mut self, table: &OptionTable, option: u32) -> Option<FailedItem> {
        let lists = std::mem::take(&mut self.lists);
        let failure = self.follow_in(&lists, table, option);
        self.lists = lists;
        failure
    }

    fn follow_in(&mut self, lists: &LeftLists, table: &OptionTable, option: u32) -> Option<FailedItem> {
        for &LeftEntry { item, color } in lists.entries(option) {
            let counts = self.counts_of(lists, item);
            counts.live = counts.live.saturating_sub(1);
            counts.need = counts.need.saturating_sub(1);
            if color.is_none() {
                if counts.room == 0 {
                    return Some(FailedItem { item, is_short: false });
                }
                counts.room -= 1;
                if counts.room > 0 {
                    continue;
                }
            }
            for &other in lists.list(item) {
                self.work += 2;
                if other == option || (color.is_some() && lists.color(table, other, item) == color) {
                    continue;
                }
                if self.is_on(other) {
                    // If the item takes several options, `room` already counts the chosen ones.
                    if color.is_some() || lists.room[item as usize] == 1 {
                        return Some(FailedItem { item, is_short: false });
                    }
                    continue;
                }
                if let Some(conflict) = self.exclude(lists, other, DerivationRule::Link(item), option) {
                    return Some(conflict);
                }
            }
        }
        None
    }

    /// Excludes an option, and forces the last options of its items.
    fn exclude(
        &mut self,
        lists: &LeftLists,
        option: u32,
        rule: DerivationRule,
        cause: u32,
    ) -> Option<FailedItem> {
        if self.is_off(option) {
            return None;
        }
        self.now += 1;
        self.off[option as usize] = Derivation { time: self.now, rule, cause };
        for &LeftEntry { item, .. } in lists.entries(option) {
            self.work += 4;
            let counts = self.counts_of(lists, item);
            counts.live -= 1;
            if counts.live < counts.need {
                return Some(FailedItem { item, is_short: true });
            }
            if counts.need > 0 && counts.live == counts.need {
                for &other in lists.list(item) {
                    self.work += 1;
                    if !self.is_off(other) && !self.is_on(other) {
                        self.set_on(other, DerivationRule::Truth(item));
                    }
                }
            }
        }
        None
    }

    fn lock(&mut self) -> Option<FailedItem> {
        let lists = std::mem::take(&mut self.lists);
        let failure = self.lock_in(&lists);
        self.lists = lists;
        failure
    }

    fn lock_in(&mut self, lists: &LeftLists) -> Option<FailedItem> {
        let forced = self.queue.len();
        for truth in 0..lists.items.len() as u32 {
            let ItemCounts { live, need, .. } = *self.counts_of(lists, truth);
            if need == 0 {
                continue;
            }
            let is_left = |known: &Self, option: u32| !known.is_off(option) && !known.is_on(option);
            let options = lists.list(truth);
            self.work += 2 * options.len() as u64;
            let Some(first) = options.iter().copied().find(|&option| is_left(self, option)) else {
                continue;
            };
            for &LeftEntry { item: link, .. } in lists.entries(first) {
                if link == truth || lists.is_colored[link as usize] {
                    continue;
                }
                let counts = self.counts_of(lists, link);
                if counts.room != 1 || counts.live <= live {
                    continue;
                }
                let mut left = options.iter().copied().filter(|&option| is_left(self, option));
                if !left.all(|option| lists.has(option, link)) {
                    continue;
                }
                self.work += lists.list(link).len() as u64;
                for &other in lists.list(link) {
                    if is_left(self, other) && !lists.has(other, truth) {
                        let rule = DerivationRule::Locked { truth, link };
                        if let Some(conflict) = self.exclude(lists, other, rule, other) {
                            return Some(conflict);
                        }
                        // A newly forced option is propagated first, because it may make other
                        // locked items unnecessary.
                        if self.queue.len() > forced {
                            return None;
                        }
                    }
                }
            }
        }
        None
    }

    fn trim(&self, option: u32, conflict: FailedItem) -> Supposition {
        let lists = &self.lists;
        let FailedItem { item: conflict, is_short } = conflict;
        let mut inferences: Vec<(u64, Inference)> = Vec::new();
        let mut open: Vec<(u32, bool)> = Vec::new();
        let mut seen: std::collections::BTreeSet<(u32, bool)> = [(option, true)].into();
        let (need, room) =
            (|item: u32| lists.need[item as usize], |item: u32| lists.room[item as usize]);
        // Collects the derivations of an item's options before `time`: with `wants[0]` those of
        // excluded options, with `wants[1]` those of chosen ones.
        let ask_item = |item: u32, time: u64, open: &mut Vec<(u32, bool)>, wants: [bool; 2]| {
            for &other in lists.list(item) {
                let is_known = |known: &Derivation| (self.begin..time).contains(&known.time);
                if wants[0] && is_known(&self.off[other as usize]) {
                    open.push((other, false));
                }
                if wants[1] && is_known(&self.on[other as usize]) {
                    open.push((other, true));
                }
            }
        };
        ask_item(conflict, u64::MAX, &mut open, [is_short, !is_short || need(conflict) > 1]);
        let item_id = |item: u32| lists.items[item as usize];
        while let Some((option, is_on)) = open.pop() {
            if !seen.insert((option, is_on)) {
                continue;
            }
            let known = if is_on { self.on[option as usize] } else { self.off[option as usize] };
            let by = match known.rule {
                DerivationRule::Truth(item) => {
                    ask_item(item, known.time, &mut open, [true, need(item) > 1]);
                    InferenceRule::Truth(item_id(item))
                }
                DerivationRule::Link(item) => {
                    if room(item) > 1 {
                        ask_item(item, known.time, &mut open, [false, true]);
                    }
                    open.push((known.cause, true));
                    InferenceRule::Link(item_id(item))
                }
                DerivationRule::Locked { truth, link } => {
                    ask_item(truth, known.time, &mut open, [true, false]);
                    InferenceRule::Locked { truth: item_id(truth), link: item_id(link) }
                }
            };
            let option = lists.options[option as usize];
            inferences.push((known.time, Inference { option, is_on, by }));
        }
        inferences.sort_unstable_by_key(|(time, _)| *time);
        let inferences = inferences.into_iter().map(|(_, inference)| inference).collect();
        let option = lists.options[option as usize];
        Supposition { option, inferences, conflict: item_id(conflict) }
    }

    #[inline]
    fn counts_of(&mut self, lists: &LeftLists, item: u32) -> &mut ItemCounts {
        let place = item as usize;
        let counts = &mut self.counts[place];
        if counts.time != self.begin {
            let (live, need, room) = (lists.live[place], lists.need[place], lists.room[place]);
            *counts = ItemCounts { time: self.begin, live, need, room };
        }
        counts
    }

    fn set_on(&mut self, option: u32, rule: DerivationRule) {
        self.now += 1;
        self.on[option as usize] = Derivation { time: self.now, rule, cause: option };
        self.queue.push(option);
    }

    fn is_on(&self, option: u32) -> bool {
        self.on[option as usize].time >= self.begin
    }

    fn is_off(&self, option: u32) -> bool {
        self.off[option as usize].time >= self.begin
    }
}

fn measure(supposition: &Supposition, state: &Knowledge, weights: &[u8], is_short: bool) -> u32 {
    let rules = supposition.inferences.iter().map(|inference| inference.by);
    let truths = rules.clone().filter_map(|rule| match rule {
        InferenceRule::Truth(truth) | InferenceRule::Locked { truth, .. } => Some(truth),
        InferenceRule::Link(_) => None,
    });
    let truths = truths.chain(is_short.then_some(supposition.conflict));
    let is_heavy = |item: ItemId| weights.get(item.index()).is_some_and(|&w| w >= score::HEAVY);
    score::supposed(score::Used {
        truths: truths.clone().count(),
        is_linear: truths.clone().all(|truth| state.live(truth) == 2),
        are_heavy: truths.clone().all(is_heavy),
        has_locked: rules.clone().any(|rule| matches!(rule, InferenceRule::Locked { .. })),
    })
}

/// Returns the step of a supposition, as truths and links if these prove it, otherwise as a
/// supposition.
fn step_of(
    table: &OptionTable,
    state: &Knowledge,
    view: &mut LeftView,
    supposition: Supposition,
    is_short: bool,
) -> Step {
    let option = supposition.option;
    let step = |reason, off| Step { reason, on: Vec::new(), off, score: 0, choices: 1 };
    let (mut truths, mut links) = (Vec::new(), Vec::new());
    for inference in &supposition.inferences {
        match inference.by {
            InferenceRule::Truth(item) => truths.push(item),
            InferenceRule::Link(item) => links.push(item),
            InferenceRule::Locked { truth, link } => {
                truths.push(truth);
                links.push(link);
            }
        }
    }
    if is_short { &mut truths } else { &mut links }.push(supposition.conflict);
    dedup(&mut truths);
    dedup(&mut links);
    let is_plain = truths.iter().all(|&truth| state.need(truth) == 1)
        && links.iter().all(|&link| state.is_link(table, link));
    if is_plain {
        let rank = links.len() as i64 - truths.len() as i64;
        let off = view.excluded(&truths, &links, rank);
        if rank >= 0 && off.contains(&option) {
            return step(Reason::Sets { truths, links }, off);
        }
    }
    step(Reason::Supposition(supposition), vec![option])
}

fn dedup(items: &mut Vec<ItemId>) {
    let mut seen = std::collections::BTreeSet::new();
    items.retain(|&item| seen.insert(item));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::model::{OptionId, Problem, ProblemBuilder};

    fn random(rng: &mut fastrand::Rng, item_count: usize, option_count: usize) -> Problem {
        let mut builder = ProblemBuilder::new();
        let items: Vec<ItemId> = (0..item_count)
            .map(|item| match rng.u8(0..6) {
                0 => builder.secondary(&format!("i{item}")).expect("a new name"),
                _ => builder.primary(&format!("i{item}")).expect("a new name"),
            })
            .collect();
        for _ in 0..option_count {
            let mut of = items.clone();
            rng.shuffle(&mut of);
            builder.option(of[..rng.usize(1..4)].iter().copied()).expect("different items");
        }
        builder.build()
    }

    fn latin(order: usize, [height, width]: [usize; 2]) -> Problem {
        let mut builder = ProblemBuilder::new();
        let count = order * order;
        let kinds = if height == 0 { 3 } else { 4 };
        let items: Vec<ItemId> = (0..kinds * count)
            .map(|item| builder.primary(&format!("i{item}")).expect("a new name"))
            .collect();
        for option in 0..count * order {
            let (row, column, value) = (option / count, option / order % order, option % order);
            let mut of = vec![row * order + column];
            of.extend([row, order + column].map(|house| count + house * order + value));
            if let Some(band) = row.checked_div(height) {
                let region = band * (order / width) + column / width;
                of.push(3 * count + region * order + value);
            }
            builder.option(of.into_iter().map(|item| items[item])).expect("different items");
        }
        builder.build()
    }

    fn fails(table: &OptionTable, state: &Knowledge, option: OptionId) -> bool {
        let problem = &table.problem;
        let has = |option, item| problem.option(option).iter().any(|entry| entry.item == item);
        let items: Vec<ItemId> = problem.items().filter(|&item| state.live(item) > 0).collect();
        let mut left: std::collections::BTreeSet<OptionId> = state.options().collect();
        let exclude = |left: &mut std::collections::BTreeSet<OptionId>, on: OptionId| {
            left.retain(|&other| {
                other == on || !problem.option(on).iter().any(|entry| has(other, entry.item))
            });
        };
        exclude(&mut left, option);
        loop {
            let before = left.len();
            for &truth in items.iter().filter(|&&item| state.need(item) > 0) {
                let of: Vec<OptionId> =
                    left.iter().copied().filter(|&option| has(option, truth)).collect();
                match *of {
                    [] => return true,
                    [forced] => exclude(&mut left, forced),
                    _ => {}
                }
                for &link in &items {
                    if of.iter().all(|&option| has(option, link)) {
                        left.retain(|&option| !has(option, link) || has(option, truth));
                    }
                }
            }
            if left.len() == before {
                return false;
            }
        }
    }

    /// Compares the scout with single suppositions. Returns how many options fail without locked
    /// options, only with them, and not at all.
    fn check(problem: &Problem, given: &[OptionId]) -> [usize; 3] {
        let table = OptionTable::new(problem);
        let mut state = table.start().clone();
        for &option in given {
            if state.is_live(option) {
                state.choose(&table, option);
            }
        }
        let is_forced = |item| state.need(item) > 0 && state.live(item) <= state.need(item);
        if problem.items().any(is_forced) {
            return [0; 3];
        }
        let mut keys = StepKeys::default();
        keys.learn(&table, &state, &[]);
        let mut supposer = Supposer::default();
        supposer.fill(&Scene { table: &table, state: &state, weights: &[] }, &keys);
        assert!(supposer.lists.is_plain);
        let count = supposer.lists.options.len();
        let mut rounds = vec![None; count];
        let mut begin = 0;
        while begin < count {
            begin = supposer.scout.begin(&supposer.lists, &vec![false; count], begin);
            for number in 0.. {
                let round = supposer.scout.go_on(&supposer.lists);
                for option in round.failed {
                    rounds[option as usize] = Some(number);
                }
                if round.is_over {
                    break;
                }
            }
        }
        supposer.mark_harmless_by_locks(&mut Pace::new(&Limits::new())).expect("no limits");
        let mut counts = [0; 3];
        for option in 0..count as u32 {
            let mut fails_by = |rounds, has_locked| {
                matches!(
                    supposer.suppose(&table, option, rounds, has_locked),
                    SuppositionResult::Fails(_)
                )
            };
            let round = rounds[option as usize];
            let first = (0..count as u32).find(|&number| fails_by(number, false));
            assert_eq!(round, first, "option {option} of {}", crate::text::write(problem));
            let has_failed = fails_by(u32::MAX - 1, true);
            let is_harmless = supposer.is_harmless[option as usize];
            assert!(!(has_failed && is_harmless), "option {option} of {}", crate::text::write(problem));
            let id = supposer.lists.options[option as usize];
            let must_fail = fails(&table, &state, id);
            assert_eq!(must_fail, !is_harmless, "{id:?} of {}", crate::text::write(problem));
            counts[if round.is_some() { 0 } else { 2 - usize::from(!is_harmless) }] += 1;
        }
        counts
    }

    #[test]
    fn the_scout_and_single_suppositions_fail_in_the_same_round() {
        let mut rng = fastrand::Rng::with_seed(1);
        let mut sums = [0; 3];
        let mut add = |counts: [usize; 3]| (0..3).for_each(|kind| sums[kind] += counts[kind]);
        for _ in 0..2000 {
            let (items, options) = (rng.usize(4..12), rng.usize(8..40));
            add(check(&random(&mut rng, items, options), &[]));
        }
        for (order, boxes) in [(4, [0, 0]), (6, [0, 0]), (7, [0, 0]), (6, [2, 3])] {
            let problem = latin(order, boxes);
            for count in 0..2 * order {
                let draw = |_| OptionId::new(rng.usize(0..problem.option_count()));
                let given: Vec<OptionId> = (0..count).map(draw).collect();
                add(check(&problem, &given));
            }
        }
        assert!(sums.iter().all(|&sum| sum > 100), "{sums:?}");
    }
}
