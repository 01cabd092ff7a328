//! Checks every step of an explanation. The check reads the options of the problem, and shares no
//! code with the solver that finds the steps.

use std::collections::BTreeSet;
use std::fmt;

use super::verify::{conflict, verify};
use crate::explain::{Branch, Explanation, ExplanationEnd, InferenceRule, Reason, Step, Supposition};
use crate::model::{Bounds, Color, ItemId, OptionId, Problem};

/// The first invalid step of an explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "unstable"), doc(hidden))]
pub struct StepFault {
    /// The index of the step from 0. If the end of the explanation is invalid, this is the number
    /// of steps.
    pub step: usize,
    /// The reason.
    pub message: String,
}

impl fmt::Display for StepFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}: {}", self.step + 1, self.message)
    }
}

impl std::error::Error for StepFault {}

/// Checks that each step of an explanation follows from the state before it, and that the end is
/// valid.
///
/// An explanation that a limit cut is checked up to its last step. The explanation must consist of
/// single steps, and must include the steps inside splits.
///
/// ```
/// use dlx::explain::{Explainer, Settings};
///
/// let problem: dlx::Problem = "a b c d\na c\na c d\nb c\nb\nd\n".parse()?;
/// let mut explained = Explainer::new(&problem, Settings::new()).explain(&[], &dlx::Limits::new());
/// assert!(dlx::trust::check_explanation(&problem, &[], &explained).is_ok());
/// explained.steps.remove(0);
/// assert!(dlx::trust::check_explanation(&problem, &[], &explained).is_err());
/// # Ok::<(), dlx::ParseError>(())
/// ```
///
/// # Errors
/// The first step that does not follow.
///
/// # Panics
/// If an option or item in the explanation does not belong to the problem.
#[cfg_attr(not(feature = "unstable"), doc(hidden))]
pub fn check_explanation(
    problem: &Problem,
    given: &[OptionId],
    explanation: &Explanation,
) -> Result<(), StepFault> {
    let count = explanation.steps.len();
    let fault = |message: &str| Err(StepFault { step: count, message: message.to_owned() });
    if let Some(clash) = conflict(problem, given) {
        return match explanation.end {
            ExplanationEnd::Clash(item) if item == clash.item => Ok(()),
            _ => fault("two of the given options conflict"),
        };
    }
    let mut known = ProvedState::new(problem);
    let given_once: BTreeSet<OptionId> = given.iter().copied().collect();
    given_once.iter().for_each(|&option| known.choose(option));
    for (number, step) in explanation.steps.iter().enumerate() {
        known.check(step).map_err(|message| StepFault { step: number, message })?;
        known.apply(step);
    }
    match &explanation.end {
        ExplanationEnd::Solved(cover) => {
            let chosen: BTreeSet<OptionId> = cover.iter().copied().collect();
            match verify(problem, given, cover) {
                Err(violation) => fault(&violation.show(problem).to_string()),
                Ok(()) if known.left.contains(&true) => fault("options are left"),
                Ok(()) if chosen != known.chosen => fault("the cover is not what the steps choose"),
                Ok(()) => Ok(()),
            }
        }
        ExplanationEnd::Impossible(item) if known.is_short(*item) => Ok(()),
        ExplanationEnd::Impossible(_) => fault("the item still has enough options"),
        ExplanationEnd::Clash(_) => fault("the given options do not conflict"),
        ExplanationEnd::Several(covers) => {
            let [one, other] = covers.as_ref().clone().map(|cover| {
                let is_cover = verify(problem, given, &cover).is_ok();
                is_cover.then(|| cover.into_iter().collect::<BTreeSet<_>>())
            });
            if one.is_some() && other.is_some() && one != other {
                Ok(())
            } else {
                fault("these are no two covers")
            }
        }
        ExplanationEnd::Cut(_) | ExplanationEnd::Harder => Ok(()),
    }
}

#[derive(Clone)]
struct ProvedState<'p> {
    problem: &'p Problem,
    left: Vec<bool>,
    chosen: BTreeSet<OptionId>,
}

