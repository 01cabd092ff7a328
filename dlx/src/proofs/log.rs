//! Writes the lines of a proof of covers: LRAT, or the format of VeriPB; and passes the text of any
//! proof on in blocks.
//!
//! Both formats number their constraints. The constraints of the formula come first, in the order
//! of its file; an equation of OPB has two numbers, the lower bound first. Each derived constraint
//! has the next number.

use std::fmt::{Display, Write as _};
use std::ops::ControlFlow;

use super::{ProofFault, ProofFormat, Sink};

/// The size of the text that is passed to the sink at once (bytes).
const BLOCK: usize = 1 << 16;

/// The text of a proof, which is passed to the sink in blocks.
pub(super) struct Blocks<'s> {
    pub(super) text: String,
    sink: &'s mut Sink<'s>,
}

impl<'s> Blocks<'s> {
    pub(super) fn new(sink: &'s mut Sink<'s>) -> Self {
        Self { text: String::new(), sink }
    }

    pub(super) fn write_numbers<N: Display>(&mut self, numbers: &[N], before: &str, after: &str) {
        for number in numbers {
            let _ = write!(self.text, "{before}{number}{after}");
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.text.len() >= BLOCK
    }

    pub(super) fn flush(&mut self) -> Result<(), ProofFault> {
        let passed = (self.sink)(&self.text);
        self.text.clear();
        match passed {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(ProofFault::Stopped),
        }
    }
}

pub(super) struct ProofLog<'s> {
    format: ProofFormat,
    /// The number of the last constraint.
    last: u64,
    blocks: Blocks<'s>,
}

impl<'s> ProofLog<'s> {
    /// Begins a proof for a formula whose constraints have the numbers 1 to `last`.
    pub(super) fn new(format: ProofFormat, last: u64, sink: &'s mut Sink<'s>) -> Self {
        let mut blocks = Blocks::new(sink);
        if format == ProofFormat::VeriPb {
            let _ = writeln!(blocks.text, "pseudo-Boolean proof version 3.0\nf {last};");
        }
        Self { format, last, blocks }
    }

    /// Writes a clause that follows by unit propagation from the constraints of `hints`, in their
    /// order. Returns the number of the clause.
    pub(super) fn derive(&mut self, literals: &[i32], hints: &[u64]) -> Result<u64, ProofFault> {
        self.last += 1;
        match self.format {
            ProofFormat::Lrat => {
                let _ = write!(self.blocks.text, "{} ", self.last);
                self.blocks.write_numbers(literals, "", " ");
                self.blocks.text.push('0');
                self.blocks.write_numbers(hints, " ", "");
                self.blocks.text.push_str(" 0\n");
            }
            ProofFormat::VeriPb => {
                self.blocks.text.push_str("rup ");
                for &literal in literals {
                    let sign = if literal < 0 { "~" } else { "" };
                    let _ = write!(self.blocks.text, "1 {sign}x{} ", literal.unsigned_abs());
                }
                self.blocks.text.push_str(">= 1 :");
                self.blocks.write_numbers(hints, " ", "");
                // `~` is the negation of the clause. The propagation begins and ends with it.
                self.blocks.text.push_str(" ~;\n");
            }
        }
        self.flush_block()?;
        Ok(self.last)
    }

    /// Writes a line of VeriPB that adds a constraint. Returns the number of the constraint.
    pub(super) fn add(&mut self, line: &str) -> Result<u64, ProofFault> {
        debug_assert_eq!(self.format, ProofFormat::VeriPb, "LRAT has clauses only");
        self.last += 1;
        let _ = writeln!(self.blocks.text, "{line};");
        self.flush_block()?;
        Ok(self.last)
    }

    pub(super) fn delete(&mut self, numbers: &[u64]) -> Result<(), ProofFault> {
        if numbers.is_empty() {
            return Ok(());
        }
        match self.format {
            ProofFormat::Lrat => {
                let _ = write!(self.blocks.text, "{} d", self.last);
                self.blocks.write_numbers(numbers, " ", "");
                self.blocks.text.push_str(" 0\n");
            }
            ProofFormat::VeriPb => {
                self.blocks.text.push_str("del id");
                self.blocks.write_numbers(numbers, " ", "");
                self.blocks.text.push_str(";\n");
            }
        }
        self.flush_block()
    }

    /// Ends the proof. `contradiction` is the number of a constraint that no assignment satisfies.
    /// `cost` is the least cost, if the proof bounds the objective.
    pub(super) fn conclude(mut self, contradiction: u64, cost: Option<u128>) -> Result<(), ProofFault> {
        if self.format == ProofFormat::VeriPb {
            self.blocks.text.push_str("output NONE;\n");
            let _ = match cost {
                Some(cost) => {
                    writeln!(self.blocks.text, "conclusion BOUNDS {cost} : {contradiction} {cost};")
                }
                None => writeln!(self.blocks.text, "conclusion UNSAT : {contradiction};"),
            };
            self.blocks.text.push_str("end pseudo-Boolean proof;\n");
        }
        self.blocks.flush()
    }

    fn flush_block(&mut self) -> Result<(), ProofFault> {
        if self.blocks.is_full() { self.blocks.flush() } else { Ok(()) }
    }
}
