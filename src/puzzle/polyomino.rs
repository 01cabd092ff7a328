//! Polyominoes and polycubes: tilings of a board by pieces.
//!
//! # The text
//! Head lines `# key: value`, then sections in any order, each begun by a keyword:
//!
//! ```text
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
//! ```
//!
//! The sets are monominoes, dominoes, trominoes, tetrominoes, one-sided-tetrominoes, pentominoes,
//! one-sided-pentominoes and soma. Pieces may be rotated, and in the plane reflected too; the options
//! `fixed`, `rotate` and `reflect` say otherwise. In space (a line `/` parts the layers of a drawing)
//! rotations are the 24 proper ones, so that a flat piece can be turned over; `reflect` adds the
//! mirror images. A puzzle is in space once its board or a piece has two layers. Pieces are connected.
//!
//! A solution is written below the keyword `tiling` instead: every connected region of one letter is a
//! placed piece. `board` could not serve for both, as its letters are pieces of the puzzle and a piece
//! used twice needs two letters where its copies touch; and a drawing without a keyword could as well
//! be a Latin square of letters.
//!
//! # The translation
//! An option places a piece. It covers the items `r2c3` (in space `l1r2c3`) of its cells, secondary for
//! `?`, and the item of the piece, named as the piece, with its supply as bounds: copies are not told
//! apart (an item for each of k copies would multiply the solutions by k!). An unlimited piece has no
//! item, unless it fits on `?` cells alone: then its item has the bounds 0 and the number of places,
//! since an option without a primary item is never chosen. Cells come first, pieces last: a choice
//! among equals then falls on a cell. Clues are `given`.
//!
//! Equal orientations of a piece are one, so no placement stands twice. Symmetric solutions of a
//! symmetric board count each, as does an exchange of two pieces of one shape but different names.
//! Source: Knuth, TAOCP 7.2.2.1, "Polyominoes" and "Polycubes"; Golomb, *Polyominoes*.
//!
//! Invariant: the options of a piece are consecutive; the entries of cells ascend within an option.

mod sets;
mod shape;
mod text;

use std::collections::HashMap;
use std::sync::Arc;

use dlx::limits::Pace;
use dlx::{Entry, ItemId, Limit, Limits, OptionId, Problem, ProblemBuilder};

use self::shape::{Motions, PieceCells, Position, add, neighbors, orientations, shape};
use super::{Cell, Kind, Made, Parameter, Picture, Puzzle, PuzzleSource, TextSource};
use crate::input::{InputError, TextLimit};

pub(super) const KIND: Kind = Kind {
    name: "polyomino",
    summary: "tile a board with pieces: pentominoes, dominoes, the Soma cube, pieces of one's own",
    parameter: Some(Parameter {
        meaning: "SET:SIZE, as dominoes:8x8; a size of 60 cells alone is for the pentominoes, `soma` \
                  the cube",
        example: "3x20",
        make: |parameter, _, limits| make(parameter, limits),
    }),
    source: PuzzleSource::Text(TextSource {
        example: "# title: two L tetrominoes, and dominoes\n\
                  piece L x2\n#.\n#.\n##\n\npieces dominoes unlimited\n\nboard\n....\n....\n....\n....\n",
        rules: include_str!("polyomino/rules.txt"),
        extensions: &["poly"],
        recognizes: text::recognizes,
        read: |text, limits| Ok(Box::new(read(text, limits)?)),
    }),
};

/// The greatest number of places in the box around a board or a piece.
const MAX_BOARD_SIZE: usize = 1 << 20;
/// The greatest number of cells of a piece.
const MAX_PIECE_CELLS: usize = 1 << 12;
/// The greatest number of placements of all pieces.
const MAX_PLACEMENTS: usize = 1 << 24;
/// The greatest number of cells of all placements together.
const MAX_ENTRIES: usize = 1 << 27;
/// The bytes that a problem takes for an option, without its entries.
const OPTION_BYTES: usize = 4;
/// The bytes that a problem takes for each entry of an option.
const ENTRY_BYTES: usize = 8;
/// The approximate time to look at a place, in nanoseconds; making an option of it takes several times
/// as long.
const PLACE_WORK: u64 = 10;

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
    cells: Vec<Position>,
    supply: Supply,
    motions: Option<Motions>,
    /// The line of its description, from 0.
    line: usize,
}

