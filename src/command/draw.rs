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
    let (mut told, mut faults, mut is_cut) = (NoticeCounts::default(), 0, false);
    // From here on, the first interrupt sets a flag and does not end the program.
    let limits = memory::guard(Limits::new().cancel(interrupt::flag()), bounds.memory);
    let mut puzzles = Puzzles::new(input, bounds.time, bounds.memory).quiet(is_quiet);
    while let Some(job) = puzzles.next_or_end() {
        if interrupt::happened() {
            break;
        }
        let number = job.number;
        let message = match &job.puzzle {
            Err(fault) if fault.exit() == Exit::Limited => {
                told.tell(About::Cut, &fault.to_string());
                is_cut = true;
                memory::recover();
                continue;
            }
            Err(fault) => fault.to_string(),
            Ok(puzzle) => {
                let compose = || puzzle.picture(puzzle.given());
                let limits = limits.clone().within(bounds.time);
                match maker.make(compose, job.origin.caption(job.kind), &limits) {
                    Ok(Some(drawn)) => {
                        gallery.add(&drawn)?;
                        continue;
                    }
                    Ok(None) => {
                        format!("puzzle {number}: {} has no picture, or is too large", job.kind)
                    }
                    Err(Limit::Cancelled) => break,
                    Err(limit) => {
                        told.tell(About::Cut, &undrawn(number, limit));
                        is_cut = true;
                        memory::recover();
                        continue;
                    }
                }
            }
        };
        faults += 1;
        told.tell(if job.puzzle.is_ok() { About::Unfit } else { About::Unread }, &message);
    }
    told.end();
    gallery.finish()?;
    Ok(match faults {
        _ if interrupt::happened() => Exit::Interrupted,
        faults if faults > 0 => Exit::BadInput,
        _ if is_cut => Exit::Limited,
        _ => Exit::Done,
    })
}
