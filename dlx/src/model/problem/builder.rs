//! Builds problems, and checks the invariants that every engine relies on.

use std::fmt;
use std::sync::Arc;

use crate::model::{Bounds, Color, Entry, ItemId, OptionId, Problem};

/// Maximum number of records: one per entry, item and option, and a sentinel. Engines number them
/// in 31 bits and use the last bit as a flag.
const RECORD_LIMIT: u64 = i32::MAX as u64;
/// Maximum number of colors. Engines also need a number for "no color", and complements of color
/// numbers.
const COLOR_LIMIT: u64 = i32::MAX as u64;

/// Collects items and options, checks them, and builds a [`Problem`].
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
/// assert_eq!(dlx::count(&builder.build()), 2u32.into());
/// # Ok::<(), dlx::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ProblemBuilder {
    problem: Problem,
    seen: Vec<bool>,
    record_limit: u64,
}

impl Default for ProblemBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl ProblemBuilder {
    /// Creates a builder without items and options.
    #[must_use]
    pub fn new() -> Self {
        Self { problem: Problem::empty(), seen: Vec::new(), record_limit: RECORD_LIMIT }
    }

    /// Adds a primary item that must be covered exactly once.
    ///
    /// # Errors
    /// If the name is taken, empty, or has a blank, `:` or `|`, or if the problem becomes too
    /// large.
    pub fn primary(&mut self, name: &str) -> Result<ItemId, BuildError> {
        self.item(name, Some(Bounds::ONE))
    }

    /// Adds a primary item that must be covered at least `low` and at most `high` times.
    ///
    /// ```
    /// let mut builder = dlx::ProblemBuilder::new();
    /// let pair = builder.bounded("pair", 2, 2)?;
    /// for _ in 0..4 {
    ///     builder.option([pair])?;
    /// }
    /// assert_eq!(dlx::count(&builder.build()), 6u32.into());
    /// # Ok::<(), dlx::BuildError>(())
    /// ```
    ///
    /// # Errors
    /// If the name is taken, empty, or has a blank, `:` or `|`, if `low` exceeds `high`, or if the
    /// problem becomes too large.
    pub fn bounded(&mut self, name: &str, low: u32, high: u32) -> Result<ItemId, BuildError> {
        self.item(name, Some(Bounds { low, high }))
    }

    /// Adds a secondary item, which is covered at most once or by options that give it the same
    /// color.
    ///
    /// # Errors
    /// If the name is taken, empty, or has a blank, `:` or `|`, or if the problem becomes too
    /// large.
    pub fn secondary(&mut self, name: &str) -> Result<ItemId, BuildError> {
        self.item(name, None)
    }

    fn item(&mut self, name: &str, bounds: Option<Bounds>) -> Result<ItemId, BuildError> {
        check_name(name)?;
        if let Some(Bounds { low, high }) = bounds.filter(|bounds| bounds.low > bounds.high) {
            return Err(BuildFault::BoundsUpsideDown { name: name.into(), low, high }.into());
        }
        self.check_room(1)?;
        let (index, new) = Arc::make_mut(&mut self.problem.names).insert_full(name.into());
        if !new {
            return Err(BuildFault::DuplicateItem { name: name.into() }.into());
        }
        Arc::make_mut(&mut self.problem.bounds).push(bounds);
        self.problem.primary_count += usize::from(bounds.is_some());
        self.seen.push(false);
        Ok(ItemId::new(index))
    }

    /// Creates a builder with `count` primary items, whose names are their indices from 0.
    ///
    /// ```
    /// use dlx::{ItemId, ProblemBuilder};
    ///
    /// let mut builder = ProblemBuilder::with_items(3)?;
    /// builder.option([0, 2].map(ItemId::new))?;
    /// builder.option([ItemId::new(1)])?;
    /// assert_eq!(dlx::count(&builder.build()), 1u32.into());
    /// # Ok::<(), dlx::BuildError>(())
    /// ```
    ///
    /// # Errors
    /// If there are too many items.
    pub fn with_items(count: usize) -> Result<Self, BuildError> {
        let mut builder = Self::new();
        for number in 0..count {
            builder.primary(&number.to_string())?;
        }
        Ok(builder)
    }

