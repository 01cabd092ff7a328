//! The lines of a proof as CPOG: nodes, and clauses with their hints.

use std::io::Write as _;

use super::super::log::Blocks;
use super::super::{ProofFault, Sink};
use crate::limits::{Limit, Pace};

/// Estimated work per byte of the text (ns).
const BYTE_WORK: u64 = 10;

/// A variable that is true exactly when all factors are: a node, or the only factor itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Product {
    pub(super) literal: i32,
    /// The clause `literal -factor -factor ...`. The clause of `-literal` and factor k, from 0,
    /// comes k + 1 clauses later. A factor itself has the number 0.
    pub(super) definition: u64,
}

impl Product {
    pub(super) fn is_node(self) -> bool {
        self.definition > 0
    }

    /// Returns the clause `-literal factor` for factor k, from 0.
    pub(super) fn implies(self, factor: usize) -> u64 {
        self.definition + 1 + factor as u64
    }
}

/// Writes the lines of the proof.
pub(super) struct NodeLog<'s, 'l> {
    next_clause: u64,
    next_node: i32,
    blocks: Blocks<'s>,
    pace: Pace<'l>,
}

impl<'s, 'l> NodeLog<'s, 'l> {
    /// Begins a proof for a formula of `clause_count` clauses and `variable_count` variables.
    pub(super) fn new(
        clause_count: u64,
        variable_count: usize,
        sink: &'s mut Sink<'s>,
        pace: Pace<'l>,
    ) -> Self {
        let (next_clause, next_node) = (clause_count + 1, variable_count as i32 + 1);
        Self { next_clause, next_node, blocks: Blocks::new(sink), pace }
    }

    pub(super) fn product(&mut self, factors: &[i32]) -> Result<Product, ProofFault> {
        let (clause, node) = (self.next_clause, self.next_node);
        let _ = write!(self.blocks.text, "{clause} p {node}");
        self.write_numbers(factors);
        self.next_clause += 1 + factors.len() as u64;
        self.next_node = self.node_after(node)?;
        self.end_line()?;
        Ok(Product { literal: node, definition: clause })
    }

    /// Writes a product, unless it has a single factor.
    pub(super) fn product_or_factor(&mut self, factors: &[i32]) -> Result<Product, ProofFault> {
        match *factors {
            [literal] => Ok(Product { literal, definition: 0 }),
            _ => self.product(factors),
        }
    }

    /// Writes the sum of two terms that exclude each other by the clauses of `hints`. Returns the
    /// node and its first clause, `-node term term`. The clause of `node` and `-term` k, from 0,
    /// comes k + 1 clauses later.
    pub(super) fn sum(&mut self, terms: [i32; 2], hints: [u64; 2]) -> Result<(i32, u64), ProofFault> {
        let (clause, node) = (self.next_clause, self.next_node);
        let [first, second] = terms;
        let _ = write!(self.blocks.text, "{clause} s {node} {first} {second}");
        self.write_numbers(&hints);
        self.next_clause += 3;
        self.next_node = self.node_after(node)?;
        self.end_line()?;
        Ok((node, clause))
    }

    /// Writes a clause that follows by unit propagation from the clauses of `hints`, in order.
    pub(super) fn clause(&mut self, literals: &[i32], hints: &[u64]) -> Result<u64, ProofFault> {
        let clause = self.next_clause;
        let _ = write!(self.blocks.text, "{clause} a");
        self.write_numbers(literals);
        self.write_numbers(hints);
        self.next_clause += 1;
        self.end_line()?;
        Ok(clause)
    }

    pub(super) fn root(&mut self, node: i32) -> Result<(), ProofFault> {
        let _ = write!(self.blocks.text, "r {node}");
        self.end_line()
    }

    fn node_after(&self, node: i32) -> Result<i32, ProofFault> {
        node.checked_add(1).ok_or(Limit::Memory.into())
    }

    /// Writes numbers and a 0.
    fn write_numbers<N: Copy + TryInto<i64>>(&mut self, numbers: &[N]) {
        self.blocks.write_numbers(numbers, " ", "");
        self.blocks.text.extend_from_slice(b" 0");
    }

    fn end_line(&mut self) -> Result<(), ProofFault> {
        self.blocks.text.push(b'\n');
        if self.blocks.is_full() { self.flush() } else { Ok(()) }
    }

    pub(super) fn flush(&mut self) -> Result<(), ProofFault> {
        self.pace.spend(BYTE_WORK * self.blocks.text.len() as u64)?;
        self.blocks.flush()
    }
}
