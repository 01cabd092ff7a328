//! Set partitioning in the format of the OR-Library, as in its airline crew problems `sppnw41.txt`
//! and `sppaa01.txt`.
//!
//! The text consists of whole numbers: the number of rows (items) and of columns (options), then
//! for each column its cost, its number of rows, and these rows, numbered from 1. Line breaks are
//! irrelevant. Lines that begin with `#` are comments.
//!
//! The set *covering* problems of the OR-Library are similar. Files stored by row (`scp41.txt`: all
//! costs first, then the columns of each row) are recognized and refused, because in set covering a
//! row may be covered more than once. Files stored by column (`rail507.txt`) cannot be
//! distinguished from set partitioning.
//!
//! Writing loses the names of items. Secondary items, colors and bounds are not supported.

use dlx::limits::Pace;
use dlx::{Entry, ItemId, Limits, Problem, ProblemBuilder};

use super::{Feature, Form, Reading, Unwritten, WritePace, item_numbers, refuse, sparse, spend};
use text::{InputError, content_lines, end_error, is_cut, whole_lines, words};

/// Largest number of rows that a header may state, to bound the memory that a short text can take.
const ROWS_MAX: u64 = 1_000_000;
/// Number of lines examined to recognize an invalid text.
const LINES: usize = 64;

pub(super) const FORM: Form = Form {
    name: "partition",
    summary: "OR-Library's set partitioning: `rows columns`, then of each column its cost, how many \
              rows, which",
    example: "3 4\n5 2 1 2\n4 1 3\n3 2 2 3\n1 1 1\n",
    extensions: &[],
    recognizes,
    is_meant: |_| false,
    read: Some(read),
    diagram: None,
    write,
};

struct NumberWord<'t> {
    line: usize,
    text: &'t str,
    start: usize,
    word: &'t str,
}

impl NumberWord<'_> {
    fn error(&self, message: String) -> InputError {
        InputError::at(self.line, self.text, self.start, message)
    }

    /// Returns the number if it is from `min` to `max`, otherwise an error that expects `what`.
    fn number(&self, what: &str, min: u64, max: u64) -> Result<u64, InputError> {
        let number = self.word.parse().ok().filter(|number| (min..=max).contains(number));
        number.ok_or_else(|| {
            self.error(format!(
                "expected {what}, a whole number from {min} to {max}, found `{}`",
                self.word
            ))
        })
    }
}

fn all_words(text: &str) -> impl Iterator<Item = NumberWord<'_>> {
    content_lines(text).flat_map(|(line, text)| {
        words(text).map(move |(start, word)| NumberWord { line, text, start, word })
    })
}

/// Returns whether the numbers describe the columns of set partitioning or the rows of set
/// covering. An invalid text counts if nearly all its lines describe columns.
fn recognizes(sample: &str) -> bool {
    // If all numbers, including the costs, are item numbers, the lines are options in the form
    // `sparse`.
    !sparse::recognizes(sample)
        && (is_by_columns(sample) || is_by_rows(sample) || has_columns_as_lines(sample))
}

fn head(sample: &str) -> Option<(u64, u64)> {
    let (_, line) = content_lines(sample).next()?;
    let mut numbers = words(line).map(|(_, word)| word.parse().ok().filter(|number| *number > 0));
    match (numbers.next(), numbers.next(), numbers.next()) {
        (Some(Some(rows)), Some(Some(columns)), None) => Some((rows, columns)),
        _ => None,
    }
}

/// Reads a group of numbers: its size, then distinct numbers from 1 to `max`. Returns whether the
/// group is valid, or `None` at the end of the sample.
fn group(numbers: &mut impl Iterator<Item = Option<u64>>, max: u64) -> Option<bool> {
    let Some(count) = numbers.next()? else { return Some(false) };
    if !(1..=max).contains(&count) {
        return Some(false);
    }
    let mut members = std::collections::HashSet::new();
    for _ in 0..count {
        let is_member = numbers.next()?.is_some_and(|n| (1..=max).contains(&n) && members.insert(n));
        if !is_member {
            return Some(false);
        }
    }
    Some(true)
}

/// Returns the numbers after the header. A word that is not a number gives `Some(None)`.
fn numbers(sample: &str) -> impl Iterator<Item = Option<u64>> {
    all_words(whole_lines(sample)).skip(2).map(|word| word.word.parse().ok())
}

fn is_by_columns(sample: &str) -> bool {
    let Some((rows, columns)) = head(sample) else { return false };
    let mut numbers = numbers(sample);
    let mut count = 0;
    loop {
        match numbers.next() {
            None => return count == columns || is_cut(sample) && (1..columns).contains(&count),
            Some(Some(_cost)) if count < columns => {}
            Some(_) => return false,
        }
        match group(&mut numbers, rows) {
            Some(true) => count += 1,
            Some(false) => return false,
            None => return is_cut(sample) && count > 0,
        }
    }
}

