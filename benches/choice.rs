//! Measures how well the solver chooses an engine: `cargo bench --bench choice [-- --first]
//! [--rounds N] [--seconds S] [FILE...]`. Runs every engine on every problem and times it from
//! building the engine to the last solution.
//!
//! Without files it uses the collection `puzzles/` and some larger puzzles given by parameters. The
//! engines take turns. Each output line has the best median time of an engine, and the time of
//! every engine as a multiple of it; `auto` reduces the problem and chooses an engine. An engine
//! that needs more than S seconds (2) takes part in no further rounds. All engines must find the
//! same number of solutions. The summary has the number of problems where `auto` is within 10 % of
//! the best engine, and its slowdown on the other problems.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use dlx::{End, Limits};
use farandole::algorithm::{ALGORITHMS, AlgorithmSpec};
use farandole::stream::{Stream, StreamHints};
use puzzle::Puzzle;

const PARAMETRIC: [(&str, &str); 9] = [
    ("queens", "11"),
    ("queens", "12"),
    ("langford", "11"),
    ("latin", "5"),
    ("polyomino", "3x20"),
    ("polyomino", "4x15"),
    ("polyomino", "soma"),
    ("polyomino", "dominoes:6x8"),
    ("sudoku", "3x2"),
];

const AUTO: &str = "auto";

struct Plan {
    solutions: Option<u64>,
    rounds: usize,
    time: Duration,
    files: Vec<PathBuf>,
}

struct Run {
    spec: &'static AlgorithmSpec,
    times: Vec<Duration>,
    solutions: u64,
}

fn main() -> ExitCode {
    let plan = match plan() {
        Ok(plan) => plan,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    let mut misses = Vec::new();
    let (mut count, mut agree) = (0, true);
    for (name, puzzle) in puzzles(&plan) {
        let Some((miss, is_agreed)) = measure(&name, puzzle.as_ref(), &plan) else { continue };
        count += 1;
        agree &= is_agreed;
        if miss > 1.1 {
            misses.push((miss, name));
        }
    }
    misses.sort_by(|a, b| b.0.total_cmp(&a.0));
    println!("\nwithin 10 % of the best: {} of {count}", count - misses.len());
    for (miss, name) in misses {
        println!("{miss:8.2}x  {name}");
    }
    if agree { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn plan() -> Result<Plan, String> {
    let mut plan = Plan { solutions: None, rounds: 5, time: Duration::from_secs(2), files: Vec::new() };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut number = || {
            let value = args.next().and_then(|value| value.parse::<u32>().ok());
            value.ok_or_else(|| format!("expected a number behind {arg}"))
        };
        match arg.as_str() {
            // `cargo bench` adds this argument.
            "--bench" => {}
            "--first" => plan.solutions = Some(1),
            "--rounds" => plan.rounds = number()?.max(1) as usize,
            "--seconds" => plan.time = Duration::from_secs(number()?.into()),
            _ => plan.files.push(arg.into()),
        }
    }
    Ok(plan)
}

fn puzzles(plan: &Plan) -> Vec<(String, Box<dyn Puzzle>)> {
    let mut found = Vec::new();
    let mut files = plan.files.clone();
    if files.is_empty() {
        for (kind, parameter) in PARAMETRIC {
            let hints = StreamHints { kind: farandole::kinds::by_name(kind), ..StreamHints::default() };
            let made = hints.make(parameter).expect("a kind with a parameter");
            found.push((format!("{kind} {parameter}"), made.expect("a parameter that works")));
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("puzzles");
        for kind in std::fs::read_dir(root).expect("the folder puzzles") {
            let folder = std::fs::read_dir(kind.expect("a kind").path()).expect("a folder");
            files.extend(folder.map(|file| file.expect("a file").path()));
        }
        files.sort();
    }
    for path in files {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        let text = match std::fs::read(&path) {
            Ok(text) => std::io::Cursor::new(text),
            Err(error) => {
                eprintln!("{}: {error}", path.display());
                continue;
            }
        };
        match Stream::open(text, &StreamHints { extension, ..StreamHints::default() }) {
            Ok(stream) => {
                found.extend(stream.flatten().take(1).map(|puzzle| (name.clone(), puzzle)));
            }
            Err(error) => eprintln!("{}: {error}", path.display()),
        }
    }
    found
}

/// Measures one problem and prints its line. Returns the time of `auto` as a multiple of the best
/// time, and whether all engines find the same number of solutions. Returns `None` if no engine
/// finishes in time.
fn measure(name: &str, puzzle: &dyn Puzzle, plan: &Plan) -> Option<(f64, bool)> {
    let solve = |spec: &AlgorithmSpec| {
        let limits = Limits::new().solutions(plan.solutions).within(plan.time);
        let started = Instant::now();
        let report = spec.build().count(puzzle, &limits).ok()?;
        let is_done = report.end == End::Exhausted || Some(report.solutions) == plan.solutions;
        is_done.then(|| (started.elapsed(), report.solutions))
    };
    let is_engine = |name| dlx::ENGINES.iter().any(|engine| engine.name == name && name != "naive");
    let specs = ALGORITHMS.iter().filter(|spec| spec.name == AUTO || is_engine(spec.name));
    let mut runs: Vec<Run> = specs
        .filter_map(|spec| {
            let (time, solutions) = solve(spec)?;
            Some(Run { spec, times: vec![time], solutions })
        })
        .collect();
    for _ in 1..plan.rounds {
        for run in &mut runs {
            run.times.extend(solve(run.spec).map(|(time, _)| time));
        }
    }
    let median = |run: &Run| {
        let mut times = run.times.clone();
        times.sort_unstable();
        times[times.len() / 2].as_secs_f64()
    };
    let best = runs.iter().map(median).min_by(f64::total_cmp)?;
    let of_auto = runs.iter().find(|run| run.spec.name == AUTO).map_or(f64::INFINITY, median);
    let solutions = runs[0].solutions;
    print!("{name:<28} {solutions:>10} {:>11.3} ms", best * 1e3);
    for run in &runs {
        print!("  {} {:.2}x", run.spec.name, median(run) / best);
    }
    let is_agreed = runs.iter().all(|run| run.solutions == solutions);
    println!("{}", if is_agreed { "" } else { "  THE ANSWERS DIFFER" });
    Some((of_auto / best, is_agreed))
}
