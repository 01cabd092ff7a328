//! Grids with lines of words between them: `Grid 01`, `Puzzle 1:`, `1.`, statistics such as
//! `Difficulty: Easy`.
//!
//! The grids are rows or lines, and are written so. A line of words begins with a word of three letters
//! or more and goes on with others, with a colon or with a number; or it is a number between dashes or
//! the like; or it is a number with a full stop, a colon or a bracket behind it, which is not as long
//! as a line beside it: `432.` is a row of a 4x4 grid. Only texts whose other lines are grids are taken
//! for this.

use super::cells::{is_skipped, square_root};
use super::{Format, Reader, line, rows};
use crate::grid::{Grid, MAX_ORDER, Setting};
use crate::input::{InputError, Line, Lines};

/// The format `titled`.
pub(super) struct Titled;

/// The format is recognized by this many lines at the beginning.
const LINES_SEEN: usize = 200;

impl Format for Titled {
    fn name(&self) -> &'static str {
        "titled"
    }

    fn summary(&self) -> &'static str {
        "rows or lines with titles such as `Grid 01` or `1.` between them; written without"
    }

    fn example(&self) -> &'static str {
        "Grid 01\n0030\n0100\n0040\n0200\nGrid 02\n1000\n0200\n0030\n0000\n"
    }

    fn recognizes(&self, sample: &str) -> bool {
        let mut titles = 0;
        let mut text = String::new();
        let mut before = "";
        let mut lines = sample.lines().take(LINES_SEEN).peekable();
        while let Some(line) = lines.next() {
            // In the place of a title stands an empty line.
            if is_title(line, [before, lines.peek().unwrap_or(&"")]) {
                titles += 1;
            } else {
                text.push_str(line);
            }
            text.push('\n');
            before = line;
        }
        titles > 0 && (rows::Rows.recognizes(&text) || line::LineFormat.recognizes(&text))
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(TitledReader { rows: rows::Rows.reader(), line: line::LineFormat.reader() })
    }

    fn is_written(&self) -> bool {
        false
    }

    fn write(&self, grid: &Grid, out: &mut String) {
        rows::Rows.write(grid, out);
    }
}

/// Tells whether a line, with those before and behind it, is words and no part of a grid.
fn is_title(text: &str, beside: [&str; 2]) -> bool {
    if is_skipped(text) {
        return false;
    }
    let text = text.trim();
    let number = text.strip_suffix(['.', ':', ')']).unwrap_or_default();
    if !number.is_empty() && number.len() <= 7 && number.bytes().all(|b| b.is_ascii_digit()) {
        // The full stop may be a blank cell.
        return !text.ends_with('.') || beside.iter().all(|line| line.trim().len() != text.len());
    }
    // `=== 1 ===`; `--1--` may be a row.
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

struct TitledReader {
    rows: Box<dyn Reader>,
    line: Box<dyn Reader>,
}

impl Reader for TitledReader {
    fn next(&mut self, lines: &mut Lines, setting: &mut Setting) -> Result<Option<Grid>, InputError> {
        // The lines up to a title, with blank lines between bands.
        let mut block: Vec<Line> = Vec::new();
        while block.len() < 3 * MAX_ORDER
            && let Some(line) = lines.next_line()?
        {
            let before = block.last().map_or("", |line| &line.text);
            let behind = lines.peek().map_or("", |line| &line.text);
            if !is_title(&line.text, [before, behind]) {
                block.push(line);
            } else if block.iter().any(|line| !is_skipped(&line.text)) {
                lines.push_back(line);
                break;
            } else {
                block.clear();
            }
        }
        let contents: Vec<&Line> = block.iter().filter(|line| !is_skipped(&line.text)).collect();
        let Some(first) = contents.first() else { return Ok(None) };
        let order = line::order_of(&first.text).filter(|&order| order >= 4);
        // A row of 16 cells may be a line of order 4.
        let is_line = order.is_some() && square_root(contents.len()).is_none_or(|_| contents.len() < 4);
        let mut own = Lines::of_text("");
        block.into_iter().rev().for_each(|line| own.push_back(line));
        let reader = if is_line { &mut self.line } else { &mut self.rows };
        let grid = reader.next(&mut own, setting);
        let mut rest = Vec::new();
        while let Some(line) = own.next_line()? {
            rest.push(line);
        }
        rest.into_iter().rev().for_each(|line| lines.push_back(line));
        grid
    }
}
