//! Problems whose items are covered several times: matrices with given sums, graphs with given
//! degrees, tilings and assignments with capacities.

use dlx::{Problem, Random};

use super::Draft;
use super::sets::draw;

/// Square matrices of zeros and ones whose rows and columns have equal sums.
pub(super) fn matrices(size: &[usize]) -> Problem {
    let &[order, sum] = size else { unreachable!("two numbers") };
    tables(order, order, |_| sum, |_| sum)
}

/// Matrices of zeros and ones with the row and column sums of a random matrix.
pub(super) fn random_matrices(size: &[usize]) -> Problem {
    let &[rows, columns, percent, seed] = size else { unreachable!("four numbers") };
    let random = &mut Random::new(seed as u64);
    let ones: Vec<Vec<bool>> =
        (0..rows).map(|_| (0..columns).map(|_| random.below(100) < percent).collect()).collect();
    let of_row = |row: usize| ones[row].iter().filter(|&&one| one).count();
    let of_column = |column: usize| ones.iter().filter(|row| row[column]).count();
    tables(rows, columns, of_row, of_column)
}

fn tables(
    rows: usize,
    columns: usize,
    of_row: impl Fn(usize) -> usize,
    of_column: impl Fn(usize) -> usize,
) -> Problem {
    let mut draft = Draft::default();
    for row in 0..rows {
        draft.bounded(&format!("r{row}"), of_row(row) as u32, of_row(row) as u32);
    }
    for column in 0..columns {
        draft.bounded(&format!("c{column}"), of_column(column) as u32, of_column(column) as u32);
    }
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        draft.option(&format!("r{row} c{column}"));
    }
    draft.done()
}

/// Graphs on labeled vertices where each vertex has the same degree.
pub(super) fn regular_on_labels(size: &[usize]) -> Problem {
    let &[vertices, degree] = size else { unreachable!("two numbers") };
    let edges = (0..vertices).flat_map(|a| (0..a).map(move |b| (a, b)));
    with_degrees(vertices, degree, edges)
}

/// Sets of cycles that pass each field of a board once, by king's moves.
pub(super) fn king_cycles(size: &[usize]) -> Problem {
    let &[height, width] = size else { unreachable!("two numbers") };
    let fields = (0..height).flat_map(|row| (0..width).map(move |column| (row, column)));
    let edges = fields.flat_map(move |(row, column)| {
        [(0, 1), (1, 0), (1, 1), (1, usize::MAX)].into_iter().filter_map(move |(down, right)| {
            let (below, beside) = (row + down, column.wrapping_add(right));
            let is_inside = below < height && beside < width;
            is_inside.then_some((row * width + column, below * width + beside))
        })
    });
    with_degrees(height * width, 2, edges)
}

fn with_degrees(
    vertices: usize,
    degree: usize,
    edges: impl Iterator<Item = (usize, usize)>,
) -> Problem {
    let mut draft = Draft::default();
    (0..vertices).for_each(|vertex| {
        draft.bounded(&vertex.to_string(), degree as u32, degree as u32);
    });
    edges.for_each(|(a, b)| draft.option(&format!("{a} {b}")));
    draft.done()
}

/// Tatami tilings by dominoes and single cells: no four tiles meet at a point.
pub(super) fn tatami(size: &[usize]) -> Problem {
    let &[height, width] = size else { unreachable!("two numbers") };
    let mut draft = Draft::default();
    let cells = || (0..height).flat_map(|row| (0..width).map(move |column| (row, column)));
    draft.items(cells().map(|(row, column)| format!("{row},{column}")));
    // Point `p` is the lower right corner of its cell.
    for (row, column) in cells().filter(|&(row, column)| row + 1 < height && column + 1 < width) {
        draft.bounded(&format!("p{row},{column}"), 1, 2);
    }
    let is_point = |row: usize, column: usize| row < height - 1 && column < width - 1;
    let point = |row: usize, column: usize| {
        if is_point(row, column) { format!(" p{row},{column}") } else { String::new() }
    };
    for (row, column) in cells() {
        draft.option(&format!("{row},{column}"));
        if column + 1 < width {
            let ends = point(row.wrapping_sub(1), column) + &point(row, column);
            draft.option(&format!("{row},{column} {row},{}{ends}", column + 1));
        }
        if row + 1 < height {
            let ends = point(row, column.wrapping_sub(1)) + &point(row, column);
            draft.option(&format!("{row},{column} {},{column}{ends}", row + 1));
        }
    }
    draft.done()
}

