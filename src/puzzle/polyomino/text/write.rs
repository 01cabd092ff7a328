//! Writing pieces and boards as text.

use super::super::Piece;
use super::super::board::{PieceBoard, draw_piece};
use super::super::lattice::Motions;

/// Writes which lattice it is, unless that goes without saying.
pub(in super::super) fn write_lattice(board: &PieceBoard, out: &mut String) {
    if !board.lattice.is_first() {
        pushln!(out, "lattice {}", board.lattice.name);
    }
}

/// Writes pieces of which there is one each, at most.
pub(in super::super) fn write_pieces(board: &PieceBoard, pieces: &[Piece]) -> String {
    let mut text = String::new();
    write_lattice(board, &mut text);
    for Piece { name, cells, supply, motions, .. } in pieces {
        push!(text, "piece {name}");
        if supply.low == 0 {
            text.push_str(" x0-1");
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
