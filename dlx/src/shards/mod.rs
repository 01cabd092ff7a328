//! Splits a count into shards: disjoint subtrees, which machines count without communicating.
//!
//! # Method
//! A shard is a [`Subtree`] of the search tree, with the *path* of choices from the root to it. A
//! path records the number of choices at each node. So a [`ShardTally`] can check without the
//! problem that a set of shards is a complete tree without overlaps.
//! - [`split`] repeatedly splits the subtree with the highest estimated cost, until there are
//!   enough. The choices of a subtree are the choices of dancing links at its root, except
//!   immediate dead ends. Random walks estimate the cost (Knuth, "Estimating the efficiency of
//!   backtrack programs", 1975). The seed of the walks depends only on the problem, so every
//!   machine gets the same shards for the same problem and number.
//! - Choices of a node with isomorphic subproblems are merged into one choice with a multiplicity.
//!   Isomorphism is decided by comparing canonical forms (`methods/symmetry`). In a Latin square,
//!   the first row then has one choice with multiplicity n!.
//! - If a problem has few symmetries, such as a board of queens, the root may instead branch on the
//!   sets of options that cover an orbit of items, with one representative per symmetry class
//!   (`methods/alike/orbits`). The root branches in this way if fewer nodes are expected.
//! - [`ShardCounter`] counts a shard with the methods of a [`Counter`](crate::count::Counter). The
//!   result depends only on the shard. A shard that takes too long is split further; the paths of
//!   its parts extend its path, so the parts replace it in any tally.
//! - [`split_apart`] merges no choices, so that a [`ShardLister`] can list the covers of a shard. A
//!   [`CoversDigest`] checks whether two lists have the same covers, in any order.
//!
//! # Invariant
//! The paths of all shards are the leaves of a tree that has all choices of each node. Each cover
//! is in exactly one leaf, or in a subtree that a leaf represents.
//!
//! # Bounds
//! The number of shards exceeds the requested number by less than the choices of one node. A random
//! walk has at most `STEPS_MAX` steps. Long computations respect the limits.
//!
//! Tried and dropped: merging subtrees with different parents. A shard then has a list of paths,
//! which is too long to store for Latin squares above order 5.

mod list;
mod path;
mod split;
mod tally;
mod work;

use std::fmt;
use std::str::FromStr;

use num_bigint::BigUint;
use sha2::{Digest as _, Sha256};

pub use self::list::{CoversDigest, ShardLister};
pub use self::path::{Path, PathChoice};
pub use self::split::{split, split_apart, split_further};
pub use self::tally::{Fault, ShardCount, ShardTally};
pub use self::work::ShardCounter;
use crate::limits::{Limit, Limits};
use crate::model::{OptionId, Problem, Subtree, text};

/// Version of the shard format, which is part of every shard id.
pub const FORMAT: u32 = 1;

/// A SHA-256 digest of a problem with given options, or of any bytes.
///
/// ```
/// use dlx::shards::Sha256Digest;
///
/// let digest = Sha256Digest::of_bytes(b"abc");
/// assert!(digest.to_string().starts_with("ba7816bf8f01cfea"));
/// assert_eq!(digest.to_string().parse(), Ok(digest));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sha256Digest([u8; 32]);

impl Sha256Digest {
    /// Returns the digest of `bytes`.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Returns the digest of a problem with given options, computed from their text and [`FORMAT`].
    ///
    /// ```
    /// use dlx::{Limits, OptionId, shards::Sha256Digest};
    ///
    /// let problem: dlx::Problem = "a b\na\nb\na b\n".parse()?;
    /// let of = |given: &[usize]| {
    ///     let given: Vec<_> = given.iter().copied().map(OptionId::new).collect();
    ///     Sha256Digest::of(&problem, &given, &Limits::new())
    /// };
    /// assert_eq!(of(&[1, 0, 1]), of(&[0, 1]));
    /// assert_ne!(of(&[0]), of(&[]));
    /// # Ok::<(), dlx::ParseError>(())
    /// ```
    ///
    /// # Errors
    /// The limit of time or memory that was reached.
    pub fn of(problem: &Problem, given: &[OptionId], limits: &Limits) -> Result<Self, Limit> {
        let text = text::write_within(problem, limits)?;
        let mut given: Vec<_> = given.iter().map(|option| option.index()).collect();
        given.sort_unstable();
        given.dedup();
        let mut hasher = Sha256::new();
        hasher.update(format!("farandole shards {FORMAT}\n{given:?}\n"));
        hasher.update(text);
        Ok(Self(hasher.finalize().into()))
    }

    /// Returns the first 64 bits.
    #[must_use]
    pub fn short(&self) -> u64 {
        u64::from_be_bytes(std::array::from_fn(|place| self.0[place]))
    }

    fn half(&self) -> u128 {
        u128::from_be_bytes(std::array::from_fn(|place| self.0[place]))
    }
}

fn is_hex(text: &str, len: usize) -> bool {
    text.len() == len && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

impl From<[u8; 32]> for Sha256Digest {
    fn from(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl fmt::Display for Sha256Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Sha256Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sha256Digest({self})")
    }
}

impl FromStr for Sha256Digest {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("expected a digest of 64 hexadecimal digits, found `{text}`");
        if !is_hex(text, 64) {
            return Err(wrong());
        }
        let mut bytes = [0; 32];
        for (place, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * place..][..2], 16).map_err(|_| wrong())?;
        }
        Ok(Self(bytes))
    }
}

/// The id of a shard: 16 hexadecimal digits, derived from the digest of its problem and from its
/// path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShardId(u64);

impl ShardId {
    /// Returns the id of the shard with this path.
    #[must_use]
    pub fn of(digest: &Sha256Digest, path: &Path) -> Self {
        Self(Sha256Digest::of_bytes(format!("{digest} {path}").as_bytes()).short())
    }
}

impl fmt::Display for ShardId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Debug for ShardId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ShardId({self})")
    }
}

impl FromStr for ShardId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = u64::from_str_radix(text, 16).ok().map(Self);
        number
            .filter(|id| id.to_string() == text)
            .ok_or_else(|| format!("expected an id of 16 hexadecimal digits, found `{text}`"))
    }
}

/// A subtree of a search tree, counted as a part of the whole count.
#[derive(Clone, Debug, PartialEq)]
pub struct Shard {
    /// The path from the root to the shard.
    pub path: Path,
    /// The options that all covers of the shard contain, and the options that they exclude.
    pub part: Subtree,
    /// Estimated number of nodes of a plain search of the shard.
    pub estimate: f64,
}

impl Shard {
    /// Returns the id of the shard, for the problem with this digest.
    #[must_use]
    pub fn id(&self, digest: &Sha256Digest) -> ShardId {
        ShardId::of(digest, &self.path)
    }

    /// Returns the record of a count of the shard, for the problem with this digest.
    #[must_use]
    pub fn counted(&self, digest: &Sha256Digest, count: BigUint) -> ShardCount {
        ShardCount { id: self.id(digest), path: self.path.clone(), count, covers: None }
    }
}
