//! Jigsaws: regions are drawn until there is a solution.

use std::io;

use dlx::{End, Engine as _, Limit, Limits, OptionId, Random, Solver};

use crate::generate::regions;
use crate::grid::Setting;
use crate::puzzle::{self, Puzzle};
use crate::stream::{Stream, StreamHints};

/// The most layouts that are tried; of order 9 nearly every one has solutions.
const LAYOUTS_MAX: usize = 1000;
/// Nodes of the search for a solution of a layout.
const NODES_MAX: u64 = 100_000;
/// The least and the most rows.
const ORDERS: std::ops::RangeInclusive<usize> = 3..=16;

/// Draws regions for a grid without clues, and returns the empty jigsaw.
///
/// # Errors
/// If the puzzle is no such grid, or no solution was found; says so.
pub(super) fn draw(puzzle: &dyn Puzzle, seed: u64, limits: &Limits) -> Result<Box<dyn Puzzle>, String> {
    let grid = puzzle.as_fill().map(puzzle::Fill::grid);
    let grid = grid.filter(|grid| grid.is_empty() && ORDERS.contains(&grid.shape().order()));
    let grid =
        grid.ok_or("--jigsaw is for grids without clues of 3 to 16 rows, found another puzzle")?;
    let order = grid.shape().order();
    // Boxes are no longer asked for, other rules are.
    let rules = Setting::head(grid.shape());
    let rules: String = rules.lines().filter(|line| line.starts_with("# rules")).collect();
    let mut random = Random::new(seed);
    for _ in 0..LAYOUTS_MAX {
        limits.check().map_err(stopped)?;
        let regions = regions::draw(order, &mut random);
        let letter = |&region: &usize| char::from(b'A' + region as u8);
        let rows: Vec<String> =
            regions.chunks(order).map(|row| row.iter().map(letter).collect()).collect();
        let empty = vec![".".repeat(order); order].join("\n");
        let head = if rules.is_empty() { String::new() } else { format!("{rules}\n") };
        let text = format!("{head}{empty}\nregions\n{}\n", rows.join("\n"));
        let hints = StreamHints { kind: puzzle::by_name("sudoku"), ..StreamHints::default() };
        let read = Stream::open(io::Cursor::new(text.into_bytes()), &hints)
            .ok()
            .and_then(|mut stream| stream.next()?.ok());
        let jigsaw = read.ok_or("the regions make no puzzle")?;
        let mut solver = Solver::new(jigsaw.problem().clone());
        let mut is_solved = false;
        let mut visit = |_: &[OptionId]| {
            is_solved = true;
            std::ops::ControlFlow::Break(())
        };
        let report = solver.run(&[], &[], &limits.clone().nodes(NODES_MAX), Some(&mut visit));
        match report.end {
            End::Limit(limit) if limit != Limit::Nodes => return Err(stopped(limit)),
            _ if is_solved => return Ok(jigsaw),
            _ => {}
        }
    }
    Err(format!("none of {LAYOUTS_MAX} layouts of regions has a solution that was found"))
}

fn stopped(limit: Limit) -> String {
    match limit {
        Limit::Cancelled => "interrupted while regions were drawn".to_owned(),
        limit => {
            format!(
                "stopped by the limit of {} while regions were drawn",
                crate::cli::io::exit::name_of(limit)
            )
        }
    }
}
