//! Every output of the program can be read. Listed solutions are accepted as solutions, have the
//! ranks 0, 1, ..., and are different texts.

use crate::command::run;

/// The arguments of a puzzle, and its text unless a parameter defines the puzzle.
struct Case {
    args: &'static str,
    text: &'static str,
}

const fn made(args: &'static str) -> Case {
    Case { args, text: "" }
}

const fn read(text: &'static str) -> Case {
    Case { args: "", text }
}

const CASES: &[Case] = &[
    made("--puzzle queens 1"),
    made("--puzzle queens 6"),
    read("# puzzle: queens\n. . Q .\n. . . .\n. . . .\n. . . .\n"),
    read("..Q.\n....\n....\n....\n"),
    made("--puzzle langford 4"),
    made("--puzzle langford 7"),
    read("# puzzle: langford\n4 . . . . 4 . .\n"),
    made("--puzzle latin 3"),
    made("--puzzle sudoku 2x2"),
    made("--puzzle polyomino dominoes:4x4"),
    made("--puzzle polyomino tetrominoes:4x5"),
    made("--puzzle polyomino soma"),
    made("--puzzle polyomino one-sided-tetrominoes?:4x5"),
    // Boards with adjacent copies of the same piece.
    read("piece A x2\n##\n\npiece B\n##\n\nboard 2x3\n"),
    read("piece A x2\n##\n\npiece B\n###\n\npiece C\n###\n..#\n\nboard\n?????\n?????\n?????\n"),
    read("piece A unlimited\n##\n\npiece a x0-2\n#\n\npiece 1 x0-1\n##\n\nboard 3x3\n"),
    read("pieces trominoes unlimited\n\nboard 3x4\n"),
    read("pieces one-sided-tetrominoes x0-2\n\nboard 4x4\n"),
    read("pieces dominoes unlimited\npieces trominoes x1-3\n\nboard\n#...\n....\n...#\n"),
    read("pieces dominoes unlimited fixed\npieces monominoes unlimited\n\nboard 2x3x2\n"),
    read("pieces dihexes unlimited\npieces monohexes x0-3\n\nboard\n . . .\n. . . .\n . . .\n"),
    read("pieces diamonds unlimited\npieces moniamonds x2\n\nboard hexagon-2\n"),
    read("pieces disticks x1-4\npieces monosticks x0-2\n\nboard 2x2\n"),
    read("piece A x2\n##\n\npiece B x2\n##\n\nboard\nAA..\n....\n"),
    // Pieces that fit the same cells in several ways, which only their colors distinguish.
    read("piece A\n##\ncolors\nab\n\nboard 1x2\n"),
    read("piece A x2\n##\ncolors\na.\n\nboard 2x2\n"),
    read("piece A x2\n##\ncolors\nab\n\npiece B x0-1\n##\n\nboard\n...\n...\ncolors\na..\n...\n"),
    read("piece A unlimited\n##\n#.\ncolors\nab\na.\n\npieces dominoes unlimited\n\nboard 3x3\n"),
    read("piece A x0-2 fixed\n##\ncolors\nab\n\npiece B x0-2 fixed\n##\ncolors\nba\n\nboard\n..??\n"),
    read("lattice hexagonal\npiece A x2\n# #\ncolors\na b\n\nboard\n . .\n. .\n"),
    // Grids with killer clues, with other digits, and with other row and column counts.
    read("# killer: r1c1 r1c2 = 4\n....\n....\n....\n....\n"),
    read("# digits: 0-3\n# killer: r1c1 r1c2 = 4\n....\n....\n....\n....\n"),
    read("# rows: 3\n# columns: 4\n# digits: 1-4\n# killer: r1c1 r1c2 = 3\n....\n....\n....\n"),
    read("# puzzle: overlapping\n# boxes: 2x2\n1...\n....\n...3..\n.2....\n  ....\n  .4..\n"),
    // Exact covers with equal options, bounds, colors, secondary items and costs.
    read("a b c\na\na\nb c\nb c\n"),
    read("2|a b 0:2|c | x\na\na\na b\nb c x\nb c\nc\nc x\n"),
    read("A B C | X Y\nA B X:0 Y:0\nA C X:1 Y:1\nX:0 Y:1\nB X:1\nC Y:1\n"),
    read("a b\na |3\na\na b |7\nb\nb |1\n"),
    read("0011\n1100\n0000\n1100\n0010\n0001\n"),
    read("{\"A\": [1, 4], \"B\": [1, 4], \"C\": [2], \"D\": [2]}\n"),
    // Every readable form of exact covers, with equal options where they can hold them.
    read("row,a,b,c\nA,1,1,0\nB,0,0,1\nC,0,0,0\nD,1,1,0\n"),
    read("3 2\n1 2\n3\n"),
    read("4 5\n1 2\n3 4\n1 2\n3\n4\n"),
    read(" 2 3\n 4578 1 1\n 12 2 1 2\n 5 1 2\n"),
    read("< a b c >\na b;\nc;\na;\nb c;\n"),
    read("c\np xc 2 1\n1 3 0\n2 0\n1 0\n2 3 0\n"),
    read("[[1, 2], [3], [1, 2]]\n"),
    read("{'A': {1, 2}, 'B': {3}, 'C': {1}, 'D': {2, 3}}\n"),
    // Grids in formats that hold several solutions.
    read("puzzle\n1...........2...\n"),
    read("id,puzzle,why\n7,1...........2...,x\n"),
    read("# rules: diagonals\n....\n....\n....\n....\n"),
    read("1 2 . .\n. . . .\n. . . .\n. . 1 .\n"),
    read("[[0,0,3,0],\n[0,1,0,0],\n[0,0,0,0],\n[0,2,0,0]]\n"),
    read("# puzzle: variant\n# boxes: none\n# digits: 63-64\n..\n..\n"),
    read("# order: 4\n# cells: A 2\n# sum: r1c1 A1 = 4\n1...\n.2..\n....\n....\n"),
];

