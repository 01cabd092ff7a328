//! The README and the guides say what is true: what they show of the program is run and compared.
//!
//! Of `console` blocks each line that begins with `$ farandole` is
//! run in the folder of the project by a shell, and what follows is what it prints, on both streams; a line `...`
//! stands for any lines, `...` at the end of a line for any rest. Of `sh` blocks, which speak of the reader's files
//! or take long, and of indented code each line that begins with `farandole` must be a command line that the program
//! understands; what stands behind three blanks or `#` is a remark. Rust blocks are doc tests of the crate.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{Ran, finish};

struct Block {
    place: String,
    language: String,
    lines: Vec<String>,
}

/// Returns the README and every file of `docs/` in Markdown.
fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = fs::read_dir(root.join("docs")).into_iter().flatten();
    let mut pages: Vec<PathBuf> = docs.map(|file| file.expect("a file").path()).collect();
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.push(root.join("README.md"));
    pages.sort();
    pages
}

/// Returns the code blocks of a page.
fn blocks(path: &Path) -> Vec<Block> {
    let text = fs::read_to_string(path).expect("a page");
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let place = format!("{name}:{number}");
        match (line.trim_start().strip_prefix("```"), open.take()) {
            (Some(language), None) => {
                let language = language.trim().to_owned();
                open = Some(Block { place, language, lines: Vec::new() });
            }
            (Some(_), Some(block)) => blocks.push(block),
            (None, Some(mut block)) => {
                block.lines.push(line.to_owned());
                open = Some(block);
            }
            (None, None) => {
                if let Some(line) =
                    line.strip_prefix("    ").filter(|line| line.starts_with("farandole "))
                {
                    let (language, lines) = ("sh".to_owned(), vec![line.to_owned()]);
                    blocks.push(Block { place, language, lines });
                }
            }
        }
    }
    assert!(open.is_none(), "{name}: a code block has no end");
    blocks
}

/// Runs a line of the shell in which `farandole` is the program under test.
fn shell(line: &str) -> Ran {
    let program = Path::new(env!("CARGO_BIN_EXE_farandole"));
    let folder = program.parent().expect("a folder").display();
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("PATH='{folder}':\"$PATH\"; exec 2>&1; {line}")]);
    shell.current_dir(env!("CARGO_MANIFEST_DIR"));
    finish(shell, "")
}

/// Tells whether lines are as shown.
fn is_like(shown: &[String], lines: &[&str]) -> bool {
    match (shown, lines) {
        ([], []) => true,
        ([first, rest @ ..], _) if first == "..." => {
            (0..=lines.len()).any(|skipped| is_like(rest, &lines[skipped..]))
        }
        ([first, shown @ ..], [line, lines @ ..]) => {
            let is_same = match first.strip_suffix("...") {
                Some(begin) => line.starts_with(begin.trim_end()),
                None => first.trim_end() == line.trim_end(),
            };
            is_same && is_like(shown, lines)
        }
        _ => false,
    }
}

#[cfg(unix)]
#[test]
fn what_pages_show_of_the_program_is_what_it_prints() {
    let mut count = 0;
    for page in pages() {
        for block in blocks(&page).iter().filter(|block| block.language == "console") {
            let mut rest = &block.lines[..];
            while let [first, others @ ..] = rest {
                let command = first.strip_prefix("$ ");
                let command =
                    command.unwrap_or_else(|| panic!("{}: `{first}` is no command", block.place));
                let end = others.iter().position(|line| line.starts_with("$ ")).unwrap_or(others.len());
                let (shown, next) = others.split_at(end);
                rest = next;
                let command = command.replace("cargo run --release -- ", "farandole ");
                let ran = shell(&command);
                let lines: Vec<&str> = ran.out.lines().collect();
                assert!(is_like(shown, &lines), "{}: {command}\n{}", block.place, ran.out);
                count += 1;
            }
        }
    }
    assert!(count > 5, "{count}");
}

#[test]
fn every_command_line_of_the_pages_is_understood() {
    let mut count = 0;
    for page in pages() {
        for block in blocks(&page).iter().filter(|block| block.language == "sh") {
            for line in block.lines.iter().filter(|line| line.starts_with("farandole ")) {
                let line = line.split(" #").next().unwrap_or_default();
                let line = line.split("   ").next().unwrap_or_default();
                let line = line.split([';', '|', '<', '>']).next().unwrap_or_default();
                let line = if line.matches('\'').count() % 2 == 0 {
                    line.to_owned()
                } else {
                    format!("{line}'")
                };
                let ran = shell(&format!("{line} --help"));
                assert_eq!(ran.code, 0, "{}: {line}\n{}", block.place, ran.out);
                count += 1;
            }
        }
    }
    assert!(count > 5, "{count}");
}

#[test]
fn likeness_of_lines_heeds_the_dots() {
    let is_like = |shown: &str, lines: &str| {
        let shown: Vec<String> = shown.lines().map(str::to_owned).collect();
        is_like(&shown, &lines.lines().collect::<Vec<_>>())
    };
    assert!(is_like("a\n...\nc ...", "a\nb\nb\nc d"));
    assert!(is_like("...", "") && !is_like("a", "a\nb") && !is_like("a ...", "b"));
}

#[cfg(unix)]
#[test]
fn the_examples_of_each_help_text_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("written");
    let sudoku = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..\n";
    write("sudoku.txt", sudoku);
    write("puzzles.txt", &sudoku.repeat(3));
    write("cover.dlx", "a b c\na b |1\nc |2\na |3\nb c |4\n");
    let solution =
        "812753649943682175675491283154237896369845721287169534521974368438526917796318452\n";
    write("solution.txt", solution);
    let overview = shell("farandole --help").out;
    let (_, commands) = overview.split_once("Commands:\n").expect("a list of commands");
    let commands = commands.lines().take_while(|line| !line.trim().is_empty());
    let commands = commands.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let commands: Vec<&str> = commands.filter(|name| !name.is_empty() && *name != "help").collect();
    assert!(commands.len() > 12, "{commands:?}");
    for command in commands {
        let help = shell(&format!("farandole {command} --help")).out;
        let (_, examples) = help.split_once("Examples:\n").unwrap_or_else(|| panic!("{command}"));
        let examples: Vec<&str> = examples.lines().map(str::trim).collect();
        assert_eq!(examples.len(), 2, "{command}: {examples:?}");
        // Nobody watches here.
        for example in examples.iter().filter(|_| command != "watch") {
            assert!(example.starts_with(&format!("farandole {command}")), "{example}");
            let ran = shell(&format!("cd '{}'; {example}", folder.path().display()));
            assert_eq!(ran.code, 0, "{example}\n{}", ran.out);
        }
    }
}

#[test]
fn pages_with_rust_blocks_are_doc_tests() {
    let doc_tests = include_str!("../../src/lib.rs");
    for page in pages() {
        let name = page.file_name().expect("a name").to_string_lossy().into_owned();
        if blocks(&page).iter().any(|block| block.language.starts_with("rust")) {
            assert!(doc_tests.contains(&format!("{name}\")]")), "{name} is not included in src/lib.rs");
        }
    }
}
