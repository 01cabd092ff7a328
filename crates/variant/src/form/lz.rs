//! Compresses and decompresses the texts of links: lz-string in base64.
//!
//! A code stands for a new UTF-16 unit or for an earlier piece of the output. The width of codes
//! grows by one bit each time all codes of a width are used. Source: the format of the JavaScript
//! library lz-string, implemented independently.
//!
//! # Bounds
//! Each code can extend the longest known piece by one unit, so a few thousand letters can expand
//! to 10 million. Reading stops at [`UNITS_MAX`]. Known pieces are stored as positions in the
//! output and take a few bytes per code.

use std::collections::HashMap;

use super::base64::{STANDARD, pad, unescaped};

/// Largest decompressed text, in UTF-16 units (4 MiB).
const UNITS_MAX: usize = 2 << 20;

struct Bits<'t> {
    letters: std::str::Bytes<'t>,
    letter: u8,
    left: u32,
}

impl Bits<'_> {
    /// Reads a number, the least significant bit first.
    fn read(&mut self, count: u32) -> Option<usize> {
        let mut number = 0;
        for place in 0..count {
            if self.left == 0 {
                self.letter = STANDARD.sextet(self.letters.next()?)?;
                self.left = 6;
            }
            self.left -= 1;
            number |= usize::from(self.letter >> self.left & 1) << place;
        }
        Some(number)
    }

    /// Checks that only zeros up to the end of a letter and at most one more letter are left.
    fn check_end(&self) -> Result<(), String> {
        let is_zero = u32::from(self.letter) & ((1 << self.left) - 1) == 0;
        if is_zero && self.letters.clone().all(|letter| letter == b'A') && self.letters.len() <= 1 {
            return Ok(());
        }
        Err("expected the end of a compressed link, found more".to_owned())
    }
}

/// Maximum length of base64 padding (letters). Padding fills the text up to a multiple of 4.
const PADDING_MAX: usize = 3;

#[derive(Default)]
struct WrittenBits {
    text: String,
    letter: u8,
    count: u32,
}

impl WrittenBits {
    /// Writes a number, the least significant bit first.
    fn write(&mut self, number: usize, width: u32) {
        for place in 0..width {
            self.letter = self.letter << 1 | (number >> place & 1) as u8;
            self.count += 1;
            if self.count == 6 {
                self.end_letter();
            }
        }
    }

    fn end_letter(&mut self) {
        self.text.push(STANDARD.letter(self.letter << (6 - self.count)));
        (self.letter, self.count) = (0, 0);
    }
}

/// The codes assigned so far, and their width.
struct KnownTexts {
    /// The code of each known text, keyed by the code of the text without its last unit and by that
    /// unit. The key of a single unit has the code [`ALONE`].
    codes: HashMap<(usize, u16), usize>,
    room: usize,
    width: u32,
    bits: WrittenBits,
}

/// Stands for the code of the empty text before a single unit.
const ALONE: usize = usize::MAX;

impl KnownTexts {
    fn count_down(&mut self) {
        self.room -= 1;
        if self.room == 0 {
            self.room = 1 << self.width;
            self.width += 1;
        }
    }

    /// Writes a code. At the first occurrence of a unit, writes the unit itself.
    fn emit(&mut self, code: usize, fresh: Option<u16>) {
        let Some(unit) = fresh else {
            self.bits.write(code, self.width);
            return self.count_down();
        };
        let is_long = unit > 0xff;
        self.bits.write(usize::from(is_long), self.width);
        self.bits.write(usize::from(unit), if is_long { 16 } else { 8 });
        self.count_down();
        self.count_down();
    }
}

pub(super) fn compress(text: &str) -> String {
    let bits = WrittenBits::default();
    let mut known = KnownTexts { codes: HashMap::new(), room: 2, width: 2, bits };
    let mut next = 3;
    // The longest known text that matches so far. If it is a single unit that was never written,
    // also that unit.
    let mut current: Option<(usize, Option<u16>)> = None;
    for unit in text.encode_utf16() {
        let alone = known.codes.get(&(ALONE, unit)).copied();
        let alone = alone.map_or_else(
            || {
                known.codes.insert((ALONE, unit), next);
                next += 1;
                (next - 1, Some(unit))
            },
            |code| (code, None),
        );
        let Some((code, fresh)) = current else {
            current = Some(alone);
            continue;
        };
        if let Some(&longer) = known.codes.get(&(code, unit)) {
            current = Some((longer, None));
            continue;
        }
        known.emit(code, fresh);
        known.codes.insert((code, unit), next);
        next += 1;
        current = Some(alone);
    }
    if let Some((code, fresh)) = current {
        known.emit(code, fresh);
    }
    known.bits.write(2, known.width);
    known.bits.write(0, 1);
    if known.bits.count > 0 {
        known.bits.end_letter();
    }
    let mut text = known.bits.text;
    pad(&mut text);
    text
}

#[derive(Clone, Copy)]
enum KnownUnits {
    Unit(u16),
    Written { start: usize, len: usize },
}

