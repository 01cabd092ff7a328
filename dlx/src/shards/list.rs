//! Visits the covers of shards.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::{Sha256Digest, Shard, is_hex};
use crate::limits::Limits;
use crate::model::{OptionId, Problem, restrict_to};
use crate::parallel::Cores;
use crate::search::{End, Engine as _, Report, Visit};
use crate::solve::Solver;

/// Visits the covers of the shards of one problem, one shard after another, with a [`Solver`].
///
/// ```
/// use std::ops::ControlFlow;
///
/// use dlx::Limits;
/// use dlx::shards::{CoversDigest, ShardLister, split_apart};
///
/// let problem: dlx::Problem = "a b c d\na\na b\nb c\nb\nc d\nc\nd\n".parse()?;
/// let limits = Limits::new();
/// let mut lister = ShardLister::new(problem.clone());
/// let mut digest = CoversDigest::default();
/// for shard in split_apart(&problem, &[], 3, &limits).expect("no limits are set") {
///     lister.search(&shard, &limits, &mut |cover| {
///         digest.add(cover);
///         ControlFlow::Continue(())
///     });
/// }
/// let mut whole = CoversDigest::default();
/// dlx::solutions(&problem).for_each(|cover| whole.add(&cover));
/// assert_eq!(digest, whole);
/// # Ok::<(), dlx::ParseError>(())
/// ```
pub struct ShardLister {
    problem: Arc<Problem>,
    cores: Arc<Cores>,
    solver: Solver,
}

impl ShardLister {
    /// Creates a lister for shards of `problem`.
    #[must_use]
    pub fn new(problem: impl Into<Arc<Problem>>) -> Self {
        let problem = problem.into();
        let solver = Solver::new(Arc::clone(&problem));
        Self { problem, cores: Cores::new(0), solver }
    }

    /// Lets this lister use the idle `cores`.
    #[must_use]
    pub fn on(self, cores: &Arc<Cores>) -> Self {
        Self { cores: Arc::clone(cores), solver: self.solver.on(cores), ..self }
    }

    /// Visits each cover of a shard once; the weight of the shard is ignored.
    ///
    /// # Panics
    /// If an option of the shard does not belong to the problem.
    pub fn search(&mut self, shard: &Shard, limits: &Limits, visit: &mut Visit<'_>) -> Report {
        let (given, without) = (shard.part.given(), shard.part.without());
        if without.is_empty() {
            return self.solver.search(&given, limits, visit);
        }
        let Some(restricted) = restrict_to(&self.problem, &given, without) else {
            return Report::empty(End::Exhausted);
        };
        let mut cover = Vec::new();
        Solver::new(restricted.problem).on(&self.cores).search(&[], limits, &mut |found| {
            cover.clear();
            cover.extend(found.iter().map(|option| restricted.originals[option.index()]));
            visit(&cover)
        })
    }
}

impl fmt::Debug for ShardLister {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShardLister").finish_non_exhaustive()
    }
}

/// A digest of a set of covers: the sum of their SHA-256 digests modulo 2^128. The order of the
/// covers and of their options does not matter.
///
/// ```
/// use dlx::OptionId;
/// use dlx::shards::CoversDigest;
///
/// let of = |covers: &[[usize; 2]]| {
///     let mut digest = CoversDigest::default();
///     covers.iter().for_each(|cover| digest.add(&cover.map(OptionId::new)));
///     digest
/// };
/// assert_eq!(of(&[[0, 1], [2, 3]]), of(&[[3, 2], [0, 1]]));
/// assert_ne!(of(&[[0, 1], [2, 3]]), of(&[[0, 2], [1, 3]]));
/// assert_eq!(of(&[[0, 1]]).to_string().parse(), Ok(of(&[[1, 0]])));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CoversDigest(u128);

impl CoversDigest {
    /// Adds a cover.
    pub fn add(&mut self, cover: &[OptionId]) {
        let mut options: Vec<u64> = cover.iter().map(|option| option.index() as u64).collect();
        options.sort_unstable();
        let bytes: Vec<u8> = options.iter().flat_map(|option| option.to_le_bytes()).collect();
        self.0 = self.0.wrapping_add(Sha256Digest::of_bytes(&bytes).half());
    }

    /// Returns the digest of both sets of covers together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl fmt::Display for CoversDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl FromStr for CoversDigest {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = u128::from_str_radix(text, 16).ok().filter(|_| is_hex(text, 32));
        number.map(Self).ok_or_else(|| format!("expected a digest of 32 digits, found `{text}`"))
    }
}
