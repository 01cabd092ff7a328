//! The problems that walks are in, by form: who comes to one under other names takes the names of the first.
//!
//! So walks that count the same problem branch alike, and what one of them finds below it the other finds in the memo. There
//! are at most as many entries as walks have frames.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::word_table::hash;
use crate::numbers::Mixer;
use crate::parallel::Sharded;

type BegunTable = HashMap<Box<[u64]>, Box<[u64]>, BuildHasherDefault<Mixer>>;

/// Sets of items by form.
#[derive(Debug)]
pub(super) struct BegunProblems(Sharded<BegunTable>);

impl Default for BegunProblems {
    fn default() -> Self {
        Self(Sharded::new(BegunTable::default))
    }
}

impl BegunProblems {
    /// Returns the items of the problem of that form that somebody is in; if nobody is, it is now that of `set`.
    pub(super) fn enter(&self, form: &[u64], set: &[u64]) -> Option<Box<[u64]>> {
        let mut table = self.0.at(hash(form));
        if let Some(begun) = table.get(form) {
            return Some(begun.clone());
        }
        table.insert(form.into(), set.into());
        None
    }

    /// Forgets a problem that was counted.
    pub(super) fn leave(&self, form: &[u64]) {
        self.0.at(hash(form)).remove(form);
    }
}
