//! Multi-sector locked sets: the cells where some rows cross some columns.
//!
//! Some digits are taken from the rows, the others from the columns. Each open cell at a crossing
//! needs a digit. If the rows can give at most as many of the one kind, and the columns of the
//! other kind, as there are cells together, then each of these digits stands at a crossing, and
//! nowhere else in its row or column.
//!
//! Method: for a set of rows and a set of digits that the rows give, each column counts by itself.
//! It gains its open cells in these rows, less the other digits that it must give them. The columns
//! with a gain are chosen; their gains must reach the number of digits that the rows give. The same
//! search runs with rows and columns exchanged. A set that remains is counted again with the fewest
//! houses of any kind for each digit (`sectors`), which also finds its eliminations. A set is kept
//! if it is not locked without any one of its lines, so it is no union of smaller sets.
//!
//! Source: the forum of players, "multi-sector locked sets" by D. P. Bird.
//!
//! Bound: boards have 6 to 9 rows; at most 210 sets of 3 or 4 lines, twice, by 512 sets of digits,
//! 32 at a time in bytes. Five rows and five columns have a counterpart of four and four.
//!
//! Tried and dropped: digits that need a cell in their rows (the "hidden" form), because each such
//! set has the count and the eliminations of a set of cells; sets of 5 or 6 lines, which find one
//! more puzzle in 36 in twice the time.

use std::collections::HashSet;

use limits::Limit;

use crate::bits::{Cells, Digits};
use crate::board::Board;
use crate::layout::HouseKind;
use crate::search::Search;
use crate::sectors;
use crate::step::Step;
use crate::technique::{Family, Technique};

pub(crate) const FAMILY: Family = Family { techniques: &[&MSLS], find };

static MSLS: Technique = Technique {
    name: "multi-sector locked set",
    score: 86,
    summary: "Some rows and some columns cross in a set of cells. Together they can give these cells \
              only as many digits as there are cells; each of these digits falls elsewhere in its row \
              or column.",
    is_uniqueness: false,
    tell: sectors::tell_locked,
};

/// Least number of rows and of columns; two lines make almost locked sets with common digits.
const LINES: usize = 3;

/// Least number of digits that the rows give, and that the columns give; with one it is a fish.
const KINDS: usize = 2;

/// Largest number of cells. Larger sets have a smaller counterpart in the other rows and columns.
const CELLS: usize = 24;

/// Number of digits that the rows may exceed the gains by before the exact count: they may have
/// digits that have no candidate in the columns.
const SLACK: u8 = 1;

/// Most rows of a board: the digits are split into [`LANE_BITS`] and four others.
const SIZE: usize = 9;

/// Number of digits whose sets are counted at the same time.
const LANE_BITS: usize = 5;

/// Number of sets that are counted at the same time.
const LANES: usize = 1 << LANE_BITS;

/// Number of elements of the first set, by both sets of lane digits: common, or not in the second.
type Counts = [[u8; LANES]; LANES];

const COMMON: Counts = count(0);
const ABSENT: Counts = count(LANES - 1);

/// Counts the common elements of each set and of each other set after inverting `flip` bits.
const fn count(flip: usize) -> Counts {
    let mut counts = [[0; LANES]; LANES];
    let mut number = 0;
    while number < LANES * LANES {
        let (set, other) = (number / LANES, number % LANES);
        counts[set][other] = (set & (other ^ flip)).count_ones() as u8;
        number += 1;
    }
    counts
}

/// Open cells and candidates where lines of one direction cross those of the other.
#[derive(Clone, Copy, Debug)]
struct Grid {
    size: usize,
    /// The candidates by line and by crossing line, as bits; none if the cell is solved.
    marks: [[usize; SIZE]; SIZE],
    /// The cells by line and by crossing line.
    cells: [[usize; SIZE]; SIZE],
}

impl Grid {
    /// Returns the number of digits that exceeds the number of cells at the crossings, if the lines
    /// give `digits` and the crossing lines the others.
    fn excess(&self, lines: Digits, crosses: Digits, digits: usize) -> u32 {
        let mut others = [0; SIZE];
        let (mut cells, mut links) = (0, 0);
        for line in lines.iter() {
            let mut marks = 0;
            for cross in crosses.iter() {
                let here = self.marks[line][cross];
                cells += u32::from(here != 0);
                marks |= here;
                others[cross] |= here;
            }
            links += (marks & digits).count_ones();
        }
        let of_crosses: u32 = others.iter().map(|others| (others & !digits).count_ones()).sum();
        (links + of_crosses).saturating_sub(cells)
    }
}

fn find(search: &mut Search<'_>) -> Result<(), Limit> {
    let board = search.board();
    let size = board.layout().size();
    let has_lines = |cell| {
        let has = |kind| board.layout().house_of(cell, kind).is_some();
        has(HouseKind::Row) && has(HouseKind::Column)
    };
    let is_fit = (2 * LINES..=SIZE).contains(&size) && (0..size * size).all(has_lines);
    if !search.wants(MSLS.score) || !is_fit {
        return Ok(());
    }
    let mut seen = HashSet::new();
    let mut steps = Vec::new();
    for is_row in [true, false] {
        let mut grid = Grid { size, marks: [[0; SIZE]; SIZE], cells: [[0; SIZE]; SIZE] };
        for line in 0..size {
            for cross in 0..size {
                let cell = if is_row { line * size + cross } else { cross * size + line };
                grid.cells[line][cross] = cell;
                grid.marks[line][cross] = board.marks(cell).iter().map(|digit| 1 << digit).sum();
            }
        }
        for lines in (0..1_usize << size).map(|bits| (0..size).filter(move |n| bits >> n & 1 == 1)) {
            let lines: Digits = lines.collect();
            if (LINES..=size / 2).contains(&lines.len()) {
                search.spend(800)?;
                scan(search, &grid, lines, &mut seen, &mut steps)?;
            }
        }
    }
    // Of sets with the same conclusion the search keeps the first.
    steps.sort_by_key(|step: &Step| step.truths.len());
    steps.into_iter().for_each(|step| search.offer(step));
    Ok(())
}

