//! Classifies the header lines of a puzzle file, which begin with `#`.
//!
//! [`HeadLine::of`] makes all these decisions. Prose is a comment, and so is a line `# key: value`
//! whose key is a known remark (`PROSE`, `REMARKS`). A statement has a key of [`KEYS`] or the name
//! of a rule. Any other line that resembles a clue is an error, because ignoring a clue would
//! change the puzzle. [`stray`] finds such lines among the comments and titles that a grid reader
//! skips.

use puzzle::{KIND_NAMES, distance, nearest};

use super::rules::{self, RULES};
use grid::{GridRule, Setting};
use text::{InputError, Line};

/// Keys of statements, except the names of rules.
pub const KEYS: [&str; 12] = [
    "puzzle", "boxes", "regions", "rules", "digits", "order", "rows", "columns", "houses", "cells",
    "grids", "drawing",
];

/// Keys and first words of lines that are prose. Prose may mention cells.
const PROSE: &str = "title titel titre author authors autor auteur source sources quelle solution solutions note \
    notes nb n.b comment comments remark remarks hint hints description desc summary abstract \
    about info information legend example examples e.g eg i.e ie history changes step steps \
    technique techniques strategy strategies answer answers question todo fixme warning ps p.s \
    link links url urls http https command usage";

/// Keys and first words of remarks that do not concern the clues. A line with such a word is no
/// remark if it names a cell.
const REMARKS: &str = "date time timestamp year ftp file web website site homepage email mail doi isbn license \
    licence copyright credit credits thanks attribution rating ratings rated difficulty \
    schwierigkeit difficulté level niveau grade stars rank score se er ep ed q1 q2 hodoku id ids \
    uid uuid name nickname no nr num number numbers index part page book volume issue chapter \
    edition series collection publisher published newspaper magazine journal event contest \
    competition championship round points tag tags category genre by from via see cf ref refs \
    reference references origin based after creator created maker made setter constructor composer \
    designer editor contributor collected collector generator generated software program tool \
    version format encoding language lang important changed updated modified seed symmetry minimal \
    unique uniqueness valid verified checked tested status result results output input slow total \
    count played solved solver test case tests data dataset set line lines header fields clues \
    givens given blanks empty filled today daily week weekly month monday tuesday wednesday \
    thursday friday saturday sunday";

/// Common synonyms of keys and of rules, each with the name that Farandole uses.
const ALIASES: [(&str, &str); 39] = [
    ("box", "boxes"),
    ("block", "boxes"),
    ("blocks", "boxes"),
    ("size", "order"),
    ("region", "regions"),
    ("jigsaw", "regions"),
    ("irregular", "regions"),
    ("type", "puzzle"),
    ("kind", "puzzle"),
    ("variant", "puzzle"),
    ("latin", "puzzle"),
    ("rule", "rules"),
    ("constraint", "rules"),
    ("constraints", "rules"),
    ("cage", "killer"),
    ("cages", "killer"),
    ("thermometer", "thermo"),
    ("thermometers", "thermo"),
    ("german whispers", "whisper"),
    ("dutch whispers", "whisper"),
    ("little killer", "sum"),
    ("kropki", "difference"),
    ("dot", "difference"),
    ("white dot", "difference"),
    ("black dot", "ratio"),
    ("consecutive", "difference"),
    ("xv", "pair-sum"),
    ("sandwich sum", "sandwich"),
    ("zipper line", "zipper"),
    ("between line", "between"),
    ("region sum line", "region-sum"),
    ("greater than", "greater"),
    ("less than", "greater"),
    ("min", "minimum"),
    ("max", "maximum"),
    ("extra region", "extra"),
    ("diagonal", "diagonals"),
    ("knight", "anti-knight"),
    ("king", "anti-king"),
];

/// Words that may follow a key in a line that is not prose.
const ARGUMENTS: &str = "row column col yes no on off true false none and or too also only apply applies left right \
    top bottom x";

/// The meaning of a header line.
#[derive(Debug, PartialEq, Eq)]
pub enum HeadLine<'t> {
    /// A line that does not concern the clues.
    Comment,
    /// A statement about the puzzle.
    Statement {
        /// A key of [`KEYS`] or the name of a rule, in lower case.
        key: String,
        /// The text after the colon.
        value: &'t str,
    },
    /// A line that resembles a clue but is not understood.
    Unknown {
        /// The byte offset in the line where the clue begins.
        start: usize,
        /// A message with the expected and the found text.
        message: String,
        /// The known key that is most similar.
        nearest: Option<&'static str>,
    },
}

