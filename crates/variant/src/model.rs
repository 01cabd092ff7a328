//! Translates a grid with clues into an exact cover.
//!
//! An option puts a digit into a cell, as in [`fill`](puzzle::fill). It covers the item of the cell
//! and an item of that digit in each row, column and region. That item is primary if the group has
//! as many cells as there are digits. Otherwise it is secondary, because the digit may be absent.
//! Cells outside the rows are ordinary cells without a row and column. Each [`CluePart`] of a clue
//! adds items and options:
//! - *only*: options are omitted;
//! - *relate*: each digit of one cell that excludes digits of the other cell gets a secondary item.
//!   Its option and the excluded options of the other cell contain that item. No options are added;
//! - *differ*: one item for each digit. It is primary if there are as many cells as digits,
//!   otherwise secondary;
//! - *set*: an item for the set, and one for each digit in it. For each possible set of digits, an
//!   option covers the item of the set and the items of the digits that are *not* in it. The cells
//!   cover the items of the other digits. A cage of nine digits has at most 12 such options,
//!   although it may have 40,320 fillings, and its items show which digits it requires;
//! - *same sets*: an item for each group and digit. For each digit, an option covers the items of
//!   that digit in all groups, and means that no group has the digit;
//! - *sum*: cells with the same factor in one row, column or region form a set, and an automaton
//!   adds up the totals of the sets. The total of a set is the color of a secondary item. The first
//!   set directly determines the state after it, and the last set the state before it, so only the
//!   sets between them need steps. A diagonal of nine cells has three sets of 84 options each and
//!   about 200 options for steps. A sum within one row is a single set;
//! - *automaton*: an item for each step except the first, and an option for each state, digit and
//!   next state on an accepting path. States are colors of secondary items between the steps.
//!   Digits are colors of a secondary item of the cell. The options of the first cell directly
//!   contain the state after it.
//!
//! Options of cells come first, so a cover directly gives its grid.
//!
//! # Bounds
//! At most [`OPTIONS_MAX`] options of sets and automata in total. Larger problems are refused.
//! [`most_options`] bounds this number without a translation.

mod most;
mod sums;

use std::collections::{BTreeMap, BTreeSet};

use dlx::{Color, Entry, ItemId, Problem, ProblemBuilder};

pub(super) use self::most::most_options;
use super::board::VariantBoard;
use super::budget;
use super::clue::{Automaton, Clue, CluePart, Digit};
use grid::Grid;

/// Work charged for an option, and for a transition, in units of [`budget::spend`].
const OPTION_WORK: u64 = 1000;
const WAY_WORK: u64 = 200;
/// Work of adding an entry to the problem.
const ENTRY_WORK: u64 = 50;
/// Work of testing a pair of digits of a relation, or a set of digits.
const TEST_WORK: u64 = 20;

/// Maximum number of options other than those of the cells.
pub(super) const OPTIONS_MAX: usize = 200_000;

const SOUND: &str = "names are all different, and entries of different items";

struct Model<'a> {
    board: &'a VariantBoard,
    builder: ProblemBuilder,
    /// For each cell and digit: whether the digit is allowed, and the entries of its option.
    allowed: Vec<bool>,
    entries: Vec<Vec<Entry>>,
    /// For each cell, the secondary item whose color is the digit of the cell, if an automaton uses
    /// it.
    values: Vec<Option<ItemId>>,
    colors: BTreeMap<i64, Color>,
    options: Vec<Vec<Entry>>,
    options_max: usize,
    number: usize,
    /// Whether the clue being translated is derived from other clues.
    is_following: bool,
}

/// Translates a grid, its clues and the derived clues; returns the problem, and the cell and symbol
/// of each of its first options.
pub(super) fn translate(
    board: &VariantBoard,
    grid: &Grid,
    clues: &[&Clue],
    following: &[Clue],
    options_max: usize,
) -> Result<(Problem, Vec<(u32, u32)>), String> {
    let order = board.order();
    let cells = board.shape.cell_count();
    let allowed = (0..cells * order)
        .map(|place| grid.candidates(place / order) >> (place % order) & 1 == 1)
        .collect();
    let mut model = Model {
        board,
        builder: ProblemBuilder::new(),
        allowed,
        entries: vec![Vec::new(); cells * order],
        values: vec![None; cells],
        colors: BTreeMap::new(),
        options: Vec::new(),
        options_max,
        number: 0,
        is_following: false,
    };
    model.add_grid()?;
    for part in clues.iter().copied().chain(following).flat_map(|clue| &clue.parts) {
        // Apply restrictions of single cells first, because they reduce all other parts.
        if let CluePart::Only(cell, is_right) = part {
            for digit in board.digits().filter(|&digit| !is_right(digit)) {
                let place = model.place(*cell, digit);
                model.allowed[place] = false;
            }
        }
    }
    for clue in clues {
        for part in &clue.parts {
            model.add(part)?;
        }
    }
    model.is_following = true;
    for part in following.iter().flat_map(|clue| &clue.parts) {
        model.add(part)?;
    }
    model.build()
}

