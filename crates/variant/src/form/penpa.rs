//! Reads links of penpa-edit, a drawing tool, with digits, thick edges around regions, killer cages
//! with small sums in a corner, thermometers and arrows. The tags of a drawing give more elements a
//! meaning: a Latin square without regions, dots and bars between cells, circles and squares in
//! cells, and numbers outside the grid. A note lists all other elements, each with its content.
//!
//! After `p=` comes a packed text (see `packed`) of lines: a header, margins, a mode, the layers of
//! the question as JSON, the layers of the answer, and the points of the cells in use, each as the
//! difference to the previous one. Line 18 contains the tags. The other lines concern the page and
//! its editor: the reader checks their JSON types only. The drawing has two extra cells on each
//! side. Points number the cells first, then their lower right corners, the middles of their
//! lower sides, the middles of their right sides, and four positions within each cell.
//!
//! The tags have the meaning that penpa-edit checks. With `consecutivepairs`, bars mark cells that
//! differ by 1. `consecutive` requires a bar at every such pair, and `nonconsecutive` forbids such
//! pairs. With `evenodd`, circles are odd and squares even. `kropki` and `skyscrapers` have the
//! same meaning as in puzz.link. Other tags belong to other puzzles and are refused.

pub(super) mod packed;
mod write;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use serde_json::Value;

use super::object::{Unused, is_unset, list, others, set, shown, unknown};
use super::{LinkForm, NamedClues, Packing, clue, clue_of, dots, only_line};
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
    #[cfg(test)]
    rules: || DRAWINGS.iter().map(|row| row.1).chain(dots::RULES).collect(),
};

pub(super) const PACKING: Packing = Packing {
    name: "penpa",
    unpack: |link| packed::unpacked(behind_p(link)?).ok(),
    pack: |text| {
        let letters = packed::packed(text);
        format!("https://swaroopg92.github.io/penpa-edit/#m=edit&p={letters}\n")
    },
};

