//! Finds a small set of items that cannot all be covered, in a puzzle that has no solution even
//! without clues.
//!
//! All items outside the set may stay uncovered. The search removes items from the set as long as
//! the rest cannot be covered: first half of the items at once, then a quarter, and so on. With
//! enough nodes, every remaining item is needed.
//!
//! Bounds: about twice as many searches as items, within the remaining nodes of the caller. Each
//! search builds a problem, so problems with more than [`ENTRIES_MAX`] entries are skipped.

use std::collections::BTreeSet;

use dlx::{Entry, ItemId, Problem, ProblemBuilder};

const ENTRIES_MAX: usize = 1_000_000;

pub(super) struct Uncovered {
    pub(super) items: Vec<ItemId>,
    /// Whether every proper subset of `items` can be covered.
    pub(super) is_least: bool,
}

/// Finds a small set of items that cannot all be covered. `has_solution` decides a problem, or
/// returns `None` at a limit. Returns `None` if no item could be removed and some item may be
/// unnecessary.
pub(super) fn find(
    problem: &Problem,
    mut has_solution: impl FnMut(Problem) -> Option<bool>,
) -> Option<Uncovered> {
    if problem.entry_count() > ENTRIES_MAX {
        return None;
    }
    let needs = |item: &ItemId| problem.bounds(*item).is_some_and(|bounds| bounds.low > 0);
    let mut items: Vec<ItemId> = problem.items().filter(needs).collect();
    let count = items.len();
    let (mut is_least, mut size) = (true, items.len().div_ceil(2));
    while size > 0 {
        let mut start = 0;
        while start < items.len() && items.len() > 1 {
            let end = (start + size).min(items.len());
            let rest: BTreeSet<ItemId> = items[..start].iter().chain(&items[end..]).copied().collect();
            match has_solution(relaxed(problem, &rest)) {
                Some(false) => {
                    items.drain(start..end);
                    continue;
                }
                Some(true) => {}
                None => is_least = false,
            }
            start = end;
        }
        size = if size == 1 { 0 } else { size.div_ceil(2) };
    }
    let is_fewer = items.len() < count;
    (is_least || is_fewer).then_some(Uncovered { items, is_least })
}

/// Returns the problem in which only the items of `needed` must be covered.
fn relaxed(problem: &Problem, needed: &BTreeSet<ItemId>) -> Problem {
    const SOUND: &str = "items and options are those of a problem";
    let mut builder = ProblemBuilder::new();
    let items: Vec<ItemId> = problem
        .items()
        .map(|item| {
            let name = problem.item_name(item);
            let made = match problem.bounds(item) {
                None => builder.secondary(name),
                Some(bounds) if needed.contains(&item) => {
                    builder.bounded(name, bounds.low, bounds.high)
                }
                Some(bounds) if bounds.high == 1 => builder.secondary(name),
                Some(bounds) => builder.bounded(name, 0, bounds.high),
            };
            made.expect(SOUND)
        })
        .collect();
    for option in problem.options() {
        let entries: Vec<Entry> = problem
            .option(option)
            .iter()
            .map(|entry| {
                let item = items[entry.item.index()];
                match entry.color {
                    Some(color) => item.with(builder.color(problem.color_name(color)).expect(SOUND)),
                    None => item.into(),
                }
            })
            .collect();
        builder.option(entries).expect(SOUND);
    }
    builder.build()
}

#[cfg(test)]
mod tests {
    use dlx::{Engine as _, Limits, engine::Links};

    use super::*;

    fn check(text: &str, expected: &str) {
        let problem: Problem = text.parse().expect("a problem");
        let found = find(&problem, |problem| {
            Some(Links::new(&problem).count(&[], &Limits::new().solutions(1)).solutions > 0)
        });
        let found = found.expect("it is small");
        let names: Vec<&str> = found.items.iter().map(|&item| problem.item_name(item)).collect();
        assert_eq!((names.join(" ").as_str(), found.is_least), (expected, true), "{text}");
    }

    #[test]
    fn a_small_set_of_uncoverable_items_is_found() {
        // Both `a` and `b` can only be covered together with `c`.
        check("a b c d\na c\nb c\nd\n", "a b");
        check("a b c d\nb\nc\nd\n", "a");
        check("a 2:2|b c\nb a\na\nc\n", "b");
        // Three items compete for two options (pigeonhole).
        check("a b c x y | z\na z:1 x\na z:1 y\nb z:2\nc z:2\nx\ny\n", "a b");
    }
}
