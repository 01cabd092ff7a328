//! The shape of a board: its houses, and the cells that each cell sees.

use crate::bits::{Cells, Digits};

/// The kind of a house.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HouseKind {
    /// A row.
    Row,
    /// A column.
    Column,
    /// A box, or the region of a jigsaw.
    Box,
    /// Any other house, such as a diagonal or a window.
    Other,
}

impl HouseKind {
    /// Returns whether the house is a row or a column.
    #[must_use]
    pub fn is_line(self) -> bool {
        matches!(self, Self::Row | Self::Column)
    }
}

/// A house: as many cells as there are digits, so that every digit stands in it exactly once.
#[derive(Clone, Debug)]
pub struct House {
    /// The kind of the house.
    pub kind: HouseKind,
    /// The name for people, such as `row 3`.
    pub name: String,
    /// The cells.
    pub cells: Cells,
}

/// The shape of a square board with as many digits as rows.
#[derive(Clone, Debug)]
pub struct Layout {
    size: usize,
    symbols: Vec<String>,
    houses: Vec<House>,
    peers: Vec<Cells>,
    /// For each cell, the houses that contain it, in the order of `houses`.
    houses_of: Vec<Vec<usize>>,
}

impl Layout {
    /// Largest number of rows: [`Cells::CAPACITY`] bounds the number of cells.
    pub const SIZE_MAX: usize = 11;

    /// Makes the shape of a board with `size` rows and columns, whose cells are numbered row by
    /// row. `symbols` are the names of the digits. `groups` are sets of cells with distinct digits;
    /// a group is a house if it has `size` cells.
    ///
    /// Returns `None` if `size` is 0 or above [`Layout::SIZE_MAX`].
    ///
    /// # Panics
    /// If the number of symbols is not `size`.
    #[must_use]
    pub fn new(size: usize, symbols: Vec<String>, groups: Vec<House>) -> Option<Self> {
        if size == 0 || size > Self::SIZE_MAX {
            return None;
        }
        assert_eq!(symbols.len(), size, "one symbol per digit");
        let mut peers = vec![Cells::NONE; size * size];
        for group in &groups {
            group.cells.iter().for_each(|cell| peers[cell] |= group.cells - Cells::one(cell));
        }
        let houses: Vec<House> = groups.into_iter().filter(|group| group.cells.len() == size).collect();
        let holding = |cell| (0..houses.len()).filter(|&house| houses[house].cells.has(cell)).collect();
        let houses_of = (0..size * size).map(holding).collect();
        Some(Self { size, symbols, houses, peers, houses_of })
    }

    /// Returns the shape of classic Sudoku.
    #[must_use]
    pub fn classic() -> Self {
        let row = |cell: usize| cell / 9;
        let column = |cell: usize| cell % 9;
        let square = |cell: usize| cell / 27 * 3 + cell % 9 / 3;
        let mut houses = Vec::new();
        let mut add = |kind, name: &str, of: &dyn Fn(usize) -> usize| {
            houses.extend((0..9).map(|number| House {
                kind,
                name: format!("{name} {}", number + 1),
                cells: (0..81).filter(|&cell| of(cell) == number).collect(),
            }));
        };
        add(HouseKind::Row, "row", &row);
        add(HouseKind::Column, "column", &column);
        add(HouseKind::Box, "box", &square);
        let symbols = (1..=9).map(|digit| digit.to_string()).collect();
        Self::new(9, symbols, houses).expect("9 is at most the largest size")
    }

    /// Returns the number of rows, of columns and of digits.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns the number of cells.
    #[must_use]
    pub fn cell_count(&self) -> usize {
        self.size * self.size
    }

    /// Returns the set of all digits.
    #[must_use]
    pub fn digits(&self) -> Digits {
        Digits::first(self.size)
    }

    /// Returns the houses.
    #[must_use]
    pub fn houses(&self) -> &[House] {
        &self.houses
    }

