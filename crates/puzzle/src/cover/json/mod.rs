//! JSON: an object, or an array of arrays as Python programs print it.
//!
//! ```json
//! {"items": ["a", {"name": "b", "low": 1, "high": 2}], "secondary": ["x"],
//!  "options": [["a", "b", "x:red"], ["b"]], "costs": [3, 0]}
//! ```
//! `items` are the primary items. By default, these are all names in options that are not in
//! `secondary`, in order of appearance. `secondary` and `costs` are optional too. Names are strings
//! or numbers. The values of `source`, `title`, `solutions` and `comment` are ignored, since JSON
//! has no comments. Any other key is an error.
//!
//! An object with none of these keys is a dictionary of options: `{"A": [1, 4, 7], "B": [1, 4]}`.
//! The solutions then start with the names of their options, `| B, D, F`. The values may also be
//! rows of a 0/1 matrix. An array of pairs `[1, [1, 4, 7]]`, each a name and a list of items as for
//! Sage's `DLXMatrix`, is equivalent. A repeated key is an error.
//!
//! An array of arrays is a 0/1 matrix if its arrays have the same length of at least two and
//! contain only 0 and 1. Otherwise each array is an option and lists its items, unless the arrays
//! are rows of a grid (see the format `lists`). So `[[0, 1], [1, 2]]` are two sets, but `[[0, 1],
//! [1, 0]]` is a matrix, with a note about the ambiguity.
//!
//! `serde_json` gives the position of a syntax error. For other errors, [`locate`] follows the path
//! to the value through the text again, so that valid input needs no positions.

mod value;

use std::collections::HashSet;

use dlx::limits::Pace;
use dlx::{Bounds, Entry, Limits, Problem, ProblemBuilder};
use serde::de::{DeserializeSeed as _, IgnoredAny};
use serde_json::{Deserializer, Map, Value};

use self::value::Within;
pub use self::value::parse;
use super::{Form, Reading, Skipped, Unwritten, WritePace, unread};
use grid::format::is_lists;
use text::{InputError, is_cut};

pub(super) const FORM: Form = Form {
    name: "json",
    summary: "JSON: items, secondary, options and costs; a dictionary or an array of options; a 0/1 \
              matrix",
    example: concat!(
        "{\n  \"items\": [\"a\", {\"name\": \"b\", \"low\": 1, \"high\": 2}],\n",
        "  \"secondary\": [\"x\"],\n",
        "  \"options\": [\n    [\"a\", \"b\", \"x:red\"],\n    [\"b\"]\n  ],\n  \"costs\": [3, 0]\n}\n",
    ),
    extensions: &["json"],
    recognizes,
    is_meant: |sample| {
        let mut marks = sample.trim_start_matches('\u{feff}').chars().filter(|c| !c.is_whitespace());
        matches!(
            (marks.next(), marks.next()),
            (Some('{'), Some('"')) | (Some('['), Some('[' | '{' | '"'))
        )
    },
    read: Some(read),
    diagram: None,
    write,
};

const KEYS: [&str; 4] = ["items", "secondary", "options", "costs"];
/// Keys of a problem whose values are ignored.
const REMARKS: [&str; 4] = ["source", "title", "solutions", "comment"];

const ENTRY_WORK: u64 = 100;

/// One step on the path from the whole text to a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum JsonStep<'p> {
    /// To the value of a key.
    Key(&'p str),
    /// To the key itself.
    Name(&'p str),
    Index(usize),
}

/// An error in a value, with the path to this value.
pub(super) struct JsonFault<'p> {
    path: Vec<JsonStep<'p>>,
    message: String,
}

impl<'p> JsonFault<'p> {
    pub(super) fn parts(self) -> (Vec<JsonStep<'p>>, String) {
        (self.path, self.message)
    }
}

fn fault<'p>(path: &[JsonStep<'p>], message: impl Into<String>) -> JsonFault<'p> {
    JsonFault { path: path.to_vec(), message: message.into() }
}

