//! The states of all steps, and how they are gone through, by one worker or several.

use std::sync::Arc;

use num_bigint::BigUint;

use super::aside::Aside;
use super::beam::{SampledSizes, sampled_sizes};
use super::exchange::Inboxes;
use super::layer::{Layer, hash};
use super::layout::{CloserLooks, Layout};
use super::worker::{Done, Worker, owner};
use super::{CountingRun, Effort, states_left, states_left_by_sample};
use crate::numbers::Random;
use crate::numbers::limbs;
use crate::parallel;
use crate::parallel::{Core, Cores};
use crate::portfolio::{Budget, Cut};

/// States that a worker alone expands between two looks at flag and clock.
const CHUNK: usize = 256;
/// States that each of several workers expands between two looks at flag and clock: some milliseconds.
const CHUNK_OF_SEVERAL: usize = if cfg!(test) { 8 } else { 1 << 15 };
/// From this many states on, idle cores are called in.
const STATES_OF_SEVERAL: usize = if cfg!(test) { 4 } else { 1 << 15 };
/// A step with fewer states is expanded on one thread, whoever owns them: to start another takes as long as some
/// hundred states.
const STATES_OF_STEP: usize = if cfg!(test) { 8 } else { 1 << 13 };
/// From this many states on, the steps that they reach have closer looks: those of a step take as long as some hundred
/// states, and there are such steps all the time.
const STATES_OF_CLOSER: usize = if cfg!(test) { 4 } else { 1 << 13 };
/// From this beam on, a sample has closer looks at all steps, which take about as long as it.
const BEAM_OF_CLOSER: usize = if cfg!(test) { 64 } else { 1 << 8 };
/// From so many states on symmetries are looked for, with so much work for each state so far, and again after eight times as many.
const STATES_OF_SYMMETRIES: u64 = if cfg!(test) { 8 } else { 1 << 16 };
const SYMMETRY_WORK: u64 = if cfg!(test) { 1 << 20 } else { 20 };
/// Greatest depth of division into parts; beyond it the count ends with [`Cut::Memory`].
const DIVISIONS_MAX: usize = 48;
/// The most workers.
const WORKERS_MAX: usize = 64;
/// A frontier with keys of `K` words.
#[derive(Debug)]
pub(super) struct States<'p, const K: usize> {
    layout: Layout<K>,
    closer: CloserLooks<'p>,
    /// The first step that has no closer looks yet.
    closer_end: usize,
    /// The states from which on symmetries are looked for again.
    states_of_symmetries: u64,
    cores: Arc<Cores>,
    workers: Vec<Worker<K>>,
    /// The cores of the workers but the first, while it runs.
    taken: Vec<Core>,
    /// The current step, and whether it was begun.
    step: usize,
    is_begun: bool,
    /// The prime modulo which numbers are kept, or 0.
    modulus: u64,
    /// The limbs of each number, and an upper bound of their sum.
    limbs: usize,
    bound: BigUint,
    /// The covers that were found before a part was last taken up.
    total: BigUint,
    /// States put aside, one entry for each division; the last one comes first.
    aside: Vec<Aside<K>>,
    effort: Effort,
    /// The states at each step so far.
    sizes: Vec<u64>,
}

impl<'p, const K: usize> States<'p, K> {
    pub(super) fn new(
        layout: Layout<K>,
        closer: CloserLooks<'p>,
        cores: &Arc<Cores>,
        modulus: u64,
    ) -> Self {
        let step_count = layout.step_count();
        let mut states = Self {
            cores: Arc::clone(cores),
            workers: vec![Worker::new(step_count, 1, modulus, 0, 1)],
            taken: Vec::new(),
            step: 0,
            is_begun: false,
            modulus,
            limbs: 1,
            bound: BigUint::from(1u32),
            total: BigUint::ZERO,
            aside: Vec::new(),
            effort: Effort { step_count, width: layout.width(), ..Effort::default() },
            sizes: vec![0; step_count],
            layout,
            closer,
            closer_end: 0,
            states_of_symmetries: STATES_OF_SYMMETRIES,
        };
        match states.layout.start() {
            Some((step, key)) if step < step_count => {
                states.workers[0].add(step, &key, &[1]);
                states.step = step;
            }
            // There is nothing to decide.
            Some((step, _)) => (states.step, states.workers[0].found[0]) = (step, 1),
            None => states.step = step_count,
        }
        states
    }

