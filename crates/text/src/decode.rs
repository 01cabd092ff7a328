//! Decodes texts that are not plain UTF-8: texts compressed with gzip, and UTF-16 with a byte-order
//! mark.
//!
//! Both encodings are recognized by their first bytes, because no text of puzzles begins with these
//! bytes. Such texts are converted to UTF-8 as a stream, with a buffer of fixed size. Any other
//! input is passed on unchanged.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use flate2::bufread::MultiGzDecoder;

type Input = Box<dyn BufRead + Send>;

/// Size of the buffer for decompression (bytes).
const BUFFER_SIZE: usize = 1 << 17;

/// Maximum size of a decompressed text (bytes), because a byte of gzip can become a thousand bytes.
const UNPACKED_LIMIT: u64 = 1 << 36;

/// Returns `input` as UTF-8. The encoding is recognized by the first two bytes.
///
/// # Errors
/// If the input cannot be read.
pub fn open(input: Input) -> io::Result<Input> {
    let (head, input) = head(input)?;
    if head != [0x1f, 0x8b] {
        return Ok(utf8(input, byte_order(head)));
    }
    // The decompressed text may be UTF-16, but a second compression is not recognized.
    let text = Unpacked { input: MultiGzDecoder::new(input), left: UNPACKED_LIMIT };
    let (head, text) = self::head(Box::new(BufReader::with_capacity(BUFFER_SIZE, text)))?;
    Ok(utf8(text, byte_order(head)))
}

/// Returns the first two bytes if they may begin a known encoding. Also returns the input from its
/// beginning.
fn head(mut input: Input) -> io::Result<([u8; 2], Input)> {
    let first = input.fill_buf()?;
    match *first {
        [a, b, ..] => Ok(([a, b], input)),
        // A pipe may first deliver a single byte.
        [byte @ (0x1f | 0xfe | 0xff)] => {
            let mut first = Vec::new();
            input.by_ref().take(2).read_to_end(&mut first)?;
            let head = [byte, first.get(1).copied().unwrap_or_default()];
            Ok((head, Box::new(Cursor::new(first).chain(input))))
        }
        _ => Ok(([0; 2], input)),
    }
}

/// Returns whether the high byte of each UTF-16 unit comes first, according to the byte-order mark;
/// `None` for any other text.
fn byte_order(head: [u8; 2]) -> Option<bool> {
    match head {
        [0xfe, 0xff] => Some(true),
        [0xff, 0xfe] => Some(false),
        _ => None,
    }
}

fn utf8(input: Input, is_high_first: Option<bool>) -> Input {
    match is_high_first {
        Some(is_high_first) => Box::new(BufReader::with_capacity(
            BUFFER_SIZE,
            Utf16 { input, is_high_first, byte: None, high: None, text: Cursor::default() },
        )),
        None => input,
    }
}

struct Unpacked<R> {
    input: R,
    left: u64,
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.left = self.left.checked_sub(count as u64).ok_or_else(|| {
            io::Error::other(format!("the text exceeds the limit of {UNPACKED_LIMIT} bytes unpacked"))
        })?;
        Ok(count)
    }
}

/// Converts UTF-16 to UTF-8; invalid units become U+FFFD.
struct Utf16 {
    input: Input,
    is_high_first: bool,
    /// The first byte of an incomplete UTF-16 unit.
    byte: Option<u8>,
    /// The first unit of an incomplete surrogate pair.
    high: Option<u16>,
    /// The converted text that was not read yet.
    text: Cursor<Vec<u8>>,
}

impl Utf16 {
    fn push(&mut self, c: char) {
        self.text.get_mut().extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    }

    fn push_unit(&mut self, unit: u16) {
        if let Some(high) = self.high.take() {
            match char::decode_utf16([high, unit]).next() {
                Some(Ok(c)) => return self.push(c),
                _ => self.push(char::REPLACEMENT_CHARACTER),
            }
        }
        match char::from_u32(unit.into()) {
            Some(c) => self.push(c),
            None if unit < 0xdc00 => self.high = Some(unit),
            None => self.push(char::REPLACEMENT_CHARACTER),
        }
    }

    /// Converts the buffered input to UTF-8; returns `true` at the end of the input.
    fn fill(&mut self) -> io::Result<bool> {
        self.text.set_position(0);
        self.text.get_mut().clear();
        let bytes = self.input.fill_buf()?.to_vec();
        self.input.consume(bytes.len());
        for &second in &bytes {
            match self.byte.take() {
                None => self.byte = Some(second),
                Some(first) if self.is_high_first => {
                    self.push_unit(u16::from_be_bytes([first, second]));
                }
                Some(first) => self.push_unit(u16::from_le_bytes([first, second])),
            }
        }
        let is_end = bytes.is_empty();
        if is_end && (self.byte.take().is_some() | self.high.take().is_some()) {
            self.push(char::REPLACEMENT_CHARACTER);
        }
        Ok(is_end)
    }
}

impl Read for Utf16 {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.text.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            if self.fill()? && self.text.get_ref().is_empty() {
                return Ok(0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    struct Slow(Cursor<Vec<u8>>);

    impl Read for Slow {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let end = buffer.len().min(1);
            self.0.read(&mut buffer[..end])
        }
    }

    fn decoded(bytes: &[u8]) -> String {
        let mut texts = [String::new(), String::new()];
        let slow: Input = Box::new(BufReader::with_capacity(1, Slow(Cursor::new(bytes.to_vec()))));
        let whole: Input = Box::new(Cursor::new(bytes.to_vec()));
        for (text, input) in texts.iter_mut().zip([slow, whole]) {
            open(input).expect("an input").read_to_string(text).expect("UTF-8");
        }
        assert_eq!(texts[0], texts[1], "in whatever pieces it comes");
        texts[1].clone()
    }

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(bytes).expect("memory");
        packer.finish().expect("memory")
    }

    #[test]
    fn gzip_and_utf16_are_decoded_and_other_texts_stay_unchanged() {
        let text = "12..\n\u{e9}\u{1f600}\n";
        for plain in [text, "", "\u{1f}", "\u{1f}x"] {
            assert_eq!(decoded(plain.as_bytes()), plain);
            assert_eq!(decoded(&packed(plain.as_bytes())), plain);
        }
        let units = |turn: fn(u16) -> [u8; 2]| -> Vec<u8> {
            [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(turn).collect()
        };
        let marked = format!("\u{feff}{text}");
        assert_eq!(decoded(&units(u16::to_le_bytes)), marked);
        assert_eq!(decoded(&units(u16::to_be_bytes)), marked);
        assert_eq!(decoded(&packed(&units(u16::to_le_bytes))), marked);
        assert_eq!(decoded(b"\xff\xfea\0b"), "\u{feff}a\u{fffd}");
        assert_eq!(decoded(b"\xff\xfe\0\xd8a\0"), "\u{feff}\u{fffd}a");
        let two = [packed(b"12"), packed(b"34")].concat();
        assert_eq!(decoded(&two), "1234");
    }

    #[test]
    fn a_truncated_gzip_stream_is_an_error() {
        let whole = packed(&b"1234".repeat(1000));
        let input: Input = Box::new(Cursor::new(whole[..whole.len() - 9].to_vec()));
        let read = open(input).and_then(|mut input| input.read_to_end(&mut Vec::new()));
        assert!(read.is_err());
    }
}
