//! The result of reading a text: an error, or puzzles with notes.

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
    /// The text or one of its puzzles is refused; has the error message.
    Refused(String),
    /// The puzzles, and the notes on the text. A note has its kind, the text of its first
    /// occurrence, and the number of further occurrences.
    Read(Vec<Found>, Vec<(String, String, u64)>),
}

/// A puzzle that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Description of everything that was parsed; equal descriptions mean equal puzzles.
    pub form: String,
    /// The program's note on the puzzle.
    pub note: String,
}

const PUZZLES_MAX: usize = 50;
/// Time limit for building a puzzle; generous, because building a valid puzzle must not reach it on
/// a busy machine.
const TIME: Duration = Duration::from_secs(5);
/// Memory limit for building a puzzle (bytes).
const BYTES: usize = 1 << 27;
/// Maximum number of options of a problem that is compared option by option; larger problems are
/// compared as text.
const OPTIONS_MAX: usize = 5_000;

/// Reads a text in the same way as the program.
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
        form += &(grid.style.format.head)(grid, false);
        (grid.style.format.write)(grid, &mut form);
        return form;
    }
    if let Some(Ok(text)) = puzzle.write_as("rows") {
        return text;
    }
    puzzle.show_clues(puzzle.given(), &mut form);
    let problem = puzzle.problem();
    if problem.option_count() <= OPTIONS_MAX {
        form += &dlx::text::write(problem);
        let _ = writeln!(form, "{:?}\n{:?}", puzzle.terms().option_names(), puzzle.given());
    }
    form
}
