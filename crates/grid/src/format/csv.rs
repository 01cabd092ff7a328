//! Comma-separated values with a column of puzzles, each in the format `line`.
//!
//! The column of puzzles has the header `puzzle`, `quizzes`, `question` or similar. Without such a
//! header, it is the first column whose first value is a line of n * n cells, preferably with an
//! empty cell, and the text needs no header. Notes name the columns that were found by their cells
//! under another header. Values may also be separated by semicolons or tabs. A column of solutions
//! must agree with the clues.
//!
//! All other columns, except solutions, are written back unchanged. Solutions are written to a last
//! column `solution`, which is empty for a puzzle without a solution. Reading the written text
//! gives the puzzles again, not the solutions.

use std::io::Cursor;
use std::sync::Arc;

use csv::{ReaderBuilder, StringRecord};

use super::value::begins_as_value;
use super::{Format, LINES, cells, line};
use crate::{Grid, Setting};
use text::{InputError, InputNote, InputNotes, Line, Lines};

const NAMES: [&str; 12] = [
    "puzzle", "puzzles", "quizzes", "quiz", "question", "problem", "unsolved", "board", "clues",
    "givens", "grid", "sudoku",
];
const SOLUTION_NAMES: [&str; 5] = ["solution", "solutions", "answer", "answers", "solved"];

/// Minimum length (bytes) of an unknown header in a text with a single column.
const HEADER_MIN: usize = 3;

const MAX_LINES: usize = 100;

pub(super) const FORMAT: Format = Format {
    name: "csv",
    summary: "comma-separated values with a column `puzzle`, `quizzes`, ... of lines; others are kept",
    example: "puzzle\n\
     070000043040009610800634900094052000358460020000800530080070091902100005007040802\n\
     301086504046521070500000001400800002080347900009050038004090200008734090007208103\n",
    extensions: &["csv", "tsv"],
    recognizes,
    reader: || {
        let mut reader = CsvReader::default();
        Box::new(move |lines, setting| reader.next(lines, setting))
    },
    write,
    head,
    write_solution: Some(|puzzle, solution, _, out| {
        write_unsolvable(puzzle, out);
        out.pop();
        line::write(solution, out);
    }),
    write_unsolvable,
    ..LINES
};

fn recognizes(sample: &str) -> bool {
    if begins_as_value(sample) {
        return false;
    }
    let mut lines = Lines::of_text(sample);
    let Ok(Some((record, _))) = CsvReader::default().record(&mut lines) else { return false };
    if record.iter().any(is_name) {
        return true;
    }
    match puzzle_column(&record) {
        Some(column) => column > 0,
        None => {
            let text = cells::contents(sample).nth(1).unwrap_or_default();
            // In a single column, a first line of several words is a header, and a line of a
            // few letters is an invalid grid.
            let is_name = |name: &str| {
                let name = name.trim();
                name.starts_with(char::is_alphabetic)
                    && (record.len() > 1 || name.len() >= HEADER_MIN && !name.contains(' '))
            };
            let is_header = record.iter().all(is_name);
            let is_even = text.split(char::from(delimiter(text))).count() == record.len();
            is_header && is_even && text.split([',', ';', '\t']).any(is_puzzle)
        }
    }
}

fn write(grid: &Grid, out: &mut String) {
    let Some(row) = grid.row() else { return line::write(grid, out) };
    for (index, field) in row.fields.iter().enumerate() {
        if index > 0 {
            out.push(row.delimiter);
        }
        match index == row.puzzle {
            true => {
                line::write(grid, out);
                out.pop();
            }
            false => out.push_str(field),
        }
    }
    out.push('\n');
}

fn head(first: &Grid, has_solutions: bool) -> String {
    let delimiter = first.row().map_or(',', |row| row.delimiter).to_string();
    let header = first.row().map_or("puzzle".to_owned(), |row| row.header.join(&delimiter));
    let solution = if has_solutions { delimiter + "solution" } else { String::new() };
    header + &solution + "\n"
}

fn write_unsolvable(puzzle: &Grid, out: &mut String) {
    write(puzzle, out);
    out.pop();
    out.push(puzzle.row().map_or(',', |row| row.delimiter));
    out.push('\n');
}

