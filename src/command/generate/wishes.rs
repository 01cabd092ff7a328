//! Refuses requests that no puzzle can satisfy before the first try, and sets the default number of
//! unsuccessful tries.

use std::ops::RangeInclusive;

use crate::command::explain::score::shown;
use crate::io::args::GenerateArgs;
use crate::io::gallery::ANSWERS_MAX;
use compare::show::count;
use farandole::algorithm::nine::as_sudoku;
use farandole::explain::technique_score;
use grid::{Grid, GroupKind, Shape};
use puzzle::{Puzzle, SymbolGrid};

/// Minimum number of clues of a 9x9 Sudoku (G. McGuire, B. Tugemann, G. Civario, 2012), and the
/// largest known number of clues of a minimal one.
const NINE_CLUES: RangeInclusive<usize> = 17..=40;
/// Minimum number of clues of smaller Sudoku, by width and height of a box. Found by complete
/// searches.
const FEWEST_CLUES: [((usize, usize), usize); 3] = [((2, 2), 4), ((3, 2), 8), ((2, 3), 8)];
/// Largest order whose Latin squares are known to need clues in at least a quarter of their cells,
/// rounded down.
const LATIN_ORDER_MAX: usize = 8;

/// Default number of consecutive tries without a puzzle after which `generate` gives up: about a
/// minute on two cores.
const LANES_TRIES: u64 = 2_000_000;
const BIASED_TRIES: u64 = 50_000_000;
const OTHER_TRIES: u64 = 10_000;
/// Width of the range of scores of a technique (in tenths). Long chains score up to 1.5 more than
/// the shortest.
const TECHNIQUE_SPAN: u32 = 15;
/// Default number of consecutive unsuccessful tries for killers, whose tries take longer.
const KILLER_TRIES: u64 = 2_000;
/// Default number of consecutive unsuccessful tries near other puzzles: several minutes on two
/// cores, since 17 clues may need 100,000.
const NEAR_TRIES: u64 = 1_000_000;
/// Largest number of clues for which the neighborhood is searched. Of random puzzles, one in 3,000
/// has 20 clues, and one in 70,000 has 19.
const FEW_CLUES: u32 = 19;
/// Smallest score (in tenths) for which the neighborhood is searched. Hardly one random puzzle in
/// 1,000 is harder.
const HIGH_SCORE: u32 = 92;
/// Default number of consecutive unsuccessful tries for rated puzzles, because rating takes longer
/// than generating.
const RATED_TRIES: u64 = 20_000;

/// Returns the largest number of consecutive tries without a puzzle, which is unlimited if the user
/// gives `--tries`.
pub(super) fn tries_in_vain(asked: &GenerateArgs, is_nine: bool, is_near: bool) -> u64 {
    let tries = match is_nine {
        true if is_near => return if asked.tries.is_some() { u64::MAX } else { NEAR_TRIES },
        true if asked.controlled_bias => BIASED_TRIES,
        true => LANES_TRIES,
        false if asked.killer => KILLER_TRIES,
        false => OTHER_TRIES,
    };
    let is_rating = asked.rating.is_some() || asked.technique.is_some();
    match (asked.tries, is_rating) {
        (Some(_), _) => u64::MAX,
        (None, true) => tries.min(RATED_TRIES),
        (None, false) => tries,
    }
}

/// Returns whether plain 9x9 Sudoku are searched in the neighborhood of others, because random
/// generation would hardly ever make a requested one.
pub(super) fn is_near(asked: &GenerateArgs) -> bool {
    let is_single = asked.symmetry == "none" && asked.pattern.is_none();
    let is_few = asked.clues.as_ref().is_some_and(|clues| *clues.end() <= FEW_CLUES);
    let is_hard = wanted_scores(asked).is_some_and(|scores| *scores.start() >= HIGH_SCORE);
    asked.like.is_some()
        || is_single && !asked.not_minimal && !asked.controlled_bias && (is_few || is_hard)
}

/// Returns the requested scores (in tenths), also those of a requested technique, if they are
/// known.
pub(super) fn wanted_scores(asked: &GenerateArgs) -> Option<RangeInclusive<u32>> {
    let of_technique = || {
        let score = technique_score(asked.technique.as_deref()?)?;
        Some(score..=score + TECHNIQUE_SPAN)
    };
    asked.rating.clone().or_else(of_technique)
}

/// Returns the distance of a value from a range, which is 0 inside.
pub(super) fn distance(wanted: &RangeInclusive<u32>, value: u32) -> u32 {
    wanted.start().saturating_sub(value).max(value.saturating_sub(*wanted.end()))
}

