//! Estimates the number of nodes of a search tree from random descents.
//!
//! A descent starts at the root. At each node it branches on an item with the fewest options, like
//! the engines, and takes one of its options at random. The product of the numbers of options so
//! far is the inverse of the probability of the path, so the sum of these products over the nodes
//! of the path has the number of nodes of the tree as its expectation. Unlike the searched share of
//! the tree, the mean of some hundred descents does not depend on the first subtree, which may be
//! far larger or smaller than the others.
//!
//! The distribution has a long tail, so a mean of few descents is usually too low. Its relative
//! error is estimated from the spread.
//!
//! Source: Knuth, "Estimating the efficiency of backtrack programs" (Mathematics of Computation,
//! 1975).

use crate::bits::{Block, Leaf};
use crate::engine::filter;
use crate::limits::{Limit, Limits, Pace};
use crate::model::Problem;
use crate::numbers::Random;

/// Largest size of the tables (bytes).
const BYTES_MAX: usize = 4 << 20;
/// Time per word of a set of options when an item is counted, and when the tables are built (ns).
const WORD: f64 = 0.4;
const WORD_BUILT: f64 = 1.5;
/// Time per item and node (ns).
const ITEM: f64 = 2.0;
const BITS: usize = u64::BITS as usize;
/// Minimum number of descents for an estimate, and the number after which there are enough.
const COUNT_MIN: u64 = 24;
const COUNT_MAX: u64 = 4096;
/// Relative error at which there are enough descents.
const ERROR_MIN: f64 = 0.2;

pub(super) struct Descents {
    /// The number of words of a set of options.
    words: usize,
    /// The options of each primary item.
    items: Vec<u64>,
    /// The options that each option excludes, itself included.
    excluded: Vec<u64>,
    /// The primary items of each option, as places in `items`, and where each option begins.
    covered: Vec<u32>,
    begins: Vec<u32>,
    random: Random,
    count: u64,
    sum: f64,
    squares: f64,
    free: Vec<u64>,
    is_covered: Vec<bool>,
}

/// Returns the time to build the tables (ns), or `None` if the problem has bounds or is too large.
pub(super) fn setup(problem: &Problem) -> Option<f64> {
    let words = problem.option_count().div_ceil(BITS);
    let rows = problem.option_count() + problem.item_count();
    let is_small = words.saturating_mul(rows).saturating_mul(size_of::<u64>()) <= BYTES_MAX;
    (is_small && !problem.has_bounds()).then(|| WORD_BUILT * (problem.entry_count() * words) as f64)
}

