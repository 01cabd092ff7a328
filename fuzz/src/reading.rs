//! What becomes of a text: it is refused, or read as puzzles with their notes.

use std::fmt::Write as _;
use std::io::Cursor;
use std::time::Duration;

use dlx::Limits;
use farandole::stream::{Stream, StreamHints};
use grid::Setting;
use puzzle::Puzzle;

/// What a text is read as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// It is refused, as a whole or one of its puzzles: that is said.
    Refused(String),
    /// The puzzles, and what is said of the text: what it is, the first text of this kind, and the number of others.
    Read(Vec<Found>, Vec<(String, String, u64)>),
}

/// A puzzle that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Everything that was understood: two puzzles with one form are the same.
    pub form: String,
    /// What the program says about it.
    pub note: String,
}

/// A text holds no more puzzles than this.
const PUZZLES_MAX: usize = 50;
/// Limit for making a puzzle; a busy machine must not reach it with a valid text.
const TIME: Duration = Duration::from_secs(5);
/// Limit for its memory (bytes).
const BYTES: usize = 1 << 27;
/// Problems with more options than this are compared by what the kind writes.
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

/// Writes all that is known about a puzzle.
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
    // A variant writes all its clues in its own text.
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
