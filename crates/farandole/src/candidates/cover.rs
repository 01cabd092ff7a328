//! True candidates of exact covers: the options that occur in some cover.
//!
//! Two searches alternate, each with as many nodes as the other, until one of them has the answer:
//! - the covers of each option that no known cover contains, with a small node budget, which grows
//!   from round to round;
//! - all covers, which is faster if there are few. It starts anew with a larger budget.
//!
//! Small budgets go to dancing cells, whose start is cheap, and large ones to [`Solver`], which
//! reduces the problem and chooses among the engines.
//!
//! Bounds: the known covers number at most the limit of a count times the number of options.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use dlx::engine::Cells;
use dlx::{End, Engine, Limit, Limits, OptionId, Problem, Report, Solver};

use super::{Candidate, CandidateFact};
use puzzle::Puzzle;

/// Node budget of the first search of each option. Enough for one cover of most boards of pieces.
const BUDGET_FIRST: u64 = 256;
/// Factor between the node budgets of two rounds; the last round takes most of the nodes of all.
const BUDGET_FACTOR: u64 = 4;
/// Node budget from which the solver searches. Its preparation then is a small part of the search.
const BUDGET_OF_SOLVER: u64 = 1 << 14;
/// Node budget of the first search of all covers. Problems with fewer nodes need no other search.
const ALL_FIRST: u64 = 1 << 14;

/// What is known about the options of a problem.
#[derive(Clone, Debug)]
pub(super) struct CoverCandidates {
    problem: Arc<Problem>,
    limit: u64,
    facts: Vec<OptionFact>,
    /// Known covers, each as sorted options.
    found: BTreeSet<Box<[OptionId]>>,
    nodes: u64,
}

/// What is known about an option.
#[derive(Clone, Copy, Debug, Default)]
struct OptionFact {
    /// Number of covers in `found` with the option.
    kept: u64,
    /// Largest number of covers with the option that one search of all covers has visited.
    visited: u64,
    /// Whether the larger of these numbers counts all covers.
    is_exact: bool,
}

impl OptionFact {
    fn count(self) -> u64 {
        self.kept.max(self.visited)
    }
}

impl CoverCandidates {
    pub(super) fn new(puzzle: &dyn Puzzle, limit: u32) -> Self {
        let problem = Arc::clone(puzzle.problem());
        // A search never chooses an option without a primary item.
        let is_never_chosen =
            |option| problem.option(option).iter().all(|entry| !problem.is_primary(entry.item));
        let fact = |option| OptionFact { is_exact: is_never_chosen(option), ..OptionFact::default() };
        let facts = problem.options().map(fact).collect();
        Self { problem, limit: limit.into(), facts, found: BTreeSet::new(), nodes: 0 }
    }

    pub(super) fn is_of(&self, puzzle: &dyn Puzzle) -> bool {
        Arc::ptr_eq(&self.problem, puzzle.problem())
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Searches the covers that contain the clues of `puzzle`, until all options are decided.
    pub(super) fn search(&mut self, puzzle: &dyn Puzzle, limits: &Limits) -> End {
        let given = puzzle.given();
        self.narrow(given);
        let mut round =
            CoverRounds { known: self, given, limits, left: limits.nodes, cells: None, solver: None };
        let end = round.decide_all();
        end.map_or_else(End::Limit, |()| End::Exhausted)
    }

    /// Keeps what is true with these clues, which include those of earlier searches.
    fn narrow(&mut self, given: &[OptionId]) {
        self.found.retain(|cover| given.iter().all(|option| cover.binary_search(option).is_ok()));
        for fact in &mut self.facts {
            // The covers that were only visited are not kept, so a count of them becomes unknown.
            fact.is_exact &= fact.visited <= fact.kept;
            (fact.kept, fact.visited) = (0, 0);
        }
        for &option in self.found.iter().flat_map(|cover| cover.iter()) {
            self.facts[option.index()].kept += 1;
        }
    }

    fn is_open(&self, option: OptionId) -> bool {
        let fact = self.facts[option.index()];
        !fact.is_exact && fact.count() < self.limit
    }

    /// Adds a cover if it contains an option whose count it raises.
    fn add(&mut self, cover: &[OptionId]) {
        if !cover.iter().any(|&option| self.is_open(option)) {
            return;
        }
        let mut cover: Box<[OptionId]> = cover.into();
        cover.sort_unstable();
        if self.found.contains(&cover) {
            return;
        }
        cover.iter().for_each(|option| self.facts[option.index()].kept += 1);
        self.found.insert(cover);
    }

    pub(super) fn facts(&self, puzzle: &dyn Puzzle) -> Vec<CandidateFact> {
        let known = |option: OptionId| {
            let fact = self.facts[option.index()];
            (fact.count().min(self.limit), fact.is_exact && fact.count() <= self.limit)
        };
        let Some(grid) = puzzle.as_symbols() else {
            let chosen = self.problem.options().filter(|&option| {
                self.problem.option(option).iter().any(|entry| self.problem.is_primary(entry.item))
            });
            let fact = |option| {
                let (count, is_exact) = known(option);
                CandidateFact { candidate: Candidate::Option(option), count, is_exact }
            };
            return chosen.map(fact).collect();
        };
        let mut facts = super::grid::unknown(puzzle);
        facts.iter_mut().for_each(|fact| fact.is_exact = true);
        let order = grid.grid().shape().order();
        for option in self.problem.options() {
            if let Some((cell, symbol)) = grid.placed_by(option) {
                let ((count, is_exact), fact) = (known(option), &mut facts[cell * order + symbol]);
                let all = fact.count + count;
                fact.is_exact &= is_exact && all <= self.limit;
                fact.count = all.min(self.limit);
            }
        }
        facts
    }
}

/// The searches of one call.
struct CoverRounds<'r> {
    known: &'r mut CoverCandidates,
    given: &'r [OptionId],
    limits: &'r Limits,
    /// Nodes left of the limit.
    left: Option<u64>,
    cells: Option<Option<Cells>>,
    solver: Option<Solver>,
}

