//! Solves or counts any number of 9x9 Sudoku grids at once, in the lanes of [`sudoku9`].
//!
//! The grids are one block of bytes, either lines of text or cells with the values 0 to 9. The
//! answer has the same form. Threads take the grids in blocks. A hard grid is removed from its
//! block, so that the other grids need not wait. The hard grid is then searched again alone, by the
//! algorithm of the command line.

use std::cell::RefCell;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::thread;

use dlx::{End, Limit, Limits};
use farandole::stream::{Stream, StreamHints};
use num_bigint::BigUint;
use puzzle::Puzzle;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sudoku9::{Batch, Board, Lanes, Leaf, Tally};

use crate::call::{self, Asked, EndName, Number};
use crate::questions::auto;

const CELLS: usize = 81;
const BLOCK: usize = 4096;
/// Minimum number of grids that are searched together. Fewer grids are searched one after the
/// other, with the best registers for a single grid.
const TOGETHER_MIN: usize = 8;
/// Minimum number of grids that make an additional thread worthwhile.
const SHARE_MIN: usize = 256;
/// Number of nodes (about 3 ms) after which a grid is removed from its block.
const STRAGGLER_NODES: u64 = 1 << 15;

thread_local! {
    /// The lanes of this thread, which later calls reuse.
    static LANES: RefCell<Lanes> = RefCell::new(Lanes::new());
}

#[derive(Clone, Copy)]
struct Grids<'b> {
    bytes: &'b [u8],
    /// Distance from one grid to the next (bytes).
    stride: usize,
    count: usize,
    /// Number to add to the value of a cell to get its character; 0 for lines of text.
    zero: u8,
}

impl<'b> Grids<'b> {
    fn of_cells(bytes: &'b [u8]) -> PyResult<Self> {
        if let Some(place) = bytes.iter().position(|&value| value > 9) {
            let (grid, cell) = (place / CELLS, place % CELLS);
            let message = format!(
                "expected a digit from 0 to 9 in every cell, found {} in row {} and column {} of grid {grid}",
                bytes[place],
                cell / 9 + 1,
                cell % 9 + 1
            );
            return Err(PyValueError::new_err(message));
        }
        Ok(Self { bytes, stride: CELLS, count: bytes.len() / CELLS, zero: b'0' })
    }

    /// Reads grids as lines of 81 cells. Each line ends with a line feed, except that the last line
    /// need not.
    ///
    /// # Errors
    /// A `ParseError` with the position.
    fn of_lines(bytes: &'b [u8]) -> PyResult<Self> {
        let count = bytes.len().div_ceil(CELLS + 1);
        let mut grids = bytes.chunks(CELLS + 1);
        let is_line = |line: &[u8]| {
            let (cells, end) = line.split_at(line.len().min(CELLS));
            cells.len() == CELLS
                && matches!(end, [] | [b'\n'])
                && cells.iter().fold(true, |all, &c| all & is_cell(c))
        };
        if grids.all(is_line) {
            return Ok(Self { bytes, stride: CELLS + 1, count, zero: 0 });
        }
        let lines = bytes.split(|&byte| byte == b'\n').zip(1..);
        let fault = lines.filter_map(|(line, number)| {
            let text = String::from_utf8_lossy(line);
            let wrong = text.chars().position(|c| !u8::try_from(c).is_ok_and(is_cell));
            let length = text.chars().count();
            let (column, message) = match wrong {
                Some(place) if place < CELLS => {
                    let found = text.chars().nth(place).unwrap_or_default();
                    let found = if found.is_control() {
                        found.escape_default().to_string()
                    } else {
                        found.to_string()
                    };
                    (place + 1, format!("expected a digit 1-9 or a blank such as `.`, found `{found}`"))
                }
                _ if length == CELLS => return None,
                _ => {
                    (length.min(CELLS) + 1, format!("expected the 81 cells of a grid, found {length}"))
                }
            };
            Some(call::ParseError::new_err((message, number, column)))
        });
        Err(fault
            .into_iter()
            .next()
            .unwrap_or_else(|| call::ParseError::new_err("expected a grid a line")))
    }

