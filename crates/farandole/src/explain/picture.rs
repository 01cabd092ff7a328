//! Pictures of steps: the state of the puzzle before a step, with the options of the step marked.
//!
//! In a grid of symbols, every open cell shows its candidates. The options of truths are blue, and
//! options only of links are yellow. Eliminated options are red and struck out, and placed options
//! are green. For a contradiction, the symbols that follow from the assumption are orange and
//! numbered, and excluded options are gray and struck out. The options of the item that has no
//! option left are purple.
//!
//! In a puzzle whose options are placements, such as pieces, items and options have the same
//! colors. Any other puzzle is drawn with all chosen options, including the options that the step
//! chooses. The description of the step is below the picture.

use std::collections::{BTreeMap, BTreeSet};

use dlx::explain::{Explainer, InferenceRule, Reason, Step as LogicStep, Supposition};
use dlx::{ItemId, OptionId};

use super::pattern;
use super::step::Step;
use super::words::StepWords;
use puzzle::{CandidateLook, Ink, Mark, Picture, Point, StepFigure, SymbolGrid, candidate_spot};
use techniques::Board;

/// Maximum number of shaded houses; a picture with more would be unreadable.
const HOUSES_MAX: usize = 6;
/// Maximum length of the description below a picture (characters).
const WORDS_MAX: usize = 600;

/// The role of an option in a step. If an option has several roles, the last one in this list is
/// shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    Link,
    Truth,
    Excluded,
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
            Self::Excluded => Ink::Gray,
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
            Self::Excluded => "excluded on the way",
            Self::Follows => "follows from the assumption",
            Self::Fails => "contradiction: none is left",
            Self::Placed => "placed",
            Self::Falls => "eliminated",
        }
    }
}

pub(super) fn of_step(
    telling: &StepWords<'_>,
    explainer: &Explainer,
    board: Option<&Board>,
    step: &Step,
    words: &str,
) -> Option<Picture> {
    let puzzle = telling.puzzle;
    let mut picture = match (puzzle.as_symbols(), board, step.candidates()) {
        (Some(grid), Some(board), Some(_)) => pattern::picture(grid, board, step),
        (Some(grid), ..) => of_grid(grid, telling, explainer, &step.logic),
        (None, ..) => match puzzle.terms().picture_of_step(&look(explainer, &step.logic)) {
            Some(picture) => picture,
            None => {
                let chosen = explainer.chosen().iter().chain(step.on()).copied();
                puzzle.picture(&chosen.collect::<Vec<_>>())?
            }
        },
    };
    let mut short: String = words.chars().take(WORDS_MAX).collect();
    if short.len() < words.len() {
        short += " ...";
    }
    // A caption is broken at spaces, and a chain has none.
    picture.caption(short.replace("-(", " -("));
    Some(picture)
}

