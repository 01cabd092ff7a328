//! The answer of `check --candidates` as text and as JSON.

use std::collections::BTreeMap;

use dlx::{ItemId, OptionId};
use serde_json::{Value, json};

use super::super::name;
use super::super::why::by_number;
use super::CandidateAnswer;
use farandole::candidates::{Candidate, CandidateFact};
use puzzle::{Puzzle, SymbolGrid, TextUnits};

/// Maximum number of items in the text, and of values of each; JSON has all options.
const ITEMS_SHOWN: usize = 100;
const VALUES_SHOWN: usize = 12;
/// Maximum number of cells of a board that is written as a table; a larger one would not fit a
/// screen.
const CELLS_MAX: usize = 4096;

/// The values of an item in the order of the options, and what is known of each.
#[derive(Debug, Default)]
struct Values {
    marks: Vec<(String, CandidateMark)>,
    /// The index of each value in `marks`.
    places: BTreeMap<String, usize>,
}

impl Values {
    fn add(&mut self, value: String, mark: CandidateMark, limit: u64) {
        match self.places.get(&value) {
            Some(&place) => self.marks[place].1 = self.marks[place].1.and(mark, limit),
            None => {
                self.places.insert(value.clone(), self.marks.len());
                self.marks.push((value, mark));
            }
        }
    }
}

/// What is known of a candidate, or of several that look the same.
#[derive(Clone, Copy, Debug, Default)]
struct CandidateMark {
    count: u64,
    /// Whether `count` counts all solutions.
    is_exact: bool,
}

impl CandidateMark {
    fn of(fact: &CandidateFact) -> Self {
        Self { count: fact.count, is_exact: fact.is_exact }
    }

    /// Adds the solutions of a candidate of which no solution has both.
    fn and(self, other: Self, limit: u64) -> Self {
        let count = self.count + other.count;
        let is_exact = self.is_exact && other.is_exact && count <= limit;
        Self { count: count.min(limit), is_exact }
    }
}

impl CandidateAnswer {
    /// Returns the answer as one line.
    pub(in crate::command::check) fn words(&self, puzzle: &dyn Puzzle) -> String {
        let (known, unknown) = self.totals();
        let noun = if puzzle.as_symbols().is_some() { "candidates" } else { "options" };
        let cut = self.cut.map_or(String::new(), |limit| format!(" ({})", name(limit)));
        if (known, unknown) == (0, 0) {
            return "no solution".to_owned();
        }
        let all = self.candidates.facts().len();
        let more = match (unknown, self.cut) {
            (0, None) => String::new(),
            (0, Some(_)) => format!("; they may have more solutions{cut}"),
            _ => format!("; not known of {unknown}{cut}"),
        };
        format!("{known} of {all} {noun} occur in a solution{more}")
    }

    /// Writes the answer below its line.
    pub(in crate::command::check) fn write(&self, puzzle: &dyn Puzzle, out: &mut String) {
        match puzzle.as_symbols() {
            _ if self.totals() == (0, 0) => {}
            Some(grid) => self.write_grid(grid, out),
            None => self.write_items(puzzle, out),
        }
    }

    /// Returns the text of a candidate, with the number of its solutions if they were counted and
    /// are fewer than the limit.
    fn mark(&self, name: &str, mark: CandidateMark) -> String {
        let limit = u64::from(self.candidates.limit());
        match mark {
            CandidateMark { count: 0, .. } => format!("{name}?"),
            CandidateMark { count, is_exact: true } if limit > 1 => format!("{name}:{count}"),
            CandidateMark { count, .. } if count < limit => format!("{name}:{count}+"),
            _ => name.to_owned(),
        }
    }

    fn write_grid(&self, grid: &dyn SymbolGrid, out: &mut String) {
        let shape = grid.grid().shape();
        let mut cells: Vec<Vec<String>> = vec![Vec::new(); shape.cell_count()];
        let mut is_wide = self.candidates.limit() > 1;
        for fact in self.candidates.facts().iter().filter(|fact| fact.is_true() != Some(false)) {
            if let Candidate::Symbol { cell, symbol } = fact.candidate {
                let name = grid.symbol_name(symbol);
                is_wide |= name.chars().count() > 1;
                cells[cell].push(self.mark(&name, CandidateMark::of(fact)));
            }
        }
        // Words of several numbers are written as in the format `pencilmarks`.
        let between = match (self.candidates.limit() > 1, is_wide) {
            (true, _) => ",",
            (false, true) => "/",
            (false, false) => "",
        };
        let cells: Vec<String> = cells.into_iter().map(|marks| marks.join(between)).collect();
        write_table(&cells, shape.columns(), shape.boxes(), out);
    }

