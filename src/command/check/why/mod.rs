//! `check --why`: why has a puzzle several solutions, or none, and which clue would mend it?
//!
//! Clues of rules are left out with all that they are made of (`clues::with`). All else is asked of the exact cover, so of every kind: a
//! *place* is a cell of a grid, or else an item, such as a cell of a board, a piece or
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

use super::clues::{self, ClueCounter, ClueId, TRANSLATION_NODES};
use super::{Finding, solutions};
use crate::io::args::CheckArgs;
use crate::io::{interrupt, memory};
use apart::Apart;
use items::ItemTable;
use puzzle::Puzzle;
use uncovered::Uncovered;

/// The most solutions that are kept.
const SOLUTIONS_MAX: usize = 1000;
/// How many times the nodes of one question all questions about clues may take together.
const SHARES: u64 = 4;
/// Orders in which clues are left out of an impossible puzzle, to find few that clash.
const ORDERS: usize = 16;
/// The same for a puzzle with clues of rules, each set of which has to be translated.
const RULED_ORDERS: usize = 4;

/// What is to be said of a puzzle.
pub(super) enum Why {
    /// The line that `check` prints says all.
    Said,
    Spare(SpareClues),
    Several(SeveralSolutions),
    Impossible(Impossible),
}

/// A puzzle with one solution and clues that can be left out.
pub(super) struct SpareClues {
    /// Clues that can be left out all together, the most that were found.
    together: Vec<ClueId>,
    /// How many clues are left then.
    left: usize,
    /// Whether each of these is needed.
    is_most: bool,
}

/// A puzzle with several solutions.
pub(super) struct SeveralSolutions {
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
    clash: Vec<ClueId>,
    /// Whether none of them can be left out.
    is_least: bool,
    /// Items that cannot all be covered, if there is no solution without any clue and they were found.
    uncovered: Option<Uncovered>,
    /// Clues without which there are solutions: one, or several.
    spare: Vec<(ClueId, bool)>,
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
    let (nodes, solver, counter) = (asked.nodes, None, ClueCounter::new());
    let left = nodes.saturating_mul(SHARES);
    let mut asker = Asker { puzzle, solver, counter, limits, nodes, left };
    match found.count {
        0 => asker.impossible(),
        1 => asker.spare(spare),
        _ => asker.several(),
    }
}

