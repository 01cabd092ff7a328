//! Groups of symmetries: verifies that permutations are symmetries and form a group, and finds the
//! conjugacy classes.
//!
//! A permutation of the options is a symmetry if it is induced by a permutation of the items. A
//! symmetry maps the options of each item, with their colors, to the options of another item with
//! the same bounds. To check this exactly, the option lists of all items are mapped and sorted; the
//! result must equal the original sorted lists.
//!
//! An element is identified by its images of a few options, the base. The group property is checked
//! exactly too: each product of an element and a generator must be an element.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use super::found::{Unfound, symmetries};
use crate::limits::{Limit, Limits, Pace};
use crate::model::{Bounds, OptionId, Problem};

/// Maximum number of symmetries in a group.
pub const ORDER_MAX: usize = 10_000;
/// Maximum total number of option images of all symmetries in a group.
pub const IMAGES_MAX: usize = 1 << 28;

const WORK_MAX: u64 = 10_000_000_000;

/// Divisor of the memory limit that yields the memory of all option images.
const MEMORY_SHARE: usize = 4;

/// A permutation of the options of a problem.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Symmetry {
    images: Vec<OptionId>,
}

impl Symmetry {
    /// Creates the permutation that maps option `k` to `images[k]`. Returns `None` if `images` is
    /// not a permutation.
    #[must_use]
    pub fn new(images: Vec<OptionId>) -> Option<Self> {
        let mut is_image = vec![false; images.len()];
        for image in &images {
            let seen = is_image.get_mut(image.index())?;
            if std::mem::replace(seen, true) {
                return None;
            }
        }
        Some(Self { images })
    }

    /// Returns the image of `option`.
    ///
    /// # Panics
    /// If the permutation has no such option.
    #[must_use]
    pub fn image(&self, option: OptionId) -> OptionId {
        self.images[option.index()]
    }

    pub(crate) fn map(&self, options: &[OptionId], images: &mut Vec<OptionId>) {
        images.clear();
        images.extend(options.iter().map(|&option| self.image(option)));
        images.sort_unstable();
    }
}

/// The reason why permutations do not form a group of symmetries.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GroupFault {
    /// A permutation has a different number of options than the problem.
    OptionCount,
    /// There are more than [`ORDER_MAX`] permutations, or more than [`IMAGES_MAX`] images of
    /// options.
    TooLarge,
    /// The product of two permutations is missing.
    NotClosed,
    /// A limit was reached.
    Limit(Limit),
}

impl fmt::Display for GroupFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OptionCount => write!(f, "the symmetries are not those of the problem's options"),
            Self::TooLarge => write!(
                f,
                "there are more symmetries than {ORDER_MAX}, or more images of options than {IMAGES_MAX} or than fit into the memory, or it takes too long to find them"
            ),
            Self::NotClosed => write!(f, "the symmetries do not form a group"),
            Self::Limit(_) => write!(f, "a limit ended the look at the symmetries"),
        }
    }
}

impl std::error::Error for GroupFault {}

