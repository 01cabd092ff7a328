//! Times every engine on sample puzzles of several kinds, finding all solutions: `cargo bench`.
//!
//! The name of each benchmark includes the number of solutions, which is checked before timing. The
//! engine `naive` runs only on the smallest problems.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use dlx::{ENGINES, Limits};
use farandole::stream::{Stream, StreamHints};
use puzzle::Puzzle;

/// Kind, parameter and number of solutions of each puzzle.
const PARAMETRIC: [(&str, &str, u64); 6] = [
    ("queens", "8", 92),
    ("queens", "10", 724),
    ("langford", "8", 300),
    ("latin", "4", 576),
    ("sudoku", "2x2", 288),
    ("polyomino", "pentominoes:3x20", 8),
];

/// Name and line of a Sudoku with one solution.
const SUDOKU: [(&str, &str); 3] = [
    ("easy", "103000509002109400000704000300502006060000050700803004000401000009205800804000107"),
    (
        "difficulty-10.7",
        "800000000003600000070090200050007000000045700000100030001000068008500010090000400",
    ),
    ("17-clues", "000000010400000000020000000000050407008000300001090000300400200050100000000806000"),
];

/// Maximum number of options of a problem for the engine `naive`, which takes seconds for larger
/// ones.
const NAIVE_OPTIONS: usize = 64;

fn bench(criterion: &mut Criterion, name: &str, puzzle: &dyn Puzzle, solutions: u64) {
    let mut group = criterion.benchmark_group(name);
    for spec in ENGINES {
        if spec.name == "naive" && puzzle.problem().option_count() > NAIVE_OPTIONS {
            continue;
        }
        let Ok(mut engine) = (spec.build)(puzzle.problem()) else { continue };
        let limits = Limits::default();
        let report = engine.count(puzzle.given(), &limits);
        assert_eq!(report.count(), Some(solutions), "{name} with {}", spec.name);
        let id = BenchmarkId::new(spec.name, format!("{solutions} solutions"));
        group.bench_function(id, |b| b.iter(|| engine.count(puzzle.given(), &limits).solutions));
    }
    group.finish();
}

fn engines(criterion: &mut Criterion) {
    for (kind, parameter, solutions) in PARAMETRIC {
        let hints = StreamHints { kind: farandole::kinds::by_name(kind), ..StreamHints::default() };
        let puzzle = hints.make(parameter).expect("a parametric kind").expect("a parameter that works");
        bench(criterion, &format!("{kind}/{parameter}"), puzzle.as_ref(), solutions);
    }
    for (name, line) in SUDOKU {
        let mut stream = Stream::open(line.as_bytes(), &StreamHints::default()).expect("a line");
        let puzzle = stream.next().expect("a puzzle").expect("in order");
        bench(criterion, &format!("sudoku/{name}"), puzzle.as_ref(), 1);
    }
}

criterion_group!(benches, engines);
criterion_main!(benches);
