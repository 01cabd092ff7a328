//! Figures that not every font contains.

use super::{Ink, Mark, Point};

/// Returns the marks of a chess queen around a point: a crown with five balls, as wide as a cell.
#[must_use]
pub fn queen(center: Point, ink: Ink) -> Vec<Mark> {
    let at = |x: f64, y: f64| [center[0] + x, center[1] + y];
    let balls = [(-0.34, -0.13), (-0.18, -0.25), (0.0, -0.29), (0.18, -0.25), (0.34, -0.13)];
    let crown = [
        (-0.22, 0.2),
        (-0.34, -0.13),
        (-0.155, 0.02),
        (-0.18, -0.25),
        (-0.055, 0.0),
        (0.0, -0.29),
        (0.055, 0.0),
        (0.18, -0.25),
        (0.155, 0.02),
        (0.34, -0.13),
        (0.22, 0.2),
    ];
    let foot = [(-0.24, 0.235), (0.24, 0.235), (0.24, 0.31), (-0.24, 0.31)];
    let polygon = |points: &[(f64, f64)]| {
        let points = points.iter().map(|&(x, y)| at(x, y)).collect();
        Mark::polygon(points).fill(ink).stroke(ink, 0.03)
    };
    let mut marks = vec![polygon(&crown), polygon(&foot)];
    marks.extend(balls.map(|(x, y)| Mark::circle(at(x, y), 0.055).fill(ink)));
    marks
}
