//! Refutations by linear algebra: that a problem has no cover, seen from a combination of its items.
//!
//! A cover solves a system of linear equations: an item is a row, an option a column, and what is sought is a 0 or 1 for
//! each option. Where the system has no solution modulo some number, there is no cover; and this a combination of rows
//! shows that is 0 in each column, but not on the right. Dominoes on a board without two corners of one color need as
//! many dark squares as light ones; an odd number of people cannot be paired; and whole classes of Langford's problem
//! have no solution for such a reason. A search goes through all partial covers to see this, elimination through the
//! items once.
//!
//! - `parity` eliminates modulo 2, in words of bits: for little time even where nothing is 0 for long.
//! - `residues` eliminates modulo high powers of small primes, sparsely, which refutes what has no solution in
//!   rational numbers, too.
//! - `capacity` finds a combination of items that is at most 0 in every option, but positive in a cover: more pigeons than
//!   holes.
//!
//! Elimination is *lazy*: only a combination that would refute the problem is in view, and an option on which it vanishes
//! costs no more than looking. So there is an elimination at most for each item, not for each option, and where a
//! problem cannot be refuted that is mostly seen long before the last one.
//!
//! What is found is a [`Certificate`], and it is believed when [`Certificate::refutes`] has checked it. All is done under
//! a [`Budget`], and goes on where it was cut. Items that may be covered more or less often, and secondary ones, count for
//! `capacity` alone; colors for none.
//!
//! Bounds: the table of bits is left out where it would take more than its share of the memory, and the sparse
//! elimination ends when it holds more than that.
//!
//! Tried and dropped, in a model of both (modulo 2 and modulo a large prime; items with one option and what leaves an item
//! without any are taken out before):
//! - *Options that the system leaves no choice.* Of 138 problems of `benches/suite` and 83 of `puzzles/` two have any: 3 of
//!   237 options of a jigsaw Sudoku, and a dense matrix whose system has one solution.
//! - *Again after the first decisions of a search.* In random dives into 45 problems none of 4,769 nodes after one or two
//!   decisions is refuted where the root is not, but for 23 of 208 of the Soma cube and 4 of 33 of a board with holes.
//!   Deeper it is one in fifty, with a handful of items left, which a search goes through sooner than an elimination.

mod capacity;
mod certificate;
mod parity;
mod residues;
mod system;
#[cfg(test)]
mod tests;

use std::fmt;

use self::capacity::Capacity;
pub(crate) use self::certificate::Certificate;
use self::parity::Parity;
use self::residues::Residues;
use self::system::System;
use crate::model::Problem;
use crate::portfolio::{Budget, Cut, Estimate, costs};

/// The combinations of items that vanish on all options eliminated so far, one of which is in view.
trait Combinations: fmt::Debug + Send {
    /// Returns a prime and its power modulo which it reckons.
    fn modulus(&self) -> (u64, u64);

    /// Looks at another combination if that in view is 0 for a cover; `false` if all are.
    fn look(&mut self) -> bool;

    /// Returns the coefficient of a row in the combination in view.
    fn coefficient(&self, row: usize) -> u64;

    /// Keeps the combinations that vanish on a column; returns the work in steps of about a nanosecond.
    fn eliminate(&mut self, column: &[u32]) -> u64;

    /// Returns about the work in all, in steps of a nanosecond, if that can be told.
    fn work(&self) -> u64;

    /// Returns the bytes that it holds, as far as they grow.
    fn bytes(&self) -> usize {
        0
    }
}

