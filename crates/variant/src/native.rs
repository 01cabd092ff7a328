//! The native text format of variants: a header line for each clue, and the grid.

mod drawing;
mod write;

use std::sync::Arc;

use super::board::VariantBoard;
use super::budget;
use super::rules;
use super::{Placed, Variant, args};
use crate::head::{self, HeadLine, Stated};
use grid::{
    Grid, GridLayout, GridRule, MAX_ORDER, OUTSIDE_MAX, Setting, Shape, boxes, boxes_of_size, format,
};
use text::{InputError, Line, Lines};

pub(super) use self::write::write;

/// Returns whether the header of a text states a clue, or a layout that no grid format has.
pub(super) fn recognizes(sample: &str) -> bool {
    let is_head = |line: &&str| line.trim().is_empty() || line.trim_start().starts_with('#');
    let mut head = sample.lines().take_while(is_head).map(HeadLine::of);
    head.any(|line| match line {
        HeadLine::Statement { key, value } => match &*key {
            "puzzle" => value == super::KIND.name,
            "boxes" => value == "none",
            "rules" => value.split([',', ' ']).any(|name| rules::by_name(name).is_some()),
            _ => key != "grids",
        },
        HeadLine::Comment | HeadLine::Unknown { .. } => false,
    })
}

/// Reads a variant.
///
/// # Errors
/// An error with the expected text and its position.
pub fn read(text: &str) -> Result<Variant, InputError> {
    // Only a line feed ends a line here, so that line numbers match those of editors.
    let head = |wanted: &str| {
        let lines = text.lines().take_while(|line| line.trim().is_empty() || line.starts_with('#'));
        let mut remarks = lines.filter_map(text::remark);
        remarks.find(|(key, _)| key.eq_ignore_ascii_case(wanted)).map(|(_, value)| value)
    };
    let read = read_lines(&text.replace('\r', " "));
    let titled = read.map(|variant| variant.titled(head("title"), head("author")));
    titled.map_err(|mut error| {
        let text = text.trim_start_matches('\u{feff}');
        let line = error.line.checked_sub(1).and_then(|index| text.lines().nth(index));
        error.text = line.map_or(error.text, ToOwned::to_owned);
        error
    })
}

fn read_lines(text: &str) -> Result<Variant, InputError> {
    let mut head = Vec::new();
    let mut lines = Lines::of_text(text);
    lines.judged_by(head::stray);
    lines.skip(|comment| {
        head.push(comment.clone());
        Ok(())
    })?;
    lines.take_fault();
    let mut head = VariantHead::read(head)?;
    let content = lines.next_line()?;
    let grid = match content {
        None => drawing::empty(&mut head)?,
        Some(first) => {
            let rest: String =
                text.lines().skip(first.number - 1).flat_map(|line| [line, "\n"]).collect();
            budget::spend_each(rest.len(), CHARACTER_WORK).map_err(InputError::whole)?;
            if first.text.len() > format::LINE_LIMIT
                && !format::recognize(&rest).is_some_and(|format| format.has_long_lines)
            {
                let limit = format::LINE_LIMIT;
                return Err(first.error(
                    0,
                    format!("expected a line of at most {limit} bytes, found a longer one"),
                ));
            }
            let begin = first.number;
            lines.push_back(first);
            // Grid formats support only squares with digits from 1.
            if head.is_own() || drawing::is_other_than_square(&head, &rest) {
                drawing::rows(&mut lines, &mut head)?
            } else {
                let form = format::recognize(&rest).unwrap_or(format::DEFAULT);
                let mut next = (form.reader)();
                let grid = match next(&mut lines, &mut head.setting)? {
                    Some(grid) => grid,
                    None => match text::content_lines(&rest).next() {
                        Some((number, line)) => {
                            let number = begin + number - 1;
                            return Err(InputError::at(number, line, 0, "expected a grid"));
                        }
                        None => drawing::empty(&mut head)?,
                    },
                };
                // A document in brackets may contain several grids in one line.
                if lines.is_at_end() && next(&mut lines, &mut head.setting)?.is_some() {
                    return Err(InputError::whole("expected one grid, found more"));
                }
                grid
            }
        }
    };
    let more = lines.next_content()?;
    let notes = lines.notes.take();
    if let Some(fault) = lines.take_fault() {
        return Err(fault);
    }
    if let Some(more) = more {
        return Err(more.error(0, "expected one grid, found more"));
    }
    head.check_size(grid.shape())?;
    let mut grid = head.with_regions(grid)?;
    let board = VariantBoard {
        shape: Arc::clone(grid.shape()),
        first: head.first(),
        outside: head.outside.clone().into(),
    };
    let mut placed = Vec::new();
    for (line, start, rule) in &head.clues {
        let args = args::read(&board, rule, line, *start)?;
        if rule.name == "any-of" && args.groups[0].iter().all(|&cell| cell >= board.inside()) {
            // The text of the grid has no place for the marks of cells outside the rows.
            for &cell in &args.groups[0] {
                grid.set_candidates(cell, grid.candidates(cell) & board.symbols(&args.values));
            }
            continue;
        }
        placed.push(Placed::new(&board, rule, args).map_err(|message| line.error(*start, message))?);
    }
    let last = head.clues.last().map(|(line, start, _)| (line.clone(), *start));
    let mut variant = Variant::new(board, grid, placed).map_err(|message| match last {
        Some((line, start)) => line.error(start, message),
        None => InputError::whole(message),
    })?;
    // Add the notes about ignored parts of the grid text.
    let notes = variant.note.take().into_iter().chain(notes.iter().map(ToString::to_string));
    variant.note = Some(notes.collect::<Vec<_>>().join("; ")).filter(|note| !note.is_empty());
    Ok(variant)
}

