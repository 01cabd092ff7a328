//! The exact-cover problem: items, options, colors, multiplicities and costs, immutable once built.
//!
//! Options lie one behind the other in one array of entries, in the order in which
//! they were added, and so do the entries of each option.
//!
//! Invariants, all checked by [`ProblemBuilder`]: an option names an item at most once; only
//! secondary items have colors; bounds are not upside down; every id fits in 31 bits, and so does
//! the number of records that an arena needs for the whole problem. An option without a primary item
//! is kept, never chosen, and reported by [`Problem::idle_options`].

use std::fmt;
use std::sync::Arc;

use bitvec::prelude::{BitVec, Lsb0};
use indexmap::IndexSet;

use crate::{Color, ItemId, OptionId};

/// The largest number of records (entries, items, options, and one more) that engines can number,
/// with one bit to spare for a mark.
const RECORD_LIMIT: u64 = i32::MAX as u64;
/// The largest number of colors: engines need one number for "none", and complements.
const COLOR_LIMIT: u64 = i32::MAX as u64;

/// One item of an option, with the color that the option gives to it, if any.
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
    /// The color, which only a secondary item can have.
    pub color: Option<Color>,
}

impl From<ItemId> for Entry {
    fn from(item: ItemId) -> Self {
        Self { item, color: None }
    }
}

impl ItemId {
    /// Makes the entry that gives `color` to this secondary item.
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

/// How often the options of a cover may contain a primary item: at least `low`, at most `high` times.
///
/// ```
/// let problem: dlx::Problem = "1:2|a b\na b\na\n".parse()?;
/// let bounds = problem.bounds(dlx::ItemId::new(0)).expect("`a` is primary");
/// assert_eq!((bounds.low, bounds.high), (1, 2));
/// # Ok::<(), dlx::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// The least number of options.
    pub low: u32,
    /// The greatest number of options.
    pub high: u32,
}

impl Bounds {
    /// Exactly once: the bounds of a primary item unless others are given.
    pub const ONE: Self = Self { low: 1, high: 1 };
}

/// An exact-cover problem.
///
/// Built by a [`ProblemBuilder`] or read from Knuth's text (`str::parse`).
///
/// ```
/// let problem: dlx::Problem = "a b c d e f g\nc e f\na d g\nb c f\na d\nb g\nd e g\n".parse()?;
/// assert_eq!((problem.item_count(), problem.option_count()), (7, 6));
/// assert_eq!(dlx::count(&problem), 1);
/// # Ok::<(), dlx::ParseError>(())
/// ```
#[derive(Clone)]
pub struct Problem {
    /// The names, which a part of a problem shares with the whole.
    names: Arc<IndexSet<Box<str>>>,
    /// In a part, the place of each item's name, ascending; empty where the items count as their names
    /// do.
    places: Vec<u32>,
    /// The bounds of each item, `None` for a secondary one.
    bounds: Vec<Option<Bounds>>,
    primary_count: usize,
    colors: Arc<IndexSet<Box<str>>>,
    /// Option `o` has the entries `starts[o] .. starts[o + 1]`.
    starts: Vec<u32>,
    entries: Vec<Entry>,
    /// The cost of each option, or nothing where no option has one.
    costs: Vec<u64>,
    idle: Vec<OptionId>,
}

impl Problem {
    /// Returns the number of items, primary and secondary.
    #[must_use]
    pub fn item_count(&self) -> usize {
        self.bounds.len()
    }

    /// Returns the number of primary items.
    #[must_use]
    pub fn primary_count(&self) -> usize {
        self.primary_count
    }

    /// Returns the number of options, idle ones included.
    #[must_use]
    pub fn option_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the number of entries: the sum of the sizes of all options.
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

