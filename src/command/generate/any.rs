//! Generates puzzles of all kinds except plain 9x9 Sudoku, if clues of the kind can be written.
//!
//! Each try adds clues to one fixed puzzle, or first draws regions, cages or a board at random.
//! Results are processed in the order of the tries.

use std::ops::ControlFlow;

use dlx::{Limit, OptionId};

use super::board::DrawnBoard;
use super::page::{Page, Printed};
use super::rated::{Rated, Rater};
use super::{GenerateTask, board, jigsaw, killer, ordered};
use crate::io::args::GenerateArgs;
use farandole::generate::{Attempt, Generator, Wanted};
use puzzle::Puzzle;

/// Default node limit of a search for a second solution of a puzzle.
const NODES_MAX: u64 = 100_000;
/// Default node limit of a search for a second solution on a randomly drawn board. A low limit is
/// enough: with many pieces most such searches fail at any limit.
const BOARD_NODES_MAX: u64 = 5_000;

pub(super) enum Tried {
    Made(Printed),
    /// The number of clues is outside the requested range.
    Clues(usize),
    /// The rating is not the requested one. The values are a lower bound on the score, in tenths,
    /// and the name of the hardest step that was found.
    Rating(u32, Option<String>),
    /// The randomly drawn regions, cages or board lead to no puzzle with a unique solution.
    Ambiguous,
    Unsolvable,
}

pub(super) fn run(
    task: &GenerateTask<'_>,
    puzzle: &dyn Puzzle,
    page: &mut Page<'_>,
) -> Result<(), Limit> {
    let tries_max = task.asked.tries.unwrap_or(u64::MAX);
    let GenerateArgs { jigsaw, killer, .. } = *task.asked;
    let worker = || {
        let mut attempt: Box<dyn FnMut(u64) -> Result<Tried, Limit>> =
            match (killer, jigsaw, &task.boards) {
                (true, ..) => {
                    let mut maker = killer::KillerMaker::new(task, puzzle)?;
                    Box::new(move |number| maker.attempt(number))
                }
                (false, true, _) => {
                    let layout = jigsaw::JigsawLayout::of(puzzle);
                    Box::new(move |number| match layout.draw(task.seed, number, &task.limits)? {
                        Some(drawn) => ClueMaker::new(task, drawn.as_ref())?.attempt(number),
                        None => Ok(Tried::Ambiguous),
                    })
                }
                (false, false, Some(boards)) => Box::new(move |number| {
                    match board::draw(boards, task.seed, number, &task.limits)? {
                        Some(DrawnBoard { puzzle, laid }) => {
                            ClueMaker::with(task, puzzle.as_ref(), Some(laid))?.attempt(number)
                        }
                        None => Ok(Tried::Ambiguous),
                    }
                }),
                (false, false, None) => {
                    let mut maker = ClueMaker::new(task, puzzle)?;
                    Box::new(move |number| maker.attempt(number))
                }
            };
        Ok(move |number: u64| match number >= tries_max {
            true => Ok(None),
            false => Ok(Some((number, attempt(number)?))),
        })
    };
    ordered::run(task.threads, &task.stop, worker, |(number, tried)| {
        match tried {
            Tried::Made(printed) => {
                page.report.tries = number + 1;
                if page.print(&printed).is_break() {
                    return ControlFlow::Break(());
                }
            }
            Tried::Clues(clues) => page.report.add_other_clues(clues as u32),
            Tried::Rating(score, hardest) => page.report.add_other_rating(score, hardest),
            Tried::Ambiguous => page.report.ambiguous += 1,
            Tried::Unsolvable => {
                page.report.is_unsolvable = true;
                return ControlFlow::Break(());
            }
        }
        page.after(number + 1)
    })
}

pub(super) struct ClueMaker<'p> {
    puzzle: &'p dyn Puzzle,
    generator: Generator<'p>,
    rater: Rater<'p>,
    seed: u64,
    limits: dlx::Limits,
}

impl<'p> ClueMaker<'p> {
    pub(super) fn new(task: &GenerateTask<'_>, puzzle: &'p dyn Puzzle) -> Result<Self, Limit> {
        Self::with(task, puzzle, None)
    }

    fn with(
        task: &GenerateTask<'_>,
        puzzle: &'p dyn Puzzle,
        known: Option<Vec<OptionId>>,
    ) -> Result<Self, Limit> {
        let GenerateTask { asked, seed, ref limits, .. } = *task;
        let clues = match &asked.clues {
            Some(clues) => *clues.start() as usize..=*clues.end() as usize,
            None => 0..=usize::MAX,
        };
        let wanted = Wanted { clues, is_minimal: !asked.not_minimal, units: task.units.clone() };
        let nodes = asked.nodes.unwrap_or(if known.is_some() { BOARD_NODES_MAX } else { NODES_MAX });
        let mut generator = Generator::new(puzzle, wanted, nodes, limits)?;
        if let Some(known) = known {
            generator = generator.knowing(known);
        }
        Ok(Self { puzzle, generator, rater: Rater::new(task, puzzle), seed, limits: limits.clone() })
    }

    pub(super) fn attempt(&mut self, number: u64) -> Result<Tried, Limit> {
        let made = match self.generator.attempt(self.seed, number, &self.limits)? {
            Attempt::Puzzle(made) => made,
            Attempt::Clues(clues) => return Ok(Tried::Clues(clues)),
            Attempt::Ambiguous => return Ok(Tried::Ambiguous),
            Attempt::Unsolvable => return Ok(Tried::Unsolvable),
        };
        let rating = match self.rater.rate(&made.clues)? {
            Rated::Wanted(rating) => rating,
            Rated::Easy => return Ok(Tried::Rating(0, None)),
            Rated::Other { score, hardest } => return Ok(Tried::Rating(score, hardest)),
        };
        let (mut text, mut solution) = (String::new(), String::new());
        self.puzzle.show_clues(&made.clues, &mut text);
        self.puzzle.show_clues(&made.solution, &mut solution);
        Ok(Tried::Made(Printed {
            number,
            puzzle: text,
            solution,
            clues: (made.clues.len() - self.puzzle.given().len()) as u32,
            cages: None,
            is_minimal: made.is_minimal,
            weight: None,
            rating,
        }))
    }
}
