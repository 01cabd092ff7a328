//! Pictures of puzzles and their solutions, as SVG: cells with texts and fills, thin lines between them, walls where
//! something ends.
//!
//! A kind says which cells there are and what belongs together; what a cell looks like is said here alone. There are no
//! styles or scripts outside of the marks, so that a picture looks the same in a notebook, a page and a program for
//! drawings. The paper is white, also where the page is dark.
//!
//! # Bounds
//! A picture takes some hundred bytes a cell; kinds have at most a million cells.

use crate::escape::Escaped;

/// A picture of cells in rows and columns.
///
/// ```
/// use farandole::puzzle::{Cell, Picture};
///
/// let mut picture = Picture::new(1, 2);
/// picture.set(0, 0, Cell::in_region(0).text("7"));
/// picture.set(0, 1, Cell::in_region(1).color(3));
/// assert!(picture.svg().starts_with("<svg "));
/// assert!(picture.svg().contains(">7</text>"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    rows: usize,
    columns: usize,
    cells: Vec<Option<Cell>>,
}

/// A cell of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    region: usize,
    text: String,
    is_given: bool,
    fill: Shading,
}

/// What a cell is filled with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shading {
    None,
    Shade,
    Color(usize),
}

impl Cell {
    /// Makes an empty cell. Walls stand between cells of different regions.
    #[must_use]
    pub fn in_region(region: usize) -> Self {
        Self { region, text: String::new(), is_given: false, fill: Shading::None }
    }

    /// Writes a text into the cell.
    #[must_use]
    pub fn text(self, text: impl Into<String>) -> Self {
        Self { text: text.into(), ..self }
    }

    /// Shows that the text was there from the beginning, or that it was not.
    #[must_use]
    pub fn given(self, is_given: bool) -> Self {
        Self { is_given, ..self }
    }

    /// Shades the cell, or does not.
    #[must_use]
    pub fn shaded(self, is_shaded: bool) -> Self {
        Self { fill: if is_shaded { Shading::Shade } else { Shading::None }, ..self }
    }

    /// Fills the cell with a color: another one for each number, neighboring numbers well apart.
    #[must_use]
    pub fn color(self, number: usize) -> Self {
        Self { fill: Shading::Color(number), ..self }
    }
}

/// The side of a cell, in units of the picture.
const SIDE: usize = 32;
/// The room around all cells, for the walls.
const MARGIN: usize = 2;
/// Pictures of more cells than this in a row are shown smaller.
const COLUMNS_SHOWN: usize = 24;

impl Picture {
    /// Makes a picture without cells.
    #[must_use]
    pub fn new(rows: usize, columns: usize) -> Self {
        Self { rows, columns, cells: vec![None; rows * columns] }
    }

    /// Puts a cell at its place, counted from 0.
    ///
    /// # Panics
    /// If the place is outside of the picture.
    pub fn set(&mut self, row: usize, column: usize, cell: Cell) {
        assert!(row < self.rows && column < self.columns, "the place must be in the picture");
        self.cells[row * self.columns + column] = Some(cell);
    }

    fn cell(&self, row: usize, column: usize) -> Option<&Cell> {
        if column >= self.columns {
            return None;
        }
        self.cells.get(row * self.columns + column)?.as_ref()
    }

    /// Iterates over all cells with their rows and columns.
    fn all(&self) -> impl Iterator<Item = (usize, usize, &Cell)> {
        let all = self.cells.iter().enumerate();
        all.filter_map(|(place, cell)| {
            Some((place / self.columns, place % self.columns, cell.as_ref()?))
        })
    }

    /// Returns the line that is needed above a cell, or that to its left.
    fn line(&self, row: usize, column: usize, is_above: bool) -> Option<Stroke> {
        let here = self.cell(row, column);
        let (before_row, before_column) = if is_above {
            (row.checked_sub(1), Some(column))
        } else {
            (Some(row), column.checked_sub(1))
        };
        let before = before_row.zip(before_column).and_then(|(row, column)| self.cell(row, column));
        match (here, before) {
            (None, None) => None,
            (Some(here), Some(before)) if here.region == before.region => Some(Stroke::Thin),
            _ => Some(Stroke::Wall),
        }
    }

