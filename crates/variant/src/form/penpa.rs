//! Reads links of penpa-edit, a drawing tool, with digits, thick edges around regions, killer cages
//! with small sums in a corner, thermometers and arrows. The tags of a drawing give more elements a
//! meaning: a Latin square without regions, dots and bars between cells, circles and squares in
//! cells, and numbers outside the grid. All other elements are skipped and listed in a note.
//!
//! After `p=` comes a packed text (see `packed`) of lines: a header, margins, a mode, the layers of
//! the question as JSON, the layers of the answer, and the points of the cells in use, each as the
//! difference to the previous one. Line 18 contains the tags. The drawing has two extra cells on
//! each side. Points number the cells first, then their lower right corners, the middles of their
//! lower sides, the middles of their right sides, and four positions within each cell.
//!
//! The tags have the meaning that penpa-edit checks. With `consecutivepairs`, bars mark cells that
//! differ by 1. `consecutive` requires a bar at every such pair, and `nonconsecutive` forbids such
//! pairs. With `evenodd`, circles are odd and squares even. `kropki` and `skyscrapers` have the
//! same meaning as in puzz.link. Other tags belong to other puzzles and are refused.

pub(super) mod packed;
mod write;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::object::{Unused, is_unset, list, set};
use super::{LinkForm, NamedClues, Packing, clue, dots, only_line};
use crate::rules::Args;
use crate::{Variant, VariantBoard};
use grid::{MAX_ORDER, Setting};
use puzzle::cover::parse_json;
use text::{InputError, directive};

pub(super) const FORM: LinkForm = LinkForm {
    name: "penpa",
    summary: "links of penpa-edit: digits, regions, cages, thermometers, arrows, dots, skyscrapers",
    recognizes,
    read,
    write: Some(write::link),
};

pub(super) const PACKING: Packing = Packing {
    name: "penpa",
    unpack: |link| packed::unpacked(behind_p(link)?).ok(),
    pack: |text| {
        let letters = packed::packed(text);
        format!("https://swaroopg92.github.io/penpa-edit/#m=edit&p={letters}\n")
    },
};

/// Layers that are read; others are skipped.
const LAYERS: [&str; 8] =
    ["number", "numberS", "symbol", "lineE", "cage", "killercages", "thermo", "arrows"];
/// Layers that never contain a part of a puzzle.
const IDLE: [&str; 4] = ["command_redo", "command_undo", "command_replay", "deletelineE"];
const TAGS: [&str; 12] = [
    "classic",
    "latin",
    "irregular",
    "arrow",
    "thermo",
    "killer",
    "evenodd",
    "consecutivepairs",
    "consecutive",
    "nonconsecutive",
    "kropki",
    "skyscrapers",
];
/// Tags that do not affect the puzzle.
const IDLE_TAGS: [&str; 2] = ["noconflict", "puzzlehunt"];
/// Number of lines of a drawing that penpa-edit writes; those not read concern its page.
const LINES_MAX: usize = 19;
/// Line of the tags, 0-based.
const TAGS_LINE: usize = 17;

fn behind_p(text: &str) -> Option<&str> {
    let line = text.trim_start().lines().next()?;
    let (address, behind) = line.split_once("penpa-edit/")?;
    let query = behind.trim().trim_start_matches(['#', '?']);
    let is_link = address.starts_with("http");
    query.split('&').find_map(|part| part.strip_prefix("p=")).filter(|_| is_link)
}

fn recognizes(sample: &str) -> bool {
    behind_p(sample).is_some()
}

/// Checks the fields of the address: `m=edit` or `m=solve`, the drawing, and fields whose key is
/// one letter, which do not affect the clues.
fn check_fields(line: &str) -> Result<(), String> {
    let (_, behind) = line.split_once("penpa-edit/").unwrap_or_default();
    let mut seen = BTreeSet::new();
    for field in behind.trim().trim_start_matches(['#', '?']).split('&') {
        let (key, value) = field.split_once('=').unwrap_or((field, ""));
        let is_known = match key {
            "m" => ["edit", "solve"].contains(&value),
            _ => key.len() == 1 && key.bytes().all(|key| key.is_ascii_lowercase()),
        };
        if !is_known || !seen.insert(key) {
            return Err(format!(
                "expected `m=edit`, `p=...` or another field, each once, found `{key}`"
            ));
        }
    }
    Ok(())
}

