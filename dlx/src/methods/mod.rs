//! The counting methods. Each method has a file or folder with its `METHOD`, and an entry in
//! [`METHODS`].
//!
//! [`count`](crate::count) and [`solve`](crate::solve) run the methods as contenders of a race
//! (`portfolio/race.rs`).

pub(crate) mod algebra;
mod alike;
mod descents;
pub(crate) mod filtering;
mod forecast;
pub(crate) mod frontier;
pub(crate) mod matching;
mod memo;
mod method;
pub(crate) mod search;
mod signs;
mod symmetry;
mod tally;
mod together;

pub(crate) use self::alike::{
    ChoiceClasses, Comparison, EARLY, ExpectedSearch, class_representatives, representative_beginnings,
};
pub use self::method::Method;
pub(crate) use self::method::{Counting, Hints, Orders};
pub(crate) use self::symmetry::{FormLayers, SharedForms};
pub use self::symmetry::{LayeredCount, LayersHead, LayersSurvey};
pub(crate) use self::tally::{Basis, Tally};
use crate::portfolio::{Slices, costs};

pub(crate) const SLICES: Slices = Slices { first: costs::COUNT_SLICE, longest: costs::COUNT_SLICE_MAX };

/// All counting methods, in starting order.
pub const METHODS: &[Method] = &[
    matching::METHOD,
    search::METHOD,
    frontier::METHOD,
    symmetry::METHOD,
    memo::METHOD,
    signs::METHOD,
    algebra::METHOD,
];
