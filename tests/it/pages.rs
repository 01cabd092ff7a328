//! Checks the README and the guides by running the commands they show and comparing the output.
//!
//! - A `console` block contains lines that begin with `$ farandole`. A shell runs each of these
//!   commands in the project folder. The lines after it are the expected output on both streams. A
//!   line `...` matches any number of lines, and `...` at the end of a line matches any rest.
//! - A `console measured` block contains a table of times. Only the header and the first and last
//!   word of each row are compared, and rows may be in any order.
//! - A `console own` block runs in an empty folder, which all such blocks of a page share. A block
//!   such as `text board.poly` writes a file into this folder.
//! - A `sh` block, or indented code, contains lines with `farandole` that must run successfully.
//!   Text after three spaces or `#` is a remark.
//! - A `sh ignore` block contains lines that name the reader's files or take long. They must be
//!   valid command lines but are not run.
//!
//! `cargo run --release --` is read as `farandole`. Rust blocks are doc tests of the crate.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{Ran, finish};

struct Block {
    place: String,
    /// The language after the backticks of a code block, and the mark after the language, if any.
    language: String,
    mark: String,
    lines: Vec<String>,
}

/// Returns the paths of all pages: the Markdown files of the root and of `docs/`.
fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = |folder: &Path| fs::read_dir(folder).expect("a folder");
    let files = files(root).chain(files(&root.join("docs")));
    let mut pages: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.sort();
    pages
}

fn blocks(path: &Path) -> Vec<Block> {
    let text = fs::read_to_string(path).expect("a page");
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let place = format!("{name}:{number}");
        match (line.trim_start().strip_prefix("```"), open.take()) {
            (Some(language), None) => {
                let (language, mark) = language.split_once(' ').unwrap_or((language, ""));
                let [language, mark] = [language, mark].map(|text| text.trim().to_owned());
                open = Some(Block { place, language, mark, lines: Vec::new() });
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
                    let (language, mark) = ("sh".to_owned(), String::new());
                    blocks.push(Block { place, language, mark, lines: vec![line.to_owned()] });
                }
            }
        }
    }
    assert!(open.is_none(), "{name}: a code block has no end");
    blocks
}

/// Runs a line in a shell, where `farandole` is the program under test.
fn shell(line: &str) -> Ran {
    shell_in(Path::new(env!("CARGO_MANIFEST_DIR")), line)
}

fn shell_in(place: &Path, line: &str) -> Ran {
    let program = Path::new(env!("CARGO_BIN_EXE_farandole"));
    let folder = program.parent().expect("a folder").display();
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("PATH='{folder}':\"$PATH\"; exec 2>&1; {line}")]);
    shell.current_dir(place);
    finish(shell, "")
}

/// Returns whether `lines` match the pattern `shown`, where `...` matches anything.
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

/// Returns the rows of a table of times without the columns that differ between runs.
fn unmeasured<'l>(lines: impl Iterator<Item = &'l str>) -> Vec<String> {
    let words = lines.map(|line| line.split_whitespace().collect::<Vec<_>>());
    let mut rows: Vec<String> = words
        .take_while(|words| !words.is_empty())
        .map(|words| match words[..] {
            ["engine", ..] => words.join(" "),
            [first, .., last] => format!("{first} {last}"),
            _ => String::new(),
        })
        .collect();
    rows.sort();
    rows
}

fn command_of(line: &str) -> Option<String> {
    let line = match line.strip_prefix("cargo run --release -- ") {
        Some(rest) => format!("farandole {rest}"),
        None => line.to_owned(),
    };
    line.starts_with("farandole ").then_some(line)
}

