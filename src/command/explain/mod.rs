//! The commands `explain`, `hint` and `rate`, which print all logical steps to the solution, the
//! next step, and the difficulty of the hardest step.
//!
//! Each thread takes one puzzle at a time. The answers keep the order of the input.

pub(super) mod score;
mod worker;

use std::io::Write as _;
use std::sync::Arc;

use self::worker::{ExplainBlock, ExplainWorker};
use crate::io::args::pictures::PictureArgs;
use crate::io::args::{ExplainArgs, PuzzleLimits, thread_count};
use crate::io::batch::{self, Jobs, Sink};
use crate::io::exit::Exit;
use crate::io::gallery::{Gallery, PictureMaker};
use crate::io::notices::NoticeCounts;
use crate::io::source::{NumberedPuzzle, Puzzles};
use crate::io::{interrupt, memory, output};
use techniques::Technique;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StepQuestion {
    Explain,
    /// The next step, or a step of the given technique.
    Hint(Option<&'static Technique>),
    Rate,
}

struct PuzzleJobs(Puzzles);

impl Iterator for PuzzleJobs {
    type Item = NumberedPuzzle;

    fn next(&mut self) -> Option<NumberedPuzzle> {
        self.0.next()
    }
}

impl Jobs for PuzzleJobs {
    fn is_ready(&mut self) -> bool {
        self.0.is_ready()
    }

    fn weight(_: &NumberedPuzzle) -> usize {
        1
    }
}

pub(super) fn run(
    asked: &ExplainArgs,
    is_full: bool,
    pictures: &PictureArgs,
    question: StepQuestion,
) -> Exit {
    let mut gallery = match Gallery::open(pictures, asked.output.json) {
        Ok(gallery) => gallery,
        Err(exit) => return exit,
    };
    let maker = PictureMaker::new(pictures);
    let is_silent = gallery.takes_stdout();
    let cancel = interrupt::flag();
    let limits = memory::guard(dlx::Limits::new().cancel(Arc::clone(&cancel)), None);
    let puzzles = Puzzles::new(&asked.input, PuzzleLimits::within(asked.time));
    let puzzles = puzzles.with_covers().quiet(asked.output.quiet);
    let make_worker = || {
        let mut worker = ExplainWorker::new(asked, is_full, question, maker, limits.clone());
        move |chunk: Vec<NumberedPuzzle>, sink: &mut Sink<'_, ExplainBlock>| worker.work(chunk, sink)
    };
    let mut stdout = output::stdout();
    let (mut notices, mut lost, mut undrawn) = (NoticeCounts::default(), None, None);
    let mut worst = Exit::Done;
    let write = |block: ExplainBlock| {
        for (about, text) in &block.notices {
            notices.print(*about, text);
        }
        worst = worst.max(block.exit);
        if !is_silent {
            lost = stdout.write_all(block.out.as_bytes()).err();
        }
        undrawn = block.pictures.iter().find_map(|picture| gallery.add(picture).err());
        lost.is_none() && undrawn.is_none()
    };
    let ran = batch::run(PuzzleJobs(puzzles), thread_count(asked.threads), &cancel, make_worker, write);
    lost = lost.or(stdout.flush().err());
    notices.end();
    if let Some(exit) = undrawn.or_else(|| gallery.finish().err()) {
        return exit;
    }
    if let Some(error) = lost {
        return output::lost(&error);
    }
    if let Err(error) = ran {
        say!("cannot start a thread: {error}");
        return Exit::BadInput;
    }
    if interrupt::happened() { Exit::Interrupted } else { worst }
}
