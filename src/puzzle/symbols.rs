//! What all puzzles have in common that are grids: some of their options put symbols into cells.
//!
//! Commands that speak of cells and symbols ask for this, and so know neither plain grids nor variants.

use dlx::{ItemId, OptionId};

use crate::grid::Grid;

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

    /// Returns the grid with the symbols of `cover` filled in.
    fn filled_with(&self, cover: &[OptionId]) -> Grid {
        let mut grid = self.grid().clone();
        for (cell, symbol) in cover.iter().filter_map(|&option| self.placed_by(option)) {
            grid.place(cell, symbol);
        }
        grid
    }
}
