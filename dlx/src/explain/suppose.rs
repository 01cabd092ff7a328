//! What follows from an option that is supposed, and whether it ends in a contradiction.
//!
//! # The method
//! Breadth-first: the supposed option excludes those that conflict with it; an item that then has no more options than it
//! needs forces them, and so on, until an item has too few. Each option remembers why it was excluded or forced and when, so that
//! from the conflict back only what was needed is kept. This is unit propagation with reasons; as it goes
//! breadth-first, what it keeps is short. The chains of Sudoku, wings, forcing chains and nets are all found like this.
//!
//! What follows from an option that another one forces follows from that, too: so if an option ends in no contradiction,
//! none of those that it forces does, and they are not supposed. Once a contradiction is found, the others are followed only as far as they may be
//! as short.
//!
//! With `has_locked` an item all whose options lie in another one excludes the rest of that, too, where nothing is forced.
//!
//! Often what was kept is a set of truths and links whose rank already excludes the option, and then it is told so: the
//! implications need no order, and more options may fall.
//!
//! # Bounds
//! Some words an option and an item. All options are supposed one after the other, until [`WORK_MAX`] steps are done.

use super::locked::has;
use super::score;
use super::sets::Scene;
use super::state::{Knowledge, OptionTable, color_in};
use super::step::{Because, Inference, Reason, Step, Supposition};
use super::view::LeftView;
use crate::limits::{Limit, Pace};
use crate::model::{ItemId, OptionId};

/// The most steps, of about a nanosecond, that one search for suppositions takes.
const WORK_MAX: u64 = 1_000_000_000;

/// What is known of an option while another one is supposed.
#[derive(Clone, Copy, Debug)]
struct Learnt {
    /// When it became known, later for later ones, across all suppositions.
    time: u64,
    rule: Because,
    /// The chosen option because of which it was excluded by a link.
    cause: OptionId,
}

/// What suppositions are made with.
#[derive(Clone, Debug)]
pub(super) struct Supposer {
    /// Everything known before this time is forgotten.
    begin: u64,
    now: u64,
    on: Vec<Learnt>,
    off: Vec<Learnt>,
    live: Vec<u32>,
    need: Vec<u32>,
    room: Vec<u32>,
    /// The items of which the three above differ from the state.
    touched: Vec<ItemId>,
    is_touched: Vec<bool>,
    queue: Vec<OptionId>,
    /// When it became known of each option that it ends in no contradiction.
    harmless: Vec<u64>,
    work: u64,
}

/// How a supposition ends.
#[derive(Clone, Copy, Debug)]
struct Failure {
    item: ItemId,
    /// Whether the item has too few options left; otherwise two that are chosen conflict in it.
    is_short: bool,
}

/// How far a supposition came.
#[derive(Clone, Copy, Debug)]
enum Reached {
    /// It was not followed to its end.
    Open,
    /// Nothing more follows.
    Over,
    /// It ends in a contradiction.
    Fails(Failure),
}

impl Supposer {
    pub(super) fn new(table: &OptionTable) -> Self {
        let none = Learnt { time: 0, rule: Because::Truth(ItemId::new(0)), cause: OptionId::new(0) };
        let (items, options) = (table.problem.item_count(), table.problem.option_count());
        Self {
            begin: 1,
            now: 0,
            on: vec![none; options],
            off: vec![none; options],
            live: vec![0; items],
            need: vec![0; items],
            room: vec![0; items],
            touched: Vec::new(),
            is_touched: vec![false; items],
            queue: Vec::new(),
            harmless: vec![0; options],
            work: 0,
        }
    }

    /// Finds the suppositions of least score that end in a contradiction, in order of the options.
    pub(super) fn find(
        &mut self,
        subject: &Scene<'_>,
        view: &mut LeftView,
        has_locked: bool,
        pace: &mut Pace<'_>,
    ) -> Result<Vec<Step>, Limit> {
        let Scene { table, state, weights } = *subject;
        let start = self.now;
        let mut steps: Vec<Step> = Vec::new();
        let mut least = u32::MAX;
        let mut work = 0;
        for place in 0..view.options.len() {
            let option = view.options[place];
            if self.harmless[option.index()] > start {
                continue;
            }
            self.work = 100;
            let rounds = score::rounds(least);
            match self.suppose(table, state, option, rounds, has_locked) {
                Reached::Open => {}
                Reached::Over => {
                    // Whatever follows from one of these follows from this option.
                    let now = self.now;
                    self.queue.iter().for_each(|other| self.harmless[other.index()] = now);
                }
                Reached::Fails(conflict) => {
                    let supposition = self.trim(table, state, option, conflict);
                    let score = measure(&supposition, state, weights, conflict.is_short);
                    if score < least {
                        least = score;
                        steps.clear();
                    }
                    if score == least {
                        let step = told(table, state, view, supposition, conflict.is_short);
                        steps.push(Step { score, ..step });
                    }
                }
            }
            self.forget();
            pace.spend(self.work)?;
            work += self.work;
            if work > WORK_MAX {
                break;
            }
        }
        Ok(steps)
    }

