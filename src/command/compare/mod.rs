//! The command `compare` runs algorithms and programs on the same puzzles.

mod lesson;
mod table;

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use dlx::Limits;
use tempfile::NamedTempFile;

use crate::io::args::{InputArgs, PuzzleLimits, RuleList, Versus};
use crate::io::bar::Bar;
use crate::io::exit::Exit;
use crate::io::names::shown;
use crate::io::source::Puzzles;
use crate::io::{host, interrupt, memory, output, whole};
use compare::export::{csv, markdown};
use compare::plot::PLOTS;
use compare::{
    AsProgram, Comparison, Contender, Entrant, Mismatch, NamedPuzzle, OwnAlgorithm, Program,
    PuzzleInfo, Setup, html, measure,
};
use farandole::algorithm::{ALGORITHMS, AlgorithmSpec, VARIANTS};

type Entrants = Vec<Box<dyn Entrant>>;

pub(super) fn run(versus: Versus) -> Exit {
    if versus.lesson {
        let page = lesson::page(versus.time, versus.precision, versus.output.quiet);
        let exit = if interrupt::happened() { Exit::Interrupted } else { Exit::Done };
        return output::write_all(page.as_bytes(), exit);
    }
    let versus = versus.with_range();
    let mut text = String::new();
    let exit = match run_into(&versus, &mut text) {
        Ok(exit) => exit,
        Err(message) => {
            if !message.is_empty() {
                say!("{message}");
            }
            Exit::BadInput
        }
    };
    output::write_all(text.as_bytes(), exit)
}

/// Measures, or reads the record of an earlier comparison, and writes the result in all requested
/// forms.
fn run_into(versus: &Versus, text: &mut String) -> Result<Exit, String> {
    let record = versus.against.as_deref().map(read_record).transpose()?;
    probe_files(versus)?;
    let (comparison, faults) = match &versus.show {
        Some(path) => (read_record(path)?, 0),
        None => compare(versus)?,
    };
    let exit = judge(&comparison, versus, faults);
    if versus.output.json {
        lines(&comparison, text);
    } else {
        text.push_str(&table::show(&comparison, width()));
    }
    let written = write_files(&comparison, versus);
    if let Some(record) = record {
        let changes = comparison.changes_since(&record)?;
        push!(text, "\nSince the record of {}:\n{}", record.date, table::changes(&changes));
    }
    written.map(|()| exit)
}

/// Runs the comparison; also returns the number of unreadable puzzles.
fn compare(versus: &Versus) -> Result<(Comparison, usize), String> {
    let mut input = versus.input.clone();
    let kept = if versus.programs.is_empty() { Ok(None) } else { keep_input(&mut input) };
    // The temporary file is removed at the end of the comparison.
    let _kept = kept.map_err(|error| format!("standard input: cannot read: {error}"))?;
    let (puzzles, faults) = read(&input, versus);
    if puzzles.is_empty() {
        // Unreadable puzzles have already been reported.
        let message = if faults == 0 { "expected puzzles to compare on, found none" } else { "" };
        return Err(message.to_owned());
    }
    let (mut entrants, limit) = entrants(versus, &input)?;
    let bar = Bar::start(!versus.output.quiet);
    // While the puzzles are read, an interrupt ends the program. From here on it only sets a flag.
    let cancel = Some(interrupt::flag());
    let limits = bar.attached_to(Limits::new());
    let limits = limits.solutions(limit).nodes(versus.nodes).cancel(cancel);
    let limits = memory::guard(limits, None);
    let setup = Setup {
        puzzles,
        limits,
        time: versus.time,
        each: versus.each,
        precision: versus.precision,
        has_profile: versus.html.is_some() || versus.svg.is_some(),
    };
    let mut comparison = measure(&mut entrants, &setup, &mut |what| {
        // The memory of the previous contender has been freed.
        memory::recover();
        bar.tell(what);
    });
    bar.finish();
    comparison.command = command();
    comparison.date = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    Ok((comparison, faults))
}

type ToText = fn(&Comparison) -> String;