/// A means to refute a system, which goes on where it was cut.
trait Stage: fmt::Debug + Send {
    /// Returns a combination that refutes the system, or `None` if there is none of its kind.
    fn run(&mut self, system: &System, budget: &mut Budget<'_>) -> Result<Option<Certificate>, Cut>;

    /// Returns about the work that is left, in steps of about a nanosecond.
    fn work(&self, system: &System) -> u64;

    /// Returns the bytes that it holds, as far as they grow.
    fn bytes(&self) -> usize;
}

/// An elimination, and how far it is.
#[derive(Debug)]
struct Elimination<C> {
    combinations: C,
    /// The column to look at next, and on how many before it the combination in view vanishes.
    next: usize,
    vanishing: usize,
    /// The work that was done.
    work: u64,
}

/// The work of an entry that is looked at.
const LOOK: u64 = 3;
/// The work of an entry when the system is made.
const ENTRY: u64 = 10;
/// The part of the memory that an elimination may hold.
const BYTES_SHARE: usize = 8;

impl<C: Combinations> Stage for Elimination<C> {
    fn run(&mut self, system: &System, budget: &mut Budget<'_>) -> Result<Option<Certificate>, Cut> {
        let modulus = self.combinations.modulus().1;
        while self.combinations.look() {
            if self.vanishing >= system.column_count() {
                return Ok(Some(self.certificate(system)));
            }
            let column = system.column(self.next);
            let sum: u64 = column.iter().map(|&row| self.combinations.coefficient(row as usize)).sum();
            let mut work = LOOK * (1 + column.len() as u64);
            if sum.is_multiple_of(modulus) {
                self.vanishing += 1;
            } else {
                work += self.combinations.eliminate(column);
                self.vanishing = 1;
            }
            self.next = (self.next + 1) % system.column_count();
            self.work += work;
            budget.spend(work)?;
            if self.combinations.bytes() > budget.bytes / BYTES_SHARE {
                return Err(Cut::Memory);
            }
        }
        Ok(None)
    }

    fn work(&self, system: &System) -> u64 {
        (self.combinations.work() + LOOK * system.entry_count() as u64).max(self.work)
    }

    fn bytes(&self) -> usize {
        self.combinations.bytes()
    }
}

impl<C: Combinations> Elimination<C> {
    fn new(combinations: C) -> Self {
        Self { combinations, next: 0, vanishing: 0, work: 0 }
    }

    /// Returns the combination in view modulo the least power of the prime that will do, and with the least coefficients.
    fn certificate(&self, system: &System) -> Certificate {
        let (prime, modulus) = self.combinations.modulus();
        let rows = || 0..system.row_count();
        let coefficient = |row| self.combinations.coefficient(row);
        let terms = rows().map(|row| u128::from(coefficient(row)) * u128::from(system.needs[row]));
        let cover = (terms.sum::<u128>() % u128::from(modulus)) as u64;
        // What a cover has is not divisible by this power.
        let mut power = prime;
        while power < modulus && cover.is_multiple_of(power) {
            power *= prime;
        }
        let mut common = 1;
        while common * prime < power && rows().all(|row| coefficient(row) % (common * prime) == 0) {
            common *= prime;
        }
        let modulus = power / common;
        let term = |row| {
            let residue = (coefficient(row) / common % modulus) as i64;
            let half = modulus as i64 / 2;
            (system.items[row], if residue > half { residue - modulus as i64 } else { residue })
        };
        let terms = rows().map(term).filter(|&(_, coefficient)| coefficient != 0).collect();
        Certificate { terms, modulus: Some(modulus) }
    }
}

/// Makes a stage, unless it needs more than that many bytes.
type Begin = for<'p> fn(&'p Problem, &System, usize) -> Option<Box<dyn Stage + 'p>>;

/// All that is tried, the cheapest first.
const STAGES: [Begin; 5] = [
    |_, system, bytes| (Parity::bytes(system.row_count()) <= bytes).then(|| begin(Parity::new(system))),
    |_, system, _| Some(begin(Residues::<2, 0x1_0000_0000>::new(system))),
    |_, system, _| Some(begin(Residues::<3, 3_486_784_401>::new(system))),
    |_, system, _| Some(begin(Residues::<5, 1_220_703_125>::new(system))),
    |problem, _, bytes| {
        (Capacity::bytes_max(problem) <= bytes).then(|| Box::new(Capacity::new(problem)) as _)
    },
];

/// Lower powers of 2, by which a refutation may be told in smaller numbers.
const SIMPLER: [Begin; 4] = [
    |_, system, _| Some(begin(Residues::<2, 4>::new(system))),
    |_, system, _| Some(begin(Residues::<2, 8>::new(system))),
    |_, system, _| Some(begin(Residues::<2, 16>::new(system))),
    |_, system, _| Some(begin(Residues::<2, 256>::new(system))),
];
/// A number that is no greater is small.
const SMALL: u64 = 256;

