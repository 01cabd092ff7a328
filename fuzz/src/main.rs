//! Runs fuzz targets: `hunt [--seed N] [--runs N | --seconds N] [TARGET...]`.
//!
//! `hunt TARGET --input FILE` runs a target on one input. `hunt --seeds FOLDER` writes the seeds
//! for libFuzzer. `hunt --sweep NAME` tries every change of the texts whose names contain NAME
//! (`""` for all texts).
//!
//! Without `--runs` and `--seconds`, each target makes a short run.

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use farandole_fuzz::drive::{Until, drive, shrink, try_once};
use farandole_fuzz::targets::{TARGETS, by_name, edits};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let (mut seed, mut until, mut names, mut input) = (1, None, Vec::new(), None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("expected a value behind {argument}"));
        let number = |text: String| {
            text.parse::<u64>().map_err(|_| format!("expected a number, found `{text}`"))
        };
        match argument.as_str() {
            "--seed" => seed = number(value()?)?,
            "--runs" => until = Some(Until::Runs(number(value()?)?)),
            "--seconds" => until = Some(Until::Time(Duration::from_secs(number(value()?)?))),
            "--input" => input = Some(value()?),
            "--sweep" => {
                edits::sweep(&value()?, |finding| println!("{finding}\n"));
                return Ok(());
            }
            "--seeds" => return write_seeds(Path::new(&value()?)).map_err(|error| error.to_string()),
            _ => names.push(argument),
        }
    }
    let mut targets = Vec::new();
    for name in &names {
        let known = || TARGETS.iter().map(|target| target.name).collect::<Vec<_>>().join(", ");
        targets
            .push(by_name(name).ok_or_else(|| format!("expected one of {}, found `{name}`", known()))?);
    }
    if targets.is_empty() {
        targets.extend(TARGETS);
    }
    if let Some(path) = input {
        // For a single input, the panic message also shows the location of the panic.
        let bytes = std::fs::read(&path).map_err(|error| format!("{path}: {error}"))?;
        return targets.into_iter().try_for_each(|target| try_once(target, &bytes));
    }
    // Shortening repeats the failure many times, so panic messages are suppressed. The last message
    // is printed at the end.
    std::panic::set_hook(Box::new(|_| {}));
    for target in targets {
        let start = Instant::now();
        let runs = drive(target, seed, until.unwrap_or(Until::Runs(target.short_runs)));
        let runs = runs.map_err(|failure| shrink(target, failure).to_string())?;
        println!("{:8} {runs:>9} executions in {:.1} s", target.name, start.elapsed().as_secs_f64());
    }
    Ok(())
}

fn write_seeds(folder: &Path) -> std::io::Result<()> {
    for target in TARGETS {
        let folder = folder.join(target.name);
        std::fs::create_dir_all(&folder)?;
        for (number, seed) in (target.seeds)().iter().enumerate() {
            std::fs::write(folder.join(number.to_string()), seed)?;
        }
    }
    Ok(())
}
