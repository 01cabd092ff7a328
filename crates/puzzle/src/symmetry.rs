//! The symmetries of a square board, which several kinds use.

use dlx::OptionId;
use dlx::classes::Symmetry;

use super::LatinSort;

/// The symmetries of a board under which two solutions count as the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymmetrySort {
    /// Rotations and reflections.
    All,
    /// Rotations without reflections.
    Rotations,
}

impl SymmetrySort {
    /// The names on the command line.
    pub const NAMES: [&str; 2] = ["all", "rotations"];

    /// Returns the symmetries called `name`.
    ///
    /// ```
    /// use puzzle::SymmetrySort;
    ///
    /// assert_eq!(SymmetrySort::by_name("rotations"), Some(SymmetrySort::Rotations));
    /// ```
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        [Self::All, Self::Rotations]
            .into_iter()
            .zip(Self::NAMES)
            .find_map(|(sort, known)| (known == name).then_some(sort))
    }
}

/// The equivalence relation under which two solutions count as the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClassSort {
    /// Symmetries of a board.
    Board(SymmetrySort),
    /// The equivalences of Latin squares, which permute symbols.
    Latin(LatinSort),
}

impl ClassSort {
    /// Returns the equivalence relation called `name`.
    ///
    /// ```
    /// use puzzle::{ClassSort, LatinSort};
    ///
    /// assert_eq!(ClassSort::by_name("main-classes"), Some(ClassSort::Latin(LatinSort::MainClass)));
    /// ```
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        let of_board = SymmetrySort::by_name(name).map(Self::Board);
        of_board.or_else(|| LatinSort::by_name(name).map(Self::Latin))
    }

    /// Iterates over the names of all equivalence relations.
    pub fn names() -> impl Iterator<Item = &'static str> {
        SymmetrySort::NAMES.into_iter().chain(LatinSort::NAMES)
    }
}

/// Returns the symmetries of a square with `size` rows and columns, without the identity. `option`
/// returns the image of an option under a map of cells.
pub(super) fn of_square(
    size: usize,
    wanted: SymmetrySort,
    option_count: usize,
    option: impl Fn(OptionId, &dyn Fn(usize) -> usize) -> Option<OptionId>,
) -> Vec<Symmetry> {
    let sorts = (1..8).filter(|sort: &usize| match wanted {
        SymmetrySort::All => true,
        // A rotation is a combination of an even number of these three maps: the transposition and
        // the two reflections.
        SymmetrySort::Rotations => sort.count_ones().is_multiple_of(2),
    });
    sorts
        .filter_map(|sort| {
            let moved = |cell: usize| {
                let (mut row, mut column) = (cell / size, cell % size);
                if sort & 1 > 0 {
                    (row, column) = (column, row);
                }
                if sort & 2 > 0 {
                    row = size - 1 - row;
                }
                if sort & 4 > 0 {
                    column = size - 1 - column;
                }
                row * size + column
            };
            let images = (0..option_count).map(|number| option(OptionId::new(number), &moved));
            Symmetry::new(images.collect::<Option<Vec<_>>>()?)
        })
        .collect()
}
