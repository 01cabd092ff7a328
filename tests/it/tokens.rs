//! Every word of a text of grids is used, noted because it cannot change the answer, or refused with its place.

use crate::command::{check, run};

/// Two grids of order 9 with one solution each, as lines, and their solutions.
const LINES: [&str; 2] = [
    "6.......4..3.8.5..5...6..8.....73..2........647....95.....39....6...7..83.48...1.",
    "....689..1.......5...1......29.56....6.2.......7.......9..1.37.8......5.24.8....1",
];
const SOLUTIONS: [&str; 2] = [
    "681795234743281569529364781156973842932548176478126953817639425265417398394852617",
    "732568914186943725954127836429756183368291547517384269695412378871639452243875691",
];

/// A position of HoDoKu with deleted candidates, and the same as pencil marks.
const DELETED: &str = ":0901-1:3:.24.6.+7..5.74.9.1.....+7......+5.9+4+87+14+7.+6.85.3..8..7.6.+7......46.+46..3.+57.5.7+4+61..:\
                       314 819 225 134 237 937 238 938 239 839 269 372 972 973 274 291 891 999:327::\n";
const MARKS: &str = "1389 2 4 158 6 15 7 389 59\n5 368 7 4 38 9 236 1 28\n\
                     13689 13689 139 2358 7 125 346 38 459\n236 36 5 23 9 4 8 7 1\n4 7 129 6 12 8 5 29 3\n\
                     1239 139 8 1235 1235 7 249 6 49\n7 18 123 1589 1258 125 239 4 6\n\
                     1289 4 6 1289 128 3 29 5 7\n39 5 239 7 4 6 1 2389 28\n";

#[test]
fn a_note_names_the_first_title_and_the_number_of_others() {
    let text = format!("Easy puzzles\n{0}\n{0}\nHard puzzles\n{0}\n", LINES[0]);
    let ran = run("solve", &text);
    assert_eq!((ran.out, ran.code), (format!("{}\n", SOLUTIONS[0]).repeat(3), 0));
    assert_eq!(ran.err, "standard input:1:1: not used: a title `Easy puzzles` (and 1 more)\n");
    assert_eq!(run("solve -q", &text).err, "");
    for command in ["count", "check", "rate", "hint", "convert --to line", "list --json"] {
        assert!(run(command, &text).err.contains("not used: a title `Easy puzzles`"), "{command}");
    }
}

#[test]
fn words_in_the_place_of_a_grid_are_an_error_in_its_place() {
    let [first, second] = LINES;
    for junk in ["not a sudoku", "Error: timeout", "see page 7", "NaN"] {
        for text in [
            format!("{first}\n{junk}\n{second}\n"),
            format!("{first}\n{second}\n{junk}\n{first}\n{junk}\n"),
        ] {
            let answers = text.lines().map(|line| match LINES.iter().position(|grid| *grid == line) {
                Some(index) => format!("{}\n", SOLUTIONS[index]),
                None => "error\n".to_owned(),
            });
            check("solve", &text, &answers.collect::<String>(), 2);
        }
    }
}

#[test]
fn titles_among_lines_stand_first_or_recur() {
    let [first, second] = LINES;
    let solved = SOLUTIONS.map(|solution| format!("{solution}\n")).concat();
    for text in [
        format!("Evening puzzles\n{first}\n{second}\n"),
        format!("{first}\nGrid 2\n{second}\nGrid 3\n"),
        format!("{first}\nLevel: easy\n{second}\nLevel: easy\n"),
    ] {
        check("solve", &text, &solved, 0);
    }
}

#[test]
fn text_next_to_the_cells_of_a_line_is_noted_once() {
    let [first, second] = LINES;
    let text = format!("1. {first} # easy 1.2\n2. {second} # easy 2.3\nabc {first}\n");
    let ran = run("solve", &text);
    assert_eq!((ran.out.lines().count(), ran.code), (3, 0));
    assert_eq!(
        ran.err,
        "standard input:1:86: not used: text after the cells `# easy 1.2` (and 1 more)\n\
         standard input:3:1: not used: text before the cells `abc`\n"
    );
}

#[test]
fn another_grid_in_a_line_must_agree_with_the_clues() {
    let [first, second] = LINES;
    let [solution, other] = SOLUTIONS;
    for text in [
        format!("{first} {solution}\n"),
        format!("{solution} {first}\n"),
        format!("{first};{solution};7\n"),
    ] {
        check("solve", &text, &format!("{solution}\n"), 0);
    }
    let ran = run("solve --from line", &format!("{first} {other}\n{first} {second}\n"));
    assert_eq!((ran.out.as_str(), ran.code), ("error\nerror\n", 2));
    assert!(
        ran.err.contains("1:83: expected another grid in the line to have `6` in r1c1, too, found `7`"),
        "{}",
        ran.err
    );
}

#[test]
fn deleted_candidates_of_hodoku_are_excluded() {
    let (deleted, marks) = (run("hint", DELETED), run("hint", MARKS));
    assert_eq!((&deleted.out, deleted.code), (&marks.out, 0), "{} {}", deleted.err, marks.err);
    assert!(
        deleted.err.contains("1:2: not used: the technique and the next step `0901-1`"),
        "{}",
        deleted.err
    );
    let [to_hodoku, to_marks] = ["convert --to hodoku", "convert --to pencilmarks"];
    let written = run(to_hodoku, MARKS).out;
    assert!(written.contains(":314 819 225 134"), "{written}");
    assert_eq!(run(to_marks, &written).out, run(to_marks, MARKS).out);
    for (field, fault) in [
        ("31", "expected a candidate such as `314`"),
        ("212", "expected a candidate that is not the digit"),
    ] {
        let ran = run("solve", &DELETED.replace("314", field));
        assert!(ran.code == 2 && ran.err.contains(fault), "{}", ran.err);
    }
}

#[test]
fn solved_cells_of_pencil_marks_are_no_steps() {
    let ran = run("hint", MARKS);
    assert!(!ran.out.contains("single"), "{}", ran.out);
    // 3 is the only candidate of r1c4, but r1c3 has it as well: that is a step.
    let steps = run("explain", "1 2 34 3\n34 34 1 2\n23 1 234 4\n4 3 2 1\n").out;
    assert!(steps.contains("r1c4=3") && !steps.contains("r1c1=1"), "{steps}");
}
