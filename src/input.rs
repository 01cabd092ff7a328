//! Text as it comes in: lines with their numbers, a sample to judge it by, and errors that can show
//! the line they speak of.

use std::collections::VecDeque;
use std::fmt::{self, Write as _};
use std::io::{self, BufRead, Read};
use std::ops::RangeInclusive;

use dlx::Limit;

/// What is wrong in an input, where, and the line itself; or what is wrong with the input as a whole.
///
/// ```
/// use farandole::input::InputError;
///
/// let error = InputError::at(3, "53.x7....", 3, "expected a digit, found `x`");
/// assert_eq!(error.to_string(), "3:4: expected a digit, found `x`");
/// assert_eq!(error.excerpt(), "  53.x7....\n     ^\n");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputError {
    /// The line, from 1; 0 for the input as a whole.
    pub line: usize,
    /// The column in characters, from 1; 0 for the input as a whole.
    pub column: usize,
    /// What was expected and what was found.
    pub message: String,
    /// The line, without its end; empty if there is none.
    pub text: String,
    /// The limit that ended the reading, if nothing is wrong with the input.
    pub limit: Option<Limit>,
}

impl InputError {
    /// Makes an error at byte `start` of the line `text` with that number.
    pub fn at(line: usize, text: &str, start: usize, message: impl Into<String>) -> Self {
        let before = text.get(..start).unwrap_or(text);
        let column = before.chars().count() + 1;
        Self { line, column, message: message.into(), text: text.to_owned(), limit: None }
    }

    /// Makes an error of the input as a whole.
    pub fn whole(message: impl Into<String>) -> Self {
        Self { line: 0, column: 0, message: message.into(), text: String::new(), limit: None }
    }

    /// Tells that a limit ended the reading or the building of a puzzle, and at what.
    #[must_use]
    pub fn limited(limit: Limit, what: &str) -> Self {
        let name = match limit {
            Limit::Time => "stopped by the limit of time",
            Limit::Memory => "stopped by the limit of memory",
            _ => "interrupted",
        };
        Self { limit: Some(limit), ..Self::whole(format!("{name} {what}")) }
    }

    /// Returns the line and under it a caret at the column, both indented by two; nothing if the line
    /// is empty. Of a long line only the part around the column is shown.
    #[must_use]
    pub fn excerpt(&self) -> String {
        const BEFORE: usize = 60;
        const WIDTH: usize = 76;
        if self.text.trim().is_empty() {
            return String::new();
        }
        let skipped = self.column.saturating_sub(1 + BEFORE);
        let shown = self.text.chars().skip(skipped).take(WIDTH);
        let shown: String = shown.map(|c| if c.is_control() { ' ' } else { c }).collect();
        format!("  {shown}\n{:1$}^\n", "", self.column - skipped + 1)
    }
}

/// Characters of a quoted text that a message shows.
const QUOTE_LIMIT: usize = 60;

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "{}:{}: ", self.line, self.column)?;
        }
        // What is quoted may be as long as the input.
        for (index, part) in self.message.split('`').enumerate() {
            if index > 0 {
                f.write_str("`")?;
            }
            let (part, dots) = match part.char_indices().nth(QUOTE_LIMIT) {
                Some((end, _)) if index % 2 == 1 => (&part[..end], "..."),
                _ => (part, ""),
            };
            // What the input holds must not steer the terminal.
            for c in part.chars() {
                if c.is_control() && c != '\n' {
                    write!(f, "{}", c.escape_default())?;
                } else {
                    f.write_char(c)?;
                }
            }
            f.write_str(dots)?;
        }
        Ok(())
    }
}

impl From<String> for InputError {
    fn from(message: String) -> Self {
        Self::whole(message)
    }
}

impl std::error::Error for InputError {}

/// A numbered line without its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The line, without its end and without a byte-order mark.
    pub text: String,
    /// Its number, from 1.
    pub number: usize,
}

impl Line {
    /// Makes an error at byte `start` of this line.
    pub fn error(&self, start: usize, message: impl Into<String>) -> InputError {
        InputError::at(self.number, &self.text, start, message)
    }
}

/// A line may have at most so many bytes.
const LINE_LIMIT: usize = 1 << 28;

/// The least length of a row of blanks.
const ROW_OF_BLANKS: usize = 3;

/// Bytes that are looked at to recognize a format.
const SAMPLE_SIZE: usize = 1 << 16;

/// Returns a line of `N - 1` bytes with a line feed behind it.
fn with_end<const N: usize>(text: &[u8]) -> Option<[u8; N]> {
    let mut line = [b'\n'; N];
    let (cells, _) = line.split_last_chunk_mut::<1>()?;
    (text.len() == cells.len()).then(|| cells.copy_from_slice(text))?;
    Some(line)
}

