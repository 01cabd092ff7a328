//! Draws an exact cover as a matrix with one row per option and one column per item, as Knuth does.
//!
//! # Bounds
//! A matrix has at most [`CELLS_MAX`] cells. If all options would exceed that, only the options of
//! the solution are drawn.

use dlx::{ItemId, OptionId, Problem};

use crate::{Cell, Ink, Mark, Picture};

const CELLS_MAX: usize = 40_000;
/// Maximum length (letters) of names that are written horizontally above their columns. If a name
/// is longer, all names run from top to bottom.
const NAME_MAX: usize = 3;
/// Number of letters of a name that are drawn, and the size of a letter.
const LETTERS_MAX: usize = 16;
const SIZE: f64 = 0.4;

/// Draws the options of a problem, with the options of `cover` in color; returns `None` if the
/// picture would be too large.
pub(super) fn draw(problem: &Problem, names: &[String], cover: &[OptionId]) -> Option<Picture> {
    let columns = problem.item_count();
    let mut rows: Vec<OptionId> = (0..problem.option_count()).map(OptionId::new).collect();
    if rows.len().saturating_mul(columns) > CELLS_MAX {
        rows = cover.to_vec();
        rows.sort_unstable();
    }
    if rows.is_empty() || columns == 0 || rows.len().saturating_mul(columns) > CELLS_MAX {
        return None;
    }
    let mut picture = Picture::new();
    for (row, &option) in rows.iter().enumerate() {
        let number = cover.iter().position(|&other| other == option);
        for column in 0..columns {
            let entry = problem.option(option).iter().find(|entry| entry.item.index() == column);
            let region = usize::from(!problem.is_primary(ItemId::new(column)));
            let mut cell = Cell::in_region(region);
            if let Some(entry) = entry {
                cell = cell.fill(number.map_or(Ink::Gray, Ink::piece));
                if let Some(color) = entry.color {
                    cell = cell.text(problem.color_name(color)).given(true);
                }
            } else if number.is_some() {
                cell = cell.shaded(true);
            }
            picture.set(row, column, cell);
        }
        // An option without a name shows its number from 1, as in messages.
        let name =
            names.get(option.index()).map_or_else(|| (option.index() + 1).to_string(), Clone::clone);
        let at = [columns as f64 + 0.25, row as f64 + 0.5];
        picture.over(Mark::text(at, &shortened(&name), SIZE).fill(Ink::Muted).from_left());
    }
    let items: Vec<String> = problem.items().map(|item| shortened(problem.item_name(item))).collect();
    let is_upright = items.iter().any(|name| name.chars().count() > NAME_MAX);
    for (column, name) in items.iter().enumerate() {
        let parts: Vec<String> = match is_upright {
            true => name.chars().map(String::from).collect(),
            false => vec![name.clone()],
        };
        for (number, part) in parts.iter().rev().enumerate() {
            let at = [column as f64 + 0.5, -0.4 - 1.05 * SIZE * number as f64];
            picture.over(Mark::text(at, part, SIZE).fill(Ink::Muted));
        }
    }
    Some(picture)
}

fn shortened(name: &str) -> String {
    match name.chars().count() {
        ..=LETTERS_MAX => name.to_owned(),
        _ => name.chars().take(LETTERS_MAX - 2).chain("..".chars()).collect(),
    }
}
