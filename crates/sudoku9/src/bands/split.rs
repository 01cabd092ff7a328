//! The 1680 splits of a box. A split is the set of three digits in each column.

use std::sync::LazyLock;

/// The number of splits: 9! / 3!^3.
pub(super) const SPLITS: usize = 1680;
pub(super) const NONE: u16 = u16::MAX;
/// The sum of the values of any three splits that put every digit in each of the three columns
/// once.
const VALUE_SUM: u16 = 3 * (3u16.pow(9) - 1) / 2;

pub(super) static SPLITS_ALL: LazyLock<Splits> = LazyLock::new(Splits::new);

pub(super) struct Splits {
    columns: Vec<[u8; 9]>,
    /// The value of each split: a base-3 number whose digits are the columns, with the first
    /// digit's column in the highest position.
    values: Vec<u16>,
    /// The code of each split: bit 3d + c means that digit d is in column c.
    codes: Vec<u32>,
    by_value: Vec<u16>,
}

impl Splits {
    fn new() -> Self {
        let values = 3u16.pow(9);
        let mut splits = Self {
            columns: Vec::with_capacity(SPLITS),
            values: Vec::with_capacity(SPLITS),
            codes: Vec::with_capacity(SPLITS),
            by_value: vec![NONE; values.into()],
        };
        for value in 0..values {
            let columns: [u8; 9] = std::array::from_fn(|digit| (value / POWERS[digit] % 3) as u8);
            if (0..3).all(|column| columns.iter().filter(|&&c| c == column).count() == 3) {
                splits.by_value[usize::from(value)] = splits.values.len() as u16;
                splits.values.push(value);
                splits.codes.push(
                    (0..9).fold(0, |code, digit| code | 1 << (3 * digit + usize::from(columns[digit]))),
                );
                splits.columns.push(columns);
            }
        }
        splits
    }

    pub(super) fn columns(&self, split: u16) -> &[u8; 9] {
        &self.columns[usize::from(split)]
    }

    /// Returns whether no digit is in the same column of both splits.
    pub(super) fn are_disjoint(&self, a: u16, b: u16) -> bool {
        self.codes[usize::from(a)] & self.codes[usize::from(b)] == 0
    }

    /// Returns the split that puts each digit in the column that the disjoint splits `a` and `b` do
    /// not use for it.
    pub(super) fn third(&self, a: u16, b: u16) -> u16 {
        let value = VALUE_SUM - self.values[usize::from(a)] - self.values[usize::from(b)];
        self.by_value[usize::from(value)]
    }

    /// Returns the value of three digits in three columns. The value of a split is the sum of the
    /// values of its nine digits.
    pub(super) fn value(&self, digits: [usize; 3], columns: [usize; 3]) -> u16 {
        (0..3).map(|k| POWERS[digits[k]] * columns[k] as u16).sum()
    }

    #[inline]
    pub(super) fn of_value(&self, value: u16) -> u16 {
        self.by_value[usize::from(value)]
    }

    pub(super) fn with_columns(&self, columns: &[u8; 9]) -> u16 {
        let value = columns.iter().fold(0, |value, &column| 3 * value + u16::from(column));
        self.by_value[usize::from(value)]
    }
}

const POWERS: [u16; 9] = [6561, 2187, 729, 243, 81, 27, 9, 3, 1];

/// A renaming of digits as a table: for each group of three digits, the value after renaming for
/// each combination of their columns.
pub(super) struct Renaming([[u16; 27]; 3]);

impl Renaming {
    pub(super) fn new(names: &[u8; 9]) -> Self {
        let power = |digit: usize| POWERS[usize::from(names[digit])];
        Self(std::array::from_fn(|group| {
            let powers = [power(3 * group), power(3 * group + 1), power(3 * group + 2)];
            std::array::from_fn(|columns| {
                let columns = columns as u16;
                columns / 9 * powers[0] + columns / 3 % 3 * powers[1] + columns % 3 * powers[2]
            })
        }))
    }

    pub(super) fn apply(&self, split: u16) -> u16 {
        let splits: &Splits = &SPLITS_ALL;
        let value = splits.values[usize::from(split)];
        let [high, middle, low] = [value / 729, value / 27 % 27, value % 27].map(usize::from);
        splits.by_value[usize::from(self.0[0][high] + self.0[1][middle] + self.0[2][low])]
    }
}