#[cfg(unix)]
#[test]
fn output_shown_in_the_pages_equals_the_actual_output() {
    let mut count = 0;
    for page in pages() {
        let own = tempfile::tempdir().expect("a folder");
        for block in &blocks(&page) {
            if block.language == "text" && block.mark.contains('.') {
                let text: String = block.lines.iter().map(|line| line.to_owned() + "\n").collect();
                fs::write(own.path().join(&block.mark), text).expect("written");
            }
            if block.language != "console" {
                continue;
            }
            let place = match block.mark.as_str() {
                "own" => own.path(),
                _ => Path::new(env!("CARGO_MANIFEST_DIR")),
            };
            let mut rest = &block.lines[..];
            while let [first, others @ ..] = rest {
                let command = first.strip_prefix("$ ");
                let command =
                    command.unwrap_or_else(|| panic!("{}: `{first}` is no command", block.place));
                let end = others.iter().position(|line| line.starts_with("$ ")).unwrap_or(others.len());
                let (shown, next) = others.split_at(end);
                rest = next;
                let command_line = command_of(command).unwrap_or_else(|| command.to_owned());
                let ran = shell_in(place, &command_line);
                let lines: Vec<&str> = ran.out.lines().collect();
                let is_true = if block.mark == "measured" {
                    unmeasured(shown.iter().map(String::as_str)) == unmeasured(ran.out.lines())
                } else {
                    is_like(shown, &lines)
                };
                assert!(is_true, "{}: {command}\n{}", block.place, ran.out);
                count += 1;
            }
        }
    }
    assert!(count > 20, "{count}");
}

#[cfg(unix)]
#[test]
fn every_command_line_of_the_pages_runs_or_parses() {
    let (mut run, mut understood) = (0, 0);
    for page in pages() {
        for block in blocks(&page).iter().filter(|block| block.language == "sh") {
            for line in block.lines.iter().filter_map(|line| command_of(line)) {
                let line = line.split(" #").next().unwrap_or_default();
                let line = line.split("   ").next().unwrap_or_default();
                if block.mark == "ignore" {
                    let line = line.split([';', '|', '<', '>']).next().unwrap_or_default();
                    let is_whole = line.matches('\'').count() % 2 == 0;
                    let line = if is_whole { line.to_owned() } else { format!("{line}'") };
                    let ran = shell(&format!("{line} --help"));
                    assert_eq!(ran.code, 0, "{}: {line}\n{}", block.place, ran.out);
                    understood += 1;
                } else {
                    let ran = shell(line);
                    assert_eq!(ran.code, 0, "{}: {line}\n{}", block.place, ran.out);
                    run += 1;
                }
            }
        }
    }
    assert!(run > 2 && understood > 5, "{run}, {understood}");
}

#[test]
fn every_relative_link_between_the_pages_resolves() {
    let mut count = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).expect("a page");
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let (file, chapter) = link.split_once('#').unwrap_or((link, ""));
            if file.contains(':') {
                continue;
            }
            let folder = page.parent().expect("a folder");
            let path = if file.is_empty() { page.clone() } else { folder.join(file) };
            assert!(path.exists(), "{}: {link}", page.display());
            let anchor = |line: &str| {
                let words = line.trim_start_matches('#').trim().to_lowercase();
                let kept = words.chars().filter(|&c| c.is_alphanumeric() || c == ' ' || c == '-');
                kept.map(|c| if c == ' ' { '-' } else { c }).collect::<String>()
            };
            if !chapter.is_empty() {
                let text = fs::read_to_string(&path).expect("a page");
                let is_there =
                    text.lines().any(|line| line.starts_with('#') && anchor(line) == chapter);
                assert!(is_there, "{}: {link}", page.display());
            }
            count += 1;
        }
    }
    assert!(count > 10, "{count}");
}

#[test]
fn three_dots_in_a_page_match_any_lines_or_the_rest_of_a_line() {
    let is_like = |shown: &str, lines: &str| {
        let shown: Vec<String> = shown.lines().map(str::to_owned).collect();
        is_like(&shown, &lines.lines().collect::<Vec<_>>())
    };
    assert!(is_like("a\n...\nc ...", "a\nb\nb\nc d"));
    assert!(is_like("...", "") && !is_like("a", "a\nb") && !is_like("a ...", "b"));
}

