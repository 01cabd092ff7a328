//! Single changes of a text. A line, word or character is removed, duplicated, moved or replaced.
//!
//! The changes are numbered, so that bytes can select one of them, and a loop can try all.

use std::ops::Range;

/// A kind of part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// A line including its line break.
    Line,
    /// A word, separated by blanks.
    Word,
    /// Adjacent letters and digits of a word.
    Token,
    /// The text between two separators of a line: commas, semicolons, slashes, colons or
    /// ampersands.
    Member,
    /// A single character.
    Char,
}

/// A change of a part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// Remove the part.
    Drop,
    /// Duplicate the part.
    Double,
    /// Duplicate the part, and change a digit in the first copy.
    DoubleOther,
    /// Exchange the part with the next part.
    Swap,
    /// Move the part to the beginning of the text.
    ToStart,
    /// Move the part to the end of the text.
    ToEnd,
    /// Replace the part with this text.
    Replace(&'static str),
    /// Insert this text before the part.
    Insert(&'static str),
}

/// Lines that have no meaning at their position, or a meaning that differs from the text there.
const LINES: &[&str] = &[
    "zzz\n",
    "not a sudoku\n",
    "# kiler: r1c1 r1c2 = 4\n",
    "# rule: diagonals\n",
    "# killer r1c1 r1c2 = 4\n",
    "killer: r1c1 r1c2 = 4\n",
    "# killer: r1c1 r1c2 = 4\n",
    "# rules: diagonals\n",
    "# rules: anti-king\n",
    "# boxes: 4x1\n",
    "# regions: 1112 1322 3324 3444\n",
    "# digits: 0-3\n",
    "# order: 6\n",
    "# puzzle: latin\n",
    "-7\n",
];

/// Words without a meaning, and cells and numbers that are out of range.
const WORDS: &[&str] = &["zzz", "r99c99", "-7", "99", "0"];

/// Characters that replace other characters.
const CHARS: &[&str] = &["x", "0", "3", "9", " ", "-", "!"];

fn changes(unit: Unit) -> impl Iterator<Item = Change> {
    let moves: &[Change] = match unit {
        Unit::Line => &[
            Change::Drop,
            Change::Double,
            Change::DoubleOther,
            Change::Swap,
            Change::ToStart,
            Change::ToEnd,
        ],
        Unit::Char => &[Change::Drop, Change::Double, Change::Swap],
        _ => &[Change::Drop, Change::Double, Change::DoubleOther, Change::Swap],
    };
    let (replacements, insertions): (&[&str], &[&str]) = match unit {
        Unit::Line => (&[], LINES),
        Unit::Member => (&[], &[]),
        Unit::Word => (WORDS, &["zzz ", "7 "]),
        Unit::Token => (WORDS, &[]),
        Unit::Char => (CHARS, &[]),
    };
    let replacements = replacements.iter().map(|text| Change::Replace(text));
    moves.iter().copied().chain(replacements).chain(insertions.iter().map(|text| Change::Insert(text)))
}

/// Characters that separate the parts of kind [`Unit::Member`].
const SEPARATORS: [char; 5] = [',', ';', '/', ':', '&'];

/// Returns the positions of all parts of kind `unit`.
#[must_use]
pub fn parts(text: &str, unit: Unit) -> Vec<Range<usize>> {
    let range = |part: &str| {
        let start = part.as_ptr().addr() - text.as_ptr().addr();
        start..start + part.len()
    };
    match unit {
        Unit::Line => text.split_inclusive('\n').map(range).collect(),
        Unit::Word => text.split_whitespace().map(range).collect(),
        Unit::Token => {
            let words = text.split_whitespace();
            let tokens = words.flat_map(|word| {
                word.split(|c: char| !c.is_alphanumeric())
                    .filter(move |token| !token.is_empty() && token.len() < word.len())
            });
            tokens.map(range).collect()
        }
        Unit::Member => {
            let lines = text.lines().filter(|line| line.contains(SEPARATORS));
            lines
                .flat_map(|line| line.split(SEPARATORS))
                .filter(|part| !part.is_empty())
                .map(range)
                .collect()
        }
        Unit::Char => text.char_indices().map(|(start, c)| start..start + c.len_utf8()).collect(),
    }
}

/// A change of one part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Kind of the part.
    pub unit: Unit,
    /// Position of the part.
    pub part: Range<usize>,
    /// Position of the next part, for [`Change::Swap`].
    next: Option<Range<usize>>,
    /// The change of the part.
    pub change: Change,
}

