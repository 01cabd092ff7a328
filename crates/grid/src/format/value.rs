//! Parses values in brackets, as in JSON, Python and many other languages: lists, maps, quoted
//! texts and words.
//!
//! One parser reads all these languages. Round, square and curly brackets make lists, and curly
//! brackets with `key: value` make maps. A trailing comma is allowed, quotes are double or single,
//! and square brackets may have spaces instead of commas (NumPy). A declaration or the name of a
//! function may precede a value. Every value keeps its position for error messages. A document has
//! at most [`SIZE_LIMIT`] bytes and a nesting depth of [`DEPTH_LIMIT`]. In a document above
//! [`WHOLE_LIMIT`] bytes, the elements of the outer list are parsed one by one, so that at most one
//! parsed grid is in memory.

use std::collections::BTreeSet;
use std::ops::Range;

use super::cells::CellWord;
use text::{InputError, Line, Lines};

/// Maximum size of a document (bytes): more than half a million grids of order 9.
const SIZE_LIMIT: usize = 1 << 26;
/// Maximum size of a document that is parsed as a whole (bytes), larger than the largest grid.
const WHOLE_LIMIT: usize = 1 << 20;
const DEPTH_LIMIT: usize = 32;

const KEYS: [&str; 5] = ["puzzle", "board", "grid", "quiz", "sudoku"];
/// The lines of a document, up to the line that closes its last bracket.
pub(super) struct Document {
    lines: Vec<Line>,
    starts: Vec<usize>,
    text: String,
    /// The byte range of the document that [`values`](Self::values) parses.
    part: Range<usize>,
    /// Start of the next part of the document, or `None` after the last part.
    next: Option<usize>,
}

#[derive(Debug)]
pub(super) struct Value<'t> {
    pub(super) at: usize,
    pub(super) data: Data<'t>,
}

#[derive(Debug)]
pub(super) enum Data<'t> {
    Word(&'t str),
    /// The text between quotes, with its escapes.
    Text(&'t str),
    List(Vec<Value<'t>>),
    Map(Vec<(&'t str, Value<'t>)>),
}

impl Document {
    /// Reads the lines of the next document, up to the line that closes its last bracket or to the
    /// end; returns `None` at the end.
    pub(super) fn read(lines: &mut Lines) -> Result<Option<Self>, InputError> {
        let Some(first) = lines.next_content()? else { return Ok(None) };
        let mut document =
            Self { lines: Vec::new(), starts: Vec::new(), text: String::new(), part: 0..0, next: None };
        let (mut depth, mut next) = (0_i64, Some(first));
        while let Some(line) = next {
            depth += depth_of(&line.text);
            document.starts.push(document.text.len());
            document.text.push_str(&line.text);
            document.text.push('\n');
            document.lines.push(line);
            if document.text.len() > SIZE_LIMIT {
                while lines.next_line()?.is_some() {}
                let message = format!("expected a document of at most {SIZE_LIMIT} bytes, found more");
                return Err(document.error(0, message));
            }
            // The value of a declaration may be in the next line.
            if depth <= 0 && !(document.lines.len() == 1 && document.text.trim_end().ends_with('=')) {
                break;
            }
            next = lines.next_line()?;
        }
        let start = value_start(&document.text).unwrap_or(0);
        document.part = start..document.text.len();
        if document.text.len() > WHOLE_LIMIT
            && let Some(first) = first_element(&document.text[start..])
        {
            document.next = Some(start + first);
            document.advance();
        }
        Ok(Some(document))
    }

    pub(super) fn advance(&mut self) -> bool {
        let Some(start) = self.next.take() else { return false };
        let rest = &self.text[start..];
        let start =
            start + rest.len() - rest.trim_start_matches(|c: char| c == ',' || c.is_whitespace()).len();
        let (mut depth, mut quotes) = (0_u32, Quotes::default());
        let is_end = |c| match c {
            _ if quotes.hide(c) => false,
            '[' | '{' | '(' => {
                depth += 1;
                false
            }
            ']' | '}' | ')' if depth == 0 => true,
            ']' | '}' | ')' => {
                depth -= 1;
                false
            }
            ',' => depth == 0,
            _ => false,
        };
        match self.text[start..].find(is_end) {
            Some(0) => return false,
            Some(length) => {
                self.part = start..start + length;
                self.next = Some(self.part.end);
            }
            // The outer list is not closed, so the last part extends to the end of the text and
            // gives an error.
            None => self.part = start..self.text.len(),
        }
        true
    }

    pub(super) fn values(&self) -> Result<Vec<Value<'_>>, InputError> {
        let text = &self.text[..self.part.end];
        let mut parser = Parser { at: self.part.start, ..Parser::new(text) };
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

    pub(super) fn error(&self, at: usize, message: impl Into<String>) -> InputError {
        let (line, start) = self.place(at);
        line.error(start, message)
    }

    /// Returns the slice `text`, which starts at byte `at` of the document, as a word of its line.
    pub(super) fn word(&self, at: usize, text: &str) -> CellWord<'_> {
        let (line, start) = self.place(at);
        CellWord::new(line, line.text.get(start..start + text.len()).unwrap_or_default())
    }

    /// Returns the line of a byte, and the offset of the byte in that line. The end of the text
    /// belongs to the last line.
    fn place(&self, at: usize) -> (&Line, usize) {
        let index = self.starts.partition_point(|&start| start <= at).saturating_sub(1);
        let line = &self.lines[index];
        (line, (at - self.starts[index]).min(line.text.len()))
    }
}

/// Returns the first value of a text that may be cut off. The value has all elements that are
/// complete.
pub(super) fn beginning(text: &str) -> Option<Value<'_>> {
    let start = value_start(text)?;
    Parser { at: start, is_cut: true, ..Parser::new(text) }.value().ok()
}

