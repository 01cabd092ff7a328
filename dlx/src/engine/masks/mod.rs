//! Bit masks: exact covers with colors on sets of bits, several hundred bits per instruction.
//!
//! A node of the search is a *live set*: for each uncovered primary item, one bit per option that
//! can still cover the item. Each option has a *row*, the live set that remains if only this option
//! is chosen. So the live set of a child is the AND of its parent's live set and a row, and the
//! number of options of an item is the number of ones in its lane. Each node has its own *frame*, a
//! copy of a few cache lines, so no change is undone. Secondary items and colors only affect the
//! rows.
//!
//! The search tree is the tree of dancing links (MRV, ties in order of definition).
//!
//! Counting without a limit on covers processes the tree in *batches*. One loop without branches
//! makes the children of up to [`BATCH`] nodes of a level, and the children that are not dead ends
//! form a region on a stack. The processor overlaps the work on the nodes of a batch.
//!
//! A search that reaches a limit continues briefly, until each remaining subtree takes longer to
//! search than to encode again. The subproblem below a node is re-encoded in fewer blocks
//! (`repack`) if earlier nodes of its level had many descendants.
//!
//! The encoding is kept between searches. A search whose given options include those of the
//! encoding starts from it and intersects the root's live set with the rows of the additional given
//! options.
//!
//! Source: Knuth's Algorithm X (TAOCP 7.2.2.1), with bit sets instead of lists. Copying the state
//! down instead of undoing changes is an old technique of bit-parallel queens programs. An update
//! combines one block of a live set with one block of a row.
//!
//! Invariant: the regions of the contexts in use contain every entered node that still has children
//! to make, so the unsearched subtrees can be listed at any moment.
//!
//! Tried and dropped, with AVX-512:
//! - testing the items that recently caused dead ends first: slower on pentominoes;
//! - smaller batches or fewer children at a time: slower.

mod context;
mod cutoff;
mod encoding;
mod kernel;
mod profile;

#[cfg(test)]
mod tests;

use bitvec::prelude::{BitVec, Lsb0};

use self::context::{Context, NO_PARENT, Next};
pub(crate) use self::cutoff::Cutoff;
use self::encoding::{Scratch, Source};
use self::profile::Profile;
use crate::bits::{Block, Leaf};
use crate::limits::{Limit, Limits, Pace};
use crate::model::{OptionId, Problem, Subtree};
use crate::search::{End, Engine, EngineSpec, Meter, Report, Unsupported, Visit, search_without};

pub(crate) const SPEC: EngineSpec = EngineSpec {
    name: "masks",
    summary: "bit masks and SIMD, for small and dense problems without bounds",
    build: |problem| Ok(Box::new(Masks::new(problem)?)),
};

pub(crate) struct Cost {
    pub(crate) begin: f64,
    pub(crate) node: f64,
    pub(crate) bytes: f64,
}

/// Returns the estimated cost of searching `problem`, or `None` if the engine does not support it.
pub(crate) fn cost(problem: &Problem) -> Option<Cost> {
    let blocks = blocks(problem).ok()?;
    let options = problem.option_count();
    let size = problem.entry_count() as f32 / options.max(1) as f32;
    Some(Cost {
        begin: encoding::encoding_cost(size, options, blocks).into(),
        node: 8.0 + f64::from(NANOSECONDS_PER_BLOCK) * blocks as f64,
        bytes: (blocks * size_of::<Block>() * options) as f64,
    })
}

pub(crate) fn build_fitting(problem: &Problem) -> Result<Box<dyn Engine>, Unsupported> {
    Ok(Box::new(Masks::fitting(problem)))
}

/// Returns the number of blocks of a row of `problem`.
///
/// # Errors
/// If the engine does not support `problem`.
fn blocks(problem: &Problem) -> Result<usize, Unsupported> {
    if problem.has_bounds() {
        return Err(Unsupported::new("multiplicities"));
    }
    if problem.option_count() > OPTION_MAX {
        return Err(Unsupported::new("more than 65534 options"));
    }
    if problem.primary_count() > ITEM_MAX {
        return Err(Unsupported::new("more than 65536 primary items"));
    }
    let blocks = encoding::root_blocks(problem);
    if blocks * size_of::<Block>() * (problem.option_count() + 1) > ROW_BYTES_MAX {
        return Err(Unsupported::new("conflict masks of more than 64 MiB"));
    }
    Ok(blocks)
}

