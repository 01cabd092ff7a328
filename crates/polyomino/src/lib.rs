//! Polyominoes, polyhexes, polyiamonds, polycubes and polysticks: tilings of a board by pieces.
//!
//! # The text
//! Head lines `# key: value`, then sections in any order, each begun by a keyword:
//!
//! ```text
//! lattice hexagonal         where the cells lie; without it, as the first set says, or else square
//!
//! pieces pentominoes        a built-in set, each piece once
//! pieces dominoes unlimited any number of each; `x2`: two, `x0-1`: at most one, `x2-5`: two to five
//! piece A x2                a piece of one's own: a letter or digit, options, and below it the
//! ##.                       drawing: `#` (or the name) a cell, `.` or a blank none;
//! .##                       a blank line or a keyword ends it
//!
//! board 6x10                a full rectangle of 6 rows and 10 columns (or 3x3x3: layers first), or
//! board                     a drawing up to a blank line or the end: `.` a cell to be covered, `?` one
//! ..AA..#                   that may stay empty, `#` or a blank no cell, a letter a clue: the piece
//! ...AA.?                   of that name lies exactly on these cells
//!
//! clues                     behind the board: a letter a cell of a clue, `.` none; each region of one
//! AAB.                      letter is a piece of that shape, whatever its name, so that copies of
//! ABB.                      one piece may touch
//!
//! colors                    below a piece or a board: a letter for the color of a cell, `.` for none;
//! bwbwbw                    a cell with a color lies on one of the same color or on one without
//! ```
//!
//! The lattices stand in [`lattice`], each with its drawing; the sets in [`sets`]. Pieces may be rotated, and in the plane reflected too; the options
//! `fixed`, `rotate` and `reflect` say otherwise. In space (a line `/` parts the layers of a drawing)
//! rotations are the 24 proper ones, so that a flat piece can be turned over; `reflect` adds the
//! mirror images. A puzzle is in space once its board or a piece has two layers. Pieces are connected.
//!
//! Files of BurrTools are read as well ([`xmpuzzle`]), and shapes with numbers and regions ([`presents`]). `pieces` without a set is
//! followed by drawings in which each letter is a piece; such drawings may also stand at the beginning, without a keyword.
//!
//! A solution is written below the keyword `tiling` instead: every connected region of one letter is a
//! placed piece, and its letter the name of the piece. Where two copies of a piece touch, one gets
//! another letter, and the line of the keyword names the piece of that letter: `tiling a=A`. A puzzle
//! with a single piece needs no such words. `board` could not serve for both, as its letters are pieces
//! of the puzzle; and a drawing without a keyword could as well be a Latin square of letters.
//!
//! # The translation
//! An option places a piece. It covers the items `r2c3` (in space `l1r2c3`) of its cells, secondary for
//! `?`, and the item of the piece, named as the piece, with its supply as bounds: copies are not told
//! apart (an item for each of k copies would multiply the solutions by k!). A piece that comes at most once is a secondary item, which
//! is searched six times as fast as one with bounds (the tetrasticks on 5x5 squares, all at most once: 13 s, not 83 s). An unlimited piece has no
//! item, unless it fits on `?` cells alone: then its item has the bounds 0 and the number of places,
//! since an option without a primary item is never chosen. Where the number of `?` cells that stay empty is limited, which only files say,
//! these cells are primary, and each has an option more with the item `holes`, whose upper bound is that number. Where cells are edges, a secondary item says that two pieces do not
//! cross ([`crossing`]). Cells come first, pieces last: a choice
//! among equals then falls on a cell. Clues are `given`.
//!
//! Equal orientations of a piece are one, so no placement stands twice. Symmetric solutions of a
//! symmetric board count each, as does an exchange of two pieces of one shape but different names.
//! Source: Knuth, TAOCP 7.2.2.1, "Polyominoes" and "Polycubes"; Golomb, *Polyominoes*.
//!
//! Invariant: the options of a piece are consecutive, and holes come last; the entries of cells ascend within an option.

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

