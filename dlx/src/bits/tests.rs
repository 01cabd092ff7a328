//! Compares the operations of every instruction set and lane width with scalar arithmetic, and
//! reads back the options of lanes.

use super::*;
use crate::numbers::Random;

struct All<'a> {
    blocks: &'a [Block],
}

impl Work for All<'_> {
    type Output = (Vec<Block>, Vec<u64>);

    #[inline(always)]
    fn run<V: Vectors>(self, vectors: V) -> Self::Output {
        let (mut blocks, mut numbers) = (Vec::new(), Vec::new());
        let mut keep = |vector| {
            let mut block = Block::ZERO;
            vectors.store(vector, &mut block);
            blocks.push(block);
            block
        };
        for pair in self.blocks.windows(2) {
            let [a, b] = [&pair[0], &pair[1]].map(|block| vectors.load(block));
            keep(vectors.and(a, b));
            keep(vectors.without(a, b));
            let counts = [a, b].map(|bits| vectors.count(vectors.ones(), bits));
            let least = vectors.min(counts[0], counts[1]);
            let least_block = keep(least);
            for vector in [vectors.ones(), vectors.load(&least_block), counts[0]] {
                let value = vectors.least(vector);
                numbers.push(value.into());
                numbers.push(vectors.equal(vector, 0));
                numbers.push(vectors.equal(vector, 1));
                if value != V::NONE {
                    numbers.push(vectors.equal(vector, value));
                }
            }
        }
        let mut child = vec![Block::ZERO; self.blocks.len()];
        let [first, second] = [self.blocks.iter(), self.blocks.iter()];
        let [parent, row]: [Vec<Block>; 2] =
            [first.copied().collect(), second.rev().copied().collect()];
        keep(and_count(vectors, &parent, &row, &mut child));
        blocks.extend(child);
        (blocks, numbers)
    }
}

fn expected(width: usize, blocks: &[Block]) -> (Vec<Block>, Vec<u64>) {
    let all = u64::MAX >> (64 - width);
    let lanes = |block: &Block| -> Vec<u64> {
        let bits = (0..Block::BITS).step_by(width);
        bits.map(|bit| block.0[bit / 64] >> (bit % 64) & all).collect()
    };
    let block = |lanes: &[u64]| {
        let mut block = Block::ZERO;
        for (lane, value) in lanes.iter().enumerate() {
            block.0[lane * width / 64] |= value << (lane * width % 64);
        }
        block
    };
    let zip = |a: &[u64], b: &[u64], f: fn(u64, u64) -> u64| -> Vec<u64> {
        a.iter().zip(b).map(|(&a, &b)| f(a, b) & all).collect()
    };
    let ones = vec![all; Block::BITS / width];
    let add =
        |count: &[u64], bits: &[u64]| zip(count, bits, |a, b| a.wrapping_add(b.count_ones().into()));
    let (mut found, mut numbers) = (Vec::new(), Vec::new());
    for pair in blocks.windows(2) {
        let [a, b] = [lanes(&pair[0]), lanes(&pair[1])];
        found.push(block(&zip(&a, &b, |a, b| a & b)));
        found.push(block(&zip(&a, &b, |a, b| a & !b)));
        let counts = [add(&ones, &a), add(&ones, &b)];
        let least = zip(&counts[0], &counts[1], u64::min);
        found.push(block(&least));
        for lanes in [&ones, &least, &counts[0]] {
            let value = lanes.iter().min().copied().unwrap_or(all);
            let equal = |value: u64| {
                let places = lanes.iter().enumerate().filter(|&(_, &lane)| lane == value);
                places.fold(0, |mask, (lane, _)| mask | 1 << lane)
            };
            numbers.extend([value & 0xffff, equal(0), equal(1)]);
            if value != all {
                numbers.push(equal(value));
            }
        }
    }
    let pairs = || blocks.iter().zip(blocks.iter().rev());
    let child: Vec<_> = pairs().map(|(a, b)| zip(&lanes(a), &lanes(b), |a, b| a & b)).collect();
    found.push(block(&child.iter().fold(ones, |count, bits| add(&count, bits))));
    found.extend(child.iter().map(|lanes| block(lanes)));
    (found, numbers)
}

struct Inside<W>(W);

impl<W: Work> Work for Inside<W> {
    type Output = W::Output;

    fn run<V: Vectors>(self, vectors: V) -> W::Output {
        vectors.run(self.0)
    }
}

#[test]
fn every_instruction_set_matches_lane_by_lane_arithmetic() {
    let mut random = Random::new(1);
    for round in 0..200 {
        let mut word = || match round % 4 {
            0 => (0..4).fold(u64::MAX, |word, _| word & random.next_u64()),
            1 => random.next_u64(),
            2 => random.next_u64() | random.next_u64(),
            _ => [0, 1, 0x0101_0101_0101_0101, u64::MAX][random.below(4)],
        };
        let blocks: Vec<_> = (0..4).map(|_| Block(std::array::from_fn(|_| word()))).collect();
        for width in [8, 16, 32, 64] {
            let expected = expected(width, &blocks);
            for leaf in Leaf::all() {
                let found = leaf.with_lanes(width, Inside(All { blocks: &blocks }));
                assert_eq!(
                    found,
                    expected,
                    "{} with lanes of {width} bits, round {round}",
                    leaf.name()
                );
            }
        }
    }
}

