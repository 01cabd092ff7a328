//! Measures the time to find one cover of a hard problem, or to prove that it has none, with its
//! items and options in several orders (`benches/suite/hard.rs`): `cargo bench --bench find [--
//! OPTION... NAME...]`.
//!
//! Each problem is solved on one thread in several orders. The output has the median and the
//! maximum of the processor time and of the number of nodes; the number of nodes is the same on
//! every machine. The searches in all orders must agree on whether the problem has a cover.
//!
//! ```text
//! NAME            only problems whose name contains one of these
//! --unseen        the families of `unseen.rs`, which no choice was tuned for, instead of the others
//! --orders N      number of orders of each problem (5)
//! --seconds S     stop each search after S seconds of wall time (20)
//! --write FOLDER  write each problem in each order to FOLDER, and measure nothing
//! --save FILE     write a record
//! --against FILE  fail if the nodes of a record's problems have grown by more than a quarter
//! ```

#[path = "suite/mod.rs"]
mod suite;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use cpu_time::ProcessTime;
use dlx::{End, Engine as _, Limit, Limits, Problem, Solver};
use serde::{Deserialize, Serialize};

use suite::figures::{Record, mean, milliseconds};

/// Largest accepted growth of the geometric mean of the nodes with `--against`.
const GROWTH: f64 = 1.25;

struct Plan {
    names: Vec<String>,
    is_unseen: bool,
    orders: u64,
    seconds: f64,
    write: Option<PathBuf>,
    save: Option<PathBuf>,
    against: Option<PathBuf>,
}

/// Measurements of a problem over all its orders.
#[derive(Clone, Serialize, Deserialize)]
struct Line {
    problem: String,
    /// Whether the problem has a cover; `None` if no search finished.
    has_cover: Option<bool>,
    engine: String,
    seconds: Vec<f64>,
    nodes: Vec<u64>,
    /// Number of searches that did not finish in time.
    stopped: usize,
}

fn middle<T: Copy + PartialOrd>(all: &[T]) -> [T; 2] {
    let mut all = all.to_vec();
    all.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
    [all[all.len() / 2], all[all.len() - 1]]
}

impl Line {
    fn nodes(&self) -> f64 {
        mean(self.nodes.iter().map(|&nodes| nodes.max(1) as f64))
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
    if plan.write.is_none() {
        println!("| problem | cover | by | median | worst | nodes: median | worst |");
        println!("|---|---|---|---:|---:|---:|---:|");
    }
    let mut lines = Vec::new();
    let seen = (!plan.is_unseen).then(suite::hard_cases).into_iter().flatten();
    let unseen = plan.is_unseen.then(suite::unseen_hard_cases).into_iter().flatten();
    for case in seen.chain(unseen) {
        let name = case.name();
        if !plan.names.is_empty() && !plan.names.iter().any(|wanted| name.contains(wanted.as_str())) {
            continue;
        }
        let problems = (1..=plan.orders).map(|order| case.in_order(order).problem());
        match &plan.write {
            Some(folder) => write(folder, &name, problems),
            None => lines.push(measure(&name, problems, &plan)),
        }
    }
    if plan.write.is_none() {
        summarize(&lines);
    }
    if let Some(path) = &plan.save {
        Record::new(lines.clone()).write(path);
    }
    plan.against.as_ref().map_or(ExitCode::SUCCESS, |path| compare(&lines, path))
}

fn plan() -> Result<Plan, String> {
    let mut plan = Plan {
        names: Vec::new(),
        is_unseen: false,
        orders: 5,
        seconds: 20.0,
        write: None,
        save: None,
        against: None,
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("expected a value behind {arg}"));
        let number = |text: String| match text.parse::<f64>() {
            Ok(number) if number > 0.0 => Ok(number),
            _ => Err(format!("expected a number above 0, found `{text}`")),
        };
        match arg.as_str() {
            // `cargo bench` adds this argument.
            "--bench" => {}
            "--unseen" => plan.is_unseen = true,
            "--orders" => plan.orders = number(value()?)?.ceil() as u64,
            "--seconds" => plan.seconds = number(value()?)?,
            "--write" => plan.write = Some(value()?.into()),
            "--save" => plan.save = Some(value()?.into()),
            "--against" => plan.against = Some(value()?.into()),
            _ if arg.starts_with('-') => return Err(format!("unknown option `{arg}`")),
            _ => plan.names.push(arg),
        }
    }
    Ok(plan)
}

