//! Any other puzzle whose clues can be written.

use std::ops::ControlFlow;

use dlx::Limit;

use super::page::{Page, Printed};
use super::rated::{Rated, Rater};
use super::{GenerateTask, ordered};
use crate::generate::{Attempt, Generator, Wanted};
use crate::puzzle::Puzzle;

/// Makes the puzzles that were asked for.
pub(super) fn run(
    task: &GenerateTask<'_>,
    puzzle: &dyn Puzzle,
    page: &mut Page<'_>,
) -> Result<(), Limit> {
    let GenerateTask { asked, seed, ref limits, .. } = *task;
    let clues = match &asked.clues {
        Some(clues) => *clues.start() as usize..=*clues.end() as usize,
        None => 0..=usize::MAX,
    };
    let wanted = Wanted { clues, is_minimal: !asked.not_minimal, units: task.units.clone() };
    let tries_max = asked.tries.unwrap_or(u64::MAX);
    let worker = || {
        let mut maker = Generator::new(puzzle, wanted.clone(), asked.nodes, limits)?;
        let mut rater = Rater::new(task, puzzle);
        Ok(move |number: u64| {
            if number >= tries_max {
                return Ok(None);
            }
            let outcome = maker.attempt(seed, number, limits)?;
            let rated = match &outcome {
                Attempt::Puzzle(made) => rater.rate(&made.clues)?,
                _ => Rated::Wanted(None),
            };
            Ok(Some((number, outcome, rated)))
        })
    };
    let given = puzzle.given().len();
    ordered::run(task.threads, &task.stop, worker, |(number, outcome, rated)| {
        page.report.tries = number + 1;
        match outcome {
            Attempt::Puzzle(made) => {
                let rating = match rated {
                    Rated::Wanted(rating) => rating,
                    Rated::Other(score) => {
                        page.report.add_other_rating(score);
                        return ControlFlow::Continue(());
                    }
                };
                let (mut text, mut solution) = (String::new(), String::new());
                puzzle.show_clues(&made.clues, &mut text);
                puzzle.show_clues(&made.solution, &mut solution);
                let printed = Printed {
                    number,
                    puzzle: text,
                    solution,
                    clues: (made.clues.len() - given) as u32,
                    is_minimal: made.is_minimal,
                    weight: None,
                    rating,
                };
                if page.print(&printed).is_break() {
                    return ControlFlow::Break(());
                }
                return page.flush();
            }
            Attempt::Clues(clues) => page.report.add_other((clues as u32, clues as u32)),
            Attempt::Ambiguous => page.report.ambiguous += 1,
            Attempt::Unsolvable => {
                page.report.is_unsolvable = true;
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    })
}
