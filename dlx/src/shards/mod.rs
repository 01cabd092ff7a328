//! Shards: disjoint parts of a count that together are all of it, for machines that know nothing of each other.
//!
//! # Method
//! A shard is a [`Subtree`] of the plain search, and its *path*: the choices on the way from the root to it, each with
//! the number of choices there were. By the paths alone, without the problem, a [`ShardTally`] sees that a set of shards is
//! a whole tree: none is missing, and none overlaps another.
//! - [`split`] refines the part that is expected to cost most, until there are as many parts as were asked for. The
//!   choices of a part are those of dancing links at its root; choices that fail at once are no choices. The cost is
//!   estimated by random walks (Knuth, "Estimating the efficiency of backtrack programs", 1975), whose seed comes from
//!   the problem: the same problem, split into as many, has the same shards on every machine.
//! - Choices of a node whose remaining problems differ in names only are one choice that counts as often: equal forms,
//!   compared in full, say so (`methods/symmetry`). Of a Latin square the first row has one way that counts n! times.
//! - Where a problem has few symmetries, as a board of queens, the choices of the root are the ways to cover an orbit of items,
//!   one of each class that they map to each other (`methods/alike/orbits`), if that promises fewer nodes.
//! - [`ShardCounter`] counts a shard by the methods of a [`Counter`](crate::count::Counter). The number depends on nothing
//!   but the shard. What takes too long is split further: its parts extend its paths, so they take its place in any tally.
//! - [`split_apart`] merges nothing, so that a [`ShardLister`] can list the covers of a shard; [`CoversDigest`] tells
//!   whether two lists have the same covers, in whatever order.
//!
//! # Invariant
//! The paths of all shards are the leaves of a tree, each node of which has all its choices. Each cover is in just
//! one leaf, or in a part for which one stands.
//!
//! # Bounds
//! There are as many shards as were asked for, and the choices of one node more; a walk has `STEPS_MAX` steps. What takes
//! long heeds the limits.
//!
//! Tried and dropped: to merge parts with different parents as well. A shard then has a list of paths; for Latin squares
//! of order 5 that was one shard with 161,280 of them, and for larger ones no memory is enough.

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

/// The version of what shards are: others have other ids.
pub const FORMAT: u32 = 1;

/// A SHA-256 digest: of a problem and the options that are given, or of any bytes.
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
    /// Returns the digest of some bytes.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Returns the digest of a problem and the options that are given: of their text and of [`FORMAT`].
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

    /// Returns the first 128 bits.
    fn half(&self) -> u128 {
        u128::from_be_bytes(std::array::from_fn(|place| self.0[place]))
    }
}

/// Tells whether a text is so many hexadecimal digits, the letters among them small.
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

/// The name of a shard: 16 hexadecimal digits, made of the digest of its problem and its path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShardId(u64);

impl ShardId {
    /// Returns the id of the shard of that path.
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

/// A part of a count.
#[derive(Clone, Debug, PartialEq)]
pub struct Shard {
    /// The way to it.
    pub path: Path,
    /// The options that its covers contain, and those that they do not.
    pub part: Subtree,
    /// About how many nodes a plain search of it has.
    pub estimate: f64,
}

impl Shard {
    /// Returns its id in the count of the problem of that digest.
    #[must_use]
    pub fn id(&self, digest: &Sha256Digest) -> ShardId {
        ShardId::of(digest, &self.path)
    }

    /// Returns that it has so many covers, in the count of the problem of that digest.
    #[must_use]
    pub fn counted(&self, digest: &Sha256Digest, count: BigUint) -> ShardCount {
        ShardCount { id: self.id(digest), path: self.path.clone(), count, covers: None }
    }
}
