//! The commands `explain`, `hint` and `rate`: logical steps with their names and scores, and the
//! ends of explanations.

use dlx::explain::{Explainer, ExplanationEnd, Settings};
use dlx::trust::check_explanation;
use dlx::{Engine, Limits};
use farandole::stream::{Stream, StreamHints};
use serde_json::Value;

use crate::command::{check, command, finish, run, shipped_puzzles};

/// A puzzle that needs naked and hidden singles, locked candidates and a chain.
const MIDDLING: &str =
    "....5.7.9..6.8..2.7.91....62.........37..2..4..8..7....6..91......6..5..9.1.7..38";
const SOLVED: &str =
    "123456789456789123789123456214368975537912864698547312365891247872634591941275638";

/// Returns the steps in the explanation of a puzzle.
fn steps(args: &str, input: &str) -> Vec<Value> {
    let ran = run(&format!("explain --json {args}"), input);
    let object: Value =
        serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    object["steps"].as_array().expect("steps").clone()
}

#[test]
fn a_sudoku_is_explained_to_its_solution() {
    let ran = run("explain", MIDDLING);
    assert_eq!(ran.code, 0, "{ran:?}");
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines[0], "1. hidden single (1.2): 6 has one cell left in box 2: r1c6=6");
    assert_eq!(lines.last(), Some(&SOLVED));
    let summary = lines[lines.len() - 2];
    assert!(summary.ends_with(", the hardest: skyscraper (6.2)"), "{summary}");
    let pointing = "pointing (2.6): In box 9, 4 stands only in row 7, so row 7 has no other 4: \
                    r7c1<>4 r7c3<>4 r7c4<>4\n";
    assert!(ran.out.contains(pointing), "{ran:?}");
    check("rate", MIDDLING, "6.2 skyscraper\n", 0);
    check("hint", MIDDLING, "hidden single (1.2): 6 has one cell left in box 2: r1c6=6\n", 0);
}

/// Writes a grid in which every cell has all candidates except the listed ones.
fn marked(marks: &[(usize, &str)]) -> String {
    let mut cells = ["123456789"; 81];
    marks.iter().for_each(|&(cell, symbols)| cells[cell] = symbols);
    let rows: Vec<String> = cells.chunks(9).map(|row| row.join(" ")).collect();
    rows.join("\n") + "\n"
}

#[test]
fn steps_of_sudoku_have_their_usual_names() {
    for (start, marks) in [
        ("naked pair (3.0): ", vec![(0, "12"), (4, "12")]),
        ("locked pair (2.9): ", vec![(0, "12"), (1, "12")]),
        ("naked triple (3.6): ", vec![(0, "12"), (3, "23"), (6, "13")]),
        ("XY-wing (4.2): ", vec![(0, "12"), (4, "13"), (36, "23")]),
        ("naked quadruple (5.0): ", vec![(0, "12"), (3, "23"), (6, "34"), (8, "14")]),
    ] {
        let ran = run("hint", &marked(&marks));
        assert!(ran.out.starts_with(start), "{start}: {ran:?}");
    }
}

#[test]
fn a_step_has_all_eliminations_of_its_pattern() {
    // The pair lies in row 1 and in box 1.
    let ran = run("hint", &marked(&[(0, "12"), (1, "12")]));
    for gone in ["r1c9<>1", "r1c9<>2", "r3c3<>1", "r3c3<>2"] {
        assert!(ran.out.contains(gone), "{gone}: {ran:?}");
    }
    // The pincers r5c2 and r4c9 see each other's row and box.
    let ran = run("hint", &marked(&[(27, "12"), (37, "13"), (35, "23")]));
    assert!(ran.out.starts_with("XY-wing (4.2): "), "{ran:?}");
    for gone in ["r4c2<>3", "r4c3<>3", "r5c7<>3", "r5c8<>3", "r5c9<>3"] {
        assert!(ran.out.contains(gone), "{gone}: {ran:?}");
    }
}