fn files(versus: &Versus) -> impl Iterator<Item = (&Path, ToText)> {
    let forms: [(&Option<PathBuf>, ToText); 4] = [
        (&versus.save, Comparison::to_record),
        (&versus.html, html),
        (&versus.csv, csv),
        (&versus.markdown, markdown),
    ];
    forms.into_iter().filter_map(|(path, form)| Some((path.as_deref()?, form)))
}

/// Checks in advance that all output files can be written, and creates the folder for plots.
fn probe_files(versus: &Versus) -> Result<(), String> {
    let folder = versus.svg.as_deref();
    let probe_folder = |folder: &Path| {
        whole::make_folder(folder)?;
        PLOTS.iter().try_for_each(|plot| whole::probe(&plot_file(folder, plot.name)))
    };
    let probed = files(versus).map(|(path, _)| whole::probe(path)).chain(folder.map(probe_folder));
    all_or_messages(probed)
}

/// Writes the requested files. If one of them cannot be written, the others are still written.
fn write_files(comparison: &Comparison, versus: &Versus) -> Result<(), String> {
    let texts = files(versus).map(|(path, form)| whole::write(path, form(comparison).as_bytes()));
    let plots = versus.svg.iter().flat_map(|folder| {
        PLOTS.iter().filter_map(|plot| {
            let svg = (plot.draw)(comparison)?;
            Some(whole::write(&plot_file(folder, plot.name), svg.as_bytes()))
        })
    });
    all_or_messages(texts.chain(plots))
}

fn plot_file(folder: &Path, name: &str) -> PathBuf {
    folder.join(name).with_extension("svg")
}

fn all_or_messages(results: impl Iterator<Item = Result<(), String>>) -> Result<(), String> {
    let messages: Vec<String> = results.filter_map(Result::err).collect();
    if messages.is_empty() { Ok(()) } else { Err(messages.join("\n")) }
}

fn read_record(path: &Path) -> Result<Comparison, String> {
    let named = |message: String| format!("{}: {message}", shown(path));
    let text = fs::read_to_string(path).map_err(|error| named(format!("cannot read: {error}")))?;
    Comparison::from_record(&text).map_err(named)
}

impl Versus {
    /// Adds one input for each size of `--range`, with the size in place of `{}`.
    fn with_range(mut self) -> Self {
        let Some(range) = &self.range else { return self };
        let template = self.input.files.pop().unwrap_or_else(|| "{}".into());
        let files = range.clone().map(|size| with_size(&template, size));
        self.input.files = files.collect();
        self
    }
}

fn with_size(template: &OsStr, size: u64) -> OsString {
    // A file name that is not UTF-8 cannot contain the placeholder.
    template
        .to_str()
        .map_or_else(|| template.into(), |text| text.replace("{}", &size.to_string()).into())
}

/// Creates all contenders; also returns the limit on solutions.
fn entrants(versus: &Versus, input: &InputArgs) -> Result<(Entrants, Option<u64>), String> {
    let programs = versus.programs.iter().map(|text| Program::parse(text));
    let programs = programs.collect::<Result<Vec<Program>, String>>()?;
    let limit = versus.limit.or_else(|| programs.iter().any(Program::finds_one).then_some(1));
    let is_named = |spec: &&AlgorithmSpec| versus.engine.iter().any(|name| name == spec.name);
    let specs = ALGORITHMS.iter().filter(|spec| versus.engine.is_empty() || is_named(spec));
    let specs = specs.chain(VARIANTS.iter().filter(is_named));
    let mut entrants: Entrants = Vec::new();
    for spec in specs {
        let own = OwnAlgorithm::new(spec);
        entrants.push(match programs[..] {
            [] => Box::new(own),
            _ => Box::new(AsProgram::new(own, arguments(input, spec.name, limit))?),
        });
    }
    entrants.extend(programs.into_iter().map(|program| Box::new(program) as Box<dyn Entrant>));
    Ok((entrants, limit))
}

