//! The page `docs/TECHNIQUES.md`: every named technique with its score, and a picture of a position
//! where `hint --technique` finds it, or of the step of an explanation.
//!
//! `FARANDOLE_WRITE=1 cargo test --test it techniques::` rewrites the page and the pictures.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use techniques::{Technique, techniques};

use crate::command::{command, finish};

fn docs() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs")
}

/// A mutant X-wing without fins needs further houses, such as diagonals: in classic Sudoku any two
/// bases and two covers that all meet are basic or franken.
const NOT_DRAWN: [&str; 1] = ["mutant X-wing"];

/// The technique that needs solved cells that are no clues, which no position states.
const EXPLAINED: &str = "avoidable rectangle";

/// Returns the positions by technique.
fn positions() -> BTreeMap<String, String> {
    let text = fs::read_to_string(docs().join("techniques/positions.txt")).expect("positions");
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let split = |line: &str| {
        let (name, position) = line.split_once('\t').expect("a name, a tab and a position");
        (name.to_owned(), position.replace("\\n", "\n"))
    };
    lines.map(split).collect()
}

fn file_of(technique: &Technique) -> String {
    format!("{}.svg", technique.name.to_lowercase().replace([' ', '+'], "-"))
}

fn page() -> String {
    let known = positions();
    let mut page = String::from(
        "# Techniques\n\n\
         The steps that `explain`, `hint` and `rate` know by name in grids of up to 11 rows, from the easiest to the\n\
         hardest. The score is the least of the technique; longer chains score higher. [The guide](GUIDE.md#explaining-and-rating)\n\
         has the scale. `hint --technique NAME` finds a step of one technique, also where an easier step exists. Techniques\n\
         marked with * assume that the puzzle has one solution, and need `--uniqueness` otherwise.\n\n\
         A test writes this page from the table of techniques, and the pictures from\n\
         [positions](techniques/positions.txt).\n\n\
         | score | technique | what it is |\n|---|---|---|\n",
    );
    for technique in techniques() {
        let mark = if technique.is_uniqueness { " *" } else { "" };
        let name = match known.contains_key(technique.name) {
            true => format!("[{}](techniques/{})", technique.name, file_of(technique)),
            false => technique.name.to_owned(),
        };
        let score = format!("{}.{}", technique.score / 10, technique.score % 10);
        writeln!(page, "| {score} | {name}{mark} | {} |", technique.summary).expect("a string");
    }
    page
}

/// Checks that `hint` finds a technique in a position, and returns the picture.
fn hinted(technique: &Technique, position: &str) -> String {
    let hint = |args: &str| {
        let mut command = command(args);
        command.args(["--technique", technique.name]);
        finish(command, position)
    };
    let ran = hint("hint");
    assert!(ran.out.starts_with(&format!("{} (", technique.name)), "{}: {ran:?}", technique.name);
    hint("hint --svg -").out
}

/// Checks that the explanation of a puzzle has a technique, and returns the picture of that step.
fn explained(technique: &Technique, puzzle: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = command("explain --uniqueness --svg");
    command.arg(folder.path().join(""));
    let ran = finish(command, puzzle);
    let start = format!(". {} (", technique.name);
    let number = ran.out.lines().find_map(|line| line.split_once(&start)?.0.parse::<u32>().ok());
    let number = number.expect("a step of this technique");
    fs::read_to_string(folder.path().join(format!("{number:04}.svg"))).expect("a picture")
}

#[test]
fn each_technique_is_found_in_its_position_and_drawn() {
    let is_writing = std::env::var_os("FARANDOLE_WRITE").is_some();
    let mut missing = Vec::new();
    let known = positions();
    for technique in techniques() {
        let Some(position) = known.get(technique.name) else {
            missing.push(technique.name);
            continue;
        };
        let picture = match technique.name {
            EXPLAINED => explained(technique, position),
            _ => hinted(technique, position),
        };
        if is_writing {
            let file = docs().join("techniques").join(file_of(technique));
            fs::write(file, picture).expect("a file");
        }
        assert!(docs().join("techniques").join(file_of(technique)).exists(), "{}", technique.name);
    }
    assert_eq!(missing, NOT_DRAWN);
}

#[test]
fn the_page_of_techniques_agrees_with_the_table() {
    let path = docs().join("TECHNIQUES.md");
    if std::env::var_os("FARANDOLE_WRITE").is_some() {
        fs::write(&path, page()).expect("a file");
    }
    let written = fs::read_to_string(&path).expect("the page");
    assert!(written == page(), "docs/TECHNIQUES.md differs from the table of techniques");
}
