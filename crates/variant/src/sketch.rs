//! Draws clues: lines through cells, cages around them, signs between them, and numbers outside the
//! grid.
//!
//! Each rule of [`RULES`](super::rules::RULES) draws its clues with these methods. A mark at an
//! occupied position is moved: a number outside the grid further outwards, a label in a cell to the
//! next corner, and a sign along the edge.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};

use super::board::VariantBoard;
use super::rules::{Args, Rule};
use puzzle::{Ink, Mark, Picture, Point};

/// A function that draws a clue of a rule.
pub type ClueDrawing = fn(&mut Sketch<'_>, &Args);

/// Distance between a cage line and the edges of its cells (in cells).
const INSET: f64 = 0.09;
const LABEL: f64 = 0.3;
/// Distance from the center of a cell to the outer edge of the patch under a label, just inside the
/// walls (in cells).
const LABEL_REACH: f64 = 0.455;
const PILL: f64 = 0.88;
/// Width of a frame, and distance between its middle and the edges of its cells (in cells). Both
/// are also the step to the next frame of the same cells.
const FRAME: f64 = 0.085;
/// Factor that narrows a line if a line of similar width already passes through the same cells.
const NARROWER: f64 = 0.6;

/// The frame of a number outside the grid. Each rule with such numbers has its own frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberFrame {
    /// A number without a frame.
    None,
    /// A bar above the number and one below it.
    Bars,
    /// A circle.
    Circle,
    /// A square.
    Square,
    /// A house with a roof.
    House,
    /// A house with a roof, dashed.
    DashedHouse,
}

impl NumberFrame {
    /// Draws the frame around a point; `scale` is 1 outside the grid.
    fn marks(self, at: Point, scale: f64) -> Vec<Mark> {
        let place = |[x, y]: Point| [at[0] + scale * x, at[1] + scale * y];
        let polygon = |corners: &[Point]| Mark::polygon(corners.iter().copied().map(place).collect());
        let (eaves, ground) = (-0.22, 0.32);
        let house = [[-0.3, eaves], [0.0, -0.42], [0.3, eaves], [0.3, ground], [-0.3, ground]];
        let bar = |y: f64| Mark::line(vec![place([-0.27, y]), place([0.27, y])]);
        let (marks, width) = match self {
            Self::None => (Vec::new(), 0.0),
            Self::Bars => (vec![bar(-0.31), bar(0.31)], 0.07),
            Self::Circle => (vec![Mark::circle(at, 0.34 * scale)], 0.03),
            Self::Square => {
                (vec![polygon(&[[-0.3, -0.3], [0.3, -0.3], [0.3, 0.3], [-0.3, 0.3]])], 0.03)
            }
            Self::House | Self::DashedHouse => (vec![polygon(&house)], 0.03),
        };
        let stroked = marks.into_iter().map(|mark| mark.stroke(Ink::Muted, width * scale));
        match self {
            Self::DashedHouse => stroked.map(|mark| mark.dashed(0.08 * scale, 0.07 * scale)).collect(),
            _ => stroked.collect(),
        }
    }

    fn text_size(self, text: &str) -> f64 {
        let size: f64 = if self == Self::None { 0.44 } else { 0.36 };
        size.min(1.1 / text.chars().count().max(2) as f64)
    }
}

/// The layers below the digits, from back to front. Wider lines are below narrower ones.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
enum ClueLayer {
    Shade,
    Symbol,
    Frame,
    Pill,
    /// The width of the line, negated for sorting.
    Line(f64),
    Outline,
}

/// Draws clues into a picture.
#[derive(Debug)]
pub struct Sketch<'b> {
    board: &'b VariantBoard,
    picture: &'b mut Picture,
    /// Number of marks per position, in twelfths of a cell.
    taken: HashMap<[i64; 2], usize>,
    letters: usize,
    /// The letters of the clues that the legend explains, by rule and text.
    lettered: HashMap<(&'static str, String), String>,
    under: Vec<(ClueLayer, Mark)>,
    /// The widths of the lines at a position, which is in twelfths of a cell.
    widths: HashMap<[i64; 2], Vec<f64>>,
    shades: HashMap<usize, usize>,
    frames: HashMap<usize, usize>,
    rule: &'static str,
}

impl<'b> Sketch<'b> {
    /// Prepares to draw clues of a board into a picture. The cells of the picture are unit squares
    /// at their rows and columns, counted from 0.
    pub fn new(board: &'b VariantBoard, picture: &'b mut Picture) -> Self {
        Self {
            board,
            picture,
            taken: HashMap::new(),
            letters: 0,
            lettered: HashMap::new(),
            under: Vec::new(),
            widths: HashMap::new(),
            shades: HashMap::new(),
            frames: HashMap::new(),
            rule: "",
        }
    }

