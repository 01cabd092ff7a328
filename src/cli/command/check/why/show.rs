//! What `check --why` says, as text and as JSON.

use std::collections::BTreeMap;

use anstyle::{AnsiColor, Style};
use dlx::OptionId;
use serde_json::{Value, json};

use super::{ClueChange, Impossible, Several, Why};
use crate::puzzle::{Puzzle, SymbolGrid};

/// The most clues that a line names; JSON names all.
const SHOWN: usize = 20;
/// What differs, and what would leave one solution.
const OTHER: Style = AnsiColor::Yellow.on_default().bold();
const ONE: Style = AnsiColor::Green.on_default().bold();

/// Returns the name of an option: what stands where, or its items.
fn name(puzzle: &dyn Puzzle, option: OptionId) -> String {
    match puzzle.as_symbols().and_then(|grid| Some((grid, grid.placed_by(option)?))) {
        Some((grid, (cell, symbol))) => {
            format!("{}={}", grid.cell_name(cell), grid.symbol_name(symbol))
        }
        None => format!("`{}`", puzzle.problem().show(option)),
    }
}

/// Tells whether an option is a clue that could be: not of a grid how a clue is met.
fn is_place(puzzle: &dyn Puzzle, option: OptionId) -> bool {
    puzzle.as_symbols().is_none_or(|grid| grid.placed_by(option).is_some())
}

fn place_name(puzzle: &dyn Puzzle, place: usize) -> String {
    match puzzle.as_symbols() {
        Some(grid) => grid.cell_name(place),
        None => format!("`{}`", puzzle.problem().show(OptionId::new(place))),
    }
}

/// Joins names; of very many only the first.
fn listed(names: impl ExactSizeIterator<Item = String>) -> String {
    let count = names.len();
    let first = names.take(SHOWN).collect::<Vec<_>>().join(" ");
    if count > SHOWN { format!("{first} and {} more", count - SHOWN) } else { first }
}

fn changed(puzzle: &dyn Puzzle, change: &ClueChange) -> String {
    let to = name(puzzle, change.to);
    let placed = puzzle.as_symbols().and_then(|grid| {
        let (_, from) = grid.placed_by(change.from)?;
        Some((grid, from, grid.placed_by(change.to)?))
    });
    match placed {
        Some((grid, from, (cell, to))) => {
            let (from, to) = (grid.symbol_name(from), grid.symbol_name(to));
            format!("{}:{from}>{to}", grid.cell_name(cell))
        }
        None => format!("{}>{to}", name(puzzle, change.from)),
    }
}

fn write_changes(puzzle: &dyn Puzzle, changes: &[ClueChange], is_tried: bool, out: &mut String) {
    if !changes.is_empty() {
        let names = listed(changes.iter().map(|change| changed(puzzle, change)));
        pushln!(out, "changing one clue leaves one solution: {names}");
    } else if is_tried && !puzzle.given().is_empty() {
        pushln!(out, "changing one clue never leaves one solution");
    }
    if !is_tried {
        pushln!(out, "not all clues were tried to be changed");
    }
}

impl Why {
    /// Writes lines behind that which `check` prints.
    pub(in crate::cli::command::check) fn write(
        &self,
        puzzle: &dyn Puzzle,
        is_colored: bool,
        out: &mut String,
    ) {
        out.push('\n');
        match self {
            Self::Said => {}
            Self::Several(several) => several.write(puzzle, is_colored, out),
            Self::Impossible(impossible) => impossible.write(puzzle, out),
        }
    }

    /// Returns the same as a JSON object.
    pub(in crate::cli::command::check) fn json(&self, puzzle: &dyn Puzzle) -> Value {
        match self {
            Self::Said => Value::Null,
            Self::Several(several) => several.json(puzzle),
            Self::Impossible(impossible) => impossible.json(puzzle),
        }
    }
}

impl Several {
    /// Returns the options that just one solution has, if all are known.
    fn adding(&self, puzzle: &dyn Puzzle) -> Vec<OptionId> {
        let once = self.counts.iter().filter(|&(_, &count)| self.is_complete && count == 1);
        once.map(|(&option, _)| option).filter(|&option| is_place(puzzle, option)).collect()
    }

