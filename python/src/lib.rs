//! The Python package `farandole`: a thin layer over [`dlx`], the puzzles of [`farandole`] and the lanes of [`sudoku9`].
//!
//! What Python sees is written in Python (`python/farandole`), with docstrings and types; this crate is its private
//! module `_farandole`, one file for each subject, and does no more than to translate.

use pyo3::prelude::*;

/// The private module of the package.
#[pymodule]
fn _farandole(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
