//! The command `generate` makes new puzzles with exactly one solution.

use serde_json::Value;

use crate::command::{Ran, command, finish, run, sample};

/// Runs `generate`, and checks that it made all requested puzzles.
fn generate(args: &str) -> Ran {
    let ran = run(&format!("generate {args}"), "");
    assert_eq!(ran.code, 0, "{args}: {}", ran.err);
    ran
}

/// Returns the JSON objects that `generate` prints.
fn objects(args: &str) -> Vec<Value> {
    let ran = generate(&format!("--json {args}"));
    ran.out.lines().map(|line| serde_json::from_str(line).expect("an object")).collect()
}

/// Checks that the output of `check` ends with `ends` for each puzzle.
fn check_all(puzzles: &str, args: &str, ends: &str) {
    let ran = run(&format!("check {args}"), puzzles);
    assert_eq!(ran.code, 0, "{}\n{puzzles}", ran.err);
    for line in ran.out.lines() {
        assert!(line.ends_with(ends), "{line}\n{puzzles}");
    }
}

#[test]
fn each_puzzle_has_one_solution_and_is_minimal() {
    let made = generate("-n 300 --seed 3 sudoku").out;
    assert_eq!(made.lines().count(), 300);
    check_all(&made, "", ": one solution, minimal");
}

#[test]
fn the_same_seed_makes_the_same_puzzles_on_any_number_of_threads() {
    let one = generate("-n 2500 --seed 4 --threads 1 sudoku").out;
    let three = generate("-n 2500 --seed 4 --threads 3 sudoku").out;
    assert!(one == three);
    // A smaller number of puzzles gives the first of the same puzzles.
    let few = generate("-n 70 --seed 4 sudoku").out;
    assert!(one.starts_with(&few));
    assert_ne!(generate("--seed 5").out, generate("--seed 6").out);
    let objects =
        [1, 2].map(|threads| objects(&format!("-n 4 --threads {threads} --seed 4 sudoku 2x3")));
    assert_eq!(objects[0], objects[1]);
}

#[test]
fn the_mean_number_of_clues_equals_the_published_mean_of_top_down_generators() {
    let clues: u64 =
        objects("-n 2000 --seed 7").iter().map(|object| object["clues"].as_u64().unwrap_or(0)).sum();
    // The published mean of such generators is 24.38, and the standard error for 2000 puzzles is
    // 0.03.
    assert!((48_500..49_100).contains(&clues), "{clues}");
}

#[test]
fn puzzles_have_the_requested_number_of_clues() {
    for object in objects("-n 20 --clues 22..23 --seed 1 sudoku") {
        let clues =
            object["text"].as_str().expect("a text").chars().filter(char::is_ascii_digit).count();
        assert!((22..=23).contains(&clues), "{object}");
        assert_eq!(object["clues"], clues, "{object}");
        assert_eq!(object["minimal"], true, "{object}");
    }
    let counts: Vec<_> = objects("-n 40 --clues 30..32 --not-minimal --seed 1")
        .iter()
        .map(|object| object["clues"].clone())
        .collect();
    for clues in 30..=32 {
        assert!(counts.contains(&clues.into()), "{counts:?}");
    }
    let made = generate("-n 20 --clues 40 --not-minimal --seed 1").out;
    check_all(&made, "--json", "}");
}

#[test]
fn impossible_requests_end_without_a_limit() {
    let ran = run("generate --clues 15 --seed 1 sudoku 2x2", "");
    assert_eq!((ran.code, &*ran.out), (3, ""), "{}", ran.err);
    assert!(
        ran.err.starts_with("made 0 of 1 puzzles in 10000 tries, given up after 10000 tries in vain"),
        "{}",
        ran.err
    );
}

