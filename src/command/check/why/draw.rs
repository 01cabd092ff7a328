//! Draws the explanation of `check --why`.
//!
//! For several solutions, the picture shows two of them next to each other, with the differing
//! cells in yellow. A grid of all remaining symbols follows. A symbol is green if it occurs in one
//! solution, yellow if it occurs in up to half of the solutions, and blue otherwise. Positions that
//! distinguish all solutions are shaded. For no solution, the picture shows the conflicting clues
//! in red. For one solution, it shows the redundant clues in orange.
//!
//! The picture of a puzzle that is not a grid has the same parts where its kind supports them.

use std::collections::BTreeMap;

use dlx::{ItemId, OptionId};

use super::super::Finding;
use super::super::clues::{self, ClueId};
use super::{Impossible, SeveralSolutions, Why};
use puzzle::{CandidateLook, Ink, Picture, Puzzle, StepFigure, SymbolGrid};

impl Why {
    /// Draws the explanation; returns `None` if the puzzle cannot be drawn.
    pub(in crate::command::check) fn picture(
        &self,
        puzzle: &dyn Puzzle,
        finding: &Finding,
    ) -> Option<Picture> {
        match self {
            Self::Said | Self::Spare(_) => said(puzzle, finding),
            Self::Several(several) => several.picture(puzzle),
            Self::Impossible(impossible) => impossible.picture(puzzle),
        }
    }
}

/// Draws the clues, with the redundant and the conflicting clues in color.
fn said(puzzle: &dyn Puzzle, finding: &Finding) -> Option<Picture> {
    let found = finding.solutions.as_ref().and_then(|solutions| solutions.clues.as_ref());
    if puzzle.as_symbols().is_none() {
        let spare = found.map_or(Vec::new(), |known| clues::options(&known.spare));
        if spare.is_empty() {
            return puzzle.picture(puzzle.given());
        }
        let mut picture = apart(puzzle, &spare)?;
        picture.word(None, "what stands out can be left out");
        return Some(picture);
    }
    let mut picture = puzzle.picture(puzzle.given())?;
    for &(row, column) in &finding.order.cells {
        picture.tint(row - 1, column - 1, Ink::Red);
    }
    let spare = found.map_or(&[][..], |known| &known.spare);
    mark(&mut picture, puzzle, spare, Ink::Orange, "can be left out");
    Some(picture)
}

/// Draws all clues of a puzzle that is not a grid, and emphasizes the clues in `clues`.
fn apart(puzzle: &dyn Puzzle, clues: &[OptionId]) -> Option<Picture> {
    let given = puzzle.given();
    let others: Vec<OptionId> = given.iter().copied().filter(|clue| !clues.contains(clue)).collect();
    puzzle.terms().picture_beside(given, &others)
}

/// Colors the cells of the clues in `marked` and adds a legend. A clue that concerns the whole grid
/// is named in the legend.
fn mark(picture: &mut Picture, puzzle: &dyn Puzzle, marked: &[ClueId], ink: Ink, words: &str) {
    let Some(grid) = puzzle.as_symbols() else { return };
    for cell in clues::cells(puzzle, marked) {
        tint(picture, grid, cell, ink);
        picture.word(Some(ink), words);
    }
    for clue in marked.iter().filter(|clue| clues::cells(puzzle, [*clue]).is_empty()) {
        picture.word(Some(ink), format!("{words}: {}", clues::name(puzzle, *clue)));
    }
}

fn tint(picture: &mut Picture, grid: &dyn SymbolGrid, cell: usize, ink: Ink) {
    let (row, column) = grid.grid().shape().place(cell);
    picture.tint(row, column, ink);
}

fn symbols(grid: &dyn SymbolGrid, solution: &[OptionId]) -> BTreeMap<usize, usize> {
    solution.iter().filter_map(|&option| grid.placed_by(option)).collect()
}

/// Returns the color and the legend for an option that occurs in `count` of `all` solutions.
fn of_count(count: usize, all: usize) -> (Ink, &'static str) {
    match count {
        1 => (Ink::Green, "in one solution"),
        _ if 2 * count <= all => (Ink::Yellow, "in up to half of them"),
        _ => (Ink::Blue, "in more"),
    }
}