#[test]
fn a_chain_is_printed_node_by_node() {
    // Cells with two candidates in a ring of rows and columns.
    let marks = [(0, "12"), (4, "23"), (40, "34"), (44, "45"), (80, "15")];
    let ran = run("hint", &marked(&marks));
    let chain = "(1)r1c1=(2)r1c1-(2)r1c5=(3)r1c5-(3)r5c5=(4)r5c5-(4)r5c9=(5)r5c9-(5)r9c9=(1)r9c9";
    let reversed: String =
        "(1)r9c9=(5)r9c9-(5)r5c9=(4)r5c9-(4)r5c5=(3)r5c5-(3)r1c5=(2)r1c5-(2)r1c1=(1)r1c1".into();
    assert!(ran.out.starts_with("XY-chain ("), "{ran:?}");
    assert!(ran.out.contains(chain) || ran.out.contains(&reversed), "{ran:?}");
    assert!(ran.out.contains("r9c1<>1") && ran.out.contains("r1c9<>1"), "{ran:?}");
    let step = &hint_of(&marked(&marks));
    let nodes = step["chains"][0]["nodes"].as_array().expect("nodes");
    assert_eq!(nodes.len(), 10, "{step}");
    assert_eq!(nodes.iter().filter(|node| node["on"] == true).count(), 5, "{step}");
}

/// Returns the next step as JSON.
fn hint_of(input: &str) -> Value {
    let ran = run("hint --json", input);
    let object: Value =
        serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    object["step"].clone()
}

#[test]
fn a_long_proof_is_printed_only_when_asked_for() {
    for path in shipped_puzzles().iter().filter(|path| path.starts_with("puzzles/sudoku")) {
        let ran = run(&format!("hint --time 20 {}", path.display()), "");
        let lines = ran.out.lines().filter(|line| line.contains("): ")).count();
        assert!(lines <= ran.out.lines().count(), "{ran:?}");
        assert!(ran.out.lines().all(|line| line.len() < 12 * 120 + 100), "{}: {ran:?}", path.display());
    }
    // Two pigeons fit in no hole of a queens' board of order 6 with these clues, by a case split.
    let cover = "a b c d e\na b\nb c\nc d\nd e\na e\na c\nb d\n";
    let ran = run("explain --full", cover);
    let short = run("explain", cover);
    assert!(short.out.lines().count() <= ran.out.lines().count(), "{ran:?}");
}

#[test]
fn techniques_that_assume_one_solution_are_used_when_asked_for() {
    // Two pairs 12 in two boxes, and a fourth corner with one more candidate.
    let marks = [(0, "12"), (3, "12"), (9, "12"), (12, "123")];
    let without = run("hint", &marked(&marks));
    assert!(!without.out.starts_with("unique rectangle"), "{without:?}");
    assert!(hint_of(&marked(&[])).is_null(), "an empty grid has no step");
}

#[test]
fn a_step_of_a_variant_names_its_clue() {
    let grid = "....\n....\n....\n....\n";
    let ran = run("hint", &format!("# thermo: r4c1 r3c1 r3c2\n{grid}"));
    let expected = "thermo (1.8): thermo r4c1 r3c1 r3c2 leaves 23 in r3c1, 34 in r3c2, 12 in r4c1: ";
    assert!(ran.out.starts_with(expected), "{ran:?}");
    let step = hint_of(&format!("# killer: r1c1 r1c2 = 3\n{grid}"));
    assert_eq!(step["clue"], "killer: r1c1 r1c2 = 3", "{step}");
    assert_eq!(step["name"], "killer", "{step}");
}

#[test]
fn a_step_that_combines_clues_says_what_follows_and_names_them() {
    let cases = [
        (
            "mixture",
            "In box 3, 8 stands only in killer r1c8 r1c9 r2c8 r2c9 = 26: not {4 6 7 9} in the cage",
        ),
        (
            "mixture",
            "If r6c7=5, then r1c7=4 (only candidate), r7c8=6 (killer r5c8 r6c7 r6c8 r7c8 = 17); then r7c7 has ",
        ),
        (
            "thermo",
            "If r3c3=8, then r7c3=9 (only candidate); then r2c3 has no candidate left (thermo r4c2 r5c3 ",
        ),
        (
            "thermo",
            "If r8c1=6, then r8c2=4 (box 7), r5c1=5 (only candidate), r7c1=5 (box 7; thermo r9c3 ",
        ),
        (
            "mixture",
            "Suppose {1 6 9} in the cage r8c8 r8c9 r9c8: then r9c9=2 (box 9; killer r8c8 r8c9 r9c8 = 16); ",
        ),
        ("mixture", "rule of 45 r1c7 r2c7 r3c7 r3c8 r3c9 = 19 needs 4, which it has only in box 3: "),
    ];
    for (file, expected) in cases {
        let ran = run(&format!("explain --time 60 puzzles/variant/{file}.txt"), "");
        assert!(ran.out.contains(expected), "{expected}: {ran:?}");
    }
    let ran = run("explain --json --time 60 puzzles/variant/thermo.txt", "");
    assert!(
        ran.out.contains("\"why\":\"If r3c3=8, then r7c3=9 (only candidate); then r2c3"),
        "{ran:?}"
    );
}

