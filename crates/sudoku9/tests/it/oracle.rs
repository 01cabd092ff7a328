//! An oracle independent of the crate: a backtracking search that branches on the cell with the
//! fewest candidates.

use fastrand::Rng;

/// The candidates of each cell; bit 0 is digit 1, and bit 8 is digit 9.
pub(crate) type Marks = [u16; 81];

pub(crate) const ANY: u16 = 0x1ff;
const NODES: u64 = 4_000;

pub(crate) fn marks(line: &[u8; 81]) -> Marks {
    line.map(|c| if c.is_ascii_digit() && c != b'0' { 1 << (c - b'1') } else { ANY })
}

fn are_peers(a: usize, b: usize) -> bool {
    let box_of = |cell: usize| (cell / 27, cell % 9 / 3);
    a != b && (a / 9 == b / 9 || a % 9 == b % 9 || box_of(a) == box_of(b))
}

pub(crate) fn is_solution(marks: &Marks, line: &[u8; 81]) -> bool {
    let fits =
        |(&digit, &marks): (&u8, &u16)| digit.is_ascii_digit() && marks >> (digit - b'1') & 1 == 1;
    let has_clash = |a: usize| (0..a).any(|b| are_peers(a, b) && line[a] == line[b]);
    line.iter().zip(marks).all(fits) && !(0..81).any(has_clash)
}

/// Counts the solutions up to `limit`; `None` if this takes too many nodes.
pub(crate) fn count(marks: &Marks, limit: u64) -> Option<u64> {
    let (mut found, mut nodes) = (0, NODES);
    let is_done = search(&mut [0; 81], marks, limit, &mut found, &mut nodes);
    is_done.then_some(found)
}

fn search(grid: &mut [u16; 81], marks: &Marks, limit: u64, found: &mut u64, nodes: &mut u64) -> bool {
    if *found >= limit {
        return true;
    }
    if *nodes == 0 {
        return false;
    }
    *nodes -= 1;
    let open = |cell: usize| {
        let peers = (0..81).filter(|&peer| are_peers(cell, peer));
        peers.fold(marks[cell], |open, peer| open & !grid[peer])
    };
    let blanks = (0..81).filter(|&cell| grid[cell] == 0).map(|cell| (open(cell), cell));
    let Some((mut digits, cell)) = blanks.min_by_key(|(open, _)| open.count_ones()) else {
        *found += 1;
        return true;
    };
    while digits != 0 {
        grid[cell] = digits & digits.wrapping_neg();
        digits &= digits - 1;
        if !search(grid, marks, limit, found, nodes) {
            grid[cell] = 0;
            return false;
        }
    }
    grid[cell] = 0;
    true
}

/// Returns a random grid with a contradiction of kind `nth`. A few of these grids are solvable
/// nevertheless.
pub(crate) fn clash(rng: &mut Rng, nth: usize) -> Marks {
    let solution = crate::grids::solved(rng);
    let mut marks = [ANY; 81];
    for _ in 0..rng.usize(0..40) {
        let cell = rng.usize(0..81);
        marks[cell] = 1 << (solution[cell] - b'1');
    }
    let line: [usize; 9] = match nth % 3 {
        0 => {
            let row = rng.usize(0..9);
            std::array::from_fn(|k| 9 * row + k)
        }
        1 => {
            let column = rng.usize(0..9);
            std::array::from_fn(|k| 9 * k + column)
        }
        _ => {
            let (row, column) = (3 * rng.usize(0..3), 3 * rng.usize(0..3));
            std::array::from_fn(|k| 9 * (row + k / 3) + column + k % 3)
        }
    };
    let mut cells = line;
    rng.shuffle(&mut cells);
    let digit = rng.usize(0..9);
    match nth / 3 % 5 {
        // A digit is twice in a house.
        0 => cells[..2].iter().for_each(|&cell| marks[cell] = 1 << digit),
        // A cell has no candidate.
        1 => marks[cells[0]] = 0,
        // A digit has no position in a house.
        2 => cells.iter().for_each(|&cell| marks[cell] &= !(1 << digit)),
        // Three cells of a house have only two candidates.
        3 => cells[..3].iter().for_each(|&cell| marks[cell] = 0b11 << (digit % 8)),
        // Three digits have only two positions in a house.
        _ => cells[2..].iter().for_each(|&cell| marks[cell] &= !(0b111 << (digit % 7))),
    }
    marks
}
