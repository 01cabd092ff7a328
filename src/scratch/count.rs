//! Runs all steps of a count with its states on disk. The owners of a step (its states, divided by
//! hash) are expanded in parallel. Between steps the progress is saved to the folder.

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use dlx::exchange::{BlockHead, BlockLedger, BlockPlan};
use dlx::{BigUint, Limit, Limits};

use indicatif::{HumanBytes, HumanCount, HumanDuration};

use super::folder::{CountState, ScratchFolder, held};
use super::layers;
use super::runs::{RunReader, StateRun};
use super::work::{Expander, Expansion, ScratchFailure};
use crate::io::args::{RunArgs, thread_count};
use crate::io::bar::Bar;
use crate::io::exit::{Exit, name_of};
use crate::io::single::{self, only, print};
use crate::io::source::Puzzles;
use crate::io::{interrupt, threads};
use puzzle::Puzzle;

/// Number of owners among whom the states of each step are divided by hash, which limits the number
/// of threads and is part of the file format.
const OWNERS: u32 = 16;
/// The progress is saved `KEEP_WITHIN` after the last save, or earlier after `KEEP_SHARE` times the
/// duration of that save.
const KEEP_SHARE: u32 = 20;
const KEEP_WITHIN: Duration = Duration::from_secs(30);
/// If the states of a step take fewer bytes, the step is expanded on one thread.
const ALONE_BYTES: u64 = 1 << 16;
/// Time between two checks for an interrupt while waiting for results.
const PATIENCE: Duration = Duration::from_millis(50);
/// Memory for states (bytes) if neither the user nor the system sets a limit.
const BYTES: usize = 2 << 30;
/// Fraction 1 / `REST_SHARE` of the memory limit is reserved for everything except states.
const REST_SHARE: usize = 8;
/// The progress is saved early if the state lists held in memory exceed 1 / `HELD_SHARE` of the
/// memory limit.
const HELD_SHARE: usize = 16;
/// Largest expected ratio of the actual remaining time to the estimate. No estimate is shown before
/// the number of states per step decreases.
const ERROR: f64 = 2.0;

/// Counts the solutions of the puzzle with its states in a folder, and prints the count.
pub(crate) fn run(run: &RunArgs, path: &Path) -> Exit {
    let is_layered = run.engine == layers::ENGINE;
    if !is_layered && !["auto", "frontier"].contains(&run.engine.as_str()) {
        say!("expected `--engine frontier` or `symmetry` with --scratch, found `{}`", run.engine);
        return Exit::BadInput;
    }
    let cancel = interrupt::flag();
    interrupt::outlive_size_limit();
    let puzzles = Puzzles::new(&run.input, run.limits.puzzle());
    let (kind, puzzle) = match only(puzzles.quiet(run.output.quiet)) {
        Ok(only) => only,
        Err(exit) => return exit,
    };
    let limits = single::limits(cancel, &run.limits);
    let bar = Bar::start(!run.output.quiet);
    let counted = if is_layered {
        layers::count(puzzle.as_ref(), path, &limits, run, &bar)
    } else {
        ScratchCount::begin(puzzle.as_ref(), path, &limits, run, &bar).and_then(|mut count| {
            let total = count.expand_all()?;
            Ok((total, count.words(), count.folder))
        })
    };
    bar.finish();
    let (total, words, folder) = match counted {
        Ok(done) => done,
        Err(ScratchFailure::Fault(message) | ScratchFailure::Torn(message)) => {
            say!("{message}");
            return Exit::BadInput;
        }
        Err(ScratchFailure::Limit(_)) if interrupt::happened() => {
            return print(kind, &BigUint::ZERO, false, None, run.output.json, Exit::Interrupted);
        }
        Err(ScratchFailure::Limit(limit)) => {
            if !run.output.quiet {
                let what = if limit == Limit::Nodes { "node" } else { name_of(limit) };
                say!("puzzle 1: {what} limit reached; run the same command again to resume");
            }
            return print(kind, &BigUint::ZERO, false, None, run.output.json, Exit::Limited);
        }
    };
    if run.stats {
        say!("{words}");
    }
    let exit = if total == BigUint::ZERO { Exit::Failed } else { Exit::Done };
    let exit = print(kind, &total, true, None, run.output.json, exit);
    // Clear the folder only after printing, so that the count cannot be lost.
    match folder.clear() {
        Ok(()) => exit,
        Err(message) => {
            say!("{message}");
            Exit::BadInput
        }
    }
}