    fn write(&self, puzzle: &dyn Puzzle, is_colored: bool, out: &mut String) {
        if let [first, second, ..] = &self.solutions[..] {
            match puzzle.as_symbols() {
                Some(grid) => write_two_grids(grid, first, second, is_colored, out),
                None => write_two_covers(puzzle, first, second, out),
            }
        }
        let known = if self.is_complete { "" } else { " that were looked at" };
        match puzzle.as_symbols() {
            Some(grid) => {
                pushln!(out, "symbols in the {} solutions{known}:", self.solutions.len());
                self.write_candidates(grid, is_colored, out);
            }
            None => {
                pushln!(out, "options in some of the {} solutions{known}:", self.solutions.len());
                for (&option, count) in
                    self.counts.iter().filter(|&(_, &count)| count < self.solutions.len())
                {
                    pushln!(out, "{count}\t{}", puzzle.problem().show(option));
                }
            }
        }
        if let Some(apart) = &self.apart {
            let names = listed(apart.places.iter().map(|&place| place_name(puzzle, place)));
            let how = if apart.is_fewest { "the fewest places that tell" } else { "places that tell" };
            pushln!(out, "{how} all solutions apart: {names}");
            match &self.adding(puzzle)[..] {
                [] => pushln!(out, "adding one clue never leaves one solution"),
                adding => {
                    let names = listed(adding.iter().map(|&option| name(puzzle, option)));
                    pushln!(out, "adding one clue leaves one solution: {names}");
                }
            }
        }
        write_changes(puzzle, &self.changes, self.is_tried, out);
    }

    /// Writes the symbols of each cell, as pencil marks; where there are several, each with its number of solutions.
    fn write_candidates(&self, grid: &dyn SymbolGrid, is_colored: bool, out: &mut String) {
        let shape = grid.grid().shape();
        let mut cells: Vec<Vec<(String, usize)>> = vec![Vec::new(); shape.cell_count()];
        for (&option, &count) in &self.counts {
            let Some((cell, symbol)) = grid.placed_by(option) else { continue };
            cells[cell].push((grid.symbol_name(symbol), count));
        }
        let mark = |cell: &[(String, usize)]| match cell {
            [(symbol, _)] => vec![(symbol.clone(), false)],
            several => several
                .iter()
                .map(|(symbol, count)| (format!("{symbol}:{count}"), *count == 1))
                .collect(),
        };
        let cells: Vec<Vec<(String, bool)>> = cells.iter().map(|cell| mark(cell)).collect();
        let width = |cell: &[(String, bool)]| {
            cell.iter().map(|(mark, _)| mark.len() + 1).sum::<usize>().max(1) - 1
        };
        let columns = shape.columns();
        let widths: Vec<usize> = (0..columns)
            .map(|c| cells.iter().skip(c).step_by(columns).map(|cell| width(cell)).max().unwrap_or(0))
            .collect();
        for row in cells.chunks(columns) {
            let mut line = String::new();
            for (cell, &column) in row.iter().zip(&widths) {
                for (nth, (mark, is_one)) in cell.iter().enumerate() {
                    let space = if nth > 0 { "," } else { "" };
                    match is_colored && *is_one && self.is_complete {
                        true => push!(line, "{space}{ONE}{mark}{ONE:#}"),
                        false => push!(line, "{space}{mark}"),
                    }
                }
                line.push_str(&" ".repeat(column + 2 - width(cell)));
            }
            pushln!(out, "{}", line.trim_end());
        }
    }

    fn json(&self, puzzle: &dyn Puzzle) -> Value {
        let show = |solution: &Vec<OptionId>| {
            let mut text = String::new();
            match puzzle.as_fill() {
                Some(fill) => crate::grid::format::DEFAULT.write(&fill.filled(solution), &mut text),
                None => puzzle.show(solution, 1, &mut text),
            }
            text.trim_end().to_owned()
        };
        let counts = self.counts.iter().filter(|&(&option, _)| is_place(puzzle, option));
        let counts = counts.map(|(&option, &count)| (bare(puzzle, option), json!(count)));
        let apart = self.apart.as_ref();
        json!({
            "solutions": self.solutions.iter().take(2).map(show).collect::<Vec<_>>(),
            "counts": counts.collect::<serde_json::Map<_, _>>(),
            "all": self.is_complete,
            "apart": apart.map(|apart| {
                apart.places.iter().map(|&place| place_name(puzzle, place).replace('`', "")).collect::<Vec<_>>()
            }),
            "fewest": apart.map(|apart| apart.is_fewest),
            "adding": self.is_complete.then(|| {
                self.adding(puzzle).iter().map(|&option| bare(puzzle, option)).collect::<Vec<_>>()
            }),
            "changing": changes_json(puzzle, &self.changes),
            "tried": self.is_tried,
        })
    }
}

/// Returns the name of an option without quotes.
fn bare(puzzle: &dyn Puzzle, option: OptionId) -> String {
    name(puzzle, option).replace('`', "")
}

