//! How clues are drawn: lines through cells, cages around them, signs between them, numbers outside of the grid.
//!
//! Each rule of [`RULES`](super::rules::RULES) draws its clues with these. What comes to one place a second time moves
//! aside: numbers outside of the grid outwards, labels in a cell to its next corner, signs along the edge.

use std::collections::HashMap;

use super::board::VariantBoard;
use super::rules::{Args, Rule};
use crate::puzzle::{Ink, Mark, Picture, Point};

/// Draws a clue of a rule.
pub type ClueDrawing = fn(&mut Sketch<'_>, &Args);

/// How far the line of a cage is from the edges of its cells.
const INSET: f64 = 0.09;
/// The size of labels in corners.
const LABEL: f64 = 0.25;

/// What is around a number outside of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberFrame {
    /// Nothing.
    None,
    /// A circle.
    Circle,
    /// A square.
    Square,
    /// A house with a roof.
    House,
}

/// Clues on their way into a picture.
#[derive(Debug)]
pub struct Sketch<'b> {
    board: &'b VariantBoard,
    picture: &'b mut Picture,
    /// How many marks are at a place already, in twelfths of a cell.
    taken: HashMap<[i64; 2], usize>,
    /// How many groups that belong together have had a letter.
    letters: u8,
    /// The name of the rule at work.
    rule: &'static str,
}

impl<'b> Sketch<'b> {
    /// Prepares to draw clues of a board into a picture of its cells; row and column count from 0, as squares do.
    pub fn new(board: &'b VariantBoard, picture: &'b mut Picture) -> Self {
        Self { board, picture, taken: HashMap::new(), letters: 0, rule: "" }
    }

    /// Draws a clue.
    pub fn clue(&mut self, rule: &Rule, args: &Args) {
        self.rule = rule.name;
        (rule.draw)(self, args);
    }

    /// Says which rule it is in the words below, with a stroke of an ink if there is one.
    pub fn name(&mut self, ink: Option<Ink>) {
        self.picture.word(ink, self.rule.replace('-', " "));
    }

    /// Says the same with the text of a clue, as much of it as fits in a line.
    pub fn name_of(&mut self, ink: Option<Ink>, text: &str) {
        const LENGTH_MAX: usize = 60;
        let mut short: String = text.chars().take(LENGTH_MAX).collect();
        if short.len() < text.len() {
            short += " ...";
        }
        self.picture.word(ink, format!("{} {short}", self.rule.replace('-', " ")));
    }

    /// Says the same with the numbers of a clue, for which there is no room in its cells.
    pub fn name_with(&mut self, ink: Option<Ink>, numbers: &[i64]) {
        let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        self.picture.word(ink, format!("{} {}", self.rule.replace('-', " "), numbers.join(" ")));
    }

    /// Returns the middle of a cell.
    fn center(&self, cell: usize) -> Point {
        let (row, column) = self.board.place(cell);
        [column as f64 + 0.5, row as f64 + 0.5]
    }

    /// Returns how far two cells are apart, in steps of a king.
    pub fn distance(&self, one: usize, other: usize) -> usize {
        let ((row, column), (other_row, other_column)) =
            (self.board.place(one), self.board.place(other));
        row.abs_diff(other_row).max(column.abs_diff(other_column))
    }

    fn centers(&self, cells: &[usize]) -> Vec<Point> {
        cells.iter().map(|&cell| self.center(cell)).collect()
    }

    /// Returns how many marks were at a place before this one.
    fn take(&mut self, place: Point) -> usize {
        let place = place.map(|at| (at * 12.0).round() as i64);
        let count = self.taken.entry(place).or_default();
        *count += 1;
        *count - 1
    }

    /// Draws a line through cells, below the digits.
    pub fn line(&mut self, cells: &[usize], ink: Ink, width: f64) {
        let mut points = self.centers(cells);
        if let [only] = points[..] {
            points.push(only);
        }
        self.picture.under(Mark::line(points).stroke(ink, width));
    }

    /// Draws a circle in a cell, below the digits.
    pub fn circle(&mut self, cell: usize, radius: f64, fill: Ink, line: Ink) {
        let circle = Mark::circle(self.center(cell), radius);
        self.picture.under(circle.fill(fill).stroke(line, 0.05));
    }

    /// Draws a square in a cell, below the digits: the part of its height between two shares.
    pub fn square(&mut self, cell: usize, radius: f64, (from, to): (f64, f64), ink: Ink) {
        let [x, y] = self.center(cell);
        let [top, bottom] = [from, to].map(|share| y - radius + 2.0 * radius * share);
        let (left, right) = (x - radius, x + radius);
        let corners = vec![[left, top], [right, top], [right, bottom], [left, bottom]];
        self.picture.under(Mark::polygon(corners).fill(ink));
    }

