//! Chooses the start options of a search for one cover per class. A search that begins with them
//! need not visit all covers.
//!
//! A cover contains exactly one option of a primary item without bounds. If symmetries map some
//! options of this item to each other, one of these options is the *start* that represents them. A
//! cover without a start has an image with a start, so only covers with a start are searched. A
//! cover with a start is accepted if it precedes all its images that have a start.
//!
//! The starts are options of the item with the smallest ratio of start options to options.
//!
//! # Bounds
//! The images of all options are scanned once, at most [`IMAGES_MAX`](super::IMAGES_MAX) of them.

use super::SymmetryGroup;
use crate::limits::{Limit, Limits, Pace};
use crate::model::{Bounds, ItemId, OptionId};

/// Largest ratio of start options to options of the item that makes start options useful (numerator
/// and denominator).
const SHARE_MAX: (usize, usize) = (2, 3);

/// The start options of a search for one cover per class: one option of an item for each set of
/// options that symmetries map to each other.
#[derive(Clone, Debug)]
pub struct ClassStarts {
    item: ItemId,
    option_count: usize,
    starts: Vec<OptionId>,
    is_start: Vec<bool>,
}

impl ClassStarts {
    /// Returns the item whose options are represented by the starts.
    #[must_use]
    pub fn item(&self) -> ItemId {
        self.item
    }

    /// Returns the number of options of the item.
    #[must_use]
    pub fn option_count(&self) -> usize {
        self.option_count
    }

    /// Returns the start options in ascending order.
    #[must_use]
    pub fn options(&self) -> &[OptionId] {
        &self.starts
    }
}

impl SymmetryGroup {
    /// Chooses start options of one item such that each class has a cover with a start, and no
    /// cover contains two starts. Returns `None` if starts would not save a third of a search.
    ///
    /// ```
    /// use dlx::classes::SymmetryGroup;
    /// use dlx::{Engine, Limits, engine::Links};
    ///
    /// // Dominoes on a square: one of the two options of each corner suffices.
    /// let problem: dlx::Problem = "a b c d\na b\nc d\na c\nb d\n".parse()?;
    /// let group = SymmetryGroup::of(problem.clone(), &[], &Limits::new())?;
    /// let starts = group.starts(&Limits::new()).expect("no limits are set").expect("one of two");
    /// assert_eq!((starts.options().len(), starts.option_count()), (1, 2));
    /// let cover = Links::new(&problem).into_solutions(starts.options()).next().expect("a cover");
    /// assert!(group.first_of_class(&starts, &cover).is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn starts(&self, limits: &Limits) -> Result<Option<ClassStarts>, Limit> {
        let (problem, mut pace) = (&self.problem, Pace::new(limits));
        let mut firsts: Vec<OptionId> = problem.options().collect();
        for symmetry in self.elements().skip(1) {
            pace.spend(2 * firsts.len() as u64)?;
            for (option, first) in problem.options().zip(&mut firsts) {
                *first = (*first).min(symmetry.image(option));
            }
        }
        let mut is_open: Vec<bool> = problem.items().map(|_| false).collect();
        for item in problem.items() {
            is_open[item.index()] = problem.bounds(item) == Some(Bounds::ONE);
        }
        for entry in self.given.iter().flat_map(|&option| problem.option(option)) {
            is_open[entry.item.index()] = false;
        }
        let mut lists: Vec<Vec<OptionId>> = vec![Vec::new(); is_open.len()];
        for option in problem.options() {
            let entries = problem.option(option);
            pace.spend(10 * entries.len() as u64)?;
            for entry in entries.iter().filter(|entry| is_open[entry.item.index()]) {
                lists[entry.item.index()].push(option);
            }
        }
        let mut best: Option<(ItemId, usize, Vec<OptionId>)> = None;
        let mut seen = vec![usize::MAX; firsts.len()];
        for item in problem.items().filter(|item| !lists[item.index()].is_empty()) {
            let list = &lists[item.index()];
            pace.spend(5 * list.len() as u64)?;
            let is_new = |option: &&OptionId| {
                let first = firsts[option.index()].index();
                std::mem::replace(&mut seen[first], item.index()) != item.index()
            };
            let starts: Vec<OptionId> = list.iter().filter(is_new).copied().collect();
            let (count, all) = (starts.len(), list.len());
            let is_better = match &best {
                None => SHARE_MAX.1 * count <= SHARE_MAX.0 * all,
                Some((_, others, known)) => (count * others, count) < (known.len() * all, known.len()),
            };
            if is_better {
                best = Some((item, all, starts));
            }
        }
        Ok(best.map(|(item, option_count, starts)| {
            let mut is_start = vec![false; firsts.len()];
            starts.iter().for_each(|option| is_start[option.index()] = true);
            ClassStarts { item, option_count, starts, is_start }
        }))
    }

    /// Returns the least cover of the symmetry class of `cover`, sorted (see
    /// [`SymmetryGroup::is_least`]). Returns `None` if an image of `cover` that contains a start
    /// option is less than `cover`. The argument `cover` must contain a start option. Among the
    /// covers of a class with a start option, exactly one has a result.
    ///
    /// # Panics
    /// If an option of the cover is not one of the problem's.
    #[must_use]
    pub fn first_of_class(&self, starts: &ClassStarts, cover: &[OptionId]) -> Option<Vec<OptionId>> {
        let mut cover = cover.to_vec();
        cover.sort_unstable();
        let (mut first, mut image) = (cover.clone(), Vec::with_capacity(cover.len()));
        for symmetry in self.elements().skip(1) {
            symmetry.map(&cover, &mut image);
            if image < cover && image.iter().any(|option| starts.is_start[option.index()]) {
                return None;
            }
            if image < first {
                first.clone_from(&image);
            }
        }
        Some(first)
    }
}
