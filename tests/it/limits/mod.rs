//! Limits are obeyed in every phase of every command: time, nodes, memory, Ctrl-C and termination
//! signals.
//!
//! `cases` lists the commands, and the bench `limits` prints the overshoot of each. The bounds in
//! this test are large because other programs may be running.

mod cases;

use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use self::cases::{CASES, Case, How, Outcome};
use crate::command::{run, sample};

const PROGRAM: &str = env!("CARGO_BIN_EXE_farandole");
/// Largest accepted overshoot in processor time (s): ten times the promised one.
const LATE_MAX: f64 = 1.0;
/// Memory of the program itself (MiB), which an unoptimized build needs for its code.
const PROGRAM_SIZE: f64 = 24.0;

/// Returns the promised overshoot in memory (MiB) for a limit.
fn over_max(how: How) -> f64 {
    let How::Memory(limit) = how else { return 0.0 };
    16.0 + limit as f64 / 5.0 + PROGRAM_SIZE
}

fn check(case: &Case) {
    let folder = tempfile::tempdir().expect("a folder");
    // An `InterruptAt` may arrive before its phase begins or after the answer is complete.
    let is_missed = |outcome: &Outcome| {
        matches!(case.how, How::InterruptAt(_)) && (outcome.code == 0 || outcome.out.is_empty())
    };
    let mut tries = (0..20).map(|_| case.run(PROGRAM, folder.path()));
    let outcome = tries
        .find(|outcome| !is_missed(outcome))
        .unwrap_or_else(|| panic!("{}: none of twenty comes in the phase", case.args()));
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
    let is_asked = ["--per-option", "--histogram", "rank "].iter().any(|word| case.args.contains(word));
    let is_count = case.args.starts_with("count") && !is_asked;
    assert!(has_number || !is_count || !is_made, "{about}: {}", outcome.out);
    let limit = match case.how {
        How::Time(_) if case.phase == "sizing" && is_asked => "takes more time than allowed",
        How::Time(_) if case.phase == "drawing" => "solutions printed",
        How::Time(_) if case.phase == "estimate" => "no time for an estimate",
        How::Time(_) => "time limit reached",
        How::Memory(_) if case.phase == "placements" => "are allowed (--memory)",
        How::Memory(_) if case.phase == "sizing" => "takes more memory than allowed",
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
    let over_max = over_max(case.how);
    assert!(outcome.over.is_none_or(|over| over < over_max), "{about}: {:?} MiB over", outcome.over);
}

#[test]
fn every_command_stops_at_its_limit_in_every_phase() {
    sample(CASES, CASES.len() / 3).into_iter().for_each(check);
}

/// Returns a large random problem: few or many items, with or without secondary items, bounds and
/// colors.
fn random_problem(seed: u64) -> String {
    let mut random = fastrand::Rng::with_seed(seed);
    let item_count = [100, 500, 1500, 4000, 20_000][random.usize(..5)];
    let size = [2, 3, 6, 12][random.usize(..4)];
    let option_count = [20_000, 75_000, 300_000][random.usize(..3)].min(1_500_000 / size);
    let primary_count = [item_count, item_count / 2][random.usize(..2)];
    let (has_bounds, has_colors) = (random.usize(..3) == 0, random.bool());
    let mut text = String::new();
    for item in 0..item_count {
        text += if item == primary_count { "| " } else { "" };
        if has_bounds && item < primary_count && random.usize(..3) == 0 {
            text += &format!("{}:{}|", random.usize(..2), random.usize(2..5));
        }
        text += &format!("i{item} ");
    }
    for _ in 0..option_count {
        text += "\n";
        let mut items: Vec<_> = (0..size).map(|_| random.usize(..item_count)).collect();
        items.sort_unstable();
        items.dedup();
        for item in items {
            text += &format!("i{item}");
            text += if has_colors && item >= primary_count {
                [":r ", ":g ", ":b "][random.usize(..3)]
            } else {
                " "
            };
        }
    }
    text + "\n"
}

#[test]
fn every_command_stops_at_its_limits_on_random_problems() {
    /// Time limit of each phase (s).
    const TIME: f64 = 1.0;
    let folder = tempfile::tempdir().expect("a folder");
    for seed in sample(0..30, 2) {
        let text = random_problem(seed);
        for (command, memory) in [
            ("solve --threads 1", 30),
            ("count --threads 1", 60),
            ("count --threads 2", 40),
            ("list --threads 1 --limit 100000", 100),
            ("sample", 50),
            ("convert --to opb", 60),
        ] {
            let args = format!("{command} --time {TIME} --puzzle cover").leak();
            let how = How::Memory(memory);
            let case = Case { phase: "search", args, input: None, how, code: 3 };
            let outcome = case.run_on(Some(text.clone()), PROGRAM, folder.path());
            let about = format!("{seed}: {args}, {memory} MiB: {} {}", outcome.code, outcome.err);
            assert!((0..=3).contains(&outcome.code), "{about}");
            let (over, late) = (outcome.over.expect("a memory limit"), outcome.late);
            assert!(over < over_max(how), "{about}: {over} MiB over");
            // The limit applies to building and to searching, on each of two threads.
            assert!(late < 4.0 * TIME + LATE_MAX, "{about}: {late} s");
        }
    }
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
    for args in [
        "count --threads 1 --time 3 --puzzle polyomino one-sided-pentominoes:6x15",
        "count --threads 1 --time 3 --engine frontier --puzzle queens 16",
        // The option `--memory` overrides this default, so in the end the system refuses memory.
        "count --threads 1 --time 30 --memory 4G --engine frontier --puzzle queens 16",
    ] {
        let ran = std::process::Command::new("sh")
            .args(["-c", &format!("ulimit -v 300000; exec {PROGRAM} {args}")])
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

/// Starts the program with pipes for its input and its outputs.
fn start(args: &str) -> Child {
    let mut command = Command::new(PROGRAM);
    command.args(args.split_whitespace());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

/// Waits until the program ends; returns its exit code, its standard error, and the seconds since
/// `begun`. Fails if it does not end within a minute.
fn end(mut child: Child, begun: Instant) -> (Option<i32>, String, f64) {
    let status = loop {
        match child.try_wait().expect("it is a child") {
            Some(status) => break status,
            None if begun.elapsed() > Duration::from_secs(60) => {
                let _ = child.kill();
                panic!("the program does not end");
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    let late = begun.elapsed().as_secs_f64();
    let mut text = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut text).expect("text");
    (status.code(), text, late)
}

#[test]
fn a_slow_input_ends_at_the_time_limit_and_after_a_signal() {
    let inputs = ["8........", "# puzzle: queens\n2", "a b\na\nb", "[[1, 2], [1"];
    for (args, input) in [
        ("solve", inputs[0]),
        ("count", inputs[1]),
        ("list --puzzle cover", inputs[2]),
        ("estimate", inputs[3]),
        ("rate", inputs[0]),
        ("check", inputs[2]),
        ("convert --to json", inputs[1]),
        ("rank --puzzle queens 8 --solution -", inputs[1]),
    ] {
        for signal in [None, Some(Signal::INT), Some(Signal::TERM)] {
            let args = if signal.is_none() { format!("{args} --time 0.5") } else { args.to_owned() };
            let mut child = start(&args);
            let mut pipe = child.stdin.take().expect("a pipe");
            pipe.write_all(input.as_bytes()).expect("it reads");
            std::thread::sleep(Duration::from_millis(300));
            let begun = Instant::now();
            if let Some(signal) = signal {
                kill_process(Pid::from_child(&child), signal).expect("it runs");
            }
            let (code, err, late) = end(child, begun);
            let (expected, words) = match signal {
                None => (3, "time limit reached while the text was read"),
                Some(_) => (130, ""),
            };
            assert_eq!(code, Some(expected), "{args}, {signal:?}: {err}");
            assert!(err.contains(words), "{args}: {err}");
            assert!(late < 10.0 * LATE_MAX, "{args}, {signal:?}: {late} s late");
        }
    }
}

#[test]
fn a_time_limit_of_reading_begins_with_the_first_byte_of_a_puzzle() {
    let grid = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..\n";
    let mut child = start("count --time 0.5");
    let mut pipe = child.stdin.take().expect("a pipe");
    for _ in 0..2 {
        std::thread::sleep(Duration::from_millis(800));
        pipe.write_all(grid.as_bytes()).expect("it reads");
    }
    drop(pipe);
    let mut out = String::new();
    child.stdout.take().expect("a pipe").read_to_string(&mut out).expect("text");
    assert_eq!((end(child, Instant::now()).0, out.lines().count()), (Some(0), 2), "{out}");
}

/// Commands with long outputs, and the file of their input.
const LONG_OUTPUTS: [&str; 8] = [
    "list --puzzle queens 12",
    "draw --puzzle polyomino pentominoes:60x60",
    "draw --html - --puzzle polyomino pentominoes:60x60",
    "generate -n 100000 sudoku",
    "sample -n 1000000 --puzzle queens 8",
    "convert --to cnf --puzzle queens 40",
    "trace --puzzle queens 12",
    "explain --puzzle queens 60",
];

#[test]
fn a_signal_ends_a_command_whose_output_is_not_read() {
    for (args, signal) in
        LONG_OUTPUTS.iter().flat_map(|args| [Signal::INT, Signal::TERM].map(|signal| (args, signal)))
    {
        let child = start(args);
        // Either the pipe is full soon, or the whole output fits in it.
        std::thread::sleep(Duration::from_millis(1500));
        let begun = Instant::now();
        let _ = kill_process(Pid::from_child(&child), signal);
        let (code, err, late) = end(child, begun);
        assert!(matches!(code, Some(130 | 0 | 3)), "{args}, {signal:?}: {code:?}, {err}");
        assert!(late < 10.0 * LATE_MAX, "{args}, {signal:?}: {late} s late");
    }
}

#[test]
fn a_closed_output_ends_a_command_quietly() {
    for args in LONG_OUTPUTS.iter().chain(&["compare --time 0.1 --puzzle queens 8"]) {
        let mut child = start(args);
        let mut out = child.stdout.take().expect("a pipe");
        out.read_exact(&mut [0]).expect("an output");
        drop(out);
        let (code, err, _) = end(child, Instant::now());
        // The explanation of queens ends at its node limit.
        assert!(matches!(code, Some(0 | 3)), "{args}: {code:?}, {err}");
        assert!(!err.contains("cannot write"), "{args}: {err}");
    }
}

#[test]
fn shards_are_left_at_a_signal() {
    let shards = run("split --shards 20 --puzzle queens 18", "").out;
    for signal in [Signal::INT, Signal::TERM] {
        let mut child = start("work -q --digest");
        let mut pipe = child.stdin.take().expect("a pipe");
        pipe.write_all(shards.as_bytes()).expect("it reads");
        drop(pipe);
        std::thread::sleep(Duration::from_millis(500));
        let begun = Instant::now();
        kill_process(Pid::from_child(&child), signal).expect("it runs");
        let (code, err, late) = end(child, begun);
        assert_eq!(code, Some(130), "{err}");
        assert!(late < 10.0 * LATE_MAX, "{late} s late");
    }
}
