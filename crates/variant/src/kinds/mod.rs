//! Kinds of puzzles whose boards are variants: Kakuro, nonograms, KenKen and others.
//!
//! Such a kind is one file here and one row of `farandole::kinds::KINDS`. Its file reads the text
//! into a [`BoardDraft`], which states the clues by the rules of [`RULES`](super::rules::RULES),
//! and implements [`Presentation`], which writes and draws the board as the players of the kind
//! know it. Everything else (search, counts, candidates, steps, checks) works on the variant.
//!
//! # Bounds
//! A board has at most [`MAX_ORDER`](grid::MAX_ORDER) rows and columns, and at most as many
//! symbols.

pub mod binairo;
pub mod futoshiki;
pub mod kakuro;
pub mod kenken;
pub mod nonogram;
pub mod star_battle;
pub mod str8ts;
pub mod suguru;

#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::clue::Digit;
use super::rules::{self, Args};
use super::{Placed, Variant, VariantBoard, budget};
use grid::{Grid, GridLayout, Shape, Style, format};
use puzzle::{Cell, Ink, Made, Mark, Picture, Point, fill, text_limit};
use text::InputError;

/// The text form and the picture of a kind whose boards are variants.
pub trait Presentation: std::fmt::Debug + Send + Sync {
    /// Writes the puzzle with the symbols of `grid` as its givens, beginning with `# puzzle: NAME`.
    fn write(&self, grid: &Grid, out: &mut String);

    /// Draws the puzzle with the symbols of a grid.
    fn draw(&self, board: &BoardLook<'_>) -> Picture;

    /// Returns the text of a symbol (from 0).
    fn symbol(&self, symbol: usize) -> String;

    /// Returns whether a cell of the rectangle is no cell of the puzzle. Such a cell has a fixed
    /// symbol, which is not a clue.
    fn is_blocked(&self, cell: usize) -> bool {
        let _ = cell;
        false
    }
}

/// The contents of a picture: a grid, and which of its symbols are given.
#[derive(Debug)]
pub struct BoardLook<'g> {
    filled: &'g Grid,
    given: &'g Grid,
}

impl<'g> BoardLook<'g> {
    pub(super) fn new(filled: &'g Grid, given: &'g Grid) -> Self {
        Self { filled, given }
    }

    /// Returns the symbol of a cell, if it has one.
    #[must_use]
    pub fn symbol(&self, cell: usize) -> Option<usize> {
        self.filled.symbol(cell)
    }

    /// Returns whether the symbol of a cell is given.
    #[must_use]
    pub fn is_given(&self, cell: usize) -> bool {
        self.given.symbol(cell).is_some()
    }

    /// Returns the ink of the symbol of a cell: that of givens or that of answers.
    #[must_use]
    pub fn ink(&self, cell: usize) -> Ink {
        if self.is_given(cell) { Ink::Wall } else { Ink::Answer }
    }

    /// Draws all cells as squares of the regions that `region` returns, with their symbols as
    /// texts, and the pencil marks of open cells.
    pub fn draw_cells(
        &self,
        picture: &mut Picture,
        symbol: impl Fn(usize) -> String,
        region: impl Fn(usize) -> usize,
    ) {
        self.draw_with(picture, |cell| {
            let text = self.symbol(cell).map_or_else(String::new, &symbol);
            Cell::in_region(region(cell)).text(text).given(self.is_given(cell))
        });
        fill::draw_candidates(self.filled, picture, symbol);
    }

    /// Draws the pencil marks of open cells, except in blocked cells.
    pub fn draw_marks(
        &self,
        picture: &mut Picture,
        symbol: impl Fn(usize) -> String,
        is_blocked: impl Fn(usize) -> bool,
    ) {
        let mut marks = self.filled.clone();
        let all = marks.shape().all_symbols();
        for cell in (0..marks.shape().cell_count()).filter(|&cell| is_blocked(cell)) {
            marks.set_candidates(cell, all);
        }
        fill::draw_candidates(&marks, picture, symbol);
    }

    /// Draws all cells as `cell` returns them.
    pub fn draw_with(&self, picture: &mut Picture, cell: impl Fn(usize) -> Cell) {
        let shape = self.filled.shape();
        for index in 0..shape.cell_count() {
            let (row, column) = shape.place(index);
            picture.set(row, column, cell(index));
        }
    }
}

/// Returns the center of a cell in a picture.
fn center((row, column): (usize, usize)) -> Point {
    [column as f64 + 0.5, row as f64 + 0.5]
}

/// Returns a star with five points.
fn star([x, y]: Point, radius: f64, ink: Ink) -> Mark {
    /// Ratio of the inner to the outer radius of a regular five-pointed star.
    const INNER: f64 = 0.381_966;
    let corner = |number: usize| {
        let angle = std::f64::consts::PI * number as f64 / 5.0;
        let reach = if number.is_multiple_of(2) { radius } else { INNER * radius };
        [x + reach * angle.sin(), y - reach * angle.cos()]
    };
    Mark::polygon((0..10).map(corner).collect()).fill(ink)
}