impl Model<'_> {
    fn place(&self, cell: usize, digit: Digit) -> usize {
        cell * self.board.order() + (digit - self.board.first) as usize
    }

    fn digits(&self, cell: usize) -> Vec<Digit> {
        let is_allowed = |&digit: &Digit| self.allowed[self.place(cell, digit)];
        self.board.digits().filter(is_allowed).collect()
    }

    fn primary(&mut self, name: &str) -> ItemId {
        self.builder.primary(name).expect(SOUND)
    }

    fn secondary(&mut self, name: &str) -> ItemId {
        self.builder.secondary(name).expect(SOUND)
    }

    fn color(&mut self, value: i64) -> Color {
        let builder = &mut self.builder;
        *self.colors.entry(value).or_insert_with(|| builder.color(&value.to_string()).expect(SOUND))
    }

    /// Adds the items of cells, rows, columns and regions, and of the extra rules of the shape.
    fn add_grid(&mut self) -> Result<(), String> {
        let board = self.board;
        for cell in 0..board.shape.cell_count() {
            let item = self.primary(&board.name(cell));
            for digit in board.digits() {
                let place = self.place(cell, digit);
                self.entries[place].push(item.into());
            }
        }
        for group in board.shape.groups() {
            let letter = group.kind.letter();
            self.add_group(&format!("{letter}{}", group.number + 1), &group.cells)?;
        }
        Ok(())
    }

    /// For cells that must differ, adds an item for each digit.
    fn add_group(&mut self, name: &str, cells: &[usize]) -> Result<(), String> {
        let board = self.board;
        budget::spend_each(cells.len() * board.order(), ENTRY_WORK)?;
        for digit in board.digits() {
            let name = format!("{name}s{digit}");
            let is_primary = cells.len() == board.order();
            let item = if is_primary { self.primary(&name) } else { self.secondary(&name) };
            for &cell in cells {
                let place = self.place(cell, digit);
                self.entries[place].push(item.into());
            }
        }
        Ok(())
    }

    fn add(&mut self, part: &CluePart) -> Result<(), String> {
        self.number += 1;
        let number = self.number;
        match part {
            CluePart::Only(..) => {}
            CluePart::Relate(one, other, is_right) => {
                self.add_relation(number, *one, *other, is_right)?;
            }
            CluePart::Differ(cells) => self.add_group(&format!("x{number}"), cells)?,
            CluePart::Set(cells, is_right) => {
                self.add_set(&format!("k{number}"), cells, is_right, &mut |_, _| Some(None))?;
            }
            CluePart::SameSets(groups) => self.add_same_sets(number, groups)?,
            CluePart::Sum(terms, sum) => self.add_sum(number, terms, *sum)?,
            CluePart::Often(cells, digit, often) => {
                self.add_walk(number, cells, &Automaton::counting(*digit, *often))?;
            }
            CluePart::Automaton(cells, walk) => self.add_walk(number, cells, walk)?,
            CluePart::Deferred(deferred) => {
                self.number -= 1;
                self.add(deferred.part()?)?;
            }
        }
        Ok(())
    }

    fn add_relation(
        &mut self,
        number: usize,
        one: usize,
        other: usize,
        is_right: &(dyn Fn(Digit, Digit) -> bool + Send + Sync),
    ) -> Result<(), String> {
        for digit in self.digits(one) {
            budget::spend_each(self.board.order(), TEST_WORK)?;
            let wrong: Vec<Digit> =
                self.digits(other).into_iter().filter(|&second| !is_right(digit, second)).collect();
            if wrong.is_empty() {
                continue;
            }
            let item = self.secondary(&format!("p{number}s{digit}"));
            let place = self.place(one, digit);
            self.entries[place].push(item.into());
            for digit in wrong {
                let place = self.place(other, digit);
                self.entries[place].push(item.into());
            }
        }
        Ok(())
    }

    fn add_same_sets(&mut self, number: usize, groups: &[Vec<usize>]) -> Result<(), String> {
        for digit in self.board.digits() {
            budget::spend_each(groups.iter().map(Vec::len).sum(), ENTRY_WORK)?;
            let mut absent = Vec::with_capacity(groups.len());
            for (place, cells) in groups.iter().enumerate() {
                let item = self.primary(&format!("k{number}.{}s{digit}", place + 1));
                for &cell in cells {
                    let place = self.place(cell, digit);
                    self.entries[place].push(item.into());
                }
                absent.push(item.into());
            }
            self.push(absent)?;
        }
        Ok(())
    }

    fn push(&mut self, option: Vec<Entry>) -> Result<(), String> {
        if self.options.len() == self.options_max {
            return Err(self.too_many());
        }
        budget::spend(OPTION_WORK)?;
        self.options.push(option);
        Ok(())
    }

    fn too_many(&self) -> String {
        format!("the translation has more than {} options at this clue or before", self.options_max)
    }

    /// Returns the secondary item whose color is the digit of a cell.
    fn value(&mut self, cell: usize) -> ItemId {
        if let Some(item) = self.values[cell] {
            return item;
        }
        let item = self.secondary(&format!("v{}", self.board.name(cell)));
        self.values[cell] = Some(item);
        for digit in self.board.digits() {
            let color = self.color(i64::from(digit));
            let place = self.place(cell, digit);
            self.entries[place].push(item.with(color));
        }
        item
    }

    /// Adds an automaton that reads the digits of cells. With a single start state, the first digit
    /// determines the next state, so the first cell needs no step.
    fn add_walk(&mut self, number: usize, cells: &[usize], walk: &Automaton) -> Result<(), String> {
        // Forward pass: collect the reachable states before each step, and the transitions.
        let mut layers = vec![walk.starts.iter().copied().collect::<BTreeSet<i64>>()];
        let mut ways: Vec<Vec<(i64, Digit, i64)>> = Vec::new();
        let mut count = self.options.len();
        for (place, &cell) in cells.iter().enumerate() {
            let (mut next, mut on) = (BTreeSet::new(), Vec::new());
            let digits = self.digits(cell);
            for &state in &layers[place] {
                budget::spend_each(digits.len(), WAY_WORK)?;
                for &digit in &digits {
                    if let Some(after) = (walk.step)(place, state, digit) {
                        next.insert(after);
                        on.push((state, digit, after));
                    }
                }
            }
            count += on.len();
            if count > self.options_max {
                return Err(self.too_many());
            }
            layers.push(next);
            ways.push(on);
        }
        // Backward pass: keep the states that can reach an accepting state.
        let mut alive: BTreeSet<i64> = layers[cells.len()].clone();
        alive.retain(|&state| (walk.is_end)(state));
        for (on, &cell) in ways.iter_mut().zip(cells).rev() {
            on.retain(|&(_, _, after)| alive.contains(&after));
            alive = on.iter().map(|&(state, _, _)| state).collect();
            let left: BTreeSet<Digit> = on.iter().map(|&(_, digit, _)| digit).collect();
            for digit in self.digits(cell).into_iter().filter(|digit| !left.contains(digit)) {
                let at = self.place(cell, digit);
                self.allowed[at] = false;
            }
        }
        let mut before: Option<ItemId> = None;
        for (place, (on, &cell)) in ways.into_iter().zip(cells).enumerate() {
            let is_last = place + 1 == cells.len();
            let after = (!is_last).then(|| self.secondary(&format!("l{number}.{}s", place + 1)));
            if place == 0 && walk.starts.len() == 1 {
                for (_, digit, to) in on {
                    if let Some(after) = after {
                        let (at, color) = (self.place(cell, digit), self.color(to));
                        self.entries[at].push(after.with(color));
                    }
                }
                before = after;
                continue;
            }
            let (item, value) = (self.primary(&format!("l{number}.{}", place + 1)), self.value(cell));
            let mut seen = BTreeSet::new();
            for (state, digit, to) in on {
                // After the last step all states are equivalent, so keep one transition per digit.
                if is_last && !seen.insert((state, digit)) {
                    continue;
                }
                let mut option: Vec<Entry> = vec![item.into()];
                option.push(value.with(self.color(i64::from(digit))));
                option.extend(before.map(|before| before.with(self.color(state))));
                option.extend(after.map(|after| after.with(self.color(to))));
                self.push(option)?;
            }
            before = after;
        }
        Ok(())
    }

    fn build(mut self) -> Result<(Problem, Vec<(u32, u32)>), String> {
        let order = self.board.order();
        let mut placements = Vec::new();
        for (place, entries) in self.entries.iter().enumerate() {
            if self.allowed[place] {
                budget::spend_each(entries.len(), ENTRY_WORK)?;
                placements.push(((place / order) as u32, (place % order) as u32));
                self.builder.option(entries.iter().copied()).expect(SOUND);
            }
        }
        for option in self.options {
            budget::spend_each(option.len(), ENTRY_WORK)?;
            self.builder.option(option).expect(SOUND);
        }
        Ok((self.builder.build(), placements))
    }
}