impl<'t> HeadLine<'t> {
    /// Classifies a line that begins with `#` or `|`.
    pub fn of(line: &'t str) -> Self {
        let marked = line.trim_start();
        let text = marked.trim_start_matches(['#', '|']);
        // A second `#`, as in `# # killer: ...`, turns a statement into a comment.
        if is_sdk_remark(text) || text.trim_start().starts_with('#') {
            return Self::Comment;
        }
        let said = text.trim_start_matches(|c: char| !c.is_alphanumeric());
        let marks = text[..text.len() - said.len()].trim_matches(is_bullet);
        let judged = match split_key(said) {
            Some((key, value)) => Self::with_key(line, key, value),
            None => Self::without_key(line, said),
        };
        let start = marks.as_ptr().addr() - line.as_ptr().addr();
        match judged {
            Self::Statement { key, .. } if !marks.is_empty() => Self::Unknown {
                start,
                message: format!("expected `{key}` after `#`, found `{marks}`"),
                nearest: names().find(|name| *name == key),
            },
            // The line has a value of `boxes` or `rules` but no key.
            Self::Comment if marks.starts_with([':', '\u{ff1a}']) && is_of_grids(said) => {
                Self::Unknown {
                    start,
                    message: format!(
                        "expected a key such as `boxes` or `rules` before `:`, found `: {said}`"
                    ),
                    nearest: None,
                }
            }
            judged => judged,
        }
    }

    fn with_key(line: &'t str, key: &'t str, value: &'t str) -> Self {
        let name = key.to_lowercase();
        if KEYS.contains(&&*name) || rules::by_name(&name).is_some() {
            return Self::Statement { key: name, value };
        }
        let words: Vec<&str> = name.split_whitespace().collect();
        let is_remark =
            words.first().is_none_or(|first| is_remark(first, line)) || value.starts_with("//");
        let is_clue = match &words[..] {
            _ if is_remark => false,
            _ if !name.starts_with(char::is_alphabetic) => {
                names_cells(value) || is_numbered_key(&words)
            }
            [_] => true,
            _ => names_cells(line) || words.len() <= 3 && near_phrase(&words).is_some(),
        };
        if !is_clue {
            return Self::Comment;
        }
        let near = near_phrase(&words).or_else(|| nearest(&name, names()));
        let hint = match near {
            Some(near) if GridRule::ALL.iter().any(|rule| rule.name() == near) => {
                format!("; write `# rules: {near}`")
            }
            Some(near) => format!("; nearest is `{near}`"),
            None => String::new(),
        };
        let start = key.as_ptr().addr() - line.as_ptr().addr();
        let message = format!("expected a rule or a remark such as `note`, found `{key}`{hint}");
        Self::Unknown { start, message, nearest: near }
    }

    fn without_key(line: &'t str, text: &'t str) -> Self {
        let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
        let near = near_start(&words);
        if near.is_none() && !names_cells(text) {
            return Self::Comment;
        }
        let start = text.as_ptr().addr() - line.as_ptr().addr();
        let known = match near {
            Some(near) if GridRule::ALL.iter().any(|rule| rule.name() == near) => {
                format!("`# rules: {near}`")
            }
            Some(near) => format!("`# {near}: ...`"),
            None => "a clue such as `# killer: r1c1 r1c2 = 4`".to_owned(),
        };
        let message = format!("expected {known}, found `{}` without a key and `:`", text.trim_end());
        Self::Unknown { start, message, nearest: near }
    }
}

/// Maximum number of words of a line without a key that are compared with the names of rules.
const WORDS_MAX: usize = 4096;

