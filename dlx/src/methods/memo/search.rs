//! The search of the counting method `memo`: a stack of nodes with their live sets, and a cache of
//! counts.

use num_bigint::BigUint;

use super::cache::Cache;
use super::encoding::Encoding;
use super::kernel::{Child, Expand, Kernel, kernel};
use super::number::Number;
use super::store::Store;
use super::{Branch, MemoProgress};
use crate::bits::{self, Block, Leaf};
use crate::methods::forecast::Forecast;
use crate::methods::together::Worker;
use crate::model::OptionId;
use crate::parallel::turn;
use crate::portfolio::Cut;
use crate::search::fraction;

/// A node whose children are processed one by one, the last child first.
#[derive(Debug)]
struct Node {
    place: usize,
    left: u32,
    degree: u32,
    is_kept: bool,
    weight: Number,
    sum: Number,
    /// The number of nodes before this one including nodes saved by hits, the number without them,
    /// and the number of nodes at the last lookup of the node's key.
    nodes_before: f64,
    entered: u64,
    looked_up: u64,
}

#[derive(Clone, Copy, Debug)]
enum Outcome {
    Dead,
    Cover,
    Open(usize),
    /// A node that chooses or drops an option of this item, which has bounds other than one.
    Optional(usize),
}

const LEFT_OUT: u32 = 1 << 31;

/// Lookup statistics of all nodes with the same number of uncovered items.
#[derive(Clone, Debug, Default)]
struct Level {
    lookups: u32,
    saved: f64,
    /// The number of nodes whose lookups are still to be skipped, and the number skipped in the
    /// last such series.
    skips: u32,
    backoff: u32,
    size: f64,
}

const LOOKUPS: u32 = 4096;
/// Minimum subtree size of a level that is always looked up and cached in a shared cache (nodes),
/// so that searches get hits from each other.
const MEETING_NODES: f64 = 4096.0;
const SAVED_MIN: f64 = 0.5;

const POWER_MAX: f64 = 4.0;

#[derive(Debug)]
pub(super) struct Search {
    branch: Branch,
    /// Index of the search, which determines the order of options among searches with a shared
    /// cache.
    number: u32,
    kernel: Box<dyn Kernel>,
    frames: Vec<Block>,
    children: Vec<Child>,
    options: Vec<u32>,
    turned: Vec<u32>,
    keys: Vec<u64>,
    key_words: usize,
    bounds: Vec<(u32, u32)>,
    nodes: Vec<Node>,
    degrees: Vec<Block>,
    cache: Store,
    levels: Vec<Level>,
    progress: MemoProgress,
    weight: Number,
    result: Option<BigUint>,
    is_begun: bool,
    forecast: Forecast,
    work: u64,
}

impl Search {
    pub(super) fn new(encoding: &Encoding, branch: Branch, leaf: Leaf) -> Self {
        let shape = &encoding.lanes.shape;
        let bounded = &shape.starts()[encoding.item_groups..][..=encoding.bounded_groups];
        let bounded_words = (bounded[encoding.bounded_groups] - bounded[0]) as usize * 8;
        let element_words = encoding.element_count.div_ceil(shape.lanes());
        let key_words = encoding.words + element_words + bounded_words + encoding.bounds.len();
        Self {
            branch,
            number: 0,
            kernel: kernel(leaf, shape.width()),
            frames: Vec::new(),
            children: Vec::new(),
            options: Vec::new(),
            turned: Vec::new(),
            keys: Vec::new(),
            key_words,
            bounds: Vec::new(),
            nodes: Vec::new(),
            degrees: vec![Block::ONES; encoding.item_groups],
            cache: Store::Own(Cache::new(key_words)),
            levels: vec![Level::default(); encoding.item_count + 1],
            progress: MemoProgress {
                branch,
                nodes: 0,
                saved: 0.0,
                lookups: 0,
                hits: 0,
                entries: 0,
                bytes: 0,
                work: 0,
                left: None,
            },
            weight: Number::ONE,
            result: None,
            is_begun: false,
            forecast: Forecast::new(POWER_MAX),
            work: 0,
        }
    }

