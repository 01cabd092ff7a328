//! The command `check`: is each grid in order, and if not, what is wrong where?

use std::io::{self, Write};

use serde_json::json;

use super::args::{Input, Output};
use super::exit::Exit;
use super::output;
use super::source::Puzzles;
use crate::grid::{Clash, Grid, GroupKind};
use crate::puzzle::{Fill, Puzzle};

/// What the check of one puzzle found.
struct Finding {
    /// 0 in order, 1 to 4 as [`crate::grid::ClashKind::code`]; 5 for a conflict in another kind of puzzle.
    code: u8,
    is_complete: bool,
    message: String,
    /// Row and column of the cells in conflict, from 1.
    cells: Vec<(usize, usize)>,
}

/// Runs the command and returns how it ended.
pub(super) fn run(input: &Input, form: &Output) -> Exit {
    let mut stdout = io::BufWriter::new(io::stdout().lock());
    let (mut faults, mut failures) = (0, 0);
    for job in Puzzles::new(input) {
        let number = job.number;
        let line = match job.puzzle {
            Ok(puzzle) => {
                let finding = check(puzzle.as_ref());
                failures += u64::from(finding.code != 0);
                if form.json {
                    let Finding { code, is_complete, message, cells } = finding;
                    json!({
                        "puzzle": number,
                        "kind": job.kind,
                        "valid": code == 0,
                        "code": code,
                        "complete": is_complete,
                        "message": message,
                        "cells": cells,
                    })
                    .to_string()
                } else {
                    finding.message
                }
            }
            Err(fault) => {
                faults += 1;
                say!("{}", fault.to_string().trim_end());
                match form.json {
                    true => {
                        json!({ "puzzle": number, "error": fault.to_string().trim_end() }).to_string()
                    }
                    false => "error".to_owned(),
                }
            }
        };
        if let Err(error) = writeln!(stdout, "{line}") {
            return output::lost(&error);
        }
    }
    if let Err(error) = stdout.flush() {
        return output::lost(&error);
    }
    match (faults, failures) {
        (0, 0) => Exit::Done,
        (0, _) => Exit::Failed,
        _ => Exit::BadInput,
    }
}

fn check(puzzle: &dyn Puzzle) -> Finding {
    match puzzle.as_fill() {
        Some(fill) => check_fill(fill),
        None => check_cover(puzzle),
    }
}

fn check_fill(fill: &Fill) -> Finding {
    let grid = fill.grid();
    let order = grid.shape().order();
    if let Some(clash) = grid.clash() {
        return clash_finding(grid, clash);
    }
    let cells = 0..grid.shape().cell_count();
    if let Some(cell) = cells.clone().find(|&cell| grid.candidates(cell) == 0) {
        let (row, column) = (cell / order + 1, cell % order + 1);
        let message = format!("invalid: no symbol may stand in r{row}c{column}");
        return Finding { code: 4, is_complete: false, message, cells: vec![(row, column)] };
    }
    let empty = cells.filter(|&cell| grid.symbol(cell).is_none()).count();
    let message = match empty {
        0 => "valid, complete".to_owned(),
        1 => "valid, 1 cell empty".to_owned(),
        _ => format!("valid, {empty} cells empty"),
    };
    Finding { code: 0, is_complete: empty == 0, message, cells: Vec::new() }
}

fn clash_finding(grid: &Grid, clash: Clash) -> Finding {
    let order = grid.shape().order();
    let place = |cell: usize| (cell / order + 1, cell % order + 1);
    let (first, second) = (place(clash.cells.0), place(clash.cells.1));
    let symbol = match grid.style.alphabet.character(clash.symbol) {
        Some(c) => c.to_string(),
        None => (clash.symbol + 1).to_string(),
    };
    let group = &grid.shape().groups()[clash.group];
    let what = match group.kind {
        // Their number says nothing to a reader.
        GroupKind::Apart => group.kind.name().to_owned(),
        kind => format!("{} {}", kind.name(), group.number + 1),
    };
    let message = format!(
        "invalid: {symbol} stands twice in {what}, in r{}c{} and r{}c{}",
        first.0, first.1, second.0, second.1
    );
    Finding {
        code: clash.kind.code(),
        is_complete: grid.is_full(),
        message,
        cells: vec![first, second],
    }
}

/// Checks that what the puzzle fixes goes together.
fn check_cover(puzzle: &dyn Puzzle) -> Finding {
    let problem = puzzle.problem();
    let given = puzzle.given();
    let is_complete = dlx::verify(problem, given, given).is_ok();
    let (code, message) = match dlx::conflict(problem, given) {
        Some(conflict) => {
            let message = dlx::Violation::Conflict(conflict).show(problem).to_string();
            (5, format!("invalid: {message}"))
        }
        None if is_complete => (0, "valid, complete".to_owned()),
        None => match problem.idle_options().len() {
            0 => (0, "valid".to_owned()),
            1 => (0, "valid; 1 option has no primary item and is never chosen".to_owned()),
            idle => (0, format!("valid; {idle} options have no primary item and are never chosen")),
        },
    };
    Finding { code, is_complete, message, cells: Vec::new() }
}
