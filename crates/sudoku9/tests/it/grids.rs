//! Random grids of several kinds for tests, and a batch that records all results.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use fastrand::Rng;
use sudoku9::{Batch, Board, Effort, Lanes, Limits, Tally};

/// Returns random orders of digits, rows and columns that map every Sudoku to a Sudoku.
pub(crate) fn orders(rng: &mut Rng) -> [Vec<usize>; 3] {
    let mut order = |size: usize| {
        let mut order: Vec<usize> = (0..size).collect();
        rng.shuffle(&mut order);
        order
    };
    let digits = order(9);
    let mut lines = || {
        let bands = order(3);
        let inside = [order(3), order(3), order(3)];
        let line = |line: usize| 3 * bands[line / 3] + inside[line / 3][line % 3];
        (0..9).map(line).collect()
    };
    [digits, lines(), lines()]
}

/// Returns a full grid: a fixed pattern with shuffled digits, rows and columns.
pub(crate) fn solved(rng: &mut Rng) -> [u8; 81] {
    let [digits, rows, columns] = orders(rng);
    std::array::from_fn(|cell| {
        let (row, column) = (rows[cell / 9], columns[cell % 9]);
        b'1' + digits[(3 * row + row / 3 + column) % 9] as u8
    })
}

/// Returns a puzzle with `clues` clues of a full grid, `wrong` of them replaced by random digits.
pub(crate) fn puzzle(rng: &mut Rng, clues: usize, wrong: usize) -> [u8; 81] {
    let mut text = solved(rng);
    let mut cells: Vec<usize> = (0..81).collect();
    rng.shuffle(&mut cells);
    cells[clues..].iter().for_each(|&cell| text[cell] = b'.');
    cells[..wrong].iter().for_each(|&cell| text[cell] = rng.u8(b'1'..=b'9'));
    text
}

/// Returns a mixture of easy, hard and open puzzles, with zero, one or many solutions.
pub(crate) fn mixture(rng: &mut Rng, count: usize) -> Vec<[u8; 81]> {
    let hard = b"98.7..6..7.5.9......4..8...8...7.3....9..3.2....8...4.6....71...5.1.........6...2";
    let sort = |rng: &mut Rng| match rng.u8(0..6) {
        0 => puzzle(rng, 81, rng.clone().usize(0..2)),
        1 => *hard,
        2 => puzzle(rng, 30, 1),
        _ => puzzle(rng, rng.clone().usize(22..50), 0),
    };
    (0..count).map(|_| sort(rng)).collect()
}

pub(crate) struct Recorder<'a> {
    pub(crate) boards: std::slice::Iter<'a, Board>,
    pub(crate) found: Vec<BTreeSet<[u8; 81]>>,
    pub(crate) tallies: Vec<Option<Tally>>,
    pub(crate) stop_after: usize,
}

impl<'a> Recorder<'a> {
    pub(crate) fn new(boards: &'a [Board]) -> Self {
        let count = boards.len();
        let (found, tallies) = (vec![BTreeSet::new(); count], vec![None; count]);
        Self { boards: boards.iter(), found, tallies, stop_after: usize::MAX }
    }
}

impl Batch for Recorder<'_> {
    fn next(&mut self, board: &mut Board) -> bool {
        self.boards.next().map(|next| *board = *next).is_some()
    }

    fn solution(&mut self, puzzle: usize, board: &Board) -> ControlFlow<()> {
        let mut text = [0; 81];
        board.write_line(&mut text);
        assert!(self.found[puzzle].insert(text), "a solution is shown twice");
        self.stop_after -= 1;
        if self.stop_after == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn done(&mut self, puzzle: usize, tally: Tally) {
        assert_eq!(tally.solutions, self.found[puzzle].len() as u64);
        assert!(self.tallies[puzzle].replace(tally).is_none(), "a puzzle is reported twice");
    }
}

pub(crate) fn run<'a>(
    lanes: &mut Lanes,
    boards: &'a [Board],
    limits: &Limits,
) -> (Recorder<'a>, Effort) {
    let mut recorder = Recorder::new(boards);
    let effort = lanes.run(&mut recorder, limits);
    (recorder, effort)
}
