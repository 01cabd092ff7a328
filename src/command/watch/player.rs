//! The effects of keys and time on the playback: play, pause, step, seek.

use std::time::{Duration, Instant};

use dlx::engine::events::Event;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::history::{History, NextEvent};
use super::state::WatchState;

/// Highest speed (events per second).
const SPEED_MAX: f64 = 1e6;
/// Lowest speed (events per second).
const SPEED_MIN: f64 = 0.125;
/// Longest time spent on applying events between two frames.
const PATIENCE: Duration = Duration::from_millis(30);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Paused,
    Playing,
    /// Applies events at full speed until the next solution or dead end.
    Seeking(Destination),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Destination {
    Solution,
    DeadEnd,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    Continue,
    Quit,
    Interrupted,
}

pub(super) struct Player<S> {
    history: History<S>,
    mode: Mode,
    speed: f64,
    /// The number of events that are due but not applied yet, with a fractional part.
    credit: f64,
    /// Whether the search has ended and its last event was applied.
    is_over: bool,
    /// Whether the last step back failed because the record starts at the current event.
    is_first: bool,
    /// Whether the user turned the matrix on or off. If `None`, the matrix is drawn if it is small.
    pub(super) shows_matrix: Option<bool>,
}

impl<S: FnMut() -> NextEvent> Player<S> {
    pub(super) fn new(history: History<S>, speed: f64) -> Self {
        let speed = speed.clamp(SPEED_MIN, SPEED_MAX);
        Self {
            history,
            mode: Mode::Playing,
            speed,
            credit: 0.0,
            is_over: false,
            is_first: false,
            shows_matrix: None,
        }
    }

    pub(super) fn state(&self) -> &WatchState {
        self.history.state()
    }

    pub(super) const fn mode(&self) -> Mode {
        self.mode
    }

    pub(super) const fn speed(&self) -> f64 {
        self.speed
    }

    pub(super) const fn is_over(&self) -> bool {
        self.is_over
    }

    pub(super) const fn is_first(&self) -> bool {
        self.is_first
    }

    pub(super) fn skip_given(&mut self) {
        let is_before_root = |state: &WatchState| state.counters().nodes == 0;
        while is_before_root(self.state()) && self.step() != NextEvent::Over {}
    }

    fn step(&mut self) -> NextEvent {
        let next = self.history.step();
        self.is_over = next == NextEvent::Over;
        self.is_first = false;
        if self.is_over {
            self.mode = Mode::Paused;
        }
        next
    }

    /// Applies the events that are due after `elapsed` more time.
    pub(super) fn tick(&mut self, elapsed: Duration) {
        let started = Instant::now();
        let is_in_time = || started.elapsed() < PATIENCE;
        match self.mode {
            Mode::Paused => {}
            Mode::Playing => {
                self.credit += elapsed.as_secs_f64() * self.speed;
                while self.credit >= 1.0 && is_in_time() && matches!(self.step(), NextEvent::Event(_)) {
                    self.credit -= 1.0;
                }
                // The search was too slow for the set speed, so do not catch up later.
                self.credit = self.credit.min(1.0);
            }
            Mode::Seeking(goal) => {
                while is_in_time() {
                    match self.step() {
                        NextEvent::Event(event) if goal.is(&event) => {
                            self.mode = Mode::Paused;
                            break;
                        }
                        NextEvent::Event(_) => {}
                        NextEvent::NotYet | NextEvent::Over => break,
                    }
                }
            }
        }
    }

    /// Returns the time until the next event is due, at most `longest`.
    pub(super) fn wait(&self, longest: Duration) -> Duration {
        match self.mode {
            Mode::Paused => longest,
            Mode::Playing => {
                longest.min(Duration::from_secs_f64((1.0 - self.credit).max(0.0) / self.speed))
            }
            Mode::Seeking(_) => Duration::ZERO,
        }
    }

    pub(super) fn press(&mut self, key: KeyEvent) -> Flow {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return if key.code == KeyCode::Char('c') { Flow::Interrupted } else { Flow::Continue };
        }
        match key.code {
            KeyCode::Char('q') | KeyCode::Esc => return Flow::Quit,
            KeyCode::Char(' ') => {
                self.mode = if self.mode == Mode::Paused { Mode::Playing } else { Mode::Paused };
                self.credit = 0.0;
            }
            KeyCode::Right | KeyCode::Char('n') => {
                self.mode = Mode::Paused;
                self.step();
            }
            KeyCode::Left | KeyCode::Char('b') => {
                self.mode = Mode::Paused;
                self.is_first = !self.history.back();
                self.is_over = self.is_over && self.is_first;
            }
            KeyCode::Char('+' | '=') | KeyCode::Up => self.speed = (self.speed * 2.0).min(SPEED_MAX),
            KeyCode::Char('-' | '_') | KeyCode::Down => {
                self.speed = (self.speed / 2.0).max(SPEED_MIN);
            }
            KeyCode::Char('s') => self.mode = Mode::Seeking(Destination::Solution),
            KeyCode::Char('d') => self.mode = Mode::Seeking(Destination::DeadEnd),
            KeyCode::Char('m') => {
                let is_small = super::matrix::is_small(self.state().problem());
                self.shows_matrix = Some(!self.shows_matrix.unwrap_or(is_small));
            }
            _ => {}
        }
        Flow::Continue
    }
}

impl Destination {
    const fn is(self, event: &Event) -> bool {
        match self {
            Self::Solution => matches!(event, Event::Solution { .. }),
            Self::DeadEnd => matches!(event, Event::DeadEnd { .. }),
        }
    }
}
