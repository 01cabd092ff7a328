//! The program replaces an output file completely or not at all, and it accepts any bytes in file
//! names.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{Ran, command, finish, run};

/// Content of a file before the command runs.
const OLD: &str = "what was here before\n";

/// Creates a folder that contains a file with the content [`OLD`].
fn old_file(name: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    fs::write(&path, OLD).expect("written");
    (folder, path)
}

/// Asserts that a folder contains exactly the files `expected`.
fn holds(folder: &Path, expected: &[&str]) {
    let entries =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").file_name());
    let mut names: Vec<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    assert_eq!(names, expected);
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).expect("a file")
}

/// Runs a line in a shell, where `$0` is the program.
#[cfg(unix)]
fn shell(line: &str) -> Ran {
    let mut shell = Command::new("sh");
    shell.args(["-c", line, env!("CARGO_BIN_EXE_farandole")]);
    finish(shell, "")
}

#[test]
fn an_incomplete_trace_leaves_the_old_file() {
    let (folder, path) = old_file("t");
    let trace = path.display();
    let ran = run(&format!("count --trace {trace} --memory 10K --puzzle queens 12"), "");
    assert_eq!((ran.code, text(&path).as_str()), (3, OLD), "{ran:?}");
    let ran = run(&format!("count --trace {trace} --puzzle queens 6"), "");
    assert_eq!((ran.code, ran.out.as_str()), (0, "4\n"), "{ran:?}");
    assert_ne!(text(&path), OLD);
    holds(folder.path(), &["t"]);
}

