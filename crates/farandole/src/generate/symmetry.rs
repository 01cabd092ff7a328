//! Symmetries of grids: which cells have clues together. Half turns and mirrors are for every rectangle, the others for squares.

/// A symmetry of a square or any rectangle, by the maps that make it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Symmetry {
    /// The name by which it is chosen.
    pub name: &'static str,
    /// What it is, in a line.
    pub summary: &'static str,
    /// Where a cell goes, by row and column.
    maps: &'static [CellMap],
}

/// A map of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CellMap {
    HalfTurn,
    QuarterTurn,
    LeftRight,
    TopBottom,
    Diagonal,
    Antidiagonal,
}

use CellMap::{
    Antidiagonal as ANTIDIAGONAL, Diagonal as DIAGONAL, HalfTurn as HALF_TURN, LeftRight as LEFT_RIGHT,
    QuarterTurn as QUARTER_TURN, TopBottom as TOP_BOTTOM,
};

impl CellMap {
    /// Tells whether rows become columns.
    fn is_for_squares(self) -> bool {
        matches!(self, Self::QuarterTurn | Self::Diagonal | Self::Antidiagonal)
    }

    /// Returns where a cell goes.
    fn image(self, [rows, columns]: [usize; 2], [row, column]: [usize; 2]) -> [usize; 2] {
        match self {
            Self::HalfTurn => [rows - 1 - row, columns - 1 - column],
            Self::QuarterTurn => [column, rows - 1 - row],
            Self::LeftRight => [row, columns - 1 - column],
            Self::TopBottom => [rows - 1 - row, column],
            Self::Diagonal => [column, row],
            Self::Antidiagonal => [rows - 1 - column, rows - 1 - row],
        }
    }
}

/// Every symmetry.
pub const SYMMETRIES: &[Symmetry] = &[
    Symmetry { name: "none", summary: "any cells", maps: &[] },
    Symmetry { name: "half-turn", summary: "turned by 180 degrees", maps: &[HALF_TURN] },
    Symmetry { name: "quarter-turn", summary: "turned by 90 degrees", maps: &[QUARTER_TURN] },
    Symmetry { name: "left-right", summary: "mirrored left to right", maps: &[LEFT_RIGHT] },
    Symmetry { name: "top-bottom", summary: "mirrored top to bottom", maps: &[TOP_BOTTOM] },
    Symmetry { name: "mirrors", summary: "both of these", maps: &[LEFT_RIGHT, TOP_BOTTOM] },
    Symmetry { name: "diagonal", summary: "mirrored in the falling diagonal", maps: &[DIAGONAL] },
    Symmetry {
        name: "antidiagonal",
        summary: "mirrored in the rising diagonal",
        maps: &[ANTIDIAGONAL],
    },
    Symmetry {
        name: "diagonals",
        summary: "mirrored in both diagonals",
        maps: &[DIAGONAL, ANTIDIAGONAL],
    },
    Symmetry {
        name: "full",
        summary: "all eight symmetries of the square",
        maps: &[QUARTER_TURN, LEFT_RIGHT],
    },
];

/// Returns the symmetry of that name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Symmetry> {
    SYMMETRIES.iter().find(|symmetry| symmetry.name == name)
}

impl Symmetry {
    /// Returns the cells of a square of this order that go together, each of them once.
    ///
    /// ```
    /// use farandole::generate::symmetry;
    ///
    /// let half_turn = symmetry::by_name("half-turn").expect("it is in the table");
    /// assert_eq!(half_turn.orbits(3), [vec![0, 8], vec![1, 7], vec![2, 6], vec![3, 5], vec![4]]);
    /// ```
    #[must_use]
    pub fn orbits(&self, order: usize) -> Vec<Vec<usize>> {
        self.orbits_of([order, order]).expect("a square has every symmetry")
    }

    /// Returns the cells of a rectangle of so many rows and columns that go together, each of them once; `None` if the symmetry is one
    /// of squares alone.
    ///
    /// ```
    /// use farandole::generate::symmetry;
    ///
    /// let half_turn = symmetry::by_name("half-turn").expect("it is in the table");
    /// assert_eq!(half_turn.orbits_of([2, 3]), Some(vec![vec![0, 5], vec![1, 4], vec![2, 3]]));
    /// assert_eq!(symmetry::by_name("diagonal").and_then(|known| known.orbits_of([2, 3])), None);
    /// ```
    #[must_use]
    pub fn orbits_of(&self, size: [usize; 2]) -> Option<Vec<Vec<usize>>> {
        let [rows, columns] = size;
        if rows != columns && self.maps.iter().any(|map| map.is_for_squares()) {
            return None;
        }
        let mut is_taken = vec![false; rows * columns];
        let mut orbits = Vec::new();
        for cell in 0..rows * columns {
            if is_taken[cell] {
                continue;
            }
            is_taken[cell] = true;
            let (mut orbit, mut next) = (vec![cell], 0);
            while let Some(&cell) = orbit.get(next) {
                next += 1;
                for map in self.maps {
                    let [row, column] = map.image(size, [cell / columns, cell % columns]);
                    let image = row * columns + column;
                    if !std::mem::replace(&mut is_taken[image], true) {
                        orbit.push(image);
                    }
                }
            }
            orbit.sort_unstable();
            orbits.push(orbit);
        }
        Some(orbits)
    }
}
