//! What is asked of all solutions together: `count --per-option`, `count --histogram`, `sample`,
//! `rank`, `unrank`.
//!
//! All of it is answered by the decision diagram of a puzzle (or by one that is read, `--from zdd`).
//! How large that gets is guessed beforehand, so that a puzzle with a hopeless one is refused at once.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read as _, Write};

use dlx::Random;
use dlx::diagram::{Diagram, DiagramPlan};
use dlx::engine::Links;
use dlx::limits::Pace;
use dlx::{Limit, Limits, OptionId, Problem};
use num_bigint::BigUint;
use serde_json::{Value, json};

use crate::cli::io::args::{Ask, InputArgs, RunArgs};
use crate::cli::io::exit::Exit;
use crate::cli::io::interrupt;
use crate::cli::io::memory;
use crate::cli::io::names::shown;
use crate::cli::io::output;
use crate::cli::io::source::{Fault, NumberedPuzzle, Origin, Puzzles};
use crate::grid::format;
use crate::input::InputError;
use crate::puzzle::cover::{self, ReadDiagram};
use crate::puzzle::{Fill, Puzzle};

/// The most bytes of a diagram where neither the user nor the system sets a limit.
const BYTES: u64 = 2 << 30;
/// The approximate time of a step down a diagram, in nanoseconds.
const WALK_STEP: u64 = 20;
/// The most different costs of a histogram.
const COSTS_MAX: usize = 1_000_000;

/// What is asked.
#[derive(Clone, Debug)]
pub(in crate::cli) enum Question {
    /// How many solutions there are.
    Count,
    /// In how many of them each option is.
    PerOption,
    /// How many there are of each cost.
    Histogram,
    /// Some of them, drawn at random.
    Sample { count: u64, seed: Option<u64> },
    /// Those of these numbers.
    Unrank(Vec<BigUint>),
    /// The numbers of those in this file.
    Rank(OsString),
}

impl From<RunArgs> for Ask {
    fn from(run: RunArgs) -> Self {
        let RunArgs { input, limits, output, .. } = run;
        Self { input, to: None, time: limits.time, memory: limits.memory, output }
    }
}

/// Why a puzzle has no answer, and how the command ends then.
struct Refusal {
    exit: Exit,
    message: String,
    /// Whether the message itself names the file and the line.
    names_place: bool,
}

impl Refusal {
    fn bad_input(message: impl Into<String>) -> Self {
        Self { exit: Exit::BadInput, message: message.into(), names_place: false }
    }

    /// What cannot be read, as a message that names the place.
    fn unread(message: impl Into<String>) -> Self {
        Self { names_place: true, ..Self::bad_input(message) }
    }

    fn limited(message: impl Into<String>) -> Self {
        Self { exit: Exit::Limited, ..Self::bad_input(message) }
    }
}

impl From<Limit> for Refusal {
    fn from(limit: Limit) -> Self {
        let what = match limit {
            Limit::Time => "time",
            Limit::Cancelled => {
                return Self { exit: Exit::Interrupted, ..Self::bad_input("interrupted") };
            }
            _ => "memory",
        };
        Self::limited(format!("stopped by the limit of {what}"))
    }
}

/// Which puzzle an answer is about.
#[derive(Clone)]
struct Heading {
    number: u64,
    origin: Origin,
    kind: &'static str,
}

/// A puzzle with the diagram of its solutions.
struct Subject {
    heading: Heading,
    puzzle: Box<dyn Puzzle>,
    diagram: Diagram,
    /// What the answers must keep to.
    limits: Limits,
}

