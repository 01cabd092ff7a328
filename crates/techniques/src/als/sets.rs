//! The almost locked sets of a position, and the graph of their places.

use crate::bits::{Cells, Digits};
use crate::board::Board;

/// Most cells of a set: all sets of a 9x9 board. With at most 5 cells, 58 of the 63 states of
/// HoDoKu's library with such sets are found, with 8 cells 61.
pub(super) const SIZE_MAX: usize = 8;

/// Most sets, and most places, of a position; with more of them the largest sets are left out.
/// Bounds the four bit matrices to 512 KiB each.
const COUNT_MAX: usize = 2_048;

/// An almost locked set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Als {
    pub(super) cells: Cells,
    pub(super) digits: Digits,
    /// For each digit of the set, the number of its place.
    pub(super) places: [u16; Digits::CAPACITY],
}

/// A digit and all cells of it in some set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) digit: usize,
    pub(super) cells: Cells,
    /// The cells that see all of the place.
    pub(super) seen: Cells,
    /// The cells with the digit that see all of the place.
    pub(super) targets: Cells,
}

/// A matrix of bits with a row and a column per place.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    words: Vec<u64>,
    width: usize,
}

impl Rows {
    fn new(count: usize) -> Self {
        let width = count.div_ceil(64);
        Self { words: vec![0; count * width], width }
    }

    fn insert(&mut self, row: usize, column: usize) {
        self.words[row * self.width + column / 64] |= 1 << (column % 64);
    }

    pub(super) fn row(&self, row: usize) -> &[u64] {
        &self.words[row * self.width..(row + 1) * self.width]
    }

    pub(super) fn has(&self, row: usize, column: usize) -> bool {
        self.words[row * self.width + column / 64] >> (column % 64) & 1 == 1
    }

    /// Returns the union of two matrices of the same size.
    pub(super) fn or(&self, other: &Self) -> Self {
        let words = self.words.iter().zip(&other.words).map(|(a, b)| a | b).collect();
        Self { words, width: self.width }
    }

    /// Adds the rows of some places to a set of places.
    pub(super) fn add(&self, from: &[u64], to: &mut [u64]) {
        for row in ones(from) {
            to.iter_mut().zip(self.row(row)).for_each(|(to, from)| *to |= from);
        }
    }
}

/// Iterates over the elements of a set of places.
pub(super) fn ones(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(number, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                number * 64 + bit
            })
        })
    })
}

/// The almost locked sets of a position.
#[derive(Debug)]
pub(super) struct Sets<'b> {
    pub(super) board: &'b Board,
    pub(super) list: Vec<Als>,
    pub(super) places: Vec<Place>,
    /// For each place, the sets that have it.
    pub(super) sets_of: Vec<Vec<u16>>,
    /// The places where digits stand in a set of one cell if the digit of the row is missing.
    pub(super) strong_single: Rows,
    /// The same for sets of several cells.
    pub(super) strong: Rows,
    /// The places that lose their digit if it stands in the place of the row.
    pub(super) weak: Rows,
    /// For each digit, its places.
    pub(super) of_digit: Vec<Vec<u64>>,
}

impl<'b> Sets<'b> {
    pub(super) fn new(board: &'b Board) -> Self {
        let mut list = list(board);
        let (mut places, mut sets_of) = (Vec::new(), Vec::new());
        for size in (1..=SIZE_MAX).rev() {
            list.retain(|set| set.cells.len() <= size);
            if list.len() <= COUNT_MAX {
                (places, sets_of) = number_places(board, &mut list);
                if places.len() <= COUNT_MAX {
                    break;
                }
            }
        }
        let strong_single = strong(&list, places.len(), |size| size == 1);
        let strong = strong(&list, places.len(), |size| size > 1);
        let (weak, of_digit) = weak(board, &places);
        Self { board, list, places, sets_of, strong_single, strong, weak, of_digit }
    }

    /// Returns the cells of a digit in a set.
    pub(super) fn spots(&self, set: usize, digit: usize) -> Cells {
        self.list[set].cells & self.board.spots(digit)
    }

    /// Returns the place of a digit in a set.
    pub(super) fn place(&self, set: usize, digit: usize) -> usize {
        usize::from(self.list[set].places[digit])
    }
}

