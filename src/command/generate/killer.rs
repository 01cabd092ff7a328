//! Generates killer Sudoku. Cages are drawn over a solution and changed until no other solution
//! fits, then until the rating is in the requested range.
//!
//! A try draws a solution and cages. While the digit search finds another solution, the cages are
//! changed to exclude it ([`Cages::exclude`]). Then changes move the rating towards the requested
//! range: two cages are joined, one is divided, or a cell moves to an adjacent cage. A change must
//! keep the solution unique and must not increase the distance to the range. If the puzzle is too
//! hard, the distance is the number of cells left open by the allowed steps, and cages over open
//! cells are changed. If it is too easy, the distance is proportional to the missing score of the
//! hardest step.
//!
//! Tried and dropped: accepting changes that increase the distance (slower).
//!
//! Bounds: [`CHANGES_MAX`] changes for uniqueness, [`RATINGS_MAX`] ratings per try, [`TRIALS_MAX`]
//! changes between two ratings, and a node limit per search.

use std::ops::RangeInclusive;

use digits::{Search, StepResult};
use dlx::{Limit, Limits, Random};

use super::any::Tried;
use super::page::Printed;
use super::rated::Rater;
use super::{GenerateTask, jigsaw, wishes};
use farandole::generate::cages::Cages;
use farandole::generate::{Generator, Wanted, random_of};
use farandole::stream::{Stream, StreamHints};
use grid::{Format, Setting, format};
use puzzle::{Puzzle, SymbolGrid};

/// Default node limit of a search for another solution.
const NODES_MAX: u64 = 2_000;
/// Largest number of changes of the cages per try to make the solution unique.
const CHANGES_MAX: usize = 150;
/// Number of changes per try that move cells between cages. Later changes divide cages instead.
const MOVES_MAX: usize = 30;
const RATINGS_MAX: usize = 60;
/// Largest number of changes tried per rating until one keeps the solution unique.
const TRIALS_MAX: usize = 24;
/// Largest number of changes per try that bring the number of nodes into the wanted range.
const HARDENINGS_MAX: usize = 200;
/// Smallest score (in tenths) of puzzles that hardly ever can be solved without a guess.
const GUESS_SCORE: u32 = 40;
/// Number of nodes of the search that proves a solution of a puzzle of [`GUESS_SCORE`] or more
/// unique. Without a guess it needs two; with more guesses most puzzles are too hard for a range.
const GUESS_NODES: RangeInclusive<u64> = 3..=9;
/// Distance from the requested range (open cells) for each tenth that the score falls short of it.
const TENTH_CELLS: usize = 3;
/// Extra distance from the requested range (open cells) of a puzzle that is too hard and whose
/// easier steps all score below the range.
const NONE_BEFORE: usize = 20;
const HEAD: &str = "# puzzle: variant\n";

/// Generates killers with the size and rules of a grid.
pub(super) struct KillerMaker<'p> {
    task: &'p GenerateTask<'p>,
    base: &'p dyn Puzzle,
    /// Draws random solutions of the grid, or `None` if the regions are drawn too, or if a faster
    /// method draws solutions.
    drawing: Option<Generator<'p>>,
    layout: Option<jigsaw::JigsawLayout>,
    format: &'static Format,
    nodes: u64,
}

/// Checks that cages can be drawn in a grid.
pub(super) fn check(
    puzzle: &dyn Puzzle,
    kind: &str,
    sizes: &RangeInclusive<usize>,
) -> Result<(), String> {
    let grid = puzzle.as_symbols().map(SymbolGrid::grid).filter(|grid| grid.is_empty());
    let most = digits::ORDER_MAX;
    let grid = grid.filter(|grid| (2..=most).contains(&grid.shape().order())).ok_or_else(|| {
        let found = wishes::found(puzzle, kind);
        format!("--killer is for grids without clues of 2 to {most} digits, found {found}")
    })?;
    wishes::check_cages(grid, sizes)
}

