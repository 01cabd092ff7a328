//! Recognizes texts and files of known formats that cannot be read, so that the error message can
//! name the format.

use super::cells::contents;

const SHORT_LINK: &str =
    "a short link (its puzzle is stored on their server: open it and copy the long link)";

/// A part of the first line, and the description of texts with that part. The first match
/// determines the description.
const STRANGERS: [(&str, &str); 27] = [
    ("f-puzzles.com/?id=", SHORT_LINK),
    ("sudokupad.app/", SHORT_LINK),
    ("sudokupad.svencodes.com/", SHORT_LINK),
    ("app.crackingthecryptic.com/", SHORT_LINK),
    ("tinyurl.com/", SHORT_LINK),
    ("bit.ly/", SHORT_LINK),
    ("is.gd/", SHORT_LINK),
    ("goo.gl/", SHORT_LINK),
    ("//t.co/", SHORT_LINK),
    ("penpa-edit/#m=load", SHORT_LINK),
    ("f-puzzles.com", "a link of f-puzzles"),
    ("fpuz", "a puzzle that f-puzzles packed"),
    ("sudokupad", "a link of SudokuPad"),
    ("crackingthecryptic", "a link of SudokuPad"),
    ("scl", "a puzzle that SudokuPad packed (SCL)"),
    ("ctc", "a puzzle that SudokuPad packed"),
    ("SumoCue", "a puzzle of SumoCue"),
    ("3x3:", "a puzzle of SumoCue or JSudoku"),
    ("puzz.link", "a link of puzz.link"),
    ("penpa", "a link of penpa"),
    ("://", "a link"),
    ("PK\u{3}\u{4}", "a zip archive"),
    ("%PDF", "a PDF"),
    ("<!DOCTYPE", "an HTML page"),
    ("<html", "an HTML page"),
    ("<", "a document in XML or HTML that holds no puzzles of OpenSudoku"),
    ("\u{fffd}PNG", "a picture"),
];

/// Entries of `STRANGERS` that must occur at the beginning of the text. All others may occur
/// anywhere in the first line.
const FIRST: [&str; 11] = [
    "SumoCue",
    "3x3:",
    "fpuz",
    "scl",
    "ctc",
    "PK\u{3}\u{4}",
    "%PDF",
    "<!DOCTYPE",
    "<html",
    "<",
    "\u{fffd}PNG",
];

const GAME_ID: &str = "a game ID of Simon Tatham's puzzles";

/// Describes a text that a grid format might mistake for a grid.
pub fn no_grid(sample: &str) -> Option<&'static str> {
    let first = contents(sample).next()?;
    is_game_id(first).then_some(GAME_ID)
}

/// Describes a text beginning with `sample` if its format is known but cannot be read.
///
/// ```
/// use grid::format::stranger;
///
/// assert_eq!(stranger("https://www.f-puzzles.com/?load=N4Ig"), Some("a link of f-puzzles"));
/// assert_eq!(stranger("12..\n....\n....\n..21\n"), None);
/// ```
#[must_use]
pub fn stranger(sample: &str) -> Option<&'static str> {
    let first = contents(sample).next()?.trim_start();
    if is_game_id(first) {
        return Some(GAME_ID);
    }
    let is_long = first.len() >= 24 && !first.contains(' ');
    let fits = |sign: &str| {
        if !FIRST.contains(&sign) {
            first.contains(sign)
        } else if sign.len() <= 4 && sign.bytes().all(|b| b.is_ascii_lowercase()) {
            // Any text may begin with a short word of letters, so require a long line.
            is_long && first.starts_with(sign)
        } else {
            first.starts_with(sign)
        }
    };
    STRANGERS.iter().find(|(sign, _)| fits(sign)).map(|(_, what)| *what)
}

/// Returns whether a description belongs to Unequal, Towers or Keen, the games of Simon Tatham
/// whose only parameter is a number.
fn is_game_of_order(order: usize, description: &str) -> bool {
    if !(3..=32).contains(&order) {
        return false;
    }
    let of = |text: &str, more: &str| {
        text.bytes().all(|c| c.is_ascii_digit() || more.as_bytes().contains(&c))
    };
    let (first, rest) = description.split_once(',').unwrap_or((description, ""));
    // Unequal: a number for each cell, followed by the directions of its smaller neighbors.
    let is_unequal = || {
        let cells = description.strip_suffix(',').unwrap_or(description);
        cells.split(',').count() == order * order
            && cells
                .split(',')
                .all(|cell| cell.starts_with(|c: char| c.is_ascii_digit()) && of(cell, "UDLR"))
    };
    // Towers: the number of towers seen from the end of each row and column.
    let is_towers = || first.split('/').count() == 4 * order && of(first, "/");
    // Keen: the cages with their sums, differences, products and quotients.
    let is_keen = || {
        let clues: Vec<&str> = rest.split(['a', 's', 'm', 'd']).collect();
        clues.len() > 1
            && clues[0].is_empty()
            && clues[1..].iter().all(|number| !number.is_empty() && of(number, ""))
    };
    is_unequal() || is_towers() || is_keen()
}

/// Returns whether a line is a game ID of Simon Tatham's puzzles, such as `3x3:1a2b...` or
/// `6du:...`, which consists of sizes and letters of parameters, a colon, and a description without
/// spaces.
fn is_game_id(line: &str) -> bool {
    let Some((parameters, description)) = line.trim().split_once([':', '#']) else { return false };
    if let Ok(order) = parameters.parse() {
        return is_game_of_order(order, description);
    }
    let digits = parameters.bytes().take_while(u8::is_ascii_digit).count();
    let letters = &parameters[digits..];
    // A number with a colon and no letters is the number of a grid.
    (1..=2).contains(&digits)
        && !letters.is_empty()
        && letters
            .bytes()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, b'T' | b'S'))
        && description.len() >= 8
        && description.bytes().all(|c| c.is_ascii_alphanumeric() || b"_,-.".contains(&c))
        && description.contains(|c: char| c.is_ascii_alphabetic() || c == '_')
}
