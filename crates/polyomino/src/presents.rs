//! Reads the puzzle of day 12 of Advent of Code 2025: shapes, and regions that must hold given
//! counts of the shapes.
//!
//! ```text
//! 0:              shape 0: `#` a cell, `.` no cell
//! ##.
//! .##
//!
//! 4x5: 2 0 1      a region of 4 columns and 5 rows, and the number of each shape in it
//! ```
//!
//! Shapes may be rotated and reflected, and cells of a region may stay empty. Each region is a
//! separate puzzle. The name of a piece is the number of its shape; from number 10 on it is a
//! letter.

use super::sets::letters;
use super::{Polyomino, read};
use dlx::Limits;
use text::InputError;

const REGIONS_MAX: usize = 4096;

struct PresentRegion<'t> {
    number: usize,
    line: &'t str,
    columns: usize,
    rows: usize,
    counts: Vec<(usize, &'t str)>,
}

fn shape_number(line: &str) -> Option<usize> {
    line.trim_end().strip_suffix(':')?.parse().ok().filter(|_| !line.starts_with('+'))
}

fn region(number: usize, line: &str) -> Option<PresentRegion<'_>> {
    let (size, _) = line.split_once(':')?;
    let (columns, rows) = size.trim().split_once('x')?;
    let counts = text::words(line).filter(|(start, _)| *start > size.len());
    let (columns, rows) = (columns.parse().ok()?, rows.parse().ok()?);
    Some(PresentRegion { number, line, columns, rows, counts: counts.collect() })
}

/// Returns whether a text that begins with `sample` has this format. Shape 0 must come first.
pub(super) fn recognizes(sample: &str) -> bool {
    let mut lines = content(sample).map(|(_, line)| line);
    let is_row = |line: &str| line.trim().bytes().all(|byte| b"#.".contains(&byte));
    lines.next().and_then(shape_number) == Some(0)
        && lines.next().is_some_and(is_row)
        && lines.all(|line| is_row(line) || shape_number(line).is_some() || region(1, line).is_some())
}

/// Iterates over the lines that are not blank. In this format `#` is a cell, so there are no
/// comments.
fn content(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.trim_start_matches('\u{feff}').lines().enumerate();
    lines.map(|(index, line)| (index + 1, line)).filter(|(_, line)| !line.trim().is_empty())
}

pub(super) fn lines(text: &str) -> Vec<usize> {
    let regions = content(text).filter_map(|(number, line)| region(number, line));
    regions.map(|region| region.number - 1).take(REGIONS_MAX + 1).collect()
}

pub(super) fn read_region(text: &str, index: usize, limits: &Limits) -> Result<Polyomino, InputError> {
    let mut shapes: Vec<(usize, String)> = Vec::new();
    let mut regions = Vec::new();
    for (number, line) in content(text) {
        let error = |message: String| InputError::at(number, line, 0, message);
        if let Some(region) = region(number, line) {
            regions.push(region);
        } else if let Some(shape) = shape_number(line) {
            if shape != shapes.len() || !regions.is_empty() {
                return Err(error(format!(
                    "expected shape {} or a region, found `{}`",
                    shapes.len(),
                    line.trim()
                )));
            }
            shapes.push((number, String::new()));
        } else if let Some((_, rows)) = shapes.last_mut().filter(|_| regions.is_empty()) {
            if let Some(found) = line.trim_end().chars().find(|c| !['#', '.'].contains(c)) {
                return Err(error(format!("expected `#` or `.` in a shape, found `{found}`")));
            }
            pushln!(rows, "{}", line.trim_end());
        } else {
            return Err(error(format!(
                "expected a region such as `4x5: 1 0 2`, found `{}`",
                line.trim()
            )));
        }
    }
    if regions.len() > REGIONS_MAX {
        return Err(InputError::whole(format!("expected at most {REGIONS_MAX} regions, found more")));
    }
    let region = regions.swap_remove(index);
    let error =
        |start: usize, message: String| InputError::at(region.number, region.line, start, message);
    if region.counts.len() != shapes.len() {
        let (expected, found) = (shapes.len(), region.counts.len());
        let end = region.line.trim_end().len();
        return Err(error(end, format!("expected {expected} numbers (one per shape), found {found}")));
    }
    let digits = '0'..='9';
    let names = digits.chain(letters().filter(|name| !name.is_ascii_digit()));
    let mut pieces = String::new();
    for (((_, rows), &(start, count)), name) in shapes.iter().zip(&region.counts).zip(names) {
        let number: u32 = count.parse().map_err(|_| {
            error(start, format!("expected how many pieces of the shape, found `{count}`"))
        })?;
        if number > 0 {
            pushln!(pieces, "piece {name} x{number}\n{rows}");
        }
    }
    if pieces.is_empty() {
        return Err(error(0, "expected a region with a piece, found none".to_owned()));
    }
    let cell_count = region.columns.saturating_mul(region.rows);
    if !(1..=super::MAX_BOARD_SIZE).contains(&cell_count) {
        let most = super::MAX_BOARD_SIZE;
        return Err(error(0, format!("expected a region of 1 to {most} cells, found {cell_count}")));
    }
    let row = "?".repeat(region.columns) + "\n";
    let text = format!("{pieces}board\n{}", row.repeat(region.rows));
    read(&text, limits).map_err(|fault| InputError { limit: fault.limit, ..error(0, fault.message) })
}
