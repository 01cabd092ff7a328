//! Answers questions about the set of all solutions: `count --per-option`, `count --histogram`,
//! `sample`, `rank` and `unrank`.
//!
//! The answers come from the decision diagram of the puzzle, which is built or read with `--from
//! zdd`. The size of the diagram is estimated first, so that a puzzle with a far too large diagram
//! is refused at once. Full grids of 9x9 Sudoku are drawn without a diagram.

mod answer;
mod counts;
mod full;
mod solutions;
mod subject;

use std::ffi::OsString;
use std::io::{self, Write as _};

use dlx::Limit;
use num_bigint::BigUint;
use serde_json::json;

pub(crate) use self::solutions::solutions;
use self::subject::{Heading, Subject, build, format_for, limits, names, read, shown_name};
use crate::io::args::pictures::PictureArgs;
use crate::io::args::{Ask, RunArgs};
use crate::io::exit::{Exit, name_of};
use crate::io::gallery::{Gallery, PictureMaker};
use crate::io::source::{NumberedPuzzle, Origin, Puzzles, ReadError};
use crate::io::{interrupt, output};
use crate::search::OptionLists;
use puzzle::{Puzzle, cover};

#[derive(Clone, Debug)]
pub(crate) enum DiagramQuestion {
    /// The number of solutions.
    Count,
    /// The number of solutions that contain each option.
    PerOption,
    /// The number of solutions of each cost.
    Histogram,
    /// Solutions drawn at random.
    Sample { count: u64, seed: Option<u64> },
    /// The solutions with these indices.
    Unrank(Vec<BigUint>),
    /// The indices of the solutions in this file.
    Rank(OsString),
}

impl From<RunArgs> for Ask {
    fn from(run: RunArgs) -> Self {
        let RunArgs { input, limits, output, .. } = run;
        Self {
            input,
            to: None,
            option_numbers: false,
            time: limits.time,
            memory: limits.memory,
            output,
        }
    }
}

/// Why a puzzle has no answer, with the exit code.
pub(crate) struct Refusal {
    pub(crate) exit: Exit,
    pub(crate) message: String,
    /// Whether the message itself names the file and the line.
    names_place: bool,
}

impl Refusal {
    fn bad_input(message: impl Into<String>) -> Self {
        Self { exit: Exit::BadInput, message: message.into(), names_place: false }
    }

    /// Returns the refusal of unreadable input, whose message names the file and the line.
    fn unread(message: impl Into<String>) -> Self {
        Self { names_place: true, ..Self::bad_input(message) }
    }

    fn limited(message: impl Into<String>) -> Self {
        Self { exit: Exit::Limited, ..Self::bad_input(message) }
    }
}

impl From<ReadError> for Refusal {
    fn from(fault: ReadError) -> Self {
        Self { exit: fault.exit(), ..Self::unread(fault.to_string()) }
    }
}

impl From<Limit> for Refusal {
    fn from(limit: Limit) -> Self {
        match limit {
            Limit::Cancelled => Self { exit: Exit::Interrupted, ..Self::bad_input("interrupted") },
            limit => Self::limited(format!("{} limit reached", name_of(limit))),
        }
    }
}

/// The reason why a question has no answer or only a partial one.
enum Unanswered {
    Refused(Refusal),
    /// Standard output cannot be written.
    Lost(io::Error),
    /// A picture cannot be written. The error message was already printed.
    Undrawn(Exit),
}

