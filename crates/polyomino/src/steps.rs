//! Pictures of the steps of an explanation, with pieces and their positions.
//!
//! The board shows the known pieces in gray, the cells of the step in the inks of their roles, and
//! the pieces that the step places or assumes. Each other placement that the step mentions is drawn
//! on a small board below.

use std::collections::HashMap;

use dlx::OptionId;

use super::{Picture, Polyomino};
use puzzle::{Ink, StepFigure};

const BOARDS_MAX: usize = 12;
/// Maximum total number of cells of the small boards.
const CELLS_MAX: usize = 4096;

impl Polyomino {
    pub(super) fn picture_of(&self, look: &StepFigure) -> Picture {
        let mut places: HashMap<usize, Ink> = HashMap::new();
        for &(item, ink) in &look.items {
            places.extend(self.places[item.index()].map(|place| (place, ink)));
        }
        let mut picture = Picture::new();
        self.draw_on(&look.chosen, &places, &look.laid, &mut picture);
        let fits = CELLS_MAX / self.board.fields.len().max(1);
        let mut boards = Vec::new();
        for &tried in look.tried.iter().take(fits.min(BOARDS_MAX)) {
            let mut board = Picture::new();
            self.draw_on(&look.chosen, &HashMap::new(), &[tried], &mut board);
            boards.push(board);
        }
        match boards.is_empty() {
            true => picture.below(&self.pieces_left(&look.chosen)),
            false => picture.copies_below(&boards),
        }
        let used = places.values().chain(look.laid.iter().chain(&look.tried).map(|(_, ink)| ink));
        look.add_legend(&used.copied().collect::<Vec<_>>(), &mut picture);
        picture
    }

    fn draw_on(
        &self,
        known: &[OptionId],
        places: &HashMap<usize, Ink>,
        laid: &[(OptionId, Ink)],
        picture: &mut Picture,
    ) {
        if self.board.lattice.has_edges() {
            return self.draw_edges_on(known, |_| Some(Ink::Gray), places, laid, picture);
        }
        let mut inks = places.clone();
        let known_pieces = known.iter().map(|&option| (option, Ink::Gray));
        for (option, ink) in known_pieces.chain(laid.iter().copied()) {
            inks.extend(self.option_places(option).into_iter().map(|place| (place, ink)));
        }
        let all: Vec<OptionId> = known.iter().copied().chain(laid.iter().map(|laid| laid.0)).collect();
        self.draw_cells(&all, &inks, picture);
    }
}
