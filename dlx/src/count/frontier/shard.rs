//! The states of all steps, and how they are gone through.

use std::sync::Arc;

use num_bigint::BigUint;

use super::super::layout::{Key, Layout};
use super::super::order::FREEDOM;
use super::aside::Aside;
use super::layer::{Layer, hash};
use super::{Effort, Run, limbs};
use crate::count::{Cut, Watch};

/// States gone through between two looks at the watch.
const CHUNK: usize = 256;
/// States that are looked up together, so that memory is waited for once, not for each.
const BATCH: usize = 64;
/// The work of a state, and of an option that is tried with it.
const STATE_WORK: u64 = 20;
const TRY_WORK: u64 = 4;

/// A frontier with keys of `K` words.
#[derive(Debug)]
pub(super) struct Shard<const K: usize> {
    layout: Arc<Layout<K>>,
    /// The states at each step, from the one at hand to the last that was reached.
    layers: Vec<Layer<K>>,
    last: usize,
    /// The step at hand, and the place of its next state.
    step: usize,
    next: usize,
    /// The limbs of each number.
    limbs: usize,
    /// The covers found since states were last taken up again, and at least the sum of all numbers.
    found: Vec<u64>,
    bound: BigUint,
    /// The covers found before.
    total: BigUint,
    batch: Vec<Pending<K>>,
    looks: Vec<[Look; LOOKS_MAX]>,
    /// Layers whose memory is free.
    spare: Vec<Layer<K>>,
    /// States that come later, and those of them that come first.
    aside: Vec<Aside<K>>,
    effort: Effort,
    /// The states at each step so far.
    sizes: Vec<usize>,
}

/// Steps of late by which those to come are judged.
const WINDOW: usize = 12;
/// The most looks at a step.
const LOOKS_MAX: usize = 8;

/// How often an item was looked at, and had no option left.
#[derive(Clone, Copy, Debug, Default)]
struct Look {
    tries: u32,
    hits: u32,
}

impl Look {
    /// A look is judged after so many states.
    const TRIAL: u32 = 256;

    /// Tells whether it is worth to go through `size` options: a state costs some times what an option does.
    #[inline]
    fn pays(self, size: usize) -> bool {
        self.tries < Self::TRIAL || u64::from(self.hits) * 32 >= u64::from(Self::TRIAL) * size as u64
    }
}

/// A state that was reached, from the state at place `source` of the step at hand.
#[derive(Debug)]
struct Pending<const K: usize> {
    step: u32,
    source: u32,
    key: Key<K>,
    hash: u64,
    weight: u64,
}

impl<const K: usize> Shard<K> {
    pub(super) fn new(layout: Layout<K>) -> Self {
        let step_count = layout.step_count();
        let mut shard = Self {
            layers: (0..step_count).map(|_| Layer::default()).collect(),
            last: 0,
            step: 0,
            next: 0,
            limbs: 1,
            found: vec![0],
            bound: BigUint::from(1u32),
            total: BigUint::ZERO,
            batch: Vec::with_capacity(BATCH),
            looks: vec![[Look::default(); LOOKS_MAX]; step_count],
            spare: Vec::new(),
            aside: Vec::new(),
            effort: Effort { step_count, width: layout.width(), ..Effort::default() },
            sizes: vec![0; step_count],
            layout: Arc::new(layout),
        };
        match shard.layout.start() {
            Some((step, key)) if step < step_count => {
                shard.layers[step].add(hash(&key), &key, &[1], 1);
                (shard.step, shard.last) = (step, step);
            }
            // There is nothing to decide.
            Some((step, _)) => (shard.step, shard.found[0]) = (step, 1),
            None => shard.step = step_count,
        }
        shard
    }

    /// Goes through the states of the step at hand, from the next one on.
    fn expand(&mut self, watch: &mut Watch<'_>) -> Result<(), Cut> {
        let layout = Arc::clone(&self.layout);
        let mut source = std::mem::take(&mut self.layers[self.step]);
        if self.next == 0 {
            self.sizes[self.step] = source.len();
            self.make_room(&mut source);
        }
        let mut result = Ok(());
        while self.next < source.len() && result.is_ok() {
            let end = source.len().min(self.next + CHUNK);
            let (states, tries) = (self.effort.states, self.effort.tries);
            for place in self.next..end {
                self.expand_state(&layout, &source, place);
            }
            self.flush(&source);
            self.effort.states += (end - self.next) as u64;
            self.next = end;
            let (states, tries) = (self.effort.states - states, self.effort.tries - tries);
            result = watch.spend(STATE_WORK * states + TRY_WORK * tries);
            if result.is_ok() && source.bytes() + self.bytes() > self.room(watch) {
                self.spare.clear();
                result = Err(Cut::Memory);
            }
        }
        if self.next < source.len() {
            self.layers[self.step] = source;
        } else {
            source.clear();
            self.spare.push(source);
            self.step += 1;
            self.next = 0;
        }
        result
    }

