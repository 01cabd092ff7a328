//! Times the engine `links` beside the crates `dlx`, `dlx-rs`, `exact-cover` and `dancing-links` on problems in Knuth's text.
//!
//!     cargo run --release -- [--limit N] [--rounds N] FILE...
//!
//! Each program builds its structure, then searches; only the search is timed. The programs take
//! turns, so that a machine that slows down slows all of them, and medians are shown: the time of
//! `links`, and the others' as a multiple of it. The number of solutions stands beside them; a
//! program that finds another number is named and the exit code is 1.

mod peer_dancing_links;
mod peer_dlx_crate;
mod peer_dlx_rs;
mod peer_exact_cover;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use dlx::{Engine, Limits, Problem};

/// Builds a search that counts solutions up to a limit, or says why it cannot.
type Prepare = fn(&Problem, Option<u64>) -> Result<Box<dyn FnOnce() -> u64>, String>;

/// The programs, ours first.
const PROGRAMS: [(&str, Prepare); 5] = [
    ("links", links),
    ("dlx", peer_dlx_crate::prepare),
    ("dlx-rs", peer_dlx_rs::prepare),
    ("exact-cover", peer_exact_cover::prepare),
    ("dancing-links", peer_dancing_links::prepare),
];

fn links(problem: &Problem, limit: Option<u64>) -> Result<Box<dyn FnOnce() -> u64>, String> {
    let mut links = dlx::engine::Links::new(problem);
    let limits = Limits { solutions: limit, ..Limits::default() };
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
    let (mut limit, mut rounds, mut files) = (None, 5, Vec::new());
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut number = || {
            let value = args.next().and_then(|value| value.parse::<u64>().ok());
            value.ok_or_else(|| format!("expected a number behind {arg}"))
        };
        match arg.as_str() {
            "--limit" => limit = Some(number()?),
            "--rounds" => rounds = number()?,
            _ => files.push(arg),
        }
    }
    if files.is_empty() {
        return Err("usage: farandole-peers [--limit N] [--rounds N] FILE...".to_owned());
    }
    print!("{:<28} {:>12} {:>12}", "problem", "solutions", "links");
    for (name, _) in &PROGRAMS[1..] {
        print!(" {name:>13}");
    }
    println!();
    let (mut agree, mut logs) = (true, vec![Vec::new(); PROGRAMS.len()]);
    for file in &files {
        let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
        let problem: Problem = text.parse().map_err(|error| format!("{file}:{error}"))?;
        let name = file.rsplit('/').next().unwrap_or(file).trim_end_matches(".dlx");
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

/// Measures one problem and prints its line; `false` if the counts differ.
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
    let ours = median(&mut times[0]).ok_or("links takes every problem")?;
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
