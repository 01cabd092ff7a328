//! Overlapping Sudoku grids on the command line.

use crate::command::{check, run};

#[test]
fn solutions_of_overlapping_grids_are_printed_in_the_layout_of_the_puzzle() {
    for name in ["samurai", "butterfly", "twodoku"] {
        let file = format!("puzzles/overlapping/{name}.txt");
        let ran = run(&format!("solve {file}"), "");
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(!ran.out.contains('.'), "{}", ran.out);
        check("count -q", &ran.out, "1\n", 0);
        let drawn = run(&format!("draw {file}"), "");
        assert!(drawn.out.contains("<svg"), "{}", drawn.err);
    }
}

#[test]
fn overlapping_grids_are_recognized_without_a_header() {
    let text = std::fs::read_to_string("puzzles/overlapping/samurai.txt").expect("a shipped puzzle");
    let drawing: String =
        text.lines().filter(|line| !line.starts_with('#')).flat_map(|line| [line, "\n"]).collect();
    check("count -q", &drawing, "1\n", 0);
    let cut = drawing.replacen('.', "x", 1);
    let ran = run("count", &format!("# puzzle: overlapping\n{cut}"));
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains(":2:2: expected a digit from 1 to 9, `.` or a blank, found `x`"),
        "{}",
        ran.err
    );
}

#[test]
fn new_puzzles_are_generated_for_an_arrangement_of_overlapping_grids() {
    let ran = run("generate overlapping twodoku --seed 1 --not-minimal --clues 90..120", "");
    assert!(ran.out.starts_with("# puzzle: overlapping\n"), "{}{}", ran.out, ran.err);
    check("count -q", &ran.out, "1\n", 0);
    let wrong = run("generate overlapping samuri", "");
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("expected an arrangement (samurai, butterfly"), "{}", wrong.err);
}
