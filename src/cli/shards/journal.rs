//! `count --journal`: a count whose finished parts stand in a file, so that it can be gone on with.
//!
//! What the file is like: `src/shards/journal.rs`.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dlx::count::Counter;
use dlx::parallel::Cores;
use dlx::shards::{Sha256Digest, Shard, ShardTally, split};
use dlx::{BigUint, End, Limit, Limits};

use super::crew::{self, ShardWork};
use super::progress::ShardProgress;
use crate::cli::io::args::{JournalArgs, RunArgs, thread_count};
use crate::cli::io::bar::Bar;
use crate::cli::io::exit::{Exit, name_of};
use crate::cli::io::interrupt;
use crate::cli::io::names::shown;
use crate::cli::io::single::{self, only, print, tell_dropped};
use crate::puzzle::Puzzle;
use crate::shards::journal::{Journal, KIND};
use crate::shards::lines::{self, Header};

/// What is over in this time needs no shards.
const TRIAL: Duration = Duration::from_secs(2);
/// About the nodes of a shard: a second of a plain search.
const SHARD_NODES: f64 = 5e6;
/// How many shards there are, if nobody says it and one is not enough.
const SHARDS: (usize, usize) = (64, 2000);

/// Why a journal cannot be used.
enum Trouble {
    /// Something is wrong with it, or it cannot be written.
    Fault(String),
    /// A limit was reached before there was anything to write.
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

/// Counts the solutions of the puzzle with a journal, and prints the count.
pub(in crate::cli) fn run(run: &RunArgs, path: &Path, asked: &JournalArgs) -> Exit {
    let cancel = interrupt::flag();
    interrupt::outlive_size_limit();
    let Some((kind, puzzle)) = only(&run.input) else { return Exit::BadInput };
    let limits = single::limits(cancel, &run.limits);
    let bar = Bar::start(!run.output.quiet);
    let mut count = JournalCount {
        puzzle: puzzle.as_ref(),
        limits,
        threads: thread_count(run.threads),
        is_quiet: run.output.quiet,
        bar: &bar,
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
                say!("puzzle 1: stopped by the limit of {what}; the same command goes on");
            }
            (false, Exit::Limited)
        }
    };
    print(kind, &known, is_complete, run.output.json, exit)
}

/// A count with a journal.
struct JournalCount<'c> {
    puzzle: &'c dyn Puzzle,
    limits: Limits,
    threads: usize,
    is_quiet: bool,
    bar: &'c Bar,
    /// The solutions that are certain.
    known: BigUint,
}

impl JournalCount<'_> {
    fn run(&mut self, path: &Path, asked: Option<usize>) -> Result<(), Trouble> {
        let digest = Sha256Digest::of(self.puzzle.problem(), self.puzzle.given(), &self.limits)?;
        let mut journal = Journal::open(path, shown(path))?;
        let mut tally = ShardTally::new(digest);
        let plan = journal.read(&digest, asked, &mut tally)?;
        self.known = tally.known().clone();
        tell_dropped(journal.name(), journal.dropped, self.is_quiet);
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
                    text += &lines::seal(&lines::of_count(&count, 0.0));
                    journal.seconds.insert(count.id, 0.0);
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

    /// Says into how many shards the count is split, and the count if there was no need to.
    fn plan(&mut self, asked: Option<usize>) -> Result<(usize, Option<BigUint>), Limit> {
        if let Some(asked) = asked {
            return Ok((asked, None));
        }
        let (problem, given) = (self.puzzle.problem(), self.puzzle.given());
        let trial_ends = Instant::now() + TRIAL;
        let deadline = self.limits.deadline.map_or(trial_ends, |deadline| deadline.min(trial_ends));
        let limits = self.limits.clone().deadline(deadline);
        self.bar.tell("trying whether the count is short");
        let cores = Cores::new(if self.threads == 1 { 0 } else { self.threads });
        let busy = cores.occupy();
        let trial = Counter::new(Arc::clone(problem)).on(&cores).count(given, &limits);
        drop(busy);
        if trial.end == End::Exhausted {
            return Ok((1, Some(trial.total())));
        }
        self.known = trial.total();
        self.limits.check()?;
        let whole = split(problem, given, 1, &self.limits)?;
        let nodes: f64 = whole.iter().map(|shard| shard.estimate).sum();
        let (least, most) = SHARDS;
        Ok((((nodes / SHARD_NODES) as usize).clamp(least, most), None))
    }

    /// Counts all shards that are not in the tally yet, the dearest first.
    fn work(
        &mut self,
        digest: &Sha256Digest,
        shards: &[Shard],
        journal: &mut Journal,
        tally: &mut ShardTally,
    ) -> Result<(), Trouble> {
        let mut progress = ShardProgress::new(shards.iter().map(|shard| shard.estimate));
        let mut order = crew::dearest_first(shards);
        order.retain(|&place| {
            let id = shards[place].id(digest);
            if tally.has(id) {
                let seconds = journal.seconds.get(&id).copied();
                progress.add(shards[place].estimate, seconds.unwrap_or_default());
            }
            !tally.has(id)
        });
        let (mut cut, mut lost) = (None, None);
        self.bar.tell(&progress.words(self.threads));
        let problem = self.puzzle.problem();
        let ran = crew::count(problem, shards, &order, self.threads, &self.limits, None, |works| {
            let mut text = String::new();
            let mut counts = Vec::new();
            for ShardWork { place, report, time } in works {
                let shard = &shards[place];
                match report.end {
                    End::Exhausted => {
                        let count = shard.counted(digest, report.total());
                        text += &lines::seal(&lines::of_count(&count, time.as_secs_f64()));
                        counts.push(count);
                        progress.add(shard.estimate, time.as_secs_f64());
                    }
                    End::Limit(limit) => cut = Some(limit),
                    _ => {}
                }
            }
            // Only what is in the journal counts.
            let kept = journal.append(&text).map_err(Trouble::from);
            let kept = kept.and_then(|()| {
                counts.into_iter().try_for_each(|count| {
                    tally.add(count).map(drop).map_err(|fault| Trouble::Fault(fault.to_string()))
                })
            });
            lost = kept.err();
            self.bar.tell(&progress.words(self.threads));
            lost.is_none()
        });
        self.known = tally.known().clone();
        if let Some(trouble) = lost {
            return Err(trouble);
        }
        ran.map_err(|error| format!("cannot start a thread: {error}"))?;
        match cut.or_else(|| self.limits.check().err()) {
            Some(limit) if tally.len() < shards.len() => Err(limit.into()),
            _ => Ok(()),
        }
    }
}
