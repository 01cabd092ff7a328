//! Is a puzzle in order? What its clues say of each other, without any search.

use crate::grid::{Clash, Grid, GroupKind};
use crate::puzzle::{Fill, Puzzle};

/// What was found of the clues of a puzzle.
pub(super) struct Consistency {
    /// 0 in order, 1 to 4 as [`crate::grid::ClashKind::code`]; 5 for a conflict in another kind of
    /// puzzle.
    pub(super) code: u8,
    /// Whether nothing is left to be filled in.
    pub(super) is_complete: bool,
    pub(super) message: String,
    /// Row and column of the cells in conflict, from 1.
    pub(super) cells: Vec<(usize, usize)>,
}

/// Looks at the clues.
pub(super) fn order(puzzle: &dyn Puzzle) -> Consistency {
    match puzzle.as_fill() {
        Some(fill) => of_fill(fill),
        None => of_cover(puzzle),
    }
}

/// Returns row and column of a cell, from 1.
pub(super) fn place(grid: &Grid, cell: usize) -> (usize, usize) {
    let order = grid.shape().order();
    (cell / order + 1, cell % order + 1)
}

fn of_fill(fill: &Fill) -> Consistency {
    let grid = fill.grid();
    if let Some(clash) = grid.clash() {
        return of_clash(grid, clash);
    }
    let cells = 0..grid.shape().cell_count();
    if let Some(cell) = cells.clone().find(|&cell| grid.candidates(cell) == 0) {
        let (row, column) = place(grid, cell);
        let message = format!("invalid: no symbol may stand in r{row}c{column}");
        return Consistency { code: 4, is_complete: false, message, cells: vec![(row, column)] };
    }
    let empty = cells.filter(|&cell| grid.symbol(cell).is_none()).count();
    let message = match empty {
        0 => "a solution".to_owned(),
        1 => "valid, 1 cell empty".to_owned(),
        _ => format!("valid, {empty} cells empty"),
    };
    Consistency { code: 0, is_complete: empty == 0, message, cells: Vec::new() }
}

fn of_clash(grid: &Grid, clash: Clash) -> Consistency {
    let (first, second) = (place(grid, clash.cells.0), place(grid, clash.cells.1));
    let symbol = match grid.style.alphabet.character(clash.symbol) {
        Some(c) => c.to_string(),
        None => (clash.symbol + 1).to_string(),
    };
    let group = &grid.shape().groups()[clash.group];
    let what = match group.kind {
        // Their number says nothing to a reader.
        GroupKind::Apart => group.kind.name().to_owned(),
        kind => format!("{} {}", kind.name(), group.number + 1),
    };
    let message = format!(
        "invalid: {symbol} stands twice in {what}, in r{}c{} and r{}c{}",
        first.0, first.1, second.0, second.1
    );
    Consistency {
        code: clash.kind.code(),
        is_complete: grid.is_full(),
        message,
        cells: vec![first, second],
    }
}

/// Checks that what the puzzle fixes goes together.
fn of_cover(puzzle: &dyn Puzzle) -> Consistency {
    let problem = puzzle.problem();
    let given = puzzle.given();
    let is_complete = dlx::verify(problem, given, given).is_ok();
    let (code, message) = match dlx::conflict(problem, given) {
        Some(conflict) => {
            let message = dlx::Violation::Conflict(conflict).show(problem).to_string();
            (5, format!("invalid: {message}"))
        }
        None if is_complete => (0, "a solution".to_owned()),
        None => match problem.idle_options().len() {
            0 => (0, "valid".to_owned()),
            1 => (0, "valid, 1 option has no primary item and is never chosen".to_owned()),
            idle => (0, format!("valid, {idle} options have no primary item and are never chosen")),
        },
    };
    Consistency { code, is_complete, message, cells: Vec::new() }
}
