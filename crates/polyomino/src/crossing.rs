//! Items that prevent pieces that consist of edges from crossing each other, as defined in
//! [`edges`](super::lattice::edges).
//!
//! Each crossing (four edges at a point) is a secondary item. An option contains the item if its
//! piece has two opposite edges of the four. The name of the item is the name of the point, such as
//! `r3c3`; if several crossings are at the point, a letter follows, as in `r3c5a`. Only boards of
//! edges have such items.
//!
//! Bound: there are at most fifteen crossings per point, and an edge is in at most twenty.

use dlx::{ItemId, ProblemBuilder};

use super::board::{PieceBoard, PlaceKind};
use super::lattice::edges::{Crossing, crossings};

/// The crossings of a board, and a buffer.
#[derive(Debug)]
pub(super) struct Crossings {
    all: Vec<Crossing>,
    /// Whether the board has several layers, so that names need the layer.
    has_layers: bool,
    at: Vec<Vec<(u32, u8)>>,
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

    /// Iterates over the indices of the crossings where a piece on these positions has two opposite
    /// edges.
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

    /// Adds a secondary item for each crossing. Also appends `None` to `places` for each of them,
    /// since crossings have no position.
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
