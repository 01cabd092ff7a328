//! Reads covers as programs write them: lists, tuples, sets, dictionaries and arrays of Python,
//! Ruby, Sage, C, C++, C#, Java, Kotlin, Scala, Go, R or Mathematica.
//!
//! ```text
//! Y = {'A': [1, 4, 7], 'B': (1, 4)}      a dictionary of options; X = {1, 4, 7} may list the items first
//! [{1, 4, 7}, {1, 4}]                    a list of options
//! np.array([[0, 1], [1, 0]], dtype=int)  a 0/1 matrix
//! int[,] m = {{0, 1}, {1, 0}};           the same in C#
//! DLXMatrix([[1, [1, 4]], [2, [7]]])     options with their names
//! A = [0, 1, 0]                          a statement for each option: a row of a matrix, or its items
//! S1: 1 4 7                              the same without brackets
//! ```
//!
//! The text is parsed into a tree ([`program`]), whose meaning is determined as for JSON
//! ([`json::read_value`]). Comments (`#`, `//`, `/* */`) are ignored. Lines `import ...` are
//! ignored with a note.

mod program;

use dlx::limits::Pace;
use dlx::{Limits, Problem, ProblemBuilder};
use serde_json::Value;

use self::program::{Fault, LiteralData, Node, Statement, parse};
use super::json;
use super::{Feature, Form, Reading, Unwritten, WritePace, may_be_squares, refuse};
use grid::format::is_lists;
use text::{InputError, is_cut, whole_lines};

pub(super) const FORM: Form = Form {
    name: "literal",
    summary: "lists, sets, dictionaries and arrays as Python, Ruby, Sage, C and Java write them; lines `A: 1 4 7`",
    example: "[['a', 'b'],\n ['c'],\n ['b', 'c']]\n",
    extensions: &["py", "sage"],
    recognizes,
    is_meant,
    read: Some(read),
    diagram: None,
    write,
};

/// Keys in the lines of a text about a grid, not about a cover.
const GRID_KEYS: [&str; 17] = [
    "title",
    "name",
    "author",
    "source",
    "puzzle",
    "puzzles",
    "solution",
    "solutions",
    "grid",
    "grids",
    "board",
    "boards",
    "cells",
    "cages",
    "regions",
    "date",
    "difficulty",
];

/// Returns whether a text may be part of a program: it begins with a bracket, an import, or a name
/// followed by `=` or `:`.
fn may_begin(text: &str) -> bool {
    let lines = text.lines().map(str::trim_start).filter(|line| !line.is_empty());
    let mut lines = lines.filter(|line| !line.starts_with(['#', '|']) && !line.starts_with("//"));
    let Some(first) = lines.next() else { return false };
    let is_word = |c: char| c.is_alphanumeric() || " _[],.*&!$@%<>\"'".contains(c);
    first.starts_with(['[', '(', '{'])
        || first.starts_with("<|")
        || first.contains("<-")
        || first.starts_with("vec!")
        || ["import ", "from ", "using "].iter().any(|word| first.starts_with(word))
        || first
            .find(['=', ':', '(', '{'])
            .is_some_and(|end| end > 0 && first[..end].chars().all(is_word))
}

/// Returns whether a text is a list or a dictionary of options, and not a grid.
fn recognizes(sample: &str) -> bool {
    let text = sample.trim_start_matches('\u{feff}');
    if !may_begin(text) || (json::FORM.recognizes)(sample) {
        return false;
    }
    let limits = Limits::new();
    let program = match parse(whole_lines(text), &mut Pace::new(&limits)) {
        Ok(program) => program,
        // The sample contains only the beginning of a long text.
        Err(Fault::At(at, _)) => {
            return is_cut(sample) && at + 1 >= whole_lines(text).len() && is_meant(sample);
        }
        Err(_) => return false,
    };
    let are_bare = program.statements.iter().all(|statement| statement.is_bare);
    if are_bare && !are_options(&program.statements) {
        return false;
    }
    let Ok((node, _)) = program.whole() else { return false };
    let value = node.value();
    let Value::Array(rows) = &value else {
        let speaks_of_grids = |key: &String| GRID_KEYS.contains(&&*key.to_lowercase());
        return value
            .as_object()
            .is_some_and(|map| map.values().all(Value::is_array) && !map.keys().any(speaks_of_grids));
    };
    let is_rows = !rows.is_empty() && rows.iter().all(Value::is_array);
    is_rows
        && (json::is_matrix(rows)
            || !is_lists(sample) && !is_lists(&value.to_string()) && !may_be_grid(rows))
}

/// Returns whether lines `KEY: WORDS` are options and not remarks. Most of them then have several
/// items, and no key is about grids.
fn are_options(statements: &[Statement<'_>]) -> bool {
    let size = |statement: &Statement<'_>| match &statement.value.data {
        LiteralData::List(items) => items.len(),
        _ => 0,
    };
    let speaks_of_grids = |statement: &Statement<'_>| {
        let name = statement.name.as_ref().map(Node::name).unwrap_or_default().to_lowercase();
        GRID_KEYS.contains(&&*name)
    };
    let large = statements.iter().filter(|statement| size(statement) > 1).count();
    statements.len() > 1 && 2 * large >= statements.len() && !statements.iter().any(speaks_of_grids)
}