    /// Supposes an option, and follows it as far as it is to go.
    fn suppose(
        &mut self,
        table: &OptionTable,
        state: &Knowledge,
        option: OptionId,
        rounds: u32,
        has_locked: bool,
    ) -> Reached {
        self.begin = self.now + 1;
        self.queue.clear();
        self.set_on(option, Because::Truth(ItemId::new(0)));
        let (mut next, mut end) = (0, 1);
        for _ in 0..=rounds {
            while next < end {
                let option = self.queue[next];
                next += 1;
                if let Some(conflict) = self.follow(table, state, option) {
                    return Reached::Fails(conflict);
                }
            }
            if end == self.queue.len()
                && has_locked
                && let Some(conflict) = self.lock(table, state)
            {
                return Reached::Fails(conflict);
            }
            if end == self.queue.len() {
                return Reached::Over;
            }
            end = self.queue.len();
        }
        Reached::Open
    }

    /// Draws the conclusions of an option that is on.
    fn follow(&mut self, table: &OptionTable, state: &Knowledge, option: OptionId) -> Option<Failure> {
        for entry in table.problem.option(option) {
            let item = entry.item;
            self.touch(state, item);
            let place = item.index();
            self.live[place] = self.live[place].saturating_sub(1);
            self.need[place] = self.need[place].saturating_sub(1);
            if entry.color.is_none() {
                if self.room[place] == 0 {
                    return Some(Failure { item, is_short: false });
                }
                self.room[place] -= 1;
                if self.room[place] > 0 {
                    continue;
                }
            }
            for &other in table.options(item) {
                self.work += 2;
                if other == option || !state.is_live(other) {
                    continue;
                }
                if entry.color.is_some() && color_in(&table.problem, other, item) == entry.color {
                    continue;
                }
                if self.is_on(other) {
                    // With room for more than one these were counted before.
                    if entry.color.is_some() || state.room(item) == 1 {
                        return Some(Failure { item, is_short: false });
                    }
                    continue;
                }
                if let Some(conflict) = self.exclude(table, state, other, Because::Link(item), option) {
                    return Some(conflict);
                }
            }
        }
        None
    }

    /// Excludes an option, and forces what is left of its items.
    fn exclude(
        &mut self,
        table: &OptionTable,
        state: &Knowledge,
        option: OptionId,
        rule: Because,
        cause: OptionId,
    ) -> Option<Failure> {
        if self.off[option.index()].time >= self.begin {
            return None;
        }
        self.now += 1;
        self.off[option.index()] = Learnt { time: self.now, rule, cause };
        for entry in table.problem.option(option) {
            self.work += 4;
            let item = entry.item;
            self.touch(state, item);
            let place = item.index();
            self.live[place] -= 1;
            if self.live[place] < self.need[place] {
                return Some(Failure { item, is_short: true });
            }
            if self.need[place] > 0 && self.live[place] == self.need[place] {
                for &other in table.options(item) {
                    self.work += 1;
                    if state.is_live(other) && !self.is_off(other) && !self.is_on(other) {
                        self.set_on(other, Because::Truth(item));
                    }
                }
            }
        }
        None
    }

    /// Excludes what items that lie in others exclude.
    fn lock(&mut self, table: &OptionTable, state: &Knowledge) -> Option<Failure> {
        let forced = self.queue.len();
        for index in 0..table.problem.item_count() {
            let truth = ItemId::new(index);
            self.touch(state, truth);
            if self.need[index] == 0 {
                continue;
            }
            let is_left = |known: &Self, option: OptionId| {
                state.is_live(option) && !known.is_off(option) && !known.is_on(option)
            };
            let options = table.options(truth);
            self.work += 2 * options.len() as u64;
            let Some(first) = options.iter().copied().find(|&option| is_left(self, option)) else {
                continue;
            };
            for entry in table.problem.option(first) {
                let link = entry.item;
                if link == truth || table.is_colored(link) {
                    continue;
                }
                self.touch(state, link);
                if self.room[link.index()] != 1 || self.live[link.index()] <= self.live[index] {
                    continue;
                }
                let mut left = options.iter().copied().filter(|&option| is_left(self, option));
                if !left.all(|option| has(&table.problem, option, link)) {
                    continue;
                }
                self.work += table.options(link).len() as u64;
                for &other in table.options(link) {
                    if is_left(self, other) && !has(&table.problem, other, truth) {
                        let rule = Because::Locked { truth, link };
                        if let Some(conflict) = self.exclude(table, state, other, rule, other) {
                            return Some(conflict);
                        }
                        // An option that is forced first draws its own conclusions: its items need no other.
                        if self.queue.len() > forced {
                            return None;
                        }
                    }
                }
            }
        }
        None
    }