    /// Expands the states of the current step that are left.
    fn expand(&mut self, budget: &mut Budget<'_>) -> Result<(), Cut> {
        if !self.is_begun {
            if self.states_now() >= STATES_OF_CLOSER {
                let last = self.workers.iter().map(|worker| worker.last).max().unwrap_or(0);
                self.look_closer(last + 1, budget)?;
            }
            self.find_alike(budget)?;
            self.call_in();
            self.workers.iter_mut().for_each(|worker| worker.begin(self.step));
            self.is_begun = true;
            self.make_room();
        }
        let left = |worker: &Worker<K>| worker.source.len() - worker.next;
        while self.workers.iter().any(|worker| left(worker) > 0) {
            let all_done =
                |workers: &[Worker<K>]| workers.iter().map(|worker| worker.done).sum::<Done>();
            let before = all_done(&self.workers);
            if let [worker] = &mut self.workers[..] {
                worker.expand(&self.layout, self.step, CHUNK);
            } else {
                self.expand_together();
            }
            let done = all_done(&self.workers) - before;
            self.effort.states += done.states;
            self.effort.tries += done.tries;
            budget.spend(done.work(K))?;
            let room = (budget.bytes / 3) >> self.aside.len();
            if self.bytes() > room {
                self.workers.iter_mut().for_each(|worker| worker.spare.clear());
                if self.bytes() > room {
                    return Err(Cut::Memory);
                }
            }
        }
        self.workers.iter_mut().for_each(Worker::end);
        self.step += 1;
        self.is_begun = false;
        Ok(())
    }

    /// Looks for symmetries that map states to each other, unless that was done or would take a large part of the time.
    fn find_alike(&mut self, budget: &mut Budget<'_>) -> Result<(), Cut> {
        if self.effort.states < self.states_of_symmetries {
            return Ok(());
        }
        let work = SYMMETRY_WORK * self.states_of_symmetries;
        self.states_of_symmetries *= 8;
        let sketch = self.closer.sketch();
        let found = sketch.add_alike(&mut self.layout, work, budget.bytes, budget.limits());
        if found.map_err(Cut::Limit)? {
            self.states_of_symmetries = u64::MAX;
        }
        budget.spend(work)
    }

    /// Gives the steps from the current one on, up to `end`, closer looks, unless they have them.
    fn look_closer(&mut self, end: usize, budget: &mut Budget<'_>) -> Result<(), Cut> {
        self.closer_end = self.closer_end.max(self.step);
        while self.closer_end < end.min(self.layout.step_count()) {
            let step = self.closer_end;
            let work = self.closer.add(&mut self.layout, step, budget.bytes);
            let words = &self.layout.step(step).words;
            self.workers.iter_mut().for_each(|worker| worker.look_anew(words.clone()));
            self.closer_end += 1;
            budget.spend(work)?;
        }
        Ok(())
    }

    /// Expands some states of each worker, all workers at the same time.
    fn expand_together(&mut self) {
        let (layout, step, count) = (&self.layout, self.step, self.workers.len());
        let sources: Vec<_> =
            self.workers.iter_mut().map(|worker| std::mem::take(&mut worker.source)).collect();
        let exchange = Inboxes::new(count);
        let expand = |_, worker: &mut Worker<K>| {
            worker.expand_beside(layout, step, CHUNK_OF_SEVERAL, &sources, &exchange);
        };
        if self.taken.is_empty() || sources.iter().map(Layer::len).sum::<usize>() < STATES_OF_STEP {
            Worker::expand_in_turn(&mut self.workers, layout, step, &sources);
        } else {
            parallel::each(&mut self.workers, expand);
            // A worker whose thread began late, or not at all, may have sent something to one that was done.
            self.workers.iter_mut().for_each(|worker| worker.take_in_rest(&sources, &exchange));
        }
        for (worker, source) in self.workers.iter_mut().zip(sources) {
            worker.source = source;
        }
        self.effort.waited = self.workers.iter().map(|worker| worker.waited).sum();
    }

    /// Calls in idle cores if there are many states: the states get other owners then.
    fn call_in(&mut self) {
        if self.workers.len() > 1 || self.cores.idle() == 0 || self.states_now() < STATES_OF_SEVERAL {
            return;
        }
        self.take_cores(WORKERS_MAX - 1);
        let count = self.taken.len() + 1;
        if count == 1 {
            return;
        }
        let mut alone = self.workers.pop().expect("there is one");
        let step_count = self.layout.step_count();
        let new = |place| Worker::new(step_count, self.limbs, self.modulus, place, count);
        self.workers.extend((0..count).map(new));
        for step in self.step..=alone.last {
            let layer = std::mem::take(&mut alone.layers[step]);
            for place in 0..layer.len() {
                let key = layer.key(place);
                let worker = &mut self.workers[owner(hash(key), count)];
                worker.add(step, key, layer.count(place, self.limbs));
            }
        }
        self.workers[0].found = alone.found;
    }

    /// Takes idle cores, at most so many.
    fn take_cores(&mut self, most: usize) {
        self.taken = std::iter::from_fn(|| self.cores.take()).take(most).collect();
    }

