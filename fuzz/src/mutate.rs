//! Random changes of bytes, of the kinds that fuzzers usually make, and insertions of dictionary
//! words.

use dlx::Random;

/// Source of random changes; the same seed gives the same changes.
#[derive(Clone, Debug)]
pub struct Mutator(Random);

impl Mutator {
    /// Builds a mutator from a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Random::new(seed))
    }

    /// Draws a number below `limit`; returns 0 if `limit` is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.0.next_u64() >> 16) as usize % limit.max(1)
    }

    /// Returns `input` with one to six changes.
    pub fn mutate(&mut self, input: &[u8], words: &[&[u8]]) -> Vec<u8> {
        let mut bytes = input.to_vec();
        for _ in 0..1 + self.below(6) {
            let place = self.below(bytes.len() + 1);
            let end = place + self.below((bytes.len() - place).min(24) + 1);
            match self.below(8) {
                0 => drop(bytes.drain(place..end)),
                1 if place < bytes.len() => bytes[place] = self.0.next_u64() as u8,
                2 if place < bytes.len() => bytes[place] ^= 1 << self.below(8),
                3 => {
                    let part = bytes[place..end].to_vec();
                    let to = self.below(bytes.len() + 1);
                    bytes.splice(to..to, part);
                }
                4 if place < bytes.len() => {
                    let other = self.below(bytes.len());
                    bytes.swap(place, other);
                }
                5 | 6 if !words.is_empty() => {
                    let word = words[self.below(words.len())];
                    let replaced = if self.below(2) == 0 { place..place } else { place..end };
                    bytes.splice(replaced, word.iter().copied());
                }
                _ => bytes.insert(place, self.0.next_u64() as u8),
            }
        }
        bytes
    }
}
