//! Uniformly random full grids. Each of the 6,670,903,752,021,072,936,960 grids is equally likely.
//!
//! # Method
//! Rejection sampling on the splits of boxes. The *split* of a box assigns to each digit its column
//! in the box.
//! 1. Draw a filling of the first band uniformly. The first box is `123 456 789`; all digits are
//!    renamed at the end. There are 56 ways to distribute the digits to the rows of the second box,
//!    which also determines the rows of the third box. The digits of each row are permuted
//!    independently.
//! 2. For each stack, draw the splits of its other two boxes uniformly. There are 56 ways for each
//!    stack.
//! 3. The second and the third band have w2 and w3 fillings with these splits. Accept the splits
//!    with probability `w2 * w3 / WAYS_MAX^2`, otherwise start again. Most splits are rejected
//!    after two stacks, by an upper bound.
//! 4. Draw one of the w2 fillings and one of the w3 fillings uniformly.
//!
//! Each full grid with the first box `123 456 789` comes from exactly one choice in steps 1 and 2.
//! All these choices are equally likely, and each yields the grid with probability 1 / WAYS_MAX^2.
//! About one choice in 75 is accepted.
//!
//! The number of fillings of a band depends only on its three splits, and renaming digits does not
//! change it. If the digits are sorted by their columns in the first two boxes, there are only 256
//! tables, each indexed by the nine columns of the third box. The 5 million entries of the tables
//! take 10 MB and are computed at their first use.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use super::random::RandomStream;

/// Maximum number of fillings of a band with three given splits. The maximum is attained if three
/// sets of digits share their column in all boxes, with twelve Latin squares for each.
const WAYS_MAX: u32 = 12 * 12 * 12;
type ColumnSplit = [u8; 9];

