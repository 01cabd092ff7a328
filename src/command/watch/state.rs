//! The lists of a dancing-links search after some events: the active items, their remaining
//! options, and the chosen options.
//!
//! The state is computed from the events alone and has no links. An option is *shown* while it is
//! in the list of some active item, and then it is in the lists of all its items. A trail records
//! each change, and the events `back` and `leave` undo the changes since `try` and `choose`.
//!
//! Invariant: the size of an active item is the number of shown options that contain the item.
//! Tests compare the state with data of the engine (degrees, dead ends, hidden options, updates).

use std::sync::Arc;

use dlx::engine::events::Event;
use dlx::{Color, ItemId, OptionId, Problem};

/// One choice on the path from the root of the search tree.
#[derive(Clone, Debug)]
pub(super) struct ChosenOption {
    pub(super) item: ItemId,
    /// The current option, or `None` before the first try, between tries, and during the try that
    /// leaves the item uncovered.
    pub(super) option: Option<OptionId>,
    /// The number of the current try, and the number of tries.
    pub(super) ordinal: u32,
    pub(super) degree: u32,
    /// Whether a try is in progress.
    pub(super) is_tried: bool,
    /// The lengths of the trail when the node and when the current try began.
    node_start: usize,
    try_start: usize,
}

#[derive(Clone, Copy, Debug)]
enum Undo {
    Hidden(OptionId),
    Inactive(ItemId),
    Colored(ItemId),
    Counted(ItemId),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct EventCounts {
    pub(super) events: u64,
    pub(super) nodes: u64,
    pub(super) updates: u64,
    pub(super) solutions: u64,
    pub(super) dead_ends: u64,
}

/// The lists of the search after some events.
#[derive(Clone, Debug)]
pub(super) struct WatchState {
    problem: Arc<Problem>,
    options: Arc<Vec<Vec<OptionId>>>,
    // The following vectors are indexed by item.
    is_active: Vec<bool>,
    is_settled: Vec<bool>,
    colors: Vec<Option<Color>>,
    /// For each item, the number of options still required by its lower bound.
    needs: Vec<i64>,
    sizes: Vec<u32>,
    // The following vector is indexed by option.
    is_shown: Vec<bool>,
    given: Vec<OptionId>,
    path: Vec<ChosenOption>,
    trail: Vec<Undo>,
    counters: EventCounts,
    /// The last event, and the options that this event hid or restored.
    last: Option<Event>,
    changed: Vec<OptionId>,
}

impl WatchState {
    pub(super) fn new(problem: &Arc<Problem>) -> Self {
        let mut options = vec![Vec::new(); problem.item_count()];
        let can_be_chosen = |option: OptionId| {
            let mut bounds = problem.option(option).iter().filter_map(|e| problem.bounds(e.item));
            bounds.next().is_some_and(|first| first.high > 0 && bounds.all(|bounds| bounds.high > 0))
        };
        let is_shown: Vec<bool> = problem.options().map(can_be_chosen).collect();
        for option in problem.options().filter(|option| is_shown[option.index()]) {
            for entry in problem.option(option) {
                options[entry.item.index()].push(option);
            }
        }
        let bounds: Vec<_> = problem.items().map(|item| problem.bounds(item)).collect();
        Self {
            problem: Arc::clone(problem),
            is_active: bounds.iter().map(|b| b.is_some_and(|bounds| bounds.high > 0)).collect(),
            is_settled: vec![false; problem.item_count()],
            colors: vec![None; problem.item_count()],
            needs: bounds.iter().map(|b| b.map_or(0, |bounds| bounds.low.into())).collect(),
            sizes: options.iter().map(|options| options.len() as u32).collect(),
            options: Arc::new(options),
            is_shown,
            given: Vec::new(),
            path: Vec::new(),
            trail: Vec::new(),
            counters: EventCounts::default(),
            last: None,
            changed: Vec::new(),
        }
    }

    pub(super) fn problem(&self) -> &Problem {
        &self.problem
    }

    pub(super) fn path(&self) -> &[ChosenOption] {
        &self.path
    }

    pub(super) fn counters(&self) -> EventCounts {
        self.counters
    }

    pub(super) fn last(&self) -> Option<Event> {
        self.last
    }

    /// Returns whether `option` is in the lists of its items.
    pub(super) fn is_shown(&self, option: OptionId) -> bool {
        self.is_shown[option.index()]
    }

    /// Returns whether the last event hid or restored `option`.
    pub(super) fn is_changed(&self, option: OptionId) -> bool {
        self.changed.contains(&option)
    }

    /// Returns whether `item` is a primary item that is not covered yet.
    pub(super) fn is_active(&self, item: ItemId) -> bool {
        self.is_active[item.index()]
    }

    /// Returns whether `item` is covered, or purified to a color.
    pub(super) fn is_settled(&self, item: ItemId) -> bool {
        self.is_settled[item.index()]
    }

    /// Returns the number of options in the list of `item`.
    pub(super) fn size(&self, item: ItemId) -> u32 {
        self.sizes[item.index()]
    }

