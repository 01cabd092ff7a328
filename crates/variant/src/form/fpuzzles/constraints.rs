//! The table of constraints, and how their entries state clues: read and written.

use Entries::*;
use serde_json::{Value, json};

use super::super::object::{Unused, check_keys, flag, is_unset, list, number, set};
use super::super::{NamedClues, allowed, clue, clue_of, square_at};
use super::write::Written;
use super::{DRAWN, REMARKS};
use crate::rules::{Args, Rule, by_name};
use crate::{VariantBoard, args};

/// How the entries of a constraint state clues.
#[derive(Clone, Copy)]
pub(super) enum Entries {
    /// Each of `lines` is a clue; `value` is the number of all.
    Lines,
    /// Like `Lines`, with (order + 1) / 2 as the usual number.
    Whispers,
    /// `cells` and `value` are a clue.
    Cells,
    /// Like `Cells`. Two neighbors have an entry of their own.
    Pairs,
    /// Like `Pairs`, where the value is X for 10 and V for 5.
    Letters,
    /// `cell` is a clue.
    Cell,
    /// All entries are one clue: adjacent marked cells do not constrain each other.
    AllCells,
    /// `cell` outside the grid names a row or column; `value` is its number.
    Side,
    /// `cell` outside the grid and `direction` name the diagonal that `cells` list.
    Diagonal,
    /// `cells` are the circle; each of `lines` begins in the circle.
    Arrow,
    /// The `values` are digits in the square of `cells`.
    Digits,
    /// `cells` and their copy `cloneCells`.
    Clones,
    /// Instead of entries, `true` states a clue of these groups of cells.
    Flag(fn(&VariantBoard) -> Vec<Vec<usize>>),
    /// A name in `negative`: a clue for each adjacent pair without a mark. The values are those of
    /// the marks and these.
    Negative(&'static [i64]),
    /// Marks of cells in `grid`; only written.
    Marks,
}

/// The constraints: their keys, their rules, and their entries. A clue is written by the first row
/// of its rule.
pub(super) const CONSTRAINTS: &[(&str, &str, Entries)] = &[
    ("thermometer", "thermo", Lines),
    ("slowthermometer", "slow-thermo", Lines),
    ("whispers", "whisper", Whispers),
    ("renban", "renban", Lines),
    ("nabner", "nabner", Lines),
    ("palindrome", "palindrome", Lines),
    ("betweenline", "between", Lines),
    ("lockout", "lockout", Lines),
    ("regionsumline", "region-sum", Lines),
    ("entropicline", "entropic", Lines),
    ("modularline", "modular", Lines),
    ("zipperline", "zipper", Lines),
    ("doublearrow", "double-arrow", Lines),
    ("killercage", "killer", Cells),
    ("extraregion", "extra", Cells),
    ("littlekillersum", "sum", Diagonal),
    ("difference", "difference", Pairs),
    ("ratio", "ratio", Pairs),
    ("xv", "pair-sum", Letters),
    ("columnindexer", "index-column", Cells),
    ("rowindexer", "index-row", Cells),
    ("odd", "odd", Cell),
    ("even", "even", Cell),
    ("minimum", "minimum", AllCells),
    ("maximum", "maximum", AllCells),
    ("sandwichsum", "sandwich", Side),
    ("xsum", "x-sum", Side),
    ("skyscraper", "skyscraper", Side),
    ("numberedroom", "numbered-room", Side),
    ("arrow", "arrow", Arrow),
    ("quadruple", "quadruple", Digits),
    ("clone", "clone", Clones),
    ("diagonal+", "extra", Flag(rising)),
    ("diagonal-", "extra", Flag(falling)),
    ("disjointgroups", "disjoint", Flag(|_| Vec::new())),
    ("nonconsecutive", "nonconsecutive", Flag(|_| Vec::new())),
    ("difference", "no-difference", Negative(&[1])),
    ("ratio", "no-ratio", Negative(&[2])),
    ("xv", "no-pair-sum", Negative(&[5, 10])),
    ("grid", "low", Marks),
    ("grid", "high", Marks),
    ("grid", "any-of", Marks),
];

fn rising(board: &VariantBoard) -> Vec<Vec<usize>> {
    vec![board.ray(board.order() - 1, (1, -1))]
}

fn falling(board: &VariantBoard) -> Vec<Vec<usize>> {
    vec![board.ray(0, (1, 1))]
}

/// Keys of an entry that only draw.
const ENTRY_LOOKS: [&str; 12] = [
    "outlineC",
    "baseC",
    "fontC",
    "fontS",
    "width",
    "height",
    "size",
    "angle",
    "color",
    "opacity",
    "isNewConstraint",
    "fromConstraint",
];

fn value_of(entry: &Value) -> Result<Vec<i64>, String> {
    match set(entry, "value") {
        None => Ok(Vec::new()),
        Some(value) => {
            Ok(vec![number(value).ok_or_else(|| format!("expected a number, found `{value}`"))?])
        }
    }
}

fn cell(board: &VariantBoard, name: &Value) -> Result<usize, String> {
    let name =
        name.as_str().ok_or_else(|| format!("expected a cell such as `R1C1`, found `{name}`"))?;
    args::cell(board, name)
}

fn cells(board: &VariantBoard, list: Option<&Value>) -> Result<Vec<usize>, String> {
    let list = list.and_then(Value::as_array).ok_or("expected a list of cells")?;
    list.iter().map(|name| cell(board, name)).collect()
}

/// Returns the row that writes the clues of a rule.
pub(super) fn row_of(rule: &str) -> Option<&'static (&'static str, &'static str, Entries)> {
    CONSTRAINTS.iter().find(|(_, known, _)| *known == rule)
}