/// What a place of the board is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlaceKind {
    Outside,
    /// To be covered.
    Covered,
    /// Covered at most once.
    Free,
}

/// The places of a board, a box of layers, rows and columns.
#[derive(Clone, Debug)]
struct PieceBoard {
    size: [usize; 3],
    fields: Vec<PlaceKind>,
}

impl PieceBoard {
    fn new(size: [usize; 3]) -> Self {
        Self { size, fields: vec![PlaceKind::Outside; size.iter().product()] }
    }

    /// Returns the place of a cell inside the box.
    fn place(&self, cell: Position) -> Option<usize> {
        let mut place = 0;
        for (at, size) in cell.into_iter().zip(self.size) {
            let at = usize::try_from(at).ok().filter(|&at| at < size)?;
            place = place * size + at;
        }
        Some(place)
    }

    fn cell(&self, place: usize) -> Position {
        let [_, rows, columns] = self.size;
        [place / columns / rows, place / columns % rows, place % columns].map(|at| at as i32)
    }

    fn set(&mut self, cell: Position, field: PlaceKind) {
        if let Some(place) = self.place(cell) {
            self.fields[place] = field;
        }
    }

    /// Returns the number of places of one sort.
    fn count(&self, wanted: PlaceKind) -> usize {
        self.fields.iter().filter(|&&field| field == wanted).count()
    }

    fn is_empty(&self) -> bool {
        self.fields.iter().all(|&field| field == PlaceKind::Outside)
    }

    /// Shows the places of every placement of a shape, ascending.
    ///
    /// # Errors
    /// The limit that ended it, or what `visit` returned.
    fn placements(
        &self,
        shape: &PieceCells,
        pace: &mut Pace<'_>,
        mut visit: impl FnMut(&[usize]) -> Result<(), Limit>,
    ) -> Result<(), Limit> {
        let mut places = Vec::with_capacity(shape.len());
        for place in (0..self.fields.len()).filter(|&place| self.fields[place] != PlaceKind::Outside) {
            pace.spend(PLACE_WORK * shape.len() as u64)?;
            let start = self.cell(place);
            places.clear();
            let inside = shape.iter().map_while(|&offset| {
                self.place(add(start, offset)).filter(|&place| self.fields[place] != PlaceKind::Outside)
            });
            places.extend(inside);
            if places.len() == shape.len() {
                visit(&places)?;
            }
        }
        Ok(())
    }
}

/// A connected region of one letter in the drawing of the board.
#[derive(Clone, Debug)]
struct Clue {
    name: char,
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
    /// Whether the clues are all the pieces there are.
    is_tiling: bool,
    /// The error, yet without its message, if there are too many placements.
    too_large: InputError,
}

/// A board to be tiled, with its translation.
#[derive(Clone, Debug)]
struct Polyomino {
    board: PieceBoard,
    problem: Arc<Problem>,
    given: Vec<OptionId>,
    /// The name of each piece and the number of its last option, plus one.
    pieces: Vec<(char, usize)>,
    /// The place of each cell's item; items of pieces have none.
    places: Vec<Option<usize>>,
    /// Whether a solution shows the pieces' names; or else letters that differ where pieces touch.
    shows_names: bool,
    /// Why there is no solution, if the numbers of cells tell.
    note: Option<String>,
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
    let words = if sets::by_name(name).is_none_or(|set| set.is_once) { "" } else { "unlimited" };
    let whole =
        |error: InputError| InputError { limit: error.limit, ..InputError::whole(error.message) };
    let description = text::read(&format!("pieces {name} {words}\nboard {size}\n")).map_err(whole)?;
    // This comes before any placement is made, since a large board has many.
    let count = description.board.count(PlaceKind::Covered);
    if !parameter.contains(':') && name == "pentominoes" && count != 60 {
        return Err(InputError::whole(format!(
            "expected a board of 60 cells for the pentominoes, or a set as in `dominoes:{size}`, found \
             `{parameter}`"
        )));
    }
    Ok(Box::new(translate(description, limits).map_err(whole)?))
}

