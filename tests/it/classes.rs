//! Tests of `--up-to-symmetry` with the commands `count`, `list` and `solve`.

use std::collections::{BTreeMap, BTreeSet};

use crate::command::{run, sample};

/// Checks that `count` finds the number of classes by Burnside's lemma, without listing solutions.
#[track_caller]
fn check(puzzle: &str, expected: &str) {
    let ran = run(&format!("count --up-to-symmetry --stats {puzzle}"), "");
    assert_eq!(ran.out, format!("{expected}\n"), "{puzzle}");
    assert!(ran.err.contains("engine burnside"), "{puzzle}: {}", ran.err);
}

/// Checks that three numbers agree: the count by Burnside's lemma, a count that visits all
/// solutions, and the length of the list.
#[track_caller]
fn check_both_ways(puzzle: &str, text: &str) {
    for group in ["", "=rotations"] {
        let run = |args: &str| run(&format!("{args} --up-to-symmetry{group} {puzzle}"), text);
        let (counted, listed) = (run("count"), run("count --limit 1000000 --stats"));
        assert_eq!(counted.out, listed.out, "{puzzle} {text}: {}", listed.err);
        assert!(listed.err.contains(" the first under "), "{}", listed.err);
        let shown = run("list --json");
        let shown: serde_json::Value = serde_json::from_str(&shown.out).expect("an object");
        let solutions = shown["solutions"].as_array().map_or(0, Vec::len);
        assert_eq!(format!("{solutions}\n"), counted.out, "{puzzle} {text}");
    }
}

#[test]
fn the_known_class_counts_are_found() {
    // The class counts of queens problems are OEIS A002562.
    for (size, count) in [(4, 1), (5, 2), (6, 1), (7, 6), (8, 12), (9, 46), (10, 92), (12, 1787)] {
        check(&format!("--puzzle queens {size}"), &count.to_string());
    }
    // The numbers are from Golomb, Polyominoes, from Conway and Guy for the Soma cube, and from
    // Knuth for hexiamonds and tetrahexes.
    check("--puzzle polyomino 3x20", "2");
    check("--puzzle polyomino 4x15", "368");
    check("--puzzle polyomino 5x12", "1010");
    check("puzzles/polyomino/scott.poly", "65");
    check("--puzzle polyomino soma", "240");
    check("puzzles/polyomino/slothouber-graatsma.poly", "1");
    check("--puzzle polyomino tetrahexes:rhombus-4x7", "9");
    check("--puzzle polyomino hexiamonds:rhombus-6x6", "156");
    // The number is from D. Goodger, Polyform Puzzler.
    check("puzzles/polyomino/welded-tetrasticks.poly", "3");
    // The 52 solutions of Langford's problem for n = 7 form 26 pairs of mirror images.
    check("--puzzle langford 7", "26");
    // These puzzles have far too many classes to list.
    check("--puzzle polyomino dominoes:8x8", "1629189");
    check("--puzzle latin 5", "20340");
    let mirrored = run("count --up-to-symmetry=rotations --puzzle polyomino soma", "");
    assert_eq!(mirrored.out, "480\n");
}

