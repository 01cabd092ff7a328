//! How the solutions of a tiling puzzle are written and drawn.

use std::collections::HashMap;
use std::sync::Arc;

use dlx::classes::Symmetry;
use dlx::{Bounds, ItemId, OptionId, Problem};

use super::board::PlaceKind;
use super::lattice::edges::crossing;
use super::shape::{PLAIN, add};
use super::{Cell, Picture, Polyomino, Puzzle, XMPUZZLE, lines, text, xmpuzzle};
use crate::puzzle::{Cube, Ink, StepLook, SymmetrySort, TextUnits};

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
        text::write_lattice(&self.board, out);
        out.push_str("tiling\n");
        self.draw(cover, out);
    }

    fn show_clues(&self, clues: &[OptionId], out: &mut String) -> bool {
        out.push_str(&self.pieces_text);
        out.push_str("board\n");
        // Copies of a piece that touch have letters that differ.
        self.draw(if self.shows_names { clues } else { &[] }, out);
        if self.board.has_marks() {
            out.push_str("colors\n");
            self.board.draw_marks(out);
        }
        if !self.shows_names && !clues.is_empty() {
            out.push_str("clues\n");
            let drawn = self.drawn(clues);
            self.board.draw(|place| drawn[place].unwrap_or('.'), out);
        }
        !self.pieces_text.is_empty()
    }

    fn write_as(&self, form: &str) -> Option<Result<String, String>> {
        (form == XMPUZZLE).then(|| xmpuzzle::write(self))
    }

    fn option_words(&self, option: OptionId) -> String {
        format!("{} on {}", self.laid(option), self.cell_names(option))
    }

    fn item_words(&self, item: ItemId) -> Option<String> {
        let name = self.problem.item_name(item);
        match self.places[item.index()] {
            Some(_) => Some(name.to_owned()),
            None if self.is_piece(item) => Some(format!("piece {name}")),
            _ => None,
        }
    }

    fn value_words(&self, option: OptionId, item: ItemId) -> String {
        if self.is_piece(item) { self.cell_names(option) } else { self.laid(option) }
    }

    fn item_cell(&self, item: ItemId) -> Option<(usize, usize)> {
        let place = self.places[item.index()]?;
        let [_, row, column] = self.board.cell(place).map(|at| at as usize);
        (self.board.size[0] == 1).then_some((row, column))
    }

    fn picture_beside(&self, cover: &[OptionId], common: &[OptionId]) -> Option<Picture> {
        let drawn = self.drawn(cover);
        if self.board.lattice.has_edges() {
            return Some(self.picture_of_edges(cover, common, &drawn));
        }
        let mut inks = HashMap::new();
        for &option in common {
            inks.extend(self.option_places(option).into_iter().map(|place| (place, Ink::Gray)));
        }
        let mut picture = Picture::new();
        self.draw_cells(cover, &inks, &mut picture);
        Some(picture)
    }

    fn text_units(&self) -> TextUnits {
        TextUnits::Pieces
    }

    fn symmetries(&self, wanted: SymmetrySort) -> Option<Vec<Symmetry>> {
        Some(self.turns(wanted))
    }

    fn picture(&self, cover: &[OptionId]) -> Option<Picture> {
        let drawn = self.drawn(cover);
        if self.board.lattice.has_edges() {
            return Some(self.picture_of_edges(cover, &[], &drawn));
        }
        let mut picture = Picture::new();
        self.draw_cells(cover, &HashMap::new(), &mut picture);
        if self.is_open(&drawn) {
            picture.below(&self.pieces_left(&drawn));
        }
        Some(picture)
    }

    fn picture_of_step(&self, look: &StepLook) -> Option<Picture> {
        Some(self.picture_of(look))
    }

    fn contradiction(&self) -> Option<(String, Vec<usize>)> {
        let mut owners = HashMap::new();
        for (number, &option) in self.given.iter().enumerate() {
            let cells = self.option_places(option).into_iter().map(|place| self.board.cell(place));
            owners.extend(cells.map(|cell| (cell, number)));
        }
        let ([_, row, column], one, other) =
            crossing(self.board.lattice, owners.keys().copied(), |edge| owners.get(&edge).copied())?;
        let mut names = [one, other].map(|number| self.name(self.given[number]));
        names.sort_unstable();
        let [one, other] = names;
        let message = format!("pieces {one} and {other} cross at r{}c{}", row + 1, column + 1);
        Some((message, Vec::new()))
    }
}

/// The size of the board of a piece that is drawn alone: its layers stand close together.
const ALONE: [usize; 3] = [1, 0, 0];
/// The most cells of pieces that are drawn beside their board.
const CELLS_MAX: usize = 4096;

