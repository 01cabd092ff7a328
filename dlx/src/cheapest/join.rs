//! Enumerates the sums of one cost from each of several ascending lists, in ascending order.
//!
//! The least sum takes the first cost of each list. The lists are sorted by the difference of their
//! second and first costs, and a choice of costs changes lists in this order. Let `place` be the
//! index taken from the last changed list. A choice has up to three successors, which cost no less:
//! - the next index of this list;
//! - this index, together with the second cost of the next list;
//! - if `place` is 1, the second cost of the next list instead of this change.
//!
//! So every choice of costs except the first has exactly one predecessor. A list is extended when
//! its next cost is needed.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::limits::Limit;

pub(super) trait Ranked {
    fn cost(&self, list: usize, place: usize) -> Option<u128>;

    /// Extends the known part of a list, if the list has more costs.
    ///
    /// # Errors
    /// The limit that was reached.
    fn extend(&mut self, list: usize) -> Result<(), Limit>;
}

/// The last change of a choice: index `place` of the list at position `turn` of the order. `before`
/// is the number of the choice with the earlier changes.
#[derive(Clone, Copy, Debug)]
struct ListChoice {
    before: Option<usize>,
    turn: usize,
    place: usize,
}

/// A sum, with all costs in it that are not the first cost of their list.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PartSum {
    pub(super) cost: u128,
    pub(super) later: Vec<(usize, usize)>,
}

#[derive(Debug)]
pub(super) struct SumHeap {
    /// The lists with more than one cost, in ascending order of the difference of their second and
    /// first costs.
    order: Vec<usize>,
    choices: Vec<ListChoice>,
    heap: BinaryHeap<Reverse<(u128, usize)>>,
    least: Option<u128>,
    /// The cost and the number of the choice returned last. The successors of this choice are not
    /// in the heap yet.
    last: Option<(u128, usize)>,
}

impl SumHeap {
    pub(super) fn new(lists: &impl Ranked, count: usize) -> Self {
        let first: Option<Vec<u128>> = (0..count).map(|list| lists.cost(list, 0)).collect();
        let least = first.map(|first| first.into_iter().sum());
        let rise = |&list: &usize| Some(lists.cost(list, 1)? - lists.cost(list, 0)?);
        let mut order: Vec<usize> = (0..count).filter(|list| rise(list).is_some()).collect();
        order.sort_by_key(rise);
        Self { order, choices: Vec::new(), heap: BinaryHeap::new(), least, last: None }
    }

    /// Returns the next sum, or `None` if no sum is left. If extending a list fails, puts the error
    /// into `ended`.
    pub(super) fn next(
        &mut self,
        lists: &mut impl Ranked,
        ended: &mut Result<(), Limit>,
    ) -> Option<PartSum> {
        if let Some(cost) = self.least.take() {
            self.push_second(lists, cost, 0, None);
            return Some(PartSum { cost, later: Vec::new() });
        }
        if let Some((cost, last)) = self.last.take() {
            self.push_next(lists, cost, last, ended);
        }
        let Reverse((cost, number)) = self.heap.pop()?;
        self.last = Some((cost, number));
        let mut later = Vec::new();
        let mut next = Some(number);
        while let Some(number) = next {
            let ListChoice { before, turn, place } = self.choices[number];
            later.push((self.order[turn], place));
            next = before;
        }
        Some(PartSum { cost, later })
    }

    /// Returns a lower bound for the next sum, which is exact if all its costs are known.
    pub(super) fn peek(&self) -> Option<u128> {
        let open = self.heap.peek().map(|Reverse((cost, _))| *cost);
        self.least.or_else(|| self.last.map(|(cost, _)| cost).into_iter().chain(open).min())
    }

    fn push(&mut self, cost: u128, choice: ListChoice) {
        self.heap.push(Reverse((cost, self.choices.len())));
        self.choices.push(choice);
    }

    /// Adds a choice with the second cost of the list at `turn`, where `cost` is the sum without
    /// this change.
    fn push_second(&mut self, lists: &impl Ranked, cost: u128, turn: usize, before: Option<usize>) {
        if let Some(&list) = self.order.get(turn)
            && let (Some(first), Some(second)) = (lists.cost(list, 0), lists.cost(list, 1))
        {
            self.push(cost - first + second, ListChoice { before, turn, place: 1 });
        }
    }

    fn push_next(
        &mut self,
        lists: &mut impl Ranked,
        cost: u128,
        number: usize,
        ended: &mut Result<(), Limit>,
    ) {
        let ListChoice { before, turn, place } = self.choices[number];
        let list = self.order[turn];
        if lists.cost(list, place + 1).is_none() && ended.is_ok() {
            *ended = lists.extend(list);
        }
        let taken = lists.cost(list, place).expect("it was taken");
        if let Some(next) = lists.cost(list, place + 1) {
            self.push(cost - taken + next, ListChoice { before, turn, place: place + 1 });
        }
        self.push_second(lists, cost, turn + 1, Some(number));
        if place == 1 {
            let first = lists.cost(list, 0).expect("there is one before");
            self.push_second(lists, cost - taken + first, turn + 1, before);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::Random;

    struct Lists(Vec<(Vec<u128>, usize)>);

    impl Ranked for Lists {
        fn cost(&self, list: usize, place: usize) -> Option<u128> {
            let (costs, known) = &self.0[list];
            costs[..*known].get(place).copied()
        }

        fn extend(&mut self, list: usize) -> Result<(), Limit> {
            let (costs, known) = &mut self.0[list];
            *known = (*known * 2).min(costs.len());
            Ok(())
        }
    }

    #[test]
    fn every_sum_is_returned_once_in_ascending_order() {
        let mut random = Random::new(3);
        for _ in 0..2000 {
            let mut below = |most| random.below(most) as u64;
            let lists: Vec<Vec<u128>> = (0..1 + below(5))
                .map(|_| {
                    let mut costs: Vec<_> = (0..below(6)).map(|_| u128::from(below(7))).collect();
                    costs.sort_unstable();
                    costs
                })
                .collect();
            let mut all = vec![0];
            for list in &lists {
                all = all.iter().flat_map(|sum| list.iter().map(move |cost| sum + cost)).collect();
            }
            all.sort_unstable();
            let known = |costs: &Vec<u128>| (costs.clone(), costs.len().min(2));
            let mut ranked = Lists(lists.iter().map(known).collect());
            let mut join = SumHeap::new(&ranked, lists.len());
            let (mut found, mut places) = (Vec::new(), std::collections::BTreeSet::new());
            let mut ended = Ok(());
            while let Some(PartSum { cost, mut later }) = {
                let least = join.peek();
                let next = join.next(&mut ranked, &mut ended);
                assert!(next.as_ref().is_none_or(|sum| least.is_some_and(|least| least <= sum.cost)));
                next
            } {
                let mut sum: u128 = lists.iter().map(|list| list[0]).sum();
                later.iter().for_each(|&(list, place)| sum = sum - lists[list][0] + lists[list][place]);
                assert_eq!(sum, cost);
                later.sort_unstable();
                assert!(places.insert(later), "a choice comes once");
                found.push(cost);
            }
            assert_eq!((found, ended), (all, Ok(())), "{lists:?}");
        }
    }
}
