//! Polyominoes, polyhexes, polyiamonds, polycubes and polysticks: tilings of a board by pieces.
//!
//! # The text
//! Head lines `# key: value`, then sections in any order, each begun by a keyword:
//!
//! ```text
//! lattice hexagonal         the lattice; default: that of the first set, else square
//!
//! pieces pentominoes        a built-in set, each piece once
//! pieces dominoes unlimited any number of each; `x2`: two, `x0-1`: at most one, `x2-5`: two to five
//! piece A x2                a custom piece: a letter or digit, options, and below it the
//! ##.                       drawing: `#` (or the name) a cell, `.` or a blank no cell;
//! .##                       a blank line or a keyword ends it
//!
//! board 6x10                a full rectangle of 6 rows and 10 columns (or 3x3x3: layers first), or
//! board                     a drawing up to a blank line or the end: `.` a cell to be covered, `?` a
//! ..AA..#                   cell that may stay empty, `#` or a blank no cell, a letter a clue: the
//! ...AA.?                   piece of that name lies exactly on these cells
//!
//! clues                     after the board: a letter marks a cell of a clue, `.` no clue; each
//! AAB.                      region of one letter is a piece of that shape, whatever its name, so
//! ABB.                      copies of one piece may touch
//!
//! colors                    below a piece or a board: a letter for the color of a cell, `.` for none;
//! bwbwbw                    a colored cell lies on a cell of the same color or without color
//! ```
//!
//! The lattices with their drawings are in `lattice`, the sets in `sets`. Pieces may be
//! rotated, and in the plane also reflected, unless an option `fixed`, `rotate` or `reflect` is
//! given. In space (a line `/` separates the layers of a drawing) rotations are the 24 proper ones,
//! so a flat piece can be turned over; `reflect` adds the mirror images. A puzzle is in space if
//! its board or a piece has two layers. Pieces are connected.
//!
//! Also read are files of BurrTools (`xmpuzzle`) and shapes with numbers and regions
//! (`presents`). `pieces` without a set introduces drawings where each letter is a piece; such
//! drawings may also come first, without a keyword.
//!
//! A solution is written after the keyword `tiling` instead: every connected region of one letter
//! is a placed piece, and its letter the name of the piece. If two copies of a piece touch, one
//! gets another letter, which the keyword line maps to the piece: `tiling a=A`. A puzzle with a
//! single piece omits this. Without its own keyword a solution could be read as clues (after
//! `board`) or as a Latin square.
//!
//! # The translation
//! An option places a piece. It covers the items `r2c3` (in space `l1r2c3`) of its cells, secondary
//! for `?`, and the item of the piece, named after it. The bounds of that item are the supply of
//! the piece; one item per copy would multiply the solutions by k! for k copies. A piece that
//! occurs at most once is a secondary item, which is much faster to search than bounds. An
//! unlimited piece has no item, unless it fits on `?` cells alone: then its item has bounds from 0
//! to the number of positions of the board, since an option without a primary item is never chosen.
//! If the number of empty `?` cells is limited (only in BurrTools files), these cells are primary
//! and each has an extra option with the item `holes`, whose upper bound is the limit. On lattices
//! of edges, secondary items prevent pieces from crossing (`crossing`). Items of cells come before
//! items of pieces, so that ties in the choice of an item go to cells. Clues are `given`.
//!
//! Equal orientations of a piece are merged, so each placement occurs once. Symmetric solutions of
//! a symmetric board are all counted, as are exchanges of two pieces with equal shapes and
//! different names.
//!
//! Source: Knuth, TAOCP 7.2.2.1, "Polyominoes" and "Polycubes"; Golomb, *Polyominoes*.
//!
//! Invariant: the options of a piece are consecutive, and holes come last; the entries of cells
//! ascend within an option.

#[macro_use]
extern crate text;

mod board;
mod crossing;
mod draw;
mod lattice;
mod lines;
mod native;
mod presents;
mod sets;
mod shape;
mod show;
mod steps;
mod symmetry;
mod translate;
mod xmpuzzle;

use std::sync::Arc;

use dlx::{Limits, OptionId, Problem};

use self::board::{PieceBoard, PlaceKind};
pub use self::draw::BoardDrawing;
use self::lattice::Motions;
use self::shape::{MarkedCell, Position};
use puzzle::{
    Cell, HeadKeys, Kind, Made, Parameter, Picture, Puzzle, PuzzleSource, Several, TextSource,
};
use text::InputError;

/// The kind.
pub const KIND: Kind = Kind {
    name: "polyomino",
    summary: "tile a board with pieces: pentominoes, hexagons, triangles, sticks, the Soma cube, your own pieces",
    parameter: Some(Parameter {
        meaning: "SET:SIZE, as dominoes:8x8, or SET?:SIZE with each piece at most once, as \
                  pentominoes?:5x5; a size of 60 cells alone is for the pentominoes, `soma` the cube",
        example: "3x20",
        make: |parameter, _, limits| make(parameter, limits),
    }),
    source: PuzzleSource::Text(TextSource {
        example: "# title: two L tetrominoes, and dominoes\n\
                  piece L x2\n#.\n#.\n##\n\npieces dominoes unlimited\n\nboard\n....\n....\n....\n....\n",
        rules: include_str!("rules.txt"),
        extensions: &["poly", "xmpuzzle"],
        divider: Some(native::divider),
        several: Some(Several {
            lines: several_lines,
            read: |text, index, limits| Ok(Box::new(read_one(text, index, limits)?)),
        }),
        recognizes: native::recognizes,
        head: HeadKeys::Only(&[]),
        read: |text, limits| Ok(Box::new(read(text, limits)?)),
    }),
};

