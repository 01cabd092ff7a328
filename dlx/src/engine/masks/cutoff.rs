//! Covers within a gap: the masks for the branch and bound of `cheapest`.
//!
//! Every option has a cost that is not negative, and only covers are searched the sum of whose costs is at most
//! the gap. A node knows how much of the gap is left, and the options that cost more are masked out: rows are
//! in order of cost, so that what is left of any gap is a prefix of them. There is a *cut*, a row that
//! excludes all but a prefix, for each of up to [`CUTS`] lengths, and a node is combined with the shortest
//! that has all it can afford before its children are listed. An item that has only dear options left makes
//! it a dead end.
//!
//! Nodes are taken in batches, as for counting; which children of a batch are covers is asked only
//! where there are some.
//!
//! Invariant: a region has either frames made with the rows of options, whose children are cuts, or
//! frames made with cuts or the neutral row, whose children are made with options.

use std::ops::Range;

use super::kernel::{Block, Child, Outcome};
use super::{BATCH, Context, Masks, NO_PARENT, STRIDE_BLOCKS};
use crate::search::Meter;
use crate::{Limit, OptionId, Problem};

/// The most cuts of an encoding.
const CUTS: usize = 64;
/// What a block and a node cost, about.
const NANOSECONDS_PER_BLOCK: u64 = 2;
const NANOSECONDS_PER_NODE: u64 = 30;

/// A search for the covers within a gap.
#[derive(Debug)]
pub(crate) struct Cutoff {
    masks: Masks,
    /// The cost of the option of each row, ascending.
    costs: Vec<u64>,
    /// The sum of the costs up to each frame.
    sums: Vec<u64>,
    /// How much longer a cut is than the one before.
    step: usize,
    gap: u64,
    /// Whether something was left out because of the gap in this search, but for what it was narrowed by.
    /// What costs too much as a child was beyond the cut of its parent, which tells it.
    pub(crate) was_cut: bool,
    /// The work of this search, about in nanoseconds; it depends on nothing but the problem.
    pub(crate) work: u64,
}

impl Cutoff {
    /// Prepares searches of `problem`, if the masks take it.
    pub(crate) fn new(problem: &Problem) -> Option<Self> {
        // The numbers of cuts come behind those of options.
        if problem.option_count() > super::OPTION_MAX - 2 * CUTS {
            return None;
        }
        Some(Self {
            masks: Masks::new(problem).ok()?,
            costs: Vec::new(),
            sums: Vec::new(),
            step: 1,
            gap: 0,
            was_cut: false,
            work: 0,
        })
    }

    /// Returns about how many bytes a search of `problem` takes at most, 0 if the masks do not take it.
    pub(crate) fn memory(problem: &Problem) -> u64 {
        super::blocks(problem).map_or(0, |blocks| {
            let row = (blocks * size_of::<Block>()) as u64;
            // The rows, as much for the frames, of which there are fewer on a path, and the cuts.
            let rows = 2 * problem.option_count() as u64 + CUTS as u64;
            row * rows + 16 * problem.entry_count() as u64
        })
    }

    /// Starts a search in which `items`, the numbers of primary items among themselves, are to be covered by
    /// `options`, which are given with their costs, the cheapest first.
    pub(crate) fn begin(
        &mut self,
        items: impl Iterator<Item = usize>,
        options: &[(u64, OptionId)],
        gap: u64,
    ) {
        let Masks { source, leaf, contexts, depth, scratch, .. } = &mut self.masks;
        if contexts.is_empty() {
            contexts.push(Context::new(leaf));
        }
        let context = &mut contexts[0];
        self.step = options.len().div_ceil(CUTS).max(1);
        let numbers = options.iter().map(|(_, option)| option.index() as u32);
        context.encoding.encode(leaf, source, scratch, items, numbers);
        context.encoding.add_cuts(source, self.step);
        context.begin(leaf, NO_PARENT, 0);
        *depth = 1;
        self.costs.clear();
        self.costs.extend(options.iter().map(|(cost, _)| cost));
        self.sums.clear();
        self.sums.push(0);
        self.gap = gap;
        self.was_cut = false;
        self.work = source.encoding_cost(options.len(), context.blocks) as u64;
    }

    /// Estimates the work of [`Cutoff::begin`] with so many options.
    pub(crate) fn encoding_work(&self, options: usize) -> u64 {
        let blocks = 1 + options / 64;
        self.masks.source.encoding_cost(options, blocks) as u64
    }

    /// Makes the gap smaller from now on.
    pub(crate) fn narrow(&mut self, gap: u64) {
        self.gap = self.gap.min(gap);
    }