    /// Returns the entries of `option` in the order in which they were given.
    ///
    /// # Panics
    /// If `option` is not one of this problem's.
    #[must_use]
    pub fn option(&self, option: OptionId) -> &[Entry] {
        let start = self.starts[option.index()] as usize;
        let end = self.starts[option.index() + 1] as usize;
        &self.entries[start..end]
    }

    /// Returns the cost of `option`, 0 unless one was given.
    ///
    /// # Panics
    /// If costs were given and `option` is not one of this problem's.
    #[must_use]
    pub fn cost(&self, option: OptionId) -> u64 {
        if self.costs.is_empty() { 0 } else { self.costs[option.index()] }
    }

    /// Tells whether an option has a cost other than 0.
    #[must_use]
    pub fn has_costs(&self) -> bool {
        !self.costs.is_empty()
    }

    /// Tells whether an option gives a color to an item.
    #[must_use]
    pub fn has_colors(&self) -> bool {
        !self.colors.is_empty()
    }

    /// Tells whether a primary item may be covered other than exactly once.
    #[must_use]
    pub fn has_bounds(&self) -> bool {
        self.bounds.iter().any(|bounds| bounds.is_some_and(|b| b != Bounds::ONE))
    }

    /// Returns the bounds of `item` if it is primary, `None` if it is secondary.
    ///
    /// # Panics
    /// If `item` is not one of this problem's.
    #[must_use]
    pub fn bounds(&self, item: ItemId) -> Option<Bounds> {
        self.bounds[item.index()]
    }

    /// Tells whether `item` is primary.
    ///
    /// # Panics
    /// If `item` is not one of this problem's.
    #[must_use]
    pub fn is_primary(&self, item: ItemId) -> bool {
        self.bounds(item).is_some()
    }

    /// Returns the name of `item`.
    ///
    /// # Panics
    /// If `item` is not one of this problem's.
    #[must_use]
    pub fn item_name(&self, item: ItemId) -> &str {
        match self.places.get(item.index()) {
            Some(&place) => &self.names[place as usize],
            None => &self.names[item.index()],
        }
    }

    /// Returns the item of that name, if there is one.
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
    /// If `color` is not one of this problem's.
    #[must_use]
    pub fn color_name(&self, color: Color) -> &str {
        &self.colors[color.index()]
    }

    /// Returns the options without a primary item, in order: no engine chooses them.
    ///
    /// ```
    /// let problem: dlx::Problem = "a | x y\na x\nx y\n".parse()?;
    /// assert_eq!(problem.idle_options(), [dlx::OptionId::new(1)]);
    /// assert_eq!(dlx::count(&problem), 1);
    /// # Ok::<(), dlx::ParseError>(())
    /// ```
    #[must_use]
    pub fn idle_options(&self) -> &[OptionId] {
        &self.idle
    }

    /// Makes a problem of some of this one's items, in ascending order, with the bounds that they are to
    /// have, and without options so far. The names are shared, not copied.
    pub(crate) fn part(
        &self,
        items: impl Iterator<Item = (ItemId, Option<Bounds>)>,
        has_colors: bool,
    ) -> Self {
        let mut part = ProblemBuilder::new().problem;
        part.names = Arc::clone(&self.names);
        if has_colors {
            part.colors = Arc::clone(&self.colors);
        }
        for (item, bounds) in items {
            let place = self.places.get(item.index()).copied();
            part.places.push(place.unwrap_or(item.index() as u32));
            part.bounds.push(bounds);
            part.primary_count += usize::from(bounds.is_some());
        }
        part
    }

    /// Adds an option of the whole to a part, with those of its entries that are left; one is primary.
    pub(crate) fn add_to_part(&mut self, entries: impl Iterator<Item = Entry>, cost: u64) {
        let start = self.entries.len();
        self.entries.extend(entries);
        debug_assert!(
            self.entries[start..].iter().any(|entry| self.is_primary(entry.item)),
            "an option of a part can be chosen"
        );
        self.starts.push(self.entries.len() as u32);
        if cost > 0 || self.has_costs() {
            self.costs.resize(self.option_count() - 1, 0);
            self.costs.push(cost);
        }
    }

