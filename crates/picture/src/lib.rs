//! Pictures of puzzles and their solutions. A picture has cells of any shape with texts and fills,
//! thin lines between cells, walls between regions, marks below and above the texts, and a legend.
//!
//! The code of a puzzle kind defines the cells, their regions and other marks; only this crate
//! defines the style. `Picture::marks` lists the drawn elements from back to front, and `svg`,
//! `png` and `pdf` write them.
//!
//! The unit of length is the side of a square cell. The x axis points to the right, and the y axis
//! down.
//!
//! The feature `png` (default) has a font and the code for PNG files.
//!
//! # Bounds
//! A picture takes some hundred bytes per cell and mark. Puzzles have at most a million cells.

#[macro_use]
extern crate text;

mod edges;
mod figure;
mod ink;
mod mark;
mod pdf;
#[cfg(feature = "png")]
mod png;
mod solid;
mod svg;

pub use self::figure::queen;
pub use self::ink::{Ink, Theme};
pub use self::mark::{Mark, Point};
pub use self::pdf::{PdfDrawing, pdf_color, pdf_string, pdf_text};
pub use self::solid::{Cube, Spot};

use std::collections::BTreeMap;

use dlx::limits::Pace;
use dlx::{Limit, Limits};

use self::edges::Edges;

/// Work to lay out a cell or a mark, in units of [`Pace::spend`].
const LAYOUT_WORK: u64 = 500;

/// The reason why drawing without limits never fails.
const UNLIMITED: &str = "no limit was set";

/// A picture of cells.
///
/// ```
/// use picture::{Cell, Picture};
///
/// let mut picture = Picture::new();
/// picture.set(0, 0, Cell::in_region(0).text("7"));
/// picture.polygon(&[[1.0, 0.0], [2.0, 0.5], [1.0, 1.0]], Cell::in_region(1).color(3));
/// assert!(picture.svg().starts_with("<svg "));
/// assert!(picture.svg().contains(">7</text>"));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    corners: Vec<Point>,
    cells: Vec<(usize, Cell)>,
    under: Vec<Mark>,
    over: Vec<Mark>,
    words: Vec<(LegendSample, String)>,
    title: String,
    caption: String,
}

/// The sample that the legend shows next to a word.
#[derive(Clone, Debug, PartialEq)]
enum LegendSample {
    None,
    Stroke(Ink),
    Marks(Vec<Mark>),
}

/// A cell of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    region: usize,
    text: String,
    is_given: bool,
    fill: Option<Ink>,
}

impl Cell {
    /// Builds an empty cell of region `region`. There are walls between cells of different regions.
    #[must_use]
    pub fn in_region(region: usize) -> Self {
        Self { region, text: String::new(), is_given: false, fill: None }
    }

    /// Sets the text of the cell.
    #[must_use]
    pub fn text(self, text: impl Into<String>) -> Self {
        Self { text: text.into(), ..self }
    }

    /// Sets whether the text of the cell is a given.
    #[must_use]
    pub fn given(self, is_given: bool) -> Self {
        Self { is_given, ..self }
    }

    /// Sets whether the cell is shaded.
    #[must_use]
    pub fn shaded(self, is_shaded: bool) -> Self {
        Self { fill: is_shaded.then_some(Ink::Shade), ..self }
    }

    /// Fills the cell with the color of a number. Consecutive numbers have clearly different
    /// colors.
    #[must_use]
    pub fn color(self, number: usize) -> Self {
        self.fill(Ink::piece(number))
    }

    /// Fills the cell with an ink.
    #[must_use]
    pub fn fill(self, ink: Ink) -> Self {
        Self { fill: Some(ink), ..self }
    }
}

const TEXT_SIZE: f64 = 0.6;
/// Maximum width of the text of a cell, relative to the room in the cell. Bold letters are a little
/// wider than estimated.
const TEXT_ROOM: f64 = 0.84;
const WORD_SIZE: f64 = 0.36;
/// Width of bold text relative to other text, in DejaVu Sans.
const BOLD: f64 = 1.14;
const TITLE_SIZE: f64 = 0.46;
/// Side of a cell in a legend sample.
const KEY: f64 = 1.2 * WORD_SIZE;
const SMALL: f64 = 0.55;
const SMALL_GAP: f64 = 0.4;
const GAP: f64 = 0.7;
/// Minimum width of the rows of small pictures.
const SMALL_WIDTH: f64 = 8.0;
const MARGIN: f64 = 0.12;