    pub(super) fn beside(&mut self, encoding: &Encoding, number: u32, leaf: Leaf) -> Self {
        let cache = self.cache.share();
        Self { number, cache, ..Self::new(encoding, self.branch, leaf) }
    }

    pub(super) fn work(&self) -> u64 {
        self.progress.work
    }

    fn fraction(&self) -> f64 {
        if self.result.is_some() || !self.is_begun {
            return f64::from(u8::from(self.is_begun));
        }
        let choices = self.nodes.iter().map(|node| {
            let degree = node.degree.max(1);
            (degree - node.left.min(degree - 1), degree)
        });
        fraction(choices)
    }

    pub(super) fn note_progress(&mut self) {
        let fraction = self.fraction();
        self.forecast.note(self.progress.work as f64, fraction);
    }

    pub(super) fn foreseen(&self) -> Option<f64> {
        let work = self.progress.work as f64;
        if self.result.is_some() { Some(work) } else { self.forecast.total(work, self.fraction()) }
    }

    /// Returns a lower bound of the count, from the finished children of each node on the path.
    pub(super) fn known(&self) -> BigUint {
        let up = |below: BigUint, node: &Node| (node.sum.to_big() + below) * node.weight.to_big();
        let nodes = || self.nodes.iter().rev().fold(BigUint::ZERO, up);
        self.result.clone().unwrap_or_else(nodes)
    }

    pub(super) fn effort(&self) -> (u64, u64) {
        (self.progress.nodes, self.progress.lookups)
    }

    pub(super) fn progress(&self) -> MemoProgress {
        let (entries, bytes) = (self.cache.len(), self.cache.bytes());
        let left = self.foreseen().map(|total| total - self.progress.work as f64);
        MemoProgress { entries, bytes, left, ..self.progress.clone() }
    }

    pub(super) fn end(&mut self, total: BigUint) {
        self.result = Some(total);
    }

    pub(super) fn limit(&mut self, bytes: usize) {
        self.cache.limit(bytes);
    }

    fn begin(&mut self, encoding: &Encoding) {
        self.make_room(encoding, 0, 0);
        self.frames[..encoding.blocks].copy_from_slice(&encoding.root);
        for lane in 0..encoding.item_count {
            self.keys[lane / 64] |= 1 << (lane % 64);
        }
        self.bounds[..encoding.bounds.len()].copy_from_slice(&encoding.bounds);
        self.weight = Number::ONE;
        let root = self.propagate(encoding, 0, 0, true);
        self.enter(encoding, 0, root);
    }

    #[inline]
    fn make_room(&mut self, encoding: &Encoding, place: usize, depth: usize) {
        if self.children.len() <= place {
            self.frames.resize((place + 1) * 2 * encoding.blocks, Block::ZERO);
            self.children.resize((place + 1) * 2, Child { option: 0, has_single: false });
        }
        if self.keys.len() < (depth + 1) * self.key_words
            || self.bounds.len() < (depth + 1) * encoding.bounds.len()
        {
            self.keys.resize((depth + 1) * 2 * self.key_words, 0);
            self.bounds.resize((depth + 1) * 2 * encoding.bounds.len(), (0, 0));
        }
    }

    #[inline]
    fn step(&mut self, encoding: &Encoding) {
        let depth = self.nodes.len();
        let node = &self.nodes[depth - 1];
        if node.left > 0 && self.cache.is_shared() {
            self.meet(depth);
        }
        let node = &mut self.nodes[depth - 1];
        if node.left == 0 {
            self.work += 40;
            return self.leave(encoding);
        }
        let place = node.place + node.left as usize;
        node.left -= 1;
        let Child { option, has_single } = self.children[place];
        self.make_room(encoding, place, depth);
        let words = self.key_words;
        let (before, after) = self.keys.split_at_mut(depth * words);
        after[..encoding.words].copy_from_slice(&before[(depth - 1) * words..][..encoding.words]);
        if !encoding.bounds.is_empty() {
            let bounds = encoding.bounds.len();
            self.bounds.copy_within((depth - 1) * bounds..depth * bounds, depth * bounds);
        }
        self.weight = Number::ONE;
        self.work += 20;
        let is_dead = option & LEFT_OUT == 0 && !self.choose(encoding, depth, option);
        let outcome = match is_dead {
            true => Outcome::Dead,
            false => self.propagate(encoding, depth, place, has_single),
        };
        self.enter(encoding, place, outcome);
    }

