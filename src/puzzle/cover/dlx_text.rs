//! Knuth's text; see [`dlx::text`].

use std::collections::HashSet;

use dlx::{OptionId, ParseError, Problem, text};

use super::{Form, may_be_squares};
use crate::input::{InputError, whole_lines};

pub(super) const FORM: Form = Form {
    name: "dlx",
    summary: "Knuth's text: a line of items, `|` before the secondary ones, then an option a line",
    example: "| Knuth's example of colors\nA B C | X Y\nA B X:0 Y:0\nA C X:1 Y:1\nX:0 Y:1\nB X:1\nC Y:1\n",
    extensions: &["dlx"],
    recognizes,
    read: Some(|whole| text::parse(whole).map_err(|error| with_line(error, whole))),
    write: |problem| {
        // Without a primary item the line of items would read as a comment.
        if problem.primary_count() == 0 {
            return Err("Knuth's text cannot hold a problem without primary items".into());
        }
        Ok(text::write(problem))
    },
};

/// Adds the line of `whole` that `error` speaks of.
fn with_line(error: ParseError, whole: &str) -> InputError {
    let ParseError { line, column, message } = error;
    let text = whole.lines().nth(line.saturating_sub(1)).unwrap_or_default();
    let text = if line == 1 { text.trim_start_matches('\u{feff}') } else { text };
    InputError { line, column, message, text: text.to_owned(), limit: None }
}

/// Returns the line of an option with its cost, as [`text::write`] has it.
pub(super) fn line(problem: &Problem, option: OptionId) -> String {
    let shown = problem.show(option);
    match problem.cost(option) {
        0 => format!("{shown}\n"),
        cost => format!("{shown} |{cost}\n"),
    }
}

/// Options that are looked at to recognize the text; what is wrong in one behind them, the reader says.
const SAMPLE_OPTIONS: usize = 32;

/// Tells whether the first line defines items and the next ones use only those.
///
/// There must be an option, and what could be filled grids (`1 2` above `2 1`) is left to them.
fn recognizes(sample: &str) -> bool {
    let is_content = |line: &&str| !line.trim_start().is_empty() && !line.trim_start().starts_with('|');
    let mut lines = whole_lines(sample).trim_start_matches('\u{feff}').lines().filter(is_content);
    let Some(items) = lines.next() else { return false };
    let names: HashSet<&str> = items
        .split_whitespace()
        .map(|word| word.rsplit_once('|').map_or(word, |(_, name)| name))
        .filter(|name| !name.is_empty())
        .collect();
    let uses_names = |line: &str| {
        line.split_whitespace().all(|word| {
            word.strip_prefix('|').is_some_and(|cost| cost.parse::<u64>().is_ok())
                || names.contains(word.split_once(':').map_or(word, |(name, _)| name))
        })
    };
    lines.clone().next().is_some()
        && lines.clone().take(SAMPLE_OPTIONS).all(uses_names)
        && text::parse(items).is_ok()
        && !may_be_squares(
            std::iter::once(items).chain(lines).map(|line| line.split_whitespace().count()),
        )
}
