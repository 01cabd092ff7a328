//! Packs and unpacks the text of a penpa-edit link. Packing replaces frequent words with `z` and a
//! letter, then applies raw deflate, then base64.
//!
//! # Bounds
//! Unpacking yields at most [`BYTES_MAX`] bytes, and at most eight times as many after the words
//! are restored.

use std::io::{Read as _, Write as _};

use super::super::base64::{STANDARD, pad, unescaped};

/// Largest unpacked text of a link (bytes).
const BYTES_MAX: u64 = 2 << 20;

/// Abbreviations of frequent words. Unpacking restores the words in reverse order.
const SHORT: [(&str, &str); 31] = [
    ("zZ", "z"),
    ("z9", "\"qa\""),
    ("zQ", "\"pu_q\""),
    ("zA", "\"pu_a\""),
    ("zG", "\"grid\""),
    ("zM", "\"edit_mode\""),
    ("zS", "\"surface\""),
    ("zL", "\"line\""),
    ("zE", "\"lineE\""),
    ("zW", "\"wall\""),
    ("zC", "\"cage\""),
    ("zN", "\"number\""),
    ("zY", "\"symbol\""),
    ("zP", "\"special\""),
    ("zB", "\"board\""),
    ("zR", "\"command_redo\""),
    ("zU", "\"command_undo\""),
    ("z8", "\"command_replay\""),
    ("z1", "\"numberS\""),
    ("zF", "\"freeline\""),
    ("z2", "\"freelineE\""),
    ("zT", "\"thermo\""),
    ("z3", "\"arrows\""),
    ("zD", "\"direction\""),
    ("z0", "\"squareframe\""),
    ("z5", "\"polygon\""),
    ("z4", "\"deletelineE\""),
    ("z6", "\"killercages\""),
    ("z7", "\"nobulbthermo\""),
    ("z_", "\"__a\""),
    ("zO", "null"),
];

/// Unpacks the text of a link.
pub(super) fn unpacked(packed: &str) -> Result<String, String> {
    let broken = || "expected a compressed drawing, found one that is cut or broken".to_owned();
    let packed = unescaped(packed);
    let bytes = STANDARD.bytes(packed.trim_end_matches('=')).map_err(|_| broken())?;
    let mut text = String::new();
    let mut inflated = flate2::read::DeflateDecoder::new(&bytes[..]).take(BYTES_MAX + 1);
    inflated.read_to_string(&mut text).map_err(|_| broken())?;
    let used = inflated.get_ref().total_in();
    if text.len() as u64 > BYTES_MAX {
        return Err(format!("expected a drawing of at most {BYTES_MAX} bytes, found more"));
    }
    if used < bytes.len() as u64 {
        return Err("expected the end of a compressed drawing, found more".to_owned());
    }
    for (short, long) in SHORT.iter().rev() {
        text = text.replace(short, long);
        if text.len() as u64 > 8 * BYTES_MAX {
            return Err(format!("expected a drawing of at most {BYTES_MAX} bytes, found more"));
        }
    }
    Ok(text)
}

pub(in super::super) fn packed(text: &str) -> String {
    let text = SHORT.iter().fold(text.to_owned(), |text, (short, long)| text.replace(long, short));
    let mut deflated = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    let bytes = deflated.write_all(text.as_bytes()).and_then(|()| deflated.finish());
    let bytes = bytes.expect("writing into memory does not fail");
    let mut letters = STANDARD.text(&bytes);
    pad(&mut letters);
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unpacking_a_packed_penpa_text_returns_the_text() {
        for text in ["", "z", "zzZ9", "{\"line\":null,\"lineE\":\"z\"}\n\u{e9}", &"[0,1]".repeat(999)] {
            let letters = packed(text);
            assert!(letters.len().is_multiple_of(4));
            assert_eq!(unpacked(&letters).as_deref(), Ok(text));
        }
        assert!(unpacked(&packed(&"a".repeat(3 << 20))).is_err());
    }

    #[test]
    fn a_truncated_penpa_link_is_an_error() {
        let letters = packed("square,4,4,38,0,1,1\n[0,0,0,0]\n");
        for end in 0..letters.trim_end_matches('=').len() - 1 {
            assert!(unpacked(&letters[..end]).is_err(), "{end}");
        }
    }
}