/// Runs the command and returns how it ended.
pub(in crate::cli) fn run(ask: &Ask, question: &Question) -> Exit {
    let mut stdout = io::BufWriter::new(io::stdout().lock());
    let mut ends = Vec::new();
    let mut writer = Writer { out: String::new(), is_first: true };
    let form = ask.input.from.as_deref().and_then(cover::by_name);
    let read_diagram = form.and_then(|form| Some((form.name, form.diagram?)));
    let mut subjects: Box<dyn Iterator<Item = (Heading, Result<Subject, Refusal>)>> = match read_diagram
    {
        Some(form) => {
            let named = (1..).zip(names(&ask.input));
            Box::new(named.map(move |(number, name)| {
                let origin = Origin::whole(&shown_name(&name));
                let heading = Heading { number, origin, kind: form.0 };
                (heading.clone(), read(heading, &name, form.1, ask))
            }))
        }
        None => Box::new(Puzzles::new(&ask.input).map(|job| {
            let NumberedPuzzle { number, origin, kind, puzzle, .. } = job;
            let heading = Heading { number, origin, kind };
            (heading.clone(), build(heading, puzzle, ask))
        })),
    };
    loop {
        let subject = subjects.next();
        if interrupt::happened() {
            return Exit::Interrupted;
        }
        let Some((Heading { number, origin, kind }, subject)) = subject else { break };
        let answered =
            subject.and_then(|subject| subject.answer(ask, question, &mut writer, &mut stdout));
        match answered {
            Ok(Ok(exit)) => ends.push(exit),
            Ok(Err(error)) => return output::lost(&error),
            Err(Refusal { exit, message, names_place }) => {
                let message = message.trim_end();
                if ask.output.json {
                    let error = json!({ "kind": kind, "error": message });
                    pushln!(writer.out, "{}", origin.object(number, error));
                }
                let is_quiet = ask.output.quiet && exit == Exit::Limited;
                if !is_quiet {
                    let place = if names_place { String::new() } else { format!("puzzle {number}: ") };
                    say!("{place}{message}");
                }
                ends.push(exit);
            }
        }
        if let Err(error) = writer.flush(&mut stdout) {
            return output::lost(&error);
        }
        if interrupt::happened() {
            let lost = stdout.flush().err();
            return lost.map_or(Exit::Interrupted, |error| output::lost(&error));
        }
    }
    if let Err(error) = stdout.flush() {
        return output::lost(&error);
    }
    let worst = [Exit::BadInput, Exit::Limited, Exit::Failed];
    worst.into_iter().find(|exit| ends.contains(exit)).unwrap_or(Exit::Done)
}

/// What is written, in pieces.
struct Writer {
    out: String,
    /// Whether nothing was written yet that a solution is to be set apart from.
    is_first: bool,
}

impl Writer {
    fn flush(&mut self, stdout: &mut impl Write) -> io::Result<()> {
        stdout.write_all(self.out.as_bytes())?;
        self.out.clear();
        Ok(())
    }
}

fn names(input: &InputArgs) -> Vec<OsString> {
    if input.files.is_empty() { vec!["-".into()] } else { input.files.clone() }
}

/// Reads a file or standard input as a whole.
fn read_text(name: &OsStr) -> Result<String, Refusal> {
    let mut text = String::new();
    let read = match name == "-" {
        true => io::stdin().read_to_string(&mut text).map(|_| text),
        false => fs::read_to_string(name),
    };
    read.map_err(|error| Refusal::unread(format!("{}: cannot read: {error}", shown_name(name))))
}

fn shown_name(name: &OsStr) -> String {
    if name == "-" { "standard input".to_owned() } else { shown(name) }
}

/// Reads the diagram of a file.
fn read(
    heading: Heading,
    name: &OsStr,
    read_diagram: ReadDiagram,
    ask: &Ask,
) -> Result<Subject, Refusal> {
    let fault = |error: InputError| {
        Refusal::unread(format!("{}:{error}\n{}", shown_name(name), error.excerpt()))
    };
    let (diagram, problem) = read_diagram(&read_text(name)?).map_err(fault)?;
    let limits = limits(ask);
    Ok(Subject { heading, puzzle: cover::puzzle(problem), diagram, limits })
}

/// Returns the limits of what is asked about a puzzle that begins now.
fn limits(ask: &Ask) -> Limits {
    let limits = Limits::new().cancel(interrupt::flag());
    let limits = memory::guard(limits, ask.memory);
    match ask.time {
        Some(time) => limits.within(time),
        None => limits,
    }
}