    /// Returns the item named `name`, if it exists.
    #[must_use]
    pub fn item_by_name(&self, name: &str) -> Option<ItemId> {
        self.problem.item_by_name(name)
    }

    /// Returns the color named `name`, and defines it if it is new.
    ///
    /// # Errors
    /// If the name is empty or has a blank, `:` or `|`, or if there are 2^31 - 1 colors already.
    pub fn color(&mut self, name: &str) -> Result<Color, BuildError> {
        check_name(name)?;
        if let Some(index) = self.problem.colors.get_index_of(name) {
            return Ok(Color::new(index));
        }
        let count = self.problem.colors.len() as u64;
        if count >= COLOR_LIMIT {
            return Err(
                BuildFault::TooLarge { what: "colors", count: count + 1, limit: COLOR_LIMIT }.into()
            );
        }
        let (index, _) = Arc::make_mut(&mut self.problem.colors).insert_full(name.into());
        Ok(Color::new(index))
    }

    /// Adds an option with a cost.
    ///
    /// ```
    /// let mut builder = dlx::ProblemBuilder::new();
    /// let [a, b] = ["a", "b"].map(|name| builder.primary(name).expect("the name is new"));
    /// builder.option_with_cost([a, b], 5)?;
    /// builder.option_with_cost([a], 1)?;
    /// builder.option_with_cost([b], 3)?;
    /// let best = dlx::cheapest::search(&builder.build(), &[], 1, &dlx::Limits::new());
    /// assert_eq!(best.covers[0].cost, 4);
    /// # Ok::<(), dlx::BuildError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::option`].
    pub fn option_with_cost<E: Into<Entry>>(
        &mut self,
        entries: impl IntoIterator<Item = E>,
        cost: u64,
    ) -> Result<OptionId, BuildError> {
        let option = self.option(entries)?;
        self.set_cost(option, cost);
        Ok(option)
    }

    /// Adds an option. Each of its `entries` is an item, or a pair of an item and a color or
    /// `Option<Color>`.
    ///
    /// ```
    /// let mut builder = dlx::ProblemBuilder::new();
    /// let [p, q] = [builder.primary("p")?, builder.primary("q")?];
    /// let x = builder.secondary("x")?;
    /// let [red, blue] = [builder.color("red")?, builder.color("blue")?];
    /// // Both options of a cover give `x` the same color.
    /// for color in [red, blue] {
    ///     builder.option([(p, None), (x, Some(color))])?;
    ///     builder.option([q.into(), x.with(color)])?;
    /// }
    /// assert_eq!(dlx::count(&builder.build()), 2u8.into());
    /// # Ok::<(), dlx::BuildError>(())
    /// ```
    ///
    /// # Errors
    /// If there are no entries, an item does not belong to the builder or occurs twice, a primary
    /// item has a color, or the problem becomes too large. The builder is then unchanged.
    pub fn option<E: Into<Entry>>(
        &mut self,
        entries: impl IntoIterator<Item = E>,
    ) -> Result<OptionId, BuildError> {
        // If an earlier call panicked in `entries`, remove the entries that it left.
        let start = self.problem.starts.last().map_or(0, |&start| start as usize);
        let all = Arc::make_mut(&mut self.problem.entries);
        all.truncate(start);
        all.extend(entries.into_iter().map(Into::into));
        let end = self.problem.entries.len();
        match self.check_option(start) {
            Ok(()) => {
                let option = OptionId::new(self.problem.option_count());
                if !self.problem.entries[start..].iter().any(|e| self.problem.is_primary(e.item)) {
                    Arc::make_mut(&mut self.problem.idle).push(option);
                }
                Arc::make_mut(&mut self.problem.starts).push(end as u32);
                if self.problem.has_costs() {
                    Arc::make_mut(&mut self.problem.costs).push(0);
                }
                Ok(option)
            }
            Err(error) => {
                Arc::make_mut(&mut self.problem.entries).truncate(start);
                Err(error)
            }
        }
    }

