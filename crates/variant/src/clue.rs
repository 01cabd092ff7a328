//! A clue is a constraint on some cells. It consists of a test of their digits and of parts, which
//! the translations for the engines use.
//!
//! The test is simple, and the command `check` uses it. The test and the parts share no code, and
//! the tests of `rules` compare them on all fillings of a small grid.

use std::fmt;
use std::sync::OnceLock;

use crate::budget;

/// A digit as it is written. Digits start at 1, or at the first digit of the puzzle.
pub type Digit = i32;

/// Work of making a pair of cells, in units of [`budget::spend`].
const PAIR_WORK: u64 = 100;

/// A test of the digits in the cells of a clue, in the order of the cells.
type Test = Box<dyn Fn(&[Digit]) -> bool + Send + Sync>;

/// A constraint on some cells.
pub struct Clue {
    /// The cells in the order of the clue. Cells are numbered row by row from 0.
    pub cells: Vec<usize>,
    /// Returns whether the digits of these cells satisfy the clue.
    pub holds: Test,
    /// The constraints that are translated for the engines, together equivalent to `holds`.
    pub parts: Vec<CluePart>,
}

/// A constraint of one of a few forms that can be translated for the engines.
pub enum CluePart {
    /// The digit of a cell satisfies a predicate.
    Only(usize, Box<dyn Fn(Digit) -> bool + Send + Sync>),
    /// The digits of two cells satisfy a relation.
    Relate(usize, usize, Relation),
    /// The cells have different digits.
    Differ(Vec<usize>),
    /// The cells have different digits, and the set of these digits (ascending) satisfies a test.
    Set(Vec<usize>, Test),
    /// Each group of cells has different digits, and all groups have the same set of digits.
    SameSets(Vec<Vec<usize>>),
    /// The digits of all terms, each times the factor of its term, add up to the given total.
    Sum(Vec<SumTerm>, i64),
    /// The cells contain the given digit k times for some k whose bit is set.
    Often(Vec<usize>, Digit, u128),
    /// An automaton accepts the digits of the cells, read in order.
    Automaton(Vec<usize>, Automaton),
    /// An automaton that is built on first use, because it is large and some engine has a rule for
    /// its meaning.
    Deferred(DeferredPart),
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
            Self::Deferred(part) => part.fmt(f),
        }
    }
}

/// A relation of two digits.
pub type Relation = Box<dyn Fn(Digit, Digit) -> bool + Send + Sync>;

/// The cells of a term in a sum, and their common factor.
pub type SumTerm = (Vec<usize>, i64);

/// A finite automaton.
pub struct Automaton {
    /// The start states. No sequence of digits may be accepted from two of them.
    pub starts: Vec<i64>,
    /// Returns the state after reading a digit. The arguments are the step (from 0), the state and
    /// the digit. `None` if there is no transition.
    pub step: Box<dyn Fn(usize, i64, Digit) -> Option<i64> + Send + Sync>,
    /// Returns whether a state is accepting.
    pub is_end: Box<dyn Fn(i64) -> bool + Send + Sync>,
    /// The constraint that the automaton expresses, if an engine may have a special rule for that
    /// constraint.
    pub meaning: Option<WalkMeaning>,
}

/// Builds a part; the error says that it is too large, or that a limit was reached.
type BuildPart = Box<dyn Fn() -> Result<CluePart, String> + Send + Sync>;

/// A part that is built on first use.
pub struct DeferredPart {
    /// The cells of the part, in the order of its meaning.
    pub cells: Vec<usize>,
    /// The constraint that the part expresses.
    pub meaning: WalkMeaning,
    build: BuildPart,
    built: OnceLock<Box<CluePart>>,
}

impl fmt::Debug for DeferredPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("DeferredPart").field(&self.cells).field(&self.meaning).finish()
    }
}

impl DeferredPart {
    /// Makes a deferred part.
    pub fn new(
        cells: Vec<usize>,
        meaning: WalkMeaning,
        build: impl Fn() -> Result<CluePart, String> + Send + Sync + 'static,
    ) -> Self {
        Self { cells, meaning, build: Box::new(build), built: OnceLock::new() }
    }

    /// Returns the part, and builds it on first use.
    ///
    /// # Errors
    /// If it has too many states, or a limit is reached.
    pub fn part(&self) -> Result<&CluePart, String> {
        if let Some(part) = self.built.get() {
            return Ok(part);
        }
        let part = Box::new(self.to_part()?);
        // Another thread may have built the same.
        Ok(self.built.get_or_init(|| part))
    }

    /// Builds the part for the caller.
    ///
    /// # Errors
    /// As [`Self::part`].
    pub fn to_part(&self) -> Result<CluePart, String> {
        (self.build)()
    }
}

/// The constraint that an automaton expresses.
#[derive(Clone, Debug)]
pub enum WalkMeaning {
    /// The cells differ, and the cells between the two given digits have the given sum. Without
    /// digits, the ends are the smallest and the largest digit among the cells.
    SumBetween(Option<[Digit; 2]>, i64),
    /// The cells differ, and the first n cells have the given sum, where n is the digit of the
    /// first cell.
    SumOfFirst(i64),
    /// Each list has a set of digits for each cell. For each list, at least one cell has a digit of
    /// its set.
    EachOf(Vec<Vec<Vec<Digit>>>),
    /// The cells are divided into runs that each have the given sum. The flag says whether a run
    /// may continue from the last cell to the first.
    Runs(i64, bool),
    /// The first cells are a line that begins with the given digit. The other cells are further
    /// lines of the same length; the digits of each line differ. Among the lines with the same
    /// first digit, the given number is less than the first line, and the other given number is
    /// not. The flag says whether a line may equal the first one.
    Rank(Digit, [usize; 2], bool),
}

impl Automaton {
    /// Builds the automaton that counts how often `wanted` occurs and accepts exactly the counts
    /// whose bits are set in `often`.
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

    /// Builds a clue that requires the same relation for several pairs of cells. `pairs` are
    /// indices into `cells`.
    ///
    /// # Errors
    /// If a limit is reached.
    pub fn of_pairs(
        cells: &[usize],
        pairs: impl IntoIterator<Item = (usize, usize)>,
        relation: impl Fn(Digit, Digit) -> bool + Clone + Send + Sync + 'static,
    ) -> Result<Self, String> {
        let (mut made, mut parts) = (Vec::new(), Vec::new());
        for (one, other) in pairs {
            budget::spend(PAIR_WORK)?;
            made.push((one, other));
            parts.push(CluePart::Relate(cells[one], cells[other], Box::new(relation.clone())));
        }
        Ok(Self::new(
            cells,
            move |digits| made.iter().all(|&(a, b)| relation(digits[a], digits[b])),
            parts,
        ))
    }

    /// Builds a clue whose only part is an automaton with the start state 0.
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
    /// Sets the meaning of each automaton among the parts.
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

/// Returns the pairs of indices below `len` whose difference is at most `reach`.
pub fn neighbors(len: usize, reach: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..len).flat_map(move |one| (one + 1..len.min(one + reach + 1)).map(move |other| (one, other)))
}

/// Returns whether all digits differ.
pub fn are_different(digits: &[Digit]) -> bool {
    neighbors(digits.len(), digits.len()).all(|(one, other)| digits[one] != digits[other])
}
