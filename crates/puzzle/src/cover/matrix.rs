//! A 0/1 matrix: one line per option, one column per primary item.
//!
//! Spaces, commas, semicolons and brackets may separate the digits, and a line may be a row of a
//! Markdown table. Lines that begin with `#` are comments. Items are named 1, 2, ... by column, so
//! writing loses other names. Secondary items, colors, bounds and costs are not supported. A line
//! without a 1 is an option without items. No cover contains such an option, so it is dropped with
//! a note.

use dlx::limits::Pace;
use dlx::{Limits, Problem, ProblemBuilder};

use super::{Feature, Form, Reading, Skipped, Unwritten, WritePace, refuse, spend};
use grid::boxes_of_size;
use text::{InputError, content_lines, end_error, whole_lines};

pub(super) const FORM: Form = Form {
    name: "matrix",
    summary: "a 0/1 matrix: a line an option, a column an item",
    example: "0010110\n1001001\n0110010\n1001000\n0100001\n0001101\n",
    extensions: &[],
    recognizes,
    is_meant: |_| false,
    read: Some(read),
    diagram: None,
    write,
};

fn digits(line: &str) -> impl Iterator<Item = (usize, char)> {
    let is_row = is_table_row(line);
    let is_mark = move |c: char| [',', ';', '[', ']'].contains(&c) || c == '|' && is_row;
    line.char_indices().filter(move |&(_, c)| !c.is_whitespace() && !is_mark(c))
}

/// Returns whether a line is a row of a table: `| 1 | 0 |`.
fn is_table_row(line: &str) -> bool {
    let cells = line.trim().strip_prefix('|').and_then(|line| line.strip_suffix('|'));
    cells.is_some_and(|cells| cells.split('|').all(|cell| cell.trim().len() == 1))
}

/// Returns the lines of digits, without the line below the first row of a table.
fn rows(text: &str) -> impl Iterator<Item = (usize, &str)> + Clone {
    let is_rule = |line: &str| line.contains('-') && line.chars().all(|c| "|-: \t\r".contains(c));
    content_lines(text).filter(move |(_, line)| !is_rule(line))
}

/// Returns the byte offset of a comma or semicolon that no digit precedes.
fn gap(line: &str) -> Option<usize> {
    memchr::memchr2(b',', b';', line.as_bytes())?;
    let mut is_after_digit = false;
    for (start, c) in line.char_indices().filter(|(_, c)| !c.is_whitespace()) {
        match c {
            ',' | ';' if !is_after_digit => return Some(start),
            ',' | ';' => is_after_digit = false,
            // A comma may follow the closing bracket of a row.
            '[' | ']' => is_after_digit |= c == ']',
            _ => is_after_digit = true,
        }
    }
    None
}

/// Returns whether the text has at least two lines of 0 and 1, with the same number of digits in
/// the same number of groups, and at least one 1. A table in the shape of a Sudoku is no matrix.
pub(super) fn recognizes(sample: &str) -> bool {
    let mut lines = rows(whole_lines(sample)).map(|(_, line)| line).peekable();
    let groups = |line: &str| {
        line.split(|c: char| !c.is_ascii_digit()).filter(|group| !group.is_empty()).count()
    };
    let shape = |line: &str| (digits(line).count(), groups(line));
    let first = lines.peek().map_or((0, 0), |line| shape(line));
    let is_row = |line: &str| shape(line) == first && digits(line).all(|(_, c)| c == '0' || c == '1');
    let has_one = lines.clone().any(|line| line.contains('1'));
    let count = lines.clone().count();
    let is_table = lines.peek().is_some_and(|line| is_table_row(line));
    let is_sudoku = is_table && count == first.0 && boxes_of_size(count, count, count).is_some();
    !is_sudoku
        && count >= 2
        && first.0 >= 2
        && has_one
        && lines.all(|line| is_row(line) && gap(line).is_none())
}

fn read(text: &str, limits: &Limits) -> Result<Reading, InputError> {
    let mut pace = Pace::new(limits);
    let mut builder = ProblemBuilder::new();
    let mut items = Vec::new();
    let mut entries = Vec::new();
    let mut is_first = true;
    let mut skipped = Skipped::default();
    for (number, line) in rows(text) {
        spend(&mut pace, line)?;
        let error = |start, message: String| InputError::at(number, line, start, message);
        if let Some(start) = gap(line) {
            return Err(error(start, "expected a digit before this mark, found none".to_owned()));
        }
        entries.clear();
        let mut width = 0;
        for (start, c) in digits(line) {
            if c != '0' && c != '1' {
                return Err(error(start, format!("expected `0` or `1`, found `{c}`")));
            }
            if is_first {
                let item = builder.primary(&(width + 1).to_string());
                items.push(item.map_err(|e| error(start, e.to_string()))?);
            } else if width == items.len() {
                let message = format!("expected {width} digits as in the first line, found more");
                return Err(error(start, message));
            }
            if c == '1' {
                entries.push(items[width]);
            }
            width += 1;
        }
        let end = line.trim_end().len();
        if width < items.len() {
            let message =
                format!("expected {} digits as in the first line, found {width}", items.len());
            return Err(error(end, message));
        }
        is_first = false;
        if entries.is_empty() {
            skipped.add(format_args!("line {number}"));
            continue;
        }
        skipped.keep();
        builder.option(entries.iter().copied()).map_err(|e| error(0, e.to_string()))?;
    }
    if is_first {
        return Err(end_error(text, "a line of digits 0 and 1"));
    }
    Ok(Reading { numbers: skipped.numbers(), note: skipped.note(), ..builder.build().into() })
}

fn write(problem: &Problem, limits: &Limits) -> Result<String, Unwritten> {
    use Feature::{Bounds, Colors, Costs, Secondary};
    refuse(problem, "a 0/1 matrix", &[Colors, Secondary, Bounds, Costs])?;
    if problem.option_count() == 0 {
        return Err("a 0/1 matrix cannot hold a problem without options".into());
    }
    let mut text = String::new();
    let mut digits = vec!['0'; problem.item_count()];
    let mut pen = WritePace::new(limits);
    for option in problem.options() {
        pen.spend(digits.len() / 8)?;
        for entry in problem.option(option) {
            digits[entry.item.index()] = '1';
        }
        text.extend(digits.iter());
        text.push('\n');
        digits.fill('0');
    }
    Ok(text)
}