fn read(text: &str) -> Result<Variant, InputError> {
    let line = only_line(text)?;
    check_fields(&line.text).map_err(|message| line.error(0, message))?;
    let letters = behind_p(&line.text).unwrap_or("");
    let said = directive(text, "drawing");
    let read = packed::unpacked(letters).and_then(|text| variant(&text, said));
    read.map_err(|message| line.error(0, message))
}

/// A square of cells, and its position in the point numbering of the drawing.
struct DrawnSquare {
    /// Number of cells in a row of the drawing, including margins.
    width: usize,
    /// Number of all cells of the drawing, including margins.
    all: usize,
    corner: usize,
    order: usize,
}

impl DrawnSquare {
    fn new(head: &str, used: &str) -> Result<Self, String> {
        let mut fields = head.split(',');
        let kind = fields.next().unwrap_or("");
        if kind.starts_with(|c: char| c.is_ascii_digit()) {
            return Err("expected a drawing of penpa-edit 2 or 3, found version 1".to_owned());
        }
        if !["square", "sudoku"].contains(&kind) {
            return Err(format!("expected a square grid, found `{kind}`"));
        }
        let mut side = || fields.next()?.trim().parse().ok().filter(|side| (1..=200).contains(side));
        let (columns, rows): (usize, usize) =
            side().zip(side()).ok_or("expected columns and rows in the head of the drawing")?;
        let (width, height) = (columns + 4, rows + 4);
        let steps: Vec<i64> =
            serde_json::from_str(used).map_err(|_| "expected the cells in use in the drawing")?;
        let mut cells = BTreeSet::new();
        let mut at = 0_i64;
        for step in steps {
            at = at.saturating_add(step);
            let cell = usize::try_from(at).ok().filter(|&cell| cell < width * height);
            if !cell.is_some_and(|cell| cells.insert(cell)) {
                return Err(format!("expected each cell of the drawing once, found the step {step}"));
            }
        }
        let order = cells.len().isqrt();
        let corner = cells.first().copied().unwrap_or(0);
        let square = Self { width, all: width * height, corner, order };
        // Other cells must surround the cells in use on all sides.
        let has_room = (1..width.saturating_sub(order)).contains(&(corner % width))
            && (1..height.saturating_sub(order)).contains(&(corner / width));
        let is_square = (1..=MAX_ORDER).contains(&order)
            && has_room
            && cells.iter().copied().eq((0..order * order).map(|cell| square.point(cell)));
        is_square.then_some(square).ok_or_else(|| {
            format!(
                "expected a square of cells in use, at most {MAX_ORDER} in a row, found {} cells",
                cells.len()
            )
        })
    }

    fn point(&self, cell: usize) -> usize {
        self.corner + cell / self.order * self.width + cell % self.order
    }

    /// Returns the cell of the grid at a point, if the point is a cell of the grid.
    fn cell(&self, point: usize) -> Option<usize> {
        let point = point.checked_sub(self.corner)?;
        let (row, column) = (point / self.width, point % self.width);
        (row < self.order && column < self.order).then_some(row * self.order + column)
    }

    fn cells(&self, list: &Value) -> Result<Vec<usize>, String> {
        let list =
            list.as_array().ok_or_else(|| format!("expected a list of cells, found `{list}`"))?;
        let cell = |value: &Value| {
            let point = value.as_u64().or_else(|| value.as_str()?.parse().ok());
            let cell =
                point.and_then(|point| usize::try_from(point).ok()).and_then(|point| self.cell(point));
            cell.ok_or_else(|| {
                format!("expected a cell of the grid, found point `{value}` of the drawing")
            })
        };
        list.iter().map(cell).collect()
    }