/// Returns whether the text is an object with options, a dictionary of options, or an array of
/// arrays that is not a grid.
fn recognizes(sample: &str) -> bool {
    let text = sample.trim_start_matches('\u{feff}').trim_start();
    let is_array = text.strip_prefix('[').is_some_and(|rest| rest.trim_start().starts_with('['));
    if !is_array && !text.starts_with('{') {
        return false;
    }
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Array(rows)) => is_matrix(&rows) || !is_lists(sample),
        Ok(Value::Object(map)) => {
            let is_matrix = map.len() > 1 && matrix_width(map.values()).is_some();
            let is_certain = is_matrix || map.values().all(is_set);
            map.contains_key("options") || is_dictionary(&map) && is_certain
        }
        Ok(_) => false,
        // A dictionary can be recognized only if it is complete and valid.
        Err(error) if is_array => error.is_eof() && is_cut(sample) && !is_lists(sample),
        Err(_) => text.contains("\"options\""),
    }
}

/// Returns whether the object is not empty and each value is a list of items.
fn is_dictionary(map: &Map<String, Value>) -> bool {
    let is_option = |value: &Value| elements(value).iter().all(|value| name(value, &[]).is_ok());
    !map.is_empty()
        && map.keys().all(|key| !is_known(key))
        && map.values().all(|value| value.is_array() && is_option(value))
}

fn is_known(key: &str) -> bool {
    KEYS.iter().chain(&REMARKS).any(|known| *known == key)
}

fn is_set(value: &Value) -> bool {
    let mut seen = HashSet::new();
    let is_new = |value: &Value| name(value, &[]).is_ok_and(|name| seen.insert(name));
    value.as_array().is_some_and(|elements| elements.iter().all(is_new))
}

fn read(text: &str, limits: &Limits) -> Result<Reading, InputError> {
    let text = text.trim_start_matches('\u{feff}');
    let pace = &mut Pace::new(limits);
    // If a limit was exceeded, report the limit instead of any other error.
    read_within(text, pace).map_err(|error| limits.check().err().map_or(error, unread))
}

fn read_within(text: &str, pace: &mut Pace<'_>) -> Result<Reading, InputError> {
    let mut parser = Deserializer::from_str(text);
    let value = Within(pace).deserialize(&mut parser);
    let value = value.and_then(|value| parser.end().map(|()| value)).map_err(|error| {
        let line = text.lines().nth(error.line().saturating_sub(1)).unwrap_or_default();
        let message = error.to_string();
        let message = message.rsplit_once(" at line ").map_or(&*message, |(message, _)| message);
        InputError::at(error.line().max(1), line, error.column().saturating_sub(1), message)
    })?;
    read_value(&value, pace).map_err(|JsonFault { path, message }| {
        let start = locate(text, &path).unwrap_or(0);
        let line_start = text[..start].rfind('\n').map_or(0, |end| end + 1);
        let line = text[line_start..].lines().next().unwrap_or_default();
        let number = text[..start].matches('\n').count() + 1;
        InputError::at(number, line, start - line_start, message)
    })
}

pub(super) fn read_value<'p>(value: &'p Value, pace: &mut Pace<'_>) -> Result<Reading, JsonFault<'p>> {
    match value {
        Value::Object(map) if is_dictionary(map) => read_dictionary(map, pace),
        Value::Object(map) => read_object(map, pace).map(Reading::from),
        Value::Array(rows) => read_array(rows, pace),
        _ => Err(fault(&[], "expected an object or an array of arrays")),
    }
}

fn spend<'p>(pace: &mut Pace<'_>, entries: usize) -> Result<(), JsonFault<'p>> {
    pace.spend(ENTRY_WORK * (1 + entries as u64)).map_err(|limit| fault(&[], format!("{limit:?}")))
}

