//! Symmetries: permutations of the options that map covers to covers, the groups that they form, and how they are found.

mod found;
mod group;

pub use self::group::{GroupFault, IMAGES_MAX, ORDER_MAX, Symmetry, SymmetryGroup};