#[test]
fn impossible_requests_are_reported_after_the_last_try() {
    let ran = run("generate --clues 30..31 --tries 2000 --seed 1 sudoku", "");
    assert_eq!((ran.out.as_str(), ran.code), ("", 3), "{}", ran.err);
    assert!(
        ran.err.starts_with("made 0 of 1 puzzles in 2000 tries, stopped by --tries; others had 2"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains(" clues; the nearest had 2"), "{}", ran.err);
    let ran = run("generate --clues 17 --time 0.01 sudoku", "");
    assert_eq!((ran.out.as_str(), ran.code), ("", 3), "{}", ran.err);
    assert!(ran.err.contains("time limit reached"), "{}", ran.err);
    let ran = run("generate sudokus", "");
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (2, "expected a kind or a file, found `sudokus`; did you mean `sudoku`?\n")
    );
    let ran = run("generate nonsense", "");
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.err.starts_with("expected a kind (overlapping, polyomino, "), "{}", ran.err);
    let ran = run("generate --clues 82..90", "");
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (2, "--clues: expected at most 81 clues, one a cell, found 82\n")
    );
    for (args, message) in [
        (
            "--clues 50 sudoku",
            "--clues: minimal 9x9 Sudoku have 17 to about 40 clues, found 50; add --not-minimal\n",
        ),
        (
            "--clues 10..16 sudoku",
            "--clues: expected at least 17, since with fewer there are several solutions, found 16\n",
        ),
        (
            "--clues 3 sudoku 2x2",
            "--clues: expected at least 4, since with fewer there are several solutions, found 3\n",
        ),
        (
            "--clues 5 latin 5",
            "--clues: expected at least 6, since with fewer there are several solutions, found 5\n",
        ),
        (
            "--clues 10 sudoku 4x4",
            "--clues: expected at least 15, since with fewer there are several solutions, found 10\n",
        ),
        (
            "--clues 30 --not-minimal --symmetry full latin 6",
            "--clues: the cells of the symmetry or pattern cannot have 30 clues; the nearest is 28\n",
        ),
        ("--clues 9 queens 8", "--clues: expected at most 8, the parts of a solution, found 9\n"),
        (
            "--killer latin 1",
            "--killer is for grids without clues of 2 to 16 digits, found a grid of 1 digit\n",
        ),
        (
            "--killer sudoku 17",
            "--killer is for grids without clues of 2 to 16 digits, found a grid of 17 digits\n",
        ),
        (
            "--killer latin 2",
            "--cage-size: expected cages of fewer than 2 cells: with all 2 digits in each, digits can be exchanged\n",
        ),
        (
            "--killer --cage-size 9 sudoku",
            "--cage-size: expected cages of fewer than 9 cells: with all 9 digits in each, digits can be exchanged\n",
        ),
        ("--killer --cage-size 7 sudoku", "--cage-size: 81 cells cannot be divided into cages of 7\n"),
        (
            "--jigsaw latin 2",
            "--jigsaw is for grids without clues of 3 to 16 digits, found a grid of 2 digits\n",
        ),
        (
            "--jigsaw latin 17",
            "--jigsaw is for grids without clues of 3 to 16 digits, found a grid of 17 digits\n",
        ),
    ] {
        let ran = run(&format!("generate {args}"), "");
        assert_eq!((ran.code, ran.err.as_str(), ran.out.as_str()), (2, message, ""), "{args}");
    }
    let ran = run("generate langford 4", "");
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.err.contains("no clues that can be written"), "{}", ran.err);
    let ran = run("generate --controlled-bias latin 5", "");
    assert_eq!((ran.code, ran.err.as_str()), (2, "--controlled-bias is for plain 9x9 Sudoku\n"));
}

#[test]
fn clues_have_the_requested_symmetry() {
    for (name, map) in [
        ("half-turn", (|cell| 80 - cell) as fn(usize) -> usize),
        ("diagonal", |cell| cell % 9 * 9 + cell / 9),
        ("left-right", |cell| cell / 9 * 9 + 8 - cell % 9),
        ("quarter-turn", |cell| cell % 9 * 9 + 8 - cell / 9),
    ] {
        let made = objects(&format!("-n 20 --symmetry {name} --seed 9 sudoku"));
        for object in &made {
            let text: Vec<char> = object["text"].as_str().expect("a text").chars().collect();
            for cell in 0..81 {
                assert_eq!(text[cell] == '.', text[map(cell)] == '.', "{name}: {object}");
            }
        }
        // Clues that a symmetry maps to each other are removed together, so some generated puzzles
        // keep a redundant clue.
        let minimal: Vec<bool> = made.iter().map(|object| object["minimal"] == true).collect();
        let texts: Vec<&str> = made.iter().filter_map(|object| object["text"].as_str()).collect();
        let checked = run("check", &(texts.join("\n") + "\n")).out;
        let are: Vec<bool> =
            checked.lines().map(|line| line.ends_with("one solution, minimal")).collect();
        assert_eq!(minimal, are, "{name}");
        assert!(checked.lines().all(|line| line.contains("one solution")), "{checked}");
    }
}

#[test]
fn only_cells_of_the_pattern_have_clues() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("pattern");
    // The pattern allows no clues in the middle box.
    let pattern = "xxxxxxxxx\n".repeat(3) + &"xxx...xxx\n".repeat(3) + &"xxxxxxxxx\n".repeat(3);
    std::fs::write(&file, pattern).expect("a file");
    let made = generate(&format!("-n 20 --seed 2 --pattern {} sudoku", file.display())).out;
    for line in made.lines() {
        for cell in [30, 31, 32, 39, 40, 41, 48, 49, 50] {
            assert_eq!(line.as_bytes()[cell], b'.', "{line}");
        }
    }
    check_all(&made, "", ": one solution, minimal");
    std::fs::write(&file, "xx.\n").expect("a file");
    let ran = run(&format!("generate --pattern {} sudoku", file.display()), "");
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.err.ends_with("expected a pattern of 81 cells, found 3\n"), "{}", ran.err);
}