impl<'p> ProvedState<'p> {
    fn new(problem: &'p Problem) -> Self {
        let is_useful = |option| {
            let mut bounds = problem.option(option).iter().map(|entry| problem.bounds(entry.item));
            let has_room = bounds.clone().flatten().all(|bounds| bounds.high > 0);
            has_room && bounds.any(|bounds| bounds.is_some())
        };
        let left = problem.options().map(is_useful).collect();
        Self { problem, left, chosen: BTreeSet::new() }
    }

    fn bounds(&self, item: ItemId) -> Bounds {
        self.problem.bounds(item).unwrap_or(Bounds { low: 0, high: 1 })
    }

    /// Returns the color of an item in an option, or `None` if the option does not contain the
    /// item.
    fn color(&self, option: OptionId, item: ItemId) -> Option<Option<Color>> {
        let entry = self.problem.option(option).iter().find(|entry| entry.item == item)?;
        Some(entry.color)
    }

    fn has(&self, option: OptionId, item: ItemId) -> bool {
        self.color(option, item).is_some()
    }

    fn is_left(&self, option: OptionId) -> bool {
        self.left[option.index()]
    }

    fn left_in(&self, item: ItemId) -> impl Iterator<Item = OptionId> + '_ {
        self.problem.options().filter(move |&option| self.is_left(option) && self.has(option, item))
    }

    fn chosen_in(&self, item: ItemId) -> u32 {
        self.chosen.iter().filter(|&&option| self.has(option, item)).count() as u32
    }

    fn need(&self, item: ItemId) -> u32 {
        self.bounds(item).low.saturating_sub(self.chosen_in(item))
    }

    fn room(&self, item: ItemId) -> u32 {
        self.bounds(item).high.saturating_sub(self.chosen_in(item))
    }

    fn is_short(&self, item: ItemId) -> bool {
        (self.left_in(item).count() as u32) < self.need(item)
    }

    fn has_colors(&self, item: ItemId) -> bool {
        self.problem.options().any(|option| matches!(self.color(option, item), Some(Some(_))))
    }

    fn choose(&mut self, option: OptionId) {
        self.left[option.index()] = false;
        self.chosen.insert(option);
        for entry in self.problem.option(option) {
            let is_full = entry.color.is_none() && self.room(entry.item) == 0;
            for other in self.problem.options() {
                let Some(color) = self.color(other, entry.item) else { continue };
                if is_full || (entry.color.is_some() && color != entry.color) {
                    self.left[other.index()] = false;
                }
            }
        }
    }

    fn apply(&mut self, step: &Step) {
        step.off.iter().for_each(|option| self.left[option.index()] = false);
        for &option in &step.on {
            if self.is_left(option) {
                self.choose(option);
            }
        }
    }

    fn check(&self, step: &Step) -> Result<(), String> {
        match &step.reason {
            Reason::Forced { item } => {
                let left: Vec<OptionId> = self.left_in(*item).collect();
                let is_forced = left.len() as u32 == self.need(*item);
                let are_ours = step.on.iter().all(|option| left.contains(option));
                let follows = is_forced && are_ours && step.off.is_empty();
                expect(follows, "the item has more options left")
            }
            Reason::Sets { truths, links } => self.check_sets(truths, links, step),
            Reason::Supposition(supposition) => {
                expect(step.on.is_empty(), "a supposition forces nothing")?;
                expect(
                    step.off.iter().all(|&option| option == supposition.option),
                    "another option was supposed",
                )?;
                self.check_supposition(supposition)
            }
            Reason::Split { item, branches } => self.check_split(*item, branches, step),
        }
    }

    fn check_sets(&self, truths: &[ItemId], links: &[ItemId], step: &Step) -> Result<(), String> {
        for &link in links {
            expect(self.room(link) == 1, "a link has room for more than one option")?;
            expect(!self.has_colors(link), "a link has colors")?;
        }
        let needed: u32 = truths.iter().map(|&truth| self.need(truth)).sum();
        expect(truths.iter().all(|&truth| self.need(truth) > 0), "a truth need not be covered")?;
        let rank = links.len() as i64 - i64::from(needed);
        let excess = |option| {
            let count =
                |items: &[ItemId]| items.iter().filter(|&&item| self.has(option, item)).count() as i64;
            count(links) - count(truths)
        };
        let mut left = self.problem.options().filter(|&option| self.is_left(option));
        expect(left.all(|option| excess(option) >= 0), "an option of a truth is in no link")?;
        expect(step.on.is_empty(), "truths and links force nothing")?;
        expect(
            step.off.iter().all(|&option| !self.is_left(option) || excess(option) > rank),
            "an option that falls is in too few links",
        )
    }

    fn check_supposition(&self, supposition: &Supposition) -> Result<(), String> {
        expect(self.is_left(supposition.option), "an option is supposed that is not left")?;
        let mut on = vec![supposition.option];
        let mut off: BTreeSet<OptionId> = BTreeSet::new();
        for inference in &supposition.inferences {
            let option = inference.option;
            let open = |item: ItemId| {
                self.left_in(item)
                    .filter(|option| !on.contains(option) && !off.contains(option))
                    .count() as u32
            };
            let count_on =
                |item: ItemId| on.iter().filter(|&&option| self.has(option, item)).count() as u32;
            expect(self.is_left(option), "an inference is about an option that is not left")?;
            let follows = match inference.by {
                InferenceRule::Truth(item) => {
                    let need = self.need(item).saturating_sub(count_on(item));
                    inference.is_on && self.has(option, item) && need > 0 && open(item) <= need
                }
                InferenceRule::Link(item) => {
                    let Some(color) = self.color(option, item) else {
                        return Err("an inference is about an option that has not the item".to_owned());
                    };
                    let differs = on
                        .iter()
                        .filter_map(|&other| self.color(other, item))
                        .any(|other| other != color && (other.is_some() || color.is_some()));
                    let is_full = color.is_none() && count_on(item) >= self.room(item);
                    !inference.is_on && (differs || is_full)
                }
                InferenceRule::Locked { truth, link } => {
                    let mut open = self
                        .left_in(truth)
                        .filter(|option| !on.contains(option) && !off.contains(option));
                    !inference.is_on
                        && self.need(truth) > count_on(truth)
                        && open.all(|option| self.has(option, link))
                        && self.room(link) == 1
                        && !self.has_colors(link)
                        && self.has(option, link)
                        && !self.has(option, truth)
                }
            };
            expect(follows, "an inference does not follow")?;
            if inference.is_on {
                on.push(option);
            } else {
                off.insert(option);
            }
        }
        let item = supposition.conflict;
        let ons: Vec<Option<Color>> = on.iter().filter_map(|&other| self.color(other, item)).collect();
        let open = self.left_in(item).filter(|option| !on.contains(option) && !off.contains(option));
        let is_short = open.count() + ons.len() < self.need(item) as usize;
        let is_over = ons.iter().filter(|color| color.is_none()).count() > self.room(item) as usize;
        let differs = ons.iter().any(|color| *color != ons[0]);
        expect(is_short || is_over || differs, "the supposition ends in no contradiction")
    }

    fn check_split(&self, item: ItemId, branches: &[Branch], step: &Step) -> Result<(), String> {
        let mut fails: BTreeSet<(OptionId, bool)> = BTreeSet::new();
        for Branch { option, is_on, steps, conflict } in branches {
            let mut known = self.clone();
            if *is_on {
                expect(self.is_left(*option), "a branch tries an option that is not left")?;
                known.choose(*option);
            } else {
                known.left[option.index()] = false;
            }
            for step in steps {
                known.check(step)?;
                known.apply(step);
            }
            expect(known.is_short(*conflict), "a branch does not fail")?;
            fails.insert((*option, *is_on));
        }
        let left: Vec<OptionId> = self.left_in(item).collect();
        let is_last = |option| {
            self.need(item) > 0
                && left.iter().all(|&other| other == option || fails.contains(&(other, true)))
        };
        let is_over = fails
            .iter()
            .any(|&(option, _)| fails.contains(&(option, true)) && fails.contains(&(option, false)));
        let are_on = step.on.iter().all(|&option| fails.contains(&(option, false)) || is_last(option));
        let are_off = step.off.iter().all(|&option| fails.contains(&(option, true)));
        expect(is_over || (are_on && are_off), "a split proves less")
    }
}

fn expect(holds: bool, message: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(message.to_owned()) }
}
