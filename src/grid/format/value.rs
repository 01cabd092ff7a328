//! Values in brackets, as JSON, Python and many other languages write them: lists, maps, quoted texts, words.
//!
//! One reader for all of them: round, square and curly brackets make lists, with `key: value` between curly
//! ones maps; a comma may stand before a closing bracket; quotes are double or single. Every value keeps its
//! place, so that errors can name it. A document is at most [`SIZE_LIMIT`] bytes long and [`DEPTH_LIMIT`]
//! brackets deep.

use super::cells::Word;
use crate::input::{InputError, Line, Lines};

/// Bytes of a document: more than a hundred thousand grids of order 9.
const SIZE_LIMIT: usize = 1 << 24;
/// Brackets inside one another.
const DEPTH_LIMIT: usize = 32;

/// The lines of values whose brackets are all closed.
pub(super) struct Document {
    lines: Vec<Line>,
    /// The lines as one text.
    text: String,
}

/// A value and the byte of the document at which it begins.
#[derive(Debug)]
pub(super) struct Value<'t> {
    pub(super) at: usize,
    pub(super) data: Data<'t>,
}

/// What a value is.
#[derive(Debug)]
pub(super) enum Data<'t> {
    /// A number, `null`, `None`, ...
    Word(&'t str),
    /// What stands between quotes, as it stands there.
    Text(&'t str),
    /// Values in brackets.
    List(Vec<Value<'t>>),
    /// Keys and values.
    Map(Vec<(&'t str, Value<'t>)>),
}

impl Document {
    /// Reads the lines of the next document; `None` at the end. It ends with the line that closes its last
    /// bracket, or with the text.
    ///
    /// # Errors
    /// If it is too long; its rest is read.
    pub(super) fn read(lines: &mut Lines) -> Result<Option<Self>, InputError> {
        let Some(first) = lines.next_content()? else { return Ok(None) };
        let mut document = Self { lines: Vec::new(), text: String::new() };
        let (mut depth, mut next) = (0_i64, Some(first));
        while let Some(line) = next {
            depth += depth_of(&line.text);
            document.text.push_str(&line.text);
            document.text.push('\n');
            document.lines.push(line);
            if document.text.len() > SIZE_LIMIT {
                while lines.next_line()?.is_some() {}
                let message = format!("expected a document of at most {SIZE_LIMIT} bytes, found more");
                return Err(document.error(0, message));
            }
            if depth <= 0 {
                break;
            }
            next = lines.next_line()?;
        }
        Ok(Some(document))
    }

    /// Reads the values, from the first bracket on: what stands before it may be `board =`.
    pub(super) fn values(&self) -> Result<Vec<Value<'_>>, InputError> {
        let start = self.text.find(is_open).unwrap_or(0);
        let mut parser = Parser { text: &self.text, at: start, depth: 0 };
        let mut values = Vec::new();
        loop {
            parser.skip(|c| c.is_whitespace() || matches!(c, ';' | ',' | ')'));
            if parser.next().is_none() {
                return Ok(values);
            }
            let value = parser.value();
            values.push(value.map_err(|(at, message)| self.error(at, message))?);
        }
    }

    /// Makes an error at a byte of the document.
    pub(super) fn error(&self, at: usize, message: impl Into<String>) -> InputError {
        let (line, start) = self.place(at);
        line.error(start, message)
    }

    /// Returns a text at a byte of the document as a word of its line.
    pub(super) fn word(&self, at: usize, text: &str) -> Word<'_> {
        let (line, start) = self.place(at);
        Word::new(line, line.text.get(start..start + text.len()).unwrap_or_default())
    }

    fn place(&self, at: usize) -> (&Line, usize) {
        let mut start = at;
        for line in &self.lines {
            if start <= line.text.len() {
                return (line, start);
            }
            start -= line.text.len() + 1;
        }
        // The end of the text stands behind the last line.
        let last = self.lines.last().expect("a document has a line");
        (last, last.text.len())
    }
}