#[test]
fn puzzles_generated_with_controlled_bias_are_minimal_and_have_weights() {
    let made = objects("-n 6 --controlled-bias --seed 1 sudoku");
    let mut texts = String::new();
    for object in &made {
        texts += &format!("{}\n", object["text"].as_str().expect("a text"));
        let clues = object["clues"].as_f64().expect("a number");
        assert!((22.0..=30.0).contains(&clues), "{object}");
        let weight = object["weight"].as_f64().expect("a number");
        assert!((weight < 1.0) == (clues < 26.0), "{object}");
    }
    check_all(&texts, "", ": one solution, minimal");
}

#[test]
fn every_kind_with_clues_can_be_generated() {
    for (args, check) in [
        ("-n 3 latin 5", "--puzzle latin"),
        ("-n 3 sudoku 2x2", ""),
        ("-n 3 sudoku 2x3", ""),
        ("--rules diagonals sudoku 3x3", ""),
        ("--symmetry half-turn sudoku 2x3", ""),
        ("sudoku 2x4", ""),
        ("queens 8", "--puzzle queens"),
        ("polyomino 6x10", "--puzzle polyomino"),
        ("polyomino soma", "--puzzle polyomino"),
    ] {
        let made = generate(&format!("--seed 1 {args}")).out;
        let ran = run(&format!("count --limit 2 {check}"), &made);
        assert!(ran.out.lines().all(|line| line == "1") && ran.code == 0, "{args}\n{made}{ran:?}");
    }
    // The shape, the regions and the clues of a file are kept.
    let jigsaw = "112233\n112233\n112233\n445566\n445566\n445566\n";
    let made = run("generate --from jigsaw --seed 2 -", jigsaw);
    assert_ne!(made.code, 101, "{made:?}");
    let made = run("generate --seed 2 -", "1...............\n").out;
    assert!(made.starts_with('1'), "{made}");
    assert_eq!(run("count", &made).out, "1\n", "{made}");
    let ran = run("generate -", "11..............\n");
    assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{}", ran.err);
}

#[test]
fn puzzles_have_the_requested_ratings() {
    for (kind, rating) in
        [("sudoku", "2.0..2.8"), ("sudoku 2x3", "1.5..2.3"), ("--rules diagonals sudoku 2x3", "1.5")]
    {
        let objects = objects(&format!("-n 3 --seed 2 --rating {rating} {kind}"));
        let (least, most) = rating.split_once("..").unwrap_or((rating, rating));
        let [least, most] = [least, most].map(|score| score.parse::<f64>().expect("a score"));
        for object in objects {
            let rated = run("rate --json", object["text"].as_str().expect("a puzzle"));
            let rated: Value = serde_json::from_str(&rated.out).expect("an object");
            let score = rated["score"].as_f64().expect("a score");
            assert!((least..=most).contains(&score), "{object}\n{rated}");
            assert_eq!((&rated["score"], &rated["hardest"]), (&object["score"], &object["hardest"]));
        }
    }
    let threads = [1, 2].map(|threads| {
        generate(&format!("-n 4 --seed 5 --rating 2.4..13.0 --threads {threads} sudoku")).out
    });
    assert_eq!(threads[0], threads[1]);
    let ran = run("generate -n 1 --seed 1 --rating 9.0..9.1 --tries 40", "");
    assert_eq!((ran.code, ran.out.as_str()), (3, ""), "{}", ran.err);
    assert!(
        ran.err
            .contains("made 0 of 1 puzzles in 40 tries, stopped by --tries; others were rated from "),
        "{}",
        ran.err
    );
    let ran = run("generate --rating 4.5..3", "");
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("expected two scores from 1.0 to 13.0 such as 3.0..4.5, found `4.5..3`"),
        "{}",
        ran.err
    );
}

#[test]
fn rectangular_grids_have_the_symmetries_of_rectangles() {
    let text = "# puzzle: variant\n# rows: 4\n# columns: 6\n# digits: 1-6\n";
    for (name, image) in [
        ("half-turn", (|row, column| (3 - row, 5 - column)) as fn(usize, usize) -> (usize, usize)),
        ("left-right", |row, column| (row, 5 - column)),
        ("top-bottom", |row, column| (3 - row, column)),
    ] {
        let ran = run(&format!("generate --symmetry {name} --seed 2 -"), text);
        assert_eq!(ran.code, 0, "{ran:?}");
        let rows: Vec<Vec<bool>> = ran
            .out
            .lines()
            .filter(|line| !line.starts_with('#') && !line.is_empty())
            .map(|line| line.chars().filter(|c| !c.is_whitespace()).map(|c| c != '.').collect())
            .collect();
        assert_eq!((rows.len(), rows[0].len()), (4, 6), "{ran:?}");
        assert!(rows.iter().flatten().any(|&is_clue| is_clue));
        for (row, column) in (0..24).map(|cell| (cell / 6, cell % 6)) {
            let (there, beside) = image(row, column);
            assert_eq!(rows[row][column], rows[there][beside], "{name}: {}", ran.out);
        }
        // Single clues may be redundant because of the symmetry.
        let said = run("check", &ran.out);
        assert!(said.code == 0 && said.out.contains(": one solution, "), "{said:?}");
    }
    let ran = run("generate --symmetry diagonal --seed 2 -", text);
    let message = "the symmetry diagonal is for squares, found 4 rows and 6 columns\n";
    assert_eq!((ran.code, ran.err.as_str()), (2, message));
}