/// The other values in the table row of a puzzle, as they were written.
#[derive(Clone, Debug)]
pub struct TableRow {
    header: Arc<Vec<String>>,
    fields: Vec<String>,
    puzzle: usize,
    delimiter: char,
    solution: Option<Box<Grid>>,
}

impl TableRow {
    /// Returns the solution in the row, if it has one.
    pub fn solution(&self) -> Option<&Grid> {
        self.solution.as_deref()
    }

    /// Returns the headers of the columns other than puzzles and solutions.
    pub fn others(&self) -> Vec<&str> {
        let others = self.header.iter().enumerate().filter(|(column, _)| *column != self.puzzle);
        others.map(|(_, name)| name.as_str()).collect()
    }
}

fn is_one_of(names: &[&str], header: &str) -> bool {
    names.iter().any(|name| header.trim().eq_ignore_ascii_case(name))
}

fn is_name(header: &str) -> bool {
    is_one_of(&NAMES, header)
}

fn is_puzzle(value: &str) -> bool {
    value.len() >= 16 && line::order_of(value.trim_matches('"')).is_some()
}

/// Returns the column of puzzles in a record without known headers: the first puzzle with an empty
/// cell, or else the first puzzle.
fn puzzle_column(record: &StringRecord) -> Option<usize> {
    let has_blank = |value: &str| value.contains(cells::BLANKS);
    let with_blank = record.iter().position(|value| is_puzzle(value) && has_blank(value));
    with_blank.or_else(|| record.iter().position(is_puzzle))
}

/// Returns the separator between values in a text with the first line `text`.
fn delimiter(text: &str) -> u8 {
    let count = |byte: &u8| text.bytes().filter(|other| other == byte).count();
    // If two separators are equally frequent, the last one in the list wins.
    [b'\t', b';', b','].into_iter().max_by_key(count).unwrap_or(b',')
}

#[derive(Default)]
struct CsvReader {
    columns: Option<Columns>,
    header: Option<StringRecord>,
    /// Whether reading has ended after an error that makes the rest unreadable.
    is_done: bool,
}

struct Columns {
    /// Reads one record at a time and keeps its state between records; created at the first record
    /// with a quote. Earlier records are simply split.
    parser: Option<csv::Reader<Cursor<Vec<u8>>>>,
    delimiter: u8,
    puzzle: Option<usize>,
    count: usize,
    /// The headers of the columns that are written back.
    kept: Arc<Vec<String>>,
}

impl CsvReader {
    fn next(&mut self, lines: &mut Lines, setting: &mut Setting) -> Result<Option<Grid>, InputError> {
        if self.is_done {
            return Ok(None);
        }
        let is_started = self.columns.as_ref().is_some_and(|columns| columns.puzzle.is_some());
        let next = if is_started { self.next_record(lines)? } else { self.first(lines)? };
        let Some((record, whole)) = next else { return Ok(None) };
        self.grid(&record, &whole, setting, &mut lines.notes).map(Some)
    }

    fn record(&mut self, lines: &mut Lines) -> Result<Option<(StringRecord, Line)>, InputError> {
        let Some(mut whole) = lines.next_content()? else { return Ok(None) };
        let columns = self.columns.get_or_insert_with(|| Columns {
            parser: None,
            delimiter: delimiter(&whole.text),
            puzzle: None,
            count: 0,
            kept: Arc::default(),
        });
        if !whole.text.contains('"') {
            let values: Vec<&str> = whole.text.split(char::from(columns.delimiter)).collect();
            return Ok(Some((values.into(), whole)));
        }
        let mut more: Vec<Line> = Vec::new();
        while fields(&whole.text, columns.delimiter).1 {
            let next = if more.len() < MAX_LINES { lines.next_line()? } else { None };
            let Some(next) = next else {
                let length = whole.text.find('\n').unwrap_or(whole.text.len());
                let quote = whole.text[..length].rfind('"').unwrap_or(0);
                whole.text.truncate(length);
                more.into_iter().rev().for_each(|line| lines.push_back(line));
                return Err(whole.error(quote, "expected a closing quote behind this one, found none"));
            };
            whole.text.push('\n');
            whole.text.push_str(&next.text);
            more.push(next);
        }
        let parser = columns.parser.get_or_insert_with(|| {
            let mut builder = ReaderBuilder::new();
            builder.has_headers(false).flexible(true).delimiter(columns.delimiter);
            builder.buffer_capacity(1 << 12).from_reader(Cursor::default())
        });
        let mut bytes = std::mem::take(parser.get_mut()).into_inner();
        bytes.clear();
        bytes.extend_from_slice(whole.text.as_bytes());
        bytes.push(b'\n');
        *parser.get_mut() = Cursor::new(bytes);
        let mut record = StringRecord::new();
        match parser.read_record(&mut record) {
            Ok(_) => Ok(Some((record, whole))),
            Err(error) => Err(whole.error(0, format!("expected comma-separated values: {error}"))),
        }
    }

