//! Every output can be read back: listed solutions are accepted, have the ranks 0, 1, ..., and
//! differ as texts.

use crate::command::run;

/// The arguments of a puzzle, and its text unless a parameter defines it.
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
    // Adjacent copies of several pieces.
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
    // Clues of different sorts.
    read("# killer: r1c1 r1c2 = 4\n....\n....\n....\n....\n"),
    read("# digits: 0-3\n# killer: r1c1 r1c2 = 4\n....\n....\n....\n....\n"),
    read("# rows: 3\n# columns: 4\n# digits: 1-4\n# killer: r1c1 r1c2 = 3\n....\n....\n....\n"),
    read("# puzzle: overlapping\n# boxes: 2x2\n1...\n....\n...3..\n.2....\n  ....\n  .4..\n"),
    // Equal options, bounds, colors, secondary items, costs.
    read("a b c\na\na\nb c\nb c\n"),
    read("2|a b 0:2|c | x\na\na\na b\nb c x\nb c\nc\nc x\n"),
    read("A B C | X Y\nA B X:0 Y:0\nA C X:1 Y:1\nX:0 Y:1\nB X:1\nC Y:1\n"),
    read("a b\na |3\na\na b |7\nb\nb |1\n"),
    read("0011\n1100\n0000\n1100\n0010\n0001\n"),
    read("{\"A\": [1, 4], \"B\": [1, 4], \"C\": [2], \"D\": [2]}\n"),
];

#[test]
fn every_listed_solution_is_read_back() {
    for Case { args, text } in CASES {
        check(args, text);
    }
}

/// Writes the text of a puzzle to a file and returns the arguments that read it.
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

    let listed = run(&format!("list --quiet {puzzle}"), "");
    assert_eq!((listed.code, &*listed.err), (0, ""), "{text}");
    let path = folder.path().join("solutions.txt");
    std::fs::write(&path, &listed.out).expect("the folder is there");
    let path = path.display();

    // The solutions have the ranks 0, 1, ...
    let ranked = run(&format!("rank --quiet --solution {path} {puzzle}"), "");
    let mut ranks: Vec<usize> =
        ranked.out.lines().map(|line| line.parse().unwrap_or(usize::MAX)).collect();
    ranks.sort_unstable();
    assert!(ranks.iter().copied().eq(0..count), "{ranks:?}\n{}\n{}\n{text}", ranked.err, listed.out);

    // All texts differ, and each rank gives its own text.
    let json = |out: &str| -> serde_json::Value { serde_json::from_str(out).expect(out) };
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

    // Each solution is a puzzle with that solution. Solutions of covers need a line of items first.
    let first = run(&format!("solve --quiet {puzzle}"), "").out;
    let kind = json(&run(&format!("count --json {puzzle}"), "").out)["kind"].clone();
    if kind != "cover" {
        let checked = run(&format!("check --quick --json {path}"), "");
        assert_eq!(checked.out.lines().count(), count, "{}\n{}", checked.err, listed.out);
        assert!(!checked.out.contains("\"error\""), "{}\n{}", checked.out, listed.out);
        assert_eq!(checked.code, 0, "{}", checked.out);
        assert_eq!(run("solve --quiet", &first).out, first, "{text}");
    }
}