impl SeveralSolutions {
    fn picture(&self, puzzle: &dyn Puzzle) -> Option<Picture> {
        let [first, second, ..] = &self.solutions[..] else { return None };
        let Some(grid) = puzzle.as_symbols() else {
            let common: Vec<OptionId> =
                first.iter().copied().filter(|option| second.contains(option)).collect();
            let mut one = puzzle.terms().picture_beside(first, &common)?;
            one.beside(&puzzle.terms().picture_beside(second, &common)?);
            if let Some(left) = puzzle.terms().picture_of_step(&self.look()) {
                one.beside(&left);
            }
            return Some(one);
        };
        let (mut one, mut two) = (puzzle.picture(first)?, puzzle.picture(second)?);
        let (left, right) = (symbols(grid, first), symbols(grid, second));
        let different = left.iter().filter(|&(cell, symbol)| right.get(cell) != Some(symbol));
        for (&cell, _) in different {
            tint(&mut one, grid, cell, Ink::Yellow);
            tint(&mut two, grid, cell, Ink::Yellow);
        }
        one.beside(&two);
        match &self.candidates {
            Some(candidates) => one.beside(&candidates.draw_grid(grid)),
            None => one.beside(&self.candidates(grid)),
        }
        Some(one)
    }

    /// Returns the picture of a puzzle that is not a grid, which shows the options common to all
    /// solutions, then the other options by their number of solutions, the rarest first.
    fn look(&self) -> StepFigure {
        let all = self.solutions.len();
        let mut look = StepFigure::default();
        let mut open: Vec<(usize, OptionId)> = Vec::new();
        for (&option, &count) in &self.counts {
            match count == all {
                true => look.chosen.push(option),
                false => open.push((count, option)),
            }
        }
        open.sort_unstable();
        let ink = |count| of_count(count, all).0;
        look.options = open.iter().map(|&(count, option)| (option, ink(count))).collect();
        look.tried = look.options.clone();
        for &(count, _) in &open {
            if !look.words.contains(&of_count(count, all)) {
                look.words.push(of_count(count, all));
            }
        }
        let places = self.apart.iter().flat_map(|apart| &apart.places);
        look.items = places.map(|&place| (ItemId::new(place), Ink::Shade)).collect();
        look
    }

    fn candidates(&self, grid: &dyn SymbolGrid) -> Picture {
        let all = self.solutions.len();
        // Several options may place the same symbol in a cell, so add up their solution counts.
        let mut counts: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for (&option, &count) in &self.counts {
            if let Some(place) = grid.placed_by(option) {
                *counts.entry(place).or_default() += count;
            }
        }
        let always = self
            .counts
            .iter()
            .filter(|&(&option, _)| grid.placed_by(option).is_some_and(|place| counts[&place] == all));
        let always: Vec<OptionId> = always.map(|(&option, _)| option).collect();
        let mut picture = grid.picture_of_symbols(&always);
        for &cell in self.apart.iter().flat_map(|apart| &apart.places) {
            tint(&mut picture, grid, cell, Ink::Shade);
        }
        for ((cell, symbol), count) in counts.into_iter().filter(|&(_, count)| count < all) {
            let (ink, words) = of_count(count, all);
            let look = CandidateLook { fill: Some(ink), is_struck: false };
            grid.draw_candidate(&mut picture, cell, symbol, look);
            picture.word(Some(ink), words);
        }
        picture
    }
}

impl Impossible {
    fn picture(&self, puzzle: &dyn Puzzle) -> Option<Picture> {
        if puzzle.as_symbols().is_none() {
            if self.clash.is_empty() {
                return puzzle.picture(puzzle.given());
            }
            let mut picture = apart(puzzle, &clues::options(&self.clash))?;
            picture.word(None, "what stands out clashes");
            return Some(picture);
        }
        let mut picture = puzzle.picture(puzzle.given())?;
        mark(&mut picture, puzzle, &self.clash, Ink::Red, "clash");
        Some(picture)
    }
}
