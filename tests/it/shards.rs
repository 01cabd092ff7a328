//! `split`, `work` and `merge`: a count on many machines, and the recipes of the guide.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::command::{Ran, finish};

/// Runs lines of the shell in a folder, where `farandole` is the program under test.
fn shell(folder: &Path, lines: &str) -> Ran {
    let program = Path::new(env!("CARGO_BIN_EXE_farandole"));
    let programs = program.parent().expect("a folder").display();
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("PATH='{programs}':\"$PATH\"; {lines}")]).current_dir(folder);
    finish(shell, "")
}

fn check(folder: &Path, lines: &str, out: &str, code: i32) {
    let ran = shell(folder, lines);
    assert_eq!((ran.out.as_str(), ran.code), (out, code), "{lines}: {}", ran.err);
}

fn refusal(folder: &Path, lines: &str) -> String {
    let ran = shell(folder, lines);
    assert_eq!((ran.out.as_str(), ran.code), ("", 2), "{lines}: {}", ran.err);
    ran.err
}

fn refused(folder: &Path, lines: &str, said: &str) {
    let message = refusal(folder, lines);
    assert!(message.contains(said), "{lines}: `{said}` in {message}");
}

#[test]
fn parts_of_the_shards_of_every_kind_of_problem_add_up_to_the_count() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let sudoku = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..\n";
    fs::write(folder.join("sudoku.txt"), sudoku.replacen('8', ".", 1)).unwrap();
    fs::write(
        folder.join("sets.dlx"),
        "0:3|a 2|b c | x y\na b x:1\na\nb c y\nb x:2\na b c\nc x:1\na y\nb\nc\n",
    )
    .unwrap();
    fs::write(folder.join("none.dlx"), "a b\na\n").unwrap();
    for (number, puzzle) in (0..).zip([
        "--puzzle queens 9",
        "--puzzle langford 8",
        "--puzzle latin 5",
        "sudoku.txt",
        "sets.dlx",
        "none.dlx",
    ]) {
        let counted = shell(folder, &format!("farandole count {puzzle}"));
        for shards in [1, 9, 60] {
            let lines = format!(
                "farandole split --shards {shards} {puzzle} > shards && rm -f r-* && for part in 1 2 3; do farandole work \
                 --threads 1 --part $part/3 shards > r-$part || exit 9; done; farandole merge r-*; code=$?; cat r-* | \
                 farandole merge; exit $code"
            );
            let out = counted.out.repeat(2);
            check(folder, &lines, &out, counted.code);
        }
        assert!(counted.code < 2, "{number}: {}", counted.err);
    }
}

#[test]
fn a_shard_that_takes_too_long_is_split_and_its_parts_take_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    check(
        folder,
        "farandole split --shards 4 --puzzle queens 9 > s; farandole work --time 0 s > r1",
        "",
        3,
    );
    let left = fs::read_to_string(folder.join("r1")).unwrap();
    assert!(left.lines().count() > 20 && !left.contains("\"result\""), "{left}");
    refused(folder, "farandole merge r1", "the part `root` is missing");
    check(folder, "farandole work r1 > r2; farandole merge r1 r2", "352\n", 0);
    // What was counted after all and its parts are too much.
    refused(folder, "farandole work s > r3; farandole merge r2 r3", " overlap");
    // What is counted already is left out.
    check(
        folder,
        "cat r1 > all; tail -n +2 r2 >> all; farandole work all > again; wc -l < again",
        "1\n",
        0,
    );
}

#[test]
fn what_is_left_of_a_killed_worker_is_enough_to_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let make = "farandole split --shards 2 --puzzle queens 7 > s; farandole work --time 0 s > whole";
    check(folder, make, "", 3);
    let text = fs::read_to_string(folder.join("whole")).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    assert!(text.contains("\"split\"") && lines.len() > 10, "{text}");
    for len in 1..=lines.len() {
        // Some of the lines, and the beginning of another.
        let next = lines.get(len).map_or("", |line| &line[..line.len() / 2]);
        fs::write(folder.join("r1"), lines[..len].concat() + next).unwrap();
        check(folder, "farandole work s r1 > r2; farandole merge r1 r2", "40\n", 0);
    }
    // Counts of some of the parts stay what they are.
    check(folder, "farandole work whole > r2; head -6 r2 > r3; farandole work s r3 whole > r4", "", 0);
    check(folder, "farandole merge r3 r4", "40\n", 0);
}

