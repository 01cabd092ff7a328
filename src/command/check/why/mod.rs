//! `check --why` explains why a puzzle has several solutions or none, and which change of a clue
//! leaves exactly one.
//!
//! A clue of a rule is omitted as a whole (`clues::with`). All other questions are answered on the
//! exact cover, for puzzles of every kind. In this module a *place* is a cell of a grid, or an item
//! such as a board cell, a piece or a row of queens. The kind of puzzle supplies the words for
//! items and options.
//!
//! Bounds: at most [`SOLUTIONS_MAX`] solutions are kept. `--nodes` limits each question, and
//! [`SHARES`] times as many nodes limit all questions about a puzzle. `--time` applies to each
//! puzzle. The output states which answers are incomplete.

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
use super::{Finding, candidates, solutions};
use crate::io::args::CheckArgs;
use crate::io::{interrupt, memory};
use apart::DistinguishingSet;
use items::ItemTable;
use puzzle::Puzzle;
pub(super) use show::by_number;
use uncovered::Uncovered;

const SOLUTIONS_MAX: usize = 1000;
/// The node limit for all questions about clues together, as a multiple of the limit for one
/// question.
const SHARES: u64 = 4;
/// Number of random orders tried for omitting clues of an unsolvable puzzle, to find a small set of
/// conflicting clues.
const ORDERS: usize = 16;
/// As `ORDERS`, but for a puzzle with clues of rules, where each subset of clues must be
/// translated.
const RULED_ORDERS: usize = 4;

/// Maximum number of other numbers tried for the clues of rules of a puzzle. Each is a new puzzle,
/// which takes some milliseconds to translate.
const NUMBERS_MAX: usize = 300;

pub(super) enum Why {
    /// The line printed by `check` needs no further explanation.
    Said,
    Spare(SpareClues),
    Several(SeveralSolutions),
    Impossible(Impossible),
}

/// A puzzle with one solution and redundant clues.
pub(super) struct SpareClues {
    /// The largest set of clues that was found to be redundant together.
    together: Vec<ClueId>,
    left: usize,
    /// Whether each clue outside `together` is needed once these clues are omitted.
    is_most: bool,
}

pub(super) struct SeveralSolutions {
    solutions: Vec<Vec<OptionId>>,
    is_complete: bool,
    /// The number of solutions that contain each option.
    counts: BTreeMap<OptionId, usize>,
    /// For a puzzle that is not a grid, the sets of options that cover each item.
    table: Option<ItemTable>,
    /// A smallest set of positions that distinguishes all solutions, or `None` unless all solutions
    /// are known.
    apart: Option<DistinguishingSet>,
    /// The candidates of a grid that occur in some solution, unless all solutions are known.
    candidates: Option<candidates::CandidateAnswer>,
    /// Changes of one clue that leave one solution.
    changes: Vec<ClueChange>,
    is_tried: bool,
}

pub(super) struct Impossible {
    /// The smallest set of conflicting clues that was found; empty if there is no solution even
    /// without clues.
    clash: Vec<ClueId>,
    /// Whether each clue in `clash` is needed for the conflict.
    is_least: bool,
    /// Items that cannot all be covered; searched only if `clash` is empty.
    uncovered: Option<Uncovered>,
    /// Clues whose omission makes the puzzle solvable, each with a flag that is `true` if there are
    /// several solutions then.
    spare: Vec<(ClueId, bool)>,
    changes: Vec<ClueChange>,
    is_tried: bool,
}

/// A clue and a replacement that leaves one solution.
pub(super) struct ClueChange {
    from: ClueId,
    to: NewClue,
}

/// The replacement of a clue.
pub(super) enum NewClue {
    Given(OptionId),
    /// The clue of a rule with another number, and its name.
    Rule {
        number: i64,
        words: String,
    },
}

/// Returns the limits of the questions about one puzzle; their time begins now.
pub(super) fn limits(asked: &CheckArgs) -> Limits {
    memory::guard(Limits::new().cancel(interrupt::flag()).within(asked.time), None)
}

pub(super) fn ask(puzzle: &dyn Puzzle, finding: &Finding, asked: &CheckArgs) -> Why {
    let Some(found) = finding.solutions.as_ref() else { return Why::Said };
    let spare = found.clues.as_ref().map_or(&[][..], |clues| &clues.spare);
    let is_said = found.count == 1 && (spare.len() < 2 || found.cut.is_some());
    if finding.order.code != 0 || is_said || found.count == 0 && found.cut.is_some() {
        return Why::Said;
    }
    memory::recover();
    let limits = limits(asked);
    let (nodes, solver, counter) = (asked.nodes(), None, ClueCounter::new());
    let left = nodes.saturating_mul(SHARES);
    let mut asker = ClueTester { puzzle, solver, counter, limits, nodes, left };
    match found.count {
        0 => asker.impossible(),
        1 => asker.spare(spare),
        _ => asker.several(),
    }
}

struct ClueTester<'p> {
    puzzle: &'p dyn Puzzle,
    solver: Option<Solver>,
    counter: ClueCounter,
    limits: Limits,
    nodes: u64,
    /// Remaining nodes for questions about clues.
    left: u64,
}

