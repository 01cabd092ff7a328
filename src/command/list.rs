//! The command `list` prints every solution of each puzzle.

use crate::io::args::{JournalArgs, ProofArgs, RunArgs, ShowArgs};
use crate::io::exit::Exit;
use crate::jobs;
use crate::proof;
use crate::search::{self, Goal};

pub(super) fn run(run: &RunArgs, show: &ShowArgs, proof: &ProofArgs, parts: &JournalArgs) -> Exit {
    if let Some(path) = &parts.journal {
        if show.pictures.is_wanted() {
            say!("expected pictures or a journal, found both (--journal)");
            return Exit::BadInput;
        }
        return jobs::list_with_journal(run, show, path, parts);
    }
    let goal = Goal::Show(run.limits.limit);
    if let Some(file) = &proof.proof {
        return proof::covers::list(run, show, goal, file);
    }
    search::run(run, Some(show), goal, false)
}
