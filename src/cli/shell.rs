//! The commands `completions` and `man`: made from the definition of the command line.

use std::io::{self, Write};
use std::path::Path;

use clap::CommandFactory;
use clap_complete::Shell;

use super::args::Cli;
use super::exit::Exit;

/// Prints the completion script of `shell`.
pub(super) fn completions(shell: Shell) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "farandole", &mut script);
    // A closed pipe is not an error.
    let _ = io::stdout().write_all(&script);
    Exit::Done
}

/// Prints the manual page, or writes the pages of all commands into `folder`.
pub(super) fn man(folder: Option<&Path>) -> Exit {
    let command = Cli::command();
    let result = match folder {
        Some(folder) => clap_mangen::generate_to(command, folder),
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page).map(|()| {
                // A closed pipe is not an error.
                let _ = io::stdout().write_all(&page);
            })
        }
    };
    match result {
        Ok(()) => Exit::Done,
        Err(error) => {
            let place = folder.unwrap_or(Path::new("-")).display();
            say!("{place}: cannot write: {error}");
            Exit::BadInput
        }
    }
}