    #[inline]
    fn expand(&mut self, encoding: &Encoding, place: usize, lane: usize) -> usize {
        let depth = self.nodes.len();
        let blocks = encoding.blocks;
        let Self { options, .. } = self;
        options.clear();
        encoding.lanes.for_each(&self.frames[place * blocks..][..blocks], lane, |option| {
            options.push(option);
            true
        });
        let count = options.len();
        if self.number > 0 {
            self.turned.clear();
            self.turned.extend((0..count).map(|step| options[turn(self.number, step, count)]));
            std::mem::swap(options, &mut self.turned);
        }
        self.make_room(encoding, place + 1 + count, depth);
        let (first, start) = self.first_group(encoding, depth);
        let (parents, children) = self.frames.split_at_mut((place + 1) * blocks);
        self.progress.nodes += count as u64;
        self.work += count as u64 * (15 + 2 * (blocks - start) as u64);
        self.kernel.expand(Expand {
            parent: &parents[place * blocks..],
            starts: &encoding.lanes.shape.starts()[first..=encoding.item_groups],
            rows: &encoding.rows,
            options: &self.options,
            frames: children,
            children: &mut self.children[place + 1..],
        })
    }

    /// Builds the two children of the last node, which choose and drop an option of an item with
    /// bounds other than one.
    fn expand_optional(&mut self, encoding: &Encoding, place: usize, lane: usize) -> usize {
        let blocks = encoding.blocks;
        self.make_room(encoding, place + 2, self.nodes.len());
        let frame = &self.frames[place * blocks..][..blocks];
        let option = encoding.lanes.any(frame, lane).expect("the item has an option");
        for place in [place + 1, place + 2] {
            let (parents, children) = self.frames.split_at_mut(place * blocks);
            children[..blocks].copy_from_slice(&parents[(place - 1) * blocks..]);
        }
        self.kernel.restrict(&mut self.frames[(place + 1) * blocks..][..blocks], encoding.row(option));
        self.children[place + 1] = Child { option, has_single: true };
        let frame = &mut self.frames[(place + 2) * blocks..][..blocks];
        let option_bits = encoding.bits(OptionId::new(option as usize));
        option_bits.iter().for_each(|&bit| bits::clear(frame, bit));
        self.children[place + 2] = Child { option: option | LEFT_OUT, has_single: true };
        self.progress.nodes += 2;
        self.work += 20 + 4 * blocks as u64;
        2
    }

    #[inline]
    fn first_item(&self, encoding: &Encoding, depth: usize) -> Option<usize> {
        let open = &self.keys[depth * self.key_words..][..encoding.words];
        for (place, word) in open.iter().enumerate() {
            if *word != 0 {
                return Some(place * 64 + word.trailing_zeros() as usize);
            }
        }
        None
    }

    #[inline]
    fn first_group(&self, encoding: &Encoding, depth: usize) -> (usize, usize) {
        let shape = &encoding.lanes.shape;
        let item = self.first_item(encoding, depth);
        let first = item.map_or(encoding.item_groups, |item| shape.group(item));
        (first, shape.starts()[first] as usize)
    }

