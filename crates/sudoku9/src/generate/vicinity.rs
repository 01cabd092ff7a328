//! Puzzles in the neighborhood of a puzzle, the {-n+m} search: some clues are deleted, and others
//! are added until there is one solution again.
//!
//! # Method
//! A *base* is the puzzle after all deletions and all additions but the last. A candidate of the
//! base yields a neighbor exactly when it lies in one solution of the base.
//! 1. Enumerate up to `SOLUTIONS_MAX` solutions of each base. Candidates of two or more of them
//!    are out.
//! 2. Check the other candidates of all bases together in the lanes.
//! 3. Solve the neighbors, and delete their superfluous clues in random order. So {-1+1} finds
//!    every puzzle that {-2+1} finds, with far fewer bases.
//!
//! Source: the {-n+m} search is folklore of the Sudoku forums (2006). The lists of puzzles with 17
//! clues and of the hardest puzzles were made with it.
//!
//! Memory: at most 81 bases of half a kilobyte, 729 checks of three bytes for each, and the
//! neighbors.

use std::ops::ControlFlow;

use limits::{End, Limit, Limits};

use super::Generated;
use super::clues::ClueBoard;
use super::random::RandomStream;
use crate::lanes::Lanes;
use crate::model::batch::{Batch, Tally};
use crate::model::board::{Board, CellError, WORDS, check_cells};
use crate::scalar::Scalar;

/// Maximum number of enumerated solutions per base. A solution takes about as long as the check of
/// a candidate, and a base has 100 to 300 candidates.
const SOLUTIONS_MAX: u64 = 64;

/// The number of clues that a neighbor loses and gains before superfluous clues are deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    deleted: usize,
    added: usize,
}

impl Change {
    /// The change {-1+1}: each clue is deleted in turn, and each candidate is added.
    pub const ONE: Self = Self { deleted: 1, added: 1 };
    /// The change {-2+2}, a random sample: as many pairs of clues as the puzzle has clues are
    /// deleted, and one of the added clues is random.
    pub const TWO: Self = Self { deleted: 2, added: 2 };
}

/// Returns minimal puzzles with one solution near `puzzle`. The result depends only on the puzzle,
/// the change, `seed` and `number`, and may contain isomorphic puzzles.
///
/// ```
/// use sudoku9::generate::vicinity::{Change, neighbors};
/// use sudoku9::{Lanes, Limits};
///
/// let puzzle = sudoku9::generate::puzzle(1).puzzle;
/// let near = neighbors(&mut Lanes::new(), &puzzle, Change::ONE, [1, 0], &Limits::new())?;
/// assert!(near.len() > 10);
/// for made in near {
///     assert_eq!(sudoku9::is_unique(&made.puzzle), Ok(true));
///     let lost = |(&old, &new): (&u8, &u8)| old != b'.' && old != new;
///     assert!(puzzle.iter().zip(&made.puzzle).filter(|&cell| lost(cell)).count() <= 3);
/// }
/// # Ok::<(), sudoku9::Limit>(())
/// ```
///
/// # Errors
/// The limit that ended the search. Of `limits`, only the deadline and the cancel flags apply.
pub fn neighbors(
    lanes: &mut Lanes,
    puzzle: &[u8; 81],
    change: Change,
    [seed, number]: [u64; 2],
    limits: &Limits,
) -> Result<Vec<Generated>, Limit> {
    let puzzle = &puzzle.map(|c| if is_clue(c) { c } else { b'.' });
    let mut search =
        Search { lanes, limits: limits.clone().nodes(None), random: RandomStream::new(seed, number) };
    let mut bases = Bases::of(search.bases(puzzle, change)?);
    search.run(&mut bases, SOLUTIONS_MAX)?;
    let mut checks = Checks::new(&bases.bases);
    search.run(&mut checks, 2)?;
    checks.unique.sort_unstable();
    let lines: Vec<[u8; 81]> = checks.unique.iter().map(|&at| checks.line(at)).collect();
    let mut boards: Vec<ClueBoard> = Vec::with_capacity(lines.len());
    for (line, solution) in lines.iter().zip(search.solutions(&lines)?) {
        let mut clues = ClueBoard::new(solution.map(|digit| digit - b'0'));
        blanks(line).for_each(|cell| clues.delete(cell));
        boards.push(clues);
    }
    search.minimize(&mut boards)?;
    let made = boards.iter().map(|clues| Generated {
        number,
        puzzle: clues.line(),
        solution: clues.solution.map(|digit| b'0' + digit),
        clues: clues.cells.count_ones(),
        is_minimal: true,
    });
    Ok(made.filter(|made| made.puzzle != *puzzle).collect())
}