#[test]
fn counts_and_lists_of_classes_agree() {
    let puzzles = [
        "polyomino dominoes:4x4",
        "polyomino dominoes:3x4",
        "polyomino dominoes:2x2x3",
        "polyomino trominoes:3x4",
        "polyomino one-sided-tetrominoes:4x4",
        "polyomino tetrahexes:rhombus-4x7",
        "polyomino disticks:2x2",
        "polyomino one-sided-tristicks:2x2",
        "polyomino ditrigs:hexagon-1",
        "polyomino tritwigs:hexagon-2",
        "polyomino trihexes:hexagon-2",
        "polyomino dihexes:rhombus-4x4",
        "polyomino diamonds:hexagon-2",
        "polyomino triamonds:triangle-6",
        "polyomino tetriamonds:rhombus-4x4",
        "polyomino fixed-dominoes:4x4",
        "queens 6",
        "queens 7",
        "latin 3",
        "latin 4",
        "sudoku 2x2",
        "langford 7",
    ];
    for puzzle in sample(puzzles, 8) {
        check_both_ways(&format!("--puzzle {puzzle}"), "");
    }
    for text in [
        // A bounded number of copies whose orbits have one or two placements needs several
        // problems.
        "pieces dominoes x8\nboard 4x4\n",
        "pieces dominoes x2-6\npieces monominoes x2-8\nboard 3x4\n",
        "pieces dominoes x0-3\nboard\n???\n???\n???\n",
        "pieces dominoes unlimited\nboard\n????\n????\n????\n",
        "pieces trominoes x1-3\npieces dominoes x1-4\nboard 3x4\n",
        // Boards with a clue in the middle, with a clue at the border, and with colors.
        "pieces dominoes unlimited\nboard\n....\n.DD.\n....\n",
        "pieces dominoes unlimited\nboard\nDD..\n....\n....\n....\n",
        "piece D unlimited\n##\ncolors\nbw\nboard\n....\n....\ncolors\nbwbw\nwbwb\n",
        // Two pieces that are mirror images of each other, then two pieces of the same shape.
        "piece S rotate\n.##\n##.\npiece Z rotate\n##.\n.##\npieces monominoes unlimited\nboard 3x4\n",
        "piece S rotate\n.##\n##.\npieces monominoes unlimited\nboard 3x4\n",
        "piece A\n##\npiece B\n##\npieces monominoes unlimited\nboard 3x3\n",
        "piece A fixed\n##\npieces monominoes unlimited\nboard 3x3\n",
        "pieces dominoes unlimited\nboard\n..\n ..\n",
        "pieces trihexes x2\n\nboard\n  . . .\n . . . .\n. . # . .\n . . . .\n  . . .\n",
        "pieces tetriamonds unlimited\nboard triangle-4\n",
    ] {
        check_both_ways("--puzzle polyomino", text);
    }
    // These clues are preserved by some of the symmetries.
    check_both_ways("--puzzle queens", ".Q....\n......\n......\n......\n......\n....Q.\n");
    check_both_ways("--puzzle latin", "1...\n.1..\n..1.\n...1\n");
    check_both_ways("--puzzle sudoku", "1...\n....\n....\n...1\n");
}

#[test]
fn each_class_of_solutions_is_listed_once_within_the_limits() {
    let listed = run("list --up-to-symmetry --puzzle queens 6", "");
    assert_eq!(listed.out.matches('Q').count(), 6);
    let solved = run("solve --up-to-symmetry --limit 3 --puzzle queens 8", "");
    assert_eq!((solved.out.matches('Q').count(), solved.code), (24, 0));
    let cut = run("count --up-to-symmetry --limit 5 --puzzle queens 8", "");
    assert_eq!((&*cut.out, cut.code), ("5+\n", 0));
    let late = run("count --up-to-symmetry --time 0 --puzzle latin 8", "");
    assert_eq!((&*late.out, late.code), ("0+\n", 3));
    let none = run("list --up-to-symmetry --puzzle queens 3", "");
    assert_eq!((&*none.out, none.code), ("no solution\n", 1));
}

#[test]
fn the_symmetries_of_an_exact_cover_are_found() {
    // All 30 Steiner triple systems of 7 points are isomorphic.
    let systems = "count --up-to-symmetry --stats puzzles/cover/steiner-7.dlx";
    let ran = run(systems, "");
    assert_eq!((&*ran.out, ran.code), ("1\n", 0), "{}", ran.err);
    assert!(ran.err.contains("burnside (5040 symmetries leave unchanged 1x30 + "), "{}", ran.err);
    let listed = run("list --up-to-symmetry puzzles/cover/steiner-7.dlx", "");
    assert_eq!((listed.out.trim().lines().count(), listed.code), (7, 0), "{}", listed.out);
    // The queens problem as an exact cover has the symmetries of the board.
    let board = run("convert --to dlx --puzzle queens 7", "").out;
    assert_eq!(run("count --up-to-symmetry", &board).out, "6\n");
    let ran = run("count --up-to-symmetry --stats puzzles/cover/steiner-9.dlx", "");
    assert_eq!((&*ran.out, ran.code), ("0+\n", 3), "{}", ran.err);
    assert!(ran.err.contains("there are more symmetries than 10000"), "{}", ran.err);
    let ran = run("count --up-to-symmetry=rotations puzzles/cover/steiner-7.dlx", "");
    assert_eq!((&*ran.out, ran.code), ("error\n", 2));
    assert!(ran.err.contains("puzzles of the kind cover have no rotations"), "{}", ran.err);
}