impl CoverRounds<'_> {
    fn decide_all(&mut self) -> Result<(), Limit> {
        let (mut budget, mut budget_of_all) = (BUDGET_FIRST, ALL_FIRST);
        while self.open().next().is_some() {
            self.limits.check()?;
            if self.try_all(budget_of_all)? {
                return Ok(());
            }
            let before = self.known.nodes;
            let open: Vec<OptionId> = self.open().collect();
            for option in open {
                if self.known.is_open(option) {
                    self.limits.check()?;
                    self.try_option(option, budget)?;
                }
            }
            budget = budget.saturating_mul(BUDGET_FACTOR);
            budget_of_all = (self.known.nodes - before).max(budget_of_all);
        }
        Ok(())
    }

    fn open(&self) -> impl Iterator<Item = OptionId> {
        self.known.problem.options().filter(|&option| self.known.is_open(option))
    }

    /// Visits all covers, unless that takes more nodes than `budget`; returns whether they are all.
    fn try_all(&mut self, budget: u64) -> Result<bool, Limit> {
        let mut visited = vec![0; self.known.facts.len()];
        let end = self.run(&[], &[], budget, &mut |known, cover| {
            cover.iter().for_each(|option| visited[option.index()] += 1);
            known.add(cover);
            ControlFlow::Continue(())
        });
        let is_whole = end == Ok(End::Exhausted);
        for (fact, visited) in self.known.facts.iter_mut().zip(visited) {
            fact.visited = fact.visited.max(visited);
            fact.is_exact |= is_whole;
        }
        end.map(|_| is_whole)
    }

    /// Visits covers with `option` until its count has the limit.
    fn try_option(&mut self, option: OptionId, budget: u64) -> Result<(), Limit> {
        let facts = &self.known.facts;
        let is_false = |other: &OptionId| {
            let fact = facts[other.index()];
            fact.is_exact && fact.count() == 0
        };
        let without: Vec<OptionId> = self.known.problem.options().filter(is_false).collect();
        let end = self.run(&[option], &without, budget, &mut |known, cover| {
            known.add(cover);
            match known.is_open(option) {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        })?;
        if end == End::Exhausted {
            self.known.facts[option.index()].is_exact = true;
        }
        Ok(())
    }

    /// Searches the covers with the clues and `more`.
    ///
    /// # Errors
    /// A limit other than the budget.
    fn run(
        &mut self,
        more: &[OptionId],
        without: &[OptionId],
        budget: u64,
        visit: &mut dyn FnMut(&mut CoverCandidates, &[OptionId]) -> ControlFlow<()>,
    ) -> Result<End, Limit> {
        let given = [self.given, more].concat();
        let nodes = self.left.map_or(budget, |left| left.min(budget));
        let limits = self.limits.clone().solutions(None).nodes(nodes);
        let problem = &self.known.problem;
        let cells = self.cells.get_or_insert_with(|| Cells::new(problem).ok());
        let engine: &mut dyn Engine = match cells {
            Some(cells) if budget < BUDGET_OF_SOLVER => cells,
            _ => self.solver.get_or_insert_with(|| Solver::new(Arc::clone(problem))),
        };
        let known = &mut *self.known;
        let report: Report =
            engine.run(&given, without, &limits, Some(&mut |cover: &[OptionId]| visit(known, cover)));
        known.nodes += report.nodes.max(1);
        self.left = self.left.map(|left| left.saturating_sub(report.nodes.max(1)));
        match report.end {
            End::Limit(Limit::Nodes) if self.left == Some(0) => Err(Limit::Nodes),
            End::Limit(limit) if limit != Limit::Nodes => Err(limit),
            end => Ok(end),
        }
    }
}