impl From<Refusal> for Unanswered {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Limit> for Unanswered {
    fn from(limit: Limit) -> Self {
        Self::Refused(limit.into())
    }
}

impl From<io::Error> for Unanswered {
    fn from(error: io::Error) -> Self {
        Self::Lost(error)
    }
}

enum Asked {
    /// A puzzle with the diagram of its solutions.
    Diagram(Box<Subject>),
    /// The empty 9x9 Sudoku, with some random full grids.
    FullGrids(Heading, Box<dyn Puzzle>, full::DrawnGrids),
}

struct AnswerOutput {
    text: String,
    stdout: io::BufWriter<output::Stdout>,
    /// Whether no solution has been written yet. A blank line precedes every later solution.
    is_first: bool,
    /// For JSON, the option numbers of each solution of an exact cover.
    numbers: OptionLists,
    gallery: Option<(PictureMaker, Gallery)>,
}

impl AnswerOutput {
    fn pass_on(&mut self) -> io::Result<()> {
        if !self.gallery.as_ref().is_some_and(|(_, gallery)| gallery.takes_stdout()) {
            self.stdout.write_all(self.text.as_bytes())?;
        }
        self.text.clear();
        Ok(())
    }
}

/// Runs a command that asks `question`, and returns its exit code. Draws the printed solutions if
/// the user asked for pictures.
pub(crate) fn run(ask: &Ask, question: &DiagramQuestion, pictures: &PictureArgs) -> Exit {
    let gallery = match PictureMaker::new(pictures) {
        None => None,
        Some(maker) => match Gallery::open(pictures, ask.output.json) {
            Ok(gallery) => Some((maker, gallery)),
            Err(exit) => return exit,
        },
    };
    let stdout = io::BufWriter::new(output::stdout());
    let mut out = AnswerOutput {
        text: String::new(),
        stdout,
        is_first: true,
        numbers: OptionLists::default(),
        gallery,
    };
    let exit = answer_all(ask, question, &mut out);
    let finished = out.gallery.map_or(Ok(()), |(_, gallery)| gallery.finish());
    finished.map_or_else(|undrawn| undrawn, |()| exit)
}

fn answer_all(ask: &Ask, question: &DiagramQuestion, out: &mut AnswerOutput) -> Exit {
    let mut ends = Vec::new();
    let form = ask.input.from.as_deref().and_then(cover::by_name);
    let read_diagram = form.and_then(|form| Some((form.name, form.diagram?)));
    let mut subjects: Box<dyn Iterator<Item = (Heading, Result<Asked, Refusal>)>> = match read_diagram {
        Some(form) => {
            let named = (1..).zip(names(&ask.input));
            Box::new(named.map(move |(number, name)| {
                let origin = Origin::whole(&shown_name(&name));
                let heading = Heading { number, origin, kind: form.0 };
                (
                    heading.clone(),
                    read(heading, &name, form.1, ask).map(|subject| Asked::Diagram(Box::new(subject))),
                )
            }))
        }
        None => Box::new(Puzzles::new(&ask.input, ask.limits()).with_covers().map(|job| {
            let NumberedPuzzle { number, origin, kind, puzzle, .. } = job;
            let heading = Heading { number, origin, kind };
            let asked = match (puzzle, question) {
                (Ok(mut puzzle), &DiagramQuestion::Sample { count, seed })
                    if full::takes(puzzle.as_ref()) =>
                {
                    let draws = full::DrawnGrids { count, seed };
                    let fits = format_for(puzzle.as_mut(), ask);
                    fits.map(|()| Asked::FullGrids(heading.clone(), puzzle, draws))
                }
                (puzzle, _) => {
                    build(heading.clone(), puzzle, ask).map(|subject| Asked::Diagram(Box::new(subject)))
                }
            };
            (heading, asked)
        })),
    };
    loop {
        let subject = subjects.next();
        if interrupt::happened() {
            return Exit::Interrupted;
        }
        let Some((Heading { number, origin, kind }, subject)) = subject else { break };
        let answered = subject.map_err(Unanswered::from);
        let answered = answered.and_then(|asked| match asked {
            Asked::Diagram(subject) => subject.answer(ask, question, out),
            Asked::FullGrids(heading, puzzle, draws) => {
                full::sample(&heading, puzzle.as_ref(), &limits(ask), draws, ask, out)
            }
        });
        match answered {
            Ok(exit) => ends.push(exit),
            Err(Unanswered::Lost(error)) => return output::lost(&error),
            Err(Unanswered::Undrawn(exit)) => return exit,
            Err(Unanswered::Refused(Refusal { exit, message, names_place })) => {
                let message = message.trim_end();
                if ask.output.json {
                    let error = json!({ "kind": kind, "error": message });
                    pushln!(out.text, "{}", origin.object(number, error));
                }
                let is_quiet = ask.output.quiet && exit == Exit::Limited;
                if !is_quiet {
                    let place = if names_place { String::new() } else { format!("puzzle {number}: ") };
                    say!("{place}{message}");
                }
                ends.push(exit);
            }
        }
        if let Err(error) = out.pass_on() {
            return output::lost(&error);
        }
        if interrupt::happened() {
            let lost = out.stdout.flush().err();
            return lost.map_or(Exit::Interrupted, |error| output::lost(&error));
        }
    }
    if let Err(error) = out.stdout.flush() {
        return output::lost(&error);
    }
    let worst = [Exit::BadInput, Exit::Limited, Exit::Failed];
    worst.into_iter().find(|exit| ends.contains(exit)).unwrap_or(Exit::Done)
}
