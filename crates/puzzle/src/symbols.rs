//! What all puzzles have in common that are grids: some of their options put symbols into cells.
//!
//! Commands that speak of cells and symbols ask for this, and so know neither plain grids nor variants.

use std::sync::Arc;

use dlx::{ItemId, OptionId};

use grid::Grid;
use picture::{Ink, Mark, Picture, Point};

/// A puzzle that is a grid of symbols.
pub trait SymbolGrid {
    /// Returns the grid as it was read.
    fn grid(&self) -> &Grid;

    /// Returns the cell and the symbol of an option; `None` if it stands for something else, such as how a clue is met.
    ///
    /// # Panics
    /// If `option` is not one of the problem's.
    fn placed_by(&self, option: OptionId) -> Option<(usize, usize)>;

    /// Returns how a symbol is written.
    fn symbol_name(&self, symbol: usize) -> String {
        let character = self.grid().style.alphabet.character(symbol);
        character.map_or_else(|| (symbol + 1).to_string(), |character| character.to_string())
    }

    /// Returns the number that stands for the first symbol in the names of items.
    fn first_number(&self) -> usize {
        1
    }

    /// Says what an item stands for that is neither a cell nor a symbol in a row, column or region, and by which rule;
    /// `None` if the problem's own name says it.
    fn clue_item(&self, item: ItemId) -> Option<(&'static str, String)> {
        let _ = item;
        None
    }

    /// Says what an option stands for that puts no symbol into a cell; `None` if nobody needs to know.
    fn clue_option(&self, option: OptionId) -> Option<String> {
        let _ = option;
        None
    }

    /// Names a cell: `r1c2`.
    fn cell_name(&self, cell: usize) -> String {
        let (row, column) = self.grid().shape().place(cell);
        format!("r{}c{}", row + 1, column + 1)
    }

    /// Draws a grid of the same shape with the clues of this one.
    fn picture_of(&self, grid: &Grid) -> Picture;

    /// Draws the symbols of `cover` alone, with all clues: whatever else is known of the other cells is left to be drawn.
    fn picture_of_symbols(&self, cover: &[OptionId]) -> Picture {
        let grid = self.grid();
        let mut filled = Grid::empty(Arc::clone(grid.shape()), grid.style);
        for (cell, symbol) in cover.iter().filter_map(|&option| self.placed_by(option)) {
            filled.place(cell, symbol);
        }
        self.picture_of(&filled)
    }

    /// Draws a symbol that may stand in a cell, small, at its place in the cell.
    fn draw_candidate(&self, picture: &mut Picture, cell: usize, symbol: usize, look: CandidateLook) {
        let (at, size) = candidate_spot(self.grid(), cell, symbol);
        if let Some(fill) = look.fill {
            picture.under(Mark::circle(at, 0.5 * size).fill(fill));
        }
        let ink = if look.fill.is_some() { Ink::Wall } else { Ink::Muted };
        picture.over(Mark::text(at, &self.symbol_name(symbol), CANDIDATE_TEXT * size).fill(ink));
        if look.is_struck {
            let half = 0.36 * size;
            let line = vec![[at[0] - half, at[1] + half], [at[0] + half, at[1] - half]];
            picture.over(Mark::line(line).stroke(Ink::Wall, 0.07 * size));
        }
    }

    /// Returns the grid with the symbols of `cover` filled in.
    fn filled_with(&self, cover: &[OptionId]) -> Grid {
        let mut grid = self.grid().clone();
        for (cell, symbol) in cover.iter().filter_map(|&option| self.placed_by(option)) {
            grid.place(cell, symbol);
        }
        grid
    }
}

/// The size of a small symbol, as a share of the room that it has.
pub(super) const CANDIDATE_TEXT: f64 = 0.93;

/// How a small symbol looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CandidateLook {
    /// What is behind it.
    pub fill: Option<Ink>,
    /// Whether it is struck out.
    pub is_struck: bool,
}

/// Returns where a small symbol stands in a cell, and how much room it has.
pub fn candidate_spot(grid: &Grid, cell: usize, symbol: usize) -> (Point, f64) {
    let order = grid.shape().order();
    let side = (1..).find(|side| side * side >= order).unwrap_or(1);
    let at =
        |start: usize, number: usize| start as f64 + 0.08 + 0.84 * (number as f64 + 0.5) / side as f64;
    let (row, column) = grid.shape().place(cell);
    ([at(column, symbol % side), at(row, symbol / side)], 0.84 / side as f64)
}
