//! Translates the completion of a grid into an exact cover, for Sudoku and Latin squares.
//!
//! An option puts a symbol into a cell. It covers
//! - the item of the cell, `r1c2`: every cell has one symbol;
//! - for every group of n cells (row, column, region, diagonal, window) the item of that group and
//!   that symbol, `r1s5`, `c2s5`, `b1s5`, `d1s5`, `w1s5`: every symbol occurs once in the group;
//! - for every smaller group of cells that must differ (knight's move, corner) the secondary item
//!   of that group and that symbol, `a7s5`: every symbol occurs at most once in the group.
//!
//! Grids without pencil marks share the problem of their shape, with all n * n * n options, and
//! their clues are `given`, which is faster than a separate problem per grid. For a grid with
//! pencil marks, the excluded options are omitted. A cell of such a grid is a clue if it has a
//! single candidate that no peer has, as players mark a solved cell.
//!
//! The problem is built on first use. Options can be mapped to cells and symbols without the
//! problem, so an algorithm that works on the grid itself never builds the problem.

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use dlx::classes::Symmetry;
use dlx::{Entry, ItemId, OptionId, Problem, ProblemBuilder};

use super::symbols::{CANDIDATE_TEXT, candidate_spot};
use super::{
    Cell, Ink, LatinListing, LatinSort, Mark, Picture, Puzzle, SymbolGrid, SymmetrySort, TextLayout,
    latin, symmetry, title_line,
};
use grid::{CellGroup, Format, Grid, GridRule, GroupKind, Shape};

/// A grid to be filled, with its translation.
#[derive(Clone, Debug)]
pub struct Fill {
    grid: Grid,
    translation: Arc<Translation>,
    given: Vec<OptionId>,
    /// The title and the author, which pictures show; empty if the puzzle has neither.
    title: String,
}

impl Fill {
    /// Sets the title from a title and an author; both may be empty.
    #[must_use]
    pub fn titled(mut self, title: &str, author: &str) -> Self {
        self.title = title_line(title, author);
        self
    }

    /// Returns the grid as it was read.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Returns whether the exact cover was built.
    #[must_use]
    pub fn has_problem(&self) -> bool {
        self.translation.problem.get().is_some()
    }
    fn empty_square(&self) -> Option<usize> {
        let (shape, order) = (self.grid.shape(), self.grid.shape().order());
        let is_line = |group: &CellGroup| matches!(group.kind, GroupKind::Row | GroupKind::Column);
        let is_square = shape.cell_count() == order * order
            && (order == 1 || shape.groups().len() == 2 * order)
            && shape.groups().iter().all(is_line);
        // The symbol of a 1x1 square is known without clues.
        let is_empty = order == 1 || self.given.is_empty() && self.translation.placements.is_none();
        (is_square && is_empty).then_some(order)
    }

    /// Returns the option that puts `symbol` into `cell`, if the puzzle has such an option.
    ///
    /// # Panics
    /// If `cell` does not exist.
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
    /// If `option` is not an option of the problem.
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
    /// If an option of `cover` is not an option of the problem.
    #[must_use]
    pub fn filled(&self, cover: &[OptionId]) -> Grid {
        let mut grid = self.grid.clone();
        for &option in cover {
            let (cell, symbol) = self.placement(option);
            grid.place(cell, symbol);
        }
        grid
    }

    /// For a symmetry group that is too large to list, returns one symmetry per conjugacy class
    /// with the size of the class, the identity first; returns `None` unless the puzzle is an empty
    /// Latin square of a supported order.
    #[must_use]
    pub fn latin_classes(&self, wanted: LatinSort) -> Option<Vec<(Symmetry, u64)>> {
        let order = self.empty_square()?;
        latin::classes(order, wanted, |[row, column, symbol]| {
            OptionId::new((row * order + column) * order + symbol)
        })
    }

    /// Returns a lister of Latin squares, one per class, or `None` in the same cases as
    /// [`Self::latin_classes`].
    #[must_use]
    pub fn latin_squares(&self, wanted: LatinSort) -> Option<LatinListing> {
        LatinListing::new(self.empty_square()?, wanted)
    }
}

