//! The fingerprint of a set of states: detects missing or changed states, independent of the
//! division into blocks.
//!
//! A key is hashed to a residue modulo the prime 2^61 - 1. The fingerprint is the sum over all
//! states of this residue times the count of the state. So the fingerprints of blocks add up to the
//! fingerprint of the merged block. A missing, duplicated or changed state goes undetected with
//! probability about 2^-61.

const PRIME: u64 = (1 << 61) - 1;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fingerprint(u64);

impl Fingerprint {
    #[inline]
    pub(super) fn add(&mut self, key: &[u8], number: &[u8]) {
        let term = u128::from(spread(key)) * u128::from(residue(number));
        self.0 = balance(self.0, reduce(term), 0);
    }

    pub(super) fn value(self) -> u64 {
        self.0
    }
}

/// Returns `sum` + `more` - `less` modulo [`PRIME`].
pub(crate) fn balance(sum: u64, more: u64, less: u64) -> u64 {
    reduce(u128::from(sum) + u128::from(more % PRIME) + u128::from(PRIME - less % PRIME))
}

pub(crate) fn settled(sum: u64) -> bool {
    sum.is_multiple_of(PRIME)
}

#[inline]
fn reduce(number: u128) -> u64 {
    let sum = (number as u64 & PRIME) + (number >> 61) as u64;
    if sum >= PRIME { sum - PRIME } else { sum }
}

#[inline]
fn residue(number: &[u8]) -> u64 {
    // 2^64 is congruent to 8 modulo 2^61 - 1.
    let mut residue = 0;
    for limb in number.chunks(8).rev() {
        residue = reduce(u128::from(residue) * 8 + u128::from(little(limb)));
    }
    residue
}

#[inline]
pub(super) fn little(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

#[inline]
pub(super) fn big(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[8 - bytes.len()..].copy_from_slice(bytes);
    u64::from_be_bytes(word)
}

/// Hashes a key to a nonzero residue. The result is part of the block format, so a change of the
/// hash needs a new format version.
#[inline]
fn spread(key: &[u8]) -> u64 {
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        product as u64 ^ (product >> 64) as u64
    };
    let hash = key.chunks(8).fold(0x9e37_79b9_7f4a_7c15_u64, |hash, word| {
        fold(hash ^ big(word), 0xd6e8_feb8_6659_fd93) ^ hash.rotate_left(23)
    });
    1 + hash % (PRIME - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_of_blocks_add_up_to_the_fingerprint_of_all_their_states() {
        let states: [(&[u8], &[u8]); 3] =
            [(&[1, 2, 3], &[5]), (&[1, 2, 4], &[255; 20]), (&[], &[7, 1])];
        let of = |places: &[usize]| {
            let mut print = Fingerprint::default();
            places.iter().for_each(|&place| print.add(states[place].0, states[place].1));
            print.value()
        };
        assert_eq!(balance(of(&[0]), of(&[1, 2]), 0), of(&[2, 1, 0]));
        assert!(settled(balance(of(&[0, 1]), 0, balance(of(&[1]), of(&[0]), 0))));
        assert!(!settled(balance(of(&[0, 1]), 0, of(&[1]))));
        let mut ten = Fingerprint::default();
        ten.add(&[1, 2, 3], &[10]);
        assert_eq!(of(&[0, 0]), ten.value());
        assert_eq!(residue(&[0, 0, 0, 0, 0, 0, 0, 0, 1]), 8);
        assert_eq!(residue(&(PRIME + 3).to_le_bytes()), 3);
    }

    #[test]
    fn the_key_hash_matches_the_block_format() {
        assert_eq!((spread(&[]), spread(&[1])), (SPREAD_OF_NOTHING, SPREAD_OF_ONE));
    }

    /// If these values change, [`FORMAT`](super::super::FORMAT) must change too.
    const SPREAD_OF_NOTHING: u64 = 2_177_342_782_468_422_686;
    const SPREAD_OF_ONE: u64 = 1_030_435_151_881_763_228;
}
