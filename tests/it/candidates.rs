//! `check --candidates` prints the symbols and options that occur in a solution, of every kind of
//! puzzle, and `check --why` treats each clue of a rule as a clue that can be removed or changed.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::process::Stdio;

use serde_json::Value;

use crate::command::{check, command, run, start};

/// The example of a setter: 599 true candidates, and more solutions than can be counted.
const OPEN: &str = "\
# killer: r1c1 r1c2 r1c3 = 6
# killer: r2c1 r2c2 = 17
# thermo: r4c4 r4c5 r4c6 r5c6 r6c6
# thermo: r9c9 r8c9 r7c9 r6c9 r5c9
# whisper: r7c1 r7c2 r7c3 r8c3
.........
.........
.........
.........
.........
.........
.........
.........
.........
";

/// A killer cage and a thermometer that exclude each other, and a clue that is not needed for that.
const CLASH: &str = "\
# order: 6
# boxes: 3x2
# killer: r1c1 r1c2 r1c3 = 6
# thermo: r1c4 r1c5 r1c6
# thermo: r2c1 r1c1
# even: r1c4
......
......
......
......
......
......
";

fn json(args: &str, input: &str) -> Value {
    let ran = run(&format!("check --candidates --json {args}"), input);
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

/// Returns the count of each candidate in the answer, by cell and symbol or by name.
fn counts(answer: &Value) -> BTreeMap<String, u64> {
    let name = |fact: &Value| match fact["cell"].as_str() {
        Some(cell) => format!("{cell}={}", fact["symbol"].as_str().expect("a symbol")),
        None => fact["option"].to_string(),
    };
    let facts = answer["candidates"].as_array().expect("candidates").iter();
    facts.map(|fact| (name(fact), fact["count"].as_u64().expect("a count"))).collect()
}

#[test]
fn the_example_of_a_setter_has_599_true_candidates() {
    let ran = run("check --candidates", OPEN);
    assert_eq!(ran.code, 0, "{ran:?}");
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines[0], "599 of 729 candidates occur in a solution");
    let words: Vec<&str> = lines[1].split_whitespace().collect();
    assert_eq!(words[..5], ["123", "123", "123", "|", "456789"]);
    let words: Vec<&str> = lines[2].split_whitespace().collect();
    assert_eq!(words[..3], ["89", "89", "4567"], "{}", ran.out);
}

#[test]
fn pencil_marks_of_all_solutions_can_be_read_as_a_puzzle() {
    let ran = run("check --candidates", "12343412........");
    let expected = "\
        24 of 64 candidates occur in a solution\n\
        1  2  | 3  4\n\
        3  4  | 1  2\n\
        ------+------\n\
        24 13 | 24 13\n\
        24 13 | 24 13\n";
    assert_eq!((ran.out.as_str(), ran.code), (expected, 0));
    let (_, marks) = ran.out.split_once('\n').expect("lines");
    assert_eq!(run("count", marks).out, "4\n");
}

#[test]
fn counts_of_candidates_are_those_of_all_solutions() {
    for (args, puzzle) in [
        ("", "12..............\n"),
        ("", "1...2.......3...\n"),
        ("", "# killer: r1c1 r1c2 r2c1 = 6\n# thermo: r3c1 r3c2 r3c3\n....\n....\n....\n....\n"),
        ("--puzzle latin", "....\n.1..\n....\n...2\n"),
        ("--puzzle queens", ". . . . . .\n".repeat(6).leak()),
        ("--puzzle langford", "4 . . . . 4 . .\n"),
        ("", "a b c d | x y\na b x:1\nc d x:1\na c x:2\nb d y\na b y\nc d\n"),
        ("--puzzle polyomino", "pieces trominoes x0-2\nboard\n...\n...\n"),
    ] {
        let per_option = run(&format!("count --per-option --json {args}"), puzzle);
        let listed: Value = serde_json::from_str(&per_option.out).expect("an object");
        let mut expected = BTreeMap::new();
        for (place, counts) in listed["counts"].as_array().expect("counts").iter().enumerate() {
            let number = |count: &Value| count.as_str().and_then(|count| count.parse::<u64>().ok());
            match counts.as_array() {
                Some(counts) => {
                    for (symbol, count) in counts.iter().enumerate() {
                        let name = format!("r{}c{}={}", place / 4 + 1, place % 4 + 1, symbol + 1);
                        expected.insert(name, number(count).expect("a number"));
                    }
                }
                None => {
                    expected.insert((place + 1).to_string(), number(counts).expect("a number"));
                }
            }
        }
        expected.retain(|_, count| *count > 0);
        for limit in [1, 2, 1000] {
            let answer = json(&format!("--limit {limit} {args}"), puzzle);
            let capped = expected.iter().map(|(name, &count)| (name.clone(), count.min(limit)));
            assert_eq!(counts(&answer), capped.collect(), "{puzzle} {limit}");
            assert_eq!((&answer["complete"], &answer["unknown"]), (&true.into(), &0.into()));
            for fact in answer["candidates"].as_array().expect("candidates") {
                assert!(fact["exact"] == true || fact["count"] == limit, "{puzzle} {fact}");
            }
        }
    }
}

