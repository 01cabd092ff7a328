//! The commands `completions` and `man`: made from the definition of the command line.

use std::path::Path;

use clap::CommandFactory;
use clap_complete::Shell;

use super::args::Cli;
use super::exit::Exit;
use super::output;

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
    match clap_mangen::generate_to(command, folder) {
        Ok(()) => Exit::Done,
        Err(error) => {
            say!("{}: cannot write: {error}", folder.display());
            Exit::BadInput
        }
    }
}