/// Returns the error for a line that a grid reader skipped, if the line is a comment or title that
/// resembles a statement about the puzzle.
pub fn stray(line: &Line) -> Option<InputError> {
    let text = line.text.trim_start();
    if text.starts_with('#') {
        return misplaced(line);
    }
    // Fast path: few lines of a grid contain any of these characters.
    if !text.contains([':', ' ', '\u{ff1a}', '#']) {
        return None;
    }
    let mut parts = vec![text];
    parts.extend(text.split_once('#').map(|(_, behind)| behind));
    parts.into_iter().find_map(|part| {
        let part = part.trim_start_matches(|c: char| !c.is_alphanumeric());
        if !part.starts_with(char::is_alphabetic) {
            return None;
        }
        let start = part.as_ptr().addr() - line.text.as_ptr().addr();
        let is_clue = match split_key(part) {
            Some((key, _))
                if is_remark(&key.split_whitespace().next().unwrap_or("").to_lowercase(), part) =>
            {
                false
            }
            Some((key, value)) => names_cells(part) && !value.starts_with("//") || is_of_all_cells(key),
            None => {
                let words = part.split_whitespace().take(WORDS_MAX);
                let words: Vec<String> = words.map(str::to_lowercase).collect();
                let is_titled = words.get(1..).is_none_or(|rest| match rest {
                    [] => true,
                    [number] => number.chars().all(|c| c.is_ascii_digit() || c == '#'),
                    _ => false,
                });
                names_cells(part) || !is_titled && near_start(&words).is_some()
            }
        };
        is_clue.then(|| {
            let message =
                format!("expected `#` before a line of the head, found `{}`", part.trim_end());
            line.error(start, message)
        })
    })
}

/// Returns the error for a `#` line below or inside a grid, unless the line is a comment.
pub fn misplaced(line: &Line) -> Option<InputError> {
    match HeadLine::of(&line.text) {
        HeadLine::Comment => None,
        HeadLine::Statement { key, .. } => {
            let start = line.text.find(|c: char| c.is_alphanumeric()).unwrap_or(0);
            Some(line.error(
                start,
                format!("expected `{key}` in the head above the grid, found it elsewhere"),
            ))
        }
        HeadLine::Unknown { start, message, .. } => Some(line.error(start, message)),
    }
}

/// Checks the comments of a text with one puzzle. Its header may contain the kind of puzzle and the
/// keys in `keys`.
///
/// # Errors
/// The first line that is another statement about the puzzle, or that repeats a key with another
/// value.
pub fn check(text: &str, kind: &str, keys: &[&str]) -> Result<(), InputError> {
    let mut stated = Stated::default();
    for (index, text) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        if !text.trim_start().starts_with('#') {
            continue;
        }
        let line = Line { text: text.to_owned(), number: index + 1 };
        // A key of the kind need not be known here.
        let own = text::remark(text).map(|(key, value)| (key.to_lowercase(), value));
        let judged = match own.filter(|(key, _)| keys.contains(&&**key)) {
            Some((key, value)) => HeadLine::Statement { key, value },
            None => HeadLine::of(text),
        };
        match judged {
            HeadLine::Comment => {}
            HeadLine::Statement { key, value }
                if keys.contains(&&*key) || key == "puzzle" && value == kind =>
            {
                let start = value.as_ptr().addr() - text.as_ptr().addr();
                stated.add(&key, value, index + 1).map_err(|message| line.error(start, message))?;
            }
            HeadLine::Statement { key, .. } => {
                let start = text.find(|c: char| c.is_alphanumeric()).unwrap_or(0);
                let known: Vec<String> = keys.iter().map(|key| format!(", `{key}`")).collect();
                let message = format!(
                    "expected `puzzle: {kind}`{} or a remark in the head, found `{key}`",
                    known.concat()
                );
                return Err(line.error(start, message));
            }
            HeadLine::Unknown { start, message, .. } => return Err(line.error(start, message)),
        }
    }
    Ok(())
}

