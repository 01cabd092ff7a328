//! The explanation of `check --why` as a picture.
//!
//! Several solutions: two of them next to each other with differing cells in yellow, and a grid of
//! all remaining symbols: green for a single solution, yellow for up to half of the solutions, blue
//! for more. Positions that distinguish all solutions are shaded. No solution: the clashing clues
//! in red. One solution: the redundant clues in orange.
//!
//! Other puzzles are drawn in the same way as far as their kind supports it: two solutions with
//! their common or their differing parts marked; the options common to all solutions, and the other
//! options colored by their number of solutions; the clashing or redundant clues marked among all
//! clues.

use std::collections::BTreeMap;

use dlx::{ItemId, OptionId};

use super::super::Finding;
use super::super::clues::{self, ClueId};
use super::{Impossible, SeveralSolutions, Why};
use puzzle::{CandidateLook, Ink, Picture, Puzzle, StepFigure, SymbolGrid};

impl Why {
    /// Draws the explanation; `None` if the puzzle has no picture.
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

/// Draws the clues; redundant and clashing ones are colored.
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

/// Draws the clues of a puzzle that is not a grid, with some of them emphasized.
fn apart(puzzle: &dyn Puzzle, clues: &[OptionId]) -> Option<Picture> {
    let given = puzzle.given();
    let others: Vec<OptionId> = given.iter().copied().filter(|clue| !clues.contains(clue)).collect();
    puzzle.picture_beside(given, &others)
}

/// Colors the cells of clues and adds a legend; a clue of the whole grid is named.
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

/// Returns the color for an option in `count` of `all` solutions, and its meaning.
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
            let mut one = puzzle.picture_beside(first, &common)?;
            one.beside(&puzzle.picture_beside(second, &common)?);
            if let Some(left) = puzzle.picture_of_step(&self.look()) {
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
        one.beside(&self.candidates(grid));
        Some(one)
    }

    /// Returns the picture of a puzzle that is not a grid: the options common to all solutions, and
    /// all other options by number of solutions, the rarest first.
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
        look.beside = look.options.clone();
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
        // Several options may place the same symbol in a cell and differ in how a clue is
        // satisfied.
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