const ORDERS: [[u8; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// All ways to move nine digits, three in each of the classes 0, 1 and 2, to other classes. No
/// digit keeps its class, and each class again has three digits.
const MOVES: [[u8; 9]; 56] = {
    let mut moves = [[0; 9]; 56];
    let mut found = 0;
    let mut code = 0;
    while code < 512 {
        let mut to = [0; 9];
        let mut sizes = [0; 3];
        let mut digit = 0;
        while digit < 9 {
            let class = (digit / 3 + 1 + (code >> digit & 1)) % 3;
            to[digit] = class as u8;
            sizes[class] += 1;
            digit += 1;
        }
        if sizes[0] == 3 && sizes[1] == 3 {
            moves[found] = to;
            found += 1;
        }
        code += 1;
    }
    assert!(found == 56);
    moves
};

const POWERS: [u32; 9] = [1, 3, 9, 27, 81, 243, 729, 2187, 6561];

/// Filling counts plus one; 0 means that the count is not computed yet.
static WAYS: LazyLock<Box<[AtomicU16]>> =
    LazyLock::new(|| (0..256 * 19683).map(|_| AtomicU16::new(0)).collect());

pub(crate) fn grid(random: &mut RandomStream) -> [u8; 81] {
    let ways = &**WAYS;
    loop {
        let mut choice = random.below(56 * 216 * 56 * 56);
        let mut draw = |limit: usize| {
            let drawn = choice % limit;
            choice /= limit;
            drawn
        };
        let rows = others(&[0, 0, 0, 1, 1, 1, 2, 2, 2], &MOVES[draw(56)]);
        let mut first = [[0, 1, 2, 0, 1, 2, 0, 1, 2], columns(&rows[0], draw(216)), [0; 9]];
        let (mut second, mut third) = ([[0; 9]; 3], [[0; 9]; 3]);
        for stack in 0..2 {
            [second[stack], third[stack]] = others(&first[stack], &MOVES[draw(56)]);
        }
        let most = [most(&second), most(&third)];
        if random.below(WAYS_MAX * WAYS_MAX) >= (most[0] * most[1]) as usize {
            continue;
        }
        let choice = random.below(216 * 56);
        first[2] = columns(&rows[1], choice / 56);
        [second[2], third[2]] = others(&first[2], &MOVES[choice % 56]);
        let mut keeps = |splits: &[ColumnSplit; 3], most: u32| {
            let count = count(ways, splits);
            // If a count exceeded this maximum, the grids would not be equally likely.
            assert!(u32::from(count) <= most, "no band has more ways");
            (random.below(most) < usize::from(count)).then_some(count)
        };
        let Some(second_ways) = keeps(&second, most[0]) else { continue };
        let Some(third_ways) = keeps(&third, most[1]) else { continue };
        let mut names = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        random.shuffle(&mut names);
        let mut grid = [0; 81];
        let mut place = |row: u8, stack: usize, column: u8, digit: usize| {
            grid[9 * usize::from(row) + 3 * stack + usize::from(column)] = names[digit];
        };
        for digit in 0..9 {
            place(digit as u8 / 3, 0, first[0][digit], digit);
            place(rows[0][digit], 1, first[1][digit], digit);
            place(rows[1][digit], 2, first[2][digit], digit);
        }
        for (band, splits, ways) in [(1, &second, second_ways), (2, &third, third_ways)] {
            // Fillings that differ only in the order of the rows form groups of six.
            let nth = random.below(u32::from(ways));
            let order = ORDERS[nth % 6];
            let mut rows = [[0; 3]; 9];
            let mut left = nth / 6;
            fill(splits, &mut |found| {
                rows = *found;
                left = left.wrapping_sub(1);
                left != usize::MAX
            });
            for (digit, rows) in rows.iter().enumerate() {
                for stack in 0..3 {
                    let row = 3 * band + order[usize::from(rows[stack])];
                    place(row, stack, splits[stack][digit], digit);
                }
            }
        }
        return grid;
    }
}

/// Returns the second class of each digit, as given by a move, and its third class, which is the
/// remaining one.
#[inline]
fn others(class: &ColumnSplit, to: &[u8; 9]) -> [ColumnSplit; 2] {
    let mut taken = [0, 3, 6];
    let mut result = [[0; 9]; 2];
    for digit in 0..9 {
        let own = usize::from(class[digit]);
        let second = to[taken[own]];
        taken[own] += 1;
        result[0][digit] = second;
        result[1][digit] = 3 - class[digit] - second;
    }
    result
}

/// Returns the columns of the digits of a box with given rows; `order` selects one of the 216
/// possibilities.
#[inline]
fn columns(rows: &[u8; 9], order: usize) -> ColumnSplit {
    let orders = [ORDERS[order % 6], ORDERS[order / 6 % 6], ORDERS[order / 36]];
    let mut taken = [0; 3];
    rows.map(|row| {
        let row = usize::from(row);
        taken[row] += 1;
        orders[row][taken[row] - 1]
    })
}

/// Returns the maximum, over all third splits, of the number of fillings of a band with these first
/// two splits.
#[inline]
fn most(splits: &[ColumnSplit; 3]) -> u32 {
    // The number of pairs of a column of the first box and a column of the second box that share a
    // digit. This number distinguishes the five classes of pairs of splits.
    let shared =
        (0..9).fold(0_u32, |shared, digit| shared | 1 << (3 * splits[0][digit] + splits[1][digit]));
    match shared.count_ones() {
        3 => WAYS_MAX,
        5 => 864,
        6 => 516,
        7 => 288,
        _ => 192,
    }
}

/// Returns the number of fillings of a band with these splits; computes and caches it if necessary.
fn count(ways: &[AtomicU16], splits: &[ColumnSplit; 3]) -> u16 {
    let [first, second, third] = splits;
    let mut sizes = [0; 9];
    let key = |digit: usize| usize::from(3 * first[digit] + second[digit]);
    (0..9).for_each(|digit| sizes[key(digit)] += 1);
    let table = sizes[0] | sizes[1] << 2 | sizes[3] << 4 | sizes[4] << 6;
    let mut begin = 0;
    for size in &mut sizes {
        (*size, begin) = (begin, begin + *size);
    }
    let mut columns = [0; 9];
    for digit in 0..9 {
        columns[sizes[key(digit)]] = third[digit];
        sizes[key(digit)] += 1;
    }
    let one = columns[0];
    let two = columns[1..4].iter().copied().find(|&column| column != one).unwrap_or_default();
    let name = |column: u8| if column == one { 0 } else { 1 + u32::from(column != two) };
    let code: u32 = columns.iter().zip(POWERS).map(|(&column, power)| name(column) * power).sum();
    let place = &ways[19683 * table + code as usize];
    match place.load(Relaxed) {
        0 => {
            let mut sixths = 0;
            fill(splits, &mut |_| {
                sixths += 1;
                true
            });
            let count = 6 * sixths;
            place.store(count + 1, Relaxed);
            count
        }
        known => known - 1,
    }
}

/// Enumerates the fillings of a band with these splits, up to the order of the rows, until `visit`
/// returns `false`. `visit` gets the row of each digit in the three boxes.
fn fill(splits: &[ColumnSplit; 3], visit: &mut dyn FnMut(&[[u8; 3]; 9]) -> bool) {
    let mut digits = [0; 9];
    let mut taken = [0, 3, 6];
    for (digit, &column) in splits[0].iter().enumerate() {
        digits[taken[usize::from(column)]] = digit;
        taken[usize::from(column)] += 1;
    }
    let bits: [[u32; 6]; 9] = digits.map(|digit| {
        let place = |order: [u8; 3], stack: usize| {
            9 * stack + usize::from(3 * splits[stack][digit] + order[stack])
        };
        ORDERS.map(|order| (0..3).fold(0, |bits, stack| bits | 1 << place(order, stack)))
    });
    // `tried[depth]` is the order to try next for the digit at that depth.
    let (mut used, mut tried, mut depth) = ([0_u32; 10], [0; 9], 0);
    let mut rows = [[0; 3]; 9];
    loop {
        let digit = digits[depth];
        let next = (tried[depth]..6).find(|&order| {
            let is_first = depth >= 3 || usize::from(ORDERS[order][0]) == depth;
            is_first && used[depth] & bits[depth][order] == 0
        });
        match next {
            Some(order) => {
                rows[digit] = ORDERS[order];
                tried[depth] = order + 1;
                if depth == 8 {
                    if !visit(&rows) {
                        return;
                    }
                    continue;
                }
                used[depth + 1] = used[depth] | bits[depth][order];
                depth += 1;
                tried[depth] = 0;
            }
            None if depth == 0 => return,
            None => depth -= 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn splits() -> Vec<ColumnSplit> {
        let codes = 0..19683_u32;
        let splits = codes.map(|code| std::array::from_fn(|digit| (code / POWERS[digit] % 3) as u8));
        splits
            .filter(|split: &ColumnSplit| {
                (0..3).all(|c| split.iter().filter(|&&x| x == c).count() == 3)
            })
            .collect()
    }

    #[test]
    fn filling_counts_add_up_to_the_known_number_of_bands() {
        let splits = splits();
        assert_eq!(splits.len(), 1680);
        let first = [0, 1, 2, 0, 1, 2, 0, 1, 2];
        let ways = |second: &ColumnSplit, third: &ColumnSplit| {
            u64::from(count(&WAYS, &[first, *second, *third]))
        };
        let all: u64 =
            splits.iter().flat_map(|second| splits.iter().map(move |third| ways(second, third))).sum();
        // The number of fillings of a band with three boxes is 9! * 56 * 6^6.
        assert_eq!(1680 * all, 362_880 * 56 * 46_656);
        let most =
            splits.iter().flat_map(|second| splits.iter().map(move |third| ways(second, third))).max();
        assert_eq!(most, Some(WAYS_MAX.into()));
    }

    #[test]
    fn random_full_grids_are_valid_and_their_digits_are_equally_likely() {
        let mut random = RandomStream::new(7, 0);
        let mut counts = [[0; 9]; 81];
        for _ in 0..9_000 {
            let grid = grid(&mut random);
            for unit in 0..9 {
                let row = |k: usize| grid[9 * unit + k];
                let column = |k: usize| grid[9 * k + unit];
                let cell = |k: usize| grid[27 * (unit / 3) + 3 * (unit % 3) + k / 3 * 9 + k % 3];
                for digits in [
                    (0..9).map(row).collect::<Vec<_>>(),
                    (0..9).map(column).collect(),
                    (0..9).map(cell).collect(),
                ] {
                    assert_eq!(digits.iter().fold(0, |set, digit| set | 1 << digit), 0b11_1111_1110);
                }
            }
            for (counts, digit) in counts.iter_mut().zip(grid) {
                counts[usize::from(digit) - 1] += 1;
            }
        }
        assert!(counts.as_flattened().iter().all(|count| (850..1150).contains(count)), "{counts:?}");
    }
}