#[test]
fn no_explanation_of_a_variant_contains_the_name_of_an_inner_item() {
    // Items of clues are a letter, a number, and further numbers: `k31.1s9`, `p14s3`, `l28.5`.
    let is_inner = |word: &str| {
        let rest = word.strip_prefix(['k', 'l', 'p', 'v', 'x']).unwrap_or("");
        rest.starts_with(|first: char| first.is_ascii_digit()) || rest.starts_with("r1")
    };
    for file in ["arrow", "killer", "kropki", "mixture", "sandwich", "thermo"] {
        let ran = run(&format!("explain --json --time 60 puzzles/variant/{file}.txt"), "");
        let mut words = ran.out.split(|letter: char| !letter.is_ascii_alphanumeric());
        assert_eq!(words.find(|word| is_inner(word)), None, "{file}");
    }
}

#[test]
fn a_step_on_pieces_speaks_of_holes() {
    let ran = run("hint --puzzle polyomino 6x10", "");
    assert!(ran.out.starts_with("hole ("), "{ran:?}");
    assert!(ran.out.contains("leaves a hole at r"), "{ran:?}");
}

#[test]
fn every_step_has_a_picture_of_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().display();
    let ran = run(&format!("explain --svg {path}/steps/ --html {path}/sheet.html"), MIDDLING);
    assert_eq!(ran.code, 0, "{ran:?}");
    let count = ran.out.lines().count() - 2;
    let files = std::fs::read_dir(folder.path().join("steps")).expect("a folder");
    assert_eq!(files.count(), count);
    let sheet = std::fs::read_to_string(folder.path().join("sheet.html")).expect("a page");
    assert_eq!(sheet.matches("<figcaption>").count(), count);
    for (number, line) in (1..).zip(ran.out.lines().take(count)) {
        let file = folder.path().join(format!("steps/{number:04}.svg"));
        let svg = std::fs::read_to_string(file).expect("a picture");
        let text: String = roxmltree::Document::parse(&svg)
            .expect("markup")
            .descendants()
            .filter(|node| node.tag_name().name() == "text")
            .map(|node| node.text().unwrap_or_default().to_owned() + " ")
            .collect();
        assert!(text.trim_end().replace("  ", " ").ends_with(line), "{line}: {text}");
        let falls = line.contains("<>");
        assert_eq!((text.contains("eliminated"), text.contains("placed")), (falls, !falls), "{line}");
    }
    // Steps in puzzles of pieces and queens have pictures as well.
    for puzzle in [
        "puzzles/polyomino/trihexes-pond.poly",
        "puzzles/polyomino/welded-tetrasticks.poly",
        "puzzles/queens/blocked-6.txt",
    ] {
        let steps = format!("{path}/{}/", puzzle.replace('/', "-"));
        let ran = run(&format!("explain --nodes 20 --svg {steps} {puzzle}"), "");
        let lines = ran.out.lines().filter(|line| line.contains("): ")).count();
        assert!(lines > 0, "{ran:?}");
        for (number, line) in (1..).zip(ran.out.lines().filter(|line| line.contains("): "))) {
            if line.starts_with(' ') {
                break;
            }
            let svg = std::fs::read_to_string(format!("{steps}{number:04}.svg")).expect("a picture");
            let falls = line.contains("not `");
            assert_eq!(
                (svg.contains(">eliminated<"), svg.contains(">placed<")),
                (falls, !falls),
                "{line}"
            );
        }
    }
    // The picture of a step in a puzzle of pieces shows the chosen option.
    let ran = run("hint --svg - --puzzle polyomino 6x10", "");
    assert!(ran.out.starts_with("<svg ") && ran.out.contains("hole (6.6)"), "{ran:?}");
    let ran = run("hint --svg -", MIDDLING);
    assert!(ran.out.starts_with("<svg ") && ran.out.ends_with("</svg>\n"), "{ran:?}");
    assert_eq!(run("hint --json --svg -", MIDDLING).code, 2);
}

