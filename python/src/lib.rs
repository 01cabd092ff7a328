//! The Python package `farandole`: a thin layer over [`dlx`], the puzzles of [`farandole`] and the lanes of [`sudoku9`].
//!
//! What Python sees is written in Python (`python/farandole`), with docstrings and types; this crate is its private
//! module `_farandole`, one file for each subject, and does no more than to translate:
//! - `call`: long work on a thread of its own, while Python hears of signals and of progress;
//! - `puzzle`: the class `Core`, a puzzle with its exact cover, and what can be asked of it;
//! - `build`: a `Core` of the items and options of a Python program;
//! - `shards`: parts of a count, their sum, and its journal.

#![allow(clippy::needless_pass_by_value, reason = "arguments come from Python by value")]

mod build;
mod call;
mod puzzle;
mod shards;

use pyo3::prelude::*;

/// The private module of the package.
#[pymodule]
fn _farandole(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<puzzle::Core>()?;
    module.add_class::<shards::PyWhole>()?;
    module.add_class::<shards::PyTally>()?;
    module.add_class::<shards::PyJournal>()?;
    module.add_function(wrap_pyfunction!(shards::read_shards, module)?)
}
