//! `list --journal` stores the finished parts of a list in a file, so that the list can be resumed.
//!
//! The file format is described in `crates/farandole/src/shards/list.rs`. Covers are printed from
//! the file, shard by shard in order, once each shard is complete. Every run therefore prints the
//! same list from its beginning, even if earlier runs were stopped.

use std::mem;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dlx::parallel::Cores;
use dlx::shards::{CoversDigest, Sha256Digest, Shard, ShardId, ShardLister, split_apart};
use dlx::{BigUint, End, Limit, Limits, OptionId, Report};

use super::crew;
use super::journal::AUTO;
use super::progress::ShardProgress;
use crate::io::args::{JournalArgs, RunArgs, ShowArgs, thread_count};
use crate::io::bar::Bar;
use crate::io::exit::Exit;
use crate::io::interrupt;
use crate::io::names::shown;
use crate::io::single::{self, only_job, warn_dropped_line};
use crate::io::source::Puzzles;
use crate::search::{Goal, Listed, list_alone};
use farandole::shards::lines::Header;
use farandole::shards::list::{CoverLine, ListJournal};
use puzzle::Puzzle;

/// Number of nodes per shard: about a second of a plain search.
const SHARD_NODES: f64 = 5e6;
/// Largest number of shards if the user gives no number.
const SHARDS_MAX: usize = 2000;

pub(crate) fn run(run: &RunArgs, show: &ShowArgs, path: &Path, asked: &JournalArgs) -> Exit {
    if run.engine != AUTO {
        say!(
            "--engine {} cannot be used with --journal of a list, whose order is always the same",
            run.engine
        );
        return Exit::BadInput;
    }
    let cancel = interrupt::flag();
    interrupt::outlive_size_limit();
    let puzzles = Puzzles::new(&run.input, run.limits.puzzle());
    let job = match only_job(puzzles.quiet(run.output.quiet).without_puzzle_notes()) {
        Ok(only) => only,
        Err(exit) => return exit,
    };
    let limits = single::limits(cancel, &run.limits);
    let bar = Bar::start(!run.output.quiet);
    let exit = list_alone(run, show, job, Goal::Show(None), &bar, &limits, &mut |puzzle, visit| {
        let mut list = JournalList {
            puzzle,
            limits: limits.clone(),
            threads: thread_count(run.threads),
            is_quiet: run.output.quiet,
            bar: &bar,
            visit,
            shown: 0,
            is_wanted: true,
            report: Report::empty(End::Exhausted),
        };
        let ended = list.run(path, asked.shards.map(usize::from))?;
        list.report.end = ended.unwrap_or_else(End::Limit);
        Ok(Listed::from(list.report))
    });
    bar.finish();
    exit
}

struct JournalList<'l> {
    puzzle: &'l dyn Puzzle,
    limits: Limits,
    threads: usize,
    is_quiet: bool,
    bar: &'l Bar,
    visit: &'l mut dyn FnMut(&[OptionId]) -> ControlFlow<()>,
    /// The number of covers printed, and whether the reader of the output wants more.
    shown: u64,
    is_wanted: bool,
    report: Report,
}

/// A message of a thread about its shard: some covers, or the end of the shard.
enum ListEvent {
    Covers { place: usize, covers: CoverLine },
    Whole { place: usize, report: Report, digest: CoversDigest, time: Duration },
}