/// Returns each command and its description, from the list of commands in the help.
fn commands() -> Vec<(String, String)> {
    let overview = shell("farandole --help").out;
    let (_, commands) = overview.split_once("Commands:\n").expect("a list of commands");
    let commands = commands.lines().take_while(|line| !line.trim().is_empty());
    let commands = commands.filter_map(|line| line.strip_prefix("  ")?.split_once(' '));
    let commands = commands.filter(|(name, _)| !name.is_empty() && *name != "help");
    commands.map(|(name, about)| (name.to_owned(), about.trim().to_owned())).collect()
}

#[test]
fn the_help_of_each_command_begins_with_its_description_in_the_list() {
    for (name, about) in commands() {
        for flag in ["-h", "--help"] {
            let help = shell(&format!("farandole {name} {flag}")).out;
            let begin = help.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(begin.starts_with(&about), "{name} {flag}: {help}");
        }
    }
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
    let at = folder.path().display();
    shell(&format!("cd '{at}'; farandole count --proof six.cpog --puzzle queens 6"));
    shell(&format!("cd '{at}'; farandole count --trace sudoku.trace sudoku.txt"));
    let commands = commands();
    assert!(commands.len() > 12, "{commands:?}");
    for (command, _) in commands {
        let help = shell(&format!("farandole {command} --help")).out;
        let (_, examples) = help.split_once("Examples:\n").unwrap_or_else(|| panic!("{command}"));
        let examples: Vec<&str> = examples.lines().map(str::trim).collect();
        assert_eq!(examples.len(), 2, "{command}: {examples:?}");
        // Skip `watch`, which needs a terminal, and `page`, which runs until an interrupt.
        for example in examples.iter().filter(|_| !["watch", "page"].contains(&&*command)) {
            assert!(example.starts_with(&format!("farandole {command}")), "{example}");
            let ran = shell(&format!("cd '{}'; {example}", folder.path().display()));
            assert_eq!(ran.code, 0, "{example}\n{}", ran.out);
        }
    }
}

#[test]
fn each_command_offers_only_formats_and_engines_that_it_supports() {
    let check = |command: &str, has_diagrams: bool, engines: &[&str], others: &[&str]| {
        let help = shell(&format!("farandole {command} --help")).out;
        let words: Vec<&str> = help.split([' ', ',', '\n', '[', ']']).collect();
        assert!(words.contains(&"sdk"), "{command} has no formats: {help}");
        assert_eq!(words.contains(&"zdd"), has_diagrams, "{command}: {help}");
        assert!(engines.iter().all(|name| words.contains(name)), "{command}: {help}");
        assert!(!others.iter().any(|name| words.contains(name)), "{command}: {help}");
    };
    let (searching, counting) =
        (["links", "lanes", "naive", "cells-last"], ["matching", "memo", "bands"]);
    let all = [&searching[..], &counting].concat();
    for command in ["solve", "list"] {
        check(command, false, &searching, &counting);
    }
    check("count", true, &all, &[]);
    check("compare", false, &all, &[]);
    for command in ["sample", "rank", "unrank"] {
        check(command, true, &[], &["Engines"]);
    }
    for command in ["estimate", "trace", "watch", "check"] {
        check(command, false, &[], &["Engines"]);
    }
}

#[test]
fn pages_with_rust_blocks_are_doc_tests() {
    let doc_tests = include_str!("../../crates/farandole/src/lib.rs");
    for page in pages() {
        let name = page.file_name().expect("a name").to_string_lossy().into_owned();
        if blocks(&page).iter().any(|block| block.language.starts_with("rust")) {
            assert!(
                doc_tests.contains(&format!("{name}\")]")),
                "{name} is not a doc test of crates/farandole"
            );
        }
    }
}

