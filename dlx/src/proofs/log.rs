//! Writes the lines of a proof of covers: LRAT, or the format of VeriPB; and passes the text of any
//! proof on in blocks.
//!
//! Both formats number their constraints. The constraints of the formula come first, in the order
//! of its file; an equation of OPB has two numbers, the lower bound first. Each derived constraint
//! has the next number.

use std::io::Write as _;
use std::ops::ControlFlow;

use super::{ProofFault, ProofFormat, Sink};

/// The size of the text that is passed to the sink at once (bytes).
const BLOCK: usize = 1 << 16;

/// The text of a proof, which is passed to the sink in blocks.
pub(super) struct Blocks<'s> {
    pub(super) text: Vec<u8>,
    sink: &'s mut Sink<'s>,
}

impl<'s> Blocks<'s> {
    pub(super) fn new(sink: &'s mut Sink<'s>) -> Self {
        Self { text: Vec::new(), sink }
    }

    pub(super) fn write_numbers<N>(&mut self, numbers: &[N], before: &str, after: &str)
    where
        N: Copy + TryInto<i64>,
    {
        for &number in numbers {
            self.text.extend_from_slice(before.as_bytes());
            self.write_number(number.try_into().unwrap_or(i64::MAX));
            self.text.extend_from_slice(after.as_bytes());
        }
    }

    /// Does the same as `write!`, in a quarter of the time.
    pub(super) fn write_number(&mut self, number: i64) {
        let mut digits = [0; 20];
        let mut begin = digits.len();
        let mut left = number.unsigned_abs();
        while left > 0 || begin == digits.len() {
            begin -= 1;
            digits[begin] = b'0' + (left % 10) as u8;
            left /= 10;
        }
        if number < 0 {
            begin -= 1;
            digits[begin] = b'-';
        }
        self.text.extend_from_slice(&digits[begin..]);
    }

    pub(super) fn is_full(&self) -> bool {
        self.text.len() >= BLOCK
    }

    pub(super) fn flush(&mut self) -> Result<(), ProofFault> {
        let passed =
            (self.sink)(std::str::from_utf8(&self.text).expect("all of it was written as text"));
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

    /// Returns the number of the last constraint.
    pub(super) fn last(&self) -> u64 {
        self.last
    }

    /// Writes a clause that follows by unit propagation from the constraints of `hints`, in their
    /// order. Returns the number of the clause.
    pub(super) fn derive(&mut self, literals: &[i32], hints: &[u64]) -> Result<u64, ProofFault> {
        self.last += 1;
        match self.format {
            ProofFormat::Lrat => {
                self.blocks.write_numbers(&[self.last], "", " ");
                self.blocks.write_numbers(literals, "", " ");
                self.blocks.text.push(b'0');
                self.blocks.write_numbers(hints, " ", "");
                self.blocks.text.extend_from_slice(b" 0\n");
            }
            ProofFormat::VeriPb => {
                self.blocks.text.extend_from_slice(b"rup ");
                for &literal in literals {
                    let before = if literal < 0 { "1 ~x" } else { "1 x" };
                    self.blocks.write_numbers(&[literal.unsigned_abs()], before, " ");
                }
                self.blocks.text.extend_from_slice(b">= 1 :");
                self.blocks.write_numbers(hints, " ", "");
                // `~` is the negation of the clause. The propagation begins and ends with it.
                self.blocks.text.extend_from_slice(b" ~;\n");
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
                self.blocks.text.extend_from_slice(b" 0\n");
            }
            ProofFormat::VeriPb => {
                self.blocks.text.extend_from_slice(b"del id");
                self.blocks.write_numbers(numbers, " ", "");
                self.blocks.text.extend_from_slice(b";\n");
            }
        }
        self.flush_block()
    }

    /// Ends the proof. `contradiction` is the number of a constraint that no assignment satisfies.
    /// `cost` is the least cost, if the proof bounds the objective.
    pub(super) fn conclude(mut self, contradiction: u64, cost: Option<u128>) -> Result<(), ProofFault> {
        if self.format == ProofFormat::VeriPb {
            self.blocks.text.extend_from_slice(b"output NONE;\n");
            let _ = match cost {
                Some(cost) => {
                    writeln!(self.blocks.text, "conclusion BOUNDS {cost} : {contradiction} {cost};")
                }
                None => writeln!(self.blocks.text, "conclusion UNSAT : {contradiction};"),
            };
            self.blocks.text.extend_from_slice(b"end pseudo-Boolean proof;\n");
        }
        self.blocks.flush()
    }

    fn flush_block(&mut self) -> Result<(), ProofFault> {
        if self.blocks.is_full() { self.blocks.flush() } else { Ok(()) }
    }
}
