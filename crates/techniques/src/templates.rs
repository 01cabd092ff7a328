//! The candidates of one digit that no complete placement of the digit contains.
//!
//! A placement (or template) of a digit has one cell in each house that misses the digit, and no
//! two cells that see each other. A technique with one digit can only eliminate candidates that
//! are in no placement, so most positions need no search for fish at all.
//!
//! Method: for each candidate that no known placement contains, search for one from the house with
//! the fewest cells. Depth: at most one level per row.

use crate::bits::Cells;
use crate::board::Board;

/// Cost of a node of the search, in ns: one intersection for each of about 20 houses.
const NODE: u64 = 60;

/// Returns the candidates of a digit that are in no placement, and the work in nanoseconds.
pub(crate) fn refuted(board: &Board, digit: usize) -> (Cells, u64) {
    let spots = board.spots(digit);
    let needs: Vec<Cells> = board
        .houses()
        .iter()
        .filter(|house| !house.cells.meets(board.placed(digit)))
        .map(|house| house.cells & spots)
        .collect();
    let mut search = Placement { board, needs: &needs, known: Cells::NONE, nodes: 0 };
    let mut refuted = Cells::NONE;
    for cell in spots.iter() {
        if search.known.has(cell) {
            continue;
        }
        let left = spots - board.layout().peers(cell) - Cells::one(cell);
        match search.complete(left, Cells::one(cell)) {
            Some(placement) => search.known |= placement,
            None => refuted.insert(cell),
        }
    }
    (refuted, search.nodes * NODE)
}

struct Placement<'p> {
    board: &'p Board,
    /// For each house that misses the digit, its candidates.
    needs: &'p [Cells],
    /// The cells of all placements found.
    known: Cells,
    nodes: u64,
}

impl Placement<'_> {
    /// Returns a placement that contains `chosen` and further cells from `left`, if there is one.
    fn complete(&mut self, mut left: Cells, chosen: Cells) -> Option<Cells> {
        self.nodes += 1;
        let (mut tightest, mut fewest) = (Cells::NONE, usize::MAX);
        for &need in self.needs {
            let count = (need & left).len();
            if count < fewest && !need.meets(chosen) {
                (tightest, fewest) = (need & left, count);
                if count < 2 {
                    break;
                }
            }
        }
        if fewest == usize::MAX {
            return Some(chosen);
        }
        // Cells of no known placement come first: a success then decides more candidates.
        for cells in [tightest - self.known, tightest & self.known] {
            for cell in cells.iter() {
                left.remove(cell);
                let rest = left - self.board.layout().peers(cell);
                let placement = self.complete(rest, chosen | Cells::one(cell));
                if placement.is_some() {
                    return placement;
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::board::Candidate;
    use crate::layout::Layout;

    #[test]
    fn a_candidate_that_empties_a_house_is_refuted() {
        let mut board = Board::new(&Arc::new(Layout::classic()));
        // In rows 1 and 5 the digit stands only in columns 3 and 8: an X-wing.
        for cell in (0..81).filter(|cell| [0, 4].contains(&(cell / 9)) && ![2, 7].contains(&(cell % 9)))
        {
            board.remove(Candidate { cell, digit: 6 });
        }
        let (refuted, _) = super::refuted(&board, 6);
        let other = |cell: &usize| ![0, 4].contains(&(cell / 9)) && [2, 7].contains(&(cell % 9));
        assert_eq!(refuted, (0..81).filter(other).collect());
        assert_eq!(super::refuted(&board, 5).0, Cells::NONE);
    }
}
