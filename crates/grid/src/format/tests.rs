//! Tests of every format with its example, well-known samples, malformed texts and random bytes.

use super::{FORMATS, Format, by_name, recognize};
use crate::{Alphabet, Grid, Setting, Style};
use text::Lines;

fn read(format: &Format, text: &str) -> Vec<Result<Grid, String>> {
    let (mut lines, mut next) = (Lines::of_text(text), (format.reader)());
    let mut setting = Setting::default();
    let mut grids = Vec::new();
    loop {
        assert!(grids.len() <= text.len() + 1, "{} must come to an end of {text:?}", format.name);
        match next(&mut lines, &mut setting) {
            Ok(Some(grid)) => grids.push(Ok(grid)),
            Ok(None) => return grids,
            Err(error) => {
                assert!(!error.message.is_empty());
                let _ = error.excerpt();
                grids.push(Err(error.to_string()));
            }
        }
    }
}

fn written(format: &Format, text: &str) -> String {
    let mut out = String::new();
    for (index, grid) in read(format, text).iter().enumerate() {
        if index > 0 {
            out.push_str(format.separator);
        }
        match grid {
            Ok(grid) => (format.write)(grid, &mut out),
            Err(message) => {
                out.push_str(message);
                out.push('\n');
            }
        }
    }
    out
}

fn check(name: &str, input: &str, expected: &str) {
    let format = by_name(name).expect("a format");
    for text in [input.to_owned(), format!("\u{feff}{}", input.replace('\n', " \r\n"))] {
        assert_eq!(written(format, &text), expected, "{name} of {text:?}");
    }
}

fn check_recognized(text: &str, expected: &str) {
    let found = recognize(text).map_or("nothing", |format| format.name);
    assert_eq!(found, expected, "format of {text:?}");
}

fn candidates(grid: &Grid) -> Vec<u64> {
    (0..grid.shape().cell_count()).map(|cell| grid.candidates(cell)).collect()
}

const HARD: &str =
    "800000000003600000070090200050007000000045700000100030001000068008500010090000400\n";
const EASY: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n";
const EASY_ROWS: &str = "53..7....\n6..195...\n.98....6.\n8...6...3\n4..8.3..1\n7...2...6\n.6....28.\n\
                         ...419..5\n....8..79\n";
const NINE_A: &str = "000011\n022013\n221113\n243333\n244455\n445555\n";

#[test]
fn every_example_is_read_without_errors_and_recognized() {
    for format in FORMATS {
        let grids = read(format, format.example);
        assert!(!grids.is_empty(), "{} has grids", format.name);
        for grid in &grids {
            assert!(grid.is_ok(), "{}: {grid:?}", format.name);
        }
        check_recognized(format.example, format.name);
    }
}

#[test]
fn every_example_survives_reading_and_writing() {
    for format in FORMATS.iter().filter(|format| format.is_written) {
        let grids = read(format, format.example);
        let first = grids[0].as_ref().expect("an example is in order");
        let text = (format.head)(first, false) + &written(format, format.example);
        assert_eq!(text, format.example, "{}", format.name);
    }
}

#[test]
fn every_format_writes_the_grids_of_all_others_or_names_the_missing_feature() {
    for from in FORMATS {
        for grid in read(from, from.example) {
            let mut grid = grid.expect("an example is in order");
            for to in FORMATS {
                if !to.is_written || to.lacks(&grid).is_some() {
                    continue;
                }
                grid.style.format = to;
                let mut text = (to.head)(&grid, false);
                (to.write)(&grid, &mut text);
                let again = read(to, &text);
                let again = again[0].as_ref().expect("what was written is in order");
                let names = format!("{} to {}", from.name, to.name);
                if to.name == "hodoku" {
                    // Candidates that clues exclude are not written.
                    let marks = |grid: &Grid| {
                        let marks = by_name("pencilmarks").expect("a format");
                        let grid = Grid { style: Style::new(marks), ..grid.clone() };
                        let mut text = String::new();
                        (marks.write)(&grid, &mut text);
                        text
                    };
                    assert_eq!(marks(again), marks(&grid), "{names}");
                } else if to.name == "pencilmarks" {
                    // For empty cells only open candidates are written.
                    let pairs = candidates(again).into_iter().zip(candidates(&grid)).enumerate();
                    for (cell, (now, before)) in pairs {
                        assert_eq!(now & before, now, "{names}");
                        assert!(now == before || grid.is_blank(cell), "{names}");
                    }
                } else {
                    assert_eq!(candidates(again), candidates(&grid), "{names}");
                }
            }
        }
    }
}

