//! The command `count` prints the number of solutions of each puzzle, in total, per option or per
//! cost.

use crate::diagram::{self, DiagramQuestion};
use crate::io::args::pictures::PictureArgs;
use crate::io::args::{Ask, CountArgs, CountProof};
use crate::io::exit::Exit;
use crate::jobs;
use crate::proof;
use crate::scratch::count_with_scratch;
use crate::search::{self, Goal};
use puzzle::cover;

pub(super) fn run(asked: CountArgs) -> Exit {
    let CountArgs { run, check, trace, per_option, histogram, names, proof, parts, scratch } = asked;
    if let Some(path) = &parts.journal {
        return jobs::count_with_journal(&run, path, &parts);
    }
    if let Some(path) = &scratch {
        return count_with_scratch(&run, path);
    }
    if let Some(path) = trace {
        return proof::counts::write_trace(&run, &path);
    }
    match &proof {
        Some(CountProof::Covers(file)) => return proof::covers::count(&run, file),
        Some(CountProof::Diagram(path)) => return proof::counts::write_count(&run, path),
        None => {}
    }
    let is_diagram = || run.input.from.as_deref().and_then(cover::diagram_by_name).is_some();
    let question = match (per_option, histogram) {
        (true, _) => Some(DiagramQuestion::PerOption),
        (_, true) => Some(DiagramQuestion::Histogram),
        _ if is_diagram() => Some(DiagramQuestion::Count),
        _ => None,
    };
    match question {
        Some(question) => diagram::run(&Ask::from(run), &question, &PictureArgs::default()),
        None if check => search::run(&run, None, Goal::CountTwice, names),
        None => search::run(&run, None, Goal::Count(run.limits.limit), names),
    }
}
