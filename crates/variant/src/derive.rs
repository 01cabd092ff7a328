//! Derives sums from cages. The digits of every row, column and region have the same sum (the rule
//! of 45).
//!
//! Consider a few consecutive rows, columns or regions. If some cages lie within them, the cells in
//! no such cage have the difference to the total as their sum. If some cages cover all of them, the
//! outer cells of these cages have the excess over the total as their sum. Each such sum is an
//! implied clue, which neither removes nor duplicates solutions and saves many dead ends of a
//! search. The translation uses only the derived sums that need few options.
//!
//! A cage that lies partly within also implies a difference of two sums ([`differences`]). A
//! difference needs too many options for an exact cover, but it suits the digit search.
//!
//! # Bounds
//! At most [`LEFT_MAX`] cells per sum, and at most [`HOUSES_MAX`] rows, columns or regions
//! together.

use std::collections::BTreeSet;

use super::Placed;
use super::board::VariantBoard;
use super::budget;
use super::cell_set::CellSet;
use super::clue::{Clue, CluePart, Digit};
use super::rules::{Args, by_name};
use grid::GroupKind;

/// Maximum number of cells of a derived sum.
const LEFT_MAX: usize = 9;
/// Maximum number of consecutive rows, columns or regions used to derive one sum.
const HOUSES_MAX: usize = 9;
/// Maximum number of cells of a derived difference, and maximum number of rows, columns or regions
/// used to derive it.
const DIFFERENCE_CELLS_MAX: usize = 6;
const DIFFERENCE_HOUSES_MAX: usize = 3;

/// Work of comparing a cage with houses, in units of [`budget::spend`].
const CAGE_WORK: u64 = 50;

type Cage = (CellSet, i64);

fn cages(board: &VariantBoard, placed: &[Placed]) -> Vec<Cage> {
    let with_sum = placed.iter().filter(|placed| placed.rule.summands.is_some());
    let cage = |placed: &Placed| {
        let cells = CellSet::of(board.shape.cell_count(), &placed.args.groups[0]);
        // Skip cages that name a cell twice, whose sum counts that cell twice.
        let is_plain = cells.len() == placed.args.groups[0].len();
        Some((cells, *placed.args.values.first().filter(|_| is_plain)?))
    };
    with_sum.filter_map(cage).collect()
}

/// Returns the rows, columns or regions that contain every digit.
fn houses(board: &VariantBoard, kind: GroupKind) -> Vec<&[usize]> {
    let groups = board.shape.groups().iter();
    let is_whole = |cells: &&[usize]| cells.len() == board.order();
    groups.filter(|group| group.kind == kind).map(|group| &group.cells[..]).filter(is_whole).collect()
}

/// Returns the differences of two sums that cages imply. The first sum is taken over the cells of
/// some rows, columns or regions that are in none of the used cages. The second sum is taken over
/// the cells of the used cages outside these rows, columns or regions. Each difference uses the
/// cages that lie within and one cage that lies partly within, or all cages that lie mainly within.
///
/// # Errors
/// If a limit is reached.
pub(super) fn differences(board: &VariantBoard, placed: &[Placed]) -> Result<Vec<Clue>, String> {
    let cages = cages(board, placed);
    let whole: i64 = board.digits().map(i64::from).sum();
    let mut known: BTreeSet<(CellSet, CellSet)> = BTreeSet::new();
    let mut clues = Vec::new();
    for kind in [GroupKind::Row, GroupKind::Column, GroupKind::Region] {
        let houses = houses(board, kind);
        for (first, count) in (0..houses.len())
            .flat_map(|first| (1..=DIFFERENCE_HOUSES_MAX).map(move |count| (first, count)))
        {
            let Some(together) = houses.get(first..first + count) else { continue };
            let cells = CellSet::of(board.shape.cell_count(), together.iter().copied().flatten());
            budget::spend_each(cages.len(), CAGE_WORK)?;
            let around = HouseRemainder::new(&cells, whole * count as i64, &cages);
            let partial: Vec<&Cage> = cages.iter().filter(|cage| around.is_partial(cage)).collect();
            let is_smaller = |(cage, _): &&Cage| 2 * cage.without(&cells).len() < cage.len();
            let smaller: Vec<&Cage> = partial.iter().copied().filter(is_smaller).collect();
            for chosen in partial.iter().map(|&cage| vec![cage]).chain([smaller]) {
                budget::spend(CAGE_WORK)?;
                let (left, beyond, missing) = around.with(&chosen);
                if !left.is_empty()
                    && !beyond.is_empty()
                    && left.len() + beyond.len() <= DIFFERENCE_CELLS_MAX
                    && known.insert((left.clone(), beyond.clone()))
                {
                    clues.push(difference(left.cells(), beyond.cells(), missing));
                }
            }
        }
    }
    Ok(clues)
}

/// Cells with a known sum, the cells among them that are in no cage within, and the sum of these
/// remaining cells.
struct HouseRemainder<'a> {
    cells: &'a CellSet,
    left: CellSet,
    missing: i64,
}

impl<'a> HouseRemainder<'a> {
    fn new(cells: &'a CellSet, sum: i64, cages: &[Cage]) -> Self {
        let (mut left, mut missing) = (cells.clone(), sum);
        for (cage, sum) in cages {
            if cage.is_subset(&left) {
                left.remove(cage);
                missing -= sum;
            }
        }
        Self { cells, left, missing }
    }

