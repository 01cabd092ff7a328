//! Grid problems: queens, Latin squares, sums, nonograms, words, and tilings by local states.

use dlx::{Problem, Random};

use super::{Draft, parametric};

pub(super) fn queens(size: &[usize]) -> Problem {
    parametric("queens", &size[0].to_string())
}

/// Queens on a torus, whose diagonals wrap around.
pub(super) fn toroidal(size: &[usize]) -> Problem {
    let n = size[0];
    let mut draft = Draft::default();
    for (row, column) in (0..n).flat_map(|row| (0..n).map(move |column| (row, column))) {
        let (up, down) = ((row + column) % n, (row + n - column) % n);
        draft.option(&format!("r{row} c{column} u{up} d{down}"));
    }
    draft.done()
}

/// Partitions of the cells of an n x n board into n solutions of the n-queens problem; the sets of
/// the first row are given.
pub(super) fn queen_partitions(size: &[usize]) -> Problem {
    let n = size[0];
    let mut draft = Draft::default();
    for (row, column) in (0..n).flat_map(|row| (0..n).map(move |column| (row, column))) {
        for set in (0..n).filter(|&set| row > 0 || set == column) {
            draft.option(&format!(
                "p{row}.{column} r{row}.{set} c{column}.{set} ?u{}.{set} ?d{}.{set}",
                row + column,
                row + n - column
            ));
        }
    }
    draft.done()
}

pub(super) fn latin(size: &[usize]) -> Problem {
    parametric("latin", &size[0].to_string())
}

fn permutation(n: usize, random: &mut Random) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    random.shuffle(&mut order);
    order
}

/// Completions of a Latin square with `holes` open cells.
pub(super) fn quasigroups(size: &[usize]) -> Problem {
    let &[n, holes, seed] = size else { unreachable!("three numbers") };
    let random = &mut Random::new(seed as u64);
    let [rows, columns, values] = [(); 3].map(|()| permutation(n, random));
    let value = |row: usize, column: usize| values[(rows[row] + columns[column]) % n];
    let places = permutation(n * n, random);
    let (open, closed) = places.split_at(holes);
    let mut draft = Draft::default();
    for &place in open {
        let (row, column) = (place / n, place % n);
        for option in 0..n {
            let is_taken = closed.iter().any(|&other| {
                let (r, c) = (other / n, other % n);
                value(r, c) == option && (r == row || c == column)
            });
            if !is_taken {
                draft.option(&format!("p{place} r{row}.{option} c{column}.{option}"));
            }
        }
    }
    draft.done()
}

/// Sudoku with random clues from a shuffled pattern grid.
pub(super) fn sudoku(size: &[usize]) -> Problem {
    let &[n, clues, seed] = size else { unreachable!("three numbers") };
    let random = &mut Random::new(seed as u64);
    let order = n * n;
    // Shuffle the bands, and the rows within each band; the same for columns.
    let lines = |random: &mut Random| -> Vec<usize> {
        let bands = permutation(n, random);
        bands
            .into_iter()
            .flat_map(|band| permutation(n, random).into_iter().map(move |line| n * band + line))
            .collect()
    };
    let (rows, columns) = (lines(random), lines(random));
    let values = permutation(order, random);
    let value = |row: usize, column: usize| {
        let (row, column) = (rows[row], columns[column]);
        values[(n * (row % n) + row / n + column) % order]
    };
    let places = permutation(order * order, random);
    let (given, open) = places.split_at(clues);
    let region = |row: usize, column: usize| row / n * n + column / n;
    let mut draft = Draft::default();
    for &place in open {
        let (row, column) = (place / order, place % order);
        for option in 0..order {
            let is_taken = given.iter().any(|&other| {
                let (r, c) = (other / order, other % order);
                let is_seen = r == row || c == column || region(r, c) == region(row, column);
                is_seen && value(r, c) == option
            });
            if !is_taken {
                let region = region(row, column);
                draft
                    .option(&format!("p{place} r{row}.{option} c{column}.{option} b{region}.{option}"));
            }
        }
    }
    draft.done()
}