    /// Adds the marks below the digits to the picture.
    pub fn finish(mut self) {
        self.under.sort_by(|one, other| one.0.partial_cmp(&other.0).unwrap_or(Ordering::Equal));
        self.under.drain(..).for_each(|(_, mark)| self.picture.under(mark));
    }

    /// Draws a clue.
    pub fn clue(&mut self, rule: &Rule, args: &Args) {
        self.rule = rule.name;
        (rule.draw)(self, args);
    }

    /// Adds the rule to the legend, with a stroke of the given ink, if any.
    pub fn name(&mut self, ink: Option<Ink>) {
        self.picture.word(ink, self.rule);
    }

    /// Adds the rule to the legend, with sample marks drawn around the origin.
    pub fn key(&mut self, marks: Vec<Mark>) {
        self.picture.key(marks, self.rule);
    }

    /// Adds the rule to the legend, with a labeled cage as its sample.
    pub fn cage_key(&mut self, ink: Ink, label: &str) {
        let cage = Mark::polygon(square([0.0, 0.0], 0.45, (0.0, 1.0))).stroke(ink, 0.06);
        self.key(vec![cage, Mark::text([0.0, 0.0], label, 0.5).fill(Ink::Wall)]);
    }

    /// Adds the rule to the legend, with a frame as its sample, labeled if `label` is not empty.
    pub fn frame_key(&mut self, ink: Ink, label: &str) {
        let frame = Mark::polygon(square([0.0, 0.0], 0.43, (0.0, 1.0))).stroke(ink, 0.14);
        let size = 0.46_f64.min(1.0 / label.chars().count().max(1) as f64);
        self.key(vec![frame, Mark::text([0.0, 0.0], label, size).fill(Ink::Wall)]);
    }

    /// Adds the rule to the legend, with a partly shaded cell as its sample.
    pub fn shade_key(&mut self, ink: Ink, shares: (f64, f64)) {
        let cell = Mark::polygon(square([0.0, 0.0], 0.5, (0.0, 1.0))).stroke(Ink::Thin, 0.04);
        self.key(vec![Mark::polygon(square([0.0, 0.0], 0.5, shares)).fill(ink), cell]);
    }

    /// Adds the rule to the legend, with a number outside the grid as its sample. `text` stands for
    /// the number.
    pub fn number_key(&mut self, text: &str, frame: NumberFrame) {
        /// Enlargement of the sample, so that its text is almost as high as the words next to it.
        const SCALE: f64 = 1.45;
        let mut marks = frame.marks([0.0, 0.0], SCALE);
        marks.push(Mark::text([0.0, 0.0], text, SCALE * frame.text_size(text)).fill(Ink::Wall));
        self.key(marks);
    }

    /// Explains a clue in the legend under a letter, and returns the letter. If `is_shared`, clues
    /// of the same rule with the same text have the same letter.
    pub fn explain(&mut self, text: &str, is_shared: bool) -> String {
        const LENGTH_MAX: usize = 60;
        let key = (self.rule, text.to_owned());
        if let Some(letter) = self.lettered.get(&key).filter(|_| is_shared) {
            return letter.clone();
        }
        let letter = self.letter();
        self.lettered.insert(key, letter.clone());
        let mut words = format!("{letter}: {}", self.rule);
        if !text.is_empty() {
            words.push(' ');
            words.extend(text.chars().take(LENGTH_MAX));
        }
        if text.chars().count() > LENGTH_MAX {
            words.push_str(" ...");
        }
        self.picture.word(None, words);
        letter
    }

    /// Draws a clue without marks of its own: a line around each group of cells, with a letter that
    /// the legend explains.
    pub fn lettered(&mut self, groups: &[Vec<usize>], text: &str) {
        let letter = self.explain(text, groups.len() < 2);
        groups.iter().for_each(|cells| self.cage(cells, Ink::Muted, false, &letter));
    }

    /// Draws an ordered clue without marks of its own: a thin line from a dot through each group,
    /// with a letter that the legend explains. The dot can be hollow.
    pub fn lettered_line(&mut self, groups: &[Vec<usize>], ink: Ink, is_hollow: bool, text: &str) {
        let letter = self.explain(text, groups.len() < 2);
        for cells in groups.iter().filter(|cells| !cells.is_empty()) {
            let width = self.line(cells, ink, 0.1);
            let (radius, fill) = if is_hollow { (0.13, Ink::Paper) } else { (0.1, ink) };
            self.circle(cells[0], radius, fill, ink, width);
            self.label(cells[0], &letter);
        }
    }

