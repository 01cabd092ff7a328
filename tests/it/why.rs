//! `check --why` explains the faults of a puzzle, and states which clues would repair it.

use serde_json::Value;

use crate::command::{check, run};

fn why(args: &str, input: &str) -> Value {
    let ran = run(&format!("check --why --json {args}"), input);
    let object: Value =
        serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    object["why"].clone()
}

/// Returns the number of solutions of a puzzle, as printed by `count`.
fn count(puzzle: &str) -> String {
    run("count", puzzle).out.trim().to_owned()
}

/// Puts a clue such as `r1c2=3` into a grid of order 4.
fn put(puzzle: &str, clue: &str) -> String {
    let digits: Vec<usize> =
        clue.chars().filter_map(|c| c.to_digit(10)).map(|digit| digit as usize).collect();
    let cell = (digits[0] - 1) * 4 + digits[1] - 1;
    let mut puzzle = puzzle.to_owned();
    puzzle.replace_range(cell..=cell, &digits[2].to_string());
    puzzle
}

#[test]
fn two_solutions_and_the_clues_that_would_leave_one_are_shown() {
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
fn the_suggested_clues_make_a_puzzle_unique() {
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
        // Clues in these cells distinguish every solution from all others.
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
fn every_reported_clue_is_needed_for_the_conflict() {
    // The remaining cells of the first row cannot contain the 4. The other clues do not conflict.
    let puzzle = "123....4.......1";
    let why = why("", puzzle);
    assert_eq!(why["clash"], serde_json::json!(["r1c1=1", "r1c2=2", "r2c4=4"]), "{why}");
    assert_eq!(why["least"], true);
    let ran = run("check --why", puzzle);
    assert_eq!(ran.code, 1);
    assert!(
        ran.out.contains("these clues clash: r1c1=1 r1c2=2 r2c4=4 (all of them are needed for that)"),
        "{}",
        ran.out
    );
    for change in why["changing"].as_array().expect("a list") {
        assert_eq!(count(&put(puzzle, change[1].as_str().expect("a name"))), "1", "{change}");
    }
}

/// A variant without digits. The cage contains 1, 2 and 3, so no other cell in its box can be less
/// than r1c1, as the thermometer requires.
const RULES_CLASH: &str = "# order: 6\n# boxes: 3x2\n# killer: r1c1 r1c2 r1c3 = 6\n# thermo: r1c4 r1c5 r1c6\n\
    # thermo: r2c1 r1c1\n# even: r1c4\n......\n......\n......\n......\n......\n......\n";

#[test]
fn conflicting_clues_of_rules_are_named() {
    let ran = run("check --why", RULES_CLASH);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.starts_with("no clash, but no solution; 36 cells empty\n"), "{ran:?}");
    let clash = "these clues clash: killer: r1c1 r1c2 r1c3 = 6, thermo: r2c1 r1c1";
    assert!(ran.out.contains(clash), "{ran:?}");
    // Digits and clues of rules are examined together.
    let with_digits = RULES_CLASH.replacen("......\n......\n......", "....5.\n......\n..3...", 1);
    let why = why("", &with_digits);
    assert_eq!(
        why["clash"],
        serde_json::json!(["killer: r1c1 r1c2 r1c3 = 6", "thermo: r2c1 r1c1"]),
        "{why}"
    );
    let single = "# killer: r1c1 r1c2 = 3\n# thermo: r3c1 r1c1\n....\n....\n....\n1...\n";
    let ran = run("check --why", single);
    let names = ["r4c1=1", "killer: r1c1 r1c2 = 3", "thermo: r3c1 r1c1"];
    assert!(names.iter().all(|name| ran.out.contains(name)), "{ran:?}");
    // Each of the conflicting clues is needed. Without it the puzzle has solutions.
    for line in ["# killer: r1c1 r1c2 = 3\n", "# thermo: r3c1 r1c1\n"] {
        assert_ne!(count(&single.replacen(line, "", 1)), "0");
    }
    // A clue that no grid satisfies is reported even without `--why`.
    check(
        "check",
        "# difference: r1c1 r1c2 = 4\n# even: r2c2\n....\n....\n....\n....\n",
        "no clash, but no solution; 16 cells empty; this clue alone leaves none: difference: r1c1 r1c2 = 4\n",
        1,
    );
    let ran = run("check --why", "# difference: r1c1 r1c2 = 4\n# even: r2c2\n....\n....\n....\n....\n");
    assert!(
        ran.out.contains("this clue alone leaves no solution: difference: r1c1 r1c2 = 4\n"),
        "{ran:?}"
    );
}

#[test]
fn redundant_clues_of_rules_are_named() {
    let grid = "1234\n3412\n21.3\n43..\n";
    let clues = "# thermo: r1c1 r1c2\n# killer: r4c3 r4c4 = 3\n";
    let ran = run("check", &format!("{clues}{grid}"));
    let said = "thermo: r1c1 r1c2, killer: r4c3 r4c4 = 3";
    assert!(ran.out.contains("not minimal") && ran.out.contains(said), "{ran:?}");
    let ran = run("check --json", &format!("{clues}{grid}"));
    let object: Value = serde_json::from_str(&ran.out).expect("JSON");
    let spare = object["spare"].as_array().expect("a list");
    assert!(spare.contains(&"thermo: r1c1 r1c2".into()) && spare.len() > 2, "{object}");
    // A clue that decides between two solutions is needed.
    let two = "12343412........";
    let needed = "# pair-sum: r3c1 r3c2 = 3\n# greater: r3c3 r4c3\n1234\n3412\n....\n....\n";
    assert_eq!((count(two), count(needed)), ("4".to_owned(), "1".to_owned()));
    let ran = run("check", needed);
    assert!(!ran.out.contains("pair-sum"), "{ran:?}");
}

#[test]
fn conflicting_clues_of_rules_are_marked_in_the_picture() {
    let ran = run("check --why --svg - --theme light", RULES_CLASH);
    assert_eq!(ran.code, 1, "{}", ran.err);
    // The four cells of the cage and the thermometer are marked, and a legend explains the red
    // color.
    assert_eq!(ran.out.matches("fill=\"#f3aaa4\"").count(), 4, "{}", ran.out);
    assert!(ran.out.contains(">clash</text>"), "{}", ran.out);
}

#[test]
fn every_kind_of_puzzle_can_be_explained() {
    let ran = run("check --why --puzzle queens 6", "");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("the fewest places that tell all solutions apart"), "{}", ran.out);
    let unique = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
    check("check --why", unique, "valid, 60 cells empty: one solution, minimal\n", 0);
    assert_eq!(why("", unique), Value::Null);
    // Differing symbols are colored if the user asks for colors.
    let ran = run("check --why --color always", "12343412........");
    assert!(ran.out.contains("\u{1b}["), "{}", ran.out);
    // The output states which results were not found within the node limit.
    let open = ".".repeat(81);
    let ran = run("check --why --nodes 3000", &open);
    assert!(ran.out.contains("candidates occur in a solution"), "{}", ran.out);
    let ran = run("check --why --nodes 3000 --puzzle queens 12", "");
    assert!(ran.out.contains("that were looked at"), "{}", ran.out);
}