/// Reads the constraint of a key.
pub(super) fn read(
    board: &VariantBoard,
    puzzle: &Value,
    key: &str,
    unused: &mut Unused,
) -> Result<NamedClues, String> {
    let (mut named, value) = (NamedClues::new(), &puzzle[key]);
    if REMARKS.contains(&key) || DRAWN.contains(&key) {
        return Ok(named);
    }
    let row = CONSTRAINTS.iter().find(|(known, ..)| *known == key);
    if let Some((_, name, Flag(groups))) = row {
        named.extend(flag(puzzle, key)?.then(|| clue_of(name, groups(board))));
        return Ok(named);
    }
    // An empty value means that the constraint is not set.
    if is_unset(value) {
        if row.is_none() {
            unused.add(format!("`{key}` (empty)"));
        }
        return Ok(named);
    }
    let known = row.zip(value.as_array());
    let ((_, name, entries), list) = known.ok_or("expected a constraint that is known here")?;
    let (keys, lack) = entries.parts();
    for entry in list {
        check_keys(entry, &[keys, &ENTRY_LOOKS].concat(), unused)?;
        let clues = entries.read(board, name, entry)?;
        if clues.is_empty() {
            unused.add(format!("`{key}` without {lack}"));
        }
        named.extend(clues);
    }
    if matches!(entries, AllCells) && !named.is_empty() {
        let mut cells: Vec<usize> =
            named.into_iter().flat_map(|(_, args)| args.groups.concat()).collect();
        cells.sort_unstable();
        cells.dedup();
        named = vec![clue(name, cells, vec![])];
    }
    Ok(named)
}

