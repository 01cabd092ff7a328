//! The command `check` reports validity, solvability, uniqueness and minimality.

use serde_json::{Value, json};

use crate::command::run;

const HARD: &str = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
const EMPTY: &str = ".................................................................................";

fn check(args: &str, input: &str, expected: &str, code: i32) {
    let ran = run(&format!("check {args}"), input);
    assert_eq!((ran.out.trim_end(), ran.code), (expected, code), "{args}: {}", ran.err);
}

fn object(args: &str, input: &str) -> Value {
    let ran = run(&format!("check --json {args}"), input);
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

#[test]
fn a_grid_is_minimal_or_its_redundant_clues_are_listed() {
    check("", HARD, "valid, 60 cells empty: one solution, minimal", 0);
    let one_more = HARD.replacen("8.", "81", 1);
    let all_others = "valid, 59 cells empty: one solution, not minimal: ";
    let ran = run("check", &one_more);
    assert!(ran.out.starts_with(all_others) && ran.out.contains("r1c2"), "{ran:?}");
    check(
        "",
        "123434122143432.",
        "valid, 1 cell empty: one solution, not minimal: each of these clues can be left out: \
         r1c1 r1c2 r1c3 r1c4 r2c1 r2c2 r2c3 r2c4 r3c1 r3c2 r3c3 r3c4 r4c1 r4c2 r4c3",
        0,
    );
}

#[test]
fn puzzles_with_no_solution_and_with_several_solutions_are_distinguished() {
    check("", "12..............", "valid, 14 cells empty: 24 solutions", 0);
    // The last cell of the first row has no candidate left.
    check("", "123....4........", "no clash, but no solution; 12 cells empty", 1);
    check("--quick", "123....4........", "valid, 12 cells empty", 0);
    check("", "1234341221434321", "a solution", 0);
    check("", "11..............", "invalid: 1 stands twice in row 1, in r1c1 and r1c2", 1);
    let input = format!("{HARD}\n{}\n", HARD.replacen("8.", "88", 1));
    check(
        "",
        &input,
        "valid, 60 cells empty: one solution, minimal\n\
         invalid: 8 stands twice in row 1, in r1c1 and r1c2",
        1,
    );
}

#[test]
fn check_reports_the_questions_that_exceed_the_node_limit() {
    check(
        "--nodes 1",
        HARD,
        "valid, 60 cells empty: not known whether there is a solution (--nodes)",
        3,
    );
    let ran = run("check --nodes 1000", EMPTY);
    assert!(ran.out.starts_with("valid, 81 cells empty: at least "), "{ran:?}");
    assert_eq!(ran.code, 0, "more than one is an answer: {ran:?}");
}

#[test]
fn check_accepts_exact_covers() {
    check("--puzzle queens 4", "", "valid: 2 solutions", 0);
    check("--puzzle queens 3", "", "no clash, but no solution", 1);
    check("--puzzle cover", "a b\na\nb\n", "valid: one solution", 0);
    check("", "# puzzle: queens\n. Q . .\n. . . Q\nQ . . .\n. . Q .\n", "a solution", 0);
    check(
        "--puzzle cover",
        "a b | x\na\nb\nx\n",
        "valid, 1 option has no primary item and is never chosen: one solution",
        0,
    );
}

#[test]
fn check_gives_the_same_answers_in_json() {
    let hard = object("", HARD);
    for (key, expected) in [
        ("valid", json!(true)),
        ("solvable", json!(true)),
        ("unique", json!(true)),
        ("count", json!("1")),
        ("exact", json!(true)),
        ("minimal", json!(true)),
        ("spare", json!([])),
    ] {
        assert_eq!(hard[key], expected, "{key}");
    }
    let several = object("", "12..............");
    assert_eq!((&several["unique"], &several["minimal"]), (&json!(false), &Value::Null));
    assert_eq!(several["count"], json!("24"));
    let quick = object("--quick", HARD);
    assert_eq!((&quick["solvable"], &quick["valid"]), (&Value::Null, &json!(true)));
    let clash = object("", "11..............");
    assert_eq!((&clash["valid"], &clash["solvable"]), (&json!(false), &json!(false)));
    assert_eq!(clash["cells"], json!([[1, 1], [1, 2]]));
    let cut = object("--nodes 1", HARD);
    assert_eq!((&cut["solvable"], &cut["exact"]), (&Value::Null, &json!(false)));
    let spare = object("", "123434122143432.");
    assert_eq!((spare["spare"].as_array().map(Vec::len), &spare["minimal"]), (Some(15), &json!(false)));
}