impl Polyomino {
    /// Tells whether some cells are still to be covered, or nothing is.
    fn is_open(&self, drawn: &[Option<char>]) -> bool {
        let mut covered = self.board.places(PlaceKind::Covered);
        covered.any(|place| drawn[place].is_none()) || drawn.iter().all(Option::is_none)
    }

    /// Draws the board with the pieces of a cover, and some places in inks.
    pub(super) fn draw_cells(
        &self,
        cover: &[OptionId],
        inks: &HashMap<usize, Ink>,
        picture: &mut Picture,
    ) {
        let drawn = self.drawn(cover);
        let mut placements = vec![0; drawn.len()];
        for (number, &option) in (1..).zip(cover).filter(|(_, option)| !self.is_hole(**option)) {
            self.option_places(option).into_iter().for_each(|place| placements[place] = number);
        }
        let is_cell = |place: &usize| self.board.fields[*place] != PlaceKind::Outside;
        for place in (0..drawn.len()).filter(is_cell) {
            let cell = Cell::in_region(placements[place]);
            let cell = match (inks.get(&place), drawn[place]) {
                (Some(&ink), _) => cell.fill(ink),
                (None, Some(label)) => cell.color(self.color(label)),
                (None, None) => cell.shaded(self.board.fields[place] == PlaceKind::Free),
            };
            let at = self.board.cell(place);
            let corners = self.board.lattice.corners(at, self.board.size);
            let mark = self.board.marks[place];
            if mark != PLAIN {
                picture.small_text(&corners, &mark.to_string());
            }
            picture.polygon(&corners, cell);
        }
        if self.has_cubes() {
            let cubes = (0..drawn.len()).filter(is_cell).map(|place| {
                let color = drawn[place].map(|label| self.color(label));
                (self.board.cell(place), Cube { piece: placements[place], color })
            });
            picture.solid(self.board.size, &cubes.collect());
        }
    }

    /// Draws the board with known pieces as lines in their colors, places in inks as broad lines below them, and pieces that are laid in inks.
    pub(super) fn draw_edges_on(
        &self,
        known: &[OptionId],
        color: impl Fn(OptionId) -> Option<Ink>,
        places: &HashMap<usize, Ink>,
        laid: &[(OptionId, Ink)],
        picture: &mut Picture,
    ) {
        let (lattice, size) = (self.board.lattice, self.board.size);
        let mut places: Vec<(usize, Ink)> = places.iter().map(|(&place, &ink)| (place, ink)).collect();
        places.sort_unstable_by_key(|&(place, _)| place);
        for (place, ink) in places {
            lines::draw_broad(&lattice.corners(self.board.cell(place), size), ink, picture);
        }
        lines::draw_board(&self.board, picture);
        let known = known.iter().filter_map(|&option| Some((option, color(option)?)));
        for (option, ink) in known.chain(laid.iter().copied()) {
            let places = self.option_places(option);
            let edges: Vec<_> = places.iter().map(|&place| self.board.cell(place)).collect();
            lines::draw_piece(lattice, size, &edges, ink, picture);
        }
    }

    /// Draws the pieces of a cover as lines, some in gray.
    fn picture_of_edges(
        &self,
        cover: &[OptionId],
        gray: &[OptionId],
        drawn: &[Option<char>],
    ) -> Picture {
        let mut picture = Picture::new();
        let color = |option: OptionId| {
            if gray.contains(&option) {
                return Some(Ink::Gray);
            }
            let label = drawn[*self.option_places(option).first()?]?;
            Some(Ink::piece(self.color(label)))
        };
        self.draw_edges_on(cover, color, &HashMap::new(), &[], &mut picture);
        if self.is_open(drawn) {
            picture.below(&self.pieces_left(drawn));
        }
        picture
    }

    /// Returns how often the item of a piece may be covered.
    pub(super) fn bounds(&self, item: ItemId) -> Bounds {
        self.problem.bounds(item).unwrap_or(Bounds { low: 0, high: 1 })
    }

    /// Tells whether an item is that of a piece.
    pub(super) fn is_piece(&self, item: ItemId) -> bool {
        self.places[item.index()].is_none() && item.index() < self.piece_end
    }