#[test]
fn explanations_of_grids_are_drawn() {
    let texts = |svg: &str| -> Vec<String> {
        let document = roxmltree::Document::parse(svg).expect("markup");
        let texts = document.descendants().filter(|node| node.tag_name().name() == "text");
        texts.map(|node| node.text().unwrap_or_default().to_owned()).collect()
    };
    // The picture shows two solutions side by side that differ in four cells, and the remaining
    // candidates of all four solutions.
    let ran = run("check --why --svg -", "12343412........\n");
    let drawn = texts(&ran.out);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(ran.out.matches("class=\"fill-yellow\"").count(), 8 + 16, "{}", ran.out);
    for words in ["in up to half of them", "standard input:1: valid, 8 cells empty: 4 solutions"] {
        assert!(drawn.iter().any(|text| text == words), "{words}: {drawn:?}");
    }
    // The pictures show conflicting clues, and a redundant clue.
    let ran = run("check --why --svg -", "123....4........\n");
    assert_eq!((ran.code, ran.out.matches("class=\"fill-red\"").count()), (1, 3), "{}", ran.out);
    let ran = run("check --why --svg -", "123434122143....\n");
    assert!(texts(&ran.out).iter().any(|text| text == "can be left out"), "{}", ran.out);
    // For a puzzle that is not a grid, the solutions are drawn.
    let ran = run("check --why --svg - --puzzle queens 6", "");
    assert!(ran.code == 0 && ran.out.starts_with("<svg "), "{ran:?}");
    let ran = run("check --svg -", "12343412........\n");
    assert_eq!((ran.code, ran.err.as_str()), (2, "pictures are drawn with --why or --candidates\n"));
}

/// Puzzles with clues, one for each kind that is not a grid.
const WITH_CLUES: &[(&str, &str)] = &[
    ("queens", ".Q....\n......\n......\n......\n....Q.\n..Q...\n"),
    ("langford", "4 . 3 . . 4 . .\n"),
    ("polyomino", "pieces tetrominoes x2\nboard\n.OO.....\n.OO.....\n....IIII\n........\n........\n"),
    ("overlapping", "# boxes: 2x2\n1234\n3412\n21..3.\n43....\n  ....\n  .4..\n"),
];

fn solutions(kind: &str, puzzle: &str) -> usize {
    let counted = run(&format!("count --puzzle {kind}"), puzzle);
    counted.out.trim().parse().unwrap_or_else(|_| panic!("{kind}: {counted:?}"))
}

