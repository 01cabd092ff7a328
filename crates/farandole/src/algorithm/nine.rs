//! The lane solver and the band counter of [`sudoku9`] as algorithms for plain 9x9 Sudoku.

use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use dlx::{End, Limit, Limits, OptionId, Report, Unsupported};
use num_bigint::BigUint;
use sudoku9::bands::Plan;
use sudoku9::{Batch, Board, Count, Effort, Lanes, Leaf, Tally};

use super::{Algorithm, AlgorithmSpec, ONLY_COUNT, RunError, SEARCH};
use grid::Grid;
use puzzle::{Fill, Puzzle, Solution, SolutionVisit};

pub(super) const LANES: AlgorithmSpec = AlgorithmSpec {
    name: "lanes",
    summary: "9x9 Sudoku, one search in each lane of a vector register",
    purpose: SEARCH,
    make: |_, cores| Box::new(LanesAlgorithm::new(cores)),
};

pub(super) const BANDS: AlgorithmSpec = AlgorithmSpec {
    name: "bands",
    summary: "counts 9x9 Sudoku with few clues, without listing the solutions",
    purpose: ONLY_COUNT,
    make: |_, cores| Box::new(BandsAlgorithm { cores: Arc::clone(cores) }),
};

static LEAF: OnceLock<&'static Leaf> = OnceLock::new();

/// Makes all lane solvers that are built later use the instruction set `leaf`. Only the first call
/// has an effect.
pub fn use_leaf(leaf: &'static Leaf) {
    LEAF.get_or_init(|| leaf);
}

/// Returns lanes with the requested instruction set or, if none was requested, the best of this
/// processor.
pub fn lanes() -> Lanes {
    LEAF.get().map_or_else(Lanes::new, |leaf| Lanes::with(leaf))
}

pub(super) struct LanesAlgorithm {
    lanes: Lanes,
    cores: Arc<dlx::parallel::Cores>,
}

impl LanesAlgorithm {
    pub(super) fn new(cores: &Arc<dlx::parallel::Cores>) -> Self {
        Self { lanes: lanes(), cores: Arc::clone(cores) }
    }

    /// Counts all solutions exactly, with the lane solver or, if there are too many solutions to
    /// enumerate, with the band counter. Also returns whether the band counter was used.
    pub(super) fn count_exactly(&mut self, fill: &Fill, limits: &Limits) -> (Report, bool) {
        let board = board(fill.grid());
        let count = sudoku9::exact::count(&mut self.lanes, &board, limits, &self.cores);
        (count_report(&count), count.method == sudoku9::Method::Bands)
    }

    /// Counts again with the second-best plan of the band counter.
    ///
    /// # Panics
    /// If the count is not `expected`, which means a bug.
    pub(super) fn check(&self, fill: &Fill, expected: &BigUint, limits: &Limits) {
        let mut plans = Plan::all(&board(fill.grid()));
        plans.sort_by_key(Plan::steps);
        let Some(plan) = plans.get(1) else { return };
        if let Ok(count) = plan.count(limits, &self.cores) {
            assert_eq!(BigUint::from(count), *expected, "two ways to count agree");
        }
    }

    /// Does the same as [`Algorithm::run`] on one core. If a limit stops it, adds boards to `rest`
    /// whose solutions are exactly the solutions not yet found.
    pub(super) fn run_part(
        &mut self,
        fill: &Fill,
        limits: &Limits,
        visit: Option<&mut SolutionVisit<'_>>,
        mut rest: Option<&mut Vec<Board>>,
    ) -> Report {
        let mut one = One { fill, board: Some(board(fill.grid())), visit, tally: None };
        let effort = self.lanes.run_alone(&mut one, limits, rest.as_deref_mut());
        let Some(tally) = one.tally else {
            rest.into_iter().for_each(|rest| rest.extend(one.board));
            return report(effort.end, 0, effort);
        };
        report(tally.end, tally.solutions, effort)
    }

    /// Visits the solutions of all boards in `rest`, which a search of `fill` left. The limits
    /// apply to all boards together.
    pub(super) fn run_rest(
        &mut self,
        fill: &Fill,
        rest: Vec<Board>,
        limits: &Limits,
        visit: &mut SolutionVisit<'_>,
    ) -> Report {
        let wanted = limits.solutions.unwrap_or(u64::MAX);
        let mut rest = Rest { fill, boards: rest, visit, wanted, found: 0, is_stopped: false };
        let limits = limits.clone().solutions(None);
        let effort = self.lanes.run(&mut rest, &limits);
        let is_enough = effort.end == End::Stopped && !rest.is_stopped;
        report(if is_enough { End::Limit(Limit::Solutions) } else { effort.end }, rest.found, effort)
    }
}

fn report(end: End, solutions: u64, effort: Effort) -> Report {
    let mut report = Report::empty(end);
    (report.solutions, report.nodes, report.updates) = (solutions, effort.nodes, effort.steps);
    report
}

