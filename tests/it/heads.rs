//! Headers of texts. Each statement is used or refused with its position, and only prose is
//! skipped.

use std::io::Write;
use std::time::Duration;

use crate::command::{check, command, run, start};

const GRID: &str = "....\n....\n....\n....\n";
const ONE: &str = "1...\n....\n....\n....\n";
const LINE: &str = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";

/// Checks that a text is refused with an error at `place` that mentions `found`.
#[track_caller]
fn refuse(text: &str, place: &str, found: &str) {
    for args in ["count", "solve", "check", "convert --to line"] {
        let ran = run(args, text);
        assert_eq!(ran.code, 2, "{args}: {text}{}{}", ran.out, ran.err);
        let expected = format!("standard input:{place}: expected ");
        assert!(ran.err.starts_with(&expected) && ran.err.contains(found), "{args}: {text}{}", ran.err);
        assert!(ran.out.lines().all(|line| line == "error"), "{args}: {text}{}", ran.out);
    }
}

#[test]
fn a_header_with_an_unknown_clue_is_refused() {
    for (line, near) in [
        ("# kiler: r1c1 r1c2 = 4", "killer"),
        ("# thermometer: r1c1 r1c2", "thermo"),
        ("# cage: r1c1 r1c2 = 4", "killer"),
        ("# whispers: r1c1 r1c2", "whisper"),
        ("# rule: diagonals", "rules"),
        ("# killer r1c1 r1c2 = 4", "# killer: "),
        ("# killer 15: r1c1 r1c2", "killer"),
        ("# diagonals", "# rules: diagonals"),
        ("# antiknight: yes", "# rules: anti-knight"),
        ("# box: 2x2", "boxes"),
        ("# size: 6", "order"),
        ("# Order 6", "# order: "),
        ("# regions 1112 1222 3334 3444", "# regions: "),
        ("#kiler: r1c1 r1c2 = 4", "killer"),
        ("#\tkiller\tr1c1 r1c2 = 4", "# killer: "),
        ("## Kiler\u{ff1a} r1c1 r1c2 = 4", "killer"),
        ("# sandwich row 3 = 3", "# sandwich: "),
        ("# foo: bar", "foo"),
    ] {
        let place = format!("1:{}", line.chars().take_while(|c| !c.is_alphanumeric()).count() + 1);
        refuse(&format!("{line}\n{GRID}"), &place, near);
        refuse(&format!("{line}\n{LINE}\n"), &place, near);
        refuse(&format!("# puzzle: latin\n{line}\n{GRID}"), &place.replace("1:", "2:"), near);
        for (kind, text) in [
            ("queens", "..Q.\n....\n....\n....\n"),
            ("langford", "4 . . . . 4 . .\n"),
            ("overlapping", "1...\n....\n..4.1.\n4..3.4\n  ....\n  ...1\n"),
            ("polyomino", "pieces dominoes\nboard 2x3\n"),
            ("variant", GRID),
        ] {
            let head = if kind == "overlapping" { "# boxes: 2x2\n" } else { "" };
            let ran = run("count", &format!("# puzzle: {kind}\n{head}{line}\n{text}"));
            assert_eq!(ran.code, 2, "{kind}: {line}: {}{}", ran.out, ran.err);
            assert!(
                ran.err.contains(": expected ") && ran.err.contains(near),
                "{kind}: {line}: {}",
                ran.err
            );
        }
    }
}

#[test]
fn a_clue_is_read_in_any_spelling_of_its_header_line() {
    for line in [
        "# killer: r1c1 r1c2 = 4",
        "#killer: r1c1 r1c2 = 4",
        "## killer: r1c1 r1c2 = 4",
        "  # Killer: R1C1 R1C2 = 4",
        "#\tKILLER\t:\tr1c1\tr1c2\t=\t4",
        "# killer\u{ff1a} r1c1 r1c2 = 4",
    ] {
        check("count -q", &format!("{line}\n{GRID}"), "48\n", 0);
    }
}

