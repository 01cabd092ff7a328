//! Unit propagation through the hints of a derived clause, in the checkers of LRAT and CPOG.
//!
//! A clause follows from the clauses of its hints if this ends in a contradiction: suppose that all
//! its literals are false. Then each clause of the hints, in order, has a single literal left,
//! which must be true, and the last one is false.

use std::fmt::Display;

use super::lines::LineFault;
use crate::limits::Pace;

/// Estimated work per literal (ns).
const LITERAL_WORK: u64 = 10;

/// The values of variables, which last for one clause.
pub(super) struct Propagation {
    /// For each variable, 1 if it is true, -1 if it is false, otherwise 0.
    values: Vec<i8>,
    /// The variables with a value.
    assigned: Vec<usize>,
}

impl Propagation {
    pub(super) fn new(variable_count: usize) -> Self {
        Self { values: vec![0; variable_count], assigned: Vec::new() }
    }

    pub(super) fn variable_count(&self) -> usize {
        self.values.len()
    }

    pub(super) fn add_variable(&mut self) {
        self.values.push(0);
    }

    /// Returns the memory that grows with the number of variables (bytes).
    pub(super) fn bytes(&self) -> usize {
        self.values.capacity()
    }

    /// Checks that `clause` follows from the clauses of `hints`, which `find` returns.
    pub(super) fn check<'c, H: Copy + Display>(
        &mut self,
        clause: &[i32],
        hints: &[H],
        find: impl Fn(H) -> Result<&'c [i32], String>,
        pace: &mut Pace<'_>,
    ) -> Result<(), LineFault> {
        clause.iter().for_each(|&literal| self.assign(-literal));
        let refuted = self.refute(hints, find, pace);
        self.assigned.drain(..).for_each(|variable| self.values[variable] = 0);
        refuted
    }

    fn refute<'c, H: Copy + Display>(
        &mut self,
        hints: &[H],
        find: impl Fn(H) -> Result<&'c [i32], String>,
        pace: &mut Pace<'_>,
    ) -> Result<(), LineFault> {
        for (place, &hint) in hints.iter().enumerate() {
            let known = find(hint)?;
            pace.spend(LITERAL_WORK * known.len() as u64)?;
            let value = |literal: i32| self.values[literal.unsigned_abs() as usize - 1];
            let mut open = known.iter().filter(|&&literal| value(literal) != -literal.signum() as i8);
            let message = match (open.next(), open.next()) {
                (None, _) if place + 1 == hints.len() => return Ok(()),
                (None, _) => format!("clause {hint} is false before the last hint"),
                (Some(&unit), None) => {
                    self.assign(unit);
                    continue;
                }
                _ => format!("clause {hint} has more than one literal that is not false"),
            };
            return Err(message.into());
        }
        Err("the clauses of the hints lead to no contradiction".into())
    }

    fn assign(&mut self, literal: i32) {
        let variable = literal.unsigned_abs() as usize - 1;
        self.values[variable] = literal.signum() as i8;
        self.assigned.push(variable);
    }
}
