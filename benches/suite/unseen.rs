//! Families for measuring only: nobody looks at them while choosing a rule or a constant, so that
//! the regret on them is the regret on the problems of others.
//!
//! A family whose figures have led to a change moves to [`FAMILIES`](super::FAMILIES), and a new
//! one takes its place.

use std::collections::BTreeSet;

use dlx::{Problem, Random};

use super::graphs::regular_edges;
use super::puzzles::{color_sums, place_piece};
use super::sets::draw;
use super::{Draft, Family, family};

pub(super) const FAMILIES: &[Family] = &[
    family("bent cubes", bent_cubes, &[&[4, 4, 3], &[6, 4, 2], &[8, 5, 2]]),
    family("trihexes", trihexes, &[&[6, 9], &[9, 9], &[8, 12]]),
    family("strong starters", strong_starters, &[&[21], &[19], &[23]]),
    family("cycle decompositions", cycle_decompositions, &[&[7], &[8]]),
    family("diagonal latin squares", diagonal_latin, &[&[7], &[6]]),
    family("superqueens", superqueens, &[&[15], &[14], &[16]]),
    family("orthogonal mates", orthogonal_mates, &[&[7], &[8], &[9]]),
    family("connected parts", connected_parts, &[&[40, 60, 1], &[50, 70, 2], &[36, 60, 3]]),
    family("perfect codes", perfect_codes, &[&[7]]),
    family("edge colorings", edge_colorings, &[&[60, 1], &[80, 2], &[100, 3]]),
    family("jigsaw latin squares", jigsaw_latin, &[&[6, 2], &[6, 3], &[6, 4]]),
    family("magic squares", magic_squares, &[&[4, 4, 3], &[4, 3, 1], &[4, 4, 1]]),
    family("wang tiles", wang_tiles, &[&[7, 9, 11, 1], &[8, 8, 10, 2], &[6, 20, 12, 3]]),
    family("sticks", sticks, &[&[3, 6], &[3, 3], &[3, 9]]),
    family("quadruple systems", quadruple_systems, &[&[10]]),
    family("zero sums", zero_sums, &[&[22, 20, 1], &[24, 40, 2], &[23, 15, 3]]),
    family("one of three", one_of_three, &[&[200, 124, 1], &[240, 150, 2], &[300, 190, 3]]),
];

/// Larger problems of the same families, for the time to find one cover.
pub(super) const HARD: &[Family] = &[
    family("bent cubes", bent_cubes, &[&[6, 6, 6], &[10, 8, 3]]),
    family("trihexes", trihexes, &[&[24, 24], &[18, 31]]),
    family("strong starters", strong_starters, &[&[45], &[61]]),
    family("cycle decompositions", cycle_decompositions, &[&[9], &[10]]),
    family("diagonal latin squares", diagonal_latin, &[&[10], &[13]]),
    family("superqueens", superqueens, &[&[22], &[30]]),
    family("orthogonal mates", orthogonal_mates, &[&[11], &[10]]),
    family("connected parts", connected_parts, &[&[120, 180, 1], &[240, 330, 2]]),
    family("perfect codes", perfect_codes, &[&[15]]),
    family("edge colorings", edge_colorings, &[&[200, 1], &[600, 2]]),
    family("jigsaw latin squares", jigsaw_latin, &[&[9, 2], &[14, 3]]),
    family("magic squares", magic_squares, &[&[4, 4, 2]]),
    family("wang tiles", wang_tiles, &[&[14, 14, 11, 1], &[20, 20, 10, 2]]),
    family("sticks", sticks, &[&[6, 9], &[9, 12]]),
    family("quadruple systems", quadruple_systems, &[&[14], &[16]]),
    family("zero sums", zero_sums, &[&[25, 60, 1], &[26, 150, 2]]),
    family("one of three", one_of_three, &[&[400, 250, 1], &[300, 195, 2]]),
];

fn fields(rows: usize, columns: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..rows).flat_map(move |row| (0..columns).map(move |column| (row, column)))
}

/// Fillings of a box with L-shaped pieces of four cubes.
fn bent_cubes(size: &[usize]) -> Problem {
    let &[x, y, z] = size else { unreachable!("three numbers") };
    let mut draft = Draft::default();
    let piece = BTreeSet::from([[0, 0, 0], [1, 0, 0], [2, 0, 0], [2, 1, 0]]);
    place_piece(&mut draft, &piece, [x, y, z], "");
    draft.done()
}

