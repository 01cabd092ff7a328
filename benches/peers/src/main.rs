//! Compares the solver and the engine `links` with the crates `dlx`, `dlx-rs`, `exact-cover` and
//! `dancing-links` on problems in Knuth's format.
//!
//!     cargo run --release -- [--limit N] [--rounds N] [--memory] FILE...
//!
//! Each program builds its data structure and then searches; only the search is timed, except that
//! the time of the solver, `auto`, includes everything. The programs take turns. The output has the
//! median time of `auto`, the times of the other programs as multiples of it, and the number of
//! solutions. If a program finds another number of solutions, the output names it and the exit code
//! is 1.
//!
//! With `--memory` it prints the size of each data structure instead, in bytes per entry of the
//! problem.

mod peer_dancing_links;
mod peer_dlx_crate;
mod peer_dlx_rs;
mod peer_exact_cover;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use dlx::{Engine, Limits, Problem, Solver};
use peak_alloc::PeakAlloc;

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// Builds a search that counts solutions up to a limit, or returns the reason why the program
/// cannot solve the problem.
type Prepare = fn(&Problem, Option<u64>) -> Result<Box<dyn FnOnce() -> u64>, String>;

/// The compared programs; `auto` and `links` are from this project.
const PROGRAMS: [(&str, Prepare); 6] = [
    ("auto", auto),
    ("links", links),
    ("dlx", peer_dlx_crate::prepare),
    ("dlx-rs", peer_dlx_rs::prepare),
    ("exact-cover", peer_exact_cover::prepare),
    ("dancing-links", peer_dancing_links::prepare),
];

/// The engines of this project whose memory is shown.
const ENGINES: [&str; 4] = ["links", "cells", "masks", "counts"];

fn auto(problem: &Problem, limit: Option<u64>) -> Result<Box<dyn FnOnce() -> u64>, String> {
    let mut solver = Solver::new(problem.clone());
    let limits = Limits::new().solutions(limit);
    Ok(Box::new(move || solver.count(&[], &limits).solutions))
}

fn links(problem: &Problem, limit: Option<u64>) -> Result<Box<dyn FnOnce() -> u64>, String> {
    let mut links = dlx::engine::Links::new(problem);
    let limits = Limits::new().solutions(limit);
    Ok(Box::new(move || links.count(&[], &limits).solutions))
}

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<ExitCode, String> {
    let (mut limit, mut rounds, mut memory, mut files) = (None, 5, false, Vec::new());
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut number = || {
            let value = args.next().and_then(|value| value.parse::<u64>().ok());
            value.ok_or_else(|| format!("expected a number behind {arg}"))
        };
        match arg.as_str() {
            "--limit" => limit = Some(number()?),
            "--rounds" => rounds = number()?,
            "--memory" => memory = true,
            _ => files.push(arg),
        }
    }
    if files.is_empty() {
        return Err("usage: farandole-peers [--limit N] [--rounds N] [--memory] FILE...".to_owned());
    }
    if memory {
        for file in &files {
            show_memory(file)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    print!("{:<28} {:>12} {:>12}", "problem", "solutions", PROGRAMS[0].0);
    for (name, _) in &PROGRAMS[1..] {
        print!(" {name:>13}");
    }
    println!();
    let (mut agree, mut logs) = (true, vec![Vec::new(); PROGRAMS.len()]);
    for file in &files {
        let (name, problem) = read(file)?;
        agree &= measure(name, &problem, limit, rounds, &mut logs)?;
    }
    print!("{:<28} {:>12} {:>12}", "geometric mean", "", "");
    for logs in &logs[1..] {
        let mean = logs.iter().sum::<f64>() / logs.len().max(1) as f64;
        print!(" {:>12.2}x", mean.exp());
    }
    println!();
    Ok(if agree { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn read(file: &str) -> Result<(&str, Problem), String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let problem = text.parse().map_err(|error| format!("{file}:{error}"))?;
    Ok((file.rsplit('/').next().unwrap_or(file).trim_end_matches(".dlx"), problem))
}

fn show_memory(file: &str) -> Result<(), String> {
    let (name, problem) = read(file)?;
    let entries = problem.entry_count();
    print!("{name:<28} {entries:>9} entries, bytes for each:");
    let show = |name: &str, before: usize| {
        let bytes = HEAP.current_usage().saturating_sub(before) as f64 / entries.max(1) as f64;
        print!("  {name} {bytes:.1}");
    };
    for name in ENGINES {
        let spec = dlx::ENGINES.iter().find(|spec| spec.name == name);
        let spec = spec.ok_or_else(|| format!("no engine {name}"))?;
        let before = HEAP.current_usage();
        if let Ok(mut engine) = (spec.build)(&problem) {
            // Search one node, because an engine may build some of its tables only when a search
            // begins.
            engine.count(&[], &Limits::new().nodes(1));
            show(name, before);
        }
    }
    for (name, prepare) in &PROGRAMS[2..] {
        let before = HEAP.current_usage();
        if let Ok(search) = prepare(&problem, Some(1)) {
            show(name, before);
            drop(search);
        }
    }
    println!();
    Ok(())
}

/// Measures one problem and prints its line; returns `false` if two programs report different
/// solution counts.
fn measure(
    name: &str,
    problem: &Problem,
    limit: Option<u64>,
    rounds: u64,
    logs: &mut [Vec<f64>],
) -> Result<bool, String> {
    let mut times = vec![Vec::new(); PROGRAMS.len()];
    let mut counts = vec![None; PROGRAMS.len()];
    let started = Instant::now();
    for round in 0..rounds.max(1) {
        for (index, (_, prepare)) in PROGRAMS.iter().enumerate() {
            let Ok(search) = prepare(problem, limit) else { continue };
            let begin = Instant::now();
            counts[index] = Some(search());
            times[index].push(begin.elapsed());
        }
        if round > 0 && started.elapsed() > Duration::from_secs(60) {
            break;
        }
    }
    let median = |times: &mut Vec<Duration>| {
        times.sort_unstable();
        times.get(times.len() / 2).map(Duration::as_secs_f64)
    };
    let ours = median(&mut times[0]).ok_or("the solver takes every problem")?;
    let solutions = counts[0].unwrap_or_default();
    print!("{name:<28} {solutions:>12} {:>9.3} ms", ours * 1e3);
    let mut agree = true;
    for index in 1..PROGRAMS.len() {
        match median(&mut times[index]) {
            None => print!(" {:>13}", "-"),
            Some(time) => {
                print!(" {:>12.2}x", time / ours);
                logs[index].push((time / ours).ln());
            }
        }
        if counts[index].is_some_and(|count| count != solutions) {
            print!(" {} finds {}!", PROGRAMS[index].0, counts[index].unwrap_or_default());
            agree = false;
        }
    }
    println!();
    Ok(agree)
}