impl<'p> KillerMaker<'p> {
    pub(super) fn new(task: &'p GenerateTask<'p>, base: &'p dyn Puzzle) -> Result<Self, Limit> {
        let asked = task.asked;
        let layout = asked.jigsaw.then(|| jigsaw::JigsawLayout::of(base));
        let is_drawn = layout.is_none() && farandole::algorithm::nine::as_sudoku(base).is_none();
        let drawing = is_drawn.then(|| drawing(base, &task.limits)).transpose()?;
        let name = asked.to.as_deref().unwrap_or("rows");
        let format = format::by_name(name).unwrap_or(format::DEFAULT);
        let nodes = asked.nodes.unwrap_or(NODES_MAX);
        Ok(Self { task, base, drawing, layout, format, nodes })
    }

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

fn drawing<'p>(base: &'p dyn Puzzle, limits: &Limits) -> Result<Generator<'p>, Limit> {
    let wanted = Wanted { clues: 0..=usize::MAX, is_minimal: true, units: None };
    Generator::new(base, wanted, 100_000, limits)
}

/// A try: a grid and one of its solutions, over which cages are drawn.
struct KillerTry<'k> {
    maker: &'k KillerMaker<'k>,
    base: &'k dyn Puzzle,
    solution: &'k [usize],
}

