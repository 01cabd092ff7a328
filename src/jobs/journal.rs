//! `count --journal` stores the finished parts of a count in a file, so that the count can be
//! resumed.
//!
//! The file format is described in `crates/farandole/src/shards/journal.rs`. A shard that far
//! exceeds its estimated time is split and replaced by its parts, so that little work is lost when
//! the process is killed. A long shard is also split while other threads are idle, unless it is
//! expected to finish before its parts would.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use dlx::engine::{ENGINES, VARIANTS};
use dlx::shards::{Sha256Digest, Shard, ShardTally, split, split_further};
use dlx::{BigUint, End, EngineSpec, Limit, Limits, Problem};

use super::crew::{self, CountRules, Patience, ShardJob, ShardWork};
use super::progress::ShardProgress;
use super::trial::{CountTrial, NODES_PER_SECOND};
use crate::io::args::{JournalArgs, RunArgs, thread_count};
use crate::io::bar::Bar;
use crate::io::exit::{Exit, name_of};
use crate::io::interrupt;
use crate::io::names::shown;
use crate::io::single::{self, only, print, warn_dropped_line};
use crate::io::source::Puzzles;
use farandole::shards::journal::{Journal, KIND};
use farandole::shards::lines::{self, CountEffort, Header, Splitting};
use puzzle::Puzzle;

/// A shard is split after this multiple of its expected time, but not before `OVERTIME_LEAST`. Its
/// parts may take twice as long as the shard.
const OVERTIME: f64 = 8.0;
const OVERTIME_LEAST: Duration = Duration::from_secs(2);
const PARTS: usize = 16;
/// Minimum and maximum number of shards if the user gives no number and the trial does not finish
/// the count. Within this range, a shard takes about a second.
const SHARDS: (usize, usize) = (64, 2000);

/// The value of `--engine` that lets the program choose the engine.
pub(super) const AUTO: &str = "auto";

enum Trouble {
    /// The journal is invalid or cannot be written.
    Fault(String),
    Limit(Limit),
}

impl From<String> for Trouble {
    fn from(message: String) -> Self {
        Self::Fault(message)
    }
}

impl From<Limit> for Trouble {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

pub(crate) fn run(run: &RunArgs, path: &Path, asked: &JournalArgs) -> Exit {
    let cancel = interrupt::flag();
    interrupt::outlive_size_limit();
    let puzzles = Puzzles::new(&run.input, run.limits.puzzle());
    let (kind, puzzle) = match only(puzzles.quiet(run.output.quiet)) {
        Ok(only) => only,
        Err(exit) => return exit,
    };
    let limits = single::limits(cancel, &run.limits);
    let engine = match engine_of(run, puzzle.problem()) {
        Ok(engine) => engine,
        Err(message) => {
            say!("{message}");
            return Exit::BadInput;
        }
    };
    let bar = Bar::start(!run.output.quiet);
    let mut count = JournalCount {
        puzzle: puzzle.as_ref(),
        limits,
        threads: thread_count(run.threads),
        is_quiet: run.output.quiet,
        bar: &bar,
        engine,
        known: BigUint::ZERO,
    };
    let counted = count.run(path, asked.shards.map(usize::from));
    let known = count.known;
    bar.finish();
    let (is_complete, exit) = match counted {
        Ok(()) if known == BigUint::ZERO => (true, Exit::Failed),
        Ok(()) => (true, Exit::Done),
        Err(Trouble::Fault(message)) => {
            say!("{message}");
            return Exit::BadInput;
        }
        Err(Trouble::Limit(_)) if interrupt::happened() => (false, Exit::Interrupted),
        Err(Trouble::Limit(limit)) => {
            let what = name_of(limit);
            if !run.output.quiet {
                say!("puzzle 1: {what} limit reached; run the same command again to resume");
            }
            (false, Exit::Limited)
        }
    };
    print(kind, &known, is_complete, None, run.output.json, exit)
}

/// Returns the engine named by `--engine`, or `None` for `auto`.
fn engine_of(run: &RunArgs, problem: &Problem) -> Result<Option<&'static EngineSpec>, String> {
    if run.engine == AUTO {
        return Ok(None);
    }
    let mut engines = ENGINES.iter().chain(VARIANTS);
    let engine = engines.find(|engine| engine.name == run.engine).ok_or_else(|| {
        format!(
            "expected an engine that searches exact covers beside --journal, found `{}`",
            run.engine
        )
    })?;
    (engine.build)(problem)
        .map_err(|unsupported| format!("puzzle 1: engine {}: {unsupported}", engine.name))?;
    Ok(Some(engine))
}

