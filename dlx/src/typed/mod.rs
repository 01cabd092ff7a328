//! Exact covers over the caller's own types.
//!
//! [`ExactCover`] numbers items and options in order of definition, so that its [`Problem`] and the
//! answers of all other modules can be translated back ([`ExactCover::choice`],
//! [`ExactCover::item`]).

use std::collections::HashSet;
use std::fmt::Debug;
use std::hash::Hash;

use indexmap::IndexSet;
use num_bigint::BigUint;

use crate::limits::{Limit, Limits};
use crate::model::{BuildError, Color, Entry, ItemId, OptionId, Problem, ProblemBuilder};

/// An exact-cover problem whose items and options are values of the caller's own types.
///
/// Each option is called a *choice*: any value, with the items that it covers. An item that was not
/// declared before its first use is primary.
///
/// ```
/// use dlx::ExactCover;
///
/// // Place four rooks on a board of 4x4, so that each row and column has one.
/// #[derive(Clone, Debug, PartialEq, Eq, Hash)]
/// enum Line {
///     Row(usize),
///     Column(usize),
/// }
///
/// let mut rooks = ExactCover::new();
/// for (row, column) in (0..16).map(|cell| (cell / 4, cell % 4)) {
///     rooks.option((row, column), [Line::Row(row), Line::Column(column)])?;
/// }
/// assert_eq!(rooks.count(), 24u8.into());
/// let places: Vec<&(usize, usize)> = rooks.solve().expect("there are 24");
/// assert_eq!(places.len(), 4);
///
/// // Queens also use each diagonal at most once, so diagonals are secondary items.
/// let mut queens = ExactCover::new();
/// for sum in 0..7 {
///     queens.secondary(("rising", sum))?;
///     queens.secondary(("falling", sum))?;
/// }
/// for (row, column) in (0..16).map(|cell| (cell / 4, cell % 4)) {
///     let diagonals = [("rising", row + column), ("falling", row + 3 - column)];
///     queens.option((row, column), [("row", row), ("column", column)].into_iter().chain(diagonals))?;
/// }
/// let mut solutions: Vec<Vec<_>> = queens.solutions().collect();
/// solutions.iter_mut().for_each(|queens| queens.sort());
/// solutions.sort();
/// assert_eq!(solutions, [[&(0, 1), &(1, 3), &(2, 0), &(3, 2)], [&(0, 2), &(1, 0), &(2, 3), &(3, 1)]]);
/// # Ok::<(), dlx::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ExactCover<Item, Choice> {
    builder: ProblemBuilder,
    items: IndexSet<Item>,
    choices: Vec<Choice>,
}

/// An item that a choice covers, with the color that it gives to the item, if any.
///
/// It is made from an item, or from a pair of an item and a color or `Option<Color>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ItemUse<Item> {
    /// The item.
    pub item: Item,
    /// The color of a secondary item.
    pub color: Option<Color>,
}

impl<Item> From<Item> for ItemUse<Item> {
    fn from(item: Item) -> Self {
        Self { item, color: None }
    }
}

impl<Item> From<(Item, Color)> for ItemUse<Item> {
    fn from((item, color): (Item, Color)) -> Self {
        Self { item, color: Some(color) }
    }
}

impl<Item> From<(Item, Option<Color>)> for ItemUse<Item> {
    fn from((item, color): (Item, Option<Color>)) -> Self {
        Self { item, color }
    }
}

impl<Item, Choice> Default for ExactCover<Item, Choice> {
    fn default() -> Self {
        Self { builder: ProblemBuilder::new(), items: IndexSet::new(), choices: Vec::new() }
    }
}

impl<Item: Eq + Hash + Debug, Choice> ExactCover<Item, Choice> {
    /// Creates a problem without items and choices.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Declares an item that must be covered exactly once. This matters only for an item that no
    /// choice covers, because such a problem has no cover.
    ///
    /// # Errors
    /// If the item was declared or used before, or the problem becomes too large.
    pub fn primary(&mut self, item: Item) -> Result<ItemId, BuildError> {
        self.define(item, ProblemBuilder::primary)
    }