fn begin(combinations: impl Combinations + 'static) -> Box<dyn Stage> {
    Box::new(Elimination::new(combinations))
}

/// Returns a combination that refutes `problem`, or `None` if none was found.
///
/// # Errors
/// [`Cut::Work`] if the work was not enough to tell, or a limit.
pub(crate) fn refute(problem: &Problem, budget: &mut Budget<'_>) -> Result<Option<Certificate>, Cut> {
    Refuter::new(problem).run(budget)
}

/// Returns a refutation in small numbers of a problem that is refuted, if there is one.
fn simpler(problem: &Problem, system: &System, budget: &Budget<'_>) -> Option<Certificate> {
    SIMPLER.iter().find_map(|begin| {
        let mut budget = Budget::new(budget.limits(), costs::ALGEBRA_HOPE, budget.bytes);
        let mut stage = begin(problem, system, budget.bytes)?;
        let found = stage.run(system, &mut budget).ok().flatten();
        found.filter(|certificate| certificate.refutes(problem))
    })
}

/// An attempt to refute a problem, and how far it is.
#[derive(Debug)]
pub(crate) struct Refuter<'p> {
    problem: &'p Problem,
    system: Option<System>,
    /// The stages that are to come, and the one that was begun.
    stages: &'static [Begin],
    stage: Option<Box<dyn Stage + 'p>>,
    /// The work of all stages so far.
    done: u64,
}

impl<'p> Refuter<'p> {
    /// Makes an attempt to refute `problem`. Nothing is done yet.
    pub(crate) fn new(problem: &'p Problem) -> Self {
        Self { problem, system: None, stages: &STAGES, stage: None, done: 0 }
    }

    /// Returns the combination that refutes the problem, or `None` if none was found.
    ///
    /// # Errors
    /// [`Cut::Work`] if it is to go on later, or a limit.
    pub(crate) fn run(&mut self, budget: &mut Budget<'_>) -> Result<Option<Certificate>, Cut> {
        let system = match &self.system {
            Some(system) => system,
            None => {
                let system = System::new(self.problem);
                let work = ENTRY * (self.problem.entry_count() + system.row_count()) as u64;
                self.system = Some(system);
                budget.spend(work)?;
                self.system.as_ref().expect("it was made")
            }
        };
        loop {
            let Some(stage) = &mut self.stage else {
                let Some((begin, rest)) = self.stages.split_first() else { return Ok(None) };
                self.stages = rest;
                self.stage = begin(self.problem, system, budget.bytes / BYTES_SHARE);
                continue;
            };
            let before = budget.work();
            let found = stage.run(system, budget);
            self.done += before - budget.work();
            match found {
                Ok(None) | Err(Cut::Memory) => self.stage = None,
                Ok(Some(certificate)) => {
                    let holds = certificate.refutes(self.problem);
                    assert!(holds, "a combination that was found refutes the problem");
                    let is_small = certificate.modulus.is_none_or(|modulus| modulus <= SMALL);
                    let simpler = if is_small { None } else { simpler(self.problem, system, budget) };
                    return Ok(Some(simpler.unwrap_or(certificate)));
                }
                Err(cut) => return Err(cut),
            }
        }
    }

    /// Returns how long it will still take: the work of what it does next, but at least as long again as all that was in vain.
    /// After [`costs::ALGEBRA_HOPE`] in vain it goes on only with what is due to everybody.
    pub(crate) fn estimate(&self) -> Estimate {
        let is_hopeful = self.done < costs::ALGEBRA_HOPE;
        Estimate::guess(if is_hopeful { self.work().max(self.done) as f64 } else { f64::INFINITY })
    }

    /// Returns about the work of what it does next, in steps of a nanosecond.
    pub(crate) fn work(&self) -> u64 {
        match (&self.stage, &self.system) {
            (Some(stage), Some(system)) => stage.work(system),
            _ => {
                let (items, entries) =
                    (self.problem.item_count() as u64, self.problem.entry_count() as u64);
                parity::work(items) + (ENTRY + LOOK) * entries
            }
        }
    }

    /// Returns the bytes that it holds, as far as they grow.
    pub(crate) fn bytes(&self) -> usize {
        self.stage.as_ref().map_or(0, |stage| stage.bytes())
    }
}
