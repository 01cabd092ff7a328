//! Comma-separated values with a column of puzzles, a line each as in the format `line`.
//!
//! The column is the one that the header names `puzzle`, `quizzes`, `quiz`, `clues`, `grid` or
//! `sudoku`, or else the first one whose first value is a line of n * n cells; then there need not be a
//! header. Semicolons and tabs separate values too if the first line has no commas.
//!
//! Puzzles are written in a column `puzzle`. Solutions stand beside their puzzles, under the header
//! `puzzle,solution`, and the second value is empty if there is none: so a batch can be joined and
//! checked. Read again, such a text is a text of the puzzles.

use std::io::Cursor;

use csv::{ReaderBuilder, StringRecord};

use super::{Format, Reader, cells, line};
use crate::grid::{Grid, Setting};
use crate::input::{InputError, Line, Lines};

/// The format `csv`.
pub(super) struct Csv;

/// The headers of a column of puzzles.
const NAMES: [&str; 6] = ["puzzle", "quizzes", "quiz", "clues", "grid", "sudoku"];

/// The most lines of a quoted value.
const MAX_LINES: usize = 100;

impl Format for Csv {
    fn name(&self) -> &'static str {
        "csv"
    }

    fn summary(&self) -> &'static str {
        "comma-separated values with a column `puzzle`, `quizzes`, ... of lines"
    }

    fn example(&self) -> &'static str {
        "puzzle\n\
         070000043040009610800634900094052000358460020000800530080070091902100005007040802\n\
         301086504046521070500000001400800002080347900009050038004090200008734090007208103\n"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["csv", "tsv"]
    }

    fn recognizes(&self, sample: &str) -> bool {
        let mut lines = Lines::of_text(sample);
        let Ok(Some((record, _))) = (CsvReader { columns: None, is_done: false }).record(&mut lines)
        else {
            return false;
        };
        if record.iter().any(is_name) {
            return true;
        }
        match record.iter().position(is_puzzle) {
            Some(column) => column > 0,
            None => {
                let text =
                    sample.lines().filter(|text| !cells::is_skipped(text)).nth(1).unwrap_or_default();
                // Words over a single column are a title.
                let is_name = |name: &str| {
                    name.trim().starts_with(char::is_alphabetic)
                        && (record.len() > 1 || !name.trim().contains(' '))
                };
                let is_header = record.iter().all(is_name);
                let is_even = text.split(char::from(delimiter(text))).count() == record.len();
                is_header && is_even && text.split([',', ';', '\t']).any(is_puzzle)
            }
        }
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(CsvReader { columns: None, is_done: false })
    }

    fn write(&self, grid: &Grid, out: &mut String) {
        line::LineFormat.write(grid, out);
    }

    fn puzzle_head(&self) -> &'static str {
        "puzzle\n"
    }

    fn solution_head(&self) -> &'static str {
        "puzzle,solution\n"
    }

    fn write_solution(&self, puzzle: &Grid, solution: &Grid, _number: u64, out: &mut String) {
        self.write_unsolvable(puzzle, out);
        out.pop();
        line::LineFormat.write(solution, out);
    }

    fn write_unsolvable(&self, puzzle: &Grid, out: &mut String) {
        line::LineFormat.write(puzzle, out);
        out.pop();
        out.push_str(",\n");
    }

    fn is_line(&self) -> bool {
        true
    }
}

fn is_name(name: &str) -> bool {
    NAMES.iter().any(|known| name.trim().eq_ignore_ascii_case(known))
}

/// Tells whether a value looks like a puzzle.
fn is_puzzle(value: &str) -> bool {
    value.len() >= 16 && line::order_of(value.trim_matches('"')).is_some()
}

fn delimiter(text: &str) -> u8 {
    [b',', b';', b'\t'].into_iter().find(|&byte| text.as_bytes().contains(&byte)).unwrap_or(b',')
}

struct CsvReader {
    columns: Option<Columns>,
    /// Whether nothing can be read any more.
    is_done: bool,
}

struct Columns {
    /// Reads one record at a time; its state stays between them. Made for the first record with a quote:
    /// any other is just split, and most texts are recognized as something else by their first line.
    parser: Option<csv::Reader<Cursor<Vec<u8>>>>,
    delimiter: u8,
    /// The column of the puzzles, once it is known.
    puzzle: Option<usize>,
}

