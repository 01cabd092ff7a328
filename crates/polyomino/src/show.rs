//! Writes and draws the solutions of a tiling puzzle.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use dlx::classes::Symmetry;
use dlx::{Bounds, ItemId, OptionId, Problem};

use super::board::PlaceKind;
use super::lattice::edges::crossing;
use super::shape::{PLAIN, add};
use super::{Cell, Picture, Piece, Polyomino, Puzzle, XMPUZZLE, lines, native, sets, xmpuzzle};
use puzzle::{
    Cube, Ink, ItemRole, PuzzleTerms, StepFigure, SymmetrySort, TextLayout, TextUnits, budget,
};

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
        native::write_lattice(&self.board, out);
        let labels = self.labels(cover);
        pushln!(out, "tiling{}", self.alias_words(&labels));
        self.draw(&labels.drawn, out);
        if self.shows_colors() {
            let mut marks = vec![PLAIN; self.board.fields.len()];
            for &option in cover {
                self.option_marks(option).for_each(|(place, mark)| marks[place] = mark);
            }
            out.push_str("colors\n");
            self.board.draw(|place| marks[place], out);
        }
    }

    fn show_clues(&self, clues: &[OptionId], out: &mut String) -> bool {
        out.push_str(&self.pieces_text);
        out.push_str("board\n");
        let labels = self.labels(clues);
        let are_names = labels.extra.is_empty();
        let bare = vec![None; self.board.fields.len()];
        self.draw(if are_names { &labels.drawn } else { &bare }, out);
        if self.board.has_marks() {
            out.push_str("colors\n");
            self.board.draw_marks(out);
        }
        if !are_names {
            pushln!(out, "clues{}", self.alias_words(&labels));
            self.board.draw(|place| labels.drawn[place].unwrap_or('.'), out);
        }
        !self.pieces_text.is_empty()
    }

    fn write_as(&self, form: &str) -> Option<Result<String, String>> {
        (form == XMPUZZLE).then(|| xmpuzzle::write(self))
    }

    fn layout(&self) -> TextLayout<'_> {
        TextLayout::new(TextUnits::Pieces, false)
    }

    fn symmetries(&self, wanted: SymmetrySort) -> Option<Vec<Symmetry>> {
        Some(self.turns(wanted))
    }

    fn picture(&self, cover: &[OptionId]) -> Option<Picture> {
        if self.board.lattice.has_edges() {
            return Some(self.picture_of_edges(cover, &[]));
        }
        let mut picture = Picture::new();
        self.draw_cells(cover, &HashMap::new(), &mut picture);
        if self.is_open(cover) {
            picture.below(&self.pieces_left(cover));
        }
        Some(picture)
    }

    fn terms(&self) -> &dyn PuzzleTerms {
        self
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

impl PuzzleTerms for Polyomino {
    fn option_words(&self, option: OptionId) -> String {
        format!("{} on {}", self.laid(option), self.cell_names(option))
    }

    fn solution_words(&self, option: OptionId) -> (String, String) {
        let mut place = self.cell_names(option);
        if self.shows_colors() {
            let marks: String = self.option_marks(option).map(|(_, mark)| mark).collect();
            // A hole, or a piece without colors.
            let is_plain = marks.chars().all(|mark| mark == PLAIN);
            place += &if is_plain { String::new() } else { format!(" in {marks}") };
        }
        (place, self.laid(option))
    }

    fn complete(&self, cover: &mut Vec<OptionId>) {
        let first_hole = self.pieces.last().map_or(0, |&(_, end)| end);
        if first_hole == self.problem.option_count() {
            return;
        }
        let mut is_covered = vec![false; self.board.fields.len()];
        for place in cover.iter().flat_map(|&option| self.option_places(option)) {
            is_covered[place] = true;
        }
        let holes = (first_hole..self.problem.option_count()).map(OptionId::new);
        cover.extend(holes.filter(|&hole| !self.option_places(hole).iter().any(|&p| is_covered[p])));
    }

    fn item_words(&self, item: ItemId) -> Option<String> {
        let name = self.problem.item_name(item);
        match self.places[item.index()] {
            Some(_) => Some(name.to_owned()),
            None if self.is_piece(item) => Some(format!("piece {name}")),
            _ => None,
        }
    }

    fn item_role(&self, item: ItemId) -> Option<ItemRole> {
        match self.places[item.index()] {
            Some(_) => Some(ItemRole::Place),
            None => self.is_piece(item).then_some(ItemRole::Piece),
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
        if self.board.lattice.has_edges() {
            return Some(self.picture_of_edges(cover, common));
        }
        let mut inks = HashMap::new();
        for &option in common {
            inks.extend(self.option_places(option).into_iter().map(|place| (place, Ink::Gray)));
        }
        let mut picture = Picture::new();
        self.draw_cells(cover, &inks, &mut picture);
        Some(picture)
    }

    fn picture_of_step(&self, look: &StepFigure) -> Option<Picture> {
        Some(self.picture_of(look))
    }
}

/// Size of the board for the picture of a piece alone; it puts the layers close together.
const ALONE: [usize; 3] = [1, 0, 0];
/// Work of choosing the letter of a piece, and of drawing a cell, in units of [`budget::spend`].
const LABEL_WORK: u64 = 1000;
const CELL_WORK: u64 = 500;
/// Maximum total number of cells of the unplaced pieces that are drawn next to the board.
const CELLS_MAX: usize = 4096;

pub(super) struct Labels {
    drawn: Vec<Option<char>>,
    /// Extra letters, each with the index of a piece. An extra letter marks a copy of the piece
    /// that touches another copy.
    extra: Vec<(char, usize)>,
}

impl Polyomino {
    /// Returns whether the cover is empty or leaves a cell of the board uncovered.
    fn is_open(&self, cover: &[OptionId]) -> bool {
        let drawn = self.labels(cover).drawn;
        let mut covered = self.board.places(PlaceKind::Covered);
        covered.any(|place| drawn[place].is_none()) || drawn.iter().all(Option::is_none)
    }

    pub(super) fn draw_cells(
        &self,
        cover: &[OptionId],
        inks: &HashMap<usize, Ink>,
        picture: &mut Picture,
    ) {
        let labels = self.labels(cover);
        let drawn = &labels.drawn;
        let mut placements = vec![0; drawn.len()];
        for (number, &option) in (1..).zip(cover).filter(|(_, option)| !self.is_hole(**option)) {
            self.option_places(option).into_iter().for_each(|place| placements[place] = number);
        }
        let is_cell = |place: &usize| self.board.fields[*place] != PlaceKind::Outside;
        for place in (0..drawn.len()).filter(is_cell) {
            if budget::spend(CELL_WORK).is_err() {
                return;
            }
            let cell = Cell::in_region(placements[place]);
            let cell = match (inks.get(&place), drawn[place]) {
                (Some(&ink), _) => cell.fill(ink),
                (None, Some(label)) => cell.color(self.color(label, &labels)),
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
                let color = drawn[place].map(|label| self.color(label, &labels));
                (self.board.cell(place), Cube { piece: placements[place], color })
            });
            picture.solid(self.board.size, &cubes.collect());
        }
    }

    /// Draws the board with the known pieces as lines in their colors, the positions in `places` as
    /// broad lines below them, and the pieces in `laid` in the given inks.
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

    fn picture_of_edges(&self, cover: &[OptionId], gray: &[OptionId]) -> Picture {
        let labels = self.labels(cover);
        let mut picture = Picture::new();
        let color = |option: OptionId| {
            if gray.contains(&option) {
                return Some(Ink::Gray);
            }
            let label = labels.drawn[*self.option_places(option).first()?]?;
            Some(Ink::piece(self.color(label, &labels)))
        };
        self.draw_edges_on(cover, color, &HashMap::new(), &[], &mut picture);
        if self.is_open(cover) {
            picture.below(&self.pieces_left(cover));
        }
        picture
    }

    pub(super) fn bounds(&self, item: ItemId) -> Bounds {
        self.problem.bounds(item).unwrap_or(Bounds { low: 0, high: 1 })
    }

    pub(super) fn is_piece(&self, item: ItemId) -> bool {
        self.places[item.index()].is_none() && item.index() < self.piece_end
    }

    /// Draws each piece that is not placed in one orientation. Returns an empty list if these
    /// pieces have too many cells.
    pub(super) fn pieces_left(&self, cover: &[OptionId]) -> Vec<Picture> {
        let laid = cover.iter().filter(|option| !self.is_hole(**option));
        let laid: Vec<usize> = laid.map(|&option| self.piece_of(option)).collect();
        let (mut left, mut count, mut start) = (Vec::new(), 0, 0);
        for (number, &(_, end)) in self.pieces.iter().enumerate() {
            let first = std::mem::replace(&mut start, end);
            let laid_count = laid.iter().filter(|piece| **piece == number).count();
            if first == end || self.copies(number).is_some_and(|high| laid_count >= high) {
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
            let color = (self.pieces.len() > 1).then_some(number);
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
            let bounds = item.map(|item| self.bounds(item));
            // The upper bound of an unlimited piece is the number of positions.
            let is_limited = |bounds: &Bounds| (bounds.high as usize) < self.board.fields.len();
            if let Some(Bounds { low, high }) = bounds.filter(is_limited) {
                let left = |bound: u32| bound.saturating_sub(laid_count as u32);
                match (left(low), left(high)) {
                    (1, 1) => {}
                    (low, high) if low == high => picture.label(&format!("x{high}")),
                    (low, high) => picture.label(&format!("x{low}-{high}")),
                }
            }
            left.push(picture);
        }
        left
    }

    fn has_cubes(&self) -> bool {
        self.board.size[0] > 1 && self.board.lattice.is_first()
    }

    fn draw(&self, drawn: &[Option<char>], out: &mut String) {
        let empty = |place: usize| match self.board.fields[place] {
            PlaceKind::Free => '?',
            _ => '.',
        };
        self.board.draw(|place| drawn[place].unwrap_or_else(|| empty(place)), out);
    }

    /// Chooses a letter for each piece of a cover. The letter is the name of the piece or, for a
    /// copy that touches another piece with this letter, an extra letter. No letter stands for two
    /// pieces.
    pub(super) fn labels(&self, cover: &[OptionId]) -> Labels {
        let pieces = cover.iter().filter(|option| !self.is_hole(**option));
        let mut placed: Vec<(Vec<usize>, OptionId)> =
            pieces.map(|&option| (self.option_places(option), option)).collect();
        placed.sort_unstable();
        let mut labels = Labels { drawn: vec![None; self.board.fields.len()], extra: Vec::new() };
        for (places, option) in &placed {
            if budget::spend(LABEL_WORK).is_err() {
                break;
            }
            let label = self.label(self.piece_of(*option), places, &mut labels);
            for &place in places {
                labels.drawn[place] = Some(label);
            }
        }
        labels
    }

    /// Returns the first possible letter for a copy of a piece on `places` that none of the
    /// adjacent copies has.
    fn label(&self, piece: usize, places: &[usize], labels: &mut Labels) -> char {
        let around = places.iter().flat_map(|&place| {
            let cell = self.board.cell(place);
            self.board.lattice.around(cell).map(move |offset| add(cell, offset))
        });
        let taken: BTreeSet<char> =
            around.filter_map(|cell| labels.drawn[self.board.place(cell)?]).collect();
        // If all pieces are copies of one piece of a set, its name carries no information.
        let name = Some(self.pieces[piece].0).filter(|_| !self.is_nameless());
        let own = labels.extra.iter().filter(|(_, of)| *of == piece).map(|(letter, _)| *letter);
        if let Some(free) = name.into_iter().chain(own).find(|letter| !taken.contains(letter)) {
            return free;
        }
        let is_name = |letter: &char| self.pieces.iter().any(|(name, _)| name == letter);
        let is_new = |letter: &char| {
            (self.is_nameless() || !is_name(letter))
                && labels.extra.iter().all(|(extra, _)| extra != letter)
        };
        // If there is only one piece, all letters mark its copies. If there are several, the
        // lower-case name of the piece is the clearest extra letter.
        let small = name.and_then(|name| name.to_lowercase().next()).filter(|_| self.pieces.len() > 1);
        let new = small.into_iter().chain(sets::letters()).find(is_new).unwrap_or('?');
        labels.extra.push((new, piece));
        new
    }

    fn alias_words(&self, labels: &Labels) -> String {
        let is_drawn = |letter: &char| labels.drawn.contains(&Some(*letter));
        let known = self.aliases.iter().copied().filter(|(letter, _)| is_drawn(letter));
        let extra = labels.extra.iter().filter(|_| self.pieces.len() > 1);
        let extra = extra.map(|&(letter, piece)| (letter, self.pieces[piece].0));
        known.chain(extra).map(|(letter, name)| format!(" {letter}={name}")).collect()
    }

    fn color(&self, label: char, labels: &Labels) -> usize {
        let extra = || labels.extra.iter().position(|&(letter, _)| letter == label);
        if self.is_nameless() {
            return extra().unwrap_or_default();
        }
        let piece = self.pieces.iter().position(|&(name, _)| name == label);
        piece.or_else(|| Some(self.pieces.len() + extra()?)).unwrap_or_default()
    }

    /// Returns whether all pieces are copies of the same piece of a set.
    fn is_nameless(&self) -> bool {
        let is_copied = |piece: &Piece| !piece.has_own_name && piece.supply.high != Some(1);
        self.made_of
            .as_ref()
            .is_some_and(|made_of| matches!(&made_of.0[..], [piece] if is_copied(piece)))
    }

    fn copies(&self, piece: usize) -> Option<usize> {
        let Some(made_of) = &self.made_of else { return Some(1) };
        made_of.0[piece].supply.high.map(|high| high as usize)
    }

    fn cell_names(&self, option: OptionId) -> String {
        let entries = self.problem.option(option).iter();
        let cells = entries.filter(|entry| self.places[entry.item.index()].is_some());
        let names: Vec<&str> = cells.map(|entry| self.problem.item_name(entry.item)).collect();
        names.join(" ")
    }

    pub(super) fn option_places(&self, option: OptionId) -> Vec<usize> {
        let entries = self.problem.option(option).iter();
        entries.filter_map(|entry| self.places[entry.item.index()]).collect()
    }

    /// Returns whether solutions are shown with the colors of the pieces: several placements of a
    /// piece have the same cells, or a finished tiling has colors.
    fn shows_colors(&self) -> bool {
        !self.colorings.is_empty() || self.made_of.is_none() && self.board.has_marks()
    }

    /// Returns the board positions of the piece that an option places, each with its color.
    fn option_marks(&self, option: OptionId) -> impl Iterator<Item = (usize, char)> {
        let index = self.colorings.partition_point(|&(end, _)| end <= option.index());
        let marks = self.colorings.get(index).map(|(_, marks)| marks);
        let is_tiling = self.made_of.is_none();
        let places = self.option_places(option).into_iter().enumerate();
        places.map(move |(number, place)| match marks.and_then(|marks| marks.get(number)) {
            Some(&mark) => (place, mark),
            None if is_tiling => (place, self.board.marks[place]),
            None => (place, PLAIN),
        })
    }

    /// Returns whether an option leaves a cell empty. All other options place a piece.
    pub(super) fn is_hole(&self, option: OptionId) -> bool {
        self.pieces.last().is_some_and(|&(_, end)| option.index() >= end)
    }

    fn laid(&self, option: OptionId) -> String {
        if self.is_hole(option) { "nothing".to_owned() } else { self.name(option).to_string() }
    }

    fn name(&self, option: OptionId) -> char {
        let name = self.pieces[self.piece_of(option)].0;
        self.aliases.iter().find(|(letter, _)| *letter == name).map_or(name, |&(_, piece)| piece)
    }

    fn piece_of(&self, option: OptionId) -> usize {
        self.pieces.partition_point(|&(_, end)| end <= option.index())
    }
}