impl Picture {
    /// Returns a picture without cells.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a square at a 0-based row and column.
    pub fn set(&mut self, row: usize, column: usize, cell: Cell) {
        let [x, y] = [column as f64, row as f64];
        self.polygon(&[[x, y], [x + 1.0, y], [x + 1.0, y + 1.0], [x, y + 1.0]], cell);
    }

    /// Fills an existing square with an ink.
    pub fn tint(&mut self, row: usize, column: usize, ink: Ink) {
        let corner = [column as f64, row as f64];
        let mut start = 0;
        for (end, cell) in &mut self.cells {
            if self.corners[start] == corner {
                cell.fill = Some(ink);
            }
            start = *end;
        }
    }

    /// Adds a cell with the given corners, in their order around it. Two cells that share an edge
    /// must have equal corners there, up to a thousandth.
    pub fn polygon(&mut self, corners: &[Point], cell: Cell) {
        self.corners.extend_from_slice(corners);
        self.cells.push((self.corners.len(), cell));
    }

    /// Adds an isometric picture of cubes, seen from above, to the right of all existing cells. In
    /// a box of size `size`, layers grow downwards, rows to the left and columns to the right.
    pub fn solid(&mut self, size: [usize; 3], cubes: &BTreeMap<Spot, Cube>) {
        let [[left, _], [_, bottom]] = solid::bounds(size);
        let right = self.corners.iter().map(|corner| corner[0]).reduce(f64::max);
        let lower = self.corners.iter().map(|corner| corner[1]).reduce(f64::max);
        let origin = [
            right.map_or(0.0, |right| right + 1.0) - left,
            lower.map_or(0.0, |lower| (lower - bottom) / 2.0),
        ];
        solid::draw(self, origin, cubes);
    }

    /// Writes a text to the right of all cells.
    pub fn label(&mut self, text: &str) {
        let [[_, top], [right, bottom]] = self.extent();
        let at = [right + 0.25, (top + bottom) / 2.0];
        self.over(Mark::text(at, text, 0.8).fill(Ink::Muted).from_left());
    }

    /// Adds small pictures in rows below this one; the rows are as wide as this picture.
    pub fn below(&mut self, parts: &[Self]) {
        let [[left, _], [right, _]] = self.extent();
        self.lay_below(parts, right.max(left + SMALL_WIDTH));
    }

    /// Adds small pictures below this one, three per row. The small pictures must have the size of
    /// this picture.
    pub fn copies_below(&mut self, parts: &[Self]) {
        let [[left, _], [right, _]] = self.extent();
        // Leave extra space, because marks extend slightly beyond the cells.
        self.lay_below(parts, left + 3.0 * ((right - left) * SMALL + SMALL_GAP) + SMALL_GAP);
    }

    fn lay_below(&mut self, parts: &[Self], right: f64) {
        let [[left, _], [_, bottom]] = self.extent();
        let (mut x, mut y, mut deepest) = (left, bottom + 2.0 * SMALL_GAP, 0.0_f64);
        let mut regions = self.region_count();
        for part in parts {
            let [low, high] = mark::united(part.extent(), mark::bounds_of(&part.over));
            let [wide, high] = [0, 1].map(|axis| (high[axis] - low[axis]) * SMALL);
            if x > left && x + wide > right {
                (x, y, deepest) = (left, y + deepest + SMALL_GAP, 0.0);
            }
            let to = |at: Point| [x + (at[0] - low[0]) * SMALL, y + (at[1] - low[1]) * SMALL];
            self.over.extend(part.over.iter().map(|mark| mark.clone().moved(to, SMALL)));
            for (corners, cell) in part.cells() {
                let corners: Vec<Point> = corners.iter().copied().map(to).collect();
                let region = regions + cell.region;
                self.polygon(&corners, Cell { region, ..cell.clone() });
            }
            regions += part.region_count();
            (x, deepest) = (x + wide + SMALL_GAP, deepest.max(high));
        }
    }

    /// Adds a picture at full size to the right of this one, and merges the two legends.
    pub fn beside(&mut self, part: &Self) {
        let around = |picture: &Self| mark::united(picture.extent(), mark::bounds_of(&picture.over));
        let ([[_, top], [right, _]], [low, _]) = (around(self), around(part));
        let to = |at: Point| [at[0] - low[0] + right + GAP, at[1] - low[1] + top];
        let regions = self.region_count();
        self.under.extend(part.under.iter().map(|mark| mark.clone().moved(to, 1.0)));
        self.over.extend(part.over.iter().map(|mark| mark.clone().moved(to, 1.0)));
        for (corners, cell) in part.cells() {
            let corners: Vec<Point> = corners.iter().copied().map(to).collect();
            self.polygon(&corners, Cell { region: regions + cell.region, ..cell.clone() });
        }
        part.words.iter().for_each(|(sample, word)| self.sampled(sample.clone(), word.clone()));
    }