/// Checks the comments of an exact cover. Words such as `sum` and names such as `r1c2` are common
/// there, so only an unmistakable statement about a grid is refused. Returns a note about the first
/// other statement, or an empty text.
///
/// # Errors
/// The first statement about a grid.
pub fn check_cover(text: &str) -> Result<String, InputError> {
    let comments = text.trim_start_matches('\u{feff}').lines().enumerate();
    let is_head = |line: &str| line.trim().is_empty() || line.trim_start().starts_with(['#', '|']);
    let mut is_in_head = true;
    let (mut first, mut count) = (String::new(), 0);
    for (index, text) in comments {
        is_in_head &= is_head(text);
        if !is_in_head && !text.trim_start().starts_with('#') {
            continue;
        }
        let key = match HeadLine::of(text) {
            HeadLine::Comment | HeadLine::Unknown { nearest: None, .. } => continue,
            HeadLine::Statement { key, value } if key == "puzzle" && value == puzzle::cover::NAME => {
                continue;
            }
            HeadLine::Statement { key, value } => {
                let is_of_grid = is_of_all_cells(&key) && !matches!(&*key, "order" | "digits");
                (is_of_grid || key == "puzzle" || names_cells(value)).then_some(key)
            }
            HeadLine::Unknown { .. } => None,
        };
        if let Some(key) = key {
            let line = Line { text: text.to_owned(), number: index + 1 };
            let start = text.find(|c: char| c.is_alphanumeric()).unwrap_or(0);
            return Err(
                line.error(start, format!("expected a remark above an exact cover, found `{key}`"))
            );
        }
        count += 1;
        if count == 1 {
            let shown: String = text.trim().chars().take(NOTED_MAX).collect();
            first = format!("not used: line {} `{shown}`", index + 1);
        }
    }
    Ok(if count > 1 { format!("{first} (and {} more)", count - 1) } else { first })
}

/// Maximum number of characters of a line that a note shows. A title is shorter.
const NOTED_MAX: usize = 60;

/// Returns whether a character may precede a statement: white space, or a bullet of a list.
fn is_bullet(c: char) -> bool {
    c.is_whitespace() || "-*+>\u{2022}\u{2013}\u{2014}".contains(c)
}

/// Returns whether a text is a value of the key `boxes` or `rules`.
fn is_of_grids(value: &str) -> bool {
    Setting::parse_boxes(value).is_ok()
        || GridRule::parse_list(value).is_ok_and(|rules| !rules.is_empty())
}

/// Returns whether words are a key after a number, such as `7 boxes`, `0boxes` or `2x3 boxes`.
fn is_numbered_key(words: &[&str]) -> bool {
    let key = words.last().map_or("", |word| word.trim_start_matches(|c: char| c.is_ascii_digit()));
    words.len() <= 2 && (KEYS.contains(&key) || rules::by_name(key).is_some())
}

/// Returns whether a line whose first word is `word` (in lower case) is a remark.
fn is_remark(word: &str, line: &str) -> bool {
    let word = word.trim_end_matches('.');
    is_among(word, PROSE) || is_among(word, REMARKS) && !names_cells(line)
}

fn is_among(word: &str, words: &str) -> bool {
    words.split_whitespace().any(|known| known == word)
}

/// Returns whether the text after `#` is a header line of SadMan Sudoku. Such a line begins with a
/// capital letter that names the field, as in `#DAn easy one`.
fn is_sdk_remark(text: &str) -> bool {
    let mut letters = text.chars();
    let is_mark = letters.next().is_some_and(|letter| "ADCBSLUH".contains(letter));
    is_mark
        && letters
            .next()
            .is_some_and(|letter| !letter.is_lowercase() && !letter.is_whitespace() && letter != ':')
        || ["Uhttp:", "Uhttps:"].iter().any(|begin| text.starts_with(begin))
}

fn split_key(text: &str) -> Option<(&str, &str)> {
    let (key, value) = text.split_once([':', '\u{ff1a}'])?;
    Some((key.trim(), value.trim()))
}

fn names() -> impl Iterator<Item = &'static str> {
    let of_grids = GridRule::ALL.into_iter().map(GridRule::name);
    RULES.iter().map(|rule| rule.name).chain(KEYS).chain(of_grids)
}

/// Returns the key or rule within `most` edits of a lower-case word. Short words allow fewer edits.
fn near(word: &str, most: usize) -> Option<&'static str> {
    const LONGEST: usize = 24;
    let plain = |name: &str| name.replace(['-', '_', ' '], "");
    let letters: Vec<char> = plain(word).chars().take(LONGEST).collect();
    let most = most.min(match letters.len() {
        0..=3 => 0,
        4..=5 => 1,
        _ => 2,
    });
    let names = names().map(|name| (name, name)).chain(ALIASES);
    let all = names.map(|(said, name)| (distance(&letters, &plain(said)), name));
    all.min_by_key(|(distance, _)| *distance)
        .filter(|(distance, _)| *distance <= most)
        .map(|(_, name)| name)
}

