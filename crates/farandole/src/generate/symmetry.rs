//! Symmetries of grids. Cells that a symmetry exchanges either all have clues or all have none.
//! Half turns and mirrors apply to every rectangle, the other symmetries only to squares.

/// A symmetry of a square or a rectangle, with the maps that generate it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClueSymmetry {
    /// Name of the symmetry.
    pub name: &'static str,
    /// Description of the symmetry in one line.
    pub summary: &'static str,
    maps: &'static [CellMap],
}

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
    /// Returns whether the map exchanges rows and columns.
    fn is_for_squares(self) -> bool {
        matches!(self, Self::QuarterTurn | Self::Diagonal | Self::Antidiagonal)
    }

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

/// All symmetries.
pub const SYMMETRIES: &[ClueSymmetry] = &[
    ClueSymmetry { name: "none", summary: "any cells", maps: &[] },
    ClueSymmetry { name: "half-turn", summary: "turned by 180 degrees", maps: &[HALF_TURN] },
    ClueSymmetry { name: "quarter-turn", summary: "turned by 90 degrees", maps: &[QUARTER_TURN] },
    ClueSymmetry { name: "left-right", summary: "mirrored left to right", maps: &[LEFT_RIGHT] },
    ClueSymmetry { name: "top-bottom", summary: "mirrored top to bottom", maps: &[TOP_BOTTOM] },
    ClueSymmetry { name: "mirrors", summary: "both of these", maps: &[LEFT_RIGHT, TOP_BOTTOM] },
    ClueSymmetry { name: "diagonal", summary: "mirrored in the falling diagonal", maps: &[DIAGONAL] },
    ClueSymmetry {
        name: "antidiagonal",
        summary: "mirrored in the rising diagonal",
        maps: &[ANTIDIAGONAL],
    },
    ClueSymmetry {
        name: "diagonals",
        summary: "mirrored in both diagonals",
        maps: &[DIAGONAL, ANTIDIAGONAL],
    },
    ClueSymmetry {
        name: "full",
        summary: "all eight symmetries of the square",
        maps: &[QUARTER_TURN, LEFT_RIGHT],
    },
];

/// Returns the symmetry named `name`.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static ClueSymmetry> {
    SYMMETRIES.iter().find(|symmetry| symmetry.name == name)
}

impl ClueSymmetry {
    /// Returns the orbits of the cells of a square under the symmetry.
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

    /// Returns the orbits of the cells of a rectangle (rows, columns) under the symmetry; `None` if
    /// the symmetry applies only to squares.
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
