//! Pictures of every kind of puzzle and every rule on the command line, as SVG, PNG and HTML.

use std::fs;
use std::path::Path;

use farandole::kinds::KINDS;
use farandole::stream::{Stream, StreamHints};
use puzzle::{Picture, Puzzle, Theme};
use variant::rules::RULES;

use crate::command::{Ran, command, finish, run, shipped_puzzles};

fn puzzle(text: &str, kind: Option<&str>) -> Box<dyn Puzzle> {
    let kind = kind.and_then(farandole::kinds::by_name);
    let hints = StreamHints { kind, ..StreamHints::default() };
    let mut stream = Stream::open(std::io::Cursor::new(text.to_owned()), &hints).expect("a stream");
    stream.next().expect("a puzzle").expect("in order")
}

/// Checks that a picture is well-formed in every theme, and returns its light version.
fn well_formed(picture: &Picture, what: &str) -> String {
    for theme in [Theme::Dark, Theme::Auto] {
        let svg = picture.svg_in(theme);
        roxmltree::Document::parse(&svg).unwrap_or_else(|error| panic!("{what}: {error}\n{svg}"));
    }
    let svg = picture.svg();
    let document = roxmltree::Document::parse(&svg).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{what}");
    assert!(document.root_element().children().count() > 3, "{what}");
    svg
}

fn draw(text: &str, what: &str) -> String {
    let puzzle = puzzle(text, Some("variant"));
    well_formed(&puzzle.picture(puzzle.given()).expect("a picture"), what)
}

#[test]
fn every_kind_has_pictures_of_puzzles_and_solutions() {
    for kind in KINDS {
        let text = match kind.source {
            puzzle::PuzzleSource::Grids { example, .. } => example,
            puzzle::PuzzleSource::Text(source) => source.example,
        };
        let puzzle = puzzle(text, Some(kind.name));
        let before = well_formed(&puzzle.picture(puzzle.given()).expect("a picture"), kind.name);
        let mut covers = dlx::Solver::new(puzzle.problem().clone()).into_solutions(puzzle.given());
        let cover = covers.next().expect("a solution");
        let picture = puzzle.picture(&cover).expect("a picture");
        let solved = well_formed(&picture, kind.name);
        assert_ne!(before, solved, "{}", kind.name);
        assert!(picture.png(Theme::Light).starts_with(b"\x89PNG\r\n\x1a\n"));
    }
}

#[test]
fn every_shipped_puzzle_has_a_picture() {
    for path in shipped_puzzles() {
        let text = fs::read_to_string(&path).expect("UTF-8");
        let puzzle = puzzle(&text, None);
        let name = path.display().to_string();
        // Only exact covers may have too many options for a picture.
        match puzzle.picture(puzzle.given()) {
            Some(picture) => drop(well_formed(&picture, &name)),
            None => assert!(name.contains("cover"), "{name}"),
        }
    }
}

#[test]
fn clues_of_every_rule_are_drawn() {
    let plain = draw("# puzzle: variant\n# order: 9\n", "an empty grid");
    for rule in RULES {
        let text = |clue: &str| format!("# {}: {clue}\n# order: 9\n", rule.name);
        let drawn = draw(&text(rule.example), rule.name);
        assert_ne!(drawn, plain, "{}", rule.name);
        // A clue with another value has another picture, and so has a clue with one cell less.
        if rule.takes_text {
            let more = if rule.name == "either" { " or odd: r9c9" } else { "; 1:0" };
            let other = rule.example.to_owned() + if rule.name == "regex" { "." } else { more };
            assert_ne!(draw(&text(&other), rule.name), drawn, "{}: {other}", rule.name);
        } else if let Some((cells, values)) = rule.example.split_once(" = ") {
            let first: i64 = values.split(' ').next().expect("a number").parse().expect("a number");
            let others: Vec<&str> = values.split(' ').skip(1).collect();
            let other = format!("{cells} = {} {}", first + 1, others.join(" "));
            assert_ne!(draw(&text(&other), rule.name), drawn, "{}: {other}", rule.name);
            let numbers: Vec<i64> = values.split(' ').filter_map(|value| value.parse().ok()).collect();
            let last = numbers.last().map_or(0, |last| last + 1);
            let kept = values.rsplit_once(' ').map_or("", |(kept, _)| kept);
            let other = format!("{cells} = {kept} {last}");
            assert_ne!(draw(&text(&other), rule.name), drawn, "{}: {other}", rule.name);
        } else if rule.values.1 > 0 {
            let other = format!("{} = 3", rule.example);
            let usual = ["modular"].contains(&rule.name);
            assert!(usual || draw(&text(&other), rule.name) != drawn, "{}: {other}", rule.name);
        }
        let (fewest, _, least) = rule.groups;
        if fewest > 0 && !rule.takes_text && !rule.example.contains(['w', 'l']) {
            let moved = rule.example.replacen("r1c1", "r4c1", 1).replacen("r5c5", "r7c5", 1);
            let moved = if moved == rule.example { moved.replacen("r2c2", "r2c3", 1) } else { moved };
            let moved = if moved == rule.example { moved.replacen("r1c2", "r1c1", 1) } else { moved };
            assert_ne!(draw(&text(&moved), rule.name), drawn, "{}: {moved}, {least}", rule.name);
        }
    }
}