#[test]
fn a_clue_without_its_comment_mark_is_not_taken_for_a_title() {
    for line in [
        "killer: r1c1 r1c2 = 4",
        "killer r1c1 r1c2 = 4",
        "* kiler: r1c1 r1c2 = 4",
        "// killer: r1c1 r1c2 = 4",
        "; killer: r1c1 r1c2 = 4",
        "% killer: r1c1 r1c2 = 4",
        "| killer: r1c1 r1c2 = 4",
        "-- killer: r1c1 r1c2 = 4",
        "Rules: diagonals",
        "boxes: 2x2",
    ] {
        for text in [format!("{line}\n{GRID}"), format!("Grid 01\n{line}\n{GRID}Grid 02\n{GRID}")] {
            let ran = run("count", &text);
            assert_eq!(ran.code, 2, "{text}{}{}", ran.out, ran.err);
            assert!(!ran.out.starts_with("288"), "{text}{}", ran.out);
        }
    }
    let inline = format!("{LINE} # killer: r1c1 r1c2 = 4\n");
    refuse(&inline, "1:85", "`killer: r1c1 r1c2 = 4`");
}

#[test]
fn a_clue_below_a_grid_or_within_it_is_an_error() {
    let clue = "# killer: r1c1 r1c2 = 4\n";
    refuse(&format!("{GRID}{clue}"), "5:3", "`killer`");
    refuse(&format!("{GRID}\n\n# boxes: 2x2\n"), "7:3", "`boxes`");
    refuse(&format!("....\n....\n{clue}....\n....\n"), "3:3", "`killer`");
    refuse(&format!("{LINE}\n{clue}"), "2:3", "`killer`");
    refuse(&format!("# thermo: r1c1 r1c2\n{GRID}{clue}"), "6:3", "`killer`");
    check("count -q", "....\n....\n# a half\n....\n....\n# note: that is all\n", "288\n", 0);
}

#[test]
fn a_clue_below_the_last_grid_is_an_error_before_the_pipe_is_closed() {
    for grid in [LINE.to_owned() + "\n", GRID.to_owned()] {
        for below in ["# killer: r1c1 r1c2 = 4\n", "# note: that is all\n\n#kiler: r1c1 = 4\n"] {
            let mut child = start(command("count -q"));
            let mut pipe = child.stdin.take().expect("it has a standard input");
            pipe.write_all(format!("{grid}{below}").as_bytes()).expect("the program reads");
            std::thread::sleep(Duration::from_millis(200));
            drop(pipe);
            let output = child.wait_with_output().expect("it ends");
            assert_eq!(
                (&*output.stdout, output.status.code()),
                (&b"error\n"[..], Some(2)),
                "{grid}{below}"
            );
        }
    }
}

#[test]
fn each_grid_below_an_unknown_header_line_is_an_error() {
    let text = |line: &str| format!("{GRID}\n{line}\n{ONE}\n{ONE}\n# rules: diagonals\n{ONE}");
    for line in
        ["# kiler: r1c1 r1c2 = 4", "# killer: r1c1 r1c2 = 4", "# killer r1c1 r1c2", "# foo: bar"]
    {
        let ran = run("count", &text(line));
        assert_eq!((&*ran.out, ran.code), ("288\nerror\n72\n12\n", 2), "{line}: {}", ran.err);
    }
    for line in ["# rule: diagonals", "# rules: diagonal", "# diagonals", "# anti-king: yes"] {
        let ran = run("count", &text(line));
        assert_eq!((&*ran.out, ran.code), ("288\nerror\nerror\n12\n", 2), "{line}: {}", ran.err);
    }
    let ran = run("count", &format!("# boxs: 2x3\n{ONE}\n{ONE}\n# boxes: 2x2\n{ONE}"));
    assert_eq!((&*ran.out, ran.code), ("error\nerror\n72\n", 2), "{}", ran.err);
    let lines = format!("{LINE}\n{}\n", LINE.replace('8', ".")).repeat(150);
    let ran = run("solve", &format!("{lines}# killer: r1c1 r1c2 = 4\n{lines}"));
    assert_eq!((ran.out.lines().count(), ran.code), (600, 2));
    assert_eq!(ran.out.lines().position(|line| line == "error"), Some(300));
    assert_eq!(ran.out.matches("error").count(), 1);
}

