//! Every word in a text of grids is used, noted as irrelevant to the answer, or refused with its
//! position.

use crate::command::{check, run};

/// Two 9x9 grids with one solution each, as lines.
const LINES: [&str; 2] = [
    "6.......4..3.8.5..5...6..8.....73..2........647....95.....39....6...7..83.48...1.",
    "....689..1.......5...1......29.56....6.2.......7.......9..1.37.8......5.24.8....1",
];
const SOLUTIONS: [&str; 2] = [
    "681795234743281569529364781156973842932548176478126953817639425265417398394852617",
    "732568914186943725954127836429756183368291547517384269695412378871639452243875691",
];

/// A position of HoDoKu with excluded candidates, and the same position as pencil marks.
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
fn every_command_shows_the_note_of_a_puzzle() {
    let rows = "53..7....\n6..195...\n.98....6.\n8...6...3\n4..8.3..1\n7...2...6\n.6....28.\n...419..5\n....8..79\n";
    let text = format!("# killer: r1c1 r1c2 = 8\nabc zzz\n{rows}");
    for command in [
        "solve",
        "count",
        "list",
        "check",
        "estimate",
        "sample",
        "rate",
        "hint",
        "explain",
        "draw",
        "convert --to rows",
        "trace",
    ] {
        let ran = run(command, &text);
        let note = "2:1: not used: a title `abc zzz`";
        assert_eq!(ran.err.matches(note).count(), 1, "{command}: {}", ran.err);
    }
}

#[test]
fn a_cell_name_with_a_leading_zero_or_a_sign_is_refused() {
    let link = run("convert --to fpuzzles", "# order: 4\n# thermo: r4c1 r3c1\n").out;
    assert_eq!(run("count", &link).code, 0);
    for (text, from) in [
        ("# order: 4\n# thermo: r4c1 r3c1\n", "r4c1"),
        ("# order: 4\n# sandwich: row 2 = 3\n", "2 "),
        (&link, "4C1"),
        (
            "# puzzle: overlapping\n# grids: r1c1 r3c3\n# boxes: 2x2\n1...  \n....  \n......\n......\n  ....\n  ....\n",
            "1c1",
        ),
    ] {
        let wrong = |sign: &str| {
            let digit = from.find(|c: char| c.is_ascii_digit()).expect("a digit");
            text.replacen(from, &format!("{}{sign}{}", &from[..digit], &from[digit..]), 1)
        };
        assert_eq!(run("count", text).code, 0, "{text}");
        for sign in ["0", "+"] {
            let ran = run("count", &wrong(sign));
            assert!(ran.code == 2 && ran.err.contains("expected "), "{}: {}", wrong(sign), ran.err);
        }
    }
}

#[test]
fn regions_below_the_head_of_a_latin_square_are_refused() {
    for text in [
        "000011\n022013\n221113\n243333\n244455\n445555\n6\n02C\n03B\n05A\n20D\n35E\n53F\n",
        "4 4\n- 1 - -\n- 3 - -\n- - - -\n- - - 4\n1 1 1 2\n1 2 2 2\n3 3 3 4\n3 4 4 4\n",
    ] {
        assert_eq!(run("count", text).code, 0, "{text}");
        let ran = run("count", &format!("# puzzle: latin\n{text}"));
        assert_eq!(ran.code, 2, "{text}: {}", ran.out);
        assert!(ran.err.contains("expected no regions in a latin square"), "{}", ran.err);
    }
}