    /// Sets the caption, which is below all other parts and wrapped to the width of the picture.
    pub fn caption(&mut self, text: impl Into<String>) {
        self.caption = text.into();
    }

    /// Writes a small text into the upper left part of a cell with the given corners. The cell may
    /// also have a normal text.
    pub fn small_text(&mut self, corners: &[Point], text: &str) {
        let (center, room) = middle(corners);
        let at = [center[0] - 0.3 * room, center[1] - 0.28 * room];
        self.over(Mark::text(at, text, 0.34 * room).fill(Ink::Wall));
    }

    fn extent(&self) -> [Point; 2] {
        if self.corners.is_empty() && !self.over.is_empty() {
            return mark::bounds(&self.over);
        }
        let all = |axis: usize| self.corners.iter().map(move |corner| corner[axis]);
        [0, 1].map(|end| {
            [0, 1]
                .map(|axis| all(axis).reduce(if end == 0 { f64::min } else { f64::max }).unwrap_or(0.0))
        })
    }

    fn region_count(&self) -> usize {
        self.cells.iter().map(|(_, cell)| cell.region + 1).max().unwrap_or(0)
    }

    /// Adds a mark below lines and texts, but above the marks added before.
    pub fn under(&mut self, mark: Mark) {
        self.under.push(mark);
    }

    /// Adds a mark above lines, texts, and the marks added before.
    pub fn over(&mut self, mark: Mark) {
        self.over.push(mark);
    }

    /// Adds a word to the legend. If an ink is given, a stroke of this ink is next to it. A
    /// repeated word is dropped.
    pub fn word(&mut self, ink: Option<Ink>, word: impl Into<String>) {
        self.sampled(ink.map_or(LegendSample::None, LegendSample::Stroke), word.into());
    }

    /// Adds a word to the legend, next to a sample cell with these marks around the origin.
    pub fn key(&mut self, marks: Vec<Mark>, word: impl Into<String>) {
        self.sampled(LegendSample::Marks(marks), word.into());
    }

    fn sampled(&mut self, sample: LegendSample, word: String) {
        let word = (sample, word);
        if !self.words.contains(&word) {
            self.words.push(word);
        }
    }

    /// Iterates over the words of the legend.
    pub fn legend(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(|(_, word)| &**word)
    }

    /// Returns the picture without its legend.
    #[must_use]
    pub fn without_legend(self) -> Self {
        Self { words: Vec::new(), ..self }
    }

    /// Sets the title, which is above all other parts.
    pub fn title(&mut self, text: impl Into<String>) {
        self.title = text.into();
    }

    /// Returns the picture as SVG, dark on white paper. The SVG contains no style or script, so
    /// that notebooks, web pages and drawing programs show it in the same way.
    #[must_use]
    pub fn svg(&self) -> String {
        self.svg_in(Theme::Light)
    }

    /// Returns the picture as SVG in a theme.
    #[must_use]
    pub fn svg_in(&self, theme: Theme) -> String {
        self.svg_within(theme, &Limits::new()).expect(UNLIMITED)
    }

