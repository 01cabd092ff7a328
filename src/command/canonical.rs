//! `convert --to canonical` prints the canonical form of each 9x9 Sudoku, one per line.
//!
//! The SIMD lanes solve the puzzles in blocks of [`BLOCK`]. A puzzle with several solutions is
//! searched on its own, and all its solutions, up to [`SOLUTIONS_MAX`], are compared.

use std::io::{self, Write};
use std::ops::ControlFlow;

use sudoku9::canonical::{self, Canonical};
use sudoku9::{Batch, Board, Lanes};

use crate::io::args::{CANONICAL, Conversion, InputArgs};
use crate::io::exit::Exit;
use crate::io::notices::{About, NoticeCounts};
use crate::io::source::Puzzles;
use crate::io::{interrupt, output};
use farandole::algorithm::nine::{self, as_sudoku};
use grid::Grid;
use puzzle::Puzzle;

/// Number of puzzles that the SIMD lanes solve together.
const BLOCK: usize = 1024;
/// Largest number of solutions of a puzzle that gets a canonical form.
pub(super) const SOLUTIONS_MAX: usize = 10_000;

pub(super) fn run(input: &InputArgs, asked: &Conversion) -> Exit {
    let mut stdout = io::BufWriter::new(output::stdout());
    // From now on a first interrupt does not end the program.
    let _ = interrupt::flag();
    let mut puzzles = Puzzles::new(input, asked.limits).quiet(asked.quiet);
    let mut notices = NoticeCounts::default();
    let mut lanes = nine::lanes();
    let mut block: Vec<(u64, [u8; 81])> = Vec::new();
    let mut has_faults = false;
    loop {
        let job = puzzles.next_or_end();
        let is_over = job.is_none();
        match job.map(|job| (job.number, job.puzzle)) {
            Some((number, Ok(puzzle))) => {
                if !asked.quiet
                    && let Some(notice) = notices.lost_columns(puzzle.as_ref(), CANONICAL)
                {
                    say!("{notice}");
                }
                match line(puzzle.as_ref()) {
                    Some(line) => block.push((number, line)),
                    None => {
                        has_faults = true;
                        notices.print(About::Unfit, &format!("puzzle {number}: {UNFIT}"));
                    }
                }
            }
            Some((_, Err(fault))) => {
                has_faults = true;
                notices.print(About::Unread, &fault.to_string());
            }
            None => {}
        }
        if block.len() < BLOCK && !is_over && puzzles.is_ready() {
            continue;
        }
        let forms = forms(&mut lanes, &block);
        for ((number, _), form) in block.drain(..).zip(forms) {
            let written = match form {
                Some(form) => stdout.write_all(&form.puzzle).and_then(|()| stdout.write_all(b"\n")),
                None => {
                    has_faults = true;
                    notices.print(About::Unfit, &format!("puzzle {number}: {}", nothing()));
                    Ok(())
                }
            };
            if let Err(error) = written {
                return output::lost(&error);
            }
        }
        if let Err(error) = if puzzles.is_ready() && !is_over { Ok(()) } else { stdout.flush() } {
            return output::lost(&error);
        }
        if interrupt::happened() {
            return Exit::Interrupted;
        }
        if is_over {
            break;
        }
    }
    notices.end();
    if has_faults { Exit::BadInput } else { Exit::Done }
}

/// Message for puzzles other than plain 9x9 Sudoku.
pub(super) const UNFIT: &str = "canonical forms are those of plain 9x9 Sudoku without pencil marks";

pub(super) fn nothing() -> String {
    format!("a canonical form needs a solution, and at most {SOLUTIONS_MAX} of them")
}

/// Returns a plain 9x9 Sudoku as a line of digits and dots; `None` for other puzzles.
pub(super) fn line(puzzle: &dyn Puzzle) -> Option<[u8; 81]> {
    let grid = as_sudoku(puzzle).map(puzzle::Fill::grid).filter(|grid| grid.is_plain())?;
    let digit = |grid: &Grid, cell| grid.symbol(cell).map_or(b'.', |symbol| b'1' + symbol as u8);
    Some(std::array::from_fn(|cell| digit(grid, cell)))
}

fn forms(lanes: &mut Lanes, puzzles: &[(u64, [u8; 81])]) -> Vec<Option<Canonical>> {
    let solved = vec![(0, [0; 81]); puzzles.len()];
    let mut batch = Solved { lines: puzzles.iter(), solved };
    lanes.run(&mut batch, &sudoku9::Limits::new().solutions(2));
    let solved = batch.solved.iter();
    let form = |(line, (count, solution)): (&[u8; 81], &(u32, [u8; 81]))| match count {
        0 => None,
        1 => Some(canonical::of_solved(line, solution)),
        _ => canonical::of_puzzle(line, SOLUTIONS_MAX).ok().flatten(),
    };
    puzzles.iter().map(|(_, line)| line).zip(solved).map(form).collect()
}

/// A batch of puzzles for the SIMD lanes that records the number of solutions and the last solution
/// of each puzzle.
struct Solved<'p> {
    lines: std::slice::Iter<'p, (u64, [u8; 81])>,
    solved: Vec<(u32, [u8; 81])>,
}

impl Batch for Solved<'_> {
    fn next(&mut self, board: &mut Board) -> bool {
        self.lines.next().map(|(_, line)| *board = Board::from_digits(line)).is_some()
    }

    fn solution(&mut self, puzzle: usize, board: &Board) -> ControlFlow<()> {
        let (count, line) = &mut self.solved[puzzle];
        *count += 1;
        board.write_line(line);
        ControlFlow::Continue(())
    }
}