#[test]
fn a_step_without_a_name_is_described_by_its_items() {
    let ran = run("explain", "a b c d\na c\na c d\nb c\nb\nd\n");
    let expected = "1. locked (1.5): a within c: not `b c`\n";
    assert!(ran.out.starts_with(expected), "{ran:?}");
    let steps = steps("", "a b c d\na c\na c d\nb c\nb\nd\n");
    assert_eq!(steps[0]["truths"], serde_json::json!(["a"]));
    assert_eq!(steps[0]["links"], serde_json::json!(["c"]));
    assert_eq!(steps[0]["rank"], 0);
}

#[test]
fn each_end_of_an_explanation_has_its_message_and_exit_code() {
    check("rate", "12..............", "several solutions\n", 0);
    let none = run("rate", "123....4........");
    assert!(none.out.starts_with("no solution: nothing is left for "), "{none:?}");
    assert_eq!(none.code, 1);
    check("rate", "11..............", "no solution: two clues clash in 1 in row 1\n", 1);
    check("rate", "1234341221434321", "0.0 no step\n", 0);
    check("hint", "1234341221434321", "solved\n1234341221434321\n", 0);
    let input = format!("{MIDDLING}\n{}\n{MIDDLING}\n", MIDDLING.replacen('5', "x", 1));
    let ran = run("rate", &input);
    assert_eq!((ran.out.as_str(), ran.code), ("6.2 skyscraper\nerror\n6.2 skyscraper\n", 2));
    assert!(ran.err.starts_with("standard input:2:5: "), "{}", ran.err);
    let ran = run("rate --nodes 1 --puzzle queens 9", "");
    assert_eq!(ran.code, 3, "{ran:?}");
    assert_eq!(ran.err, "puzzle 1: node limit reached\n");
    let ran = run("rate --time 0", MIDDLING);
    assert_eq!((ran.out.as_str(), ran.code), ("0.0+ no step\n", 3), "{ran:?}");
}

#[test]
fn a_batch_is_rated_in_order_on_any_number_of_threads() {
    let input = format!("{MIDDLING}\n{SOLVED}\n").repeat(200);
    let expected = "6.2 skyscraper\n0.0 no step\n".repeat(200);
    check("rate", &input, &expected, 0);
    check("rate --threads 1", &input, &expected, 0);
}

/// Applies a random symmetry of Sudoku and a random permutation of the digits.
fn turned(rng: &mut fastrand::Rng, puzzle: &str) -> String {
    let cells: Vec<char> = puzzle.chars().collect();
    let mut order = || -> Vec<usize> {
        let mut shuffled = || {
            let mut three = [0, 1, 2];
            rng.shuffle(&mut three);
            three
        };
        shuffled().into_iter().flat_map(|band| shuffled().map(|line| 3 * band + line)).collect()
    };
    let (rows, columns) = (order(), order());
    let is_flipped = rng.bool();
    let mut names: Vec<char> = "123456789".chars().collect();
    rng.shuffle(&mut names);
    let taken = (0..81).map(|place| {
        let (row, column) = (rows[place / 9], columns[place % 9]);
        cells[if is_flipped { 9 * column + row } else { 9 * row + column }]
    });
    taken.map(|c| c.to_digit(10).map_or(c, |digit| names[digit as usize - 1])).collect()
}

