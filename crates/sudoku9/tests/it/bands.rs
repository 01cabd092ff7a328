//! Tests that the bands count the same as the lanes. Where the lanes would take weeks, the bands
//! are compared with other plans and with published numbers.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use fastrand::Rng;
use sudoku9::bands::{self, Plan};
use sudoku9::{Board, Cores, Lanes, Limit, Limits};

use crate::grids::orders;

type Candidates = [u16; 81];

const GRIDS: u128 = 6_670_903_752_021_072_936_960;
const FACTORIAL_9: u128 = 362_880;

fn board(candidates: &Candidates) -> Board {
    Board::from_candidates(|cell| candidates[cell])
}

fn count(candidates: &Candidates) -> u128 {
    bands::count(&board(candidates), &Limits::new(), &Cores::new(1)).expect("no limit")
}

fn candidates(line: &[u8; 81]) -> Candidates {
    line.map(|c| if c == b'.' { 0x1ff } else { 1 << (c - b'1') })
}

/// Returns the solution of a grid with random clues in a diagonal of boxes.
fn solved(rng: &mut Rng) -> [u8; 81] {
    let mut line = [b'.'; 81];
    for nth in 0..3 {
        let mut digits = *b"123456789";
        rng.shuffle(&mut digits);
        let stack = [1, 2, 0][nth];
        (0..9).for_each(|k| line[9 * (3 * nth + k / 3) + 3 * stack + k % 3] = digits[k]);
    }
    let mut text = [0; 81];
    let solution =
        Lanes::new().solve(&Board::from_digits(&line)).expect("three such boxes never clash");
    solution.write_line(&mut text);
    text
}

/// Returns a grid with `clues` clues of a full grid, `wrong` of them replaced by random digits.
fn grid(rng: &mut Rng, clues: usize, wrong: usize) -> Candidates {
    let mut line = solved(rng);
    let mut cells: Vec<usize> = (0..81).collect();
    rng.shuffle(&mut cells);
    cells[clues..].iter().for_each(|&cell| line[cell] = b'.');
    cells[..wrong].iter().for_each(|&cell| line[cell] = rng.u8(b'1'..=b'9'));
    candidates(&line)
}

fn check_with_lanes(candidates: &Candidates) -> u64 {
    let expected = Lanes::new().count(&board(candidates), u64::MAX);
    assert_eq!(count(candidates), expected.into(), "{candidates:?}");
    expected
}

/// Returns an equivalent grid: permutes bands, stacks, lines and digits, and may transpose.
fn shuffled(rng: &mut Rng, candidates: &Candidates) -> Candidates {
    let [digits, rows, columns] = orders(rng);
    let is_transposed = rng.bool();
    std::array::from_fn(|cell| {
        let (row, column) = (rows[cell / 9], columns[cell % 9]);
        let old = candidates[if is_transposed { 9 * column + row } else { 9 * row + column }];
        (0..9).fold(0, |new, digit| new | (old >> digit & 1) << digits[digit])
    })
}

#[test]
fn the_band_counter_and_the_lane_solver_return_the_same_counts() {
    let mut rng = Rng::with_seed(1);
    let is_slow = cfg!(feature = "slow-tests");
    for _ in 0..if is_slow { 40 } else { 4 } {
        let clues = if is_slow { 18 } else { 23 };
        for (clues, wrong) in [(clues, 0), (24, 0), (26, 0), (30, 0), (81, 0), (25, 1), (40, 2)] {
            check_with_lanes(&grid(&mut rng, clues, wrong));
        }
    }
}

#[test]
fn the_band_counter_respects_pencil_marks() {
    let mut rng = Rng::with_seed(2);
    let mut solutions = 0;
    for round in 0..12 {
        let mut candidates = grid(&mut rng, 21, 0);
        let marked: Vec<usize> = (0..81).filter(|&cell| candidates[cell] == 0x1ff).collect();
        for &cell in marked.iter().filter(|&&cell| (cell + round) % 3 == 0) {
            // Remove up to two digits from each cell, and in rare cases all digits.
            candidates[cell] &= !(1 << rng.u8(0..9) | 1 << rng.u8(0..9));
            candidates[cell] &= if rng.u16(0..2000) == 0 { 0 } else { 0x1ff };
        }
        solutions += check_with_lanes(&candidates);
    }
    assert!(solutions > 1000, "{solutions}");
}

#[test]
fn pencil_marks_excluded_by_clues_do_not_change_the_count() {
    let mut rng = Rng::with_seed(3);
    let open = grid(&mut rng, 15, 0);
    let mut marked = open;
    let is_peer = |a: usize, b: usize| {
        a / 9 == b / 9 || a % 9 == b % 9 || (a / 27, a % 9 / 3) == (b / 27, b % 9 / 3)
    };
    for clue in (0..81).filter(|&cell| open[cell].count_ones() == 1) {
        for cell in (0..81).filter(|&cell| cell != clue && is_peer(cell, clue)) {
            marked[cell] &= !open[clue];
        }
    }
    assert_ne!(open, marked);
    assert_eq!(Plan::new(&board(&open)).steps(), Plan::new(&board(&marked)).steps());
    assert_eq!(count(&open), count(&marked));
}