/// The name of a rule, and the arguments of one of its clues.
#[derive(Clone, Debug)]
pub struct DraftClue(&'static str, Args);

impl DraftClue {
    /// Returns a clue on one group of cells.
    #[must_use]
    pub fn new(rule: &'static str, cells: Vec<usize>, values: Vec<i64>) -> Self {
        Self(rule, Args { groups: vec![cells], values, ..Args::default() })
    }

    /// Returns a clue on several groups of cells.
    #[must_use]
    pub fn of_groups(rule: &'static str, groups: Vec<Vec<usize>>) -> Self {
        Self(rule, Args { groups, ..Args::default() })
    }

    /// Returns a clue of a rule that takes a text, and perhaps no cells.
    #[must_use]
    pub fn of_text(rule: &'static str, cells: Option<Vec<usize>>, text: String) -> Self {
        Self(rule, Args { groups: cells.into_iter().collect(), text, ..Args::default() })
    }
}

/// A board that is being read: its shape, its givens and its clues.
#[derive(Debug)]
pub struct BoardDraft {
    board: VariantBoard,
    grid: Grid,
    placed: Vec<Placed>,
}

impl BoardDraft {
    /// Begins an empty board with these digits, whose rows and columns may repeat digits.
    ///
    /// # Errors
    /// If it has too many rows, columns or digits.
    pub fn new(rows: usize, columns: usize, digits: RangeInclusive<Digit>) -> Result<Self, String> {
        let symbols = (digits.end() + 1 - digits.start()).max(0) as usize;
        let regions = &[];
        let layout =
            GridLayout { rows, columns, symbols, outside: 0, has_lines: false, regions, rules: &[] };
        Ok(Self::of_shape(Shape::of(&layout)?, *digits.start()))
    }

    /// Begins an empty Latin square with the digits from 1.
    ///
    /// # Errors
    /// If the order is out of range.
    pub fn latin(order: usize) -> Result<Self, String> {
        Ok(Self::of_shape(Shape::latin(order)?, 1))
    }

    fn of_shape(shape: Shape, first: Digit) -> Self {
        let style = format::by_name("rows").map_or_else(Style::default, Style::new);
        let shape = Arc::new(shape);
        let grid = Grid::empty(Arc::clone(&shape), style);
        Self { board: VariantBoard::new(shape, first), grid, placed: Vec::new() }
    }

    /// Returns the board without its clues.
    #[must_use]
    pub fn board(&self) -> &VariantBoard {
        &self.board
    }

    /// Places a digit as a given.
    ///
    /// # Errors
    /// If the board does not have the digit.
    pub fn place(&mut self, cell: usize, digit: Digit) -> Result<(), String> {
        let (first, last) = (self.board.first, *self.board.digits().end());
        if !self.board.digits().contains(&digit) {
            return Err(format!("expected a digit from {first} to {last}, found {digit}"));
        }
        self.grid.place(cell, (digit - first) as usize);
        Ok(())
    }

    /// Adds a clue. `words` describes it in messages.
    ///
    /// # Errors
    /// If the rule does not allow the arguments, or a limit is reached.
    pub fn clue(&mut self, clue: DraftClue, words: impl Into<String>) -> Result<(), String> {
        self.add(clue, words.into(), false)
    }

    /// Adds a condition of the kind of puzzle, which is not a clue: no question leaves it out.
    ///
    /// # Errors
    /// As [`Self::clue`].
    pub fn condition(&mut self, clue: DraftClue, words: impl Into<String>) -> Result<(), String> {
        self.add(clue, words.into(), true)
    }

    fn add(&mut self, clue: DraftClue, words: String, is_of_kind: bool) -> Result<(), String> {
        let DraftClue(name, args) = clue;
        let rule = rules::by_name(name).ok_or_else(|| format!("expected a rule, found `{name}`"))?;
        let placed = Placed::new(&self.board, rule, args)?;
        self.placed.push(Placed { words: Some(words.into()), is_of_kind, ..placed });
        Ok(())
    }

    /// Completes the puzzle.
    ///
    /// # Errors
    /// If no engine supports the clues, or a limit is reached.
    pub fn finish(mut self, presentation: impl Presentation + 'static) -> Result<Variant, String> {
        self.placed.sort_by_key(|placed| placed.is_of_kind);
        let variant = Variant::new(self.board, self.grid, self.placed)?;
        Ok(variant.presented(Some(Arc::new(presentation))))
    }
}

/// Reads a puzzle within the limits, and adds the title and the author of its head.
fn read_within(
    read: fn(&str) -> Result<Variant, InputError>,
    text: &str,
    limits: &dlx::Limits,
) -> Made {
    let text = text.trim_start_matches('\u{feff}');
    let head = |wanted: &str| text::directive(text, wanted);
    match budget::within(limits, || read(text)) {
        Ok(variant) => Ok(Box::new(variant?.titled(head("title"), head("author")))),
        Err(limit) => Err(InputError::limited(text_limit(limit), "while the clues were compiled")),
    }
}

/// Returns the name of cells in a row or column, such as `r2c3-r2c6`.
fn span(board: &VariantBoard, cells: &[usize]) -> String {
    match cells {
        [] => String::new(),
        [only] => board.name(*only),
        [first, .., last] => format!("{}-{}", board.name(*first), board.name(*last)),
    }
}
