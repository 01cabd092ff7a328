//! A compact list of covers: the options of all covers in one array.

use super::OptionId;

#[derive(Debug, Default)]
pub(crate) struct Covers {
    options: Vec<OptionId>,
    ends: Vec<usize>,
}

impl Covers {
    pub(crate) fn push(&mut self, cover: &[OptionId]) {
        self.options.extend_from_slice(cover);
        self.ends.push(self.options.len());
    }

    pub(crate) fn append(&mut self, other: Self) {
        if self.ends.is_empty() {
            *self = other;
            return;
        }
        let start = self.options.len();
        self.options.extend(other.options);
        self.ends.extend(other.ends.into_iter().map(|end| start + end));
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.options.clear();
        self.ends.clear();
    }

    pub(crate) fn option_count(&self) -> usize {
        self.options.len()
    }

    pub(crate) fn get(&self, place: usize) -> &[OptionId] {
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.options[start..self.ends[place]]
    }

    pub(crate) fn size(&self) -> usize {
        size_of_val(&self.options[..]) + size_of_val(&self.ends[..])
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &[OptionId]> {
        (0..self.len()).map(|place| self.get(place))
    }
}
