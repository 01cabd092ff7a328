//! The command `compare`, with built-in algorithms and with other programs.

use crate::command::{Ran, run};

const SOLVABLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n";
const SOLVED: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
const NO_SOLUTION: &str =
    "55..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n";

/// Runs `compare` on standard input. The command lines in `programs` may contain spaces.
fn compare(args: &str, programs: &[&str], input: &str) -> Ran {
    let mut command = crate::command::command("compare");
    command.args(args.split_whitespace());
    for program in programs {
        command.args(["--with", program]);
    }
    crate::command::finish(command, input)
}

/// Returns the row of the table for the contender `name`.
fn row<'r>(ran: &'r Ran, name: &str) -> &'r str {
    let mut lines = ran.out.lines();
    lines.find(|line| line.split_whitespace().next() == Some(name)).unwrap_or_else(|| panic!("{ran:?}"))
}

#[test]
fn compare_agrees_on_every_engine() {
    let easy = "103000509002109400000704000300502006060000050700803004000401000009205800804000107";
    let ran = run("compare --quiet --time 1 --engine links,flags,scan,stack,regions", easy);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for engine in ["links", "flags", "scan", "stack", "regions"] {
        assert!(ran.out.lines().any(|line| line.trim_start().starts_with(engine)), "{}", ran.out);
    }
    assert!(ran.out.contains("1.00x"));
    assert!(
        ran.out.contains("is the fastest") || ran.out.contains("the same within the noise"),
        "{ran:?}"
    );
    let ran = run("compare --json --quiet --engine links,naive --time 0.2", SOLVABLE);
    let naive = ran.out.lines().find(|line| line.contains("naive")).expect("a line");
    assert!(naive.contains("\"complete\":false"), "{naive}");
    assert!(
        ran.out.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()),
        "{ran:?}"
    );
}

#[test]
fn counting_methods_are_compared_by_their_counts() {
    let ran = run(
        "compare -q --time 0.5 --engine links,frontier,matching,bands --puzzle polyomino dominoes:4x6",
        "",
    );
    assert_eq!(ran.code, 0, "{ran:?}");
    for engine in ["links", "frontier", "matching"] {
        assert!(row(&ran, engine).ends_with(" 281"), "{ran:?}");
    }
    assert!(ran.out.contains("bands: the engine does not support"), "{ran:?}");
}

#[test]
fn a_puzzle_that_no_contender_finishes_appears_in_the_table() {
    let ran = run("compare -q --time 0.1 --engine links,naive --puzzle queens 20", "");
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(row(&ran, "links").ends_with("stopped by --time"), "{ran:?}");
    assert!(ran.out.contains("No verdict: nothing finished in time."), "{ran:?}");
    let ran = run("compare -q --time 0.5 --each 0.05 --engine links --puzzle queens 6 20 7", "");
    assert!(row(&ran, "links").ends_with("stopped by --time, 2 done"), "{ran:?}");
}

#[test]
fn an_unreadable_puzzle_is_reported_once_and_the_other_puzzles_are_compared() {
    let ran = run("compare -q --time 0.2 --engine links --puzzle queens x", "");
    assert_eq!(
        (ran.code, ran.out.as_str(), ran.err.matches("expected").count()),
        (2, "", 1),
        "{ran:?}"
    );
    let ran = run("compare -q --time 0.2 --engine links --puzzle queens 5 x", "");
    assert_eq!((ran.code, row(&ran, "links").ends_with(" 10")), (2, true), "{ran:?}");
    let ran = run("compare -q --time 0.2 --engine links --puzzle cover", "");
    assert_eq!(ran.code, 2, "{ran:?}");
}

#[test]
fn a_comparison_over_a_range_of_sizes_has_a_row_for_each_size() {
    let ran = run("compare -q --time 1 --engine links,naive --puzzle queens --range 4..7", "");
    assert_eq!(ran.code, 0, "{ran:?}");
    for size in ["4", "5", "6", "7", "last"] {
        row(&ran, size);
    }
    let ran =
        run("compare -q --time 1 --engine links --puzzle polyomino --range 2..3 dominoes:{}x4", "");
    assert!(row(&ran, "links").ends_with(" 16"), "5 and 11 tilings: {ran:?}");
    for bad in ["7..4", "x", "1..2..3", "1..9999"] {
        let ran = run(&format!("compare --puzzle queens --range {bad}"), "");
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.err.contains("expected two sizes such as 6..14"), "{ran:?}");
    }
}

