//! The bytes of a block of states: a head, then the states, each as a key and a count of covers.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `farblock` |
//! | 4 | the format version, [`FORMAT`] |
//! | 32 | the digest of the plan |
//! | 4, 4 | the step, the owner |
//! | 4, 4 | bytes per key, bytes per count |
//! | 8 | the number of states, at least 1 |
//! | 8 | the fingerprint of the states (`fingerprint.rs`) |
//! | 8 | the first bytes of the SHA-256 digest of all bytes above |
//!
//! Keys ascend. Keys are big-endian, so that they compare as bytes; all other numbers are
//! little-endian. Counts are not 0. The largest count of a block determines the bytes per count, so
//! equal states have equal bytes.

use sha2::{Digest as _, Sha256};

use super::ExchangeError;
use super::fingerprint::{Fingerprint, balance, little};
use crate::numbers::limbs;

/// The version of the block format; blocks of other versions are rejected.
pub const FORMAT: u32 = 1;
const MAGIC: &[u8; 8] = b"farblock";
const CHECKED: usize = 76;

/// The head of a block of states.
///
/// A [`BlockLedger`](crate::exchange::BlockLedger) needs only heads, so whoever transfers blocks
/// need not keep them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct BlockHead {
    /// The digest of the plan that the block belongs to.
    pub digest: [u8; 32],
    /// The step of the states in the block.
    pub step: u32,
    /// The owner of the states in the block, 0-based.
    pub owner: u32,
    /// Bytes per key.
    pub key_bytes: u32,
    /// Bytes per count.
    pub number_bytes: u32,
    /// The number of states.
    pub states: u64,
    /// The fingerprint of the states, a sum that is independent of their division into blocks.
    pub fingerprint: u64,
}

impl BlockHead {
    /// The length of the head in bytes.
    pub const BYTES: usize = 84;

    /// Returns the length of the block in bytes, including this head.
    #[must_use]
    pub fn block_bytes(&self) -> u64 {
        let state = u64::from(self.key_bytes) + u64::from(self.number_bytes);
        self.states.saturating_mul(state).saturating_add(Self::BYTES as u64)
    }

    /// Returns a combined head of this block and another block of the same step and owner. A
    /// [`BlockLedger`](crate::exchange::BlockLedger) accepts the combined head in place of both
    /// heads.
    #[must_use]
    pub fn and(self, other: &Self) -> Self {
        Self {
            number_bytes: self.number_bytes.max(other.number_bytes),
            states: self.states.saturating_add(other.states),
            fingerprint: balance(self.fingerprint, other.fingerprint, 0),
            ..self
        }
    }

    /// Reads the head at the start of a block, and ignores the bytes after it.
    ///
    /// # Errors
    /// If the bytes do not start with a valid head.
    pub fn read(block: &[u8]) -> Result<Self, ExchangeError> {
        let wrong = |message: String| Err(ExchangeError::Block(message));
        let Some(head) = block.first_chunk::<{ Self::BYTES }>() else {
            return wrong(format!(
                "expected a block, which has {} bytes at least, found {}",
                Self::BYTES,
                block.len()
            ));
        };
        if !head.starts_with(MAGIC) {
            let (expected, found) = (MAGIC.escape_ascii(), head[..8].escape_ascii());
            return wrong(format!("expected a block, which begins with `{expected}`, found `{found}`"));
        }
        let number = |at: usize| u32::from_le_bytes(std::array::from_fn(|byte| head[at + byte]));
        let format = number(8);
        if format != FORMAT {
            return wrong(format!("expected a block of format {FORMAT}, found `{format}`"));
        }
        let (expected, found) = (check_of(&head[..CHECKED]), little(&head[CHECKED..]));
        if expected != found {
            return wrong(format!(
                "expected the check {expected:016x} at the end of the head, found `{found:016x}`: the block was changed"
            ));
        }
        let head = Self {
            digest: std::array::from_fn(|byte| head[12 + byte]),
            step: number(44),
            owner: number(48),
            key_bytes: number(52),
            number_bytes: number(56),
            states: little(&head[60..68]),
            fingerprint: little(&head[68..76]),
        };
        if head.states == 0 || head.number_bytes == 0 {
            return wrong(format!(
                "expected a block with states and numbers, found {} states with numbers of {} bytes",
                head.states, head.number_bytes
            ));
        }
        Ok(head)
    }

