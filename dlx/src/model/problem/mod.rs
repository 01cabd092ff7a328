//! The exact-cover problem: items, options, colors, multiplicities and costs. A built problem is
//! immutable.
//!
//! One array stores the entries of all options, in order of definition. Clones of a problem share
//! all arrays.
//!
//! Invariants, checked by [`ProblemBuilder`]: an option contains an item at most once; only
//! secondary items have colors; a lower bound does not exceed its upper bound; ids, and the number
//! of records that an arena needs for the problem, fit in 31 bits. An option without a primary item
//! is kept, but never chosen ([`Problem::idle_options`]).

mod builder;
mod sets;

use std::fmt;
use std::sync::Arc;

use indexmap::IndexSet;

pub use self::builder::{BuildError, ProblemBuilder};
pub use self::sets::{ItemNumber, ZeroOrOne};
use super::{Color, ItemId, OptionId};

/// An item of an option, with the color that the option gives to it, if any.
///
/// ```
/// let problem: dlx::Problem = "a | x\na x:red\n".parse()?;
/// let [a, x] = problem.option(dlx::OptionId::new(0)) else { panic!("two entries") };
/// assert!(a.color.is_none() && x.color.is_some());
/// # Ok::<(), dlx::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// The item.
    pub item: ItemId,
    /// The color of the item, or `None` for a primary item.
    pub color: Option<Color>,
}

impl From<ItemId> for Entry {
    fn from(item: ItemId) -> Self {
        Self { item, color: None }
    }
}

impl From<(ItemId, Color)> for Entry {
    fn from((item, color): (ItemId, Color)) -> Self {
        item.with(color)
    }
}

impl From<(ItemId, Option<Color>)> for Entry {
    fn from((item, color): (ItemId, Option<Color>)) -> Self {
        Self { item, color }
    }
}

impl ItemId {
    /// Returns the entry that gives `color` to this secondary item.
    ///
    /// ```
    /// let mut builder = dlx::ProblemBuilder::new();
    /// let [a, x] = [builder.primary("a")?, builder.secondary("x")?];
    /// let red = builder.color("red")?;
    /// let option = builder.option([a.into(), x.with(red)])?;
    /// assert_eq!(builder.build().show(option).to_string(), "a x:red");
    /// # Ok::<(), dlx::BuildError>(())
    /// ```
    #[must_use]
    pub const fn with(self, color: Color) -> Entry {
        Entry { item: self, color: Some(color) }
    }
}

/// The bounds of a primary item: a cover has at least `low` and at most `high` options with the
/// item.
///
/// ```
/// let problem: dlx::Problem = "1:2|a b\na b\na\n".parse()?;
/// let bounds = problem.bounds(dlx::ItemId::new(0)).expect("`a` is primary");
/// assert_eq!((bounds.low, bounds.high), (1, 2));
/// # Ok::<(), dlx::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// The minimum number of options with the item.
    pub low: u32,
    /// The maximum number of options with the item.
    pub high: u32,
}

impl Bounds {
    /// The default bounds of a primary item: exactly once.
    pub const ONE: Self = Self { low: 1, high: 1 };
}

/// An exact-cover problem, built by a [`ProblemBuilder`] or read from Knuth's text format
/// (`str::parse`).
///
/// ```
/// let problem: dlx::Problem = "a b c d e f g\nc e f\na d g\nb c f\na d\nb g\nd e g\n".parse()?;
/// assert_eq!((problem.item_count(), problem.option_count()), (7, 6));
/// assert_eq!(dlx::count(&problem), 1u32.into());
/// # Ok::<(), dlx::ParseError>(())
/// ```
#[derive(Clone)]
pub struct Problem {
    /// The names of the items. The parts of a problem share them.
    names: Arc<IndexSet<Box<str>>>,
    /// In a part of a problem, the index in `names` of each item, in ascending order; empty if all
    /// items keep their indices.
    places: Arc<Vec<u32>>,
    /// The bounds of each item, or `None` for a secondary item.
    bounds: Arc<Vec<Option<Bounds>>>,
    primary_count: usize,
    colors: Arc<IndexSet<Box<str>>>,
    /// Option `o` has the entries `starts[o]..starts[o + 1]`.
    starts: Arc<Vec<u32>>,
    entries: Arc<Vec<Entry>>,
    /// The cost of each option; empty if all costs are 0.
    costs: Arc<Vec<u64>>,
    idle: Arc<Vec<OptionId>>,
}