/// Returns the key or rule that a key of several words probably means.
fn near_phrase(words: &[&str]) -> Option<&'static str> {
    let (first, last) = (words.first()?, words.last()?);
    near(&words.concat(), 2)
        .or_else(|| near(&words[..words.len().min(2)].concat(), 1))
        .or_else(|| near(first, 2))
        .or_else(|| {
            near(last, 2).filter(|name| !KEYS.contains(name) || ["boxes", "rules"].contains(name))
        })
}

/// Returns the key or rule at the start of a line without a colon, if only arguments follow it.
fn near_start(words: &[String]) -> Option<&'static str> {
    let is_argument = |word: &String| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        word.chars().any(|c| c.is_ascii_digit())
            || word.is_empty()
            || is_among(word, ARGUMENTS)
            || near(word, 1).is_some_and(|name| rules_of_all_cells().any(|known| known == name))
            || KIND_NAMES.contains(&word) && word != "sudoku"
    };
    let begin = |count: usize| {
        let (first, rest) = words.split_at_checked(count)?;
        let name = near(&first.concat(), if rest.is_empty() { 1 } else { 2 })?;
        // Lines such as `Puzzle 7` and `Grid 01` are titles.
        let is_kind = || rest.iter().any(|word| KIND_NAMES.contains(&&**word));
        let is_title = match name {
            "puzzle" => first[0] != "latin" && !is_kind(),
            "grids" => true,
            "regions" => return (!rest.is_empty()).then_some(name),
            _ => false,
        };
        (!is_title && rest.iter().all(is_argument)).then_some(name)
    };
    let is_remark = words.first().is_none_or(|first| is_remark(first, ""));
    if is_remark { None } else { begin(2).or_else(|| begin(1)) }
}

/// Returns whether a key names a rule or setting for the whole grid.
fn is_of_all_cells(key: &str) -> bool {
    let mut all =
        rules_of_all_cells().chain(["rules", "boxes", "regions", "houses", "digits", "order"]);
    near(&key.to_lowercase(), 2).is_some_and(|name| all.any(|known| known == name))
}

fn rules_of_all_cells() -> impl Iterator<Item = &'static str> {
    let whole = RULES.iter().filter(|rule| rule.groups.1 == 0 && !rule.takes_text);
    whole.map(|rule| rule.name).chain(GridRule::ALL.into_iter().map(GridRule::name))
}

/// Returns whether a text names a cell such as `r1c2`, or a line as in `row 3 =`.
fn names_cells(text: &str) -> bool {
    let is_cell = |word: &str| {
        let lower = word.to_ascii_lowercase();
        let place = lower.strip_prefix('r').and_then(|rest| rest.split_once('c'));
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
        place.is_some_and(|(row, column)| is_number(row) && is_number(column))
    };
    if text.split(|c: char| !c.is_ascii_alphanumeric()).any(is_cell) {
        return true;
    }
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    let is_line = |pair: &[String]| {
        matches!(&*pair[0], "row" | "column" | "col")
            && pair[1].starts_with(|c: char| c.is_ascii_digit())
    };
    text.contains('=') && words.windows(2).any(is_line)
}

/// The statements of one header, as keys, values and line numbers. A statement may be repeated with
/// the same value only.
#[derive(Debug, Default)]
pub struct Stated(Vec<(String, String, usize)>);

impl Stated {
    /// Records a key that may occur several times with different values; returns whether this is
    /// its first occurrence.
    pub fn is_first(&mut self, key: &str, line: usize) -> bool {
        let is_first = self.0.iter().all(|(known, ..)| known != key);
        if is_first {
            self.0.push((key.to_owned(), String::new(), line));
        }
        is_first
    }