    /// Goes on with the search until so much work is done, and tells whether it is over. `visit` is shown the
    /// options of each cover, and returns the gap from then on, or `None` to end the search.
    pub(crate) fn run(
        &mut self,
        work: u64,
        tells_progress: bool,
        meter: &mut Meter<'_>,
        updates: &mut u64,
        visit: &mut dyn FnMut(&[OptionId]) -> Option<u64>,
    ) -> Result<bool, Limit> {
        loop {
            let context = &mut self.masks.contexts[0];
            let Some(region) = context.regions.last() else {
                return Ok(true);
            };
            if region.child_next == region.child_end {
                if region.next == region.end {
                    context.pop();
                } else if self.work >= work {
                    return Ok(false);
                } else {
                    self.list();
                }
                continue;
            }
            let (start, end, top) = (region.child_next, region.child_end, region.end as usize);
            let count = ((end - start) as usize).min((STRIDE_BLOCKS / context.blocks).max(16));
            let blocks = (count * context.blocks) as u64;
            self.work += count as u64 * NANOSECONDS_PER_NODE + blocks * NANOSECONDS_PER_BLOCK;
            *updates += blocks;
            if usize::from(context.children[start as usize].row()) <= self.costs.len() {
                // Every other region is of cuts.
                let level = context.regions.len() / 2;
                for _ in 0..count {
                    let fraction = || if tells_progress { self.fraction() } else { 0.0 };
                    meter.enter(level, *updates, fraction)?;
                }
            }
            let outcome = self.masks.contexts[0].make(count);
            self.sum_up(top, outcome);
            if outcome.covers > 0 && !self.visit(start..start + count as u32, top, visit) {
                self.masks.rewind();
                return Ok(true);
            }
        }
    }

    /// Returns the fraction of the search that is done.
    pub(crate) fn fraction(&self) -> f64 {
        self.masks.fraction()
    }

    /// Works out the sums of the frames that were made last.
    fn sum_up(&mut self, top: usize, outcome: Outcome) {
        if self.sums.len() < outcome.top {
            self.sums.resize(outcome.top, 0);
        }
        for frame in top..outcome.top {
            let head = self.masks.contexts[0].heads[frame];
            let cost = self.costs.get(usize::from(head.row())).copied().unwrap_or(0);
            self.sums[frame] = self.sums[head.parent() as usize] + cost;
        }
    }

    /// Lists the cuts of the next nodes of the last region or, if they are cut, their children.
    fn list(&mut self) {
        let Self { costs, sums, gap, was_cut, step, .. } = self;
        let context = &mut self.masks.contexts[0];
        let count = (BATCH / context.blocks).max(1);
        let region = context.regions.last_mut().expect("there is a region to go on with");
        let start = region.child_start as usize;
        let left = |frame: u32| gap.checked_sub(sums[frame as usize]);
        let mut end = start;
        if usize::from(context.heads[region.next as usize].row()) < costs.len() {
            let nodes = region.next..region.end.min(region.next + count as u32);
            (region.batch, region.next) = (nodes.start, nodes.end);
            if context.children.len() < start + nodes.len() {
                context.children.resize(start + nodes.len(), Child::default());
            }
            for frame in nodes {
                if let Some(left) = left(frame) {
                    let len = costs.partition_point(|&cost| cost <= left);
                    *was_cut |= len < costs.len();
                    let row = costs.len() + 1 + len.div_ceil(*step);
                    context.children[end] = Child::new(frame, row as u16);
                    end += 1;
                }
            }
        } else {
            context.list_children(count);
            let region = context.regions.last().expect("it was there");
            for place in start..region.child_end as usize {
                let child = context.children[place];
                if left(child.parent()).is_some_and(|left| costs[usize::from(child.row())] <= left) {
                    context.children[end] = child;
                    end += 1;
                }
            }
        }
        let region = context.regions.last_mut().expect("it was there");
        region.child_next = start as u32;
        region.child_end = end as u32;
    }

    /// Shows the covers among the children that were made last, frames from `top` on; `false` ends the search.
    fn visit(
        &mut self,
        children: Range<u32>,
        top: usize,
        visit: &mut dyn FnMut(&[OptionId]) -> Option<u64>,
    ) -> bool {
        // Make them again one by one.
        self.remake(children.start, 0, top);
        for number in children.clone() {
            let outcome = self.remake(number, 1, top);
            if outcome.covers > 0 {
                let context = &self.masks.contexts[0];
                let child = context.children[number as usize];
                let mut cover = self.masks.path(0, child.parent());
                cover.extend(context.option(child.row()));
                let Some(gap) = visit(&cover) else {
                    return false;
                };
                self.narrow(gap);
            }
        }
        self.remake(children.start, children.len(), top);
        true
    }

    /// Forgets the frames from `top` on and makes so many children.
    fn remake(&mut self, child: u32, count: usize, top: usize) -> Outcome {
        let context = &mut self.masks.contexts[0];
        if context.regions.last().is_some_and(|region| region.start as usize == top) {
            context.pop();
        }
        context.regions.last_mut().expect("the children are its own").child_next = child;
        context.make(count)
    }
}
