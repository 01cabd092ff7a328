//! Chooses the cell and the digit to guess in a single grid, by the rules of `lanes::branch`.

use std::array::from_fn;

use super::step::{Grid, rings, transposed};
use crate::leaf::vector::Nine;
use crate::model::board::{FULL, with_copies};
use crate::rules::sum;

pub(super) const CHOICES_MAX: usize = 3;

/// A cell (its slot, and its bits in the words of the slot), and the register lane of a digit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) slot: usize,
    pub(super) cell: u16,
    pub(super) lane: usize,
}

/// Counts, for each bit, the digits whose words have it. Returns the counts as bit planes: ones,
/// twos, fours, eights.
#[inline(always)]
fn binary<V: Nine>([a, b, c]: [V; 3]) -> [V; 4] {
    let (odd, most) = sum(a, b, c);
    let (ones, g) = sum(odd, odd.ring::<1>(), odd.ring::<2>());
    let (h, fours) = sum(most, most.ring::<1>(), most.ring::<2>());
    let carry = g.and(h);
    [ones, g.xor(h), fours.xor(carry), fours.and(carry)]
}

/// For each bit of a slot, the bits of boxes in other bands and other stacks, repeated for three
/// slots.
static APART: [u64; 16] = {
    let mut apart = [0; 16];
    let mut bit = 0;
    while bit < 15 {
        let mut other = 0;
        while other < 15 {
            if other / 5 != bit / 5 && other % 5 % 3 != bit % 5 % 3 {
                apart[bit] |= 0x0001_0001_0001 << other;
            }
            other += 1;
        }
        bit += 1;
    }
    apart
};

/// The candidates of a grid with slots as lanes (three registers per row of a box), and the number
/// of candidates of each cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cells<V> {
    rows: [[V; 3]; 3],
    counts: [[V; 4]; 3],
    pairs: [V; 3],
}

impl<V: Nine> Cells<V> {
    #[inline(always)]
    pub(super) fn new(grid: &Grid<V>) -> Self {
        let w = &grid.slots;
        let rows = from_fn(|row| transposed(w[3 * row], w[3 * row + 1], w[3 * row + 2]));
        let counts: [[V; 4]; 3] = from_fn(|row| binary(rows[row]));
        let pairs = from_fn(|row| {
            let [ones, twos, fours, eights] = counts[row];
            ones.or3(fours, eights).not_and(twos)
        });
        Self { rows, counts, pairs }
    }

    #[inline(always)]
    pub(super) fn has_pairs(&self) -> bool {
        !self.pairs[0].or3(self.pairs[1], self.pairs[2]).is_zero()
    }

    /// Chooses a cell and one of its digits: the best cell with two candidates or, if there is
    /// none, a cell with the fewest. Chooses up to `more` further cells in boxes that share no band
    /// and no stack with the boxes chosen before.
    #[inline(always)]
    pub(super) fn choose(&self, grid: &Grid<V>, more: usize) -> [Option<Choice>; CHOICES_MAX] {
        let has_pairs = self.has_pairs();
        let [a, b, c] =
            if has_pairs { best_pairs(&self.rows, &self.pairs) } else { fewest(&self.counts) };
        let mut groups = [a.group(), b.group(), c.group()];
        let mut choices = [first(grid, &groups), None, None];
        if more > 0 && has_pairs {
            let [a, b, c] = &self.pairs;
            groups = [a.group(), b.group(), c.group()];
        }
        for at in 1..=more.min(CHOICES_MAX - 1) {
            let Some(Choice { cell, .. }) = choices[at - 1] else { break };
            let boxes = APART[cell.trailing_zeros() as usize % 16];
            groups = [groups[0] & boxes, groups[1] & boxes, groups[2] & boxes];
            choices[at] = first(grid, &groups);
        }
        choices
    }
}

#[inline(always)]
fn first<V: Nine>(grid: &Grid<V>, groups: &[u64; 3]) -> Option<Choice> {
    if groups[0] | groups[1] | groups[2] == 0 {
        return None;
    }
    let row = usize::from(groups[0] == 0) + usize::from(groups[0] | groups[1] == 0);
    let at = groups[row].trailing_zeros() as usize;
    let slot = 3 * row + at / 16;
    let cell = with_copies(1 << (at % 16));
    Some(Choice { slot, cell, lane: grid.slots[slot].first_with(cell) })
}

/// Returns the cells of two rows with a common candidate, with the second row rotated by one column
/// and by two columns.
#[inline(always)]
fn shared<V: Nine>(x: &[V; 3], y: &[V; 3]) -> [V; 2] {
    let [a, b, c] = x;
    let once = c.and_or(y[2].spin::<1>(), b.and_or(y[1].spin::<1>(), a.and(y[0].spin::<1>())));
    let twice = c.and_or(y[2].spin::<2>(), b.and_or(y[1].spin::<2>(), a.and(y[0].spin::<2>())));
    [rings(once, V::or3), rings(twice, V::or3)]
}

