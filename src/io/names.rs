//! Displays file names, which may consist of arbitrary bytes.

use std::ffi::OsStr;

/// Returns a name for messages and tables, on one line and without characters that control a
/// terminal.
///
/// Control characters and characters that change the writing direction are escaped as in Rust. A
/// byte that is not valid UTF-8 is shown as `\xff`.
pub(crate) fn shown(name: impl AsRef<OsStr>) -> String {
    let mut shown = String::new();
    for chunk in name.as_ref().as_encoded_bytes().utf8_chunks() {
        for c in chunk.valid().chars() {
            if c.is_control() || is_turn(c) {
                shown.extend(c.escape_default());
            } else {
                shown.push(c);
            }
        }
        for byte in chunk.invalid() {
            push!(shown, "\\x{byte:02x}");
        }
    }
    shown
}

/// Returns whether a character changes the writing direction.
fn is_turn(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_controls_are_escaped_and_other_text_is_kept() {
        assert_eq!(shown("a b/Ä.txt"), "a b/Ä.txt");
        assert_eq!(shown("\u{1b}[31m\n\u{202e}"), "\\u{1b}[31m\\n\\u{202e}");
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt as _;
            assert_eq!(shown(OsStr::from_bytes(b"a\xffb\xe2\x82")), "a\\xffb\\xe2\\x82");
        }
    }
}
