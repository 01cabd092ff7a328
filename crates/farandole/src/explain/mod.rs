//! Human-readable explanations for puzzles of every kind, as steps of logic with their names.
//!
//! [`dlx::explain`] finds the steps without knowledge of puzzles. This module recognizes the items
//! of grids (`kinds`), gives a step the name that Sudoku solvers use (`names`), and shows it in
//! words (`words`) and pictures (`picture`). A step without a common name is called, for example,
//! "2 truths, 3 links, rank 1", followed by the names of all items. Such a description is correct
//! for every exact cover.

mod catalog;
mod kinds;
mod names;
mod picture;
mod words;

use std::cmp::Reverse;
use std::fmt;
use std::sync::Arc;

use dlx::explain::{Explainer, ExplanationEnd, NextSteps, Settings, Step};
use dlx::{Limits, OptionId, Problem};

pub use self::catalog::{technique_names, technique_score};
use self::kinds::ItemKinds;
pub use self::words::StepWords;
use puzzle::{Picture, Puzzle};

/// Explains one puzzle after the other; data of a problem is reused for the next puzzle with the
/// same problem.
///
/// ```
/// use dlx::Limits;
/// use farandole::explain::Guide;
/// use puzzle;
///
/// let kind = farandole::kinds::by_name("queens").and_then(|kind| kind.parameter).expect("it has a parameter");
/// let queens = (kind.make)("1", &mut Default::default(), &Limits::new())?;
/// let mut guide = Guide::new();
/// let mut told = guide.begin(queens.as_ref());
/// let step = told.next(&Limits::new()).expect("a step");
/// assert_eq!(told.name(&step), "forced");
/// # Ok::<(), text::InputError>(())
/// ```
#[derive(Debug, Default)]
pub struct Guide {
    is_rating: bool,
    nodes: Option<u64>,
    most: Option<u32>,
    last: Option<Explained>,
}

#[derive(Debug)]
struct Explained {
    problem: Arc<Problem>,
    kinds: ItemKinds,
    explainer: Explainer,
}

impl Guide {
    /// Returns a guide that shows every step.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a guide for rating. The guide applies all steps of the lowest score at once, and
    /// keeps no data that only a reader needs.
    #[must_use]
    pub fn rating() -> Self {
        Self { is_rating: true, ..Self::default() }
    }

    /// Limits the number of branches that splits try per puzzle.
    #[must_use]
    pub fn nodes(self, nodes: impl Into<Option<u64>>) -> Self {
        Self { nodes: nodes.into(), ..self }
    }

    /// Limits the score of steps (in tenths).
    #[must_use]
    pub fn most(self, most: impl Into<Option<u32>>) -> Self {
        Self { most: most.into(), ..self }
    }

    /// Starts the explanation of a puzzle.
    pub fn begin<'g>(&'g mut self, puzzle: &'g dyn Puzzle) -> Explanation<'g> {
        self.begin_with(puzzle, puzzle.given())
    }

    /// Starts the explanation of a puzzle with `clues` instead of its own clues.
    pub fn begin_with<'g>(&'g mut self, puzzle: &'g dyn Puzzle, clues: &[OptionId]) -> Explanation<'g> {
        let problem = puzzle.problem();
        let known = self.last.take().filter(|known| Arc::ptr_eq(&known.problem, problem));
        let known = self.last.insert(known.unwrap_or_else(|| {
            let kinds = ItemKinds::of(puzzle);
            let settings = if self.is_rating { Settings::rating() } else { Settings::new() };
            let mut settings = settings.weights(kinds.weights());
            settings.nodes = self.nodes.unwrap_or(settings.nodes);
            settings.most = self.most.unwrap_or(settings.most);
            let explainer = Explainer::new(problem, settings);
            Explained { problem: Arc::clone(problem), kinds, explainer }
        }));
        let end = known.explainer.begin(clues).err();
        let is_at_once = self.is_rating;
        let (kinds, explainer) = (&known.kinds, &mut known.explainer);
        Explanation { puzzle, kinds, explainer, end, is_at_once, score: 0, count: 0 }
    }
}

/// The difficulty of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rating {
    /// Score of the hardest step (in tenths); 0 if there are no steps.
    pub score: u32,
    /// Name of the hardest step; `None` if there are no steps.
    pub hardest: Option<String>,
    /// Whether the steps led to the only solution. If not, the puzzle is at least this hard.
    pub is_whole: bool,
}

/// The explanation of one puzzle, found step by step.
pub struct Explanation<'g> {
    puzzle: &'g dyn Puzzle,
    kinds: &'g ItemKinds,
    explainer: &'g mut Explainer,
    end: Option<ExplanationEnd>,
    is_at_once: bool,
    score: u32,
    count: usize,
}

