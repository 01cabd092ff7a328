//! The plan of a count by blocks: the steps of all parts of a problem, one part after another, then
//! the ends of all parts.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use num_bigint::BigUint;
use sha2::{Digest as _, Sha256};

use super::{BlockHead, BlockLedger, BlockRun, ExchangeError, FORMAT, SentBlock};
use crate::frontier::blocks::{
    BlockBuilder, KeyBytes, LaidOut, MergedStates, Origin, Room, SendBlock, foreign, laid_out,
};
use crate::frontier::layout::LayoutSketch;
use crate::frontier::{WORDS_MAX, order};
use crate::limits::Limits;
use crate::methods::FormLayers;
use crate::model::{OptionId, Problem};
use crate::portfolio::{BYTES, Budget, Cut};
use crate::prepare::{Parts, Weighted};
use crate::shards::Sha256Digest;

const OWNERS_MAX: u32 = 1 << 16;

/// A plan for counting the covers of a problem by blocks of states.
///
/// The plan depends only on the problem, the given options, the method and the number of owners, so
/// it is the same on every machine. The [module](super) has an example.
pub struct BlockPlan {
    owners: u32,
    parts: Vec<PlanPart>,
    ends: Arc<PlanEnds>,
}

/// Lays out the part with this number, and adds its inputs to the digest.
type LayOut<'l> = dyn FnMut(
        usize,
        &Weighted,
        &mut Budget<'_>,
        &mut Sha256,
    ) -> Result<Option<Box<dyn LaidOut>>, ExchangeError>
    + 'l;

struct PlanPart {
    laid_out: Option<Box<dyn LaidOut>>,
    first: u32,
}

pub(super) struct PlanEnds {
    pub(super) digest: [u8; 32],
    /// The total number of steps. The end of part `n` has the step number `steps + n`.
    pub(super) steps: u32,
    owners: u32,
    /// The first step and the key lengths of each part.
    pub(super) key_bytes: Vec<(u32, KeyBytes)>,
    pub(super) factor: BigUint,
}

impl PlanEnds {
    fn part_of(&self, step: u32) -> usize {
        match step.checked_sub(self.steps) {
            Some(part) => part as usize,
            None => self.key_bytes.partition_point(|&(first, _)| first <= step) - 1,
        }
    }

    /// Returns the origin (plan, step, owner, key length) that a block with keys of `found` bytes
    /// must have.
    pub(super) fn origin(&self, step: u32, owner: u32, found: u32) -> Origin {
        let (first, KeyBytes { least, is_open }) = self.key_bytes[self.part_of(step)];
        let is_open = is_open && step < self.steps && (step - first) % 2 == 1;
        let found = found as usize;
        let fits = is_open && found >= least && (found - least).is_multiple_of(8);
        let key_bytes = if fits { found } else { least };
        Origin { digest: self.digest, step, owner, key_bytes }
    }

    pub(super) fn head(&self, block: &[u8]) -> Result<BlockHead, ExchangeError> {
        let head = BlockHead::read(block)?;
        let BlockHead { step, owner, .. } = head;
        let all = self.steps as usize + self.key_bytes.len();
        if head.digest != self.digest {
            return Err(foreign(&self.digest, &head.digest));
        }
        if step as usize >= all || owner >= self.owners {
            return Err(ExchangeError::Block(format!(
                "expected a step below {all} and an owner below {}, found step {step} and owner {owner}",
                self.owners
            )));
        }
        self.origin(step, owner, head.key_bytes).head(block)
    }
}

impl BlockPlan {
    /// Makes the plan to count the covers of `problem` that contain the options of `given` by a
    /// frontier, with 1 to 65536 `owners`.
    ///
    /// The problem is reduced and split as by a [`Counter`](crate::count::Counter). The plan uses
    /// the item order with the fewest open items.
    ///
    /// # Errors
    /// If a limit of time or memory is reached, a state would take too many bits, or there are 2^32
    /// steps.
    ///
    /// # Panics
    /// If an option of `given` is not one of this problem's, or `owners` is 0 or too large.
    pub fn of_frontier(
        problem: &Problem,
        given: &[OptionId],
        owners: u32,
        limits: &Limits,
    ) -> Result<Self, ExchangeError> {
        Self::new(problem, given, owners, limits, "", &mut |_, part, budget, hasher| {
            let order = order::candidates(&part.problem, budget)?.into_iter().next();
            let order = order.map_or_else(Vec::new, |order| order.items);
            let sketch = LayoutSketch::new(part, &order, WORDS_MAX, budget)?;
            let laid_out = laid_out(sketch, budget)?;
            let steps = 0..laid_out.as_ref().map_or(0, |laid_out| laid_out.step_count());
            let bits = |step| laid_out.as_ref().map_or(0, |laid_out| laid_out.bits(step));
            let widths: Vec<u32> = steps.map(bits).collect();
            hasher.update(format!("{order:?} {:?} {widths:?}\n", part.weights));
            Ok(laid_out)
        })
    }

