//! Pictures of pieces that consist of edges, as thick lines on a thin lattice.
//!
//! A line stops short of a point where its piece ends, and rounds the corner where the piece turns.
//! So pieces that meet at a point look separate. Only lines that go straight on or branch pass
//! through the point.

use std::collections::BTreeMap;

use super::board::{PieceBoard, PlaceKind};
use super::lattice::PieceLattice;
use super::shape::{PLAIN, Position};
use puzzle::{Ink, Mark, Picture, Point, budget};

/// Distance from a point to where a line stops, in edge lengths.
const SHORT: f64 = 0.2;
const WIDTH: f64 = 0.2;
/// Width of the dark rim on each side of a line.
const RIM: f64 = 0.035;
/// Number of steps per unit when points are rounded for comparison.
const PARTS: f64 = 1024.0;

/// Work of drawing an edge, in units of [`budget::spend`].
const EDGE_WORK: u64 = 1000;

pub(super) fn draw_board(board: &PieceBoard, picture: &mut Picture) {
    let mut points: BTreeMap<[i64; 2], Point> = BTreeMap::new();
    for place in (0..board.fields.len()).filter(|&place| board.fields[place] != PlaceKind::Outside) {
        if budget::spend(EDGE_WORK).is_err() {
            return;
        }
        let ends = board.lattice.corners(board.cell(place), board.size);
        points.extend(ends.iter().map(|&end| (rounded(end), end)));
        let middle = between(ends[0], ends[1], 0.5);
        let line = Mark::line(ends).stroke(Ink::Thin, 0.05);
        picture.over(if board.fields[place] == PlaceKind::Free {
            line.dashed(0.1, 0.08)
        } else {
            line
        });
        if board.marks[place] != PLAIN {
            let at = [middle[0] + 0.14, middle[1] - 0.2];
            picture.over(Mark::text(at, &board.marks[place].to_string(), 0.26).fill(Ink::Wall));
        }
    }
    for point in points.into_values() {
        picture.over(Mark::circle(point, 0.06).fill(Ink::Muted));
    }
}

pub(super) fn draw_broad(ends: &[Point], ink: Ink, picture: &mut Picture) {
    picture.over(Mark::line(ends.to_vec()).stroke(ink, 2.0 * WIDTH));
}

pub(super) fn draw_piece(
    lattice: &PieceLattice,
    size: [usize; 3],
    edges: &[Position],
    ink: Ink,
    picture: &mut Picture,
) {
    if budget::spend_each(edges.len(), EDGE_WORK).is_err() {
        return;
    }
    let mut around: BTreeMap<[i64; 2], (Point, Vec<Point>)> = BTreeMap::new();
    for &edge in edges {
        let ends = lattice.corners(edge, size);
        let middle = between(ends[0], ends[1], 0.5);
        for end in ends {
            around.entry(rounded(end)).or_insert((end, Vec::new())).1.push(middle);
        }
    }
    let mut lines: Vec<Vec<Point>> = Vec::new();
    for (point, middles) in around.into_values() {
        let stops: Vec<Point> =
            middles.iter().map(|&middle| between(point, middle, 2.0 * SHORT)).collect();
        match (&stops[..], &middles[..]) {
            ([one, other], [from, to]) => lines.push(vec![*from, *one, *other, *to]),
            ([one], [from]) => lines.push(vec![*from, *one]),
            _ => lines.extend(middles.iter().map(|&from| vec![from, point])),
        }
    }
    let stroke = |ink: Ink, width: f64| {
        let lines = lines.iter().cloned();
        lines.map(move |line| Mark::line(line).stroke(ink, width)).collect::<Vec<_>>()
    };
    for mark in stroke(Ink::Wall, WIDTH + 2.0 * RIM).into_iter().chain(stroke(ink, WIDTH)) {
        picture.over(mark);
    }
}

fn between(from: Point, to: Point, part: f64) -> Point {
    [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * part)
}

fn rounded(point: Point) -> [i64; 2] {
    point.map(|at| (at * PARTS).round() as i64)
}
