//! `count --journal` and `list --journal`: after any interruption, the same command resumes and
//! gives the right answer.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::command::{Ran, command, finish};

/// A puzzle in a small number of shards, and a puzzle in many shards, whose journal takes a while
/// to write.
const QUEENS: &str = "count --puzzle queens 11 --shards 60";
const SLOWER: &str = "count --puzzle queens 14 --shards 1000";
const QUEENS_COUNT: &str = "2680\n";

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn with_journal(args: &str, journal: &Path) -> Command {
    let mut command = command(args);
    command.arg("--journal").arg(journal);
    command
}

fn count(args: &str, journal: &Path) -> Ran {
    finish(with_journal(args, journal), "")
}

/// Creates a complete journal. Returns its path and its lines.
fn whole(folder: &Path) -> (PathBuf, Vec<String>) {
    let journal = folder.join("whole.journal");
    let ran = count(QUEENS, &journal);
    assert_eq!((ran.out.as_str(), ran.code), (QUEENS_COUNT, 0), "{}", ran.err);
    let lines = fs::read_to_string(&journal).expect("a journal");
    (journal, lines.split_inclusive('\n').map(str::to_owned).collect())
}

fn lines(journal: &Path) -> usize {
    fs::read(journal).map_or(0, |bytes| bytes.iter().filter(|&&byte| byte == b'\n').count())
}

fn started(args: &str, journal: &Path) -> Child {
    let mut command = with_journal(args, journal);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("it starts")
}