/// Builds the diagram of a puzzle, unless it is too large.
fn build(
    heading: Heading,
    puzzle: Result<Box<dyn Puzzle>, Fault>,
    ask: &Ask,
) -> Result<Subject, Refusal> {
    let mut puzzle = puzzle.map_err(|fault| Refusal::unread(fault.to_string()))?;
    if let Some(format) = ask.to.as_deref().and_then(format::by_name) {
        puzzle.set_format(format).map_err(Refusal::bad_input)?;
    }
    let limits = limits(ask);
    let bytes = limits.memory.map_or(BYTES, |bytes| bytes as u64);
    let plan = DiagramPlan::new(puzzle.problem(), puzzle.given(), &limits)
        .map_err(|unbuilt| Refusal::limited(unbuilt.to_string()))?;
    let size = plan.size();
    // The guess may be off, but not so far.
    let is_hopeless = size.bytes > 4.0 * bytes as f64;
    let too_large = || {
        let (nodes, size) = (round(size.nodes), round(size.bytes));
        Refusal::limited(format!(
            "the diagram of all solutions has about {nodes} nodes, which take about {size} bytes; \
             {bytes} are allowed (--memory)"
        ))
    };
    if is_hopeless {
        return Err(too_large());
    }
    let built = plan.build(&limits, bytes);
    drop(plan);
    match built {
        Ok(diagram) => Ok(Subject { heading, puzzle, diagram, limits }),
        Err(unbuilt) if unbuilt.limit == Limit::Memory => Err(too_large()),
        Err(unbuilt) => Err(Refusal::limited(unbuilt.to_string())),
    }
}

/// Shows a guess with no more digits than it deserves.
fn round(guess: f64) -> String {
    if guess < 1e6 { format!("{guess:.0}") } else { format!("{guess:.1e}") }
}

