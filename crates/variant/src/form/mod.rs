//! Text formats and links of other programs for variants.
//!
//! [`FORMS`] is the table of formats; each is one file and one entry. A clue without a counterpart
//! in [`RULES`](super::rules) is refused by name, because dropping it would change the puzzle.
//! Elements without an effect on the answer are skipped and listed in a note.

mod base64;
mod dots;
mod fpuzzles;
mod ipuz;
mod iss;
mod lz;
mod object;
mod penpa;
mod puzzlink;
mod sudokupad;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use self::object::Unused;
use super::clue::CluePart;
use super::rules::{self, Args, Rule};
use super::{Placed, Variant, VariantBoard};
use grid::{Grid, Setting, Style, format};
use text::{InputError, Line, content_lines};

type NamedClues = Vec<(&'static str, Args)>;

/// Writes a variant, or returns a message about the first part that the format cannot express.
type WriteForm = fn(&Variant) -> Result<String, String>;

#[derive(Clone, Copy)]
pub(super) struct LinkForm {
    pub(super) name: &'static str,
    pub(super) summary: &'static str,
    /// Returns whether a text with this beginning is in the format.
    pub(super) recognizes: fn(&str) -> bool,
    pub(super) read: fn(&str) -> Result<Variant, InputError>,
    pub(super) write: Option<WriteForm>,
    /// Returns the rules that the form writes, as its table lists them.
    #[cfg(test)]
    rules: fn() -> Vec<&'static str>,
}

impl LinkForm {
    /// Returns the keys that header lines above such a text may have. Only drawings of penpa need a
    /// statement of their kind.
    pub(super) fn keys(&self) -> &'static [&'static str] {
        if self.name == penpa::FORM.name { &["drawing"] } else { &[] }
    }
}

pub(super) const FORMS: &[LinkForm] = &[
    iss::FORM,
    fpuzzles::FORM,
    fpuzzles::LINK,
    ipuz::FORM,
    sudokupad::FORM,
    puzzlink::FORM,
    penpa::FORM,
];

/// A compressed form of links.
#[derive(Clone, Copy, Debug)]
pub struct Packing {
    /// The name of the form.
    pub name: &'static str,
    /// Returns the text that a link holds, if it is one.
    pub unpack: fn(&str) -> Option<String>,
    /// Returns the link that holds a text.
    pub pack: fn(&str) -> String,
}

/// The compressed forms of links.
pub const PACKINGS: [Packing; 3] = [fpuzzles::PACKING, sudokupad::PACKING, penpa::PACKING];

pub(super) fn of(sample: &str) -> Option<&'static LinkForm> {
    FORMS.iter().find(|form| (form.recognizes)(content_of(sample)))
}

/// Returns the text from its first line that is neither empty nor a comment.
fn content_of(text: &str) -> &str {
    let start = content_lines(text).next().map(|(_, line)| line.as_ptr().addr() - text.as_ptr().addr());
    start.and_then(|start| text.get(start..)).unwrap_or(text)
}

/// Writes a variant in the format called `name`; returns `None` if no such format can be written.
pub(super) fn write(variant: &Variant, name: &str) -> Option<Result<String, String>> {
    let form = FORMS.iter().find(|form| form.name == name)?;
    let write = form.write?;
    let shape = &variant.board.shape;
    if name != iss::FORM.name && !shape.is_square() {
        let (rows, columns, digits) = (shape.rows(), shape.columns(), shape.order());
        return Some(Err(format!(
            "the form {name} holds squares with as many digits as rows, found {rows} rows, {columns} columns, \
             {digits} digits and {} cells beside them",
            shape.outside()
        )));
    }
    let repeats =
        |cells: &Vec<usize>| cells.iter().enumerate().any(|(at, cell)| cells[..at].contains(cell));
    let twice = variant.placed.iter().find(|placed| placed.args.groups.iter().any(repeats));
    if let Some(placed) = twice.filter(|_| name != iss::FORM.name) {
        let line = variant.line(placed);
        return Some(Err(format!(
            "the form {name} has no form for cells that are named twice, as in {line}"
        )));
    }
    Some(write(variant))
}

/// Builds the clue of a rule of the table.
fn placed(board: &VariantBoard, (name, args): (&str, Args)) -> Result<Placed, String> {
    Placed::new(board, rules::by_name(name).expect("a rule of the table"), args)
}

/// Builds a variant from the parts that a format read, with a note about the unused ones.
fn variant(
    board: VariantBoard,
    grid: Grid,
    named: NamedClues,
    unused: Unused,
) -> Result<Variant, String> {
    let place = |clue: (&'static str, Args)| {
        let name = clue.0;
        placed(&board, clue).map_err(|message| format!("{message} ({name})"))
    };
    let placed = named.into_iter().map(place).collect::<Result<_, _>>()?;
    let mut variant = Variant::new(board, grid, placed)?;
    let notes: Vec<String> = variant.note.take().into_iter().chain(unused.note()).collect();
    variant.note = (!notes.is_empty()).then(|| notes.join("; "));
    Ok(variant)
}

