//! Translates sets of digits and their sums into options and colors.

use std::collections::{BTreeMap, BTreeSet};

use dlx::{Entry, ItemId};

use super::super::budget;
use super::super::clue::{Digit, SumTerm};
use super::{ENTRY_WORK, Model, OPTIONS_MAX, TEST_WORK};

/// Largest number of partial sums. More would need too many options.
const TOTALS_MAX: usize = 1 << 20;

type Totals = BTreeSet<i64>;

/// Work of adding a value to a total, in units of [`budget::spend`].
const TOTAL_WORK: u64 = 50;

/// Maximum number of options of a set of cells that is a term in a sum.
pub(super) const SET_OPTIONS_MAX: usize = 200;

/// Maximum number of options of a derived sum. Sums with few options restrict the grid most and
/// cost least.
pub(super) const FOLLOWING_MAX: usize = 80;

impl Model<'_> {
    /// Adds a set of digits. `total` returns an extra entry for the sum of the digits, or `None` if
    /// that sum cannot occur.
    pub(super) fn add_set(
        &mut self,
        name: &str,
        cells: &[usize],
        is_right: &(dyn Fn(&[Digit]) -> bool + Send + Sync),
        total: &mut dyn FnMut(&mut Self, i64) -> Option<Option<Entry>>,
    ) -> Result<(), String> {
        let digits: Vec<Digit> = self.board.digits().collect();
        budget::spend_each(cells.len() * digits.len(), ENTRY_WORK)?;
        let set = self.primary(name);
        let items: Vec<ItemId> =
            digits.iter().map(|digit| self.primary(&format!("{name}s{digit}"))).collect();
        for &cell in cells {
            for (&digit, &item) in digits.iter().zip(&items) {
                let place = self.place(cell, digit);
                self.entries[place].push(item.into());
            }
        }
        for chosen in self.digit_sets(cells)? {
            budget::spend_each(cells.len(), TEST_WORK)?;
            if is_right(&self.digits_of(chosen))
                && let Some(entry) = total(self, self.total_of(chosen))
            {
                let mut option = vec![Entry::from(set)];
                let rest = (0..digits.len()).filter(|index| chosen >> index & 1 == 0);
                option.extend(rest.map(|index| Entry::from(items[index])));
                option.extend(entry);
                self.push(option)?;
            }
        }
        Ok(())
    }

    /// Returns the possible sets of digits of cells that differ. Each digit of a set is possible in
    /// some cell, and each cell allows a digit of the set.
    fn digit_sets(&self, cells: &[usize]) -> Result<Vec<u64>, String> {
        let order = self.board.order();
        let mask = |&cell: &usize| -> u64 {
            let allowed = &self.allowed[cell * order..(cell + 1) * order];
            allowed.iter().rev().fold(0, |mask, &is_allowed| mask << 1 | u64::from(is_allowed))
        };
        let masks: Vec<u64> = cells.iter().map(mask).collect();
        let all = masks.iter().fold(0, |all, mask| all | mask);
        let fits = |set: &u64| set & !all == 0 && masks.iter().all(|mask| mask & set != 0);
        let mut sets = Vec::new();
        for set in combinations(order, cells.len()) {
            budget::spend(TEST_WORK)?;
            sets.extend(Some(set).filter(fits));
        }
        Ok(sets)
    }

    fn digits_of(&self, set: u64) -> Vec<Digit> {
        let digits = (0..self.board.order()).filter(|digit| set >> digit & 1 == 1);
        digits.map(|digit| self.board.first + digit as Digit).collect()
    }

    fn total_of(&self, mut set: u64) -> i64 {
        let mut total = i64::from(self.board.first) * i64::from(set.count_ones());
        while set != 0 {
            total += i64::from(set.trailing_zeros());
            set &= set - 1;
        }
        total
    }

    /// Adds a sum, whose cells are divided into sets of cells that differ, and an automaton adds up
    /// the totals of the sets. The first set directly determines the state after it, and the last
    /// set the state before it.
    pub(super) fn add_sum(&mut self, number: usize, terms: &[SumTerm], sum: i64) -> Result<(), String> {
        let mut factors: BTreeMap<usize, i64> = BTreeMap::new();
        for (cells, factor) in terms {
            for &cell in cells {
                *factors.entry(cell).or_default() += factor;
            }
        }
        let mut addends: Vec<(Vec<usize>, i64)> = Vec::new();
        for factor in factors.values().copied().filter(|&factor| factor != 0).collect::<BTreeSet<_>>() {
            let cells: Vec<usize> = terms
                .iter()
                .flat_map(|(cells, _)| cells)
                .copied()
                .filter(|cell| factors[cell] == factor)
                .collect();
            let mut once = BTreeSet::new();
            let cells: Vec<usize> = cells.into_iter().filter(|&cell| once.insert(cell)).collect();
            addends.extend(self.sets(&cells)?.into_iter().map(|set| (set, factor)));
        }
        let (states, usable) = self.reach(&addends, sum)?;
        if self.is_following && self.options_of_sum(&addends, &states, &usable)? > FOLLOWING_MAX {
            return Ok(());
        }
        let last = addends.len().wrapping_sub(1);
        if addends.is_empty() && sum != 0 {
            // An item without options makes the problem unsolvable.
            self.primary(&format!("l{number}"));
        }
        let mut before: Option<ItemId> = None;
        for (place, (cells, factor)) in addends.iter().enumerate() {
            let after = (place != last).then(|| self.secondary(&format!("l{number}.{}s", place + 1)));
            // The total of the first or last set directly determines a state of the automaton.
            let end = match (before, after) {
                (None, after) => Some((after, 0, 1)),
                (before, None) => Some((before, sum, -1)),
                _ => None,
            };
            let own = match (end, &cells[..]) {
                (Some(_), _) => None,
                (None, &[cell]) => Some(self.value(cell)),
                (None, _) => Some(self.secondary(&format!("k{number}.{}t", place + 1))),
            };
            let entry = |model: &mut Self, value: i64| -> Option<Option<Entry>> {
                usable[place].contains(&value).then(|| match (end, own) {
                    (Some((item, state, sign)), _) => {
                        item.map(|item| item.with(model.color(state + sign * factor * value)))
                    }
                    (None, own) => own.map(|own| own.with(model.color(value))),
                })
            };
            if let [cell] = cells[..] {
                for digit in self.digits(cell) {
                    let at = self.place(cell, digit);
                    match entry(self, i64::from(digit)) {
                        None => self.allowed[at] = false,
                        // The option already contains the color for the digit of the cell.
                        Some(_) if own.is_some() => {}
                        Some(entry) => self.entries[at].extend(entry),
                    }
                }
            } else {
                let name = format!("k{number}.{}", place + 1);
                self.add_set(&name, cells, &|_| true, &mut |model, total| entry(model, total))?;
            }
            if let (Some(own), Some(before), Some(after)) = (own, before, after) {
                let item = self.primary(&format!("l{number}.{}", place + 1));
                for &from in &states[place] {
                    budget::spend_each(usable[place].len(), TOTAL_WORK)?;
                    for &value in &usable[place] {
                        let to = from + factor * value;
                        if states[place + 1].contains(&to) {
                            let colors = [(own, value), (before, from), (after, to)];
                            let mut option = vec![Entry::from(item)];
                            option.extend(colors.map(|(item, color)| item.with(self.color(color))));
                            self.push(option)?;
                        }
                    }
                }
            }
            before = after;
        }
        Ok(())
    }

    fn options_of_sum(
        &self,
        addends: &[(Vec<usize>, i64)],
        states: &[Totals],
        usable: &[Totals],
    ) -> Result<usize, String> {
        let mut count = 0;
        for (place, (cells, factor)) in addends.iter().enumerate() {
            if cells.len() > 1 {
                let is_usable = |&&set: &&u64| usable[place].contains(&self.total_of(set));
                count += self.digit_sets(cells)?.iter().filter(is_usable).count();
            }
            if place > 0 && place + 1 < addends.len() {
                for from in &states[place] {
                    budget::spend_each(usable[place].len(), TOTAL_WORK)?;
                    let leads = |value: &&i64| states[place + 1].contains(&(from + factor * **value));
                    count += usable[place].iter().filter(leads).count();
                }
            }
        }
        Ok(count)
    }

    /// Returns the partial sums before and after each addend that can still reach the sum, and the
    /// values of each addend on such paths.
    fn reach(
        &self,
        addends: &[(Vec<usize>, i64)],
        sum: i64,
    ) -> Result<(Vec<Totals>, Vec<Totals>), String> {
        let totals = |(cells, _): &(Vec<usize>, i64)| -> Result<Totals, String> {
            Ok(self.digit_sets(cells)?.into_iter().map(|set| self.total_of(set)).collect())
        };
        let totals: Vec<Totals> = addends.iter().map(totals).collect::<Result<_, _>>()?;
        let mut states = vec![BTreeSet::from([0])];
        for ((_, factor), totals) in addends.iter().zip(&totals) {
            let mut to = BTreeSet::new();
            for state in &states[states.len() - 1] {
                budget::spend_each(totals.len(), TOTAL_WORK)?;
                to.extend(totals.iter().map(|total| state + factor * total));
                if to.len() > TOTALS_MAX {
                    return Err(format!("the terms of a sum have more than {TOTALS_MAX} totals"));
                }
            }
            states.push(to);
        }
        let mut usable = vec![BTreeSet::new(); addends.len()];
        let last = addends.len();
        states[last].retain(|&state| state == sum);
        for (place, (_, factor)) in addends.iter().enumerate().rev() {
            // Each remaining state tries each total.
            budget::spend_each(states[place].len() * totals[place].len(), TOTAL_WORK)?;
            let (here, next) = states.split_at_mut(place + 1);
            here[place].retain(|&state| {
                let leads = |&&total: &&i64| next[0].contains(&(state + factor * total));
                let leading: Vec<i64> = totals[place].iter().filter(leads).copied().collect();
                let is_some = !leading.is_empty();
                usable[place].extend(leading);
                is_some
            });
        }
        Ok((states, usable))
    }

    /// Divides cells into sets that each lie within one row, column, region or other group of cells
    /// that differ.
    ///
    /// # Errors
    /// If a limit is reached.
    fn sets(&self, cells: &[usize]) -> Result<Vec<Vec<usize>>, String> {
        let mut sets: Vec<Vec<usize>> = Vec::new();
        for &cell in cells {
            budget::spend_each(sets.len() * self.board.shape.groups().len(), TEST_WORK)?;
            let fits = |set: &&mut Vec<usize>| {
                let with = [&set[..], &[cell]].concat();
                ways(self.board.order(), with.len()) <= SET_OPTIONS_MAX
                    && self.board.are_together(&with)
            };
            match sets.iter_mut().find(fits) {
                Some(set) => set.push(cell),
                None => sets.push(vec![cell]),
            }
        }
        Ok(sets)
    }
}

/// Returns the number of subsets of `size` out of `count` elements, or [`OPTIONS_MAX`] if there are
/// more.
pub(super) fn ways(count: usize, size: usize) -> usize {
    let next = |ways: usize, index: usize| (ways * (count - index) / (index + 1)).min(OPTIONS_MAX);
    if size > count { 0 } else { (0..size).fold(1, next) }
}

/// Iterates over the subsets of `size` of the first `count` numbers, as bit sets in ascending
/// order. `count` is at most 64.
///
/// Source for the next number with the same number of one bits: Gosper (HAKMEM, item 175).
fn combinations(count: usize, size: usize) -> impl Iterator<Item = u64> {
    let first = (size <= count).then(|| (1_u128 << size) - 1);
    let next = move |&set: &u128| {
        let lowest = set & set.wrapping_neg();
        let carried = set + lowest;
        let next = if set == 0 { 1 << count } else { carried | (((carried ^ set) / lowest) >> 2) };
        (next >> count == 0).then_some(next)
    };
    std::iter::successors(first, next).map(|set| set as u64)
}
