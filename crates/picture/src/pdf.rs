//! Draws marks as operators of a PDF page.
//!
//! Texts use the font Helvetica, which every PDF reader has, in its Western encoding. Characters
//! outside the encoding become question marks. A circle is drawn as four cubic curves.
//!
//! Source: ISO 32000-1, sections 8.4, 8.5 and 9. The widths are Adobe's for Helvetica.

use dlx::limits::Pace;
use dlx::{Limit, Limits};

use super::mark::{self, Mark, Outline, Point};
use super::{Ink, MARGIN, Theme};

/// Distance of the control points of a cubic quarter circle of radius 1 from its ends.
const HANDLE: f64 = 0.552_285;
/// Widths of the characters from space to tilde, in thousandths of the text size.
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611,
    778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611,
    278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556,
    556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// A picture as PDF operators. Coordinates are in cells; the origin is the upper left corner, and y
/// points down.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PdfDrawing {
    /// Width and height in cells.
    pub size: [f64; 2],
    /// The PDF operators; the normal font is `/F1` and the bold one `/F2`.
    pub operators: Vec<u8>,
}

/// Work to draw a mark, in units of [`Pace::spend`].
const MARK_WORK: u64 = 2000;

/// Draws marks, the first one at the back.
///
/// # Errors
/// The limit that was reached.
pub(super) fn draw(marks: &[Mark], theme: Theme, limits: &Limits) -> Result<PdfDrawing, Limit> {
    let mut pace = Pace::new(limits);
    let [[left, top], [right, bottom]] = mark::bounds(marks);
    let mut writer = PdfWriter { origin: [left - MARGIN, top - MARGIN], theme, out: String::new() };
    for mark in marks {
        pace.spend(MARK_WORK)?;
        writer.write(mark);
    }
    let size = [right - left, bottom - top].map(|length| length + 2.0 * MARGIN);
    // Every character is in Latin-1, so one byte encodes it.
    let operators = writer.out.chars().map(|c| c as u8).collect();
    Ok(PdfDrawing { size, operators })
}

/// Returns the operators of a line of text with height `size`, which is centered at a point or
/// begins there.
#[must_use]
pub fn pdf_text(at: Point, text: &str, size: f64, is_bold: bool, is_left: bool) -> String {
    let place = |c: char| (c as usize).checked_sub(32).filter(|&place| place < WIDTHS.len());
    let wide = |c| place(c).map_or(556, |place| WIDTHS[place]);
    let width = text.chars().map(|c| f64::from(wide(c))).sum::<f64>() / 1000.0 * size;
    let x = if is_left { at[0] } else { at[0] - width / 2.0 };
    let shown = pdf_string(text);
    let font = if is_bold { "/F2" } else { "/F1" };
    let [x, y, size] = [x, at[1] + 0.35 * size, size].map(number);
    format!("BT {font} {size} Tf 1 0 0 -1 {x} {y} Tm ({shown}) Tj ET\n")
}

/// Returns a text as the contents of a PDF string, without the parentheses. Characters outside the
/// encoding become question marks.
#[must_use]
pub fn pdf_string(text: &str) -> String {
    let mut shown = String::new();
    for c in text.chars() {
        match c {
            '(' | ')' | '\\' => {
                shown.push('\\');
                shown.push(c);
            }
            ' '..='~' | '\u{a0}'..='\u{ff}' => shown.push(c),
            _ => shown.push('?'),
        }
    }
    shown
}

/// Returns the operator that selects a color for filling or, if `is_line` holds, for lines.
#[must_use]
pub fn pdf_color(ink: Ink, theme: Theme, is_line: bool) -> String {
    let color = ink.color(theme);
    let part = |at: usize| u8::from_str_radix(color.get(at..at + 2).unwrap_or("00"), 16).unwrap_or(0);
    let [red, green, blue] = [1, 3, 5].map(|at| number(f64::from(part(at)) / 255.0));
    format!("{red} {green} {blue} {}\n", if is_line { "RG" } else { "rg" })
}

struct PdfWriter {
    origin: Point,
    theme: Theme,
    out: String,
}

impl PdfWriter {
    fn at(&self, point: Point) -> String {
        let [x, y] = [0, 1].map(|axis| number(point[axis] - self.origin[axis]));
        format!("{x} {y}")
    }

    fn write(&mut self, mark: &Mark) {
        if let Outline::Text { at, text, size, is_bold, is_left } = &mark.outline {
            let at = [at[0] - self.origin[0], at[1] - self.origin[1]];
            self.out += &pdf_color(mark.fill.unwrap_or(Ink::Wall), self.theme, false);
            self.out += &pdf_text(at, text, *size, *is_bold, *is_left);
            return;
        }
        if let Some(ink) = mark.fill {
            self.out += &pdf_color(ink, self.theme, false);
        }
        if let Some(stroke) = mark.stroke {
            self.out += &pdf_color(stroke.ink, self.theme, true);
            let is_open = matches!(mark.outline, Outline::Paths { is_closed: false, .. });
            let (cap, join) = match (stroke.is_round, is_open) {
                (true, _) => (1, 1),
                (false, true) => (2, 0),
                (false, false) => (0, 0),
            };
            let dashes = stroke.dashes.map(|dashes| dashes.map(number).join(" "));
            let (width, dashes) = (number(stroke.width), dashes.unwrap_or_default());
            push!(self.out, "{width} w {cap} J {join} j [{dashes}] 0 d\n");
        }
        match &mark.outline {
            Outline::Paths { paths, is_closed } => {
                for points in paths {
                    for (number, &point) in points.iter().enumerate() {
                        let at = self.at(point);
                        push!(self.out, "{at} {}\n", if number == 0 { "m" } else { "l" });
                    }
                    self.out += if *is_closed { "h\n" } else { "" };
                }
            }
            Outline::Circle(center, radius) => self.circle(*center, *radius),
            Outline::Text { .. } => {}
        }
        self.out += match (mark.fill, mark.stroke) {
            (Some(_), Some(_)) => "B*\n",
            (Some(_), None) => "f*\n",
            (None, Some(_)) => "S\n",
            (None, None) => "n\n",
        };
    }

    fn circle(&mut self, center: Point, radius: f64) {
        let at = |x: f64, y: f64| self.at([center[0] + x * radius, center[1] + y * radius]);
        let mut path = format!("{} m\n", at(1.0, 0.0));
        for [[x1, y1], [x2, y2], [x3, y3]] in [
            [[1.0, HANDLE], [HANDLE, 1.0], [0.0, 1.0]],
            [[-HANDLE, 1.0], [-1.0, HANDLE], [-1.0, 0.0]],
            [[-1.0, -HANDLE], [-HANDLE, -1.0], [0.0, -1.0]],
            [[HANDLE, -1.0], [1.0, -HANDLE], [1.0, 0.0]],
        ] {
            push!(path, "{} {} {} c\n", at(x1, y1), at(x2, y2), at(x3, y3));
        }
        self.out += &(path + "h\n");
    }
}

fn number(value: f64) -> String {
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_characters_in_pdf_texts_are_escaped() {
        let shown = pdf_text([1.0, 1.0], "a) Tj (\\ \u{2192}", 1.0, false, true);
        assert!(shown.contains("(a\\) Tj \\(\\\\ ?) Tj ET"), "{shown}");
    }

    #[test]
    fn pdf_texts_are_centered_using_the_widths_of_their_characters() {
        assert!(pdf_text([1.0, 0.0], "11", 1.0, true, false).contains("-1 0.444 0.35 Tm"));
    }
}
