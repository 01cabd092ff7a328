//! A position: the digits that stand, and the candidates that are left.

use std::sync::Arc;

use crate::bits::{Cells, Digits};
use crate::layout::{House, Layout};

/// A candidate: a digit that may still stand in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Candidate {
    /// The cell, row by row from 0.
    pub cell: usize,
    /// The digit, from 0.
    pub digit: usize,
}

/// A position on a board.
#[derive(Clone, Debug)]
pub struct Board {
    layout: Arc<Layout>,
    values: Vec<Option<usize>>,
    /// The candidates of open cells; none for solved cells.
    marks: Vec<Digits>,
    /// For each digit, the open cells that have it as candidate.
    spots: Vec<Cells>,
    /// For each digit, the cells where it stands.
    placed: Vec<Cells>,
    open: Cells,
    /// Cells whose value is a clue; other values were placed by steps.
    clues: Cells,
}

impl Board {
    /// Makes the empty board: every cell has every candidate.
    #[must_use]
    pub fn new(layout: &Arc<Layout>) -> Self {
        let (size, count) = (layout.size(), layout.cell_count());
        let open = Cells::first(count);
        Self {
            layout: Arc::clone(layout),
            values: vec![None; count],
            marks: vec![layout.digits(); count],
            spots: vec![open; size],
            placed: vec![Cells::NONE; size],
            open,
            clues: Cells::NONE,
        }
    }

    /// Removes all digits and all candidates.
    pub fn clear(&mut self) {
        self.values.fill(None);
        self.marks.fill(Digits::NONE);
        self.spots.fill(Cells::NONE);
        self.placed.fill(Cells::NONE);
        (self.open, self.clues) = (Cells::first(self.layout.cell_count()), Cells::NONE);
    }

    /// Adds a candidate to an open cell.
    ///
    /// # Panics
    /// In debug builds, if the cell is solved.
    #[inline]
    pub fn mark(&mut self, candidate: Candidate) {
        debug_assert!(self.open.has(candidate.cell), "only an open cell has candidates");
        self.marks[candidate.cell].insert(candidate.digit);
        self.spots[candidate.digit].insert(candidate.cell);
    }

    /// Returns the shape of the board.
    #[must_use]
    #[inline]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the houses.
    #[must_use]
    #[inline]
    pub fn houses(&self) -> &[House] {
        self.layout.houses()
    }

    /// Places a clue, and removes the digit from all cells that see the cell.
    pub fn give(&mut self, candidate: Candidate) {
        self.clues.insert(candidate.cell);
        self.place(candidate);
    }

    /// Places a digit, and removes it from all cells that see the cell.
    pub fn place(&mut self, candidate: Candidate) {
        let Candidate { cell, digit } = candidate;
        for other in self.marks[cell].iter() {
            self.spots[other].remove(cell);
        }
        self.marks[cell] = Digits::NONE;
        self.values[cell] = Some(digit);
        self.placed[digit].insert(cell);
        self.open.remove(cell);
        let seen = self.layout.peers(cell) & self.spots[digit];
        seen.iter().for_each(|cell| self.remove(Candidate { cell, digit }));
    }

    /// Removes a candidate, if it is there.
    pub fn remove(&mut self, candidate: Candidate) {
        self.marks[candidate.cell].remove(candidate.digit);
        self.spots[candidate.digit].remove(candidate.cell);
    }

    /// Returns whether a candidate is left.
    #[must_use]
    #[inline]
    pub fn has(&self, candidate: Candidate) -> bool {
        self.marks[candidate.cell].has(candidate.digit)
    }

    /// Returns the digit of a solved cell.
    #[must_use]
    pub fn value(&self, cell: usize) -> Option<usize> {
        self.values[cell]
    }

    /// Returns the candidates of an open cell; none for a solved cell.
    #[must_use]
    #[inline]
    pub fn marks(&self, cell: usize) -> Digits {
        self.marks[cell]
    }

    /// Returns the candidates of some cells together.
    #[must_use]
    #[inline]
    pub fn marks_of(&self, cells: Cells) -> Digits {
        cells.iter().fold(Digits::NONE, |all, cell| all | self.marks[cell])
    }

    /// Returns the open cells that have a digit as candidate.
    #[must_use]
    #[inline]
    pub fn spots(&self, digit: usize) -> Cells {
        self.spots[digit]
    }

    /// Returns the open cells of a house that have a digit as candidate.
    #[must_use]
    #[inline]
    pub fn spots_in(&self, house: usize, digit: usize) -> Cells {
        self.layout.houses()[house].cells & self.spots[digit]
    }

    /// Returns the cells where a digit stands.
    #[must_use]
    pub fn placed(&self, digit: usize) -> Cells {
        self.placed[digit]
    }

    /// Returns the digits that are still missing in a house.
    #[must_use]
    pub fn missing(&self, house: usize) -> Digits {
        let cells = self.layout.houses()[house].cells;
        self.layout.digits().iter().filter(|&digit| !self.placed[digit].meets(cells)).collect()
    }

    /// Returns the open cells.
    #[must_use]
    #[inline]
    pub fn open(&self) -> Cells {
        self.open
    }

    /// Returns the open cells with exactly `count` candidates.
    #[must_use]
    pub fn cells_with(&self, count: usize) -> Cells {
        self.open.iter().filter(|&cell| self.marks[cell].len() == count).collect()
    }

    /// Returns the cells whose value is a clue.
    #[must_use]
    pub fn clues(&self) -> Cells {
        self.clues
    }

    /// Returns the candidates of `digits` in `cells`, by cell.
    pub fn candidates(&self, cells: Cells, digits: Digits) -> impl Iterator<Item = Candidate> + '_ {
        (cells & self.open).iter().flat_map(move |cell| {
            (self.marks[cell] & digits).iter().map(move |digit| Candidate { cell, digit })
        })
    }
}
