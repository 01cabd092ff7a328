//! The frame of a plot with two axes, and the contenders' names at the ends of their curves.

use super::scale::{Scale, spread};
use super::svg::{Anchor, Point, Svg, WIDTH};
use crate::Comparison;

#[derive(Clone, Copy, Debug)]
pub(super) struct PlotFrame {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

/// Minimum vertical distance between two names, enough for the larger letters on narrow screens.
const NAME_GAP: f64 = 21.0;

impl PlotFrame {
    pub(super) fn with_names(height: f64) -> Self {
        Self { left: 76.0, top: 68.0, right: WIDTH - 168.0, bottom: height - 52.0 }
    }

    pub(super) fn width(&self) -> f64 {
        self.right - self.left
    }

    pub(super) fn x(&self) -> (f64, f64) {
        (self.left, self.right)
    }

    pub(super) fn y(&self) -> (f64, f64) {
        (self.bottom, self.top)
    }

    pub(super) fn draw_x(&self, svg: &mut Svg, scale: &Scale, show: fn(f64) -> String, what: &str) {
        let count = (self.width() / 65.0) as usize;
        for tick in scale.ticks(count) {
            let x = scale.at(tick);
            svg.line("grid", (x, self.top), (x, self.bottom));
            svg.text((x, self.bottom + 19.0), "tick", Anchor::Middle, &show(tick));
        }
        svg.line("axis", (self.left, self.bottom), (self.right, self.bottom));
        let middle = f64::midpoint(self.left, self.right);
        svg.text((middle, self.bottom + 42.0), "sub", Anchor::Middle, what);
    }

    pub(super) fn draw_y(&self, svg: &mut Svg, scale: &Scale, show: fn(f64) -> String) {
        let count = ((self.bottom - self.top) / 34.0) as usize;
        for tick in scale.ticks(count) {
            let y = scale.at(tick);
            svg.line("grid", (self.left, y), (self.right, y));
            svg.text((self.left - 8.0, y + 4.5), "tick", Anchor::End, &show(tick));
        }
    }
}

pub(super) struct Name {
    /// Index of the contender, which determines its color.
    pub(super) index: usize,
    pub(super) name: String,
    /// Text after the name that is never shortened.
    pub(super) rest: String,
    pub(super) end: Point,
    /// The full text, shown as a tooltip.
    pub(super) title: String,
}

impl Name {
    /// Returns the label of a curve: the name of its first contender, and the number of other
    /// contenders with the same curve.
    pub(super) fn of(comparison: &Comparison, owners: &[usize], end: Point, title: String) -> Self {
        let index = owners[0];
        let others = owners.len() - 1;
        let rest = if others > 0 { format!(" +{others}") } else { String::new() };
        Self { index, name: comparison.contenders[index].name.clone(), rest, end, title }
    }
}

pub(super) fn draw_names(svg: &mut Svg, frame: &PlotFrame, names: &[Name]) {
    let wanted: Vec<f64> = names.iter().map(|name| name.end.1).collect();
    let places = spread(&wanted, NAME_GAP, (frame.top, frame.bottom));
    for (Name { index, name, rest, end, title }, y) in names.iter().zip(places) {
        let x = frame.right + 16.0;
        svg.open_series(*index, title);
        svg.path("leader", &[*end, (frame.right.max(end.0), end.1), (x - 4.0, y), (x, y)]);
        svg.circle("fill", (x + 3.0, y), 4.0, "");
        svg.name((x + 12.0, y), WIDTH - x - 12.0, Anchor::Start, name, rest);
        svg.close_series();
    }
}
