//! Steps of variants: what one clue, or one sum that follows from cages, allows on its own.
//!
//! The conclusions of a clue are those of the digit search ([`digits`]) on a network of the clue
//! alone. A step names the clue in its own words, and the digits that it leaves in each cell.

use dlx::{Limit, Limits};
use techniques::{Board, Candidate, Cells, Digits, Words};

use puzzle::{ClueNetwork, SymbolGrid};

/// Score of a clue that fills a cell, and of one that only removes candidates (tenths), without the
/// part for the cells of the clue.
const FILLS: u32 = 12;
const REMOVES: u32 = 15;
/// Largest part of a score for the number of open cells of a clue (tenths).
const CELLS_SCORE_MAX: usize = 9;

/// A conclusion from one clue.
#[derive(Clone, Debug)]
pub struct ClueStep {
    /// The name of the rule.
    pub rule: &'static str,
    /// The name of the clue, such as `killer: r1c1 r1c2 = 6`.
    pub clue: String,
    /// The cells of the clue.
    pub cells: Cells,
    /// The difficulty, in tenths.
    pub score: u32,
    /// The candidates that must stand.
    pub placed: Vec<Candidate>,
    /// The candidates that cannot stand, in cells where no candidate is placed.
    pub removed: Vec<Candidate>,
    /// The digits left in each cell that changes.
    pub left: Vec<(usize, Digits)>,
}

impl ClueStep {
    /// Describes the step: the clue, and the digits that it leaves.
    pub(super) fn tell(&self, words: &Words<'_>) -> String {
        let mut groups: Vec<(Digits, Cells)> = Vec::new();
        for &(cell, digits) in &self.left {
            match groups.iter_mut().find(|(known, _)| *known == digits) {
                Some((_, cells)) => cells.insert(cell),
                None => groups.push((digits, Cells::one(cell))),
            }
        }
        let parts = groups.iter().map(|&(digits, cells)| {
            format!("{} in {}", words.layout().symbols(digits), words.cells(cells))
        });
        let clue = self.clue.replacen(": ", " ", 1);
        format!("{clue} leaves {}", parts.collect::<Vec<_>>().join(", "))
    }
}

/// The clues of one puzzle.
#[derive(Debug)]
pub(super) struct ClueSteps {
    clues: Vec<ClueNetwork>,
}

impl ClueSteps {
    /// Prepares the clues of a grid; `None` if it has no clues of rules.
    ///
    /// # Errors
    /// The limit that was reached.
    pub(super) fn new(grid: &dyn SymbolGrid, limits: &Limits) -> Result<Option<Self>, Limit> {
        let Some(ruled) = grid.as_ruled() else { return Ok(None) };
        Ok(Some(Self { clues: ruled.clue_networks(limits)? }))
    }

    /// Returns the conclusions of the least score that is at most `most`; none if a clue cannot be
    /// satisfied.
    ///
    /// # Errors
    /// The limit that was reached.
    pub(super) fn find(
        &self,
        board: &Board,
        most: u32,
        limits: &Limits,
    ) -> Result<Vec<ClueStep>, Limit> {
        let count = board.layout().cell_count();
        let all = (1 << board.layout().size()) - 1;
        let before: Vec<u16> = (0..count).map(|cell| digits_of(board, cell)).collect();
        let mut found: Vec<ClueStep> = Vec::new();
        let mut best = most;
        for clue in self.clues.iter().filter(|clue| clue.network.cell_count() == count) {
            limits.check()?;
            // Other cells keep all digits, so that no conclusion goes through them.
            let mut after = vec![all; count];
            clue.cells.iter().for_each(|&cell| after[cell] = before[cell]);
            if !clue.network.narrow(&mut after) {
                return Ok(Vec::new());
            }
            let cells = clue.cells.iter().copied();
            let changed: Vec<usize> = cells.filter(|&cell| after[cell] != before[cell]).collect();
            if changed.is_empty() {
                continue;
            }
            let step = step(board, clue, &changed, &after);
            if step.score > best {
                continue;
            }
            if step.score < best {
                found.clear();
                best = step.score;
            }
            found.push(step);
        }
        Ok(found)
    }
}

fn digits_of(board: &Board, cell: usize) -> u16 {
    match board.value(cell) {
        Some(digit) => 1 << digit,
        None => board.marks(cell).iter().fold(0, |set, digit| set | 1 << digit),
    }
}

fn step(board: &Board, clue: &ClueNetwork, changed: &[usize], after: &[u16]) -> ClueStep {
    let cells: Cells = clue.cells.iter().copied().filter(|&cell| cell < after.len()).collect();
    let (mut placed, mut removed, mut left) = (Vec::new(), Vec::new(), Vec::new());
    for &cell in changed {
        let digits: Digits =
            board.marks(cell).iter().filter(|&digit| after[cell] >> digit & 1 == 1).collect();
        left.push((cell, digits));
        match digits.only() {
            Some(digit) => placed.push(Candidate { cell, digit }),
            None => {
                let gone = board.marks(cell) - digits;
                removed.extend(gone.iter().map(|digit| Candidate { cell, digit }));
            }
        }
    }
    let open = (cells & board.open()).len();
    let size = open.min(CELLS_SCORE_MAX);
    let base = if placed.is_empty() { REMOVES } else { FILLS };
    let (rule, words) = (clue.rule, clue.words.clone());
    ClueStep { rule, clue: words, cells, score: base + size as u32, placed, removed, left }
}
