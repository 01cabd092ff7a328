//! The Python package `farandole`, a thin layer over [`dlx`], the puzzles of [`farandole`] and the
//! lanes of [`sudoku9`].
//!
//! The public interface is written in Python (`python/farandole`), with docstrings and types. This
//! crate is its private module `_farandole`, which only translates. There is one file per subject:
//! - `call` runs long work on its own thread, while Python handles signals and progress.
//! - `puzzle` has the class `Core`, a puzzle with its exact cover. `build` builds one from items
//!   and options, and `texts` from a text or a parameter.
//! - `questions` has the queries about a puzzle, `covers` the search for all solutions, and `cover`
//!   the class `Cover`.
//! - `commands` runs the commands of the program, and checks requests of its protocol.
//! - `sudoku` solves any number of 9x9 Sudoku grids in the lanes.
//! - `exchange` counts by blocks of states.
//! - `shards` has the parts of a count, their sum, and the journal. `lists` has the journal of a
//!   list.

#![allow(clippy::needless_pass_by_value, reason = "arguments come from Python by value")]

mod build;
mod call;
mod commands;
mod cover;
mod covers;
mod exchange;
mod lists;
mod puzzle;
mod questions;
mod shards;
mod sudoku;
mod texts;

use pyo3::prelude::*;

/// The private module of the Python package.
#[pymodule]
fn _farandole(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<puzzle::Core>()?;
    module.add_class::<texts::Texts>()?;
    module.add_class::<cover::PyCover>()?;
    module.add_class::<covers::Covers>()?;
    module.add_function(wrap_pyfunction!(questions::count, module)?)?;
    module.add_function(wrap_pyfunction!(questions::solve, module)?)?;
    module.add_function(wrap_pyfunction!(questions::cheapest_covers, module)?)?;
    module.add_function(wrap_pyfunction!(questions::sample, module)?)?;
    module.add_function(wrap_pyfunction!(questions::per_option, module)?)?;
    module.add_class::<questions::KnownCandidates>()?;
    module.add_function(wrap_pyfunction!(questions::candidates, module)?)?;
    module.add_function(wrap_pyfunction!(questions::estimated, module)?)?;
    module.add_function(wrap_pyfunction!(questions::histogram, module)?)?;
    module.add_function(wrap_pyfunction!(questions::rank, module)?)?;
    module.add_function(wrap_pyfunction!(questions::unrank, module)?)?;
    module.add_function(wrap_pyfunction!(commands::run_command, module)?)?;
    module.add_function(wrap_pyfunction!(commands::read_request, module)?)?;
    module.add_function(wrap_pyfunction!(commands::protocol_texts, module)?)?;
    module.add_function(wrap_pyfunction!(commands::is_parameter, module)?)?;
    module.add_function(wrap_pyfunction!(commands::main, module)?)?;
    module.add_function(wrap_pyfunction!(sudoku::solve_grids, module)?)?;
    module.add_function(wrap_pyfunction!(sudoku::count_grids, module)?)?;
    module.add_class::<exchange::PyPlan>()?;
    module.add_class::<exchange::PyLedger>()?;
    module.add_function(wrap_pyfunction!(exchange::survey_count, module)?)?;
    module.add_class::<shards::PyWhole>()?;
    module.add_class::<shards::PyTally>()?;
    module.add_class::<shards::PyJournal>()?;
    module.add_class::<lists::PyListJournal>()?;
    module.add_function(wrap_pyfunction!(shards::read_shards, module)?)
}
