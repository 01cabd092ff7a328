//! Merges lists of states in ascending order of keys, adding the counts of equal keys.
//!
//! A heap holds the lists by their next key. Keys are compared by their first eight bytes, and by
//! the rest only if these are equal.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::fingerprint::{big, little};
use super::{BlockHead, ExchangeError};

/// Blocks of one step and owner that form one sorted list: each block starts with a larger key than
/// the last key of the previous block.
pub type BlockRun<'r> = Box<dyn Iterator<Item = Result<Cow<'r, [u8]>, String>> + 'r>;

/// The plan, step, owner and key length that a block must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    pub(crate) digest: [u8; 32],
    pub(crate) step: u32,
    pub(crate) owner: u32,
    pub(crate) key_bytes: usize,
}

impl Origin {
    /// Reads the head of a block, which must match this origin.
    pub(crate) fn head(&self, block: &[u8]) -> Result<BlockHead, ExchangeError> {
        let head = BlockHead::read(block)?;
        let found = Self {
            digest: head.digest,
            step: head.step,
            owner: head.owner,
            key_bytes: head.key_bytes as usize,
        };
        if found == *self {
            return Ok(head);
        }
        let message = if found.digest != self.digest {
            return Err(foreign(&self.digest, &found.digest));
        } else if (found.step, found.owner) != (self.step, self.owner) {
            let (step, owner) = (found.step, found.owner);
            format!(
                "expected a block of step {} and owner {}, found one of step {step} and owner {owner}",
                self.step, self.owner
            )
        } else {
            format!("expected keys of {} bytes, found {}", self.key_bytes, found.key_bytes)
        };
        Err(ExchangeError::Block(message))
    }
}

pub(crate) fn foreign(expected: &[u8; 32], found: &[u8; 32]) -> ExchangeError {
    let [expected, found] = [expected, found].map(|digest| big(&digest[..8]));
    ExchangeError::Block(format!(
        "expected a block of the plan {expected:016x}, found one of `{found:016x}`: another problem, or another version"
    ))
}

struct StateList<'r> {
    run: BlockRun<'r>,
    block: Cow<'r, [u8]>,
    place: usize,
    state_bytes: usize,
    first: u64,
}

impl<'r> StateList<'r> {
    fn open(&mut self, origin: &Origin) -> Result<bool, ExchangeError> {
        let Some(block) = self.run.next() else { return Ok(false) };
        self.go_to(block.map_err(ExchangeError::Carrier)?, origin)?;
        Ok(true)
    }

    fn go_to(&mut self, block: Cow<'r, [u8]>, origin: &Origin) -> Result<(), ExchangeError> {
        let head = origin.head(&block)?;
        head.check(&block)?;
        let first = &block[BlockHead::BYTES..][..origin.key_bytes];
        if !self.block.is_empty() {
            let last = &self.block[self.block.len() - self.state_bytes..][..origin.key_bytes];
            if first <= last {
                let message =
                    "expected blocks of a list whose keys ascend, found one that begins too low";
                return Err(ExchangeError::Block(message.to_owned()));
            }
        }
        self.first = big(&first[..origin.key_bytes.min(8)]);
        self.place = BlockHead::BYTES;
        self.state_bytes = head.key_bytes as usize + head.number_bytes as usize;
        self.block = block;
        Ok(())
    }

    #[inline]
    fn advance(&mut self, origin: &Origin) -> Result<bool, ExchangeError> {
        self.place += self.state_bytes;
        if self.place == self.block.len() {
            return self.open(origin);
        }
        self.first = big(&self.block[self.place..][..origin.key_bytes.min(8)]);
        Ok(true)
    }

    #[inline]
    fn key(&self, key_bytes: usize) -> &[u8] {
        &self.block[self.place..][..key_bytes]
    }

    #[inline]
    fn number(&self, key_bytes: usize) -> &[u8] {
        &self.block[self.place + key_bytes..self.place + self.state_bytes]
    }
}

