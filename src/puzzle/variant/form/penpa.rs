//! Links of penpa-edit, which is a drawing board: digits, thick edges around regions, killer cages with small sums in a corner,
//! thermometers and arrows. All else is passed over, which a note tells.
//!
//! Behind `p=` stands base64 of a raw deflate of lines: a head, margins, a mode, the layers of the question as JSON, those of the
//! answer, and the numbers of the cells in use, each as the distance from the one before. Frequent words are replaced by `z` and a
//! letter. A square of cells has two cells more on each side; behind the numbers of the cells follow those of their lower right
//! corners, of the middles of their sides, and of four places within each.
//!
//! # Bounds
//! At most [`BYTES_MAX`] bytes are unpacked.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;

use serde_json::Value;

use super::{LinkForm, NamedClues, clue, first_line, lz};
use crate::grid::{MAX_ORDER, Setting};
use crate::input::InputError;
use crate::puzzle::variant::Variant;
use crate::puzzle::variant::rules::Args;

pub(super) const FORM: LinkForm = LinkForm {
    name: "penpa",
    summary: "links of penpa-edit: digits, regions, killer cages, thermometers, arrows",
    recognizes,
    read,
    write: None,
};

/// The most bytes of the text that a link unpacks to.
const BYTES_MAX: u64 = 2 << 20;

/// What stands for frequent words; the first comes last when they are put back.
const SHORT: [(&str, &str); 31] = [
    ("zZ", "z"),
    ("z9", "\"qa\""),
    ("zQ", "\"pu_q\""),
    ("zA", "\"pu_a\""),
    ("zG", "\"grid\""),
    ("zM", "\"edit_mode\""),
    ("zS", "\"surface\""),
    ("zL", "\"line\""),
    ("zE", "\"lineE\""),
    ("zW", "\"wall\""),
    ("zC", "\"cage\""),
    ("zN", "\"number\""),
    ("zY", "\"symbol\""),
    ("zP", "\"special\""),
    ("zB", "\"board\""),
    ("zR", "\"command_redo\""),
    ("zU", "\"command_undo\""),
    ("z8", "\"command_replay\""),
    ("z1", "\"numberS\""),
    ("zF", "\"freeline\""),
    ("z2", "\"freelineE\""),
    ("zT", "\"thermo\""),
    ("z3", "\"arrows\""),
    ("zD", "\"direction\""),
    ("z0", "\"squareframe\""),
    ("z5", "\"polygon\""),
    ("z4", "\"deletelineE\""),
    ("z6", "\"killercages\""),
    ("z7", "\"nobulbthermo\""),
    ("z_", "\"__a\""),
    ("zO", "null"),
];

/// Layers that are read; others are passed over.
const LAYERS: [&str; 6] = ["number", "numberS", "lineE", "killercages", "thermo", "arrows"];
/// Layers that hold no part of a puzzle.
const IDLE: [&str; 4] = ["command_redo", "command_undo", "command_replay", "deletelineE"];

fn packed(text: &str) -> Option<&str> {
    let line = text.trim_start().lines().next()?;
    let (address, behind) = line.split_once("penpa-edit/")?;
    let query = behind.trim().trim_start_matches(['#', '?']);
    let is_link = address.starts_with("http");
    query.split('&').find_map(|part| part.strip_prefix("p=")).filter(|_| is_link)
}

fn recognizes(sample: &str) -> bool {
    packed(sample).is_some()
}

fn read(text: &str) -> Result<Variant, InputError> {
    let line = first_line(text);
    let packed = packed(&line.text).unwrap_or("");
    unpacked(packed).and_then(|text| variant(&text)).map_err(|message| line.error(0, message))
}

/// Unpacks the text of a link.
fn unpacked(packed: &str) -> Result<String, String> {
    let broken = || "expected a compressed drawing, found one that is cut or broken".to_owned();
    let packed = packed.replace("%2B", "+").replace("%2F", "/").replace("%3D", "=");
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0_u32, 0);
    for letter in packed.trim_end_matches('=').bytes() {
        bits = bits << 6 | u32::from(lz::sextet(letter).ok_or_else(broken)?);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    let mut text = String::new();
    let mut inflated = flate2::read::DeflateDecoder::new(&bytes[..]).take(BYTES_MAX + 1);
    inflated.read_to_string(&mut text).map_err(|_| broken())?;
    if text.len() as u64 > BYTES_MAX {
        return Err(format!("expected a drawing of at most {BYTES_MAX} bytes, found more"));
    }
    for (short, long) in SHORT.iter().rev() {
        text = text.replace(short, long);
        if text.len() as u64 > 8 * BYTES_MAX {
            return Err(format!("expected a drawing of at most {BYTES_MAX} bytes, found more"));
        }
    }
    Ok(text)
}

/// A square of cells within the numbers of all points.
struct DrawnSquare {
    /// Cells in a row, with those around.
    width: usize,
    /// All cells, with those around.
    all: usize,
    /// The first cell in use.
    corner: usize,
    order: usize,
}

