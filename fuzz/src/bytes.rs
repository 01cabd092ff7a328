//! Draws numbers from bytes, so that a fuzzer that changes the bytes changes the numbers.

/// Bytes that are consumed from the front; endless zeros follow.
#[derive(Clone, Debug)]
pub struct Bytes<'b>(&'b [u8]);

impl<'b> Bytes<'b> {
    /// Starts at the first byte of `bytes`.
    #[must_use]
    pub fn new(bytes: &'b [u8]) -> Self {
        Self(bytes)
    }

    /// Takes a byte.
    pub fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    /// Takes eight bytes as a number.
    pub fn number(&mut self) -> u64 {
        u64::from_le_bytes([(); 8].map(|()| self.byte()))
    }

    /// Takes one or two bytes as a number below `limit`; returns 0 if `limit` is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        let more = if limit > 256 { usize::from(self.byte()) << 8 } else { 0 };
        (usize::from(self.byte()) | more) % limit.max(1)
    }

    /// Takes a byte; returns `true` for one in `times` of its values.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }

    /// Returns the remaining bytes.
    #[must_use]
    pub fn rest(&self) -> &'b [u8] {
        self.0
    }

    /// Returns whether all bytes are consumed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