/// Waits until the journal has `wanted` lines or the process has ended.
fn wait_for(child: &mut Child, journal: &Path, wanted: usize) {
    while lines(journal) < wanted && child.try_wait().expect("a child").is_none() {
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_killed_count_resumes_and_loses_no_finished_shard() {
    let folder = folder();
    let journal = folder.path().join("killed.journal");
    let mut before = 0;
    for wanted in [1, 2, 5, 40, 80] {
        let mut child = started(&format!("{SLOWER} --threads 2"), &journal);
        wait_for(&mut child, &journal, wanted);
        child.kill().unwrap();
        child.wait().unwrap();
        let now = lines(&journal);
        assert!(now >= before, "{before} lines, then {now}");
        before = now;
    }
    assert!(before < 1000, "the last process was killed before its end: {before}");
    let ran = count(SLOWER, &journal);
    assert_eq!((ran.out.as_str(), ran.code), ("365596\n", 0), "{}", ran.err);
    let done = fs::read(&journal).unwrap();
    let again = count(SLOWER, &journal);
    assert_eq!((again.out.as_str(), again.code), ("365596\n", 0));
    assert_eq!(fs::read(&journal).unwrap(), done, "there was nothing left to do");
}

#[test]
fn a_long_shard_is_split_for_an_idle_thread_and_its_parts_are_kept() {
    let folder = folder();
    let journal = folder.path().join("long.journal");
    // The count has three shards for four threads. `naive` searches a shard with one thread only
    // and needs hours, so a thread is idle from the start.
    let square = folder.path().join("square.txt");
    let rows = format!("123456789\n234567891\n345678912\n456......\n{}", ".........\n".repeat(5));
    fs::write(&square, rows).expect("a file");
    let long = format!("count --puzzle latin {}", square.display());
    let mut child = started(&format!("{long} --engine naive --threads 4 --shards 2"), &journal);
    let read = || fs::read_to_string(&journal).unwrap_or_default();
    while !read().contains("\"split\":") && child.try_wait().expect("a child").is_none() {
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let text = read();
    let kept = &text[..text.rfind('\n').unwrap() + 1];
    assert!(kept.contains("\"split\":"), "{kept}");
    let ran = count(&format!("{long} --threads 2"), &journal);
    assert_eq!((ran.out.as_str(), ran.code), ("11688998400\n", 0), "{}", ran.err);
    assert!(read().starts_with(kept), "what was done is not done again");
}

#[test]
fn an_incomplete_last_line_of_a_journal_is_dropped_with_a_warning_and_counted_again() {
    let folder = folder();
    let (journal, all) = whole(folder.path());
    let text = all.concat();
    let last = text.len() - all.last().unwrap().len();
    for cut in [text.len() - 1, text.len() - 20, last + 1] {
        fs::write(&journal, &text[..cut]).unwrap();
        let ran = count(QUEENS, &journal);
        assert_eq!((ran.out.as_str(), ran.code), (QUEENS_COUNT, 0), "{}", ran.err);
        let word = format!("dropped the last line, of which only {} bytes were written", cut - last);
        assert!(ran.err.contains(&word), "{}", ran.err);
        assert_eq!(lines(&journal), all.len());
    }
    // An incomplete header line is dropped too.
    fs::write(&journal, &text[..30]).unwrap();
    assert_eq!(count(QUEENS, &journal).out, QUEENS_COUNT);
}

#[test]
fn changed_lines_of_a_journal_are_refused_and_missing_ones_are_counted_again() {
    let folder = folder();
    let (journal, all) = whole(folder.path());
    let write = |lines: &[String]| fs::write(&journal, lines.concat()).unwrap();
    let refused = |args: &str, said: &str| {
        let before = fs::read(&journal).unwrap();
        let ran = count(args, &journal);
        assert_eq!((ran.out.as_str(), ran.code), ("", 2), "{}", ran.err);
        assert!(ran.err.contains(said), "{said}: {}", ran.err);
        assert_eq!(fs::read(&journal).unwrap(), before, "a journal that is refused stays as it is");
    };
    let mut edited = all.clone();
    let counted = edited.iter().rposition(|line| !line.contains("\"count\":\"0\"")).unwrap();
    edited[counted] = edited[counted].replacen("\"count\":\"", "\"count\":\"1", 1);
    write(&edited);
    refused(QUEENS, &format!("whole.journal:{}: expected the check ", counted + 1));
    let mut cut = all.clone();
    cut[4] = "\n".to_owned();
    write(&cut);
    refused(QUEENS, "whole.journal:5: expected a JSON object that ends with its check, found ``");
    write(&all[1..]);
    refused(QUEENS, "whole.journal:1: expected a journal, which begins with");

    // A missing line is counted again, and a duplicate line counts once.
    let mut dropped = all.clone();
    dropped.remove(7);
    dropped.push(all[3].clone());
    write(&dropped);
    let ran = count(QUEENS, &journal);
    assert_eq!((ran.out.as_str(), ran.code), (QUEENS_COUNT, 0), "{}", ran.err);

    write(&all);
    refused(
        "count --puzzle queens 10",
        "whole.journal:1: expected the journal of this puzzle, with the digest",
    );
    refused("count --puzzle queens 11 --shards 61", "whole.journal:1: expected 60 shards");
    assert_eq!(
        count("count --puzzle queens 11", &journal).out,
        QUEENS_COUNT,
        "the journal knows how many"
    );
    let text = folder.path().join("whole.journal");
    fs::write(&text, "a b\na\nb\n").unwrap();
    refused(QUEENS, "whole.journal:1: expected a journal, which begins with");
}

#[cfg(unix)]
#[test]
fn two_processes_do_not_share_a_journal() {
    let folder = folder();
    let journal = folder.path().join("shared.journal");
    let mut first = started(&format!("{SLOWER} --threads 1"), &journal);
    wait_for(&mut first, &journal, 2);
    // Suspend the first process, so that it cannot finish before the second one starts.
    let pid = first.id().to_string();
    assert!(Command::new("kill").args(["-STOP", &pid]).status().unwrap().success());
    if first.try_wait().unwrap().is_some() {
        return;
    }
    let second = count(SLOWER, &journal);
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!((second.out.as_str(), second.code), ("", 2));
    assert!(second.err.contains("shared.journal: another process is at work with this journal"));
}

#[test]
fn a_time_limit_prints_the_partial_count_and_the_count_can_resume() {
    let folder = folder();
    let journal = folder.path().join("time.journal");
    let ran = count(&format!("{QUEENS} --time 0"), &journal);
    assert_eq!((ran.out.as_str(), ran.code), ("0+\n", 3), "{}", ran.err);
    assert!(
        ran.err.contains("time limit reached; run the same command again to resume"),
        "{}",
        ran.err
    );
    assert_eq!(count(QUEENS, &journal).out, QUEENS_COUNT);
    let ran = count(&format!("{QUEENS} --json"), &journal);
    assert_eq!(ran.out, "{\"puzzle\":1,\"kind\":\"queens\",\"count\":\"2680\",\"complete\":true}\n");
}

#[test]
fn the_journal_of_a_short_count_has_one_shard() {
    let folder = folder();
    for (args, out, code) in [
        ("count --puzzle queens 6", "4\n", 0),
        ("count --puzzle queens 3", "0\n", 1),
        ("count --puzzle polyomino dominoes:16x16", "2444888770250892795802079170816\n", 0),
        ("count puzzles/sudoku/inkala-2010.txt", "1\n", 0),
    ] {
        let journal = folder.path().join(format!("{code}{}.journal", out.len()));
        for _ in 0..2 {
            let ran = count(args, &journal);
            assert_eq!((ran.out.as_str(), ran.code), (out, code), "{args}: {}", ran.err);
            assert_eq!(lines(&journal), 2);
        }
        fs::remove_file(&journal).unwrap();
    }
    let ran = count("count --puzzle queens 6 7", &folder.path().join("two.journal"));
    assert_eq!((ran.code, ran.err.as_str()), (2, "expected one puzzle, found more\n"));
}

#[cfg(unix)]
#[test]
fn a_count_on_a_full_disk_ends_with_an_error_and_a_valid_journal() {
    let folder = folder();
    let journal = folder.path().join("full.journal");
    let mut limited = Command::new("sh");
    let line = format!("ulimit -f 2; exec \"$0\" {QUEENS} --journal \"$1\"");
    limited.args(["-c", &line, env!("CARGO_BIN_EXE_farandole")]).arg(&journal);
    let ran = finish(limited, "");
    assert_eq!((ran.out.as_str(), ran.code), ("", 2), "{}", ran.err);
    assert!(ran.err.contains("full.journal: cannot write: "), "{}", ran.err);
    let text = fs::read_to_string(&journal).unwrap();
    assert!(text.ends_with('\n') && text.lines().count() > 1, "{text}");
    let ran = count(QUEENS, &journal);
    assert_eq!((ran.out.as_str(), ran.err.as_str(), ran.code), (QUEENS_COUNT, "", 0));
}

const LIST: &str = "list --puzzle queens 9 --shards 40";

/// Splits the output of `list` into solutions and sorts them.
fn solutions(out: &str) -> Vec<String> {
    let mut solutions: Vec<_> = out.trim_end().split("\n\n").map(str::to_owned).collect();
    solutions.sort();
    solutions
}

#[test]
fn a_killed_list_resumes_and_prints_all_solutions() {
    let folder = folder();
    let plain = finish(command("list --puzzle queens 9"), "");
    let expected = solutions(&plain.out);
    assert_eq!(expected.len(), 352);
    let journal = folder.path().join("killed.journal");
    let mut before = 0;
    for wanted in [1, 2, 9, 30, 60] {
        let mut child = started(LIST, &journal);
        wait_for(&mut child, &journal, wanted);
        let _ = child.kill();
        child.wait().unwrap();
        assert!(lines(&journal) >= before, "nothing that was done is lost");
        before = lines(&journal);
    }
    let first = count(LIST, &journal);
    assert_eq!((solutions(&first.out), first.code), (expected, 0), "{}", first.err);
    let whole = lines(&journal);
    for threads in 1..3 {
        let again = count(&format!("{LIST} --threads {threads}"), &journal);
        assert_eq!((&again.out, again.err.as_str(), again.code), (&first.out, "", 0));
    }
    assert_eq!(lines(&journal), whole, "what is whole is only read");
}

#[test]
fn a_list_with_a_journal_is_printed_like_any_other() {
    let folder = folder();
    for (number, (args, code)) in [
        ("list puzzles/sudoku/inkala-2010.txt", 0),
        ("list puzzles/sudoku/inkala-2010.txt --json", 0),
        ("list puzzles/sudoku/inkala-2010.txt --to rows", 0),
        ("list --puzzle queens 3", 1),
        ("list --puzzle queens 3 --json", 1),
        ("list --puzzle polyomino dominoes:4x4", 0),
        ("list --puzzle langford 7", 0),
    ]
    .into_iter()
    .enumerate()
    {
        let journal = folder.path().join(format!("{number}.journal"));
        let mut plain = finish(command(args), "");
        let mut ran = count(args, &journal);
        if args.ends_with("--json") {
            // Compare the objects without engine and cost, which may differ.
            for out in [&mut plain.out, &mut ran.out] {
                let (solutions, rest) = out.split_once(",\"engine\"").unwrap();
                let (count, _) = rest.split_once(",\"nodes\"").unwrap();
                *out = format!("{solutions}{}", &count[count.find(",\"count\"").unwrap()..]);
            }
        } else {
            (plain.out, ran.out) = (solutions(&plain.out).concat(), solutions(&ran.out).concat());
        }
        assert_eq!((ran.out, ran.err, ran.code), (plain.out, plain.err, code), "{args}");
    }
    let two = count("list --puzzle queens 5 6", &folder.path().join("two.journal"));
    assert_eq!((two.code, two.err.as_str()), (2, "expected one puzzle, found more\n"));
    for refused in ["--limit 3", "--stats", "--engine links", "--nodes 5"] {
        let ran = count(&format!("{LIST} {refused}"), &folder.path().join("refused.journal"));
        assert!(ran.code == 2 && ran.err.contains("cannot be used with"), "{refused}: {}", ran.err);
    }
}

#[test]
fn a_count_with_a_journal_uses_only_the_named_engine() {
    let folder = folder();
    let journal = |name: &str| folder.path().join(name);
    for engine in ["masks", "links", "cells"] {
        let args = format!("count --puzzle queens 9 --shards 20 --engine {engine}");
        let ran = count(&args, &journal(engine));
        assert_eq!((ran.out.as_str(), ran.code), ("352\n", 0), "{}", ran.err);
        // Another engine may count the remaining shards.
        let text = fs::read_to_string(journal(engine)).unwrap();
        assert!(text.lines().count() > 5, "{text}");
        fs::write(journal(engine), &text[..text.len() / 2]).unwrap();
        let again = count("count --puzzle queens 9 --quiet --engine learn", &journal(engine));
        assert_eq!((again.out.as_str(), again.code), ("352\n", 0), "{}", again.err);
    }
    let ran = count("count --puzzle queens 9 --engine memo", &journal("memo"));
    let expected = "expected an engine that searches exact covers beside --journal, found `memo`\n";
    assert_eq!((ran.err.as_str(), ran.code), (expected, 2));
}

#[test]
fn a_list_cut_by_a_limit_shows_complete_solutions_and_resumes() {
    let folder = folder();
    let journal = folder.path().join("time.journal");
    let ran = count(&format!("{LIST} --time 0"), &journal);
    assert_eq!((ran.out.as_str(), ran.code), ("unknown\n", 3), "{}", ran.err);
    assert!(ran.err.contains("time limit reached, 0 solutions found"), "{}", ran.err);
    let whole = count(LIST, &journal);
    let text = fs::read_to_string(&journal).unwrap();
    // Truncate the journal, as if the process had been killed while writing it.
    let cut = text.len() / 2;
    fs::write(&journal, &text[..cut]).unwrap();
    let ran = count(LIST, &journal);
    assert!(ran.err.contains("dropped the last line, of which only"), "{}", ran.err);
    assert_eq!((ran.out, ran.code), (whole.out, 0));
    // The output of each run is a prefix of the complete list.
    let long = "list --puzzle queens 11 --shards 100";
    let journal = folder.path().join("long.journal");
    let parts = [0.02, 0.05, 0.1].map(|time| count(&format!("{long} --time {time}"), &journal).out);
    let whole = count(long, &journal).out;
    assert!(parts.iter().all(|part| part == "unknown\n" || whole.starts_with(part.trim_end())));
}

#[test]
fn a_changed_journal_of_a_list_is_refused_with_the_line() {
    let folder = folder();
    let journal = folder.path().join("list.journal");
    assert_eq!(count(LIST, &journal).code, 0);
    let text = fs::read_to_string(&journal).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let refuse = |lines: &[&str], args: &str, expected: &str| {
        fs::write(&journal, lines.concat()).unwrap();
        let ran = count(args, &journal);
        assert_eq!((ran.out.as_str(), ran.code), ("", 2), "{}", ran.err);
        assert!(ran.err.contains(expected), "{expected}: {}", ran.err);
    };
    let changed = lines[1].replacen("covers\":\"", "covers\":\"1", 1);
    refuse(&[lines[0], &changed, lines[2]], LIST, "list.journal:2: expected the check");
    let is_covers = |line: &&str| line.contains("\"covers\"");
    let covers: Vec<&str> = lines.iter().copied().filter(is_covers).collect();
    let whole: Vec<&str> = lines[1..].iter().copied().filter(|line| !is_covers(line)).collect();
    let is_full = |line: &&&str| line.contains("\"chunks\":1");
    let full = whole.iter().find(is_full).unwrap();
    refuse(&[lines[0], full], LIST, "list.journal:2: expected 1 chunks of the shard");
    refuse(&[lines[0], full, covers[0]], LIST, "list.journal:2: expected 1 chunks");
    refuse(
        &lines,
        "list --puzzle queens 10 --shards 40",
        "list.journal:1: expected the journal of this puzzle",
    );
    refuse(&lines, "list --puzzle queens 9 --shards 41", "list.journal:1: expected 40 shards");
    refuse(&lines, "count --puzzle queens 9", "list.journal:1: expected a journal, which begins with");
}

#[cfg(unix)]
#[test]
fn a_list_on_a_full_disk_ends_with_an_error_and_a_valid_journal() {
    let folder = folder();
    let journal = folder.path().join("full.journal");
    let mut limited = Command::new("sh");
    let line = format!("ulimit -f 4; exec \"$0\" {LIST} --journal \"$1\"");
    limited.args(["-c", &line, env!("CARGO_BIN_EXE_farandole")]).arg(&journal);
    let ran = finish(limited, "");
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.err.contains("full.journal: cannot write: "), "{}", ran.err);
    let whole = count(LIST, &journal);
    assert_eq!((whole.err.as_str(), whole.code), ("", 0));
    assert!(whole.out.starts_with(ran.out.trim_end()));
    assert_eq!(solutions(&whole.out).len(), 352);
}

#[cfg(unix)]
#[test]
fn an_interrupted_count_with_a_journal_prints_its_partial_result_and_can_resume() {
    let folder = folder();
    let interrupted = |args: &str, name: &str| {
        let journal = folder.path().join(name);
        let mut command = with_journal(args, &journal);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        wait_for(&mut child, &journal, 3);
        let is_running = child.try_wait().unwrap().is_none();
        let pid = child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success() || !is_running);
        (child.wait_with_output().unwrap(), journal)
    };
    let (ended, journal) = interrupted("count --puzzle queens 13 --shards 300", "count.journal");
    let out = String::from_utf8(ended.stdout).unwrap();
    match ended.status.code() {
        Some(130) => assert!(out.ends_with("+\n"), "{out}"),
        // The count finished before the interrupt arrived.
        code => assert_eq!((out.as_str(), code), ("73712\n", Some(0))),
    }
    assert_eq!(count("count --puzzle queens 13 --shards 300", &journal).out, "73712\n");
    let list = "list --puzzle queens 11 --shards 100";
    let (ended, journal) = interrupted(list, "list.journal");
    let out = String::from_utf8(ended.stdout).unwrap();
    assert!(matches!(ended.status.code(), Some(0 | 130)));
    let whole = count(list, &journal).out;
    assert_eq!(solutions(&whole).len(), 2680);
    assert!(out == "unknown\n" || whole.starts_with(out.trim_end()), "a whole beginning of it");
}
