//! Covers that wait to be shown.

use std::iter;

use crate::{End, Limit, Limits, OptionId, Visit};

/// A list of covers.
#[derive(Debug, Default)]
pub(super) struct Covers {
    options: Vec<OptionId>,
    /// Where each cover ends.
    ends: Vec<usize>,
}

impl Covers {
    pub(super) fn push(&mut self, cover: &[OptionId]) {
        self.options.extend_from_slice(cover);
        self.ends.push(self.options.len());
    }

    pub(super) fn append(&mut self, other: Self) {
        if self.ends.is_empty() {
            *self = other;
            return;
        }
        let start = self.options.len();
        self.options.extend(other.options);
        self.ends.extend(other.ends.into_iter().map(|end| start + end));
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn size(&self) -> usize {
        size_of_val(&self.options[..]) + size_of_val(&self.ends[..])
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[OptionId]> {
        let starts = iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).map(|(&start, &end)| &self.options[start..end])
    }
}

/// Shows covers until the visitor or the limit ends it: how many were visited, the end, and the
/// others.
pub(super) fn show(
    covers: &Covers,
    mut solutions: u64,
    limits: &Limits,
    visit: &mut Visit<'_>,
) -> (u64, Option<End>, Vec<Vec<OptionId>>) {
    let before = solutions;
    let mut covers = covers.iter();
    let mut end = None;
    while end.is_none()
        && let Some(cover) = covers.next()
    {
        solutions += 1;
        if visit(cover).is_break() {
            end = Some(End::Stopped);
        } else if limits.solutions == Some(solutions) {
            end = Some(End::Limit(Limit::Solutions));
        }
    }
    (solutions - before, end, covers.map(<[_]>::to_vec).collect())
}