fn read_object<'p>(map: &'p Map<String, Value>, pace: &mut Pace<'_>) -> Result<Problem, JsonFault<'p>> {
    use JsonStep::{Index, Key, Name};
    if let Some(key) = map.keys().find(|key| !is_known(key)) {
        let keys = KEYS.map(|key| format!("`{key}`")).join(", ");
        return Err(fault(&[Name(key)], format!("expected one of the keys {keys}, found `{key}`")));
    }
    let Some(options) = map.get("options") else {
        return Err(fault(&[], "expected the key `options`, found none"));
    };
    let options = array(options, &[Key("options")])?;
    let secondary = match map.get("secondary") {
        Some(secondary) => array(secondary, &[Key("secondary")])?,
        None => &[],
    };
    let mut secondary_names = Vec::new();
    for (index, value) in secondary.iter().enumerate() {
        secondary_names.push(name(value, &[Key("secondary"), Index(index)])?);
    }

    let mut builder = ProblemBuilder::new();
    match map.get("items") {
        Some(items) => {
            for (index, value) in array(items, &[Key("items")])?.iter().enumerate() {
                spend(pace, 1)?;
                let path = [Key("items"), Index(index)];
                let (name, Bounds { low, high }) = primary_item(value, &path)?;
                builder.bounded(&name, low, high).map_err(|e| fault(&path, e.to_string()))?;
            }
        }
        None => {
            let others: HashSet<&str> = secondary_names.iter().map(String::as_str).collect();
            define_items(options, &[Key("options")], &others, &mut builder, pace)?;
        }
    }
    for (index, name) in secondary_names.iter().enumerate() {
        let path = [Key("secondary"), Index(index)];
        builder.secondary(name).map_err(|e| fault(&path, e.to_string()))?;
    }
    read_options(options, &[Key("options")], &mut builder, pace)?;

    if let Some(costs) = map.get("costs") {
        let costs = array(costs, &[Key("costs")])?;
        if costs.len() != options.len() {
            let (expected, found) = (options.len(), costs.len());
            let message = format!("expected as many costs as options, {expected}, found {found}");
            return Err(fault(&[Key("costs")], message));
        }
        for (index, value) in costs.iter().enumerate() {
            let message = || format!("expected a cost from 0 to {}, found {value}", u64::MAX);
            let cost = value.as_u64();
            let cost = cost.ok_or_else(|| fault(&[Key("costs"), Index(index)], message()))?;
            builder.set_cost(dlx::OptionId::new(index), cost);
        }
    }
    Ok(builder.build())
}

fn read_dictionary<'p>(
    map: &'p Map<String, Value>,
    pace: &mut Pace<'_>,
) -> Result<Reading, JsonFault<'p>> {
    let options: Vec<(JsonStep<'p>, &str, &Value)> =
        map.iter().map(|(key, value)| (JsonStep::Key(key), &**key, value)).collect();
    read_named(&options, &[], pace)
}

