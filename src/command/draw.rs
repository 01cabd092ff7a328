//! The command `draw` draws the puzzles without their solutions.

use dlx::{Limit, Limits};

use crate::io::args::pictures::PictureArgs;
use crate::io::args::{InputArgs, PuzzleLimits};
use crate::io::exit::Exit;
use crate::io::gallery::{Gallery, PictureMaker, undrawn};
use crate::io::notices::{About, NoticeCounts};
use crate::io::source::Puzzles;
use crate::io::{interrupt, memory};

pub(super) fn run(
    input: &InputArgs,
    asked: &PictureArgs,
    bounds: PuzzleLimits,
    is_quiet: bool,
) -> Exit {
    let mut asked = asked.clone();
    if !asked.is_wanted() {
        asked.svg = Some("-".into());
    }
    draw(input, &asked, bounds, is_quiet).unwrap_or_else(|exit| exit)
}

fn draw(
    input: &InputArgs,
    asked: &PictureArgs,
    bounds: PuzzleLimits,
    is_quiet: bool,
) -> Result<Exit, Exit> {
    let mut gallery = Gallery::open(asked, false)?;
    let maker = PictureMaker::new(asked).ok_or(Exit::BadInput)?;
    let (mut notices, mut exit) = (NoticeCounts::default(), Exit::Done);
    // From here on, the first interrupt sets a flag and does not end the program.
    let limits = memory::guard(Limits::new().cancel(interrupt::flag()), bounds.memory);
    let mut puzzles = Puzzles::new(input, bounds).quiet(is_quiet);
    while let Some(job) = puzzles.next_or_end() {
        if interrupt::happened() {
            break;
        }
        let number = job.number;
        let (about, message) = match &job.puzzle {
            Err(fault) if fault.exit() == Exit::Limited => (About::Cut, fault.to_string()),
            Err(fault) => (About::Unread, fault.to_string()),
            Ok(puzzle) => {
                let compose = || puzzle.picture(puzzle.given());
                let limits = limits.clone().within(bounds.time);
                match maker.make(compose, job.origin.caption(job.kind), &limits) {
                    Ok(Some(drawn)) => {
                        gallery.add(&drawn)?;
                        continue;
                    }
                    Ok(None) => {
                        let kind = job.kind;
                        let message =
                            format!("puzzle {number}: {kind} has no picture, or is too large");
                        (About::Unfit, message)
                    }
                    Err(Limit::Cancelled) => break,
                    Err(limit) => (About::Cut, undrawn(number, limit)),
                }
            }
        };
        notices.print(about, &message);
        exit = exit.max(if about == About::Cut { Exit::Limited } else { Exit::BadInput });
        memory::recover();
    }
    notices.end();
    gallery.finish()?;
    Ok(if interrupt::happened() { Exit::Interrupted } else { exit })
}
