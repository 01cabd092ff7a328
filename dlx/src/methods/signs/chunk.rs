//! Computes a chunk of the sum over signs. Each step updates the sums of the groups, multiplies
//! them, and adds up the products.

use std::ops::Range;

use super::layout::{SignLayout, SumChange};
use crate::bits::{Block, NUMBERS, Products, Vectors, Work};

pub(super) const CHUNK: u32 = 9;

/// The sums of the parts of split products; [`WEIGHTS`] combines them.
pub(super) type PartSums = [i128; 4];

/// Per number of parts, the weights of the sums of the parts, as exponents of 2.
pub(super) const WEIGHTS: [[u32; 4]; 5] = [[0; 4], [0; 4], [0, 32, 0, 0], [0; 4], [0, 25, 32, 57]];

#[derive(Clone, Debug, Default)]
pub(super) struct SignWalk {
    bases: Vec<Block>,
    coefficients: Vec<i16>,
    sums: Vec<i16>,
}

pub(super) struct Chunk<'w> {
    pub(super) layout: &'w SignLayout,
    pub(super) walk: &'w mut SignWalk,
    pub(super) number: u64,
    pub(super) steps: u32,
}

impl Work for Chunk<'_> {
    type Output = PartSums;

    #[inline(always)]
    fn run<V: Vectors>(self, vectors: V) -> PartSums {
        let products = vectors.numbers();
        match self.layout.factors.parts {
            1 => self.sum::<_, 1>(products),
            2 => self.sum::<_, 2>(products),
            _ => self.sum::<_, 4>(products),
        }
    }
}

impl Chunk<'_> {
    #[inline(always)]
    fn sum<P: Products, const PARTS: usize>(self, products: P) -> PartSums {
        let Self { layout, walk, number, steps } = self;
        walk.bases.clone_from(&layout.bases);
        walk.coefficients.clone_from(&layout.coefficients);
        // In Gray code, each step flips the sign of one point.
        let first = number << steps;
        let mut minus = 0;
        for point in 0..layout.high {
            if (first ^ first >> 1) >> point & 1 == 1 {
                walk.flip(products, layout, point, &mut minus);
            }
        }
        let mut totals = [[[0_i64; NUMBERS]; 2]; PARTS];
        for step in 1..=1_u64 << steps {
            let sums = walk.step::<P, PARTS>(products, layout);
            let sign = -i64::from(minus.count_ones() & 1);
            for (total, sums) in totals.iter_mut().zip(sums) {
                let [low, high] = total;
                let sums = products.get(sums);
                for lane in 0..NUMBERS {
                    let sum = (sums[lane] ^ sign) - sign;
                    low[lane] += sum & 0xffff_ffff;
                    high[lane] += sum >> 32;
                }
            }
            if step >> steps == 0 {
                walk.flip(products, layout, step.trailing_zeros(), &mut minus);
            }
        }
        // The products may permute the lanes, so apply the same permutation to the signs.
        let one = products.splat(1);
        let signs = products.words(products.shorts(&layout.patterns[layout.low]), one);
        let signs =
            products.low_products(products.spread(signs), products.spread(products.words(one, one)));
        let signs = products.get(signs);
        let mut parts = PartSums::default();
        for (part, [low, high]) in parts.iter_mut().zip(&totals) {
            for (lane, &sign) in signs.iter().enumerate() {
                *part += i128::from(sign) * ((i128::from(high[lane]) << 32) + i128::from(low[lane]));
            }
        }
        parts
    }
}

impl SignWalk {
    #[inline(always)]
    fn flip<P: Products>(&mut self, products: P, layout: &SignLayout, point: u32, minus: &mut u64) {
        *minus ^= 1 << point;
        let sign = 1 - 2 * (*minus >> point & 1) as i16;
        let leaf_count = layout.factors.leaves.len();
        for change in &layout.changes[point as usize] {
            let &SumChange { others, count, parity, step, leaf, low, mid } = change;
            let less = (*minus & others).count_ones() & parity;
            let by = sign * step * (count - 2 * less as i16);
            if low == 0 {
                self.coefficients[mid * leaf_count + leaf] += by;
                continue;
            }
            let pattern = products.times(products.shorts(&layout.patterns[low]), products.splat(by));
            for (signs, base) in self.bases[leaf..].iter_mut().step_by(leaf_count).enumerate() {
                let is_minus = (signs & mid).count_ones() & 1 == 1;
                let pattern =
                    if is_minus { products.times(pattern, products.splat(-1)) } else { pattern };
                products.put(products.sum(products.shorts(base), pattern), base);
            }
        }
    }

