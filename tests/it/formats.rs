//! Grids in every common layout are read without options. Texts that are not grids are refused with
//! a reason.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::command::{Ran, command, finish, run, sample};

/// The rows of a 9x9 grid with one solution.
const ROWS: [&str; 9] = [
    "..3.2.6..",
    "9..3.5..1",
    "..18.64..",
    "..81.29..",
    "7.......8",
    "..67.82..",
    "..26.95..",
    "8..2.3..9",
    "..5.1.3..",
];

/// Transforms each of [`ROWS`] by `row`, and joins them with `gap`.
fn rows(gap: &str, row: impl Fn(&str) -> String) -> String {
    ROWS.map(row).join(gap)
}

/// Returns [`ROWS`] as lines, with `blank` for empty cells.
fn plain(blank: char) -> String {
    rows("\n", |row| row.replace('.', &blank.to_string())) + "\n"
}

/// Returns [`ROWS`] as bracketed lists of cells. `cell` transforms each cell, and `gap` separates
/// the rows.
fn lists(gap: &str, open: &str, close: &str, cell: impl Fn(char) -> String) -> String {
    rows(gap, |row| {
        let cells: Vec<String> = row.chars().map(&cell).collect();
        format!("{open}{}{close}", cells.join(","))
    })
}

fn line() -> String {
    ROWS.concat()
}