#[test]
fn merge_names_what_is_missing_changed_foreign_or_overlapping() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let make = "farandole split --shards 20 --puzzle queens 8 > s; farandole work s > r; \
                farandole split --shards 20 --puzzle queens 7 > s7; farandole work s7 > r7; \
                farandole split --shards 5 --puzzle queens 8 > s5; farandole work s5 > r5";
    check(folder, make, "", 0);
    check(folder, "farandole merge r", "92\n", 0);
    check(folder, "farandole merge r r r", "92\n", 0);
    refused(folder, "sed 4d r > x; farandole merge x", "the part `");
    refused(folder, "sed '5s/count\":\"/&1/' r > x; farandole merge x", "x:5: expected the check ");
    refused(
        folder,
        "farandole merge r r7",
        "r7:1: expected a part of the same count as in r:1, with the digest ",
    );
    refused(folder, "head -1 r > x; tail -1 r7 >> x; farandole merge x", " is not one of this problem");
    let overlap = refusal(folder, "farandole merge r r5");
    assert!(overlap.contains(" overlap (r") && overlap.matches(':').count() == 2, "{overlap}");
    // A line with another count and the check that belongs to it.
    let text = fs::read_to_string(folder.join("r")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let (sealed, _) = lines[4].rsplit_once(",\"check\"").unwrap();
    let other = sealed.replacen("\"count\":\"", "\"count\":\"1", 1);
    let check_of_other = dlx::shards::Sha256Digest::of_bytes(other.as_bytes()).short();
    let other = format!("{}\n{other},\"check\":\"{check_of_other:016x}\"}}\n", lines[0]);
    fs::write(folder.join("other"), other).unwrap();
    let message = refusal(folder, "farandole merge r other");
    assert!(message.starts_with("other:2: shard ") && message.contains(" (r:5)"), "{message}");
    let json = shell(folder, "farandole merge --json r");
    assert!(json.out.starts_with("{\"count\":\"92\",\"shards\":2"), "{}", json.out);
    refused(folder, "farandole work s s7", "s7:1: expected shards with the digest ");
    refused(folder, "head -1 s > x; tail -1 s7 >> x; farandole work x", "x:2: expected the shard ");
    refused(folder, "farandole work --part 0/3 s", "expected a part of so many such as 3/16");
    refused(folder, "farandole merge nowhere", "nowhere: cannot read: ");
    refused(
        folder,
        "echo '{}' > x; farandole work x",
        "x:1: expected a JSON object that ends with its check",
    );
    refused(folder, ": > x; farandole merge x", "x: expected a file of shards, found nothing");
    let torn = shell(folder, "head -c -5 r > x; farandole merge x");
    assert_eq!((torn.out.as_str(), torn.code), ("", 2));
    assert!(
        torn.err.contains("x: dropped the last line") && torn.err.contains("is missing"),
        "{}",
        torn.err
    );
    // A journal has results as well.
    let journal = "farandole count --journal j --shards 20 --puzzle queens 8 > out; farandole merge j";
    check(folder, journal, "92\n", 0);
}

#[test]
fn the_recipes_for_many_processes_run() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    check(folder, "farandole split --shards 40 --puzzle queens 9 > shards.jsonl", "", 0);
    let by = "seq 4 | xargs -P 2 -I{} sh -c 'farandole work --threads 1 --part {}/4 shards.jsonl > results-{}.jsonl'";
    check(folder, &format!("{by}; farandole merge results-*.jsonl"), "352\n", 0);
    let array = "for SLURM_ARRAY_TASK_ID in 1 2 3; do farandole work --threads 1 --part $SLURM_ARRAY_TASK_ID/3 \
                 shards.jsonl > array-$SLURM_ARRAY_TASK_ID.jsonl; done; farandole merge array-*.jsonl";
    check(folder, array, "352\n", 0);
    let pipe = "farandole split --shards 40 --puzzle queens 9 | farandole work | farandole merge";
    check(folder, pipe, "352\n", 0);
    let parallel = "farandole work --threads 1 --part {}/4 shards.jsonl '>' parallel-{}.jsonl";
    let parallel = format!(
        "command -v parallel > found || {{ echo 352; exit 0; }}; seq 4 | parallel --will-cite {parallel}; farandole \
         merge parallel-*.jsonl"
    );
    check(folder, &parallel, "352\n", 0);
}