    /// Declares an item that must be covered at least `low` and at most `high` times.
    ///
    /// ```
    /// let mut teams = dlx::ExactCover::new();
    /// teams.bounded("team", 2, 3)?;
    /// for name in ["Ada", "Bob", "Cat"] {
    ///     teams.option(name, ["team"])?;
    /// }
    /// assert_eq!(teams.count(), 4u8.into());
    /// # Ok::<(), dlx::BuildError>(())
    /// ```
    ///
    /// # Errors
    /// If `low` exceeds `high`, the item was declared or used before, or the problem becomes too
    /// large.
    pub fn bounded(&mut self, item: Item, low: u32, high: u32) -> Result<ItemId, BuildError> {
        self.define(item, |builder, name| builder.bounded(name, low, high))
    }

    /// Declares an item that may be covered at most once, or by choices that give it the same
    /// color.
    ///
    /// # Errors
    /// If the item was declared or used before, or the problem becomes too large.
    pub fn secondary(&mut self, item: Item) -> Result<ItemId, BuildError> {
        self.define(item, ProblemBuilder::secondary)
    }

    /// Returns the color with this name, which may be any text.
    ///
    /// ```
    /// // Two crossing words share a square if both have the same letter in it.
    /// let mut words = dlx::ExactCover::new();
    /// words.secondary("square")?;
    /// for word in ["cat", "tea"] {
    ///     let first = words.color(&word[..1])?;
    ///     words.option(format!("{word} across"), [("across", None), ("square", Some(first))])?;
    ///     words.option(format!("{word} down"), [("down", None), ("square", Some(first))])?;
    /// }
    /// assert_eq!(words.count(), 2u8.into());
    /// # Ok::<(), dlx::BuildError>(())
    /// ```
    ///
    /// # Errors
    /// If there are 2^31 - 1 colors already.
    pub fn color(&mut self, name: impl AsRef<str>) -> Result<Color, BuildError> {
        self.builder.color(&word(name.as_ref()))
    }

    /// Adds a choice and the items that it covers. Items that are new become primary.
    ///
    /// # Errors
    /// If there are no items, an item occurs twice, a primary item has a color, or the problem
    /// becomes too large. Unless it is too large, the problem is then unchanged.
    pub fn option<U: Into<ItemUse<Item>>>(
        &mut self,
        choice: Choice,
        uses: impl IntoIterator<Item = U>,
    ) -> Result<OptionId, BuildError> {
        self.option_with_cost(choice, uses, 0)
    }

    /// Adds a choice with a cost.
    ///
    /// ```
    /// let mut trips = dlx::ExactCover::new();
    /// trips.option_with_cost("both", ["Paris", "Rome"], 5)?;
    /// trips.option_with_cost("north", ["Paris"], 1)?;
    /// trips.option_with_cost("south", ["Rome"], 3)?;
    /// assert_eq!(trips.cheapest(), Some((4, vec![&"north", &"south"])));
    /// # Ok::<(), dlx::BuildError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::option`].
    pub fn option_with_cost<U: Into<ItemUse<Item>>>(
        &mut self,
        choice: Choice,
        uses: impl IntoIterator<Item = U>,
        cost: u64,
    ) -> Result<OptionId, BuildError> {
        let uses: Vec<ItemUse<Item>> = uses.into_iter().map(Into::into).collect();
        let mut seen = HashSet::new();
        for (place, ItemUse { item, color }) in uses.iter().enumerate() {
            let name = || format!("{item:?}");
            if !seen.insert(item) {
                return Err(BuildError::item_twice(&name(), place));
            }
            if color.is_some() && !self.items.contains(item) {
                return Err(BuildError::colored_primary(&name(), place));
            }
        }
        drop(seen);
        let mut entries = Vec::with_capacity(uses.len());
        for ItemUse { item, color } in uses {
            let id = match self.items.get_index_of(&item) {
                Some(index) => ItemId::new(index),
                None => self.primary(item)?,
            };
            entries.push(Entry { item: id, color });
        }
        let option = self.builder.option_with_cost(entries, cost)?;
        self.choices.push(choice);
        Ok(option)
    }

