//! Draws the answer of `check --candidates`.
//!
//! A cell with one candidate shows it in full size, other cells show small ones. If solutions were
//! counted, a candidate is green if it occurs in one solution, blue if it reached the limit of the
//! count, and yellow otherwise. Candidates that are not known to occur in a solution are orange.

use std::collections::BTreeMap;
use std::sync::Arc;

use dlx::{ItemId, OptionId};

use super::CandidateAnswer;
use farandole::candidates::{Candidate, CandidateFact};
use grid::Grid;
use puzzle::{CandidateLook, Ink, Picture, Puzzle, StepFigure, SymbolGrid};

impl CandidateAnswer {
    /// Returns the ink of a candidate, and its place in the order of the legend.
    fn ink(&self, fact: &CandidateFact) -> Option<Ink> {
        let limit = u64::from(self.candidates.limit());
        match fact.count {
            0 => Some(Ink::Orange),
            _ if limit == 1 => None,
            1 if fact.is_exact => Some(Ink::Green),
            count if count < limit && fact.is_exact => Some(Ink::Yellow),
            _ => Some(Ink::Blue),
        }
    }

    fn legend(&self, ink: Ink) -> String {
        match ink {
            Ink::Orange => "not known".to_owned(),
            Ink::Green => "in one solution".to_owned(),
            Ink::Yellow if self.candidates.limit() == 3 => "in two solutions".to_owned(),
            Ink::Yellow => format!("in 2 to {} solutions", self.candidates.limit() - 1),
            _ if self.cut.is_some() => "perhaps in more solutions than were found".to_owned(),
            _ => format!("in {} solutions or more", self.candidates.limit()),
        }
    }

    /// Draws the puzzle with its candidates; returns `None` if it cannot be drawn.
    pub(super) fn picture(&self, puzzle: &dyn Puzzle) -> Option<Picture> {
        match puzzle.as_symbols() {
            Some(grid) => Some(self.draw_grid(grid)),
            None => self.draw_options(puzzle),
        }
    }

    /// Draws the candidates of a grid into its cells.
    pub(in crate::command::check) fn draw_grid(&self, grid: &dyn SymbolGrid) -> Picture {
        let mut left: BTreeMap<usize, Vec<(usize, &CandidateFact)>> = BTreeMap::new();
        for fact in self.candidates.facts().iter().filter(|fact| fact.is_true() != Some(false)) {
            if let Candidate::Symbol { cell, symbol } = fact.candidate {
                left.entry(cell).or_default().push((symbol, fact));
            }
        }
        let mut filled = Grid::empty(Arc::clone(grid.grid().shape()), grid.grid().style);
        for (&cell, symbols) in &left {
            if let [(symbol, fact)] = symbols[..]
                && fact.count > 0
            {
                filled.place(cell, symbol);
            }
        }
        let mut picture = grid.picture_of(&filled);
        let mut inks = Vec::new();
        for (cell, symbols) in left {
            if let [(_, fact)] = symbols[..]
                && fact.count > 0
            {
                continue;
            }
            for (symbol, fact) in symbols {
                let ink = self.ink(fact);
                let look = CandidateLook { fill: ink, is_struck: false };
                grid.draw_candidate(&mut picture, cell, symbol, look);
                if let Some(ink) = ink.filter(|ink| !inks.contains(ink)) {
                    inks.push(ink);
                }
            }
        }
        inks.into_iter().for_each(|ink| picture.word(Some(ink), self.legend(ink)));
        picture
    }

    /// Draws the options of a puzzle that is not a grid: those that alone may cover an item, then
    /// all others.
    fn draw_options(&self, puzzle: &dyn Puzzle) -> Option<Picture> {
        let problem = puzzle.problem();
        let mut of_item: BTreeMap<ItemId, usize> = BTreeMap::new();
        let possible: Vec<(OptionId, &CandidateFact)> =
            self.options().filter(|(_, fact)| fact.is_true() != Some(false)).collect();
        for entry in possible.iter().flat_map(|&(option, _)| problem.option(option)) {
            *of_item.entry(entry.item).or_default() += 1;
        }
        let is_only = |option: OptionId| {
            let needed = |item| problem.bounds(item).is_some_and(|bounds| bounds.low > 0);
            problem.option(option).iter().any(|entry| needed(entry.item) && of_item[&entry.item] == 1)
        };
        let mut look = StepFigure::default();
        for (option, fact) in possible {
            if fact.count > 0 && is_only(option) {
                look.chosen.push(option);
            } else {
                look.options.push((option, self.ink(fact).unwrap_or(Ink::Blue)));
            }
        }
        look.tried = look.options.clone();
        let mut picture = puzzle.terms().picture_of_step(&look)?;
        let inks: Vec<Ink> = look.options.iter().map(|&(_, ink)| ink).collect();
        let order = [Ink::Green, Ink::Yellow, Ink::Blue, Ink::Orange];
        for ink in order.into_iter().filter(|ink| inks.contains(ink)) {
            let words = match (self.candidates.limit(), ink) {
                (1, Ink::Blue) => "in a solution".to_owned(),
                _ => self.legend(ink),
            };
            picture.word(Some(ink), words);
        }
        Some(picture)
    }
}
