//! Typed access to the JSON objects of other programs: a value of another type than expected is an
//! error, an unknown key is an error or part of a note.

use std::collections::BTreeSet;

use serde_json::Value;

/// Parts of a text without an effect on the answer.
#[derive(Debug, Default)]
pub(super) struct Unused(BTreeSet<String>);

/// Number of unused parts that a note names.
const NAMED_MAX: usize = 12;

impl Unused {
    pub(super) fn add(&mut self, part: impl Into<String>) {
        self.0.insert(part.into());
    }

    /// Adds the rest of an address after its puzzle, such as `&width=5`.
    pub(super) fn add_rest(&mut self, rest: &str) {
        if !rest.is_empty() {
            self.add(format!("`{}` of the address", shown(rest)));
        }
    }

    /// Returns the note, or `None` if every part was used.
    pub(super) fn note(self) -> Option<String> {
        let more = self.0.len().saturating_sub(NAMED_MAX);
        let named: Vec<String> = self.0.into_iter().take(NAMED_MAX).collect();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        (!named.is_empty()).then(|| format!("not used: {}{more}", named.join(", ")))
    }
}

/// Length of an unused part in a note (characters).
const SHOWN_MAX: usize = 60;

/// Returns an unused part for a note: the whole part, or its beginning and its length.
pub(super) fn shown(part: &str) -> String {
    match part.char_indices().nth(SHOWN_MAX) {
        Some((end, _)) => format!("{}... ({} characters)", &part[..end], part.chars().count()),
        None => part.to_owned(),
    }
}

/// Describes an unknown key of an object and its value.
pub(super) fn unknown(key: &str, of: &str, value: &Value) -> String {
    format!("`{}` of {of} (not known here: {})", shown(key), shown(&value.to_string()))
}

/// Returns whether a value stands for a missing one.
pub(super) fn is_unset(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty(),
        Value::Bool(true) | Value::Number(_) => false,
    }
}

/// Returns the value of a key, unless it is unset.
pub(super) fn set<'v>(object: &'v Value, key: &str) -> Option<&'v Value> {
    object.get(key).filter(|value| !is_unset(value))
}

/// Returns the keys of an object that are not in `known`, with their values.
///
/// # Errors
/// If the value is neither an object nor null.
pub(super) fn others<'v>(
    value: &'v Value,
    known: &[&str],
) -> Result<impl Iterator<Item = (&'v str, &'v Value)>, String> {
    let entries = match value {
        Value::Object(map) => Some(map),
        Value::Null => None,
        other => return Err(format!("expected an object, found `{other}`")),
    };
    let entries = entries.into_iter().flatten().map(|(key, value)| (&**key, value));
    Ok(entries.filter(move |(key, _)| !known.contains(key)))
}

/// Checks that the set keys of an object are all in `known`; unset ones go to `unused`.
///
/// # Errors
/// The first other key that is set, or a value that is no object.
pub(super) fn check_keys(value: &Value, known: &[&str], unused: &mut Unused) -> Result<(), String> {
    for (key, value) in others(value, known)? {
        if !is_unset(value) {
            return Err(format!("expected {}, found `{key}` with `{value}`", known.join(", ")));
        }
        unused.add(format!("`{key}` (empty)"));
    }
    Ok(())
}

/// Returns a list; an unset value is an empty list.
///
/// # Errors
/// If the value has another type.
pub(super) fn list<'v>(object: &'v Value, key: &str) -> Result<&'v [Value], String> {
    match set(object, key) {
        None => Ok(&[]),
        Some(Value::Array(list)) => Ok(list),
        Some(other) => Err(format!("expected a list in `{key}`, found `{other}`")),
    }
}

/// Reads a boolean; an unset value is false.
///
/// # Errors
/// If the value has another type.
pub(super) fn flag(object: &Value, key: &str) -> Result<bool, String> {
    match set(object, key) {
        None => Ok(false),
        Some(Value::Bool(is_set)) => Ok(*is_set),
        Some(other) => Err(format!("expected true or false in `{key}`, found `{other}`")),
    }
}

/// Returns a number, which may be written as a text.
pub(super) fn number(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str()?.trim().parse().ok())
}
