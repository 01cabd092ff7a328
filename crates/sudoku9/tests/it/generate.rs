//! Tests of generated puzzles, which are checked clue by clue.

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
