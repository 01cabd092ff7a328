//! Knuth's text format of exact covers, described at [`dlx::text`].

use std::collections::HashSet;

use dlx::{OptionId, ParseError, Problem};

use super::{Form, Unwritten, matrix, may_be_squares, miniexact, unread};
use text::{InputError, whole_lines};

pub(super) const FORM: Form = Form {
    name: "dlx",
    summary: "Knuth's text: a line of items, `|` before the secondary ones, then an option a line",
    example: "| Knuth's example of colors\nA B C | X Y\nA B X:0 Y:0\nA C X:1 Y:1\nX:0 Y:1\nB X:1\nC \
              Y:1\n",
    extensions: &["dlx"],
    recognizes,
    is_meant,
    read: Some(|whole, limits| match dlx::text::parse_within(whole, limits).map_err(unread)? {
        Ok(problem) => Ok(problem.into()),
        Err(error) => Err(with_line(error, whole)),
    }),
    diagram: None,
    write: |problem, limits| {
        // The items line of a problem without primary items would start with `|`, and would be read
        // as a comment.
        if problem.primary_count() == 0 {
            return Err("Knuth's text cannot hold a problem without primary items".into());
        }
        dlx::text::write_within(problem, limits).map_err(Unwritten::limited)
    },
};

fn with_line(error: ParseError, whole: &str) -> InputError {
    let ParseError { line, column, message, .. } = error;
    let text = whole.lines().nth(line.saturating_sub(1)).unwrap_or_default();
    let text = if line == 1 { text.trim_start_matches('\u{feff}') } else { text };
    InputError { line, column, message, text: text.to_owned(), limit: None }
}

/// Returns the line of an option with its cost, as [`text::write`] writes it.
pub(super) fn line(problem: &Problem, option: OptionId) -> String {
    let shown = problem.show(option);
    match problem.cost(option) {
        0 => format!("{shown}\n"),
        cost => format!("{shown} |{cost}\n"),
    }
}

/// Number of options that must be valid for the form to be recognized. The reader reports errors in
/// later options.
const SAMPLE_OPTIONS: usize = 32;

fn content(sample: &str) -> impl Iterator<Item = &str> + Clone {
    let lines = sample.trim_start_matches('\u{feff}').lines();
    lines.filter(|line| !line.trim_start().is_empty() && !line.trim_start().starts_with('|'))
}

/// Returns whether the first line defines items and the following options use only these items,
/// each possibly with a cost after a bar.
///
/// The text must have an option. Texts that may be filled grids (`1 2` above `2 1`) are left to the
/// grid formats.
fn recognizes(sample: &str) -> bool {
    let mut lines = content(whole_lines(sample));
    let Some(items) = lines.next() else { return false };
    let names: HashSet<&str> = items
        .split_whitespace()
        .map(|word| word.rsplit_once('|').map_or(word, |(_, name)| name))
        .filter(|name| !name.is_empty())
        .collect();
    let is_item = |word: &str| names.contains(word.split_once(':').map_or(word, |(name, _)| name));
    // Ignore the text after a bar, which the reader checks.
    let uses_names = |line: &str| {
        let is_cost =
            |word: &str| word.split_once('|').is_some_and(|(item, _)| item.is_empty() || is_item(item));
        line.split_whitespace().all(|word| is_cost(word) || is_item(word))
    };
    let has_costs = || lines.clone().take(SAMPLE_OPTIONS).any(|line| line.contains('|'));
    let may_be_grid = || {
        let lines = std::iter::once(items).chain(lines.clone());
        may_be_squares(lines.map(|line| line.split_whitespace().count()))
    };
    // A two-column matrix is more likely than items named `0` and `1`.
    lines.clone().next().is_some()
        && !matrix::recognizes(sample)
        && !miniexact::recognizes(sample)
        && lines.clone().take(SAMPLE_OPTIONS).all(uses_names)
        && dlx::text::parse(items).is_ok()
        && (has_costs() || !may_be_grid())
}

/// Returns whether the first line has a feature that no other form has: bounds before an item
/// (`2:3|a`, or `a:2;3` as in miniexact), or secondary items after a bar.
fn is_meant(sample: &str) -> bool {
    let Some(items) = content(sample).next() else { return false };
    let is_number =
        |text: &str| !text.is_empty() && text.bytes().all(|byte| b"0123456789:;".contains(&byte));
    let has_bounds = |word: &str| {
        let before =
            word.split_once('|').is_some_and(|(bounds, name)| is_number(bounds) && !name.is_empty());
        before
            || word.split_once(':').is_some_and(|(_, bounds)| bounds.contains(';') && is_number(bounds))
    };
    let mut bars = items.split_whitespace().filter(|word| word.contains('|'));
    let has_secondary = bars.next().is_some_and(|word| word.starts_with('|'))
        && bars.next().is_none()
        && !items.trim_end().ends_with('|');
    items.split_whitespace().any(has_bounds) || has_secondary
}
