//! The command `convert`: the puzzles in another format.

use std::io::{self, Write};

use super::args::Input;
use super::exit::Exit;
use super::source::Puzzles;
use crate::grid::format;
use crate::puzzle::{Puzzle, cover};

/// Runs the command and returns how it ended.
pub(super) fn run(input: &Input, to: &str, is_quiet: bool) -> Exit {
    let mut stdout = io::BufWriter::new(io::stdout().lock());
    let mut faults = 0_u64;
    let (mut out, mut is_first) = (String::new(), true);
    for job in Puzzles::new(input) {
        out.clear();
        let converted = match &job.puzzle {
            Ok(puzzle) => {
                if let Some(&idle) = puzzle.problem().idle_options().first().filter(|_| !is_quiet) {
                    let option = idle.index() + 1;
                    say!(
                        "puzzle {}: option {option} has no primary item and is never chosen",
                        job.number
                    );
                }
                convert(puzzle.as_ref(), to, is_first, &mut out)
                    .map_err(|m| format!("puzzle {}: {m}\n", job.number))
            }
            Err(fault) => Err(fault.to_string()),
        };
        match converted {
            Ok(()) => {
                is_first = false;
                if stdout.write_all(out.as_bytes()).is_err() {
                    return Exit::Done;
                }
            }
            Err(message) => {
                faults += 1;
                say!("{}", message.trim_end());
            }
        }
    }
    // What cannot be flushed nobody reads.
    let _ = stdout.flush();
    if faults == 0 { Exit::Done } else { Exit::BadInput }
}

/// Appends the puzzle in the format `to`, set apart from the one before it.
fn convert(puzzle: &dyn Puzzle, to: &str, is_first: bool, out: &mut String) -> Result<(), String> {
    if let Some(format) = format::by_name(to) {
        let fill = puzzle.as_fill().ok_or_else(|| format!("the format {to} holds grids only"))?;
        if let Some(lack) = format.lacks(fill.grid()) {
            return Err(format!("the format {to} cannot hold {lack}"));
        }
        let mut grid = fill.grid().clone();
        grid.style.format = format;
        out.push_str(if is_first { "" } else { format.separator() });
        if is_first {
            out.push_str(format.puzzle_head());
        }
        format.write(&grid, out);
        return Ok(());
    }
    let form = cover::FORMS.iter().find(|form| form.name == to);
    let form = form.ok_or_else(|| format!("expected a format, found `{to}`"))?;
    let problem = puzzle.problem();
    let restricted = dlx::restrict(problem, puzzle.given()).map_err(|conflict| {
        let dlx::Conflict { item, first, second } = conflict;
        let (first, second) = (problem.show(first), problem.show(second));
        format!("clues `{first}` and `{second}` conflict in item `{}`", problem.item_name(item))
    })?;
    let written = (form.write)(&restricted.problem)?;
    out.push_str(if is_first { "" } else { "\n" });
    out.push_str(&written);
    Ok(())
}
