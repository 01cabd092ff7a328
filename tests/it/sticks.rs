//! Polysticks on the command line: known counts, crossing pieces, output.

use crate::command::run;

/// Returns the puzzle of placing all tetrasticks except one on the edges of 5x5 squares.
fn without(letter: char) -> String {
    let text = std::fs::read_to_string("puzzles/polyomino/tetrasticks.poly").expect("it is shipped");
    let board = "board 5x5\n";
    assert!(text.ends_with(board) && !text.contains("\npiece H\n"), "all tetrasticks but H");
    let with_all = text.replace(board, &format!("piece H\n+\n#\n+#+\n# #\n+ +\n\n{board}"));
    let mut parts: Vec<&str> = with_all.split("\n\n").collect();
    let count = parts.len();
    parts.retain(|part| !part.starts_with(&format!("piece {letter}\n")));
    assert_eq!(parts.len() + 1, count, "{with_all}");
    parts.join("\n\n")
}

#[test]
fn tetrastick_puzzles_have_the_published_solution_counts() {
    // The problem is by Barwell, and the counts are from Knuth, Dancing Links (2000). If another
    // piece is omitted, the counts of horizontal and vertical edges cannot match the board.
    for (letter, classes) in
        [('H', 72), ('J', 382), ('L', 607), ('N', 530), ('Y', 204), ('X', 0), ('I', 0)]
    {
        let counted = run("count --up-to-symmetry -", &without(letter));
        assert_eq!(counted.out, format!("{classes}\n"), "without {letter}: {}", counted.err);
    }
}

#[test]
fn a_drawing_with_crossing_polysticks_is_not_a_solution() {
    let crossing = "lattice square-edges\ntiling\n  +\n  B\n+A+A+\n  B\n  +\n";
    let checked = run("check -", crossing);
    assert_eq!((checked.code, checked.out.as_str()), (1, "invalid: pieces A and B cross at r3c3\n"));
    assert_eq!(run("count -", crossing).out, "0\n");
    let bent = "lattice square-edges\ntiling\n  +\n  B\n+A+B+\n  A\n  +\n";
    assert_eq!(run("check -", bent).out, "a solution\n");
    assert_eq!(run("count -", bent).out, "1\n");
}

#[test]
fn printed_solutions_of_tetrasticks_are_read_as_solutions() {
    for (puzzle, row) in
        [("tristicks:2x2", "+"), ("ditrigs:hexagon-1", "    + "), ("tritwigs:hexagon-2", "#")]
    {
        let solved = run(&format!("solve --puzzle polyomino {puzzle}"), "");
        let drawn = solved.out.lines().nth(2).expect("a drawing");
        assert!(drawn.starts_with(row), "{}", solved.out);
        assert_eq!(run("check -", &solved.out).out, "a solution\n", "{}", solved.out);
        let again = run("solve -", &solved.out);
        assert_eq!(again.out, solved.out);
        let drawn = run("draw --svg - -", &solved.out);
        assert_eq!(drawn.code, 0, "{}", drawn.err);
        assert!(drawn.out.contains("stroke-linecap=\"round\""), "{}", drawn.out);
    }
}

#[test]
fn steps_of_logic_are_drawn_for_pieces_on_edges() {
    let explained = run("explain puzzles/polyomino/welded-tetrasticks.poly --json", "");
    assert!([0, 1].contains(&explained.code), "{}", explained.err);
    let hint = run("hint --svg - puzzles/polyomino/welded-tetrasticks.poly", "");
    assert!(hint.out.contains(">truths<") && hint.out.contains(">eliminated<"), "{}", hint.out);
}