impl Puzzle for Fill {
    fn problem(&self) -> &Arc<Problem> {
        self.translation.problem()
    }

    fn given(&self) -> &[OptionId] {
        &self.given
    }

    fn show(&self, cover: &[OptionId], number: u64, out: &mut String) {
        let format = self.grid.style.format;
        format.write_solution(&self.grid, &self.filled(cover), number, out);
    }

    fn show_clues(&self, clues: &[OptionId], out: &mut String) -> bool {
        let mut grid = self.grid.clone();
        if grid.is_plain() {
            grid = Grid::empty(Arc::clone(self.grid.shape()), self.grid.style);
        }
        for &clue in clues {
            let (cell, symbol) = self.placement(clue);
            grid.place(cell, symbol);
        }
        (self.grid.style.format.write)(&grid, out);
        true
    }

    fn layout(&self) -> TextLayout<'_> {
        TextLayout::of(&self.grid)
    }

    fn set_format(&mut self, format: &'static Format) -> Result<(), String> {
        let solved = Grid::empty(Arc::clone(self.grid.shape()), self.grid.style);
        if let Some(lack) = format.lacks(&solved) {
            return Err(format!("the format {} cannot hold {lack}", format.name));
        }
        self.grid.style.format = format;
        Ok(())
    }

    fn picture(&self, cover: &[OptionId]) -> Option<Picture> {
        Some(self.picture_of(&self.filled(cover)))
    }

    fn symmetries(&self, wanted: SymmetrySort) -> Option<Vec<Symmetry>> {
        let moved = |option: OptionId, moved: &dyn Fn(usize) -> usize| {
            let (cell, symbol) = self.placement(option);
            self.option(moved(cell), symbol)
        };
        let count = self.problem().option_count();
        Some(symmetry::of_square(self.grid.shape().order(), wanted, count, moved))
    }

    fn as_symbols(&self) -> Option<&dyn SymbolGrid> {
        Some(self)
    }
}

impl SymbolGrid for Fill {
    fn grid(&self) -> &Grid {
        &self.grid
    }

    fn as_fill(&self) -> Option<&Fill> {
        Some(self)
    }

    fn placed_by(&self, option: OptionId) -> Option<(usize, usize)> {
        Some(self.placement(option))
    }

    fn picture_of(&self, grid: &Grid) -> Picture {
        let text = |symbol| self.symbol_name(symbol);
        let mut picture = Picture::new();
        picture.title(&*self.title);
        draw(self.grid.shape(), &mut picture, |cell| {
            (grid.symbol(cell).map_or(String::new(), text), self.grid.symbol(cell).is_some())
        });
        draw_candidates(grid, &mut picture, text);
        picture
    }
}

/// Draws a grid with its extra rules. `texts` returns the text of a cell and whether the cell is a
/// clue. Cells outside the rows are drawn below the grid.
pub fn draw(shape: &Shape, picture: &mut Picture, texts: impl Fn(usize) -> (String, bool)) {
    let mut regions = shape.region_of_cells();
    regions.resize(shape.cell_count(), 0);
    let windows = shape.groups().iter().filter(|group| group.kind == GroupKind::Window);
    let shaded: HashSet<usize> = windows.flat_map(|group| group.cells.iter().copied()).collect();
    for (cell, &region) in regions.iter().enumerate() {
        let (text, is_given) = texts(cell);
        let drawn = Cell::in_region(region).shaded(shaded.contains(&cell)).text(text).given(is_given);
        let (row, column) = shape.place(cell);
        picture.set(row, column, drawn);
    }
    for rule in shape.rules() {
        let far = shape.columns() as f64;
        match rule {
            GridRule::Diagonals => {
                for (from, to) in [([0.0, 0.0], [far, far]), ([far, 0.0], [0.0, far])] {
                    picture.under(Mark::line(vec![from, to]).stroke(Ink::Blue, 0.07));
                }
            }
            // Add no word, because the cells of the windows are shaded.
            GridRule::Windoku => {}
            GridRule::AntiKnight | GridRule::AntiKing => picture.word(None, rule.name()),
        }
    }
}