#[test]
fn every_path_named_in_a_page_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut count = 0;
    // The changelog may name files that no longer exist.
    for page in pages().iter().filter(|page| !page.ends_with("CHANGELOG.md")) {
        let text = fs::read_to_string(page).expect("a page");
        let words = text.split(|c: char| c.is_whitespace() || "`'\"()[]{}<>,;:|=".contains(c));
        for word in words.map(|word| word.trim_end_matches('.')) {
            // Another test checks the links to headings.
            let word = word.split('#').next().unwrap_or_default();
            let Some((folder, _)) = word.split_once('/') else { continue };
            let is_ours = !["", ".", ".."].contains(&folder) && root.join(folder).is_dir();
            if !is_ours || word.contains("NAME") || word.contains('*') {
                continue;
            }
            let folder = page.parent().expect("a folder");
            let is_there = root.join(word).exists() || folder.join(word).exists();
            assert!(is_there, "{}: `{word}` is not there", page.display());
            count += 1;
        }
    }
    assert!(count > 50, "{count}");
}

/// Returns the paths of all Rust files below a folder, except tests.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = entries.partition(|path| path.is_dir());
    let is_source = |path: &PathBuf| {
        path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests.rs")
    };
    folders
        .iter()
        .flat_map(|folder| sources(folder))
        .chain(files.into_iter().filter(is_source))
        .collect()
}

#[test]
fn modules_depend_only_on_modules_listed_above_them_in_the_page() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/ARCHITECTURE.md")).expect("the page");
    let (_, section) = page.split_once("## The library").expect("a section");
    let table = section.lines().skip_while(|line| !line.starts_with("|--"));
    let table = table.skip(1).take_while(|line| line.starts_with('|'));
    let rooms: Vec<&str> = table.filter_map(|line| line.split('`').nth(1)).collect();
    let mut found: Vec<String> = fs::read_dir(root.join("dlx/src"))
        .expect("the library")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .filter(|name| name != "lib.rs")
        .collect();
    found.sort();
    let mut listed = rooms.clone();
    listed.sort_unstable();
    assert_eq!(found, listed, "the rooms of dlx/src");
    for (place, room) in rooms.iter().enumerate() {
        for file in sources(&root.join("dlx/src").join(room)) {
            let text = fs::read_to_string(&file).expect("a source");
            let text = text.split("#[cfg(test)]\nmod").next().unwrap_or_default();
            let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            for used in lines.flat_map(|line| line.split("crate::").skip(1)) {
                let name = used.split(|c: char| !c.is_alphanumeric() && c != '_').next();
                let other = rooms.iter().position(|room| Some(*room) == name);
                let is_check = used.starts_with("trust::conflict;")
                    || used.starts_with("trust::{Conflict, conflict};");
                assert!(
                    other.is_none_or(|other| other <= place) || is_check,
                    "{}: {room} knows `crate::{used}`, which stands below it",
                    file.display()
                );
            }
        }
    }
}

#[test]
fn at_most_8_of_100_type_names_name_several_types() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut places: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for file in ["dlx/src", "src", "crates"].iter().flat_map(|folder| sources(&root.join(folder))) {
        let text = fs::read_to_string(&file).expect("a source");
        let text = text.split("#[cfg(test)]\nmod").next().unwrap_or_default();
        for line in text.lines() {
            // Count only types at the top level of a file, such as `pub(crate) struct Name<T>`.
            let mut words = line.split(' ').skip_while(|word| word.starts_with("pub"));
            if let Some("struct" | "enum" | "trait" | "type" | "union") = words.next() {
                let name = words.next().unwrap_or_default();
                let end = name.find(|c: char| !c.is_alphanumeric()).unwrap_or(name.len());
                places.entry(name[..end].to_owned()).or_default().push(file.clone());
            }
        }
    }
    let shared: Vec<_> = places.iter().filter(|(_, places)| places.len() > 1).collect();
    assert!(places.len() > 400, "{} names", places.len());
    assert!(
        shared.len() * 100 <= places.len() * 8,
        "{} of {}: {shared:#?}",
        shared.len(),
        places.len()
    );
}