#[test]
fn puzzles_with_unknown_symmetries_are_refused() {
    let ran = run("count --up-to-symmetry=half --puzzle queens 6", "");
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("expected one of all, rotations, isomorphism, isotopy, main-classes"),
        "{}",
        ran.err
    );
}

#[test]
fn a_list_of_classes_visits_only_part_of_the_solutions() {
    let nodes = |args: &str, puzzle: &str| {
        let ran = run(&format!("list --threads 1 --json --puzzle {args} {puzzle}"), "");
        let object: serde_json::Value = serde_json::from_str(&ran.out).expect("an object");
        let solutions = object["solutions"].as_array().map_or(0, Vec::len);
        (object["nodes"].as_u64().expect("a number"), solutions)
    };
    for (puzzle, classes) in [("polyomino 4x15", 368), ("polyomino soma", 240), ("queens 10", 92)] {
        let (all, _) = nodes(puzzle, "");
        let (some, shown) = nodes(puzzle, "--up-to-symmetry");
        assert_eq!(shown, classes, "{puzzle}");
        assert!(4 * some < 3 * all, "{puzzle}: {some} of {all} nodes");
    }
    let ran = run("list --stats --up-to-symmetry --puzzle polyomino 3x20", "");
    assert!(ran.err.contains(" options of `"), "{}", ran.err);
    // With a node limit, the list comes from a single search.
    let ran = run("list --stats --nodes 1000000 --up-to-symmetry --puzzle polyomino 3x20", "");
    assert!(ran.err.contains("of all solutions the first under"), "{}", ran.err);
}

#[test]
fn latin_squares_are_counted_up_to_isomorphism_isotopy_and_conjugacy() {
    // The numbers are OEIS A057991, A040082 and A003090.
    for (sort, counts) in [
        ("isomorphism", [1_u64, 1, 5, 35, 1411, 1_130_531, 12_198_455_835]),
        ("isotopy", [1, 1, 1, 2, 2, 22, 564]),
        ("main-classes", [1, 1, 1, 2, 2, 12, 147]),
    ] {
        for (order, count) in (1..).zip(counts) {
            let counted = run(&format!("count --up-to-symmetry={sort} --puzzle latin {order}"), "");
            assert_eq!(counted.out, format!("{count}\n"), "{sort} {order}: {}", counted.err);
        }
        // A grid without clues is read as an empty Latin square.
        let counted = run(&format!("count --up-to-symmetry={sort} --puzzle latin"), "...\n...\n...\n");
        assert_eq!(counted.out, format!("{}\n", counts[2]), "{}", counted.err);
    }
    let shown = run("count --stats --up-to-symmetry=main-classes --puzzle latin 6", "");
    let stats = "2239488000 symmetries in 418 classes of conjugates, of which ";
    assert!(shown.err.contains(stats), "{}", shown.err);
}

#[test]
fn main_classes_require_an_empty_latin_square() {
    let only = "have these symmetries only if they are empty Latin squares of orders 1 to 9";
    for (args, input) in [
        ("--puzzle latin 10", ""),
        ("--puzzle latin", "1..\n...\n...\n"),
        ("--puzzle sudoku 4", ""),
        ("--puzzle latin --rules diagonals 5", ""),
        ("--puzzle queens 6", ""),
    ] {
        let counted = run(&format!("count --up-to-symmetry=isotopy {args}"), input);
        assert!(counted.err.contains(only), "{args}: {}", counted.err);
        assert_eq!((counted.code, counted.out.trim()), (2, "error"), "{args}");
    }
    let listed = run("list --up-to-symmetry=main-classes --puzzle latin 10", "");
    assert_eq!(listed.code, 2);
    assert!(listed.err.contains(only), "{}", listed.err);
    let nodes = run("list --up-to-symmetry=main-classes --nodes 5 --puzzle latin 5", "");
    assert!(nodes.err.contains("have no nodes up to these symmetries"), "{}", nodes.err);
    assert_eq!(nodes.code, 2);
    let named = run("count --up-to-symmetry=species --puzzle latin 4", "");
    assert!(
        named.err.contains("expected one of all, rotations, isomorphism, isotopy, main-classes"),
        "{}",
        named.err
    );
    let timed = run("count --up-to-symmetry=main-classes --time 0 --puzzle latin 8", "");
    assert_eq!(timed.code, 3, "{}{}", timed.out, timed.err);
}

