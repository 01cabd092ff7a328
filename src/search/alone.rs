//! Lists the covers of a single puzzle that come from a callback instead of a search.

use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::time::Instant;

use dlx::limits::Pace;
use dlx::{End, Limits, OptionId, Report};
use serde_json::Value;

use super::Goal;
use super::answer::{Answer, OptionLists};
use super::block::{BLOCK_SIZE, OutputBlock};
use super::notes::{Notes, failed_limit};
use crate::io::args::{RunArgs, ShowArgs};
use crate::io::bar::Bar;
use crate::io::exit::Exit;
use crate::io::paint::{self, Painter};
use crate::io::source::NumberedPuzzle;
use crate::io::{interrupt, output};
use grid::format;
use puzzle::{Puzzle, Solution};

/// A callback that passes each cover of a puzzle to the visitor once, until the visitor stops the
/// list.
pub(crate) type ListCovers<'l> = dyn FnMut(&dyn Puzzle, &mut dyn FnMut(&[OptionId]) -> ControlFlow<()>) -> Result<Listed, String>
    + 'l;

/// How a list ended.
pub(crate) struct Listed {
    pub(crate) report: Report,
    /// For [`Goal::Cheapest`], a lower bound on the cost of every other solution.
    pub(crate) bound: Option<u128>,
    /// The proof that the list is complete, for JSON.
    pub(crate) proof: Option<Value>,
}

impl From<Report> for Listed {
    fn from(report: Report) -> Self {
        Self { report, bound: None, proof: None }
    }
}

/// Writes the solutions from `list` in the output format of the command `list`, within `limits`.
pub(crate) fn list_alone(
    run: &RunArgs,
    show: &ShowArgs,
    job: NumberedPuzzle,
    goal: Goal,
    bar: &Bar,
    limits: &Limits,
    list: &mut ListCovers<'_>,
) -> Exit {
    let NumberedPuzzle { number, origin, kind, puzzle, .. } = job;
    let Ok(mut puzzle) = puzzle else { return Exit::BadInput };
    let to = show.to.as_deref().and_then(format::by_name);
    let (mut notes, mut block) = (Notes::new(run.output.quiet), OutputBlock::default());
    if let Some(to) = to {
        notes.lost_columns(puzzle.as_ref(), to.name, &mut block);
    }
    if let Some(Err(message)) = to.map(|format| puzzle.set_format(format)) {
        say!("puzzle {number}: {message}");
        return Exit::BadInput;
    }
    if show.option_numbers {
        puzzle.show_numbers();
    }
    let puzzle = puzzle.as_ref();
    let is_json = run.output.json;
    let is_painted = !is_json && paint::use_color(show.color, &io::stdout());
    let mut writer = ListWriter { stdout: output::stdout(), bar, has_output: false };
    notes.warn(number, puzzle, goal, &mut block);
    tell(&mut block);
    if !is_json {
        puzzle.layout().show_head(&mut block.head);
    }
    let mut answer = Answer {
        puzzle,
        number,
        origin: &origin,
        has_name: false,
        kind,
        goal,
        is_json,
        is_plain: is_json && to.is_none(),
        painter: is_painted.then(|| Painter::new(puzzle)),
        maker: None,
        pictures: Vec::new(),
        is_undrawn: false,
        cut: None,
        solutions: 0,
        costs: Vec::new(),
        bound: None,
        proof: None,
        shown: String::new(),
        numbers: OptionLists::default(),
    };
    let started = Instant::now();
    let (mut written, mut pace) = (Ok(()), Pace::new(limits));
    let listed = list(puzzle, &mut |cover| {
        if matches!(goal, Goal::Cheapest(_)) {
            let costs = cover.iter().map(|&option| u128::from(puzzle.problem().cost(option)));
            answer.costs.push(costs.sum());
        }
        answer.solution(Solution::Cover(cover), (limits, &mut pace), &mut block.out);
        if block.out.len() >= BLOCK_SIZE {
            written = writer.write(&mut block);
        }
        if written.is_ok() && answer.cut.is_none() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    let (Listed { mut report, bound, proof }, fault) = match listed {
        Ok(listed) => (listed, None),
        // After an error, still complete the output that was already begun.
        Err(message) => (Report::empty(End::Stopped).into(), Some(message)),
    };
    (answer.bound, answer.proof) = (bound, proof);
    report.end = answer.cut.map_or(report.end, End::Limit);
    report.solutions = answer.solutions;
    if fault.is_none() || answer.solutions > 0 {
        let engine = if matches!(goal, Goal::Cheapest(_)) { "cheapest" } else { "auto" };
        answer.end(&report, engine, started.elapsed(), &mut block.out);
    }
    notes.end(&answer, &report, None, &mut block);
    let written = written.and_then(|()| writer.write(&mut block));
    tell(&mut block);
    if let Err(error) = written {
        return output::lost(&error);
    }
    if let Some(message) = fault {
        say!("{message}");
        return Exit::BadInput;
    }
    if interrupt::happened() {
        Exit::Interrupted
    } else if failed_limit(report.end).is_some() {
        Exit::Limited
    } else if report.solutions == 0 {
        Exit::Failed
    } else {
        Exit::Done
    }
}

fn tell(block: &mut OutputBlock) {
    block.notices.drain(..).for_each(|(_, text)| say!("{}", text.trim_end()));
}

/// Writes blocks of output, and a header before the first block.
struct ListWriter<'b> {
    stdout: output::Stdout,
    bar: &'b Bar,
    has_output: bool,
}

impl ListWriter<'_> {
    fn write(&mut self, block: &mut OutputBlock) -> io::Result<()> {
        let OutputBlock { head, out, .. } = block;
        if out.is_empty() {
            return Ok(());
        }
        // Skip the blank line that would separate the first solution from the previous one.
        let (head, text) = match out.strip_prefix('\n') {
            _ if self.has_output => ("", &out[..]),
            rest => (&head[..], rest.unwrap_or(out)),
        };
        self.has_output = true;
        let stdout = &mut self.stdout;
        let written = self.bar.hide_while(|| {
            stdout.write_all(head.as_bytes())?;
            stdout.write_all(text.as_bytes())?;
            stdout.flush()
        });
        out.clear();
        written
    }
}