/// Returns Farandole's command-line arguments for counting the solutions of the same puzzles.
fn arguments(input: &InputArgs, engine: &str, limit: Option<u64>) -> Vec<OsString> {
    let mut words: Vec<OsString> =
        ["count", "--quiet", "--threads", "1", "--engine", engine].map(OsString::from).into();
    let mut option = |name: &str, value: Option<String>| {
        words.extend(value.map(|value| OsString::from(format!("--{name}={value}"))));
    };
    option("limit", limit.map(|limit| limit.to_string()));
    option("puzzle", input.puzzle.clone());
    option("from", input.from.clone());
    option("boxes", input.boxes.map(|(width, height)| format!("{width}x{height}")));
    let names = |rules: &RuleList| rules.0.iter().map(|rule| rule.name()).collect::<Vec<_>>().join(",");
    option("rules", input.rules.as_ref().map(names));
    words.push("--".into());
    words.extend(input.files.iter().cloned());
    words
}

/// Copies standard input to a temporary file, so that it can be read repeatedly.
fn keep_input(input: &mut InputArgs) -> io::Result<Option<NamedTempFile>> {
    if input.files.is_empty() {
        input.files.push("-".into());
    }
    let Some(place) = input.files.iter_mut().find(|name| *name == "-") else { return Ok(None) };
    let mut file = NamedTempFile::new()?;
    match host::take_input() {
        Some(text) => file.write_all(&text)?,
        None => drop(io::copy(&mut io::stdin(), &mut file)?),
    }
    *place = file.path().into();
    Ok(Some(file))
}

/// Reads the puzzles; also returns the number of unreadable ones.
fn read(input: &InputArgs, versus: &Versus) -> (Vec<NamedPuzzle>, usize) {
    let (mut puzzles, mut faults) = (Vec::new(), 0);
    for job in Puzzles::new(input, PuzzleLimits::within(Some(versus.time))).with_covers() {
        match job.puzzle {
            Ok(puzzle) => {
                let problem = puzzle.problem();
                let size = versus.range.as_ref().and_then(|range| range.clone().nth(puzzles.len()));
                let name = match size {
                    Some(size) => size.to_string(),
                    None if job.is_line => format!("{}:{}", job.origin.path, job.number),
                    None => job.origin.path.to_string(),
                };
                let info = PuzzleInfo {
                    name,
                    kind: job.kind.to_owned(),
                    size,
                    items: problem.item_count() as u64,
                    options: problem.option_count() as u64,
                };
                puzzles.push((info, puzzle));
            }
            Err(fault) => {
                faults += 1;
                say!("{}", fault.to_string().trim_end());
            }
        }
    }
    (puzzles, faults)
}

/// Prints remarks and differing answers, and returns the exit code.
fn judge(comparison: &Comparison, versus: &Versus, faults: usize) -> Exit {
    if !versus.output.quiet {
        comparison.remarks.iter().for_each(|remark| say!("{remark}"));
    }
    if let Some(mismatch) = &comparison.mismatch {
        let Mismatch { puzzle, contenders: [first, second], answers: [one, other], smallest } =
            mismatch;
        let name = &comparison.puzzles[*puzzle].name;
        say!("puzzle {name}: {first} and {second} disagree: {one} against {other}");
        if let Some(smallest) = smallest {
            say!("smallest puzzle found on which they disagree:\n{}", smallest.trim_end());
        }
        return Exit::Failed;
    }
    if interrupt::happened() {
        Exit::Interrupted
    } else if faults > 0 {
        Exit::BadInput
    } else if comparison.contenders.iter().any(Contender::is_finished) {
        Exit::Done
    } else {
        Exit::Limited
    }
}

/// Returns the command line of this process, with `farandole` instead of the path of the program.
fn command() -> Vec<String> {
    let words = std::env::args_os().skip(1).map(shown);
    std::iter::once("farandole".to_owned()).chain(words).collect()
}

#[cfg(not(target_family = "wasm"))]
fn width() -> usize {
    terminal_size::terminal_size_of(io::stdout())
        .map_or(table::WIDTH, |(width, _)| usize::from(width.0))
}

#[cfg(target_family = "wasm")]
fn width() -> usize {
    table::WIDTH
}

fn lines(comparison: &Comparison, text: &mut String) {
    let best = comparison.contenders.first().filter(|contender| contender.is_finished());
    for contender in &comparison.contenders {
        pushln!(text, "{}", table::as_json(contender, best));
    }
}