    fn first(&mut self, lines: &mut Lines) -> Result<Option<(StringRecord, Line)>, InputError> {
        let Some((first, line)) = self.record(lines)? else { return Ok(None) };
        let named =
            NAMES.iter().find_map(|name| first.iter().position(|header| is_one_of(&[name], header)));
        let (puzzle, count) = (named.or_else(|| puzzle_column(&first)), first.len());
        let (puzzle, record) = match (named, puzzle) {
            (None, Some(_)) => (puzzle, Some((first, line.clone()))),
            _ => {
                let record = self.record(lines)?;
                let puzzle = puzzle.or_else(|| puzzle_column(&record.as_ref()?.0));
                if count == 1 && named.is_none() {
                    lines.notes.add("not used: a header", &line, 0, &line.text);
                } else if let (None, Some(puzzle), Some((values, _))) = (named, puzzle, &record) {
                    self.note_found(&first, &line, values, puzzle, &mut lines.notes);
                }
                self.header = Some(first);
                (puzzle, record)
            }
        };
        let (Some(columns), Some(puzzle)) = (&mut self.columns, puzzle) else {
            self.is_done = true;
            let names = NAMES.map(|name| format!("`{name}`")).join(", ");
            return Err(
                line.error(0, format!("expected a column {names}, or one of n*n cells, found none"))
            );
        };
        (columns.puzzle, columns.count) = (Some(puzzle), count);
        let headers = self.header.as_ref();
        let name = |column: usize| match headers.and_then(|header| header.get(column)) {
            Some(name) => quoted(name, columns.delimiter),
            None if column == puzzle => "puzzle".to_owned(),
            None => format!("column{}", column + 1),
        };
        columns.kept = Arc::new((0..count).map(name).collect());
        Ok(record)
    }