fn is_by_rows(sample: &str) -> bool {
    let Some((rows, columns)) = head(sample) else { return false };
    let mut numbers = numbers(sample);
    for _ in 0..columns {
        match numbers.next() {
            Some(Some(_cost)) => {}
            Some(None) => return false,
            None => return is_cut(sample),
        }
    }
    let mut count = 0;
    while count < rows {
        match group(&mut numbers, columns) {
            Some(true) => count += 1,
            Some(false) => return false,
            None => return is_cut(sample),
        }
    }
    numbers.next().is_none()
}

/// Returns whether an invalid text was meant as set partitioning: it has at least four lines, and
/// three quarters of them are valid columns.
fn has_columns_as_lines(sample: &str) -> bool {
    if head(sample).is_none() {
        return false;
    }
    let lines = content_lines(whole_lines(sample)).skip(1).take(LINES);
    let is_column = |line: &str| {
        let mut line = words(line).map(|(_, word)| word.parse::<usize>());
        let cost = line.next();
        let count = line.next().and_then(Result::ok);
        cost.is_some() && count.is_some_and(|count| count > 0 && line.count() == count)
    };
    let (all, columns) = lines
        .fold((0, 0), |(all, columns), (_, line)| (all + 1, columns + usize::from(is_column(line))));
    all >= 4 && 4 * columns >= 3 * all
}

fn read(text: &str, limits: &Limits) -> Result<Reading, InputError> {
    const COVERING: &str = "expected set partitioning (of each column its cost, how many rows, and which), found all costs \
                            first, as in set covering: there a row may be covered more than once, \
                            which no exact \
                            cover does";
    const HEAD: &str = "the numbers of rows and columns, above 0 and alone in their line";
    let mut pace = Pace::new(limits);
    let sample = text::sample(text);
    if is_by_rows(sample) && !is_by_columns(sample) {
        let (number, line) = content_lines(text).nth(1).unwrap_or((1, text));
        return Err(InputError::at(number, line, 0, COVERING));
    }
    if head(sample).is_none() {
        let (number, line) = content_lines(text).next().ok_or_else(|| end_error(text, HEAD))?;
        return Err(InputError::at(number, line, 0, format!("expected {HEAD}")));
    }
    let mut words = all_words(text);
    let end = |expected: String| move || end_error(text, &expected);
    let row_word = words.next().ok_or_else(end("the number of rows".into()))?;
    let row_count = row_word.number("the number of rows", 1, ROWS_MAX)?;
    let column_word = words.next().ok_or_else(end("the number of columns".into()))?;
    let column_count = column_word.number("the number of columns", 0, u64::from(u32::MAX))?;
    let mut builder = ProblemBuilder::new();
    let mut items: Vec<ItemId> = Vec::new();
    for row in 1..=row_count {
        let item = builder.primary(&row.to_string());
        items.push(item.map_err(|error| row_word.error(error.to_string()))?);
    }
    let mut entries: Vec<Entry> = Vec::new();
    for column in 1..=column_count {
        let expected = format!("column {column} of {column_count}, as the head says");
        let cost = words.next().ok_or_else(end(expected))?;
        let price = cost.number(&format!("the cost of column {column}"), 0, u64::MAX)?;
        let what = format!("how many rows column {column} covers");
        let size = words.next().ok_or_else(end(what.clone()))?.number(&what, 1, row_count)?;
        entries.clear();
        for place in 1..=size {
            let what = format!("row {place} of the {size} of column {column}");
            let row = words.next().ok_or_else(end(what.clone()))?;
            spend(&mut pace, row.word)?;
            entries.push(items[row.number(&what, 1, row_count)? as usize - 1].into());
        }
        let option = builder.option(entries.iter().copied());
        builder.set_cost(option.map_err(|error| cost.error(error.to_string()))?, price);
    }
    match words.next() {
        None => Ok(builder.build().into()),
        Some(more) => Err(more.error(format!(
            "expected the end of the text behind {column_count} columns, found `{}`",
            more.word
        ))),
    }
}

fn write(problem: &Problem, limits: &Limits) -> Result<String, Unwritten> {
    use Feature::{Bounds, Colors, Secondary};
    refuse(problem, "set partitioning", &[Colors, Secondary, Bounds])?;
    if problem.item_count() == 0 || problem.option_count() == 0 {
        return Err("set partitioning cannot hold a problem without items or options".into());
    }
    let numbers = item_numbers(problem);
    let mut text = format!("{} {}\n", problem.item_count(), problem.option_count());
    let mut pen = WritePace::new(limits);
    for option in problem.options() {
        pen.spend(problem.option(option).len())?;
        let entries = problem.option(option);
        push!(text, "{} {}", problem.cost(option), entries.len());
        for entry in entries {
            push!(text, " {}", numbers[entry.item.index()]);
        }
        text.push('\n');
    }
    Ok(text)
}