    /// Records a statement; returns whether it is the first one with its key.
    ///
    /// # Errors
    /// If the key has another value in an earlier statement.
    pub fn add(&mut self, key: &str, value: &str, line: usize) -> Result<bool, String> {
        let plain = value.split_whitespace().collect::<Vec<_>>().join(" ");
        match self.0.iter().find(|(known, ..)| known == key) {
            None => {
                self.0.push((key.to_owned(), plain, line));
                Ok(true)
            }
            Some((_, known, _)) if *known == plain => Ok(false),
            Some((_, known, first)) => {
                Err(format!("expected `{key}` once, found `{value}` after `{known}` on line {first}"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lines: &[&str], is_expected: impl Fn(&HeadLine<'_>) -> bool) {
        for line in lines {
            let judged = HeadLine::of(line);
            assert!(is_expected(&judged), "{line}: {judged:?}");
        }
    }

    #[test]
    fn a_header_statement_begins_with_a_known_key_or_the_name_of_a_rule() {
        let lines = [
            "# killer: r1c1 r1c2 = 4",
            "#killer: r1c1 r1c2 = 4",
            "## killer: r1c1 r1c2 = 4",
            "\t#\tKiller\t:\tr1c1 r1c2 = 4",
            "# killer\u{ff1a} r1c1 r1c2 = 4",
            "# boxes: 2x3",
            "# nonconsecutive:",
        ];
        check(&lines, |judged| matches!(judged, HeadLine::Statement { .. }));
    }

    #[test]
    fn a_header_line_that_resembles_a_clue_is_not_a_comment() {
        let lines = [
            "# kiler: r1c1 r1c2 = 4",
            "# thermometer: r1c1 r1c2",
            "# cage: r1c1 r1c2 = 4",
            "# whispers: r1c1 r1c2",
            "# rule: diagonals",
            "# killer r1c1 r1c2 = 4",
            "# killer 15: r1c1 r1c2",
            "# diagonals",
            "# Diagonal",
            "# antiknight: yes",
            "# anti knight",
            "# anti-knight and anti-king",
            "# box: 2x2",
            "# size: 6",
            "# Order 6",
            "# boxes 2x2",
            "# regions 1122 1122 3344 3344",
            "# greater than: r1c1 r1c2",
            "# the digits of r1c1 and r1c2 add up to 4",
            "# sandwich row 3 = 20",
            "# 15: r1c1 r1c2",
            "# givens: r1c1=4",
            "# line: r1c1 r1c2",
            "#Diagonals",
            "# latin",
            "# puzzle latin",
        ];
        check(&lines, |judged| matches!(judged, HeadLine::Unknown { .. }));
    }

    #[test]
    fn header_lines_of_prose_and_known_remarks_are_comments() {
        let lines = [
            "#",
            "# ",
            "##.",
            "# a comment",
            "# counted",
            "# one",
            "# 12 of 100",
            "# Grid 01",
            "# Puzzle 7",
            "# Sudoku #5",
            "# title: Killer cages, no digits",
            "# source: written for this collection",
            "# note: begin with r1c1",
            "# Difficulty: easy",
            "# https://example.org/order",
            "# made 2026-11-27 at 10:15",
            "# 10:15",
            "# order matters here",
            "# Sandwiches at every row and column",
            "# Even more puzzles of that book",
            "# Killer sudoku, easy",
            "# this one is hard: try it",
            "#DAn easy one",
            "#LEasy",
            "#Uhttp://example.org",
            "# slow: yes",
            "# # killer: r1c1 r1c2 = 4",
            "# even digits",
            "# givens: 24",
            "# solution: r1c1=4",
        ];
        check(&lines, |judged| *judged == HeadLine::Comment);
    }

    #[test]
    fn a_title_that_states_a_clue_is_an_error() {
        let is_stray = |text: &str| stray(&Line { text: text.to_owned(), number: 1 }).is_some();
        for text in [
            "killer: r1c1 r1c2 = 4",
            "killer r1c1 r1c2 = 4",
            "-- kiler: r1c1 r1c2 = 4",
            "Rules: diagonals",
            "antiknight: yes",
            "boxes 2x2 only",
            "12345678. # killer: r1c1 r1c2 = 4",
        ] {
            assert!(is_stray(text), "{text}");
        }
        for text in [
            "Puzzle 1:",
            "Grid 01",
            "Difficulty: Easy",
            "Author: A. Sum",
            "Killer 12",
            "not a sudoku",
            "Cells filled: 24",
            "1 2 3 4",
            "ABCD EFGH",
            "53..7.... 7.2 # a rating",
            "https://www.sudokuwiki.org/sudoku.htm?bd=80",
        ] {
            assert!(!is_stray(text), "{text}");
        }
    }

    #[test]
    fn a_header_statement_may_be_repeated_but_not_with_another_value() {
        let mut stated = Stated::default();
        assert_eq!(stated.add("boxes", "2x2", 1), Ok(true));
        assert_eq!(stated.add("boxes", " 2x2 ", 2), Ok(false));
        let other = stated.add("boxes", "none", 3);
        assert_eq!(other, Err("expected `boxes` once, found `none` after `2x2` on line 1".to_owned()));
    }
}