/// Maximum number of options. Row numbers have 16 bits, and the neutral row needs one number.
const OPTION_MAX: usize = u16::MAX as usize - 1;
/// Maximum number of primary items. A node stores the lane of an item in 16 bits.
const ITEM_MAX: usize = 1 << 16;
/// Maximum size of the rows of a problem (bytes).
const ROW_BYTES_MAX: usize = 64 << 20;

/// Number of nodes whose children are made together, for frames of one block. Larger frames have
/// smaller batches.
const BATCH: usize = 64;
/// Maximum number of blocks of the child frames that are made together.
const STRIDE_BLOCKS: usize = 256;
/// Maximum number of nodes that a search enters after a limit to leave fewer subtrees. Entering
/// them takes less than a millisecond.
const OVERTIME: u64 = 20_000;
/// Minimum expected number of descendants of a node that is considered for re-encoding.
const BELOW_MIN: f32 = 400.0;
/// Maximum number of nested encodings.
const CONTEXTS_MAX: usize = 6;
/// Estimated time per node and block (ns).
const NANOSECONDS_PER_BLOCK: f32 = 2.0;

/// The engine of bit masks.
///
/// The engine keeps a copy of the problem, 8 bytes per entry. The first search builds the rows of
/// the options compatible with `given`, in some ten microseconds per hundred options. Later
/// searches whose given options include these reuse the rows. After several short searches with
/// different given options, the engine builds the rows of all options.
///
/// ```
/// use dlx::{Engine, Limits, OptionId, engine::Masks};
///
/// // Langford pairs for 1, 2, 3: the option `i sj sk` puts the two i's into slots j and k.
/// let problem: dlx::Problem = "1 2 3 s1 s2 s3 s4 s5 s6\n\
///     1 s1 s3\n1 s2 s4\n1 s3 s5\n1 s4 s6\n2 s1 s4\n2 s2 s5\n2 s3 s6\n3 s1 s5\n3 s2 s6\n".parse()?;
/// let mut masks = Masks::new(&problem)?;
/// let report = masks.count(&[], &Limits::new());
/// assert_eq!((report.count(), report.nodes), (Some(2), 7));
/// // With `3 s1 s5` given there is one cover.
/// assert_eq!(masks.count(&[OptionId::new(7)], &Limits::new()).count(), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Masks {
    source: Source,
    leaf: Leaf,
    /// The encodings of the problem and of nested subproblems, each with its stack of regions. The
    /// first `depth` contexts are in use.
    contexts: Vec<Context>,
    depth: usize,
    scratch: Scratch,
    cover: Vec<OptionId>,
    given_count: usize,
    updates: u64,
    /// Number of nodes below which searching a subtree takes less time than encoding it.
    part_min: f32,
    /// The given options that the encoding of context 0 assumes, or `None` before the first
    /// encoding.
    base: Option<Vec<OptionId>>,
    /// Sum of the squared option counts of the subproblems whose search was shorter than their
    /// encoding. Decides when `make_base` encodes the whole problem.
    parts_squared: u64,
    above: usize,
    profile: Profile,
    /// For tests: re-encodes wherever possible, except at the root of an encoding.
    always_repacks: bool,
}

struct Shares {
    /// The share of the tree below one node of a region, as a fraction.
    frame: f64,
    child: f64,
    last: u32,
    within: f64,
}

impl Masks {
    /// Prepares the search of `problem` with the fastest instruction set of the processor.
    ///
    /// # Errors
    /// If a primary item has bounds, or if the problem is too large.
    pub fn new(problem: &Problem) -> Result<Self, Unsupported> {
        blocks(problem)?;
        Ok(Self::fitting(problem))
    }

    fn fitting(problem: &Problem) -> Self {
        Self::with_leaf(problem, Leaf::best())
    }

    fn with_leaf(problem: &Problem, leaf: Leaf) -> Self {
        Self {
            source: Source::new(problem),
            leaf,
            contexts: Vec::new(),
            depth: 0,
            scratch: Scratch::default(),
            cover: Vec::new(),
            given_count: 0,
            updates: 0,
            part_min: 0.0,
            base: None,
            parts_squared: 0,
            above: 0,
            profile: Profile::default(),
            always_repacks: false,
        }
    }

