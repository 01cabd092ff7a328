//! Writes the proof that a graph has no suitable matching as cutting planes.
//!
//! If every option has at most two primary items, the items are the vertices of a graph, and a
//! cover is a matching of all primary vertices. If there is none, some vertices U of the graph
//! separate more than |U| odd components from the rest (Tutte; for bipartite graphs Hall: some
//! vertices have too few neighbors). The constraints of the vertices of an odd component add up to
//! an odd number, where each edge inside counts twice. Dividing by 2 rounds the bound up, so some
//! edge leaves the component, and it leads to U. The sum over all components exceeds what the
//! vertices of U allow.
//!
//! Secondary items with colors, and those beyond the second item of an option, are left out.

use super::cuts::ItemBounds;
use super::log::ProofLog;
use super::{ProofFault, RuleIds};
use crate::model::{ItemId, Problem};
use crate::pairs::graph::Graph;
use crate::pairs::{Blossoms, NONE};
use crate::portfolio::{Budget, Cut};
use crate::trust::formula::LinearRule;

/// Estimated work per entry of the problem (ns).
const ENTRY_WORK: u64 = 20;
/// Memory per item and option (bytes).
const BYTES_PER_OPTION: usize = 60;

/// The odd components, and the vertices that separate them.
struct OddBarrier {
    components: Vec<Vec<ItemId>>,
    separators: Vec<ItemId>,
}

/// Writes the proof, if a matching problem has no solution. Returns the number of the
/// contradiction.
pub(super) fn write(
    problem: &Problem,
    rules: &[LinearRule],
    ids: &RuleIds,
    budget: &mut Budget<'_>,
    log: &mut ProofLog<'_>,
) -> Result<Option<u64>, ProofFault> {
    let RuleIds::Bounds(ids) = ids else { return Ok(None) };
    let barrier = match find_barrier(problem, budget) {
        Ok(Some(barrier)) => barrier,
        Err(Cut::Limit(limit)) => return Err(limit.into()),
        _ => return Ok(None),
    };
    let bounds = ItemBounds::new(problem, rules, ids);
    let sum = |items: &[ItemId], factor: i64| {
        let terms: Vec<_> = items.iter().map(|&item| (item, factor)).collect();
        bounds.sum(&terms)
    };
    let mut line = String::from("pol");
    for (place, component) in barrier.components.iter().enumerate() {
        let Some(least) = sum(component, 1) else { return Ok(None) };
        match sum(component, -1) {
            Some(most) if component.len() > 1 => {
                let id = log.add(&format!("pol{least} 2 d 2 *{most} +"))?;
                line += &format!(" {id}");
            }
            _ => line += &least,
        }
        line += if place > 0 { " +" } else { "" };
    }
    if let Some(most) = sum(&barrier.separators, -1) {
        line += &format!("{most} +");
    }
    log.add(&line).map(Some)
}

fn find_barrier(problem: &Problem, budget: &mut Budget<'_>) -> Result<Option<OddBarrier>, Cut> {
    budget.spend(ENTRY_WORK * problem.entry_count() as u64)?;
    let count = problem.item_count();
    budget.fits::<[u8; BYTES_PER_OPTION]>(problem.option_count() + count)?;
    if problem.has_bounds() {
        return Ok(None);
    }
    let mut may_be_free: Vec<bool> = problem.items().map(|item| !problem.is_primary(item)).collect();
    let mut has_color = vec![false; count];
    for entry in problem.options().flat_map(|option| problem.option(option)) {
        has_color[entry.item.index()] |= entry.color.is_some();
    }
    let mut edges = Vec::new();
    for option in problem.options() {
        let items = problem.option(option).iter().map(|entry| entry.item);
        let primary = items.clone().filter(|&item| problem.is_primary(item));
        let others = items.filter(|&item| !problem.is_primary(item) && !has_color[item.index()]);
        match (primary.clone().count(), primary.chain(others).collect::<Vec<_>>().as_slice()) {
            (0, _) => {}
            (1 | 2, [one]) => may_be_free[one.index()] = true,
            (1 | 2, [one, other, ..]) => {
                edges.push(([one.index() as u32, other.index() as u32], 1));
            }
            _ => return Ok(None),
        }
    }
    let graph = Graph::new(count, edges).ok_or(Cut::Unsuited)?;
    let mut blossoms = Blossoms::new(graph, may_be_free);
    if blossoms.complete(budget)? {
        return Ok(None);
    }
    let mut groups = std::collections::BTreeMap::<u32, Vec<ItemId>>::new();
    for (vertex, base) in blossoms.barrier() {
        groups.entry(base).or_default().push(ItemId::new(vertex as usize));
    }
    let separators = groups.remove(&NONE).unwrap_or_default();
    Ok(Some(OddBarrier { components: groups.into_values().collect(), separators }))
}
