//! 9x9 Sudoku with clues of every kind, including contradictory clues, on the lanes of every
//! instruction set.

use std::ops::ControlFlow;

use sudoku9::{Batch, Board, End, Lanes, Limits, Tally, leaves};

use super::{Target, noise};
use crate::bytes::Bytes;

pub(super) const TARGET: Target = Target {
    name: "lines",
    summary: "9x9 Sudoku with clashes of every kind through the lanes",
    run,
    seeds: noise,
    short_runs: 3_000,
};

const NODES: u64 = 20_000;

type Line = [u8; 81];

/// Draws up to eight grids and solves them together.
pub fn run(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let limit = 1 + bytes.below(6) as u64;
    let leaf = bytes.byte();
    let lines: Vec<Line> = (0..1 + bytes.below(8)).map(|_| draw(&mut bytes)).collect();
    let expected: Vec<Option<u64>> = lines.iter().map(|line| count(line, limit)).collect();
    let leaves: Vec<_> = leaves().collect();
    let leaf = leaves[usize::from(leaf) % leaves.len()];
    let mut answers = Answers {
        lines: &lines,
        next: 0,
        found: vec![0; lines.len()],
        tallies: vec![None; lines.len()],
    };
    let effort = Lanes::with(leaf).run(&mut answers, &Limits::new().solutions(limit));
    assert_eq!(effort.end, End::Exhausted, "{}", leaf.name);
    for (place, expected) in expected.iter().enumerate() {
        let tally = answers.tallies[place].expect("every grid is answered");
        let shown = String::from_utf8_lossy(&lines[place]);
        assert_eq!(tally.solutions, answers.found[place], "{shown}");
        if let Some(expected) = expected {
            assert_eq!(tally.solutions, *expected, "{} on {shown}", leaf.name);
        }
    }
}

struct Answers<'l> {
    lines: &'l [Line],
    next: usize,
    found: Vec<u64>,
    tallies: Vec<Option<Tally>>,
}

impl Batch for Answers<'_> {
    fn next(&mut self, board: &mut Board) -> bool {
        let Some(line) = self.lines.get(self.next) else { return false };
        self.next += 1;
        *board = Board::from_digits(line);
        true
    }

    fn solution(&mut self, puzzle: usize, board: &Board) -> ControlFlow<()> {
        let mut text = [0; 81];
        board.write_line(&mut text);
        let clues = self.lines[puzzle].iter().zip(&text);
        assert!(clues.filter(|(clue, _)| **clue != b'.').all(|(clue, digit)| clue == digit));
        assert!(peers().all(|(a, b)| text[a] != text[b]) && text.iter().all(u8::is_ascii_digit));
        self.found[puzzle] += 1;
        ControlFlow::Continue(())
    }

    fn done(&mut self, puzzle: usize, tally: Tally) {
        assert!(self.tallies[puzzle].replace(tally).is_none(), "a grid is answered once");
    }
}

/// Draws random clues, or some clues of a solution with a few of them changed.
fn draw(bytes: &mut Bytes<'_>) -> Line {
    let mut line = [b'.'; 81];
    let kind = bytes.below(4);
    let clues = [bytes.below(20), 17 + bytes.below(20), 81, bytes.below(82)][kind];
    let shift = bytes.below(9);
    for _ in 0..clues {
        let cell = bytes.below(81);
        let (row, column) = (cell / 9, cell % 9);
        line[cell] = if kind == 0 || bytes.once_in(24) {
            b'1' + bytes.below(9) as u8
        } else {
            b'1' + ((3 * row + row / 3 + column + shift) % 9) as u8
        };
    }
    if kind == 0 && bytes.once_in(2) {
        let (digit, first) = (b'1' + bytes.below(9) as u8, bytes.below(81));
        line[first] = digit;
        let (row, column) = (first / 27 * 3 + bytes.below(3), first % 9 / 3 * 3 + bytes.below(3));
        line[9 * row + column] = digit;
    }
    line
}

fn peers() -> impl Iterator<Item = (usize, usize)> {
    let is_peer = |a: usize, b: usize| {
        let box_of = |cell: usize| (cell / 27, cell % 9 / 3);
        a / 9 == b / 9 || a % 9 == b % 9 || box_of(a) == box_of(b)
    };
    (0..81).flat_map(move |a| (0..a).filter(move |&b| is_peer(a, b)).map(move |b| (a, b)))
}

/// Counts solutions up to `limit` by branching on the cell with the fewest candidates. Returns
/// `None` if this takes too many nodes.
fn count(line: &Line, limit: u64) -> Option<u64> {
    let mut grid = Plain { rows: [0; 9], columns: [0; 9], boxes: [0; 9], cells: [0; 81] };
    for (cell, &clue) in line.iter().enumerate() {
        if clue != b'.' && !grid.place(cell, clue - b'1') {
            return Some(0);
        }
    }
    let (mut found, mut nodes) = (0, NODES);
    grid.search(limit, &mut found, &mut nodes).then_some(found)
}

/// The digits used in each row, column and box (as bits), and the digit of each cell.
struct Plain {
    rows: [u16; 9],
    columns: [u16; 9],
    boxes: [u16; 9],
    cells: [u16; 81],
}

impl Plain {
    fn place(&mut self, cell: usize, digit: u8) -> bool {
        let bit = 1 << digit;
        let is_free = self.open(cell) & bit != 0;
        self.turn(cell, bit);
        is_free
    }

    fn turn(&mut self, cell: usize, bit: u16) {
        self.rows[cell / 9] ^= bit;
        self.columns[cell % 9] ^= bit;
        self.boxes[cell / 27 * 3 + cell % 9 / 3] ^= bit;
        self.cells[cell] ^= bit;
    }

    fn open(&self, cell: usize) -> u16 {
        let used =
            self.rows[cell / 9] | self.columns[cell % 9] | self.boxes[cell / 27 * 3 + cell % 9 / 3];
        0x1ff & !used
    }

    fn search(&mut self, limit: u64, found: &mut u64, nodes: &mut u64) -> bool {
        if *found >= limit {
            return true;
        }
        if *nodes == 0 {
            return false;
        }
        *nodes -= 1;
        let blank = (0..81).filter(|&cell| self.cells[cell] == 0);
        let Some(cell) = blank.min_by_key(|&cell| self.open(cell).count_ones()) else {
            *found += 1;
            return true;
        };
        let mut open = self.open(cell);
        while open != 0 {
            let bit = open & open.wrapping_neg();
            open &= !bit;
            self.turn(cell, bit);
            let is_done = self.search(limit, found, nodes);
            self.turn(cell, bit);
            if !is_done {
                return false;
            }
        }
        true
    }
}
