//! Times the solver of 9x9 Sudoku in SIMD lanes with each instruction set: `cargo bench --bench
//! lanes`.
//!
//! Measures the shipped grids of 17 clues in one batch, the hardest shipped puzzle alone, and
//! reading and writing a line. The solutions are checked before timing.

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use sudoku9::{Batch, Board, Lanes, Limits, Tally, leaves};

const CLUES_17: &str = include_str!("../puzzles/sudoku/17-clues.sdm");
const HARDEST: &[u8; 81] =
    b"8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";

const COPIES: usize = 50;

struct Count<'b> {
    boards: std::slice::Iter<'b, Board>,
    solutions: u64,
}

impl Batch for Count<'_> {
    fn next(&mut self, board: &mut Board) -> bool {
        self.boards.next().map(|next| *board = *next).is_some()
    }

    fn wants_solutions(&self) -> bool {
        false
    }

    fn done(&mut self, _: usize, tally: Tally) {
        self.solutions += tally.solutions;
    }
}

fn solve(criterion: &mut Criterion) {
    let lines = CLUES_17.lines().filter_map(|line| line.as_bytes().try_into().ok());
    let shipped: Vec<Board> = lines.map(Board::from_digits).collect();
    assert_eq!(shipped.len(), 20, "the shipped grids of 17 clues");
    let boards = shipped.repeat(COPIES);
    let mut group = criterion.benchmark_group("lanes/17-clues");
    group.throughput(Throughput::Elements(boards.len() as u64));
    for leaf in leaves() {
        let mut lanes = Lanes::with(leaf);
        let mut count = || {
            let mut count = Count { boards: boards.iter(), solutions: 0 };
            lanes.run(&mut count, &Limits::new().solutions(2));
            count.solutions
        };
        assert_eq!(count(), boards.len() as u64, "{} finds one solution each", leaf.name);
        group.bench_function(BenchmarkId::from_parameter(leaf.name), |b| b.iter(&mut count));
    }
    group.finish();
}

fn alone(criterion: &mut Criterion) {
    let board = Board::from_digits(HARDEST);
    let mut group = criterion.benchmark_group("lanes/alone");
    for leaf in leaves() {
        let mut lanes = Lanes::with(leaf);
        assert_eq!(lanes.count(&board, 2), 1, "{} finds one solution", leaf.name);
        group.bench_function(BenchmarkId::from_parameter(leaf.name), |b| {
            b.iter(|| lanes.count(&board, 2));
        });
    }
    group.finish();
}

fn lines(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("lanes/line");
    for leaf in leaves() {
        let (mut board, mut text) = (Board::EMPTY, [0; 81]);
        leaf.read_line(HARDEST, &mut board);
        leaf.write_line(&board, &mut text);
        assert_eq!(&text, HARDEST, "{} writes what it read", leaf.name);
        group.bench_function(BenchmarkId::new("read", leaf.name), |b| {
            b.iter_batched_ref(
                || Board::EMPTY,
                |board| leaf.read_line(HARDEST, board),
                BatchSize::SmallInput,
            );
        });
        group.bench_function(BenchmarkId::new("write", leaf.name), |b| {
            b.iter_batched_ref(|| [0; 81], |text| leaf.write_line(&board, text), BatchSize::SmallInput);
        });
    }
    group.finish();
}

criterion_group!(benches, solve, alone, lines);
criterion_main!(benches);