#[test]
fn the_seed_determines_the_regions_of_a_jigsaw() {
    let regions = |made: &str| made.split("regions\n").nth(1).map(str::to_owned);
    let one = generate("--jigsaw --seed 1 sudoku 9").out;
    assert_eq!(one, generate("--jigsaw --seed 1 --threads 1 sudoku 9").out);
    check_all(&one, "", ": one solution, minimal");
    let two = generate("--jigsaw --seed 2 sudoku 9").out;
    check_all(&two, "", ": one solution, minimal");
    assert!(regions(&one).is_some_and(|drawn| drawn.lines().count() == 9));
    assert_ne!(regions(&one), regions(&two));
    // No boxes fit order 7. Regions can be combined with extra rules.
    check_all(&generate("--jigsaw --seed 1 latin 7").out, "", ": one solution, minimal");
    let crossed = generate("--jigsaw --seed 1 --rules diagonals sudoku 6").out;
    assert!(crossed.contains("# rules: diagonals"), "{crossed}");
    // Each puzzle has regions of its own, and they do not depend on the number of threads.
    let several = [1, 2]
        .map(|threads| generate(&format!("--jigsaw -n 6 --seed 3 --threads {threads} sudoku 6")).out);
    assert_eq!(several[0], several[1]);
    check_all(&several[0], "", ": one solution, minimal");
    let texts = objects("--jigsaw -n 6 --seed 3 sudoku 6");
    let drawn: std::collections::BTreeSet<_> =
        texts.iter().map(|object| regions(object["text"].as_str().expect("a text"))).collect();
    assert_eq!(drawn.len(), 6);
    let ran = run("generate --jigsaw queens 8", "");
    let message = "--jigsaw is for grids without clues of 3 to 16 digits, found the kind queens\n";
    assert_eq!((ran.code, ran.err.as_str()), (2, message));
}

#[test]
fn limits_stop_the_drawing_of_pictures() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().display();
    let begun = std::time::Instant::now();
    let ran = run(&format!("generate -n 5000 --time 3 --seed 1 --png {path}/made/"), "");
    assert_eq!(ran.code, 3, "{}", ran.err);
    assert!(ran.err.ends_with("time limit reached\n"), "{}", ran.err);
    let ran = run(&format!("list --quiet --time 3 --png {path}/listed/ --puzzle latin 5"), "");
    assert_eq!(ran.code, 3, "{}", ran.err);
    // Drawing all 5000 pictures would take minutes.
    assert!(begun.elapsed().as_secs() < 30);
    let drawn = |name| std::fs::read_dir(folder.path().join(name)).expect("a folder").count();
    assert!((1..1000).contains(&drawn("made")) && drawn("listed") > 0);
}

fn cages(text: &str) -> Vec<(Vec<(usize, usize)>, usize)> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("# killer: "));
    let cell = |name: &str| {
        let (row, column) = name[1..].split_once('c').expect("a cell");
        (row.parse::<usize>().expect("a row") - 1, column.parse::<usize>().expect("a column") - 1)
    };
    lines
        .map(|line| {
            let (cells, sum) = line.split_once(" = ").expect("a sum");
            (cells.split(' ').map(cell).collect(), sum.parse().expect("a number"))
        })
        .collect()
}

#[test]
fn generated_killer_sudokus_have_connected_cages_and_one_solution() {
    for (args, side, sizes) in [
        ("-n 4 sudoku", 9, 2..=5),
        ("-n 3 --cage-size 1..3 sudoku 2x3", 6, 1..=3),
        ("-n 3 --cage-size 3 latin 6", 6, 3..=3),
        ("-n 2 --jigsaw sudoku 7", 7, 2..=5),
        ("-n 2 --rules diagonals sudoku 2x3", 6, 2..=5),
        ("-n 1 sudoku 2x4", 8, 2..=5),
    ] {
        let made = objects(&format!("--seed 3 --killer {args}"));
        assert!(made.len() < 2 || made[0]["text"] != made[1]["text"], "{args}");
        for object in &made {
            let text = object["text"].as_str().expect("a text");
            assert!(text.lines().filter(|line| line.starts_with('.')).count() >= side, "{text}");
            let cages = cages(text);
            assert_eq!(object["cages"], cages.len(), "{text}");
            let mut all: Vec<(usize, usize)> = Vec::new();
            for (cells, _) in &cages {
                assert!(sizes.contains(&cells.len()), "{args}: {text}");
                let mut reached = vec![cells[0]];
                while let Some(next) = cells.iter().find(|&&(row, column)| {
                    let is_beside =
                        |&(r, c): &(usize, usize)| row.abs_diff(r) + column.abs_diff(c) == 1;
                    !reached.contains(&(row, column)) && reached.iter().any(is_beside)
                }) {
                    reached.push(*next);
                }
                assert_eq!(reached.len(), cells.len(), "{args}: {text}");
                all.extend(cells);
            }
            all.sort_unstable();
            let expected = (0..side * side).map(|cell| (cell / side, cell % side));
            assert_eq!(all, expected.collect::<Vec<_>>(), "{text}");
            // Count the solutions with two engines, and compare the solution with the JSON object.
            assert_eq!(run("count", text).out, "1\n", "{args}: {text}");
            assert_eq!(run("count --engine masks --limit 2", text).out, "1\n", "{args}: {text}");
            let solved = run("solve", text).out;
            let digits =
                |text: &str| -> String { text.lines().filter(|line| !line.starts_with('#')).collect() };
            assert_eq!(digits(&solved), digits(object["solution"].as_str().expect("a text")));
        }
    }
}

