//! The commands `completions` and `man`: made from the definition of the command line.

use std::fs;
use std::io;
use std::path::Path;

use clap::CommandFactory;
use clap_complete::Shell;

use super::args::Cli;
use super::exit::Exit;
use super::names::shown;
use super::{output, whole};

/// Prints the completion script of `shell`.
pub(super) fn completions(shell: Shell) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "farandole", &mut script);
    output::write_all(&script, Exit::Done)
}

/// Prints the manual page, or writes the pages of all commands into `folder`.
pub(super) fn man(folder: Option<&Path>) -> Exit {
    let command = Cli::command();
    let Some(folder) = folder else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page).expect("writing to memory does not fail");
        return output::write_all(&page, Exit::Done);
    };
    match write_pages(command, folder) {
        Ok(()) => Exit::Done,
        Err(message) => {
            say!("{message}");
            Exit::BadInput
        }
    }
}

/// Writes the page of each command into a folder, which is made if it is not there.
fn write_pages(command: clap::Command, folder: &Path) -> Result<(), String> {
    whole::make_folder(folder)?;
    let no_place = |error: io::Error| format!("{}: cannot write: {error}", shown(folder));
    // What makes the pages writes them into files, and not whole.
    let pages = tempfile::tempdir().map_err(no_place)?;
    clap_mangen::generate_to(command, &pages).map_err(no_place)?;
    for page in fs::read_dir(&pages).map_err(no_place)? {
        let page = page.map_err(no_place)?;
        let text = fs::read(page.path()).map_err(no_place)?;
        whole::write(&folder.join(page.file_name()), &text)?;
    }
    Ok(())
}