impl JournalList<'_> {
    /// Lists the covers. The outer error is an error of the journal, the inner error is a limit.
    fn run(&mut self, path: &Path, asked: Option<usize>) -> Result<Result<End, Limit>, String> {
        let (problem, given) = (self.puzzle.problem(), self.puzzle.given());
        let digest = match Sha256Digest::of(problem, given, &self.limits) {
            Ok(digest) => digest,
            Err(limit) => return Ok(Err(limit)),
        };
        let mut journal = ListJournal::open(path, shown(path), digest)?;
        let header = journal.read(asked)?;
        warn_dropped_line(journal.name(), journal.dropped, self.is_quiet);
        let shards = match self.split(header.as_ref().map(|header| header.asked).or(asked)) {
            Ok((asked, shards)) => {
                match header {
                    Some(header) => header.expect_shards(&shards, journal.name())?,
                    None => journal.begin(&Header::new(digest, asked, &shards))?,
                }
                shards
            }
            Err(limit) => return Ok(Err(limit)),
        };
        let ended = self.work(&digest, &shards, &mut journal)?;
        if ended == Ok(End::Exhausted) {
            assert_eq!(journal.total()?, BigUint::from(self.shown), "all that is there is shown");
        }
        Ok(ended)
    }

    /// Splits the problem into `asked` shards, or by default into shards of about a second each.
    fn split(&self, asked: Option<usize>) -> Result<(usize, Vec<Shard>), Limit> {
        self.bar.tell("splitting the list into shards");
        let split =
            |count| split_apart(self.puzzle.problem(), self.puzzle.given(), count, &self.limits);
        let asked = match asked {
            Some(asked) => asked,
            None => {
                let nodes: f64 = split(1)?.iter().map(|shard| shard.estimate).sum();
                ((nodes / SHARD_NODES) as usize).clamp(1, SHARDS_MAX)
            }
        };
        Ok((asked, split(asked)?))
    }

    /// Lists all shards that are not in the journal yet, in order, and prints the covers of
    /// complete shards.
    fn work(
        &mut self,
        digest: &Sha256Digest,
        shards: &[Shard],
        journal: &mut ListJournal,
    ) -> Result<Result<End, Limit>, String> {
        let ids: Vec<ShardId> = shards.iter().map(|shard| shard.id(digest)).collect();
        let mut progress = ShardProgress::new(shards.iter().map(|shard| shard.estimate));
        let mut order = Vec::new();
        for (place, id) in ids.iter().enumerate() {
            match journal.seconds(*id) {
                Some(seconds) => progress.add(shards[place].estimate, seconds),
                None => order.push(place),
            }
        }
        self.bar.tell(&progress.words(self.threads));
        let mut next = 0;
        self.show(&ids, &mut next, journal)?;
        if !self.is_wanted {
            return Ok(Ok(End::Stopped));
        }
        let problem = Arc::clone(self.puzzle.problem());
        let begin = |cores: &Arc<Cores>| {
            let mut lister = ShardLister::new(Arc::clone(&problem)).on(cores);
            move |place: usize, limits: &Limits, send: &dyn Fn(ListEvent) -> bool| {
                list_shard(&mut lister, place, &shards[place], limits, send)
            }
        };
        let (mut cut, mut lost) = (None, None);
        crew::run(order, self.threads, &self.limits.clone(), &|_| None, begin, |found, _| {
            let (mut taken, mut has_whole) = (Ok(()), false);
            for found in found {
                taken = taken.and_then(|()| match found {
                    ListEvent::Covers { place, covers } => journal.add(ids[place], &covers),
                    ListEvent::Whole { place, report, digest, time } => {
                        self.report.nodes += report.nodes;
                        self.report.updates += report.updates;
                        match report.end {
                            End::Exhausted => {
                                has_whole = true;
                                progress.add(shards[place].estimate, time.as_secs_f64());
                                let (count, nodes) = (report.total(), report.nodes);
                                journal.end(&shards[place], count, digest, time, nodes)
                            }
                            End::Limit(limit) => {
                                cut = Some(limit);
                                Ok(())
                            }
                            _ => Ok(()),
                        }
                    }
                });
            }
            // Print covers only after they were written to disk.
            let kept = taken.and_then(|()| if has_whole { journal.sync() } else { Ok(()) });
            lost = kept.and_then(|()| self.show(&ids, &mut next, journal)).err();
            self.bar.tell(&progress.words(self.threads));
            lost.is_none() && self.is_wanted
        });
        if let Some(message) = lost {
            return Err(message);
        }
        if !self.is_wanted {
            return Ok(Ok(End::Stopped));
        }
        match cut.or_else(|| self.limits.check().err()) {
            Some(limit) if next < shards.len() => Ok(Err(limit)),
            _ => Ok(Ok(End::Exhausted)),
        }
    }

    /// Prints the covers of consecutive complete shards, starting with shard `next`.
    fn show(&mut self, ids: &[ShardId], next: &mut usize, journal: &ListJournal) -> Result<(), String> {
        let option_count = self.puzzle.problem().option_count();
        while let Some(&id) = ids.get(*next)
            && journal.seconds(id).is_some()
        {
            let shown = &mut self.shown;
            let visit = &mut self.visit;
            let went = journal.covers(id, option_count, &mut |cover| {
                *shown += 1;
                if interrupt::happened() { ControlFlow::Break(()) } else { visit(cover) }
            })?;
            if went.is_break() {
                self.is_wanted = false;
                break;
            }
            *next += 1;
        }
        Ok(())
    }
}

/// Lists one shard and sends its covers; returns `false` if the receiver was dropped.
fn list_shard(
    lister: &mut ShardLister,
    place: usize,
    shard: &Shard,
    limits: &Limits,
    send: &dyn Fn(ListEvent) -> bool,
) -> bool {
    let begun = Instant::now();
    let (mut covers, mut digest) = (CoverLine::default(), CoversDigest::default());
    let report = lister.search(shard, limits, &mut |cover| {
        digest.add(cover);
        covers.push(cover);
        if !covers.is_full() {
            return ControlFlow::Continue(());
        }
        let covers = mem::take(&mut covers);
        match send(ListEvent::Covers { place, covers }) {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    });
    if !covers.is_empty() && !send(ListEvent::Covers { place, covers }) {
        return false;
    }
    send(ListEvent::Whole { place, report, digest, time: begun.elapsed() })
}