#[test]
fn every_listed_solution_is_accepted_as_a_solution() {
    for Case { args, text } in CASES {
        check(args, text);
    }
}

/// Writes the text of a puzzle to a file; returns the arguments that read this file.
fn arguments(folder: &tempfile::TempDir, args: &str, text: &str) -> String {
    if text.is_empty() {
        return args.to_owned();
    }
    let path = folder.path().join("puzzle.txt");
    std::fs::write(&path, text).expect("the folder is there");
    format!("{args} {}", path.display())
}

fn check(args: &str, text: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let puzzle = arguments(&folder, args, text);
    let count = run(&format!("count --quiet {puzzle}"), "").out;
    let count: usize = count.trim().parse().expect(&puzzle);
    assert!(count > 0, "{puzzle}\n{text}");

    let json = |out: &str| -> serde_json::Value { serde_json::from_str(out).expect(out) };
    let listed = run(&format!("list --quiet {puzzle}"), "");
    assert_eq!((listed.code, &*listed.err), (0, ""), "{text}");
    // In every output format, all listed solutions are accepted and have the ranks 0, 1, ...
    let kind = json(&run(&format!("count --json {puzzle}"), "").out)["kind"].clone();
    for form in ["", "--option-numbers", "--json", "--json --option-numbers"] {
        if form.contains("numbers") && kind != "cover" {
            continue;
        }
        let listed = run(&format!("list --quiet {form} {puzzle}"), "").out;
        let path = folder.path().join("form.txt");
        std::fs::write(&path, &listed).expect("the folder is there");
        let path = path.display();
        let ranked = run(&format!("rank --quiet --solution {path} {puzzle}"), "");
        let mut ranks: Vec<usize> =
            ranked.out.lines().map(|line| line.parse().unwrap_or(usize::MAX)).collect();
        ranks.sort_unstable();
        assert!(ranks.iter().copied().eq(0..count), "{ranks:?}\n{}\n{listed}\n{text}", ranked.err);
        let checked = run(&format!("check --quiet --solution {path} {puzzle}"), "");
        assert_eq!((checked.out, checked.code), ("a solution\n".repeat(count), 0), "{listed}\n{text}");
        // A cover can be checked only together with its problem.
        if kind != "cover" {
            let checked = run("check --quick", &listed);
            assert_eq!(
                (checked.out.lines().count(), checked.code),
                (count, 0),
                "{listed}{}",
                checked.err
            );
            assert!(!checked.out.contains("error"), "{listed}{}", checked.out);
        }
    }

    // All texts are different, and each rank gives its own text.
    let texts = json(&run(&format!("list --json {puzzle}"), "").out)["solutions"].clone();
    let texts: Vec<String> = serde_json::from_value(texts).expect("texts");
    let distinct: std::collections::BTreeSet<&String> = texts.iter().collect();
    assert_eq!(distinct.len(), count, "{}\n{text}", listed.out);
    for number in [0, count / 2, count - 1] {
        let shown = run(&format!("unrank --quiet {number} {puzzle}"), "").out;
        std::fs::write(folder.path().join("one.txt"), &shown).expect("the folder is there");
        let one = folder.path().join("one.txt");
        let ranked = run(&format!("rank --quiet --solution {} {puzzle}", one.display()), "");
        assert_eq!(ranked.out, format!("{number}\n"), "{shown}\n{text}");
    }

    // Each solution, read as a puzzle, has itself as its solution.
    if kind != "cover" {
        let first = run(&format!("solve --quiet {puzzle}"), "").out;
        assert_eq!(run("solve --quiet", &first).out, first, "{text}");
    }
}

