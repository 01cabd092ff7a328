//! Saving and restoring states of the arena.

use super::{Arena, Margin, Record, Snapshot, WORD};

impl<M: Margin> Arena<M> {
    /// Saves the current state for `level`, where level 0 is the state before the search.
    #[inline(always)]
    pub(in crate::engine::cells) fn mark(&mut self, level: usize) -> Snapshot {
        if M::COPIES {
            save(&self.margins, &mut self.saved_margins, level);
            save(&self.words, &mut self.saved_words, level);
        }
        Snapshot {
            trail: self.trail_len as u32,
            closed: self.closed.len() as u32,
            done: self.done.len() as u32,
            chosen: self.chosen.len() as u32,
            active_count: self.active_count,
        }
    }

    pub(in crate::engine::cells) fn root(&self) -> Snapshot {
        self.root
    }

    #[inline(always)]
    pub(in crate::engine::cells) fn restore<const COLORS: bool, const BOUNDS: bool>(
        &mut self,
        mark: &Snapshot,
        level: usize,
    ) {
        if BOUNDS {
            for &option in &self.chosen[mark.chosen as usize..] {
                let span = self.spans[option.index()];
                for record in &self.records[span.primary as usize..span.secondary as usize] {
                    let left = &mut self.left[record.item.index()];
                    left.bound += 1;
                    if !M::COPIES {
                        self.margins[record.item.index()] -= M::from(left.need() > 0);
                    }
                }
            }
        }
        self.chosen.truncate(mark.chosen as usize);
        if COLORS {
            for &item in &self.done[mark.done as usize..] {
                self.is_done[item.index()] = false;
            }
            self.done.truncate(mark.done as usize);
        }
        self.active_count = mark.active_count;
        self.forced_len = 0;
        if M::COPIES {
            let width = self.margins.len();
            self.margins.copy_from_slice(&self.saved_margins[level * width..][..width]);
            let width = self.words.len();
            self.words.copy_from_slice(&self.saved_words[level * width..][..width]);
        } else {
            self.show(mark);
        }
    }

    /// Unhides the options hidden since `mark`, and reopens the items closed since `mark`.
    #[inline(always)]
    fn show(&mut self, mark: &Snapshot) {
        for place in mark.trail as usize..self.trail_len {
            let (primary, secondary, end) = self.span(self.hidden(place));
            for place in primary..secondary {
                let Record { item, bit } = self.record(place);
                *self.word(bit) |= 1 << (bit as usize % WORD);
                *self.margin(item) += M::from(true);
            }
            for place in secondary..end {
                let bit = self.record(place).bit;
                *self.word(bit) |= 1 << (bit as usize % WORD);
            }
        }
        self.trail_len = mark.trail as usize;
        for place in mark.closed as usize..self.closed.len() {
            *self.margin(self.closed[place]) -= M::INACTIVE;
        }
        self.closed.truncate(mark.closed as usize);
    }
}

/// Copies `row` into the slot of `level` in `saved`, and discards the slots of deeper levels.
#[inline(always)]
fn save<T: Copy>(row: &[T], saved: &mut Vec<T>, level: usize) {
    debug_assert!(saved.len() >= level * row.len(), "the levels before were saved");
    saved.truncate(level * row.len());
    saved.extend_from_slice(row);
}
