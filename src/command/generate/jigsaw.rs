//! Generates jigsaw puzzles. For each puzzle, random regions are drawn until the grid has a
//! solution.

use dlx::{End, Engine as _, Limit, Limits, OptionId, Solver};

use super::wishes;
use farandole::generate::{random_beside, regions};
use farandole::stream::{Stream, StreamHints};
use grid::{Format, Setting};
use puzzle::Puzzle;

/// Largest number of region layouts tried per puzzle. At order 9 almost all layouts have solutions.
const LAYOUTS_MAX: usize = 1000;
/// Node limit of the search for a solution of the grid with some regions.
const NODES_MAX: u64 = 100_000;
const ORDERS: std::ops::RangeInclusive<usize> = 3..=16;

/// The order and the rules of all jigsaws that one command generates.
#[derive(Clone)]
pub(super) struct JigsawLayout {
    order: usize,
    rules: String,
    format: &'static Format,
}

impl JigsawLayout {
    /// Returns the order and rules of an empty grid.
    pub(super) fn new(puzzle: &dyn Puzzle, kind: &str) -> Result<Self, String> {
        let grid = puzzle.as_fill().map(puzzle::Fill::grid);
        let grid = grid.filter(|grid| grid.is_empty() && ORDERS.contains(&grid.shape().order()));
        grid.ok_or_else(|| {
            let (least, most) = ORDERS.into_inner();
            let found = wishes::found(puzzle, kind);
            format!("--jigsaw is for grids without clues of {least} to {most} digits, found {found}")
        })?;
        Ok(Self::of(puzzle))
    }

    pub(super) fn of(puzzle: &dyn Puzzle) -> Self {
        let grid = puzzle.as_fill().map(puzzle::Fill::grid).expect("jigsaws are grids to be filled");
        // Drop the boxes and keep other rules.
        let rules = Setting::head(grid.shape());
        let rules = rules.lines().filter(|line| line.starts_with("# rules"));
        let rules = rules.map(|line| format!("{line}\n")).collect();
        Self { order: grid.shape().order(), rules, format: grid.style.format }
    }

    /// Draws regions for try `number` and returns the empty jigsaw; returns `None` if no solution
    /// was found for any layout of regions.
    pub(super) fn draw(
        &self,
        seed: u64,
        number: u64,
        limits: &Limits,
    ) -> Result<Option<Box<dyn Puzzle>>, Limit> {
        let mut random = random_beside(seed, number);
        for _ in 0..LAYOUTS_MAX {
            limits.check()?;
            let Some(mut jigsaw) = self.read(&regions::draw(self.order, &mut random)) else { continue };
            let mut solver = Solver::new(jigsaw.problem().clone());
            let mut is_solved = false;
            let mut visit = |_: &[OptionId]| {
                is_solved = true;
                std::ops::ControlFlow::Break(())
            };
            let report = solver.run(&[], &[], &limits.clone().nodes(NODES_MAX), Some(&mut visit));
            match report.end {
                End::Limit(limit) if limit != Limit::Nodes => return Err(limit),
                _ if is_solved => {
                    // A format that cannot hold regions was refused earlier.
                    let _ = jigsaw.set_format(self.format);
                    return Ok(Some(jigsaw));
                }
                _ => {}
            }
        }
        Ok(None)
    }

    /// Builds the empty jigsaw with these regions; returns `None` if the regions are boxes.
    fn read(&self, regions: &[usize]) -> Option<Box<dyn Puzzle>> {
        let letter = |&region: &usize| char::from(b'A' + region as u8);
        let rows: Vec<String> =
            regions.chunks(self.order).map(|row| row.iter().map(letter).collect()).collect();
        let empty = vec![".".repeat(self.order); self.order].join("\n");
        let text = format!("{}{empty}\nregions\n{}\n", self.rules, rows.join("\n"));
        let hints = StreamHints { kind: farandole::kinds::by_name("sudoku"), ..StreamHints::default() };
        let read = Stream::first(text, &hints).ok().flatten();
        read.filter(|jigsaw| jigsaw.as_fill().is_some_and(|fill| fill.grid().shape().is_jigsaw()))
    }
}
