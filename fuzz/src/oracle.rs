//! An oracle for covers. The oracle shares only the data types with `dlx`, and no other code.
//!
//! [`covers`] takes or skips each option in turn, and backtracks if an item can no longer reach its
//! lower bound. [`count`] merges equal states of such a search in a map from states to numbers of
//! partial covers. Both functions give up beyond a budget; otherwise their results are exact.

use std::collections::{BTreeMap, BTreeSet};

use dlx::{Color, Entry, OptionId, Problem};

/// A cover as a set.
pub type Cover = BTreeSet<OptionId>;

/// For each item, how many times it is covered, and its color if it is secondary and covered.
type State = Vec<(u32, Option<Color>)>;

/// Adds `option` to the partial cover. Returns `false` and does not change the state if `option`
/// conflicts with the partial cover.
fn take(problem: &Problem, state: &mut State, option: OptionId) -> bool {
    let entries = problem.option(option);
    let fits = |entry: &Entry| {
        let (count, color) = &state[entry.item.index()];
        match problem.bounds(entry.item) {
            Some(bounds) => *count < bounds.high,
            None => *count == 0 || color.is_some() && *color == entry.color,
        }
    };
    if !entries.iter().all(fits) {
        return false;
    }
    for entry in entries {
        let (count, color) = &mut state[entry.item.index()];
        (*count, *color) = (*count + 1, entry.color);
    }
    true
}

/// Removes `option` from the partial cover. All options on the same secondary item have the same
/// color.
fn give_back(problem: &Problem, state: &mut State, option: OptionId) {
    for entry in problem.option(option) {
        let (count, color) = &mut state[entry.item.index()];
        *count -= 1;
        *color = color.filter(|_| *count > 0);
    }
}

/// Returns whether an option has a primary item; other options are never chosen.
fn is_active(problem: &Problem, option: OptionId) -> bool {
    problem.option(option).iter().any(|entry| problem.is_primary(entry.item))
}

/// Returns the state after choosing the given options; `None` if they conflict.
fn begin(problem: &Problem, given: &BTreeSet<OptionId>) -> Option<State> {
    let mut state = vec![(0, None); problem.item_count()];
    given.iter().all(|&option| take(problem, &mut state, option)).then_some(state)
}

/// Returns the covers that contain all of `given` and no option of `without`; `None` after more
/// than `budget` decisions.
#[must_use]
pub fn covers(
    problem: &Problem,
    given: &[OptionId],
    without: &[OptionId],
    mut budget: u64,
) -> Option<BTreeSet<Cover>> {
    let given: BTreeSet<OptionId> = given.iter().copied().collect();
    let mut found = BTreeSet::new();
    let Some(mut state) = begin(problem, &given).filter(|_| !without.iter().any(|o| given.contains(o)))
    else {
        return Some(found);
    };
    let is_free = |o: &OptionId| is_active(problem, *o) && !given.contains(o) && !without.contains(o);
    let free: Vec<OptionId> = problem.options().filter(is_free).collect();
    let mut left = vec![0_u32; problem.item_count()];
    for entry in free.iter().flat_map(|&option| problem.option(option)) {
        left[entry.item.index()] += 1;
    }
    let mut cover = given.clone();
    decide(problem, &free, &mut state, &mut left, &mut cover, &mut found, &mut budget).then_some(found)
}

fn decide(
    problem: &Problem,
    free: &[OptionId],
    state: &mut State,
    left: &mut [u32],
    cover: &mut Cover,
    found: &mut BTreeSet<Cover>,
    budget: &mut u64,
) -> bool {
    if *budget == 0 {
        return false;
    }
    *budget -= 1;
    let can_be_covered = problem.items().all(|item| {
        let low = problem.bounds(item).map_or(0, |bounds| bounds.low);
        u64::from(low) <= u64::from(state[item.index()].0) + u64::from(left[item.index()])
    });
    if !can_be_covered {
        return true;
    }
    let Some((&option, free)) = free.split_first() else {
        found.insert(cover.clone());
        return true;
    };
    problem.option(option).iter().for_each(|entry| left[entry.item.index()] -= 1);
    let mut is_done = true;
    if take(problem, state, option) {
        cover.insert(option);
        is_done = decide(problem, free, state, left, cover, found, budget);
        cover.remove(&option);
        give_back(problem, state, option);
    }
    is_done = is_done && decide(problem, free, state, left, cover, found, budget);
    problem.option(option).iter().for_each(|entry| left[entry.item.index()] += 1);
    is_done
}

/// Returns the number of covers that contain all of `given`; `None` if there are more than `states`
/// states at a time, or if the number overflows.
#[must_use]
pub fn count(problem: &Problem, given: &[OptionId], states: usize) -> Option<u128> {
    let given: BTreeSet<OptionId> = given.iter().copied().collect();
    let Some(state) = begin(problem, &given) else { return Some(0) };
    let mut free: Vec<OptionId> =
        problem.options().filter(|o| is_active(problem, *o) && !given.contains(o)).collect();
    // If options with common items are adjacent, items are decided early.
    free.sort_by_key(|&option| problem.option(option).iter().map(|entry| entry.item).min());
    let mut last = vec![None; problem.item_count()];
    for (place, &option) in free.iter().enumerate() {
        problem.option(option).iter().for_each(|entry| last[entry.item.index()] = Some(place));
    }
    let is_enough = |item: dlx::ItemId, state: &State| {
        problem.bounds(item).is_none_or(|bounds| state[item.index()].0 >= bounds.low)
    };
    if problem.items().any(|item| last[item.index()].is_none() && !is_enough(item, &state)) {
        return Some(0);
    }
    let mut ways = BTreeMap::from([(state, 1_u128)]);
    for (place, &option) in free.iter().enumerate() {
        let mut next: BTreeMap<State, u128> = BTreeMap::new();
        for (state, count) in ways {
            let mut taken = state.clone();
            let taken = take(problem, &mut taken, option).then_some(taken);
            for mut state in taken.into_iter().chain([state]) {
                let ending = problem.option(option).iter().map(|entry| entry.item);
                let mut ending = ending.filter(|item| last[item.index()] == Some(place));
                if ending.all(|item| {
                    let is_enough = is_enough(item, &state);
                    state[item.index()] = (0, None);
                    is_enough
                }) {
                    let sum = next.entry(state).or_default();
                    *sum = sum.checked_add(count)?;
                }
            }
        }
        if next.len() > states {
            return None;
        }
        ways = next;
    }
    ways.into_values().try_fold(0, u128::checked_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn search_and_count_agree_on_a_problem_with_every_feature() {
        let problem: Problem = "a 1:2|b 0:3|c | x y\na x:1\na x:2\na b\nb x:1\nb x:1 c\nc\nc y\nx y\n"
            .parse()
            .expect("it is in order");
        let found = covers(&problem, &[], &[], 1 << 20).expect("it is small");
        let subsets = (0..1_u32 << 8).filter(|bits| {
            let cover: Vec<_> = problem.options().filter(|o| bits >> o.index() & 1 == 1).collect();
            dlx::verify(&problem, &[], &cover).is_ok()
        });
        assert_eq!(found.len(), subsets.count());
        assert!(found.len() > 10);
        assert_eq!(count(&problem, &[], 1 << 10), Some(found.len() as u128));
        for option in problem.options() {
            let found = covers(&problem, &[option], &[], 1 << 20).expect("it is small");
            assert_eq!(count(&problem, &[option], 1 << 10), Some(found.len() as u128));
        }
    }
}
