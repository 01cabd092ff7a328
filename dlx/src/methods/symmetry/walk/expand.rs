//! Walks from a given subproblem: counts it, or expands it by a few options.

use super::{FormWalk, Step, weight};
use crate::methods::symmetry::Ground;
use crate::methods::symmetry::number::CoverCount;
use crate::methods::together::Worker as _;
use crate::portfolio::Cut;

pub(in crate::methods::symmetry) enum Left<'w> {
    Nothing,
    /// A connected subproblem with the items `set`, where `size` items are primary.
    Connected {
        set: &'w [u64],
        size: usize,
    },
    Components {
        set: &'w [u64],
        size: usize,
        options: &'w [u32],
    },
}

impl FormWalk {
    /// Counts the covers of a subproblem. Returns `None` if that takes more work than `most`.
    pub(in crate::methods::symmetry) fn count_below(
        &mut self,
        ground: &Ground,
        options: &[u32],
        set: &[u64],
        most: u64,
    ) -> Option<CoverCount> {
        self.begin(ground, options, set);
        self.paid = self.work;
        let mut left = most;
        let ran = self.run(ground, |work| {
            left = left.checked_sub(work).ok_or(Cut::Work)?;
            Ok(())
        });
        match &self.step {
            Step::Return(number) if ran.is_ok() => Some(number.clone()),
            _ => None,
        }
    }

    pub(in crate::methods::symmetry) fn begin(
        &mut self,
        ground: &Ground,
        options: &[u32],
        set: &[u64],
    ) {
        for keys in self.frames.drain(..).filter_map(|frame| frame.keys) {
            ground.begun.leave(&keys.form);
        }
        self.ends.clear();
        self.options.clear();
        self.options.extend_from_slice(options);
        self.sets.clear();
        self.sets.extend_from_slice(set);
        ground.copies.hide(set, &mut self.standing, &mut self.options, 0);
        self.step = Step::Enter;
    }

    /// Visits the options of a subproblem. `visit` gets the subproblem left by each option, and the
    /// number of ways to reach it. The result of `visit` is whether to expand that subproblem too.
    pub(in crate::methods::symmetry) fn expand(
        &mut self,
        ground: &Ground,
        options: &[u32],
        set: &[u64],
        visit: &mut dyn FnMut(Left<'_>, &CoverCount) -> bool,
    ) {
        self.begin(ground, options, set);
        self.push(ground, 0, 0, CoverCount::ONE, None);
        while let Some(option) = self.next_option(ground) {
            let frame = self.frames.last().expect("it has an option");
            let item = frame.item.expect("only connected problems are expanded");
            let multiple = ground.copies.multiple_beside(item, option, &self.standing);
            let (start, set) = (frame.end, self.sets.len() - ground.tables.word_count);
            let mut factor = frame.factor.clone();
            factor.multiply(&CoverCount::Small(weight(ground, option, multiple)));
            self.tries += 1;
            let Some(forced) = self.force(ground, start, set) else { continue };
            factor.multiply(&forced);
            if self.options.len() == start {
                visit(Left::Nothing, &factor);
                continue;
            }
            let ends = self.ends.len();
            let is_split = self.split(ground, start, set);
            self.ends.truncate(ends);
            let size = self.cover(ground, start, set, !is_split);
            let (left, options) = (&self.sets[set..], &self.options[start..]);
            if is_split {
                visit(Left::Components { set: left, size, options }, &factor);
            } else if visit(Left::Connected { set: left, size }, &factor) {
                self.push(ground, start, set, factor, None);
            }
        }
    }

    /// Pushes the subproblem left by the next option of the last frame, and returns that option.
    /// Removes finished frames.
    fn next_option(&mut self, ground: &Ground) -> Option<u32> {
        let words = ground.tables.word_count;
        while let Some(frame) = self.frames.last_mut() {
            self.options.truncate(frame.end);
            self.sets.truncate(frame.set + words);
            let item = frame.item.expect("only connected problems are expanded");
            let (word, bit) = (item as usize / 64, item % 64);
            let options = &self.options[frame.start..frame.end];
            let has_item = |&place: &usize| ground.tables.set(options[place])[word] >> bit & 1 == 1;
            let Some(place) = (frame.next..options.len()).find(has_item) else {
                self.frames.pop();
                continue;
            };
            frame.next = place + 1;
            let option = options[place];
            let (start, end) = (frame.start, frame.end);
            self.leave(ground, option, start, end);
            return Some(option);
        }
        None
    }

    fn leave(&mut self, ground: &Ground, option: u32, start: usize, end: usize) {
        let words = ground.tables.word_count;
        let before = self.sets.len() - words;
        for (place, covered) in (before..).zip(ground.tables.set(option)) {
            self.sets.push(self.sets[place] & !covered);
        }
        let set = before + words;
        ground.copies.stand(&self.sets[before..set], &mut self.standing);
        for place in start..end {
            let option = self.options[place];
            if ground.tables.is_within(option, &self.sets[set..]) {
                self.options.push(option);
            }
        }
        self.come_forth(ground, option, start..end);
        self.work += 10 + ((end - start + 1) * (1 + words)) as u64;
    }
}
