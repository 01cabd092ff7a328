//! Checks CPOG proofs of the number of covers.
//!
//! The CNF must be the formula of the problem ([`formula`](super::formula)), clause by clause. The
//! proof builds a second formula, whose models are easily counted, and shows that both are
//! equivalent. The second formula consists of nodes. Each node has a number, which is a variable as
//! well, and the nodes are numbered after the options:
//!
//! ```text
//! 12 p 8 1 -2 7 0
//! 16 s 9 7 8 14 15 0
//! 19 a 9 -3 0 4 18 0
//! r 9
//! ```
//!
//! - Node 8 is the *product* of the literals 1, -2 and 7: it is true exactly when all of them are.
//!   This defines the clauses 12 to 15, which are `8 -1 2 -7`, `-8 1`, `-8 -2` and `-8 7`.
//! - Node 9 is the *sum* of the literals 7 and 8: it is true exactly when one of them is. This
//!   defines the clauses 16 to 18, which are `-9 7 8`, `9 -7` and `9 -8`.
//! - Clause 19, `9 -3`, follows by unit propagation: suppose that all its literals are false. Then
//!   each clause of the hints 4, 18 has a single literal left, which must be true, and the last one
//!   is false.
//! - Node 9 is the root, the second formula.
//!
//! The checker relies on four facts:
//! - The factors of a product share no options. So its models are the combinations of their models.
//! - The terms of a sum exclude each other: by unit propagation from the clauses of its hints,
//!   which must define nodes. So each model satisfies exactly one of the terms.
//! - The clause that consists of the root follows from the formula. So each cover is a model of the
//!   root.
//! - If the literals of a clause of the formula are false, then so is the root. So each model of
//!   the root satisfies the formula, and is a cover.
//!
//! A formula without models has the root 0 and a proof of the empty clause. Source: Bryant,
//! Nawrocki, Avigad and Heule 2023. Clauses and nodes must be numbered without gaps, and lines
//! that delete clauses are refused.

use std::io::BufRead;

use indexmap::IndexSet;
use num_bigint::BigUint;

use super::fault::{CheckFault, CheckedFile};
use super::lines::{LineFault, check_lines};
use super::lrat::read_formula;
use super::propagation::Propagation;
use crate::limits::{Limit, Limits, Pace};
use crate::model::Problem;

/// Estimated work per child of a node, in a pass over all nodes (ns).
const CHILD_WORK: u64 = 5;
/// Estimated work per word of a set of options (ns).
const WORD_WORK: u64 = 2;
/// Number of clauses of the formula that one pass over the nodes checks, in words of 64 bits.
const WORDS: usize = 4;

/// Checks a proof, and returns the number of covers of `problem`.
///
/// The limits on time and memory and the flags apply.
///
/// ```
/// use dlx::Limits;
///
/// let problem: dlx::Problem = "a\na\na\n".parse()?;
/// let formula = "p cnf 2 2\n1 2 0\n-1 -2 0\n";
/// let proof = "3 p 3 1 -2 0\n6 p 4 -1 2 0\n9 s 5 3 4 4 7 0\n\
///              12 a 5 -1 0 2 3 10 0\n13 a 5 0 12 1 6 11 0\nr 5\n";
/// let check = |proof: &str| {
///     dlx::trust::cpog::check(&problem, formula, proof.as_bytes(), &Limits::new())
/// };
/// assert_eq!(check(proof), Ok(2_u32.into()));
///
/// let wrong = check(&proof.replace("12 1 6", "12 6")).unwrap_err();
/// assert_eq!(wrong.to_string(), "5: clause 6 has more than one literal that is not false");
/// # Ok::<(), dlx::ParseError>(())
/// ```
///
/// # Errors
/// The first line of the formula or of the proof that does not hold.
pub fn check(
    problem: &Problem,
    formula: &str,
    proof: impl BufRead,
    limits: &Limits,
) -> Result<BigUint, CheckFault> {
    let mut pace = Pace::new(limits);
    let (clauses, blocked) = read_formula(problem, &[], formula, &mut pace)?;
    if blocked > 0 {
        let message = "expected a formula without blocked covers, found a clause that blocks one";
        return Err(CheckFault::new(CheckedFile::Formula, 1, message));
    }
    let mut checker = Checker::new(problem.option_count(), &clauses);
    let end = 1 + check_lines(proof, &mut pace, &mut |_, line, pace| {
        checker.read(line, pace)?;
        let is_full = limits.memory.is_some_and(|bytes| checker.bytes() > bytes);
        if is_full { Err(Limit::Memory.into()) } else { Ok(()) }
    })?;
    let fault = |message: String| CheckFault::new(CheckedFile::Proof, end, message);
    let limited = |limit| CheckFault::limited(CheckedFile::Proof, end, limit);
    let Some(root) = checker.proven_root().map_err(fault)? else { return Ok(BigUint::ZERO) };
    if let Some(clause) = checker.find_unsatisfied(root, &clauses, &mut pace).map_err(limited)? {
        return Err(fault(format!("the root does not satisfy clause {} of the formula", clause + 1)));
    }
    checker.count(root, &mut pace).map_err(limited)
}

