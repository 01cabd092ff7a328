//! Builds problems from the items and options of a Python program.

use dlx::{Bounds, BuildError, Entry, ItemId, OptionId, Problem, ProblemBuilder};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Items and options as numbers, in the form that Python passes and pickles.
#[derive(FromPyObject)]
pub(crate) struct Parts<'py> {
    names: Vec<String>,
    /// For each item its bounds; `None` if it is secondary.
    bounds: Vec<Option<(u32, u32)>>,
    /// Index of the first entry of each option in `entries`, and the end of the last option.
    starts: Bound<'py, PyBytes>,
    /// Indices of the items of all options.
    entries: Bound<'py, PyBytes>,
    /// For each entry the number of its color from 1, or 0 if it has no color; empty if there are
    /// no colors.
    colors: Bound<'py, PyBytes>,
    color_names: Vec<String>,
    /// Cost of each option; empty if there are no costs.
    costs: Vec<u64>,
}

fn numbers(bytes: &[u8]) -> Vec<u32> {
    let (chunks, _) = bytes.as_chunks();
    chunks.iter().map(|&chunk| u32::from_ne_bytes(chunk)).collect()
}

fn bytes<'py>(py: Python<'py>, numbers: impl Iterator<Item = u32>) -> Bound<'py, PyBytes> {
    let bytes: Vec<u8> = numbers.flat_map(u32::to_ne_bytes).collect();
    PyBytes::new(py, &bytes)
}

/// A build error, with the index of its option if known.
pub(crate) struct Refusal {
    error: BuildError,
    option: Option<usize>,
}

impl From<BuildError> for Refusal {
    fn from(error: BuildError) -> Self {
        Self { error, option: None }
    }
}

impl From<Refusal> for PyErr {
    /// Builds a `ValueError` with the message, the option and the entry. The Python code adds the
    /// user's name of the item.
    fn from(Refusal { error, option }: Refusal) -> Self {
        PyValueError::new_err((error.to_string(), option, error.entry()))
    }
}

pub(crate) struct Numbers {
    names: Vec<String>,
    bounds: Vec<Option<(u32, u32)>>,
    starts: Vec<u32>,
    entries: Vec<u32>,
    colors: Vec<u32>,
    color_names: Vec<String>,
    costs: Vec<u64>,
}

impl From<Parts<'_>> for Numbers {
    fn from(parts: Parts<'_>) -> Self {
        let Parts { names, bounds, starts, entries, colors, color_names, costs } = parts;
        let [starts, entries, colors] =
            [starts, entries, colors].map(|array| numbers(array.as_bytes()));
        Self { names, bounds, starts, entries, colors, color_names, costs }
    }
}

impl Numbers {
    /// Builds the problem. Primary items precede secondary items, as in texts.
    pub(crate) fn build(&self) -> Result<Problem, Refusal> {
        let mut builder = ProblemBuilder::new();
        let mut items = vec![ItemId::new(0); self.names.len()];
        let all = || items_of(&self.names, &self.bounds);
        for (item, name, bounds) in all() {
            if let Some((low, high)) = bounds {
                items[item] = builder.bounded(name, low, high)?;
            }
        }
        for (item, name, _) in all().filter(|(_, _, bounds)| bounds.is_none()) {
            items[item] = builder.secondary(name)?;
        }
        let colors = self.color_names.iter().map(|name| builder.color(name));
        let colors = colors.collect::<Result<Vec<_>, _>>()?;
        for (number, ends) in self.starts.windows(2).enumerate() {
            let entries = (ends[0] as usize..ends[1] as usize).map(|place| {
                let item = items[self.entries[place] as usize];
                match self.colors.get(place) {
                    None | Some(0) => Entry::from(item),
                    Some(&color) => item.with(colors[color as usize - 1]),
                }
            });
            let added = builder.option(entries);
            let option = added.map_err(|error| Refusal { error, option: Some(number) })?;
            if let Some(&cost) = self.costs.get(number) {
                builder.set_cost(option, cost);
            }
        }
        Ok(builder.build())
    }
}

fn items_of<'n>(
    names: &'n [String],
    bounds: &'n [Option<(u32, u32)>],
) -> impl Iterator<Item = (usize, &'n str, Option<(u32, u32)>)> {
    names.iter().zip(bounds).enumerate().map(|(item, (name, &bounds))| (item, name.as_str(), bounds))
}

/// The arguments that build a `Core` of the same problem, as in [`Parts`].
pub(crate) type Taken<'py> = (
    Vec<String>,
    Vec<Option<(u32, u32)>>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Vec<String>,
    Vec<u64>,
);

pub(crate) fn take_apart<'py>(py: Python<'py>, problem: &Problem) -> Taken<'py> {
    let names = problem.items().map(|item| problem.item_name(item).to_owned()).collect();
    let pair = |bounds: Bounds| (bounds.low, bounds.high);
    let bounds = problem.items().map(|item| problem.bounds(item).map(pair)).collect();
    let mut color_names: Vec<String> = Vec::new();
    let mut numbers = std::collections::HashMap::new();
    let entries = || problem.options().flat_map(|option| problem.option(option));
    let mut colors = Vec::new();
    if problem.has_colors() {
        colors.extend(entries().map(|entry| match entry.color {
            None => 0,
            Some(color) => *numbers.entry(color).or_insert_with(|| {
                color_names.push(problem.color_name(color).to_owned());
                color_names.len() as u32
            }),
        }));
    }
    let length = |option: OptionId| problem.option(option).len() as u32;
    let ends = problem.options().scan(0, |end, option| {
        *end += length(option);
        Some(*end)
    });
    let starts = bytes(py, std::iter::once(0).chain(ends));
    let entries = bytes(py, entries().map(|entry| entry.item.index() as u32));
    let costs = match problem.has_costs() {
        true => problem.options().map(|option| problem.cost(option)).collect(),
        false => Vec::new(),
    };
    let colors = bytes(py, colors.into_iter());
    (names, bounds, starts, entries, colors, color_names, costs)
}
