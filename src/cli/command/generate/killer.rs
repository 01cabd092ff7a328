//! Killers: cages are drawn over a solution, and changed until there is no other one; then until the rating is as wanted.
//!
//! A try draws a solution and cages. The search on digits looks for another solution, and a change of the cages takes it away
//! ([`Cages::exclude`]), again and again. If the puzzle is then easier than wanted, two cages are joined, if it is harder, one is
//! divided, each time unless there is another solution then, and it is rated anew.
//!
//! Bounds: [`CHANGES_MAX`] changes for one solution, [`RATINGS_MAX`] ratings of a try, [`JOINS_MAX`] joins between two of them; a search
//! has as many nodes as are asked for.

use std::ops::RangeInclusive;

use digits::{Found, Search};
use dlx::{Limit, Limits, Random};

use super::any::Tried;
use super::page::Printed;
use super::rated::{Rated, Rater};
use super::{GenerateTask, jigsaw};
use crate::generate::cages::Cages;
use crate::generate::{Generator, Wanted, random_of};
use crate::grid::{Format, Setting, format};
use crate::puzzle::{self, Puzzle, SymbolGrid};
use crate::stream::{Stream, StreamHints};

/// The most nodes of a search for another solution, unless something else is asked for.
const NODES_MAX: u64 = 2_000;
/// The most changes of the cages before a try is given up.
const CHANGES_MAX: usize = 150;
/// Behind so many changes cages are divided rather than their cells moved.
const MOVES_MAX: usize = 30;
/// The most ratings of a try.
const RATINGS_MAX: usize = 16;
/// The most pairs of cages that are joined for a harder puzzle until one leaves one solution.
const JOINS_MAX: usize = 12;
/// The head line of every variant.
const HEAD: &str = "# puzzle: variant\n";

/// Makes killers of the size and the rules of a grid.
pub(super) struct KillerMaker<'p> {
    task: &'p GenerateTask<'p>,
    base: &'p dyn Puzzle,
    /// Draws solutions of the grid, where all have the same regions and there is no faster way.
    drawing: Option<Generator<'p>>,
    layout: Option<jigsaw::JigsawLayout>,
    format: &'static dyn Format,
    nodes: u64,
}

/// Checks that cages can be drawn in a grid.
pub(super) fn check(puzzle: &dyn Puzzle, sizes: &RangeInclusive<usize>) -> Result<(), String> {
    let grid = puzzle.as_symbols().map(SymbolGrid::grid).filter(|grid| grid.is_empty());
    let most = digits::ORDER_MAX;
    let grid = grid.filter(|grid| grid.shape().order() <= most).ok_or_else(|| {
        format!("--killer is for grids without digits of up to {most} symbols, found another puzzle")
    })?;
    let order = grid.shape().order();
    if *sizes.start() > order {
        return Err(format!(
            "--cage-size: expected cages of at most {order} cells, since their digits differ, found {} and more",
            sizes.start()
        ));
    }
    Ok(())
}

impl<'p> KillerMaker<'p> {
    pub(super) fn new(task: &'p GenerateTask<'p>, base: &'p dyn Puzzle) -> Result<Self, Limit> {
        let asked = task.asked;
        let layout = asked.jigsaw.then(|| jigsaw::JigsawLayout::of(base));
        let is_drawn = layout.is_none() && crate::algorithm::nine::as_sudoku(base).is_none();
        let drawing = is_drawn.then(|| drawing(base, &task.limits)).transpose()?;
        let name = asked.to.as_deref().unwrap_or("rows");
        let format = format::by_name(name).unwrap_or(format::DEFAULT);
        let nodes = asked.nodes.unwrap_or(NODES_MAX);
        Ok(Self { task, base, drawing, layout, format, nodes })
    }

    /// Makes the try with a number.
    pub(super) fn attempt(&mut self, number: u64) -> Result<Tried, Limit> {
        let GenerateTask { seed, limits, .. } = self.task;
        let drawn = match &self.layout {
            Some(layout) => match layout.draw(*seed, number, limits)? {
                Some(jigsaw) => Some(jigsaw),
                None => return Ok(Tried::Ambiguous),
            },
            None => None,
        };
        let base = drawn.as_deref().unwrap_or(self.base);
        let grid = base.as_symbols().map(SymbolGrid::grid).expect("it was checked before");
        let mut random = random_of(*seed, number);
        let solution: Vec<usize> = match &mut self.drawing {
            None if drawn.is_none() => {
                let line = sudoku9::generate::full_grid(*seed, number);
                line.iter().map(|digit| usize::from(digit - b'1')).collect()
            }
            generator => {
                let solution = match generator {
                    Some(generator) => generator.solution(&mut random, limits)?,
                    None => drawing(base, limits)?.solution(&mut random, limits)?,
                };
                let Some(cover) = solution else { return Ok(Tried::Unsolvable) };
                let filled = base.as_symbols().map(|symbols| symbols.filled_with(&cover));
                let filled = filled.expect("it was checked before");
                (0..grid.shape().cell_count()).filter_map(|cell| filled.symbol(cell)).collect()
            }
        };
        let size = [grid.shape().rows(), grid.shape().columns()];
        let (least, most) = self.task.asked.cage_size.clone().into_inner();
        let sizes = least..=most.min(grid.shape().order());
        let inside = &solution[..size[0] * size[1]];
        let Some(cages) = Cages::draw(size, inside, sizes, &mut random) else {
            return Ok(Tried::Ambiguous);
        };
        let killer = KillerTry { maker: self, base, solution: &solution };
        let Some(cages) = killer.determined(cages, &mut random)? else { return Ok(Tried::Ambiguous) };
        killer.rated(cages, number, &mut random)
    }
}

