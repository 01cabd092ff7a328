//! Grids with title lines between them, such as `Grid 01`, `Puzzle 1:`, `1.` or `Difficulty: Easy`.
//!
//! A title has one of three forms. In the first form, it begins with a word of at least three
//! letters and continues with other words, a colon or a number. In the second form, it is a number
//! between dashes or similar characters. In the third form, it is a number followed by a full stop,
//! a colon or a bracket, if its length differs from the neighboring lines (`432.` is a row of a 4x4
//! grid). A note names the first title.
//!
//! The format is recognized only if all other lines are grids. If each grid takes one line, a title
//! must come before the first grid, or equal titles (up to a number or a colon) must occur at
//! regular intervals. Any other text line is an invalid grid.

use super::cells::{CellWord, is_skipped};
use super::{BLOCKS, Format, line, rows};
use crate::{Grid, MAX_ORDER, Setting};
use text::{InputError, Line, Lines};

/// Number of lines at the beginning of a text that are used for recognition.
const LINES_SEEN: usize = 200;

/// Maximum number of lines of a grid, including empty lines and rules.
const BLOCK_LINES: usize = 3 * MAX_ORDER;

pub(super) const FORMAT: Format = Format {
    name: "titled",
    summary: "rows or lines with titles such as `Grid 01` or `1.` between them; written without",
    example: "Grid 01\n0030\n0100\n0040\n0200\nGrid 02\n1000\n0200\n0030\n0000\n",
    recognizes,
    reader: || Box::new(read),
    is_written: false,
    ..BLOCKS
};

fn recognizes(sample: &str) -> bool {
    let mut titles: Vec<GridTitle<'_>> = Vec::new();
    let mut text = String::new();
    let (mut before, mut content_count) = ("", 0);
    let mut lines = sample.lines().take(LINES_SEEN).peekable();
    while let Some(line) = lines.next() {
        if is_title(line, [before, lines.peek().unwrap_or(&"")]) {
            titles.push(GridTitle { text: line.trim(), before: content_count });
        } else {
            text.push_str(line);
            content_count += usize::from(!is_skipped(line));
        }
        text.push('\n');
        before = line;
    }
    let are_rows = || rows::recognizes(&text);
    !titles.is_empty() && (are_rows() || are_titles_of_lines(&titles) && line::recognizes(&text))
}

struct GridTitle<'t> {
    text: &'t str,
    before: usize,
}

impl<'t> GridTitle<'t> {
    /// Returns the part of the title before a colon or the first digit, if it has either.
    fn stem(&self) -> Option<&'t str> {
        self.text.find(|c: char| c == ':' || c.is_ascii_digit()).map(|end| self.text[..end].trim())
    }
}

/// Returns whether lines of words are titles, in a text with one grid per line. Titles come first
/// or recur.
fn are_titles_of_lines(titles: &[GridTitle<'_>]) -> bool {
    let recurs = |title: &GridTitle<'_>| {
        let same: Vec<usize> = titles
            .iter()
            .filter(|other| other.stem() == title.stem())
            .map(|other| other.before)
            .collect();
        let is_regular = same.windows(2).all(|two| two[1] - two[0] == same[0]);
        title.stem().is_some() && same.len() > 1 && is_regular
    };
    titles.first().is_some_and(|first| first.before == 0) || titles.iter().all(recurs)
}

/// Returns whether a line is a title and not part of a grid. `beside` contains the two neighboring
/// lines.
fn is_title(text: &str, beside: [&str; 2]) -> bool {
    if is_skipped(text) {
        return false;
    }
    let text = text.trim();
    let number = text.strip_suffix(['.', ':', ')']).unwrap_or_default();
    if !number.is_empty() && number.len() <= 7 && number.bytes().all(|b| b.is_ascii_digit()) {
        // A full stop at the end may be an empty cell.
        return !text.ends_with('.') || beside.iter().all(|line| line.trim().len() != text.len());
    }
    // `=== 1 ===` is a title, but `--1--` may be a row.
    let bare = text.trim_matches(['=', '-', '*', '~', ' ']);
    if text.starts_with(['=', '-', '*', '~'])
        && (text.contains(' ') || text.starts_with('='))
        && (1..=7).contains(&bare.len())
        && text.len() >= bare.len() + 4
        && bare.bytes().all(|b| b.is_ascii_digit())
    {
        return true;
    }
    let core = text.trim_matches(|c: char| "=-*#~[](){}<> ".contains(c));
    let letters: String = core.chars().take_while(|c| c.is_alphabetic()).collect();
    let behind = &core[letters.len()..];
    let is_number = |text: &str| {
        let digits = text.trim_start_matches(['#', '_', '-']).trim_end_matches([':', '.']);
        (1..=4).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit())
    };
    let is_word = letters.chars().count() >= 3 && letters.to_lowercase() != "regions";
    is_word && (behind.contains(':') || behind.starts_with(' ') || is_number(behind))
}

fn read(lines: &mut Lines, setting: &mut Setting) -> Result<Option<Grid>, InputError> {
    let mut block: Vec<Line> = Vec::new();
    let mut is_begun = false;
    while block.len() < BLOCK_LINES
        && let Some(line) = lines.next_line()?
    {
        let before = block.last().map_or("", |line| &line.text);
        let behind = lines.peek().map_or("", |line| &line.text);
        if is_title(&line.text, [before, behind]) {
            if is_begun {
                lines.push_back(line);
                break;
            }
            if !lines.has_fault(line.number) {
                let title = line.text.trim();
                CellWord::new(&line, title).note("not used: a title", &mut lines.notes);
            }
            block.clear();
            continue;
        }
        is_begun |= !is_skipped(&line.text);
        let is_line = line.text.trim().len() > MAX_ORDER && line::order_of(&line.text).is_some();
        block.push(line);
        // A line that is too long for a row is a grid by itself.
        if is_line {
            break;
        }
    }
    let mut contents = block.iter().filter(|line| !is_skipped(&line.text));
    let Some(first) = contents.next() else { return Ok(None) };
    let may_be_line = |line: &Line| line::order_of(&line.text).is_some_and(|order| order >= 4);
    // A row of 16 cells may also be a grid of order 4 in one line.
    let is_line = (may_be_line(first) || contents.any(may_be_line)) && !rows::begin(&block);
    let mut own = Lines::of_text("");
    block.into_iter().rev().for_each(|line| own.push_back(line));
    let read = if is_line { line::read } else { rows::read };
    let grid = read(&mut own, setting);
    lines.notes.append(own.notes.take());
    let mut rest = Vec::new();
    while let Some(line) = own.next_line()? {
        rest.push(line);
    }
    rest.into_iter().rev().for_each(|line| lines.push_back(line));
    grid
}
