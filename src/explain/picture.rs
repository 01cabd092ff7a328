//! Steps as pictures: what is known before a step, and what it is about.
//!
//! In a grid of symbols every cell that is open shows the symbols that are left. Those of the truths of a step lie on blue, those
//! that only its links have on yellow; what falls is struck out on red, what is placed lies on green. Of a contradiction the
//! symbols that follow lie on orange, and those of the place for which nothing is left on purple.
//!
//! A puzzle whose options are places, as those of pieces are, shows the same of its items and options in these colors: what is laid
//! on its board, and each placement that falls on a small board. Any other puzzle is drawn with what is chosen, that by the step
//! included. The words of the step stand below.

use std::collections::BTreeMap;

use dlx::OptionId;
use dlx::explain::{Explainer, Reason, Step};

use crate::puzzle::{CandidateLook, Ink, Picture, Puzzle, StepLook, SymbolGrid};

/// The most characters of a step's words in a picture.
const WORDS_MAX: usize = 600;

/// What an option is in a step; the last of several is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    Link,
    Truth,
    Follows,
    Fails,
    Placed,
    Falls,
}

impl Role {
    fn ink(self) -> Ink {
        match self {
            Self::Link => Ink::Yellow,
            Self::Truth => Ink::Blue,
            Self::Follows => Ink::Orange,
            Self::Fails => Ink::Purple,
            Self::Placed => Ink::Green,
            Self::Falls => Ink::Red,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Link => "links",
            Self::Truth => "truths",
            Self::Follows => "follows",
            Self::Fails => "nothing is left",
            Self::Placed => "placed",
            Self::Falls => "falls",
        }
    }
}

/// Draws a step that is not applied yet, with its words; `None` if the puzzle has no picture.
pub(super) fn of_step(
    puzzle: &dyn Puzzle,
    explainer: &Explainer,
    step: &Step,
    words: &str,
) -> Option<Picture> {
    let mut picture = match puzzle.as_symbols() {
        Some(grid) => of_grid(grid, explainer, step),
        None => match puzzle.picture_of_step(&look(explainer, step)) {
            Some(picture) => picture,
            None => {
                let chosen = explainer.chosen().iter().chain(&step.on).copied();
                puzzle.picture(&chosen.collect::<Vec<_>>())?
            }
        },
    };
    let mut short: String = words.chars().take(WORDS_MAX).collect();
    if short.len() < words.len() {
        short += " ...";
    }
    picture.caption(short);
    Some(picture)
}

fn of_grid(grid: &dyn SymbolGrid, explainer: &Explainer, step: &Step) -> Picture {
    let mut picture = grid.picture_of_symbols(explainer.chosen());
    let roles = roles(explainer, step);
    let mut shown: Vec<Role> = Vec::new();
    // A symbol may stand in a cell by several options where these say how a clue is met, too.
    let mut looks: BTreeMap<(usize, usize), Option<Role>> = BTreeMap::new();
    for option in explainer.left() {
        let Some(place) = grid.placed_by(option) else { continue };
        let role = roles.get(&option).copied();
        let look = looks.entry(place).or_default();
        *look = role.max(*look);
    }
    for ((cell, symbol), role) in looks {
        let look = CandidateLook { fill: role.map(Role::ink), is_struck: role == Some(Role::Falls) };
        grid.draw_candidate(&mut picture, cell, symbol, look);
        shown.extend(role);
    }
    shown.sort_unstable();
    shown.dedup();
    shown.into_iter().for_each(|role| picture.word(Some(role.ink()), role.words()));
    picture
}

/// Returns what a picture of a step shows of its items and options.
fn look(explainer: &Explainer, step: &Step) -> StepLook {
    let mut look = StepLook { chosen: explainer.chosen().to_vec(), ..StepLook::default() };
    let roles = roles(explainer, step);
    let mut falls: Vec<OptionId> = step.off.clone();
    match &step.reason {
        Reason::Forced { item } => look.items.push((*item, Role::Truth.ink())),
        Reason::Sets { truths, links } => {
            let links = links.iter().map(|&item| (item, Role::Link.ink()));
            look.items.extend(links.chain(truths.iter().map(|&item| (item, Role::Truth.ink()))));
        }
        Reason::Supposition(supposition) => {
            look.items.push((supposition.conflict, Role::Fails.ink()));
            // The option that is supposed falls, since what follows cannot be.
            look.laid.push((supposition.option, Role::Falls.ink()));
            falls.retain(|&option| option != supposition.option);
            let follows = supposition.inferences.iter().filter(|inference| inference.is_on);
            let follows = follows.filter(|inference| inference.option != supposition.option);
            look.laid.extend(follows.map(|inference| (inference.option, Role::Follows.ink())));
        }
        Reason::Split { item, branches } => {
            look.items.push((*item, Role::Truth.ink()));
            let tried = branches.iter().map(|branch| (branch.option, Role::Follows.ink()));
            look.beside.extend(tried.filter(|(option, _)| !step.off.contains(option)));
        }
        _ => {}
    }
    look.laid.extend(step.on.iter().map(|&option| (option, Role::Placed.ink())));
    look.beside.extend(falls.into_iter().map(|option| (option, Role::Falls.ink())));
    let sorts = [Role::Link, Role::Truth, Role::Follows, Role::Fails, Role::Placed, Role::Falls];
    look.words = sorts.map(|role| (role.ink(), role.words())).to_vec();
    look.options = roles.into_iter().map(|(option, role)| (option, role.ink())).collect();
    look
}

/// Returns what the options are that a step speaks of.
fn roles(explainer: &Explainer, step: &Step) -> BTreeMap<OptionId, Role> {
    let mut roles: BTreeMap<OptionId, Role> = BTreeMap::new();
    let mut put = |option: OptionId, role: Role| {
        let known = roles.entry(option).or_insert(role);
        *known = role.max(*known);
    };
    match &step.reason {
        Reason::Sets { truths, links } => {
            for (items, role) in [(links, Role::Link), (truths, Role::Truth)] {
                let options = items.iter().flat_map(|&item| explainer.left_of(item));
                options.for_each(|option| put(option, role));
            }
        }
        Reason::Supposition(supposition) => {
            explainer.left_of(supposition.conflict).for_each(|option| put(option, Role::Fails));
            let follows = supposition.inferences.iter().filter(|inference| inference.is_on);
            follows.for_each(|inference| put(inference.option, Role::Follows));
        }
        Reason::Split { branches, .. } => {
            branches.iter().for_each(|branch| put(branch.option, Role::Follows));
        }
        _ => {}
    }
    step.on.iter().for_each(|&option| put(option, Role::Placed));
    step.off.iter().for_each(|&option| put(option, Role::Falls));
    roles
}
