//! Slowdown of automatic counting against the best single method, on problems of many families
//! (`benches/suite/`): `cargo bench --bench regret [-- OPTION... NAME...]`.
//!
//! Automatic counting, each method alone and each engine alone take turns on every problem; a run
//! several times slower than the best so far is stopped. The time is processor time, the minimum
//! over the rounds. All answers must agree. The summary has the geometric mean and the maximum of
//! the *regret*: the time of the automatic choice divided by the best time of a single method. It
//! also compares finding one cover with counting, and two threads with one.
//!
//! ```text
//! NAME            only problems whose name contains one of these
//! --quick         one order of each problem, and none that takes longer than 0.1 s: about two minutes
//! --seconds S     leave out what automatic counting does not do in so many seconds (20)
//! --rounds N      so many rounds at most (5; fewer where a round takes long)
//! --choice        only automatic counting beside the methods: no single covers, no second thread
//! --write FOLDER  write the problems there, and measure nothing
//! --save FILE     write a record
//! --against FILE  fail if the regret on the problems of a record has grown by more than a tenth
//! ```

#[path = "suite/mod.rs"]
mod suite;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use dlx::count::{Counter, METHODS};
use dlx::parallel::Cores;
use dlx::{BigUint, ENGINES, End, Engine as _, Limit, Limits, Problem, Report, Solver};
use serde::{Deserialize, Serialize};

use suite::figures::{Record, mean, milliseconds};

/// A single method is stopped after the best time so far times this factor,
const STOP_FACTOR: f64 = 5.0;
/// plus this wall time (s), which is generous for busy machines.
const STOP_MORE: f64 = 0.05;
/// With `--quick`, problems that take automatic counting longer than this (s) are skipped.
const QUICK: f64 = 0.1;
/// Wall-clock limit per second of allowed processor time, for busy machines.
const BUSY: f64 = 6.0;
/// No more rounds once the runs of a problem have taken this long (s).
const ENOUGH: f64 = 4.0;
/// Added to both times before dividing them (s), so that tiny differences do not count as regret.
const SLACK: f64 = 0.000_2;
/// Largest accepted growth of the regret with `--against`.
const GROWTH: f64 = 1.1;

/// The options of the command line.
struct Plan {
    names: Vec<String>,
    is_quick: bool,
    is_choice_only: bool,
    seconds: f64,
    rounds: usize,
    write: Option<PathBuf>,
    save: Option<PathBuf>,
    against: Option<PathBuf>,
}

/// Measurements of a problem, in seconds of processor time.
#[derive(Clone, Serialize, Deserialize)]
struct Line {
    problem: String,
    count: String,
    /// The best single method and its time.
    best: String,
    best_seconds: f64,
    /// The method of the automatic count and the total time.
    chosen: String,
    seconds: f64,
    /// Time to find one cover, if measured.
    first_seconds: Option<f64>,
    /// Wall time of automatic counting on two threads and on one.
    wall_seconds: Option<[f64; 2]>,
}

impl Line {
    fn regret(&self) -> f64 {
        (self.seconds + SLACK) / (self.best_seconds + SLACK)
    }

    /// Returns whether the regret is within the accepted limit.
    fn is_good(&self) -> bool {
        self.seconds <= 2.0 * self.best_seconds + 0.005
    }
}

fn main() -> ExitCode {
    let plan = match plan() {
        Ok(plan) => plan,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    println!(
        "| problem | covers | best alone | time | automatic | time | regret | one cover | two threads |"
    );
    println!("|---|---:|---|---:|---|---:|---:|---:|---:|");
    let mut lines = Vec::new();
    let mut left_out = Vec::new();
    let is_wanted =
        |name: &str| plan.names.is_empty() || plan.names.iter().any(|n| name.contains(n.as_str()));
    for case in suite::cases() {
        let name = case.name();
        if !is_wanted(&name) || plan.is_quick && name.contains(" order ") {
            continue;
        }
        if let Some(folder) = &plan.write {
            let file = folder.join(name.replace(' ', "-") + ".dlx");
            std::fs::write(file, dlx::text::write(&case.problem())).expect("the folder is there");
            continue;
        }
        match measure(&name, &Arc::new(case.problem()), &plan) {
            Some(line) => lines.push(line),
            None => left_out.push(name),
        }
    }
    summarize(&lines, &left_out);
    if let Some(path) = &plan.save {
        Record::new(lines.clone()).write(path);
    }
    plan.against.as_ref().map_or(ExitCode::SUCCESS, |path| compare(&lines, path))
}

fn plan() -> Result<Plan, String> {
    let mut plan = Plan {
        names: Vec::new(),
        is_quick: false,
        is_choice_only: false,
        seconds: 20.0,
        rounds: 5,
        write: None,
        save: None,
        against: None,
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("expected a value behind {arg}"));
        let number = |text: String| {
            text.parse::<f64>().map_err(|_| format!("expected a number, found `{text}`"))
        };
        match arg.as_str() {
            // Added by `cargo bench`.
            "--bench" => {}
            "--quick" => plan.is_quick = true,
            "--choice" => plan.is_choice_only = true,
            "--seconds" => plan.seconds = number(value()?)?,
            "--rounds" => plan.rounds = number(value()?)?.max(1.0) as usize,
            "--write" => plan.write = Some(value()?.into()),
            "--save" => plan.save = Some(value()?.into()),
            "--against" => plan.against = Some(value()?.into()),
            _ if arg.starts_with('-') => return Err(format!("unknown option `{arg}`")),
            _ => plan.names.push(arg),
        }
    }
    if plan.is_quick {
        plan.seconds = plan.seconds.min(QUICK);
    }
    Ok(plan)
}