impl CsvReader {
    /// Reads the next record, and its lines as one text.
    fn record(&mut self, lines: &mut Lines) -> Result<Option<(StringRecord, Line)>, InputError> {
        let Some(mut whole) = lines.next_content()? else { return Ok(None) };
        let columns = self.columns.get_or_insert_with(|| Columns {
            parser: None,
            delimiter: delimiter(&whole.text),
            puzzle: None,
        });
        if !whole.text.contains('"') {
            let values: Vec<&str> = whole.text.split(char::from(columns.delimiter)).collect();
            return Ok(Some((values.into(), whole)));
        }
        // A value in quotes may go on in the next lines.
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

    /// Reads the header, if there is one, and returns the first record.
    fn first(&mut self, lines: &mut Lines) -> Result<Option<(StringRecord, Line)>, InputError> {
        let Some((header, line)) = self.record(lines)? else { return Ok(None) };
        let (puzzle, record) = match header.iter().position(is_name) {
            Some(column) => (Some(column), self.record(lines)?),
            None => match header.iter().position(is_puzzle) {
                Some(column) => (Some(column), Some((header, line.clone()))),
                None => {
                    let record = self.record(lines)?;
                    (record.as_ref().and_then(|(record, _)| record.iter().position(is_puzzle)), record)
                }
            },
        };
        if let Some(columns) = &mut self.columns {
            columns.puzzle = puzzle;
        }
        if puzzle.is_none() {
            self.is_done = true;
            let names = NAMES.map(|name| format!("`{name}`")).join(", ");
            return Err(
                line.error(0, format!("expected a column {names}, or one of n*n cells, found none"))
            );
        }
        Ok(record)
    }
}

impl Reader for CsvReader {
    fn next(&mut self, lines: &mut Lines, setting: &mut Setting) -> Result<Option<Grid>, InputError> {
        if self.is_done {
            return Ok(None);
        }
        let is_started = self.columns.as_ref().is_some_and(|columns| columns.puzzle.is_some());
        let next = if is_started { self.record(lines)? } else { self.first(lines)? };
        let (Some((record, whole)), Some(columns)) = (next, &self.columns) else { return Ok(None) };
        let column = columns.puzzle.unwrap_or_default();
        let Some(value) = record.get(column) else {
            let message = format!("expected at least {} values, found {}", column + 1, record.len());
            return Err(whole.error(whole.text.trim_end().len(), message));
        };
        let value = Line { text: value.to_owned(), number: whole.number };
        match line::parse(&value, setting, &mut lines.notes) {
            Ok(mut grid) => {
                grid.style.format = &Csv;
                Ok(Some(grid))
            }
            Err(error) => {
                let start = fields(&whole.text, columns.delimiter).0[column];
                let is_quoted = whole.text[start..].starts_with('"');
                let skipped = error.column - 1 + usize::from(is_quoted);
                let at = whole.text[start..].char_indices().nth(skipped);
                let at = at.map_or(whole.text.len(), |(at, _)| start + at);
                let before = &whole.text[..at];
                let first = before.rfind('\n').map_or(0, |newline| newline + 1);
                let text = whole.text[first..].lines().next().unwrap_or_default();
                let number = whole.number + before.matches('\n').count();
                Err(InputError::at(number, text, at - first, error.message))
            }
        }
    }
}

/// Returns where the values of a record begin, and whether the last one lacks its closing quote.
fn fields(text: &str, delimiter: u8) -> (Vec<usize>, bool) {
    let (mut starts, mut is_quoted) = (vec![0], false);
    for (i, byte) in text.bytes().enumerate() {
        if byte == b'"' && (is_quoted || starts.last() == Some(&i)) {
            // A doubled quote closes the value and opens it again.
            is_quoted = !is_quoted;
        } else if byte == b'"' && i > 0 && text.as_bytes()[i - 1] == b'"' {
            is_quoted = text.as_bytes()[*starts.last().unwrap_or(&0)] == b'"';
        } else if byte == delimiter && !is_quoted {
            starts.push(i + 1);
        }
    }
    (starts, is_quoted)
}
