//! The board of a variant: the names of cells, the digits, and the shape.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::clue::Digit;
use grid::Shape;

/// The grid of a variant without its clues.
#[derive(Clone, Debug)]
pub struct VariantBoard {
    /// The rows, columns and regions of the grid.
    pub shape: Arc<Shape>,
    /// The smallest digit, by default 1.
    pub first: Digit,
    /// The cells outside the rows, as groups of a name and a number of cells. A group `A` with one
    /// cell is the cell A, with two cells it is A1 and A2. The total number of cells equals the
    /// number of outside cells of the shape.
    pub outside: Arc<[(String, usize)]>,
}

impl VariantBoard {
    /// Builds a board without cells outside the rows.
    #[must_use]
    pub fn new(shape: Arc<Shape>, first: Digit) -> Self {
        Self { shape, first, outside: Arc::new([]) }
    }

    /// Returns the number of digits.
    #[must_use]
    pub fn order(&self) -> usize {
        self.shape.order()
    }

    /// Returns the number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.shape.columns()
    }

    /// Returns the range of digits.
    #[must_use]
    pub fn digits(&self) -> RangeInclusive<Digit> {
        self.first..=self.first + self.order() as Digit - 1
    }

    /// Returns a bit set of the symbols of `digits`. Numbers that are not digits are ignored.
    #[must_use]
    pub fn symbols(&self, digits: &[i64]) -> u64 {
        let symbol = |digit: &i64| digit.checked_sub(i64::from(self.first));
        let symbols =
            digits.iter().filter_map(symbol).filter(|symbol| (0..self.order() as i64).contains(symbol));
        symbols.fold(0, |all, symbol| all | 1 << symbol)
    }

    /// Returns the cell at a row and column (from 0), if the grid has that cell.
    #[must_use]
    pub fn cell(&self, row: isize, column: isize) -> Option<usize> {
        let (row, column) = (usize::try_from(row).ok()?, usize::try_from(column).ok()?);
        let is_inside = row < self.shape.rows() && column < self.columns();
        is_inside.then(|| row * self.columns() + column)
    }

    /// Returns the cell that lies at a distance (down, right) from `cell`, if the grid has it.
    #[must_use]
    pub fn near(&self, cell: usize, (down, right): (isize, isize)) -> Option<usize> {
        let (row, column) = self.place(cell);
        self.cell(row as isize + down, column as isize + right)
    }

    /// Returns the row and column of a cell (from 0). Cells outside the rows are placed below the
    /// grid.
    #[must_use]
    pub fn place(&self, cell: usize) -> (usize, usize) {
        self.shape.place(cell)
    }

    /// Returns the number of cells in the rows.
    #[must_use]
    pub fn inside(&self) -> usize {
        self.shape.rows() * self.columns()
    }

    /// Checks that no cell is outside the rows, for rules that depend on positions.
    ///
    /// # Errors
    /// If a cell is outside the rows.
    pub fn check_inside(&self, cells: &[usize]) -> Result<(), String> {
        match cells.iter().find(|&&cell| cell >= self.inside()) {
            Some(&cell) => {
                Err(format!("expected cells of rows and columns, found {}", self.name(cell)))
            }
            None => Ok(()),
        }
    }

    /// Returns the cells of a row (from 0), from the left.
    #[must_use]
    pub fn row(&self, row: usize) -> Vec<usize> {
        (row * self.columns()..(row + 1) * self.columns()).collect()
    }

    /// Returns the cells of a column (from 0), from the top.
    #[must_use]
    pub fn column(&self, column: usize) -> Vec<usize> {
        (column..self.inside()).step_by(self.columns()).collect()
    }

    /// Returns the name of a cell, such as `r1c2`, or `A1` for a cell outside the rows.
    #[must_use]
    pub fn name(&self, cell: usize) -> String {
        let Some(mut index) = cell.checked_sub(self.inside()) else {
            let (row, column) = self.place(cell);
            return format!("r{}c{}", row + 1, column + 1);
        };
        for (name, count) in &*self.outside {
            match index.checked_sub(*count) {
                Some(rest) => index = rest,
                None if *count == 1 => return name.clone(),
                None => return format!("{name}{}", index + 1),
            }
        }
        unreachable!("each cell beside the grid has a name")
    }

    /// Returns the cell outside the rows that is called `name`.
    #[must_use]
    pub fn outside_cell(&self, name: &str) -> Option<usize> {
        let mut start = self.inside();
        for (group, count) in &*self.outside {
            let number = match name.strip_prefix(group.as_str()) {
                Some("") if *count == 1 => Some(1),
                Some(number) if *count > 1 => text::plain_number(number),
                _ => None,
            };
            if let Some(number) = number.filter(|number| (1..=*count).contains(number)) {
                return Some(start + number - 1);
            }
            start += count;
        }
        None
    }

    /// Returns the cells from `cell` in a direction to the edge of the grid. If the direction is
    /// zero, returns only `cell`.
    #[must_use]
    pub fn ray(&self, cell: usize, (down, right): (isize, isize)) -> Vec<usize> {
        if (down, right) == (0, 0) {
            return vec![cell];
        }
        (0..).map_while(|step| self.near(cell, (step * down, step * right))).collect()
    }

    /// Returns the pairs of cells that share a side.
    #[must_use]
    pub fn sides(&self) -> Vec<(usize, usize)> {
        self.pairs(&[(0, 1), (1, 0)])
    }

    /// Returns the pairs of cells with one of these distances (down, right).
    #[must_use]
    pub fn pairs(&self, distances: &[(isize, isize)]) -> Vec<(usize, usize)> {
        let steps = |cell| distances.iter().map(move |&step| (cell, step));
        let pairs = (0..self.inside()).flat_map(steps);
        pairs.filter_map(|(cell, step)| Some((cell, self.near(cell, step)?))).collect()
    }

    /// Returns whether one group of cells that must differ (a row, column, region or other group)
    /// contains all the cells.
    #[must_use]
    pub fn are_together(&self, cells: &[usize]) -> bool {
        self.shape.groups().iter().any(|group| cells.iter().all(|cell| group.cells.contains(cell)))
    }
}