#[test]
fn clues_at_the_same_position_are_all_visible() {
    let clues = [
        "# sandwich: row 1 = 7",
        "# x-sum: row 1 left = 8",
        "# skyscraper: row 1 left = 2",
        "# killer: r5c5 r5c6 = 9",
        "# sum: r5c5 r6c5 = 6",
        "# ratio: r8c1 r8c2",
        "# difference: r8c1 r8c2 = 3",
    ];
    let text = clues.join("\n") + "\n# order: 9\n";
    let svg = draw(&text, "clues at one place");
    let document = roxmltree::Document::parse(&svg).expect("markup");
    let mut places: Vec<_> = document
        .descendants()
        .filter(|node| node.has_tag_name("text"))
        .map(|node| (node.attribute("x"), node.attribute("y")))
        .collect();
    let count = places.len();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), count, "{svg}");
}

#[test]
fn pictures_of_small_puzzles_equal_their_snapshots() {
    let small = "# killer: r1c1 r1c2 = 4\n# thermo: r4c1 r3c1 r3c2\n# rules: nonconsecutive\n# sandwich: row 2 = 2\n\
                 # pair-sum: r1c3 r1c4 = 5\n....\n....\n....\n.1..\n";
    insta::assert_snapshot!("a_small_variant", draw(small, "a small variant"));
    let ran = run("solve --svg - --theme auto --engine links --puzzle queens 4", "");
    insta::assert_snapshot!("four_queens", ran.out);
    let ran = run("solve --svg - --theme dark --engine links --puzzle polyomino trominoes:2x3", "");
    assert_eq!(ran.code, 0, "{}", ran.err);
    insta::assert_snapshot!("two_trominoes", ran.out);
}

/// The pictures in the guide, and the commands that draw them. To redraw them, run
/// `FARANDOLE_WRITE=1 cargo test --test it pictures::`.
const SHOWN: [(&str, &str); 5] = [
    ("docs/killer.svg", "draw --svg - puzzles/variant/killer.txt"),
    ("docs/mixture.svg", "solve --svg - puzzles/variant/mixture.txt"),
    ("docs/pentominoes.svg", "solve --svg - --engine links --puzzle polyomino 6x10"),
    ("docs/tetrasticks.svg", "solve --svg - --engine links puzzles/polyomino/welded-tetrasticks.poly"),
    ("docs/soma.svg", "solve --svg - --engine links --puzzle polyomino soma"),
];

#[test]
fn the_pictures_of_the_guide_are_up_to_date() {
    for (path, args) in SHOWN {
        let ran = run(args, "");
        assert_eq!(ran.code, 0, "{args}: {}", ran.err);
        if std::env::var_os("FARANDOLE_WRITE").is_some() {
            fs::write(path, &ran.out).expect("written");
        }
        assert!(
            fs::read_to_string(path).expect(path) == ran.out,
            "{path} is not what `farandole {args}` draws"
        );
    }
}

/// Runs the program. In its arguments `{}` stands for `folder`.
fn run_in(folder: &Path, args: &str, input: &str) -> Ran {
    let args = args.replace("{}", &folder.display().to_string());
    finish(command(&args), input)
}

const GRIDS: &str = "12..\n....\n....\n..21\n\n1...\n.2..\n....\n...4\n";