#[test]
fn a_rating_is_invariant_under_symmetries_of_grid_and_digits() {
    // The ratings of these puzzles once changed under symmetries, when ties were broken by cell
    // order.
    let puzzles = [
        MIDDLING,
        "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
        ".2.......4.6..........13........56.8...9.......53284.73...92....1......6.8.54.3.2",
        "..34..78........23.9...1..4.17.6......98...1...5...43.5.21......3..27........8.7.",
        ".....67..4.6....2..9...15..23....9...819....6.4..2..5.....98....7.6.43..9.5......",
        ".2...6..9.5.7..1....8.3...5.45.9....3..82....6.............2.7.8...6..9....1..532",
        "1..45...94.....1.3...2..6...81..59....79.....6...7..5.......4..8.2.9.....7.31....",
        "12..........78......9......23.....6....6.5..79.....3.5..15.4..8.7...8...6..9..57.",
    ];
    let mut rng = fastrand::Rng::with_seed(16);
    for puzzle in puzzles {
        let others: Vec<String> = (0..8).map(|_| turned(&mut rng, puzzle)).collect();
        let ran = run("rate", &format!("{puzzle}\n{}\n", others.join("\n")));
        let ratings: Vec<&str> = ran.out.lines().collect();
        assert_eq!(ratings.len(), 9, "{ran:?}");
        assert!(ratings.iter().all(|rating| rating == &ratings[0]), "{puzzle}: {ratings:?}");
    }
}

#[test]
fn the_checker_accepts_the_explanations_of_the_shipped_puzzles() {
    let mut solved = 0;
    for path in shipped_puzzles() {
        let name = path.display().to_string();
        let Ok(file) = std::fs::File::open(&path) else { continue };
        let extension = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let hints = StreamHints { extension: extension.to_owned(), ..StreamHints::default() };
        let Ok(stream) = Stream::open(file, &hints) else { continue };
        for puzzle in stream.take(2).flatten() {
            let (problem, given) = (puzzle.problem(), puzzle.given());
            if problem.option_count() > 800 {
                continue;
            }
            let mut settings = Settings::new();
            settings.nodes = 2000;
            let explained = Explainer::new(problem, settings).explain(given, &Limits::new());
            let checked = check_explanation(problem, given, &explained);
            assert!(checked.is_ok(), "{name}: {checked:?}");
            let limits = Limits::new().solutions(2);
            let count = dlx::Solver::new(problem.as_ref().clone()).count(given, &limits).solutions;
            match explained.end {
                ExplanationEnd::Solved(_) => assert_eq!(count, 1, "{name}"),
                ExplanationEnd::Impossible(_) | ExplanationEnd::Clash(_) => {
                    assert_eq!(count, 0, "{name}");
                }
                ExplanationEnd::Several(_) => assert_eq!(count, 2, "{name}"),
                _ => continue,
            }
            solved += 1;
        }
    }
    assert!(solved > 40, "{solved}");
}

#[test]
fn a_jigsaw_region_is_named_by_its_first_cell() {
    let ran = run("explain puzzles/sudoku/jigsaw.txt", "");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.contains(" in the region of r") && !ran.out.contains(" in box "), "{}", ran.out);
    assert!(run("explain", MIDDLING).out.contains(" in box 2"));
}

#[test]
fn the_picture_of_a_step_shades_its_houses() {
    let shaded = |args: &str, input: &str| {
        let svg = run(&format!("hint --theme light --svg - {args}"), input).out;
        assert!(svg.contains(">houses of the step</text>"), "{svg}");
        // Do not count the sample in the legend.
        svg.matches("fill=\"#e9edf2\"").count() - 1
    };
    // The first step is a hidden single in a box, then one in a region of a jigsaw.
    assert_eq!(shaded("", MIDDLING), 9);
    let hint = run("hint puzzles/sudoku/jigsaw.txt", "").out;
    assert!(hint.starts_with("hidden single"), "{hint}");
    assert_eq!(shaded("puzzles/sudoku/jigsaw.txt", ""), 9);
}

#[test]
fn the_picture_of_a_net_numbers_its_steps() {
    let hard = "1..45...94.....1.3...2..6...81..59....79.....6...7..5.......4..8.2.9.....7.31....";
    let mut command = command("hint --theme light --svg - --technique");
    command.arg("dynamic contradiction");
    let svg = finish(command, hard).out;
    assert!(svg.contains(">eliminated</text>"), "{svg}");
    assert!(svg.contains("small numbers: the order"), "{svg}");
    assert!(svg.contains("fill=\"#c8342b\""), "{svg}");
}

#[test]
fn several_solutions_at_the_end_of_an_explanation_have_headings() {
    let ran = run("explain", "12343412........");
    assert!(ran.out.contains("several solutions"), "{ran:?}");
    assert!(ran.out.contains("\nsolution 1:\n") && ran.out.contains("\nsolution 2:\n"), "{ran:?}");
    assert!(!run("explain", MIDDLING).out.contains("solution 1:"));
}