    /// Sums the products of a step over the signs of the middle points, separately for each part.
    #[inline(always)]
    fn step<P: Products, const PARTS: usize>(
        &mut self,
        products: P,
        layout: &SignLayout,
    ) -> [P::Longs; PARTS] {
        let leaf_count = layout.factors.leaves.len();
        // Compute the contribution of each sign pattern of the middle points to each sum, by a
        // Walsh transform.
        self.sums.clone_from(&self.coefficients);
        for point in 0..layout.mid {
            for pair in self.sums.chunks_exact_mut((2 * leaf_count) << point) {
                let (plus, minus) = pair.split_at_mut(leaf_count << point);
                for (plus, minus) in plus.iter_mut().zip(minus) {
                    (*plus, *minus) = (*plus + *minus, *plus - *minus);
                }
            }
        }
        self.sums.iter_mut().for_each(|sum| *sum >>= 1);
        let mut parts = [products.zeros(); PARTS];
        for (place, &signs) in layout.order.iter().enumerate() {
            if place == layout.minus {
                parts = parts.map(
                    #[inline(always)]
                    |part| products.negate(part),
                );
            }
            let base = if layout.is_shared { signs * leaf_count } else { 0 };
            let bases = &self.bases[base..][..leaf_count];
            let sums = &self.sums[signs * leaf_count..][..leaf_count];
            multiply::<P, PARTS>(products, layout, bases, sums, &mut parts);
        }
        parts
    }
}

#[inline(always)]
fn multiply<P: Products, const PARTS: usize>(
    products: P,
    layout: &SignLayout,
    bases: &[Block],
    sums: &[i16],
    parts: &mut [P::Longs; PARTS],
) {
    let factors = &layout.factors;
    let mut first = products.low_products(
        word(products, &factors.words[0], bases, sums),
        word(products, &factors.words[1], bases, sums),
    );
    for place in 2..factors.first {
        first = products.scale(first, word(products, &factors.words[place], bases, sums));
    }
    if PARTS == 1 {
        parts[0] = products.add(parts[0], first);
        return;
    }
    let high = products.high(first);
    let mut second = word(products, &factors.words[factors.first], bases, sums);
    if PARTS == 4 {
        second = products
            .low_products(second, word(products, &factors.words[factors.first + 1], bases, sums));
        let upper = products.high25(second);
        second = products.low25(second);
        parts[1] = products.add(parts[1], products.low_products(first, upper));
        parts[3] = products.add(parts[3], products.low_products(high, upper));
    }
    parts[0] = products.add(parts[0], products.low_products(first, second));
    parts[PARTS / 2] = products.add(parts[PARTS / 2], products.low_products(high, second));
}

#[inline(always)]
fn word<P: Products>(
    products: P,
    [a, b]: &[Range<usize>; 2],
    bases: &[Block],
    sums: &[i16],
) -> P::Longs {
    let [a, b] = [short(products, a, bases, sums), short(products, b, bases, sums)];
    products.spread(products.words(a, b))
}

#[inline(always)]
fn short<P: Products>(products: P, leaves: &Range<usize>, bases: &[Block], sums: &[i16]) -> P::Shorts {
    let mut leaves = bases[leaves.clone()].iter().zip(&sums[leaves.clone()]);
    let mut short = products.splat(1);
    if let Some((base, &sum)) = leaves.next() {
        short = products.sum(products.shorts(base), products.splat(sum));
    }
    for (base, &sum) in leaves {
        short = products.times(short, products.sum(products.shorts(base), products.splat(sum)));
    }
    short
}
