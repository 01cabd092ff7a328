//! Bit masks: exact covers with colors on live sets of bits, several hundred per instruction.
//!
//! A node of the search is its *live set*: for each primary item that is not covered the options that
//! can still cover it, a bit each. Every option has a *row*, the live set that is left if nothing but
//! this option is chosen. So the child of a node is the AND of its live set with a row, the numbers of
//! options are counts of ones in lanes, the item to branch on is the least lane, and one that is 0 is a
//! dead end. Nothing is undone: each node has its own *frame*, a copy of a few cache lines. What a row
//! excludes is worked out beforehand, and secondary items and colors cost nothing in the search.
//!
//! The tree is that of dancing links: always the active item with the fewest options (MRV), the first
//! of several in the order of definition, and its options in order of definition; so the nodes are the
//! same, number for number, and the covers come in the same order.
//!
//! Counting without a limit on covers takes the tree in *batches*: all children of up to
//! [`BATCH`] nodes of a level are made in one loop without branches, and those that are not dead
//! ends are a region on a stack. Processors then work on several nodes at a time, for one alone is a
//! chain in which each step waits for the last.
//!
//! What batches leave are many parts, mostly small ones, each of which must be encoded anew. So a search that is to end goes
//! on for a moment until the parts that are left are worth that.
//!
//! Where the live sets shrink, what is left below a node is encoded anew in fewer blocks (`repack`),
//! if the nodes below such a node were many before.
//!
//! An encoding is kept: a search with more options given begins in it, with the rows of these options. So what a search
//! left costs next to nothing to begin with, while to encode each part took up to nine tenths of the time where rows are long
//! (a nonogram of 20x20: 120 parts of 4.5 ms each).
//!
//! Source: the arithmetic is that of Knuth's Algorithm X (TAOCP 7.2.2.1) with sets of bits for lists;
//! copying down instead of undoing is an old trick of bit-parallel queens programs. An update is a block
//! combined with one of a row.
//!
//! Invariant: the regions of the contexts in use hold each node that was entered and whose children
//! are not all made, so that what is left of the tree can be told at any moment.
//!
//! Tried and dropped, with AVX-512: looking first where dead ends were of late (18 % more time on 6x10
//! pentominoes), batches of 16 nodes and half as many children at a time (29 % more on dominoes), fewer
//! children at a time where frames are large (7-27 % more). New encodings save 21 % on solid
//! pentominoes (46 million nodes) and nothing to speak of on 6x10 (4 million).

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
use crate::search::{End, Engine, EngineSpec, Meter, Report, Unsupported, Visit, sift};

pub(crate) const SPEC: EngineSpec = EngineSpec {
    name: "masks",
    summary: "bit masks and SIMD, for small and dense problems without bounds",
    build: |problem| Ok(Box::new(Masks::new(problem)?)),
};

/// What a search takes, about.
pub(crate) struct Cost {
    /// Nanoseconds to begin, and for a node.
    pub(crate) begin: f64,
    pub(crate) node: f64,
    /// The bytes of the rows.
    pub(crate) bytes: f64,
}

/// Returns what a search of `problem` takes; `None` if the engine does not take it.
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

/// Builds the engine for a problem of which [`cost`] told that it is taken.
pub(crate) fn build_fitting(problem: &Problem) -> Result<Box<dyn Engine>, Unsupported> {
    Ok(Box::new(Masks::fitting(problem)))
}

/// Returns the number of blocks of a row, if the engine takes `problem`.
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

/// The most options: their numbers fit in 16 bits, with one to spare.
const OPTION_MAX: usize = u16::MAX as usize - 1;
/// The most primary items: a node names the lane of one in 16 bits.
const ITEM_MAX: usize = 1 << 16;
/// The most memory for the rows of a problem.
const ROW_BYTES_MAX: usize = 64 << 20;

/// The nodes whose children are made together, if a frame is one block; fewer if it is larger.
const BATCH: usize = 64;
/// The blocks of the frames of children that are made together.
const STRIDE_BLOCKS: usize = 256;
/// The nodes that a search that is to end may still enter, so that it leaves fewer parts: well under a millisecond.
const OVERTIME: u64 = 20_000;
/// The least number of nodes expected below a node for which it is asked whether a new encoding pays.
const BELOW_MIN: f32 = 400.0;
/// The most encodings that are nested.
const CONTEXTS_MAX: usize = 6;
/// The nanoseconds that a block adds to a node, about.
const NANOSECONDS_PER_BLOCK: f32 = 2.0;