#[test]
fn the_band_counter_counts_all_full_grids() {
    let empty = [0x1ff; 81];
    assert_eq!(count(&empty), GRIDS);
    let row = |cell: usize| if cell < 9 { 1 << cell } else { 0x1ff };
    assert_eq!(count(&std::array::from_fn(row)), GRIDS / FACTORIAL_9);
    if !cfg!(feature = "slow-tests") {
        return;
    }
    let column = |cell: usize| if cell % 9 == 4 { 1 << (cell / 9) } else { 0x1ff };
    assert_eq!(count(&std::array::from_fn(column)), GRIDS / FACTORIAL_9);
    let center = |cell: usize| {
        let (row, column) = (cell / 9, cell % 9);
        if row / 3 == 1 && column / 3 == 1 { 1 << (row % 3 * 3 + column % 3) } else { 0x1ff }
    };
    assert_eq!(count(&std::array::from_fn(center)), GRIDS / FACTORIAL_9);
    let one = |cell: usize| if cell == 40 { 1 << 6 } else { 0x1ff };
    assert_eq!(count(&std::array::from_fn(one)), GRIDS / 9);
}

#[test]
fn the_first_band_with_the_most_grids_has_the_published_count() {
    // The number of fillings of this band by Felgenhauer and Jarvis, times 72.
    let mut line = [b'.'; 81];
    line[..27].copy_from_slice(b"123456789456789123789123456");
    assert_eq!(count(&candidates(&line)), 72 * 108_374_976);
}

#[test]
fn all_plans_and_all_orders_of_a_grid_give_the_same_count() {
    let mut rng = Rng::with_seed(4);
    let clues = if cfg!(feature = "slow-tests") { 10..18 } else { 15..18 };
    for clues in clues {
        let grid = grid(&mut rng, clues, 0);
        let expected = count(&grid);
        assert!(expected > 0);
        for plan in Plan::all(&board(&grid)) {
            assert_eq!(plan.count(&Limits::new(), &Cores::new(0)), Ok(expected), "{plan:?}");
        }
        for _ in 0..4 {
            assert_eq!(count(&shuffled(&mut rng, &grid)), expected, "{grid:?}");
        }
    }
}

#[test]
fn counts_over_the_candidates_of_a_cell_add_up_to_the_total() {
    let mut rng = Rng::with_seed(5);
    let clues = if cfg!(feature = "slow-tests") { vec![3, 6, 9, 11, 13] } else { vec![14, 16] };
    for clues in clues {
        let grid = grid(&mut rng, clues, 0);
        let cell = (0..81).find(|&cell| grid[cell] == 0x1ff).expect("a blank");
        let with = |digit: usize| {
            let mut grid = grid;
            grid[cell] = 1 << digit;
            count(&grid)
        };
        assert_eq!((0..9).map(with).sum::<u128>(), count(&grid), "{grid:?}");
    }
}

#[test]
fn grids_with_symmetric_clues_are_counted_correctly() {
    // Clues in symmetric positions. Unlike random clues, they permit exchanges of columns, stacks,
    // digits and bands.
    let mut rng = Rng::with_seed(6);
    for places in [
        [0, 12, 24, 30, 42, 54, 66, 78],
        [0, 1, 9, 10, 40, 41, 49, 50],
        [27, 31, 35, 57, 61, 65, 69, 80],
    ] {
        let solved = solved(&mut rng);
        let mut line = [b'.'; 81];
        places.iter().for_each(|&cell| line[cell] = solved[cell]);
        for cell in (2..81).step_by(10) {
            line[cell] = solved[cell];
        }
        let grid = candidates(&line);
        let counts: Vec<_> = Plan::all(&board(&grid))
            .iter()
            .map(|plan| plan.count(&Limits::new(), &Cores::new(0)))
            .collect();
        assert!(counts.iter().all(|count| *count == counts[0]), "{counts:?}");
        let cell = (0..81).find(|&cell| line[cell] == b'.').expect("a blank");
        let with = |digit: usize| {
            let mut grid = grid;
            grid[cell] = 1 << digit;
            count(&grid)
        };
        assert_eq!(Ok((0..9).map(with).sum::<u128>()), counts[0]);
    }
}

#[test]
fn the_number_of_threads_does_not_change_the_count() {
    let grid = grid(&mut Rng::with_seed(7), 16, 0);
    let count = |helpers: usize| bands::count(&board(&grid), &Limits::new(), &Cores::new(helpers));
    assert_eq!(count(0), count(3));
}

#[test]
fn a_deadline_or_a_cancel_flag_ends_a_count() {
    let grid = grid(&mut Rng::with_seed(8), 12, 0);
    let limits = Limits::new().cancel(Arc::new(AtomicBool::new(true)));
    assert_eq!(bands::count(&board(&grid), &limits, &Cores::new(1)), Err(Limit::Cancelled));
    let limits = Limits::new().deadline(Instant::now());
    assert_eq!(bands::count(&board(&grid), &limits, &Cores::new(1)), Err(Limit::Time));
}
