//! Runs the program as a user would.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// The output and the exit code of a run of the program.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Returns a command that runs the program in the root of the repository. Spaces separate the
/// arguments in `args`.
pub(crate) fn command(args: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_farandole"));
    command.args(args.split_whitespace()).current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

/// Returns `count` of the cases in their order, or all of them with the feature `slow-tests`. The
/// environment variable `SAMPLE` is the seed of the choice, 0 by default.
pub(crate) fn sample<T>(cases: impl IntoIterator<Item = T>, count: usize) -> Vec<T> {
    let mut cases: Vec<Option<T>> = cases.into_iter().map(Some).collect();
    if cfg!(feature = "slow-tests") {
        return cases.into_iter().flatten().collect();
    }
    let seed = std::env::var("SAMPLE").map_or(0, |seed| seed.parse().expect("SAMPLE is a number"));
    let mut places: Vec<usize> = (0..cases.len()).collect();
    fastrand::Rng::with_seed(seed).shuffle(&mut places);
    places.truncate(count);
    places.sort_unstable();
    places.into_iter().filter_map(|place| cases[place].take()).collect()
}

pub(crate) fn run(args: &str, input: &str) -> Ran {
    finish(command(args), input)
}

/// Runs the program with `input` as standard input, and checks its standard output and its exit
/// code.
pub(crate) fn check(args: &str, input: &str, out: &str, code: i32) {
    let ran = run(args, input);
    assert_eq!((ran.out.as_str(), ran.code), (out, code), "{args}: {}", ran.err);
}

/// Starts a command whose standard streams are pipes.
pub(crate) fn start(mut command: Command) -> Child {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

/// Runs a command with `input` as standard input.
pub(crate) fn finish(command: Command, input: &str) -> Ran {
    let mut child = start(command);
    let mut stdin = child.stdin.take().expect("it has a standard input");
    let input = input.to_owned();
    // Ignore write errors, because the program may stop reading early.
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("the writer ends");
    Ran {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// Returns all files below `puzzles/`, sorted.
pub(crate) fn shipped_puzzles() -> Vec<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("puzzles");
    let mut files = Vec::new();
    for kind in std::fs::read_dir(root).expect("the folder puzzles") {
        let kind = kind.expect("a kind").path();
        files.extend(
            std::fs::read_dir(kind).expect("a folder").map(|file| file.expect("a file").path()),
        );
    }
    files.sort();
    files
}
