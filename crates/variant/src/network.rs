//! Translates a grid with clues into the cells and rules of the digit search ([`digits`]).
//!
//! Each [`CluePart`] becomes a rule. The states of an automaton are numbered by layer, and states
//! with equal continuations are merged.

use std::collections::{BTreeMap, BTreeSet};

use digits::{DigitSet, Network, NetworkBuilder, WalkStep};

use super::board::VariantBoard;
use super::budget;
use super::clue::{Automaton, Clue, CluePart, Digit, WalkMeaning};
use super::model::OPTIONS_MAX;
use grid::{Grid, GroupKind};

/// Work charged for testing a pair of digits, for testing a set of digits by its bits or by the
/// test of a clue, and for a transition, in units of [`budget::spend`].
const PAIR_WORK: u64 = 20;
const BITS_WORK: u64 = 5;
const SET_WORK: u64 = 1000;
const WAY_WORK: u64 = 200;

/// The reason why a translation ends early.
enum Unfit {
    /// The clues exceed the capacity of the search on digits.
    Large,
    /// A limit was reached.
    Limit(String),
}

impl From<String> for Unfit {
    fn from(message: String) -> Self {
        Self::Limit(message)
    }
}

/// Largest number of digit sets for the cells between two others. Above it, an automaton is faster.
const SETS_MAX: usize = 512;

/// Largest number of digit classes of one rule which says that each class occurs, and largest
/// number of cells of such a rule.
const KINDS_MAX: usize = 4;
const CELLS_OF_KINDS_MAX: usize = 64;

/// Translates a grid, its clues and the derived clues; returns `None` if they exceed the capacity
/// of the digit search.
///
/// # Errors
/// If a limit is reached.
pub(super) fn translate(
    board: &VariantBoard,
    grid: &Grid,
    clues: &[&Clue],
    following: &[&[Clue]],
) -> Result<Option<Network>, String> {
    fitted(fitting(board, grid, clues, following, NetworkBuilder::differ))
}

/// Translates one clue, for the conclusions that follow from it alone: rows, columns and regions
/// only keep digits apart. Returns `None` as [`translate`] does.
///
/// # Errors
/// If a limit is reached.
pub(super) fn translate_alone(
    board: &VariantBoard,
    grid: &Grid,
    clues: &[&Clue],
) -> Result<Option<Network>, String> {
    fitted(fitting(board, grid, clues, &[], NetworkBuilder::apart))
}

fn fitted(network: Result<Network, Unfit>) -> Result<Option<Network>, String> {
    match network {
        Ok(network) => Ok(Some(network)),
        Err(Unfit::Large) => Ok(None),
        Err(Unfit::Limit(message)) => Err(message),
    }
}

fn fitting(
    board: &VariantBoard,
    grid: &Grid,
    clues: &[&Clue],
    following: &[&[Clue]],
    add_group: fn(&mut NetworkBuilder, &[usize]),
) -> Result<Network, Unfit> {
    let builder = NetworkBuilder::new(board.shape.cell_count(), board.order());
    let mut builder = builder.ok_or(Unfit::Large)?;
    for cell in 0..board.shape.cell_count() {
        builder.keep(cell, grid.candidates(cell) as DigitSet);
    }
    for group in board.shape.groups() {
        add_group(&mut builder, &group.cells);
    }
    let mut translation = NetworkDraft { board, builder, steps_left: OPTIONS_MAX };
    let clues = || clues.iter().copied().chain(following.iter().copied().flatten());
    let parts = || clues().flat_map(|clue| &clue.parts);
    // Apply restrictions of single cells first, because they reduce all other parts.
    for part in parts() {
        if let CluePart::Only(cell, is_right) = part {
            let digits = board.digits().enumerate().filter(|&(_, digit)| is_right(digit));
            translation.builder.keep(*cell, digits.fold(0, |set, (index, _)| set | 1 << index));
        }
    }
    for clue in clues() {
        translation.add_pairwise(clue)?;
        translation.add_often(clue)?;
        clue.parts.iter().try_for_each(|part| translation.add(part))?;
    }
    Ok(translation.builder.build())
}

struct NetworkDraft<'a> {
    board: &'a VariantBoard,
    builder: NetworkBuilder,
    steps_left: usize,
}

