//! Problems from numbered sets and from matrices, with secondary items and costs.

use std::fmt;
use std::sync::Arc;

use super::builder::BuildFault;
use super::{BuildError, Problem, ProblemBuilder};
use crate::model::{ItemId, OptionId};

/// The number of an item: an integer of any type, or a reference to one.
///
/// [`Problem::from_sets`] takes sets of such numbers. No other type can implement the trait.
pub trait ItemNumber: Copy + fmt::Display + sealed::Sealed {
    /// Returns the index, unless the number is negative or larger than any index.
    fn to_index(self) -> Option<usize>;
}

/// An entry of a matrix: a `bool`, or an integer of any type that is 0 or 1.
///
/// [`Problem::from_matrix`] takes rows of such entries. No other type can implement the trait.
pub trait ZeroOrOne: Copy + fmt::Display + sealed::Sealed {
    /// Returns whether the entry is 1, or `None` if it is neither 0 nor 1.
    fn to_bool(self) -> Option<bool>;
}

mod sealed {
    pub trait Sealed {}
}

impl sealed::Sealed for bool {}

impl ZeroOrOne for bool {
    fn to_bool(self) -> Option<bool> {
        Some(self)
    }
}

macro_rules! implement_for_integers {
    ($($integer:ty)*) => {$(
        impl sealed::Sealed for $integer {}

        impl ItemNumber for $integer {
            fn to_index(self) -> Option<usize> {
                usize::try_from(self).ok()
            }
        }

        impl ZeroOrOne for $integer {
            fn to_bool(self) -> Option<bool> {
                match self {
                    0 => Some(false),
                    1 => Some(true),
                    _ => None,
                }
            }
        }
    )*};
}

implement_for_integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

impl<T: sealed::Sealed> sealed::Sealed for &T {}

impl<T: ItemNumber> ItemNumber for &T {
    fn to_index(self) -> Option<usize> {
        (*self).to_index()
    }
}

impl Problem {
    /// Builds a problem of `count` primary items, named by their numbers from 0. Each set of item
    /// numbers is an option.
    ///
    /// ```
    /// use dlx::Problem;
    ///
    /// let problem = Problem::from_sets(4, [[0, 1], [2, 3], [1, 2], [0, 3]])?;
    /// assert_eq!(dlx::count(&problem), 2u8.into());
    ///
    /// // The sets may have different sizes, any integers, and be borrowed.
    /// let sets: Vec<Vec<usize>> = vec![vec![0, 2], vec![1], vec![0, 1, 2]];
    /// assert_eq!(dlx::count(&Problem::from_sets(3, &sets)?), 2u8.into());
    ///
    /// let error = Problem::from_sets(3, [[0, 3]]).unwrap_err();
    /// assert_eq!(error.to_string(), "set 0: expected an item from 0 to 2, found 3");
    /// # Ok::<(), dlx::BuildError>(())
    /// ```
    ///
    /// # Errors
    /// If a set is empty, contains an item twice or a number that is negative or not below `count`,
    /// or if there are too many items or sets.
    pub fn from_sets<S>(count: usize, sets: impl IntoIterator<Item = S>) -> Result<Self, BuildError>
    where
        S: IntoIterator<Item: ItemNumber>,
    {
        let mut builder = ProblemBuilder::with_items(count)?;
        let mut items = Vec::new();
        for (set, numbers) in sets.into_iter().enumerate() {
            items.clear();
            for number in numbers {
                let Some(index) = number.to_index().filter(|&index| index < count) else {
                    let fault = BuildFault::NoNumber { count, found: number.to_string().into() };
                    return Err(fault.of("set", set));
                };
                items.push(ItemId::new(index));
            }
            builder.option(items.iter().copied()).map_err(|error| error.0.of("set", set))?;
        }
        Ok(builder.build())
    }

    /// Builds a problem from the rows of a matrix. Each column is a primary item, named by its
    /// number from 0, and each row is an option that contains the columns with a 1.
    ///
    /// ```
    /// use dlx::Problem;
    ///
    /// let problem = Problem::from_matrix([[1, 0, 1], [0, 1, 0], [1, 1, 0], [0, 0, 1]])?;
    /// assert_eq!(dlx::count(&problem), 2u8.into());
    ///
    /// let rows: Vec<Vec<bool>> = vec![vec![true, false], vec![false, true]];
    /// assert_eq!(dlx::count(&Problem::from_matrix(&rows)?), 1u8.into());
    ///
    /// let error = Problem::from_matrix([vec![1, 0], vec![1]]).unwrap_err();
    /// assert_eq!(error.to_string(), "row 1: expected 2 entries as in row 0, found 1");
    /// # Ok::<(), dlx::BuildError>(())
    /// ```
    ///
    /// # Errors
    /// If the rows differ in length, an entry is neither 0 nor 1, a row has no 1, or if there are
    /// too many rows or columns.
    pub fn from_matrix<R, E>(rows: impl IntoIterator<Item = R>) -> Result<Self, BuildError>
    where
        R: AsRef<[E]>,
        E: ZeroOrOne,
    {
        let mut rows = rows.into_iter().peekable();
        let count = rows.peek().map_or(0, |row| row.as_ref().len());
        let mut builder = ProblemBuilder::with_items(count)?;
        let mut items = Vec::new();
        for (number, row) in rows.enumerate() {
            let entries = row.as_ref();
            let fault = |fault: BuildFault| fault.of("row", number);
            if entries.len() != count {
                return Err(fault(BuildFault::UnevenRow { expected: count, found: entries.len() }));
            }
            items.clear();
            for (column, &entry) in entries.iter().enumerate() {
                match entry.to_bool() {
                    Some(true) => items.push(ItemId::new(column)),
                    Some(false) => {}
                    None => {
                        let found = entry.to_string().into();
                        return Err(fault(BuildFault::NoBit { column, found }));
                    }
                }
            }
            builder.option(items.iter().copied()).map_err(|error| fault(error.0))?;
        }
        Ok(builder.build())
    }