#[test]
fn puzzles_and_solutions_are_drawn_into_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap_or_default();
    let ran = run("draw --puzzle queens 6", "");
    assert!(ran.code == 0 && ran.out.starts_with("<svg "), "{}", ran.err);
    // The text of the solution is printed as without pictures.
    let plain = run("solve --puzzle queens 6", "").out;
    let args = "solve --svg {}/q.svg --png {}/q.png --html {}/q.html --puzzle queens 6";
    let ran = run_in(folder.path(), args, "");
    assert_eq!((ran.code, ran.out), (0, plain), "{}", ran.err);
    assert!(read("q.svg").starts_with(b"<svg ") && read("q.png").starts_with(b"\x89PNG"));
    let page = String::from_utf8(read("q.html")).expect("UTF-8");
    assert!(page.contains("<figcaption>queens 6</figcaption>") && page.ends_with("</html>\n"));
    // Standard output contains only the page.
    let ran = run("list --html - --puzzle queens 6", "");
    assert!(ran.out.starts_with("<!doctype html>") && ran.out.ends_with("</html>\n"), "{}", ran.out);
    assert_eq!(ran.out.matches("queens 6, solution ").count(), 4);
}

#[test]
fn many_pictures_are_written_to_a_folder_or_onto_a_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let names = || {
        let mut names: Vec<_> = fs::read_dir(folder.path().join("all"))
            .expect("the folder")
            .map(|file| file.expect("a file").file_name().into_string().expect("UTF-8"))
            .collect();
        names.sort();
        names
    };
    let ran = run_in(folder.path(), "draw --svg {}/all/ --html {}/page.html --columns 3", GRIDS);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
    assert_eq!(names(), ["0001.svg", "0002.svg"]);
    let page = fs::read_to_string(folder.path().join("page.html")).expect("the page");
    assert!(page.contains("repeat(3,") && page.contains("standard input:6"), "{page}");
    assert_eq!(page.matches("<figure>").count(), 2);
    // If the folder exists, its name needs no slash at the end.
    let ran = run_in(folder.path(), "list --quiet --svg {}/all --limit 3", GRIDS);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(names().len() > 2);
    // A file name without a folder holds a single picture.
    let ran = run_in(folder.path(), "list --svg {}/one.svg --puzzle queens 6", "");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("one.svg: holds one picture, found a second one"), "{}", ran.err);
    assert!(fs::read_to_string(folder.path().join("one.svg")).expect("it").ends_with("</svg>\n"));
    let ran = run_in(folder.path(), "generate -n 3 --seed 1 --html {}/new.html sudoku 2x2", "");
    assert_eq!((ran.code, ran.out.lines().count()), (0, 3), "{}", ran.err);
    let page = fs::read_to_string(folder.path().join("new.html")).expect("the page");
    assert_eq!(page.matches("</svg>").count(), 3);
}

#[test]
fn solutions_of_sample_and_unrank_have_pictures() {
    let folder = tempfile::tempdir().expect("a folder");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a page");
    let plain = run("sample -n 3 --seed 5 --puzzle queens 6", "").out;
    let ran = run_in(folder.path(), "sample -n 3 --seed 5 --html {}/three.html --puzzle queens 6", "");
    assert_eq!((ran.code, ran.out), (0, plain), "{}", ran.err);
    assert_eq!(read("three.html").matches("</svg>").count(), 3);
    let ran = run("unrank 0 --svg - --puzzle queens 6", "");
    assert!(ran.out.starts_with("<svg ") && ran.out.ends_with("</svg>\n"), "{}", ran.out);
    let ran =
        run_in(folder.path(), "sample -n 2 --seed 1 --html {}/grids.html --puzzle sudoku 3x3", "");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let digits = read("grids.html").matches("</text>").count();
    assert_eq!(digits, 2 * 81);
    let ran = run_in(folder.path(), "unrank 0,1 --png {}/one.png --puzzle queens 6", "");
    assert!(ran.code == 2 && ran.err.contains("found a second one"), "{}", ran.err);
}

#[test]
fn pencil_marks_and_unplaced_pieces_are_drawn() {
    // The pictures show pencil marks, pieces that are not on the board, and filled slots.
    let ran = run("draw puzzles/sudoku/pencilmarks.txt", "");
    assert!(ran.out.matches("</text>").count() > 81, "{}", ran.out);
    let colors = |text: &str| {
        let inks = (0..12).filter(|&number| {
            text.contains(&format!("\"{}\"", puzzle::Ink::piece(number).color(Theme::Light)))
        });
        inks.count()
    };
    for puzzle in ["polyomino/pentominoes-6x10.poly", "polyomino/pentominoes-clues.poly"] {
        assert_eq!(
            colors(&run(&format!("draw --theme light puzzles/{puzzle}"), "").out),
            12,
            "{puzzle}"
        );
    }
    let ran = run("draw --puzzle langford", "..3...\n");
    assert!(ran.out.contains(">3</text>"), "{} {}", ran.out, ran.err);
}