/// How a drawing states the clues of a rule.
#[derive(Clone, Copy)]
enum Drawn {
    /// Numbers outside the grid.
    Outside,
    /// Cages, with a small number as their sum.
    Cage,
    /// Lines in this layer. Shorter ones have this noun in notes.
    Line(&'static str, &'static str),
    /// Arrows from a circle, in this layer.
    Arrow(&'static str),
    /// Shapes in cells; the name of the symbol up to its size.
    Shape(&'static str),
}

/// The rules: the tag that gives the drawing its meaning, the name, and the drawing. A drawing is
/// read as its first rule, and dots are in a table of their own.
const DRAWINGS: [(&str, &str, Drawn); 7] = [
    ("skyscrapers", "skyscraper", Drawn::Outside),
    ("killer", "killer", Drawn::Cage),
    ("killer", "extra", Drawn::Cage),
    ("thermo", "thermo", Drawn::Line("thermo", "thermometer")),
    ("arrow", "arrow", Drawn::Arrow("arrows")),
    ("evenodd", "odd", Drawn::Shape("circle_")),
    ("evenodd", "even", Drawn::Shape("square_")),
];

/// Layers that are read; others go to a note.
const LAYERS: [&str; 8] =
    ["number", "numberS", "symbol", "lineE", "cage", "killercages", "thermo", "arrows"];
/// Layers of older versions.
const OLD_MAPS: [&str; 2] = ["freeline", "freelineE"];
/// Stacks of changes, which only the editor uses.
const STACKS: [&str; 3] = ["command_redo", "command_undo", "command_replay"];
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
/// Line of the tags, 0-based.
const TAGS_LINE: usize = 17;
/// Line of the message that penpa-edit shows to a successful solver, 0-based; the last line.
const MESSAGE_LINE: usize = 18;
/// Lines that concern the page and its editor (0-based), each with the kinds of its value, as
/// [`kind`] returns them. Each line may also be missing or a placeholder.
const VIEW: [(usize, &str); 10] = [
    (1, "["),
    (2, "{["),
    (6, "["),
    (7, "{"),
    (8, "{"),
    (10, "["),
    (11, "{"),
    (14, "{"),
    (15, "{"),
    (16, "{"),
];

/// Texts of lines without a value.
const PLACEHOLDERS: [&str; 4] = ["", "x", "\"x\"", "\"comp\""];

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

/// Checks the fields of the address: `m=edit` or `m=solve`, and the drawing. Other fields, such as
/// the answer, go to `unused`.
fn check_fields(line: &str, unused: &mut Unused) -> Result<(), String> {
    let (_, behind) = line.split_once("penpa-edit/").unwrap_or_default();
    let mut seen = BTreeSet::new();
    for field in behind.trim().trim_start_matches(['#', '?']).split('&') {
        let (key, value) = field.split_once('=').unwrap_or((field, ""));
        let is_key = !key.is_empty() && key.bytes().all(|letter| letter.is_ascii_lowercase());
        let is_mode = key != "m" || ["edit", "solve"].contains(&value);
        if !is_key || !is_mode || !seen.insert(key) {
            return Err(format!(
                "expected `m=edit`, `p=...` or another field, each once, found `{}`",
                shown(field)
            ));
        }
        if !["m", "p"].contains(&key) {
            unused.add_rest(field);
        }
    }
    Ok(())
}

fn read(text: &str) -> Result<Variant, InputError> {
    let line = only_line(text)?;
    let mut unused = Unused::default();
    check_fields(&line.text, &mut unused).map_err(|message| line.error(0, message))?;
    let letters = behind_p(&line.text).unwrap_or("");
    let said = directive(text, "drawing");
    let read = packed::unpacked(letters).and_then(|text| variant(&text, said, unused));
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
            let number = || usize::try_from(value.as_u64()?).ok();
            let point = number().or_else(|| text::plain_number(value.as_str()?));
            let cell = point.and_then(|point| self.cell(point));
            cell.ok_or_else(|| {
                format!("expected a cell of the grid, found point `{value}` of the drawing")
            })
        };
        list.iter().map(cell).collect()
    }

    /// Returns the name of a point for notes: the cell if the point is one.
    fn name(&self, point: usize) -> String {
        match self.cell(point) {
            Some(cell) => format!("r{}c{}", cell / self.order + 1, cell % self.order + 1),
            None => format!("point {point}"),
        }
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
                unused.add(format!("the edge {key}, which is not thick ({style})"));
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
                unused.add(format!("the edge {one},{other}, which separates no regions"));
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
    if (1..tags.len()).any(|place| tags[..place].contains(&tags[place])) {
        return Err(format!("expected each tag of the drawing once, found `{line}`"));
    }
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
    let point = |(key, entry): (&String, &'v Value)| match text::plain_number(key) {
        Some(point) => Ok((point, entry)),
        None => Err(format!("expected the number of a point in `{name}`, found `{key}`")),
    };
    map(layers, name)?.map(point).collect()
}

/// Reads the ends of a line: `82,83`.
fn ends(key: &str) -> Result<(usize, usize), String> {
    let ends = key.split_once(',');
    let ends = ends.and_then(|(one, other)| text::plain_number(one).zip(text::plain_number(other)));
    ends.ok_or_else(|| format!("expected two points of the drawing, found `{key}`"))
}

/// Reads a drawing. `said` is the tag stated in the header, where `sudoku` stands for `classic`.
fn variant(text: &str, said: Option<&str>, unused: Unused) -> Result<Variant, String> {
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
        return tagged(&lines, &tags, unused);
    }
    // Without a tag, only the usual boxes, cages, thermometers or arrows identify a Sudoku.
    let untold = |reason: &str| {
        format!(
            "expected a drawing with a tag of {}, found none: a drawing states no rules ({reason}); `# drawing: sudoku` above the link names its kind",
            TAGS.join(", ")
        )
    };
    let variant = tagged(&lines, &tags, unused).map_err(|message| untold(&message))?;
    let layers = parse_json(line(3)).unwrap_or_default();
    let has_clues = ["killercages", "thermo", "arrows"].iter().any(|layer| !is_unset(&layers[layer]));
    let shape = &variant.board.shape;
    if has_clues || Setting::default().shape(shape.order()).is_ok_and(|usual| *usual == **shape) {
        return Ok(variant);
    }
    Err(untold("and regions alone do not make a Sudoku"))
}