/// Tilings of a parallelogram of hexagons by connected sets of three.
fn trihexes(size: &[usize]) -> Problem {
    let &[rows, columns] = size else { unreachable!("two numbers") };
    let near = |(a, b): (usize, usize), (c, d): (usize, usize)| {
        let (down, across) = (c as isize - a as isize, d as isize - b as isize);
        [(0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)].contains(&(down, across))
    };
    let edges: Vec<_> = fields(rows, columns)
        .flat_map(|a| fields(rows, columns).filter(move |&b| near(a, b)).map(move |b| (a, b)))
        .collect();
    let mut sets = BTreeSet::new();
    for &(a, b) in &edges {
        for c in edges.iter().filter(|(from, to)| *from == b && *to != a).map(|edge| edge.1) {
            sets.insert(BTreeSet::from([a, b, c]));
        }
    }
    let mut draft = Draft::default();
    for set in sets {
        let names: Vec<_> = set.iter().map(|(row, column)| format!("{row}.{column}")).collect();
        draft.option(&names.join(" "));
    }
    draft.done()
}

/// Strong starters: partitions of the residues except 0 into pairs with different differences and
/// different sums, of which none is 0.
fn strong_starters(size: &[usize]) -> Problem {
    let modulus = size[0];
    let mut draft = Draft::default();
    for (low, high) in (1..modulus).flat_map(|high| (1..high).map(move |low| (low, high))) {
        if low + high != modulus {
            let difference = (high - low).min(modulus - high + low);
            draft.option(&format!("{low} {high} d{difference} ?s{}", (low + high) % modulus));
        }
    }
    draft.done()
}

/// Decompositions of a complete graph (without a perfect matching where the number of vertices is
/// even) into cycles through all vertices.
fn cycle_decompositions(size: &[usize]) -> Problem {
    let vertices = size[0];
    let is_edge = |a: usize, b: usize| vertices % 2 == 1 || a / 2 != b / 2;
    let mut draft = Draft::default();
    fn extend(
        draft: &mut Draft,
        path: &mut Vec<usize>,
        vertices: usize,
        is_edge: &dyn Fn(usize, usize) -> bool,
    ) {
        let last = path[path.len() - 1];
        if path.len() == vertices {
            if path[1] < last && is_edge(last, 0) {
                let edges: Vec<_> = (0..vertices)
                    .map(|place| (path[place], path[(place + 1) % vertices]))
                    .map(|(a, b)| format!("{}-{}", a.min(b), a.max(b)))
                    .collect();
                draft.option(&edges.join(" "));
            }
            return;
        }
        for next in 1..vertices {
            if !path.contains(&next) && is_edge(last, next) {
                path.push(next);
                extend(draft, path, vertices, is_edge);
                path.pop();
            }
        }
    }
    extend(&mut draft, &mut vec![0], vertices, &is_edge);
    draft.done()
}

/// Latin squares whose two diagonals have distinct symbols and whose first row is in order.
fn diagonal_latin(size: &[usize]) -> Problem {
    let order = size[0];
    let mut draft = Draft::default();
    for (row, column) in fields(order, order) {
        for symbol in (0..order).filter(|&symbol| row > 0 || symbol == column) {
            let mut text = format!("f{row}.{column} r{row}.{symbol} c{column}.{symbol}");
            if row == column {
                text += &format!(" d{symbol}");
            }
            if row + column + 1 == order {
                text += &format!(" e{symbol}");
            }
            draft.option(&text);
        }
    }
    draft.done()
}

/// Queens that also move like knights, one in each row and column.
fn superqueens(size: &[usize]) -> Problem {
    let order = size[0];
    let mut draft = Draft::default();
    for (row, column) in fields(order, order) {
        let mut text = format!("r{row} c{column} ?s{} ?d{}", row + column, order + row - column);
        // Two queens a knight's move apart share the item of the pair of their fields.
        for (down, across) in [(1, 2), (2, 1)] {
            for (upper, left) in [(0, 0), (down, 0), (0, across), (down, across)] {
                if row >= upper && column >= left {
                    let is_falling = (upper == 0) == (left == 0);
                    text += &format!(" ?k{}.{}.{down}.{is_falling}", row - upper, column - left);
                }
            }
        }
        draft.option(&text);
    }
    draft.done()
}

