//! Adds up the counts of shards, and checks that their paths are the leaves of a complete tree.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use num_bigint::BigUint;

use super::{CoversDigest, Path, PathChoice, Sha256Digest, ShardId};

const NAMED_MAX: usize = 5;

/// The number of covers of a shard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShardCount {
    /// The id of the shard.
    pub id: ShardId,
    /// The path of the shard.
    pub path: Path,
    /// The number of covers of the shard, without its weight.
    pub count: BigUint,
    /// The digest of the covers, if they were listed. Most counting methods do not list covers.
    pub covers: Option<CoversDigest>,
}

/// The reason why the counts of shards cannot be added up to a total count.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The id does not match the path: the shard belongs to another problem or format version.
    Foreign(ShardId),
    /// The same shard has two different counts.
    Contradictory {
        /// The shard.
        id: ShardId,
        /// The earlier count.
        known: BigUint,
        /// The later count.
        found: BigUint,
    },
    /// The covers of the same shard have two different digests.
    Unequal {
        /// The shard.
        id: ShardId,
        /// The earlier digest.
        known: CoversDigest,
        /// The later digest.
        found: CoversDigest,
    },
    /// One of the two shards is a part of the other shard.
    Overlapping(ShardId, ShardId),
    /// Two shards have different choice counts at a node, so they come from different splits.
    Unlike(ShardId, ShardId),
    /// The counts of some subtrees are missing.
    Missing {
        /// The paths of the first missing subtrees.
        first: Vec<Path>,
        /// The number of all missing subtrees.
        count: usize,
    },
}