#[test]
fn a_record_shows_the_changes_since_it_was_saved() {
    let folder = tempfile::tempdir().expect("a folder");
    let record = folder.path().join("record.json");
    let record = record.to_str().expect("a name");
    let ran = run(
        &format!("compare -q --time 0.5 --engine links,cells --save {record} --puzzle queens 6"),
        "",
    );
    assert_eq!(ran.code, 0, "{ran:?}");
    let text =
        std::fs::read_to_string(record).expect("a record").replace("\"nodes\": 93", "\"nodes\": 186");
    std::fs::write(record, text).expect("written");
    let since = |puzzle: &str| {
        run(
            &format!(
                "compare -q --time 0.5 --engine links --against {record} --puzzle queens {puzzle}"
            ),
            "",
        )
    };
    let ran = since("6");
    assert_eq!(ran.code, 0, "{ran:?}");
    let (_, changes) = ran.out.split_once("Since the record of 20").expect("changes");
    assert!(
        changes.contains("links") && changes.contains("-50.00%") && changes.contains("same"),
        "{ran:?}"
    );
    assert!(!changes.contains("cells"), "{ran:?}");
    let ran = since("7");
    assert_eq!((ran.code, ran.err.contains("another one than in the record")), (2, true), "{ran:?}");
    let ran = run("compare -q --engine links --puzzle queens 4 --against Cargo.toml", "");
    assert_eq!((ran.code, ran.err.contains("expected a record")), (2, true), "{ran:?}");
    let ran = run("compare -q --engine links --puzzle queens 4 --save nowhere/x.json", "");
    assert_eq!((ran.code, ran.err.contains("cannot write")), (2, true), "{ran:?}");
}

#[test]
fn a_comparison_is_written_in_all_forms_and_shown_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a name").to_owned();
    let [record, page, table, list, plots] = ["r.json", "r.html", "r.md", "r.csv", "plots"].map(path);
    let files = format!("--html {page} --markdown {table} --csv {list} --svg {plots}");
    let ran = run(
        &format!(
            "compare -q --time 0.3 --engine links,cells --save {record} {files} --puzzle queens --range 4..7"
        ),
        "",
    );
    assert_eq!(ran.code, 0, "{ran:?}");
    let read = |path: &str| std::fs::read_to_string(path).expect("written");
    let html = read(&page);
    assert!(html.contains("<svg") && html.contains("queens") && html.trim_end().ends_with("</html>"));
    assert!(!html.contains("http://") || !html.contains("src="), "nothing is loaded");
    assert!(read(&table).contains("| links |"));
    assert!(read(&list).lines().count() > 8, "four puzzles of two contenders and a head");
    for plot in ["bars", "growth", "profile", "scatter"] {
        assert!(read(&format!("{plots}/{plot}.svg")).starts_with("<svg"), "{plot}");
    }
    let again = path("again.html");
    let shown = run(&format!("compare -q --show {record} --html {again}"), "");
    assert_eq!((shown.code, &shown.out), (0, &ran.out));
    assert_eq!(read(&again), html);
    let bad = run(&format!("compare --show {page}"), "");
    assert_eq!((bad.code, bad.err.contains("expected a record of a comparison")), (2, true), "{bad:?}");
    let bad = run("compare --show nowhere.json --save x.json", "");
    assert_eq!(bad.code, 2, "{bad:?}");
}

#[test]
fn the_lesson_prints_ratios_of_times() {
    let ran = run("compare --lesson --time 0.2 --quiet", "");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(ran.out.lines().filter(|line| line.starts_with("## ")).count(), 5, "{ran:?}");
    assert!(ran.out.contains("times as fast as"), "{ran:?}");
    // The text does not present different quantities of two engines as the same quantity.
    let text = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("options that `cells` removed as a whole"), "{text}");
    let ran = run("compare --lesson --puzzle queens 8", "");
    assert_eq!(ran.code, 2, "{ran:?}");
}

#[cfg(unix)]
#[test]
fn solutions_of_other_programs_are_checked_against_the_rules() {
    let good = format!("good=sed s/.*/{SOLVED}/");
    let both = SOLVABLE.repeat(3);
    let ran = compare("-q --engine links --time 0.5", &[&good, "files=sed s/.*/{}/ {in}"], &both);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.err.contains("links and files disagree: 1 solutions against 0 solutions"), "{ran:?}");
    let out = format!("out=sed s/.*/3,{SOLVED}/ {{in}} > {{out}}");
    let ran = compare("-q --engine links --time 0.5", &[&good, &out], &both);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(row(&ran, "good").ends_with(" 3") && row(&ran, "out").ends_with(" 3"), "{ran:?}");
    // The program prints a solution with two digits exchanged.
    let wrong = format!("wrong=sed s/.*/{}/", SOLVED.replacen("53", "35", 1));
    let ran = compare("-q --engine links --time 0.5", &[&wrong], SOLVABLE);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.err.contains("puzzle") && ran.err.contains("wrong and the rules disagree"), "{ran:?}");
    assert!(ran.out.contains("No verdict"), "{ran:?}");
    // The program prints a solution of an unsolvable puzzle.
    let ran = compare("-q --engine links --time 0.5", &[&good], NO_SOLUTION);
    assert_eq!((ran.code, ran.err.contains("good and the rules disagree")), (1, true), "{ran:?}");
}