    /// Returns the picture as SVG in a theme, within limits.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn svg_within(&self, theme: Theme, limits: &Limits) -> Result<String, Limit> {
        svg::write(&self.marks(limits)?, theme, limits)
    }

    /// Returns the picture as a PNG file in a theme, with 64 pixels per cell and at most 8192 per
    /// side.
    #[cfg(feature = "png")]
    #[must_use]
    pub fn png(&self, theme: Theme) -> Vec<u8> {
        self.png_within(theme, &Limits::new()).expect(UNLIMITED)
    }

    /// Returns the picture like [`Picture::png`], within limits.
    ///
    /// # Errors
    /// The limit that was reached.
    #[cfg(feature = "png")]
    pub fn png_within(&self, theme: Theme, limits: &Limits) -> Result<Vec<u8>, Limit> {
        png::write(&self.marks(limits)?, theme, limits)
    }

    /// Returns the picture as operators of a PDF page, in a theme.
    #[must_use]
    pub fn pdf(&self, theme: Theme) -> PdfDrawing {
        self.pdf_within(theme, &Limits::new()).expect(UNLIMITED)
    }

    /// Returns the picture like [`Picture::pdf`], within limits.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn pdf_within(&self, theme: Theme, limits: &Limits) -> Result<PdfDrawing, Limit> {
        pdf::draw(&self.marks(limits)?, theme, limits)
    }

    fn cells(&self) -> impl Iterator<Item = (&[Point], &Cell)> {
        let mut start = 0;
        self.cells.iter().map(move |(end, cell)| {
            let corners = &self.corners[start..*end];
            start = *end;
            (corners, cell)
        })
    }

    fn marks(&self, limits: &Limits) -> Result<Vec<Mark>, Limit> {
        let mut pace = Pace::new(limits);
        let mut marks = Vec::new();
        for (corners, cell) in self.cells() {
            pace.spend(LAYOUT_WORK)?;
            if let Some(ink) = cell.fill {
                marks.push(Mark::polygon(corners.to_vec()).fill(ink));
            }
        }
        let mut copy = |of: &[Mark], marks: &mut Vec<Mark>| {
            of.iter().try_for_each(|mark| pace.spend(LAYOUT_WORK).map(|()| marks.push(mark.clone())))
        };
        copy(&self.under, &mut marks)?;
        let edges = Edges::of(self.cells(), &mut Pace::new(limits))?;
        marks.push(Mark::lines(edges.thin).stroke(Ink::Thin, 0.03));
        marks.push(Mark::lines(edges.walls).stroke(Ink::Wall, 0.075));
        for (corners, cell) in self.cells().filter(|(_, cell)| !cell.text.is_empty()) {
            let (center, room) = middle(corners);
            // On the color of a piece only the ink of walls is legible in both themes.
            let is_strong = cell.is_given || matches!(cell.fill, Some(Ink::Piece(..)));
            let ink = if is_strong { Ink::Wall } else { Ink::Answer };
            let size = room * TEXT_SIZE.min(TEXT_ROOM / mark::width(&cell.text));
            marks.push(Mark::text(center, &cell.text, size).fill(ink).bold(cell.is_given));
        }
        copy(&self.over, &mut marks)?;
        marks.retain(|mark| !mark.is_empty());
        self.add_title(&mut marks);
        self.add_words(&mut marks);
        self.add_caption(&mut marks);
        Ok(marks)
    }

    fn add_title(&self, marks: &mut Vec<Mark>) {
        if self.title.is_empty() {
            return;
        }
        let [[left, top], [right, _]] = mark::bounds(marks);
        let most = (right.max(left + SMALL_WIDTH) - left) / (BOLD * TITLE_SIZE);
        let lines = broken(&self.title, most);
        for (number, line) in lines.iter().rev().enumerate() {
            let y = top - (0.9 + 1.25 * number as f64) * TITLE_SIZE;
            marks.push(Mark::text([left, y], line, TITLE_SIZE).fill(Ink::Wall).bold(true).from_left());
        }
    }

    fn add_caption(&self, marks: &mut Vec<Mark>) {
        if self.caption.is_empty() {
            return;
        }
        let [[left, _], [right, bottom]] = mark::bounds(marks);
        let lines = broken(&self.caption, (right.max(left + SMALL_WIDTH) - left) / WORD_SIZE);
        for (number, line) in lines.iter().enumerate() {
            let y = bottom + (1.2 + 1.35 * number as f64) * WORD_SIZE;
            marks.push(Mark::text([left, y], line, WORD_SIZE).fill(Ink::Wall).from_left());
        }
    }

    fn add_words(&self, marks: &mut Vec<Mark>) {
        if self.words.is_empty() {
            return;
        }
        let [[left, _], [right, bottom]] = mark::bounds(marks);
        let most = right.max(left + 6.0);
        let (mut x, mut y) = (left, bottom + 1.5 * WORD_SIZE);
        for (sample, word) in &self.words {
            let room = match sample {
                LegendSample::None => 0.0,
                LegendSample::Stroke(_) => 1.7 * WORD_SIZE,
                LegendSample::Marks(_) => 1.9 * WORD_SIZE,
            };
            let lines = broken(word, (most - left - room) / WORD_SIZE);
            let width =
                room + lines.iter().map(|line| mark::room(line)).fold(0.0, f64::max) * WORD_SIZE;
            if x > left && x + width > most {
                (x, y) = (left, y + 1.4 * WORD_SIZE);
            }
            match sample {
                LegendSample::None => {}
                LegendSample::Stroke(ink) => {
                    let stroke = vec![[x + 0.08, y], [x + room - 0.2, y]];
                    marks.push(Mark::line(stroke).stroke(*ink, 0.16));
                }
                LegendSample::Marks(parts) => {
                    let at = |point: Point| [x + 0.65 * WORD_SIZE + point[0] * KEY, y + point[1] * KEY];
                    marks.extend(parts.iter().map(|part| part.clone().moved(at, KEY)));
                }
            }
            for (number, line) in lines.iter().enumerate() {
                y += if number > 0 { 1.25 * WORD_SIZE } else { 0.0 };
                let text = Mark::text([x + room, y], line, WORD_SIZE).fill(Ink::Muted);
                marks.push(text.from_left());
            }
            x += width + 1.6 * WORD_SIZE;
        }
    }
}

