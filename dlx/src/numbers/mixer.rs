//! Fast hashes of keys made of words, for hash tables whose order of iteration does not matter.

use std::hash::Hasher;

/// The hash of an empty key, so that words of zeros change the hash.
const EMPTY: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns the hash of a key. Its highest and its lowest bits depend on all words. The owner of a
/// state in an exchange depends on it, so a change needs a new format of plans.
#[inline(always)]
pub(crate) fn hash(key: &[u64]) -> u64 {
    key.iter().fold(EMPTY, |hash, &word| combine(hash, word))
}

#[inline(always)]
fn combine(hash: u64, word: u64) -> u64 {
    let product = u128::from(hash ^ word) * 0xd6e8_feb8_6659_fd93;
    product as u64 ^ (product >> 64) as u64 ^ hash.rotate_left(23)
}

#[derive(Debug)]
pub(crate) struct Mixer(u64);

impl Default for Mixer {
    fn default() -> Self {
        Self(EMPTY)
    }
}

impl Mixer {
    fn add(&mut self, word: u64) {
        self.0 = combine(self.0, word);
    }
}

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(word));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.add(u64::from(number));
    }

    fn write_usize(&mut self, number: usize) {
        self.add(number as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
