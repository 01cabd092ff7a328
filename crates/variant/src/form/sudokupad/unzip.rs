//! Reads SudokuPad's shortened JSON, which has unquoted keys of one or two letters, `t` and `f` for
//! booleans, and no text for empty cells.
//!
//! # Bounds
//! Lists and objects nest at most [`DEPTH_MAX`] deep. The reader of the link bounds the length of
//! the text.

use serde_json::{Map, Value};

const DEPTH_MAX: usize = 32;

/// Short keys that are read, and their full names.
const KEYS: [(&str, &str); 11] = [
    ("ca", "cages"),
    ("ce", "cells"),
    ("re", "regions"),
    ("v", "value"),
    ("a", "arrows"),
    ("o", "overlays"),
    ("u", "underlays"),
    ("l", "lines"),
    ("t", "title"),
    ("te", "text"),
    ("cs", "cellSize"),
];

pub(super) fn read(text: &str) -> Option<Value> {
    let mut reader = ZippedText { rest: text.trim() };
    let value = reader.value(0)?;
    reader.rest.trim().is_empty().then_some(value)
}

struct ZippedText<'t> {
    rest: &'t str,
}

impl<'t> ZippedText<'t> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn take(&mut self, wanted: char) -> bool {
        let rest = self.rest.strip_prefix(wanted);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn until(&mut self, ends: &[char]) -> &'t str {
        let (word, rest) = self.rest.split_at(self.rest.find(ends).unwrap_or(self.rest.len()));
        self.rest = rest;
        word
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        match self.peek()? {
            _ if depth > DEPTH_MAX => None,
            // In the shortened JSON, an empty object is an empty text.
            ',' | ']' | '}' => Some(Value::Object(Map::new())),
            '[' => self.list(depth),
            '{' => self.object(depth),
            quote @ ('\'' | '"') => self.text(quote).map(Value::String),
            _ => {
                let word = self.until(&[',', ']', '}']);
                if !word.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-._#%".contains(&b)) {
                    return None;
                }
                let is_color = word.len() == 6 && word.bytes().all(|b| b.is_ascii_hexdigit());
                Some(match word {
                    "t" => true.into(),
                    "f" => false.into(),
                    _ if is_color => format!("#{word}").into(),
                    _ => serde_json::from_str(word).unwrap_or_else(|_| word.into()),
                })
            }
        }
    }

    fn list(&mut self, depth: usize) -> Option<Value> {
        self.take('[');
        let mut list = Vec::new();
        loop {
            list.push(self.value(depth + 1)?);
            if self.take(']') {
                return Some(Value::Array(list));
            }
            if !self.take(',') {
                return None;
            }
        }
    }

    fn object(&mut self, depth: usize) -> Option<Value> {
        self.take('{');
        let mut object = Map::new();
        if self.take('}') {
            return Some(Value::Object(object));
        }
        loop {
            let key = match self.peek()? {
                quote @ ('\'' | '"') => self.text(quote)?,
                _ => self.until(&[':', ',', '}', ']']).to_owned(),
            };
            if !key.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_ ".contains(&b)) {
                return None;
            }
            if !self.take(':') {
                return None;
            }
            let known =
                KEYS.iter().find(|(short, _)| *short == key).map(|(_, long)| (*long).to_owned());
            // A key that is stated twice is not valid.
            if object.insert(known.unwrap_or(key), self.value(depth + 1)?).is_some() {
                return None;
            }
            if self.take('}') {
                return Some(Value::Object(object));
            }
            if !self.take(',') {
                return None;
            }
        }
    }

    fn text(&mut self, quote: char) -> Option<String> {
        self.take(quote);
        let mut text = String::new();
        loop {
            text.push_str(self.until(&[quote, '\\']));
            if self.take(quote) {
                return Some(text);
            }
            self.rest = self.rest.strip_prefix('\\')?;
            let escaped = self.peek()?;
            self.rest = &self.rest[escaped.len_utf8()..];
            text.push(if escaped == 'n' { '\n' } else { escaped });
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_text_in_sudokupad_shorthand_unpacks_to_its_json() {
        let short = "{ce:[[{v:1},,],[,{v:'it\\'s'},]],ca:[{ce:[[0,1],[1,1]],v:5,unique:t,c1:ff00aa}],cs:64,re:[[[0,0]]]}";
        let expected = json!({
            "cells": [[{"value": 1}, {}, {}], [{}, {"value": "it's"}, {}]],
            "cages": [{"cells": [[0, 1], [1, 1]], "value": 5, "unique": true, "c1": "#ff00aa"}],
            "cellSize": 64,
            "regions": [[[0, 0]]],
        });
        assert_eq!(read(short), Some(expected));
        for end in 0..short.len() {
            assert_eq!(read(&short[..end]), None, "{end}");
        }
        assert_eq!(read(&"[".repeat(100_000)), None);
        for (part, wrong) in [("cs:64", "ce:[]"), ("cs:", "zzz 'cs':"), ("64", "6 4"), ("cs:", "{cs:")]
        {
            assert_eq!(read(&short.replace(part, wrong)), None, "{wrong}");
        }
    }
}