#[test]
fn a_text_is_recognized_by_the_first_format_that_fits() {
    let s0 = format!("1\n{}", by_name("contest").expect("a format").example);
    let spaced = by_name("spaced").expect("a format").example;
    let rows16 = "1...............\n".repeat(15) + "........G.......\n";
    let batch16 = "1...2...3...4...\n".repeat(16);
    let cases = [
        (HARD, "line"),
        (EASY, "line"),
        (EASY_ROWS, "rows"),
        (by_name("contest").expect("a format").example, "contest"),
        (&*s0, "nothing"),
        (spaced, "spaced"),
        (&spaced.replace('0', "."), "rows"),
        (&spaced.replace('0', "123"), "pencilmarks"),
        (&format!("# title: x\n# solutions: 1\n\n{spaced}"), "spaced"),
        (&format!("{NINE_A}6\n02C\n03B\n05A\n20D\n35E\n53F\n"), "regions"),
        (&format!("{NINE_A}0\n"), "regions"),
        (NINE_A, "rows"),
        ("5\n", "nothing"),
        ("", "nothing"),
        ("1234\n....\n....\n....\n", "rows"),
        ("12..\n..21\n.1..\n...2\n", "rows"),
        ("4\n1234\n....\n....\n....\n", "nothing"),
        ("123456789\n103000509\n", "rows"),
        (&rows16, "rows"),
        (&batch16, "line"),
        ("1...2...3...4...\n", "line"),
        ("1.2.3.4.\n", "nothing"),
        (&format!("#ASomeone\n#DA puzzle\n{EASY_ROWS}"), "sdk"),
        (&format!("# solutions: 1\n{EASY_ROWS}"), "rows"),
        (&format!("[Puzzle]\n{EASY_ROWS}[State]\n{EASY_ROWS}"), "sdk"),
        (&format!("id,quizzes,solutions\n7,{},\n", EASY.trim()), "csv"),
        (&format!("id,board\n7,{}\n", EASY.trim()), "csv"),
        (&format!("7,{}\n", EASY.trim()), "csv"),
        (&format!("{},7.2\n", EASY.trim()), "line"),
        (&format!("{} 7.2\n", EASY.trim()), "line"),
        (&"0,".repeat(80), "nothing"),
        (&format!("{}0\n", "0,".repeat(80)), "line"),
        (&format!("{}x\n{HARD}", &HARD[..79]), "line"),
        (&EASY_ROWS.replace("6..195...", "6..195.."), "rows"),
        ("*-----------*\n|12.|...|...|\n|...|...|...|\n|...|...|...|\n|---+---+---|\n", "rows"),
        ("A B C D E F G\nA D\n", "nothing"),
        ("The quick brown fox jumps over the lazy dog\n", "nothing"),
    ];
    for (text, expected) in cases {
        check_recognized(text, expected);
    }
}

#[test]
fn one_grid_per_line_may_be_written_with_spaces_commas_bars_and_numbers() {
    check("line", EASY, EASY);
    check("line", &format!("# comment\n\n{} 9.9 name\n", EASY.trim()), EASY);
    check("line", "1234|..12|..21|4...\n", "1234..12..214...\n");
    check("line", "1,2,3,4,0,0,1,2,0,0,2,1,4,0,0,0\n", "1234001200214000\n");
    let hex = "0123456789ABCDEF................".repeat(8) + "\n";
    check("line", &hex, &hex);
    let solved = "0123456789ABCDEF".repeat(16) + "\n";
    check("line", &solved, &solved);
    let numbers = (1..=10).map(|n| n.to_string()).chain((0..90).map(|_| ".".to_owned()));
    let numbers = numbers.collect::<Vec<_>>().join(" ") + "\n";
    check("line", &numbers, &numbers);
    check("line", "abcd............\n", "ABCD............\n");
}

