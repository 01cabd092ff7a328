//! The current subproblems of all walks, by canonical form. A walk that reaches an isomorphic
//! subproblem continues with the items of the other walk.
//!
//! So walks in isomorphic subproblems branch alike, and get memo hits from each other.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::word_table::hash;
use crate::numbers::Mixer;
use crate::parallel::Sharded;

type BegunTable = HashMap<Box<[u64]>, Box<[u64]>, BuildHasherDefault<Mixer>>;

#[derive(Debug)]
pub(super) struct BegunProblems(Sharded<BegunTable>);

impl Default for BegunProblems {
    fn default() -> Self {
        Self(Sharded::new(BegunTable::default))
    }
}

impl BegunProblems {
    /// Returns the items of another walk's current subproblem with this canonical form. Without
    /// such a subproblem, registers `set` as the items of the form.
    pub(super) fn enter(&self, form: &[u64], set: &[u64]) -> Option<Box<[u64]>> {
        let mut table = self.0.at(hash(form));
        if let Some(begun) = table.get(form) {
            return Some(begun.clone());
        }
        table.insert(form.into(), set.into());
        None
    }

    pub(super) fn leave(&self, form: &[u64]) {
        self.0.at(hash(form)).remove(form);
    }
}