fn count_report(count: &Count) -> Report {
    let mut report = match count.end {
        End::Exhausted => Report::counted(count.end, count.solutions.into()),
        _ => Report::empty(count.end),
    };
    report.solutions = count.solutions.try_into().unwrap_or(u64::MAX);
    (report.nodes, report.updates) = (count.nodes, count.steps);
    report
}

fn cover(fill: &Fill, board: &Board) -> Vec<OptionId> {
    let given = fill.given();
    let options = (0..81).map(|cell| {
        let digit = board.candidates(cell).trailing_zeros() as usize;
        fill.option(cell, digit).expect("a candidate of the puzzle")
    });
    let chosen = options.filter(|option| given.binary_search(option).is_err());
    given.iter().copied().chain(chosen).collect()
}

/// Returns the grid of a puzzle if it is plain 9x9 Sudoku; pencil marks are allowed.
pub fn as_sudoku(puzzle: &dyn Puzzle) -> Option<&Fill> {
    puzzle.as_fill().filter(|fill| {
        let shape = fill.grid().shape();
        shape.is_square()
            && shape.order() == 9
            && shape.boxes() == Some((3, 3))
            && shape.rules().is_empty()
    })
}

fn supported(puzzle: &dyn Puzzle) -> Result<&Fill, Unsupported> {
    as_sudoku(puzzle).ok_or(Unsupported::new("puzzles other than plain 9x9 Sudoku"))
}

fn board(grid: &Grid) -> Board {
    Board::from_candidates(|cell| grid.candidates(cell) as u16)
}

impl Algorithm for LanesAlgorithm {
    fn run(
        &mut self,
        puzzle: &dyn Puzzle,
        limits: &Limits,
        visit: Option<&mut SolutionVisit<'_>>,
    ) -> Result<Report, RunError> {
        let fill = supported(puzzle)?;
        if limits.solutions == Some(0) {
            return Ok(Report::empty(End::Limit(Limit::Solutions)));
        }
        if visit.is_none() && limits.solutions.is_none() && limits.nodes.is_none() {
            let board = board(fill.grid());
            let count = self.lanes.count_all(&board, limits, &self.cores);
            return Ok(count_report(&count));
        }
        Ok(self.run_part(fill, limits, visit, None))
    }

    fn count_together(&mut self, puzzles: &[&dyn Puzzle], limits: &Limits) -> bool {
        let fills: Option<Vec<&Fill>> = puzzles.iter().map(|&puzzle| as_sudoku(puzzle)).collect();
        let Some(fills) = fills.filter(|fills| fills.len() > 1) else { return false };
        self.lanes.run(&mut Counted(fills.iter()), limits);
        true
    }
}

struct One<'a, 'v> {
    fill: &'a Fill,
    board: Option<Board>,
    visit: Option<&'a mut SolutionVisit<'v>>,
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
        visit(Solution::Cover(&cover(self.fill, board)))
    }

    fn done(&mut self, _: usize, tally: Tally) {
        self.tally = Some(tally);
    }
}

/// The boards left of a puzzle, as a batch; the search stops after `wanted` solutions.
struct Rest<'a, 'v> {
    fill: &'a Fill,
    boards: Vec<Board>,
    visit: &'a mut SolutionVisit<'v>,
    wanted: u64,
    found: u64,
    is_stopped: bool,
}

impl Batch for Rest<'_, '_> {
    fn next(&mut self, board: &mut Board) -> bool {
        self.boards.pop().map(|next| *board = next).is_some()
    }

    fn solution(&mut self, _: usize, board: &Board) -> ControlFlow<()> {
        self.found += 1;
        self.is_stopped = (self.visit)(Solution::Cover(&cover(self.fill, board))).is_break();
        let is_over = self.is_stopped || self.found == self.wanted;
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

struct Counted<'a>(std::slice::Iter<'a, &'a Fill>);

impl Batch for Counted<'_> {
    fn next(&mut self, next: &mut Board) -> bool {
        self.0.next().map(|fill| *next = board(fill.grid())).is_some()
    }

    fn wants_solutions(&self) -> bool {
        false
    }
}

struct BandsAlgorithm {
    cores: Arc<dlx::parallel::Cores>,
}

impl Algorithm for BandsAlgorithm {
    fn run(
        &mut self,
        puzzle: &dyn Puzzle,
        limits: &Limits,
        visit: Option<&mut SolutionVisit<'_>>,
    ) -> Result<Report, RunError> {
        let fill = supported(puzzle)?;
        if visit.is_some() {
            return Err(Unsupported::new("listing solutions").into());
        }
        if limits.solutions.is_some() || limits.nodes.is_some() {
            return Err(Unsupported::new("limits on solutions and nodes").into());
        }
        let board = board(fill.grid());
        let count = sudoku9::bands::count(&board, limits, &self.cores);
        Ok(match count {
            Ok(count) => Report::counted(End::Exhausted, count.into()),
            Err(limit) => Report::empty(End::Limit(limit)),
        })
    }
}
