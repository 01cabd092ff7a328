//! Writes the constraint strings of Interactive Sudoku Solver. The reader turns each token back
//! into the same clue.

use super::clues;
use super::layout::{DIGITS_MAX, SIDE_MAX};
use super::parts::{names, number};
use crate::{Variant, VariantBoard};
use grid::{GridRule, boxes_of_size};

pub(super) fn text(variant: &Variant) -> Result<String, String> {
    let mut out = shape(variant)?;
    for placed in &variant.placed {
        out += &clues::write(&variant.board, placed.rule, &placed.args)?;
    }
    let (order, board) = (variant.board.order(), &variant.board);
    for cell in 0..board.shape.cell_count() {
        if !variant.grid.is_blank(cell) {
            let marks = variant.grid.candidates(cell);
            let digits = (0..order).filter(|symbol| marks >> symbol & 1 == 1);
            let digits: Vec<i64> =
                digits.map(|symbol| i64::from(board.first) + symbol as i64).collect();
            out += &given(board, cell, &digits)?;
        }
    }
    if out.is_empty() {
        out.push_str(".Shape~9x9");
    }
    out.push('\n');
    Ok(out)
}

fn shape(variant: &Variant) -> Result<String, String> {
    let (board, shape) = (&variant.board, &variant.board.shape);
    let (rows, columns, digits) = (shape.rows(), shape.columns(), shape.order());
    if rows.max(columns) > SIDE_MAX || !(0..=1).contains(&board.first) || digits > DIGITS_MAX {
        return Err(format!(
            "iss holds grids of at most {SIDE_MAX} rows, columns and digits, with digits from 0 or 1 on"
        ));
    }
    if shape.has_lines() && digits < rows.max(columns) {
        return Err("iss needs as many digits as rows and columns".to_owned());
    }
    let mut out = String::new();
    let is_usual = board.first == 1 && digits == rows.max(columns) && shape.has_lines();
    if !is_usual || (rows, columns) != (9, 9) {
        out += &format!(".Shape~{rows}x{columns}");
        if !is_usual {
            out += &format!("~{}-{}", board.first, board.digits().end());
        }
        if !shape.has_lines() {
            out += "~Raw";
        }
    }
    for (name, count) in &*board.outside {
        out += &format!(".Var~{name}~~{count}");
    }
    for rule in shape.rules() {
        out.push_str(match rule {
            GridRule::AntiKnight => ".AntiKnight",
            GridRule::AntiKing => ".AntiKing",
            GridRule::Windoku => ".Windoku",
            GridRule::Diagonals => ".Diagonal~1.Diagonal~-1",
        });
    }
    let sizes: Vec<usize> = shape.regions().map(|region| region.cells.len()).collect();
    let usual = boxes_of_size(rows, columns, rows.max(columns)).filter(|_| shape.has_lines());
    if sizes.is_empty() {
        if usual.is_some() {
            out.push_str(".NoBoxes");
        }
        return Ok(out);
    }
    if !shape.has_lines() || sizes.iter().any(|&size| size != sizes[0] || size < 2) {
        return Err("iss holds regions of one size in grids whose rows and columns differ".to_owned());
    }
    if sizes[0] != rows.max(columns) {
        out += &format!(".RegionSize~{}", sizes[0]);
    }
    if shape.boxes().is_none() || shape.boxes() != boxes_of_size(rows, columns, sizes[0]) {
        let regions = &shape.region_of_cells()[..board.inside()];
        let is_rest_usual = regions.iter().filter(|&&region| region == sizes.len()).count() != sizes[0];
        if !is_rest_usual {
            return Err("iss holds regions that leave fewer or more cells out than one has".to_owned());
        }
        let labels: String = regions.iter().map(|&region| number(region)).collect();
        out += &format!(".NoBoxes.Jigsaw~{labels}");
    }
    Ok(out)
}

/// Writes the digits that a cell may have.
pub(super) fn given(board: &VariantBoard, cell: usize, digits: &[i64]) -> Result<String, String> {
    if digits.is_empty() {
        return Err(format!("iss cannot hold a cell without digits, as {}", board.name(cell)));
    }
    let digits: String = digits.iter().map(|digit| format!("_{digit}")).collect();
    Ok(format!(".{}{digits}", names(board, &[cell])))
}