    /// Returns the two cells whose common side has the point as its middle.
    fn side(&self, point: usize) -> Option<(usize, usize)> {
        let (cell, step) = match point / self.all {
            2 => (point - 2 * self.all, self.width),
            3 => (point - 3 * self.all, 1),
            _ => return None,
        };
        self.cell(cell).zip(self.cell(cell + step))
    }

    /// Returns the cells of the row or column seen from a number outside the grid, the nearest cell
    /// first.
    fn line(&self, point: usize) -> Option<Vec<usize>> {
        let order = self.order;
        let all = 0..order;
        // Rows and columns count from the cell that is diagonally above and left of the first cell
        // of the grid.
        let point = point.checked_sub(self.corner - self.width - 1)?;
        let (row, column) = (point / self.width, point % self.width);
        let inside = 1..=order;
        Some(match (inside.contains(&row), inside.contains(&column)) {
            (true, false) if column == 0 => all.map(|at| (row - 1) * order + at).collect(),
            (true, false) if column == order + 1 => {
                all.rev().map(|at| (row - 1) * order + at).collect()
            }
            (false, true) if row == 0 => all.map(|at| at * order + column - 1).collect(),
            (false, true) if row == order + 1 => all.rev().map(|at| at * order + column - 1).collect(),
            _ => return None,
        })
    }

    /// Returns the region of each cell: cells belong together unless a thick edge separates them.
    /// Without any edges, the cells are in no region if `is_needed` is false. Edges that separate
    /// no regions go to `unused`.
    fn regions(
        &self,
        layers: &Value,
        is_needed: bool,
        unused: &mut Unused,
    ) -> Result<Vec<Option<u64>>, String> {
        let mut thick = BTreeSet::new();
        for (key, style) in map(layers, "lineE")? {
            let (one, other) = ends(key)?;
            let edge = (one.min(other), one.max(other));
            if !matches!(style.as_u64(), Some(2 | 21)) {
                unused.add("edges that are not thick");
            } else if !thick.insert(edge) {
                return Err(format!("expected each edge once, found `{key}` again"));
            }
        }
        // The lower right corner of a cell has the point of the cell plus the number of all cells.
        let has = |one: usize, other: usize| thick.contains(&(one + self.all, other + self.all));
        let (order, width) = (self.order, self.width);
        let is_parted = |cell: usize, to_right: bool| {
            let point = self.point(cell);
            if to_right { has(point - width, point) } else { has(point - 1, point) }
        };
        let mut labels: Vec<Option<u64>> = vec![None; order * order];
        let mut count = 0;
        for start in 0..order * order {
            if labels[start].is_some() {
                continue;
            }
            let mut open = vec![start];
            while let Some(cell) = open.pop() {
                if labels[cell].replace(count).is_some() {
                    continue;
                }
                let (row, column) = (cell / order, cell % order);
                let mut go = |is_there: bool, next: usize, is_parted: bool| {
                    if is_there && !is_parted && labels[next].is_none() {
                        open.push(next);
                    }
                };
                go(column + 1 < order, cell + 1, is_parted(cell, true));
                go(column > 0, cell.wrapping_sub(1), column > 0 && is_parted(cell - 1, true));
                go(row + 1 < order, cell + order, is_parted(cell, false));
                go(row > 0, cell.wrapping_sub(order), row > 0 && is_parted(cell - order, false));
            }
            count += 1;
        }
        let label = |point: usize| self.cell(point).map(|cell| labels[cell]);
        for &(one, other) in &thick {
            // The points of the cells on both sides of an edge between lower right corners.
            let sides = match other - one {
                _ if one / self.all != 1 || other / self.all != 1 => None,
                1 => Some((other - self.all, other - self.all + width)),
                step if step == width => Some((other - self.all, other - self.all + 1)),
                _ => None,
            };
            if sides.is_none_or(|(one, other)| label(one) == label(other)) {
                unused.add("edges that separate no regions");
            }
        }
        if count == 1 && !is_needed {
            return Ok(vec![None; order * order]);
        }
        if count as usize != order || order == 1 {
            return Err(format!("expected thick edges around {order} regions, found {count}"));
        }
        Ok(labels)
    }
}

