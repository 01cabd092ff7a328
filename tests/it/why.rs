//! `check --why`: what is wrong with a puzzle, and which clue mends it.

use serde_json::Value;

use crate::command::{check, run};

fn why(args: &str, input: &str) -> Value {
    let ran = run(&format!("check --why --json {args}"), input);
    let object: Value =
        serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    object["why"].clone()
}

/// The number of solutions of a puzzle.
fn count(puzzle: &str) -> String {
    run("count", puzzle).out.trim().to_owned()
}

/// Puts a symbol into a cell that is named `r1c2=3`, or `r1c2` with a symbol, in a grid of order 4.
fn put(puzzle: &str, clue: &str) -> String {
    let digits: Vec<usize> =
        clue.chars().filter_map(|c| c.to_digit(10)).map(|digit| digit as usize).collect();
    let cell = (digits[0] - 1) * 4 + digits[1] - 1;
    let mut puzzle = puzzle.to_owned();
    puzzle.replace_range(cell..=cell, &digits[2].to_string());
    puzzle
}

#[test]
fn two_solutions_and_what_would_leave_one_are_shown() {
    check(
        "check --why",
        "12343412........",
        "valid, 8 cells empty: 4 solutions\n\
         two solutions, and where they differ, in 4 cells:\n\
         1 2 3 4  | 1 2 3 4  | . . . .\n\
         3 4 1 2  | 3 4 1 2  | . . . .\n\
         2 1 4 3  | 2 3 4 1  | . 3 . 1\n\
         4 3 2 1  | 4 1 2 3  | . 1 . 3\n\
         symbols in the 4 solutions:\n\
         1        2        3        4\n\
         3        4        1        2\n\
         2:2,4:2  1:2,3:2  2:2,4:2  1:2,3:2\n\
         2:2,4:2  1:2,3:2  2:2,4:2  1:2,3:2\n\
         the fewest places that tell all solutions apart: r3c1 r3c2\n\
         adding one clue never leaves one solution\n\
         changing one clue never leaves one solution\n",
        0,
    );
}

#[test]
fn clues_that_are_named_mend_a_puzzle() {
    for puzzle in ["1234341.........", "1...2.......3...", "12..............", "1......2.....3.."] {
        let why = why("", puzzle);
        assert_eq!(why["all"], true, "{why}");
        let total: usize = count(puzzle).parse().expect("a number");
        for (option, solutions) in why["counts"].as_object().expect("counts") {
            assert_eq!(count(&put(puzzle, option)), solutions.to_string(), "{puzzle} {option}");
        }
        for adding in why["adding"].as_array().expect("a list") {
            assert_eq!(count(&put(puzzle, adding.as_str().expect("a name"))), "1", "{puzzle} {adding}");
        }
        for change in why["changing"].as_array().expect("a list") {
            assert_eq!(
                count(&put(puzzle, change[1].as_str().expect("a name"))),
                "1",
                "{puzzle} {change}"
            );
        }
        // Clues in these places leave one of the solutions, whichever they are.
        assert_eq!(why["fewest"], true);
        let places = why["apart"].as_array().expect("a list");
        let mut left = vec![puzzle.to_owned()];
        for place in places {
            let place = place.as_str().expect("a place");
            left = left
                .iter()
                .flat_map(|grid| (1..=4).map(move |s| put(grid, &format!("{place}={s}"))))
                .collect();
        }
        let counts: Vec<String> = left.iter().map(|grid| count(grid)).collect();
        assert!(counts.iter().all(|count| count == "0" || count == "1"), "{puzzle} {counts:?}");
        assert_eq!(counts.iter().filter(|count| *count == "1").count(), total, "{puzzle}");
    }
}

#[test]
fn of_clues_that_clash_none_can_be_left_out() {
    // What is left of the first row has no place for the 4; the other clues do no harm.
    let puzzle = "123....4.......1";
    let why = why("", puzzle);
    assert_eq!(why["clash"], serde_json::json!(["r1c1=1", "r1c2=2", "r2c4=4"]), "{why}");
    assert_eq!(why["least"], true);
    let ran = run("check --why", puzzle);
    assert_eq!(ran.code, 1);
    assert!(
        ran.out.contains(
            "these clues clash, and without any one of them they do not: r1c1=1 r1c2=2 r2c4=4"
        ),
        "{}",
        ran.out
    );
    for change in why["changing"].as_array().expect("a list") {
        assert_eq!(count(&put(puzzle, change[1].as_str().expect("a name"))), "1", "{change}");
    }
}

#[test]
fn why_is_asked_of_every_kind() {
    let ran = run("check --why --puzzle queens 6", "");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("the fewest places that tell all solutions apart"), "{}", ran.out);
    let unique = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
    check("check --why", unique, "valid, 60 cells empty: one solution, minimal\n", 0);
    assert_eq!(why("", unique), Value::Null);
    // What differs is colored where colors are wanted.
    let ran = run("check --why --color always", "12343412........");
    assert!(ran.out.contains("\u{1b}["), "{}", ran.out);
    // What was not found for lack of nodes is said.
    let open = ".".repeat(81);
    let ran = run("check --why --nodes 3000", &open);
    assert!(ran.out.contains("that were looked at"), "{}", ran.out);
}

#[test]
fn why_is_drawn() {
    let texts = |svg: &str| -> Vec<String> {
        let document = roxmltree::Document::parse(svg).expect("markup");
        let texts = document.descendants().filter(|node| node.tag_name().name() == "text");
        texts.map(|node| node.text().unwrap_or_default().to_owned()).collect()
    };
    // Two solutions side by side, which differ in four cells, and what is left of all four.
    let ran = run("check --why --svg -", "12343412........\n");
    let drawn = texts(&ran.out);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(ran.out.matches("class=\"fill-yellow\"").count(), 8 + 16, "{}", ran.out);
    for words in ["in up to half of them", "standard input:1: valid, 8 cells empty: 4 solutions"] {
        assert!(drawn.iter().any(|text| text == words), "{words}: {drawn:?}");
    }
    // Clues that clash, and one that can be left out.
    let ran = run("check --why --svg -", "123....4........\n");
    assert_eq!((ran.code, ran.out.matches("class=\"fill-red\"").count()), (1, 3), "{}", ran.out);
    let ran = run("check --why --svg -", "123434122143....\n");
    assert!(texts(&ran.out).iter().any(|text| text == "can be left out"), "{}", ran.out);
    // Any other puzzle: its solutions.
    let ran = run("check --why --svg - --puzzle queens 6", "");
    assert!(ran.code == 0 && ran.out.starts_with("<svg "), "{ran:?}");
    let ran = run("check --svg -", "12343412........\n");
    assert_eq!((ran.code, ran.err.as_str()), (2, "pictures are drawn with --why\n"));
}
