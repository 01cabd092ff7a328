//! Finds contradictions among sums before any search.
//!
//! The sums of clues, of rows and of other groups with every digit are linear equations of the
//! digits. Exact elimination combines these equations. A combination that no digits satisfy proves
//! that there is no solution. Such a combination is `0 = 1`, has a total that its cells cannot
//! reach, or has a total that is not a multiple of its factors. A search considers one clue at a
//! time and does not find such contradictions.
//!
//! Invariant: before a combination is reported, it is recomputed from the original equations.
//!
//! # Bounds
//! At most [`WORK_MAX`] terms are combined, and at most as many terms and pairs of digits are read
//! from the clues. If a factor exceeds 64 bits, the elimination of its row ends. At each bound the
//! question is left to the search.

use std::fmt::Write as _;

use super::board::VariantBoard;
use super::clue::{Clue, CluePart, Digit, Relation};
use super::rules::Summands;
use super::{Placed, Variant};
use grid::Grid;

/// Largest number of terms that an elimination combines, and of terms and pairs of digits that are
/// read from the clues. Each takes about 10 ms. 40 clues in a 9x9 grid need about 20,000.
const WORK_MAX: usize = 1 << 21;
/// Largest number of equations that a message names.
const SHOWN_MAX: usize = 24;

/// Cells or equations with their nonzero factors, in ascending order of the cells or equations.
type Terms = Vec<(usize, i64)>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EquationSource {
    /// The index of a clue.
    Clue(usize),
    /// The index of a group of the shape that has every digit.
    Group(usize),
}

/// A linear equation of the digits. The digits of filled cells are already subtracted from the
/// total.
#[derive(Clone, Debug)]
struct Equation {
    source: EquationSource,
    terms: Terms,
    total: i64,
}

/// A combination of equations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Combination {
    terms: Terms,
    total: i64,
    /// The equations with their factors; empty if they are not recorded.
    of: Terms,
}

/// The reason why no digits satisfy a combination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unsolvable {
    /// The combination has no cells, and its total is not 0.
    Empty,
    /// The left side is a multiple of this number, and the total is not.
    Multiple(i64),
    /// The left side is between these numbers, and the total is not.
    Range(i64, i64),
}

#[derive(Debug)]
struct Refutation {
    row: Combination,
    fault: Unsolvable,
}

fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    // Exceeds `i64` only for two factors of -2^63, which checked arithmetic then refuses.
    i64::try_from(a).unwrap_or(i64::MAX)
}

/// Returns `left * a - right * b`; `None` if a factor exceeds 64 bits.
fn merged(left: &Terms, a: i64, right: &Terms, b: i64) -> Option<Terms> {
    let mut sum = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
    loop {
        let next = match (left.peek(), right.peek()) {
            (None, None) => return Some(sum),
            (Some(one), Some(other)) => one.0.min(other.0),
            (one, other) => one.or(other)?.0,
        };
        let at_left = left.next_if(|term| term.0 == next).map_or(0, |term| term.1);
        let at_right = right.next_if(|term| term.0 == next).map_or(0, |term| term.1);
        let factor = at_left.checked_mul(a)?.checked_sub(at_right.checked_mul(b)?)?;
        if factor != 0 {
            sum.push((next, factor));
        }
    }
}

impl Combination {
    fn factor_of(&self, cell: usize) -> Option<i64> {
        let place = self.terms.binary_search_by_key(&cell, |term| term.0).ok()?;
        Some(self.terms[place].1)
    }

    /// Removes the pivot cell of another row; `None` if a factor exceeds 64 bits.
    fn without(&self, cell: usize, other: &Self) -> Option<Self> {
        let (own, pivot) = (self.factor_of(cell)?, other.factor_of(cell)?);
        let common = gcd(own, pivot);
        let (a, b) = (pivot / common, own / common);
        let mut row = Self {
            terms: merged(&self.terms, a, &other.terms, b)?,
            total: self.total.checked_mul(a)?.checked_sub(other.total.checked_mul(b)?)?,
            of: merged(&self.of, a, &other.of, b)?,
        };
        let factors = || row.terms.iter().chain(&row.of).map(|term| term.1);
        let common = factors().fold(row.total, gcd);
        if common > 1 {
            row.total /= common;
            row.terms.iter_mut().chain(&mut row.of).for_each(|term| term.1 /= common);
        }
        Some(row)
    }