impl NetworkDraft<'_> {
    fn add(&mut self, part: &CluePart) -> Result<(), Unfit> {
        let first = self.board.first;
        let digit = |index: usize| first + index as Digit;
        match part {
            // Restrictions of single cells are already applied, and the counts of all digits in a
            // clue form one rule, added below.
            CluePart::Only(..) | CluePart::Often(..) => {}
            CluePart::Relate(one, other, is_right) => {
                budget::spend_each(self.board.order() * self.board.order(), PAIR_WORK)?;
                self.builder.pair(*one, *other, |one, other| is_right(digit(one), digit(other)));
            }
            CluePart::Differ(cells) => self.differ(cells)?,
            CluePart::SameSets(groups) => {
                groups.iter().try_for_each(|cells| self.differ(cells))?;
                groups[1..].iter().for_each(|cells| self.builder.same(&groups[0], cells));
            }
            CluePart::Set(cells, is_right) => {
                self.differ(cells)?;
                let order = self.board.order();
                let union = cells.iter().fold(0, |all, &cell| all | self.builder.digits(cell));
                let (mut sets, mut digits) = (Vec::new(), Vec::new());
                for set in self.sets(cells.len())? {
                    if set & !union != 0 {
                        continue;
                    }
                    budget::spend(SET_WORK)?;
                    digits.clear();
                    digits.extend((0..order).filter(|index| set >> index & 1 == 1).map(digit));
                    sets.extend(is_right(&digits).then_some(set));
                }
                self.builder.sets(cells, sets);
            }
            CluePart::Sum(terms, sum) => {
                let terms = || {
                    terms.iter().flat_map(|(cells, factor)| cells.iter().map(|&cell| (cell, *factor)))
                };
                // The sum rule of the digit search numbers digits from 0.
                let least: i64 = terms().map(|(_, factor)| factor * i64::from(first)).sum();
                let sum = i32::try_from(sum - least).map_err(|_| Unfit::Large)?;
                let size: i64 =
                    terms().map(|(_, factor)| factor.abs() * self.board.order() as i64).sum();
                i16::try_from(size).map_err(|_| Unfit::Large)?;
                budget::spend(PAIR_WORK * size.unsigned_abs())?;
                self.builder.sum(terms().map(|(cell, factor)| (cell, factor as i32)), sum);
            }
            CluePart::Automaton(cells, walk) => {
                let is_known = match &walk.meaning {
                    Some(meaning) => self.add_meaning(cells, meaning)?,
                    None => false,
                };
                if !is_known {
                    self.add_walk(cells, walk)?;
                }
            }
            CluePart::Deferred(deferred) => {
                if !self.add_meaning(&deferred.cells, &deferred.meaning)? {
                    self.add(deferred.part()?)?;
                }
            }
        }
        Ok(())
    }

    fn differ(&mut self, cells: &[usize]) -> Result<(), Unfit> {
        budget::spend_each(cells.len() * cells.len(), PAIR_WORK)?;
        self.builder.differ(cells);
        Ok(())
    }

    /// Returns the sets of `size` digits, in ascending order.
    fn sets(&self, size: usize) -> Result<impl Iterator<Item = DigitSet> + use<>, Unfit> {
        budget::spend(BITS_WORK << self.board.order())?;
        Ok((0..=self.all()).filter(move |set| set.count_ones() as usize == size))
    }

    fn add_often(&mut self, clue: &Clue) -> Result<(), Unfit> {
        let is_once = clue.cells.iter().collect::<BTreeSet<_>>().len() == clue.cells.len();
        budget::spend_each(clue.cells.len(), PAIR_WORK)?;
        let unused = 127_usize.checked_sub(clue.cells.len()).ok_or(Unfit::Large)?;
        let any = u128::MAX >> unused;
        let mut often = vec![any; self.board.order()];
        for part in &clue.parts {
            let CluePart::Often(cells, digit, counts) = part else { continue };
            if is_once && *cells == clue.cells {
                often[(digit - self.board.first) as usize] &= counts;
            } else {
                self.add_walk(cells, &Automaton::counting(*digit, *counts))?;
            }
        }
        if often.iter().any(|&counts| counts != any) {
            self.add_often_beside(&clue.cells, &often);
            self.builder.often(&clue.cells, often);
        }
        Ok(())
    }

    /// Adds the counts of each digit in all cells outside `cells`, unless these are more cells than
    /// in `cells`. If each row has every digit, each digit occurs once per row, which determines
    /// these counts.
    fn add_often_beside(&mut self, cells: &[usize], often: &[u128]) {
        let rows = self.board.shape.groups().iter().filter(|group| group.kind == GroupKind::Row);
        let rows: Vec<&[usize]> = rows.map(|row| &row.cells[..]).collect();
        let is_whole = rows.iter().all(|row| row.len() == self.board.order());
        let mut others: BTreeSet<usize> = rows.concat().into_iter().collect();
        if !is_whole || !cells.iter().all(|cell| others.remove(cell)) || others.len() > cells.len() {
            return;
        }
        let others: Vec<usize> = others.into_iter().collect();
        let beside = |counts: &u128| {
            let counts = (0..=rows.len()).filter(|count| counts >> count & 1 == 1);
            counts.fold(0, |beside, count| beside | 1 << (rows.len() - count))
        };
        self.builder.often(&others, often.iter().map(beside).collect());
    }

    /// If a clue relates all pairs of its cells by the same relation, and the relation excludes
    /// equal digits, adds the sets of digits that the cells can have together.
    fn add_pairwise(&mut self, clue: &Clue) -> Result<(), Unfit> {
        let (count, order) = (clue.cells.len(), self.board.order());
        if count < 3 || clue.parts.len() != count * (count - 1) / 2 {
            return Ok(());
        }
        budget::spend_each(clue.parts.len() * order * order, PAIR_WORK)?;
        let table = |part: &CluePart| -> Option<Vec<DigitSet>> {
            let CluePart::Relate(_, _, is_right) = part else { return None };
            let digit = |index: usize| self.board.first + index as Digit;
            let row = |one| {
                let others = (0..order).filter(move |&other| is_right(digit(one), digit(other)));
                others.fold(0, |row, other| row | 1 << other)
            };
            Some((0..order).map(row).collect())
        };
        let Some(rows) = table(&clue.parts[0]) else { return Ok(()) };
        let is_symmetric = (0..order).all(|one| {
            rows[one] >> one & 1 == 0
                && (0..one).all(|other| rows[one] >> other & 1 == rows[other] >> one & 1)
        });
        if !is_symmetric || clue.parts.iter().any(|part| table(part).is_none_or(|other| other != rows))
        {
            return Ok(());
        }
        let is_right =
            |set: &DigitSet| (0..order).all(|one| set >> one & 1 == 0 || set & !rows[one] == 1 << one);
        let sets = self.sets(count)?.filter(is_right).collect();
        self.differ(&clue.cells)?;
        self.builder.sets(&clue.cells, sets);
        Ok(())
    }

    fn all(&self) -> DigitSet {
        ((1_u32 << self.board.order()) - 1) as DigitSet
    }

    /// Adds the rule for the meaning of an automaton. Returns whether such a rule exists.
    fn add_meaning(&mut self, cells: &[usize], meaning: &WalkMeaning) -> Result<bool, Unfit> {
        Ok(match meaning {
            WalkMeaning::SumBetween(ends, sum) => self.add_sum_between(cells, *ends, *sum)?,
            WalkMeaning::SumOfFirst(sum) => self.add_sum_of_first(cells, *sum)?,
            WalkMeaning::EachOf(kinds) => {
                // For more digit classes, an automaton infers more than the rule.
                let is_small = cells.len() <= CELLS_OF_KINDS_MAX && kinds.len() <= KINDS_MAX;
                if is_small {
                    let set = |digits: &Vec<Digit>| {
                        let known = digits.iter().filter(|&digit| self.board.digits().contains(digit));
                        known.fold(0, |set, digit| set | 1 << (digit - self.board.first))
                    };
                    let kinds: Vec<Vec<DigitSet>> =
                        kinds.iter().map(|kind| kind.iter().map(set).collect()).collect();
                    self.builder.each_of(cells, &kinds);
                }
                is_small
            }
            WalkMeaning::Runs(sum, is_loop) => {
                let numbers = u32::try_from(self.board.first).ok().zip(u32::try_from(*sum).ok());
                numbers.is_some_and(|(first, sum)| self.builder.runs(cells, first, sum, *is_loop))
            }
            WalkMeaning::Rank(first, needed, may_tie) => {
                budget::spend_each(cells.len(), PAIR_WORK)?;
                let first = (first - self.board.first) as usize;
                self.builder.rank(cells, self.board.order(), first, *needed, *may_tie);
                true
            }
        })
    }

    /// Adds the rule for the sum of the first n cells, where n is the first digit; returns whether
    /// the rule can be applied.
    fn add_sum_of_first(&mut self, cells: &[usize], sum: i64) -> Result<bool, Unfit> {
        let order = self.board.order();
        let first = i64::from(self.board.first);
        // With more than nine digits, the rule would have too many sets.
        let is_small = order <= 9 && cells.len() <= order && first >= 0;
        if is_small {
            budget::spend_each(order, BITS_WORK << order)?;
            let sum_of = |set: DigitSet| {
                (0..order)
                    .filter(|index| set >> index & 1 == 1)
                    .map(|index| first + index as i64)
                    .sum::<i64>()
            };
            let of_digit = |index: usize| {
                let digit = first + index as i64;
                let count = usize::try_from(digit - 1).ok().filter(|&count| count < cells.len())?;
                let fits = |set: &DigitSet| {
                    set.count_ones() as usize == count
                        && set >> index & 1 == 0
                        && sum_of(*set) + digit == sum
                };
                Some((count, (0..=self.all()).filter(fits).collect()))
            };
            let sets = (0..order).map(of_digit).collect();
            self.differ(cells)?;
            self.builder.prefix(cells, sets);
        }
        Ok(is_small)
    }

    /// Adds the rule for the sum of the cells between two digits; returns whether the rule can be
    /// applied.
    fn add_sum_between(
        &mut self,
        cells: &[usize],
        ends: Option<[Digit; 2]>,
        sum: i64,
    ) -> Result<bool, Unfit> {
        budget::spend_each(self.board.order(), BITS_WORK << self.board.order())?;
        let digit = |index: usize| i64::from(self.board.first) + index as i64;
        let order = self.board.order();
        let ends = ends.map_or(0, |ends| {
            ends.iter().fold(0, |set, end| set | 1 << (end - self.board.first) as usize)
        });
        let sum_of =
            |set: DigitSet| (0..order).filter(|index| set >> index & 1 == 1).map(digit).sum::<i64>();
        let sets: Vec<DigitSet> =
            (0..=self.all()).filter(|&set| set & ends == 0 && sum_of(set) == sum).collect();
        let is_small = sets.len() <= SETS_MAX && cells.len() <= order;
        if is_small {
            self.differ(cells)?;
            self.builder.between(cells, ends, &sets);
        }
        Ok(is_small)
    }

    fn add_walk(&mut self, cells: &[usize], walk: &Automaton) -> Result<(), Unfit> {
        let mut layers = vec![walk.starts.iter().copied().collect::<BTreeSet<i64>>()];
        let mut ways: Vec<Vec<(i64, usize, i64)>> = Vec::new();
        for (place, &cell) in cells.iter().enumerate() {
            let digits = self.builder.digits(cell);
            let mut on = Vec::new();
            for &state in &layers[place] {
                budget::spend_each(self.board.order(), WAY_WORK)?;
                for index in (0..self.board.order()).filter(|index| digits >> index & 1 == 1) {
                    let after = (walk.step)(place, state, self.board.first + index as Digit);
                    on.extend(after.map(|after| (state, index, after)));
                }
            }
            self.steps_left = self.steps_left.checked_sub(on.len()).ok_or(Unfit::Large)?;
            layers.push(on.iter().map(|&(_, _, after)| after).collect());
            ways.push(on);
        }
        // Backward pass: two states are equivalent if each digit leads to equivalent states.
        let last = layers.pop().into_iter().flatten().filter(|&state| (walk.is_end)(state));
        let mut alike: BTreeMap<i64, u16> = last.map(|state| (state, 0)).collect();
        let mut steps = Vec::new();
        for on in ways.iter().rev() {
            let mut classes: BTreeMap<Vec<(u16, DigitSet)>, u16> = BTreeMap::new();
            let mut next = BTreeMap::new();
            budget::spend_each(on.len(), WAY_WORK)?;
            for way in on.chunk_by(|one, other| one.0 == other.0) {
                let mut to: BTreeMap<u16, DigitSet> = BTreeMap::new();
                for &(_, index, after) in way {
                    if let Some(&after) = alike.get(&after) {
                        *to.entry(after).or_default() |= 1 << index;
                    }
                }
                if to.is_empty() {
                    continue;
                }
                let number = u16::try_from(classes.len()).map_err(|_| Unfit::Large)?;
                let number = *classes.entry(to.into_iter().collect()).or_insert(number);
                next.insert(way[0].0, number);
            }
            let mut of_layer: Vec<WalkStep> = classes
                .into_iter()
                .flat_map(|(to, from)| {
                    to.into_iter().map(move |(to, digits)| WalkStep { from, digits, to })
                })
                .collect();
            of_layer.sort_unstable();
            steps.push(of_layer);
            alike = next;
        }
        steps.reverse();
        let starts: BTreeSet<u16> =
            walk.starts.iter().filter_map(|start| alike.get(start)).copied().collect();
        // The start states are the only states of the first layer.
        self.builder.walk(cells, starts.len(), steps);
        Ok(())
    }
}
