//! Reader of the JSON lines that this program prints. Each solution in a line is a puzzle, and so
//! is each puzzle that `generate` printed.
//!
//! The objects are converted to the text of their puzzles while they are read. Printed exact covers
//! cannot be converted in this way, because the text of a cover does not name all items of its
//! problem. Therefore `check --solution` and `rank` read covers together with the problem.

use std::borrow::Cow;
use std::io::{self, BufRead, Cursor, Read};

use serde_json::Value;

use puzzle::{PuzzleSource, cover};
use text::InputError;

/// The beginning of each JSON object, before the number of the puzzle.
const BEGIN: &[u8] = b"{\"puzzle\":";

/// Maximum length of an object (bytes), which is the maximum length of any line.
const OBJECT_SIZE: u64 = 1 << 28;

/// Returns whether a text that begins with `head` consists of printed results.
pub fn recognizes(head: &[u8]) -> bool {
    let number = head.trim_ascii_start().strip_prefix(BEGIN);
    number.and_then(<[u8]>::first).is_some_and(u8::is_ascii_digit)
}

/// Converts printed results to the solutions of exact covers, as `list` prints them. Returns any
/// other text unchanged.
///
/// # Errors
/// The first malformed line.
pub fn covers(text: &str) -> Result<Cow<'_, str>, InputError> {
    if !recognizes(text.as_bytes()) {
        return Ok(text.into());
    }
    let mut covers = String::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let (_, texts) = texts(line, index + 1)?;
        texts.iter().for_each(|text| pushln!(covers, "{text}\n"));
    }
    Ok(covers.into())
}

/// Reads printed results as the text of their puzzles.
pub(crate) struct Results<R> {
    input: R,
    number: usize,
    /// Text of the puzzles of the last line.
    text: Cursor<String>,
    /// Whether the head that names the kind of the grids was written.
    has_head: bool,
}

impl<R: BufRead> Results<R> {
    pub(crate) fn new(input: R) -> Self {
        Self { input, number: 0, text: Cursor::default(), has_head: false }
    }

    /// Converts the next line to text; returns `false` at the end of the input.
    fn fill(&mut self) -> io::Result<bool> {
        let mut line = String::new();
        let length = self.input.by_ref().take(OBJECT_SIZE).read_line(&mut line)?;
        self.number += 1;
        let text = match line.trim() {
            "" => String::new(),
            _ => plain(line.trim_end(), self.number, &mut self.has_head).map_err(io::Error::other)?,
        };
        self.text = Cursor::new(text);
        Ok(length > 0)
    }
}

impl<R: BufRead> Read for Results<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.text.read(buffer)?;
            if count > 0 || buffer.is_empty() || !self.fill()? {
                return Ok(count);
            }
        }
    }
}

/// Converts a line to the text of its puzzles. For grids, only the first line gets a head.
fn plain(line: &str, number: usize, has_head: &mut bool) -> Result<String, InputError> {
    let (kind, texts) = texts(line, number)?;
    if kind == cover::NAME {
        let message = "expected solutions that are puzzles, found covers without the items of their problem \
                       (`check --solution FILE` reads them with the problem)";
        return Err(InputError::at(number, line, 0, message));
    }
    let Some(known) = crate::kinds::by_name(&kind) else {
        return Err(InputError::at(
            number,
            line,
            0,
            format!("expected a kind of puzzle, found `{kind}`"),
        ));
    };
    // Plain grids are recognized without a head. A variant writes a solution as a plain grid if
    // possible.
    let needs_head = !matches!(kind.as_str(), "sudoku" | "variant");
    let is_grid = matches!(known.source, PuzzleSource::Grids { .. });
    let mut plain = String::new();
    for text in texts {
        if needs_head && !text.starts_with('#') && !(is_grid && std::mem::replace(has_head, true)) {
            pushln!(plain, "# puzzle: {kind}");
        }
        // Write the cells as several lines, because n lines of n cells could be read as one grid.
        let order = text.chars().count().isqrt();
        if is_grid && !text.contains('\n') && order != 9 {
            let cells: Vec<char> = text.chars().collect();
            cells.chunks(order.max(1)).for_each(|row| pushln!(plain, "{}", String::from_iter(row)));
            plain.push('\n');
        } else {
            plain.push_str(&text);
            plain.push_str(if is_grid { "\n" } else { "\n\n" });
        }
    }
    Ok(plain)
}

