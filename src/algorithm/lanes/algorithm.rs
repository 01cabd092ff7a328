//! The lanes as one of the algorithms: for puzzles that are plain 9x9 Sudoku.

use std::ops::ControlFlow;
use std::sync::Arc;

use dlx::Unsupported;
use dlx::parallel::Cores;
use dlx::{End, Limit, Limits, OptionId, Report, Visit};

use super::{Batch, Board, Effort, Lanes, Tally, crew};
use crate::algorithm::{Algorithm, AlgorithmSpec, Maker};
use crate::grid::Grid;
use crate::puzzle::{Fill, Puzzle};

pub(in crate::algorithm) const SPEC: AlgorithmSpec = AlgorithmSpec {
    name: "lanes",
    summary: "9x9 Sudoku, one search in each lane of a vector register",
    maker: Maker::Lanes,
};

/// A count that is not over after so many nodes calls in idle cores: some 2 ms.
const NODES_ALONE: u64 = 1 << 15;

/// The lanes, one puzzle after the other.
pub(in crate::algorithm) struct InLanes {
    lanes: Lanes,
    cores: Arc<Cores>,
}

impl InLanes {
    pub(in crate::algorithm) fn new(cores: &Arc<Cores>) -> Self {
        Self { lanes: Lanes::new(), cores: Arc::clone(cores) }
    }

    /// Does what [`Algorithm::run`] does on one core; if it is cut short, `rest` gets boards that have just the
    /// solutions that were not found.
    pub(in crate::algorithm) fn run_part(
        &mut self,
        fill: &Fill,
        limits: &Limits,
        visit: Option<&mut Visit<'_>>,
        rest: &mut Vec<Board>,
    ) -> Report {
        let mut one = One { fill, board: Some(board(fill.grid())), visit, tally: None };
        let effort = self.lanes.run_alone(&mut one, limits, Some(rest));
        let tally = one.tally.expect("a puzzle that was taken is reported");
        report(tally.end, tally.solutions, effort)
    }

    /// Visits the solutions of all boards that `fill` left; the limits hold for all together.
    pub(in crate::algorithm) fn run_rest(
        &mut self,
        fill: &Fill,
        rest: Vec<Board>,
        limits: &Limits,
        visit: &mut Visit<'_>,
    ) -> Report {
        let wanted = limits.solutions.unwrap_or(u64::MAX);
        let mut rest = Rest { fill, boards: rest, visit, wanted, found: 0, is_stopped: false };
        let effort = self.lanes.run(&mut rest, &Limits { solutions: None, ..limits.clone() });
        let is_enough = effort.end == End::Stopped && !rest.is_stopped;
        let end = if is_enough { End::Limit(Limit::Solutions) } else { effort.end };
        report(end, rest.found, effort)
    }
}

fn report(end: End, solutions: u64, effort: Effort) -> Report {
    let mut report = Report::empty(end);
    (report.solutions, report.nodes, report.updates) = (solutions, effort.nodes, effort.steps);
    report
}

/// Returns a solution of `fill` as a cover that lists the clues first.
fn cover(fill: &Fill, board: &Board) -> Vec<OptionId> {
    let given = fill.given();
    let options = (0..81).map(|cell| {
        let digit = board.candidates(cell).trailing_zeros() as usize;
        fill.option(cell, digit).expect("a candidate of the puzzle")
    });
    // Both are in the order of the cells.
    let chosen = options.filter(|option| given.binary_search(option).is_err());
    given.iter().copied().chain(chosen).collect()
}

/// Returns the puzzle as a grid if it is plain 9x9 Sudoku, pencil marks allowed.
pub(crate) fn as_sudoku(puzzle: &dyn Puzzle) -> Option<&Fill> {
    puzzle.as_fill().filter(|fill| {
        let shape = fill.grid().shape();
        shape.order() == 9 && shape.boxes() == Some((3, 3)) && shape.rules().is_empty()
    })
}

fn board(grid: &Grid) -> Board {
    Board::from_candidates(|cell| grid.candidates(cell) as u16)
}