/// Returns the kind of a line: the first character of a JSON list or object, a space for no value,
/// and `?` for other texts. The words around `~` are values of one line; the first counts.
fn kind(line: &str) -> char {
    let line = line.trim();
    let values: Option<Vec<Value>> = line.split('~').map(|value| parse_json(value).ok()).collect();
    match values.as_deref() {
        _ if PLACEHOLDERS.contains(&line) => ' ',
        Some([Value::Array(_), ..]) => '[',
        Some([Value::Object(_)]) => '{',
        _ => '?',
    }
}

/// Checks the lines that are not clues, and adds those with unexpected content to `unused`.
fn check_view(lines: &[&str], unused: &mut Unused) {
    for (index, line) in lines.iter().enumerate() {
        let is_expected = match index {
            13 => ["", "x", "0", "1"].contains(&line.trim()),
            0 | 3..=5 | TAGS_LINE => true,
            _ if index > MESSAGE_LINE => line.trim().is_empty(),
            MESSAGE_LINE => ["", "false"].contains(&line.trim()),
            _ if kind(line) == ' ' => true,
            _ => VIEW.iter().any(|(place, kinds)| *place == index && kinds.contains(kind(line))),
        };
        if !is_expected {
            unused.add(format!("line {} of the drawing ({})", index + 1, shown(line.trim())));
        }
    }
    let mode = lines.get(2).and_then(|line| parse_json(line).ok()).unwrap_or(Value::Null);
    for (key, value) in mode.as_object().into_iter().flatten() {
        let is_style = |style: &Value| matches!(style.as_str(), Some("1" | "2" | "3"));
        let is_known = match &**key {
            "grid" => {
                value.as_array().is_some_and(|styles| styles.len() == 3 && styles.iter().all(is_style))
            }
            "qa" | "pu_q" | "pu_a" => true,
            _ => false,
        };
        if !is_known {
            unused.add(unknown(key, "the mode", value));
        }
    }
}

/// Number of fields of the head that describe the grid and its view.
const VIEW_FIELDS: usize = 15;

/// Checks the fields of the head after the size; returns the title and the author.
fn check_head(head: &str, unused: &mut Unused) -> Result<[Option<String>; 2], String> {
    let fields: Vec<&str> = head.split(',').map(str::trim).collect();
    let unexpected = |what: &str, field: &str| {
        Err(format!("expected {what} in the head of the drawing, found `{}`", shown(field)))
    };
    let is_number = |field: &&&str| field.parse().is_ok_and(f64::is_finite);
    if let Some(other) = fields.iter().take(VIEW_FIELDS).skip(3).find(|field| !is_number(field)) {
        return unexpected("a number", other);
    }
    let mut titles = [None, None];
    for (index, field) in
        fields.iter().enumerate().skip(VIEW_FIELDS).filter(|(_, field)| !field.is_empty())
    {
        match index - VIEW_FIELDS {
            at @ 0..=1 => {
                let key = ["Title:", "Author:"][at];
                let Some(said) = field.strip_prefix(key) else { return unexpected(key, field) };
                titles[at] = Some(said.trim().replace("%2C", ",")).filter(|said| !said.is_empty());
            }
            2 => unused.add(format!("the source ({})", shown(field))),
            3 => unused.add("the rules in words"),
            4 if ["ON", "OFF"].contains(field) => {}
            5 if ["true", "false"].contains(field) => {}
            4 | 5 => return unexpected("ON or OFF, and true or false", field),
            // The background image.
            6 => {}
            _ => return unexpected("its end", field),
        }
    }
    Ok(titles)
}