#[test]
fn puzzles_that_are_not_grids_show_the_values_of_their_items() {
    check(
        "check --candidates --puzzle queens 4",
        "",
        "8 of 16 options occur in a solution\n\
         column 1: r2, r3\ncolumn 2: r1, r4\ncolumn 3: r1, r4\ncolumn 4: r2, r3\n\
         row 1: c2, c3\nrow 2: c1, c4\nrow 3: c1, c4\nrow 4: c2, c3\n",
        0,
    );
    let pieces = run(
        "check --candidates --limit 9 --puzzle polyomino",
        "pieces trominoes x0-2\nboard\n...\n...\n",
    );
    assert!(pieces.out.contains("\nI:1,L:2 I:1,L:2 I:1,L:2\n"), "{pieces:?}");
    check(
        "check --candidates",
        "a b c\na b\nc\na\nb c\nb\n",
        "\
        5 of 5 options occur in a solution\n\
        `a`: `a b`, `a`\n\
        `b`: `a b`, `b c`, `b`\n\
        `c`: `c`, `b c`\n",
        0,
    );
}

#[test]
fn a_puzzle_without_a_solution_has_no_candidates() {
    check("check --candidates", CLASH, "no solution\n", 1);
    check("check --candidates --puzzle queens 3", "", "no solution\n", 1);
    let answer = json("", "11..............");
    assert_eq!(answer["solvable"], false);
    assert_eq!(answer["candidates"], Value::Array(Vec::new()));
}

#[test]
fn limits_leave_candidates_unknown_and_say_so() {
    for (args, input) in [("", OPEN), ("--puzzle queens 8", "")] {
        let ran = run(&format!("check --candidates --nodes 0 {args}"), input);
        assert_eq!(ran.code, 3, "{ran:?}");
        assert!(ran.out.contains("occur in a solution; not known of "), "{ran:?}");
        assert!(ran.out.contains(" (--nodes)\n") && ran.out.contains('?'), "{ran:?}");
    }
    let ran = run("check --candidates --nodes 0 --json", OPEN);
    let answer: Value = serde_json::from_str(&ran.out).expect("an object");
    assert_eq!((ran.code, &answer["solvable"]), (3, &Value::Null), "{ran:?}");
    assert_eq!((&answer["complete"], &answer["true"]), (&false.into(), &0.into()));
    assert_eq!(run("check --candidates --time 0 --puzzle queens 8", "").code, 3);
    // Part of the answer: what is true stays true, and what is false is absent.
    let (whole, part) = (json("", OPEN), json("--nodes 300", OPEN));
    let (whole, part) = (counts(&whole), counts(&part));
    assert!(part.iter().all(|(name, &count)| count == 0 || whole.contains_key(name)));
    assert!(whole.keys().all(|name| part.contains_key(name)));
    assert!(part.values().any(|&count| count > 0) && part.values().any(|&count| count == 0));
}

#[test]
fn wrong_input_is_refused_and_the_other_puzzles_are_answered() {
    let hard = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
    let lines = format!("{hard}\n{}\n{}\n", hard.replacen('8', "?!", 1), hard.replacen('8', ".", 1));
    let ran = run("check --candidates", &lines);
    assert_eq!(ran.code, 2, "{ran:?}");
    let is_head = |line: &&str| line.contains("candidates") || *line == "error";
    let heads: Vec<&str> = ran.out.lines().filter(is_head).collect();
    assert_eq!(heads[..2], ["81 of 729 candidates occur in a solution", "error"], "{ran:?}");
    assert_eq!(heads.len(), 3, "{ran:?}");
    assert!(ran.err.contains(":2:"), "{ran:?}");
    for args in [
        "check --candidates --limit 0",
        "check --candidates --limit 1001",
        "check --candidates --limit x",
        "check --limit 2",
        "check --candidates --why",
        "check --candidates --quick",
        "check --candidates --same",
    ] {
        assert_eq!(run(args, "1...............\n").code, 2, "{args}");
    }
    assert_eq!(run("check --candidates", "").code, 2);
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = start(command("check --candidates -"));
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = child.stdout.take().expect("a pipe");
    let writer = std::thread::spawn(move || {
        let _ = std::io::Write::write_all(&mut input, "1...............\n".repeat(5000).as_bytes());
    });
    output.read_exact(&mut [0; 100]).expect("an answer");
    drop(output);
    let ended = child.wait_with_output().expect("it ends");
    writer.join().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&ended.stderr), "");
    assert_eq!(ended.status.code(), Some(0));
}

