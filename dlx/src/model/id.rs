//! The index types of a problem: one type per table, so that an item cannot be mistaken for an
//! option.
//!
//! All index types are 0-based `u32`. A color is stored as a nonzero `u32`, so that `Option<Color>`
//! has the same size. Only this module converts between `usize` and `u32`.

use std::num::NonZeroU32;

/// Defines an index type over `u32` for one table.
macro_rules! define_id {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
        #[repr(transparent)]
        pub struct $name(u32);

        impl $name {
            /// Returns the id of the table entry at 0-based index `index`.
            ///
            /// # Panics
            /// If `index` exceeds `u32::MAX`, which no table of a
            /// [`Problem`](crate::model::Problem) does.
            #[must_use]
            pub const fn new(index: usize) -> Self {
                assert!(index <= u32::MAX as usize, "an id must fit in 32 bits");
                Self(index as u32)
            }

            /// Returns the 0-based index in the table.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

define_id! {
    /// An item of a [`Problem`](crate::model::Problem), numbered in order of definition.
    ///
    /// ```
    /// let problem: dlx::Problem = "a b\na\nb\n".parse()?;
    /// assert_eq!(problem.item_by_name("b"), Some(dlx::ItemId::new(1)));
    /// # Ok::<(), dlx::ParseError>(())
    /// ```
    ItemId
}

define_id! {
    /// An option (a set of items) of a [`Problem`](crate::model::Problem), numbered in order of
    /// definition.
    ///
    /// ```
    /// let problem: dlx::Problem = "a b\na b\nb\n".parse()?;
    /// assert_eq!(problem.option(dlx::OptionId::new(0)).len(), 2);
    /// # Ok::<(), dlx::ParseError>(())
    /// ```
    OptionId
}

/// A color that an option may give to a secondary item.
///
/// Options that give the same color to a secondary item are compatible; different colors conflict.
///
/// ```
/// let problem: dlx::Problem = "a | x\na x:red\n".parse()?;
/// let color = problem.option(dlx::OptionId::new(0))[1].color.expect("`x` has a color");
/// assert_eq!(problem.color_name(color), "red");
/// # Ok::<(), dlx::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Color(NonZeroU32);

impl Color {
    /// Returns the color at 0-based index `index` of the table of colors.
    ///
    /// # Panics
    /// If `index` exceeds `u32::MAX - 1`, which no table of a [`Problem`](crate::model::Problem)
    /// does.
    #[must_use]
    pub const fn new(index: usize) -> Self {
        assert!(index < u32::MAX as usize, "a color must fit in 32 bits");
        match NonZeroU32::new(index as u32 + 1) {
            Some(number) => Self(number),
            None => unreachable!(),
        }
    }

    /// Returns the 0-based index in the table of colors.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    pub(crate) fn from_number(number: u32) -> Option<Self> {
        NonZeroU32::new(number).map(Self)
    }

    /// Returns the nonzero number that represents the color in engines: its index plus one.
    pub(crate) const fn number(self) -> u32 {
        self.0.get()
    }
}
