//! Knuth's text format for exact-cover problems, as read by his programs DLX1, DLX2, DLX3 and DLX5.
//!
//! ```text
//! | A line that begins with a bar is a comment; blank lines do not count.
//! a b 2:3|c 2|d | x y
//! a b x:red y
//! a c d x:blue |7
//! ```
//!
//! The first line lists the items: the primary ones, then after a bar the secondary ones. Bounds
//! precede the name of a primary item, as `low:high|`, `:high|` (`low` is 0) or `k|` (exactly `k`).
//! Every further line lists the items of an option. A secondary item may have a color after a
//! colon. The word `|7` gives the option a cost of 7; several costs are added. Names and colors may
//! have any length and characters except blanks, colons and bars.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use super::{Bounds, BuildError, Entry, ItemId, Problem, ProblemBuilder};
use crate::limits::{Limit, Limits, Pace};

const MARK: char = '\u{feff}';

/// An error in a text, with its position.
///
/// ```
/// let error = "a b\na c\n".parse::<dlx::Problem>().unwrap_err();
/// assert_eq!(error.to_string(), "2:3: expected an item, found `c`");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// A message that names the expected and the found text.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

impl FromStr for Problem {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        parse(text)
    }
}

#[derive(Clone, Copy)]
struct Word<'t> {
    text: &'t str,
    start: usize,
}

struct TextLine<'t> {
    text: &'t str,
    number: usize,
}

impl<'t> TextLine<'t> {
    fn words(&self) -> impl Iterator<Item = Word<'t>> + use<'t> {
        let line = self.text;
        line.split_whitespace().map(move |text| {
            let start = text.as_ptr().addr() - line.as_ptr().addr();
            Word { text, start }
        })
    }

    fn error(&self, start: usize, message: impl Into<String>) -> ParseError {
        let column = self.text[..start].chars().count() + 1;
        ParseError { line: self.number, column, message: message.into() }
    }
}

/// Reads a problem.
///
/// Also accepts a byte-order mark, CRLF line ends, and a bar without secondary items.
///
/// ```
/// let problem = dlx::text::parse("a b | x\na x:1\nb x:1\nb x:2 |3\n")?;
/// assert_eq!((problem.option_count(), dlx::count(&problem)), (3, 1u32.into()));
/// # Ok::<(), dlx::ParseError>(())
/// ```
///
/// # Errors
/// The first invalid line, with the position and the expected text.
pub fn parse(text: &str) -> Result<Problem, ParseError> {
    parse_within(text, &Limits::default()).expect("there is no limit")
}

/// Reads a problem within `limits`. The inner result is the result of [`parse`].
///
/// ```
/// use dlx::{Limit, Limits};
///
/// let limits = Limits::new().within(std::time::Duration::ZERO);
/// assert_eq!(dlx::text::parse_within("a\na\n", &limits).err(), Some(Limit::Time));
/// ```
///
/// # Errors
/// The limit that was reached.
#[cfg_attr(not(feature = "unstable"), doc(hidden))]
pub fn parse_within(text: &str, limits: &Limits) -> Result<Result<Problem, ParseError>, Limit> {
    /// Work of reading [`WORDS`] words, in units of [`Pace::spend`].
    const WORDS_WORK: u64 = 5000;
    let mut pace = Pace::new(limits);
    let mut ended = Ok(());
    let parsed = parse_while(text, &mut || {
        ended = pace.spend(WORDS_WORK);
        ended.is_ok()
    });
    ended.map(|()| parsed)
}

/// Number of words of a line between two checks of the limits.
const WORDS: usize = 64;

/// Reads a problem while `goes_on` returns `true`, which is called for each [`WORDS`] words of a
/// line.
fn parse_while(text: &str, goes_on: &mut dyn FnMut() -> bool) -> Result<Problem, ParseError> {
    let text = text.strip_prefix(MARK).unwrap_or(text);
    let mut lines =
        text.lines().enumerate().map(|(index, text)| TextLine { text, number: index + 1 }).filter(
            |line| !line.text.trim_start().is_empty() && !line.text.trim_start().starts_with('|'),
        );
    let Some(line) = lines.next() else {
        let line = text.lines().count() + 1;
        let message = "expected a line of items, found the end of the text".into();
        return Err(ParseError { line, column: 1, message });
    };
    let mut builder = ProblemBuilder::new();
    if !parse_items(&line, &mut builder, goes_on)? {
        return Ok(builder.build());
    }
    let mut entries = Vec::new();
    for line in lines {
        if !parse_option(&line, &mut builder, &mut entries, goes_on)? {
            break;
        }
    }
    Ok(builder.build())
}