/// Breaks a text at blanks into lines of at most the width `most`, which is relative to the text
/// size. A word that is wider gets its own line.
fn broken(text: &str, most: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if mark::room(line) + mark::room(" ") + mark::room(word) <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Returns the center of a cell, and the diameter of the largest circle around the center inside
/// the cell.
fn middle(corners: &[Point]) -> (Point, f64) {
    let count = corners.len().max(1) as f64;
    let sum = corners.iter().fold([0.0, 0.0], |sum, corner| [sum[0] + corner[0], sum[1] + corner[1]]);
    let center = sum.map(|sum| sum / count);
    let next = corners.iter().cycle().skip(1);
    let distances = corners.iter().zip(next).map(|(one, other)| {
        let [along, to] =
            [[other[0] - one[0], other[1] - one[1]], [center[0] - one[0], center[1] - one[1]]];
        (along[0] * to[1] - along[1] * to[0]).abs() / along[0].hypot(along[1]).max(1e-9)
    });
    (center, 2.0 * distances.fold(f64::INFINITY, f64::min).min(1e6))
}

/// Tests the example of the crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_room_in_dejavu_sans() {
        // Advance widths of the font, in hundredths of its size.
        let widths = [
            (" ,.:;/", 34),
            ("ijl'|", 34),
            ("f", 35),
            ("t", 39),
            ("r", 41),
            ("()[]!", 40),
            ("-", 36),
            ("0123456789", 64),
            ("sz", 52),
            ("cv", 59),
            ("kxy", 59),
            ("aeghnopqbdu", 63),
            ("mw", 97),
            ("<>=+", 84),
            ("ABCEFKLPRSTXYZ", 71),
            ("DGHNOQUV", 79),
            ("MW", 99),
        ];
        for (letters, hundredths) in widths {
            for letter in letters.chars() {
                assert!(mark::room(&letter.to_string()) >= f64::from(hundredths) / 100.0, "{letter}");
            }
        }
        let text = "In row 8, 7 and 8 stand only in r8c79 and fill them: r8c7<>1 r8c9<>1";
        let lines = broken(text, 20.0);
        assert!(lines.len() > 1 && lines.iter().all(|line| mark::room(line) <= 20.0), "{lines:?}");
    }

    #[test]
    fn markup_in_texts_is_escaped_in_svg() {
        let mut picture = Picture::new();
        picture.set(0, 0, Cell::in_region(0).text("<&"));
        assert!(picture.svg().contains(">&lt;&amp;</text>"));
    }

    #[test]
    fn pictures_below_a_picture_without_cells_do_not_overlap_it() {
        let mut picture = Picture::new();
        picture.over(Mark::line(vec![[0.0, 0.0], [0.0, 5.0]]).stroke(Ink::Wall, 0.1));
        let mut part = Picture::new();
        part.over(Mark::line(vec![[0.0, 0.0], [1.0, 0.0]]).stroke(Ink::Wall, 0.1));
        picture.below(std::slice::from_ref(&part));
        picture.copies_below(&[part]);
        let tops: Vec<f64> =
            picture.over.iter().map(|mark| mark::bounds(std::slice::from_ref(mark))[0][1]).collect();
        assert!(tops[1] > 5.0 && tops[2] > tops[1], "{tops:?}");
    }

    #[test]
    fn the_text_of_a_cell_is_placed_where_there_is_room() {
        let (center, room) = middle(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
        assert_eq!((center, room), ([0.5, 0.5], 1.0));
        let high = 0.75_f64.sqrt();
        let (center, room) = middle(&[[0.0, high], [0.5, 0.0], [1.0, high]]);
        assert!((center[1] - 2.0 * high / 3.0).abs() < 1e-9 && (room - 2.0 * high / 3.0).abs() < 1e-9);
    }
}