impl Descents {
    /// Builds the tables of a problem without bounds.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(super) fn new(problem: &Problem, limits: &Limits) -> Result<Self, Limit> {
        let options = problem.option_count();
        let (words, blocks) = (options.div_ceil(BITS), options.div_ceil(Block::BITS));
        let conflicts = filter::conflicts(Leaf::best(), problem, blocks, &mut Pace::new(limits))?;
        let mut excluded = Vec::with_capacity(words * options);
        let mut places = vec![None; problem.item_count()];
        let primary = problem.items().filter(|&item| problem.is_primary(item));
        for (place, item) in (0..).zip(primary) {
            places[item.index()] = Some(place);
        }
        let mut items = vec![0_u64; words * problem.primary_count()];
        let (mut covered, mut begins) = (Vec::new(), vec![0]);
        for option in problem.options() {
            let (word, bit) = (option.index() / BITS, 1 << (option.index() % BITS));
            let row = &conflicts[option.index() * blocks..][..blocks];
            let start = excluded.len();
            excluded.extend(row.iter().flat_map(|block| block.0).take(words));
            excluded[start + word] |= bit;
            for place in problem.option(option).iter().filter_map(|entry| places[entry.item.index()]) {
                items[place as usize * words + word] |= bit;
                covered.push(place);
            }
            begins.push(u32::try_from(covered.len()).unwrap_or(u32::MAX));
        }
        Ok(Self {
            words,
            is_covered: vec![false; problem.primary_count()],
            free: vec![0; words],
            items,
            excluded,
            covered,
            begins,
            random: Random::new(1),
            count: 0,
            sum: 0.0,
            squares: 0.0,
        })
    }

    /// Makes descents for about `time` nanoseconds, until there are enough.
    pub(super) fn run(&mut self, mut time: f64) {
        while time > 0.0 && self.count < COUNT_MAX && self.error() > ERROR_MIN {
            let (nodes, steps) = self.descend();
            self.count += 1;
            self.sum += nodes;
            self.squares += nodes * nodes;
            let items = self.is_covered.len() as f64;
            time -= steps * (items * (ITEM + WORD * self.words as f64));
        }
    }

    /// Returns the product of branching factors, summed over a random path, and its length.
    fn descend(&mut self) -> (f64, f64) {
        let words = self.words;
        self.free.fill(u64::MAX);
        self.is_covered.fill(false);
        let (mut weight, mut nodes, mut steps) = (1.0, 1.0, 0.0);
        loop {
            let mut fewest = (u32::MAX, 0);
            for (place, row) in self.items.chunks_exact(words.max(1)).enumerate() {
                if !self.is_covered[place] {
                    let count = row.iter().zip(&self.free).map(|(a, b)| (a & b).count_ones()).sum();
                    fewest = fewest.min((count, place));
                    if count == 0 {
                        break;
                    }
                }
            }
            steps += 1.0;
            let (count, place) = fewest;
            if count == 0 || count == u32::MAX {
                return (nodes, steps);
            }
            let row = &self.items[place * words..(place + 1) * words];
            let mut left = self.random.below(count as usize) as u32;
            let chosen = row.iter().zip(&self.free).enumerate().find_map(|(index, (a, b))| {
                let mut word = a & b;
                let here = word.count_ones();
                if left >= here {
                    left -= here;
                    return None;
                }
                (0..left).for_each(|_| word &= word - 1);
                Some(index * BITS + word.trailing_zeros() as usize)
            });
            let chosen = chosen.expect("an option of the item is free");
            let excluded = &self.excluded[chosen * words..(chosen + 1) * words];
            self.free.iter_mut().zip(excluded).for_each(|(free, more)| *free &= !more);
            let covered = self.begins[chosen] as usize..self.begins[chosen + 1] as usize;
            self.covered[covered].iter().for_each(|&item| self.is_covered[item as usize] = true);
            weight *= f64::from(count);
            nodes += weight;
        }
    }

    /// Returns the estimated number of nodes, or `None` before there are enough descents.
    pub(super) fn nodes(&self) -> Option<f64> {
        (self.count >= COUNT_MIN).then(|| self.sum / self.count as f64)
    }

    /// Returns the estimated relative error of the number of nodes.
    pub(super) fn error(&self) -> f64 {
        if self.count < COUNT_MIN {
            return f64::INFINITY;
        }
        let count = self.count as f64;
        let mean = self.sum / count;
        ((self.squares / count - mean * mean).max(0.0) / count).sqrt() / mean
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Links;
    use crate::model::samples::{latin, queens};
    use crate::search::Engine as _;

    #[test]
    fn the_mean_of_descents_is_near_the_number_of_nodes() {
        for problem in [queens(8), latin(4)] {
            let nodes = Links::new(&problem).count(&[], &Limits::new()).nodes as f64;
            let mut descents = Descents::new(&problem, &Limits::new()).unwrap();
            assert_eq!(descents.nodes(), None);
            descents.run(1e9);
            let ratio = descents.nodes().expect("there are many") / nodes;
            assert!((0.6..1.7).contains(&ratio), "{ratio} of {nodes}, error {}", descents.error());
            assert!(descents.error() <= ERROR_MIN);
        }
    }

    #[test]
    fn options_with_equal_colors_do_not_exclude_each_other() {
        let problem: Problem = "a b | x\na x:1\na x:2\nb x:1\nb x:2\n".parse().unwrap();
        let mut descents = Descents::new(&problem, &Limits::new()).unwrap();
        descents.run(1e9);
        // The root, two options, and one option below each.
        assert_eq!(descents.nodes(), Some(5.0));
    }

    #[test]
    fn large_problems_and_problems_with_bounds_have_no_descents() {
        assert!(setup(&queens(8)).is_some());
        let bounded: Problem = "2|a b\na\na b\na\n".parse().unwrap();
        assert!(setup(&bounded).is_none());
    }
}
