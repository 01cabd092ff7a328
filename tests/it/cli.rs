//! The exit codes, streams, limits and batches of the command line.

use std::io::Write;
use std::process::Stdio;

use crate::command::{check, command, run, sample, shipped_puzzles};

const SOLVABLE: &str =
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
const SOLVED: &str =
    "812753649943682175675491283154237896369845721287169534521974368438526917796318452";
const UNSOLVABLE: &str =
    "88.........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
const EMPTY: &str = ".................................................................................";

/// The output of `check` for `SOLVABLE`.
const CHECKED: &str = "valid, 60 cells empty: one solution, minimal";

#[test]
fn a_batch_has_a_line_for_each_puzzle_in_order() {
    let input = format!("{SOLVABLE}\n# comment\n\n{UNSOLVABLE}\n{SOLVABLE}\n");
    check("solve", &input, &format!("{SOLVED}\nno solution\n{SOLVED}\n"), 1);
    check("count", &input, "1\n0\n1\n", 1);
    check("solve --threads 1", &input, &format!("{SOLVED}\nno solution\n{SOLVED}\n"), 1);
}

#[test]
fn a_malformed_puzzle_is_named_and_the_other_puzzles_are_solved() {
    let input = format!("{SOLVABLE}\n{}\n{SOLVABLE}\n", SOLVABLE.replacen('9', "x", 1));
    let ran = run("solve", &input);
    assert_eq!((ran.out, ran.code), (format!("{SOLVED}\nerror\n{SOLVED}\n"), 2));
    let lines: Vec<&str> = ran.err.lines().collect();
    assert_eq!(lines[0], "standard input:2:23: expected a digit 1-9, `.` or `0`, found `x`");
    assert_eq!(lines[2], format!("{:1$}^", "", 24));
    check("count", &input, "1\nerror\n1\n", 2);
    let first = format!("{}\n{SOLVABLE}\n", &SOLVABLE[1..]);
    check("solve", &first, &format!("error\n{SOLVED}\n"), 2);
    let ran = run("solve", &SOLVABLE[1..]);
    assert!(ran.err.starts_with("standard input:1:81: expected 81 cells"), "{}", ran.err);
    check("check", &input, &format!("{CHECKED}\nerror\n{CHECKED}\n"), 2);
}

#[test]
fn ten_thousand_puzzles_are_answered_in_order() {
    // The grids have permuted digits, so their solutions are permuted in the same way.
    let rename = |grid: &str, shift: u8| -> String {
        let digit =
            |c: char| c.to_digit(10).map_or(c, |d| char::from(b'1' + (d as u8 - 1 + shift) % 9));
        grid.chars().map(digit).collect()
    };
    let lines =
        |grid: &str| (0..10_000).map(|i| rename(grid, (i % 9) as u8) + "\n").collect::<String>();
    check("solve", &lines(SOLVABLE), &lines(SOLVED), 0);
}

#[test]
fn a_limit_is_reported_and_the_partial_result_printed() {
    check("count --limit 17", EMPTY, "17+\n", 0);
    let ran = run("count --nodes 1000", EMPTY);
    assert_eq!(ran.code, 3);
    assert!(ran.out.ends_with("+\n"), "{}", ran.out);
    assert!(ran.err.starts_with("puzzle 1: node limit reached, "), "{}", ran.err);
    let ran = run("count --time 0.05", EMPTY);
    assert_eq!(ran.code, 3);
    assert!(ran.out.ends_with("+\n"), "{}", ran.out);
    check("solve --nodes 3", SOLVABLE, "unknown\n", 3);
    check("count --memory 1K", SOLVABLE, "0+\n", 3);
    check("solve --limit 3 --quiet", EMPTY, &run("list --limit 3", EMPTY).out, 0);
    assert_eq!(run("list --limit 3", EMPTY).out.lines().count(), 3);
}

#[test]
fn json_output_has_one_object_per_line() {
    let input = format!("{SOLVABLE}\nx\n{UNSOLVABLE}\n");
    let ran = run("solve --json", &input);
    assert_eq!(ran.code, 2);
    let objects: Vec<serde_json::Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(objects.len(), 3);
    assert_eq!(objects[0]["puzzle"], 1);
    assert_eq!(objects[0]["kind"], "sudoku");
    assert!(objects[0]["engine"].is_string());
    assert_eq!(objects[0]["solutions"][0], SOLVED);
    assert_eq!(objects[0]["count"], "1");
    assert!(objects[0]["nodes"].as_u64() > Some(0) && objects[0]["seconds"].is_number());
    assert!(
        objects[1]["error"].as_str().is_some_and(|error| error.starts_with("standard input:2:1: "))
    );
    assert_eq!(objects[2]["solutions"], serde_json::json!([]));
    assert_eq!(objects[2]["complete"], true);
    let count: serde_json::Value =
        serde_json::from_str(&run("count --json --limit 2", EMPTY).out).expect("JSON");
    assert_eq!((&count["count"], &count["complete"]), (&"2".into(), &false.into()));
}