/// Tries all sets of digits that these lines give.
fn scan(
    search: &mut Search<'_>,
    grid: &Grid,
    lines: Digits,
    seen: &mut HashSet<Cells>,
    steps: &mut Vec<Step>,
) -> Result<(), Limit> {
    let size = grid.size;
    let mut counts = [0_u8; SIZE];
    let mut marks = [0; SIZE];
    let mut missing = [0; SIZE];
    for line in lines.iter() {
        for cross in 0..size {
            let here = grid.marks[line][cross];
            counts[cross] += u8::from(here != 0);
            marks[cross] |= here;
            missing[line] |= here;
        }
    }
    // Digits that no line misses make no difference.
    let all = missing.iter().fold(0, |all, marks| all | marks);
    let is_needed = |&high: &usize| high & !(all >> LANE_BITS) == 0;
    for high in (0..1_usize << (size - LANE_BITS)).filter(is_needed) {
        let (mut gains, mut costs) = ([0_u8; LANES], [0_u8; LANES]);
        for cross in 0..size {
            let others = ABSENT[marks[cross] >> LANE_BITS][high];
            let most = counts[cross].saturating_sub(others);
            let absent = &ABSENT[marks[cross] % LANES];
            for (gain, &absent) in gains.iter_mut().zip(absent) {
                *gain += most.saturating_sub(absent);
            }
        }
        for line in lines.iter() {
            let given = COMMON[missing[line] >> LANE_BITS][high];
            let common = &COMMON[missing[line] % LANES];
            for (cost, &common) in costs.iter_mut().zip(common) {
                *cost += given + common;
            }
        }
        let lacks =
            gains.iter().zip(&costs).map(|(gain, &cost)| cost.max(1).saturating_sub(gain + SLACK));
        if lacks.fold(u8::MAX, u8::min) > 0 {
            continue;
        }
        for (low, (&gain, &cost)) in gains.iter().zip(&costs).enumerate() {
            let digits = high << LANE_BITS | low;
            if gain > 0 && gain + SLACK >= cost && digits & !all == 0 {
                let gains = |&cross: &usize| {
                    let others = (marks[cross] & !digits).count_ones() as u8;
                    counts[cross] > others
                };
                let crosses: Digits = (0..size).filter(gains).collect();
                steps.extend(crossings_step(search, grid, [lines, crosses], digits, seen)?);
            }
        }
    }
    Ok(())
}

/// Makes the step of the cells where some lines cross others, if they are locked.
fn crossings_step(
    search: &mut Search<'_>,
    grid: &Grid,
    [lines, crosses]: [Digits; 2],
    digits: usize,
    seen: &mut HashSet<Cells>,
) -> Result<Option<Step>, Limit> {
    if !(LINES..=grid.size - LINES).contains(&crosses.len()) {
        return Ok(None);
    }
    search.spend(200)?;
    let [one_line, one_cross] =
        [lines, crosses].map(|all| all.iter().map(move |line| all - Digits::one(line)));
    if grid.excess(lines, crosses, digits) > u32::from(SLACK)
        || one_line.clone().any(|fewer| grid.excess(fewer, crosses, digits) == 0)
        || one_cross.clone().any(|fewer| grid.excess(lines, fewer, digits) == 0)
    {
        return Ok(None);
    }
    let board = search.board();
    let cells_of = |lines: Digits, crosses: Digits| -> Cells {
        let all = lines.iter().flat_map(|line| crosses.iter().map(move |cross| (line, cross)));
        board.open() & all.map(|(line, cross)| grid.cells[line][cross]).collect()
    };
    let cells = cells_of(lines, crosses);
    let given: Digits = (0..grid.size).filter(|digit| digits >> digit & 1 == 1).collect();
    let present = board.marks_of(cells);
    if cells.len() > CELLS
        || (present & given).len() < KINDS
        || (present - given).len() < KINDS
        || !seen.insert(cells)
    {
        return Ok(None);
    }
    search.spend(10_000)?;
    let houses = houses_of(board, cells);
    let Some(locked) = sectors::locked(board, &houses, cells) else { return Ok(None) };
    let is_larger = |smaller: Cells| !smaller.is_empty() && sectors::is_locked(board, &houses, smaller);
    if locked.removed.is_empty() || { one_line }.any(|fewer| is_larger(cells_of(fewer, crosses))) || {
        one_cross
    }
    .any(|fewer| is_larger(cells_of(lines, fewer)))
    {
        return Ok(None);
    }
    let mut step = Step::new(&MSLS);
    locked.write(&mut step, cells, board);
    Ok(Some(step))
}

/// Returns the houses that meet some cells; rows and columns come first.
fn houses_of(board: &Board, cells: Cells) -> Vec<usize> {
    let mut houses: Vec<usize> =
        (0..board.houses().len()).filter(|&house| board.houses()[house].cells.meets(cells)).collect();
    houses.sort_by_key(|&house| !board.houses()[house].kind.is_line());
    houses
}
