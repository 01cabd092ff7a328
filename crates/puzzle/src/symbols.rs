//! The interface of puzzles that are grids: some of their options put symbols into cells.
//!
//! Commands about cells and symbols use this interface, so they need not distinguish plain grids
//! and variants.

use std::sync::Arc;

use dlx::{ItemId, Limit, Limits, OptionId};

use super::{DigitGrid, Fill, RuledGrid};
use grid::Grid;
use picture::{Ink, Mark, Picture, Point};

/// An item that a clue adds to the problem of a grid, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClueItem {
    /// The name of the rule.
    pub rule: &'static str,
    /// The number of the clue, from 0; `None` for an item that belongs to a cell, not to one clue.
    pub clue: Option<usize>,
    /// The name of the clue, such as `killer r1c1 r1c2 = 3`; empty without a clue.
    pub name: String,
    /// What a clue of this rule is called in a sentence, such as `cage`.
    pub noun: &'static str,
    /// The description of the item, with its clue.
    pub words: String,
    /// The name of the cells that the item is about, if these are only a part of the clue.
    pub part: Option<String>,
    /// The meaning of the item.
    pub meaning: ClueMeaning,
}

/// The meaning of an item of a clue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClueMeaning {
    /// A symbol, which stands in one of the cells of the clue (or of a part of it) or is missing
    /// there.
    Symbol(usize),
    /// A symbol that a row, column or region needs: the clue says no more than the number of this
    /// group in the shape.
    Place(usize, usize),
    /// A relation between the symbols of two cells.
    Pair(usize, usize),
    /// Anything else, such as the sum of the clue.
    Whole,
}

/// A puzzle that is a grid of symbols.
pub trait SymbolGrid {
    /// Returns the grid as it was read.
    fn grid(&self) -> &Grid;

    /// Returns the grid and its translation, if the puzzle has no clues of rules.
    fn as_fill(&self) -> Option<&Fill> {
        None
    }

    /// Returns the puzzle as a grid with clues of rules, if it has such clues.
    fn as_ruled(&self) -> Option<&dyn RuledGrid> {
        None
    }

    /// Returns the puzzle for the search of [`digits`], if it supports that; builds its network on
    /// first use.
    ///
    /// # Errors
    /// The limit that was reached.
    fn as_digits(&self, limits: &Limits) -> Result<Option<&dyn DigitGrid>, Limit> {
        let _ = limits;
        Ok(None)
    }

    /// Returns the cell and the symbol of an option, or `None` for an option with another meaning,
    /// such as a choice within a clue.
    ///
    /// # Panics
    /// If `option` is not an option of the problem.
    fn placed_by(&self, option: OptionId) -> Option<(usize, usize)>;

    /// Returns the text of a symbol.
    fn symbol_name(&self, symbol: usize) -> String {
        let character = self.grid().style.alphabet.character(symbol);
        character.map_or_else(|| (symbol + 1).to_string(), |character| character.to_string())
    }

    /// Returns the number that stands for the first symbol in the names of items.
    fn first_number(&self) -> usize {
        1
    }

    /// Describes an item of a clue; returns `None` for an item that is a cell, or a symbol in a
    /// row, column or region, and for an item whose own name is sufficient.
    fn clue_item(&self, item: ItemId) -> Option<ClueItem> {
        let _ = item;
        None
    }

    /// Describes an option that puts no symbol into a cell; returns `None` if the option needs no
    /// description.
    fn clue_option(&self, option: OptionId) -> Option<String> {
        let _ = option;
        None
    }

    /// Returns the name of a cell, such as `r1c2`.
    fn cell_name(&self, cell: usize) -> String {
        let (row, column) = self.grid().shape().place(cell);
        format!("r{}c{}", row + 1, column + 1)
    }

    /// Draws `grid`, which has the same shape, together with the clues of this puzzle.
    fn picture_of(&self, grid: &Grid) -> Picture;

    /// Draws all clues and the symbols of `cover`. All other cells stay empty.
    fn picture_of_symbols(&self, cover: &[OptionId]) -> Picture {
        let grid = self.grid();
        let mut filled = Grid::empty(Arc::clone(grid.shape()), grid.style);
        for (cell, symbol) in cover.iter().filter_map(|&option| self.placed_by(option)) {
            filled.place(cell, symbol);
        }
        self.picture_of(&filled)
    }

    /// Draws a small candidate at its position within a cell.
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

/// Size of a candidate's text, as a fraction of the space for the candidate.
pub(super) const CANDIDATE_TEXT: f64 = 0.93;

/// How a candidate is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CandidateLook {
    /// The ink of the circle under the candidate, if any.
    pub fill: Option<Ink>,
    /// Whether the candidate is crossed out.
    pub is_struck: bool,
}

/// Returns the center of a candidate in a cell, and the size of its space.
pub fn candidate_spot(grid: &Grid, cell: usize, symbol: usize) -> (Point, f64) {
    let order = grid.shape().order();
    let side = (1..).find(|side| side * side >= order).unwrap_or(1);
    let at =
        |start: usize, number: usize| start as f64 + 0.08 + 0.84 * (number as f64 + 0.5) / side as f64;
    let (row, column) = grid.shape().place(cell);
    ([at(column, symbol % side), at(row, symbol / side)], 0.84 / side as f64)
}