    fn define(
        &mut self,
        item: Item,
        define: impl Fn(&mut ProblemBuilder, &str) -> Result<ItemId, BuildError>,
    ) -> Result<ItemId, BuildError> {
        let mut name = word(&format!("{item:?}"));
        if self.items.contains(&item) {
            return Err(BuildError::item_defined_twice(&name));
        }
        // Different items may have the same text.
        if self.builder.item_by_name(&name).is_some() {
            name = format!("{name}#{}", self.items.len());
        }
        let id = define(&mut self.builder, &name)?;
        self.items.insert(item);
        Ok(id)
    }

    /// Returns the problem with numbered items and options, for all other functions of this crate.
    /// Its items have their `Debug` texts as names, without blanks and with other signs for `:` and
    /// `|`.
    ///
    /// ```
    /// use dlx::{Engine, Limits};
    ///
    /// let mut cells = dlx::ExactCover::new();
    /// let corner = cells.option("corner", [(0, 0), (0, 1), (1, 0)])?;
    /// cells.option("rest", [(1, 1)])?;
    /// let problem = cells.problem();
    /// assert_eq!(problem.show(corner).to_string(), "(0,0) (0,1) (1,0)");
    /// let report = dlx::Solver::new(problem).search(&[], &Limits::new(), &mut |cover| {
    ///     assert_eq!(cells.choices(cover), [&"corner", &"rest"]);
    ///     std::ops::ControlFlow::Continue(())
    /// });
    /// assert_eq!(report.count(), Some(1));
    /// # Ok::<(), dlx::BuildError>(())
    /// ```
    #[must_use]
    pub fn problem(&self) -> Problem {
        self.builder.clone().build()
    }

    /// Returns the item with this number.
    ///
    /// # Panics
    /// If the item does not belong to this problem.
    #[must_use]
    pub fn item(&self, item: ItemId) -> &Item {
        &self.items[item.index()]
    }

    /// Returns the choice of this option.
    ///
    /// # Panics
    /// If the option does not belong to this problem.
    #[must_use]
    pub fn choice(&self, option: OptionId) -> &Choice {
        &self.choices[option.index()]
    }

    /// Returns the choices of a cover.
    ///
    /// # Panics
    /// If an option does not belong to this problem.
    #[must_use]
    pub fn choices(&self, cover: &[OptionId]) -> Vec<&Choice> {
        cover.iter().map(|&option| self.choice(option)).collect()
    }

    /// Counts the exact covers, as [`dlx::count`](crate::count()).
    #[must_use]
    pub fn count(&self) -> BigUint {
        crate::count(&self.problem())
    }

    /// Returns a cover, or `None` if there is none.
    #[must_use]
    pub fn solve(&self) -> Option<Vec<&Choice>> {
        let mut covers = crate::solutions(&self.problem()).limits(Limits::new().solutions(1));
        covers.next().map(|cover| self.choices(&cover))
    }

    /// Iterates over all covers, each once, in no particular order, as
    /// [`dlx::solutions`](crate::solutions).
    pub fn solutions(&self) -> impl Iterator<Item = Vec<&Choice>> {
        crate::solutions(&self.problem()).map(|cover| self.choices(&cover))
    }

    /// Returns a cover of least cost and its cost, or `None` if there is no cover.
    #[must_use]
    pub fn cheapest(&self) -> Option<(u128, Vec<&Choice>)> {
        let found = crate::cheapest::search(&self.problem(), &[], 1, &Limits::new());
        found.covers.first().map(|cover| {
            let mut options = cover.options.clone();
            options.sort_unstable();
            (cover.cost, self.choices(&options))
        })
    }