impl DrawnSquare {
    /// Finds the square of the cells in use.
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
        for step in steps.iter().take(width * height) {
            at = at.saturating_add(*step);
            cells.extend(usize::try_from(at).ok().filter(|&cell| cell < width * height));
        }
        let order = cells.len().isqrt();
        let corner = cells.first().copied().unwrap_or(0);
        let square = Self { width, all: width * height, corner, order };
        let is_square = (1..=MAX_ORDER).contains(&order)
            && cells.iter().copied().eq((0..order * order).map(|cell| square.point(cell)));
        is_square.then_some(square).ok_or_else(|| {
            format!(
                "expected a square of cells in use, at most {MAX_ORDER} in a row, found {} cells",
                cells.len()
            )
        })
    }

    /// Returns the number of a cell of the grid among all points.
    fn point(&self, cell: usize) -> usize {
        self.corner + cell / self.order * self.width + cell % self.order
    }

    /// Returns the cell of the grid with that number, if it is one.
    fn cell(&self, point: usize) -> Option<usize> {
        let point = point.checked_sub(self.corner)?;
        let (row, column) = (point / self.width, point % self.width);
        (row < self.order && column < self.order).then_some(row * self.order + column)
    }

    /// Reads a list of cells, numbers or texts.
    fn cells(&self, list: &Value) -> Result<Vec<usize>, String> {
        let list = list.as_array().map_or(&[][..], Vec::as_slice);
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

    /// Returns for each cell the region in which it lies: those that no thick edge parts are one.
    fn regions(&self, edges: &Value) -> Result<Vec<Option<u64>>, String> {
        let mut thick = BTreeSet::new();
        for (key, style) in edges.as_object().into_iter().flatten() {
            let ends = key
                .split_once(',')
                .and_then(|(one, other)| Some((one.parse().ok()?, other.parse().ok()?)));
            let is_thick = matches!(style.as_u64(), Some(2 | 21));
            if let Some((one, other)) = ends.filter(|_| is_thick) {
                let (one, other): (usize, usize) = (one, other);
                thick.insert((one.min(other), one.max(other)));
            }
        }
        // The lower right corner of a cell comes as far behind it as there are cells.
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
        if count as usize != order || order == 1 {
            return Err(format!("expected thick edges around {order} regions, found {count}"));
        }
        Ok(labels)
    }
}

fn variant(text: &str) -> Result<Variant, String> {
    let lines: Vec<&str> = text.lines().collect();
    let line = |index: usize| lines.get(index).copied().unwrap_or("");
    let square = DrawnSquare::new(line(0), line(5))?;
    let layers: Value = serde_json::from_str(line(3))
        .map_err(|error| format!("expected the layers of the drawing: {error}"))?;
    let layer = |name: &str| layers.get(name).unwrap_or(&Value::Null);
    let labels = square.regions(layer("lineE"))?;
    let (board, mut grid, mut clues) =
        super::of_regions(square.order, &labels, &mut Setting::default())?;
    let mut passed_over: BTreeSet<String> = BTreeSet::new();
    for (key, entry) in layer("number").as_object().into_iter().flatten() {
        let cell = key.parse().ok().and_then(|point| square.cell(point));
        let digit =
            entry.get(0).and_then(Value::as_str).and_then(|text| text.trim().parse::<usize>().ok());
        let is_plain = entry.get(2).and_then(Value::as_str).is_none_or(|style| style == "1");
        match (cell, digit) {
            (Some(cell), Some(digit)) if is_plain && (1..=square.order).contains(&digit) => {
                grid.place(cell, digit - 1);
            }
            (Some(_), _) => drop(passed_over.insert("texts in cells".to_owned())),
            (None, _) => drop(passed_over.insert("numbers outside of the grid".to_owned())),
        }
    }
    // Small numbers by the cell in whose upper left corner they stand.
    let mut sums: BTreeMap<usize, i64> = BTreeMap::new();
    for (key, entry) in layer("numberS").as_object().into_iter().flatten() {
        let place = key.parse::<usize>().ok().and_then(|point| point.checked_sub(4 * square.all));
        let cell = place.filter(|place| place % 4 == 0).and_then(|place| square.cell(place / 4));
        let sum = entry.get(0).and_then(Value::as_str).and_then(|text| text.trim().parse().ok());
        match cell.zip(sum) {
            Some((cell, sum)) => drop(sums.insert(cell, sum)),
            None => drop(passed_over.insert("small numbers".to_owned())),
        }
    }
    let lists = |name: &str| layer(name).as_array().map_or(&[][..], Vec::as_slice);
    clues.extend(cages(&square, lists("killercages"), &mut sums)?);
    if !sums.is_empty() {
        passed_over.insert("small numbers".to_owned());
    }
    for line in lists("thermo") {
        let cells = square.cells(line)?;
        if cells.len() > 1 {
            clues.push(clue("thermo", cells, vec![]));
        }
    }
    for line in lists("arrows") {
        let cells = square.cells(line)?;
        if let [circle, shaft @ ..] = &cells[..]
            && !shaft.is_empty()
        {
            clues.push((
                "arrow",
                Args { groups: vec![vec![*circle], shaft.to_vec()], values: vec![], ..Args::default() },
            ));
        }
    }
    for (name, layer) in layers.as_object().into_iter().flatten() {
        let has_some = layer.as_object().is_some_and(|map| !map.is_empty())
            || layer.as_array().is_some_and(|list| !list.is_empty());
        if has_some && !LAYERS.contains(&&**name) && !IDLE.contains(&&**name) {
            passed_over.insert(name.clone());
        }
    }
    super::variant(board, grid, clues, &passed_over.into_iter().collect::<Vec<_>>())
}

/// Makes the clues of cages, and takes their sums away.
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
