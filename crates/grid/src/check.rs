//! Validity check of partly filled grids of any shape, with the code of the classic check.

use super::{Grid, GroupKind};

/// The group shared by two equal symbols, with its code.
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
    /// Returns the code: 1 row, 2 column, 3 region, 4 another rule (0 stands for no clash).
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
    /// The kind of group the cells share.
    pub kind: ClashKind,
    /// The group they share, by index into [`Shape::groups`](super::Shape::groups).
    pub group: usize,
    /// The cells, the lower one first.
    pub cells: (usize, usize),
    /// The symbol in both.
    pub symbol: usize,
}

impl Grid {
    /// Returns the first two filled cells that clash, if any; does not check whether the grid can
    /// be solved.
    ///
    /// For i = 0, 1, ... it checks row i and column i together, cell by cell, then region i; the
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
        // In other shapes, rows and columns do not pair up.
        for (row, column) in rows.zip(columns).filter(|_| self.shape.is_square()) {
            let mut in_row = Seen::new(ClashKind::Row, row);
            let mut in_column = Seen::new(ClashKind::Column, column);
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
        let mut seen = Seen::new(kind, group);
        self.shape.groups()[group].cells.iter().find_map(|&cell| seen.add(self, cell))
    }
}

struct Seen {
    kind: ClashKind,
    group: usize,
    cells: [Option<usize>; super::MAX_ORDER],
}

impl Seen {
    fn new(kind: ClashKind, group: usize) -> Self {
        Self { kind, group, cells: [None; super::MAX_ORDER] }
    }

    fn add(&mut self, grid: &Grid, cell: usize) -> Option<Clash> {
        let symbol = grid.symbol(cell)?;
        let first = self.cells[symbol].replace(cell)?;
        Some(Clash { kind: self.kind, group: self.group, cells: (first, cell), symbol })
    }
}