    /// Returns the name of the instruction set that the engine uses.
    ///
    /// ```
    /// let masks = dlx::engine::Masks::new(&"a\na\n".parse()?)?;
    /// assert!(["avx512", "avx2", "simd128", "plain"].contains(&masks.instruction_set()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    pub fn instruction_set(&self) -> &'static str {
        self.leaf.name()
    }

    /// Starts a search with the given options; returns `false` if they conflict.
    ///
    /// # Errors
    /// If a limit is reached during encoding.
    fn begin(&mut self, given: &[OptionId], limits: &Limits) -> Result<bool, Limit> {
        let is_known = |option: &OptionId| option.index() < self.source.option_count();
        assert!(given.iter().all(is_known), "the given options must be this problem's");
        self.rewind();
        self.updates = 0;
        let mut is_given: BitVec<usize, Lsb0> = BitVec::repeat(false, self.source.option_count());
        for &option in given {
            if !is_given.replace(option.index(), true) {
                self.cover.push(option);
            }
        }
        self.given_count = self.cover.len();
        if self.source.choose(&self.cover).is_none() {
            return Ok(false);
        }
        if !self.begin_from_base() {
            self.make_base(limits)?;
            assert!(self.begin_from_base(), "the base was made for what is given");
        }
        Ok(true)
    }

    /// Starts in context 0 if the given options include its base and the other given options have
    /// rows. Returns `false` otherwise.
    fn begin_from_base(&mut self) -> bool {
        let Self { contexts, base, cover, above, profile, .. } = self;
        let Some(base) = base.as_ref().filter(|base| base.iter().all(|option| cover.contains(option)))
        else {
            return false;
        };
        let encoding = contexts[0].encoding();
        let more = cover.iter().filter(|option| !base.contains(option));
        let Some(rows) = more.map(|&option| encoding.row(option)).collect::<Option<Vec<_>>>() else {
            return false;
        };
        *above = rows.len();
        if rows.is_empty() {
            profile.clear();
        }
        contexts[0].begin(&rows);
        self.depth = 1;
        true
    }

    /// Encodes in context 0 the subproblem that the given options leave, or the whole problem after
    /// enough short searches with different given options.
    ///
    /// # Errors
    /// If a limit is reached during encoding.
    fn make_base(&mut self, limits: &Limits) -> Result<(), Limit> {
        let Self { source, leaf, contexts, scratch, cover, base, parts_squared, profile, .. } = self;
        let all = source.option_count();
        *base = None;
        profile.clear();
        let is_whole = *parts_squared >= (all as u64).pow(2)
            && cover.iter().all(|option| source.primary(option.index() as u32).next().is_some());
        let given = if is_whole { &[] } else { &cover[..] };
        let chosen = source.choose(given).expect("what is given does not conflict");
        let items = (0..source.primary_count).filter(|&item| chosen.is_free(item));
        let is_live = |&option: &u32| {
            let entries = source.entries(option);
            entries.first().is_some_and(|&entry| source.is_primary(entry))
                && entries.iter().all(|&entry| chosen.admits(entry))
        };
        let options = (0..all as u32).filter(is_live);
        if contexts.is_empty() {
            contexts.push(Context::new(*leaf));
        }
        contexts[0].encode(NO_PARENT, 0, |encoding| {
            encoding.encode(*leaf, source, scratch, items, options, &mut Pace::new(limits))
        })?;
        let (options, blocks) = (contexts[0].encoding().options.len(), contexts[0].blocks());
        *base = Some(given.to_vec());
        let node = 8.0 + NANOSECONDS_PER_BLOCK * blocks as f32;
        self.part_min = source.encoding_cost(options, blocks) / node;
        Ok(())
    }

    /// Re-encodes the subproblem below the next node of the last region if the expected savings
    /// exceed the cost. Returns whether it did.
    ///
    /// # Errors
    /// If a limit is reached; the node is still the next one.
    fn repack(&mut self, limits: &Limits) -> Result<bool, Limit> {
        if self.depth == CONTEXTS_MAX {
            return Ok(false);
        }
        if self.contexts.len() == self.depth {
            self.contexts.push(Context::new(self.leaf));
        }
        let Self { leaf, source, scratch, contexts, depth, above, profile, always_repacks, .. } = self;
        let [.., context, next] = &mut contexts[..=*depth] else {
            return Ok(false);
        };
        let level = context.level() + context.regions().len() - 2;
        let always = *always_repacks && (level > context.level() || *depth == 1 && *above > 0);
        let below = profile.below(*above + level);
        if below < BELOW_MIN && !always {
            return Ok(false);
        }
        let node = context.region().next;
        let frame = context.frame(node);
        let (live, blocks) = context.encoding().measure(frame, scratch);
        let saved = below * NANOSECONDS_PER_BLOCK * (context.blocks() as f32 - blocks as f32);
        if saved < 2.0 * source.encoding_cost(live, blocks) && !always {
            profile.forget(*above + level);
            return Ok(false);
        }
        next.encode(node, level, |encoding| {
            let (whole, pace) = (context.encoding(), &mut Pace::new(limits));
            encoding.encode_part(*leaf, source, scratch, whole, frame, pace)
        })?;
        next.begin(&[]);
        context.skip();
        *depth += 1;
        next.make(1);
        Ok(true)
    }

    fn rewind(&mut self) {
        for context in &mut self.contexts[..self.depth] {
            context.clear();
        }
        self.depth = 0;
        self.given_count = 0;
        self.cover.clear();
    }

    fn walk(&mut self, meter: &mut Meter<'_>, mut visit: Option<&mut Visit<'_>>) -> End {
        let in_batches = visit.is_none() && !meter.is_exact();
        let mut overtime = None;
        if let Err(limit) = meter.enter(0, 0, || 0.0) {
            return End::Limit(limit);
        }
        let top = self.contexts[0].region().end as usize;
        let outcome = self.contexts[0].make(1);
        if self.above > 0 {
            self.profile.add(self.above, 1, outcome.top - top);
        }
        if outcome.covers > 0
            && let Err(end) = meter.found(&mut visit, || self.collect())
        {
            return end;
        }
        while self.depth > 0 {
            let context = &mut self.contexts[self.depth - 1];
            let left = match context.next() {
                Next::Nothing => {
                    self.depth -= 1;
                    continue;
                }
                Next::Nodes => {
                    if context.blocks() > 1 {
                        match self.repack(meter.limits()) {
                            Ok(true) => continue,
                            Ok(false) => {}
                            Err(limit) => return End::Limit(limit),
                        }
                    }
                    let context = &mut self.contexts[self.depth - 1];
                    let count = if in_batches { (BATCH / context.blocks()).max(1) } else { 1 };
                    context.list_children(count);
                    continue;
                }
                Next::Children(left) => left,
            };
            let context = &self.contexts[self.depth - 1];
            let level = context.level() + context.regions().len() - 1;
            let (updates, blocks, top) =
                (self.updates, context.blocks(), context.region().end as usize);
            let entered = if in_batches {
                let count = left.min((STRIDE_BLOCKS / blocks).max(16));
                meter.enter_many(count as u64, updates, || self.fraction())
            } else {
                meter.enter(level, updates, || self.fraction()).map(|()| 1)
            };
            let count = match entered {
                Ok(count) => count as usize,
                Err(limit) if in_batches && self.goes_on(limit, meter, &mut overtime) => continue,
                Err(limit) => return End::Limit(limit),
            };
            self.updates += (count * blocks) as u64;
            let outcome = self.contexts[self.depth - 1].make(count);
            self.profile.add(self.above + level, count, outcome.top - top);
            if in_batches {
                meter.add_solutions(outcome.covers);
            } else if outcome.covers > 0
                && let Err(end) = meter.found(&mut visit, || self.collect())
            {
                return end;
            }
        }
        End::Exhausted
    }

    /// Returns whether a search that reached `limit` continues for a while, to avoid leaving
    /// subtrees that take longer to encode than to search.
    fn goes_on(&mut self, limit: Limit, meter: &mut Meter<'_>, overtime: &mut Option<u64>) -> bool {
        let limits = meter.limits();
        let extra = match limit {
            Limit::Nodes if limits.is_rough => meter.nodes() / 4,
            Limit::Cancelled | Limit::Time => OVERTIME,
            _ => return false,
        };
        let end = *overtime.get_or_insert(meter.nodes() + extra);
        if !limits.rest || meter.nodes() >= end {
            return false;
        }
        let context = &self.contexts[self.depth - 1];
        let level = context.level() + context.regions().len() - 2;
        if self.profile.below(self.above + level) >= self.part_min {
            return false;
        }
        meter.allow(end - meter.nodes());
        true
    }

    fn collect(&mut self) -> &[OptionId] {
        self.cover.truncate(self.given_count);
        let context = &self.contexts[self.depth - 1];
        let child = context.child(context.region().child_next - 1);
        let mut path = self.path(self.depth - 1, child.parent());
        path.extend(context.option(child.row()));
        self.cover.extend(path);
        &self.cover
    }

    fn path(&self, mut context: usize, mut frame: u32) -> Vec<OptionId> {
        let mut path = Vec::new();
        loop {
            let here = &self.contexts[context];
            while frame != NO_PARENT {
                let head = here.head(frame);
                path.extend(here.option(head.row()));
                frame = head.parent();
            }
            if context == 0 {
                path.reverse();
                return path;
            }
            frame = here.origin();
            context -= 1;
        }
    }

    /// Returns the fraction of the tree that is done. All nodes of a region count equally.
    fn fraction(&self) -> f64 {
        let shares = self.shares();
        let regions = self.contexts[..self.depth].iter().flat_map(Context::regions);
        let done = regions.zip(&shares).map(|(region, shares)| {
            let frames = f64::from(region.batch - region.start);
            let children = f64::from(region.child_next - region.child_start - shares.last);
            shares.frame * frames + shares.child * children
        });
        done.sum::<f64>() + shares.last().map_or(1.0, |shares| shares.within) / 2.0
    }

    fn shares(&self) -> Vec<Shares> {
        let mut share = 1.0;
        let regions = self.contexts[..self.depth].iter().flat_map(Context::regions);
        let shares = regions.map(|region| {
            let frame = share / f64::from(region.end - region.start);
            let batch = f64::from(region.next - region.batch);
            let children = f64::from(region.child_end - region.child_start);
            if batch == 0.0 || children == 0.0 {
                share = frame;
                return Shares { frame, child: 0.0, last: 0, within: share };
            }
            let child = frame * batch / children;
            let last = region.made.min(region.child_next - region.child_start);
            share = child * f64::from(last.max(1));
            Shares { frame, child, last, within: share }
        });
        shares.collect()
    }

    /// Lists the unsearched subtrees, from the last region to the first: listed children that were
    /// not made, and nodes whose children were not listed.
    fn rest(&self) -> Vec<Subtree> {
        let given = &self.cover[..self.given_count];
        let mut shares = self.shares();
        let mut rest = Vec::new();
        for number in (0..self.depth).rev() {
            let context = &self.contexts[number];
            for region in context.regions().iter().rev() {
                let shares = shares.pop().expect("one for each region");
                for child in (region.child_next..region.child_end).map(|child| context.child(child)) {
                    let mut path = [given, &self.path(number, child.parent())].concat();
                    path.extend(context.option(child.row()));
                    rest.push(Subtree::from(path).within(shares.child));
                }
                for frame in region.next..region.end {
                    let path = [given, &self.path(number, frame)].concat();
                    rest.push(Subtree::from(path).within(shares.frame));
                }
            }
        }
        rest
    }

    /// Removes the unsearched nodes from the profile, because a later search counts them again.
    fn leave(&mut self) {
        for context in &self.contexts[..self.depth] {
            for (number, region) in context.regions().iter().enumerate().skip(1) {
                let level = self.above + context.level() + number - 1;
                self.profile.leave(level, (region.end - region.next) as usize);
            }
        }
    }

    fn search_with(
        &mut self,
        given: &[OptionId],
        limits: &Limits,
        visit: Option<&mut Visit<'_>>,
    ) -> Report {
        let mut meter = Meter::new(limits, 0);
        match self.begin(given, limits) {
            Ok(true) => {}
            Ok(false) => {
                self.rewind();
                return meter.report(End::Exhausted, 0);
            }
            Err(limit) => {
                let all = limits.rest.then(|| vec![Subtree::from(self.cover.clone())]);
                self.rewind();
                return Report { rest: all, ..meter.report(End::Limit(limit), 0) };
            }
        }
        let end = self.walk(&mut meter, visit);
        let rest = (limits.rest && end != End::Exhausted).then(|| self.rest());
        self.leave();
        let is_own = self.above == 0 && self.base.as_ref().is_some_and(|base| !base.is_empty());
        if is_own && (meter.nodes() as f32) < self.part_min {
            self.parts_squared += (self.contexts[0].encoding().options.len() as u64).pow(2);
        }
        self.rewind();
        Report { rest, ..meter.report(end, self.updates) }
    }
}

impl Engine for Masks {
    fn run(
        &mut self,
        given: &[OptionId],
        without: &[OptionId],
        limits: &Limits,
        visit: Option<&mut Visit<'_>>,
    ) -> Report {
        let count = self.source.option_count();
        search_without(count, without, limits, visit, |limits, visit| {
            self.search_with(given, limits, visit)
        })
    }

    fn is_at_rest(&self, problem: &Problem) -> bool {
        self.depth == 0
            && self.cover.is_empty()
            && self.contexts.iter().all(|context| context.regions().is_empty())
            && self.source == Source::new(problem)
    }
}
