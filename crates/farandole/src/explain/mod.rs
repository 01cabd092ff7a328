//! Human-readable explanations for puzzles of every kind, as steps of logic with their names.
//!
//! Steps come from several sources. In a square grid of up to 11 rows, [`techniques`] finds the
//! named techniques of Sudoku players on the candidates (`board`), and each clue of a variant gives
//! the conclusions that follow from it alone (`clues`). For other kinds of puzzles, and where
//! neither applies, [`dlx::explain`] finds steps without knowledge of puzzles.
//!
//! This module recognizes the items of grids (`kinds`), names such steps where a common name exists
//! (`names`, and `pieces` for puzzles of pieces), and shows all steps in words (`words`, and
//! `consequences` for steps that combine clues) and in pictures (`picture`, and `pattern` for
//! techniques). A step without a common name is called, for example, "2 truths, 3 links, rank 1",
//! followed by the names of all items. Such a description is correct for every exact cover.

mod board;
mod catalog;
mod clues;
mod consequences;
mod kinds;
mod names;
mod pattern;
mod picture;
mod pieces;
mod step;
mod words;

use std::cmp::Reverse;
use std::fmt;
use std::sync::Arc;

use dlx::explain::{Explainer, ExplanationEnd, NextSteps, Settings};
use dlx::{Limits, OptionId, Problem};

use self::board::OptionBoard;
pub use self::catalog::{scores, technique_names, technique_score};
pub use self::clues::ClueStep;
use self::clues::ClueSteps;
use self::kinds::ItemKinds;
pub use self::step::Step;
use self::step::StepSource;
pub use self::words::StepWords;
use puzzle::{Picture, Puzzle};
use techniques::Technique;

/// Score (tenths) up to which the steps of a variant are found without suppositions: that of an
/// XYZ-wing less one.
const EASY: u32 = 43;
/// Least score (tenths) of forcing chains. From here on, suppositions that use clues are easier.
const FORCING: u32 = 75;
/// Largest score (tenths) of a technique.
const NETS_MAX: u32 = 104;

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
    uniqueness: bool,
    technique: Option<&'static Technique>,
    nodes: Option<u64>,
    most: Option<u32>,
    last: Option<Explained>,
}

#[derive(Debug)]
struct Explained {
    problem: Arc<Problem>,
    kinds: ItemKinds,
    explainer: Explainer,
    board: Option<OptionBoard>,
    /// The clues of a variant, prepared with the first step.
    clues: Option<ClueSteps>,
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

    /// Sets whether techniques may assume that the puzzle has one solution.
    #[must_use]
    pub fn uniqueness(self, uniqueness: bool) -> Self {
        Self { uniqueness, ..self }
    }

