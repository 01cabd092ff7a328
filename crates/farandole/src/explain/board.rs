//! The board of a grid puzzle for the named techniques, in step with the options of its problem.
//!
//! Several options may place the same symbol in a cell, because they also encode how clues are
//! satisfied. A candidate is left while any of its options is left.

use std::sync::Arc;

use digits::DigitSet;
use dlx::explain::{Explainer, Reason, Step as LogicStep};
use dlx::{ItemId, Limit, Limits, OptionId, Problem};
use techniques::{Board, Candidate, House, HouseKind, Layout, Settings, Technique, Truth};

use super::clues::ClueStep;
use super::kinds::{self, ItemKind, ItemKinds};
use super::step::{Step, StepSource};
use grid::GroupKind;
use puzzle::{Puzzle, SymbolGrid};

/// A board and its translation from and to options.
#[derive(Debug)]
pub(super) struct OptionBoard {
    board: Board,
    /// The cell and the symbol of each option that places one.
    places: Vec<Option<Candidate>>,
    /// The options of each candidate, by cell and symbol.
    options: Vec<Vec<OptionId>>,
    /// The items that a truth names: of each cell, then of each house and symbol.
    cell_items: Vec<Option<ItemId>>,
    house_items: Vec<Option<ItemId>>,
    /// Whether the houses are the only rules, so that every step is a step of the board.
    is_pure: bool,
    given_count: usize,
}

impl OptionBoard {
    /// Makes the board of a square grid with as many symbols as rows, or returns `None`.
    pub(super) fn new(puzzle: &dyn Puzzle, kinds: &ItemKinds) -> Option<Self> {
        let grid = puzzle.as_symbols()?;
        let problem = puzzle.problem();
        let shape = grid.grid().shape();
        let size = shape.order();
        let is_square = shape.is_square() && shape.outside() == 0 && shape.cell_count() == size * size;
        if !is_square || !shape.has_lines() {
            return None;
        }
        let layout = Arc::new(layout_of(grid, size)?);
        let places = problem.options().map(|option| place_of(grid, option)).collect::<Vec<_>>();
        let mut options = vec![Vec::new(); size * size * size];
        for (option, place) in problem.options().zip(&places) {
            if let Some(place) = place {
                options[place.cell * size + place.digit].push(option);
            }
        }
        let (cell_items, house_items) = items_of(problem, kinds, grid, size);
        let is_pure = grid.as_fill().is_some();
        let board = Board::new(&layout);
        Some(Self { board, places, options, cell_items, house_items, is_pure, given_count: 0 })
    }

    /// Returns whether the houses are the only rules.
    pub(super) fn is_pure(&self) -> bool {
        self.is_pure
    }

    pub(super) fn board(&self) -> &Board {
        &self.board
    }

    /// Sets the number of clues, which are the first chosen options.
    pub(super) fn begin(&mut self, given_count: usize) {
        self.given_count = given_count;
    }

    /// Copies the position of the explainer.
    pub(super) fn copy(&mut self, explainer: &Explainer) {
        self.board.clear();
        for (number, &option) in explainer.chosen().iter().enumerate() {
            match self.places[option.index()] {
                Some(place) if self.board.value(place.cell).is_some() => {}
                Some(place) if number < self.given_count => self.board.give(place),
                Some(place) => self.board.place(place),
                None => {}
            }
        }
        for option in explainer.left() {
            if let Some(place) = self.places[option.index()]
                && self.board.value(place.cell).is_none()
            {
                self.board.mark(place);
            }
        }
        if self.is_pure {
            return;
        }
        // Where a symbol has several options, none of them may ever be chosen.
        for cell in self.board.cells_with(1).iter() {
            if let Some(digit) = self.board.marks(cell).only()
                && !self.board.spots(digit).meets(self.board.layout().peers(cell))
            {
                self.board.place(Candidate { cell, digit });
            }
        }
    }

    /// Returns the easiest steps of the named techniques in the copied position.
    pub(super) fn find(
        &self,
        settings: Settings,
        explainer: &Explainer,
        limits: &Limits,
    ) -> Result<Vec<Step>, Limit> {
        let found = techniques::find(&self.board, settings, limits)?;
        let choices = found.len();
        Ok(found.into_iter().map(|pattern| self.step(pattern, choices, explainer)).collect())
    }

    /// Returns the steps of one technique in the copied position, the easiest first.
    pub(super) fn find_only(
        &self,
        technique: &'static Technique,
        settings: Settings,
        explainer: &Explainer,
        limits: &Limits,
    ) -> Result<Vec<Step>, Limit> {
        let mut found = techniques::find_only(technique, &self.board, settings, limits)?;
        found.sort_by_key(|step| step.score);
        let choices = found.len();
        Ok(found.into_iter().map(|pattern| self.step(pattern, choices, explainer)).collect())
    }

    fn step(&self, pattern: techniques::Step, choices: usize, explainer: &Explainer) -> Step {
        let (on, off) = self.conclusion(&pattern.placed, &pattern.removed, explainer);
        let truths = pattern.truths.iter().filter_map(|&truth| self.item_of(truth)).collect();
        let reason = Reason::Sets { truths, links: Vec::new() };
        let logic = LogicStep { reason, on, off, score: pattern.score, choices };
        Step { logic, source: StepSource::Technique(Box::new(pattern)) }
    }

