//! Weighted search: branch where dead ends were met, and start anew now and then.
//!
//! The search branches on the item with the fewest options left for its weight (dom/wdeg), where an item's
//! weight is 1 plus the number of dead ends at which it had run out of options: what cannot be solved
//! moves to the top of the tree. A decision is binary: an option is taken, and once that is refuted it is
//! left, whereupon the choice of an item is open again. Items with a single option are covered at
//! once. The option that covered an item last is tried first.
//!
//! Where one cover is wanted, the search starts anew after as many dead ends as the next term of Luby's
//! sequence says, and keeps the weights; the terms are unbounded, so that the search is complete. Where more
//! than one cover is wanted it never does: the tree is then searched once, depth first, and each cover met once.
//!
//! Each item has a sparse set of options: see [`sets`].
//!
//! Sources: Boussemart, Hemery, Lecoutre and Sais, "Boosting systematic search by weighting
//! constraints" (ECAI 2004); Luby, Sinclair and Zuckerman, "Optimal speedup of Las Vegas algorithms"
//! (1993); Knuth's program SSXCC with its change files for weights and binary branching.
//!
//! A node is a decision, a dead end or a cover; an update is an option removed from a set. Each search works on
//! a copy of the sets, so that the engine never changes. Bounds are refused; what is left of a search that
//! ended early is not told.
//!
//! Tried and dropped, on ten permutations of a quasigroup with 340 holes of order 30 with 150,000 nodes
//! each: no restarts (3 of 10 not solved, against 1); a random option of the item instead of the one that covered
//! it last (as many here, but 4 times the nodes with 460 holes of order 33, and 2 times on Sudoku of order 25).

mod sets;

use self::sets::{DeadEnd, Sets};
use super::{Engine, EngineSpec, Unsupported};
use crate::search::Meter;
use crate::{End, Limits, OptionId, Problem, Report, Visit};

pub(super) const SPEC: EngineSpec = EngineSpec {
    name: "weights",
    summary: "branches where dead ends were met, with restarts; one cover of big problems",
    build: |problem| Ok(Box::new(Weights::new(problem)?)),
};

/// Dead ends before the first restart.
const RESTART_UNIT: u64 = 100;

/// The engine of weighted search.
///
/// It takes secondary items and colors, but no bounds. It is meant for one cover of a big problem, in little
/// memory; [`Learn`](super::Learn) has the shorter tail.
///
/// ```
/// use dlx::{Engine, Limits, engine::Weights};
///
/// let problem: dlx::Problem = "a b c\na b\nc\na\nb c\n".parse()?;
/// let mut weights = Weights::new(&problem)?;
/// assert_eq!(weights.count(&[], &Limits::default()).count(), Some(2));
/// assert_eq!(weights.count(&[], &Limits::solutions(1)).solutions, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Weights {
    /// As built; each search works on a copy.
    sets: Sets,
    seed: u64,
}

impl Weights {
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
    /// let problem: dlx::Problem = "a b\na\nb\na b\n".parse()?;
    /// for seed in 0..3 {
    ///     let mut weights = dlx::engine::Weights::with_seed(&problem, seed)?;
    ///     assert_eq!(dlx::Engine::count(&mut weights, &[], &dlx::Limits::default()).count(), Some(2));
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
        Ok(Self { sets: Sets::new(problem), seed })
    }
}

impl Engine for Weights {
    fn search(&mut self, given: &[OptionId], limits: &Limits, visit: &mut Visit<'_>) -> Report {
        let is_known = |option: &OptionId| option.index() < self.sets.option_count();
        assert!(given.iter().all(is_known), "the given options must be this problem's");
        let mut meter = Meter::new(limits, self.sets.primary_count());
        let mut search = Search {
            sets: self.sets.clone(),
            decisions: Vec::new(),
            restarts: (limits.solutions == Some(1))
                .then_some(Restarts { count: 1, dead_ends: RESTART_UNIT }),
            cover: Vec::new(),
        };
        let end = if search.sets.begin(given, self.seed) {
            search.run(&mut meter, visit)
        } else {
            End::Exhausted
        };
        meter.report(end, search.sets.updates)
    }

    fn is_at_rest(&self, problem: &Problem) -> bool {
        self.sets == Sets::new(problem)
    }
}

/// One search.
struct Search {
    sets: Sets,
    /// The options taken by choice, and the length of the trail before each.
    decisions: Vec<(u32, usize)>,
    restarts: Option<Restarts>,
    cover: Vec<OptionId>,
}

/// When to start anew.
struct Restarts {
    /// Which run this is, from 1.
    count: u64,
    /// Dead ends that are left to it.
    dead_ends: u64,
}

impl Search {
    fn run(&mut self, meter: &mut Meter<'_>, visit: &mut Visit<'_>) -> End {
        loop {
            if let Err(limit) = meter.enter(self.decisions.len(), self.sets.updates, || 0.0) {
                return End::Limit(limit);
            }
            let mut is_dead_end = match self.sets.propagate() {
                Err(DeadEnd) => true,
                Ok(()) => match self.sets.choose() {
                    Some(option) => {
                        self.decisions.push((option, self.sets.trail_len()));
                        self.sets.take(option).is_err()
                    }
                    None => {
                        self.sets.list_taken(&mut self.cover);
                        if let Err(end) = meter.visit(&self.cover, visit) {
                            return end;
                        }
                        true
                    }
                },
            };
            if is_dead_end
                && self.is_time_to_restart()
                && let Some(&(_, start)) = self.decisions.first()
            {
                self.sets.undo(start);
                self.decisions.clear();
                continue;
            }
            // The option of the last decision that can still be left is left.
            while is_dead_end {
                let Some((option, start)) = self.decisions.pop() else {
                    return End::Exhausted;
                };
                self.sets.undo(start);
                is_dead_end = self.sets.leave(option).is_err();
            }
        }
    }

    fn is_time_to_restart(&mut self) -> bool {
        let Some(restarts) = &mut self.restarts else {
            return false;
        };
        restarts.dead_ends -= 1;
        if restarts.dead_ends > 0 {
            return false;
        }
        restarts.count += 1;
        restarts.dead_ends = RESTART_UNIT * luby(restarts.count);
        true
    }
}

/// Returns the term of that number, from 1, of the sequence 1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, ...
fn luby(mut number: u64) -> u64 {
    loop {
        let bits = u64::BITS - number.leading_zeros();
        let last = (1 << bits) - 1;
        if number == last {
            return 1 << (bits - 1);
        }
        number -= last >> 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn restarts_come_as_luby_says() {
        let terms: Vec<u64> = (1..=15).map(luby).collect();
        assert_eq!(terms, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
