//! Groups of options that a reduction merges, each with one representative.

use super::OptionId;

/// Groups of original options, indexed by their representative in the reduced problem.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    ends: Vec<u32>,
    members: Vec<OptionId>,
}

impl Groups {
    pub(crate) fn push(&mut self, members: impl Iterator<Item = OptionId>) {
        self.members.extend(members);
        self.ends.push(self.members.len() as u32);
    }

    pub(crate) fn of(&self, option: OptionId) -> &[OptionId] {
        let start = option.index().checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.members[start..self.ends[option.index()] as usize]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &[OptionId]> {
        (0..self.ends.len()).map(|index| self.of(OptionId::new(index)))
    }

    pub(crate) fn is_plain(&self) -> bool {
        self.ends.len() == self.members.len()
    }
}
