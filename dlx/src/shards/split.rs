//! Splits a problem into shards, always splitting the most expensive subtree next.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::{Path, PathChoice, Sha256Digest, Shard};
use crate::engine::Links;
use crate::limits::{Limit, Limits};
use crate::methods;
use crate::model::{OptionId, Problem, Subtree};
use crate::numbers::Random;
use crate::search::{End, Engine as _};

const WALKS: u32 = 8;
/// Maximum number of steps of a random walk, which ignores deeper nodes.
const STEPS_MAX: usize = 256;
/// Maximum number of partial covers of an orbit whose cost is estimated by random walks; the other
/// ones get the mean.
const BEGINNINGS_WALKED: usize = 64;

/// Splits the covers of `problem` that contain the options of `given` into about `count` shards,
/// sorted by path. If the tree has enough subtrees, there are at least `count` shards, and the
/// excess is less than the number of choices of one node.
///
/// The same problem and count give the same shards. Detecting symmetries may take 64 MB,
/// independent of the limits.
///
/// ```
/// use dlx::shards::{Sha256Digest, ShardCounter, ShardTally, split};
/// use dlx::Limits;
///
/// let problem: dlx::Problem = "a b c d\na\na b\nb c\nb\nc d\nc\nd\n".parse()?;
/// let limits = Limits::new();
/// let digest = Sha256Digest::of(&problem, &[], &limits).expect("no limits are set");
/// let mut counter = ShardCounter::new(problem.clone());
/// let mut tally = ShardTally::new(digest);
/// for shard in split(&problem, &[], 3, &limits).expect("no limits are set") {
///     let count = counter.count(&shard, &limits).total();
///     tally.add(shard.counted(&digest, count)).expect("it is new");
/// }
/// assert_eq!(tally.total().expect("none is missing"), dlx::count(&problem));
/// # Ok::<(), dlx::ParseError>(())
/// ```
///
/// # Errors
/// The limit of time or memory, or the cancel flag, that ended the splitting.
///
/// # Panics
/// If an option of `given` does not belong to the problem.
pub fn split(
    problem: &Problem,
    given: &[OptionId],
    count: usize,
    limits: &Limits,
) -> Result<Vec<Shard>, Limit> {
    split_root(problem, given, count, limits, true)
}

/// Splits like [`split`], but does not merge isomorphic choices. Each cover is in exactly one
/// shard, and each shard has weight one.
///
/// ```
/// use dlx::Limits;
/// use dlx::shards::{split, split_apart};
///
/// // Two of four options that differ only in their place.
/// let problem: dlx::Problem = "2|pair\npair\npair\npair\npair\n".parse()?;
/// let limits = Limits::new();
/// let apart = split_apart(&problem, &[], 3, &limits).expect("no limits are set");
/// assert!(apart.iter().all(|shard| shard.path.weight() == 1_u32.into()));
/// assert!(apart.len() >= split(&problem, &[], 3, &limits).expect("no limits are set").len());
/// # Ok::<(), dlx::ParseError>(())
/// ```
///
/// # Errors
/// The limit of time or memory, or the cancel flag, that ended the splitting.
///
/// # Panics
/// If an option of `given` does not belong to the problem.
pub fn split_apart(
    problem: &Problem,
    given: &[OptionId],
    count: usize,
    limits: &Limits,
) -> Result<Vec<Shard>, Limit> {
    split_root(problem, given, count, limits, false)
}

fn split_root(
    problem: &Problem,
    given: &[OptionId],
    count: usize,
    limits: &Limits,
    merges: bool,
) -> Result<Vec<Shard>, Limit> {
    let mut given = given.to_vec();
    given.sort_unstable();
    given.dedup();
    let seed = Sha256Digest::of(problem, &given, limits)?;
    let root = Shard { path: Path::default(), part: given.into(), estimate: 0.0 };
    Splitter::new(problem, seed, limits, merges).split(root, count)
}

/// Splits a shard into about `count` shards, which replace it.
///
/// # Errors
/// The limit of time or memory, or the cancel flag, that ended the splitting.
///
/// # Panics
/// If an option of the shard does not belong to the problem.
pub fn split_further(
    problem: &Problem,
    shard: &Shard,
    count: usize,
    limits: &Limits,
) -> Result<Vec<Shard>, Limit> {
    let seed = Sha256Digest::of_bytes(shard.path.to_string().as_bytes());
    Splitter::new(problem, seed, limits, true).split(shard.clone(), count)
}

/// A subtree that may be split; the most expensive subtree compares greatest.
struct OpenPart {
    estimate: f64,
    place: usize,
}

impl Ord for OpenPart {
    fn cmp(&self, other: &Self) -> Ordering {
        self.estimate.total_cmp(&other.estimate).then(other.place.cmp(&self.place))
    }
}

