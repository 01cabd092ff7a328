//! Tests of the player and its screens on a virtual terminal.

use std::time::Duration;

use dlx::engine::events::{self, Event};
use insta::assert_snapshot;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::history::{History, NextEvent};
use super::player::{Flow, Mode, Player};
use super::state::WatchState;
use super::view;
use puzzle::{Puzzle, PuzzleSource};

fn read(kind: &str, text: &str) -> Box<dyn Puzzle> {
    let PuzzleSource::Text(source) = farandole::kinds::by_name(kind).unwrap().source else {
        panic!("a kind of texts")
    };
    (source.read)(text, &dlx::Limits::default()).unwrap()
}

fn sudoku(text: &'static str) -> Box<dyn Puzzle> {
    let mut stream = farandole::stream::Stream::open(text.as_bytes(), &Default::default()).unwrap();
    stream.next().unwrap().unwrap()
}

/// Creates a player for a search whose events were recorded in advance.
fn player(puzzle: &dyn Puzzle, speed: f64) -> Player<impl FnMut() -> NextEvent + use<>> {
    let mut events = Vec::new();
    events::search(puzzle.problem(), puzzle.given(), &dlx::Limits::default(), &mut |event| {
        events.push(event);
        std::ops::ControlFlow::Continue(())
    });
    let mut events = events.into_iter();
    let source = move || events.next().map_or(NextEvent::Over, NextEvent::Event);
    let mut player = Player::new(History::new(WatchState::new(puzzle.problem()), source), speed);
    player.skip_given();
    player
}

fn press<S: FnMut() -> NextEvent>(player: &mut Player<S>, keys: &str) {
    for key in keys.chars() {
        let key = KeyEvent::new(KeyCode::Char(key), KeyModifiers::NONE);
        assert_eq!(player.press(key), Flow::Continue);
        // The search is short, so `tick` reaches the end of seeking.
        for _ in 0..1000 {
            if matches!(player.mode(), Mode::Seeking(_)) {
                player.tick(Duration::ZERO);
            }
        }
    }
}

fn screen<S: FnMut() -> NextEvent>(
    puzzle: &dyn Puzzle,
    player: &Player<S>,
    width: u16,
    height: u16,
) -> TestBackend {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| view::draw(frame, puzzle, "a puzzle", player)).unwrap();
    terminal.backend().clone()
}

const LETTERS: &str = "a b c d e f g\nc e f\na d g\nb c f\na d\nb g\nd e g\n";
const EASY: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n";

#[test]
fn a_narrow_screen_says_how_to_quit() {
    let puzzle = read("queens", "# puzzle: queens\n4\n");
    let player = player(puzzle.as_ref(), 1.0);
    for width in [20, 40, 60, 100] {
        let screen = screen(puzzle.as_ref(), &player, width, 12).to_string();
        assert!(screen.contains("q quit"), "{width}\n{screen}");
    }
}

#[test]
fn the_matrix_loses_links_by_covering_and_regains_them_by_uncovering() {
    let puzzle = read("cover", LETTERS);
    let mut player = player(puzzle.as_ref(), 1.0);
    assert_snapshot!("matrix_at_the_root", screen(puzzle.as_ref(), &player, 80, 24));
    press(&mut player, "nnn");
    assert_snapshot!("matrix_after_covers", screen(puzzle.as_ref(), &player, 80, 24));
    press(&mut player, "d");
    assert_snapshot!("matrix_at_a_dead_end", screen(puzzle.as_ref(), &player, 80, 24));
    press(&mut player, "n");
    assert_snapshot!("matrix_after_going_back", screen(puzzle.as_ref(), &player, 80, 24));
    press(&mut player, "s");
    assert_snapshot!("matrix_at_the_solution", screen(puzzle.as_ref(), &player, 80, 24));
}

#[test]
fn the_matrix_shows_colors_and_bounds() {
    let text =
        "A B 1:2|C | X Y\nA B X:red Y:red\nA C X:blue Y:blue\nX:red Y:blue\nB X:blue\nC Y:blue\nC\n";
    let puzzle = read("cover", text);
    let mut player = player(puzzle.as_ref(), 1.0);
    press(&mut player, "s");
    assert_snapshot!("matrix_with_colors", screen(puzzle.as_ref(), &player, 80, 24));
}