    /// Returns the bytes of the head.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = Vec::with_capacity(Self::BYTES);
        bytes.extend_from_slice(MAGIC);
        bytes.extend(FORMAT.to_le_bytes());
        bytes.extend(self.digest);
        for number in [self.step, self.owner, self.key_bytes, self.number_bytes] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.states.to_le_bytes());
        bytes.extend(self.fingerprint.to_le_bytes());
        bytes.extend(check_of(&bytes).to_le_bytes());
        bytes.try_into().expect("a head has so many bytes")
    }

    pub(super) fn check(&self, block: &[u8]) -> Result<(), ExchangeError> {
        let wrong = |message: String| Err(ExchangeError::Block(message));
        if block.len() as u64 != self.block_bytes() {
            return wrong(format!(
                "expected {} states in {} bytes, found a block of {}",
                self.states,
                self.block_bytes(),
                block.len()
            ));
        }
        let (key_bytes, number_bytes) = (self.key_bytes as usize, self.number_bytes as usize);
        let mut print = Fingerprint::default();
        let (mut last, mut highest): (Option<&[u8]>, u8) = (None, 0);
        for (place, state) in block[Self::BYTES..].chunks_exact(key_bytes + number_bytes).enumerate() {
            let (key, number) = state.split_at(key_bytes);
            if last.is_some_and(|last| key <= last) {
                return wrong(format!(
                    "expected keys that ascend, found one that does not at state {place}"
                ));
            }
            if number.iter().all(|&byte| byte == 0) {
                return wrong(format!("expected numbers above 0, found a 0 at state {place}"));
            }
            highest |= number[number_bytes - 1];
            print.add(key, number);
            last = Some(key);
        }
        if highest == 0 {
            return wrong(format!("expected numbers of as few bytes as can be, found {number_bytes}"));
        }
        if print.value() != self.fingerprint {
            return wrong(format!(
                "expected states with the fingerprint {:016x}, found `{:016x}`: the block was changed",
                self.fingerprint,
                print.value()
            ));
        }
        Ok(())
    }
}

fn check_of(bytes: &[u8]) -> u64 {
    little(&Sha256::digest(bytes)[..8])
}

/// A block to be delivered to its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SentBlock {
    /// The head of the block.
    pub head: BlockHead,
    /// All bytes of the block, including the head.
    pub bytes: Vec<u8>,
    /// Whether the block starts a new sorted list, instead of continuing the list of the previous
    /// block.
    pub begins_list: bool,
}

#[derive(Debug)]
pub(crate) struct BlockBuilder {
    keys: Vec<u8>,
    numbers: Vec<u64>,
    limbs: usize,
    states: usize,
    number_bytes: usize,
    /// Whether the next block continues the list of the previous one.
    goes_on: bool,
}

impl BlockBuilder {
    pub(crate) fn new() -> Self {
        Self {
            keys: Vec::new(),
            numbers: Vec::new(),
            limbs: 1,
            states: 0,
            number_bytes: 0,
            goes_on: false,
        }
    }

    pub(crate) fn begin(&mut self) {
        self.goes_on = false;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.states == 0
    }

    /// Adds a state. The count of the state must not be 0, and has the lowest limb first.
    #[inline]
    pub(crate) fn push(&mut self, key: &[u8], number: &[u64]) {
        let len = number.iter().rposition(|&limb| limb > 0).map_or(0, |place| place + 1);
        let highest = number[..len].last().expect("the number of a state is not 0");
        let bytes = 8 * len - highest.leading_zeros() as usize / 8;
        self.number_bytes = self.number_bytes.max(bytes);
        while self.limbs < len {
            limbs::widen(&mut self.numbers, self.limbs);
            self.limbs += 1;
        }
        self.keys.extend_from_slice(key);
        self.numbers.extend_from_slice(&number[..len]);
        self.numbers.resize(self.numbers.len() + self.limbs - len, 0);
        self.states += 1;
    }

    pub(crate) fn block_bytes(&self) -> usize {
        BlockHead::BYTES + self.keys.len() + self.states * self.number_bytes
    }

    /// Returns the block, and starts the next block of the same list.
    pub(crate) fn finish(&mut self, digest: &[u8; 32], step: u32, owner: u32) -> SentBlock {
        let key_bytes = self.keys.len() / self.states.max(1);
        let mut block = Vec::with_capacity(self.block_bytes());
        block.resize(BlockHead::BYTES, 0);
        let mut print = Fingerprint::default();
        for (place, number) in self.numbers.chunks_exact(self.limbs).enumerate() {
            let start = block.len();
            block.extend_from_slice(&self.keys[place * key_bytes..(place + 1) * key_bytes]);
            let mut left = self.number_bytes;
            for limb in number {
                block.extend_from_slice(&limb.to_le_bytes()[..left.min(8)]);
                left -= left.min(8);
            }
            let (key, number) = block[start..].split_at(key_bytes);
            print.add(key, number);
        }
        let head = BlockHead {
            digest: *digest,
            step,
            owner,
            key_bytes: key_bytes as u32,
            number_bytes: self.number_bytes as u32,
            states: self.states as u64,
            fingerprint: print.value(),
        };
        block[..BlockHead::BYTES].copy_from_slice(&head.to_bytes());
        self.keys.clear();
        self.numbers.clear();
        (self.limbs, self.states, self.number_bytes) = (1, 0, 0);
        SentBlock { head, bytes: block, begins_list: !std::mem::replace(&mut self.goes_on, true) }
    }
}
