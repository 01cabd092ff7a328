//! The command `man`: the manual pages, made from the definition of the command line.

use std::fs;
use std::io;
use std::path::Path;

use crate::cli::io::exit::Exit;
use crate::cli::io::names::shown;
use crate::cli::io::{args, output, whole};
use crate::puzzle::{KINDS, PuzzleSource, TextSource};

/// Prints the manual page, or writes the pages of all commands into `folder`.
pub(super) fn run(folder: Option<&Path>) -> Exit {
    let command = args::command();
    let Some(folder) = folder else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page).expect("writing to memory does not fail");
        page.extend_from_slice(rules().as_bytes());
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

/// Returns a section for each kind of puzzle whose texts have rules of their own.
fn rules() -> String {
    let mut page = String::new();
    for kind in KINDS {
        let PuzzleSource::Text(TextSource { rules, example, .. }) = kind.source else { continue };
        if rules.is_empty() {
            continue;
        }
        // A dot or a quote that begins a line would be a command.
        let quoted = |text: &str| -> String {
            let lines = text.lines().map(|line| line.replace('\\', "\\e").replace('-', "\\-"));
            lines.map(|line| format!("\\&{line}\n")).collect()
        };
        pushln!(page, ".SH TEXTS OF THE KIND {}", kind.name.to_uppercase());
        push!(page, ".nf\n{}\n{}.fi\n", quoted(rules), quoted(example));
    }
    page
}
