//! Texts and links of other programs on the command line: they are written and read, and errors in
//! them are reported.

use std::fs;
use std::io::Write as _;

use crate::command::{Ran, command, finish, run};

/// A killer puzzle with two solutions.
const KILLER: &str = "# killer: r1c1 r1c2 = 4\n# thermo: r4c1 r3c1\n....\n....\n....\n.1..\n";

#[test]
fn written_links_are_read_back_as_the_same_puzzle() {
    let latin = "# boxes: none\n";
    let blank = "....\n....\n....\n....\n";
    for (form, text) in [
        ("penpa", KILLER.to_owned()),
        ("penpa", fs::read_to_string("puzzles/variant/arrow.txt").expect("a puzzle")),
        ("penpa", fs::read_to_string("puzzles/variant/thermo.txt").expect("a puzzle")),
        (
            "penpa",
            format!("{latin}# skyscraper: row 1 = 3\n# skyscraper: column 2 bottom = 2\n{blank}"),
        ),
        (
            "penpa",
            format!("# regions: 1112 1222 3334 3444\n# rules: diagonals\n# odd: r1c1 r2c3\n{blank}"),
        ),
        (
            "penpa",
            format!("# difference: r1c1 r1c2\n# difference: r2c2 r3c2\n# extra: r1c1 r4c4\n{blank}"),
        ),
        ("penpa", format!("# nonconsecutive:\n{latin}{blank}")),
        ("puzzlink", format!("{latin}# greater: r1c1 r1c2 r1c3\n# difference: r2c1 r3c1 = 3\n{blank}")),
        ("puzzlink", format!("{latin}# nonconsecutive:\n{}{blank}", no_ratios())),
        ("puzzlink", "1...\n..3.\n.4..\n...2\n".to_owned()),
    ] {
        let written = run(&format!("convert --to {form} --puzzle variant"), &text);
        assert!(written.out.starts_with("https://"), "{text}{}", written.err);
        let (count, again) = (run("count -q --puzzle variant", &text), run("count -q", &written.out));
        assert_eq!(
            (&*again.out, again.code),
            (&*count.out, count.code),
            "{text}{}{}",
            written.out,
            again.err
        );
        // The link of the puzzle that was read is the same link.
        assert_eq!(run(&format!("convert --to {form}"), &written.out).out, written.out, "{text}");
    }
}

/// Returns clues which require that no cell of a 4x4 grid is twice its neighbor.
fn no_ratios() -> String {
    let rows = (1..5).map(|row| format!("# no-ratio: r{row}c1-r{row}c4\n"));
    let columns = (1..5).map(|column| format!("# no-ratio: r1c{column}-r4c{column}\n"));
    rows.chain(columns).collect()
}

#[test]
fn a_clue_that_a_link_cannot_express_is_refused_by_name() {
    for (form, clue) in [("penpa", "renban: r1c1 r1c2"), ("puzzlink", "between: r1c1 r1c2 r1c3")] {
        let ran = run(
            &format!("convert --to {form}"),
            &format!("# boxes: none\n# {clue}\n....\n....\n....\n....\n"),
        );
        assert_eq!((ran.code, &*ran.out), (2, ""), "{}", ran.err);
        assert!(ran.err.contains(&format!("{form} has no form for `{clue}`")), "{}", ran.err);
    }
}

