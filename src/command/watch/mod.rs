//! The command `watch` plays a dancing-links search in the terminal.
//!
//! `state` models the lists after some events, `history` steps forward and back, `player` handles
//! keys and time, and `board`, `matrix` and `view` draw. Only this file accesses the terminal. The
//! search runs in its own thread, at most [`AHEAD`] events ahead of the screen.

mod board;
mod history;
mod matrix;
mod player;
mod state;
#[cfg(test)]
mod tests;
mod view;

use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use dlx::Limits;
use dlx::engine::events;
use ratatui::crossterm::event::{self, Event, KeyEventKind};

use self::history::{History, NextEvent};
use self::player::{Flow, Player};
use self::state::WatchState;
use crate::io::args::{InputArgs, PuzzleLimits};
use crate::io::exit::Exit;
use crate::io::names::shown;
use crate::io::source::Puzzles;
use crate::io::{interrupt, memory, output};
use puzzle::Puzzle;

/// Number of events that the search may be ahead of the screen.
const AHEAD: usize = 1 << 12;
/// Longest delay between a key press and the update of the screen.
const FRAME: Duration = Duration::from_millis(50);
/// Longest wait for an event of the search.
const MOMENT: Duration = Duration::from_millis(10);

pub(super) fn run(input: &InputArgs, speed: f64) -> Exit {
    if !io::stdout().is_terminal() || !io::stdin().is_terminal() {
        say!("`watch` needs a terminal for screen and keys; `farandole trace` prints the same as text");
        return Exit::BadInput;
    }
    let Some(job) = Puzzles::new(input, PuzzleLimits::default()).with_covers().next() else {
        say!("expected a puzzle, found none");
        return Exit::BadInput;
    };
    let puzzle = match job.puzzle {
        Ok(puzzle) => puzzle,
        Err(fault) => {
            say!("{}", fault.to_string().trim_end());
            return fault.exit();
        }
    };
    let name = input.files.first().and_then(|name| Path::new(name).file_name()).map(shown);
    let title = name.map_or_else(|| job.kind.to_owned(), |name| format!("{} {name}", job.kind));
    match watch(puzzle.as_ref(), &title, speed) {
        Ok(exit) => exit,
        Err(error) => output::lost(&error),
    }
}

/// Plays the search until the user quits. The terminal is restored afterwards, even after a panic.
fn watch(puzzle: &dyn Puzzle, title: &str, speed: f64) -> io::Result<Exit> {
    // A termination signal sets this flag, as in every search. Ctrl-C arrives as a key.
    let cancel = interrupt::flag();
    let (sender, receiver) = mpsc::sync_channel(AHEAD);
    thread::scope(|scope| {
        scope.spawn(move || {
            let limits = Limits::new().cancel(cancel);
            let limits = memory::guard(limits, None);
            // The search stops once the receiver was dropped.
            events::search(puzzle.problem(), puzzle.given(), &limits, &mut |event| match sender
                .send(event)
            {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            });
        });
        let source = move || match receiver.recv_timeout(MOMENT) {
            Ok(event) => NextEvent::Event(event),
            Err(RecvTimeoutError::Timeout) => NextEvent::NotYet,
            Err(RecvTimeoutError::Disconnected) => NextEvent::Over,
        };
        let mut player = Player::new(History::new(WatchState::new(puzzle.problem()), source), speed);
        player.skip_given();
        let mut terminal = ratatui::try_init()?;
        thread::spawn(end_if_stuck);
        let exit = play(&mut terminal, puzzle, title, &mut player);
        ratatui::try_restore()?;
        exit
    })
}

/// Ends the program if a termination signal is not handled in time, because crossterm 0.29 never
/// returns from reading a closed terminal.
fn end_if_stuck() {
    while !interrupt::happened() {
        thread::sleep(FRAME);
    }
    thread::sleep(20 * FRAME);
    let _ = ratatui::try_restore();
    std::process::exit(130);
}

fn play<S: FnMut() -> NextEvent>(
    terminal: &mut ratatui::DefaultTerminal,
    puzzle: &dyn Puzzle,
    title: &str,
    player: &mut Player<S>,
) -> io::Result<Exit> {
    let mut last = Instant::now();
    loop {
        terminal.draw(|frame| view::draw(frame, puzzle, title, player))?;
        let mut wait = player.wait(FRAME);
        // Handle all pending keys, so that a held key does not lag.
        while event::poll(wait)? {
            wait = Duration::ZERO;
            let Event::Key(key) = event::read()? else { continue };
            if key.kind == KeyEventKind::Release {
                continue;
            }
            match player.press(key) {
                Flow::Continue => {}
                Flow::Quit => return Ok(Exit::Done),
                Flow::Interrupted => return Ok(Exit::Interrupted),
            }
        }
        if interrupt::happened() {
            return Ok(Exit::Interrupted);
        }
        player.tick(last.elapsed());
        last = Instant::now();
    }
}
