//! Writes links to penpa-edit. The clues that the reader supports are drawn as penpa-edit draws
//! them.
//!
//! Diagonals, windows and other extra groups become cages without a sum. A sum is written in the
//! first cell of its cage that is in no other cage with a sum, so that the sum identifies the cage.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::{DASHED, DRAWINGS, Drawn, DrawnSquare, PACKING, STACKS};
use crate::form::dots;
use crate::form::object::Unused;
use crate::{Placed, Variant, VariantBoard};
use grid::{GridRule, GroupKind, Setting};

/// Side of a cell on the canvas of penpa-edit (pixels).
const CELL_PIXELS: usize = 38;
/// Layers that are stored as lists, and layers that are stored as maps.
pub(super) const LISTS: [&str; 7] =
    ["thermo", "arrows", "direction", "squareframe", "polygon", "killercages", "nobulbthermo"];
pub(super) const MAPS: [&str; 9] =
    ["surface", "number", "numberS", "symbol", "line", "lineE", "wall", "cage", "deletelineE"];
/// Style numbers of penpa-edit: a thick line, the white circle of an arrow, and the gray of other
/// symbols.
const THICK: u8 = 2;
const WHITE: u8 = 1;
const GRAY: u8 = 3;

pub(super) fn link(variant: &Variant) -> Result<String, String> {
    Ok((PACKING.pack)(&text(variant)?))
}

fn refused(variant: &Variant, placed: &Placed) -> String {
    format!("penpa has no form for `{}`", variant.line(placed))
}

fn text(variant: &Variant) -> Result<String, String> {
    let (board, grid) = (&variant.board, &variant.grid);
    if board.first != 1 {
        return Err("penpa holds digits from 1 on".to_owned());
    }
    if let Some(cell) =
        (0..board.inside()).find(|&cell| !grid.is_blank(cell) && grid.symbol(cell).is_none())
    {
        return Err(format!("penpa cannot hold the marks of {}", board.name(cell)));
    }
    for rule in board.shape.rules() {
        match rule {
            GridRule::AntiKnight | GridRule::AntiKing => {
                return Err(format!("penpa has no form for the rule {}", rule.name()));
            }
            // Diagonals and windows are written as cages.
            GridRule::Diagonals | GridRule::Windoku => {}
        }
    }
    let is_outside = |placed: &Placed| matches!(row_of(placed), Some((.., Drawn::Outside)));
    let has_outside = variant.placed.iter().any(is_outside);
    let mut drawing = Drawing::new(board, usize::from(has_outside));
    drawing.regions()?;
    for (cell, symbol) in (0..board.inside()).filter_map(|cell| Some((cell, grid.symbol(cell)?))) {
        drawing.put("number", &drawing.square.point(cell), json!([(symbol + 1).to_string(), 1, "1"]));
    }
    for placed in &variant.placed {
        drawing.add(placed).ok_or_else(|| refused(variant, placed))?;
    }
    drawing.cages(variant)?;
    drawing.dots(variant)?;
    Ok(drawing.text())
}

/// Returns the row of the rule of a clue.
fn row_of(placed: &Placed) -> Option<&'static (&'static str, &'static str, Drawn)> {
    DRAWINGS.iter().find(|(_, rule, _)| *rule == placed.rule.name)
}

struct Drawing<'v> {
    board: &'v VariantBoard,
    square: DrawnSquare,
    margin: usize,
    layers: BTreeMap<&'static str, Value>,
    tags: BTreeSet<&'static str>,
}

impl<'v> Drawing<'v> {
    fn new(board: &'v VariantBoard, margin: usize) -> Self {
        let order = board.order();
        let width = order + 2 * margin + 4;
        let corner = (2 + margin) * (width + 1);
        let square = DrawnSquare { width, all: width * width, corner, order };
        let lists = LISTS.into_iter().map(|name| (name, json!([])));
        let maps = MAPS.into_iter().map(|name| (name, json!({})));
        Self { board, square, margin, layers: lists.chain(maps).collect(), tags: BTreeSet::new() }
    }

