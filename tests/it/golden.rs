//! Every shipped puzzle has the number of solutions stated in its header, and dancing links finds
//! them with the recorded node and update counts. For the default solver only the counts are
//! compared, because its nodes change with every reduction and every choice of engine.
//!
//! A header states `solutions: 1`, or for several puzzles `solutions: 1 0 2` or `solutions: 1
//! each`. Files with `slow: yes` are counted only with the feature `slow-tests`.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;
use text::directive;

use crate::command::{run, shipped_puzzles};

/// Returns the value of a header line, or of a key in a JSON file.
fn head(text: &str, key: &str) -> Option<String> {
    let json = || serde_json::from_str::<Value>(text).ok()?.get(key).map(ToString::to_string);
    directive(text, key).map(str::to_owned).or_else(json)
}

/// Counts the solutions of the puzzles in a file. Returns one JSON object per puzzle.
fn count(path: &Path, engine: &str) -> Vec<Value> {
    let ran =
        run(&format!("count --quiet --json --threads 1 --engine {engine} {}", path.display()), "");
    assert!(ran.code < 2, "{}: {}", path.display(), ran.err);
    ran.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn every_shipped_puzzle_has_as_many_solutions_as_its_head_says() {
    let mut record = String::new();
    for path in shipped_puzzles() {
        let name = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).expect("below the root").display();
        let text = std::fs::read_to_string(&path).expect("UTF-8");
        assert!(head(&text, "source").is_some(), "{name} states no source");
        let stated = head(&text, "solutions").unwrap_or_else(|| panic!("{name} states no solutions"));
        if head(&text, "slow").is_some() && cfg!(not(feature = "slow-tests")) {
            continue;
        }
        let [objects, by_solver] = ["links", "auto"].map(|engine| count(&path, engine));
        let counts = |objects: &[Value]| -> Vec<String> {
            objects.iter().filter_map(|object| Some(object["count"].as_str()?.to_owned())).collect()
        };
        let found = counts(&objects);
        let expected: Vec<&str> = match stated.strip_suffix("each") {
            Some(one) => vec![one.trim(); found.len()],
            None => stated.split_whitespace().collect(),
        };
        assert_eq!(found, expected, "{name}");
        assert_eq!(counts(&by_solver), expected, "{name}, with the solver");
        let sum = |key: &str| objects.iter().filter_map(|object| object[key].as_u64()).sum::<u64>();
        if head(&text, "slow").is_none() {
            writeln!(record, "{name}: {} nodes, {} updates", sum("nodes"), sum("updates"))
                .expect("written");
        }
    }
    // If the search order changes, this snapshot changes. Explain the change in the commit message.
    insta::assert_snapshot!(record);
}

#[test]
fn every_kind_of_puzzle_has_a_shipped_puzzle() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("puzzles");
    for kind in farandole::kinds::KINDS {
        assert!(root.join(kind.name).is_dir(), "puzzles/{} is missing", kind.name);
    }
}