impl From<Limit> for GroupFault {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

pub(crate) type ItemImages = Vec<usize>;

/// A group of symmetries of a problem with given options, which map given options to given options.
#[derive(Clone, Debug)]
pub struct SymmetryGroup {
    pub(crate) problem: Arc<Problem>,
    pub(crate) given: Vec<OptionId>,
    /// All elements in ascending order; the identity is the first.
    elements: Vec<Symmetry>,
    conjugates: Vec<(usize, usize)>,
}

impl SymmetryGroup {
    /// Builds the group of the given permutations that are symmetries of the problem and map given
    /// options to given options. All other permutations are ignored. The identity may be omitted.
    ///
    /// # Errors
    /// If the symmetries do not form a group, a permutation has a different number of options than
    /// the problem, there are too many permutations, or a limit is reached.
    pub fn new(
        problem: impl Into<Arc<Problem>>,
        given: &[OptionId],
        permutations: Vec<Symmetry>,
        limits: &Limits,
    ) -> Result<Self, GroupFault> {
        let problem = problem.into();
        let count = problem.option_count();
        if permutations.iter().any(|symmetry| symmetry.images.len() != count) {
            return Err(GroupFault::OptionCount);
        }
        if permutations.len() >= ORDER_MAX || permutations.len() * count > IMAGES_MAX {
            return Err(GroupFault::TooLarge);
        }
        let mut given = given.to_vec();
        given.sort_unstable();
        given.dedup();
        let mut elements = vec![Symmetry { images: problem.options().collect() }];
        let mut pace = Pace::new(limits);
        let lists = item_lists(&problem, None, &mut pace)?;
        let mut images = Vec::new();
        for symmetry in permutations {
            symmetry.map(&given, &mut images);
            if images == given && item_images(&problem, &lists, &symmetry, &mut pace)?.is_some() {
                elements.push(symmetry);
            }
        }
        elements.sort_unstable();
        elements.dedup();
        let conjugates = conjugates(&elements, &mut pace)?;
        Ok(Self { problem, given, elements, conjugates })
    }

    /// Builds the group of all symmetries of the problem that map given options to given options,
    /// except exchanges of options with the same items.
    ///
    /// ```
    /// use dlx::Limits;
    /// use dlx::classes::SymmetryGroup;
    ///
    /// // Dominoes on a square: all rotations and reflections.
    /// let problem: dlx::Problem = "a b c d\na b\nc d\na c\nb d\n".parse()?;
    /// let group = SymmetryGroup::of(problem, &[], &Limits::new())?;
    /// assert_eq!(group.order(), 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there are too many symmetries, the search takes more than a few seconds, or a limit is
    /// reached.
    pub fn of(
        problem: impl Into<Arc<Problem>>,
        given: &[OptionId],
        limits: &Limits,
    ) -> Result<Self, GroupFault> {
        Self::find(&problem.into(), given, (ORDER_MAX - 1, WORK_MAX), limits)
    }

    /// Builds the group like [`of`](Self::of), with at most `most` symmetries. The images of all
    /// options must fit in the memory limit, and the search may take the work `work` (ns).
    ///
    /// # Errors
    /// If there are more symmetries, the search takes more work, or a limit is reached.
    pub(crate) fn find(
        problem: &Arc<Problem>,
        given: &[OptionId],
        (most, work): (usize, u64),
        limits: &Limits,
    ) -> Result<Self, GroupFault> {
        let bytes = size_of::<OptionId>() * problem.option_count().max(1);
        let room = limits.memory.map_or(usize::MAX, |memory| memory / MEMORY_SHARE / bytes);
        let most = most.min(room).min(IMAGES_MAX / problem.option_count().max(1));
        let found =
            symmetries(problem, given, most, work, limits).map_err(|unfound| match unfound {
                Unfound::TooMany => GroupFault::TooLarge,
                Unfound::Limit(limit) => GroupFault::Limit(limit),
            })?;
        Self::new(Arc::clone(problem), given, found, limits)
    }

    pub(crate) fn elements(&self) -> impl ExactSizeIterator<Item = &Symmetry> {
        self.elements.iter()
    }

    /// Returns the number of symmetries.
    #[must_use]
    pub fn order(&self) -> usize {
        self.elements.len()
    }

    /// Iterates over one symmetry per conjugacy class with the size of the class. The identity
    /// comes first.
    pub(crate) fn conjugates(&self) -> impl Iterator<Item = (&Symmetry, usize)> {
        self.conjugates.iter().map(|&(element, count)| (&self.elements[element], count))
    }