    fn fault(&self, ranges: &[(i64, i64)]) -> Option<Unsolvable> {
        if self.terms.is_empty() {
            return (self.total != 0).then_some(Unsolvable::Empty);
        }
        let common = self.terms.iter().fold(0, |common, term| gcd(common, term.1));
        if self.total % common != 0 {
            return Some(Unsolvable::Multiple(common));
        }
        let (mut least, mut most) = (0_i64, 0_i64);
        for &(cell, factor) in &self.terms {
            let ends = [ranges[cell].0.checked_mul(factor)?, ranges[cell].1.checked_mul(factor)?];
            least = least.checked_add(ends[0].min(ends[1]))?;
            most = most.checked_add(ends[0].max(ends[1]))?;
        }
        (!(least..=most).contains(&self.total)).then_some(Unsolvable::Range(least, most))
    }
}

/// Eliminates cell by cell, and returns the first combination that no digits satisfy. With
/// `is_recorded` it has its equations.
fn eliminate(equations: &[Equation], ranges: &[(i64, i64)], is_recorded: bool) -> Option<Refutation> {
    let mut pivots: Vec<(usize, Combination)> = Vec::new();
    // The row of `pivots` that solves each cell. No other row has that cell.
    let mut solved: Vec<Option<usize>> = vec![None; ranges.len()];
    let mut work = 0;
    'equations: for (number, equation) in equations.iter().enumerate() {
        let of = if is_recorded { vec![(number, 1)] } else { Vec::new() };
        let mut row = Combination { terms: equation.terms.clone(), total: equation.total, of };
        for &(cell, _) in &equation.terms {
            let Some(pivot) = solved[cell] else { continue };
            let Some(next) = row.without(cell, &pivots[pivot].1) else { continue 'equations };
            row = next;
            work += row.terms.len();
            if work > WORK_MAX {
                return None;
            }
        }
        if let Some(fault) = row.fault(ranges) {
            return Some(Refutation { row, fault });
        }
        let Some(&(cell, _)) = row.terms.iter().min_by_key(|term| term.1.unsigned_abs()) else {
            continue;
        };
        for (_, other) in &mut pivots {
            if other.factor_of(cell).is_none() {
                continue;
            }
            // A row with too large factors cannot stay: it has a cell that the new row solves.
            let next = other.without(cell, &row)?;
            work += next.terms.len();
            if work > WORK_MAX {
                return None;
            }
            if let Some(fault) = next.fault(ranges) {
                return Some(Refutation { row: next, fault });
            }
            *other = next;
        }
        solved[cell] = Some(pivots.len());
        pivots.push((cell, row));
    }
    None
}

/// Returns a combination of equations that no digits satisfy, if elimination finds one.
fn refute(equations: &[Equation], ranges: &[(i64, i64)]) -> Option<Refutation> {
    // Most puzzles have no contradiction, and recording doubles the work.
    eliminate(equations, ranges, false)?;
    let found = eliminate(equations, ranges, true)?;
    let is_right = recompute(equations, ranges.len(), &found.row.of).is_some_and(|(factors, total)| {
        let same = |(cell, &factor): (usize, &i128)| {
            factor == i128::from(found.row.factor_of(cell).unwrap_or(0))
        };
        factors.iter().enumerate().all(same) && total == i128::from(found.row.total)
    });
    debug_assert!(is_right, "the combination leaves what elimination found");
    (is_right && found.row.fault(ranges) == Some(found.fault)).then_some(found)
}

/// Adds equations with factors, without elimination: the factors of all cells, and the total.
fn recompute(equations: &[Equation], cell_count: usize, of: &Terms) -> Option<(Vec<i128>, i128)> {
    let (mut factors, mut total) = (vec![0_i128; cell_count], 0_i128);
    for &(number, times) in of {
        let times = i128::from(times);
        for &(cell, factor) in &equations[number].terms {
            let term = times.checked_mul(i128::from(factor))?;
            factors[cell] = factors[cell].checked_add(term)?;
        }
        total = total.checked_add(times.checked_mul(i128::from(equations[number].total))?)?;
    }
    Some((factors, total))
}