struct ScratchCount<'c> {
    plan: Arc<BlockPlan>,
    folder: ScratchFolder,
    state: CountState,
    ledger: BlockLedger,
    limits: &'c Limits,
    threads: usize,
    bytes: usize,
    /// The number of states read, and the limit on this number.
    nodes: Arc<AtomicU64>,
    nodes_max: Option<u64>,
    bar: &'c Bar,
    keeping: Keeping,
    /// Largest total size of the states so far (bytes), and the start time of this process.
    bytes_max: u64,
    begun: Instant,
    /// Run time of earlier processes (s).
    before: f64,
}

/// Time and duration of the last save, and number and total duration of all saves.
struct Keeping {
    last: Instant,
    took: Duration,
    times: u64,
    all: Duration,
}

impl<'c> ScratchCount<'c> {
    /// Begins a count, or resumes the count in the folder.
    fn begin(
        puzzle: &dyn Puzzle,
        path: &Path,
        limits: &'c Limits,
        run: &RunArgs,
        bar: &'c Bar,
    ) -> Result<Self, ScratchFailure> {
        bar.tell("laying out the frontier");
        let plan = BlockPlan::of_frontier(puzzle.problem(), puzzle.given(), OWNERS, limits)?;
        let plan = Arc::new(plan);
        let mut folder = ScratchFolder::open(path)?;
        let known = match folder.read(&plan) {
            Err(ScratchFailure::Torn(message)) => Some(go_back(&mut folder, &plan, message)?),
            known => known?,
        };
        let is_new = known.is_none();
        let state = match known {
            Some(state) => state,
            None => {
                // Save an empty catalog first, so that later block files in the folder are known to
                // belong to this count.
                folder.keep(&plan, &mut CountState::default())?;
                first_state(&plan)?
            }
        };
        let ledger = plan.ledger_of(&heads(&state.runs));
        let now = Instant::now();
        let before = state.seconds;
        let keeping = Keeping { last: now, took: Duration::ZERO, times: 0, all: Duration::ZERO };
        let mut count = Self {
            plan,
            folder,
            state,
            ledger,
            limits,
            bytes: limits.memory.unwrap_or(BYTES),
            threads: thread_count(run.threads).min(OWNERS as usize),
            nodes: Arc::default(),
            nodes_max: run.limits.nodes,
            bar,
            keeping,
            bytes_max: 0,
            begun: now,
            before,
        };
        if is_new {
            count.keep()?;
        }
        Ok(count)
    }

    /// Expands all remaining steps and returns the number of covers. If a file is corrupt, the
    /// count resumes from the previously saved progress.
    fn expand_all(&mut self) -> Result<BigUint, ScratchFailure> {
        loop {
            let message = match self.go_on() {
                Err(ScratchFailure::Torn(message)) => message,
                gone => return gone,
            };
            self.state = go_back(&mut self.folder, &self.plan, message)?;
            self.ledger = self.plan.ledger_of(&heads(&self.state.runs));
        }
    }

    fn go_on(&mut self) -> Result<BigUint, ScratchFailure> {
        while let Some(step) = self.next_step() {
            let done = self.expand(step);
            if let Err(trouble @ ScratchFailure::Torn(_)) = done {
                return Err(trouble);
            }
            if let Err(trouble) = done {
                // Save the finished work if possible. Otherwise the count later resumes from the
                // last save.
                let kept = self.keep();
                return Err(match (trouble, kept) {
                    (ScratchFailure::Limit(_), Err(fault @ ScratchFailure::Fault(_))) => fault,
                    (trouble, _) => trouble,
                });
            }
            self.ledger.close(step)?;
            self.folder.tidy(&self.state.runs)?;
            self.keep_if_due()?;
        }
        let reader = RunReader::new(&self.folder.path);
        let mut ends = Vec::new();
        for run in &self.state.runs {
            for block in reader.blocks(&self.plan, run, &|_| Ok(())) {
                ends.push(block.map_err(ScratchFailure::Torn)?);
            }
        }
        Ok(self.ledger.total(&ends)?)
    }

