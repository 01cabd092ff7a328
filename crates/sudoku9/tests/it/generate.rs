//! Tests of generated puzzles, which are checked clue by clue.

use std::collections::HashSet;

use sudoku9::generate::vicinity::{Change, hardness, neighbors};
use sudoku9::generate::{self, Recipe};
use sudoku9::{Lanes, Limits, leaves};

fn run(recipe: &Recipe, tries: std::ops::Range<u64>) -> generate::Yield {
    generate::run(&mut Lanes::new(), recipe, tries, &Limits::new()).expect("no limit")
}

/// Checks that a puzzle has one solution, and that it is marked minimal exactly when every clue is
/// needed.
fn check(made: &generate::Generated) {
    assert_eq!(sudoku9::count(&made.puzzle, 2), Ok(1), "{made:?}");
    assert_eq!(sudoku9::solve(&made.puzzle), Ok(Some(made.solution)), "{made:?}");
    let cells = (0..81).filter(|&cell| made.puzzle[cell] != b'.');
    assert_eq!(cells.clone().count(), made.clues as usize, "{made:?}");
    let mut is_needed = cells.map(|cell| {
        let mut other = made.puzzle;
        other[cell] = b'.';
        sudoku9::count(&other, 2) == Ok(2)
    });
    assert_eq!(is_needed.all(|is_needed| is_needed), made.is_minimal, "{made:?}");
}

#[test]
fn puzzles_have_one_solution_and_are_minimal_exactly_when_marked() {
    let mut recipe = Recipe::new(11);
    let puzzles = run(&recipe, 0..150).puzzles;
    assert!(puzzles.len() == 150 && puzzles.iter().all(|made| made.is_minimal));
    puzzles.iter().for_each(check);
    recipe.units =
        (0..41).map(|cell| if cell == 40 { vec![40] } else { vec![cell, 80 - cell] }).collect();
    let puzzles = run(&recipe, 0..60).puzzles;
    assert!(puzzles.iter().any(|made| made.is_minimal) && puzzles.iter().any(|made| !made.is_minimal));
    puzzles.iter().for_each(check);
    recipe.units.retain(|unit| unit.iter().all(|cell| *cell < 72));
    let yielded = run(&recipe, 0..60);
    assert_eq!(yielded.puzzles.len() as u64 + yielded.ambiguous, 60);
    assert!(yielded.puzzles.iter().all(|made| made.puzzle[72..] == [b'.'; 9]));
    yielded.puzzles.iter().for_each(check);
    let mut recipe = Recipe::new(12);
    (recipe.clues, recipe.is_minimal) = (28..=29, false);
    let puzzles = run(&recipe, 0..60).puzzles;
    assert!(puzzles.iter().any(|made| made.clues == 28) && puzzles.iter().any(|made| made.clues == 29));
    puzzles.iter().for_each(check);
}

#[test]
fn generated_puzzles_depend_neither_on_blocks_nor_on_the_instruction_set() {
    let recipe = Recipe::new(1);
    let whole = run(&recipe, 0..200).puzzles;
    let parts: Vec<_> = [0..1, 1..64, 64..64, 64..200]
        .into_iter()
        .flat_map(|tries| run(&recipe, tries).puzzles)
        .collect();
    assert_eq!(whole, parts);
    for leaf in leaves() {
        let made =
            generate::run(&mut Lanes::with(leaf), &recipe, 0..50, &Limits::new()).expect("no limit");
        assert_eq!(made.puzzles, whole[..50], "{}", leaf.name);
    }
}

#[test]
fn generation_with_controlled_bias_yields_minimal_puzzles_at_the_published_rate() {
    let recipe = Recipe::controlled(5);
    let tries = if cfg!(feature = "slow-tests") { 20_000_000 } else { 1_500_000 };
    let puzzles = run(&recipe, 0..tries).puzzles;
    puzzles.iter().for_each(check);
    // Published values: one puzzle in 257,000 tries; 25.667 clues on average, with a standard
    // deviation of 1.1.
    let expected = tries as f64 / 257_000.0;
    let count = puzzles.len() as f64;
    assert!((count - expected).abs() < 4.0 * expected.sqrt(), "{count} for {expected}");
    let mean = puzzles.iter().map(|made| f64::from(made.clues)).sum::<f64>() / count;
    assert!((mean - 25.667).abs() < 4.0 * 1.1 / count.sqrt(), "{mean}");
    let Some(first) = puzzles.first() else { return };
    assert_eq!(run(&recipe, first.number..first.number + 1).puzzles, std::slice::from_ref(first));
}