#[test]
fn a_malformed_line_is_reported_with_its_position_and_the_next_line_is_read() {
    let bad = EASY.replacen("..7", "x.7", 1);
    check(
        "line",
        &format!("{bad}{HARD}"),
        &format!("1:3: expected a digit 1-9, `.` or `0`, found `x`\n{HARD}"),
    );
    check("line", &format!("{}\n", &EASY[..80]), "1:81: expected 81 cells in this line, found 80\n");
    check(
        "line",
        &EASY.replace("..8..", "..8...."),
        "1:82: expected 81 cells in this line, found 83\n",
    );
    check(
        "line",
        "53..7....\n",
        "1:1: expected a digit 1-3, `.` or `0`, found `5` (a line of 9 cells is a grid of order 3)\n",
    );
    check("line", "1 2 3\n", "1:1: expected n*n cells in a line (16, 36, 81, 256, ...), found 3\n");
    check("line", "1234..12..2é4...\n", "1:12: expected a digit 1-4, `.` or `0`, found `é`\n");
}

#[test]
fn rows_are_written_with_the_bars_and_rules_they_were_read_with() {
    let numbers = " . ".repeat(9) + " .\n";
    let numbers = &format!("10  .  3{}\n{}", "  .".repeat(7), numbers.repeat(9));
    let shapes = [
        EASY_ROWS,
        "12|34\n34|12\n--+--\n21|43\n43|21\n",
        "1 2 | 3 4\n3 4 | 1 2\n----+----\n. . | 4 3\n4 3 | . .\n",
        "1 . 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 1\n",
        "|1| |3|4|\n|3|4|1|2|\n| | | | |\n|4|3|2|1|\n",
        "AAA.\n....\n....\n....\nregions\nABBB\nAACB\nADCC\nDDDC\n",
        numbers,
    ];
    for shape in shapes {
        check("rows", shape, shape);
        check("rows", &format!("{shape}\n# next\n{shape}{shape}"), &[shape; 3].join("\n"));
    }
}

#[test]
fn lines_between_boxes_may_be_drawn_with_many_characters() {
    let ruled = "12|34\n34|12\n--+--\n..|43\n43|..\n";
    let framed = "*-------*\n|12.|34.|\n*-------*\n";
    assert_eq!(super::rows::FORMAT.extensions, ["ss"]);
    check("rows", "+---+---+\n|12|34|\n|34|12|\n|--+--|\n|..|43|\n|43|..|\n+---+---+\n", ruled);
    check("rows", "12 34\n34 12\n-----\n.. 43\n43 ..\n", ruled);
    check("rows", "12║34\n34║12\n══╬══\n..║43\n43║..\n", ruled);
    check("rows", "12--\n----\n----\n--21\n", "12--\n----\n----\n--21\n");
    check("rows", "----\n12--\n----\n--21\n", "----\n12--\n----\n--21\n");
    check("rows", "1\nA B C D\nC D A B\nB A D C\nD C B A\n", "A B C D\nC D A B\nB A D C\nD C B A\n");
    check("rows", framed, "3:1: expected 6 rows of 6 cells, found 1\n");
}

#[test]
fn malformed_rows_are_reported_with_their_position_and_the_next_grid_is_read() {
    let bad = EASY_ROWS.replacen("6..195...", "6..195..", 1);
    let good = EASY_ROWS;
    check(
        "rows",
        &format!("{bad}\n{good}"),
        &format!("2:9: expected 9 cells in this row, found 8\n\n{good}").replace("2:9", "2:9"),
    );
    let bad = EASY_ROWS.replacen("6..195...", "6..195....", 1);
    check(
        "rows",
        &format!("{bad}\n{good}"),
        &format!("2:10: expected 9 cells in this row, found 10\n\n{good}"),
    );
    let bad = EASY_ROWS.replacen("6..195...", "6..1?5...", 1);
    check(
        "rows",
        &format!("{bad}\n{good}"),
        &format!("2:5: expected a digit 1-9, `.` or `0`, found `?`\n\n{good}"),
    );
    let short = &EASY_ROWS[..50];
    check(
        "rows",
        &format!("{short}\n{good}"),
        &format!("6:1: expected 9 rows of 9 cells, found 5\n\n{good}"),
    );
    check(
        "rows",
        "12..\n....\n....\n..21\nregions\nAABB\nAABB\nCCDD\nCCCD\n\n12..\n....\n....\n..21\n",
        "6:1: expected 4 cells in each region, found 5 in that of row 3, column \
         1\n\n12..\n....\n....\n..21\n",
    );
    check(
        "rows",
        "12..\n....\n....\n..21\nregions\nAABB\n",
        "7:1: expected 4 lines of region labels, found 1\n",
    );
}