    /// Makes the plan to count by canonical forms of subproblems, like the method `symmetry`, which
    /// expands isomorphic subproblems once.
    ///
    /// `sizes` decides for each number of primary items whether subproblems of this size are
    /// brought into canonical form, as found by a [survey](super::survey). The text `sizes` has a
    /// digit 0 or 1 for each number, from 0 on, and a comma between independent parts. For numbers
    /// without a digit, canonical forms are used.
    ///
    /// # Errors
    /// Same as [`Self::of_frontier`]. The error is [`ExchangeError::Unsuited`] if there are bounds
    /// or colors, or far too many items.
    ///
    /// # Panics
    /// Same as [`Self::of_frontier`].
    pub fn of_forms(
        problem: &Problem,
        given: &[OptionId],
        owners: u32,
        sizes: &str,
        limits: &Limits,
    ) -> Result<Self, ExchangeError> {
        Self::new(problem, given, owners, limits, "forms\n", &mut |number, part, budget, hasher| {
            let sizes = sizes.split(',').nth(number).unwrap_or_default();
            hasher.update(format!("{sizes} {:?}\n", part.weights));
            Ok(Some(Box::new(FormLayers::new(part, sizes, budget)?)))
        })
    }

    fn new(
        problem: &Problem,
        given: &[OptionId],
        owners: u32,
        limits: &Limits,
        way: &str,
        lay: &mut LayOut<'_>,
    ) -> Result<Self, ExchangeError> {
        assert!(owners > 0, "somebody owns each state");
        assert!(owners <= OWNERS_MAX, "there are no more than 65536 owners");
        let of_problem = Sha256Digest::of(problem, given, limits)?;
        let mut hasher = Sha256::new();
        hasher.update(format!("farandole blocks {FORMAT}\n{of_problem}\n{owners} owners\n{way}"));
        let parts = Parts::new(problem, given, limits)?;
        let factor = parts.as_ref().map_or(BigUint::ZERO, Parts::factor);
        let mut steps = 0_u32;
        let (mut laid, mut key_bytes) = (Vec::new(), Vec::new());
        let bytes = limits.memory.unwrap_or(BYTES);
        for (number, part) in parts.iter().flat_map(|parts| &parts.parts).enumerate() {
            let mut budget = Budget::new(limits, u64::MAX, bytes);
            let laid_out = lay(number, part, &mut budget, &mut hasher)?;
            let more = laid_out.as_ref().map_or(0, |laid_out| laid_out.step_count());
            let more = u32::try_from(more).ok().and_then(|more| steps.checked_add(more));
            let none = KeyBytes { least: 0, is_open: false };
            key_bytes.push((steps, laid_out.as_ref().map_or(none, |laid_out| laid_out.key_bytes())));
            laid.push(PlanPart { laid_out, first: steps });
            steps = more
                .filter(|steps| steps.checked_add(laid.len() as u32).is_some())
                .ok_or(Cut::Unsuited)?;
        }
        let digest = hasher.finalize().into();
        let ends = Arc::new(PlanEnds { digest, steps, owners, key_bytes, factor });
        Ok(Self { owners, parts: laid, ends })
    }

    /// Returns the digest of the plan, stored in all its blocks.
    #[must_use]
    pub fn digest(&self) -> Sha256Digest {
        Sha256Digest::from(self.ends.digest)
    }

    /// Returns the number of owners.
    #[must_use]
    pub fn owners(&self) -> u32 {
        self.owners
    }

    /// Returns the number of steps. Blocks whose step is at least this number are at an end and are
    /// not expanded.
    #[must_use]
    pub fn steps(&self) -> u32 {
        self.ends.steps
    }

