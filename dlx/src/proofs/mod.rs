//! Proofs for other checkers: that a problem has no covers other than listed ones, or no cheaper
//! cover.
//!
//! The formula ([`formula`]) of the problem blocks the listed covers, and the proof refutes it.
//! [`ProofFormat::Lrat`] belongs to the CNF and is checked by `cake_lpr`, `lrat-check` and others;
//! [`ProofFormat::VeriPb`] belongs to the OPB and is checked by VeriPB. The covers come from any
//! search. If that search missed one, the proof fails with [`ProofFault::Missing`].
//!
//! - `tree` refutes the formula by a tree search, and `search` by clause learning. Both know the
//!   reason of each step. No reduction, symmetry or engine takes part, so each closed branch is a
//!   clause of the proof. `refute` alternates between the two.
//! - `cuts` writes the combination of items that refutes the problem at once as cutting planes.
//! - `matching` does so for graphs without a matching of all vertices.
//! - `prices` strengthens the bound of the costs.
//! - `log` writes the lines.
//!
//! [`shards`] proves parts of the covers, and joins their proofs.
//!
//! Proofs of counts follow the states of a count (`states`): [`prove_count`] writes CPOG for the
//! CNF, and [`trace`] a format of Farandole that needs no formula.
//!
//! The module [`trust`](crate::trust) checks all kinds with separate code.

mod cpog;
mod cuts;
mod log;
mod matching;
mod prices;
mod refute;
mod search;
pub mod shards;
mod states;
#[cfg(test)]
mod tests;
pub mod trace;
mod tree;

use std::ops::ControlFlow;

pub use self::cpog::prove_count;

use self::log::ProofLog;
use self::refute::{ExtraClauses, ProofSlice};
use self::search::{CostBound, ProofSearch};
use crate::algebra;
use crate::limits::{Limit, Limits, Pace};
use crate::model::{OptionId, Problem};
use crate::portfolio::{Budget, Cut, costs};
use crate::trust::formula::{self, FormulaFault, LinearRule};

/// The format of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofFormat {
    /// LRAT, for the CNF of the problem.
    Lrat,
    /// The format of VeriPB, version 3.0, for the OPB of the problem.
    VeriPb,
}

/// Receives the text of a proof in portions, and stops the proof with `Break`.
pub type Sink<'s> = dyn FnMut(&str) -> ControlFlow<()> + 's;

/// The reason why a proof was not completed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProofFault {
    /// The formula cannot be written.
    Formula(FormulaFault),
    /// The proof search found this cover, which is not listed or costs less.
    Missing(Vec<OptionId>),
    /// The sink stopped the proof.
    Stopped,
}

impl From<FormulaFault> for ProofFault {
    fn from(fault: FormulaFault) -> Self {
        Self::Formula(fault)
    }
}

impl From<Limit> for ProofFault {
    fn from(limit: Limit) -> Self {
        Self::Formula(FormulaFault::Limit(limit))
    }
}

/// Writes the formula of a proof by [`prove_covers`].
///
/// # Errors
/// The formula cannot hold the problem, or a limit was reached.
pub fn formula_of_covers(
    problem: &Problem,
    covers: &[Vec<OptionId>],
    format: ProofFormat,
    limits: &Limits,
) -> Result<String, FormulaFault> {
    match format {
        ProofFormat::Lrat => formula::cnf(problem, covers, limits),
        ProofFormat::VeriPb => formula::opb(problem, covers, false, limits),
    }
}

/// Proves that `problem` has no covers other than `covers`.
///
/// The limits on time, nodes and memory and the flags apply; a node is a decision of the proof
/// search. The clauses of the search take at most 64 MB, in addition to the formula.
///
/// ```
/// use dlx::proofs::{ProofFormat, formula_of_covers, prove_covers};
/// use dlx::{Limits, OptionId};
/// use std::ops::ControlFlow;
///
/// let problem: dlx::Problem = "a b c\na b\nc\na\nb c\n".parse()?;
/// let covers = [[0, 1], [2, 3]].map(|cover| cover.map(OptionId::new).to_vec());
/// let (format, limits, mut text) = (ProofFormat::Lrat, Limits::new(), String::new());
/// let formula = formula_of_covers(&problem, &covers, format, &limits).expect("no limit");
/// let proven = prove_covers(&problem, &covers, format, &limits, &mut |part| {
///     text += part;
///     ControlFlow::Continue(())
/// });
/// assert_eq!(proven, Ok(()));
/// let claim = dlx::trust::lrat::check(&problem, &formula, text.as_bytes(), &limits);
/// assert_eq!(claim, Ok(2));
/// # Ok::<(), dlx::ParseError>(())
/// ```
///
/// # Errors
/// A feature that the formula cannot hold, a limit, or another cover. Some text may have been
/// passed to `sink` before the error.
pub fn prove_covers(
    problem: &Problem,
    covers: &[Vec<OptionId>],
    format: ProofFormat,
    limits: &Limits,
    sink: &mut Sink<'_>,
) -> Result<(), ProofFault> {
    let mut pace = Pace::new(limits);
    let rules = formula::rules(problem, &mut pace)?;
    let blocked = formula::blocking_clauses(problem, covers, &mut pace)?;
    let mut sink = |text: &str| sink(text);
    let (ids, count) = RuleIds::new(problem, &rules, format, &mut pace)?;
    let extra = ExtraClauses::new(&[], blocked, count);
    let mut log = ProofLog::new(format, extra.last(), &mut sink);
    if format == ProofFormat::VeriPb && covers.is_empty() {
        let hope = costs::ALGEBRA_HOPE;
        let mut budget = Budget::new(limits, hope, limits.memory.unwrap_or(usize::MAX));
        match algebra::refute(problem, &mut budget) {
            Ok(Some(certificate)) => {
                if let Some(id) = cuts::write(problem, &rules, &ids, &certificate, &mut log)? {
                    return log.conclude(id, None);
                }
            }
            Err(Cut::Limit(limit)) => return Err(limit.into()),
            _ => {}
        }
        if let Some(id) = matching::write(problem, &rules, &ids, &mut budget, &mut log)? {
            return log.conclude(id, None);
        }
    }
    let contradiction = refute::refute(problem, &rules, &ids, &extra, limits, &mut log)?;
    log.conclude(contradiction, None)
}

