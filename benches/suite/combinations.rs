//! Designs, partitions of numbers, and arrays without repeated differences.

use dlx::Problem;

use super::Draft;

fn triples(numbers: usize) -> impl Iterator<Item = [usize; 3]> {
    (1..=numbers).flat_map(move |c| (1..c).flat_map(move |b| (1..b).map(move |a| [a, b, c])))
}

fn partition(numbers: usize, sets: impl Iterator<Item = Vec<usize>>) -> Problem {
    let mut draft = Draft::default();
    draft.items((1..=numbers).map(|number| number.to_string()));
    for set in sets {
        let names: Vec<_> = set.iter().map(usize::to_string).collect();
        draft.option(&names.join(" "));
    }
    draft.done()
}

/// Partitions of the numbers from 1 to 3n into n triples in which one number is the sum of the
/// other two (OEIS A108235).
pub(super) fn sums(size: &[usize]) -> Problem {
    let numbers = 3 * size[0];
    partition(numbers, triples(numbers).filter(|[a, b, c]| a + b == *c).map(Vec::from))
}

/// Partitions of the residues modulo 3n into triples whose sum is 0.
pub(super) fn zero_triples(size: &[usize]) -> Problem {
    let numbers = 3 * size[0];
    let is_zero = move |set: &[usize; 3]| set.iter().sum::<usize>() % numbers == 0;
    partition(numbers, triples(numbers).filter(is_zero).map(Vec::from))
}

/// Partitions of the numbers from 1 to n into arithmetic progressions of at least three numbers.
pub(super) fn progressions(size: &[usize]) -> Problem {
    let numbers = size[0];
    let sets = (1..=numbers).flat_map(move |first| {
        (1..numbers).flat_map(move |step| {
            (3..=numbers)
                .map(move |length| (0..length).map(|place| first + place * step).collect::<Vec<_>>())
                .take_while(move |set| set[set.len() - 1] <= numbers)
        })
    });
    partition(numbers, sets)
}

/// Room squares of odd side n whose field (j, j) holds the pair of the new symbol and j.
pub(super) fn room_squares(size: &[usize]) -> Problem {
    let side = size[0];
    let mut draft = Draft::default();
    for high in 0..=side {
        for low in 0..high {
            for (row, column) in (0..side).flat_map(|row| (0..side).map(move |column| (row, column))) {
                let is_there = if high == side {
                    row == low && column == low
                } else {
                    row != column && ![low, high].contains(&row) && ![low, high].contains(&column)
                };
                if is_there {
                    draft.option(&format!(
                        "p{low}.{high} r{row}.{low} r{row}.{high} c{column}.{low} c{column}.{high} \
                         ?f{row}.{column}"
                    ));
                }
            }
        }
    }
    draft.done()
}

/// Mendelsohn triple systems: each ordered pair of points is in one cyclic triple.
pub(super) fn mendelsohn(size: &[usize]) -> Problem {
    let mut draft = Draft::default();
    for [a, b, c] in triples(size[0]) {
        draft.option(&format!("{a}.{b} {b}.{c} {c}.{a}"));
        draft.option(&format!("{b}.{a} {a}.{c} {c}.{b}"));
    }
    draft.done()
}

/// Costas arrays: permutations in which all vectors between two entries differ. An option is the
/// rows of two columns.
pub(super) fn costas(size: &[usize]) -> Problem {
    let order = size[0];
    let mut draft = Draft::default();
    for (left, right) in (0..order).flat_map(|right| (0..right).map(move |left| (left, right))) {
        for (low, high) in (0..order).flat_map(|low| (0..order).map(move |high| (low, high))) {
            if low != high {
                let (across, up) = (right - left, order + high - low);
                draft
                    .option(&format!("{left}-{right} ?c{left}:{low} ?c{right}:{high} ?v{across}.{up}"));
            }
        }
    }
    draft.done()
}

/// Latin rectangles.
pub(super) fn latin_rectangles(size: &[usize]) -> Problem {
    let &[rows, columns] = size else { unreachable!("two numbers") };
    let mut draft = Draft::default();
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        for symbol in 0..columns {
            draft.option(&format!("f{row}.{column} r{row}.{symbol} ?c{column}.{symbol}"));
        }
    }
    draft.done()
}

/// Perfect matchings of hypercubes (OEIS A005271).
pub(super) fn hypercubes(size: &[usize]) -> Problem {
    let mut draft = Draft::default();
    for vertex in 0..1_usize << size[0] {
        for bit in (0..size[0]).filter(|bit| vertex >> bit & 1 == 0) {
            draft.option(&format!("{vertex} {}", vertex | 1 << bit));
        }
    }
    draft.done()
}
