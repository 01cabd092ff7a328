//! Symmetries of square grids: which cells have clues together.

/// A symmetry of a square, by the maps that make it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Symmetry {
    /// The name by which it is chosen.
    pub name: &'static str,
    /// What it is, in a line.
    pub summary: &'static str,
    /// Where a cell goes, by row and column, on a square of some order.
    maps: &'static [CellMap],
}

type CellMap = fn(usize, usize, usize) -> (usize, usize);

const HALF_TURN: CellMap = |n, row, column| (n - 1 - row, n - 1 - column);
const QUARTER_TURN: CellMap = |n, row, column| (column, n - 1 - row);
const LEFT_RIGHT: CellMap = |n, row, column| (row, n - 1 - column);
const TOP_BOTTOM: CellMap = |n, row, column| (n - 1 - row, column);
const DIAGONAL: CellMap = |_, row, column| (column, row);
const ANTIDIAGONAL: CellMap = |n, row, column| (n - 1 - column, n - 1 - row);

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
        let mut is_taken = vec![false; order * order];
        let mut orbits = Vec::new();
        for cell in 0..order * order {
            if is_taken[cell] {
                continue;
            }
            is_taken[cell] = true;
            let (mut orbit, mut next) = (vec![cell], 0);
            while let Some(&cell) = orbit.get(next) {
                next += 1;
                for map in self.maps {
                    let (row, column) = map(order, cell / order, cell % order);
                    let image = row * order + column;
                    if !std::mem::replace(&mut is_taken[image], true) {
                        orbit.push(image);
                    }
                }
            }
            orbit.sort_unstable();
            orbits.push(orbit);
        }
        orbits
    }
}