    /// Draws a line through cells with a bar across each end, near the outer sides of the end
    /// cells.
    pub fn barred_line(&mut self, cells: &[usize], ink: Ink) {
        const REACH: f64 = 0.34;
        const HALF: f64 = 0.2;
        let mut points = self.centers(cells);
        let (Some(&[first, second]), Some(&[before, last])) =
            (points.first_chunk::<2>(), points.last_chunk::<2>())
        else {
            return;
        };
        let mut bars = Vec::new();
        for [end, next] in [[first, second], [last, before]] {
            let at = moved(end, next, -REACH);
            let [right, down] = [0, 1].map(|axis| (end[axis] - at[axis]) * HALF / REACH);
            bars.push(vec![[at[0] - down, at[1] + right], [at[0] + down, at[1] - right]]);
        }
        let end = points.len() - 1;
        points[0] = moved(first, second, -REACH);
        points[end] = moved(last, before, -REACH);
        let width = self.free_width(&points, 0.2);
        self.under(ClueLayer::Line(-width), Mark::line(points).stroke(ink, width));
        for bar in bars {
            self.under(ClueLayer::Line(-width), Mark::line(bar).stroke(Ink::Muted, 0.07));
        }
    }

    /// Draws a thin line through cells, from a dot to an arrow tip.
    pub fn pointer(&mut self, cells: &[usize], ink: Ink) {
        let width = self.line(cells, ink, 0.1);
        self.circle(cells[0], 0.16, ink, ink, width);
        if let [.., from, to] = self.centers(cells)[..] {
            let tip = arrow_tip(from, moved(to, from, -0.12));
            self.under(ClueLayer::Line(-width), Mark::line(tip).stroke(ink, 0.1));
        }
    }

    /// Draws the number of a clue inside the grid, in its frame, at the first of its cells, with a
    /// thin line through the cells.
    pub fn number_inside(&mut self, cells: &[usize], text: &str, frame: NumberFrame) {
        const SCALE: f64 = 0.55;
        self.line(cells, Ink::Gray, 0.06);
        let [x, y] = self.center(cells[0]);
        let shift = 0.25 * self.take([x - 0.25, y - 0.25]) as f64;
        let at = [x - 0.22, y - 0.22 + shift];
        let patch = Mark::polygon(square(at, 0.2, (0.0, 1.0))).fill(Ink::Paper);
        self.picture.over(patch);
        frame.marks(at, SCALE).into_iter().for_each(|mark| self.picture.over(mark));
        self.tag(at, text, SCALE * frame.text_size(text), Ink::Wall, None);
    }

    /// Returns the board of the clues.
    pub fn board(&self) -> &VariantBoard {
        self.board
    }

    fn center(&self, cell: usize) -> Point {
        let (row, column) = self.board.place(cell);
        [column as f64 + 0.5, row as f64 + 0.5]
    }

    /// Returns the distance between two cells in moves of a chess king.
    pub fn distance(&self, one: usize, other: usize) -> usize {
        let ((row, column), (other_row, other_column)) =
            (self.board.place(one), self.board.place(other));
        row.abs_diff(other_row).max(column.abs_diff(other_column))
    }

    fn centers(&self, cells: &[usize]) -> Vec<Point> {
        cells.iter().map(|&cell| self.center(cell)).collect()
    }

    /// Counts a mark at a position; returns the number of earlier marks there.
    fn take(&mut self, place: Point) -> usize {
        let place = place.map(|at| (at * 12.0).round() as i64);
        let count = self.taken.entry(place).or_default();
        *count += 1;
        *count - 1
    }

    fn under(&mut self, layer: ClueLayer, mark: Mark) {
        self.under.push((layer, mark));
    }

    /// Returns a width for a line through `points` that clearly differs from the lines already
    /// drawn there.
    fn free_width(&mut self, points: &[Point], width: f64) -> f64 {
        let middles: Vec<[i64; 2]> = points
            .windows(2)
            .map(|ends| [0, 1].map(|axis| ((ends[0][axis] + ends[1][axis]) * 6.0).round() as i64))
            .collect();
        let known: Vec<f64> =
            middles.iter().filter_map(|at| self.widths.get(at)).flatten().copied().collect();
        let is_hidden = |width: f64| known.iter().any(|other| (0.75..1.34).contains(&(width / other)));
        let mut free = width;
        while is_hidden(free) && free > 0.03 {
            free *= NARROWER;
        }
        middles.into_iter().for_each(|at| self.widths.entry(at).or_default().push(free));
        free
    }

    /// Draws a line through cells, below the digits; returns the width of the line.
    pub fn line(&mut self, cells: &[usize], ink: Ink, width: f64) -> f64 {
        let mut points = self.centers(cells);
        if let [only] = points[..] {
            points.push(only);
        }
        let width = self.free_width(&points, width);
        self.under(ClueLayer::Line(-width), Mark::line(points).stroke(ink, width));
        width
    }