fn texts(line: &str, number: usize) -> Result<(String, Vec<String>), InputError> {
    let fault = |message: String| InputError::at(number, line, 0, message);
    let object = cover::parse_json(line).map_err(|error| {
        let mut fault = fault(format!("expected an object that this program printed: {error}"));
        fault.column = error.column().max(1);
        fault
    })?;
    let list = |value: &Value| -> Option<Vec<String>> {
        value.as_array()?.iter().map(|text| text.as_str().map(str::to_owned)).collect()
    };
    let texts = match (&object["text"], &object["solutions"]) {
        (Value::String(text), _) => Some(vec![text.clone()]),
        (_, solutions) => list(solutions),
    };
    let kind = object["kind"].as_str().map(str::to_owned);
    kind.zip(texts).ok_or_else(|| {
        let found = match object["error"].as_str() {
            Some(error) => format!("the error `{error}`"),
            None => "neither".to_owned(),
        };
        fault(format!("expected `kind` with `solutions` or a `text`, found {found}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<&str, &str>) {
        let mut read = String::new();
        let result = Results::new(text.as_bytes()).read_to_string(&mut read);
        let result = result.map_err(|error| InputError::of_io(&error).to_string());
        assert_eq!(result.map(|_| read.as_str()), expected.map_err(str::to_owned), "{text}");
    }

    #[test]
    fn printed_results_are_read_as_the_text_of_their_puzzles() {
        check(
            "{\"puzzle\":1,\"kind\":\"queens\",\"solutions\":[\"Q\",\". Q\\nQ .\"]}\n\n",
            Ok("# puzzle: queens\nQ\n\n# puzzle: queens\n. Q\nQ .\n\n"),
        );
        check("{\"puzzle\":1,\"kind\":\"sudoku\",\"solutions\":[\"1\"]}", Ok("1\n\n"));
        check(
            "{\"puzzle\":1,\"kind\":\"latin\",\"text\":\"1\",\"solution\":\"1\"}",
            Ok("# puzzle: latin\n1\n\n"),
        );
        check(
            "{\"puzzle\":1,\"kind\":\"latin\",\"solutions\":[\"1\",\"1\"]}",
            Ok("# puzzle: latin\n1\n\n1\n\n"),
        );
    }

    #[test]
    fn printed_results_without_a_puzzle_are_refused_with_their_line_number() {
        let sudoku = "{\"puzzle\":1,\"kind\":\"sudoku\",\"solutions\":[]}\n";
        check(
            &format!("{sudoku}{{\"puzzle\":2,\"kind\":\"sudoku\",\"count\":\"7\"}}"),
            Err("2:1: expected `kind` with `solutions` or a `text`, found neither"),
        );
        check(
            "{\"puzzle\":1,\"kind\":\"queens\",\"error\":\"no\"}",
            Err("1:1: expected `kind` with `solutions` or a `text`, found the error `no`"),
        );
        let twice = "{\"puzzle\":1,\"kind\":\"latin\",\"kind\":\"sudoku\",\"solutions\":[]}";
        let mut read = String::new();
        let error = Results::new(twice.as_bytes()).read_to_string(&mut read).unwrap_err();
        let error = InputError::of_io(&error).to_string();
        assert!(error.contains("expected each key once, found `kind` again"), "{error}");
        check(
            "{\"puzzle\":1,\"kind\":\"x\",\"solutions\":[]}",
            Err("1:1: expected a kind of puzzle, found `x`"),
        );
    }
}
