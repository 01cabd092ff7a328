//! `count --journal`: whatever ends it, the same command goes on, and the number is right.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::command::{Ran, command, finish};

/// A puzzle in some parts, and one in so many that each wait for the disk alone takes a while together.
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

/// Makes a journal of all shards.
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

/// Waits until a journal has so many lines, or its process is done.
fn wait_for(child: &mut Child, journal: &Path, wanted: usize) {
    while lines(journal) < wanted && child.try_wait().expect("a child").is_none() {
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_count_that_was_killed_goes_on_and_loses_nothing_that_was_done() {
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
fn a_torn_last_line_is_dropped_with_a_word_and_counted_again() {
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
    // Even that of the header.
    fs::write(&journal, &text[..30]).unwrap();
    assert_eq!(count(QUEENS, &journal).out, QUEENS_COUNT);
}

#[test]
fn a_line_that_was_changed_dropped_or_repeated_is_seen() {
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

    // What is missing is counted again, and what is there twice counts once.
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

#[test]
fn two_processes_do_not_share_a_journal() {
    let folder = folder();
    let journal = folder.path().join("shared.journal");
    let mut first = started(&format!("{SLOWER} --threads 1"), &journal);
    wait_for(&mut first, &journal, 2);
    let second = count(SLOWER, &journal);
    let is_running = first.try_wait().unwrap().is_none();
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(is_running, "the first was still at work");
    assert_eq!((second.out.as_str(), second.code), ("", 2));
    assert!(second.err.contains("shared.journal: another process is counting with this journal"));
}

#[test]
fn what_is_known_when_the_time_is_over_is_printed_and_the_count_goes_on_later() {
    let folder = folder();
    let journal = folder.path().join("time.journal");
    let ran = count(&format!("{QUEENS} --time 0"), &journal);
    assert_eq!((ran.out.as_str(), ran.code), ("0+\n", 3), "{}", ran.err);
    assert!(ran.err.contains("stopped by the limit of time; the same command goes on"), "{}", ran.err);
    assert_eq!(count(QUEENS, &journal).out, QUEENS_COUNT);
    let ran = count(&format!("{QUEENS} --json"), &journal);
    assert_eq!(ran.out, "{\"puzzle\":1,\"kind\":\"queens\",\"count\":\"2680\",\"complete\":true}\n");
}

#[test]
fn a_short_count_has_one_shard_and_no_cover_is_a_count_as_well() {
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
fn a_full_disk_ends_with_an_error_and_a_whole_journal() {
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
