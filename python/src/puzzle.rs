//! The class `Core`, a puzzle with its exact cover. A `Core` can be read, built and written.

use std::sync::Arc;

use dlx::{Limit, Limits, OptionId, Problem};
use puzzle::{Picture, Puzzle, Theme, budget, cover};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use text::InputError;

use crate::build::{Numbers, Parts, Taken, take_apart};
use crate::call::{self, Asked};
use crate::texts::{self, Hints};

#[pyclass(frozen, module = "farandole._farandole")]
pub(crate) struct Core {
    puzzle: Arc<dyn Puzzle>,
}

impl Core {
    pub(crate) fn of(puzzle: Box<dyn Puzzle>) -> Self {
        Self { puzzle: puzzle.into() }
    }

    pub(crate) fn problem(&self) -> &Arc<Problem> {
        self.puzzle.problem()
    }

    /// Returns the given options: the clues, and the options that the caller added.
    pub(crate) fn given(&self) -> &[OptionId] {
        self.puzzle.given()
    }

    pub(crate) fn puzzle(&self) -> &Arc<dyn Puzzle> {
        &self.puzzle
    }
}

struct MoreGiven {
    puzzle: Arc<dyn Puzzle>,
    given: Vec<OptionId>,
}

impl Puzzle for MoreGiven {
    fn problem(&self) -> &Arc<Problem> {
        self.puzzle.problem()
    }

    fn build_problem(&self, limits: &Limits) -> Result<(), Limit> {
        self.puzzle.build_problem(limits)
    }

    fn given(&self) -> &[OptionId] {
        &self.given
    }

    fn show(&self, cover: &[OptionId], number: u64, out: &mut String) {
        self.puzzle.show(cover, number, out);
    }

    fn picture(&self, cover: &[OptionId]) -> Option<Picture> {
        self.puzzle.picture(cover)
    }
}

fn options(numbers: &[usize]) -> Vec<OptionId> {
    numbers.iter().copied().map(OptionId::new).collect()
}

#[pymethods]
impl Core {
    /// Builds an exact-cover puzzle from its items and options.
    #[new]
    fn new(py: Python<'_>, parts: Parts<'_>) -> PyResult<Self> {
        let parts = Numbers::from(parts);
        Ok(Self::of(cover::puzzle(py.detach(|| parts.build())?)))
    }

    #[staticmethod]
    fn read(py: Python<'_>, text: Vec<u8>, hints: Hints, asked: Asked) -> PyResult<Self> {
        let hints = hints.read()?;
        let read = call::on_text(py, &asked, |limits| texts::only_puzzle(&text, &hints, limits))?;
        Ok(Self::of(read.map_err(call::parse_error)?))
    }

    /// Builds a puzzle of a kind from a parameter, or from a text that contains one puzzle.
    #[staticmethod]
    fn make(py: Python<'_>, what: String, hints: Hints, asked: Asked) -> PyResult<Self> {
        let hints = hints.read()?;
        let made = call::on_text(py, &asked, |limits| texts::make(&what, &hints, limits))?;
        Ok(Self::of(made.map_err(call::parse_error)?))
    }

    fn with_given(&self, more: Vec<usize>) -> Self {
        let mut given: Vec<_> =
            more.into_iter().map(OptionId::new).chain(self.given().iter().copied()).collect();
        given.sort_unstable();
        given.dedup();
        Self { puzzle: Arc::new(MoreGiven { puzzle: Arc::clone(&self.puzzle), given }) }
    }

    /// Returns the text of a solution.
    fn show(&self, cover: Vec<usize>) -> String {
        let mut text = String::new();
        self.puzzle.show(&options(&cover), 1, &mut text);
        text
    }

    /// Returns a picture of a full or partial solution as SVG in a theme; `None` for an exact cover
    /// that is too large for a picture.
    fn svg(&self, py: Python<'_>, cover: Vec<usize>, theme: &str) -> PyResult<Option<String>> {
        let theme = match theme {
            "light" => Theme::Light,
            "dark" => Theme::Dark,
            "auto" => Theme::Auto,
            _ => {
                let message = format!("expected the theme light, dark or auto, found `{theme}`");
                return Err(PyValueError::new_err(message));
            }
        };
        let cover = options(&cover);
        call::on_picture(py, |limits| {
            let picture = budget::within(limits, || self.puzzle.picture(&cover))?;
            picture.map(|picture| picture.svg_within(theme, limits)).transpose()
        })
    }

    fn note(&self) -> Option<&str> {
        self.puzzle.note()
    }

    /// Returns the names of the options; if they have none, their text in Knuth's format.
    fn labels(&self) -> Vec<String> {
        let problem = self.problem();
        match self.puzzle.terms().option_names() {
            [] => problem.options().map(|option| problem.show(option).to_string()).collect(),
            names => names.to_vec(),
        }
    }

    /// Writes the problem in a format of exact covers.
    fn write(&self, py: Python<'_>, format: &str, asked: Asked) -> PyResult<String> {
        let form = cover::by_name(format);
        let form = form.ok_or_else(|| texts::unknown_form(format))?;
        let problem = self.problem();
        let written = call::on_text(py, &asked, |limits| {
            let written = (form.write)(problem, limits);
            written
                .map_err(|error| InputError { limit: error.limit, ..InputError::whole(error.message) })
        })?;
        written.map_err(|error| PyValueError::new_err(error.message))
    }

    /// Returns how many primary items, secondary items and options there are.
    fn sizes(&self) -> (usize, usize, usize) {
        let problem = self.problem();
        let primary = problem.primary_count();
        (primary, problem.item_count() - primary, problem.option_count())
    }

    #[pyo3(name = "given")]
    fn given_numbers(&self) -> Vec<usize> {
        self.given().iter().map(|option| option.index()).collect()
    }

    /// Decomposes the problem, to build another `Core`.
    fn parts<'py>(&self, py: Python<'py>) -> Taken<'py> {
        take_apart(py, self.problem())
    }
}
