//! Formats difficulty scores, which are stored in tenths.

use serde_json::{Value, json};

pub(in crate::command) fn shown(score: u32) -> String {
    format!("{}.{}", score / 10, score % 10)
}

pub(in crate::command) fn score(score: u32) -> Value {
    json!(f64::from(score) / 10.0)
}
