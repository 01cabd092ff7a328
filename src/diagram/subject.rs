//! A puzzle with the diagram of its solutions. The diagram is built, or read from a file.

use std::ffi::{OsStr, OsString};

use dlx::diagram::{Diagram, DiagramPlan};
use dlx::{End, Engine as _, Limit, Limits, Solver};

use super::Refusal;
use crate::io::args::{Ask, InputArgs, PuzzleLimits};
use crate::io::names::shown;
use crate::io::source::{Origin, ReadError};
use crate::io::{interrupt, live, memory};
use grid::format;
use puzzle::Puzzle;
use puzzle::cover::{self, ReadDiagram};
use text::{InputError, TextLimit};

/// Default limit of the size of a diagram (bytes) if neither the user nor the system sets a limit.
const BYTES: u64 = 2 << 30;

/// Node limit of the search that may find that a puzzle with a too large diagram has no solution.
const NODES: u64 = 100_000;

/// Number, origin and kind of the puzzle, for the output.
#[derive(Clone)]
pub(super) struct Heading {
    pub(super) number: u64,
    pub(super) origin: Origin,
    pub(super) kind: &'static str,
}

pub(super) struct Subject {
    pub(super) heading: Heading,
    pub(super) puzzle: Box<dyn Puzzle>,
    pub(super) diagram: Diagram,
    pub(super) limits: Limits,
}

pub(super) fn names(input: &InputArgs) -> Vec<OsString> {
    if input.files.is_empty() { vec!["-".into()] } else { input.files.clone() }
}

/// Reads the text of a file, or of standard input, within the limits of reading.
pub(super) fn read_text(name: &OsStr, limits: PuzzleLimits) -> Result<String, Refusal> {
    let refusal = |error: InputError| {
        let message = format!("{}: {error}", shown_name(name));
        match error.limit {
            Some(TextLimit::Interrupt) => Refusal::from(Limit::Cancelled),
            Some(_) => Refusal::limited(message),
            None => Refusal::unread(message),
        }
    };
    let bytes = live::read_all(name, limits).map_err(refusal)?;
    String::from_utf8(bytes).map_err(|error| {
        Refusal::unread(format!("{}: cannot read: {}", shown_name(name), error.utf8_error()))
    })
}

pub(super) fn shown_name(name: &OsStr) -> String {
    if name == "-" { "standard input".to_owned() } else { shown(name) }
}

pub(super) fn read(
    heading: Heading,
    name: &OsStr,
    read_diagram: ReadDiagram,
    ask: &Ask,
) -> Result<Subject, Refusal> {
    let fault = |error: InputError| {
        Refusal::unread(format!("{}:{error}\n{}", shown_name(name), error.excerpt()))
    };
    let (diagram, problem) = read_diagram(&read_text(name, ask.limits())?).map_err(fault)?;
    let limits = limits(ask);
    let mut puzzle = cover::puzzle(problem);
    format_for(puzzle.as_mut(), ask)?;
    Ok(Subject { heading, puzzle, diagram, limits })
}

/// Returns the limits for one puzzle, with a time limit that starts now.
pub(super) fn limits(ask: &Ask) -> Limits {
    ask.limits().apply(Limits::new().cancel(interrupt::flag()))
}

/// Sets the output format for the solutions of a puzzle.
pub(super) fn format_for(puzzle: &mut dyn Puzzle, ask: &Ask) -> Result<(), Refusal> {
    if ask.option_numbers {
        puzzle.show_numbers();
    }
    let format = ask.to.as_deref().and_then(format::by_name);
    format.map_or(Ok(()), |format| puzzle.set_format(format).map_err(Refusal::bad_input))
}

/// Builds the diagram of a puzzle. Refuses a puzzle whose diagram would be too large.
pub(super) fn build(
    heading: Heading,
    puzzle: Result<Box<dyn Puzzle>, ReadError>,
    ask: &Ask,
) -> Result<Subject, Refusal> {
    let mut puzzle = puzzle?;
    format_for(puzzle.as_mut(), ask)?;
    let limits = limits(ask);
    let bytes = limits.memory.map_or(BYTES, |bytes| bytes as u64);
    let plan = DiagramPlan::new(puzzle.problem(), puzzle.given(), &limits)
        .map_err(|unbuilt| Refusal::limited(unbuilt.to_string()))?;
    let size = plan.size();
    // The estimate may be up to four times too high.
    let is_hopeless = size.bytes > 4.0 * bytes as f64;
    let too_large = || {
        let size = match size.bytes.is_finite() {
            true => format!("about {}", memory::shown(size.bytes)),
            false => "more memory than any machine has".to_owned(),
        };
        let most = memory::shown(bytes as f64);
        Refusal::limited(format!(
            "the diagram of all solutions would take {size}, and --memory allows {most}; `list --limit` and \
             `estimate` need no diagram"
        ))
    };
    let built = (!is_hopeless).then(|| plan.build(&limits, bytes));
    let diagram = match built {
        Some(Ok(diagram)) => diagram,
        Some(Err(unbuilt)) if unbuilt.limit != Limit::Memory => {
            return Err(Refusal::limited(unbuilt.to_string()));
        }
        // If a short search proves that there is no solution, the diagram is trivial.
        _ if has_none(puzzle.as_ref(), &limits) => {
            let none = DiagramPlan::of_none(puzzle.problem());
            none.build(&limits, bytes).map_err(|unbuilt| Refusal::limited(unbuilt.to_string()))?
        }
        _ => return Err(too_large()),
    };
    drop(plan);
    Ok(Subject { heading, puzzle, diagram, limits })
}

/// Returns whether a short search proves that there is no solution.
fn has_none(puzzle: &dyn Puzzle, limits: &Limits) -> bool {
    let limits = limits.clone().solutions(1).nodes(NODES);
    let report = Solver::new(puzzle.problem().clone()).count(puzzle.given(), &limits);
    (report.solutions, report.end) == (0, End::Exhausted)
}
