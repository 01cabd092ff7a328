//! Branching: chooses a cell and a digit in each lane, and transfers the two branches to their
//! lanes.
//!
//! # Choice of the cell
//! Among the cells with two candidates, the search takes the one with the highest score. The
//! *opposites* of a cell are the four cells of its box in another row and another column. Each
//! opposite that shares a candidate with the cell scores one point, and another point if it has two
//! candidates itself. The first branch takes the first of the two digits. Peers in the same line
//! would add little, because propagation has already handled lines. If no cell has two candidates,
//! the search takes a cell with the fewest.
//!
//! # Triples
//! Three digits whose positions in a box are all in three cells of one line exclude other digits
//! from these cells, and four such digits are a contradiction. Propagation (`round`) does not
//! detect this. A search for triples before a guess costs time on the hardest puzzles, so `search`
//! does it only while it pays.
//!
//! Choosing costs about the same for one lane as for all lanes, so `search` branches in several
//! lanes together.
//!
//! Tried and dropped: scores over all 20 peers, over the other peers in the box, or with unequal
//! weights; digits with two ways in a band as in tdoku (more guesses); joining the 18 pairs of
//! slots in three loops (no gain); up to three guesses at once in puzzles without a dead branch
//! (faster for 12 clues, slower for 25 to 34).

use std::array::from_fn;

use super::round::Places;
use crate::leaf::vector::Vector;
use crate::model::board::{COPIED, FULL, WORDS};
use crate::rules::{or_of, or_of_ands, sum, thirds};

/// A cell and one of its digits for each lane. The cell is a bit in the word of its slot; for the
/// digit, all bits are set in the lanes that chose it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice<V> {
    pub(crate) cell: [V; 9],
    pub(crate) digit: [V; 9],
}

pub(crate) type Bundle = [[u16; 8]; WORDS];

type Pairs = [(usize, usize); 18];

/// The 18 pairs of slots in different rows and different columns of a box (opposites). For each
/// slot, also the four pairs that contain it, each with the opposite slot.
const OPPOSITES: (Pairs, [[(usize, usize); 4]; 9]) = {
    let mut pairs = [(0, 0); 18];
    let mut of_slots = [[(0, 0); 4]; 9];
    let mut counts = [0; 9];
    let (mut pair, mut a) = (0, 0);
    while a < 9 {
        let mut b = a + 1;
        while b < 9 {
            if a / 3 != b / 3 && a % 3 != b % 3 {
                pairs[pair] = (a, b);
                of_slots[a][counts[a]] = (pair, b);
                of_slots[b][counts[b]] = (pair, a);
                counts[a] += 1;
                counts[b] += 1;
                pair += 1;
            }
            b += 1;
        }
        a += 1;
    }
    (pairs, of_slots)
};

const LINES: [[usize; 3]; 6] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8]];
const OTHERS: [[usize; 2]; 6] = [[1, 2], [0, 2], [0, 1], [4, 5], [3, 5], [3, 4]];

/// Chooses a cell and a digit in each lane of `lanes`. These lanes must be neither dead nor solved.
#[inline(always)]
pub(crate) fn choose<V: Vector>(grid: &[V; WORDS], lanes: u32, choice: &mut Choice<V>) {
    let mut best = best_cells(grid);
    let without = or_of(thirds(&best, V::or3)).equal(grid[0].splat(0)) & lanes;
    if without != 0 {
        let (without, fewest) = (grid[0].of_mask(without), fewest_cells(grid));
        best = from_fn(|slot| without.select(fewest[slot], best[slot]));
    }
    let mut open = grid[0].of_mask(lanes);
    for (best, chosen) in best.into_iter().zip(&mut choice.cell) {
        let cell = best.and(open).lowest();
        *chosen = cell.or(cell.and(grid[0].splat(COPIED)).up::<3>());
        open = cell.nonzero().not_and(open);
    }
    let mut seen = grid[0].splat(0);
    for digit in 0..9 {
        let w: &[V; 9] = grid[9 * digit..].first_chunk().expect("nine words a digit");
        let has = or_of_ands(w, &choice.cell).nonzero();
        choice.digit[digit] = seen.not_and(has);
        seen = seen.or(has);
    }
}

/// Returns, for each lane, the cells with the highest score among the cells with two candidates;
/// one word per slot.
#[inline(always)]
fn best_cells<V: Vector>(grid: &[V; WORDS]) -> [V; 9] {
    let zero = grid[0].splat(0);
    let pairs: [V; 9] = from_fn(|slot| {
        let w: [V; 9] = from_fn(|digit| grid[9 * digit + slot]);
        let ([a, b, c], twos) = (thirds(&w, V::odd), thirds(&w, V::most));
        let two = a.most(b, c);
        let just_one = twos[0].just_one(twos[1], twos[2]);
        let just_one = two.select(or_of(twos).not_and(two), just_one);
        a.odd(b, c).not_and(just_one)
    });
    let mut shared = [zero; 18];
    for digit in 0..9 {
        let w: &[V; 9] = grid[9 * digit..].first_chunk().expect("nine words a digit");
        shared = from_fn(|pair| {
            let (a, b) = const { OPPOSITES.0 }[pair];
            w[a].and_or(w[b], shared[pair])
        });
    }
    let scores: [[V; 4]; 9] = from_fn(|slot| {
        let [a, b, c, d] = const { OPPOSITES.1 }[slot].map(|(pair, opposite)| {
            let shares = shared[pair];
            (shares, shares.and(pairs[opposite]))
        });
        let (s, t) = sum(a.0, b.0, c.0);
        let (s1, t1) = sum(d.0, a.1, b.1);
        let (s2, t2) = sum(s, c.1, d.1);
        let (ones, t3) = (s1.xor(s2), s1.and(s2));
        let (u, f) = sum(t, t1, t2);
        let (twos, f1) = (u.xor(t3), u.and(t3));
        [ones, twos, f.xor(f1), f.and(f1)]
    });
    let mut best = pairs;
    for bit in (0..4).rev() {
        let better: [V; 9] = from_fn(|slot| best[slot].and(scores[slot][bit]));
        let is_better = or_of(thirds(&better, V::or3)).nonzero();
        best = from_fn(|slot| is_better.select(better[slot], best[slot]));
    }
    best
}

