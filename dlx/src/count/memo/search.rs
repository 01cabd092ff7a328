//! The search itself: nodes on a stack, each with its live set, and the cache between them.

use num_bigint::BigUint;

use super::cache::Cache;
use super::encoding::{Encoding, Group};
use super::kernel::Kernel;
use super::line::{Lane, Line};
use super::number::Number;
use super::{Branch, Outlook};
use crate::count::{Cut, Watch};
use crate::search::fraction;

/// A node whose options are tried one after the other.
#[derive(Debug)]
struct Node {
    /// The lane to branch on; one of an item with bounds if `is_binary`.
    lane: u32,
    /// Its option comes next from this bit on.
    next: u32,
    /// How many options were tried, of how many.
    tried: u32,
    degree: u32,
    /// Whether the next option is first chosen and then left out.
    is_binary: bool,
    is_kept: bool,
    /// What the count is multiplied by on the way up.
    weight: Number,
    sum: Number,
    /// The nodes before this one, those below the hits included.
    nodes_before: f64,
    level: u32,
}

/// What became of a child.
enum Child {
    Dead,
    Cover,
    /// To branch on a lane of so many options.
    Open { lane: usize, degree: u32, is_binary: bool },
}

/// How lookups went with so many items uncovered.
#[derive(Clone, Debug, Default)]
struct Level {
    lookups: u32,
    saved: f64,
    /// Nodes that are not looked up.
    skips: u32,
    backoff: u32,
}

/// Lookups after which a level is judged.
const LOOKUPS: u32 = 4096;
/// Nodes that a lookup must save on average.
const SAVED_MIN: f64 = 0.5;

/// A search by one way to branch.
#[derive(Debug)]
pub(super) struct Search<T, const N: usize> {
    branch: Branch,
    kernel: Kernel<T, N>,
    /// The live sets of the nodes, and room for a child.
    frames: Vec<Line<T, N>>,
    /// Of each node the key, of which the first words are the uncovered items.
    keys: Vec<u64>,
    key_words: usize,
    /// Of each node the bounds that are left.
    bounds: Vec<(u32, u32)>,
    nodes: Vec<Node>,
    /// The options of each item, less one; the largest number for one that is covered.
    degrees: Vec<Line<T, N>>,
    cache: Cache,
    levels: Vec<Level>,
    outlook: Outlook,
    /// The product of the weights on the way from the last node.
    weight: Number,
    result: Option<BigUint>,
    is_begun: bool,
}

impl<T: Lane, const N: usize> Search<T, N> {
    pub(super) fn new(encoding: &Encoding<T, N>, branch: Branch) -> Self {
        let bounded_lines = encoding.groups[encoding.item_groups..][..encoding.bounded_groups].iter();
        let bounded_words = bounded_lines.map(|group| group.chunks as usize * 8).sum::<usize>();
        let key_words = encoding.words
            + encoding.element_count.div_ceil(N)
            + bounded_words
            + encoding.bounds.len();
        Self {
            branch,
            kernel: Kernel::new(),
            frames: Vec::new(),
            keys: Vec::new(),
            key_words,
            bounds: Vec::new(),
            nodes: Vec::new(),
            degrees: vec![Line::MAX; encoding.item_groups],
            cache: Cache::new(key_words),
            levels: vec![Level::default(); encoding.item_count + 1],
            outlook: Outlook::default(),
            weight: Number::ONE,
            result: None,
            is_begun: false,
        }
    }

    pub(super) fn outlook(&self) -> Outlook {
        let fraction = match self.result {
            Some(_) => 1.0,
            None if !self.is_begun => 0.0,
            None => fraction(self.nodes.iter().map(|node| (node.tried.max(1), node.degree.max(1)))),
        };
        let entries = self.cache.len();
        Outlook { fraction, entries, bytes: self.cache.bytes(), ..self.outlook.clone() }
    }

    /// Goes on with the search.
    #[inline(always)]
    pub(super) fn run(
        &mut self,
        encoding: &Encoding<T, N>,
        watch: &mut Watch<'_>,
    ) -> Result<BigUint, Cut> {
        if let Some(result) = &self.result {
            return Ok(result.clone());
        }
        self.cache.limit(watch.bytes);
        if !self.is_begun {
            self.is_begun = true;
            self.begin(encoding);
        }
        let node_work = 20 + encoding.lines as u64;
        while !self.nodes.is_empty() {
            watch.spend(node_work)?;
            self.step(encoding);
        }
        let result = self.weight.to_big();
        self.result = Some(result.clone());
        Ok(result)
    }