/// Reads the tags of a drawing. A missing list means no tags.
fn tags(line: &str) -> Result<Vec<String>, String> {
    let line = if line.trim().is_empty() { "[]" } else { line };
    let tags: Vec<String> = serde_json::from_str(line)
        .map_err(|_| format!("expected a list of tags in the drawing, found `{line}`"))?;
    match tags.iter().find(|tag| ![&TAGS[..], &IDLE_TAGS].concat().contains(&&***tag)) {
        None => Ok(tags),
        Some(tag) => {
            Err(format!("expected a drawing with tags of {}, found the tag `{tag}`", TAGS.join(", ")))
        }
    }
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Returns the entries of a layer that is an object.
///
/// # Errors
/// If it is something else.
fn map<'v>(
    layers: &'v Value,
    name: &str,
) -> Result<impl Iterator<Item = (&'v String, &'v Value)>, String> {
    match set(layers, name) {
        None => Ok(None.into_iter().flatten()),
        Some(Value::Object(map)) => Ok(Some(map).into_iter().flatten()),
        Some(other) => Err(format!("expected an object in `{name}`, found `{other}`")),
    }
}

/// Returns the entries of a layer by their points.
///
/// # Errors
/// If a key is not the number of a point.
fn entries<'v>(layers: &'v Value, name: &str) -> Result<BTreeMap<usize, &'v Value>, String> {
    let point = |(key, entry): (&String, &'v Value)| match key.parse::<usize>() {
        Ok(point) if point.to_string() == *key => Ok((point, entry)),
        _ => Err(format!("expected the number of a point in `{name}`, found `{key}`")),
    };
    map(layers, name)?.map(point).collect()
}

/// Reads the ends of a line: `82,83`.
fn ends(key: &str) -> Result<(usize, usize), String> {
    let number = |text: &str| text.parse().ok().filter(|number: &usize| number.to_string() == text);
    let ends = key.split_once(',').and_then(|(one, other)| number(one).zip(number(other)));
    ends.ok_or_else(|| format!("expected two points of the drawing, found `{key}`"))
}

/// Reads a drawing. `said` is the tag stated in the header, where `sudoku` stands for `classic`.
fn variant(text: &str, said: Option<&str>) -> Result<Variant, String> {
    let lines: Vec<&str> = text.lines().collect();
    let line = |index: usize| lines.get(index).copied().unwrap_or("");
    let mut tags = tags(line(TAGS_LINE))?;
    if let Some(said) = said.map(|said| if said == "sudoku" { "classic" } else { said }) {
        if !TAGS.contains(&said) {
            return Err(format!(
                "expected sudoku or a tag of {} in `drawing`, found `{said}`",
                TAGS.join(", ")
            ));
        }
        let is_known = |tag: &String| TAGS.contains(&&**tag) && tag != said;
        if let Some(tag) = tags.iter().find(|tag| is_known(tag)) {
            return Err(format!(
                "expected `{tag}` in `drawing`, as the drawing itself says, found `{said}`"
            ));
        }
        tags.push(said.to_owned());
    }
    if tags.iter().any(|tag| TAGS.contains(&&**tag)) {
        return tagged(&lines, &tags);
    }
    // Without a tag, only the usual boxes, cages, thermometers or arrows identify a Sudoku.
    let untold = |reason: &str| {
        format!(
            "expected a drawing with a tag of {}, found none: a drawing states no rules ({reason}); `# drawing: sudoku` above the link names its kind",
            TAGS.join(", ")
        )
    };
    let variant = tagged(&lines, &tags).map_err(|message| untold(&message))?;
    let layers = parse_json(line(3)).unwrap_or_default();
    let has_clues = ["killercages", "thermo", "arrows"].iter().any(|layer| !is_unset(&layers[layer]));
    let shape = &variant.board.shape;
    if has_clues || Setting::default().shape(shape.order()).is_ok_and(|usual| *usual == **shape) {
        return Ok(variant);
    }
    Err(untold("and regions alone do not make a Sudoku"))
}

/// Number of fields of a number, a small number or a symbol: its text or style, its color or name,
/// and its style or place.
const FIELDS_MAX: usize = 3;