impl Problem {
    /// Returns the number of primary and secondary items.
    #[must_use]
    pub fn item_count(&self) -> usize {
        self.bounds.len()
    }

    /// Returns the number of primary items.
    #[must_use]
    pub fn primary_count(&self) -> usize {
        self.primary_count
    }

    /// Returns the number of options, including idle options.
    #[must_use]
    pub fn option_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the number of entries, which is the sum of the sizes of all options.
    #[must_use]
    pub fn entry_count(&self) -> usize {
        self.entries.len()
    }

    /// Returns the number of different colors.
    #[must_use]
    pub fn color_count(&self) -> usize {
        self.colors.len()
    }

    /// Iterates over the items in order of definition.
    pub fn items(&self) -> impl ExactSizeIterator<Item = ItemId> + use<> {
        (0..self.item_count()).map(ItemId::new)
    }

    /// Iterates over the options in order of definition.
    pub fn options(&self) -> impl ExactSizeIterator<Item = OptionId> + use<> {
        (0..self.option_count()).map(OptionId::new)
    }

    /// Returns the entries of `option` in their original order.
    ///
    /// # Panics
    /// If `option` does not belong to the problem.
    #[must_use]
    pub fn option(&self, option: OptionId) -> &[Entry] {
        let start = self.starts[option.index()] as usize;
        let end = self.starts[option.index() + 1] as usize;
        &self.entries[start..end]
    }

    /// Returns the cost of `option`, 0 by default.
    ///
    /// # Panics
    /// If costs were given and `option` does not belong to the problem.
    #[must_use]
    pub fn cost(&self, option: OptionId) -> u64 {
        if self.costs.is_empty() { 0 } else { self.costs[option.index()] }
    }

    /// Returns whether any option has a nonzero cost.
    #[must_use]
    pub fn has_costs(&self) -> bool {
        !self.costs.is_empty()
    }

    /// Returns whether the problem defines colors.
    #[must_use]
    pub fn has_colors(&self) -> bool {
        !self.colors.is_empty()
    }

    /// Returns whether any primary item has other bounds than exactly once.
    #[must_use]
    pub fn has_bounds(&self) -> bool {
        self.bounds.iter().any(|bounds| bounds.is_some_and(|b| b != Bounds::ONE))
    }

    /// Returns the bounds of a primary item, or `None` for a secondary item.
    ///
    /// # Panics
    /// If `item` does not belong to the problem.
    #[must_use]
    pub fn bounds(&self, item: ItemId) -> Option<Bounds> {
        self.bounds[item.index()]
    }

    /// Returns whether `item` is primary.
    ///
    /// # Panics
    /// If `item` does not belong to the problem.
    #[must_use]
    pub fn is_primary(&self, item: ItemId) -> bool {
        self.bounds(item).is_some()
    }

    /// Returns the name of `item`.
    ///
    /// # Panics
    /// If `item` does not belong to the problem.
    #[must_use]
    pub fn item_name(&self, item: ItemId) -> &str {
        match self.places.get(item.index()) {
            Some(&place) => &self.names[place as usize],
            None => &self.names[item.index()],
        }
    }

    /// Returns the item named `name`, if it exists.
    #[must_use]
    pub fn item_by_name(&self, name: &str) -> Option<ItemId> {
        let place = self.names.get_index_of(name)?;
        let is_whole = self.places.is_empty() && self.item_count() > 0;
        let index =
            if is_whole { Some(place) } else { self.places.binary_search(&(place as u32)).ok() };
        index.map(ItemId::new)
    }

