//! Rearranges a grid before it is counted: it may be transposed, and its bands, stacks and digits
//! are put into a favorable order.

/// The candidates of the 81 cells, row by row; bit 0 is digit 1, and bit 8 is digit 9.
pub(super) type Candidates = [u16; 81];
pub(super) const ALL: u16 = 0x1ff;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BandLayout {
    pub(super) transposed: bool,
    pub(super) bands: [usize; 3],
    pub(super) stacks: [usize; 3],
    pub(super) digits: [usize; 9],
}

impl BandLayout {
    /// Returns the layout that changes nothing or only transposes the grid.
    pub(super) fn plain(transposed: bool) -> Self {
        let digits = [0, 1, 2, 3, 4, 5, 6, 7, 8];
        Self { transposed, bands: [0, 1, 2], stacks: [0, 1, 2], digits }
    }

    /// Returns, for each band, the cells that can have each digit. Bit 9s + 3c + r is the cell in
    /// row r and column c of the box in stack s.
    ///
    /// A digit that is the only candidate of a cell is removed from the rest of its box and row.
    pub(super) fn apply(&self, candidates: &Candidates) -> [[u32; 9]; 3] {
        let cell = |band: usize, place: usize| {
            let row = 3 * self.bands[band] + place % 3;
            let column = 3 * self.stacks[place / 9] + place / 3 % 3;
            if self.transposed { 9 * column + row } else { 9 * row + column }
        };
        std::array::from_fn(|band| {
            self.digits.map(|digit| {
                let mut cells = 0;
                for place in 0..27 {
                    cells |= u32::from(candidates[cell(band, place)] >> digit & 1) << place;
                }
                let is_alone = |&place: &usize| candidates[cell(band, place)] == 1 << digit;
                (0..27).filter(is_alone).fold(cells, |cells, place| cells & !beside(place))
            })
        })
    }
}

fn beside(place: usize) -> u32 {
    let (mine, row) = (0o777 << (place / 9 * 9), 0o111_111_111 << (place % 3));
    (mine | row) & !(1 << place)
}

/// Adds the candidates that the clues exclude anyway. Then digits without clues have equal
/// candidates even if there are pencil marks.
pub(super) fn without_pencil_marks(candidates: &Candidates) -> Candidates {
    let is_clue = |cell: usize| candidates[cell].count_ones() == 1;
    let box_of = |cell: usize| (cell / 27, cell % 9 / 3);
    let is_peer = |a: usize, b: usize| a / 9 == b / 9 || a % 9 == b % 9 || box_of(a) == box_of(b);
    std::array::from_fn(|cell| {
        let ruled_out = || {
            let peers = (0..81).filter(|&peer| is_clue(peer) && is_peer(cell, peer));
            peers.fold(0, |digits, peer| digits | candidates[peer])
        };
        candidates[cell] & ALL | if is_clue(cell) { 0 } else { ruled_out() }
    })
}