/// The engine of bit masks.
///
/// It keeps a copy of the problem, 8 bytes an entry. The first search makes the rows of the options that
/// `given` leaves, which takes some ten microseconds a hundred options. Later searches that are given these options and more
/// begin with the same rows. After some short searches with other given options it makes the rows of all options.
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
/// // With `3 s1 s5` given there is one.
/// assert_eq!(masks.count(&[OptionId::new(7)], &Limits::new()).count(), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Masks {
    source: Source,
    leaf: Leaf,
    /// The encodings of the problem and of parts of it, each with its stack of regions; the first
    /// `depth` are in use.
    contexts: Vec<Context>,
    depth: usize,
    scratch: Scratch,
    /// The given options, then those of the last solution.
    cover: Vec<OptionId>,
    given_count: usize,
    updates: u64,
    /// The nodes of a part that are worth a beginning.
    part_min: f32,
    /// What was given where the encoding of context 0 begins, if there is one.
    base: Option<Vec<OptionId>>,
    /// The squares of the numbers of options of the bases so far that are not the whole problem, and in which the search was
    /// shorter than it took to encode them.
    parts_squared: u64,
    /// How many options are given beyond the base.
    above: usize,
    profile: Profile,
    /// For tests: encodes anew wherever that can be, but not the root of an encoding.
    always_repacks: bool,
}

/// What shares of the tree parts of a region have.
struct Shares {
    /// A node, and a child of one whose children are listed.
    frame: f64,
    child: f64,
    /// How many children the search is within, and their share.
    last: u32,
    within: f64,
}

impl Masks {
    /// Prepares the search of `problem` with the fastest instructions that the processor has.
    ///
    /// # Errors
    /// If a primary item has bounds, or the problem is too large.
    pub fn new(problem: &Problem) -> Result<Self, Unsupported> {
        blocks(problem)?;
        Ok(Self::fitting(problem))
    }

    /// Does what [`Masks::new`] does for a problem that is known to be taken.
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
    /// assert!(["avx512", "avx2", "plain"].contains(&masks.instruction_set()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn instruction_set(&self) -> &'static str {
        self.leaf.name()
    }

    /// Begins with what the given options leave; `false` if they conflict.
    ///
    /// # Errors
    /// The limit that ended it.
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

    /// Begins in context 0 with what the given options leave of its base; `false` if there is no such base.
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

    /// Encodes in context 0 what the given options leave; or the whole problem, for other options that are given
    /// later, too, if that was done often for short searches.
    ///
    /// # Errors
    /// The limit that ended it.
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

    /// Encodes anew what is left below the next node of the last region, if that is expected to pay.
    ///
    /// # Errors
    /// The limit that ended it; the node is still the next one.
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
        // The root.
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

    /// Tells whether a search that is to end goes on for a while, since what it would leave now are parts so small that it
    /// takes longer to begin with each of them than to search it.
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

    /// Lists the given options and the child that was made last, which is a cover, with those before it.
    fn collect(&mut self) -> &[OptionId] {
        self.cover.truncate(self.given_count);
        let context = &self.contexts[self.depth - 1];
        let child = context.child(context.region().child_next - 1);
        let mut path = self.path(self.depth - 1, child.parent());
        path.extend(context.option(child.row()));
        self.cover.extend(path);
        &self.cover
    }

    /// Lists the options chosen from the root to a frame of a context.
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

    /// Returns the fraction of the tree before the current node, plus half of the node's own share.
    ///
    /// In batches all nodes of a region count alike.
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

    /// Returns the shares of the tree that parts of each region have.
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
            // Just after a listing the children made last belong to the batch before.
            let last = region.made.min(region.child_next - region.child_start);
            share = child * f64::from(last.max(1));
            Shares { frame, child, last, within: share }
        });
        shares.collect()
    }

    /// Lists what is left of the tree: from the last region to the first the children that were not
    /// made, then the nodes whose children were not listed.
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

    /// Takes what is left out of the profile, so that it is counted when it is searched.
    fn leave(&mut self) {
        for context in &self.contexts[..self.depth] {
            // The first region has the root alone, which is no node.
            for (number, region) in context.regions().iter().enumerate().skip(1) {
                let level = self.above + context.level() + number - 1;
                self.profile.leave(level, (region.end - region.next) as usize);
            }
        }
    }

    /// Searches, and shows each solution to `visit` if there is one.
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
        sift(count, without, limits, visit, |limits, visit| self.search_with(given, limits, visit))
    }

    fn is_at_rest(&self, problem: &Problem) -> bool {
        self.depth == 0
            && self.cover.is_empty()
            && self.contexts.iter().all(|context| context.regions().is_empty())
            && self.source == Source::new(problem)
    }
}