    /// Inserts an entry at a point or line of a layer; returns whether the layer had no entry
    /// there.
    fn put(&mut self, layer: &str, key: &impl ToString, entry: Value) -> bool {
        let layer = self.layers.get_mut(layer).and_then(Value::as_object_mut).expect("a layer");
        layer.insert(key.to_string(), entry).is_none()
    }

    fn push(&mut self, layer: &str, cells: &[usize]) {
        let points: Vec<usize> = cells.iter().map(|&cell| self.square.point(cell)).collect();
        let layer = self.layers.get_mut(layer).and_then(Value::as_array_mut).expect("a layer");
        layer.push(json!(points));
    }

    fn regions(&mut self) -> Result<(), String> {
        let (shape, order) = (&self.board.shape, self.board.order());
        let count = shape.regions().count();
        if count == 0 {
            self.tags.insert("latin");
            return Ok(());
        }
        if shape.is_jigsaw() {
            self.tags.insert("irregular");
        }
        let regions = shape.region_of_cells();
        let parted = |one: usize, other: usize| regions[one] != regions[other];
        let (all, width) = (self.square.all, self.square.width);
        for (one, other) in self.board.sides().into_iter().filter(|&(one, other)| parted(one, other)) {
            // The corners at both ends of the common side of two cells.
            let corner = self.square.point(one) + all;
            let before = if other == one + 1 { corner - width } else { corner - 1 };
            self.put("lineE", &format!("{before},{corner}"), json!(THICK));
        }
        let layers = json!({ "lineE": &self.layers["lineE"] });
        let drawn = self.square.regions(&layers, true, &mut Unused::default());
        // Each region must be connected, and every cell must be in one.
        let is_same = drawn.is_ok_and(|drawn| {
            self.board
                .sides()
                .iter()
                .all(|&(one, other)| parted(one, other) == (drawn[one] != drawn[other]))
        });
        if !is_same || count != order {
            return Err("penpa holds regions that are one piece each and leave no cell out".to_owned());
        }
        let is_usual =
            Setting::default().shape(order).is_ok_and(|usual| usual.region_of_cells() == regions);
        self.tags.insert(if is_usual { "classic" } else { "irregular" });
        Ok(())
    }

    /// Draws a clue, except for cages and dots, which are drawn separately; returns `None` if the
    /// clue cannot be drawn.
    fn add(&mut self, placed: &Placed) -> Option<()> {
        let args = &placed.args;
        let Some(&(tag, _, drawn)) = row_of(placed) else {
            return dots::is_dot(placed).then_some(());
        };
        self.tags.insert(tag);
        match drawn {
            Drawn::Cage => {}
            Drawn::Line(layer, _) => self.push(layer, &args.groups[0]),
            Drawn::Arrow(layer) => {
                let [circle] = args.groups[0][..] else { return None };
                self.push(layer, &args.groups.concat());
                self.symbol(circle, json!([WHITE, "circle_L", 1]))?;
            }
            Drawn::Shape(shape) => {
                for &cell in &args.groups[0] {
                    self.symbol(cell, json!([GRAY, format!("{shape}M"), 1]))?;
                }
            }
            Drawn::Outside => {
                let seen = usize::try_from(args.values[0]).ok()?;
                let width = self.square.width;
                let (first, second) = (*args.groups[0].first()?, *args.groups[0].get(1)?);
                let (first, second) = (self.square.point(first), self.square.point(second));
                // The cell outside the grid is the reflection of the second cell in the first one.
                let point = (2 * first).checked_sub(second)?;
                let is_whole = self.square.line(point).as_ref() == Some(&args.groups[0]);
                let is_fresh = is_whole && point < width * width;
                let is_fresh =
                    is_fresh && self.put("number", &point, json!([seen.to_string(), 1, "1"]));
                return is_fresh.then_some(());
            }
        }
        Some(())
    }

