//! Tests of tiling puzzles: counts, reading of written texts, and errors.

use std::ops::ControlFlow;
use std::path::Path;

use dlx::{Engine, Limits, engine::Links};

use super::shape::orientations;
use super::*;
use text::directive;

fn count_of(puzzle: &dyn Puzzle) -> u64 {
    let report = Links::new(puzzle.problem()).count(puzzle.given(), &Limits::default());
    report.count().expect("no limit was set")
}

/// Checks the number of solutions of a text, and that the first solutions can be written and read
/// back unchanged.
#[track_caller]
pub(super) fn check(text: &str, expected: u64) {
    let puzzle = read(text, &Limits::default()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(count_of(&puzzle), expected, "{text}");
    match puzzle.write_as(XMPUZZLE).expect("it is the form of polyominoes") {
        Ok(file) => {
            let again =
                read(&file, &Limits::default()).unwrap_or_else(|error| panic!("{error}\n{file}"));
            assert_eq!(count_of(&again), expected, "{text}\n{file}");
            assert_eq!(again.write_as(XMPUZZLE), Some(Ok(file)), "{text}");
        }
        Err(message) => assert!(message.starts_with("xmpuzzle "), "{message}"),
    }
    let mut number = 0;
    let limits = Limits::new().solutions(20);
    Links::new(puzzle.problem()).search(puzzle.given(), &limits, &mut |cover| {
        number += 1;
        let shown = check_shown(&puzzle, cover, number);
        assert!(native::recognizes(&shown), "{shown}");
        let again = read(&shown, &Limits::default()).unwrap_or_else(|error| panic!("{error}\n{shown}"));
        let mut covers = Links::new(again.problem()).into_solutions(again.given());
        let cover_again = covers.next().expect("a solution");
        assert_eq!(check_shown(&again, &cover_again, 1), shown);
        assert!(covers.next().is_none(), "one solution:\n{shown}");
        assert_eq!(cover_again.len(), cover.len(), "as many pieces:\n{shown}");
        ControlFlow::Continue(())
    });
}

fn check_shown(puzzle: &Polyomino, cover: &[OptionId], number: u64) -> String {
    let mut shown = String::new();
    puzzle.show(cover, number, &mut shown);
    shown
}

#[track_caller]
fn check_parameter(parameter: &str, expected: u64) {
    let puzzle = make(parameter, &Limits::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(count_of(puzzle.as_ref()), expected, "{parameter}");
}

#[track_caller]
pub(super) fn check_error(text: &str, expected: &str) {
    let error = read(text, &Limits::default()).map(|_| ()).expect_err(text);
    assert_eq!(error.to_string(), expected);
    let line = text.lines().nth(error.line - 1).unwrap_or_default();
    assert_eq!(error.text, line, "the error shows its line");
}

#[track_caller]
fn check_orientations(set: &str, is_solid: bool, expected: &[usize]) {
    let found = sets::by_name(set, &Limits::new()).unwrap().unwrap();
    let default = if is_solid { Motions::Rotate } else { Motions::Reflect };
    let motions = found.motions.unwrap_or(default);
    let counts = found
        .pieces
        .iter()
        .map(|(_, cells)| orientations(found.lattice, cells, motions, is_solid).len());
    assert_eq!(counts.collect::<Vec<_>>(), expected, "{set}");
}

#[test]
fn equal_orientations_of_a_piece_are_merged() {
    check_orientations("dominoes", false, &[2]);
    check_orientations("trominoes", false, &[2, 4]);
    check_orientations("tetrominoes", false, &[2, 8, 1, 4, 4]);
    check_orientations("one-sided-tetrominoes", false, &[2, 4, 4, 1, 2, 4, 2]);
    check_orientations("pentominoes", false, &[8, 2, 8, 8, 8, 4, 4, 4, 4, 1, 8, 4]);
    check_orientations("soma", true, &[12, 24, 12, 12, 12, 12, 8]);
    check_orientations("monominoes", true, &[1]);
    let sum = |name| {
        let set = sets::by_name(name, &Limits::new()).unwrap().unwrap();
        let pieces = set.pieces.iter();
        pieces
            .map(|(_, cells)| orientations(set.lattice, cells, Motions::Rotate, false).len())
            .sum::<usize>()
    };
    assert_eq!((sum("one-sided-tetrominoes"), sum("one-sided-pentominoes")), (19, 63));
}

#[test]
fn puzzles_given_by_parameters_have_the_known_solution_counts() {
    check_parameter("3x20", 8);
    check_parameter("pentominoes:3x20", 8);
    check_parameter("2x3x10", 96);
    check_parameter("dominoes:4x4", 36);
    check_parameter("dominoes:6x6", 6728);
    check_parameter("dominoes:2x2x2", 9);
    check_parameter("trominoes:2x3", 3);
    check_parameter("tetrominoes:2x4", 4);
    check_parameter("pentominoes:7x7", 0);
    check_parameter("trihexes:triangle-2", 1);
    check_parameter("diamonds:hexagon-1", 2);
    // Plane partitions in a box, counted by MacMahon's formula.
    check_parameter("diamonds:hexagon-2", 20);
    check_parameter("diamonds:hexagon-3", 980);
    // Knuth, exercises for 7.2.2.1: 9 solutions up to the half turn, and 156 up to the four
    // symmetries of a rhombus.
    check_parameter("tetrahexes:rhombus-4x7", 18);
    check_parameter("hexiamonds:rhombus-6x6", 624);
    // The Aztec diamond of order n has 2^(n (n + 1) / 2) domino tilings.
    check_parameter("dominoes:aztec-3", 64);
    check_parameter("dominoes:aztec-4", 1024);
}

#[test]
fn wrong_parameters_are_refused() {
    let check = |parameter: &str, expected: &str| {
        assert_eq!(make(parameter, &Limits::default()).map(|_| ()).unwrap_err().message, expected);
    };
    check(
        "7x7",
        "expected a board of 60 cells for the pentominoes, or a set as in `dominoes:7x7` or `pentominoes?:7x7`, \
         found `7x7`",
    );
    check(
        "dominoes",
        "expected a size such as `6x10` or `3x3x3`, `diamond-3`, `aztec-3`, found `dominoes`",
    );
    check("dominoes:8", "expected a size such as `6x10` or `3x3x3`, `diamond-3`, `aztec-3`, found `8`");
    check(
        "dominoes:0x8",
        "expected a size such as `6x10` or `3x3x3`, `diamond-3`, `aztec-3`, found `0x8`",
    );
    check(
        "dominoes:+2x8",
        "expected a size such as `6x10` or `3x3x3`, `diamond-3`, `aztec-3`, found `+2x8`",
    );
    check(
        "dominoes:2000x2000",
        "drawing of 1x2000x2000 has 4000000 places, which exceeds the limit of 1048576",
    );
    check(
        "pentominoes:1000x1000",
        "puzzle has more placements than the limit of 16777216, or more cells in them than 134217728",
    );
    assert!(
        make("qqqqqqqqqqqq:8x8", &Limits::default())
            .map(|_| ())
            .unwrap_err()
            .message
            .starts_with("expected a set of pieces (monominoes to octominoes,")
    );
    assert!(make("", &Limits::default()).is_err() && make(":", &Limits::default()).is_err());
}

#[test]
fn copy_ranges_limit_the_copies_of_a_piece() {
    let check = |supply, expected| check(&format!("pieces dominoes {supply}\nboard 2x3\n"), expected);
    check("x3", 3);
    check("unlimited", 3);
    check("x2", 0);
    check("x4", 0);
    check("x0", 0);
    check("x1-3", 3);
    check("x0-2", 0);
    check("x3-9", 3);
    let mixed = |supply, expected| {
        self::check(
            &format!("pieces dominoes {supply}\npieces monominoes unlimited\nboard 2x2\n"),
            expected,
        );
    };
    mixed("x0", 1);
    mixed("", 4);
    mixed("x2", 2);
    mixed("x0-1", 5);
    mixed("x1-2", 6);
    mixed("unlimited", 7);
}

#[test]
fn pieces_whose_letter_is_taken_get_another_letter() {
    let puzzle =
        read("pieces trominoes\npieces tetrominoes\nboard\nBBB.\nB???\n????\n", &Limits::default());
    let puzzle = puzzle.unwrap_or_else(|error| panic!("{error}"));
    let names: String = puzzle.pieces.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, "ILABOST");
    check("pieces monominoes\npiece D\n##\npieces dominoes\nboard 1x5\n", 6);
}

#[test]
fn options_restrict_the_motions_of_a_piece() {
    let check = |motions, expected| {
        self::check(&format!("piece L {motions} unlimited\n#.\n#.\n##\nboard 2x4\n"), expected);
    };
    check("fixed", 0);
    check("rotate", 1);
    check("reflect", 2);
    check("", 2);
    self::check("piece I fixed x4\n##\nboard 2x4\n", 1);
    self::check("piece L x2 rotate\n#.\n#.\n##\nboard 2x2x4\n", 0);
    let twisted = "piece A\n##\n#.\n/\n.#\n..\nboard\n##\n.#\n/\n..\n.#\n";
    self::check(twisted, 1);
    let mirror = "\n##\n#.\n/\n.#\n..\nboard\n##\n.#\n/\n.#\n..\n";
    self::check(&format!("piece A{mirror}"), 0);
}

#[test]
fn drawings_of_hexagons_and_triangles_keep_their_positions() {
    check("pieces trihexes unlimited\nboard\n. .\n .\n", 1);
    check("lattice hexagonal\npiece A\n# #\n #\nboard\n . .\n  .\n", 1);
    // A piece of three hexagons in a row has no tiling of this board, unlike a triangle of three.
    check("lattice hexagonal\npiece A\n# #\n #\nboard\n. . .\n", 0);
    check("lattice hexagonal\npiece A x2\n# #\n   #\nboard\n A A\n? # A\n . . .\n", 0);
    check("lattice hexagonal\npiece A x2\n# #\n   #\nboard\n A A\n# # A\n . . .\n", 0);
    check("lattice hexagonal\npiece A x2 fixed\n# #\n   #\nboard\n A A\n. . A\n   .\n", 1);
    check("board\n  .\n ...\n.....\n\npieces triamonds unlimited\n", 2);
    check("lattice triangular\npiece D fixed unlimited\n##\nboard\n....\n", 1);
    check("lattice triangular\npiece D fixed unlimited\n##\nboard\n ....\n", 0);
    check("lattice triangular\npiece D fixed unlimited\n ##\nboard\n ....\n", 1);
    check("lattice triangular\npiece P x6\n#\n/\n#\nboard 2x2x3\n", 1);
    check("pieces diamonds unlimited\nboard 2x2x2\n", 1);
    check_error(
        "lattice hexagonal\npiece A\n##\n",
        "3:2: expected each row shifted by one place, and a blank between two cells, found `#`",
    );
    check_error(
        "lattice round\n",
        "1:9: expected a lattice (square, hexagonal, triangular, square-edges, \
         hexagonal-edges, triangular-edges, spheres, rhombic, tetrahedral), found `round`",
    );
    check_error(
        "lattice square\nlattice hexagonal\n",
        "2:9: expected one lattice, found `hexagonal` too",
    );
    check_error("lattice square x\n", "1:16: expected the end of the line, found `x`");
    check_error("piece A\n##\ncolors x\nab\n", "3:8: expected a drawing below `colors`, found `x`");
    check_error(
        "pieces dominoes x2\n\nboard\n....\nclues\nAA!.\n",
        "6:3: expected a letter, a digit or `.`, found `!`",
    );
    check_error(
        "pieces soma\npieces tetrahexes\n",
        "2:8: expected pieces of the lattice square, found `tetrahexes` of the lattice hexagonal",
    );
    check_error(
        "pieces tetrahexes\nboard hexagon-0\n",
        "2:7: expected a size such as `6x10` or `3x3x3`, `hexagon-3`, `triangle-3`, `rhombus-3x4`, found \
         `hexagon-0`",
    );
}

#[test]
fn colored_cells_of_pieces_lie_on_cells_of_the_same_color() {
    let board = "board\n..\n..\ncolors\nbw\nwb\n";
    check(&format!("piece D unlimited\n##\ncolors\nbw\n{board}"), 2);
    check(&format!("piece D unlimited fixed\n##\ncolors\nbw\n{board}"), 0);
    check(&format!("piece D unlimited\n##\ncolors\nbb\n{board}"), 0);
    check(&format!("piece D unlimited\n##\ncolors\nb.\n{board}"), 2);
    check("piece D x1\n##\ncolors\nbw\nboard\nDD\ncolors\n.b\n", 1);
    check("piece D unlimited\n##\ncolors\nbw\nboard\n..\n", 2);
    check_error(
        "piece D\n##\ncolors\nbb\nboard\nDD\ncolors\n.w\n",
        "6:1: expected the cells `D` here to be the piece `D`, found 2 cells that are not",
    );
    check_error(
        "colors\nb\n",
        "1:1: expected `colors` right behind the drawing of a piece or the board",
    );
    check_error(
        "piece D\n##\ncolors\nbw\nw\n",
        "5:1: expected colors of cells alone, found `w` where none is",
    );
    check_error(
        "piece D\n##\ncolors\nb#\n",
        "4:2: expected a letter or digit for a color or `.` for none, found `#`",
    );
}

#[test]
fn board_cells_may_be_outside_optional_or_clues() {
    check("pieces dominoes unlimited\nboard\n..\n #.\n", 0);
    check("pieces dominoes unlimited\nboard\n...\n.#.\n...\n", 2);
    check("pieces dominoes unlimited\nboard\n..\n  ..\n", 1);
    // A tiling is any matching of the 2x2 square, including the empty one.
    check("pieces dominoes unlimited\nboard\n??\n??\n", 7);
    check("pieces dominoes x1\nboard\n??\n??\n", 4);
    check("pieces dominoes unlimited\nboard\n.?\n??\n", 4);
    check("pieces dominoes unlimited\nboard\nDD.\n...\n", 1);
    check("pieces dominoes x1\nboard\nDD#DD\n", 0);
    check("pieces dominoes x2\nboard\nDD#DD\n", 1);
    check("board 1x2\npieces dominoes\n", 1);
    check("# title: a\n\n# b\ntiling\n##A\nBBA\n", 1);
    check("tiling\nAA\nAA\n/\nAB\n#B\n", 1);
}

#[test]
fn copies_of_a_piece_that_touch_get_different_letters() {
    let puzzle = read("pieces dominoes unlimited\nboard\n..#\n..?\n", &Limits::default()).unwrap();
    let mut shown: Vec<String> = Links::new(puzzle.problem())
        .into_solutions(&[])
        .map(|cover| check_shown(&puzzle, &cover, 1))
        .collect();
    shown.sort();
    assert_eq!(shown, ["tiling\nAA#\nBB?\n", "tiling\nAB#\nAB?\n"]);
    let puzzle = read("pieces trominoes x0-1\nboard 2x3\n", &Limits::default()).unwrap();
    assert_eq!(count_of(&puzzle), 0);
    let puzzle = read("pieces trominoes x0-1\nboard\n###.\n...#\n", &Limits::default()).unwrap();
    assert_eq!(count_of(&puzzle), 0);
    let puzzle = read("pieces trominoes x0-1\nboard\n##\n..\n.#\n", &Limits::default()).unwrap();
    let cover = Links::new(puzzle.problem()).into_solutions(&[]).next().unwrap();
    assert_eq!(check_shown(&puzzle, &cover, 1), "tiling\n##\nLL\nL#\n");
}

#[test]
fn errors_in_tiling_texts_have_their_position() {
    let end = "expected a line `board`, found the end of the text";
    check_error("", &format!("1:1: {end}"));
    check_error("# title: a\n\n", &format!("2:1: {end}"));
    check_error("pieces soma\n", &format!("1:12: {end}"));
    check_error(
        "pieses soma\n",
        "1:1: expected `lattice`, `pieces`, `piece`, `board`, `tiling`, `colors` or `clues`, found `pieses`",
    );
    check_error(
        "pieces dominoes\n# no head\nboard 1x2\n",
        "2:1: expected `lattice`, `pieces`, `piece`, `board`, `tiling`, `colors` or `clues`, found `#`",
    );
    let sets = "monominoes to octominoes, monocubes to heptacubes, monohexes to heptahexes, moniamonds \
                to enneiamonds, monosticks to hexasticks, monotwigs to heptatwigs, monotrigs to pentatrigs, soma";
    check_error("pieces\n", "1:1: expected a drawing of pieces below, found none");
    check_error("pieces é\n", &format!("1:8: expected a set of pieces ({sets}), found `é`"));
    let name = "expected the name of the piece, one letter or digit";
    check_error("piece\n##\n", &format!("1:6: {name}, found the end of the line"));
    check_error("piece AB\n##\n", &format!("1:7: {name}, found `AB`"));
    check_error("piece #\n##\n", &format!("1:7: {name}, found `#`"));
    let option =
        "expected copies (`x2`, `x0-1`, `unlimited`) or motions (`fixed`, `rotate`, `reflect`)";
    check_error("piece A 2\n##\n", &format!("1:9: {option}, found `2`"));
    check_error("pieces soma x3-2\n", &format!("1:13: {option}, found `x3-2`"));
    check_error("pieces soma x-2\n", &format!("1:13: {option}, found `x-2`"));
    check_error("pieces soma x+2\n", &format!("1:13: {option}, found `x+2`"));
    check_error("pieces soma x4294967296\n", &format!("1:13: {option}, found `x4294967296`"));
    let twice = "expected one word for copies and one for motions";
    check_error("pieces soma x3 unlimited\n", &format!("1:16: {twice}, found `unlimited` too"));
    check_error("pieces soma fixed rotate\n", &format!("1:19: {twice}, found `rotate` too"));
    check_error("piece A\n\nboard 2x2\n", "1:1: expected a drawing of the piece `A` below, found none");
    check_error("piece A\nboard 2x2\n", "1:1: expected a drawing of the piece `A` below, found none");
    check_error(
        "piece A\n.. \n",
        "1:1: expected cells `#` in the drawing of the piece `A`, found none",
    );
    check_error("piece A\nA#\n #B\n", "3:3: expected `#` or `A` for a cell or `.` for none, found `B`");
    check_error("piece A\n#.\n.#\n", "3:2: expected the piece `A` in one part, found a second part");
    check_error("pieces dominoes\npiece D\n#\n", "2:7: piece `D` is defined twice (first on line 1)");
    check_error(
        "piece I\n#\npieces dominoes\npiece I\n#\n",
        "4:7: piece `I` is defined twice (first on line 1)",
    );
    let big = format!("piece A\n{}\n", "#".repeat(4097));
    check_error(&big, "1:1: piece `A` has 4097 cells, which exceeds the limit of 4096");
    check_error("piece A\n/\n#\n", "2:1: expected the rows of a layer, found `/`");
    check_error("piece A\n#\n/\n\n", "3:1: expected another layer below `/`, found none");
    check_error(
        "pieces soma\nboard\n...\n\nboard 1x1\n",
        "5:1: expected one board, found a second (first on line 2)",
    );
    check_error("pieces soma\nboard\n", "2:1: expected a drawing of the board below, found none");
    check_error(
        "pieces soma\nboard 3\n",
        "2:7: expected a size such as `6x10` or `3x3x3`, `diamond-3`, `aztec-3`, found `3`",
    );
    check_error("pieces soma\nboard 3x3 x\n", "2:11: expected the end of the line, found `x`");
    check_error(
        "pieces soma\nboard 1025x1024\n",
        "2:1: drawing of 1x1025x1024 has 1049600 places, which exceeds the limit of 1048576",
    );
    check_error(
        "pieces soma\nboard\n###\n",
        "2:1: expected cells `.` or `?` in the drawing, found none",
    );
    check_error(
        "pieces dominoes\nboard\n..\n.é\n",
        "4:2: expected `.`, `?`, `#` or the name of a piece (D), found `é`",
    );
    check_error(
        "pieces dominoes\nboard\n..\nD.\n",
        "4:1: expected the cells `D` here to be the piece `D`, found 1 cell that is not",
    );
    check_error(
        "pieces dominoes\nboard\n.DD\n.DD\n",
        "3:2: expected the cells `D` here to be the piece `D`, found 4 cells that are not",
    );
    check_error(
        "piece L fixed\n#.\n##\nboard\nLL\nL.\n",
        "5:1: expected the cells `L` here to be the piece `L`, found 3 cells that are not",
    );
    check_error(
        "board 1x2\n",
        "1:1: expected pieces for the board (`pieces` or `piece`; a drawing of placed pieces starts \
         with `tiling`), found none",
    );
    check_error(
        "tiling A\nA\n",
        "1:8: expected a drawing below, or letters of copies as in `a=A`, found `A`",
    );
    check_error("tiling a=A a=B\na\n", "1:12: expected the letter `a` once, found it again");
    check_error("tiling a=A\nA\n", "1:8: expected cells `a` in the drawing, found none");
    check_error("tiling\n", "1:1: expected a drawing of a tiling below, found none");
    check_error("tiling\n#?#\n#.\n", "3:2: expected a letter or digit, `?` or `#`, found `.`");
    check_error("tiling\n##\n", "1:1: expected letters in the drawing, found none");
    check_error("tiling\nAA\n\nBB\n", "4:1: expected the end of the text, found `BB`");
    check_error(
        "pieces soma\ntiling\nAA\n",
        "2:1: expected a tiling without pieces and board of its own",
    );
    let monominoes: String = ('A'..='Q').map(|name| format!("piece {name}\n#\n")).collect();
    check_error(
        &format!("{monominoes}board 1024x1024\n"),
        "35:1: puzzle has more placements than the limit of 16777216, or more cells in them than \
         134217728",
    );
}

#[test]
fn only_tiling_puzzles_are_recognized() {
    for (text, expected) in [
        ("# title: a\n\npieces soma\nboard 3x3x3\n", true),
        ("piece A x2\n##\n\nboard\n..\n..\n", true),
        ("board\n..\n\npieces dominoes\n", true),
        ("board 3x3\npieces dominoes\n", true),
        ("tiling\nAAB\nCCB\n", true),
        ("", false),
        ("pieces soma\n", false),
        ("board\nboard\n", false),
        ("tiling\ntiling\n", false),
        ("board 3x3\nboard\n3x3\n", false),
        ("pieces board\npieces\nboard\n", false),
        ("board tiling\nboard\ntiling\n", false),
        ("a b c\na b\nc\n", false),
        ("| comment\nboard piece\nboard\npiece\n", false),
        ("ABC\nBCA\nCAB\n", false),
        ("53..7....\n6..195...\n", false),
        ("1 0 1\n0 1 0\n", false),
        ("{\"board\": 3}\n", false),
        ("8\n", false),
    ] {
        assert_eq!(native::recognizes(text), expected, "{text}");
    }
}

fn collection() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../puzzles/polyomino");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut texts: Vec<_> = paths
        .map(|path| (path.display().to_string(), std::fs::read_to_string(path).unwrap()))
        .collect();
    texts.sort();
    texts
}

