//! Writes f-puzzles JSON. The reader of the format turns each entry back into the same clue.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::super::NamedClues;
use super::{CELLS, DIRECTIONS, GROUPS, LINES, PACKING, SIDES, negative};
use crate::rules::Args;
use crate::{Variant, VariantBoard};
use grid::{GridRule, Setting};

pub(super) fn link(variant: &Variant) -> Result<String, String> {
    Ok((PACKING.pack)(json(variant)?.trim_end()))
}

pub(super) fn json(variant: &Variant) -> Result<String, String> {
    let mut written = Written { board: &variant.board, object: Map::new(), marks: variant.marks() };
    if variant.board.first != 1 {
        return Err(format!("fpuzzles cannot hold digits from {} on", variant.board.first));
    }
    let mut others = NamedClues::new();
    let mut negated = Vec::new();
    for placed in &variant.placed {
        match placed.rule.name {
            "no-difference" | "no-ratio" | "no-pair-sum" => {
                negated.push((placed.rule.name, placed.args.clone()));
            }
            name => others.push((name, placed.args.clone())),
        }
    }
    written.rules(&others)?;
    for (name, args) in &others {
        written.add(name, args)?;
    }
    written.negative(&others, &negated)?;
    if let Some(cell) = written.marks.iter().position(|&marks| marks == 0) {
        return Err(format!(
            "fpuzzles cannot hold a cell without digits, as {}",
            variant.board.name(cell)
        ));
    }
    let mut object = written.grid(variant);
    object.append(&mut written.object);
    Ok(format!("{}\n", Value::Object(object)))
}

fn refused(name: &str) -> String {
    format!("fpuzzles has no form for the rule {name}, or not for these cells")
}

struct Written<'v> {
    board: &'v VariantBoard,
    object: Map<String, Value>,
    marks: Vec<u64>,
}