struct JournalCount<'c> {
    puzzle: &'c dyn Puzzle,
    limits: Limits,
    threads: usize,
    is_quiet: bool,
    bar: &'c Bar,
    /// The only engine to use, if the user named one.
    engine: Option<&'static EngineSpec>,
    /// The number of solutions counted so far, a lower bound on the result.
    known: BigUint,
}

impl JournalCount<'_> {
    fn run(&mut self, path: &Path, asked: Option<usize>) -> Result<(), Trouble> {
        let digest = Sha256Digest::of(self.puzzle.problem(), self.puzzle.given(), &self.limits)?;
        let mut journal = Journal::open(path, shown(path))?;
        let mut tally = ShardTally::new(digest);
        let plan = journal.read(&digest, asked, &mut tally)?;
        self.known = tally.known().clone();
        warn_dropped_line(journal.name(), journal.dropped, self.is_quiet);
        let shards = match plan {
            Some(plan) => {
                self.bar.tell("splitting the count into shards");
                let (problem, given) = (self.puzzle.problem(), self.puzzle.given());
                plan.shards(journal.name(), problem, given, &self.limits)??
            }
            None => {
                let (asked, count) = self.plan(asked)?;
                let shards = self.split(asked)?;
                let header = Header::new(digest, asked, &shards).object(KIND);
                let mut text = lines::seal(&header);
                if let (Some(count), [whole]) = (count, &shards[..]) {
                    let count = whole.counted(&digest, count);
                    text += &lines::seal(&lines::of_count(&count, &CountEffort::default()));
                    tally.add(count).map_err(|fault| fault.to_string())?;
                }
                journal.append(&text)?;
                shards
            }
        };
        self.known = tally.known().clone().max(self.known.clone());
        self.work(&digest, &shards, &mut journal, &mut tally)?;
        self.known = tally.total().map_err(|fault| format!("{}: {fault}", journal.name()))?;
        Ok(())
    }

    fn split(&self, asked: usize) -> Result<Vec<Shard>, Limit> {
        self.bar.tell("splitting the count into shards");
        split(self.puzzle.problem(), self.puzzle.given(), asked, &self.limits)
    }

    /// Returns the number of shards, and the count if the trial already finished it.
    fn plan(&mut self, asked: Option<usize>) -> Result<(usize, Option<BigUint>), Limit> {
        if let Some(asked) = asked {
            return Ok((asked, None));
        }
        let (problem, given) = (self.puzzle.problem(), self.puzzle.given());
        // Skip the trial if the user named an engine, because a trial uses other engines.
        let trial = self.engine.is_none().then(|| {
            self.bar.tell("trying whether the count is short");
            CountTrial::run(problem, given, self.threads, &self.limits)
        });
        if let Some(CountTrial { report, .. }) = &trial {
            if report.end == End::Exhausted {
                return Ok((1, Some(report.total())));
            }
            self.known = report.total();
        }
        self.limits.check()?;
        let whole = split(problem, given, 1, &self.limits)?;
        let nodes: f64 = whole.iter().map(|shard| shard.estimate).sum();
        let advice = trial.and_then(|trial| trial.advice(nodes));
        if let Some(words) = advice.filter(|_| !self.is_quiet) {
            self.bar.hide_while(|| say!("{words}"));
        }
        let (least, most) = SHARDS;
        Ok((((nodes / NODES_PER_SECOND) as usize).clamp(least, most), None))
    }

    /// Counts all shards that are not in the journal yet, the most expensive first.
    fn work(
        &mut self,
        digest: &Sha256Digest,
        shards: &[Shard],
        journal: &mut Journal,
        tally: &mut ShardTally,
    ) -> Result<(), Trouble> {
        let progress = ShardProgress::new(shards.iter().map(|shard| shard.estimate));
        let progress = Mutex::new(progress);
        let done = || progress.lock().unwrap_or_else(PoisonError::into_inner);
        let is_open = |shard: &&Shard| {
            let id = shard.id(digest);
            if tally.has(id) {
                let effort = journal.efforts.get(&id).copied();
                done().add(shard.estimate, effort.unwrap_or_default().seconds);
            }
            !tally.has(id)
        };
        let jobs = crew::most_expensive_first(shards.iter().filter(is_open).cloned());
        let (mut cut, mut lost) = (None, None);
        self.bar.tell(&done().words(self.threads));
        let problem = self.puzzle.problem();
        let time = |job: &ShardJob| {
            let rate = done().rate().unwrap_or(1.0 / NODES_PER_SECOND);
            (!job.is_whole).then(|| overtime(rate * job.shard.estimate, job.generation))
        };
        let patience = |job: &ShardJob| Patience::of(job, done().rate(), self.threads);
        let rules = CountRules {
            problem,
            threads: self.threads,
            limits: &self.limits,
            time: &time,
            patience: &patience,
            has_digest: false,
            engine: self.engine,
            prove: None,
        };
        crew::count(&rules, jobs, |works, more| {
            let mut text = String::new();
            let mut counts = Vec::new();
            for ShardWork { job, report, time, .. } in works {
                let shard = &job.shard;
                match report.end {
                    End::Exhausted => {
                        let count = shard.counted(digest, report.total());
                        let effort = CountEffort { seconds: time.as_secs_f64(), nodes: report.nodes };
                        text += &lines::seal(&lines::of_count(&count, &effort));
                        counts.push(count);
                        done().add(shard.estimate, time.as_secs_f64());
                    }
                    // The shard exceeded its time, or was cancelled because other threads were
                    // idle.
                    End::Limit(Limit::Time | Limit::Cancelled) if self.limits.check().is_ok() => {
                        let Ok(parts) = split_further(problem, shard, PARTS, &self.limits) else {
                            continue;
                        };
                        if parts.len() > 1 {
                            let splitting = Splitting::new(digest, shard, PARTS, &parts);
                            text += &lines::seal(&splitting.object());
                            done().split(shard.estimate, parts.iter().map(|part| part.estimate));
                        }
                        more.extend(job.replaced_by(parts));
                    }
                    End::Limit(limit) => cut = Some(limit),
                    _ => {}
                }
            }
            // Add a count to the tally only after it was written to the journal.
            let kept = journal.append(&text).map_err(Trouble::from);
            let kept = kept.and_then(|()| {
                counts.into_iter().try_for_each(|count| {
                    tally.add(count).map(drop).map_err(|fault| Trouble::Fault(fault.to_string()))
                })
            });
            lost = kept.err();
            self.bar.tell(&done().words(self.threads));
            lost.is_none()
        });
        self.known = tally.known().clone();
        if let Some(trouble) = lost {
            return Err(trouble);
        }
        match cut.or_else(|| self.limits.check().err()) {
            Some(limit) if tally.total().is_err() => Err(limit.into()),
            _ => Ok(()),
        }
    }
}

/// Returns the time limit of a shard that is expected to take `seconds` and results from
/// `generation` splits.
fn overtime(seconds: f64, generation: u32) -> Duration {
    let time = Duration::try_from_secs_f64(OVERTIME * seconds).unwrap_or(Duration::MAX);
    time.max(OVERTIME_LEAST).saturating_mul(1 << generation.min(20))
}