    fn line(&self, number: usize) -> [u8; CELLS] {
        let start = number * self.stride;
        let mut line = [b'.'; CELLS];
        line.copy_from_slice(&self.bytes[start..start + CELLS]);
        line.iter_mut().for_each(|cell| *cell += self.zero);
        line
    }

    fn puzzle(&self, number: usize) -> Box<dyn Puzzle> {
        let hints = StreamHints {
            kind: farandole::kinds::by_name("sudoku"),
            format: Some("line".into()),
            ..StreamHints::default()
        };
        let mut stream =
            Stream::open(Cursor::new(self.line(number)), &hints).expect("kind and format are known");
        stream.next().expect("there is a line").expect("the line was looked at")
    }
}

#[inline]
fn is_cell(c: u8) -> bool {
    c.is_ascii_digit() | matches!(c, b'.' | b'*' | b'_' | b'-' | b'x' | b'X' | b'?')
}

/// The work of a thread: the grids from number `first` on, with space for their answers.
struct Block<'a, T> {
    grids: Grids<'a>,
    first: usize,
    answers: &'a mut [T],
    wants_solutions: bool,
    leaf: &'static Leaf,
    taken: usize,
    /// For each finished grid, its number of solutions.
    tallies: Vec<Option<u64>>,
}

trait Answer: Send {
    fn solution(&mut self, line: [u8; CELLS]);
    fn number(&mut self, number: BigUint);
}

type Solution = Option<[u8; CELLS]>;

impl Answer for Solution {
    fn solution(&mut self, line: [u8; CELLS]) {
        *self = Some(line);
    }

    fn number(&mut self, _: BigUint) {}
}

impl Answer for BigUint {
    fn solution(&mut self, _: [u8; CELLS]) {}

    fn number(&mut self, number: BigUint) {
        *self = number;
    }
}

impl<T: Answer> Batch for Block<'_, T> {
    fn next(&mut self, board: &mut Board) -> bool {
        if self.taken == self.answers.len() {
            return false;
        }
        self.leaf.read_line(&self.grids.line(self.first + self.taken), board);
        self.taken += 1;
        true
    }

    fn wants_solutions(&self) -> bool {
        self.wants_solutions
    }

    fn nodes_max(&self) -> u64 {
        STRAGGLER_NODES
    }

    fn solution(&mut self, puzzle: usize, board: &Board) -> ControlFlow<()> {
        let mut line = [0; CELLS];
        self.leaf.write_line(board, &mut line);
        self.answers[puzzle].solution(line);
        ControlFlow::Continue(())
    }

    fn done(&mut self, puzzle: usize, tally: Tally) {
        if matches!(tally.end, End::Exhausted | End::Limit(Limit::Solutions)) {
            self.tallies[puzzle] = Some(tally.solutions);
        }
    }
}

impl<T: Answer> Block<'_, T> {
    fn run(&mut self, lanes: &mut Lanes, asked: &Asked, limits: &Limits) -> Result<(), Limit> {
        // A grid has a node limit of its own.
        let without_nodes = limits.clone().nodes(None);
        if self.answers.len() < TOGETHER_MIN {
            lanes.run_alone(self, &without_nodes, None);
        } else {
            lanes.run(self, &without_nodes);
        }
        limits.check()?;
        for (place, tally) in std::mem::take(&mut self.tallies).into_iter().enumerate() {
            match tally {
                Some(number) => self.answers[place].number(number.into()),
                None => self.run_long(place, asked, limits)?,
            }
        }
        Ok(())
    }

    /// Answers a hard grid, which was removed from its block.
    fn run_long(&mut self, place: usize, asked: &Asked, limits: &Limits) -> Result<(), Limit> {
        let puzzle = self.grids.puzzle(self.first + place);
        let mut algorithm = auto(asked);
        let report = if self.wants_solutions {
            let fill = puzzle.as_fill().expect("it is a grid");
            algorithm.search(&*puzzle, limits, &mut |cover| {
                let grid = fill.filled(cover);
                let digit = |cell| grid.symbol(cell).map_or(b'.', |symbol| b'1' + symbol as u8);
                self.answers[place].solution(std::array::from_fn(digit));
                ControlFlow::Continue(())
            })
        } else {
            algorithm.count(&*puzzle, limits)
        };
        let report = report.expect("it takes any puzzle");
        match report.end {
            End::Limit(limit) if limit != Limit::Solutions => Err(limit),
            _ => {
                self.answers[place].number(report.total());
                Ok(())
            }
        }
    }
}

