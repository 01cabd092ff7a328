//! Relations of adjacent cells, collected for the formats that draw them as dots or bars.

use std::collections::BTreeMap;

use super::{NamedClues, clue};
use crate::rules::Args;
use crate::{Placed, Variant, VariantBoard};

/// A white dot or a bar: the digits of two cells differ by 1.
pub(super) const WHITE: u8 = 1;
/// A black dot: one of the two digits is twice the other.
pub(super) const BLACK: u8 = 2;
/// The two digits do not differ by 1.
pub(super) const NOT_WHITE: u8 = 4;
/// Neither digit is twice the other.
pub(super) const NOT_BLACK: u8 = 8;

/// The relations and their rules. The last one holds for all pairs of adjacent cells.
const DOTS: [(u8, &str); 5] = [
    (WHITE, "difference"),
    (BLACK, "ratio"),
    (NOT_WHITE, "no-difference"),
    (NOT_BLACK, "no-ratio"),
    (NOT_WHITE, WHOLE),
];
const WHOLE: &str = "nonconsecutive";
/// The rules of dots.
pub(super) const RULES: [&str; 5] = [DOTS[0].1, DOTS[1].1, DOTS[2].1, DOTS[3].1, DOTS[4].1];

/// The relations of each adjacent pair of cells. The smaller cell number comes first.
pub(super) type Dots = BTreeMap<(usize, usize), u8>;

pub(super) fn is_dot(placed: &Placed) -> bool {
    RULES.contains(&placed.rule.name)
}

/// Returns the relations of each adjacent pair of cells, or 0 for a pair without relations.
pub(super) fn of(variant: &Variant) -> Result<Dots, &Placed> {
    let mut dots: Dots = variant.board.sides().into_iter().map(|pair| (pair, 0)).collect();
    for placed in variant.placed.iter().filter(|placed| is_dot(placed)) {
        let dot = DOTS.iter().find(|(_, rule)| *rule == placed.rule.name).map_or(0, |(dot, _)| *dot);
        if placed.args.groups.is_empty() {
            dots.values_mut().for_each(|said| *said |= dot);
            continue;
        }
        if placed.rule.value(&placed.args) != placed.rule.usual {
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

/// Builds the clues of a pair with these relations.
pub(super) fn clues((one, other): (usize, usize), said: u8) -> NamedClues {
    let rules = DOTS.iter().filter(|(dot, rule)| said & dot != 0 && *rule != WHOLE);
    rules.map(|(_, rule)| clue(rule, vec![one, other], vec![])).collect()
}

/// Builds the clue that no pair differs by 1.
pub(super) fn none_white() -> (&'static str, Args) {
    (WHOLE, Args::default())
}

/// Builds the clues of a Kropki puzzle, where a pair without a dot is neither white nor black.
pub(super) fn kropki(board: &VariantBoard, mark: impl Fn((usize, usize)) -> u8) -> NamedClues {
    let said = |pair| match mark(pair) {
        0 => NOT_WHITE | NOT_BLACK,
        dot => dot,
    };
    board.sides().into_iter().flat_map(|pair| clues(pair, said(pair))).collect()
}