/// Checks that the score of some solving step is in the requested range.
pub(super) fn check_rating(asked: &GenerateArgs) -> Result<(), String> {
    let Some(wanted) = &asked.rating else { return Ok(()) };
    let scores = farandole::explain::scores();
    if scores.iter().any(|score| wanted.contains(score)) {
        return Ok(());
    }
    let below = scores.iter().rfind(|score| *score < wanted.start());
    let above = scores.iter().find(|score| *score > wanted.end());
    let nearest: Vec<String> = below.into_iter().chain(above).map(|&score| shown(score)).collect();
    Err(format!(
        "--rating: no step of logic has a score from {} to {}; the nearest are {}",
        shown(*wanted.start()),
        shown(*wanted.end()),
        nearest.join(" and ")
    ))
}

/// Checks that there is a page for the answers, with room for all of them.
pub(super) fn check_answers(asked: &GenerateArgs) -> Result<(), String> {
    if !asked.answers {
        return Ok(());
    }
    if asked.pictures.html.is_none() && asked.pictures.pdf.is_none() {
        return Err("--answers: expected --html or --pdf, found neither".to_owned());
    }
    if asked.count > ANSWERS_MAX as u64 {
        return Err(format!(
            "--answers: expected at most {ANSWERS_MAX} puzzles, found {}",
            asked.count
        ));
    }
    Ok(())
}

/// Checks that a puzzle with one solution can have the requested number of clues. If `units` is
/// given, the clues must form whole units.
pub(super) fn check_clues(
    asked: &GenerateArgs,
    puzzle: &dyn Puzzle,
    units: Option<&[Vec<usize>]>,
) -> Result<(), String> {
    let Some(clues) = &asked.clues else { return Ok(()) };
    let (least, most) = (*clues.start() as usize, *clues.end() as usize);
    let Some(grid) = puzzle.as_symbols().map(SymbolGrid::grid) else {
        return check_parts(puzzle, least);
    };
    let shape = grid.shape();
    let cells = (shape.rows() * shape.columns()).min(shape.cell_count());
    let given = (0..cells).filter(|&cell| grid.symbol(cell).is_some()).count();
    let free = cells - given;
    if least > free {
        return Err(format!("--clues: expected at most {free} clues, one a cell, found {least}"));
    }
    if let Some(units) = units
        && let Some(near) = out_of_reach(units, clues)
    {
        return Err(format!(
            "--clues: the cells of the symmetry or pattern cannot have {} clues; the nearest is {near}",
            if least == most { least.to_string() } else { format!("{least} to {most}") }
        ));
    }
    if let Some(fewest) = puzzle.as_fill().and_then(|fill| fewest_clues(fill.grid()))
        && most + given < fewest
    {
        return Err(format!(
            "--clues: expected at least {}, since with fewer there are several solutions, found {most}",
            fewest - given
        ));
    }
    let is_single = asked.symmetry == "none";
    if as_sudoku(puzzle).is_some() && given == 0 && !asked.not_minimal && is_single {
        let (fewest, known) = NINE_CLUES.into_inner();
        if least > known {
            return Err(format!(
                "--clues: minimal 9x9 Sudoku have {fewest} to about {known} clues, found {least}; add --not-minimal"
            ));
        }
    }
    Ok(())
}

/// For a puzzle that is not a grid, checks that every solution has at least `least` options that
/// can be clues.
fn check_parts(puzzle: &dyn Puzzle, least: usize) -> Result<(), String> {
    let problem = puzzle.problem();
    let primary = |option| problem.option(option).iter().filter(|entry| problem.is_primary(entry.item));
    let smallest = problem.options().map(|option| primary(option).count()).filter(|&count| count > 0);
    let Some(smallest) = smallest.min().filter(|_| !problem.has_bounds()) else { return Ok(()) };
    let most = (problem.primary_count() / smallest).saturating_sub(puzzle.given().len());
    if least > most {
        return Err(format!(
            "--clues: expected at most {most}, the parts of a solution, found {least}"
        ));
    }
    Ok(())
}

