//! Measures how much slower automatic counting is than the best single method, on problems of many
//! families (`benches/suite/`): `cargo bench --bench regret [-- OPTION... NAME...]`.
//!
//! On every problem, automatic counting, each single method and each single engine take turns. A
//! run is stopped when it takes several times longer than the best run so far. The measured time is
//! processor time, the minimum over the rounds. All counts must agree. The *regret* of a problem is
//! the time of automatic counting divided by the best time of a single method; the summary has its
//! geometric mean and its maximum. The summary also compares the time to find one cover with the
//! time to count all, and two threads with one.
//!
//! ```text
//! NAME            only problems whose name contains one of these
//! --quick         one order of each problem, only problems that take at most 0.1 s: about two minutes
//! --seconds S     skip problems that automatic counting does not finish within S seconds (20)
//! --rounds N      at most N rounds (5; fewer if a round takes long)
//! --choice        only automatic counting and the single methods: no single covers, no second thread
//! --unseen        the families of `unseen.rs`, which no choice was tuned for, instead of the others
//! --write FOLDER  write the problems to FOLDER, and measure nothing
//! --save FILE     write a record
//! --against FILE  fail if the regret on the problems of a record has grown by more than a tenth
//! ```

#[path = "suite/mod.rs"]
mod suite;

use std::collections::{BTreeMap, BTreeSet};
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

/// A single method is stopped after `STOP_FACTOR` times the best time so far, plus `STOP_MORE` (s).
const STOP_FACTOR: f64 = 5.0;
/// Added to the time limit of a single method (s); generous, because the machine may be busy.
const STOP_MORE: f64 = 0.05;
/// With `--quick`, a problem is skipped if automatic counting takes longer than this (s).
const QUICK: f64 = 0.1;
/// Wall-clock limit of a run, in seconds per second of allowed processor time; the machine may be
/// busy.
const BUSY: f64 = 6.0;
/// The rounds of a problem end once its runs have taken this long in total (s).
const ENOUGH: f64 = 4.0;
/// Added to both times of a regret before the division (s), so that tiny differences do not count.
const SLACK: f64 = 0.000_2;
/// Largest accepted growth of the regret with `--against`.
const GROWTH: f64 = 1.1;

struct Plan {
    names: Vec<String>,
    is_quick: bool,
    is_choice_only: bool,
    is_unseen: bool,
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
    /// Name of the best single method, and its time.
    best: String,
    best_seconds: f64,
    /// Name of the method that automatic counting used, and its total time.
    chosen: String,
    seconds: f64,
    first_seconds: Option<f64>,
    /// Wall time of automatic counting with two threads and with one.
    wall_seconds: Option<[f64; 2]>,
}

impl Line {
    fn regret(&self) -> f64 {
        (self.seconds + SLACK) / (self.best_seconds + SLACK)
    }

    /// Returns whether automatic counting takes at most twice the time of the best method plus 5
    /// ms.
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
    let seen = (!plan.is_unseen).then(suite::cases).into_iter().flatten();
    let unseen = plan.is_unseen.then(suite::unseen_cases).into_iter().flatten();
    let mut families = BTreeSet::new();
    for case in seen.chain(unseen) {
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
            Some(line) => {
                families.insert(case.family.name);
                lines.push(line);
            }
            None => left_out.push(name),
        }
    }
    summarize(&lines, families.len(), &left_out);
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
        is_unseen: false,
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
            // `cargo bench` adds this argument.
            "--bench" => {}
            "--quick" => plan.is_quick = true,
            "--choice" => plan.is_choice_only = true,
            "--unseen" => plan.is_unseen = true,
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

/// One of the competitors on a problem: automatic counting, a method, or an engine.
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

    /// Counts within `seconds` of wall time. Returns the processor time (s), the count, and the
    /// name of the method; `None` if the time is not enough.
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

/// Measures a problem and prints its line; returns `None` if automatic counting takes too long.
fn measure(name: &str, problem: &Arc<Problem>, plan: &Plan) -> Option<Line> {
    let automatic = Runner::Automatic;
    let done = automatic.run(problem, BUSY * plan.seconds);
    let (mut seconds, count, mut chosen) = done.filter(|(time, ..)| *time <= plan.seconds)?;
    let mut best = seconds;
    let methods = (0..METHODS.len()).map(Runner::Method);
    let engines =
        (0..ENGINES.len()).filter(|&engine| ENGINES[engine].name != "naive").map(Runner::Engine);
    let mut alone: Vec<(f64, Runner)> = Vec::new();
    for runner in methods.chain(engines) {
        let Some((time, found, _)) = runner.run(problem, STOP_FACTOR * best + STOP_MORE) else {
            continue;
        };
        assert_eq!(found, count, "{name}: {} agrees", runner.name());
        best = best.min(time);
        alone.push((time, runner));
    }
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

/// Formats a number; abbreviates it if it has more than 15 digits.
fn brief(count: &BigUint) -> String {
    let text = count.to_string();
    if text.len() <= 15 { text } else { format!("{}.{}e{}", &text[..1], &text[1..4], text.len() - 1) }
}

/// Returns the time to find one cover or to prove that there is none (s). If the search exceeds its
/// time limit, a multiple of the counting time, returns that limit.
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

fn wall(problem: &Arc<Problem>, threads: usize) -> f64 {
    let begun = Instant::now();
    Counter::new(Arc::clone(problem)).on(&Cores::new(threads - 1)).count(&[], &Limits::new());
    begun.elapsed().as_secs_f64()
}

fn summarize(lines: &[Line], families: usize, left_out: &[String]) {
    let mut worst: Vec<&Line> = lines.iter().collect();
    worst.sort_by(|a, b| b.regret().total_cmp(&a.regret()));
    println!("\n{} problems of {families} families", lines.len());
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

/// Compares the measurements with a record, on the problems that both contain.
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
