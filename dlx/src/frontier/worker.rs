//! The states that belong to one worker, and how it expands them.
//!
//! A worker alone looks up at once each state that it reaches. With several workers the hash of a state says which of
//! them owns it: first all expand states of their own and sort the states they reach by owner, then each looks up
//! those that it owns. So no state is ever touched by two workers, and nothing is locked.

use super::layer::{Layer, hash};
use super::layout::{Key, Layout};
use crate::numbers::limbs;

/// States that are looked up together, so that their waits for memory overlap.
const BATCH: usize = 64;
/// The most items that are looked at in a step.
const LOOKS_MAX: usize = 8;

/// States, and the covers found.
#[derive(Debug)]
pub(super) struct Worker<const K: usize> {
    /// The states at each step, from the current one to the last that was reached.
    pub(super) layers: Vec<Layer<K>>,
    pub(super) step: usize,
    pub(super) last: usize,
    /// The states of the current step, and the place of the next one to expand.
    pub(super) source: Layer<K>,
    pub(super) next: usize,
    /// The covers found.
    pub(super) found: Vec<u64>,
    /// The prime modulo which numbers are kept, or 0.
    modulus: u64,
    /// How often an option was tried.
    pub(super) tries: u64,
    looks: Vec<[DeadEndRate; LOOKS_MAX]>,
    batch: Vec<Pending<K>>,
    /// Layers whose memory is free.
    pub(super) spare: Vec<Layer<K>>,
    /// The states that were reached, by owner; empty for a worker alone.
    pub(super) boxes: Vec<Vec<Reached<K>>>,
}

/// How often an item was looked at, and had no option left.
#[derive(Clone, Copy, Debug, Default)]
struct DeadEndRate {
    tries: u32,
    hits: u32,
}

impl DeadEndRate {
    /// Number of states after which a look is judged.
    const TRIAL: u32 = 256;

    /// Tells whether a look through `size` options pays: a state costs as much as several options.
    #[inline]
    fn pays(self, size: usize) -> bool {
        self.tries < Self::TRIAL || u64::from(self.hits) * 32 >= u64::from(Self::TRIAL) * size as u64
    }
}

/// A state to be looked up, reached from the one at place `source` of the current step.
#[derive(Debug)]
struct Pending<const K: usize> {
    step: u32,
    source: u32,
    key: Key<K>,
    hash: u64,
    weight: u64,
}

/// A state of another worker, reached from the one at place `source` of this worker's current step.
#[derive(Debug)]
pub(super) struct Reached<const K: usize> {
    step: u32,
    source: u32,
    key: Key<K>,
    weight: u64,
}

/// Returns which of `count` workers owns a state with that hash, by other bits than those of the slots.
#[inline]
pub(super) fn owner(hash: u64, count: usize) -> usize {
    (((hash & u64::from(u32::MAX)) * count as u64) >> 32) as usize
}

impl<const K: usize> Worker<K> {
    pub(super) fn new(step_count: usize, limbs: usize, modulus: u64) -> Self {
        Self {
            layers: (0..step_count).map(|_| Layer::default()).collect(),
            step: 0,
            last: 0,
            source: Layer::default(),
            next: 0,
            found: vec![0; limbs],
            modulus,
            tries: 0,
            looks: vec![[DeadEndRate::default(); LOOKS_MAX]; step_count],
            batch: Vec::with_capacity(BATCH),
            spare: Vec::new(),
            boxes: Vec::new(),
        }
    }

    /// Adds a state with its number.
    pub(super) fn add(&mut self, step: usize, key: &Key<K>, count: &[u64]) {
        self.last = self.last.max(step);
        self.layers[step].add(hash(key), key, count, 1, self.modulus);
    }

    /// Expands `count` states of the current step, from the next one on.
    pub(super) fn expand(&mut self, layout: &Layout<K>, step: usize, count: usize) {
        let source = std::mem::take(&mut self.source);
        let end = source.len().min(self.next + count);
        let choices = layout.choices(step);
        for place in self.next..end {
            layout.each(step, source.key(place), |index, step, key| {
                let weight = index.map_or(1, |index| choices[index].weight);
                self.reach(layout, &source, place, step, key, weight);
            });
        }
        self.flush(&source);
        self.tries += (choices.len() * (end - self.next)) as u64;
        self.next = end;
        self.source = source;
    }

