//! Escapes external text, so that it can be inserted into HTML and SVG.

use std::fmt;

/// A text that displays itself escaped for HTML, SVG, and their attributes.
///
/// A character that XML does not allow, such as a terminal escape, becomes U+FFFD.
#[derive(Clone, Copy, Debug)]
pub struct Escaped<'t>(pub &'t str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write as _;
        for char in self.0.chars() {
            match char {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                '\t' | '\n' => f.write_char(char)?,
                '\u{FFFE}' | '\u{FFFF}' => f.write_char(char::REPLACEMENT_CHARACTER)?,
                _ if char.is_control() => f.write_char(char::REPLACEMENT_CHARACTER)?,
                _ => f.write_char(char)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_texts_is_escaped() {
        let text = Escaped("<a href=\"x\" id='y'>\u{1b}[1m & more\n").to_string();
        assert_eq!(text, "&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;\u{FFFD}[1m &amp; more\n");
    }
}