impl fmt::Debug for Explanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Explanation")
            .field("end", &self.end)
            .field("score", &self.score)
            .field("count", &self.count)
            .finish_non_exhaustive()
    }
}

impl Explanation<'_> {
    /// Returns the next step without applying it; `None` if there is none, and then
    /// [`Explanation::end`] has the reason.
    ///
    /// A step that concerns only auxiliary items of clues, such as partial sums, is applied but not
    /// returned.
    pub fn next(&mut self, limits: &Limits) -> Option<Step> {
        loop {
            let steps = self.look(limits)?;
            let step = self.pick(steps);
            if self.words().tells(&step) {
                return Some(step);
            }
            self.explainer.take(&step);
        }
    }

    fn look(&mut self, limits: &Limits) -> Option<Vec<Step>> {
        if self.end.is_some() {
            return None;
        }
        match self.explainer.next(limits) {
            NextSteps::Steps(steps) => Some(steps),
            NextSteps::End(end) => {
                self.end = Some(end);
                None
            }
            _ => None,
        }
    }

    /// Applies a step.
    pub fn take(&mut self, step: &Step) {
        self.explainer.take(step);
        self.score = self.score.max(step.score);
        self.count += 1;
    }

    /// Continues the explanation to the end, and returns the difficulty.
    pub fn rate(&mut self, limits: &Limits) -> Rating {
        self.rate_up_to(u32::MAX, limits)
    }

    /// Continues the explanation until the end or until the next step has a score above `most` (in
    /// tenths), and returns the difficulty. If the limit of [`Guide::most`] ends the explanation,
    /// the score is at least `most` plus one.
    pub fn rate_up_to(&mut self, most: u32, limits: &Limits) -> Rating {
        let mut hardest = None;
        while let Some(steps) = self.look(limits) {
            let score = steps.first().map_or(0, |step| step.score);
            let is_hardest = score > self.score;
            if is_hardest {
                hardest = self.name_of(&steps);
            }
            if score > most {
                return Rating { score, hardest, is_whole: false };
            }
            let taken = if self.is_at_once { steps } else { vec![self.pick(steps)] };
            taken.iter().for_each(|step| self.take(step));
        }
        let score = match self.end {
            Some(ExplanationEnd::Harder) => self.score.max(most.saturating_add(1)),
            _ => self.score,
        };
        Rating { score, hardest, is_whole: matches!(self.end, Some(ExplanationEnd::Solved(_))) }
    }

    /// Returns the sort key of a step among steps of the same score. The first step chooses the
    /// most options; ties are broken by the most excluded options, then by the fewest kinds of
    /// items.
    fn order_of(&self, step: &Step) -> (Reverse<usize>, Reverse<usize>, usize) {
        (Reverse(step.on.len()), Reverse(step.off.len()), self.kinds.sorts(&step.reason))
    }

    /// Returns the step to show; in case of a tie, the first.
    fn pick(&self, steps: Vec<Step>) -> Step {
        let least = steps.into_iter().min_by_key(|step| self.order_of(step));
        least.expect("a class without steps is none")
    }

    /// Returns a name for steps of the same score, which is the name of the step to show. In case
    /// of a tie it is the alphabetically first name, so that it does not depend on the order of the
    /// steps.
    fn name_of(&self, steps: &[Step]) -> Option<String> {
        let least = steps.iter().map(|step| self.order_of(step)).min()?;
        steps.iter().filter(|step| self.order_of(step) == least).map(|step| self.name(step)).min()
    }

    /// Returns how the explanation ended; `None` before the end.
    #[must_use]
    pub fn end(&self) -> Option<&ExplanationEnd> {
        self.end.as_ref()
    }

    /// Returns the score of the hardest applied step, in tenths.
    #[must_use]
    pub fn score(&self) -> u32 {
        self.score
    }

    /// Returns the number of applied steps.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the name of a step. The step must be returned by [`Explanation::next`] and not
    /// applied yet.
    #[must_use]
    pub fn name(&self, step: &Step) -> String {
        names::name(step, self.kinds, self.explainer)
    }

    /// Draws a step that is not applied yet, with `words` below the picture. Returns `None` if the
    /// puzzle has no picture or is too large for one.
    #[must_use]
    pub fn picture(&self, step: &Step, words: &str) -> Option<Picture> {
        picture::of_step(&self.words(), self.explainer, step, words)
    }

    /// Returns the converter from steps to words.
    #[must_use]
    pub fn words(&self) -> StepWords<'_> {
        StepWords::new(self.puzzle, self.kinds)
    }

    /// Returns the options chosen so far, including the given ones.
    #[must_use]
    pub fn chosen(&self) -> &[OptionId] {
        self.explainer.chosen()
    }
}
