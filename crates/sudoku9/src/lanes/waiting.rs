//! What waits with the lanes: packs of branches, and places that are used again.

use super::branch::Bundle;
use crate::model::board::Board;

/// The other branch of a guess: that pack, in that place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    pub(super) task: usize,
    pub(super) pack: usize,
    pub(super) place: usize,
}

/// Up to eight branches that wait.
#[derive(Debug)]
pub(super) struct Pack {
    pub(super) bundle: Box<Bundle>,
    /// How many of them still wait.
    pub(super) waiting: usize,
}

impl Pack {
    /// Returns the branch in that place.
    pub(super) fn board(&self, place: usize) -> Board {
        Board(std::array::from_fn(|row| self.bundle[row][place]))
    }
}

/// Things with the places that are free again.
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

    /// Returns a free place; what stands there is of an earlier use, or new.
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
