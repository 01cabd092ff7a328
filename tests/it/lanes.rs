//! The SIMD lanes agree with an engine, with every instruction set and every mixture of puzzles.

use std::sync::Arc;
use std::time::Instant;

use dlx::parallel::Cores;
use dlx::{End, Engine as _, Limit, Limits};
use farandole::algorithm;
use fastrand::Rng;
use grid::{Grid, Shape, Style};
use puzzle::{Fill, Puzzle as _, Translator};
use sudoku9::{Board, Lanes, leaves};

#[path = "../../crates/sudoku9/tests/it/grids.rs"]
pub(crate) mod grids;

use grids::{mixture, puzzle, run, solved};

pub(crate) fn fill(text: &[u8; 81], translator: &mut Translator, shape: &Arc<Shape>) -> Fill {
    let mut grid = Grid::empty(Arc::clone(shape), Style::default());
    for (cell, &c) in text.iter().enumerate().filter(|(_, c)| c.is_ascii_digit()) {
        grid.place(cell, (c - b'1').into());
    }
    translator.puzzle(grid)
}

pub(crate) fn shape() -> Arc<Shape> {
    Arc::new(Shape::sudoku(3, 3, &[]).expect("a shape"))
}

#[test]
fn all_instruction_sets_find_the_solutions_of_an_engine() {
    let mut rng = Rng::with_seed(81);
    let (shape, mut translator) = (shape(), Translator::default());
    let texts = mixture(&mut rng, if cfg!(feature = "slow-tests") { 5000 } else { 300 });
    let boards: Vec<Board> = texts.iter().map(Board::from_digits).collect();
    let problem = Arc::clone(fill(&texts[0], &mut translator, &shape).problem());
    let mut links = dlx::engine::Links::new(&problem);
    let limit = Limits::new().solutions(50);
    let expected: Vec<u64> = texts
        .iter()
        .map(|text| links.count(fill(text, &mut translator, &shape).given(), &limit).solutions)
        .collect();
    assert!([0, 1, 50].iter().all(|count| expected.contains(count)));
    for leaf in leaves() {
        let mut lanes = Lanes::with(leaf);
        for limit in [50, 2, 1] {
            let (recorder, effort) = run(&mut lanes, &boards, &Limits::new().solutions(limit));
            assert_eq!(effort.end, End::Exhausted);
            for (index, &count) in expected.iter().enumerate() {
                let tally = recorder.tallies[index].expect("every puzzle is reported");
                assert_eq!(tally.solutions, count.min(limit), "{} of {}", index, leaf.name);
                let is_cut = tally.solutions == limit;
                let end = if is_cut { End::Limit(Limit::Solutions) } else { End::Exhausted };
                assert_eq!(tally.end, end);
                for solution in &recorder.found[index] {
                    let clues = texts[index].iter().zip(solution).all(|(&c, &d)| c == b'.' || c == d);
                    let solution = fill(solution, &mut translator, &shape);
                    assert!(clues && solution.grid().is_full() && solution.grid().clash().is_none());
                }
            }
            assert_eq!(
                effort.nodes,
                recorder.tallies.iter().flatten().map(|tally| tally.nodes).sum::<u64>()
            );
        }
    }
}

#[test]
fn pencil_marks_restrict_the_count() {
    let mut rng = Rng::with_seed(9);
    let shape = shape();
    let mut solvable = 0;
    for _ in 0..if cfg!(feature = "slow-tests") { 2000 } else { 100 } {
        let solution = solved(&mut rng);
        let mut grid = Grid::empty(Arc::clone(&shape), Style::default());
        for (cell, digit) in solution.iter().enumerate() {
            let own = 1 << (digit - b'1');
            let marks = own | rng.u64(0..512) & rng.u64(0..512);
            grid.set_candidates(cell, if rng.u8(0..200) == 0 { marks & !own | 1 } else { marks });
        }
        let board = Board::from_candidates(|cell| grid.candidates(cell) as u16);
        assert!((0..81).all(|cell| u64::from(board.candidates(cell)) == grid.candidates(cell)));
        let fill = Translator::default().puzzle(grid);
        let mut links = dlx::engine::Links::new(fill.problem());
        let expected = links.count(fill.given(), &Limits::default()).solutions;
        solvable += u32::from(expected > 0);
        for leaf in leaves() {
            assert_eq!(Lanes::with(leaf).count(&board, u64::MAX), expected, "{}", leaf.name);
        }
    }
    assert!(solvable > 10, "{solvable}");
}

#[test]
fn several_cores_and_one_core_give_the_same_count() {
    let mut rng = Rng::with_seed(5);
    let (shape, mut translator) = (shape(), Translator::default());
    let lanes = algorithm::by_name("lanes").expect("an algorithm");
    let mut large = 0;
    for clues in [24, 23, 22, 24, 23, 22, 21] {
        let text = puzzle(&mut rng, clues, 0);
        let expected = Lanes::new().count(&Board::from_digits(&text), 3_000_000);
        if expected == 3_000_000 {
            continue;
        }
        let fill = fill(&text, &mut translator, &shape);
        for helpers in [0, 1, 5] {
            let cores = Cores::new(helpers);
            let report = lanes.build_on(&cores).count(&fill, &Limits::default()).expect("9x9");
            assert_eq!(report.count(), Some(expected));
            assert_eq!(cores.idle(), helpers);
        }
        large += u32::from(expected > 50_000);
        if expected < 50_000 {
            continue;
        }
        let late = Limits::new().deadline(Instant::now());
        let report = lanes.build_on(&Cores::new(2)).count(&fill, &late).expect("9x9");
        assert_eq!(report.end, End::Limit(Limit::Time));
    }
    assert!(large > 1, "{large}");
}