    /// Notes a state that was reached, unless it is seen to have no completion.
    #[inline]
    fn reach(
        &mut self,
        layout: &Layout<K>,
        source: &Layer<K>,
        place: usize,
        step: usize,
        key: Key<K>,
        weight: u64,
    ) {
        if step == self.layers.len() {
            let count = source.count(place, self.found.len());
            return limbs::add(&mut self.found, count, weight, self.modulus);
        }
        for index in 0..layout.look_count(step) {
            let look = &mut self.looks[step][index];
            if look.pays(layout.look_size(step, index)) {
                let is_trial = look.tries < DeadEndRate::TRIAL;
                look.tries += u32::from(is_trial);
                if layout.is_hopeless(step, index, &key) {
                    look.hits += u32::from(is_trial);
                    return;
                }
            }
        }
        let (step, source_place, hash) = (step as u32, place as u32, hash(&key));
        if !self.boxes.is_empty() {
            let owner = owner(hash, self.boxes.len());
            return self.boxes[owner].push(Reached { step, source: source_place, key, weight });
        }
        self.batch.push(Pending { step, source: source_place, key, hash, weight });
        if self.batch.len() == BATCH {
            self.flush(source);
        }
    }

    /// Looks up the states that another worker reached from those in `source`.
    pub(super) fn take_in(&mut self, reached: &[Reached<K>], source: &Layer<K>) {
        for chunk in reached.chunks(BATCH) {
            self.batch.extend(chunk.iter().map(|&Reached { step, source, key, weight }| Pending {
                step,
                source,
                key,
                hash: hash(&key),
                weight,
            }));
            self.flush(source);
        }
    }

    /// Looks up the states of the batch: reads all slots first, then all keys, and makes the changes last.
    fn flush(&mut self, source: &Layer<K>) {
        let mut places = [None; BATCH];
        for (pending, place) in self.batch.iter().zip(&mut places) {
            let layer = &self.layers[pending.step as usize];
            *place = layer.first_at(layer.slot(pending.hash));
        }
        for (pending, place) in self.batch.iter().zip(&mut places) {
            let layer = &self.layers[pending.step as usize];
            *place = place.filter(|&place| *layer.key(place) == pending.key);
        }
        let limbs = self.found.len();
        for (pending, place) in self.batch.drain(..).zip(places) {
            let count = source.count(pending.source as usize, limbs);
            let layer = &mut self.layers[pending.step as usize];
            if let Some(place) = place {
                layer.add_at(place, count, pending.weight, self.modulus);
            } else {
                if layer.is_bare() {
                    *layer = self.spare.pop().unwrap_or_default();
                    self.last = self.last.max(pending.step as usize);
                }
                layer.add(pending.hash, &pending.key, count, pending.weight, self.modulus);
            }
        }
    }

    /// Takes the states of a step, to expand them.
    pub(super) fn begin(&mut self, step: usize) {
        self.source = std::mem::take(&mut self.layers[step]);
        (self.step, self.next) = (step, 0);
        self.last = self.last.max(step);
    }

    /// Forgets the states of the current step.
    pub(super) fn end(&mut self) {
        let mut source = std::mem::take(&mut self.source);
        source.clear();
        self.spare.push(source);
    }

    /// Returns the number of states that it holds, including those of the current step that were expanded.
    pub(super) fn states(&self) -> usize {
        self.live().map(Layer::len).sum()
    }

    /// Returns the sum of all numbers except those of the current step.
    pub(super) fn sum(&self) -> num_bigint::BigUint {
        let limbs = self.found.len();
        let live =
            self.layers[self.step..=self.last].iter().map(|layer| limbs::sum(layer.counts(), limbs));
        live.sum::<num_bigint::BigUint>() + limbs::value(&self.found)
    }

    /// Gives each number a limb more.
    pub(super) fn widen(&mut self) {
        let limbs = self.found.len();
        let layers = self.layers[self.step..=self.last].iter_mut().chain([&mut self.source]);
        layers.for_each(|layer| layer.widen(limbs));
        self.found.push(0);
    }

    /// Returns the bytes that it holds.
    pub(super) fn bytes(&self) -> usize {
        let boxes = self.boxes.iter().map(|reached| reached.capacity() * size_of::<Reached<K>>());
        self.live().chain(&self.spare).map(Layer::bytes).sum::<usize>() + boxes.sum::<usize>()
    }

    fn live(&self) -> impl Iterator<Item = &Layer<K>> {
        self.layers[self.step..=self.last].iter().chain([&self.source])
    }
}