#[test]
fn sdk_sections_and_headers_are_skipped() {
    let section = format!("[Puzzle]\n{EASY_ROWS}");
    check("sdk", &format!("#AMe\n#DTest\n{EASY_ROWS}"), &section);
    check("sdk", &format!("#AMe\n{section}[State]\n{}", EASY_ROWS.replace('.', "1")), &section);
    check("sdk", &format!("{section}\n{section}"), &format!("{section}\n{section}"));
    check("sdk", "[Puzzle]\n53..7....\n", "3:1: expected 9 rows of 9 cells, found 1\n");
}

#[test]
fn pencil_marks_are_read_with_and_without_rules() {
    let plain = "1  234 3   24\n34 234 124 12\n23 1   24  3\n4  23  12  12\n";
    check("pencilmarks", plain, plain);
    let ruled = "1  234 | 3   24\n34 234 | 124 12\n-------+-------\n23 1   | 24  3\n4  23  | 12  12\n";
    check("pencilmarks", ruled, ruled);
    check(
        "pencilmarks",
        ".------.-----.\n| 1 234 | 3 24 |\n| 34 234 | 124 12 |\n:------+-----:\n| 23 1 | 24 3 |\n\
         | 4 23 | 12 12 |\n'------'-----'\n",
        ruled,
    );
    check("pencilmarks", &plain.replace("124", "152"), "2:9: expected a digit 1-4, found `5`\n");
    check(
        "pencilmarks",
        &plain.replace("124", "122"),
        "2:10: candidate `2` occurs twice in this cell\n",
    );
    check("pencilmarks", &plain.replace("1   ", ""), "3:9: expected 4 cells in this row, found 3\n");
    let line = by_name("candidates").expect("a format").example;
    check("candidates", &line.replacen('.', "9", 1), "1:1: expected `1` or `.`, found `9`\n");
    check("candidates", &line[1..], "1:1: expected 729 characters in a line, found 728\n");
}

#[test]
fn contests_are_read_up_to_their_number_of_grids() {
    let grid = &by_name("contest").expect("a format").example[2..];
    let one = format!("1\n{grid}");
    check("contest", &format!("2\n{grid}{grid}"), &format!("{one}{one}"));
    check("contest", &format!("{one}{one}"), &format!("{one}{one}"));
    check("contest", &format!("3\n{grid}"), &format!("{one}11:1: expected 3 grids, found 1\n"));
    check(
        "contest",
        &format!("1\n{grid}{grid}"),
        &format!("{one}11:1: expected the number of grids, found `103000509`\n{one}"),
    );
    check("contest", grid, &format!("1:1: expected the number of grids, found `103000509`\n{one}"));
    check(
        "contest",
        &format!("2\n{}{grid}", grid.replacen("002109400", "00210940", 1)),
        &format!("3:9: expected 9 digits in this row, found 8\n{one}"),
    );
    check(
        "contest",
        &format!("2\n{}{grid}", grid.replacen("002109400", "00210x400", 1)),
        &format!("3:6: expected a digit 0-9, found `x`\n{one}"),
    );
    check("contest", "1\n103000509\n", "3:1: expected 9 rows of 9 digits, found 1\n");
}

#[test]
fn errors_in_spaced_numbers_give_positions() {
    let grid = by_name("spaced").expect("a format").example;
    check("spaced", &format!("{grid}\n{grid}"), &format!("{grid}{grid}"));
    check(
        "spaced",
        &format!("{}\n{grid}", grid.replacen("8 1 0 7", "8 1 0", 1)),
        &format!("2:16: expected 9 numbers in this row, found 8\n{grid}"),
    );
    check(
        "spaced",
        &grid.replacen("8 1 0 7", "8 1 10 7", 1),
        "2:15: expected a number 0-9, found `10`\n",
    );
}

