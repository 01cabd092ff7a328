//! A clue: a constraint on some cells, given as a test of their digits and as parts of a
//! translation.
//!
//! The test is simple and used by `check`; the parts are for the engines. They share no code, and
//! the tests of `rules` compare them on all fillings of a small grid.

use std::fmt;

/// A digit as it is written: from 1, or from the first digit of the puzzle.
pub type Digit = i32;

/// A test of the digits of a clue's cells, in their order.
type Test = Box<dyn Fn(&[Digit]) -> bool + Send + Sync>;

/// A constraint on some cells.
pub struct Clue {
    /// The cells, numbered row by row from 0, in the order of the clue.
    pub cells: Vec<usize>,
    /// Returns whether the digits of these cells satisfy the clue.
    pub holds: Test,
    /// The parts of the translation for engines.
    pub parts: Vec<CluePart>,
}

/// A part of the translation of a clue. Cells are numbers in the grid.
pub enum CluePart {
    /// A cell whose digit satisfies a predicate.
    Only(usize, Box<dyn Fn(Digit) -> bool + Send + Sync>),
    /// Two cells whose digits satisfy a relation.
    Relate(usize, usize, Relation),
    /// Cells with different digits.
    Differ(Vec<usize>),
    /// Cells with different digits, whose set (ascending) satisfies a test.
    Set(Vec<usize>, Test),
    /// Groups of cells with different digits within each group, and the same digits in all groups.
    SameSets(Vec<Vec<usize>>),
    /// A sum: the digits of each term, times its factor, add up to the given total.
    Sum(Vec<SumTerm>, i64),
    /// Cells with a number of copies of the digit that is a set bit.
    Often(Vec<usize>, Digit, u128),
    /// Cells whose digits, in order, an automaton accepts.
    Automaton(Vec<usize>, Automaton),
}

impl fmt::Debug for CluePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Only(cell, _) => f.debug_tuple("Only").field(cell).finish_non_exhaustive(),
            Self::Relate(one, other, _) => {
                f.debug_tuple("Relate").field(one).field(other).finish_non_exhaustive()
            }
            Self::Differ(cells) => f.debug_tuple("Differ").field(cells).finish(),
            Self::Set(cells, _) => f.debug_tuple("Set").field(cells).finish_non_exhaustive(),
            Self::SameSets(groups) => f.debug_tuple("SameSets").field(groups).finish(),
            Self::Sum(terms, sum) => f.debug_tuple("Sum").field(terms).field(sum).finish(),
            Self::Often(cells, digit, often) => {
                f.debug_tuple("Often").field(cells).field(digit).field(often).finish()
            }
            Self::Automaton(cells, walk) => {
                f.debug_tuple("Automaton").field(cells).field(walk).finish()
            }
        }
    }
}

/// A relation of two digits.
pub type Relation = Box<dyn Fn(Digit, Digit) -> bool + Send + Sync>;

/// Cells that are added, and their common factor.
pub type SumTerm = (Vec<usize>, i64);

/// A finite automaton.
pub struct Automaton {
    /// The start states; no sequence of digits may be accepted from two of them.
    pub starts: Vec<i64>,
    /// Returns the state after a digit at a 0-based step; `None` without a transition.
    pub step: Box<dyn Fn(usize, i64, Digit) -> Option<i64> + Send + Sync>,
    /// Returns whether the automaton accepts in a state.
    pub is_end: Box<dyn Fn(i64) -> bool + Send + Sync>,
    /// The constraint that the automaton expresses, if an engine may have a rule for it.
    pub meaning: Option<WalkMeaning>,
}

/// The constraint that an automaton expresses.
#[derive(Clone, Debug)]
pub enum WalkMeaning {
    /// The cells differ, and the cells between the two given digits have that sum. Without digits,
    /// the least and the greatest digit of the cells are the ends.
    SumBetween(Option<[Digit; 2]>, i64),
    /// The cells differ, and the first n cells have that sum, where n is the digit of the first
    /// cell.
    SumOfFirst(i64),
    /// Each list has a set of digits per cell: at least one cell has a digit of its set.
    EachOf(Vec<Vec<Vec<Digit>>>),
    /// The cells are divided into runs with that sum. The flag says whether a run may continue from
    /// the last cell to the first.
    Runs(i64, bool),
}

impl Automaton {
    /// Builds the automaton that counts a digit and accepts exactly the counts whose bits are set
    /// in `often`.
    pub fn counting(wanted: Digit, often: u128) -> Self {
        let most = 127 - i64::from(often.leading_zeros());
        let step = move |_, count: i64, digit: Digit| {
            let after = count + i64::from(digit == wanted);
            (after <= most).then_some(after)
        };
        let is_end = move |count: i64| often >> count & 1 == 1;
        Self { starts: vec![0], step: Box::new(step), is_end: Box::new(is_end), meaning: None }
    }
}

impl fmt::Debug for Automaton {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Walk").finish_non_exhaustive()
    }
}

impl Clue {
    /// Builds a clue from its test and its parts.
    pub fn new(
        cells: &[usize],
        holds: impl Fn(&[Digit]) -> bool + Send + Sync + 'static,
        parts: Vec<CluePart>,
    ) -> Self {
        Self { cells: cells.to_vec(), holds: Box::new(holds), parts }
    }

    /// Builds a clue of pairs of cells in the same relation; `pairs` are indices of `cells`.
    pub fn of_pairs(
        cells: &[usize],
        pairs: impl IntoIterator<Item = (usize, usize)>,
        relation: impl Fn(Digit, Digit) -> bool + Clone + Send + Sync + 'static,
    ) -> Self {
        let pairs: Vec<_> = pairs.into_iter().collect();
        let related = |&(one, other): &(usize, usize)| {
            CluePart::Relate(cells[one], cells[other], Box::new(relation.clone()))
        };
        let parts = pairs.iter().map(related).collect();
        Self::new(
            cells,
            move |digits| pairs.iter().all(|&(a, b)| relation(digits[a], digits[b])),
            parts,
        )
    }

    /// Builds a clue whose translation is an automaton that starts in state 0.
    pub fn of_walk(
        cells: &[usize],
        holds: impl Fn(&[Digit]) -> bool + Send + Sync + 'static,
        step: impl Fn(usize, i64, Digit) -> Option<i64> + Send + Sync + 'static,
        is_end: impl Fn(i64) -> bool + Send + Sync + 'static,
    ) -> Self {
        let walk = Automaton {
            starts: vec![0],
            step: Box::new(step),
            is_end: Box::new(is_end),
            meaning: None,
        };
        Self::new(cells, holds, vec![CluePart::Automaton(cells.to_vec(), walk)])
    }
}

impl Clue {
    /// Sets the meaning of the automata among the parts.
    #[must_use]
    pub fn meaning(mut self, meaning: &WalkMeaning) -> Self {
        for part in &mut self.parts {
            if let CluePart::Automaton(_, walk) = part {
                walk.meaning = Some(meaning.clone());
            }
        }
        self
    }
}

impl fmt::Debug for Clue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Clue").field("cells", &self.cells).finish_non_exhaustive()
    }
}

/// Returns the pairs of indices below `len` that are at most `reach` apart.
pub fn neighbors(len: usize, reach: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..len).flat_map(move |one| (one + 1..len.min(one + reach + 1)).map(move |other| (one, other)))
}

/// Returns whether all digits differ.
pub fn are_different(digits: &[Digit]) -> bool {
    neighbors(digits.len(), digits.len()).all(|(one, other)| digits[one] != digits[other])
}
