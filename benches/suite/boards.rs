//! Tiling problems: dominoes, polyominoes, polyiamonds, bricks, and edge-matching squares.

use std::collections::{BTreeMap, BTreeSet};

use dlx::{Problem, Random};

use super::{Draft, parametric, written};

fn dominoes_on(rows: usize, columns: usize, is_there: impl Fn(usize, usize) -> bool) -> Problem {
    let mut draft = Draft::default();
    let name = |row: usize, column: usize| format!("{row}.{column}");
    let places = || {
        let all = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        all.filter(|&(row, column)| is_there(row, column))
    };
    draft.items(places().map(|(row, column)| name(row, column)));
    for (row, column) in places() {
        for (other_row, other_column) in [(row + 1, column), (row, column + 1)] {
            if other_row < rows && other_column < columns && is_there(other_row, other_column) {
                draft.option(&format!("{} {}", name(row, column), name(other_row, other_column)));
            }
        }
    }
    draft.done()
}

pub(super) fn dominoes(size: &[usize]) -> Problem {
    dominoes_on(size[0], size[1], |_, _| true)
}

pub(super) fn strips(size: &[usize]) -> Problem {
    dominoes_on(size[0], size[1], |_, _| true)
}

pub(super) fn aztec(size: &[usize]) -> Problem {
    let n = size[0] as isize;
    let far = |place: usize| (2 * (place as isize - n) + 1).abs();
    dominoes_on(2 * size[0], 2 * size[0], |row, column| far(row) + far(column) <= 2 * n)
}

/// Domino tilings of a square board without two opposite corners; there are none.
pub(super) fn mutilated(size: &[usize]) -> Problem {
    let last = size[0] - 1;
    let corners = [(0, 0), (last, last)];
    dominoes_on(size[0], size[0], |row, column| !corners.contains(&(row, column)))
}

/// Straight trominoes on a square board without a corner; most sizes have no tiling.
pub(super) fn trominoes(size: &[usize]) -> Problem {
    let mut board = vec![vec!['.'; size[0]]; size[0]];
    board[0][0] = '#';
    written("polyomino", format!("piece I unlimited\n###\n\nboard\n{}", drawing(&board)))
}

fn drawing(board: &[Vec<char>]) -> String {
    board.iter().map(|row| row.iter().collect::<String>() + "\n").collect()
}

pub(super) fn tetrominoes(size: &[usize]) -> Problem {
    parametric("polyomino", &format!("tetrominoes:{}x{}", size[0], size[1]))
}

/// Tetrominoes with a minimum and a maximum number of copies of each.
pub(super) fn supplied(size: &[usize]) -> Problem {
    let &[rows, columns, low, high] = size else { unreachable!("four numbers") };
    written("polyomino", format!("pieces tetrominoes x{low}-{high}\n\nboard {rows}x{columns}\n"))
}

pub(super) fn pentominoes(size: &[usize]) -> Problem {
    parametric("polyomino", &format!("{}x{}", size[0], size[1]))
}

pub(super) fn holes(size: &[usize]) -> Problem {
    let &[rows, columns, seed] = size else { unreachable!("three numbers") };
    let mut random = Random::new(seed as u64);
    let mut board = vec![vec!['.'; columns]; rows];
    let mut places: Vec<usize> = (0..rows * columns).collect();
    random.shuffle(&mut places);
    places[60..].iter().for_each(|&place| board[place / columns][place % columns] = '#');
    written("polyomino", format!("pieces pentominoes\n\nboard\n{}", drawing(&board)))
}

/// Flat bricks of size 1x1x2 or 1x2x2 in a box.
pub(super) fn bricks(size: &[usize]) -> Problem {
    let &[cells, layers, rows, columns] = size else { unreachable!("four numbers") };
    let brick = if cells == 2 { "##\n" } else { "##\n##\n" };
    written("polyomino", format!("piece B unlimited\n{brick}\nboard {layers}x{rows}x{columns}\n"))
}

pub(super) fn soma(_: &[usize]) -> Problem {
    parametric("polyomino", "soma")
}

/// A triangle of the plane, as three coordinates with sum 1 (points up) or 2 (points down).
type Triangle = [isize; 3];

/// Returns the neighbors of a triangle across its three edges.
fn neighbors(triangle: Triangle) -> [Triangle; 3] {
    let step = if triangle.iter().sum::<isize>() == 1 { 1 } else { -1 };
    [0, 1, 2].map(|axis| {
        let mut other = triangle;
        other[axis] += step;
        other
    })
}

/// Translates a shape so that its first two minimal coordinates are 0.
fn placed(shape: impl IntoIterator<Item = Triangle>) -> BTreeSet<Triangle> {
    let shape: Vec<_> = shape.into_iter().collect();
    let [a, b] = [0, 1].map(|axis| shape.iter().map(|t| t[axis]).min().expect("it has triangles"));
    shape.into_iter().map(|t| [t[0] - a, t[1] - b, t[2] + a + b]).collect()
}

fn orientations(shape: &BTreeSet<Triangle>) -> BTreeSet<BTreeSet<Triangle>> {
    let permutations = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
    let turned = permutations.iter().flat_map(|axes| {
        let same = placed(shape.iter().map(|t| axes.map(|axis| t[axis])));
        let half = placed(shape.iter().map(|t| axes.map(|axis| 1 - t[axis])));
        [same, half]
    });
    turned.collect()
}

