//! Solves and counts 9x9 Sudoku, a single grid or millions of them.
//!
//! ```
//! let hardest = b"8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
//! let solution = sudoku9::solve(hardest)?.expect("it has one");
//! assert!(solution.starts_with(b"812753649943682175"));
//! assert!(sudoku9::is_unique(hardest)?);
//!
//! // Without the first clue there are ten solutions or more.
//! let open = b"...........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
//! assert_eq!(sudoku9::count(open, 10)?, 10);
//! assert_eq!(sudoku9::solutions(open)?.count() as u128, sudoku9::count_all(open)?);
//! # Ok::<(), sudoku9::CellError>(())
//! ```
//!
//! A grid is 81 characters, row by row. A digit from 1 to 9 is a clue; `.`, `0`, `*`, `_` and `-`
//! are blank cells; any other character is an error. A grid with contradictory clues is valid but
//! has no solution. [`Board::from_candidates`] builds grids with pencil marks.
//!
//! # Which function
//! - For one grid: [`solve`], [`is_unique`], [`count`] up to a limit, [`solutions`] as an iterator.
//! - For many grids: [`solve_lines`] and [`count_lines`] take a text with one grid per line, and
//!   search 8 to 32 grids at once.
//! - For all solutions: [`count_all`] also counts the 6,670,903,752,021,072,936,960 solutions of
//!   the empty grid.
//! - With limits (nodes, a deadline, a flag set by another thread), or with memory that is reused
//!   for the next grid: [`Lanes`] with your own [`Batch`], [`exact::count`], [`bands::count`].
//!
//! # How it works
//! - [`Lanes`] runs one search in each 16-bit lane of a vector register (AVX-512, AVX2 or NEON, see
//!   [`leaves`]). All lanes do the same propagation step without a branch instruction.
//! - On other processors, plain Rust searches one grid after the other in ordinary words.
//! - [`bands`] counts by the sets of digits in the columns of the three bands, as B. Felgenhauer
//!   and F. Jarvis did for the empty grid (2005), extended to clues and pencil marks.
//!
//! # Invariants
//! Every solution is found once, and each contains the clues. At most 81 branches wait for each
//! lane, for any grid. Counts do not wrap, because no grid has 2^128 solutions.
//!
//! Some grids are constructed to be hard for such a search and take seconds. For grids from
//! untrusted sources, set [`Limits::nodes`], or [`Batch::nodes_max`] for each grid of a batch.
//!
//! # Modules
//! Each module uses only modules before it in this list:
//! - `model` has the board, limits, batches and cores.
//! - `leaf` has the registers of each instruction set.
//! - `digits` searches a single grid with vectors, and `scalar` without; `lanes` searches many
//!   grids; `bands` counts.
//! - `answer` has the answers that need several runs.
//! - `canonical` has canonical forms, and `generate` generates puzzles ([`generate::puzzle`] makes
//!   one).

mod answer;
pub mod bands;
pub mod canonical;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only x86-64 has leaves for them"))]
mod digits;
pub mod generate;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "few or no leaves are there"))]
mod lanes;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "few or no leaves are there"))]
mod leaf;
mod model;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "few or no leaves are there"))]
mod rules;
mod scalar;

pub use answer::exact;
pub use answer::lines::LineError;
pub use answer::solutions::Solutions;
pub use lanes::{Lanes, Leaf, leaves};
pub use limits::{Core, Cores, End, Limit, Limits};
pub use model::batch::{Batch, Count, Effort, Method, Tally};
pub use model::board::{Board, CellError};

/// Returns a solution of a grid; `None` if it has none.
///
/// ```
/// let grid = b"..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..";
/// let solution = sudoku9::solve(grid)?.expect("it has one");
/// assert_eq!(solution[..9], *b"483921657");
///
/// // Two fours in the first row.
/// let wrong = b"4.34............................................................................3";
/// assert_eq!(sudoku9::solve(wrong)?, None);
///
/// // The letter O is not a zero.
/// let error = sudoku9::solve(&wrong.map(|c| if c == b'.' { b'O' } else { c })).unwrap_err();
/// assert_eq!(error.to_string(), "r1c2: expected a digit or `.`, found `O`");
/// # Ok::<(), sudoku9::CellError>(())
/// ```
///
/// # Errors
/// The first character that is neither a digit nor a blank.
pub fn solve(grid: &[u8; 81]) -> Result<Option<[u8; 81]>, CellError> {
    let solution = Lanes::new().solve_line(grid)?;
    Ok(solution.map(|solution| {
        let mut line = [0; 81];
        solution.write_line(&mut line);
        line
    }))
}

