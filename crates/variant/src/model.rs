//! Translates a grid with clues into an exact cover.
//!
//! An option puts a digit into a cell, as in [`fill`](puzzle::fill): it covers the item of
//! the cell and an item of that digit in each row, column and region. That item is primary if there
//! are as many cells as digits, otherwise secondary, because the digit may be absent. Outside cells
//! are ordinary cells in no row. Each [`CluePart`] of a clue adds:
//! - *only*: options are omitted;
//! - *relate*: for each restricted digit of the one cell, a secondary item shared by its option and
//!   the incompatible options of the other cell: at most one item per digit, and no options;
//! - *differ*: a secondary item for each digit, or a primary one if there are as many cells as
//!   digits;
//! - *set*: an item for the set and one for each digit in it. For each set of digits, an option
//!   covers the item of the set and the digits that are *not* in it; the cells cover the others. A
//!   cage of nine digits has at most 12 options, where its fillings may number 40,320, and its
//!   items show the digits it requires;
//! - *same sets*: an item for each group and digit, and for each digit an option that covers it in
//!   all groups, which then lack it;
//! - *sum*: cells with one factor in one row, column or region are combined as sets, followed by an
//!   automaton over the totals. The total of the first set is the color of a secondary item that
//!   stands for the next state; the last set has the missing total as its previous state, so only
//!   the sets between them need steps. A diagonal of nine cells has three sets of 84 options and
//!   some 200 steps, and no digit repeats in a set. A sum within one row is a set;
//! - *automaton*: an item for each step but the first, and an option for each state, digit and next
//!   state on an accepting path. States are colors of secondary items between the steps, and digits
//!   are colors of a secondary item of the cell. The options of the first cell have the state after
//!   it.
//!
//! Options of cells come first, so a cover directly gives its grid.
//!
//! # Bounds
//! At most [`OPTIONS_MAX`] options of sets and automata in total; larger problems are refused.
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

/// Work of making an option, and of a transition, in units of [`budget::spend`].
const OPTION_WORK: u64 = 1000;
const WAY_WORK: u64 = 200;

/// Maximum number of options besides those of the cells.
pub(super) const OPTIONS_MAX: usize = 200_000;

const SOUND: &str = "names are all different, and entries of different items";

struct Model<'a> {
    board: &'a VariantBoard,
    builder: ProblemBuilder,
    /// Per cell and digit: whether it is allowed, and the entries of its option.
    allowed: Vec<bool>,
    entries: Vec<Vec<Entry>>,
    /// Per cell, the secondary item whose color is its digit, if an automaton needs it.
    values: Vec<Option<ItemId>>,
    colors: BTreeMap<i64, Color>,
    options: Vec<Vec<Entry>>,
    options_max: usize,
    number: usize,
    /// Whether the current clues are derived from others.
    is_following: bool,
}

/// Translates a grid, its clues and the derived ones. Returns the problem, and cell and symbol of
/// its first options.
///
/// # Errors
/// If it has more than `options_max` options besides those of the cells.
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
    model.add_grid();
    for part in clues.iter().copied().chain(following).flat_map(|clue| &clue.parts) {
        // Restrictions of single cells come first, because they shrink everything else.
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
    Ok(model.build())
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

    /// Adds the items of cells, rows, columns and regions, and of the rules of the shape.
    fn add_grid(&mut self) {
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
            self.add_group(&format!("{letter}{}", group.number + 1), &group.cells);
        }
    }

    /// Adds for each digit an item of cells that differ.
    fn add_group(&mut self, name: &str, cells: &[usize]) {
        let board = self.board;
        for digit in board.digits() {
            let name = format!("{name}s{digit}");
            let is_primary = cells.len() == board.order();
            let item = if is_primary { self.primary(&name) } else { self.secondary(&name) };
            for &cell in cells {
                let place = self.place(cell, digit);
                self.entries[place].push(item.into());
            }
        }
    }

    fn add(&mut self, part: &CluePart) -> Result<(), String> {
        self.number += 1;
        let number = self.number;
        match part {
            CluePart::Only(..) => {}
            CluePart::Relate(one, other, is_right) => self.add_relation(number, *one, *other, is_right),
            CluePart::Differ(cells) => self.add_group(&format!("x{number}"), cells),
            CluePart::Set(cells, is_right) => {
                self.add_set(&format!("k{number}"), cells, is_right, &mut |_, _| Some(None))?;
            }
            CluePart::SameSets(groups) => self.add_same_sets(number, groups)?,
            CluePart::Sum(terms, sum) => self.add_sum(number, terms, *sum)?,
            CluePart::Often(cells, digit, often) => {
                self.add_walk(number, cells, &Automaton::counting(*digit, *often))?;
            }
            CluePart::Automaton(cells, walk) => self.add_walk(number, cells, walk)?,
        }
        Ok(())
    }

    fn add_relation(
        &mut self,
        number: usize,
        one: usize,
        other: usize,
        is_right: &(dyn Fn(Digit, Digit) -> bool + Send + Sync),
    ) {
        for digit in self.digits(one) {
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
    }

    fn add_same_sets(&mut self, number: usize, groups: &[Vec<usize>]) -> Result<(), String> {
        for digit in self.board.digits() {
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

    /// Returns the item whose color is the digit of a cell.
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

    /// Adds an automaton on the digits of cells. With a single start state, the first digit
    /// determines the next state, without a step.
    fn add_walk(&mut self, number: usize, cells: &[usize], walk: &Automaton) -> Result<(), String> {
        // Forward pass: the reachable states before each step, and the transitions.
        let mut layers = vec![walk.starts.iter().copied().collect::<BTreeSet<i64>>()];
        let mut ways: Vec<Vec<(i64, Digit, i64)>> = Vec::new();
        let mut count = self.options.len();
        for (place, &cell) in cells.iter().enumerate() {
            let (mut next, mut on) = (BTreeSet::new(), Vec::new());
            let digits = self.digits(cell);
            for &state in &layers[place] {
                budget::spend(WAY_WORK * digits.len() as u64)?;
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
        // Backward pass: the states that can reach an accepting state.
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
                // After the last step all states are equivalent.
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

    fn build(mut self) -> (Problem, Vec<(u32, u32)>) {
        let order = self.board.order();
        let mut placements = Vec::new();
        for (place, entries) in self.entries.iter().enumerate() {
            if self.allowed[place] {
                placements.push(((place / order) as u32, (place % order) as u32));
                self.builder.option(entries.iter().copied()).expect(SOUND);
            }
        }
        for option in self.options {
            self.builder.option(option).expect(SOUND);
        }
        (self.builder.build(), placements)
    }
}
