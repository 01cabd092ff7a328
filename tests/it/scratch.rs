//! `count --scratch` keeps its states on disk. After any interruption, the same command resumes and
//! gives the right count.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use farandole::shards::lines;

use crate::command::{Ran, command, finish};

/// A count that takes seconds in a test build, and a shorter one.
const SLOWER: &str = "count --engine frontier --puzzle queens 12";
const SLOWER_COUNT: &str = "14200\n";
const QUEENS: &str = "count --engine frontier --puzzle queens 10";
const QUEENS_COUNT: &str = "724\n";

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn with_scratch(args: &str, scratch: &Path) -> Command {
    let mut command = command(args);
    command.arg("--scratch").arg(scratch);
    command
}

fn count(args: &str, scratch: &Path) -> Ran {
    finish(with_scratch(args, scratch), "")
}

fn started(args: &str, scratch: &Path) -> Child {
    let mut command = with_scratch(args, scratch);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("it starts")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<_> = entries
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .collect();
    names.sort();
    names
}

/// Returns the path of the catalog in the folder, and the number of expanded states that the
/// catalog records.
fn list(folder: &Path) -> (PathBuf, u64) {
    let path = folder.join("farandole.scratch");
    let text = fs::read_to_string(&path).unwrap_or_default();
    let seen = text.split_once("\"seen\":[").and_then(|(_, rest)| rest.split_once(']'));
    let seen = seen.map_or("", |(seen, _)| seen);
    (path, seen.split(',').filter_map(|number| number.parse::<u64>().ok()).sum())
}