#[test]
fn the_collection_of_puzzles_has_its_stated_counts() {
    let texts = collection();
    assert!(texts.len() > 10, "the collection is there");
    for (name, text) in texts {
        assert!(native::recognizes(&text), "{name}");
        let head = |key| directive(&text, key).unwrap_or_else(|| panic!("{name} has no {key}"));
        assert!(!head("title").is_empty(), "{name}");
        assert!(!head("source").is_empty(), "{name}");
        if cfg!(debug_assertions) && name.ends_with("/pentominoes-6x10.poly") {
            continue; // This puzzle takes 6 seconds.
        }
        if directive(&text, "slow").is_some() && cfg!(not(feature = "slow-tests")) {
            continue; // As in `tests/it/golden.rs`; the solver counts it in `tests/it/sticks.rs`.
        }
        assert_eq!(
            count_of(&read(&text, &Limits::default()).unwrap()).to_string(),
            head("solutions"),
            "{name}"
        );
    }
}

// Each of these counts takes seconds, so the test runs only in release builds.
#[cfg(not(debug_assertions))]
#[test]
fn pentomino_tilings_of_large_rectangles_have_the_known_counts() {
    check_parameter("4x15", 1472);
    check_parameter("5x12", 4040);
}

#[test]
fn randomly_edited_texts_are_read_or_refused_without_a_panic() {
    let PuzzleSource::Text(source) = KIND.source else { panic!("polyominoes are texts") };
    let mut texts: Vec<String> = collection().into_iter().map(|(_, text)| text).collect();
    texts.push(source.example.to_owned());
    texts.push("tiling\nAAB\n#CB\n/\nDD?\nDCC\n".to_owned());
    let voxels =
        "<voxel x=\"2\" y=\"1\" z=\"1\">#1#</voxel><voxel x=\"2\" y=\"2\" z=\"1\">#+2##</voxel>";
    texts.push(format!(
        "<puzzle><gridType type=\"1\"/>\n<shapes>{voxels}</shapes><problems>\n<problem><shapes><shape id=\"0\" \
         min=\"0\" max=\"2\"/></shapes><result id=\"1\"/><bitmap/></problem></problems></puzzle>\n"
    ));
    let letters: Vec<char> = "#.?/ \n\tABDLx019-é\u{fffd}\r".chars().collect();
    let mut numbers = fastrand::Rng::with_seed(1);
    let mut random = |below: usize| numbers.usize(..below);
    let mut read_count = 0;
    for _ in 0..3000 {
        let mut characters: Vec<char> = texts[random(texts.len())].chars().collect();
        for _ in 0..=random(3) {
            let place = random(characters.len());
            match random(3) {
                0 => drop(characters.remove(place)),
                1 => characters.insert(place, letters[random(letters.len())]),
                _ => characters[place] = letters[random(letters.len())],
            }
        }
        let text: String = characters.into_iter().collect();
        let _ = native::recognizes(&text);
        match read(&text, &Limits::default()) {
            Ok(puzzle) => {
                read_count += 1;
                check_shown(&puzzle, puzzle.given(), 1);
            }
            Err(error) => {
                let place = text.lines().nth(error.line - 1).unwrap_or_default();
                assert!(error.column <= place.chars().count() + 1, "{error}\n{text}");
            }
        }
    }
    assert!((500..2500).contains(&read_count), "{read_count} of 3000 were in order");
}

