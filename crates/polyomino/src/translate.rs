//! Translates a tiling puzzle into an exact cover. The head of [`polyomino`](super) describes the
//! translation.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use dlx::limits::Pace;
use dlx::{Entry, ItemId, Limit, Limits, OptionId, ProblemBuilder};

use super::board::{PieceBoard, PlaceKind};
use super::crossing::Crossings;
use super::lattice::Motions;
use super::sets::ORIENT_WORK;
use super::shape::{PLAIN, PieceCells, orientations, plain, shape};
use super::{Description, Piece, Polyomino, native};
use text::{InputError, TextLimit};

const MAX_PLACEMENTS: usize = 1 << 24;
/// Maximum total number of cells of all placements.
const MAX_ENTRIES: usize = 1 << 27;
/// Memory of a problem per cell of the board (bytes): its item, the name of the item, and the
/// tables that relate the two.
const CELL_BYTES: usize = 110;
/// Memory of a problem per option (bytes), without the entries of the option.
const OPTION_BYTES: usize = 4;
/// Memory of a problem per entry of an option (bytes).
const ENTRY_BYTES: usize = 8;
const SOUND: &str = "names differ, cells of a placement differ, and the number of entries is limited";

fn add_cells(
    board: &PieceBoard,
    wanted: PlaceKind,
    is_primary: bool,
    builder: &mut ProblemBuilder,
    items: &mut [Option<ItemId>],
    places: &mut Vec<Option<usize>>,
) {
    for place in board.places(wanted) {
        let [layer, row, column] = board.cell(place).map(|at| at + 1);
        let name = match board.size[0] {
            1 => format!("r{row}c{column}"),
            _ => format!("l{layer}r{row}c{column}"),
        };
        let item = if is_primary { builder.primary(&name) } else { builder.secondary(&name) };
        items[place] = Some(item.expect(SOUND));
        places.push(Some(place));
    }
}

/// Translates the drawing of a solution. Each of its regions is an option, and there are no others.
pub(super) fn translate_tiling(description: Description) -> Polyomino {
    let Description { board, clues, aliases, .. } = description;
    let mut builder = ProblemBuilder::new();
    let mut items = vec![None; board.fields.len()];
    let mut places = Vec::new();
    add_cells(&board, PlaceKind::Covered, true, &mut builder, &mut items, &mut places);
    add_cells(&board, PlaceKind::Free, false, &mut builder, &mut items, &mut places);
    let mut crossings = Crossings::of(&board);
    let crossing_items = crossings.add_items(&mut builder, &mut places);
    let mut pieces = Vec::new();
    for clue in &clues {
        let covered: Vec<usize> = clue.cells.iter().filter_map(|&cell| board.place(cell)).collect();
        let entries = covered.iter().filter_map(|&place| items[place]);
        let crossed = crossings.on(&covered).map(|number| crossing_items[number]);
        let option = builder.option(entries.chain(crossed)).expect(SOUND);
        pieces.push((clue.name, option.index() + 1));
    }
    let given = (0..clues.len()).map(OptionId::new).collect();
    let problem = Arc::new(builder.build());
    let pieces_text = String::new();
    let is_solid = board.lattice.is_solid() || board.size[0] > 1;
    Polyomino {
        board,
        is_solid,
        problem,
        given,
        pieces,
        places,
        piece_end: 0,
        aliases,
        colorings: Vec::new(),
        pieces_text,
        note: None,
        made_of: None,
    }
}