    /// Returns the conclusions from one clue as steps.
    pub(super) fn steps_of(&self, found: Vec<ClueStep>, explainer: &Explainer) -> Vec<Step> {
        let choices = found.len();
        let step = |clue: ClueStep| {
            let (on, off) = self.conclusion(&clue.placed, &clue.removed, explainer);
            let reason = Reason::Sets { truths: Vec::new(), links: Vec::new() };
            let logic = LogicStep { reason, on, off, score: clue.score, choices };
            Step { logic, source: StepSource::Clue(Box::new(clue)) }
        };
        found.into_iter().map(step).collect()
    }

    /// Returns the options to choose and to exclude for a conclusion on candidates. A candidate
    /// with several options is placed by excluding all others of its cell, and its digit elsewhere.
    fn conclusion(
        &self,
        placed: &[Candidate],
        removed: &[Candidate],
        explainer: &Explainer,
    ) -> (Vec<OptionId>, Vec<OptionId>) {
        let is_left = |option: &OptionId| explainer.is_left(*option);
        let (mut on, mut off) = (Vec::new(), Vec::new());
        for &place in placed {
            let mut options = self.options_of(place).iter().copied().filter(is_left);
            match (options.next(), options.next()) {
                (Some(option), None) => on.push(option),
                _ => {
                    let layout = self.board.layout();
                    let others = layout.digits().iter().filter(|&digit| digit != place.digit);
                    let others = others.map(|digit| Candidate { digit, ..place });
                    let seen = layout.peers(place.cell).iter().map(|cell| Candidate { cell, ..place });
                    let fall = others.chain(seen).flat_map(|other| self.options_of(other));
                    off.extend(fall.copied().filter(is_left));
                }
            }
        }
        let fall = removed.iter().flat_map(|&candidate| self.options_of(candidate));
        off.extend(fall.copied().filter(is_left));
        off.sort_unstable();
        off.dedup();
        (on, off)
    }

    /// Returns the digit of each cell, if all cells are solved.
    pub(super) fn digits(&self) -> Option<Vec<DigitSet>> {
        let cells = 0..self.board.layout().cell_count();
        cells.map(|cell| self.board.value(cell).map(|digit| 1 << digit)).collect()
    }

    fn options_of(&self, candidate: Candidate) -> &[OptionId] {
        &self.options[candidate.cell * self.board.layout().size() + candidate.digit]
    }

    fn item_of(&self, truth: Truth) -> Option<ItemId> {
        let size = self.board.layout().size();
        match truth {
            Truth::Cell(cell) => self.cell_items[cell],
            Truth::Place { house, digit } => self.house_items.get(house * size + digit).copied()?,
        }
    }
}

fn place_of(grid: &dyn SymbolGrid, option: OptionId) -> Option<Candidate> {
    grid.placed_by(option).map(|(cell, digit)| Candidate { cell, digit })
}

fn layout_of(grid: &dyn SymbolGrid, size: usize) -> Option<Layout> {
    let symbols = (0..size).map(|symbol| grid.symbol_name(symbol)).collect();
    let groups = grid.grid().shape().groups().iter().map(|group| {
        let kind = match group.kind {
            GroupKind::Row => HouseKind::Row,
            GroupKind::Column => HouseKind::Column,
            GroupKind::Region => HouseKind::Box,
            GroupKind::Diagonal | GroupKind::Window | GroupKind::Apart => HouseKind::Other,
        };
        let name = match kinds::HouseKind::of_group(group.kind) {
            Some(house) => house.words(grid, group.number),
            None => group.kind.name().to_owned(),
        };
        let cells = group.cells.iter().copied().filter(|&cell| cell < techniques::Cells::CAPACITY);
        House { kind, name, cells: cells.collect() }
    });
    Layout::new(size, symbols, groups.collect())
}

/// Returns the items of cells, and the items of houses and symbols in the order of the layout.
fn items_of(
    problem: &Problem,
    kinds: &ItemKinds,
    grid: &dyn SymbolGrid,
    size: usize,
) -> (Vec<Option<ItemId>>, Vec<Option<ItemId>>) {
    let shape = grid.grid().shape();
    let houses: Vec<_> = shape
        .groups()
        .iter()
        .filter(|group| group.cells.len() == size)
        .map(|group| (kinds::HouseKind::of_group(group.kind), group.number))
        .collect();
    let mut cells = vec![None; size * size];
    let mut places = vec![None; houses.len() * size];
    for item in problem.items() {
        match kinds.kind(item) {
            ItemKind::Cell(row, column) if row < size && column < size => {
                cells[row * size + column] = Some(item);
            }
            ItemKind::Place(house, number, symbol) if symbol < size => {
                let place = houses.iter().position(|&known| known == (Some(house), number));
                if let Some(place) = place {
                    places[place * size + symbol] = Some(item);
                }
            }
            _ => {}
        }
    }
    (cells, places)
}