/// A node of the second formula.
struct Node {
    is_sum: bool,
    /// Its children are `Checker::children[..end]` from the end of the previous node on.
    end: usize,
    /// The set of options that it mentions, as a number in `Checker::sets`.
    set: usize,
}

struct Checker {
    option_count: usize,
    /// The literals of all clauses, and the end of each clause.
    literals: Vec<i32>,
    ends: Vec<usize>,
    /// Whether each clause defines a node.
    defines: Vec<bool>,
    nodes: Vec<Node>,
    children: Vec<i32>,
    /// Sets of options, one bit each.
    sets: IndexSet<Box<[u64]>>,
    propagation: Propagation,
    /// The root as stated, and the first unit clause of a node or empty clause that states it.
    root: Option<i32>,
    is_refuted: bool,
    units: IndexSet<i32>,
}

impl Checker {
    fn new(option_count: usize, clauses: &[Vec<i32>]) -> Self {
        let mut checker = Self {
            option_count,
            literals: Vec::new(),
            ends: vec![0],
            defines: vec![false],
            nodes: Vec::new(),
            children: Vec::new(),
            sets: IndexSet::new(),
            propagation: Propagation::new(option_count),
            root: None,
            is_refuted: false,
            units: IndexSet::new(),
        };
        clauses.iter().for_each(|clause| checker.add_clause(clause, false));
        checker
    }

    fn bytes(&self) -> usize {
        let set = size_of::<Box<[u64]>>() + 16 + self.option_count / 8;
        4 * (self.literals.capacity() + self.children.capacity())
            + 9 * self.ends.capacity()
            + size_of::<Node>() * self.nodes.capacity()
            + set * self.sets.len()
            + self.propagation.bytes()
    }

    fn add_clause(&mut self, clause: &[i32], defines: bool) {
        self.literals.extend_from_slice(clause);
        self.ends.push(self.literals.len());
        self.defines.push(defines);
    }

    /// Returns the index of the node of a literal, or `None` for an option.
    fn node(&self, literal: i32) -> Option<usize> {
        (literal.unsigned_abs() as usize - 1).checked_sub(self.option_count)
    }

    fn children(&self, node: usize) -> &[i32] {
        let start = node.checked_sub(1).map_or(0, |last| self.nodes[last].end);
        &self.children[start..self.nodes[node].end]
    }

    fn read(&mut self, line: &str, pace: &mut Pace<'_>) -> Result<(), LineFault> {
        let mut words = line.split_whitespace();
        let mut next = |what: &str| match words.next() {
            Some(word) => Ok(word),
            None => Err(format!("expected {what}, found the end of the line")),
        };
        let first = next("the number of a clause or `r`")?;
        if first == "r" {
            let word = next("the number of a node")?;
            self.read_root(word)?;
        } else {
            let id = self.ends.len();
            if first.parse() != Ok(id) {
                return Err(
                    format!("expected the number {id} of the next clause, found `{first}`").into()
                );
            }
            match next("`a`, `p` or `s`")? {
                "a" => self.read_clause(&mut words, pace)?,
                "p" => self.read_product(&mut words, pace)?,
                "s" => self.read_sum(&mut words, pace)?,
                word => return Err(format!("expected `a`, `p` or `s`, found `{word}`").into()),
            }
        }
        match words.next() {
            Some(word) => Err(format!("expected the end of the line, found `{word}`").into()),
            None => Ok(()),
        }
    }

    fn read_root(&mut self, word: &str) -> Result<(), String> {
        let root = word.parse().ok().filter(|&root: &i32| root >= 0);
        let root =
            root.filter(|&root| root == 0 || self.node(root).is_some_and(|n| n < self.nodes.len()));
        let root = root.ok_or(format!("expected 0 or the number of a node above, found `{word}`"))?;
        match self.root.replace(root) {
            Some(_) => Err("expected one line `r`, found another".into()),
            None => Ok(()),
        }
    }