    /// Returns the option as Knuth writes it: its items in order, each with its color.
    ///
    /// ```
    /// let problem: dlx::Problem = "a b | x\na b x:red\n".parse()?;
    /// assert_eq!(problem.show(dlx::OptionId::new(0)).to_string(), "a b x:red");
    /// # Ok::<(), dlx::ParseError>(())
    /// ```
    ///
    /// # Panics
    /// When it is formatted, if `option` is not one of this problem's.
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

/// An option with the problem that knows its names.
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

/// Collects items and options, checks each, and makes the [`Problem`].
///
/// ```
/// use dlx::ProblemBuilder;
///
/// let mut builder = ProblemBuilder::new();
/// let [p, q] = [builder.primary("p")?, builder.primary("q")?];
/// let x = builder.secondary("x")?;
/// let red = builder.color("red")?;
/// builder.option([p.into(), x.with(red)])?;
/// builder.option([q.into(), x.with(red)])?;
/// builder.option([q])?;
/// assert_eq!(dlx::count(&builder.build()), 2);
/// # Ok::<(), dlx::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ProblemBuilder {
    problem: Problem,
    /// The items of the option that is being checked; all clear between options.
    seen: BitVec<u64, Lsb0>,
    record_limit: u64,
}

impl Default for ProblemBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl ProblemBuilder {
    /// Makes a builder without items and options.
    #[must_use]
    pub fn new() -> Self {
        Self {
            problem: Problem {
                names: Arc::default(),
                places: Vec::new(),
                bounds: Vec::new(),
                primary_count: 0,
                colors: Arc::default(),
                starts: vec![0],
                entries: Vec::new(),
                costs: Vec::new(),
                idle: Vec::new(),
            },
            seen: BitVec::new(),
            record_limit: RECORD_LIMIT,
        }
    }

    /// Adds a primary item, to be covered exactly once.
    ///
    /// # Errors
    /// If the name is taken, empty, or has a blank, `:` or `|`, or the problem becomes too large.
    pub fn primary(&mut self, name: &str) -> Result<ItemId, BuildError> {
        self.item(name, Some(Bounds::ONE))
    }

    /// Adds a primary item, to be covered at least `low` and at most `high` times.
    ///
    /// ```
    /// let mut builder = dlx::ProblemBuilder::new();
    /// let pair = builder.bounded("pair", 2, 2)?;
    /// for _ in 0..4 {
    ///     builder.option([pair])?;
    /// }
    /// assert_eq!(dlx::count(&builder.build()), 6);
    /// # Ok::<(), dlx::BuildError>(())
    /// ```
    ///
    /// # Errors
    /// If the name is taken, empty, or has a blank, `:` or `|`, `low` exceeds `high`, or the problem
    /// becomes too large.
    pub fn bounded(&mut self, name: &str, low: u32, high: u32) -> Result<ItemId, BuildError> {
        self.item(name, Some(Bounds { low, high }))
    }

    /// Adds a secondary item: to be covered at most once, or by options of one color.
    ///
    /// # Errors
    /// If the name is taken, empty, or has a blank, `:` or `|`, or the problem becomes too large.
    pub fn secondary(&mut self, name: &str) -> Result<ItemId, BuildError> {
        self.item(name, None)
    }

    fn item(&mut self, name: &str, bounds: Option<Bounds>) -> Result<ItemId, BuildError> {
        check_name(name)?;
        if let Some(Bounds { low, high }) = bounds.filter(|bounds| bounds.low > bounds.high) {
            return Err(Kind::BoundsUpsideDown { name: name.into(), low, high }.into());
        }
        self.check_room(1)?;
        let (index, new) = Arc::make_mut(&mut self.problem.names).insert_full(name.into());
        if !new {
            return Err(Kind::DuplicateItem { name: name.into() }.into());
        }
        self.problem.bounds.push(bounds);
        self.problem.primary_count += usize::from(bounds.is_some());
        self.seen.push(false);
        Ok(ItemId::new(index))
    }

