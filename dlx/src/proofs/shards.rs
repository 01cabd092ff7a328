//! Proofs of shards in LRAT, and their union as a proof of the whole problem.
//!
//! A shard is a part of the covers: those that contain some options and exclude others. Its formula
//! is the formula of the problem, a unit clause for each of these options, and the clauses that
//! block the covers of the shard. So its proof can be checked where it was made.
//!
//! [`ShardUnion`] writes the proof of the whole problem from those of all shards. Each clause of a
//! shard gets the negated unit clauses as further literals, and its hints leave out the unit
//! clauses. The empty clause of a shard becomes the clause that excludes the shard. At the end, a
//! proof search refutes these clauses together with the formula, which shows that the shards
//! are all.

use std::fmt;
use std::io::BufRead;

use super::log::ProofLog;
use super::refute::{self, ExtraClauses};
use super::search::ProofSearch;
use super::{ProofFault, ProofFormat, ProofSlice, RuleIds, Sink};
use crate::limits::{Limits, Pace};
use crate::model::{OptionId, Problem, Subtree};
use crate::trust::formula::{self, FormulaFault, LinearRule, part_literals};

/// Estimated work per byte of a line (ns).
const BYTE_WORK: u64 = 10;

/// Writes the formula of a proof by [`prove_shard`].
///
/// # Errors
/// The formula cannot hold the problem, or a limit was reached.
pub fn formula_of_shard(
    problem: &Problem,
    part: &Subtree,
    covers: &[Vec<OptionId>],
    limits: &Limits,
) -> Result<String, FormulaFault> {
    formula::cnf_of_part(problem, &part_literals(part), covers, limits)
}

/// Proves in LRAT that `covers` are all covers of `problem` in a shard. The limits apply as for
/// [`prove_covers`](super::prove_covers).
///
/// # Errors
/// A feature that the formula cannot hold, a limit, or another cover.
pub fn prove_shard(
    problem: &Problem,
    part: &Subtree,
    covers: &[Vec<OptionId>],
    limits: &Limits,
    sink: &mut Sink<'_>,
) -> Result<(), ProofFault> {
    let mut pace = Pace::new(limits);
    let rules = formula::rules(problem, &mut pace)?;
    let blocked = formula::blocking_clauses(problem, covers, &mut pace)?;
    let (ids, count) = RuleIds::new(problem, &rules, ProofFormat::Lrat, &mut pace)?;
    let extra = ExtraClauses::new(&part_literals(part), blocked, count);
    let mut log = ProofLog::new(ProofFormat::Lrat, extra.last(), sink);
    let contradiction = refute::refute(problem, &rules, &ids, &extra, limits, &mut log)?;
    log.conclude(contradiction, None)
}

/// The reason why the proofs of shards have no union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnionFault {
    /// The proof of a shard cannot be read: the line, from 1, and what was expected.
    Line(usize, String),
    /// The proof was not completed.
    Proof(ProofFault),
}

impl<F: Into<ProofFault>> From<F> for UnionFault {
    fn from(fault: F) -> Self {
        Self::Proof(fault.into())
    }
}

/// Writes the proof of a problem from the proofs of its shards.
///
/// ```
/// use dlx::proofs::shards::{ShardUnion, prove_shard};
/// use dlx::proofs::{ProofFormat, formula_of_covers};
/// use dlx::{Limits, OptionId, Subtree};
/// use std::ops::ControlFlow;
///
/// let problem: dlx::Problem = "a b c\na b\nc\na\nb c\n".parse()?;
/// let limits = Limits::new();
/// let covers = [[0, 1], [2, 3]].map(|cover| cover.map(OptionId::new).to_vec());
/// let mut whole = String::new();
/// let mut sink = |part: &str| {
///     whole += part;
///     ControlFlow::Continue(())
/// };
/// let mut union = ShardUnion::new(&problem, covers.len(), &limits, &mut sink).expect("no limit");
/// for (first, cover) in [0, 2].into_iter().zip(&covers) {
///     let (part, cover) = (Subtree::from(vec![OptionId::new(first)]), [cover.clone()]);
///     let mut proof = String::new();
///     prove_shard(&problem, &part, &cover, &limits, &mut |text| {
///         proof += text;
///         ControlFlow::Continue(())
///     })
///     .expect("a proof");
///     union.add(&part, 1, proof.as_bytes()).expect("a proof of LRAT");
/// }
/// union.finish().expect("the shards are all");
/// let formula = formula_of_covers(&problem, &covers, ProofFormat::Lrat, &limits).expect("no limit");
/// assert_eq!(dlx::trust::lrat::check(&problem, &formula, whole.as_bytes(), &limits), Ok(2));
/// # Ok::<(), dlx::ParseError>(())
/// ```
pub struct ShardUnion<'p, 's> {
    problem: &'p Problem,
    rules: Vec<LinearRule>,
    ids: RuleIds,
    limits: &'p Limits,
    pace: Pace<'p>,
    log: ProofLog<'s>,
    /// Number of clauses of the formula of the problem.
    count: u64,
    /// Number of covers of the shards so far, and of all shards.
    covers: u64,
    cover_count: u64,
    /// The clauses that exclude shards, and their numbers.
    excluded: Vec<(Vec<i32>, u64)>,
}