/// Returns whether rows of digits or empty cells may be the rows of a grid.
fn may_be_grid(rows: &[Value]) -> bool {
    let is_cell = |value: &Value| value.is_null() || value.as_u64().is_some_and(|n| n <= 64);
    let cells = |row: &Value| row.as_array().map_or(0, Vec::len);
    may_be_squares(rows.iter().map(cells))
        && cells(&rows[0]) >= 4
        && rows.iter().all(|row| row.as_array().is_some_and(|row| row.iter().all(is_cell)))
}

/// Returns whether the text has statements, or brackets that occur neither in grids nor in JSON.
fn is_meant(sample: &str) -> bool {
    let text = sample.trim_start_matches('\u{feff}').trim_start();
    let marks: String = text.chars().filter(|c| !c.is_whitespace()).take(2).collect();
    let is_nested = ["{'", "[{", "[(", "((", "({", "{{", "['"].contains(&&*marks);
    let first = text.lines().find(|line| !line.trim_start().starts_with('#')).unwrap_or_default();
    let is_statement = first.split_once('=').is_some_and(|(name, value)| {
        let is_name = |c: char| c.is_alphanumeric() || " _[],".contains(c);
        !name.trim().is_empty()
            && name.chars().all(is_name)
            && value.trim_start().starts_with(['[', '{', '('])
    });
    (is_nested || is_statement) && !is_lists(sample)
}

fn read(text: &str, limits: &Limits) -> Result<Reading, InputError> {
    let text = text.trim_start_matches('\u{feff}');
    let pace = &mut Pace::new(limits);
    let program = parse(text, pace).map_err(|fault| fault.error(text))?;
    let left_out = program.left_out;
    let (node, items) = program.whole().map_err(|fault| fault.error(text))?;
    if let LiteralData::List(elements) = &node.data
        && let Some(element) = elements.iter().find(|element| element.is_scalar())
    {
        let message = "expected a list of items or of 0 and 1, found an item".to_owned();
        return Err(Fault::At(element.start, message).error(text));
    }
    let (value, root) = (node.value(), node);
    let mut reading = json::read_value(&value, pace).map_err(|fault| {
        let (path, message) = fault.parts();
        limits
            .check()
            .err()
            .map_or_else(|| Fault::At(root.locate(&path), message).error(text), super::unread)
    })?;
    if let Some(items) = items {
        let is_matrix = json::is_matrix(value.as_array().map_or(&[], Vec::as_slice));
        reading.problem = with_items(&reading.problem, &items, &root, is_matrix)
            .map_err(|fault| fault.error(text))?;
    }
    if let Some(line) = left_out {
        let separator = if reading.note.is_empty() { "" } else { "; " };
        reading.note += &format!("{separator}the line `{line}` is left out");
    }
    Ok(reading)
}

/// Rebuilds the problem with the items of a list, in the order of the list. In a matrix the items
/// name the columns.
fn with_items(
    problem: &Problem,
    items: &Node<'_>,
    root: &Node<'_>,
    is_matrix: bool,
) -> Result<Problem, Fault> {
    let LiteralData::List(elements) = &items.data else { return Ok(problem.clone()) };
    let mut builder = ProblemBuilder::new();
    for element in elements {
        let added = builder.primary(&element.name());
        added.map_err(|error| Fault::At(element.start, error.to_string()))?;
    }
    if is_matrix && elements.len() != problem.item_count() {
        let (expected, found) = (problem.item_count(), elements.len());
        let message = format!("expected {expected} names, one for each column, found {found}");
        return Err(Fault::At(items.start, message));
    }
    for option in problem.options() {
        let mut entries = Vec::new();
        for entry in problem.option(option) {
            let name = problem.item_name(entry.item);
            let item = if is_matrix { Some(entry.item) } else { builder.item_by_name(name) };
            entries.push(item.ok_or_else(|| {
                let start = root.find(name).unwrap_or(root.start);
                Fault::At(start, format!("expected one of the items that are listed, found `{name}`"))
            })?);
        }
        builder.option(entries).map_err(|error| Fault::At(root.start, error.to_string()))?;
    }
    Ok(builder.build())
}

fn write(problem: &Problem, limits: &Limits) -> Result<String, Unwritten> {
    use Feature::{Bounds, Colors, Costs, Secondary};
    refuse(problem, "a literal", &[Colors, Secondary, Bounds, Costs])?;
    if problem.option_count() == 0 {
        return Err("a literal cannot hold a problem without options".into());
    }
    let mut text = String::from("[");
    let mut pen = WritePace::new(limits);
    for option in problem.options() {
        pen.spend(problem.option(option).len())?;
        text.push_str(if option.index() == 0 { "[" } else { ",\n [" });
        for (place, entry) in problem.option(option).iter().enumerate() {
            let name = problem.item_name(entry.item);
            if name.contains(['\'', '\n']) {
                return Err(format!("a literal cannot hold the name `{name}`").into());
            }
            push!(text, "{}'{name}'", if place > 0 { ", " } else { "" });
        }
        text.push(']');
    }
    text.push_str("]\n");
    Ok(text)
}