#[cfg(unix)]
#[test]
fn failing_programs_are_reported_and_the_others_continue() {
    let programs = [
        "crash=sh -c 'echo all is lost >&2; exit 7'",
        "hang=sleep 100",
        "silent=true",
        "none=/there/is/no/such/program",
        "endless=yes",
    ];
    let begun = std::time::Instant::now();
    let ran = compare("-q --engine links --time 0.5", &programs, SOLVABLE);
    assert!(begun.elapsed().as_secs() < 20, "{ran:?}");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(row(&ran, "crash").ends_with("exit status: 7 (all is lost)"), "{ran:?}");
    assert!(row(&ran, "hang").ends_with("stopped by --time"), "{ran:?}");
    assert!(row(&ran, "silent").ends_with("printed 0 lines for 1 puzzles"), "{ran:?}");
    assert!(row(&ran, "none").contains("cannot be started"), "{ran:?}");
    assert!(ran.out.contains("Only links finished."), "{ran:?}");
}

#[cfg(unix)]
#[test]
fn programs_can_be_compared_through_every_adapter() {
    let cover = "a b c\na b\nc\na\nb c\n";
    let programs = [
        "knuth:knuth=sh -c 'cat >&2; echo \"Altogether 2 solutions, 3+4 mems, 7 nodes.\" >&2'",
        "number:count=echo 2",
        "small:json=echo '{\"count\": 2}'",
        "large:json=echo '{\"count\": \"2\"}'",
        "covers:json=echo '{\"solutions\": [[0, 1], [3, 2]]}'",
    ];
    let ran = compare("-q --engine links,naive --time 0.5", &programs, cover);
    assert_eq!(ran.code, 0, "{ran:?}");
    for name in ["knuth", "number", "small", "large", "covers", "links"] {
        assert!(row(&ran, name).ends_with(" 2"), "{ran:?}");
    }
    assert!(row(&ran, "knuth").split_whitespace().any(|word| word == "7"), "{ran:?}");
    let other = ["covers:json=echo '{\"solutions\": [[0, 1], [0, 1]]}'"];
    let ran = compare("-q --engine links --time 0.5", &other, cover);
    assert_eq!((ran.code, ran.err.contains("digest")), (1, true), "{ran:?}");
    let none = ["covers:json=echo '{\"solutions\": [[0, 2]]}'"];
    let ran = compare("-q --engine links --time 0.5", &none, cover);
    assert_eq!((ran.code, ran.err.contains("disagree: wrong: ")), (1, true), "{ran:?}");
    let model = [
        "sat:dimacs=echo 's SATISFIABLE\nv 1 2 -3 -4 0'",
        "sat2:dimacs=printf 's SATISFIABLE\nv 1 2 -3 -4 0'",
    ];
    let ran = compare("-q --engine links --time 0.5", &model[1..], cover);
    assert_eq!((ran.code, row(&ran, "sat2").ends_with(" 1")), (0, true), "{ran:?}");
    let ran = compare("-q --engine links --time 0.5", &["sat:dimacs=echo s UNSATISFIABLE"], cover);
    assert_eq!((ran.code, ran.err.contains("1 solutions against 0")), (1, true), "{ran:?}");
    let ran = compare("-q --engine links --limit 5", &["sat:dimacs=echo s UNSATISFIABLE"], cover);
    assert!(ran.out.contains("sat: it finds one solution, and more are asked for"), "{ran:?}");
}

#[cfg(unix)]
#[test]
fn a_mismatch_is_shown_on_the_smallest_puzzle() {
    // The program misses all solutions that contain the option `b c`.
    let blind = ["blind:count=sh -c 'if grep -q \"^b c\" {in}; then echo 1; else echo 2; fi'"];
    let cover = "a b c d\na b\nc\na\nb c\nd\na d\n";
    let ran = compare("-q --engine links --time 0.5", &blind, cover);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.err.contains("smallest puzzle found on which they disagree:"), "{ran:?}");
    let (_, smallest) = ran.err.split_once("they disagree:\n").expect("a puzzle");
    assert!(smallest.lines().count() <= 3, "{ran:?}");
    let never = ["never=sed s/.*/none/"];
    let ran = compare("-q --engine links --time 0.5", &never, SOLVABLE);
    let (_, smallest) = ran.err.split_once("they disagree:\n").expect("a puzzle");
    assert_eq!(smallest.matches(['.', '0']).count(), 0, "a full grid is solved already: {ran:?}");
}

#[test]
fn a_program_needs_a_name_and_a_command() {
    for (bad, expected) in [
        ("x", "expected NAME=COMMAND or NAME:ADAPTER=COMMAND, found `x`"),
        ("=x", "expected NAME=COMMAND"),
        ("x=", "expected NAME=COMMAND"),
        ("x:y=z", "expected one of the adapters line, count, knuth, dimacs, json, found `y`"),
    ] {
        let ran = compare("-q", &[bad], SOLVABLE);
        assert_eq!((ran.code, ran.err.contains(expected)), (2, true), "{ran:?}");
    }
}
