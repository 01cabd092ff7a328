//! Explanations: the logical steps from the given options to the cover, the easiest first, and
//! their difficulty.
//!
//! ```
//! use dlx::explain::{ExplanationEnd, Explainer, Reason, Settings};
//! use dlx::{ItemId, Limits};
//!
//! // Both options of `a` have `c`, so the option `b c` falls, and `b` is covered alone.
//! let problem: dlx::Problem = "a b c d\na c\na c d\nb c\nb\nd\n".parse()?;
//! let explained = Explainer::new(&problem, Settings::new()).explain(&[], &Limits::new());
//! let items: Vec<ItemId> = problem.items().collect();
//! assert_eq!(explained.steps[0].reason, Reason::Sets { truths: vec![items[0]], links: vec![items[2]] });
//! assert!(matches!(explained.end, ExplanationEnd::Several(_)));
//! # Ok::<(), dlx::ParseError>(())
//! ```
//!
//! # Method
//! The classes of steps are tried from the easiest to the hardest, and the first class with a
//! result gives the next step. A *truth* is an item that needs an option, and a *link* is an item
//! that at most one option may cover.
//! 1. *forced*: an item has exactly as many options left as it needs. Items of small weight come
//!    first;
//! 2. *locked*: all options of an item are options of another item too (one truth, one link);
//! 3. two truths covered by two links, then three truths by three links;
//! 4. the supposition of an option that leads to a contradiction with the fewest truths, reported
//!    as truths and links if these prove it;
//! 5. the same with locked options inside;
//! 6. a split, so that every problem has an explanation, even without a cover or with several.
//!
//! The result does not depend on time or hash order. With [`Settings::at_once`] all steps of the
//! least score are applied together, and ties are broken by the structure of the problem (`keys`),
//! so a rating does not depend on the order of the items.
//! [`trust::check_explanation`](crate::trust::check_explanation) checks an explanation with
//! separate code.
//!
//! # Scores
//! The score of a step is in tenths, from 10 for a forced item to 130. The scale is specific to
//! this library, and orders puzzles like known scales. The score of an explanation is the score of
//! its hardest step.
//!
//! # Bounds
//! Each file states its own bounds. The number of kept steps is at most [`Settings::nodes`] times
//! the number of options.

mod forced;
mod keys;
mod lists;
mod locked;
mod score;
mod scout;
mod sets;
mod show;
mod split;
mod state;
mod step;
mod suppose;
mod view;

pub use self::step::{
    Branch, Explanation, ExplanationEnd, Inference, InferenceRule, Reason, Step, Supposition,
};

use self::keys::StepKeys;
use self::sets::{Scene, SetFinder};
use self::split::{CaseSplitter, SplitResult, apply};
use self::state::{Knowledge, OptionTable};
use self::suppose::Supposer;
use self::view::LeftView;
use crate::limits::{Limit, Limits, Pace};
use crate::model::{ItemId, OptionId, Problem};
use crate::trust::conflict;

/// Settings of an explanation.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// For each item, the difficulty of seeing that the item is forced, in tenths above the least
    /// score. Items beyond the end of the list have the difficulty 0.
    pub weights: Vec<u8>,
    /// Whether to apply all steps of the least score at once.
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    pub at_once: bool,
    /// Maximum number of branches of splits. [`Limits::nodes`] may reduce it.
    pub nodes: u64,
    /// Largest score of a step, in tenths. If every further step is harder, the explanation ends
    /// with [`ExplanationEnd::Harder`], without searching for that step. It may also end so if the
    /// next step would be a supposition with locked options, because these are tried last.
    pub most: u32,
    /// Whether to keep the steps inside branches. An explanation without the steps inside branches
    /// cannot be checked.
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    pub keeps: bool,
}

impl Settings {
    /// Makes the settings of an explanation for people, step by step.
    #[must_use]
    pub fn new() -> Self {
        Self { weights: Vec::new(), at_once: false, nodes: 20_000, most: u32::MAX, keeps: true }
    }

    /// Makes the settings of a rating.
    ///
    /// ```
    /// use dlx::explain::{Explainer, Settings};
    ///
    /// let problem: dlx::Problem = "a b\na\nb\n".parse()?;
    /// let mut explainer = Explainer::new(&problem, Settings::rating());
    /// assert_eq!(explainer.explain(&[], &dlx::Limits::new()).score(), 10);
    /// # Ok::<(), dlx::ParseError>(())
    /// ```
    #[must_use]
    pub fn rating() -> Self {
        Self { at_once: true, keeps: false, ..Self::new() }
    }

