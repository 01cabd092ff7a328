//! Options that stand for several others, as a reduction merges them.

use super::OptionId;

/// Options that stand for several, by number.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    /// Where each group ends.
    ends: Vec<u32>,
    members: Vec<OptionId>,
}

impl Groups {
    /// Adds a group; the first member is the one that stands for all.
    pub(crate) fn push(&mut self, members: impl Iterator<Item = OptionId>) {
        self.members.extend(members);
        self.ends.push(self.members.len() as u32);
    }

    /// Returns the members of a group.
    pub(crate) fn of(&self, option: OptionId) -> &[OptionId] {
        let start = option.index().checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.members[start..self.ends[option.index()] as usize]
    }

    /// Iterates over the groups.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[OptionId]> {
        (0..self.ends.len()).map(|index| self.of(OptionId::new(index)))
    }

    /// Tells whether each option stands for itself alone.
    pub(crate) fn is_plain(&self) -> bool {
        self.ends.len() == self.members.len()
    }
}
