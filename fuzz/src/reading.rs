//! The result of reading a text: an error, or puzzles with their notes.

use std::fmt::Write as _;
use std::io::Cursor;
use std::time::Duration;

use dlx::Limits;
use farandole::stream::{Stream, StreamHints};
use grid::Setting;
use puzzle::Puzzle;

/// The result of reading a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// The text or one of its puzzles is refused, with this message.
    Refused(String),
    /// The puzzles, and the notes about the text: kind of note, first text of this kind, and number
    /// of further ones.
    Read(Vec<Found>, Vec<(String, String, u64)>),
}

/// A puzzle that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Everything that was parsed; equal forms mean equal puzzles.
    pub form: String,
    /// The note of the program about the puzzle.
    pub note: String,
}

/// Largest number of puzzles in a text.
const PUZZLES_MAX: usize = 50;
/// Time limit for building a puzzle; generous, because a valid text must not reach it on a busy
/// machine.
const TIME: Duration = Duration::from_secs(5);
/// Memory limit for building a puzzle (bytes).
const BYTES: usize = 1 << 27;
/// Problems with more options than this are compared by their written form.
const OPTIONS_MAX: usize = 5_000;

/// Reads a text as the program does.
#[must_use]
pub fn read(text: &str) -> Reading {
    let limits = Limits::new().memory(Some(BYTES));
    let hints = StreamHints { limits, time: Some(TIME), ..StreamHints::default() };
    let mut stream = match Stream::open(Cursor::new(text.as_bytes().to_vec()), &hints) {
        Ok(stream) => stream,
        Err(error) => return Reading::Refused(error.to_string()),
    };
    let mut found = Vec::new();
    for puzzle in stream.by_ref().take(PUZZLES_MAX) {
        match puzzle {
            Ok(puzzle) => {
                let note = puzzle.note().unwrap_or_default().to_owned();
                found.push(Found { form: form(puzzle.as_ref()), note });
            }
            Err(error) => return Reading::Refused(error.to_string()),
        }
    }
    match found.len() {
        0 => Reading::Refused("no puzzle".to_owned()),
        _ => {
            let notes = stream.take_notes().into_iter();
            Reading::Read(
                found,
                notes.map(|note| (note.what.into_owned(), note.text, note.more)).collect(),
            )
        }
    }
}

/// Writes everything known about a puzzle.
fn form(puzzle: &dyn Puzzle) -> String {
    let mut form = String::new();
    if let Some(fill) = puzzle.as_fill() {
        let grid = fill.grid();
        let shape = grid.shape();
        form += &Setting::head(shape);
        let candidates = (0..shape.cell_count()).map(|cell| grid.candidates(cell));
        let candidates: Vec<u64> = candidates.collect();
        let regions = shape.region_of_cells();
        let _ = writeln!(form, "{candidates:x?}\n{regions:?}");
        grid.style.format.write(grid, &mut form);
        return form;
    }
    // The text of a variant has all its clues.
    if let Some(Ok(text)) = puzzle.write_as("rows") {
        return text;
    }
    puzzle.show_clues(puzzle.given(), &mut form);
    let problem = puzzle.problem();
    if problem.option_count() <= OPTIONS_MAX {
        form += &dlx::text::write(problem);
        let _ = writeln!(form, "{:?}\n{:?}", puzzle.option_names(), puzzle.given());
    }
    form
}
