//! Counting by memo search: depth first, with a cache of counts by what is left.

mod cache;
mod encoding;
mod kernel;
mod line;
mod number;
mod search;

use num_bigint::BigUint;

use self::encoding::{Encoding, Lanes};
use self::line::Lane;
use self::search::Search;
use super::{Cut, Watch, Weighted};
use crate::ItemId;

/// How the item to branch on is chosen, if no item has a single option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Branch {
    /// The first uncovered item in the static order.
    Static,
    /// The item with the fewest options, the first of several.
    MinRemaining,
    /// The same among so many uncovered items.
    Window(u32),
}

/// How a search goes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outlook {
    /// Nodes that were entered.
    pub(crate) nodes: u64,
    /// About how many more a search without a cache would have entered by now.
    pub(crate) saved: f64,
    pub(crate) lookups: u64,
    pub(crate) hits: u64,
    /// Counts in the cache, and the bytes it takes.
    pub(crate) entries: usize,
    pub(crate) bytes: usize,
    /// The estimated part of the search that is done, from 0 to 1.
    pub(crate) fraction: f64,
}

pub(crate) struct Memo {
    inner: Box<dyn Run>,
}

trait Run {
    fn run(&mut self, watch: &mut Watch<'_>) -> Result<BigUint, Cut>;
    fn outlook(&self) -> Outlook;
}

struct Sized<T, const N: usize> {
    encoding: Encoding<T, N>,
    search: Search<T, N>,
}

impl<T: Lane, const N: usize> Run for Sized<T, N> {
    fn run(&mut self, watch: &mut Watch<'_>) -> Result<BigUint, Cut> {
        self.search.run(&self.encoding, watch)
    }
    fn outlook(&self) -> Outlook {
        self.search.outlook()
    }
}

impl<T: Lane, const N: usize> Sized<T, N> {
    fn make(weighted: &Weighted, lanes: &Lanes, branch: Branch) -> Box<dyn Run> {
        let encoding = Encoding::<T, N>::new(weighted, lanes);
        let search = Search::new(&encoding, branch);
        Box::new(Self { encoding, search })
    }
}

impl Memo {
    pub(crate) fn new(weighted: &Weighted, order: &[ItemId], branch: Branch) -> Result<Self, Cut> {
        let lanes = Lanes::new(&weighted.problem, order);
        let make = match lanes.width(&weighted.problem)? {
            8 => Sized::<u8, 64>::make,
            16 => Sized::<u16, 32>::make,
            32 => Sized::<u32, 16>::make,
            _ => Sized::<u64, 8>::make,
        };
        Ok(Self { inner: make(weighted, &lanes, branch) })
    }

    pub(crate) fn run(&mut self, watch: &mut Watch<'_>) -> Result<BigUint, Cut> {
        self.inner.run(watch)
    }

    pub(crate) fn outlook(&self) -> Outlook {
        self.inner.outlook()
    }
}

/// Orders the primary items so that few items at a time are begun and not done: greedily, each time the
/// item whose options touch the fewest new ones.
pub(crate) fn greedy_order(problem: &crate::Problem, start: ItemId) -> (Vec<ItemId>, f64) {
    let count = problem.item_count();
    let mut near = vec![Vec::new(); count];
    for option in problem.options() {
        for a in problem.option(option) {
            for b in problem.option(option) {
                if a.item != b.item {
                    near[a.item.index()].push(b.item.index());
                }
            }
        }
    }
    for list in &mut near {
        list.sort_unstable();
        list.dedup();
    }
    let mut is_done = vec![false; count];
    let mut is_touched = vec![false; count];
    let mut new: Vec<usize> = near.iter().map(Vec::len).collect();
    let mut order = Vec::new();
    let mut cost = 0.0;
    let mut frontier = 0_i64;
    let mut next = Some(start.index());
    while let Some(item) = next {
        is_done[item] = true;
        order.push(ItemId::new(item));
        let mut touch = |item: usize, is_touched: &mut Vec<bool>, frontier: &mut i64| {
            if !is_touched[item] {
                is_touched[item] = true;
                *frontier += 1;
                near[item].iter().for_each(|&other| new[other] -= 1);
            }
        };
        touch(item, &mut is_touched, &mut frontier);
        for &other in &near[item] {
            touch(other, &mut is_touched, &mut frontier);
        }
        frontier -= 1;
        cost += (frontier as f64).exp2();
        let open = problem.items().map(ItemId::index).filter(|&item| !is_done[item]);
        let open = open.filter(|&item| problem.is_primary(ItemId::new(item)));
        next = open.min_by_key(|&item| (new[item] + usize::from(!is_touched[item]), !is_touched[item], item));
    }
    (order, cost)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    #[test]
    #[ignore]
    fn lab() {
        let path = std::env::var("LAB").unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let problem: crate::Problem = text.parse().unwrap();
        let mb: usize = std::env::var("MB").map_or(4000, |s| s.parse().unwrap());
        let secs: f64 = std::env::var("SECS").map_or(10.0, |s| s.parse().unwrap());
        let parts = crate::count::Parts::new(&problem, &[]).unwrap();
        let weighted = parts.parts.into_iter().last().unwrap();
        let order_kind = std::env::var("ORDER").unwrap_or("greedy".into());
        let order: Vec<ItemId> = match &*order_kind {
            "given" => weighted.problem.items().collect(),
            "reverse" => weighted.problem.items().collect::<Vec<_>>().into_iter().rev().collect(),
            _ => {
                let p = &weighted.problem;
                let starts = p.items().filter(|&i| p.is_primary(i));
                let found = starts.map(|start| greedy_order(p, start));
                found.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap().0
            }
        };
        if std::env::var("SHOW").is_ok() {
            let names: Vec<_> = order.iter().map(|&i| weighted.problem.item_name(i)).collect();
            println!("{names:?}");
        }
        for branch in std::env::var("BRANCH").unwrap_or("s,m,w4,w12".into()).split(',') {
            let branch = match branch {
                "s" => Branch::Static,
                "m" => Branch::MinRemaining,
                w => Branch::Window(w[1..].parse().unwrap()),
            };
            let mut memo = Memo::new(&weighted, &order, branch).unwrap();
            let limits = Limits::default().within(std::time::Duration::from_secs_f64(secs));
            let mut watch = Watch::new(&limits, u64::MAX, mb << 20);
            let begun = std::time::Instant::now();
            let result = memo.run(&mut watch);
            let t = begun.elapsed().as_secs_f64();
            let o = memo.outlook();
            println!(
                "{branch:?}\t{t:.4} s work {:.3}\t{}\tnodes {} ns/node {:.0} saved {:.3e} lookups {} hits {} entries {} MB {} frac {:.4}",
                (u64::MAX - watch.work()) as f64 / 1e9,
                result.map_or_else(|c| format!("{c:?}"), |n| n.to_string()),
                o.nodes, t * 1e9 / o.nodes as f64, o.saved, o.lookups, o.hits, o.entries, o.bytes >> 20, o.fraction
            );
        }
    }
}
