//! Draws marks as the pixels of a PNG file.
//!
//! Letters are outlines of an embedded font (Noto Sans), so pictures look the same on every
//! machine. A character that the font lacks is drawn as a box.
//!
//! The picture is drawn and compressed in bands of [`BAND`] rows, from top to bottom, so that the
//! memory for pixels does not depend on the height of the picture.
//!
//! # Bounds
//! A picture has at most [`LENGTH_MAX`] pixels per side; a larger one is scaled down. A band takes
//! at most 8 MiB.

use std::io::Write as _;

use ::png::{BitDepth, ColorType, Encoder};
use dlx::limits::Pace;
use dlx::{Limit, Limits};
use skrifa::charmap::Charmap;
use skrifa::metrics::GlyphMetrics;
use skrifa::outline::{DrawSettings, OutlineGlyphCollection, OutlinePen};
use skrifa::prelude::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider as _};
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash, Transform,
};

use super::mark::{self, Mark, Outline, Point};
use super::{Ink, MARGIN, Theme};

const CELL_PIXELS: f64 = 64.0;
const LENGTH_MAX: f64 = 8192.0;
const BAND: u32 = 256;
/// Maximum distance (pixels) that a mark extends outside its bounding box, for example by
/// corners of thick lines and by letters below the baseline.
const REACH: f64 = 64.0;
/// Maximum number of lines that are outlined between two checks of the limits. All walls of a
/// picture are one mark.
const LINES_MAX: usize = 32;
/// Work to draw a mark or one of its lines, and to compress a pixel, in units of [`Pace::spend`].
const MARK_WORK: u64 = 20_000;
const PIXEL_WORK: u64 = 30;

/// Draws marks, the first one at the back, and returns the bytes of the PNG file.
///
/// # Errors
/// The limit that was reached.
pub(super) fn write(marks: &[Mark], theme: Theme, limits: &Limits) -> Result<Vec<u8>, Limit> {
    let [[left, top], [right, bottom]] = mark::bounds(marks);
    let size = [right - left, bottom - top].map(|length| length + 2.0 * MARGIN);
    let scale = CELL_PIXELS.min(LENGTH_MAX / size[0].max(size[1]));
    let [wide, high] = size.map(|length| (length * scale).ceil().max(1.0) as u32);
    let fonts = [notosans::REGULAR_TTF, notosans::BOLD_TTF].map(Font::new);
    let pixels = Pixmap::new(wide, high.min(BAND)).expect("both sides are from 1 to some thousand");
    let origin = [left - MARGIN, top - MARGIN];
    let mut canvas = Canvas { pixels, top: 0, origin, scale, theme, fonts };
    let [red, green, blue] = channels(Ink::Paper, theme);
    let paper = Color::from_rgba8(red, green, blue, u8::MAX);
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, wide, high);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    const WRITTEN: &str = "memory can be written, as many rows as the head says";
    let mut file = encoder.write_header().expect(WRITTEN);
    let mut packer = file.stream_writer().expect(WRITTEN);
    let (mut pace, mut row) = (Pace::new(limits), Vec::new());
    for top in (0..high).step_by(BAND as usize) {
        canvas.top = top;
        canvas.pixels.fill(paper);
        for mark in marks {
            if canvas.meets(mark.bounds()) {
                canvas.draw(mark, &mut pace)?;
            }
        }
        let rows = BAND.min(high - top) as usize;
        for pixels in canvas.pixels.pixels().chunks(wide as usize).take(rows) {
            pace.spend(PIXEL_WORK * u64::from(wide))?;
            row.clear();
            row.extend(pixels.iter().flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]));
            packer.write_all(&row).expect(WRITTEN);
        }
    }
    packer.finish().expect(WRITTEN);
    file.finish().expect(WRITTEN);
    Ok(bytes)
}

fn channels(ink: Ink, theme: Theme) -> [u8; 3] {
    let color = ink.color(theme);
    let part = |start| color.get(start..start + 2).and_then(|two| u8::from_str_radix(two, 16).ok());
    [1, 3, 5].map(|start| part(start).unwrap_or_default())
}

struct Canvas {
    /// The pixels of the current band, then the row of the picture where it begins.
    pixels: Pixmap,
    top: u32,
    origin: Point,
    scale: f64,
    theme: Theme,
    fonts: [Option<Font>; 2],
}

impl Canvas {
    fn at(&self, point: Point) -> (f32, f32) {
        let [x, y] = [0, 1].map(|axis| (point[axis] - self.origin[axis]) * self.scale);
        (x as f32, (y - f64::from(self.top)) as f32)
    }

    /// Returns whether a part of a bounding box may be visible in the band.
    fn meets(&self, [[_, above], [_, below]]: [Point; 2]) -> bool {
        let [above, below] = [above, below].map(|y| f64::from(self.at([0.0, y]).1));
        below + REACH >= 0.0 && above - REACH <= f64::from(self.pixels.height())
    }

