//! Tests of iterators over solutions, of texts with one grid per line, and of exact counts.

use std::collections::BTreeSet;

use fastrand::Rng;
use sudoku9::{Board, Cores, End, Lanes, Limits, exact};

use crate::grids::{mixture, puzzle};
use crate::oracle;

#[test]
fn the_iterator_yields_every_solution_exactly_once() {
    let mut rng = Rng::with_seed(3);
    let mut counts = BTreeSet::new();
    for clues in [81, 40, 30, 26, 25, 24, 23, 23, 22, 22] {
        for wrong in [0, 0, 1] {
            let grid = puzzle(&mut rng, clues, wrong);
            let expected = sudoku9::count(&grid, 200_000).expect("cells");
            if expected == 200_000 {
                continue;
            }
            let all: Vec<[u8; 81]> = sudoku9::solutions(&grid).expect("cells").collect();
            let different: BTreeSet<&[u8; 81]> = all.iter().collect();
            assert_eq!((all.len() as u64, different.len() as u64), (expected, expected));
            assert!(all.iter().all(|solution| oracle::is_solution(&oracle::marks(&grid), solution)));
            assert_eq!(sudoku9::count_all(&grid), Ok(expected.into()));
            counts.insert(expected);
        }
    }
    assert!(counts.contains(&0) && counts.contains(&1) && counts.last() > Some(&5000), "{counts:?}");
}

#[test]
fn the_first_of_many_solutions_come_quickly() {
    let first: BTreeSet<[u8; 81]> =
        sudoku9::solutions(&[b'.'; 81]).expect("cells").take(20_000).collect();
    assert_eq!(first.len(), 20_000);
}

#[test]
fn solutions_of_lines_come_in_the_order_of_the_lines() {
    let mut rng = Rng::with_seed(4);
    let grids = mixture(&mut rng, 200);
    for (end, last) in [("\n", "\n"), ("\r\n", "\r\n"), ("\n", "")] {
        let lines: Vec<&str> = grids.iter().map(|grid| str::from_utf8(grid).expect("ASCII")).collect();
        let text = lines.join(end) + last;
        let counts = sudoku9::count_lines(text.as_bytes(), 2).expect("lines of 81 cells");
        let solutions = sudoku9::solve_lines(text.as_bytes()).expect("lines of 81 cells");
        let solutions: Vec<&[u8]> =
            solutions.strip_suffix(b"\n").expect("a line end").split(|&c| c == b'\n').collect();
        assert_eq!((counts.len(), solutions.len()), (grids.len(), grids.len()));
        for ((grid, count), solution) in grids.iter().zip(counts).zip(solutions) {
            assert_eq!(Ok(count), sudoku9::count(grid, 2));
            match <&[u8; 81]>::try_from(solution) {
                Ok(solution) => assert!(oracle::is_solution(&oracle::marks(grid), solution)),
                Err(_) => assert!(solution.is_empty() && count == 0),
            }
        }
    }
}

#[test]
fn grids_that_clash_do_not_stop_a_batch() {
    // More clashing grids in a row than are reported between two steps.
    let clashing = [b"11".as_slice(), &[b'.'; 79], b"\n"].concat().repeat(1000);
    let open = [&[b'.'; 81], b"\n".as_slice()].concat();
    let text = [&clashing[..], &open, &clashing, &open].concat();
    let counts = sudoku9::count_lines(&text, 2).expect("lines of 81 cells");
    let expected = [[0; 1000].as_slice(), &[2], &[0; 1000], &[2]].concat();
    assert_eq!(counts, expected);
}

#[test]
fn invalid_characters_are_refused_in_every_cell() {
    let blanks = b".0*_-";
    for byte in 0..=u8::MAX {
        for cell in 0..81 {
            let mut grid = [blanks[cell % blanks.len()]; 81];
            grid[cell] = byte;
            let is_cell = byte.is_ascii_digit() || blanks.contains(&byte);
            let error = Board::from_line(&grid).err();
            assert_eq!(error.map(|error| (error.cell, error.byte)), (!is_cell).then_some((cell, byte)));
            if !is_cell {
                assert_eq!(sudoku9::solve(&grid).err(), error);
                assert_eq!(sudoku9::count_all(&grid).err(), error);
                let lines = [&[b'.'; 81], &b"\n"[..], &grid].concat();
                let length = |error: sudoku9::LineError| {
                    (error.line, error.cell.is_some() || byte == b'\n' || byte == b'\r')
                };
                assert_eq!(sudoku9::count_lines(&lines, 1).map_err(length), Err((2, true)));
            }
        }
    }
    let text = ".".repeat(80) + "7";
    assert_eq!(text.parse::<Board>().expect("81 cells").to_string(), text);
    assert_eq!(
        "12".parse::<Board>().expect_err("two cells").to_string(),
        "expected the 81 cells of a grid"
    );
}

#[test]
fn errors_name_the_line_that_is_not_a_grid() {
    let grid = str::from_utf8(&[b'.'; 81]).expect("ASCII").to_owned();
    for (text, line, length) in [
        (format!("{grid}\n12\n"), 2, 2),
        (format!("{grid}\n\n{grid}\n"), 2, 0),
        (format!("{grid}.\n"), 1, 82),
    ] {
        let error = sudoku9::solve_lines(text.as_bytes()).expect_err("a line of another length");
        assert_eq!((error.line, error.length), (line, length));
    }
    assert_eq!(sudoku9::solve_lines(b""), Ok(Vec::new()));
}

#[test]
fn exact_counts_match_the_lane_solver_and_the_band_counter() {
    let mut rng = Rng::with_seed(6);
    for clues in [30, 24, 22, 21] {
        let board = Board::from_digits(&puzzle(&mut rng, clues, 0));
        let mut lanes = Lanes::new();
        let count = exact::count(&mut lanes, &board, &Limits::new(), &Cores::new(1));
        assert_eq!(count.end, End::Exhausted);
        assert_eq!(sudoku9::bands::count(&board, &Limits::new(), &Cores::new(0)), Ok(count.solutions));
        if count.solutions < 1_000_000 {
            assert_eq!(
                lanes.count_all(&board, &Limits::new(), &Cores::new(0)).solutions,
                count.solutions
            );
        }
    }
}