impl Entries {
    /// Returns the keys of an entry, and the part that an entry without an effect lacks.
    fn parts(self) -> (&'static [&'static str], &'static str) {
        match self {
            Lines | Whispers => (&["lines", "value"], "lines"),
            Side => (&["cell", "value"], "a number"),
            Cell | AllCells => (&["cell"], "a cell"),
            Arrow => (&["lines", "cells"], "lines"),
            Digits => (&["cells", "values"], "digits"),
            Clones => (&["cells", "cloneCells"], "cells"),
            Diagonal => (&["cell", "cells", "value", "direction"], "a sum"),
            Cells | Pairs | Letters | Flag(_) | Negative(_) | Marks => (&["cells", "value"], "a sum"),
        }
    }

    /// Reads an entry. An ineffective one gives no clue.
    fn read(
        self,
        board: &VariantBoard,
        name: &'static str,
        entry: &Value,
    ) -> Result<NamedClues, String> {
        let group = || cells(board, entry.get("cells"));
        let start = entry.get("cell").unwrap_or(&Value::Null);
        Ok(match self {
            Lines | Whispers => {
                let lines = list(entry, "lines")?;
                let takes_number = by_name(name).is_some_and(|rule| rule.values.1 > 0);
                let mut values = value_of(entry)?;
                if !takes_number && !values.is_empty() {
                    return Err(format!("expected no number for {name}, found `{}`", values[0]));
                }
                if matches!(self, Whispers) && values.is_empty() {
                    values.push((board.order() as i64 + 1) / 2);
                }
                let line = |line| Ok(clue(name, cells(board, Some(line))?, values.clone()));
                return lines.iter().map(line).collect();
            }
            Cells | Pairs => {
                let values = value_of(entry)?;
                vec![clue(name, group()?, values)]
            }
            Letters => {
                let (value, cells) = (entry.get("value").unwrap_or(&Value::Null), group()?);
                let sum = match value.as_str() {
                    Some("X" | "x") => 10,
                    Some("V" | "v") => 5,
                    _ if is_unset(value) => return Ok(NamedClues::new()),
                    text => number(value).ok_or_else(|| {
                        let found = text.map_or_else(|| value.to_string(), ToOwned::to_owned);
                        format!("expected X or V, found `{found}`")
                    })?,
                };
                vec![clue(name, cells, vec![sum])]
            }
            Cell | AllCells => vec![clue(name, vec![cell(board, start)?], vec![])],
            Side => {
                let values = value_of(entry)?;
                let side = side(board, start.as_str().unwrap_or(""))?;
                values.into_iter().map(|value| clue(name, side.clone(), vec![value])).collect()
            }
            Diagonal => {
                let (values, cells) = (value_of(entry)?, group()?);
                check_diagonal(board, entry, &cells)?;
                values.into_iter().map(|value| clue(name, cells.clone(), vec![value])).collect()
            }
            Arrow => {
                let circle = group()?;
                let arrow = |line| {
                    let line = cells(board, Some(line))?;
                    if line.first().is_some_and(|first| !circle.contains(first)) {
                        return Err("expected a shaft that begins in its circle".to_owned());
                    }
                    // The first cell of the line is the circle again, so omit it.
                    let shaft = line.get(1..).unwrap_or(&[]).to_vec();
                    Ok(clue_of(name, vec![circle.clone(), shaft]))
                };
                return list(entry, "lines")?.iter().map(arrow).collect();
            }
            Digits => {
                let values: Option<Vec<i64>> = list(entry, "values")?.iter().map(number).collect();
                let (values, cells) = (values.ok_or("expected digits")?, group()?);
                if values.is_empty() { NamedClues::new() } else { vec![clue(name, cells, values)] }
            }
            Clones => vec![clue_of(name, vec![group()?, cells(board, entry.get("cloneCells"))?])],
            Flag(_) | Negative(_) | Marks => {
                return Err("expected a constraint that is known here".to_owned());
            }
        })
    }

    /// Writes the entries of a clue; returns `None` if the form cannot hold it.
    pub(super) fn write(
        self,
        key: &str,
        rule: &Rule,
        args: &Args,
        out: &mut Written<'_>,
    ) -> Option<()> {
        let group = args.groups.first().map_or(&[][..], |group| &group[..]);
        let value = args.values.first().map_or(String::new(), ToString::to_string);
        match self {
            Lines | Whispers => {
                let mut entry = json!({ "lines": [out.cells(group)] });
                // The usual number of whispers is another one in f-puzzles, so write it.
                let usual = rule.usual.filter(|_| matches!(self, Whispers));
                if let Some(number) = args.values.first().copied().or(usual) {
                    entry["value"] = json!(number.to_string());
                }
                out.push(key, entry);
            }
            Cells => {
                let mut entry = json!({ "cells": out.cells(group) });
                if rule.values.1 > 0 {
                    entry["value"] = json!(value);
                }
                out.push(key, entry);
            }
            Pairs | Letters => {
                let value = match (self, args.values.first()) {
                    (Letters, Some(10)) => "X".to_owned(),
                    (Letters, Some(5)) => "V".to_owned(),
                    (Letters, _) => return None,
                    _ => value,
                };
                for pair in group.windows(2) {
                    out.push(key, json!({ "cells": out.cells(pair), "value": value }));
                }
            }
            Cell | AllCells => {
                for &cell in group {
                    out.push(key, json!({ "cell": out.cell(cell) }));
                }
            }
            Side => {
                let outside = outside(out.board, group)?;
                out.push(key, json!({ "cell": outside, "value": value }));
            }
            Diagonal => {
                let (outside, direction) = diagonal(out.board, group)?;
                args.values.first().filter(|sum| **sum > 0)?;
                let cells = out.cells(group);
                out.push(
                    key,
                    json!({ "cell": outside, "cells": cells, "direction": direction, "value": value }),
                );
            }
            Arrow => {
                let line = [&group[..1], &args.groups[1]].concat();
                out.push(key, json!({ "cells": out.cells(group), "lines": [out.cells(&line)] }));
            }
            Digits => {
                square_at(out.board, group)?;
                out.push(key, json!({ "cells": out.cells(group), "values": args.values }));
            }
            Clones => {
                for other in &args.groups[1..] {
                    out.push(key, json!({ "cells": out.cells(group), "cloneCells": out.cells(other) }));
                }
            }
            Marks => {
                let allowed = out.board.symbols(&allowed(out.board, rule, args)?);
                group.iter().for_each(|&cell| out.marks[cell] &= allowed);
            }
            // The flags come first.
            Flag(_) => {}
            Negative(_) => return None,
        }
        Some(())
    }
}