    /// Keeps of all that is known what the conflict needs.
    fn trim(
        &self,
        table: &OptionTable,
        state: &Knowledge,
        option: OptionId,
        conflict: Failure,
    ) -> Supposition {
        let Failure { item: conflict, is_short } = conflict;
        let mut inferences: Vec<(u64, Inference)> = Vec::new();
        let mut open: Vec<(OptionId, bool)> = Vec::new();
        let mut seen: std::collections::BTreeSet<(OptionId, bool)> = [(option, true)].into();
        // What is known of an item up to a time: the options that are off, and those that are on.
        let ask_item = |item: ItemId, time: u64, open: &mut Vec<(OptionId, bool)>, wants: [bool; 2]| {
            for &other in table.options(item).iter().filter(|&&other| state.is_live(other)) {
                let is_known = |known: &Learnt| (self.begin..time).contains(&known.time);
                if wants[0] && is_known(&self.off[other.index()]) {
                    open.push((other, false));
                }
                if wants[1] && is_known(&self.on[other.index()]) {
                    open.push((other, true));
                }
            }
        };
        ask_item(conflict, u64::MAX, &mut open, [is_short, !is_short || state.need(conflict) > 1]);
        while let Some((option, is_on)) = open.pop() {
            if !seen.insert((option, is_on)) {
                continue;
            }
            let known = if is_on { self.on[option.index()] } else { self.off[option.index()] };
            inferences.push((known.time, Inference { option, is_on, by: known.rule }));
            match known.rule {
                Because::Truth(item) => {
                    ask_item(item, known.time, &mut open, [true, state.need(item) > 1]);
                }
                Because::Link(item) if state.room(item) > 1 => {
                    ask_item(item, known.time, &mut open, [false, true]);
                    open.push((known.cause, true));
                }
                Because::Link(_) => open.push((known.cause, true)),
                Because::Locked { truth, .. } => {
                    ask_item(truth, known.time, &mut open, [true, false]);
                }
            }
        }
        inferences.sort_unstable_by_key(|(time, _)| *time);
        let inferences = inferences.into_iter().map(|(_, inference)| inference).collect();
        Supposition { option, inferences, conflict }
    }

    /// Takes over what the state says of an item, if that was not done since the last supposition.
    #[inline]
    fn touch(&mut self, state: &Knowledge, item: ItemId) {
        let place = item.index();
        if !self.is_touched[place] {
            self.is_touched[place] = true;
            self.touched.push(item);
            (self.live[place], self.need[place], self.room[place]) =
                (state.live(item), state.need(item), state.room(item));
        }
    }

    /// Forgets all that follows from the last supposition.
    fn forget(&mut self) {
        for item in self.touched.drain(..) {
            self.is_touched[item.index()] = false;
        }
    }

    fn set_on(&mut self, option: OptionId, rule: Because) {
        self.now += 1;
        self.on[option.index()] = Learnt { time: self.now, rule, cause: option };
        self.queue.push(option);
    }

    fn is_on(&self, option: OptionId) -> bool {
        self.on[option.index()].time >= self.begin
    }

    fn is_off(&self, option: OptionId) -> bool {
        self.off[option.index()].time >= self.begin
    }
}

/// Returns the score of a supposition.
fn measure(supposition: &Supposition, state: &Knowledge, weights: &[u8], is_short: bool) -> u32 {
    let rules = supposition.inferences.iter().map(|inference| inference.by);
    let truths = rules.clone().filter_map(|rule| match rule {
        Because::Truth(truth) | Because::Locked { truth, .. } => Some(truth),
        Because::Link(_) => None,
    });
    let truths = truths.chain(is_short.then_some(supposition.conflict));
    let is_heavy = |item: ItemId| weights.get(item.index()).is_some_and(|&w| w >= score::HEAVY);
    score::supposed(score::Used {
        truths: truths.clone().count(),
        is_linear: truths.clone().all(|truth| state.live(truth) == 2),
        are_heavy: truths.clone().all(is_heavy),
        has_locked: rules.clone().any(|rule| matches!(rule, Because::Locked { .. })),
    })
}

/// Returns the step of a supposition: as truths and links, if they tell it, or as it is.
fn told(
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
            Because::Truth(item) => truths.push(item),
            Because::Link(item) => links.push(item),
            Because::Locked { truth, link } => {
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

/// Keeps the first of equal items.
fn dedup(items: &mut Vec<ItemId>) {
    let mut seen = std::collections::BTreeSet::new();
    items.retain(|&item| seen.insert(item));
}
