//! Boards for pieces, drawn for each puzzle anew.

use std::io;

use dlx::{Limits, Random};

use crate::cli::io::args::GenerateArgs;
use crate::generate::random_of;
use crate::puzzle::{self, BoardDrawing, Puzzle};
use crate::stream::{Stream, StreamHints};

/// The kind of the puzzles.
pub(super) const KIND: &str = "polyomino";
/// The set of pieces if none is named.
const SET: &str = "pentominoes";

/// Returns what draws boards of so many pieces of the set that was asked for, and the name of the set.
pub(super) fn drawing(asked: &GenerateArgs, count: usize) -> Result<(String, BoardDrawing), String> {
    let mut words = asked.what.iter().map(|word| word.to_string_lossy());
    let (kind, set, more) = (words.next(), words.next(), words.next());
    if kind.as_deref() != Some(KIND) || more.is_some() {
        return Err("--pieces is for polyomino and a set of pieces: `polyomino pentominoes`".to_owned());
    }
    let set = set.map_or_else(|| SET.to_owned(), std::borrow::Cow::into_owned);
    let drawing = BoardDrawing::new(&set, count).map_err(|message| format!("--pieces: {message}"))?;
    Ok((set, drawing))
}

/// Draws the board of the try with a number; `None` if none was found, or its placements are too many for the limits.
pub(super) fn draw(
    boards: &BoardDrawing,
    seed: u64,
    number: u64,
    limits: &Limits,
) -> Option<Box<dyn Puzzle>> {
    // Not the random numbers that draw the solution.
    let text = boards.draw(&mut Random::new(!random_of(seed, number).next_u64()))?;
    let hints =
        StreamHints { kind: puzzle::by_name(KIND), limits: limits.clone(), ..StreamHints::default() };
    let mut stream = Stream::open(io::Cursor::new(text.into_bytes()), &hints).ok()?;
    stream.next()?.ok()
}