    /// Returns the number of branches at an active item, or `None` if the item can be left as it
    /// is.
    pub(super) fn degree(&self, item: ItemId) -> Option<u32> {
        let (size, need) = (self.size(item), self.needs[item.index()].max(0));
        let degree = (i64::from(size) + 1 - need).max(0) as u32;
        (size > 0 || need > 0).then_some(degree)
    }

    /// Returns the approximate size of a copy of the state (bytes).
    pub(super) fn byte_count(&self) -> usize {
        22 * self.sizes.len() + self.is_shown.len() + 8 * self.trail.len() + 48 * self.path.len() + 256
    }

    pub(super) fn cover(&self) -> Vec<OptionId> {
        self.given.iter().copied().chain(self.path.iter().filter_map(|choice| choice.option)).collect()
    }

    pub(super) fn apply(&mut self, event: Event) {
        self.changed.clear();
        self.last = Some(event);
        self.counters.events += 1;
        match event {
            Event::Given { option, updates } => {
                self.counters.updates += updates;
                self.given.push(option);
                self.hide(option);
                self.count(option, None);
            }
            Event::Choose { item, degree, .. } => {
                self.counters.nodes += 1;
                let start = self.trail.len();
                self.path.push(ChosenOption {
                    item,
                    option: None,
                    ordinal: 0,
                    degree,
                    is_tried: false,
                    node_start: start,
                    try_start: start,
                });
                self.change(Undo::Counted(item));
            }
            Event::Cover { item, color, updates, .. } => {
                self.counters.updates += updates;
                self.cover_item(item, color);
            }
            Event::Try { option, ordinal, updates, .. } => {
                self.counters.updates += updates;
                self.try_choice(option, ordinal);
            }
            Event::DeadEnd { .. } => {
                self.counters.nodes += 1;
                self.counters.dead_ends += 1;
            }
            Event::Solution { .. } => {
                self.counters.nodes += 1;
                self.counters.solutions += 1;
            }
            Event::Back { .. } => {
                let choice = self.path.last_mut().expect("back comes behind a try");
                (choice.option, choice.is_tried) = (None, false);
                let start = choice.try_start;
                self.undo(start);
            }
            Event::Leave { .. } => {
                let choice = self.path.pop().expect("leave comes behind a choice");
                self.undo(choice.node_start);
            }
            _ => {}
        }
    }

    fn try_choice(&mut self, option: Option<OptionId>, ordinal: u32) {
        let item = self.path.last().expect("a try comes behind a choice").item;
        if let Some(option) = option
            && self.is_shown(option)
        {
            // The item may be covered once more. The option stays hidden until the search leaves
            // the node.
            self.hide(option);
        }
        let start = self.trail.len();
        let choice = self.path.last_mut().expect("a try comes behind a choice");
        (choice.option, choice.ordinal, choice.is_tried) = (option, ordinal, true);
        choice.try_start = start;
        match option {
            Some(option) => self.count(option, Some(item)),
            None if self.is_active(item) => self.change(Undo::Inactive(item)),
            None => {}
        }
    }

    /// Covers or purifies an item by hiding its options or its options of other colors.
    fn cover_item(&mut self, item: ItemId, color: Option<Color>) {
        let options = Arc::clone(&self.options);
        for &option in &options[item.index()] {
            let is_friend = color.is_some() && self.color(option, item) == color;
            if self.is_shown(option) && !is_friend {
                self.hide(option);
            }
        }
        self.change(if color.is_some() { Undo::Colored(item) } else { Undo::Inactive(item) });
        self.colors[item.index()] = color;
    }

    fn color(&self, option: OptionId, item: ItemId) -> Option<Color> {
        self.problem.option(option).iter().find(|entry| entry.item == item)?.color
    }

    /// Decrements the required number of options of each primary item in `option`, except for the
    /// branching item `but`.
    fn count(&mut self, option: OptionId, but: Option<ItemId>) {
        let problem = Arc::clone(&self.problem);
        for entry in problem.option(option) {
            if Some(entry.item) != but && problem.is_primary(entry.item) {
                self.change(Undo::Counted(entry.item));
            }
        }
    }

    fn hide(&mut self, option: OptionId) {
        if self.is_shown(option) {
            self.change(Undo::Hidden(option));
            self.changed.push(option);
        }
    }

    fn change(&mut self, change: Undo) {
        self.trail.push(change);
        match change {
            Undo::Hidden(option) => {
                self.is_shown[option.index()] = false;
                for entry in self.problem.option(option) {
                    self.sizes[entry.item.index()] -= 1;
                }
            }
            Undo::Inactive(item) => {
                self.is_active[item.index()] = false;
                self.is_settled[item.index()] = true;
            }
            Undo::Counted(item) => self.needs[item.index()] -= 1,
            Undo::Colored(item) => self.is_settled[item.index()] = true,
        }
    }