type Square = Vec<Vec<usize>>;

/// Returns the squares that `list` prints.
fn squares(args: &str) -> Vec<Square> {
    let listed = run(&format!("list --up-to-symmetry={args}"), "");
    assert_eq!(listed.code, 0, "{args}: {}", listed.err);
    let grids = listed.out.trim().split("\n\n");
    let row = |line: &str| {
        line.chars().filter_map(|c| c.to_digit(10)).map(|digit| digit as usize - 1).collect()
    };
    grids.map(|grid| grid.lines().map(row).collect()).collect()
}

fn is_latin(square: &Square) -> bool {
    let all: Vec<usize> = (0..square.len()).collect();
    let is_whole = |line: Vec<usize>| {
        let mut line = line;
        line.sort_unstable();
        line == all
    };
    all.iter()
        .all(|&at| is_whole(square[at].clone()) && is_whole(square.iter().map(|row| row[at]).collect()))
}

fn next_permutation(order: &mut [usize]) -> bool {
    let Some(turn) = (1..order.len()).rev().find(|&at| order[at - 1] < order[at]) else { return false };
    let other =
        (turn..order.len()).rev().find(|&at| order[turn - 1] < order[at]).expect("the one at the turn");
    order.swap(turn - 1, other);
    order[turn..].reverse();
    true
}

/// Returns the least square isotopic to `square`. Each row is tried as the first one, with each
/// order of the columns. This determines the symbols, and the other rows are sorted.
fn least_isotope(square: &Square) -> Square {
    let size = square.len();
    let (mut best, mut number, mut row_at): (Square, _, _) = (Vec::new(), [0; 8], [0; 8]);
    for first in square {
        let mut columns: Vec<usize> = (0..size).collect();
        loop {
            (0..size).for_each(|at| number[first[columns[at]]] = at);
            (0..size).for_each(|row| row_at[number[square[row][columns[0]]]] = row);
            let made = |place: usize, at: usize| number[square[row_at[place]][columns[at]]];
            let cells = (0..size * size).map(|cell| (cell / size, cell % size));
            let differs = |&(place, at): &(usize, usize)| made(place, at) != best[place][at];
            let is_less = best.is_empty()
                || cells
                    .clone()
                    .find(differs)
                    .is_some_and(|(place, at)| made(place, at) < best[place][at]);
            if is_less {
                best = (0..size).map(|place| (0..size).map(|at| made(place, at)).collect()).collect();
            }
            if !next_permutation(&mut columns) {
                break;
            }
        }
    }
    best
}

/// Returns the conjugate of `square` whose rows, columns and symbols take the roles given by
/// `part`.
fn conjugate(square: &Square, part: [usize; 3]) -> Square {
    let size = square.len();
    let mut conjugate = vec![vec![0; size]; size];
    for (row, column) in (0..size * size).map(|cell| (cell / size, cell % size)) {
        let triple = [row, column, square[row][column]];
        conjugate[triple[part[0]]][triple[part[1]]] = triple[part[2]];
    }
    conjugate
}

fn least_of_main_class(square: &Square) -> Square {
    let parts = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let least = parts.map(|part| least_isotope(&conjugate(square, part)));
    least.into_iter().min().expect("there are six")
}