    /// Returns the number of independent parts, each with its own end.
    #[must_use]
    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    /// Returns the size of a state at a step in bits.
    ///
    /// # Panics
    /// If the plan has no such step.
    #[must_use]
    pub fn bits(&self, step: u32) -> u32 {
        let (laid_out, step) = self.laid_out(step);
        laid_out.bits(step)
    }

    fn laid_out(&self, step: u32) -> (&dyn LaidOut, usize) {
        assert!(step < self.steps(), "step {step} is one of the plan");
        let PlanPart { laid_out, first } = &self.parts[self.ends.part_of(step)];
        (laid_out.as_deref().expect("it has steps"), (step - first) as usize)
    }

    /// Returns the first blocks of the count, one for each part that may have a cover.
    #[must_use]
    pub fn first(&self) -> Vec<Vec<u8>> {
        self.begin().into_iter().map(|sent| sent.bytes).collect()
    }

    fn begin(&self) -> Vec<SentBlock> {
        let starts = (0..).zip(&self.parts).filter_map(|(number, part)| {
            let laid_out = part.laid_out.as_deref()?;
            let (step, key) = laid_out.start()?;
            let mut block = BlockBuilder::new();
            block.push(&key, &[1]);
            let is_end = step == laid_out.step_count();
            let step = if is_end { self.steps() + number } else { part.first + step as u32 };
            Some(block.finish(&self.ends.digest, step, 0))
        });
        starts.collect()
    }

    /// Makes a ledger for a new count.
    #[must_use]
    pub fn ledger(&self) -> BlockLedger {
        let first: Vec<_> = self.begin().into_iter().map(|sent| sent.head).collect();
        self.ledger_of(&first)
    }

    /// Makes a ledger for a resumed count. `kept` must be exactly the heads of the blocks that were
    /// not expanded yet.
    #[must_use]
    pub fn ledger_of(&self, kept: &[BlockHead]) -> BlockLedger {
        BlockLedger::new(Arc::clone(&self.ends), kept)
    }

    /// Reads the head of a block of this plan, or a head alone.
    ///
    /// # Errors
    /// If the bytes are not such a head. The error states the expected and the found value.
    pub fn head(&self, block: &[u8]) -> Result<BlockHead, ExchangeError> {
        self.ends.head(block)
    }

    /// Expands all blocks of a step and an owner, in any order, and returns the resulting blocks:
    /// one for each step and owner, or more if the memory of `limits` is too small for that.
    ///
    /// # Errors
    /// If a limit is reached, a block is invalid, or the blocks have different steps or owners.
    pub fn expand(
        &self,
        blocks: &[impl AsRef<[u8]>],
        limits: &Limits,
    ) -> Result<Vec<Vec<u8>>, ExchangeError> {
        let mut sent = Vec::new();
        self.expand_runs(as_runs(blocks), usize::MAX, limits, &mut |block| {
            sent.push(block.bytes);
            Ok(())
        })?;
        Ok(sent)
    }

    /// Expands like [`Self::expand`], but reads lists of blocks on demand, one block of each list
    /// at a time. Sends the results in blocks of about `block_bytes` bytes, which also form lists.
    /// Returns the number of states.
    ///
    /// # Errors
    /// Same as [`Self::expand`]. Errors of the lists or of `send` become
    /// [`ExchangeError::Carrier`].
    pub fn expand_runs(
        &self,
        runs: Vec<BlockRun<'_>>,
        block_bytes: usize,
        limits: &Limits,
        send: &mut dyn FnMut(SentBlock) -> Result<(), String>,
    ) -> Result<u64, ExchangeError> {
        let mut lists = self.open(runs)?;
        let Some(first) = lists.first() else { return Ok(0) };
        let step = first.origin().step;
        if step >= self.steps() {
            return Err(ExchangeError::Block(format!(
                "expected a block of a step below {}, found one of the end {step}",
                self.steps()
            )));
        }
        let part = self.ends.part_of(step);
        let (laid_out, step) = self.laid_out(step);
        let end = laid_out.step_count();
        let names = |step: usize| match step == end {
            true => self.steps() + part as u32,
            false => self.parts[part].first + step as u32,
        };
        let bytes = limits.memory.unwrap_or(BYTES);
        let room = Room { owners: self.owners, bytes, block_bytes };
        let mut budget = Budget::new(limits, u64::MAX, bytes);
        limits.check()?;
        let mut send = |sent| send(sent).map_err(ExchangeError::Carrier);
        laid_out.expand(step, &mut lists, &room, &names, &mut budget, &mut send)
    }

