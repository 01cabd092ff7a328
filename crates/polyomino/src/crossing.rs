//! Crossings of edge pieces, as items of the translation.
//!
//! [`edges`](super::lattice::edges) defines crossings. Each crossing is a secondary item, named
//! after its point (`r3c3`, with a letter if several pairs of lines meet there: `r3c5a`). An option
//! contains the item if its piece takes two opposite edges of the four. Only boards of edges have
//! such items.
//!
//! Bound: at most fifteen crossings per point, and each edge is in at most twenty.

use dlx::{ItemId, ProblemBuilder};

use super::board::{PieceBoard, PlaceKind};
use super::lattice::edges::{Crossing, crossings};

/// The crossings of a board, and a scratch buffer.
#[derive(Debug)]
pub(super) struct Crossings {
    all: Vec<Crossing>,
    /// Whether the board has several layers, which names must show.
    has_layers: bool,
    /// Per position, its crossings and which of their four edges it is.
    at: Vec<Vec<(u32, u8)>>,
    /// The edges of crossings that the last option takes, sorted.
    taken: Vec<(u32, u8)>,
}

impl Crossings {
    pub(super) fn of(board: &PieceBoard) -> Self {
        let mut at = vec![Vec::new(); if board.lattice.has_edges() { board.fields.len() } else { 0 }];
        let places = (0..at.len()).filter(|&place| board.fields[place] != PlaceKind::Outside);
        let all = crossings(board.lattice, places.map(|place| board.cell(place)));
        for (number, crossing) in all.iter().enumerate() {
            for (which, &edge) in crossing.edges.iter().enumerate() {
                if let Some(place) = board.place(edge) {
                    at[place].push((number as u32, which as u8));
                }
            }
        }
        Self { all, has_layers: board.size[0] > 1, at, taken: Vec::new() }
    }

    /// Iterates over the indices of the crossings that a piece on these positions has.
    pub(super) fn on(&mut self, places: &[usize]) -> impl Iterator<Item = usize> {
        let Self { at, taken, .. } = self;
        taken.clear();
        taken.extend(places.iter().filter_map(|&place| at.get(place)).flatten());
        taken.sort_unstable();
        taken.chunk_by(|one, next| one.0 == next.0).filter_map(|edges| {
            let set = edges.iter().fold(0_u8, |set, (_, which)| set | 1 << which);
            (set & 0b0101 == 0b0101 || set & 0b1010 == 0b1010).then_some(edges[0].0 as usize)
        })
    }

    /// Adds an item for each crossing, and a `None` for each to `places`.
    pub(super) fn add_items(
        &self,
        builder: &mut ProblemBuilder,
        places: &mut Vec<Option<usize>>,
    ) -> Vec<ItemId> {
        let name = |crossing: &Crossing| {
            let [layer, row, column] = crossing.point.map(|at| at + 1);
            let layer = if self.has_layers { format!("l{layer}") } else { String::new() };
            let letter = crossing.number.and_then(|number| char::from_u32('a' as u32 + number));
            format!("{layer}r{row}c{column}{}", letter.map(String::from).unwrap_or_default())
        };
        places.extend(self.all.iter().map(|_| None));
        let items = self.all.iter().map(|crossing| builder.secondary(&name(crossing)));
        items.map(|item| item.expect("names differ from those of edges, and from each other")).collect()
    }
}