pub(super) fn hexiamonds(size: &[usize]) -> Problem {
    let mut shapes = BTreeSet::from([placed([[0, 0, 1]])]);
    for _ in 1..6 {
        let grown = shapes.iter().flat_map(|shape| {
            shape.iter().flat_map(|&triangle| neighbors(triangle)).filter_map(|more| {
                let larger: BTreeSet<_> = shape.iter().copied().chain([more]).collect();
                let first = || orientations(&larger).into_iter().next().expect("one at least");
                (larger.len() > shape.len()).then(first)
            })
        });
        shapes = grown.collect();
    }
    assert_eq!(shapes.len(), 12, "hexiamonds");
    let [rows, columns] = [size[0] as isize, size[1] as isize];
    let name = |t: &Triangle| format!("{}.{}.{}", t[0], t[1], t.iter().sum::<isize>());
    let is_on = |t: &Triangle| (0..rows).contains(&t[0]) && (0..columns).contains(&t[1]);
    let mut draft = Draft::default();
    for (number, shape) in shapes.iter().enumerate() {
        for turned in orientations(shape) {
            for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)))
            {
                let cells: Vec<_> =
                    turned.iter().map(|t| [t[0] + row, t[1] + column, t[2] - row - column]).collect();
                if cells.iter().all(is_on) {
                    let cells: Vec<_> = cells.iter().map(name).collect();
                    draft.option(&format!("piece{number} {}", cells.join(" ")));
                }
            }
        }
    }
    draft.done()
}

/// Tilings of a hexagon by lozenges (pairs of adjacent triangles).
pub(super) fn lozenges(size: &[usize]) -> Problem {
    let n = size[0] as isize;
    let is_on = |t: &Triangle| {
        (0..2 * n).contains(&t[0]) && (0..2 * n).contains(&t[1]) && (3 - 3 * n..=2 - n).contains(&t[2])
    };
    let name = |t: &Triangle| format!("{}.{}.{}", t[0], t[1], t.iter().sum::<isize>());
    let mut draft = Draft::default();
    for (a, b) in (0..2 * n).flat_map(|a| (0..2 * n).map(move |b| (a, b))) {
        let up = [a, b, 1 - a - b];
        if is_on(&up) {
            for down in neighbors(up).iter().filter(|&down| is_on(down)) {
                draft.option(&format!("{} {}", name(&up), name(down)));
            }
        }
    }
    draft.done()
}

/// Edge-matching puzzles: squares with colored edges fill a board, each used once in any rotation.
/// Touching edges have the same color.
pub(super) fn edges(size: &[usize]) -> Problem {
    let &[n, colors, seed] = size else { unreachable!("three numbers") };
    let mut random = Random::new(seed as u64);
    let mut drawn = BTreeMap::new();
    let name = |row: usize, column: usize, is_above: bool| {
        format!("{}{row}.{column}", if is_above { 'h' } else { 'v' })
    };
    let around = |place: usize| {
        let (row, column) = (place / n, place % n);
        [
            name(row, column, true),
            name(row, column + 1, false),
            name(row + 1, column, true),
            name(row, column, false),
        ]
    };
    let mut color = |edge: String| *drawn.entry(edge).or_insert_with(|| random.below(colors));
    let squares: Vec<[usize; 4]> = (0..n * n).map(|place| around(place).map(&mut color)).collect();
    let mut draft = Draft::default();
    for (number, square) in squares.iter().enumerate() {
        for place in 0..n * n {
            let turns: BTreeSet<_> = (0..4)
                .map(|turn| {
                    let mut turned = *square;
                    turned.rotate_left(turn);
                    turned
                })
                .collect();
            for turned in turns {
                let edges = around(place).into_iter().zip(turned);
                let edges: String = edges.map(|(edge, color)| format!(" ?{edge}:{color}")).collect();
                draft.option(&format!("piece{number} place{place}{edges}"));
            }
        }
    }
    draft.done()
}

/// Several distinguishable copies of each pentomino on a board.
pub(super) fn pentomino_sets(size: &[usize]) -> Problem {
    let &[rows, columns, copies] = size else { unreachable!("three numbers") };
    written("polyomino", format!("pieces pentominoes x{copies}\n\nboard {rows}x{columns}\n"))
}

/// Tilings of a square board by one shape: a line of cells with one more cell attached at a given
/// position.
pub(super) fn one_shape(size: &[usize]) -> Problem {
    let &[n, length, place] = size else { unreachable!("three numbers") };
    let (line, more) = ("#".repeat(length), ".".repeat(place) + "#");
    written("polyomino", format!("piece A unlimited\n{line}\n{more}\n\nboard {n}x{n}\n"))
}

/// Shikaku: a square board is divided into rectangles, and each given number is the area of its
/// rectangle.
pub(super) fn rectangles(size: &[usize]) -> Problem {
    let &[n, count, seed] = size else { unreachable!("three numbers") };
    let random = &mut Random::new(seed as u64);
    let mut pieces = vec![[0, 0, n, n]];
    while pieces.len() < count {
        let largest = (0..pieces.len()).max_by_key(|&k| pieces[k][2] * pieces[k][3]).expect("a piece");
        let [x, y, width, height] = pieces.swap_remove(largest);
        if width >= height {
            let cut = 1 + random.below(width - 1);
            pieces.extend([[x, y, cut, height], [x + cut, y, width - cut, height]]);
        } else {
            let cut = 1 + random.below(height - 1);
            pieces.extend([[x, y, width, cut], [x, y + cut, width, height - cut]]);
        }
    }
    let mut draft = Draft::default();
    for (number, [.., width, height]) in pieces.into_iter().enumerate() {
        for [width, height] in BTreeSet::from([[width, height], [height, width]]) {
            for (x, y) in (0..=n - width).flat_map(|x| (0..=n - height).map(move |y| (x, y))) {
                let cells =
                    (x..x + width).flat_map(|x| (y..y + height).map(move |y| format!(" {x}.{y}")));
                draft.option(&format!("piece{number}{}", cells.collect::<String>()));
            }
        }
    }
    draft.done()
}
