//! A 0/1 matrix with names for its columns in the first line, for its rows in the first column, or
//! for both.
//!
//! ```text
//! ,1,2,3,4        cells between commas, semicolons, tabs, bars (also of a Markdown table) or blanks;
//! A,1,0,0,1       0, FALSE or an empty cell, and 1 or TRUE
//! B,0,1,1,0
//! ```
//!
//! Columns are primary items, named 1, 2, ... by default. Rows are options, and solutions show
//! their names. Lines that begin with `#` are comments. Notes name the parts that are not used:
//! rows without a 1, which are in no cover, and the cell above the names of the rows.

use std::collections::HashSet;

use dlx::limits::Pace;
use dlx::{Limits, Problem, ProblemBuilder};

use super::{Feature, Form, Reading, Skipped, Unwritten, WritePace, refuse, spend};
use text::{InputError, content_lines, end_error, whole_lines};

pub(super) const FORM: Form = Form {
    name: "named-matrix",
    summary: "a 0/1 matrix with names of columns or rows: CSV, tabs, blanks, a table of Markdown",
    example: ",a,b,c\n1,1,1,0\n2,0,0,1\n",
    extensions: &[],
    recognizes,
    is_meant: |_| false,
    read: Some(read),
    diagram: None,
    write,
};

/// The cells of a line, each with the byte offset of its beginning.
type Cells<'t> = Vec<(usize, &'t str)>;

/// The separator of the cells of a table, and the positions of its names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TableLayout {
    /// The separator of the cells, or `None` if spaces separate them.
    mark: Option<char>,
    has_head: bool,
    has_names: bool,
}

fn cells(line: &str, mark: Option<char>) -> Cells<'_> {
    let Some(mark) = mark else {
        return text::words(line).collect();
    };
    let start_of = |part: &str| part.as_ptr().addr() - line.as_ptr().addr();
    let mut inside = line.trim_end();
    if mark == '|' {
        inside = inside.trim_start();
        inside = inside.strip_prefix('|').unwrap_or(inside);
        inside = inside.strip_suffix('|').unwrap_or(inside);
    }
    let cell = |part| {
        let cell = str::trim(part);
        let cell = cell.strip_prefix('"').and_then(|cell| cell.strip_suffix('"')).unwrap_or(cell);
        (start_of(cell), cell)
    };
    inside.split(mark).map(cell).collect()
}

/// Returns whether a line separates the header of a Markdown table from its rows.
fn is_rule(line: &str) -> bool {
    line.contains("--") && line.chars().all(|c| "|-: ".contains(c))
}

fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> + Clone {
    content_lines(text).filter(|(_, line)| !is_rule(line))
}

fn is_digit(cell: &str) -> bool {
    is_one(cell) || matches!(cell, "" | "0") || cell.eq_ignore_ascii_case("false")
}

fn is_one(cell: &str) -> bool {
    cell == "1" || cell.eq_ignore_ascii_case("true")
}

impl TableLayout {
    /// Finds the layout that fits all lines of a text.
    fn of(text: &str) -> Option<Self> {
        let (_, first) = lines(text).next()?;
        let marks = [',', ';', '\t', '|'].into_iter().filter(|&mark| first.contains(mark));
        marks.map(Some).chain([None]).find_map(|mark| Self::with_mark(text, mark))
    }

    fn with_mark(text: &str, mark: Option<char>) -> Option<Self> {
        let mut rows = lines(text).map(|(_, line)| cells(line, mark));
        let head = rows.next()?;
        let mut rows = rows.peekable();
        let width = rows.peek()?.len();
        // If spaces separate the cells, no cell is empty, so the first line may lack the cell above
        // the row names.
        let is_short = mark.is_none() && head.len() + 1 == width;
        if head.len() != width && !is_short || width < 2 {
            return None;
        }
        let (mut has_names, mut has_one, mut names) = (false, false, HashSet::new());
        for row in rows {
            has_names |= !is_digit(row[0].1);
            has_one |= row[1..].iter().any(|(_, cell)| is_one(cell));
            names.insert(row[0].1);
            if row.len() != width || row[1..].iter().any(|(_, cell)| !is_digit(cell)) {
                return None;
            }
        }
        // Rows have names if the first line has no name for their column.
        has_names |= is_short || head[0].1.is_empty();
        let titles = &head[usize::from(has_names && !is_short)..];
        let are_titles = titles.iter().all(|(_, title)| !title.is_empty());
        let is_row =
            titles.iter().all(|(_, cell)| is_digit(cell)) && !is_short && !head[0].1.is_empty();
        let has_head = are_titles && !is_row;
        let is_table = has_one && (has_head || has_names && is_row);
        // Without a separator character, the words may be any other text.
        let is_sure = mark.is_some()
            || is_short
                && has_names
                && names.iter().any(|name| !name.starts_with(|c: char| c.is_ascii_digit()));
        (is_table && is_sure).then_some(Self { mark, has_head, has_names })
    }
}