/// Faulty texts and their error messages. The files before and after a faulty one are still
/// counted.
const FAULTS: &[(&str, &str)] = &[
    (
        "https://swaroopg92.github.io/penpa-edit/#m=edit&p=lVJNSwMxEL3nV0jOc0gyu3aTm6o3L1aRZSmy",
        "bad.txt:1:1: expected a compressed drawing, found one that is cut or broken",
    ),
    (
        "https://swaroopg92.github.io/penpa-edit/#m=edit&p=!",
        "bad.txt:1:1: expected a compressed drawing, found one that is cut or broken",
    ),
    (
        "https://f-puzzles.com/?load=N4IgzglgXgpiBcAWANCA5gJwgEwQbT2AF9ljSTiBdZQiu862",
        "bad.txt:1:1: expected a compressed text, found one that is cut or broken",
    ),
    (
        "https://sudokupad.app/sclN4IgxgpgNlDKCWAvCIBcBWADAGnNKAzmgNrHAC+2FVlFAutmbcz",
        "bad.txt:1:1: expected a compressed text, found one that is cut or broken",
    ),
    (
        "{\"size\":2,\"grid\":[[{},{}],[{},{}]],\n\"killercage\":[{\"cells\":[\"R9C1\"]}]}",
        "bad.txt:1:1: expected a cell from r1c1 to r2c2, found `R9C1` in `killercage`",
    ),
    (
        "{\"size\":2,\"grid\":[[{},{}],[{},{}]],\n\"fishcage\":[{\"cells\":[\"R1C1\"]}]}",
        "bad.txt:1:1: expected a constraint that is known here in `fishcage`",
    ),
    (
        "{\"size\":2,\"grid\":[[{},{}],[{},{}]],\n \"killercage\":[{",
        "bad.txt:2:17: expected the JSON of f-puzzles: EOF while parsing an object",
    ),
    (
        "{\"cells\":[[{},{}],[{},{}]],\n\"cages\":[{\"cells\":[[0,0]],\"unique\":true}],\n\"regions\":[}",
        "bad.txt:3:12: expected the JSON of SudokuPad: expected value",
    ),
    (
        "{\"cells\":[[{},{}],[{},{}]],\"cages\":[{\"cells\":[[9,0]],\"value\":\"5\",\"unique\":true}]}",
        "bad.txt:1:1: expected a cell from [0,0] to [1,1], found `[9,0]`",
    ),
    (
        "{\"cells\":[[{},{}],[{},{}]],\"cages\":[],\"global\":[\"fish\"]}",
        "bad.txt:1:1: expected a rule that is known here in `global`, found `fish`",
    ),
    (
        "ipuz({\"kind\":[\"http://ipuz.org/sudoku#1\"],\n\"puzzle\":[[1,0],[0,2]],\"cages\":[{\"cel",
        "bad.txt:2:38: expected JSON: EOF while parsing a string",
    ),
    (
        "ipuz({\"kind\":[\"http://ipuz.org/sudoku#1\"],\"puzzle\":[[1,0],[0,2]],\"cages\":[{\"cells\":[[1,9]]}]})",
        "bad.txt:1:1: expected `cells` with columns and rows from 1 to 2, found `{\"cells\":[[1,9]]}`",
    ),
    (".Shape~4x4.Fish~R1C1", "bad.txt:1:11: expected a type of clue that is known here, found `Fish`"),
    (".Shape~4x4.Cage~4~R1C1~R9C9", "bad.txt:1:11: expected a cell from r1c1 to r4c4, found `R9C9`"),
    (".Shape~4x4.Cage~4", "bad.txt:1:11: expected cells behind Cage, found none"),
    (".Shape~4x4.Thermo", "bad.txt:1:11: expected cells behind Thermo, found none"),
    (".Shape~4x4.XSum~C2", "bad.txt:1:11: expected a number behind XSum, found none"),
    (".Shape~99x99", "bad.txt:1:1: expected rows and columns up to 16, such as 6x8, found `99x99`"),
    (
        "https://puzz.link/p?kropki/4/4/zz",
        "bad.txt:1:1: expected a digit of base 27 in the link, found `z`",
    ),
    (
        "https://puzz.link/p?sudoku/99999999999999999999/4/1",
        "bad.txt:1:1: expected columns and rows, as many of each, at most 64",
    ),
    (
        "<puzzle version=\"2\"><gridType type=\"7\"/></puzzle>",
        "bad.txt:1:21: expected a grid type (0 square, 1 triangular, 2 spheres, 3 rhombic, 4 tetrahedral), found `7`",
    ),
    (
        "<puzzle version=\"2\"><gridType type=\"0\"/>\n<shapes><voxel",
        "bad.txt:2:15: expected XML, found that unexpected end of stream",
    ),
    (
        "<!DOCTYPE a [<!ENTITY b \"c\">]><puzzle version=\"2\"><gridType type=\"0\"/></puzzle>",
        "bad.txt:1:1: expected XML, found that XML with DTD detected",
    ),
];

#[test]
fn a_fault_is_reported_with_its_position_and_other_files_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (good, bad) = (path("good.txt"), path("bad.txt"));
    fs::write(&good, KILLER).expect("written");
    let count = run(&format!("count {good}"), "").out;
    for (text, message) in FAULTS {
        fs::write(&bad, format!("{text}\n")).expect("written");
        let ran = run(&format!("count {good} {bad} {good}"), "");
        assert_eq!((ran.code, &*ran.out), (2, &*format!("{count}{count}")), "{text}\n{}", ran.err);
        assert!(ran.err.contains(message), "{text}\n{}", ran.err);
    }
}

