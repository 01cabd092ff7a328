//! Branching: which cell and digit, and how the two branches come to their lanes.
//!
//! # Which cell
//! Of the cells with two candidates the one that most of its *opposites* touch: the four cells of its box
//! in another row and another column. Each that shares a candidate counts one, and one more if it
//! has two candidates itself. The first branch takes the first of the two digits, the other the second.
//!
//! Guesses for each puzzle, uniqueness proved, on 400 of the hardest known puzzles (rating above 11): the first
//! cell with two candidates 142; most candidates of its digits among its 20 peers, those with two
//! candidates counted four times, 71; the same among the opposites alone 65, among the other peers of its
//! box 90; opposites with unequal weights for shared digits 66 to 70; opposites that share a
//! digit 73, and as here 69. Peers in line say little, for what locks a digit in a line has been done by the
//! round. So the cheapest of the good rules needs no row and no column: 18 pairs of slots, each joined bit by
//! bit. Digits with two ways in a band, as tdoku branches on, needed 109 with this propagation.
//!
//! # What it costs
//! About 530 operations to choose in all lanes at once, 400 to deal and to branch, and 270 to pack the branches
//! that must wait. So it is done for several lanes together (`search`).
#![allow(unsafe_code, reason = "the registers of a leaf")]

use std::array::from_fn;

use super::board::{COPIED, WORDS};
use super::round::{or_of, thirds};
use super::vector::Vector;

/// A cell and one of its digits in each lane: a word a slot with the bits of the cell, and for each digit
/// ones in the lanes that chose it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice<V> {
    pub(super) cell: [V; 9],
    pub(super) digit: [V; 9],
}

/// Up to eight lanes side by side: the words of their grids, then those of their choices.
pub(super) type Bundle = [[u16; 8]; WORDS + 18];

/// Pairs of opposite slots.
type Pairs = [(usize, usize); 18];

/// The 18 pairs of opposite slots, and for each slot its four pairs with the opposite.
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

/// Chooses a cell and a digit in the lanes of `lanes`; returns the lanes that have no cell with two
/// candidates.
///
/// # Safety
/// The processor must have the features of the leaf.
#[inline(always)]
pub(super) unsafe fn choose<V: Vector>(grid: &[V; WORDS], lanes: u32, choice: &mut Choice<V>) -> u32 {
    // SAFETY (here and below): the caller's.
    unsafe {
        let best = best_cells(grid);
        let mut open = V::of_mask(lanes);
        for (best, chosen) in best.into_iter().zip(&mut choice.cell) {
            let cell = best.and(open).lowest();
            *chosen = cell.or(cell.and(V::splat(COPIED)).up::<3>());
            open = cell.nonzero().not_and(open);
        }
        let mut seen = V::splat(0);
        for digit in 0..9 {
            let w = &grid[9 * digit..9 * digit + 9];
            let has = or_of(from_fn(|i| {
                let [a, b, c] = [3 * i, 3 * i + 1, 3 * i + 2];
                let cell = &choice.cell;
                w[c].and_or(cell[c], w[b].and_or(cell[b], w[a].and(cell[a])))
            }));
            let has = has.nonzero();
            choice.digit[digit] = seen.not_and(has);
            seen = seen.or(has);
        }
        open.mask()
    }
}

/// Returns, a word a slot, the best cells of each lane among those with two candidates.
///
/// # Safety
/// The processor must have the features of the leaf.
#[inline(always)]
unsafe fn best_cells<V: Vector>(grid: &[V; WORDS]) -> [V; 9] {
    unsafe {
        let zero = V::splat(0);
        let pairs: [V; 9] = from_fn(|slot| {
            let w: [V; 9] = from_fn(|digit| grid[9 * digit + slot]);
            // The number of candidates in binary: the ones of three thirds, and their twos.
            let ([a, b, c], twos) = (thirds(&w, V::odd), thirds(&w, V::most));
            let two = a.most(b, c);
            // Two, if the ones are even and just one of these four is a two.
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
            // The sum of these eight, bit by bit.
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
}

/// Returns the ones and the twos of a sum of three bits.
///
/// # Safety
/// The processor must have the features of the leaf.
#[inline(always)]
unsafe fn sum<V: Vector>(a: V, b: V, c: V) -> (V, V) {
    unsafe { (a.odd(b, c), a.most(b, c)) }
}

/// Gives each lane what is in its source, and branches: of the cell that was chosen there the lanes of
/// `twins` lose the digit, all others lose the other digits.
///
/// # Safety
/// The processor must have the features of the leaf.
#[inline(always)]
pub(super) unsafe fn branch<V: Vector>(
    grid: &mut [V; WORDS],
    alone: &mut [V; 9],
    choice: &Choice<V>,
    source: &[u8; 32],
    twins: u32,
) {
    unsafe {
        let order = V::order(source);
        let twins = V::of_mask(twins);
        let cell: [V; 9] = from_fn(|slot| choice.cell[slot].deal(&order));
        for digit in 0..9 {
            // Ones in the lanes whose cell keeps the digit.
            let keeps = choice.digit[digit].deal(&order).xor(twins);
            for slot in 0..9 {
                let word = &mut grid[9 * digit + slot];
                *word = word.deal(&order).unless(cell[slot], keeps);
            }
            alone[digit] = alone[digit].deal(&order);
        }
    }
}

/// Packs the lanes that `source` names first.
///
/// # Safety
/// The processor must have the features of the leaf.
#[inline(always)]
pub(super) unsafe fn pack<V: Vector>(
    grid: &[V; WORDS],
    choice: &Choice<V>,
    source: &[u8; 32],
    bundle: &mut Bundle,
) {
    unsafe {
        let order = V::order(source);
        let (words, choices) = bundle.split_at_mut(WORDS);
        let (cells, digits) = choices.split_at_mut(9);
        for (packed, word) in words.iter_mut().zip(grid) {
            word.deal(&order).store_first(packed);
        }
        for (packed, cell) in cells.iter_mut().zip(&choice.cell) {
            cell.deal(&order).store_first(packed);
        }
        for (packed, digit) in digits.iter_mut().zip(&choice.digit) {
            digit.deal(&order).store_first(packed);
        }
    }
}