/// Squares orthogonal to the addition table modulo n, with the first row in order.
fn orthogonal_mates(size: &[usize]) -> Problem {
    let order = size[0];
    let mut draft = Draft::default();
    for (row, column) in fields(order, order) {
        for symbol in (0..order).filter(|&symbol| row > 0 || symbol == column) {
            let other = (row + column) % order;
            draft.option(&format!(
                "f{row}.{column} r{row}.{symbol} c{column}.{symbol} p{other}.{symbol}"
            ));
        }
    }
    draft.done()
}

/// Partitions of the vertices of a random graph into connected sets of two to four.
fn connected_parts(size: &[usize]) -> Problem {
    let &[vertices, edges, seed] = size else { unreachable!("three numbers") };
    let random = &mut Random::new(seed as u64);
    let mut graph: BTreeSet<(usize, usize)> = (1..vertices).map(|v| (random.below(v), v)).collect();
    while graph.len() < edges {
        let pair: Vec<usize> = draw(2, vertices, random).into_iter().collect();
        graph.insert((pair[0], pair[1]));
    }
    let mut parts: BTreeSet<BTreeSet<usize>> =
        graph.iter().map(|&(a, b)| BTreeSet::from([a, b])).collect();
    let mut grown = parts.clone();
    for _ in 0..2 {
        grown = grown
            .iter()
            .flat_map(|part| {
                graph
                    .iter()
                    .filter(|(a, b)| part.contains(a) != part.contains(b))
                    .map(|&(a, b)| part.iter().copied().chain([a, b]).collect::<BTreeSet<usize>>())
            })
            .collect();
        parts.extend(grown.iter().cloned());
    }
    let mut draft = Draft::default();
    for part in parts {
        let names: Vec<_> = part.iter().map(usize::to_string).collect();
        draft.option(&names.join(" "));
    }
    draft.done()
}

/// Perfect codes: sets of words such that each word is in one ball of radius 1.
fn perfect_codes(size: &[usize]) -> Problem {
    let bits = size[0];
    let mut draft = Draft::default();
    for word in 0..1_usize << bits {
        let ball: String = (0..bits).map(|bit| format!(" {}", word ^ 1 << bit)).collect();
        draft.option(&format!("{word}{ball}"));
    }
    draft.done()
}

/// Colorings of the edges of a random cubic graph in three colors.
fn edge_colorings(size: &[usize]) -> Problem {
    let &[vertices, seed] = size else { unreachable!("two numbers") };
    let edges = regular_edges(vertices, 3, &mut Random::new(seed as u64));
    let mut draft = Draft::default();
    for (a, b) in edges {
        for color in 0..3 {
            draft.option(&format!("e{a}.{b} v{a}.{color} v{b}.{color}"));
        }
    }
    draft.done()
}

/// Latin squares that also have each symbol once in each region of a random division.
fn jigsaw_latin(size: &[usize]) -> Problem {
    let &[order, seed] = size else { unreachable!("two numbers") };
    let random = &mut Random::new(seed as u64);
    let mut region: Vec<usize> = (0..order * order).map(|field| field / order).collect();
    // Exchanges fields between regions; regions need not be connected.
    for _ in 0..order {
        let (a, b) = (random.below(order * order), random.below(order * order));
        region.swap(a, b);
    }
    let mut draft = Draft::default();
    for (row, column) in fields(order, order) {
        for symbol in 0..order {
            let part = region[row * order + column];
            draft.option(&format!(
                "f{row}.{column} r{row}.{symbol} c{column}.{symbol} p{part}.{symbol}"
            ));
        }
    }
    draft.done()
}

/// Magic squares in which the rows from `free` on are given.
fn magic_squares(size: &[usize]) -> Problem {
    const SQUARE: [[usize; 4]; 4] = [[16, 3, 2, 13], [5, 10, 11, 8], [9, 6, 7, 12], [4, 15, 14, 1]];
    let &[order, free, seed] = size else { unreachable!("three numbers") };
    let given = Random::new(seed as u64).below(order);
    let mut draft = Draft::default();
    for (row, column) in fields(order, order) {
        for number in 1..=order * order {
            if row < free && column != given || number == SQUARE[row][column] {
                draft.option(&format!("f{row}.{column} n{number} ?{row}.{column}:{number}"));
            }
        }
    }
    let lines = (0..order).flat_map(|line| {
        [
            fields(1, order).map(|(_, place)| (line, place)).collect::<Vec<_>>(),
            fields(1, order).map(|(_, place)| (place, line)).collect(),
        ]
    });
    let diagonals = [
        (0..order).map(|place| (place, place)).collect(),
        (0..order).map(|place| (place, order - 1 - place)).collect::<Vec<_>>(),
    ];
    for (line, cells) in lines.chain(diagonals).enumerate() {
        let cells: Vec<_> = cells.iter().map(|(row, column)| format!("{row}.{column}")).collect();
        color_sums(&mut draft, &format!("line{line}"), &cells, 34, order * order);
    }
    draft.done()
}

