//! Small sets: cells of a board and digits of a cell, as bit masks.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Sub, SubAssign};

macro_rules! define_set {
    ($(#[$doc:meta])* $name:ident, $bits:ty, $capacity:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name($bits);

        impl $name {
            /// Largest number of elements.
            pub const CAPACITY: usize = $capacity;
            /// The empty set.
            pub const NONE: Self = Self(0);

            /// Returns the set with one element.
            #[must_use]
            #[inline]
            pub const fn one(element: usize) -> Self {
                Self(1 << element)
            }

            /// Returns the set of the elements whose bits are set.
            #[must_use]
            #[inline]
            pub const fn from_bits(bits: $bits) -> Self {
                Self(bits)
            }

            /// Returns the set as a bit mask.
            #[must_use]
            #[inline]
            pub const fn bits(self) -> $bits {
                self.0
            }

            /// Returns the set `0..count`.
            #[must_use]
            pub const fn first(count: usize) -> Self {
                if count == Self::CAPACITY { Self(<$bits>::MAX) } else { Self((1 << count) - 1) }
            }

            /// Returns the number of elements.
            #[must_use]
            #[inline]
            pub const fn len(self) -> usize {
                self.0.count_ones() as usize
            }

            /// Returns whether there is no element.
            #[must_use]
            #[inline]
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// Returns whether the set has this element.
            #[must_use]
            #[inline]
            pub const fn has(self, element: usize) -> bool {
                self.0 >> element & 1 == 1
            }

            /// Returns whether every element is in `other`.
            #[must_use]
            #[inline]
            pub const fn is_within(self, other: Self) -> bool {
                self.0 & !other.0 == 0
            }

            /// Returns whether some element is in `other`.
            #[must_use]
            #[inline]
            pub const fn meets(self, other: Self) -> bool {
                self.0 & other.0 != 0
            }

            /// Adds an element.
            #[inline]
            pub const fn insert(&mut self, element: usize) {
                self.0 |= 1 << element;
            }

            /// Removes an element, if it is there.
            #[inline]
            pub const fn remove(&mut self, element: usize) {
                self.0 &= !(1 << element);
            }

            /// Returns the least element.
            #[must_use]
            #[inline]
            pub const fn least(self) -> Option<usize> {
                if self.0 == 0 { None } else { Some(self.0.trailing_zeros() as usize) }
            }

            /// Returns the only element, if there is exactly one.
            #[must_use]
            #[inline]
            pub const fn only(self) -> Option<usize> {
                if self.0.is_power_of_two() { self.least() } else { None }
            }

            /// Iterates over the elements, ascending.
            #[inline]
            pub fn iter(self) -> impl Iterator<Item = usize> + Clone {
                let mut rest = self.0;
                std::iter::from_fn(move || {
                    let element = Self(rest).least()?;
                    rest &= rest - 1;
                    Some(element)
                })
            }
        }

        impl BitAnd for $name {
            type Output = Self;
            #[inline]
            fn bitand(self, other: Self) -> Self {
                Self(self.0 & other.0)
            }
        }

        impl BitOr for $name {
            type Output = Self;
            #[inline]
            fn bitor(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }

        /// The elements that are not in the other set.
        impl Sub for $name {
            type Output = Self;
            #[inline]
            fn sub(self, other: Self) -> Self {
                Self(self.0 & !other.0)
            }
        }

        impl BitAndAssign for $name {
            #[inline]
            fn bitand_assign(&mut self, other: Self) {
                self.0 &= other.0;
            }
        }

        impl BitOrAssign for $name {
            #[inline]
            fn bitor_assign(&mut self, other: Self) {
                self.0 |= other.0;
            }
        }

        impl SubAssign for $name {
            #[inline]
            fn sub_assign(&mut self, other: Self) {
                self.0 &= !other.0;
            }
        }

        impl FromIterator<usize> for $name {
            fn from_iter<I: IntoIterator<Item = usize>>(elements: I) -> Self {
                elements.into_iter().fold(Self::NONE, |set, element| set | Self::one(element))
            }
        }
    };
}

define_set!(
    /// A set of cells.
    Cells, u128, 128
);
define_set!(
    /// A set of digits, each from 0.
    Digits, u16, 16
);