#[test]
fn an_unwritable_picture_is_reported_and_no_file_is_touched() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("kept.svg"), "old").expect("written");
    // A puzzle without a solution has no picture.
    let unsolvable = "11..\n....\n....\n....\n";
    let ran = run_in(folder.path(), "solve --quiet --svg {}/kept.svg --html {}/none.html", unsolvable);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert_eq!(fs::read_to_string(folder.path().join("kept.svg")).expect("it"), "old");
    assert!(!folder.path().join("none.html").exists());
    let cases = [
        ("solve --svg {}/no/way.svg", "way.svg: cannot write: "),
        ("solve --png {}/kept.svg/", "cannot make: "),
        ("draw --html {}", "cannot write: expected a file, found a folder"),
        ("solve --svg - --json", "expected one thing on standard output, found pictures and more"),
        ("draw --svg - --png -", "expected one thing on standard output, found pictures and more"),
        ("draw --svg -", "standard output: holds one picture, found a second one"),
    ];
    for (args, message) in cases {
        let ran = run_in(folder.path(), args, GRIDS);
        assert_eq!(ran.code, 2, "{args}: {}", ran.err);
        assert!(ran.err.contains(message), "{args}: {}", ran.err);
    }
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 1);
    #[cfg(target_os = "linux")]
    for form in ["svg", "png", "html"] {
        let ran = run(&format!("draw --{form} /dev/full"), "12..\n....\n....\n..21\n");
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains("/dev/full: cannot write: No space left on device"), "{}", ran.err);
    }
    let large = format!("{}\n", (0..300).map(|item| format!("i{item}")).collect::<Vec<_>>().join(" "));
    let large = large.clone() + &large.repeat(200);
    let ran = run("draw --puzzle cover", &large);
    assert!(ran.code == 2 && ran.err.contains("has no picture, or is too large"), "{}", ran.err);
}

#[test]
fn solutions_of_every_kind_can_be_printed_in_color() {
    for (args, colored) in [
        ("--puzzle polyomino trominoes:2x3", "tiling i=I\n\u{1b}["),
        ("--puzzle langford 3", "\u{1b}[30m\u{1b}[48;5;"),
        ("--puzzle queens 4", "\u{1b}[36mQ"),
        ("--puzzle latin 2", "\u{1b}[36m"),
    ] {
        let colored_text = run(&format!("solve --color always {args}"), "").out;
        assert!(colored_text.contains(colored), "{args}: {colored_text:?}");
        let mut plain = colored_text.clone();
        while let Some(start) = plain.find('\u{1b}') {
            let end = start + plain[start..].find('m').expect("the end of a color");
            plain.replace_range(start..=end, "");
        }
        assert_eq!(plain, run(&format!("solve --color never {args}"), "").out);
    }
    let variant = "# killer: r1c1 r1c2 = 4\n....\n....\n....\n.1..\n";
    assert!(run("solve --color always", variant).out.contains("\u{1b}[1m1\u{1b}[0m"));
    let cover = "A B\nA\nB\nA B\n";
    assert!(run("solve --color always --puzzle cover", cover).out.contains("\u{1b}[36m"));
}

#[test]
fn a_pdf_file_has_pages_of_pictures() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("sheet.pdf");
    let ran = run(&format!("generate -n 14 --seed 1 --quiet --pdf {}", path.display()), "");
    assert_eq!(ran.code, 0, "{ran:?}");
    let bytes = fs::read(&path).expect("a file");
    assert!(bytes.starts_with(b"%PDF-1.4\n") && bytes.ends_with(b"%%EOF\n"));
    let text = String::from_utf8_lossy(&bytes);
    // A page of the file has two columns and three rows.
    assert_eq!(text.matches("/Type/Page/").count(), 3);
    // The table at the end of the file has the offset of each object.
    let end = text.rsplit("startxref\n").next().expect("a start");
    let start: usize = end.lines().next().expect("a line").parse().expect("a number");
    let table = String::from_utf8_lossy(&bytes[start..]).into_owned();
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("xref"));
    assert_eq!(lines.next(), Some("0 12"));
    for (number, line) in lines.take(12).enumerate().skip(1) {
        let begin: usize = line[..10].parse().expect("a number");
        let object = format!("{number} 0 obj\n");
        assert!(bytes[begin..].starts_with(object.as_bytes()), "{line}");
    }
    assert!(text.contains("/Title(Puzzles)") && text.contains("/Info 11 0 R"), "it has a title");
    let drawn = command("draw --pdf - --puzzle queens 6").output().expect("it runs");
    assert!(drawn.status.success() && drawn.stdout.starts_with(b"%PDF-1.4\n"), "{drawn:?}");
}

