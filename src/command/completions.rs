//! The command `completions` prints the completion script for a shell.

use clap_complete::Shell;

use crate::io::exit::Exit;
use crate::io::{args, output};

pub(super) fn run(shell: Shell) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut args::command(), "farandole", &mut script);
    output::write_all(&script, Exit::Done)
}
