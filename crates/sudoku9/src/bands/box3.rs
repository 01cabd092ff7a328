//! Fillings of a box, as the sets of digits in its columns (the split of the box) and in its rows.
//!
//! A split has six orders of the digits in each column, so it has 216 fillings. In the same way,
//! sets of digits in the three rows have six orders in each row.

use super::split::SPLITS_ALL;

pub(super) const ORDERS: [[usize; 3]; 6] =
    [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// The sets of digits in the three rows of a box, with 9 bits each.
#[derive(Clone, Copy)]
pub(super) struct Minirows(u32);

impl Minirows {
    /// Returns whether the two boxes have no digit in the same row, so that both can be in one
    /// band.
    pub(super) fn go_together(self, other: &Self) -> bool {
        self.0 & other.0 == 0
    }

    pub(super) fn rest(self, other: &Self) -> Self {
        Self(!(self.0 | other.0) & 0o777_777_777)
    }
}

/// A box: the cells that can have each digit. Bit 3c + r is the cell in row r and column c.
pub(super) struct Box3([u16; 9]);

impl Box3 {
    pub(super) fn new(allowed: &[u32; 9], nth: usize) -> Self {
        Self(allowed.map(|cells| (cells >> (9 * nth) & 0o777) as u16))
    }

    pub(super) fn fillings(&self, split: u16) -> Vec<Minirows> {
        let mut ways = [const { Vec::new() }; 3];
        for (column, ways) in ways.iter_mut().enumerate() {
            let mut digits = [0; 3];
            let here = SPLITS_ALL
                .columns(split)
                .iter()
                .enumerate()
                .filter(|&(_, &c)| usize::from(c) == column);
            digits.iter_mut().zip(here).for_each(|(digit, (k, _))| *digit = k);
            for order in ORDERS {
                let fits =
                    |(&digit, row): (&usize, usize)| self.0[digit] >> (3 * column + row) & 1 == 1;
                if digits.iter().zip(order).all(fits) {
                    let place = |(&digit, row): (&usize, usize)| 1 << (9 * row + digit);
                    ways.push(
                        digits.iter().zip(order).map(place).fold(0, |rows, cell: u32| rows | cell),
                    );
                }
            }
        }
        let mut fillings = Vec::with_capacity(ways.iter().map(Vec::len).product());
        for a in &ways[0] {
            for b in &ways[1] {
                fillings.extend(ways[2].iter().map(|c| Minirows(a | b | c)));
            }
        }
        fillings
    }

    pub(super) fn for_each_split(&self, rows: Minirows, mut visit: impl FnMut(u16)) {
        let (mut values, mut counts) = ([[0; 6]; 3], [0; 3]);
        for row in 0..3 {
            let mut left = rows.0 >> (9 * row) & 0x1ff;
            let digits = [0; 3].map(|_: usize| {
                let digit = left.trailing_zeros() as usize;
                left &= left - 1;
                digit
            });
            for order in ORDERS {
                let fits =
                    |(&digit, column): (&usize, usize)| self.0[digit] >> (3 * column + row) & 1 == 1;
                if digits.iter().zip(order).all(fits) {
                    values[row][counts[row]] = SPLITS_ALL.value(digits, order);
                    counts[row] += 1;
                }
            }
        }
        for a in &values[0][..counts[0]] {
            for b in &values[1][..counts[1]] {
                for c in &values[2][..counts[2]] {
                    visit(SPLITS_ALL.of_value(a + b + c));
                }
            }
        }
    }
}
