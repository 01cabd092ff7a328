//! The explanation of `check --why` as text and as JSON.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use anstyle::{AnsiColor, Style};
use dlx::{ItemId, OptionId};
use serde_json::{Value, json};

use super::super::clues::{self, ClueId};
use super::items::ItemTable;
use super::uncovered::Uncovered;
use super::{ClueChange, Impossible, NewClue, SeveralSolutions, SpareClues, Why};
use puzzle::{Puzzle, RuledGrid, SymbolGrid, TextUnits};

/// Maximum number of clues named in a line; JSON names all.
const SHOWN: usize = 20;
/// Maximum number of clues named in a line if their names have several words.
const LONG_SHOWN: usize = 6;
/// Maximum number of items in the text, of option sets per item, and of marks per cell. JSON has
/// all.
const ITEMS_SHOWN: usize = 100;
const VALUES_SHOWN: usize = 4;
const MARKS_SHOWN: usize = 3;
const CELLS_MAX: usize = 4096;
/// Maximum total width (columns) of two solutions printed next to each other. Wider solutions are
/// printed one below the other.
const WIDTH_MAX: usize = 100;
/// Styles of symbols that differ between two solutions, and of symbols that leave one solution.
const OTHER: Style = AnsiColor::Yellow.on_default().bold();
const ONE: Style = AnsiColor::Green.on_default().bold();

/// Returns the name of an option: the cell and the symbol, or the words of its kind.
fn name(puzzle: &dyn Puzzle, option: OptionId) -> String {
    clues::name(puzzle, ClueId::Given(option))
}

/// Returns the name of an item, in the words of the kind of puzzle if it has any.
fn item_name(puzzle: &dyn Puzzle, item: ItemId) -> String {
    let name = || format!("`{}`", puzzle.problem().item_name(item));
    puzzle.terms().item_words(item).unwrap_or_else(name)
}

/// Returns whether an option can be a clue. In a grid, only an option that places a symbol can.
fn is_place(puzzle: &dyn Puzzle, option: OptionId) -> bool {
    puzzle.as_symbols().is_none_or(|grid| grid.placed_by(option).is_some())
}

fn place_name(puzzle: &dyn Puzzle, place: usize) -> String {
    match puzzle.as_symbols() {
        Some(grid) => grid.cell_name(place),
        None => puzzle.terms().item_words(ItemId::new(place)).unwrap_or_default(),
    }
}

fn listed(names: impl ExactSizeIterator<Item = String>) -> String {
    let count = names.len();
    let mut first: Vec<String> = names.take(SHOWN).collect();
    let has_blanks = first.iter().any(|name| name.contains(' '));
    if has_blanks && count > SHOWN.min(2 * LONG_SHOWN) {
        first.truncate(LONG_SHOWN);
    }
    let shown = first.len();
    let first = first.join(if has_blanks { ", " } else { " " });
    if count > shown { format!("{first} and {} more", count - shown) } else { first }
}

fn changed(puzzle: &dyn Puzzle, change: &ClueChange) -> String {
    let from = clues::name(puzzle, change.from);
    let to = match &change.to {
        NewClue::Given(to) => *to,
        NewClue::Rule { number, .. } => return format!("{from} > {number}"),
    };
    let placed = puzzle.as_symbols().and_then(|grid| {
        let (_, from) = grid.placed_by(change.from.option()?)?;
        Some((grid, from, grid.placed_by(to)?))
    });
    match placed {
        Some((grid, from, (cell, to))) => {
            let (from, to) = (grid.symbol_name(from), grid.symbol_name(to));
            format!("{}:{from}>{to}", grid.cell_name(cell))
        }
        None => format!("{from} > {}", name(puzzle, to)),
    }
}

/// Returns whether some clue could be replaced: a given option, or a clue with a number.
fn has_changeable(puzzle: &dyn Puzzle) -> bool {
    let has_number = |ruled: &dyn RuledGrid| {
        (0..ruled.rule_count()).any(|clue| !ruled.rule_numbers(clue).is_empty())
    };
    !puzzle.given().is_empty() || puzzle.as_ruled().is_some_and(has_number)
}