/// Checks the names and the types of layers, and adds layers without clues to `unused`.
fn check_layers(layers: &Value, is_question: bool, unused: &mut Unused) -> Result<(), String> {
    let of = if is_question { "" } else { " of the answer" };
    for (name, layer) in others(layers, &[]).map_err(|_| {
        format!("expected the layers of the drawing, found `{}`", shown(&layers.to_string()))
    })? {
        let is_stack = |stack: &serde_json::Map<String, Value>| {
            stack.iter().all(|(key, list)| key == "__a" && list.is_array())
        };
        if STACKS.contains(&name) && layer.as_object().is_some_and(is_stack) {
            continue;
        }
        let (is_list, is_map) = (write::LISTS.contains(&name), write::MAPS.contains(&name));
        let is_right = layer.is_null() || if is_list { layer.is_array() } else { layer.is_object() };
        if !is_list && !is_map && !OLD_MAPS.contains(&name) {
            unused.add(unknown(name, "the drawing", layer));
        } else if !is_right {
            let form = if is_list { "a list" } else { "an object" };
            return Err(format!("expected {form} in `{name}`, found `{}`", shown(&layer.to_string())));
        } else if !(is_unset(layer) || is_question && LAYERS.contains(&name)) {
            unused.add(format!("{name}{of}"));
        }
    }
    Ok(())
}

/// Describes an entry of a layer that has no meaning here.
fn left_over(layer: &str, place: &str, entry: &Value) -> String {
    format!("{layer} at {place} ({})", shown(&entry.to_string()))
}

fn tagged(lines: &[&str], tags: &[String], mut unused: Unused) -> Result<Variant, String> {
    let line = |index: usize| lines.get(index).copied().unwrap_or("");
    check_view(lines, &mut unused);
    let [title, author] = check_head(line(0), &mut unused)?;
    let square = DrawnSquare::new(line(0), line(5))?;
    let json = |index: usize| {
        let error = |error| format!("expected the layers of the drawing: {error}");
        parse_json(line(index)).map_err(error)
    };
    let layers: Value = json(3)?;
    check_layers(&layers, true, &mut unused)?;
    if !["", "x"].contains(&line(4).trim()) {
        check_layers(&json(4)?, false, &mut unused)?;
    }
    let has = |tag: &str| tags.iter().any(|known| known == tag);
    let need_none = ["latin", "kropki", "skyscrapers"].into_iter().any(has);
    let labels = square.regions(&layers, !need_none, &mut unused)?;
    let (board, mut grid, mut clues) =
        super::of_regions(square.order, &labels, &mut Setting::default())?;
    let is_seen = |row: &&(&str, &str, Drawn)| matches!(row.2, Drawn::Outside) && has(row.0);
    let seen_rule = DRAWINGS.iter().find(is_seen).map(|row| row.1);
    for (point, entry) in entries(&layers, "number")? {
        // The text, its color and its style.
        let number = match entry.as_array().map(Vec::as_slice) {
            Some([text, color, style]) if style == "1" => {
                let number = text_of(text).and_then(|text| text::plain_number(&text));
                number.filter(|_| is_look(color, 1..=1, "number", &mut unused))
            }
            _ => None,
        };
        match (square.cell(point), number, square.line(point).zip(seen_rule)) {
            (Some(cell), Some(digit), _) if (1..=square.order).contains(&digit) => {
                grid.place(cell, digit - 1);
            }
            (None, Some(seen), Some((line, rule))) => {
                clues.push(clue(rule, line, vec![seen as i64]));
            }
            _ => unused.add(left_over("number", &square.name(point), entry)),
        }
    }
    // Small numbers, keyed by the cell in whose upper left corner they stand.
    let mut sums: BTreeMap<usize, i64> = BTreeMap::new();
    for (point, entry) in entries(&layers, "numberS")? {
        let place = point.checked_sub(4 * square.all).filter(|place| place % 4 == 0);
        let cell = place.and_then(|place| square.cell(place / 4));
        let sum = match entry.as_array().map(Vec::as_slice) {
            Some([text, color]) => {
                let sum = text_of(text).and_then(|text| text::plain_number(&text));
                sum.filter(|_| is_look(color, 1..=1, "numberS", &mut unused))
            }
            _ => None,
        };
        match cell.zip(sum) {
            Some((cell, sum)) => drop(sums.insert(cell, sum)),
            None => unused.add(left_over("numberS", &format!("point {point}"), entry)),
        }
    }
    clues.extend(cages(&square, list(&layers, "killercages")?, &mut sums, &mut unused)?);
    for (cell, sum) in sums {
        unused.add(left_over("numberS", &square.name(square.point(cell)), &Value::from(sum)));
    }
    check_cage_lines(&square, &layers, &mut unused)?;
    let mut circles = BTreeSet::new();
    for (_, rule, drawn) in DRAWINGS {
        let (Drawn::Line(layer, _) | Drawn::Arrow(layer)) = drawn else { continue };
        for line in list(&layers, layer)? {
            let cells = square.cells(line)?;
            match (drawn, &cells[..]) {
                (Drawn::Line(..), [_, _, ..]) => clues.push(clue(rule, cells, vec![])),
                (Drawn::Line(_, noun), _) => {
                    unused.add(format!("a {noun} of {} cells ({line})", cells.len()));
                }
                (_, [circle, shaft @ ..]) if !shaft.is_empty() => {
                    circles.insert(*circle);
                    clues.push(clue_of(rule, vec![vec![*circle], shaft.to_vec()]));
                }
                _ => unused.add(format!("an arrow without a shaft ({line})")),
            }
        }
    }
    let marks = entries(&layers, "symbol")?;
    clues.extend(symbols(&square, &board, &marks, &has, &circles, &mut unused));
    let variant = super::variant(board, grid, clues, unused)?;
    Ok(variant.titled(title.as_deref(), author.as_deref()))
}