fn tagged(lines: &[&str], tags: &[String]) -> Result<Variant, String> {
    let line = |index: usize| lines.get(index).copied().unwrap_or("");
    let square = DrawnSquare::new(line(0), line(5))?;
    let layers: Value =
        parse_json(line(3)).map_err(|error| format!("expected the layers of the drawing: {error}"))?;
    if !layers.is_object() {
        return Err(format!("expected the layers of the drawing, found `{layers}`"));
    }
    let mut unused = Unused::default();
    let has = |tag: &str| tags.iter().any(|known| known == tag);
    let need_none = ["latin", "kropki", "skyscrapers"].into_iter().any(has);
    let labels = square.regions(&layers, !need_none, &mut unused)?;
    let (board, mut grid, mut clues) =
        super::of_regions(square.order, &labels, &mut Setting::default())?;
    let mut entries = |name: &str| {
        let entries = entries(&layers, name)?;
        let is_long = |entry: &&Value| entry.as_array().is_some_and(|list| list.len() > FIELDS_MAX);
        if entries.values().any(is_long) {
            unused.add(format!("further fields in `{name}`"));
        }
        Ok::<_, String>(entries)
    };
    let (numbers, small_numbers, marks) = (entries("number")?, entries("numberS")?, entries("symbol")?);
    for (point, entry) in numbers {
        let number = entry.get(0).and_then(text_of).and_then(|text| text.parse::<usize>().ok());
        let is_plain = entry.get(2).is_none_or(|style| style == "1");
        let number = number.filter(|_| is_plain);
        match (square.cell(point), number, square.line(point)) {
            (Some(cell), Some(digit), _) if (1..=square.order).contains(&digit) => {
                grid.place(cell, digit - 1);
            }
            (None, Some(seen), Some(line)) if has("skyscrapers") => {
                clues.push(clue("skyscraper", line, vec![seen as i64]));
            }
            (Some(_), ..) => unused.add("texts in cells"),
            (None, ..) => unused.add("numbers outside of the grid"),
        }
    }
    // Small numbers, keyed by the cell in whose upper left corner they stand.
    let mut sums: BTreeMap<usize, i64> = BTreeMap::new();
    for (point, entry) in small_numbers {
        let place = point.checked_sub(4 * square.all).filter(|place| place % 4 == 0);
        let cell = place.and_then(|place| square.cell(place / 4));
        let sum = entry.get(0).and_then(text_of).and_then(|text| text.parse().ok());
        match cell.zip(sum) {
            Some((cell, sum)) => drop(sums.insert(cell, sum)),
            None => unused.add("small numbers"),
        }
    }
    clues.extend(cages(&square, list(&layers, "killercages")?, &mut sums)?);
    if !sums.is_empty() {
        unused.add("small numbers");
    }
    if !is_around_cages(&square, &layers)? {
        unused.add("cage");
    }
    for line in list(&layers, "thermo")? {
        let cells = square.cells(line)?;
        if cells.len() > 1 {
            clues.push(clue("thermo", cells, vec![]));
        }
    }
    let mut circles = BTreeSet::new();
    for line in list(&layers, "arrows")? {
        let cells = square.cells(line)?;
        if let [circle, shaft @ ..] = &cells[..]
            && !shaft.is_empty()
        {
            circles.insert(*circle);
            let groups = vec![vec![*circle], shaft.to_vec()];
            clues.push(("arrow", Args { groups, values: vec![], ..Args::default() }));
        }
    }
    let (named, is_all) = symbols(&square, &board, &marks, &has, &circles);
    clues.extend(named);
    if !is_all {
        unused.add("symbol");
    }
    if lines.iter().skip(LINES_MAX).any(|line| !line.trim().is_empty()) {
        unused.add(format!("lines after line {LINES_MAX} of the drawing"));
    }
    for (name, layer) in layers.as_object().into_iter().flatten() {
        if !is_unset(layer) && ![&LAYERS[..], &IDLE].concat().contains(&&**name) {
            unused.add(name);
        }
    }
    super::variant(board, grid, clues, unused)
}

