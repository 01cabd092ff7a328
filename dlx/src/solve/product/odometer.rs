//! Enumerates all combinations of the covers of several parts.
//!
//! The parts turn like the wheels of an odometer, the smallest part fastest. A part is searched
//! when its wheel first turns. Each cover found is passed to the visitor at once with all
//! combinations of the faster parts, and kept for later turns while there is room. A faster part
//! with too many covers to keep is searched again in each turn. In that case, the covers of the
//! slower part are fetched in blocks that fit in the available memory, each by a search from the
//! start.

use std::ops::ControlFlow;

use super::{Output, Part, Weighted, finished};
use crate::model::{Covers, OptionId};
use crate::portfolio::Total;
use crate::search::{End, Engine};

const ROOM: usize = if cfg!(test) { 16 } else { 1 << 18 };

#[derive(Debug, Default)]
struct Cursor {
    covers: Covers,
    skipped: u64,
    at: usize,
    is_complete: bool,
}

impl Cursor {
    fn cover(&self) -> &[OptionId] {
        self.covers.get(self.at)
    }

    fn has_room(&self, len: usize) -> bool {
        self.covers.is_empty() || self.covers.option_count() + len <= ROOM
    }

    /// Advances to the next cover; returns `false` when it returns to the first cover.
    fn turn(&mut self) -> bool {
        self.at = (self.at + 1) % self.covers.len();
        self.at > 0
    }
}

/// All combinations of the covers of at least two parts, the first part fastest. The cover of a
/// part that was found first is always its first cover.
pub(super) struct Odometer<'p, 'g, 'o, 'v, 'l> {
    parts: &'p mut [Part],
    wholes: &'g [Weighted],
    firsts: Vec<Vec<OptionId>>,
    cursors: Vec<Cursor>,
    total: &'p mut Total<'l>,
    output: &'p mut Output<'g, 'o, 'v, 'l>,
}

impl<'p, 'g, 'o, 'v, 'l> Odometer<'p, 'g, 'o, 'v, 'l> {
    pub(super) fn new(
        parts: &'p mut [Part],
        wholes: &'g [Weighted],
        total: &'p mut Total<'l>,
        output: &'p mut Output<'g, 'o, 'v, 'l>,
    ) -> Self {
        let cursors = parts.iter().map(|_| Cursor::default()).collect();
        Self { parts, wholes, firsts: Vec::new(), cursors, total, output }
    }

    pub(super) fn run(&mut self) -> Result<(), End> {
        for (part, cursor) in self.parts.iter_mut().zip(&mut self.cursors) {
            let report = part.search(&[], &self.total.left(Some(1)), &mut |cover| {
                cursor.covers.push(cover);
                ControlFlow::Continue(())
            });
            self.total.add(&report);
            finished(&report)?;
            if cursor.covers.is_empty() {
                return Ok(());
            }
            self.firsts.push(cursor.covers.get(0).to_vec());
        }
        let mut changed = Some(self.parts.len() - 1);
        while let Some(part) = changed {
            self.place(part);
            self.output.show()?;
            changed = self.turn()?;
        }
        Ok(())
    }

    fn place(&mut self, part: usize) {
        place(self.output, &self.cursors, self.wholes, part);
    }

    /// Advances to the next combination. Returns the slowest part whose cover changed. Returns
    /// `None` after the last combination.
    fn turn(&mut self) -> Result<Option<usize>, End> {
        for part in 0..self.cursors.len() {
            if self.cursors[part].turn() {
                return Ok(Some(part));
            }
            if self.cursors[part].is_complete {
                continue;
            }
            if self.cursors[..part].iter().all(|cursor| cursor.is_complete) {
                self.stream(part)?;
                continue;
            }
            let Cursor { skipped, ref covers, .. } = self.cursors[part];
            self.fetch(part, skipped + covers.len() as u64)?;
            if !self.cursors[part].covers.is_empty() {
                return Ok(Some(part));
            }
            self.fetch(part, 0)?;
        }
        Ok(None)
    }

    /// Searches `part` again, skips `skip` covers, and keeps the next covers that fit in the room.
    fn fetch(&mut self, part: usize, skip: u64) -> Result<(), End> {
        let (first, cursor) = (&self.firsts[part], &mut self.cursors[part]);
        *cursor = Cursor { skipped: skip, ..Cursor::default() };
        if skip == 0 {
            cursor.covers.push(first);
        }
        let mut seen = 1;
        let limits = self.total.left(self.total.limits().solutions);
        let report = self.parts[part].search(&[], &limits, &mut |cover| {
            if is_same(cover, first) {
                return ControlFlow::Continue(());
            }
            seen += 1;
            if seen > skip {
                if !cursor.has_room(cover.len()) {
                    return ControlFlow::Break(());
                }
                cursor.covers.push(cover);
            }
            ControlFlow::Continue(())
        });
        cursor.is_complete = skip == 0 && report.end == End::Exhausted;
        self.total.add(&report);
        finished(&report)
    }

    /// Searches `part`, and shows each remaining cover when it is found, with all combinations of
    /// the faster parts.
    fn stream(&mut self, part: usize) -> Result<(), End> {
        let (faster, slower) = self.cursors.split_at_mut(part);
        let cursor = &mut slower[0];
        let known = cursor.covers.len();
        let number = self.wholes.len() - 1 - part;
        let first = &self.firsts[part];
        let (mut seen, mut ended) = (1, Ok(()));
        let limits = self.total.left(self.total.limits().solutions);
        let report = self.parts[part].search(&[], &limits, &mut |cover| {
            if is_same(cover, first) {
                return ControlFlow::Continue(());
            }
            seen += 1;
            if seen <= known {
                return ControlFlow::Continue(());
            }
            if cursor.covers.len() + 1 == seen && cursor.has_room(cover.len()) {
                cursor.covers.push(cover);
            }
            self.output.place(number, &self.wholes[part].groups, cover);
            let mut changed = part.checked_sub(1);
            loop {
                if let Some(changed) = changed {
                    place(self.output, faster, self.wholes, changed);
                }
                ended = self.output.show();
                if ended.is_err() {
                    return ControlFlow::Break(());
                }
                changed = (0..part).find(|&part| faster[part].turn());
                if changed.is_none() {
                    return ControlFlow::Continue(());
                }
            }
        });
        cursor.is_complete = report.end == End::Exhausted && cursor.covers.len() == seen;
        self.total.add(&report);
        ended.and_then(|()| finished(&report))
    }
}

fn is_same(cover: &[OptionId], other: &[OptionId]) -> bool {
    cover.len() == other.len() && cover.iter().all(|option| other.contains(option))
}

fn place<'g>(
    output: &mut Output<'g, '_, '_, '_>,
    cursors: &[Cursor],
    wholes: &'g [Weighted],
    part: usize,
) {
    for index in (0..=part).rev() {
        output.place(wholes.len() - 1 - index, &wholes[index].groups, cursors[index].cover());
    }
}
