//! Files that the program writes are whole or untouched, and names of files are any bytes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{Ran, command, finish, run};

/// What stood in a file before.
const OLD: &str = "what was here before\n";

/// Makes a folder with a file in it that has the old text.
fn old_file(name: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    fs::write(&path, OLD).expect("written");
    (folder, path)
}

/// Asserts that there are just those files in a folder.
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

/// Runs a line of the shell in which `$0` is the program.
#[cfg(unix)]
fn shell(line: &str) -> Ran {
    let mut shell = Command::new("sh");
    shell.args(["-c", line, env!("CARGO_BIN_EXE_farandole")]);
    finish(shell, "")
}

#[test]
fn a_trace_that_comes_to_no_count_leaves_the_old_file() {
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
fn an_interrupted_trace_leaves_the_old_file_and_nothing_beside_it() {
    let (folder, path) = old_file("t");
    let args = format!("count --memory 100G --trace {} --puzzle queens 20", path.display());
    let mut child = command(&args).spawn().expect("it starts");
    // It has begun once there is a file beside.
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
fn a_disk_that_is_full_leaves_the_old_file() {
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
fn a_file_that_cannot_be_written_is_told_before_anything_is_measured() {
    let (folder, path) = old_file("ok");
    let (nowhere, ok) = (folder.path().join("nowhere/x"), path.display());
    let nowhere = nowhere.display();
    // Nobody could wait for the end of these.
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
fn a_file_that_fails_does_not_keep_the_others_from_being_written() {
    let (folder, page) = old_file("page.html");
    let record = folder.path().join("record.json");
    let (page_shown, record_shown) = (page.display(), record.display());
    // A page is more than 20 KiB, a record of so little is less.
    let ran = shell(&format!(
        "ulimit -f 16; \"$0\" compare -q --engine links --time 0.01 --puzzle queens 4 \
         --html {page_shown} --csv {record_shown}"
    ));
    assert_eq!((ran.code, text(&page).as_str()), (2, OLD), "{ran:?}");
    assert!(text(&record).contains("links") && ran.out.contains("links"), "{ran:?}");
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_written_is_not_replaced() {
    // A program that runs may not be written, not even by the administrator.
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("program");
    // By a program of its own: a file that this process writes could still be open in what another thread starts.
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
fn permissions_and_links_stay_and_what_is_no_file_is_written_directly() {
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
    // A link to what is not there yet.
    symlink("later", folder.path().join("link2")).expect("a link");
    run(&format!("count --trace {}/link2 --puzzle queens 4", folder.path().display()), "");
    holds(folder.path(), &["later", "link", "link2", "t"]);
    let ran = run("count --trace /dev/null --puzzle queens 6", "");
    assert_eq!((ran.code, ran.out.as_str()), (0, "4\n"), "{ran:?}");
    let ran = run("count --trace /dev/stdout --puzzle queens 6", "");
    assert!(ran.out.lines().count() > 2 && ran.out.ends_with("4\n"), "{ran:?}");
}

#[test]
fn the_folder_of_the_manual_is_made() {
    let folder = tempfile::tempdir().expect("a folder");
    let below = folder.path().join("share/man1");
    let ran = run(&format!("man --out {}", below.display()), "");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(text(&below.join("farandole-check.1")).contains("farandole\\-check"));
}

#[cfg(unix)]
#[test]
fn a_name_may_be_any_bytes_and_is_shown_without_steering_the_terminal() {
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