    /// Returns whether a cage lies partly within `cells`, and no cage within contains any of its
    /// cells.
    fn is_partial(&self, (cage, _): &Cage) -> bool {
        !cage.is_subset(self.cells)
            && !cage.is_disjoint(self.cells)
            && cage.and(self.cells).is_subset(&self.left)
    }

    /// Removes the disjoint ones among `cages`; returns the cells that are left, the cells of the
    /// removed cages outside `cells`, and the difference between the sums of both.
    fn with(&self, cages: &[&Cage]) -> (CellSet, CellSet, i64) {
        let nothing = self.left.without(&self.left);
        let (mut left, mut beyond, mut missing) = (self.left.clone(), nothing, self.missing);
        for (cage, sum) in cages {
            if cage.is_disjoint(&beyond) && cage.and(self.cells).is_subset(&left) {
                left.remove(cage);
                beyond.add(&cage.without(self.cells));
                missing -= sum;
            }
        }
        (left, beyond, missing)
    }
}

/// Builds the clue that the sum of `more` exceeds the sum of `less` by `by`.
fn difference(more: Vec<usize>, less: Vec<usize>, by: i64) -> Clue {
    let (cells, within) = ([&more[..], &less].concat(), more.len());
    let sum = |digits: &[Digit]| digits.iter().map(|&digit| i64::from(digit)).sum::<i64>();
    Clue::new(
        &cells,
        move |digits| sum(&digits[..within]) - sum(&digits[within..]) == by,
        vec![CluePart::Sum(vec![(more, 1), (less, -1)], by)],
    )
}

/// Returns an upper bound on the number of derived sums: two for each choice of consecutive rows,
/// columns or regions.
pub(super) fn sums_max(board: &VariantBoard, placed: &[Placed]) -> usize {
    if cages(board, placed).is_empty() {
        return 0;
    }
    let kinds = [GroupKind::Row, GroupKind::Column, GroupKind::Region];
    kinds.iter().map(|&kind| 2 * HOUSES_MAX * houses(board, kind).len()).sum()
}

/// Returns the sums implied by cages.
///
/// # Errors
/// If a limit is reached.
pub(super) fn sums(board: &VariantBoard, placed: &[Placed]) -> Result<Vec<Clue>, String> {
    let cages = cages(board, placed);
    if cages.is_empty() {
        return Ok(Vec::new());
    }
    let whole: i64 = board.digits().map(i64::from).sum();
    let mut known: BTreeSet<CellSet> = cages.iter().map(|(cells, _)| cells.clone()).collect();
    let mut clues = Vec::new();
    let cell_count = board.shape.cell_count();
    for kind in [GroupKind::Row, GroupKind::Column, GroupKind::Region] {
        let houses = houses(board, kind);
        let sets: Vec<CellSet> = houses.iter().map(|&house| CellSet::of(cell_count, house)).collect();
        budget::spend_each(cages.len() * houses.len(), CAGE_WORK)?;
        // The first and the last row, column or region that intersects each cage.
        let span = |(cage, _): &Cage| {
            let has = |house: &CellSet| !house.is_disjoint(cage);
            let first = sets.iter().position(has).unwrap_or(usize::MAX);
            (first, sets.iter().rposition(has).unwrap_or(0))
        };
        let spans: Vec<(usize, usize)> = cages.iter().map(span).collect();
        for (first, count) in
            (0..houses.len()).flat_map(|first| (1..=HOUSES_MAX).map(move |count| (first, count)))
        {
            let Some(together) = houses.get(first..first + count) else { continue };
            let cells = CellSet::of(cell_count, together.iter().copied().flatten());
            let total = whole * count as i64;
            // The cells outside all cages within the chosen rows, columns or regions, and the sum
            // of these cells.
            let (mut left, mut missing) = (cells.clone(), total);
            // For cages that together cover all cells: their outer cells, and the sum of these.
            let (mut open, mut beyond, mut too_much) =
                (cells.clone(), CellSet::of(cell_count, []), -total);
            budget::spend_each(cages.len(), CAGE_WORK)?;
            for ((cage, sum), &(from, to)) in cages.iter().zip(&spans) {
                if from >= first + count || to < first {
                    continue;
                }
                if from >= first && to < first + count && cage.is_subset(&left) {
                    left.remove(cage);
                    missing -= sum;
                }
                let (inside, outside) = (cage.and(&cells), cage.without(&cells));
                let is_apart = cage.is_disjoint(&beyond) && inside.is_subset(&open);
                if is_apart && !inside.is_empty() {
                    open.remove(cage);
                    beyond.add(&outside);
                    too_much += sum;
                }
            }
            let is_beyond = open.is_empty();
            for (cells, sum, is_sure) in [(left, missing, true), (beyond, too_much, is_beyond)] {
                if is_sure && (1..=LEFT_MAX).contains(&cells.len()) && known.insert(cells.clone()) {
                    clues.extend(sum_of(board, cells.cells(), sum));
                }
            }
        }
    }
    Ok(clues)
}

fn sum_of(board: &VariantBoard, list: Vec<usize>, sum: i64) -> Vec<Clue> {
    if let [cell] = list[..] {
        let is_right = move |digit: Digit| i64::from(digit) == sum;
        return vec![Clue::new(
            &list,
            move |digits| is_right(digits[0]),
            vec![CluePart::Only(cell, Box::new(is_right))],
        )];
    }
    let rule = by_name("sum").expect("a rule of the table");
    rule.clues(board, &Args { groups: vec![list], values: vec![sum], ..Args::default() })
        .unwrap_or_default()
}
