//! The subtrees of a search of a whole problem: their canonical forms, and their counts with a
//! shared memo.

use num_bigint::BigUint;

use super::Symmetry;
use super::form::FormBuilder;
use super::tables::PartTables;
use crate::limits::{Limit, Limits};
use crate::methods::together::Worker as _;
use crate::model::{OptionId, Problem, Subtree};
use crate::parallel::Cores;
use crate::portfolio::{Budget, Cut};
use crate::prepare::{Parts, Weighted};

/// Limits for computing canonical forms: items of a part, and entries of all parts. The time to
/// compute a form grows with the product of both.
const ITEMS_MAX: usize = 2048;
const ENTRIES_MAX: usize = 1 << 16;

/// Returns a canonical description of the subproblem of a subtree. Subtrees with equal descriptions
/// have equal cover counts. Returns `None` if bounds, colors or the size prevent it.
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
    let budget = Budget::new(limits, u64::MAX, limits.memory.unwrap_or(usize::MAX));
    let mut forms = Vec::with_capacity(parts.parts.len());
    for part in &parts.parts {
        limits.check()?;
        let Ok(tables) = PartTables::new(part, &budget) else { return Ok(None) };
        let options: Vec<u32> = tables.options().collect();
        let mut former = FormBuilder::new(&tables);
        former.load_plain(&tables, &options);
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

/// Counts subtrees of a search one after another. Isomorphic subproblems are counted once over all
/// subtrees.
#[derive(Debug)]
pub(crate) struct SharedForms {
    symmetry: Symmetry,
    given: Option<Vec<OptionId>>,
}

impl SharedForms {
    /// Reads a problem. Fails with `Unsuited` if it has bounds or colors, or if its items differ
    /// too much.
    pub(crate) fn new(problem: &Problem, budget: &mut Budget<'_>) -> Result<Self, Cut> {
        let symmetry = Symmetry::new(&Weighted::whole(problem), &Cores::new(0), budget)?;
        Ok(Self { symmetry, given: None })
    }

    /// Counts the covers that contain the options of `given`, or resumes that count if it was
    /// interrupted.
    pub(crate) fn count(
        &mut self,
        given: &[OptionId],
        budget: &mut Budget<'_>,
    ) -> Result<BigUint, Cut> {
        let own = self.symmetry.bytes();
        let bytes = budget.bytes.checked_sub(own).ok_or(Cut::Memory)?;
        let Symmetry { ground, first, .. } = &mut self.symmetry;
        ground.sets_seen.limit(bytes / 4);
        ground.forms_seen.limit(bytes / 4 * 3);
        if self.given.as_deref() != Some(given) {
            let tables = &ground.tables;
            let mut set = tables.all_items();
            for option in given {
                let option = option.index() as u32;
                if !tables.is_within(option, &set) {
                    return Ok(BigUint::ZERO);
                }
                set.iter_mut().zip(tables.set(option)).for_each(|(left, covered)| *left &= !covered);
            }
            let options: Vec<u32> = tables.options_within(&set).collect();
            first.begin(ground, &options, &set);
        }
        let counted = first.run(ground, |work| budget.spend(work));
        self.given = counted.is_err().then(|| given.to_vec());
        counted
    }
}
