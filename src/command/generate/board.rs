//! Draws a random board, covered by given pieces, for each puzzle.

use dlx::{Limit, Limits, OptionId};

use crate::io::args::GenerateArgs;
use farandole::generate::random_beside;
use farandole::stream::{Stream, StreamHints};
use polyomino::BoardDrawing;
use puzzle::Puzzle;
use text::TextLimit;

pub(super) const KIND: &str = "polyomino";
const SET: &str = "pentominoes";

/// Returns a generator of boards for `count` pieces of the requested set, and the name of that set.
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

pub(super) struct DrawnBoard {
    pub(super) puzzle: Box<dyn Puzzle>,
    pub(super) laid: Vec<OptionId>,
}

/// Draws the board for try `number`; returns `None` if no board was found.
pub(super) fn draw(
    boards: &BoardDrawing,
    seed: u64,
    number: u64,
    limits: &Limits,
) -> Result<Option<DrawnBoard>, Limit> {
    let drawn = boards.draw(&mut random_beside(seed, number), limits)?;
    let Some((text, tiled)) = drawn else { return Ok(None) };
    // Both texts define the same board and options. In the second text the pieces on the board are
    // clues.
    let (Some(puzzle), Some(tiled)) = (read(text, limits)?, read(tiled, limits)?) else {
        return Ok(None);
    };
    let laid = tiled.given().to_vec();
    Ok(Some(DrawnBoard { puzzle, laid }))
}

fn read(text: String, limits: &Limits) -> Result<Option<Box<dyn Puzzle>>, Limit> {
    let hints = StreamHints {
        kind: farandole::kinds::by_name(KIND),
        limits: limits.clone(),
        ..StreamHints::default()
    };
    Stream::first(text, &hints).or_else(|error| match error.limit {
        None => Ok(None),
        Some(TextLimit::Time) => Err(Limit::Time),
        Some(TextLimit::Memory) => Err(Limit::Memory),
        Some(TextLimit::Interrupt) => Err(Limit::Cancelled),
    })
}