    fn paint(&self, ink: Ink) -> Paint<'static> {
        let [red, green, blue] = channels(ink, self.theme);
        let mut paint = Paint { anti_alias: true, ..Paint::default() };
        paint.set_color_rgba8(red, green, blue, u8::MAX);
        paint
    }

    fn draw(&mut self, mark: &Mark, pace: &mut Pace<'_>) -> Result<(), Limit> {
        if let Outline::Paths { paths, is_closed: false } = &mark.outline {
            for lines in paths.chunks(LINES_MAX) {
                pace.spend(MARK_WORK * lines.len() as u64)?;
                if let Some(path) = self.joined(lines, false) {
                    self.draw_path(mark, &path);
                }
            }
        } else {
            pace.spend(MARK_WORK)?;
            if let Some(path) = self.path(&mark.outline) {
                self.draw_path(mark, &path);
            }
        }
        Ok(())
    }

    fn draw_path(&mut self, mark: &Mark, path: &Path) {
        if let Some(ink) = mark.fill {
            let rule = match mark.outline {
                Outline::Text { .. } => FillRule::Winding,
                _ => FillRule::EvenOdd,
            };
            let paint = self.paint(ink);
            self.pixels.fill_path(path, &paint, rule, Transform::identity(), None);
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
            self.pixels.stroke_path(path, &paint, &line, Transform::identity(), None);
        }
    }

    /// Returns one path of several; `None` if it is empty. Invisible lines are skipped; polygons
    /// may have holes, so they are drawn whole.
    fn joined(&self, paths: &[Vec<Point>], is_closed: bool) -> Option<Path> {
        let mut path = PathBuilder::new();
        let bounds = |points: &[Point]| {
            let heights = || points.iter().map(|point| point[1]);
            [[0.0, heights().fold(f64::MAX, f64::min)], [0.0, heights().fold(f64::MIN, f64::max)]]
        };
        for points in paths.iter().filter(|points| is_closed || self.meets(bounds(points))) {
            for (number, &point) in points.iter().enumerate() {
                let (x, y) = self.at(point);
                if number == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
            }
            if is_closed {
                path.close();
            }
        }
        path.finish()
    }

    /// Returns the path of an outline; `None` if the outline is empty.
    fn path(&self, outline: &Outline) -> Option<Path> {
        let mut path = PathBuilder::new();
        match outline {
            Outline::Paths { paths, is_closed } => return self.joined(paths, *is_closed),
            Outline::Circle(center, radius) => {
                let (x, y) = self.at(*center);
                path.push_circle(x, y, (radius * self.scale) as f32);
            }
            Outline::Text { at, text, size, is_bold, is_left } => {
                let font = self.fonts[usize::from(*is_bold)].as_ref()?;
                let scale = size * self.scale / font.units;
                let glyphs = || text.chars().map(|letter| font.letters.map(letter).unwrap_or_default());
                let advance =
                    |glyph| f64::from(font.metrics.advance_width(glyph).unwrap_or_default()) * scale;
                let wide: f64 = glyphs().map(advance).sum();
                let (x, y) = self.at(*at);
                let mut x = if *is_left { f64::from(x) } else { f64::from(x) - wide / 2.0 };
                // Texts are centered vertically by half the height of capital letters.
                let y = f64::from(y) + 0.357 * size * self.scale;
                for glyph in glyphs() {
                    let mut pen = GlyphPen { path: &mut path, x, y, scale };
                    if let Some(outline) = font.outlines.get(glyph) {
                        let settings = DrawSettings::unhinted(Size::unscaled(), LocationRef::default());
                        // Without hinting, only a damaged outline fails; it is not drawn.
                        let _ = outline.draw(settings, &mut pen);
                    }
                    x += advance(glyph);
                }
            }
        }
        path.finish()
    }
}

/// The tables of a font, read once per picture.
struct Font {
    letters: Charmap<'static>,
    metrics: GlyphMetrics<'static>,
    outlines: OutlineGlyphCollection<'static>,
    /// Units per em, the unit of a font size.
    units: f64,
}

impl Font {
    /// Returns the tables of a TrueType font; `None` if it is damaged.
    fn new(bytes: &'static [u8]) -> Option<Self> {
        let font = FontRef::new(bytes).ok()?;
        let (size, regular) = (Size::unscaled(), LocationRef::default());
        Some(Self {
            letters: font.charmap(),
            metrics: font.glyph_metrics(size, regular),
            outlines: font.outline_glyphs(),
            units: f64::from(font.metrics(size, regular).units_per_em),
        })
    }
}

/// Appends the outline of a letter to a path. The y axis of the outline points up.
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

impl OutlinePen for GlyphPen<'_> {
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
    use crate::{Cell, Picture};

    #[test]
    fn a_png_file_has_the_size_and_the_colors_of_its_cells() {
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
    fn the_upper_pixels_of_a_picture_do_not_depend_on_its_height() {
        let column = |rows: std::ops::Range<usize>| {
            let mut picture = Picture::new();
            for row in rows {
                picture.set(row, 0, Cell::in_region(row / 2).text("gQ").color(row));
            }
            Pixmap::decode_png(&picture.png(Theme::Light)).unwrap()
        };
        let (all, part) = (column(0..9), column(0..7));
        assert!(all.height() > 2 * BAND && part.height() < 2 * BAND);
        let rows = 6 * 64 * all.width() as usize;
        assert_eq!(all.pixels()[..rows], part.pixels()[..rows]);
        let limits = Limits::new().within(std::time::Duration::ZERO);
        let mark = Mark::circle([0.0, 0.0], 1.0).fill(Ink::Wall);
        assert_eq!(write(&[mark], Theme::Light, &limits), Err(Limit::Time));
    }

    #[test]
    fn a_very_wide_picture_is_scaled_down() {
        let mut picture = Picture::new();
        (0..1000).for_each(|column| picture.set(0, column, Cell::in_region(column)));
        let pixels = Pixmap::decode_png(&picture.png(Theme::Dark)).unwrap();
        assert!(pixels.width() <= 8193 && pixels.height() >= 9);
    }
}
