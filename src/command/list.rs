//! The command `list` prints every solution of each puzzle.

use crate::io::args::{JournalArgs, RunArgs, ShowArgs};
use crate::io::exit::Exit;
use crate::jobs;
use crate::search::{self, Goal};

pub(super) fn run(run: &RunArgs, show: &ShowArgs, parts: &JournalArgs) -> Exit {
    if let Some(path) = &parts.journal {
        if show.pictures.is_wanted() {
            say!("expected pictures or a journal, found both (--journal)");
            return Exit::BadInput;
        }
        return jobs::list_with_journal(run, show, path, parts);
    }
    search::run(run, Some(show), Goal::Show(run.limits.limit), false)
}
