//! The command `man` prints the manual pages, generated from the definition of the command line.
//! The page of a command explains its own options. The page of the program explains the options
//! shared by many commands.

use std::path::Path;

use crate::io::exit::Exit;
use crate::io::{args, output, whole};
use farandole::kinds::KINDS;
use puzzle::{PuzzleSource, TextSource};

/// The shared options, explained on the page of the program.
const SHARED: [&str; 11] =
    ["puzzle", "from", "rules", "boxes", "svg", "png", "html", "pdf", "columns", "theme", "to"];

/// Prints the manual page, or writes the pages of all commands into `folder`.
pub(super) fn run(folder: Option<&Path>) -> Exit {
    let mut command = args::command().disable_help_subcommand(true);
    command.build();
    let Some(folder) = folder else { return output::write_all(&page_of_all(&command), Exit::Done) };
    match write_pages(&command, folder) {
        Ok(()) => Exit::Done,
        Err(message) => {
            say!("{message}");
            Exit::BadInput
        }
    }
}

fn write_pages(command: &clap::Command, folder: &Path) -> Result<(), String> {
    whole::make_folder(folder)?;
    whole::write(&folder.join("farandole.1"), &page_of_all(command))?;
    for command in command.get_subcommands() {
        let page = folder.join(format!("farandole-{}.1", command.get_name()));
        whole::write(&page, &rendered(of_command(command)))?;
    }
    Ok(())
}

fn rendered(command: clap::Command) -> Vec<u8> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page).expect(IN_MEMORY);
    page
}

fn page_of_all(command: &clap::Command) -> Vec<u8> {
    let mut page = rendered(command.clone());
    let draws = command.find_subcommand("solve").expect("it is a command");
    let shared = draws.get_arguments().filter(|argument| is_shared(argument)).cloned();
    let shared = clap::Command::new("farandole")
        .disable_help_flag(true)
        .args(shared.map(|argument| argument.help_heading(None::<&str>)));
    let mut options = Vec::new();
    clap_mangen::Man::new(shared).render_options_section(&mut options).expect(IN_MEMORY);
    let options = String::from_utf8_lossy(&options).replacen(".SH OPTIONS", ".SH COMMON OPTIONS", 1);
    page.extend_from_slice(options.as_bytes());
    page.extend_from_slice(rules().as_bytes());
    page
}

/// Returns a copy of `command` whose page refers to the page of the program for shared options.
fn of_command(command: &clap::Command) -> clap::Command {
    let usage = usage(command);
    let shared: Vec<String> = command
        .get_arguments()
        .filter(|argument| is_shared(argument))
        .filter_map(|argument| argument.get_long().map(|name| format!("--{name}")))
        .collect();
    let mut after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    if !shared.is_empty() {
        after = format!("farandole(1) explains {}.\n\n{after}", shared.join(", "));
    }
    let hidden = command.clone().mut_args(|argument| {
        let is_hidden = argument.is_hide_set() || is_shared(&argument);
        argument.hide(is_hidden)
    });
    hidden.override_usage(usage).after_help(after)
}

fn is_shared(argument: &clap::Arg) -> bool {
    argument.get_long().is_some_and(|name| SHARED.contains(&name)) && !argument.is_required_set()
}

/// Returns the synopsis of a command with all its options and their values.
fn usage(command: &clap::Command) -> String {
    let mut usage = format!("farandole {}", command.get_name());
    let values = |argument: &clap::Arg| match argument.get_value_names() {
        Some(names) if argument.get_action().takes_values() => names.join(" "),
        _ => String::new(),
    };
    let is_shown =
        |argument: &&clap::Arg| !argument.is_hide_set() && argument.get_long() != Some("help");
    let (positional, options): (Vec<&clap::Arg>, Vec<&clap::Arg>) =
        command.get_arguments().filter(is_shown).partition(|argument| argument.is_positional());
    for argument in options {
        let Some(name) = argument.get_long() else { continue };
        let value = values(argument);
        let is_optional = argument.get_num_args().is_some_and(|range| range.min_values() == 0);
        let text = match (value.is_empty(), is_optional) {
            (true, _) => format!("--{name}"),
            (false, true) => format!("--{name}[={value}]"),
            (false, false) => format!("--{name} {value}"),
        };
        usage += &if argument.is_required_set() { format!(" {text}") } else { format!(" [{text}]") };
    }
    for argument in positional {
        let many = argument.get_num_args().is_some_and(|range| range.max_values() > 1);
        let text = values(argument) + if many { "..." } else { "" };
        usage += &if argument.is_required_set() { format!(" {text}") } else { format!(" [{text}]") };
    }
    usage
}

/// The reason why rendering a page cannot fail, for `expect`.
const IN_MEMORY: &str = "writing to memory does not fail";

/// Returns the section that explains the text format of each kind of puzzle.
fn rules() -> String {
    let mut page = String::new();
    for kind in KINDS {
        let PuzzleSource::Text(TextSource { rules, example, .. }) = kind.source else { continue };
        if rules.is_empty() {
            continue;
        }
        // Protect a dot or quote at the start of a line, which would start a troff command.
        let quoted = |text: &str| -> String {
            let lines = text.lines().map(|line| line.replace('\\', "\\e").replace('-', "\\-"));
            lines.map(|line| format!("\\&{line}\n")).collect()
        };
        pushln!(page, ".SH TEXTS OF THE KIND {}", kind.name.to_uppercase());
        push!(page, ".nf\n{}\n{}.fi\n", quoted(rules), quoted(example));
    }
    page
}
