//! The history of search events, for steps forward and back.
//!
//! A step forward replays the next recorded event or, at the end of the record, takes an event from
//! the search. A step back starts from an earlier snapshot of the state, made every [`INTERVAL`]
//! events, and replays the record. Dropping the oldest part bounds the record and the snapshots.

use std::collections::VecDeque;

use dlx::engine::events::Event;

use super::state::WatchState;

/// Number of events between two snapshots of the state.
const INTERVAL: u64 = 512;
const EVENTS_MAX: usize = 1 << 18;
/// Approximate limit of the total size of all snapshots (bytes).
const BYTES_MAX: usize = 1 << 26;

/// The search's reply to a request for the next event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NextEvent {
    Event(Event),
    /// The next event is not available yet. The caller should ask again.
    NotYet,
    Over,
}

/// The current state of the search, with the recorded events.
pub(super) struct History<S> {
    source: S,
    state: WatchState,
    /// The recorded events, and the number of earlier events that were dropped.
    events: VecDeque<Event>,
    forgotten: u64,
    /// Snapshots of the state, in ascending order of the event count. The first one is the oldest
    /// state that steps back can reach.
    copies: VecDeque<WatchState>,
}

impl<S: FnMut() -> NextEvent> History<S> {
    pub(super) fn new(state: WatchState, source: S) -> Self {
        let copies = VecDeque::from([state.clone()]);
        Self { source, state, events: VecDeque::new(), forgotten: 0, copies }
    }

    pub(super) fn state(&self) -> &WatchState {
        &self.state
    }

    fn place(&self) -> u64 {
        self.state.counters().events
    }

    pub(super) fn step(&mut self) -> NextEvent {
        let recorded = self.events.get((self.place() - self.forgotten) as usize);
        let (event, is_new) = match recorded {
            Some(&event) => (event, false),
            None => match (self.source)() {
                NextEvent::Event(event) => (event, true),
                none => return none,
            },
        };
        self.state.apply(event);
        if is_new {
            self.events.push_back(event);
            if self.place().is_multiple_of(INTERVAL) {
                self.copies.push_back(self.state.clone());
                self.forget();
            }
        }
        NextEvent::Event(event)
    }

    /// Drops the oldest events and snapshots if they exceed their limits.
    fn forget(&mut self) {
        let bytes = self.copies.len() * self.state.byte_count();
        if self.copies.len() > 2 && (self.events.len() > EVENTS_MAX || bytes > BYTES_MAX) {
            self.copies.pop_front();
            let first = self.copies.front().map_or(0, |state| state.counters().events);
            self.events.drain(..(first - self.forgotten) as usize);
            self.forgotten = first;
        }
    }

    /// Steps back by one event; returns `false` if the previous event does not exist or was
    /// dropped.
    pub(super) fn back(&mut self) -> bool {
        if self.place() == self.forgotten {
            return false;
        }
        let target = self.place() - 1;
        let copy = self.copies.partition_point(|state| state.counters().events <= target) - 1;
        self.state = self.copies[copy].clone();
        while self.place() < target {
            let event = self.events[(self.place() - self.forgotten) as usize];
            self.state.apply(event);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::Arc;

    use dlx::Limits;
    use dlx::engine::events;

    use super::*;

    #[test]
    fn steps_back_restore_each_recorded_state() {
        let parameter = farandole::kinds::by_name("queens").unwrap().parameter.unwrap();
        let queens = (parameter.make)("6", &mut grid::Setting::default(), &Limits::default()).unwrap();
        let mut events = Vec::new();
        events::search(queens.problem(), &[], &Limits::default(), &mut |event| {
            events.push(event);
            ControlFlow::Continue(())
        });
        let mut left = events.clone().into_iter();
        let source = || left.next().map_or(NextEvent::Over, NextEvent::Event);
        let mut history = History::new(WatchState::new(queens.problem()), source);
        assert!(!history.back());
        let mut seen = Vec::new();
        for &event in &events {
            seen.push(format!("{:?}", history.state()));
            assert_eq!(history.step(), NextEvent::Event(event));
        }
        assert_eq!(history.step(), NextEvent::Over);
        assert!(events.len() as u64 > INTERVAL);
        for state in seen.iter().rev() {
            assert!(history.back());
            assert_eq!(&format!("{:?}", history.state()), state);
        }
        assert!(!history.back());
        assert_eq!(history.step(), NextEvent::Event(events[0]));
    }

    #[test]
    fn the_record_is_bounded() {
        let problem: Arc<dlx::Problem> = Arc::new("a b\na\nb\na b\n".parse().unwrap());
        let mut round = Vec::new();
        events::search(&problem, &[], &Limits::default(), &mut |event| {
            round.push(event);
            ControlFlow::Continue(())
        });
        let mut events = round.into_iter().cycle();
        let source = || NextEvent::Event(events.next().unwrap());
        let mut history = History::new(WatchState::new(&problem), source);
        for _ in 0..EVENTS_MAX + 10_000 {
            history.step();
        }
        assert!(history.events.len() <= EVENTS_MAX + INTERVAL as usize);
        assert!(history.forgotten >= 9_000);
        let place = history.place();
        assert!(history.back());
        assert_eq!(history.place(), place - 1);
    }
}
