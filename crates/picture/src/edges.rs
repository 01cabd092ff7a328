//! The lines between cells: thin lines within a region, and walls at its border.
//!
//! An edge is identified by its two corners, which are rounded, so that both of its cells find the
//! same edge. Collinear edges that touch are joined. Sorting the edges dominates the time: O(n log
//! n) for n edges.

use std::collections::BTreeMap;

use dlx::Limit;
use dlx::limits::Pace;

use super::{Cell, Point};

/// Number of steps per unit when corners are rounded for comparison.
const PARTS: f64 = 1024.0;

type Corner = [i64; 2];

#[derive(Debug, Default, PartialEq)]
pub(super) struct Edges {
    pub(super) thin: Vec<Vec<Point>>,
    pub(super) walls: Vec<Vec<Point>>,
}

/// Work to place an edge, in units of [`Pace::spend`].
const EDGE_WORK: u64 = 200;

impl Edges {
    /// Finds the edges of cells. Groups them by the column where they begin, so that the limits are
    /// checked before each group is sorted.
    ///
    /// # Errors
    /// The limit that was reached.
    pub(super) fn of<'c>(
        cells: impl Iterator<Item = (&'c [Point], &'c Cell)>,
        pace: &mut Pace<'_>,
    ) -> Result<Self, Limit> {
        let mut columns: BTreeMap<i64, Vec<(Corner, Corner, usize)>> = BTreeMap::new();
        for (corners, cell) in cells {
            pace.spend(EDGE_WORK * corners.len() as u64)?;
            let rounded: Vec<Corner> =
                corners.iter().map(|corner| corner.map(|at| (at * PARTS).round() as i64)).collect();
            for (&one, &next) in rounded.iter().zip(rounded.iter().cycle().skip(1)) {
                if one != next {
                    let edge = (one.min(next), one.max(next), cell.region);
                    columns.entry(edge.0[0]).or_default().push(edge);
                }
            }
        }
        let (mut thin, mut walls) = (LinesByDirection::new(), LinesByDirection::new());
        for mut edges in columns.into_values() {
            pace.spend(EDGE_WORK * edges.len() as u64)?;
            edges.sort_unstable();
            for same in edges.chunk_by(|one, next| (one.0, one.1) == (next.0, next.1)) {
                let is_thin = same.len() > 1 && same.iter().all(|edge| edge.2 == same[0].2);
                let (one, other) = (same[0].0, same[0].1);
                let lines = if is_thin { &mut thin } else { &mut walls };
                lines.entry(direction(one, other)).or_default().push((one, other));
            }
        }
        Ok(Self { thin: joined(thin, pace)?, walls: joined(walls, pace)? })
    }
}

/// The edges on each straight line. The key is the smallest step along the line, and the offset of
/// the line.
type LinesByDirection = BTreeMap<(Corner, i64), Vec<(Corner, Corner)>>;

fn direction(one: Corner, other: Corner) -> (Corner, i64) {
    let step = [other[0] - one[0], other[1] - one[1]];
    let divisor = common_divisor(step[0].abs(), step[1].abs());
    let step = step.map(|step| step / divisor);
    (step, step[0] * one[1] - step[1] * one[0])
}

fn joined(lines: LinesByDirection, pace: &mut Pace<'_>) -> Result<Vec<Vec<Point>>, Limit> {
    let point = |corner: Corner| corner.map(|at| at as f64 / PARTS);
    let mut all = Vec::new();
    for mut edges in lines.into_values() {
        pace.spend(EDGE_WORK * edges.len() as u64)?;
        edges.sort_unstable();
        let mut pieces: Vec<(Corner, Corner)> = Vec::new();
        for edge in edges {
            match pieces.last_mut() {
                Some(last) if last.1 == edge.0 => last.1 = edge.1,
                _ => pieces.push(edge),
            }
        }
        all.extend(pieces.into_iter().map(|(one, other)| vec![point(one), point(other)]));
    }
    Ok(all)
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
    use dlx::Limits;

    fn edges_of(picture: &Picture) -> Edges {
        Edges::of(picture.cells(), &mut Pace::new(&Limits::new())).expect("no limits are set")
    }

    #[test]
    fn walls_are_between_regions_and_thin_lines_within_them() {
        let mut picture = Picture::new();
        for (row, column, region) in [(0, 0, 0), (0, 1, 0), (1, 0, 1)] {
            picture.set(row, column, Cell::in_region(region));
        }
        let Edges { thin, walls } = edges_of(&picture);
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
        let Edges { thin, walls } = edges_of(&picture);
        assert_eq!((thin.len(), walls.len()), (1, 4));
    }
}
