//! Plain 9x9 Sudoku, many tries at once in the lanes.

use std::ops::ControlFlow;

use dlx::Limit;
use sudoku9::generate::{self, Recipe};

use super::page::{Page, Printed, write_line};
use super::{GenerateTask, ordered};
use crate::algorithm::nine;
use crate::puzzle::Fill;

/// Makes the puzzles that were asked for.
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
    // Few puzzles are soon made; what they are does not depend on the blocks.
    let block =
        if asked.controlled_bias { recipe.block() } else { asked.count.clamp(32, recipe.block()) };
    let tries_max = asked.tries.unwrap_or(u64::MAX);
    let limits = nine::limits(&task.limits);
    let worker = || {
        let (mut lanes, recipe, limits) = (nine::lanes(), &recipe, &limits);
        Ok(move |number: u64| {
            let first = number.saturating_mul(block);
            let tries = first..first.saturating_add(block).min(tries_max);
            if tries.is_empty() {
                return Ok(None);
            }
            let yielded = generate::run(&mut lanes, recipe, tries.clone(), limits);
            yielded
                .map(|yielded| Some((tries, yielded)))
                .map_err(|limit| nine::limit(limit, &task.limits))
        })
    };
    let is_controlled = asked.controlled_bias;
    ordered::run(task.threads, &task.stop, worker, |(tries, yielded)| {
        for made in &yielded.puzzles {
            let flow = page.print(&Printed {
                number: made.number,
                puzzle: write_line(fill, &made.puzzle),
                solution: if asked.output.json {
                    write_line(fill, &made.solution)
                } else {
                    String::new()
                },
                clues: made.clues,
                is_minimal: Some(made.is_minimal),
                weight: is_controlled.then(|| generate::weight(made.clues)),
            });
            if flow.is_break() {
                page.report.tries = made.number + 1;
                return ControlFlow::Break(());
            }
        }
        page.report.tries = tries.end;
        if task.units.is_some() && !asked.controlled_bias {
            page.report.ambiguous += yielded.ambiguous;
        }
        if let Some(others) = yielded.other_clues {
            page.report.add_other(others);
        }
        page.flush()
    })
}