    fn read_clause<'w>(
        &mut self,
        words: &mut impl Iterator<Item = &'w str>,
        pace: &mut Pace<'_>,
    ) -> Result<(), LineFault> {
        let clause = self.read_literals(words)?;
        let hints = self.read_hints(words)?;
        self.propagate(&clause, &hints, pace)?;
        match clause[..] {
            [] => self.is_refuted = true,
            [literal] => drop(self.units.insert(literal)),
            _ => {}
        }
        self.add_clause(&clause, false);
        Ok(())
    }

    fn read_product<'w>(
        &mut self,
        words: &mut impl Iterator<Item = &'w str>,
        pace: &mut Pace<'_>,
    ) -> Result<(), LineFault> {
        let node = self.read_node(words)?;
        let factors = self.read_literals(words)?;
        let mut set = vec![0; self.option_count.div_ceil(64)];
        for &factor in &factors {
            pace.spend(WORD_WORK * set.len() as u64)?;
            let own = self.set_of(factor)?;
            if set.iter().zip(&own).any(|(set, own)| set & own != 0) {
                return Err(format!("expected factors without common options, found {factor}").into());
            }
            set.iter_mut().zip(&own).for_each(|(set, own)| *set |= own);
        }
        let mut clause: Vec<i32> = factors.iter().map(|factor| -factor).collect();
        clause.insert(0, node);
        self.add_clause(&clause, true);
        factors.iter().for_each(|&factor| self.add_clause(&[-node, factor], true));
        self.add_node(false, &factors, set);
        Ok(())
    }

    fn read_sum<'w>(
        &mut self,
        words: &mut impl Iterator<Item = &'w str>,
        pace: &mut Pace<'_>,
    ) -> Result<(), LineFault> {
        let node = self.read_node(words)?;
        let mut terms = [0; 2];
        for term in &mut terms {
            let word = words.next().ok_or("expected two terms, found the end of the line")?;
            *term = self.parse_literal(word)?;
        }
        let hints = self.read_hints(words)?;
        if let Some(hint) = hints.iter().find(|&&hint| !self.defines[hint]) {
            return Err(format!("expected a clause that defines a node, found {hint}").into());
        }
        self.propagate(&terms.map(|term| -term), &hints, pace)?;
        let [first, second] = terms;
        pace.spend(2 * WORD_WORK * self.option_count.div_ceil(64) as u64)?;
        let [set, other] = [self.set_of(first)?, self.set_of(second)?];
        let set = set.iter().zip(&other).map(|(set, other)| set | other).collect();
        self.add_clause(&[-node, first, second], true);
        terms.iter().for_each(|term| self.add_clause(&[node, -term], true));
        self.add_node(true, &terms, set);
        Ok(())
    }

    /// Reads the number of a new node.
    fn read_node<'w>(&self, words: &mut impl Iterator<Item = &'w str>) -> Result<i32, String> {
        let next = self.propagation.variable_count() + 1;
        match words.next() {
            Some(word) if word.parse() == Ok(next) => {
                i32::try_from(next).map_err(|_| "expected fewer nodes".into())
            }
            word => Err(format!(
                "expected the number {next} of the next node, found `{}`",
                word.unwrap_or_default()
            )),
        }
    }

    fn add_node(&mut self, is_sum: bool, children: &[i32], set: Vec<u64>) {
        self.children.extend_from_slice(children);
        let (set, _) = self.sets.insert_full(set.into_boxed_slice());
        self.nodes.push(Node { is_sum, end: self.children.len(), set });
        self.propagation.add_variable();
    }

    /// Returns the options that a child mentions; a child is an option, its negation, or a node.
    fn set_of(&self, child: i32) -> Result<Vec<u64>, String> {
        match self.node(child) {
            Some(_) if child < 0 => Err(format!("expected no negated node, found {child}")),
            Some(node) => Ok(self.sets[self.nodes[node].set].to_vec()),
            None => {
                let index = child.unsigned_abs() as usize - 1;
                let mut set = vec![0; self.option_count.div_ceil(64)];
                set[index / 64] |= 1 << (index % 64);
                Ok(set)
            }
        }
    }

    fn parse_literal(&self, word: &str) -> Result<i32, String> {
        let literal = word.parse().ok().filter(|&literal: &i32| literal != 0);
        literal
            .filter(|literal| literal.unsigned_abs() as usize <= self.propagation.variable_count())
            .ok_or_else(|| format!("expected an option or a node above, found `{word}`"))
    }

    /// Reads literals up to a 0.
    fn read_literals<'w>(&self, words: &mut impl Iterator<Item = &'w str>) -> Result<Vec<i32>, String> {
        let mut literals = Vec::new();
        for word in words {
            match word {
                "0" => return Ok(literals),
                _ => literals.push(self.parse_literal(word)?),
            }
        }
        Err("expected a 0, found the end of the line".into())
    }

    /// Reads the numbers of clauses up to a 0.
    fn read_hints<'w>(&self, words: &mut impl Iterator<Item = &'w str>) -> Result<Vec<usize>, String> {
        let mut hints = Vec::new();
        for word in words {
            match word.parse() {
                Ok(0) => return Ok(hints),
                Ok(hint) if hint < self.ends.len() => hints.push(hint),
                _ => return Err(format!("expected the number of a clause above, found `{word}`")),
            }
        }
        Err("expected a 0, found the end of the line".into())
    }

    /// Checks that `clause` follows from the clauses of `hints` by unit propagation.
    fn propagate(
        &mut self,
        clause: &[i32],
        hints: &[usize],
        pace: &mut Pace<'_>,
    ) -> Result<(), LineFault> {
        let find = |id: usize| Ok(&self.literals[self.ends[id - 1]..self.ends[id]]);
        self.propagation.check(clause, hints, find, pace)
    }

    /// Returns the index of the root, or `None` if the formula has no model.
    fn proven_root(&self) -> Result<Option<usize>, String> {
        let root = self.root.ok_or("expected a line `r`, found the end of the proof")?;
        match root {
            0 if self.is_refuted => Ok(None),
            0 => Err("expected the empty clause, found the end of the proof".into()),
            _ if self.units.contains(&root) => Ok(self.node(root)),
            _ => Err(format!("expected the clause `{root}` of the root, found the end of the proof")),
        }
    }

    /// Returns the root and all nodes below it. Children come before their nodes.
    fn nodes_below(&self, root: usize) -> Vec<usize> {
        let mut is_below = vec![false; root + 1];
        is_below[root] = true;
        (0..=root).rev().for_each(|node| {
            if is_below[node] {
                let children = self.children(node).iter().filter_map(|&child| self.node(child));
                children.for_each(|child| is_below[child] = true);
            }
        });
        (0..=root).filter(|&node| is_below[node]).collect()
    }

    /// Finds a clause whose literals can all be false although the root is true.
    ///
    /// One pass over the nodes handles a block of clauses, with a bit for each clause: the literals
    /// of the clause are false, and a product with a false factor or a sum of false terms is false.
    fn find_unsatisfied(
        &self,
        root: usize,
        clauses: &[Vec<i32>],
        pace: &mut Pace<'_>,
    ) -> Result<Option<usize>, Limit> {
        let below = self.nodes_below(root);
        // The places of literals: options, negated options, nodes.
        let place = |literal: i32| match self.node(literal) {
            Some(node) => 2 * self.option_count + node,
            None if literal > 0 => literal as usize - 1,
            None => self.option_count + literal.unsigned_abs() as usize - 1,
        };
        let children: Vec<Vec<usize>> =
            below.iter().map(|&node| self.children(node).iter().map(|&c| place(c)).collect()).collect();
        let child_count: usize = children.iter().map(Vec::len).sum();
        let mut is_false = vec![[0_u64; WORDS]; 2 * self.option_count + root + 1];
        for (block, first) in clauses.chunks(64 * WORDS).zip((0..).step_by(64 * WORDS)) {
            pace.spend(CHILD_WORK * (child_count + 2 * self.option_count) as u64)?;
            is_false[..2 * self.option_count].fill([0; WORDS]);
            for (bit, clause) in block.iter().enumerate() {
                for &literal in clause {
                    is_false[place(literal)][bit / 64] |= 1 << (bit % 64);
                }
            }
            for (&node, children) in below.iter().zip(&children) {
                let is_sum = self.nodes[node].is_sum;
                let mut own = if is_sum { [u64::MAX; WORDS] } else { [0; WORDS] };
                for &child in children {
                    for (own, child) in own.iter_mut().zip(is_false[child]) {
                        *own = if is_sum { *own & child } else { *own | child };
                    }
                }
                is_false[2 * self.option_count + node] = own;
            }
            let root = is_false[2 * self.option_count + root];
            let is_satisfied = |bit: &usize| root[bit / 64] >> (bit % 64) & 1 == 1;
            if let Some(bit) = (0..block.len()).find(|bit| !is_satisfied(bit)) {
                return Ok(Some(first + bit));
            }
        }
        Ok(None)
    }

    /// Returns the number of models of the root.
    fn count(&self, root: usize, pace: &mut Pace<'_>) -> Result<BigUint, Limit> {
        let sizes: Vec<u32> =
            self.sets.iter().map(|set| set.iter().map(|word| word.count_ones()).sum()).collect();
        let size = |child: i32| self.node(child).map_or(1, |node| sizes[self.nodes[node].set]);
        let mut counts = vec![BigUint::ZERO; root + 1];
        for node in self.nodes_below(root) {
            let Node { is_sum, set, .. } = self.nodes[node];
            let mut count = BigUint::from(u32::from(!is_sum));
            for &child in self.children(node) {
                let one = BigUint::from(1_u32);
                let own = self.node(child).map_or(&one, |node| &counts[node]);
                pace.spend(CHILD_WORK * (1 + own.bits() / 64))?;
                match is_sum {
                    // Options that only the other term mentions are free.
                    true => count += own << (sizes[set] - size(child)),
                    false => count *= own,
                }
            }
            counts[node] = count;
        }
        let free = self.option_count as u32 - sizes[self.nodes[root].set];
        Ok(&counts[root] << free)
    }
}
