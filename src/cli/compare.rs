//! The command `compare`: every algorithm that can, on the same puzzles, side by side.
//!
//! Each algorithm first searches every puzzle once for its answers: the number of solutions and an
//! order-free digest of them, which must agree. Then rounds in which the algorithms take turns only
//! count, and the median of the rounds is shown; an algorithm that is slow keeps its first time.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use comfy_table::{CellAlignment, Table, presets};
use dlx::engine::Unsupported;
use dlx::{End, Limit, Limits, OptionId, Report};
use serde_json::json;

use super::args::{Input, Output};
use super::bar::Bar;
use super::exit::Exit;
use super::interrupt;
use super::output;
use super::source::Puzzles;
use crate::algorithm::{ALGORITHMS, Algorithm, AlgorithmSpec};
use crate::puzzle::Puzzle;

/// Rounds of counting after the first search, while they fit into this time for each algorithm.
const ROUNDS: usize = 5;
const ROUND_TIME: Duration = Duration::from_millis(1500);

/// What an algorithm said of one puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Answer {
    solutions: u64,
    /// The sum of the hashes of the solutions; `None` if a limit left some out.
    digest: Option<u64>,
}

/// One algorithm with its answers and costs.
struct Contender {
    spec: &'static AlgorithmSpec,
    algorithm: Box<dyn Algorithm>,
    /// By puzzle; `None` if it was not finished.
    answers: Vec<Option<Answer>>,
    times: Vec<Duration>,
    solutions: u64,
    nodes: u64,
    updates: u64,
    state: State,
}

enum State {
    Finished,
    /// Stopped by a limit, and which.
    Stopped(&'static str),
    /// Does not take one of the puzzles.
    Unsupported(Unsupported),
}

/// Runs the command and returns how it ended.
pub(super) fn run(
    input: &Input,
    names: &[String],
    limits: &Limits,
    time: Duration,
    form: &Output,
) -> Exit {
    let (mut puzzles, mut faults) = (Vec::new(), 0);
    for job in Puzzles::new(input) {
        match job.puzzle {
            Ok(puzzle) => puzzles.push((job.number, puzzle)),
            Err(fault) => {
                faults += 1;
                say!("{}", fault.to_string().trim_end());
            }
        }
    }
    if puzzles.is_empty() {
        if faults == 0 {
            say!("expected puzzles to compare on, found none");
        }
        return Exit::BadInput;
    }
    let specs = ALGORITHMS.iter().filter(|s| names.is_empty() || names.iter().any(|n| n == s.name));
    let mut contenders: Vec<Contender> = specs.map(Contender::new).collect();
    let bar = Bar::start(!form.quiet);
    // Only now: while puzzles are read, an interrupt just ends the program.
    let cancel = Some(interrupt::flag());
    let limits = Limits { cancel, progress: Some(Arc::clone(bar.progress())), ..limits.clone() };
    for contender in &mut contenders {
        contender.answer(&puzzles, &limits, time);
    }
    for _ in 0..ROUNDS {
        for contender in &mut contenders {
            contender.take_time(&puzzles, &limits);
        }
    }
    bar.finish();
    let mismatch = find_mismatch(&puzzles, &contenders);
    contenders.sort_by_key(Contender::rank);
    let text = if form.json { as_json(&contenders) } else { as_table(&contenders) };
    let has_finished = contenders.iter().any(|contender| matches!(contender.state, State::Finished));
    let exit = if let Some(message) = mismatch {
        say!("{message}");
        Exit::Failed
    } else if interrupt::happened() {
        Exit::Interrupted
    } else if faults > 0 {
        Exit::BadInput
    } else if has_finished {
        Exit::Done
    } else {
        Exit::Limited
    };
    output::write_all(text.as_bytes(), exit)
}

impl Contender {
    fn new(spec: &'static AlgorithmSpec) -> Self {
        Self {
            spec,
            algorithm: spec.build(),
            answers: Vec::new(),
            times: Vec::new(),
            solutions: 0,
            nodes: 0,
            updates: 0,
            state: State::Finished,
        }
    }

    /// Searches every puzzle once.
    fn answer(&mut self, puzzles: &[(u64, Box<dyn Puzzle>)], limits: &Limits, time: Duration) {
        let started = Instant::now();
        let limits = limits.clone().within(time);
        for (_, puzzle) in puzzles {
            let mut digest = 0_u64;
            let mut sorted = Vec::new();
            let mut visit = |cover: &[OptionId]| {
                sorted.clear();
                sorted.extend_from_slice(cover);
                sorted.sort_unstable();
                let mut hasher = DefaultHasher::new();
                sorted.hash(&mut hasher);
                digest = digest.wrapping_add(hasher.finish());
                ControlFlow::Continue(())
            };
            match self.algorithm.search(puzzle.as_ref(), &limits, &mut visit) {
                Err(unsupported) => {
                    self.state = State::Unsupported(unsupported);
                    return;
                }
                Ok(Report { end, solutions, nodes, updates, .. }) => {
                    self.solutions += solutions;
                    self.nodes += nodes;
                    self.updates += updates;
                    let answer = match end {
                        End::Exhausted => Some(Answer { solutions, digest: Some(digest) }),
                        End::Limit(Limit::Solutions) => Some(Answer { solutions, digest: None }),
                        _ => None,
                    };
                    self.answers.push(answer);
                    self.state = match end {
                        End::Limit(Limit::Time) => State::Stopped("time"),
                        End::Limit(Limit::Nodes) => State::Stopped("nodes"),
                        End::Limit(Limit::Cancelled) => State::Stopped("interrupted"),
                        _ => continue,
                    };
                    break;
                }
            }
        }
        self.times.push(started.elapsed());
    }