/// Returns for each picture in a PDF file the side of a cell (points).
fn scales(args: &str, input: &str) -> Vec<f64> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("sheet.pdf");
    let ran = run(&format!("{args} --pdf {}", path.display()), input);
    assert_eq!(ran.code, 0, "{ran:?}");
    let bytes = fs::read(&path).expect("a file");
    let mut scales = Vec::new();
    let begin = b"/FlateDecode>>\nstream\n";
    for at in (0..bytes.len()).filter(|&at| bytes[at..].starts_with(begin)) {
        let mut text = Vec::new();
        let mut packed = flate2::read::ZlibDecoder::new(&bytes[at + begin.len()..]);
        std::io::Read::read_to_end(&mut packed, &mut text).expect("a packed page");
        let text = String::from_utf8_lossy(&text).into_owned();
        let placed = text.lines().filter_map(|line| line.strip_prefix("q ")?.strip_suffix(" cm"));
        scales.extend(
            placed.map(|place| place.split(' ').next().unwrap_or("").parse::<f64>().expect("a number")),
        );
    }
    scales
}

#[test]
fn pictures_in_a_pdf_file_fill_the_available_space() {
    // A single picture fills the page, even if the user asks for several columns.
    let one = scales("draw puzzles/sudoku/difficulty-10.7.txt", "");
    assert!(one.len() == 1 && one[0] > 50.0, "{one:?}");
    // Small grids fill their column. Large grids fill a page with three rows.
    let small = scales("generate -n 6 --seed 1 --quiet sudoku 2x3", "");
    assert!(small.len() == 6 && small.iter().all(|&cell| cell > 34.0), "{small:?}");
    let large = scales("generate -n 6 --seed 1 --quiet", "");
    assert!(large.len() == 6 && large.iter().all(|&cell| cell > 23.0), "{large:?}");
}

#[test]
fn answers_are_on_separate_pages_behind_the_puzzles() {
    let folder = tempfile::tempdir().expect("a folder");
    let args = "generate -n 3 --seed 1 --quiet --answers --title Small(4x4)";
    for kind in
        ["sudoku 2x2", "--killer sudoku 2x2", "--jigsaw latin 4", "--pieces 2 polyomino tetrominoes"]
    {
        let path = folder.path().join("sheet.pdf");
        let ran = run(&format!("{args} --pdf {} {kind}", path.display()), "");
        assert_eq!(ran.code, 0, "{ran:?}");
        let bytes = fs::read(&path).expect("a file");
        let text = String::from_utf8_lossy(&bytes);
        assert_eq!(text.matches("/Type/Page/").count(), 2, "{kind}");
        assert!(text.contains("/Title(Small\\(4x4\\))"), "{kind}");
        let path = folder.path().join("sheet.html");
        let ran = run(&format!("{args} --html {} {kind}", path.display()), "");
        assert_eq!(ran.code, 0, "{ran:?}");
        let page = fs::read_to_string(&path).expect("a file");
        assert!(page.contains("<h1>Small(4x4)</h1>"), "{page}");
        let (puzzles, answers) = page.split_once("<h2>Answers</h2>").expect("a heading");
        assert_eq!([puzzles, answers].map(|part| part.matches("<svg").count()), [3, 3], "{kind}");
        if kind == "sudoku 2x2" {
            for answer in answers.split("<svg").skip(1) {
                assert_eq!(answer.matches("</text>").count(), 16, "{answer}");
            }
        }
    }
    let ran = run("generate --answers sudoku 2x2", "");
    assert!(ran.code == 2 && ran.err.contains("expected --html or --pdf"), "{ran:?}");
    let ran = run("generate --answers --html - -n 10001 sudoku 2x2", "");
    assert!(ran.code == 2 && ran.err.contains("at most 10000 puzzles"), "{ran:?}");
}

