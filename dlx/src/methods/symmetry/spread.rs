//! Counts by layers on many machines, which exchange subproblems (`layers.rs`) as blocks of bytes.
//!
//! # Method
//! Each size has two steps. In the first step, pending subproblems are sets of items. The hash of
//! the set determines the owner, which adds up how many ways lead to the set. The owner computes
//! the canonical form, and sends set and form to the owner of the form. In the second step, that
//! owner adds up how many ways lead to all subproblems with this form, and expands the subproblem
//! with the smallest set. The resulting subproblems become pending at the first step of a smaller
//! size. So each canonical form is computed and expanded once over all machines.
//!
//! A subproblem is encoded like a state of a frontier (`frontier/blocks`). The key is the bytes of
//! the set of items; in the second step, the words of the canonical form precede them. All keys of
//! a block have the same length, so canonical forms are padded with zeros to a few distinct
//! lengths.
//!
//! # Invariants
//! - Canonical forms are compared in full. Equal input blocks and equal memory give equal output
//!   bytes, because the memos for components are empty at the start of each expansion step.
//! - The total count is the number of covers found plus, for each pending subproblem, its number of
//!   covers times the number of ways to reach it.
//!
//! # Bounds
//! Results are sent when they take a quarter of the memory, and the memos for components take an
//! eighth. The expansion of a subproblem has at most 2^14 steps (`layers.rs`).

use std::cell::RefCell;
use std::mem;

use super::layers::LayerWorker;
use super::number::CoverCount;
use super::word_table::{BYTES_PER_ENTRY, WordTable, hash};
use super::{Ground, Symmetry};
use crate::frontier::blocks::{
    BlockBuilder, ExchangeError, KeyBytes, LaidOut, MergedStates, Origin, Room, SendBlock, owner,
};
use crate::parallel::Cores;
use crate::portfolio::Budget;
use crate::prepare::Weighted;

const BYTES_PER_PROBLEM: usize = BYTES_PER_ENTRY + 32;
const LENGTH_BITS: u32 = 2;

/// Canonical forms, each with the items of one subproblem and the number of ways to reach all
/// subproblems with this form.
type FormTable = WordTable<(Vec<u64>, CoverCount)>;

/// A part divided into steps: two steps per size (number of remaining primary items), the largest
/// size first.
#[derive(Debug)]
pub(crate) struct FormLayers {
    ground: Ground,
    pays: Vec<bool>,
    size: usize,
}

struct Way<'w, 's> {
    origin: Origin,
    room: &'w Room,
    names: &'w dyn Fn(usize) -> u32,
    send: &'w mut SendBlock<'s>,
}

impl FormLayers {
    /// Prepares a part. `sizes` has a digit for each size: 1 if subproblems become pending there,
    /// otherwise 0. If `sizes` is empty, subproblems become pending at all sizes.
    pub(crate) fn new(
        part: &Weighted,
        sizes: &str,
        budget: &mut Budget<'_>,
    ) -> Result<Self, ExchangeError> {
        let ground = Symmetry::of_likeness(0.0, part, &Cores::new(0), budget)?.ground;
        let primaries = ground.tables.primaries.iter();
        let size = primaries.map(|word| word.count_ones() as usize).sum();
        let pays = match sizes {
            "" => vec![true; ground.tables.item_count + 1],
            sizes => sizes.bytes().map(|digit| digit == b'1').collect::<Vec<_>>(),
        };
        if pays.len() <= size || sizes.bytes().any(|digit| !matches!(digit, b'0' | b'1')) {
            return Err(ExchangeError::Block(format!(
                "expected sizes as at least {} digits 0 or 1, found `{sizes}`",
                size + 1
            )));
        }
        Ok(Self { ground, pays, size })
    }

    /// Returns the step where subproblems with `size` primary items wait for the computation of
    /// their canonical forms.
    fn step_of(&self, size: usize) -> usize {
        2 * (self.size - size)
    }

    fn set_bytes(&self) -> usize {
        8 * self.ground.tables.word_count
    }

