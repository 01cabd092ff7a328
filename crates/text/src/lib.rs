//! Input texts: numbered lines, a sample of the beginning for recognition, and errors that can show
//! the line they are in.

/// Appends formatted text to a string.
#[macro_export]
macro_rules! push {
    ($out:expr, $($argument:tt)*) => {{
        use std::fmt::Write as _;
        $out.write_fmt(format_args!($($argument)*)).expect("writing to a string does not fail");
    }};
}

/// Appends formatted text and a line end to a string.
#[macro_export]
macro_rules! pushln {
    ($out:expr, $($argument:tt)*) => {{
        $crate::push!($out, $($argument)*);
        $out.push('\n');
    }};
}

pub mod decode;
mod error;
pub mod escape;
mod note;
mod paste;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, Read};
use std::ops::RangeInclusive;
use std::str::FromStr;

pub use self::error::{InputError, TextLimit};
pub use self::note::{InputNote, InputNotes};
use self::paste::Unwrapper;

/// A numbered line without its line end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Text of the line, without its line end and without a byte-order mark.
    pub text: String,
    /// Number of the line, from 1.
    pub number: usize,
}

impl Line {
    /// Returns an error at byte `start` of this line.
    pub fn error(&self, start: usize, message: impl Into<String>) -> InputError {
        InputError::at(self.number, &self.text, start, message)
    }
}

const LINE_LIMIT: usize = 1 << 28;

/// Maximum length of a word at the beginning of a text (bytes). Links and compressed puzzles are
/// far shorter.
pub const WORD_LIMIT: usize = 1 << 20;

const ROW_OF_BLANKS: usize = 3;

/// Size of the sample that is used to recognize the format (bytes).
const SAMPLE_SIZE: usize = 1 << 16;
/// Range of the maximum size (bytes) of a sample that has only two lines. The first line of an
/// exact cover names all its items, so it may be long.
const LONG_SAMPLE_SIZE: RangeInclusive<usize> = 1 << 20..=1 << 24;

/// Memory to recognize the format of a sample, in bytes per byte of the sample; some formats take
/// up to 45.
const SAMPLE_COST: usize = 64;

/// Minimum size (bytes) of a buffer that grows by less than its double, which could exceed the
/// memory limit.
const LARGE_BUFFER: usize = 1 << 23;

/// Returns the length of the first line of `bytes`, and the length of its line end. If the last
/// byte is a CR, it ends a line only if no LF can follow (`is_over`).
fn end_of_line(bytes: &[u8], is_over: bool) -> Option<(usize, usize)> {
    let length = memchr::memchr2(b'\n', b'\r', bytes)?;
    match &bytes[length..] {
        [b'\r', b'\n', ..] => Some((length, 2)),
        // Some programs convert CRLF to CR CR LF.
        [b'\r', b'\r', b'\n', ..] => Some((length, 3)),
        [b'\r'] | [b'\r', b'\r'] if !is_over => None,
        _ => Some((length, 1)),
    }
}

/// Returns a line of `N - 1` bytes with a line feed appended.
fn with_end<const N: usize>(text: &[u8]) -> Option<[u8; N]> {
    let mut line = [b'\n'; N];
    let (cells, _) = line.split_last_chunk_mut::<1>()?;
    (text.len() == cells.len()).then(|| cells.copy_from_slice(text))?;
    Some(line)
}

const BUFFER_SIZE: usize = 1 << 17;

/// Maximum size of the first read (bytes). Most inputs are shorter, and allocating a large buffer
/// would cost more than reading them.
const FIRST_SIZE: usize = 1 << 12;

/// Returns whether more data, or the end of the input, can be read without waiting.
pub type IsReady = Box<dyn FnMut() -> bool + Send>;

/// A text that is read line by line, never as a whole. A line ends with LF, CRLF or CR.
///
/// Invalid UTF-8 becomes U+FFFD, which no format accepts, so the error has the position.
pub struct Lines {
    input: Box<dyn Read + Send>,
    /// Returns whether more input is available; `None` if the input never blocks.
    is_ready: Option<IsReady>,
    /// Whether no more input was available at the last check.
    is_dry: bool,
    is_over: bool,
    failure: Option<io::Error>,
    /// The input that was not consumed yet is `buffer[start..end]`. Its first `searched` bytes have
    /// no line end.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    searched: usize,
    /// Lines that were put back, or the error of a line.
    pending: VecDeque<Result<Line, InputError>>,
    number: usize,
    /// The notes on the text read so far.
    pub notes: InputNotes,
    unwrapper: Option<Unwrapper>,
    line_limit: usize,
    sample_max: usize,
    /// The function that checks each line for errors that do not depend on the reader, and the
    /// errors found so far.
    judge: Option<LineJudge>,
    faults: Vec<InputError>,
}