    /// Goes on from a state in all ways.
    #[inline]
    fn expand_state(&mut self, layout: &Layout<K>, source: &Layer<K>, place: usize) {
        let choices = layout.choices(self.step);
        layout.each(self.step, source.key(place), |index, step, key| {
            let weight = index.map_or(1, |index| choices[index].weight);
            self.reach(layout, source, place, step, key, weight);
        });
        self.effort.tries += choices.len() as u64;
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
            return limbs::add(&mut self.found, source.count(place, self.limbs), weight);
        }
        for index in 0..layout.look_count(step) {
            let look = &mut self.looks[step][index];
            if look.pays(layout.look_size(step, index)) {
                let is_trial = look.tries < Look::TRIAL;
                look.tries += u32::from(is_trial);
                if layout.is_hopeless(step, index, &key) {
                    look.hits += u32::from(is_trial);
                    return;
                }
            }
        }
        let (step, source_place) = (step as u32, place as u32);
        self.batch.push(Pending { step, source: source_place, key, hash: hash(&key), weight });
        if self.batch.len() == BATCH {
            self.flush(source);
        }
    }

    /// Looks up the states of the batch: first all slots, then all keys, then come the changes.
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
        for (pending, place) in self.batch.drain(..).zip(places) {
            let count = source.count(pending.source as usize, self.limbs);
            let layer = &mut self.layers[pending.step as usize];
            if let Some(place) = place {
                layer.add_at(place, count, pending.weight);
            } else {
                if layer.is_bare() {
                    *layer = self.spare.pop().unwrap_or_default();
                    self.last = self.last.max(pending.step as usize);
                }
                layer.add(pending.hash, &pending.key, count, pending.weight);
            }
        }
    }

    /// Sees to it that no sum of numbers can wrap in the step at hand, whose states are `source`.
    fn make_room(&mut self, source: &mut Layer<K>) {
        self.effort.states_max = self.effort.states_max.max(self.states_now() + source.len());
        let sum = limbs::sum(source.counts(), self.limbs);
        let more = &sum * self.layout.step(self.step).weight;
        self.bound -= sum;
        self.bound += &more;
        if self.bound.bits() <= 64 * self.limbs as u64 {
            return;
        }
        let others = self.layers[self.step..=self.last].iter();
        let others: BigUint = others.map(|layer| limbs::sum(layer.counts(), self.limbs)).sum();
        self.bound = others + limbs::value(&self.found) + more;
        while self.bound.bits() > 64 * self.limbs as u64 {
            let layers = self.layers[self.step..=self.last].iter_mut();
            layers.chain([&mut *source]).for_each(|layer| layer.widen(self.limbs));
            self.found.push(0);
            self.limbs += 1;
        }
    }

    fn states_now(&self) -> usize {
        let layers = self.layers.get(self.step..=self.last).unwrap_or_default();
        layers.iter().map(Layer::len).sum()
    }

    /// Returns the bytes that the layers hold, except the one taken out.
    fn bytes(&self) -> usize {
        let live = self.layers[self.step..=self.last].iter();
        live.chain(&self.spare).map(Layer::bytes).sum()
    }

    /// Returns the bytes that layers may hold: less each time states are put aside.
    fn room(&self, watch: &Watch<'_>) -> usize {
        (watch.bytes / 3) >> self.aside.len()
    }

    /// Puts most of the states aside.
    fn split(&mut self) {
        let mut aside = Aside::new(self.limbs, self.aside.len());
        for step in self.step..=self.last {
            let layer = std::mem::take(&mut self.layers[step]);
            let first = if step == self.step { self.next } else { 0 };
            aside.put(step, &layer, first);
        }
        (self.step, self.next) = (0, 0);
        self.aside.push(aside);
        self.effort.splits += 1;
    }

    /// Takes up states that were put aside; `false` if there are none left.
    fn take_up(&mut self) -> bool {
        self.total += limbs::value(&self.found);
        let found = loop {
            let Some(aside) = self.aside.last_mut() else { return false };
            if aside.take(&mut self.layers) {
                break aside;
            }
            self.aside.pop();
        };
        self.limbs = found.limbs();
        self.found = vec![0; self.limbs];
        let used = |layer: &Layer<K>| layer.len() > 0;
        self.step = self.layers.iter().position(used).unwrap_or(self.layers.len());
        self.last = self.layers.iter().rposition(used).unwrap_or(0);
        self.next = 0;
        let live = self.layers.iter().filter(|layer| used(layer));
        self.bound = live.map(|layer| limbs::sum(layer.counts(), self.limbs)).sum();
        true
    }
}

impl<const K: usize> Run for Shard<K> {
    fn run(&mut self, watch: &mut Watch<'_>) -> Result<BigUint, Cut> {
        loop {
            while self.step < self.layers.len() {
                match self.expand(watch) {
                    Err(Cut::Memory) => {
                        self.split();
                        self.take_up();
                    }
                    result => result?,
                }
            }
            if !self.take_up() {
                self.found = vec![0; self.limbs];
                return Ok(self.total.clone());
            }
        }
    }

    fn effort(&self) -> Effort {
        Effort { step: self.step, ..self.effort }
    }

    fn states_left(&self) -> f64 {
        let widths = self.layout.widths();
        // How much of each bit is free is best seen where it matters, at the largest steps of late. It
        // grows until the middle, in most families about like this.
        let from = self.step.saturating_sub(WINDOW);
        let seen = (from..self.step).filter(|&step| self.sizes[step] > 1 && widths[step] > 0);
        let free = seen.map(|step| (self.sizes[step] as f64).log2() / f64::from(widths[step]));
        let freedom = free.fold(0.0, f64::max);
        let done = self.step as f64 / widths.len().max(1) as f64;
        let grown = (freedom / (0.35 + 1.4 * done).min(1.0)).min(1.0);
        let freedom = if freedom > 0.0 { grown } else { FREEDOM };
        let rest = widths[self.step.min(widths.len())..].iter();
        let states: f64 = rest.map(|&width| (f64::from(width) * freedom).exp2()).sum();
        self.aside.iter().fold(states, |states, aside| states * (1.0 + aside.parts_left() as f64))
    }
}