fn changes_json(puzzle: &dyn Puzzle, changes: &[ClueChange]) -> Vec<[String; 2]> {
    changes.iter().map(|change| [change.from, change.to].map(|option| bare(puzzle, option))).collect()
}

/// Writes two solutions side by side; where they differ, the second has its symbol, else a point.
fn write_two_grids(
    grid: &dyn SymbolGrid,
    first: &[OptionId],
    second: &[OptionId],
    is_colored: bool,
    out: &mut String,
) {
    let values = |solution: &[OptionId]| -> BTreeMap<usize, usize> {
        solution.iter().filter_map(|&option| grid.placed_by(option)).collect()
    };
    let (one, two) = (values(first), values(second));
    let shape = grid.grid().shape();
    let width = (0..shape.order()).map(|symbol| grid.symbol_name(symbol).len()).max().unwrap_or(1);
    let different = one.iter().filter(|(cell, symbol)| two.get(cell) != Some(symbol)).count();
    pushln!(out, "two solutions, and where they differ, in {different} cells:");
    let write = |line: &mut String, symbol: Option<usize>, is_other: bool| {
        let text = symbol.map_or(".".to_owned(), |symbol| grid.symbol_name(symbol));
        match is_other && is_colored {
            true => push!(line, " {OTHER}{text:>width$}{OTHER:#}"),
            false => push!(line, " {text:>width$}"),
        }
    };
    for start in (0..shape.cell_count()).step_by(shape.columns()) {
        let mut line = String::new();
        let cells = start..(start + shape.columns()).min(shape.cell_count());
        let is_other = |cell: usize| one.get(&cell) != two.get(&cell);
        for cell in cells.clone() {
            write(&mut line, one.get(&cell).copied(), is_other(cell));
        }
        line.push_str("  |");
        for cell in cells.clone() {
            write(&mut line, two.get(&cell).copied(), is_other(cell));
        }
        line.push_str("  |");
        for cell in cells {
            write(&mut line, two.get(&cell).copied().filter(|_| is_other(cell)), is_other(cell));
        }
        pushln!(out, "{}", line.trim());
    }
}

/// Writes what each of two solutions has that the other has not.
fn write_two_covers(puzzle: &dyn Puzzle, first: &[OptionId], second: &[OptionId], out: &mut String) {
    for (nth, one, other) in [("one", first, second), ("another", second, first)] {
        let own: Vec<OptionId> = one.iter().copied().filter(|option| !other.contains(option)).collect();
        pushln!(
            out,
            "{nth} solution alone has: {}",
            listed(own.iter().map(|&option| name(puzzle, option)))
        );
    }
}

impl Impossible {
    fn write(&self, puzzle: &dyn Puzzle, out: &mut String) {
        if self.clash.is_empty() {
            pushln!(out, "there is no solution without any clue, either");
            return;
        }
        let names = listed(self.clash.iter().map(|&option| name(puzzle, option)));
        match (self.clash.len(), self.is_least) {
            (1, _) => pushln!(out, "this clue alone leaves no solution: {names}"),
            (_, true) => {
                pushln!(out, "these clues clash, and without any one of them they do not: {names}");
            }
            (_, false) => pushln!(out, "these clues clash: {names}"),
        }
        let of = |is_several: bool| {
            let spare: Vec<_> = self.spare.iter().filter(|(_, other)| *other == is_several).collect();
            listed(spare.into_iter().map(|&(option, _)| name(puzzle, option)))
        };
        let (one, several) = (of(false), of(true));
        if one.is_empty() && several.is_empty() {
            pushln!(out, "leaving out one clue gives no solution");
        }
        if !one.is_empty() {
            pushln!(out, "leaving out one clue gives one solution: {one}");
        }
        if !several.is_empty() {
            pushln!(out, "leaving out one clue gives several solutions: {several}");
        }
        write_changes(puzzle, &self.changes, self.is_tried, out);
    }

    fn json(&self, puzzle: &dyn Puzzle) -> Value {
        let spare = |is_several: bool| -> Vec<String> {
            let spare = self.spare.iter().filter(|(_, other)| *other == is_several);
            spare.map(|&(option, _)| bare(puzzle, option)).collect()
        };
        json!({
            "clash": self.clash.iter().map(|&option| bare(puzzle, option)).collect::<Vec<_>>(),
            "least": self.is_least,
            "one_without": spare(false),
            "several_without": spare(true),
            "changing": changes_json(puzzle, &self.changes),
            "tried": self.is_tried,
        })
    }
}
