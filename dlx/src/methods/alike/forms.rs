//! Choices of an item that are alike: what is left by each has a form (`symmetry/`), which describes it in full.
//!
//! Only the choices of one item are compared: further down there are more of them, and they differ more.

use std::collections::HashMap;

use super::{Alike, HOPELESS, Outlook};
use crate::engine::Links;
use crate::limits::{Limit, Limits};
use crate::methods::symmetry::form_of;
use crate::model::{Problem, Subtree};
use crate::search::{End, Engine as _};

/// About the time of a form for each entry of a problem, in nanoseconds.
const FORM_ENTRY: f64 = 200.0;
/// Choices are compared where that takes this share of the search at most.
const SHARE: f64 = 0.02;
/// They may take so many nanoseconds although the search may do less now. How long it takes was told by a first look, and where
/// others are faster all of this is in vain: 400 ms for a count of partitions into sets of four that takes 40.
const BEFOREHAND: f64 = 5e6;

/// Compares the choices of the item that dancing links begin with, of a search that takes about so many nanoseconds and may do so much
/// work now; `None` if that is over before it is known, or if there is not time enough now.
///
/// # Errors
/// The limit that ended it.
pub(super) fn of_first_item(
    problem: &Problem,
    outlook: Outlook,
    limits: &Limits,
) -> Result<Option<Alike>, Limit> {
    let time = outlook.time();
    let work = outlook.work as f64;
    let most = if time < HOPELESS { (SHARE * time).min(work.max(BEFOREHAND)) } else { work };
    let form = FORM_ENTRY * problem.entry_count() as f64;
    if form > most {
        return Ok(None);
    }
    let whole = Limits { nodes: Some(1), rest: true, ..Limits::default() };
    let report = Links::new(problem).count(&[], &whole);
    let choices = report.rest.filter(|_| report.end != End::Exhausted).unwrap_or_default();
    if form * choices.len() as f64 > most {
        return Ok(None);
    }
    match one_of_each(problem, choices, limits) {
        Err(Limit::Memory) => Ok(Some(Alike::default())),
        kinds => Ok(Some(Alike::new(kinds?))),
    }
}

/// Returns of choices that are alike the first, each with how many there are; one that has no form is like no other.
///
/// # Errors
/// The limit that ended it.
pub(crate) fn one_of_each(
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
    fn queens_stand_in_one_half_of_the_first_row() {
        for size in 5..9 {
            let outlook = Outlook { nodes: 1e11, pace: 10.0, work: 0 };
            let alike = of_first_item(&queens(size), outlook, &Limits::default()).unwrap().unwrap();
            assert_eq!((alike.all, alike.searched), (size, size.div_ceil(2)));
            let each = |&(times, ref choices): &(u32, Vec<Subtree>)| times as usize * choices.len();
            assert_eq!(alike.groups.iter().map(each).sum::<usize>(), size);
        }
    }
}