pub(super) fn decompress(text: &str) -> Result<String, String> {
    let units = units(&unescaped(text))?;
    String::from_utf16(&units).map_err(|_| "expected a text, found units that are none".to_owned())
}

fn units(text: &str) -> Result<Vec<u16>, String> {
    let cut = || "expected a compressed text, found one that is cut or broken".to_owned();
    let letters = text.trim_end_matches(['=', '$']);
    if text.len() - letters.len() > PADDING_MAX {
        return Err("expected the end of a compressed link, found more".to_owned());
    }
    let mut bits = Bits { letters: letters.bytes(), letter: 0, left: 0 };
    let mut known: Vec<KnownUnits> = vec![KnownUnits::Unit(0); 3];
    let mut units: Vec<u16> = Vec::new();
    // The number of unassigned codes of the current width.
    let (mut room, mut width) = (1_usize, 2);
    let mut before: Option<(usize, usize)> = None;
    loop {
        let mut code = bits.read(width).ok_or_else(cut)?;
        match code {
            0 | 1 => {
                let unit = bits.read(if code == 0 { 8 } else { 16 }).ok_or_else(cut)?;
                code = known.len();
                known.push(KnownUnits::Unit(unit as u16));
                room -= 1;
            }
            2 => return bits.check_end().map(|()| units),
            _ => {}
        }
        if room == 0 {
            room = 1 << width;
            width += 1;
        }
        let start = units.len();
        match known.get(code).copied() {
            Some(KnownUnits::Unit(unit)) => units.push(unit),
            Some(KnownUnits::Written { start, len }) => units.extend_from_within(start..start + len),
            // The code is the next one to be assigned. It stands for the previous text followed by
            // the first unit of that text.
            None if code == known.len() => {
                let (start, len) = before.ok_or_else(cut)?;
                units.extend_from_within(start..start + len);
                units.push(units[start]);
            }
            None => return Err(cut()),
        }
        if units.len() > UNITS_MAX {
            return Err(format!("expected at most {UNITS_MAX} characters, found a link of more"));
        }
        if let Some((start, len)) = before {
            known.push(KnownUnits::Written { start, len: len + 1 });
            room -= 1;
            if room == 0 {
                room = 1 << width;
                width += 1;
            }
        }
        before = Some((start, units.len() - start));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_link_decompresses_to_its_json() {
        let link = "N4IgzglgXgpiBcAWANCA5gJwgEwQbT1ADcBDAGwFc54BGVNCImAOwQBcMqBfZYHv3lwC6yQv3GCRYwTL5SBC8UJEgA1hDJkYGAMYk01QiB0xNYfCABKAJgDCNEKhu3rIFaUrUQAVhDDUbAAW2gC2APYhMGza+KBkEMww5vAEVoj2jmkumZbpAMxuQsJcQA==";
        let expected = r#"{"size":4,"grid":[[{"value":1,"given":true},{},{},{}],[{},{},{},{}],[{},{},{},{}],[{},{},{},{}]],"killercage":[{"cells":["R2C1","R2C2"],"value":"5"}],"thermometer":[{"lines":[["R4C1","R4C2","R4C3"]]}]}"#;
        assert_eq!(decompress(link).as_deref(), Ok(expected));
        assert_eq!(compress(expected), link);
        for end in 0..link.len() - 4 {
            assert!(decompress(&link[..end]).is_err(), "{end}");
        }
        assert!(decompress("N4I!").is_err());
    }

    #[test]
    fn decompression_inverts_compression() {
        let mut random = fastrand::Rng::with_seed(2);
        for _ in 0..2000 {
            let letters = ['a', 'b', '"', '\u{e9}', '\u{3b1}', '\u{1f600}'];
            let most = random.usize(1..=letters.len());
            let text: String =
                (0..random.usize(..300)).map(|_| letters[random.usize(..most)]).collect();
            assert_eq!(decompress(&compress(&text)), Ok(text));
        }
    }

    #[test]
    fn no_letters_make_decompression_panic_or_exceed_its_bound() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..20_000 {
            let text: String = (0..random.usize(..80)).map(|_| random.alphanumeric()).collect();
            let _ = decompress(&text);
        }
        // After `x`, each code is the next one to be assigned, so each text is one unit longer than
        // the previous text.
        let mut bits = vec![];
        let mut push =
            |number: usize, width: u32| bits.extend((0..width).map(|place| number >> place & 1));
        push(0, 2);
        push(usize::from(b'x'), 8);
        let (mut known, mut room, mut width) = (4, 4, 3);
        for _ in 0..3000 {
            push(known, width);
            known += 1;
            room -= 1;
            if room == 0 {
                room = 1 << width;
                width += 1;
            }
        }
        let sextet =
            |six: &[usize]| (0..).zip(six).map(|(place, bit)| (bit << (5 - place)) as u8).sum();
        let text: String = bits.chunks(6).map(|six| STANDARD.letter(sextet(six))).collect();
        let error = decompress(&text).unwrap_err();
        assert_eq!(error, format!("expected at most {UNITS_MAX} characters, found a link of more"));
    }
}