/// Returns the smallest and the largest digit of each cell; `None` if a cell has no digit.
fn ranges(board: &VariantBoard, grid: &Grid, placed: &[Placed]) -> Option<Vec<(i64, i64)>> {
    let mut candidates: Vec<u64> =
        (0..board.shape.cell_count()).map(|cell| grid.candidates(cell)).collect();
    for part in placed.iter().flat_map(|placed| placed.clues.iter()).flat_map(|clue| &clue.parts) {
        if let CluePart::Only(cell, is_right) = part {
            let digits = board.digits().enumerate().filter(|&(_, digit)| is_right(digit));
            candidates[*cell] &= digits.fold(0, |set, (index, _)| set | 1 << index);
        }
    }
    let digit = |index: u32| i64::from(board.first) + i64::from(index);
    let range =
        |set: u64| (set != 0).then(|| (digit(set.trailing_zeros()), digit(63 - set.leading_zeros())));
    candidates.into_iter().map(range).collect()
}

/// Returns the equation that two related digits satisfy: a constant sum or difference. Adds the
/// number of tested pairs to `work`.
fn related(
    board: &VariantBoard,
    one: usize,
    other: usize,
    is_right: &Relation,
    work: &mut usize,
) -> Option<(Terms, i64)> {
    let [mut sum, mut difference] = [None, None].map(Some);
    let keep = |known: &mut Option<Option<i64>>, total: i64| match known {
        Some(None) => *known = Some(Some(total)),
        Some(Some(before)) if *before != total => *known = None,
        _ => {}
    };
    for first in board.digits() {
        *work += board.order();
        for second in board.digits().filter(|&second| is_right(first, second)) {
            keep(&mut sum, i64::from(first) + i64::from(second));
            keep(&mut difference, i64::from(first) - i64::from(second));
            if sum.is_none() && difference.is_none() {
                return None;
            }
        }
    }
    let of = |factor: i64| move |total: i64| (vec![(one, 1), (other, factor)], total);
    difference.flatten().map(of(-1)).or_else(|| sum.flatten().map(of(1)))
}

/// Returns the equations of the clues, then those of the shape; none if there are no clues.
fn equations(board: &VariantBoard, ranges: &[(i64, i64)], placed: &[Placed]) -> Vec<Equation> {
    let whole: i64 = board.digits().map(i64::from).sum();
    let (mut equations, mut work) = (Vec::new(), 0);
    let mut add =
        |source: EquationSource, terms: &mut dyn Iterator<Item = (usize, i64)>, total: i64| {
            let (mut terms, mut total) = (terms.collect::<Terms>(), Some(total));
            terms.sort_unstable_by_key(|term| term.0);
            let mut left = Terms::new();
            for (cell, factor) in terms {
                let (least, most) = ranges[cell];
                match left.last_mut() {
                    _ if least == most => {
                        let digit = least.checked_mul(factor);
                        total = total.zip(digit).and_then(|(total, digit)| total.checked_sub(digit));
                    }
                    Some(last) if last.0 == cell => last.1 += factor,
                    _ => left.push((cell, factor)),
                }
            }
            left.retain(|term| term.1 != 0);
            equations.extend(total.map(|total| Equation { source, terms: left, total }));
        };
    let plain = |cells: &[usize], factor: i64| {
        cells.iter().map(|&cell| (cell, factor)).collect::<Vec<_>>().into_iter()
    };
    for (number, placed) in placed.iter().enumerate() {
        let source = EquationSource::Clue(number);
        if placed.rule.summands == Some(Summands::Different)
            && let Some(&sum) = placed.args.values.first()
        {
            add(source, &mut plain(&placed.args.groups[0], 1), sum);
        }
        for part in placed.clues.iter().flat_map(|clue| &clue.parts) {
            if work > WORK_MAX {
                break;
            }
            match part {
                CluePart::Sum(terms, sum) => {
                    work += terms.iter().map(|(cells, _)| cells.len()).sum::<usize>();
                    let mut terms = terms.iter().flat_map(|(cells, factor)| plain(cells, *factor));
                    add(source, &mut terms, *sum);
                }
                CluePart::Differ(cells) | CluePart::Set(cells, _) if cells.len() == board.order() => {
                    add(source, &mut plain(cells, 1), whole);
                }
                CluePart::SameSets(groups) => {
                    work += 2 * groups.concat().len();
                    for cells in &groups[1..] {
                        add(source, &mut plain(&groups[0], 1).chain(plain(cells, -1)), 0);
                    }
                }
                CluePart::Relate(one, other, is_right) if one != other => {
                    if let Some((terms, total)) = related(board, *one, *other, is_right, &mut work) {
                        add(source, &mut terms.into_iter(), total);
                    }
                }
                _ => {}
            }
        }
    }
    // The rows and columns alone never contradict each other.
    if placed.is_empty() {
        return Vec::new();
    }
    for (number, group) in board.shape.groups().iter().enumerate() {
        if group.cells.len() == board.order() {
            add(EquationSource::Group(number), &mut plain(&group.cells, 1), whole);
        }
    }
    equations
}