    fn check_option(&mut self, start: usize) -> Result<(), BuildError> {
        if self.problem.entries.len() == start {
            return Err(BuildFault::EmptyOption.into());
        }
        self.check_room(1)?;
        let mut result = Ok(());
        let mut marked = 0;
        for (place, entry) in self.problem.entries[start..].iter().enumerate() {
            let index = entry.item.index();
            let kind = if index >= self.seen.len() {
                BuildFault::UnknownItem { index }
            } else if self.seen[index] {
                BuildFault::ItemTwice { name: self.problem.names[index].clone(), place }
            } else if entry.color.is_some() && self.problem.bounds[index].is_some() {
                BuildFault::ColoredPrimary { name: self.problem.names[index].clone(), place }
            } else if entry.color.is_some_and(|c| c.index() >= self.problem.colors.len()) {
                BuildFault::UnknownColor { name: self.problem.names[index].clone() }
            } else {
                self.seen[index] = true;
                marked += 1;
                continue;
            };
            result = Err(kind.into());
            break;
        }
        for entry in &self.problem.entries[start..start + marked] {
            self.seen[entry.item.index()] = false;
        }
        result
    }

    /// Sets the cost of `option`.
    ///
    /// # Panics
    /// If `option` does not belong to the builder.
    pub fn set_cost(&mut self, option: OptionId, cost: u64) {
        assert!(option.index() < self.problem.option_count(), "the option must be this builder's");
        if self.problem.costs.is_empty() && cost > 0 {
            self.problem.costs = Arc::new(vec![0; self.problem.option_count()]);
        }
        if let Some(slot) = Arc::make_mut(&mut self.problem.costs).get_mut(option.index()) {
            *slot = cost;
        }
    }

    /// Returns the finished problem.
    #[must_use]
    pub fn build(mut self) -> Problem {
        let problem = &mut self.problem;
        Arc::make_mut(&mut problem.bounds).shrink_to_fit();
        Arc::make_mut(&mut problem.starts).shrink_to_fit();
        Arc::make_mut(&mut problem.entries).shrink_to_fit();
        self.problem
    }

    fn check_room(&self, more: u64) -> Result<(), BuildError> {
        let problem = &self.problem;
        let records = problem.entries.len() + problem.item_count() + problem.option_count() + 1;
        let count = records as u64 + more;
        if count > self.record_limit {
            return Err(
                BuildFault::TooLarge { what: "records", count, limit: self.record_limit }.into()
            );
        }
        Ok(())
    }
}

fn check_name(name: &str) -> Result<(), BuildError> {
    let is_wrong = |c: char| c == ':' || c == '|' || c.is_whitespace();
    if name.is_empty() || name.contains(is_wrong) {
        return Err(BuildFault::WrongName { name: name.into() }.into());
    }
    Ok(())
}

/// The reason why a builder rejected an item, a color or an option. Messages number items, sets,
/// rows and columns from 0, as [`ItemId`] and [`OptionId`] do.
///
/// ```
/// let mut builder = dlx::ProblemBuilder::new();
/// builder.primary("a")?;
/// let error = builder.primary("a").unwrap_err();
/// assert_eq!(error.to_string(), "item `a` is defined twice");
/// # Ok::<(), dlx::BuildError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildError(pub(super) BuildFault);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum BuildFault {
    WrongName {
        name: Box<str>,
    },
    DuplicateItem {
        name: Box<str>,
    },
    BoundsUpsideDown {
        name: Box<str>,
        low: u32,
        high: u32,
    },
    EmptyOption,
    UnknownItem {
        index: usize,
    },
    UnknownColor {
        name: Box<str>,
    },
    ItemTwice {
        name: Box<str>,
        place: usize,
    },
    ColoredPrimary {
        name: Box<str>,
        place: usize,
    },
    NoNumber {
        count: usize,
        found: Box<str>,
    },
    UnevenRow {
        expected: usize,
        found: usize,
    },
    NoBit {
        column: usize,
        found: Box<str>,
    },
    /// A set or row has a fault.
    Numbered {
        what: &'static str,
        number: usize,
        fault: Box<BuildFault>,
    },
    TooLarge {
        what: &'static str,
        count: u64,
        limit: u64,
    },
}

