//! How a search ended, what it found, and what it cost.

use num_bigint::BigUint;

use crate::limits::Limit;
use crate::model::Subtree;

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum End {
    /// The whole tree was searched: every cover was visited.
    Exhausted,
    /// The visitor asked to stop.
    Stopped,
    /// A limit was reached.
    Limit(Limit),
}

/// The nodes and updates of one level of the search tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Level {
    /// Nodes at this level; the root is level 0.
    pub nodes: u64,
    /// Updates made by the choices at nodes of this level.
    pub updates: u64,
}

/// What a search found and what it cost.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// How the search ended.
    pub end: End,
    /// Covers visited or counted; `u64::MAX` if they are more than that ([`Report::large`]).
    pub solutions: u64,
    /// The number of covers, where it is more than `solutions` can hold.
    pub large: Option<BigUint>,
    /// Nodes of the search tree that were entered, the root and the solutions included.
    pub nodes: u64,
    /// Changes of the engine's main structure; each engine says what it counts.
    pub updates: u64,
    /// One entry a level if [`Limits::profile`](crate::Limits::profile) asked for it and the engine keeps one, else empty.
    pub levels: Vec<Level>,
    /// What was left unsearched, if [`Limits::rest`](crate::Limits::rest) asked for it, the search ended early, and the engine
    /// can tell: parts of the tree, whose covers are just the covers that were not visited, each in one
    /// part. They come in the order of the search, and each lists the options given to this search
    /// first. [`Engine::search_subtree`](crate::search::Engine::search_subtree) goes on with one.
    ///
    /// ```
    /// use dlx::{Engine, Limits, Subtree, engine::Links};
    ///
    /// let problem: dlx::Problem = "a b c\na\nb\nc\na b\nb c\na c\n".parse()?;
    /// let mut links = Links::new(&problem);
    /// let mut open = vec![Subtree::default()];
    /// let mut covers = 0;
    /// // One cover at a time; what is left is searched later, perhaps elsewhere.
    /// while let Some(part) = open.pop() {
    ///     let report = links.count_subtree(&part, &Limits::new().solutions(1).rest(true));
    ///     covers += report.solutions;
    ///     open.extend(report.rest.into_iter().flatten());
    /// }
    /// assert_eq!(covers, 4);
    /// # Ok::<(), dlx::ParseError>(())
    /// ```
    pub rest: Option<Vec<Subtree>>,
}

impl Report {
    /// Makes the report of a search that never began, because its end was known in advance.
    #[must_use]
    pub fn empty(end: End) -> Self {
        Self { end, solutions: 0, large: None, nodes: 0, updates: 0, levels: Vec::new(), rest: None }
    }

    /// Makes the report of a count of `total` covers.
    #[must_use]
    pub fn counted(end: End, total: BigUint) -> Self {
        let solutions = u64::try_from(&total).unwrap_or(u64::MAX);
        let large = (BigUint::from(solutions) < total).then_some(total);
        Self { solutions, large, ..Self::empty(end) }
    }

    /// Returns the number of covers if all were visited or counted and a `u64` holds it.
    #[must_use]
    pub fn count(&self) -> Option<u64> {
        (self.end == End::Exhausted && self.large.is_none()).then_some(self.solutions)
    }

    /// Returns the number of covers visited or counted: of all, if the search was exhausted.
    #[must_use]
    pub fn total(&self) -> BigUint {
        self.large.clone().unwrap_or_else(|| self.solutions.into())
    }
}
