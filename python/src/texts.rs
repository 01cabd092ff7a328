//! Builds puzzles from texts and from parameters.

use std::fs::File;
use std::io::{Cursor, Read};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use dlx::Limits;
use farandole::kinds::KINDS;
use farandole::stream::{Stream, StreamHints};
use grid::{FORMATS, GridRule};
use puzzle::Puzzle;
use puzzle::cover::FORMS;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use text::InputError;

use crate::call::{self, Asked};
use crate::puzzle::Core;

/// Minimum length of a one-line puzzle (cells). A shorter word is read as a parameter.
const CELLS_MIN: usize = 16;

/// Hints for reading a text, taken from the attributes of a `farandole._parts.Hints` object.
#[derive(FromPyObject)]
pub(crate) struct Hints {
    kind: Option<String>,
    format: Option<String>,
    extension: String,
    boxes: Option<(usize, usize)>,
    rules: Option<String>,
}

impl Hints {
    /// Converts the hints to Rust types.
    ///
    /// # Errors
    /// If a name is unknown.
    pub(crate) fn read(self) -> PyResult<StreamHints> {
        let Self { kind, format, extension, boxes, rules } = self;
        let forms = || FORMS.iter().map(|form| form.name);
        let formats = || FORMATS.iter().map(|format| format.name).chain(forms());
        let format = format.map(|name| match formats().any(|known| known == name) {
            true => Ok(name),
            false if kind.as_deref() == Some("cover") => Err(unknown_form(&name)),
            false => Err(unknown("a format", formats(), &name)),
        });
        let kind = kind.map(|name| {
            let kinds = || KINDS.iter().map(|kind| kind.name);
            farandole::kinds::by_name(&name).ok_or_else(|| unknown("a kind of puzzle", kinds(), &name))
        });
        let rules = rules.map(|rules| GridRule::parse_list(&rules)).transpose();
        Ok(StreamHints {
            kind: kind.transpose()?,
            format: format.transpose()?,
            extension,
            boxes,
            rules: rules.map_err(PyValueError::new_err)?,
            ..StreamHints::default()
        })
    }
}

/// Builds the error for an unknown name. The error lists the known names, and suggests the most
/// similar one.
pub(crate) fn unknown<'n>(what: &str, names: impl Iterator<Item = &'n str>, found: &str) -> PyErr {
    let names: Vec<_> = names.collect();
    let near = puzzle::nearest(found, names.iter().copied());
    let near = near.map_or_else(String::new, |near| format!(" (did you mean `{near}`?)"));
    PyValueError::new_err(format!("expected {what} of {}, found `{found}`{near}", names.join(", ")))
}

pub(crate) fn unknown_form(found: &str) -> PyErr {
    unknown("a format", FORMS.iter().map(|form| form.name), found)
}

pub(crate) fn only_puzzle(
    text: &[u8],
    hints: &StreamHints,
    limits: &Limits,
) -> Result<Box<dyn Puzzle>, InputError> {
    let mut stream = open(Cursor::new(text.to_owned()), hints, limits)?;
    let first = stream.next();
    let first = first.unwrap_or_else(|| Err(InputError::whole("expected a puzzle, found nothing")))?;
    match stream.next() {
        None => Ok(first),
        Some(_) => Err(InputError::whole("expected one puzzle, found more")),
    }
}

/// Builds a puzzle from a parameter if `what` is one, otherwise from a text.
pub(crate) fn make(
    what: &str,
    hints: &StreamHints,
    limits: &Limits,
) -> Result<Box<dyn Puzzle>, InputError> {
    let word = what.trim();
    let is_word = !word.is_empty() && !word.contains(char::is_whitespace);
    let limited = StreamHints { limits: limits.clone(), ..hints.clone() };
    match limited.make(word).filter(|_| is_word) {
        Some(Err(error)) if error.limit.is_some() || word.len() < CELLS_MIN => {
            only_puzzle(what.as_bytes(), hints, limits).map_err(|_| error)
        }
        Some(Ok(made)) => Ok(made),
        _ => only_puzzle(what.as_bytes(), hints, limits),
    }
}

fn open(
    input: impl Read + Send + 'static,
    hints: &StreamHints,
    limits: &Limits,
) -> Result<Stream, InputError> {
    Stream::open(input, &StreamHints { limits: limits.clone(), ..hints.clone() })
}

/// An iterator over the puzzles of a text or a file. The limits hold for each puzzle.
#[pyclass(frozen, module = "farandole._farandole")]
pub(crate) struct Texts {
    stream: Mutex<Stream>,
    asked: Asked,
}

#[pymethods]
impl Texts {
    #[new]
    fn new(py: Python<'_>, text: Vec<u8>, hints: Hints, asked: Asked) -> PyResult<Self> {
        let hints = hints.read()?;
        let opened =
            call::on_text(py, &asked, |limits| open(Cursor::new(text.clone()), &hints, limits))?;
        Ok(Self { stream: Mutex::new(opened.map_err(call::parse_error)?), asked })
    }

    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf, hints: Hints, asked: Asked) -> PyResult<Self> {
        let hints = hints.read()?;
        File::open(&path)?;
        let opened = call::on_text(py, &asked, |limits| {
            let file = File::open(&path);
            open(file.map_err(|error| InputError::whole(error.to_string()))?, &hints, limits)
        })?;
        Ok(Self { stream: Mutex::new(opened.map_err(call::parse_error)?), asked })
    }

    fn kind(&self) -> &'static str {
        self.stream.lock().unwrap_or_else(PoisonError::into_inner).kind()
    }

    fn next(&self, py: Python<'_>) -> PyResult<Option<Core>> {
        let stream = || self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        let next = if py.detach(|| stream().may_take_long()) {
            call::on_long_text(py, &self.asked, |limits| {
                let mut stream = stream();
                stream.set_limits(limits.clone());
                stream.next().transpose()
            })?
        } else {
            py.detach(|| stream().next().transpose())
        };
        Ok(next.map_err(call::parse_error)?.map(Core::of))
    }
}
