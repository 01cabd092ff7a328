//! Refutations by pigeonholes: each option that covers a pigeon takes a hole, and there are fewer
//! holes than pigeons.
//!
//! The combination starts with coefficient 1 for each item that must be covered. Its value in an
//! option is then the number of these items. The method repeatedly lowers the coefficient of the
//! item that lowers the most positive options for its share in the value of a cover, and ends when
//! no option is positive, or when the value of a cover is no longer positive. It is a greedy
//! solution of the linear program that [`Capacity`](super::capacity::Capacity) solves exactly.
//!
//! Source: the greedy method for set covering (V. Chvatal, Mathematics of Operations Research,
//! 1979).

use std::collections::BinaryHeap;

use super::system::{System, bounds_of, colored_items, live_options};
use super::{Certificate, ENTRY, Stage};
use crate::model::{Bounds, ItemId, Problem};
use crate::portfolio::{Budget, Cut};

#[derive(Debug)]
pub(super) struct Pigeonholes<'p> {
    problem: &'p Problem,
    /// The options of each item that may be lowered: item `i` has
    /// `options[starts[i]..starts[i + 1]]`.
    starts: Vec<u32>,
    options: Vec<u32>,
    coefficients: Vec<i64>,
    /// The values of the options, and the least value of a cover.
    values: Vec<i64>,
    least: i64,
    /// The number of positive options of each item per unit of its share in a cover, which may be
    /// outdated and then too high.
    gains: BinaryHeap<(u64, u32)>,
    positive: usize,
}

/// Fixed-point scale of gains.
const SCALE: u64 = 1 << 20;

impl<'p> Pigeonholes<'p> {
    pub(super) fn bytes_max(problem: &Problem) -> usize {
        4 * problem.entry_count() + 8 * problem.option_count() + 36 * problem.item_count()
    }

    pub(super) fn work(problem: &Problem) -> u64 {
        ENTRY * (problem.entry_count() + problem.item_count()) as u64
    }

    pub(super) fn new(problem: &'p Problem) -> Self {
        let item_count = problem.item_count();
        let mut starts = vec![0; item_count + 1];
        let (mut values, mut least) = (Vec::new(), 0);
        let mut coefficients = vec![0; item_count];
        for item in problem.items() {
            if let Some(Bounds { low: low @ 1.., .. }) = problem.bounds(item) {
                coefficients[item.index()] = 1;
                least += i64::from(low);
            }
        }
        for option in live_options(problem) {
            let entries = problem.option(option);
            values.push(entries.iter().map(|entry| coefficients[entry.item.index()]).sum());
            for entry in entries {
                starts[entry.item.index() + 1] += 1;
            }
        }
        for item in 0..item_count {
            starts[item + 1] += starts[item];
        }
        let (mut next, mut options) = (starts.clone(), vec![0; starts[item_count] as usize]);
        for (number, option) in (0..).zip(live_options(problem)) {
            for entry in problem.option(option) {
                let place = &mut next[entry.item.index()];
                options[*place as usize] = number;
                *place += 1;
            }
        }
        let positive = values.iter().filter(|&&value| value > 0).count();
        let mut pigeonholes = Self {
            problem,
            starts,
            options,
            coefficients,
            values,
            least,
            gains: BinaryHeap::new(),
            positive,
        };
        let is_colored = colored_items(problem);
        let uncolored = (0..item_count).filter(|&item| !is_colored[item]);
        pigeonholes.gains = uncolored.map(|item| (pigeonholes.gain(item), item as u32)).collect();
        pigeonholes
    }

    fn options_of(&self, item: usize) -> &[u32] {
        &self.options[self.starts[item] as usize..self.starts[item + 1] as usize]
    }

    /// Returns how much the value of a cover falls if the coefficient of an item is lowered by 1.
    fn share(&self, item: usize) -> i64 {
        let Bounds { low, high } = bounds_of(self.problem, ItemId::new(item));
        i64::from(if self.coefficients[item] > 0 { low } else { high })
    }

    fn gain(&self, item: usize) -> u64 {
        let is_positive = |&&option: &&u32| self.values[option as usize] > 0;
        let positive = self.options_of(item).iter().filter(is_positive).count() as u64;
        positive * SCALE / self.share(item).max(1) as u64
    }

    fn lower(&mut self, item: usize) {
        self.least -= self.share(item);
        self.coefficients[item] -= 1;
        for at in self.starts[item] as usize..self.starts[item + 1] as usize {
            let value = &mut self.values[self.options[at] as usize];
            self.positive -= usize::from(*value == 1);
            *value -= 1;
        }
    }
}

impl Stage for Pigeonholes<'_> {
    fn run(&mut self, _: &System, budget: &mut Budget<'_>) -> Result<Option<Certificate>, Cut> {
        while self.least > 0 {
            if self.positive == 0 {
                let terms = (0..).zip(&self.coefficients).filter(|&(_, &coefficient)| coefficient != 0);
                let terms = terms.map(|(item, &coefficient)| (ItemId::new(item), coefficient));
                return Ok(Some(Certificate { terms: terms.collect(), modulus: None }));
            }
            let Some((_, item)) = self.gains.pop() else { return Ok(None) };
            let gain = self.gain(item as usize);
            if gain > 0 {
                if self.gains.peek().is_none_or(|&(next, _)| gain >= next) {
                    self.lower(item as usize);
                }
                self.gains.push((gain, item));
            }
            budget.spend(ENTRY + 2 * self.options_of(item as usize).len() as u64)?;
        }
        Ok(None)
    }

    fn work(&self, _: &System) -> u64 {
        Self::work(self.problem)
    }

    fn bytes(&self) -> usize {
        Self::bytes_max(self.problem)
    }
}