/// A participant in the measurements of a problem.
enum Runner {
    Automatic,
    Method(usize),
    Engine(usize),
}

impl Runner {
    fn name(&self) -> &'static str {
        match *self {
            Self::Automatic => "automatic",
            Self::Method(method) => METHODS[method].name,
            Self::Engine(engine) => ENGINES[engine].name,
        }
    }

    /// Counts within `seconds` of wall time; returns the seconds of processor time, the count, and
    /// the method.
    fn run(&self, problem: &Arc<Problem>, seconds: f64) -> Option<(f64, BigUint, String)> {
        let limits = Limits::new().within(Duration::from_secs_f64(seconds));
        let mut chosen = self.name().to_owned();
        let begun = ProcessTime::now();
        let report: Report = match *self {
            Self::Automatic => {
                let mut counter = Counter::new(Arc::clone(problem));
                let report = counter.count(&[], &limits);
                let plan = counter.explain();
                chosen = plan.search.as_ref().map_or_else(|| plan.method(), |_| "trial").to_owned();
                report
            }
            Self::Method(method) => {
                let counter = Counter::new(Arc::clone(problem)).by(&METHODS[method]);
                { counter }.try_count(&[], &limits).ok()?
            }
            Self::Engine(engine) => (ENGINES[engine].build)(problem).ok()?.count(&[], &limits),
        };
        let time = begun.elapsed().as_secs_f64();
        (report.end == End::Exhausted).then(|| (time, report.total(), chosen))
    }
}

/// Measures a problem and prints its line; returns `None` if it takes too long.
fn measure(name: &str, problem: &Arc<Problem>, plan: &Plan) -> Option<Line> {
    let automatic = Runner::Automatic;
    let done = automatic.run(problem, BUSY * plan.seconds);
    let (mut seconds, count, mut chosen) = done.filter(|(time, ..)| *time <= plan.seconds)?;
    let mut best = seconds;
    let methods = (0..METHODS.len()).map(Runner::Method);
    let engines =
        (0..ENGINES.len()).filter(|&engine| ENGINES[engine].name != "naive").map(Runner::Engine);
    // Time and identity of each runner that finished.
    let mut alone: Vec<(f64, Runner)> = Vec::new();
    for runner in methods.chain(engines) {
        let Some((time, found, _)) = runner.run(problem, STOP_FACTOR * best + STOP_MORE) else {
            continue;
        };
        assert_eq!(found, count, "{name}: {} agrees", runner.name());
        best = best.min(time);
        alone.push((time, runner));
    }
    // Only runners close to the best take further turns.
    alone.retain(|&(time, _)| time < 2.0 * best + 0.001);
    let mut spent = seconds;
    for _ in 1..plan.rounds {
        if spent > ENOUGH {
            break;
        }
        if let Some((time, _, who)) = automatic.run(problem, 10.0 * plan.seconds) {
            spent += time;
            if time < seconds {
                (seconds, chosen) = (time, who);
            }
        }
        for (best, runner) in &mut alone {
            if let Some((time, ..)) = runner.run(problem, 10.0 * plan.seconds) {
                spent += time;
                *best = best.min(time);
            }
        }
    }
    let (best_seconds, best) = match alone.iter().min_by(|a, b| a.0.total_cmp(&b.0)) {
        Some((time, runner)) => (*time, runner.name()),
        None => (seconds, "automatic"),
    };
    let line = Line {
        problem: name.to_owned(),
        count: brief(&count),
        best: best.to_owned(),
        best_seconds,
        chosen,
        seconds,
        first_seconds: (!plan.is_choice_only).then(|| first(problem, &count, seconds)),
        wall_seconds: (!plan.is_choice_only).then(|| [2, 1].map(|threads| wall(problem, threads))),
    };
    let first = line.first_seconds.map_or_else(String::new, milliseconds);
    let wall = line.wall_seconds.map_or_else(String::new, |[two, one]| format!("{:.2}x", one / two));
    println!(
        "| {name} | {} | {best} | {} | {} | {} | {:.2}{} | {first} | {wall} |",
        line.count,
        milliseconds(best_seconds),
        line.chosen,
        milliseconds(line.seconds),
        line.regret(),
        if line.is_good() { "" } else { " !" },
    );
    Some(line)
}

