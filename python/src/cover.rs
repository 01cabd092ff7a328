//! The class `Cover` of a problem, and the blocks in which a search hands covers over.
//!
//! A list may have millions of covers, of which many are never read. So a cover holds the numbers
//! of its options in the order in which the search chose them, and its labels become a tuple on
//! first use. Each cover owns its numbers, so that one kept cover does not keep a whole block.
//!
//! Tried and dropped: a subclass of `tuple`, whose objects cannot be lazy and need a dictionary
//! each.

use std::sync::OnceLock;

use dlx::OptionId;
use pyo3::PyTraverseError;
use pyo3::PyVisit;
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyTuple, PyType};

/// Largest number of options that a notebook shows: a few pages.
const ROWS_MAX: usize = 200;

/// A cover: the chosen options, as the caller gave them, in the order of the problem.
///
/// It is a sequence that equals the tuple of these options, and is compared, hashed, added and
/// shown as that tuple; `tuple(cover)` makes one.
///
/// >>> import farandole
/// >>> cover = farandole.Problem({"x": [1, 2], "y": [3], "z": [2, 3]}).solve()
/// >>> cover
/// ('x', 'y')
/// >>> cover.numbers
/// (0, 1)
#[pyclass(frozen, generic, sequence, name = "Cover", module = "farandole.problem")]
pub(crate) struct PyCover {
    /// The labels of all options of the problem, or `None` if `labels` was given.
    all_labels: Option<Py<PyAny>>,
    /// The numbers of the options, in any order unless `labels` was given.
    numbers: Box<[u32]>,
    labels: OnceLock<Py<PyTuple>>,
    cost: Option<Py<PyAny>>,
}

impl PyCover {
    fn lazy(all_labels: Py<PyAny>, numbers: Box<[u32]>) -> Self {
        Self { all_labels: Some(all_labels), numbers, labels: OnceLock::new(), cost: None }
    }

    fn sorted(&self) -> Vec<u32> {
        let mut numbers = self.numbers.to_vec();
        if self.all_labels.is_some() {
            numbers.sort_unstable();
        }
        numbers
    }

    fn labels<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyTuple>> {
        if self.labels.get().is_none() {
            let all = self.all_labels.as_ref().expect("there are labels or those of all options");
            let all = all.bind(py);
            let labels = self.sorted().into_iter().map(|number| all.get_item(number));
            let labels = PyTuple::new(py, labels.collect::<PyResult<Vec<_>>>()?)?.unbind();
            // Another thread may have been faster. No thread waits here for Python.
            let _ = self.labels.set(labels);
        }
        Ok(self.labels.get().expect("they were set").bind(py))
    }
}

/// Returns the tuple to which a cover is compared or added, if `other` is a cover or a tuple.
fn as_tuple<'py>(other: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyTuple>>> {
    if let Ok(cover) = other.cast::<PyCover>() {
        return cover.get().labels(other.py()).cloned().map(Some);
    }
    Ok(other.cast::<PyTuple>().ok().cloned())
}

#[pymethods]
impl PyCover {
    #[new]
    #[pyo3(signature = (labels, numbers = None, cost = None))]
    fn new(
        py: Python<'_>,
        labels: &Bound<'_, PyAny>,
        numbers: Option<&Bound<'_, PyAny>>,
        cost: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let labels = PyTuple::new(py, labels.try_iter()?.collect::<PyResult<Vec<_>>>()?)?;
        let numbers =
            numbers.map(|numbers| numbers.try_iter()?.map(|number| number?.extract()).collect());
        let numbers: Vec<u32> = numbers.transpose()?.unwrap_or_default();
        let labels = OnceLock::from(labels.unbind());
        Ok(Self { all_labels: None, numbers: numbers.into(), labels, cost })
    }

    /// Returns the cover of the options with these numbers.
    #[staticmethod]
    #[pyo3(signature = (all_labels, numbers, cost = None))]
    fn of(all_labels: Py<PyAny>, numbers: Vec<u32>, cost: Option<Py<PyAny>>) -> Self {
        Self { cost, ..Self::lazy(all_labels, numbers.into()) }
    }

