//! The command `convert` writes the puzzles in another format.

use std::io::{self, Write};

use dlx::Limits;

use super::canonical;
use crate::io::args::{CANONICAL, Conversion, InputArgs};
use crate::io::exit::Exit;
use crate::io::notices::{About, NoticeCounts};
use crate::io::source::Puzzles;
use crate::io::{interrupt, memory, output, single};
use grid::{Setting, format};
use puzzle::Puzzle;
use puzzle::cover::{self, Unwritten};

pub(super) fn run(input: &InputArgs, asked: &Conversion) -> Exit {
    if asked.to == CANONICAL {
        return canonical::run(input, asked);
    }
    let (to, is_quiet) = (&*asked.to, asked.quiet);
    let mut stdout = io::BufWriter::new(output::stdout());
    let (mut faults, mut limited) = (0_u64, 0_u64);
    let (mut out, mut head) = (String::new(), None);
    let mut notices = NoticeCounts::default();
    let limits = Limits::new().cancel(interrupt::flag());
    let limits = memory::guard(limits, asked.limits.memory);
    let mut puzzles = Puzzles::new(input, asked.limits).quiet(is_quiet);
    while let Some(job) = puzzles.next_or_end() {
        let number = job.number;
        out.clear();
        let converted = match &job.puzzle {
            // The output format holds one puzzle, so skip the rest of the input.
            Ok(_) if head.is_some() && format::by_name(to).is_none() => {
                say!("puzzle {number}: the format {to} holds a single puzzle, found a second one");
                faults += 1;
                break;
            }
            Ok(puzzle) => {
                if !is_quiet && let Some(notice) = notices.lost_columns(puzzle.as_ref(), to) {
                    say!("{notice}");
                }
                // Only problems that are not grids can have idle options. The problem of a grid may
                // not be built yet.
                if !is_quiet
                    && puzzle.as_symbols().is_none()
                    && let Some(&idle) = puzzle.problem().idle_options().first()
                {
                    let option = puzzle.option_number(idle);
                    say!("puzzle {number}: option {option} has no primary item and is never chosen");
                }
                let limits = limits.clone().within(asked.limits.time);
                convert(puzzle.as_ref(), to, &limits, &mut head, &mut out).map_err(|unwritten| {
                    (format!("puzzle {number}: {}", unwritten.message), unwritten.limit)
                })
            }
            Err(fault) => Err((fault.to_string(), fault.limit())),
        };
        // Do not report a puzzle that an interrupt left unfinished.
        if interrupt::happened() {
            break;
        }
        match converted {
            Ok(()) => {
                let written = stdout.write_all(out.as_bytes());
                let is_awaited = !puzzles.is_ready();
                let written = if is_awaited { written.and_then(|()| stdout.flush()) } else { written };
                if let Err(error) = written {
                    return output::lost(&error);
                }
            }
            Err((message, Some(_))) => {
                limited += 1;
                notices.print(About::Cut, &message);
            }
            Err((message, None)) => {
                faults += 1;
                let about = if job.puzzle.is_ok() { About::Unfit } else { About::Unread };
                notices.print(about, &message);
            }
        }
        drop(job);
        memory::recover();
    }
    notices.end();
    if let Err(error) = stdout.flush() {
        return output::lost(&error);
    }
    match (faults, limited) {
        _ if interrupt::happened() => Exit::Interrupted,
        (0, 0) => Exit::Done,
        (0, _) => Exit::Limited,
        _ => Exit::BadInput,
    }
}

/// Appends the puzzle in the format `to`, separated from the previous one.
///
/// `head` is the header of the output, written with its first puzzle. Boxes and rules are stated
/// there for all following grids, since no grid format includes them.
fn convert(
    puzzle: &dyn Puzzle,
    to: &str,
    limits: &Limits,
    head: &mut Option<String>,
    out: &mut String,
) -> Result<(), Unwritten> {
    let is_first = head.is_none();
    if let Some(written) = puzzle.write_as(to) {
        out.push_str(&written?);
        *head = Some(String::new());
        return Ok(());
    }
    if variant::written_forms().any(|(name, _)| name == to) {
        return Err(format!("the format {to} is for variants only").into());
    }
    if to == polyomino::XMPUZZLE {
        return Err(format!("the format {to} is for polyominoes only").into());
    }
    if let Some(format) = format::by_name(to) {
        let fill = puzzle.as_fill().ok_or_else(|| format!("the format {to} holds grids only"))?;
        if let Some(lack) = format.lacks(fill.grid()) {
            return Err(format!("the format {to} cannot hold {lack}").into());
        }
        let own_head = Setting::head(fill.grid().shape());
        if *head.get_or_insert_with(|| own_head.clone()) != own_head {
            return Err("boxes and rules other than those of the puzzles before".into());
        }
        let mut grid = fill.grid().clone();
        grid.style.format = format;
        if is_first {
            out.push_str(&own_head);
            out.push_str(&(format.head)(&grid, false));
        } else {
            out.push_str(format.separator);
        }
        (format.write)(&grid, out);
        return Ok(());
    }
    let form = cover::FORMS.iter().find(|form| form.name == to);
    let form = form.ok_or_else(|| format!("expected a format, found `{to}`"))?;
    puzzle.build_problem(limits).map_err(Unwritten::limited)?;
    let problem = single::with_given(puzzle)?;
    out.push_str(&(form.write)(&problem, limits)?);
    *head = Some(String::new());
    Ok(())
}