impl Written<'_> {
    fn push(&mut self, key: &str, entry: Value) {
        let list = self.object.entry(key.to_owned()).or_insert_with(|| json!([]));
        list.as_array_mut().expect("all entries of a key are in a list").push(entry);
    }

    fn cell(&self, cell: usize) -> String {
        self.board.name(cell).to_uppercase()
    }

    fn cells(&self, cells: &[usize]) -> Vec<String> {
        cells.iter().map(|&cell| self.cell(cell)).collect()
    }

    fn rules(&mut self, clues: &NamedClues) -> Result<(), String> {
        let mut set = |key: &str| drop(self.object.insert(key.to_owned(), json!(true)));
        for rule in self.board.shape.rules() {
            match rule {
                GridRule::AntiKnight => set("antiknight"),
                GridRule::AntiKing => set("antiking"),
                GridRule::Diagonals => ["diagonal+", "diagonal-"].into_iter().for_each(&mut set),
                rule => return Err(refused(rule.name())),
            }
        }
        let has = |name: &str| clues.iter().any(|(other, _)| *other == name);
        if has("disjoint") {
            set("disjointgroups");
        }
        // In f-puzzles, `nonconsecutive` exempts pairs with a difference dot, but the rule of this
        // program does not.
        if has("nonconsecutive") && has("difference") {
            return Err(refused("nonconsecutive"));
        }
        if has("nonconsecutive") {
            set("nonconsecutive");
        }
        for name in ["minimum", "maximum"] {
            // In f-puzzles, adjacent marked cells never constrain each other. In this program that
            // holds only for cells of the same clue.
            let groups =
                clues.iter().filter(|(other, _)| *other == name).map(|(_, args)| &args.groups[0]);
            let of_cell: BTreeMap<usize, usize> = groups
                .enumerate()
                .flat_map(|(clue, cells)| cells.iter().map(move |&cell| (cell, clue)))
                .collect();
            let touch = |&(one, other): &(usize, usize)| {
                of_cell.get(&one).zip(of_cell.get(&other)).is_some_and(|(one, other)| one != other)
            };
            if self.board.sides().iter().any(touch) {
                return Err(refused(name));
            }
        }
        Ok(())
    }

    fn add(&mut self, name: &str, args: &Args) -> Result<(), String> {
        let key = |table: &[(&'static str, &str)]| {
            table.iter().find(|(_, known)| *known == name).map(|(key, _)| *key)
        };
        let value = args.values.first().map_or(String::new(), ToString::to_string);
        let group = args.groups.first().map_or(&[][..], |group| &group[..]);
        if let Some(key) = key(&LINES) {
            let mut entry = json!({ "lines": [self.cells(group)] });
            match name {
                // The default difference of whispers is another one in f-puzzles, so write it.
                "whisper" if args.values.is_empty() => entry["value"] = json!("5"),
                _ if !value.is_empty() => entry["value"] = json!(value),
                _ => {}
            }
            self.push(key, entry);
        } else if let Some(key) = key(&CELLS) {
            for &cell in group {
                self.push(key, json!({ "cell": self.cell(cell) }));
            }
        } else if let Some(key) = key(&SIDES) {
            let outside = self.outside(group).ok_or_else(|| refused(name))?;
            self.push(key, json!({ "cell": outside, "value": value }));
        } else if matches!(name, "difference" | "ratio" | "pair-sum") {
            for pair in group.windows(2) {
                let (key, value) = match (name, args.values.first()) {
                    ("pair-sum", Some(10)) => ("xv", "X".to_owned()),
                    ("pair-sum", Some(5)) => ("xv", "V".to_owned()),
                    ("pair-sum", _) => return Err(refused("pair-sum")),
                    _ => (name, value.clone()),
                };
                self.push(key, json!({ "cells": self.cells(pair), "value": value }));
            }
        } else if name == "sum" {
            let (outside, direction) = self.diagonal(group).ok_or_else(|| refused(name))?;
            let cells = self.cells(group);
            if args.values[0] < 1 {
                return Err(refused(name));
            }
            self.push(
                "littlekillersum",
                json!({ "cell": outside, "cells": cells, "direction": direction, "value": value }),
            );
        } else if let Some(key) = key(&GROUPS) {
            let mut entry = json!({ "cells": self.cells(group) });
            if name == "killer" {
                entry["value"] = json!(value);
            }
            self.push(key, entry);
        } else {
            return self.add_other(name, args);
        }
        Ok(())
    }

    fn add_other(&mut self, name: &str, args: &Args) -> Result<(), String> {
        let group = args.groups.first().map_or(&[][..], |group| &group[..]);
        match name {
            "disjoint" | "nonconsecutive" => {}
            "arrow" => {
                let (circle, shaft) = (&args.groups[0], &args.groups[1]);
                let line = [&circle[..1], shaft].concat();
                self.push(
                    "arrow",
                    json!({ "cells": self.cells(circle), "lines": [self.cells(&line)] }),
                );
            }
            "quadruple" if self.is_square(group) => {
                self.push("quadruple", json!({ "cells": self.cells(group), "values": args.values }));
            }
            "clone" => {
                for other in &args.groups[1..] {
                    let (cells, copies) = (self.cells(&args.groups[0]), self.cells(other));
                    self.push("clone", json!({ "cells": cells, "cloneCells": copies }));
                }
            }
            "low" | "high" | "any-of" => {
                let order = self.board.order() as i64;
                let is_right = |digit: i64| match name {
                    "low" => 2 * digit < 1 + order,
                    "high" => 2 * digit > 1 + order,
                    _ => args.values.contains(&digit),
                };
                let allowed = (1..=order).filter(|&digit| is_right(digit));
                let allowed = allowed.fold(0_u64, |all, digit| all | 1 << (digit - 1));
                group.iter().for_each(|&cell| self.marks[cell] &= allowed);
            }
            _ => return Err(refused(name)),
        }
        Ok(())
    }

    /// Writes a negative constraint, if the pairs of the clues in `negated` are exactly the
    /// adjacent pairs without a mark.
    fn negative(&mut self, others: &NamedClues, negated: &NamedClues) -> Result<(), String> {
        for (rule, kind) in
            [("no-difference", "difference"), ("no-ratio", "ratio"), ("no-pair-sum", "xv")]
        {
            let sorted = |clues: &NamedClues| {
                let of_rule = clues.iter().filter(|(name, _)| *name == rule);
                let mut list: Vec<_> =
                    of_rule.map(|(_, args)| (args.groups.clone(), args.values.clone())).collect();
                list.sort_unstable();
                list
            };
            let found = sorted(negated);
            if found.is_empty() {
                continue;
            }
            let mut asked = Map::new();
            asked.insert("negative".to_owned(), json!([kind]));
            if found != sorted(&negative(self.board, &Value::Object(asked), others)?) {
                return Err(refused(rule));
            }
            self.push("negative", json!(kind));
        }
        Ok(())
    }

    /// Names the cell outside the grid just before the first cell of a whole row or column.
    fn outside(&self, cells: &[usize]) -> Option<String> {
        let order = self.board.order();
        let (row, column) = self.board.place(*cells.first()?);
        let (last_row, last_column) = self.board.place(*cells.last()?);
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
    fn diagonal(&self, cells: &[usize]) -> Option<(String, &'static str)> {
        let (row, column) = self.board.place(*cells.first()?);
        for (name, (down, right)) in DIRECTIONS {
            let (row, column) = (row as isize, column as isize);
            let is_whole = self.board.ray(cells[0], (down, right)) == cells;
            if is_whole && self.board.cell(row - down, column - right).is_none() {
                return Some((format!("R{}C{}", row - down + 1, column - right + 1), name));
            }
        }
        None
    }

    fn is_square(&self, cells: &[usize]) -> bool {
        let mut sorted = cells.to_vec();
        sorted.sort_unstable();
        let (first, order) = (sorted.first().copied().unwrap_or(0), self.board.order());
        sorted == [first, first + 1, first + order, first + order + 1] && first % order + 1 < order
    }

    fn grid(&self, variant: &Variant) -> Map<String, Value> {
        let (shape, order) = (&self.board.shape, self.board.order());
        let mut setting = Setting::new(false, None, shape.rules().to_vec());
        let is_default = setting.shape(order).is_ok_and(|plain| plain == *shape);
        let regions = shape.region_of_cells();
        let cell = |cell: usize| {
            let mut object = Map::new();
            if !is_default {
                object.insert("region".to_owned(), json!(regions.get(cell)));
            }
            let marks = self.marks[cell];
            if let Some(symbol) = variant.grid.symbol(cell) {
                object.insert("value".to_owned(), json!(symbol + 1));
                object.insert("given".to_owned(), json!(true));
            } else if marks != shape.all_symbols() {
                let marks: Vec<usize> = (0..order)
                    .filter(|symbol| marks >> symbol & 1 == 1)
                    .map(|symbol| symbol + 1)
                    .collect();
                object.insert("givenPencilMarks".to_owned(), json!(marks));
            }
            Value::Object(object)
        };
        let rows: Vec<Vec<Value>> =
            (0..order).map(|row| (row * order..(row + 1) * order).map(cell).collect()).collect();
        let mut object = Map::new();
        object.insert("size".to_owned(), json!(order));
        object.insert("grid".to_owned(), json!(rows));
        object
    }
}
