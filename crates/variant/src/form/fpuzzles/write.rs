//! Writes f-puzzles JSON. The reader of the format turns each entry back into the same clue.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::super::NamedClues;
use super::PACKING;
use super::constraints::{CONSTRAINTS, Entries, negative, row_of};
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
    let is_negative = |name| matches!(row_of(name), Some((_, _, Entries::Negative(_))));
    let clues = variant.placed.iter().map(|placed| (placed.rule.name, placed.args.clone()));
    let (negated, others): (NamedClues, NamedClues) = clues.partition(|(name, _)| is_negative(name));
    written.rules(&others)?;
    for placed in variant.placed.iter().filter(|placed| !is_negative(placed.rule.name)) {
        let name = placed.rule.name;
        let row = row_of(name).ok_or_else(|| refused(name))?;
        row.2.write(row.0, placed.rule, &placed.args, &mut written).ok_or_else(|| refused(name))?;
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

pub(super) struct Written<'v> {
    pub(super) board: &'v VariantBoard,
    pub(super) object: Map<String, Value>,
    /// The symbols that each cell may have, as bits.
    pub(super) marks: Vec<u64>,
}

impl Written<'_> {
    pub(super) fn push(&mut self, key: &str, entry: Value) {
        let list = self.object.entry(key.to_owned()).or_insert_with(|| json!([]));
        list.as_array_mut().expect("all entries of a key are in a list").push(entry);
    }

    pub(super) fn cell(&self, cell: usize) -> String {
        self.board.name(cell).to_uppercase()
    }

    pub(super) fn cells(&self, cells: &[usize]) -> Vec<String> {
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
        // In f-puzzles, `nonconsecutive` exempts pairs with a difference dot, but the rule of this
        // program does not.
        if has("nonconsecutive") && has("difference") {
            return Err(refused("nonconsecutive"));
        }
        for (key, name, entries) in CONSTRAINTS {
            match entries {
                Entries::Flag(_) if has(name) && row_of(name).is_some_and(|own| own.0 == *key) => {
                    set(key);
                    continue;
                }
                Entries::AllCells => {}
                _ => continue,
            }
            // In f-puzzles, adjacent marked cells never constrain each other. In this program that
            // holds only for cells of the same clue.
            let groups =
                clues.iter().filter(|(other, _)| other == name).map(|(_, args)| &args.groups[0]);
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

    /// Writes a negative constraint, if the pairs of the clues in `negated` are exactly the
    /// adjacent pairs without a mark.
    fn negative(&mut self, others: &NamedClues, negated: &NamedClues) -> Result<(), String> {
        for (kind, rule, _) in CONSTRAINTS.iter().filter(|row| matches!(row.2, Entries::Negative(_))) {
            let sorted = |clues: &NamedClues| {
                let of_rule = clues.iter().filter(|(name, _)| name == rule);
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