#[test]
fn regions_are_read_as_digits_and_as_numbers() {
    let clues = "6\n02C\n03B\n05A\n20D\n35E\n53F\n";
    let text = format!("{NINE_A}{clues}");
    check("regions", &format!("{text}{text}"), &format!("{text}{text}"));
    check("regions", "0 0\n1 1\n1\n0 1 B\n", "00\n11\n1\n01B\n");
    let wide: String = (0..11).map(|r| [r.to_string().as_str(); 11].join(" ") + "\n").collect();
    check("regions", &format!("{wide}1\n10 0 K\n"), &format!("{wide}1\n10 0 K\n"));
    let wide: String = (0..27).map(|r| [r.to_string().as_str(); 27].join(" ") + "\n").collect();
    check("regions", &format!("{wide}1\n10 0 27\n"), &format!("{wide}1\n10 0 27\n"));
}

#[test]
fn malformed_regions_are_reported_with_their_position() {
    let faults = [
        ("6\n02G", "8:3: expected a letter A-F, found `G`\n"),
        ("6\n0C", "8:1: expected a clue such as `02C`, found `0C`\n"),
        ("6\n62C", "8:1: expected a row 0-5, found `6`\n"),
        ("6\n03A", "9:3: this cell already holds `A`\n"),
        ("x\n02C", "7:1: expected the number of clues, 0 to 36, found `x`\n"),
        ("7\n02C", "14:1: expected 7 clues, found 6\n"),
    ];
    for (fault, message) in faults {
        let clues = "6\n02C\n03B\n05A\n20D\n35E\n53F\n".replacen("6\n02C", fault, 1);
        let good = format!("{NINE_A}6\n02C\n03B\n05A\n20D\n35E\n53F\n");
        let expected =
            if fault.starts_with('7') { message.to_owned() } else { format!("{message}{good}") };
        let next = if fault.starts_with('7') { String::new() } else { good };
        check("regions", &format!("{NINE_A}{clues}\n{next}"), &expected);
    }
    let uneven = NINE_A.replacen("000011", "000001", 1);
    check(
        "regions",
        &format!("{uneven}0\n"),
        "1:1: expected 6 cells in each region, found 7 in that of row 1, column 1\n",
    );
}

#[test]
fn the_puzzle_column_of_a_csv_is_found_and_errors_give_positions() {
    let puzzle = EASY.trim();
    check("csv", &format!("id,quizzes,solutions\n7,{puzzle},\n"), &format!("7,{EASY}"));
    check("csv", &format!("# head\n7;\"{puzzle}\"\n8;{puzzle}\n"), &format!("7;{EASY}8;{EASY}"));
    let rows = EASY_ROWS.trim();
    check("csv", &format!("id,quiz\n7,\"{rows}\"\n8,{puzzle}\n"), &format!("7,{EASY}8,{EASY}"));
    let bad = puzzle.replacen("..7", "x.7", 1);
    let message = "expected a digit 1-9, `.` or `0`, found `x`";
    check("csv", &format!("id,quiz\n7,\"{bad}\"\n8,{puzzle}\n"), &format!("2:6: {message}\n8,{EASY}"));
    let rows = EASY_ROWS.trim().replacen("4..8", "4x.8", 1);
    check("csv", &format!("id,quiz\n7,\"{rows}\"\n8,{puzzle}\n"), &format!("6:2: {message}\n8,{EASY}"));
    check(
        "csv",
        &format!("id,quiz\n7\n8,{puzzle}\n"),
        &format!("2:2: expected 2 values, found 1\n8,{EASY}"),
    );
    check(
        "csv",
        &format!("id,quiz\n7,\"{puzzle}\n8,{puzzle}\n"),
        &format!("2:3: expected a closing quote behind this one, found none\n8,{EASY}"),
    );
    check(
        "csv",
        "a,b\n1,2\n3,4\n",
        "1:1: expected a column `puzzle`, `puzzles`, `quizzes`, `quiz`, `question`, `problem`, `unsolved`, `board`, \
         `clues`, `givens`, `grid`, `sudoku`, or one of n*n cells, found none\n",
    );
}

#[test]
fn pencil_marks_keep_their_symbols() {
    let letters =
        "A  BCD | C   BD\nCD BCD | ABD AB\n-------+-------\nBC A   | BD  C\nD  BC  | AB  AB\n";
    check("pencilmarks", letters, letters);
    let numbers: String = (0..10)
        .map(|row| {
            let cells = (0..10).map(|column| if row == column { "10" } else { "1/2/9" });
            cells.map(|cell| format!("{cell:5}")).collect::<Vec<_>>().join(" ").trim_end().to_owned()
                + "\n"
        })
        .collect();
    check("pencilmarks", &numbers, &numbers);
    check_recognized(&numbers, "pencilmarks");
    check_recognized("# puzzle: latin\n1  2  3\n12 12 3\n12 12 3\n", "pencilmarks");
    check_recognized("1  2  3\n12 12 3\n12 12 3\n", "nothing");
}