/// Returns whether a value is a number for the looks of an entry. Unusual ones go to `unused`.
fn is_look(value: &Value, usual: RangeInclusive<u64>, layer: &str, unused: &mut Unused) -> bool {
    let look = value.as_u64();
    if let Some(look) = look.filter(|look| !usual.contains(look)) {
        unused.add(format!("the color or style {look} in {layer}"));
    }
    look.is_some()
}

/// Style of the dashed lines around cages.
const DASHED: u64 = 10;

/// Checks that the lines of the layer `cage` surround cells of cages: they only draw these. Other
/// lines go to `unused`.
fn check_cage_lines(square: &DrawnSquare, layers: &Value, unused: &mut Unused) -> Result<(), String> {
    let mut cells = BTreeSet::new();
    for cage in list(layers, "killercages")? {
        cells.extend(square.cells(cage)?);
    }
    // The ends of a line are at the four positions within cells.
    let cell = |point: usize| square.cell((point / 4).checked_sub(square.all)?);
    let is_in_cage = |point: usize| cell(point).is_some_and(|cell| cells.contains(&cell));
    for (key, style) in map(layers, "cage")? {
        let (one, other) = ends(key)?;
        let is_around = is_in_cage(one) && is_in_cage(other);
        if !is_around || !is_look(style, DASHED..=DASHED, "cage", unused) {
            unused.add(left_over("cage", key, style));
        }
    }
    Ok(())
}

/// Sizes of circles and squares.
const SIZES: [&str; 5] = ["SS", "S", "M", "L", "LL"];