#[test]
fn an_unreadable_file_does_not_stop_the_others() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    writeln!(file.as_file(), "{SOLVABLE}").expect("written");
    let path = file.path().display();
    let ran = run(&format!("solve missing.txt {path} puzzles"), "");
    assert_eq!((ran.out, ran.code), (format!("{SOLVED}\n"), 2));
    let lines: Vec<&str> = ran.err.lines().collect();
    assert!(lines[0].starts_with("missing.txt: cannot read: "), "{lines:?}");
    assert_eq!(lines[1], "puzzles: expected a file, found a folder");
}

#[test]
fn a_text_in_no_known_format_is_refused() {
    let ran = run("solve", "once upon a time\n\u{1}\u{2}");
    assert_eq!((ran.out.as_str(), ran.code), ("", 2));
    assert!(ran.err.starts_with("standard input"), "{}", ran.err);
    // The error of the kind that reads farthest into the text is shown.
    let ran = run("count", "a b c\na b\nc d\n");
    let nearest = "standard input:3:3: expected an item, found `d` (no format is recognized; cover comes \
                   nearest)\n  c d\n    ^\n";
    assert_eq!((ran.err.as_str(), ran.code), (nearest, 2));
    for text in ["a b c\nd e\n", "item\nitem\nother\n"] {
        let ran = run("count", text);
        assert!(ran.err.contains("no known format"), "{}", ran.err);
    }
}

#[test]
fn an_input_without_a_puzzle_is_bad_input() {
    let texts = [
        ("", "found nothing"),
        ("\n\n", "found none in 2 lines"),
        ("# a comment", "found none in 1 line"),
        ("# one\n\n  # two\n", "found none in 3 lines"),
        ("# one\r# two\r", "found none in 2 lines"),
    ];
    for (text, found) in texts {
        for args in
            ["solve", "count", "check", "convert --to line", "count --json", "count --from line"]
        {
            let ran = run(args, text);
            assert_eq!(ran.code, 2, "{args}: {text:?}");
            assert_eq!(ran.err.trim(), format!("standard input: expected a puzzle, {found}"), "{args}");
        }
        check("solve", text, "", 2);
        // The other inputs are read all the same.
        let ran = run("count - puzzles/sudoku/easy.sdk", text);
        assert_eq!((ran.out.as_str(), ran.code), ("1\n", 2));
    }
}

#[test]
fn counts_of_several_puzzles_name_their_positions() {
    let (first, second) = ("puzzles/sudoku/difficulty-10.7.txt", "puzzles/sudoku/easy.sdk");
    let objects = |args: &str, input: &str| -> Vec<serde_json::Value> {
        let out = run(args, input).out;
        out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    };
    let alone = run(&format!("count {second}"), "").out;
    assert_eq!(alone, "1\n");
    let out = run(&format!("count --names {first} {second} -"), "a b\na\nb\n").out;
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].starts_with(&format!("1\t{first}:")), "{out}");
    assert_eq!(lines.last(), Some(&"1\tstandard input"));
    assert_eq!(run("count --names --puzzle queens 5 6", "").out, "10\t5\n4\t6\n");
    assert_eq!(run("count --puzzle queens 5 6", "").out, "10\n4\n");
    // Each JSON object states the position of its puzzle. The order of the keys is the same with
    // all options.
    let input = format!("# a head\n{SOLVABLE}\nx\n") + &format!("{SOLVABLE}\n").repeat(200);
    for args in
        ["count --json", "solve --json", "count --json --engine links", "count --json --nodes 5"]
    {
        let found = objects(args, &input);
        assert_eq!(found.len(), 202);
        for (index, object) in found.iter().enumerate() {
            assert_eq!(object["puzzle"], index + 1);
            assert_eq!(
                (&object["file"], &object["line"]),
                (&"standard input".into(), &(index + 2).into())
            );
        }
        let text = run(args, &input).out;
        let starts = text.lines().filter(|line| !line.contains("error")).all(|line| {
            let line = line.split_once(',').map_or("", |(_, rest)| rest);
            line.starts_with("\"file\":\"standard input\",\"line\":")
                && line.contains(",\"kind\":\"sudoku\",")
        });
        assert!(starts, "{args}");
    }
    assert_eq!(objects("count --json --puzzle queens 5 6", "")[1]["parameter"], "6");
}