/// A contradiction among sums.
#[derive(Debug)]
pub(super) struct LinearContradiction {
    pub(super) words: String,
    /// The cells of its equations that have no given digit.
    pub(super) cells: Vec<usize>,
    /// Whether it depends on digits of the grid.
    pub(super) has_given: bool,
}

impl Variant {
    pub(super) fn find_linear_contradiction(&self) -> Option<LinearContradiction> {
        let ranges = ranges(&self.board, &self.grid, &self.placed)?;
        let equations = equations(&self.board, &ranges, &self.placed);
        let found = refute(&equations, &ranges)?;
        let mut cells: Vec<usize> = Vec::new();
        for &(number, _) in &found.row.of {
            cells.extend(equations[number].terms.iter().map(|term| term.0));
        }
        cells.sort_unstable();
        cells.dedup();
        let is_filled = |&cell: &usize| self.grid.symbol(cell).is_some();
        let has_given = found.row.of.iter().any(|&(number, _)| match equations[number].source {
            EquationSource::Clue(clue) => {
                self.placed[clue].clues.iter().flat_map(|clue| &clue.cells).any(is_filled)
            }
            EquationSource::Group(group) => {
                self.board.shape.groups()[group].cells.iter().any(is_filled)
            }
        });
        let words = self.refutation_words(&equations, &found, has_given);
        Some(LinearContradiction { words, cells, has_given })
    }

    fn refutation_words(&self, equations: &[Equation], found: &Refutation, has_given: bool) -> String {
        let Refutation { row, fault } = found;
        let sign = row.terms.first().or(row.of.first()).map_or(1, |term| term.1.signum());
        let mut words = String::from("the sums contradict each other: ");
        let name = |number: usize| match equations[number].source {
            EquationSource::Clue(clue) => format!("`{}`", self.words(&self.placed[clue])),
            EquationSource::Group(group) => {
                let group = &self.board.shape.groups()[group];
                format!("{} {}", group.kind.name(), group.number + 1)
            }
        };
        let mut of: Terms = row.of.iter().map(|&(number, times)| (number, times * sign)).collect();
        of.sort_by_key(|term| term.1 < 0);
        let shown = of.into_iter().take(SHOWN_MAX);
        write_terms(&mut words, shown.map(|(number, times)| (name(number), times)));
        if row.of.len() > SHOWN_MAX {
            write!(words, " and {} more", row.of.len() - SHOWN_MAX).expect("a string grows");
        }
        words += if has_given { ", with the digits of the grid, leaves " } else { " leaves " };
        if row.terms.is_empty() {
            words.push('0');
        }
        write_terms(
            &mut words,
            row.terms.iter().map(|&(cell, factor)| (self.board.name(cell), factor * sign)),
        );
        write!(words, " = {}", row.total * sign).expect("a string grows");
        match *fault {
            Unsolvable::Empty => {}
            Unsolvable::Multiple(of) => {
                write!(words, ", which is no multiple of {of}").expect("a string grows");
            }
            Unsolvable::Range(least, most) => {
                let (least, most) = if sign < 0 { (-most, -least) } else { (least, most) };
                write!(words, ", expected a total from {least} to {most}").expect("a string grows");
            }
        }
        words
    }
}

