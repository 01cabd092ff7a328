//! Filling a grid: the translation that Sudoku and Latin squares share.
//!
//! An option puts a symbol into a cell. It covers
//! - the item of the cell, `r1c2`: every cell takes one symbol;
//! - for every group of n cells (row, column, region, diagonal, window) the item of that group and
//!   that symbol, `r1s5`, `c2s5`, `b1s5`, `d1s5`, `w1s5`: every symbol occurs once in it;
//! - for every smaller group of cells that must differ (knight's move, corner) the secondary item of
//!   that group and symbol, `a7s5`: every symbol occurs at most once in it.
//!
//! Grids without pencil marks share the problem of their shape, with all n * n * n options, and their
//! clues are `given`: for a 9x9 grid that takes well under half the time of a problem of its own.
//! With pencil marks the options that they exclude are left out.

use std::sync::Arc;

use dlx::{Entry, ItemId, OptionId, Problem, ProblemBuilder};

use super::Puzzle;
use crate::grid::{Format, Grid, GroupKind, Shape};

/// A grid to be filled, with its translation.
#[derive(Clone, Debug)]
pub struct Fill {
    grid: Grid,
    translation: Arc<Translation>,
    given: Vec<OptionId>,
}

impl Fill {
    /// Returns the grid as it was read.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Returns the option that puts `symbol` into `cell`, if the puzzle has it.
    ///
    /// # Panics
    /// If there is no such cell.
    #[must_use]
    pub fn option(&self, cell: usize, symbol: usize) -> Option<OptionId> {
        let order = self.grid.shape().order();
        match &self.translation.placements {
            None => (symbol < order).then(|| OptionId::new(cell * order + symbol)),
            Some(placements) => {
                placements.binary_search(&(cell as u32, symbol as u32)).ok().map(OptionId::new)
            }
        }
    }

    /// Returns the cell and the symbol of an option.
    ///
    /// # Panics
    /// If `option` is not one of the problem's.
    #[must_use]
    pub fn placement(&self, option: OptionId) -> (usize, usize) {
        match &self.translation.placements {
            None => {
                let order = self.grid.shape().order();
                (option.index() / order, option.index() % order)
            }
            Some(placements) => {
                let (cell, symbol) = placements[option.index()];
                (cell as usize, symbol as usize)
            }
        }
    }

    /// Returns the grid with the symbols of `cover` filled in.
    ///
    /// # Panics
    /// If an option of `cover` is not one of the problem's.
    #[must_use]
    pub fn filled(&self, cover: &[OptionId]) -> Grid {
        let mut grid = self.grid.clone();
        for &option in cover {
            let (cell, symbol) = self.placement(option);
            grid.place(cell, symbol);
        }
        grid
    }
}

impl Puzzle for Fill {
    fn problem(&self) -> &Arc<Problem> {
        &self.translation.problem
    }

    fn given(&self) -> &[OptionId] {
        &self.given
    }

    fn show(&self, cover: &[OptionId], number: u64, out: &mut String) {
        let format = self.grid.style.format;
        format.write_solution(&self.grid, &self.filled(cover), number, out);
    }

    fn show_unsolvable(&self, out: &mut String) {
        self.grid.style.format.write_unsolvable(&self.grid, out);
    }

    fn show_head(&self, out: &mut String) {
        out.push_str(self.grid.style.format.solution_head());
    }

    fn is_line(&self) -> bool {
        self.grid.style.format.is_line()
    }

    fn separator(&self) -> &'static str {
        self.grid.style.format.separator()
    }

    fn set_format(&mut self, format: &'static dyn Format) -> Result<(), String> {
        let solved = Grid::empty(Arc::clone(self.grid.shape()), self.grid.style);
        if let Some(lack) = format.lacks(&solved) {
            return Err(format!("the format {} cannot hold {lack}", format.name()));
        }
        self.grid.style.format = format;
        Ok(())
    }

    fn as_fill(&self) -> Option<&Fill> {
        Some(self)
    }
}

/// The problem of a shape, or of one grid with pencil marks.
#[derive(Debug)]
struct Translation {
    problem: Arc<Problem>,
    /// Cell and symbol of each option, ascending; `None` if every symbol may stand in every cell.
    placements: Option<Vec<(u32, u32)>>,
}

/// Makes puzzles of grids; those of one shape one after the other share one problem.
#[derive(Clone, Debug, Default)]
pub struct Translator {
    last: Option<(Arc<Shape>, Arc<Translation>)>,
}

impl Translator {
    /// Makes the puzzle of a grid.
    pub fn puzzle(&mut self, grid: Grid) -> Fill {
        if !grid.is_plain() {
            let translation = Arc::new(translate(grid.shape(), |cell| grid.candidates(cell), true));
            return Fill { grid, translation, given: Vec::new() };
        }
        let translation = match &self.last {
            Some((shape, translation)) if Arc::ptr_eq(shape, grid.shape()) => Arc::clone(translation),
            _ => {
                let shape = grid.shape();
                let translation = Arc::new(translate(shape, |_| shape.all_symbols(), false));
                self.last = Some((Arc::clone(shape), Arc::clone(&translation)));
                translation
            }
        };
        let order = grid.shape().order();
        let given = (0..grid.shape().cell_count())
            .filter_map(|cell| grid.symbol(cell).map(|symbol| OptionId::new(cell * order + symbol)))
            .collect();
        Fill { grid, translation, given }
    }
}

/// Builds the problem of `shape` with the placements that `candidates` allows.
fn translate(shape: &Shape, candidates: impl Fn(usize) -> u64, is_listed: bool) -> Translation {
    const SOUND: &str = "a shape has few enough groups, each with a name of its own";
    let order = shape.order();
    let mut builder = ProblemBuilder::new();
    let cells: Vec<ItemId> = (0..shape.cell_count())
        .map(|cell| {
            let name = format!("r{}c{}", cell / order + 1, cell % order + 1);
            builder.primary(&name).expect(SOUND)
        })
        .collect();
    let groups: Vec<Vec<ItemId>> = shape
        .groups()
        .iter()
        .map(|group| {
            let letter = match group.kind {
                GroupKind::Row => 'r',
                GroupKind::Column => 'c',
                GroupKind::Region => 'b',
                GroupKind::Diagonal => 'd',
                GroupKind::Window => 'w',
                GroupKind::Apart => 'a',
            };
            let symbols = 0..order;
            let items = symbols.map(|symbol| {
                let name = format!("{letter}{}s{}", group.number + 1, symbol + 1);
                let is_primary = group.cells.len() == order;
                let item = if is_primary { builder.primary(&name) } else { builder.secondary(&name) };
                item.expect(SOUND)
            });
            items.collect()
        })
        .collect();
    let groups_of_cells = shape.groups_of_cells();
    let mut placements = Vec::new();
    let mut entries: Vec<Entry> = Vec::new();
    for cell in 0..shape.cell_count() {
        for symbol in (0..order).filter(|symbol| candidates(cell) >> symbol & 1 == 1) {
            entries.clear();
            entries.push(cells[cell].into());
            entries
                .extend(groups_of_cells[cell].iter().map(|&group| Entry::from(groups[group][symbol])));
            builder.option(entries.iter().copied()).expect(SOUND);
            if is_listed {
                placements.push((cell as u32, symbol as u32));
            }
        }
    }
    Translation { problem: Arc::new(builder.build()), placements: is_listed.then_some(placements) }
}