impl BuildError {
    pub(crate) fn item_twice(name: &str, place: usize) -> Self {
        Self(BuildFault::ItemTwice { name: name.into(), place })
    }

    pub(crate) fn item_defined_twice(name: &str) -> Self {
        Self(BuildFault::DuplicateItem { name: name.into() })
    }

    pub(crate) fn colored_primary(name: &str, place: usize) -> Self {
        Self(BuildFault::ColoredPrimary { name: name.into(), place })
    }

    /// Returns the 0-based index of the invalid entry in its option, if the error concerns an
    /// entry.
    #[must_use]
    pub fn entry(&self) -> Option<usize> {
        match self.0 {
            BuildFault::ItemTwice { place, .. } | BuildFault::ColoredPrimary { place, .. } => {
                Some(place)
            }
            _ => None,
        }
    }
}

impl BuildFault {
    /// Returns the fault as one of a numbered set or row.
    pub(super) fn of(self, what: &'static str, number: usize) -> BuildError {
        BuildError(Self::Numbered { what, number, fault: Box::new(self) })
    }
}

impl From<BuildFault> for BuildError {
    fn from(kind: BuildFault) -> Self {
        Self(kind)
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for BuildFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildFault::WrongName { name } => {
                write!(f, "expected a name without blanks, `:` and `|`, found `{name}`")
            }
            BuildFault::DuplicateItem { name } => write!(f, "item `{name}` is defined twice"),
            BuildFault::BoundsUpsideDown { name, low, high } => {
                write!(f, "item `{name}` has the lower bound {low} above its upper bound {high}")
            }
            BuildFault::EmptyOption => write!(f, "the option names no item"),
            BuildFault::UnknownItem { index } => {
                write!(f, "the option names item number {index}, which was not defined")
            }
            BuildFault::UnknownColor { name } => {
                write!(f, "the option gives item `{name}` a color that was not defined")
            }
            BuildFault::ItemTwice { name, .. } => write!(f, "the option names item `{name}` twice"),
            BuildFault::ColoredPrimary { name, .. } => {
                write!(f, "the option gives a color to the primary item `{name}`")
            }
            BuildFault::NoNumber { count: 0, found } => write!(f, "expected no item, found {found}"),
            BuildFault::NoNumber { count, found } => {
                write!(f, "expected an item from 0 to {}, found {found}", count - 1)
            }
            BuildFault::UnevenRow { expected, found } => {
                write!(f, "expected {expected} entries as in row 0, found {found}")
            }
            BuildFault::NoBit { column, found } => {
                write!(f, "expected 0 or 1 in column {column}, found {found}")
            }
            BuildFault::Numbered { what, number, fault } => write!(f, "{what} {number}: {fault}"),
            BuildFault::TooLarge { what, count, limit } => {
                write!(f, "problem has {count} {what}, which exceeds the limit of {limit}")
            }
        }
    }
}

impl std::error::Error for BuildError {}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn invalid_options_are_refused_and_leave_the_builder_unchanged() {
        let (_, [a, b, x], red) = builder();
        check_refused(&[], "the option names no item");
        check_refused(&[a.into(), b.into(), a.into()], "the option names item `a` twice");
        check_refused(&[a.with(red)], "the option gives a color to the primary item `a`");
        check_refused(
            &[a.into(), ItemId::new(7).into()],
            "the option names item number 7, which was not defined",
        );
        check_refused(
            &[x.with(Color::new(3))],
            "the option gives item `x` a color that was not defined",
        );
    }

    #[test]
    fn invalid_items_are_refused() {
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
    fn a_panic_while_an_option_is_added_leaves_no_entries_in_the_builder() {
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
    fn the_default_cost_of_an_option_is_zero() {
        let (mut builder, [a, b, _], _) = builder();
        let [first, second] = [builder.option([a]).unwrap(), builder.option([b]).unwrap()];
        assert!(!builder.clone().build().has_costs());
        builder.set_cost(second, 5);
        let third = builder.option([a, b]).unwrap();
        let problem = builder.build();
        assert_eq!([first, second, third].map(|o| problem.cost(o)), [0, 5, 0]);
    }
}