impl ClueTester<'_> {
    /// Finds at most `max` solutions that contain `given`; also returns whether these are all, or
    /// the limit that stopped the search.
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
                    if let Err(limit) = self.puzzle.build_problem(&limits) {
                        return (Vec::new(), Err(limit));
                    }
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

    /// Counts the solutions of a subset of clues, up to `max`; also returns whether the count is
    /// complete, or the limit that stopped the search.
    fn count(&mut self, clues: &[ClueId], max: usize) -> (usize, Result<bool, Limit>) {
        if self.puzzle.as_ruled().is_none() {
            let (found, end) = self.solutions(&clues::options(clues), max);
            return (found.len(), end);
        }
        let limits = self.limits.clone().nodes(self.nodes.min(self.left)).solutions(max as u64 + 1);
        let puzzle = match clues::with(self.puzzle, clues, &limits) {
            Ok(puzzle) => puzzle,
            Err(limit) => return (0, Err(limit)),
        };
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

    /// Removes clues as long as the others have no solution: half of the clues at once, then a
    /// quarter, and so on. Returns the remaining clues, and whether each of them is needed.
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
        // The first solutions of a search agree in most cells, so their symbols say nothing about
        // the other solutions.
        let candidates = grid.filter(|_| !is_complete).map(|_| {
            let limits = self.limits.clone().nodes(self.nodes);
            candidates::CandidateAnswer::find(self.puzzle, 1, &limits)
        });
        let all = clues::all(self.puzzle);
        let (changes, is_tried) = self.changes(&all);
        let apart = apart.flatten();
        Why::Several(SeveralSolutions {
            solutions,
            is_complete,
            counts,
            table,
            apart,
            candidates,
            changes,
            is_tried,
        })
    }

    /// Finds a large set of clues that can be omitted together without adding a solution.
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
        // Only the omission of a clue in `clash` can make the puzzle solvable.
        for &clue in &clash {
            let rest: Vec<ClueId> = all.iter().copied().filter(|&other| other != clue).collect();
            let (found, _) = self.count(&rest, 2);
            if found > 0 {
                spare.push((clue, found > 1));
            }
        }
        let (changes, is_tried) = self.changes(&clash);
        let uncovered = if clash.is_empty() { self.uncovered() } else { None };
        Why::Impossible(Impossible { clash, is_least, uncovered, spare, changes, is_tried })
    }

    /// Finds items that cannot all be covered; returns `None` if the node limit was too small.
    fn uncovered(&mut self) -> Option<Uncovered> {
        self.left = self.nodes.saturating_mul(SHARES);
        self.puzzle.build_problem(&self.limits).ok()?;
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

    /// Finds options that can replace one of the clues `tried`, in the same place, and other
    /// numbers of clues of rules, so that the puzzle has exactly one solution; also returns whether
    /// all replacements were tested.
    fn changes(&mut self, tried: &[ClueId]) -> (Vec<ClueChange>, bool) {
        let (mut changes, mut is_tried) = self.option_changes(&clues::options(tried));
        let mut numbers_left = NUMBERS_MAX;
        for &clue in tried {
            if let ClueId::Rule(rule) = clue {
                is_tried &= self.add_number_changes(rule, &mut numbers_left, &mut changes);
            }
            if interrupt::happened() {
                break;
            }
        }
        (changes, is_tried)
    }

    /// Finds the other numbers of the clue of a rule that leave one solution; returns whether all
    /// were tested.
    fn add_number_changes(
        &mut self,
        rule: usize,
        numbers_left: &mut usize,
        changes: &mut Vec<ClueChange>,
    ) -> bool {
        let Some(ruled) = self.puzzle.as_ruled() else { return true };
        for number in ruled.rule_numbers(rule) {
            if self.left == 0 || *numbers_left == 0 {
                return false;
            }
            *numbers_left -= 1;
            let limits = self.limits.clone().nodes(self.nodes.min(self.left)).solutions(2);
            let (words, changed) = match ruled.with_number(rule, number, &limits) {
                Ok(Some(changed)) => changed,
                Ok(None) => continue,
                Err(_) => return false,
            };
            let report = self.counter.count(changed.as_ref(), &limits);
            self.left = self.left.saturating_sub(report.nodes.max(TRANSLATION_NODES));
            match report.end {
                End::Exhausted if report.solutions == 1 => {
                    let to = NewClue::Rule { number, words };
                    changes.push(ClueChange { from: ClueId::Rule(rule), to });
                }
                End::Exhausted | End::Limit(Limit::Solutions) => {}
                _ => return false,
            }
        }
        true
    }

    fn option_changes(&mut self, tried: &[OptionId]) -> (Vec<ClueChange>, bool) {
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
                    changes.push(ClueChange { from: ClueId::Given(clue), to: NewClue::Given(to) });
                }
            }
        }
        (changes, is_tried)
    }
}

impl ClueTester<'_> {
    /// Returns whether an option and a clue share an item that the kind of puzzle has words for.
    fn is_in_place(&self, clue: OptionId, option: OptionId) -> bool {
        let problem = self.puzzle.problem();
        let items = |option| problem.option(option).iter().map(|entry| entry.item);
        let is_shared = |item: &dlx::ItemId| items(option).any(|other| other == *item);
        items(clue).filter(is_shared).any(|item| self.puzzle.terms().item_words(item).is_some())
    }
}

fn counts(solutions: &[Vec<OptionId>]) -> BTreeMap<OptionId, usize> {
    let mut counts = BTreeMap::new();
    solutions.iter().flatten().for_each(|&option| *counts.entry(option).or_insert(0) += 1);
    counts
}
