//! Steps of puzzles of pieces in words: squares that need a piece, pieces that need a place, and
//! the holes that a wrong placement leaves.

use dlx::ItemId;
use dlx::explain::Reason;

use puzzle::{ItemRole, Puzzle};

/// Describes the reason of a step if all of its items are places and pieces.
pub(super) fn reason(puzzle: &dyn Puzzle, reason: &Reason) -> Option<String> {
    let name = |item: ItemId| name(puzzle, item);
    match reason {
        Reason::Forced { item } => Some(match role(puzzle, *item)? {
            ItemRole::Place => format!("only one placement can cover {}", name(*item)),
            ItemRole::Piece => format!("{} has one placement left", name(*item)),
        }),
        Reason::Sets { truths, links } => {
            if truths.iter().chain(links).any(|&item| role(puzzle, item).is_none()) {
                return None;
            }
            Some(match truths.as_slice() {
                [truth] => one_truth(puzzle, *truth, links),
                _ => several(puzzle, truths, links),
            })
        }
        _ => None,
    }
}

/// Returns the name of a step that has no common name, if all of its items are places and pieces.
pub(super) fn step_name(puzzle: &dyn Puzzle, reason: &Reason) -> Option<&'static str> {
    let Reason::Sets { truths, links } = reason else { return None };
    let mut roles = truths.iter().chain(links).map(|&item| role(puzzle, item));
    if !roles.all(|role| role.is_some()) {
        return None;
    }
    Some(match truths.as_slice() {
        [truth] if role(puzzle, *truth) == Some(ItemRole::Piece) => "piece without a place",
        [_] => "hole",
        _ => "too few places",
    })
}

/// Describes an item that has no option left.
pub(super) fn failure(puzzle: &dyn Puzzle, item: ItemId) -> Option<String> {
    Some(match role(puzzle, item)? {
        ItemRole::Place => format!("a hole at {}", name(puzzle, item)),
        ItemRole::Piece => format!("no place is left for {}", name(puzzle, item)),
    })
}

fn one_truth(puzzle: &dyn Puzzle, truth: ItemId, links: &[ItemId]) -> String {
    let (subject, lost) = match role(puzzle, truth) {
        Some(ItemRole::Piece) => ("placement of", "no place for"),
        _ => ("piece on", "a hole at"),
    };
    let truth = name(puzzle, truth);
    let is_place = |link: &&ItemId| role(puzzle, **link) == Some(ItemRole::Place);
    let places: Vec<String> = links.iter().filter(is_place).map(|&link| name(puzzle, link)).collect();
    let pieces = links.iter().filter(|link| !is_place(link)).map(|&link| name(puzzle, link));
    let mut uses: Vec<String> = pieces.map(|piece| format!("is {piece}")).collect();
    match places.as_slice() {
        [] => {}
        [place] => uses.insert(0, format!("takes {place}")),
        _ => uses.insert(0, format!("takes {}", listed(&places, "or"))),
    }
    let uses = listed(&uses, "or");
    match links.len() {
        1 => format!("every {subject} {truth} {uses}, so another piece there leaves {lost} {truth}"),
        _ => format!(
            "every {subject} {truth} {uses}; a placement that rules out all of these leaves {lost} {truth}"
        ),
    }
}

fn several(puzzle: &dyn Puzzle, truths: &[ItemId], links: &[ItemId]) -> String {
    let list = |items: &[ItemId]| {
        let names: Vec<String> = items.iter().map(|&item| name(puzzle, item)).collect();
        listed(&names, "and")
    };
    let (needs, uses, count) = (list(truths), list(links), truths.len());
    match links.len().saturating_sub(count) {
        0 => format!("{needs} need {count} placements, which use up {uses}"),
        spare => format!(
            "{needs} need at least {count} of {uses}; a placement that uses more than {spare} leaves too few"
        ),
    }
}

/// Joins names with commas and a last word.
fn listed(names: &[String], last_word: &str) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} {last_word} {last}", rest.join(", ")),
    }
}

fn role(puzzle: &dyn Puzzle, item: ItemId) -> Option<ItemRole> {
    puzzle.terms().item_role(item)
}

fn name(puzzle: &dyn Puzzle, item: ItemId) -> String {
    let words = puzzle.terms().item_words(item);
    words.unwrap_or_else(|| puzzle.problem().item_name(item).to_owned())
}
