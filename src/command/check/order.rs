//! Checks the clues of a puzzle for conflicts, without a search.

use grid::{Clash, Grid, GroupKind};
use puzzle::{Puzzle, SymbolGrid};

/// Maximum number of cells of a broken clue named in a line; JSON names all.
const CELLS_SHOWN: usize = 9;

pub(super) struct Consistency {
    /// The result code in JSON: 0 for a valid puzzle, 1 to 4 as in [`grid::ClashKind::code`], and 5
    /// for a conflict in a puzzle that is not a grid.
    pub(super) code: u8,
    pub(super) is_complete: bool,
    pub(super) message: String,
    /// Row and column of each conflicting cell, counted from 1.
    pub(super) cells: Vec<(usize, usize)>,
}

pub(super) fn order(puzzle: &dyn Puzzle) -> Consistency {
    match puzzle.as_symbols() {
        Some(symbols) => of_grid(puzzle, symbols),
        None => of_cover(puzzle),
    }
}

/// Returns the row and column of a cell, counted from 1.
pub(super) fn place(grid: &Grid, cell: usize) -> (usize, usize) {
    let (row, column) = grid.shape().place(cell);
    (row + 1, column + 1)
}

fn of_grid(puzzle: &dyn Puzzle, symbols: &dyn SymbolGrid) -> Consistency {
    let grid = symbols.grid();
    if let Some(clash) = grid.clash() {
        return of_clash(symbols, clash);
    }
    if let Some((message, cells)) = puzzle.contradiction() {
        let named = |&cell: &usize| {
            let symbol = grid.symbol(cell).map_or(".".to_owned(), |symbol| symbols.symbol_name(symbol));
            format!("{}={symbol}", symbols.cell_name(cell))
        };
        // A contradiction of clues alone has no filled cells.
        let filled = || cells.iter().filter(|&&cell| grid.symbol(cell).is_some());
        let mut words: Vec<String> = filled().take(CELLS_SHOWN).map(named).collect();
        words.extend((filled().count() > CELLS_SHOWN).then(|| "...".to_owned()));
        words.push(message);
        let message = format!("invalid: {}", words.join(" "));
        let cells = cells.into_iter().map(|cell| place(grid, cell)).collect();
        return Consistency { code: 4, is_complete: grid.is_full(), message, cells };
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

fn of_clash(symbols: &dyn SymbolGrid, clash: Clash) -> Consistency {
    let grid = symbols.grid();
    let (first, second) = (place(grid, clash.cells.0), place(grid, clash.cells.1));
    let symbol = symbols.symbol_name(clash.symbol);
    let group = &grid.shape().groups()[clash.group];
    let what = match group.kind {
        // Groups of the kind `Apart` are numbered only internally, so print no number.
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

fn of_cover(puzzle: &dyn Puzzle) -> Consistency {
    let problem = puzzle.problem();
    let given = puzzle.given();
    let is_complete = dlx::verify(problem, given, given).is_ok();
    if let Some((message, _)) = puzzle.contradiction() {
        let message = format!("invalid: {message}");
        return Consistency { code: 5, is_complete: false, message, cells: Vec::new() };
    }
    let (code, message) = match dlx::conflict(problem, given) {
        Some(conflict) => (5, format!("invalid: {}", conflict_words(puzzle, conflict))),
        None if is_complete => (0, "a solution".to_owned()),
        None => match problem.idle_options().len() {
            0 => (0, "valid".to_owned()),
            1 => (0, "valid, 1 option has no primary item and is never chosen".to_owned()),
            idle => (0, format!("valid, {idle} options have no primary item and are never chosen")),
        },
    };
    Consistency { code, is_complete, message, cells: Vec::new() }
}

/// Names the two conflicting options, if possible in the words that the kind of puzzle defines.
fn conflict_words(puzzle: &dyn Puzzle, conflict: dlx::Conflict) -> String {
    let terms = puzzle.terms();
    let words = [conflict.first, conflict.second].map(|option| terms.option_words(option));
    if words.iter().any(|words| words.starts_with('`')) {
        return dlx::Violation::Conflict(conflict).show(puzzle.problem()).to_string();
    }
    let [first, second] = words;
    let item = terms.item_words(conflict.item).map_or(String::new(), |item| format!(" in {item}"));
    format!("{first} and {second} clash{item}")
}
