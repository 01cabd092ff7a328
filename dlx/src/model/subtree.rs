//! Parts of a search tree, as they remain of a search that ends early.
//!
//! Where every primary item is covered exactly once, a part is determined by the options chosen on the way to it:
//! any cover that contains them is in it, and in no other part. With bounds this is not so. A choice of
//! an item is then its first option in the cover, so it excludes those tried before it; or it is "no
//! more", which excludes all that were left. (The options of an item that is covered for the last time
//! need not be excluded: the choice does that.)
//!
//! All parts that a search leaves begin with options of one path, and among those of a branch each
//! excludes one option more than the one before. They share these lists, each using a beginning of them: so the memory
//! grows with the sum of the depth and the number of choices left, not with their product.

use std::fmt;
use std::sync::Arc;

use super::OptionId;

/// A part of a search tree: the covers that contain all of some given options, and none of others.
///
/// [`Report::rest`](crate::search::Report::rest) lists such parts, and
/// [`Engine::search_subtree`](crate::search::Engine::search_subtree) searches one.
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
    /// About what share of the tree it is.
    share: f64,
    /// Options of a path, how many of them are given, and an option that is given after them.
    path: Arc<[OptionId]>,
    path_count: usize,
    last: Option<OptionId>,
    /// Options that are left out, and their number: those behind belong to parts that share the list.
    without: Arc<[OptionId]>,
    without_count: usize,
}

impl Subtree {
    /// Makes the part of the covers that contain all options of `given` and none of `without`. Both are
    /// sets: repeats count once.
    #[must_use]
    pub fn new(given: Vec<OptionId>, without: Vec<OptionId>) -> Self {
        Self { without_count: without.len(), without: without.into(), ..given.into() }
    }

    /// Returns the options that its covers contain.
    #[must_use]
    pub fn given(&self) -> Vec<OptionId> {
        self.path[..self.path_count].iter().copied().chain(self.last).collect()
    }

    /// Returns the number of options given.
    pub(crate) fn given_count(&self) -> usize {
        self.path_count + usize::from(self.last.is_some())
    }

    /// Returns the options that none of its covers contains.
    #[must_use]
    pub fn without(&self) -> &[OptionId] {
        &self.without[..self.without_count]
    }

    /// Returns about what share it is of the tree that was searched: what is left of a search has less than 1 in all,
    /// and a part that nobody left has 1.
    ///
    /// Choices of an item count alike (Knuth, "Estimating the efficiency of backtrack programs", 1975).
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

    /// Returns this part, left of a tree that has such a share of a larger one.
    pub(crate) fn within(self, share: f64) -> Self {
        Self { share: self.share * share, ..self }
    }

    /// Returns this part of a part: without the options that `whole` leaves out as well.
    pub(crate) fn without_those_of(self, whole: &Self) -> Self {
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
    /// Makes the part of the covers that contain all options of `given`.
    fn from(given: Vec<OptionId>) -> Self {
        let (path_count, path) = (given.len(), given.into());
        Self { share: 1.0, path, path_count, last: None, without: Arc::default(), without_count: 0 }
    }
}

impl Default for Subtree {
    /// Makes the whole tree.
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

/// A choice on the way from the root to the current node.
#[derive(Debug)]
pub(crate) struct Fork {
    /// The options of the item, in the order of the search. For "no more" there are none left to choose:
    /// it comes last, and is the choice numbered as many as there are.
    pub(crate) options: Vec<OptionId>,
    /// How many choices there are, and which of them is made.
    pub(crate) degree: usize,
    pub(crate) choice: usize,
    /// The options given and chosen before.
    pub(crate) depth: usize,
    /// Whether the item may be covered again after a choice of an option.
    pub(crate) is_open: bool,
}

impl Fork {
    /// Returns what the choice of that number excludes.
    fn excluded(&self, choice: usize) -> &[OptionId] {
        let is_last = choice < self.options.len() && !self.is_open;
        if is_last { &[] } else { &self.options[..choice] }
    }
}

/// Lists what is left of a search of the covers without the options of `without`, in the order of the
/// search: the current node, if it is yet to be entered, then the choices not made, from the last fork
/// to the first. `path` are the options given and chosen.
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
        // What the last choice excludes begins with what the others do.
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
    fn what_a_deep_search_left_shares_one_path() {
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