    /// Returns the houses that contain a cell.
    #[must_use]
    pub fn houses_of(&self, cell: usize) -> &[usize] {
        &self.houses_of[cell]
    }

    /// Returns the house of a kind that contains a cell, if there is exactly one.
    #[must_use]
    pub fn house_of(&self, cell: usize, kind: HouseKind) -> Option<usize> {
        let mut found =
            self.houses_of[cell].iter().copied().filter(|&house| self.houses[house].kind == kind);
        found.next().filter(|_| found.next().is_none())
    }

    /// Returns the cells that cannot have the digit of this cell.
    #[must_use]
    #[inline]
    pub fn peers(&self, cell: usize) -> Cells {
        self.peers[cell]
    }

    /// Returns the cells that see all of these cells; all cells if there is none.
    #[must_use]
    pub fn common_peers(&self, cells: Cells) -> Cells {
        cells.iter().fold(Cells::first(self.cell_count()), |common, cell| common & self.peers[cell])
    }

    /// Returns whether these cells see one another.
    #[must_use]
    pub fn all_see(&self, cells: Cells) -> bool {
        cells.iter().all(|cell| cells.is_within(self.peers[cell] | Cells::one(cell)))
    }

    /// Returns the houses that contain all of these cells.
    pub fn houses_around(&self, cells: Cells) -> impl Iterator<Item = usize> + '_ {
        let of_first = cells.least().map_or(&[] as &[usize], |cell| self.houses_of(cell));
        of_first.iter().copied().filter(move |&house| cells.is_within(self.houses[house].cells))
    }

    /// Returns the name of a digit.
    #[must_use]
    pub fn symbol(&self, digit: usize) -> &str {
        &self.symbols[digit]
    }

    /// Returns the names of digits, in order and without separator.
    #[must_use]
    pub fn symbols(&self, digits: Digits) -> String {
        digits.iter().map(|digit| self.symbol(digit)).collect()
    }

    /// Returns the name of a set of cells, such as `r1c2` or `r13c2`; cells that form no rectangle
    /// are separated by commas, one part per row.
    #[must_use]
    pub fn cells(&self, cells: Cells) -> String {
        let numbers = |numbers: &mut dyn Iterator<Item = usize>| -> String {
            let parts: Vec<String> = numbers.map(|number| (number + 1).to_string()).collect();
            parts.join(if self.size > 9 { "/" } else { "" })
        };
        let row =
            |row: usize| (0..self.size).filter(move |&column| cells.has(row * self.size + column));
        let mut parts: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
        for (number, columns) in (0..self.size).map(|number| (number, row(number).collect::<Vec<_>>()))
        {
            if columns.is_empty() {
                continue;
            }
            match parts.iter_mut().find(|(_, found)| *found == columns) {
                Some((rows, _)) => rows.push(number),
                None => parts.push((vec![number], columns)),
            }
        }
        let named = |(rows, columns): &(Vec<usize>, Vec<usize>)| {
            format!("r{}c{}", numbers(&mut rows.iter().copied()), numbers(&mut columns.iter().copied()))
        };
        parts.iter().map(named).collect::<Vec<_>>().join(",")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classic_sudoku_has_27_houses_and_20_peers_per_cell() {
        let layout = Layout::classic();
        assert_eq!(layout.houses().len(), 27);
        assert!(
            (0..81).all(|cell| layout.peers(cell).len() == 20 && layout.houses_of(cell).len() == 3)
        );
    }

    #[test]
    fn cells_are_named_by_rows_and_columns() {
        let layout = Layout::classic();
        let name = |cells: &[usize]| layout.cells(cells.iter().copied().collect());
        assert_eq!(name(&[0]), "r1c1");
        assert_eq!(name(&[0, 1, 9, 10]), "r12c12");
        assert_eq!(name(&[0, 10]), "r1c1,r2c2");
    }
}