impl Subject {
    /// Answers the question about the solutions of one puzzle; what cannot be written is the inner
    /// error.
    fn answer(
        &self,
        ask: &Ask,
        question: &Question,
        writer: &mut Writer,
        stdout: &mut impl Write,
    ) -> Result<io::Result<Exit>, Refusal> {
        let count = self.diagram.count();
        let is_solvable = count != BigUint::ZERO;
        let mut exit = if is_solvable { Exit::Done } else { Exit::Failed };
        let Heading { number, ref origin, kind } = self.heading;
        let mut object = origin.object(number, json!({ "kind": kind, "count": count.to_string() }));
        let mut pace = Pace::new(&self.limits);
        // A walk through the diagram meets each option once at most.
        let walk = WALK_STEP * (1 + self.diagram.options().len() as u64);
        match question {
            Question::Count => pushln!(writer.out, "{count}"),
            Question::PerOption => {
                let counts = self.diagram.counts_within(&self.limits)?;
                match self.puzzle.as_fill() {
                    Some(fill) if ask.output.json => object["counts"] = cells_as_json(fill, &counts),
                    Some(fill) => {
                        writer.out.push_str(if writer.is_first { "" } else { "\n" });
                        write_cells(fill, &counts, &mut writer.out);
                    }
                    None => self.write_options(&counts, &mut object, writer),
                }
                writer.is_first = false;
            }
            Question::Histogram => {
                let costs = self.diagram.histogram_within(COSTS_MAX, &self.limits)?;
                let costs = costs.ok_or_else(|| {
                    Refusal::limited(format!("there are more than {COSTS_MAX} different costs"))
                })?;
                let pair =
                    |(cost, count): (&u128, &BigUint)| json!([cost.to_string(), count.to_string()]);
                object["costs"] = costs.iter().map(pair).collect();
                costs.iter().for_each(|(cost, count)| pushln!(writer.out, "{cost}\t{count}"));
            }
            Question::Sample { count, seed } => {
                let seed = seed.unwrap_or_else(|| RandomState::new().hash_one(()));
                let mut random = Random::new(seed);
                let mut ended = Ok(());
                let draw = |_| {
                    ended = pace.spend(walk);
                    ended.ok()?;
                    self.diagram.sample(&mut || random.next_u64())
                };
                let written = self.show((0..*count).map_while(draw), ask, writer, stdout);
                return self.end_shown(written, ended, exit, ask, writer);
            }
            Question::Unrank(numbers) => {
                let missing = numbers.iter().find(|&number| *number >= count).filter(|_| is_solvable);
                let refused = missing.map(|number| {
                    Refusal::bad_input(format!(
                        "there are {count} solutions, numbered from 0, so none has the number {number}"
                    ))
                });
                let mut ended = Ok(());
                let find = |number: &BigUint| {
                    ended = pace.spend(walk);
                    ended.ok()?;
                    self.diagram.unrank(number)
                };
                match refused {
                    // An object is written as a whole or not at all.
                    Some(failure) if ask.output.json => return Err(failure),
                    refused => {
                        let written = self.show(numbers.iter().map_while(find), ask, writer, stdout);
                        let shown = self.end_shown(written, ended, exit, ask, writer);
                        return refused.map_or(shown, Err);
                    }
                }
            }
            Question::Rank(name) => {
                let mut ranks: Vec<Option<BigUint>> = Vec::new();
                for cover in self.solutions(name, &ask.input)? {
                    pace.spend(walk)?;
                    ranks.push(cover.and_then(|cover| self.diagram.rank(&cover)));
                }
                for rank in &ranks {
                    match rank {
                        Some(rank) => pushln!(writer.out, "{rank}"),
                        None => writer.out.push_str("not a solution\n"),
                    }
                }
                exit = if ranks.contains(&None) { Exit::Failed } else { Exit::Done };
                let shown = |rank: &Option<BigUint>| rank.as_ref().map(ToString::to_string);
                object["ranks"] = ranks.iter().map(shown).map(Value::from).collect();
            }
        }
        if ask.output.json {
            writer.out.clear();
            pushln!(writer.out, "{object}");
        }
        Ok(Ok(exit))
    }

    /// Writes each option with its count.
    fn write_options(&self, counts: &[BigUint], object: &mut Value, writer: &mut Writer) {
        let problem = self.puzzle.problem();
        let shown = |option| problem.show(option).to_string();
        object["options"] = problem.options().map(shown).map(Value::from).collect();
        object["counts"] = counts.iter().map(|count| Value::from(count.to_string())).collect();
        for (option, count) in problem.options().zip(counts) {
            pushln!(writer.out, "{count}\t{}", problem.show(option));
        }
    }

    /// Shows solutions one after the other; in JSON all of an object but its end.
    fn show(
        &self,
        covers: impl Iterator<Item = Vec<OptionId>>,
        ask: &Ask,
        writer: &mut Writer,
        stdout: &mut impl Write,
    ) -> io::Result<()> {
        let is_plain = ask.output.json && ask.to.is_none();
        let mut count = 0;
        if ask.output.json {
            let (number, kind) = (self.heading.number, Value::from(self.heading.kind));
            let all = self.diagram.count();
            push!(
                writer.out,
                "{{\"puzzle\":{number},\"kind\":{kind},\"count\":\"{all}\",\"solutions\":["
            );
        }
        for cover in covers {
            count += 1;
            if writer.out.len() > 1 << 15 {
                writer.flush(stdout)?;
            }
            if ask.output.json {
                let mut text = String::new();
                match self.puzzle.as_fill().filter(|_| is_plain) {
                    Some(fill) => format::DEFAULT.write(&fill.filled(&cover), &mut text),
                    None => self.puzzle.show(&cover, count, &mut text),
                }
                let separator = if count > 1 { "," } else { "" };
                push!(writer.out, "{separator}{}", Value::from(text.trim_end_matches('\n')));
                continue;
            }
            if writer.is_first {
                self.puzzle.show_head(&mut writer.out);
            } else {
                writer.out.push_str(self.puzzle.separator());
            }
            writer.is_first = false;
            self.puzzle.show(&cover, count, &mut writer.out);
        }
        if count == 0 && !ask.output.json && self.diagram.count() == BigUint::ZERO {
            self.puzzle.show_unsolvable(&mut writer.out);
        }
        Ok(())
    }

