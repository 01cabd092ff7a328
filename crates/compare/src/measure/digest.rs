//! A digest of a set of solutions, independent of their order.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

use dlx::OptionId;

/// The sum of the hashes of all covers. Each cover is hashed as a sorted list of its options.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Digest {
    sum: u64,
    sorted: Vec<OptionId>,
}

impl Digest {
    pub(super) fn add(&mut self, cover: &[OptionId]) {
        self.sorted.clear();
        self.sorted.extend_from_slice(cover);
        self.sorted.sort_unstable();
        let mut hasher = DefaultHasher::new();
        self.sorted.hash(&mut hasher);
        self.sum = self.sum.wrapping_add(hasher.finish());
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_do_not_depend_on_the_order_of_covers_or_options() {
        let digest = |covers: &[&[usize]]| {
            let mut digest = Digest::default();
            for cover in covers {
                digest.add(&cover.iter().map(|&option| OptionId::new(option)).collect::<Vec<_>>());
            }
            digest.to_string()
        };
        assert_eq!(digest(&[&[1, 2], &[3]]), digest(&[&[3], &[2, 1]]));
        assert_ne!(digest(&[&[1, 2], &[3]]), digest(&[&[1], &[2, 3]]));
        assert_ne!(digest(&[&[1], &[1]]), digest(&[&[1]]));
    }
}