impl Fault {
    /// Returns the shards that the fault concerns; empty if subtrees are missing.
    #[must_use]
    pub fn shards(&self) -> Vec<ShardId> {
        match *self {
            Self::Foreign(id) | Self::Contradictory { id, .. } | Self::Unequal { id, .. } => vec![id],
            Self::Overlapping(one, other) | Self::Unlike(one, other) => vec![one, other],
            Self::Missing { .. } => Vec::new(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign(id) => write!(f, "shard {id} is not one of this problem"),
            Self::Contradictory { id, known, found } => {
                write!(f, "shard {id} has the counts {known} and {found}")
            }
            Self::Unequal { id, known, found } => {
                write!(f, "shard {id} has covers with the digests {known} and {found}")
            }
            Self::Overlapping(one, other) => write!(f, "the shards {one} and {other} overlap"),
            Self::Unlike(one, other) => {
                write!(f, "the shards {one} and {other} come from different splits")
            }
            Self::Missing { first, count } => {
                let paths: Vec<_> = first.iter().map(|path| format!("`{path}`")).collect();
                let more = match count - first.len() {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                let parts = if *count == 1 { "the part" } else { "the parts" };
                let are = if *count == 1 { "is" } else { "are" };
                write!(f, "{parts} {}{more} {are} missing", paths.join(", "))
            }
        }
    }
}

impl std::error::Error for Fault {}

/// Adds up the counts of shards and checks that they are complete.
///
/// ```
/// use dlx::shards::{Sha256Digest, ShardCount, ShardId, ShardTally};
///
/// let digest = Sha256Digest::of_bytes(b"a problem");
/// let count = |path: &str, count: u32| {
///     let path: dlx::shards::Path = path.parse().expect("it is in order");
///     ShardCount { id: ShardId::of(&digest, &path), path, count: count.into(), covers: None }
/// };
/// let mut tally = ShardTally::new(digest);
/// assert_eq!(tally.add(count("0/2", 5)), Ok(true));
/// assert_eq!(tally.add(count("0/2", 5)), Ok(false), "it is known");
/// assert_eq!(tally.total().unwrap_err().to_string(), "the part `1/2` is missing");
/// assert_eq!(tally.add(count("1/2", 7)), Ok(true));
/// assert_eq!(tally.total(), Ok(12_u32.into()));
/// assert!(tally.add(count("1/2", 8)).unwrap_err().to_string().ends_with("has the counts 7 and 8"));
/// ```
#[derive(Clone, Debug)]
pub struct ShardTally {
    digest: Sha256Digest,
    counts: HashMap<ShardId, ShardCount>,
    known: BigUint,
}

impl ShardTally {
    /// Creates an empty tally for the problem with this digest.
    #[must_use]
    pub fn new(digest: Sha256Digest) -> Self {
        Self { digest, counts: HashMap::new(), known: BigUint::ZERO }
    }

    /// Adds the count of a shard. Returns `false` if the tally had this count already.
    ///
    /// # Errors
    /// If the shard belongs to another problem, or the count contradicts an earlier one.
    pub fn add(&mut self, count: ShardCount) -> Result<bool, Fault> {
        let ShardCount { id, ref path, count: ref found, .. } = count;
        if ShardId::of(&self.digest, path) != id {
            return Err(Fault::Foreign(id));
        }
        if let Some(known) = self.counts.get_mut(&id) {
            if known.count != *found {
                let (known, found) = (known.count.clone(), found.clone());
                return Err(Fault::Contradictory { id, known, found });
            }
            if let (Some(known), Some(found)) = (known.covers, count.covers)
                && known != found
            {
                return Err(Fault::Unequal { id, known, found });
            }
            known.covers = known.covers.or(count.covers);
            return Ok(false);
        }
        self.known += found * path.weight();
        self.counts.insert(id, count);
        Ok(true)
    }

    /// Returns whether the count of a shard was added.
    #[must_use]
    pub fn has(&self, id: ShardId) -> bool {
        self.counts.contains_key(&id)
    }

    /// Returns the added counts in arbitrary order.
    pub fn counts(&self) -> impl Iterator<Item = &ShardCount> {
        self.counts.values()
    }

    /// Returns the number of shards with added counts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Returns whether no count was added.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Returns the sum of the added counts, each multiplied by the weight of its shard.
    #[must_use]
    pub fn known(&self) -> &BigUint {
        &self.known
    }

    /// Returns the number of all covers.
    ///
    /// # Errors
    /// If shards are missing, or overlap.
    pub fn total(&self) -> Result<BigUint, Fault> {
        let leaves = self.counts.values().map(|count| (count.path.choices(), count.id));
        let mut leaves: Vec<(&[PathChoice], ShardId)> = leaves.collect();
        leaves.sort_unstable();
        let mut missing = Vec::new();
        let mut missing_count = 0;
        let mut miss = |path: &[PathChoice]| {
            missing_count += 1;
            if missing.len() < NAMED_MAX {
                missing.push(Path::beginning(path));
            }
        };
        if leaves.is_empty() {
            miss(&[]);
        }
        // The leaves below each open node, and its depth. The first node in order is popped first.
        let mut open = vec![(&leaves[..], 0)];
        while let Some((leaves, depth)) = open.pop() {
            let [first, rest @ ..] = leaves else { continue };
            if first.0.len() == depth {
                match rest.first() {
                    Some(second) => return Err(Fault::Overlapping(first.1, second.1)),
                    None => continue,
                }
            }
            let PathChoice { degree, .. } = first.0[depth];
            if let Some(other) = rest.iter().find(|other| other.0[depth].degree != degree) {
                return Err(Fault::Unlike(first.1, other.1));
            }
            let mut miss_from = |choices: Range<u32>| {
                for choice in choices {
                    let path = [&first.0[..depth], &[PathChoice { choice, degree, times: 1 }]].concat();
                    miss(&path);
                }
            };
            let mut next = 0;
            let mut behind = Vec::new();
            for group in leaves.chunk_by(|one, other| one.0[depth].choice == other.0[depth].choice) {
                let PathChoice { choice, times, .. } = group[0].0[depth];
                if let Some(other) = group.iter().find(|other| other.0[depth].times != times) {
                    return Err(Fault::Unlike(group[0].1, other.1));
                }
                miss_from(next..choice);
                next = choice + 1;
                behind.push((group, depth + 1));
            }
            miss_from(next..degree);
            open.extend(behind.into_iter().rev());
        }
        if missing_count > 0 {
            return Err(Fault::Missing { first: missing, count: missing_count });
        }
        Ok(self.known.clone())
    }
}