/// Returns texts, each with a name and the expected number of solutions of each of its grids.
fn layouts() -> Vec<(&'static str, String, &'static str)> {
    let (line, dots, zeros) = (line(), plain('.'), plain('0'));
    let bands = ROWS.chunks(3).map(|band| band.join("\n") + "\n").collect::<Vec<_>>().join("\n");
    let sheet = |gap: &str| {
        rows("\r\n", |row| {
            let cells: Vec<String> =
                row.chars().map(|c| if c == '.' { String::new() } else { c.to_string() }).collect();
            cells.join(gap)
        }) + "\r\n"
    };
    let statistics =
        "Number of Givens: 32\nNumber of Singles: 45\nNumber of Guesses: 0\nDifficulty: Easy\n";
    let zero = |c: char| if c == '.' { "0".to_owned() } else { c.to_string() };
    let ipuz = "\"version\":\"http://ipuz.org/v2\",\"kind\":[\"http://ipuz.org/sudoku#1\"]";
    vec![
        ("project euler 96", format!("Grid 01\n{zeros}Grid 02\n{zeros}"), "1\n1\n"),
        ("a head with a colon", format!("Puzzle 1:\n{dots}\nPuzzle 2:\n{dots}"), "1\n1\n"),
        ("numbers with a full stop", format!("1.\n{dots}\n2.\n{dots}"), "1\n1\n"),
        ("a row of digits before a blank", "1234\n3412\n2143\n432.\n".to_owned(), "1\n"),
        (
            "such rows under numbers",
            "1.\n123.\n3412\n2143\n4321\n2.\n1234\n3412\n2143\n432.\n".to_owned(),
            "1\n1\n",
        ),
        ("numbers with a bracket", format!("1)\n{dots}2)\n{dots}"), "1\n1\n"),
        ("lines with `1:`", format!("1: {line}\n2: {line}\n"), "1\n1\n"),
        ("lines with `1.`", format!("1. {line}\n2. {line}\n"), "1\n1\n"),
        (
            "titles before lines",
            format!("Puzzle 1 (easy)\n{line}\nPuzzle 2 (hard)\n{line}\n"),
            "1\n1\n",
        ),
        ("quotes", format!("\"{line}\"\n\"{line}\"\n"), "1\n1\n"),
        ("quotes and commas", format!("'{line}',\n'{line}',\n"), "1\n1\n"),
        ("bands", bands.clone(), "1\n"),
        ("two grids in bands", format!("{bands}\n{bands}"), "1\n1\n"),
        ("blanks for blank", plain(' '), "1\n"),
        ("blanks for blank, cut", plain(' ').replace(" \n", "\n").replace(" \n", "\n"), "1\n"),
        ("x for blank", plain('x'), "1\n"),
        (
            "numbers between dashes",
            format!("=== 1 ===\n{dots}\n--- 2 ---\n{dots}\n==3==\n{dots}"),
            "1\n1\n1\n",
        ),
        ("x for blank in a line", line.replace('.', "x") + "\n", "1\n"),
        ("? for blank", plain('?'), "1\n"),
        ("a sheet with commas", sheet(","), "1\n"),
        ("a sheet with semicolons", sheet(";"), "1\n"),
        ("a sheet with tabs", sheet("\t"), "1\n"),
        (
            "a sheet of floats",
            lists("\n", "", "", |c| if c == '.' { String::new() } else { format!("{c}.0") }),
            "1\n",
        ),
        (
            "a bank with digest and rating",
            format!(
                "0000183b305c {} 1.2\n000ab84d5c10 {} 2.3\n",
                line.replace('.', "0"),
                line.replace('.', "0")
            ),
            "1\n1\n",
        ),
        (
            "hodoku's library",
            format!(":0000:x:{line}:::\n:0702-1:9:+4{}:435 516:879::\n", &line[1..]),
            "1\n1\n",
        ),
        (
            "qqwing's statistics behind lines",
            format!("{line}\n{statistics}{line}\n{statistics}"),
            "1\n1\n",
        ),
        (
            "qqwing's statistics behind rows",
            format!("{dots}\n{statistics}\n{dots}\n{statistics}"),
            "1\n1\n",
        ),
        ("lists of numbers", format!("[{}]\n", lists(",\n ", "[", "]", zero)), "1\n"),
        ("lists of a list each line", format!("[{0}]\n[{0}]\n", lists(",", "[", "]", zero)), "1\n1\n"),
        ("a list of grids", format!("[[{0}],\n[{0}]]\n", lists(",", "[", "]", zero)), "1\n1\n"),
        ("lists of texts", format!("[{}]\n", lists(",\n", "[", "]", |c| format!("\"{c}\""))), "1\n"),
        (
            "lists in python",
            format!(
                "board = [{}]\n",
                lists(",\n  ", "[", "]", |c| if c == '.' { "None".to_owned() } else { c.to_string() })
            ),
            "1\n",
        ),
        ("rows as texts", format!("[{}]\n", rows(",\n", |row| format!("\"{row}\""))), "1\n"),
        ("braces", format!("{{{}}};\n", lists(",\n", "{", "}", zero)), "1\n"),
        ("a map with a puzzle", format!("{{\"puzzle\": \"{line}\", \"difficulty\": 3}}\n"), "1\n"),
        ("ipuz", format!("{{{ipuz},\n\"puzzle\":[{}]}}\n", lists(",\n", "[", "]", zero)), "1\n"),
        (
            "a link",
            format!("https://www.sudokuwiki.org/sudoku.htm?bd={}\n", line.replace('.', "0")),
            "1\n",
        ),
        (
            "opensudoku",
            format!(
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opensudoku version=\"2\"><name>x</name>\n\
                 <game created=\"1\" state=\"0\" data=\"{0}\" />\n<game data=\"{0}\"></game></opensudoku>\n",
                line.replace('.', "0")
            ),
            "1\n1\n",
        ),
        (
            "puzzlekit's jigsaw",
            "4 4\n- 1 - -\n- 3 - -\n- - - -\n- - - 4\n1 1 1 2\n1 2 2 2\n3 3 3 4\n3 4 4 4\n".to_owned(),
            "1\n",
        ),
        (
            "a jigsaw in two blocks",
            ".1..\n.3..\n....\n...4\n\nAAAB\nABBB\nCCCD\nCDDD\n".to_owned(),
            "1\n",
        ),
    ]
}

/// Counts the solutions of a text, which may be invalid UTF-8.
fn count_bytes(bytes: &[u8]) -> Ran {
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    file.write_all(bytes).expect("space for it");
    let mut command = command("count --quiet");
    command.arg(file.path());
    finish(command, "")
}

