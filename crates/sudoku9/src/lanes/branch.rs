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
//! A lane without such a cell takes one of the fewest candidates.
//!
//! # Triples
//! Three digits that have all their places of a box in three cells in line leave none for others there, and
//! four have no room: that is what the step does not see and tdoku does. Found before a guess, it halves
//! the guesses on grids of 17 clues (1.07 to 0.47); grids of 18 clues without a solution, where the search
//! would try out that four digits have no room, took 320 guesses and take 2. On the hardest puzzles 70
//! become 64, at 15 % more time; so `search` looks for triples only while that pays.
//!
//! # What it costs
//! About 530 operations to choose in all lanes at once (a third more where a lane has no cell with two
//! candidates), 640 to look for triples, 400 to deal and to branch, and 270 to pack the branches that must
//! wait. So it is done for several lanes together (`search`).
//!
//! Tried and dropped: to join the 18 pairs in three loops over the digits, so that what they share stays in registers (as
//! many instructions with AVX2).

use std::array::from_fn;

use super::round::Places;
use crate::leaf::vector::Vector;
use crate::model::board::{COPIED, FULL, WORDS};
use crate::rules::{or_of, or_of_ands, sum, thirds};

/// A cell and one of its digits in each lane: a word a slot with the bits of the cell, and for each digit
/// ones in the lanes that chose it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice<V> {
    pub(crate) cell: [V; 9],
    pub(crate) digit: [V; 9],
}

/// Up to eight grids side by side.
pub(crate) type Bundle = [[u16; 8]; WORDS];

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

/// The slots of each line of a box, rows first, and the two lines beside each.
const LINES: [[usize; 3]; 6] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8]];
const OTHERS: [[usize; 2]; 6] = [[1, 2], [0, 2], [0, 1], [4, 5], [3, 5], [3, 4]];

/// Chooses a cell and a digit in the lanes of `lanes`, which must not be dead or solved.
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

/// Returns, a word a slot, the best cells of each lane among those with two candidates.
#[inline(always)]
fn best_cells<V: Vector>(grid: &[V; WORDS]) -> [V; 9] {
    let zero = grid[0].splat(0);
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

/// Returns, a word a slot, the cells of each lane that have the fewest candidates, but more than one.
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

/// Counts how many of nine words have a bit: ones, twos, fours, eights.
#[inline(always)]
fn binary<V: Vector>(w: &[V; 9]) -> [V; 4] {
    let ([a, b, c], [d, e, f]) = (thirds(w, V::odd), thirds(w, V::most));
    let ((ones, g), (h, fours)) = (sum(a, b, c), sum(d, e, f));
    let carry = g.and(h);
    [ones, g.xor(h), fours.xor(carry), fours.and(carry)]
}

/// Removes what three digits in three cells in line leave no place for; returns the lanes that have lost
/// something.
///
/// Three digits that have all their places of a box in three cells of one row or column leave none for
/// others there; three digits that alone may stand in these cells have no place elsewhere in the box. More
/// digits, or fewer, and the lane is emptied there: the next step finds it dead.
#[inline(always)]
pub(crate) fn triples<V: Vector>(grid: &mut [V; WORDS]) -> u32 {
    let zero = grid[0].splat(0);
    // For each line, rows first: where each digit may stand, and where it must.
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
    // Where three digits at most may stand; where three or more must; where more than three must.
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

/// Gives each lane what is in its source, and branches: of the cell that was chosen there the lanes of
/// `twins` lose the digit, all others lose the other digits.
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
        // Ones in the lanes whose cell keeps the digit.
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

/// Packs the other branches of the lanes that `source` names first: the cell that was chosen has lost its digit.
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