/// Writes a linear expression such as `2 a + b - c`.
fn write_terms(words: &mut String, terms: impl Iterator<Item = (String, i64)>) {
    for (place, (name, factor)) in terms.enumerate() {
        words.push_str(match (place, factor < 0) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        });
        if factor.unsigned_abs() != 1 {
            write!(words, "{} ", factor.unsigned_abs()).expect("a string grows");
        }
        words.push_str(&name);
    }
}

/// Builds the clue of a puzzle without solution, for both translations.
pub(super) fn impossible() -> Clue {
    Clue::new(&[], |_: &[Digit]| false, vec![CluePart::Sum(Vec::new(), 1)])
}

#[cfg(test)]
mod tests {
    use dlx::{Engine as _, Limits, engine::Links};

    use crate::native;

    fn words(text: &str) -> Option<String> {
        native::read(text).unwrap().find_linear_contradiction().map(|found| found.words)
    }

    #[test]
    fn combinations_that_no_digits_satisfy_are_named() {
        let cases = [
            (
                "# sum: r1c1 r2c2 = 4\n# sum: r3c3 r4c4 = 4\n# sum: r1c1 r2c2 r3c3 r4c4 = 9\n",
                "`sum: r1c1 r2c2 = 4` + `sum: r3c3 r4c4 = 4` - `sum: r1c1 r2c2 r3c3 r4c4 = 9` leaves 0 = -1",
            ),
            ("# sum: r1c1 r2c2 = 4\n# sum: r2c2 r3c3 = 4\n# sum: r1c1 r3c3 = 5\n", "no multiple of 2"),
            (
                "# sum: r1c1 r2c3 = 4\n# sum: r1c1 r2c3 r4c4 = 12\n",
                "leaves r4c4 = 8, expected a total from 1 to 4",
            ),
            ("# sum: r1c1 r1c2 r1c3 r1c4 = 11\n", "row 1 leaves 0 = 1"),
            ("# killer: r1c1 r1c2 r1c3 = 5\n", "row 1 - `killer: r1c1 r1c2 r1c3 = 5` leaves r1c4 = 5"),
        ];
        for (clues, part) in cases {
            let words = words(&format!("# order: 4\n{clues}")).expect(clues);
            assert!(words.contains(part), "{words}");
        }
    }

    #[test]
    fn only_puzzles_without_solution_are_refuted() {
        let mut state = 46_u64;
        let mut random = move |below: u64| {
            state =
                state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let (mut refuted, mut solvable) = (0, 0);
        for _ in 0..400 {
            let order = 3 + random(2);
            let mut text = format!("# order: {order}\n# boxes: none\n");
            // The sums of a cyclic square, and often one that is too large.
            for _ in 0..1 + random(7) {
                let (mut line, mut sum) = (String::new(), 0);
                for cell in 0..order * order {
                    if random(3) == 0 {
                        let (row, column) = (cell / order, cell % order);
                        line += &format!(" r{}c{}", row + 1, column + 1);
                        sum += (row + column) % order + 1;
                    }
                }
                sum += u64::from(random(4) == 0);
                if !line.is_empty() {
                    text += &format!("# sum:{line} = {sum}\n");
                }
            }
            if !text.contains("sum:") {
                continue;
            }
            let variant = native::read(&text).unwrap();
            // The cover of the clues alone, without what was derived from them.
            let clues: Vec<_> = variant.placed.iter().flat_map(|placed| placed.clues.iter()).collect();
            let (board, grid) = (&variant.board, &variant.grid);
            let (problem, _) = crate::model::translate(board, grid, &clues, &[], usize::MAX).unwrap();
            let count = Links::new(&problem).count(&[], &Limits::new().solutions(1)).solutions;
            let is_refuted = variant.find_linear_contradiction().is_some();
            assert!(!is_refuted || count == 0, "{text}");
            refuted += u64::from(is_refuted);
            solvable += count;
        }
        assert!(refuted > 50 && solvable > 50, "{refuted} refuted, {solvable} solvable");
    }
}