    /// Returns whether no symmetry maps a cover to a smaller cover. Covers are sorted before they
    /// are compared.
    ///
    /// ```
    /// use dlx::classes::{Symmetry, SymmetryGroup};
    /// use dlx::{Limits, OptionId};
    ///
    /// let problem: dlx::Problem = "a b\na\nb\na b\n".parse()?;
    /// let exchange = Symmetry::new([1, 0, 2].map(OptionId::new).to_vec()).expect("a permutation");
    /// let group = SymmetryGroup::new(problem, &[], vec![exchange], &Limits::new())?;
    /// assert!(group.is_least(&[OptionId::new(1), OptionId::new(0)]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If an option of the cover does not belong to the problem.
    #[must_use]
    pub fn is_least(&self, cover: &[OptionId]) -> bool {
        let mut cover = cover.to_vec();
        cover.sort_unstable();
        let mut image = Vec::with_capacity(cover.len());
        self.elements[1..].iter().all(|symmetry| {
            symmetry.map(&cover, &mut image);
            cover <= image
        })
    }

    pub(crate) fn first_items(&self, pace: &mut Pace<'_>) -> Result<ItemImages, Limit> {
        let mut firsts: ItemImages = (0..self.problem.item_count()).collect();
        let lists = item_lists(&self.problem, None, pace)?;
        for symmetry in &self.elements[1..] {
            let images = item_images(&self.problem, &lists, symmetry, pace)?;
            let images = images.into_iter().flatten();
            firsts.iter_mut().zip(images).for_each(|(first, image)| *first = (*first).min(image));
        }
        Ok(firsts)
    }