#[test]
fn only_the_first_errors_are_shown_and_the_others_are_counted() {
    let input = format!("{}\n", SOLVABLE.replacen('8', "x", 1)).repeat(1234);
    for args in ["count", "count --threads 1", "solve --engine links", "check", "convert --to line"] {
        let ran = run(&format!("{args} --from line"), &input);
        assert_eq!(ran.code, 2);
        let lines: Vec<&str> = ran.err.lines().collect();
        assert_eq!(lines.len(), 31, "{args}: {}", ran.err);
        assert!(lines[27].starts_with("standard input:10:1: expected a digit"), "{}", ran.err);
        assert_eq!(lines[30], "... and 1,224 more puzzles could not be read");
    }
    let ran = run("count --time 0 --from line", &format!("{EMPTY}\n").repeat(11));
    assert_eq!(ran.err.lines().last(), Some("... and 1 more puzzle stopped by a limit"));
    assert_eq!(ran.out, "0+\n".repeat(11));
}

#[test]
fn input_lines_end_with_lf_crlf_or_cr() {
    let rows: Vec<&str> = (0..9).map(|row| &SOLVABLE[9 * row..9 * (row + 1)]).collect();
    for end in ["\n", "\r\n", "\r", "\r\r\n"] {
        let text = ["# a comment", SOLVABLE, UNSOLVABLE, "", SOLVABLE].join(end);
        check("count", &text, "1\n0\n1\n", 1);
        check("count", &(text + end), "1\n0\n1\n", 1);
        check("count", &rows.join(end), "1\n", 0);
        let wrong = [SOLVABLE, &SOLVABLE[1..]].join(end);
        assert!(run("count", &wrong).err.starts_with("standard input:2:81: "), "{end:?}");
    }
}

/// Sends the `lines` one after the other through a pipe that stays open. Waits for each answer
/// before the next line.
#[track_caller]
fn ask(args: &str, lines: &[String]) -> Vec<String> {
    use std::io::{BufRead, BufReader};
    let mut child =
        command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("a standard input");
    let mut out = BufReader::new(child.stdout.take().expect("a standard output"));
    let answer = |line: &String| {
        stdin.write_all(line.as_bytes()).expect("written");
        let mut answer = String::new();
        out.read_line(&mut answer).expect("an answer");
        answer
    };
    let answers = lines.iter().map(answer).collect();
    drop(stdin);
    assert!(child.wait().expect("it ends").code().is_some_and(|code| code < 2), "{args}");
    answers
}

#[test]
fn each_line_of_a_pipe_that_stays_open_is_answered_when_it_is_complete() {
    let lines: Vec<String> =
        [SOLVABLE, UNSOLVABLE, SOLVABLE].iter().map(|line| format!("# next\n\n{line}\n")).collect();
    let all =
        ["", " --threads 1", " --engine links", " --json", " --time 100", " --from line", " --stats"];
    for options in all {
        for name in ["solve", "count", "solve --puzzle latin", "list --quiet"] {
            let args = format!("{name}{options}");
            let whole = run(&args, &lines.concat());
            let answers = ask(&args, &lines);
            assert_eq!(answers.len(), 3);
            if options != " --json" {
                assert_eq!(answers.concat(), whole.out, "{args}");
            }
        }
    }
    for args in ["check --quick", "check --quick --json", "convert --to line"] {
        assert_eq!(ask(args, &lines[..1]).concat(), run(args, &lines[0]).out, "{args}");
    }
    // Ask for grids of other orders too. Empty lines and comments after a line are ignored.
    let line = |order: usize| {
        let rows = (0..order * order).map(|cell| match cell {
            0 => '.',
            _ => char::from_digit(((cell / order + cell % order) % order + 1) as u32, 36)
                .expect("a digit"),
        });
        rows.collect::<String>() + "\n"
    };
    for order in [10, 12, 15, 16] {
        let args = "solve --puzzle latin";
        let line = line(order);
        let answers = ask(args, &[line.clone(), line.clone()]);
        assert_eq!(answers.concat(), run(args, &line.repeat(2)).out, "{order}");
    }
}