/// Returns the error in a line that no reader may ignore, if there is one.
pub type LineJudge = fn(&Line) -> Option<InputError>;

/// Maximum number of errors kept, because only the first error of a grid is reported.
const FAULTS_MAX: usize = 64;

impl fmt::Debug for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lines").field("number", &self.number).finish_non_exhaustive()
    }
}

impl Lines {
    /// Reads from `input`, which never blocks, such as a file or a text in memory.
    #[must_use]
    pub fn new(input: Box<dyn Read + Send>) -> Self {
        Self {
            input,
            is_ready: None,
            is_dry: false,
            is_over: false,
            failure: None,
            buffer: Vec::new(),
            start: 0,
            end: 0,
            searched: 0,
            pending: VecDeque::new(),
            number: 0,
            notes: InputNotes::default(),
            unwrapper: None,
            line_limit: LINE_LIMIT,
            sample_max: *LONG_SAMPLE_SIZE.end(),
            judge: None,
            faults: Vec::new(),
        }
    }

    /// Makes `judge` check each line that is read.
    pub fn judged_by(&mut self, judge: LineJudge) {
        self.judge = Some(judge);
    }

    /// Returns the first error in the consumed lines, and drops all other errors in these lines.
    pub fn take_fault(&mut self) -> Option<InputError> {
        let next = self.next_number();
        let (taken, left) =
            std::mem::take(&mut self.faults).into_iter().partition(|fault| fault.line < next);
        self.faults = left;
        let taken: Vec<InputError> = taken;
        taken.into_iter().next()
    }

    /// Returns whether the judge found an error in line `number`.
    #[must_use]
    pub fn has_fault(&self, number: usize) -> bool {
        self.faults.iter().any(|fault| fault.line == number)
    }

    /// Returns whether the next line that is not blank is a comment. Returns `false` if many blank
    /// lines precede it.
    pub fn is_at_comment(&mut self) -> bool {
        let mut waiting = self.pending.iter().filter_map(|line| line.as_ref().ok());
        if let Some(line) = waiting.find(|line| !line.text.trim().is_empty()) {
            return line.text.trim_start().starts_with('#');
        }
        loop {
            match self.unread().trim_ascii_start().first() {
                Some(&first) => return first == b'#',
                None if self.is_over || self.unread().len() > BUFFER_SIZE => return false,
                None => self.fill(),
            }
        }
    }

    /// Returns the whole lines that have arrived, without consuming them. Their numbers are 0.
    #[must_use]
    pub fn arrived(&self) -> Vec<Line> {
        let unread = String::from_utf8_lossy(self.unread());
        let is_whole = |line: &&str| line.ends_with(['\n', '\r']);
        let read = self.pending.iter().flatten().map(|line| line.text.clone());
        let arrived = unread.split_inclusive(['\n', '\r']).filter(is_whole);
        let arrived = arrived.map(|line| line.trim_end_matches(['\n', '\r']).to_owned());
        read.chain(arrived).map(|text| Line { text, number: 0 }).collect()
    }

    /// Returns the remaining lines if there are at most `most` and all are blank or comments. Does
    /// not consume them.
    pub fn last_comments(&mut self, most: usize) -> Option<Vec<Line>> {
        let mut lines = Vec::new();
        let is_all = loop {
            match self.next_line() {
                Ok(None) => break true,
                Ok(Some(line)) => {
                    let text = line.text.trim_start();
                    let is_content = !text.is_empty() && !text.starts_with('#');
                    lines.push(line);
                    if is_content || lines.len() > most {
                        break false;
                    }
                }
                Err(error) => {
                    self.pending.push_front(Err(error));
                    break false;
                }
            }
        };
        lines.iter().rev().for_each(|line| self.push_back(line.clone()));
        is_all.then_some(lines)
    }

