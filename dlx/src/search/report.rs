//! The report of a search: its end, its results and its cost.

use limits::End;
use num_bigint::BigUint;

use crate::model::Subtree;

/// The nodes and updates of one level of the search tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Level {
    /// Number of nodes at this level, where the root is at level 0.
    pub nodes: u64,
    /// Updates made for the choices at nodes of this level.
    pub updates: u64,
}

/// The results and the cost of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The reason why the search ended.
    pub end: End,
    /// The number of covers visited or counted, or `u64::MAX` if there are more
    /// ([`Report::large`]).
    pub solutions: u64,
    /// The number of covers visited or counted, if it exceeds a `u64`.
    pub large: Option<BigUint>,
    /// The number of nodes entered, including the root and the covers.
    pub nodes: u64,
    /// The number of changes of the engine's main data structure. Each engine defines its unit.
    pub updates: u64,
    /// One entry per level if [`Limits::profile`](crate::Limits::profile) is set and the engine
    /// supports it; otherwise empty.
    pub levels: Vec<Level>,
    /// The unsearched subtrees, if [`Limits::rest`](crate::Limits::rest) is set, the search ended
    /// early, and the engine supports it. Each cover not visited yet is in exactly one subtree. The
    /// subtrees come in search order, and each lists the options given to this search first.
    /// [`Engine::search_subtree`](crate::search::Engine::search_subtree) searches a subtree.
    ///
    /// ```
    /// use dlx::{Engine, Limits, Subtree, engine::Links};
    ///
    /// let problem: dlx::Problem = "a b c\na\nb\nc\na b\nb c\na c\n".parse()?;
    /// let mut links = Links::new(&problem);
    /// let mut open = vec![Subtree::default()];
    /// let mut covers = 0;
    /// // One cover at a time; the rest is searched later, possibly on another machine.
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
    /// Builds a report without covers and nodes, for a search that ended before it began.
    #[must_use]
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    pub fn empty(end: End) -> Self {
        Self { end, solutions: 0, large: None, nodes: 0, updates: 0, levels: Vec::new(), rest: None }
    }

    /// Builds the report of a count of `total` covers.
    #[must_use]
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    pub fn counted(end: End, total: BigUint) -> Self {
        let solutions = u64::try_from(&total).unwrap_or(u64::MAX);
        let large = (BigUint::from(solutions) < total).then_some(total);
        Self { solutions, large, ..Self::empty(end) }
    }

    /// Returns the number of covers, if all were visited or counted and it fits in a `u64`.
    #[must_use]
    pub fn count(&self) -> Option<u64> {
        (self.end == End::Exhausted && self.large.is_none()).then_some(self.solutions)
    }

    /// Returns the number of covers visited or counted, of any size. This is the number of all
    /// covers exactly when the search was exhausted.
    #[must_use]
    pub fn total(&self) -> BigUint {
        self.large.clone().unwrap_or_else(|| self.solutions.into())
    }
}