#[test]
fn truncated_and_oversized_files_of_burrtools_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.xmpuzzle");
    let packed = |text: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text).and_then(|()| encoder.finish()).expect("packed")
    };
    let head = "<puzzle version=\"2\"><gridType type=\"0\"/>";
    let whole = packed(format!("{head}<shapes/><problems/></puzzle>").as_bytes());
    let mut swollen = head.as_bytes().to_vec();
    swollen.resize(300 << 20, b' ');
    for (bytes, message) in
        [(whole[..whole.len() / 2].to_vec(), "cannot read"), (packed(&swollen), "exceeds the limit")]
    {
        fs::write(&path, bytes).expect("written");
        let ran = run(&format!("count {}", path.display()), "");
        assert_eq!((ran.code, &*ran.out), (2, ""), "{}", ran.err);
        assert!(ran.err.contains(message), "{}", ran.err);
    }
}

/// Runs the program with one more argument, which may contain spaces.
fn run_with(args: &str, argument: &str) -> Ran {
    let mut command = command(args);
    command.arg(argument);
    finish(command, "")
}

#[test]
fn the_text_of_any_puzzle_file_may_be_an_argument() {
    let string = ".Shape~4x4.Cage~4~R1C1~R1C2.~R4C2_1";
    let link = format!("https://sigh.github.io/Interactive-Sudoku-Solver/?q={string}");
    let percent = link.replace('~', "%7E").replace("q=.", "q=%2E") + "&x=1";
    let text = "# killer: r1c1 r1c2 = 4\n....\n....\n....\n.1..\n";
    let fpuzzles = run("convert --to fpuzzles-link", text).out;
    let json = run("convert --to fpuzzles", text).out;
    for argument in [string, &link, &percent, text, fpuzzles.trim(), json.trim()] {
        let ran = run_with("count -q", argument);
        assert_eq!((&*ran.out, ran.code), ("12\n", 0), "{argument}: {}", ran.err);
        assert_eq!(run("count -q", argument).out, "12\n", "{argument}");
    }
    let puzzlink = "https://puzz.link/p?skyscrapers/4/4/k13h4j3g";
    assert_eq!(run_with("count -q", puzzlink).out, run("count -q", puzzlink).out);
    assert_eq!(run_with("count --puzzle queens", ". Q . .\n. . . .\n. . . .\n. . . .\n").out, "1\n");
    let wrong = run_with("count", &link.replace("R1C2", "R1C7"));
    assert!(wrong.err.starts_with("argument:1:1: expected a cell"), "{}", wrong.err);
    assert!(run_with("count", "no-such-file.txt").err.contains("cannot read"));
}

#[test]
fn short_links_and_game_ids_are_refused_with_an_explanation() {
    for link in [
        "https://f-puzzles.com/?id=29ytsnfl",
        "https://sudokupad.app/abc123",
        "https://tinyurl.com/abcdef",
    ] {
        for ran in [run("count", link), run_with("count", link)] {
            assert_eq!(ran.code, 2, "{link}");
            assert!(ran.err.contains("open it and copy the long link"), "{link}: {}", ran.err);
        }
    }
    let ids = [
        "3x3k:zzzc,__aaa___a_a___aa_____a______a____a_a__a,10_6_8a11a9a12b10_11a16_6b10_17a11c8",
        "2x2:1a2b3c4d_1a2b",
        "6du:0,0,0U,0,0R,4,0,0,0,0,0,0,0L",
    ];
    for id in ids {
        let ran = run("count", &format!("{id}\n"));
        assert_eq!((&*ran.out, ran.code), ("", 2), "{id}");
        assert!(ran.err.contains("a game ID of Simon Tatham's puzzles"), "{id}: {}", ran.err);
    }
}

#[test]
fn a_cell_without_region_belongs_to_its_row_if_there_are_no_boxes() {
    let cell = |row: usize, column: usize| match (row, column) {
        (0, 4) => r#"{"region":1,"value":5,"given":true}"#.to_owned(),
        (1, 0) => r#"{"region":0}"#.to_owned(),
        (3, 4) => r#"{"region":4}"#.to_owned(),
        (4, 0) => r#"{"region":3}"#.to_owned(),
        (0, 2) | (1, 3) | (3, 0) => r#"{"value":3,"given":true}"#.to_owned(),
        (0, 3) => r#"{"value":4,"given":true}"#.to_owned(),
        (2, 4) => r#"{"value":1,"given":true}"#.to_owned(),
        (3, 3) => r#"{"value":5,"given":true}"#.to_owned(),
        _ => "{}".to_owned(),
    };
    let row = |row| (0..5).map(|column| cell(row, column)).collect::<Vec<_>>().join(",");
    let rows = (0..5).map(|index| format!("[{}]", row(index))).collect::<Vec<_>>().join(",");
    let ran = run("count -q", &format!("{{\"size\":5,\"grid\":[{rows}]}}"));
    assert_eq!((&*ran.out, ran.code), ("1\n", 0), "{}", ran.err);
}