    /// The numbers of the options, from 0.
    #[getter]
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.sorted())
    }

    /// The total cost of the options, if requested.
    #[getter]
    fn cost(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.cost.as_ref().map(|cost| cost.clone_ref(py))
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.labels.get().map_or(self.numbers.len(), |labels| labels.bind(py).len())
    }

    fn __getitem__<'py>(&self, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.labels(key.py())?.as_any().get_item(key)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.labels(py)?.as_any().try_iter()
    }

    fn __contains__(&self, label: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.labels(label.py())?.as_any().contains(label)
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        match as_tuple(other)? {
            Some(other) => Ok(self.labels(py)?.rich_compare(other, op)?.unbind()),
            None => Ok(py.NotImplemented()),
        }
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.labels(py)?.hash().map_err(|error| {
            if !error.is_instance_of::<PyTypeError>(py) {
                return error;
            }
            let ways =
                "`cover.numbers` can be hashed, and so can options that are tuples, frozensets or texts";
            let message = format!("{} as an option of this cover: {ways}", error.value(py));
            PyTypeError::new_err(message)
        })
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.labels(py)?.repr()?.extract()
    }

    /// Returns a table of the options and their numbers, which notebooks show.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let escape = py.import("html")?.getattr("escape")?;
        let labels = self.labels(py)?;
        let mut html = String::from("<table>");
        let numbers = self.sorted();
        for (place, label) in labels.iter().take(ROWS_MAX).enumerate() {
            let label: String = escape.call1((label.str()?,))?.extract()?;
            let number = numbers.get(place).map(u32::to_string).unwrap_or_default();
            html += &format!("<tr><td>{number}</td><td style=\"text-align:left\">{label}</td></tr>");
        }
        html += "</table>";
        if labels.len() > ROWS_MAX {
            html += &format!("<p>... and {} more</p>", labels.len() - ROWS_MAX);
        }
        Ok(html)
    }

    fn __add__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = other.py();
        match as_tuple(other)? {
            Some(other) => self.labels(py)?.as_any().add(other),
            None => Ok(py.NotImplemented().into_bound(py)),
        }
    }

    fn __radd__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = other.py();
        match as_tuple(other)? {
            Some(other) => other.as_any().add(self.labels(py)?),
            None => Ok(py.NotImplemented().into_bound(py)),
        }
    }

    /// Returns the first position of a label.
    #[pyo3(signature = (label, *range))]
    fn index<'py>(
        &self,
        label: &Bound<'py, PyAny>,
        range: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = label.py();
        let arguments = PyTuple::new(py, [label])?.as_any().add(range)?.cast_into::<PyTuple>()?;
        self.labels(py)?.call_method1("index", arguments)
    }

    /// Returns how often a label occurs.
    fn count<'py>(&self, label: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.labels(label.py())?.call_method1("count", (label,))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyType>, Arguments<'py>)> {
        let (py, cover) = (slf.py(), slf.get());
        let labels = cover.labels(py)?.clone();
        Ok((slf.get_type(), (labels, cover.numbers(py)?, cover.cost(py))))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.all_labels)?;
        visit.call(self.labels.get())?;
        visit.call(&self.cost)
    }
}

/// The arguments that build a cover again.
type Arguments<'py> = (Bound<'py, PyTuple>, Bound<'py, PyTuple>, Option<Py<PyAny>>);

/// Covers in one buffer.
#[pyclass(frozen, module = "farandole._farandole")]
#[derive(Default)]
pub(crate) struct Block {
    numbers: Vec<u32>,
    /// The end of each cover in `numbers`.
    ends: Vec<usize>,
}

impl Block {
    pub(crate) fn push(&mut self, cover: &[OptionId]) {
        self.numbers.extend(cover.iter().map(|option| option.index() as u32));
        self.ends.push(self.numbers.len());
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the size of the buffer (bytes).
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.numbers) + size_of_val(&*self.ends)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|number| self.cover(number))
    }

    fn cover(&self, number: usize) -> &[u32] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.numbers[start..self.ends[number]]
    }
}

#[pymethods]
impl Block {
    /// Iterates over the covers of a problem, whose options have the labels `all_labels`.
    fn covers(slf: Py<Self>, all_labels: Py<PyAny>) -> BlockCovers {
        BlockCovers { block: slf, all_labels, next: 0 }
    }

    /// Returns the covers as ascending numbers of options.
    fn numbers(&self) -> Vec<Vec<u32>> {
        let sorted = |numbers: &[u32]| {
            let mut numbers = numbers.to_vec();
            numbers.sort_unstable();
            numbers
        };
        self.iter().map(sorted).collect()
    }
}

/// An iterator over the covers of a block. It makes each cover when Python takes it, because a list
/// of them would be searched by the garbage collector.
#[pyclass(module = "farandole._farandole")]
pub(crate) struct BlockCovers {
    block: Py<Block>,
    all_labels: Py<PyAny>,
    next: usize,
}

#[pymethods]
impl BlockCovers {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> Option<PyCover> {
        let block = self.block.get();
        if self.next == block.len() {
            return None;
        }
        let numbers = block.cover(self.next).into();
        self.next += 1;
        Some(PyCover::lazy(self.all_labels.clone_ref(py), numbers))
    }
}
