//! Writes links to SudokuPad with digits, regions, cages, and the global rules that it supports.

use serde_json::{Map, Value, json};

use super::{CAGES, GLOBAL, PACKING};
use crate::{Placed, Variant};
use grid::{GridRule, GroupKind};

pub(super) fn link(variant: &Variant) -> Result<String, String> {
    Ok((PACKING.pack)(&json_of(variant)?.to_string()))
}

fn json_of(variant: &Variant) -> Result<Value, String> {
    let (board, grid) = (&variant.board, &variant.grid);
    if board.first != 1 {
        return Err("sudokupad holds digits from 1 on".to_owned());
    }
    if let Some(cell) =
        (0..board.inside()).find(|&cell| !grid.is_blank(cell) && grid.symbol(cell).is_none())
    {
        return Err(format!("sudokupad cannot hold the marks of {}", board.name(cell)));
    }
    let value = |cell: usize| match grid.symbol(cell) {
        Some(symbol) => json!({ "value": (symbol + 1).to_string() }),
        None => json!({}),
    };
    let rows =
        (0..board.shape.rows()).map(|row| board.row(row).into_iter().map(value).collect::<Vec<_>>());
    let places = |cells: &[usize]| -> Vec<[usize; 2]> {
        cells.iter().map(|&cell| board.place(cell)).map(|(row, column)| [row, column]).collect()
    };
    let mut global: Vec<&str> = Vec::new();
    for rule in board.shape.rules() {
        match rule {
            GridRule::AntiKnight => global.push("antiknight"),
            GridRule::AntiKing => global.push("antiking"),
            // Diagonals and windows are written as cages.
            GridRule::Diagonals | GridRule::Windoku => {}
        }
    }
    let mut cages = Vec::new();
    let apart = [GroupKind::Diagonal, GroupKind::Window];
    for group in board.shape.groups().iter().filter(|group| apart.contains(&group.kind)) {
        cages.push(json!({ "cells": places(&group.cells), "unique": true }));
    }
    for Placed { rule, args, .. } in &variant.placed {
        if let Some((name, _)) = GLOBAL.iter().find(|(_, known)| *known == rule.name) {
            global.push(name);
            continue;
        }
        let sum = args.values.first();
        let is_row = |row: &&(bool, bool, &str)| (row.1, row.2) == (sum.is_some(), rule.name);
        let (is_unique, ..) = CAGES
            .iter()
            .find(is_row)
            .ok_or_else(|| format!("sudokupad draws the rule {} and does not hold it", rule.name))?;
        let mut cage = json!({ "cells": places(&args.groups[0]) });
        if let Some(sum) = sum {
            cage["value"] = json!(sum.to_string());
        }
        match is_unique {
            true => cage["unique"] = json!(true),
            false => cage["sum"] = json!(sum),
        }
        cages.push(cage);
    }
    let regions: Vec<_> = board.shape.regions().map(|region| places(&region.cells)).collect();
    let mut puzzle = Map::new();
    puzzle.insert("cellSize".to_owned(), json!(50));
    puzzle.insert("cells".to_owned(), json!(rows.collect::<Vec<_>>()));
    puzzle.insert("regions".to_owned(), json!(regions));
    puzzle.insert("cages".to_owned(), json!(cages));
    if !global.is_empty() {
        puzzle.insert("global".to_owned(), json!(global));
    }
    Ok(Value::Object(puzzle))
}
