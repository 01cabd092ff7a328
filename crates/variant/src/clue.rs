//! A clue: what some cells must be, once as a plain test of their digits and once as parts of a translation.
//!
//! The test is written for its reader and is what `check` believes; the parts are written for the engines. They share
//! no code, and the tests of `rules` compare them on all fillings of a small size.

use std::fmt;

/// A digit as it is written: 1 to 9, or what the puzzle says.
pub type Digit = i32;

/// A test of the digits of a clue's cells, in their order.
type Test = Box<dyn Fn(&[Digit]) -> bool + Send + Sync>;

/// What some cells must be.
pub struct Clue {
    /// The cells, row by row from 0, in the order of the clue.
    pub cells: Vec<usize>,
    /// Tells whether digits in these cells are right.
    pub holds: Test,
    /// The same for engines.
    pub parts: Vec<CluePart>,
}

/// A part of the translation of a clue. Cells are numbers in the grid.
pub enum CluePart {
    /// A cell has a digit of which this is true.
    Only(usize, Box<dyn Fn(Digit) -> bool + Send + Sync>),
    /// Two cells have digits of which this is true.
    Relate(usize, usize, Relation),
    /// The cells differ.
    Differ(Vec<usize>),
    /// The cells differ, and of the set of their digits, ascending, this is true.
    Set(Vec<usize>, Test),
    /// The cells of each group differ, and all groups have the same digits.
    SameSets(Vec<Vec<usize>>),
    /// The digits of the cells of each term, times its factor, add up to that sum.
    Sum(Vec<SumTerm>, i64),
    /// The cells have a digit so often that the bit of that number is set.
    Often(Vec<usize>, Digit, u128),
    /// The digits, one after the other, take a walk from state to state that ends well.
    StateWalk(Vec<usize>, StateWalk),
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
            Self::StateWalk(cells, walk) => f.debug_tuple("Walk").field(cells).field(walk).finish(),
        }
    }
}

/// A relation of two digits.
pub type Relation = Box<dyn Fn(Digit, Digit) -> bool + Send + Sync>;

/// Cells that are added up, and a factor.
pub type SumTerm = (Vec<usize>, i64);

/// A finite automaton.
pub struct StateWalk {
    /// The states in which it may begin; no digits may lead from two of them to an end.
    pub starts: Vec<i64>,
    /// The state after a digit in the step of that number, counted from 0; `None` where there is no way on.
    pub step: Box<dyn Fn(usize, i64, Digit) -> Option<i64> + Send + Sync>,
    /// Whether the walk may end in a state.
    pub is_end: Box<dyn Fn(i64) -> bool + Send + Sync>,
    /// What the walk means, where an engine may have a rule for that.
    pub meaning: Option<WalkMeaning>,
}

/// What a walk means.
#[derive(Clone, Debug)]
pub enum WalkMeaning {
    /// The cells differ, and those between the ones with the two digits have that sum; between those with the least and the greatest
    /// digit of the cells if there are no two.
    SumBetween(Option<[Digit; 2]>, i64),
    /// The cells differ, and as many of them as the first says have that sum.
    SumOfFirst(i64),
    /// Of each list, which has digits for each cell, one cell has one of its digits.
    EachOf(Vec<Vec<Vec<Digit>>>),
    /// The cells fall into runs of that sum; whether the last cell comes before the first.
    Runs(i64, bool),
}

impl StateWalk {
    /// Makes the walk that counts how often a digit comes: so often that the bit of that number is set.
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

impl fmt::Debug for StateWalk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Walk").finish_non_exhaustive()
    }
}

impl Clue {
    /// Makes a clue of its test and its parts.
    pub fn new(
        cells: &[usize],
        holds: impl Fn(&[Digit]) -> bool + Send + Sync + 'static,
        parts: Vec<CluePart>,
    ) -> Self {
        Self { cells: cells.to_vec(), holds: Box::new(holds), parts }
    }

    /// Makes a clue of pairs of cells, each in the same relation; `pairs` are places in `cells`.
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

    /// Makes a clue whose translation is a walk through its cells from state 0 on.
    pub fn of_walk(
        cells: &[usize],
        holds: impl Fn(&[Digit]) -> bool + Send + Sync + 'static,
        step: impl Fn(usize, i64, Digit) -> Option<i64> + Send + Sync + 'static,
        is_end: impl Fn(i64) -> bool + Send + Sync + 'static,
    ) -> Self {
        let walk = StateWalk {
            starts: vec![0],
            step: Box::new(step),
            is_end: Box::new(is_end),
            meaning: None,
        };
        Self::new(cells, holds, vec![CluePart::StateWalk(cells.to_vec(), walk)])
    }
}

impl Clue {
    /// Says what its walks mean.
    #[must_use]
    pub fn meaning(mut self, meaning: &WalkMeaning) -> Self {
        for part in &mut self.parts {
            if let CluePart::StateWalk(_, walk) = part {
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

/// Returns the pairs of neighbors in a row of `len` places, up to `reach` places apart.
pub fn neighbors(len: usize, reach: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..len).flat_map(move |one| (one + 1..len.min(one + reach + 1)).map(move |other| (one, other)))
}

/// Tells whether no two digits are equal.
pub fn are_different(digits: &[Digit]) -> bool {
    neighbors(digits.len(), digits.len()).all(|(one, other)| digits[one] != digits[other])
}
