//! Writes marks as SVG.
//!
//! Every mark has its colors as attributes. For [`Theme::Auto`] it also has CSS classes, and a
//! style sheet sets their colors for the dark theme.

use std::collections::BTreeSet;

use dlx::limits::Pace;
use dlx::{Limit, Limits};

use super::mark::{self, Mark, Outline, Point};
use super::{Ink, MARGIN, Theme};
use text::escape::Escaped;

const SIDE: f64 = 32.0;
/// Maximum width or height of a picture that is shown at full scale (cells).
const CELLS_SHOWN: f64 = 25.0;

/// Work to write a mark, in units of [`Pace::spend`].
const MARK_WORK: u64 = 2000;

/// Writes marks, the first one at the back.
///
/// # Errors
/// The limit that was reached.
pub(super) fn write(marks: &[Mark], theme: Theme, limits: &Limits) -> Result<String, Limit> {
    let mut pace = Pace::new(limits);
    let [[left, top], [right, bottom]] = mark::bounds(marks);
    let writer = SvgWriter { origin: [left - MARGIN, top - MARGIN], theme };
    let size = [right - left, bottom - top].map(|length| length + 2.0 * MARGIN);
    let shrink = (size[0].max(size[1]) / CELLS_SHOWN).max(1.0);
    let [wide, high] = size.map(|length| number(length * SIDE));
    let [shown_wide, shown_high] = size.map(|length| number(length * SIDE / shrink));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide} {high}\" \
         width=\"{shown_wide}\" height=\"{shown_high}\" \
         font-family=\"Helvetica, Arial, sans-serif\" text-anchor=\"middle\">\n"
    );
    let paper = writer.look(Some(Ink::Paper), None);
    if theme == Theme::Auto {
        out += &style(marks);
    }
    pushln!(out, "<rect width=\"{wide}\" height=\"{high}\"{paper}/>");
    for mark in marks {
        pace.spend(MARK_WORK)?;
        writer.write(mark, &mut out);
    }
    out.push_str("</svg>\n");
    Ok(out)
}

fn style(marks: &[Mark]) -> String {
    let of_mark = |mark: &Mark| [mark.fill, mark.stroke.map(|stroke| stroke.ink)];
    let inks: BTreeSet<Ink> = marks.iter().flat_map(of_mark).flatten().chain([Ink::Paper]).collect();
    let mut style = String::from("<style>@media (prefers-color-scheme:dark){");
    for ink in inks {
        let (name, color) = (ink.name(), ink.color(Theme::Dark));
        push!(style, ".fill-{name}{{fill:{color}}}.stroke-{name}{{stroke:{color}}}");
    }
    style + "}</style>\n"
}

struct SvgWriter {
    origin: Point,
    theme: Theme,
}

impl SvgWriter {
    fn at(&self, point: Point) -> String {
        let [x, y] = [0, 1].map(|axis| number((point[axis] - self.origin[axis]) * SIDE));
        format!("{x} {y}")
    }

    fn look(&self, fill: Option<Ink>, stroke: Option<Ink>) -> String {
        let color = |ink: Option<Ink>| ink.map_or("none".to_owned(), |ink| ink.color(self.theme));
        let mut look = format!(" fill=\"{}\"", color(fill));
        if let Some(ink) = stroke {
            push!(look, " stroke=\"{}\"", ink.color(self.theme));
        }
        if self.theme == Theme::Auto {
            let fill = fill.map(|ink| format!("fill-{}", ink.name()));
            let stroke = stroke.map(|ink| format!("stroke-{}", ink.name()));
            let classes: Vec<String> = fill.into_iter().chain(stroke).collect();
            push!(look, " class=\"{}\"", classes.join(" "));
        }
        look
    }

    fn write(&self, mark: &Mark, out: &mut String) {
        let mut look = self.look(mark.fill, mark.stroke.map(|stroke| stroke.ink));
        if let Some(stroke) = mark.stroke {
            push!(look, " stroke-width=\"{}\"", number(stroke.width * SIDE));
            if let Some(dashes) = stroke.dashes {
                let [dash, gap] = dashes.map(|length| number(length * SIDE));
                push!(look, " stroke-dasharray=\"{dash} {gap}\"");
            }
            look += match stroke.is_round {
                true => " stroke-linecap=\"round\" stroke-linejoin=\"round\"",
                false if matches!(mark.outline, Outline::Paths { is_closed: false, .. }) => {
                    " stroke-linecap=\"square\""
                }
                false => "",
            };
        }
        match &mark.outline {
            Outline::Paths { paths, is_closed } => {
                let mut path = String::new();
                for points in paths {
                    for (number, &point) in points.iter().enumerate() {
                        push!(path, "{}{}", if number == 0 { "M" } else { "L" }, self.at(point));
                    }
                    path += if *is_closed { "Z" } else { "" };
                }
                let has_holes = mark.fill.is_some() && paths.len() > 1;
                let rule = if has_holes { " fill-rule=\"evenodd\"" } else { "" };
                pushln!(out, "<path d=\"{path}\"{rule}{look}/>");
            }
            Outline::Circle(center, radius) => {
                let at = self.at(*center);
                let (x, y) = at.split_once(' ').unwrap_or_default();
                let radius = number(radius * SIDE);
                pushln!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"{look}/>");
            }
            Outline::Text { at, text, size, is_bold, is_left } => {
                let at = self.at(*at);
                let (x, y) = at.split_once(' ').unwrap_or_default();
                let bold = if *is_bold { " font-weight=\"bold\"" } else { "" };
                let anchor = if *is_left { " text-anchor=\"start\"" } else { "" };
                pushln!(
                    out,
                    "<text x=\"{x}\" y=\"{y}\" dy=\"0.35em\" font-size=\"{}\"{bold}{anchor}{look}>{}</text>",
                    number(size * SIDE),
                    Escaped(text)
                );
            }
        }
    }
}

fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cell, Picture};

    #[test]
    fn numbers_in_svg_have_no_trailing_zeros() {
        let written = [12.0, 0.5, 0.333, -0.001, 100.0].map(number);
        assert_eq!(written, ["12", "0.5", "0.33", "0", "100"]);
    }

    #[test]
    fn only_the_automatic_theme_writes_a_style() {
        let mut picture = Picture::new();
        picture.set(0, 0, Cell::in_region(0).text("1").color(2));
        let svg = picture.svg_in(Theme::Auto);
        assert!(svg.contains("prefers-color-scheme:dark") && svg.contains(".fill-piece2{fill:"));
        assert!(svg.contains("class=\"fill-piece2\""));
        for theme in [Theme::Light, Theme::Dark] {
            assert!(!picture.svg_in(theme).contains("style"));
        }
        assert_ne!(picture.svg_in(Theme::Light), picture.svg_in(Theme::Dark));
    }
}