#[test]
fn all_available_lines_are_answered_before_waiting_for_more() {
    use std::io::{BufRead, BufReader};
    for args in ["solve --threads 2", "solve --engine links --threads 2", "solve --json --threads 1"] {
        let mut child =
            command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let mut stdin = child.stdin.take().expect("a standard input");
        let mut out = BufReader::new(child.stdout.take().expect("a standard output"));
        for count in [1, 2, 3, 100, 1, 1, 700, 5, 60, 64, 1, 128, 1] {
            let lines = format!("{SOLVABLE}\n").repeat(count);
            // Write in another thread: if answers are not read, the program stops reading, and the
            // writer blocks.
            let write = std::thread::scope(|scope| {
                let writer = scope.spawn(|| stdin.write_all(lines.as_bytes()));
                for _ in 0..count {
                    let mut answer = String::new();
                    out.read_line(&mut answer).expect("an answer");
                    assert!(answer.contains(SOLVED), "{answer}");
                }
                writer.join().expect("the writer ends")
            });
            write.expect("written");
        }
        drop(stdin);
        assert_eq!(child.wait().expect("it ends").code(), Some(0));
    }
}

/// Opens a pseudo-terminal and returns its two ends, one for the typing user and one for the
/// program.
#[cfg(target_os = "linux")]
fn terminal() -> (std::fs::File, std::fs::File) {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let typist = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&typist).expect("granted");
    unlockpt(&typist).expect("unlocked");
    let name = ptsname(&typist, Vec::new()).expect("a name").into_string().expect("UTF-8");
    let program = std::fs::OpenOptions::new().read(true).write(true).open(name).expect("its side");
    (typist.into(), program)
}

#[cfg(target_os = "linux")]
#[test]
fn typed_input_ends_when_ctrl_d_is_pressed_once() {
    let cover = "a b c\na b\nc\n";
    let two = format!("{SOLVABLE}\n{SOLVABLE}\n");
    let asked = "type or paste puzzles, then Ctrl-D on a line of its own\n";
    for (args, typed, out, err) in [
        ("solve", &*format!("{SOLVABLE}\n"), &*format!("{SOLVED}\n"), asked),
        ("count", &two, "1\n1\n", asked),
        ("count", cover, "1\n", asked),
        ("count --quiet", cover, "1\n", ""),
        ("count -", cover, "1\n", ""),
        ("check --quick", &two, "valid, 60 cells empty\nvalid, 60 cells empty\n", asked),
        ("count --from line", &two, "1\n1\n", asked),
    ] {
        let (mut typist, program) = terminal();
        let child = command(args)
            .stdin(program)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        // End of input is typed only once, so a program that reads again would hang here.
        write!(typist, "{typed}\u{4}").expect("typed");
        let ran = child.wait_with_output().expect("it ends");
        assert_eq!((ran.stdout.as_slice(), ran.status.code()), (out.as_bytes(), Some(0)), "{args}");
        assert_eq!(String::from_utf8_lossy(&ran.stderr), err, "{args}");
    }
}

#[test]
fn wrong_usage_exits_with_code_two() {
    for args in
        ["", "dance", "solve --engine fast", "solve --limit 0", "count --rules x", "convert --to x"]
    {
        let ran = run(args, "");
        assert_eq!(ran.code, 2, "{args}");
        assert!(ran.out.is_empty() && !ran.err.is_empty(), "{args}");
    }
    let ran = run("solve --puzzle queens x", "");
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
}

#[test]
fn invalid_numbers_are_explained_in_plain_words() {
    for (args, expected) in [
        (
            "solve --limit -1",
            "invalid value '-1' for '--limit <N>': expected a whole number, at least 1",
        ),
        ("solve --limit x", "expected a whole number, at least 1"),
        ("count --nodes 99999999999999999999", "expected a whole number, at least 0 and below 2^64"),
        ("count --threads 5000", "expected a whole number from 1 to 1024"),
        ("count --time -0.5", "expected a number of seconds"),
        ("count --memory -1", "expected a number of bytes"),
        ("estimate --precision -1", "expected a number such as 1%"),
        ("sample -n -1", "expected a whole number, at least 0"),
        ("solve --cheapest=0", "expected a whole number, at least 1"),
    ] {
        let ran = run(args, "");
        assert_eq!((ran.code, ran.err.contains(expected)), (2, true), "{args}: {}", ran.err);
        for word in ["target type", "-- -1", "digit found"] {
            assert!(!ran.err.contains(word), "{args}: {}", ran.err);
        }
    }
}