    fn make_forms(
        &self,
        step: usize,
        states: &mut MergedStates<'_>,
        budget: &mut Budget<'_>,
        way: &mut Way<'_, '_>,
    ) -> Result<u64, ExchangeError> {
        let mut worker = LayerWorker::new(&self.ground);
        let mut forms = FormTable::default();
        let (mut count, mut bytes) = (0, 0);
        while states.advance()? {
            count += 1;
            let set = words(states.key());
            let ways = CoverCount::from_limbs(states.number());
            let (form, work) = worker.form_of(&self.ground, &set);
            let words = form.len() + set.len();
            let ((_, sum), is_new) = forms.enter(form, || (set, CoverCount::ZERO));
            sum.add(&ways);
            if is_new {
                bytes += BYTES_PER_PROBLEM + 8 * words + ways.heap_bytes();
            }
            budget.spend(work)?;
            if bytes > way.room.bytes / 4 {
                bytes = 0;
                way.send_all(step + 1, mem::take(&mut forms).iter().map(with_form))?;
            }
        }
        way.send_all(step + 1, forms.iter().map(with_form))?;
        Ok(count)
    }

    fn expand_forms(
        &self,
        lists: &mut [MergedStates<'_>],
        budget: &mut Budget<'_>,
        way: &mut Way<'_, '_>,
    ) -> Result<u64, ExchangeError> {
        let ground = self.ground.afresh(way.room.bytes / 8);
        let mut expansion = Expansion {
            layers: self,
            worker: LayerWorker::new(&ground),
            ground: &ground,
            found: RefCell::default(),
        };
        let mut count = 0;
        for states in lists {
            let mut open: Option<(Vec<u8>, Vec<u64>, CoverCount)> = None;
            while states.advance()? {
                count += 1;
                let (form, set) = states.key().split_at(states.key().len() - self.set_bytes());
                let ways = CoverCount::from_limbs(states.number());
                match &mut open {
                    Some((known, _, sum)) if known == form => sum.add(&ways),
                    _ => {
                        if let Some((_, set, ways)) = open.replace((form.to_vec(), words(set), ways)) {
                            expansion.expand(&set, &ways, budget, way)?;
                        }
                    }
                }
            }
            if let Some((_, set, ways)) = open {
                expansion.expand(&set, &ways, budget, way)?;
            }
        }
        expansion.send_all(way)?;
        let covers = expansion.worker.covers();
        if !covers.is_zero() {
            let mut block = BlockBuilder::new();
            block.push(&vec![0; self.set_bytes()], &covers.limbs());
            let end = (way.names)(self.step_count());
            (way.send)(block.finish(&way.origin.digest, end, 0))?;
        }
        Ok(count)
    }
}

impl LaidOut for FormLayers {
    fn step_count(&self) -> usize {
        2 * self.size
    }

    fn bits(&self, _: usize) -> u32 {
        8 * self.set_bytes() as u32
    }

    fn key_bytes(&self) -> KeyBytes {
        KeyBytes { least: self.set_bytes(), is_open: true }
    }

    /// The whole part starts at the expansion step, because its canonical form is not needed.
    fn start(&self) -> Option<(usize, Vec<u8>)> {
        Some((self.step_count().min(1), bytes(&self.ground.tables.all_items()).collect()))
    }

    fn states_left(&self, seen: &[u64], step: usize) -> f64 {
        let seen = seen[..step].iter().sum::<u64>() as f64;
        seen * (self.step_count() - step) as f64 / step.max(1) as f64
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
        let Some(first) = lists.first() else { return Ok(0) };
        let mut way = Way { origin: *first.origin(), room, names, send };
        if step % 2 == 1 {
            return self.expand_forms(lists, budget, &mut way);
        }
        let mut count = 0;
        for states in lists {
            count += self.make_forms(step, states, budget, &mut way)?;
        }
        Ok(count)
    }
}

struct Expansion<'e> {
    layers: &'e FormLayers,
    ground: &'e Ground,
    worker: LayerWorker,
    found: RefCell<Found>,
}

