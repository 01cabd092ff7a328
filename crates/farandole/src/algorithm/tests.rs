//! Tests that algorithms build only the translations of a puzzle that they need.

use std::ops::ControlFlow;
use std::sync::Arc;

use dlx::{Limits, OptionId};
use grid::{Grid, Shape, Style, format};
use puzzle::{Puzzle, Translator};
use variant::Variant;

use super::by_name;

#[test]
fn solving_and_counting_9x9_sudoku_builds_no_exact_cover_problem() {
    let style = format::by_name("line").map(Style::new).expect("a format");
    let mut grid = Grid::empty(Arc::new(Shape::sudoku(3, 3, &[]).expect("a shape")), style);
    grid.place(0, 4);
    let fill = Translator::default().puzzle(grid);
    let mut auto = by_name("auto").expect("an algorithm").build();
    let limits = Limits::new().solutions(1);
    let mut found = None;
    let report = auto.search(&fill, &limits, &mut |cover| {
        found = Some(fill.filled(cover));
        ControlFlow::Continue(())
    });
    assert_eq!(report.map(|report| report.solutions), Ok(1));
    assert!(found.is_some_and(|grid| grid.is_full() && grid.symbol(0) == Some(4)));
    assert_eq!(auto.count(&fill, &limits).map(|report| report.solutions), Ok(1));
    assert!(!fill.has_problem());
    assert_eq!(fill.problem().option_count(), 729);
}

#[test]
fn translations_are_built_only_by_the_searches_that_need_them() {
    let text =
        "# order: 4\n# killer: r1c1 r1c2 = 4\n# thermo: r4c1 r3c1 r3c2\n....\n....\n....\n.1..\n";
    let made = |variant: &Variant| (variant.has_cover(), variant.has_rules());
    let variant = variant::read(text).unwrap();
    assert!(variant.picture(&[]).is_some() && variant.write_as("fpuzzles").is_some());
    assert_eq!(made(&variant), (false, false));
    let by = |name: &str| by_name(name).expect("an algorithm").build();
    let mut shown = Vec::new();
    let report = by("auto").show(&variant, &Limits::new(), &mut |solution| {
        let (mut text, mut picture) = (String::new(), String::new());
        solution.show(&variant, 1, &mut text);
        solution.picture(&variant).into_iter().for_each(|drawn| picture = drawn.svg());
        shown.push((text, picture));
        ControlFlow::Continue(())
    });
    assert_eq!((report.unwrap().count(), made(&variant)), (Some(shown.len() as u64), (false, true)));
    let mut by_cover = Vec::new();
    for name in ["auto", "digits", "cells"] {
        let variant = variant::read(text).unwrap();
        let report = by(name).search(&variant, &Limits::new(), &mut |cover| {
            assert_eq!(dlx::verify(variant.problem(), &[], cover), Ok(()));
            let mut text = String::new();
            variant.show(cover, 1, &mut text);
            by_cover.push((text, variant.picture(cover).expect("a picture").svg()));
            ControlFlow::Continue(())
        });
        assert_eq!(report.unwrap().count(), Some(shown.len() as u64));
        assert_eq!(made(&variant), (true, name != "cells"));
    }
    by_cover.sort();
    shown.sort();
    assert!(!shown.is_empty());
    assert_eq!(by_cover, shown.iter().flat_map(|one| vec![one.clone(); 3]).collect::<Vec<_>>());
}

#[test]
fn solutions_of_every_example_read_back_unchanged() {
    let texts = [
        "# killer: r1c1 r1c2 = 4\n....\n....\n....\n.1..\n",
        "# digits: 0-3\n# thermo: r1c1 r1c2 r1c3\n....\n.0..\n....\n....\n",
        "# digits: 9-12\n# order: 4\n# killer: r1c1 r2c1 = 19\n",
    ];
    for text in texts {
        let solutions = |puzzle: &Variant| {
            let solver = dlx::Solver::new(Arc::clone(puzzle.problem()));
            solver.into_solutions(puzzle.given())
        };
        let puzzle = variant::read(text).unwrap();
        for (number, cover) in (1..).zip(solutions(&puzzle)) {
            let mut shown = String::new();
            puzzle.show(&cover, number, &mut shown);
            let again = variant::read(&shown).unwrap();
            let covers: Vec<Vec<OptionId>> = solutions(&again).collect();
            assert_eq!(covers.len(), 1, "{shown}");
            let mut shown_again = String::new();
            again.show(&covers[0], 1, &mut shown_again);
            assert_eq!(shown_again, shown);
        }
    }
}