/// Checks the number of solutions on a lattice in space, where the copies of each piece are
/// unlimited.
#[track_caller]
fn check_solid(lattice: &str, size: &str, pieces: &[&[Position]], words: &str, expected: u64) {
    let found = lattice::by_name(lattice).expect(lattice);
    let mut text = format!("lattice {lattice}\n");
    for (cells, name) in pieces.iter().zip('A'..) {
        text += &format!("piece {name} unlimited {words}\n");
        board::draw_piece(found, &shape::plain(cells.iter().copied()), &mut text);
        text.push('\n');
    }
    check(&format!("{text}board {size}\n"), expected);
}

// The expected counts come from an independent search on the points of cells in space. The search
// places a piece wherever its cells have the same distances and are not mirrored.
#[test]
fn pieces_in_space_have_the_counts_of_an_independent_search() {
    let one: &[Position] = &[[0, 0, 0]];
    let pair: &[Position] = &[[0, 0, 0], [0, 1, 1]];
    check_solid("spheres", "2x3x4", &[pair], "", 43);
    check_solid("spheres", "2x3x4", &[pair], "fixed", 0);
    check_solid("spheres", "2x3x4", &[&[[0, 0, 0], [0, 1, 1], [1, 1, 2]]], "", 4);
    check_solid("spheres", "2x3x4", &[&[[0, 0, 0], [0, 1, 1], [1, 1, 2]], one], "", 245);
    check_solid("spheres", "2x3x4", &[&[[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 2]], one], "", 25);
    let five: &[Position] = &[[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 2], [0, 2, 2]];
    check_solid("spheres", "3x3x4", &[five, one], "", 185);
    let chiral: &[Position] = &[[0, 0, 0], [0, 1, 1], [1, 1, 2], [2, 2, 2]];
    check_solid("spheres", "3x3x3", &[chiral, one], "", 35);
    check_solid("spheres", "3x3x3", &[chiral, one], "reflect", 141);
    let ring: &[Position] = &[[0, 1, 2], [0, 2, 1], [0, 3, 2], [0, 2, 3]];
    check_solid("rhombic", "1x1x1", &[&ring[..2]], "", 64);
    check_solid("rhombic", "1x1x1", &[&ring[..3]], "", 0);
    check_solid("rhombic", "1x1x1", &[ring], "", 1);
    let way: &[Position] = &[[1, 1, 1], [2, 2, 2], [2, 3, 2], [2, 3, 3]];
    let corner: &[Position] = &[[0, 0, 2]];
    let middle: &[Position] = &[[1, 1, 1]];
    check_solid("tetrahedral", "1x2x2", &[&way[..2], &way[2..]], "", 2);
    check_solid("tetrahedral", "1x2x2", &[way, middle, corner], "", 5);
    let other: &[Position] = &[[0, 0, 2], [1, 1, 1], [2, 2, 2], [2, 3, 2]];
    check_solid("tetrahedral", "1x2x2", &[other, middle, corner], "", 196);
    let wrong = "lattice rhombic\npiece A\n#\n\nboard 1x1x1\n";
    check_error(wrong, "3:1: expected a cell at a place where the lattice has one, found `#`");
}
