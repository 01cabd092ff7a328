//! Removes the markup around puzzles that were copied from a page or a program: Markdown fences and
//! quotes, `[code]`, `<pre>`, or brackets around each cell. Also removes lines of code without
//! data, and numbers such as `#1` before each line, which would turn the line into a comment.

use super::{InputNotes, Line};

/// A kind of markup around the puzzles of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wrapping {
    /// Markdown blocks, which begin and end with a line of this fence.
    Fence(&'static str),
    /// Blocks between tags: the beginning of the opening tag, its last character, and the closing
    /// tag.
    Tags(&'static str, char, &'static str),
    /// A number such as `#1` before each line.
    Numbers,
    /// The characters `> ` before each line.
    Quotes,
    /// Brackets around each cell, as in `[a]`; lines without brackets are kept.
    Brackets,
}

const BLOCKS: [Wrapping; 4] = [
    Wrapping::Fence("```"),
    Wrapping::Fence("~~~"),
    Wrapping::Tags("[code", ']', "[/code]"),
    Wrapping::Tags("<pre", '>', "</pre>"),
];

/// Maximum length of the language name after a fence (bytes).
const LANGUAGE_MAX: usize = 20;

/// Minimum number of cells in a line after a number, which is the size of a grid of order 4.
const CELLS_MIN: usize = 16;

/// Removes the markup from the lines of a text, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Unwrapper {
    wrapping: Option<Wrapping>,
    is_inside: bool,
    /// Whether the puzzles are data in the text of a program, between lines of code.
    is_code: bool,
}

impl Unwrapper {
    /// Returns the remover for a text that begins with `sample`, if the text has such markup.
    pub(super) fn of_sample(sample: &str) -> Option<Self> {
        let sample = super::sample(sample);
        let is_block = |wrapping: &Wrapping| match *wrapping {
            Wrapping::Fence(fence) => sample.lines().any(|line| is_fence(line, fence)),
            Wrapping::Tags(open, ..) => find(sample, open).is_some(),
            Wrapping::Numbers | Wrapping::Quotes | Wrapping::Brackets => false,
        };
        let block = BLOCKS.into_iter().find(is_block);
        let first = sample.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let every =
            |is: fn(&str) -> bool| sample.lines().filter(|line| !line.trim().is_empty()).all(is);
        let wrapping = block.or_else(|| match first.trim_start().as_bytes() {
            [b'#', ..] => numbered(first).map(|_| Wrapping::Numbers),
            [b'>', ..] => every(|line| line.trim_start().starts_with('>')).then_some(Wrapping::Quotes),
            [b'[', _, b']', ..] => {
                let is_bracketed = every(|line| unbracketed(line).is_some() || !line.contains('['))
                    && sample.contains("][");
                is_bracketed.then_some(Wrapping::Brackets)
            }
            _ => None,
        });
        let is_code = sample.lines().any(is_assignment) && sample.lines().any(is_code);
        (wrapping.is_some() || is_code).then_some(Self { wrapping, is_inside: false, is_code })
    }

    /// Returns the content of a line. Reports text outside of blocks by a note, but keeps lines
    /// that begin with `#`, because they may state rules.
    pub(super) fn unwrap(&mut self, text: &str, number: usize, notes: &mut InputNotes) -> String {
        let inside = match self.wrapping {
            Some(wrapping) => self.take_off(wrapping, text, number, notes),
            None => text.to_owned(),
        };
        if !self.is_code || !is_code(&inside) {
            return inside;
        }
        notes.add(
            "not used: a line of code",
            &Line { text: text.to_owned(), number },
            0,
            inside.trim(),
        );
        String::new()
    }

    fn take_off(
        &mut self,
        wrapping: Wrapping,
        text: &str,
        number: usize,
        notes: &mut InputNotes,
    ) -> String {
        let mut outside = |part: &str| {
            if !part.trim().is_empty() {
                let line = Line { text: text.to_owned(), number };
                let start = part.trim_start().as_ptr().addr() - text.as_ptr().addr();
                notes.add("not used: text outside of the block", &line, start, part.trim());
            }
        };
        match wrapping {
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
                Some((number, cells)) => format!("{number}:{cells}"),
                None => text.to_owned(),
            },
            Wrapping::Quotes => {
                let mut rest = text.trim_start();
                while let Some(inside) = rest.strip_prefix('>') {
                    rest = inside.strip_prefix(' ').unwrap_or(inside);
                }
                rest.to_owned()
            }
            Wrapping::Brackets => unbracketed(text).unwrap_or_else(|| text.to_owned()),
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

/// Returns whether a line is a Markdown fence, possibly followed by the name of a language.
fn is_fence(line: &str, fence: &str) -> bool {
    let rest = line.trim().strip_prefix(fence).map(|rest| rest.trim_start_matches(['`', '~']));
    rest.is_some_and(|rest| rest.len() <= LANGUAGE_MAX && !rest.contains(['`', '~']))
}

fn find(text: &str, tag: &str) -> Option<usize> {
    text.as_bytes().windows(tag.len()).position(|bytes| bytes.eq_ignore_ascii_case(tag.as_bytes()))
}

/// Returns the cells of a line such as `[a][a]   [b]`. `[ ]` is an empty cell, and three blanks are
/// a cell outside the grid.
fn unbracketed(line: &str) -> Option<String> {
    let (mut cells, mut rest) = (String::new(), line.trim_end());
    while !rest.is_empty() {
        if let Some(behind) = rest.strip_prefix("   ") {
            (rest, _) = (behind, cells.push(' '));
            continue;
        }
        let mut parts = rest.strip_prefix('[')?.chars();
        let cell = parts.next()?;
        cells.push(if cell == ' ' { '.' } else { cell });
        rest = parts.as_str().strip_prefix(']')?;
    }
    Some(cells)
}

/// Returns whether a line assigns a list or another literal to a name, as in a program.
fn is_assignment(line: &str) -> bool {
    let value = line.split_once('=').map(|(_, value)| value.trim_start());
    value.is_some_and(|value| value.starts_with(['[', '{', '(']) || value.contains("array("))
}

/// Returns whether a line is code without data: a call, or the head of a loop or a function. The
/// line must have no brackets, and a call must not change the value of an object.
fn is_code(line: &str) -> bool {
    let line = line.trim();
    if line.contains(['[', ']', '{', '}']) {
        return false;
    }
    let heads = ["for ", "def ", "if __name__"];
    if heads.iter().any(|head| line.starts_with(head)) {
        return line.ends_with(':');
    }
    let Some((name, rest)) = line.trim_end_matches(';').split_once('(') else { return false };
    let is_name = name.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_');
    let is_print = matches!(name, "console.log" | "System.out.println" | "fmt.Println" | "println!");
    (is_print || is_name && name.starts_with(|c: char| c.is_ascii_alphabetic())) && rest.ends_with(')')
}

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
