//! The commands that use the decision diagram of all solutions.

use std::collections::BTreeSet;

use crate::command::run;

fn check_run(args: &str, input: &str, out: &str, code: i32) {
    let ran = run(args, input);
    assert_eq!((ran.out.as_str(), ran.code), (out, code), "{args}: {}", ran.err);
}

const PRICED: &str = "a b c\na |1\nb |2\nc |3\na b |1\nb c |5\n";

#[test]
fn the_solutions_that_contain_each_option_are_counted() {
    check_run("count --per-option", PRICED, "2\ta\n1\tb\n2\tc\n1\ta b\n1\tb c\n", 0);
    let json = "{\"puzzle\":1,\"file\":\"standard input\",\"kind\":\"cover\",\"count\":\"3\",\
                \"options\":[\"a\",\"b\",\"c\",\"a b\",\"b c\"],\"counts\":[\"2\",\"1\",\"2\",\"1\",\"1\"]}\n";
    let ran = run("count --per-option --json", PRICED);
    let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
    assert_eq!((value(&ran.out), ran.code), (value(json), 0), "{}", ran.err);
    check_run("count --histogram", PRICED, "4\t1\n6\t2\n", 0);
    check_run("count --per-option", "a b\na\n", "0\ta\n", 1);
}

#[test]
fn the_solutions_with_each_candidate_of_a_grid_are_counted() {
    let ran = run("count --per-option", "12.............4");
    let lines: Vec<&str> = ran.out.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!((lines.len(), ran.code), (17, 0), "{}", ran.err);
    let total: u32 = run("count", "12.............4").out.trim().parse().expect("a number");
    for line in &lines[1..] {
        let sum: u32 =
            line.split_whitespace().skip(1).map(|n| n.parse::<u32>().expect("a number")).sum();
        assert_eq!(sum, total, "{line}");
    }
}

#[test]
fn rank_and_unrank_are_inverse() {
    let grid = "1..............4";
    let count: usize = run("count", grid).out.trim().parse().expect("a number");
    let mut seen = BTreeSet::new();
    let all: Vec<String> = (0..count).map(|number| number.to_string()).collect();
    let ran = run(&format!("unrank {}", all.join(",")), grid);
    for line in ran.out.lines() {
        assert!(seen.insert(line.to_owned()), "each solution comes once");
    }
    assert_eq!((seen.len(), ran.code), (count, 0), "{}", ran.err);
    let listed: BTreeSet<String> = run("list", grid).out.lines().map(str::to_owned).collect();
    assert_eq!(seen, listed);
    // The solutions in a file have the original ranks.
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("solutions.txt");
    std::fs::write(&file, &ran.out).expect("it can be written");
    let numbers: String = all.iter().map(|number| number.clone() + "\n").collect();
    check_run(&format!("rank --solution {}", file.display()), grid, &numbers, 0);
    check_run(
        &format!("rank --solution {}", file.display()),
        "2...............",
        &"not a solution\n".repeat(count),
        1,
    );
    let ran = run(&format!("unrank {count}"), grid);
    let err = format!(
        "puzzle 1: there are {count} solutions, numbered from 0, so none has the number {count}\n"
    );
    assert_eq!((ran.out.as_str(), ran.err, ran.code), ("", err, 2));
}

#[test]
fn solutions_of_every_kind_are_ranked() {
    for (puzzle, kind) in [
        ("puzzles/cover/colored.dlx", ""),
        ("puzzles/cover/steiner-7.dlx", ""),
        ("puzzles/langford/seven.txt", ""),
        ("puzzles/queens/empty-8.txt", ""),
        ("puzzles/polyomino/pentominoes-3x20.poly", ""),
        ("5", "--puzzle langford"),
        ("puzzles/latin/empty-4.txt", ""),
    ] {
        let count = run(&format!("count {kind} {puzzle}"), "").out;
        let count: u64 = count.trim().parse().expect("a number");
        if count == 0 {
            continue;
        }
        let number = count / 3;
        let ran = run(&format!("unrank {number} {kind} {puzzle}"), "");
        assert_eq!(ran.code, 0, "{puzzle}: {}", ran.err);
        check_run(&format!("rank --solution - {kind} {puzzle}"), &ran.out, &format!("{number}\n"), 0);
    }
}

#[test]
fn the_same_seed_gives_the_same_samples() {
    let grid = "1..............4\n";
    let [one, same, other] = [5, 5, 6].map(|seed| run(&format!("sample -n 8 --seed {seed}"), grid).out);
    assert_eq!(one, same);
    assert_ne!(one, other);
    assert_eq!(one.lines().count(), 8);
    let listed = run("list", grid).out;
    assert!(one.lines().all(|line| listed.contains(line)));
    check_run("sample -n 3", "a b\na\n", "no solution\n", 1);
    let begins = "{\"puzzle\":1,\"file\":\"standard input\",\"line\":1,\"kind\":\"sudoku\",";
    for command in ["sample --json", "unrank 0 --json"] {
        let ran = run(command, grid);
        assert!(ran.out.starts_with(begins), "{}", ran.out);
    }
}

#[test]
fn a_diagram_that_is_too_large_is_refused_up_front() {
    let ran = run("count --per-option", &(".".repeat(81) + "\n"));
    assert_eq!((ran.out.as_str(), ran.code), ("", 3));
    assert!(
        ran.err.starts_with("puzzle 1: the diagram of all solutions would take about "),
        "{}",
        ran.err
    );
}

#[test]
fn a_diagram_is_written_and_read_back() {
    let written = run("convert --to zdd", "a b\na\nb\na b\n");
    assert_eq!(written.code, 0, "{}", written.err);
    assert!(written.out.contains("\n.\n"), "{}", written.out);
    check_run("count --from zdd", &written.out, "2\n", 0);
    let mut counts: Vec<String> =
        run("count --from zdd --per-option", &written.out).out.lines().map(str::to_owned).collect();
    counts.sort();
    assert_eq!(counts, ["1\ta", "1\ta b", "1\tb"]);
    check_run("unrank 0 --from zdd", "1 1 B T\n.\n", "x1\n", 0);
    let ran = run("count --from zdd", "1 1 B\n.\n");
    let message = "standard input:1:1: expected a node `number variable low high` or `.`, found `1`";
    assert!(ran.err.starts_with(message), "{}", ran.err);
    assert_eq!(ran.code, 2);
    for line in ["x0 = a", "1 x0 = a", "0 x1 = a", "x2 = a\nx3 = b\n4 x9 = c"] {
        let ran = run("count --from zdd", &format!("2 1 B T\n.\n{line}\n"));
        assert!(ran.err.contains("expected a number from 1 to"), "{line}: {}", ran.err);
        assert_eq!(ran.code, 2, "{line}");
    }
    let ran = run("solve --from zdd", "1 1 B T\n.\n");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("invalid value 'zdd' for '--from <FORMAT>'"), "{}", ran.err);
}