fn recognizes(sample: &str) -> bool {
    TableLayout::of(whole_lines(sample)).is_some()
}

fn read(text: &str, limits: &Limits) -> Result<Reading, InputError> {
    const EXPECTED: &str = "a head with names of columns, or rows that begin with their names";
    let mut pace = Pace::new(limits);
    let Some(TableLayout { mark, has_head, has_names }) = TableLayout::of(text::sample(text)) else {
        let (number, line) = lines(text).next().ok_or_else(|| end_error(text, EXPECTED))?;
        return Err(InputError::at(number, line, 0, format!("expected {EXPECTED} and cells 0 or 1")));
    };
    let mut builder = ProblemBuilder::new();
    let mut items = Vec::new();
    let mut skipped = Skipped::default();
    let mut corner = String::new();
    let mut names: Vec<String> = Vec::new();
    let mut seen = HashSet::new();
    for (number, line) in lines(text) {
        spend(&mut pace, line)?;
        let error = |start, message: String| InputError::at(number, line, start, message);
        let mut row = cells(line, mark);
        let is_head = items.is_empty() && has_head;
        // If spaces separate the cells, the first line has no cell above the row names.
        let name = (has_names && !(is_head && mark.is_none())).then(|| row.remove(0));
        if items.is_empty() {
            for (index, &(start, cell)) in row.iter().enumerate() {
                let title = if is_head { cell.to_owned() } else { (index + 1).to_string() };
                items.push(builder.primary(&title).map_err(|e| error(start, e.to_string()))?);
            }
        }
        if is_head {
            if let Some((_, cell)) = name.filter(|(_, cell)| !cell.is_empty()) {
                corner = format!("the cell `{cell}` above the names of the rows is not used");
            }
            continue;
        }
        if row.len() != items.len() {
            let end = line.trim_end().len();
            return Err(error(end, format!("expected {} cells, found {}", items.len(), row.len())));
        }
        let mut entries = Vec::new();
        for (&(start, cell), &item) in row.iter().zip(&items) {
            match cell {
                _ if is_one(cell) => entries.push(item),
                _ if is_digit(cell) => {}
                _ => return Err(error(start, format!("expected `0` or `1`, found `{cell}`"))),
            }
        }
        if let Some((start, name)) = name
            && !seen.insert(name.to_owned())
        {
            return Err(error(start, format!("expected the name `{name}` once, found it again")));
        }
        if entries.is_empty() {
            let name = name.map_or(String::new(), |(_, name)| format!(" (`{name}`)"));
            skipped.add(format_args!("line {number}{name}"));
            continue;
        }
        skipped.keep();
        builder.option(entries).map_err(|e| error(0, e.to_string()))?;
        names.extend(name.map(|(_, name)| name.to_owned()));
    }
    let notes: Vec<String> =
        [corner, skipped.note()].into_iter().filter(|note| !note.is_empty()).collect();
    let (numbers, note) = (skipped.numbers(), notes.join("; "));
    Ok(Reading { names, numbers, note, ..builder.build().into() })
}

fn write(problem: &Problem, limits: &Limits) -> Result<String, Unwritten> {
    use Feature::{Bounds, Colors, Costs, Secondary};
    refuse(problem, "a matrix with names", &[Colors, Secondary, Bounds, Costs])?;
    if problem.option_count() == 0 {
        return Err("a matrix with names cannot hold a problem without options".into());
    }
    let mut text = String::new();
    for item in problem.items() {
        let name = problem.item_name(item);
        if name.contains([',', '"', '#']) {
            return Err(format!("a matrix with names cannot hold the name `{name}`").into());
        }
        push!(text, ",{name}");
    }
    text.push('\n');
    let mut digits = vec!["0"; problem.item_count()];
    let mut pen = WritePace::new(limits);
    for option in problem.options() {
        pen.spend(digits.len() / 8)?;
        for entry in problem.option(option) {
            digits[entry.item.index()] = "1";
        }
        pushln!(text, "{},{}", option.index() + 1, digits.join(","));
        digits.fill("0");
    }
    Ok(text)
}
