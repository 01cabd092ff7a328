//! Writes pieces and boards as text.

use super::super::Piece;
use super::super::board::{PieceBoard, draw_piece};
use super::super::lattice::Motions;

pub(in super::super) fn write_lattice(board: &PieceBoard, out: &mut String) {
    if !board.lattice.is_first() {
        pushln!(out, "lattice {}", board.lattice.name);
    }
}

pub(in super::super) fn write_pieces(board: &PieceBoard, pieces: &[Piece]) -> String {
    let mut text = String::new();
    write_lattice(board, &mut text);
    for Piece { name, cells, supply, motions, .. } in pieces {
        push!(text, "piece {name}");
        match (supply.low, supply.high) {
            (1, Some(1)) => {}
            (low, Some(high)) if low == high => push!(text, " x{high}"),
            (low, Some(high)) => push!(text, " x{low}-{high}"),
            // If there is no upper limit, the lower limit is always 0.
            (_, None) => text.push_str(" unlimited"),
        }
        text.push_str(match motions {
            None => "",
            Some(Motions::Fixed) => " fixed",
            Some(Motions::Rotate) => " rotate",
            Some(Motions::Reflect) => " reflect",
        });
        text.push('\n');
        draw_piece(board.lattice, cells, &mut text);
        text.push('\n');
    }
    text
}