#[test]
fn only_open_candidates_are_written() {
    let grid = read(by_name("rows").expect("a format"), "12..\n....\n....\n...3\n").swap_remove(0);
    let mut out = String::new();
    (by_name("pencilmarks").expect("a format").write)(&grid.expect("a grid"), &mut out);
    assert_eq!(out, "1   2   34   4\n34  34  1234 124\n234 134 124  124\n24  14  124  3\n");
}

#[test]
fn errors_in_bracketed_lists_give_positions() {
    let rows = "[[0,0,3,0],\n [0,1,0,0],\n [0,0,4,0],\n [0,2,0,0]]\n";
    check("lists", &format!("{rows}{rows}"), &format!("{rows}\n{rows}"));
    check(
        "lists",
        "board = [(None, None, 3, None), (0, 1, 0, 0,), ('', '', '4', ''), [0, 2, 0, 0],]\n",
        rows,
    );
    check("lists", "{{0,0,3,0},{0,1,0,0},{0,0,4,0},{0,2,0,0}};\n", rows);
    check("lists", "[\"..3.\",\".1..\",\"..4.\",\".2..\"]\n", rows);
    check("lists", "{\"puzzle\": \"..3..1....4..2..\", \"difficulty\": 2}\n", rows);
    check("lists", &rows.replace("4,0", "5,0"), "3:7: expected a digit 1-4, `.` or `0`, found `5`\n");
    check("lists", &rows.replace("4,0", "4"), "3:2: expected 4 cells in this row, found 3\n");
    check("lists", "[[0,0,3,0],\n", "1:12: expected a value, found the end\n");
    check("lists", "[[0,0 3,0]]\n", "1:7: expected `,` or `]`, found `3`\n");
    check("lists", "[\"12..]\n", "1:2: expected a closing quote behind this one, found none\n");
    check(
        "lists",
        &"[".repeat(40),
        "1:33: expected at most 32 brackets inside one another, found more\n",
    );
    let ipuz = by_name("ipuz").expect("a format").example;
    check("ipuz", &format!("ipuz({})", ipuz.trim()), ipuz);
    check("ipuz", &ipuz.replace("[0,1,0", "[{\"cell\":0},{\"value\":1},null"), ipuz);
    check(
        "ipuz",
        &ipuz.replace("\"dim", "\"cages\":[],\"dim"),
        "2:9: the cages of ipuz are not read\n",
    );
    check(
        "ipuz",
        &ipuz.replace("/sudoku#1", "/crossword"),
        "1:40: expected the kind http://ipuz.org/sudoku#1\n",
    );
}

#[test]
fn errors_in_opensudoku_files_give_positions() {
    let example = by_name("opensudoku").expect("a format").example;
    check("opensudoku", example, &format!("{HARD}{}", EASY.replace('.', "0")));
    check(
        "opensudoku",
        &example.replacen("36", "3x", 1),
        &format!("4:25: expected a digit 1-9, `.` or `0`, found `x`\n{}", EASY.replace('.', "0")),
    );
    check(
        "opensudoku",
        "<opensudoku/>\n",
        "1:1: expected an element `<game data=\"...\">`, found none\n",
    );
    let bomb =
        format!("<!DOCTYPE a [<!ENTITY b \"c\">]>{}", example.split_once('\n').expect("lines").1);
    let read = read(by_name("opensudoku").expect("a format"), &bomb);
    assert!(read[0].as_ref().is_err_and(|error| error.contains("expected XML")), "{read:?}");
}

#[test]
fn a_jigsaw_whose_regions_are_boxes_is_read_as_a_sudoku() {
    let text = "1..4\n....\n....\n4..1\nregions\nBBAA\nBBAA\nCCDD\nCCDD\n";
    let grid = read(by_name("rows").expect("a format"), text).swap_remove(0).expect("a grid");
    assert_eq!(grid.shape().boxes(), Some((2, 2)));
    assert_eq!(by_name("line").expect("a format").lacks(&grid), None);
}