    /// Sets the difficulty of seeing that an item is forced, in tenths, for each item.
    #[must_use]
    pub fn weights(self, weights: Vec<u8>) -> Self {
        Self { weights, ..self }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self::new()
    }
}

/// Returns the possible scores of steps, in tenths, ascending.
///
/// ```
/// let scores = dlx::explain::scores();
/// assert_eq!((scores.first(), scores.last()), (Some(&10), Some(&130)));
/// assert!(scores.contains(&48) && !scores.contains(&50) && scores.contains(&65));
/// ```
#[must_use]
#[cfg_attr(not(feature = "unstable"), doc(hidden))]
pub fn scores() -> Vec<u32> {
    score::all()
}

/// Explains the covers of one problem, for any given options.
#[derive(Clone, Debug)]
pub struct Explainer {
    table: OptionTable,
    settings: Settings,
    state: Knowledge,
    view: LeftView,
    sets: SetFinder,
    supposer: Supposer,
    keys: StepKeys,
}

/// The next steps, or the end.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[cfg_attr(not(feature = "unstable"), doc(hidden))]
pub enum NextSteps {
    /// All steps of the easiest class. Any of these steps can be taken.
    Steps(Vec<Step>),
    /// There are no more steps.
    End(ExplanationEnd),
}

impl Explainer {
    /// Makes an explainer of a problem.
    #[must_use]
    pub fn new(problem: &Problem, settings: Settings) -> Self {
        let table = OptionTable::new(problem);
        let state = table.start().clone();
        let (view, sets) = (LeftView::default(), SetFinder::default());
        let (supposer, keys) = (Supposer::default(), StepKeys::default());
        Self { table, settings, state, view, sets, supposer, keys }
    }

    /// Explains the cover that contains the options of `given`, or why there is no cover or more
    /// than one.
    ///
    /// # Panics
    /// If an option of `given` is not one of the problem's.
    pub fn explain(&mut self, given: &[OptionId], limits: &Limits) -> Explanation {
        let mut steps = Vec::new();
        if let Err(end) = self.begin(given) {
            return Explanation { steps, end };
        }
        loop {
            match self.next(limits) {
                NextSteps::End(end) => return Explanation { steps, end },
                NextSteps::Steps(found) => {
                    let taken = if self.settings.at_once { found } else { vec![easiest(found)] };
                    for step in taken {
                        apply(&self.table, &mut self.state, &step);
                        steps.push(step);
                    }
                }
            }
        }
    }

    /// Restarts the explanation with other given options.
    ///
    /// # Errors
    /// If two given options conflict.
    ///
    /// # Panics
    /// If an option of `given` is not one of the problem's.
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    pub fn begin(&mut self, given: &[OptionId]) -> Result<(), ExplanationEnd> {
        self.state.copy_from(self.table.start());
        self.keys.forget();
        for &option in given {
            if self.state.is_live(option) {
                self.state.choose(&self.table, option);
                continue;
            }
            // The given option has no primary item, or another given option conflicts with it.
            match conflict(&self.table.problem, given) {
                Some(conflict) => return Err(ExplanationEnd::Clash(conflict.item)),
                None if self.state.chosen.contains(&option) => {}
                None => self.state.choose_idle(&self.table, option),
            }
        }
        Ok(())
    }

    /// Applies a step returned by [`Explainer::next`].
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    pub fn take(&mut self, step: &Step) {
        apply(&self.table, &mut self.state, step);
    }

    /// Returns how the explanation ends if every item is covered or some item cannot be covered;
    /// otherwise returns `None`.
    #[must_use]
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    pub fn end(&self) -> Option<ExplanationEnd> {
        let Self { table, state, .. } = self;
        if let Some(item) = state.conflict() {
            return Some(ExplanationEnd::Impossible(item));
        }
        if !state.is_covered() {
            return None;
        }
        let Some(option) = state.options().next() else {
            return Some(ExplanationEnd::Solved(state.chosen.clone()));
        };
        let mut other = state.clone();
        other.choose(table, option);
        Some(ExplanationEnd::Several(Box::new([state.chosen.clone(), other.chosen])))
    }