pub(crate) struct MergedStates<'r> {
    origin: Origin,
    lists: Vec<StateList<'r>>,
    /// A binary heap of the lists that have states left, ordered by next key.
    heap: Vec<u32>,
    key: Vec<u8>,
    number: Vec<u64>,
}

impl<'r> MergedStates<'r> {
    pub(crate) fn new(origin: Origin) -> Self {
        Self { origin, lists: Vec::new(), heap: Vec::new(), key: Vec::new(), number: Vec::new() }
    }

    /// Adds a list whose first block is `first`. An error concerns `first`, because no other block
    /// is read.
    pub(crate) fn add(
        &mut self,
        first: Cow<'r, [u8]>,
        rest: BlockRun<'r>,
    ) -> Result<(), ExchangeError> {
        let block = Cow::Borrowed(&[][..]);
        let mut list = StateList { run: rest, block, place: 0, state_bytes: 0, first: 0 };
        list.go_to(first, &self.origin)?;
        self.heap.push(self.lists.len() as u32);
        self.lists.push(list);
        self.rise(self.heap.len() - 1);
        Ok(())
    }

    pub(crate) fn origin(&self) -> &Origin {
        &self.origin
    }

    pub(crate) fn advance(&mut self) -> Result<bool, ExchangeError> {
        let key_bytes = self.origin.key_bytes;
        let Some(&first) = self.heap.first() else { return Ok(false) };
        let list = &self.lists[first as usize];
        let least = list.first;
        self.key.clear();
        self.key.extend_from_slice(list.key(key_bytes));
        self.number.clear();
        while let Some(&first) = self.heap.first() {
            let list = &mut self.lists[first as usize];
            if list.first != least || key_bytes > 8 && list.key(key_bytes) != self.key {
                break;
            }
            add(&mut self.number, list.number(key_bytes));
            if !list.advance(&self.origin)? {
                list.block = Cow::Borrowed(&[]);
                self.heap.swap_remove(0);
            }
            self.sink(0);
        }
        Ok(true)
    }

    pub(crate) fn key(&self) -> &[u8] {
        &self.key
    }

    pub(crate) fn number(&self) -> &[u64] {
        &self.number
    }

    #[inline]
    fn compare(&self, one: u32, other: u32) -> Ordering {
        let [one, other] = [one, other].map(|list| &self.lists[list as usize]);
        one.first.cmp(&other.first).then_with(|| {
            let key_bytes = self.origin.key_bytes;
            if key_bytes > 8 { one.key(key_bytes).cmp(other.key(key_bytes)) } else { Ordering::Equal }
        })
    }

    fn rise(&mut self, mut place: usize) {
        while place > 0 {
            let parent = (place - 1) / 2;
            if self.compare(self.heap[parent], self.heap[place]).is_le() {
                return;
            }
            self.heap.swap(parent, place);
            place = parent;
        }
    }

    #[inline]
    fn sink(&mut self, mut place: usize) {
        loop {
            let mut child = 2 * place + 1;
            let Some(&left) = self.heap.get(child) else { return };
            if let Some(&right) = self.heap.get(child + 1)
                && self.compare(right, left).is_lt()
            {
                child += 1;
            }
            if self.compare(self.heap[place], self.heap[child]).is_le() {
                return;
            }
            self.heap.swap(place, child);
            place = child;
        }
    }
}

/// Adds a little-endian number to `sum`, whose highest limb is not 0.
#[inline]
fn add(sum: &mut Vec<u64>, more: &[u8]) {
    let mut carry = false;
    for (place, limb) in more.chunks(8).map(little).enumerate() {
        if place == sum.len() {
            sum.push(0);
        }
        let (total, is_over) = sum[place].overflowing_add(limb);
        let (total, is_over_again) = total.overflowing_add(u64::from(carry));
        sum[place] = total;
        carry = is_over || is_over_again;
    }
    let mut place = more.len().div_ceil(8);
    while carry {
        if place == sum.len() {
            sum.push(0);
        }
        (sum[place], carry) = sum[place].overflowing_add(1);
        place += 1;
    }
    while sum.last() == Some(&0) {
        sum.pop();
    }
}
