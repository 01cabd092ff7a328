//! Expands the states of a step into blocks of states of later steps.
//!
//! One frontier worker expands the states. When the layers of the worker exceed their memory, their
//! states are sorted and sent off as blocks. The counts of equal keys in different blocks are added
//! when the blocks are merged. Measurements: `docs/BENCHMARKS.md`, "Larger than memory".

use num_bigint::BigUint;

use super::format::BlockBuilder;
use super::merge::{MergedStates, Origin};
use super::{ExchangeError, SentBlock};
use crate::frontier::layer::Layer;
use crate::frontier::layout::{CloserChecks, Key, Layout, LayoutSketch};
use crate::frontier::states_left;
use crate::frontier::worker::{FrontierWorker, owner};
use crate::numbers::{hash, limbs};
use crate::portfolio::{Budget, Cut};

const CHUNK: usize = 4096;
/// Memory of a state in a worker's layers in addition to its key (bytes): a one-limb count and four
/// index slots.
const STATE_BYTES: usize = 8 + 4 * 4;
const BITS_OF_CLOSER: u32 = if cfg!(test) { 2 } else { 13 };
const SYMMETRY_WORK: u64 = 1 << 24;
/// Maximum number of states in the layers of a worker, because an index has 32-bit slots.
const STATES_MAX: usize = 1 << 30;

pub(crate) type SendBlock<'s> = dyn FnMut(SentBlock) -> Result<(), ExchangeError> + 's;

pub(crate) trait LaidOut: std::fmt::Debug + Send + Sync {
    fn step_count(&self) -> usize;

    fn bits(&self, step: usize) -> u32;

    fn key_bytes(&self) -> KeyBytes;

    fn start(&self) -> Option<(usize, Vec<u8>)>;

    /// Estimates the number of states from `step` to the end, given the state counts at the earlier
    /// steps.
    fn states_left(&self, seen: &[u64], step: usize) -> f64;