    /// Notes the columns that are found by their cells under headers without a known name.
    fn note_found(
        &self,
        header: &StringRecord,
        line: &Line,
        values: &StringRecord,
        puzzle: usize,
        notes: &mut InputNotes,
    ) {
        let Some(Columns { delimiter, .. }) = &self.columns else { return };
        let (starts, _) = fields(&line.text, *delimiter);
        let mut note = |what: &'static str, column: usize| {
            if let (Some(&start), Some(name)) = (starts.get(column), header.get(column)) {
                notes.add(what, line, start, name);
            }
        };
        note("taken as the column of puzzles, by its cells:", puzzle);
        let order = values.get(puzzle).and_then(line::order_of);
        for (column, value) in values.iter().enumerate() {
            let is_named = header.get(column).is_some_and(|name| is_one_of(&SOLUTION_NAMES, name));
            if column != puzzle && !is_named && line::order_of(value) == order {
                note("taken as a column of solutions, by its cells:", column);
            }
        }
    }

    fn next_record(&mut self, lines: &mut Lines) -> Result<Option<(StringRecord, Line)>, InputError> {
        loop {
            let next = self.record(lines)?;
            match &next {
                Some((record, line)) if self.header.as_ref() == Some(record) => {
                    lines.notes.add("not used: the header once more", line, 0, &line.text);
                }
                _ => return Ok(next),
            }
        }
    }

    fn grid(
        &self,
        record: &StringRecord,
        whole: &Line,
        setting: &mut Setting,
        notes: &mut InputNotes,
    ) -> Result<Grid, InputError> {
        let Some(Columns { delimiter, puzzle: Some(puzzle), count, kept, .. }) = &self.columns else {
            return Err(whole.error(0, "expected a column of puzzles"));
        };
        let (starts, _) = fields(&whole.text, *delimiter);
        if record.len() != *count {
            let at = starts.get(*count).copied().unwrap_or(whole.text.trim_end().len());
            return Err(whole.error(at, format!("expected {count} values, found {}", record.len())));
        }
        let place = |column: usize, skipped: usize| {
            let start = starts[column];
            let skipped = skipped + usize::from(whole.text[start..].starts_with('"'));
            let at = whole.text[start..].char_indices().nth(skipped);
            let at = at.map_or(whole.text.len(), |(at, _)| start + at);
            let before = &whole.text[..at];
            let first = before.rfind('\n').map_or(0, |newline| newline + 1);
            let text = whole.text[first..].lines().next().unwrap_or_default();
            InputError::at(whole.number + before.matches('\n').count(), text, at - first, "")
        };
        let mut parse = |column: usize, notes: &mut InputNotes| {
            let value = Line { text: record[column].to_owned(), number: whole.number };
            let mut own = InputNotes::default();
            let grid = line::parse(&value, setting, &mut own);
            notes.append(own.take().into_iter().map(|note| {
                let InputError { line, column, .. } = place(column, note.column - 1);
                InputNote { line, column, ..note }
            }));
            grid.map_err(|error| InputError {
                message: error.message,
                ..place(column, error.column - 1)
            })
        };
        let mut grid = parse(*puzzle, notes)?;
        let (mut is_solution, mut solved) = (vec![false; *count], None);
        for column in (0..*count).filter(|column| column != puzzle) {
            let header = self.header.as_ref().and_then(|header| header.get(column));
            let is_named = header.is_some_and(|name| is_one_of(&SOLUTION_NAMES, name));
            // A column without a known header is classified by its content.
            let is_like = || {
                header.is_none_or(|_| !self.header.iter().flatten().any(is_name))
                    && line::order_of(&record[column]) == Some(grid.shape().order())
            };
            is_solution[column] = is_named || is_like();
            let value = record[column].trim();
            if !is_solution[column] || value.is_empty() {
                continue;
            }
            if is_puzzle(value) {
                let solution = parse(column, notes)?;
                if let Some(message) = cells::contradiction(&grid, &solution) {
                    return Err(InputError { message, ..place(column, 0) });
                }
                solved.get_or_insert(Box::new(solution));
            } else {
                let InputError { line: number, column, text, .. } = place(column, 0);
                let line = Line { text, number };
                let start = line.text.char_indices().nth(column - 1).map_or(0, |(at, _)| at);
                notes.add("not used: a value that is no solution", &line, start, value);
            }
        }
        grid.style.format = &FORMAT;
        if *count > 1 {
            let ends = starts.iter().skip(1).map(|start| start - 1).chain([whole.text.len()]);
            let kept_columns: Vec<usize> = (0..*count).filter(|&column| !is_solution[column]).collect();
            let texts: Vec<&str> =
                starts.iter().zip(ends).map(|(&start, end)| &whole.text[start..end]).collect();
            grid.set_row(TableRow {
                header: match kept_columns.len() == *count {
                    true => Arc::clone(kept),
                    false => {
                        Arc::new(kept_columns.iter().map(|&column| kept[column].clone()).collect())
                    }
                },
                fields: kept_columns.iter().map(|&column| texts[column].to_owned()).collect(),
                puzzle: kept_columns.iter().position(|column| column == puzzle).unwrap_or_default(),
                delimiter: char::from(*delimiter),
                solution: solved,
            });
        }
        Ok(grid)
    }
}

fn quoted(value: &str, delimiter: u8) -> String {
    if value.contains(['"', '\n', char::from(delimiter)]) {
        format!("\"{}\"", value.replace('"', "\"\""))
    } else {
        value.to_owned()
    }
}

/// Returns the start of each value in a record, and whether the last value lacks its closing quote.
fn fields(text: &str, delimiter: u8) -> (Vec<usize>, bool) {
    let (mut starts, mut is_quoted) = (vec![0], false);
    for (i, byte) in text.bytes().enumerate() {
        if byte == b'"' && (is_quoted || starts.last() == Some(&i)) {
            // A doubled quote first closes the value and then opens it again.
            is_quoted = !is_quoted;
        } else if byte == b'"' && i > 0 && text.as_bytes()[i - 1] == b'"' {
            is_quoted = text.as_bytes()[*starts.last().unwrap_or(&0)] == b'"';
        } else if byte == delimiter && !is_quoted {
            starts.push(i + 1);
        }
    }
    (starts, is_quoted)
}