    /// Chooses an option whose row was already applied to the live set. Returns `false` if an item
    /// exceeds its upper bound.
    #[inline(always)]
    fn choose(&mut self, encoding: &Encoding, depth: usize, option: u32) -> bool {
        let weight = encoding.weights[option as usize];
        if weight != 1 {
            self.weight.scale(weight);
        }
        let open = &mut self.keys[depth * self.key_words..][..encoding.words];
        let covers = encoding.covers(option);
        for word in 0..encoding.words {
            open[word] &= !covers[word];
        }
        if encoding.bounds.is_empty() {
            return true;
        }
        let bounds = &mut self.bounds[depth * encoding.bounds.len()..];
        encoding.bounded(option).iter().all(|&item| {
            let (low, high) = &mut bounds[item as usize];
            *low = low.saturating_sub(1);
            let has_room = *high > 0;
            *high = high.saturating_sub(1);
            has_room
        })
    }

    /// Applies the row of a forced option and chooses the option. Returns `false` if an item
    /// exceeds its upper bound.
    #[inline(always)]
    fn force(
        &mut self,
        encoding: &Encoding,
        depth: usize,
        place: usize,
        start: usize,
        option: u32,
    ) -> bool {
        let blocks = encoding.blocks;
        let frame = &mut self.frames[place * blocks..][start..blocks];
        self.kernel.restrict(frame, &encoding.row(option)[start..]);
        self.work += 15 + 2 * (blocks - start) as u64;
        self.choose(encoding, depth, option)
    }

    /// Chooses forced options until there are none. `has_single` is `false` only if each item has
    /// at least two options.
    #[inline(always)]
    fn propagate(
        &mut self,
        encoding: &Encoding,
        depth: usize,
        place: usize,
        mut has_single: bool,
    ) -> Outcome {
        loop {
            let Some(item) = self.first_item(encoding, depth) else {
                if encoding.bounds.is_empty() {
                    return Outcome::Cover;
                }
                match self.check_bounds(encoding, depth, place) {
                    None => return Outcome::Dead,
                    Some(true) => continue,
                    Some(false) => return self.select_optional(encoding, place),
                }
            };
            let first = encoding.lanes.shape.group(item);
            if !has_single && encoding.bounds.is_empty() && self.branch == Branch::Static {
                return Outcome::Open(item);
            }
            has_single = true;
            let least = self.measure(encoding, place, first);
            if least == 0 {
                return Outcome::Dead;
            }
            if least > 1 {
                if !encoding.bounds.is_empty() {
                    match self.check_bounds(encoding, depth, place) {
                        None => return Outcome::Dead,
                        Some(true) => continue,
                        Some(false) => {}
                    }
                }
                return Outcome::Open(self.select(encoding, item, least));
            }
            if !self.force_all(encoding, depth, place, first) {
                return Outcome::Dead;
            }
        }
    }

    /// Chooses the only option of each item that has exactly one. Returns `false` at a dead end.
    #[inline(always)]
    fn force_all(&mut self, encoding: &Encoding, depth: usize, place: usize, first: usize) -> bool {
        let blocks = encoding.blocks;
        let start = encoding.lanes.shape.starts()[first] as usize;
        for group in first..encoding.item_groups {
            let mut lanes = self.kernel.equal(&self.degrees[group], 1);
            while lanes != 0 {
                let lane = group * encoding.lanes.shape.lanes() + lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                if !self.is_open(depth, lane) {
                    continue;
                }
                let frame = &self.frames[place * blocks..][..blocks];
                let is_forced = match encoding.lanes.any(frame, lane) {
                    Some(option) => self.force(encoding, depth, place, start, option),
                    None => false,
                };
                if !is_forced {
                    return false;
                }
            }
        }
        true
    }

    /// Selects an item with bounds other than one that still has options. Each of its options may
    /// be chosen or dropped.
    fn select_optional(&self, encoding: &Encoding, place: usize) -> Outcome {
        let frame = &self.frames[place * encoding.blocks..][..encoding.blocks];
        let first = encoding.item_groups * encoding.lanes.shape.lanes();
        for lane in first..first + encoding.bounds.len() {
            if encoding.lanes.any(frame, lane).is_some() {
                return Outcome::Optional(lane);
            }
        }
        Outcome::Cover
    }

    fn is_open(&self, depth: usize, lane: usize) -> bool {
        self.keys[depth * self.key_words + lane / 64] >> (lane % 64) & 1 == 1
    }

