//! Generates plain 9x9 Sudoku, many tries at once in the SIMD lanes.

use std::ops::ControlFlow;

use dlx::{Limit, OptionId};
use sudoku9::generate::{self, Recipe, vicinity};

use super::page::{Page, Printed, write_line};
use super::rated::{Rated, Rater};
use super::{GenerateTask, ordered, wishes};
use farandole::algorithm::nine;
use puzzle::Fill;

const BLOCK_MIN: u64 = 32;
/// Largest score of singles and locked candidates (in tenths).
const LOCKED_SCORE: u32 = 28;

pub(super) fn run(task: &GenerateTask<'_>, fill: &Fill, page: &mut Page<'_>) -> Result<(), Limit> {
    let GenerateTask { asked, seed, .. } = *task;
    let mut recipe = match asked.controlled_bias {
        true => Recipe::controlled(seed),
        false => Recipe::new(seed),
    };
    if let Some(clues) = &asked.clues {
        recipe.clues = clues.clone();
    }
    recipe.is_minimal = !asked.not_minimal;
    if let Some(units) = &task.units {
        let narrow = |unit: &Vec<usize>| unit.iter().map(|&cell| cell as u8).collect();
        recipe.units = units.iter().map(narrow).collect();
    }
    // Small blocks are better for few puzzles and for rated puzzles, which are slow. The generated
    // puzzles do not depend on the block size.
    let is_rating = asked.rating.is_some() || asked.technique.is_some();
    let block = match (asked.controlled_bias, is_rating) {
        (true, _) => recipe.block(),
        (false, true) => BLOCK_MIN,
        (false, false) => asked.count.clamp(BLOCK_MIN, recipe.block()),
    };
    let needs_trials =
        wishes::wanted_scores(asked).is_some_and(|scores| *scores.start() > LOCKED_SCORE);
    let tries_max = asked.tries.unwrap_or(u64::MAX);
    let worker = || {
        let (mut lanes, recipe, limits) = (nine::lanes(), &recipe, &task.limits);
        let mut rater = Rater::new(task, fill);
        Ok(move |number: u64| {
            let first = number.saturating_mul(block);
            let tries = first..first.saturating_add(block).min(tries_max);
            if tries.is_empty() {
                return Ok(None);
            }
            let yielded = generate::run(&mut lanes, recipe, tries.clone(), limits)?;
            let puzzles = yielded.puzzles.iter();
            let rate = |made: &generate::Generated| match needs_trials && is_easy(&made.puzzle) {
                true => Ok(Rated::Easy),
                false => rater.rate(&clues(fill, &made.puzzle)),
            };
            let rated: Vec<Rated> = puzzles.map(rate).collect::<Result<_, _>>()?;
            Ok(Some((tries, yielded, rated)))
        })
    };
    let is_controlled = asked.controlled_bias;
    ordered::run(task.threads, &task.stop, worker, |(tries, yielded, rated)| {
        for (made, rated) in yielded.puzzles.iter().zip(rated) {
            let rating = match rated {
                Rated::Wanted(rating) => rating,
                Rated::Easy => continue,
                Rated::Other { score, hardest } => {
                    page.report.add_other_rating(score, hardest);
                    continue;
                }
            };
            let flow = page.print(&Printed {
                number: made.number,
                puzzle: write_line(fill, &made.puzzle),
                solution: if asked.output.json {
                    write_line(fill, &made.solution)
                } else {
                    String::new()
                },
                clues: made.clues,
                cages: None,
                is_minimal: Some(made.is_minimal),
                weight: is_controlled.then(|| generate::weight(made.clues)),
                rating,
            });
            if flow.is_break() {
                page.report.tries = made.number + 1;
                return ControlFlow::Break(());
            }
        }
        if task.units.is_some() && !asked.controlled_bias {
            page.report.ambiguous += yielded.ambiguous;
        }
        if let Some(others) = yielded.other_clues {
            page.report.add_other(others, yielded.nearest_clues);
        }
        page.after(tries.end)
    })
}

/// Returns whether singles and locked candidates solve a puzzle. This takes far less time than a
/// rating.
fn is_easy(puzzle: &[u8; 81]) -> bool {
    vicinity::hardness(puzzle) == Ok(0)
}

pub(super) fn clues(fill: &Fill, line: &[u8; 81]) -> Vec<OptionId> {
    let clues = line.iter().enumerate().filter(|&(_, &c)| c != b'.');
    clues.filter_map(|(cell, &c)| fill.option(cell, usize::from(c - b'1'))).collect()
}