    /// Draws a square that stands on a corner in a cell, below the digits.
    pub fn diamond(&mut self, cell: usize, radius: f64, ink: Ink) {
        let [x, y] = self.center(cell);
        let corners = vec![[x, y - radius], [x + radius, y], [x, y + radius], [x - radius, y]];
        self.picture.under(Mark::polygon(corners).fill(Ink::Paper).stroke(ink, 0.07));
    }

    /// Shades cells.
    pub fn shade(&mut self, cells: &[usize], ink: Ink) {
        for &cell in cells {
            self.square(cell, 0.5, (0.0, 1.0), ink);
        }
    }

    /// Writes a small text into a corner of a cell.
    pub fn label(&mut self, cell: usize, text: &str) {
        let center = self.center(cell);
        let turn = self.take([center[0] - 0.25, center[1] - 0.25]);
        let [x, y] = [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]][turn % 4];
        let half = 0.5 * 0.58 * LABEL * text.chars().count() as f64;
        let at = [center[0] + x * (0.465 - half), center[1] + y * 0.35];
        self.tag(at, text, LABEL, Ink::Wall, Some(Ink::Paper));
    }

    /// Writes a text on a patch of paper, above the lines.
    fn tag(&mut self, at: Point, text: &str, size: f64, ink: Ink, patch: Option<Ink>) {
        let (wide, high) = (0.29 * size * text.chars().count() as f64 + 0.03, 0.48 * size);
        let [x, y] = at;
        if let Some(patch) = patch {
            let corners = [[-wide, -high], [wide, -high], [wide, high], [-wide, high]];
            let corners = corners.map(|[right, down]| [x + right, y + down]).to_vec();
            self.picture.over(Mark::polygon(corners).fill(patch));
        }
        self.picture.over(Mark::text(at, text, size).fill(ink));
    }

    /// Writes the number of a clue, if it has one, on its line.
    pub fn number(&mut self, args: &Args) {
        if let (Some(value), Some(&cell)) = (args.values.first(), args.groups.concat().first()) {
            self.label(cell, &value.to_string());
        }
    }

    /// Draws lines around cells, dashed or whole, with a label in the first of them by rows.
    pub fn cage(&mut self, cells: &[usize], ink: Ink, is_dashed: bool, label: &str) {
        let loops = Mark::polygons(self.outline(cells)).stroke(ink, 0.035);
        self.picture.over(if is_dashed { loops.dashed(0.11, 0.075) } else { loops });
        if let Some(&first) = cells.iter().min().filter(|_| !label.is_empty()) {
            self.label(first, label);
        }
    }

    /// Returns the loops around cells, a little inside of their edges.
    fn outline(&self, cells: &[usize]) -> Vec<Vec<Point>> {
        let mut places: Vec<(isize, isize)> = cells
            .iter()
            .map(|&cell| self.board.place(cell))
            .map(|(row, column)| (row as isize, column as isize))
            .collect();
        places.sort_unstable();
        let has = |place: (isize, isize)| places.binary_search(&place).is_ok();
        // Each edge runs clockwise around its cell; it ends before a corner, at it or behind it.
        let mut edges: Vec<([i64; 2], [i64; 2], Point)> = Vec::new();
        for &(row, column) in &places {
            // Outwards, and along the edge, as steps down and right.
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
                        (false, _) => 0.5 - INSET,
                        (true, false) => 0.5,
                        (true, true) => 0.5 + INSET,
                    };
                    let (outwards, reach) = (0.5 - INSET, reach * onwards as f64);
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

    /// Returns where a sign between two cells stands; joins them by a thin line if they do not touch.
    fn between(&mut self, one: usize, other: usize) -> Point {
        let ends = [self.center(one), self.center(other)];
        let [from, to] = ends;
        let step = [to[0] - from[0], to[1] - from[1]];
        if step[0].abs() + step[1].abs() > 1.01 {
            self.picture.under(Mark::line(ends.to_vec()).stroke(Ink::Muted, 0.03));
        }
        let middle = [from[0] + step[0] / 2.0, from[1] + step[1] / 2.0];
        let aside = [0.0, 0.3, -0.3, 0.15, -0.15][self.take(middle) % 5];
        let length = step[0].hypot(step[1]).max(1e-9);
        [middle[0] - aside * step[1] / length, middle[1] + aside * step[0] / length]
    }

    /// Draws a dot between neighbors of a line of cells, with a text in it.
    pub fn dots(&mut self, cells: &[usize], is_black: bool, text: &str) {
        let (fill, ink) = if is_black { (Ink::Wall, Ink::Paper) } else { (Ink::Paper, Ink::Wall) };
        for pair in cells.windows(2) {
            let at = self.between(pair[0], pair[1]);
            self.picture.over(Mark::circle(at, 0.145).fill(fill).stroke(Ink::Wall, 0.045));
            if !text.is_empty() {
                self.tag(at, text, if text.len() > 1 { 0.18 } else { 0.23 }, ink, None);
            }
        }
    }

    /// Writes a text between neighbors of a line of cells.
    pub fn signs(&mut self, cells: &[usize], text: &str) {
        for pair in cells.windows(2) {
            let at = self.between(pair[0], pair[1]);
            self.tag(at, text, 0.36, Ink::Wall, Some(Ink::Paper));
        }
    }

    /// Says of neighbors of a line of cells that they are not so: a small red dot, full or not, or a text.
    pub fn refuse(&mut self, cells: &[usize], is_full: bool, text: &str) {
        for pair in cells.windows(2) {
            let at = self.between(pair[0], pair[1]);
            if text.is_empty() {
                let dot = Mark::circle(at, 0.07).stroke(Ink::Red, 0.045);
                self.picture.over(dot.fill(if is_full { Ink::Red } else { Ink::Paper }));
            } else {
                self.tag(at, text, 0.2, Ink::Red, Some(Ink::Paper));
            }
        }
        self.name(Some(Ink::Red));
    }

    /// Draws a sign `>` between neighbors of a line of cells, open to the first of two.
    pub fn greater(&mut self, cells: &[usize]) {
        for pair in cells.windows(2) {
            let at = self.between(pair[0], pair[1]);
            let [from, to] = [self.center(pair[0]), self.center(pair[1])];
            self.chevron(at, [to[0] - from[0], to[1] - from[1]]);
        }
    }

    /// Draws signs at the sides of a cell: it is less than its neighbors, or greater.
    pub fn extreme(&mut self, cell: usize, is_least: bool) {
        self.shade(&[cell], Ink::Shade);
        let [x, y] = self.center(cell);
        for [right, down] in [[0.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]] {
            let sign = if is_least { -1.0 } else { 1.0 };
            self.chevron([x + 0.39 * right, y + 0.39 * down], [sign * right, sign * down]);
        }
    }

    /// Draws an open tip around a place that points along `step`.
    fn chevron(&mut self, at: Point, step: Point) {
        let length = step[0].hypot(step[1]).max(1e-9);
        let [right, down] = step.map(|part| part / length);
        let end = |side: f64| {
            [at[0] - 0.06 * right - 0.125 * side * down, at[1] - 0.06 * down + 0.125 * side * right]
        };
        let tip = [at[0] + 0.07 * right, at[1] + 0.07 * down];
        let points = vec![end(1.0), tip, end(-1.0)];
        self.picture.over(Mark::line(points.clone()).stroke(Ink::Paper, 0.13));
        self.picture.over(Mark::line(points).stroke(Ink::Wall, 0.055));
    }

    /// Draws a line with an arrow at its end, below the digits.
    pub fn arrow(&mut self, points: Vec<Point>) {
        let Some(&[.., from, to]) = points.last_chunk::<2>().map(|ends| ends as &[Point; 2]) else {
            return;
        };
        let step = [to[0] - from[0], to[1] - from[1]];
        let length = step[0].hypot(step[1]).max(1e-9);
        let [right, down] = step.map(|part| part / length);
        let end = |side: f64| {
            [to[0] - 0.2 * right - 0.17 * side * down, to[1] - 0.2 * down + 0.17 * side * right]
        };
        self.picture.under(Mark::line(points).stroke(Ink::Muted, 0.06));
        self.picture.under(Mark::line(vec![end(1.0), to, end(-1.0)]).stroke(Ink::Muted, 0.06));
    }

    /// Draws an arrow through cells.
    pub fn arrow_through(&mut self, cells: &[usize]) {
        let mut points = self.centers(cells);
        // It ends before the middle of its last cell, where the digit stands.
        if let [.., from, to] = &mut points[..] {
            let step = [to[0] - from[0], to[1] - from[1]];
            let length = step[0].hypot(step[1]).max(1e-9);
            *to = [to[0] + 0.12 * step[0] / length, to[1] + 0.12 * step[1] / length];
        }
        self.arrow(points);
    }

    /// Draws a pill around cells, or a circle around one.
    pub fn pill(&mut self, cells: &[usize]) {
        self.line(cells, Ink::Muted, 0.82);
        self.line(cells, Ink::Paper, 0.72);
    }

    /// Writes digits where four cells meet, in a circle; around the cells if they do not meet.
    pub fn at_corner(&mut self, cells: &[usize], digits: &[i64]) {
        let words: Vec<String> = digits.iter().map(ToString::to_string).collect();
        let points = self.centers(cells);
        let count = points.len().max(1) as f64;
        let at = [0, 1].map(|axis| points.iter().map(|point| point[axis]).sum::<f64>() / count);
        let is_near = |point: &Point| [0, 1].iter().all(|&axis| (point[axis] - at[axis]).abs() < 0.51);
        if points.len() != 4 || !points.iter().all(is_near) {
            self.cage(cells, Ink::Muted, false, &words.join(" "));
            self.name(Some(Ink::Muted));
            return;
        }
        let shift = 0.3 * self.take(at) as f64;
        let at = [at[0] + shift, at[1] + shift];
        self.picture.over(Mark::circle(at, 0.28).fill(Ink::Paper).stroke(Ink::Wall, 0.04));
        // Two in a line.
        let lines: Vec<String> = words.chunks(2).map(|words| words.join(" ")).collect();
        for (number, line) in lines.iter().enumerate() {
            let down = (number as f64 - (lines.len() as f64 - 1.0) / 2.0) * 0.21;
            let size = (0.66 / line.chars().count().max(3) as f64).min(0.24);
            self.tag([at[0], at[1] + down], line, size, Ink::Wall, None);
        }
    }

    /// Writes a text outside of the grid before the first cell of a row, column or diagonal. Cells that do not come from
    /// the edge get a line instead.
    pub fn outside(&mut self, cells: &[usize], text: &str, frame: NumberFrame) {
        let sides = [self.board.columns() as f64, self.board.shape.rows() as f64];
        let [first, second, ..] = self.centers(cells)[..] else { return self.around(cells, text) };
        let step = [second[0] - first[0], second[1] - first[1]];
        let before = [first[0] - step[0], first[1] - step[1]];
        let is_outside = before.iter().zip(sides).any(|(&at, side)| at < 0.0 || at > side);
        let is_straight = self.centers(cells).windows(2).all(|pair| {
            [0, 1].iter().all(|&axis| (pair[1][axis] - pair[0][axis] - step[axis]).abs() < 0.01)
        });
        if !is_outside || !is_straight || step.iter().any(|part| part.abs() > 1.01) {
            return self.around(cells, text);
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
        let polygon = |corners: &[Point]| {
            Mark::polygon(corners.iter().map(|[x, y]| [at[0] + x, at[1] + y]).collect())
        };
        let mark = match frame {
            NumberFrame::None => None,
            NumberFrame::Circle => Some(Mark::circle(at, 0.34)),
            NumberFrame::Square => Some(polygon(&[[-0.3, -0.3], [0.3, -0.3], [0.3, 0.3], [-0.3, 0.3]])),
            NumberFrame::House => {
                let (eaves, ground) = (-0.22, 0.32);
                Some(polygon(&[
                    [-0.3, eaves],
                    [0.0, -0.42],
                    [0.3, eaves],
                    [0.3, ground],
                    [-0.3, ground],
                ]))
            }
        };
        if let Some(mark) = mark {
            self.picture.over(mark.stroke(Ink::Muted, 0.03));
        }
        let size: f64 = if frame == NumberFrame::None { 0.44 } else { 0.36 };
        let size = size.min(1.1 / text.chars().count().max(2) as f64);
        self.tag(at, text, size, Ink::Wall, None);
    }

    /// Draws a thin line through cells that lie anywhere, with a text at the first.
    fn around(&mut self, cells: &[usize], text: &str) {
        self.line(cells, Ink::Gray, 0.1);
        if let Some(&first) = cells.first() {
            self.label(first, text);
        }
    }

    /// Tells whether cells are a diagonal from edge to edge.
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

    /// Returns the next letter for groups that belong together.
    pub fn letter(&mut self) -> char {
        self.letters += 1;
        char::from(b'A' + (self.letters - 1) % 26)
    }

    /// Writes the digits that a cell may have.
    pub fn candidates(&mut self, cell: usize, digits: &[i64]) {
        let text = digits.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let [x, y] = self.center(cell);
        let size = (1.6 / text.chars().count().max(6) as f64).min(0.22);
        self.picture.under(Mark::text([x, y + 0.38], &text, size).fill(Ink::Muted));
    }
}

/// Leaves out the points of a loop at which it goes straight on.
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
