//! The lines between cells: thin lines within a region, and walls at its border.
//!
//! An edge is identified by its two corners, which are rounded, so that both of its cells find the
//! same edge. Collinear edges that touch are joined. Sorting the edges dominates the time: O(n log
//! n) for n edges.

use super::{Cell, Point};

/// Number of steps per unit when corners are rounded for comparison.
const PARTS: f64 = 1024.0;

type Corner = [i64; 2];

#[derive(Debug, Default, PartialEq)]
pub(super) struct Edges {
    pub(super) thin: Vec<Vec<Point>>,
    pub(super) walls: Vec<Vec<Point>>,
}

impl Edges {
    pub(super) fn of<'c>(cells: impl Iterator<Item = (&'c [Point], &'c Cell)>) -> Self {
        let mut edges: Vec<(Corner, Corner, usize)> = Vec::new();
        for (corners, cell) in cells {
            let rounded: Vec<Corner> =
                corners.iter().map(|corner| corner.map(|at| (at * PARTS).round() as i64)).collect();
            for (&one, &next) in rounded.iter().zip(rounded.iter().cycle().skip(1)) {
                if one != next {
                    edges.push((one.min(next), one.max(next), cell.region));
                }
            }
        }
        edges.sort_unstable();
        let (mut thin, mut walls) = (Vec::new(), Vec::new());
        for same in edges.chunk_by(|one, next| (one.0, one.1) == (next.0, next.1)) {
            let is_thin = same.len() > 1 && same.iter().all(|edge| edge.2 == same[0].2);
            let kind = if is_thin { &mut thin } else { &mut walls };
            kind.push((same[0].0, same[0].1));
        }
        Self { thin: joined(thin), walls: joined(walls) }
    }
}

fn joined(edges: Vec<(Corner, Corner)>) -> Vec<Vec<Point>> {
    let mut along: Vec<(Corner, i64, Corner, Corner)> = edges
        .into_iter()
        .map(|(one, other)| {
            let step = [other[0] - one[0], other[1] - one[1]];
            let divisor = common_divisor(step[0].abs(), step[1].abs());
            let step = step.map(|step| step / divisor);
            (step, step[0] * one[1] - step[1] * one[0], one, other)
        })
        .collect();
    along.sort_unstable();
    let mut lines: Vec<(Corner, i64, Corner, Corner)> = Vec::new();
    for edge in along {
        match lines.last_mut() {
            Some(last) if (last.0, last.1, last.3) == (edge.0, edge.1, edge.2) => last.3 = edge.3,
            _ => lines.push(edge),
        }
    }
    let point = |corner: Corner| corner.map(|at| at as f64 / PARTS);
    lines.into_iter().map(|(_, _, one, other)| vec![point(one), point(other)]).collect()
}

fn common_divisor(mut one: i64, mut other: i64) -> i64 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Picture;

    #[test]
    fn walls_are_between_regions_and_thin_lines_within_them() {
        let mut picture = Picture::new();
        for (row, column, region) in [(0, 0, 0), (0, 1, 0), (1, 0, 1)] {
            picture.set(row, column, Cell::in_region(region));
        }
        let Edges { thin, walls } = Edges::of(picture.cells());
        assert_eq!(thin, [[[1.0, 0.0], [1.0, 1.0]]]);
        let down = [[[0.0, 0.0], [0.0, 2.0]], [[1.0, 1.0], [1.0, 2.0]], [[2.0, 0.0], [2.0, 1.0]]];
        let across = [[[0.0, 0.0], [2.0, 0.0]], [[0.0, 1.0], [2.0, 1.0]], [[0.0, 2.0], [1.0, 2.0]]];
        let mut expected: Vec<Vec<Point>> =
            [down, across].concat().into_iter().map(|line| line.to_vec()).collect();
        let mut walls = walls;
        let order = |one: &Vec<Point>, other: &Vec<Point>| one.partial_cmp(other).expect("numbers");
        walls.sort_by(order);
        expected.sort_by(order);
        assert_eq!(walls, expected);
    }

    #[test]
    fn two_adjacent_triangles_share_one_thin_line() {
        let high = 0.75_f64.sqrt();
        let mut picture = Picture::new();
        picture.polygon(&[[0.0, high], [0.5, 0.0], [1.0, high]], Cell::in_region(0));
        picture.polygon(&[[0.5, 0.0], [1.5, 0.0], [1.0, high]], Cell::in_region(0));
        let Edges { thin, walls } = Edges::of(picture.cells());
        assert_eq!((thin.len(), walls.len()), (1, 4));
    }
}