fn of_grid(
    grid: &dyn SymbolGrid,
    telling: &StepWords<'_>,
    explainer: &Explainer,
    step: &LogicStep,
) -> Picture {
    let mut picture = grid.picture_of_symbols(explainer.chosen());
    let has_houses = shade_houses(grid, telling, step, &mut picture);
    let roles = roles(explainer, step);
    let mut shown: Vec<Role> = Vec::new();
    // Several options may place the same symbol in a cell, because they also encode how clues are
    // satisfied.
    let mut looks: BTreeMap<(usize, usize), Option<Role>> = BTreeMap::new();
    for option in explainer.left() {
        let Some(place) = grid.placed_by(option) else { continue };
        let role = roles.get(&option).copied();
        let look = looks.entry(place).or_default();
        *look = role.max(*look);
    }
    for ((cell, symbol), role) in looks {
        let look = CandidateLook {
            fill: role.map(Role::ink),
            is_struck: matches!(role, Some(Role::Falls | Role::Excluded)),
        };
        grid.draw_candidate(&mut picture, cell, symbol, look);
        shown.extend(role);
    }
    shown.sort_unstable();
    shown.dedup();
    shown.into_iter().for_each(|role| picture.word(Some(role.ink()), role.words()));
    if has_houses {
        let corners = vec![[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
        let cell = Mark::polygon(corners).fill(Ink::Shade).stroke(Ink::Thin, 0.04);
        picture.key(vec![cell], "houses of the step");
    }
    if let Reason::Supposition(supposition) = &step.reason {
        number_chain(grid, telling, supposition, &mut picture);
    }
    picture
}

/// Shades the rows, columns and regions of a step. Shades only houses of truths if all would be too
/// many, and no house if these are also too many. Returns whether any house is shaded.
fn shade_houses(
    grid: &dyn SymbolGrid,
    telling: &StepWords<'_>,
    step: &LogicStep,
    picture: &mut Picture,
) -> bool {
    let (first, more) = match &step.reason {
        Reason::Forced { item } | Reason::Split { item, .. } => (std::slice::from_ref(item), &[][..]),
        Reason::Sets { truths, links } => (&truths[..], &links[..]),
        Reason::Supposition(supposition) => (std::slice::from_ref(&supposition.conflict), &[][..]),
        _ => return false,
    };
    let houses = |items: &[ItemId]| -> BTreeSet<_> {
        items.iter().filter_map(|&item| telling.kinds.house(item)).collect()
    };
    let (few, all) = (houses(first), houses(&[first, more].concat()));
    let named = [all, few].into_iter().find(|houses| houses.len() <= HOUSES_MAX).unwrap_or_default();
    for &(house, number) in &named {
        for cell in house.cells(grid, number) {
            let (row, column) = grid.grid().shape().place(cell);
            picture.tint(row, column, Ink::Shade);
        }
    }
    !named.is_empty()
}

/// Numbers the options that follow from an assumption in their order, and draws an arrow from each
/// placed option to the next.
fn number_chain(
    grid: &dyn SymbolGrid,
    telling: &StepWords<'_>,
    supposition: &Supposition,
    picture: &mut Picture,
) {
    let follows = supposition.inferences.iter().filter(|inference| match inference.by {
        InferenceRule::Truth(_) => inference.is_on,
        by => matches!(by, InferenceRule::Locked { .. }) && telling.is_told(inference.option),
    });
    let steps = follows.map(|inference| (inference.option, inference.is_on));
    let mut last: Option<(Point, f64)> = None;
    let mut number = 0;
    for (option, is_on) in std::iter::once((supposition.option, true)).chain(steps) {
        let Some((cell, symbol)) = grid.placed_by(option) else { continue };
        let (at, size) = candidate_spot(grid.grid(), cell, symbol);
        number += 1;
        let above = [at[0] + 0.46 * size, at[1] - 0.38 * size];
        picture.over(Mark::text(above, &number.to_string(), 0.56 * size).fill(Ink::Crimson));
        if !is_on {
            continue;
        }
        if let Some((from, _)) = last.filter(|(from, _)| distance(*from, at) > 1.1 * size) {
            arrow(from, at, 0.5 * size, false, picture);
        }
        last = Some((at, size));
    }
    picture.word(None, "small numbers: the order, from the assumption (1) on");
}

pub(super) fn distance(one: Point, other: Point) -> f64 {
    (one[0] - other[0]).hypot(one[1] - other[1])
}

/// Draws an arrow between two candidates with this radius.
pub(super) fn arrow(from: Point, to: Point, radius: f64, is_dashed: bool, picture: &mut Picture) {
    let length = distance(from, to).max(1e-9);
    let [right, down] = [0, 1].map(|axis| (to[axis] - from[axis]) / length);
    let on = |reach: f64, aside: f64| {
        [from[0] + reach * right - aside * down, from[1] + reach * down + aside * right]
    };
    let (begin, end) = (radius, length - radius);
    let tip = vec![on(end - 0.1, 0.055), on(end, 0.0), on(end - 0.1, -0.055)];
    let line = Mark::line(vec![on(begin, 0.0), on(end, 0.0)]).stroke(Ink::Crimson, 0.02);
    picture.over(if is_dashed { line.dashed(0.07, 0.06) } else { line });
    picture.over(Mark::line(tip).stroke(Ink::Crimson, 0.02));
}

fn look(explainer: &Explainer, step: &LogicStep) -> StepFigure {
    let mut look = StepFigure { chosen: explainer.chosen().to_vec(), ..StepFigure::default() };
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
            look.laid.push((supposition.option, Role::Falls.ink()));
            falls.retain(|&option| option != supposition.option);
            let follows = supposition.inferences.iter().filter(|inference| inference.is_on);
            let follows = follows.filter(|inference| inference.option != supposition.option);
            look.laid.extend(follows.map(|inference| (inference.option, Role::Follows.ink())));
        }
        Reason::Split { item, branches } => {
            look.items.push((*item, Role::Truth.ink()));
            let tried = branches.iter().map(|branch| (branch.option, Role::Follows.ink()));
            look.tried.extend(tried.filter(|(option, _)| !step.off.contains(option)));
        }
        _ => {}
    }
    look.laid.extend(step.on.iter().map(|&option| (option, Role::Placed.ink())));
    look.tried.extend(falls.into_iter().map(|option| (option, Role::Falls.ink())));
    let sorts = [
        Role::Link,
        Role::Truth,
        Role::Excluded,
        Role::Follows,
        Role::Fails,
        Role::Placed,
        Role::Falls,
    ];
    look.words = sorts.map(|role| (role.ink(), role.words())).to_vec();
    look.options = roles.into_iter().map(|(option, role)| (option, role.ink())).collect();
    look
}

fn roles(explainer: &Explainer, step: &LogicStep) -> BTreeMap<OptionId, Role> {
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
            for inference in &supposition.inferences {
                put(inference.option, if inference.is_on { Role::Follows } else { Role::Excluded });
            }
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
