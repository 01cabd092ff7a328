//! Symmetry maps from grids to grids.

use std::fmt;

/// A renaming of digits and a permutation of lines that maps every full grid to a full grid.
///
/// Its text form is, for example, `transpose; rows 123 456 789; columns 321 456 789; digits 1>4
/// 2>5`. The numbers are the old rows and columns (after transposing) in their new order. Digits
/// that keep their names are omitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Map {
    pub(super) is_transposed: bool,
    /// For each new row, the old row; for each new column, the old column.
    pub(super) rows: [u8; 9],
    pub(super) columns: [u8; 9],
    pub(super) digits: [u8; 9],
}

impl Map {
    /// Returns the image of a grid or a puzzle. Characters other than digits are blanks, which are
    /// moved but not changed.
    #[must_use]
    pub fn apply(&self, line: &[u8; 81]) -> [u8; 81] {
        std::array::from_fn(|cell| {
            let (row, column) = (usize::from(self.rows[cell / 9]), usize::from(self.columns[cell % 9]));
            let c = line[if self.is_transposed { 9 * column + row } else { 9 * row + column }];
            match c {
                b'1'..=b'9' => b'1' + self.digits[usize::from(c - b'1')],
                _ => c,
            }
        })
    }

    /// Returns the inverse map.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let (mut rows, mut columns) = (inverse(&self.rows), inverse(&self.columns));
        if self.is_transposed {
            std::mem::swap(&mut rows, &mut columns);
        }
        Self { is_transposed: self.is_transposed, rows, columns, digits: inverse(&self.digits) }
    }

    /// Returns the composition of two maps: first this map, then `next`.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        let (rows, columns) = match next.is_transposed {
            true => (&self.columns, &self.rows),
            false => (&self.rows, &self.columns),
        };
        Self {
            is_transposed: self.is_transposed != next.is_transposed,
            rows: next.rows.map(|row| rows[usize::from(row)]),
            columns: next.columns.map(|column| columns[usize::from(column)]),
            digits: self.digits.map(|digit| next.digits[usize::from(digit)]),
        }
    }
}

fn inverse(order: &[u8; 9]) -> [u8; 9] {
    let mut inverse = [0; 9];
    for (new, &old) in order.iter().enumerate() {
        inverse[usize::from(old)] = new as u8;
    }
    inverse
}

impl fmt::Display for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_transposed {
            f.write_str("transpose; ")?;
        }
        for (name, lines) in [("rows", &self.rows), ("; columns", &self.columns)] {
            f.write_str(name)?;
            for three in lines.chunks(3) {
                write!(f, " {}{}{}", three[0] + 1, three[1] + 1, three[2] + 1)?;
            }
        }
        let renamed = (1..).zip(self.digits).filter(|&(old, new)| old != new + 1);
        for (nth, (old, new)) in renamed.enumerate() {
            write!(f, "{} {old}>{}", if nth == 0 { "; digits" } else { "" }, new + 1)?;
        }
        Ok(())
    }
}