    /// Enters the root.
    fn begin(&mut self, encoding: &Encoding<T, N>) {
        self.grow(encoding, 0);
        self.frames[..encoding.lines].copy_from_slice(&encoding.root);
        for lane in 0..encoding.item_count {
            self.keys[lane / 64] |= 1 << (lane % 64);
        }
        self.bounds[..encoding.bounds.len()].copy_from_slice(&encoding.bounds);
        self.weight = Number::ONE;
        let root = self.propagate(encoding, 0);
        self.enter(encoding, root);
        if self.nodes.is_empty() {
            // `enter` found no parent to add to.
        }
    }

    /// Makes room for the frame of a depth.
    fn grow(&mut self, encoding: &Encoding<T, N>, depth: usize) {
        if self.frames.len() < (depth + 1) * encoding.lines || self.keys.len() < (depth + 1) * self.key_words
        {
            let depths = (depth + 1) * 2;
            self.frames.resize(depths * encoding.lines, Line::ZERO);
            self.keys.resize(depths * self.key_words, 0);
            self.bounds.resize(depths * encoding.bounds.len(), (0, 0));
        }
    }

    /// Tries the next option of the last node, or leaves the node.
    #[inline(always)]
    fn step(&mut self, encoding: &Encoding<T, N>) {
        let depth = self.nodes.len();
        let lines = encoding.lines;
        let node = &mut self.nodes[depth - 1];
        let frame = &self.frames[(depth - 1) * lines..][..lines];
        if node.tried == node.degree {
            return self.leave();
        }
        let next = encoding.next(frame, node.lane as usize, node.next as usize);
        let (k, option) = next.expect("the options of a node were counted");
        node.tried += 1;
        if !node.is_binary {
            node.next = k as u32 + 1;
        }
        let is_left_out = node.is_binary && node.tried == 2;
        self.outlook.nodes += 1;
        self.copy(encoding, depth, option, is_left_out);
        self.weight = Number::ONE;
        let is_dead = !is_left_out && !self.choose(encoding, depth, option);
        let child = if is_dead { Child::Dead } else { self.propagate(encoding, depth) };
        self.enter(encoding, child);
    }

    /// Makes the live set of a child.
    #[inline(always)]
    fn copy(&mut self, encoding: &Encoding<T, N>, depth: usize, option: u32, is_left_out: bool) {
        self.grow(encoding, depth);
        let lines = encoding.lines;
        let words = self.key_words;
        self.keys.copy_within((depth - 1) * words..(depth - 1) * words + encoding.words, depth * words);
        let first = self.first_group(encoding, depth);
        let start = encoding.groups.get(first).map_or(lines, |group| group.line as usize);
        let (parents, children) = self.frames.split_at_mut(depth * lines);
        let parent = &parents[(depth - 1) * lines..][start..lines];
        let child = &mut children[start..lines];
        if is_left_out {
            child.copy_from_slice(parent);
            for bit in encoding.bits(crate::OptionId::new(option as usize)) {
                let lane = &mut children[bit.line as usize].0[usize::from(bit.lane)];
                *lane = lane.and(T::bit(bit.bit.into()).not());
            }
        } else {
            self.kernel.meet(parent, &encoding.row(option)[start..], child);
        }
        let bounds = encoding.bounds.len();
        self.bounds.copy_within((depth - 1) * bounds..depth * bounds, depth * bounds);
    }

    /// Returns the first group with an item that is not covered, or one behind them.
    #[inline(always)]
    fn first_group(&self, encoding: &Encoding<T, N>, depth: usize) -> usize {
        let open = &self.keys[depth * self.key_words..][..encoding.words];
        match open.iter().position(|&word| word != 0) {
            Some(word) => (word * 64 + open[word].trailing_zeros() as usize) / N,
            None => encoding.item_groups,
        }
    }