    /// Returns the path of all lines of a sort; those that go on are one.
    fn lines(&self, wanted: Stroke) -> String {
        let mut path = String::new();
        for is_above in [true, false] {
            let (lines, length) =
                if is_above { (self.rows, self.columns) } else { (self.columns, self.rows) };
            for across in 0..=lines {
                let mut begun = None;
                for along in 0..=length {
                    let (row, column) = if is_above { (across, along) } else { (along, across) };
                    let is_there = along < length && self.line(row, column, is_above) == Some(wanted);
                    match begun {
                        None if is_there => begun = Some(along),
                        Some(start) if !is_there => {
                            let at = |place: usize| place * SIDE + MARGIN;
                            match is_above {
                                true => push!(path, "M{} {}H{}", at(start), at(across), at(along)),
                                false => push!(path, "M{} {}V{}", at(across), at(start), at(along)),
                            }
                            begun = None;
                        }
                        _ => {}
                    }
                }
            }
        }
        path
    }

    /// Draws the picture.
    #[must_use]
    pub fn svg(&self) -> String {
        let [width, height] = [self.columns, self.rows].map(|count| count * SIDE + 2 * MARGIN);
        let shrink = self.columns.max(self.rows).div_ceil(COLUMNS_SHOWN).max(1);
        let mut out = String::new();
        pushln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{}\" \
             height=\"{}\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"19\" \
             text-anchor=\"middle\">",
            width / shrink,
            height / shrink
        );
        pushln!(out, "<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>");
        for (row, column, cell) in self.all() {
            let [x, y] = [column, row].map(|place| place * SIDE + MARGIN);
            let color = match cell.fill {
                Shading::None => continue,
                Shading::Shade => "#e9edf2".to_owned(),
                Shading::Color(number) => color(number),
            };
            pushln!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"{color}\"/>"
            );
        }
        for (line, color, width) in [(Stroke::Thin, "#00000038", "1"), (Stroke::Wall, "#1d2733", "2.4")]
        {
            let path = self.lines(line);
            if !path.is_empty() {
                pushln!(
                    out,
                    "<path d=\"{path}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\" \
                     stroke-linecap=\"square\"/>"
                );
            }
        }
        for (row, column, cell) in self.all().filter(|(.., cell)| !cell.text.is_empty()) {
            let [x, y] = [column, row].map(|place| place * SIDE + MARGIN + SIDE / 2);
            let look = match cell.is_given {
                true => "font-weight=\"bold\" fill=\"#1d2733\"",
                false => "fill=\"#2563a8\"",
            };
            // Longer texts are smaller, and chessmen larger.
            let is_man = cell.text.contains(|c| ('\u{2654}'..='\u{265f}').contains(&c));
            let size = match cell.text.chars().count() {
                _ if is_man => " font-size=\"28\"".to_owned(),
                ..=2 => String::new(),
                count => format!(" font-size=\"{}\"", (44 / count).max(4)),
            };
            pushln!(
                out,
                "<text x=\"{x}\" y=\"{y}\" dy=\"0.35em\" {look}{size}>{}</text>",
                Escaped(&cell.text)
            );
        }
        out.push_str("</svg>\n");
        out
    }
}

/// A line between two cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stroke {
    Thin,
    Wall,
}

/// Returns the color of that number: the hues go round by the golden angle, so that no two are alike.
fn color(number: usize) -> String {
    let hue = (number as f64 * 137.508 + 205.0) % 360.0;
    let light = [74, 82, 66][number / 12 % 3];
    format!("hsl({hue:.0},58%,{light}%)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walls_stand_where_regions_end_and_thin_lines_within() {
        let mut picture = Picture::new(2, 2);
        for (row, column, region) in [(0, 0, 0), (0, 1, 0), (1, 0, 1)] {
            picture.set(row, column, Cell::in_region(region));
        }
        let at = |place: usize| MARGIN + place * SIDE;
        assert_eq!(picture.lines(Stroke::Thin), format!("M{} {}V{}", at(1), at(0), at(1)));
        // From above to below, then from the left to the right; what goes on is one line.
        let walls = picture.lines(Stroke::Wall);
        let across = [(0, 2, 0), (0, 2, 1), (0, 1, 2)];
        let across = across.map(|(from, to, y)| format!("M{} {}H{}", at(from), at(y), at(to))).concat();
        let down = [(0, 2, 0), (1, 2, 1), (0, 1, 2)];
        let down = down.map(|(from, to, x)| format!("M{} {}V{}", at(x), at(from), at(to))).concat();
        assert_eq!(walls, across + &down);
    }

    #[test]
    fn nothing_of_a_text_is_markup() {
        let mut picture = Picture::new(1, 1);
        picture.set(0, 0, Cell::in_region(0).text("<&"));
        assert!(picture.svg().contains(">&lt;&amp;</text>"));
    }
}