    /// Merges blocks of the same step and owner into one.
    ///
    /// # Errors
    /// If a limit is reached, a block is invalid, or the blocks have different steps, owners, or
    /// key lengths (possible for canonical forms).
    pub fn merge(
        &self,
        blocks: &[impl AsRef<[u8]>],
        limits: &Limits,
    ) -> Result<Vec<u8>, ExchangeError> {
        let mut merged = Vec::new();
        self.merge_runs(as_runs(blocks), usize::MAX, limits, &mut |block| {
            let is_first = merged.is_empty();
            merged = block.bytes;
            let wrong = || "expected blocks with keys of one length, found several".to_owned();
            is_first.then_some(()).ok_or_else(wrong)
        })?;
        if merged.is_empty() {
            return Err(ExchangeError::Block("expected a block, found none".to_owned()));
        }
        Ok(merged)
    }

    /// Merges several lists of blocks into one. Reads and sends blocks like [`Self::expand_runs`].
    ///
    /// # Errors
    /// Same as [`Self::merge`]. Errors of the lists or of `send` become [`ExchangeError::Carrier`].
    pub fn merge_runs(
        &self,
        runs: Vec<BlockRun<'_>>,
        block_bytes: usize,
        limits: &Limits,
        send: &mut dyn FnMut(SentBlock) -> Result<(), String>,
    ) -> Result<(), ExchangeError> {
        let mut budget = Budget::new(limits, u64::MAX, usize::MAX);
        let mut builder = BlockBuilder::new();
        let send: &mut SendBlock<'_> = &mut |sent| send(sent).map_err(ExchangeError::Carrier);
        limits.check()?;
        for mut states in self.open(runs)? {
            let Origin { step, owner, .. } = *states.origin();
            while states.advance()? {
                budget.spend(MERGE_WORK)?;
                builder.push(states.key(), states.number());
                if builder.block_bytes() >= block_bytes {
                    send(builder.finish(&self.ends.digest, step, owner))?;
                }
            }
            if !builder.is_empty() {
                send(builder.finish(&self.ends.digest, step, owner))?;
            }
            builder.begin();
        }
        Ok(())
    }

    /// Opens lists of blocks, which must all have the step and owner of the first block. Lists with
    /// keys of the same length are merged.
    fn open<'r>(&self, runs: Vec<BlockRun<'r>>) -> Result<Vec<MergedStates<'r>>, ExchangeError> {
        let mut place = None;
        let mut opened: BTreeMap<usize, MergedStates<'r>> = BTreeMap::new();
        for mut run in runs {
            let Some(first) = run.next() else { continue };
            let first = first.map_err(ExchangeError::Carrier)?;
            let head = BlockHead::read(&first)?;
            let (step, owner) = match place {
                Some(place) => place,
                None => {
                    let head = self.head(&first)?;
                    *place.insert((head.step, head.owner))
                }
            };
            let origin = self.ends.origin(step, owner, head.key_bytes);
            let states = opened.entry(origin.key_bytes).or_insert_with(|| MergedStates::new(origin));
            states.add(first, run)?;
        }
        Ok(opened.into_values().collect())
    }

    /// Estimates the number of states that are still to be expanded. `seen` contains the number of
    /// states at each earlier step.
    ///
    /// # Panics
    /// If `seen` contains more numbers than the plan has steps.
    #[must_use]
    pub fn states_left(&self, seen: &[u64]) -> f64 {
        let parts = self.parts.iter().filter_map(|part| {
            let laid_out = part.laid_out.as_deref()?;
            let first = (part.first as usize).min(seen.len());
            let step = seen.len() - first;
            let is_over = step >= laid_out.step_count();
            Some(if is_over { 0.0 } else { laid_out.states_left(&seen[first..], step) })
        });
        parts.sum()
    }
}

/// Estimated work of merging a state (ns).
const MERGE_WORK: u64 = 50;

fn as_runs<'b>(blocks: &'b [impl AsRef<[u8]>]) -> Vec<BlockRun<'b>> {
    let run = |block: &'b _| -> BlockRun<'b> {
        Box::new(std::iter::once(Ok(AsRef::<[u8]>::as_ref(block).into())))
    };
    blocks.iter().map(run).collect()
}

impl fmt::Debug for BlockPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlockPlan")
            .field("digest", &self.digest())
            .field("owners", &self.owners)
            .field("steps", &self.steps())
            .finish_non_exhaustive()
    }
}