    /// Draws a thermometer: a line through cells with a bulb at the first cell. The bulb can be
    /// hollow.
    pub fn thermometer(&mut self, cells: &[usize], is_hollow: bool) {
        let width = self.line(cells, Ink::Gray, 0.36);
        let points = self.centers(cells);
        let bulb = |radius: f64, ink: Ink| Mark::circle(points[0], radius).fill(ink).stroke(ink, 0.05);
        let share = width / 0.36;
        let mut marks = vec![bulb(0.37 * share, Ink::Gray)];
        if is_hollow {
            marks.push(Mark::line(points.clone()).stroke(Ink::Paper, 0.2 * share));
            marks.push(bulb(0.28 * share, Ink::Paper));
        }
        marks.into_iter().for_each(|mark| self.under(ClueLayer::Line(-width), mark));
    }

    /// Draws a circle at an end of a line with width `width`.
    pub fn circle(&mut self, cell: usize, radius: f64, fill: Ink, line: Ink, width: f64) {
        let circle = Mark::circle(self.center(cell), radius);
        self.under(ClueLayer::Line(-width), circle.fill(fill).stroke(line, 0.05));
    }

    /// Draws a circle or a square in a cell, with its fill below all lines and its outline above
    /// them.
    pub fn symbol(&mut self, cell: usize, is_square: bool) {
        const RADIUS: f64 = 0.33;
        let center = self.center(cell);
        let mark = match is_square {
            true => Mark::polygon(square(center, RADIUS, (0.0, 1.0))),
            false => Mark::circle(center, RADIUS),
        };
        self.under(ClueLayer::Symbol, mark.clone().fill(Ink::Gray));
        self.under(ClueLayer::Outline, mark.stroke(Ink::Muted, 0.035));
    }

    /// Draws the part of a square in a cell between two fractions of its height, below the digits.
    pub fn square(&mut self, cell: usize, radius: f64, shares: (f64, f64), ink: Ink) {
        let corners = square(self.center(cell), radius, shares);
        self.under(ClueLayer::Symbol, Mark::polygon(corners).fill(ink));
    }

    /// Draws a square that stands on a corner in a cell, at a line with width `width`.
    pub fn diamond(&mut self, cell: usize, radius: f64, ink: Ink, width: f64) {
        let [x, y] = self.center(cell);
        let corners = vec![[x, y - radius], [x + radius, y], [x, y + radius], [x - radius, y]];
        self.under(ClueLayer::Line(-width), Mark::polygon(corners).fill(Ink::Paper).stroke(ink, 0.07));
    }

    /// Shades cells. If a cell is shaded several times, each further shade is smaller.
    pub fn shade(&mut self, cells: &[usize], ink: Ink) {
        for &cell in cells {
            let count = self.shades.entry(cell).or_default();
            let radius = 0.5 * 0.72_f64.powi(*count as i32);
            *count += 1;
            let corners = square(self.center(cell), radius, (0.0, 1.0));
            self.under(ClueLayer::Shade, Mark::polygon(corners).fill(ink));
        }
    }

    /// Writes a small text into a corner of a cell.
    pub fn label(&mut self, cell: usize, text: &str) {
        self.corner_text(cell, text);
    }

    /// Writes a small text into a corner of a cell, crossed out: a number that must not occur.
    pub fn refused_label(&mut self, cell: usize, text: &str) {
        let [x, y] = self.corner_text(cell, text);
        let [wide, _] = patch_of(text, LABEL);
        let stroke = vec![[x - wide, y + 0.07], [x + wide, y - 0.07]];
        self.picture.over(Mark::line(stroke).stroke(Ink::Crimson, 0.045));
    }