/// Adds an option for every way to fill a run with different digits of a given sum. The run is a
/// primary item; its cells are secondary items.
fn fill_runs(draft: &mut Draft, run: &str, cells: &[String], sum: usize, digits: &mut Vec<usize>) {
    if digits.len() == cells.len() {
        if sum == 0 {
            let entry = |(cell, digit): (&String, &usize)| format!(" ?{cell}:{digit}");
            let entries: String = cells.iter().zip(&*digits).map(entry).collect();
            draft.option(&format!("{run}{entries}"));
        }
        return;
    }
    for digit in 1..=9.min(sum) {
        if !digits.contains(&digit) {
            digits.push(digit);
            fill_runs(draft, run, cells, sum - digit, digits);
            digits.pop();
        }
    }
}

/// Kakuro: across and down, runs of at most five cells have different digits of a given sum.
pub(super) fn kakuro(size: &[usize]) -> Problem {
    let &[rows, columns, seed] = size else { unreachable!("three numbers") };
    let random = &mut Random::new(seed as u64);
    let values = permutation(9, random);
    let value = |row: usize, column: usize| values[(2 * row + column) % 9] + 1;
    let mut draft = Draft::default();
    let name = |row: usize, column: usize| format!("p{row}.{column}");
    for row in 0..rows {
        let cells: Vec<_> = (0..columns).map(|column| name(row, column)).collect();
        let sum = (0..columns).map(|column| value(row, column)).sum();
        fill_runs(&mut draft, &format!("across{row}"), &cells, sum, &mut Vec::new());
    }
    for column in 0..columns {
        let cells: Vec<_> = (0..rows).map(|row| name(row, column)).collect();
        let sum = (0..rows).map(|row| value(row, column)).sum();
        fill_runs(&mut draft, &format!("down{column}"), &cells, sum, &mut Vec::new());
    }
    draft.done()
}

fn place_blocks(
    draft: &mut Draft,
    line: &str,
    cells: &[String],
    blocks: &[usize],
    states: &mut Vec<bool>,
) {
    let left = cells.len() - states.len();
    let Some((&block, others)) = blocks.split_first() else {
        let full = |place: usize| usize::from(states.get(place).copied().unwrap_or(false));
        let entries = cells.iter().enumerate().map(|(place, cell)| format!(" ?{cell}:{}", full(place)));
        draft.option(&format!("{line}{}", entries.collect::<String>()));
        return;
    };
    let need = block + others.iter().map(|other| other + 1).sum::<usize>();
    let length = states.len();
    for gap in 0..=left.saturating_sub(need) {
        if gap + need > left {
            break;
        }
        states.extend((0..gap).map(|_| false));
        states.extend((0..block).map(|_| true));
        if !others.is_empty() {
            states.push(false);
        }
        place_blocks(draft, line, cells, others, states);
        states.truncate(length);
    }
}

/// Nonograms: pictures given by the lengths of the blocks in their rows and columns.
pub(super) fn nonograms(size: &[usize]) -> Problem {
    let &[n, percent, seed] = size else { unreachable!("three numbers") };
    let random = &mut Random::new(seed as u64);
    let picture: Vec<bool> = (0..n * n).map(|_| random.below(100) < percent).collect();
    let mut draft = Draft::default();
    for line in 0..2 * n {
        let place = |step: usize| if line < n { line * n + step } else { step * n + line - n };
        let cells: Vec<_> = (0..n).map(|step| format!("p{}", place(step))).collect();
        let full: Vec<bool> = (0..n).map(|step| picture[place(step)]).collect();
        let blocks: Vec<_> =
            full.split(|full| !full).map(<[bool]>::len).filter(|&length| length > 0).collect();
        place_blocks(&mut draft, &format!("line{line}"), &cells, &blocks, &mut Vec::new());
    }
    draft.done()
}

