//! Descriptions of steps in words: one line per step. If a step is a split, indented lines for each
//! branch and its steps follow.

use dlx::explain::{
    Branch, Explainer, Inference, InferenceRule, Reason, Step as LogicStep, Supposition,
};
use dlx::{ItemId, OptionId};

use super::kinds::{ItemKind, ItemKinds};
use super::step::{Step, StepSource};
use super::{consequences, pieces};
use puzzle::Puzzle;
use techniques::{Board, Words};

/// Length of a line in [`StepWords::write_short`] (bytes): a wide terminal.
const LINE_LENGTH: usize = 120;

/// Converts the steps of one puzzle to words.
#[derive(Clone, Copy)]
pub struct StepWords<'w> {
    pub(super) puzzle: &'w dyn Puzzle,
    pub(super) kinds: &'w ItemKinds,
    board: Option<&'w Board>,
    explainer: Option<&'w Explainer>,
}

impl std::fmt::Debug for StepWords<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StepWords").finish_non_exhaustive()
    }
}

impl<'w> StepWords<'w> {
    pub(super) fn new(
        puzzle: &'w dyn Puzzle,
        kinds: &'w ItemKinds,
        board: Option<&'w Board>,
        explainer: &'w Explainer,
    ) -> Self {
        Self { puzzle, kinds, board, explainer: Some(explainer) }
    }

