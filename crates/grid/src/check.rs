//! Checks whether the filled cells of a grid conflict. The codes are those of the classic validity
//! check for Sudoku.

use super::{Grid, GroupKind};

/// The kind of group that contains two equal symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClashKind {
    /// The same row: code 1.
    Row,
    /// The same column: code 2.
    Column,
    /// The same box or region: code 3.
    Region,
    /// The same group of an extra rule: code 4.
    Rule,
}

impl ClashKind {
    /// Returns the code of the conflict: 1 for a row, 2 for a column, 3 for a region, 4 for another
    /// rule. Code 0 is reserved for a grid without a conflict.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Row => 1,
            Self::Column => 2,
            Self::Region => 3,
            Self::Rule => 4,
        }
    }
}

/// Two cells with equal symbols that must differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clash {
    /// The kind of group that contains both cells.
    pub kind: ClashKind,
    /// The group that contains both cells, as an index into
    /// [`Shape::groups`](super::Shape::groups).
    pub group: usize,
    /// The two cells, the lower number first.
    pub cells: (usize, usize),
    /// The symbol in both cells.
    pub symbol: usize,
}

impl Grid {
    /// Returns the first conflict between two filled cells, if any. Does not check whether the grid
    /// can be solved.
    ///
    /// For i = 0, 1, ... row i and column i are checked together, cell by cell, then region i. The
    /// groups of the extra rules come last.
    ///
    /// ```
    /// use grid::{ClashKind, Grid, Shape, Style};
    ///
    /// let mut grid = Grid::empty(Shape::sudoku(2, 2, &[])?.into(), Style::default());
    /// grid.place(0, 3);
    /// assert_eq!(grid.clash(), None);
    /// grid.place(12, 3);
    /// let clash = grid.clash().expect("column 1 has two of them");
    /// assert_eq!((clash.kind, clash.cells), (ClashKind::Column, (0, 12)));
    /// # Ok::<(), String>(())
    /// ```
    #[must_use]
    pub fn clash(&self) -> Option<Clash> {
        let groups = self.shape.groups();
        let of_kind = |kind| (0..groups.len()).filter(move |&group| groups[group].kind == kind);
        let (rows, columns) = (of_kind(GroupKind::Row), of_kind(GroupKind::Column));
        let mut regions = of_kind(GroupKind::Region);
        // Only a square has equally many rows and columns.
        for (row, column) in rows.zip(columns).filter(|_| self.shape.is_square()) {
            let mut in_row = SeenSymbols::new(ClashKind::Row, row);
            let mut in_column = SeenSymbols::new(ClashKind::Column, column);
            for (&row_cell, &column_cell) in groups[row].cells.iter().zip(&groups[column].cells) {
                let clash = in_row.add(self, row_cell).or_else(|| in_column.add(self, column_cell));
                if clash.is_some() {
                    return clash;
                }
            }
            if let Some(clash) =
                regions.next().and_then(|group| self.clash_in(ClashKind::Region, group))
            {
                return Some(clash);
            }
        }
        (0..groups.len()).find_map(|group| {
            let kind = match groups[group].kind {
                GroupKind::Row => ClashKind::Row,
                GroupKind::Column => ClashKind::Column,
                GroupKind::Region => ClashKind::Region,
                _ => ClashKind::Rule,
            };
            self.clash_in(kind, group)
        })
    }

    fn clash_in(&self, kind: ClashKind, group: usize) -> Option<Clash> {
        let mut seen = SeenSymbols::new(kind, group);
        self.shape.groups()[group].cells.iter().find_map(|&cell| seen.add(self, cell))
    }
}

struct SeenSymbols {
    kind: ClashKind,
    group: usize,
    cells: [Option<usize>; super::MAX_ORDER],
}

impl SeenSymbols {
    fn new(kind: ClashKind, group: usize) -> Self {
        Self { kind, group, cells: [None; super::MAX_ORDER] }
    }

    fn add(&mut self, grid: &Grid, cell: usize) -> Option<Clash> {
        let symbol = grid.symbol(cell)?;
        let first = self.cells[symbol].replace(cell)?;
        Some(Clash { kind: self.kind, group: self.group, cells: (first, cell), symbol })
    }
}