impl KillerTry<'_> {
    /// Changes cages until the solution is unique; returns `None` on failure.
    fn determined(&self, mut cages: Cages, random: &mut Random) -> Result<Option<Cages>, Limit> {
        for change in 0..CHANGES_MAX {
            self.maker.task.limits.check()?;
            let is_changed = match self.other(&cages)? {
                OtherSolution::None { .. } => return Ok(Some(cages)),
                OtherSolution::Found(other) => cages.exclude(&other, change >= MOVES_MAX, random),
                // Puzzles with smaller cages are faster to search.
                OtherSolution::Unknown => cages.divide(|_| true, random),
            };
            if !is_changed {
                break;
            }
        }
        Ok(None)
    }

    /// Changes cages until the search needs as many nodes as puzzles of the requested scores do,
    /// which takes far less time than ratings. Returns the last cages on failure.
    fn hardened(&self, mut cages: Cages, random: &mut Random) -> Result<Cages, Limit> {
        let Some(wanted) = self.nodes_wanted() else { return Ok(cages) };
        let OtherSolution::None { nodes: mut least } = self.other(&cages)? else { return Ok(cages) };
        for _ in 0..HARDENINGS_MAX {
            if wanted.contains(&least) {
                break;
            }
            self.maker.task.limits.check()?;
            let mut other = cages.clone();
            let is_easy = least < *wanted.start();
            let is_changed = match random.below(2) {
                0 if is_easy => other.join(|_| true, random),
                0 => other.divide(|_| true, random),
                _ => other.move_cell(|_| true, random),
            };
            if is_changed
                && let OtherSolution::None { nodes } = self.other(&other)?
                && (is_easy && nodes >= least || !is_easy && nodes <= least)
            {
                (cages, least) = (other, nodes);
            }
        }
        Ok(cages)
    }

    /// Returns the number of nodes that puzzles of the requested scores need; `None` if they need
    /// no guess.
    fn nodes_wanted(&self) -> Option<RangeInclusive<u64>> {
        let scores = wishes::wanted_scores(self.maker.task.asked)?;
        (*scores.start() >= GUESS_SCORE).then_some(GUESS_NODES)
    }

    /// Changes cages until the rating is in the requested range.
    fn rated(&self, cages: Cages, number: u64, random: &mut Random) -> Result<Tried, Limit> {
        let cages = self.hardened(cages, random)?;
        let mut best = match self.rate(cages, number)? {
            ChangeOutcome::There(made) => return Ok(made),
            ChangeOutcome::Away(rated) => rated,
        };
        for _ in 1..RATINGS_MAX {
            let Some(changed) = self.changed(&best, random)? else { break };
            match self.rate(changed, number)? {
                ChangeOutcome::There(made) => return Ok(made),
                ChangeOutcome::Away(rated) if rated.distance <= best.distance => best = rated,
                ChangeOutcome::Away(_) => {}
            }
        }
        Ok(Tried::Rating(best.score, None))
    }

    /// Rates a puzzle, and computes its distance to the requested range.
    fn rate(&self, cages: Cages, number: u64) -> Result<ChangeOutcome, Limit> {
        let task = self.maker.task;
        let puzzle = self.puzzle(&cages).expect("cages of a solution make a puzzle");
        let is_rating = task.asked.rating.is_some() || task.asked.technique.is_some();
        if !is_rating {
            return Ok(ChangeOutcome::There(self.made(&cages, puzzle.as_ref(), number, None)));
        }
        let reached = Rater::new(task, puzzle.as_ref()).reach(&[])?;
        let least = wishes::wanted_scores(task.asked).map_or(0, |wanted| *wanted.start());
        let lack = least.saturating_sub(reached.score) as usize;
        let (distance, is_open) = match reached.rating {
            Some(rating) if reached.is_wanted => {
                return Ok(ChangeOutcome::There(self.made(
                    &cages,
                    puzzle.as_ref(),
                    number,
                    Some(rating),
                )));
            }
            Some(_) => (TENTH_CELLS * lack, None),
            None => {
                let mut is_open = vec![true; self.solution.len()];
                let symbols = puzzle.as_symbols().expect("it was checked before");
                for (cell, _) in reached.placed.iter().filter_map(|&option| symbols.placed_by(option)) {
                    is_open[cell] = false;
                }
                let open = is_open.iter().filter(|&&is_open| is_open).count();
                (open + if lack > 0 { NONE_BEFORE } else { 0 }, Some(is_open))
            }
        };
        Ok(ChangeOutcome::Away(RatedCages { cages, score: reached.score, distance, is_open }))
    }

    /// Makes a small change to the cages that keeps the solution unique; returns `None` on failure.
    fn changed(&self, rated: &RatedCages, random: &mut Random) -> Result<Option<Cages>, Limit> {
        for _ in 0..TRIALS_MAX {
            self.maker.task.limits.check()?;
            let mut cages = rated.cages.clone();
            let is_changed = match (&rated.is_open, random.below(4)) {
                (Some(is_open), 0 | 1) => cages.divide(|cell| is_open[cell], random),
                (Some(is_open), _) => cages.move_cell(|cell| is_open[cell], random),
                (None, 0 | 1) => cages.join(|_| true, random),
                (None, _) => cages.move_cell(|_| true, random),
            };
            let wanted = self.nodes_wanted();
            if is_changed
                && let OtherSolution::None { nodes } = self.other(&cages)?
                && wanted.is_none_or(|wanted| wanted.contains(&nodes))
            {
                return Ok(Some(cages));
            }
        }
        Ok(None)
    }

    fn other(&self, cages: &Cages) -> Result<OtherSolution, Limit> {
        let puzzle = self.puzzle(cages).expect("cages of a solution make a puzzle");
        let grid = puzzle.as_digits(&self.maker.task.limits)?;
        let Some(grid) = grid else { return Ok(OtherSolution::Unknown) };
        let mut search = Search::new(grid.network());
        for node in 0..self.maker.nodes {
            if node % 64 == 0 {
                self.maker.task.limits.check()?;
            }
            match search.step() {
                StepResult::End => return Ok(OtherSolution::None { nodes: node + 1 }),
                StepResult::Nothing => {}
                StepResult::Solution => {
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

    /// Builds the puzzle with a clue for each cage and the clues of the grid.
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
        let hints =
            StreamHints { kind: farandole::kinds::by_name("variant"), ..StreamHints::default() };
        let mut read = Stream::first(text, &hints).ok().flatten()?;
        // If the format cannot hold this grid (digits from 0, not square), the puzzle keeps the
        // default format.
        let _ = read.set_format(self.maker.format);
        Some(read)
    }

    fn made(
        &self,
        cages: &Cages,
        puzzle: &dyn Puzzle,
        number: u64,
        rating: Option<farandole::explain::Rating>,
    ) -> Tried {
        let (mut text, mut solution) = (String::new(), String::new());
        puzzle.show_clues(&[], &mut text);
        let digits: Vec<digits::DigitSet> = self.solution.iter().map(|&digit| 1 << digit).collect();
        if let Ok(Some(grid)) = puzzle.as_digits(&Limits::new()) {
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

enum ChangeOutcome {
    /// The rating is in the requested range.
    There(Tried),
    Away(RatedCages),
}

/// Cages with a unique solution, and the distance of their rating from the requested range.
struct RatedCages {
    cages: Cages,
    /// The score of the hardest step within the range, in tenths.
    score: u32,
    distance: usize,
    /// For a puzzle that is too hard: whether each cell is still open when no step of an allowed
    /// score is left.
    is_open: Option<Vec<bool>>,
}

enum OtherSolution {
    Found(Vec<usize>),
    /// There is none, as the search showed with this number of nodes.
    None {
        nodes: u64,
    },
    Unknown,
}
