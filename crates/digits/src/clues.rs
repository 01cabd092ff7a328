//! Clues and solutions with digits from 1, as they are printed.

use super::{Network, NetworkBuilder, Search, StepResult};

impl NetworkBuilder {
    /// Starts a Sudoku: a square grid of boxes with `height` rows and `width` columns each, and
    /// digits from 1 to `height * width`. Cells are numbered from 0 row by row. Returns `None` if
    /// there are more digits or cells than the search supports.
    ///
    /// ```
    /// use digits::NetworkBuilder;
    ///
    /// // A killer Sudoku of order 4 with two thermometers and a clue.
    /// let mut builder = NetworkBuilder::sudoku(2, 2).expect("it is small");
    /// builder.cage(&[0, 1, 4], 6);
    /// builder.cage(&[7, 10, 11], 9);
    /// builder.thermometer(&[15, 14, 10]);
    /// builder.thermometer(&[0, 1, 2]);
    /// builder.clue(3, 4);
    /// let solutions: Vec<Vec<u8>> = builder.build().solutions().collect();
    /// assert_eq!(solutions, [[1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]]);
    /// ```
    #[must_use]
    pub fn sudoku(height: usize, width: usize) -> Option<Self> {
        let order = height.checked_mul(width)?;
        let mut builder = Self::new(order.checked_mul(order)?, order)?;
        for house in 0..order {
            let (top, left) = (house / height * height, house % height * width);
            let row: Vec<usize> = (0..order).map(|place| order * house + place).collect();
            let column: Vec<usize> = (0..order).map(|place| order * place + house).collect();
            let cell = |place| order * (top + place / width) + left + place % width;
            let square: Vec<usize> = (0..order).map(cell).collect();
            [row, column, square].iter().for_each(|cells| builder.differ(cells));
        }
        Some(builder)
    }

    /// Requires that a cell has this digit.
    ///
    /// # Panics
    /// If the digit is 0 or above the number of digits, or there is no such cell.
    pub fn clue(&mut self, cell: usize, digit: usize) {
        assert!((1..=self.order()).contains(&digit), "the grid must have the digit {digit}");
        self.keep(cell, 1 << (digit - 1));
    }

    /// Requires that the cells of a killer cage have different digits with this sum.
    ///
    /// # Panics
    /// If there is no such cell, or the sum exceeds 2^30.
    pub fn cage(&mut self, cells: &[usize], sum: u32) {
        self.differ(cells);
        let sum = i32::try_from(sum).ok().filter(|&sum| sum <= 1 << 30).expect("the sum must be small");
        self.sum(cells.iter().map(|&cell| (cell, 1)), sum - cells.len() as i32);
    }

    /// Requires that digits increase along the cells of a thermometer, which starts at its bulb.
    ///
    /// # Panics
    /// If there is no such cell.
    pub fn thermometer(&mut self, cells: &[usize]) {
        for pair in cells.windows(2) {
            self.pair(pair[0], pair[1], |lower, higher| lower < higher);
        }
    }
}

impl Network {
    /// Iterates over all solutions, each once: the digit from 1 of each cell.
    pub fn solutions(&self) -> NetworkSolutions<'_> {
        NetworkSolutions { search: Search::new(self) }
    }
}

/// An iterator over the solutions of a network, returned by [`Network::solutions`].
#[derive(Debug)]
#[must_use = "it searches when the first solution is asked for"]
pub struct NetworkSolutions<'n> {
    search: Search<'n>,
}

impl Iterator for NetworkSolutions<'_> {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.search.step() {
                StepResult::Nothing => {}
                StepResult::End => return None,
                StepResult::Solution => {
                    let digit = |set: &u16| set.trailing_zeros() as u8 + 1;
                    return Some(self.search.digits().iter().map(digit).collect());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grids_of_order_4_and_of_2x3_boxes_are_counted() {
        let count = |height, width| {
            let mut builder = NetworkBuilder::sudoku(height, width).unwrap();
            (0..height * width).for_each(|cell| builder.clue(cell, cell + 1));
            builder.build().solutions().count()
        };
        // 288 and 28,200,960 grids, divided by the 4! and 6! first rows.
        assert_eq!([count(2, 2), count(2, 3), count(3, 2)], [12, 39_168, 39_168]);
        assert!(NetworkBuilder::sudoku(5, 5).is_none());
    }

    #[test]
    fn cages_and_thermometers_count_digits_from_1() {
        let mut builder = NetworkBuilder::new(3, 9).unwrap();
        builder.cage(&[0, 1, 2], 7);
        builder.thermometer(&[2, 0, 1]);
        let network = builder.build();
        assert_eq!(network.solutions().collect::<Vec<_>>(), [[2, 4, 1]]);
        let mut builder = NetworkBuilder::new(2, 9).unwrap();
        builder.cage(&[0, 1], 2);
        assert_eq!(builder.build().solutions().count(), 0, "two ones are not different");
    }
}