/// Reads options with names. The values are lists of items, or rows of a 0/1 matrix.
fn read_named<'p>(
    options: &[(JsonStep<'p>, &str, &'p Value)],
    tail: &[JsonStep<'p>],
    pace: &mut Pace<'_>,
) -> Result<Reading, JsonFault<'p>> {
    let mut builder = ProblemBuilder::new();
    let mut skipped = Skipped::default();
    let mut names = Vec::new();
    // A single row is not a matrix.
    let rows = options.iter().map(|(.., value)| *value);
    let width = matrix_width(rows).filter(|_| options.len() > 1);
    for column in 0..width.unwrap_or(0) {
        builder.primary(&(column + 1).to_string()).map_err(|e| fault(&[], e.to_string()))?;
    }
    for &(step, key, value) in options {
        spend(pace, elements(value).len())?;
        let path = [&[step], tail].concat();
        let is_one = |digit: &Value| digit.as_u64() == Some(1);
        if width.map_or(elements(value).is_empty(), |_| !elements(value).iter().any(is_one)) {
            skipped.add(format_args!("`{key}`"));
            continue;
        }
        skipped.keep();
        names.push(key.to_owned());
        if width.is_some() {
            let ones = elements(value).iter().enumerate().filter(|(_, digit)| is_one(digit));
            let entries: Vec<dlx::ItemId> = ones.map(|(column, _)| dlx::ItemId::new(column)).collect();
            builder.option(entries).map_err(|e| fault(&path, e.to_string()))?;
            continue;
        }
        let mut entries = Vec::new();
        for (place, value) in elements(value).iter().enumerate() {
            let path = [&path[..], &[JsonStep::Index(place)]].concat();
            let name = name(value, &path)?;
            let item = match builder.item_by_name(&name) {
                Some(item) => item,
                None => builder.primary(&name).map_err(|e| fault(&path, e.to_string()))?,
            };
            entries.push(item);
        }
        builder.option(entries).map_err(|e| {
            let at = |place| [&path[..], &[JsonStep::Index(place)]].concat();
            fault(&e.entry().map_or(path.clone(), at), e.to_string())
        })?;
    }
    let are_sets = options.iter().all(|(.., value)| is_set(value));
    let note = if width.is_some() && are_sets { MATRIX_NOTE.to_owned() } else { skipped.note() };
    Ok(Reading { problem: builder.build(), names, numbers: skipped.numbers(), note })
}

/// The note about rows that could also be sets.
const MATRIX_NOTE: &str =
    "read as a 0/1 matrix, not as sets of 0 and 1 (these would be {\"options\": [[0, 1], ...]})";

fn are_pairs(rows: &[Value]) -> bool {
    let is_pair =
        |row: &Value| matches!(elements(row), [key, list] if name(key, &[]).is_ok() && list.is_array());
    !rows.is_empty() && rows.iter().all(is_pair)
}

fn read_pairs<'p>(rows: &'p [Value], pace: &mut Pace<'_>) -> Result<Reading, JsonFault<'p>> {
    let mut seen = HashSet::new();
    let mut named = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        let [key, list] = elements(row) else { continue };
        let path = [JsonStep::Index(index), JsonStep::Index(0)];
        let name = name(key, &path)?;
        if !seen.insert(name.clone()) {
            return Err(fault(&path, format!("expected the name `{name}` once, found it again")));
        }
        named.push((JsonStep::Index(index), name, list));
    }
    let named: Vec<_> = named.iter().map(|(step, name, list)| (*step, &**name, *list)).collect();
    read_named(&named, &[JsonStep::Index(1)], pace)
}

fn read_array<'p>(rows: &'p [Value], pace: &mut Pace<'_>) -> Result<Reading, JsonFault<'p>> {
    if rows.is_empty() {
        return Err(fault(&[], "expected an array of options, found an empty one"));
    }
    let mut builder = ProblemBuilder::new();
    if are_pairs(rows) {
        return read_pairs(rows, pace);
    }
    let Some(width) = matrix_width(rows.iter()) else {
        define_items(rows, &[], &HashSet::new(), &mut builder, pace)?;
        read_options(rows, &[], &mut builder, pace)?;
        return Ok(builder.build().into());
    };
    let mut items = Vec::new();
    for column in 0..width {
        let item = builder.primary(&(column + 1).to_string());
        items.push(
            item.map_err(|e| fault(&[JsonStep::Index(0), JsonStep::Index(column)], e.to_string()))?,
        );
    }
    let mut skipped = Skipped::default();
    for (index, row) in rows.iter().enumerate() {
        spend(pace, elements(row).len())?;
        let is_one = |&(_, digit): &(_, &Value)| digit.as_u64() == Some(1);
        let mut entries =
            items.iter().zip(elements(row)).filter(is_one).map(|(&item, _)| item).peekable();
        if entries.peek().is_none() {
            skipped.add(format_args!("array {}", index + 1));
            continue;
        }
        skipped.keep();
        builder.option(entries).map_err(|e| fault(&[JsonStep::Index(index)], e.to_string()))?;
    }
    let note = if rows.iter().all(is_set) { MATRIX_NOTE.to_owned() } else { skipped.note() };
    Ok(Reading { numbers: skipped.numbers(), note, ..builder.build().into() })
}