    /// Undoes changes until the trail has the given length.
    fn undo(&mut self, length: usize) {
        for change in self.trail.split_off(length).into_iter().rev() {
            match change {
                Undo::Hidden(option) => {
                    self.is_shown[option.index()] = true;
                    self.changed.push(option);
                    for entry in self.problem.option(option) {
                        self.sizes[entry.item.index()] += 1;
                    }
                }
                Undo::Inactive(item) => {
                    self.is_active[item.index()] = self.problem.is_primary(item);
                    self.is_settled[item.index()] = false;
                }
                Undo::Counted(item) => self.needs[item.index()] += 1,
                Undo::Colored(item) => {
                    self.colors[item.index()] = None;
                    self.is_settled[item.index()] = false;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use dlx::engine::events;
    use dlx::{Limits, Report};

    use super::*;

    /// Follows a search and compares the state with the engine at each event.
    fn follow(problem: &Arc<Problem>, given: &[OptionId], limits: &Limits) -> (WatchState, Report) {
        let mut state = WatchState::new(problem);
        let report = events::search(problem, given, limits, &mut |event| {
            check(&mut state, event);
            ControlFlow::Continue(())
        });
        (state, report)
    }

    fn check(state: &mut WatchState, event: Event) {
        let active = |state: &WatchState| {
            let items = state.problem().items().filter(|&item| state.is_active(item));
            items.filter_map(|item| Some((state.degree(item)?, item))).min()
        };
        match event {
            Event::Choose { item, degree, updates, .. } => {
                assert_eq!(active(state), Some((degree, item)));
                assert_eq!(state.counters().updates, updates);
            }
            Event::DeadEnd { item, updates, .. } => {
                assert_eq!(active(state), Some((0, item)));
                assert_eq!(state.counters().updates, updates);
            }
            Event::Solution { updates, .. } => {
                assert_eq!(active(state), None);
                assert_eq!(state.counters().updates, updates);
                assert_eq!(dlx::verify(state.problem(), &state.given, &state.cover()), Ok(()));
            }
            Event::Cover { item, color, hidden, updates } => {
                let in_list = |option: &&OptionId| {
                    state.is_shown(**option)
                        && (color.is_none() || state.color(**option, item) != color)
                };
                let removed = |option: &OptionId| {
                    let others = state.problem().option(*option).iter().filter(|e| e.item != item);
                    others
                        .filter(|e| e.color.is_none() || state.colors[e.item.index()] != e.color)
                        .count()
                };
                let options = state.options[item.index()].iter().filter(in_list);
                let expected = 1 + options.map(removed).sum::<usize>() as u64;
                assert_eq!(updates, expected, "{}", state.problem().item_name(item));
                state.apply(event);
                assert_eq!(state.changed.len(), hidden as usize);
                return;
            }
            _ => {}
        }
        state.apply(event);
    }

    #[test]
    fn the_state_agrees_with_the_engine_at_every_event() {
        let mut rng = fastrand::Rng::with_seed(6);
        let mut nodes = 0;
        for round in 0..3_000 {
            let text = random(&mut rng, round % 2 == 1);
            let problem: Arc<Problem> = Arc::new(text.parse().unwrap());
            let given: Vec<OptionId> = problem.options().filter(|_| rng.u8(0..12) == 0).collect();
            let limit = (round % 5 == 0).then(|| rng.u64(1..9));
            let limits = Limits::new().nodes(limit);
            let (state, report) = follow(&problem, &given, &limits);
            let counters = state.counters();
            let expected = (report.nodes, report.updates, report.solutions);
            assert_eq!((counters.nodes, counters.updates, counters.solutions), expected, "{text}");
            assert!(state.path.is_empty());
            assert!(state.trail.iter().all(|change| !state.given.is_empty() || {
                panic!("{change:?} was not taken back in\n{text}")
            }));
            nodes += report.nodes;
        }
        assert!(nodes > 10_000, "{nodes} nodes are too few");
    }

    /// Builds a problem with colors, and optionally with bounds.
    fn random(rng: &mut fastrand::Rng, has_bounds: bool) -> String {
        let primary = rng.usize(1..6);
        let secondary = rng.usize(0..3);
        let mut text = String::new();
        for item in 0..primary {
            if has_bounds && rng.bool() {
                let low = rng.u32(0..3);
                push!(text, "{low}:{}|", low + rng.u32(0..3));
            }
            push!(text, "p{item} ");
        }
        text.push('|');
        for item in 0..secondary {
            push!(text, " s{item}");
        }
        text.push('\n');
        for _ in 0..rng.usize(1..14) {
            let mut items: Vec<String> = (0..primary).map(|item| format!("p{item}")).collect();
            items.extend((0..secondary).map(|item| match rng.u8(0..3) {
                0 => format!("s{item}"),
                color => format!("s{item}:{color}"),
            }));
            rng.shuffle(&mut items);
            items.truncate(rng.usize(1..=3.min(primary + secondary)));
            pushln!(text, "{}", items.join(" "));
        }
        text
    }
}
