//! Clause learning: one cover of big problems, where depth-first search has heavy tails.
//!
//! Every option is taken or rejected, and every dead end teaches a clause, a set of such literals one of
//! which must hold: the search goes back as far as the clause says, and never meets that dead end
//! again. The two halves of "exactly one" are not clauses but the lists of the matrix themselves: an
//! option that is taken rejects its rivals, and an item whose options are all rejected but one takes that
//! one ([`solver`]). Only what is learned is written down ([`clauses`]; how it is learned:
//! [`analysis`]).
//!
//! The search branches on the uncovered item with the least quotient of open options and weight; the weight is 1
//! plus the number of conflicts in which the item or one of its options was involved. It takes the option of the
//! aim, or else the one by which the item was covered last, or the one most active in recent
//! conflicts. It starts anew after as many conflicts as the next term of Luby's sequence says. The terms
//! are unbounded, so that the search is complete.
//!
//! The *aim* is the furthest point of the search: the options by which the items were covered when the fewest were
//! uncovered, with no conflict. Each restart goes there again, by decisions in another order since the weights have
//! changed, and mostly a little beyond. After some thousand conflicts the aim is given up, and the next one starts
//! from it. Without aims the search follows what the last dead end left behind, and one cover of the hardest problems
//! takes ten times as long. The first cover ends all aims: listing the others with them takes 10 % longer (dominoes on
//! 8x8).
//!
//! All covers: when one is found, its last decision is turned into its opposite, a level below, and
//! from there down the search is *systematic*: a conflict above goes back to that level at most, and a
//! conflict at that level turns its decision in the same way. So each cover is visited once, nothing is
//! stored for those visited, and what is learned follows from the problem, the given options, and at
//! level 0 from what was visited.
//!
//! Sources: Marques-Silva and Sakallah, "GRASP" (1999); Moskewicz et al., "Chaff" (DAC 2001);
//! Boussemart et al., "Boosting systematic search by weighting constraints" (ECAI 2004) for the
//! weights; Gebser et al., "Conflict-driven answer set enumeration" (LPNMR 2007) for all covers; Luby,
//! Sinclair and Zuckerman, "Optimal speedup of Las Vegas algorithms" (1993); Biere and Fleury, "Chasing
//! target phases" (POS 2020) for the aim.
//!
//! A node is a decision, a conflict or a cover; an update is an option taken or rejected. Each search begins
//! with nothing learned and works on tables of its own, so that the engine never changes; those of the
//! clauses are bounded ([`clauses`]).
//!
//! Measured, one cover, in seconds, median and worst of 20 permutations of the problem (7 to 10 for the
//! others), each on one thread of the same machine; clasp (of clingo 5.8) and CP-SAT (of OR-Tools 9.15)
//! were given the same covers as cardinality constraints and as "exactly one":
//!
//! ```text
//!                                     no aim          learn           clasp          CP-SAT
//! quasigroup, order 30, 340 holes   0.07  0.37     0.06  0.38     0.22   0.46     0.62   2.38
//! quasigroup, order 33, 460 holes   0.19  2.5      0.04  0.15     1.43   8.42     1.81   4.93
//! quasigroup, order 33, 400 holes   3.6   6.6      0.29  0.91     4.8    7.9      5.5    8.1
//! another                           2.2  20+       0.25  0.86     2.8    5.6      3.7   20+
//! Sudoku, order 36, 700 cells       0.75  3.1      0.13  0.51     0.47   0.86     0.73   1.30
//! another                           5.9  20+       0.45  4.6      6.7   20+       3.7    9.5
//! Sudoku, order 36, 760 cells       1.7   7.0      0.41  2.3      2.4    6.5      1.7    5.9
//! Sudoku, order 25, 400 cells       0.001 0.002    0.001 0.008    0.006  0.008    0.10   0.13
//! ```
//!
//! (The 5.9 and the 1.7 without an aim are of the automatic choice.) The fraction that is done is unknown:
//! restarts leave no part of a tree behind, so [`Limits::progress`] has the nodes, and the fraction 0.
//!
//! Tried and dropped, on quasigroups with holes of order 30 and 33 and Sudoku of order 36, six to ten
//! permutations each, where the figures of single runs differ by a factor of ten, so that only large
//! differences count:
//! - the same search without clauses (an engine of its own, on sparse sets): as fast where one cover
//!   takes a tenth of a second, but with 400 holes of order 33 and on Sudoku of order 36 not done in 5
//!   s, against 0.2 to 4 s;
//! - branching on the option with the highest activity, as solvers of clauses do: 3 to 7 times the time
//!   with 460 holes of order 33, about the same elsewhere; rejecting options first, or as they last were,
//!   is slower still;
//! - clauses as resolution gives them, without merging rivals: twice as long (93 literals on average,
//!   not 54), 1.8 to 5 times the time;
//! - one literal for each level where there is one (all-UIP): fewer nodes on the hardest, more on
//!   others;
//! - at-least-one as watched clauses instead of counts: a third more time a node;
//! - weights that fade with time; weights of the items alone; restarts by the quality of the
//!   clauses instead of Luby's sequence; units of 20 and 200; reductions every 5000: no better or worse;
//! - to try again what covered the items at the furthest point only when the aim is given up: half as
//!   much gained on quasigroups, nothing on Sudoku;
//! - with aims, eight permutations each: to give them up after 300 conflicts (twice as long on the hardest)
//!   or 3000 (three times with 400 holes), to begin the next one anew or at random (two to five times
//!   there); restarts after units of 100, 200 or 1000 conflicts, always or in every other period (up to
//!   four times as long on the hardest, half on the one with 760 cells), or by the quality of the clauses,
//!   always or alternately (as fast on the hardest, three times with 460 holes and 760 cells); weights
//!   halved with each aim, more clauses kept for their LBD: no better;
//! - quotients of all items in one array, eight at a time, to find the least: 0 to 10 % a node; again with the array kept in
//!   order of the active items, so that the search stays the same: 5 to 10 % on Sudoku of order 36, but 3 to 15 % more where
//!   decisions are few beside conflicts (edge matching, timetables), since each rejection writes to it.