    /// Writes a small text into the next free corner of a cell, and returns its center.
    fn corner_text(&mut self, cell: usize, text: &str) -> Point {
        let center = self.center(cell);
        let turn = self.take([center[0] - 0.25, center[1] - 0.25]);
        let [x, y] = [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]][turn % 4];
        let [wide, high] = patch_of(text, LABEL);
        let at = [center[0] + x * (LABEL_REACH - wide), center[1] + y * (LABEL_REACH - high)];
        self.tag(at, text, LABEL, Ink::Wall, Some(Ink::Paper));
        at
    }

    fn tag(&mut self, at: Point, text: &str, size: f64, ink: Ink, patch: Option<Ink>) {
        let [wide, high] = patch_of(text, size);
        let [x, y] = at;
        if let Some(patch) = patch {
            let corners = [[-wide, -high], [wide, -high], [wide, high], [-wide, high]];
            let corners = corners.map(|[right, down]| [x + right, y + down]).to_vec();
            self.picture.over(Mark::polygon(corners).fill(patch));
        }
        self.picture.over(Mark::text(at, text, size).fill(ink));
    }

    /// Writes the number of a clue, if it has one, at its first cell.
    pub fn number(&mut self, args: &Args) {
        if let (Some(value), Some(&cell)) = (args.values.first(), args.groups.concat().first()) {
            self.label(cell, &value.to_string());
        }
    }

    /// Draws solid or dashed lines around cells, with a label in the first cell in row-by-row
    /// order.
    pub fn cage(&mut self, cells: &[usize], ink: Ink, is_dashed: bool, label: &str) {
        let loops = Mark::polygons(self.outline(cells, INSET)).stroke(ink, 0.035);
        self.picture.over(if is_dashed { loops.dashed(0.11, 0.075) } else { loops });
        if let Some(&first) = cells.iter().min().filter(|_| !label.is_empty()) {
            self.label(first, label);
        }
    }

    /// Draws a broad line in a pale ink around cells, below the digits, with a label in the first
    /// cell in row-by-row order. If a cell has several frames, each further frame is smaller.
    pub fn frame(&mut self, cells: &[usize], ink: Ink, label: &str) {
        const FRAMES_MAX: usize = 3;
        let mut depth = 0;
        for cell in cells.iter().collect::<BTreeSet<_>>() {
            let count = self.frames.entry(*cell).or_default();
            depth = depth.max(*count % FRAMES_MAX);
            *count += 1;
        }
        let loops = self.outline(cells, FRAME * (1.0 + depth as f64));
        self.under(ClueLayer::Frame, Mark::polygons(loops).stroke(ink, FRAME));
        if let Some(&first) = cells.iter().min().filter(|_| !label.is_empty()) {
            self.label(first, label);
        }
    }

    /// Returns the loops around cells, at a distance `inset` inside the edges of the cells.
    fn outline(&self, cells: &[usize], inset: f64) -> Vec<Vec<Point>> {
        let mut places: Vec<(isize, isize)> = cells
            .iter()
            .map(|&cell| self.board.place(cell))
            .map(|(row, column)| (row as isize, column as isize))
            .collect();
        places.sort_unstable();
        let has = |place: (isize, isize)| places.binary_search(&place).is_ok();
        // Each edge runs clockwise around its cell, and ends before a corner, at the corner, or
        // after it.
        let mut edges: Vec<([i64; 2], [i64; 2], Point)> = Vec::new();
        for &(row, column) in &places {
            // For each edge, the direction outwards and the direction along the edge, as steps down
            // and right.
            for (out, along) in
                [((-1, 0), (0, 1)), ((0, 1), (1, 0)), ((1, 0), (0, -1)), ((0, -1), (-1, 0))]
            {
                let at = |outwards: isize, onwards: isize| {
                    (
                        row + outwards * out.0 + onwards * along.0,
                        column + outwards * out.1 + onwards * along.1,
                    )
                };
                if has(at(1, 0)) {
                    continue;
                }
                let end = |onwards: isize| {
                    let reach = match (has(at(0, onwards)), has(at(1, onwards))) {
                        (false, _) => 0.5 - inset,
                        (true, false) => 0.5,
                        (true, true) => 0.5 + inset,
                    };
                    let (outwards, reach) = (0.5 - inset, reach * onwards as f64);
                    let place = |outwards_step: isize, along_step: isize, from: isize| {
                        from as f64 + 0.5 + outwards * outwards_step as f64 + reach * along_step as f64
                    };
                    [place(out.1, along.1, column), place(out.0, along.0, row)]
                };
                let (from, to) = (end(-1), end(1));
                let key = |point: Point| point.map(|at| (at * 1000.0).round() as i64);
                edges.push((key(from), key(to), to));
            }
        }
        let starts: HashMap<[i64; 2], usize> = edges.iter().map(|edge| edge.0).zip(0..).collect();
        let mut is_used = vec![false; edges.len()];
        let mut loops = Vec::new();
        for first in 0..edges.len() {
            let (mut points, mut at) = (Vec::new(), Some(first));
            while let Some(edge) = at.filter(|&edge| !is_used[edge]) {
                is_used[edge] = true;
                points.push(edges[edge].2);
                at = starts.get(&edges[edge].1).copied();
            }
            if !points.is_empty() {
                loops.push(without_straight(&points));
            }
        }
        loops
    }

    /// Returns the position of a sign between two cells. If the cells do not touch, draws a thin
    /// line between them.
    fn between(&mut self, one: usize, other: usize) -> Point {
        let ends = [self.center(one), self.center(other)];
        let [from, to] = ends;
        let step = [to[0] - from[0], to[1] - from[1]];
        if step[0].abs() + step[1].abs() > 1.01 {
            self.under(ClueLayer::Line(-0.03), Mark::line(ends.to_vec()).stroke(Ink::Muted, 0.03));
        }
        let middle = [from[0] + step[0] / 2.0, from[1] + step[1] / 2.0];
        let aside = [0.0, 0.3, -0.3, 0.15, -0.15][self.take(middle) % 5];
        let length = step[0].hypot(step[1]).max(1e-9);
        [middle[0] - aside * step[1] / length, middle[1] + aside * step[0] / length]
    }

    /// Draws a dot between consecutive cells, with a text in it. The dot is black or white in every
    /// theme.
    pub fn dots(&mut self, cells: &[usize], is_black: bool, text: &str) {
        for pair in cells.windows(2) {
            let at = self.between(pair[0], pair[1]);
            self.dot(at, is_black, text);
        }
    }

    fn dot(&mut self, at: Point, is_black: bool, text: &str) {
        let (fill, ink) = if is_black { (Ink::Black, Ink::White) } else { (Ink::White, Ink::Black) };
        self.picture.over(Mark::circle(at, 0.145).fill(fill).stroke(Ink::Wall, 0.045));
        if !text.is_empty() {
            self.tag(at, text, if text.len() > 1 { 0.18 } else { 0.23 }, ink, None);
        }
    }

    /// Writes a text between consecutive cells.
    pub fn signs(&mut self, cells: &[usize], text: &str) {
        for pair in cells.windows(2) {
            let at = self.between(pair[0], pair[1]);
            self.tag(at, text, 0.36, Ink::Wall, Some(Ink::Paper));
        }
    }

    /// Draws a crossed-out dot between consecutive cells, whose relation must not hold.
    pub fn refused_dots(&mut self, cells: &[usize], is_black: bool, text: &str) {
        for pair in cells.windows(2) {
            let at = self.between(pair[0], pair[1]);
            self.dot(at, is_black, text);
            self.strike(at);
        }
        let (fill, line) = (if is_black { Ink::Black } else { Ink::White }, Ink::Wall);
        let dot = Mark::circle([0.0, 0.0], 0.3).fill(fill).stroke(line, 0.09);
        self.key(vec![dot, strike([0.0, 0.0]).stroke(Ink::Crimson, 0.1)]);
    }

    /// Writes a crossed-out text between consecutive cells, whose relation must not hold.
    pub fn refused_signs(&mut self, cells: &[usize], text: &str) {
        for pair in cells.windows(2) {
            let at = self.between(pair[0], pair[1]);
            self.tag(at, text, 0.36, Ink::Wall, Some(Ink::Paper));
            self.strike(at);
        }
        let sign = Mark::text([0.0, 0.0], text, 0.8).fill(Ink::Wall);
        self.key(vec![sign, strike([0.0, 0.0]).stroke(Ink::Crimson, 0.1)]);
    }

    fn strike(&mut self, at: Point) {
        self.picture.over(strike(at).stroke(Ink::Crimson, 0.06));
    }

    /// Draws a sign `>` between consecutive cells, with its open side towards the first one.
    pub fn greater(&mut self, cells: &[usize]) {
        for pair in cells.windows(2) {
            let at = self.between(pair[0], pair[1]);
            let [from, to] = [self.center(pair[0]), self.center(pair[1])];
            self.chevron(at, [to[0] - from[0], to[1] - from[1]], true);
        }
    }

    /// Draws signs at the sides of a cell that is less or greater than all its neighbors.
    pub fn extreme(&mut self, cell: usize, is_least: bool) {
        self.shade(&[cell], Ink::Shade);
        let [x, y] = self.center(cell);
        for [right, down] in [[0.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]] {
            let sign = if is_least { -1.0 } else { 1.0 };
            self.chevron([x + 0.37 * right, y + 0.37 * down], [sign * right, sign * down], false);
        }
    }

    /// Draws an open arrow tip around a point, in the direction `step`. A tip across a line between
    /// cells interrupts the line.
    fn chevron(&mut self, at: Point, step: Point, is_across: bool) {
        let length = step[0].hypot(step[1]).max(1e-9);
        let [right, down] = step.map(|part| part / length);
        let end = |side: f64| {
            [at[0] - 0.06 * right - 0.125 * side * down, at[1] - 0.06 * down + 0.125 * side * right]
        };
        let tip = [at[0] + 0.07 * right, at[1] + 0.07 * down];
        let points = vec![end(1.0), tip, end(-1.0)];
        if is_across {
            self.picture.over(Mark::line(points.clone()).stroke(Ink::Paper, 0.13));
        }
        self.picture.over(Mark::line(points).stroke(Ink::Wall, 0.055));
    }

    /// Draws a line with an arrow at its end, below the digits.
    pub fn arrow(&mut self, points: Vec<Point>) {
        let Some(&[.., from, to]) = points.last_chunk::<2>().map(|ends| ends as &[Point; 2]) else {
            return;
        };
        let tip = arrow_tip(from, to);
        let width = self.free_width(&points, 0.06);
        self.under(ClueLayer::Line(-width), Mark::line(points).stroke(Ink::Muted, width));
        self.under(ClueLayer::Line(-0.06), Mark::line(tip).stroke(Ink::Muted, 0.06));
    }

    /// Draws a thin line through cells, with circles around the first and the last cell.
    pub fn between_pills(&mut self, cells: &[usize]) {
        let mut points = self.centers(cells);
        for end in [cells[0], cells[cells.len() - 1]] {
            self.pill(&[end]);
        }
        if let [first, second, .., before, last] = points[..] {
            let end = points.len() - 1;
            points[0] = moved(first, second, PILL / 2.0);
            points[end] = moved(last, before, PILL / 2.0);
        }
        let width = self.free_width(&points, 0.06);
        self.under(ClueLayer::Line(-width), Mark::line(points).stroke(Ink::Muted, width));
    }

    /// Draws an arrow through cells, starting at the edge of the pill (a rounded outline) around
    /// the first cell.
    pub fn arrow_through(&mut self, cells: &[usize]) {
        let mut points = self.centers(cells);
        // The arrow ends beyond the center of its last cell, so that its tip is not under the
        // digit.
        if let [.., from, to] = points[..] {
            let last = points.len() - 1;
            points[last] = moved(to, from, -0.12);
        }
        if let [first, second, ..] = points[..] {
            points[0] = moved(first, second, PILL / 2.0);
        }
        self.arrow(points);
    }

    /// Draws a pill (a rounded outline) around cells, or a circle around a single cell. Lines are
    /// drawn over it.
    pub fn pill(&mut self, cells: &[usize]) {
        let mut points = self.centers(cells);
        if let [only] = points[..] {
            points.push(only);
        }
        self.under(ClueLayer::Pill, Mark::line(points.clone()).stroke(Ink::Muted, PILL));
        self.under(ClueLayer::Pill, Mark::line(points).stroke(Ink::Paper, PILL - 0.09));
    }

    /// Writes digits in a circle where four cells meet. If the cells do not meet, writes the digits
    /// at a line around them.
    pub fn at_corner(&mut self, cells: &[usize], digits: &[i64]) {
        let words: Vec<String> = digits.iter().map(ToString::to_string).collect();
        let points = self.centers(cells);
        let count = points.len().max(1) as f64;
        let at = [0, 1].map(|axis| points.iter().map(|point| point[axis]).sum::<f64>() / count);
        let is_near = |point: &Point| [0, 1].iter().all(|&axis| (point[axis] - at[axis]).abs() < 0.51);
        if points.len() != 4 || !points.iter().all(is_near) {
            let label = words.join(",");
            self.cage(cells, Ink::Muted, false, &label);
            self.cage_key(Ink::Muted, "a,b");
            return;
        }
        let shift = 0.3 * self.take(at) as f64;
        let at = [at[0] + shift, at[1] + shift];
        self.picture.over(Mark::circle(at, 0.28).fill(Ink::Paper).stroke(Ink::Wall, 0.04));
        // Write two digits per line.
        let lines: Vec<String> = words.chunks(2).map(|words| words.join(" ")).collect();
        for (number, line) in lines.iter().enumerate() {
            let down = (number as f64 - (lines.len() as f64 - 1.0) / 2.0) * 0.21;
            let size = (0.66 / line.chars().count().max(3) as f64).min(0.24);
            self.tag([at[0], at[1] + down], line, size, Ink::Wall, None);
        }
    }

    /// Writes a text outside the grid, next to the first cell of a row, column or diagonal; returns
    /// `false` if the cells do not extend from edge to edge.
    pub fn outside(&mut self, cells: &[usize], text: &str, frame: NumberFrame) -> bool {
        let sides = [self.board.columns() as f64, self.board.shape.rows() as f64];
        let [first, second, ..] = self.centers(cells)[..] else { return false };
        let step = [second[0] - first[0], second[1] - first[1]];
        let before = [first[0] - step[0], first[1] - step[1]];
        let is_outside = before.iter().zip(sides).any(|(&at, side)| at < 0.0 || at > side);
        let is_straight = self.centers(cells).windows(2).all(|pair| {
            [0, 1].iter().all(|&axis| (pair[1][axis] - pair[0][axis] - step[axis]).abs() < 0.01)
        });
        if !is_outside || !is_straight || step.iter().any(|part| part.abs() > 1.01) {
            return false;
        }
        let is_diagonal = step[0] != 0.0 && step[1] != 0.0;
        let far = self.take(before) as f64;
        let reach = if is_diagonal { 1.02 } else { 0.98 } + 0.85 * far;
        let at = [first[0] - reach * step[0], first[1] - reach * step[1]];
        if is_diagonal {
            let on = |share: f64| [at[0] + share * step[0], at[1] + share * step[1]];
            let (from, to) = (on(0.27), on(0.49));
            let wing = |axis: usize| {
                let mut point = to;
                point[axis] -= 0.13 * step[axis];
                point
            };
            self.picture.over(Mark::line(vec![from, to]).stroke(Ink::Muted, 0.045));
            self.picture.over(Mark::line(vec![wing(0), to, wing(1)]).stroke(Ink::Muted, 0.045));
        }
        frame.marks(at, 1.0).into_iter().for_each(|mark| self.picture.over(mark));
        self.tag(at, text, frame.text_size(text), Ink::Wall, None);
        true
    }

    /// Returns whether cells form a diagonal from edge to edge.
    pub fn is_diagonal(&self, cells: &[usize]) -> bool {
        let (Some(&first), Some(&second)) = (cells.first(), cells.get(1)) else { return false };
        let ((row, column), (next_row, next_column)) =
            (self.board.place(first), self.board.place(second));
        let step = (next_row as isize - row as isize, next_column as isize - column as isize);
        let before = self.board.cell(row as isize - step.0, column as isize - step.1);
        step.0.abs() == 1
            && step.1.abs() == 1
            && before.is_none()
            && self.board.ray(first, step) == cells
    }

    /// Returns the next letter: A to Z, then A1 to Z1, and so on.
    pub fn letter(&mut self) -> String {
        let number = self.letters;
        self.letters += 1;
        let letter = char::from(b'A' + (number % 26) as u8);
        match number / 26 {
            0 => letter.to_string(),
            round => format!("{letter}{round}"),
        }
    }

    /// Writes the digits allowed in a cell.
    pub fn candidates(&mut self, cell: usize, digits: &[i64]) {
        let text = digits.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let [x, y] = self.center(cell);
        let size = (1.6 / text.chars().count().max(6) as f64).min(0.22);
        self.under(ClueLayer::Outline, Mark::text([x, y + 0.38], &text, size).fill(Ink::Muted));
    }
}

