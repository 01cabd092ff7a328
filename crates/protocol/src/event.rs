//! The events of an answer.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An event of an answer: a JSON object with one key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A line of standard output that is a JSON object.
    Line(Value),
    /// A piece of standard output that is text. The whole output is the concatenation of these.
    Text(String),
    /// A line of standard error.
    Note(String),
    /// The progress of a search.
    Progress(Value),
    /// The end of the answer. Comes last, exactly once.
    End(End),
}

/// How an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct End {
    /// The exit code of the program: 0 done, 1 no solution or a failed check, 2 bad input, 3
    /// stopped by a limit, 130 interrupted. A program that was killed by a signal has 128 and the
    /// number of the signal.
    pub code: i32,
    /// The duration of the run in seconds.
    pub seconds: f64,
}