    #[inline(always)]
    fn measure(&mut self, encoding: &Encoding, place: usize, first: usize) -> u32 {
        let frame = &self.frames[place * encoding.blocks..][..encoding.blocks];
        let starts = &encoding.lanes.shape.starts()[first..=encoding.item_groups];
        self.work += (starts.len() - 1) as u64 * 2;
        self.kernel.measure(frame, starts, &mut self.degrees[first..])
    }

    #[inline(always)]
    fn select(&self, encoding: &Encoding, item: usize, least: u32) -> usize {
        match self.branch {
            Branch::Static => item,
            Branch::MinRemaining => {
                let shape = &encoding.lanes.shape;
                let mut group = shape.group(item);
                loop {
                    let lanes = self.kernel.equal(&self.degrees[group], least);
                    if lanes != 0 {
                        return group * shape.lanes() + lanes.trailing_zeros() as usize;
                    }
                    group += 1;
                }
            }
        }
    }

    /// Applies all bounds other than one. Returns `None` if a bound cannot be met, otherwise
    /// whether options were chosen or dropped.
    fn check_bounds(&mut self, encoding: &Encoding, depth: usize, at: usize) -> Option<bool> {
        let blocks = encoding.blocks;
        let mut has_changed = false;
        for place in 0..encoding.bounds.len() {
            let (low, high) = self.bounds[depth * encoding.bounds.len() + place];
            let lane = encoding.item_groups * encoding.lanes.shape.lanes() + place;
            let frame = &mut self.frames[at * blocks..][..blocks];
            let degree = encoding.lanes.degree(frame, lane);
            if high == 0 && degree > 0 {
                self.kernel.restrict(frame, &encoding.without[place * blocks..][..blocks]);
                has_changed = true;
            } else if degree < low {
                return None;
            } else if degree == low && low > 0 {
                let option = encoding.lanes.any(frame, lane).expect("the item has options");
                if !self.force(encoding, depth, at, 0, option) {
                    return None;
                }
                has_changed = true;
            }
        }
        Some(has_changed)
    }

    #[inline(always)]
    fn enter(&mut self, encoding: &Encoding, place: usize, outcome: Outcome) {
        let depth = self.nodes.len();
        match outcome {
            Outcome::Dead => return self.add(&Number::ZERO),
            Outcome::Cover => return self.add(&Number::ONE),
            Outcome::Open(_) | Outcome::Optional(_) => {}
        }
        let words = self.key_words;
        let open = &self.keys[depth * words..][..encoding.words];
        let level = open.iter().map(|word| word.count_ones()).sum::<u32>();
        let state = &mut self.levels[level as usize];
        let is_kept = state.skips == 0 || state.size >= MEETING_NODES;
        if is_kept {
            state.lookups += 1;
            self.progress.lookups += 1;
            self.work += if self.cache.is_near() { 60 } else { 150 };
            if words > encoding.words {
                self.finish_key(encoding, depth, place);
            }
            let found = self.cache.get(&self.keys[depth * words..][..words]);
            if let Some(found) = found {
                self.progress.hits += 1;
                self.progress.saved += found.nodes;
                self.levels[level as usize].saved += found.nodes;
                return self.add(&found.count);
            }
            let state = &mut self.levels[level as usize];
            if state.lookups >= LOOKUPS {
                if state.saved < SAVED_MIN * f64::from(state.lookups) {
                    state.backoff = (state.backoff * 2).clamp(1 << 14, 1 << 20);
                    state.skips = state.backoff;
                } else {
                    state.backoff = 0;
                }
                (state.lookups, state.saved) = (0, 0.0);
            }
        } else {
            state.skips -= 1;
        }
        let nodes_before = self.progress.nodes as f64 + self.progress.saved;
        let degree = match outcome {
            Outcome::Optional(lane) => self.expand_optional(encoding, place, lane),
            Outcome::Open(lane) => self.expand(encoding, place, lane),
            Outcome::Dead | Outcome::Cover => 0,
        };
        self.nodes.push(Node {
            place,
            left: degree as u32,
            degree: degree as u32,
            is_kept,
            weight: std::mem::replace(&mut self.weight, Number::ONE),
            sum: Number::ZERO,
            nodes_before,
            entered: self.progress.nodes,
            looked_up: self.progress.nodes,
        });
    }

