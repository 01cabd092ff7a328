//! A canvas that writes the elements of a plot as SVG.
//!
//! All styling is in `plot.css`; plots only assign classes. The class of a contender's series sets
//! its color, which the marks use as `currentColor`. The text grows on narrow screens, so a plot
//! leaves space for letters that are [`LETTER`] units wide.
//!
//! Invariant: every number written is finite, and every text is escaped.
//!
//! Tried and dropped: the crate `plotters` 0.3.7 writes colors and fonts into every mark and has no
//! groups, classes or titles, so plots could not follow dark mode or small screens.

use std::fmt::{self, Display};

use super::super::show;
use text::escape::Escaped;

pub(crate) const STYLE: &str = concat!("<style>\n", include_str!("plot.css"), "</style>\n");

/// Width of every plot, in user units.
pub(super) const WIDTH: f64 = 640.0;

/// Width of most letters on narrow screens, in user units.
const LETTER: f64 = 9.0;

pub(super) type Point = (f64, f64);

#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

pub(super) struct Svg {
    body: String,
    height: f64,
    label: String,
}

struct Coordinate(f64);

impl Display for Coordinate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug_assert!(self.0.is_finite(), "a coordinate must be finite");
        let rounded = if self.0.is_finite() { (self.0 * 10.0).round() / 10.0 } else { 0.0 };
        // Adding 0.0 turns a negative zero into zero, which is written without a sign.
        write!(f, "{}", rounded + 0.0)
    }
}

/// The tooltip of a mark; an empty text writes no tooltip.
struct Title<'t>(&'t str);

impl Display for Title<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(f, "<title>{}</title>", Escaped(self.0)) }
    }
}

impl Svg {
    pub(super) fn new(height: f64, title: &str, subtitle: &str) -> Self {
        let mut svg = Self { body: String::new(), height, label: format!("{title}: {subtitle}") };
        svg.text((8.0, 24.0), "head", Anchor::Start, title);
        svg.text((8.0, 46.0), "sub", Anchor::Start, subtitle);
        svg
    }

    pub(super) fn text(&mut self, (x, y): Point, class: &str, anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let (x, y, text) = (Coordinate(x), Coordinate(y), Escaped(text));
        pushln!(self.body, r#"<text class="{class}" x="{x}" y="{y}"{anchor}>{text}</text>"#);
    }

    pub(super) fn name(&mut self, (x, y): Point, room: f64, anchor: Anchor, name: &str, rest: &str) {
        let len_max = ((room / LETTER) as usize).saturating_sub(rest.chars().count()).max(4);
        let short = show::shorten(name, len_max);
        self.text((x, y + 4.5), "name", anchor, &format!("{short}{rest}"));
    }

    pub(super) fn line(&mut self, class: &str, (x1, y1): Point, (x2, y2): Point) {
        let (x1, y1, x2, y2) = (Coordinate(x1), Coordinate(y1), Coordinate(x2), Coordinate(y2));
        pushln!(self.body, r#"<line class="{class}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>"#);
    }

    pub(super) fn path(&mut self, class: &str, points: &[Point]) {
        if !points.is_empty() {
            pushln!(self.body, r#"<path class="{class}" d="{}"/>"#, PathData(points));
        }
    }

    pub(super) fn area(&mut self, class: &str, points: &[Point]) {
        pushln!(self.body, r#"<path class="{class}" d="{}Z"/>"#, PathData(points));
    }

    pub(super) fn circle(&mut self, class: &str, (x, y): Point, radius: f64, title: &str) {
        let (x, y, radius, title) = (Coordinate(x), Coordinate(y), Coordinate(radius), Title(title));
        pushln!(
            self.body,
            r#"<circle class="{class}" cx="{x}" cy="{y}" r="{radius}">{title}</circle>"#
        );
    }

    /// Draws a triangle that points to a value outside the scale, upwards or to the right.
    pub(super) fn beyond(&mut self, class: &str, (x, y): Point, is_up: bool, title: &str) {
        let points = if is_up {
            [(-5.0, 4.0), (5.0, 4.0), (0.0, -5.0)]
        } else {
            [(-4.0, -5.0), (-4.0, 5.0), (5.0, 0.0)]
        };
        let points = points.map(|(right, down)| (x + right, y + down));
        push!(self.body, r#"<path class="{class}" d="{}Z">"#, PathData(&points));
        pushln!(self.body, "{}</path>", Title(title));
    }

    pub(super) fn rect(&mut self, class: &str, (x, y): Point, (width, height): Point) {
        let (x, y, width, height) =
            (Coordinate(x), Coordinate(y), Coordinate(width.max(0.0)), Coordinate(height.max(0.0)));
        pushln!(
            self.body,
            r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{height}"/>"#
        );
    }

    /// Opens the group of marks of contender number `index` (from 0).
    pub(super) fn open_series(&mut self, index: usize, title: &str) {
        pushln!(self.body, r#"<g class="series {}">{}"#, class(index), Title(title));
    }

    pub(super) fn close_series(&mut self) {
        self.body.push_str("</g>\n");
    }

    pub(super) fn finish(self) -> String {
        let Self { body, height, label } = self;
        let (width, height, label) = (Coordinate(WIDTH), Coordinate(height), Escaped(&label));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" role=\"img\" aria-label=\"{label}\" \
             viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n{STYLE}\
             <rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n{body}</svg>\n"
        )
    }
}

/// Returns the CSS classes of contender number `index`: one of eight colors, and a dash pattern
/// when the colors repeat.
pub(crate) fn class(index: usize) -> String {
    let (color, dash) = (index % 8, index / 8 % 3);
    if dash == 0 { format!("c{color}") } else { format!("c{color} d{dash}") }
}

/// The coordinates of an SVG path. Skips points closer than half a unit to the previous one, except
/// the last.
struct PathData<'p>(&'p [Point]);

impl Display for PathData<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut last: Option<Point> = None;
        for (index, &(x, y)) in self.0.iter().enumerate() {
            let is_near = last.is_some_and(|(a, b)| (x - a).abs() < 0.5 && (y - b).abs() < 0.5);
            if is_near && index + 1 < self.0.len() {
                continue;
            }
            let letter = if last.is_none() { 'M' } else { 'L' };
            write!(f, "{letter}{} {}", Coordinate(x), Coordinate(y))?;
            last = Some((x, y));
        }
        Ok(())
    }
}