    /// Puts a symbol into a cell; returns `None` if the cell has another one.
    fn symbol(&mut self, cell: usize, mark: Value) -> Option<()> {
        let point = self.square.point(cell);
        let other = self.layers["symbol"].get(point.to_string());
        let is_free = other.is_none_or(|other| *other == mark);
        self.put("symbol", &point, mark);
        is_free.then_some(())
    }

    fn cages(&mut self, variant: &Variant) -> Result<(), String> {
        let apart = [GroupKind::Diagonal, GroupKind::Window];
        let groups = self.board.shape.groups().iter().filter(|group| apart.contains(&group.kind));
        let mut cages: Vec<(Vec<usize>, Option<&Placed>)> =
            groups.map(|group| (group.cells.clone(), None)).collect();
        let placed =
            variant.placed.iter().filter(|placed| matches!(row_of(placed), Some((.., Drawn::Cage))));
        cages.extend(placed.map(|placed| (placed.args.groups[0].clone(), Some(placed))));
        for (cells, _) in &mut cages {
            cells.sort_unstable();
        }
        // Draw the cages with sums first, so that no other cage takes the cell for their sum.
        let has_sum =
            |placed: Option<&Placed>| placed.is_some_and(|placed| !placed.args.values.is_empty());
        cages.sort_by_key(|(_, placed)| !has_sum(*placed));
        let mut often = vec![0; self.board.inside()];
        for (cells, _) in cages.iter().filter(|(_, placed)| has_sum(*placed)) {
            cells.iter().for_each(|&cell| often[cell] += 1);
        }
        if !cages.is_empty() {
            self.tags.insert("killer");
        }
        for (cells, placed) in cages {
            if let Some((placed, sum)) =
                placed.and_then(|placed| Some((placed, placed.args.values.first()?)))
            {
                let own = cells.iter().find(|&&cell| often[cell] == 1);
                let own = *own.ok_or_else(|| refused(variant, placed))?;
                let point = 4 * (self.square.all + self.square.point(own));
                self.put("numberS", &point, json!([sum.to_string(), 1]));
            }
            self.push("killercages", &cells);
            self.around(&cells);
        }
        Ok(())
    }

    /// Draws the line around a cage inside its cells. The line connects the four positions within
    /// each cell, and the positions of neighboring cells.
    fn around(&mut self, cells: &[usize]) {
        let has = |cell: Option<usize>| cell.is_some_and(|cell| cells.binary_search(&cell).is_ok());
        let mut ends: Vec<(usize, usize)> = Vec::new();
        for &cell in cells {
            let (row, column) = self.board.place(cell);
            let at = |down: isize, right: isize| {
                self.board.cell(row as isize + down, column as isize + right)
            };
            let place =
                |cell: usize, corner: usize| 4 * (self.square.all + self.square.point(cell)) + corner;
            // The positions within a cell are 0 and 1 at the top, and 2 and 3 at the bottom.
            for (down, right, one, other) in [(-1, 0, 0, 1), (1, 0, 2, 3), (0, -1, 0, 2), (0, 1, 1, 3)]
            {
                if !has(at(down, right)) {
                    ends.push((place(cell, one), place(cell, other)));
                }
            }
            if let Some(next) = at(0, 1).filter(|_| has(at(0, 1))) {
                for (down, here, there) in [(-1, 1, 0), (1, 3, 2)] {
                    if !has(at(down, 0)) || !has(at(down, 1)) {
                        ends.push((place(cell, here), place(next, there)));
                    }
                }
            }
            if let Some(next) = at(1, 0).filter(|_| has(at(1, 0))) {
                for (right, here, there) in [(-1, 2, 0), (1, 3, 1)] {
                    if !has(at(0, right)) || !has(at(1, right)) {
                        ends.push((place(cell, here), place(next, there)));
                    }
                }
            }
        }
        for (one, other) in ends {
            self.put("cage", &format!("{one},{other}"), json!(DASHED));
        }
    }