    /// Expands states of `step` into blocks, and returns the number of expanded states. `lists` has
    /// one entry per key length. `names` maps a step of this part, or the step after the last, to
    /// its number in the plan.
    fn expand(
        &self,
        step: usize,
        lists: &mut [MergedStates<'_>],
        room: &Room,
        names: &dyn Fn(usize) -> u32,
        budget: &mut Budget<'_>,
        send: &mut SendBlock<'_>,
    ) -> Result<u64, ExchangeError>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KeyBytes {
    /// The length of all keys, or their smallest length if lengths differ (bytes).
    pub(crate) least: usize,
    pub(crate) is_open: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    pub(crate) owners: u32,
    pub(crate) bytes: usize,
    pub(crate) block_bytes: usize,
}

/// Lays out a part as steps with keys. Adds closer checks for dead ends to the steps that may have
/// many states, and tables that merge symmetric states. Returns `None` if the part has no cover.
pub(crate) fn laid_out(
    sketch: LayoutSketch<'_>,
    budget: &mut Budget<'_>,
) -> Result<Option<Box<dyn LaidOut>>, Cut> {
    fn of<const K: usize>(
        sketch: LayoutSketch<'_>,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Box<dyn LaidOut>>, Cut> {
        let key_bytes = sketch.width().div_ceil(8);
        let Some(mut layout) = sketch.layout::<K>(budget)? else { return Ok(None) };
        let mut closer = CloserChecks::new(sketch);
        for step in 0..layout.step_count() {
            if layout.widths()[step] < BITS_OF_CLOSER {
                continue;
            }
            let work = closer.add(&mut layout, step, budget.bytes);
            budget.spend(work)?;
        }
        closer
            .sketch()
            .add_alike(&mut layout, SYMMETRY_WORK, budget.bytes, budget.limits())
            .map_err(Cut::Limit)?;
        budget.spend(SYMMETRY_WORK)?;
        Ok(Some(Box::new(OfWords { layout, key_bytes })))
    }
    match sketch.width().div_ceil(64) {
        0..=1 => of::<1>(sketch, budget),
        2 => of::<2>(sketch, budget),
        3..=4 => of::<4>(sketch, budget),
        _ => of::<{ crate::frontier::WORDS_MAX }>(sketch, budget),
    }
}

#[derive(Debug)]
struct OfWords<const K: usize> {
    layout: Layout<K>,
    key_bytes: usize,
}

impl<const K: usize> OfWords<K> {
    #[inline]
    fn write(&self, key: &Key<K>, bytes: &mut [u8]) {
        for (word, bytes) in key.iter().zip(bytes.chunks_mut(8)) {
            bytes.copy_from_slice(&word.to_be_bytes()[8 - bytes.len()..]);
        }
    }

    #[inline]
    fn read(bytes: &[u8]) -> Key<K> {
        let mut key = [0; K];
        for (word, bytes) in key.iter_mut().zip(bytes.chunks(8)) {
            *word = super::fingerprint::big(bytes);
        }
        key
    }

    fn send_all(
        &self,
        worker: &mut FrontierWorker<K>,
        origin: &Origin,
        room: &Room,
        names: &dyn Fn(usize) -> u32,
        send: &mut SendBlock<'_>,
    ) -> Result<(), ExchangeError> {
        worker.spare.clear();
        let limbs = worker.found.len();
        for step in worker.step + 1..=worker.last {
            let mut layer = std::mem::take(&mut worker.layers[step]);
            if layer.len() == 0 {
                continue;
            }
            layer.forget_index();
            self.send_layer(&layer, limbs, (names(step), origin), room, send)?;
        }
        worker.last = worker.step;
        Ok(())
    }

    /// Sends the states of a layer as blocks, sorted by owner and key.
    fn send_layer(
        &self,
        layer: &Layer<K>,
        limbs: usize,
        (step, origin): (u32, &Origin),
        room: &Room,
        send: &mut SendBlock<'_>,
    ) -> Result<(), ExchangeError> {
        let entry = |place: usize| {
            let key = layer.key(place);
            (owner(hash(key), room.owners as usize) as u32, place as u32, key[0])
        };
        let mut order: Vec<(u32, u32, u64)> = (0..layer.len()).map(entry).collect();
        order.sort_unstable_by(|one, other| {
            let by_first = (one.0, one.2).cmp(&(other.0, other.2));
            if K == 1 {
                return by_first;
            }
            by_first.then_with(|| layer.key(one.1 as usize).cmp(layer.key(other.1 as usize)))
        });
        let mut bytes = vec![0; self.key_bytes];
        let mut block = BlockBuilder::new();
        for states in order.chunk_by(|one, other| one.0 == other.0) {
            let owner = states[0].0;
            for &(_, place, _) in states {
                self.write(layer.key(place as usize), &mut bytes);
                block.push(&bytes, layer.count(place as usize, limbs));
                if block.block_bytes() >= room.block_bytes {
                    send(block.finish(&origin.digest, step, owner))?;
                }
            }
            if !block.is_empty() {
                send(block.finish(&origin.digest, step, owner))?;
            }
            block.begin();
        }
        Ok(())
    }
}

impl<const K: usize> LaidOut for OfWords<K> {
    fn step_count(&self) -> usize {
        self.layout.step_count()
    }

    fn bits(&self, step: usize) -> u32 {
        self.layout.widths()[step]
    }

    fn key_bytes(&self) -> KeyBytes {
        KeyBytes { least: self.key_bytes, is_open: false }
    }

    fn states_left(&self, seen: &[u64], step: usize) -> f64 {
        states_left(self.layout.widths(), seen, step)
    }

    fn start(&self) -> Option<(usize, Vec<u8>)> {
        let (step, key) = self.layout.start()?;
        let mut bytes = vec![0; self.key_bytes];
        if step < self.layout.step_count() {
            self.write(&key, &mut bytes);
        }
        Some((step, bytes))
    }

    fn expand(
        &self,
        step: usize,
        lists: &mut [MergedStates<'_>],
        room: &Room,
        names: &dyn Fn(usize) -> u32,
        budget: &mut Budget<'_>,
        send: &mut SendBlock<'_>,
    ) -> Result<u64, ExchangeError> {
        let [states] = lists else { return Ok(0) };
        let layout = &self.layout;
        let origin = *states.origin();
        let mut worker = FrontierWorker::<K>::new(layout.step_count(), 1, 0, 0, 1);
        (worker.step, worker.last) = (step, step);
        let reached = (layout.choices(step).len() + 1) * (size_of::<Key<K>>() + STATE_BYTES);
        let chunk = (room.bytes / 16 / reached).clamp(1, CHUNK);
        let weight = layout.step(step).weight;
        let mut bound = BigUint::ZERO;
        let mut count = 0;
        loop {
            worker.source.clear();
            worker.next = 0;
            while worker.source.len() < chunk && states.advance()? {
                while states.number().len() > worker.found.len() {
                    worker.widen();
                }
                let key = Self::read(states.key());
                worker.source.push(&key, states.number(), worker.found.len());
            }
            if worker.source.len() == 0 {
                break;
            }
            let limbs = worker.found.len();
            bound += limbs::sum(worker.source.counts(), limbs) * weight;
            while bound.bits() > 64 * worker.found.len() as u64 {
                worker.widen();
            }
            let before = worker.done;
            worker.expand(layout, step, worker.source.len());
            let done = worker.done - before;
            count += done.states;
            budget.spend(done.work(K))?;
            if worker.bytes() > room.bytes / 4 || worker.states() > STATES_MAX {
                self.send_all(&mut worker, &origin, room, names, send)?;
                bound = limbs::value(&worker.found);
            }
        }
        self.send_all(&mut worker, &origin, room, names, send)?;
        if worker.found.iter().any(|&limb| limb > 0) {
            let mut block = BlockBuilder::new();
            block.push(&vec![0; self.key_bytes], &worker.found);
            send(block.finish(&origin.digest, names(layout.step_count()), 0))?;
        }
        Ok(count)
    }
}
