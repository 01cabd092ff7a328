//! `check --candidates` reports which symbols or options occur in some solution of each puzzle.

mod draw;
mod show;

use std::io::{self, Write};

use dlx::{End, Limit, Limits};
use serde_json::json;

use crate::io::args::pictures::PictureArgs;
use crate::io::args::{CheckArgs, InputArgs, OutputArgs, PuzzleLimits};
use crate::io::exit::Exit;
use crate::io::gallery::{Gallery, PictureMaker, undrawn};
use crate::io::notices::{About, NoticeCounts};
use crate::io::source::Puzzles;
use crate::io::{interrupt, memory, output};
use farandole::candidates::TrueCandidates;
use puzzle::Puzzle;

/// The true candidates of a puzzle, and the limit that left some undecided.
pub(super) struct CandidateAnswer {
    pub(super) candidates: TrueCandidates,
    cut: Option<Limit>,
}

impl CandidateAnswer {
    /// Searches the true candidates within the limits, and counts their solutions up to `limit`.
    pub(super) fn find(puzzle: &dyn Puzzle, limit: u32, limits: &Limits) -> Self {
        let mut candidates = TrueCandidates::new(limit);
        let cut = match candidates.search(puzzle, limits) {
            End::Limit(limit) => Some(limit),
            _ => None,
        };
        Self { candidates, cut }
    }

    /// Returns the numbers of true and of unknown candidates.
    fn totals(&self) -> (usize, usize) {
        let facts = self.candidates.facts();
        let count = |wanted| facts.iter().filter(|fact| fact.is_true() == wanted).count();
        (count(Some(true)), count(None))
    }

    fn exit(&self) -> Exit {
        match (self.totals(), self.cut) {
            (_, Some(_)) => Exit::Limited,
            ((0, 0), None) => Exit::Failed,
            _ => Exit::Done,
        }
    }
}

pub(super) fn run(
    input: &InputArgs,
    asked: &CheckArgs,
    form: &OutputArgs,
    pictures: &PictureArgs,
) -> Exit {
    let mut gallery = match Gallery::open(pictures, form.json) {
        Ok(gallery) => gallery,
        Err(exit) => return exit,
    };
    let maker = PictureMaker::new(pictures);
    let drawing = memory::guard(Limits::new().cancel(interrupt::flag()), None);
    let mut stdout = io::BufWriter::new(output::stdout());
    let mut jobs = Puzzles::new(input, PuzzleLimits::within(asked.time)).quiet(form.quiet);
    let mut notices = NoticeCounts::default();
    let mut exit = Exit::Done;
    while let Some(job) = jobs.next_or_end() {
        let number = job.number;
        let text = match job.puzzle {
            Ok(puzzle) => {
                memory::recover();
                let limits = Limits::new().cancel(interrupt::flag()).within(asked.time);
                let limits = memory::guard(limits.nodes(asked.nodes), None);
                // What is known after an interrupt is printed too.
                let answer = CandidateAnswer::find(puzzle.as_ref(), asked.limit, &limits);
                exit = exit.max(answer.exit());
                let words = answer.words(puzzle.as_ref());
                if let Some(maker) = maker.filter(|_| !interrupt::happened()) {
                    let caption = job.origin.caption(job.kind);
                    let words = format!("{caption}: {words}");
                    let compose = || {
                        let mut picture = answer.picture(puzzle.as_ref())?;
                        picture.caption(words);
                        Some(picture)
                    };
                    match maker.make(compose, caption, &drawing) {
                        Ok(Some(drawn)) => {
                            if let Err(exit) = gallery.add(&drawn) {
                                return exit;
                            }
                        }
                        Ok(None) => {
                            let message = format!(
                                "puzzle {number}: {} has no picture, or is too large",
                                job.kind
                            );
                            notices.print(About::Unfit, &message);
                            exit = exit.max(Exit::BadInput);
                        }
                        Err(Limit::Cancelled) => {}
                        Err(limit) => {
                            notices.print(About::Cut, &undrawn(number, limit));
                            exit = exit.max(Exit::Limited);
                        }
                    }
                }
                if form.json {
                    format!("{}\n", job.origin.object(number, answer.json(job.kind, puzzle.as_ref())))
                } else {
                    let mut text = format!("{words}\n");
                    answer.write(puzzle.as_ref(), &mut text);
                    text
                }
            }
            Err(fault) => {
                if interrupt::happened() {
                    break;
                }
                exit = exit.max(if fault.limit().is_some() { Exit::Limited } else { Exit::BadInput });
                notices.print(About::Unread, &fault.to_string());
                let error = json!({ "error": fault.to_string().trim_end() });
                if form.json {
                    format!("{}\n", job.origin.object(number, error))
                } else {
                    "error\n".to_owned()
                }
            }
        };
        if !gallery.takes_stdout() {
            let written = stdout.write_all(text.as_bytes());
            let written = if jobs.is_ready() { written } else { written.and_then(|()| stdout.flush()) };
            if let Err(error) = written {
                return output::lost(&error);
            }
        }
        if interrupt::happened() {
            break;
        }
    }
    notices.end();
    if let Err(exit) = gallery.finish() {
        return exit;
    }
    if let Err(error) = stdout.flush() {
        return output::lost(&error);
    }
    if interrupt::happened() { Exit::Interrupted } else { exit }
}
