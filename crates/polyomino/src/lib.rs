//! Polyominoes, polyhexes, polyiamonds, polycubes and polysticks: puzzles that tile a board with
//! pieces.
//!
//! # The text
//! A text has head lines `# key: value`, then sections in any order. Each section begins with a
//! keyword:
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
//! The lattices and their drawings are in `lattice`, the sets of pieces in `sets`. Pieces may be
//! rotated, and in the plane also reflected, unless an option `fixed`, `rotate` or `reflect` is
//! given. In space (where a line `/` separates the layers of a drawing) there are 24 rotations, so
//! a flat piece can be turned over; `reflect` adds the mirror images. A puzzle is in space if its
//! board or a piece has at least two layers. Pieces are connected.
//!
//! Files of BurrTools (`xmpuzzle`) and lists of shapes and regions (`presents`) are also read. The
//! word `pieces` without a set introduces drawings where each letter is a piece; such drawings may
//! also be at the start of the text, without a keyword.
//!
//! A solution has the keyword `tiling` instead of `board`. Every connected region of one letter in
//! its drawing is a placed piece, and the letter is the name of the piece. If two copies of a piece
//! touch, one gets another letter, which the line of the keyword maps to the piece: `tiling a=A`. A
//! puzzle with a single piece omits this.
//!
//! # The translation
//! An option places a piece. The option covers the items of the piece's cells, named `r2c3` (in
//! space `l1r2c3`), and the item of the piece, named after the piece. The items of `?` cells are
//! secondary. The item of a piece must be covered as many times as there are copies of the piece;
//! one item per copy would multiply the number of solutions by k! for k copies. A piece that occurs
//! at most once is a secondary item, which is much faster to search than bounds. An unlimited piece
//! has no item, unless it fits on `?` cells alone. In this case its item may be covered from 0
//! times to the number of positions of the board, because the search never chooses an option
//! without a primary item. If the number of empty `?` cells is limited (only in BurrTools files),
//! these cells are primary. Each of them then has an extra option with the item `holes`, whose
//! upper bound is the limit. On lattices of edges, secondary items prevent pieces from crossing
//! (`crossing`). Items of cells precede items of pieces, so that the search prefers cells if there
//! is a tie between items. The options of clues are `given`.
//!
//! Equal orientations of a piece are merged, so each placement occurs once. Symmetric solutions of
//! a symmetric board are all counted. If two pieces with different names have the same shape,
//! exchanging them gives another solution.
//!
//! Source: Knuth, TAOCP 7.2.2.1, "Polyominoes" and "Polycubes"; Golomb, *Polyominoes*.
//!
//! Invariant: the options of a piece are consecutive, and the options of holes come last. The items
//! of cells ascend within an option.

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

/// The puzzle kind of tilings by pieces.
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

/// Name of the foreign format that can be written: files of BurrTools.
pub const XMPUZZLE: &str = "xmpuzzle";
/// Maximum number of positions in the bounding box of a board or a piece.
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
struct DrawnClue {
    name: char,
    /// Whether any piece with the shape of the clue may be the piece.
    is_any: bool,
    cells: Vec<Position>,
    /// The error to report if the region is not a placement of its piece.
    misfit: InputError,
}

#[derive(Clone, Debug)]
struct Description {
    board: PieceBoard,
    pieces: Vec<Piece>,
    clues: Vec<DrawnClue>,
    /// Maximum number of optional cells that may stay empty; `None` if there is no limit.
    hole_max: Option<u32>,
    /// Whether the clues are the only pieces, as in the drawing of a solution.
    is_tiling: bool,
    /// Pairs of letters: a letter that marks a copy of a piece, and the name of the piece.
    aliases: Vec<(char, char)>,
    /// The error to report if there are too many placements; its message is still empty.
    too_large: InputError,
    note: Option<String>,
}

#[derive(Clone, Debug)]
struct Polyomino {
    board: PieceBoard,
    is_solid: bool,
    problem: Arc<Problem>,
    given: Vec<OptionId>,
    /// For each piece, its name and the end of its range of options.
    pieces: Vec<(char, usize)>,
    /// For each item, the board position if it is the item of a cell.
    places: Vec<Option<usize>>,
    /// End of the range of items of pieces; the items of crossings follow.
    piece_end: usize,
    aliases: Vec<(char, char)>,
    /// For each orientation of the pieces, the end of its range of options and the colors of its
    /// cells; empty if the cells of a placement determine its colors.
    colorings: Vec<(usize, Vec<char>)>,
    /// The pieces as text; empty if the text format cannot express them.
    pieces_text: String,
    /// The reason why there is no solution, if the cell counts alone prove it.
    note: Option<String>,
    /// The pieces, and the limit on empty cells; `None` for the drawing of a solution.
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
    let (name, words) = name.strip_suffix('?').map_or((name, ""), |name| (name, "x0-1"));
    let whole =
        |error: InputError| InputError { limit: error.limit, ..InputError::whole(error.message) };
    let mut description =
        native::read(&format!("pieces {name} {words}\nboard {size}\n"), limits).map_err(whole)?;
    if words.is_empty() && !sets::is_once(name, description.pieces.len()) {
        description.pieces.iter_mut().for_each(|piece| piece.supply = Supply::UNLIMITED);
    }
    // Check this before the placements are built, because a large board has many.
    let count = description.board.count(PlaceKind::Covered);
    if !parameter.contains(':') && name == "pentominoes" && count != 60 {
        return Err(InputError::whole(format!(
            "expected a board of 60 cells for the pentominoes, or a set as in `dominoes:{size}` or \
             `pentominoes?:{size}`, found `{parameter}`"
        )));
    }
    Ok(Box::new(translate::translate(description, limits).map_err(whole)?))
}

/// Returns the line (from 0) of each puzzle in a text of a foreign format.
fn several_lines(text: &str) -> Vec<usize> {
    let sample = text::sample(text);
    match () {
        () if xmpuzzle::recognizes(sample) => xmpuzzle::lines(text),
        () if presents::recognizes(sample) => presents::lines(text),
        () => Vec::new(),
    }
}

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
    let description = native::read(text, limits)?;
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

/// Tests the example of the crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
