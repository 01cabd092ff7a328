//! Bit masks for the branch and bound of `cheapest`: a search for the covers whose cost is at most
//! a given gap.
//!
//! Rows are sorted by cost, so the options that a node can afford are a prefix of the rows. A *cut*
//! is an extra row that excludes all options after a prefix; an encoding has up to [`CUTS`] cuts.
//! Before the children of a node are listed, the node is combined with the shortest cut that
//! contains all affordable options.
//!
//! Nodes are processed in batches. A batch with covers is made again node by node to find them.
//!
//! Invariant: the regions alternate. Frames made with rows of options have cuts as children. Frames
//! made with cuts or with the neutral row have options as children.

use std::ops::Range;

use super::kernel::Outcome;
use super::{BATCH, Context, Masks, NO_PARENT, Next, STRIDE_BLOCKS};
use crate::bits::Block;
use crate::limits::{Limit, Limits, Pace};
use crate::model::{OptionId, Problem};
use crate::search::Meter;

const CUTS: usize = 64;
/// Estimated time per node and block (ns).
const NANOSECONDS_PER_BLOCK: u64 = 2;
/// Estimated time per node, in addition to the time per block (ns).
const NANOSECONDS_PER_NODE: u64 = 30;

/// A search for the covers whose cost is at most a gap.
#[derive(Debug)]
pub(crate) struct Cutoff {
    masks: Masks,
    costs: Vec<u64>,
    sums: Vec<u64>,
    /// The number of options that each cut allows in addition to those of the previous cut.
    step: usize,
    gap: u64,
    /// Whether an option was excluded because of the gap. Frames whose cost already exceeds a gap
    /// that was narrowed later do not set this flag.
    pub(crate) was_cut: bool,
    /// The estimated work of this search (ns), which is deterministic.
    pub(crate) work: u64,
}

impl Cutoff {
    pub(crate) fn new(problem: &Problem) -> Option<Self> {
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

    /// Returns an upper bound of the memory of a search in bytes, or 0 if the engine `masks` does
    /// not support `problem`.
    pub(crate) fn memory(problem: &Problem) -> u64 {
        super::blocks(problem).map_or(0, |blocks| {
            let row = (blocks * size_of::<Block>()) as u64;
            let rows = 2 * problem.option_count() as u64 + CUTS as u64;
            row * rows + 16 * problem.entry_count() as u64
        })
    }

    /// Starts a search for covers of `items`, given as indices among the primary items. `options`
    /// lists the options with their costs, the cheapest first.
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

    pub(crate) fn encoding_work(&self, options: usize) -> u64 {
        let blocks = 1 + options / 64;
        self.masks.source.encoding_cost(options, blocks) as u64
    }

    pub(crate) fn narrow(&mut self, gap: u64) {
        self.gap = self.gap.min(gap);
    }

    /// Continues the search until its total work reaches `work`, and returns whether it is
    /// complete. `visit` receives the options of each cover and returns the new gap, or `None` to
    /// stop.
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
                // Every second region consists of cuts.
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

    pub(crate) fn fraction(&self) -> f64 {
        self.masks.fraction()
    }

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

    /// Lists one cut for each of the next nodes, or their children if these nodes are already cut.
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

    /// Passes the covers among the children made last, whose frames start at `top`, to `visit`.
    /// Returns `false` to stop.
    fn visit(
        &mut self,
        children: Range<u32>,
        top: usize,
        visit: &mut dyn FnMut(&[OptionId]) -> Option<u64>,
    ) -> bool {
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