    /// Draws the relations of adjacent cells as bars or dots, and adds the tag that defines their
    /// meaning.
    fn dots(&mut self, variant: &Variant) -> Result<(), String> {
        let Some(last) = variant.placed.iter().rfind(|placed| dots::is_dot(placed)) else {
            return Ok(());
        };
        let found = dots::of(variant).map_err(|placed| refused(variant, placed))?;
        let are_all = |kinds: &[u8]| found.values().all(|said| kinds.contains(said));
        let is_kropki = dots::not_kropki(&found).is_none();
        let tag = if are_all(&[dots::NOT_WHITE]) {
            "nonconsecutive"
        } else if are_all(&[0, dots::WHITE]) {
            "consecutivepairs"
        } else if are_all(&[dots::WHITE, dots::NOT_WHITE]) {
            "consecutive"
        } else if is_kropki {
            "kropki"
        } else {
            return Err(format!(
                "{} together with the other clues of neighbors",
                refused(variant, last)
            ));
        };
        self.tags.insert(tag);
        for ((one, other), said) in found {
            let color = match said {
                dots::WHITE => WHITE,
                dots::BLACK => 2,
                _ => continue,
            };
            // Lower sides and right sides have different points. A bar lies along its side: style 1
            // is vertical, style 2 horizontal.
            let is_right = other == one + 1;
            let point = self.square.point(one) + self.square.all * if is_right { 3 } else { 2 };
            let mark = match is_kropki {
                true => json!([color, "circle_SS", 2]),
                false => json!([if is_right { 1 } else { 2 }, "bars_G", 2]),
            };
            self.put("symbol", &point, mark);
        }
        Ok(())
    }

    fn text(self) -> String {
        let (order, side) = (self.square.order, self.square.order + 2 * self.margin);
        let canvas = (side + 1) * CELL_PIXELS;
        // The center of the drawing is a cell or, for a grid of even order, the corner of a cell.
        let (half, width) = ((side + 3) / 2, self.square.width);
        let center = half * (width + 1) + if side % 2 == 1 { 0 } else { self.square.all };
        let head = format!(
            "square,{side},{side},{CELL_PIXELS},0,1,1,{canvas},{canvas},{center},{center},0,0,0,0,Title: ,Author: ,,,ON,false,"
        );
        let margins = [self.margin; 4];
        let points: Vec<usize> = (0..order * order).map(|cell| self.square.point(cell)).collect();
        let steps = points.windows(2).map(|pair| pair[1] - pair[0]);
        let steps: Vec<usize> = points.first().copied().into_iter().chain(steps).collect();
        let stacks = || STACKS.into_iter().map(|name| (name.to_owned(), json!({ "__a": [] })));
        let empty = Self::new(self.board, 0).layers;
        let layers = |layers: BTreeMap<&str, Value>| {
            let layers = layers.into_iter().map(|(name, layer)| (name.to_owned(), layer));
            Value::Object(stacks().chain(layers).collect::<Map<String, Value>>())
        };
        // The lines after the cells in use are: tabs, checks, two unused lines, the version, the
        // mode, four more lines (including the default colors of both layers), further checks, and
        // the tags.
        let lines = [
            head,
            json!(margins).to_string(),
            json!({ "grid": ["1", "2", "1"] }).to_string(),
            layers(self.layers).to_string(),
            layers(empty).to_string(),
            json!(steps).to_string(),
            "[]".to_owned(),
            "{}".to_owned(),
            "\"x\"".to_owned(),
            "\"x\"".to_owned(),
            "[3,2,3]".to_owned(),
            String::new(),
            "\"x\"".to_owned(),
            "0".to_owned(),
            String::new(),
            String::new(),
            "{}".to_owned(),
            json!(self.tags).to_string(),
            String::new(),
        ];
        lines.join("\n")
    }
}