/// Returns the first line that is neither empty nor a comment, as the position of errors about the
/// whole text.
fn first_line(text: &str) -> Line {
    let (number, line) = content_lines(text).next().unwrap_or((1, ""));
    Line { text: line.to_owned(), number }
}

fn only_line(text: &str) -> Result<Line, InputError> {
    let first = first_line(text);
    match content_lines(text).find(|(number, _)| *number > first.number) {
        Some((number, more)) => Err(InputError::at(number, more, 0, "expected one link, found more")),
        None => Ok(first),
    }
}

/// Converts an error in embedded JSON to an error at the matching position of the whole text.
fn json_error(text: &str, json: &str, what: &str, error: &serde_json::Error) -> InputError {
    let all = error.to_string();
    let message = all.rsplit_once(" at line ").map_or(&*all, |(message, _)| message);
    // Lines and bytes of the JSON count from 1. Its first line may begin in the middle of a line of
    // the text.
    let start = json.as_ptr().addr().saturating_sub(text.as_ptr().addr());
    let before = text.get(..start).unwrap_or("");
    let first = before.matches('\n').count();
    let number = first + error.line().max(1) - 1;
    let shift = if number == first { start - before.rfind('\n').map_or(0, |end| end + 1) } else { 0 };
    let line = text.lines().nth(number).unwrap_or("");
    let column = if error.is_eof() { line.len() } else { error.column().saturating_sub(1) };
    let place = (shift + column).min(line.len());
    let place = (0..=place).rfind(|&place| line.is_char_boundary(place)).unwrap_or(0);
    InputError::at(number + 1, line, place, format!("expected {what}: {message}"))
}

/// Builds an empty grid with one region label per cell (`None` for a cell in no region). If the
/// regions do not tile the grid, each region becomes a clue that its cells differ.
fn of_regions(
    order: usize,
    labels: &[Option<u64>],
    setting: &mut Setting,
) -> Result<(VariantBoard, Grid, NamedClues), String> {
    let whole: Option<Vec<u64>> = labels.iter().copied().collect();
    let jigsaw = whole.and_then(|labels| setting.jigsaw(order, &labels).ok());
    let mut clues = NamedClues::new();
    let shape = match jigsaw {
        Some(shape) => shape,
        None => {
            let mut regions = std::collections::BTreeMap::<u64, Vec<usize>>::new();
            for (cell, label) in labels.iter().enumerate() {
                if let Some(label) = label {
                    regions.entry(*label).or_default().push(cell);
                }
            }
            let regions = regions.into_values().filter(|cells| cells.len() > 1);
            clues.extend(regions.map(|cells| clue("extra", cells, vec![])));
            setting.is_latin = true;
            setting.shape(order)?
        }
    };
    let (board, grid) = empty(shape, 1);
    Ok((board, grid, clues))
}

fn empty(shape: Arc<grid::Shape>, first: i32) -> (VariantBoard, Grid) {
    let style = format::by_name("rows").map_or_else(Style::default, Style::new);
    let grid = Grid::empty(Arc::clone(&shape), style);
    (VariantBoard::new(shape, first), grid)
}

fn clue(name: &'static str, cells: Vec<usize>, values: Vec<i64>) -> (&'static str, Args) {
    (name, Args { groups: vec![cells], values, ..Args::default() })
}

fn clue_of(name: &'static str, groups: Vec<Vec<usize>>) -> (&'static str, Args) {
    (name, Args { groups, ..Args::default() })
}

/// Returns the digits that a clue of single cells leaves to each of them.
fn allowed(board: &VariantBoard, rule: &Rule, args: &Args) -> Option<Vec<i64>> {
    let clues = rule.clues(board, args).ok()?;
    let test = clues.iter().flat_map(|clue| &clue.parts).find_map(|part| match part {
        CluePart::Only(_, test) => Some(test),
        _ => None,
    })?;
    Some(board.digits().filter(|&digit| test(digit)).map(i64::from).collect())
}

/// Returns the upper left cell of a square of four cells.
fn square_at(board: &VariantBoard, cells: &[usize]) -> Option<usize> {
    let mut sorted = cells.to_vec();
    sorted.sort_unstable();
    let (first, columns) = (*sorted.first()?, board.columns());
    let is_square = sorted == [first, first + 1, first + columns, first + columns + 1];
    (is_square && first % columns + 1 < columns).then_some(first)
}