#[test]
fn redundant_clues_of_other_kinds_are_named() {
    // In the first puzzle one queen suffices, in the second two clues for the same number are
    // equivalent, and in the third either piece determines the other.
    for (kind, puzzle, spare, together) in [
        ("queens", ".Q..\n...Q\n....\n....\n", vec!["r1c2", "r2c4"], (1, 1)),
        ("langford", "4 . 3 . . 4 . .\n", vec!["4 in 1", "3 in 3", "4 in 6"], (2, 1)),
        (
            "polyomino",
            "piece I\n###\npiece V\n##\n#.\npiece T\n###\n.#.\npiece M\n#\nboard\nIII.\nTTTV\n#TVV\n",
            vec!["V on r2c4 r3c3 r3c4", "T on r2c1 r2c2 r2c3 r3c2"],
            (1, 2),
        ),
    ] {
        let said = run(&format!("check --why --json --puzzle {kind}"), puzzle);
        let object: Value = serde_json::from_str(&said.out).expect("an object");
        assert_eq!(object["spare"], serde_json::json!(spare), "{object}");
        assert_eq!(object["minimal"], false, "{object}");
        let (count, left) = together;
        let why = &object["why"];
        assert_eq!(why["together"].as_array().map(Vec::len), Some(count), "{object}");
        assert_eq!((&why["left"], &why["most"]), (&left.into(), &true.into()), "{object}");
        let text = run(&format!("check --why --puzzle {kind}"), puzzle);
        assert!(text.out.contains("each of these clues can be left out: "), "{}", text.out);
        assert!(text.out.contains("these clues can be left out together: "), "{}", text.out);
        // The redundant clues are reported without `--why` too, but without an explanation.
        let plain = run(&format!("check --puzzle {kind}"), puzzle);
        assert_eq!(plain.out.lines().next(), text.out.lines().next());
    }
    check(
        "check --puzzle queens",
        "Q.......\n........\n........\n........\n........\n........\n........\n........\n",
        "valid: 4 solutions\n",
        0,
    );
    check(
        "check --puzzle queens",
        ".Q....\n......\n......\n......\n......\n......\n",
        "valid: one solution, minimal\n",
        0,
    );
}

#[test]
fn the_solution_counts_for_each_item_add_up_to_the_total() {
    for (args, input) in [
        ("--puzzle queens 6", ""),
        ("--puzzle langford 7", ""),
        ("--puzzle polyomino 3x20", ""),
        ("--puzzle polyomino tetrahexes:rhombus-4x7", ""),
        ("--puzzle polyomino disticks:2x2", ""),
        ("--puzzle polyomino dominoes:2x2x2", ""),
        ("--puzzle polyomino", "pieces tetrominoes x2\nboard 5x8\nclues\nAA......\nAA......\n"),
        ("", "a b c d\na c\na c d\nb c\nb\nd\n"),
        ("", "a 1:2|b c | x\na b\na x:1\nb x:1\nc x:1\nc x:2\nb\na c\n"),
        ("--puzzle overlapping", "# boxes: 2x2\n1234\n3412\n21....\n43....\n  ....\n  ....\n"),
    ] {
        let ran = run(&format!("check --why --json {args}"), input);
        let object: Value =
            serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{args}: {error}: {ran:?}"));
        let why = &object["why"];
        let all: u64 = object["count"].as_str().expect("digits").parse().expect("a number");
        let looked_at = all.min(1000);
        let items = why["items"].as_object().unwrap_or_else(|| panic!("{args}: {object}"));
        assert!(!items.is_empty(), "{args}: {object}");
        for (item, values) in items {
            let values = values.as_object().expect("values");
            let sum: u64 = values.values().filter_map(Value::as_u64).sum();
            assert_eq!(sum, looked_at, "{args}: {item}: {object}");
        }
        // The values of these items distinguish all solutions. The number of combinations is
        // therefore at least the number of solutions.
        if let Some(places) = why["apart"].as_array() {
            let ways: u64 = places
                .iter()
                .map(|place| {
                    let place = place.as_str().expect("a name");
                    items[place].as_object().expect("values").len() as u64
                })
                .product();
            assert!(!places.is_empty());
            // For cells and slots, only the piece or number is listed and not its placement.
            let is_told = !args.contains("polyomino") && !args.contains("langford");
            assert!(ways >= all || !is_told, "{args}: {object}");
        }
        let text = run(&format!("check --why {args}"), input);
        assert_eq!(text.code, 0, "{args}: {}", text.err);
        assert!(text.out.contains("what covers what in the "), "{}", text.out);
        assert!(text.out.contains(" solution"), "{}", text.out);
    }
}