/// Builds the clues of symbols that have a meaning under the tags; the others go to `unused`. The
/// circles of arrows (`circles`) have no other meaning.
fn symbols(
    square: &DrawnSquare,
    board: &VariantBoard,
    entries: &BTreeMap<usize, &Value>,
    has: &dyn Fn(&str) -> bool,
    circles: &BTreeSet<usize>,
    unused: &mut Unused,
) -> NamedClues {
    let mut marks: BTreeMap<(usize, usize), u8> = BTreeMap::new();
    let shapes = DRAWINGS.iter().filter_map(|&(tag, rule, drawn)| match drawn {
        Drawn::Shape(shape) if has(tag) => Some((shape, rule, Vec::new())),
        _ => None,
    });
    let mut shapes: Vec<_> = shapes.collect();
    let has_bars = ["consecutivepairs", "consecutive", "nonconsecutive"].into_iter().any(has);
    let has_dots = has("kropki");
    for (&point, entry) in entries {
        // The style, the name, and whether the symbol is below or above the lines. Only cells can
        // be gray.
        let styles = 1..=if square.cell(point).is_some() { 3 } else { 2 };
        let (style, name) = match entry.as_array().map(Vec::as_slice) {
            Some([style, name, layer])
                if is_look(style, styles, "symbol", unused)
                    && is_look(layer, 1..=2, "symbol", unused) =>
            {
                (style.as_u64(), name.as_str().unwrap_or(""))
            }
            _ => (None, ""),
        };
        let is_shape = |shape: &str, sizes: &[&str]| {
            name.strip_prefix(shape).is_some_and(|size| sizes.contains(&size))
        };
        let is_bar = is_shape("bars_", &["B", "G", "W"]);
        let is_round = is_shape("circle_", &SIZES);
        match (square.cell(point), square.side(point), style) {
            (Some(cell), ..) if is_round && circles.contains(&cell) => {}
            (Some(cell), ..) if shapes.iter().any(|(shape, ..)| is_shape(shape, &SIZES)) => {
                let own = shapes.iter_mut().find(|(shape, ..)| is_shape(shape, &SIZES));
                own.expect("one of them").2.push(cell);
            }
            (_, Some(pair), Some(style @ 1..=2)) if is_round && has_dots => {
                marks.insert(pair, if style == 1 { dots::WHITE } else { dots::BLACK });
            }
            (_, Some(pair), style)
                if has_bars && !has_dots && (is_bar || is_round && style != Some(2)) =>
            {
                marks.insert(pair, dots::WHITE);
            }
            _ => unused.add(left_over("symbol", &square.name(point), entry)),
        }
    }
    let mut clues = NamedClues::new();
    let groups = shapes.into_iter().filter(|(.., cells)| !cells.is_empty());
    clues.extend(groups.map(|(_, rule, cells)| clue(rule, cells, vec![])));
    let has_all = !has("consecutivepairs") && (has("consecutive") || has("nonconsecutive"));
    if has_dots {
        clues.extend(dots::kropki(board, |pair| marks.get(&pair).copied().unwrap_or(0)));
    } else if has_all && marks.is_empty() {
        clues.push(dots::none_white());
    } else {
        let unmarked = if has_all { dots::NOT_WHITE } else { 0 };
        let said = |pair| marks.get(&pair).copied().unwrap_or(unmarked);
        clues.extend(board.sides().into_iter().flat_map(|pair| dots::clues(pair, said(pair))));
    }
    clues
}

fn cages(
    square: &DrawnSquare,
    cages: &[Value],
    sums: &mut BTreeMap<usize, i64>,
    unused: &mut Unused,
) -> Result<NamedClues, String> {
    let rule = DRAWINGS.iter().find(|row| matches!(row.2, Drawn::Cage)).expect("a rule of cages").1;
    let mut clues = NamedClues::new();
    for cage in cages {
        let cells = square.cells(cage)?;
        let sum = cells.iter().find_map(|cell| sums.remove(cell));
        match (cells.len(), sum) {
            (count @ 0..=1, None) => unused.add(format!("a cage of {count} cells ({cage})")),
            _ => clues.push(clue(rule, cells, sum.into_iter().collect())),
        }
    }
    Ok(clues)
}
