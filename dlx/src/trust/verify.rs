//! Verifies covers. The check reads the options of the problem, and shares no code with any engine.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::model::{Color, ItemId, OptionId, Problem};

/// The reason why a set of options is not an exact cover.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Violation {
    /// The set contains the option twice.
    Repeated(OptionId),
    /// The given option is not in the set.
    Missing(OptionId),
    /// The option has no primary item and is not given, so it belongs to no cover.
    Idle(OptionId),
    /// Two options conflict.
    Conflict(Conflict),
    /// A primary item is covered fewer times than its lower bound.
    Uncovered {
        /// The item.
        item: ItemId,
        /// The number of times that the item is covered.
        count: u32,
        /// The lower bound of the item.
        low: u32,
    },
}

/// Two options that conflict, and an item of both that causes the conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The item: a primary item at its upper bound, or a secondary item with different colors or
    /// without a color.
    pub item: ItemId,
    /// The option that comes first in the set.
    pub first: OptionId,
    /// The option that exceeds the bound or has another color.
    pub second: OptionId,
}

impl Violation {
    /// Returns the violation in words, with the names of `problem`.
    ///
    /// # Panics
    /// Formatting panics if the violation belongs to another problem.
    #[must_use]
    pub fn show<'p>(&self, problem: &'p Problem) -> impl fmt::Display + use<'p> {
        Show { violation: self.clone(), problem }
    }
}

struct Show<'p> {
    violation: Violation,
    problem: &'p Problem,
}

impl fmt::Display for Show<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let show = |option| self.problem.show(option);
        match self.violation {
            Violation::Repeated(option) => write!(f, "option `{}` is chosen twice", show(option)),
            Violation::Missing(option) => {
                write!(f, "option `{}` is given but not chosen", show(option))
            }
            Violation::Idle(option) => write!(f, "option `{}` has no primary item", show(option)),
            Violation::Conflict(Conflict { item, first, second }) => {
                let item = self.problem.item_name(item);
                write!(f, "options `{}` and `{}` conflict in item `{item}`", show(first), show(second))
            }
            Violation::Uncovered { item, count, low } => {
                let item = self.problem.item_name(item);
                write!(f, "item `{item}` is covered {count} times, expected at least {low}")
            }
        }
    }
}

/// Checks that `cover` is an exact cover of `problem` that contains the options of `given`.
///
/// ```
/// let problem: dlx::Problem = "a b\na\nb\na b\n".parse()?;
/// let [a, b] = [0, 1].map(dlx::OptionId::new);
/// assert!(dlx::verify(&problem, &[], &[a, b]).is_ok());
/// let violation = dlx::verify(&problem, &[], &[a]).unwrap_err();
/// assert_eq!(
///     violation.show(&problem).to_string(),
///     "item `b` is covered 0 times, expected at least 1",
/// );
/// # Ok::<(), dlx::ParseError>(())
/// ```
///
/// # Errors
/// The first violation found. Missing given options come first, then repeated and idle options,
/// conflicts, and uncovered items.
///
/// # Panics
/// If an option of `cover` does not belong to the problem.
pub fn verify(problem: &Problem, given: &[OptionId], cover: &[OptionId]) -> Result<(), Violation> {
    if let Some(&missing) = given.iter().find(|option| !cover.contains(option)) {
        return Err(Violation::Missing(missing));
    }
    let mut seen = BTreeSet::new();
    let mut counts = BTreeMap::new();
    for &option in cover {
        if !seen.insert(option) {
            return Err(Violation::Repeated(option));
        }
        let is_idle = !problem.option(option).iter().any(|entry| problem.is_primary(entry.item));
        if is_idle && !given.contains(&option) {
            return Err(Violation::Idle(option));
        }
        for entry in problem.option(option) {
            *counts.entry(entry.item).or_insert(0_u32) += 1;
        }
    }
    if let Some(conflict) = conflict(problem, cover) {
        return Err(Violation::Conflict(conflict));
    }
    for item in problem.items() {
        let count = counts.get(&item).copied().unwrap_or(0);
        if let Some(low) = problem.bounds(item).map(|b| b.low).filter(|&low| count < low) {
            return Err(Violation::Uncovered { item, count, low });
        }
    }
    Ok(())
}

/// Returns the first conflict among `options`, if any.
///
/// ```
/// let problem: dlx::Problem = "a b | x\na x:1\nb x:2\n".parse()?;
/// let conflict = dlx::conflict(&problem, &[0, 1].map(dlx::OptionId::new)).expect("1 is not 2");
/// assert_eq!(problem.item_name(conflict.item), "x");
/// # Ok::<(), dlx::ParseError>(())
/// ```
///
/// # Panics
/// If one of `options` does not belong to the problem.
#[must_use]
pub fn conflict(problem: &Problem, options: &[OptionId]) -> Option<Conflict> {
    // For each item, the first option with the item, its color there, and the number of options
    // with the item.
    let mut named: BTreeMap<ItemId, (OptionId, Option<Color>, u32)> = BTreeMap::new();
    for &second in options {
        for entry in problem.option(second) {
            let (first, color, count) = named.entry(entry.item).or_insert((second, entry.color, 0));
            *count += 1;
            let fits = match problem.bounds(entry.item) {
                Some(bounds) => *count <= bounds.high,
                None => *count == 1 || (color.is_some() && *color == entry.color),
            };
            if !fits {
                return Some(Conflict { item: entry.item, first: *first, second });
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, cover: &[usize], expected: Result<(), &str>) {
        check_given(text, &[], cover, expected);
    }

    fn check_given(text: &str, given: &[usize], cover: &[usize], expected: Result<(), &str>) {
        let problem: Problem = text.parse().unwrap();
        let options =
            |indices: &[usize]| indices.iter().copied().map(OptionId::new).collect::<Vec<_>>();
        let found = verify(&problem, &options(given), &options(cover))
            .map_err(|v| v.show(&problem).to_string());
        assert_eq!(found, expected.map_err(str::to_owned));
    }

    #[test]
    fn each_kind_of_violation_has_a_message() {
        let text = "a 1:2|b | x\na x:1\nb x:1\nb x:2\nb\nx\n";
        check(text, &[0, 1], Ok(()));
        check(text, &[0, 1, 3], Ok(()));
        check(text, &[0, 3, 0], Err("option `a x:1` is chosen twice"));
        check(text, &[0, 1, 4], Err("option `x` has no primary item"));
        check_given("a | x\na\nx\n", &[1], &[0, 1], Ok(()));
        check_given(text, &[1], &[0, 3], Err("option `b x:1` is given but not chosen"));
        check(text, &[0, 2], Err("options `a x:1` and `b x:2` conflict in item `x`"));
        check(text, &[1], Err("item `a` is covered 0 times, expected at least 1"));
        check("2:2|a\na\na\na\n", &[0, 1, 2], Err("options `a` and `a` conflict in item `a`"));
    }
}
