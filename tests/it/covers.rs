//! Reads exact covers in the notations that people use, without options. Checks the number of
//! solutions or the exact error message.

use puzzle::cover::FORMS;

use crate::command::{Ran, run};

/// Returns the exit code of `count` and its output: the number of solutions, or the error message
/// with its position.
fn told(text: &str) -> (i32, String) {
    let Ran { code, out, err } = run("count", text);
    let message = err.lines().next().unwrap_or_default().to_owned();
    if code < 2 { (code, out.trim_end().to_owned()) } else { (code, message) }
}

fn check(name: &str, text: &str, expected: &str) {
    let (code, found) = told(text);
    assert_eq!(found, expected, "{name}:\n{text}");
    assert_eq!(code, i32::from(expected == "0"), "{name}");
}

fn check_error(name: &str, text: &str, expected: &str) {
    let (code, found) = told(text);
    assert_eq!((code, found.as_str()), (2, &*format!("standard input:{expected}")), "{name}:\n{text}");
}

#[test]
fn covers_of_many_forms_are_read_without_options() {
    check("Knuth's text", "a b c d e f g\nc e\na d g\nb c f\na d f\nb g\nd e g\n", "1");
    check("matrix", "0010110\n1001001\n0110010\n1001000\n0100001\n0001101\n", "1");
    check("matrix with commas", "1,0,0\n0,1,0\n0,0,1\n", "1");
    check("matrix with semicolons", "1;0;0\n0;1;1\n", "1");
    check("matrix as numpy prints it", "[[1 0 1]\n [0 1 0]]\n", "1");
    check("matrix with a line of zeros", "10\n00\n01\n", "1");
    check("matrix of two columns", "1 0\n0 0\n0 1\n", "1");
    check("sparse", "7 6\n3 5 6\n1 4 7\n2 3 6\n1 4\n2 7\n4 5 7\n", "1");
    check("sparse as DIMACS", "c a comment\np ec 3 2\n1 2 0\n3 0\n", "1");
    check("partition", " 3 4\n 5 2 1 2\n 4 1 3\n 3 2 2 3\n 1 1 1\n", "2");
    check("partition in one line", "3 4 \n5 2 1 2 4 1 3 3 2 2 3 1 1 1\n", "2");
    check("miniexact", "< a b c d e f g >\nc e;\na d g;\nb c f;\na d f;\nb g;\nd e g;\n", "1");
    check("miniexact in a line", "<a b> a; b; a b", "2");
    check(
        "miniexact with colors",
        "< p q r > [ x y ]\np q x y:1;\np r\nx:1 y;\np x:2;\nq x:1;\nr y:2;\n",
        "1",
    );
    check("miniexact with bounds", "< A:1;2 B:2 >\nA B;\nA;\nB;\n", "2");
    check("miniexact's numbers", "p xc 2 0\n1 0\n2 0\n", "1");
    check("miniexact's numbers with colors", "p xcc 2 1\n2 3 -1 0\n1 3 -1 0\n", "1");
    check("miniexact's numbers with other colors", "c x\np xcc 2 1\n2 3 -1 0\n1 3 -2 0\n", "0");
    check(
        "dictionary",
        "{\"A\": [1, 4, 7], \"B\": [1, 4], \"C\": [4, 5, 7],\n \"D\": [3, 5, 6], \"E\": [2, 3, 6, 7], \"F\": [2, 7]}",
        "1",
    );
    check("sets", "[[0,1],[1,2],[2,3],[3,0]]", "2");
    check("sets of words", "[[\"a\", \"b\"], [\"c\"], [\"a\"], [\"b\", \"c\"]]", "2");
    check("JSON matrix", "[[1,0,1],[0,1,0]]", "1");
    check("JSON matrix with a line of zeros", "[[1,0,1],[0,0,0],[0,1,0]]", "1");
    check("UTF-8 mark", "\u{feff}< a >\r\na;\r\n", "1");
}

