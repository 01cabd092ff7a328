//! `check --why`: why has a puzzle several solutions, or none, and which clue would mend it?
//!
//! Everything is asked of the exact cover, so of every kind: a *place* is a cell of a grid, or else an item, such as a cell of a board, a piece or
//! a row of queens, and what covers it. The kind has words for both.
//!
//! Bounds: [`SOLUTIONS_MAX`] solutions are kept; a search for one more answer takes no more than the nodes of `--nodes`, all of
//! them together no more than [`SHARES`] times as many; `--time` holds for each puzzle. What was cut is said.

mod apart;
mod draw;
mod items;
mod show;
mod uncovered;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use dlx::{End, Engine as _, Limit, Limits, OptionId, Solver};

use super::Finding;
use crate::cli::io::args::CheckArgs;
use crate::cli::io::{interrupt, memory};
use crate::puzzle::Puzzle;
use apart::Apart;
use items::ItemTable;
use uncovered::Uncovered;

/// The most solutions that are kept.
const SOLUTIONS_MAX: usize = 1000;
/// How many times the nodes of one question all questions about clues may take together.
const SHARES: u64 = 4;
/// Orders in which clues are left out of an impossible puzzle, to find few that clash.
const ORDERS: usize = 16;

/// What is to be said of a puzzle.
pub(super) enum Why {
    /// The line that `check` prints says all.
    Said,
    Spare(SpareClues),
    Several(Several),
    Impossible(Impossible),
}

/// A puzzle with one solution and clues that can be left out.
pub(super) struct SpareClues {
    /// Clues that can be left out all together, the most that were found.
    together: Vec<OptionId>,
    /// How many clues are left then.
    left: usize,
    /// Whether each of these is needed.
    is_most: bool,
}

/// A puzzle with several solutions.
pub(super) struct Several {
    /// Sorted options of each.
    solutions: Vec<Vec<OptionId>>,
    is_complete: bool,
    /// In how many of them each option is that is in one.
    counts: BTreeMap<OptionId, usize>,
    /// What covers the items, of a puzzle that is no grid.
    table: Option<ItemTable>,
    /// The fewest places that tell all solutions apart; not asked if they are not all known.
    apart: Option<Apart>,
    /// Clues of which another one leaves one solution.
    changes: Vec<ClueChange>,
    /// Whether all clues were tried.
    is_tried: bool,
}

/// A puzzle without a solution.
pub(super) struct Impossible {
    /// Clues that clash, the fewest found; none if there is no solution without any clue.
    clash: Vec<OptionId>,
    /// Whether none of them can be left out.
    is_least: bool,
    /// Items that cannot all be covered, if there is no solution without any clue and they were found.
    uncovered: Option<Uncovered>,
    /// Clues without which there are solutions: one, or several.
    spare: Vec<(OptionId, bool)>,
    changes: Vec<ClueChange>,
    is_tried: bool,
}

/// A clue and what it is to be to leave one solution.
pub(super) struct ClueChange {
    from: OptionId,
    to: OptionId,
}

/// Asks why.
pub(super) fn ask(puzzle: &dyn Puzzle, finding: &Finding, asked: &CheckArgs) -> Why {
    let Some(found) = finding.solutions.as_ref() else { return Why::Said };
    let spare = found.clues.as_ref().map_or(&[][..], |clues| &clues.spare);
    let is_said = found.count == 1 && (spare.len() < 2 || found.cut.is_some());
    if finding.order.code != 0 || is_said || found.count == 0 && found.cut.is_some() {
        return Why::Said;
    }
    memory::recover();
    let limits = memory::guard(Limits::new().cancel(interrupt::flag()), None);
    let limits = asked.time.map_or(limits.clone(), |time| limits.within(time));
    let solver = Solver::new(Arc::clone(puzzle.problem()));
    let nodes = asked.nodes;
    let mut asker = Asker { puzzle, solver, limits, nodes, left: nodes.saturating_mul(SHARES) };
    match found.count {
        0 => asker.impossible(),
        1 => asker.spare(spare),
        _ => asker.several(),
    }
}

