//! Draws cubes as an isometric picture of a solid, seen from above. Columns grow to the right and
//! rows to the left.
//!
//! A face of a cube covers two triangles of a triangular lattice on the paper. If several faces
//! cover the same triangle, only the front one is visible there. So a face is visible as a whole,
//! as one triangle, or not at all. Visible faces of the same piece that share an edge in space are
//! joined; between all others there is a wall. The time is linear in the number of faces, apart
//! from look-ups.

use std::collections::{BTreeMap, HashMap};

use super::{Cell, Ink, Picture, Point};

/// A corner or a cube in space, as layer, row and column. Layers grow downwards.
pub type Spot = [i32; 3];

/// A cube of a solid, with its piece and an optional color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cube {
    /// Number of the piece; there is no wall between cubes of one piece.
    pub piece: usize,
    /// Number of the color, as for [`Cell::color`].
    pub color: Option<usize>,
}

/// The directions of the visible faces (up, front left, front right), each with the corners of the
/// face.
const FACES: [(Spot, [Spot; 4]); 3] = [
    ([-1, 0, 0], [[0, 0, 0], [0, 0, 1], [0, 1, 1], [0, 1, 0]]),
    ([0, 1, 0], [[0, 1, 0], [0, 1, 1], [1, 1, 1], [1, 1, 0]]),
    ([0, 0, 1], [[0, 0, 1], [0, 1, 1], [1, 1, 1], [1, 0, 1]]),
];

/// The two triangles of each face, as indices of the face's corners.
const TRIANGLES: [[[usize; 3]; 2]; 3] =
    [[[0, 1, 2], [0, 2, 3]], [[0, 1, 3], [1, 2, 3]], [[0, 1, 3], [1, 2, 3]]];

fn add(one: Spot, other: Spot) -> Spot {
    [one[0] + other[0], one[1] + other[1], one[2] + other[2]]
}

/// Projects a corner to the paper; the unit is half the distance of lattice points.
fn projected([layer, row, column]: Spot) -> [i32; 2] {
    [column - row, column + row + 2 * layer]
}

fn place(spot: Spot) -> Point {
    let [x, y] = projected(spot).map(f64::from);
    [x * 0.75_f64.sqrt(), y / 2.0]
}

struct Face {
    cube: Cube,
    direction: usize,
    corners: [Spot; 4],
}

pub(super) fn bounds([layers, rows, columns]: [usize; 3]) -> [Point; 2] {
    let at = |spot: [usize; 3]| place(spot.map(|at| at as i32));
    [[at([0, rows, 0])[0], 0.0], [at([0, 0, columns])[0], at([layers, rows, columns])[1]]]
}

/// Draws the visible faces of cubes. The rear corner of the first cube is at `origin`.
pub(super) fn draw(picture: &mut Picture, origin: Point, cubes: &BTreeMap<Spot, Cube>) {
    let mut faces: Vec<Face> = Vec::new();
    // For each triangle, the front face: its depth, its index, and the half of the face. The key is
    // three times the center of the triangle.
    let mut front: HashMap<[i32; 2], (i32, usize, usize)> = HashMap::new();
    for (&spot, &cube) in cubes {
        for (direction, (step, corners)) in FACES.iter().enumerate() {
            if cubes.contains_key(&add(spot, *step)) {
                continue;
            }
            let corners = corners.map(|corner| add(spot, corner));
            for (half, triangle) in TRIANGLES[direction].iter().enumerate() {
                let (mut middle, mut near) = ([0, 0], 0);
                for &corner in triangle {
                    let [x, y] = projected(corners[corner]);
                    middle = [middle[0] + x, middle[1] + y];
                    let [layer, row, column] = corners[corner];
                    near += row + column - layer;
                }
                let seen = front.entry(middle).or_insert((near, faces.len(), half));
                if seen.0 < near {
                    *seen = (near, faces.len(), half);
                }
            }
            faces.push(Face { cube, direction, corners });
        }
    }
    let mut halves = vec![[false; 2]; faces.len()];
    front.values().for_each(|&(_, face, half)| halves[face][half] = true);
    let regions = regions(&faces, &halves);
    for ((face, halves), region) in faces.iter().zip(&halves).zip(regions) {
        let seen: &[usize] = match halves {
            [true, true] => &[0, 1, 2, 3],
            [true, false] => &TRIANGLES[face.direction][0],
            [false, true] => &TRIANGLES[face.direction][1],
            [false, false] => continue,
        };
        let corners: Vec<Point> = seen
            .iter()
            .map(|&corner| place(face.corners[corner]))
            .map(|[x, y]| [origin[0] + x, origin[1] + y])
            .collect();
        let ink = match face.cube.color {
            Some(color) => Ink::piece(color).in_shade(face.direction),
            None => [Ink::Paper, Ink::Shade, Ink::Gray][face.direction],
        };
        picture.polygon(&corners, Cell::in_region(region).fill(ink));
    }
}

/// Returns a region number for each face. Faces of one piece that are connected by shared edges
/// have the same number.
fn regions(faces: &[Face], halves: &[[bool; 2]]) -> Vec<usize> {
    fn root(parents: &mut [usize], mut face: usize) -> usize {
        while parents[face] != face {
            parents[face] = parents[parents[face]];
            face = parents[face];
        }
        face
    }
    let mut parents: Vec<usize> = (0..faces.len()).collect();
    let mut edges: HashMap<(usize, Spot, Spot), usize> = HashMap::new();
    for (number, face) in faces.iter().enumerate().filter(|(number, _)| halves[*number] != [false; 2]) {
        for (one, next) in face.corners.iter().zip(face.corners.iter().cycle().skip(1)) {
            let edge = (face.cube.piece, *one.min(next), *one.max(next));
            let other = *edges.entry(edge).or_insert(number);
            let roots = (root(&mut parents, number), root(&mut parents, other));
            parents[roots.0] = roots.1;
        }
    }
    (0..faces.len()).map(|face| root(&mut parents, face)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faces(cubes: &[(Spot, usize)]) -> (usize, usize) {
        let cube = |piece| Cube { piece, color: Some(piece) };
        let cubes = cubes.iter().map(|&(spot, piece)| (spot, cube(piece))).collect();
        let mut picture = Picture::new();
        draw(&mut picture, [0.0, 0.0], &cubes);
        let triangles = picture.cells().filter(|(corners, _)| corners.len() == 3).count();
        (picture.cells().count(), triangles)
    }

    #[test]
    fn three_faces_of_a_single_cube_are_visible() {
        assert_eq!(faces(&[([0, 0, 0], 0)]), (3, 0));
        let all = (0..27).map(|at| ([at / 9, at / 3 % 3, at % 3], 0)).collect::<Vec<_>>();
        assert_eq!(faces(&all), (27, 0));
    }

    #[test]
    fn faces_covered_by_another_cube_are_hidden_or_halved() {
        assert_eq!(faces(&[([1, 0, 0], 0), ([0, 1, 1], 1)]), (3, 0));
        let (count, triangles) = faces(&[([1, 0, 0], 0), ([0, 0, 1], 1)]);
        assert_eq!((count, triangles), (6, 2));
    }
}
