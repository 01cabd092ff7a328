//! Texts and links of other programs through the command line: written and read again, and what is wrong with them.

use std::fs;
use std::io::Write as _;

use crate::command::run;

/// A killer of two solutions.
const KILLER: &str = "# killer: r1c1 r1c2 = 4\n# thermo: r4c1 r3c1\n....\n....\n....\n.1..\n";

#[test]
fn links_that_are_written_are_read_as_the_same_puzzle() {
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
        // What was read is written alike.
        assert_eq!(run(&format!("convert --to {form}"), &written.out).out, written.out, "{text}");
    }
}

/// Says of all neighbors in a square of 4x4 that neither is twice the other.
fn no_ratios() -> String {
    let rows = (1..5).map(|row| format!("# no-ratio: r{row}c1-r{row}c4\n"));
    let columns = (1..5).map(|column| format!("# no-ratio: r1c{column}-r4c{column}\n"));
    rows.chain(columns).collect()
}

#[test]
fn what_a_link_cannot_hold_is_refused_by_its_clue() {
    for (form, clue) in [("penpa", "renban: r1c1 r1c2"), ("puzzlink", "between: r1c1 r1c2 r1c3")] {
        let ran = run(
            &format!("convert --to {form}"),
            &format!("# boxes: none\n# {clue}\n....\n....\n....\n....\n"),
        );
        assert_eq!((ran.code, &*ran.out), (2, ""), "{}", ran.err);
        assert!(ran.err.contains(&format!("{form} has nothing for `{clue}`")), "{}", ran.err);
    }
}

/// Texts with a fault, and what is said of it; before and behind each stands a puzzle that is counted all the same.
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
fn a_fault_is_told_at_its_place_and_other_files_go_on() {
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
fn cut_and_swollen_files_of_burrtools_are_refused() {
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