#[test]
fn rules_in_one_header_are_combined_and_a_later_header_replaces_them() {
    check("count", &format!("# rules: anti-king\n# rules: diagonals\n{ONE}"), "0\n", 1);
    check("count", &format!("# rules: diagonals\n\n# rules: anti-king\n{ONE}"), "0\n", 1);
    let variant = "# puzzle: variant\n# order: 4\n# rules: anti-king\n# rules: diagonals\n";
    check("count -q", &format!("{variant}{GRID}"), "0\n", 1);
    check("count", &format!("# rules: diagonals\n{ONE}\n# rules: anti-knight\n{ONE}"), "12\n6\n", 0);
}

#[test]
fn a_header_statement_may_be_repeated_with_the_same_value_only() {
    for (once, other) in [
        ("# boxes: 2x2", "# boxes: none"),
        ("# boxes: 2x2", "# boxes: 4x1"),
        ("# regions: 1112 1222 3334 3444", "# regions: 1122 1122 3344 3344"),
        ("# digits: 1-4", "# digits: 0-3"),
        ("# order: 4", "# order: 5"),
        ("# order: 4", "# rows: 5"),
        ("# columns: 4", "# columns: 3"),
        ("# puzzle: latin", "# puzzle: sudoku"),
        ("# puzzle: variant", "# puzzle: sudoku"),
    ] {
        let again = run("count -q", &format!("{once}\n{once}\n{GRID}"));
        assert_eq!(
            (&again.out, again.code),
            (&run("count -q", &format!("{once}\n{GRID}")).out, 0),
            "{once}"
        );
        let ran = run("count", &format!("{once}\n{other}\n{GRID}"));
        assert_eq!(ran.code, 2, "{once} {other}: {}", ran.out);
        assert!(ran.err.starts_with("standard input:2:"), "{once} {other}: {}", ran.err);
    }
    let regions = "# regions: 1112 1222 3334 3444\n";
    for other in ["# boxes: 2x2", "# order: 6"] {
        assert_eq!(run("count", &format!("{regions}{other}\n{GRID}")).code, 2, "{other}");
    }
    let queens = "# puzzle: queens\n";
    check("count", &format!("{queens}{queens}4\n"), "2\n", 0);
    assert_eq!(run("count", &format!("{queens}# puzzle: langford\n4\n")).code, 2);
    let samurai = "# puzzle: overlapping\n# boxes: 2x2\n# boxes: 4x1\n1...\n....\n..4.1.\n4..3.4\n  ....\n  ...1\n";
    assert!(run("count", samurai).err.starts_with("standard input:3:10: expected `boxes` once"));
}

#[test]
fn header_keys_of_another_kind_of_puzzle_are_refused() {
    for (head, text) in [
        ("# puzzle: latin\n# regions: 1122 1122 3344 3344\n", GRID),
        ("# puzzle: sudoku\n# digits: 0-3\n", GRID),
        ("# puzzle: queens\n# boxes: 2x2\n", "4\n"),
        ("# puzzle: langford\n# rules: diagonals\n", "4 . . . . 4 . .\n"),
        ("# rules: diagonals\n", "pieces dominoes\nboard 2x3\n"),
        ("| killer: r1c1 r1c2 = 4\n", "a b c\na b\nc\n"),
        ("# boxes: 2x2\n", "110\n001\n"),
        ("# killer: r1c1 r1c2 = 4\n", ".Shape~4x4.~R4C2_1\n"),
    ] {
        let ran = run("count", &format!("{head}{text}"));
        assert_eq!(ran.code, 2, "{head}{text}{}", ran.out);
        assert!(ran.err.contains(": expected "), "{head}{text}{}", ran.err);
    }
    assert_eq!(run("count --puzzle sudoku", &format!("# killer: r1c1 r1c2 = 4\n{GRID}")).code, 2);
    assert_eq!(run("count --from rows", &format!("# killer: r1c1 r1c2 = 4\n{GRID}")).code, 2);
}