pub(super) fn is_matrix(rows: &[Value]) -> bool {
    matrix_width(rows.iter()).is_some()
}

/// Returns the number of columns if the arrays are the rows of a 0/1 matrix.
fn matrix_width<'v>(mut rows: impl Iterator<Item = &'v Value> + Clone) -> Option<usize> {
    let width = rows.clone().next()?.as_array()?.len();
    let is_line = |row: &Value| {
        let digits = row.as_array().filter(|digits| digits.len() == width);
        digits.is_some_and(|digits| digits.iter().all(|d| matches!(d.as_u64(), Some(0 | 1))))
    };
    (width >= 2 && rows.all(is_line)).then_some(width)
}

/// Adds a primary item for every new name in `options` that is not in `others`.
fn define_items<'p>(
    options: &[Value],
    path: &[JsonStep<'p>],
    others: &HashSet<&str>,
    builder: &mut ProblemBuilder,
    pace: &mut Pace<'_>,
) -> Result<(), JsonFault<'p>> {
    for (index, option) in options.iter().enumerate() {
        let path = [path, &[JsonStep::Index(index)]].concat();
        spend(pace, elements(option).len())?;
        for (place, value) in array(option, &path)?.iter().enumerate() {
            let path = [&path[..], &[JsonStep::Index(place)]].concat();
            let name = name(value, &path)?;
            let name = name.split_once(':').map_or(&*name, |(name, _)| name);
            if builder.item_by_name(name).is_none() && !others.contains(name) {
                builder.primary(name).map_err(|e| fault(&path, e.to_string()))?;
            }
        }
    }
    Ok(())
}

fn read_options<'p>(
    options: &[Value],
    path: &[JsonStep<'p>],
    builder: &mut ProblemBuilder,
    pace: &mut Pace<'_>,
) -> Result<(), JsonFault<'p>> {
    for (index, option) in options.iter().enumerate() {
        let path = [path, &[JsonStep::Index(index)]].concat();
        spend(pace, elements(option).len())?;
        let at = |place| [&path[..], &[JsonStep::Index(place)]].concat();
        let mut entries = Vec::new();
        for (place, value) in array(option, &path)?.iter().enumerate() {
            let word = name(value, &at(place))?;
            let (name, color) = match word.split_once(':') {
                Some((name, color)) => (name, Some(color)),
                None => (&*word, None),
            };
            let item = builder.item_by_name(name);
            let missing = || fault(&at(place), format!("expected an item, found `{name}`"));
            let item = item.ok_or_else(missing)?;
            let color = color.map(|color| builder.color(color)).transpose();
            let color = color.map_err(|e| fault(&at(place), e.to_string()))?;
            entries.push(Entry { item, color });
        }
        builder.option(entries).map_err(|e| {
            let path = e.entry().map_or(path.clone(), at);
            fault(&path, e.to_string())
        })?;
    }
    Ok(())
}

fn elements(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn array<'v, 'p>(value: &'v Value, path: &[JsonStep<'p>]) -> Result<&'v [Value], JsonFault<'p>> {
    let elements = value.as_array().map(Vec::as_slice);
    elements.ok_or_else(|| fault(path, format!("expected an array, found {}", describe(value))))
}

fn name<'p>(value: &Value, path: &[JsonStep<'p>]) -> Result<String, JsonFault<'p>> {
    match value {
        Value::String(name) => Ok(name.clone()),
        Value::Number(number) if number.is_i64() || number.is_u64() => Ok(number.to_string()),
        _ => Err(fault(path, format!("expected a name, found {}", describe(value)))),
    }
}