#[test]
fn a_section_without_a_grid_below_a_clue_is_refused() {
    let rows = "1...\n....\n....\n..2.\n";
    let ran = run("count", &format!("# thermo: r4c1 r3c1\n[Puzzle]\n{rows}"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ran = run("count", &format!("# thermo: r4c1 r3c1\n[State]\n{rows}"));
    assert!(ran.code == 2 && ran.err.contains("2:1: expected a grid"), "{}{}", ran.out, ran.err);
}

#[test]
fn a_clue_that_is_refused_is_not_noted_as_a_title() {
    for line in ["zzz killer: r1c1 r1c2 = 4", "killer: r1c1 r1c2 = 4"] {
        let ran = run("count", &format!("{line}\n1...\n....\n....\n..2.\n"));
        assert!(ran.code == 2 && ran.err.contains("1:1: expected `#`"), "{}", ran.err);
        assert!(!ran.err.contains("a title"), "{}", ran.err);
    }
}

#[test]
fn a_text_line_in_place_of_a_grid_is_an_error() {
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
fn title_lines_between_grids_are_accepted_at_the_start_or_if_repeated() {
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
        ran.err.contains("1:83: expected a solution with the clue `6` in r1c1, found `7` there"),
        "{}",
        ran.err
    );
}

#[test]
fn deleted_candidates_in_hodoku_notation_are_excluded() {
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
fn cells_with_a_single_pencil_mark_that_no_peer_has_are_clues_and_not_steps() {
    let ran = run("hint", MARKS);
    assert!(!ran.out.contains("single"), "{}", ran.out);
    // 3 is the only candidate of r1c4, but r1c3 allows 3 too, so placing it is a step.
    let steps = run("explain", "1 2 34 3\n34 34 1 2\n23 1 234 4\n4 3 2 1\n").out;
    assert!(steps.contains("r1c4=3") && !steps.contains("r1c1=1"), "{steps}");
}

#[test]
fn the_column_of_puzzles_is_found_and_other_columns_are_kept() {
    let [puzzle, _] = LINES;
    let [solution, other] = SOLUTIONS;
    let both = format!("question,solution\n{puzzle},{solution}\n");
    let cases = [
        (format!("answer,question\n{solution},{puzzle}\n"), both.clone()),
        (
            format!("a,question\n{solution},{puzzle}\n"),
            format!("a,question,solution\n{solution},{puzzle},{solution}\n"),
        ),
        (format!("a,b\n{solution},{puzzle}\n"), format!("b,solution\n{puzzle},{solution}\n")),
        (
            format!("\u{feff}id;puzzle;rating\n7;{puzzle};\"a;b\"\n"),
            format!("id;puzzle;rating;solution\n7;{puzzle};\"a;b\";{solution}\n"),
        ),
        (
            format!("id\tquiz\n7\t{puzzle}\nid\tquiz\n8\t{puzzle}\n"),
            format!("id\tquiz\tsolution\n7\t{puzzle}\t{solution}\n8\t{puzzle}\t{solution}\n"),
        ),
        (format!("7,{puzzle}\n"), format!("column1,puzzle,solution\n7,{puzzle},{solution}\n")),
        (
            format!("id,puzzle\n7,{}\n", "1".repeat(81)),
            format!("id,puzzle,solution\n7,{},\n", "1".repeat(81)),
        ),
    ];
    for (text, expected) in cases {
        let ran = run("solve", &text);
        assert_eq!(ran.out, expected, "{text}{}", ran.err);
    }
    let noted = |text: &str, notes: &str| assert_eq!(run("solve", text).err, notes, "{text}");
    noted(
        &format!("id,foo,now\n7,{puzzle},{solution}\n"),
        "standard input:1:4: taken as the column of puzzles, by its cells: `foo`\n\
         standard input:1:8: taken as a column of solutions, by its cells: `now`\n",
    );
    noted(
        &format!("id;pzzle\n7;{puzzle}\n"),
        "standard input:1:4: taken as the column of puzzles, by its cells: `pzzle`\n",
    );
    noted(&format!("id,puzzle,now\n7,{puzzle},{solution}\n"), "");
    noted(&format!("7,{puzzle}\n"), "");
    let ran = run("solve", &format!("puzzle,solution\n{puzzle},12 a\n"));
    assert!(ran.err.contains("2:83: not used: a value that is no solution `12 a`"), "{}", ran.err);
    let again = run("solve", &run("solve", &both).out);
    assert_eq!((again.out, again.code), (both.clone(), 0));
    check(
        "convert --to csv",
        &format!("id,puzzle\n7,{puzzle}\n"),
        &format!("id,puzzle\n7,{puzzle}\n"),
        0,
    );
    for (text, place) in [
        (
            format!("puzzle,solution\n{puzzle},{other}\n"),
            "2:83: expected a solution with the clue `6` in r1c1",
        ),
        (format!("id,puzzle\n7,{puzzle},8\n"), "2:85: expected 2 values, found 3"),
    ] {
        let ran = run("solve", &text);
        assert!(ran.code == 2 && ran.err.contains(place), "{}", ran.err);
    }
}

/// The rows of a 9x9 grid with one solution.
const ROWS: [&str; 9] = [
    "53..7....",
    "6..195...",
    ".98....6.",
    "8...6...3",
    "4..8.3..1",
    "7...2...6",
    ".6....28.",
    "...419..5",
    "....8..79",
];

/// Joins [`ROWS`] with `between`. Each row is enclosed in `open` and `close`, `gap` separates its
/// cells, and `blank` stands for an empty cell.
fn drawn(open: &str, gap: &str, close: &str, between: &str, blank: &str) -> String {
    let row = |row: &str| {
        let cells: Vec<String> =
            row.chars().map(|c| if c == '.' { blank.to_owned() } else { c.to_string() }).collect();
        format!("{open}{}{close}", cells.join(gap))
    };
    ROWS.map(row).join(between)
}

#[test]
fn grids_copied_from_pages_and_programs_are_read() {
    let rows = ROWS.join("\n");
    let line = ROWS.concat();
    let lists = drawn("[", ", ", "]", ",\n", "0");
    let braces = drawn("{", ",", "}", ",\n", "0");
    let frame = |dash: char, bar: char| {
        let rule: String = std::iter::repeat_n(dash, 13).collect();
        let row =
            |row: &&str| format!("{bar}{}{bar}{}{bar}{}{bar}\n", &row[..3], &row[3..6], &row[6..]);
        let bands = ROWS.chunks(3).map(|band| band.iter().map(row).collect::<String>());
        format!("{rule}\n{}", bands.map(|band| format!("{band}{rule}\n")).collect::<String>())
    };
    let table_rule = format!("|{}\n", "---|".repeat(9));
    let table = drawn("| ", " | ", " |", "\n", " ");
    let (first, rest) = table.split_once('\n').unwrap();
    let cases = [
        (format!("```\n{rows}\n```\n"), ""),
        (format!("# My puzzle\n~~~ text\n{rows}\n~~~\n"), ""),
        (
            format!("Please solve:\n\n```text\n{rows}\n```\nThanks!\n"),
            "1:1: not used: text outside of the block `Please solve:` (and 1 more)",
        ),
        (
            format!("<p>Mine:</p><pre>\n{rows}\n</pre>\n"),
            "1:1: not used: text outside of the block `<p>Mine:</p>`",
        ),
        (format!("<pre>{line}</pre>\n"), ""),
        (format!("[CODE]\n{rows}\n[/CODE]\n"), ""),
        (format!("#1 {line}\n"), ""),
        (format!("#1: {line}\n"), ""),
        (format!("[Puzzle]\n{line}\n"), ""),
        (format!("{{{braces}}}\n"), ""),
        (format!("int grid[9][9] = {{{braces}}};\n"), ""),
        (format!("static final int[][] BOARD = new int[][] {{\n{braces}\n}};\n"), ""),
        (format!("int board[9][9] =\n{{\n{braces}\n}};\n"), ""),
        (format!("np.array([{lists}])\n"), ""),
        (format!("grid = np.array([{lists}], dtype=int)\n"), ""),
        (format!("[{}]\n", drawn("[", " ", "]", "\n ", "0")), ""),
        (frame('–', '|'), ""),
        (frame('—', '¦'), ""),
        (frame('┄', '┆'), ""),
        (
            format!("| A | B | C | D | E | F | G | H | I |\n{table_rule}{table}\n"),
            "1:1: not used: the header of a table `| A | B |",
        ),
        (format!("|{}\n{table_rule}{table}\n", "   |".repeat(9)), ""),
        (format!("{first}\n{table_rule}{rest}\n"), ""),
    ];
    for (text, note) in cases {
        let ran = run("count", &text);
        assert_eq!((ran.out.as_str(), ran.code), ("1\n", 0), "{text}{}", ran.err);
        assert!(ran.err.contains(note) && ran.err.is_empty() == note.is_empty(), "{text}{}", ran.err);
    }
    let twice = format!("```\n{rows}\n```\nand\n```\n{rows}\n```\n");
    assert_eq!(run("count", &twice).out, "1\n1\n");
}

#[test]
fn every_grid_of_a_document_is_read() {
    let lists = drawn("[", ",", "]", ",", "0");
    let ipuz = format!(
        "{{\"version\":\"http://ipuz.org/v2\",\"kind\":[\"http://ipuz.org/sudoku#1\"],\"puzzle\":[{lists}]}}"
    );
    for text in
        [format!("[{ipuz},{ipuz}]\n"), format!("{ipuz}\n{ipuz}\n"), format!("[[{lists}],[{lists}]]\n")]
    {
        check("count", &text, "1\n1\n", 0);
    }
    let wrong = drawn("[", ",", "]", ",", "0").replacen('5', "6", 1);
    for text in [
        ipuz.replace("\"puzzle\"", &format!("\"solution\":[{wrong}],\"puzzle\"")),
        format!("{{\"puzzle\":[{lists}],\"solution\":[{wrong}]}}"),
    ] {
        let ran = run("count", &text);
        assert!(
            ran.err.contains("expected a solution with the clue `5` in r1c1, found `6` there"),
            "{}",
            ran.err
        );
        assert_eq!((ran.out.as_str(), ran.code), ("error\n", 2));
    }
    let ran = run("count", &ipuz.replace("\"puzzle\"", "\"org.example:fog\":1,\"puzzle\""));
    assert!(ran.err.contains("not used: a key of ipuz `org.example:fog: 1`"), "{}", ran.err);
}

#[test]
fn a_text_in_no_known_format_is_refused_in_one_line() {
    for text in ["q3/1q2/2q1/3k", "3x3::k:a", "SumoCueV1=0J0+0J0+1J0", "hello"] {
        let ran = run("count", &format!("{text}\n"));
        assert_eq!(
            (ran.out.as_str(), ran.code, ran.err.lines().count()),
            ("", 2, 1),
            "{text}: {}",
            ran.err
        );
        assert!(ran.err.contains("expected puzzles, found"), "{text}: {}", ran.err);
    }
}

#[test]
fn an_uncertain_detection_of_the_format_is_noted() {
    for text in ["0,2,3,1\n2,0,1,3\n3,1,0,2\n1,3,2,0\n", "abcdabcdabcdabcd\n"] {
        let ran = run("count", text);
        assert!(
            ran.err.contains("taken for a sudoku of order 4; --puzzle names another kind"),
            "{}",
            ran.err
        );
        assert!(!run("count --puzzle sudoku", text).err.contains("taken for"));
    }
}

#[test]
fn a_line_that_is_too_long_is_refused_early() {
    let text = format!("{}\n", "1.".repeat(1 << 19));
    for args in [
        "count",
        "count --from line",
        "count --from rows",
        "count --from pencilmarks",
        "count --from csv",
    ] {
        let ran = run(args, &text);
        assert_eq!(ran.code, 2, "{args}");
        assert!(ran.err.lines().count() <= 3 && ran.err.len() < 400, "{args}: {}", ran.err);
    }
    let ran = run("count", &"1.".repeat(1 << 20));
    assert!(
        ran.err.contains("1:1: expected a word of at most 1048576 bytes, found a longer one"),
        "{}",
        ran.err
    );
    assert!(
        run("count --from line", &text)
            .err
            .contains("1:1: cannot read: the line exceeds the limit of 65536 bytes")
    );
}

#[test]
fn unknown_parts_of_documents_are_noted_or_refused() {
    let cells = ROWS.concat();
    let game = format!("<game data=\"{}\"/>", cells.replace('.', "0"));
    let link = format!("https://www.sudokuwiki.org/sudoku.htm?bd={}", cells.replace('.', "0"));
    let rows = drawn("[", ",", "]", ",", "0");
    let ipuz = format!(
        "{{\"kind\":[\"http://ipuz.org/sudoku#1\"],\"dimensions\":{{\"width\":9,\"height\":9}},\"puzzle\":[{rows}]}}"
    );
    let noted = [
        (
            format!("<opensudoku><name>n</name>\nhello{game}</opensudoku>\n"),
            "not used: a part of the document `hello`",
        ),
        (
            format!("<opensudoku><fog/>{game}</opensudoku>\n"),
            "1:13: not used: a part of the document `fog`",
        ),
        (format!("see {link} soon\n"), "1:1: not used: text before the link `see`"),
        (format!("see {link} soon\n"), "not used: text after the cells `soon`"),
        (format!("abc\n{cells}\n"), "1:1: not used: a header `abc`"),
        (format!("{{\"puzzle\":[{rows}],\"solution\":null}}"), ""),
    ];
    for (text, note) in noted {
        let ran = run("count", &text);
        assert_eq!((ran.out.as_str(), ran.code), ("1\n", 0), "{text}{}", ran.err);
        assert!(ran.err.contains(note), "{text}{}", ran.err);
    }
    let refused = [
        (format!("<opensudoku>{game}\n<game dat=\"1\"/></opensudoku>\n"), "2:1: expected n*n cells"),
        (ipuz.replace("\"width\":9", "\"width\":8"), "expected the width 9 of the rows, found another"),
        (ipuz.replace("\"dim", "\"puzzle\":[],\"dim"), "expected each key once, found `puzzle` again"),
        (format!("AB\n{cells}\n"), "1:1: expected"),
        (format!("{{\"puzzle\":[{rows}],\"solution\":\"12\"}}"), "expected n*n cells"),
    ];
    for (text, fault) in refused {
        let ran = run("count", &text);
        assert!(ran.code == 2 && ran.err.contains(fault), "{text}{}", ran.err);
    }
}

#[test]
fn a_json_object_with_a_repeated_key_is_refused() {
    for text in [
        r#"{"items": ["a"], "items": ["a"], "options": [["a"]]}"#,
        r#"{"items": ["a"], "options": [["a"]], "options": []}"#,
        r#"{"A": [1, 2], "A": [3]}"#,
        r#"{"puzzle": [[1,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,2]], "puzzle": [[0,0,0,0]]}"#,
    ] {
        let ran = run("count", &format!("{text}\n"));
        assert!(
            ran.code == 2 && ran.err.contains("expected each key once, found `"),
            "{text}{}",
            ran.err
        );
    }
}

#[test]
fn a_game_of_opensudoku_with_a_misspelt_name_is_refused() {
    let cells = ROWS.concat().replace('.', "0");
    let game = format!("<game data=\"{cells}\"/>");
    for lost in [game.replace("game", "gam"), game.replace("game data", "data game")] {
        let ran = run("count", &format!("<opensudoku>{game}{lost}</opensudoku>\n"));
        assert!(ran.code == 2 && ran.err.contains("expected an element `game`"), "{lost}{}", ran.err);
    }
}

#[test]
fn misspelt_addresses_and_keys_of_ipuz_are_refused() {
    let text = "{\"version\":\"http://ipuz.org/v2\",\"kind\":[\"http://ipuz.org/sudoku#1\"],\
                \"dimensions\":{\"width\":4,\"height\":4},\"puzzle\":[[0,0,3,0],[0,1,0,0],[0,0,4,0],[0,2,0,0]]}\n";
    let count = run("count", text);
    assert_eq!((count.code, count.err.as_str()), (0, ""));
    for (part, other) in [
        ("http://ipuz.org/v2", "http://v2"),
        ("http://ipuz.org/v2", "ttp://ipuz.org/v2"),
        ("ipuz.org/sudoku#1", "ipuz.org/ssudoku#1"),
        ("ipuz.org/sudoku#1", "ipuz.org/sudokusudoku#1"),
        ("\"width\":4", "\"width\":4,4"),
    ] {
        let ran = run("count", &text.replace(part, other));
        assert!(ran.code == 2 && ran.err.contains(": expected "), "{other}: {}{}", ran.out, ran.err);
    }
    let latin = text.replace("sudoku#1", "sudoku/latinsquare#1");
    let rows = "# puzzle: latin\n..3.\n.1..\n..4.\n.2..\n";
    assert_eq!(run("count", &latin).out, run("count", rows).out);
}

#[test]
fn a_link_to_sudokuwiki_with_a_longer_key_is_refused() {
    let cells = ROWS.concat().replace('.', "0");
    for key in ["bbd=", "bdbd="] {
        let ran = run("count", &format!("https://www.sudokuwiki.org/sudoku.htm?{key}{cells}\n"));
        assert_eq!(ran.code, 2, "{key}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn text_after_the_puzzle_in_a_compressed_link_is_refused() {
    let text = "# order: 4\n# thermo: r4c1 r3c1\n";
    for form in ["fpuzzles-link", "penpa"] {
        let link = run(&format!("convert --to {form}"), text).out;
        let link = link.trim_end();
        let count = run("count", &format!("{link}\n"));
        assert_eq!(count.code, 0, "{link}: {}", count.err);
        for more in ["AAAA", "x3Zq"] {
            let ran = run("count", &format!("{}{more}\n", link.trim_end_matches('=')));
            assert_eq!(ran.code, 2, "{form} {more}: {}{}", ran.out, ran.err);
        }
    }
    let link = run("convert --to penpa", text).out;
    for (part, other) in [("m=edit", "=edit"), ("m=edit", "m3edit"), ("m=edit&", "m=edit&&")] {
        let ran = run("count", &link.replace(part, other));
        assert!(ran.code == 2 && ran.err.contains("expected `m=edit`"), "{other}: {}", ran.err);
    }
}

#[test]
fn a_constraint_string_defines_exactly_one_puzzle() {
    let string = ".Shape~4x4.~R4C2_1\n";
    assert_eq!(run("count", string).code, 0);
    let ran = run("count", &string.repeat(2));
    assert!(ran.code == 2 && ran.err.contains("expected Shape once"), "{}", ran.err);
}

#[test]
fn a_misspelt_key_of_a_cage_is_refused_and_an_unrelated_one_is_noted() {
    let text = |key: &str| {
        let row = "[{},{},{},{}]";
        format!(
            "{{\"cells\":[{row},{row},{row},{row}],\"regions\":[],\
             \"cages\":[{{\"cells\":[[1,0],[1,1]],\"{key}\":\"5\",\"unique\":true}}]}}\n"
        )
    };
    assert_eq!(run("count -q", &text("value")).code, 0);
    let ran = run("count", &text("vlue"));
    assert!(ran.code == 2 && ran.err.contains("expected `value`, found the key `vlue`"), "{}", ran.err);
    let ran = run("count", &text("zzz"));
    assert!(ran.code == 0 && ran.err.contains("`zzz` of cages"), "{}", ran.err);
}

#[test]
fn words_between_the_elements_of_a_burrtools_file_are_refused() {
    let file = "<puzzle version=\"2\"><gridType type=\"0\"/><shapes>\
                <voxel x=\"2\" y=\"1\" z=\"1\" type=\"0\">##</voxel></shapes>\
                <problems><problem><shapes><shape id=\"0\" count=\"1\"/></shapes><result id=\"0\"/></problem>\
                </problems></puzzle>\n";
    assert_eq!(run("count", file).out, "1\n");
    for part in ["<gridType", "<voxel", "<problem>", "<shape id", "</shapes><result", "<result"] {
        let ran = run("count", &file.replacen(part, &format!("zzz {part}"), 1));
        assert!(ran.code == 2 && ran.err.contains("found `zzz`"), "{part}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn a_lone_number_above_spaced_rows_is_noted() {
    let ran = run("count", "434\n- 1 - -\n- 3 - -\n- - - -\n- - - 4\n");
    assert!(ran.err.contains("1:1: not used: a number above a grid `434`"), "{}", ran.err);
}

#[test]
fn a_variant_with_several_grids_is_refused_in_every_format() {
    let game = format!("<game data=\"{}\"/>", ROWS.concat().replace('.', "0"));
    for (count, code) in [(1, 0), (2, 2)] {
        let text = format!("# odd: r1c9\n<opensudoku>{}</opensudoku>\n", game.repeat(count));
        let ran = run("count --limit 2", &text);
        assert!(ran.code == code || ran.code == 1 && count == 1, "{}{}", ran.out, ran.err);
        assert_eq!(count == 2, ran.err.contains("expected one grid, found more"), "{}", ran.err);
    }
}

/// The JSON of SudokuPad for an empty 4x4 grid without regions, with one cage.
fn sudokupad(cage: &str) -> String {
    let row = "[{},{},{},{}]";
    format!("{{\"cells\":[{row},{row},{row},{row}],\"regions\":[],\"cages\":[{cage}]}}\n")
}

#[test]
fn each_value_of_a_cage_of_sudokupad_is_used_or_refused() {
    let cells = r#""cells":[[1,0],[1,1]]"#;
    for (cage, count) in [
        (format!(r#"{{{cells},"value":"5","unique":true}}"#), "192\n"),
        (format!(r#"{{{cells},"value":"5","sum":5}}"#), "192\n"),
        (r#"{"cells":[],"value":"author: somebody"}"#.to_owned(), "576\n"),
        (r#"{"cells":[[0,0],[0,1],[0,2],[0,3]],"type":"rowcol","unique":true}"#.to_owned(), "576\n"),
    ] {
        assert_eq!(run("count -q", &sudokupad(&cage)).out, count, "{cage}");
    }
    for (cage, expected) in [
        (format!(r#"{{{cells},"value":"5","unique":1}}"#), "true or false in `unique`"),
        (format!(r#"{{{cells},"value":"6","sum":5}}"#), "the sum 5 as the `value` of its cage"),
        (format!(r#"{{{cells},"sum":"x"}}"#), "expected a sum"),
        (format!(r#"{{{cells},"value":"title: x","unique":true}}"#), "expected a sum"),
        (format!(r#"{{{cells},"type":"rowcol","unique":true}}"#), "a row or a column"),
        (r#"{"cells":[[1,0,7],[1,1]],"unique":true}"#.to_owned(), "expected a cell from [0,0]"),
        (r#"{"cells":"r1c1","unique":true}"#.to_owned(), "expected a list of cells"),
        (r#"{"value":"norowcol: true"}"#.to_owned(), "found `norowcol`"),
        (r#"{"value":"global: antiking"}"#.to_owned(), "`global` outside of cages"),
    ] {
        let ran = run("count", &sudokupad(&cage));
        assert!(ran.code == 2 && ran.err.contains(expected), "{cage}: {}{}", ran.out, ran.err);
    }
    let whole = |part: &str| sudokupad("").replace("{\"cells\"", &format!("{{{part},\"cells\""));
    for (part, expected) in [
        (r#""global":"antiking""#, "a list in `global`"),
        (r#""metadata":{"norowcol":true}"#, "found `norowcol`"),
        (r#""region":[[[0,0],[0,1]]]"#, "expected `regions`"),
        (r#""boxes":[{"cells":[[0,0],[0,1]]}]"#, "found `boxes` with cells"),
    ] {
        let ran = run("count", &whole(part));
        assert!(ran.code == 2 && ran.err.contains(expected), "{part}: {}{}", ran.out, ran.err);
    }
    for (text, note) in [
        (whole(r#""zzz":5"#), "`zzz` of the puzzle (not known here: 5)"),
        (whole(r#""metadata":{"rules":"odd digits in the first row"}"#), "the rules in words"),
        (sudokupad("").replacen("{}", r#"{"value":1,"given":false}"#, 1), "digits that are not given"),
    ] {
        let ran = run("count", &text);
        assert!(ran.out == "576\n" && ran.err.contains(note), "{text}: {}{}", ran.out, ran.err);
    }
    let wrong = sudokupad("").replacen("{}", "5", 1);
    assert!(run("count", &wrong).err.contains("expected an object, found `5` among cells"));
}

#[test]
fn each_value_of_f_puzzles_is_used_or_refused() {
    let puzzle = |cell: &str, more: &str| {
        let row = |first: &str| format!("[{first},{{}},{{}},{{}}]");
        let rows = [row(cell), row("{}"), row("{}"), row("{}")].join(",");
        format!("{{\"size\":4,\"grid\":[{rows}]{more}}}\n")
    };
    let diagonal = |part: &str| {
        puzzle("{}", &format!(r#","littlekillersum":[{{"cells":["R1C2","R2C3","R3C4"],{part}}}]"#))
    };
    assert_eq!(run("count -q", &diagonal(r#""value":"7","cell":"R0C1","direction":"DR""#)).code, 0);
    for (text, expected) in [
        (puzzle("5", ""), "expected an object, found `5`"),
        (puzzle(r#"{"region":99}"#, ""), "a region from 0 to 3"),
        (puzzle(r#"{"givenPencilMarks":7}"#, ""), "a list in `givenPencilMarks`"),
        (
            puzzle(r#"{"value":1,"given":true,"givenPencilMarks":[2]}"#, ""),
            "1 among `givenPencilMarks`",
        ),
        (puzzle("{}", r#","minimum":[{"cell":"R1C1","zzz":1}]"#), "found `zzz`"),
        (puzzle("{}", r#","metadata":{"norowcol":true}"#), "found `norowcol`"),
        (puzzle("{}", r#","zzz":[{"cells":["R1C1"]}]"#), "in `zzz`"),
        (diagonal(r#""value":"7","cell":"R0C2""#), "the cells of the diagonal at its `cell`"),
        (diagonal(r#""value":"7","cell":"R0C1","direction":"DL""#), "the cells of the diagonal"),
        (diagonal(r#""value":"7","direction":"zzz""#), "expected DR, DL, UR or UL"),
    ] {
        let ran = run("count", &text);
        assert!(ran.code == 2 && ran.err.contains(expected), "{text}: {}{}", ran.out, ran.err);
    }
    for (text, note) in [
        (puzzle(r#"{"value":1}"#, ""), "digits that are not given"),
        (puzzle(r#"{"zzz":""}"#, ""), "`zzz` (empty)"),
        (puzzle("{}", r#","zzz":[]"#), "`zzz` (empty)"),
        (puzzle("{}", r#","ruleset":"odd digits in the first row""#), "the rules in words"),
        (puzzle("{}", r#","xv":[{"cells":["R1C1","R1C2"]}]"#), "`xv` without a sum"),
        (puzzle("{}", r#","line":{"lines":[["R1C1","R1C2"]]}"#), "not used: line"),
    ] {
        let ran = run("count", &text);
        assert!(ran.out == "288\n" && ran.err.contains(note), "{text}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn text_after_a_compressed_link_is_noted() {
    let text = "# order: 4\n# killer: r1c1 r1c2 = 4\n";
    for form in ["fpuzzles-link", "sudokupad"] {
        let link = run(&format!("convert --to {form}"), text).out;
        let more = format!("{}&zzz=1\n", link.trim_end());
        let ran = run("count", &more);
        assert_eq!(ran.out, run("count", &link).out, "{more}");
        assert!(ran.err.contains("not used: `&zzz=1` of the address"), "{more}: {}", ran.err);
        let padded = format!("{}=A==\n", link.trim_end().trim_end_matches('='));
        assert_eq!(run("count", &padded).code, 2, "{padded}");
    }
}

#[test]
fn each_value_of_ipuz_is_used_or_refused() {
    let grid = |more: &str| {
        format!(
            "{{\"version\":\"http://ipuz.org/v2\",\"kind\":[\"http://ipuz.org/sudoku#1\"]{more},\
             \"puzzle\":[[0,0,3,0],[0,1,0,0],[0,0,4,0],[0,2,0,0]]}}\n"
        )
    };
    let cage = |cage: &str| grid(&format!(",\"cages\":[{{{cage}}}]"));
    let cells = r#""cells":[[1,1],[2,1]]"#;
    for text in [grid(""), cage(&format!("{cells},\"value\":5")), grid("").replace("v2", "v1")] {
        assert_eq!(run("count", &text).code, run("count -q", &text).code, "{text}");
        assert_ne!(run("count", &text).code, 2, "{text}");
    }
    // With cages another reader takes the text.
    for more in ["", ",\"cages\":[]"] {
        let text = grid(more);
        for (text, expected) in [
            (text.replace("v2", "v3"), "expected the version http://ipuz.org/v1 or v2"),
            (text.replace("sudoku#1", "sudoku#"), "expected the kind"),
            (text.replace("sudoku#1", "sudoku#2"), "expected the kind"),
            (text.replace("\"kind\":[\"http://ipuz.org/sudoku#1\"]", "\"kind\":[]"), "expected"),
            (text.replace("\"kind\":[\"http://ipuz.org/sudoku#1\"],", ""), "`kind`"),
            (text.replace(",\"puzzle\"", ",\"boxes\":1,\"puzzle\""), "true or false in `boxes`"),
            (text.replace(",\"puzzle\"", ",\"charset\":1234,\"puzzle\""), "expected"),
            (text.replace(",\"puzzle\"", ",\"charset\":\"12\",\"puzzle\""), "expected"),
            (text.replace(",\"puzzle\"", ",\"dimensions\":4,\"puzzle\""), "expected an object"),
            (text.replace(",\"puzzle\"", ",\"dimensions\":{\"widht\":4},\"puzzle\""), "widht"),
            (text.replace("[[0,", "[[{\"value\":1,\"cell\":2},"), "expected"),
            (text.replace("[[0,", "[[{\"value\":1,\"zzz\":2},"), "expected"),
            (text.replace("[[0,", "[[{\"value\":{\"value\":1}},"), "expected"),
            (
                text.replace(
                    ",\"puzzle\"",
                    ",\"solution\":[[1,2,4,3],[3,1,2,4],[2,3,4,1],[4,2,3,1]],\"puzzle\"",
                ),
                "",
            ),
        ] {
            let ran = run("count", &text);
            assert!(ran.code == 2 && ran.err.contains(expected), "{text}: {}{}", ran.out, ran.err);
        }
    }
    for (text, expected) in [
        (cage(&format!("{cells},\"rect\":[1,1,2,1],\"value\":5")), "either `cells` or `rect`"),
        (cage("\"rect\":[2,1,1,1],\"value\":5"), "two corners"),
        (cage("\"rect\":[1,1,2,1,3],\"value\":5"), "two corners"),
        (cage("\"cells\":[[1,1,9],[2,1]],\"value\":5"), "expected `cells`"),
        (cage(&format!("{cells},\"value\":5,\"operator\":1")), "expected an operator"),
        (grid(",\"zones\":7"), "expected a list in `zones`"),
        (
            grid(",\"boxes\":true,\"zones\":[]").replace("sudoku#1", "sudoku/latinsquare#1"),
            "expected no `boxes`",
        ),
    ] {
        let ran = run("count", &text);
        assert!(ran.code == 2 && ran.err.contains(expected), "{text}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn elements_of_a_burrtools_file_are_where_they_belong() {
    let file = "<puzzle version=\"2\"><gridType type=\"0\"/><colors/><shapes>\
                <voxel x=\"2\" y=\"1\" z=\"1\" type=\"0\">##</voxel></shapes>\
                <problems><problem><shapes><shape id=\"0\" count=\"1\"/></shapes><result id=\"0\"/></problem>\
                </problems></puzzle>\n";
    assert_eq!(run("count", file).out, "1\n");
    let shape = "<shape id=\"0\" count=\"1\"/>";
    for (part, other) in [
        ("version=\"2\"", "version=\"22\""),
        ("version=\"2\"", "version=\"\""),
        ("<colors/>", &format!("<colors/>{shape}")),
        ("</shapes><result", &format!("</shapes>{shape}<result")),
        (shape, &format!("{shape}<shap id=\"0\"/>")),
        (shape, &format!("{shape}<voxel x=\"2\" y=\"1\" z=\"1\">##</voxel>")),
        ("</problem>", "<pair piece=\"0\" result=\"0\"/></problem>"),
    ] {
        let ran = run("count", &file.replacen(part, other, 1));
        assert!(ran.code == 2 && ran.err.contains("expected "), "{other}: {}{}", ran.out, ran.err);
    }
    for (part, other, note) in [
        ("<colors/>", "<color/>", "element `color` in `puzzle`"),
        ("<colors/>", "<zzz/>", "element `zzz` in `puzzle`"),
        ("<colors/>", "<colors min=\"1\"/>", "attribute `min=\"1\"` of `colors`"),
    ] {
        let ran = run("count", &file.replace(part, other));
        assert!(ran.out == "1\n" && ran.err.contains(note), "{other}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn attributes_and_texts_of_opensudoku_are_known_or_noted() {
    let game = |attribute: &str| {
        let cells = ROWS.concat().replace('.', "0");
        format!(
            "<opensudoku><folder name=\"a\"><game {attribute} data=\"{cells}\"/></folder></opensudoku>\n"
        )
    };
    let ran = run("count", &game("created=\"1\" state=\"0\""));
    assert_eq!((&*ran.out, &*ran.err), ("1\n", ""));
    let ran = run("count", &game("zzz=\"1\""));
    assert!(ran.err.contains("not used: an attribute `zzz=\"1\"`"), "{}", ran.err);
    let ran = run("count", &game("Data=\"1\""));
    assert!(ran.code == 2 && ran.err.contains("expected `data`, found `Data`"), "{}", ran.err);
    let ran = run("count", &game("").replace("<game", "zzz <game"));
    assert!(ran.err.contains("not used: a part of the document `zzz`"), "{}", ran.err);
}