/// Returns the corners of the part of a square between two fractions of its height.
fn square([x, y]: Point, radius: f64, (from, to): (f64, f64)) -> Vec<Point> {
    let [top, bottom] = [from, to].map(|share| y - radius + 2.0 * radius * share);
    vec![[x - radius, top], [x + radius, top], [x + radius, bottom], [x - radius, bottom]]
}

/// Returns half the width and half the height of the patch under a text.
fn patch_of(text: &str, size: f64) -> [f64; 2] {
    [0.29 * size * text.chars().count() as f64 + 0.02, 0.4 * size]
}

/// Returns the point at distance `reach` from the point `from` in the direction of `to`.
fn moved(from: Point, to: Point, reach: f64) -> Point {
    let step = [to[0] - from[0], to[1] - from[1]];
    let length = step[0].hypot(step[1]).max(1e-9);
    [from[0] + reach * step[0] / length, from[1] + reach * step[1] / length]
}

/// Returns the tip of an arrow that ends at the point `to`.
fn arrow_tip(from: Point, to: Point) -> Vec<Point> {
    let step = [to[0] - from[0], to[1] - from[1]];
    let length = step[0].hypot(step[1]).max(1e-9);
    let [right, down] = step.map(|part| part / length);
    let end = |side: f64| {
        [to[0] - 0.2 * right - 0.17 * side * down, to[1] - 0.2 * down + 0.17 * side * right]
    };
    vec![end(1.0), to, end(-1.0)]
}

/// Returns a stroke through a sign, flatter than the strokes of an X.
fn strike([x, y]: Point) -> Mark {
    Mark::line(vec![[x - 0.24, y + 0.1], [x + 0.24, y - 0.1]])
}

/// Removes the points of a loop where it does not turn.
fn without_straight(points: &[Point]) -> Vec<Point> {
    let count = points.len();
    let is_corner = |place: &usize| {
        let [before, here, next] =
            [(place + count - 1) % count, *place, (place + 1) % count].map(|place| points[place]);
        let turn =
            (here[0] - before[0]) * (next[1] - here[1]) - (here[1] - before[1]) * (next[0] - here[0]);
        turn.abs() > 1e-9
    };
    (0..count).filter(is_corner).map(|place| points[place]).collect()
}