    /// Ends what was shown, perhaps because a limit was reached.
    fn end_shown(
        &self,
        written: io::Result<()>,
        ended: Result<(), Limit>,
        exit: Exit,
        ask: &Ask,
        writer: &mut Writer,
    ) -> Result<io::Result<Exit>, Refusal> {
        if ask.output.json {
            let incomplete = if ended.is_err() { ",\"complete\":false" } else { "" };
            pushln!(writer.out, "]{incomplete}}}");
        }
        let exit = ended.map_or_else(
            |limit| {
                let Refusal { exit, message, .. } = limit.into();
                if !ask.output.quiet {
                    say!("puzzle {}: {message}", self.heading.number);
                }
                exit
            },
            |()| exit,
        );
        Ok(written.map(|()| exit))
    }

    /// Reads the solutions of a file, each as a cover; `None` for one that uses what the puzzle does
    /// not have.
    fn solutions(
        &self,
        name: &OsStr,
        input: &InputArgs,
    ) -> Result<Vec<Option<Vec<OptionId>>>, Refusal> {
        let problem = self.puzzle.problem();
        if self.puzzle.as_fill().is_none()
            && (self.heading.kind == cover::NAME || cover::diagram_by_name(self.heading.kind).is_some())
        {
            return Ok(read_covers(problem, &read_text(name)?));
        }
        let input = InputArgs {
            files: vec![name.to_owned()],
            puzzle: Some(self.heading.kind.to_owned()),
            from: None,
            ..input.clone()
        };
        Puzzles::new(&input)
            .map(|job| {
                let solved = job.puzzle.map_err(|fault| Refusal::unread(fault.to_string()))?;
                Ok(match (self.puzzle.as_fill(), solved.as_fill()) {
                    (Some(fill), Some(solved)) => filled_in(fill, solved),
                    _ => {
                        // A solution that is read is a puzzle that has only itself, with some of the
                        // items.
                        let other = solved.problem();
                        let is_common = |name: &str| {
                            other.item_by_name(name).is_some() && problem.item_by_name(name).is_some()
                        };
                        let names = Names::new(problem, is_common);
                        let cover = Links::new(other).into_solutions(solved.given()).next();
                        cover.and_then(|cover| {
                            let shown = |&option| (words(other, option, is_common), ());
                            names.find(cover.iter().map(shown), |_, ()| true)
                        })
                    }
                })
            })
            .collect()
    }
}

/// Returns the options of a puzzle that put the symbols of a filled grid into its cells.
fn filled_in(fill: &Fill, solved: &Fill) -> Option<Vec<OptionId>> {
    let cells = solved.grid().shape().cell_count();
    if cells != fill.grid().shape().cell_count() {
        return None;
    }
    (0..cells).map(|cell| fill.option(cell, solved.grid().symbol(cell)?)).collect()
}

/// The options of a problem by the words that show them.
struct Names {
    options: BTreeMap<Vec<String>, Vec<OptionId>>,
}

/// Returns the words of an option for the items of some names, sorted.
fn words(problem: &Problem, option: OptionId, is_used: impl Fn(&str) -> bool) -> Vec<String> {
    let name = |word: &'_ str| word.split_once(':').map_or(word.len(), |(name, _)| name.len());
    let shown = problem.show(option).to_string();
    sorted(shown.split(' ').filter(|word| is_used(&word[..name(word)])))
}

fn sorted<'t>(words: impl Iterator<Item = &'t str>) -> Vec<String> {
    let mut words: Vec<String> = words.map(str::to_owned).collect();
    words.sort_unstable();
    words
}