mod analysis;
mod clauses;
mod matrix;
mod solver;

use self::matrix::Matrix;
use self::solver::{ClauseSolver, StepOutcome};
use crate::limits::{Limit, Limits};
use crate::model::{OptionId, Problem};
use crate::search::{End, Engine, EngineSpec, Meter, Report, Unsupported, Visit, go_on, sift};

pub(super) const SPEC: EngineSpec = EngineSpec {
    name: "learn",
    summary: "learns a clause from each dead end; for one cover of big problems",
    build: |problem| Ok(Box::new(Learn::new(problem)?)),
};

/// The engine of clause learning.
///
/// It takes secondary items and colors, but no bounds. It is meant for one cover, or for a proof that
/// there is none; counting is slower than with [`Links`](super::Links). [`Report::rest`] stays `None`.
///
/// ```
/// use dlx::{Engine, Limits, engine::Learn};
///
/// let problem: dlx::Problem = "a b c\na b\nc\na\nb c\n".parse()?;
/// let mut learn = Learn::new(&problem)?;
/// assert_eq!(learn.count(&[], &Limits::new()).count(), Some(2));
/// assert_eq!(learn.count(&[], &Limits::new().solutions(1)).solutions, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Learn {
    matrix: Matrix,
    seed: u64,
}

impl Learn {
    /// Builds the engine for `problem`.
    ///
    /// # Errors
    /// If a primary item has bounds other than one and one.
    pub fn new(problem: &Problem) -> Result<Self, Unsupported> {
        Self::with_seed(problem, 0)
    }

    /// Builds the engine for `problem`, with ties broken as `seed` says.
    ///
    /// ```
    /// use dlx::{Engine, Limits, engine::Learn};
    ///
    /// let problem: dlx::Problem = "a b\na\nb\na b\n".parse()?;
    /// for seed in 0..3 {
    ///     let mut learn = Learn::with_seed(&problem, seed)?;
    ///     assert_eq!(learn.count(&[], &Limits::new()).count(), Some(2));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a primary item has bounds other than one and one.
    pub fn with_seed(problem: &Problem, seed: u64) -> Result<Self, Unsupported> {
        if problem.has_bounds() {
            return Err(Unsupported::new("bounds"));
        }
        Ok(Self { matrix: Matrix::new(problem), seed })
    }
}