/// Returns the first text that may be a value, and whether it begins as a list or a map.
pub(super) fn begins_as_value(sample: &str) -> bool {
    let is_content = |line: &&str| !super::cells::is_skipped(line);
    let Some(first) = sample.lines().find(is_content) else { return false };
    let is_name = |c: char| c.is_alphanumeric() || " _.:=<>[]\t".contains(c);
    match first.find(is_open) {
        Some(0) => true,
        Some(start) => {
            let before = first[..start].trim();
            before.is_empty() || before.ends_with(['=', ':']) && before.chars().all(is_name)
        }
        None => false,
    }
}

fn is_open(c: char) -> bool {
    matches!(c, '[' | '{' | '(')
}

/// Returns by how much the brackets of a line open more than they close; a quoted text ends with its line.
fn depth_of(line: &str) -> i64 {
    let (mut depth, mut quote, mut is_escaped) = (0, None, false);
    for c in line.chars() {
        match quote {
            Some(_) if is_escaped => is_escaped = false,
            Some(_) if c == '\\' => is_escaped = true,
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None => match c {
                '"' | '\'' => quote = Some(c),
                '[' | '{' | '(' => depth += 1,
                ']' | '}' | ')' => depth -= 1,
                _ => {}
            },
        }
    }
    depth
}

/// What is wrong, and at which byte.
type Fault = (usize, String);

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl<'t> Parser<'t> {
    fn next(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn skip(&mut self, is_skipped: impl Fn(char) -> bool) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches(is_skipped).len();
    }

    fn expected(&self, expected: &str) -> Fault {
        match self.next().filter(|c| !c.is_whitespace()) {
            Some(c) => (self.at, format!("expected {expected}, found `{c}`")),
            None => (self.text.trim_end().len(), format!("expected {expected}, found the end")),
        }
    }

    fn value(&mut self) -> Result<Value<'t>, Fault> {
        let at = self.at;
        let data = match self.next() {
            Some('[') => self.list(']')?,
            Some('(') => self.list(')')?,
            Some('{') => self.list('}')?,
            Some(quote @ ('"' | '\'')) => Data::Text(self.quoted(quote)?),
            _ => {
                let is_end = |c: char| c.is_whitespace() || ",:;[](){}\"'".contains(c);
                let rest = &self.text[at..];
                let word = &rest[..rest.find(is_end).unwrap_or(rest.len())];
                if word.is_empty() {
                    return Err(self.expected("a value"));
                }
                self.at += word.len();
                Data::Word(word)
            }
        };
        Ok(Value { at, data })
    }

    fn quoted(&mut self, quote: char) -> Result<&'t str, Fault> {
        let start = self.at + 1;
        let mut is_escaped = false;
        for (i, c) in self.text[start..].char_indices() {
            match c {
                '\n' => break,
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                c if c == quote => {
                    self.at = start + i + 1;
                    return Ok(&self.text[start..start + i]);
                }
                _ => {}
            }
        }
        Err((self.at, "expected a closing quote behind this one, found none".to_owned()))
    }

    fn list(&mut self, close: char) -> Result<Data<'t>, Fault> {
        if self.depth == DEPTH_LIMIT {
            let message =
                format!("expected at most {DEPTH_LIMIT} brackets inside one another, found more");
            return Err((self.at, message));
        }
        self.depth += 1;
        self.at += 1;
        let (mut items, mut entries) = (Vec::new(), Vec::new());
        loop {
            self.skip(char::is_whitespace);
            if self.next() == Some(close) {
                break;
            }
            let item = self.value()?;
            self.skip(char::is_whitespace);
            match item.data {
                Data::Word(key) | Data::Text(key) if close == '}' && self.next() == Some(':') => {
                    self.at += 1;
                    self.skip(char::is_whitespace);
                    entries.push((key, self.value()?));
                    self.skip(char::is_whitespace);
                }
                _ => items.push(item),
            }
            match self.next() {
                Some(',') => self.at += 1,
                Some(c) if c == close => {}
                _ => return Err(self.expected(&format!("`,` or `{close}`"))),
            }
        }
        self.at += 1;
        self.depth -= 1;
        Ok(if entries.is_empty() { Data::List(items) } else { Data::Map(entries) })
    }
}