/// Results of a tournament where each player wins half of the games, or nearly half.
pub(super) fn tournaments(size: &[usize]) -> Problem {
    let &[players] = size else { unreachable!("one number") };
    let [least, most] = [(players as u32 - 1) / 2, players as u32 / 2];
    let mut draft = Draft::default();
    (0..players).for_each(|player| draft.bounded(&format!("p{player}"), least, most));
    for (a, b) in (0..players).flat_map(|a| (0..a).map(move |b| (a, b))) {
        [a, b].into_iter().for_each(|winner| draft.option(&format!("g{a},{b} p{winner}")));
    }
    draft.done()
}

/// Rosters: each day needs some people, each person works some days, and has days off.
pub(super) fn rosters(size: &[usize]) -> Problem {
    let &[people, days, need, seed] = size else { unreachable!("four numbers") };
    let random = &mut Random::new(seed as u64);
    let mut draft = Draft::default();
    (0..days).for_each(|day| draft.bounded(&format!("d{day}"), need as u32, need as u32));
    let mean = (need * days / people) as u32;
    for person in 0..people {
        draft.bounded(&format!("p{person}"), mean, mean + 1);
        let off = draw(days / 4, days, random);
        for day in (0..days).filter(|day| !off.contains(day)) {
            draft.option(&format!("d{day} p{person}"));
        }
    }
    draft.done()
}

/// Star battles without regions: equally many stars in each row and column, and none next to
/// another.
pub(super) fn stars(size: &[usize]) -> Problem {
    let &[order, count] = size else { unreachable!("two numbers") };
    let mut draft = Draft::default();
    for (line, index) in ["r", "c"].iter().flat_map(|line| (0..order).map(move |index| (line, index))) {
        draft.bounded(&format!("{line}{index}"), count as u32, count as u32);
    }
    for (row, column) in (0..order).flat_map(|row| (0..order).map(move |column| (row, column))) {
        // Four cells around a point hold at most one star.
        let points = [(0, 0), (0, 1), (1, 0), (1, 1)];
        let points = points.map(|(down, right)| format!(" ?q{},{}", row + down, column + right));
        draft.option(&format!("r{row} c{column}{}", points.concat()));
    }
    draft.done()
}

/// Exams in places of several time slots. Two exams with a common student are not in one slot.
pub(super) fn exams(size: &[usize]) -> Problem {
    let &[exams, slots, rooms, conflicts, seed] = size else { unreachable!("five numbers") };
    let random = &mut Random::new(seed as u64);
    let pairs: Vec<_> = (0..conflicts).map(|_| draw(2, exams, random)).collect();
    let mut draft = Draft::default();
    for exam in 0..exams {
        for (slot, room) in (0..slots).flat_map(|slot| (0..rooms).map(move |room| (slot, room))) {
            let own = (0..conflicts).filter(|&pair| pairs[pair].contains(&exam));
            let clashes: String = own.map(|pair| format!(" ?x{pair}.{slot}")).collect();
            draft.option(&format!("e{exam} ?s{slot}.{room}{clashes}"));
        }
    }
    draft.done()
}

/// Distinct balls in boxes with a smallest and a largest number of balls.
pub(super) fn boxes(size: &[usize]) -> Problem {
    let &[balls, boxes, low, high] = size else { unreachable!("four numbers") };
    let mut draft = Draft::default();
    draft.items((0..balls).map(|ball| ball.to_string()));
    (0..boxes).for_each(|number| draft.bounded(&format!("b{number}"), low as u32, high as u32));
    for (ball, number) in (0..balls).flat_map(|ball| (0..boxes).map(move |number| (ball, number))) {
        draft.option(&format!("{ball} b{number}"));
    }
    draft.done()
}
