//! Clause learning: finds one cover of big problems, where depth-first search has heavy-tailed run
//! times.
//!
//! An option has two literals, taken and rejected. Every dead end yields a clause, a set of
//! literals that cannot all be false. The search backjumps as far as the clause allows and never
//! repeats that dead end. "Exactly one" needs no clauses: a taken option rejects its rivals, and an
//! item with a single option left takes it ([`solver`]). Only learned clauses are stored
//! ([`clauses`]); [`analysis`] derives them.
//!
//! The search branches on the uncovered item with the smallest ratio of open options to weight,
//! where the weight is 1 plus the number of conflicts that involved the item. For this item it
//! takes the option of the aim, else the option that last covered the item, else the option most
//! active in recent conflicts. Restarts follow Luby's sequence, which is unbounded, so the search
//! is complete.
//!
//! The *aim* is the furthest point of the search: the options that covered the items when the
//! fewest items were uncovered without a conflict. After some thousand conflicts the search drops
//! the aim and starts the next aim from there. The first cover ends the use of aims, because they
//! slow down enumeration.
//!
//! To enumerate all covers, the search flips its last decision after each cover. From then on all
//! levels before that decision are *systematic*. A conflict at a higher level backjumps at most to
//! the last systematic level, and a conflict at that level flips its decision in the same way. So
//! the search visits each cover once without storing visited covers.
//!
//! Sources: Marques-Silva and Sakallah, "GRASP" (1999); Moskewicz et al., "Chaff" (DAC 2001);
//! Boussemart et al., "Boosting systematic search by weighting constraints" (ECAI 2004) for the
//! weights; Gebser et al., "Conflict-driven answer set enumeration" (LPNMR 2007) for all covers;
//! Luby, Sinclair and Zuckerman, "Optimal speedup of Las Vegas algorithms" (1993); Biere and
//! Fleury, "Chasing target phases" (POS 2020) for the aim.
//!
//! A node is a decision, a conflict or a cover. An update is an option taken or rejected. A search
//! starts without clauses and never changes the engine. [`Limits::progress`] reports the fraction
//! 0, because restarts leave no finished part of a tree.
//!
//! Tried and dropped, on quasigroups with holes and large Sudoku:
//! - the same search without clauses: does not finish on the harder problems;
//! - branching on the most active option, or rejecting options first: several times slower;
//! - plain resolution without merging rivals: clauses twice as long, up to 5 times slower;
//! - one literal per level where possible (all-UIP): more nodes except on the hardest problems;
//! - at-least-one as watched clauses instead of counts: a third more time per node;
//! - other weights, restarts and reductions, with or without aims: no better;
//! - dropping aims sooner or later, or replacing them with an empty or random aim: up to five times
//!   slower.

mod analysis;
mod clauses;
mod matrix;
mod solver;

use self::matrix::Matrix;
use self::solver::{ClauseSolver, StepOutcome};
use crate::limits::{Limit, Limits};
use crate::model::{OptionId, Problem};
use crate::search::{
    End, Engine, EngineSpec, Meter, Report, Unsupported, Visit, go_on, search_without,
};

pub(super) const SPEC: EngineSpec = EngineSpec {
    name: "learn",
    summary: "learns a clause from each dead end; for one cover of big problems",
    build: |problem| Ok(Box::new(Learn::new(problem)?)),
};

/// The engine of clause learning.
///
/// The engine supports secondary items and colors, but no bounds. Clause learning is meant for
/// finding one cover or proving that no cover exists. Counting is slower than with
/// [`Links`](super::Links). [`Report::rest`] is always `None`.
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
    /// If a primary item has bounds other than 1 and 1.
    pub fn new(problem: &Problem) -> Result<Self, Unsupported> {
        Self::with_seed(problem, 0)
    }

    /// Builds the engine for `problem`, with random tie-breaking determined by `seed`.
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
    /// If a primary item has bounds other than 1 and 1.
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    pub fn with_seed(problem: &Problem, seed: u64) -> Result<Self, Unsupported> {
        if problem.has_bounds() {
            return Err(Unsupported::new("bounds"));
        }
        Ok(Self { matrix: Matrix::new(problem), seed })
    }
}

impl Learn {
    /// Begins a resumable search.
    ///
    /// # Panics
    /// If an option of `given` is not one of this problem's.
    pub(crate) fn begin(&self, given: &[OptionId]) -> Session<'_> {
        self.begin_with(given, self.seed)
    }

    pub(crate) fn begin_with(&self, given: &[OptionId], seed: u64) -> Session<'_> {
        let is_known = |option: &OptionId| option.index() < self.matrix.option_count();
        assert!(given.iter().all(is_known), "the given options must be this problem's");
        let mut solver = ClauseSolver::new(&self.matrix, seed);
        let is_open = solver.begin(given);
        Session { solver, is_open }
    }
}

/// A search that can resume, with all learned clauses, after a limit or the visitor stopped it.
pub(crate) struct Session<'m> {
    solver: ClauseSolver<'m>,
    is_open: bool,
}

impl Session<'_> {
    /// Returns the estimated work since the search began (ns), which is deterministic.
    pub(crate) fn work(&self) -> u64 {
        self.solver.work
    }

    pub(crate) fn search(&mut self, limits: &Limits, visit: &mut Visit<'_>) -> Report {
        self.search_until(u64::MAX, limits, visit)
    }

    /// Same as [`Self::search`], but also stops, as at a node limit, when the total work exceeds
    /// `work` (ns). The search enters at least one node.
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
        search_without(self.matrix.option_count(), without, limits, visit, |limits, visit| {
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
    fn an_interrupted_search_finds_every_cover_while_clauses_are_dropped() {
        let learn = Learn::new(&pairs(11)).unwrap();
        let mut session = learn.begin(&[]);
        let (mut covers, mut words_max) = (0, 0);
        let end = loop {
            let limits = Limits::new().nodes(3);
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
    fn learned_clauses_hold_in_every_unvisited_cover() {
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
    fn a_search_resumes_after_its_visitor_stopped_it() {
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
    fn a_full_clause_array_ends_the_search_with_a_memory_limit() {
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