    /// Returns the name of `color`.
    ///
    /// # Panics
    /// If `color` does not belong to the problem.
    #[must_use]
    pub fn color_name(&self, color: Color) -> &str {
        &self.colors[color.index()]
    }

    /// Returns the idle options, which have no primary item and are never chosen, in order of
    /// definition.
    ///
    /// ```
    /// let problem: dlx::Problem = "a | x y\na x\nx y\n".parse()?;
    /// assert_eq!(problem.idle_options(), [dlx::OptionId::new(1)]);
    /// assert_eq!(dlx::count(&problem), 1u32.into());
    /// # Ok::<(), dlx::ParseError>(())
    /// ```
    #[must_use]
    pub fn idle_options(&self) -> &[OptionId] {
        &self.idle
    }

    fn empty() -> Self {
        Self {
            names: Arc::default(),
            places: Arc::default(),
            bounds: Arc::default(),
            primary_count: 0,
            colors: Arc::default(),
            starts: Arc::new(vec![0]),
            entries: Arc::default(),
            costs: Arc::default(),
            idle: Arc::default(),
        }
    }

    /// Returns a problem with some of this problem's items, in ascending order and with the given
    /// bounds, and without options. The names are shared.
    pub(crate) fn part(
        &self,
        items: impl Iterator<Item = (ItemId, Option<Bounds>)>,
        has_colors: bool,
    ) -> Self {
        let mut part = Self::empty();
        part.names = Arc::clone(&self.names);
        if has_colors {
            part.colors = Arc::clone(&self.colors);
        }
        let Self { places, bounds: all_bounds, primary_count, .. } = &mut part;
        let (places, all_bounds) = (Arc::make_mut(places), Arc::make_mut(all_bounds));
        for (item, bounds) in items {
            let place = self.places.get(item.index()).copied();
            places.push(place.unwrap_or(item.index() as u32));
            all_bounds.push(bounds);
            *primary_count += usize::from(bounds.is_some());
        }
        part
    }

    /// Adds an option of the whole problem to a part, with its remaining entries. At least one of
    /// its items must be primary.
    pub(crate) fn add_to_part(&mut self, entries: impl Iterator<Item = Entry>, cost: u64) {
        let start = self.entries.len();
        Arc::make_mut(&mut self.entries).extend(entries);
        debug_assert!(
            self.entries[start..].iter().any(|entry| self.is_primary(entry.item)),
            "an option of a part can be chosen"
        );
        Arc::make_mut(&mut self.starts).push(self.entries.len() as u32);
        if cost > 0 || self.has_costs() {
            let count = self.option_count();
            let costs = Arc::make_mut(&mut self.costs);
            costs.resize(count - 1, 0);
            costs.push(cost);
        }
    }

    /// Formats an option in Knuth's notation: its items in order, with their colors.
    ///
    /// ```
    /// let problem: dlx::Problem = "a b | x\na b x:red\n".parse()?;
    /// assert_eq!(problem.show(dlx::OptionId::new(0)).to_string(), "a b x:red");
    /// # Ok::<(), dlx::ParseError>(())
    /// ```
    ///
    /// # Panics
    /// Formatting panics if `option` does not belong to the problem.
    #[must_use]
    pub fn show(&self, option: OptionId) -> impl fmt::Display + '_ {
        ShowOption { problem: self, option }
    }
}

impl fmt::Debug for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Problem")
            .field("primary", &self.primary_count)
            .field("secondary", &(self.item_count() - self.primary_count))
            .field("options", &self.option_count())
            .field("entries", &self.entry_count())
            .finish_non_exhaustive()
    }
}

/// Formats the problem in Knuth's text format, as [`text::write`](crate::text::write).
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&super::text::write(self))
    }
}

struct ShowOption<'p> {
    problem: &'p Problem,
    option: OptionId,
}

impl fmt::Display for ShowOption<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for entry in self.problem.option(self.option) {
            write!(f, "{separator}{}", self.problem.item_name(entry.item))?;
            if let Some(color) = entry.color {
                write!(f, ":{}", self.problem.color_name(color))?;
            }
            separator = " ";
        }
        Ok(())
    }
}