/// The form of other programs that is written: the files of BurrTools.
pub const XMPUZZLE: &str = "xmpuzzle";
/// The greatest number of places in the box around a board or a piece.
const MAX_BOARD_SIZE: usize = 1 << 20;
/// The greatest number of cells of a piece.
const MAX_PIECE_CELLS: usize = 1 << 12;
/// How many copies of a piece there are: at least `low`, at most `high` if that is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Supply {
    low: u32,
    high: Option<u32>,
}

impl Supply {
    const ONCE: Self = Self { low: 1, high: Some(1) };
    const UNLIMITED: Self = Self { low: 0, high: None };
}

/// A piece as it was described.
#[derive(Clone, Debug)]
struct Piece {
    name: char,
    cells: Vec<MarkedCell>,
    supply: Supply,
    motions: Option<Motions>,
    /// Whether the text names it, and not a set.
    has_own_name: bool,
    /// The line of its description, from 0.
    line: usize,
}

/// A connected region of one letter in the drawing of the board, or of clues.
#[derive(Clone, Debug)]
struct Clue {
    name: char,
    /// Whether it may be any piece of its shape.
    is_any: bool,
    /// Ascending.
    cells: Vec<Position>,
    /// The error if it is not a placement of its piece.
    misfit: InputError,
}

/// A text that has been read.
#[derive(Clone, Debug)]
struct Description {
    board: PieceBoard,
    pieces: Vec<Piece>,
    clues: Vec<Clue>,
    /// How many of the cells that may stay empty do so at most; `None` if any number.
    hole_max: Option<u32>,
    /// Whether the clues are all the pieces there are.
    is_tiling: bool,
    /// Letters of a tiling that label a copy of the piece of another letter.
    aliases: Vec<(char, char)>,
    /// The error, yet without its message, if there are too many placements.
    too_large: InputError,
    /// What was assumed, if anything.
    note: Option<String>,
}

/// A board to be tiled, with its translation.
#[derive(Clone, Debug)]
struct Polyomino {
    board: PieceBoard,
    /// Whether pieces turn in space.
    is_solid: bool,
    problem: Arc<Problem>,
    given: Vec<OptionId>,
    /// The name of each piece and the number of its last option, plus one.
    pieces: Vec<(char, usize)>,
    /// The place of each cell's item; items of pieces have none.
    places: Vec<Option<usize>>,
    /// All items of pieces come before this one, and those where pieces might cross from it on.
    piece_end: usize,
    /// Letters of a finished tiling that label a copy of the piece of another letter.
    aliases: Vec<(char, char)>,
    /// The pieces as text; empty if it does not hold them.
    pieces_text: String,
    /// Why there is no solution, if the numbers of cells tell.
    note: Option<String>,
    /// The pieces, and how many cells may stay empty if that is limited; none of a finished tiling.
    made_of: Option<Arc<(Vec<Piece>, Option<u32>)>>,
}

/// Makes the puzzle of a bare parameter.
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
    // This comes before any placement is made, since a large board has many.
    let count = description.board.count(PlaceKind::Covered);
    if !parameter.contains(':') && name == "pentominoes" && count != 60 {
        return Err(InputError::whole(format!(
            "expected a board of 60 cells for the pentominoes, or a set as in `dominoes:{size}` or \
             `pentominoes?:{size}`, found `{parameter}`"
        )));
    }
    Ok(Box::new(translate::translate(description, limits).map_err(whole)?))
}

/// Returns the line of each puzzle of a text of another program, from 0.
fn several_lines(text: &str) -> Vec<usize> {
    let sample = text::sample(text);
    match () {
        () if xmpuzzle::recognizes(sample) => xmpuzzle::lines(text),
        () if presents::recognizes(sample) => presents::lines(text),
        () => Vec::new(),
    }
}

/// Reads the puzzle of that number, from 0, of a text of another program.
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
