//! The command `estimate` prints an estimated number of solutions, and the cost of counting them.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::time::Instant;

use dlx::estimate::{self, Estimate, RUNS_MIN, Settings};
use dlx::{Limit, Limits};
use serde_json::{Value, json};

use crate::io::args::{EstimateArgs, PuzzleLimits};
use crate::io::exit::Exit;
use crate::io::source::Puzzles;
use crate::io::{interrupt, memory, output};

pub(super) fn run(asked: &EstimateArgs) -> Exit {
    let EstimateArgs { ref input, time, precision, beam, runs, seed, output: ref form } = *asked;
    let settings =
        Settings::new().beam(beam.map(NonZeroUsize::get)).seed(seed).runs(runs).precision(precision);
    let cancel = interrupt::flag();
    let mut stdout = io::BufWriter::new(output::stdout());
    let mut exit = Exit::Done;
    for job in Puzzles::new(input, PuzzleLimits::within(Some(time))).with_covers().quiet(form.quiet) {
        memory::recover();
        let (number, kind) = (job.number, job.kind);
        let started = Instant::now();
        let limits = Limits::new().cancel(cancel.clone()).within(time);
        let limits = memory::guard(limits, None);
        let estimated = match &job.puzzle {
            Ok(puzzle) => {
                let found = estimate::estimate(puzzle.problem(), puzzle.given(), &limits, &settings);
                found.map_err(|limit| (Exit::Limited, format!("puzzle {number}: {}", refused(limit))))
            }
            Err(fault) => Err((fault.exit(), fault.to_string().trim_end().to_owned())),
        };
        let line = match estimated {
            Ok(estimate) => {
                let seconds = started.elapsed().as_secs_f64();
                if !form.quiet {
                    explain(number, &estimate, seconds);
                }
                match form.json {
                    true => job.origin.object(number, object(kind, &estimate, seconds)).to_string(),
                    false => show(&estimate),
                }
            }
            Err((reason, message)) => {
                exit = exit.max(reason);
                say!("{message}");
                match form.json {
                    true => job.origin.object(number, json!({ "error": message })).to_string(),
                    false => "error".to_owned(),
                }
            }
        };
        if let Err(error) = writeln!(stdout, "{line}").and_then(|()| stdout.flush()) {
            return output::lost(&error);
        }
        if interrupt::happened() {
            return Exit::Interrupted;
        }
    }
    exit
}

fn refused(limit: Limit) -> &'static str {
    match limit {
        Limit::Time => "there was no time for an estimate",
        Limit::Cancelled => "the estimate was cancelled",
        Limit::Memory if memory::is_short() => "there was no memory for an estimate",
        _ => "a state would take too many bits for an estimate",
    }
}

fn show(estimate: &Estimate) -> String {
    let Estimate { count, low, high, is_exact, .. } = estimate;
    if *is_exact { format!("{count} exactly") } else { format!("{count} ({low} to {high})") }
}

fn explain(number: u64, estimate: &Estimate, elapsed: f64) {
    let Estimate { is_exact, runs, beam, error, largest, states, seconds, bytes, .. } = estimate;
    if *is_exact {
        say!(
            "puzzle {number}: the estimate is exact, after {elapsed:.1} s; `farandole count` prints all \
             digits"
        );
        return;
    }
    say!(
        "puzzle {number}: {runs} runs with {beam} states a step in {elapsed:.1} s, standard error \
         {:.2} %",
        error * 100.0
    );
    if *runs < RUNS_MIN || *largest > 0.1 {
        say!(
            "puzzle {number}: the interval is unreliable ({:.0} % of the sum is from one of {runs} runs)",
            largest * 100.0
        );
    }
    say!(
        "puzzle {number}: an exact count by a frontier would go through about {states:.1e} states, \
         in {} and {}",
        duration(*seconds),
        memory::shown(*bytes)
    );
}

fn duration(seconds: f64) -> String {
    match seconds {
        ..1.0 => "less than a second".to_owned(),
        ..120.0 => format!("about {seconds:.0} s"),
        ..7200.0 => format!("about {:.0} min", seconds / 60.0),
        ..172_800.0 => format!("about {:.0} h", seconds / 3600.0),
        ..6.3e7 => format!("about {:.0} days", seconds / 86_400.0),
        _ => format!("about {:.1e} years", seconds / 3.156e7),
    }
}

fn object(kind: &str, estimate: &Estimate, elapsed: f64) -> Value {
    // JSON has no infinity, so an infinite number becomes null.
    json!({
        "kind": kind,
        "estimate": estimate.count.to_string(),
        "low": estimate.low.to_string(),
        "high": estimate.high.to_string(),
        "log10": estimate.count.log10(),
        "error": estimate.error,
        "exact": estimate.is_exact,
        "runs": estimate.runs,
        "beam": estimate.beam,
        "largest": estimate.largest,
        "states": estimate.states,
        "count_seconds": estimate.seconds,
        "count_bytes": estimate.bytes,
        "seconds": elapsed,
    })
}