/// Directions of diagonals: their names, and the steps down and to the right.
const DIRECTIONS: [(&str, (isize, isize)); 4] =
    [("DR", (1, 1)), ("DL", (1, -1)), ("UR", (-1, 1)), ("UL", (-1, -1))];

/// Checks that the outside cell and the direction of a diagonal agree with its cells.
fn check_diagonal(board: &VariantBoard, entry: &Value, cells: &[usize]) -> Result<(), String> {
    let Some(&first) = cells.first() else { return Err("expected a list of cells".to_owned()) };
    let (row, column) = board.place(first);
    let step = match set(entry, "cell") {
        None => None,
        Some(name) => {
            let start = name.as_str().and_then(text::cell_name);
            let (above, before) = start.ok_or_else(|| {
                format!("expected a cell at the border, such as `R0C1`, found `{name}`")
            })?;
            Some((row as isize + 1 - above as isize, column as isize + 1 - before as isize))
        }
    };
    let direction = match set(entry, "direction") {
        None => step,
        Some(name) => {
            let known = DIRECTIONS.iter().find(|(known, _)| name == known);
            Some(known.ok_or_else(|| format!("expected DR, DL, UR or UL, found `{name}`"))?.1)
        }
    };
    let is_right = |direction| {
        step.is_none_or(|step| step == direction)
            && DIRECTIONS.iter().any(|(_, known)| *known == direction)
            && board.ray(first, direction) == cells
    };
    match direction {
        Some(direction) if !is_right(direction) => {
            Err(format!("expected the cells of the diagonal at its `cell`, found `{entry}`"))
        }
        _ => Ok(()),
    }
}