/// Counts the solutions of a grid up to `limit`.
///
/// ```
/// assert_eq!(sudoku9::count(&[b'.'; 81], 1000), Ok(1000));
/// ```
///
/// # Errors
/// As [`solve`].
pub fn count(grid: &[u8; 81], limit: u64) -> Result<u64, CellError> {
    Lanes::new().count_line(grid, limit)
}

/// Returns whether a grid has exactly one solution.
///
/// ```
/// let grid = b"..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..";
/// assert_eq!(sudoku9::is_unique(grid), Ok(true));
/// assert_eq!(sudoku9::is_unique(&[b'.'; 81]), Ok(false));
/// ```
///
/// # Errors
/// As [`solve`].
pub fn is_unique(grid: &[u8; 81]) -> Result<bool, CellError> {
    Ok(count(grid, 2)? == 1)
}

/// Counts all solutions of a grid on the caller's thread; [`exact::count`] also takes limits and
/// uses more threads. The empty grid takes half a second. Grids of about 11 clues take the longest
/// time, 1 to 7 s.
///
/// ```
/// let mut grid = [b'.'; 81];
/// grid[..9].copy_from_slice(b"123456789");
/// assert_eq!(sudoku9::count_all(&grid), Ok(18_383_222_420_692_992));
/// ```
///
/// # Errors
/// As [`solve`].
pub fn count_all(grid: &[u8; 81]) -> Result<u128, CellError> {
    let board = Board::from_line(grid)?;
    Ok(exact::count(&mut Lanes::new(), &board, &Limits::new(), &Cores::new(0)).solutions)
}

/// Iterates over all solutions of a grid, each once, in no particular order.
///
/// ```
/// let grid = b"...........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
/// let first: Vec<[u8; 81]> = sudoku9::solutions(grid)?.take(3).collect();
/// assert_eq!(first.len(), 3);
/// assert!(first.iter().all(|solution| solution[11..13] == *b"36"));
/// # Ok::<(), sudoku9::CellError>(())
/// ```
///
/// # Errors
/// As [`solve`].
pub fn solutions(grid: &[u8; 81]) -> Result<Solutions, CellError> {
    Ok(Solutions::new(&Board::from_line(grid)?))
}

/// Solves all grids of a text, which has one grid per line, many at once. Returns one line per
/// grid, with a solution or, if it has none, an empty line.
///
/// A line ends with a line feed, or with carriage return and line feed; the last line end is
/// optional. To use several threads, give each thread some of the lines.
///
/// ```
/// let text = b"\
/// 8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..
/// 88.........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..
/// ..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..
/// ";
/// let solutions = sudoku9::solve_lines(text)?;
/// let lines: Vec<&[u8]> = solutions.split(|&byte| byte == b'\n').collect();
/// assert!(lines[0].starts_with(b"812753649"));
/// assert!(lines[1].is_empty());
/// assert!(lines[2].starts_with(b"483921657"));
/// # Ok::<(), sudoku9::LineError>(())
/// ```
///
/// # Errors
/// If a line does not have 81 bytes, or one of them is neither a digit nor a blank.
pub fn solve_lines(text: &[u8]) -> Result<Vec<u8>, LineError> {
    answer::lines::solve(text)
}

/// Counts the solutions of all grids of a text, each up to `limit`.
///
/// ```
/// let text = b"\
/// 8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..
/// ...........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..
/// ";
/// assert_eq!(sudoku9::count_lines(text, 2)?, [1, 2]);
/// let error = sudoku9::count_lines(b"1234\n", 2).unwrap_err();
/// assert_eq!(error.to_string(), "line 1: expected the 81 cells of a grid, found 4 bytes");
/// # Ok::<(), sudoku9::LineError>(())
/// ```
///
/// # Errors
/// If a line does not have 81 bytes, or one of them is neither a digit nor a blank.
pub fn count_lines(text: &[u8], limit: u64) -> Result<Vec<u64>, LineError> {
    answer::lines::count(text, limit)
}

/// The Rust code blocks of the README, compiled as doc tests.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../README.md")]
    struct Readme;
}
