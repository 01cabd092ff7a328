//! The states that belong to one worker, and how it expands them.
//!
//! A worker alone looks up at once each state that it reaches. With several workers the hash of a state says which of
//! them owns it. Each expands its own states, looks up at once what it reaches of its own, and sends the rest to the
//! owners in blocks (`exchange.rs`), which look them up between two blocks of their own. So no state is ever touched by
//! two workers, and a lock is taken only for a block.

use std::ops::Range;
use std::time::Duration;

use super::exchange::Inboxes;
use super::layer::{Layer, hash};
use super::layout::{Key, Layout};
use super::paying::PayingLooks;
use crate::numbers::limbs;

/// States that are looked up together, so that their waits for memory overlap.
const BATCH: usize = 64;
/// States of which a worker beside others expands so many between two looks at what was sent to it, and from which on a
/// box is sent.
const BLOCK: usize = if cfg!(test) { 3 } else { 512 };
/// As many words of a table of options left take as long as an option of a look.
const NARROW_SHARE: usize = 16;

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
    pub(super) done: Done,
    /// The looks for each 64 choices that pay, or may; as many as were needed so far.
    looks: Vec<PayingLooks>,
    /// How often narrowing a state at each step changed it or showed a dead end.
    narrowed: Vec<DeadEndRate>,
    batch: Vec<Pending<K>>,
    /// Layers whose memory is free.
    pub(super) spare: Vec<Layer<K>>,
    /// Its place among the workers.
    place: usize,
    /// The states that were reached, by owner; empty for a worker alone.
    boxes: Vec<Vec<Reached<K>>>,
    /// Boxes of others that were emptied.
    empty: Vec<Vec<Reached<K>>>,
    /// How long it waited for others.
    pub(super) waited: Duration,
}

/// What a worker has done.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Done {
    /// The states that it expanded.
    pub(super) states: u64,
    /// How often an option was tried on a state.
    pub(super) tries: u64,
    /// How many states it looked up, new ones and others.
    reached: u64,
    /// How many words of tables of options left it went through.
    narrowing: u64,
    /// How many fields and options it went through in looks.
    tests: u64,
}

impl Done {
    /// Returns about how many nanoseconds that took with keys of `words` words.
    ///
    /// The factors are those that fit 120 counts of the suite of benches best: half of them within a third. States and
    /// tries alone are off by a factor of three, and for wide keys with many choices by fifteen.
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

/// How often a state was narrowed, and how often that changed it or showed a dead end.
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
pub(crate) fn owner(hash: u64, count: usize) -> usize {
    (((hash & u64::from(u32::MAX)) * count as u64) >> 32) as usize
}

impl<const K: usize> Worker<K> {
    /// Makes the worker at `place` of `count`.
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

    /// Adds a state with its number.
    pub(super) fn add(&mut self, step: usize, key: &Key<K>, count: &[u64]) {
        self.last = self.last.max(step);
        self.layers[step].add(hash(key), key, count, 1, self.modulus);
    }

    /// Expands `count` states of the current step, from the next one on.
    pub(super) fn expand(&mut self, layout: &Layout<K>, step: usize, count: usize) {
        let source = std::mem::take(&mut self.source);
        self.expand_from(&source, layout, step, count);
        self.flush(&source);
        self.source = source;
    }

    /// Expands states of the current step, which are in `source`; states of other workers stay in their boxes.
    fn expand_from(&mut self, source: &Layer<K>, layout: &Layout<K>, step: usize, count: usize) {
        let end = source.len().min(self.next + count);
        let choices = layout.choices(step);
        let words = layout.step(step).words.clone();
        self.looks.resize(self.looks.len().max(words.end as usize), PayingLooks::default());
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

    /// Expands `count` states of the current step beside the other workers; the states of the step of each are in
    /// `sources`. It is over when all that have begun are done and it has looked up what they sent.
    pub(super) fn expand_beside(
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

    /// Looks up what was sent after the worker was over.
    pub(super) fn take_in_rest(&mut self, sources: &[Layer<K>], exchange: &Inboxes<K>) {
        while let Some((sender, block)) = exchange.received(self.place) {
            self.take_in(block, &sources[sender]);
        }
    }

    /// Expands all states of the current step on one thread: each worker what it owns, then what was sent to it.
    pub(super) fn expand_in_turn(
        workers: &mut [Self],
        layout: &Layout<K>,
        step: usize,
        sources: &[Layer<K>],
    ) {
        for (sender, source) in sources.iter().enumerate() {
            workers[sender].expand_from(source, layout, step, source.len());
            workers[sender].flush(source);
            for owner in (0..workers.len()).filter(|&owner| owner != sender) {
                let block = std::mem::take(&mut workers[sender].boxes[owner]);
                workers[owner].take_in(block, source);
                let block = workers[owner].empty.pop().unwrap_or_default();
                workers[sender].boxes[owner] = block;
            }
        }
    }

    /// Forgets which looks for choices of these numbers pay: they are others now.
    pub(super) fn look_anew(&mut self, choices: Range<u32>) {
        let choices = self.looks.iter_mut().take(choices.end as usize).skip(choices.start as usize);
        choices.for_each(|looks| *looks = PayingLooks::default());
    }

    /// Notes a state that was reached, unless its options left show that it has no completion.
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
        let (step, key) = layout.for_all_alike(self.step, step, key);
        let (step, source_place, hash) = (step as u32, place as u32, hash(&key));
        if !self.boxes.is_empty() {
            let owner = owner(hash, self.boxes.len());
            if owner != self.place {
                return self.boxes[owner].push(Reached { step, source: source_place, key, weight });
            }
        }
        self.batch.push(Pending { step, source: source_place, key, hash, weight });
        if self.batch.len() == BATCH {
            self.flush(source);
        }
    }

    /// Looks up the states that another worker reached from those in `source`.
    fn take_in(&mut self, mut reached: Vec<Reached<K>>, source: &Layer<K>) {
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
        reached.clear();
        self.empty.push(reached);
    }

    /// Looks up the states of the batch: reads all slots first, then all keys, and makes the changes last.
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
        let boxes = self
            .boxes
            .iter()
            .chain(&self.empty)
            .map(|reached| reached.capacity() * size_of::<Reached<K>>());
        self.live().chain(&self.spare).map(Layer::bytes).sum::<usize>() + boxes.sum::<usize>()
    }

    fn live(&self) -> impl Iterator<Item = &Layer<K>> {
        self.layers[self.step..=self.last].iter().chain([&self.source])
    }
}