#[test]
fn an_interrupt_prints_what_is_known() {
    let mut command = command("check --candidates --limit 1000 --puzzle polyomino 6x10");
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("the program starts");
    std::thread::sleep(std::time::Duration::from_millis(700));
    let process = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(process, rustix::process::Signal::INT).expect("it runs");
    let output = child.wait_with_output().expect("it ends");
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(130), "{out}");
    assert!(out.contains("of 2056 options occur in a solution"), "{out}");
}

#[test]
fn pictures_color_candidates_by_their_number_of_solutions() {
    let folder = tempfile::tempdir().expect("a folder");
    for (args, input, words) in [
        ("--limit 9", "12343412........", "in 2 to 8 solutions"),
        ("--limit 2", "12343412........", "in 2 solutions or more"),
        ("--nodes 300", OPEN, "not known"),
        ("--limit 3 --puzzle polyomino", "pieces trominoes x0-2\nboard\n...\n...\n", "in one solution"),
    ] {
        let path = folder.path().join("drawn.svg");
        let ran = run(&format!("check --candidates {args} --svg {}", path.display()), input);
        assert!([0, 3].contains(&ran.code), "{ran:?}");
        let svg = std::fs::read_to_string(&path).expect("a picture");
        assert!(svg.contains(words), "{args}");
    }
    let ran = run("check --svg -", "12343412........");
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
}

#[test]
fn with_too_many_solutions_why_shows_the_true_candidates() {
    let ran = run("check --why --nodes 20000", OPEN);
    assert!(ran.out.contains("\n599 of 729 candidates occur in a solution:\n123 "), "{ran:?}");
    assert!(!ran.out.contains("symbols in the"), "{ran:?}");
}

#[test]
fn each_clue_of_a_rule_can_clash() {
    check(
        "check --why",
        CLASH,
        "no clash, but no solution; 36 cells empty\n\
         these clues clash: killer: r1c1 r1c2 r1c3 = 6, thermo: r2c1 r1c1 (all of them are needed for that)\n\
         leaving out one clue gives several solutions: killer: r1c1 r1c2 r1c3 = 6, thermo: r2c1 r1c1\n\
         changing one clue never leaves one solution\n",
        1,
    );
    // Given digits belong to the same list.
    let digits = CLASH.replacen("......\n......\n......\n", "......\n......\n..3...\n", 1);
    let ran = run("check --why", &digits);
    assert!(
        ran.out.contains("these clues clash: killer: r1c1 r1c2 r1c3 = 6, thermo: r2c1 r1c1"),
        "{ran:?}"
    );
}

#[test]
fn another_number_of_a_clue_that_leaves_one_solution_is_named() {
    let puzzle = |sum: u32| {
        format!(
            "# killer: r1c1 r1c2 = {sum}\n# thermo: r1c1 r1c2 r1c3\n# sum: r4c3 r4c4 = 3\n....\n....\n....\n....\n"
        )
    };
    let ran = run("check --why", &puzzle(3));
    let expected =
        "changing one clue leaves one solution: killer: r1c1 r1c2 = 3 > 4, killer: r1c1 r1c2 = 3 > 5\n";
    assert!(ran.out.ends_with(expected), "{ran:?}");
    assert_eq!(run("count", &puzzle(4)).out, "1\n");
    assert_eq!(run("count", &puzzle(5)).out, "1\n");
    let json = run("check --why --json", &puzzle(3));
    let answer: Value = serde_json::from_str(&json.out).expect("an object");
    let expected = serde_json::json!(["killer: r1c1 r1c2 = 3", "killer: r1c1 r1c2 = 4"]);
    assert_eq!(answer["why"]["changing"][0], expected);
}

#[test]
fn no_answer_about_a_variant_has_the_name_of_an_inner_item() {
    let is_inner = |word: &str| {
        let rest = word.strip_prefix(['k', 'l', 'p', 'x']).unwrap_or_default();
        rest.starts_with(|c: char| c.is_ascii_digit()) && (rest.contains('s') || rest.contains('.'))
    };
    for name in ["killer", "thermo", "kropki", "arrow"] {
        let text =
            std::fs::read_to_string(format!("puzzles/variant/{name}.txt")).expect("it is shipped");
        for args in
            ["check --why", "check --candidates", "check --candidates --json", "count --per-option"]
        {
            let ran = run(args, &text);
            let words = ran.out.split(|c: char| !c.is_ascii_alphanumeric() && c != '.');
            let inner: Vec<&str> = words.filter(|word| is_inner(word)).take(3).collect();
            assert!(inner.is_empty(), "{name}, {args}: {inner:?}");
        }
    }
    let ran = run("check --why", CLASH);
    assert!(!ran.out.split_whitespace().any(is_inner), "{ran:?}");
}