/// Rectangles with a word in every row and every column.
pub(super) fn words(size: &[usize]) -> Problem {
    let &[rows, columns, count, letters, seed] = size else { unreachable!("five numbers") };
    let random = &mut Random::new(seed as u64);
    let mut dictionary = |length: usize| -> std::collections::BTreeSet<Vec<usize>> {
        let mut letter = || random.below(letters).min(random.below(letters));
        (0..count).map(|_| (0..length).map(|_| letter()).collect()).collect()
    };
    let (across, down) = (dictionary(columns), dictionary(rows));
    let mut draft = Draft::default();
    for (row, word) in (0..rows).flat_map(|row| across.iter().map(move |word| (row, word))) {
        let entry = |(column, letter)| format!(" ?p{row}.{column}:{letter}");
        draft.option(&format!("across{row}{}", word.iter().enumerate().map(entry).collect::<String>()));
    }
    for (column, word) in (0..columns).flat_map(|column| down.iter().map(move |word| (column, word))) {
        let entry = |(row, letter)| format!(" ?p{row}.{column}:{letter}");
        draft
            .option(&format!("down{column}{}", word.iter().enumerate().map(entry).collect::<String>()));
    }
    draft.done()
}

/// Alternating sign matrices as square ice: each vertex has one of six states, and the states of
/// adjacent vertices agree on the edge between them.
pub(super) fn alternating_signs(size: &[usize]) -> Problem {
    let n = size[0];
    let mut draft = Draft::default();
    // Arrows of the left, right, upper and lower edge of each vertex state. The border arrows point
    // inwards on the left and right, and outwards above and below.
    let states = [[0, 0, 0, 0], [1, 1, 1, 1], [0, 0, 1, 1], [1, 1, 0, 0], [0, 1, 1, 0], [1, 0, 0, 1]];
    for (row, column) in (0..n).flat_map(|row| (0..n).map(move |column| (row, column))) {
        for [left, right, above, below] in states {
            let is_out = (column == 0 && left == 1)
                || (column + 1 == n && right == 0)
                || (row == 0 && above == 0)
                || (row + 1 == n && below == 1);
            if !is_out {
                draft.option(&format!(
                    "p{row}.{column} ?h{row}.{column}:{left} ?h{row}.{}:{right} \
                     ?v{row}.{column}:{above} ?v{}.{column}:{below}",
                    column + 1,
                    row + 1
                ));
            }
        }
    }
    draft.done()
}

/// Independent sets of cells in a grid (the hard-square model).
pub(super) fn hard_squares(size: &[usize]) -> Problem {
    let &[rows, columns] = size else { unreachable!("two numbers") };
    let mut draft = Draft::default();
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        draft.option(&format!("p{row}.{column}"));
        draft.option(&format!(
            "p{row}.{column} ?h{row}.{column} ?h{row}.{} ?v{row}.{column} ?v{}.{column}",
            column + 1,
            row + 1
        ));
    }
    draft.done()
}

pub(super) fn colorings(size: &[usize]) -> Problem {
    let &[rows, columns, colors] = size else { unreachable!("three numbers") };
    let mut draft = Draft::default();
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        for color in 0..colors {
            draft.option(&format!(
                "p{row}.{column} ?h{row}.{column}.{color} ?h{row}.{}.{color} \
                 ?v{row}.{column}.{color} ?v{}.{column}.{color}",
                column + 1,
                row + 1
            ));
        }
    }
    draft.done()
}

/// Queen domination: a given number of queens attack or occupy every cell of a board.
pub(super) fn domination(size: &[usize]) -> Problem {
    let &[n, queens] = size else { unreachable!("two numbers") };
    let mut draft = Draft::default();
    let cells = || (0..n).flat_map(|row| (0..n).map(move |column| (row, column)));
    draft.bounded("queens", queens as u32, queens as u32);
    cells().for_each(|(row, column)| draft.bounded(&format!("p{row}.{column}"), 1, queens as u32));
    for (row, column) in cells() {
        let is_seen = |&(r, c): &(usize, usize)| {
            r == row || c == column || r + c == row + column || r + column == row + c
        };
        let seen: String = cells().filter(is_seen).map(|(r, c)| format!(" p{r}.{c}")).collect();
        draft.option(&format!("queens{seen}"));
    }
    draft.done()
}
