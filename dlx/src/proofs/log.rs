//! Writes the lines of a proof: LRAT, or the format of VeriPB.
//!
//! Both formats number their constraints. The constraints of the formula come first, in the order
//! of its file; an equation of OPB has two numbers, the lower bound first. Each derived constraint
//! has the next number.

use std::fmt::{Display, Write as _};
use std::ops::ControlFlow;

use super::{ProofFault, ProofFormat, Sink};

/// The size of the text that is passed to the sink at once (bytes).
const BLOCK: usize = 1 << 16;

pub(super) struct ProofLog<'s> {
    format: ProofFormat,
    /// The number of the last constraint.
    last: u64,
    text: String,
    sink: &'s mut Sink<'s>,
}

impl<'s> ProofLog<'s> {
    /// Begins a proof for a formula whose constraints have the numbers 1 to `last`.
    pub(super) fn new(format: ProofFormat, last: u64, sink: &'s mut Sink<'s>) -> Self {
        let mut text = String::new();
        if format == ProofFormat::VeriPb {
            let _ = writeln!(text, "pseudo-Boolean proof version 3.0\nf {last};");
        }
        Self { format, last, text, sink }
    }

    /// Writes a clause that follows by unit propagation from the constraints of `hints`, in their
    /// order. Returns the number of the clause.
    pub(super) fn derive(&mut self, literals: &[i32], hints: &[u64]) -> Result<u64, ProofFault> {
        self.last += 1;
        match self.format {
            ProofFormat::Lrat => {
                let _ = write!(self.text, "{} ", self.last);
                self.write_numbers(literals, "", " ");
                self.text.push('0');
                self.write_numbers(hints, " ", "");
                self.text.push_str(" 0\n");
            }
            ProofFormat::VeriPb => {
                self.text.push_str("rup ");
                for &literal in literals {
                    let sign = if literal < 0 { "~" } else { "" };
                    let _ = write!(self.text, "1 {sign}x{} ", literal.unsigned_abs());
                }
                self.text.push_str(">= 1 :");
                self.write_numbers(hints, " ", "");
                // The negation of the clause, with which the propagation begins and ends.
                self.text.push_str(" ~;\n");
            }
        }
        self.flush_block()?;
        Ok(self.last)
    }

    /// Writes a line of VeriPB that adds a constraint. Returns the number of the constraint.
    pub(super) fn add(&mut self, line: &str) -> Result<u64, ProofFault> {
        debug_assert_eq!(self.format, ProofFormat::VeriPb, "LRAT has clauses only");
        self.last += 1;
        let _ = writeln!(self.text, "{line};");
        self.flush_block()?;
        Ok(self.last)
    }

    pub(super) fn delete(&mut self, numbers: &[u64]) -> Result<(), ProofFault> {
        if numbers.is_empty() {
            return Ok(());
        }
        match self.format {
            ProofFormat::Lrat => {
                let _ = write!(self.text, "{} d", self.last);
                self.write_numbers(numbers, " ", "");
                self.text.push_str(" 0\n");
            }
            ProofFormat::VeriPb => {
                self.text.push_str("del id");
                self.write_numbers(numbers, " ", "");
                self.text.push_str(";\n");
            }
        }
        self.flush_block()
    }

    /// Ends the proof. `contradiction` is the number of a constraint that no assignment satisfies.
    /// `cost` is the least cost, if the proof bounds the objective.
    pub(super) fn conclude(mut self, contradiction: u64, cost: Option<u128>) -> Result<(), ProofFault> {
        if self.format == ProofFormat::VeriPb {
            self.text.push_str("output NONE;\n");
            let _ = match cost {
                Some(cost) => {
                    writeln!(self.text, "conclusion BOUNDS {cost} : {contradiction} {cost};")
                }
                None => writeln!(self.text, "conclusion UNSAT : {contradiction};"),
            };
            self.text.push_str("end pseudo-Boolean proof;\n");
        }
        self.flush()
    }

    fn write_numbers<N: Display>(&mut self, numbers: &[N], before: &str, after: &str) {
        for number in numbers {
            let _ = write!(self.text, "{before}{number}{after}");
        }
    }

    fn flush_block(&mut self) -> Result<(), ProofFault> {
        if self.text.len() >= BLOCK { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), ProofFault> {
        let passed = (self.sink)(&self.text);
        self.text.clear();
        match passed {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(ProofFault::Stopped),
        }
    }
}