impl Names {
    fn new(problem: &Problem, is_used: impl Fn(&str) -> bool) -> Self {
        let mut options: BTreeMap<_, Vec<OptionId>> = BTreeMap::new();
        for option in problem.options() {
            options.entry(words(problem, option, &is_used)).or_default().push(option);
        }
        Self { options }
    }

    /// Returns the options that those words show, each of which `is_meant`; of those that are alike the
    /// first that the cover does not have yet.
    fn find<T>(
        &self,
        cover: impl Iterator<Item = (Vec<String>, T)>,
        is_meant: impl Fn(OptionId, &T) -> bool,
    ) -> Option<Vec<OptionId>> {
        let mut used = BTreeSet::new();
        cover
            .map(|(words, which)| {
                let mut options = self.options.get(&words)?.iter().copied();
                options.find(|&option| is_meant(option, &which) && used.insert(option))
            })
            .collect()
    }
}

/// Reads covers as they are shown: an option a line, a blank line between two covers.
fn read_covers(problem: &Problem, text: &str) -> Vec<Option<Vec<OptionId>>> {
    let names = Names::new(problem, |_| true);
    let lines: Vec<&str> = text.lines().collect();
    let covers = lines.split(|line| line.trim().is_empty()).filter(|lines| !lines.is_empty());
    let covers = covers.map(|lines| {
        let lines = lines.iter().filter(|line| !line.starts_with('|'));
        // Behind ` |` stands the cost, unless it is 0.
        let shown = lines.map(|line| {
            let (option, cost) = line.split_once(" |").unwrap_or((line, "0"));
            (sorted(option.split_whitespace()), cost.trim().parse::<u64>().ok())
        });
        names.find(shown, |option, &cost| cost == Some(problem.cost(option)))
    });
    covers.collect()
}

/// Returns the count of each symbol of a cell.
fn cell_counts<'c>(fill: &Fill, counts: &'c [BigUint], cell: usize) -> Vec<Option<&'c BigUint>> {
    let symbols = 0..fill.grid().shape().order();
    symbols.map(|symbol| fill.option(cell, symbol).map(|option| &counts[option.index()])).collect()
}

/// Writes for each cell a line with the counts of its symbols, and a blank line between the rows of the
/// grid.
fn write_cells(fill: &Fill, counts: &[BigUint], out: &mut String) {
    let (shape, alphabet) = (fill.grid().shape(), fill.grid().style.alphabet);
    let order = shape.order();
    let symbol = |symbol: usize| match alphabet.character(symbol) {
        Some(character) => character.to_string(),
        None => (symbol + 1).to_string(),
    };
    let shown = |count: Option<&BigUint>| count.map_or("0".to_owned(), ToString::to_string);
    let name = |cell: usize| format!("r{}c{}", cell / order + 1, cell % order + 1);
    let mut lines = vec![("cell".to_owned(), (0..order).map(symbol).collect::<Vec<_>>())];
    for cell in 0..shape.cell_count() {
        lines.push((name(cell), cell_counts(fill, counts, cell).into_iter().map(shown).collect()));
    }
    let widths: Vec<usize> =
        (0..order).map(|s| lines.iter().map(|(_, words)| words[s].len()).max().unwrap_or(0)).collect();
    let name_width = lines.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (index, (name, words)) in lines.iter().enumerate() {
        if index > 1 && (index - 1) % order == 0 {
            out.push('\n');
        }
        push!(out, "{name:name_width$}");
        words.iter().zip(&widths).for_each(|(word, width)| push!(out, " {word:>width$}"));
        out.push('\n');
    }
}

fn cells_as_json(fill: &Fill, counts: &[BigUint]) -> Value {
    let shown = |count: Option<&BigUint>| count.map_or("0".to_owned(), ToString::to_string);
    let cell = |cell| cell_counts(fill, counts, cell).into_iter().map(shown).collect::<Vec<_>>();
    (0..fill.grid().shape().cell_count()).map(|c| Value::from(cell(c))).collect()
}
