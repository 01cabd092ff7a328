//! Marks as pixels, in a PNG file.
//!
//! Letters are filled outlines of a font that is part of the program (Noto Sans), so pictures look the same on every
//! machine. What the font does not have is a box.
//!
//! # Bounds
//! A picture has at most [`LENGTH_MAX`] pixels a side, at four bytes each; larger ones are scaled down.

use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash, Transform,
};
use ttf_parser::{Face, OutlineBuilder};

use super::mark::{self, Mark, Outline, Point};
use super::{Ink, MARGIN, Theme};

/// The pixels of the side of a cell.
const CELL_PIXELS: f64 = 64.0;
/// The most pixels of a side.
const LENGTH_MAX: f64 = 8192.0;

/// Draws marks, from back to front, and returns the bytes of the file.
pub(super) fn write(marks: &[Mark], theme: Theme) -> Vec<u8> {
    let [[left, top], [right, bottom]] = mark::bounds(marks);
    let size = [right - left, bottom - top].map(|length| length + 2.0 * MARGIN);
    let scale = CELL_PIXELS.min(LENGTH_MAX / size[0].max(size[1]));
    let [wide, high] = size.map(|length| (length * scale).ceil().max(1.0) as u32);
    let fonts = [notosans::REGULAR_TTF, notosans::BOLD_TTF].map(|bytes| Face::parse(bytes, 0).ok());
    let pixels = Pixmap::new(wide, high).expect("both sides are from 1 to some thousand");
    let mut canvas = Canvas { pixels, origin: [left - MARGIN, top - MARGIN], scale, theme, fonts };
    let [red, green, blue] = channels(Ink::Paper, theme);
    canvas.pixels.fill(Color::from_rgba8(red, green, blue, u8::MAX));
    marks.iter().for_each(|mark| canvas.draw(mark));
    canvas.pixels.encode_png().expect("memory can be written")
}

/// Returns red, green and blue of an ink.
fn channels(ink: Ink, theme: Theme) -> [u8; 3] {
    let color = ink.color(theme);
    let part = |start| color.get(start..start + 2).and_then(|two| u8::from_str_radix(two, 16).ok());
    [1, 3, 5].map(|start| part(start).unwrap_or_default())
}

struct Canvas {
    pixels: Pixmap,
    /// The upper left corner.
    origin: Point,
    /// The pixels of a cell.
    scale: f64,
    theme: Theme,
    /// The font for usual and that for bold letters.
    fonts: [Option<Face<'static>>; 2],
}

impl Canvas {
    /// Returns the pixel of a place.
    fn at(&self, point: Point) -> (f32, f32) {
        let [x, y] = [0, 1].map(|axis| ((point[axis] - self.origin[axis]) * self.scale) as f32);
        (x, y)
    }

    fn paint(&self, ink: Ink) -> Paint<'static> {
        let [red, green, blue] = channels(ink, self.theme);
        let mut paint = Paint { anti_alias: true, ..Paint::default() };
        paint.set_color_rgba8(red, green, blue, u8::MAX);
        paint
    }

    fn draw(&mut self, mark: &Mark) {
        let Some(path) = self.path(&mark.outline) else { return };
        if let Some(ink) = mark.fill {
            let rule = match mark.outline {
                Outline::Text { .. } => FillRule::Winding,
                _ => FillRule::EvenOdd,
            };
            let paint = self.paint(ink);
            self.pixels.fill_path(&path, &paint, rule, Transform::identity(), None);
        }
        if let Some(stroke) = mark.stroke {
            let pixels = |length: f64| (length * self.scale) as f32;
            let dash =
                stroke.dashes.and_then(|dashes| StrokeDash::new(dashes.map(pixels).to_vec(), 0.0));
            let line = Stroke {
                width: pixels(stroke.width),
                line_cap: match (stroke.is_round, stroke.dashes) {
                    (true, _) => LineCap::Round,
                    (false, None) => LineCap::Square,
                    (false, Some(_)) => LineCap::Butt,
                },
                line_join: if stroke.is_round { LineJoin::Round } else { LineJoin::Miter },
                dash,
                ..Stroke::default()
            };
            let paint = self.paint(stroke.ink);
            self.pixels.stroke_path(&path, &paint, &line, Transform::identity(), None);
        }
    }

    /// Returns the path of an outline; nothing if there is nothing to be drawn.
    fn path(&self, outline: &Outline) -> Option<Path> {
        let mut path = PathBuilder::new();
        match outline {
            Outline::Paths { paths, is_closed } => {
                for points in paths {
                    for (number, &point) in points.iter().enumerate() {
                        let (x, y) = self.at(point);
                        if number == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
                    }
                    if *is_closed {
                        path.close();
                    }
                }
            }
            Outline::Circle(center, radius) => {
                let (x, y) = self.at(*center);
                path.push_circle(x, y, (radius * self.scale) as f32);
            }
            Outline::Text { at, text, size, is_bold, is_left } => {
                let font = self.fonts[usize::from(*is_bold)].as_ref()?;
                let scale = size * self.scale / f64::from(font.units_per_em());
                let glyphs = || text.chars().map(|letter| font.glyph_index(letter).unwrap_or_default());
                let advance =
                    |glyph| f64::from(font.glyph_hor_advance(glyph).unwrap_or_default()) * scale;
                let wide: f64 = glyphs().map(advance).sum();
                let (x, y) = self.at(*at);
                let mut x = if *is_left { f64::from(x) } else { f64::from(x) - wide / 2.0 };
                // As high as capitals are above the line.
                let y = f64::from(y) + 0.357 * size * self.scale;
                for glyph in glyphs() {
                    let mut pen = GlyphPen { path: &mut path, x, y, scale };
                    font.outline_glyph(glyph, &mut pen);
                    x += advance(glyph);
                }
            }
        }
        path.finish()
    }
}

/// Draws the outline of a letter, whose y grows upwards.
struct GlyphPen<'p> {
    path: &'p mut PathBuilder,
    x: f64,
    y: f64,
    scale: f64,
}

impl GlyphPen<'_> {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        let (x, y) = (f64::from(x) * self.scale, f64::from(y) * self.scale);
        ((self.x + x) as f32, (self.y - y) as f32)
    }
}

impl OutlineBuilder for GlyphPen<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Cell, Picture};

    #[test]
    fn a_picture_is_as_large_as_its_cells_and_has_its_colors() {
        let mut picture = Picture::new();
        picture.set(0, 0, Cell::in_region(0).text("8"));
        picture.set(0, 1, Cell::in_region(0).color(3));
        let pixels = Pixmap::decode_png(&picture.png(Theme::Light)).unwrap();
        assert!(pixels.width().abs_diff(149) <= 1 && pixels.height().abs_diff(85) <= 1);
        let colors: Vec<[u8; 3]> =
            pixels.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect();
        for ink in [Ink::Paper, Ink::Wall, Ink::Answer, Ink::piece(3)] {
            assert!(colors.contains(&channels(ink, Theme::Light)), "{ink:?}");
        }
    }

    #[test]
    fn a_very_wide_picture_is_scaled_down() {
        let mut picture = Picture::new();
        (0..1000).for_each(|column| picture.set(0, column, Cell::in_region(column)));
        let pixels = Pixmap::decode_png(&picture.png(Theme::Dark)).unwrap();
        assert!(pixels.width() <= 8193 && pixels.height() >= 9);
    }
}