fn primary_item<'p>(value: &Value, path: &[JsonStep<'p>]) -> Result<(String, Bounds), JsonFault<'p>> {
    let Some(map) = value.as_object() else { return Ok((name(value, path)?, Bounds::ONE)) };
    let number = |key| map.get(key).and_then(Value::as_u64).and_then(|n| u32::try_from(n).ok());
    match (map.get("name"), number("low"), number("high")) {
        (Some(value), Some(low), Some(high)) if map.len() == 3 => {
            Ok((name(value, path)?, Bounds { low, high }))
        }
        _ => {
            let message =
                "expected an object with the keys `name`, `low` and `high`, numbers the last two";
            Err(fault(path, message))
        }
    }
}

fn describe(value: &Value) -> String {
    match value {
        Value::Array(_) => "an array".into(),
        Value::Object(_) => "an object".into(),
        _ => format!("`{value}`"),
    }
}

/// Returns the byte offset of the value at the end of `path`. The text must be valid JSON.
fn locate(text: &str, path: &[JsonStep<'_>]) -> Option<usize> {
    let skip_blanks = |at: usize| text[at..].find(|c: char| !c.is_ascii_whitespace()).map(|n| at + n);
    let skip_value = |at: usize| {
        let mut values = Deserializer::from_str(&text[at..]).into_iter::<IgnoredAny>();
        values.next()?.ok()?;
        skip_blanks(at + values.byte_offset())
    };
    let mut at = skip_blanks(0)?;
    for step in path {
        at = skip_blanks(at + 1)?;
        match step {
            JsonStep::Index(index) => {
                for _ in 0..*index {
                    at = skip_blanks(skip_value(at)? + 1)?;
                }
            }
            JsonStep::Key(wanted) | JsonStep::Name(wanted) => {
                let mut found = None;
                loop {
                    let colon = skip_value(at)?;
                    let value = skip_blanks(colon + 1)?;
                    if serde_json::from_str::<String>(&text[at..colon]).is_ok_and(|key| key == *wanted)
                    {
                        found = Some(if matches!(step, JsonStep::Name(_)) { at } else { value });
                    }
                    let end = skip_value(value)?;
                    if !text[end..].starts_with(',') {
                        break;
                    }
                    at = skip_blanks(end + 1)?;
                }
                at = found?;
            }
        }
    }
    Some(at)
}

fn write(problem: &Problem, limits: &Limits) -> Result<String, Unwritten> {
    let quote = |name: &str| Value::from(name).to_string();
    let (mut items, mut secondary) = (Vec::new(), Vec::new());
    for item in problem.items() {
        let name = quote(problem.item_name(item));
        match problem.bounds(item) {
            None => secondary.push(name),
            Some(Bounds::ONE) => items.push(name),
            Some(Bounds { low, high }) => {
                items.push(format!("{{\"name\": {name}, \"low\": {low}, \"high\": {high}}}"));
            }
        }
    }
    let mut text = format!("{{\n  \"items\": [{}],\n", items.join(", "));
    if !secondary.is_empty() {
        pushln!(text, "  \"secondary\": [{}],", secondary.join(", "));
    }
    text.push_str("  \"options\": [");
    let mut pen = WritePace::new(limits);
    for option in problem.options() {
        pen.spend(problem.option(option).len())?;
        let entries = problem.option(option).iter().map(|entry| {
            let name = problem.item_name(entry.item);
            match entry.color {
                Some(color) => quote(&format!("{name}:{}", problem.color_name(color))),
                None => quote(name),
            }
        });
        let entries: Vec<String> = entries.collect();
        let separator = if option.index() == 0 { "\n" } else { ",\n" };
        push!(text, "{separator}    [{}]", entries.join(", "));
    }
    text.push_str(if problem.option_count() == 0 { "]" } else { "\n  ]" });
    if problem.has_costs() {
        let costs: Vec<String> = problem.options().map(|o| problem.cost(o).to_string()).collect();
        push!(text, ",\n  \"costs\": [{}]", costs.join(", "));
    }
    text.push_str("\n}\n");
    Ok(text)
}