    /// Returns the item of that name, if there is one.
    #[must_use]
    pub fn item_by_name(&self, name: &str) -> Option<ItemId> {
        self.problem.item_by_name(name)
    }

    /// Returns the color of that name, a new one when the name is new.
    ///
    /// # Errors
    /// If the name is empty or has a blank, `:` or `|`, or there are 2^31 - 1 colors already.
    pub fn color(&mut self, name: &str) -> Result<Color, BuildError> {
        check_name(name)?;
        if let Some(index) = self.problem.colors.get_index_of(name) {
            return Ok(Color::new(index));
        }
        let count = self.problem.colors.len() as u64;
        if count >= COLOR_LIMIT {
            return Err(Kind::TooLarge { what: "colors", count: count + 1, limit: COLOR_LIMIT }.into());
        }
        let (index, _) = Arc::make_mut(&mut self.problem.colors).insert_full(name.into());
        Ok(Color::new(index))
    }

    /// Adds an option that covers `entries`: items, or pairs of an item and a color.
    ///
    /// # Errors
    /// If there are no entries, an item is not one of this builder's or named twice, a primary item
    /// has a color, or the problem becomes too large. The builder is then as before.
    pub fn option<E: Into<Entry>>(
        &mut self,
        entries: impl IntoIterator<Item = E>,
    ) -> Result<OptionId, BuildError> {
        // If `entries` panics, those that came before are left behind: they belong to no option.
        let start = self.problem.starts.last().map_or(0, |&start| start as usize);
        self.problem.entries.truncate(start);
        self.problem.entries.extend(entries.into_iter().map(Into::into));
        let end = self.problem.entries.len();
        match self.check_option(start) {
            Ok(()) => {
                let option = OptionId::new(self.problem.option_count());
                if !self.problem.entries[start..].iter().any(|e| self.problem.is_primary(e.item)) {
                    self.problem.idle.push(option);
                }
                self.problem.starts.push(end as u32);
                if self.problem.has_costs() {
                    self.problem.costs.push(0);
                }
                Ok(option)
            }
            Err(error) => {
                self.problem.entries.truncate(start);
                Err(error)
            }
        }
    }

    /// Checks the option whose entries begin at `start` and end the array.
    fn check_option(&mut self, start: usize) -> Result<(), BuildError> {
        let option = self.problem.option_count() as u64;
        if self.problem.entries.len() == start {
            return Err(Kind::EmptyOption { option }.into());
        }
        self.check_room(1)?;
        let mut result = Ok(());
        let mut marked = 0;
        for (place, entry) in self.problem.entries[start..].iter().enumerate() {
            let index = entry.item.index();
            let kind = if index >= self.seen.len() {
                Kind::UnknownItem { option, index }
            } else if self.seen[index] {
                let first = self.problem.entries[start..].iter().position(|e| e.item == entry.item);
                let name = self.problem.names[index].clone();
                Kind::ItemTwice { option, name, first: first.unwrap_or(0), second: place }
            } else if entry.color.is_some() && self.problem.bounds[index].is_some() {
                Kind::ColoredPrimary { option, name: self.problem.names[index].clone(), place }
            } else if entry.color.is_some_and(|c| c.index() >= self.problem.colors.len()) {
                Kind::UnknownColor { option, name: self.problem.names[index].clone() }
            } else {
                self.seen.set(index, true);
                marked += 1;
                continue;
            };
            result = Err(kind.into());
            break;
        }
        for entry in &self.problem.entries[start..start + marked] {
            self.seen.set(entry.item.index(), false);
        }
        result
    }

