//! Texts that are a puzzle each, or several puzzles one after the other.

use std::collections::VecDeque;
use std::sync::Arc;

use super::StreamHints;
use crate::kinds::read_text;
use puzzle::{Divider, Kind, Made, TextSource};
use text::{InputError, directive, remark};
use variant::head::HeadLine;

/// A text with several puzzles, where each is after a line that names the kind.
pub(super) struct TextParts {
    kind: &'static Kind,
    source: TextSource,
    pub(super) hints: StreamHints,
    pub(super) left: VecDeque<TextPart>,
    /// Number of the first line of the last puzzle, from 1.
    pub(super) begin: usize,
}

/// The text of a puzzle that is not read yet.
pub(super) struct TextPart {
    before: usize,
    /// Line of `text` where the puzzle begins, from 0.
    line: usize,
    text: Arc<str>,
    /// Index of the puzzle within `text`, from 0; `None` if `text` is one puzzle.
    index: Option<usize>,
}

impl TextPart {
    /// Returns a part for each puzzle of `text`, which may hold several.
    fn all(before: usize, text: String, source: &TextSource) -> impl Iterator<Item = Self> + use<> {
        let lines = source.several.map_or(Vec::new(), |several| (several.lines)(&text));
        let places = match lines.len() {
            0 => vec![(0, None)],
            _ => lines.into_iter().enumerate().map(|(index, line)| (line, Some(index))).collect(),
        };
        let text: Arc<str> = text.into();
        places.into_iter().map(move |(line, index)| Self { before, line, text: text.clone(), index })
    }
}

impl TextParts {
    /// Divides a text into puzzles, which are read later.
    pub(super) fn new(
        kind: &'static Kind,
        source: TextSource,
        text: String,
        hints: &StreamHints,
    ) -> Self {
        let texts = match source.divider {
            Some(divider) => parts_of(text, divider),
            None => [(0, text)].into(),
        };
        let left = texts.into_iter().flat_map(|(before, text)| TextPart::all(before, text, &source));
        Self { kind, source, hints: hints.clone(), left: left.collect(), begin: 1 }
    }

    pub(super) fn next(&mut self) -> Option<Made> {
        let TextPart { before, line, text, index } = self.left.pop_front()?;
        self.begin = before + line + 1;
        let several = self.source.several.zip(index);
        let read = match directive(&text, "puzzle").filter(|name| *name != self.kind.name) {
            // Drop the rest of the text, which is probably of this other kind as well.
            Some(name) => {
                self.left.clear();
                let line = text.lines().next().unwrap_or_default();
                let message = format!("expected {} as before, found `{name}`", self.kind.name);
                let start = line.find(name).unwrap_or_default();
                Err(InputError::at(1, line, start, message))
            }
            None => {
                let limits = self.hints.limits_from_now();
                match several {
                    Some((several, index)) => (several.read)(&text, index, &limits),
                    None => read_text(self.kind, &self.source, &text, &limits),
                }
            }
        };
        Some(read.map_err(|mut error| {
            error.line += if error.line > 0 { before } else { 0 };
            error
        }))
    }
}

/// Divides a text before each line `# puzzle: NAME` that comes after a statement or a puzzle, and
/// at lines chosen by `divider`. Returns the parts, each with the number of lines before it.
fn parts_of(text: String, divider: fn() -> Divider) -> VecDeque<(usize, String)> {
    let is_name = |line: &str| {
        let key = || remark(line).map(|(key, _)| key);
        line.starts_with('#') && key().is_some_and(|key| key.eq_ignore_ascii_case("puzzle"))
    };
    let (mut parts, mut begins) = (VecDeque::new(), vec![(0, 0)]);
    let (mut at, mut has_some) = (0, false);
    let mut begins_at = divider();
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let text = line.trim_start_matches('\u{feff}').trim();
        if !is_name(line) {
            let is_comment = text.starts_with('#') && HeadLine::of(text) == HeadLine::Comment;
            has_some |= !text.is_empty() && !is_comment;
            if begins_at(line) {
                begins.push((number, at));
            }
        } else if std::mem::take(&mut has_some) {
            begins_at = divider();
            begins.push((number, at));
        }
        at += line.len();
    }
    if begins.len() == 1 {
        return VecDeque::from([(0, text)]);
    }
    let ends = begins.iter().skip(1).map(|&(_, at)| at).chain([text.len()]);
    for (&(number, start), end) in begins.iter().zip(ends) {
        parts.push_back((number, text[start..end].to_owned()));
    }
    parts
}
