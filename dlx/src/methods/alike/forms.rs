//! Finds isomorphic choices of an item by the canonical forms (`symmetry/`) of the subproblems
//! after these choices.
//!
//! Only choices of one item are compared. Deeper in the tree there are more choices, and fewer are
//! isomorphic.

use std::collections::HashMap;

use super::{ChoiceClasses, ExpectedSearch, HOPELESS};
use crate::engine::Links;
use crate::limits::{Limit, Limits};
use crate::methods::symmetry::form_of;
use crate::model::{Problem, Subtree};
use crate::search::{End, Engine as _};

/// Approximate time per entry of the problem to compute a canonical form (ns).
const FORM_ENTRY: f64 = 200.0;
/// Maximum share of the search time that is spent on comparing choices.
const SHARE: f64 = 0.02;
/// Time that a comparison may take even if the current slice is shorter (ns). The time is small,
/// because it is wasted if another method wins the race.
const BEFOREHAND: f64 = 5e6;

/// Compares the choices of the first item that dancing links branch on. Returns `None` if the time
/// is too short.
pub(super) fn of_first_item(
    problem: &Problem,
    outlook: ExpectedSearch,
    limits: &Limits,
) -> Result<Option<ChoiceClasses>, Limit> {
    let time = outlook.time();
    let work = outlook.work as f64;
    let most = if time < HOPELESS { (SHARE * time).min(work.max(BEFOREHAND)) } else { work };
    let form = FORM_ENTRY * problem.entry_count() as f64;
    if form > most {
        return Ok(None);
    }
    let whole = Limits::new().nodes(1).rest(true);
    let report = Links::new(problem).count(&[], &whole);
    let choices = report.rest.filter(|_| report.end != End::Exhausted).unwrap_or_default();
    if form * choices.len() as f64 > most {
        return Ok(None);
    }
    match class_representatives(problem, choices, limits) {
        Err(Limit::Memory) => Ok(Some(ChoiceClasses::default())),
        kinds => Ok(Some(ChoiceClasses::new(kinds?))),
    }
}

/// Returns the first choice of each isomorphism class and the size of the class. A choice without a
/// canonical form is a class of its own.
pub(crate) fn class_representatives(
    problem: &Problem,
    choices: Vec<Subtree>,
    limits: &Limits,
) -> Result<Vec<(Subtree, u32)>, Limit> {
    let mut kinds: Vec<(Subtree, u32)> = Vec::with_capacity(choices.len());
    let mut places = HashMap::new();
    for choice in choices {
        limits.check()?;
        if let Some(form) = form_of(problem, &choice, limits)? {
            let place = *places.entry(form).or_insert(kinds.len());
            if let Some((_, times)) = kinds.get_mut(place) {
                *times += 1;
                continue;
            }
        }
        kinds.push((choice, 1));
    }
    Ok(kinds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::samples::queens;

    #[test]
    fn half_of_the_choices_in_the_first_row_represent_all_of_them_in_the_queens_problem() {
        for size in 5..9 {
            let outlook = ExpectedSearch { nodes: 1e11, pace: 10.0, work: 0 };
            let alike = of_first_item(&queens(size), outlook, &Limits::default()).unwrap().unwrap();
            assert_eq!((alike.all, alike.searched), (size, size.div_ceil(2)));
            let each = |&(times, ref choices): &(u32, Vec<Subtree>)| times as usize * choices.len();
            assert_eq!(alike.groups.iter().map(each).sum::<usize>(), size);
        }
    }
}