    fn write_items(&self, puzzle: &dyn Puzzle, out: &mut String) {
        let items = self.items(puzzle);
        let terms = puzzle.terms();
        let cell_of = |item: &ItemId| terms.item_cell(*item);
        let rows = items.keys().filter_map(cell_of).map(|cell| cell.0 + 1).max().unwrap_or(0);
        let columns = items.keys().filter_map(cell_of).map(|cell| cell.1 + 1).max().unwrap_or(0);
        let is_board = rows > 0 && rows.saturating_mul(columns) <= CELLS_MAX;
        if is_board {
            let mut cells = vec![String::new(); rows * columns];
            for (item, values) in &items {
                if let Some((row, column)) = cell_of(item) {
                    let is_long = |(value, _): &(String, CandidateMark)| value.chars().count() > 1;
                    let is_wide = self.candidates.limit() > 1 || values.marks.iter().any(is_long);
                    cells[row * columns + column] = self.listed(values, if is_wide { "," } else { "" });
                }
            }
            write_table(&cells, columns, None, out);
        }
        let others = items.iter().filter(|(item, _)| !is_board || cell_of(item).is_none());
        let mut others: Vec<(&ItemId, &Values)> = others.collect();
        if puzzle.layout().units != TextUnits::Lines {
            others.sort_by_cached_key(|(item, _)| {
                by_number(&terms.item_words(**item).unwrap_or_default())
            });
        }
        for (item, values) in others.iter().take(ITEMS_SHOWN) {
            let item = terms.item_words(**item).unwrap_or_default();
            let is_long = values.marks.len() > VALUES_SHOWN
                && values.marks.iter().any(|(value, _)| value.contains(' '));
            match is_long {
                true => pushln!(out, "{item}: {} ways", values.marks.len()),
                false => pushln!(out, "{item}: {}", self.listed(values, ", ")),
            }
        }
        if let more @ 1.. = others.len().saturating_sub(ITEMS_SHOWN) {
            pushln!(out, "and {more} more");
        }
    }

    /// Returns the values of an item, and the number of values that are not shown.
    fn listed(&self, values: &Values, between: &str) -> String {
        let marks = values.marks.iter().take(VALUES_SHOWN);
        let shown =
            marks.map(|(value, mark)| self.mark(value, *mark)).collect::<Vec<_>>().join(between);
        match values.marks.len().saturating_sub(VALUES_SHOWN) {
            0 => shown,
            more => format!("{shown}{between}+{more}"),
        }
    }

    /// Returns the items with words, each with the values of the options that may cover it.
    fn items(&self, puzzle: &dyn Puzzle) -> BTreeMap<ItemId, Values> {
        let (problem, terms) = (puzzle.problem(), puzzle.terms());
        let limit = u64::from(self.candidates.limit());
        let mut items: BTreeMap<ItemId, Values> = BTreeMap::new();
        for (option, fact) in self.options().filter(|(_, fact)| fact.is_true() != Some(false)) {
            for entry in problem.option(option) {
                if terms.item_words(entry.item).is_none() {
                    continue;
                }
                let value = terms.value_words(option, entry.item);
                items.entry(entry.item).or_default().add(value, CandidateMark::of(fact), limit);
            }
        }
        items
    }

    pub(super) fn options(&self) -> impl Iterator<Item = (OptionId, &CandidateFact)> {
        self.candidates.facts().iter().filter_map(|fact| match fact.candidate {
            Candidate::Option(option) => Some((option, fact)),
            Candidate::Symbol { .. } => None,
        })
    }

    pub(super) fn json(&self, kind: &str, puzzle: &dyn Puzzle) -> Value {
        let (known, unknown) = self.totals();
        json!({
            "kind": kind,
            "solvable": match (known, unknown) {
                (0, 0) => Some(false),
                (0, _) => None,
                _ => Some(true),
            },
            "limit": self.candidates.limit(),
            "true": known,
            "false": self.candidates.facts().len() - known - unknown,
            "unknown": unknown,
            "complete": self.cut.is_none(),
            "candidates": self.facts_json(puzzle),
        })
    }

    /// Returns the candidates that are not known to be false.
    pub(in crate::command::check) fn facts_json(&self, puzzle: &dyn Puzzle) -> Vec<Value> {
        let object = |fact: &CandidateFact| {
            let (count, is_exact) = (fact.count, fact.is_exact);
            match (fact.candidate, puzzle.as_symbols()) {
                (Candidate::Symbol { cell, symbol }, Some(grid)) => json!({
                    "cell": grid.cell_name(cell),
                    "symbol": grid.symbol_name(symbol),
                    "count": count,
                    "exact": is_exact,
                }),
                (Candidate::Option(option), _) => json!({
                    "option": puzzle.option_number(option),
                    "name": puzzle.terms().option_words(option).replace('`', ""),
                    "count": count,
                    "exact": is_exact,
                }),
                (Candidate::Symbol { .. }, None) => unreachable!("only grids have symbols"),
            }
        };
        let facts = self.candidates.facts().iter();
        facts.filter(|fact| fact.is_true() != Some(false)).map(object).collect()
    }
}

/// Writes a table of words with aligned columns, and with lines between the boxes of a grid.
fn write_table(cells: &[String], columns: usize, boxes: Option<(usize, usize)>, out: &mut String) {
    let columns = columns.max(1);
    let width_of = |cell: &String| cell.chars().count();
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            cells.iter().skip(column).step_by(columns).map(width_of).max().unwrap_or(0).max(1)
        })
        .collect();
    let boxes = boxes.filter(|&(wide, high)| wide > 1 && high > 1);
    let is_edge =
        |column: usize| boxes.is_some_and(|(wide, _)| column > 0 && column.is_multiple_of(wide));
    for (row, line) in cells.chunks(columns).enumerate() {
        if boxes.is_some_and(|(_, high)| row > 0 && row.is_multiple_of(high)) {
            let mut rule = String::new();
            for (column, width) in widths.iter().enumerate() {
                rule.push_str(match column {
                    0 => "",
                    _ if is_edge(column) => "-+-",
                    _ => "-",
                });
                rule.push_str(&"-".repeat(*width));
            }
            pushln!(out, "{rule}");
        }
        let mut text = String::new();
        for (column, (cell, &width)) in line.iter().zip(&widths).enumerate() {
            text.push_str(match column {
                0 => "",
                _ if is_edge(column) => " | ",
                _ => " ",
            });
            let shown = if cell.is_empty() { "." } else { cell };
            text.push_str(shown);
            text.push_str(&" ".repeat(width - shown.chars().count()));
        }
        pushln!(out, "{}", text.trim_end());
    }
}