/// Returns the cells with the highest score among the cells with two candidates. The result has one
/// register per row of a box, whose lanes are slots.
#[inline(always)]
fn best_pairs<V: Nine>(rows: &[[V; 3]; 3], pairs: &[V; 3]) -> [V; 3] {
    let [a, b, c] = rows;
    let shared = [shared(a, b), shared(a, c), shared(b, c)];
    let back: [[V; 2]; 3] = from_fn(|i| [shared[i][1].spin::<1>(), shared[i][0].spin::<2>()]);
    let turned: [[V; 2]; 3] = from_fn(|row| [pairs[row].spin::<1>(), pairs[row].spin::<2>()]);
    let scores: [[V; 4]; 3] = from_fn(|row| {
        let ([a, b], p, [c, d], q) = match row {
            0 => (shared[0], turned[1], shared[1], turned[2]),
            1 => (back[0], turned[0], shared[2], turned[2]),
            _ => (back[1], turned[0], back[2], turned[1]),
        };
        let (s, t) = sum(a, b, c);
        let (s1, t1) = sum(d, a.and(p[0]), b.and(p[1]));
        let (s2, t2) = sum(s, c.and(q[0]), d.and(q[1]));
        let (ones, t3) = (s1.xor(s2), s1.and(s2));
        let (u, f) = sum(t, t1, t2);
        let (twos, f1) = (u.xor(t3), u.and(t3));
        [ones, twos, f.xor(f1), f.and(f1)]
    });
    let mut best = *pairs;
    for bit in (0..4).rev() {
        let better: [V; 3] = from_fn(|row| best[row].and(scores[row][bit]));
        let is_better = better[0].or3(better[1], better[2]).some();
        best = from_fn(|row| is_better.select(better[row], best[row]));
    }
    best
}

#[inline(always)]
fn fewest<V: Nine>(counts: &[[V; 4]; 3]) -> [V; 3] {
    let mut best = counts.map(|[_, twos, fours, eights]| twos.or3(fours, eights));
    for bit in (0..4).rev() {
        let fewer: [V; 3] = from_fn(|row| counts[row][bit].not_and(best[row]));
        let is_fewer = fewer[0].or3(fewer[1], fewer[2]).some();
        best = from_fn(|row| is_fewer.select(fewer[row], best[row]));
    }
    best
}

/// Removes the candidates that triples exclude, as in `lanes::branch`. Returns whether any
/// candidate was removed.
#[inline(always)]
pub(super) fn triples<V: Nine>(grid: &mut Grid<V>, digits: V) -> bool {
    let w = &mut grid.slots;
    let full = digits.splat(FULL);
    let may: [V; 6] = from_fn(|line| match line {
        0..3 => w[3 * line].or3(w[3 * line + 1], w[3 * line + 2]),
        _ => w[line - 3].or3(w[line], w[line + 3]),
    });
    let must: [V; 6] = from_fn(|line| {
        let first = line / 3 * 3;
        let (a, b) = (may[first + (line + 1) % 3], may[first + (line + 2) % 3]);
        a.or(b).not_and(may[line])
    });
    let mut holds = [digits; 6];
    let mut goes = [digits; 6];
    for first in [0, 3] {
        let [_, _, fours, eights] = binary(transposed(may[first], may[first + 1], may[first + 2]));
        let few = fours.or(eights).not_and(full);
        let [ones, twos, fours, eights] =
            binary(transposed(must[first], must[first + 1], must[first + 2]));
        let more = fours.or(eights);
        let most = ones.and_or(twos, more);
        for (at, spread) in [V::nth::<0>, V::nth::<1>, V::nth::<2>].into_iter().enumerate() {
            let line = first + at;
            holds[line] = may[line].and(spread(few));
            goes[line] = must[line].not_and(spread(most)).or(spread(more));
        }
    }
    let goes: [V; 6] = from_fn(|line| {
        let first = line / 3 * 3;
        let (a, b) = (holds[first + (line + 1) % 3], holds[first + (line + 2) % 3]);
        a.or3(b, goes[line])
    });
    let mut changed = digits.splat(0);
    for line in 0..6 {
        changed = may[line].and_or(goes[line], changed);
    }
    if changed.is_zero() {
        return false;
    }
    for slot in 0..9 {
        w[slot] = goes[slot / 3].or(goes[3 + slot % 3]).not_and(w[slot]);
    }
    true
}
