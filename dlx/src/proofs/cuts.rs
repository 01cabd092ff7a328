//! Writes the combination of items that refutes a problem as cutting planes.
//!
//! The constraints of the items, each multiplied by its coefficient, add up to a constraint on the
//! values of the options: the sum of the values of the chosen options is at least `least`. Without
//! a modulus, this is already a contradiction, because all positive values together are less. With
//! a modulus `m`, the coefficients of all options are multiples of `m`, while `least` is not.
//! Dividing by `m` rounds the bound up, and multiplying by `m` gives a bound greater than `least`.
//! The same equations read as upper bounds say that the sum is at most `least`. Both together are a
//! contradiction.
//!
//! A bound that the formula omits because it always holds is replaced by the axioms that a literal
//! is at least 0.

use std::fmt::Write as _;

use super::log::ProofLog;
use super::{ProofFault, RuleIds};
use crate::algebra::Certificate;
use crate::model::{ItemId, OptionId, Problem};
use crate::trust::formula::{LinearRule, variable};

/// Writes the proof. Returns the number of the contradiction.
pub(super) fn write(
    problem: &Problem,
    rules: &[LinearRule],
    ids: &RuleIds,
    certificate: &Certificate,
    log: &mut ProofLog<'_>,
) -> Result<Option<u64>, ProofFault> {
    let RuleIds::Bounds(ids) = ids else { return Ok(None) };
    let bounds = ItemBounds::new(problem, rules, ids);
    let terms = &certificate.terms;
    let Some(least) = bounds.sum(terms) else { return Ok(None) };
    let Some(modulus) = certificate.modulus else {
        return log.add(&format!("pol{least}")).map(Some);
    };
    let raised = log.add(&format!("pol{least} {modulus} d {modulus} *"))?;
    let negated: Vec<_> = terms.iter().map(|&(item, coefficient)| (item, -coefficient)).collect();
    let Some(most) = bounds.sum(&negated) else { return Ok(None) };
    log.add(&format!("pol{most} {raised} +")).map(Some)
}

pub(super) struct ItemBounds {
    /// For each item the numbers of its bounds, 0 if the formula omits one.
    ids: Vec<[u64; 2]>,
    users: Vec<Vec<OptionId>>,
}

impl ItemBounds {
    pub(super) fn new(problem: &Problem, rules: &[LinearRule], numbers: &[[u64; 2]]) -> Self {
        let mut users = vec![Vec::new(); problem.item_count()];
        let live = |option: &OptionId| problem.idle_options().binary_search(option).is_err();
        for option in problem.options().filter(live) {
            problem.option(option).iter().for_each(|entry| users[entry.item.index()].push(option));
        }
        let mut ids = vec![[0; 2]; problem.item_count()];
        for (rule, numbers) in rules.iter().zip(numbers) {
            if let Some(item) = rule.item {
                ids[item.index()] = *numbers;
            }
        }
        Self { ids, users }
    }

    /// Returns the sum of the bounds of items, multiplied by their coefficients, in reverse Polish
    /// notation, or `None` without terms.
    pub(super) fn sum(&self, terms: &[(ItemId, i64)]) -> Option<String> {
        let mut text = String::new();
        let mut push = |what: &str, times: u64| {
            let plus = if text.is_empty() { "" } else { " +" };
            let _ = match times {
                1 => write!(text, " {what}{plus}"),
                _ => write!(text, " {what} {times} *{plus}"),
            };
        };
        for &(item, coefficient) in terms {
            let id = self.ids[item.index()][usize::from(coefficient < 0)];
            let times = coefficient.unsigned_abs();
            if id > 0 {
                push(&id.to_string(), times);
                continue;
            }
            let sign = if coefficient < 0 { "~" } else { "" };
            for &option in &self.users[item.index()] {
                push(&format!("{sign}x{}", variable(option)), times);
            }
        }
        (!text.is_empty()).then_some(text)
    }
}