impl Learn {
    /// Begins a search that can be interrupted.
    ///
    /// # Panics
    /// If an option of `given` is not one of this problem's.
    pub(crate) fn begin(&self, given: &[OptionId]) -> Session<'_> {
        self.begin_with(given, self.seed)
    }

    /// Does the same with another seed.
    pub(crate) fn begin_with(&self, given: &[OptionId], seed: u64) -> Session<'_> {
        let is_known = |option: &OptionId| option.index() < self.matrix.option_count();
        assert!(given.iter().all(is_known), "the given options must be this problem's");
        let mut solver = ClauseSolver::new(&self.matrix, seed);
        let is_open = solver.begin(given);
        Session { solver, is_open }
    }
}

/// A search that goes on where a limit or the visitor ended it, with all that was learned.
pub(crate) struct Session<'m> {
    solver: ClauseSolver<'m>,
    /// Whether there may be more covers.
    is_open: bool,
}

impl Session<'_> {
    /// Returns the work since the search began, in nanoseconds, roughly: what it did is counted, not measured.
    pub(crate) fn work(&self) -> u64 {
        self.solver.work
    }

    /// Goes on until one of `limits`, which count from here.
    pub(crate) fn search(&mut self, limits: &Limits, visit: &mut Visit<'_>) -> Report {
        self.search_until(u64::MAX, limits, visit)
    }

    /// Does the same until the work since the search began exceeds `work`, too; that counts as a limit of nodes. It
    /// goes on for a node at least.
    pub(crate) fn search_until(&mut self, work: u64, limits: &Limits, visit: &mut Visit<'_>) -> Report {
        let Self { solver, is_open } = self;
        let mut meter = Meter::new(limits, solver.matrix.primary().len());
        let begun = solver.updates;
        let mut is_begun = false;
        let end = loop {
            if !*is_open {
                break End::Exhausted;
            }
            if is_begun && solver.work >= work {
                break End::Limit(Limit::Nodes);
            }
            is_begun = true;
            if let Err(limit) = meter.enter(solver.level(), solver.updates - begun, || 0.0) {
                break End::Limit(limit);
            }
            match solver.step() {
                StepOutcome::Open => {}
                StepOutcome::Exhausted => *is_open = false,
                StepOutcome::Full => break End::Limit(Limit::Memory),
                StepOutcome::Solution => {
                    let seen = meter.visit(solver.list_taken(), visit);
                    *is_open = solver.flip();
                    if let Err(end) = seen {
                        break end;
                    }
                }
            }
        };
        meter.report(end, solver.updates - begun)
    }
}

impl Engine for Learn {
    fn run(
        &mut self,
        given: &[OptionId],
        without: &[OptionId],
        limits: &Limits,
        visit: Option<&mut Visit<'_>>,
    ) -> Report {
        sift(self.matrix.option_count(), without, limits, visit, |limits, visit| {
            let go_on: &mut Visit<'_> = &mut go_on;
            self.begin(given).search(limits, visit.unwrap_or(go_on))
        })
    }