    /// Draws the pieces that are not on the board yet, each as it may lie; nothing if they are too many.
    pub(super) fn pieces_left(&self, drawn: &[Option<char>]) -> Vec<Picture> {
        let (mut left, mut count, mut start) = (Vec::new(), 0, 0);
        for (number, &(name, end)) in self.pieces.iter().enumerate() {
            let first = std::mem::replace(&mut start, end);
            if first == end || (self.shows_names && drawn.contains(&Some(name))) {
                continue;
            }
            let cells: Vec<_> = self
                .option_places(OptionId::new(first))
                .into_iter()
                .map(|place| self.board.cell(place))
                .collect();
            count += cells.len();
            if count > CELLS_MAX {
                return Vec::new();
            }
            let color = self.shows_names.then_some(number);
            let mut picture = Picture::new();
            if self.has_cubes() {
                let least =
                    [0, 1, 2].map(|axis| cells.iter().map(|cell| cell[axis]).min().unwrap_or(0));
                let cubes = cells.iter().map(|cell| {
                    let cell = [0, 1, 2].map(|axis| cell[axis] - least[axis]);
                    (cell, Cube { piece: 0, color })
                });
                picture.solid([1; 3], &cubes.collect());
            } else if self.board.lattice.has_edges() {
                let ink = color.map_or(Ink::Shade, Ink::piece);
                lines::draw_piece(self.board.lattice, ALONE, &cells, ink, &mut picture);
            } else {
                for &cell in &cells {
                    let drawn = Cell::in_region(0);
                    let drawn = color.map_or(drawn.clone().shaded(true), |color| drawn.color(color));
                    picture.polygon(&self.board.lattice.corners(cell, ALONE), drawn);
                }
            }
            let entries = self.problem.option(OptionId::new(first)).iter();
            let item = entries.map(|entry| entry.item).find(|item| self.is_piece(*item));
            if let Some(Bounds { low, high }) = item.map(|item| self.bounds(item)) {
                // Pieces without a limit have at most the number of places.
                match (low, high) {
                    (1, 1) => {}
                    (low, high) if low == high => picture.label(&format!("x{high}")),
                    (low, high) if (high as usize) < self.board.fields.len() => {
                        picture.label(&format!("x{low}-{high}"));
                    }
                    _ => {}
                }
            }
            left.push(picture);
        }
        left
    }

    /// Tells whether the cells are cubes in layers, which a picture shows in space.
    fn has_cubes(&self) -> bool {
        self.board.size[0] > 1 && self.board.lattice.is_first()
    }

    /// Writes the board with the pieces that a cover places.
    fn draw(&self, cover: &[OptionId], out: &mut String) {
        let drawn = self.drawn(cover);
        let empty = |place: usize| match self.board.fields[place] {
            PlaceKind::Free => '?',
            _ => '.',
        };
        self.board.draw(|place| drawn[place].unwrap_or_else(|| empty(place)), out);
    }

    /// Returns the letter of each place that a cover covers.
    pub(super) fn drawn(&self, cover: &[OptionId]) -> Vec<Option<char>> {
        let pieces = cover.iter().filter(|option| !self.is_hole(**option));
        let mut placed: Vec<(Vec<usize>, OptionId)> =
            pieces.map(|&option| (self.option_places(option), option)).collect();
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

    /// Names the cells that an option covers.
    fn cell_names(&self, option: OptionId) -> String {
        let entries = self.problem.option(option).iter();
        let cells = entries.filter(|entry| self.places[entry.item.index()].is_some());
        let names: Vec<&str> = cells.map(|entry| self.problem.item_name(entry.item)).collect();
        names.join(" ")
    }

    /// Returns the places that an option covers.
    pub(super) fn option_places(&self, option: OptionId) -> Vec<usize> {
        let entries = self.problem.option(option).iter();
        entries.filter_map(|entry| self.places[entry.item.index()]).collect()
    }

    /// Tells whether an option leaves a cell empty; all others place a piece.
    pub(super) fn is_hole(&self, option: OptionId) -> bool {
        self.pieces.last().is_some_and(|&(_, end)| option.index() >= end)
    }

    /// Says what an option lays on its cells.
    fn laid(&self, option: OptionId) -> String {
        if self.is_hole(option) { "nothing".to_owned() } else { self.name(option).to_string() }
    }

    /// Returns the name of the piece that an option places, which is no hole.
    fn name(&self, option: OptionId) -> char {
        let piece = self.pieces.partition_point(|&(_, end)| end <= option.index());
        self.pieces[piece].0
    }

    /// Returns the first letter that no neighbor of `places` has.
    fn free_label(&self, places: &[usize], drawn: &[Option<char>]) -> char {
        let taken: Vec<char> = places
            .iter()
            .flat_map(|&place| {
                let cell = self.board.cell(place);
                self.board.lattice.around(cell).map(move |offset| add(cell, offset))
            })
            .filter_map(|cell| drawn[self.board.place(cell)?])
            .collect();
        let mut letters = ('A'..='Z').chain('a'..='z').chain('\u{c0}'..=char::MAX);
        letters.find(|c| c.is_alphabetic() && !taken.contains(c)).unwrap_or('?')
    }
}
