//! The form of what is left of a whole problem, for those who compare parts of a search.

use super::form::Former;
use super::tables::PartTables;
use crate::limits::{Limit, Limits};
use crate::model::{Problem, Subtree};
use crate::prepare::Parts;

/// The most items of a part and entries of all parts together for which a form is made: the time grows with their product.
const ITEMS_MAX: usize = 2048;
const ENTRIES_MAX: usize = 1 << 16;

/// Returns a description of what remains of `problem` in a part of its search tree: parts with the same description have as
/// many covers. `None` if there is none, because of bounds, colors or size.
///
/// # Errors
/// The limit that ended it, a flag or a deadline.
pub(crate) fn form_of(
    problem: &Problem,
    part: &Subtree,
    limits: &Limits,
) -> Result<Option<Vec<u64>>, Limit> {
    if problem.has_bounds() || !part.without().is_empty() {
        return Ok(None);
    }
    let Some(parts) = Parts::new(problem, &part.given(), limits)? else {
        return Ok(Some(vec![0]));
    };
    let is_large = |parts: &Parts| {
        parts.parts.iter().map(|part| part.problem.entry_count()).sum::<usize>() > ENTRIES_MAX
            || parts.parts.iter().any(|part| part.problem.item_count() > ITEMS_MAX)
    };
    if is_large(&parts) {
        return Ok(None);
    }
    let mut forms = Vec::with_capacity(parts.parts.len());
    for part in &parts.parts {
        limits.check()?;
        let Some(tables) = PartTables::new(part) else { return Ok(None) };
        let options: Vec<u32> = tables.options().collect();
        let mut former = Former::new(&tables);
        former.load(&tables, &options);
        forms.push(former.form(&tables).to_vec());
    }
    forms.sort_unstable();
    let factor = parts.factor().to_u64_digits();
    let mut whole = vec![1, factor.len() as u64];
    whole.extend(factor);
    for form in forms {
        whole.push(form.len() as u64);
        whole.extend(form);
    }
    Ok(Some(whole))
}