    fn is_at_rest(&self, problem: &Problem) -> bool {
        self.matrix == Matrix::new(problem)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::ops::ControlFlow;

    use super::*;
    use crate::engine::Links;
    use crate::engine::tests::let_a_visitor_panic;
    use crate::model::samples::queens;
    use crate::numbers::Random;

    /// Latin squares of an order whose first row is given.
    fn latin(order: usize) -> Problem {
        let mut text = String::new();
        let pairs =
            |kind: char| (0..order * order).map(move |k| format!("{kind}{}.{} ", k / order, k % order));
        text.extend("prc".chars().flat_map(pairs));
        for k in 0..order * order * order {
            let (row, column, value) = (k / order / order, k / order % order, k % order);
            if row > 0 || column == value {
                text += &format!("\np{row}.{column} r{row}.{value} c{column}.{value}");
            }
        }
        text.parse().unwrap()
    }

    /// Pairs among items of an odd number, the last of which may be alone: only that leads to covers.
    fn pairs(count: usize) -> Problem {
        let items: Vec<_> = (0..count).map(|item| item.to_string()).collect();
        let mut text = items.join(" ");
        for (index, item) in items.iter().enumerate() {
            let others = items[index + 1..].iter();
            text.extend(others.map(|other| format!("\n{item} {other}")));
        }
        text += &format!("\n{}", count - 1);
        text.parse().unwrap()
    }

    /// Sets of three of 21 items, seven of which may be a cover.
    fn triples(random: &mut Random) -> Problem {
        let mut items: Vec<String> = (0..21).map(|item| item.to_string()).collect();
        let mut text = items.join(" ");
        for _ in 0..90 {
            random.shuffle(&mut items);
            text += &format!("\n{}", items[..3].join(" "));
        }
        text.parse().unwrap()
    }

    #[test]
    fn a_search_cut_in_pieces_finds_the_same_covers_while_clauses_come_and_go() {
        // There is room for few clauses in tests.
        let learn = Learn::new(&pairs(11)).unwrap();
        let mut session = learn.begin(&[]);
        let (mut covers, mut words_max) = (0, 0);
        let end = loop {
            let limits = Limits { nodes: Some(3), ..Limits::default() };
            let report = session.search(&limits, &mut |_| ControlFlow::Continue(()));
            assert!(report.nodes <= 3, "{report:?}");
            covers += report.solutions;
            words_max = words_max.max(session.solver.clauses.word_count());
            if report.end != End::Limit(Limit::Nodes) {
                break report.end;
            }
        };
        assert_eq!((end, covers), (End::Exhausted, 9 * 7 * 5 * 3));
        assert!(words_max > session.solver.clauses.room() / 2, "clauses were scarce: {words_max}");
    }

    #[test]
    fn what_is_learned_holds_in_each_cover_that_was_not_visited() {
        let random = &mut Random::new(1);
        let mut problems = vec![pairs(9), queens(9)];
        problems.extend((0..20).map(|_| triples(random)));
        let mut learned = 0;
        for problem in problems {
            let mut covers = BTreeSet::new();
            Links::new(&problem).search(&[], &Limits::default(), &mut |cover| {
                covers.insert(cover.iter().copied().collect::<BTreeSet<_>>());
                ControlFlow::Continue(())
            });
            let learn = Learn::new(&problem).unwrap();
            let Session { mut solver, mut is_open } = learn.begin(&[]);
            while is_open {
                let conflicts = solver.conflicts;
                match solver.step() {
                    StepOutcome::Open if solver.conflicts > conflicts => {
                        learned += 1;
                        let clause = solver.learned();
                        let holds = |cover: &BTreeSet<OptionId>| {
                            clause.iter().any(|&(option, is_take)| cover.contains(&option) == is_take)
                        };
                        assert!(clause.is_empty() || covers.iter().all(holds), "{clause:?}");
                    }
                    StepOutcome::Open => {}
                    StepOutcome::Solution => {
                        let cover = solver.list_taken().iter().copied().collect();
                        assert!(covers.remove(&cover), "a cover that was not visited before");
                        is_open = solver.flip();
                    }
                    StepOutcome::Exhausted => is_open = false,
                    StepOutcome::Full => unreachable!("there is room"),
                }
            }
            assert!(covers.is_empty(), "{covers:?}");
        }
        assert!(learned > 1000, "{learned} clauses");
    }

    #[test]
    fn a_search_goes_on_after_its_visitor_ended_it() {
        let learn = Learn::new(&latin(4)).unwrap();
        let mut session = learn.begin(&[]);
        for _ in 0..576 / 24 {
            let report = session.search(&Limits::default(), &mut |_| ControlFlow::Break(()));
            assert_eq!((report.end, report.solutions), (End::Stopped, 1));
        }
        let report = session.search(&Limits::default(), &mut |_| ControlFlow::Break(()));
        assert_eq!((report.end, report.solutions), (End::Exhausted, 0));
    }

    #[test]
    fn a_search_without_room_for_clauses_ends() {
        let learn = Learn::new(&latin(6)).unwrap();
        let mut session = learn.begin(&[]);
        session.solver.clauses.fill();
        let report = session.search(&Limits::default(), &mut |_| ControlFlow::Continue(()));
        assert_eq!(report.end, End::Limit(Limit::Memory));
    }

    #[test]
    fn a_search_whose_visitor_panicked_leaves_the_engine_usable() {
        let problem = latin(4);
        let mut learn = Learn::new(&problem).unwrap();
        let_a_visitor_panic(&mut learn);
        assert!(learn.is_at_rest(&problem));
        assert_eq!(learn.count(&[], &Limits::default()).count(), Some(24));
    }
}
