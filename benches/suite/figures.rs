//! Records of measurements with their machine and date, and the formatting of numbers.

use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Measurements of one run on one machine, one line per problem.
#[derive(Serialize, Deserialize)]
pub(crate) struct Record<L> {
    machine: String,
    pub(crate) date: String,
    commit: String,
    pub(crate) problems: Vec<L>,
}

impl<L: Serialize + DeserializeOwned> Record<L> {
    pub(crate) fn new(problems: Vec<L>) -> Self {
        Self { machine: machine(), date: today(), commit: commit(), problems }
    }

    pub(crate) fn write(&self, path: &Path) {
        let text = serde_json::to_string_pretty(self).expect("numbers and strings") + "\n";
        std::fs::write(path, text).expect("the record can be written");
    }

    pub(crate) fn read(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).expect("the record can be read");
        serde_json::from_str(&text).expect("a record")
    }
}

/// Returns the output of a program, or an empty text if it fails.
fn said_by(program: &str, args: &[&str]) -> String {
    let output = std::process::Command::new(program).args(args).output();
    output.map_or_else(|_| String::new(), |out| String::from_utf8_lossy(&out.stdout).trim().to_owned())
}

fn commit() -> String {
    said_by("git", &["rev-parse", "--short", "HEAD"])
}

fn today() -> String {
    said_by("date", &["-I"])
}

fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{}, {cores} cores", model.map_or("unknown", |(_, name)| name))
}

pub(crate) fn milliseconds(seconds: f64) -> String {
    match seconds * 1e3 {
        time @ ..10.0 => format!("{time:.2} ms"),
        time @ ..100.0 => format!("{time:.1} ms"),
        time => format!("{time:.0} ms"),
    }
}

pub(crate) fn mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = numbers.fold((0.0, 0), |(sum, count), number| (sum + number.ln(), count + 1));
    (sum / f64::from(count.max(1))).exp()
}
