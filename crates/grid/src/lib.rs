//! The common model of Sudoku-like puzzles: an n x n square whose cells are filled with n symbols.
//!
//! Variants may have other row, column and symbol counts, and cells outside the rows
//! ([`GridLayout`]).
//!
//! A [`Shape`] defines groups of cells that must differ, and a [`Grid`] the candidates of each
//! cell. The model does not depend on exact covers, so that other solvers and the formats can use
//! it.
//!
//! Cells are numbered row by row from 0, and symbols from 0. An order is at most [`MAX_ORDER`], so
//! the candidates of a cell fit in a 64-bit word.

#[macro_use]
extern crate text;

mod alphabet;
mod check;
pub mod format;
mod setting;
mod shape;
mod style;

use std::sync::Arc;

pub use alphabet::Alphabet;
pub use check::{Clash, ClashKind};
use format::TableRow;
pub use format::{FORMATS, Format};
pub use setting::{Setting, boxes, boxes_of_size};
pub use shape::{CellGroup, GridLayout, GridRule, GroupKind, OUTSIDE_MAX, Shape};
pub use style::Style;

/// Maximum order of a square.
pub const MAX_ORDER: usize = 64;

/// A puzzle: a shape, and the candidates of each cell.
#[derive(Clone, Debug)]
pub struct Grid {
    shape: Arc<Shape>,
    candidates: Vec<u64>,
    /// The other values in the table row of the grid, if it comes from a table with several
    /// columns.
    row: Option<Arc<TableRow>>,
    /// The style of the grid's text, so that the grid can be written in the same style.
    pub style: Style,
}

impl Grid {
    /// Returns an empty grid.
    #[must_use]
    pub fn empty(shape: Arc<Shape>, style: Style) -> Self {
        let candidates = vec![shape.all_symbols(); shape.cell_count()];
        Self { shape, candidates, row: None, style }
    }

    /// Returns a grid with the given candidates. Bit s of a word stands for symbol s.
    ///
    /// # Panics
    /// If the number of words is not the number of cells, or a word has a bit beyond the order.
    #[must_use]
    pub fn with_candidates(shape: Arc<Shape>, candidates: Vec<u64>, style: Style) -> Self {
        assert_eq!(candidates.len(), shape.cell_count(), "a word a cell");
        let all = candidates.iter().fold(0, |all, word| all | word);
        assert!(all & !shape.all_symbols() == 0, "a candidate must be one of the symbols");
        Self { shape, candidates, row: None, style }
    }

    /// Returns the row of the CSV table that contained the grid.
    pub fn row(&self) -> Option<&TableRow> {
        self.row.as_deref()
    }

    pub(crate) fn set_row(&mut self, row: TableRow) {
        self.row = Some(Arc::new(row));
    }

    /// Returns the shape.
    #[must_use]
    pub fn shape(&self) -> &Arc<Shape> {
        &self.shape
    }

    /// Returns the candidates of `cell`. Bit s stands for symbol s.
    ///
    /// # Panics
    /// If `cell` does not exist.
    #[must_use]
    pub fn candidates(&self, cell: usize) -> u64 {
        self.candidates[cell]
    }

    /// Sets the candidates of `cell`.
    ///
    /// # Panics
    /// If the cell or a symbol does not exist.
    pub fn set_candidates(&mut self, cell: usize, candidates: u64) {
        assert!(candidates & !self.shape.all_symbols() == 0, "a candidate must be one of the symbols");
        self.candidates[cell] = candidates;
    }

    /// Returns the symbol of `cell` if the cell has a single candidate.
    ///
    /// # Panics
    /// If `cell` does not exist.
    #[must_use]
    pub fn symbol(&self, cell: usize) -> Option<usize> {
        let candidates = self.candidates[cell];
        candidates.is_power_of_two().then(|| candidates.trailing_zeros() as usize)
    }

    /// Returns whether every cell is blank: it has no symbol and no pencil marks.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        (0..self.candidates.len()).all(|cell| self.is_blank(cell))
    }

    /// Returns the clue of each cell, if it has one. In a grid with pencil marks, a cell is a clue
    /// if it has a single candidate that no peer has as a candidate.
    ///
    /// ```
    /// use grid::{Grid, Shape, Style};
    ///
    /// let mut grid = Grid::empty(Shape::sudoku(2, 2, &[])?.into(), Style::default());
    /// grid.place(0, 3);
    /// assert_eq!(grid.clues()[0], Some(3));
    /// grid.set_candidates(1, 0b0011);
    /// // The player has not solved cell 0, because cell 2 may also be 4.
    /// assert_eq!(grid.clues()[0], None);
    /// # Ok::<(), String>(())
    /// ```
    #[must_use]
    pub fn clues(&self) -> Vec<Option<usize>> {
        let mut clues: Vec<_> = (0..self.candidates.len()).map(|cell| self.symbol(cell)).collect();
        if !self.is_plain() {
            for (clue, peers) in clues.iter_mut().zip(self.shape.peers()) {
                let is_open =
                    |symbol: &usize| peers.iter().any(|&peer| self.candidates[peer] >> symbol & 1 == 1);
                clue.take_if(|symbol| is_open(symbol));
            }
        }
        clues
    }

    /// Sets the symbol of `cell`.
    ///
    /// # Panics
    /// If the cell or the symbol does not exist.
    pub fn place(&mut self, cell: usize, symbol: usize) {
        assert!(symbol < self.shape.order(), "symbol {symbol} is beyond the order");
        self.candidates[cell] = 1 << symbol;
    }

    /// Returns whether `cell` has all symbols as candidates.
    ///
    /// # Panics
    /// If `cell` does not exist.
    #[must_use]
    pub fn is_blank(&self, cell: usize) -> bool {
        self.candidates[cell] == self.shape.all_symbols() && self.shape.order() > 1
    }

    /// Returns whether every cell is blank or filled, so that the grid has no pencil marks.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        (0..self.candidates.len()).all(|cell| self.symbol(cell).is_some() || self.is_blank(cell))
    }

    /// Returns whether every cell is filled.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.candidates.iter().all(|candidates| candidates.is_power_of_two())
    }
}

/// Tests the example of the crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
