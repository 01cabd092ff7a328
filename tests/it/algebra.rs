//! Problems that linear algebra proves to have no solution are refuted at once, and the reason is
//! printed.

use crate::command::run;

/// Checks that a problem is refuted without a search, and that `why` is printed as the reason.
fn check(args: &str, input: &str, why: &str) {
    let ran = run(&format!("count --stats --threads 1 --time 600 {args}"), input);
    assert_eq!((ran.code, ran.out.as_str()), (1, "0\n"), "{args}: {}", ran.err);
    assert!(ran.err.contains(why), "{args}: {}", ran.err);
}

/// Returns a square board without two opposite corners, which dominoes cannot cover.
fn mutilated(size: usize) -> String {
    let row = |from: usize, to: usize| " ".repeat(from) + &"X".repeat(to - from) + "\n";
    let rows =
        (0..size).map(|index| row(usize::from(index == 0), size - usize::from(index + 1 == size)));
    "pieces dominoes unlimited\nboard\n".to_owned()
        + &rows.collect::<String>().replace(' ', "#").replace('X', ".")
}

#[test]
fn infeasible_langford_problems_are_refuted_by_parity() {
    for count in ["14", "17", "18", "29", "41"] {
        check(
            &format!("--puzzle langford {count}"),
            "",
            "is 0 modulo 2 in each option, but 1 in a cover",
        );
    }
}

#[test]
fn dominoes_on_boards_without_two_opposite_corners_are_refuted_by_colors() {
    for size in [8, 20, 40] {
        let why = "in a cover, and less in all selections of options";
        check("--engine algebra --puzzle polyomino -", &mutilated(size), why);
    }
}

#[test]
fn the_engine_named_algebra_refuses_a_problem_with_solutions() {
    let ran = run("count --engine algebra --puzzle queens 6", "");
    assert_eq!((ran.code, ran.out.as_str()), (2, "error\n"), "{}", ran.err);
    assert!(ran.err.contains("the engine does not support such problems"), "{}", ran.err);
}