#[test]
fn a_sudoku_is_drawn_during_and_after_the_search() {
    let puzzle = sudoku(EASY);
    let mut player = player(puzzle.as_ref(), 1.0);
    press(&mut player, "nnnnnnnnnnnn");
    assert_snapshot!("sudoku", screen(puzzle.as_ref(), &player, 80, 24));
    press(&mut player, "ssn");
    assert_eq!(player.mode(), Mode::Paused);
    assert!(player.is_over());
    // At the end only the given digits remain in the cover.
    assert_eq!(player.state().cover(), puzzle.given());
    press(&mut player, "m");
    assert_snapshot!("sudoku_as_matrix", screen(puzzle.as_ref(), &player, 120, 40));
}

#[test]
fn every_screen_size_can_be_drawn() {
    for puzzle in
        [sudoku(EASY), read("cover", LETTERS), read("queens", "6\n"), read("cover", "a | b\na b\n")]
    {
        let mut player = player(puzzle.as_ref(), 1.0);
        for round in 0..40 {
            press(&mut player, if round % 7 == 6 { "m" } else { "n" });
            for (width, height) in [(0, 0), (1, 1), (3, 9), (20, 4), (41, 12), (80, 24), (250, 90)] {
                screen(puzzle.as_ref(), &player, width, height);
            }
        }
    }
}

#[test]
fn every_kind_draws_its_partial_solution() {
    for kind in farandole::kinds::KINDS {
        let puzzle = match kind.source {
            PuzzleSource::Text(source) => {
                (source.read)(source.example, &dlx::Limits::default()).unwrap()
            }
            PuzzleSource::Grids { example, .. } => sudoku(example),
        };
        let mut player = player(puzzle.as_ref(), 1.0);
        for _ in 0..200 {
            press(&mut player, "n");
            player.shows_matrix = Some(false);
            screen(puzzle.as_ref(), &player, 80, 24);
        }
    }
}

#[test]
fn events_are_replayed_at_the_set_speed() {
    let puzzle = read("queens", "6\n");
    let mut player = player(puzzle.as_ref(), 4.0);
    let events = |player: &Player<_>| player.state().counters().events;
    let start = events(&player);
    player.tick(Duration::from_millis(100));
    assert_eq!(events(&player), start);
    player.tick(Duration::from_millis(150));
    assert_eq!(events(&player), start + 1);
    press(&mut player, "++ ");
    assert_eq!((player.speed(), player.mode()), (16.0, Mode::Paused));
    player.tick(Duration::from_secs(9));
    assert_eq!(events(&player), start + 1);
    press(&mut player, " ");
    player.tick(Duration::from_millis(250));
    assert_eq!(events(&player), start + 5);
    press(&mut player, "bb");
    assert_eq!((events(&player), player.mode()), (start + 3, Mode::Paused));
    press(&mut player, &"-".repeat(99));
    assert_eq!(player.speed(), 0.125);
    press(&mut player, &"+".repeat(99));
    assert_eq!(player.speed(), 1e6);
    assert!(player.wait(Duration::from_secs(1)) == Duration::from_secs(1));
}

#[test]
fn seeking_finds_solutions_dead_ends_and_the_end() {
    let puzzle = read("queens", "6\n");
    let mut player = player(puzzle.as_ref(), 4.0);
    for solutions in 1..=4 {
        press(&mut player, "s");
        assert!(matches!(player.state().last(), Some(Event::Solution { .. })));
        assert_eq!(player.state().counters().solutions, solutions);
        let mut shown = String::new();
        puzzle.show(&player.state().cover(), 1, &mut shown);
        assert_eq!(shown.matches('Q').count(), 6);
    }
    press(&mut player, "d");
    assert!(matches!(player.state().last(), Some(Event::DeadEnd { .. })));
    press(&mut player, "s");
    assert!(player.is_over());
    assert_eq!(player.state().counters().solutions, 4);
    press(&mut player, "b");
    assert!(!player.is_over());
    press(&mut player, "nn");
    assert!(player.is_over());
    let end = |code, modifiers| KeyEvent::new(code, modifiers);
    assert_eq!(player.press(end(KeyCode::Char('q'), KeyModifiers::NONE)), Flow::Quit);
    assert_eq!(player.press(end(KeyCode::Char('c'), KeyModifiers::CONTROL)), Flow::Interrupted);
}