    /// Returns the problem with these items secondary, so that each is covered at most once.
    ///
    /// ```
    /// use dlx::{ItemId, Problem};
    ///
    /// // Item 2 need not be covered.
    /// let problem = Problem::from_sets(3, [[0, 2], [1, 2]])?;
    /// assert_eq!(dlx::count(&problem), 0u8.into());
    /// let problem = Problem::from_sets(3, [vec![0, 2], vec![1]])?.with_secondary([2].map(ItemId::new));
    /// assert_eq!(dlx::count(&problem), 1u8.into());
    /// # Ok::<(), dlx::BuildError>(())
    /// ```
    ///
    /// # Panics
    /// If an item does not belong to the problem.
    #[must_use]
    pub fn with_secondary(mut self, items: impl IntoIterator<Item = ItemId>) -> Self {
        let bounds = Arc::make_mut(&mut self.bounds);
        for item in items {
            bounds[item.index()] = None;
        }
        self.primary_count = bounds.iter().flatten().count();
        let is_idle =
            |&option: &OptionId| !self.option(option).iter().any(|entry| self.is_primary(entry.item));
        let idle = self.options().filter(is_idle).collect();
        self.idle = Arc::new(idle);
        self
    }

    /// Returns the problem with these costs of its options, from the first option to the last.
    ///
    /// ```
    /// use dlx::{Limits, Problem};
    ///
    /// let problem = Problem::from_sets(2, [vec![0], vec![1], vec![0, 1]])?.with_costs([2, 3, 4]);
    /// let best = dlx::cheapest::search(&problem, &[], 1, &Limits::new());
    /// assert_eq!(best.covers[0].cost, 4);
    /// # Ok::<(), dlx::BuildError>(())
    /// ```
    ///
    /// # Panics
    /// If there are not as many costs as options.
    #[must_use]
    pub fn with_costs(mut self, costs: impl IntoIterator<Item = u64>) -> Self {
        let costs: Vec<u64> = costs.into_iter().collect();
        assert_eq!(costs.len(), self.option_count(), "each option must have a cost");
        let has_costs = costs.iter().any(|&cost| cost > 0);
        self.costs = if has_costs { Arc::new(costs) } else { Arc::default() };
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_and_matrices_of_any_integers_build_the_same_problem() {
        let lists: Vec<Vec<usize>> = vec![vec![0, 2], vec![1]];
        let text = "0 1 2\n0 2\n1\n";
        let sets: [&[i64]; 2] = [&[0, 2], &[1]];
        let rows: [[u8; 3]; 2] = [[1, 0, 1], [0, 1, 0]];
        let problems = [
            Problem::from_sets(3, sets),
            Problem::from_sets(3, [vec![0u128, 2], vec![1]]),
            Problem::from_sets(3, &lists),
            Problem::from_matrix(rows),
            Problem::from_matrix(rows.map(|row| row.map(|entry| entry == 1))),
            Problem::from_matrix(rows.iter().map(|row| row.to_vec())),
        ];
        for problem in problems {
            assert_eq!(problem.unwrap().to_string(), text);
        }
        let empty = Problem::from_matrix::<[u8; 0], u8>([]).unwrap();
        assert_eq!(crate::count(&empty), 1u8.into());
    }

    #[test]
    fn invalid_sets_and_rows_are_named_by_their_number() {
        let check = |result: Result<Problem, BuildError>, expected: &str| {
            assert_eq!(result.unwrap_err().to_string(), expected);
        };
        check(Problem::from_sets(2, [[0], [-1]]), "set 1: expected an item from 0 to 1, found -1");
        check(Problem::from_sets(0, [[0]]), "set 0: expected no item, found 0");
        check(Problem::from_sets(2, [vec![0], vec![1, 1]]), "set 1: the option names item `1` twice");
        check(Problem::from_matrix([[1, 0], [0, 0]]), "row 1: the option names no item");
        check(Problem::from_matrix([[1, 2]]), "row 0: expected 0 or 1 in column 1, found 2");
    }

    #[test]
    fn an_option_of_secondary_items_alone_is_idle() {
        let problem = Problem::from_sets(2, [vec![0], vec![1]]).unwrap();
        let problem = problem.with_secondary([ItemId::new(1)]).with_costs([0, 7]);
        assert_eq!(problem.to_string(), "0 | 1\n0\n1 |7\n");
        assert_eq!(problem.idle_options(), [OptionId::new(1)]);
        assert_eq!((problem.primary_count(), crate::count(&problem)), (1, 1u8.into()));
    }
}