/// Numbers the places of the sets; returns them, and the sets of each place.
fn number_places(board: &Board, list: &mut [Als]) -> (Vec<Place>, Vec<Vec<u16>>) {
    let (mut places, mut sets_of) = (Vec::<Place>::new(), Vec::<Vec<u16>>::new());
    let count: usize = list.iter().map(|set| set.digits.len()).sum();
    // A hash table with linear probing, at most half full.
    let mask = (2 * count + 1).next_power_of_two() - 1;
    let mut table = vec![u16::MAX; mask + 1];
    for (number, set) in list.iter_mut().enumerate() {
        for digit in set.digits.iter() {
            let cells = set.cells & board.spots(digit);
            let mut slot = hash(cells, digit) & mask;
            let place = loop {
                let place = usize::from(table[slot]);
                match places.get(place) {
                    None => {
                        let seen = board.layout().common_peers(cells);
                        table[slot] = places.len() as u16;
                        places.push(Place { digit, cells, seen, targets: seen & board.spots(digit) });
                        sets_of.push(Vec::new());
                        break places.len() - 1;
                    }
                    Some(known) if known.digit == digit && known.cells == cells => break place,
                    Some(_) => slot = (slot + 1) & mask,
                }
            };
            set.places[digit] = place as u16;
            sets_of[place].push(number as u16);
        }
    }
    (places, sets_of)
}

/// Returns a hash of a place (Fibonacci hashing of the folded bits).
fn hash(cells: Cells, digit: usize) -> usize {
    let bits = cells.bits();
    let folded = (bits as u64) ^ ((bits >> 64) as u64).rotate_left(32) ^ ((digit as u64) << 57);
    (folded.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize
}

/// Connects each two places of each set whose number of cells is accepted.
fn strong(list: &[Als], count: usize, accepts: impl Fn(usize) -> bool) -> Rows {
    let mut rows = Rows::new(count);
    for set in list.iter().filter(|set| accepts(set.cells.len())) {
        for from in set.digits.iter() {
            for to in set.digits.iter().filter(|&to| to != from) {
                rows.insert(set.places[from].into(), set.places[to].into());
            }
        }
    }
    rows
}

/// Connects the places of a digit that see each other; also returns the places of each digit.
fn weak(board: &Board, places: &[Place]) -> (Rows, Vec<Vec<u64>>) {
    let mut rows = Rows::new(places.len());
    let mut numbers: Vec<Vec<usize>> = vec![Vec::new(); board.layout().size()];
    for (number, place) in places.iter().enumerate() {
        numbers[place.digit].push(number);
    }
    for numbers in &numbers {
        for (n, &from) in numbers.iter().enumerate() {
            for &to in &numbers[..n] {
                if places[to].cells.is_within(places[from].seen) {
                    rows.insert(from, to);
                    rows.insert(to, from);
                }
            }
        }
    }
    let row = |numbers: &Vec<usize>| {
        let mut words = vec![0; places.len().div_ceil(64)];
        numbers.iter().for_each(|&number| words[number / 64] |= 1_u64 << (number % 64));
        words
    };
    (rows, numbers.iter().map(row).collect())
}

/// Returns all almost locked sets with at most [`SIZE_MAX`] cells, each once.
fn list(board: &Board) -> Vec<Als> {
    let new = |(cells, digits)| Als { cells, digits, places: [0; Digits::CAPACITY] };
    all(board, SIZE_MAX).into_iter().map(new).collect()
}

/// Returns the cells and the digits of all almost locked sets of at most `most` cells, each once.
pub(super) fn all(board: &Board, most: usize) -> Vec<(Cells, Digits)> {
    let mut list = Vec::new();
    for cell in board.cells_with(2).iter() {
        list.push((Cells::one(cell), board.marks(cell)));
    }
    for (house, shape) in board.houses().iter().enumerate() {
        let is_small = |&cell: &usize| board.marks(cell).len() <= most + 1;
        let cells: Vec<(Cells, Digits)> = (shape.cells & board.open())
            .iter()
            .filter(is_small)
            .map(|cell| (Cells::one(cell), board.marks(cell)))
            .collect();
        extend(&cells, most, (Cells::NONE, Digits::NONE), 0, &mut |cells, digits| {
            // A set in two houses is listed with the first.
            let is_first = || board.layout().houses_around(cells).next() == Some(house);
            if is_first() {
                list.push((cells, digits));
            }
        });
    }
    list
}

/// Visits the sets of 2 to `most` cells that contain the chosen cells and further ones.
fn extend(
    cells: &[(Cells, Digits)],
    most: usize,
    chosen: (Cells, Digits),
    size: usize,
    visit: &mut impl FnMut(Cells, Digits),
) {
    for (n, &(cell, marks)) in cells.iter().enumerate() {
        let (chosen, digits) = (chosen.0 | cell, chosen.1 | marks);
        if digits.len() > most + 1 {
            continue;
        }
        if size > 0 && digits.len() == size + 2 {
            visit(chosen, digits);
        }
        if size + 1 < most {
            extend(&cells[n + 1..], most, (chosen, digits), size + 1, visit);
        }
    }
}
