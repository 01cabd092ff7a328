//! Locked options: all that is left of an item that must be covered lies in another one, so the rest of that falls.
//!
//! For Sudoku these are pointing and claiming; for polyominoes "every place of this piece covers that square". One truth, one
//! link, rank 0. For each item and each other item of its first option all options are looked at: time near the
//! number of entries that are left.

use super::state::{Knowledge, OptionTable};
use super::step::{Reason, Step};
use super::{forced, score};
use crate::limits::{Limit, Pace};
use crate::model::{ItemId, OptionId, Problem};

/// Finds all locked options, in the order of the truths.
pub(super) fn find(
    table: &OptionTable,
    state: &Knowledge,
    weights: &[u8],
    pace: &mut Pace<'_>,
) -> Result<Vec<Step>, Limit> {
    let mut steps = Vec::new();
    for truth in table.problem.items() {
        // What is forced is no news.
        if state.need(truth) == 0 || state.live(truth) <= state.need(truth) {
            continue;
        }
        pace.spend(8 * u64::from(state.live(truth)))?;
        for_links(table, state, truth, |link, off| {
            let weight = weights.get(truth.index()).copied().unwrap_or(0);
            let score = score::locked(weight, forced::forces(table, state, weights, &off));
            let reason = Reason::Sets { truths: vec![truth], links: vec![link] };
            steps.push(Step { reason, on: Vec::new(), off, score, choices: 1 });
        });
    }
    Ok(steps)
}

/// Calls `visit` with each link that has all options left of `truth` and others, and these.
fn for_links(
    table: &OptionTable,
    state: &Knowledge,
    truth: ItemId,
    mut visit: impl FnMut(ItemId, Vec<OptionId>),
) {
    let mut options = state.options_of(table, truth);
    let Some(first) = options.next() else { return };
    let mut links: Vec<ItemId> = table.problem.option(first).iter().map(|entry| entry.item).collect();
    let live = state.live(truth);
    links.retain(|&link| link != truth && state.is_link(table, link) && state.live(link) > live);
    for option in options {
        if links.is_empty() {
            return;
        }
        links.retain(|&link| has(&table.problem, option, link));
    }
    for link in links {
        let others = state.options_of(table, link);
        visit(link, others.filter(|&option| !has(&table.problem, option, truth)).collect());
    }
}

/// Tells whether an option has an item.
pub(super) fn has(problem: &Problem, option: OptionId, item: ItemId) -> bool {
    problem.option(option).iter().any(|entry| entry.item == item)
}
