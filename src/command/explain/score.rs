//! How scores are written; in tenths they are whole numbers.

use serde_json::{Value, json};

/// Shows a score.
pub(in crate::command) fn shown(score: u32) -> String {
    format!("{}.{}", score / 10, score % 10)
}

/// Makes the number of a score in JSON.
pub(in crate::command) fn score(score: u32) -> Value {
    json!(f64::from(score) / 10.0)
}