/// Name of the writable foreign format: files of BurrTools.
pub const XMPUZZLE: &str = "xmpuzzle";
/// Largest number of positions in the bounding box of a board or a piece.
const MAX_BOARD_SIZE: usize = 1 << 20;
const MAX_PIECE_CELLS: usize = 1 << 12;
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Supply {
    low: u32,
    high: Option<u32>,
}

impl Supply {
    const ONCE: Self = Self { low: 1, high: Some(1) };
    const UNLIMITED: Self = Self { low: 0, high: None };
}

#[derive(Clone, Debug)]
struct Piece {
    name: char,
    cells: Vec<MarkedCell>,
    supply: Supply,
    motions: Option<Motions>,
    has_own_name: bool,
    line: usize,
}

/// A connected region of one letter in the drawing of the board or of the clues.
#[derive(Clone, Debug)]
struct Clue {
    name: char,
    /// Whether any piece with the shape of the clue fits.
    is_any: bool,
    cells: Vec<Position>,
    /// The error if the region is not a placement of its piece.
    misfit: InputError,
}

#[derive(Clone, Debug)]
struct Description {
    board: PieceBoard,
    pieces: Vec<Piece>,
    clues: Vec<Clue>,
    /// The largest number of optional cells that may stay empty; `None` if unlimited.
    hole_max: Option<u32>,
    /// Whether the clues are the only pieces, as in a finished tiling.
    is_tiling: bool,
    /// Letters of a tiling that label a copy of another letter's piece.
    aliases: Vec<(char, char)>,
    /// The error for too many placements, with an empty message.
    too_large: InputError,
    note: Option<String>,
}

#[derive(Clone, Debug)]
struct Polyomino {
    board: PieceBoard,
    is_solid: bool,
    problem: Arc<Problem>,
    given: Vec<OptionId>,
    /// The name of each piece and the end of its range of options.
    pieces: Vec<(char, usize)>,
    /// The board position of each cell's item; `None` for items of pieces.
    places: Vec<Option<usize>>,
    /// End of the items of pieces; items of crossings follow.
    piece_end: usize,
    aliases: Vec<(char, char)>,
    /// The pieces as text; empty if the text format cannot express them.
    pieces_text: String,
    /// The reason for no solution, if cell counts already show it.
    note: Option<String>,
    /// The pieces and the limit on empty cells; `None` for a finished tiling.
    made_of: Option<Arc<(Vec<Piece>, Option<u32>)>>,
}

fn make(parameter: &str, limits: &Limits) -> Made {
    let parameter = parameter.trim();
    if parameter.contains(char::is_whitespace) {
        let message =
            format!("expected a size such as `6x10`, or a set and a size, found `{parameter}`");
        return Err(InputError::whole(message));
    }
    let (name, size) = match parameter.split_once(':') {
        Some(split) => split,
        None if parameter == "soma" || parameter == "3x3x3" => ("soma", "3x3x3"),
        None => ("pentominoes", parameter),
    };
    let (name, words) = match name.strip_suffix('?') {
        Some(name) => (name, "x0-1"),
        None if sets::by_name(name).is_none_or(|set| set.is_once) => (name, ""),
        None => (name, "unlimited"),
    };
    let whole =
        |error: InputError| InputError { limit: error.limit, ..InputError::whole(error.message) };
    let description = native::read(&format!("pieces {name} {words}\nboard {size}\n")).map_err(whole)?;
    // This check precedes the placements, because a large board has many.
    let count = description.board.count(PlaceKind::Covered);
    if !parameter.contains(':') && name == "pentominoes" && count != 60 {
        return Err(InputError::whole(format!(
            "expected a board of 60 cells for the pentominoes, or a set as in `dominoes:{size}` or \
             `pentominoes?:{size}`, found `{parameter}`"
        )));
    }
    Ok(Box::new(translate::translate(description, limits).map_err(whole)?))
}

/// Returns the 0-based line of each puzzle in a foreign text.
fn several_lines(text: &str) -> Vec<usize> {
    let sample = text::sample(text);
    match () {
        () if xmpuzzle::recognizes(sample) => xmpuzzle::lines(text),
        () if presents::recognizes(sample) => presents::lines(text),
        () => Vec::new(),
    }
}

/// Reads the puzzle with 0-based number `index` of a foreign text.
fn read_one(text: &str, index: usize, limits: &Limits) -> Result<Polyomino, InputError> {
    if presents::recognizes(text::sample(text)) {
        return presents::read_region(text, index, limits);
    }
    let (description, note) = xmpuzzle::read(text, index)?;
    let mut puzzle = translate::translate(description, limits)?;
    puzzle.note = puzzle.note.or(note);
    Ok(puzzle)
}

fn read(text: &str, limits: &Limits) -> Result<Polyomino, InputError> {
    if xmpuzzle::recognizes(text::sample(text)) || !several_lines(text).is_empty() {
        return read_one(text, 0, limits);
    }
    let description = native::read(text)?;
    if description.is_tiling {
        return Ok(translate::translate_tiling(description));
    }
    let note = description.note.clone();
    let mut puzzle = translate::translate(description, limits)?;
    puzzle.note = puzzle.note.or(note);
    Ok(puzzle)
}

#[cfg(test)]
mod edge_tests;
#[cfg(test)]
mod tests;
