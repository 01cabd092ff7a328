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

use super::kernel::Outcome;
use super::{BATCH, Context, Masks, NO_PARENT, Next, STRIDE_BLOCKS};
use crate::bits::Block;
use crate::limits::{Limit, Limits, Pace};
use crate::model::{OptionId, Problem};
use crate::search::Meter;

/// The most cuts of an encoding.
const CUTS: usize = 64;
/// The nanoseconds that a block of a node takes, about.
const NANOSECONDS_PER_BLOCK: u64 = 2;
/// The nanoseconds that a node takes beside its blocks, about.
const NANOSECONDS_PER_NODE: u64 = 30;

/// A search for the covers within a gap.
#[derive(Debug)]
pub(crate) struct Cutoff {
    masks: Masks,
    /// The cost of the option of each row, ascending.
    costs: Vec<u64>,
    /// The sum of the costs up to each frame.
    sums: Vec<u64>,
    /// The number of options by which a cut is longer than the one before.
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
        limits: &Limits,
    ) -> Result<(), Limit> {
        let Masks { source, leaf, contexts, depth, scratch, .. } = &mut self.masks;
        if contexts.is_empty() {
            contexts.push(Context::new(*leaf));
        }
        self.step = options.len().div_ceil(CUTS).max(1);
        let numbers = options.iter().map(|(_, option)| option.index() as u32);
        contexts[0].encode(NO_PARENT, 0, |encoding| {
            encoding.encode(*leaf, source, scratch, items, numbers, &mut Pace::new(limits))?;
            encoding.add_cuts(source, self.step);
            Ok(())
        })?;
        contexts[0].begin(&[]);
        *depth = 1;
        self.costs.clear();
        self.costs.extend(options.iter().map(|(cost, _)| cost));
        self.sums.clear();
        self.sums.push(0);
        self.gap = gap;
        self.was_cut = false;
        self.work = source.encoding_cost(options.len(), contexts[0].blocks()) as u64;
        Ok(())
    }

    /// Estimates the work of [`Cutoff::begin`] with `options` options.
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
            let left = match context.next() {
                Next::Nothing => return Ok(true),
                Next::Nodes if self.work >= work => return Ok(false),
                Next::Nodes => {
                    self.list();
                    continue;
                }
                Next::Children(left) => left,
            };
            let (start, top) = (context.region().child_next, context.region().end as usize);
            let count = left.min((STRIDE_BLOCKS / context.blocks()).max(16));
            let blocks = (count * context.blocks()) as u64;
            self.work += count as u64 * NANOSECONDS_PER_NODE + blocks * NANOSECONDS_PER_BLOCK;
            *updates += blocks;
            if usize::from(context.child(start).row()) <= self.costs.len() {
                // Every other region is of cuts.
                let level = context.regions().len() / 2;
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
            let head = self.masks.contexts[0].head(frame as u32);
            let cost = self.costs.get(usize::from(head.row())).copied().unwrap_or(0);
            self.sums[frame] = self.sums[head.parent() as usize] + cost;
        }
    }

    /// Lists the cuts of the next nodes of the last region or, if they are cut, their children.
    fn list(&mut self) {
        let Self { costs, sums, gap, was_cut, step, .. } = self;
        let context = &mut self.masks.contexts[0];
        let count = (BATCH / context.blocks()).max(1);
        let left = |frame: u32| gap.checked_sub(sums[frame as usize]);
        if usize::from(context.head(context.region().next).row()) < costs.len() {
            context.list_rows(count, |frame| {
                let left = left(frame)?;
                let len = costs.partition_point(|&cost| cost <= left);
                *was_cut |= len < costs.len();
                Some((costs.len() + 1 + len.div_ceil(*step)) as u16)
            });
        } else {
            context.list_children(count);
            context.retain_children(|child| {
                left(child.parent()).is_some_and(|left| costs[usize::from(child.row())] <= left)
            });
        }
    }

    /// Shows the covers among the children that were made last, frames from `top` on; `false` ends the search.
    fn visit(
        &mut self,
        children: Range<u32>,
        top: usize,
        visit: &mut dyn FnMut(&[OptionId]) -> Option<u64>,
    ) -> bool {
        // Make them again one by one.
        self.masks.contexts[0].remake(children.start, 0, top);
        for number in children.clone() {
            let outcome = self.masks.contexts[0].remake(number, 1, top);
            if outcome.covers > 0 {
                let context = &self.masks.contexts[0];
                let child = context.child(number);
                let mut cover = self.masks.path(0, child.parent());
                cover.extend(context.option(child.row()));
                let Some(gap) = visit(&cover) else {
                    return false;
                };
                self.narrow(gap);
            }
        }
        self.masks.contexts[0].remake(children.start, children.len(), top);
        true
    }
}
