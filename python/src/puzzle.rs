//! The class `Core`: a puzzle with its exact cover, and what can be asked of it.
//!
//! Options are numbers, and every answer comes with the name of the limit that ended the question, or `None`.

use std::io::Cursor;
use std::ops::ControlFlow;
use std::sync::Arc;

use dlx::{End, Limit, OptionId, Problem};
use farandole::algorithm::{self, Algorithm};
use farandole::input::InputError;
use farandole::puzzle::cover::{self, FORMS};
use farandole::puzzle::{self, Puzzle};
use farandole::stream::{Stream, StreamHints};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::build::{Numbers, Parts, Taken, take_apart};
use crate::call::{self, Asked, EndName, Number};

/// A puzzle with its exact cover.
#[pyclass(frozen, module = "farandole._farandole")]
pub(crate) struct Core {
    puzzle: Arc<dyn Puzzle>,
}

impl Core {
    fn of_problem(problem: Problem) -> Self {
        Self { puzzle: cover::puzzle(problem).into() }
    }

    /// Returns the exact cover.
    pub(crate) fn problem(&self) -> &Arc<Problem> {
        self.puzzle.problem()
    }

    /// Returns the options that are given: clues, and what the caller gave.
    pub(crate) fn given(&self) -> &[OptionId] {
        self.puzzle.given()
    }

    /// Makes what answers questions about the puzzle.
    fn algorithm(asked: &Asked) -> Box<dyn Algorithm> {
        let auto = algorithm::by_name("auto").expect("it is in the table");
        auto.build_on(&asked.cores())
    }
}

/// The numbers of a cover's options, ascending.
fn numbers(cover: &[OptionId]) -> Vec<usize> {
    let mut numbers: Vec<_> = cover.iter().map(|option| option.index()).collect();
    numbers.sort_unstable();
    numbers
}

/// Says that a name is not known, and which are.
fn unknown<'n>(what: &str, names: impl Iterator<Item = &'n str>, found: &str) -> PyErr {
    let names: Vec<_> = names.collect();
    PyValueError::new_err(format!("expected {what} of {}, found `{found}`", names.join(", ")))
}

/// Checks the name of a format of exact covers.
fn check_form(format: Option<&str>) -> PyResult<()> {
    let names = || FORMS.iter().map(|form| form.name);
    match format.filter(|&format| names().all(|name| name != format)) {
        Some(format) => Err(unknown("a format", names(), format)),
        None => Ok(()),
    }
}

#[pymethods]
impl Core {
    /// Makes the puzzle of a problem in numbers.
    #[new]
    fn new(py: Python<'_>, parts: Parts<'_>) -> PyResult<Self> {
        let parts = Numbers::from(parts);
        Ok(Self::of_problem(py.detach(|| parts.build())?))
    }

    /// Reads the problem of a text in any of the forms of exact covers; also says what there is to say about it.
    #[staticmethod]
    fn read(
        py: Python<'_>,
        text: Vec<u8>,
        extension: String,
        format: Option<String>,
    ) -> PyResult<(Self, Option<String>)> {
        let kind = puzzle::by_name("cover");
        check_form(format.as_deref())?;
        let read = call::on_text(py, |limits| {
            let (extension, format, limits) = (extension.clone(), format.clone(), limits.clone());
            let hints = StreamHints { kind, extension, format, limits, ..StreamHints::default() };
            let mut stream = Stream::open(Cursor::new(text.clone()), &hints)?;
            stream.next().unwrap_or_else(|| Err(InputError::whole("expected a problem, found nothing")))
        })?;
        let puzzle = read.map_err(call::parse_error)?;
        let note = puzzle.note().map(str::to_owned);
        Ok((Self { puzzle: puzzle.into() }, note))
    }

    /// Returns the names of the options, or what they are in Knuth's text.
    fn labels(&self) -> Vec<String> {
        let problem = self.problem();
        match self.puzzle.option_names() {
            [] => problem.options().map(|option| problem.show(option).to_string()).collect(),
            names => names.to_vec(),
        }
    }

    /// Writes the problem in one of the forms of exact covers.
    fn write(&self, py: Python<'_>, format: &str) -> PyResult<String> {
        let form = cover::by_name(format);
        let names = || FORMS.iter().map(|form| form.name);
        let form = form.ok_or_else(|| unknown("a format", names(), format))?;
        let problem = self.problem();
        let written = call::on_text(py, |limits| {
            let written = (form.write)(problem, limits);
            written
                .map_err(|error| InputError { limit: error.limit, ..InputError::whole(error.message) })
        })?;
        written.map_err(|error| PyValueError::new_err(error.message))
    }

    /// Returns the numbers of primary items, of secondary ones, and of options.
    fn sizes(&self) -> (usize, usize, usize) {
        let problem = self.problem();
        let primary = problem.primary_count();
        (primary, problem.item_count() - primary, problem.option_count())
    }

    /// Returns the numbers of the options that are given.
    #[pyo3(name = "given")]
    fn given_numbers(&self) -> Vec<usize> {
        numbers(self.given())
    }

    /// Takes the problem apart, for another `Core`.
    fn parts<'py>(&self, py: Python<'py>) -> Taken<'py> {
        take_apart(py, self.problem())
    }

    /// Counts the solutions.
    fn count(&self, py: Python<'_>, asked: Asked) -> PyResult<(EndName, Number)> {
        let (end, count) = call::run(py, &asked, |limits| {
            let counted = Self::algorithm(&asked).count(&*self.puzzle, limits);
            let report = counted.expect("it takes any puzzle");
            (report.end, report.total())
        })?;
        Ok((call::name(end), Number(count)))
    }

    /// Finds a solution.
    fn solve(&self, py: Python<'_>, asked: Asked) -> PyResult<(EndName, Option<Vec<usize>>)> {
        let (end, found) = call::run(py, &asked, |limits| {
            let limits = limits.clone().solutions(1);
            let mut found = None;
            let searched = Self::algorithm(&asked).search(&*self.puzzle, &limits, &mut |cover| {
                found = Some(numbers(cover));
                ControlFlow::Break(())
            });
            let report = searched.expect("it takes any puzzle");
            let end = if found.is_some() { End::Exhausted } else { report.end };
            (end, found)
        })?;
        // What was found is an answer, whenever Ctrl-C came.
        let is_answered = found.is_some() && end == End::Limit(Limit::Cancelled);
        Ok((if is_answered { None } else { call::name(end) }, found))
    }
}
