//! The symmetries of a board with its pieces: motions that map the board to itself and placements
//! to placements.
//!
//! A motion may exchange pieces. For example, a reflection exchanges the two twisted pieces of the
//! Soma cube. The image of a piece is a piece with equal bounds whose placements are the images of
//! the first piece's placements. If several pieces have the same shape, they form a class, and the
//! k-th piece of a class is mapped to the k-th piece of the image class.

use std::collections::HashMap;
use std::ops::Range;

use dlx::OptionId;
use dlx::classes::Symmetry;

use super::Polyomino;
use super::board::PlaceKind;
use super::lattice::{Motions, Turn};
use super::shape::{PLAIN, Position, add, shape, subtract};
use puzzle::SymmetrySort;

/// Pieces with the same placements and the same bounds.
struct PieceClass {
    pieces: Vec<usize>,
    bounds: Option<(u32, u32)>,
    placements: Vec<Vec<usize>>,
}

impl Polyomino {
    pub(super) fn turns(&self, wanted: SymmetrySort) -> Vec<Symmetry> {
        let motions = match wanted {
            SymmetrySort::All => Motions::Reflect,
            SymmetrySort::Rotations => Motions::Rotate,
        };
        let turns = self.board.lattice.turns(motions, self.is_solid);
        let moves: Vec<Vec<usize>> = turns.into_iter().filter_map(|turn| self.moved(turn)).collect();
        if moves.len() < 2 {
            return Vec::new();
        }
        let option_count = self.problem.option_count();
        let placements: Vec<Vec<usize>> = (0..option_count)
            .map(|option| {
                let mut places = self.option_places(OptionId::new(option));
                places.sort_unstable();
                places
            })
            .collect();
        let piece_of = |option: usize| self.pieces.partition_point(|&(_, end)| end <= option);
        let mut options: HashMap<(usize, &[usize]), Vec<usize>> = HashMap::new();
        for (option, places) in placements.iter().enumerate() {
            options.entry((piece_of(option), places)).or_default().push(option);
        }
        let classes = self.classes(&placements);
        let holes = (0..option_count).rfind(|&option| !self.is_hole(OptionId::new(option)));
        let holes = holes.map_or(0, |last| last + 1)..option_count;
        let of_moved =
            |moved: &Vec<usize>| symmetry(moved, &classes, &placements, &options, holes.clone());
        moves.iter().filter_map(of_moved).collect()
    }

    /// Returns the image of each position under a motion followed by a translation, if together
    /// they map the board to itself.
    fn moved(&self, turn: Turn) -> Option<Vec<usize>> {
        let board = &self.board;
        let is_cell = |place: &usize| board.fields[*place] != PlaceKind::Outside;
        let places: Vec<usize> = (0..board.fields.len()).filter(is_cell).collect();
        let cells: Vec<Position> = places.iter().map(|&place| board.cell(place)).collect();
        let first = *cells.first()?;
        // A motion fixes the origin, so the board is first translated there.
        let home = shape(board.lattice, cells.iter().map(|&cell| (cell, PLAIN)).collect());
        let start = subtract(home.first()?.0, first);
        let turned = cells.iter().map(|&cell| board.lattice.turned(turn, add(cell, start)));
        let turned: Vec<Position> = turned.collect();
        let shift = subtract(home.first()?.0, *turned.iter().min()?);
        if !board.lattice.is_shift(shift) {
            return None;
        }
        let mut moved: Vec<usize> = (0..board.fields.len()).collect();
        for (&place, &cell) in places.iter().zip(&turned) {
            let image = board.place(subtract(add(cell, shift), start)).filter(is_cell)?;
            moved[place] = image;
        }
        Some(moved)
    }

    fn classes(&self, placements: &[Vec<usize>]) -> Vec<PieceClass> {
        let mut classes: Vec<PieceClass> = Vec::new();
        let mut start = 0;
        for (piece, &(_, end)) in self.pieces.iter().enumerate() {
            let mut own = placements[start..end].to_vec();
            own.sort_unstable();
            let entries = (start < end).then(|| self.problem.option(OptionId::new(start)));
            let item = entries.into_iter().flatten().find(|entry| self.is_piece(entry.item));
            let bounds = item.map(|entry| self.bounds(entry.item));
            let bounds = bounds.map(|bounds| (bounds.low, bounds.high));
            start = end;
            match classes.iter_mut().find(|class| class.bounds == bounds && class.placements == own) {
                Some(class) => class.pieces.push(piece),
                None => classes.push(PieceClass { pieces: vec![piece], bounds, placements: own }),
            }
        }
        classes
    }
}

fn symmetry(
    moved: &[usize],
    classes: &[PieceClass],
    placements: &[Vec<usize>],
    options: &HashMap<(usize, &[usize]), Vec<usize>>,
    holes: Range<usize>,
) -> Option<Symmetry> {
    let image = |places: &[usize]| {
        let mut image: Vec<usize> = places.iter().map(|&place| moved[place]).collect();
        image.sort_unstable();
        image
    };
    let mut images = vec![OptionId::new(0); placements.len()];
    for class in classes {
        let mut wanted: Vec<Vec<usize>> = class.placements.iter().map(|places| image(places)).collect();
        wanted.sort_unstable();
        let is_image = |other: &&PieceClass| {
            other.bounds == class.bounds
                && other.pieces.len() == class.pieces.len()
                && other.placements == wanted
        };
        let other = classes.iter().find(is_image)?;
        for (&piece, &to) in class.pieces.iter().zip(&other.pieces) {
            let mut done = None;
            for places in &class.placements {
                if done.replace(places) == Some(places) {
                    continue;
                }
                let from = options.get(&(piece, places))?;
                let image = image(places);
                let to = options.get(&(to, image.as_slice()))?;
                for (&from, &to) in from.iter().zip(to) {
                    images[from] = OptionId::new(to);
                }
            }
        }
    }
    let piece_count = classes.iter().map(|class| class.pieces.len()).sum();
    for hole in holes {
        let image = image(&placements[hole]);
        let to = options.get(&(piece_count, image.as_slice()))?;
        images[hole] = OptionId::new(*to.first()?);
    }
    Symmetry::new(images)
}