/// Returns the position after the bracket that opens the outer list of a text: its first bracket,
/// or the inner bracket of a map with one list of grids.
fn first_element(text: &str) -> Option<usize> {
    if !text.starts_with('{') {
        return Some(1);
    }
    let (key, list) = text[1..].split_once(':')?;
    let key = key.trim().trim_matches(['"', '\'']);
    let open = list.len() - list.trim_start().len();
    (is_key(key) && list[open..].starts_with('[')).then(|| text.len() - list.len() + open + 1)
}

/// Returns whether a key of a map stands for a grid, or in the plural (`puzzles`) for several
/// grids.
pub(super) fn is_key(key: &str) -> bool {
    let key = key.strip_suffix(['s', 'S']).unwrap_or(key);
    KEYS.iter().any(|known| known.eq_ignore_ascii_case(key))
}

/// Returns whether a text begins with a list or a map. A name (`board =`), a declaration or the
/// name of a function may precede it.
pub(super) fn begins_as_value(sample: &str) -> bool {
    let is_content = |line: &&str| !super::cells::is_skipped(line);
    let Some(first) = sample.lines().find(is_content) else { return false };
    let text = &sample[first.as_ptr().addr() - sample.as_ptr().addr()..];
    let Some(start) = value_start(text) else { return false };
    let is_name = |c: char| c.is_alphanumeric() || " _.:=<>[],;*&\t".contains(c);
    let before = text[..start].trim();
    let is_call = || {
        let name = before.rsplit(['=', ' ']).next().unwrap_or_default();
        let rest = text[start..].strip_prefix('(').unwrap_or_default();
        !before.contains(' ') && is_path(name) && rest.trim_start().starts_with(is_open)
    };
    let is_in_reach = before.is_empty() || start < first.len() || before.len() == first.trim().len();
    is_in_reach
        && before.chars().all(is_name)
        && (before.is_empty() || before.ends_with(['=', ':']) || declared(text) > 0 || is_call())
}

fn is_path(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'))
}

/// Returns the length of the declaration before a value in the first line of a text, including the
/// equals sign. Returns 0 without a declaration.
fn declared(text: &str) -> usize {
    let first = text.lines().next().unwrap_or_default();
    let is_name = |c: char| c.is_alphanumeric() || " _.:<>[],;*&\t".contains(c);
    let is_declaration = |text: &str| {
        let count = |bracket: char| text.matches(bracket).count();
        text.trim_start().starts_with(|c: char| c.is_alphabetic() || c == '_')
            && text.chars().all(is_name)
            && count('[') == count(']')
    };
    first.find('=').filter(|&end| is_declaration(&first[..end])).map_or(0, |end| end + 1)
}

/// Returns the start of the value in a text: its first bracket outside declarations such as `int
/// grid[9][9] = new int[][]`.
fn value_start(text: &str) -> Option<usize> {
    let mut at = declared(text);
    loop {
        let open = at + text[at..].find(is_open)?;
        let is_behind_name =
            text[..open].ends_with(|c: char| c.is_alphanumeric() || matches!(c, ']' | '_'));
        let size =
            text[open..].strip_prefix('[').and_then(|rest| rest.split_once(']')).map(|(size, _)| size);
        let is_size =
            |size: &&str| size.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ',' | ' '));
        match size.filter(is_size).filter(|_| is_behind_name) {
            Some(size) => at = open + size.len() + 2,
            None => return Some(open),
        }
    }
}

fn is_open(c: char) -> bool {
    matches!(c, '[' | '{' | '(')
}

/// Tracks whether a character of a text is quoted.
#[derive(Default)]
struct Quotes {
    open: Option<char>,
    is_escaped: bool,
}