    fn finish_key(&mut self, encoding: &Encoding, depth: usize, place: usize) {
        let frame = &self.frames[place * encoding.blocks..][..encoding.blocks];
        let key = &mut self.keys[depth * self.key_words..][encoding.words..self.key_words];
        let mut key = key.iter_mut();
        let mut push = |word: u64| *key.next().expect("keys were measured") = word;
        let shape = &encoding.lanes.shape;
        let (bounded, elements) =
            shape.starts()[encoding.item_groups..].split_at(encoding.bounded_groups);
        for ends in elements.windows(2) {
            let chunks = &frame[ends[0] as usize..ends[1] as usize];
            let live = match chunks {
                [live] => *live,
                _ => chunks.iter().fold(Block::ZERO, |live, block| live.or(block)),
            };
            push(!self.kernel.equal(&live, 0) & (u64::MAX >> (64 - shape.lanes())));
        }
        let bounded_end = elements[0] as usize;
        let bounded_start = bounded.first().map_or(bounded_end, |&start| start as usize);
        frame[bounded_start..bounded_end].iter().flat_map(|block| block.0).for_each(&mut push);
        for &(low, high) in &self.bounds[depth * encoding.bounds.len()..][..encoding.bounds.len()] {
            push(u64::from(low) << 32 | u64::from(high));
        }
    }

    #[inline]
    fn add(&mut self, count: &Number) {
        match self.nodes.last_mut() {
            Some(node) => node.sum.add_product(&self.weight, count),
            None => {
                let mut whole = Number::ZERO;
                whole.add_product(&self.weight, count);
                self.weight = whole;
            }
        }
    }

    fn meet(&mut self, depth: usize) {
        let node = &mut self.nodes[depth - 1];
        let nodes = self.progress.nodes;
        if !node.is_kept || (nodes - node.looked_up) as f64 * 4.0 < MEETING_NODES {
            return;
        }
        node.looked_up = nodes;
        let key = &self.keys[(depth - 1) * self.key_words..][..self.key_words];
        if let Some(found) = self.cache.get(key) {
            (node.sum, node.left, node.is_kept) = (found.count, 0, false);
        }
    }

    fn leave(&mut self, encoding: &Encoding) {
        let Some(node) = self.nodes.pop() else { return };
        let depth = self.nodes.len();
        let nodes = self.progress.nodes as f64 + self.progress.saved - node.nodes_before;
        let own = (self.progress.nodes - node.entered) as f64;
        if self.cache.is_shared() && own >= MEETING_NODES {
            let open = &self.keys[depth * self.key_words..][..encoding.words];
            let level = open.iter().map(|word| word.count_ones()).sum::<u32>() as usize;
            self.levels[level].size = own;
        }
        if node.is_kept {
            let key = &self.keys[depth * self.key_words..][..self.key_words];
            self.cache.insert(key, &node.sum, nodes as u64);
        }
        self.weight = node.weight;
        self.add(&node.sum);
    }
}

impl Worker for Search {
    type Ground = Encoding;

    #[inline]
    fn run(
        &mut self,
        encoding: &Encoding,
        mut spend: impl FnMut(u64) -> Result<(), Cut>,
    ) -> Result<BigUint, Cut> {
        if let Some(result) = &self.result {
            return Ok(result.clone());
        }
        if !self.is_begun {
            self.is_begun = true;
            self.begin(encoding);
        }
        while !self.nodes.is_empty() {
            self.progress.work += self.work;
            spend(std::mem::take(&mut self.work))?;
            self.step(encoding);
        }
        let result = self.weight.to_big();
        self.result = Some(result.clone());
        Ok(result)
    }
}
