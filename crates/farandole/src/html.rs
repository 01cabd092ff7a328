//! Converts HTML tables to Markdown tables, which the readers of Markdown tables then read.
//!
//! Each row of a table becomes a line, and text outside of cells becomes a line of its own. Nested
//! tables and cells that span several rows or columns are errors.

use std::io::{self, Cursor, Read};

use text::InputError;

const DOCUMENT_SIZE: u64 = 1 << 24;

/// Returns whether a document that begins with `head` contains a table.
pub(crate) fn recognizes(head: &[u8]) -> bool {
    let head = head.trim_ascii_start().to_ascii_lowercase();
    let has = |tag: &[u8]| head.windows(tag.len()).any(|bytes| bytes == tag);
    head.starts_with(b"<") && has(b"<table") && !has(b"<pre")
}

/// An HTML document that is read as Markdown.
pub(crate) struct HtmlTables<R> {
    input: R,
    /// The lines of the Markdown text; `None` before the document is read.
    lines: Option<Cursor<String>>,
}

impl<R: Read> HtmlTables<R> {
    pub(crate) fn new(input: R) -> Self {
        Self { input, lines: None }
    }
}

impl<R: Read> Read for HtmlTables<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.lines.is_none() {
            let mut document = Vec::new();
            self.input.by_ref().take(DOCUMENT_SIZE + 1).read_to_end(&mut document)?;
            if document.len() as u64 > DOCUMENT_SIZE {
                let message = format!("expected a document of at most {DOCUMENT_SIZE} bytes");
                return Err(io::Error::other(message));
            }
            let lines = lines(&String::from_utf8_lossy(&document)).map_err(io::Error::other)?;
            self.lines = Some(Cursor::new(lines));
        }
        self.lines.as_mut().map_or(Ok(0), |lines| lines.read(buffer))
    }
}

fn lines(document: &str) -> Result<String, InputError> {
    let error = |at: usize, message: &str| {
        let start = document[..at].rfind('\n').map_or(0, |end| end + 1);
        let number = document[..start].matches('\n').count() + 1;
        InputError::at(
            number,
            document[start..].lines().next().unwrap_or_default(),
            at - start,
            message,
        )
    };
    let (mut out, mut cell) = (String::new(), None::<String>);
    let (mut depth, mut is_in_row, mut at) = (0_usize, false, 0);
    let end_cell = |cell: &mut Option<String>, out: &mut String| {
        if let Some(cell) = cell.take() {
            push!(out, " {} |", cell.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    };
    while at < document.len() {
        let rest = &document[at..];
        let text = &rest[..rest.find('<').unwrap_or(rest.len())];
        let plain = decoded(text);
        match &mut cell {
            Some(_) if plain.contains('|') => {
                return Err(error(at, "expected a cell without `|`, found one with it"));
            }
            Some(cell) => cell.push_str(&plain),
            None if !plain.trim().is_empty() => pushln!(out, "{}", plain.trim()),
            None => {}
        }
        at += text.len();
        let rest = &document[at..];
        if rest.is_empty() {
            break;
        }
        let end = if rest.starts_with("<!--") {
            rest.find("-->").map(|end| end + 3)
        } else {
            rest.find('>').map(|end| end + 1)
        };
        let tag = end
            .map(|end| &rest[..end])
            .ok_or_else(|| error(at, "expected the end of this tag, found none"))?;
        let lower = tag.to_ascii_lowercase();
        let name = lower
            .trim_start_matches('<')
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '/')
            .next();
        match name.unwrap_or_default() {
            "table" if cell.is_some() || depth > 0 => {
                return Err(error(at, "expected cells without tables in them, found a table"));
            }
            "table" => depth += 1,
            "/table" => {
                end_cell(&mut cell, &mut out);
                out.push_str(if std::mem::take(&mut is_in_row) { "\n\n" } else { "\n" });
                depth = 0;
            }
            "tr" | "/tr" => {
                end_cell(&mut cell, &mut out);
                if std::mem::replace(&mut is_in_row, name == Some("tr")) {
                    out.push('\n');
                }
            }
            "td" | "th" => {
                let spans = ["colspan", "rowspan"].iter().filter_map(|name| attribute(tag, name));
                if spans.into_iter().any(|count| count != "1") {
                    return Err(error(
                        at,
                        "expected cells that span one row and one column, found more",
                    ));
                }
                if cell.is_none() && !out.ends_with('|') {
                    out.push('|');
                }
                end_cell(&mut cell, &mut out);
                cell = Some(String::new());
            }
            "/td" | "/th" => end_cell(&mut cell, &mut out),
            "input" => {
                if let (Some(cell), Some(value)) = (&mut cell, attribute(tag, "value")) {
                    cell.push_str(&decoded(value));
                }
            }
            "br" => cell.iter_mut().for_each(|cell| cell.push(' ')),
            _ => {}
        }
        at += tag.len();
    }
    end_cell(&mut cell, &mut out);
    out.push('\n');
    Ok(out)
}

fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let start = tag.to_ascii_lowercase().find(&format!(" {name}="))? + name.len() + 2;
    let value = tag[start..].trim_end_matches('>');
    match value.chars().next()? {
        quote @ ('"' | '\'') => value[1..].split(quote).next(),
        _ => value.split(|c: char| c.is_whitespace() || c == '/').next(),
    }
}

fn decoded(text: &str) -> String {
    let entities = [
        ("&nbsp;", " "),
        ("&#160;", " "),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&amp;", "&"),
    ];
    entities.iter().fold(text.replace('\u{a0}', " "), |text, (from, to)| text.replace(from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(document: &str, expected: Result<&str, &str>) {
        assert!(recognizes(document.as_bytes()), "{document}");
        let mut read = String::new();
        let result = HtmlTables::new(document.as_bytes()).read_to_string(&mut read);
        let result = result.map_err(|error| InputError::of_io(&error).to_string());
        assert_eq!(result.map(|_| read.trim_end()), expected.map_err(str::to_owned), "{document}");
    }

    #[test]
    fn each_row_of_an_html_table_becomes_a_line() {
        check("<table><tr><td>1<td> <tr><td>&nbsp;<td><b>2</b></table>", Ok("| 1 |  |\n|  | 2 |"));
        check(
            "<div>\n<TABLE class=x>\n <tr>\n  <th>1</th>\n  <td colspan=\"1\"><input value=\"3\"></td>\n </tr>\n</TABLE>Easy",
            Ok("| 1 | 3 |\n\nEasy"),
        );
    }

    #[test]
    fn nested_tables_and_spanning_cells_are_refused_with_their_position() {
        check(
            "<table>\n<tr><td><table>",
            Err("2:9: expected cells without tables in them, found a table"),
        );
        check(
            "<table><tr><td colspan=2>",
            Err("1:12: expected cells that span one row and one column, found more"),
        );
        check("<table><tr><td>a|b", Err("1:16: expected a cell without `|`, found one with it"));
    }
}