/// Returns, for each lane, the cells with the fewest candidates (at least two); one word per slot.
#[inline(always)]
fn fewest_cells<V: Vector>(grid: &[V; WORDS]) -> [V; 9] {
    let counts: [[V; 4]; 9] = from_fn(|slot| binary(&from_fn(|digit| grid[9 * digit + slot])));
    let mut best = counts.map(|[_, twos, fours, eights]| twos.or3(fours, eights));
    for bit in (0..4).rev() {
        let fewer: [V; 9] = from_fn(|slot| counts[slot][bit].not_and(best[slot]));
        let is_fewer = or_of(thirds(&fewer, V::or3)).nonzero();
        best = from_fn(|slot| is_fewer.select(fewer[slot], best[slot]));
    }
    best
}

/// Counts, for each bit, the words that have it. Returns the counts as bit planes: ones, twos,
/// fours, eights.
#[inline(always)]
fn binary<V: Vector>(w: &[V; 9]) -> [V; 4] {
    let ([a, b, c], [d, e, f]) = (thirds(w, V::odd), thirds(w, V::most));
    let ((ones, g), (h, fours)) = (sum(a, b, c), sum(d, e, f));
    let carry = g.and(h);
    [ones, g.xor(h), fours.xor(carry), fours.and(carry)]
}

/// Removes the candidates that triples exclude; returns the lanes that lost candidates.
///
/// Also removes the other positions in the box of three digits that are the only candidates of
/// three cells of a line. With more or fewer than three digits the line loses all candidates, and
/// the next propagation step finds the lane dead.
#[inline(always)]
pub(crate) fn triples<V: Vector>(grid: &mut [V; WORDS]) -> u32 {
    let zero = grid[0].splat(0);
    // For each line of a box (rows first): the boxes where a digit has a position in the line, and
    // the boxes where all its positions are in the line.
    let (mut may, mut must) = ([[zero; 9]; 6], [[zero; 9]; 6]);
    for digit in 0..9 {
        let w: &[V; 9] = grid[9 * digit..].first_chunk().expect("nine words a digit");
        let lines: [V; 6] = from_fn(|line| {
            let [a, b, c] = const { LINES }[line];
            w[a].or3(w[b], w[c])
        });
        for line in 0..6 {
            let [a, b] = const { OTHERS }[line];
            may[line][digit] = lines[line];
            must[line][digit] = lines[a].or(lines[b]).not_and(lines[line]);
        }
    }
    // The lines where at most three digits have a position, the lines that at least three digits
    // need, and the lines that more than three digits need.
    let full = may.map(|may| {
        let [_, _, fours, eights] = binary(&may);
        fours.or(eights).not_and(grid[0].splat(FULL))
    });
    let taken = must.map(|must| {
        let [ones, twos, fours, eights] = binary(&must);
        let more = fours.or(eights);
        (ones.and_or(twos, more), more)
    });
    let mut changed = zero;
    for digit in 0..9 {
        let holds: [V; 6] = from_fn(|line| may[line][digit].and(full[line]));
        let goes: [V; 6] = from_fn(|line| {
            let [a, b] = const { OTHERS }[line];
            let (most, more) = taken[line];
            holds[a].or3(holds[b], must[line][digit].not_and(most).or(more))
        });
        for line in 0..6 {
            changed = may[line][digit].and_or(goes[line], changed);
        }
        for slot in 0..9 {
            let word = &mut grid[9 * digit + slot];
            *word = goes[slot / 3].or(goes[3 + slot % 3]).not_and(*word);
        }
    }
    !changed.equal(zero)
}

/// Copies the grid of its source lane to each lane, and branches there. In the lanes of the mask
/// `twins` the chosen cell loses the chosen digit; in all other lanes it loses the other digits.
#[inline(always)]
pub(crate) fn branch<V: Vector>(
    grid: &mut [V; WORDS],
    places: &mut Places<V>,
    choice: &Choice<V>,
    source: &[u8; 32],
    twins: u32,
) {
    let order = choice.cell[0].order(source);
    let twins = grid[0].of_mask(twins);
    let cell: [V; 9] = from_fn(|slot| choice.cell[slot].deal(&order));
    for digit in 0..9 {
        let keeps = choice.digit[digit].deal(&order).xor(twins);
        for slot in 0..9 {
            let word = &mut grid[9 * digit + slot];
            *word = word.deal(&order).unless(cell[slot], keeps);
        }
    }
    for words in [&mut places.alone, &mut places.taken] {
        for word in words {
            *word = word.deal(&order);
        }
    }
}

/// Packs the second branches of the lanes that `source` lists first into a bundle. In the second
/// branch the chosen cell has lost the chosen digit.
#[inline(always)]
pub(crate) fn pack<V: Vector>(
    grid: &[V; WORDS],
    choice: &Choice<V>,
    source: &[u8; 32],
    bundle: &mut Bundle,
) {
    let order = choice.cell[0].order(source);
    for digit in 0..9 {
        for slot in 0..9 {
            let lost = choice.cell[slot].and(choice.digit[digit]);
            let word = lost.not_and(grid[9 * digit + slot]);
            word.deal(&order).store_first(&mut bundle[9 * digit + slot]);
        }
    }
}