#[test]
fn generated_killer_sudokus_have_the_requested_ratings() {
    let wishes = [("1.0..2.0", "sudoku"), ("2.5..3.0", "sudoku"), ("1.5..2.5", "sudoku 2x3")];
    for (rating, args) in sample(wishes, 1) {
        let (least, most) = rating.split_once("..").expect("two scores");
        let [least, most] = [least, most].map(|score| score.parse::<f64>().expect("a score"));
        for object in objects(&format!("--killer -n 2 --seed 1 --rating {rating} {args}")) {
            let rated = run("rate --json", object["text"].as_str().expect("a text"));
            let rated: Value = serde_json::from_str(&rated.out).expect("an object");
            let score = rated["score"].as_f64().expect("a score");
            assert!((least..=most).contains(&score), "{object}\n{rated}");
            assert_eq!(rated["score"], object["score"], "{object}");
        }
    }
    let threads = [1, 2].map(|threads| {
        generate(&format!("--killer -n 4 --seed 5 --rating 1.0..2.6 --threads {threads} sudoku 2x3"))
            .out
    });
    assert_eq!(threads[0], threads[1]);
}

#[test]
fn generated_killer_sudokus_keep_the_clues_of_a_file() {
    let file = "# thermo: r4c1 r3c1 r3c2\n# digits: 0-3\n....\n....\n....\n....\n";
    let ran = run("generate --killer --cage-size 2..3 --seed 2 -", file);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("# thermo: r4c1 r3c1 r3c2\n"), "{}", ran.out);
    assert_eq!(run("count", &ran.out).out, "1\n", "{}", ran.out);
    let line = generate("--killer --seed 2 --to line sudoku 2x2").out;
    assert_eq!(line.lines().last(), Some("................"), "{line}");
    for (args, input, message) in [
        (
            "--killer queens 8",
            "",
            "--killer is for grids without clues of 2 to 16 digits, found the kind queens\n",
        ),
        (
            "--killer -",
            "1...............\n",
            "--killer is for grids without clues of 2 to 16 digits, found a grid with clues\n",
        ),
        (
            "--killer sudoku 5x5",
            "",
            "--killer is for grids without clues of 2 to 16 digits, found a grid of 25 digits\n",
        ),
        (
            "--killer --cage-size 7..8 sudoku 2x3",
            "",
            "--cage-size: expected cages of at most 6 cells, since their digits differ, found 7 and more\n",
        ),
        (
            "--killer --tries 5 --seed 1 --cage-size 8..9 sudoku 9",
            "",
            "made 0 of 1 puzzles in 5 tries, stopped by --tries; 5 had no cages found with one solution\n",
        ),
    ] {
        let ran = run(&format!("generate {args}"), input);
        assert_eq!((ran.out.as_str(), ran.err.as_str()), ("", message), "{args}");
        assert_eq!(ran.code, if args.contains("tries") { 3 } else { 2 }, "{args}");
    }
    for args in
        ["--killer --clues 3", "--killer --symmetry full", "--cage-size 2", "--killer --cage-size 0..3"]
    {
        let ran = run(&format!("generate {args}"), "");
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args}: {}", ran.err);
    }
    let begun = std::time::Instant::now();
    let ran = run("generate --killer -n 100000 --time 1 --seed 1 --rating 12.9..13.0 sudoku", "");
    assert_eq!(ran.code, 3, "{}", ran.err);
    assert!(ran.err.contains("time limit reached"), "{}", ran.err);
    assert!(begun.elapsed().as_secs() < 20);
}