/// Returns a number, abbreviated if it is long.
fn brief(count: &BigUint) -> String {
    let text = count.to_string();
    if text.len() <= 15 { text } else { format!("{}.{}e{}", &text[..1], &text[1..4], text.len() - 1) }
}

/// Returns the time to find one cover or prove that there is none; returns the time limit, a
/// multiple of the counting time, if that is not enough.
fn first(problem: &Arc<Problem>, count: &BigUint, seconds: f64) -> f64 {
    let limits = || Limits::new().solutions(1).within(Duration::from_secs_f64(4.0 * seconds + 0.1));
    let run = || {
        let begun = ProcessTime::now();
        let report =
            Solver::new(Arc::clone(problem)).search(&[], &limits(), &mut |_| ControlFlow::Continue(()));
        let is_cut = report.end == End::Limit(Limit::Time);
        assert!(
            is_cut || (report.solutions == 0) == (*count == BigUint::ZERO),
            "there is a cover or none"
        );
        begun.elapsed().as_secs_f64()
    };
    (0..2).map(|_| run()).fold(f64::INFINITY, f64::min)
}

/// Returns the wall time of a count on `threads` threads, in seconds.
fn wall(problem: &Arc<Problem>, threads: usize) -> f64 {
    let begun = Instant::now();
    Counter::new(Arc::clone(problem)).on(&Cores::new(threads - 1)).count(&[], &Limits::new());
    begun.elapsed().as_secs_f64()
}

fn summarize(lines: &[Line], left_out: &[String]) {
    let mut worst: Vec<&Line> = lines.iter().collect();
    worst.sort_by(|a, b| b.regret().total_cmp(&a.regret()));
    let families: std::collections::BTreeSet<_> =
        suite::FAMILIES.iter().map(|family| family.name).collect();
    println!("\n{} problems of {} families", lines.len(), families.len());
    if !left_out.is_empty() {
        println!("not done in time: {}", left_out.join(", "));
    }
    let bad = lines.iter().filter(|line| !line.is_good()).count();
    println!(
        "regret: geometric mean {:.3}, worst {:.2}; {bad} above 2 and 5 ms",
        mean(lines.iter().map(Line::regret)),
        worst.first().map_or(1.0, |line| line.regret())
    );
    let long = || lines.iter().filter(|line| line.best_seconds >= 0.01);
    println!(
        "where the best takes 10 ms or more: {:.3} of {}",
        mean(long().map(Line::regret)),
        long().count()
    );
    for line in worst.iter().take(15) {
        let Line { problem, best, chosen, .. } = line;
        println!(
            "{:8.2}  {problem} ({best} {}, {chosen} {})",
            line.regret(),
            milliseconds(line.best_seconds),
            milliseconds(line.seconds)
        );
    }
    let firsts = || lines.iter().filter_map(|line| line.first_seconds.map(|first| (first, line)));
    if firsts().count() > 0 {
        let slower = |&(first, line): &(f64, &Line)| first > 1.5 * line.seconds + 0.001;
        println!(
            "\none cover takes longer than the count on {} of {}:",
            firsts().filter(slower).count(),
            firsts().count()
        );
        for (first, line) in firsts().filter(slower) {
            println!(
                "  {}: {} instead of {}",
                line.problem,
                milliseconds(first),
                milliseconds(line.seconds)
            );
        }
        let walls = || lines.iter().filter_map(|line| line.wall_seconds.map(|walls| (walls, line)));
        let long = || walls().filter(|([_, one], _)| *one >= 0.1);
        println!(
            "\ntwo threads, where one takes 0.1 s or more: {:.2}x as fast, slower on:",
            mean(long().map(|([two, one], _)| one / two))
        );
        for ([two, one], line) in long().filter(|([two, one], _)| *two > 1.1 * one) {
            println!("  {}: {} instead of {}", line.problem, milliseconds(two), milliseconds(one));
        }
    }
}

/// Compares with a record, on the problems that both have.
fn compare(lines: &[Line], path: &Path) -> ExitCode {
    let record = Record::<Line>::read(path);
    let before: BTreeMap<_, _> = record.problems.iter().map(|line| (&line.problem, line)).collect();
    let pairs =
        || lines.iter().filter_map(|line| before.get(&line.problem).map(|before| (*before, line)));
    let [then, now] =
        [mean(pairs().map(|(then, _)| then.regret())), mean(pairs().map(|(_, now)| now.regret()))];
    println!(
        "\nregret on {} problems of the record of {}: {then:.3} then, {now:.3} now",
        pairs().count(),
        record.date
    );
    for (then, now) in
        pairs().filter(|(then, now)| !now.is_good() && now.regret() > 1.5 * then.regret())
    {
        println!("  {}: {:.2} then, {:.2} now", now.problem, then.regret(), now.regret());
    }
    if now > GROWTH * then {
        println!("the regret has grown");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
