//! The ledger of a count by blocks, which checks that every sent block was expanded exactly once.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use num_bigint::BigUint;

use super::plan::PlanEnds;
use super::{BlockHead, ExchangeError};
use crate::frontier::blocks::{MergedStates, balance, settled};

/// Checks a count from the heads of its blocks, and computes the total.
///
/// For each step and owner, the ledger adds the fingerprints of the sent blocks and subtracts those
/// of the expanded blocks. The balance is zero exactly when no block was lost, duplicated or
/// exchanged, except with probability 2^-61.
#[derive(Clone)]
pub struct BlockLedger {
    ends: Arc<PlanEnds>,
    /// The balance of fingerprints (sent minus expanded) by step and owner, where it is not zero.
    open: BTreeMap<(u32, u32), u64>,
}

impl BlockLedger {
    pub(super) fn new(ends: Arc<PlanEnds>, first: &[BlockHead]) -> Self {
        let mut ledger = Self { ends, open: BTreeMap::new() };
        first.iter().for_each(|head| ledger.send(head));
        ledger
    }

    fn send(&mut self, head: &BlockHead) {
        let open = self.open.entry((head.step, head.owner)).or_default();
        *open = balance(*open, head.fingerprint, 0);
    }

    /// Records that blocks of one step and owner were expanded into the blocks `sent`. The blocks
    /// of a step and owner may be expanded together or one by one, but each exactly once.
    ///
    /// # Errors
    /// If a block of `read` has another step or owner than the first, a block belongs to another
    /// plan, or a block of `sent` does not have a later step. After an error the ledger is
    /// unchanged.
    pub fn expanded(&mut self, read: &[BlockHead], sent: &[BlockHead]) -> Result<(), ExchangeError> {
        let wrong = |message: String| Err(ExchangeError::Block(message));
        let Some(&BlockHead { step, owner, .. }) = read.first() else {
            return wrong("expected the blocks that were expanded, found none".to_owned());
        };
        if let Some(other) = read.iter().find(|head| (head.step, head.owner) != (step, owner)) {
            return wrong(format!(
                "expected blocks of step {step} and owner {owner}, found one of step {} and owner {}",
                other.step, other.owner
            ));
        }
        if let Some(other) = sent.iter().find(|head| head.step <= step) {
            return wrong(format!(
                "expected blocks of steps after {step}, found one of step {}",
                other.step
            ));
        }
        if read.iter().chain(sent).any(|head| head.digest != self.ends.digest) {
            return wrong("expected blocks of this plan, found one of another".to_owned());
        }
        let open = self.open.entry((step, owner)).or_default();
        for head in read {
            *open = balance(*open, 0, head.fingerprint);
        }
        if settled(*open) {
            self.open.remove(&(step, owner));
        }
        sent.iter().for_each(|head| self.send(head));
        Ok(())
    }

    /// Checks that each block sent to a step was expanded exactly once.
    ///
    /// # Errors
    /// If a block was not expanded exactly once. The error names the owner.
    pub fn close(&self, step: u32) -> Result<(), ExchangeError> {
        let open = self.open.range((step, 0)..=(step, u32::MAX));
        open.map(|(&(step, owner), _)| Err(unsettled(step, owner))).next().unwrap_or(Ok(()))
    }

    /// Adds up the blocks at the ends of the plan, and returns the number of covers.
    ///
    /// # Errors
    /// If a block is not expanded yet, or if `ends` are not the unchanged blocks that were sent to
    /// the ends.
    pub fn total(&self, ends: &[impl AsRef<[u8]>]) -> Result<BigUint, ExchangeError> {
        if let Some((&(step, owner), _)) = self.open.range(..(self.ends.steps, 0)).next() {
            return Err(unsettled(step, owner));
        }
        let mut open = self.open.clone();
        let mut sums = vec![BigUint::ZERO; self.ends.key_bytes.len()];
        for block in ends {
            let block = block.as_ref();
            let head = self.ends.head(block)?;
            let Some(part) = head.step.checked_sub(self.ends.steps) else {
                return Err(ExchangeError::Block(format!(
                    "expected a block of an end of the plan, found one of step {}",
                    head.step
                )));
            };
            let origin = self.ends.origin(head.step, head.owner, head.key_bytes);
            let mut states = MergedStates::new(origin);
            states.add(block.into(), Box::new(std::iter::empty()))?;
            while states.advance()? {
                sums[part as usize] += crate::numbers::limbs::value(states.number());
            }
            let sum = open.entry((head.step, head.owner)).or_default();
            *sum = balance(*sum, 0, head.fingerprint);
        }
        match open.iter().find(|(_, sum)| !settled(**sum)) {
            Some((&(step, owner), _)) => Err(unsettled(step, owner)),
            None => Ok(sums.iter().product::<BigUint>() * &self.ends.factor),
        }
    }
}

fn unsettled(step: u32, owner: u32) -> ExchangeError {
    ExchangeError::Block(format!(
        "step {step}, owner {owner}: the blocks that were expanded are not those that were sent: one is missing, doubled \
         or exchanged"
    ))
}

impl fmt::Debug for BlockLedger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlockLedger").field("open", &self.open).finish_non_exhaustive()
    }
}
