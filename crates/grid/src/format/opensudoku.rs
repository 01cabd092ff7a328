//! OpenSudoku's XML: elements `<game data="...">` with the n * n cells of a grid, with `0` for an
//! empty cell.
//!
//! The document is read as a whole, up to [`SIZE_LIMIT`] bytes, and must be well-formed XML.
//! Document types and their entities are refused. Solutions are written one per line.

use roxmltree::ParsingOptions;

use super::cells::{self, CellWord};
use super::{Format, LINES, line};
use crate::{Grid, Setting};
use text::{InputError, Line, Lines};

/// Maximum size of a document (bytes): several hundred thousand grids.
const SIZE_LIMIT: usize = 1 << 25;
/// The elements of a document that hold others.
const HOLDERS: [&str; 3] = ["opensudoku", "folder", "game"];
/// The elements of a document whose texts describe the games.
const TEXTS: [&str; 9] =
    ["name", "author", "description", "comment", "created", "source", "sourceURL", "level", "version"];
/// Attributes of elements: the cells of a game, and what the application keeps about it or its
/// folder.
const ATTRIBUTES: [&str; 13] = [
    "data",
    "created",
    "name",
    "note",
    "user_note",
    "state",
    "time",
    "last_played",
    "lastPlayed",
    "command_stack",
    "version",
    "author",
    "level",
];
const NODE_LIMIT: u32 = 1_000_000;

pub(super) const FORMAT: Format = Format {
    name: "opensudoku",
    summary: "the XML of OpenSudoku: elements `<game data=\"...\">`; solutions are lines",
    example: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opensudoku>\n<name>two</name>\n\
     <game data=\"800000000003600000070090200050007000000045700000100030001000068008500010090000400\"/>\n\
     <game data=\"530070000600195000098000060800060003400803001700020006060000280000419005000080079\"/>\n\
     </opensudoku>\n",
    extensions: &["opensudoku"],
    recognizes,
    has_long_lines: true,
    reader: || {
        let mut games = None;
        Box::new(move |lines, setting| next(&mut games, lines, setting))
    },
    is_written: false,
    ..LINES
};

fn recognizes(sample: &str) -> bool {
    sample.trim_start().starts_with('<') && sample.contains("<opensudoku")
}

/// The text of a grid, with its line and its column (characters, from 0).
type Game = (String, Line, usize);

/// Reads the next grid. `left` contains the remaining games in reverse order, once the document has
/// been read.
fn next(
    left: &mut Option<Vec<Game>>,
    lines: &mut Lines,
    setting: &mut Setting,
) -> Result<Option<Grid>, InputError> {
    let left = match left {
        Some(left) => left,
        None => {
            *left = Some(Vec::new());
            left.insert(games(lines)?)
        }
    };
    let Some((text, place, column)) = left.pop() else { return Ok(None) };
    let cells = Line { text, number: place.number };
    let error = |column: usize, message: String| {
        let start = place.text.char_indices().nth(column).map_or(place.text.len(), |(at, _)| at);
        place.error(start, message)
    };
    let words: Vec<CellWord<'_>> = CellWord::new(&cells, &cells.text).characters().collect();
    let Some(order) = cells::square_root(words.len()).filter(|&order| order >= 4) else {
        let message = format!("expected n*n cells (16, 36, 81, 256, ...), found {}", words.len());
        return Err(error(column, message));
    };
    let shape = setting.shape(order).map_err(|message| error(column, message))?;
    let grid = cells::fill(shape, &words, &FORMAT);
    grid.map(Some).map_err(|fault| error(column + fault.column - 1, fault.message))
}
fn games(lines: &mut Lines) -> Result<Vec<Game>, InputError> {
    let (mut text, mut all) = (String::new(), Vec::new());
    let mut number = 1;
    while let Some(line) = lines.next_line()? {
        // The XML declaration must come first, so lines before it are only counted.
        if all.is_empty() {
            number = line.number;
        }
        text.push_str(&line.text);
        text.push('\n');
        if text.len() > SIZE_LIMIT {
            while lines.next_line()?.is_some() {}
            let message = format!("expected a document of at most {SIZE_LIMIT} bytes, found more");
            return Err(line.error(0, message));
        }
        all.push(line);
    }
    let place = |row: u32| {
        let index = (row as usize).saturating_sub(1);
        let none = || Line { text: String::new(), number: number + index };
        all.get(index).cloned().unwrap_or_else(none)
    };
    let options =
        ParsingOptions { allow_dtd: false, nodes_limit: NODE_LIMIT, ..ParsingOptions::default() };
    let document = roxmltree::Document::parse_with_options(&text, options).map_err(|error| {
        let at = error.pos();
        let line = place(at.row);
        let start = line.text.char_indices().nth((at.col as usize).saturating_sub(1));
        let start = start.map_or(line.text.len(), |(at, _)| at);
        line.error(start, format!("expected XML: {error}"))
    })?;
    let mut games = Vec::new();
    for node in document.descendants() {
        let name = node.tag_name().name();
        let is_game = node.is_element() && name.eq_ignore_ascii_case("game");
        // If a game has no cells, the error is reported at the position of the game.
        let data = node.attribute_node("data").filter(|_| is_game);
        let at = data.map_or(node.range().start, |data| data.range_value().start);
        let at = document.text_pos_at(at);
        let (line, column) = (place(at.row), (at.col as usize).saturating_sub(1));
        let is_in =
            |names: &[&str], name: &str| names.iter().any(|known| known.eq_ignore_ascii_case(name));
        let is_known = |name: &str| is_in(&TEXTS, name) || is_in(&HOLDERS, name);
        let has_text = node.text().is_some_and(|text| !text.trim().is_empty());
        let is_known_text =
            || node.parent().is_some_and(|parent| is_in(&TEXTS, parent.tag_name().name()));
        let may_be_game = |node: roxmltree::Node<'_, '_>| {
            let is_grid = |text: &str| line::order_of(text).is_some_and(|order| order >= 4);
            node.attributes().any(|attribute| attribute.name() == "data" || is_grid(attribute.value()))
        };
        if node.is_element() && !is_game && may_be_game(node) {
            let start = line.text.char_indices().nth(column).map_or(0, |(at, _)| at);
            return Err(line.error(start, format!("expected an element `game`, found `{name}`")));
        }
        for attribute in node.attributes() {
            let name = attribute.name();
            if ATTRIBUTES.contains(&name) {
                continue;
            }
            let at = document.text_pos_at(attribute.range().start);
            let line = place(at.row);
            let start = line.text.char_indices().nth((at.col as usize).saturating_sub(1));
            let start = start.map_or(0, |(at, _)| at);
            if name.eq_ignore_ascii_case("data") {
                return Err(line.error(start, format!("expected `data`, found `{name}`")));
            }
            lines.notes.add("not used: an attribute", &line, start, &text[attribute.range()]);
        }
        if is_game {
            games.push((data.map_or("", |data| data.value()).to_owned(), line, column));
        } else if node.is_element() && !is_known(name) || node.is_text() && has_text && !is_known_text()
        {
            let start = line.text.char_indices().nth(column).map_or(0, |(at, _)| at);
            let text = if node.is_element() { name } else { node.text().unwrap_or_default().trim() };
            lines.notes.add("not used: a part of the document", &line, start, text);
        }
    }
    if games.is_empty() {
        return Err(place(1).error(0, "expected an element `<game data=\"...\">`, found none"));
    }
    games.reverse();
    Ok(games)
}