/// Returns the sorted cycle lengths of the permutations that map one row to another, for all pairs
/// of rows; also returns the same lengths for columns and for symbols. Isotopisms preserve all
/// these lengths.
fn cycles(square: &Square) -> [Vec<Vec<usize>>; 3] {
    let lengths = |from: &[usize], to: &[usize]| {
        let mut lengths = Vec::new();
        let mut is_seen = vec![false; from.len()];
        for first in 0..from.len() {
            let (mut at, mut length) = (first, 0);
            while !is_seen[at] {
                is_seen[at] = true;
                at =
                    from.iter().position(|&symbol| symbol == to[at]).expect("each row has each symbol");
                length += 1;
            }
            lengths.extend((length > 0).then_some(length));
        }
        lengths.sort_unstable();
        lengths
    };
    [[0, 1, 2], [1, 0, 2], [2, 1, 0]].map(|part| {
        let square = conjugate(square, part);
        let pairs = (0..square.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        let mut all: Vec<_> = pairs.map(|(a, b)| lengths(&square[a], &square[b])).collect();
        all.sort_unstable();
        all
    })
}

/// Returns the least square isomorphic to `square`. An isomorphism applies the same permutation to
/// rows, columns and symbols.
fn least_isomorph(square: &Square) -> Square {
    let size = square.len();
    let mut images: Vec<usize> = (0..size).collect();
    let mut best = square.clone();
    loop {
        let mut made = vec![vec![0; size]; size];
        for (row, column) in (0..size * size).map(|cell| (cell / size, cell % size)) {
            made[images[row]][images[column]] = images[square[row][column]];
        }
        best = best.min(made);
        if !next_permutation(&mut images) {
            return best;
        }
    }
}

#[test]
fn one_latin_square_of_each_class_is_listed() {
    // The numbers are OEIS A003090, A040082 and A057991.
    for (sort, counts, least) in [
        ("main-classes", &[1, 1, 1, 2, 2, 12, 147][..], least_of_main_class as fn(&Square) -> Square),
        ("isotopy", &[1, 1, 1, 2, 2, 22, 564], least_isotope),
        ("isomorphism", &[1, 1, 5, 35, 1411], least_isomorph),
    ] {
        // The largest order takes seconds.
        let orders = counts.len() - usize::from(cfg!(not(feature = "slow-tests")));
        for (order, &count) in (1..).zip(&counts[..orders]) {
            let listed = squares(&format!("{sort} --puzzle latin {order}"));
            assert_eq!(listed.len(), count, "{sort} {order}");
            assert!(
                listed.iter().all(|square| square.len() == order && is_latin(square)),
                "{sort} {order}"
            );
            // No two squares of the list are equivalent. Their cycle lengths are invariants and
            // distinguish most of them.
            let mut alike: BTreeMap<_, Vec<&Square>> = BTreeMap::new();
            for square in &listed {
                let mut cycles = cycles(square);
                if sort == "main-classes" {
                    cycles.sort_unstable();
                }
                alike.entry(cycles).or_default().push(square);
            }
            for squares in alike.values().filter(|squares| squares.len() > 1) {
                let classes: BTreeSet<Square> = squares.iter().map(|square| least(square)).collect();
                assert_eq!(classes.len(), squares.len(), "{sort} {order}");
            }
        }
    }
}

#[test]
fn limits_stop_a_list_of_latin_squares() {
    let few = squares("main-classes --limit 3 --puzzle latin 6");
    assert_eq!(few[..], squares("main-classes --puzzle latin 6")[..3]);
    // The first squares of order 8 are listed at once.
    assert_eq!(squares("isotopy --limit 2 --puzzle latin 8").len(), 2);
    let solved = run("solve --up-to-symmetry=isomorphism --puzzle latin 8", "");
    assert_eq!((solved.code, solved.out.lines().count()), (0, 8), "{solved:?}");
    let counted = run("count --limit 100 --up-to-symmetry=isomorphism --puzzle latin 6", "");
    assert_eq!((counted.code, counted.out.as_str()), (0, "100+\n"), "{counted:?}");
    let counted = run("count --limit 1000 --up-to-symmetry=isotopy --json --puzzle latin 6", "");
    assert!(
        counted.out.contains(r#""engine":"rectangles","count":"22","complete":true"#),
        "{counted:?}"
    );
    let late = run("list --up-to-symmetry=isotopy --time 0.2 --puzzle latin 9", "");
    assert_eq!(late.code, 3, "{}", late.err);
    let text = run("list --up-to-symmetry=main-classes --puzzle latin", "....\n....\n....\n....\n");
    assert_eq!((text.code, text.out.trim().split("\n\n").count()), (0, 2), "{text:?}");
}