    /// Gives `cost` to `option`.
    ///
    /// # Panics
    /// If `option` is not one of this builder's.
    pub fn set_cost(&mut self, option: OptionId, cost: u64) {
        assert!(option.index() < self.problem.option_count(), "the option must be this builder's");
        if self.problem.costs.is_empty() && cost > 0 {
            self.problem.costs = vec![0; self.problem.option_count()];
        }
        if let Some(slot) = self.problem.costs.get_mut(option.index()) {
            *slot = cost;
        }
    }

    /// Returns the finished problem.
    #[must_use]
    pub fn build(mut self) -> Problem {
        let problem = &mut self.problem;
        problem.bounds.shrink_to_fit();
        problem.starts.shrink_to_fit();
        problem.entries.shrink_to_fit();
        self.problem
    }

    /// Checks that `more` records beyond the present entries, items and options can be numbered.
    fn check_room(&self, more: u64) -> Result<(), BuildError> {
        let problem = &self.problem;
        let records = problem.entries.len() + problem.item_count() + problem.option_count() + 1;
        let count = records as u64 + more;
        if count > self.record_limit {
            return Err(Kind::TooLarge { what: "records", count, limit: self.record_limit }.into());
        }
        Ok(())
    }
}

/// Checks that Knuth's text can hold the name.
fn check_name(name: &str) -> Result<(), BuildError> {
    let is_wrong = |c: char| c == ':' || c == '|' || c.is_whitespace();
    if name.is_empty() || name.contains(is_wrong) {
        return Err(Kind::WrongName { name: name.into() }.into());
    }
    Ok(())
}

/// Why an item, a color or an option was refused.
///
/// ```
/// let mut builder = dlx::ProblemBuilder::new();
/// builder.primary("a")?;
/// let error = builder.primary("a").unwrap_err();
/// assert_eq!(error.to_string(), "item `a` is defined twice");
/// # Ok::<(), dlx::BuildError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildError(Kind);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    WrongName { name: Box<str> },
    DuplicateItem { name: Box<str> },
    BoundsUpsideDown { name: Box<str>, low: u32, high: u32 },
    EmptyOption { option: u64 },
    UnknownItem { option: u64, index: usize },
    UnknownColor { option: u64, name: Box<str> },
    ItemTwice { option: u64, name: Box<str>, first: usize, second: usize },
    ColoredPrimary { option: u64, name: Box<str>, place: usize },
    TooLarge { what: &'static str, count: u64, limit: u64 },
}

impl BuildError {
    /// Returns the 0-based place in its option of the entry that is at fault, if one is.
    #[must_use]
    pub fn entry(&self) -> Option<usize> {
        match self.0 {
            Kind::ItemTwice { second, .. } => Some(second),
            Kind::ColoredPrimary { place, .. } => Some(place),
            _ => None,
        }
    }
}

impl From<Kind> for BuildError {
    fn from(kind: Kind) -> Self {
        Self(kind)
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::WrongName { name } => {
                write!(f, "expected a name without blanks, `:` and `|`, found `{name}`")
            }
            Kind::DuplicateItem { name } => write!(f, "item `{name}` is defined twice"),
            Kind::BoundsUpsideDown { name, low, high } => {
                write!(f, "item `{name}` has the lower bound {low} above its upper bound {high}")
            }
            Kind::EmptyOption { option } => write!(f, "option {} names no item", option + 1),
            Kind::UnknownItem { option, index } => {
                write!(f, "option {} names item number {index}, which was not defined", option + 1)
            }
            Kind::UnknownColor { option, name } => {
                write!(f, "option {} gives item `{name}` a color that was not defined", option + 1)
            }
            Kind::ItemTwice { option, name, first, second } => {
                let (option, first, second) = (option + 1, first + 1, second + 1);
                write!(f, "option {option} names item `{name}` twice (as entries {first} and {second})")
            }
            Kind::ColoredPrimary { option, name, .. } => {
                write!(f, "option {} gives a color to the primary item `{name}`", option + 1)
            }
            Kind::TooLarge { what, count, limit } => {
                write!(f, "problem has {count} {what}, which exceeds the limit of {limit}")
            }
        }
    }
}

