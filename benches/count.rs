//! Times every counting method on problems that suit some of the methods: `cargo bench --bench
//! count`.
//!
//! The name of each benchmark includes the number of solutions, which is checked before timing.
//! Methods that need more than a second are skipped.

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use dlx::count::{Counter, METHODS};
use dlx::{End, Limits};
use farandole::stream::StreamHints;

/// Kind, parameter and number of solutions of each puzzle.
const PARAMETRIC: [(&str, &str, &str); 7] = [
    ("polyomino", "dominoes:12x12", "53060477521960000"),
    ("polyomino", "tetrominoes:6x8", "22483347"),
    ("polyomino", "pentominoes:5x12", "4040"),
    ("latin", "6", "812851200"),
    ("sudoku", "3x2", "28200960"),
    ("queens", "12", "14200"),
    ("langford", "11", "35584"),
];

fn methods(criterion: &mut Criterion) {
    for (kind, parameter, count) in PARAMETRIC {
        let hints = StreamHints { kind: farandole::kinds::by_name(kind), ..StreamHints::default() };
        let puzzle = hints.make(parameter).expect("a parametric kind").expect("a parameter that works");
        let mut group = criterion.benchmark_group(format!("{kind}/{parameter}"));
        group.sample_size(10);
        let limits = Limits::default();
        let mut bench = |name: &str, mut make: Box<dyn FnMut() -> Counter>| {
            let trial = limits.clone().within(Duration::from_secs(1));
            let Ok(report) = make().try_count(puzzle.given(), &trial) else { return };
            if report.end != End::Exhausted {
                return;
            }
            assert_eq!(report.total().to_string(), count, "{kind} {parameter} with {name}");
            let id = BenchmarkId::new(name, format!("{count} solutions"));
            group.bench_function(id, |b| b.iter(|| make().count(puzzle.given(), &limits).total()));
        };
        let problem = puzzle.problem();
        let shared = problem.clone();
        bench("auto", Box::new(move || Counter::new(shared.clone())));
        for method in METHODS {
            let shared = problem.clone();
            bench(method.name, Box::new(move || Counter::new(shared.clone()).by(method)));
        }
        group.finish();
    }
}

criterion_group!(benches, methods);
criterion_main!(benches);
