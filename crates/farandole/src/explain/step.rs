//! A step of an explanation: a conclusion on options, with its reason.

use dlx::OptionId;
use dlx::explain::Step as LogicStep;
use techniques::Candidate;

use super::clues::ClueStep;

/// A step of an explanation: a technique with a name, a conclusion from one clue of a variant, or a
/// conclusion from items and options, as every exact cover has.
#[derive(Clone, Debug)]
pub struct Step {
    /// The conclusion on options. For a technique, the reason lists its facts as truths.
    pub(super) logic: LogicStep,
    pub(super) source: StepSource,
}

/// Where a step comes from, if not from items and options alone.
#[derive(Clone, Debug)]
pub(super) enum StepSource {
    /// A named technique of a grid.
    Technique(Box<techniques::Step>),
    /// One clue of a variant.
    Clue(Box<ClueStep>),
    /// Items and options.
    Logic,
}

impl Step {
    /// Returns the difficulty, in tenths.
    #[must_use]
    pub fn score(&self) -> u32 {
        self.logic.score
    }

    /// Returns the number of available steps with the same score, including this one.
    #[must_use]
    pub fn choices(&self) -> usize {
        self.logic.choices
    }

    /// Returns the options that must be chosen.
    #[must_use]
    pub fn on(&self) -> &[OptionId] {
        &self.logic.on
    }

    /// Returns the options that cannot be chosen, except those that conflict with one of
    /// [`Step::on`].
    #[must_use]
    pub fn off(&self) -> &[OptionId] {
        &self.logic.off
    }

    /// Returns the conclusion and its reason in terms of items and options.
    #[must_use]
    pub fn logic(&self) -> &LogicStep {
        &self.logic
    }

    /// Returns the pattern, if the step is a named technique of a grid.
    #[must_use]
    pub fn pattern(&self) -> Option<&techniques::Step> {
        match &self.source {
            StepSource::Technique(pattern) => Some(pattern),
            _ => None,
        }
    }

    /// Returns the conclusion of the clue, if the step follows from one clue of a variant.
    #[must_use]
    pub fn clue(&self) -> Option<&ClueStep> {
        match &self.source {
            StepSource::Clue(clue) => Some(clue),
            _ => None,
        }
    }

    /// Returns the placed and the removed candidates, if the step is one on the candidates of a
    /// grid.
    pub(super) fn candidates(&self) -> Option<(&[Candidate], &[Candidate])> {
        match &self.source {
            StepSource::Technique(pattern) => Some((&pattern.placed, &pattern.removed)),
            StepSource::Clue(clue) => Some((&clue.placed, &clue.removed)),
            StepSource::Logic => None,
        }
    }
}

impl From<LogicStep> for Step {
    fn from(logic: LogicStep) -> Self {
        Self { logic, source: StepSource::Logic }
    }
}