/// Work of reading a line of the head, and each of its characters, in units of [`budget::spend`].
const LINE_WORK: u64 = 2_000;
const CHARACTER_WORK: u64 = 20;

struct VariantHead {
    setting: Setting,
    digits: Option<(i32, i32)>,
    rows: Option<usize>,
    columns: Option<usize>,
    has_lines: bool,
    outside: Vec<(String, usize)>,
    /// The line that defines the regions, and the byte offset of the definition.
    regions: Option<(Line, usize)>,
    /// The last line that states the number of rows, columns or digits, and the byte offset of the
    /// number.
    size: Option<(Line, usize)>,
    /// The line of each clue, the byte offset after the name of its rule, and the rule.
    clues: Vec<(Line, usize, &'static rules::Rule)>,
}

impl VariantHead {
    fn read(lines: Vec<Line>) -> Result<Self, InputError> {
        let mut head = Self {
            setting: Setting::default(),
            digits: None,
            rows: None,
            columns: None,
            has_lines: true,
            outside: Vec::new(),
            regions: None,
            size: None,
            clues: Vec::new(),
        };
        let mut stated = Stated::default();
        for line in lines {
            let work = LINE_WORK + CHARACTER_WORK * line.text.len() as u64;
            budget::spend(work).map_err(|message| line.error(0, message))?;
            let (key, value) = match HeadLine::of(&line.text) {
                HeadLine::Comment => continue,
                HeadLine::Statement { key, value } => (key, value),
                HeadLine::Unknown { start, message, .. } => return Err(line.error(start, message)),
            };
            let start = value.as_ptr().addr() - line.text.as_ptr().addr();
            let error = |message: String| line.error(start, message);
            if let Some(rule) = rules::by_name(&key) {
                head.clues.push((line.clone(), start, rule));
                continue;
            }
            if !matches!(&*key, "rules" | "cells" | "order") {
                stated.add(&key, value, line.number).map_err(error)?;
            }
            if matches!(&*key, "order" | "rows" | "columns" | "digits") {
                head.size = Some((line.clone(), start));
            }
            match &*key {
                "puzzle" if value == super::KIND.name => {}
                "puzzle" => {
                    return Err(error(format!("expected {}, found `{value}`", super::KIND.name)));
                }
                "boxes" if value == "none" => head.setting.is_latin = true,
                "regions" => head.regions = Some((line.clone(), start)),
                "boxes" => head.setting.boxes = Some(Setting::parse_boxes(value).map_err(error)?),
                "rules" if value.is_empty() => {
                    return Err(error("expected the names of rules, found none".to_owned()));
                }
                "rules" => {
                    for name in value.split([',', ' ']).filter(|name| !name.is_empty()) {
                        match rules::by_name(name).filter(|rule| rule.groups.1 == 0) {
                            Some(rule)
                                if head.clues.iter().any(|(.., known)| known.name == rule.name) => {}
                            Some(rule) => head.clues.push((line.clone(), line.text.len(), rule)),
                            None => head.setting.add_rules(&GridRule::parse_list(name).map_err(error)?),
                        }
                    }
                }
                "digits" => {
                    let number = |text: &str| {
                        text.trim().parse().ok().filter(|digit: &i32| (0..=99).contains(digit))
                    };
                    let ends = value.split_once('-');
                    let ends = ends.and_then(|(first, last)| Some((number(first)?, number(last)?)));
                    let fits =
                        |&(first, last): &(i32, i32)| (0..MAX_ORDER as i32).contains(&(last - first));
                    let ends = ends.filter(fits);
                    head.digits = Some(ends.ok_or_else(|| {
                        error(format!("expected the digits, such as 0-8, found `{value}`"))
                    })?);
                }
                "order" | "rows" | "columns" => {
                    let number = value.parse().ok().filter(|number| (1..=MAX_ORDER).contains(number));
                    let what = if key == "order" { "an order" } else { "a number" };
                    let number = number.ok_or_else(|| {
                        error(format!("expected {what} from 1 to {MAX_ORDER}, found `{value}`"))
                    })?;
                    for side in
                        ["rows", "columns"].into_iter().filter(|side| key == "order" || key == *side)
                    {
                        stated.add(side, value, line.number).map_err(error)?;
                        *(if side == "rows" { &mut head.rows } else { &mut head.columns }) =
                            Some(number);
                    }
                }
                "houses" if value == "none" => head.has_lines = false,
                "houses" => return Err(error(format!("expected none, found `{value}`"))),
                "cells" => head.outside.push(head.cells(value).map_err(error)?),
                _ => return Err(error(format!("expected a key of variants, found `{key}`"))),
            }
        }
        match (&head.regions, head.setting.boxes) {
            (Some((line, start)), Some((width, height))) => Err(line.error(
                *start,
                format!("expected regions or boxes, found both (boxes of {width}x{height})"),
            )),
            _ => Ok(head),
        }
    }