#[cfg(unix)]
#[test]
fn an_interrupted_trace_leaves_only_the_old_file() {
    let (folder, path) = old_file("t");
    let args = format!("count --memory 100G --trace {} --puzzle queens 20", path.display());
    let mut child = command(&args).spawn().expect("it starts");
    // As soon as a second, temporary file exists, the trace has begun.
    while fs::read_dir(folder.path()).expect("a folder").count() < 2 {
        assert!(child.try_wait().expect("a child").is_none(), "it ended too soon");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    crate::cli::interrupt(child.id());
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert_eq!(text(&path), OLD);
    holds(folder.path(), &["t"]);
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_the_old_file() {
    let (folder, path) = old_file("t");
    let path_shown = path.display();
    for line in [
        format!("ulimit -f 8; \"$0\" count --trace {path_shown} --puzzle queens 9"),
        format!(
            "ulimit -f 1; \"$0\" compare -q --engine links --time 0.1 --html {path_shown} --puzzle queens 4"
        ),
    ] {
        let ran = shell(&line);
        assert_eq!((ran.code, text(&path).as_str()), (2, OLD), "{line}: {ran:?}");
        assert!(ran.err.contains(&format!("{path_shown}: cannot write: File too large")), "{ran:?}");
        holds(folder.path(), &["t"]);
    }
}

#[test]
fn an_unwritable_file_is_reported_before_measuring() {
    let (folder, path) = old_file("ok");
    let (nowhere, ok) = (folder.path().join("nowhere/x"), path.display());
    let nowhere = nowhere.display();
    // These puzzles would take practically forever.
    let args = format!(
        "compare -q --time 100000 --engine naive --csv {ok} --save {nowhere} --puzzle queens 30"
    );
    let ran = run(&args, "");
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{ran:?}");
    assert_eq!(ran.err, format!("{nowhere}: cannot write: No such file or directory (os error 2)\n"));
    let folder_shown = folder.path().display();
    let ran = run(&format!("count --memory 100G --trace {folder_shown} --puzzle queens 30"), "");
    assert_eq!(ran.err, format!("{folder_shown}: cannot write: expected a file, found a folder\n"));
    assert_eq!((ran.code, text(&path).as_str()), (2, OLD));
    holds(folder.path(), &["ok"]);
}

#[cfg(unix)]
#[test]
fn an_output_file_that_fails_does_not_prevent_the_others() {
    let (folder, page) = old_file("page.html");
    let record = folder.path().join("record.json");
    let (page_shown, record_shown) = (page.display(), record.display());
    // The page is larger than the file size limit, and the record is smaller.
    let ran = shell(&format!(
        "ulimit -f 16; \"$0\" compare -q --engine links --time 0.01 --puzzle queens 4 \
         --html {page_shown} --csv {record_shown}"
    ));
    assert_eq!((ran.code, text(&page).as_str()), (2, OLD), "{ran:?}");
    assert!(text(&record).contains("links") && ran.out.contains("links"), "{ran:?}");
}

#[cfg(unix)]
#[test]
fn a_write_protected_file_is_not_replaced() {
    // The file of a running program cannot be written, not even by root.
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("program");
    // Copy the program with `cp`. If this process wrote the copy, a child process started by
    // another thread could still have it open.
    let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_farandole")).arg(&program).status();
    assert!(copied.expect("a program to copy").success());
    let size = fs::metadata(&program).expect("a file").len();
    let mut command = Command::new(&program);
    command.args(["count", "--puzzle", "queens", "6", "--trace"]).arg(&program);
    let ran = finish(command, "");
    assert_eq!((ran.code, ran.err.contains("cannot write: Text file busy")), (2, true), "{ran:?}");
    assert_eq!(fs::metadata(&program).expect("a file").len(), size);
}

#[cfg(unix)]
#[test]
fn permissions_and_links_are_kept_and_devices_are_written_directly() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let (folder, path) = old_file("t");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("set");
    let link = folder.path().join("link");
    symlink("t", &link).expect("a link");
    let ran = run(&format!("count --trace {} --puzzle queens 6", link.display()), "");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(fs::symlink_metadata(&link).expect("a link").is_symlink());
    assert_ne!(text(&path), OLD);
    assert_eq!(fs::metadata(&path).expect("a file").permissions().mode() & 0o777, 0o640);
    // The link points to a file that does not exist yet.
    symlink("later", folder.path().join("link2")).expect("a link");
    run(&format!("count --trace {}/link2 --puzzle queens 4", folder.path().display()), "");
    holds(folder.path(), &["later", "link", "link2", "t"]);
    let ran = run("count --trace /dev/null --puzzle queens 6", "");
    assert_eq!((ran.code, ran.out.as_str()), (0, "4\n"), "{ran:?}");
    let ran = run("count --trace /dev/stdout --puzzle queens 6", "");
    assert!(ran.out.lines().count() > 2 && ran.out.ends_with("4\n"), "{ran:?}");
}

#[test]
fn the_command_man_creates_its_output_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let below = folder.path().join("share/man1");
    let ran = run(&format!("man --out {}", below.display()), "");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(text(&below.join("farandole-check.1")).contains("farandole\\-check"));
}

#[cfg(unix)]
#[test]
fn a_file_name_may_have_any_bytes_and_is_printed_without_control_codes() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(OsStr::from_bytes(b"a\xff\x1b[31m.txt"));
    fs::write(&path, "1234\n3412\n2143\n432.\n").expect("written");
    let of = |args: &str| {
        let mut command = command(args);
        command.arg(&path);
        finish(command, "")
    };
    let ran = of("count");
    assert_eq!((ran.code, ran.out.as_str()), (0, "1\n"), "{ran:?}");
    let ran = of("compare -q --time 0.1 --engine links");
    assert_eq!(ran.code, 0, "{ran:?}");
    fs::write(&path, "1234\n3412\n2143\n432x\n").expect("written");
    let ran = of("count");
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.err.contains("a\\xff\\u{1b}[31m.txt:4:4: "), "{ran:?}");
    assert!(!ran.err.contains('\u{1b}'), "{ran:?}");
    fs::remove_file(&path).expect("removed");
    let ran = of("count");
    assert_eq!(
        (ran.code, ran.err.contains("a\\xff\\u{1b}[31m.txt: cannot read")),
        (2, true),
        "{ran:?}"
    );
}
