//! A frontier count in progress: the states of all steps, expanded by one worker or several.

use std::sync::Arc;

use num_bigint::BigUint;

use super::aside::Aside;
use super::beam::{SampledSizes, sampled_sizes};
use super::exchange::Inboxes;
use super::layer::Layer;
use super::layout::{CloserChecks, Key, Layout};
use super::worker::{Done, FrontierWorker, owner};
use super::{CountingRun, Effort, states_left, states_left_by_sample};
use crate::numbers::{Random, hash, limbs};
use crate::parallel;
use crate::parallel::{Core, Cores};
use crate::portfolio::{Budget, Cut};

/// Number of states expanded between two checks of the limits by a single worker.
const CHUNK: usize = 256;
/// Maximum number of states expanded between two checks of the limits by each of several workers;
/// takes some milliseconds.
const CHUNK_OF_SEVERAL: usize = if cfg!(test) { 8 } else { 1 << 15 };
/// Minimum number of states expanded between two checks of the limits.
const CHUNK_MIN: usize = if cfg!(test) { 4 } else { 64 };
/// Memory of a state in the index of its layer (bytes).
const INDEX_BYTES: usize = 16;
/// Minimum number of states before a count takes idle cores.
const STATES_OF_SEVERAL: usize = if cfg!(test) { 4 } else { 1 << 15 };
/// Minimum number of states of a step that is expanded on several threads. Starting a thread costs
/// some hundred states.
const STATES_OF_STEP: usize = if cfg!(test) { 8 } else { 1 << 13 };
/// Minimum number of states before the next steps get closer checks (`layout/looks.rs`), which cost
/// some hundred states per step.
const STATES_OF_CLOSER: usize = if cfg!(test) { 4 } else { 1 << 13 };
/// Smallest beam of a sample that first builds closer checks for all steps, because they take about
/// as long as the sample.
const BEAM_OF_CLOSER: usize = if cfg!(test) { 64 } else { 1 << 8 };
/// Number of expanded states before the first symmetry search, and the work of that search per
/// expanded state (ns). A search that runs out of work is repeated after eight times the number of
/// states.
const STATES_OF_SYMMETRIES: u64 = if cfg!(test) { 8 } else { 1 << 16 };
const SYMMETRY_WORK: u64 = if cfg!(test) { 1 << 20 } else { 20 };
/// Maximum nesting depth of divisions of set-aside states; beyond it the count ends with
/// [`Cut::Memory`].
const DIVISIONS_MAX: usize = 48;
const WORKERS_MAX: usize = 64;
#[derive(Debug)]
pub(super) struct States<'p, const K: usize> {
    layout: Layout<K>,
    closer: CloserChecks<'p>,
    closer_end: usize,
    states_of_symmetries: u64,
    cores: Arc<Cores>,
    workers: Vec<FrontierWorker<K>>,
    /// The cores of all workers but the first, held during a call of `run`.
    taken: Vec<Core>,
    step: usize,
    is_begun: bool,
    /// The prime modulus of all counts; 0 if counts are not reduced.
    modulus: u64,
    /// The number of limbs of each count, and an upper bound of the sum of all counts.
    limbs: usize,
    bound: BigUint,
    /// The covers counted before the last part of set-aside states was resumed.
    total: BigUint,
    /// The states set aside, one entry per nested division. The last entry is resumed first.
    aside: Vec<Aside<K>>,
    effort: Effort,
    sizes: Vec<u64>,
}

impl<'p, const K: usize> States<'p, K> {
    pub(super) fn new(
        layout: Layout<K>,
        closer: CloserChecks<'p>,
        cores: &Arc<Cores>,
        modulus: u64,
    ) -> Self {
        let step_count = layout.step_count();
        let mut states = Self {
            cores: Arc::clone(cores),
            workers: vec![FrontierWorker::new(step_count, 1, modulus, 0, 1)],
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
            Some((step, _)) => (states.step, states.workers[0].found[0]) = (step, 1),
            None => states.step = step_count,
        }
        states
    }

    fn expand(&mut self, budget: &mut Budget<'_>) -> Result<(), Cut> {
        if !self.is_begun {
            if self.states_now() >= STATES_OF_CLOSER {
                let last = self.workers.iter().map(|worker| worker.last).max().unwrap_or(0);
                self.add_closer_checks(last + 1, budget)?;
            }
            self.find_alike(budget)?;
            self.call_in();
            self.workers.iter_mut().for_each(|worker| worker.begin(self.step));
            self.is_begun = true;
            self.make_room();
        }
        let left = |worker: &FrontierWorker<K>| worker.source.len() - worker.next;
        while self.workers.iter().any(|worker| left(worker) > 0) {
            let all_done =
                |workers: &[FrontierWorker<K>]| workers.iter().map(|worker| worker.done).sum::<Done>();
            let before = all_done(&self.workers);
            let room = (budget.bytes / 3) >> self.aside.len();
            let most = self.states_that_fit(room.saturating_sub(self.bytes()));
            if let [worker] = &mut self.workers[..] {
                worker.expand(&self.layout, self.step, CHUNK.min(most));
            } else {
                self.expand_together(CHUNK_OF_SEVERAL.min(most));
            }
            let done = all_done(&self.workers) - before;
            self.effort.states += done.states;
            self.effort.tries += done.tries;
            budget.spend(done.work(K))?;
            if self.bytes() > room {
                self.workers.iter_mut().for_each(|worker| worker.spare.clear());
                if self.bytes() > room {
                    return Err(Cut::Memory);
                }
            }
        }
        self.workers.iter_mut().for_each(FrontierWorker::end);
        self.step += 1;
        self.is_begun = false;
        Ok(())
    }

