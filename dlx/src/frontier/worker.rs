//! A worker of a frontier count: the states that it owns, and their expansion.
//!
//! The hash of a state determines the worker that owns it. Each worker expands its own states. A
//! worker looks up the reached states that it owns, and sends all others to their owners in blocks
//! (`exchange.rs`). So two workers never touch the same state, and locks are taken only per block.

use std::ops::Range;
use std::time::Duration;

use super::exchange::Inboxes;
use super::layer::Layer;
use super::layout::{Key, Layout};
use super::paying::UsefulChecks;
use crate::numbers::{hash, limbs};

const BATCH: usize = 64;
/// Number of states that one of several workers expands between two checks of its inbox; also the
/// number of states in a block sent to another worker.
const BLOCK: usize = if cfg!(test) { 3 } else { 512 };
/// Number of table words read by narrowing a state that take about the time of one option of a
/// check.
const NARROW_SHARE: usize = 16;

#[derive(Debug)]
pub(super) struct FrontierWorker<const K: usize> {
    /// The states at each step, from the current step to the last one reached.
    pub(super) layers: Vec<Layer<K>>,
    pub(super) step: usize,
    pub(super) last: usize,
    /// The states of the current step, and the index of the next state to expand.
    pub(super) source: Layer<K>,
    pub(super) next: usize,
    pub(super) found: Vec<u64>,
    modulus: u64,
    pub(super) done: Done,
    /// For each group of 64 choices, the dead-end checks that pay off.
    looks: Vec<UsefulChecks>,
    /// Per step, how often narrowing a state changed it or showed a dead end.
    narrowed: Vec<DeadEndRate>,
    batch: Vec<Pending<K>>,
    pub(super) spare: Vec<Layer<K>>,
    place: usize,
    /// The reached states of each other worker that are not sent yet; empty for a single worker.
    boxes: Vec<Vec<ReachedState<K>>>,
    empty: Vec<Vec<ReachedState<K>>>,
    pub(super) waited: Duration,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Done {
    pub(super) states: u64,
    pub(super) tries: u64,
    reached: u64,
    /// Number of table words read by narrowing states.
    narrowing: u64,
    /// Number of fields and options scanned by dead-end checks.
    tests: u64,
}

impl Done {
    /// Returns the estimated time in nanoseconds, for keys of `words` words. The factors are fitted
    /// to 120 counts of the benchmark suite.
    pub(super) fn work(self, words: usize) -> u64 {
        let look_up = 34 + 17 * words as u64;
        24 * self.states
            + 2 * self.tries / 5
            + look_up * self.reached
            + 4 * self.narrowing / 3
            + 2 * self.tests
    }

    fn map(self, other: Self, result: impl Fn(u64, u64) -> u64) -> Self {
        Self {
            states: result(self.states, other.states),
            tries: result(self.tries, other.tries),
            reached: result(self.reached, other.reached),
            narrowing: result(self.narrowing, other.narrowing),
            tests: result(self.tests, other.tests),
        }
    }
}

impl std::ops::Sub for Done {
    type Output = Self;

    fn sub(self, before: Self) -> Self {
        self.map(before, u64::wrapping_sub)
    }
}

impl std::iter::Sum for Done {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, done| sum.map(done, u64::wrapping_add))
    }
}

/// The number of narrowed states, and the number of them that changed or were dead ends.
#[derive(Clone, Copy, Debug, Default)]
struct DeadEndRate {
    tries: u32,
    hits: u32,
}

impl DeadEndRate {
    /// Number of narrowed states after which narrowing is judged at a step.
    const TRIAL: u32 = 256;

    /// Returns whether narrowing pays off if it takes the time of scanning `size` options.
    #[inline]
    fn pays(self, size: usize) -> bool {
        self.tries < Self::TRIAL || u64::from(self.hits) * 32 >= u64::from(Self::TRIAL) * size as u64
    }
}

/// A reached state that waits for its lookup. `source` is the index of its predecessor in the
/// current step.
#[derive(Debug)]
struct Pending<const K: usize> {
    step: u32,
    source: u32,
    key: Key<K>,
    hash: u64,
    weight: u64,
}

/// A reached state owned by another worker. `source` is the index of its predecessor in the current
/// step of the sending worker.
#[derive(Debug)]
pub(super) struct ReachedState<const K: usize> {
    step: u32,
    source: u32,
    key: Key<K>,
    weight: u64,
}