fn write_changes(puzzle: &dyn Puzzle, changes: &[ClueChange], is_tried: bool, out: &mut String) {
    if !changes.is_empty() {
        let names = listed(changes.iter().map(|change| changed(puzzle, change)));
        pushln!(out, "changing one clue leaves one solution: {names}");
    } else if is_tried && has_changeable(puzzle) {
        pushln!(out, "changing one clue never leaves one solution");
    }
    if !is_tried {
        pushln!(out, "not all clues were tried to be changed");
    }
}

impl Why {
    /// Writes the explanation below the line that `check` prints for the puzzle.
    pub(in crate::command::check) fn write(
        &self,
        puzzle: &dyn Puzzle,
        is_colored: bool,
        out: &mut String,
    ) {
        out.push('\n');
        match self {
            Self::Said => {}
            Self::Spare(spare) => spare.write(puzzle, out),
            Self::Several(several) => several.write(puzzle, is_colored, out),
            Self::Impossible(impossible) => impossible.write(puzzle, out),
        }
    }

    /// Names the conflicting clues of a puzzle without a solution, if they were found.
    pub(in crate::command::check) fn clash_words(&self, puzzle: &dyn Puzzle) -> Option<String> {
        match self {
            Self::Impossible(impossible) if !impossible.clash.is_empty() => {
                Some(impossible.clash_words(puzzle))
            }
            _ => None,
        }
    }

    pub(in crate::command::check) fn json(&self, puzzle: &dyn Puzzle) -> Value {
        match self {
            Self::Said => Value::Null,
            Self::Spare(spare) => spare.json(puzzle),
            Self::Several(several) => several.json(puzzle),
            Self::Impossible(impossible) => impossible.json(puzzle),
        }
    }
}

impl SpareClues {
    fn write(&self, puzzle: &dyn Puzzle, out: &mut String) {
        let names = listed(self.together.iter().map(|&clue| clues::name(puzzle, clue)));
        let left = match (self.left, self.is_most) {
            (0, _) => "no clue is left".to_owned(),
            (1, _) => "1 clue is left".to_owned(),
            (left, true) => format!("of the {left} clues that are left each is needed"),
            (left, false) => format!("{left} clues are left, perhaps not all needed"),
        };
        pushln!(out, "these clues can be left out together: {names}; {left}");
    }

    fn json(&self, puzzle: &dyn Puzzle) -> Value {
        json!({
            "together": self.together.iter().map(|&clue| bare_clue(puzzle, clue)).collect::<Vec<_>>(),
            "left": self.left,
            "most": self.is_most,
        })
    }
}

impl SeveralSolutions {
    /// Returns the options contained in exactly one solution, if all solutions are known.
    fn adding(&self, puzzle: &dyn Puzzle) -> Vec<OptionId> {
        let once = self.counts.iter().filter(|&(_, &count)| self.is_complete && count == 1);
        once.map(|(&option, _)| option).filter(|&option| is_place(puzzle, option)).collect()
    }

