//! Marks, which are the elements of a picture.

use super::Ink;

/// A point of a picture (x to the right, y down), in cells.
pub type Point = [f64; 2];

/// A line, a polygon, a circle or a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    pub(super) outline: Outline,
    pub(super) fill: Option<Ink>,
    pub(super) stroke: Option<Stroke>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Outline {
    Paths {
        paths: Vec<Vec<Point>>,
        is_closed: bool,
    },
    Circle(Point, f64),
    /// A text that is vertically centered at a point, and horizontally centered there or begins
    /// there.
    Text {
        at: Point,
        text: String,
        size: f64,
        is_bold: bool,
        is_left: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stroke {
    pub(super) ink: Ink,
    pub(super) width: f64,
    pub(super) dashes: Option<[f64; 2]>,
    pub(super) is_round: bool,
}

impl Mark {
    fn new(outline: Outline) -> Self {
        Self { outline, fill: None, stroke: None }
    }

    /// Builds a line through the given points, with round ends.
    #[must_use]
    pub fn line(points: Vec<Point>) -> Self {
        Self::new(Outline::Paths { paths: vec![points], is_closed: false })
    }

    pub(super) fn lines(paths: Vec<Vec<Point>>) -> Self {
        Self::new(Outline::Paths { paths, is_closed: false })
    }

    /// Builds a polygon.
    #[must_use]
    pub fn polygon(corners: Vec<Point>) -> Self {
        Self::polygons(vec![corners])
    }

    /// Builds polygons that are drawn as one mark. A polygon inside another is a hole.
    #[must_use]
    pub fn polygons(paths: Vec<Vec<Point>>) -> Self {
        Self::new(Outline::Paths { paths, is_closed: true })
    }

    /// Builds a circle.
    #[must_use]
    pub fn circle(center: Point, radius: f64) -> Self {
        Self::new(Outline::Circle(center, radius))
    }

    /// Builds a text that is centered at a point.
    #[must_use]
    pub fn text(center: Point, text: &str, size: f64) -> Self {
        let text = text.to_owned();
        Self::new(Outline::Text { at: center, text, size, is_bold: false, is_left: false })
    }

    /// Sets the ink that fills the mark.
    #[must_use]
    pub fn fill(self, ink: Ink) -> Self {
        Self { fill: Some(ink), ..self }
    }

    /// Sets the ink and the width of the outline.
    #[must_use]
    pub fn stroke(self, ink: Ink, width: f64) -> Self {
        let is_round = matches!(&self.outline, Outline::Paths { paths, .. } if paths.len() == 1);
        Self { stroke: Some(Stroke { ink, width, dashes: None, is_round }), ..self }
    }

    /// Draws the outline in dashes, with the given lengths of dashes and gaps.
    #[must_use]
    pub fn dashed(mut self, dash: f64, gap: f64) -> Self {
        if let Some(stroke) = &mut self.stroke {
            (stroke.dashes, stroke.is_round) = (Some([dash, gap]), false);
        }
        self
    }

    /// Sets whether the text is bold.
    #[must_use]
    pub fn bold(mut self, is_wanted: bool) -> Self {
        if let Outline::Text { is_bold, .. } = &mut self.outline {
            *is_bold = is_wanted;
        }
        self
    }

    /// Makes the text begin at its point instead of being centered there.
    #[must_use]
    pub fn from_left(mut self) -> Self {
        if let Outline::Text { is_left, .. } = &mut self.outline {
            *is_left = true;
        }
        self
    }

    pub(super) fn moved(mut self, to: impl Fn(Point) -> Point, scale: f64) -> Self {
        match &mut self.outline {
            Outline::Paths { paths, .. } => {
                paths.iter_mut().flatten().for_each(|point| *point = to(*point));
            }
            Outline::Circle(center, radius) => (*center, *radius) = (to(*center), *radius * scale),
            Outline::Text { at, size, .. } => (*at, *size) = (to(*at), *size * scale),
        }
        if let Some(stroke) = &mut self.stroke {
            stroke.width *= scale;
            stroke.dashes = stroke.dashes.map(|dashes| dashes.map(|length| length * scale));
        }
        self
    }

    pub(super) fn is_empty(&self) -> bool {
        match &self.outline {
            Outline::Paths { paths, .. } => paths.iter().all(Vec::is_empty),
            Outline::Circle(..) => false,
            Outline::Text { text, .. } => text.is_empty(),
        }
    }

    pub(super) fn bounds(&self) -> [Point; 2] {
        let around = |at: Point, wide: f64, high: f64| {
            [[at[0] - wide, at[1] - high], [at[0] + wide, at[1] + high]]
        };
        let half = self.stroke.map_or(0.0, |stroke| stroke.width / 2.0);
        match &self.outline {
            Outline::Paths { paths, .. } => {
                let boxes = paths.iter().flatten().map(|&point| around(point, half, half));
                boxes.fold(NOTHING, united)
            }
            Outline::Circle(center, radius) => around(*center, radius + half, radius + half),
            Outline::Text { at, text, size, is_left, .. } => {
                let wide = if *is_left { room(text) } else { width(text) };
                let half = wide * size / 2.0;
                let center = if *is_left { at[0] + half } else { at[0] };
                around([center, at[1]], half, size / 2.0)
            }
        }
    }
}

const NOTHING: [Point; 2] = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];

pub(super) fn united(one: [Point; 2], other: [Point; 2]) -> [Point; 2] {
    [
        [one[0][0].min(other[0][0]), one[0][1].min(other[0][1])],
        [one[1][0].max(other[1][0]), one[1][1].max(other[1][1])],
    ]
}

/// Returns the bounding box of marks; an inverted box if there are no marks.
pub(super) fn bounds_of(marks: &[Mark]) -> [Point; 2] {
    marks.iter().map(Mark::bounds).fold(NOTHING, united)
}

/// Returns the bounding box of marks; a single point if there are no marks.
pub(super) fn bounds(marks: &[Mark]) -> [Point; 2] {
    let around = bounds_of(marks);
    if around[0][0].is_finite() { around } else { [[0.0; 2]; 2] }
}

/// Returns the width that a line of text needs at most, relative to the text size. SVG names
/// Helvetica and Arial; where they are missing, the wider DejaVu Sans often takes their place.
pub(super) fn room(text: &str) -> f64 {
    let wide = |letter: char| match letter {
        'i' | 'l' | 'j' | ' ' | '.' | ',' | ':' | ';' | '\'' | '/' | '|' => 0.34,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '-' | '!' => 0.42,
        'm' | 'w' | 'M' | 'W' | '%' | '@' => 1.02,
        '0'..='9' | 'a'..='z' => 0.64,
        _ if letter.is_ascii_uppercase() => 0.8,
        _ if letter.is_ascii() => 0.84,
        _ => 1.02,
    };
    text.chars().map(wide).sum()
}

/// Returns the approximate width of a text, relative to the text size.
pub(super) fn width(text: &str) -> f64 {
    let wide = |letter: char| match letter {
        'i' | 'l' | 'j' | 't' | 'f' | ' ' | '.' | ',' | ':' | '\'' => 0.31,
        '0'..='9' | 'a'..='z' | '-' => 0.56,
        'M' | 'W' => 0.88,
        _ if letter.is_ascii() => 0.67,
        _ => 1.0,
    };
    text.chars().map(wide).sum()
}