/// Reads the line of items; returns `false` if `goes_on` does.
fn parse_items(
    line: &TextLine<'_>,
    builder: &mut ProblemBuilder,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<bool, ParseError> {
    let mut is_primary = true;
    for (place, mut word) in line.words().enumerate() {
        if place % WORDS == 0 && !goes_on() {
            return Ok(false);
        }
        if let Some(rest) = word.text.strip_prefix('|') {
            if !is_primary {
                let message = "expected one `|` between the items, found another";
                return Err(line.error(word.start, message));
            }
            is_primary = false;
            word = Word { text: rest, start: word.start + 1 };
            if rest.is_empty() {
                continue;
            }
        }
        let result = match word.text.split_once('|') {
            Some(_) if !is_primary => {
                Err(format!("expected a secondary item without bounds, found `{}`", word.text))
            }
            Some((bounds, name)) => match parse_bounds(bounds) {
                Some(Bounds { low, high }) => {
                    builder.bounded(name, low, high).map_err(|error| error.to_string())
                }
                None => Err(format!("expected bounds `low:high` or `k`, found `{bounds}`")),
            },
            None if is_primary => builder.primary(word.text).map_err(|error| error.to_string()),
            None => builder.secondary(word.text).map_err(|error| error.to_string()),
        };
        result.map_err(|message| line.error(word.start, message))?;
    }
    Ok(true)
}

fn parse_bounds(text: &str) -> Option<Bounds> {
    let (low, high) = text.split_once(':').unwrap_or((text, text));
    let low = if low.is_empty() { 0 } else { low.parse().ok()? };
    Some(Bounds { low, high: high.parse().ok()? })
}

/// Reads a line of an option; returns `false` if `goes_on` does.
fn parse_option(
    line: &TextLine<'_>,
    builder: &mut ProblemBuilder,
    entries: &mut Vec<Entry>,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<bool, ParseError> {
    entries.clear();
    let mut cost = 0_u64;
    for (place, word) in line.words().enumerate() {
        if place % WORDS == 0 && !goes_on() {
            return Ok(false);
        }
        if let Some(digits) = word.text.strip_prefix('|') {
            let more = digits.parse::<u64>().ok().and_then(|more| cost.checked_add(more));
            cost = more.ok_or_else(|| {
                let limit = u64::MAX;
                line.error(
                    word.start,
                    format!("expected a cost up to {limit} in all behind `|`, found `{digits}`"),
                )
            })?;
            continue;
        }
        let entry = parse_entry(word.text, builder).map_err(|m| line.error(word.start, m))?;
        entries.push(entry);
    }
    let option = builder.option(entries.iter().copied()).map_err(|error| {
        let mut words = line.words().filter(|word| !word.text.starts_with('|'));
        let word = words.nth(error.entry().unwrap_or(0)).or(line.words().next());
        line.error(word.map_or(0, |word| word.start), error.to_string())
    })?;
    if cost > 0 {
        builder.set_cost(option, cost);
    }
    Ok(true)
}

fn parse_entry(word: &str, builder: &mut ProblemBuilder) -> Result<Entry, String> {
    if word.contains('|') {
        let limit = u64::MAX;
        return Err(format!(
            "expected an item, or a blank and a cost up to {limit} behind `|`, found `{word}`"
        ));
    }
    let (name, color) = match word.split_once(':') {
        Some((name, color)) => (name, Some(color)),
        None => (word, None),
    };
    let item = builder.item_by_name(name);
    let item = item.ok_or_else(|| format!("expected an item, found `{name}`"))?;
    let color = color.map(|color| builder.color(color)).transpose();
    Ok(Entry { item, color: color.map_err(|error: BuildError| error.to_string())? })
}

/// Writes a problem: the line of items, then the options in order.
///
/// Reading the text yields the same problem, except that primary items come first. A problem
/// without primary items has no valid text, because its line of items would be a comment.
///
/// ```
/// let text = "a 2:3|b 2|c | x\na b x:1 |5\nc\n";
/// assert_eq!(dlx::text::write(&dlx::text::parse(text)?), text);
/// # Ok::<(), dlx::ParseError>(())
/// ```
#[must_use]
pub fn write(problem: &Problem) -> String {
    write_within(problem, &Limits::default()).expect("there is no limit")
}

/// Writes a problem like [`write()`], within `limits`.
///
/// ```
/// use dlx::{Limit, Limits};
///
/// let problem: dlx::Problem = "a\na\n".parse()?;
/// let limits = Limits::new().within(std::time::Duration::ZERO);
/// assert_eq!(dlx::text::write_within(&problem, &limits), Err(Limit::Time));
/// # Ok::<(), dlx::ParseError>(())
/// ```
///
/// # Errors
/// The limit that was reached.
#[cfg_attr(not(feature = "unstable"), doc(hidden))]
pub fn write_within(problem: &Problem, limits: &Limits) -> Result<String, Limit> {
    const ENTRY_WORK: u64 = 30;
    let mut pace = Pace::new(limits);
    let mut text = String::new();
    let primary = || problem.items().filter(|&item| problem.is_primary(item));
    // A leading blank keeps a byte-order mark at the start of a name from being ignored.
    let mut separator = match primary().next() {
        Some(first) if problem.item_name(first).starts_with(MARK) => " ",
        _ => "",
    };
    for item in primary() {
        text.push_str(separator);
        match problem.bounds(item) {
            None | Some(Bounds::ONE) => {}
            Some(Bounds { low, high }) if low == high => text.push_str(&format!("{low}|")),
            Some(Bounds { low, high }) => text.push_str(&format!("{low}:{high}|")),
        }
        text.push_str(problem.item_name(item));
        separator = " ";
    }
    let secondary: Vec<ItemId> = problem.items().filter(|&item| !problem.is_primary(item)).collect();
    if !secondary.is_empty() {
        text.push_str(" |");
    }
    for item in secondary {
        text.push(' ');
        text.push_str(problem.item_name(item));
    }
    text.push('\n');
    for option in problem.options() {
        pace.spend(ENTRY_WORK * (1 + problem.option(option).len() as u64))?;
        let shown = problem.show(option);
        let written = match problem.cost(option) {
            0 => writeln!(text, "{shown}"),
            cost => writeln!(text, "{shown} |{cost}"),
        };
        written.expect("writing to a string does not fail");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_error(text: &str, expected: &str) {
        assert_eq!(parse(text).unwrap_err().to_string(), expected);
    }

    #[test]
    fn every_parse_error_has_its_line_and_column() {
        check_error("", "1:1: expected a line of items, found the end of the text");
        check_error("| c\n\n", "3:1: expected a line of items, found the end of the text");
        check_error("a b a\n", "1:5: item `a` is defined twice");
        check_error("a | b | c\n", "1:7: expected one `|` between the items, found another");
        check_error("a | 2|b\n", "1:5: expected a secondary item without bounds, found `2|b`");
        check_error("a x:2|b\n", "1:3: expected bounds `low:high` or `k`, found `x:2`");
        check_error(
            "|a\na 99999999999|b\n",
            "2:3: expected bounds `low:high` or `k`, found `99999999999`",
        );
        check_error("3:2|a\n", "1:1: item `a` has the lower bound 3 above its upper bound 2");
        check_error("a:b\n", "1:1: expected a name without blanks, `:` and `|`, found `a:b`");
        check_error("é b\n\né  c\n", "3:4: expected an item, found `c`");
        check_error("a b\nb a b\n", "2:5: the option names item `b` twice");
        check_error("a b\n|1\na b:1\n", "3:3: the option gives a color to the primary item `b`");
        check_error("a | b\na b:\n", "2:3: expected a name without blanks, `:` and `|`, found ``");
        check_error(
            "a | b\na b:x:y\n",
            "2:3: expected a name without blanks, `:` and `|`, found `x:y`",
        );
        check_error(
            "a\na |x\n",
            "2:3: expected a cost up to 18446744073709551615 in all behind `|`, found `x`",
        );
    }

    #[test]
    fn costs_of_an_option_add_up_and_byte_order_marks_and_crlf_are_accepted() {
        let problem = parse("\u{feff}a b |\r\n  | comment\r\n\r\n|2\r\na |3 b |4\r\n").unwrap();
        let option = crate::model::OptionId::new(0);
        assert_eq!((problem.cost(option), problem.option(option).len()), (7, 2));
        assert_eq!(write(&parse(":2|a |x\n").unwrap()), "0:2|a | x\n");
    }

    #[test]
    fn names_of_all_characters_survive_writing_and_parsing() {
        // Checks a problem that uses the names for primary items, secondary items and colors.
        let check = |names: &[String]| {
            let mut builder = ProblemBuilder::new();
            let (primary, secondary) = names.split_at(names.len().div_ceil(2));
            let items: Vec<ItemId> =
                primary.iter().map(|name| builder.primary(name).unwrap()).collect();
            for (&item, name) in items.iter().zip(secondary) {
                let other = builder.secondary(name).unwrap();
                let color = builder.color(name).unwrap();
                builder.option([item.into(), other.with(color)]).unwrap();
            }
            let problem = builder.build();
            let text = write(&problem);
            let again = parse(&text).unwrap_or_else(|error| panic!("{error} in {text:?}"));
            let all = |problem: &Problem| -> Vec<String> {
                let items = problem.items().map(|item| problem.item_name(item).to_owned());
                items.chain(problem.options().map(|option| problem.show(option).to_string())).collect()
            };
            assert_eq!(all(&again), all(&problem), "{text:?}");
        };
        let is_allowed =
            |name: &String| !name.contains(|c: char| c.is_whitespace() || c == ':' || c == '|');
        let strange = [
            "\u{feff}",
            "\u{feff}a",
            "\u{feff}\u{feff}",
            "\0",
            "\u{1b}[0m",
            "#",
            "\u{200b}",
            "\u{fffe}",
            "-",
            "<",
            "1",
        ];
        for name in strange {
            check(&[name.to_owned()]);
            check(&[name.to_owned(), "x".to_owned()]);
            check(&["a".to_owned(), name.to_owned()]);
        }
        let all: Vec<String> =
            (0..=0x3_1000).filter_map(char::from_u32).map(String::from).filter(is_allowed).collect();
        for names in all.chunks(1001) {
            check(names);
        }
    }

    #[test]
    fn a_written_problem_parses_to_the_same_text() {
        let text = "名 0:4|b | ×\n名 ×:κ |12\nb ×\n";
        assert_eq!(write(&parse(text).unwrap()), text);
    }
}
