//! The command `draw`: pictures of the puzzles, as they are.

use crate::cli::io::args::InputArgs;
use crate::cli::io::args::pictures::PictureArgs;
use crate::cli::io::exit::Exit;
use crate::cli::io::gallery::{Gallery, PictureMaker};
use crate::cli::io::interrupt;
use crate::cli::io::notices::{About, NoticeCounts};
use crate::cli::io::source::Puzzles;

/// Runs the command and returns how it ended.
pub(super) fn run(input: &InputArgs, asked: &PictureArgs, is_quiet: bool) -> Exit {
    let mut asked = asked.clone();
    if !asked.is_wanted() {
        asked.svg = Some("-".into());
    }
    draw(input, &asked, is_quiet).unwrap_or_else(|exit| exit)
}

fn draw(input: &InputArgs, asked: &PictureArgs, is_quiet: bool) -> Result<Exit, Exit> {
    let mut gallery = Gallery::open(asked, false)?;
    let maker = PictureMaker::new(asked).ok_or(Exit::BadInput)?;
    let (mut told, mut faults) = (NoticeCounts::default(), 0);
    let mut puzzles = Puzzles::new(input).quiet(is_quiet);
    // From now on an interrupt no longer ends the program at once.
    let _ = interrupt::flag();
    while let Some(job) = puzzles.next_or_end() {
        if interrupt::happened() {
            break;
        }
        let number = job.number;
        let message = match &job.puzzle {
            Err(fault) => fault.to_string(),
            Ok(puzzle) => match puzzle.picture(puzzle.given()) {
                Some(picture) => {
                    gallery.add(&maker.make(&picture, job.origin.caption(job.kind)))?;
                    continue;
                }
                None => format!("puzzle {number}: {} has no picture, or is too large", job.kind),
            },
        };
        faults += 1;
        told.tell(if job.puzzle.is_ok() { About::Unfit } else { About::Unread }, &message);
    }
    told.end();
    gallery.finish()?;
    Ok(match faults {
        _ if interrupt::happened() => Exit::Interrupted,
        0 => Exit::Done,
        _ => Exit::BadInput,
    })
}
