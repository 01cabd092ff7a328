//! What `check --why` says, as a picture.
//!
//! Of a puzzle with several solutions: two of them side by side with the cells where they differ on yellow, and beside them what
//! is left in each cell: symbols of a single solution lie on green, those of up to half of the solutions on yellow, others on blue; the
//! places that tell all solutions apart are shaded. Of one without a solution: the clues that clash, on red. Of one with one
//! solution: the clues that can be left out, on orange.
//!
//! Puzzles without cells are drawn with two solutions, or with the clues that clash alone.

use std::collections::BTreeMap;

use dlx::OptionId;

use super::super::Finding;
use super::{Impossible, Several, Why};
use crate::puzzle::{CandidateLook, Ink, Picture, Puzzle, SymbolGrid};

impl Why {
    /// Draws why; `None` if the puzzle has no picture.
    pub(in crate::cli::command::check) fn picture(
        &self,
        puzzle: &dyn Puzzle,
        finding: &Finding,
    ) -> Option<Picture> {
        match self {
            Self::Said => said(puzzle, finding),
            Self::Several(several) => several.picture(puzzle),
            Self::Impossible(impossible) => impossible.picture(puzzle),
        }
    }
}

/// Draws the clues, those that can be left out and those that clash in a color.
fn said(puzzle: &dyn Puzzle, finding: &Finding) -> Option<Picture> {
    let mut picture = puzzle.picture(puzzle.given())?;
    let Some(grid) = puzzle.as_symbols() else { return Some(picture) };
    for &(row, column) in &finding.order.cells {
        picture.tint(row - 1, column - 1, Ink::Red);
    }
    let clues = finding.solutions.as_ref().and_then(|solutions| solutions.clues.as_ref());
    for &cell in clues.iter().flat_map(|clues| &clues.spare) {
        tint(&mut picture, grid, cell, Ink::Orange);
        picture.word(Some(Ink::Orange), "can be left out");
    }
    Some(picture)
}

fn tint(picture: &mut Picture, grid: &dyn SymbolGrid, cell: usize, ink: Ink) {
    let (row, column) = grid.grid().shape().place(cell);
    picture.tint(row, column, ink);
}

/// Returns the symbols of a solution by their cells.
fn symbols(grid: &dyn SymbolGrid, solution: &[OptionId]) -> BTreeMap<usize, usize> {
    solution.iter().filter_map(|&option| grid.placed_by(option)).collect()
}

impl Several {
    fn picture(&self, puzzle: &dyn Puzzle) -> Option<Picture> {
        let [first, second, ..] = &self.solutions[..] else { return None };
        let (mut one, mut two) = (puzzle.picture(first)?, puzzle.picture(second)?);
        let Some(grid) = puzzle.as_symbols() else {
            one.beside(&two);
            return Some(one);
        };
        let (left, right) = (symbols(grid, first), symbols(grid, second));
        let different = left.iter().filter(|&(cell, symbol)| right.get(cell) != Some(symbol));
        for (&cell, _) in different {
            tint(&mut one, grid, cell, Ink::Yellow);
            tint(&mut two, grid, cell, Ink::Yellow);
        }
        one.beside(&two);
        one.beside(&self.candidates(grid));
        Some(one)
    }

    /// Draws what is left in each cell.
    fn candidates(&self, grid: &dyn SymbolGrid) -> Picture {
        let all = self.solutions.len();
        // A symbol may stand in a cell by several options where these say how a clue is met, too.
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
            let (ink, words) = match count {
                1 => (Ink::Green, "in one solution"),
                _ if 2 * count <= all => (Ink::Yellow, "in up to half of them"),
                _ => (Ink::Blue, "in more"),
            };
            let look = CandidateLook { fill: Some(ink), is_struck: false };
            grid.draw_candidate(&mut picture, cell, symbol, look);
            picture.word(Some(ink), words);
        }
        picture
    }
}

impl Impossible {
    fn picture(&self, puzzle: &dyn Puzzle) -> Option<Picture> {
        let Some(grid) = puzzle.as_symbols() else { return puzzle.picture(&self.clash) };
        let mut picture = puzzle.picture(puzzle.given())?;
        for (cell, _) in self.clash.iter().filter_map(|&clue| grid.placed_by(clue)) {
            tint(&mut picture, grid, cell, Ink::Red);
            picture.word(Some(Ink::Red), "clash");
        }
        Some(picture)
    }
}