impl Quotes {
    /// Advances by a character; returns whether the character is a quote or is quoted.
    fn hide(&mut self, c: char) -> bool {
        match self.open {
            Some(_) if self.is_escaped => self.is_escaped = false,
            Some(_) if c == '\\' => self.is_escaped = true,
            Some(open) if c == open => self.open = None,
            Some(_) => {}
            None if matches!(c, '"' | '\'') => self.open = Some(c),
            None => return false,
        }
        true
    }
}

/// Returns the number of brackets that a line opens minus the number that it closes. A quoted text
/// ends with its line.
fn depth_of(line: &str) -> i64 {
    let (mut depth, mut quotes) = (0, Quotes::default());
    for c in line.chars() {
        match c {
            _ if quotes.hide(c) => {}
            '[' | '{' | '(' => depth += 1,
            ']' | '}' | ')' => depth -= 1,
            _ => {}
        }
    }
    depth
}

type ValueFault = (usize, String);

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
    /// Whether the text may be cut off. Incomplete values at its end are then dropped.
    is_cut: bool,
    is_over: bool,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, at: 0, depth: 0, is_cut: false, is_over: false }
    }

    /// Records when the end of a cut text is reached, and returns whether that has happened.
    fn meets_cut(&mut self) -> bool {
        self.is_over |= self.is_cut && self.at == self.text.len();
        self.is_over
    }

    fn next(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn skip(&mut self, is_skipped: impl Fn(char) -> bool) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches(is_skipped).len();
    }

    fn expected(&self, expected: &str) -> ValueFault {
        match self.next().filter(|c| !c.is_whitespace()) {
            Some(c) => (self.at, format!("expected {expected}, found `{c}`")),
            None => (self.text.trim_end().len(), format!("expected {expected}, found the end")),
        }
    }

    fn value(&mut self) -> Result<Value<'t>, ValueFault> {
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
                self.meets_cut();
                Data::Word(word)
            }
        };
        Ok(Value { at, data })
    }

    fn quoted(&mut self, quote: char) -> Result<&'t str, ValueFault> {
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
        if self.is_cut {
            self.at = self.text.len();
            self.meets_cut();
            return Ok(&self.text[start..]);
        }
        Err((self.at, "expected a closing quote behind this one, found none".to_owned()))
    }

    fn list(&mut self, close: char) -> Result<Data<'t>, ValueFault> {
        if self.depth == DEPTH_LIMIT {
            let message =
                format!("expected at most {DEPTH_LIMIT} brackets inside one another, found more");
            return Err((self.at, message));
        }
        self.depth += 1;
        self.at += 1;
        let (mut items, mut entries) = (Vec::new(), Vec::new());
        // Whether commas separate the items. NumPy prints arrays without commas.
        let mut has_commas = None;
        let mut keys = BTreeSet::new();
        loop {
            self.skip(char::is_whitespace);
            if self.next() == Some(close) || self.meets_cut() {
                break;
            }
            let item = self.value()?;
            let item_end = self.at;
            self.skip(char::is_whitespace);
            if self.meets_cut() {
                break;
            }
            match item.data {
                // Skip an argument of a function, such as `dtype=int`.
                Data::Word(word) if close == ')' && word.contains('=') => {}
                Data::Word(key) | Data::Text(key) if close == '}' && self.next() == Some(':') => {
                    if !items.is_empty() {
                        return Err((item.at, format!("expected a value, found the key `{key}`")));
                    }
                    if !keys.insert(key) {
                        return Err((item.at, format!("expected each key once, found `{key}` again")));
                    }
                    self.at += 1;
                    self.skip(char::is_whitespace);
                    if self.meets_cut() {
                        break;
                    }
                    // Keep a list that is cut off, since it may have complete elements.
                    entries.push((key, self.value()?));
                    self.skip(char::is_whitespace);
                }
                _ if !entries.is_empty() => {
                    return Err((
                        item.at,
                        "expected a key and `:`, found a value without a key".to_owned(),
                    ));
                }
                _ => items.push(item),
            }
            if self.meets_cut() {
                break;
            }
            match self.next() {
                Some(',') if has_commas != Some(false) => {
                    self.at += 1;
                    has_commas = Some(true);
                }
                Some(c) if c == close => {}
                Some(_) if close == ']' && self.at > item_end && has_commas != Some(true) => {
                    has_commas = Some(false);
                }
                _ => return Err(self.expected(&format!("`,` or `{close}`"))),
            }
        }
        self.at += usize::from(!self.is_over);
        self.depth -= 1;
        Ok(if entries.is_empty() { Data::List(items) } else { Data::Map(entries) })
    }
}