#[test]
fn killer_sudokus_with_high_ratings_are_generated() {
    for (rating, count) in [("1.0..2.0", 2), ("2.0..3.0", 2), ("3.0..4.0", 2), ("6.5..7.5", 2)] {
        let (least, most) = rating.split_once("..").expect("two scores");
        let [least, most] = [least, most].map(|score| score.parse::<f64>().expect("a score"));
        let made = objects(&format!("--killer -n {count} --seed 2 --rating {rating} sudoku 2x3"));
        for object in &made {
            let text = object["text"].as_str().expect("a text");
            let rated = run("rate --json", text);
            let rated: Value = serde_json::from_str(&rated.out).expect("an object");
            let score = rated["score"].as_f64().expect("a score");
            assert!((least..=most).contains(&score), "{object}\n{rated}");
            assert_eq!((&rated["score"], &rated["hardest"]), (&object["score"], &object["hardest"]));
            assert_eq!(run("count", text).out, "1\n", "{text}");
        }
    }
    // No logical step has a score in this range.
    for args in ["--killer", ""] {
        let ran = run(&format!("generate {args} --rating 5.9..6.0"), "");
        let message =
            "--rating: no step of logic has a score from 5.9 to 6.0; the nearest are 5.8 and 6.1\n";
        assert_eq!((ran.code, ran.err.as_str()), (2, message), "{args}");
    }
}

#[test]
fn several_generated_puzzles_in_one_text_are_read_back() {
    for (args, count) in [
        ("--killer sudoku 2x3", 4),
        ("--killer --jigsaw sudoku 6", 2),
        ("--killer --to line sudoku 2x2", 3),
        ("--jigsaw sudoku 6", 3),
        ("--pieces 4 polyomino", 4),
        ("--pieces 4 polyomino tetrahexes", 3),
        ("--pieces 5 polyomino tristicks", 2),
        ("--pieces 4 polyomino tetracubes", 2),
        ("polyomino dominoes:4x4", 3),
        ("queens 6", 3),
        ("sudoku 2x2", 3),
    ] {
        let made = generate(&format!("-n {count} --seed 1 {args}")).out;
        let counted = run("count", &made);
        assert_eq!(counted.out, "1\n".repeat(count), "{args}: {}{made}", counted.err);
        // The JSON objects contain the same puzzles.
        let texts = objects(&format!("-n {count} --seed 1 {args}"));
        for object in &texts {
            let text = object["text"].as_str().expect("a text");
            let last = text.lines().last().expect("a line");
            assert!(made.contains(last), "{args}: {text}{made}");
        }
        let json = run("check --json", &made).out;
        let lines: Vec<Value> =
            json.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
        assert_eq!(lines.len(), count, "{args}");
        let begins: Vec<u64> = lines.iter().filter_map(|line| line["line"].as_u64()).collect();
        assert!(begins.is_sorted() && begins.len() == count, "{args}: {json}");
    }
    // A faulty puzzle among several is reported with its line, and the others are read.
    let killers = generate("--killer -n 2 --seed 1 sudoku 2x2").out;
    let broken = format!(
        "{killers}\n# puzzle: variant\n# killer: r1c1 = x\n....\n....\n....\n....\n\n{killers}"
    );
    let counted = run("count", &broken);
    assert_eq!(counted.out, "1\n1\nerror\n1\n1\n", "{}", counted.err);
    let line = killers.lines().count() + 3;
    assert!(counted.err.contains(&format!("standard input:{line}:")), "{line}: {}", counted.err);
    let mixed = format!("{killers}\n# puzzle: queens\n4\n");
    let counted = run("count", &mixed);
    assert_eq!((counted.out.as_str(), counted.code), ("1\n1\nerror\n", 2), "{}", counted.err);
    assert!(counted.err.contains("expected variant as before, found `queens`"), "{}", counted.err);
}

#[test]
fn copies_of_a_piece_can_be_clues_of_generated_puzzles() {
    // Adjacent dominoes have different letters, and each domino is a clue.
    for (args, input) in [
        ("polyomino dominoes:4x4", ""),
        ("-", "piece L x2\n#.\n#.\n##\n\npieces dominoes unlimited\n\nboard\n....\n....\n....\n....\n"),
        ("-", "pieces tetrominoes x2\nboard 5x8\n"),
        ("-", "piece D x0-9\n##\npieces monominoes x1-8\nboard\n...\n.??\n..?\n"),
        ("-", "pieces dominoes unlimited\nboard\n....\n....\ncolors\nabab\nbaba\n"),
        ("polyomino tristicks:2x2", ""),
    ] {
        let made = run(&format!("generate --seed 5 {args}"), input);
        assert_eq!(made.code, 0, "{made:?}");
        assert_eq!(run("count", &made.out).out, "1\n", "{}", made.out);
        let checked = run("check", &made.out);
        assert!(checked.out.starts_with("valid: one solution"), "{checked:?}{}", made.out);
        assert!(!checked.out.contains("not minimal"), "{checked:?}{}", made.out);
        // The solution in the JSON object can be read as a puzzle.
        let json = run(&format!("generate --json --seed 5 {args}"), input).out;
        let object: Value = serde_json::from_str(&json).expect("an object");
        assert_eq!(run("count", object["solution"].as_str().expect("a text")).out, "1\n", "{json}");
    }
    let two = "pieces dominoes unlimited\nboard 2x4\nclues\nAB..\nAB..\n";
    assert_eq!(run("count --puzzle polyomino", two).out, "2\n");
    for (text, message) in [
        (
            "pieces dominoes unlimited\nboard 2x4\nclues\nAAA.\n",
            "4:1: expected the cells `A` here to be one piece, found another shape\n",
        ),
        (
            "pieces dominoes unlimited\nboard 2x4\nclues\n....AA\n",
            "4:5: expected clues on cells of the board, found `A`\n",
        ),
        (
            "pieces dominoes unlimited\nboard\nDD..\n....\nclues\nAA..\n",
            "6:1: expected one clue on a cell, found `A` on another\n",
        ),
        ("clues\nAA\n", "1:1: expected clues once, and behind the board\n"),
    ] {
        let ran = run("count --puzzle polyomino", text);
        assert!(ran.err.contains(message), "{text}: {}", ran.err);
    }
}

