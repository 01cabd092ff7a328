//! Sparse lists: one line per option with the numbers of its items, from 1.
//!
//! The first line is a header, as in the set-covering files of the OR-Library and in the `p` line
//! of DIMACS. It is `items options`, or `primary secondary options` with secondary items, which
//! have the highest numbers. The format is not standardized. `dlx -s` of dlx-cpp writes `columns
//! secondary`, counts from 0 and puts the secondary items first. Such a file is refused because its
//! number of options is wrong.
//!
//! A header of one number is the number of items. The items may then be numbered from 0, which a
//! note mentions.
//!
//! As in DIMACS files, the header may begin with `p ec` (or `p cover`), and then every option may
//! end in 0. Lines that begin with `#`, or with the word `c`, are comments. Items are named by
//! their numbers, so writing loses other names. Colors, bounds and costs are not supported.

use std::collections::HashSet;

use dlx::limits::Pace;
use dlx::{ItemId, Limits, Problem, ProblemBuilder};

use super::{Feature, Form, Reading, Unwritten, WritePace, item_numbers, refuse, spend};
use text::{InputError, content_lines, end_error, is_cut, whole_lines, words};

/// Largest number of items that a header may state, to bound the memory that a short text can take.
const MAX_ITEMS: usize = 1_000_000;

pub(super) const FORM: Form = Form {
    name: "sparse",
    summary: "a head `items options` or `primary secondary options`, then item numbers, an option a \
              line",
    example: "7 6\n3 5 6\n1 4 7\n2 3 6\n1 4\n2 7\n4 5 7\n",
    extensions: &[],
    recognizes,
    is_meant: |sample| {
        let mut lines = lines(whole_lines(sample));
        // A text with only 0 and 1 is more likely a matrix.
        let is_matrix = |line: &str| line.bytes().all(|byte| b"01 \t".contains(&byte));
        if lines.clone().all(|(_, line)| is_matrix(line)) {
            return false;
        }
        let is_head = |line: &str| words(line).count() < 4 && SparseHead::parse(1, line).is_ok();
        lines.next().is_some_and(|(_, line)| is_head(line))
            && lines.next().is_some()
            && all_numbers(lines)
    },
    read: Some(read),
    diagram: None,
    write,
};

/// Words that may follow the `p` of a header.
const NAMES: [&str; 3] = ["ec", "cover", "exact-cover"];

struct SparseHead {
    primary: usize,
    secondary: usize,
    options: Option<usize>,
    first: usize,
    /// Whether the header begins with `p`, which allows a 0 at the end of each option.
    is_dimacs: bool,
    /// A note about the assumptions of the reader; empty if it made none.
    note: String,
}

fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> + Clone {
    content_lines(text).filter(|(_, line)| line.split_whitespace().next() != Some("c"))
}

/// Iterates over the words of an option, except a 0 that ends it.
fn entries<'t>(line: &'t str, head: &SparseHead) -> impl Iterator<Item = (usize, &'t str)> + use<'t> {
    let ends_in_zero = head.is_dimacs && line.split_whitespace().next_back() == Some("0");
    let count = words(line).count() - usize::from(ends_in_zero);
    words(line).take(count)
}

impl SparseHead {
    fn parse(number: usize, line: &str) -> Result<Self, InputError> {
        let mut numbers = Vec::new();
        let is_dimacs = line.split_whitespace().next() == Some("p");
        for (place, (start, word)) in words(line).enumerate() {
            if is_dimacs && (place == 0 || place == 1 && NAMES.contains(&word)) {
                continue;
            }
            let error = |message| InputError::at(number, line, start, message);
            if numbers.len() == 3 {
                return Err(error(format!("expected two or three numbers, found one more, `{word}`")));
            }
            let read = word.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.parse().ok());
            let read: Option<usize> = read.flatten();
            numbers.push(read.ok_or_else(|| error(format!("expected a number, found `{word}`")))?);
        }
        let head = match numbers[..] {
            [primary, ref secondary @ .., options] if secondary.len() < 2 => Self {
                primary,
                secondary: secondary.first().copied().unwrap_or(0),
                options: Some(options),
                first: 1,
                is_dimacs,
                note: String::new(),
            },
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

impl SparseHead {
    /// Reads a header of one number. `options` are the lines below it. Returns `None` if the line
    /// is not such a header.
    fn of_one<'t>(line: &str, options: impl Iterator<Item = (usize, &'t str)> + Clone) -> Option<Self> {
        let mut head = line.split_whitespace();
        let word = head.next().filter(|word| word.bytes().all(|byte| byte.is_ascii_digit()))?;
        let count: usize = word.parse().ok().filter(|count| (1..=MAX_ITEMS).contains(count))?;
        // If all lines have one word, they may be rows of a matrix with an invalid digit.
        let has_several = |(_, line): (usize, &str)| line.split_whitespace().nth(1).is_some();
        if head.next().is_some() || !options.clone().any(has_several) {
            return None;
        }
        let mut items = options.flat_map(|(_, line)| line.split_whitespace());
        let has_zero = items.any(|item| item == "0");
        let from = if has_zero { ", and items are counted from 0" } else { "" };
        let note = format!("`{word}` in the first line is read as the number of items{from}");
        let first = usize::from(!has_zero);
        Some(Self { primary: count, secondary: 0, options: None, first, is_dimacs: false, note })
    }

    fn item(&self, word: &str) -> Option<usize> {
        let place = word.parse::<usize>().ok()?.checked_sub(self.first)?;
        (place < self.primary + self.secondary).then_some(place)
    }
}

/// Returns whether the first line is a header of one number, the lines below it have distinct
/// items, and they do not form a square of that order.
fn recognizes_one(sample: &str) -> bool {
    let mut lines = lines(whole_lines(sample));
    let Some((_, line)) = lines.next() else { return false };
    let Some(head) = SparseHead::of_one(line, lines.clone()) else { return false };
    let is_option = |line: &str| {
        let mut seen = HashSet::new();
        line.split_whitespace().all(|word| head.item(word).is_some_and(|item| seen.insert(item)))
    };
    let is_row = |line: &str| line.split_whitespace().count() == head.primary;
    lines.clone().count() > 1
        && lines.clone().all(|(_, line)| is_option(line))
        && !lines.clone().all(|(_, line)| is_row(line))
}

/// Returns whether the lines below the header have distinct item numbers and the stated number of
/// lines. A text of numbers also counts if no other format has such a header.
pub(super) fn recognizes(sample: &str) -> bool {
    let mut lines = lines(whole_lines(sample));
    let Some((number, line)) = lines.next() else { return false };
    let Ok(head) = SparseHead::parse(number, line) else {
        return is_head(line) && all_numbers(lines) || recognizes_one(sample);
    };
    let is_option = |line: &str| {
        let item = |word: &str| head.item(word).is_some();
        let mut seen = HashSet::new();
        entries(line, &head).all(|(_, word)| item(word) && seen.insert(word))
    };
    let option_count = lines.clone().count();
    // `2 1` above `1 2` may be a filled grid.
    let is_square = words(line).count() == 2 && option_count == 1;
    let is_whole = head
        .options
        .is_some_and(|options| option_count == options || is_cut(sample) && option_count < options);
    let is_likely = head.is_dimacs || is_head(line) && option_count == 0;
    !is_square && is_whole && lines.clone().all(|(_, line)| is_option(line))
        || is_likely && all_numbers(lines)
}

/// Returns whether a line can only be a header: it has two or three whole numbers, where the first
/// has several digits but fewer than a grid has cells, or it begins with `p` and a word of
/// [`NAMES`].
fn is_head(line: &str) -> bool {
    let mut words = line.split_whitespace();
    if line.split_whitespace().next() == Some("p") {
        return words.nth(1).is_some_and(|name| NAMES.contains(&name));
    }
    let is_number =
        |word: &str| !word.starts_with('0') && word.bytes().all(|byte| byte.is_ascii_digit());
    let first = words.clone().next().unwrap_or_default();
    matches!(words.clone().count(), 2 | 3) && words.all(is_number) && (2..16).contains(&first.len())
}

fn all_numbers<'t>(mut lines: impl Iterator<Item = (usize, &'t str)>) -> bool {
    lines.all(|(_, line)| line.split_whitespace().all(|word| word.parse::<u32>().is_ok()))
}