/// Returns the row or column at an outside cell such as `R0C3` or `R4C10`, nearest cell first.
fn side(board: &VariantBoard, name: &str) -> Result<Vec<usize>, String> {
    let order = board.order();
    let place = text::cell_name(name);
    let inside = 1..=order;
    let mut cells: Vec<usize> = match place {
        Some((0, column)) if inside.contains(&column) => {
            (0..order).map(|row| row * order + column - 1).collect()
        }
        Some((row, column)) if row == order + 1 && inside.contains(&column) => {
            (0..order).rev().map(|row| row * order + column - 1).collect()
        }
        Some((row, _)) if inside.contains(&row) => {
            (0..order).map(|column| (row - 1) * order + column).collect()
        }
        _ => return Err(format!("expected a cell at the border, such as `R0C1`, found `{name}`")),
    };
    if let Some((row, column)) = place
        && inside.contains(&row)
    {
        match column {
            0 => {}
            column if column == order + 1 => cells.reverse(),
            _ => return Err(format!("expected a cell at the border, such as `R0C1`, found `{name}`")),
        }
    }
    Ok(cells)
}

/// Names the cell outside the grid just before the first cell of a whole row or column.
fn outside(board: &VariantBoard, cells: &[usize]) -> Option<String> {
    let order = board.order();
    let (row, column) = board.place(*cells.first()?);
    let (last_row, last_column) = board.place(*cells.last()?);
    if cells.len() != order {
        return None;
    }
    Some(match (row == last_row, column == last_column) {
        (true, _) if column < last_column => format!("R{}C0", row + 1),
        (true, _) => format!("R{}C{}", row + 1, order + 1),
        (_, true) if row < last_row => format!("R0C{}", column + 1),
        (_, true) => format!("R{}C{}", order + 1, column + 1),
        _ => return None,
    })
}

/// Names the cell outside the grid just before the first cell of a whole diagonal, and the
/// direction of the diagonal.
fn diagonal(board: &VariantBoard, cells: &[usize]) -> Option<(String, &'static str)> {
    let (row, column) = board.place(*cells.first()?);
    for (name, (down, right)) in DIRECTIONS {
        let (row, column) = (row as isize, column as isize);
        let is_whole = board.ray(cells[0], (down, right)) == cells;
        if is_whole && board.cell(row - down, column - right).is_none() {
            return Some((format!("R{}C{}", row - down + 1, column - right + 1), name));
        }
    }
    None
}

/// Returns the negative constraints, which hold for every adjacent pair without a mark.
pub(super) fn negative(
    board: &VariantBoard,
    puzzle: &Value,
    named: &NamedClues,
) -> Result<NamedClues, String> {
    let mut kinds: Vec<&str> = match puzzle.get("negative") {
        None | Some(Value::Null) => Vec::new(),
        Some(list) => {
            let list = list.as_array().ok_or("expected a list in `negative`")?;
            let names: Option<Vec<&str>> = list.iter().map(Value::as_str).collect();
            names.ok_or_else(|| format!("expected names in `negative`, found `{list:?}`"))?
        }
    };
    if flag(puzzle, "nonconsecutive")? {
        kinds.push("difference");
    }
    let mut clues = NamedClues::new();
    for kind in kinds {
        let mut rows = CONSTRAINTS.iter().filter(|(known, ..)| *known == kind);
        let (Some((_, mark, _)), Some((_, rule, Negative(usual)))) = (rows.next(), rows.next()) else {
            return Err(format!("expected ratio, difference or xv in `negative`, found `{kind}`"));
        };
        let marked: Vec<&Args> =
            named.iter().filter(|(name, _)| name == mark).map(|(_, args)| args).collect();
        let mut values: Vec<i64> = marked
            .iter()
            .flat_map(|args| args.values.iter().copied())
            .chain(usual.iter().copied())
            .collect();
        values.sort_unstable();
        values.dedup();
        for (one, other) in board.sides() {
            let is_marked = marked
                .iter()
                .any(|args| args.groups[0].contains(&one) && args.groups[0].contains(&other));
            if !is_marked {
                clues.extend(values.iter().map(|&value| clue(rule, vec![one, other], vec![value])));
            }
        }
    }
    Ok(clues)
}