/// Tilings of a rectangle by random square tiles with colored sides, which may be used any number
/// of times and not turned; adjacent sides have equal colors.
fn wang_tiles(size: &[usize]) -> Problem {
    let &[rows, columns, tiles, seed] = size else { unreachable!("four numbers") };
    let random = &mut Random::new(seed as u64);
    let tiles: BTreeSet<[usize; 4]> = (0..tiles).map(|_| [0; 4].map(|_| random.below(3))).collect();
    let mut draft = Draft::default();
    for (row, column) in fields(rows, columns) {
        for [top, right, bottom, left] in &tiles {
            draft.option(&format!(
                "f{row}.{column} ?h{row}.{column}:{top} ?h{}.{column}:{bottom} ?v{row}.{column}:{left} \
                 ?v{row}.{}:{right}",
                row + 1,
                column + 1
            ));
        }
    }
    draft.done()
}

/// Partitions of the sides of the cells of a grid into connected sets of three.
fn sticks(size: &[usize]) -> Problem {
    let &[rows, columns] = size else { unreachable!("two numbers") };
    let across = fields(rows + 1, columns).map(|(row, column)| [(row, column), (row, column + 1)]);
    let down = fields(rows, columns + 1).map(|(row, column)| [(row, column), (row + 1, column)]);
    let sides: Vec<[(usize, usize); 2]> = across.chain(down).collect();
    let meet = |a: usize, b: usize| a != b && sides[a].iter().any(|end| sides[b].contains(end));
    let mut sets = BTreeSet::new();
    for a in 0..sides.len() {
        for b in (0..sides.len()).filter(|&b| meet(a, b)) {
            for c in (0..sides.len()).filter(|&c| c != a && (meet(a, c) || meet(b, c)) && c != b) {
                sets.insert(BTreeSet::from([a, b, c]));
            }
        }
    }
    let mut draft = Draft::default();
    for set in sets {
        let names: Vec<_> = set.iter().map(usize::to_string).collect();
        draft.option(&names.join(" "));
    }
    draft.done()
}

/// Steiner quadruple systems: each set of three points is in one set of four.
fn quadruple_systems(size: &[usize]) -> Problem {
    let points = size[0];
    let mut draft = Draft::default();
    for set in (0..1_usize << points).filter(|set| set.count_ones() == 4) {
        let names: Vec<_> = (0..points)
            .filter(|point| set >> point & 1 == 1)
            .map(|point| (set ^ 1 << point).to_string())
            .collect();
        draft.option(&names.join(" "));
    }
    draft.done()
}

/// Partitions of random integers into sets of two to five whose sum is 0.
fn zero_sums(size: &[usize]) -> Problem {
    let &[numbers, bound, seed] = size else { unreachable!("three numbers") };
    let random = &mut Random::new(seed as u64);
    let mut values: Vec<isize> =
        (1..numbers).map(|_| random.below(2 * bound + 1) as isize - bound as isize).collect();
    values.push(-values.iter().sum::<isize>());
    let mut draft = Draft::default();
    for set in (0..1_usize << numbers).filter(|set| (2..=5).contains(&set.count_ones())) {
        let members = (0..numbers).filter(|number| set >> number & 1 == 1);
        if members.clone().map(|number| values[number]).sum::<isize>() == 0 {
            let names: Vec<_> = members.map(|number| number.to_string()).collect();
            draft.option(&names.join(" "));
        }
    }
    draft.done()
}

/// Assignments in which exactly one of three random variables of each clause is true.
fn one_of_three(size: &[usize]) -> Problem {
    let &[variables, clauses, seed] = size else { unreachable!("three numbers") };
    let random = &mut Random::new(seed as u64);
    let sets: Vec<_> = (0..clauses).map(|_| draw(3, variables, random)).collect();
    let mut draft = Draft::default();
    for variable in 0..variables {
        let places: String = sets
            .iter()
            .enumerate()
            .filter(|(_, set)| set.contains(&variable))
            .map(|(clause, _)| format!(" c{clause}"))
            .collect();
        if !places.is_empty() {
            draft.option(places.trim());
        }
    }
    draft.done()
}