#[test]
fn every_layout_is_read_without_options() {
    for (name, text, expected) in layouts() {
        let ran = run("count --quiet", &text);
        assert_eq!((&*ran.out, ran.code), (expected, 0), "{name}: {}\n{text}", ran.err);
    }
}

#[test]
fn every_layout_is_read_from_gzip_and_utf16() {
    for (name, text, expected) in layouts() {
        let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(text.as_bytes()).expect("memory");
        let packed = packer.finish().expect("memory");
        let units = [0xfeff].into_iter().chain(text.encode_utf16());
        let wide: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
        for bytes in [packed, wide] {
            let ran = count_bytes(&bytes);
            assert_eq!((&*ran.out, ran.code), (expected, 0), "{name}: {}", ran.err);
        }
    }
}

#[test]
fn documents_longer_than_the_detection_buffer_are_read_completely() {
    let line = line();
    let quoted = format!("\"{line}\"");
    let nested =
        format!("[{}]", lists(",", "[", "]", |c| if c == '.' { "0".into() } else { c.into() }));
    let map = format!("{{\"puzzle\": {quoted}, \"solution\": {quoted}}}");
    // A document of up to a megabyte is parsed at once, and a longer one element by element.
    for grid in sample([&quoted, &nested, &map], 1) {
        for size in [200_000, 1_500_000] {
            let count = size / grid.len();
            let all = vec![&**grid; count].join(", ");
            for text in [format!("[{all}]"), format!("{{\"puzzles\": [{all}]}}\n")] {
                let ran = count_bytes(text.as_bytes());
                assert_eq!((ran.code, ran.out.lines().count()), (0, count), "{}", &text[..200]);
                assert!(ran.out.lines().all(|count| count == "1"));
            }
            let end = size * 4 / 5;
            let torn = count_bytes(&format!("[{all}]").as_bytes()[..end]);
            let found = torn.out.lines().filter(|&count| count == "1").count();
            let whole = end / (grid.len() + 2);
            assert_eq!(torn.code, 2, "a torn text is an error");
            assert!(
                found == if size > 200_000 { whole } else { 0 },
                "{found} of {whole}: {}",
                torn.err
            );
        }
    }
}

#[test]
fn a_text_that_is_not_a_grid_is_refused_in_one_message() {
    let line = line();
    let cases = [
        (
            "000000002\n".to_owned(),
            "1:1: expected a puzzle, found 9 cells, too few to tell what they are",
        ),
        (
            "https://www.f-puzzles.com/?load=N4IgzglgXgpi\n".to_owned(),
            "expected a compressed text, found one that is cut or broken",
        ),
        (
            "https://www.f-puzzles.com/?id=abc\n".to_owned(),
            "found a short link (its puzzle is stored on their server",
        ),
        ("https://sudokupad.app/abcdef\n".to_owned(), "found a short link"),
        (
            "sclN4IgzglgXgpiBcBOANCALhNAbO8QDlC\n".to_owned(),
            "expected a compressed text, found one that is cut or broken",
        ),
        (
            "https://puzz.link/p?heyawake/9/9/g1h2\n".to_owned(),
            "expected one of the kinds sudoku, skyscrapers, kropki, minarism, easyasabc, doppelblock, \
             starbattle, found `heyawake`",
        ),
        ("https://example.org/x\n".to_owned(), "found a link, which is not read"),
        ("<html><body>9</body></html>\n".to_owned(), "found an HTML page"),
        ("<puzzles><p>1</p></puzzles>\n".to_owned(), "found a document in XML or HTML"),
        (
            "The quick brown fox\njumps over\nthe lazy dog\n".to_owned(),
            "found a text in no known format",
        ),
        (format!("{line}\n{}", "1234567\nabcdefgh\n".repeat(4)), "are not in order in the format line"),
    ];
    for (text, expected) in cases {
        for args in ["count", "solve", "convert --to line"] {
            let ran = run(args, &text);
            assert!(ran.err.contains(expected), "{text}{}", ran.err);
            assert_eq!((&*ran.out, ran.code), ("", 2), "{text}");
            assert!(ran.err.lines().count() <= 4, "one message for {text}{}", ran.err);
        }
    }
}