impl std::error::Error for BuildError {}

#[cfg(test)]
mod tests {
    use super::*;

    /// A builder with the primary items `a` and `b`, the secondary item `x` and the color `red`.
    fn builder() -> (ProblemBuilder, [ItemId; 3], Color) {
        let mut builder = ProblemBuilder::new();
        let a = builder.primary("a").unwrap();
        let b = builder.primary("b").unwrap();
        let x = builder.secondary("x").unwrap();
        let red = builder.color("red").unwrap();
        (builder, [a, b, x], red)
    }

    fn check_refused(entries: &[Entry], expected: &str) {
        let (mut builder, [a, ..], _) = builder();
        builder.option([a]).unwrap();
        let error = builder.option(entries.iter().copied()).unwrap_err();
        assert_eq!(error.to_string(), expected);
        let option = builder.option([a]).expect("the builder is as before");
        let problem = builder.build();
        assert_eq!((option.index(), problem.entry_count()), (1, 2));
    }

    #[test]
    fn wrong_options_are_refused_and_leave_the_builder_as_it_was() {
        let (_, [a, b, x], red) = builder();
        check_refused(&[], "option 2 names no item");
        check_refused(
            &[a.into(), b.into(), a.into()],
            "option 2 names item `a` twice (as entries 1 and 3)",
        );
        check_refused(&[a.with(red)], "option 2 gives a color to the primary item `a`");
        check_refused(
            &[a.into(), ItemId::new(7).into()],
            "option 2 names item number 7, which was not defined",
        );
        check_refused(&[x.with(Color::new(3))], "option 2 gives item `x` a color that was not defined");
    }

    #[test]
    fn wrong_items_are_refused() {
        let (mut builder, ..) = builder();
        let mut check = |name, low, high, expected: &str| {
            assert_eq!(builder.bounded(name, low, high).unwrap_err().to_string(), expected);
        };
        check("", 1, 1, "expected a name without blanks, `:` and `|`, found ``");
        check("a b", 1, 1, "expected a name without blanks, `:` and `|`, found `a b`");
        check("x", 1, 1, "item `x` is defined twice");
        check("c", 3, 2, "item `c` has the lower bound 3 above its upper bound 2");
    }

    #[test]
    fn a_problem_with_too_many_records_names_the_limit() {
        let (mut builder, [a, b, _], _) = builder();
        builder.record_limit = 8;
        builder.option([a, b]).unwrap();
        let expected = "problem has 9 records, which exceeds the limit of 8";
        assert_eq!(builder.option([a]).unwrap_err().to_string(), expected);
        assert_eq!(builder.primary("c").unwrap().index(), 3);
        assert_eq!(builder.primary("d").unwrap_err().to_string(), expected);
    }

    #[test]
    fn entries_that_panic_leave_nothing_behind() {
        let (mut builder, [a, b, _], _) = builder();
        let entries = [7, 8].into_iter().map(|index| {
            assert!(index < 8, "no such item");
            ItemId::new(index)
        });
        let panicked =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| builder.option(entries)));
        assert!(panicked.is_err());
        let option = builder.option([a, b]).unwrap();
        assert_eq!(builder.build().option(option), [a.into(), b.into()]);
    }

    #[test]
    fn costs_are_zero_unless_given() {
        let (mut builder, [a, b, _], _) = builder();
        let [first, second] = [builder.option([a]).unwrap(), builder.option([b]).unwrap()];
        assert!(!builder.clone().build().has_costs());
        builder.set_cost(second, 5);
        let third = builder.option([a, b]).unwrap();
        let problem = builder.build();
        assert_eq!([first, second, third].map(|o| problem.cost(o)), [0, 5, 0]);
    }
}