/// A text that is read line by line, never as a whole.
///
/// Bytes that are not UTF-8 become U+FFFD, which no format accepts: the error then names their place.
pub struct Lines {
    input: Box<dyn BufRead + Send>,
    /// Lines that were pushed back, or what was wrong with one.
    pending: VecDeque<Result<Line, InputError>>,
    number: usize,
    buffer: Vec<u8>,
}

impl fmt::Debug for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lines").field("number", &self.number).finish_non_exhaustive()
    }
}

impl Lines {
    /// Reads from `input`.
    #[must_use]
    pub fn new(input: Box<dyn BufRead + Send>) -> Self {
        Self { input, pending: VecDeque::new(), number: 0, buffer: Vec::new() }
    }

    /// Reads from a text in memory.
    #[must_use]
    pub fn of_text(text: &str) -> Self {
        Self::new(Box::new(io::Cursor::new(text.to_owned())))
    }

    /// Returns the beginning of the text, at most 64 KiB, and leaves it to be read again.
    ///
    /// Unless the text is shorter, this waits for all of the 64 KiB; `is_patient` false takes what comes
    /// first, to answer one who waits for an answer before going on.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub fn sample(&mut self, is_patient: bool) -> io::Result<String> {
        let mut head = Vec::new();
        if is_patient {
            self.input.by_ref().take(SAMPLE_SIZE as u64).read_to_end(&mut head)?;
        } else {
            head.extend_from_slice(self.input.fill_buf()?);
            self.input.consume(head.len());
        }
        let sample = String::from_utf8_lossy(&head).trim_start_matches('\u{feff}').to_owned();
        let rest = std::mem::replace(&mut self.input, Box::new(io::empty()));
        self.input = Box::new(io::Cursor::new(head).chain(rest));
        Ok(sample)
    }

    /// Returns the next line, or `None` at the end.
    ///
    /// # Errors
    /// If the input cannot be read; the error names the line.
    pub fn next_line(&mut self) -> Result<Option<Line>, InputError> {
        if let Some(line) = self.pending.pop_front() {
            return line.map(Some);
        }
        self.buffer.clear();
        let number = self.number + 1;
        let mut read = (&mut self.input).take(LINE_LIMIT as u64).read_until(b'\n', &mut self.buffer);
        if self.buffer.len() == LINE_LIMIT {
            read = Err(io::Error::other(format!("the line exceeds the limit of {LINE_LIMIT} bytes")));
        }
        if read.is_err() {
            // What cannot be read once will not be tried again.
            self.input = Box::new(io::empty());
        }
        let count =
            read.map_err(|error| InputError::at(number, "", 0, format!("cannot read: {error}")))?;
        if count == 0 {
            return Ok(None);
        }
        self.number = number;
        let text = String::from_utf8_lossy(&self.buffer);
        let text = text.strip_suffix('\n').unwrap_or(&text);
        let text = text.strip_suffix('\r').unwrap_or(text);
        let text = if number == 1 { text.trim_start_matches('\u{feff}') } else { text };
        Ok(Some(Line { text: text.to_owned(), number }))
    }

    /// Returns the next line that is neither blank nor a comment (its first character `#`).
    ///
    /// # Errors
    /// If the input cannot be read.
    pub fn next_content(&mut self) -> Result<Option<Line>, InputError> {
        while let Some(line) = self.next_line()? {
            let text = line.text.trim_start();
            if !text.is_empty() && !text.starts_with('#') {
                return Ok(Some(line));
            }
        }
        Ok(None)
    }

    /// Reads past blank lines and comments; `heed` is shown each comment. A line of some blanks or tabs may be a
    /// row of a grid.
    ///
    /// # Errors
    /// If the input cannot be read, or `heed` says what is wrong with a comment.
    pub fn skip(
        &mut self,
        mut heed: impl FnMut(&Line) -> Result<(), InputError>,
    ) -> Result<(), InputError> {
        while let Some(line) = self.next_line()? {
            let text = line.text.trim_start();
            if text.starts_with('#') {
                heed(&line)?;
            } else if !text.is_empty() || line.text.len() >= ROW_OF_BLANKS {
                self.push_back(line);
                break;
            }
        }
        Ok(())
    }

    /// Returns the next lines, at most `range.end()`, as long as each has `N - 1` bytes and `is_wanted`; they
    /// end in a line feed, whatever they ended in. Takes none if there are less than `range.start()`.
    ///
    /// Which lines these are does not depend on how the input comes in: this waits for the last of them.
    pub fn take_same<const N: usize>(
        &mut self,
        range: RangeInclusive<usize>,
        is_wanted: impl Fn(&[u8; N]) -> bool,
    ) -> Vec<[u8; N]> {
        let mut taken = Vec::new();
        if !self.pending.is_empty() {
            return taken;
        }
        let begin = self.number + 1;
        while taken.len() < *range.end() {
            let count = taken.len();
            self.take_buffered(*range.end(), &is_wanted, &mut taken);
            if taken.len() > count {
                continue;
            }
            // The next line is not as a whole in the buffer, or it is another.
            match self.next_line() {
                Ok(Some(line)) => match with_end(line.text.as_bytes()).filter(&is_wanted) {
                    Some(text) => taken.push(text),
                    None => {
                        self.push_back(line);
                        break;
                    }
                },
                Ok(None) => break,
                Err(error) => {
                    self.pending.push_front(Err(error));
                    break;
                }
            }
        }
        if taken.len() < *range.start() {
            for (index, text) in taken.drain(..).enumerate().rev() {
                let text = String::from_utf8_lossy(&text[..N - 1]).into_owned();
                self.push_back(Line { text, number: begin + index });
            }
        }
        taken
    }

    /// Does what [`Lines::take_same`] does, with the lines that are in the buffer as a whole.
    fn take_buffered<const N: usize>(
        &mut self,
        count_max: usize,
        is_wanted: &impl Fn(&[u8; N]) -> bool,
        taken: &mut Vec<[u8; N]>,
    ) {
        // What cannot be read is met again by who reads the next line.
        let Ok(buffered) = self.input.fill_buf() else { return };
        let (mut rest, count) = (buffered, taken.len());
        while taken.len() < count_max
            && let Some((text, behind)) = rest.split_at_checked(N - 1)
            && let Some(behind) = behind.strip_prefix(b"\r").unwrap_or(behind).strip_prefix(b"\n")
            && let Some(text) = with_end(text).filter(is_wanted)
        {
            taken.push(text);
            rest = behind;
        }
        let used = buffered.len() - rest.len();
        self.input.consume(used);
        self.number += taken.len() - count;
    }

    /// Puts `line` back, to be the next one.
    pub fn push_back(&mut self, line: Line) {
        self.pending.push_front(Ok(line));
    }

    /// Returns the number of the last line that was read from the input, from 1.
    #[must_use]
    pub fn number(&self) -> usize {
        self.number
    }

    /// Reads all the rest as one text.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub fn rest(&mut self) -> Result<String, InputError> {
        let mut text = String::new();
        while let Some(line) = self.next_line()? {
            text.push_str(&line.text);
            text.push('\n');
        }
        Ok(text)
    }
}