#[test]
fn a_board_of_many_hexominoes_is_generated() {
    let count = if cfg!(feature = "slow-tests") { 35 } else { 12 };
    let made = objects(&format!("--pieces {count} --seed 1 --tries 3 polyomino hexominoes"));
    let text = made[0]["text"].as_str().expect("a text");
    assert_eq!(text.lines().filter(|line| line.starts_with("piece ")).count(), count);
    let solution = made[0]["solution"].as_str().expect("a text");
    let board = solution.split("board\n").nth(1).expect("a board");
    assert_eq!(board.chars().filter(|c| c.is_alphanumeric()).count(), 6 * count, "{solution}");
    assert_eq!(run("count --puzzle polyomino", solution).out, "1\n");
}

#[test]
fn generated_boards_of_pieces_have_one_solution() {
    let wishes = [
        ("-n 5 --pieces 6 polyomino", 6),
        ("-n 5 --pieces 6 --clues 0 polyomino pentominoes", 6),
        ("-n 3 --pieces 5 polyomino hexiamonds", 5),
        ("-n 3 --pieces 4 polyomino tetrahexes", 4),
        ("-n 2 --pieces 7 polyomino soma", 7),
        ("-n 3 --pieces 7 polyomino tetrasticks", 7),
        ("-n 2 --pieces 5 --clues 0 polyomino tritrigs", 5),
        ("-n 2 --pieces 1 polyomino dominoes", 1),
    ];
    for (args, count) in sample(wishes, 3) {
        let made = objects(&format!("--seed 1 {args}"));
        for object in &made {
            let text = object["text"].as_str().expect("a text");
            assert_eq!(text.lines().filter(|line| line.starts_with("piece ")).count(), count, "{text}");
            let counted = run("count --puzzle polyomino", text);
            assert_eq!(counted.out, "1\n", "{args}: {text}{}", counted.err);
            assert_eq!(run("count --engine masks --puzzle polyomino", text).out, "1\n", "{text}");
            // Every clue is needed, and the solution in the JSON object contains all pieces.
            let checked = run("check --puzzle polyomino", text).out;
            assert!(checked.starts_with("valid: one solution"), "{checked}{text}");
            let solution = object["solution"].as_str().expect("a text");
            assert_eq!(run("count --puzzle polyomino", solution).out, "1\n", "{solution}");
            assert!(!args.contains("--clues 0") || object["clues"] == 0, "{object}");
            assert_eq!(object["minimal"], true, "{object}");
        }
        assert!(made.len() < 5 || made[0]["text"] != made[1]["text"]);
    }
    let threads = [1, 2].map(|threads| {
        generate(&format!("--pieces 7 -n 4 --seed 5 --threads {threads} polyomino")).out
    });
    assert_eq!(threads[0], threads[1]);
    for (args, message) in [
        (
            "--pieces 13 polyomino",
            "--pieces: expected 1 to 12 pieces of the set pentominoes, found 13\n",
        ),
        ("--pieces 2 polyomino dominoes", "--pieces: expected 1 piece of the set dominoes, found 2\n"),
        (
            "--pieces 3 sudoku",
            "--pieces is for polyomino and a set of pieces: `polyomino pentominoes`\n",
        ),
        (
            "--pieces 3 polyomino pentomino",
            "--pieces: expected `pentominoes`, the nearest of the sets of pieces, found `pentomino`\n",
        ),
    ] {
        let ran = run(&format!("generate {args}"), "");
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (2, "", message), "{args}");
    }
    let begun = std::time::Instant::now();
    let ran = run("generate --pieces 30 --time 1 --seed 1 polyomino hexominoes", "");
    assert_eq!((ran.code, ran.out.as_str()), (3, ""), "{}", ran.err);
    assert!(begun.elapsed().as_secs() < 20);
}

