//! Names of files, which may be any bytes, as they are shown.

use std::ffi::OsStr;

/// Returns a name as messages and tables show it: on one line, without what would steer a terminal.
///
/// Control characters, and those that turn the direction of writing, are escaped as in Rust; a byte
/// that is not part of UTF-8 is shown as `\xff`.
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

/// Tells whether a character turns the direction of what is written behind it.
fn is_turn(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_escaped_and_the_rest_stays() {
        assert_eq!(shown("a b/Ä.txt"), "a b/Ä.txt");
        assert_eq!(shown("\u{1b}[31m\n\u{202e}"), "\\u{1b}[31m\\n\\u{202e}");
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt as _;
            assert_eq!(shown(OsStr::from_bytes(b"a\xffb\xe2\x82")), "a\\xffb\\xe2\\x82");
        }
    }
}
