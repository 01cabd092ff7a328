//! ipuz: a JSON object with the rows of the grid under `puzzle`, and the kind
//! `http://ipuz.org/sudoku`.
//!
//! A cell is a number, a text, `null`, or an object with a `value` or `cell`. Objects with cages or
//! zones are refused, because these rules are not supported, and so are objects without boxes. A
//! `solution` must agree with the clues. A note names the first unknown key. The text may also be a
//! list of several objects.

use super::cells::contradiction;
use super::lists::{documents, make, write_rows};
use super::value::{Data, Document, Value, begins_as_value};
use super::{BLOCKS, Format};
use crate::{Grid, Setting};
use text::{InputError, InputNotes};

pub(super) const FORMAT: Format = Format {
    name: "ipuz",
    summary: "a JSON object of the kind http://ipuz.org/sudoku with rows under `puzzle`",
    example: "{\"version\":\"http://ipuz.org/v2\",\"kind\":[\"http://ipuz.org/sudoku#1\"],\n\
     \"dimensions\":{\"width\":4,\"height\":4},\n\
     \"puzzle\":[[0,0,3,0],\n [0,1,0,0],\n [0,0,4,0],\n [0,2,0,0]]}\n",
    extensions: &["ipuz"],
    recognizes,
    has_long_lines: true,
    reader: || documents(read),
    write,
    ..BLOCKS
};

fn recognizes(sample: &str) -> bool {
    begins_as_value(sample) && sample.contains("ipuz.org") || sample.trim_start().starts_with("ipuz(")
}

fn write(grid: &Grid, out: &mut String) {
    let order = grid.shape().order();
    out.push_str("{\"version\":\"http://ipuz.org/v2\",\"kind\":[\"http://ipuz.org/sudoku#1\"],\n");
    push!(out, "\"dimensions\":{{\"width\":{order},\"height\":{order}}},\n\"puzzle\":");
    write_rows(grid, out);
    out.push_str("}\n");
}

fn read(
    document: &Document,
    values: Vec<Value<'_>>,
    setting: &mut Setting,
    notes: &mut InputNotes,
) -> Vec<Result<Grid, InputError>> {
    // `ipuz({...})` is read as a list with one object, and the text may be a list of objects.
    let objects = values.into_iter().flat_map(|value| match value {
        Value { data: Data::List(inner), .. } => inner,
        value => vec![value],
    });
    objects.map(|value| read_object(document, value, setting, notes)).collect()
}

fn read_object(
    document: &Document,
    value: Value<'_>,
    setting: &mut Setting,
    notes: &mut InputNotes,
) -> Result<Grid, InputError> {
    let Value { at, data: Data::Map(mut entries) } = value else {
        return Err(document.error(value.at, "expected an object of ipuz"));
    };
    let has = |name: &str| entries.iter().find(|(key, _)| *key == name).map(|(_, value)| value);
    for rules in ["cages", "zones"] {
        if let Some(value) = has(rules) {
            return Err(document.error(value.at, format!("the {rules} of ipuz are not read")));
        }
    }
    match has("boxes") {
        Some(Value { at, data: Data::Word("false") }) => {
            return Err(document.error(*at, "a Sudoku of ipuz without boxes is not read"));
        }
        None | Some(Value { data: Data::Word("true" | "null"), .. }) => {}
        Some(other) => return Err(document.error(other.at, "expected true or false in `boxes`")),
    }
    if let Some(empty) = has("empty")
        && !matches!(empty.data, Data::Text("0" | "." | "") | Data::Word("0" | "null"))
    {
        return Err(document.error(empty.at, "expected 0, a dot or null for an empty cell"));
    }
    let charset = has("charset").map(|charset| match charset.data {
        Data::Text(text) if "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".starts_with(text) => {
            Ok((charset.at, text.len()))
        }
        _ => Err(document.error(charset.at, "expected a charset of the digits from 1")),
    });
    let charset = charset.transpose()?;
    // JSON may write a slash as `\/`.
    let all = |value: &Value<'_>, is_right: fn(&str) -> bool| {
        let texts = texts(value).filter(|texts| !texts.is_empty());
        texts.is_some_and(|texts| texts.iter().all(|text| is_right(&text.replace("\\/", "/"))))
    };
    let is_sudoku = |kind: &str| kind_of(kind) == Some("sudoku");
    let Some(kind) = has("kind") else {
        return Err(document.error(at, "expected a key `kind`, found none"));
    };
    if !all(kind, is_sudoku) {
        return Err(document.error(kind.at, "expected the kind http://ipuz.org/sudoku#1"));
    }
    if let Some(version) = has("version").filter(|version| !all(version, is_version)) {
        return Err(document.error(version.at, "expected the version http://ipuz.org/v1 or v2"));
    }
    let solution = entries.iter().position(|(key, _)| *key == "solution");
    let solution = solution.map(|index| entries.swap_remove(index).1);
    if let Some((key, value)) = entries.iter().find(|(key, _)| !KEYS.contains(key)) {
        let value_text = match value.data {
            Data::Word(text) | Data::Text(text) => text,
            Data::List(_) | Data::Map(_) => "...",
        };
        let text = format!("{key}: {value_text}");
        document.word(value.at, "").note_as("not used: a key of ipuz", &text, notes);
    }
    let Some(index) = entries.iter().position(|(key, _)| *key == "puzzle") else {
        return Err(document.error(at, "expected a key `puzzle`, found none"));
    };
    let (_, mut puzzle) = entries.swap_remove(index);
    let disagreeing =
        |at: usize| document.error(at, "expected one `value` or `cell`, and perhaps a `style`");
    unwrap_all(&mut puzzle).map_err(disagreeing)?;
    let grid = make(document, &puzzle, setting, &FORMAT)?;
    let order = grid.shape().order();
    if let Some((at, _)) = charset.filter(|(_, count)| *count != order) {
        return Err(document.error(at, format!("expected a charset of {order} digits")));
    }
    match entries.iter().find(|(key, _)| *key == "dimensions").map(|(_, value)| value) {
        Some(Value { at, data: Data::Map(sizes) }) => {
            let is_right = |(name, size): &&(&str, Value<'_>)| {
                ["width", "height"].contains(name)
                    && matches!(size.data, Data::Word(word) if word.parse() == Ok(order))
            };
            if let Some((name, size)) = sizes.iter().find(|size| !is_right(size)) {
                let at = size.at.max(*at);
                return Err(document
                    .error(at, format!("expected the {name} {order} of the rows, found another")));
            }
        }
        None => {}
        Some(other) => {
            return Err(document.error(other.at, "expected an object with a `width` and a `height`"));
        }
    }
    if let Some(mut solution) = solution {
        unwrap_all(&mut solution).map_err(disagreeing)?;
        let solved = make(document, &solution, setting, &FORMAT)?;
        if let Some(fault) = contradiction(&grid, &solved) {
            return Err(document.error(solution.at, fault));
        }
    }
    Ok(grid)
}