#[test]
fn solutions_are_checked_with_their_puzzle() {
    let folder = tempfile::tempdir().expect("a folder");
    let puzzle = arguments(&folder, "", "a b c\na\nb c\na b\nc\nb\n");
    let check = |solutions: &str, out: &str, code: i32| {
        let ran = run(&format!("check --solution - {puzzle}"), solutions);
        assert_eq!((ran.out.as_str(), ran.code), (out, code), "{solutions}{}", ran.err);
    };
    check("a\nb c\n\na b\nc\n", "a solution\na solution\n", 0);
    // The covers have too few options, overlapping options, and an option of another problem.
    check("a\n\na\na b\nc\n\na d\n", &"not a solution\n".repeat(3), 1);
    let queens = "check --solution - --puzzle queens 4";
    let listed = run("list --puzzle queens 4", "").out;
    let ran = run(queens, &listed.replacen(". . Q .", "Q . . .", 1));
    assert_eq!((ran.out.as_str(), ran.code), ("not a solution\na solution\n", 1), "{}", ran.err);
    let ran = run("check --solution -", "1...............\n");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("found both on standard input"), "{}", ran.err);
}

#[test]
fn a_file_without_solutions_is_refused() {
    for (solved, solutions) in [
        ("a b\na\nb\n", ""),
        ("a b\na\nb\n", "\n\n"),
        ("a b\na\n", "{\"puzzle\":1,\"kind\":\"cover\",\"solutions\":[]}\n"),
        ("1...............\n", ""),
        ("# puzzle: queens\n....\n....\n....\n....\n", ""),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let puzzle = arguments(&folder, "", solved);
        for command in ["check", "rank"] {
            let ran = run(&format!("{command} --solution - {puzzle}"), solutions);
            assert_eq!((&*ran.out, ran.code), ("", 2), "{command} {solutions}");
            assert!(ran.err.contains("expected "), "{command} {solutions}{}", ran.err);
        }
    }
}

#[test]
fn listed_covers_without_their_problem_get_a_hint() {
    for text in ["a b c\na b\nc\na\nb c\n", "a b\na |3\nb\n"] {
        let listed = run("list", text).out;
        let ran = run("check", &listed);
        assert_eq!(ran.code, 2, "{listed}");
        assert!(ran.err.contains("`check --solution FILE PROBLEM`"), "{}", ran.err);
    }
    assert!(!run("check", "hello world\n").err.contains("--solution"));
}

#[test]
fn covers_in_json_are_refused_without_their_problem() {
    let listed = run("list --json", "a b\na\nb\n").out;
    let ran = run("check", &listed);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.starts_with("standard input:1:1: expected solutions that are puzzles, found covers"),
        "{}",
        ran.err
    );
}

#[test]
fn generated_puzzles_are_read_as_the_same_puzzles() {
    for made in [
        "sudoku",
        "sudoku 2x3",
        "latin 5",
        "queens 6",
        "polyomino 3x20",
        "--rules diagonals sudoku 2x2",
        "--killer sudoku 2x2",
        "--killer latin 4",
        "--jigsaw sudoku 5",
        "--to rows sudoku 2x2",
        "--to csv sudoku",
        "--pieces 4 polyomino",
    ] {
        for form in ["", "--json"] {
            let made = run(&format!("generate -n 2 --seed 3 {form} {made}"), "");
            assert_eq!(made.code, 0, "{}", made.err);
            let checked = run("check", &made.out);
            assert_eq!(checked.code, 0, "{}{}", checked.err, made.out);
            let words: Vec<&str> = checked.out.lines().collect();
            assert_eq!(words.len(), 2, "{words:?}{}", made.out);
            assert!(
                words.iter().all(|words| words.contains(": one solution")),
                "{words:?}{}",
                made.out
            );
            let solved = run("solve --quiet", &made.out);
            assert_eq!(solved.code, 0, "{}{}", solved.err, made.out);
        }
    }
}

#[test]
fn files_of_shards_are_read_by_work_and_merge() {
    for Case { args, text } in CASES {
        let folder = tempfile::tempdir().expect("a folder");
        let puzzle = arguments(&folder, args, text);
        let count = run(&format!("count --quiet {puzzle}"), "").out;
        let shards = run(&format!("split --shards 7 {puzzle}"), "");
        assert_eq!(shards.code, 0, "{}{text}", shards.err);
        let worked = run("work --quiet", &shards.out);
        assert_eq!(worked.code, 0, "{}{text}", worked.err);
        // The results of shards can be merged in any order.
        let (head, rest) = worked.out.split_once('\n').expect("a head");
        let lines: Vec<&str> = rest.lines().rev().collect();
        for text in [worked.out.clone(), format!("{head}\n{}\n", lines.join("\n"))] {
            let merged = run("merge", &text);
            assert_eq!((merged.out, merged.code), (count.clone(), 0), "{}{text}", merged.err);
        }
    }
}