/// Returns whether the lines of the layer `cage` surround cells of cages: they only draw these.
fn is_around_cages(square: &DrawnSquare, layers: &Value) -> Result<bool, String> {
    let mut cells = BTreeSet::new();
    for cage in list(layers, "killercages")? {
        cells.extend(square.cells(cage)?);
    }
    // The ends of a line are at the four positions within cells.
    let cell = |point: usize| square.cell((point / 4).checked_sub(square.all)?);
    let is_in_cage = |point: usize| cell(point).is_some_and(|cell| cells.contains(&cell));
    for (key, _) in map(layers, "cage")? {
        let (one, other) = ends(key)?;
        if !is_in_cage(one) || !is_in_cage(other) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Sizes of circles and squares.
const SIZES: [&str; 5] = ["SS", "S", "M", "L", "LL"];

/// Builds the clues of symbols that have a meaning under the tags, and returns whether that covers
/// every symbol. The circles of arrows (`circles`) have no other meaning.
fn symbols(
    square: &DrawnSquare,
    board: &VariantBoard,
    entries: &BTreeMap<usize, &Value>,
    has: &dyn Fn(&str) -> bool,
    circles: &BTreeSet<usize>,
) -> (NamedClues, bool) {
    let mut marks: BTreeMap<(usize, usize), u8> = BTreeMap::new();
    let (mut odd, mut even, mut is_all) = (Vec::new(), Vec::new(), true);
    let has_bars = ["consecutivepairs", "consecutive", "nonconsecutive"].into_iter().any(has);
    let has_dots = has("kropki");
    for (&point, entry) in entries {
        let name = entry.get(1).and_then(Value::as_str).unwrap_or("");
        let style = entry.get(0).and_then(Value::as_u64);
        let is_shape = |shape: &str, sizes: &[&str]| {
            name.strip_prefix(shape).is_some_and(|size| sizes.contains(&size))
        };
        let is_bar = is_shape("bars_", &["B", "G", "W"]);
        let is_round = is_shape("circle_", &SIZES);
        match (square.cell(point), square.side(point), style) {
            (Some(cell), ..) if is_round && circles.contains(&cell) => {}
            (Some(cell), ..) if is_round && has("evenodd") => odd.push(cell),
            (Some(cell), ..) if is_shape("square_", &SIZES) && has("evenodd") => even.push(cell),
            (_, Some(pair), Some(style @ 1..=2)) if is_round && has_dots => {
                marks.insert(pair, if style == 1 { dots::WHITE } else { dots::BLACK });
            }
            (_, Some(pair), style)
                if has_bars && !has_dots && (is_bar || is_round && style != Some(2)) =>
            {
                marks.insert(pair, dots::WHITE);
            }
            _ => is_all = false,
        }
    }
    let mut clues = NamedClues::new();
    let groups = [("odd", odd), ("even", even)].into_iter().filter(|(_, cells)| !cells.is_empty());
    clues.extend(groups.map(|(name, cells)| clue(name, cells, vec![])));
    let has_all = !has("consecutivepairs") && (has("consecutive") || has("nonconsecutive"));
    if has_dots {
        clues.extend(dots::kropki(board, |pair| marks.get(&pair).copied().unwrap_or(0)));
    } else if has_all && marks.is_empty() {
        clues.push(("nonconsecutive", Args::default()));
    } else {
        for (one, other) in board.sides() {
            match marks.contains_key(&(one, other)) {
                true => clues.push(clue("difference", vec![one, other], vec![])),
                false if has_all => clues.push(clue("no-difference", vec![one, other], vec![])),
                false => {}
            }
        }
    }
    (clues, is_all)
}

fn cages(
    square: &DrawnSquare,
    cages: &[Value],
    sums: &mut BTreeMap<usize, i64>,
) -> Result<NamedClues, String> {
    let mut clues = NamedClues::new();
    for cage in cages {
        let cells = square.cells(cage)?;
        let sum = cells.iter().find_map(|cell| sums.remove(cell));
        match (cells.len(), sum) {
            (0, _) | (1, None) => {}
            _ => clues.push(clue("killer", cells, sum.into_iter().collect())),
        }
    }
    Ok(clues)
}