    pub(crate) fn have_images(
        &self,
        symmetries: &mut dyn Iterator<Item = &Symmetry>,
        pace: &mut Pace<'_>,
    ) -> Result<bool, Limit> {
        let lists = item_lists(&self.problem, None, pace)?;
        for symmetry in symmetries {
            if symmetry.images.len() != self.problem.option_count()
                || item_images(&self.problem, &lists, symmetry, pace)?.is_none()
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(crate) fn item_images(
        &self,
        symmetry: &Symmetry,
        pace: &mut Pace<'_>,
    ) -> Result<ItemImages, Limit> {
        let lists = item_lists(&self.problem, None, pace)?;
        let images = item_images(&self.problem, &lists, symmetry, pace)?;
        Ok(images.unwrap_or_else(|| (0..self.problem.item_count()).collect()))
    }
}

/// The bounds of an item; its options, each with the index of its color for the item by first
/// occurrence; and the item.
type ItemList = (Option<(u32, u32)>, Vec<(u32, u32)>, usize);

/// Returns the sorted lists of all items. If `symmetry` is given, it is applied to the options.
fn item_lists(
    problem: &Problem,
    symmetry: Option<&Symmetry>,
    pace: &mut Pace<'_>,
) -> Result<Vec<ItemList>, Limit> {
    let mut lists: Vec<ItemList> = problem
        .items()
        .map(|item| {
            let bounds = problem.bounds(item).map(|Bounds { low, high }| (low, high));
            (bounds, Vec::new(), item.index())
        })
        .collect();
    for option in problem.options() {
        let entries = problem.option(option);
        pace.spend(20 * entries.len() as u64)?;
        let image = symmetry.map_or(option, |symmetry| symmetry.image(option));
        for entry in entries {
            let color = entry.color.map_or(0, |color| color.index() as u32 + 1);
            lists[entry.item.index()].1.push((image.index() as u32, color));
        }
    }
    for (_, list, _) in &mut lists {
        pace.spend(20 * list.len() as u64)?;
        list.sort_unstable();
        let mut numbers: HashMap<u32, u32> = HashMap::new();
        for (_, color) in list.iter_mut().filter(|(_, color)| *color > 0) {
            let next = numbers.len() as u32 + 1;
            *color = *numbers.entry(*color).or_insert(next);
        }
    }
    lists.sort_unstable();
    Ok(lists)
}

/// Returns the images of the items under a permutation of the options, or `None` if it is not a
/// symmetry.
fn item_images(
    problem: &Problem,
    lists: &[ItemList],
    symmetry: &Symmetry,
    pace: &mut Pace<'_>,
) -> Result<Option<ItemImages>, Limit> {
    let is_as_cheap = |option: OptionId| problem.cost(option) == problem.cost(symmetry.image(option));
    if problem.has_costs() && !problem.options().all(is_as_cheap) {
        return Ok(None);
    }
    let mapped = item_lists(problem, Some(symmetry), pace)?;
    let mut images = vec![0; lists.len()];
    for ((bounds, list, item), (other_bounds, other_list, image)) in mapped.iter().zip(lists) {
        if (bounds, list) != (other_bounds, other_list) {
            return Ok(None);
        }
        images[*item] = *image;
    }
    Ok(Some(images))
}

fn conjugates(elements: &[Symmetry], pace: &mut Pace<'_>) -> Result<Vec<(usize, usize)>, GroupFault> {
    // The base: options whose images distinguish all elements.
    let mut base: Vec<OptionId> = Vec::new();
    let mut by_images: HashMap<Vec<OptionId>, usize> = HashMap::new();
    let of = |element: &Symmetry, base: &[OptionId]| -> Vec<OptionId> {
        base.iter().map(|&option| element.image(option)).collect()
    };
    for (number, element) in elements.iter().enumerate() {
        pace.spend(20 * element.images.len() as u64)?;
        while let Some(&other) = by_images.get(&of(element, &base)) {
            let mut pairs = element.images.iter().zip(&elements[other].images);
            let place = pairs.position(|(image, other)| image != other);
            base.extend(place.map(OptionId::new));
            let before = elements[..number].iter().enumerate();
            by_images = before.map(|(number, element)| (of(element, &base), number)).collect();
        }
        by_images.insert(of(element, &base), number);
    }
    // Returns the product that applies `first`, then `second`.
    let product = |first: usize, second: usize| {
        let images = base.iter().map(|&option| elements[second].image(elements[first].image(option)));
        by_images.get(&images.collect::<Vec<_>>()).copied()
    };
    // Find generators, and check that the product of each element and generator is an element.
    let mut generators: Vec<usize> = Vec::new();
    let mut is_reached = vec![false; elements.len()];
    is_reached[0] = true;
    for number in 1..elements.len() {
        if is_reached[number] {
            continue;
        }
        generators.push(number);
        is_reached.fill(false);
        is_reached[0] = true;
        let mut open = vec![0];
        while let Some(element) = open.pop() {
            for &generator in &generators {
                pace.spend(100)?;
                let next = product(element, generator).ok_or(GroupFault::NotClosed)?;
                if !std::mem::replace(&mut is_reached[next], true) {
                    open.push(next);
                }
            }
        }
    }
    for (number, element) in elements.iter().enumerate() {
        for &generator in &generators {
            pace.spend(2 * element.images.len() as u64)?;
            let next = product(number, generator).ok_or(GroupFault::NotClosed)?;
            let images = element.images.iter().map(|&image| elements[generator].image(image));
            if !images.eq(elements[next].images.iter().copied()) {
                return Err(GroupFault::NotClosed);
            }
        }
    }
    // Conjugate each element by the generators: apply the inverse of the generator, the element,
    // and the generator.
    let mut classes = Vec::new();
    let mut is_seen = vec![false; elements.len()];
    let inverse =
        |element: usize| (0..elements.len()).find(|&other| product(element, other) == Some(0));
    let mut inverses = Vec::new();
    for &generator in &generators {
        pace.spend(100 * elements.len() as u64)?;
        inverses.push((generator, inverse(generator).ok_or(GroupFault::NotClosed)?));
    }
    for start in 0..elements.len() {
        if std::mem::replace(&mut is_seen[start], true) {
            continue;
        }
        let (mut count, mut open) = (1, vec![start]);
        while let Some(element) = open.pop() {
            for &(generator, inverse) in &inverses {
                pace.spend(200)?;
                let both = product(inverse, element).and_then(|both| product(both, generator));
                let next = both.ok_or(GroupFault::NotClosed)?;
                if !std::mem::replace(&mut is_seen[next], true) {
                    count += 1;
                    open.push(next);
                }
            }
        }
        classes.push((start, count));
    }
    Ok(classes)
}