#[test]
fn a_deadline_ends_generation() {
    let limits = Limits::new().within(std::time::Duration::ZERO);
    for recipe in [Recipe::new(1), Recipe::controlled(1)] {
        let ended = generate::run(&mut Lanes::new(), &recipe, 0..u64::MAX, &limits);
        assert_eq!(ended.map(|_| ()), Err(sudoku9::Limit::Time));
    }
}

fn near(puzzle: &[u8; 81], change: Change) -> Vec<generate::Generated> {
    neighbors(&mut Lanes::new(), puzzle, change, [5, 6], &Limits::new()).expect("no limit")
}

#[test]
fn neighbors_have_one_solution_and_are_minimal() {
    for seed in 0..4 {
        let puzzle = generate::puzzle(seed).puzzle;
        for change in [Change::ONE, Change::TWO] {
            let near = near(&puzzle, change);
            assert!(!near.is_empty(), "{seed} {change:?}");
            near.iter().for_each(check);
        }
    }
}

#[test]
fn one_deletion_and_one_addition_reach_all_minimal_puzzles_that_differ_so() {
    let made = generate::puzzle(3);
    let found: HashSet<[u8; 81]> =
        near(&made.puzzle, Change::ONE).iter().map(|near| near.puzzle).collect();
    let mut expected = 0;
    for clue in (0..81).filter(|&cell| made.puzzle[cell] != b'.') {
        for cell in (0..81).filter(|&cell| made.puzzle[cell] == b'.' || cell == clue) {
            for digit in b'1'..=b'9' {
                let mut other = made.puzzle;
                other[clue] = b'.';
                other[cell] = digit;
                if other == made.puzzle || sudoku9::count(&other, 2) != Ok(1) {
                    continue;
                }
                let is_needed = |cell: usize| {
                    let mut less = other;
                    less[cell] = b'.';
                    other[cell] == b'.' || sudoku9::count(&less, 2) == Ok(2)
                };
                if (0..81).all(is_needed) {
                    expected += 1;
                    assert!(found.contains(&other), "{}", String::from_utf8_lossy(&other));
                }
            }
        }
    }
    let clues = |line: &[u8; 81]| line.iter().filter(|&&c| c != b'.').count();
    let same = found.iter().filter(|line| clues(line) == made.clues as usize).count();
    assert!(expected > 20 && same == expected, "{expected} expected, {same} of {} found", found.len());
}

#[test]
fn neighbors_do_not_depend_on_the_instruction_set() {
    let puzzle = generate::puzzle(8).puzzle;
    for change in [Change::ONE, Change::TWO] {
        let expected = near(&puzzle, change);
        for leaf in leaves() {
            let near = neighbors(&mut Lanes::with(leaf), &puzzle, change, [5, 6], &Limits::new());
            assert_eq!(near.as_ref(), Ok(&expected), "{}", leaf.name);
        }
        let other = neighbors(&mut Lanes::new(), &puzzle, change, [5, 7], &Limits::new());
        assert!(change == Change::ONE || other != Ok(expected));
    }
}

#[test]
fn isomorphic_puzzles_are_equally_hard() {
    let mut values = HashSet::new();
    for seed in 0..200 {
        let made = generate::puzzle(seed);
        let image = sudoku9::canonical::of_solved(&made.puzzle, &made.solution).puzzle;
        let value = hardness(&made.puzzle);
        assert_eq!(value, hardness(&image), "{seed}");
        values.insert(value.unwrap_or_default());
    }
    assert!(values.contains(&0) && values.len() > 30, "{values:?}");
}

#[test]
fn the_hardest_known_puzzles_resist_trials() {
    for line in [
        "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
        "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
        ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....",
    ] {
        let puzzle = line.as_bytes().try_into().expect("81 characters");
        assert!(hardness(puzzle).is_ok_and(|value| value > 3000), "{line}");
    }
}
