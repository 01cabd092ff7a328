//! The simple backtrackers and the engines find the same solutions of random grids. The grids have
//! clues or pencil marks, boxes, other regions or no regions, and every extra rule.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use dlx::{End, Limit, Limits, OptionId};
use farandole::algorithm::ALGORITHMS;
use fastrand::Rng;
use grid::{Grid, GridRule, Shape, Style};
use puzzle::{Puzzle, Translator};

/// Returns shapes of orders 4 and 6, with each kind of regions and each extra rule.
fn shapes() -> Vec<Arc<Shape>> {
    let jigsaw = ["AAAB", "ACBB", "CCBD", "CDDD"].concat().into_bytes();
    let mut shapes = vec![Shape::latin(4), Shape::jigsaw(4, &jigsaw, &[]), Shape::sudoku(3, 2, &[])];
    for rule in GridRule::ALL.into_iter().filter(|&rule| rule != GridRule::Windoku) {
        shapes.push(Shape::sudoku(2, 2, &[rule]));
        shapes.push(Shape::jigsaw(4, &jigsaw, &[rule]));
        shapes.push(Shape::sudoku(3, 2, &[rule]));
    }
    shapes.into_iter().map(|shape| Arc::new(shape.expect("a shape"))).collect()
}

/// Returns a random grid whose cells are empty or have a clue. If `has_marks`, cells may also have
/// pencil marks.
fn grid(rng: &mut Rng, shape: &Arc<Shape>, has_marks: bool) -> Grid {
    let mut grid = Grid::empty(Arc::clone(shape), Style::default());
    let order = shape.order();
    // Take most clues from one Latin square, so that they seldom conflict.
    let shift = rng.usize(0..order);
    for cell in 0..shape.cell_count() {
        let symbol = (cell / order + cell % order + shift) % order;
        match rng.u8(0..10) {
            0 | 1 => grid.place(cell, if rng.u8(0..4) == 0 { rng.usize(0..order) } else { symbol }),
            2..=7 if has_marks => {
                let marks = rng.u64(1..=shape.all_symbols()) | 1 << symbol;
                grid.set_candidates(cell, marks);
            }
            _ => {}
        }
    }
    grid
}

#[test]
fn all_algorithms_find_the_same_solutions_of_a_grid() {
    let mut rng = Rng::with_seed(7);
    let limits = Limits::new().nodes(20_000);
    let (mut compared, mut solved) = (0, 0);
    for shape in shapes() {
        for round in 0..if cfg!(feature = "slow-tests") { 40 } else { 10 } {
            let fill = Translator::default().puzzle(grid(&mut rng, &shape, round % 2 == 0));
            let mut known: Option<(&str, BTreeSet<BTreeSet<OptionId>>)> = None;
            for spec in ALGORITHMS.iter() {
                let mut found = BTreeSet::new();
                let report = spec.build().search(&fill, &limits, &mut |cover| {
                    assert!(
                        found.insert(cover.iter().copied().collect()),
                        "{} repeats itself",
                        spec.name
                    );
                    assert_eq!(
                        dlx::verify(fill.problem(), fill.given(), cover),
                        Ok(()),
                        "{}",
                        spec.name
                    );
                    let filled = fill.filled(cover);
                    assert!(filled.is_full() && filled.clash().is_none(), "{}", spec.name);
                    ControlFlow::Continue(())
                });
                // Skip algorithms that do not accept the shape, and searches with too many nodes.
                let Ok(report) = report else { continue };
                if report.count().is_none() {
                    continue;
                }
                solved += u32::from(!found.is_empty());
                match &known {
                    None => known = Some((spec.name, found)),
                    Some((first, expected)) => {
                        compared += 1;
                        assert_eq!(&found, expected, "{} and {first}, {:?}", spec.name, fill.grid());
                    }
                }
            }
        }
    }
    assert!(compared > 250 && solved > 100, "{compared} compared, {solved} solved");
}

#[test]
fn a_cancel_flag_set_before_the_search_ends_every_algorithm() {
    let kind = farandole::kinds::by_name("sudoku").expect("a kind");
    let make = kind.parameter.expect("it has a parameter").make;
    let puzzle = make("3x3", &mut Default::default(), &Default::default()).expect("an empty grid");
    let set = || Some(Arc::new(AtomicBool::new(true)));
    for spec in ALGORITHMS.iter() {
        for (limits, expected) in [
            (Limits::new().cancel(set()), Limit::Cancelled),
            (Limits::new().within(Duration::ZERO), Limit::Time),
        ] {
            let mut algorithm = spec.build();
            let searched = algorithm.search(&*puzzle, &limits, &mut |_| ControlFlow::Continue(()));
            for report in [searched, algorithm.count(&*puzzle, &limits)] {
                // Skip algorithms that do not answer this kind of question.
                let Ok(report) = report else { continue };
                assert_eq!((report.end, report.solutions), (End::Limit(expected), 0), "{}", spec.name);
            }
        }
    }
}