fn read(text: &str, limits: &Limits) -> Result<Reading, InputError> {
    let mut pace = Pace::new(limits);
    let mut lines = lines(text);
    let Some((number, line)) = lines.next() else {
        return Err(end_error(text, "a head `items options` or `primary secondary options`"));
    };
    let head = match SparseHead::of_one(line, lines.clone()) {
        Some(head) => head,
        None => SparseHead::parse(number, line)?,
    };
    let mut builder = ProblemBuilder::new();
    let mut items: Vec<ItemId> = Vec::new();
    for item in 0..head.primary + head.secondary {
        let name = (item + head.first).to_string();
        let new = if item < head.primary { builder.primary(&name) } else { builder.secondary(&name) };
        items.push(new.map_err(|e| InputError::at(number, line, 0, e.to_string()))?);
    }
    let mut option = Vec::new();
    let mut option_count = 0;
    for (number, line) in lines {
        spend(&mut pace, line)?;
        let error = |start, message: String| InputError::at(number, line, start, message);
        let indent = line.len() - line.trim_start().len();
        if head.options == Some(option_count) {
            let message = format!("expected {option_count} options as the head says, found more");
            return Err(error(indent, message));
        }
        option.clear();
        for (start, word) in entries(line, &head) {
            let item = head.item(word).ok_or_else(|| {
                let (first, last) = (head.first, items.len() + head.first - 1);
                let message =
                    format!("expected the number of an item, {first} to {last}, found `{word}`");
                error(start, message)
            })?;
            option.push(items[item]);
        }
        builder.option(option.iter().copied()).map_err(|e| {
            let word = e.entry().and_then(|place| words(line).nth(place));
            error(word.map_or(indent, |(start, _)| start), e.to_string())
        })?;
        option_count += 1;
    }
    if let Some(options) = head.options.filter(|options| option_count < *options) {
        let message = format!(
            "expected {options} options as the head says, found {option_count} and the end of the text"
        );
        return Err(InputError::at(text.lines().count() + 1, "", 0, message));
    }
    Ok(Reading { note: head.note, ..builder.build().into() })
}

fn write(problem: &Problem, limits: &Limits) -> Result<String, Unwritten> {
    use Feature::{Bounds, Colors, Costs};
    refuse(problem, "a sparse list", &[Colors, Bounds, Costs])?;
    if problem.item_count() > MAX_ITEMS {
        return Err(format!("a sparse list cannot hold more than {MAX_ITEMS} items").into());
    }
    let primary = problem.primary_count();
    let mut text = match problem.item_count() - primary {
        0 => format!("{primary} {}\n", problem.option_count()),
        secondary => format!("{primary} {secondary} {}\n", problem.option_count()),
    };
    let numbers = item_numbers(problem);
    let mut pen = WritePace::new(limits);
    for option in problem.options() {
        pen.spend(problem.option(option).len())?;
        let mut separator = "";
        for entry in problem.option(option) {
            push!(text, "{separator}{}", numbers[entry.item.index()]);
            separator = " ";
        }
        text.push('\n');
    }
    Ok(text)
}
