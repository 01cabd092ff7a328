//! The command `watch`: plays a search of dancing links in the terminal.
//!
//! `state` is what the lists look like after some events, `history` goes forward and back in them,
//! `player` knows keys and time, and `board`, `matrix` and `view` draw. Only this file meets the
//! terminal: the search runs in a thread of its own, a bounded number of events ahead.

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
use self::state::SearchState;
use crate::io::args::InputArgs;
use crate::io::exit::Exit;
use crate::io::names::shown;
use crate::io::source::Puzzles;
use crate::io::{interrupt, memory, output};
use puzzle::Puzzle;

/// The number of events by which the search may be ahead of the screen.
const AHEAD: usize = 1 << 12;
/// The longest time for which a key waits for the screen, or the screen for a key.
const FRAME: Duration = Duration::from_millis(50);
/// The time for which an event of the search is waited for at once.
const MOMENT: Duration = Duration::from_millis(10);

/// Runs the command and returns how it ended.
pub(super) fn run(input: &InputArgs, speed: f64) -> Exit {
    if !io::stdout().is_terminal() || !io::stdin().is_terminal() {
        say!("`watch` needs a terminal for screen and keys; `farandole trace` prints the same as text");
        return Exit::BadInput;
    }
    let Some(job) = Puzzles::new(input).next() else {
        say!("expected a puzzle, found none");
        return Exit::BadInput;
    };
    let puzzle = match job.puzzle {
        Ok(puzzle) => puzzle,
        Err(fault) => {
            say!("{}", fault.to_string().trim_end());
            return Exit::BadInput;
        }
    };
    let name = input.files.first().and_then(|name| Path::new(name).file_name()).map(shown);
    let title = name.map_or_else(|| job.kind.to_owned(), |name| format!("{} {name}", job.kind));
    match watch(puzzle.as_ref(), &title, speed) {
        Ok(exit) => exit,
        Err(error) => output::lost(&error),
    }
}

/// Plays the search until the user has seen enough. The terminal is as before afterwards, also when
/// something panics.
fn watch(puzzle: &dyn Puzzle, title: &str, speed: f64) -> io::Result<Exit> {
    // A request to end sets a flag here as in every search; Ctrl-C arrives as a key.
    let cancel = interrupt::flag();
    let (sender, receiver) = mpsc::sync_channel(AHEAD);
    thread::scope(|scope| {
        scope.spawn(move || {
            let limits = Limits::new().cancel(cancel);
            let limits = memory::guard(limits, None);
            // Who looks no longer hangs up.
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
        let mut player = Player::new(History::new(SearchState::new(puzzle.problem()), source), speed);
        player.skip_given();
        let mut terminal = ratatui::try_init()?;
        thread::spawn(end_if_stuck);
        let exit = play(&mut terminal, puzzle, title, &mut player);
        ratatui::try_restore()?;
        exit
    })
}

/// Ends the program after a request to end that is not heeded in time: when a terminal has gone away,
/// crossterm 0.29 reads from it for ever.
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
        // All keys that have come, so that holding one down does not lag behind.
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
