//! The lanes of every leaf find what an engine finds, however the puzzles are mixed.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use dlx::parallel::Cores;
use dlx::{Engine as _, Limit, Limits};
use farandole::algorithm;
use farandole::grid::{Grid, Shape, Style};
use farandole::puzzle::{Fill, Puzzle as _, Translator};
use fastrand::Rng;
use sudoku9::{Batch, Board, Effort, End, Lanes, Tally, leaves};

/// A solution of an empty grid, its digits, rows and columns shuffled.
pub(crate) fn solved(rng: &mut Rng) -> [u8; 81] {
    let mut order = |size: usize| {
        let mut order: Vec<usize> = (0..size).collect();
        rng.shuffle(&mut order);
        order
    };
    let digits = order(9);
    let mut lines = || {
        let bands = order(3);
        let inside = [order(3), order(3), order(3)];
        let line = |line: usize| 3 * bands[line / 3] + inside[line / 3][line % 3];
        (0..9).map(line).collect::<Vec<_>>()
    };
    let (rows, columns) = (lines(), lines());
    std::array::from_fn(|cell| {
        let (row, column) = (rows[cell / 9], columns[cell % 9]);
        b'1' + digits[(3 * row + row / 3 + column) % 9] as u8
    })
}

/// A puzzle with that many clues, some of them wrong at times.
fn puzzle(rng: &mut Rng, clues: usize, wrong: usize) -> [u8; 81] {
    let mut text = solved(rng);
    let mut cells: Vec<usize> = (0..81).collect();
    rng.shuffle(&mut cells);
    cells[clues..].iter().for_each(|&cell| text[cell] = b'.');
    cells[..wrong].iter().for_each(|&cell| text[cell] = rng.u8(b'1'..=b'9'));
    text
}

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

/// A batch that keeps all it learns.
struct Recorder<'a> {
    boards: std::slice::Iter<'a, Board>,
    found: Vec<BTreeSet<[u8; 81]>>,
    tallies: Vec<Option<Tally>>,
    /// Stops the run at so many solutions.
    stop_after: usize,
}

impl<'a> Recorder<'a> {
    fn new(boards: &'a [Board]) -> Self {
        let count = boards.len();
        let (found, tallies) = (vec![BTreeSet::new(); count], vec![None; count]);
        Self { boards: boards.iter(), found, tallies, stop_after: usize::MAX }
    }
}

impl Batch for Recorder<'_> {
    fn next(&mut self, board: &mut Board) -> bool {
        self.boards.next().map(|next| *board = *next).is_some()
    }

    fn solution(&mut self, puzzle: usize, board: &Board) -> ControlFlow<()> {
        let mut text = [0; 81];
        board.write_line(&mut text);
        assert!(self.found[puzzle].insert(text), "a solution is shown twice");
        self.stop_after -= 1;
        if self.stop_after == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn done(&mut self, puzzle: usize, tally: Tally) {
        assert_eq!(tally.solutions, self.found[puzzle].len() as u64);
        assert!(self.tallies[puzzle].replace(tally).is_none(), "a puzzle is reported twice");
    }
}

fn run<'a>(lanes: &mut Lanes, boards: &'a [Board], limits: &sudoku9::Limits) -> (Recorder<'a>, Effort) {
    let mut recorder = Recorder::new(boards);
    let effort = lanes.run(&mut recorder, limits);
    (recorder, effort)
}

/// Puzzles of every sort: easy, hard, open, with none, one or many solutions.
fn mixture(rng: &mut Rng, count: usize) -> Vec<[u8; 81]> {
    let hard = b"98.7..6..7.5.9......4..8...8...7.3....9..3.2....8...4.6....71...5.1.........6...2";
    let sort = |rng: &mut Rng| match rng.u8(0..6) {
        0 => puzzle(rng, 81, rng.clone().usize(0..2)),
        1 => *hard,
        2 => puzzle(rng, 30, 1),
        _ => puzzle(rng, rng.clone().usize(22..50), 0),
    };
    (0..count).map(|_| sort(rng)).collect()
}

#[test]
fn every_leaf_finds_what_an_engine_finds() {
    let mut rng = Rng::with_seed(81);
    let (shape, mut translator) = (shape(), Translator::default());
    let texts = mixture(&mut rng, if cfg!(feature = "slow-tests") { 5000 } else { 300 });
    let boards: Vec<Board> = texts.iter().map(Board::from_line).collect();
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
            let (recorder, effort) = run(&mut lanes, &boards, &sudoku9::Limits::new().solutions(limit));
            assert_eq!(effort.end, End::Exhausted);
            for (index, &count) in expected.iter().enumerate() {
                let tally = recorder.tallies[index].expect("every puzzle is reported");
                assert_eq!(tally.solutions, count.min(limit), "{} of {}", index, leaf.name);
                let is_cut = tally.solutions == limit;
                let end = if is_cut { End::Limit(sudoku9::Limit::Solutions) } else { End::Exhausted };
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
fn pencil_marks_count() {
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
fn many_cores_count_what_one_does() {
    let mut rng = Rng::with_seed(5);
    let (shape, mut translator) = (shape(), Translator::default());
    let lanes = algorithm::by_name("lanes").expect("an algorithm");
    let mut large = 0;
    for clues in [24, 23, 22, 24, 23, 22, 21] {
        let text = puzzle(&mut rng, clues, 0);
        let expected = Lanes::new().count(&Board::from_line(&text), 3_000_000);
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
        assert_eq!(report.end, dlx::End::Limit(Limit::Time));
    }
    assert!(large > 1, "{large}");
}
