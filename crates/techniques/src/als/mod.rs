//! Almost locked sets: ALS-XZ, ALS-XY-wing, ALS chain, death blossom.
//!
//! An almost locked set has one candidate more than cells, all in one house. Without one of its
//! digits the others are locked: each stands in the set. Two sets have a restricted common x if
//! every x of one sees every x of the other; then x stands in at most one of both. So if a digit z
//! is missing in the first set of a chain, x stands there and not in the second set, and so on,
//! until z stands in the last set: what sees each z of the first and of the last set is eliminated.
//! Two sets with two restricted commons form a loop, in which everything is locked.
//!
//! # Method
//! Many sets have the same cells for a digit. These *places* (a digit and all cells of it in a set)
//! are the vertices of a graph: a set leads from one of its places, if the digit is missing there,
//! to its other places, where their digits stand; a place whose digit stands leads to the places
//! of this digit that see all of it. Breadth-first searches on bit rows of this graph decide
//! whether there is a wing or a chain; sets are looked up only for steps.
//!
//! # Bounds
//! Sets have at most [`sets::SIZE_MAX`] cells, chains at most [`chains::LENGTH_MAX`] sets, death
//! blossoms at most [`blossom::PETALS_MAX`] petals. Of several chains with the same ends only a
//! shortest one is a step. Sets may overlap; a restricted common has no cell in both.
//!
//! Source: HoDoKu's and SudokuWiki's definitions.

mod blossom;
mod chains;
mod pairs;
mod sets;

use limits::Limit;

use self::sets::Sets;
use crate::bits::{Cells, Digits};
use crate::board::Board;
use crate::search::Search;
use crate::step::{Chain, Group, Node, Part, Step, Truth};
use crate::technique::{Family, Technique};
use crate::words::Words;

pub(crate) const FAMILY: Family = Family {
    techniques: &[&pairs::SINGLY, &pairs::DOUBLY, &chains::WING, &chains::CHAIN, &blossom::BLOSSOM],
    find,
};

fn find(search: &mut Search<'_>) -> Result<(), Limit> {
    search.spend(50_000)?;
    let sets = Sets::new(search.board());
    if search.wants(pairs::SINGLY.score) {
        pairs::find(search, &sets)?;
    }
    if search.wants(chains::WING.score) {
        chains::find(search, &sets)?;
    }
    if search.wants(blossom::BLOSSOM.score) {
        blossom::find(search, &sets)?;
    }
    Ok(())
}

/// Returns the cells and the digits of all almost locked sets of 2 to `most` cells.
pub(crate) fn sets_of_cells(board: &Board, most: usize) -> Vec<(Cells, Digits)> {
    let mut sets = sets::all(board, most);
    sets.retain(|(cells, _)| cells.len() > 1);
    sets
}

/// Returns a step with one part per set, the restricted commons as links, and all cells as facts.
/// `links` has the digit between each set and the next.
fn new_step(
    technique: &'static Technique,
    sets: &Sets<'_>,
    chain: &[usize],
    links: &[(usize, usize, usize)],
) -> Step {
    let mut step = Step::new(technique);
    let mut cells = Cells::NONE;
    for (number, &set) in chain.iter().enumerate() {
        let set = &sets.list[set];
        let part = Part::Set(u8::try_from(number).unwrap_or(u8::MAX));
        step.groups.push(Group { part, cells: set.cells, digits: set.digits });
        cells |= set.cells;
    }
    for &(from, to, digit) in links {
        let cells = sets.spots(from, digit) | sets.spots(to, digit);
        step.groups.push(Group { part: Part::Link, cells, digits: Digits::one(digit) });
    }
    step.truths = cells.iter().map(Truth::Cell).collect();
    step
}

/// Returns whether the sets and a stem are a bent set of at most four cells: as many digits as
/// cells, of which all but one are restricted. These are XY-, XYZ- and WXYZ-wings.
fn is_bent(sets: &Sets<'_>, chain: &[usize], stem: Cells) -> bool {
    let cells = chain.iter().fold(stem, |all, &set| all | sets.list[set].cells);
    if cells.len() > 4 {
        return false;
    }
    let board = sets.board;
    let digits = board.marks_of(cells);
    let is_free = |&digit: &usize| !board.layout().all_see(cells & board.spots(digit));
    digits.len() == cells.len() && digits.iter().filter(is_free).count() == 1
}

/// Returns the nodes of a chain of sets; `first` is missing in the first set and is in the last.
fn nodes(sets: &Sets<'_>, chain: &[usize], links: &[usize], first: usize, is_loop: bool) -> Chain {
    let mut nodes = Vec::with_capacity(2 * chain.len());
    for (number, &set) in chain.iter().enumerate() {
        let before = if number == 0 { first } else { links[number - 1] };
        let after = links.get(number).copied().unwrap_or(first);
        let node = |digit, is_on| Node { cells: sets.spots(set, digit), digit, is_on };
        nodes.extend([node(before, false), node(after, true)]);
    }
    Chain { nodes, is_loop }
}

/// Returns the words for the set with a number.
fn tell_set(step: &Step, words: &Words<'_>, number: u8) -> String {
    let part = Part::Set(number);
    format!("{} ({})", words.cells(step.cells(part)), words.digits(step.digits(part)))
}
