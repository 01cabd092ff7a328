//! Subtrees of a search tree that are left unsearched when a search ends early.
//!
//! If every primary item is covered exactly once, the options chosen on the path to a subtree
//! determine it: a cover that contains them lies in this subtree and in no other. With bounds, a
//! choice at an item is the first option of the item in the cover, so it excludes the options tried
//! before. The choice "no more" excludes all remaining options. (If a choice reaches the upper
//! bound of the item, it excludes the other options anyway.)
//!
//! All subtrees left by a search share the options of one path. The subtrees of one branch also
//! share a list of excluded options, and each uses a prefix that is one option longer than the
//! previous one. So memory grows with the sum of the depth and the number of unsearched choices,
//! instead of their product.

use std::fmt;
use std::sync::Arc;

use super::OptionId;

/// A subtree of a search tree: the covers that contain all of some given options and no option of
/// an excluded set.
///
/// [`Report::rest`](crate::search::Report::rest) lists subtrees, and
/// [`Engine::search_subtree`](crate::search::Engine::search_subtree) searches one of them.
///
/// ```
/// use dlx::{Engine, Limits, OptionId, Subtree, engine::Links};
///
/// // Two of the numbers from 0 to 3 are chosen; 0 is, and 2 is not.
/// let problem: dlx::Problem = "2|pair\npair\npair\npair\npair\n".parse()?;
/// let part = Subtree::new(vec![OptionId::new(0)], vec![OptionId::new(2)]);
/// let mut covers = Vec::new();
/// Links::new(&problem).search_subtree(&part, &Limits::new(), &mut |cover| {
///     covers.push(cover.to_vec());
///     std::ops::ControlFlow::Continue(())
/// });
/// assert_eq!(covers, [[0, 1].map(OptionId::new), [0, 3].map(OptionId::new)]);
/// # Ok::<(), dlx::ParseError>(())
/// ```
#[derive(Clone)]
pub struct Subtree {
    share: f64,
    /// The options of a path, the length of the prefix of given options, and another given option.
    path: Arc<[OptionId]>,
    path_count: usize,
    last: Option<OptionId>,
    /// A shared list of options, and the length of the prefix that this subtree excludes.
    without: Arc<[OptionId]>,
    without_count: usize,
}

impl Subtree {
    /// Builds the subtree of the covers that contain all options of `given` and no option of
    /// `without`. Repeated options count once.
    #[must_use]
    pub fn new(given: Vec<OptionId>, without: Vec<OptionId>) -> Self {
        Self { without_count: without.len(), without: without.into(), ..given.into() }
    }

    /// Returns the options that all covers of the subtree contain.
    #[must_use]
    pub fn given(&self) -> Vec<OptionId> {
        self.path[..self.path_count].iter().copied().chain(self.last).collect()
    }

    pub(crate) fn given_count(&self) -> usize {
        self.path_count + usize::from(self.last.is_some())
    }

    /// Returns the excluded options.
    #[must_use]
    pub fn without(&self) -> &[OptionId] {
        &self.without[..self.without_count]
    }

    /// Returns the approximate size of this subtree as a fraction of the searched tree; 1 for a
    /// newly built subtree. The fractions of all subtrees left by a search add up to less than 1.
    ///
    /// The choices at a node have equal shares (Knuth, "Estimating the efficiency of backtrack
    /// programs", 1975).
    ///
    /// ```
    /// use dlx::{Engine, Limits, Subtree, engine::Links};
    ///
    /// // After the root and the first of two choices, the other is left.
    /// let problem: dlx::Problem = "a b\na b\na\nb\n".parse()?;
    /// let report = Links::new(&problem).count(&[], &Limits::new().nodes(2).rest(true));
    /// let shares: Vec<f64> = report.rest.iter().flatten().map(Subtree::share).collect();
    /// assert_eq!(shares, [0.5]);
    /// assert_eq!(Subtree::default().share(), 1.0);
    /// # Ok::<(), dlx::ParseError>(())
    /// ```
    #[must_use]
    pub fn share(&self) -> f64 {
        self.share
    }

    pub(crate) fn within(self, share: f64) -> Self {
        Self { share: self.share * share, ..self }
    }