/// Starts a count and kills it after `states` expanded states; returns the number of expanded
/// states recorded at that time.
fn begun(args: &str, scratch: &Path, states: u64) -> u64 {
    let mut child = started(args, scratch);
    while list(scratch).1 < states && child.try_wait().expect("a child").is_none() {
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    list(scratch).1
}

#[test]
fn a_killed_count_resumes_from_the_states_on_disk() {
    let scratch = folder();
    let mut before = 0;
    for states in [1, 1000, 20_000, 80_000, 150_000] {
        let now = begun(&format!("{SLOWER} --threads 2"), scratch.path(), states);
        if names(scratch.path()).is_empty() {
            // The count finished before it could be killed.
            break;
        }
        assert!(now >= before, "{before} states, then {now}");
        before = now;
    }
    fs::write(scratch.path().join("mine.txt"), "it is none of its files").unwrap();
    let ran = count(SLOWER, scratch.path());
    assert_eq!((ran.out.as_str(), ran.code), (SLOWER_COUNT, 0), "{}", ran.err);
    assert_eq!(names(scratch.path()), ["mine.txt"], "what it made is gone");
}

#[test]
fn counts_on_disk_are_right_with_a_tiny_memory_limit_and_several_threads() {
    let scratch = folder();
    let path = scratch.path().join("a/folder/that/is/made");
    for (args, out, code) in [
        (QUEENS, QUEENS_COUNT, 0),
        ("count --engine frontier --memory 1M --puzzle queens 10", QUEENS_COUNT, 0),
        ("count --engine frontier --memory 2M --threads 3 --puzzle queens 11", "2680\n", 0),
        ("count --puzzle polyomino dominoes:16x16", "2444888770250892795802079170816\n", 0),
        ("count --puzzle queens 3", "0\n", 1),
        ("count --puzzle langford 7", "52\n", 0),
        ("count puzzles/sudoku/inkala-2010.txt", "1\n", 0),
        (
            "count --json --puzzle queens 6",
            "{\"puzzle\":1,\"kind\":\"queens\",\"count\":\"4\",\"complete\":true}\n",
            0,
        ),
    ] {
        let ran = count(args, &path);
        assert_eq!((ran.out.as_str(), ran.code), (out, code), "{args}: {}", ran.err);
        assert_eq!(ran.err, "");
        assert!(names(&path).is_empty(), "{args}: {:?}", names(&path));
    }
    let ran = count("count --stats --puzzle queens 6", &path);
    assert!(ran.err.starts_with("frontier on a disk: "), "{}", ran.err);
}

#[test]
fn a_count_on_disk_stops_at_a_limit_and_the_same_command_resumes() {
    let scratch = folder();
    let path = scratch.path();
    let ran = count(&format!("{QUEENS} --time 0"), path);
    assert_eq!((ran.out.as_str(), ran.code), ("0+\n", 3), "{}", ran.err);
    assert!(
        ran.err.contains("time limit reached; run the same command again to resume"),
        "{}",
        ran.err
    );
    let mut rounds = 0;
    loop {
        let ran = count(&format!("{QUEENS} --nodes 3000 --threads 2"), path);
        rounds += 1;
        if ran.code == 0 {
            assert_eq!(ran.out, QUEENS_COUNT);
            break;
        }
        assert_eq!((ran.out.as_str(), ran.code), ("0+\n", 3), "{}", ran.err);
        assert!(
            ran.err.contains("node limit reached; run the same command again to resume"),
            "{}",
            ran.err
        );
        assert!(rounds < 100, "each goes on where the one before ended");
    }
    assert!(rounds > 3, "{rounds}");
    assert!(names(path).is_empty());
}

#[cfg(unix)]
#[test]
fn an_interrupted_or_terminated_count_on_disk_keeps_its_progress() {
    use rustix::process::{Pid, Signal, kill_process};

    for (signal, args) in [(Signal::INT, "--threads 1"), (Signal::TERM, "--threads 2")] {
        let scratch = folder();
        let mut command = with_scratch(&format!("{SLOWER} {args}"), scratch.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        while list(scratch.path()).1 < 1000 && child.try_wait().expect("a child").is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
        let before = list(scratch.path()).1;
        // On a busy machine the count may finish before it writes any state.
        if child.try_wait().expect("a child").is_some() {
            continue;
        }
        kill_process(Pid::from_child(&child), signal).expect("it is there");
        let ended = child.wait_with_output().expect("it ends");
        if ended.status.success() {
            continue;
        }
        assert_eq!((ended.stdout.as_slice(), ended.status.code()), (&b"0+\n"[..], Some(130)));
        assert!(list(scratch.path()).1 >= before);
        let ran = count(SLOWER, scratch.path());
        assert_eq!((ran.out.as_str(), ran.code), (SLOWER_COUNT, 0), "{}", ran.err);
    }
}

/// Checks that the count is refused with the message `said` and leaves the folder unchanged.
fn refused(args: &str, scratch: &Path, said: &str) {
    let before = names(scratch);
    let ran = count(args, scratch);
    assert_eq!((ran.out.as_str(), ran.code), ("", 2), "{}", ran.err);
    assert!(ran.err.contains(said), "{said}: {}", ran.err);
    assert_eq!(names(scratch), before);
}

#[test]
fn a_folder_of_another_puzzle_or_engine_or_with_other_files_is_refused() {
    let scratch = folder();
    let path = scratch.path();
    assert_eq!(count(&format!("{SLOWER} --nodes 20000"), path).code, 3);
    refused(
        "count --engine frontier --puzzle queens 11",
        path,
        "farandole.scratch:1: expected the states of this puzzle, with the plan ",
    );
    refused(
        "count --engine links --puzzle queens 12",
        path,
        "expected `--engine frontier` or `symmetry` with --scratch, found `links`",
    );
    refused("count --puzzle queens 6 7", path, "expected one puzzle, found more");
    let (list, _) = list(path);
    let old = path.join("farandole.scratch.old");
    let (text, before) = (fs::read_to_string(&list).unwrap(), fs::read(&old).unwrap());
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    // There is no previous catalog to fall back to.
    fs::write(&old, "torn").unwrap();
    for (changed, said) in [
        (text.replacen("\"seen\":[", "\"seen\":[1,", 1), "farandole.scratch:1: expected the check "),
        (lines[..lines.len() - 1].concat(), "lists of states, found"),
        (text[..text.len() - 1].to_owned(), ": expected the end of the line"),
        (
            lines[1..].concat(),
            "farandole.scratch:1: expected the first line of a file of the kind `scratch`",
        ),
        ("a text\n".to_owned(), "farandole.scratch:1: expected a JSON object that ends with its check"),
    ] {
        fs::write(&list, changed).unwrap();
        refused(SLOWER, path, said);
    }
    refused(
        "count --engine symmetry --puzzle latin 4",
        path,
        "expected the folder of such a count, found that of one by",
    );
    fs::remove_file(&list).unwrap();
    fs::remove_file(&old).unwrap();
    refused(SLOWER, path, "expected beside it the list `farandole.scratch` of what it is");
    let file = path.join("a file");
    fs::write(&file, "").unwrap();
    let ran = count(SLOWER, &file);
    assert_eq!((ran.out.as_str(), ran.code), ("", 2), "{}", ran.err);
    assert!(ran.err.contains("a file: cannot make: "), "{}", ran.err);
    // If the current catalog is incomplete or missing, the previous one is used.
    for torn in [Some(&text[..text.len() / 2]), None] {
        fs::write(&old, &before).unwrap();
        match torn {
            Some(torn) => fs::write(&list, torn).unwrap(),
            None => fs::remove_file(&list).unwrap(),
        }
        let ran = count(&format!("{SLOWER} --nodes 0"), path);
        assert_eq!((ran.out.as_str(), ran.code), ("0+\n", 3), "{}", ran.err);
        let said = "; the count goes on from what was kept before";
        assert_eq!(ran.err.contains(said), torn.is_some(), "{}", ran.err);
    }
    let ran = count(SLOWER, path);
    assert_eq!((ran.out.as_str(), ran.code), (SLOWER_COUNT, 0), "{}", ran.err);
    assert_eq!(names(path), ["a file"], "what it made is gone");
}

#[test]
fn a_count_on_disk_restarts_if_the_file_of_its_first_states_is_incomplete() {
    let scratch = folder();
    let path = scratch.path();
    assert_eq!(count(&format!("{SLOWER} --nodes 0"), path).code, 3);
    // This is the state after the first states were saved: the previous catalog is empty.
    let (list, _) = list(path);
    let text = fs::read_to_string(&list).unwrap();
    let header = text.lines().next().expect("a header");
    let mut header = lines::open(header.as_bytes()).unwrap();
    header.insert("lists".to_owned(), 0.into());
    fs::write(path.join("farandole.scratch.old"), lines::seal(&header.into())).unwrap();
    fs::write(path.join("farandole-0.blocks"), "torn").unwrap();
    let ran = count(SLOWER, path);
    assert_eq!((ran.out.as_str(), ran.code), (SLOWER_COUNT, 0), "{}", ran.err);
    assert!(ran.err.contains("; the count goes on from what was kept before"), "{}", ran.err);
}

#[test]
fn a_damaged_file_of_states_is_named_and_its_step_repeated_if_possible() {
    let scratch = folder();
    let path = scratch.path();
    assert_eq!(count(&format!("{SLOWER} --nodes 60000"), path).code, 3);
    let listed = fs::read_to_string(list(path).0).unwrap();
    let number = |line: &str, key: &str| -> usize {
        let (_, rest) = line.split_once(&format!("\"{key}\":")).expect("it has the key");
        rest.split(',').next().expect("a number").parse().expect("a number")
    };
    // File, offset and size (bytes) of some lists of states.
    let lists = listed.lines().skip(1).step_by(7).take(5);
    let lists = lists.map(|line| (number(line, "file"), number(line, "offset"), number(line, "bytes")));
    let copy = || {
        let copy = folder();
        for name in names(path) {
            fs::copy(path.join(&name), copy.path().join(&name)).expect("it can be copied");
        }
        copy
    };
    let mut gone_back = 0;
    let mut check = |ran: &Ran, said: &str| {
        assert!(ran.err.contains(said), "{said}: {}", ran.err);
        if ran.code == 0 {
            assert!(ran.err.contains("; the count goes on from what was kept before"), "{}", ran.err);
            gone_back += 1;
        }
        let expected = if ran.code == 0 { (SLOWER_COUNT, 0) } else { ("", 2) };
        assert_eq!((ran.out.as_str(), ran.code), expected, "{}", ran.err);
    };
    for (file, offset, bytes) in lists {
        let name = &format!("farandole-{file}.blocks");
        let whole = fs::read(path.join(name)).unwrap();
        let torn = copy();
        fs::write(torn.path().join(name), &whole[..offset + bytes - 1]).unwrap();
        check(&count(SLOWER, torn.path()), "the file was torn");
        let torn = copy();
        fs::remove_file(torn.path().join(name)).unwrap();
        check(&count(SLOWER, torn.path()), &format!("{name}: cannot read: "));
        for place in [3, 60, bytes / 2, bytes - 1] {
            let changed = copy();
            let mut bytes = whole.clone();
            bytes[offset + place] ^= 4;
            fs::write(changed.path().join(name), &bytes).unwrap();
            let ran = count(&format!("{SLOWER} --threads 2"), changed.path());
            check(&ran, &format!("{name}: at byte "));
        }
    }
    let ran = count(SLOWER, path);
    assert_eq!((ran.out.as_str(), ran.code), (SLOWER_COUNT, 0), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn a_killed_count_by_symmetry_resumes_from_its_files() {
    let latin = "count --engine symmetry --puzzle latin";
    let scratch = folder();
    let path = scratch.path();
    let ran = count(&format!("{latin} 6"), path);
    assert_eq!((ran.out.as_str(), ran.code, ran.err.as_str()), ("812851200\n", 0, ""));
    assert!(names(path).is_empty(), "{:?}", names(path));
    // The count has saved files and is far from its end.
    let (file, old) = (path.join("farandole.layers"), path.join("farandole.layers.old"));
    let long = format!("{latin} 9");
    let kept_again = |before: &[u8]| {
        let mut child = started(&long, path);
        while fs::read(&file).unwrap_or_default() == before
            && child.try_wait().expect("a child").is_none()
        {
            std::thread::sleep(Duration::from_millis(5));
        }
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        fs::read(&file).unwrap_or_else(|_| fs::read(&old).expect("one of both is there"))
    };
    let first = kept_again(b"");
    let second = kept_again(&first);
    assert_ne!(first, second, "it went on");
    // An incomplete file is reported, and the previous one is used.
    fs::write(&old, &first).unwrap();
    fs::write(&file, &second[..second.len() - 9]).unwrap();
    let ran = count(&format!("{long} --time 2"), path);
    assert_eq!((ran.out.as_str(), ran.code), ("0+\n", 3), "{}", ran.err);
    let said = ["farandole.layers: ", "; the count goes on from what was kept before"];
    assert!(said.iter().all(|said| ran.err.contains(said)), "{}", ran.err);
    fs::write(&file, &second[..second.len() / 2]).unwrap();
    fs::write(&old, "nothing").unwrap();
    refused(&long, path, "farandole.layers: cannot read a block: ");
    fs::write(&file, &second).unwrap();
    refused(&format!("{latin} 8"), path, "expected a count of this puzzle, with the digest ");
    refused(QUEENS, path, "expected the folder of such a count, found that of one by another --engine");
    let pieces = path.join("pieces.dlx");
    fs::write(&pieces, "a b c d\na b\na\nb\nc d\nc\nd\n").unwrap();
    let pieces = format!("count --engine symmetry {}", pieces.display());
    refused(&pieces, path, "expected a puzzle in one piece, ");
}

#[test]
fn two_counts_cannot_use_the_same_folder_at_the_same_time() {
    let scratch = folder();
    let mut first = started(&format!("{SLOWER} --threads 1"), scratch.path());
    while list(scratch.path()).1 < 1 {
        // On a busy machine the first process may have finished already.
        if first.try_wait().unwrap().is_some() {
            return;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    // Suspend the first process, so that it cannot finish before the second one starts.
    let pid = first.id().to_string();
    assert!(Command::new("kill").args(["-STOP", &pid]).status().unwrap().success());
    if first.try_wait().unwrap().is_some() {
        return;
    }
    let second = count(SLOWER, scratch.path());
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!((second.out.as_str(), second.code), ("", 2));
    assert!(second.err.contains("another process is at work in this folder"), "{}", second.err);
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_an_error_and_the_count_resumes_once_space_is_free() {
    let scratch = folder();
    let path = scratch.path();
    // No file may exceed this size, but the lists of the steps with most states do.
    for (blocks, threads) in [(1, 1), (40, 1), (40, 2), (20, 1)] {
        let mut limited = Command::new("sh");
        let line =
            format!("ulimit -f {blocks}; exec \"$0\" {SLOWER} --threads {threads} --scratch \"$1\"");
        limited.args(["-c", &line, env!("CARGO_BIN_EXE_farandole")]).arg(path);
        let ran = finish(limited, "");
        assert_eq!((ran.out.as_str(), ran.code), ("", 2), "{}", ran.err);
        let said = "; what was done before is kept, and run the same command again to resume";
        assert!(ran.err.contains(": cannot write: ") && ran.err.contains(said), "{}", ran.err);
        if blocks == 1 {
            // Restore the folder as if the process had been killed after the first states were
            // written and before the catalog named them.
            let text = fs::read_to_string(list(path).0).unwrap();
            let mut first = lines::open(text.lines().next().unwrap().as_bytes()).unwrap();
            assert_eq!(first["seen"], serde_json::json!([]));
            first.remove("check");
            first["lists"] = 0.into();
            fs::write(list(path).0, lines::seal(&first.into())).unwrap();
            assert!(names(path).iter().any(|name| name.ends_with(".blocks")));
        }
    }
    let ran = count(SLOWER, path);
    assert_eq!((ran.out.as_str(), ran.err.as_str(), ran.code), (SLOWER_COUNT, "", 0));
    assert!(names(path).is_empty());
}