#[test]
fn solutions_are_written_in_the_style_of_the_original_programs() {
    let show = |name: &str| {
        let format = by_name(name).expect("a format");
        let grid = read(format, format.example).swap_remove(0).expect("an example is in order");
        let (mut solution, mut unsolvable) = (String::new(), String::new());
        format.write_solution(&grid, &grid, 2, &mut solution);
        (format.write_unsolvable)(&grid, &mut unsolvable);
        (solution, unsolvable)
    };
    let contest = by_name("contest").expect("a format").example[2..].to_owned();
    assert_eq!(show("contest"), (contest.clone(), contest));
    let spaced = by_name("spaced").expect("a format").example;
    assert_eq!(show("spaced"), (format!("{spaced}\n"), String::new()));
    let letters = "2\n. . C B . A\n. . . . . .\nD . . . . .\n. . . . . E\n. . . . . .\n. . . F . .\n";
    assert_eq!(show("regions"), (letters.to_owned(), "无解\n".to_owned()));
    assert_eq!(show("line"), (HARD.to_owned(), "no solution\n".to_owned()));
    let csv = by_name("csv").expect("a format").example.lines().nth(1).expect("a record");
    assert_eq!(show("csv"), (format!("{csv},{csv}\n"), format!("{csv},\n")));
}

#[test]
fn no_text_makes_a_reader_panic_or_loop() {
    const SPICE: &[u8] = b"\n\n\n\r\t  ..0019AZaz|+-=*,;\"#[]:'x\xc3\xa9\xff\xe2\x94\x80\xe2\x95\x91";
    let mut noise = fastrand::Rng::with_seed(1);
    for format in FORMATS {
        for round in 0..200 {
            let mut bytes = format.example.as_bytes().to_vec();
            if round % 3 == 0 {
                bytes.extend_from_within(..);
            }
            for _ in 0..=noise.usize(..8) {
                let at = noise.usize(..bytes.len().max(1));
                match noise.usize(..4) {
                    0 => bytes.truncate(bytes.len().max(4) - noise.usize(..4)),
                    1 if at < bytes.len() => drop(bytes.remove(at)),
                    2 if at < bytes.len() => bytes[at] = SPICE[noise.usize(..SPICE.len())],
                    _ => bytes.insert(at.min(bytes.len()), SPICE[noise.usize(..SPICE.len())]),
                }
            }
            let text = String::from_utf8_lossy(&bytes);
            for reading in FORMATS {
                let _ = (reading.recognizes)(&text);
                for grid in read(reading, &text).into_iter().flatten() {
                    let mut out = String::new();
                    (FORMATS[round % FORMATS.len()].write)(&grid, &mut out);
                    (grid.style.format.write)(&grid, &mut out);
                }
            }
        }
    }
}

#[test]
fn any_number_of_grids_may_follow_a_title() {
    for (order, width) in [(4, 2), (6, 3), (9, 3), (16, 4)] {
        let height = order / width;
        // The grids differ in their empty cells, and the last symbol occurs in the first row of
        // each grid.
        let cell = |row: usize, column: usize, number: usize| {
            let symbol = (width * (row % height) + row / height + column) % order;
            let is_blank = (row + column + number).is_multiple_of(3) && symbol + 1 < order;
            if is_blank { '.' } else { Alphabet::Digits.character(symbol).expect("a symbol") }
        };
        let row = |row, number| (0..order).map(|column| cell(row, column, number)).collect::<String>();
        for count in 1..=20 {
            for (end, gap, is_blank) in
                [("", "", false), ("", "\n", true), ("\n", "", false), ("\n", "\n", true)]
            {
                let grid = |number| (0..order).map(|r| row(r, number) + end).collect::<String>();
                let between = if end.is_empty() || is_blank { "\n" } else { "" };
                let block = |title: &str| {
                    let grids: String = (0..count).map(|number| grid(number) + between).collect();
                    format!("{title} puzzles\n{gap}{grids}{gap}")
                };
                let text = block("Easy") + &block("Hard");
                let format = recognize(&text).expect("a format");
                let found = read(format, &text);
                let good = found.iter().flatten().filter(|grid| grid.shape().order() == order).count();
                assert_eq!((good, found.len()), (2 * count, 2 * count), "{} of {text}", format.name);
            }
        }
    }
}
