//! The methods by which the covers of a part are counted, each a folder or a file with its `METHOD`, and its line in
//! [`METHODS`].
//!
//! Who asks ([`count`](crate::count), [`solve`](crate::solve)) lets them race (`portfolio/race.rs`).

pub(crate) mod algebra;
mod alike;
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

pub(crate) use self::alike::{Alike, Comparison, EARLY, Outlook, one_of_each, one_of_each_beginning};
pub use self::method::Method;
pub(crate) use self::method::{Counting, Hints, Orders};
pub(crate) use self::symmetry::{FormLayers, SharedForms};
pub use self::symmetry::{LayeredCount, LayersHead, LayersSurvey};
pub(crate) use self::tally::{Basis, Tally};
use crate::portfolio::{Slices, costs};

/// The slices of a race of methods.
pub(crate) const SLICES: Slices = Slices { first: costs::COUNT_SLICE, longest: costs::COUNT_SLICE_MAX };

/// Every method, in the order in which they begin.
pub const METHODS: &[Method] = &[
    matching::METHOD,
    search::METHOD,
    frontier::METHOD,
    symmetry::METHOD,
    memo::METHOD,
    signs::METHOD,
    algebra::METHOD,
];