#[derive(Debug, Default)]
struct Found {
    sizes: Vec<WordTable<CoverCount>>,
    bytes: usize,
}

impl Found {
    fn wait(&mut self, set: &[u64], size: usize, ways: &CoverCount) {
        if self.sizes.len() <= size {
            self.sizes.resize_with(size + 1, WordTable::default);
        }
        let (sum, is_new) = self.sizes[size].enter(set, || CoverCount::ZERO);
        sum.add(ways);
        if is_new {
            self.bytes += BYTES_PER_PROBLEM + 8 * set.len() + ways.heap_bytes();
        }
    }
}

impl Expansion<'_> {
    fn expand(
        &mut self,
        set: &[u64],
        ways: &CoverCount,
        budget: &mut Budget<'_>,
        way: &mut Way<'_, '_>,
    ) -> Result<(), ExchangeError> {
        let Self { layers, ground, worker, found } = self;
        let wait = |set: &[u64], size: usize, ways: &CoverCount| {
            found.borrow_mut().wait(set, size, ways);
        };
        let work = worker.expand(ground, (set, ways), &layers.pays, &wait);
        budget.spend(work)?;
        if found.borrow().bytes > way.room.bytes / 4 {
            self.send_all(way)?;
        }
        Ok(())
    }

    fn send_all(&mut self, way: &mut Way<'_, '_>) -> Result<(), ExchangeError> {
        let Found { sizes, .. } = self.found.take();
        for (size, table) in sizes.into_iter().enumerate() {
            let problems = table.iter();
            let problems =
                problems.map(|(set, ways)| (hash(set), bytes(set).collect::<Vec<_>>(), ways.clone()));
            way.send_all(self.layers.step_of(size.min(self.layers.size)), problems)?;
        }
        Ok(())
    }
}

impl Way<'_, '_> {
    fn send_all(
        &mut self,
        step: usize,
        problems: impl Iterator<Item = (u64, Vec<u8>, CoverCount)>,
    ) -> Result<(), ExchangeError> {
        let owners = self.room.owners as usize;
        let owned = |(hash, key, ways)| (owner(hash, owners) as u32, key, ways);
        let mut problems: Vec<(u32, Vec<u8>, CoverCount)> = problems.map(owned).collect();
        let place = |(owner, key, _): &(u32, Vec<u8>, CoverCount)| (*owner, key.len());
        problems.sort_unstable_by(|one, other| (place(one), &one.1).cmp(&(place(other), &other.1)));
        let step = (self.names)(step);
        for list in problems.chunk_by(|one, other| place(one) == place(other)) {
            let mut block = BlockBuilder::new();
            for (owner, key, ways) in list {
                block.push(key, &ways.limbs());
                if block.block_bytes() >= self.room.block_bytes {
                    (self.send)(block.finish(&self.origin.digest, step, *owner))?;
                }
            }
            if !block.is_empty() {
                (self.send)(block.finish(&self.origin.digest, step, list[0].0))?;
            }
        }
        Ok(())
    }
}

fn with_form((form, (set, ways)): (&[u64], &(Vec<u64>, CoverCount))) -> (u64, Vec<u8>, CoverCount) {
    let unit = form.len().checked_ilog2().map_or(0, |bits| 1 << bits.saturating_sub(LENGTH_BITS));
    let zeros = form.len().next_multiple_of(unit.max(1)) - form.len();
    let key = bytes(form).chain(std::iter::repeat_n(0, 8 * zeros)).chain(bytes(set));
    (hash(form), key.collect(), ways.clone())
}

fn bytes(words: &[u64]) -> impl Iterator<Item = u8> {
    words.iter().flat_map(|word| word.to_be_bytes())
}

fn words(bytes: &[u8]) -> Vec<u64> {
    bytes.as_chunks().0.iter().map(|word| u64::from_be_bytes(*word)).collect()
}