/// The keys of ipuz that this format reads or that cannot change the answer.
pub const KEYS: [&str; 30] = [
    "version",
    "kind",
    "copyright",
    "publisher",
    "publication",
    "url",
    "uniqueid",
    "title",
    "intro",
    "explanation",
    "annotation",
    "author",
    "editor",
    "date",
    "notes",
    "difficulty",
    "origin",
    "block",
    "empty",
    "styles",
    "charset",
    "displaycharset",
    "boxes",
    "saved",
    "dimensions",
    "puzzle",
    "solution",
    "checksum",
    "volatile",
    "showoperators",
];

/// Returns the part of an ipuz address after the site: `v2`, `sudoku#1`; `None` for other texts.
fn behind_site(address: &str) -> Option<&str> {
    let site = address.strip_prefix("http://").or_else(|| address.strip_prefix("https://"))?;
    site.strip_prefix("www.").unwrap_or(site).strip_prefix("ipuz.org/")
}

/// Returns whether `address` names a version of ipuz.
pub fn is_version(address: &str) -> bool {
    matches!(behind_site(address), Some("v1" | "v2"))
}

/// Returns the kind in an address such as `http://ipuz.org/sudoku#1`: `sudoku`. The number of its
/// version may be missing.
pub fn kind_of(address: &str) -> Option<&str> {
    let kind = behind_site(address)?;
    Some(kind.strip_suffix("#1").unwrap_or(kind).trim_end_matches('/'))
}

/// Returns the strings in a value that is a string or a nested list of strings, or `None` for other
/// values.
fn texts<'t>(value: &Value<'t>) -> Option<Vec<&'t str>> {
    match &value.data {
        Data::Text(text) => Some(vec![text]),
        Data::List(list) => list.iter().map(texts).collect::<Option<Vec<_>>>().map(|all| all.concat()),
        Data::Word(_) | Data::Map(_) => None,
    }
}

/// Replaces each cell that is an object by its value.
///
/// # Errors
/// The position of the first object with other keys, or with two values.
fn unwrap_all(rows: &mut Value<'_>) -> Result<(), usize> {
    if let Data::List(rows) = &mut rows.data {
        for row in rows {
            if let Data::List(cells) = &mut row.data {
                cells.iter_mut().try_for_each(unwrap)?;
            }
        }
    }
    Ok(())
}

fn unwrap(cell: &mut Value<'_>) -> Result<(), usize> {
    if let Data::Map(entries) = &mut cell.data {
        entries.retain(|(key, _)| *key != "style");
        let Some((_, value)) = entries.pop_if(|(key, _)| ["value", "cell"].contains(key)) else {
            return Err(cell.at);
        };
        if !entries.is_empty() {
            return Err(cell.at);
        }
        *cell = value;
    }
    Ok(())
}
