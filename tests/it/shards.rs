//! The commands `split`, `work` and `merge`, and the recipes of the guide for several machines.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::command::{Ran, finish};

/// Runs shell lines in a folder, where `farandole` is the program under test.
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
fn shards_of_every_kind_of_problem_add_up_to_the_count() {
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
fn a_shard_that_takes_too_long_is_replaced_by_its_parts() {
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
    // If a shard is counted after it was split, its count overlaps with the counts of its parts.
    refused(folder, "farandole work s > r3; farandole merge r2 r3", " overlap");
    // Shards that were counted already are skipped.
    check(
        folder,
        "cat r1 > all; tail -n +2 r2 >> all; farandole work all > again; wc -l < again",
        "1\n",
        0,
    );
}

#[test]
fn the_command_work_resumes_from_the_output_of_a_killed_worker() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let make = "farandole split --shards 2 --puzzle queens 7 > s; farandole work --time 0 s > whole";
    check(folder, make, "", 3);
    let text = fs::read_to_string(folder.join("whole")).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    assert!(text.contains("\"split\"") && lines.len() > 10, "{text}");
    for len in 1..=lines.len() {
        // Write the first lines completely and a part of the next one.
        let next = lines.get(len).map_or("", |line| &line[..line.len() / 2]);
        fs::write(folder.join("r1"), lines[..len].concat() + next).unwrap();
        check(folder, "farandole work s r1 > r2; farandole merge r1 r2", "40\n", 0);
    }
    // The counts of some of the parts are still valid.
    check(folder, "farandole work whole > r2; head -6 r2 > r3; farandole work s r3 whole > r4", "", 0);
    check(folder, "farandole merge r3 r4", "40\n", 0);
}

#[test]
fn the_command_merge_names_missing_changed_foreign_and_overlapping_shards() {
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
    // The line has a wrong count and a matching checksum.
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
    // `merge` also accepts a journal.
    let journal = "farandole count --journal j --shards 20 --puzzle queens 8 > out; farandole merge j";
    check(folder, journal, "92\n", 0);
}

#[test]
fn the_command_work_prints_a_digest_of_solutions_and_merge_refuses_different_digests() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let make = "farandole split --shards 12 --puzzle queens 8 > s; farandole work --digest --threads 1 s > r1; farandole \
                work --digest --threads 3 s > r3; farandole work s > r; farandole merge r r1 r3";
    check(folder, make, "92\n", 0);
    let json = |files: &str| -> serde_json::Value {
        let ran = shell(folder, &format!("farandole merge --json {files}"));
        serde_json::from_str(&ran.out).expect("an object")
    };
    // Only one of several equivalent choices of the first row is counted here, so this is not the
    // digest of all solutions.
    let merged = json("r1 r3");
    let weights = fs::read_to_string(folder.join("s")).unwrap();
    let is_plain = weights.lines().skip(1).all(|line| line.contains("\"weight\":\"1\""));
    assert_eq!(merged.get("covers_digest").is_some(), is_plain);
    assert!(merged["nodes"].as_u64() > Some(0), "{merged}");
    assert_eq!(json("r").get("covers_digest"), None, "methods of counting see no solution");
    // For a problem without symmetry, the digest covers all solutions and does not depend on the
    // number of shards.
    fs::write(folder.join("p.dlx"), "a b c d\na\na b\nb c\nb\nc d\nc\nd\na d\n").unwrap();
    let digest = |shards: u32| {
        let make =
            format!("farandole split --shards {shards} p.dlx > s; farandole work --digest s > d");
        check(folder, &make, "", 0);
        (json("d").get("covers_digest").cloned(), fs::read_to_string(folder.join("s")).unwrap())
    };
    let (whole, _) = digest(1);
    assert!(whole.is_some());
    for shards in [2, 4] {
        let (parts, lines) = digest(shards);
        if lines.lines().skip(1).all(|line| line.contains("\"weight\":\"1\"")) {
            assert_eq!(parts, whole, "{shards}");
        }
    }
    // The line has a wrong digest and a matching checksum.
    let text = fs::read_to_string(folder.join("r1")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let (sealed, _) = lines[2].rsplit_once(",\"check\"").unwrap();
    let place = sealed.find("covers_digest\":\"").unwrap() + 16;
    let digit = if sealed.as_bytes()[place] == b'0' { "1" } else { "0" };
    let other = format!("{}{digit}{}", &sealed[..place], &sealed[place + 1..]);
    let check_of_other = dlx::shards::Sha256Digest::of_bytes(other.as_bytes()).short();
    let other = format!("{}\n{other},\"check\":\"{check_of_other:016x}\"}}\n", lines[0]);
    fs::write(folder.join("other"), other).unwrap();
    let message = refusal(folder, "farandole merge r1 other");
    assert!(
        message.contains(" has covers with the digests ") && message.contains(" (r1:3)"),
        "{message}"
    );
}

