//! The reference of the JSON, `docs/JSON.md`, says what the commands print: just these keys, in this order.

use serde_json::{Map, Value};

use crate::command::run;

const PAGE: &str = include_str!("../../docs/JSON.md");
const HARD: &str = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";

/// Returns the keys of a section with what types they have; one with a question mark need not be there.
fn keys(section: &str) -> Vec<(&'static str, &'static str)> {
    let (_, text) = PAGE.split_once(&format!("\n## {section}\n")).expect("a section");
    let text = text.split("\n## ").next().unwrap_or_default();
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `"));
    rows.map(|row| {
        let (key, rest) = row.split_once("` | ").expect("a key");
        (key, rest.split(" |").next().unwrap_or_default())
    })
    .collect()
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        _ if value.is_null() => true,
        "number" => value.is_number(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        _ => value.is_array(),
    }
}

fn check(section: &str, args: &str, input: &str) {
    let ran = run(args, input);
    assert!(!ran.out.is_empty(), "{args}: {ran:?}");
    let expected = keys(section);
    for line in ran.out.lines() {
        let object: Map<String, Value> =
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{args}: {error}: {line}"));
        let found: Vec<&str> = object.keys().map(String::as_str).collect();
        let mut listed: Vec<&str> = expected
            .iter()
            .filter_map(|(key, _)| match key.strip_suffix('?') {
                Some(key) => object.contains_key(key).then_some(key),
                None => Some(*key),
            })
            .collect();
        let mut found_in_order = found.clone();
        if section == "trace" {
            listed.sort_unstable();
            found_in_order.sort_unstable();
        }
        assert_eq!(found_in_order, listed, "{args}: {line}");
        for (key, kind) in &expected {
            let value = object.get(key.trim_end_matches('?')).unwrap_or(&Value::Null);
            assert!(is_of_type(value, kind), "{args}: `{key}` is {value}, and no {kind}");
        }
    }
}

#[test]
fn every_command_prints_the_keys_of_its_table() {
    let open = HARD.replacen('8', ".", 1);
    let costs = "a b c\na b |1\nc |2\na |3\nb c |4\n";
    for (section, args, input) in [
        ("solve", "solve --json", HARD),
        ("solve", "list --json --limit 3", &open),
        ("solve", "solve --json --cheapest 1", costs),
        ("solve", "solve --json --cheapest 3", costs),
        ("count", "count --json", HARD),
        ("count", "count --json --puzzle queens 8", ""),
        ("count --per-option", "count --json --per-option", HARD),
        ("count --per-option", "count --json --per-option --puzzle queens 5", ""),
        ("count --histogram", "count --json --histogram", costs),
        ("sample", "sample --json -n 3 --puzzle queens 6", ""),
        ("sample", "unrank 0,1 --json --puzzle queens 6", ""),
        (
            "rank",
            "rank --json --solution puzzles/sudoku/difficulty-10.7.txt puzzles/sudoku/difficulty-10.7.txt",
            "",
        ),
        ("estimate", "estimate --json --time 0.5 --puzzle queens 6", ""),
        ("check", "check --json", HARD),
        ("check", "check --json --quick", HARD),
        ("check", "check --json", &open),
        ("check", "check --json --puzzle queens 6", ""),
        ("check --count-trace", "count --json --trace /dev/null --puzzle queens 6", ""),
        ("compare", "compare --json -q --time 0.2 --engine links,lanes,frontier", HARD),
        ("trace", "trace --json", HARD),
    ] {
        let args = if section == "trace" { args.trim_end_matches(" --json") } else { args };
        check(section, args, input);
    }
    check("trace", "trace --events 5", HARD);
}