    /// Sets the only technique whose steps are returned, also where easier steps exist. It has an
    /// effect on grids only.
    #[must_use]
    pub fn technique(self, technique: impl Into<Option<&'static Technique>>) -> Self {
        Self { technique: technique.into(), ..self }
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
            let board = OptionBoard::new(puzzle, &kinds);
            Explained { problem: Arc::clone(problem), kinds, explainer, board, clues: None }
        }));
        let end = known.explainer.begin(clues).err();
        let Explained { kinds, explainer, clues: prepared, .. } = known;
        let mut board = known.board.as_mut();
        if let Some(board) = &mut board {
            board.begin(clues.len());
        }
        let only = self.technique;
        let is_uniqueness = only.is_some_and(|only| only.is_uniqueness);
        let settings = techniques::Settings::new().uniqueness(self.uniqueness || is_uniqueness);
        let settings = settings.most(self.most.unwrap_or(u32::MAX));
        let is_at_once = self.is_rating;
        Explanation {
            puzzle,
            kinds,
            explainer,
            board,
            clues: prepared,
            settings,
            only,
            end,
            is_at_once,
            score: 0,
            count: 0,
        }
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
    board: Option<&'g mut OptionBoard>,
    clues: &'g mut Option<ClueSteps>,
    settings: techniques::Settings,
    only: Option<&'static Technique>,
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
    /// returned; so is one that only drops combinations of a clue because of its own cells.
    pub fn next(&mut self, limits: &Limits) -> Option<Step> {
        loop {
            let steps = self.look(limits)?;
            let step = self.pick(steps);
            if self.words().tells(&step) {
                return Some(step);
            }
            self.explainer.take(&step.logic);
        }
    }

    fn look(&mut self, limits: &Limits) -> Option<Vec<Step>> {
        if self.end.is_some() {
            return None;
        }
        match self.find(limits) {
            Ok(steps) => Some(steps),
            Err(end) => {
                self.end = Some(end);
                None
            }
        }
    }

    /// Returns all steps of the least score, or the end. A limit on the score never changes a step,
    /// because the limit is compared after each phase of the search.
    ///
    /// On a plain grid these are steps of named techniques; if there is none, any other steps. A
    /// variant has further phases: easy techniques and single clues, other easy steps that use
    /// clues, then all techniques, and before forcing chains suppositions that use clues.
    fn find(&mut self, limits: &Limits) -> Result<Vec<Step>, ExplanationEnd> {
        let most = self.settings.most;
        let Some(board) = &mut self.board else { return logic(self.explainer.next(limits)) };
        if let Some(end) = self.explainer.end() {
            return Err(end);
        }
        board.copy(self.explainer);
        if let Some(only) = self.only {
            let steps = board.find_only(only, self.settings, self.explainer, limits);
            let steps = steps.map_err(ExplanationEnd::Cut)?;
            return if steps.is_empty() { Err(ExplanationEnd::Harder) } else { Ok(steps) };
        }
        if !board.is_pure()
            && let Some(steps) = self.find_easy(limits)?
        {
            return up_to(most, steps);
        }
        let Some(board) = &mut self.board else { return Err(ExplanationEnd::Harder) };
        let steps = board.find(self.settings, self.explainer, limits).map_err(ExplanationEnd::Cut)?;
        let best = steps.first().map(Step::score);
        if best.is_some_and(|best| board.is_pure() || best < FORCING) {
            return Ok(steps);
        }
        if most < if board.is_pure() { NETS_MAX } else { FORCING } {
            return Err(ExplanationEnd::Harder);
        }
        let Some(best) = best else { return logic(self.explainer.next(limits)) };
        match logic(self.explainer.next_up_to(best - 1, limits)) {
            Ok(mut others) => {
                others.retain(|other| self.kinds.uses_clues(&other.logic.reason));
                Ok(if others.is_empty() { steps } else { others })
            }
            Err(ExplanationEnd::Cut(limit)) => Err(ExplanationEnd::Cut(limit)),
            Err(_) => Ok(steps),
        }
    }

    /// Returns the easy steps of a variant: techniques and single clues with a score up to
    /// [`EASY`], or else other steps up to this score that use clues. Ends the explanation if all
    /// cells are solved.
    fn find_easy(&mut self, limits: &Limits) -> Result<Option<Vec<Step>>, ExplanationEnd> {
        let (Some(board), Some(grid)) = (&self.board, self.puzzle.as_symbols()) else {
            return Ok(None);
        };
        let cut = ExplanationEnd::Cut;
        if let Some(digits) = board.digits()
            && let Some(solved) = grid.as_digits(limits).map_err(cut)?
        {
            return Err(ExplanationEnd::Solved(solved.cover_of(&digits)));
        }
        if self.clues.is_none() {
            *self.clues = ClueSteps::new(grid, limits).map_err(cut)?;
        }
        let settings = self.settings.most(EASY);
        let mut steps = board.find(settings, self.explainer, limits).map_err(cut)?;
        if let Some(clues) = &self.clues {
            let most = steps.first().map_or(EASY, Step::score);
            let found = clues.find(board.board(), most, limits).map_err(cut)?;
            let found = board.steps_of(found, self.explainer);
            if found.first().is_some_and(|step| step.score() < most) {
                steps.clear();
            }
            steps.extend(found);
        }
        if !steps.is_empty() {
            return Ok(Some(steps));
        }
        match logic(self.explainer.next_up_to(EASY - 1, limits)) {
            Ok(mut others) => {
                others
                    .retain(|other| other.score() < EASY && self.kinds.uses_clues(&other.logic.reason));
                Ok((!others.is_empty()).then_some(others))
            }
            Err(ExplanationEnd::Cut(limit)) => Err(ExplanationEnd::Cut(limit)),
            Err(_) => Ok(None),
        }
    }

    /// Applies a step.
    pub fn take(&mut self, step: &Step) {
        self.explainer.take(&step.logic);
        self.score = self.score.max(step.score());
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
            let score = steps.first().map_or(0, Step::score);
            if !steps.iter().any(|step| self.words().tells(step)) {
                steps.iter().for_each(|step| self.explainer.take(&step.logic));
                continue;
            }
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
    /// most options; ties are broken by the most excluded options, then by the fewest facts of a
    /// technique or the fewest kinds of items.
    fn order_of(&self, step: &Step) -> (Reverse<usize>, Reverse<usize>, usize) {
        let sorts = step.pattern().map(|pattern| pattern.truths.len());
        let sorts = sorts.unwrap_or_else(|| self.kinds.sorts(&step.logic.reason));
        let (placed, removed) = match step.candidates() {
            Some((placed, removed)) => (placed.len(), removed.len()),
            None => (step.on().len(), step.off().len()),
        };
        (Reverse(placed), Reverse(removed), sorts)
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
        match &step.source {
            StepSource::Technique(pattern) => pattern.technique.name.to_owned(),
            StepSource::Clue(clue) => clue.rule.to_owned(),
            StepSource::Logic => match pieces::step_name(self.puzzle, &step.logic.reason) {
                Some(name) => name.to_owned(),
                None => names::name(&step.logic, self.kinds, self.explainer),
            },
        }
    }

    /// Draws a step that is not applied yet, with `words` below the picture. Returns `None` if the
    /// puzzle has no picture or is too large for one.
    #[must_use]
    pub fn picture(&self, step: &Step, words: &str) -> Option<Picture> {
        let board = self.board.as_deref().map(OptionBoard::board);
        picture::of_step(&self.words(), self.explainer, board, step, words)
    }

    /// Returns the converter from steps to words.
    #[must_use]
    pub fn words(&self) -> StepWords<'_> {
        let board = self.board.as_deref().map(OptionBoard::board);
        StepWords::new(self.puzzle, self.kinds, board, self.explainer)
    }

    /// Returns the options chosen so far, including the given ones.
    #[must_use]
    pub fn chosen(&self) -> &[OptionId] {
        self.explainer.chosen()
    }
}

fn logic(next: NextSteps) -> Result<Vec<Step>, ExplanationEnd> {
    match next {
        NextSteps::Steps(steps) => Ok(steps.into_iter().map(Step::from).collect()),
        NextSteps::End(end) => Err(end),
        _ => Err(ExplanationEnd::Harder),
    }
}

fn up_to(most: u32, steps: Vec<Step>) -> Result<Vec<Step>, ExplanationEnd> {
    match steps.first() {
        Some(step) if step.score() > most => Err(ExplanationEnd::Harder),
        _ => Ok(steps),
    }
}
