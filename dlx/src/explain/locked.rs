//! Locked options: all remaining options of an item that must be covered lie in another item, so
//! the other options of that item are excluded.
//!
//! Pointing and claiming in Sudoku are locked options, as is a polyomino piece whose positions all
//! cover the same square. In the terms of [`sets`](super::sets): one truth, one link, rank 0.

use super::state::{Knowledge, OptionTable};
use super::step::{Reason, Step};
use super::{forced, score};
use crate::limits::{Limit, Pace};
use crate::model::{ItemId, OptionId, Problem};

/// Finds all locked options, in order of the items that must be covered.
pub(super) fn find(
    table: &OptionTable,
    state: &Knowledge,
    weights: &[u8],
    pace: &mut Pace<'_>,
) -> Result<Vec<Step>, Limit> {
    let mut steps = Vec::new();
    let mut links = Vec::new();
    for truth in table.problem.items() {
        if state.need(truth) == 0 || state.live(truth) <= state.need(truth) {
            continue;
        }
        pace.spend(8 * u64::from(state.live(truth)))?;
        find_links(table, state, truth, &mut links);
        for &link in &links {
            let others = state.options_of(table, link);
            let off = others.filter(|&option| !has(&table.problem, option, truth)).collect::<Vec<_>>();
            let weight = weights.get(truth.index()).copied().unwrap_or(0);
            let score = score::locked(weight, forced::forces(table, state, weights, &off));
            let reason = Reason::Sets { truths: vec![truth], links: vec![link] };
            steps.push(Step { reason, on: Vec::new(), off, score, choices: 1 });
        }
    }
    Ok(steps)
}

/// Lists the items (links) that contain all remaining options of `truth`, and further options.
fn find_links(table: &OptionTable, state: &Knowledge, truth: ItemId, links: &mut Vec<ItemId>) {
    links.clear();
    let mut options = state.options_of(table, truth);
    let live = state.live(truth);
    let Some(first) = options.next() else { return };
    let items = table.problem.option(first).iter().map(|entry| entry.item);
    let second = options.next().map_or(&[][..], |second| table.problem.option(second));
    let is_shared = |link: ItemId| second.iter().any(|entry| entry.item == link);
    let items = items.filter(|&link| link != truth && (live == 1 || is_shared(link)));
    links.extend(items.filter(|&link| state.is_link(table, link) && state.live(link) > live));
    for option in options {
        if links.is_empty() {
            return;
        }
        links.retain(|&link| has(&table.problem, option, link));
    }
}

pub(super) fn has(problem: &Problem, option: OptionId, item: ItemId) -> bool {
    problem.option(option).iter().any(|entry| entry.item == item)
}