fn answer<T: Answer + Clone + Default>(
    grids: Grids<'_>,
    asked: &Asked,
    limits: &Limits,
    wants_solutions: bool,
) -> (End, Vec<T>) {
    let mut answers = vec![T::default(); grids.count];
    let threads = asked.threads().min(grids.count / SHARE_MIN).max(1);
    let block = BLOCK.min(grids.count.div_ceil(threads)).max(1);
    let blocks = Mutex::new(answers.chunks_mut(block).enumerate());
    let work = || {
        LANES.with_borrow_mut(|lanes| {
            loop {
                let next = blocks.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some((number, answers)) = next else { return Ok(()) };
                let (first, leaf, tallies) = (number * block, lanes.leaf(), vec![None; answers.len()]);
                let mut block =
                    Block { grids, first, answers, wants_solutions, leaf, taken: 0, tallies };
                block.run(lanes, asked, limits)?;
            }
        })
    };
    let ends: Vec<Result<(), Limit>> = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let own = work();
        let join = |other: thread::ScopedJoinHandle<'_, _>| {
            other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        others.into_iter().map(join).chain([own]).collect()
    });
    let limit = ends.into_iter().find_map(Result::err);
    (limit.map_or(End::Exhausted, End::Limit), answers)
}

fn grids(bytes: &[u8], is_text: bool) -> PyResult<Grids<'_>> {
    if is_text { Grids::of_lines(bytes) } else { Grids::of_cells(bytes) }
}

/// Solves all grids. The answer has the form of the input. A line of text is empty if its grid has
/// no solution; cells are then all 0.
#[pyfunction]
pub(crate) fn solve_grids<'py>(
    py: Python<'py>,
    bytes: &[u8],
    is_text: bool,
    asked: Asked,
) -> PyResult<(EndName, Bound<'py, PyBytes>)> {
    let grids = grids(bytes, is_text)?;
    let (end, solved) = call::run(py, &asked, |limits| {
        let limits = limits.clone().solutions(1);
        let (end, solutions) = answer::<Solution>(grids, &asked, &limits, true);
        let mut out = Vec::with_capacity(solutions.len() * (CELLS + 1));
        for solution in &solutions {
            match solution {
                Some(line) if is_text => out.extend_from_slice(line),
                Some(line) => out.extend(line.iter().map(|digit| digit - b'0')),
                None if is_text => {}
                None => out.extend_from_slice(&[0; CELLS]),
            }
            if is_text {
                out.push(b'\n');
            }
        }
        (end, out)
    })?;
    Ok((call::name(end), PyBytes::new(py, &solved)))
}

/// Counts the solutions of all grids, each up to the requested limit.
#[pyfunction]
pub(crate) fn count_grids(
    py: Python<'_>,
    bytes: &[u8],
    is_text: bool,
    asked: Asked,
) -> PyResult<(EndName, Vec<Number>)> {
    let grids = grids(bytes, is_text)?;
    let (end, counts) =
        call::run(py, &asked, |limits| answer::<BigUint>(grids, &asked, limits, false))?;
    Ok((call::name(end), counts.into_iter().map(Number).collect()))
}
