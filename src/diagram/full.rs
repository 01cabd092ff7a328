//! Draws full grids of 9x9 Sudoku uniformly by rejection, since their diagram would be too large
//! ([`sudoku9::generate::full_grid`]).

use std::hash::{BuildHasher as _, RandomState};

use dlx::{Limits, OptionId};
use num_bigint::BigUint;

use super::answer::PrintedPuzzle;
use super::subject::Heading;
use super::{AnswerOutput, Unanswered};
use crate::io::args::Ask;
use crate::io::exit::Exit;
use farandole::algorithm::nine::as_sudoku;
use puzzle::{Fill, Puzzle};

const COUNT: u128 = 6_670_903_752_021_072_936_960;
/// Approximate time to draw one grid (ns).
const DRAW: u64 = 10_000;

#[derive(Clone, Copy)]
pub(super) struct DrawnGrids {
    pub(super) count: u64,
    pub(super) seed: Option<u64>,
}

/// Returns whether the solutions of a puzzle are exactly the full grids of 9x9 Sudoku.
pub(super) fn takes(puzzle: &dyn Puzzle) -> bool {
    as_sudoku(puzzle).is_some_and(|fill| fill.grid().is_empty())
}

pub(super) fn sample(
    heading: &Heading,
    puzzle: &dyn Puzzle,
    limits: &Limits,
    DrawnGrids { count, seed }: DrawnGrids,
    ask: &Ask,
    out: &mut AnswerOutput,
) -> Result<Exit, Unanswered> {
    let seed = seed.unwrap_or_else(|| RandomState::new().hash_one(()));
    let find = |number: u64| {
        let grid = sudoku9::generate::full_grid(seed, number);
        cover(puzzle.as_fill()?, &grid)
    };
    let shown = PrintedPuzzle { heading, puzzle, limits, count: BigUint::from(COUNT), walk: DRAW };
    shown.show_each(0..count, find, ask, out)
}

/// Returns the options that place the digits of `grid` in the cells.
fn cover(fill: &Fill, grid: &[u8; 81]) -> Option<Vec<OptionId>> {
    let cells = grid.iter().enumerate();
    cells.map(|(cell, digit)| fill.option(cell, usize::from(digit - b'1'))).collect()
}
