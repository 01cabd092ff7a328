//! Strengthens the bound of the costs by prices of the items.
//!
//! A cover that costs less than `cost` satisfies the constraint that its costs are at most `cost -
//! 1`. Adding the constraints of the items, each multiplied by a price, turns the costs of the
//! options into reduced costs and lowers the bound. With good prices, few options have a small
//! reduced cost, so the search removes the others at once. The sum is a line of the proof. The
//! prices decide only its strength, so they come from floating-point numbers.
//!
//! Without the prices, the proofs of eight assignments, tilings with costs and exact covers by
//! triples had 18 to 17,000 times as many lines, and a ninth did not end within 20 s.
//!
//! Source: Held and Karp 1971 for the subgradient steps.

use std::fmt::Write as _;

use super::log::ProofLog;
use super::search::CostBound;
use super::{ProofFault, RuleIds};
use crate::limits::{Limits, Pace};
use crate::model::Problem;
use crate::trust::formula::LinearRule;

/// Prices are multiples of the unit of costs divided by this number.
const SCALE: i128 = 1000;
/// Largest price (units of costs), so that sums of prices fit in 128 bits.
const PRICE_MAX: f64 = 1e18;
/// Number of subgradient steps. More steps hardly raise the bound of random problems.
const STEPS: usize = 400;
/// Number of steps without a better bound before steps shrink by half.
const PATIENCE: usize = 12;
/// Estimated work per entry of the constraints and step (ns).
const ENTRY_WORK: u64 = 3;

/// Derives the strengthened bound from the constraint `cheaper`, that a cover costs less than
/// `cost`.
pub(super) fn bound(
    problem: &Problem,
    rules: &[LinearRule],
    ids: &RuleIds,
    cost: u128,
    cheaper: u64,
    log: &mut ProofLog<'_>,
    limits: &Limits,
) -> Result<CostBound, ProofFault> {
    let RuleIds::Bounds(ids) = ids else { unreachable!("costs have bounds of VeriPB") };
    let prices = prices(problem, rules, cost as f64, limits)?;
    let scaled = prices.iter().map(|price| (price.clamp(-PRICE_MAX, PRICE_MAX) * SCALE as f64) as i128);
    let mut line = format!("pol {cheaper} {SCALE} *");
    let mut weights: Vec<i128> =
        problem.options().map(|option| SCALE * i128::from(problem.cost(option))).collect();
    let mut room = SCALE * (cost as i128 - 1);
    for ((rule, ids), price) in rules.iter().zip(ids).zip(scaled) {
        let (id, bound) = if price > 0 { (ids[0], rule.low) } else { (ids[1], rule.high) };
        if price == 0 || id == 0 {
            continue;
        }
        let _ = write!(line, " {id} {} * +", price.unsigned_abs());
        rule.options.iter().for_each(|option| weights[option.index()] -= price);
        room -= price * i128::from(bound);
    }
    let id = log.add(&line)?;
    // A negative reduced cost is the cost of the opposite choice.
    room += weights.iter().filter(|&&weight| weight < 0).map(|weight| -weight).sum::<i128>();
    let weights = weights.into_iter().map(|weight| (weight.unsigned_abs(), weight >= 0)).collect();
    Ok(CostBound { weights, room: u128::try_from(room).ok(), id })
}

/// Returns a price for each rule: not negative without an upper bound in the formula, and not
/// positive without a lower bound.
fn prices(
    problem: &Problem,
    rules: &[LinearRule],
    cost: f64,
    limits: &Limits,
) -> Result<Vec<f64>, ProofFault> {
    let mut pace = Pace::new(limits);
    let entries: usize = rules.iter().map(|rule| 1 + rule.options.len()).sum();
    let costs: Vec<f64> = problem.options().map(|option| problem.cost(option) as f64).collect();
    let mut prices = vec![0.0_f64; rules.len()];
    let (mut best, mut best_bound) = (prices.clone(), f64::NEG_INFINITY);
    let (mut step, mut waited) = (1.0, 0);
    for _ in 0..STEPS {
        pace.spend(ENTRY_WORK * entries as u64)?;
        let mut reduced = costs.clone();
        let mut bound = 0.0;
        for (rule, &price) in rules.iter().zip(&prices) {
            rule.options.iter().for_each(|option| reduced[option.index()] -= price);
            bound += price * f64::from(if price > 0.0 { rule.low } else { rule.high });
        }
        bound += reduced.iter().map(|&reduced| reduced.min(0.0)).sum::<f64>();
        waited += 1;
        if bound > best_bound {
            (best_bound, waited) = (bound, 0);
            best.copy_from_slice(&prices);
        } else if waited > PATIENCE {
            (step, waited) = (step / 2.0, 0);
            prices.copy_from_slice(&best);
        }
        let slack = |rule: &LinearRule, price: f64| {
            let taken = rule.options.iter().filter(|option| reduced[option.index()] < 0.0).count();
            let is_low = price > 0.0 || (price == 0.0 && rule.has_low());
            f64::from(if is_low { rule.low } else { rule.high }) - taken as f64
        };
        let slacks: Vec<f64> =
            rules.iter().zip(&prices).map(|(rule, &price)| slack(rule, price)).collect();
        let norm: f64 = slacks.iter().map(|slack| slack * slack).sum();
        if norm == 0.0 || best_bound >= cost {
            break;
        }
        let length = step * (cost - bound).max(1.0) / norm;
        for ((price, slack), rule) in prices.iter_mut().zip(slacks).zip(rules) {
            let least = if rule.has_high() { f64::NEG_INFINITY } else { 0.0 };
            let most = if rule.has_low() { f64::INFINITY } else { 0.0 };
            *price = (*price + length * slack).clamp(least, most);
        }
    }
    Ok(best)
}
