//! Limits are obeyed in every phase of every command: time, nodes, memory, Ctrl-C and termination
//! signals.
//!
//! `cases` lists the commands, and the bench `limits` prints the overshoot of each. The bounds in
//! this test are large because other programs may be running.

mod cases;

use self::cases::{CASES, Case, How, Outcome};
use crate::command::run;

/// Largest accepted overshoot in processor time (s) and in memory (MiB). The time is ten times the
/// promised overshoot, and the memory equals the promised one.
const LATE_MAX: f64 = 1.0;
const OVER_MAX: f64 = 64.0;

fn check(case: &Case) {
    let folder = tempfile::tempdir().expect("a folder");
    // An `InterruptAt` may arrive before its phase begins or after the answer is complete.
    let is_missed = |outcome: &Outcome| {
        matches!(case.how, How::InterruptAt(_)) && (outcome.code == 0 || outcome.out.is_empty())
    };
    let mut tries = (0..20).map(|_| case.run(env!("CARGO_BIN_EXE_farandole"), folder.path()));
    let outcome = tries.find(|outcome| !is_missed(outcome)).expect("one of twenty comes in the phase");
    let about = format!("{} ({:?}): {}\n{}", case.args(), case.how, outcome.err, outcome.out.len());
    assert_eq!(outcome.code, case.code, "{about}");
    // Files are either complete or absent.
    let kept = std::fs::read_dir(folder.path().join("kept")).expect("the folder is there").count();
    assert!(kept == 0 || case.phase != "pictures", "{about}: {kept} files are left");
    // A count that was stopped after the puzzle was built still prints the lower bound found so
    // far.
    let has_number = outcome.out.lines().last().is_some_and(|line| line.ends_with('+'));
    let is_unmade = ["while the text was read", "while the clues were compiled"];
    // A journal begins once the clues are translated, so an earlier stop has no number.
    let is_before_journal = case.phase == "translating clues" && case.args.contains("--journal");
    let is_made = case.phase != "placements"
        && !is_before_journal
        && !is_unmade.iter().any(|words| outcome.err.contains(words));
    let is_count = case.args.starts_with("count") && !case.args.contains("--per-option");
    assert!(has_number || !is_count || !is_made, "{about}: {}", outcome.out);
    let is_asked = case.args.contains("--per-option");
    let limit = match case.how {
        How::Time(_) if case.phase == "sizing" && is_asked => "takes more time than allowed",
        How::Time(_) if case.phase == "estimate" => "no time for an estimate",
        How::Time(_) => "time limit reached",
        How::Memory(_) if case.phase == "placements" => "are allowed (--memory)",
        How::Memory(_) => "limit reached",
        How::Nodes(_) => "node limit reached",
        How::Interrupt(_) | How::Terminate(_) | How::InterruptAt(_) => "",
    };
    assert!(outcome.err.contains(limit), "{about}");
    assert!(
        outcome.late < LATE_MAX || matches!(case.how, How::Memory(_)),
        "{about}: {} s late",
        outcome.late
    );
    assert!(outcome.over.is_none_or(|over| over < OVER_MAX), "{about}: {:?} MiB over", outcome.over);
}

#[test]
fn every_command_stops_at_its_limit_in_every_phase() {
    CASES.iter().for_each(check);
}

#[test]
fn an_impossible_board_size_is_reported_before_placements_are_built() {
    let ran = run("solve --memory 100M --puzzle polyomino 510x510", "");
    assert_eq!((ran.code, &*ran.out), (2, ""));
    assert!(
        ran.err.starts_with("510x510: expected a board of 60 cells for the pentominoes"),
        "{}",
        ran.err
    );
}

#[test]
fn memory_refused_by_the_system_ends_a_command_like_a_limit() {
    // Half of the address space that `ulimit` leaves is the default memory limit.
    let program = env!("CARGO_BIN_EXE_farandole");
    for args in [
        "count --threads 1 --time 3 --puzzle polyomino one-sided-pentominoes:6x15",
        "count --threads 1 --time 3 --engine frontier --puzzle queens 16",
        // The option `--memory` overrides this default, so in the end the system refuses memory.
        "count --threads 1 --time 30 --memory 4G --engine frontier --puzzle queens 16",
    ] {
        let ran = std::process::Command::new("sh")
            .args(["-c", &format!("ulimit -v 300000; exec {program} {args}")])
            .output()
            .expect("a shell");
        let err = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(3), "{args}: {err}");
        assert!(err.contains("limit reached") || err.contains("out of memory"), "{args}: {err}");
    }
}

#[test]
fn the_memory_limit_applies_to_each_puzzle_of_a_batch() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path.display().to_string()
    };
    let large = file("large.dlx", &"a b c\n".repeat(1_000_000));
    let small = file("small.dlx", "a b\na\nb\na b\n");
    let args = format!("count --threads 1 --memory 1M {large} {small} {large} {small}");
    let ran = run(&args, "");
    assert_eq!((ran.code, &*ran.out), (3, "2\n2\n"), "{}", ran.err);
}