/// Returns the sum of unit sizes nearest to the range `wanted`, or `None` if a sum lies within the
/// range.
fn out_of_reach(units: &[Vec<usize>], wanted: &RangeInclusive<u32>) -> Option<usize> {
    let all: usize = units.iter().map(Vec::len).sum();
    let mut reached = vec![false; all + 1];
    reached[0] = true;
    let mut sizes: Vec<usize> = units.iter().map(Vec::len).collect();
    sizes.sort_unstable();
    for size in sizes {
        for count in (size..=all).rev() {
            reached[count] |= reached[count - size];
        }
    }
    let (least, most) = (*wanted.start() as usize, *wanted.end() as usize);
    let distance = |count: &usize| least.saturating_sub(*count).max(count.saturating_sub(most));
    let near = (0..=all).filter(|&count| reached[count]).min_by_key(distance)?;
    (distance(&near) > 0).then_some(near)
}

/// Returns a lower bound on the number of clues of any puzzle on `grid` with one solution.
fn fewest_clues(grid: &Grid) -> Option<usize> {
    let shape = grid.shape();
    let order = shape.order();
    let mut symbols: Vec<usize> =
        (0..shape.cell_count()).filter_map(|cell| grid.symbol(cell)).collect();
    let given = symbols.len();
    symbols.sort_unstable();
    symbols.dedup();
    // If two symbols have no clues, exchanging them gives a second solution.
    let of_symbols = given + (order - 1).saturating_sub(symbols.len());
    Some(plain_fewest(shape).unwrap_or(0).max(of_symbols)).filter(|&fewest| fewest > 0)
}

/// Returns the smallest number of clues of a plain Sudoku or Latin square, if known.
fn plain_fewest(shape: &Shape) -> Option<usize> {
    let is_latin =
        shape.groups().iter().all(|group| matches!(group.kind, GroupKind::Row | GroupKind::Column));
    if is_latin && shape.is_square() && shape.order() <= LATIN_ORDER_MAX {
        return Some(shape.order().pow(2) / 4);
    }
    let boxes = shape.boxes().filter(|_| shape.is_square() && shape.rules().is_empty())?;
    match boxes {
        (3, 3) => Some(*NINE_CLUES.start()),
        _ => FEWEST_CLUES.iter().find(|(known, _)| *known == boxes).map(|&(_, fewest)| fewest),
    }
}

/// Checks that cages of these sizes can cover a grid and leave one solution.
pub(super) fn check_cages(grid: &Grid, sizes: &RangeInclusive<usize>) -> Result<(), String> {
    let shape = grid.shape();
    let (order, cells) = (shape.order(), shape.rows() * shape.columns());
    let (least, most) = (*sizes.start(), (*sizes.end()).min(order));
    if least > order {
        return Err(format!(
            "--cage-size: expected cages of at most {order} cells, since their digits differ, found {least} and more"
        ));
    }
    if least == order && order > 1 {
        return Err(format!(
            "--cage-size: expected cages of fewer than {order} cells: with all {order} digits in each, digits can be \
             exchanged"
        ));
    }
    if cells.div_ceil(most) * least > cells {
        return Err(format!(
            "--cage-size: {cells} cells cannot be divided into cages of {}",
            if least == most { least.to_string() } else { format!("{least} to {most}") }
        ));
    }
    Ok(())
}

/// Describes a puzzle for the error message that an empty grid was expected.
pub(super) fn found(puzzle: &dyn Puzzle, kind: &str) -> String {
    match puzzle.as_symbols().map(SymbolGrid::grid) {
        None => format!("the kind {kind}"),
        // The only cell of a 1x1 grid is always filled in.
        Some(grid) if !grid.is_empty() && grid.shape().order() > 1 => "a grid with clues".to_owned(),
        Some(grid) => format!("a grid of {}", count(grid.shape().order(), "digit")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requested_clue_counts_are_sums_of_orbit_sizes() {
        let units = [vec![0], vec![1, 2, 3, 4], vec![5, 6, 7, 8]];
        assert_eq!(out_of_reach(&units, &(5..=5)), None);
        assert_eq!(out_of_reach(&units, &(2..=4)), None);
        assert_eq!(out_of_reach(&units, &(6..=6)), Some(5));
        assert_eq!(out_of_reach(&units, &(12..=20)), Some(9));
    }

    #[test]
    fn the_fewest_clues_of_small_squares_are_known() {
        let fewest = |shape: Shape| plain_fewest(&shape);
        assert_eq!(fewest(Shape::latin(5).unwrap()), Some(6));
        assert_eq!(fewest(Shape::sudoku(3, 3, &[]).unwrap()), Some(17));
        assert_eq!(fewest(Shape::sudoku(2, 3, &[]).unwrap()), Some(8));
        assert_eq!(fewest(Shape::sudoku(4, 4, &[]).unwrap()), None);
    }
}
