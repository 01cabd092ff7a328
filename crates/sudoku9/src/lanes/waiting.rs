//! Packs of waiting branches of the lanes, and a pool of reusable items.

use super::branch::Bundle;
use crate::model::board::Board;

/// The second branch of a guess, stored at index `place` of a pack.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    pub(super) task: usize,
    pub(super) pack: usize,
    pub(super) place: usize,
}

#[derive(Debug)]
pub(super) struct Pack {
    pub(super) bundle: Box<Bundle>,
    pub(super) waiting: usize,
}

impl Pack {
    pub(super) fn board(&self, place: usize) -> Board {
        Board(std::array::from_fn(|row| self.bundle[row][place]))
    }
}

#[derive(Debug)]
pub(super) struct Pool<T> {
    pub(super) items: Vec<T>,
    pub(super) free: Vec<usize>,
}

impl<T> Pool<T> {
    pub(super) const EMPTY: Self = Self { items: Vec::new(), free: Vec::new() };

    pub(super) fn used(&self) -> usize {
        self.items.len() - self.free.len()
    }

    /// Returns the index of a free item. The item has its old content from an earlier use, or is
    /// made by `new`.
    pub(super) fn take(&mut self, new: impl FnOnce() -> T) -> usize {
        self.free.pop().unwrap_or_else(|| {
            self.items.push(new());
            self.items.len() - 1
        })
    }

    pub(super) fn clear(&mut self) {
        self.free.clear();
        self.free.extend(0..self.items.len());
    }
}