#[test]
fn captions_are_smaller_than_the_sentences_in_pictures() {
    for columns in [1, 2, 3, 6] {
        let page = run(&format!("hint --html - --columns {columns} puzzles/sudoku/easy.txt"), "").out;
        let caption = page.split("--caption:").nth(1).and_then(|rest| rest.split("rem").next());
        let caption: f64 = caption.expect("a size").parse().expect("a number");
        // The columns take 61 rem, with gaps of 2.5. A sentence takes 11.52 of 400 units.
        let sentence = (61.0 - 2.5 * f64::from(columns - 1)) / f64::from(columns) * 11.52 / 400.0;
        assert!(caption < sentence, "{columns}: {caption} {sentence}");
    }
}

/// Returns the texts of a picture, each followed by a line feed.
fn texts(svg: &str) -> String {
    let document = roxmltree::Document::parse(svg).expect("markup");
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    texts.filter_map(|node| node.text()).map(|text| text.to_owned() + "\n").collect()
}

#[test]
fn titles_and_authors_of_puzzles_are_drawn() {
    let text = "# title: A small <fish>\n# author: A. Setter\n# killer: r1c1 r1c2 = 4\n....\n....\n....\n....\n";
    let drawn = run("draw --svg -", text).out;
    assert!(texts(&drawn).contains("A small <fish> by A. Setter\n"), "{drawn}");
    let json = r#"{"size":4,"title":"tiny","author":"me","grid":[[{},{},{},{}],[{},{},{},{}],[{},{},{},{}],[{},{},{},{}]]}"#;
    assert!(texts(&run("draw --svg -", json).out).contains("tiny by me\n"));
}

#[test]
fn pictures_of_puzzles_with_many_layers_have_several_rows() {
    let size = |args: &str| -> [f64; 2] {
        let svg = run(&format!("draw --svg - --puzzle polyomino {args}"), "").out;
        let text = svg.split("viewBox=\"0 0 ").nth(1).and_then(|rest| rest.split('"').next());
        let text = text.unwrap_or_else(|| panic!("{args}: {svg}"));
        let (wide, high) = text.split_once(' ').expect("two numbers");
        [wide, high].map(|number| number.parse().expect("a number"))
    };
    let [wide, high] = size("dominoes:30x2x2");
    assert!(wide < 3.0 * high && high < 3.0 * wide, "{wide} {high}");
    // If the puzzle has only a few layers, they are drawn next to each other.
    let [wide, high] = size("dominoes:4x2x2");
    assert!(wide > 1.5 * high, "{wide} {high}");
}

#[test]
fn the_picture_of_an_exact_cover_labels_rows_and_columns() {
    let drawn = run("draw --svg -", "monday tuesday wednesday\nmonday\ntuesday wednesday\n").out;
    let shown = texts(&drawn);
    // Long column names are written vertically, from the last letter upwards.
    assert!(shown.contains("y\na\nd\ns\ne\nu\nt\n"), "{shown}");
    assert!(shown.ends_with("d\ne\nw\n") && shown.contains("1\n2\n"), "{shown}");
    let shown = texts(&run("draw --svg -", "a b c\na b\nc\n").out);
    assert!(shown.contains("a\nb\nc\n") && shown.contains("1\n2\n"), "{shown}");
}

#[test]
fn symbols_of_cells_are_drawn_above_lines() {
    // The outline of the square is drawn after the bulb of the thermometer, whichever clue comes
    // first.
    for (first, second) in [("thermo: r1c1 r1c2", "even: r1c1"), ("even: r1c1", "thermo: r1c1 r1c2")] {
        let text = format!("# {first}\n# {second}\n....\n....\n....\n....\n");
        let drawn = draw(&text, first);
        let (bulb, outline) = (drawn.find("<circle"), drawn.rfind("stroke=\"#5a6675\""));
        assert!(bulb.is_some() && outline > bulb, "{drawn}");
    }
}

#[test]
fn words_with_hyphens_are_not_broken_in_legends() {
    let text = "# order: 9\n# rules: anti-knight anti-king nonconsecutive\n# x-sum: row 1 left = 20\n";
    let shown = texts(&draw(text, "words"));
    for word in ["anti-knight\n", "anti-king\n", "nonconsecutive\n", "x-sum\n"] {
        assert!(shown.contains(word), "{shown}");
    }
}

#[test]
fn a_title_is_drawn_only_above_the_grid_it_belongs_to() {
    let text = "# title: First\n# author: Somebody\n12..\n....\n....\n..21\n\n12..\n....\n....\n..21\n";
    let page = run("draw --html -", text).out;
    assert_eq!(page.matches("First by Somebody").count(), 1, "{page}");
}
