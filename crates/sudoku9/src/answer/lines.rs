//! Solves or counts all grids of a text with one grid per line, many at once.

use std::fmt;
use std::ops::ControlFlow;

use limits::Limits;

use crate::lanes::{Lanes, Leaf};
use crate::model::batch::{Batch, Tally};
use crate::model::board::{Board, CellError, check_cells};

/// Length of an output line: 81 cells and the line end.
const LINE: usize = 82;

/// Error for a line that is not a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LineError {
    /// Number of the line, from 1.
    pub line: usize,
    /// Length of the line in bytes, without the line end.
    pub length: usize,
    /// The first of the 81 characters that is neither a digit nor a blank; `None` if the length is
    /// wrong.
    pub cell: Option<CellError>,
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.cell {
            Some(cell) => write!(f, "line {}: {cell}", self.line),
            None => write!(
                f,
                "line {}: expected the 81 cells of a grid, found {} bytes",
                self.line, self.length
            ),
        }
    }
}

impl std::error::Error for LineError {}

pub(crate) fn solve(text: &[u8]) -> Result<Vec<u8>, LineError> {
    let lines = read(text)?;
    let mut out = vec![b'\n'; LINE * lines.len()];
    let mut solved = vec![false; lines.len()];
    let mut lanes = Lanes::new();
    let mut batch =
        Solve { leaf: lanes.leaf(), lines: lines.iter(), out: &mut out, solved: &mut solved };
    lanes.run(&mut batch, &Limits::new().solutions(1));
    if solved.contains(&false) {
        // A grid without a solution becomes an empty line.
        let mut at = 0;
        out.retain(|_| {
            let (line, place) = (at / LINE, at % LINE);
            at += 1;
            solved[line] || place == LINE - 1
        });
    }
    Ok(out)
}

pub(crate) fn count(text: &[u8], limit: u64) -> Result<Vec<u64>, LineError> {
    let lines = read(text)?;
    let mut counts = vec![0; lines.len()];
    let mut lanes = Lanes::new();
    let mut batch = Counts { leaf: lanes.leaf(), lines: lines.iter(), counts: &mut counts };
    lanes.run(&mut batch, &Limits::new().solutions(limit));
    Ok(counts)
}

fn read(text: &[u8]) -> Result<Vec<&[u8; 81]>, LineError> {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let lines = text.split(|&byte| byte == b'\n').enumerate();
    lines
        .map(|(index, line)| {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let error = |cell| LineError { line: index + 1, length: line.len(), cell };
            let line = line.try_into().map_err(|_| error(None))?;
            check_cells(line).map_err(|fault| error(Some(fault)))?;
            Ok(line)
        })
        .collect()
}

struct Solve<'t> {
    leaf: &'static Leaf,
    lines: std::slice::Iter<'t, &'t [u8; 81]>,
    out: &'t mut [u8],
    solved: &'t mut [bool],
}

impl Batch for Solve<'_> {
    fn next(&mut self, board: &mut Board) -> bool {
        self.lines.next().map(|line| self.leaf.read_line(line, board)).is_some()
    }

    fn solution(&mut self, puzzle: usize, board: &Board) -> ControlFlow<()> {
        if let Some(cells) = self.out[LINE * puzzle..].first_chunk_mut() {
            self.leaf.write_line(board, cells);
            self.solved[puzzle] = true;
        }
        ControlFlow::Continue(())
    }
}

struct Counts<'t> {
    leaf: &'static Leaf,
    lines: std::slice::Iter<'t, &'t [u8; 81]>,
    counts: &'t mut [u64],
}

impl Batch for Counts<'_> {
    fn next(&mut self, board: &mut Board) -> bool {
        self.lines.next().map(|line| self.leaf.read_line(line, board)).is_some()
    }

    fn wants_solutions(&self) -> bool {
        false
    }

    fn done(&mut self, puzzle: usize, tally: Tally) {
        self.counts[puzzle] = tally.solutions;
    }
}