/// Writes the formula of a proof by [`prove_cheapest`].
///
/// # Errors
/// A limit was reached.
pub fn formula_of_cheapest(problem: &Problem, limits: &Limits) -> Result<String, FormulaFault> {
    formula::opb(problem, &[], true, limits)
}

/// Proves in the format of VeriPB that no cover of `problem` costs less than `cover`.
///
/// # Errors
/// As [`prove_covers`].
pub fn prove_cheapest(
    problem: &Problem,
    cover: &[OptionId],
    limits: &Limits,
    sink: &mut Sink<'_>,
) -> Result<(), ProofFault> {
    let mut pace = Pace::new(limits);
    let rules = formula::rules(problem, &mut pace)?;
    let format = ProofFormat::VeriPb;
    let mut sink = |text: &str| sink(text);
    let (ids, count) = RuleIds::new(problem, &rules, format, &mut pace)?;
    let mut log = ProofLog::new(format, count, &mut sink);
    let mut is_chosen = vec![false; problem.option_count()];
    cover.iter().for_each(|option| is_chosen[option.index()] = true);
    let mut line = String::from("soli");
    for option in problem.options() {
        line.push_str(if is_chosen[option.index()] { " x" } else { " ~x" });
        line.push_str(&formula::variable(option).to_string());
    }
    let cheaper = log.add(&line)?;
    let cost: u128 = cover.iter().map(|&option| u128::from(problem.cost(option))).sum();
    let reduced = prices::bound(problem, &rules, &ids, cost, cheaper, &mut log, limits)?;
    let mut search = ProofSearch::new(problem, &rules, &ids, limits)?;
    let weights = problem.options().map(|option| (u128::from(problem.cost(option)), true));
    search.add_cost_bound(CostBound {
        weights: weights.collect(),
        room: cost.checked_sub(1),
        id: cheaper,
    });
    search.add_cost_bound(reduced);
    let mut slice = ProofSlice { work: u64::MAX, nodes: limits.nodes };
    let contradiction = loop {
        if let Some(id) = search.run(&slice, &mut log)? {
            break id;
        }
        slice.nodes = limits.nodes.map(|nodes| nodes - search.nodes);
    };
    log.conclude(contradiction, Some(cost))
}

/// The numbers of the constraints of the formula.
enum RuleIds {
    /// The clause of each rule that is not a pair, and the clauses of all pairs.
    Clauses { low: Vec<u64>, pairs: PairClauses },
    /// The lower and the upper bound of each rule, 0 where the formula has no bound.
    Bounds(Vec<[u64; 2]>),
}

/// For each option the later options that it excludes, with the numbers of their clauses.
struct PairClauses(Vec<Vec<(OptionId, u64)>>);

impl PairClauses {
    /// Returns the clause that makes two options exclude each other, if there is one.
    fn clause(&self, one: OptionId, other: OptionId) -> Option<u64> {
        let others = &self.0[one.min(other).index()];
        let found = others.binary_search_by_key(&one.max(other), |&(option, _)| option);
        found.ok().map(|place| others[place].1)
    }

    /// Returns the numbers of all pairs in a square table, 0 without a clause.
    fn table(&self) -> Vec<u32> {
        let count = self.0.len();
        let mut table = vec![0; count * count];
        for (one, others) in self.0.iter().enumerate() {
            for &(other, id) in others {
                // A formula has fewer than 2^32 pairs and items.
                table[one * count + other.index()] = id as u32;
                table[other.index() * count + one] = id as u32;
            }
        }
        table
    }
}

impl RuleIds {
    /// Numbers the constraints of `rules`. Also returns how many numbers there are.
    fn new(
        problem: &Problem,
        rules: &[LinearRule],
        format: ProofFormat,
        pace: &mut Pace<'_>,
    ) -> Result<(Self, u64), ProofFault> {
        let mut last = 0;
        if format == ProofFormat::VeriPb {
            let mut next = |has: bool| {
                last += u64::from(has);
                if has { last } else { 0 }
            };
            let bounds = rules.iter().map(|rule| [next(rule.has_low()), next(rule.has_high())]);
            return Ok((Self::Bounds(bounds.collect()), last));
        }
        formula::check_cnf(problem)?;
        let mut low = vec![0; rules.len()];
        let mut pairs = PairClauses(vec![Vec::new(); problem.option_count()]);
        let mut lows = (0..rules.len()).filter(|&rule| rules[rule].low == 1);
        let mut excluded = (0..rules.len()).filter(|&rule| rules[rule].high == 0);
        formula::clauses(rules, pace, &mut |literals| {
            last += 1;
            match *literals {
                [first, second] if first < 0 => {
                    let second = OptionId::new(second.unsigned_abs() as usize - 1);
                    pairs.0[first.unsigned_abs() as usize - 1].push((second, last));
                }
                [first] if first < 0 => low[excluded.next().expect("a clause of its own")] = last,
                _ => low[lows.next().expect("a clause of its own")] = last,
            }
        })?;
        pairs.0.iter_mut().for_each(|others| others.sort_unstable());
        Ok((Self::Clauses { low, pairs }, last))
    }
}