    /// Counts every puzzle once more and keeps the time, if that does not take too long.
    fn take_time(&mut self, puzzles: &[(u64, Box<dyn Puzzle>)], limits: &Limits) {
        let is_finished = matches!(self.state, State::Finished);
        let spent: Duration = self.times.iter().sum();
        if !is_finished || interrupt::happened() || spent + self.time() > ROUND_TIME {
            return;
        }
        let puzzles: Vec<&dyn Puzzle> = puzzles.iter().map(|(_, puzzle)| puzzle.as_ref()).collect();
        let started = Instant::now();
        // The first search went well, so this one does.
        let _ = self.algorithm.count_all(&puzzles, limits);
        let elapsed = started.elapsed();
        if !interrupt::happened() {
            self.times.push(elapsed);
        }
    }

    /// Returns the median of the rounds of counting, or else the time of the first search.
    fn time(&self) -> Duration {
        let mut times = match &self.times[..] {
            [] => return Duration::ZERO,
            [first] => return *first,
            [_, rounds @ ..] => rounds.to_vec(),
        };
        times.sort_unstable();
        times[times.len() / 2]
    }

    /// Sorts the finished ones by time, then those that were stopped, then those that cannot.
    fn rank(&self) -> (u8, Duration) {
        match self.state {
            State::Finished => (0, self.time()),
            State::Stopped(_) => (1, self.time()),
            State::Unsupported(_) => (2, Duration::ZERO),
        }
    }
}

/// Finds two algorithms whose answers to a puzzle differ.
fn find_mismatch(puzzles: &[(u64, Box<dyn Puzzle>)], contenders: &[Contender]) -> Option<String> {
    for (index, (number, _)) in puzzles.iter().enumerate() {
        let mut known: Option<(&str, Answer)> = None;
        for contender in contenders {
            let Some(Some(answer)) = contender.answers.get(index) else { continue };
            let name = contender.spec.name;
            let (first, expected) = *known.get_or_insert((name, *answer));
            if expected.solutions != answer.solutions {
                let (found, expected) = (answer.solutions, expected.solutions);
                return Some(format!(
                    "puzzle {number}: {first} and {name} disagree: {expected} solutions against {found}"
                ));
            }
            if expected.digest.is_some() && answer.digest.is_some() && expected.digest != answer.digest
            {
                return Some(format!("puzzle {number}: {first} and {name} disagree: other solutions"));
            }
        }
    }
    None
}

fn as_table(contenders: &[Contender]) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["engine", "time", "ratio", "nodes", "updates", "solutions", ""]);
    let best = contenders.first().map_or(Duration::ZERO, Contender::time);
    for contender in contenders {
        let (time, ratio) = match contender.state {
            State::Finished => {
                let ratio = contender.time().as_secs_f64() / best.as_secs_f64().max(1e-9);
                (show_time(contender.time()), format!("{ratio:.2}x"))
            }
            State::Stopped(_) => (format!("> {}", show_time(contender.time())), String::new()),
            State::Unsupported(_) => (String::new(), String::new()),
        };
        let note = match &contender.state {
            State::Finished => String::new(),
            State::Stopped("time") => "stopped by --time".to_owned(),
            State::Stopped("nodes") => "stopped by --nodes".to_owned(),
            State::Stopped(what) => (*what).to_owned(),
            State::Unsupported(unsupported) => unsupported.to_string(),
        };
        let is_known = !matches!(contender.state, State::Unsupported(_));
        let count = |number: u64| if is_known { group_digits(number) } else { String::new() };
        let plus = if matches!(contender.state, State::Stopped(_)) { "+" } else { "" };
        table.add_row([
            contender.spec.name.to_owned(),
            time,
            ratio,
            count(contender.nodes),
            count(contender.updates),
            if is_known { group_digits(contender.solutions) + plus } else { String::new() },
            note,
        ]);
    }
    for column in 1..6 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned() + "\n").collect();
    lines.concat()
}

fn as_json(contenders: &[Contender]) -> String {
    let mut text = String::new();
    for contender in contenders {
        let state = match &contender.state {
            State::Finished => "finished".to_owned(),
            State::Stopped(what) => format!("stopped: {what}"),
            State::Unsupported(unsupported) => unsupported.to_string(),
        };
        let line = json!({
            "engine": contender.spec.name,
            "seconds": contender.time().as_secs_f64(),
            "nodes": contender.nodes,
            "updates": contender.updates,
            "count": contender.solutions.to_string(),
            "complete": matches!(contender.state, State::Finished),
            "state": state,
        });
        text.push_str(&line.to_string());
        text.push('\n');
    }
    text
}

/// Shows a time with three digits.
fn show_time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let (value, unit) = match seconds {
        s if s < 1e-3 => (s * 1e6, "us"),
        s if s < 1.0 => (s * 1e3, "ms"),
        s => (s, "s"),
    };
    let digits = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.digits$} {unit}")
}

/// Shows a number with a comma before every third digit from the right.
fn group_digits(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}