/// Translates a board and its pieces.
///
/// # Errors
/// If a clue is not a placement, there are too many placements, or a limit is reached.
pub(super) fn translate(description: Description, limits: &Limits) -> Result<Polyomino, InputError> {
    let Description { board, pieces, clues, too_large, hole_max, .. } = description;
    let is_solid = board.lattice.is_solid()
        || board.size[0] > 1
        || pieces.iter().any(|p| p.cells.iter().any(|(cell, _)| cell[0] > 0));
    let default = if is_solid { Motions::Rotate } else { Motions::Reflect };
    let pace = &mut Pace::new(limits);
    let limited =
        |limit| InputError::limited(puzzle::text_limit(limit), "while the placements were made");
    let mut shapes: Vec<BTreeSet<PieceCells>> = Vec::new();
    for piece in &pieces {
        pace.spend(ORIENT_WORK).map_err(limited)?;
        let motions = piece.motions.unwrap_or(default);
        shapes.push(orientations(board.lattice, &piece.cells, motions, is_solid));
    }

    let mut clues = clues;
    for clue in &mut clues {
        let region = shape(board.lattice, plain(clue.cells.iter().copied()));
        let is_region = |shape: &PieceCells| plain(shape.iter().map(|(cell, _)| *cell)) == region;
        let is_piece = |piece: &usize| shapes[*piece].iter().any(is_region);
        let named = (0..pieces.len()).find(|&piece| pieces[piece].name == clue.name);
        let any = || (0..pieces.len()).find(|piece| clue.is_any && is_piece(piece));
        let piece = named.filter(is_piece).or_else(any).ok_or_else(|| clue.misfit.clone())?;
        clue.name = pieces[piece].name;
    }

    // Count the placements first, so that a puzzle that is too large takes no memory.
    let mut counts = (0, 0);
    let mut fits_free = vec![false; pieces.len()];
    let mut crossings = Crossings::of(&board);
    for (piece, shape) in shapes.iter().enumerate().flat_map(|(p, all)| all.iter().map(move |s| (p, s)))
    {
        let counted = board.placements(shape, pace, |places| {
            counts = (counts.0 + 1, counts.1 + places.len() + 1 + crossings.on(places).count());
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
    let bytes = CELL_BYTES * board.fields.len() + OPTION_BYTES * counts.0 + ENTRY_BYTES * counts.1;
    if let Some(most) = limits.memory.filter(|&most| bytes > most) {
        let message = format!(
            "puzzle has {} cells and {} placements, which take about {bytes} bytes; {most} are allowed \
             (--memory)",
            board.fields.len(),
            counts.0
        );
        return Err(InputError { message, limit: Some(TextLimit::Memory), ..too_large });
    }

    let mut builder = ProblemBuilder::new();
    let mut items = vec![None; board.fields.len()];
    let mut places = Vec::new();
    add_cells(&board, PlaceKind::Covered, true, &mut builder, &mut items, &mut places);
    let mut piece_items = Vec::new();
    for (piece, &fits_free) in pieces.iter().zip(&fits_free) {
        let high = piece.supply.high.or(fits_free.then_some(board.fields.len() as u32));
        piece_items.push(high.map(|high| {
            places.push(None);
            let name = piece.name.to_string();
            let item = match (piece.supply.low, high) {
                // The bounds of the item are not needed, because a cell that the piece covers is
                // primary.
                (0, 1) if !fits_free => builder.secondary(&name),
                (low, high) => builder.bounded(&name, low, high),
            };
            item.expect(SOUND)
        }));
    }
    // If the number of empty cells is limited, each optional cell is covered by a piece or by a
    // hole.
    let counts_holes = hole_max.is_some();
    add_cells(&board, PlaceKind::Free, counts_holes, &mut builder, &mut items, &mut places);
    let piece_end = places.len();
    let crossing_items = crossings.add_items(&mut builder, &mut places);
    let hole_item = hole_max.filter(|&most| most > 0).map(|most| {
        places.push(None);
        builder.bounded("holes", 0, most).expect(SOUND)
    });

    let clue_places = clues.iter().map(|clue| {
        let places: Vec<usize> = clue.cells.iter().filter_map(|&cell| board.place(cell)).collect();
        (places, (clue.name, &clue.misfit))
    });
    let mut clue_places: HashMap<Vec<usize>, (char, &InputError)> = clue_places.collect();
    let mut given = Vec::new();
    let mut named = Vec::new();
    let mut end = 0;
    let mut entries: Vec<Entry> = Vec::new();
    let mut colorings: Vec<(usize, Vec<char>)> = Vec::new();
    let (mut has_twins, mut clued, mut unclear) = (false, HashMap::new(), None);
    for ((piece, item), shapes) in pieces.iter().zip(&piece_items).zip(&shapes) {
        let is_colored = piece.cells.iter().any(|&(_, mark)| mark != PLAIN);
        let mut seen: HashSet<Vec<usize>> = HashSet::new();
        for shape in shapes {
            let made = board.placements(shape, pace, |places| {
                entries.clear();
                entries.extend(places.iter().filter_map(|&place| items[place]).map(Entry::from));
                entries.extend(item.map(Entry::from));
                entries.extend(crossings.on(places).map(|number| Entry::from(crossing_items[number])));
                let option = builder.option(entries.iter().copied()).expect(SOUND);
                let is_twin = is_colored && !seen.insert(places.to_vec());
                has_twins |= is_twin;
                if clue_places.get(places).is_some_and(|&(name, _)| name == piece.name) {
                    given.push(option);
                    clued.extend(clue_places.remove_entry(places));
                } else if is_twin && let Some((name, misfit)) = clued.get(places) {
                    let message = format!(
                        "expected a clue that fits in one way, found piece `{name}`, whose colors fit \
                         in several"
                    );
                    unclear = Some(InputError { message, ..(*misfit).clone() });
                }
                end = option.index() + 1;
                Ok(())
            });
            made.map_err(limited)?;
            let marks =
                if is_colored { shape.iter().map(|&(_, mark)| mark).collect() } else { Vec::new() };
            colorings.push((end, marks));
        }
        named.push((piece.name, end));
    }
    if let Some(error) = unclear.or_else(|| Some(clue_places.into_values().next()?.1.clone())) {
        return Err(error);
    }
    for place in hole_item.iter().flat_map(|_| board.places(PlaceKind::Free)) {
        let entries = items[place].into_iter().chain(hole_item);
        builder.option(entries).expect(SOUND);
    }
    if !has_twins {
        colorings.clear();
    }
    let problem = Arc::new(builder.build());
    let note = compare_sizes(&board, &pieces);
    // The text format cannot express pairs of different colors that are compatible.
    let has_text = board.pairs.is_none();
    let pieces_text = if has_text { native::write_pieces(&board, &pieces) } else { String::new() };
    let made_of = Some(Arc::new((pieces, hole_max)));
    Ok(Polyomino {
        board,
        is_solid,
        problem,
        given,
        pieces: named,
        places,
        piece_end,
        aliases: Vec::new(),
        colorings,
        pieces_text,
        note,
        made_of,
    })
}

/// Returns a message if the pieces together have too few or too many cells for the board.
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
