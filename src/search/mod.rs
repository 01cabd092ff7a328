//! The search of `solve`, `list` and `count`. Puzzles are searched on all threads and answered in
//! order.
//!
//! `worker` is a thread. `lines` searches blocks of plain 9x9 Sudoku, `searcher` any other puzzle,
//! and `classes` searches up to symmetry. `answer` writes the results into a `block`, `notes` adds
//! notices, and `tally` adds up totals. `alone` writes the list of one puzzle whose covers come
//! from a callback.

mod alone;
mod answer;
mod block;
mod classes;
mod lines;
mod notes;
mod searcher;
mod tally;
mod worker;

use std::io::{self, Write as _};
use std::time::Instant;

use dlx::parallel::Cores;

pub(crate) use self::alone::{Listed, list_alone};
pub(crate) use self::answer::OptionLists;
use self::block::OutputBlock;
use self::lines::{BatchItem, BatchItems};
use self::tally::BatchTotals;
use self::worker::SearchWorker;
use crate::io::args::{RunArgs, ShowArgs, thread_count};
use crate::io::bar::Bar;
use crate::io::batch::{self, Sink};
use crate::io::exit::Exit;
use crate::io::gallery::Gallery;
use crate::io::notices::NoticeCounts;
use crate::io::source::Puzzles;
use crate::io::{interrupt, output, paint};
use compare::show;
use farandole::algorithm::nine;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// At most this many solutions. `solve` asks for one, and `list` may ask for all.
    Show(Option<u64>),
    /// The cheapest solutions, in this number and proven to be the cheapest.
    Cheapest(usize),
    /// The number of solutions, counted up to this limit if given.
    Count(Option<u64>),
    /// The number of solutions, counted by two different methods.
    CountTwice,
}

impl Goal {
    /// Returns whether the answer is a number only.
    fn is_count(self) -> bool {
        matches!(self, Self::Count(_) | Self::CountTwice)
    }

    pub(crate) fn limit(self) -> Option<u64> {
        match self {
            Self::Show(limit) | Self::Count(limit) => limit,
            Self::Cheapest(_) | Self::CountTwice => None,
        }
    }
}

/// Runs the command and returns the exit code. If `has_names`, the file and line of the puzzle
/// follow each number.
pub(crate) fn run(run: &RunArgs, show: Option<&ShowArgs>, goal: Goal, has_names: bool) -> Exit {
    if let Some(leaf) = run.isa {
        nine::use_leaf(leaf);
    }
    let pictures = show.map(|show| show.pictures.clone()).unwrap_or_default();
    let mut gallery = match Gallery::open(&pictures, run.output.json) {
        Ok(gallery) => gallery,
        Err(exit) => return exit,
    };
    let is_silent = gallery.takes_stdout();
    let cancel = interrupt::flag();
    let is_quiet = run.output.quiet;
    let bar = Bar::start(!is_quiet);
    let threads = thread_count(run.threads);
    let started = Instant::now();
    let mut total = BatchTotals::default();
    let mut stdout = output::stdout();
    let mut has_output = false;
    let mut notices = NoticeCounts::default();
    let (mut lost, mut undrawn) = (None, None);
    // With a node limit the result must be deterministic, so run on one thread.
    let is_alone = threads == 1 || run.limits.nodes.is_some();
    let cores = Cores::new(if is_alone { 0 } else { threads });
    let is_painted = show.is_some_and(|show| paint::use_color(show.color, &io::stdout()));
    let is_painted = is_painted && !run.output.json;
    let make_worker = || {
        let mut worker =
            SearchWorker::new(run.clone(), show, is_painted, goal, has_names, &bar, &cores);
        move |chunk: Vec<BatchItem>, sink: &mut Sink<'_, OutputBlock>| worker.work(chunk, sink)
    };
    let write = |block: OutputBlock| {
        let out = match (has_output, block.out.strip_prefix('\n')) {
            // Skip the blank line that would separate the first output from the previous one.
            (false, Some(rest)) => rest,
            _ => &block.out,
        };
        if !block.notices.is_empty() {
            bar.hide_while(|| {
                block.notices.iter().for_each(|(about, text)| notices.print(*about, text));
            });
        }
        if !out.is_empty() && !is_silent {
            let head = if has_output { "" } else { &block.head };
            has_output = true;
            let written = bar.hide_while(|| {
                stdout.write_all(head.as_bytes())?;
                stdout.write_all(out.as_bytes())
            });
            lost = written.err();
        }
        if !block.pictures.is_empty() && undrawn.is_none() {
            let mut drawn = block.pictures.iter();
            undrawn = bar.hide_while(|| drawn.find_map(|picture| gallery.add(picture).err()));
        }
        bar.add(block.tally.puzzles);
        total.add(block.tally);
        lost.is_none() && undrawn.is_none()
    };
    let has_blocks = !is_painted && lines::suit(run, show, goal);
    let puzzles = Puzzles::new(&run.input, run.limits.puzzle());
    let mut puzzles = puzzles.quiet(is_quiet).without_puzzle_notes();
    let notes = puzzles.keep_notes();
    let tasks = BatchItems::new(puzzles, has_blocks, bar.waiting());
    let ran = batch::run(tasks, threads, &cancel, make_worker, write);
    lost = lost.or(stdout.flush().err());
    bar.finish();
    notices.end();
    notes.print();
    undrawn = undrawn.or_else(|| gallery.finish().err());
    if let Some(exit) = undrawn {
        return exit;
    }
    if let Some(error) = lost {
        return output::lost(&error);
    }
    if let Err(error) = ran {
        say!("cannot start a thread: {error}");
        return Exit::BadInput;
    }
    // Print this hint for a single puzzle only.
    if (total.clashing, total.puzzles) == (1, 1) && !is_quiet {
        say!("puzzle 1: two clues clash; `farandole check` says which");
    }
    if is_silent && total.unsolvable > 0 && !is_quiet {
        say!("{} of {} without a solution", total.unsolvable, show::count(total.puzzles, "puzzle"));
    }
    if run.stats {
        total.print(started.elapsed());
    }
    if interrupt::happened() { Exit::Interrupted } else { total.exit() }
}