#[test]
fn suggested_clues_of_other_kinds_make_a_puzzle_unique() {
    // Adding the queen stated in the JSON leaves one solution, and so does moving a queen as
    // stated.
    let board = |queens: &[&str]| -> String {
        let mut cells = vec![vec!['.'; 6]; 6];
        for queen in queens {
            let digits: Vec<usize> =
                queen.chars().filter_map(|c| c.to_digit(10)).map(|digit| digit as usize).collect();
            cells[digits[0] - 1][digits[1] - 1] = 'Q';
        }
        cells.iter().map(|row| row.iter().collect::<String>() + "\n").collect()
    };
    let why_of = |queens: &[&str]| why("--puzzle queens", &board(queens));
    let open = why("--puzzle queens 6", "");
    let adding = open["adding"].as_array().expect("a list");
    assert_eq!(adding.len(), 24, "{open}");
    for queen in adding {
        assert_eq!(solutions("queens", &board(&[queen.as_str().expect("a name")])), 1, "{queen}");
    }
    let clash = why_of(&["r1c1", "r2c3"]);
    assert_eq!(clash["clash"], serde_json::json!(["r1c1"]), "{clash}");
    for change in clash["changing"].as_array().expect("a list") {
        let to = change[1].as_str().expect("a name");
        assert_eq!(solutions("queens", &board(&[to, "r2c3"])), 1, "{change}");
    }
    let slots = "1 . 1 . . . . 4\n";
    let clash = why("--puzzle langford", slots);
    assert_eq!(clash["clash"], serde_json::json!(["1 in 3"]), "{clash}");
}

#[test]
fn items_that_cannot_be_covered_are_named_for_a_puzzle_without_clues() {
    check(
        "check --why",
        "a b c d\na c\nb c\nd\n",
        "no clash, but no solution\n\
         these cannot all be covered, but without any one of them the others can: `a` `b`\n",
        1,
    );
    check(
        "check --why",
        "a b c\na b\na\n",
        "no clash, but no solution\nthis alone cannot be covered: `c`\n",
        1,
    );
    check(
        "check --why --puzzle queens 3",
        "",
        "no clash, but no solution\n\
         these cannot all be covered, but without any one of them the others can: column 2, row 1, row 2\n",
        1,
    );
    // By a coloring argument, the five tetrominoes cover no rectangle. The argument needs all five
    // pieces.
    let text = "pieces tetrominoes\nboard 4x5\n";
    let ran = run("check --why --puzzle polyomino", text);
    assert!(ran.out.ends_with("can: piece I, piece L, piece O, piece S, piece T\n"), "{}", ran.out);
    let object = why("--puzzle polyomino", text);
    assert_eq!(object["uncovered"].as_array().map(Vec::len), Some(5), "{object}");
    assert_eq!((&object["least_uncovered"], &object["clash"]), (&true.into(), &serde_json::json!([])));
    check(
        "check --puzzle queens",
        "QQ..\n....\n....\n....\n",
        "invalid: r1c1 and r1c2 clash in row 1\n",
        1,
    );
}

#[test]
fn explanations_are_drawn_for_every_kind_with_pictures() {
    for (args, input) in [
        ("--puzzle queens 6", ""),
        ("--puzzle langford 4", ""),
        ("--puzzle polyomino 3x20", ""),
        ("--puzzle polyomino disticks:2x2", ""),
        ("--puzzle polyomino tetrahexes:rhombus-4x7", ""),
        (
            "--puzzle queens",
            "Q.......\n.......Q\n........\n........\n........\n........\n........\n........\n",
        ),
        ("", "a b c d\na c\na c d\nb c\nb\nd\n"),
    ]
    .into_iter()
    .chain(WITH_CLUES.iter().map(|&(kind, input)| (kind, input)))
    {
        let args = if args.starts_with('-') || args.is_empty() {
            args.to_owned()
        } else {
            format!("--puzzle {args}")
        };
        let ran = run(&format!("check --why --svg - {args}"), input);
        assert!(ran.out.starts_with("<svg "), "{args}: {ran:?}");
        roxmltree::Document::parse(&ran.out).expect("markup");
    }
    let ran = run("check --why --svg - --puzzle queens 6", "");
    // Queens in only one of two solutions are yellow. Squares that have a queen in a single
    // solution are green.
    assert!(ran.out.contains("in one solution"), "{}", ran.out);
    assert_eq!(ran.out.matches("class=\"fill-green\"").count(), 24, "{}", ran.out);
    assert_eq!(ran.out.matches("class=\"fill-yellow\"").count(), 12, "{}", ran.out);
    let ran = run("check --why --svg - --puzzle queens", ".Q..\n...Q\n....\n....\n");
    assert!(ran.out.contains(">what stands out can be left<"), "{}", ran.out);
    assert_eq!(ran.out.matches("class=\"fill-yellow\"").count(), 2, "{}", ran.out);
}
