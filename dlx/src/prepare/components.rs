//! Splits a problem into independent components, which share no item.
//!
//! A cover of the whole problem consists of a cover of each component, so the counts of the
//! components are multiplied. Union-find with path halving joins the items of each option, with the
//! lowest item as root, in almost linear time.
//!
//! Source: Tarjan and van Leeuwen 1984 for union-find.

use super::Reduction;
use crate::limits::{Limit, Limits, Pace};
use crate::model::{ItemId, Problem};

const ENTRY: u64 = 10;
const PLACE: u64 = 50;

#[derive(Debug)]
pub(crate) struct Components {
    list: Vec<Component>,
    numbers: Vec<u32>,
}

/// The items of a component, and the indices of its options in the reduction, both ascending.
#[derive(Debug, Default)]
struct Component {
    items: Vec<ItemId>,
    options: Vec<u32>,
    entry_count: usize,
}

impl Components {
    pub(crate) fn new(
        reduction: &Reduction<'_>,
        item_count: usize,
        limits: &Limits,
    ) -> Result<Self, Limit> {
        let mut pace = Pace::new(limits);
        let mut above: Vec<u32> = (0..item_count as u32).collect();
        let mut is_used = vec![false; item_count];
        for place in reduction.left() {
            let mut top = None;
            pace.spend(PLACE)?;
            for item in reduction.items_of(place) {
                pace.spend(ENTRY)?;
                is_used[item.index()] = true;
                let root = root(&mut above, item.index() as u32);
                let other = top.unwrap_or(root);
                above[root.max(other) as usize] = root.min(other);
                top = Some(root.min(other));
            }
        }
        let mut list: Vec<Component> = Vec::new();
        let mut component_of = vec![0; item_count];
        let mut numbers = vec![0; item_count];
        for item in (0..item_count).filter(|&item| is_used[item]) {
            pace.spend(PLACE)?;
            let root = root(&mut above, item as u32) as usize;
            if root == item {
                component_of[item] = list.len();
                list.push(Component::default());
            }
            component_of[item] = component_of[root];
            let items = &mut list[component_of[item]].items;
            numbers[item] = items.len() as u32;
            items.push(ItemId::new(item));
        }
        for place in reduction.left() {
            let mut items = reduction.items_of(place);
            let item = items.next().expect("an option that is left has an item left");
            let component = &mut list[component_of[item.index()]];
            component.options.push(place);
            let entry_count = 1 + items.count();
            component.entry_count += entry_count;
            pace.spend(PLACE + ENTRY * entry_count as u64)?;
        }
        list.sort_by_key(|component| component.entry_count);
        Ok(Self { list, numbers })
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn problems<'a>(
        &'a self,
        reduction: &'a Reduction<'_>,
    ) -> impl Iterator<Item = (Problem, &'a [u32])> {
        self.list.iter().map(|Component { items, options, .. }| {
            (reduction.part(items, options, &self.numbers), &options[..])
        })
    }
}

pub(crate) fn root(above: &mut [u32], mut item: u32) -> u32 {
    while above[item as usize] != item {
        let next = above[item as usize];
        above[item as usize] = above[next as usize];
        item = above[item as usize];
    }
    item
}