const UNITS: [Unit; 5] = [Unit::Line, Unit::Word, Unit::Token, Unit::Member, Unit::Char];

impl Edit {
    /// Iterates over all changes of a text.
    pub fn all(text: &str) -> impl Iterator<Item = Self> {
        UNITS.into_iter().flat_map(|unit| {
            let parts = parts(text, unit);
            (0..parts.len())
                .flat_map(move |index| {
                    let (part, next) = (parts[index].clone(), parts.get(index + 1).cloned());
                    changes(unit).map(move |change| Self {
                        unit,
                        part: part.clone(),
                        next: next.clone(),
                        change,
                    })
                })
                .collect::<Vec<_>>()
        })
    }

    /// Returns the change with number `number` (modulo the number of changes) of parts of the kind
    /// numbered `unit`; `None` if there is no such part. Choosing the kind first makes changes of
    /// lines as frequent as changes of characters.
    #[must_use]
    pub fn nth(text: &str, unit: usize, number: usize) -> Option<Self> {
        let unit = UNITS[unit % UNITS.len()];
        let parts = parts(text, unit);
        let changes: Vec<Change> = changes(unit).collect();
        let number = number % (parts.len() * changes.len()).max(1);
        let index = number / changes.len();
        let (part, next) = (parts.get(index)?.clone(), parts.get(index + 1).cloned());
        Some(Self { unit, part, next, change: changes[number % changes.len()] })
    }

    /// Returns the changed text, and the position of the change in it; `None` if the text stays the
    /// same.
    #[must_use]
    pub fn apply(&self, text: &str) -> Option<(String, Range<usize>)> {
        let (before, behind) = (&text[..self.part.start], &text[self.part.end..]);
        let part = &text[self.part.clone()];
        let at = |start: usize, length: usize| start..start + length;
        let start = before.len();
        let (changed, place) = match self.change {
            Change::Drop if self.unit == Unit::Member => {
                let shorter = before.strip_suffix(SEPARATORS).unwrap_or(before);
                ([shorter, behind].concat(), at(shorter.len(), 0))
            }
            Change::Drop => ([before, behind].concat(), at(start, 0)),
            Change::Double | Change::DoubleOther => {
                let first = if self.change == Change::Double { part.to_owned() } else { other(part)? };
                let between = match self.unit {
                    Unit::Word => " ",
                    Unit::Member => {
                        let separator = |c: char| SEPARATORS.contains(&c).then_some(c.len_utf8());
                        let next =
                            behind.chars().next().and_then(separator).map(|length| &behind[..length]);
                        let last = before.chars().next_back().and_then(separator);
                        next.or(last.map(|length| &before[start - length..])).unwrap_or(",")
                    }
                    _ => "",
                };
                let length = first.len() + between.len() + part.len();
                ([before, &first, between, part, behind].concat(), at(start, length))
            }
            Change::Swap => {
                let next = self.next.clone()?;
                let between = &text[self.part.end..next.start];
                let length = next.end - self.part.start;
                let swapped = [before, &text[next.clone()], between, part, &text[next.end..]];
                (swapped.concat(), at(start, length))
            }
            Change::ToStart => ([part, before, behind].concat(), at(0, part.len())),
            Change::ToEnd => {
                let whole = [before, behind, part].concat();
                let length = whole.len();
                (whole, at(length - part.len(), part.len()))
            }
            Change::Replace(other) => ([before, other, behind].concat(), at(start, other.len())),
            Change::Insert(other) => ([before, other, part, behind].concat(), at(start, other.len())),
        };
        (changed != text).then_some((changed, place))
    }
}

/// Returns a part with its last digit changed; `None` if it has no digit.
pub(crate) fn other(part: &str) -> Option<String> {
    let at = part.rfind(|c: char| c.is_ascii_digit())?;
    let digit = if &part[at..=at] == "9" { '1' } else { char::from(part.as_bytes()[at] + 1) };
    Some(format!("{}{digit}{}", &part[..at], &part[at + 1..]))
}
