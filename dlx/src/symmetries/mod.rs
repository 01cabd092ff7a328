//! Symmetries of a problem: permutations of the options that map covers to covers, their groups,
//! and a search for them.

mod found;
mod group;

pub use self::group::{GroupFault, IMAGES_MAX, ORDER_MAX, Symmetry, SymmetryGroup};