    /// Checks the row, column and digit counts of a grid against the header.
    fn check_size(&self, shape: &Shape) -> Result<(), InputError> {
        let Some((line, start)) = &self.size else { return Ok(()) };
        let digits = self.digit_count();
        let all = [
            ("rows", self.rows, shape.rows()),
            ("columns", self.columns, shape.columns()),
            ("digits", digits, shape.order()),
        ];
        match all.into_iter().find(|(_, said, found)| said.is_some_and(|said| said != *found)) {
            Some((what, Some(said), found)) => Err(line.error(
                *start,
                format!("expected {said} {what} as the head says, found {found} in the grid"),
            )),
            _ => Ok(()),
        }
    }

    /// Reads the name and the number of cells outside the rows, such as `A 8`.
    fn cells(&self, value: &str) -> Result<(String, usize), String> {
        let mut words = value.split_whitespace();
        let name = words.next().unwrap_or("");
        let count = words.next().map_or(Some(1), |count| count.parse().ok());
        let left = OUTSIDE_MAX - self.outside.iter().map(|(_, count)| count).sum::<usize>();
        let count = count.filter(|count| (1..=left).contains(count));
        let is_name = !name.is_empty() && name.bytes().all(|letter| letter.is_ascii_uppercase());
        match count.filter(|_| is_name && words.next().is_none()) {
            Some(_) if self.outside.iter().any(|(known, _)| known == name) => {
                Err(format!("expected another name, found `{name}` again"))
            }
            Some(count) => Ok((name.to_owned(), count)),
            None => Err(format!(
                "expected a name of capitals and a number of cells, at most {left} more, such as A 8, found `{value}`"
            )),
        }
    }

