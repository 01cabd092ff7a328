//! Which looks for 64 choices of a step pay.
//!
//! The first states of a step go through all looks, and later ones from time to time. Each look is judged by these: it is
//! kept if it found dead ends often enough, of those that the looks before it had left, for the fields and options that
//! it went through; those that find the most for that come first. Where none is kept, they are tried again seldom. A dead end
//! that is found saves more than its own expansion, since what it would have led to is dead as well.
//!
//! Tried and dropped: judging by the first states alone. They are reached from the first states of other steps and have
//! few dead ends (free tetrominoes on 10x10, row by row: 7,239,772 states, and 3,076,042 when judged again and again).

use super::layout::{Key, Layout};

/// States after which the looks are judged, and judged again.
const TRIAL: u32 = if cfg!(test) { 16 } else { 256 };
/// After the first trial one of so many states goes through all looks.
const EVERY: u32 = 32;
/// And one of so many where none of them pays, as in Langford's pairs, where one in 16 takes a third of the time.
const SELDOM: u32 = 256;
/// A dead end that is found is worth so many fields and options gone through. Free pentominoes on 8x10 have 0.8 % more
/// states with half of it, and 0.4 % fewer with all looks always taken.
const WORTH: u64 = 512;

/// The looks for 64 choices that pay, or may.
#[derive(Clone, Debug, Default)]
pub(super) struct PayingLooks {
    looks: Vec<JudgedLook>,
    /// The numbers of those that pay, the best first.
    paying: Vec<u32>,
    /// The states that went through all looks.
    tries: u32,
    /// The states until one goes through all looks again.
    wait: u32,
}

/// What a look found.
#[derive(Clone, Copy, Debug, Default)]
struct JudgedLook {
    /// The dead ends.
    hits: u64,
    tests: u64,
}

impl PayingLooks {
    /// Returns which of `free`, of 64 choices, are seen to lead to dead ends, and adds to `tests` what that took.
    #[inline]
    pub(super) fn dead_ends<const K: usize>(
        &mut self,
        layout: &Layout<K>,
        choices: usize,
        free: u64,
        key: &Key<K>,
        tests: &mut u64,
    ) -> u64 {
        if free == 0 || layout.look_count(choices) == 0 {
            return 0;
        }
        if self.wait == 0 {
            return self.try_all(layout, choices, free, key, tests);
        }
        self.wait -= 1;
        let paying = self.paying.iter().map(|&look| look as usize);
        layout.dead_ends_by(choices, paying, free, key, |_, _, taken| *tests += taken)
    }

    #[cold]
    fn try_all<const K: usize>(
        &mut self,
        layout: &Layout<K>,
        choices: usize,
        free: u64,
        key: &Key<K>,
        tests: &mut u64,
    ) -> u64 {
        self.looks.resize(layout.look_count(choices), JudgedLook::default());
        let looks = &mut self.looks;
        let dead_ends = layout.dead_ends_by(choices, 0..looks.len(), free, key, |look, dead, taken| {
            *tests += taken;
            looks[look].tests += taken;
            looks[look].hits += u64::from(dead.count_ones());
        });
        self.tries += 1;
        if self.tries.is_multiple_of(TRIAL) {
            self.judge();
        }
        let every = if self.paying.is_empty() { SELDOM } else { EVERY };
        self.wait = if self.tries < TRIAL { 0 } else { every - 1 };
        self.tries = if self.tries < 2 * TRIAL { self.tries } else { TRIAL };
        dead_ends
    }

    /// Finds those that pay.
    fn judge(&mut self) {
        let looks = (0..).zip(&self.looks);
        let pays = |look: &JudgedLook| look.hits > 0 && look.hits * WORTH >= look.tests;
        let mut paying: Vec<(u64, u32)> = looks
            .filter(|(_, look)| pays(look))
            .map(|(index, look)| (1024 * look.tests / look.hits, index))
            .collect();
        paying.sort_unstable();
        self.paying = paying.into_iter().map(|(_, index)| index).collect();
        // What was found long ago counts less.
        self.looks
            .iter_mut()
            .for_each(|look| (look.hits, look.tests) = (look.hits / 2, look.tests / 2));
    }
}
