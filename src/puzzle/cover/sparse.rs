//! Sparse lists: a line an option, the numbers of its items from 1.
//!
//! The first line is a head, as in the set-covering files of the OR-Library and the `p` line of DIMACS:
//! `items options`, or with secondary items, which have the highest numbers, `primary secondary
//! options`. There is no common form: `dlx -s` of dlx-cpp has `columns secondary`, counts from 0 and puts
//! the secondary ones first. A file of that kind is refused because its number of options is wrong.
//!
//! Lines that begin with `#` are comments. The items are named by their numbers, so names are lost in
//! writing. There is no place for colors, bounds and costs.

use std::collections::HashSet;

use dlx::{ItemId, Problem, ProblemBuilder};

use super::{Feature, Form, item_numbers, refuse};
use crate::input::{InputError, content_lines, end_error, is_cut, whole_lines, words};

/// The greatest number of items that a head may announce: no short text may take much memory.
const MAX_ITEMS: usize = 1_000_000;

pub(super) const FORM: Form = Form {
    name: "sparse",
    summary: "a head `items options` or `primary secondary options`, then item numbers, an option a line",
    example: "7 6\n3 5 6\n1 4 7\n2 3 6\n1 4\n2 7\n4 5 7\n",
    extensions: &[],
    recognizes,
    read: Some(read),
    write,
};

/// The numbers of the first line.
struct Head {
    primary: usize,
    secondary: usize,
    options: usize,
}

impl Head {
    fn parse(number: usize, line: &str) -> Result<Self, InputError> {
        let mut numbers = Vec::new();
        for (start, word) in words(line) {
            let error = |message| InputError::at(number, line, start, message);
            if numbers.len() == 3 {
                return Err(error(format!("expected two or three numbers, found another, `{word}`")));
            }
            let read = word.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.parse().ok());
            let read: Option<usize> = read.flatten();
            numbers.push(read.ok_or_else(|| error(format!("expected a number, found `{word}`")))?);
        }
        let head = match numbers[..] {
            [primary, options] => Self { primary, secondary: 0, options },
            [primary, secondary, options] => Self { primary, secondary, options },
            _ => {
                let message =
                    "expected `items options` or `primary secondary options`, found one number";
                return Err(InputError::at(number, line, line.trim_end().len(), message));
            }
        };
        if head.primary.saturating_add(head.secondary) > MAX_ITEMS {
            let message = format!("expected at most {MAX_ITEMS} items, found more");
            return Err(InputError::at(number, line, 0, message));
        }
        Ok(head)
    }
}

/// Tells whether the lines under a head have distinct numbers of items, and as many lines as it says.
fn recognizes(sample: &str) -> bool {
    let mut lines = content_lines(whole_lines(sample));
    let Some((number, line)) = lines.next() else { return false };
    let Ok(head) = Head::parse(number, line) else { return false };
    let item_count = head.primary + head.secondary;
    let is_option = |line: &str| {
        let item = |word: &str| word.parse().is_ok_and(|item| (1..=item_count).contains(&item));
        let mut seen = HashSet::new();
        words(line).all(|(_, word)| item(word) && seen.insert(word))
    };
    let option_count = lines.clone().count();
    // `2 1` above `1 2` may be a filled grid.
    let is_square = words(line).count() == 2 && option_count == 1;
    !is_square
        && (option_count == head.options || is_cut(sample) && option_count < head.options)
        && lines.all(|(_, line)| is_option(line))
}

fn read(text: &str) -> Result<Problem, InputError> {
    let mut lines = content_lines(text);
    let Some((number, line)) = lines.next() else {
        return Err(end_error(text, "a head `items options` or `primary secondary options`"));
    };
    let head = Head::parse(number, line)?;
    let mut builder = ProblemBuilder::new();
    let mut items: Vec<ItemId> = Vec::new();
    for item in 1..=head.primary + head.secondary {
        let name = item.to_string();
        let new = if item <= head.primary { builder.primary(&name) } else { builder.secondary(&name) };
        items.push(new.map_err(|e| InputError::at(number, line, 0, e.to_string()))?);
    }
    let mut entries = Vec::new();
    let mut option_count = 0;
    for (number, line) in lines {
        let error = |start, message: String| InputError::at(number, line, start, message);
        let indent = line.len() - line.trim_start().len();
        if option_count == head.options {
            let message = format!("expected {option_count} options as the head says, found another");
            return Err(error(indent, message));
        }
        entries.clear();
        for (start, word) in words(line) {
            let item = word.parse().ok().filter(|item| (1..=items.len()).contains(item));
            let item = item.ok_or_else(|| {
                error(
                    start,
                    format!("expected the number of an item, 1 to {}, found `{word}`", items.len()),
                )
            })?;
            entries.push(items[item - 1]);
        }
        builder.option(entries.iter().copied()).map_err(|e| {
            let word = e.entry().and_then(|place| words(line).nth(place));
            error(word.map_or(indent, |(start, _)| start), e.to_string())
        })?;
        option_count += 1;
    }
    if option_count < head.options {
        let message = format!(
            "expected {} options as the head says, found {option_count} and the end of the text",
            head.options
        );
        return Err(InputError::at(text.lines().count() + 1, "", 0, message));
    }
    Ok(builder.build())
}

fn write(problem: &Problem) -> Result<String, String> {
    use Feature::{Bounds, Colors, Costs};
    refuse(problem, "a sparse list", &[Colors, Bounds, Costs])?;
    if problem.item_count() > MAX_ITEMS {
        return Err(format!("a sparse list cannot hold more than {MAX_ITEMS} items"));
    }
    let primary = problem.primary_count();
    let mut text = match problem.item_count() - primary {
        0 => format!("{primary} {}\n", problem.option_count()),
        secondary => format!("{primary} {secondary} {}\n", problem.option_count()),
    };
    let numbers = item_numbers(problem);
    for option in problem.options() {
        let mut separator = "";
        for entry in problem.option(option) {
            push!(text, "{separator}{}", numbers[entry.item.index()]);
            separator = " ";
        }
        text.push('\n');
    }
    Ok(text)
}