impl PartialOrd for OpenPart {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for OpenPart {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for OpenPart {}

enum Root {
    Choices(Vec<Subtree>),
    /// The root of the subtree has no choice; it may be a cover.
    End {
        has_cover: bool,
    },
}

fn is_whole(part: &Shard) -> bool {
    let Shard { path, part, .. } = part;
    path.choices().is_empty() && part.given().is_empty() && part.without().is_empty()
}

fn paths(part: &Shard, kinds: Vec<(Subtree, u32)>) -> impl Iterator<Item = (Path, Subtree)> {
    let degree = kinds.len() as u32;
    (0..).zip(kinds).map(move |(choice, (subtree, times))| {
        (part.path.then(PathChoice { choice, degree, times }), subtree)
    })
}

struct Splitter<'p> {
    problem: &'p Problem,
    links: Links,
    random: Random,
    limits: &'p Limits,
    merges: bool,
    /// The subtrees so far, or `None` in place of a subtree that was split.
    parts: Vec<Option<Shard>>,
}

impl<'p> Splitter<'p> {
    fn new(problem: &'p Problem, seed: Sha256Digest, limits: &'p Limits, merges: bool) -> Self {
        Self {
            problem,
            links: Links::new(problem),
            random: Random::new(seed.short()),
            limits,
            merges,
            parts: Vec::new(),
        }
    }

    fn split(mut self, root: Shard, count: usize) -> Result<Vec<Shard>, Limit> {
        let estimate = self.estimate(&root.part)?;
        self.parts.push(Some(Shard { estimate, ..root }));
        let mut open = BinaryHeap::from([OpenPart { estimate, place: 0 }]);
        let mut part_count = 1;
        while part_count < count
            && let Some(OpenPart { place, .. }) = open.pop()
        {
            self.limits.check()?;
            let Some(part) = self.parts[place].clone() else { continue };
            let Some(children) = self.children(&part)? else { continue };
            self.parts[place] = None;
            part_count += children.len() - 1;
            for child in children {
                open.push(OpenPart { estimate: child.estimate, place: self.parts.len() });
                self.parts.push(Some(child));
            }
        }
        let mut shards: Vec<_> = self.parts.into_iter().flatten().collect();
        shards.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(shards)
    }

    /// Returns the subtrees below `part`, without immediate dead ends and with isomorphic choices
    /// merged, or `None` for a leaf.
    fn children(&mut self, part: &Shard) -> Result<Option<Vec<Shard>>, Limit> {
        let Root::Choices(choices) = self.root(&part.part) else { return Ok(None) };
        let live = self.live(choices, |choice| choice)?;
        let alike = if self.merges {
            methods::class_representatives(self.problem, live, self.limits)?
        } else {
            live.into_iter().map(|choice| (choice, 1)).collect()
        };
        if self.merges
            && is_whole(part)
            && let Some(children) = self.beginnings(part, &alike)?
        {
            return Ok(Some(children));
        }
        let mut children = Vec::with_capacity(alike.len());
        for (path, subtree) in paths(part, alike) {
            let estimate = self.estimate(&subtree)?;
            children.push(Shard { path, estimate, part: subtree });
        }
        Ok((!children.is_empty()).then_some(children))
    }

    /// Returns one subtree of the root per symmetry class of the ways to cover an orbit of items,
    /// or `None` unless that saves more nodes than the merged choices `alike` of the root.
    fn beginnings(
        &mut self,
        whole: &Shard,
        alike: &[(Subtree, u32)],
    ) -> Result<Option<Vec<Shard>>, Limit> {
        let all: f64 = alike.iter().map(|&(_, times)| f64::from(times)).sum();
        let nodes = whole.estimate * alike.len() as f64 / all;
        let found = methods::representative_beginnings(self.problem, nodes, self.limits)?;
        let Some(kinds) = found else { return Ok(None) };
        let kinds = self.live(kinds, |(beginning, _)| beginning)?;
        let walked = &kinds[..kinds.len().min(BEGINNINGS_WALKED)];
        let mut sum = 0.0;
        for (beginning, _) in walked {
            sum += self.estimate(beginning)?;
        }
        let estimate = sum / walked.len() as f64;
        let shard = |(path, part)| Shard { path, part, estimate };
        Ok((!kinds.is_empty()).then(|| paths(whole, kinds).map(shard).collect()))
    }

    fn live<T>(&mut self, things: Vec<T>, part: impl Fn(&T) -> &Subtree) -> Result<Vec<T>, Limit> {
        let mut live = Vec::with_capacity(things.len());
        for thing in things {
            self.limits.check()?;
            if !matches!(self.root(part(&thing)), Root::End { has_cover: false }) {
                live.push(thing);
            }
        }
        Ok(live)
    }

    fn root(&mut self, part: &Subtree) -> Root {
        let report = self.links.count_subtree(part, &Limits::new().nodes(1).rest(true));
        match report.rest {
            Some(rest) if report.end != End::Exhausted && !rest.is_empty() => Root::Choices(rest),
            _ => Root::End { has_cover: report.solutions > 0 },
        }
    }

    /// Estimates the number of nodes of a subtree as the mean of some random walks.
    fn estimate(&mut self, part: &Subtree) -> Result<f64, Limit> {
        let Root::Choices(first) = self.root(part) else { return Ok(1.0) };
        let mut sum = 0.0;
        for _ in 0..WALKS {
            let (mut width, mut nodes) = (first.len() as f64, 1.0 + first.len() as f64);
            let mut part = first[self.random.below(first.len())].clone();
            for _ in 0..STEPS_MAX {
                self.limits.check()?;
                let Root::Choices(mut choices) = self.root(&part) else { break };
                width *= choices.len() as f64;
                nodes += width;
                part = choices.swap_remove(self.random.below(choices.len()));
            }
            sum += nodes;
        }
        Ok((sum / f64::from(WALKS)).min(f64::MAX))
    }
}