#[test]
fn errors_in_a_cover_refer_to_the_format_that_was_intended() {
    check_error(
        "bounds",
        "3:2|a b\na\n",
        "1:1: item `a` has the lower bound 3 above its upper bound 2",
    );
    check_error(
        "bounds",
        "0:99999999999|a\na\n",
        "1:1: expected bounds `low:high` or `k`, found `0:99999999999`",
    );
    check_error(
        "bounds",
        "0:99999999999|a b\n",
        "1:1: expected bounds `low:high` or `k`, found `0:99999999999`",
    );
    let cost = "expected an item, or a blank and a cost up to 18446744073709551615 behind `|`, found";
    check_error("cost", "a\na|-5\n", &format!("2:1: {cost} `a|-5`"));
    check_error("cost", "a b\na b\nb|5.5\n", &format!("3:1: {cost} `b|5.5`"));
    check_error(
        "cost",
        "a\na|99999999999999999999\n",
        &format!("2:1: {cost} `a|99999999999999999999`"),
    );
    check_error(
        "cost behind a blank",
        "a b\na |5.5\nb\n",
        "2:3: expected a cost up to 18446744073709551615 in all behind `|`, found `5.5`",
    );
    check_error("JSON", "{\"options\":[[1,2],]}", "1:19: trailing comma");
    check_error("sparse", "100000000 1\n", "1:1: expected at most 1000000 items, found more");
    check_error("sparse", "100000000 1\n5\n", "1:1: expected at most 1000000 items, found more");
    check_error(
        "sparse",
        "30 2\n1 2\n3 40\n",
        "3:3: expected the number of an item, 1 to 30, found `40`",
    );
    check_error(
        "partition",
        "3 4\n5 2 1 2\n4 1 3\n3 2 2 3\n1 1 9\n",
        "5:5: expected row 1 of the 1 of column 4, a whole number from 1 to 3, found `9`",
    );
    check_error(
        "set covering by rows",
        "3 4\n7 2 4\n6\n2\n1 2\n3\n1 2\n3\n1\n4\n",
        "2:1: expected set partitioning (of each column its cost, how many rows, and which), found all costs first, as in \
         set covering: there a row may be covered more than once, which no exact cover does",
    );
    check_error("miniexact", "< a b > [ s ]\na s\nb c;\n", "3:3: expected an item or `;`, found `c`");
    check_error("miniexact", "< a [ s ]\na s;\n", "1:5: expected a primary item or `>`, found `[`");
    check_error(
        "miniexact",
        "< a:x >\na;\n",
        "1:5: expected a bound as in `a:2` or `a:1;2`, found `x`",
    );
    check_error(
        "miniexact",
        "< a >\na:red;\n",
        "2:1: the option gives a color to the primary item `a`",
    );
    check_error(
        "numbers",
        "p xc 2\n1 0\n",
        "1:7: expected the number of secondary items, at most 1000000, found the end of the line",
    );
    check_error(
        "numbers",
        "p xc 2 1\n-1 2 0\n",
        "2:1: expected an item before its color, found the color `-1`",
    );
    check_error(
        "numbers",
        "p xc 2 1\n1 4 0\n",
        "2:3: expected the number of an item, 1 to 3, found `4`",
    );
    check_error(
        "numbers",
        "p xc 2 1\n1 3\n",
        "3:1: expected a `0` behind the last option, found the end of the text",
    );
    check_error("CNF", "p cnf 2 2\n1 2 0\n-1 -2 0\n", " the format cnf is only written, not read");
    check_error(
        "a decision diagram",
        "2 1 B T\n.\n1 x1 = a b\n2 x2 = b\n",
        " a decision diagram is no problem; with --from zdd it is read by count, sample, rank and unrank",
    );
}

#[test]
fn ambiguous_and_ignored_parts_of_covers_are_noted() {
    let note = |text: &str| run("count", text).err;
    assert_eq!(
        note("[[0,1],[1,0]]"),
        "puzzle 1: read as a 0/1 matrix, not as sets of 0 and 1 (these would be {\"options\": [[0, 1], ...]})\n"
    );
    assert_eq!(run("count --quiet", "[[0,1],[1,0]]").err, "");
    assert_eq!(
        note("10\n00\n01\n"),
        "puzzle 1: line 2 is an option without items, which is never chosen and left out\n"
    );
    assert_eq!(
        note("[[0,0,0],[1,1,1],[0,0,0]]"),
        "puzzle 1: 2 options without items are never chosen and left out, the first is array 1\n"
    );
    assert_eq!(
        note("row,a,b\nA,1,0\nB,0,1\nC,0,0\n"),
        "puzzle 1: the cell `row` above the names of the rows is not used; line 4 (`C`) is an option \
         without items, which is never chosen and left out\n"
    );
    assert_eq!(note(",a,b\nA,1,0\nB,0,1\n"), "");
}

#[test]
fn options_of_a_dictionary_are_printed_with_their_names() {
    let ran = run(
        "solve",
        "{\"A\": [1, 4, 7], \"B\": [1, 4], \"C\": [4, 5, 7],\n \"D\": [3, 5, 6], \"F\": [2, 7]}",
    );
    assert_eq!(ran.out, "| B, D, F\n1 4\n3 5 6\n2 7\n");
}

#[test]
fn a_set_partition_is_solved_by_cost() {
    let ran = run("solve --cheapest", "3 4\n5 2 1 2\n4 1 3\n3 2 2 3\n1 1 1\n");
    assert_eq!(ran.out, "| cost 4\n2 3 |3\n1 |1\n");
}