    /// Draws `count` uniformly random covers, as [`dlx::sample`](crate::sample).
    ///
    /// # Errors
    /// As [`dlx::sample`](crate::sample).
    pub fn sample(&self, count: usize, seed: u64) -> Result<Vec<Vec<&Choice>>, Limit> {
        let covers = crate::sample(&self.problem(), count, seed)?;
        Ok(covers.iter().map(|cover| self.choices(cover)).collect())
    }
}

/// Returns a text as a word of Knuth's text format.
fn word(text: &str) -> String {
    let word: String = text
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| match c {
            ':' => '=',
            '|' => '/',
            other => other,
        })
        .collect();
    if word.is_empty() { "_".to_owned() } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Eq, Hash)]
    struct Cell {
        row: u8,
        column: u8,
    }

    #[test]
    fn items_with_equal_texts_are_different_items() {
        #[derive(PartialEq, Eq, Hash)]
        struct Silent(u8);
        impl Debug for Silent {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(" ")
            }
        }
        let mut cover = ExactCover::new();
        cover.option('a', [Silent(0), Silent(1)]).unwrap();
        cover.option('b', [Silent(1)]).unwrap();
        cover.option('c', [Silent(0)]).unwrap();
        assert_eq!(cover.count(), 2u8.into());
        assert_eq!(cover.problem().to_string(), "_ _#1\n_ _#1\n_#1\n_\n");
        assert_eq!(cover.item(ItemId::new(1)), &Silent(1), "numbers are in order of definition");
    }

    #[test]
    fn a_refused_choice_leaves_the_problem_unchanged() {
        let mut cover = ExactCover::new();
        let cell = |row, column| Cell { row, column };
        let red = cover.color("bright red").unwrap();
        cover.secondary(cell(9, 9)).unwrap();
        cover.option("one", [cell(0, 0)]).unwrap();
        let before = cover.problem().to_string();
        let mut check = |uses: Vec<ItemUse<Cell>>, expected: &str| {
            assert_eq!(cover.option("two", uses).unwrap_err().to_string(), expected);
            assert_eq!(cover.problem().to_string(), before);
        };
        check(vec![], "the option names no item");
        check(
            vec![cell(1, 2).into(), cell(1, 2).into()],
            "the option names item `Cell { row: 1, column: 2 }` twice",
        );
        check(
            vec![(cell(1, 2), red).into()],
            "the option gives a color to the primary item `Cell { row: 1, column: 2 }`",
        );
        check(
            vec![(cell(0, 0), red).into()],
            "the option gives a color to the primary item `Cell{row=0,column=0}`",
        );
        cover.option("two", [ItemUse::from((cell(9, 9), red)), cell(0, 1).into()]).unwrap();
        assert_eq!(cover.solve(), Some(vec![&"one", &"two"]));
        assert!(cover.secondary(cell(0, 1)).is_err(), "it was used as a primary item");
    }

    #[test]
    fn all_answers_are_in_terms_of_the_choices() {
        let mut cover: ExactCover<u8, (u8, u8)> = ExactCover::new();
        for (from, to) in (0..4).flat_map(|to| (0..to).map(move |from| (from, to))) {
            cover.option_with_cost((from, to), [from, to], u64::from(from * to)).unwrap();
        }
        assert_eq!(cover.solutions().count(), 3);
        assert_eq!(cover.cheapest(), Some((2, vec![&(1, 2), &(0, 3)])));
        let sample = cover.sample(50, 7).unwrap();
        assert_eq!(sample.len(), 50);
        assert_eq!(sample, cover.sample(50, 7).unwrap(), "the seed decides");
        let distinct: HashSet<_> = sample.iter().map(|cover| cover[0].max(cover[1])).collect();
        assert!(distinct.len() > 1, "not always the same cover");
        let none: ExactCover<u8, u8> = ExactCover::new();
        assert_eq!((none.count(), none.solve()), (1u8.into(), Some(vec![])));
    }
}