    /// Reads from `input`, which may be a pipe or a terminal where more data arrives later.
    /// `is_ready` returns whether more is available.
    #[must_use]
    pub fn live(input: Box<dyn Read + Send>, is_ready: IsReady) -> Self {
        Self { is_ready: Some(is_ready), ..Self::new(input) }
    }

    /// Reads from a text in memory.
    #[must_use]
    pub fn of_text(text: &str) -> Self {
        Self::new(Box::new(io::Cursor::new(text.to_owned())))
    }

    /// Returns the beginning of the text without consuming it. The sample has 64 KiB or, if this is
    /// longer, two lines of at most 16 MiB.
    ///
    /// Waits until all of it is available, unless the text is shorter. Returns less only if no more
    /// is available yet and `is_enough` holds for the available text.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub fn sample(&mut self, is_enough: impl Fn(&str) -> bool) -> io::Result<String> {
        let text = |lines: &Self| {
            let head = &lines.unread()[..lines.unread().len().min(lines.sample_size())];
            let text = String::from_utf8_lossy(head);
            let text = text.trim_start_matches('\u{feff}');
            if !text.contains('\r') {
                return text.to_owned();
            }
            text.replace("\r\r\n", "\n").replace("\r\n", "\n").replace('\r', "\n")
        };
        while !self.is_over && self.unread().len() < self.sample_size() {
            if !self.unread().is_empty() && !self.has_more() {
                let mut head = text(self);
                if is_enough(&head) {
                    head.truncate(head.rfind('\n').map_or(head.len(), |end| end + 1));
                    return Ok(head);
                }
            }
            self.fill();
        }
        match self.failure.take_if(|_| self.start == self.end) {
            Some(error) => Err(error),
            None => Ok(text(self)),
        }
    }

    /// Removes the markup from the text, whose beginning is `sample`, if it was copied from a web
    /// page. Only the content of Markdown fences, `[code]` or `<pre>` is read; a note reports any
    /// other text. Returns the sample without markup.
    pub fn unwrap_paste(&mut self, sample: String) -> String {
        self.unwrapper = Unwrapper::of_sample(&sample);
        match &self.unwrapper {
            Some(unwrapper) => unwrapper.unwrap_all(&sample),
            None => sample,
        }
    }

    /// Limits the size of the sample so that recognizing its format takes at most `memory` bytes,
    /// but not below 1 MiB.
    pub fn limit_sample(&mut self, memory: usize) {
        self.sample_max =
            (memory / SAMPLE_COST).clamp(*LONG_SAMPLE_SIZE.start(), *LONG_SAMPLE_SIZE.end());
    }

    /// Refuses lines of more than `limit` bytes in the rest of the input.
    pub fn limit_lines(&mut self, limit: usize) {
        self.line_limit = limit;
    }

    fn sample_size(&self) -> usize {
        let unread = self.unread();
        if unread.len() < SAMPLE_SIZE {
            return SAMPLE_SIZE;
        }
        if self.has_long_word() {
            return unread.len();
        }
        // Two line ends have at most six bytes, so the sixth such byte is at or after the end of
        // the second line.
        let second_end = memchr::memchr2_iter(b'\n', b'\r', unread).nth(5);
        second_end.map_or(self.sample_max, |end| (end + 1).clamp(SAMPLE_SIZE, self.sample_max))
    }

    /// Returns whether the unconsumed input begins with a word of more than [`WORD_LIMIT`] bytes
    /// that is neither a list nor a document.
    pub fn has_long_word(&self) -> bool {
        let is_end = |byte: &u8| byte.is_ascii_whitespace();
        let word = self.unread().get(..=WORD_LIMIT);
        word.is_some_and(|word| !b"[{(<\"".contains(&word[0]) && !word.iter().any(is_end))
    }

    fn unread(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Returns whether a read would not block.
    fn has_more(&mut self) -> bool {
        if self.is_dry || self.is_over {
            return self.is_over;
        }
        self.is_dry = self.is_ready.as_mut().is_some_and(|is_ready| !is_ready());
        !self.is_dry
    }

    /// Reads once; waits if no data is available. Does not read again after an error.
    fn fill(&mut self) {
        let was_full = self.end == self.buffer.len();
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        } else if self.start > 0 && 2 * self.end > self.buffer.len() {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
        let length = self.buffer.len();
        if length == 0 {
            self.buffer.resize(FIRST_SIZE, 0);
        } else if length >= LARGE_BUFFER {
            if length - self.end < length / 8 {
                self.buffer.reserve_exact(length / 4);
                self.buffer.resize(length + length / 4, 0);
            }
        } else if 2 * self.end >= length || (was_full && length < BUFFER_SIZE) {
            self.buffer.resize((2 * length).max(BUFFER_SIZE), 0);
        }
        let read = loop {
            match self.input.read(&mut self.buffer[self.end..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        (self.is_dry, self.is_over) = (false, !matches!(read, Ok(1..)));
        match read {
            Ok(count) => self.end += count,
            Err(error) => self.fail(error),
        }
    }

    /// Keeps an error until the line where it occurred is read.
    fn fail(&mut self, error: io::Error) {
        let whole = memchr::memrchr2(b'\n', b'\r', self.unread()).map_or(0, |last| last + 1);
        self.end = self.start + whole;
        (self.searched, self.is_over, self.failure) = (0, true, Some(error));
    }

    fn whole_line(&mut self) -> Option<(usize, usize)> {
        let unread = &self.buffer[self.start..self.end];
        match end_of_line(&unread[self.searched..], self.is_over) {
            Some((length, ending)) => Some((self.searched + length, ending)),
            None if self.is_over => (!unread.is_empty()).then_some((unread.len(), 0)),
            None => {
                self.searched = unread.len().saturating_sub(2);
                None
            }
        }
    }

    /// Returns whether the next line that is neither blank nor a comment, or the end of the text,
    /// can be read without waiting. Reads available input to decide this.
    pub fn is_ready(&mut self) -> bool {
        if self.is_ready.is_none() || !self.pending.is_empty() {
            return true;
        }
        // Whoever writes this much text without content does not wait for an answer.
        while !self.is_over && !self.has_content() && self.unread().len() < BUFFER_SIZE {
            if !self.has_more() {
                return false;
            }
            self.fill();
        }
        true
    }

    /// Waits until [`Lines::is_ready`] holds.
    pub fn wait(&mut self) {
        while !self.is_ready() {
            self.fill();
        }
    }

    /// Returns whether all input was read, and only blank lines and comments remain.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        self.is_over && self.failure.is_none() && self.pending.is_empty() && !self.has_content()
    }

    /// Returns whether `count` bytes, or all bytes up to the end, can be read without waiting.
    /// Reads available input to decide this.
    pub fn has_bytes(&mut self, count: usize) -> bool {
        while self.is_ready.is_some() && !self.is_over && self.unread().len() < count {
            if !self.has_more() {
                return false;
            }
            self.fill();
        }
        true
    }

    fn has_content(&self) -> bool {
        let mut unread = self.unread();
        loop {
            let (length, ending) = match end_of_line(unread, self.is_over) {
                Some(line) => line,
                None if self.is_over => (unread.len(), 0),
                None => return false,
            };
            let text = unread[..length].trim_ascii_start();
            if !text.is_empty() && text[0] != b'#' {
                return true;
            }
            unread = &unread[length + ending..];
            if unread.is_empty() {
                return false;
            }
        }
    }

    /// Returns the next line, or `None` at the end.
    ///
    /// # Errors
    /// If the input cannot be read; the error has the line number.
    pub fn next_line(&mut self) -> Result<Option<Line>, InputError> {
        if let Some(line) = self.pending.pop_front() {
            return line.map(Some);
        }
        let number = self.number + 1;
        let (length, ending) = loop {
            match self.whole_line() {
                Some((length, _)) if length > self.line_limit => return Err(self.refuse_line(number)),
                Some(line) => break line,
                None => {}
            }
            if let Some(error) = self.failure.take() {
                let limit = InputError::of_io(&error);
                return Err(match limit.limit {
                    Some(_) => limit,
                    // If the input is converted from another text, the error already has its
                    // position there.
                    None if limit.line > 0 => limit,
                    None => InputError::at(number, "", 0, limit.message),
                });
            }
            if self.is_over {
                return Ok(None);
            }
            if self.unread().len() > self.line_limit {
                return Err(self.refuse_line(number));
            }
            self.fill();
        };
        let text = String::from_utf8_lossy(&self.buffer[self.start..self.start + length]);
        let text = if number == 1 { text.trim_start_matches('\u{feff}') } else { &text };
        let text = match &mut self.unwrapper {
            Some(unwrapper) => unwrapper.unwrap(text, number, &mut self.notes),
            None => text.to_owned(),
        };
        self.take(length + ending);
        self.number = number;
        let line = Line { text, number };
        if let Some(judge) = self.judge
            && self.faults.len() < FAULTS_MAX
        {
            self.faults.extend(judge(&line));
        }
        Ok(Some(line))
    }

    /// Returns the error for a line that is too long, and treats the line as the end of the input.
    fn refuse_line(&mut self, number: usize) -> InputError {
        (self.start, self.end, self.searched, self.is_over) = (0, 0, 0, true);
        self.buffer = Vec::new();
        let message = format!("cannot read: the line exceeds the limit of {} bytes", self.line_limit);
        InputError::at(number, "", 0, message)
    }

    fn take(&mut self, count: usize) {
        self.start += count;
        self.searched = 0;
    }

    /// Returns the next line that is neither blank nor a comment (a line whose first character is
    /// `#`).
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

    /// Skips blank lines and comments, and passes each comment to `read`. A line of several blanks
    /// or tabs is not skipped, because it may be a row of a grid.
    ///
    /// # Errors
    /// If the input cannot be read, or `read` returns an error.
    pub fn skip(
        &mut self,
        mut read: impl FnMut(&Line) -> Result<(), InputError>,
    ) -> Result<(), InputError> {
        while let Some(line) = self.next_line()? {
            let text = line.text.trim_start();
            if text.starts_with('#') {
                read(&line)?;
            } else if !text.is_empty() || line.text.len() >= ROW_OF_BLANKS {
                self.push_back(line);
                break;
            }
        }
        Ok(())
    }

    /// Takes the next lines, at most `range.end()` of them, as long as each has `N - 1` bytes and
    /// `is_wanted` holds for it. Returns them with line feeds. Takes no line if there are fewer
    /// than `range.start()`.
    ///
    /// If the input may block, this may return fewer lines, because it takes only the lines that
    /// are available. Otherwise the result does not depend on the timing of the input.
    pub fn take_same<const N: usize>(
        &mut self,
        range: RangeInclusive<usize>,
        is_wanted: impl Fn(&[u8; N]) -> bool,
    ) -> Vec<[u8; N]> {
        let mut taken = Vec::new();
        if !self.pending.is_empty() || self.unwrapper.is_some() {
            return taken;
        }
        let begin = self.number + 1;
        while taken.len() < *range.end() {
            let count = taken.len();
            self.take_buffered(*range.end(), &is_wanted, &mut taken);
            if taken.len() > count {
                continue;
            }
            if self.is_ready.is_some() && self.whole_line().is_none() && !self.is_over {
                if !self.has_more() {
                    return taken;
                }
                self.fill();
                continue;
            }
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

    /// Does the same as [`Lines::take_same`] for the complete lines in the buffer.
    fn take_buffered<const N: usize>(
        &mut self,
        count_max: usize,
        is_wanted: &impl Fn(&[u8; N]) -> bool,
        taken: &mut Vec<[u8; N]>,
    ) {
        let (unread, count) = (self.unread(), taken.len());
        let mut rest = unread;
        while taken.len() < count_max
            && let Some((text, behind)) = rest.split_at_checked(N - 1)
            && let Some(behind) = behind.strip_prefix(b"\r").unwrap_or(behind).strip_prefix(b"\n")
            && let Some(text) = with_end(text).filter(is_wanted)
        {
            taken.push(text);
            rest = behind;
        }
        let used = unread.len() - rest.len();
        if used > 0 {
            self.take(used);
            self.number += taken.len() - count;
        }
    }

    /// Puts `line` back as the next line.
    pub fn push_back(&mut self, line: Line) {
        self.pending.push_front(Ok(line));
    }

    /// Returns the next line without consuming it; `None` at the end, or if reading fails.
    pub fn peek(&mut self) -> Option<&Line> {
        let next = self.next_line().transpose()?;
        self.pending.push_front(next);
        self.pending.front()?.as_ref().ok()
    }

    /// Returns the number of the last line read from the input, from 1.
    #[must_use]
    pub fn number(&self) -> usize {
        self.number
    }

    /// Returns the number of the next line, from 1.
    pub fn next_number(&self) -> usize {
        match self.pending.front() {
            Some(Ok(line)) => line.number,
            _ => self.number + 1,
        }
    }

    /// Reads the rest of the input as one text.
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

/// Returns the value of the line `# key: value` (or `| key: value`) in the head of a text, if there
/// is one. The head ends at the first line that is not a comment.
///
/// ```
/// let head = "# source: me\n# solutions: 1\n1234\n# solutions: 9\n";
/// assert_eq!(text::directive(head, "solutions"), Some("1"));
/// ```
#[must_use]
pub fn directive<'t>(head: &'t str, key: &str) -> Option<&'t str> {
    head.lines()
        .take_while(|line| line.trim().is_empty() || line.trim_start().starts_with(['#', '|']))
        .filter_map(remark)
        .find(|(name, _)| name.eq_ignore_ascii_case(key))
        .map(|(_, value)| value)
}

/// Returns the key and the value of a line `# key: value` (or `| key: value`). The colon may be a
/// full-width colon.
pub fn remark(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start();
    let (key, value) = line.trim_start_matches(['#', '|']).split_once([':', '\u{ff1a}'])?;
    line.starts_with(['#', '|']).then_some((key.trim(), value.trim()))
}

/// Returns the beginning of `text`, like [`Lines::sample`].
pub fn sample(text: &str) -> &str {
    let text = text.trim_start_matches('\u{feff}');
    let mut end = text.len().min(SAMPLE_SIZE);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Returns whether `sample` has the maximum size of a sample, so that it may be cut.
pub fn is_cut(sample: &str) -> bool {
    // The sample may be shorter by a byte-order mark or by the first bytes of a character.
    sample.len() + 8 > SAMPLE_SIZE
}

/// Returns `sample` without its last line if this line may be cut.
pub fn whole_lines(sample: &str) -> &str {
    let end = if is_cut(sample) { sample.rfind('\n').map_or(0, |end| end + 1) } else { sample.len() };
    &sample[..end]
}

/// Iterates over the lines of `text` that are neither blank nor a comment (a line whose first
/// character is `#`), like [`Lines::next_content`]. Each line comes with its number, from 1.
pub fn content_lines(text: &str) -> impl Iterator<Item = (usize, &str)> + Clone {
    let lines = text.trim_start_matches('\u{feff}').lines().enumerate();
    lines.map(|(index, line)| (index + 1, line)).filter(|(_, line)| is_content(line))
}

/// Returns whether a line is neither blank nor a comment.
pub fn is_content(line: &str) -> bool {
    let line = line.trim_start();
    !line.is_empty() && !line.starts_with('#')
}

/// Parses a number without a sign and without leading zeros.
///
/// ```
/// assert_eq!(text::plain_number("12"), Some(12_usize));
/// assert_eq!(text::plain_number::<usize>("012").or(text::plain_number("+12")), None);
/// ```
pub fn plain_number<N: FromStr>(text: &str) -> Option<N> {
    let is_plain = text == "0" || text.starts_with(|c: char| c.is_ascii_digit() && c != '0');
    text.parse().ok().filter(|_| is_plain)
}

/// Parses the name of a cell: `r1c2` or `R1C2` is row 1 and column 2.
///
/// ```
/// assert_eq!(text::cell_name("r1c12"), Some((1, 12)));
/// assert_eq!(text::cell_name("r01c12"), None);
/// ```
#[must_use]
pub fn cell_name(name: &str) -> Option<(usize, usize)> {
    let (row, column) = name.strip_prefix(['r', 'R'])?.split_once(['c', 'C'])?;
    plain_number(row).zip(plain_number(column))
}

/// Iterates over the words of `line` (separated by blanks), each with its byte offset.
pub fn words(line: &str) -> impl Iterator<Item = (usize, &str)> + Clone {
    line.split_whitespace().map(|word| (word.as_ptr().addr() - line.as_ptr().addr(), word))
}

/// Returns the error for a text that ends where `expected` should follow.
pub fn end_error(text: &str, expected: &str) -> InputError {
    let message = format!("expected {expected}, found the end of the text");
    InputError::at(text.lines().count() + 1, "", 0, message)
}

/// Tests the example of the crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