/// For each cell with pencil marks, draws the candidates, each at its position in a small square.
pub fn draw_candidates(grid: &Grid, picture: &mut Picture, text: impl Fn(usize) -> String) {
    let order = grid.shape().order();
    for cell in (0..grid.shape().cell_count()).filter(|&cell| !grid.is_blank(cell)) {
        if grid.symbol(cell).is_some() {
            continue;
        }
        for symbol in (0..order).filter(|symbol| grid.candidates(cell) >> symbol & 1 == 1) {
            let (at, size) = candidate_spot(grid, cell, symbol);
            picture.over(Mark::text(at, &text(symbol), CANDIDATE_TEXT * size).fill(Ink::Muted));
        }
    }
}

#[derive(Debug)]
struct Translation {
    shape: Arc<Shape>,
    /// Cell and symbol of each option, in ascending order, or `None` if every symbol is allowed in
    /// every cell.
    placements: Option<Vec<(u32, u32)>>,
    problem: OnceLock<Arc<Problem>>,
}

impl Translation {
    fn new(shape: &Arc<Shape>, placements: Option<Vec<(u32, u32)>>) -> Arc<Self> {
        Arc::new(Self { shape: Arc::clone(shape), placements, problem: OnceLock::new() })
    }

    fn problem(&self) -> &Arc<Problem> {
        self.problem.get_or_init(|| {
            let all = || placements(&self.shape, |_| self.shape.all_symbols());
            Arc::new(match &self.placements {
                Some(placements) => translate(&self.shape, placements.iter().copied()),
                None => translate(&self.shape, all()),
            })
        })
    }
}

/// Builds puzzles from grids. Consecutive grids of the same shape share their problem.
#[derive(Clone, Debug, Default)]
pub struct Translator {
    last: Option<(Arc<Shape>, Arc<Translation>)>,
}

impl Translator {
    /// Builds the puzzle of a grid.
    pub fn puzzle(&mut self, grid: Grid) -> Fill {
        if !grid.is_plain() {
            let placements = placements(grid.shape(), |cell| grid.candidates(cell)).collect();
            let translation = Translation::new(grid.shape(), Some(placements));
            let mut fill = Fill { grid, translation, given: Vec::new(), title: String::new() };
            let clues = fill.grid.clues().into_iter().enumerate();
            fill.given = clues.filter_map(|(cell, symbol)| fill.option(cell, symbol?)).collect();
            return fill;
        }
        let translation = match &self.last {
            Some((shape, translation)) if Arc::ptr_eq(shape, grid.shape()) => Arc::clone(translation),
            _ => {
                let shape = grid.shape();
                let translation = Translation::new(shape, None);
                self.last = Some((Arc::clone(shape), Arc::clone(&translation)));
                translation
            }
        };
        let order = grid.shape().order();
        let given = (0..grid.shape().cell_count())
            .filter_map(|cell| grid.symbol(cell).map(|symbol| OptionId::new(cell * order + symbol)))
            .collect();
        Fill { grid, translation, given, title: String::new() }
    }
}

/// Returns cell and symbol of each option that `candidates` allows, in ascending order.
fn placements(shape: &Shape, candidates: impl Fn(usize) -> u64) -> impl Iterator<Item = (u32, u32)> {
    let order = shape.order();
    (0..shape.cell_count()).flat_map(move |cell| {
        let candidates = candidates(cell);
        let symbols = (0..order).filter(move |symbol| candidates >> symbol & 1 == 1);
        symbols.map(move |symbol| (cell as u32, symbol as u32))
    })
}

fn translate(shape: &Shape, placements: impl Iterator<Item = (u32, u32)>) -> Problem {
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
            let letter = group.kind.letter();
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
    let mut entries: Vec<Entry> = Vec::new();
    for (cell, symbol) in placements {
        let (cell, symbol) = (cell as usize, symbol as usize);
        entries.clear();
        entries.push(cells[cell].into());
        entries.extend(groups_of_cells[cell].iter().map(|&group| Entry::from(groups[group][symbol])));
        builder.option(entries.iter().copied()).expect(SOUND);
    }
    builder.build()
}