fn read(text: &str, limits: &Limits) -> Result<Polyomino, InputError> {
    let description = text::read(text)?;
    if description.is_tiling {
        Ok(translate_tiling(description))
    } else {
        translate(description, limits)
    }
}

const SOUND: &str = "names differ, cells of a placement differ, and the number of entries is limited";

/// Adds the items of the cells of one sort; `items` and `places` are to be filled.
fn add_cells(
    board: &PieceBoard,
    wanted: PlaceKind,
    builder: &mut ProblemBuilder,
    items: &mut [Option<ItemId>],
    places: &mut Vec<Option<usize>>,
) {
    for place in (0..board.fields.len()).filter(|&place| board.fields[place] == wanted) {
        let [layer, row, column] = board.cell(place).map(|at| at + 1);
        let name = match board.size[0] {
            1 => format!("r{row}c{column}"),
            _ => format!("l{layer}r{row}c{column}"),
        };
        let item = if wanted == PlaceKind::Covered {
            builder.primary(&name)
        } else {
            builder.secondary(&name)
        };
        items[place] = Some(item.expect(SOUND));
        places.push(Some(place));
    }
}

/// Translates a finished drawing: its regions are all the options.
fn translate_tiling(description: Description) -> Polyomino {
    let Description { board, clues, .. } = description;
    let mut builder = ProblemBuilder::new();
    let mut items = vec![None; board.fields.len()];
    let mut places = Vec::new();
    add_cells(&board, PlaceKind::Covered, &mut builder, &mut items, &mut places);
    add_cells(&board, PlaceKind::Free, &mut builder, &mut items, &mut places);
    let mut pieces = Vec::new();
    for clue in &clues {
        let entries = clue.cells.iter().filter_map(|&cell| items[board.place(cell)?]);
        let option = builder.option(entries).expect(SOUND);
        pieces.push((clue.name, option.index() + 1));
    }
    let given = (0..clues.len()).map(OptionId::new).collect();
    let problem = Arc::new(builder.build());
    Polyomino { board, problem, given, pieces, places, shows_names: true, note: None }
}

