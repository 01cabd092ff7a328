//! Relations of adjacent cells, collected for the formats that draw them as dots or bars.

use std::collections::BTreeMap;

use super::{NamedClues, clue};
use crate::{Placed, Variant, VariantBoard};

/// A white dot or a bar: the digits of two cells differ by 1.
pub(super) const WHITE: u8 = 1;
/// A black dot: one of the two digits is twice the other.
pub(super) const BLACK: u8 = 2;
/// The two digits do not differ by 1.
pub(super) const NOT_WHITE: u8 = 4;
/// Neither digit is twice the other.
pub(super) const NOT_BLACK: u8 = 8;

/// The rules about pairs of adjacent cells, each with its default number and its relation.
const RULES: [(&str, i64, u8); 4] = [
    ("difference", 1, WHITE),
    ("ratio", 2, BLACK),
    ("no-difference", 1, NOT_WHITE),
    ("no-ratio", 2, NOT_BLACK),
];

/// The relations of each adjacent pair of cells. The smaller cell number comes first.
pub(super) type Dots = BTreeMap<(usize, usize), u8>;

pub(super) fn is_dot(placed: &Placed) -> bool {
    let name = placed.rule.name;
    name == "nonconsecutive" || RULES.iter().any(|(rule, ..)| *rule == name)
}

/// Returns the relations of each adjacent pair of cells, or 0 for a pair without relations.
pub(super) fn of(variant: &Variant) -> Result<Dots, &Placed> {
    let mut dots: Dots = variant.board.sides().into_iter().map(|pair| (pair, 0)).collect();
    for placed in variant.placed.iter().filter(|placed| is_dot(placed)) {
        let rule = RULES.iter().find(|(rule, ..)| *rule == placed.rule.name);
        let Some((_, number, dot)) = rule else {
            dots.values_mut().for_each(|said| *said |= NOT_WHITE);
            continue;
        };
        if placed.args.values.first().is_some_and(|value| value != number) {
            return Err(placed);
        }
        for pair in placed.args.groups[0].windows(2) {
            let pair = (pair[0].min(pair[1]), pair[0].max(pair[1]));
            *dots.get_mut(&pair).ok_or(placed)? |= dot;
        }
    }
    Ok(dots)
}

/// Returns the first pair that breaks the convention of Kropki. In Kropki each pair is either
/// white, or black, or neither white nor black.
pub(super) fn not_kropki(dots: &Dots) -> Option<(usize, usize)> {
    let is_kropki = |said: u8| [WHITE, BLACK, NOT_WHITE | NOT_BLACK].contains(&said);
    dots.iter().find(|(_, said)| !is_kropki(**said)).map(|(pair, _)| *pair)
}

/// Builds the clues of a Kropki puzzle, where a pair without a dot is neither white nor black.
pub(super) fn kropki(board: &VariantBoard, mark: impl Fn((usize, usize)) -> u8) -> NamedClues {
    let mut clues = NamedClues::new();
    for (one, other) in board.sides() {
        match mark((one, other)) {
            WHITE => clues.push(clue("difference", vec![one, other], vec![])),
            BLACK => clues.push(clue("ratio", vec![one, other], vec![])),
            _ => clues
                .extend(["no-difference", "no-ratio"].map(|name| clue(name, vec![one, other], vec![]))),
        }
    }
    clues
}