#[test]
fn every_instruction_set_excludes_the_bits_that_are_not_allowed() {
    let mut random = Random::new(2);
    let mut exclusions = Exclusions::default();
    exclusions.begin(3, 2, 5);
    let mut bits = || (0..900).map(|_| random.below(5 * Block::BITS) as u32).collect::<Vec<_>>();
    let (excluded, allowed) = (bits(), bits());
    exclusions.add(0, &excluded);
    exclusions.add(2, &allowed);
    assert_eq!([0, 1, 2].map(|key| exclusions.has(key)), [true, false, true]);
    for leaf in Leaf::all() {
        for is_any_allowed in [false, true] {
            let mut row = vec![Block::ONES; 5];
            exclusions.exclude(leaf, &mut row, 0, is_any_allowed.then_some(2));
            for bit in 0..5 * Block::BITS as u32 {
                let is_left = row[bit as usize / 512].0[bit as usize % 512 / 64] >> (bit % 64) & 1 == 1;
                let is_allowed = is_any_allowed && allowed.contains(&bit);
                assert_eq!(is_left, !excluded.contains(&bit) || is_allowed, "{}: {bit}", leaf.name());
            }
        }
    }
}

#[test]
fn lanes_of_every_width_return_their_options() {
    let mut random = Random::new(3);
    let mut widths = std::collections::BTreeSet::new();
    for _ in 0..200 {
        let most = [6, 14, 40, 300][random.below(4)];
        let mut lists = [(); 3].map(|()| vec![0; random.below(90)]);
        lists.iter_mut().flatten().for_each(|degree| *degree = random.below(most) as u32);
        let mut lanes = Lanes::<u32>::default();
        lanes.place(&lists.each_ref().map(Vec::as_slice));
        let shape = lanes.shape.clone();
        widths.insert(shape.width());
        let mut frame = vec![Block::ZERO; shape.blocks()];
        let mut first = 0;
        let mut expected = Vec::new();
        for degrees in &lists {
            for (place, &degree) in degrees.iter().enumerate() {
                let lane = first + place;
                let mut options = Vec::new();
                for k in 1..=degree {
                    let option = random.next_u64() as u32;
                    let bit = lanes.put(lane, k, option);
                    if random.below(2) == 0 {
                        set(&mut frame, bit);
                        options.push(option);
                    }
                }
                let is_open = random.below(2) == 0;
                if is_open {
                    set(&mut frame, lanes.bit(lane, 0));
                }
                expected.push((lane, is_open, options));
            }
            first += degrees.len().div_ceil(shape.lanes()) * shape.lanes();
        }
        for (lane, is_open, options) in expected {
            let mut listed = Vec::new();
            lanes.for_each(&frame, lane, |option| {
                listed.push(option);
                true
            });
            assert_eq!(lanes.any(&frame, lane), options.first().copied());
            assert_eq!(lanes.degree(&frame, lane), options.len() as u32);
            assert_eq!(lanes.is_open(&frame, lane), is_open);
            assert_eq!(listed, options, "lane {lane} of {shape:?}");
        }
    }
    assert_eq!(widths.into_iter().collect::<Vec<_>>(), [8, 16, 32, 64], "every width was met");
}

/// Products of the numbers in blocks, as sums over the lanes, whose order is unspecified.
struct Sums<'a> {
    blocks: &'a [Block],
}

impl Work for Sums<'_> {
    type Output = Vec<i64>;

    #[inline(always)]
    fn run<V: Vectors>(self, vectors: V) -> Vec<i64> {
        let numbers = vectors.numbers();
        let mut sums = Vec::new();
        let mut keep = |lanes: [i64; NUMBERS]| {
            sums.push(lanes.iter().fold(0, |sum: i64, &lane| sum.wrapping_add(lane)));
            // Detects lanes that were exchanged within a vector.
            sums.push(
                lanes.iter().fold(0, |sum: i64, &lane| sum.wrapping_add(lane.wrapping_mul(lane))),
            );
        };
        for pair in self.blocks.windows(2) {
            let [a, b] = [&pair[0], &pair[1]].map(|block| numbers.shorts(block));
            let twice = numbers.times(numbers.sum(a, b), numbers.splat(-7));
            let mut block = Block::ZERO;
            numbers.put(twice, &mut block);
            let again = numbers.shorts(&block);
            let [one, two] = [numbers.words(a, b), numbers.words(again, b)];
            let [one, two] = [one, two].map(|words| numbers.spread(words));
            let product = numbers.low_products(one, two);
            keep(numbers.get(product));
            keep(numbers.get(numbers.negate(numbers.add(product, numbers.zeros()))));
            keep(numbers.get(numbers.raise(product)));
            keep(numbers.get(numbers.scale(product, one)));
            let [high, low] = [numbers.high25(product), numbers.low25(product)];
            keep(numbers.get(numbers.low_products(high, two)));
            keep(numbers.get(numbers.low_products(low, two)));
        }
        sums
    }
}

#[test]
fn every_instruction_set_multiplies_like_plain_arithmetic() {
    let mut random = Random::new(4);
    let mut block = || Block(std::array::from_fn(|_| random.next_u64()));
    let blocks: Vec<Block> = (0..50).map(|_| block()).chain([Block::ZERO, Block::ONES]).collect();
    let sums = |leaf: Leaf| leaf.run(Inside(Sums { blocks: &blocks }));
    let expected = sums(Leaf::Plain);
    for leaf in Leaf::all() {
        assert_eq!(sums(leaf), expected, "{}", leaf.name());
    }
}