    /// Returns the first step whose states are not all expanded.
    fn next_step(&self) -> Option<u32> {
        let step = self.state.runs.iter().map(|run| run.head.step).min();
        step.filter(|&step| step < self.plan.steps())
    }

    fn expand(&mut self, step: u32) -> Result<(), ScratchFailure> {
        let mut tasks: BTreeMap<u32, Vec<StateRun>> = BTreeMap::new();
        for run in self.state.runs.iter().filter(|run| run.head.step == step) {
            tasks.entry(run.head.owner).or_default().push(run.clone());
        }
        let runs = || tasks.values().flatten();
        self.tell(step, runs().map(|run| run.head.states).sum());
        let is_small = runs().map(StateRun::bytes).sum::<u64>() < ALONE_BYTES;
        let threads = if is_small { 1 } else { self.threads.min(tasks.len()) };
        let bytes = (self.bytes - self.bytes / REST_SHARE) / self.threads;
        let (plan, path) = (Arc::clone(&self.plan), self.folder.path.clone());
        let (numbers, nodes) = (Arc::clone(&self.folder.numbers), Arc::clone(&self.nodes));
        // If this flag is set, all workers stop as at an interrupt.
        let stop = Arc::new(AtomicBool::new(false));
        let limits = match threads {
            1 => self.limits.clone(),
            _ => self.limits.clone().cancel(Arc::clone(&stop)),
        };
        let expander = Expander::new(&plan, &path, &numbers, &limits, bytes, (&nodes, self.nodes_max));
        if threads == 1 {
            for runs in tasks.into_values() {
                let done = expander.expand(runs.clone())?;
                self.take(&runs, done)?;
                self.keep_if_due()?;
            }
            return Ok(());
        }
        let tasks: Mutex<VecDeque<Vec<StateRun>>> = Mutex::new(tasks.into_values().collect());
        let next = || tasks.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let work = |send: Sender<(Vec<StateRun>, Result<Expansion, ScratchFailure>)>| {
            while let Some(runs) = next()
                && !stop.load(Relaxed)
            {
                let done = expander.expand(runs.clone());
                if send.send((runs, done)).is_err() {
                    break;
                }
            }
        };
        let (work, mut trouble) = (&work, None);
        thread::scope(|scope| {
            let (send, receive) = channel();
            for number in 0..threads {
                let send = send.clone();
                let started = threads::start_scoped(scope, move || work(send));
                if let Err(error) = started {
                    if number == 0 {
                        trouble = Some(format!("cannot start a thread: {error}").into());
                    }
                    break;
                }
            }
            drop(send);
            loop {
                match receive.recv_timeout(PATIENCE) {
                    Ok((runs, done)) => {
                        let taken = done.and_then(|done| self.take(&runs, done));
                        let kept = taken.and_then(|()| self.keep_if_due());
                        // Keep only the first error, because workers that are cancelled after it
                        // report errors of their own.
                        trouble = trouble.take().or(kept.err());
                        if trouble.is_some() {
                            stop.store(true, Relaxed);
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                if interrupt::happened() {
                    stop.store(true, Relaxed);
                }
            }
        });
        match trouble {
            Some(trouble) => Err(trouble),
            // A limit may have stopped the workers before they took all tasks.
            None => self.limits.check().map_err(ScratchFailure::from),
        }
    }

    /// Records that the state lists `read` were expanded into `done`.
    fn take(&mut self, read: &[StateRun], done: Expansion) -> Result<(), ScratchFailure> {
        self.ledger.expanded(&heads(read), &heads(&done.runs))?;
        let Some(BlockHead { step, owner, .. }) = read.first().map(|run| run.head) else {
            return Ok(());
        };
        let state = &mut self.state;
        state.seen.resize(state.seen.len().max(step as usize + 1), 0);
        state.seen[step as usize] += done.states;
        let bytes: u64 = state.runs.iter().chain(&done.runs).map(StateRun::bytes).sum();
        self.bytes_max = self.bytes_max.max(bytes);
        state.runs.retain(|run| (run.head.step, run.head.owner) != (step, owner));
        self.folder.adopt(&done.runs);
        state.runs.extend(done.runs);
        Ok(())
    }

    fn keep(&mut self) -> Result<(), ScratchFailure> {
        let begun = Instant::now();
        self.state.seconds = self.before + self.begun.elapsed().as_secs_f64();
        self.folder.keep(&self.plan, &mut self.state)?;
        let keeping = &mut self.keeping;
        (keeping.last, keeping.took) = (Instant::now(), begun.elapsed());
        keeping.times += 1;
        keeping.all += keeping.took;
        Ok(())
    }

    /// Saves the progress if the last save is old enough, or if the lists in memory are too large.
    fn keep_if_due(&mut self) -> Result<(), ScratchFailure> {
        let Keeping { last, took, .. } = self.keeping;
        let is_new = last.elapsed() < KEEP_WITHIN.min(took * KEEP_SHARE);
        let held = self.state.runs.iter().filter(|run| run.place.file().is_none());
        let is_full = || held.map(StateRun::bytes).sum::<u64>() > (self.bytes / HELD_SHARE) as u64;
        if is_new && !is_full() { Ok(()) } else { self.keep() }
    }

    /// Shows the progress before step `step`, which has `states` states.
    fn tell(&self, step: u32, states: u64) {
        let bytes: u64 = self.state.runs.iter().map(StateRun::bytes).sum();
        let seen = &self.state.seen[..self.state.seen.len().min(step as usize)];
        let most = seen.iter().copied().max().unwrap_or(0);
        // The remaining time cannot be estimated while the number of states per step still grows.
        let is_sure = 5 * step >= 2 * self.plan.steps() && states < most / 10 * 9;
        let expanded: u64 = self.state.seen.iter().sum();
        let seconds = self.before + self.begun.elapsed().as_secs_f64();
        let left = self.plan.states_left(seen) * seconds / expanded.max(1) as f64;
        let words = |seconds: f64| {
            HumanDuration(Duration::from_secs(seconds.clamp(0.0, 1e12).ceil() as u64)).to_string()
        };
        let left = match is_sure {
            true => format!("{} to {} left", words(left), words(left * ERROR)),
            false => "remaining time not known yet".to_owned(),
        };
        let (step, steps) = (step + 1, self.plan.steps());
        let (states, bytes) = (HumanCount(states), HumanBytes(bytes));
        self.bar.tell(&format!("step {step} of {steps}, {states} states, {bytes} on disk, {left}"));
    }

    fn words(&self) -> String {
        let steps = self.plan.steps();
        let bits = (0..steps).map(|step| self.plan.bits(step)).max().unwrap_or(0);
        let states: u64 = self.state.seen.iter().sum();
        let Keeping { times, all, .. } = self.keeping;
        let seconds = self.before + self.begun.elapsed().as_secs_f64();
        format!(
            "frontier on a disk: {states} states of at most {bits} bits in {steps} steps, {} at a time, \
             {seconds:.1} s, of which {:.1} s to keep it {times} times",
            HumanBytes(self.bytes_max),
            all.as_secs_f64()
        )
    }
}

/// Returns to the previously saved progress, with a warning.
fn go_back(
    folder: &mut ScratchFolder,
    plan: &BlockPlan,
    message: String,
) -> Result<CountState, ScratchFailure> {
    let Some(state) = folder.restore_previous(plan)? else { return Err(message.into()) };
    say!("{message}; the count goes on from what was kept before");
    if state.is_begun() { Ok(state) } else { first_state(plan) }
}

fn first_state(plan: &BlockPlan) -> Result<CountState, ScratchFailure> {
    let first = plan.first().into_iter().map(|block| Ok(held(plan.head(&block)?, block)));
    let runs = first.collect::<Result<_, ScratchFailure>>()?;
    Ok(CountState { runs, ..CountState::default() })
}

fn heads(runs: &[StateRun]) -> Vec<BlockHead> {
    runs.iter().map(|run| run.head).collect()
}
