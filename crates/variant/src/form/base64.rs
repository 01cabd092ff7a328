//! Letters of base64. A letter encodes six bits.

/// The letters that stand for 62 and for 63. The first one of each is written, and all are read.
pub(super) struct Alphabet([&'static [u8]; 2]);

/// The alphabet of compressed texts. Some programs replace a plus sign with a space.
pub(super) const STANDARD: Alphabet = Alphabet([b"+ ", b"/-"]);
/// The alphabet of addresses.
pub(super) const ADDRESS: Alphabet = Alphabet([b"-", b"_"]);
/// The alphabet of addresses; the standard letters are also read.
pub(super) const EITHER: Alphabet = Alphabet([b"-+", b"_/"]);

impl Alphabet {
    /// Returns the six bits of a letter, or `None` for other characters.
    pub(super) fn sextet(&self, letter: u8) -> Option<u8> {
        Some(match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            _ => 62 + self.0.iter().position(|letters| letters.contains(&letter))? as u8,
        })
    }

    /// Returns the letter of six bits.
    pub(super) fn letter(&self, sextet: u8) -> char {
        char::from(match sextet {
            0..26 => b'A' + sextet,
            26..52 => b'a' + sextet - 26,
            52..62 => b'0' + sextet - 52,
            _ => self.0[usize::from(sextet & 1)][0],
        })
    }

    /// Returns the bytes of a text without padding. Up to six bits after the last byte are dropped.
    ///
    /// # Errors
    /// The first character that is no letter of the alphabet.
    pub(super) fn bytes(&self, text: &str) -> Result<Vec<u8>, char> {
        let (mut bytes, mut bits, mut count) = (Vec::with_capacity(text.len() * 3 / 4), 0_u32, 0);
        for letter in text.bytes() {
            bits = bits << 6 | u32::from(self.sextet(letter).ok_or(char::from(letter))?);
            count += 6;
            if count >= 8 {
                count -= 8;
                bytes.push((bits >> count) as u8);
            }
        }
        Ok(bytes)
    }

    /// Returns the letters of bytes, without padding.
    pub(super) fn text(&self, bytes: &[u8]) -> String {
        let three = |bytes: &[u8]| {
            let all = bytes.iter().chain([0, 0].iter()).take(3);
            let bits = all.fold(0_u32, |bits, &byte| bits << 8 | u32::from(byte));
            let letters = [18, 12, 6, 0].map(|shift| self.letter((bits >> shift & 63) as u8));
            letters.into_iter().take(bytes.len() + 1)
        };
        bytes.chunks(3).flat_map(three).collect()
    }
}

/// Appends `=` up to a multiple of four letters.
pub(super) fn pad(text: &mut String) {
    text.extend(std::iter::repeat_n('=', text.len().wrapping_neg() % 4));
}

/// Restores the letters that addresses escape.
pub(super) fn unescaped(text: &str) -> String {
    text.replace("%2B", "+").replace("%2F", "/").replace("%3D", "=")
}