fn write(folder: &Path, name: &str, problems: impl Iterator<Item = Problem>) {
    for (place, problem) in problems.enumerate() {
        let file = folder.join(format!("{}.{}.dlx", name.replace(' ', "-"), place + 1));
        std::fs::write(file, dlx::text::write(&problem)).expect("the folder is there");
    }
}

fn measure(name: &str, problems: impl Iterator<Item = Problem>, plan: &Plan) -> Line {
    let mut line = Line {
        problem: name.to_owned(),
        has_cover: None,
        engine: String::new(),
        seconds: Vec::new(),
        nodes: Vec::new(),
        stopped: 0,
    };
    for problem in problems.map(Arc::new) {
        let limits = Limits::new().solutions(1).within(Duration::from_secs_f64(plan.seconds));
        let begun = ProcessTime::now();
        let mut solver = Solver::new(Arc::clone(&problem));
        let report = solver.search(&[], &limits, &mut |cover| {
            assert_eq!(dlx::verify(&problem, &[], cover), Ok(()), "{name}: a cover");
            ControlFlow::Continue(())
        });
        line.seconds.push(begun.elapsed().as_secs_f64());
        line.nodes.push(report.nodes);
        if report.end == End::Limit(Limit::Time) {
            line.stopped += 1;
            continue;
        }
        let has_cover = report.solutions > 0;
        assert_eq!(*line.has_cover.get_or_insert(has_cover), has_cover, "{name}: orders agree");
        if line.engine.is_empty() {
            let parts = solver.explain().parts.iter();
            line.engine = parts.map(|part| part.engine).max().unwrap_or("reduction").to_owned();
        }
    }
    let [time, longest] = middle(&line.seconds).map(milliseconds);
    let [nodes, most] = middle(&line.nodes);
    let cover = line.has_cover.map_or("?", |has_cover| if has_cover { "one" } else { "none" });
    let longest = if line.stopped > 0 { format!("{} not done", line.stopped) } else { longest };
    println!("| {name} | {cover} | {} | {time} | {longest} | {nodes} | {most} |", line.engine);
    line
}

fn summarize(lines: &[Line]) {
    let times = lines.iter().map(|line| middle(&line.seconds));
    let [median, worst] = [0, 1].map(|which| mean(times.clone().map(|both| both[which])));
    println!(
        "\n{} problems: geometric mean of the medians {}, of the worst {}; {} searches not done",
        lines.len(),
        milliseconds(median),
        milliseconds(worst),
        lines.iter().map(|line| line.stopped).sum::<usize>()
    );
}

/// Compares the measurements with a record, on the problems that both contain.
fn compare(lines: &[Line], path: &Path) -> ExitCode {
    let record = Record::<Line>::read(path);
    let before: BTreeMap<_, _> = record.problems.iter().map(|line| (&line.problem, line)).collect();
    let mut growths: Vec<(f64, &str)> = lines
        .iter()
        .filter_map(|line| {
            before.get(&line.problem).map(|then| (line.nodes() / then.nodes(), line.problem.as_str()))
        })
        .collect();
    growths.sort_by(|a, b| b.0.total_cmp(&a.0));
    let all = mean(growths.iter().map(|growth| growth.0));
    println!("\nnodes on {} problems, beside the record of {}: {all:.3}x", growths.len(), record.date);
    for (growth, problem) in growths.iter().filter(|growth| !(0.5..=2.0).contains(&growth.0)) {
        println!("  {problem}: {growth:.2}x");
    }
    if all > GROWTH {
        println!("the nodes have grown");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
