//! The commands `convert --to canonical` and `check --same` recognize equivalent 9x9 Sudoku.

use serde_json::Value;

use crate::command::{check, run};

const HARD: &str = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";

/// Returns an equivalent puzzle: transposed, with renamed digits, and with the first two rows and
/// the last two bands exchanged.
fn other(puzzle: &str) -> String {
    let cells: Vec<char> = puzzle.chars().collect();
    let rows = [1, 0, 2, 6, 7, 8, 3, 4, 5];
    let cell = |cell: usize| cells[cell % 9 * 9 + rows[cell / 9]];
    let renamed = |c: char| {
        c.to_digit(10).map_or('.', |digit| char::from_digit(digit % 9 + 1, 10).unwrap_or('.'))
    };
    (0..81).map(|at| renamed(cell(at))).collect()
}

#[test]
fn equivalent_puzzles_have_the_same_canonical_form() {
    let made = run("generate -n 60 --seed 1 sudoku", "").out;
    let others: String = made.lines().map(|line| other(line) + "\n").collect();
    let forms = [&made, &others].map(|text| {
        let ran = run("convert --to canonical", text);
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.out
    });
    assert_eq!(forms[0], forms[1]);
    let mut different: Vec<&str> = forms[0].lines().collect();
    different.sort_unstable();
    different.dedup();
    assert_eq!(different.len(), 60);
    // A canonical form is unchanged by the conversion.
    check("convert --to canonical", &forms[0], &forms[0], 0);
    // Puzzles with several solutions have canonical forms too, and so do full grids.
    let open = HARD.replacen('8', ".", 1);
    let [one, two] = [&open, &other(&open)].map(|text| run("convert --to canonical", text).out);
    assert_eq!(one, two);
    let full = run("solve", HARD).out;
    let form = run("convert --to canonical", &full).out;
    assert!(form.starts_with("12345678945"), "{form}");
}

#[test]
fn check_same_prints_the_map_between_two_puzzles() {
    let ran = run("check --same", &format!("{HARD}\n{}\n", other(HARD)));
    assert_eq!(
        (ran.out.as_str(), ran.code),
        (
            "the same puzzle: transpose; rows 213 789 456; columns 123 456 789; digits 1>2 2>3 3>4 4>5 5>6 6>7 7>8 8>9 9>1\n",
            0
        ),
        "{}",
        ran.err
    );
    let changed = HARD.replacen("8.", "88", 1);
    check(
        "check --same",
        &format!("{HARD}\n{HARD}\n"),
        "the same puzzle: rows 123 456 789; columns 123 456 789\n",
        0,
    );
    let two = run("generate -n 2 --seed 2", "").out;
    check("check --same", &two, "two different puzzles\n", 1);
    let ran = run("check --same --json", &two);
    let object: Value = serde_json::from_str(&ran.out).expect("an object");
    assert_eq!((&object["same"], &object["map"]), (&false.into(), &Value::Null));
    for (input, expected) in [
        (format!("{HARD}\n"), "expected two puzzles to compare, found 1\n"),
        (
            format!("{HARD}\n{changed}\n"),
            "puzzle 2: a canonical form needs a solution, and at most 10000 of them\n",
        ),
        (
            "1...............\n1...............\n".to_owned(),
            "puzzle 1: canonical forms are those of plain 9x9 Sudoku without pencil marks\n",
        ),
    ] {
        let ran = run("check --same", &input);
        assert_eq!((ran.err.as_str(), ran.code), (expected, 2), "{input}");
    }
}
