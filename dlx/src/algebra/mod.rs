//! Refutations by linear algebra: proves by a combination of items that a problem has no cover.
//!
//! A cover solves a system of linear equations with a row per item and a column per option. If the
//! system has no solution modulo some number, no cover exists. The proof is a combination of rows
//! that is 0 in each column but not on the right-hand side. Examples are domino tilings of a board
//! with two corners of one color removed, and pairings of an odd number of people.
//!
//! - `pigeonholes` finds by a greedy choice that there are more pigeons than holes. It takes time
//!   linear in the problem.
//! - `parity` eliminates modulo 2 on bit words, which is fast even for dense systems.
//! - `residues` eliminates sparsely modulo high powers of small primes, which also refutes systems
//!   without rational solutions.
//! - `capacity` finds a combination of items that is at most 0 in every option but positive in a
//!   cover, by linear programming. Only `capacity` and `pigeonholes` use secondary items and items
//!   whose bounds differ.
//!
//! Elimination is *lazy*: it follows a single combination that might refute the problem. An option
//! where the followed combination is already 0 costs only a test. So a refutation takes at most one
//! elimination per item, not one per option.
//!
//! The result is a [`Certificate`], used only after [`Certificate::refutes`] has checked it.
//! Refutations have a [`Budget`] and can resume after it is spent. Refutations ignore colors.
//!
//! Tried and dropped: fixing options that the system determines (almost no benchmark problem has
//! any); repeating the elimination after the first decisions of a search (it refutes very few more
//! nodes).

mod capacity;
mod certificate;
mod parity;
mod pigeonholes;
mod residues;
mod system;
#[cfg(test)]
mod tests;

use std::fmt;

use self::capacity::Capacity;
pub(crate) use self::certificate::Certificate;
use self::parity::Parity;
use self::pigeonholes::Pigeonholes;
use self::residues::Residues;
use self::system::System;
use crate::model::Problem;
use crate::portfolio::{Budget, Cut, Estimate, costs};

/// The combinations of items that vanish (are 0) on all options eliminated so far. One combination
/// is the current one.
trait Combinations: fmt::Debug + Send {
    /// Returns a prime and the power of this prime that is the modulus.
    fn modulus(&self) -> (u64, u64);

    /// Switches to another combination if the current one is 0 in a cover. Returns `false` if all
    /// combinations are 0 in a cover.
    fn look(&mut self) -> bool;

    fn coefficient(&self, row: usize) -> u64;

    /// Removes the combinations that do not vanish on a column. Returns the estimated work (ns).
    fn eliminate(&mut self, column: &[u32]) -> u64;

    fn work(&self) -> u64;

    fn bytes(&self) -> usize {
        0
    }
}

/// A method that may refute a system of equations, and that can be interrupted and resumed.
trait Stage: fmt::Debug + Send {
    /// Returns a combination that refutes the system, or `None` if this method finds no refutation.
    fn run(&mut self, system: &System, budget: &mut Budget<'_>) -> Result<Option<Certificate>, Cut>;

    fn work(&self, system: &System) -> u64;

    fn bytes(&self) -> usize;
}

#[derive(Debug)]
struct Elimination<C> {
    combinations: C,
    next: usize,
    vanishing: usize,
    work: u64,
}

/// Estimated work per entry tested (ns).
const LOOK: u64 = 3;
const ENTRY: u64 = 10;
/// An elimination may use the memory limit divided by this number.
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

    /// Returns the current combination modulo the smallest sufficient power of the prime, with the
    /// smallest coefficients.
    fn certificate(&self, system: &System) -> Certificate {
        let (prime, modulus) = self.combinations.modulus();
        let rows = || 0..system.row_count();
        let coefficient = |row| self.combinations.coefficient(row);
        let terms = rows().map(|row| u128::from(coefficient(row)) * u128::from(system.needs[row]));
        let cover = (terms.sum::<u128>() % u128::from(modulus)) as u64;
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

/// Creates a stage, unless it would need more than the given number of bytes.
type Begin = for<'p> fn(&'p Problem, &System, usize) -> Option<Box<dyn Stage + 'p>>;

/// All stages, the cheapest first.
const STAGES: [Begin; 6] = [
    |problem, _, bytes| {
        (Pigeonholes::bytes_max(problem) <= bytes).then(|| Box::new(Pigeonholes::new(problem)) as _)
    },
    |_, system, bytes| (Parity::bytes(system.row_count()) <= bytes).then(|| begin(Parity::new(system))),
    |_, system, _| Some(begin(Residues::<2, 0x1_0000_0000>::new(system))),
    |_, system, _| Some(begin(Residues::<3, 3_486_784_401>::new(system))),
    |_, system, _| Some(begin(Residues::<5, 1_220_703_125>::new(system))),
    |problem, _, bytes| {
        let is_small = Capacity::bytes_max(problem) <= bytes;
        is_small.then(|| Capacity::new(problem))?.map(|capacity| Box::new(capacity) as _)
    },
];

/// Stages with lower powers of 2, which may find a refutation with smaller numbers.
const SIMPLER: [Begin; 4] = [
    |_, system, _| Some(begin(Residues::<2, 4>::new(system))),
    |_, system, _| Some(begin(Residues::<2, 8>::new(system))),
    |_, system, _| Some(begin(Residues::<2, 16>::new(system))),
    |_, system, _| Some(begin(Residues::<2, 256>::new(system))),
];
/// Largest modulus of a certificate that is returned without a search for a simpler one.
const SMALL: u64 = 256;

fn begin(combinations: impl Combinations + 'static) -> Box<dyn Stage> {
    Box::new(Elimination::new(combinations))
}

pub(crate) fn refute(problem: &Problem, budget: &mut Budget<'_>) -> Result<Option<Certificate>, Cut> {
    Refuter::new(problem).run(budget)
}

fn simpler(problem: &Problem, system: &System, budget: &Budget<'_>) -> Option<Certificate> {
    SIMPLER.iter().find_map(|begin| {
        let mut budget = Budget::new(budget.limits(), costs::ALGEBRA_HOPE, budget.bytes);
        let mut stage = begin(problem, system, budget.bytes)?;
        let found = stage.run(system, &mut budget).ok().flatten();
        found.filter(|certificate| certificate.refutes(problem))
    })
}

#[derive(Debug)]
pub(crate) struct Refuter<'p> {
    problem: &'p Problem,
    system: Option<System>,
    stages: &'static [Begin],
    stage: Option<Box<dyn Stage + 'p>>,
    done: u64,
}

impl<'p> Refuter<'p> {
    pub(crate) fn new(problem: &'p Problem) -> Self {
        Self { problem, system: None, stages: &STAGES, stage: None, done: 0 }
    }

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

    /// Estimates the remaining time as the work of the next stage, but at least as much as all work
    /// so far. The estimate is infinite after [`costs::ALGEBRA_HOPE`] without success, so that the
    /// race only grants guaranteed slices.
    pub(crate) fn estimate(&self) -> Estimate {
        let is_hopeful = self.done < costs::ALGEBRA_HOPE;
        Estimate::guess(if is_hopeful { self.work().max(self.done) as f64 } else { f64::INFINITY })
    }

    pub(crate) fn work(&self) -> u64 {
        match (&self.stage, &self.system) {
            (Some(stage), Some(system)) => stage.work(system),
            // The first stage comes next.
            _ => 2 * Pigeonholes::work(self.problem),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.stage.as_ref().map_or(0, |stage| stage.bytes())
    }
}