    /// Returns the state before the step; `None` inside a branch, where other options are left.
    pub(super) fn explainer(&self) -> Option<&'w Explainer> {
        self.explainer
    }

    /// Returns the writer of the board, if the puzzle is a grid on which named techniques apply.
    #[must_use]
    pub fn board_words(&self) -> Option<Words<'w>> {
        self.board.map(|board| Words::new(board.layout()))
    }

    /// Returns the name of an item for people, such as `r1c2` or `5 in row 3`; for other items, the
    /// name in the problem.
    #[must_use]
    pub fn item(&self, item: ItemId) -> String {
        match (self.kinds.kind(item), self.puzzle.as_symbols()) {
            (ItemKind::Place(house, number, symbol), Some(grid)) => {
                format!("{} in {}", self.symbol(symbol), house.words(grid, number))
            }
            (_, grid) => match grid.and_then(|grid| grid.clue_item(item)) {
                Some(clue) => clue.words,
                None => self.puzzle.problem().item_name(item).to_owned(),
            },
        }
    }

    /// Returns the names of items for people.
    #[must_use]
    pub fn items(&self, items: &[ItemId]) -> Vec<String> {
        items.iter().map(|&item| self.item(item)).collect()
    }

    fn symbol(&self, symbol: usize) -> String {
        let grid = self.puzzle.as_symbols();
        grid.map_or_else(|| (symbol + 1).to_string(), |grid| grid.symbol_name(symbol))
    }

    /// Describes a chosen option, such as `r1c2=5`.
    #[must_use]
    pub fn on(&self, option: OptionId) -> String {
        self.placed(option, "=").unwrap_or_else(|| self.option(option))
    }

    /// Describes an excluded option, such as `r1c2<>5`.
    #[must_use]
    pub fn off(&self, option: OptionId) -> String {
        self.placed(option, "<>").unwrap_or_else(|| format!("not {}", self.option(option)))
    }

    fn placed(&self, option: OptionId, sign: &str) -> Option<String> {
        let grid = self.puzzle.as_symbols()?;
        let (cell, symbol) = grid.placed_by(option)?;
        Some(format!("{}{sign}{}", grid.cell_name(cell), grid.symbol_name(symbol)))
    }

    /// Returns whether an option is of interest to a reader. Options that only cover auxiliary
    /// items of clues are not.
    pub(super) fn is_told(&self, option: OptionId) -> bool {
        let Some(grid) = self.puzzle.as_symbols() else { return true };
        grid.placed_by(option).is_some() || grid.clue_option(option).is_some()
    }

    /// Returns whether a step has a conclusion that is of interest to a reader.
    #[must_use]
    pub fn tells(&self, step: &Step) -> bool {
        step.candidates().is_some() || self.tells_logic(&step.logic)
    }

    /// Returns whether the reason of a step combines clues of a variant with other facts, so that
    /// [`StepWords::reason`] is a sentence.
    #[must_use]
    pub fn uses_clues(&self, step: &Step) -> bool {
        let is_split = matches!(step.logic.reason, Reason::Split { .. });
        let is_logic = step.candidates().is_none() && !is_split;
        is_logic && self.puzzle.as_symbols().is_some() && self.kinds.uses_clues(&step.logic.reason)
    }

    fn tells_logic(&self, step: &LogicStep) -> bool {
        if let Some(grid) = self.puzzle.as_symbols()
            && self.kinds.is_of_one_clue(&step.reason)
        {
            let mut changed = step.on.iter().chain(&step.off);
            return changed.any(|&option| grid.placed_by(option).is_some());
        }
        step.on.iter().chain(&step.off).any(|&option| self.is_told(option))
    }

    /// Describes the options that a step chooses.
    #[must_use]
    pub fn chosen(&self, step: &Step) -> Vec<String> {
        match (step.candidates(), self.board_words()) {
            (Some((placed, _)), Some(words)) => {
                placed.iter().map(|&candidate| words.placed(candidate)).collect()
            }
            _ => self.chosen_by(&step.logic),
        }
    }

    fn chosen_by(&self, step: &LogicStep) -> Vec<String> {
        let told = step.on.iter().filter(|&&option| self.is_told(option));
        told.map(|&option| self.on(option)).collect()
    }

    /// Describes the options that a step excludes.
    #[must_use]
    pub fn excluded(&self, step: &Step) -> Vec<String> {
        match (step.candidates(), self.board_words()) {
            (Some((_, removed)), Some(words)) => {
                removed.iter().map(|&candidate| words.removed(candidate)).collect()
            }
            _ => self.excluded_by(&step.logic),
        }
    }

    fn excluded_by(&self, step: &LogicStep) -> Vec<String> {
        let told = step.off.iter().filter(|&&option| self.is_told(option));
        told.map(|&option| self.off(option)).collect()
    }

    /// Describes the steps inside a branch that are of interest to a reader.
    #[must_use]
    pub fn steps_of(&self, branch: &Branch) -> Vec<Step> {
        let told = branch.steps.iter().filter(|step| self.tells_logic(step));
        told.cloned().map(Step::from).collect()
    }

    fn option(&self, option: OptionId) -> String {
        if let Some(words) = self.puzzle.as_symbols().and_then(|grid| grid.clue_option(option)) {
            return words;
        }
        match self.puzzle.terms().option_names().get(option.index()) {
            Some(name) => format!("`{name}`"),
            None => format!("`{}`", self.puzzle.problem().show(option)),
        }
    }

    /// Describes the conclusion of a step.
    #[must_use]
    pub fn conclusion(&self, step: &Step) -> String {
        match step.candidates() {
            Some(_) => [self.chosen(step), self.excluded(step)].concat().join(" "),
            None => self.conclusion_of(&step.logic),
        }
    }

    fn conclusion_of(&self, step: &LogicStep) -> String {
        let said = [self.chosen_by(step), merged(self.excluded_by(step))].concat();
        let has_spaces = said.iter().any(|words| words.contains(' '));
        said.join(if has_spaces || self.puzzle.as_symbols().is_none() { ", " } else { " " })
    }

    /// Describes the reason of a step.
    #[must_use]
    pub fn reason(&self, step: &Step) -> String {
        match (&step.source, self.board_words()) {
            (StepSource::Technique(pattern), Some(words)) => words.tell(pattern),
            (StepSource::Clue(clue), Some(words)) => clue.tell(&words),
            _ => self.reason_of(&step.logic),
        }
    }

    fn reason_of(&self, step: &LogicStep) -> String {
        if let Some(words) = pieces::reason(self.puzzle, &step.reason) {
            return words;
        }
        if let Some(words) = consequences::reason(self, step) {
            return words;
        }
        match &step.reason {
            Reason::Forced { item } => self.item(*item),
            Reason::Sets { truths, links } => {
                let (truths, links) = (self.items(truths).join(", "), self.items(links).join(", "));
                format!("{truths} within {links}")
            }
            Reason::Supposition(supposition) => self.implications(supposition).join(" > "),
            Reason::Split { item, branches } => {
                let tried = branches.iter().map(|branch| self.tried(branch));
                format!("{}: {} fail", self.item(*item), tried.collect::<Vec<_>>().join(", "))
            }
            _ => String::new(),
        }
    }

    /// Describes the option that a branch tries.
    #[must_use]
    pub fn tried(&self, branch: &Branch) -> String {
        if branch.is_on { self.on(branch.option) } else { self.off(branch.option) }
    }

    /// Describes the options that follow from an assumption, up to the contradiction.
    #[must_use]
    pub fn implications(&self, supposition: &Supposition) -> Vec<String> {
        let mut said = vec![self.on(supposition.option)];
        for Inference { option, is_on, by } in &supposition.inferences {
            match by {
                InferenceRule::Truth(item) if *is_on => {
                    let item = self.item(*item);
                    match self.is_told(*option) {
                        true => said.push(format!("{} ({item})", self.on(*option))),
                        false if said.last() != Some(&item) => said.push(item),
                        false => {}
                    }
                }
                InferenceRule::Locked { truth, link } if self.is_told(*option) => {
                    let (truth, link) = (self.item(*truth), self.item(*link));
                    said.push(format!("{} ({truth} within {link})", self.off(*option)));
                }
                _ => {}
            }
        }
        said.push(match pieces::failure(self.puzzle, supposition.conflict) {
            Some(words) => words,
            None => format!("contradiction in {}", self.item(supposition.conflict)),
        });
        said
    }

    /// Writes a step as a line that begins with `head`; writes its branches as further, indented
    /// lines.
    pub fn write(&self, head: &str, step: &Step, out: &mut String) {
        match step.candidates() {
            Some(_) => {
                let (reason, conclusion) = (self.reason(step), self.conclusion(step));
                let mut lines = reason.lines();
                match lines.next() {
                    Some(first) if first.len() < reason.len() => {
                        pushln!(out, "{head}: {first} {conclusion}");
                        lines.for_each(|line| pushln!(out, "    {line}"));
                    }
                    _ => pushln!(out, "{head}: {reason}: {conclusion}"),
                }
            }
            None => self.write_logic(head, &step.logic, 0, out),
        }
    }

    /// Writes a step like [`StepWords::write`] if the text has at most `lines` lines of
    /// 120 characters; otherwise writes only its conclusion and the length of its
    /// proof.
    pub fn write_short(&self, head: &str, step: &Step, lines: usize, out: &mut String) {
        let mut whole = String::new();
        self.write(head, step, &mut whole);
        let count =
            |text: &str| text.lines().map(|line| line.len().div_ceil(LINE_LENGTH)).sum::<usize>();
        let needed = count(&whole);
        if needed <= lines {
            out.push_str(&whole);
            return;
        }
        let conclusion = self.conclusion(step);
        pushln!(out, "{head}: only a proof of {needed} lines is known; --full prints it: {conclusion}");
    }

    fn write_logic(&self, head: &str, step: &LogicStep, indent: usize, out: &mut String) {
        let (reason, conclusion) = (self.reason_of(step), self.conclusion_of(step));
        pushln!(out, "{:indent$}{head}: {reason}: {conclusion}", "");
        let Reason::Split { branches, .. } = &step.reason else { return };
        let inside = StepWords { explainer: None, ..*self };
        for branch in branches {
            let (tried, conflict) = (self.tried(branch), branch.conflict);
            pushln!(out, "{:1$}{tried} fails:", "", indent + 4);
            for step in branch.steps.iter().filter(|step| self.tells_logic(step)) {
                inside.write_logic("so", step, indent + 8, out);
            }
            let failure = pieces::failure(self.puzzle, conflict)
                .unwrap_or_else(|| format!("nothing is left for {}", self.item(conflict)));
            pushln!(out, "{:1$}{failure}", "", indent + 8);
        }
    }
}

/// Joins excluded combinations of the same clue: `not {1 4} or {2 3} in the cage r1c1 r1c2`.
fn merged(excluded: Vec<String>) -> Vec<String> {
    let mut merged: Vec<String> = Vec::new();
    for words in excluded {
        let joined = merged.last().and_then(|last| {
            let (sets, place) = last.split_once(" in ")?;
            let (set, other) = words.strip_prefix("not ")?.split_once(" in ")?;
            let is_same = place == other && sets.starts_with("not {") && set.starts_with('{');
            is_same.then(|| format!("{} or {set} in {place}", sets.replace(" or ", ", ")))
        });
        match (joined, merged.last_mut()) {
            (Some(joined), Some(last)) => *last = joined,
            _ => merged.push(words),
        }
    }
    merged
}