/// Asks the solver about one puzzle.
struct Asker<'p> {
    puzzle: &'p dyn Puzzle,
    /// Made when it is first needed.
    solver: Option<Solver>,
    /// Searches puzzles made of some clues.
    counter: ClueCounter,
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
        let mut visit = |cover: &[OptionId]| {
            is_full = found.len() == max;
            if is_full {
                return ControlFlow::Break(());
            }
            let mut cover = cover.to_vec();
            cover.sort_unstable();
            found.push(cover);
            ControlFlow::Continue(())
        };
        let is_whole = given.is_empty() && self.puzzle.given().is_empty();
        let digits = if is_whole { solutions::by_digits(self.puzzle) } else { None };
        let report =
            match digits.and_then(|mut digits| digits.search(self.puzzle, &limits, &mut visit).ok()) {
                Some(report) => report,
                None => {
                    let problem = self.puzzle.problem();
                    let solver = self.solver.get_or_insert_with(|| Solver::new(Arc::clone(problem)));
                    solver.run(given, &[], &limits, Some(&mut visit))
                }
            };
        self.left = self.left.saturating_sub(report.nodes.max(1));
        let end = match report.end {
            End::Exhausted => Ok(true),
            End::Limit(limit) => Err(limit),
            _ => Ok(false),
        };
        (found, end)
    }

    /// Returns how many solutions these clues leave, at most `max`, and whether these are all.
    fn count(&mut self, clues: &[ClueId], max: usize) -> (usize, Result<bool, Limit>) {
        if self.puzzle.as_ruled().is_none() {
            let (found, end) = self.solutions(&clues::options(clues), max);
            return (found.len(), end);
        }
        let Some(puzzle) = clues::with(self.puzzle, clues) else { return (0, Err(Limit::Memory)) };
        let limits = self.limits.clone().nodes(self.nodes.min(self.left)).solutions(max as u64 + 1);
        let report = self.counter.count(puzzle.as_ref(), &limits);
        self.left = self.left.saturating_sub(report.nodes.max(TRANSLATION_NODES));
        let end = match report.end {
            End::Exhausted => Ok(report.solutions <= max as u64),
            End::Limit(Limit::Solutions) => Ok(false),
            End::Limit(limit) if report.solutions <= max as u64 => Err(limit),
            _ => Ok(false),
        };
        ((report.solutions as usize).min(max), end)
    }

    /// Leaves out clues as long as there is no solution: blocks of half of them, then of a quarter and so on. Says whether each of the
    /// others is needed for that.
    fn shrink(&mut self, mut clash: Vec<ClueId>) -> (Vec<ClueId>, bool) {
        let (mut is_least, mut size) = (true, clash.len().div_ceil(2));
        while size > 0 {
            let mut start = 0;
            while start < clash.len() {
                let end = (start + size).min(clash.len());
                match self.count(&[&clash[..start], &clash[end..]].concat(), 0).1 {
                    Ok(true) => drop(clash.drain(start..end)),
                    Ok(false) => start = end,
                    Err(_) => {
                        start = end;
                        is_least &= size > 1;
                    }
                }
                if self.left == 0 || interrupt::happened() {
                    return (clash, false);
                }
            }
            size = if size == 1 { 0 } else { size.div_ceil(2) };
        }
        (clash, is_least)
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
        Why::Several(SeveralSolutions {
            solutions,
            is_complete,
            counts,
            table,
            apart,
            changes,
            is_tried,
        })
    }

    /// Leaves out as many clues together as it can, of those that can be left out alone.
    fn spare(&mut self, spare: &[ClueId]) -> Why {
        let all = clues::all(self.puzzle);
        let mut random = dlx::Random::new(1);
        let mut best: (Vec<ClueId>, bool) = (Vec::new(), false);
        for order in 0..self.orders() {
            let mut tried = spare.to_vec();
            if order > 0 {
                random.shuffle(&mut tried);
            }
            let (mut together, mut is_most): (Vec<ClueId>, bool) = (Vec::new(), true);
            for clue in tried {
                let is_left = |other: &ClueId| *other != clue && !together.contains(other);
                let rest: Vec<ClueId> = all.iter().copied().filter(is_left).collect();
                match self.count(&rest, 1) {
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
        let left = all.len() - together.len();
        Why::Spare(SpareClues { together, left, is_most })
    }

    /// Returns how many orders of leaving out clues are tried.
    fn orders(&self) -> usize {
        if self.puzzle.as_ruled().is_some() { RULED_ORDERS } else { ORDERS }
    }

    fn impossible(&mut self) -> Why {
        let all = clues::all(self.puzzle);
        let mut random = dlx::Random::new(1);
        let mut best = (all.clone(), false);
        for order in 0..self.orders() {
            let mut tried = all.clone();
            if order > 0 {
                random.shuffle(&mut tried);
            }
            let (clash, is_least) = self.shrink(tried);
            if (clash.len(), !is_least) < (best.0.len(), !best.1) {
                best = (clash, is_least);
            }
            if best.0.len() <= 1 || self.left == 0 || interrupt::happened() {
                break;
            }
        }
        let (mut clash, is_least) = best;
        clash.sort_unstable();
        self.left = self.nodes.saturating_mul(SHARES);
        let mut spare = Vec::new();
        // A clue that is in no clash mends nothing.
        for &clue in &clash {
            let rest: Vec<ClueId> = all.iter().copied().filter(|&other| other != clue).collect();
            let (found, _) = self.count(&rest, 2);
            if found > 0 {
                spare.push((clue, found > 1));
            }
        }
        let (changes, is_tried) = self.changes(&clues::options(&clash));
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