#[test]
fn the_command_split_warns_if_counting_without_shards_is_faster() {
    let folder = tempfile::tempdir().unwrap();
    let ran = shell(folder.path(), "farandole split --shards 4 --puzzle polyomino dominoes:14x14 > s");
    assert_eq!(ran.code, 0);
    assert!(ran.err.starts_with("in one piece this is counted in about "), "{}", ran.err);
    assert!(ran.err.ends_with(": see `farandole count`\n"), "{}", ran.err);
    let ran = shell(folder.path(), "farandole split --shards 4 --puzzle queens 8 > s");
    assert_eq!((ran.err.as_str(), ran.code), ("", 0));
}

#[test]
fn the_commands_split_and_work_ignore_a_closed_pipe_and_exit_with_130_at_an_interrupt() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // The output is larger than the buffer of a pipe.
    let split = "farandole split --shards 3000 --puzzle queens 11";
    for (command, code) in [(split, 0), ("farandole work s", 0), ("farandole work --time 0 s", 0)] {
        let lines = format!("{split} > s; ({command}; echo $? > code) | head -1 > out; cat code");
        check(folder, &lines, &format!("{code}\n"), 0);
    }
    check(folder, "farandole work s | farandole merge", "2680\n", 0);
    // Interrupt `split` and `work` during long work, and interrupt `work` while it waits for input.
    let end = "timeout --preserve-status -s INT";
    check(
        folder,
        &format!("{end} 1 farandole split --shards 1000000 --puzzle queens 20 > x; echo $?"),
        "130\n",
        0,
    );
    check(folder, "farandole split --shards 30 --puzzle queens 19 > s 2> word", "", 0);
    check(
        folder,
        &format!("{end} 3 farandole work s > r; echo $?; head -c 13 r"),
        "130\n{\"farandole\":",
        0,
    );
    for command in ["merge", "work"] {
        check(folder, &format!("sleep 3 | ({end} 1 farandole {command}; echo $?)"), "130\n", 0);
    }
}

/// Returns the shell blocks of the guide about several processes or machines.
fn recipes() -> Vec<String> {
    let guide = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/GUIDE.md"))
        .expect("the guide");
    let blocks = guide.split("```sh ignore\n").skip(1).filter_map(|rest| rest.split("```").next());
    let is_one = |block: &&str| block.contains("shards.jsonl") || block.contains("sbatch");
    blocks.filter(is_one).map(str::to_owned).collect()
}

/// Shell functions that replace the other programs in the recipes, so that the recipes run on any
/// machine. A node is another shell, and jobs run one after the other.
const STAND_INS: &str = r#"
ssh() { shift; sh -c "$*"; }
srun() { "$@"; }
sbatch() {
    script=; for word in "$@"; do case $word in *.sbatch) script=$word;; esac; done
    if [ -z "$script" ]; then shift $(($# - 1)); sh -c "$1"; return; fi
    last=$(sed -n 's/^#SBATCH --array=1-\([0-9]*\).*/\1/p' "$script")
    for SLURM_ARRAY_TASK_ID in $(seq "$last"); do . "./$script"; done
    echo 7
}
command -v parallel > parallel.found || parallel() {
    while read -r number; do eval "$(echo "$*" | sed "s/{}/$number/g")"; done
}
"#;

#[cfg(unix)]
#[test]
fn the_recipes_of_the_guide_for_many_machines_run() {
    let recipes = recipes();
    assert_eq!(recipes.len(), 7, "{recipes:?}");
    let mut names = Vec::new();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (number, recipe) in recipes.iter().enumerate() {
        let recipe = recipe.replace("queens 17", "queens 9").replace("1000", "90");
        if recipe.starts_with("#!") {
            fs::write(folder.join("queens.sbatch"), recipe).unwrap();
            continue;
        }
        let (name, out) = match recipe.split(['|', ' ', '=']).collect::<Vec<_>>()[..] {
            [_, "split", ..] => ("split", ""),
            [_, "work", ..] => ("rest", "352\n"),
            ["seq", _, "", "", tool, ..] => (tool, "352\n"),
            ["array", ..] => ("slurm", "352\n"),
            ["for", ..] => ("ssh", "352\n"),
            _ => panic!("{number}: {recipe}"),
        };
        // Each recipe starts without results. Only the last one continues after a machine has
        // failed.
        let before = match name {
            "rest" => "head -c 2000 results-2.jsonl > x; mv x results-2.jsonl; : > results-3.jsonl;",
            _ => "rm -f results-*.jsonl;",
        };
        let ran = shell(folder, &format!("{STAND_INS}\n{before}\n{recipe}"));
        assert_eq!((ran.out.as_str(), ran.code), (out, 0), "{recipe}: {}", ran.err);
        if name == "rest" {
            let said = "results-3.jsonl: left out, since not one line of it was written";
            assert_eq!(ran.err.matches(said).count(), 2, "{}", ran.err);
        }
        names.push(name.to_owned());
    }
    assert_eq!(names, ["split", "parallel", "xargs", "slurm", "ssh", "rest"]);
}