#[test]
fn limits_stop_the_drawing_of_random_boards_and_regions() {
    // Drawing a board for 60 heptominoes takes a second or more.
    let (board, regions) =
        ("generate --pieces 60 --seed 1 polyomino heptominoes", "generate --jigsaw --seed 1 sudoku 16");
    for (args, what) in [(board, "a board was"), (regions, "regions were")] {
        let ran = run(&format!("{args} --time 0"), "");
        let message = format!("time limit reached while {what} drawn\n");
        assert_eq!((ran.code, ran.out.as_str(), ran.err), (3, "", message), "{args}");
    }
    let begun = std::time::Instant::now();
    let ran = run(&format!("{board} --time 0.1"), "");
    assert_eq!((ran.code, ran.out.as_str()), (3, ""), "{}", ran.err);
    assert!(begun.elapsed().as_secs() < 2, "{:?}", begun.elapsed());
}

#[cfg(unix)]
#[test]
fn an_interrupt_stops_the_drawing_of_a_random_board() {
    let mut command = crate::command::command("generate --pieces 60 --seed 1 polyomino heptominoes");
    let child = command.stderr(std::process::Stdio::piped()).spawn().expect("the program starts");
    std::thread::sleep(std::time::Duration::from_millis(200));
    crate::cli::interrupt(child.id());
    let output = child.wait_with_output().expect("it ends");
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{err}");
    assert!(err.contains("interrupted"), "{err}");
}

/// Returns the canonical forms of puzzles.
fn canonical_forms(puzzles: &str) -> std::collections::BTreeSet<String> {
    run("convert --to canonical", puzzles).out.lines().map(str::to_owned).collect()
}

#[test]
fn puzzles_with_few_clues_are_minimal_and_not_isomorphic() {
    let made = generate("-n 30 --clues 19 --seed 1").out;
    assert!(made.lines().all(|line| line.chars().filter(char::is_ascii_digit).count() == 19), "{made}");
    check_all(&made, "", ": one solution, minimal");
    assert_eq!(canonical_forms(&made).len(), 30);
    let alone = generate("-n 30 --clues 19 --seed 1 --threads 1").out;
    let three = generate("-n 30 --clues 19 --seed 1 --threads 3").out;
    assert!(made == alone && made == three);
    let few = generate("-n 20 --clues 19 --seed 1").out;
    assert!(made.starts_with(&few));
}

#[test]
fn a_search_for_few_clues_says_the_fewest_it_saw() {
    let ran = run("generate --clues 17 --tries 3000 --seed 2", "");
    assert_eq!((ran.out.as_str(), ran.code), ("", 3), "{}", ran.err);
    let start = "made 0 of 1 puzzles in 3000 tries, stopped by --tries; others had ";
    assert!(ran.err.starts_with(start), "{}", ran.err);
    let fewest: u32 = ran.err[start.len()..start.len() + 2].parse().expect("a number");
    assert!(ran.err.ends_with(&format!("; the nearest had {fewest} clues\n")), "{}", ran.err);
    assert!((18..=21).contains(&fewest), "{}", ran.err);
}

#[test]
fn puzzles_like_another_share_its_clues() {
    // A. Inkala, 2012.
    let like = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
    let line: Vec<char> = like.chars().collect();
    let made = generate(&format!("-n 40 --seed 3 --like {like}")).out;
    check_all(&made, "", ": one solution, minimal");
    assert_eq!(canonical_forms(&format!("{like}\n{made}")).len(), 41);
    for text in made.lines() {
        let lost = line.iter().zip(text.chars()).filter(|&(&old, new)| old != '.' && old != new);
        // One clue is exchanged, and others may become superfluous.
        assert!((1..=5).contains(&lost.count()), "{text}");
    }
    assert_eq!(made, generate(&format!("-n 40 --seed 3 --threads 1 --like {like}")).out);
    for (like, message) in [
        (".".repeat(81), "--like: expected a puzzle with one solution, found several\n"),
        ("1".repeat(81), "--like: expected a puzzle with one solution, found none\n"),
        (
            "1...............".to_owned(),
            "--like: expected a plain 9x9 Sudoku, found a sudoku of another size or with other rules\n",
        ),
    ] {
        let ran = run(&format!("generate --like {like}"), "");
        assert_eq!((ran.code, ran.err.as_str(), ran.out.as_str()), (2, message, ""));
    }
}

#[test]
fn the_hardest_step_is_the_requested_technique() {
    for (name, args) in [("XY-wing", "-n 2"), ("hidden pair", "-n 2"), ("hidden single", "sudoku 2x3")]
    {
        let mut command = command(&format!("generate --seed 1 {args}"));
        command.args(["--technique", name]);
        let ran = finish(command, "");
        assert_eq!(ran.code, 0, "{}", ran.err);
        for line in run("rate", &ran.out).out.lines() {
            assert!(line.ends_with(&format!(" {name}")), "{name}: {line}");
        }
    }
    let ran = run("generate --technique XY-wng", "");
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("expected the name of a technique, found `XY-wng`; similar names: XY-wing, "),
        "{}",
        ran.err
    );
    let ran = run("generate --technique swordfish --tries 30 --seed 1", "");
    assert_eq!((ran.code, ran.out.as_str()), (3, ""), "{}", ran.err);
    assert!(ran.err.contains("; most often the hardest step was "), "{}", ran.err);
}
