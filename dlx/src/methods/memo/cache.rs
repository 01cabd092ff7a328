//! A hash table of counts with exact keys and bounded memory.
//!
//! A key is stored within [`WINDOW`] slots from its hash, and compared in full. If these slots are
//! taken, or the memory limit is reached, the entry whose count was cheapest to compute is evicted.
//! An evicted count is computed again, so no result changes.

use num_bigint::BigUint;

use super::number::Number;
use crate::numbers::hash;

const WINDOW: usize = 8;
const SLOTS_MIN: usize = 1 << 10;

const EMPTY: u64 = 0;
const COST_BITS: u32 = 6;
const LARGE: u64 = 1 << COST_BITS;
const PAYLOAD_SHIFT: u32 = COST_BITS + 1;

#[derive(Debug)]
pub(super) struct Cache {
    stride: usize,
    slots: Vec<u64>,
    /// Number of slots that keys hash to, a power of two. The table has `WINDOW - 1` more slots.
    room: usize,
    len: usize,
    bytes_max: usize,
    large: Vec<BigUint>,
    large_bytes: usize,
    free: Vec<u32>,
}

pub(super) struct Found {
    pub(super) count: Number,
    pub(super) nodes: f64,
}

impl Cache {
    pub(super) fn new(words: usize) -> Self {
        let mut cache = Self {
            stride: words + 1,
            slots: Vec::new(),
            room: 0,
            len: 0,
            bytes_max: 0,
            large: Vec::new(),
            large_bytes: 0,
            free: Vec::new(),
        };
        cache.make_room(SLOTS_MIN);
        cache
    }

    fn make_room(&mut self, room: usize) {
        self.slots = vec![EMPTY; (room + WINDOW - 1) * self.stride];
        self.room = room;
        self.len = 0;
    }

    pub(super) fn words(&self) -> usize {
        self.stride - 1
    }

    pub(super) fn each(&self, mut visit: impl FnMut(&[u64], Found)) {
        for slot in self.slots.chunks_exact(self.stride).filter(|slot| slot[0] != EMPTY) {
            visit(&slot[1..], self.found(slot[0]));
        }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes_of(self.room) + self.large_bytes
    }

    fn bytes_of(&self, room: usize) -> usize {
        (room + WINDOW - 1) * self.stride * size_of::<u64>()
    }

    pub(super) fn limit(&mut self, bytes: usize) {
        self.bytes_max = bytes;
        let mut room = self.room;
        while room > WINDOW && self.bytes_of(room) + self.large_bytes > bytes {
            room /= 2;
        }
        if room < self.room {
            self.resize(room);
        }
    }

    fn resize(&mut self, room: usize) {
        let slots = std::mem::take(&mut self.slots);
        self.make_room(room);
        for slot in slots.chunks_exact(self.stride).filter(|slot| slot[0] != EMPTY) {
            self.put(&slot[1..], slot[0]);
        }
    }

    #[inline]
    fn first(&self, key: &[u64]) -> usize {
        (hash(key) as usize & (self.room - 1)) * self.stride
    }

    #[inline]
    pub(super) fn get(&self, key: &[u64]) -> Option<Found> {
        debug_assert_eq!(key.len() + 1, self.stride, "the keys of a cache are alike");
        let first = self.first(key);
        let window = &self.slots[first..][..WINDOW * self.stride];
        let mut at = 0;
        while at < window.len() && window[at] != EMPTY {
            let slot = &window[at + 1..][..key.len()];
            let mut word = 0;
            while word < key.len() && slot[word] == key[word] {
                word += 1;
            }
            if word == key.len() {
                return Some(self.found(window[at]));
            }
            at += self.stride;
        }
        None
    }

    #[inline]
    fn found(&self, word: u64) -> Found {
        let payload = word >> PAYLOAD_SHIFT;
        let count = if word & LARGE == 0 {
            Number::Small(payload)
        } else {
            self.large[payload as usize].clone().into()
        };
        Found { count, nodes: f64::from_bits((1022 + cost(word)) << 52) }
    }

    pub(super) fn insert(&mut self, key: &[u64], count: &Number, nodes: u64) {
        // While the table grows, its old slots are held too.
        if self.len * 8 > self.room * 5 && self.bytes_of(self.room * 2) + self.bytes() <= self.bytes_max
        {
            self.resize(self.room * 2);
        }
        let cost = u64::from(nodes.max(1).ilog2()).min(LARGE - 2) + 1;
        let word = match count {
            &Number::Small(count) if count >> (64 - PAYLOAD_SHIFT) == 0 => {
                count << PAYLOAD_SHIFT | cost
            }
            large => {
                let count = large.to_big();
                let bytes = size_of_val(&count) + count.bits() as usize / 8 + 16;
                if self.bytes() + bytes > self.bytes_max {
                    return;
                }
                self.large_bytes += bytes;
                let place = self.free.pop().unwrap_or(self.large.len() as u32);
                match self.large.get_mut(place as usize) {
                    Some(free) => *free = count,
                    None => self.large.push(count),
                }
                u64::from(place) << PAYLOAD_SHIFT | LARGE | cost
            }
        };
        self.put(key, word);
    }

    fn put(&mut self, key: &[u64], word: u64) {
        let first = self.first(key);
        let (mut best, mut old) = (first, self.slots[first]);
        for at in 1..WINDOW {
            let word = self.slots[first + at * self.stride];
            if cost(word) < cost(old) {
                (best, old) = (first + at * self.stride, word);
            }
        }
        if cost(old) > cost(word) + 8 {
            return self.drop_large(word);
        }
        self.slots[best] = word;
        self.slots[best + 1..][..key.len()].copy_from_slice(key);
        self.len += usize::from(old == EMPTY);
        self.drop_large(old);
    }

    fn drop_large(&mut self, word: u64) {
        if word & LARGE != 0 {
            let place = word >> PAYLOAD_SHIFT;
            let count = std::mem::take(&mut self.large[place as usize]);
            self.large_bytes -= size_of_val(&count) + count.bits() as usize / 8 + 16;
            self.free.push(place as u32);
        }
    }
}

fn cost(word: u64) -> u64 {
    word & (LARGE - 1)
}