    fn fault(&self, message: String) -> InputError {
        match &self.regions {
            Some((line, start)) => line.error(*start, message),
            None => InputError::whole(message),
        }
    }

    fn fault_or(&self, line: &Line, message: String) -> InputError {
        match &self.regions {
            Some(_) => self.fault(message),
            None => line.error(0, message),
        }
    }

    fn first(&self) -> i32 {
        self.digits.map_or(1, |(first, _)| first)
    }

    fn digit_count(&self) -> Option<usize> {
        self.digits.and_then(|(first, last)| usize::try_from(last - first + 1).ok())
    }

    /// Returns whether the header defines a grid that grid formats do not support.
    fn is_own(&self) -> bool {
        let sides = self.rows.zip(self.digit_count());
        let is_square = self.rows == self.columns && sides.is_none_or(|(rows, count)| rows == count);
        self.first() != 1 || !is_square || !self.has_lines || !self.outside.is_empty()
    }

    /// Builds the shape with the given row and column counts, and the regions of the header.
    fn shape(&mut self, rows: usize, columns: usize) -> Result<Arc<Shape>, String> {
        let symbols = self.digit_count().unwrap_or(rows.max(columns));
        let is_square = (rows, columns) == (symbols, symbols) && self.has_lines;
        if is_square && self.outside.is_empty() && !self.has_partial_regions() {
            return self.setting.shape(symbols);
        }
        let regions = match &self.regions {
            Some((line, start)) => drawing::regions(&line.text[*start..], rows * columns)?,
            None if self.setting.is_latin || !self.has_lines && self.setting.boxes.is_none() => {
                Vec::new()
            }
            None => {
                let default = || boxes_of_size(rows, columns, rows.max(columns));
                let sizes = self.setting.boxes.or_else(default);
                let fits = |&(width, height): &(usize, usize)| {
                    columns.is_multiple_of(width) && rows.is_multiple_of(height)
                };
                if let Some((width, height)) = sizes.filter(|sizes| !fits(sizes)) {
                    return Err(format!(
                        "boxes of {width}x{height} do not fit {rows} rows and {columns} columns"
                    ));
                }
                sizes.map_or(Vec::new(), |sizes| boxes(rows, columns, sizes))
            }
        };
        let shape = Shape::of(&GridLayout {
            rows,
            columns,
            symbols,
            outside: self.outside.iter().map(|(_, count)| count).sum(),
            has_lines: self.has_lines,
            regions: &regions,
            rules: &self.setting.rules,
        })?;
        Ok(Arc::new(shape))
    }

    fn has_partial_regions(&self) -> bool {
        self.regions.as_ref().is_some_and(|(line, start)| line.text[*start..].contains('.'))
    }

    /// Adds the regions of the header, if it has any, to a square grid.
    fn with_regions(&mut self, grid: Grid) -> Result<Grid, InputError> {
        let Some((line, start)) = &self.regions else { return Ok(grid) };
        if !grid.shape().is_square() || self.has_partial_regions() {
            return Ok(grid);
        }
        let is_drawn = grid.shape().is_jigsaw();
        let labels: Vec<char> = line.text[*start..].chars().filter(|c| !c.is_whitespace()).collect();
        let shape = self.setting.jigsaw(grid.shape().order(), &labels);
        let shape = shape.map_err(|message| line.error(*start, message))?;
        let firsts = |shape: &Shape| -> Vec<Option<usize>> {
            let regions = shape.region_of_cells();
            regions.iter().map(|region| regions.iter().position(|other| other == region)).collect()
        };
        if is_drawn && firsts(&shape) != firsts(grid.shape()) {
            return Err(line.error(*start, "expected the regions that the grid draws, found others"));
        }
        let candidates = (0..shape.cell_count()).map(|cell| grid.candidates(cell)).collect();
        Ok(Grid::with_candidates(shape, candidates, grid.style))
    }
}