    /// Adds the excluded options of `whole`, a tree that contains this subtree.
    pub(crate) fn excluding_also(self, whole: &Self) -> Self {
        if self.without().is_empty() {
            return Self {
                without: Arc::clone(&whole.without),
                without_count: whole.without_count,
                ..self
            };
        }
        let without = [whole.without(), self.without()].concat();
        Self { without_count: without.len(), without: without.into(), ..self }
    }
}

impl From<Vec<OptionId>> for Subtree {
    fn from(given: Vec<OptionId>) -> Self {
        let (path_count, path) = (given.len(), given.into());
        Self { share: 1.0, path, path_count, last: None, without: Arc::default(), without_count: 0 }
    }
}

impl Default for Subtree {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl PartialEq for Subtree {
    fn eq(&self, other: &Self) -> bool {
        (self.given(), self.without()) == (other.given(), other.without())
    }
}

impl Eq for Subtree {}

impl fmt::Debug for Subtree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subtree")
            .field("given", &self.given())
            .field("without", &self.without())
            .finish()
    }
}

/// A branching node on the path from the root to the current node.
#[derive(Debug)]
pub(crate) struct Fork {
    /// The options of the item, in search order. If "no more" is a choice, it comes after them.
    pub(crate) options: Vec<OptionId>,
    pub(crate) degree: usize,
    pub(crate) choice: usize,
    pub(crate) depth: usize,
    /// Whether the item may be covered again after one of its options is chosen.
    pub(crate) is_open: bool,
}

impl Fork {
    fn excluded(&self, choice: usize) -> &[OptionId] {
        let is_last = choice < self.options.len() && !self.is_open;
        if is_last { &[] } else { &self.options[..choice] }
    }
}

/// Lists the unsearched subtrees of a search that excludes the options of `without`. `path` has the
/// given and chosen options. The order is the search order: first the current node if
/// `is_node_left`, then the remaining choices, from the last fork to the first.
pub(crate) fn rest(
    path: &[OptionId],
    without: &[OptionId],
    forks: &[Fork],
    is_node_left: bool,
) -> Vec<Subtree> {
    let mut without = without.to_vec();
    let mut share = 1.0;
    let mut before = Vec::with_capacity(forks.len());
    for fork in forks {
        share /= fork.degree as f64;
        before.push((without.len(), share));
        without.extend(fork.excluded(fork.choice));
    }
    let mut rest = Vec::new();
    let path: Arc<[_]> = path.into();
    if is_node_left {
        rest.push(Subtree {
            share,
            path: Arc::clone(&path),
            path_count: path.len(),
            last: None,
            without_count: without.len(),
            without: without.clone().into(),
        });
    }
    for (fork, (len, share)) in forks.iter().zip(before).rev() {
        without.truncate(len);
        let next = fork.choice + 1..fork.degree;
        // Each remaining choice excludes a prefix of the options that the last choice excludes.
        let most = if next.is_empty() { &[] } else { fork.excluded(fork.degree - 1) };
        let shared: Arc<[_]> = [&without[..], most].concat().into();
        for choice in next {
            rest.push(Subtree {
                share,
                path: Arc::clone(&path),
                path_count: fork.depth,
                last: fork.options.get(choice).copied(),
                without: Arc::clone(&shared),
                without_count: len + fork.excluded(choice).len(),
            });
        }
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subtrees_of_a_deep_search_share_one_path() {
        let options: Vec<_> = (0..20_000).map(OptionId::new).collect();
        let forks: Vec<_> = (0..10_000)
            .map(|depth| Fork {
                options: options[2 * depth..][..2].to_vec(),
                degree: 2,
                choice: 0,
                depth,
                is_open: false,
            })
            .collect();
        let path: Vec<_> = options.iter().copied().step_by(2).collect();
        let rest = rest(&path, &[], &forks, true);
        assert_eq!(rest.len(), 10_001);
        assert!(rest.iter().all(|part| Arc::ptr_eq(&part.path, &rest[0].path)));
        assert_eq!(rest[0].given(), path);
        let [.., second, first] = &rest[..] else { panic!("there are thousands") };
        assert_eq!(first.given(), [options[1]]);
        assert_eq!((second.given(), second.given_count()), (vec![options[0], options[3]], 2));
    }
}