/// Translates a board and its pieces.
///
/// # Errors
/// If a clue is no placement, there are too many placements, or a limit is reached.
fn translate(description: Description, limits: &Limits) -> Result<Polyomino, InputError> {
    let Description { board, pieces, clues, too_large, .. } = description;
    let is_solid = board.size[0] > 1 || pieces.iter().any(|p| p.cells.iter().any(|cell| cell[0] > 0));
    let default = if is_solid { Motions::Rotate } else { Motions::Reflect };
    let shapes: Vec<Vec<PieceCells>> = pieces
        .iter()
        .map(|piece| orientations(&piece.cells, piece.motions.unwrap_or(default), is_solid))
        .collect();

    for clue in &clues {
        let piece = pieces.iter().position(|piece| piece.name == clue.name);
        let region = shape(clue.cells.clone());
        if piece.is_none_or(|piece| !shapes[piece].contains(&region)) {
            return Err(clue.misfit.clone());
        }
    }

    // Count first, so that too large a puzzle takes no memory.
    let pace = &mut Pace::new(limits);
    let limited = |limit| InputError::limited(limit, "while the placements were made");
    let mut counts = (0, 0);
    let mut fits_free = vec![false; pieces.len()];
    for (piece, shape) in shapes.iter().enumerate().flat_map(|(p, all)| all.iter().map(move |s| (p, s)))
    {
        let counted = board.placements(shape, pace, |places| {
            counts = (counts.0 + 1, counts.1 + places.len() + 1);
            fits_free[piece] |= places.iter().all(|&place| board.fields[place] == PlaceKind::Free);
            let is_full = counts.0 > MAX_PLACEMENTS || counts.1 > MAX_ENTRIES;
            if is_full { Err(Limit::Numbers) } else { Ok(()) }
        });
        match counted {
            Ok(()) => {}
            Err(Limit::Numbers) => {
                let message = format!(
                    "puzzle has more placements than the limit of {MAX_PLACEMENTS}, or more cells in \
                     them than \
                     {MAX_ENTRIES}"
                );
                return Err(InputError { message, ..too_large });
            }
            Err(limit) => return Err(limited(limit)),
        }
    }
    let bytes = OPTION_BYTES * counts.0 + ENTRY_BYTES * counts.1;
    if let Some(most) = limits.memory.filter(|&most| bytes > most) {
        let message = format!(
            "puzzle has {} placements, which take about {bytes} bytes; {most} are allowed (--memory)",
            counts.0
        );
        return Err(InputError { message, limit: Some(TextLimit::Memory), ..too_large });
    }

    let mut builder = ProblemBuilder::new();
    let mut items = vec![None; board.fields.len()];
    let mut places = Vec::new();
    add_cells(&board, PlaceKind::Covered, &mut builder, &mut items, &mut places);
    let mut piece_items = Vec::new();
    for (piece, &fits_free) in pieces.iter().zip(&fits_free) {
        let high = piece.supply.high.or(fits_free.then_some(board.fields.len() as u32));
        piece_items.push(high.map(|high| {
            places.push(None);
            builder.bounded(&piece.name.to_string(), piece.supply.low, high).expect(SOUND)
        }));
    }
    add_cells(&board, PlaceKind::Free, &mut builder, &mut items, &mut places);

    let clue_places = clues.iter().map(|clue| {
        let places: Vec<usize> = clue.cells.iter().filter_map(|&cell| board.place(cell)).collect();
        (places, clue.name)
    });
    let clue_places: HashMap<Vec<usize>, char> = clue_places.collect();
    let mut given = Vec::new();
    let mut named = Vec::new();
    let mut end = 0;
    let mut entries: Vec<Entry> = Vec::new();
    for ((piece, item), shapes) in pieces.iter().zip(&piece_items).zip(&shapes) {
        for shape in shapes {
            let made = board.placements(shape, pace, |places| {
                entries.clear();
                entries.extend(places.iter().filter_map(|&place| items[place]).map(Entry::from));
                entries.extend(item.map(Entry::from));
                let option = builder.option(entries.iter().copied()).expect(SOUND);
                if clue_places.get(places) == Some(&piece.name) {
                    given.push(option);
                }
                end = option.index() + 1;
                Ok(())
            });
            made.map_err(limited)?;
        }
        named.push((piece.name, end));
    }
    let shows_names = pieces.iter().all(|piece| piece.supply.high.is_some_and(|high| high <= 1));
    let problem = Arc::new(builder.build());
    let note = compare_sizes(&board, &pieces);
    Ok(Polyomino { board, problem, given, pieces: named, places, shows_names, note })
}

/// Says so if the pieces have too few cells for the board, or too many.
fn compare_sizes(board: &PieceBoard, pieces: &[Piece]) -> Option<String> {
    let count = |wanted| board.fields.iter().filter(|&&field| field == wanted).count() as u64;
    let (covered, free) = (count(PlaceKind::Covered), count(PlaceKind::Free));
    let size = |piece: &Piece| piece.cells.len() as u64;
    let least: u64 = pieces.iter().map(|piece| size(piece) * u64::from(piece.supply.low)).sum();
    let most = pieces.iter().try_fold(0, |sum: u64, piece| {
        Some(sum.saturating_add(size(piece).saturating_mul(u64::from(piece.supply.high?))))
    });
    let cells = |count: u64| if count == 1 { "1 cell".to_owned() } else { format!("{count} cells") };
    if let Some(most) = most.filter(|most| *most < covered) {
        let at_most = if most == least { "" } else { "at most " };
        Some(format!("the board has {}, the pieces cover {at_most}{most}", cells(covered)))
    } else if least > covered + free {
        let at_least = if most == Some(least) { "" } else { "at least " };
        Some(format!("the board has {}, the pieces cover {at_least}{least}", cells(covered + free)))
    } else {
        None
    }
}