/// Asks the solver about one puzzle.
struct Asker<'p> {
    puzzle: &'p dyn Puzzle,
    solver: Solver,
    limits: Limits,
    nodes: u64,
    /// Nodes that are left for questions about clues.
    left: u64,
}

impl Asker<'_> {
    /// Finds solutions with these options, at most so many; says whether these are all, or which limit kept others from being
    /// found.
    fn solutions(
        &mut self,
        given: &[OptionId],
        max: usize,
    ) -> (Vec<Vec<OptionId>>, Result<bool, Limit>) {
        let mut found: Vec<Vec<OptionId>> = Vec::new();
        let mut is_full = false;
        let limits = self.limits.clone().nodes(self.nodes.min(self.left));
        let report = self.solver.run(
            given,
            &[],
            &limits,
            Some(&mut |cover: &[OptionId]| {
                is_full = found.len() == max;
                if is_full {
                    return ControlFlow::Break(());
                }
                let mut cover = cover.to_vec();
                cover.sort_unstable();
                found.push(cover);
                ControlFlow::Continue(())
            }),
        );
        self.left = self.left.saturating_sub(report.nodes.max(1));
        let end = match report.end {
            End::Exhausted => Ok(true),
            End::Limit(limit) => Err(limit),
            _ => Ok(false),
        };
        (found, end)
    }

    fn several(&mut self) -> Why {
        let given = self.puzzle.given().to_vec();
        let (mut solutions, end) = self.solutions(&given, SOLUTIONS_MAX);
        solutions.sort_unstable();
        self.left = self.nodes.saturating_mul(SHARES);
        let is_complete = end == Ok(true);
        let counts = counts(&solutions);
        let grid = self.puzzle.as_symbols();
        let table = grid.is_none().then(|| ItemTable::of(self.puzzle, &solutions));
        let apart = is_complete.then(|| match (grid, &table) {
            (Some(grid), _) => Some(apart::fewest_cells(grid, &solutions)),
            (None, table) => apart::fewest_items(table.as_ref()?, &solutions),
        });
        let (changes, is_tried) = self.changes(&given);
        let apart = apart.flatten();
        Why::Several(Several { solutions, is_complete, counts, table, apart, changes, is_tried })
    }

    /// Leaves out as many clues together as it can, of those that can be left out alone.
    fn spare(&mut self, spare: &[OptionId]) -> Why {
        let given = self.puzzle.given().to_vec();
        let mut random = dlx::Random::new(1);
        let mut best: (Vec<OptionId>, bool) = (Vec::new(), false);
        for order in 0..ORDERS {
            let mut tried = spare.to_vec();
            if order > 0 {
                random.shuffle(&mut tried);
            }
            let (mut together, mut is_most): (Vec<OptionId>, bool) = (Vec::new(), true);
            for clue in tried {
                let is_left = |other: &OptionId| *other != clue && !together.contains(other);
                let rest: Vec<OptionId> = given.iter().copied().filter(is_left).collect();
                match self.solutions(&rest, 1) {
                    (_, Ok(true)) => together.push(clue),
                    (_, Ok(false)) => {}
                    (_, Err(_)) => is_most = false,
                }
                if self.left == 0 || interrupt::happened() {
                    is_most = false;
                    break;
                }
            }
            if (together.len(), is_most) > (best.0.len(), best.1) {
                best = (together, is_most);
            }
            if best.0.len() == spare.len() || self.left == 0 || interrupt::happened() {
                break;
            }
        }
        let (mut together, is_most) = best;
        together.sort_unstable();
        let left = given.len() - together.len();
        Why::Spare(SpareClues { together, left, is_most })
    }

    fn impossible(&mut self) -> Why {
        let given = self.puzzle.given().to_vec();
        let mut random = dlx::Random::new(1);
        let mut best = (given.clone(), false);
        for order in 0..ORDERS {
            let mut tried = given.clone();
            if order > 0 {
                random.shuffle(&mut tried);
            }
            let (mut clash, mut is_least) = (tried.clone(), true);
            for clue in tried {
                let rest: Vec<OptionId> =
                    clash.iter().copied().filter(|&other| other != clue).collect();
                match self.solutions(&rest, 0) {
                    (_, Ok(true)) => clash = rest,
                    (_, Ok(false)) => {}
                    (_, Err(_)) => is_least = false,
                }
                // No set is better that has as many clues that are needed.
                if self.left == 0 || interrupt::happened() {
                    is_least = false;
                    break;
                }
            }
            if (clash.len(), !is_least) < (best.0.len(), !best.1) {
                best = (clash, is_least);
            }
            if best.0.len() <= 1 || self.left == 0 {
                break;
            }
        }
        let (mut clash, is_least) = best;
        clash.sort_unstable();
        self.left = self.nodes.saturating_mul(SHARES);
        let mut spare = Vec::new();
        // A clue that is in no clash mends nothing.
        for &clue in &clash {
            let rest: Vec<OptionId> = given.iter().copied().filter(|&other| other != clue).collect();
            let (found, _) = self.solutions(&rest, 2);
            if !found.is_empty() {
                spare.push((clue, found.len() > 1));
            }
        }
        let (changes, is_tried) = self.changes(&clash);
        let uncovered = if clash.is_empty() { self.uncovered() } else { None };
        Why::Impossible(Impossible { clash, is_least, uncovered, spare, changes, is_tried })
    }

    /// Finds items that cannot all be covered; `None` if that was not to be found out.
    fn uncovered(&mut self) -> Option<Uncovered> {
        self.left = self.nodes.saturating_mul(SHARES);
        uncovered::find(self.puzzle.problem(), |problem| {
            if self.left == 0 || self.limits.check().is_err() {
                return None;
            }
            let limits = self.limits.clone().nodes(self.nodes.min(self.left)).solutions(1);
            let report = Solver::new(problem).run(&[], &[], &limits, None);
            self.left = self.left.saturating_sub(report.nodes.max(1));
            match report.end {
                End::Exhausted => Some(false),
                End::Limit(Limit::Solutions) => Some(true),
                _ => None,
            }
        })
    }

    /// Finds the clues among `tried` of which another one in the same place leaves one solution; says whether all were tried.
    fn changes(&mut self, tried: &[OptionId]) -> (Vec<ClueChange>, bool) {
        let given = self.puzzle.given().to_vec();
        let grid = self.puzzle.as_symbols();
        let (mut changes, mut is_tried) = (Vec::new(), true);
        for &clue in tried {
            let rest: Vec<OptionId> = given.iter().copied().filter(|&other| other != clue).collect();
            let (found, end) = self.solutions(&rest, SOLUTIONS_MAX);
            if end != Ok(true) {
                is_tried = false;
                if self.left == 0 || interrupt::happened() {
                    break;
                }
                continue;
            }
            for (to, _) in counts(&found).into_iter().filter(|&(_, count)| count == 1) {
                let is_there = match grid {
                    Some(grid) => {
                        let cell = |option| grid.placed_by(option).map(|(cell, _)| cell);
                        cell(to).is_some() && cell(to) == cell(clue)
                    }
                    None => self.is_in_place(clue, to),
                };
                if is_there && to != clue && !rest.contains(&to) {
                    changes.push(ClueChange { from: clue, to });
                }
            }
        }
        (changes, is_tried)
    }
}

impl Asker<'_> {
    /// Tells whether an option covers something that a clue covers, and that the kind has words for.
    fn is_in_place(&self, clue: OptionId, option: OptionId) -> bool {
        let problem = self.puzzle.problem();
        let items = |option| problem.option(option).iter().map(|entry| entry.item);
        let is_shared = |item: &dlx::ItemId| items(option).any(|other| other == *item);
        items(clue).filter(is_shared).any(|item| self.puzzle.item_words(item).is_some())
    }
}

/// Counts the solutions that each option is in.
fn counts(solutions: &[Vec<OptionId>]) -> BTreeMap<OptionId, usize> {
    let mut counts = BTreeMap::new();
    solutions.iter().flatten().for_each(|&option| *counts.entry(option).or_insert(0) += 1);
    counts
}