    /// Returns how many states each worker may expand so that all states reached from them take
    /// at most `bytes` bytes; at least a few, even if these take more.
    fn states_that_fit(&self, bytes: usize) -> usize {
        let reached = self.layout.choices(self.step).len() + 1;
        let size = size_of::<Key<K>>() + 8 * self.limbs + INDEX_BYTES;
        (bytes / self.workers.len() / (reached * size)).max(CHUNK_MIN)
    }

    /// Searches for symmetries that map states to each other, if enough states were expanded since
    /// the last search.
    fn find_alike(&mut self, budget: &mut Budget<'_>) -> Result<(), Cut> {
        if self.effort.states < self.states_of_symmetries {
            return Ok(());
        }
        let work = SYMMETRY_WORK * self.states_of_symmetries;
        self.states_of_symmetries *= 8;
        let sketch = self.closer.sketch();
        let swaps = sketch.add_swaps(&mut self.layout, work, budget.bytes, budget.limits());
        let swaps = swaps.map_err(Cut::Limit)?;
        let found = sketch.add_alike(&mut self.layout, work, budget.bytes, budget.limits());
        if found.map_err(Cut::Limit)? {
            self.states_of_symmetries = u64::MAX;
        }
        budget.spend(work + swaps)
    }

    /// Adds closer checks to the steps from the current one to `end` (exclusive) that do not have
    /// them yet.
    fn add_closer_checks(&mut self, end: usize, budget: &mut Budget<'_>) -> Result<(), Cut> {
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

    /// Expands up to `chunk` states of each worker.
    fn expand_together(&mut self, chunk: usize) {
        let (layout, step, count) = (&self.layout, self.step, self.workers.len());
        let sources: Vec<_> =
            self.workers.iter_mut().map(|worker| std::mem::take(&mut worker.source)).collect();
        let exchange = Inboxes::new(count);
        let expand = |_, worker: &mut FrontierWorker<K>| {
            worker.expand_concurrently(layout, step, chunk, &sources, &exchange);
        };
        if self.taken.is_empty() || sources.iter().map(Layer::len).sum::<usize>() < STATES_OF_STEP {
            FrontierWorker::expand_in_turn(&mut self.workers, layout, step, chunk, &sources);
        } else {
            parallel::each(&mut self.workers, expand);
            // A worker whose thread started late, or never, may have sent states to a worker that
            // had already finished.
            self.workers.iter_mut().for_each(|worker| worker.take_in_rest(&sources, &exchange));
        }
        for (worker, source) in self.workers.iter_mut().zip(sources) {
            worker.source = source;
        }
        self.effort.waited = self.workers.iter().map(|worker| worker.waited).sum();
    }

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
        let new = |place| FrontierWorker::new(step_count, self.limbs, self.modulus, place, count);
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

    fn take_cores(&mut self, most: usize) {
        self.taken = std::iter::from_fn(|| self.cores.take()).take(most).collect();
    }

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
        self.bound = self.workers.iter().map(FrontierWorker::sum).sum::<BigUint>() + more;
        while self.bound.bits() > 64 * self.limbs as u64 {
            self.workers.iter_mut().for_each(FrontierWorker::widen);
            self.limbs += 1;
        }
    }

    fn count(&mut self, budget: &mut Budget<'_>) -> Result<BigUint, Cut> {
        loop {
            while self.step < self.layout.step_count() {
                match self.expand(budget) {
                    Err(Cut::Memory) if self.aside.len() < DIVISIONS_MAX => {
                        self.split();
                        self.resume_part();
                    }
                    result => result?,
                }
            }
            if !self.resume_part() {
                return Ok(if self.modulus > 0 {
                    &self.total % self.modulus
                } else {
                    self.total.clone()
                });
            }
        }
    }

    fn states_now(&self) -> usize {
        self.workers.iter().map(FrontierWorker::states).sum()
    }

    fn bytes(&self) -> usize {
        self.workers.iter().map(FrontierWorker::bytes).sum()
    }

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

    /// Resumes the next part of the states set aside; returns `false` if no part is left.
    fn resume_part(&mut self) -> bool {
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
                self.bound = self.workers.iter().map(FrontierWorker::sum).sum();
                return true;
            }
            self.aside.pop();
        }
    }
}

impl<const K: usize> CountingRun for States<'_, K> {
    fn run(&mut self, budget: &mut Budget<'_>) -> Result<BigUint, Cut> {
        // Between two calls the cores are free for other jobs. If other jobs took all cores, the
        // workers run one after another on this thread.
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
            self.add_closer_checks(usize::MAX, budget)?;
        }
        sampled_sizes(&self.layout, beam, &mut Random::new(self.effort.states), budget)
    }

    fn states_left(&self, sample: Option<&SampledSizes>) -> f64 {
        let by_sample = sample.map(|sample| states_left_by_sample(sample, &self.sizes, self.step));
        let states = match by_sample {
            Some(states) if sample.is_some_and(|sample| sample.is_seen) => states,
            _ => {
                states_left(self.layout.widths(), &self.sizes, self.step).max(by_sample.unwrap_or(0.0))
            }
        };
        self.aside.iter().fold(states, |states, aside| states * (1.0 + aside.parts_left() as f64))
    }
}