/// Prepares to draw solutions of a grid.
fn drawing<'p>(base: &'p dyn Puzzle, limits: &Limits) -> Result<Generator<'p>, Limit> {
    let wanted = Wanted { clues: 0..=usize::MAX, is_minimal: true, units: None };
    Generator::new(base, wanted, 100_000, limits)
}

/// A grid to which cages are drawn.
struct KillerTry<'k> {
    maker: &'k KillerMaker<'k>,
    base: &'k dyn Puzzle,
    solution: &'k [usize],
}

impl KillerTry<'_> {
    /// Changes cages until there is one solution; `None` if that was not to be had.
    fn determined(&self, mut cages: Cages, random: &mut Random) -> Result<Option<Cages>, Limit> {
        for change in 0..CHANGES_MAX {
            self.maker.task.limits.check()?;
            let is_changed = match self.other(&cages)? {
                OtherSolution::None => return Ok(Some(cages)),
                OtherSolution::Found(other) => cages.exclude(&other, change >= MOVES_MAX, random),
                // Smaller cages are sooner searched.
                OtherSolution::Unknown => cages.divide(random),
            };
            if !is_changed {
                break;
            }
        }
        Ok(None)
    }

    /// Changes cages until the rating is as wanted.
    fn rated(&self, mut cages: Cages, number: u64, random: &mut Random) -> Result<Tried, Limit> {
        let task = self.maker.task;
        let wanted = task.asked.rating.clone();
        let mut last = 0;
        for _ in 0..RATINGS_MAX {
            let puzzle = self.puzzle(&cages).expect("cages of a solution make a puzzle");
            let score = match Rater::new(task, puzzle.as_ref()).rate(&[])? {
                Rated::Wanted(rating) => return Ok(self.made(&cages, puzzle.as_ref(), number, rating)),
                Rated::Other(score) => score,
            };
            last = score;
            let is_easy = wanted.as_ref().is_some_and(|wanted| score < *wanted.start());
            let Some(changed) = self.changed(&cages, is_easy, random)? else { break };
            cages = changed;
        }
        Ok(Tried::Rating(last))
    }

    /// Joins two cages, or divides one, such that there is still one solution.
    fn changed(&self, cages: &Cages, joins: bool, random: &mut Random) -> Result<Option<Cages>, Limit> {
        for _ in 0..JOINS_MAX {
            self.maker.task.limits.check()?;
            let mut changed = cages.clone();
            let is_changed = if joins { changed.join(random) } else { changed.divide(random) };
            if !is_changed {
                return Ok(None);
            }
            if let OtherSolution::None = self.other(&changed)? {
                return Ok(Some(changed));
            }
        }
        Ok(None)
    }

    /// Looks for a solution other than the one that is known.
    fn other(&self, cages: &Cages) -> Result<OtherSolution, Limit> {
        let puzzle = self.puzzle(cages).expect("cages of a solution make a puzzle");
        let Some(grid) = puzzle.as_digits() else { return Ok(OtherSolution::Unknown) };
        let mut search = Search::new(grid.network());
        for node in 0..self.maker.nodes {
            if node % 64 == 0 {
                self.maker.task.limits.check()?;
            }
            match search.step() {
                Found::End => return Ok(OtherSolution::None),
                Found::Nothing => {}
                Found::Solution => {
                    let digits = search.digits().iter().map(|digit| digit.trailing_zeros() as usize);
                    let digits: Vec<usize> = digits.collect();
                    if digits != self.solution {
                        return Ok(OtherSolution::Found(digits));
                    }
                }
            }
        }
        Ok(OtherSolution::Unknown)
    }

    /// Writes the clues of the cages before those of the grid, and reads all that.
    fn puzzle(&self, cages: &Cages) -> Option<Box<dyn Puzzle>> {
        let symbols = self.base.as_symbols()?;
        let mut text = HEAD.to_owned();
        let mut grid = String::new();
        self.base.show_clues(&[], &mut grid);
        let first = symbols.first_number();
        for cage in cages.list() {
            let sum: usize = cage.iter().map(|&cell| self.solution[cell] + first).sum();
            let names: Vec<String> = cage.iter().map(|&cell| symbols.cell_name(cell)).collect();
            text += &format!("# killer: {} = {sum}\n", names.join(" "));
        }
        match grid.strip_prefix(HEAD) {
            Some(rest) => text += rest,
            None => {
                let head = Setting::head(symbols.grid().shape());
                text += &head.replace("# puzzle: latin\n", "# boxes: none\n");
                text += &grid;
            }
        }
        let hints = StreamHints { kind: puzzle::by_name("variant"), ..StreamHints::default() };
        let mut read = Stream::first(text, &hints).ok().flatten()?;
        // Digits from 0 on and grids that are no squares have a format of their own.
        let _ = read.set_format(self.maker.format);
        Some(read)
    }

    fn made(
        &self,
        cages: &Cages,
        puzzle: &dyn Puzzle,
        number: u64,
        rating: Option<crate::explain::Rating>,
    ) -> Tried {
        let (mut text, mut solution) = (String::new(), String::new());
        puzzle.show_clues(&[], &mut text);
        let digits: Vec<digits::DigitSet> = self.solution.iter().map(|&digit| 1 << digit).collect();
        if let Some(grid) = puzzle.as_digits() {
            puzzle.show_clues(&grid.cover_of(&digits), &mut solution);
        }
        Tried::Made(Printed {
            number,
            puzzle: text,
            solution,
            clues: 0,
            cages: Some(cages.list().len() as u32),
            is_minimal: Some(true),
            weight: None,
            rating,
        })
    }
}

/// What came of the search for another solution.
enum OtherSolution {
    Found(Vec<usize>),
    None,
    Unknown,
}
