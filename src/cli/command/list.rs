//! The command `list`: every solution of each puzzle.

use crate::cli::io::args::{JournalArgs, RunArgs, ShowArgs};
use crate::cli::io::exit::Exit;
use crate::cli::search::{self, Goal};
use crate::cli::shards;

pub(super) fn run(run: &RunArgs, show: &ShowArgs, parts: &JournalArgs) -> Exit {
    if let Some(path) = &parts.journal {
        if show.pictures.is_wanted() {
            say!("expected pictures or a journal, found both (--journal)");
            return Exit::BadInput;
        }
        return shards::list_with_journal(run, show, path, parts);
    }
    search::run(run, Some(show), Goal::Show(run.limits.limit), false)
}