#[test]
fn every_readable_format_is_converted_to_all_others_and_back() {
    let readable = || FORMS.iter().filter(|form| form.read.is_some());
    for form in readable() {
        let count = told(form.example);
        for other in readable() {
            let converted = run(&format!("convert --quiet --to {}", other.name), form.example);
            if converted.code == 2 {
                assert!(
                    converted.err.contains(" cannot hold "),
                    "{} to {}: {}",
                    form.name,
                    other.name,
                    converted.err
                );
                continue;
            }
            assert_eq!(
                told(&converted.out),
                count,
                "{} to {}:\n{}",
                form.name,
                other.name,
                converted.out
            );
        }
    }
}

/// The texts of docs/GUIDE.md that follow a stated number of solutions.
#[test]
fn examples_of_the_guide_have_the_stated_solution_counts() {
    let guide = include_str!("../../docs/GUIDE.md");
    let mut count = 0;
    for part in guide.split("\n\n```\n").collect::<Vec<_>>().windows(2) {
        let words: Vec<&str> =
            part[0].rsplit('(').next().unwrap_or_default().split_whitespace().collect();
        let [expected, "solution):" | "solutions):"] = words[..] else { continue };
        let text = part[1].split("```").next().unwrap_or_default();
        check("guide", text, expected);
        count += 1;
    }
    assert!(count >= 12, "{count} examples");
}

#[test]
fn rules_of_polyominoes_appear_in_guide_manual_and_example() {
    let rules = include_str!("../../crates/polyomino/src/rules.txt");
    let guide = include_str!("../../docs/GUIDE.md");
    let page = run("man", "").out;
    let shown = run("puzzles polyomino", "").out;
    for line in rules.lines() {
        assert!(guide.lines().any(|other| other.trim() == line.trim()), "{line}");
        let is_it =
            |other: &str| other.strip_prefix('#').is_some_and(|other| other.trim() == line.trim());
        assert!(shown.lines().any(is_it), "{line}");
        let words = line.split_whitespace().next().unwrap_or_default().replace('-', "\\-");
        assert!(page.contains(&words), "{line}");
    }
    assert_eq!(told(&shown).0, 0);
}

#[test]
fn common_mistakes_in_arguments_get_a_hint() {
    let check = |args: &str, expected: &str| {
        let ran = run(args, "");
        assert_eq!((ran.code, ran.err.as_str()), (2, expected), "{args}");
    };
    check(
        "solve --puzzle sudoku 9x9",
        "9x9: expected the width and height of a box, so 3x3 for a grid of 9x9 cells, found 9x9\n",
    );
    check(
        "solve --puzzle sudoku 12x12",
        "12x12: expected the width and height of a box, so 4x3 for a grid of 12x12 cells, found 12x12\n",
    );
    check("solve queens 8", "queens: no such file; for the kind of puzzle write `--puzzle queens 8`\n");
    check(
        "count langford",
        "langford: no such file; for the kind of puzzle write `--puzzle langford 7`\n",
    );
    check(
        "count --puzzle polyomino pentomino:6x10",
        "pentomino:6x10: expected `pentominoes`, the nearest of the sets of pieces, found `pentomino`\n",
    );
    check(
        "count --boxes 2x3 --puzzle sudoku 3x2",
        "3x2: expected the boxes once, found 3x2 and, by --boxes, 2x3\n",
    );
    check(
        "puzzles quens",
        "expected a kind, a format or an engine, found `quens` (`queens` comes nearest); `farandole puzzles` lists them\n",
    );
    let tiling = run("count --puzzle polyomino pentominoes:8x8", "");
    assert_eq!((tiling.code, tiling.out.as_str()), (1, "0\n"));
    assert_eq!(tiling.err, "puzzle 1: the board has 64 cells, the pieces cover 60\n");
}

#[test]
fn the_text_of_a_puzzle_may_be_an_argument() {
    let line = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
    let ran = run(&format!("solve {line}"), "");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.starts_with("812753649943682175"), "{}", ran.out);
    let ran = run("solve my-sudoku-01.txt", "");
    assert_eq!(ran.err, "my-sudoku-01.txt: cannot read: No such file or directory (os error 2)\n");
}

#[test]
fn the_list_of_puzzles_has_headings_and_examples() {
    let list = run("puzzles", "").out;
    assert!(!list.contains("written only"), "{list}");
    assert_eq!(list.matches("only written").count(), 0, "{list}");
    for heading in
        ["Engines (--engine) that search:", "that only count:", "that are for comparison only:"]
    {
        assert!(list.contains(heading), "{heading}");
    }
    assert!(list.contains("p xcc 2 1 / 2 3 -1 0 / 1 3 -1 0"), "{list}");
}