impl Puzzle for Polyomino {
    fn problem(&self) -> &Arc<Problem> {
        &self.problem
    }

    fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    fn given(&self) -> &[OptionId] {
        &self.given
    }

    fn show(&self, cover: &[OptionId], _number: u64, out: &mut String) {
        let drawn = self.drawn(cover);
        out.push_str("tiling\n");
        let [_, rows, columns] = self.board.size;
        for (row, start) in (0..self.board.fields.len()).step_by(columns).enumerate() {
            if row > 0 && row % rows == 0 {
                out.push_str("/\n");
            }
            let places = start..start + columns;
            for (label, field) in drawn[places.clone()].iter().zip(&self.board.fields[places]) {
                out.push(label.unwrap_or(match field {
                    PlaceKind::Outside => '#',
                    PlaceKind::Covered => '.',
                    PlaceKind::Free => '?',
                }));
            }
            out.push('\n');
        }
    }

    fn picture(&self, cover: &[OptionId]) -> Option<Picture> {
        let drawn = self.drawn(cover);
        let mut placements = vec![0; drawn.len()];
        for (number, &option) in (1..).zip(cover) {
            self.option_places(option).into_iter().for_each(|place| placements[place] = number);
        }
        // Layers stand side by side.
        let [layers, rows, columns] = self.board.size;
        let mut picture = Picture::new(rows, (columns + 1) * layers - 1);
        let is_cell = |place: &usize| self.board.fields[*place] != PlaceKind::Outside;
        for place in (0..drawn.len()).filter(is_cell) {
            let (layer, row, column) =
                (place / columns / rows, place / columns % rows, place % columns);
            let cell = Cell::in_region(placements[place]);
            let cell = match drawn[place] {
                Some(label) => cell.color(self.color(label)),
                None => cell.shaded(self.board.fields[place] == PlaceKind::Free),
            };
            picture.set(row, column + layer * (columns + 1), cell);
        }
        Some(picture)
    }
}

impl Polyomino {
    /// Returns the letter of each place that a cover covers.
    fn drawn(&self, cover: &[OptionId]) -> Vec<Option<char>> {
        let mut placed: Vec<(Vec<usize>, OptionId)> =
            cover.iter().map(|&option| (self.option_places(option), option)).collect();
        placed.sort_unstable();
        let mut drawn: Vec<Option<char>> = vec![None; self.board.fields.len()];
        for (places, option) in &placed {
            let label =
                if self.shows_names { self.name(*option) } else { self.free_label(places, &drawn) };
            for &place in places {
                drawn[place] = Some(label);
            }
        }
        drawn
    }

    /// Returns the number of a letter's color.
    fn color(&self, label: char) -> usize {
        let piece = self.pieces.iter().position(|&(name, _)| name == label);
        piece.filter(|_| self.shows_names).unwrap_or(label as usize - 'A' as usize)
    }

    /// Returns the places that an option covers.
    fn option_places(&self, option: OptionId) -> Vec<usize> {
        let entries = self.problem.option(option).iter();
        entries.filter_map(|entry| self.places[entry.item.index()]).collect()
    }

    /// Returns the name of the piece that an option places.
    fn name(&self, option: OptionId) -> char {
        let piece = self.pieces.partition_point(|&(_, end)| end <= option.index());
        self.pieces[piece].0
    }

    /// Returns the first letter that no neighbor of `places` has.
    fn free_label(&self, places: &[usize], drawn: &[Option<char>]) -> char {
        let taken: Vec<char> = places
            .iter()
            .flat_map(|&place| neighbors(self.board.cell(place)))
            .filter_map(|cell| drawn[self.board.place(cell)?])
            .collect();
        let mut letters = ('A'..='Z').chain('a'..='z').chain('\u{c0}'..=char::MAX);
        letters.find(|c| c.is_alphabetic() && !taken.contains(c)).unwrap_or('?')
    }
}

#[cfg(test)]
mod tests;
