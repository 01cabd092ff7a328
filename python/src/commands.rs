//! Runs the commands of the program in this process, and checks requests of the protocol.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use dlx::End;
use program::Host;
use protocol::{Bounds, Output, Request};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::call::{self, Asked};
use crate::texts::Hints;

/// The exit code of a command, its standard output and error, and its duration in seconds.
type Ran<'py> = (u8, Bound<'py, PyBytes>, Bound<'py, PyBytes>, f64);

/// Runs a command of the program on the text `input` instead of standard input. With `only`, the
/// command reads only the puzzle of this number (from 1).
#[pyfunction]
pub(crate) fn run_command<'py>(
    py: Python<'py>,
    arguments: Vec<OsString>,
    input: Vec<u8>,
    only: Option<u64>,
    asked: Asked,
) -> PyResult<Ran<'py>> {
    let begun = Instant::now();
    let (_, (code, host)) = call::run_long(py, &asked, |limits| {
        let cancel = limits.cancel.clone().unwrap_or_default();
        let progress = limits.progress.clone().unwrap_or_default();
        let host = Arc::new(Host::new(input, cancel, progress).only(only));
        let code = program::run(arguments, &host);
        (End::Exhausted, (code, host))
    })?;
    let [output, notes] = [host.take_output(), host.take_notes()].map(|text| PyBytes::new(py, &text));
    Ok((code, output, notes, begun.elapsed().as_secs_f64()))
}

/// Checks a request, and returns the arguments of its command, the text of its puzzles, and whether
/// the answer is text instead of JSON lines.
#[pyfunction]
pub(crate) fn read_request(text: &str) -> PyResult<(Vec<String>, String, bool)> {
    let refused = |error: protocol::RequestError| PyValueError::new_err(error.to_string());
    let request = Request::parse(text.as_bytes()).map_err(refused)?;
    let arguments = request.arguments(&Bounds::default()).map_err(refused)?;
    let is_text = request.output().map_err(refused)? == Output::Text;
    Ok((arguments, request.input, is_text))
}

/// Returns the table of questions and the JSON Schema of requests, both as JSON.
#[pyfunction]
pub(crate) fn protocol_texts() -> (String, String) {
    (protocol::table().to_string(), protocol::schema().to_string())
}

/// Returns whether a word makes a puzzle as a parameter of its kind, and not as a text.
#[pyfunction]
pub(crate) fn is_parameter(what: &str, hints: Hints) -> PyResult<bool> {
    let hints = hints.read()?;
    let word = what.trim();
    let is_word = !word.is_empty() && !word.contains(char::is_whitespace);
    Ok(is_word && matches!(hints.make(word), Some(Ok(_))))
}

/// Runs the program on the standard streams of this process, and returns its exit code.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, arguments: Vec<OsString>, launcher: Option<PathBuf>) -> u8 {
    py.detach(|| program::main(arguments, launcher))
}