#[test]
fn header_lines_of_prose_are_comments() {
    for line in [
        "# a comment",
        "# Grid 01",
        "# title: Killer cages, no digits",
        "# note: begin with r1c1",
        "# Difficulty: easy",
        "# https://example.org/order",
        "# order matters here",
        "# Killer sudoku, easy",
        "# # killer: r1c1 r1c2 = 4",
        "#DAn easy one",
        "Puzzle 1:",
        "Difficulty: Easy",
        "# My first puzzle: from a book",
        "# One drawing: a digit for each cell",
    ] {
        check("count", &format!("{line}\n{GRID}"), "288\n", 0);
    }
    for comment in ["| Knuth's example", "| columns: 3", "| title: sum of all"] {
        check("count -q", &format!("{comment}\na b c\na b\nc\n"), "1\n", 0);
    }
    let dominoes = std::fs::read_to_string("puzzles/cover/dominoes-4x4.txt").expect("a puzzle");
    check("count -q", &format!("# columns: 16\n# sum: 12\n{dominoes}"), "36\n", 0);
}

#[test]
fn the_examples_of_all_kinds_are_read_with_their_rules() {
    for kind in ["variant", "overlapping", "polyomino", "queens", "langford", "cover"] {
        let example = run(&format!("puzzles {kind}"), "").out;
        assert_eq!(run("count -q", &example).code, 0, "{kind}");
    }
}

#[test]
fn the_header_line_rules_must_name_a_rule() {
    for text in [format!("# rules:\n{GRID}"), format!("# rules:\n# killer: r1c1 r1c2 = 4\n{GRID}")] {
        refuse(&text, "1:9", "found none");
    }
}

#[test]
fn text_that_the_grid_of_a_variant_does_not_use_is_noted() {
    for (line, shown) in [("not a sudoku\n", "`not a sudoku`"), ("zzz ", "`zzz`")] {
        let ran = run("count --limit 2", &format!("# odd: r1c4\n{line}{LINE}\n"));
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.err.contains("not used") && ran.err.contains(shown), "{}", ran.err);
    }
}

#[test]
fn a_latin_square_has_no_boxes() {
    refuse(&format!("# puzzle: latin\n# boxes: 2x2\n{GRID}"), "2:10", "no boxes");
    let ran = run("count --puzzle latin --boxes 2x2", GRID);
    assert_eq!(ran.code, 2, "{}", ran.out);
    assert!(ran.err.contains("boxes are for Sudoku"), "{}", ran.err);
}

#[test]
fn the_key_of_a_header_line_must_follow_the_number_sign_directly() {
    for (line, place) in [
        ("#!killer: r1c1 r1c2 = 4", "1:2"),
        ("# ~rules: diagonals", "1:3"),
        ("# 7 boxes: 2x2", "1:3"),
        ("#0boxes: 2x2", "1:2"),
        ("# 7 rules: diagonals", "1:3"),
        ("# 2x2 boxes: 2x2", "1:3"),
        ("# : 2x2", "1:3"),
        ("# : diagonals", "1:5"),
    ] {
        refuse(&format!("{line}\n{GRID}"), place, "");
    }
}

#[test]
fn a_statement_above_an_exact_cover_is_refused_or_noted() {
    for cover in
        ["0010110\n1001001\n0110010\n1001000\n0100001\n0001101\n", "{\"options\": [[\"a\"]]}\n"]
    {
        for line in ["# kiler: r1c1 r1c2 = 4", "# rule: diagonals", "# order: 6", "# digits: 0-3"] {
            let ran = run("count", &format!("{line}\n{cover}"));
            let note = format!("not used: line 1 `{line}`");
            assert!(ran.code == 0 && ran.err.contains(&note), "{line}: {}", ran.err);
        }
    }
    let ran = run("count", "110\n# puzzle: latin\n001\n");
    assert!(ran.code == 2 && ran.err.contains("found `puzzle`"), "{}", ran.err);
    for text in ["110\n001\n", "a b c\na b\nc\n", "| a comment\na b c\na b\nc\n", "\na b\na\nb\n"] {
        let ran = run("count", &format!("# puzzle: cover\n{text}"));
        assert_eq!((ran.out.as_str(), ran.code), ("1\n", 0), "{text}: {}", ran.err);
    }
    let ran = run("count", "# puzzle: cover\na b c\na d\n");
    assert!(ran.err.contains("3:3: "), "{}", ran.err);
}