/// The value of a head line `# key: value` (or `| key: value`), if `head` has one before its content.
///
/// ```
/// let head = "# source: me\n# solutions: 1\n1234\n# solutions: 9\n";
/// assert_eq!(farandole::input::directive(head, "solutions"), Some("1"));
/// ```
#[must_use]
pub fn directive<'t>(head: &'t str, key: &str) -> Option<&'t str> {
    head.lines()
        .take_while(|line| line.trim().is_empty() || line.trim_start().starts_with(['#', '|']))
        .filter_map(remark)
        .find(|(name, _)| name.eq_ignore_ascii_case(key))
        .map(|(_, value)| value)
}

/// Returns key and value of a line `# key: value` (or `| key: value`).
pub(crate) fn remark(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start();
    let (key, value) = line.trim_start_matches(['#', '|']).split_once(':')?;
    line.starts_with(['#', '|']).then_some((key.trim(), value.trim()))
}

/// Returns the beginning of `text`, as [`Lines::sample`] would.
pub(crate) fn sample(text: &str) -> &str {
    let text = text.trim_start_matches('\u{feff}');
    let mut end = text.len().min(SAMPLE_SIZE);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Tells whether `sample` is as long as samples are, so that more may follow.
pub(crate) fn is_cut(sample: &str) -> bool {
    // A byte-order mark was taken off, or the first bytes of a character.
    sample.len() + 8 > SAMPLE_SIZE
}

/// Returns `sample` without its last line if that may be cut.
pub(crate) fn whole_lines(sample: &str) -> &str {
    let end = if is_cut(sample) { sample.rfind('\n').map_or(0, |end| end + 1) } else { sample.len() };
    &sample[..end]
}

/// Iterates over the numbers (from 1) and texts of the lines of `text` that are neither blank nor a
/// comment (first character `#`), as [`Lines::next_content`] does.
pub(crate) fn content_lines(text: &str) -> impl Iterator<Item = (usize, &str)> + Clone {
    let lines = text.trim_start_matches('\u{feff}').lines().enumerate();
    lines.map(|(index, line)| (index + 1, line)).filter(|(_, line)| {
        let line = line.trim_start();
        !line.is_empty() && !line.starts_with('#')
    })
}

/// Iterates over the words of `line` between blanks, each with the byte at which it begins.
pub(crate) fn words(line: &str) -> impl Iterator<Item = (usize, &str)> + Clone {
    line.split_whitespace().map(|word| (word.as_ptr().addr() - line.as_ptr().addr(), word))
}

/// Makes the error that the text ended where `expected` should have come.
pub(crate) fn end_error(text: &str, expected: &str) -> InputError {
    let message = format!("expected {expected}, found the end of the text");
    InputError::at(text.lines().count() + 1, "", 0, message)
}
