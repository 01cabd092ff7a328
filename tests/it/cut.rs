//! Counts, and questions about all solutions, stop at a limit or a signal in every phase.

use std::process::{Command, Stdio};
use std::time::Duration;

use wait4::Wait4;

use crate::command::{command, run};

/// Accepted processor time after a limit (s), large because builds are unoptimized and machines may
/// be busy.
const OVERTIME: f64 = 2.0;

/// Waits for a command. Returns its exit code and its processor time (s).
fn wait(mut command: Command) -> (Option<i32>, f64) {
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    let used = child.wait4().expect("it ends");
    let seconds = |time: Duration| time.as_secs_f64();
    (used.status.code(), seconds(used.rusage.utime) + seconds(used.rusage.stime))
}

#[test]
fn diagram_queries_end_at_their_time_limit() {
    for args in [
        "count --per-option --time 0.01 --puzzle queens 60",
        "count --histogram --time 0.01 --puzzle queens 100",
        "count --per-option --time 0.01 --puzzle latin 20",
        "sample --time 0.05 -n 200000000 --puzzle queens 8",
        "sample --json --time 0.05 -n 200000000 --puzzle queens 8",
        "unrank 0 --time 0.01 --puzzle latin 20",
    ] {
        let (code, seconds) = wait(command(args));
        assert_eq!(code, Some(3), "{args}");
        assert!(seconds < OVERTIME, "{args}: {seconds} s");
    }
}

#[test]
fn estimates_and_traces_end_at_their_time_limit() {
    let out = std::env::temp_dir().join(format!("farandole-{}.trace", std::process::id()));
    let trace = format!("count --time 0.1 --trace {} --puzzle latin 20", out.display());
    for args in ["estimate --time 0.1 --puzzle latin 20", &trace] {
        let (code, seconds) = wait(command(args));
        assert_eq!(code, Some(3), "{args}");
        assert!(seconds < OVERTIME, "{args}: {seconds} s");
    }
    // Ignore errors, because the trace may not exist.
    let _ = std::fs::remove_file(out);
}

#[test]
fn an_interrupted_sample_is_complete_json() {
    // The time is long enough for some solutions even on a busy machine.
    let ran = run("sample --json --time 0.5 -n 200000000 --puzzle queens 8", "");
    assert_eq!(ran.code, 3, "{}", ran.err);
    let value: serde_json::Value = serde_json::from_str(&ran.out).expect("one object");
    assert_eq!(value["complete"], false);
    assert_eq!(value["count"], "92");
    assert!(value["solutions"].as_array().is_some_and(|solutions| !solutions.is_empty()));
}

#[test]
fn an_interrupted_count_reports_the_solutions_of_plain_search() {
    let ran = run("count --time 2 --threads 1 --json --puzzle queens 18", "");
    assert_eq!(ran.code, 3, "{}", ran.err);
    let value: serde_json::Value = serde_json::from_str(&ran.out).expect("one object");
    let number = |name: &str| value[name].as_str().and_then(|digits| digits.parse::<u64>().ok());
    let nodes = value["nodes"].as_u64().expect("a number");
    // The trial before the counting methods start finds a few hundred solutions.
    assert!(number("count").is_some_and(|count| count > 300), "{}", ran.out);
    assert!(nodes > 20_000, "{}", ran.out);
}

#[test]
fn options_without_effect_on_a_diagram_are_refused() {
    for option in ["--stats", "--threads 2", "--profile", "--nodes 3"] {
        let ran = run(&format!("count --per-option {option} --puzzle queens 6"), "");
        assert_eq!(ran.code, 2, "{option}");
    }
}

#[test]
fn rank_and_unrank_agree_on_options_that_differ_only_in_cost() {
    let file = std::env::temp_dir().join(format!("farandole-alike-{}.dlx", std::process::id()));
    std::fs::write(&file, "a b\na\na |1\na |5\nb |1\nb\n").expect("it can be written");
    let name = file.display();
    let solutions = run(&format!("unrank 0,1,2,3,4,5 {name}"), "");
    assert_eq!(solutions.code, 0, "{}", solutions.err);
    let ran = run(&format!("rank --solution - {name}"), &solutions.out);
    assert_eq!(ran.out, "0\n1\n2\n3\n4\n5\n", "{}", solutions.out);
    // No option has the cost 2.
    let ran = run(&format!("rank --solution - {name}"), "a |2\nb\n");
    assert_eq!(ran.out, "not a solution\n");
    std::fs::remove_file(&file).expect("it is there");
}