#[test]
fn a_link_with_a_packed_grid_is_refused() {
    let ran = run("count", "https://www.sudokuwiki.org/sudoku.htm?bd=S9B0123\n");
    assert!(ran.err.contains("packed are not read"), "{}", ran.err);
    assert_eq!((&*ran.out, ran.code), ("error\n", 2));
}

#[test]
fn an_option_with_the_format_or_kind_skips_detection() {
    for args in ["count --limit 9 --puzzle latin", "count --limit 9 --from line"] {
        let ran = run(args, "000000002\n");
        assert_eq!((&*ran.out, ran.code), ("4\n", 0), "{}", ran.err);
    }
    let ran = run("count --from line", "12\n34\n567\n");
    assert_eq!(ran.err.matches("expected").count(), 3, "{}", ran.err);
}

#[test]
fn lists_of_sets_are_exact_covers_and_lists_of_rows_are_grids() {
    let sets = run("count", "[[0,1],[1,2],[2,3],[3,0]]\n");
    assert_eq!((&*sets.out, sets.code), ("2\n", 0), "{}", sets.err);
    let sets = run("count", "[[1,2,3,4],[1,2],[3,4],[5]]\n");
    assert_eq!((&*sets.out, sets.code), ("2\n", 0), "{}", sets.err);
    let matrix = run("count", "[[0,1],[1,0]]\n");
    assert_eq!((&*matrix.out, matrix.code), ("1\n", 0), "{}", matrix.err);
    let grid = run("solve", "[[0,0,3,0],[0,1,0,0],[0,0,4,0],[0,2,0,0]]\n");
    assert_eq!(grid.code, 0, "{}", grid.err);
    assert!(grid.out.starts_with("[["), "{}", grid.out);
}

#[test]
fn converting_shipped_grids_to_pencil_marks_preserves_the_count() {
    for name in [
        "latin/quasigroup.txt",
        "latin/order-4.txt",
        "latin/order-13.txt",
        "latin/order-10.txt",
        "sudoku/easy.txt",
    ] {
        let marks = run(&format!("convert --to pencilmarks puzzles/{name}"), "");
        assert_eq!(marks.code, 0, "{name}: {}", marks.err);
        let [before, after] = [run(&format!("count puzzles/{name}"), ""), run("count", &marks.out)];
        assert_eq!(before.out, after.out, "{name}: {}\n{}", after.err, marks.out);
    }
}

#[test]
fn a_jigsaw_whose_regions_are_boxes_can_be_written_as_a_line() {
    let ran = run("convert --to line", "1..4\n....\n....\n4..1\nregions\nBBAA\nBBAA\nCCDD\nCCDD\n");
    assert_eq!((&*ran.out, ran.code), ("1..4........4..1\n", 0), "{}", ran.err);
}

#[test]
fn columns_of_a_csv_file_that_a_format_cannot_express_are_noted() {
    let table = "puzzle,rating,id\n12............21,3,x\n12............21,4,y\n";
    for command in ["convert", "solve", "solve --threads 2", "list", "list --up-to-symmetry"] {
        let ran = run(&format!("{command} --to line"), table);
        let note = "not written, since the format line holds no columns: rating, id\n";
        assert_eq!((&*ran.err, ran.code), (note, 0), "{command}");
        assert_eq!(run(&format!("{command} --quiet --to line"), table).err, "", "{command}");
        assert_eq!(run(&format!("{command} --to csv"), table).err, "", "{command}");
    }
    let nine = "id,puzzle\n7,8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..\n";
    let ran = run("convert --to canonical", nine);
    assert_eq!(ran.err, "not written, since the format canonical holds no columns: id\n");
    assert_eq!(run("convert --to line", "puzzle\n12............21\n").err, "");
}
