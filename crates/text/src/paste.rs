//! Removal of the markup around puzzles copied from a page: Markdown fences, `[code]`, `<pre>`, and
//! numbers such as `#1` before each line, which would turn it into a comment.

use super::{InputNotes, Line};

/// The markup around the puzzles of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wrapping {
    /// A line that begins with this text opens or closes a block.
    Fence(&'static str),
    /// The beginning of the opening tag, its last character, and the closing tag.
    Tags(&'static str, char, &'static str),
    /// `#1` before each line.
    Numbers,
}

const BLOCKS: [Wrapping; 4] = [
    Wrapping::Fence("```"),
    Wrapping::Fence("~~~"),
    Wrapping::Tags("[code", ']', "[/code]"),
    Wrapping::Tags("<pre", '>', "</pre>"),
];

/// Maximum length of the language name after a fence (bytes).
const LANGUAGE_MAX: usize = 20;

/// Minimum number of cells of a line after a number: the cells of a grid of order 4.
const CELLS_MIN: usize = 16;

/// Removes the markup from the lines of a text, in sequence.
#[derive(Clone, Debug)]
pub(super) struct Unwrapper {
    wrapping: Wrapping,
    is_inside: bool,
}

impl Unwrapper {
    /// Returns the unwrapper for a text that begins with `sample`, if it has such markup.
    pub(super) fn of_sample(sample: &str) -> Option<Self> {
        let sample = super::sample(sample);
        let is_block = |wrapping: &Wrapping| match *wrapping {
            Wrapping::Fence(fence) => sample.lines().any(|line| is_fence(line, fence)),
            Wrapping::Tags(open, ..) => find(sample, open).is_some(),
            Wrapping::Numbers => false,
        };
        let block = BLOCKS.into_iter().find(is_block);
        let first = sample.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let wrapping = block.or_else(|| numbered(first).map(|_| Wrapping::Numbers))?;
        Some(Self { wrapping, is_inside: false })
    }

    /// Returns the content of a line; text outside all blocks is noted. Lines outside that begin
    /// with `#` are kept, because they may state rules.
    pub(super) fn unwrap(&mut self, text: &str, number: usize, notes: &mut InputNotes) -> String {
        let mut outside = |part: &str| {
            if !part.trim().is_empty() {
                let line = Line { text: text.to_owned(), number };
                let start = part.trim_start().as_ptr().addr() - text.as_ptr().addr();
                notes.add("not used: text outside of the block", &line, start, part.trim());
            }
        };
        match self.wrapping {
            Wrapping::Fence(fence) if is_fence(text, fence) => {
                self.is_inside = !self.is_inside;
                String::new()
            }
            Wrapping::Fence(_) | Wrapping::Tags(..)
                if !self.is_inside && text.trim_start().starts_with('#') =>
            {
                text.to_owned()
            }
            Wrapping::Fence(_) if self.is_inside => text.to_owned(),
            Wrapping::Fence(_) => {
                outside(text);
                String::new()
            }
            Wrapping::Tags(open, last, close) => {
                let (mut rest, mut inside) = (text, String::new());
                loop {
                    let tag = if self.is_inside { close } else { open };
                    let found = find(rest, tag);
                    let part = &rest[..found.unwrap_or(rest.len())];
                    if self.is_inside {
                        inside.push_str(part);
                    } else {
                        outside(part);
                    }
                    let Some(start) = found else { return inside };
                    let end = if self.is_inside {
                        Some(tag.len())
                    } else {
                        rest[start..].find(last).map(|end| end + 1)
                    };
                    rest = &rest[start + end.unwrap_or(rest.len() - start)..];
                    self.is_inside = !self.is_inside;
                }
            }
            Wrapping::Numbers => match numbered(text) {
                // Keeps the columns unchanged.
                Some((number, cells)) => format!("{number}:{cells}"),
                None => text.to_owned(),
            },
        }
    }

    pub(super) fn unwrap_all(&self, sample: &str) -> String {
        let mut own = self.clone();
        let mut text = String::with_capacity(sample.len());
        for line in sample.lines() {
            text.push_str(&own.unwrap(line, 1, &mut InputNotes::default()));
            text.push('\n');
        }
        if !sample.ends_with('\n') {
            text.pop();
        }
        text
    }
}

/// Returns whether a line is a Markdown fence, perhaps with the name of a language.
fn is_fence(line: &str, fence: &str) -> bool {
    let rest = line.trim().strip_prefix(fence).map(|rest| rest.trim_start_matches(['`', '~']));
    rest.is_some_and(|rest| rest.len() <= LANGUAGE_MAX && !rest.contains(['`', '~']))
}

/// Returns the byte offset of `tag` (lowercase ASCII) in a text, ignoring case.
fn find(text: &str, tag: &str) -> Option<usize> {
    text.as_bytes().windows(tag.len()).position(|bytes| bytes.eq_ignore_ascii_case(tag.as_bytes()))
}

/// Returns the number of a line `#1 53..7....`, and the text after it.
fn numbered(text: &str) -> Option<(&str, &str)> {
    let rest = text.trim_start().strip_prefix('#')?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = rest.split_at(digits);
    let is_cell = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '*' | '_' | '-');
    let cells = rest.trim_start_matches([':', '.', ')', ' ', '\t']);
    let word = cells.split_whitespace().next().unwrap_or_default();
    let is_line = (1..=7).contains(&digits)
        && cells.len() < rest.len()
        && word.len() >= CELLS_MIN
        && word.len().isqrt().pow(2) == word.len()
        && word.chars().all(is_cell);
    is_line.then(|| (number, rest.trim_start_matches([':', '.', ')'])))
}
