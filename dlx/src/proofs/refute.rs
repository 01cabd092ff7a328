//! Refutes a formula by the tree search or by clause learning, whichever ends first.
//!
//! The two searches alternate, in slices of growing work. The tree search estimates its whole work
//! from the closed branches, and continues if little is left. The clauses of the search that did
//! not end stay in the proof.

use super::log::ProofLog;
use super::search::ProofSearch;
use super::tree::TreeSearch;
use super::{ProofFault, RuleIds};
use crate::limits::Limits;
use crate::model::Problem;
use crate::trust::formula::LinearRule;

/// Work of the first slice (ns).
const FIRST_SLICE: u64 = 2_000_000;
/// The slices of clause learning have this part of the work, because it is rarely the faster one.
const LEARNING_PART: u64 = 3;
/// Factor between the work of two slices.
const GROWTH: u64 = 3;
/// The tree search continues after its slice if its expected work is at most this number of times
/// the work so far.
const NEAR_END: f64 = 4.0;

/// Work that a search may do before it pauses.
pub(super) struct ProofSlice {
    /// Estimated work (ns).
    pub(super) work: u64,
    /// Number of decisions at which the proof ends.
    pub(super) nodes: Option<u64>,
}

/// The clauses of the formula that do not come from rules.
pub(super) struct ExtraClauses {
    /// Unit clauses that restrict the covers to a part: literals, and the numbers of the clauses.
    pub(super) units: Vec<(i32, u64)>,
    /// The clauses that block covers.
    blocked: Vec<Vec<i32>>,
    /// The indices of the clauses that block covers, in the order of their literals.
    order: Vec<u32>,
    /// The number of the first clause that blocks a cover.
    first: u64,
}

impl ExtraClauses {
    /// Numbers the clauses after the first `count` clauses of the formula.
    pub(super) fn new(units: &[i32], blocked: Vec<Vec<i32>>, count: u64) -> Self {
        let mut order: Vec<u32> = (0..blocked.len() as u32).collect();
        order.sort_unstable_by_key(|&index| &blocked[index as usize]);
        let units: Vec<_> = units.iter().copied().zip(count + 1..).collect();
        Self { first: count + 1 + units.len() as u64, units, blocked, order }
    }

    /// Returns the number of the last clause.
    pub(super) fn last(&self) -> u64 {
        self.first + self.blocked.len() as u64 - 1
    }

    /// Returns the number of the clause that blocks a cover.
    pub(super) fn find(&self, literals: &[i32]) -> Option<u64> {
        let clause = |index: &u32| self.blocked[*index as usize].as_slice();
        let place = self.order.binary_search_by_key(&literals, clause).ok()?;
        Some(self.first + u64::from(self.order[place]))
    }
}

/// Writes a refutation, and returns the number of a constraint that no assignment satisfies.
pub(super) fn refute(
    problem: &Problem,
    rules: &[LinearRule],
    ids: &RuleIds,
    extra: &ExtraClauses,
    limits: &Limits,
    log: &mut ProofLog<'_>,
) -> Result<u64, ProofFault> {
    let tree = TreeSearch::new(problem, rules, ids, extra, limits)?;
    alternate(tree, learning(problem, rules, ids, extra, limits)?, FIRST_SLICE, limits, log)
}

/// Begins a search by clause learning.
pub(super) fn learning<'r>(
    problem: &Problem,
    rules: &'r [LinearRule],
    ids: &'r RuleIds,
    extra: &ExtraClauses,
    limits: &'r Limits,
) -> Result<ProofSearch<'r>, ProofFault> {
    let mut learning = ProofSearch::new(problem, rules, ids, limits)?;
    extra.units.iter().for_each(|&(unit, id)| learning.add_clause(&[unit], id));
    for (clause, id) in extra.blocked.iter().zip(extra.first..) {
        learning.add_clause(clause, id);
    }
    Ok(learning)
}

/// Alternates between the two searches. `first_slice` is the work of the first slice (ns).
pub(super) fn alternate(
    mut tree: Option<TreeSearch<'_>>,
    mut learning: ProofSearch<'_>,
    first_slice: u64,
    limits: &Limits,
    log: &mut ProofLog<'_>,
) -> Result<u64, ProofFault> {
    let mut work = first_slice;
    let slice = |work: u64, tree: Option<&TreeSearch<'_>>, learning: &ProofSearch<'_>| {
        let used = tree.map_or(0, |tree| tree.nodes) + learning.nodes;
        ProofSlice { work, nodes: limits.nodes.map(|most| most - used) }
    };
    loop {
        while let Some(tree) = &mut tree {
            if let Some(id) = tree.run(&slice(work, Some(tree), &learning), log)? {
                return Ok(id);
            }
            if tree.expected_work() > NEAR_END * tree.work as f64 {
                break;
            }
        }
        let less = work.div_ceil(LEARNING_PART);
        if let Some(id) = learning.run(&slice(less, tree.as_ref(), &learning), log)? {
            return Ok(id);
        }
        work = work.saturating_mul(GROWTH);
    }
}