    /// Adds limbs until no sum of numbers can wrap in the current step.
    fn make_room(&mut self) {
        self.effort.states_now = self.states_now();
        self.effort.states_max = self.effort.states_max.max(self.effort.states_now);
        let sources = || self.workers.iter().map(|worker| &worker.source);
        self.sizes[self.step] = sources().map(|source| source.len() as u64).sum();
        if self.modulus > 0 {
            return;
        }
        let sum: BigUint = sources().map(|source| limbs::sum(source.counts(), self.limbs)).sum();
        let more = &sum * self.layout.step(self.step).weight;
        self.bound -= sum;
        self.bound += &more;
        if self.bound.bits() <= 64 * self.limbs as u64 {
            return;
        }
        self.bound = self.workers.iter().map(Worker::sum).sum::<BigUint>() + more;
        while self.bound.bits() > 64 * self.limbs as u64 {
            self.workers.iter_mut().for_each(Worker::widen);
            self.limbs += 1;
        }
    }

    /// Goes through the steps that are left.
    fn count(&mut self, budget: &mut Budget<'_>) -> Result<BigUint, Cut> {
        loop {
            while self.step < self.layout.step_count() {
                match self.expand(budget) {
                    Err(Cut::Memory) if self.aside.len() < DIVISIONS_MAX => {
                        self.split();
                        self.take_up();
                    }
                    result => result?,
                }
            }
            if !self.take_up() {
                return Ok(if self.modulus > 0 {
                    &self.total % self.modulus
                } else {
                    self.total.clone()
                });
            }
        }
    }

    fn states_now(&self) -> usize {
        self.workers.iter().map(Worker::states).sum()
    }

    fn bytes(&self) -> usize {
        self.workers.iter().map(Worker::bytes).sum()
    }

    /// Puts all states aside.
    fn split(&mut self) {
        let mut aside = Aside::new(self.limbs, self.aside.len());
        for worker in &mut self.workers {
            let source = std::mem::take(&mut worker.source);
            aside.put(self.step, &source, worker.next);
            worker.next = 0;
            for step in self.step..=worker.last {
                aside.put(step, &std::mem::take(&mut worker.layers[step]), 0);
            }
        }
        self.aside.push(aside);
        self.effort.splits += 1;
    }

    /// Takes up a part of the states put aside; `false` if there are none left.
    fn take_up(&mut self) -> bool {
        for worker in &mut self.workers {
            self.total += limbs::value(&worker.found);
            worker.found = vec![0; self.limbs];
        }
        self.is_begun = false;
        self.step = self.layout.step_count();
        loop {
            let Some(aside) = self.aside.last_mut() else { return false };
            self.limbs = aside.limbs();
            let count = self.workers.len();
            for worker in &mut self.workers {
                (worker.found, worker.step, worker.last) = (vec![0; self.limbs], 0, 0);
            }
            let workers = &mut self.workers;
            let step = aside.take(|step, key, count_of_key| {
                workers[owner(hash(key), count)].add(step, key, count_of_key);
            });
            if let Some(step) = step {
                self.step = step;
                self.bound = self.workers.iter().map(Worker::sum).sum();
                return true;
            }
            self.aside.pop();
        }
    }
}

impl<const K: usize> CountingRun for States<'_, K> {
    fn run(&mut self, budget: &mut Budget<'_>) -> Result<BigUint, Cut> {
        // Between two slices the cores are there for others. Where they took them all, the workers work in turn.
        self.take_cores(self.workers.len() - 1);
        let result = self.count(budget);
        self.taken.clear();
        result
    }

    fn effort(&self) -> Effort {
        Effort { step: self.step, ..self.effort }
    }

    fn known(&self) -> BigUint {
        if self.modulus > 0 {
            return BigUint::ZERO;
        }
        &self.total + self.workers.iter().map(|worker| limbs::value(&worker.found)).sum::<BigUint>()
    }

    fn bytes(&self) -> usize {
        States::bytes(self) + self.aside.iter().map(Aside::bytes).sum::<usize>()
    }

    fn sample(&mut self, beam: usize, budget: &mut Budget<'_>) -> Result<SampledSizes, Cut> {
        if beam >= BEAM_OF_CLOSER {
            self.look_closer(usize::MAX, budget)?;
        }
        sampled_sizes(&self.layout, beam, &mut Random::new(self.effort.states), budget)
    }

    fn states_left(&self, sample: Option<&SampledSizes>) -> f64 {
        let by_sample = sample.map(|sample| states_left_by_sample(sample, &self.sizes, self.step));
        let states = match by_sample {
            Some(states) if sample.is_some_and(|sample| sample.is_seen) => states,
            // Where it did not see all, there are at least so many.
            _ => {
                states_left(self.layout.widths(), &self.sizes, self.step).max(by_sample.unwrap_or(0.0))
            }
        };
        self.aside.iter().fold(states, |states, aside| states * (1.0 + aside.parts_left() as f64))
    }
}