/// Measures how hard a puzzle is for logic, by trials that place a candidate and follow singles and
/// locked candidates. Isomorphic puzzles are equally hard. The hardness is 0 if no trial is needed,
/// about 30 to 80 for random puzzles that need trials, above 500 for few puzzles, and above 3,000
/// if trials do not solve the puzzle. Takes about 100 microseconds.
///
/// ```
/// use sudoku9::generate::vicinity::hardness;
///
/// let hardest = b"8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
/// assert!(hardness(hardest)? > 3000);
/// let singles = b"..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..";
/// assert_eq!(hardness(singles), Ok(0));
/// # Ok::<(), sudoku9::CellError>(())
/// ```
///
/// # Errors
/// The first character that is neither a digit nor a blank.
pub fn hardness(puzzle: &[u8; 81]) -> Result<u32, CellError> {
    check_cells(puzzle)?;
    Ok(Scalar::new().trials(&Board::from_digits(puzzle)))
}

fn blanks(line: &[u8; 81]) -> impl Iterator<Item = usize> {
    (0..81).filter(|&cell| !is_clue(line[cell]))
}

fn is_clue(c: u8) -> bool {
    (b'1'..=b'9').contains(&c)
}

fn rename(line: &[u8; 81], names: &[u8; 9]) -> [u8; 81] {
    line.map(|c| if is_clue(c) { names[usize::from(c - b'1')] } else { c })
}

struct Search<'l> {
    lanes: &'l mut Lanes,
    limits: Limits,
    random: RandomStream,
}

impl Search<'_> {
    fn run(&mut self, batch: &mut dyn Batch, solutions: u64) -> Result<(), Limit> {
        match self.lanes.run(batch, &self.limits.clone().solutions(solutions)).end {
            End::Limit(limit) => Err(limit),
            _ => Ok(()),
        }
    }

    /// Returns the bases of a puzzle, as many as it has clues.
    fn bases(&mut self, puzzle: &[u8; 81], change: Change) -> Result<Vec<[u8; 81]>, Limit> {
        let clues: Vec<usize> = (0..81).filter(|&cell| is_clue(puzzle[cell])).collect();
        let mut lines = Vec::with_capacity(clues.len());
        for first in 0..clues.len() {
            let mut order = clues.clone();
            order.swap(0, first);
            for place in 1..change.deleted.min(order.len()) {
                let other = place + self.random.below((order.len() - place) as u32);
                order.swap(place, other);
            }
            let mut line = *puzzle;
            order.iter().take(change.deleted).for_each(|&cell| line[cell] = b'.');
            lines.push(line);
        }
        if change.added == 1 {
            return Ok(lines);
        }
        // With the digits renamed at random, the lanes find a different solution each time.
        let mut names = Vec::with_capacity(lines.len());
        let mut renamed = Vec::with_capacity(lines.len());
        for line in &lines {
            let mut name: [u8; 9] = std::array::from_fn(|digit| b'1' + digit as u8);
            self.random.shuffle(&mut name);
            renamed.push(rename(line, &name));
            names.push(name);
        }
        let solutions = self.solutions(&renamed)?;
        for ((line, name), solution) in lines.iter_mut().zip(&names).zip(solutions) {
            let mut back = [0; 9];
            name.iter().zip(b'1'..).for_each(|(&new, old)| back[usize::from(new - b'1')] = old);
            let solution = rename(&solution, &back);
            let mut added: Vec<usize> =
                blanks(line).filter(|&cell| solution[cell] != puzzle[cell]).collect();
            self.random.shuffle(&mut added);
            for &cell in added.iter().take(change.added - 1) {
                line[cell] = solution[cell];
            }
        }
        Ok(lines)
    }

    /// Returns a solution of each puzzle. The solution found first may depend on the instruction
    /// set, so each puzzle of several solutions is searched alone.
    fn solutions(&mut self, lines: &[[u8; 81]]) -> Result<Vec<[u8; 81]>, Limit> {
        let mut solutions = Vec::with_capacity(lines.len());
        let mut scalar = Scalar::new();
        for line in lines {
            let (mut board, mut digits) = (Board::EMPTY, [0; 81]);
            scalar.begin(&Board::from_digits(line), u32::MAX);
            scalar.find(Some(&mut board), &self.limits, u64::MAX)?;
            board.write_line(&mut digits);
            solutions.push(digits);
        }
        Ok(solutions)
    }

    /// Deletes superfluous clues.
    fn minimize(&mut self, boards: &mut [ClueBoard]) -> Result<(), Limit> {
        let mut superfluous = Superfluous::of_all(boards);
        self.run(&mut superfluous, 1)?;
        let mut found = superfluous.found;
        found.sort_unstable();
        for clues in found.chunk_by(|one, other| one.0 == other.0) {
            let board = &mut boards[usize::from(clues[0].0)];
            let mut cells: Vec<u8> = clues.iter().map(|&(_, cell)| cell).collect();
            self.random.shuffle(&mut cells);
            // After a deletion, the other clues may be needed.
            for (nth, &cell) in cells.iter().enumerate() {
                if nth == 0 || self.is_superfluous(board, cell)? {
                    board.delete(cell.into());
                }
            }
        }
        Ok(())
    }

    fn is_superfluous(&mut self, board: &ClueBoard, cell: u8) -> Result<bool, Limit> {
        let boards = std::slice::from_ref(board);
        let mut one = Superfluous { boards, searches: vec![(0, cell)], next: 0, found: Vec::new() };
        self.run(&mut one, 1)?;
        Ok(!one.found.is_empty())
    }
}