impl<'p, 's> ShardUnion<'p, 's> {
    /// Begins a proof for the formula that blocks `cover_count` covers: first those of the first
    /// shard, then those of the second, and so on.
    ///
    /// # Errors
    /// The formula cannot hold the problem, or a limit was reached.
    pub fn new(
        problem: &'p Problem,
        cover_count: usize,
        limits: &'p Limits,
        sink: &'s mut Sink<'s>,
    ) -> Result<Self, ProofFault> {
        let mut pace = Pace::new(limits);
        let rules = formula::rules(problem, &mut pace)?;
        let (ids, count) = RuleIds::new(problem, &rules, ProofFormat::Lrat, &mut pace)?;
        let cover_count = cover_count as u64;
        let log = ProofLog::new(ProofFormat::Lrat, count + cover_count, sink);
        let excluded = Vec::new();
        Ok(Self { problem, rules, ids, limits, pace, log, count, covers: 0, cover_count, excluded })
    }

    /// Adds the proof that a shard has `cover_count` covers.
    ///
    /// # Errors
    /// A line of the proof that is not a line of [`prove_shard`], a limit, or the sink.
    pub fn add(
        &mut self,
        part: &Subtree,
        cover_count: usize,
        proof: impl BufRead,
    ) -> Result<(), UnionFault> {
        let units = part_literals(part);
        let numbers = ShardNumbers {
            formula: self.count,
            units: self.count + units.len() as u64,
            covers: self.count + units.len() as u64 + cover_count as u64,
            covers_before: self.covers,
            last: self.log.last(),
        };
        let mut is_over = false;
        for (line, text) in (1..).zip(proof.lines()) {
            let text = text.map_err(|error| UnionFault::Line(line, format!("cannot read: {error}")))?;
            self.pace.spend(BYTE_WORK * text.len() as u64)?;
            let unread = || UnionFault::Line(line, format!("expected a line of LRAT, found `{text}`"));
            if is_over {
                return Err(unread());
            }
            match read_line(&text).ok_or_else(unread)? {
                ShardLine::Deletion(ids) => {
                    let ids: Option<Vec<u64>> = ids.iter().map(|&id| numbers.map(id)).collect();
                    self.log.delete(&ids.ok_or_else(unread)?)?;
                }
                ShardLine::Clause(id, mut literals, hints) => {
                    is_over = literals.is_empty();
                    literals.extend(units.iter().map(|unit| -unit));
                    let hints: Option<Vec<u64>> = hints
                        .iter()
                        .filter(|&&id| !numbers.is_unit(id))
                        .map(|&id| numbers.map(id))
                        .collect();
                    let derived = self.log.derive(&literals, &hints.ok_or_else(unread)?)?;
                    if numbers.map(id) != Some(derived) {
                        return Err(unread());
                    }
                    if is_over {
                        self.excluded.push((literals, derived));
                    }
                }
            }
        }
        self.covers += cover_count as u64;
        match is_over {
            true => Ok(()),
            false => Err(UnionFault::Line(0, "expected the empty clause at the end".to_owned())),
        }
    }

    /// Ends the proof: every cover belongs to a shard.
    ///
    /// # Errors
    /// A limit, the sink, or a part of the covers that belongs to no shard, as
    /// [`ProofFault::Missing`].
    pub fn finish(mut self) -> Result<(), ProofFault> {
        debug_assert_eq!(self.covers, self.cover_count, "all covers belong to shards");
        if self.excluded.iter().all(|(clause, _)| !clause.is_empty()) {
            let mut search = ProofSearch::new(self.problem, &self.rules, &self.ids, self.limits)?;
            for (clause, id) in &self.excluded {
                search.add_clause(clause, *id);
            }
            let slice = ProofSlice { work: u64::MAX, nodes: self.limits.nodes };
            search.run(&slice, &mut self.log)?;
        }
        self.log.conclude(0, None)
    }
}

impl fmt::Debug for ShardUnion<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShardUnion").finish_non_exhaustive()
    }
}

/// The numbers of clauses in the formula and the proof of a shard: the last of the problem, the
/// last unit clause, and the last that blocks a cover. Then the number of covers of earlier shards,
/// and the last number of the union before this shard.
struct ShardNumbers {
    formula: u64,
    units: u64,
    covers: u64,
    covers_before: u64,
    last: u64,
}

impl ShardNumbers {
    fn is_unit(&self, id: u64) -> bool {
        id > self.formula && id <= self.units
    }

    /// Returns the number of a clause in the union, unless it is a unit clause.
    fn map(&self, id: u64) -> Option<u64> {
        if id <= self.formula {
            Some(id)
        } else if self.is_unit(id) {
            None
        } else if id <= self.covers {
            Some(self.formula + self.covers_before + (id - self.units))
        } else {
            (id - self.covers).checked_add(self.last)
        }
    }
}

enum ShardLine {
    Deletion(Vec<u64>),
    /// The number, the literals and the hints.
    Clause(u64, Vec<i32>, Vec<u64>),
}

fn read_line(text: &str) -> Option<ShardLine> {
    let mut words = text.split_ascii_whitespace().peekable();
    let id = words.next()?.parse().ok()?;
    let is_deletion = words.next_if_eq(&"d").is_some();
    let mut literals = Vec::new();
    if !is_deletion {
        loop {
            match words.next()?.parse().ok()? {
                0 => break,
                literal => literals.push(literal),
            }
        }
    }
    let mut numbers = Vec::new();
    loop {
        match words.next()?.parse().ok()? {
            0 => break,
            number => numbers.push(number),
        }
    }
    let line = match is_deletion {
        true => ShardLine::Deletion(numbers),
        false => ShardLine::Clause(id, literals, numbers),
    };
    words.next().is_none().then_some(line)
}