    fn write(&self, puzzle: &dyn Puzzle, is_colored: bool, out: &mut String) {
        if let [first, second, ..] = &self.solutions[..] {
            match puzzle.as_symbols() {
                Some(grid) => write_two_grids(grid, first, second, is_colored, out),
                None if puzzle.layout().units == TextUnits::Lines => {
                    write_two_covers(puzzle, first, second, out);
                }
                None => write_two_texts(puzzle, first, second, is_colored, out),
            }
        }
        let known = if self.is_complete { "" } else { " that were looked at" };
        match (puzzle.as_symbols(), &self.candidates) {
            (Some(_), Some(candidates)) => {
                pushln!(out, "{}:", candidates.words(puzzle));
                candidates.write(puzzle, out);
            }
            (Some(grid), None) => {
                pushln!(out, "symbols in the {} solutions{known}:", self.solutions.len());
                self.write_candidates(grid, is_colored, out);
            }
            (None, _) => {
                pushln!(out, "what covers what in the {} solutions{known}:", self.solutions.len());
                if let Some(table) = &self.table {
                    self.write_cells(puzzle, table, is_colored, out);
                    write_items(puzzle, table, out);
                }
            }
        }
        if let Some(apart) = &self.apart {
            let names: Vec<String> =
                apart.places.iter().map(|&place| place_name(puzzle, place)).collect();
            let names = listed(names.into_iter());
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

    /// Writes the possible symbols of each cell as pencil marks. A cell with several symbols also
    /// shows the number of solutions for each.
    fn write_candidates(&self, grid: &dyn SymbolGrid, is_colored: bool, out: &mut String) {
        let shape = grid.grid().shape();
        let mut cells: Vec<Vec<(String, usize)>> = vec![Vec::new(); shape.cell_count()];
        for (&option, &count) in &self.counts {
            let Some((cell, symbol)) = grid.placed_by(option) else { continue };
            cells[cell].push((grid.symbol_name(symbol), count));
        }
        write_table(&cells, shape.columns(), is_colored && self.is_complete, out);
    }

    /// Writes the possible contents of each cell of a flat board. Writes no text for a puzzle
    /// without a board.
    fn write_cells(&self, puzzle: &dyn Puzzle, table: &ItemTable, is_colored: bool, out: &mut String) {
        let (problem, terms) = (puzzle.problem(), puzzle.terms());
        let mut marks: BTreeMap<(usize, usize), Vec<(String, usize)>> = BTreeMap::new();
        for &option in self.solutions.first().into_iter().flatten() {
            for entry in problem.option(option) {
                if let Some(cell) = terms.item_cell(entry.item) {
                    marks.insert(cell, vec![(terms.value_words(option, entry.item), 0)]);
                }
            }
        }
        for of_item in &table.items {
            if let Some(cell) = terms.item_cell(of_item.item) {
                let mut counts: Vec<(String, usize)> = of_item.counts(puzzle).into_iter().collect();
                if counts.len() > MARKS_SHOWN + 1 {
                    // Show the most frequent contents, and `+` with the number of the other
                    // contents.
                    counts.sort_by_key(|(_, count)| Reverse(*count));
                    let more = counts.split_off(MARKS_SHOWN).len();
                    counts.push(("+".to_owned(), more));
                }
                marks.insert(cell, counts);
            }
        }
        let rows = marks.keys().map(|cell| cell.0 + 1).max().unwrap_or(0);
        let columns = marks.keys().map(|cell| cell.1 + 1).max().unwrap_or(0);
        if rows == 0 || rows.saturating_mul(columns) > CELLS_MAX {
            return;
        }
        let cells = (0..rows * columns).map(|at| marks.remove(&(at / columns, at % columns)));
        let cells: Vec<Vec<(String, usize)>> = cells.map(Option::unwrap_or_default).collect();
        write_table(&cells, columns, is_colored && self.is_complete, out);
    }

    fn json(&self, puzzle: &dyn Puzzle) -> Value {
        let show = |solution: &Vec<OptionId>| {
            let mut text = String::new();
            match puzzle.as_fill() {
                Some(fill) => (grid::format::DEFAULT.write)(&fill.filled(solution), &mut text),
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
            "items": self.table.as_ref().map(|table| {
                let items = table.items.iter().map(|it| {
                    let item = puzzle.terms().item_words(it.item).unwrap_or_default().replace('`', "");
                    let counts = it.counts(puzzle).into_iter();
                    (item, counts.map(|(value, count)| (value.replace('`', ""), json!(count))).collect())
                });
                items.collect::<serde_json::Map<_, _>>()
            }),
            "all": self.is_complete,
            "apart": apart.map(|apart| {
                apart.places.iter().map(|&place| place_name(puzzle, place).replace('`', "")).collect::<Vec<_>>()
            }),
            "fewest": apart.map(|apart| apart.is_fewest),
            "candidates": self.candidates.as_ref().map(|candidates| candidates.facts_json(puzzle)),
            "adding": self.is_complete.then(|| {
                self.adding(puzzle).iter().map(|&option| bare(puzzle, option)).collect::<Vec<_>>()
            }),
            "changing": changes_json(puzzle, &self.changes),
            "tried": self.is_tried,
        })
    }
}

/// Writes a table with the marks of each cell. A cell with several marks also shows the number of
/// solutions for each.
fn write_table(cells: &[Vec<(String, usize)>], columns: usize, is_colored: bool, out: &mut String) {
    let mark = |cell: &Vec<(String, usize)>| match &cell[..] {
        [(symbol, _)] => vec![(symbol.clone(), false)],
        several => {
            let name = |(symbol, count): &(String, usize)| match symbol.as_str() {
                "+" => (format!("+{count}"), false),
                _ => (format!("{symbol}:{count}"), *count == 1),
            };
            several.iter().map(name).collect()
        }
    };
    let cells: Vec<Vec<(String, bool)>> = cells.iter().map(mark).collect();
    let width = |cell: &[(String, bool)]| {
        cell.iter().map(|(mark, _)| mark.chars().count() + 1).sum::<usize>().max(1) - 1
    };
    let widths: Vec<usize> = (0..columns)
        .map(|c| cells.iter().skip(c).step_by(columns).map(|cell| width(cell)).max().unwrap_or(0))
        .collect();
    for row in cells.chunks(columns) {
        let mut line = String::new();
        for (cell, &column) in row.iter().zip(&widths) {
            for (nth, (mark, is_one)) in cell.iter().enumerate() {
                let space = if nth > 0 { "," } else { "" };
                match is_colored && *is_one {
                    true => push!(line, "{space}{ONE}{mark}{ONE:#}"),
                    false => push!(line, "{space}{mark}"),
                }
            }
            line.push_str(&" ".repeat(column + 2 - width(cell)));
        }
        pushln!(out, "{}", line.trim_end());
    }
}

/// Returns a sort key for `words` that compares a number at the end by value.
pub(in crate::command::check) fn by_number(words: &str) -> (String, usize) {
    let text = words.trim_end_matches(|c: char| c.is_ascii_digit());
    (text.to_owned(), words[text.len()..].parse().unwrap_or(0))
}

/// Writes one line for each item that is not a board cell.
fn write_items(puzzle: &dyn Puzzle, table: &ItemTable, out: &mut String) {
    let terms = puzzle.terms();
    let others = table.items.iter().filter(|it| terms.item_cell(it.item).is_none());
    let mut others: Vec<_> = others.collect();
    if puzzle.layout().units != TextUnits::Lines {
        others.sort_by_cached_key(|it| by_number(&terms.item_words(it.item).unwrap_or_default()));
    }
    for of_item in others.iter().take(ITEMS_SHOWN) {
        let counts = of_item.counts(puzzle);
        let item = terms.item_words(of_item.item).unwrap_or_default();
        if counts.len() > VALUES_SHOWN && counts.keys().any(|value| value.contains(' ')) {
            pushln!(out, "{item}: {} ways", counts.len());
            continue;
        }
        let shown = counts.iter().map(|(value, count)| format!("{value} ({count})"));
        let shown = shown.take(SHOWN).collect::<Vec<_>>().join(", ");
        let more = match counts.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        pushln!(out, "{item}: {shown}{more}");
    }
    if let more @ 1.. = others.len().saturating_sub(ITEMS_SHOWN) {
        pushln!(out, "and {more} more");
    }
}

/// Returns the lines of a printed solution without its header lines.
fn solution_lines(puzzle: &dyn Puzzle, solution: &[OptionId]) -> Vec<String> {
    let mut text = String::new();
    puzzle.show(solution, 1, &mut text);
    let lines: Vec<&str> = text.lines().collect();
    let drawing = lines.iter().position(|line| *line == "tiling").map_or(0, |line| line + 1);
    // Lines of a drawing may begin with `#`, but not with `# word: `.
    let is_head = |line: &&&str| line.starts_with("# ") && line.contains(": ");
    lines[drawing..].iter().skip_while(is_head).map(|line| line.trim_end().to_owned()).collect()
}

/// Writes two solutions next to each other, or one below the other if the lines would be too wide.
fn write_two_texts(
    puzzle: &dyn Puzzle,
    first: &[OptionId],
    second: &[OptionId],
    is_colored: bool,
    out: &mut String,
) {
    let (one, two) = (solution_lines(puzzle, first), solution_lines(puzzle, second));
    let width = one.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let is_beside = 2 * width + 3 <= WIDTH_MAX && one.len() > 1;
    pushln!(out, "two solutions:");
    let other = |line: &str, before: &str| -> String {
        let mut shown = String::new();
        for (at, c) in line.chars().enumerate() {
            match is_colored && before.chars().nth(at) != Some(c) {
                true => push!(shown, "{OTHER}{c}{OTHER:#}"),
                false => shown.push(c),
            }
        }
        shown
    };
    for (left, right) in one.iter().zip(&two).filter(|_| is_beside) {
        pushln!(out, "{left:width$} | {}", other(right, left));
    }
    if !is_beside {
        one.iter().for_each(|line| pushln!(out, "{line}"));
        if one.len() > 1 {
            out.push('\n');
        }
        two.iter().zip(&one).for_each(|(line, before)| pushln!(out, "{}", other(line, before)));
    }
}

fn bare(puzzle: &dyn Puzzle, option: OptionId) -> String {
    name(puzzle, option).replace('`', "")
}

fn bare_clue(puzzle: &dyn Puzzle, clue: ClueId) -> String {
    clues::name(puzzle, clue).replace('`', "")
}

fn changes_json(puzzle: &dyn Puzzle, changes: &[ClueChange]) -> Vec<[String; 2]> {
    let pair = |change: &ClueChange| {
        let to = match &change.to {
            NewClue::Given(to) => bare(puzzle, *to),
            NewClue::Rule { words, .. } => words.clone(),
        };
        [bare_clue(puzzle, change.from), to]
    };
    changes.iter().map(pair).collect()
}

/// Writes two grids next to each other. The second grid shows only the symbols that differ from the
/// first.
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

/// Writes the options that occur in only one of two solutions.
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
    fn clash_words(&self, puzzle: &dyn Puzzle) -> String {
        let names = listed(self.clash.iter().map(|&clue| clues::name(puzzle, clue)));
        match (self.clash.len(), self.is_least) {
            (1, _) => format!("this clue alone leaves no solution: {names}"),
            (_, true) => format!("these clues clash: {names} (all of them are needed for that)"),
            (_, false) => format!("these clues clash: {names} (perhaps fewer of them do)"),
        }
    }

    fn write(&self, puzzle: &dyn Puzzle, out: &mut String) {
        if self.clash.is_empty() {
            if !clues::all(puzzle).is_empty() {
                pushln!(out, "there is no solution without any clue, either");
            }
            if let Some(Uncovered { items, is_least }) = &self.uncovered {
                let mut names: Vec<String> =
                    items.iter().map(|&item| item_name(puzzle, item)).collect();
                names.sort_by_cached_key(|name| by_number(name));
                let names = listed(names.into_iter());
                match (items.len(), is_least) {
                    (1, _) => pushln!(out, "this alone cannot be covered: {names}"),
                    (_, true) => pushln!(
                        out,
                        "these cannot all be covered, but without any one of them the others can: {names}"
                    ),
                    (_, false) => pushln!(out, "these cannot all be covered: {names}"),
                }
            }
            return;
        }
        pushln!(out, "{}", self.clash_words(puzzle));
        let of = |is_several: bool| {
            let spare: Vec<_> = self.spare.iter().filter(|(_, other)| *other == is_several).collect();
            listed(spare.into_iter().map(|&(clue, _)| clues::name(puzzle, clue)))
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
        // Only given options and numbers have been tested for replacements.
        let has_number =
            |rule| puzzle.as_ruled().is_some_and(|ruled| !ruled.rule_numbers(rule).is_empty());
        let is_changeable = |clue: &ClueId| match *clue {
            ClueId::Given(_) => true,
            ClueId::Rule(rule) => has_number(rule),
        };
        if self.clash.iter().any(is_changeable) {
            write_changes(puzzle, &self.changes, self.is_tried, out);
        }
    }

    fn json(&self, puzzle: &dyn Puzzle) -> Value {
        let spare = |is_several: bool| -> Vec<String> {
            let spare = self.spare.iter().filter(|(_, other)| *other == is_several);
            spare.map(|&(clue, _)| bare_clue(puzzle, clue)).collect()
        };
        json!({
            "clash": self.clash.iter().map(|&clue| bare_clue(puzzle, clue)).collect::<Vec<_>>(),
            "least": self.is_least,
            "uncovered": self.uncovered.as_ref().map(|uncovered| {
                let items = uncovered.items.iter();
                items.map(|&item| item_name(puzzle, item).replace('`', "")).collect::<Vec<_>>()
            }),
            "least_uncovered": self.uncovered.as_ref().map(|uncovered| uncovered.is_least),
            "one_without": spare(false),
            "several_without": spare(true),
            "changing": changes_json(puzzle, &self.changes),
            "tried": self.is_tried,
        })
    }
}
