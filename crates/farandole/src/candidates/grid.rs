//! True candidates of grids: on the lanes of `sudoku9`, or on the rules of `digits`.

use digits::{DigitSet, Network, NetworkBuilder};
use dlx::{End, Limit, Limits};
use sudoku9::{Batch, Board, Tally};

use super::{Candidate, CandidateFact};
use crate::algorithm::nine;
use puzzle::{Fill, Puzzle, SymbolGrid};

/// The rules of a grid: its own, or built for a grid without clues of rules.
pub(super) enum GridNetwork<'p> {
    Own(&'p Network),
    Built(Box<Network>),
}

impl AsRef<Network> for GridNetwork<'_> {
    fn as_ref(&self) -> &Network {
        match self {
            Self::Own(network) => network,
            Self::Built(network) => network,
        }
    }
}

/// Returns the rules of a grid; `None` for other puzzles, and for grids that `digits` does not
/// support.
///
/// # Errors
/// The limit that was reached.
pub(super) fn network<'p>(
    puzzle: &'p dyn Puzzle,
    limits: &Limits,
) -> Result<Option<GridNetwork<'p>>, Limit> {
    if let Some(digits) = puzzle.as_digits(limits)? {
        return Ok(Some(GridNetwork::Own(digits.network())));
    }
    let Some(fill) = puzzle.as_fill() else { return Ok(None) };
    let (grid, shape) = (fill.grid(), fill.grid().shape());
    let Some(mut builder) = NetworkBuilder::new(shape.cell_count(), shape.order()) else {
        return Ok(None);
    };
    for cell in 0..shape.cell_count() {
        builder.keep(cell, grid.candidates(cell) as DigitSet);
    }
    shape.groups().iter().for_each(|group| builder.differ(&group.cells));
    limits.check()?;
    Ok(Some(GridNetwork::Built(Box::new(builder.build()))))
}

/// Returns the candidates of a grid before any search: those that the grid excludes are false. All
/// others are unknown.
pub(super) fn unknown(puzzle: &dyn Puzzle) -> Vec<CandidateFact> {
    let Some(grid) = puzzle.as_symbols().map(SymbolGrid::grid) else { return Vec::new() };
    let (cells, order) = (grid.shape().cell_count(), grid.shape().order());
    let places = (0..cells).flat_map(|cell| (0..order).map(move |symbol| (cell, symbol)));
    let fact = |(cell, symbol)| CandidateFact {
        candidate: Candidate::Symbol { cell, symbol },
        count: 0,
        is_exact: grid.candidates(cell) >> symbol & 1 == 0,
    };
    places.map(fact).collect()
}

/// Writes what is known about the candidates of a grid of rules.
pub(super) fn record(candidates: &digits::TrueCandidates, facts: &mut [CandidateFact]) {
    for fact in facts {
        if let Candidate::Symbol { cell, symbol } = fact.candidate {
            fact.count = candidates.count(cell, symbol).into();
            fact.is_exact = candidates.is_exact(cell, symbol);
        }
    }
}

/// Counts the solutions of each candidate of a 9x9 Sudoku up to `limit`, and returns the end and
/// the nodes of the search.
pub(super) fn search_in_lanes(
    fill: &Fill,
    limit: u32,
    limits: &Limits,
    facts: &mut [CandidateFact],
) -> (End, u64) {
    let open = (0..facts.len()).filter(|&place| !facts[place].is_exact).collect();
    let mut batch = EachCandidate { fill, facts, open, taken: 0, cut: None };
    let effort = nine::lanes().run(&mut batch, &limits.clone().solutions(u64::from(limit)));
    let end = match (effort.end, batch.cut) {
        (End::Exhausted, Some(limit)) => End::Limit(limit),
        (end, _) => end,
    };
    (end, effort.nodes)
}

/// A batch of grids, one per candidate, in which the cell has no other symbol.
struct EachCandidate<'f> {
    fill: &'f Fill,
    facts: &'f mut [CandidateFact],
    /// The indices of the candidates to search.
    open: Vec<usize>,
    taken: usize,
    /// The limit that ended the search of some candidate.
    cut: Option<Limit>,
}

impl Batch for EachCandidate<'_> {
    fn next(&mut self, board: &mut Board) -> bool {
        let Some(&place) = self.open.get(self.taken) else { return false };
        self.taken += 1;
        let Candidate::Symbol { cell: placed, symbol } = self.facts[place].candidate else {
            return false;
        };
        let grid = self.fill.grid();
        *board = Board::from_candidates(|cell| match cell == placed {
            true => 1 << symbol,
            false => grid.candidates(cell) as u16,
        });
        true
    }

    fn wants_solutions(&self) -> bool {
        false
    }

    fn done(&mut self, puzzle: usize, tally: Tally) {
        let fact = &mut self.facts[self.open[puzzle]];
        (fact.count, fact.is_exact) = (tally.solutions, tally.end == End::Exhausted);
        if let End::Limit(limit) = tally.end
            && limit != Limit::Solutions
        {
            self.cut = Some(limit);
        }
    }
}