struct Base {
    line: [u8; 81],
    /// The candidates of at least one of the enumerated solutions, and of at least two.
    once: [u16; WORDS],
    twice: [u16; WORDS],
}

/// Enumerates solutions of bases.
struct Bases {
    bases: Vec<Base>,
    next: usize,
}

impl Bases {
    fn of(lines: Vec<[u8; 81]>) -> Self {
        let base = |line| Base { line, once: [0; WORDS], twice: [0; WORDS] };
        Self { bases: lines.into_iter().map(base).collect(), next: 0 }
    }
}

impl Batch for Bases {
    fn next(&mut self, board: &mut Board) -> bool {
        let Some(base) = self.bases.get(self.next) else { return false };
        self.next += 1;
        *board = Board::from_digits(&base.line);
        true
    }

    fn solution(&mut self, number: usize, board: &Board) -> ControlFlow<()> {
        let Base { once, twice, .. } = &mut self.bases[number];
        for ((once, twice), word) in once.iter_mut().zip(twice).zip(board.0) {
            *twice |= *once & word;
            *once |= word;
        }
        ControlFlow::Continue(())
    }

    fn done(&mut self, number: usize, tally: Tally) {
        let base = &mut self.bases[number];
        if tally.end == End::Exhausted {
            // There are no other solutions, so all other candidates are out.
            base.twice.iter_mut().zip(base.once).for_each(|(twice, once)| *twice |= !once);
        }
    }
}

/// Checks for candidates of the bases whether they lie in exactly one solution.
struct Checks<'b> {
    bases: &'b [Base],
    /// The base, the cell and the digit (0 to 8) of each check.
    checks: Vec<(u8, u8, u8)>,
    next: usize,
    unique: Vec<usize>,
}

impl<'b> Checks<'b> {
    fn new(bases: &'b [Base]) -> Self {
        let mut checks = Vec::new();
        for (number, base) in bases.iter().enumerate() {
            let twice = Board(base.twice);
            let (mut rows, mut columns, mut boxes) = ([0_u16; 9], [0; 9], [0; 9]);
            let of_box = |cell: usize| cell / 27 * 3 + cell % 9 / 3;
            for cell in (0..81).filter(|&cell| is_clue(base.line[cell])) {
                let bit = 1 << (base.line[cell] - b'1');
                rows[cell / 9] |= bit;
                columns[cell % 9] |= bit;
                boxes[of_box(cell)] |= bit;
            }
            for cell in blanks(&base.line) {
                let seen = rows[cell / 9] | columns[cell % 9] | boxes[of_box(cell)];
                let open = !seen & !twice.candidates(cell);
                let digits = (0..9).filter(|digit| open >> digit & 1 == 1);
                checks.extend(digits.map(|digit| (number as u8, cell as u8, digit)));
            }
        }
        Self { bases, checks, next: 0, unique: Vec::new() }
    }

    fn line(&self, check: usize) -> [u8; 81] {
        let (base, cell, digit) = self.checks[check];
        let mut line = self.bases[usize::from(base)].line;
        line[usize::from(cell)] = b'1' + digit;
        line
    }
}

impl Batch for Checks<'_> {
    fn next(&mut self, board: &mut Board) -> bool {
        if self.next == self.checks.len() {
            return false;
        }
        *board = Board::from_digits(&self.line(self.next));
        self.next += 1;
        true
    }

    fn wants_solutions(&self) -> bool {
        false
    }

    fn done(&mut self, check: usize, tally: Tally) {
        if tally.solutions == 1 {
            self.unique.push(check);
        }
    }
}

/// Finds clues without which there is still one solution.
struct Superfluous<'b> {
    boards: &'b [ClueBoard],
    /// The puzzle and the cell of each search.
    searches: Vec<(u16, u8)>,
    next: usize,
    found: Vec<(u16, u8)>,
}

impl<'b> Superfluous<'b> {
    fn of_all(boards: &'b [ClueBoard]) -> Self {
        let (mut searches, mut found) = (Vec::new(), Vec::new());
        for (number, board) in boards.iter().enumerate() {
            for cell in (0..81).filter(|&cell| board.has(cell)) {
                let list = if board.is_single(cell) { &mut found } else { &mut searches };
                list.push((number as u16, cell as u8));
            }
        }
        Self { boards, searches, next: 0, found }
    }
}

impl Batch for Superfluous<'_> {
    fn next(&mut self, board: &mut Board) -> bool {
        let Some(&(number, cell)) = self.searches.get(self.next) else { return false };
        self.next += 1;
        self.boards[usize::from(number)].ask_without(cell.into(), board);
        true
    }

    fn wants_solutions(&self) -> bool {
        false
    }

    fn done(&mut self, search: usize, tally: Tally) {
        if tally.solutions == 0 {
            self.found.push(self.searches[search]);
        }
    }
}
