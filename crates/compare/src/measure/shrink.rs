//! Search for the smallest puzzle where two contenders give different answers.
//!
//! The search removes pieces of the puzzle as long as the answers still differ: first halves, then
//! quarters, and so on down to single pieces. If a grid has a solution, a piece is an empty cell;
//! removing it fills the cell with its value in the solution. If a grid has no solution, a piece is
//! a clue. The pieces of any other puzzle are its options.
//!
//! Source: delta debugging (Zeller and Hildebrandt, IEEE TSE 2002), without its test of
//! complements.

use dlx::{Engine as _, Limits, engine::Links, restrict, text};

use grid::{Grid, format};
use puzzle::{Fill, Puzzle, PuzzleSource, Translator};

/// Returns, as a text, the smallest puzzle found that satisfies `differ`; `puzzle` must satisfy it.
pub(super) fn shrink(
    puzzle: &dyn Puzzle,
    differ: &mut dyn FnMut(Box<dyn Puzzle>) -> bool,
) -> Option<String> {
    match puzzle.as_fill() {
        Some(fill) if fill.grid().is_plain() => shrink_grid(fill, differ),
        _ => shrink_options(puzzle, differ),
    }
}

/// Removes pieces as long as `is_good` holds for the rest; returns the remaining pieces.
fn reduce(mut pieces: Vec<usize>, mut is_good: impl FnMut(&[usize]) -> bool) -> Vec<usize> {
    let mut size = pieces.len().div_ceil(2);
    while size > 0 {
        let mut place = 0;
        while place < pieces.len() {
            let end = (place + size).min(pieces.len());
            let fewer = [&pieces[..place], &pieces[end..]].concat();
            if is_good(&fewer) {
                pieces = fewer;
            } else {
                place = end;
            }
        }
        size = if size == 1 { 0 } else { size.div_ceil(2) };
    }
    pieces
}

fn shrink_grid(fill: &Fill, differ: &mut dyn FnMut(Box<dyn Puzzle>) -> bool) -> Option<String> {
    let grid = fill.grid();
    let cells = 0..grid.shape().cell_count();
    let mut solution = None;
    Links::new(fill.problem()).search(fill.given(), &Limits::new().solutions(1), &mut |cover| {
        solution = Some(fill.filled(cover));
        std::ops::ControlFlow::Break(())
    });
    let source = solution.as_ref().unwrap_or(grid);
    let is_piece = |cell: usize| grid.symbol(cell).is_none() == solution.is_some();
    let make = |pieces: &[usize]| {
        let mut smaller = Grid::empty(grid.shape().clone(), grid.style);
        for cell in cells.clone() {
            let is_kept = pieces.binary_search(&cell).is_ok();
            if is_kept != solution.is_some()
                && let Some(symbol) = source.symbol(cell)
            {
                smaller.place(cell, symbol);
            }
        }
        smaller
    };
    let pieces = cells.clone().filter(|&cell| is_piece(cell)).collect();
    let pieces = reduce(pieces, |pieces| differ(Box::new(Translator::default().puzzle(make(pieces)))));
    let mut text = String::new();
    (format::by_name("line")?.write)(&make(&pieces), &mut text);
    Some(text)
}

fn shrink_options(
    puzzle: &dyn Puzzle,
    differ: &mut dyn FnMut(Box<dyn Puzzle>) -> bool,
) -> Option<String> {
    let whole = text::write(&restrict(puzzle.problem(), puzzle.given()).ok()?.problem);
    let PuzzleSource::Text(cover) = farandole::kinds::by_name("cover")?.source else { return None };
    let mut lines = whole.lines();
    let items = lines.next()?;
    let options: Vec<&str> = lines.collect();
    let make = |pieces: &[usize]| -> String {
        let kept = pieces.iter().map(|&piece| options[piece]);
        [items].into_iter().chain(kept).map(|line| format!("{line}\n")).collect()
    };
    let mut is_good = |text: &str| (cover.read)(text, &Limits::default()).is_ok_and(&mut *differ);
    let pieces = reduce((0..options.len()).collect(), |pieces| is_good(&make(pieces)));
    // Drop items that no option covers, if the two contenders still differ.
    let text = make(&pieces);
    let words: Vec<&str> = items.split(' ').collect();
    let is_used = |word: &str| {
        let name = word.rsplit('|').next().unwrap_or(word);
        let is_item = |entry: &str| entry.split(':').next() == Some(name);
        word == "|" || pieces.iter().any(|&piece| options[piece].split(' ').any(is_item))
    };
    let used: Vec<&str> = words.into_iter().filter(|word| is_used(word)).collect();
    let fewer = text.replacen(items, &used.join(" "), 1);
    Some(if is_good(&fewer) { fewer } else { text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pieces_that_the_predicate_needs_remain() {
        let found = reduce((0..100).collect(), |pieces| pieces.contains(&17) && pieces.contains(&80));
        assert_eq!(found, [17, 80]);
        assert_eq!(reduce((0..5).collect(), |_| true), [0; 0]);
        assert_eq!(reduce((0..5).collect(), |_| false), [0, 1, 2, 3, 4]);
    }
}