impl Algorithm for InLanes {
    fn run(
        &mut self,
        puzzle: &dyn Puzzle,
        limits: &Limits,
        visit: Option<&mut Visit<'_>>,
    ) -> Result<Report, Unsupported> {
        let fill = as_sudoku(puzzle).ok_or(Unsupported::new("puzzles other than plain 9x9 Sudoku"))?;
        if limits.solutions == Some(0) {
            return Ok(Report::empty(End::Limit(Limit::Solutions)));
        }
        let is_long = visit.is_none() && limits.solutions.is_none() && limits.nodes.is_none();
        let mut one = One { fill, board: Some(board(fill.grid())), visit, tally: None };
        let mut rest = Vec::new();
        let mut effort = if is_long && self.cores.idle() > 0 {
            let start = Limits { nodes: Some(NODES_ALONE), ..limits.clone() };
            self.lanes.run_alone(&mut one, &start, Some(&mut rest))
        } else {
            self.lanes.run_alone(&mut one, limits, None)
        };
        let tally = one.tally.expect("a puzzle that was taken is reported");
        let (mut end, mut solutions) = (tally.end, tally.solutions);
        if !rest.is_empty() {
            let found = crew::count(self.lanes.leaf(), rest, limits, &self.cores);
            solutions += found.solutions;
            effort.nodes += found.nodes;
            effort.steps += found.steps;
            end = found.end;
        }
        Ok(report(end, solutions, effort))
    }

    fn is_together(&self, puzzles: &[&dyn Puzzle]) -> bool {
        puzzles.len() > 1
    }

    fn count_all(&mut self, puzzles: &[&dyn Puzzle], limits: &Limits) -> Result<(), Unsupported> {
        let fills: Option<Vec<&Fill>> = puzzles.iter().map(|&puzzle| as_sudoku(puzzle)).collect();
        let fills = fills.ok_or(Unsupported::new("puzzles other than plain 9x9 Sudoku"))?;
        self.lanes.run(&mut Counted(fills.iter()), limits);
        Ok(())
    }
}

/// A batch of one puzzle, whose solutions are shown as covers.
struct One<'a, 'v> {
    fill: &'a Fill,
    board: Option<Board>,
    visit: Option<&'a mut Visit<'v>>,
    tally: Option<Tally>,
}

impl Batch for One<'_, '_> {
    fn next(&mut self, board: &mut Board) -> bool {
        self.board.take().map(|mine| *board = mine).is_some()
    }

    fn wants_solutions(&self) -> bool {
        self.visit.is_some()
    }

    fn solution(&mut self, _: usize, board: &Board) -> ControlFlow<()> {
        let Some(visit) = &mut self.visit else { return ControlFlow::Continue(()) };
        visit(&cover(self.fill, board))
    }

    fn done(&mut self, _: usize, tally: Tally) {
        self.tally = Some(tally);
    }
}

/// What is left of a puzzle, in boards; so many solutions are wanted of all together.
struct Rest<'a, 'v> {
    fill: &'a Fill,
    boards: Vec<Board>,
    visit: &'a mut Visit<'v>,
    wanted: u64,
    found: u64,
    /// Whether the visitor ended it.
    is_stopped: bool,
}

impl Batch for Rest<'_, '_> {
    fn next(&mut self, board: &mut Board) -> bool {
        self.boards.pop().map(|next| *board = next).is_some()
    }

    fn solution(&mut self, _: usize, board: &Board) -> ControlFlow<()> {
        self.found += 1;
        self.is_stopped = (self.visit)(&cover(self.fill, board)).is_break();
        let is_over = self.is_stopped || self.found == self.wanted;
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// A batch of puzzles of which nothing is kept.
struct Counted<'a>(std::slice::Iter<'a, &'a Fill>);

impl Batch for Counted<'_> {
    fn next(&mut self, next: &mut Board) -> bool {
        self.0.next().map(|fill| *next = board(fill.grid())).is_some()
    }

    fn wants_solutions(&self) -> bool {
        false
    }
}