#[test]
fn unknown_keys_in_texts_of_other_programs_are_refused() {
    let fpuzzles = |cell: &str, more: &str| {
        let row = |first: &str| format!("[{first},{{}},{{}},{{}}]");
        let rows = [row(cell), row("{}"), row("{}"), row("{}")].join(",");
        format!("{{\"size\":4,\"grid\":[{rows}]{more}}}")
    };
    assert_eq!(run("count -q", &fpuzzles("{}", "")).out, "288\n");
    let thermo = |lines: &str| fpuzzles("{}", &format!(r#","thermometer":[{lines}]"#));
    let ipuz = |kind: &str, more: &str| {
        let rows = "[[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0]]";
        format!(
            r#"{{"version":"http://ipuz.org/v2","kind":["http://ipuz.org/{kind}#1"],"puzzle":{rows},"zones":[]{more}}}"#
        )
    };
    let link = "https://puzz.link/p?skyscrapers/4/4/k13h4j3g";
    for (text, found) in [
        (fpuzzles("{\"value\":1,\"given\":\"yes\"}", ""), "`\"yes\"`"),
        (fpuzzles("{\"vale\":1}", ""), "`vale`"),
        (fpuzzles("{\"givenPencilMarks\":[1,7]}", ""), "`givenPencilMarks`"),
        (fpuzzles("{\"value\":1,\"value\":2}", ""), "each key once, found `value` again"),
        (fpuzzles("{}", r#","antiknight":1"#), "`antiknight`"),
        (fpuzzles("{}", r#","negative":[5]"#), "`negative`"),
        (fpuzzles("{}", r#","thermometer":[],"thermometer":[{"lines":[["R1C1","R1C2"]]}]"#), "once"),
        (thermo(r#"{"lines":[["R1C1","R1C2"]],"value":"5"}"#), "no number"),
        (thermo(r#"{"lines":[["R1C1","R1C2"]],"cells":["R1C1"]}"#), "`cells`"),
        (ipuz("sudoku", r#","rules":"diagonals""#), "`rules`"),
        (ipuz("sudoku/wordoku", ""), "wordoku"),
        (ipuz("sudoku", r#","cages":[{"cells":[[1,1],[2,1]]}]"#), "`value` of a cage"),
        (ipuz("sudoku", r#","dimensions":{"width":9,"height":9}"#), "`dimensions`"),
        (".Shape~4x4.Shape~6x6.~R4C2_1".to_owned(), "Shape once"),
        (".Shape~4x4~~Sudoku~5.~R4C2_1".to_owned(), "`5`"),
        (".Shape~4x4.~R4C2_1\nCage~4~R1C1~R1C2".to_owned(), "a dot before"),
        (".Shape~4x4.AntiKnight~R1C1.~R4C2_1".to_owned(), "`R1C1`"),
        (".Shape~4x4.WhiteDot~R1C1~R4C4".to_owned(), "cells that touch"),
        (".Shape~4x4.Diagonal~2".to_owned(), "1 or -1"),
        (format!("{link}\n{link}\n"), "expected one link"),
    ] {
        let ran = run("count", &text);
        assert_eq!((&*ran.out, ran.code), ("", 2), "{text}: {}", ran.err);
        assert!(ran.err.contains(found), "{text}: {}", ran.err);
    }
    assert_eq!(run("count -q", &ipuz("sudoku/diagonalsudoku", "")).out, "48\n");
    assert_eq!(run("count -q", &ipuz("sudoku/latinsquare", "")).out, "576\n");
    let sudokupad = |more: &str| {
        let row = "[{},{},{},{}]";
        format!(r#"{{"cells":[{row},{row},{row},{row}],"regions":[],"cages":[]{more}}}"#)
    };
    let ran = run("count", &sudokupad(r#","quads":[1]"#));
    assert!(ran.out == "576\n" && ran.err.contains("`quads`"), "{}{}", ran.out, ran.err);
}

#[test]
fn the_puzzle_send_more_money_is_solved_as_a_weighted_sum() {
    let text = "# rows: 1\n# columns: 8\n# digits: 0-9\n# boxes: none\n\
                # weighted-sum: r1c1 r1c2 r1c3 r1c4 r1c5 r1c6 r1c7 r1c8 = 0 1000 91 -90 1 -9000 -900 10 -1\n\
                # any-of: r1c1 r1c5 = 1 2 3 4 5 6 7 8 9\n";
    // The cells are the letters S E N D M O R Y.
    let ran = run("list", text);
    assert!(ran.out.ends_with("\n95671082\n"), "{}{}", ran.out, ran.err);
    let too_large = run("count", &text.replace("-9000", "-9000000"));
    assert!(too_large.err.contains("expected factors up to 1000000"), "{}", too_large.err);
}