/// Returns the index of the worker, among `count` workers, that owns a state with this hash. Uses
/// the low bits of the hash, because hash tables use the high bits.
#[inline]
pub(crate) fn owner(hash: u64, count: usize) -> usize {
    (((hash & u64::from(u32::MAX)) * count as u64) >> 32) as usize
}

impl<const K: usize> FrontierWorker<K> {
    pub(super) fn new(
        step_count: usize,
        limbs: usize,
        modulus: u64,
        place: usize,
        count: usize,
    ) -> Self {
        Self {
            layers: (0..step_count).map(|_| Layer::default()).collect(),
            step: 0,
            last: 0,
            source: Layer::default(),
            next: 0,
            found: vec![0; limbs],
            modulus,
            done: Done::default(),
            looks: Vec::new(),
            narrowed: vec![DeadEndRate::default(); step_count],
            batch: Vec::with_capacity(BATCH),
            spare: Vec::new(),
            place,
            boxes: (0..if count > 1 { count } else { 0 }).map(|_| Vec::new()).collect(),
            empty: Vec::new(),
            waited: Duration::ZERO,
        }
    }

    pub(super) fn add(&mut self, step: usize, key: &Key<K>, count: &[u64]) {
        self.last = self.last.max(step);
        self.layers[step].add(hash(key), key, count, 1, self.modulus);
    }

    pub(super) fn expand(&mut self, layout: &Layout<K>, step: usize, count: usize) {
        let source = std::mem::take(&mut self.source);
        self.expand_from(&source, layout, step, count);
        self.flush(&source);
        self.source = source;
    }

    /// Expands the next `count` states of the current step, given in `source`. States owned by
    /// other workers are left in `boxes`.
    fn expand_from(&mut self, source: &Layer<K>, layout: &Layout<K>, step: usize, count: usize) {
        let end = source.len().min(self.next + count);
        let choices = layout.choices(step);
        let words = layout.step(step).words.clone();
        self.looks.resize(self.looks.len().max(words.end as usize), UsefulChecks::default());
        let mut looks = std::mem::take(&mut self.looks);
        let mut tests = 0;
        for place in self.next..end {
            let key = source.key(place);
            let dead_ends =
                |choices: usize, free| looks[choices].dead_ends(layout, choices, free, key, &mut tests);
            layout.each(step, key, dead_ends, |index, step, key| {
                let weight = index.map_or(1, |index| choices[index].weight);
                self.reach(layout, source, place, step, key, weight);
            });
        }
        self.looks = looks;
        self.done.tests += tests;
        let states = end - self.next;
        self.done.states += states as u64;
        self.done.tries += (choices.len() * states) as u64;
        self.next = end;
    }

    /// Expands `count` states of the current step while other threads do the same for the other
    /// workers. `sources` holds the states of the step for each worker. Returns once all registered
    /// workers have finished and all states they sent to this worker are looked up.
    pub(super) fn expand_concurrently(
        &mut self,
        layout: &Layout<K>,
        step: usize,
        count: usize,
        sources: &[Layer<K>],
        exchange: &Inboxes<K>,
    ) {
        let sending = exchange.begin();
        let end = sources[self.place].len().min(self.next + count);
        while self.next < end {
            let count = BLOCK.min(end - self.next);
            self.expand_from(&sources[self.place], layout, step, count);
            self.flush(&sources[self.place]);
            let is_last = self.next == end;
            for owner in 0..sources.len() {
                if owner != self.place && (is_last || self.boxes[owner].len() >= BLOCK) {
                    exchange.send(self.place, owner, std::mem::take(&mut self.boxes[owner]));
                    self.boxes[owner] = self.empty.pop().unwrap_or_default();
                }
            }
            while let Some((sender, block)) = exchange.received(self.place) {
                self.take_in(block, &sources[sender]);
            }
        }
        drop(sending);
        while let Some((sender, block)) = exchange.wait(self.place, &mut self.waited) {
            self.take_in(block, &sources[sender]);
        }
    }

    pub(super) fn take_in_rest(&mut self, sources: &[Layer<K>], exchange: &Inboxes<K>) {
        while let Some((sender, block)) = exchange.received(self.place) {
            self.take_in(block, &sources[sender]);
        }
    }

