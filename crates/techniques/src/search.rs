//! The search for the next step: the easiest steps of all techniques.

use limits::{Limit, Limits, Pace};

use crate::bits::Cells;
use crate::board::Board;
use crate::step::Step;
use crate::technique::{FAMILIES, Technique};
use crate::templates;

/// Which steps to search for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// Whether to use techniques that assume that the solution is unique.
    pub uniqueness: bool,
    /// Largest score of a step, in tenths.
    pub most: u32,
}

impl Settings {
    /// Makes the settings without techniques that assume a unique solution.
    #[must_use]
    pub fn new() -> Self {
        Self { uniqueness: false, most: u32::MAX }
    }

    /// Sets whether techniques may assume that the solution is unique.
    #[must_use]
    pub fn uniqueness(self, uniqueness: bool) -> Self {
        Self { uniqueness, ..self }
    }

    /// Sets the largest score of a step, in tenths.
    #[must_use]
    pub fn most(self, most: u32) -> Self {
        Self { most, ..self }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self::new()
    }
}

/// One search for the easiest steps of a position.
#[derive(Debug)]
pub struct Search<'s> {
    board: &'s Board,
    settings: Settings,
    pace: Pace<'s>,
    found: Vec<Step>,
    /// Largest score that is still of interest: that of the steps found, or the limit.
    best: u32,
    /// For each digit, the candidates that no placement contains, once they are known.
    refuted: Vec<Option<Cells>>,
    /// The only technique of interest, whose steps are of interest with any score.
    only: Option<&'static Technique>,
}

impl<'s> Search<'s> {
    fn new(
        board: &'s Board,
        settings: Settings,
        only: Option<&'static Technique>,
        limits: &'s Limits,
    ) -> Self {
        let pace = Pace::new(limits);
        let refuted = vec![None; board.layout().size()];
        Self { board, settings, pace, found: Vec::new(), best: settings.most, refuted, only }
    }

    /// Returns the position.
    #[must_use]
    #[inline]
    pub fn board(&self) -> &'s Board {
        self.board
    }

    /// Returns whether techniques may assume that the solution is unique.
    #[must_use]
    pub fn uniqueness(&self) -> bool {
        self.settings.uniqueness
    }

    /// Returns whether a step of this score would be of interest.
    #[must_use]
    #[inline]
    pub fn wants(&self, score: u32) -> bool {
        score <= self.best
    }

    /// Returns whether steps of any score are of interest, not just those of the least.
    pub(crate) fn wants_all(&self) -> bool {
        self.only.is_some()
    }

    /// Spends `work` nanoseconds of work.
    ///
    /// # Errors
    /// The limit that was reached.
    #[inline]
    pub fn spend(&mut self, work: u64) -> Result<(), Limit> {
        self.pace.spend(work)
    }

    /// Returns the candidates of a digit that no complete placement of this digit contains. Only
    /// these can be eliminated by techniques that look at one digit.
    ///
    /// # Errors
    /// The limit that was reached.
    pub(crate) fn refuted(&mut self, digit: usize) -> Result<Cells, Limit> {
        if let Some(refuted) = self.refuted[digit] {
            return Ok(refuted);
        }
        let (refuted, work) = templates::refuted(self.board, digit);
        self.refuted[digit] = Some(refuted);
        self.spend(work)?;
        Ok(refuted)
    }

    /// Offers a step. The search keeps it unless it concludes nothing, an easier step is known, or
    /// a known step of the same technique that is not harder has the same conclusion.
    ///
    /// The conclusion must be sorted, and must consist of candidates that are left.
    pub fn offer(&mut self, step: Step) {
        debug_assert!(step.removed.is_sorted() && step.placed.is_sorted(), "conclusions are sorted");
        debug_assert!(
            step.removed.iter().chain(&step.placed).all(|&candidate| self.board.has(candidate)),
            "conclusions are candidates"
        );
        let is_empty = step.placed.is_empty() && step.removed.is_empty();
        let is_other = self.only.is_some_and(|only| only != step.technique);
        let is_excluded = step.technique.is_uniqueness && !self.settings.uniqueness;
        if is_empty || is_other || is_excluded || !self.wants(step.score) {
            return;
        }
        if self.only.is_none() && (step.score < self.best || self.found.is_empty()) {
            self.best = step.score;
            self.found.clear();
        }
        let is_twin = |known: &Step| {
            known.technique == step.technique
                && known.placed == step.placed
                && known.removed == step.removed
        };
        match self.found.iter_mut().find(|known| is_twin(known)) {
            Some(known) if step.score < known.score => *known = step,
            Some(_) => {}
            None => self.found.push(step),
        }
    }
}

/// Returns all steps of the least score; none if no technique applies.
///
/// # Errors
/// The limit that was reached.
pub fn find(board: &Board, settings: Settings, limits: &Limits) -> Result<Vec<Step>, Limit> {
    let mut search = Search::new(board, settings, None, limits);
    for family in FAMILIES {
        let least = family.techniques.first().map_or(0, |technique| technique.score);
        if !search.wants(least) {
            break;
        }
        (family.find)(&mut search)?;
    }
    Ok(search.found)
}

/// Returns the steps of one technique, also where easier techniques apply.
///
/// # Errors
/// The limit that was reached.
pub fn find_only(
    technique: &'static Technique,
    board: &Board,
    settings: Settings,
    limits: &Limits,
) -> Result<Vec<Step>, Limit> {
    let mut search = Search::new(board, settings, Some(technique), limits);
    for family in FAMILIES.iter().filter(|family| family.techniques.contains(&technique)) {
        (family.find)(&mut search)?;
    }
    Ok(search.found)
}