    /// Returns the options that are neither chosen nor excluded, ascending.
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    pub fn left(&self) -> impl Iterator<Item = OptionId> + '_ {
        self.state.options()
    }

    /// Returns whether an option is neither chosen nor excluded.
    ///
    /// # Panics
    /// If `option` is not one of the problem's.
    #[must_use]
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    pub fn is_left(&self, option: OptionId) -> bool {
        self.state.is_live(option)
    }

    /// Returns the options of an item that are neither chosen nor excluded, ascending.
    ///
    /// # Panics
    /// If `item` is not one of the problem's.
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    pub fn left_of(&self, item: ItemId) -> impl Iterator<Item = OptionId> + '_ {
        self.state.options_of(&self.table, item)
    }

    /// Returns the items of an option.
    ///
    /// # Panics
    /// If `option` is not one of the problem's.
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    pub fn items_of(&self, option: OptionId) -> impl Iterator<Item = ItemId> + '_ {
        self.table.problem.option(option).iter().map(|entry| entry.item)
    }

    /// Returns the chosen options, the given ones first.
    #[must_use]
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    pub fn chosen(&self) -> &[OptionId] {
        &self.state.chosen
    }

    /// Returns all steps of the easiest class that has any, or the end.
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    pub fn next(&mut self, limits: &Limits) -> NextSteps {
        self.next_up_to(self.settings.most, limits)
    }

    /// Returns all steps of the easiest class that has any, or the end. `most` replaces
    /// [`Settings::most`].
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    pub fn next_up_to(&mut self, most: u32, limits: &Limits) -> NextSteps {
        match self.look(most, limits) {
            Ok(next) => next,
            Err(limit) => NextSteps::End(ExplanationEnd::Cut(limit)),
        }
    }

    fn look(&mut self, most: u32, limits: &Limits) -> Result<NextSteps, Limit> {
        let mut pace = Pace::new(limits);
        pace.spend(10 * self.table.problem.item_count() as u64)?;
        if let Some(end) = self.end() {
            return Ok(NextSteps::End(end));
        }
        let Self { table, settings, state, view, sets, supposer, keys } = self;
        let weights = settings.weights.as_slice();
        let mut steps = forced::find(table, state, weights);
        let is_easy =
            |steps: &[Step]| steps.first().is_some_and(|step| step.score < score::forced(score::HEAVY));
        if is_easy(&steps) {
            return Ok(least(steps));
        }
        steps.extend(locked::find(table, state, weights, &mut pace)?);
        let best = steps.iter().map(|step| step.score).min().unwrap_or(u32::MAX);
        if best < score::covered(2, false, true) || !view.fill(table, state) {
            if !steps.is_empty() {
                return Ok(least(steps));
            }
        } else {
            let subject = Scene { table, state, weights };
            steps.extend(sets.twos(&subject, view, &mut pace)?);
            if !steps.is_empty() {
                return Ok(least(steps));
            }
            let steps = sets.threes(&subject, view, &mut pace)?;
            if !steps.is_empty() {
                return Ok(least(steps));
            }
            if most < score::SUPPOSED_MIN {
                return Ok(NextSteps::End(ExplanationEnd::Harder));
            }
            keys.learn(table, state, weights);
            supposer.fill(&subject, keys);
            for has_locked in [false, true] {
                let ways = (has_locked, most);
                let steps = supposer.find(&subject, view, ways, &mut pace)?;
                if !steps.is_empty() {
                    return Ok(least(steps));
                }
                // Suppositions with locked options come after all others, including harder ones.
                if most < score::SUPPOSED_MAX {
                    return Ok(NextSteps::End(ExplanationEnd::Harder));
                }
            }
        }
        if most < score::split(1) {
            return Ok(NextSteps::End(ExplanationEnd::Harder));
        }
        let nodes = limits.nodes.unwrap_or(u64::MAX).min(settings.nodes);
        keys.learn(table, state, weights);
        let mut splitter = CaseSplitter { table, keys, nodes, pace, keeps: settings.keeps };
        Ok(match splitter.split(state)? {
            SplitResult::Step(step) => NextSteps::Steps(vec![step]),
            SplitResult::Several(covers) => NextSteps::End(ExplanationEnd::Several(covers)),
        })
    }
}

/// Keeps the steps of least score, and stores their number in each step.
fn least(mut steps: Vec<Step>) -> NextSteps {
    let least = steps.iter().map(|step| step.score).min().unwrap_or(0);
    steps.retain(|step| step.score == least);
    let choices = steps.len();
    steps.iter_mut().for_each(|step| step.choices = choices);
    NextSteps::Steps(steps)
}

/// Returns the step with the most chosen options. Ties are decided by the most excluded options,
/// then by order.
fn easiest(steps: Vec<Step>) -> Step {
    let most = |step: &Step| (step.on.len(), step.off.len());
    let pick = |best: Step, step: Step| if most(&step) > most(&best) { step } else { best };
    steps.into_iter().reduce(pick).expect("there is a step")
}