#[test]
fn the_options_all_and_limit_can_be_combined() {
    check(
        "solve --all --limit 2 --puzzle queens 6",
        "",
        &run("list --limit 2 --puzzle queens 6", "").out,
        0,
    );
    assert_eq!(run("solve --all --puzzle queens 6", "").out, run("list --puzzle queens 6", "").out);
}

#[test]
fn clashing_clues_are_reported() {
    for command in ["solve", "count"] {
        let ran = run(command, UNSOLVABLE);
        assert_eq!(ran.err, "puzzle 1: two clues clash; `farandole check` says which\n");
        assert_eq!(run(&format!("{command} --quiet"), UNSOLVABLE).err, "");
        assert_eq!(run(command, &format!("{UNSOLVABLE}\n{SOLVABLE}\n")).err, "");
    }
}

#[test]
fn a_latin_square_given_by_a_parameter_is_printed_as_rows() {
    let ran = run("solve --puzzle latin 3", "");
    assert_eq!(ran.out.lines().map(str::len).collect::<Vec<_>>(), [3, 3, 3], "{ran:?}");
    let ran = run("solve --json --puzzle sudoku 2x2", "");
    assert!(ran.out.contains("\"solutions\":[\"1") && !ran.out.contains("\\n"), "{ran:?}");
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let mut child =
        command("list").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("a standard input");
    writeln!(stdin, "{EMPTY}").expect("written");
    drop(stdin);
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[cfg(unix)]
#[test]
fn an_interrupt_prints_the_partial_result() {
    use std::io::{BufRead, BufReader, Read};
    let mut child =
        command("list").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("a standard input");
    writeln!(stdin, "{EMPTY}\n{EMPTY}").expect("written");
    drop(stdin);
    let pid = child.id().to_string();
    let mut out = BufReader::new(child.stdout.take().expect("a standard output"));
    let mut first = String::new();
    out.read_line(&mut first).expect("a solution");
    let killed = std::process::Command::new("kill").args(["-INT", &pid]).status().expect("kill runs");
    assert!(killed.success());
    let mut rest = Vec::new();
    out.read_to_end(&mut rest).expect("the rest");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert_eq!(first.trim().len(), 81);
    assert!(rest.ends_with(b"\n"), "the last line is whole");
}

#[cfg(unix)]
#[test]
fn an_interrupt_prints_the_partial_result_of_a_single_puzzle() {
    use std::io::{BufRead, BufReader, Read};
    for threads in ["1", "2"] {
        let mut child = command(&format!("list --threads {threads} --puzzle queens 20"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut out = BufReader::new(child.stdout.take().expect("a standard output"));
        let mut first = String::new();
        out.read_line(&mut first).expect("a line");
        interrupt(child.id());
        let mut rest = Vec::new();
        out.read_to_end(&mut rest).expect("the rest");
        assert_eq!(child.wait().expect("it ends").code(), Some(130));
        assert!(rest.ends_with(b"\n"), "the last line is whole");
        let child = command(&format!("count --threads {threads} --engine cells --puzzle queens 20"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        std::thread::sleep(std::time::Duration::from_millis(300));
        interrupt(child.id());
        let out = child.wait_with_output().expect("it ends");
        assert_eq!(out.status.code(), Some(130));
        assert!(out.stdout.ends_with(b"+\n"), "{:?}", out.stdout);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_first_wait_for_standard_input() {
    // Interrupt the program while it waits for the first puzzle, and while it waits for a later
    // one.
    for text in ["", &format!("{SOLVABLE}\n")] {
        let mut child = command("solve").stdin(Stdio::piped()).spawn().expect("it starts");
        let mut stdin = child.stdin.take().expect("a standard input");
        stdin.write_all(text.as_bytes()).expect("written");
        std::thread::sleep(std::time::Duration::from_millis(300));
        interrupt(child.id());
        assert_eq!(child.wait().expect("it ends").code(), Some(130));
        drop(stdin);
    }
}

/// Interrupts a process, on Linux as soon as it handles interrupts.
#[cfg(unix)]
pub(crate) fn interrupt(process: u32) {
    const INTERRUPT: u64 = 1 << 1;
    let handles_interrupts = || {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"))?;
        Some(u64::from_str_radix(caught.trim(), 16).ok()? & INTERRUPT != 0)
    };
    while handles_interrupts() == Some(false) {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let process = process.to_string();
    let killed = std::process::Command::new("kill").args(["-INT", &process]).status();
    assert!(killed.expect("kill runs").success());
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_wait_for_the_next_line_of_standard_input() {
    use std::io::{BufRead, BufReader};
    let mut child = command("solve --from line")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    // If the format is named, each line is answered on arrival.
    let mut stdin = child.stdin.take().expect("a standard input");
    let mut out = BufReader::new(child.stdout.take().expect("a standard output"));
    for _ in 0..3 {
        writeln!(stdin, "{SOLVABLE}").expect("written");
        let mut answer = String::new();
        out.read_line(&mut answer).expect("an answer");
        assert_eq!(answer.trim(), SOLVED);
    }
    let pid = child.id().to_string();
    let killed = std::process::Command::new("kill").args(["-INT", &pid]).status().expect("kill runs");
    assert!(killed.success());
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    drop(stdin);
}

#[test]
fn stats_name_the_engine_and_the_reason() {
    let ran = run("solve --stats", SOLVABLE);
    assert_eq!(ran.out.trim(), SOLVED);
    assert!(ran.err.contains("engine ") && ran.err.contains("nodes"), "{}", ran.err);
    let ran = run("solve --stats --engine links", SOLVABLE);
    assert!(ran.err.contains("engine links (asked for)"), "{}", ran.err);
    // The problem consists of two boards of 4x6 for dominoes, and of two items with a single cover.
    let mut items = String::from("x y");
    let mut options = String::from("x y\ny\n");
    for board in ["a", "b"] {
        for (row, column) in (0..4).flat_map(|row| (0..6).map(move |column| (row, column))) {
            items += &format!(" {board}{row}{column}");
            if column < 5 {
                options += &format!("{board}{row}{column} {board}{row}{}\n", column + 1);
            }
            if row < 3 {
                options += &format!("{board}{row}{column} {board}{}{column}\n", row + 1);
            }
        }
    }
    let ran = run("count --stats --puzzle cover", &format!("{items}\n{options}"));
    assert_eq!(ran.out, format!("{}\n", 281 * 281));
    assert!(
        ran.err.contains("1 forced, 1 removed, 76 left") && ran.err.contains("2 independent parts"),
        "{}",
        ran.err
    );
    let many = format!("{}\n", (0..64).map(|i| format!("a{i} b{i}")).collect::<Vec<_>>().join(" "))
        + &(0..64).map(|i| format!("a{i} b{i}\na{i}\nb{i}\n")).collect::<String>();
    let ran = run("count --puzzle cover", &many);
    assert_eq!((ran.out.as_str(), ran.code), ("18446744073709551616\n", 0));
    // A plain search counts up to 2^64 - 1.
    let ran = run("count --nodes 1000000 --puzzle cover", &many);
    assert_eq!((ran.out.as_str(), ran.code), ("18446744073709551615+\n", 3));
    let ran = run("count --profile", SOLVABLE);
    assert!(
        ran.err.lines().nth(1).is_some_and(|line| line.trim_start().starts_with("0 ")),
        "{}",
        ran.err
    );
}

#[test]
fn clues_and_answers_have_different_colors() {
    let ran = run("solve --color always", SOLVABLE);
    assert!(ran.out.starts_with("\u{1b}[1m8\u{1b}[0m\u{1b}[36m1275364994"), "{:?}", ran.out);
    check("solve", SOLVABLE, &format!("{SOLVED}\n"), 0);
}

#[test]
fn lists_completions_and_manual_pages_are_printed() {
    let overview = run("puzzles", "");
    assert_eq!(overview.code, 0);
    for kind in farandole::kinds::KINDS {
        assert!(overview.out.contains(kind.name), "{}", kind.name);
        assert_eq!(run(&format!("puzzles {}", kind.name), "").code, 0);
    }
    for format in grid::FORMATS {
        assert_eq!(run(&format!("puzzles {}", format.name), "").out, format.example);
    }
    assert_eq!(run("puzzles sodoku", "").code, 2);
    assert!(run("completions bash", "").out.contains("_farandole"));
    assert!(run("man", "").out.contains(".TH"));
    let folder = tempfile::tempdir().expect("a folder");
    let ran = run(&format!("man --out {}", folder.path().display()), "");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(folder.path().join("farandole-solve.1").exists());
}

#[test]
fn every_shipped_puzzle_has_the_same_answer_after_conversion() {
    let targets: Vec<&str> = grid::FORMATS.iter().map(|format| format.name).chain(["dlx"]).collect();
    let mut converted = 0;
    for path in shipped_puzzles() {
        let path = path.display();
        if ["slow", "batch", "pentominoes", "scott", "domination", "6x6", "5x5"]
            .iter()
            .any(|s| path.to_string().contains(s))
        {
            continue;
        }
        let expected = run(&format!("count --quiet --limit 3 {path}"), "").out;
        for to in sample(&targets, 4) {
            let ran = run(&format!("convert --quiet --to {to} {path}"), "");
            // A format refuses a puzzle that it cannot express, and a text in Knuth's format
            // contains one puzzle.
            if ran.code == 0 && (*to != "dlx" || expected.lines().count() == 1) {
                let found = run(&format!("count --quiet --limit 3 --from {to}"), &ran.out);
                assert_eq!(found.out, expected, "{path} as {to}:\n{}", found.err);
                converted += 1;
            }
        }
    }
    assert!(converted > 60, "{converted}");
}

#[test]
fn a_sudoku_converts_to_other_forms_with_the_same_answer() {
    for form in ["dlx", "json"] {
        let converted = run(&format!("convert --to {form}"), SOLVABLE);
        assert_eq!(converted.code, 0, "{}", converted.err);
        check(&format!("count --from {form}"), &converted.out, "1\n", 0);
    }
    let lines = run("convert --to rows", SOLVABLE).out;
    check("solve --to line", &lines, &format!("{SOLVED}\n"), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error() {
    for args in [
        "solve puzzles/sudoku/easy.txt",
        "check puzzles/sudoku/easy.txt",
        "convert --to line puzzles/sudoku/easy.txt",
        "compare --engine links puzzles/sudoku/easy.txt",
        "puzzles",
        "completions bash",
        "man",
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("a full disk");
        let output = command(args).stdout(full).output().expect("it ends");
        let err = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(err.contains("standard output: cannot write: "), "{args}: {err}");
        assert_eq!(output.status.code(), Some(2), "{args}");
    }
}

#[test]
fn boxes_and_rules_in_a_comment_apply_to_the_grids_after_it() {
    let grid = "1...\n....\n....\n....\n";
    let input = format!("{grid}\n# rules: diagonals\n{grid}\n{grid}\n# rules:\n{grid}");
    check("count", &input, "72\n12\n12\n72\n", 0);
    check("count --rules diagonals", &input, "12\n12\n12\n12\n", 0);
    let input = format!("{grid}\n# rules: diagonal\n{grid}");
    let ran = run("count", &input);
    assert_eq!((ran.out.as_str(), ran.code), ("72\nerror\n", 2));
    assert!(ran.err.starts_with("standard input:6:10: expected a rule ("), "{}", ran.err);
    let ran = run("count", &format!("{grid}\n# puzzle: latin\n{grid}"));
    assert!(ran.err.starts_with("standard input:6:11: expected sudoku as before"), "{}", ran.err);
}

#[test]
fn a_format_for_one_puzzle_refuses_a_second_one() {
    let ran = run("convert --to dlx", &format!("{SOLVABLE}\n{EMPTY}\n{EMPTY}\n"));
    assert_eq!(ran.code, 2);
    assert_eq!(ran.err, "puzzle 2: the format dlx holds a single puzzle, found a second one\n");
    check("count", &ran.out, "1\n", 0);
}

#[test]
fn grids_in_json_are_lines_in_every_format() {
    let solution = |args: &str| -> serde_json::Value {
        let ran = run(args, "");
        let value: serde_json::Value =
            serde_json::from_str(ran.out.lines().next().expect("a line")).expect("JSON");
        value["solutions"][0].clone()
    };
    assert_eq!(
        solution("solve --json puzzles/sudoku/regions.txt"),
        "EFCBDAACEDFBDABECFFBDCAEBDFAECCEAFBD"
    );
    let csv = solution("solve --json puzzles/sudoku/batch.csv");
    assert_eq!(csv.as_str().map(str::len), Some(81));
    let rows = solution("solve --json --to rows puzzles/sudoku/easy.txt");
    assert_eq!(rows.as_str().map(|rows| rows.lines().count()), Some(9));
}

#[test]
fn too_many_threads_are_a_clear_error() {
    check("solve --threads 300", SOLVABLE, &format!("{SOLVED}\n"), 0);
    assert_eq!(run("solve --threads 20000", SOLVABLE).code, 2);
}

#[test]
fn an_option_of_another_command_is_reported_as_such() {
    for command in ["check", "estimate", "sample", "convert --to dlx", "draw"] {
        let ran = run(&format!("{command} --threads 2"), SOLVABLE);
        let name = command.split(' ').next().unwrap_or_default();
        let begin = format!(
            "`{name}`, which works on one thread, has no option `--threads`; it is an option of solve, "
        );
        assert!(ran.err.starts_with(&begin), "{}", ran.err);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{command}");
    }
    let ran = run("solve --why", SOLVABLE);
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (2, "`solve` has no option `--why`; it is an option of check\n")
    );
    // A misspelt option is compared with the options of the command. The tip does not mention `--`.
    let ran = run("solve --thread 2", SOLVABLE);
    assert!(ran.err.contains("'--threads'") && !ran.err.contains("as a value"), "{}", ran.err);
    let ran = run("check --whatever", SOLVABLE);
    assert!(ran.err.contains("--whatever") && !ran.err.contains("as a value"), "{}", ran.err);
}

#[test]
fn times_and_memory_sizes_may_have_units() {
    check("solve --time 5s --memory 2GB", SOLVABLE, &format!("{SOLVED}\n"), 0);
    check("check --time 1min", SOLVABLE, &format!("{CHECKED}\n"), 0);
    let ran = run("solve --time 5x", SOLVABLE);
    assert!(ran.err.contains("expected a number of seconds, or a time such as 30s"), "{}", ran.err);
    let ran = run("count --memory 2X", SOLVABLE);
    assert!(
        ran.err.contains("expected a number of bytes, or a size such as 500M or 2GB"),
        "{}",
        ran.err
    );
}

#[test]
fn a_rule_that_needs_a_header_line_is_explained() {
    let ran = run("solve --rules killer", SOLVABLE);
    let line = "`killer` goes into the head of the grid, as a line `# killer: r1c1 r1c2 r2c1 = 15`";
    assert!(ran.code == 2 && ran.err.contains(line), "{}", ran.err);
    let ran = run("generate --rules diagonals,nonconsecutive", "");
    assert!(ran.err.contains("as a line `# nonconsecutive:`"), "{}", ran.err);
    assert!(run("solve --rules diagonal", SOLVABLE).err.contains("expected a rule (diagonals"));
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_an_error() {
    for args in ["--help", "-h", "solve --help", "--version", "help count"] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
        let ended = command(args).stdout(full).stderr(Stdio::piped()).output().expect("it starts");
        assert_eq!(ended.status.code(), Some(2), "{args}: {ended:?}");
        assert!(
            String::from_utf8_lossy(&ended.stderr).contains("standard output: cannot write"),
            "{args}"
        );
    }
}

#[test]
fn a_manual_page_explains_each_option_once_and_names_its_values() {
    let folder = tempfile::tempdir().expect("a folder");
    let ran = run(&format!("man --out {}", folder.path().display()), "");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let read = |name: &str| {
        let page = std::fs::read_to_string(folder.path().join(name)).expect("a page");
        page.replace('\\', "")
    };
    let all = read("farandole.1");
    assert!(all.contains(".SH COMMON OPTIONS"), "{all}");
    for name in ["--puzzle", "--from", "--svg", "--theme"] {
        assert!(
            all.contains(&format!("{name} ")) || all.contains(&format!("{name}fR")),
            "{name}: {all}"
        );
    }
    let solve = read("farandole-solve.1");
    for usage in
        ["[--puzzle KIND]", "[--from FORMAT]", "[--cheapest[=K]]", "[--time SECONDS]", "[FILE...]"]
    {
        assert!(solve.contains(usage), "{usage}: {solve}");
    }
    assert!(solve.contains("farandole(1) explains --puzzle, --from,"), "{solve}");
    // Only one page explains the kinds of puzzles and where pictures are written.
    for page in std::fs::read_dir(folder.path()).expect("the folder") {
        let page = page.expect("a page").file_name().into_string().expect("UTF-8");
        let text = read(&page);
        assert_eq!(text.contains("skip detection"), page == "farandole.1", "{page}");
        assert_eq!(
            text.contains("Write all pictures to one printable HTML page"),
            page == "farandole.1",
            "{page}"
        );
    }
}

#[test]
fn memory_limits_are_reported_in_units_with_alternatives() {
    let ran = run("sample --memory 1GB", EMPTY);
    assert!(ran.code == 0, "full grids are drawn without a diagram: {ran:?}");
    let ran = run("sample --memory 10MB --puzzle queens 16", "");
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(
        ran.err.contains("GB, and --memory allows 10.0 MB; `list --limit` and `estimate`"),
        "{}",
        ran.err
    );
}