    /// Expands up to `count` states of each worker on one thread, worker by worker, and delivers
    /// the states to their owners.
    pub(super) fn expand_in_turn(
        workers: &mut [Self],
        layout: &Layout<K>,
        step: usize,
        count: usize,
        sources: &[Layer<K>],
    ) {
        for (sender, source) in sources.iter().enumerate() {
            workers[sender].expand_from(source, layout, step, count);
            workers[sender].flush(source);
            for owner in (0..workers.len()).filter(|&owner| owner != sender) {
                let block = std::mem::take(&mut workers[sender].boxes[owner]);
                workers[owner].take_in(block, source);
                let block = workers[owner].empty.pop().unwrap_or_default();
                workers[sender].boxes[owner] = block;
            }
        }
    }

    /// Clears the statistics of the checks of these groups of choices, after the checks were
    /// replaced.
    pub(super) fn look_anew(&mut self, choices: Range<u32>) {
        let choices = self.looks.iter_mut().take(choices.end as usize).skip(choices.start as usize);
        choices.for_each(|looks| *looks = UsefulChecks::default());
    }

    #[inline]
    fn reach(
        &mut self,
        layout: &Layout<K>,
        source: &Layer<K>,
        place: usize,
        step: usize,
        mut key: Key<K>,
        weight: u64,
    ) {
        if step == self.layers.len() {
            let count = source.count(place, self.found.len());
            return limbs::add(&mut self.found, count, weight, self.modulus);
        }
        let (size, rate) = (layout.narrow_size(step), &mut self.narrowed[step]);
        if size > 0 && rate.pays(size / NARROW_SHARE) {
            let is_trial = rate.tries < DeadEndRate::TRIAL;
            rate.tries += u32::from(is_trial);
            self.done.narrowing += size as u64;
            let narrowed = layout.narrow(step, &key);
            rate.hits += u32::from(is_trial && narrowed != Some(key));
            let Some(narrowed) = narrowed else { return };
            key = narrowed;
        }
        let (step, key) = layout.representative(self.step, step, key);
        let (step, source_place, hash) = (step as u32, place as u32, hash(&key));
        if !self.boxes.is_empty() {
            let owner = owner(hash, self.boxes.len());
            if owner != self.place {
                return self.boxes[owner].push(ReachedState {
                    step,
                    source: source_place,
                    key,
                    weight,
                });
            }
        }
        self.batch.push(Pending { step, source: source_place, key, hash, weight });
        if self.batch.len() == BATCH {
            self.flush(source);
        }
    }

    fn take_in(&mut self, mut reached: Vec<ReachedState<K>>, source: &Layer<K>) {
        for chunk in reached.chunks(BATCH) {
            self.batch.extend(chunk.iter().map(|&ReachedState { step, source, key, weight }| {
                Pending { step, source, key, hash: hash(&key), weight }
            }));
            self.flush(source);
        }
        reached.clear();
        self.empty.push(reached);
    }

    /// Looks up the states of the batch in three passes: reads the slots, then the keys, and
    /// finally adds the counts.
    fn flush(&mut self, source: &Layer<K>) {
        self.done.reached += self.batch.len() as u64;
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

    pub(super) fn begin(&mut self, step: usize) {
        self.source = std::mem::take(&mut self.layers[step]);
        (self.step, self.next) = (step, 0);
        self.last = self.last.max(step);
    }

    pub(super) fn end(&mut self) {
        let mut source = std::mem::take(&mut self.source);
        source.clear();
        self.spare.push(source);
    }

    pub(super) fn states(&self) -> usize {
        self.live().map(Layer::len).sum()
    }

    pub(super) fn sum(&self) -> num_bigint::BigUint {
        let limbs = self.found.len();
        let live =
            self.layers[self.step..=self.last].iter().map(|layer| limbs::sum(layer.counts(), limbs));
        live.sum::<num_bigint::BigUint>() + limbs::value(&self.found)
    }

    pub(super) fn widen(&mut self) {
        let limbs = self.found.len();
        let layers = self.layers[self.step..=self.last].iter_mut().chain([&mut self.source]);
        layers.for_each(|layer| layer.widen(limbs));
        self.found.push(0);
    }

    pub(super) fn bytes(&self) -> usize {
        let boxes = self
            .boxes
            .iter()
            .chain(&self.empty)
            .map(|reached| reached.capacity() * size_of::<ReachedState<K>>());
        self.live().chain(&self.spare).map(Layer::bytes).sum::<usize>() + boxes.sum::<usize>()
    }

    fn live(&self) -> impl Iterator<Item = &Layer<K>> {
        self.layers[self.step..=self.last].iter().chain([&self.source])
    }
}
