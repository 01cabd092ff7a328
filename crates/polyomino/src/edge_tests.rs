//! Tests of pieces that consist of edges. Counts are compared with a separate brute-force search;
//! other tests cover reading of written texts, crossings, and errors.

use std::collections::HashMap;

use dlx::{Engine, Limits, engine::Links};

use super::lattice::edges::crossing;
use super::tests::{check, check_error};
use super::*;

/// Counts the covers of the board by exhaustive search. Returns the number with crossing pieces
/// allowed, and the number with crossing pieces forbidden.
fn count_by_hand(puzzle: &Polyomino) -> (u64, u64) {
    let places: Vec<Vec<usize>> = (0..puzzle.problem.option_count())
        .map(|option| puzzle.option_places(OptionId::new(option)))
        .collect();
    let wanted: Vec<usize> = puzzle.board.places(PlaceKind::Covered).collect();
    let mut owners: HashMap<usize, usize> = HashMap::new();
    let mut counts = (0, 0);
    fn go(
        puzzle: &Polyomino,
        places: &[Vec<usize>],
        wanted: &[usize],
        owners: &mut HashMap<usize, usize>,
        counts: &mut (u64, u64),
    ) {
        let Some(&next) = wanted.iter().find(|place| !owners.contains_key(place)) else {
            let board = &puzzle.board;
            let owner = |edge: Position| owners.get(&board.place(edge)?).copied();
            let edges = owners.keys().map(|&place| board.cell(place));
            let crosses = crossing(board.lattice, edges, owner).is_some();
            counts.0 += 1;
            counts.1 += u64::from(!crosses);
            return;
        };
        for (option, covered) in places.iter().enumerate() {
            if covered.contains(&next) && covered.iter().all(|place| !owners.contains_key(place)) {
                owners.extend(covered.iter().map(|&place| (place, option)));
                go(puzzle, places, wanted, owners, counts);
                owners.retain(|place, _| !covered.contains(place));
            }
        }
    }
    go(puzzle, &places, &wanted, &mut owners, &mut counts);
    counts
}

#[test]
fn edge_pieces_cover_boards_without_crossing() {
    let mut kept_apart = 0;
    for text in [
        "pieces disticks unlimited\nboard 2x2\n",
        "pieces disticks unlimited\nboard 2x3\n",
        "pieces tristicks unlimited\nboard 2x2\n",
        "pieces one-sided-tristicks unlimited\nboard diamond-2\n",
        "pieces tetrasticks unlimited\nboard 2x2\n",
        "pieces ditrigs unlimited\nboard hexagon-1\n",
        "pieces ditrigs unlimited\nboard triangle-3\n",
        "pieces tritrigs unlimited\nboard hexagon-1\n",
        "pieces tritrigs unlimited\nboard rhombus-1x2\n",
        "pieces ditwigs unlimited\nboard triangle-2\n",
        "pieces tritwigs unlimited\nboard hexagon-1\n",
        "pieces tritwigs unlimited\nboard rhombus-2x2\n",
        "lattice square-edges\npiece A unlimited\n+#+\n/\n+#+\n\npiece B unlimited\n+#+#+\n\nboard 2x1x2\n",
    ] {
        let puzzle = read(text, &Limits::default()).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let (all, apart) = count_by_hand(&puzzle);
        check(text, apart);
        kept_apart += u32::from(apart < all);
    }
    assert!(kept_apart > 4, "there are crossings to be seen: {kept_apart}");
}

#[test]
fn drawings_of_edges_show_points() {
    let puzzle = read("pieces tristicks unlimited\nboard 2x2\n", &Limits::default()).expect("a puzzle");
    let mut covers = Links::new(puzzle.problem()).into_solutions(&[]);
    let mut shown = String::new();
    puzzle.show(&covers.next().expect("a solution"), 1, &mut shown);
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[..2], ["lattice square-edges", "tiling l=L"]);
    for (line, row) in lines[2..].iter().zip(0..) {
        let is_drawn = |(column, c): (usize, char)| match (row % 2, column % 2) {
            (0, 0) => c == '+',
            (1, 1) => c == ' ',
            _ => c.is_alphabetic(),
        };
        assert!(line.chars().enumerate().all(is_drawn), "{shown}");
    }
    for text in [
        "lattice square-edges\npiece L\n#\n\n#\n #\nboard\n .\n. .\n .\n",
        "lattice square-edges\npiece L unlimited\n\n\nboard\n .\n",
    ] {
        assert!(read(text, &Limits::default()).is_err(), "a blank line ends a drawing");
    }
    check(
        "lattice square-edges\npiece L\n+\n#\n+#+\n\npiece M fixed\n #\n  #\nboard\n+.+\n. .\n+.\n",
        1,
    );
    check("lattice square-edges\npiece L\n.\n#\n.#\n\npiece M fixed\n.#\n..#\nboard\n#.\n.#.\n#.\n", 1);
}

#[test]
fn given_pieces_that_cross_make_a_puzzle_unsolvable() {
    let both = "lattice square-edges\ntiling\n  +\n  B\n+A+A+\n  B\n  +\n";
    let puzzle = read(both, &Limits::default()).expect("a drawing");
    assert_eq!(puzzle.contradiction().expect("they cross").0, "pieces A and B cross at r3c3");
    assert_eq!(Links::new(puzzle.problem()).count(puzzle.given(), &Limits::default()).solutions, 0);
    let clues =
        "lattice square-edges\npiece A\n+#+#+\n\npiece B\n+#+#+\n\nboard\n  +\n  B\n+A+A+\n  B\n  +\n";
    let puzzle = read(clues, &Limits::default()).expect("a puzzle");
    assert!(puzzle.contradiction().is_some());
    for apart in [
        "lattice square-edges\ntiling\n  +\n  A\n+A+B+\n  B\n  +\n",
        "lattice square-edges\ntiling\n  +\n  B\n+A+A+\n",
        "lattice triangular-edges\ntiling\n+ A + A +\n B B C C\n  +   +\n",
    ] {
        let puzzle = read(apart, &Limits::default()).unwrap_or_else(|error| panic!("{error}\n{apart}"));
        assert_eq!(puzzle.contradiction(), None, "{apart}");
        let count = Links::new(puzzle.problem()).count(puzzle.given(), &Limits::default());
        assert_eq!(count.solutions, 1, "{apart}");
    }
}

#[test]
fn a_drawing_with_cells_that_are_not_edges_is_an_error() {
    let expected =
        "expected an edge at a place where the lattice has one, counted from the first of the drawing";
    check_error("lattice square-edges\npiece A\n+##\n", &format!("3:3: {expected}, found `#`"));
    check_error("pieces tetrasticks\nboard\n+.+\n...\n", &format!("4:2: {expected}, found `.`"));
    check_error("pieces tritrigs\nboard\n+ . .\n", &format!("3:5: {expected}, found `.`"));
    check_error(
        "pieces tetrasticks\nboard\n++\n",
        "3:2: expected `.`, `?`, `#` or the name of a piece (FHIJLNOPRTUVWXYZ), found `+`",
    );
    check_error(
        "pieces tetrasticks\nboard 1000x1000\n",
        "2:1: drawing of 1x2003x2008 has 4022024 places, which exceeds the limit of 1048576",
    );
    check_error(
        "pieces tetrasticks\npieces dominoes\nboard 2x2\n",
        "2:8: expected pieces of the lattice square-edges, found `dominoes` of the lattice square",
    );
}