    /// Chooses an option whose row is in the live set already; `false` if an item has too many then.
    #[inline(always)]
    fn choose(&mut self, encoding: &Encoding<T, N>, depth: usize, option: u32) -> bool {
        self.weight.scale(encoding.weights[option as usize]);
        let open = &mut self.keys[depth * self.key_words..][..encoding.words];
        for (open, covers) in open.iter_mut().zip(encoding.covers(option)) {
            *open &= !covers;
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

    /// Likewise for one that is forced.
    #[inline(always)]
    fn force(&mut self, encoding: &Encoding<T, N>, depth: usize, start: usize, option: u32) -> bool {
        let lines = encoding.lines;
        let frame = &mut self.frames[depth * lines..][start..lines];
        self.kernel.restrict(frame, &encoding.row(option)[start..]);
        self.choose(encoding, depth, option)
    }

    /// Chooses what is forced until nothing is.
    #[inline(always)]
    fn propagate(&mut self, encoding: &Encoding<T, N>, depth: usize) -> Child {
        let lines = encoding.lines;
        loop {
            let first = self.first_group(encoding, depth);
            if first < encoding.item_groups {
                let start = encoding.groups[first].line as usize;
                let least = self.measure(encoding, depth, first);
                if least == T::ZERO {
                    return Child::Dead;
                }
                if least > T::bit(0) {
                    if encoding.bounds.is_empty() {
                        return self.select(encoding, depth, first, least);
                    }
                    match self.check_bounds(encoding, depth) {
                        None => return Child::Dead,
                        Some(true) => continue,
                        Some(false) => return self.select(encoding, depth, first, least),
                    }
                }
                for group in first..encoding.item_groups {
                    let mut lanes = self.kernel.mask(&self.degrees[group], T::bit(0));
                    while lanes != 0 {
                        let lane = group * N + lanes.trailing_zeros() as usize;
                        lanes &= lanes - 1;
                        let frame = &self.frames[depth * lines..][..lines];
                        match encoding.next(frame, lane, 1) {
                            Some((_, option)) => {
                                if !self.force(encoding, depth, start, option) {
                                    return Child::Dead;
                                }
                            }
                            None if self.is_open(depth, lane) => return Child::Dead,
                            None => {}
                        }
                    }
                }
                continue;
            }
            if encoding.bounds.is_empty() {
                return Child::Cover;
            }
            match self.check_bounds(encoding, depth) {
                None => return Child::Dead,
                Some(true) => continue,
                Some(false) => {}
            }
            // What is left need not be chosen, but may.
            let frame = &self.frames[depth * lines..][..lines];
            let bounded = (0..encoding.bounds.len()).map(|place| encoding.item_groups * N + place);
            return match bounded.into_iter().find(|&lane| encoding.degree(frame, lane) > 0) {
                Some(lane) => Child::Open { lane, degree: 2, is_binary: true },
                None => Child::Cover,
            };
        }
    }

    fn is_open(&self, depth: usize, lane: usize) -> bool {
        self.keys[depth * self.key_words + lane / 64] >> (lane % 64) & 1 == 1
    }

    /// Counts the options of the items from a group on, and returns the least number.
    #[inline(always)]
    fn measure(&mut self, encoding: &Encoding<T, N>, depth: usize, first: usize) -> T {
        let lines = encoding.lines;
        let frame = &self.frames[depth * lines..][..lines];
        let groups = &encoding.groups[first..encoding.item_groups];
        self.kernel.measure(frame, groups, &mut self.degrees[first..])
    }

    /// Chooses the item to branch on.
    #[inline(always)]
    fn select(&self, encoding: &Encoding<T, N>, depth: usize, first: usize, least: T) -> Child {
        let open = &self.keys[depth * self.key_words..][..encoding.words];
        let degree = |lane: usize| self.degrees[lane / N].0[lane % N].to_u64();
        let lane = match self.branch {
            Branch::Static => {
                let word = open.iter().position(|&word| word != 0).expect("an item is open");
                word * 64 + open[word].trailing_zeros() as usize
            }
            Branch::MinRemaining => {
                let mut group = first;
                loop {
                    let lanes = self.kernel.mask(&self.degrees[group], least);
                    if lanes != 0 {
                        break group * N + lanes.trailing_zeros() as usize;
                    }
                    group += 1;
                }
            }
            Branch::Window(size) => {
                let mut left = size;
                let mut best = (u64::MAX, 0);
                'words: for (place, &word) in open.iter().enumerate() {
                    let mut word = word;
                    while word != 0 {
                        let lane = place * 64 + word.trailing_zeros() as usize;
                        word &= word - 1;
                        best = best.min((degree(lane), lane));
                        left -= 1;
                        if left == 0 {
                            break 'words;
                        }
                    }
                }
                best.1
            }
        };
        Child::Open { lane, degree: degree(lane) as u32, is_binary: false }
    }

    /// Applies the bounds: `None` if they cannot be kept, else whether options were chosen or left out.
    fn check_bounds(&mut self, encoding: &Encoding<T, N>, depth: usize) -> Option<bool> {
        let lines = encoding.lines;
        let mut has_changed = false;
        for place in 0..encoding.bounds.len() {
            let (low, high) = self.bounds[depth * encoding.bounds.len() + place];
            let lane = encoding.item_groups * N + place;
            let frame = &mut self.frames[depth * lines..][..lines];
            let degree = encoding.degree(frame, lane);
            if high == 0 && degree > 0 {
                for (line, without) in frame.iter_mut().zip(&encoding.without[place * lines..]) {
                    *line = line.and(without);
                }
                has_changed = true;
            } else if degree < low {
                return None;
            } else if degree == low && low > 0 {
                let (_, option) = encoding.next(frame, lane, 1).expect("the item has options");
                if !self.force(encoding, depth, 0, option) {
                    return None;
                }
                has_changed = true;
            }
        }
        Some(has_changed)
    }

    /// Adds up a child that is done, or enters it.
    #[inline(always)]
    fn enter(&mut self, encoding: &Encoding<T, N>, child: Child) {
        let depth = self.nodes.len();
        let (lane, degree, is_binary) = match child {
            Child::Dead => return self.add(&Number::ZERO),
            Child::Cover => return self.add(&Number::ONE),
            Child::Open { lane, degree, is_binary } => (lane, degree, is_binary),
        };
        let words = self.key_words;
        let open = &self.keys[depth * words..][..encoding.words];
        let level = open.iter().map(|word| word.count_ones()).sum::<u32>();
        let state = &mut self.levels[level as usize];
        let is_kept = state.skips == 0;
        if is_kept {
            state.lookups += 1;
            self.outlook.lookups += 1;
            if words > encoding.words {
                self.finish_key(encoding, depth);
            }
            let found = self.cache.get(&self.keys[depth * words..][..words]);
            if let Some(found) = found {
                self.outlook.hits += 1;
                self.outlook.saved += found.nodes;
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
        self.nodes.push(Node {
            lane: lane as u32,
            next: 1,
            tried: 0,
            degree,
            is_binary,
            is_kept,
            weight: std::mem::replace(&mut self.weight, Number::ONE),
            sum: Number::ZERO,
            nodes_before: self.outlook.nodes as f64 + self.outlook.saved,
            level,
        });
    }

    #[inline(always)]
    /// Fills in the rest of a key: which elements live options have, and what is left of bounds.
    fn finish_key(&mut self, encoding: &Encoding<T, N>, depth: usize) {
        let frame = &self.frames[depth * encoding.lines..][..encoding.lines];
        let key = &mut self.keys[depth * self.key_words..][encoding.words..self.key_words];
        let mut key = key.iter_mut();
        let mut push = |word: u64| *key.next().expect("keys were measured") = word;
        let (bounded, elements) = encoding.groups[encoding.item_groups..].split_at(encoding.bounded_groups);
        for group in elements {
            let lines = &frame[group.line as usize..][..group.chunks as usize];
            let live = lines.iter().fold(Line::<T, N>::ZERO, |live, line| live.zip(line, T::or));
            push(!self.kernel.mask(&live, T::ZERO) & (u64::MAX >> (64 - N)));
        }
        for group in bounded {
            for line in &frame[group.line as usize..][..group.chunks as usize] {
                for lanes in line.0.chunks(64 / T::BITS) {
                    let lanes = lanes.iter().enumerate();
                    push(lanes.fold(0, |word, (at, lane)| word | lane.to_u64() << (at * T::BITS)));
                }
            }
        }
        for &(low, high) in &self.bounds[depth * encoding.bounds.len()..][..encoding.bounds.len()] {
            push(u64::from(low) << 32 | u64::from(high));
        }
    }

    /// Adds the count of a child to its parent, or tells the whole.
    #[inline(always)]
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

    /// Leaves the last node, whose options were all tried.
    fn leave(&mut self) {
        let Some(node) = self.nodes.pop() else { return };
        let depth = self.nodes.len();
        if node.is_kept {
            let nodes = self.outlook.nodes as f64 + self.outlook.saved - node.nodes_before;
            self.cache.insert(
                &self.keys[depth * self.key_words..][..self.key_words],
                &node.sum,
                nodes as u64,
            );
        }
        self.weight = node.weight;
        self.add(&node.sum);
    }
}
