//! The counting method `memo` as a contender.

use std::sync::Arc;
use std::time::Duration;

use num_bigint::BigUint;

use super::{Memo, MemoProgress};
use crate::methods::method::{Count, Hints, Method, Orders, begun};
use crate::parallel::Cores;
use crate::portfolio::{Budget, Contender, Cut, Estimate, costs};
use crate::prepare::Weighted;

pub(in crate::methods) const METHOD: Method = Method {
    name: "memo",
    summary: "a search that remembers the count of what is left",
    contenders: |part, hints| {
        let Hints { cores, orders, .. } = *hints;
        vec![Box::new(MemoContender { part, cores, orders, memo: None })]
    },
};

/// If the cache saves at most the share `FEW_SAVED` of the nodes, the forecast is reliable within
/// the factor `ERROR` (regret suite).
pub(super) const FEW_SAVED: f64 = 0.2;
pub(super) const ERROR: f64 = 4.0;

struct MemoContender<'p> {
    part: &'p Weighted,
    cores: &'p Arc<Cores>,
    orders: &'p Orders,
    memo: Option<Memo>,
}

impl Contender for MemoContender<'_> {
    type Output = BigUint;

    fn name(&self) -> &'static str {
        METHOD.name
    }

    fn run(&mut self, (): &mut (), budget: &mut Budget<'_>) -> Result<BigUint, Cut> {
        let new = |budget: &mut Budget<'_>| {
            let order = self.orders.of(self.part, budget).first();
            let memo = Memo::new(self.part, order.map_or(&[], |order| &order.items), budget)?;
            Ok(memo.on(self.cores))
        };
        begun(&mut self.memo, budget, new)?.run(budget)
    }

    fn effort(&self) -> (u64, u64) {
        self.memo.as_ref().map_or((0, 0), Memo::effort)
    }

    fn known(&self) -> Option<BigUint> {
        self.memo.as_ref().map(Memo::known)
    }

    fn bytes(&self) -> usize {
        self.memo.as_ref().map_or(0, Memo::bytes)
    }

    fn estimate(&self, spent: Duration) -> Estimate {
        let Some(memo) = &self.memo else {
            return Estimate::guess(3.0 * costs::COUNT_UNKNOWN + self.setup());
        };
        let spent = spent.as_nanos() as f64;
        let progress = memo.progress();
        let is_told = progress.saves_at_most(FEW_SAVED);
        let is_early = spent < costs::MEMO_FIRST as f64 && !is_told;
        let Some(left) = progress.left.filter(|_| !is_early) else {
            return Estimate::guess(spent);
        };
        let left = spent * left / memo.work().max(1) as f64;
        if is_told {
            return Estimate::sure(left, ERROR);
        }
        if progress.work < costs::MEMO_DOUBT {
            // Until the cache has many hits, the forecast is usually too high.
            return Estimate::doubted(left, spent);
        }
        Estimate::guess(left)
    }

    fn setup(&self) -> f64 {
        let pairs = (self.part.problem.option_count() as f64).powi(2);
        let orders = if self.orders.known().is_none() { self.part.problem.entry_count() } else { 0 };
        costs::MEMO_PAIR * pairs + costs::METHOD_ENTRY * orders as f64
    }
}

impl Count for MemoContender<'_> {
    fn explain(&self) -> String {
        let Some(memo) = &self.memo else { return String::new() };
        let MemoProgress { branch, nodes, lookups, hits, entries, bytes, .. } = memo.progress();
        format!(
            "{branch:?}, {nodes} nodes, {hits} of {lookups} found again, {entries} kept in {bytes} bytes"
        )
    }
}
